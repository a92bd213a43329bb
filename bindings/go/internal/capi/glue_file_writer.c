#include "_cgo_export.h"
#include "glue.h"

static int32_t write_bytes(void *context, const uint8_t *bytes, uint64_t length) {
    return hurrayGoWrite((uintptr_t)context, (uintptr_t)bytes, length);
}

static void release_context(void *context) { hurrayGoRelease((uintptr_t)context); }

static int32_t started(HurrayStatus status, HurrayFileWriter *writer, HurrayOptions *options, HgCall *call) {
    call->handle = (uintptr_t)writer;
    const int32_t done = hg_done(status, call);
    hg_options_end(options, call);
    return done;
}

int32_t hg_writer_create(const char *path, size_t length, const HgOption *options, size_t count, HgCall *call) {
    HurrayFileWriter *writer = NULL;
    HurrayOptions *made = NULL;
    HurrayStatus status = hg_options(options, count, call, &made);
    if (status == HURRAY_OK) status = hurray_file_writer_create(path, length, made, &writer);
    return started(status, writer, made, call);
}

// `context` is released when the writer ends; on failure it stays the caller's.
int32_t hg_writer_to_callback(uintptr_t context, const HgOption *options, size_t count, HgCall *call) {
    HurrayFileWriter *writer = NULL;
    HurrayOptions *made = NULL;
    HurrayStatus status = hg_options(options, count, call, &made);
    if (status == HURRAY_OK) {
        status = hurray_file_writer_to_callback(write_bytes, (void *)context, release_context, made, &writer);
    }
    return started(status, writer, made, call);
}

int32_t hg_writer_put(uintptr_t writer, const char *name, size_t length, uintptr_t item, HgCall *call) {
    return hg_done(hurray_file_writer_put((HurrayFileWriter *)writer, name, length, (const HurrayItem *)item), call);
}

int32_t hg_writer_put_tensor(uintptr_t writer, const char *name, size_t length, uintptr_t tensor, HgCall *call) {
    HurrayItem *item = NULL;
    HurrayStatus status = hurray_item_from_tensor((const HurrayTensor *)tensor, &item);
    if (status == HURRAY_OK) status = hurray_file_writer_put((HurrayFileWriter *)writer, name, length, item);
    const int32_t done = hg_done(status, call);
    hurray_item_destroy(&item);
    return done;
}

int32_t hg_writer_kv_u64(uintptr_t writer, const char *key, size_t length, uint8_t type, uint8_t is_array,
                         const uint64_t *values, size_t count, HgCall *call) {
    return hg_done(
        hurray_file_writer_kv_set_u64((HurrayFileWriter *)writer, key, length, type, is_array, values, count), call);
}

int32_t hg_writer_kv_i64(uintptr_t writer, const char *key, size_t length, uint8_t type, uint8_t is_array,
                         const int64_t *values, size_t count, HgCall *call) {
    return hg_done(
        hurray_file_writer_kv_set_i64((HurrayFileWriter *)writer, key, length, type, is_array, values, count), call);
}

int32_t hg_writer_kv_f64(uintptr_t writer, const char *key, size_t length, uint8_t type, uint8_t is_array,
                         const double *values, size_t count, HgCall *call) {
    return hg_done(
        hurray_file_writer_kv_set_f64((HurrayFileWriter *)writer, key, length, type, is_array, values, count), call);
}

int32_t hg_writer_kv_packed(uintptr_t writer, const char *key, size_t length, uint8_t type, uint8_t is_array,
                            const uint8_t *bytes, size_t bytes_length, const uint64_t *ends, size_t count,
                            HgCall *call) {
    return hg_done(hurray_file_writer_kv_set_packed((HurrayFileWriter *)writer, key, length, type, is_array, bytes,
                                                    bytes_length, ends, count),
                   call);
}

int32_t hg_writer_finish(uintptr_t writer, HgCall *call) {
    return hg_done(hurray_file_writer_finish((HurrayFileWriter *)writer), call);
}

void hg_writer_destroy(uintptr_t writer) {
    HurrayFileWriter *handle = (HurrayFileWriter *)writer;
    hurray_file_writer_destroy(&handle);
}
