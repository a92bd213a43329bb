// clang-format Language: C
/* What the tests of numbers and codes make: descriptors of schemes, tensors with parameters. */
#ifndef TEST_QUANTIZE_H
#define TEST_QUANTIZE_H

#include "convert.h"

static inline void field(HurrayDescriptorBuilder *builder, uint32_t id, uint64_t value) {
    OK(hurray_descriptor_builder_set_u64(builder, id, 0, value));
}

static inline HurrayDescriptor *per_tensor(uint8_t type, size_t rank, const uint64_t *shape, double scale,
                                           int64_t zero) {
    HurrayDescriptorBuilder *builder = begun(type, HURRAY_LAYOUT_ROW_MAJOR, rank, shape);
    field(builder, HURRAY_QUANT_FIELD_SCHEME, HURRAY_SCHEME_PER_TENSOR_AFFINE);
    OK(hurray_descriptor_builder_set_f64(builder, HURRAY_QUANT_FIELD_PER_TENSOR_SCALE, 0, scale));
    OK(hurray_descriptor_builder_set_i64(builder, HURRAY_QUANT_FIELD_PER_TENSOR_ZERO_POINT, 0, zero));
    return finished(builder);
}

static inline HurrayDescriptor *per_channel(uint8_t type, size_t rank, const uint64_t *shape, uint64_t axis,
                                            int symmetric) {
    HurrayDescriptorBuilder *builder = begun(type, HURRAY_LAYOUT_ROW_MAJOR, rank, shape);
    field(builder, HURRAY_QUANT_FIELD_SCHEME, HURRAY_SCHEME_PER_CHANNEL_AFFINE);
    field(builder, HURRAY_QUANT_FIELD_FLAGS, symmetric ? 1 : 0);
    field(builder, HURRAY_QUANT_FIELD_PER_CHANNEL_AXIS, axis);
    field(builder, HURRAY_QUANT_FIELD_PER_CHANNEL_SCALE_TYPE, HURRAY_TYPE_FLOAT32);
    return finished(builder);
}

/* `shared`: scales and zero points in one buffer. */
static inline HurrayDescriptor *per_block(uint8_t type, uint8_t layout, size_t rank, const uint64_t *shape,
                                          uint64_t axis, uint64_t block, uint8_t scale_type, int symmetric,
                                          int shared) {
    HurrayDescriptorBuilder *builder = begun(type, layout, rank, shape);
    field(builder, HURRAY_QUANT_FIELD_SCHEME, HURRAY_SCHEME_PER_BLOCK_AFFINE);
    field(builder, HURRAY_QUANT_FIELD_FLAGS, symmetric ? 1 : 0);
    field(builder, HURRAY_QUANT_FIELD_PER_BLOCK_AXIS, axis);
    field(builder, HURRAY_QUANT_FIELD_PER_BLOCK_BLOCK_SIZE, block);
    field(builder, HURRAY_QUANT_FIELD_PER_BLOCK_SCALE_TYPE, scale_type);
    if (shared) {
        field(builder, HURRAY_QUANT_FIELD_PER_BLOCK_SCALE_BUFFER, 1);
        field(builder, HURRAY_QUANT_FIELD_PER_BLOCK_ZERO_POINT_BUFFER, 1);
    }
    return finished(builder);
}

static inline HurrayDescriptor *nf4(size_t rank, const uint64_t *shape, uint64_t axis, uint64_t block) {
    HurrayDescriptorBuilder *builder = begun(HURRAY_TYPE_UINT4, HURRAY_LAYOUT_ROW_MAJOR, rank, shape);
    field(builder, HURRAY_QUANT_FIELD_SCHEME, HURRAY_SCHEME_NF4);
    field(builder, HURRAY_QUANT_FIELD_NF4_AXIS, axis);
    field(builder, HURRAY_QUANT_FIELD_NF4_BLOCK_SIZE, block);
    return finished(builder);
}

static inline HurrayDescriptor *mxfp(uint8_t type, size_t rank, const uint64_t *shape, uint64_t axis, uint64_t block) {
    HurrayDescriptorBuilder *builder = begun(type, HURRAY_LAYOUT_ROW_MAJOR, rank, shape);
    field(builder, HURRAY_QUANT_FIELD_SCHEME, HURRAY_SCHEME_MXFP);
    field(builder, HURRAY_QUANT_FIELD_MXFP_AXIS, axis);
    field(builder, HURRAY_QUANT_FIELD_MXFP_BLOCK_SIZE, block);
    return finished(builder);
}

typedef struct Part {
    const void *bytes;
    size_t len;
} Part;

/* A list of buffers over copies of some bytes, from `first` on 1024 bytes apart in `sample_memory`. */
static inline HurrayBufferList *parts_list(size_t first, size_t count, const Part *parts) {
    HurrayBufferList *list = NULL;
    OK(hurray_buffer_list_new(count, &list));
    for (size_t k = 0; k < count; k++) {
        unsigned char *at = sample_memory + (first + k) * 1024;
        HurrayBuffer *buffer = NULL;
        memcpy(at, parts[k].bytes, parts[k].len);
        OK(hurray_buffer_from_ptr(at, parts[k].len, 64, 0, 0, 0, NULL, NULL, &buffer));
        OK(hurray_buffer_list_push(list, buffer));
    }
    return list;
}

/* A tensor over such buffers; the descriptor ends. */
static inline HurrayTensor *coded(HurrayDescriptor *descriptor, size_t count, const Part *parts) {
    HurrayTensor *tensor = NULL;
    OK(hurray_tensor_from_descriptor(descriptor, parts_list(0, count, parts), NULL, NULL, &tensor));
    OK(hurray_descriptor_destroy(&descriptor));
    return tensor;
}

static inline HurrayBuffer *buffer_of(const HurrayTensor *tensor, uint64_t index) {
    HurrayBufferList *list = NULL;
    HurrayBuffer *buffer = NULL;
    OK(hurray_tensor_buffers(tensor, &list));
    OK(hurray_buffer_list_get(list, index, &buffer));
    return buffer;
}

/* Whether a buffer of a tensor holds exactly these bytes. */
static inline int holds(const HurrayTensor *tensor, uint64_t index, const void *want, size_t len) {
    void *data = NULL;
    uint64_t size = 0;
    OK(hurray_buffer_byte_size(buffer_of(tensor, index), &size));
    OK(hurray_buffer_data_ptr(buffer_of(tensor, index), &data));
    return size == len && (len == 0 || memcmp(data, want, len) == 0);
}

static inline int has_scheme(const HurrayTensor *tensor) {
    HurrayDescriptor *descriptor = NULL;
    uint64_t scheme = 0;
    OK(hurray_tensor_descriptor(tensor, &descriptor));
    return hurray_descriptor_field_u64(descriptor, HURRAY_QUANT_FIELD_SCHEME, 0, &scheme) == HURRAY_OK;
}

/* Dequantizes to float32, compares, and ends the tensor. */
static inline void gives(HurrayTensor *tensor, size_t count, const float *want) {
    HurrayTensor *made = NULL;
    uint64_t bytes = 0;
    OK(hurray_tensor_dequantize(tensor, HURRAY_TYPE_FLOAT32, NULL, NULL, &bytes, &made));
    EQUAL(count * 4, bytes);
    CHECK(made && memcmp(data_of(made), want, count * 4) == 0);
    CHECK(made && !has_scheme(made));
    OK(hurray_tensor_destroy(&made));
    OK(hurray_tensor_destroy(&tensor));
}

static inline HurrayTensor *floats(size_t rank, const uint64_t *shape, const float *values, size_t count) {
    HurrayDescriptor *descriptor = plain(HURRAY_TYPE_FLOAT32, HURRAY_LAYOUT_ROW_MAJOR, rank, shape);
    const Part part[1] = {{values, count * 4}};
    return coded(descriptor, 1, part);
}

#endif
