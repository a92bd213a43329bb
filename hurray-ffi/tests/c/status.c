/* Every status: a call that gives it, or why none of these sections can. */
#include "samples.h"

static HurrayStatus damaged(size_t at, uint8_t value) {
    uint8_t bytes[sizeof DENSE];
    HurrayDescriptor *descriptor = NULL;
    memcpy(bytes, DENSE, sizeof DENSE);
    bytes[at] = value;
    HurrayStatus status = hurray_descriptor_decode(bytes, sizeof bytes, &descriptor);
    OK(hurray_descriptor_destroy(&descriptor));
    return status;
}

static HurrayStatus ok(void) { return damaged(0, 'H'); }
static HurrayStatus invalid_magic(void) { return damaged(0, 'h'); }
static HurrayStatus version_mismatch(void) { return damaged(4, 2); }
static HurrayStatus invalid_layout(void) { return damaged(15, 0); }
static HurrayStatus invalid_type(void) { return damaged(14, 0); }
static HurrayStatus invalid_sync_mode(void) { return damaged(58, 3); }
static HurrayStatus invalid_descriptor(void) { return damaged(60, 1); }
static HurrayStatus limit_exceeded(void) { return damaged(16, 65); }
static HurrayStatus overflow(void) { return damaged(35, 0x80); }
static HurrayStatus buffer_mismatch(void) { return damaged(45, 23); }

static HurrayStatus truncated(void) {
    HurrayDescriptor *descriptor = NULL;
    return hurray_descriptor_decode(DENSE, 60, &descriptor);
}

static HurrayStatus unsupported(void) {
    uint8_t bytes[sizeof CHANNELS];
    HurrayDescriptor *descriptor = NULL;
    memcpy(bytes, CHANNELS, sizeof CHANNELS);
    bytes[0x61] = 0xF0; /* a private scheme */
    return hurray_descriptor_decode(bytes, sizeof bytes, &descriptor);
}

static HurrayStatus field_u64(const uint8_t *bytes, size_t len, HurrayDescriptorField field, uint32_t level) {
    uint64_t value = 0;
    HurrayDescriptor *descriptor = decoded(bytes, len);
    HurrayStatus status = hurray_descriptor_field_u64(descriptor, field, level, &value);
    OK(hurray_descriptor_destroy(&descriptor));
    return status;
}

static HurrayStatus index_out_of_bounds(void) {
    return field_u64(DENSE, sizeof DENSE, HURRAY_BUFFER_FIELD_ALIGNMENT, 1);
}
static HurrayStatus field_not_present(void) { return field_u64(DENSE, sizeof DENSE, HURRAY_QUANT_FIELD_SCHEME, 0); }
static HurrayStatus field_not_applicable(void) { return field_u64(CSR, sizeof CSR, HURRAY_LAYOUT_FIELD_COO_NNZ, 0); }
static HurrayStatus invalid_argument(void) { return field_u64(DENSE, sizeof DENSE, 0, 0); }

static HurrayStatus buffer_too_small(void) {
    size_t len = 1;
    uint64_t dims[1];
    HurrayDescriptor *descriptor = decoded(DENSE, sizeof DENSE);
    HurrayStatus status = hurray_descriptor_shape(descriptor, dims, &len);
    OK(hurray_descriptor_destroy(&descriptor));
    return status;
}

static HurrayStatus null_pointer(void) { return hurray_live_handles(NULL); }

static HurrayStatus sync_mode_mismatch(void) {
    HurrayBuffer *buffer = cpu_buffer(8, NULL);
    HurrayStatus status = hurray_buffer_handoff_consumer_stream(buffer, buffer, 0);
    OK(hurray_buffer_destroy(&buffer));
    return status;
}

static HurrayStatus not_found(void) {
    const char *name = NULL;
    return hurray_tag_name(HURRAY_SPACE_DEVICE, 9, &name);
}

/* Fits an address space, but no machine. */
static HurrayStatus out_of_memory(void) {
    HurrayBuffer *buffer = NULL;
    return hurray_buffer_alloc(1ULL << 62, 64, &buffer);
}

static HurrayStatus invalid_handle(void) {
    HurrayBuffer *buffer = cpu_buffer(8, NULL);
    HurrayTensor *wrong = (HurrayTensor *)(void *)buffer;
    HurrayStatus status = hurray_tensor_destroy(&wrong);
    OK(hurray_buffer_destroy(&buffer));
    return status;
}

static HurrayStatus copied(uint64_t choice, int cancel) {
    const uint64_t shape[1] = {2};
    const int64_t odd[1] = {5};
    HurrayTensor *tensor = NULL;
    HurrayOptions *options = NULL;
    OK(hurray_options_new(&options));
    OK(hurray_options_set_u64(options, HURRAY_OPTION_COPY, choice));
    if (cancel) OK(hurray_options_cancel(options));
    HurrayStatus status = hurray_tensor_from_array(HURRAY_TYPE_FLOAT32, shape, 1, odd, sample_memory, 0, 0, 0, 0,
                                                   options, NULL, NULL, &tensor);
    OK(hurray_options_destroy(&options));
    return status;
}

static HurrayStatus cancelled(void) { return copied(0, 1); }
static HurrayStatus copy_required(void) { return copied(1, 0); }

static const struct {
    HurrayStatus status;
    const char *name;
    HurrayStatus (*call)(void);
    const char *unreachable;
} statuses[] = {
    {0, "HURRAY_OK", ok, NULL},
    {1, "HURRAY_NEED_MORE", NULL, "progress of a stream reader"},
    {2, "HURRAY_END", NULL, "progress of a stream reader"},
    {-1, "HURRAY_ERR_INVALID_MAGIC", invalid_magic, NULL},
    {-2, "HURRAY_ERR_VERSION_MISMATCH", version_mismatch, NULL},
    {-3, "HURRAY_ERR_INVALID_LAYOUT", invalid_layout, NULL},
    {-4, "HURRAY_ERR_INVALID_TYPE", invalid_type, NULL},
    {-5, "HURRAY_ERR_BUFFER_TOO_SMALL", buffer_too_small, NULL},
    {-6, "HURRAY_ERR_NULL_POINTER", null_pointer, NULL},
    {-7, "HURRAY_ERR_INTERNAL_PANIC", NULL, "a bug; provoked in tests/copies by a build that has a probe"},
    {-8, "HURRAY_ERR_INVALID_SYNC_MODE", invalid_sync_mode, NULL},
    {-9, "HURRAY_ERR_SYNC_MODE_MISMATCH", sync_mode_mismatch, NULL},
    {-10, "HURRAY_ERR_INTERNAL", NULL, "a state that the code rules out"},
    {-11, "HURRAY_ERR_INDEX_OUT_OF_BOUNDS", index_out_of_bounds, NULL},
    {-12, "HURRAY_ERR_FIELD_NOT_PRESENT", field_not_present, NULL},
    {-13, "HURRAY_ERR_FIELD_NOT_APPLICABLE", field_not_applicable, NULL},
    {-14, "HURRAY_ERR_INVALID_DESCRIPTOR", invalid_descriptor, NULL},
    {-15, "HURRAY_ERR_TRUNCATED", truncated, NULL},
    {-16, "HURRAY_ERR_OVERFLOW", overflow, NULL},
    {-17, "HURRAY_ERR_BUFFER_MISMATCH", buffer_mismatch, NULL},
    {-18, "HURRAY_ERR_IO", NULL, "files and streams"},
    {-19, "HURRAY_ERR_NOT_FOUND", not_found, NULL},
    {-20, "HURRAY_ERR_UNSUPPORTED", unsupported, NULL},
    {-21, "HURRAY_ERR_INVALID_ARGUMENT", invalid_argument, NULL},
    {-22, "HURRAY_ERR_LIMIT_EXCEEDED", limit_exceeded, NULL},
    {-23, "HURRAY_ERR_CORRUPT", NULL, "structure of files and of stream messages"},
    {-24, "HURRAY_ERR_TORN", NULL, "a composite cut between members: files and streams"},
    {-25, "HURRAY_ERR_OUT_OF_MEMORY", out_of_memory, NULL},
    {-26, "HURRAY_ERR_INVALID_HANDLE", invalid_handle, NULL},
    {-27, "HURRAY_ERR_DUPLICATE", NULL, "names and keys of a file"},
    {-28, "HURRAY_ERR_CANCELLED", cancelled, NULL},
    {-29, "HURRAY_ERR_COPY_REQUIRED", copy_required, NULL},
};

static void reached(void) {
    const int count = (int)(sizeof statuses / sizeof statuses[0]);
    EQUAL(2 + 1 + 29, count);
    for (int k = 0; k < count; k++) {
        EQUAL(k < 3 ? k : 2 - k, statuses[k].status);
        CHECK(strcmp(hurray_status_name(statuses[k].status), statuses[k].name) == 0);
        if (statuses[k].call) {
            STATUS(statuses[k].status, statuses[k].call());
        } else {
            printf("  %s: %s\n", statuses[k].name, statuses[k].unreachable);
        }
    }
}

int main(void) {
    RUN(reached);
    return FINISH();
}
