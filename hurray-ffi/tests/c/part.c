/* Parts: one array inside a tensor, as a dense tensor that shares it. */
#include "samples.h"

static HurrayDescriptorBuilder *begin(uint8_t type, uint8_t layout, size_t rank, const uint64_t *shape) {
    HurrayDescriptorBuilder *builder = NULL;
    OK(hurray_descriptor_builder_new(type, layout, shape, rank, &builder));
    return builder;
}

static void set(HurrayDescriptorBuilder *builder, HurrayDescriptorField field, uint64_t value) {
    OK(hurray_descriptor_builder_set_u64(builder, field, 0, value));
}

/* The tensor of what was built, over buffers at multiples of 1024 of the sample memory. */
static HurrayTensor *end(HurrayDescriptorBuilder *builder, uint32_t flags, int *released) {
    HurrayDescriptor *descriptor = NULL;
    HurrayBufferList *list = NULL;
    HurrayTensor *tensor = NULL;
    uint32_t count = 0;
    OK(hurray_descriptor_builder_push_default_buffers(builder));
    OK(hurray_descriptor_builder_finish(builder, &descriptor));
    OK(hurray_descriptor_builder_destroy(&builder));
    OK(hurray_descriptor_buffer_count(descriptor, &count));
    OK(hurray_buffer_list_new(count, &list));
    for (uint32_t k = 0; k < count; k++) {
        uint64_t size = 0;
        HurrayBuffer *buffer = NULL;
        OK(hurray_descriptor_field_u64(descriptor, HURRAY_BUFFER_FIELD_BYTE_SIZE, k, &size));
        OK(hurray_buffer_from_ptr(sample_memory + 1024 * k, size, 64, 0, 0, 0, count_release, released, &buffer));
        OK(hurray_buffer_set_flags(buffer, flags));
        OK(hurray_buffer_list_push(list, buffer));
    }
    OK(hurray_tensor_from_descriptor(descriptor, list, NULL, NULL, &tensor));
    OK(hurray_descriptor_destroy(&descriptor));
    return tensor;
}

/* A part is of `type`, at `at` in the sample memory, of that shape and at those byte strides. */
static void has(const HurrayTensor *tensor, uint32_t role, uint32_t level, uint8_t type, size_t at, size_t rank,
                const uint64_t *shape, const int64_t *strides) {
    HurrayTensor *part = NULL;
    HurrayDescriptor *descriptor = NULL;
    void *data = NULL;
    uint8_t found_type = 0;
    uint64_t found[4];
    int64_t found_strides[4];
    size_t found_rank = 4;
    uint32_t flags = 0;
    OK(hurray_tensor_part(tensor, role, level, &part));
    OK(hurray_tensor_descriptor(part, &descriptor));
    OK(hurray_descriptor_element_type_tag(descriptor, &found_type));
    EQUAL(type, found_type);
    OK(hurray_tensor_array_view(part, &data, found, found_strides, &found_rank, &flags));
    EQUAL(at, (unsigned char *)data - sample_memory);
    EQUAL(rank, found_rank);
    for (size_t k = 0; k < rank && k < found_rank; k++) {
        EQUAL(shape[k], found[k]);
        EQUAL(strides[k], found_strides[k]);
    }
    OK(hurray_tensor_destroy(&part));
}

#define PART(tensor, role, level, type, at, rank, shape, strides)                                                      \
    {                                                                                                                  \
        const uint64_t part_shape[] = shape;                                                                           \
        const int64_t part_strides[] = strides;                                                                        \
        has(tensor, role, level, type, at, rank, part_shape, part_strides);                                            \
    }
#define LIST(...) {__VA_ARGS__}

static void refused(const HurrayTensor *tensor, uint32_t role, uint32_t level, HurrayStatus status) {
    HurrayTensor *part = (HurrayTensor *)(void *)sample_memory;
    STATUS(status, hurray_tensor_part(tensor, role, level, &part));
    CHECK(part == NULL);
}

static void sparse_rows(void) {
    const uint64_t shape[2] = {2, 3};
    int released = 0;
    HurrayDescriptorBuilder *builder = begin(HURRAY_TYPE_FLOAT64, HURRAY_LAYOUT_CSR, 2, shape);
    set(builder, HURRAY_LAYOUT_FIELD_CSR_NNZ, 4);
    HurrayTensor *tensor = end(builder, 0, &released);
    PART(tensor, HURRAY_ROLE_VALUES, 0, HURRAY_TYPE_FLOAT64, 0, 1, LIST(4), LIST(8))
    PART(tensor, HURRAY_ROLE_INDICES, 0, HURRAY_TYPE_UINT64, 1024, 1, LIST(4), LIST(8))
    PART(tensor, HURRAY_ROLE_POINTERS, 0, HURRAY_TYPE_UINT64, 2048, 1, LIST(3), LIST(8))
    refused(tensor, HURRAY_ROLE_SCALES, 0, HURRAY_ERR_FIELD_NOT_APPLICABLE);
    refused(tensor, HURRAY_ROLE_CSF_POS, 0, HURRAY_ERR_FIELD_NOT_APPLICABLE);
    refused(tensor, HURRAY_ROLE_UNKNOWN, 0, HURRAY_ERR_INVALID_ARGUMENT);
    refused(tensor, 10, 0, HURRAY_ERR_INVALID_ARGUMENT);
    OK(hurray_tensor_destroy(&tensor));
    EQUAL(3, released);
}

static void coordinates(void) {
    const uint64_t shape[3] = {3, 4, 5};
    int released = 0;
    HurrayDescriptorBuilder *builder = begin(HURRAY_TYPE_FLOAT32, HURRAY_LAYOUT_COO, 3, shape);
    set(builder, HURRAY_LAYOUT_FIELD_COO_NNZ, 2);
    set(builder, HURRAY_LAYOUT_FIELD_COO_IS_SORTED, 1);
    HurrayTensor *tensor = end(builder, 0, &released);
    PART(tensor, HURRAY_ROLE_VALUES, 0, HURRAY_TYPE_FLOAT32, 0, 1, LIST(2), LIST(4))
    PART(tensor, HURRAY_ROLE_INDICES, 0, HURRAY_TYPE_UINT64, 1024, 2, LIST(2, 3), LIST(24, 8))
    refused(tensor, HURRAY_ROLE_POINTERS, 0, HURRAY_ERR_FIELD_NOT_APPLICABLE);
    OK(hurray_tensor_destroy(&tensor));
}

static void a_tree(void) {
    const uint64_t shape[3] = {3, 4, 5}, order[3] = {0, 1, 2};
    int released = 0;
    HurrayDescriptorBuilder *builder = begin(HURRAY_TYPE_FLOAT32, HURRAY_LAYOUT_CSF, 3, shape);
    set(builder, HURRAY_LAYOUT_FIELD_CSF_NNZ, 6);
    OK(hurray_descriptor_builder_set_u64_array(builder, HURRAY_LAYOUT_FIELD_CSF_MODE_ORDER, 0, order, 3));
    HurrayTensor *tensor = end(builder, 0, &released);
    PART(tensor, HURRAY_ROLE_VALUES, 0, HURRAY_TYPE_FLOAT32, 0, 1, LIST(6), LIST(4))
    PART(tensor, HURRAY_ROLE_CSF_POS, 0, HURRAY_TYPE_UINT64, 1024, 1, LIST(2), LIST(8))
    PART(tensor, HURRAY_ROLE_CSF_CRD, 2, HURRAY_TYPE_UINT64, 6 * 1024, 1, LIST(6), LIST(8))
    refused(tensor, HURRAY_ROLE_CSF_CRD, 3, HURRAY_ERR_INDEX_OUT_OF_BOUNDS);
    refused(tensor, HURRAY_ROLE_VALUES, 1, HURRAY_ERR_INDEX_OUT_OF_BOUNDS);
    OK(hurray_tensor_destroy(&tensor));
    EQUAL(7, released);
}

static void pages(void) {
    const uint64_t shape[3] = {5, 2, 4};
    int released = 0;
    HurrayDescriptorBuilder *builder = begin(HURRAY_TYPE_FLOAT16, HURRAY_LAYOUT_BLOCK_PAGED, 3, shape);
    set(builder, HURRAY_LAYOUT_FIELD_BLOCK_PAGED_PAGE_SIZE, 3);
    set(builder, HURRAY_LAYOUT_FIELD_BLOCK_PAGED_NUM_PAGES, 4);
    set(builder, HURRAY_LAYOUT_FIELD_BLOCK_PAGED_PAGED_AXIS, 0);
    set(builder, HURRAY_LAYOUT_FIELD_BLOCK_PAGED_NUM_SEQS, 1);
    set(builder, HURRAY_LAYOUT_FIELD_BLOCK_PAGED_KV_ROLE, HURRAY_KV_ROLE_VALUE);
    set(builder, HURRAY_LAYOUT_FIELD_BLOCK_PAGED_BLOCK_TABLE_INDEX_TYPE, 0);
    HurrayTensor *tensor = end(builder, 0, &released);
    PART(tensor, HURRAY_ROLE_VALUES, 0, HURRAY_TYPE_FLOAT16, 0, 4, LIST(4, 3, 2, 4), LIST(48, 16, 8, 2))
    PART(tensor, HURRAY_ROLE_SEQ_PTR, 0, HURRAY_TYPE_UINT32, 2048, 1, LIST(2), LIST(4))
    HurrayTensor *table = NULL;
    OK(hurray_tensor_part(tensor, HURRAY_ROLE_BLOCK_TABLE, 0, &table));
    OK(hurray_tensor_destroy(&table));
    OK(hurray_tensor_destroy(&tensor));
}

static void channels(void) {
    const uint64_t shape[2] = {4, 8};
    int released = 0;
    HurrayDescriptorBuilder *builder = begin(HURRAY_TYPE_INT8, HURRAY_LAYOUT_ROW_MAJOR, 2, shape);
    set(builder, HURRAY_QUANT_FIELD_SCHEME, HURRAY_SCHEME_PER_CHANNEL_AFFINE);
    set(builder, HURRAY_QUANT_FIELD_PER_CHANNEL_AXIS, 1);
    set(builder, HURRAY_QUANT_FIELD_PER_CHANNEL_SCALE_TYPE, HURRAY_TYPE_FLOAT32);
    set(builder, HURRAY_QUANT_FIELD_PER_CHANNEL_SCALE_BUFFER, 1);
    set(builder, HURRAY_QUANT_FIELD_PER_CHANNEL_ZERO_POINT_BUFFER, 2);
    HurrayTensor *tensor = end(builder, 0, &released);
    PART(tensor, HURRAY_ROLE_SCALES, 0, HURRAY_TYPE_FLOAT32, 1024, 1, LIST(8), LIST(4))
    PART(tensor, HURRAY_ROLE_ZERO_POINTS, 0, HURRAY_TYPE_INT32, 2048, 1, LIST(8), LIST(4))
    refused(tensor, HURRAY_ROLE_VALUES, 0, HURRAY_ERR_FIELD_NOT_APPLICABLE); /* a dense tensor is its own values */
    OK(hurray_tensor_destroy(&tensor));
}

static HurrayTensor *blocks(uint64_t axis, uint64_t size, uint64_t zero_point_buffer, int *released) {
    const uint64_t shape[2] = {4, 8};
    HurrayDescriptorBuilder *builder = begin(HURRAY_TYPE_INT8, HURRAY_LAYOUT_ROW_MAJOR, 2, shape);
    set(builder, HURRAY_QUANT_FIELD_SCHEME, HURRAY_SCHEME_PER_BLOCK_AFFINE);
    set(builder, HURRAY_QUANT_FIELD_PER_BLOCK_AXIS, axis);
    set(builder, HURRAY_QUANT_FIELD_PER_BLOCK_BLOCK_SIZE, size);
    set(builder, HURRAY_QUANT_FIELD_PER_BLOCK_SCALE_TYPE, HURRAY_TYPE_FLOAT16);
    set(builder, HURRAY_QUANT_FIELD_PER_BLOCK_SCALE_BUFFER, 1);
    set(builder, HURRAY_QUANT_FIELD_PER_BLOCK_ZERO_POINT_BUFFER, zero_point_buffer);
    return end(builder, 0, released);
}

static void block_parameters(void) {
    int released = 0;
    HurrayTensor *tensor = blocks(1, 4, 2, &released);
    PART(tensor, HURRAY_ROLE_SCALES, 0, HURRAY_TYPE_FLOAT16, 1024, 2, LIST(4, 2), LIST(4, 2))
    PART(tensor, HURRAY_ROLE_ZERO_POINTS, 0, HURRAY_TYPE_INT32, 2048, 2, LIST(4, 2), LIST(8, 4))
    OK(hurray_tensor_destroy(&tensor));
    /* Blocks along the axis are neighbours: along axis 0 the grid [2, 8] lies with its first index fastest. */
    tensor = blocks(0, 2, 0xFFFFFFFF, &released);
    PART(tensor, HURRAY_ROLE_SCALES, 0, HURRAY_TYPE_FLOAT16, 1024, 2, LIST(2, 8), LIST(2, 4))
    refused(tensor, HURRAY_ROLE_ZERO_POINTS, 0, HURRAY_ERR_FIELD_NOT_APPLICABLE);
    OK(hurray_tensor_destroy(&tensor));
    /* Both in buffer 1: 8 float16 scales, then the zero points, at byte 16. */
    tensor = blocks(1, 4, 1, &released);
    PART(tensor, HURRAY_ROLE_SCALES, 0, HURRAY_TYPE_FLOAT16, 1024, 2, LIST(4, 2), LIST(4, 2))
    PART(tensor, HURRAY_ROLE_ZERO_POINTS, 0, HURRAY_TYPE_INT32, 1024 + 16, 2, LIST(4, 2), LIST(8, 4))
    OK(hurray_tensor_destroy(&tensor));
}

/* A part keeps the whole tensor, owner and all, and is as read-only as it. */
static void a_part_keeps_the_whole(void) {
    const uint64_t sizes[3] = {32, 32, 24};
    int released = 0, owners = 0;
    HurrayTensor *tensor = NULL, *part = NULL, *again = NULL;
    HurrayBufferList *list = NULL;
    OK(hurray_buffer_list_new(3, &list));
    for (int k = 0; k < 3; k++) {
        HurrayBuffer *buffer = cpu_buffer(sizes[k], &released);
        OK(hurray_buffer_set_flags(buffer, HURRAY_BUFFER_READ_ONLY));
        OK(hurray_buffer_list_push(list, buffer));
    }
    OK(hurray_tensor_new(10, CSR, sizeof CSR, list, &owners, count_owner, &tensor));
    OK(hurray_tensor_part(tensor, HURRAY_ROLE_POINTERS, 0, &part));
    OK(hurray_tensor_destroy(&tensor));
    EQUAL(0, released + owners);
    void *data = NULL;
    uint64_t shape[1];
    int64_t strides[1];
    size_t rank = 1;
    uint32_t flags = 0;
    OK(hurray_tensor_array_view(part, &data, shape, strides, &rank, &flags));
    EQUAL(HURRAY_VIEW_READ_ONLY | HURRAY_VIEW_ROW_MAJOR | HURRAY_VIEW_COLUMN_MAJOR, flags);
    OK(hurray_tensor_share(part, &again));
    OK(hurray_tensor_destroy(&part));
    EQUAL(0, released + owners);
    OK(hurray_tensor_destroy(&again));
    EQUAL(3, released);
    EQUAL(1, owners);
}

int main(void) {
    RUN(sparse_rows);
    RUN(coordinates);
    RUN(a_tree);
    RUN(pages);
    RUN(channels);
    RUN(block_parameters);
    RUN(a_part_keeps_the_whole);
    return FINISH();
}
