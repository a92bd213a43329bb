/* A language's own array in and out. All expected places are worked out by hand for memory at a multiple of 64. */
#include "samples.h"

/* An array as it comes in, and what the tensor then says. Strides are in bytes, `stride_out` what the view gives. */
typedef struct {
    const char *name;
    uint8_t type;
    size_t rank;
    uint64_t shape[5];
    int has_strides;
    int64_t strides[5];
    size_t at; /* of element zero, from the start of the memory */
    uint8_t layout;
    uint64_t base, size, offset; /* of the buffer, from the start of the memory; byte_offset */
    uint32_t lead, view;
    int64_t strides_out[5];
} Case;

enum {
    ROW = HURRAY_VIEW_ROW_MAJOR,
    COLUMN = HURRAY_VIEW_COLUMN_MAJOR,
    R = HURRAY_LAYOUT_ROW_MAJOR,
    C = HURRAY_LAYOUT_COLUMN_MAJOR,
    S = HURRAY_LAYOUT_STRIDED,
    F32 = HURRAY_TYPE_FLOAT32
};

/* clang-format off */
static const Case cases[] = {
    {"row-major", F32, 2, {2, 3}, 0, {0}, 0, R, 0, 24, 0, 0, ROW, {12, 4}},
    {"row-major, strides given", F32, 2, {2, 3}, 1, {12, 4}, 0, R, 0, 24, 0, 0, ROW, {12, 4}},
    {"off the grid", F32, 2, {2, 3}, 0, {0}, 4, R, 0, 28, 4, 4, ROW, {12, 4}},
    {"off the grid, farther", F32, 2, {2, 3}, 0, {0}, 132, R, 128, 28, 4, 4, ROW, {12, 4}},
    {"column-major", F32, 2, {2, 3}, 1, {4, 8}, 0, C, 0, 24, 0, 0, COLUMN, {4, 8}},
    {"reversed", F32, 1, {10}, 1, {-4}, 36, S, 0, 40, 36, 0, 0, {-4}},
    {"reversed, off the grid", F32, 1, {10}, 1, {-4}, 64 + 44, S, 64, 48, 44, 8, 0, {-4}},
    {"both reversed", F32, 2, {2, 3}, 1, {-12, -4}, 20, S, 0, 24, 20, 0, 0, {-12, -4}},
    {"some columns", F32, 2, {2, 2}, 1, {12, 4}, 0, S, 0, 20, 0, 0, 0, {12, 4}},
    {"every second", HURRAY_TYPE_INT16, 1, {5}, 1, {4}, 0, S, 0, 18, 0, 0, 0, {4}},
    {"broadcast", F32, 2, {3, 2}, 1, {0, 4}, 0, S, 0, 8, 0, 0, 0, {0, 4}},
    {"one element, any stride", F32, 1, {1}, 1, {-999}, 0, R, 0, 4, 0, 0, ROW | COLUMN, {4}},
    {"unit dimensions", F32, 5, {1, 3, 1, 4, 1}, 1, {0, 16, 0, 4, 0}, 0, R, 0, 48, 0, 0, ROW, {48, 16, 16, 4, 4}},
    {"a row, its strides kept", F32, 2, {1, 77}, 1, {308, 4}, 0, R, 0, 308, 0, 0, ROW | COLUMN, {308, 4}},
    {"a column, its strides kept", F32, 2, {1024, 1}, 1, {4, 4096}, 0, C, 0, 4096, 0, 0, ROW | COLUMN, {4, 4096}},
    {"rank 0", HURRAY_TYPE_FLOAT64, 0, {0}, 0, {0}, 8, R, 0, 16, 8, 8, ROW | COLUMN, {0}},
    {"misaligned", HURRAY_TYPE_FLOAT64, 1, {2}, 0, {0}, 1, R, 0, 17, 1, 1, ROW | COLUMN | HURRAY_VIEW_MISALIGNED, {8}},
    {"complex at 8 of 16", HURRAY_TYPE_COMPLEX128, 1, {2}, 0, {0}, 8, R, 0, 40, 8, 8, ROW | COLUMN, {16}},
    {"float128 at 8 of 16", HURRAY_TYPE_FLOAT128, 1, {1}, 0, {0}, 8, R, 0, 24, 8, 8, ROW | COLUMN | HURRAY_VIEW_MISALIGNED, {16}},
    {"packed", HURRAY_TYPE_INT4, 2, {3, 1}, 0, {0}, 1, R, 0, 3, 1, 1, ROW | COLUMN | HURRAY_VIEW_PACKED, {0}},
    {"packed in threes", HURRAY_TYPE_FLOAT6_E2M3, 1, {5}, 0, {0}, 0, R, 0, 6, 0, 0, ROW | COLUMN | HURRAY_VIEW_PACKED, {0}},
    {"empty", F32, 2, {0, 2048}, 0, {0}, 0, R, 0, 0, 0, 0, ROW | COLUMN, {8192, 4}},
    {"empty, odd strides", F32, 4, {1, 8, 0, 128}, 1, {3, -7, 1, 1}, 0, R, 0, 0, 0, 0, ROW | COLUMN, {4096, 512, 512, 4}},
    {"empty beside a huge one", F32, 3, {1ULL << 62, 2, 0}, 0, {0}, 0, R, 0, 0, 0, 0, ROW | COLUMN, {8, 4, 4}},
};
/* clang-format on */

static void check(const Case *at) {
    int owners = 0, faults = test_faults;
    unsigned char *data = sample_memory + at->at;
    HurrayTensor *tensor = NULL;
    HurrayDescriptor *descriptor = NULL;
    HurrayBufferList *list = NULL;
    HurrayBuffer *buffer = NULL;
    OK(hurray_tensor_from_array(at->type, at->shape, at->rank, at->has_strides ? at->strides : NULL, data, 0, 0, 0, 0,
                                NULL, &owners, count_owner, &tensor));
    if (!tensor) return;
    uint8_t layout = 0;
    uint64_t offset = 0, size = 0;
    uint32_t lead = 9, flags = 9;
    void *start = NULL;
    OK(hurray_tensor_descriptor(tensor, &descriptor));
    OK(hurray_descriptor_layout_tag(descriptor, &layout));
    EQUAL(at->layout, layout);
    OK(hurray_descriptor_byte_offset(descriptor, &offset));
    EQUAL(at->offset, offset);
    OK(hurray_tensor_buffers(tensor, &list));
    OK(hurray_buffer_list_get(list, 0, &buffer));
    OK(hurray_buffer_data_ptr(buffer, &start));
    EQUAL(at->base, (unsigned char *)start - sample_memory);
    OK(hurray_buffer_byte_size(buffer, &size));
    EQUAL(at->size, size);
    OK(hurray_buffer_lead(buffer, &lead));
    EQUAL(at->lead, lead);
    OK(hurray_buffer_flags(buffer, &flags));
    EQUAL(0, flags);
    void *out = NULL;
    uint64_t shape[5] = {9, 9, 9, 9, 9};
    int64_t strides[5] = {0, 0, 0, 0, 0};
    size_t rank = 5;
    OK(hurray_tensor_array_view(tensor, &out, shape, strides, &rank, &flags));
    CHECK(out == data);
    EQUAL(at->rank, rank);
    EQUAL(at->view, flags);
    for (size_t k = 0; k < at->rank; k++) {
        EQUAL(at->shape[k], shape[k]);
        EQUAL(at->strides_out[k], strides[k]);
    }
    EQUAL(0, owners);
    OK(hurray_tensor_destroy(&tensor));
    EQUAL(1, owners);
    if (test_faults != faults) printf("  in case \"%s\"\n", at->name);
}

static void b132_wrapped_in_place(void) {
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) check(&cases[k]);
}

/* Without elements the pointer is never looked at. */
static void b133_empty_at_any_address(void) {
    void *const pointers[] = {NULL, (void *)1, (void *)~(uintptr_t)0};
    const uint64_t shape[2] = {0, 4};
    for (size_t k = 0; k < 3; k++) {
        int owners = 0;
        void *out = sample_memory;
        uint64_t found[2];
        int64_t strides[2];
        size_t rank = 2;
        uint32_t flags = 0;
        HurrayTensor *tensor = NULL;
        OK(hurray_tensor_from_array(HURRAY_TYPE_FLOAT64, shape, 2, NULL, pointers[k], 0, 0, 0, 0, NULL, &owners,
                                    count_owner, &tensor));
        OK(hurray_tensor_array_view(tensor, &out, found, strides, &rank, &flags));
        CHECK(out == pointers[k]);
        EQUAL(HURRAY_VIEW_ROW_MAJOR | HURRAY_VIEW_COLUMN_MAJOR, flags);
        OK(hurray_tensor_destroy(&tensor));
        EQUAL(1, owners);
    }
}

static HurrayOptions *copying(uint64_t choice) {
    HurrayOptions *options = NULL;
    OK(hurray_options_new(&options));
    OK(hurray_options_set_u64(options, HURRAY_OPTION_COPY, choice));
    return options;
}

/* The flags of a tensor's only buffer, and its bytes. */
static uint32_t memory_of(const HurrayTensor *tensor, unsigned char **bytes) {
    HurrayBufferList *list = NULL;
    HurrayBuffer *buffer = NULL;
    uint32_t flags = 0;
    void *data = NULL;
    OK(hurray_tensor_buffers(tensor, &list));
    OK(hurray_buffer_list_get(list, 0, &buffer));
    OK(hurray_buffer_flags(buffer, &flags));
    OK(hurray_buffer_host_ptr(buffer, &data));
    *bytes = (unsigned char *)data;
    return flags;
}

/* int16 [2, 2] at strides 7 and 3: no whole elements. Values 0x0100, 0x0403, 0x0807, 0x0B0A from bytes 0, 1, 2, ... */
static void strides_that_are_not_whole_elements(void) {
    static unsigned char source[16];
    const uint64_t shape[2] = {2, 2};
    const int64_t strides[2] = {7, 3};
    const unsigned char expected[8] = {0, 1, 3, 4, 7, 8, 10, 11};
    int owners = 0;
    unsigned char *bytes = NULL;
    HurrayTensor *tensor = NULL;
    HurrayOptions *never = copying(1);
    for (int k = 0; k < 16; k++) source[k] = (unsigned char)k;
    STATUS(HURRAY_ERR_COPY_REQUIRED, hurray_tensor_from_array(HURRAY_TYPE_INT16, shape, 2, strides, source, 0, 0, 0, 0,
                                                              never, &owners, count_owner, &tensor));
    CHECK(tensor == NULL);
    EQUAL(0, owners);
    OK(hurray_tensor_from_array(HURRAY_TYPE_INT16, shape, 2, strides, source, 0, 0, 0, HURRAY_BUFFER_READ_ONLY, NULL,
                                &owners, count_owner, &tensor));
    EQUAL(1, owners); /* the source is not needed any more */
    EQUAL(HURRAY_BUFFER_COPIED_ALIGNMENT, memory_of(tensor, &bytes));
    CHECK(bytes != source);
    EQUAL(0, memcmp(bytes, expected, 8));
    OK(hurray_tensor_destroy(&tensor));
    EQUAL(1, owners);
    OK(hurray_options_destroy(&never));
}

/* uint8 [3, 2, 2], reversed and permuted: element [i, j, k] is the byte at 11 - 4 i + j - 2 k. */
static void a_copy_on_request(void) {
    static unsigned char source[16];
    const uint64_t shape[3] = {3, 2, 2};
    const int64_t strides[3] = {-4, 1, -2};
    const unsigned char expected[12] = {10, 8, 11, 9, 6, 4, 7, 5, 2, 0, 3, 1};
    int owners = 0;
    unsigned char *bytes = NULL;
    HurrayTensor *tensor = NULL;
    HurrayOptions *always = copying(2), *never = copying(1);
    for (int k = 0; k < 16; k++) source[k] = (unsigned char)k;
    OK(hurray_tensor_from_array(HURRAY_TYPE_UINT8, shape, 3, strides, source + 10, 0, 0, 0, HURRAY_BUFFER_READ_ONLY,
                                always, &owners, count_owner, &tensor));
    EQUAL(1, owners);
    EQUAL(HURRAY_BUFFER_COPIED_ON_REQUEST, memory_of(tensor, &bytes));
    EQUAL(0, memcmp(bytes, expected, 12));
    OK(hurray_tensor_destroy(&tensor));
    OK(hurray_tensor_from_array(HURRAY_TYPE_UINT8, shape, 3, strides, source + 10, 0, 0, 0, 0, never, &owners,
                                count_owner, &tensor));
    EQUAL(1, owners);
    OK(hurray_tensor_destroy(&tensor));
    EQUAL(2, owners);
    /* Nothing to copy, and packed elements. */
    const uint64_t none[2] = {0, 5}, nine[1] = {9};
    OK(hurray_tensor_from_array(HURRAY_TYPE_UINT8, none, 2, NULL, (void *)1, 0, 0, 0, 0, always, NULL, NULL, &tensor));
    OK(hurray_tensor_destroy(&tensor));
    OK(hurray_tensor_from_array(HURRAY_TYPE_INT4, nine, 1, NULL, source + 1, 0, 0, 0, 0, always, NULL, NULL, &tensor));
    memory_of(tensor, &bytes);
    EQUAL(0, memcmp(bytes, source + 1, 5));
    OK(hurray_tensor_destroy(&tensor));
    OK(hurray_options_destroy(&always));
    OK(hurray_options_destroy(&never));
}

static void read_only_stays_read_only(void) {
    const uint64_t shape[1] = {4};
    void *data = NULL;
    uint64_t found[1];
    int64_t strides[1];
    size_t rank = 1;
    uint32_t flags = 0;
    HurrayTensor *tensor = NULL, *share = NULL;
    OK(hurray_tensor_from_array(F32, shape, 1, NULL, sample_memory, 0, 0, 0, HURRAY_BUFFER_READ_ONLY, NULL, NULL, NULL,
                                &tensor));
    OK(hurray_tensor_share(tensor, &share));
    OK(hurray_tensor_destroy(&tensor));
    OK(hurray_tensor_array_view(share, &data, found, strides, &rank, &flags));
    EQUAL(HURRAY_VIEW_READ_ONLY | ROW | COLUMN, flags);
    OK(hurray_tensor_destroy(&share));
}

static void refused(void) {
    static const struct {
        uint8_t type;
        size_t rank;
        uint64_t shape[2];
        int64_t strides[2];
        uint8_t device, memory_class;
        int32_t id;
        uint32_t flags;
        HurrayStatus status;
    } rows[] = {
        {0, 1, {4}, {4}, 0, 0, 0, 0, HURRAY_ERR_INVALID_TYPE},
        {0xF0, 1, {4}, {4}, 0, 0, 0, 0, HURRAY_ERR_INVALID_TYPE},
        {F32, 1, {4}, {4}, 9, 0, 0, 0, HURRAY_ERR_INVALID_TYPE},
        {F32, 1, {4}, {4}, 0, 4, 0, 0, HURRAY_ERR_INVALID_TYPE},
        {F32, 1, {4}, {4}, 0, 3, 0, 0, HURRAY_ERR_INVALID_DESCRIPTOR},
        {F32, 1, {4}, {4}, 0, 0, -1, 0, HURRAY_ERR_INVALID_ARGUMENT},
        {F32, 1, {4}, {4}, 0, 0, 0, 64, HURRAY_ERR_INVALID_ARGUMENT},
        {F32, 1, {UINT64_MAX}, {4}, 0, 0, 0, 0, HURRAY_ERR_INVALID_ARGUMENT},
        {HURRAY_TYPE_INT4, 1, {4}, {1}, 0, 0, 0, 0, HURRAY_ERR_INVALID_ARGUMENT},
        {F32, 2, {1ULL << 63, 2}, {0, 0}, 0, 0, 0, 0, HURRAY_ERR_OVERFLOW},
        {F32, 2, {1ULL << 61, 2}, {8, 4}, 0, 0, 0, 0, HURRAY_ERR_OVERFLOW},
        {F32, 1, {2}, {INT64_MIN}, 0, 0, 0, 0, HURRAY_ERR_OVERFLOW},
        /* B60: a count whose signed product is negative. */
        {HURRAY_TYPE_UINT8, 2, {INT64_MAX, 2}, {2, 1}, 0, 0, 0, 0, HURRAY_ERR_OVERFLOW},
        {HURRAY_TYPE_UINT8, 1, {UINT64_MAX - 1}, {INT64_MAX}, 0, 0, 0, 0, HURRAY_ERR_OVERFLOW},
        {HURRAY_TYPE_UINT8, 1, {UINT64_MAX - 1}, {INT64_MIN}, 0, 0, 0, 0, HURRAY_ERR_OVERFLOW},
        {HURRAY_TYPE_UINT8, 2, {1ULL << 32, (1ULL << 32) - 1}, {INT64_MAX, INT64_MAX}, 0, 0, 0, 0, HURRAY_ERR_OVERFLOW},
    };
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        int owners = 0;
        HurrayTensor *tensor = (HurrayTensor *)(void *)sample_memory;
        STATUS(rows[k].status, hurray_tensor_from_array(rows[k].type, rows[k].shape, rows[k].rank, rows[k].strides,
                                                        sample_memory, rows[k].device, rows[k].memory_class, rows[k].id,
                                                        rows[k].flags, NULL, &owners, count_owner, &tensor));
        CHECK(tensor == NULL);
        EQUAL(0, owners);
    }
}

static void rank_64_at_most(void) {
    uint64_t shape[65];
    HurrayTensor *tensor = NULL;
    uint64_t found[64];
    int64_t strides[64];
    size_t rank = 64;
    uint32_t flags = 0;
    void *data = NULL;
    for (int k = 0; k < 65; k++) shape[k] = 1;
    STATUS(HURRAY_ERR_LIMIT_EXCEEDED,
           hurray_tensor_from_array(F32, shape, 65, NULL, sample_memory, 0, 0, 0, 0, NULL, NULL, NULL, &tensor));
    OK(hurray_tensor_from_array(F32, shape, 64, NULL, sample_memory, 0, 0, 0, 0, NULL, NULL, NULL, &tensor));
    OK(hurray_tensor_array_view(tensor, &data, found, strides, &rank, &flags));
    EQUAL(4, strides[63]);
    OK(hurray_tensor_destroy(&tensor));
}

/* Device memory is wrapped, and read by the host only where the producer says that it may. */
static void device_memory(void) {
    const uint64_t shape[1] = {4};
    const int64_t odd[1] = {5};
    HurrayTensor *tensor = NULL;
    HurrayBufferList *list = NULL;
    HurrayBuffer *buffer = NULL;
    int owners = 0;
    int32_t id = 0;
    void *data = NULL;
    uint64_t found[1];
    int64_t strides[1];
    size_t rank = 1;
    uint32_t flags = 0;
    OK(hurray_tensor_from_array(F32, shape, 1, NULL, sample_memory, HURRAY_DEVICE_CUDA, HURRAY_MEMORY_HOST_PINNED, 3, 0,
                                NULL, &owners, count_owner, &tensor));
    STATUS(HURRAY_ERR_UNSUPPORTED, hurray_tensor_array_view(tensor, &data, found, strides, &rank, &flags));
    OK(hurray_tensor_buffers(tensor, &list));
    OK(hurray_buffer_list_get(list, 0, &buffer));
    OK(hurray_buffer_device_id(buffer, &id));
    EQUAL(3, id);
    OK(hurray_tensor_destroy(&tensor));
    EQUAL(1, owners);
    STATUS(HURRAY_ERR_UNSUPPORTED, hurray_tensor_from_array(F32, shape, 1, odd, sample_memory, HURRAY_DEVICE_CUDA, 0, 0,
                                                            0, NULL, &owners, count_owner, &tensor));
    EQUAL(1, owners);
    OK(hurray_tensor_from_array(F32, shape, 1, NULL, sample_memory, HURRAY_DEVICE_CUDA, HURRAY_MEMORY_HOST_PINNED, 0,
                                HURRAY_BUFFER_HOST_POINTER, NULL, NULL, NULL, &tensor));
    OK(hurray_tensor_array_view(tensor, &data, found, strides, &rank, &flags));
    CHECK(data == sample_memory);
    OK(hurray_tensor_destroy(&tensor));
}

/* bfloat16 [2, 3, 5] of the specification: element zero at byte 40, strides -40, 12, 2. */
static void views_of_other_tensors(void) {
    const uint64_t eighty[1] = {80}, csr[3] = {32, 32, 24}, channels[3] = {32, 32, 32};
    HurrayTensor *tensor = NULL;
    void *data = NULL;
    uint64_t shape[3];
    int64_t strides[3];
    size_t rank = 2;
    uint32_t flags = 9;
    OK(hurray_tensor_new(10, STRIDED, sizeof STRIDED, cpu_list(1, eighty, NULL), NULL, NULL, &tensor));
    STATUS(HURRAY_ERR_BUFFER_TOO_SMALL, hurray_tensor_array_view(tensor, &data, shape, strides, &rank, &flags));
    EQUAL(3, rank);
    EQUAL(9, flags);
    CHECK(data == NULL);
    OK(hurray_tensor_array_view(tensor, &data, shape, strides, &rank, &flags));
    CHECK(data == sample_memory + 40);
    EQUAL(0, flags);
    EQUAL(-40, strides[0]);
    EQUAL(12, strides[1]);
    EQUAL(2, strides[2]);
    OK(hurray_tensor_destroy(&tensor));
    OK(hurray_tensor_new(10, CSR, sizeof CSR, cpu_list(3, csr, NULL), NULL, NULL, &tensor));
    STATUS(HURRAY_ERR_UNSUPPORTED, hurray_tensor_array_view(tensor, &data, shape, strides, &rank, &flags));
    OK(hurray_tensor_destroy(&tensor));
    HurrayBufferList *list = NULL; /* a quantized tensor gives its codes */
    HurrayBuffer *codes = NULL;
    OK(hurray_buffer_list_new(3, &list));
    OK(hurray_buffer_from_ptr(sample_memory + 4096, 32, 128, 0, 0, 0, NULL, NULL, &codes));
    OK(hurray_buffer_list_push(list, codes));
    OK(hurray_buffer_list_push(list, cpu_buffer(channels[1], NULL)));
    OK(hurray_buffer_list_push(list, cpu_buffer(channels[2], NULL)));
    OK(hurray_tensor_new(10, CHANNELS, sizeof CHANNELS, list, NULL, NULL, &tensor));
    OK(hurray_tensor_array_view(tensor, &data, shape, strides, &rank, &flags));
    CHECK(data == sample_memory + 4096);
    EQUAL(8, strides[0]);
    OK(hurray_tensor_destroy(&tensor));
}

int main(void) {
    RUN(b132_wrapped_in_place);
    RUN(b133_empty_at_any_address);
    RUN(strides_that_are_not_whole_elements);
    RUN(a_copy_on_request);
    RUN(read_only_stays_read_only);
    RUN(refused);
    RUN(rank_64_at_most);
    RUN(device_memory);
    RUN(views_of_other_tensors);
    return FINISH();
}
