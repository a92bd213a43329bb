/* Every field by its identifier: kinds, the order of the conditions, the bulk form. */
#include "samples.h"

static uint64_t u(const HurrayDescriptor *descriptor, HurrayDescriptorField field, uint32_t level) {
    uint64_t value = 987654321;
    OK(hurray_descriptor_field_u64(descriptor, field, level, &value));
    return value;
}

static double f(const HurrayDescriptor *descriptor, HurrayDescriptorField field) {
    double value = 987654321;
    OK(hurray_descriptor_field_f64(descriptor, field, 0, &value));
    return value;
}

static void scalars(void) {
    HurrayDescriptor *descriptor = decoded(CHANNELS, sizeof CHANNELS);
    EQUAL(2, u(descriptor, HURRAY_QUANT_FIELD_SCHEME, 0));
    EQUAL(1, u(descriptor, HURRAY_QUANT_FIELD_SCHEME_VERSION, 0));
    EQUAL(0, u(descriptor, HURRAY_QUANT_FIELD_FLAGS, 0));
    EQUAL(1, u(descriptor, HURRAY_QUANT_FIELD_PER_CHANNEL_AXIS, 0));
    EQUAL(1, u(descriptor, HURRAY_QUANT_FIELD_PER_CHANNEL_SCALE_BUFFER, 0));
    EQUAL(2, u(descriptor, HURRAY_QUANT_FIELD_PER_CHANNEL_ZERO_POINT_BUFFER, 0));
    EQUAL(3, u(descriptor, HURRAY_QUANT_FIELD_PER_CHANNEL_SCALE_TYPE, 0));
    EQUAL(0x2F, u(descriptor, HURRAY_STATS_FIELD_COMPUTED_MASK, 0));
    EQUAL(29, u(descriptor, HURRAY_STATS_FIELD_NNZ, 0));
    CHECK(f(descriptor, HURRAY_STATS_FIELD_SPARSITY_RATIO) == 0.09375);
    CHECK(f(descriptor, HURRAY_STATS_FIELD_MIN) == -6.5);
    CHECK(f(descriptor, HURRAY_STATS_FIELD_MAX) == 12.0);
    CHECK(f(descriptor, HURRAY_STATS_FIELD_ABS_MAX) == 12.0);
    CHECK(f(descriptor, HURRAY_STATS_FIELD_MEAN) == 0.5);
    CHECK(f(descriptor, HURRAY_STATS_FIELD_STDDEV) == 2.25);
    EQUAL(0, u(descriptor, HURRAY_STATS_FIELD_HAS_NAN, 0));
    EQUAL(128, u(descriptor, HURRAY_BUFFER_FIELD_ALIGNMENT, 0));
    EQUAL(64, u(descriptor, HURRAY_BUFFER_FIELD_ALIGNMENT, 2));
    EQUAL(HURRAY_ROLE_SCALES, u(descriptor, HURRAY_BUFFER_FIELD_ROLE, 1));
    EQUAL(HURRAY_ROLE_ZERO_POINTS, u(descriptor, HURRAY_BUFFER_FIELD_ROLE, 2));
    EQUAL(221, u(descriptor, HURRAY_HEADER_FIELD_ENCODED_LENGTH, 0));
    EQUAL(32, u(descriptor, HURRAY_HEADER_FIELD_ELEMENT_COUNT, 0));
    OK(hurray_descriptor_destroy(&descriptor));
    descriptor = decoded(CUDA, sizeof CUDA);
    EQUAL(HURRAY_DEVICE_CUDA, u(descriptor, HURRAY_BUFFER_FIELD_DEVICE_TAG, 1));
    EQUAL(HURRAY_SYNC_EVENT, u(descriptor, HURRAY_BUFFER_FIELD_SYNC_MODE, 1));
    EQUAL(HURRAY_MEMORY_UNIFIED, u(descriptor, HURRAY_BUFFER_FIELD_MEMORY_CLASS, 1));
    EQUAL(32, u(descriptor, HURRAY_BUFFER_FIELD_BYTE_SIZE, 2));
    OK(hurray_descriptor_destroy(&descriptor));
}

static void arrays(void) {
    HurrayDescriptor *descriptor = decoded(CHANNELS, sizeof CHANNELS);
    uint64_t values[2] = {0, 0};
    size_t room = 2;
    OK(hurray_descriptor_field_u64_array(descriptor, HURRAY_SHARD_FIELD_OFFSET, 0, values, &room));
    EQUAL(12, values[0]);
    EQUAL(0, values[1]);
    CAPACITY(uint64_t, 2, hurray_descriptor_field_u64_array(descriptor, HURRAY_SHARD_FIELD_PARENT_SHAPE, 0, out, &len));
    OK(hurray_descriptor_destroy(&descriptor));
    descriptor = decoded(STRIDED, sizeof STRIDED);
    int64_t strides[3] = {0, 0, 0};
    room = 3;
    OK(hurray_descriptor_field_i64_array(descriptor, HURRAY_LAYOUT_FIELD_STRIDED_STRIDES, 0, strides, &room));
    EQUAL(-20, strides[0]);
    EQUAL(6, strides[1]);
    EQUAL(1, strides[2]);
    CAPACITY(int64_t, 3,
             hurray_descriptor_field_i64_array(descriptor, HURRAY_LAYOUT_FIELD_STRIDED_STRIDES, 0, out, &len));
    OK(hurray_descriptor_destroy(&descriptor));
    OK(hurray_descriptor_decode_with(UNKNOWN, sizeof UNKNOWN, HURRAY_DECODE_PERMISSIVE, &descriptor));
    CAPACITY(uint8_t, 3, hurray_descriptor_field_bytes(descriptor, HURRAY_LAYOUT_FIELD_UNKNOWN_DATA, 0, out, &len));
    OK(hurray_descriptor_destroy(&descriptor));
}

/* The first condition that holds decides. Each row breaks its condition and later ones too. */
static void order_of_conditions(void) {
    HurrayDescriptor *dense = decoded(DENSE, sizeof DENSE), *channels = decoded(CHANNELS, sizeof CHANNELS),
                     *unknown = NULL;
    OK(hurray_descriptor_decode_with(UNKNOWN, sizeof UNKNOWN, HURRAY_DECODE_PERMISSIVE, &unknown));
    struct {
        const HurrayDescriptor *descriptor;
        uint32_t field, level;
        HurrayStatus status;
    } rows[] = {
        {dense, 0, 9, HURRAY_ERR_INVALID_ARGUMENT}, /* S unknown */
        {dense, 0x00090000, 0, HURRAY_ERR_INVALID_ARGUMENT},
        {dense, 0x01080000, 0, HURRAY_ERR_INVALID_ARGUMENT},
        {dense, 0x000202FF, 9, HURRAY_ERR_FIELD_NOT_PRESENT}, /* section absent */
        {dense, HURRAY_MEMBER_FIELD_ROLE, 9, HURRAY_ERR_FIELD_NOT_PRESENT},
        {unknown, HURRAY_BUFFER_FIELD_BYTE_SIZE, 9, HURRAY_ERR_UNSUPPORTED}, /* hidden */
        {unknown, HURRAY_HEADER_FIELD_BUFFER_COUNT, 0, HURRAY_ERR_UNSUPPORTED},
        {dense, 0x000107FF, 9, HURRAY_ERR_FIELD_NOT_APPLICABLE}, /* TT differs */
        {channels, HURRAY_QUANT_FIELD_NF4_AXIS, 9, HURRAY_ERR_FIELD_NOT_APPLICABLE},
        {channels, 0x00030100, 0, HURRAY_ERR_FIELD_NOT_APPLICABLE},
        {dense, HURRAY_LAYOUT_FIELD_UNKNOWN_DATA, 0, HURRAY_ERR_FIELD_NOT_APPLICABLE},
        {dense, 0x00080009, 9, HURRAY_ERR_INVALID_ARGUMENT}, /* II names no field */
        {channels, 0x00020204, 9, HURRAY_ERR_INVALID_ARGUMENT},
        {dense, HURRAY_HEADER_FIELD_SHAPE, 9, HURRAY_ERR_INVALID_ARGUMENT}, /* of another kind */
        {channels, HURRAY_STATS_FIELD_MIN, 9, HURRAY_ERR_INVALID_ARGUMENT},
        {dense, HURRAY_BUFFER_FIELD_BYTE_SIZE, 1, HURRAY_ERR_INDEX_OUT_OF_BOUNDS}, /* no such level */
        {dense, HURRAY_HEADER_FIELD_RANK, 1, HURRAY_ERR_INDEX_OUT_OF_BOUNDS},
        {channels, HURRAY_STATS_FIELD_NM_N, 1, HURRAY_ERR_INDEX_OUT_OF_BOUNDS},
        {channels, HURRAY_STATS_FIELD_NM_N, 0, HURRAY_ERR_FIELD_NOT_PRESENT}, /* mask bit clear */
    };
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        uint64_t value = 5;
        STATUS(rows[k].status, hurray_descriptor_field_u64(rows[k].descriptor, rows[k].field, rows[k].level, &value));
        EQUAL(5, value);
    }
    OK(hurray_descriptor_destroy(&dense));
    OK(hurray_descriptor_destroy(&channels));
    OK(hurray_descriptor_destroy(&unknown));
}

/* Each accessor refuses fields of the five other kinds. */
static void kinds(void) {
    HurrayDescriptor *descriptor = decoded(STRIDED, sizeof STRIDED);
    const HurrayDescriptorField number = HURRAY_HEADER_FIELD_RANK, list = HURRAY_HEADER_FIELD_SHAPE;
    int64_t i = 0, is[3];
    uint64_t us[3];
    double real = 0;
    uint8_t bytes[8];
    size_t len = 3;
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_descriptor_field_u64(descriptor, list, 0, us));
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_descriptor_field_i64(descriptor, number, 0, &i));
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_descriptor_field_f64(descriptor, number, 0, &real));
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_descriptor_field_u64_array(descriptor, number, 0, us, &len));
    STATUS(HURRAY_ERR_INVALID_ARGUMENT,
           hurray_descriptor_field_u64_array(descriptor, HURRAY_LAYOUT_FIELD_STRIDED_STRIDES, 0, us, &len));
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_descriptor_field_i64_array(descriptor, list, 0, is, &len));
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_descriptor_field_bytes(descriptor, list, 0, bytes, &len));
    EQUAL(3, len);
    OK(hurray_descriptor_destroy(&descriptor));
}

/* clang-format off */
/* One record of the bulk form of `DENSE`, value by hand. */
#define SCALAR(id, level, value) (uint64_t)(id) | (uint64_t)(level) << 32 | (uint64_t)1 << 48, 1, (value)

static const uint64_t dense_words[] = {
    SCALAR(HURRAY_BUFFER_FIELD_BYTE_SIZE, 0, 24), SCALAR(HURRAY_BUFFER_FIELD_ALIGNMENT, 0, 64),
    SCALAR(HURRAY_BUFFER_FIELD_DEVICE_TAG, 0, 0), SCALAR(HURRAY_BUFFER_FIELD_SYNC_MODE, 0, 0),
    SCALAR(HURRAY_BUFFER_FIELD_MEMORY_CLASS, 0, 0), SCALAR(HURRAY_BUFFER_FIELD_ROLE, 0, HURRAY_ROLE_VALUES),
    SCALAR(HURRAY_BUFFER_FIELD_ROLE_LEVEL, 0, 0), SCALAR(HURRAY_HEADER_FIELD_VERSION_MAJOR, 0, 1),
    SCALAR(HURRAY_HEADER_FIELD_VERSION_MINOR, 0, 0), SCALAR(HURRAY_HEADER_FIELD_FLAGS, 0, 0),
    SCALAR(HURRAY_HEADER_FIELD_ELEMENT_TYPE, 0, 3), SCALAR(HURRAY_HEADER_FIELD_LAYOUT, 0, 1),
    SCALAR(HURRAY_HEADER_FIELD_RANK, 0, 2),
    HURRAY_HEADER_FIELD_SHAPE | (uint64_t)4 << 48, 2, 2, 3,
    SCALAR(HURRAY_HEADER_FIELD_BYTE_OFFSET, 0, 0), SCALAR(HURRAY_HEADER_FIELD_BUFFER_COUNT, 0, 1),
    SCALAR(HURRAY_HEADER_FIELD_ENCODED_LENGTH, 0, 61), SCALAR(HURRAY_HEADER_FIELD_ELEMENT_COUNT, 0, 6),
};
/* clang-format on */
enum { DENSE_WORDS = sizeof dense_words / sizeof dense_words[0] };

static void all_fields_at_once(void) {
    HurrayDescriptor *descriptor = decoded(DENSE, sizeof DENSE);
    uint64_t words[512];
    size_t room = 512;
    OK(hurray_descriptor_fields(descriptor, words, &room));
    EQUAL(DENSE_WORDS, room);
    for (size_t k = 0; k < DENSE_WORDS; k++) EQUAL(dense_words[k], words[k]);
    CAPACITY(uint64_t, DENSE_WORDS, hurray_descriptor_fields(descriptor, out, &len));
    /* As every array out, at any address. */
    uint8_t raw[sizeof dense_words + 1] = {0};
    OK(hurray_descriptor_fields(descriptor, (uint64_t *)(void *)(raw + 1), &room));
    EQUAL(0, memcmp(raw + 1, dense_words, sizeof dense_words));
    OK(hurray_descriptor_destroy(&descriptor));
}

static void words_make_the_same_bytes(void) {
    static const struct {
        const uint8_t *bytes;
        size_t len;
    } samples[] = {
        {DENSE, sizeof DENSE}, {STRIDED, sizeof STRIDED},   {CSR, sizeof CSR},
        {CUDA, sizeof CUDA},   {CHANNELS, sizeof CHANNELS},
    };
    for (size_t k = 0; k < 5; k++) {
        HurrayDescriptor *descriptor = decoded(samples[k].bytes, samples[k].len), *again = NULL;
        uint64_t words[512];
        uint8_t bytes[256];
        size_t count = 512, len = sizeof bytes;
        OK(hurray_descriptor_fields(descriptor, words, &count));
        OK(hurray_descriptor_from_fields(words, count, &again));
        OK(hurray_descriptor_encode(again, bytes, &len));
        EQUAL(samples[k].len, len);
        EQUAL(0, memcmp(bytes, samples[k].bytes, len));
        OK(hurray_descriptor_destroy(&again));
        OK(hurray_descriptor_destroy(&descriptor));
    }
}

static void words_that_are_refused(void) {
    HurrayDescriptor *descriptor = NULL;
    uint64_t words[DENSE_WORDS + 3];
    const size_t last = DENSE_WORDS - 1;
    /* Cut inside a record, at every place. */
    for (size_t cut = 1; cut < DENSE_WORDS; cut++) {
        memcpy(words, dense_words, sizeof dense_words);
        HurrayStatus status = hurray_descriptor_from_fields(words, cut, &descriptor);
        if (status == HURRAY_OK) OK(hurray_descriptor_destroy(&descriptor));
        else CHECK(descriptor == NULL);
    }
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_descriptor_from_fields(dense_words, 2, &descriptor));
    /* A derived field that does not agree; a field twice; no such field; no such kind; another kind. */
    memcpy(words, dense_words, sizeof dense_words);
    words[last] = 7;
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_descriptor_from_fields(words, DENSE_WORDS, &descriptor));
    words[last] = 6;
    OK(hurray_descriptor_from_fields(words, DENSE_WORDS, &descriptor));
    OK(hurray_descriptor_destroy(&descriptor));
    memcpy(words + DENSE_WORDS, dense_words, 3 * sizeof(uint64_t));
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_descriptor_from_fields(words, DENSE_WORDS + 3, &descriptor));
    words[DENSE_WORDS] = 0x0008007F | (uint64_t)1 << 48;
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_descriptor_from_fields(words, DENSE_WORDS + 3, &descriptor));
    words[DENSE_WORDS] = HURRAY_MEMBER_FIELD_ROLE | (uint64_t)7 << 48;
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_descriptor_from_fields(words, DENSE_WORDS + 3, &descriptor));
    words[DENSE_WORDS] = HURRAY_MEMBER_FIELD_ROLE | (uint64_t)2 << 48;
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_descriptor_from_fields(words, DENSE_WORDS + 3, &descriptor));
    /* A count beyond the words. */
    memcpy(words, dense_words, sizeof dense_words);
    words[DENSE_WORDS - 16 + 1] = UINT64_MAX;
    CHECK((words[DENSE_WORDS - 16] & 0xFFFFFFFF) == HURRAY_HEADER_FIELD_SHAPE);
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_descriptor_from_fields(words, DENSE_WORDS, &descriptor));
    CHECK(descriptor == NULL);
}

int main(void) {
    RUN(scalars);
    RUN(arrays);
    RUN(order_of_conditions);
    RUN(kinds);
    RUN(all_fields_at_once);
    RUN(words_make_the_same_bytes);
    RUN(words_that_are_refused);
    return FINISH();
}
