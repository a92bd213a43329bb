/* Buffers: wrapping, allocating, sharing, attributes, hand-off checks. */
#include "samples.h"

static HurrayStatus wrap(void *data, uint64_t size, uint32_t alignment, uint8_t device, uint8_t sync,
                         uint8_t memory_class, HurrayBuffer **out) {
    return hurray_buffer_from_ptr(data, size, alignment, device, sync, memory_class, NULL, NULL, out);
}

static void attributes(void) {
    HurrayBuffer *buffer = NULL;
    OK(wrap(sample_memory, 100, 128, HURRAY_DEVICE_CUDA, HURRAY_SYNC_EVENT, HURRAY_MEMORY_UNIFIED, &buffer));
    void *data = NULL;
    uint64_t size = 0;
    uint32_t alignment = 0, flags = 9, lead = 9;
    int32_t device_id = 9;
    uint8_t device = 9, sync = 9, memory_class = 9;
    OK(hurray_buffer_data_ptr(buffer, &data));
    CHECK(data == sample_memory);
    OK(hurray_buffer_byte_size(buffer, &size));
    EQUAL(100, size);
    OK(hurray_buffer_alignment(buffer, &alignment));
    EQUAL(128, alignment);
    OK(hurray_buffer_device_tag(buffer, &device));
    EQUAL(HURRAY_DEVICE_CUDA, device);
    OK(hurray_buffer_sync_mode(buffer, &sync));
    EQUAL(HURRAY_SYNC_EVENT, sync);
    OK(hurray_buffer_memory_class(buffer, &memory_class));
    EQUAL(HURRAY_MEMORY_UNIFIED, memory_class);
    OK(hurray_buffer_flags(buffer, &flags));
    EQUAL(0, flags);
    OK(hurray_buffer_device_id(buffer, &device_id));
    EQUAL(0, device_id);
    OK(hurray_buffer_lead(buffer, &lead));
    EQUAL(0, lead);
    OK(hurray_buffer_destroy(&buffer));
}

static void refused(void) {
    static const struct {
        size_t shift;
        uint64_t size;
        uint32_t alignment;
        uint8_t device, sync, memory_class;
        HurrayStatus status;
    } cases[] = {
        {0, 64, 0, 0, 0, 0, HURRAY_ERR_INVALID_ARGUMENT},       {0, 64, 96, 0, 0, 0, HURRAY_ERR_INVALID_ARGUMENT},
        {0, 64, 32, 0, 0, 0, HURRAY_ERR_INVALID_ARGUMENT},      {0, 0, 0, 0, 0, 0, HURRAY_ERR_INVALID_ARGUMENT},
        {1, 64, 64, 0, 0, 0, HURRAY_ERR_BUFFER_MISMATCH},       {64, 64, 128, 0, 0, 0, HURRAY_ERR_BUFFER_MISMATCH},
        {0, 64, 64, 9, 0, 0, HURRAY_ERR_INVALID_TYPE},          {0, 64, 64, 0xFF, 0, 0, HURRAY_ERR_INVALID_TYPE},
        {0, 64, 64, 1, 0, 4, HURRAY_ERR_INVALID_TYPE},          {0, 64, 64, 1, 0, 0xFF, HURRAY_ERR_INVALID_TYPE},
        {0, 64, 64, 0, 0, 3, HURRAY_ERR_INVALID_DESCRIPTOR},    {0, 64, 64, 5, 0, 1, HURRAY_ERR_INVALID_DESCRIPTOR},
        {0, 64, 64, 0, 0, 0xF0, HURRAY_ERR_INVALID_DESCRIPTOR}, {0, 64, 64, 1, 3, 0, HURRAY_ERR_INVALID_SYNC_MODE},
        {0, 64, 64, 0, 1, 0, HURRAY_ERR_INVALID_SYNC_MODE},     {0, UINT64_MAX, 64, 0, 0, 0, HURRAY_ERR_OVERFLOW},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        int released = 0;
        HurrayBuffer *buffer = (HurrayBuffer *)(void *)sample_memory;
        STATUS(cases[k].status, hurray_buffer_from_ptr(sample_memory + cases[k].shift, cases[k].size,
                                                       cases[k].alignment, cases[k].device, cases[k].sync,
                                                       cases[k].memory_class, count_release, &released, &buffer));
        CHECK(buffer == NULL);
        EQUAL(0, released);
    }
}

/* With no bytes the pointer is never looked at: NULL, misaligned or wild. */
static void empty(void) {
    void *const pointers[] = {NULL, (void *)1, sample_memory};
    for (size_t k = 0; k < 3; k++) {
        HurrayBuffer *buffer = NULL;
        void *data = sample_memory + 1;
        OK(wrap(pointers[k], 0, 1, 0, 0, 0, &buffer));
        OK(hurray_buffer_data_ptr(buffer, &data));
        CHECK(data == pointers[k]);
        OK(hurray_buffer_destroy(&buffer));
    }
}

static void released_once_by_the_last_share(void) {
    int released = 0;
    HurrayBuffer *buffer = cpu_buffer(64, &released), *first = NULL, *second = NULL;
    OK(hurray_buffer_set_flags(buffer, HURRAY_BUFFER_READ_ONLY));
    OK(hurray_buffer_set_lead(buffer, 5));
    OK(hurray_buffer_set_device_id(buffer, 3));
    OK(hurray_buffer_share(buffer, &first));
    OK(hurray_buffer_share(first, &second));
    OK(hurray_buffer_destroy(&buffer));
    OK(hurray_buffer_destroy(&first));
    CHECK(buffer == NULL && first == NULL);
    EQUAL(0, released);
    void *data = NULL;
    uint32_t flags = 0, lead = 0;
    int32_t device_id = 0;
    OK(hurray_buffer_data_ptr(second, &data));
    CHECK(data == sample_memory);
    OK(hurray_buffer_flags(second, &flags));
    EQUAL(HURRAY_BUFFER_READ_ONLY, flags);
    OK(hurray_buffer_lead(second, &lead));
    EQUAL(5, lead);
    OK(hurray_buffer_device_id(second, &device_id));
    EQUAL(3, device_id);
    OK(hurray_buffer_destroy(&second));
    EQUAL(1, released);
    OK(hurray_buffer_destroy(&second));
    EQUAL(1, released);
}

static void read_only_stays(void) {
    HurrayBuffer *buffer = cpu_buffer(64, NULL), *share = NULL;
    uint32_t flags = 0;
    OK(hurray_buffer_set_flags(buffer, HURRAY_BUFFER_READ_ONLY | HURRAY_BUFFER_COPIED_WIDTH));
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_buffer_set_flags(buffer, 0));
    OK(hurray_buffer_set_flags(buffer, HURRAY_BUFFER_READ_ONLY));
    OK(hurray_buffer_share(buffer, &share));
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_buffer_set_flags(share, HURRAY_BUFFER_HOST_POINTER));
    OK(hurray_buffer_flags(share, &flags));
    EQUAL(HURRAY_BUFFER_READ_ONLY, flags);
    OK(hurray_buffer_destroy(&share));
    OK(hurray_buffer_destroy(&buffer));
}

static void values_that_cannot_be_set(void) {
    HurrayBuffer *buffer = cpu_buffer(10, NULL);
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_buffer_set_flags(buffer, 64));
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_buffer_set_device_id(buffer, -1));
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_buffer_set_lead(buffer, 11));
    OK(hurray_buffer_set_lead(buffer, 10));
    OK(hurray_buffer_destroy(&buffer));
    buffer = cpu_buffer(100, NULL);
    OK(hurray_buffer_set_lead(buffer, 63));
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_buffer_set_lead(buffer, 64));
    OK(hurray_buffer_destroy(&buffer));
}

static void allocated(void) {
    HurrayBuffer *buffer = NULL;
    void *data = NULL;
    uint32_t alignment = 0;
    OK(hurray_buffer_alloc(1000, 1, &buffer));
    OK(hurray_buffer_host_ptr(buffer, &data));
    OK(hurray_buffer_alignment(buffer, &alignment));
    EQUAL(64, alignment);
    EQUAL(0, (uintptr_t)data % 64);
    int sum = 0;
    for (int k = 0; k < 1000; k++) sum += ((unsigned char *)data)[k];
    EQUAL(0, sum);
    memset(data, 1, 1000);
    OK(hurray_buffer_destroy(&buffer));
    OK(hurray_buffer_alloc(10, 4096, &buffer));
    OK(hurray_buffer_data_ptr(buffer, &data));
    EQUAL(0, (uintptr_t)data % 4096);
    OK(hurray_buffer_destroy(&buffer));
    OK(hurray_buffer_alloc(0, 64, &buffer));
    OK(hurray_buffer_data_ptr(buffer, &data));
    CHECK(data == NULL);
    OK(hurray_buffer_destroy(&buffer));
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_buffer_alloc(10, 3, &buffer));
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_buffer_alloc(10, 0, &buffer));
    STATUS(HURRAY_ERR_LIMIT_EXCEEDED, hurray_buffer_alloc(10, 4 << 20, &buffer));
    STATUS(HURRAY_ERR_LIMIT_EXCEEDED, hurray_buffer_alloc(UINT64_MAX, 64, &buffer));
    CHECK(buffer == NULL);
}

/* The host reads CPU memory, and other memory only where its producer says so. */
static void host_pointer(void) {
    void *data = NULL;
    HurrayBuffer *buffer = NULL;
    OK(wrap(sample_memory, 64, 64, HURRAY_DEVICE_CUDA, 0, HURRAY_MEMORY_HOST_PINNED, &buffer));
    STATUS(HURRAY_ERR_UNSUPPORTED, hurray_buffer_host_ptr(buffer, &data));
    CHECK(data == NULL);
    OK(hurray_buffer_set_flags(buffer, HURRAY_BUFFER_HOST_POINTER));
    OK(hurray_buffer_host_ptr(buffer, &data));
    CHECK(data == sample_memory);
    OK(hurray_buffer_destroy(&buffer));
}

static void release_event(void *event, void *context) {
    (void)event;
    ++*(int *)context;
}

/* Each call checks one mode and its payload (buffers 4); nothing is stored or released. */
static void hand_off(void) {
    HurrayBuffer *buffer = NULL;
    char event, stream;
    OK(wrap(sample_memory, 64, 64, HURRAY_DEVICE_CUDA, HURRAY_SYNC_PRODUCER_SYNCED, 0, &buffer));
    OK(hurray_buffer_handoff_producer_synced(buffer, NULL, NULL));
    STATUS(HURRAY_ERR_SYNC_MODE_MISMATCH, hurray_buffer_handoff_producer_synced(buffer, &event, NULL));
    STATUS(HURRAY_ERR_SYNC_MODE_MISMATCH, hurray_buffer_handoff_producer_synced(buffer, NULL, &stream));
    STATUS(HURRAY_ERR_SYNC_MODE_MISMATCH,
           hurray_buffer_handoff_event(buffer, &event, HURRAY_DEVICE_CUDA, release_event));
    STATUS(HURRAY_ERR_SYNC_MODE_MISMATCH, hurray_buffer_handoff_consumer_stream(buffer, &stream, HURRAY_DEVICE_CUDA));
    OK(hurray_buffer_destroy(&buffer));
    OK(wrap(sample_memory, 64, 64, HURRAY_DEVICE_CUDA, HURRAY_SYNC_EVENT, 0, &buffer));
    OK(hurray_buffer_handoff_event(buffer, &event, HURRAY_DEVICE_CUDA, release_event));
    STATUS(HURRAY_ERR_SYNC_MODE_MISMATCH, hurray_buffer_handoff_event(buffer, NULL, HURRAY_DEVICE_CUDA, release_event));
    STATUS(HURRAY_ERR_SYNC_MODE_MISMATCH, hurray_buffer_handoff_event(buffer, &event, HURRAY_DEVICE_CUDA, NULL));
    STATUS(HURRAY_ERR_SYNC_MODE_MISMATCH,
           hurray_buffer_handoff_event(buffer, &event, HURRAY_DEVICE_ROCM, release_event));
    STATUS(HURRAY_ERR_SYNC_MODE_MISMATCH, hurray_buffer_handoff_producer_synced(buffer, NULL, NULL));
    OK(hurray_buffer_destroy(&buffer));
    OK(wrap(sample_memory, 64, 64, HURRAY_DEVICE_CUDA, HURRAY_SYNC_CONSUMER_STREAM, 0, &buffer));
    OK(hurray_buffer_handoff_consumer_stream(buffer, &stream, HURRAY_DEVICE_CUDA));
    STATUS(HURRAY_ERR_SYNC_MODE_MISMATCH, hurray_buffer_handoff_consumer_stream(buffer, NULL, HURRAY_DEVICE_CUDA));
    STATUS(HURRAY_ERR_SYNC_MODE_MISMATCH, hurray_buffer_handoff_consumer_stream(buffer, &stream, HURRAY_DEVICE_CPU));
    CHECK(test_text_has("B-012"));
    OK(hurray_buffer_destroy(&buffer));
}

int main(void) {
    RUN(attributes);
    RUN(refused);
    RUN(empty);
    RUN(released_once_by_the_last_share);
    RUN(read_only_stays);
    RUN(values_that_cannot_be_set);
    RUN(allocated);
    RUN(host_pointer);
    RUN(hand_off);
    return FINISH();
}
