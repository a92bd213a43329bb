// clang-format Language: C
/* Tensors of several buffers, each in memory of its own size, so that a sanitizer sees what leaves it. */
#ifndef TEST_PARTS_H
#define TEST_PARTS_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* posix_memalign */
#endif
#include "convert.h"

/* Bytes of one buffer; a literal array and its size. */
typedef struct {
    const void *data;
    size_t size;
} Bytes;

#define BYTES(array) {(array), sizeof(array)}

static inline void free_part(void *data, void *context) {
    (void)context;
    free(data);
}

/* A tensor over copies of the given bytes. */
static inline HurrayTensor *tensor_of(const HurrayDescriptor *descriptor, size_t count, const Bytes *parts) {
    HurrayBufferList *list = NULL;
    HurrayTensor *tensor = NULL;
    OK(hurray_buffer_list_new(count, &list));
    for (size_t k = 0; k < count; k++) {
        HurrayBuffer *buffer = NULL;
        void *data = NULL;
        if (parts[k].size > 0) {
            EQUAL(0, posix_memalign(&data, 64, parts[k].size));
            memcpy(data, parts[k].data, parts[k].size);
        }
        OK(hurray_buffer_from_ptr(data, parts[k].size, 64, HURRAY_DEVICE_CPU, HURRAY_SYNC_PRODUCER_SYNCED,
                                  HURRAY_MEMORY_STANDARD, free_part, NULL, &buffer));
        OK(hurray_buffer_list_push(list, buffer));
    }
    OK(hurray_tensor_from_descriptor(descriptor, list, NULL, NULL, &tensor));
    return tensor;
}

/* Memory of a buffer of a tensor. */
static inline void *part_of(const HurrayTensor *tensor, uint64_t index) {
    HurrayBufferList *list = NULL;
    HurrayBuffer *buffer = NULL;
    void *data = NULL;
    OK(hurray_tensor_buffers(tensor, &list));
    OK(hurray_buffer_list_get(list, index, &buffer));
    OK(hurray_buffer_data_ptr(buffer, &data));
    return data;
}

/* Whether a buffer of a tensor holds exactly these bytes. */
static inline int part_is(const HurrayTensor *tensor, uint64_t index, const void *bytes, size_t size) {
    HurrayBufferList *list = NULL;
    HurrayBuffer *buffer = NULL;
    uint64_t found = 0;
    OK(hurray_tensor_buffers(tensor, &list));
    OK(hurray_buffer_list_get(list, index, &buffer));
    OK(hurray_buffer_byte_size(buffer, &found));
    return found == size && memcmp(part_of(tensor, index), bytes, size) == 0;
}

/* A sparse descriptor; its number of entries is field 0 of each layout. */
static inline HurrayDescriptor *sparse(uint8_t type, uint8_t layout, size_t rank, const uint64_t *shape, uint64_t nnz,
                                       uint64_t is_sorted) {
    HurrayDescriptorBuilder *builder = begun(type, layout, rank, shape);
    if (layout == HURRAY_LAYOUT_COO) {
        OK(hurray_descriptor_builder_set_u64(builder, HURRAY_LAYOUT_FIELD_COO_NNZ, 0, nnz));
        OK(hurray_descriptor_builder_set_u64(builder, HURRAY_LAYOUT_FIELD_COO_IS_SORTED, 0, is_sorted));
    } else {
        const uint32_t field = layout == HURRAY_LAYOUT_CSR ? HURRAY_LAYOUT_FIELD_CSR_NNZ : HURRAY_LAYOUT_FIELD_CSC_NNZ;
        OK(hurray_descriptor_builder_set_u64(builder, field, 0, nnz));
    }
    return finished(builder);
}

#endif
