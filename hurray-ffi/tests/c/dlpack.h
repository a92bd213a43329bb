/* The structs of DLPack's published header, written down once for the tests in C and the adapters of the suite. */
#ifndef TEST_DLPACK_H
#define TEST_DLPACK_H

#include <stdint.h>

typedef struct {
  void* data;
  int32_t device_type, device_id, ndim;
  uint8_t code, bits;
  uint16_t lanes;
  int64_t *shape, *strides;
  uint64_t byte_offset;
} DlpackTensor;

struct DLManagedTensorVersioned {
  uint32_t major, minor;
  void* context;
  void (*deleter)(struct DLManagedTensorVersioned*);
  uint64_t flags;
  DlpackTensor tensor;
};

struct DLManagedTensor {
  DlpackTensor tensor;
  void* context;
  void (*deleter)(struct DLManagedTensor*);
};

#endif
