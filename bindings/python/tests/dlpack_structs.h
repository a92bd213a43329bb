/* DLPack's published header 1.3, written down once more: what the producer of the tests makes. */
#ifndef TEST_DLPACK_STRUCTS_H
#define TEST_DLPACK_STRUCTS_H

#include <stdint.h>

typedef struct {
  void* data;
  int32_t device_type, device_id, ndim;
  uint8_t code, bits;
  uint16_t lanes;
  int64_t *shape, *strides;
  uint64_t byte_offset;
} Array;

typedef struct Versioned {
  uint32_t major, minor;
  void* context;
  void (*deleter)(struct Versioned*);
  uint64_t flags;
  Array array;
} Versioned;

typedef struct Unversioned {
  Array array;
  void* context;
  void (*deleter)(struct Unversioned*);
} Unversioned;

typedef struct Header {
  uint32_t major, minor;
  struct Header* previous;
} Header;

typedef void (*SetError)(void* context, const char* kind, const char* message);

typedef struct {
  Header header;
  int (*allocate)(Array* prototype, Versioned** out, void* context, SetError set_error);
  int (*from_python)(void* object, Versioned** out);
  int (*to_python)(Versioned* managed, void** out);
  int (*borrow)(void* object, Array* out);
  int (*current_stream)(int32_t device_type, int32_t device_id, void** out);
} Table;

#endif
