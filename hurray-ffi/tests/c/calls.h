// clang-format Language: C
/* Every exported function that takes a handle first, each with arguments that are good as far as they go. A test
 * defines `CALL(function, type, arguments)`, in which `subject` is the handle; outputs go into `o`. */
#ifndef CALLS_H
#define CALLS_H

#include "samples.h"

static const HurrayItem *const no_members[1] = {NULL};

static struct {
    HurrayBuffer *buffer;
    HurrayBufferList *list;
    HurrayDescriptor *descriptor;
    HurrayTensor *tensor;
    HurrayItem *item;
    HurrayFileReader *reader;
    HurrayFileWriter *writer;
    HurrayStreamReader *stream_reader;
    HurrayStreamWriter *stream_writer;
    HurraySlice slices[4];
    void *data;
    uint8_t u8, bytes[8];
    char text[512];
    int32_t i32;
    uint32_t u32;
    uint64_t u64, other_u64, u64s[512];
    int64_t i64, i64s[8];
    double f64;
    size_t len, other_len;
    DLManagedTensorVersioned *versioned;
    DLManagedTensor *unversioned;
} o;

static const uint64_t one_by_one[2] = {1, 1};
static const int64_t strides_of_one[2] = {1, 1};

static inline void ignore_event(void *event, void *context) {
    (void)event;
    (void)context;
}

static inline int64_t no_read(void *context, uint64_t offset, uint8_t *out, uint64_t len) {
    (void)context;
    (void)offset;
    (void)out;
    (void)len;
    return -5;
}

static inline int32_t no_write(void *context, const uint8_t *bytes, uint64_t len) {
    (void)context;
    (void)bytes;
    (void)len;
    return 28;
}

/* clang-format off */

#define OPTIONS_CALLS(CALL) \
    CALL(hurray_options_set_u64, HurrayOptions, (subject, HURRAY_OPTION_COPY, 1)) \
    CALL(hurray_options_cancel, HurrayOptions, (subject)) \
    CALL(hurray_options_progress, HurrayOptions, (subject, &o.u64, &o.other_u64)) \
    CALL(hurray_tensor_from_dlpack, HurrayOptions, (&o.versioned, subject, &o.tensor)) \
    CALL(hurray_tensor_from_dlpack_unversioned, HurrayOptions, (&o.unversioned, subject, &o.tensor)) \
    CALL(hurray_tensor_from_array, HurrayOptions, \
         (HURRAY_TYPE_INT8, one_by_one, 2, NULL, sample_memory, 0, 0, 0, 0, subject, NULL, NULL, &o.tensor))

/* Calls that open: options may be NULL. */
#define OPENING_CALLS(CALL) \
    CALL(hurray_file_reader_open, HurrayOptions, ("/nowhere/at/all", 15, subject, &o.reader)) \
    CALL(hurray_file_reader_open_fd, HurrayOptions, (-1, subject, &o.reader)) \
    CALL(hurray_file_reader_open_callback, HurrayOptions, (no_read, NULL, NULL, 0, subject, &o.reader)) \
    CALL(hurray_file_writer_create, HurrayOptions, ("/nowhere/at/all", 15, subject, &o.writer)) \
    CALL(hurray_file_writer_to_callback, HurrayOptions, (no_write, NULL, NULL, subject, &o.writer)) \
    CALL(hurray_file_writer_to_memory, HurrayOptions, (subject, &o.writer)) \
    CALL(hurray_stream_reader_new, HurrayOptions, (subject, &o.stream_reader)) \
    CALL(hurray_stream_writer_new, HurrayOptions, (HURRAY_STREAM_BARE, 0, 0, subject, &o.stream_writer))

#define STREAM_READER_CALLS(CALL) \
    CALL(hurray_stream_reader_window, HurrayStreamReader, (subject, (uint8_t**)&o.data, &o.len)) \
    CALL(hurray_stream_reader_advance, HurrayStreamReader, (subject, 0)) \
    CALL(hurray_stream_reader_feed, HurrayStreamReader, (subject, o.bytes, 0, &o.len)) \
    CALL(hurray_stream_reader_next, HurrayStreamReader, (subject, &o.item)) \
    CALL(hurray_stream_reader_finish, HurrayStreamReader, (subject)) \
    CALL(hurray_stream_reader_pending, HurrayStreamReader, (subject, &o.descriptor)) \
    CALL(hurray_stream_reader_provide_buffer, HurrayStreamReader, (subject, 0, o.buffer)) \
    CALL(hurray_stream_reader_stream_id, HurrayStreamReader, (subject, &o.u32)) \
    CALL(hurray_stream_reader_unread, HurrayStreamReader, (subject, (const uint8_t**)&o.data, &o.len)) \
    CALL(hurray_stream_reader_reply, HurrayStreamReader, (subject, o.bytes, &o.len)) \
    CALL(hurray_stream_read_fd, HurrayStreamReader, (subject, -1, &o.item))

#define STREAM_WRITER_CALLS(CALL) \
    CALL(hurray_stream_writer_put, HurrayStreamWriter, (subject, o.item)) \
    CALL(hurray_stream_writer_chunks, HurrayStreamWriter, (subject, o.slices, &o.len)) \
    CALL(hurray_stream_writer_advance, HurrayStreamWriter, (subject, 0)) \
    CALL(hurray_stream_write_fd, HurrayStreamWriter, (subject, -1))

#define FILE_READER_CALLS(CALL) \
    CALL(hurray_file_reader_entry_count, HurrayFileReader, (subject, &o.u64)) \
    CALL(hurray_file_reader_entry_find, HurrayFileReader, (subject, "x", 1, &o.u64)) \
    CALL(hurray_file_reader_entry_names, HurrayFileReader, (subject, o.bytes, &o.len, o.u64s, &o.other_len)) \
    CALL(hurray_file_reader_entry_descriptor, HurrayFileReader, (subject, 0, &o.descriptor)) \
    CALL(hurray_file_reader_entry_tensor, HurrayFileReader, (subject, 0, &o.tensor)) \
    CALL(hurray_file_reader_entry_range, HurrayFileReader, (subject, 0, &o.u64, &o.other_u64)) \
    CALL(hurray_file_reader_entry_read, HurrayFileReader, (subject, 0, 0, 0, o.bytes, sizeof o.bytes)) \
    CALL(hurray_file_reader_item_count, HurrayFileReader, (subject, &o.u64)) \
    CALL(hurray_file_reader_item_entry, HurrayFileReader, (subject, 0, &o.u64)) \
    CALL(hurray_file_reader_item, HurrayFileReader, (subject, 0, &o.item)) \
    CALL(hurray_file_reader_kv_count, HurrayFileReader, (subject, &o.u64)) \
    CALL(hurray_file_reader_kv_key, HurrayFileReader, (subject, 0, o.text, &o.len)) \
    CALL(hurray_file_reader_kv_find, HurrayFileReader, (subject, "k", 1, &o.u64)) \
    CALL(hurray_file_reader_kv_type, HurrayFileReader, (subject, 0, &o.u8, &o.bytes[0], &o.u64)) \
    CALL(hurray_file_reader_kv_u64, HurrayFileReader, (subject, 0, o.u64s, &o.len)) \
    CALL(hurray_file_reader_kv_i64, HurrayFileReader, (subject, 0, o.i64s, &o.len)) \
    CALL(hurray_file_reader_kv_f64, HurrayFileReader, (subject, 0, &o.f64, &o.len)) \
    CALL(hurray_file_reader_kv_packed, HurrayFileReader, (subject, 0, o.bytes, &o.len, o.u64s, &o.other_len)) \
    CALL(hurray_file_reader_advise, HurrayFileReader, (subject, 0, HURRAY_ADVICE_NORMAL))

#define FILE_WRITER_CALLS(CALL) \
    CALL(hurray_file_writer_put, HurrayFileWriter, (subject, "x", 1, o.item)) \
    CALL(hurray_file_writer_kv_set_u64, HurrayFileWriter, (subject, "k", 1, HURRAY_KV_UINT64, 0, one_by_one, 1)) \
    CALL(hurray_file_writer_kv_set_i64, HurrayFileWriter, (subject, "k", 1, HURRAY_KV_INT64, 0, strides_of_one, 1)) \
    CALL(hurray_file_writer_kv_set_f64, HurrayFileWriter, (subject, "k", 1, HURRAY_KV_FLOAT64, 0, &o.f64, 1)) \
    CALL(hurray_file_writer_kv_set_packed, HurrayFileWriter, \
         (subject, "k", 1, HURRAY_KV_BYTES, 1, o.bytes, 0, one_by_one, 0)) \
    CALL(hurray_file_writer_finish, HurrayFileWriter, (subject)) \
    CALL(hurray_file_writer_take_buffer, HurrayFileWriter, (subject, &o.buffer))

#define BUFFER_CALLS(CALL) \
    CALL(hurray_file_reader_open_buffer, HurrayBuffer, (subject, NULL, &o.reader)) \
    CALL(hurray_buffer_data_ptr, HurrayBuffer, (subject, &o.data)) \
    CALL(hurray_buffer_host_ptr, HurrayBuffer, (subject, &o.data)) \
    CALL(hurray_buffer_byte_size, HurrayBuffer, (subject, &o.u64)) \
    CALL(hurray_buffer_alignment, HurrayBuffer, (subject, &o.u32)) \
    CALL(hurray_buffer_device_tag, HurrayBuffer, (subject, &o.u8)) \
    CALL(hurray_buffer_sync_mode, HurrayBuffer, (subject, &o.u8)) \
    CALL(hurray_buffer_memory_class, HurrayBuffer, (subject, &o.u8)) \
    CALL(hurray_buffer_flags, HurrayBuffer, (subject, &o.u32)) \
    CALL(hurray_buffer_device_id, HurrayBuffer, (subject, &o.i32)) \
    CALL(hurray_buffer_lead, HurrayBuffer, (subject, &o.u32)) \
    CALL(hurray_buffer_set_flags, HurrayBuffer, (subject, HURRAY_BUFFER_HOST_POINTER)) \
    CALL(hurray_buffer_set_device_id, HurrayBuffer, (subject, 1)) \
    CALL(hurray_buffer_set_lead, HurrayBuffer, (subject, 2)) \
    CALL(hurray_buffer_handoff_producer_synced, HurrayBuffer, (subject, NULL, NULL)) \
    CALL(hurray_buffer_handoff_event, HurrayBuffer, (subject, &o, 0, ignore_event)) \
    CALL(hurray_buffer_handoff_consumer_stream, HurrayBuffer, (subject, &o, 0)) \
    CALL(hurray_buffer_share, HurrayBuffer, (subject, &o.buffer))

#define LIST_CALLS(CALL) \
    CALL(hurray_buffer_list_push, HurrayBufferList, (subject, o.buffer)) \
    CALL(hurray_buffer_list_len, HurrayBufferList, (subject, &o.u64)) \
    CALL(hurray_buffer_list_get, HurrayBufferList, (subject, 0, &o.buffer)) \
    CALL(hurray_tensor_new, HurrayBufferList, \
         (HURRAY_C_ABI_VERSION, DENSE, sizeof DENSE, subject, NULL, NULL, &o.tensor))

#define DESCRIPTOR_CALLS(CALL) \
    CALL(hurray_descriptor_encode, HurrayDescriptor, (subject, o.bytes, &o.len)) \
    CALL(hurray_descriptor_element_type_tag, HurrayDescriptor, (subject, &o.u8)) \
    CALL(hurray_descriptor_layout_tag, HurrayDescriptor, (subject, &o.u8)) \
    CALL(hurray_descriptor_rank, HurrayDescriptor, (subject, &o.u32)) \
    CALL(hurray_descriptor_buffer_count, HurrayDescriptor, (subject, &o.u32)) \
    CALL(hurray_descriptor_flags, HurrayDescriptor, (subject, &o.u32)) \
    CALL(hurray_descriptor_byte_offset, HurrayDescriptor, (subject, &o.u64)) \
    CALL(hurray_descriptor_shape, HurrayDescriptor, (subject, o.u64s, &o.len)) \
    CALL(hurray_descriptor_describe, HurrayDescriptor, (subject, o.text, &o.len)) \
    CALL(hurray_descriptor_annotate, HurrayDescriptor, (subject, o.text, &o.len)) \
    CALL(hurray_descriptor_field_u64, HurrayDescriptor, (subject, HURRAY_HEADER_FIELD_RANK, 0, &o.u64)) \
    CALL(hurray_descriptor_field_i64, HurrayDescriptor, (subject, HURRAY_HEADER_FIELD_RANK, 0, &o.i64)) \
    CALL(hurray_descriptor_field_f64, HurrayDescriptor, (subject, HURRAY_HEADER_FIELD_RANK, 0, &o.f64)) \
    CALL(hurray_descriptor_field_u64_array, HurrayDescriptor, \
         (subject, HURRAY_HEADER_FIELD_SHAPE, 0, o.u64s, &o.len)) \
    CALL(hurray_descriptor_field_i64_array, HurrayDescriptor, \
         (subject, HURRAY_HEADER_FIELD_SHAPE, 0, o.i64s, &o.len)) \
    CALL(hurray_descriptor_field_bytes, HurrayDescriptor, (subject, HURRAY_HEADER_FIELD_SHAPE, 0, o.bytes, &o.len)) \
    CALL(hurray_descriptor_fields, HurrayDescriptor, (subject, o.u64s, &o.len)) \
    CALL(hurray_descriptor_element_offset, HurrayDescriptor, (subject, one_by_one, 2, &o.u64)) \
    CALL(hurray_tensor_from_descriptor, HurrayDescriptor, (subject, o.list, NULL, NULL, &o.tensor)) \
    CALL(hurray_item_composite_new, HurrayDescriptor, (subject, no_members, 0, &o.item))

#define BUILDER_CALLS(CALL) \
    CALL(hurray_descriptor_builder_set_u64, HurrayDescriptorBuilder, (subject, HURRAY_HEADER_FIELD_BYTE_OFFSET, 0, 0)) \
    CALL(hurray_descriptor_builder_set_i64, HurrayDescriptorBuilder, (subject, HURRAY_HEADER_FIELD_BYTE_OFFSET, 0, 0)) \
    CALL(hurray_descriptor_builder_set_f64, HurrayDescriptorBuilder, (subject, HURRAY_HEADER_FIELD_BYTE_OFFSET, 0, 0)) \
    CALL(hurray_descriptor_builder_set_u64_array, HurrayDescriptorBuilder, \
         (subject, HURRAY_SHARD_FIELD_OFFSET, 0, one_by_one, 2)) \
    CALL(hurray_descriptor_builder_set_i64_array, HurrayDescriptorBuilder, \
         (subject, HURRAY_LAYOUT_FIELD_STRIDED_STRIDES, 0, strides_of_one, 2)) \
    CALL(hurray_descriptor_builder_set_bytes, HurrayDescriptorBuilder, \
         (subject, HURRAY_LAYOUT_FIELD_PRIVATE_DATA, 0, DENSE, 2)) \
    CALL(hurray_descriptor_builder_push_buffer, HurrayDescriptorBuilder, (subject, 64, 64, 0, 0, 0)) \
    CALL(hurray_descriptor_builder_push_default_buffers, HurrayDescriptorBuilder, (subject)) \
    CALL(hurray_descriptor_builder_finish, HurrayDescriptorBuilder, (subject, &o.descriptor))

#define TENSOR_CALLS(CALL) \
    CALL(hurray_tensor_descriptor, HurrayTensor, (subject, &o.descriptor)) \
    CALL(hurray_tensor_buffers, HurrayTensor, (subject, &o.list)) \
    CALL(hurray_tensor_describe, HurrayTensor, (subject, o.text, &o.len)) \
    CALL(hurray_tensor_array_view, HurrayTensor, (subject, &o.data, o.u64s, o.i64s, &o.len, &o.u32)) \
    CALL(hurray_tensor_share, HurrayTensor, (subject, &o.tensor)) \
    CALL(hurray_tensor_part, HurrayTensor, (subject, HURRAY_ROLE_VALUES, 0, &o.tensor)) \
    CALL(hurray_item_from_tensor, HurrayTensor, (subject, &o.item)) \
    CALL(hurray_tensor_to_layout, HurrayTensor, (subject, NULL, NULL, NULL, &o.u64, &o.tensor)) \
    CALL(hurray_tensor_statistics, HurrayTensor, (subject, NULL, &o.descriptor)) \
    CALL(hurray_tensor_slice, HurrayTensor, \
         (subject, strides_of_one, strides_of_one, NULL, 2, NULL, &o.u64, &o.tensor)) \
    CALL(hurray_tensor_gather, HurrayTensor, (subject, NULL, 0, NULL, NULL, &o.u64, &o.tensor)) \
    CALL(hurray_tensor_scatter, HurrayTensor, (subject, subject, NULL, 0, NULL, &o.u64)) \
    CALL(hurray_tensor_check_data, HurrayTensor, (subject, NULL)) \
    CALL(hurray_tensor_element_offset, HurrayTensor, (subject, one_by_one, 2, &o.u64)) \
    CALL(hurray_tensor_dequantize, HurrayTensor, (subject, HURRAY_TYPE_FLOAT32, NULL, NULL, &o.u64, &o.tensor)) \
    CALL(hurray_tensor_quantize, HurrayTensor, (subject, NULL, NULL, NULL, NULL, &o.u64, &o.tensor)) \
    CALL(hurray_tensor_unpack, HurrayTensor, (subject, NULL, NULL, &o.u64, &o.tensor)) \
    CALL(hurray_tensor_pack, HurrayTensor, (subject, HURRAY_TYPE_INT4, NULL, NULL, &o.u64, &o.tensor)) \
    CALL(hurray_tensor_to_dlpack, HurrayTensor, (subject, NULL, &o.versioned)) \
    CALL(hurray_tensor_to_dlpack_unversioned, HurrayTensor, (subject, NULL, &o.unversioned)) \
    CALL(hurray_tensor_dlpack_device, HurrayTensor, (subject, &o.i32, &o.i32))

#define ITEM_CALLS(CALL) \
    CALL(hurray_item_kind, HurrayItem, (subject, &o.u32)) \
    CALL(hurray_item_tensor, HurrayItem, (subject, &o.tensor)) \
    CALL(hurray_item_head, HurrayItem, (subject, &o.descriptor)) \
    CALL(hurray_item_assemble, HurrayItem, (subject, NULL, NULL, &o.u64, &o.tensor)) \
    CALL(hurray_item_member_count, HurrayItem, (subject, &o.u64)) \
    CALL(hurray_item_member, HurrayItem, (subject, 0, &o.item)) \
    CALL(hurray_item_share, HurrayItem, (subject, &o.item)) \
    CALL(hurray_item_data, HurrayItem, (subject, &o.tensor))

/* All of them; `hurray_tensor_abi_version` and the destroys, which work on any version, stand apart. */
#define ALL_CALLS(CALL) \
    OPTIONS_CALLS(CALL) BUFFER_CALLS(CALL) LIST_CALLS(CALL) DESCRIPTOR_CALLS(CALL) BUILDER_CALLS(CALL) \
    TENSOR_CALLS(CALL) ITEM_CALLS(CALL) OPENING_CALLS(CALL) FILE_READER_CALLS(CALL) FILE_WRITER_CALLS(CALL) \
    STREAM_READER_CALLS(CALL) STREAM_WRITER_CALLS(CALL)

#define ALL_DESTROYS(DESTROY) \
    DESTROY(hurray_options_destroy, HurrayOptions) \
    DESTROY(hurray_buffer_destroy, HurrayBuffer) \
    DESTROY(hurray_buffer_list_destroy, HurrayBufferList) \
    DESTROY(hurray_descriptor_destroy, HurrayDescriptor) \
    DESTROY(hurray_descriptor_builder_destroy, HurrayDescriptorBuilder) \
    DESTROY(hurray_tensor_destroy, HurrayTensor) \
    DESTROY(hurray_item_destroy, HurrayItem) \
    DESTROY(hurray_file_reader_destroy, HurrayFileReader) \
    DESTROY(hurray_file_writer_destroy, HurrayFileWriter) \
    DESTROY(hurray_stream_reader_destroy, HurrayStreamReader) \
    DESTROY(hurray_stream_writer_destroy, HurrayStreamWriter)

/* clang-format on */

#endif
