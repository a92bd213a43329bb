#include "glue.h"

// Decodes and reads everything. If the room does not do, the descriptor is there all the same: the status is
// HURRAY_ERR_BUFFER_TOO_SMALL, `number[0]` the true length, and hg_descriptor_fields reads it.
int32_t hg_descriptor_decode(const uint8_t *bytes, size_t length, uint32_t flags, uint64_t *words, size_t room,
                             HgCall *call) {
    HurrayDescriptor *descriptor = NULL;
    HurrayStatus status = flags == 0 ? hurray_descriptor_decode(bytes, length, &descriptor)
                                     : hurray_descriptor_decode_with(bytes, length, flags, &descriptor);
    call->handle = (uintptr_t)descriptor;
    if (status == HURRAY_OK) status = hg_descriptor_fields(call->handle, words, room, call);
    return hg_done(status, call);
}

int32_t hg_descriptor_from_fields(const uint64_t *words, size_t length, HgCall *call) {
    HurrayDescriptor *descriptor = NULL;
    const HurrayStatus status = hurray_descriptor_from_fields(words, length, &descriptor);
    call->handle = (uintptr_t)descriptor;
    return hg_done(status, call);
}

// Sets one field of the bulk form. Its header is in `words[0]` and `words[1]`, its values follow.
static HurrayStatus set_field(HurrayDescriptorBuilder *builder, const uint64_t *words) {
    const HurrayDescriptorField field = (uint32_t)words[0];
    const uint32_t level = (uint32_t)(words[0] >> 32 & 0xFFFF);
    const size_t count = (size_t)words[1];
    const void *values = words + 2;
    switch (words[0] >> 48) {
    case 1:
        return hurray_descriptor_builder_set_u64(builder, field, level, words[2]);
    case 2:
        return hurray_descriptor_builder_set_i64(builder, field, level, (int64_t)words[2]);
    case 3:
        return hurray_descriptor_builder_set_f64(builder, field, level, *(const double *)values);
    case 4:
        return hurray_descriptor_builder_set_u64_array(builder, field, level, values, count);
    case 5:
        return hurray_descriptor_builder_set_i64_array(builder, field, level, values, count);
    default:
        return hurray_descriptor_builder_set_bytes(builder, field, level, values, count);
    }
}

// The words of one field, header included.
static size_t field_length(const uint64_t *words) {
    const uint64_t count = words[1];
    return 2 + (size_t)(words[0] >> 48 == 6 ? (count + 7) / 8 : count);
}

int32_t hg_descriptor_build(uint8_t type, uint8_t layout, const uint64_t *shape, size_t rank, const uint64_t *words,
                            size_t length, const HgEntry *entries, size_t count, int default_buffers, HgCall *call) {
    HurrayDescriptorBuilder *builder = NULL;
    HurrayDescriptor *descriptor = NULL;
    HurrayStatus status = hurray_descriptor_builder_new(type, layout, shape, rank, &builder);
    for (size_t at = 0; at < length && status == HURRAY_OK; at += field_length(words + at)) {
        status = set_field(builder, words + at);
    }
    for (size_t k = 0; k < count && status == HURRAY_OK; k++) {
        const HgEntry *entry = entries + k;
        status = hurray_descriptor_builder_push_buffer(builder, entry->byte_size, entry->alignment, entry->device,
                                                       entry->sync_mode, entry->memory_class);
    }
    if (status == HURRAY_OK && default_buffers) status = hurray_descriptor_builder_push_default_buffers(builder);
    if (status == HURRAY_OK) status = hurray_descriptor_builder_finish(builder, &descriptor);
    const int32_t done = hg_done(status, call);
    hurray_descriptor_builder_destroy(&builder);
    call->handle = (uintptr_t)descriptor;
    return done;
}

int32_t hg_descriptor_fields(uintptr_t descriptor, uint64_t *words, size_t room, HgCall *call) {
    const HurrayStatus status = hurray_descriptor_fields((const HurrayDescriptor *)descriptor, words, &room);
    call->number[0] = room;
    return hg_done(status, call);
}

int32_t hg_descriptor_encode(uintptr_t descriptor, uint8_t *out, size_t room, HgCall *call) {
    const HurrayStatus status = hurray_descriptor_encode((const HurrayDescriptor *)descriptor, out, &room);
    call->number[0] = room;
    return hg_done(status, call);
}

int32_t hg_descriptor_describe(uintptr_t descriptor, char *out, size_t room, HgCall *call) {
    const HurrayStatus status = hurray_descriptor_describe((const HurrayDescriptor *)descriptor, out, &room);
    call->number[0] = room;
    return hg_done(status, call);
}

int32_t hg_descriptor_annotate(uintptr_t descriptor, char *out, size_t room, HgCall *call) {
    const HurrayStatus status = hurray_descriptor_annotate((const HurrayDescriptor *)descriptor, out, &room);
    call->number[0] = room;
    return hg_done(status, call);
}

void hg_descriptor_destroy(uintptr_t descriptor) {
    HurrayDescriptor *handle = (HurrayDescriptor *)descriptor;
    hurray_descriptor_destroy(&handle);
}
