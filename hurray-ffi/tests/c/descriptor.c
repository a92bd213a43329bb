/* Descriptors: decode, encode, the plain accessors. */
#include "samples.h"

static const struct {
    const uint8_t *bytes;
    size_t len;
    uint8_t type, layout;
    uint32_t rank, buffers, flags;
    uint64_t offset;
} samples[] = {
    {DENSE, sizeof DENSE, HURRAY_TYPE_FLOAT32, HURRAY_LAYOUT_ROW_MAJOR, 2, 1, 0, 0},
    {STRIDED, sizeof STRIDED, HURRAY_TYPE_BFLOAT16, HURRAY_LAYOUT_STRIDED, 3, 1, 0, 40},
    {CSR, sizeof CSR, HURRAY_TYPE_FLOAT64, HURRAY_LAYOUT_CSR, 2, 3, 0, 0},
    {CUDA, sizeof CUDA, HURRAY_TYPE_FLOAT64, HURRAY_LAYOUT_CSR, 2, 3, 0, 0},
    {CHANNELS, sizeof CHANNELS, HURRAY_TYPE_INT8, HURRAY_LAYOUT_ROW_MAJOR, 2, 3, 0x0B, 0},
};

static void plain_accessors(void) {
    for (size_t k = 0; k < sizeof samples / sizeof samples[0]; k++) {
        HurrayDescriptor *descriptor = decoded(samples[k].bytes, samples[k].len);
        uint8_t tag = 0;
        uint32_t number = 99;
        uint64_t offset = 99;
        OK(hurray_descriptor_element_type_tag(descriptor, &tag));
        EQUAL(samples[k].type, tag);
        OK(hurray_descriptor_layout_tag(descriptor, &tag));
        EQUAL(samples[k].layout, tag);
        OK(hurray_descriptor_rank(descriptor, &number));
        EQUAL(samples[k].rank, number);
        OK(hurray_descriptor_buffer_count(descriptor, &number));
        EQUAL(samples[k].buffers, number);
        OK(hurray_descriptor_flags(descriptor, &number));
        EQUAL(samples[k].flags, number);
        OK(hurray_descriptor_byte_offset(descriptor, &offset));
        EQUAL(samples[k].offset, offset);
        OK(hurray_descriptor_destroy(&descriptor));
        CHECK(descriptor == NULL);
    }
}

static void encode_gives_the_bytes_back(void) {
    for (size_t k = 0; k < sizeof samples / sizeof samples[0]; k++) {
        HurrayDescriptor *descriptor = decoded(samples[k].bytes, samples[k].len);
        uint8_t bytes[256];
        size_t room = sizeof bytes;
        OK(hurray_descriptor_encode(descriptor, bytes, &room));
        EQUAL(samples[k].len, room);
        EQUAL(0, memcmp(bytes, samples[k].bytes, room));
        CAPACITY(uint8_t, samples[k].len, hurray_descriptor_encode(descriptor, out, &len));
        OK(hurray_descriptor_destroy(&descriptor));
    }
}

static void shape(void) {
    HurrayDescriptor *descriptor = decoded(STRIDED, sizeof STRIDED);
    uint64_t dims[4] = {0, 0, 0, 77};
    size_t rank = 4;
    OK(hurray_descriptor_shape(descriptor, dims, &rank));
    EQUAL(3, rank);
    EQUAL(2, dims[0]);
    EQUAL(3, dims[1]);
    EQUAL(5, dims[2]);
    EQUAL(77, dims[3]);
    CAPACITY(uint64_t, 3, hurray_descriptor_shape(descriptor, out, &len));
    OK(hurray_descriptor_destroy(&descriptor));
}

/* A scalar has no dimensions: length 0, and no array is needed. */
static void rank_0(void) {
    static const uint8_t scalar[45] = {
        0x48, 0x52, 0x52, 0x59, 1, 0, 45, 0, 0, 0, 0, 0, 0, 0, 0x04, 0x01, 0, 0, 0, 0, 0, 0, 0,
        0,    0,    0,    0,    0, 1, 8,  0, 0, 0, 0, 0, 0, 0, 64,   0,    0, 0, 0, 0, 0, 0,
    };
    HurrayDescriptor *descriptor = decoded(scalar, sizeof scalar);
    size_t rank = 9;
    OK(hurray_descriptor_shape(descriptor, NULL, &rank));
    EQUAL(0, rank);
    OK(hurray_descriptor_destroy(&descriptor));
}

static void one_line(void) {
    HurrayDescriptor *descriptor = decoded(CHANNELS, sizeof CHANNELS);
    char line[513];
    size_t room = 512;
    OK(hurray_descriptor_describe(descriptor, line, &room));
    line[room] = 0;
    CHECK(strstr(line, "int8") != NULL);
    CHECK(strstr(line, "row_major") != NULL);
    CHECK(strstr(line, "per_channel_affine") != NULL);
    CHECK(strchr(line, '\n') == NULL);
    CAPACITY(char, room, hurray_descriptor_describe(descriptor, out, &len));
    static const char first[] = "000000  48 52 52 59                                      magic\n";
    char table[2048];
    size_t table_len = sizeof table;
    OK(hurray_descriptor_annotate(descriptor, table, &table_len));
    EQUAL(0, memcmp(table, first, sizeof first - 1));
    CAPACITY(char, table_len, hurray_descriptor_annotate(descriptor, out, &len));
    OK(hurray_descriptor_destroy(&descriptor));
}

static void cut_anywhere_is_truncated(void) {
    for (size_t k = 0; k < sizeof samples / sizeof samples[0]; k++) {
        for (size_t len = 0; len < samples[k].len; len++) {
            HurrayDescriptor *descriptor = (HurrayDescriptor *)(void *)sample_memory;
            uint8_t *exact = (uint8_t *)malloc(len + 1);
            memcpy(exact, samples[k].bytes, len);
            STATUS(HURRAY_ERR_TRUNCATED, hurray_descriptor_decode(exact, len, &descriptor));
            CHECK(descriptor == NULL);
            free(exact);
        }
    }
}

static void bytes_after_the_end_are_left_alone(void) {
    uint8_t bytes[sizeof DENSE + 7];
    memset(bytes, 0xFF, sizeof bytes);
    memcpy(bytes, DENSE, sizeof DENSE);
    HurrayDescriptor *descriptor = decoded(bytes, sizeof bytes);
    CAPACITY(uint8_t, sizeof DENSE, hurray_descriptor_encode(descriptor, out, &len));
    OK(hurray_descriptor_destroy(&descriptor));
}

static void b128_empty_and_missing_bytes(void) {
    HurrayDescriptor *descriptor = NULL;
    STATUS(HURRAY_ERR_TRUNCATED, hurray_descriptor_decode(NULL, 0, &descriptor));
    STATUS(HURRAY_ERR_TRUNCATED, hurray_descriptor_decode_with(NULL, 0, 0, &descriptor));
    STATUS(HURRAY_ERR_NULL_POINTER, hurray_descriptor_decode(NULL, 5, &descriptor));
    STATUS(HURRAY_ERR_NULL_POINTER, hurray_descriptor_decode_with(NULL, 5, 0, &descriptor));
}

static void permissive(void) {
    HurrayDescriptor *descriptor = NULL;
    STATUS(HURRAY_ERR_INVALID_LAYOUT, hurray_descriptor_decode(UNKNOWN, sizeof UNKNOWN, &descriptor));
    CHECK(test_text_has("V-019"));
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_descriptor_decode_with(DENSE, sizeof DENSE, 2, &descriptor));
    OK(hurray_descriptor_decode_with(UNKNOWN, sizeof UNKNOWN, HURRAY_DECODE_PERMISSIVE, &descriptor));
    CAPACITY(uint8_t, sizeof UNKNOWN, hurray_descriptor_encode(descriptor, out, &len));
    uint8_t tag = 0, opaque[3] = {0, 0, 0};
    size_t room = 3;
    OK(hurray_descriptor_layout_tag(descriptor, &tag));
    EQUAL(0x0C, tag);
    OK(hurray_descriptor_field_bytes(descriptor, HURRAY_LAYOUT_FIELD_UNKNOWN_DATA, 0, opaque, &room));
    EQUAL(0xAA, opaque[0]);
    EQUAL(0xCC, opaque[2]);
    OK(hurray_descriptor_destroy(&descriptor));
}

/* The bytes are not kept: they may change or go at once. */
static void bytes_are_copied(void) {
    uint8_t *bytes = (uint8_t *)malloc(sizeof CSR);
    memcpy(bytes, CSR, sizeof CSR);
    HurrayDescriptor *descriptor = decoded(bytes, sizeof CSR);
    memset(bytes, 0, sizeof CSR);
    free(bytes);
    uint64_t nnz = 0;
    OK(hurray_descriptor_field_u64(descriptor, HURRAY_LAYOUT_FIELD_CSR_NNZ, 0, &nnz));
    EQUAL(4, nnz);
    OK(hurray_descriptor_destroy(&descriptor));
}

int main(void) {
    RUN(plain_accessors);
    RUN(encode_gives_the_bytes_back);
    RUN(shape);
    RUN(rank_0);
    RUN(one_line);
    RUN(cut_anywhere_is_truncated);
    RUN(bytes_after_the_end_are_left_alone);
    RUN(b128_empty_and_missing_bytes);
    RUN(permissive);
    RUN(bytes_are_copied);
    return FINISH();
}
