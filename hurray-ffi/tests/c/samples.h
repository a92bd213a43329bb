// clang-format Language: C
/* Descriptors written by hand, byte for byte, and things that many tests make. */
#ifndef SAMPLES_H
#define SAMPLES_H

#include "test.h"

/* clang-format off: one part of the format to a line */

/* float32 [2, 3], row-major: 61 bytes, one buffer of 24 bytes. */
static const uint8_t DENSE[61] = {
    0x48, 0x52, 0x52, 0x59, 1, 0, 61, 0, 0,  0, 0, 0, 0, 0, 0x03, 0x01, 2, 0, 0, 0, /* magic ... rank */
    2,    0,    0,    0,    0, 0, 0,  0, 3,  0, 0, 0, 0, 0, 0,    0,                /* shape */
    0,    0,    0,    0,    0, 0, 0,  0, 1,                                         /* byte_offset, buffers */
    24,   0,    0,    0,    0, 0, 0,  0, 64, 0, 0, 0, 0, 0, 0,    0,
};

/* bfloat16 [2, 3, 5], strides -20, 6, 1 (specification 8.1): 93 bytes, one buffer of 80. */
static const uint8_t STRIDED[93] = {
    0x48, 0x52, 0x52, 0x59, 1,    0,    93,   0,    0,    0,    0,    0,    0, 0,  0x02, 0x03, 3, 0, 0, 0, 2,  0, 0, 0,
    0,    0,    0,    0,    3,    0,    0,    0,    0,    0,    0,    0,    5, 0,  0,    0,    0, 0, 0, 0, 40, 0, 0, 0,
    0,    0,    0,    0,    0xEC, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 6, 0,  0,    0,    0, 0, 0, 0, 1,  0, 0, 0,
    0,    0,    0,    0,    1,    80,   0,    0,    0,    0,    0,    0,    0, 64, 0,    0,    0, 0, 0, 0, 0,
};

/* float64 CSR [2, 3], 4 entries, on the CPU: 109 bytes; buffers of 32, 32 and 24. */
static const uint8_t CSR[109] =
    {
        0x48, 0x52, 0x52, 0x59, 1, 0, 109, 0, 0,  0,  0, 0, 0, 0, 0x04, 0x07, 2,  0,  0, 0, 2, 0, 0, 0, 0,
        0,    0,    0,    3,    0, 0, 0,   0, 0,  0,  0, 0, 0, 0, 0,    0,    0,  0,  0, 4, 0, 0, 0, 0, 0,
        0,    0,    0,    0,    0, 0, 0,   0, 0,  0, /* nnz, reserved */
        3,    32,   0,    0,    0, 0, 0,   0, 0,  64, 0, 0, 0, 0, 0,    0,    0,  32, 0, 0, 0, 0, 0, 0, 0,
        64,   0,    0,    0,    0, 0, 0,   0, 24, 0,  0, 0, 0, 0, 0,    0,    64, 0,  0, 0, 0, 0, 0, 0,
};

/* float64 CSR [3, 6], CUDA unified memory with events (specification 8.2): 109 bytes. */
static const uint8_t CUDA[109] = {
    0x48, 0x52, 0x52, 0x59, 1, 0,  109, 0, 0, 0,  0, 0, 0, 0,    0x04, 0x07, 2, 0,    0,    0, 3, 0,  0, 0, 0, 0, 0, 0,
    6,    0,    0,    0,    0, 0,  0,   0, 0, 0,  0, 0, 0, 0,    0,    0,    4, 0,    0,    0, 0, 0,  0, 0, 0, 0, 0, 0,
    0,    0,    0,    0,    3, 32, 0,   0, 0, 0,  0, 0, 0, 0x00, 0x10, 0,    0, 1,    1,    2, 0, 32, 0, 0, 0, 0, 0, 0,
    0,    0x00, 0x10, 0,    0, 1,  1,   2, 0, 32, 0, 0, 0, 0,    0,    0,    0, 0x00, 0x10, 0, 0, 1,  1, 2, 0,
};

/* int8 [4, 8], per channel on axis 1, with shard and statistics (specification 8.3): 221 bytes. */
static const uint8_t CHANNELS[221] = {
    0x48, 0x52, 0x52, 0x59, 1, 0,  0xDD, 0,    0, 0,  0x0B, 0,    0,    0,   0x10, 0x01, 2,  0,  0,    0,
    4,    0,    0,    0,    0, 0,  0,    0,    8, 0,  0,    0,    0,    0,   0,    0,    0,  0,  0,    0,
    0,    0,    0,    0,    3, 32, 0,    0,    0, 0,  0,    0,    0,    128, 0,    0,    0,  0,  0,    0,
    0,    32,   0,    0,    0, 0,  0,    0,    0, 64, 0,    0,    0,    0,   0,    0,    0,  32, 0,    0,
    0,    0,    0,    0,    0, 64, 0,    0,    0, 0,  0,    0,    0,    20,  0,    0,    0,  2,  1,    0,
    0,    1,    0,    0,    0, 1,  0,    0,    0, 2,  0,    0,    0,    3,   0,    0,    0, /* quantization */
    16,   0,    0,    0,    0, 0,  0,    0,    8, 0,  0,    0,    0,    0,   0,    0,    12, 0,  0,    0,
    0,    0,    0,    0,    0, 0,  0,    0,    0, 0,  0,    0,    0x2F, 0,   0,    0,    0,  0,  0,    0,
    29,   0,    0,    0,    0, 0,  0,    0, /* statistics: mask, reserved, nnz */
    0,    0,    0,    0,    0, 0,  0xB8, 0x3F, 0, 0,  0,    0,    0,    0,   0x1A, 0xC0, 0,  0,  0,    0,
    0,    0,    0x28, 0x40, 0, 0,  0,    0,    0, 0,  0x28, 0x40, 0,    0,   0,    0,    0,  0,  0xE0, 0x3F,
    0,    0,    0,    0,    0, 0,  0x02, 0x40, 0, 0,  0,    0,    0,    0,   0,    0,
};

/* The head of a group of two members, rank 0: 37 bytes. */
static const uint8_t GROUP[37] = {
    0x48, 0x52, 0x52, 0x59, 1, 0, 37, 0, 0, 0, 0, 0, 0, 0, 0x03, 0x0B, 0, 0, 0,
    0,    0,    0,    0,    0, 0, 0,  0, 0, 3, 0, 0, 0, 2, 0,    0,    0, 0, /* rule, op, reserved, members; no buffers
                                                                              */
};

/* Layout 0x0C, which does not exist: float32 [4], header, shape, byte_offset and three opaque bytes. Read permissively.
 */
static const uint8_t UNKNOWN[39] = {
    0x48, 0x52, 0x52, 0x59, 1, 0, 39, 0, 0, 0, 0, 0, 0, 0, 0x03, 0x0C, 1,    0,    0,    0,
    4,    0,    0,    0,    0, 0, 0,  0, 0, 0, 0, 0, 0, 0, 0,    0,    0xAA, 0xBB, 0xCC,
};

/* clang-format on */

/* Memory that any buffer here may point at. */
#if defined(__cplusplus)
alignas(4096)
#else
_Alignas(4096)
#endif
    static unsigned char sample_memory[8192];

/* Counts its calls in the `int` it is given. */
static inline void count_release(void *data, void *context) {
    (void)data;
    ++*(int *)context;
}

static inline void count_owner(void *owner) { ++*(int *)owner; }

static inline HurrayBuffer *cpu_buffer(uint64_t byte_size, int *released) {
    HurrayBuffer *buffer = NULL;
    OK(hurray_buffer_from_ptr(sample_memory, byte_size, 64, HURRAY_DEVICE_CPU, HURRAY_SYNC_PRODUCER_SYNCED,
                              HURRAY_MEMORY_STANDARD, released ? count_release : NULL, released, &buffer));
    return buffer;
}

/* A list of buffers of `count` sizes; each counts its release. */
static inline HurrayBufferList *cpu_list(size_t count, const uint64_t *byte_sizes, int *released) {
    HurrayBufferList *list = NULL;
    OK(hurray_buffer_list_new(count, &list));
    for (size_t k = 0; k < count; k++) OK(hurray_buffer_list_push(list, cpu_buffer(byte_sizes[k], released)));
    return list;
}

static inline HurrayDescriptor *decoded(const uint8_t *bytes, size_t len) {
    HurrayDescriptor *descriptor = NULL;
    OK(hurray_descriptor_decode(bytes, len, &descriptor));
    return descriptor;
}

/* The tensor of `DENSE`; buffer and owner count their releases. */
static inline HurrayTensor *dense_tensor(int *released, int *owners) {
    const uint64_t sizes[1] = {24};
    HurrayTensor *tensor = NULL;
    OK(hurray_tensor_new(HURRAY_C_ABI_VERSION, DENSE, sizeof DENSE, cpu_list(1, sizes, released), owners,
                         owners ? count_owner : NULL, &tensor));
    return tensor;
}

#endif
