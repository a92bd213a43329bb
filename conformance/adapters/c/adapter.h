// clang-format Language: C
/* What the parts of the adapter share. */

#ifndef ADAPTER_H
#define ADAPTER_H

#include "json.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/** A handle of the library, destroyed when the request ends. */
typedef HurrayStatus (*Destroy)(void **handle);
void keep(void *handle, Destroy destroy);
/** The library has taken it. */
void forget(const void *handle);
/** Destroys what was kept since there were so many; all of it with 0. */
size_t kept(void);
void release(size_t down_to);

#define KEEP(handle, type) keep((handle), (Destroy)(void (*)(void))hurray_##type##_destroy)

/* show.c: a key and its value are written */
void put_descriptor(const HurrayDescriptor *descriptor);
void put_tensor(const HurrayTensor *tensor);
void put_item(const HurrayItem *item);
void put_tag(uint32_t space, uint64_t tag);
void put_statistics(const HurrayDescriptor *descriptor);

/* make.c */
uint8_t tag_of(uint32_t space, const Json *value);
HurrayDescriptor *make_descriptor(const Json *fields, const uint64_t *sizes, size_t count);
/** With the buffers that its layout needs. */
HurrayDescriptor *make_target(const Json *fields);
HurrayTensor *make_tensor(const Json *item);
HurrayItem *make_item(const Json *item);
void bind_tensor(const Json *request);

/* files.c, streams.c */
HurrayOptions *make_options(const Json *fields);
HurrayBuffer *copy_bytes(const void *bytes, size_t size);
void read_file(const Json *request);
void write_file(const Json *request);
void visit_file(const uint8_t *bytes, size_t size, const HurrayOptions *options);
void read_stream(const Json *request);
void write_stream(const Json *request);
void visit_stream(const uint8_t *bytes, size_t size, const HurrayOptions *options);

/* arrays.c, convert.c, structs.c */
void use_array(const Json *request);
void convert(const Json *request);
void export_struct(const Json *request);
void import_struct(const Json *request);

/** When the request fails, what was written so far stays in the answer, with this behind it. */
void keep_answer(const char *end);

#endif
