#include "_cgo_export.h"
#include "glue.h"

static void release_memory(void *data, void *context) {
    (void)data;
    hurrayGoRelease((uintptr_t)context);
}

// `owner` is released with the last share, 0: none. On failure it stays the caller's; HURRAY_BUFFER_READ_ONLY, the one
// flag that is passed, cannot fail on a new buffer.
int32_t hg_buffer_from_memory(uintptr_t data, uint64_t byte_size, uint32_t alignment, uint32_t flags, uintptr_t owner,
                              HgCall *call) {
    HurrayBuffer *buffer = NULL;
    HurrayStatus status =
        hurray_buffer_from_ptr((void *)data, byte_size, alignment, HURRAY_DEVICE_CPU, HURRAY_SYNC_PRODUCER_SYNCED,
                               HURRAY_MEMORY_STANDARD, owner != 0 ? release_memory : NULL, (void *)owner, &buffer);
    if (status == HURRAY_OK && flags != 0) status = hurray_buffer_set_flags(buffer, flags);
    call->handle = (uintptr_t)buffer;
    return hg_done(status, call);
}

int32_t hg_buffer_alloc(uint64_t byte_size, uint32_t alignment, HgCall *call) {
    HurrayBuffer *buffer = NULL;
    const HurrayStatus status = hurray_buffer_alloc(byte_size, alignment, &buffer);
    call->handle = (uintptr_t)buffer;
    return hg_done(status, call);
}

int32_t hg_buffer_share(uintptr_t buffer, HgCall *call) {
    HurrayBuffer *share = NULL;
    const HurrayStatus status = hurray_buffer_share((const HurrayBuffer *)buffer, &share);
    call->handle = (uintptr_t)share;
    return hg_done(status, call);
}

int32_t hg_buffer_info(uintptr_t handle, HgBuffer *out, HgCall *call) {
    const HurrayBuffer *buffer = (const HurrayBuffer *)handle;
    void *data = NULL;
    HurrayStatus status = hurray_buffer_data_ptr(buffer, &data);
    if (status == HURRAY_OK) status = hurray_buffer_byte_size(buffer, &out->byte_size);
    if (status == HURRAY_OK) status = hurray_buffer_alignment(buffer, &out->alignment);
    if (status == HURRAY_OK) status = hurray_buffer_flags(buffer, &out->flags);
    if (status == HURRAY_OK) status = hurray_buffer_lead(buffer, &out->lead);
    if (status == HURRAY_OK) status = hurray_buffer_device_id(buffer, &out->device_id);
    if (status == HURRAY_OK) status = hurray_buffer_device_tag(buffer, &out->device);
    if (status == HURRAY_OK) status = hurray_buffer_sync_mode(buffer, &out->sync_mode);
    if (status == HURRAY_OK) status = hurray_buffer_memory_class(buffer, &out->memory_class);
    out->data = (uintptr_t)data;
    void *host = NULL;
    out->is_host = status == HURRAY_OK && hurray_buffer_host_ptr(buffer, &host) == HURRAY_OK;
    return hg_done(status, call);
}

void hg_buffer_destroy(uintptr_t buffer) {
    HurrayBuffer *handle = (HurrayBuffer *)buffer;
    hurray_buffer_destroy(&handle);
}
