// What Go calls: functions of hurray.h in bundles, so that one crossing from Go gives a status, its text and a result.
//
// Handles and addresses are integers here. Memory of the C side means nothing to Go's collector, and memory of Go that
// C keeps is pinned by the package above; as integers neither is scanned or checked on the way.
#ifndef HURRAY_GO_GLUE_H
#define HURRAY_GO_GLUE_H

#include <hurray.h>

// What a call gives back beside its status. The fields above `handle` are written on failure only.
typedef struct {
  uint64_t offset;  // in the input, UINT64_MAX: none
  int32_t os_error;
  uint32_t text_length;
  char text[512];
  uintptr_t options;  // before the call: what outlives it, or 0
  uintptr_t handle;   // a handle or an address
  uint64_t number[4];
} HgCall;

typedef struct {
  uint32_t id;
  uint64_t value;
} HgOption;

typedef struct {
  uint64_t byte_size;
  uint32_t alignment;
  uint8_t device, sync_mode, memory_class;
} HgEntry;

typedef struct {
  uintptr_t data;  // as given; 0 for an empty buffer
  uint64_t byte_size;
  uint32_t alignment, flags, lead;
  int32_t device_id;
  uint8_t device, sync_mode, memory_class, is_host;
} HgBuffer;

typedef struct {
  uintptr_t data;
  uint64_t shape[64];
  int64_t byte_strides[64];
  uint32_t rank, flags;
  uint8_t element_type;
} HgView;

typedef struct {
  uintptr_t data;
  uint64_t length;
} HgPiece;

// glue.c
int32_t hg_done(HurrayStatus status, HgCall* call);
uintptr_t hg_library_path(void);
int32_t hg_options(const HgOption* pairs, size_t count, const HgCall* call, HurrayOptions** out);
void hg_options_end(HurrayOptions* options, const HgCall* call);
int32_t hg_options_new(const HgOption* pairs, size_t count, HgCall* call);
void hg_options_cancel(uintptr_t options);
void hg_options_progress(uintptr_t options, uint64_t* done, uint64_t* total);
void hg_options_destroy(uintptr_t options);

// glue_buffer.c
int32_t hg_buffer_from_memory(uintptr_t data, uint64_t byte_size, uint32_t alignment, uint32_t flags, uintptr_t owner,
                              HgCall* call);
int32_t hg_buffer_alloc(uint64_t byte_size, uint32_t alignment, HgCall* call);
int32_t hg_buffer_share(uintptr_t buffer, HgCall* call);
int32_t hg_buffer_info(uintptr_t buffer, HgBuffer* out, HgCall* call);
void hg_buffer_destroy(uintptr_t buffer);

// glue_descriptor.c: `number[0]` is the true length of what was read.
int32_t hg_descriptor_decode(const uint8_t* bytes, size_t length, uint32_t flags, uint64_t* words, size_t room,
                             HgCall* call);
int32_t hg_descriptor_from_fields(const uint64_t* words, size_t length, HgCall* call);
int32_t hg_descriptor_build(uint8_t type, uint8_t layout, const uint64_t* shape, size_t rank, const uint64_t* words,
                            size_t length, const HgEntry* entries, size_t count, int default_buffers, HgCall* call);
int32_t hg_descriptor_fields(uintptr_t descriptor, uint64_t* words, size_t room, HgCall* call);
int32_t hg_descriptor_encode(uintptr_t descriptor, uint8_t* out, size_t room, HgCall* call);
int32_t hg_descriptor_describe(uintptr_t descriptor, char* out, size_t room, HgCall* call);
int32_t hg_descriptor_annotate(uintptr_t descriptor, char* out, size_t room, HgCall* call);
void hg_descriptor_destroy(uintptr_t descriptor);

// glue_tensor.c
int32_t hg_list(const uintptr_t* buffers, size_t count, HurrayBufferList** out);
int32_t hg_tensor_from_array(uint8_t type, const uint64_t* shape, size_t rank, const int64_t* byte_strides,
                             uintptr_t data, uint32_t flags, const HgOption* options, size_t count, uintptr_t owner,
                             HgCall* call);
int32_t hg_tensor_from_buffers(uintptr_t descriptor, const uintptr_t* buffers, size_t count, HgCall* call);
int32_t hg_tensor_share(uintptr_t tensor, HgCall* call);
int32_t hg_tensor_abi_version(uintptr_t tensor, HgCall* call);
int32_t hg_tensor_descriptor(uintptr_t tensor, HgCall* call);
int32_t hg_tensor_buffer_count(uintptr_t tensor, HgCall* call);
int32_t hg_tensor_buffer(uintptr_t tensor, uint64_t index, HgCall* call);
int32_t hg_tensor_describe(uintptr_t tensor, char* out, size_t room, HgCall* call);
int32_t hg_tensor_view(uintptr_t tensor, HgView* out, HgCall* call);
int32_t hg_tensor_part(uintptr_t tensor, uint32_t role, uint32_t level, HgCall* call);
void hg_tensor_destroy(uintptr_t tensor);

// glue_convert.c
int32_t hg_tensor_to_layout(uintptr_t tensor, uintptr_t target, uintptr_t into, const HgOption* options, size_t count,
                            HgCall* call);
int32_t hg_tensor_dequantize(uintptr_t tensor, uint8_t type, uintptr_t into, const HgOption* options, size_t count,
                             HgCall* call);
int32_t hg_tensor_unpack(uintptr_t tensor, uintptr_t into, const HgOption* options, size_t count, HgCall* call);
int32_t hg_tensor_pack(uintptr_t tensor, uint8_t type, uintptr_t into, const HgOption* options, size_t count,
                       HgCall* call);
int32_t hg_tensor_quantize(uintptr_t tensor, uintptr_t target, const uintptr_t* parameters, size_t parameter_count,
                           uintptr_t into, const HgOption* options, size_t count, HgCall* call);
int32_t hg_tensor_slice(uintptr_t tensor, const int64_t* start, const int64_t* stop, const int64_t* step, size_t rank,
                        const HgOption* options, size_t count, HgCall* call);
int32_t hg_tensor_statistics(uintptr_t tensor, const HgOption* options, size_t count, HgCall* call);
int32_t hg_tensor_gather(uintptr_t tensor, const uint64_t* lengths, size_t length_count, uintptr_t into,
                         const HgOption* options, size_t count, HgCall* call);
int32_t hg_tensor_scatter(uintptr_t tensor, uintptr_t paged, const uint64_t* lengths, size_t length_count,
                          const HgOption* options, size_t count, HgCall* call);
int32_t hg_tensor_check_data(uintptr_t tensor, const HgOption* options, size_t count, HgCall* call);
int32_t hg_item_assemble(uintptr_t item, uintptr_t into, const HgOption* options, size_t count, HgCall* call);
int32_t hg_tensor_element_offset(uintptr_t tensor, const uint64_t* index, size_t length, HgCall* call);
int32_t hg_descriptor_element_offset(uintptr_t descriptor, const uint64_t* index, size_t length, HgCall* call);

// glue_dlpack.c
int32_t hg_tensor_to_dlpack(uintptr_t tensor, int versioned, const HgOption* options, size_t count, HgCall* call);
int32_t hg_tensor_from_dlpack(uintptr_t address, int versioned, const HgOption* options, size_t count, HgCall* call);
int32_t hg_tensor_dlpack_device(uintptr_t tensor, HgCall* call);

// glue_item.c
int32_t hg_item_from_tensor(uintptr_t tensor, HgCall* call);
int32_t hg_item_composite(uintptr_t head, const uintptr_t* members, size_t count, HgCall* call);
int32_t hg_item_kind(uintptr_t item, HgCall* call);
int32_t hg_item_tensor(uintptr_t item, HgCall* call);
int32_t hg_item_head(uintptr_t item, HgCall* call);
int32_t hg_item_data(uintptr_t item, HgCall* call);
int32_t hg_item_member(uintptr_t item, uint64_t index, HgCall* call);
void hg_item_destroy(uintptr_t item);

// glue_file.c
int32_t hg_file_open(const char* path, size_t length, const HgOption* options, size_t count, HgCall* call);
int32_t hg_file_open_fd(int64_t fd, const HgOption* options, size_t count, HgCall* call);
int32_t hg_file_open_buffer(uintptr_t buffer, const HgOption* options, size_t count, HgCall* call);
int32_t hg_file_open_callback(uintptr_t context, uint64_t size, const HgOption* options, size_t count, HgCall* call);
int32_t hg_file_find(uintptr_t reader, const char* name, size_t length, HgCall* call);
int32_t hg_file_names(uintptr_t reader, uint8_t* bytes, size_t room, uint64_t* ends, size_t count, HgCall* call);
int32_t hg_file_descriptor(uintptr_t reader, uint64_t index, HgCall* call);
int32_t hg_file_tensor(uintptr_t reader, uint64_t index, HgCall* call);
int32_t hg_file_range(uintptr_t reader, uint64_t index, HgCall* call);
int32_t hg_file_read(uintptr_t reader, uint64_t index, uint64_t buffer, uint64_t offset, uint8_t* out, size_t length,
                     HgCall* call);
int32_t hg_file_items(uintptr_t reader, uint64_t* entries, uint64_t room, HgCall* call);
int32_t hg_file_item(uintptr_t reader, uint64_t index, HgCall* call);
int32_t hg_file_advise(uintptr_t reader, uint64_t index, uint32_t advice, HgCall* call);
int32_t hg_file_kv_count(uintptr_t reader, HgCall* call);
int32_t hg_file_kv_key(uintptr_t reader, uint64_t i, char* out, size_t room, HgCall* call);
int32_t hg_file_kv_find(uintptr_t reader, const char* key, size_t length, HgCall* call);
int32_t hg_file_kv_type(uintptr_t reader, uint64_t i, HgCall* call);
int32_t hg_file_kv_u64(uintptr_t reader, uint64_t i, uint64_t* out, size_t room, HgCall* call);
int32_t hg_file_kv_i64(uintptr_t reader, uint64_t i, int64_t* out, size_t room, HgCall* call);
int32_t hg_file_kv_f64(uintptr_t reader, uint64_t i, double* out, size_t room, HgCall* call);
int32_t hg_file_kv_packed(uintptr_t reader, uint64_t i, uint8_t* bytes, size_t room, uint64_t* ends, size_t count,
                          HgCall* call);
void hg_file_destroy(uintptr_t reader);

// glue_file_writer.c
int32_t hg_writer_create(const char* path, size_t length, const HgOption* options, size_t count, HgCall* call);
int32_t hg_writer_to_callback(uintptr_t context, const HgOption* options, size_t count, HgCall* call);
int32_t hg_writer_put(uintptr_t writer, const char* name, size_t length, uintptr_t item, HgCall* call);
int32_t hg_writer_put_tensor(uintptr_t writer, const char* name, size_t length, uintptr_t tensor, HgCall* call);
int32_t hg_writer_kv_u64(uintptr_t writer, const char* key, size_t length, uint8_t type, uint8_t is_array,
                         const uint64_t* values, size_t count, HgCall* call);
int32_t hg_writer_kv_i64(uintptr_t writer, const char* key, size_t length, uint8_t type, uint8_t is_array,
                         const int64_t* values, size_t count, HgCall* call);
int32_t hg_writer_kv_f64(uintptr_t writer, const char* key, size_t length, uint8_t type, uint8_t is_array,
                         const double* values, size_t count, HgCall* call);
int32_t hg_writer_kv_packed(uintptr_t writer, const char* key, size_t length, uint8_t type, uint8_t is_array,
                            const uint8_t* bytes, size_t bytes_length, const uint64_t* ends, size_t count,
                            HgCall* call);
int32_t hg_writer_finish(uintptr_t writer, HgCall* call);
void hg_writer_destroy(uintptr_t writer);

// glue_stream.c
int32_t hg_reader_new(const HgOption* options, size_t count, HgCall* call);
int32_t hg_reader_step(uintptr_t reader, uint64_t arrived, int finished, HgCall* call);
int32_t hg_reader_stream_id(uintptr_t reader, HgCall* call);
int32_t hg_reader_unread(uintptr_t reader, HgCall* call);
int32_t hg_reader_reply(uintptr_t reader, uint8_t* out, size_t room, HgCall* call);
void hg_reader_destroy(uintptr_t reader);
int32_t hg_sender_new(uint32_t form, uint32_t stream_id, uint64_t max_message_size, const HgOption* options,
                      size_t count, HgCall* call);
int32_t hg_sender_put(uintptr_t writer, uintptr_t item, HgPiece* pieces, size_t room, HgCall* call);
int32_t hg_sender_put_tensor(uintptr_t writer, uintptr_t tensor, HgPiece* pieces, size_t room, HgCall* call);
int32_t hg_sender_sent(uintptr_t writer, uint64_t sent, HgPiece* pieces, size_t room, HgCall* call);
void hg_sender_destroy(uintptr_t writer);

#endif
