// clang-format Language: C
/* What the tests of conversions make: descriptors of dense layouts, tensors over bytes. */
#ifndef TEST_CONVERT_H
#define TEST_CONVERT_H

#include "samples.h"

static inline HurrayDescriptorBuilder *begun(uint8_t type, uint8_t layout, size_t rank, const uint64_t *shape) {
    HurrayDescriptorBuilder *builder = NULL;
    OK(hurray_descriptor_builder_new(type, layout, shape, rank, &builder));
    return builder;
}

/* The descriptor of a builder, which ends. */
static inline HurrayDescriptor *finished(HurrayDescriptorBuilder *builder) {
    HurrayDescriptor *descriptor = NULL;
    OK(hurray_descriptor_builder_push_default_buffers(builder));
    OK(hurray_descriptor_builder_finish(builder, &descriptor));
    OK(hurray_descriptor_builder_destroy(&builder));
    return descriptor;
}

static inline HurrayDescriptor *plain(uint8_t type, uint8_t layout, size_t rank, const uint64_t *shape) {
    return finished(begun(type, layout, rank, shape));
}

static inline HurrayDescriptor *strided(uint8_t type, size_t rank, const uint64_t *shape, const int64_t *strides,
                                        uint64_t byte_offset) {
    HurrayDescriptorBuilder *builder = begun(type, HURRAY_LAYOUT_STRIDED, rank, shape);
    OK(hurray_descriptor_builder_set_u64(builder, HURRAY_HEADER_FIELD_BYTE_OFFSET, 0, byte_offset));
    OK(hurray_descriptor_builder_set_i64_array(builder, HURRAY_LAYOUT_FIELD_STRIDED_STRIDES, 0, strides, rank));
    return finished(builder);
}

/* One level of tiles, row-major in both orders. */
static inline HurrayDescriptor *tiled(uint8_t type, size_t rank, const uint64_t *shape, const uint64_t *tile) {
    HurrayDescriptorBuilder *builder = begun(type, HURRAY_LAYOUT_TILED, rank, shape);
    OK(hurray_descriptor_builder_set_u64_array(builder, HURRAY_LAYOUT_FIELD_TILED_TILE_SHAPE, 0, tile, rank));
    OK(hurray_descriptor_builder_set_u64(builder, HURRAY_LAYOUT_FIELD_TILED_OUTER_LAYOUT, 0, 1));
    OK(hurray_descriptor_builder_set_u64(builder, HURRAY_LAYOUT_FIELD_TILED_INNER_LAYOUT, 0, 1));
    return finished(builder);
}

static inline HurrayDescriptor *morton(uint8_t type, size_t rank, const uint64_t *shape, const uint64_t *bits) {
    HurrayDescriptorBuilder *builder = begun(type, HURRAY_LAYOUT_MORTON, rank, shape);
    OK(hurray_descriptor_builder_set_u64_array(builder, HURRAY_LAYOUT_FIELD_MORTON_BITS, 0, bits, rank));
    return finished(builder);
}

static inline HurrayDescriptor *hilbert(uint8_t type, size_t rank, const uint64_t *shape, uint64_t order) {
    HurrayDescriptorBuilder *builder = begun(type, HURRAY_LAYOUT_HILBERT, rank, shape);
    OK(hurray_descriptor_builder_set_u64(builder, HURRAY_LAYOUT_FIELD_HILBERT_ORDER, 0, order));
    OK(hurray_descriptor_builder_set_u64(builder, HURRAY_LAYOUT_FIELD_HILBERT_RANK, 0, rank));
    return finished(builder);
}

static inline int64_t offset2(const HurrayDescriptor *descriptor, uint64_t i, uint64_t j) {
    const uint64_t index[2] = {i, j};
    uint64_t offset = 0;
    OK(hurray_descriptor_element_offset(descriptor, index, 2, &offset));
    return (int64_t)offset;
}

static inline int64_t offset3(const HurrayDescriptor *descriptor, uint64_t i, uint64_t j, uint64_t k) {
    const uint64_t index[3] = {i, j, k};
    uint64_t offset = 0;
    OK(hurray_descriptor_element_offset(descriptor, index, 3, &offset));
    return (int64_t)offset;
}

/* A tensor of one buffer, over a copy of the bytes in `sample_memory`. */
static inline HurrayTensor *tensor_over(const HurrayDescriptor *descriptor, const void *bytes, size_t len) {
    memcpy(sample_memory, bytes, len);
    const uint64_t sizes[1] = {len};
    HurrayTensor *tensor = NULL;
    OK(hurray_tensor_from_descriptor(descriptor, cpu_list(1, sizes, NULL), NULL, NULL, &tensor));
    return tensor;
}

/* Where the element at index zero of a dense tensor is. */
static inline unsigned char *data_of(const HurrayTensor *tensor) {
    HurrayBufferList *list = NULL;
    HurrayBuffer *buffer = NULL;
    HurrayDescriptor *descriptor = NULL;
    uint64_t byte_offset = 0;
    void *data = NULL;
    OK(hurray_tensor_buffers(tensor, &list));
    OK(hurray_buffer_list_get(list, 0, &buffer));
    OK(hurray_buffer_data_ptr(buffer, &data));
    OK(hurray_tensor_descriptor(tensor, &descriptor));
    OK(hurray_descriptor_byte_offset(descriptor, &byte_offset));
    return (unsigned char *)data + byte_offset;
}

#endif
