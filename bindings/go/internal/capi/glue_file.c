#include "_cgo_export.h"
#include "glue.h"

static int64_t read_at(void *context, uint64_t offset, uint8_t *out, uint64_t length) {
    return hurrayGoReadAt((uintptr_t)context, offset, (uintptr_t)out, length);
}

static void release_context(void *context) { hurrayGoRelease((uintptr_t)context); }

static int32_t opened(HurrayStatus status, HurrayFileReader *reader, HurrayOptions *options, HgCall *call) {
    call->handle = (uintptr_t)reader;
    const int32_t done = hg_done(status, call);
    hg_options_end(options, call);
    return done;
}

int32_t hg_file_open(const char *path, size_t length, const HgOption *options, size_t count, HgCall *call) {
    HurrayFileReader *reader = NULL;
    HurrayOptions *made = NULL;
    HurrayStatus status = hg_options(options, count, call, &made);
    if (status == HURRAY_OK) status = hurray_file_reader_open(path, length, made, &reader);
    return opened(status, reader, made, call);
}

int32_t hg_file_open_fd(int64_t fd, const HgOption *options, size_t count, HgCall *call) {
    HurrayFileReader *reader = NULL;
    HurrayOptions *made = NULL;
    HurrayStatus status = hg_options(options, count, call, &made);
    if (status == HURRAY_OK) status = hurray_file_reader_open_fd(fd, made, &reader);
    return opened(status, reader, made, call);
}

int32_t hg_file_open_buffer(uintptr_t buffer, const HgOption *options, size_t count, HgCall *call) {
    HurrayFileReader *reader = NULL;
    HurrayOptions *made = NULL;
    HurrayStatus status = hg_options(options, count, call, &made);
    if (status == HURRAY_OK) status = hurray_file_reader_open_buffer((const HurrayBuffer *)buffer, made, &reader);
    return opened(status, reader, made, call);
}

// `context` is released when the reader ends; on failure it stays the caller's.
int32_t hg_file_open_callback(uintptr_t context, uint64_t size, const HgOption *options, size_t count, HgCall *call) {
    HurrayFileReader *reader = NULL;
    HurrayOptions *made = NULL;
    HurrayStatus status = hg_options(options, count, call, &made);
    if (status == HURRAY_OK) {
        status = hurray_file_reader_open_callback(read_at, (void *)context, release_context, size, made, &reader);
    }
    return opened(status, reader, made, call);
}

int32_t hg_file_find(uintptr_t reader, const char *name, size_t length, HgCall *call) {
    return hg_done(hurray_file_reader_entry_find((const HurrayFileReader *)reader, name, length, &call->number[0]),
                   call);
}

// The true lengths in `number[0]` (bytes) and `number[1]` (ends).
int32_t hg_file_names(uintptr_t reader, uint8_t *bytes, size_t room, uint64_t *ends, size_t count, HgCall *call) {
    const HurrayStatus status =
        hurray_file_reader_entry_names((const HurrayFileReader *)reader, bytes, &room, ends, &count);
    call->number[0] = room;
    call->number[1] = count;
    return hg_done(status, call);
}

// Borrowed from the reader.
int32_t hg_file_descriptor(uintptr_t reader, uint64_t index, HgCall *call) {
    HurrayDescriptor *descriptor = NULL;
    const HurrayStatus status =
        hurray_file_reader_entry_descriptor((const HurrayFileReader *)reader, index, &descriptor);
    call->handle = (uintptr_t)descriptor;
    return hg_done(status, call);
}

int32_t hg_file_tensor(uintptr_t reader, uint64_t index, HgCall *call) {
    HurrayTensor *tensor = NULL;
    const HurrayStatus status = hurray_file_reader_entry_tensor((const HurrayFileReader *)reader, index, &tensor);
    call->handle = (uintptr_t)tensor;
    return hg_done(status, call);
}

// Offset and length in `number[0]` and `number[1]`.
int32_t hg_file_range(uintptr_t reader, uint64_t index, HgCall *call) {
    return hg_done(
        hurray_file_reader_entry_range((const HurrayFileReader *)reader, index, &call->number[0], &call->number[1]),
        call);
}

int32_t hg_file_read(uintptr_t reader, uint64_t index, uint64_t buffer, uint64_t offset, uint8_t *out, size_t length,
                     HgCall *call) {
    return hg_done(hurray_file_reader_entry_read((const HurrayFileReader *)reader, index, buffer, offset, out, length),
                   call);
}

// The entries of the top-level items; `number[0]` is how many there are, also when there is less room.
int32_t hg_file_items(uintptr_t handle, uint64_t *entries, uint64_t room, HgCall *call) {
    const HurrayFileReader *reader = (const HurrayFileReader *)handle;
    HurrayStatus status = hurray_file_reader_item_count(reader, &call->number[0]);
    for (uint64_t i = 0; status == HURRAY_OK && i < call->number[0] && i < room; i++) {
        status = hurray_file_reader_item_entry(reader, i, entries + i);
    }
    return hg_done(status, call);
}

int32_t hg_file_item(uintptr_t reader, uint64_t index, HgCall *call) {
    HurrayItem *item = NULL;
    const HurrayStatus status = hurray_file_reader_item((const HurrayFileReader *)reader, index, &item);
    call->handle = (uintptr_t)item;
    return hg_done(status, call);
}

int32_t hg_file_advise(uintptr_t reader, uint64_t index, uint32_t advice, HgCall *call) {
    return hg_done(hurray_file_reader_advise((const HurrayFileReader *)reader, index, advice), call);
}

int32_t hg_file_kv_count(uintptr_t reader, HgCall *call) {
    return hg_done(hurray_file_reader_kv_count((const HurrayFileReader *)reader, &call->number[0]), call);
}

int32_t hg_file_kv_key(uintptr_t reader, uint64_t i, char *out, size_t room, HgCall *call) {
    const HurrayStatus status = hurray_file_reader_kv_key((const HurrayFileReader *)reader, i, out, &room);
    call->number[0] = room;
    return hg_done(status, call);
}

int32_t hg_file_kv_find(uintptr_t reader, const char *key, size_t length, HgCall *call) {
    return hg_done(hurray_file_reader_kv_find((const HurrayFileReader *)reader, key, length, &call->number[0]), call);
}

// Type, whether it is an array, and the number of elements.
int32_t hg_file_kv_type(uintptr_t reader, uint64_t i, HgCall *call) {
    uint8_t type = 0;
    uint8_t is_array = 0;
    const HurrayStatus status =
        hurray_file_reader_kv_type((const HurrayFileReader *)reader, i, &type, &is_array, &call->number[2]);
    call->number[0] = type;
    call->number[1] = is_array;
    return hg_done(status, call);
}

int32_t hg_file_kv_u64(uintptr_t reader, uint64_t i, uint64_t *out, size_t room, HgCall *call) {
    const HurrayStatus status = hurray_file_reader_kv_u64((const HurrayFileReader *)reader, i, out, &room);
    call->number[0] = room;
    return hg_done(status, call);
}

int32_t hg_file_kv_i64(uintptr_t reader, uint64_t i, int64_t *out, size_t room, HgCall *call) {
    const HurrayStatus status = hurray_file_reader_kv_i64((const HurrayFileReader *)reader, i, out, &room);
    call->number[0] = room;
    return hg_done(status, call);
}

int32_t hg_file_kv_f64(uintptr_t reader, uint64_t i, double *out, size_t room, HgCall *call) {
    const HurrayStatus status = hurray_file_reader_kv_f64((const HurrayFileReader *)reader, i, out, &room);
    call->number[0] = room;
    return hg_done(status, call);
}

// The true lengths in `number[0]` (bytes) and `number[1]` (ends).
int32_t hg_file_kv_packed(uintptr_t reader, uint64_t i, uint8_t *bytes, size_t room, uint64_t *ends, size_t count,
                          HgCall *call) {
    const HurrayStatus status =
        hurray_file_reader_kv_packed((const HurrayFileReader *)reader, i, bytes, &room, ends, &count);
    call->number[0] = room;
    call->number[1] = count;
    return hg_done(status, call);
}

void hg_file_destroy(uintptr_t reader) {
    HurrayFileReader *handle = (HurrayFileReader *)reader;
    hurray_file_reader_destroy(&handle);
}
