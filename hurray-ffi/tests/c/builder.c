/* The builder: what is set by identifier comes out as the bytes that the format writes. */
#include "samples.h"

static HurrayDescriptorBuilder *begin(uint8_t type, uint8_t layout, const uint64_t *shape, size_t rank) {
    HurrayDescriptorBuilder *builder = NULL;
    OK(hurray_descriptor_builder_new(type, layout, shape, rank, &builder));
    return builder;
}

static void set(HurrayDescriptorBuilder *builder, HurrayDescriptorField field, uint32_t level, uint64_t value) {
    OK(hurray_descriptor_builder_set_u64(builder, field, level, value));
}

static void gives(HurrayDescriptorBuilder *builder, const uint8_t *bytes, size_t len) {
    HurrayDescriptor *descriptor = NULL;
    OK(hurray_descriptor_builder_finish(builder, &descriptor));
    uint8_t found[256];
    size_t found_len = sizeof found;
    OK(hurray_descriptor_encode(descriptor, found, &found_len));
    EQUAL(len, found_len);
    for (size_t k = 0; k < len; k++) {
        if (found[k] != bytes[k]) {
            EQUAL(bytes[k], found[k]);
            EQUAL(-1, k);
            break;
        }
    }
    OK(hurray_descriptor_destroy(&descriptor));
}

static void dense(void) {
    const uint64_t shape[2] = {2, 3};
    HurrayDescriptorBuilder *builder = begin(HURRAY_TYPE_FLOAT32, HURRAY_LAYOUT_ROW_MAJOR, shape, 2);
    OK(hurray_descriptor_builder_push_default_buffers(builder));
    gives(builder, DENSE, sizeof DENSE);
    gives(builder, DENSE, sizeof DENSE); /* it stays usable */
    OK(hurray_descriptor_builder_destroy(&builder));
    CHECK(builder == NULL);
}

static void strided(void) {
    const uint64_t shape[3] = {2, 3, 5};
    const int64_t strides[3] = {-20, 6, 1};
    HurrayDescriptorBuilder *builder = begin(HURRAY_TYPE_BFLOAT16, HURRAY_LAYOUT_STRIDED, shape, 3);
    OK(hurray_descriptor_builder_set_i64_array(builder, HURRAY_LAYOUT_FIELD_STRIDED_STRIDES, 0, strides, 3));
    set(builder, HURRAY_HEADER_FIELD_BYTE_OFFSET, 0, 40);
    OK(hurray_descriptor_builder_push_buffer(builder, 80, 64, 0, 0, 0));
    gives(builder, STRIDED, sizeof STRIDED);
    OK(hurray_descriptor_builder_destroy(&builder));
}

static void sparse(void) {
    const uint64_t shape[2] = {3, 6};
    HurrayDescriptorBuilder *builder = begin(HURRAY_TYPE_FLOAT64, HURRAY_LAYOUT_CSR, shape, 2);
    set(builder, HURRAY_LAYOUT_FIELD_CSR_NNZ, 0, 4);
    for (int k = 0; k < 3; k++) {
        OK(hurray_descriptor_builder_push_buffer(builder, 32, 4096, HURRAY_DEVICE_CUDA, HURRAY_SYNC_EVENT,
                                                 HURRAY_MEMORY_UNIFIED));
    }
    gives(builder, CUDA, sizeof CUDA);
    OK(hurray_descriptor_builder_destroy(&builder));
}

static void quantized_shard_with_statistics(void) {
    const uint64_t shape[2] = {4, 8}, parent[2] = {16, 8}, offset[2] = {12, 0};
    HurrayDescriptorBuilder *builder = begin(HURRAY_TYPE_INT8, HURRAY_LAYOUT_ROW_MAJOR, shape, 2);
    STATUS(HURRAY_ERR_FIELD_NOT_APPLICABLE,
           hurray_descriptor_builder_set_u64(builder, HURRAY_QUANT_FIELD_PER_CHANNEL_AXIS, 0, 1));
    set(builder, HURRAY_QUANT_FIELD_SCHEME, 0, HURRAY_SCHEME_PER_CHANNEL_AFFINE);
    set(builder, HURRAY_QUANT_FIELD_PER_CHANNEL_AXIS, 0, 1);
    set(builder, HURRAY_QUANT_FIELD_PER_CHANNEL_SCALE_BUFFER, 0, 1);
    set(builder, HURRAY_QUANT_FIELD_PER_CHANNEL_ZERO_POINT_BUFFER, 0, 2);
    set(builder, HURRAY_QUANT_FIELD_PER_CHANNEL_SCALE_TYPE, 0, HURRAY_TYPE_FLOAT32);
    OK(hurray_descriptor_builder_set_u64_array(builder, HURRAY_SHARD_FIELD_PARENT_SHAPE, 0, parent, 2));
    OK(hurray_descriptor_builder_set_u64_array(builder, HURRAY_SHARD_FIELD_OFFSET, 0, offset, 2));
    set(builder, HURRAY_STATS_FIELD_NNZ, 0, 29);
    const double reals[6] = {0.09375, -6.5, 12, 12, 0.5, 2.25};
    for (uint32_t k = 0; k < 6; k++) {
        OK(hurray_descriptor_builder_set_f64(builder, HURRAY_STATS_FIELD_SPARSITY_RATIO + k, 0, reals[k]));
    }
    set(builder, HURRAY_STATS_FIELD_HAS_NAN, 0, 0);
    set(builder, HURRAY_STATS_FIELD_HAS_INF, 0, 0);
    OK(hurray_descriptor_builder_push_buffer(builder, 32, 128, 0, 0, 0));
    OK(hurray_descriptor_builder_push_buffer(builder, 32, 64, 0, 0, 0));
    OK(hurray_descriptor_builder_push_buffer(builder, 32, 64, 0, 0, 0));
    gives(builder, CHANNELS, sizeof CHANNELS);
    OK(hurray_descriptor_builder_destroy(&builder));
}

static void per_tensor(void) {
    /* uint8 [3], scale 0.5, zero point -2 is out of range (V-108), 7 is not. */
    static const uint8_t bytes[] = {
        0x48, 0x52, 0x52, 0x59, 1, 0, 73, 0, 0, 0, 1, 0, 0, 0, 0x11, 0x01, 1, 0, 0, 0, 3,  0, 0, 0, 0,
        0,    0,    0,    0,    0, 0, 0,  0, 0, 0, 0, 1, 3, 0, 0,    0,    0, 0, 0, 0, 64, 0, 0, 0, 0,
        0,    0,    0,    16,   0, 0, 0,  1, 1, 0, 0, 0, 0, 0, 0x3F, 7,    0, 0, 0, 0, 0,  0, 0,
    };
    const uint64_t shape[1] = {3};
    HurrayDescriptor *descriptor = NULL;
    HurrayDescriptorBuilder *builder = begin(HURRAY_TYPE_UINT8, HURRAY_LAYOUT_ROW_MAJOR, shape, 1);
    set(builder, HURRAY_QUANT_FIELD_SCHEME, 0, HURRAY_SCHEME_PER_TENSOR_AFFINE);
    STATUS(HURRAY_ERR_INVALID_ARGUMENT,
           hurray_descriptor_builder_set_f64(builder, HURRAY_QUANT_FIELD_PER_TENSOR_SCALE, 0, 0.1));
    OK(hurray_descriptor_builder_set_f64(builder, HURRAY_QUANT_FIELD_PER_TENSOR_SCALE, 0, 0.5));
    OK(hurray_descriptor_builder_push_default_buffers(builder) == HURRAY_ERR_INVALID_DESCRIPTOR ? HURRAY_OK
                                                                                                : HURRAY_ERR_INTERNAL);
    STATUS(HURRAY_ERR_INVALID_DESCRIPTOR,
           hurray_descriptor_builder_finish(builder, &descriptor)); /* zero point missing */
    OK(hurray_descriptor_builder_set_i64(builder, HURRAY_QUANT_FIELD_PER_TENSOR_ZERO_POINT, 0, -2));
    OK(hurray_descriptor_builder_push_default_buffers(builder));
    STATUS(HURRAY_ERR_INVALID_DESCRIPTOR, hurray_descriptor_builder_finish(builder, &descriptor));
    CHECK(test_text_has("V-108"));
    OK(hurray_descriptor_builder_set_i64(builder, HURRAY_QUANT_FIELD_PER_TENSOR_ZERO_POINT, 0, 7));
    gives(builder, bytes, sizeof bytes);
    OK(hurray_descriptor_builder_destroy(&builder));
}

static void private_layout(void) {
    /* float32 [2] in private layout 0xF3, id 0x0102030405060708, five bytes, one buffer by agreement. */
    static const uint8_t bytes[] = {
        0x48, 0x52, 0x52, 0x59, 1,    0, 70, 0, 0, 0, 0, 0, 0, 0, 0x03, 0xF3, 1, 0, 0, 0, 2, 0, 0, 0,
        0,    0,    0,    0,    0,    0, 0,  0, 0, 0, 0, 0, 8, 7, 6,    5,    4, 3, 2, 1, 5, 0, 0, 0,
        0x11, 0x22, 0x33, 0x44, 0x55, 1, 16, 0, 0, 0, 0, 0, 0, 0, 64,   0,    0, 0, 0, 0, 0, 0,
    };
    const uint64_t shape[1] = {2};
    HurrayDescriptorBuilder *builder = begin(HURRAY_TYPE_FLOAT32, 0xF3, shape, 1);
    set(builder, HURRAY_LAYOUT_FIELD_PRIVATE_LAYOUT_ID, 0, 0x0102030405060708);
    OK(hurray_descriptor_builder_set_bytes(builder, HURRAY_LAYOUT_FIELD_PRIVATE_DATA, 0, bytes + 48, 5));
    OK(hurray_descriptor_builder_push_buffer(builder, 16, 64, 0, 0, 0));
    gives(builder, bytes, sizeof bytes);
    OK(hurray_descriptor_builder_destroy(&builder));
}

static void refused(void) {
    const uint64_t shape[2] = {2, 3};
    uint64_t many[65];
    HurrayDescriptorBuilder *builder = NULL;
    HurrayDescriptor *descriptor = (HurrayDescriptor *)(void *)sample_memory;
    for (int k = 0; k < 65; k++) many[k] = 1;
    STATUS(HURRAY_ERR_LIMIT_EXCEEDED, hurray_descriptor_builder_new(3, 1, many, 65, &builder));
    CHECK(builder == NULL);
    builder = begin(HURRAY_TYPE_FLOAT32, HURRAY_LAYOUT_ROW_MAJOR, shape, 2);
    STATUS(HURRAY_ERR_INVALID_DESCRIPTOR,
           hurray_descriptor_builder_finish(builder, &descriptor)); /* no buffer: V-080 */
    CHECK(descriptor == NULL);
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_descriptor_builder_set_u64(builder, 0, 0, 0));
    STATUS(HURRAY_ERR_INVALID_ARGUMENT,
           hurray_descriptor_builder_set_i64(builder, HURRAY_HEADER_FIELD_BYTE_OFFSET, 0, 0));
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_descriptor_builder_set_u64(builder, HURRAY_MEMBER_FIELD_ROLE, 0, 256));
    STATUS(HURRAY_ERR_INDEX_OUT_OF_BOUNDS,
           hurray_descriptor_builder_set_u64(builder, HURRAY_HEADER_FIELD_BYTE_OFFSET, 1, 0));
    STATUS(HURRAY_ERR_FIELD_NOT_APPLICABLE,
           hurray_descriptor_builder_set_u64(builder, HURRAY_LAYOUT_FIELD_CSR_NNZ, 0, 1));
    for (int k = 0; k < 255; k++) OK(hurray_descriptor_builder_push_buffer(builder, 24, 64, 0, 0, 0));
    STATUS(HURRAY_ERR_LIMIT_EXCEEDED, hurray_descriptor_builder_push_buffer(builder, 24, 64, 0, 0, 0));
    STATUS(HURRAY_ERR_INVALID_DESCRIPTOR, hurray_descriptor_builder_finish(builder, &descriptor)); /* V-081 */
    OK(hurray_descriptor_builder_destroy(&builder));
    const uint64_t huge[2] = {UINT64_MAX - 1, 2}, dynamic[1] = {UINT64_MAX};
    builder = begin(HURRAY_TYPE_FLOAT32, HURRAY_LAYOUT_ROW_MAJOR, huge, 2);
    STATUS(HURRAY_ERR_OVERFLOW, hurray_descriptor_builder_push_default_buffers(builder));
    OK(hurray_descriptor_builder_destroy(&builder));
    builder = begin(HURRAY_TYPE_FLOAT32, HURRAY_LAYOUT_ROW_MAJOR, dynamic, 1);
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_descriptor_builder_push_default_buffers(builder));
    OK(hurray_descriptor_builder_destroy(&builder));
}

/* NULL with length 0 is an empty array: a scalar's shape, the shard of a scalar. */
static void empty_arrays(void) {
    HurrayDescriptor *descriptor = NULL;
    HurrayDescriptorBuilder *builder = begin(HURRAY_TYPE_FLOAT32, HURRAY_LAYOUT_ROW_MAJOR, NULL, 0);
    OK(hurray_descriptor_builder_set_u64_array(builder, HURRAY_SHARD_FIELD_PARENT_SHAPE, 0, NULL, 0));
    OK(hurray_descriptor_builder_set_u64_array(builder, HURRAY_SHARD_FIELD_OFFSET, 0, NULL, 0));
    OK(hurray_descriptor_builder_push_default_buffers(builder));
    OK(hurray_descriptor_builder_finish(builder, &descriptor));
    uint32_t flags = 0;
    OK(hurray_descriptor_flags(descriptor, &flags));
    EQUAL(2, flags);
    OK(hurray_descriptor_destroy(&descriptor));
    OK(hurray_descriptor_builder_destroy(&builder));
}

int main(void) {
    RUN(dense);
    RUN(strided);
    RUN(sparse);
    RUN(quantized_shard_with_statistics);
    RUN(per_tensor);
    RUN(private_layout);
    RUN(refused);
    RUN(empty_arrays);
    return FINISH();
}
