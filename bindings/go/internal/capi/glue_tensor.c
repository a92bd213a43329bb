#include "_cgo_export.h"
#include "glue.h"

static void release_owner(void *owner) { hurrayGoRelease((uintptr_t)owner); }

// `owner` is released with the last share, 0: none. On failure it stays the caller's.
int32_t hg_tensor_from_array(uint8_t type, const uint64_t *shape, size_t rank, const int64_t *byte_strides,
                             uintptr_t data, uint32_t flags, const HgOption *options, size_t count, uintptr_t owner,
                             HgCall *call) {
    HurrayTensor *tensor = NULL;
    HurrayOptions *made = NULL;
    HurrayStatus status = hg_options(options, count, call, &made);
    if (status == HURRAY_OK) {
        status = hurray_tensor_from_array(type, shape, rank, byte_strides, (void *)data, HURRAY_DEVICE_CPU,
                                          HURRAY_MEMORY_STANDARD, 0, flags, made, (void *)owner,
                                          owner != 0 ? release_owner : NULL, &tensor);
    }
    call->handle = (uintptr_t)tensor;
    const int32_t done = hg_done(status, call);
    hg_options_end(made, call);
    return done;
}

// A list of shares; the buffers stay the caller's. On failure there is none.
int32_t hg_list(const uintptr_t *buffers, size_t count, HurrayBufferList **out) {
    HurrayStatus status = hurray_buffer_list_new(count, out);
    for (size_t k = 0; k < count && status == HURRAY_OK; k++) {
        HurrayBuffer *share = NULL;
        status = hurray_buffer_share((const HurrayBuffer *)buffers[k], &share);
        if (status == HURRAY_OK) {
            status = hurray_buffer_list_push(*out, share);
            if (status != HURRAY_OK) hurray_buffer_destroy(&share);
        }
    }
    if (status != HURRAY_OK) hurray_buffer_list_destroy(out);
    return status;
}

// The buffers stay the caller's; the tensor keeps shares.
int32_t hg_tensor_from_buffers(uintptr_t descriptor, const uintptr_t *buffers, size_t count, HgCall *call) {
    HurrayTensor *tensor = NULL;
    HurrayBufferList *list = NULL;
    HurrayStatus status = hg_list(buffers, count, &list);
    if (status == HURRAY_OK) {
        status = hurray_tensor_from_descriptor((const HurrayDescriptor *)descriptor, list, NULL, NULL, &tensor);
    }
    call->handle = (uintptr_t)tensor;
    const int32_t done = hg_done(status, call);
    if (done < 0) hurray_buffer_list_destroy(&list);
    return done;
}

int32_t hg_tensor_share(uintptr_t tensor, HgCall *call) {
    HurrayTensor *share = NULL;
    const HurrayStatus status = hurray_tensor_share((const HurrayTensor *)tensor, &share);
    call->handle = (uintptr_t)share;
    return hg_done(status, call);
}

int32_t hg_tensor_abi_version(uintptr_t tensor, HgCall *call) {
    uint32_t version = 0;
    const HurrayStatus status = hurray_tensor_abi_version((const HurrayTensor *)tensor, &version);
    call->number[0] = version;
    return hg_done(status, call);
}

// Borrowed from the tensor.
int32_t hg_tensor_descriptor(uintptr_t tensor, HgCall *call) {
    HurrayDescriptor *descriptor = NULL;
    const HurrayStatus status = hurray_tensor_descriptor((const HurrayTensor *)tensor, &descriptor);
    call->handle = (uintptr_t)descriptor;
    return hg_done(status, call);
}

int32_t hg_tensor_buffer_count(uintptr_t tensor, HgCall *call) {
    HurrayBufferList *list = NULL;
    HurrayStatus status = hurray_tensor_buffers((const HurrayTensor *)tensor, &list);
    if (status == HURRAY_OK) status = hurray_buffer_list_len(list, &call->number[0]);
    return hg_done(status, call);
}

// A share of one buffer.
int32_t hg_tensor_buffer(uintptr_t tensor, uint64_t index, HgCall *call) {
    HurrayBufferList *list = NULL;
    HurrayBuffer *borrowed = NULL;
    HurrayBuffer *share = NULL;
    HurrayStatus status = hurray_tensor_buffers((const HurrayTensor *)tensor, &list);
    if (status == HURRAY_OK) status = hurray_buffer_list_get(list, index, &borrowed);
    if (status == HURRAY_OK) status = hurray_buffer_share(borrowed, &share);
    call->handle = (uintptr_t)share;
    return hg_done(status, call);
}

int32_t hg_tensor_describe(uintptr_t tensor, char *out, size_t room, HgCall *call) {
    const HurrayStatus status = hurray_tensor_describe((const HurrayTensor *)tensor, out, &room);
    call->number[0] = room;
    return hg_done(status, call);
}

int32_t hg_tensor_view(uintptr_t handle, HgView *out, HgCall *call) {
    const HurrayTensor *tensor = (const HurrayTensor *)handle;
    HurrayDescriptor *descriptor = NULL;
    void *data = NULL;
    size_t rank = sizeof out->shape / sizeof out->shape[0];
    HurrayStatus status = hurray_tensor_array_view(tensor, &data, out->shape, out->byte_strides, &rank, &out->flags);
    if (status == HURRAY_OK) status = hurray_tensor_descriptor(tensor, &descriptor);
    if (status == HURRAY_OK) status = hurray_descriptor_element_type_tag(descriptor, &out->element_type);
    out->data = (uintptr_t)data;
    out->rank = (uint32_t)rank;
    return hg_done(status, call);
}

int32_t hg_tensor_part(uintptr_t tensor, uint32_t role, uint32_t level, HgCall *call) {
    HurrayTensor *part = NULL;
    const HurrayStatus status = hurray_tensor_part((const HurrayTensor *)tensor, role, level, &part);
    call->handle = (uintptr_t)part;
    return hg_done(status, call);
}

void hg_tensor_destroy(uintptr_t tensor) {
    HurrayTensor *handle = (HurrayTensor *)tensor;
    hurray_tensor_destroy(&handle);
}
