/* NULL for each pointer parameter in turn, all others good. A handle that is the subject of its call: handle.c. */
#include "calls.h"

#define NULLS(call) STATUS(HURRAY_ERR_NULL_POINTER, call)

static void library(void) {
    NULLS(hurray_last_error_message(o.text, NULL));
    OK(hurray_last_error_info(NULL, NULL, NULL)); /* each may be NULL */
    NULLS(hurray_live_handles(NULL));
    NULLS(hurray_tag_name(HURRAY_SPACE_LAYOUT, 1, NULL));
    NULLS(hurray_element_type_info(HURRAY_TYPE_INT8, NULL, &o.u32, &o.u32));
    NULLS(hurray_element_type_info(HURRAY_TYPE_INT8, &o.u32, NULL, &o.u32));
    NULLS(hurray_element_type_info(HURRAY_TYPE_INT8, &o.u32, &o.u32, NULL));
    NULLS(hurray_element_type_bytes(HURRAY_TYPE_INT8, 1, NULL));
}

static void options(void) {
    HurrayOptions *options = NULL;
    NULLS(hurray_options_new(NULL));
    OK(hurray_options_new(&options));
    NULLS(hurray_options_progress(options, NULL, &o.u64));
    NULLS(hurray_options_progress(options, &o.u64, NULL));
    OK(hurray_options_destroy(&options));
}

static void buffers(void) {
    HurrayBuffer *buffer = NULL;
    int released = 0;
    NULLS(hurray_buffer_from_ptr(NULL, 64, 64, 0, 0, 0, count_release, &released, &buffer));
    NULLS(hurray_buffer_from_ptr(sample_memory, 64, 64, 0, 0, 0, count_release, &released, NULL));
    EQUAL(0, released);
    OK(hurray_buffer_from_ptr(sample_memory, 64, 64, 0, 0, 0, NULL, NULL, &buffer)); /* no release is fine */
    NULLS(hurray_buffer_alloc(64, 64, NULL));
    NULLS(hurray_buffer_share(buffer, NULL));
    NULLS(hurray_buffer_data_ptr(buffer, NULL));
    NULLS(hurray_buffer_host_ptr(buffer, NULL));
    NULLS(hurray_buffer_byte_size(buffer, NULL));
    NULLS(hurray_buffer_alignment(buffer, NULL));
    NULLS(hurray_buffer_device_tag(buffer, NULL));
    NULLS(hurray_buffer_sync_mode(buffer, NULL));
    NULLS(hurray_buffer_memory_class(buffer, NULL));
    NULLS(hurray_buffer_flags(buffer, NULL));
    NULLS(hurray_buffer_device_id(buffer, NULL));
    NULLS(hurray_buffer_lead(buffer, NULL));
    OK(hurray_buffer_handoff_producer_synced(buffer, NULL, NULL)); /* a payload that is absent is judged, not refused */
    STATUS(HURRAY_ERR_SYNC_MODE_MISMATCH, hurray_buffer_handoff_event(buffer, NULL, 0, NULL));
    STATUS(HURRAY_ERR_SYNC_MODE_MISMATCH, hurray_buffer_handoff_consumer_stream(buffer, NULL, 0));
    OK(hurray_buffer_destroy(&buffer));
}

static void lists(void) {
    HurrayBufferList *list = NULL;
    NULLS(hurray_buffer_list_new(1, NULL));
    OK(hurray_buffer_list_new(1, &list));
    NULLS(hurray_buffer_list_push(list, NULL));
    OK(hurray_buffer_list_push(list, cpu_buffer(8, NULL)));
    NULLS(hurray_buffer_list_len(list, NULL));
    NULLS(hurray_buffer_list_get(list, 0, NULL));
    OK(hurray_buffer_list_destroy(&list));
}

/* (array NULL, length): no room for values is `HURRAY_ERR_BUFFER_TOO_SMALL`, whatever the length says. */
static void descriptors(void) {
    HurrayDescriptor *dense = decoded(DENSE, sizeof DENSE), *strided = decoded(STRIDED, sizeof STRIDED),
                     *unknown = NULL;
    NULLS(hurray_descriptor_decode(DENSE, sizeof DENSE, NULL));
    NULLS(hurray_descriptor_decode(NULL, sizeof DENSE, &unknown));
    NULLS(hurray_descriptor_decode_with(DENSE, sizeof DENSE, 0, NULL));
    NULLS(hurray_descriptor_decode_with(NULL, sizeof DENSE, 0, &unknown));
    OK(hurray_descriptor_decode_with(UNKNOWN, sizeof UNKNOWN, HURRAY_DECODE_PERMISSIVE, &unknown));
    NULLS(hurray_descriptor_encode(dense, o.bytes, NULL));
    NULLS(hurray_descriptor_element_type_tag(dense, NULL));
    NULLS(hurray_descriptor_layout_tag(dense, NULL));
    NULLS(hurray_descriptor_rank(dense, NULL));
    NULLS(hurray_descriptor_buffer_count(dense, NULL));
    NULLS(hurray_descriptor_flags(dense, NULL));
    NULLS(hurray_descriptor_byte_offset(dense, NULL));
    NULLS(hurray_descriptor_shape(dense, o.u64s, NULL));
    NULLS(hurray_descriptor_describe(dense, o.text, NULL));
    NULLS(hurray_descriptor_annotate(dense, o.text, NULL));
    NULLS(hurray_descriptor_field_u64(dense, HURRAY_HEADER_FIELD_RANK, 0, NULL));
    NULLS(hurray_descriptor_field_i64(dense, HURRAY_QUANT_FIELD_PER_TENSOR_ZERO_POINT, 0, NULL));
    NULLS(hurray_descriptor_field_f64(dense, HURRAY_STATS_FIELD_MIN, 0, NULL));
    NULLS(hurray_descriptor_field_u64_array(dense, HURRAY_HEADER_FIELD_SHAPE, 0, o.u64s, NULL));
    NULLS(hurray_descriptor_field_i64_array(strided, HURRAY_LAYOUT_FIELD_STRIDED_STRIDES, 0, o.i64s, NULL));
    NULLS(hurray_descriptor_field_bytes(unknown, HURRAY_LAYOUT_FIELD_UNKNOWN_DATA, 0, o.bytes, NULL));
    NULLS(hurray_descriptor_fields(dense, o.u64s, NULL));
    NULLS(hurray_descriptor_from_fields(o.u64s, 1, NULL));
    HurrayDescriptor *none = NULL;
    NULLS(hurray_descriptor_from_fields(NULL, 5, &none));
    STATUS(HURRAY_ERR_INVALID_DESCRIPTOR,
           hurray_descriptor_from_fields(NULL, 0, &none)); /* empty: fields are missing */
    CHECK(none == NULL);
    OK(hurray_descriptor_destroy(&dense));
    OK(hurray_descriptor_destroy(&strided));
    OK(hurray_descriptor_destroy(&unknown));
}

static void builders(void) {
    HurrayDescriptorBuilder *builder = NULL;
    const uint64_t shape[2] = {2, 3};
    NULLS(hurray_descriptor_builder_new(3, 1, NULL, 5, &builder));
    NULLS(hurray_descriptor_builder_new(3, 1, shape, 2, NULL));
    OK(hurray_descriptor_builder_new(3, 1, shape, 2, &builder));
    NULLS(hurray_descriptor_builder_set_u64_array(builder, HURRAY_SHARD_FIELD_OFFSET, 0, NULL, 5));
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, /* an empty array is not as long as the rank */
           hurray_descriptor_builder_set_u64_array(builder, HURRAY_SHARD_FIELD_OFFSET, 0, NULL, 0));
    OK(hurray_descriptor_builder_destroy(&builder));
    OK(hurray_descriptor_builder_new(3, HURRAY_LAYOUT_STRIDED, shape, 2, &builder));
    NULLS(hurray_descriptor_builder_set_i64_array(builder, HURRAY_LAYOUT_FIELD_STRIDED_STRIDES, 0, NULL, 5));
    OK(hurray_descriptor_builder_destroy(&builder));
    OK(hurray_descriptor_builder_new(3, 0xF0, shape, 2, &builder));
    NULLS(hurray_descriptor_builder_set_bytes(builder, HURRAY_LAYOUT_FIELD_PRIVATE_DATA, 0, NULL, 5));
    OK(hurray_descriptor_builder_set_bytes(builder, HURRAY_LAYOUT_FIELD_PRIVATE_DATA, 0, NULL, 0));
    NULLS(hurray_descriptor_builder_finish(builder, NULL));
    OK(hurray_descriptor_builder_destroy(&builder));
}

static void tensors(void) {
    const uint64_t size[1] = {24}, shape[2] = {2, 3};
    int released = 0, owners = 0;
    HurrayBufferList *list = cpu_list(1, size, &released);
    HurrayDescriptor *descriptor = decoded(DENSE, sizeof DENSE);
    HurrayTensor *tensor = NULL;
    NULLS(hurray_tensor_new(10, NULL, sizeof DENSE, list, &owners, count_owner, &tensor));
    NULLS(hurray_tensor_new(10, NULL, 0, list, &owners, count_owner, &tensor));
    NULLS(hurray_tensor_new(10, DENSE, 0, list, &owners, count_owner, &tensor));
    NULLS(hurray_tensor_new(10, DENSE, sizeof DENSE, list, &owners, count_owner, NULL));
    NULLS(hurray_tensor_from_descriptor(descriptor, NULL, &owners, count_owner, &tensor));
    NULLS(hurray_tensor_from_descriptor(descriptor, list, &owners, count_owner, NULL));
    NULLS(hurray_tensor_from_array(3, NULL, 5, NULL, sample_memory, 0, 0, 0, 0, NULL, &owners, count_owner, &tensor));
    NULLS(hurray_tensor_from_array(3, shape, 2, NULL, NULL, 0, 0, 0, 0, NULL, &owners, count_owner, &tensor));
    NULLS(hurray_tensor_from_array(3, shape, 2, NULL, sample_memory, 0, 0, 0, 0, NULL, &owners, count_owner, NULL));
    EQUAL(0, released + owners);
    OK(hurray_tensor_new(10, DENSE, sizeof DENSE, list, NULL, NULL, &tensor)); /* no owner is fine */
    NULLS(hurray_tensor_share(tensor, NULL));
    NULLS(hurray_tensor_abi_version(tensor, NULL));
    NULLS(hurray_tensor_abi_version(NULL, &o.u32));
    NULLS(hurray_tensor_descriptor(tensor, NULL));
    NULLS(hurray_tensor_buffers(tensor, NULL));
    NULLS(hurray_tensor_describe(tensor, o.text, NULL));
    o.len = 8;
    NULLS(hurray_tensor_array_view(tensor, NULL, o.u64s, o.i64s, &o.len, &o.u32));
    NULLS(hurray_tensor_array_view(tensor, &o.data, o.u64s, o.i64s, NULL, &o.u32));
    NULLS(hurray_tensor_array_view(tensor, &o.data, o.u64s, o.i64s, &o.len, NULL));
    STATUS(HURRAY_ERR_BUFFER_TOO_SMALL, hurray_tensor_array_view(tensor, &o.data, NULL, o.i64s, &o.len, &o.u32));
    STATUS(HURRAY_ERR_BUFFER_TOO_SMALL, hurray_tensor_array_view(tensor, &o.data, o.u64s, NULL, &o.len, &o.u32));
    NULLS(hurray_tensor_part(tensor, HURRAY_ROLE_VALUES, 0, NULL));
    OK(hurray_tensor_destroy(&tensor));
    OK(hurray_descriptor_destroy(&descriptor));
    EQUAL(1, released);
}

static void items(void) {
    int released = 0;
    HurrayTensor *tensor = dense_tensor(&released, NULL);
    HurrayDescriptor *head = decoded(GROUP, sizeof GROUP);
    HurrayItem *item = NULL, *composite = NULL;
    NULLS(hurray_item_from_tensor(tensor, NULL));
    OK(hurray_item_from_tensor(tensor, &item));
    const HurrayItem *members[2] = {item, NULL};
    NULLS(hurray_item_composite_new(head, members, 2, NULL));
    NULLS(hurray_item_composite_new(head, NULL, 2, &composite));
    NULLS(hurray_item_composite_new(head, members, 2, &composite));
    members[1] = item;
    OK(hurray_item_composite_new(head, members, 2, &composite));
    NULLS(hurray_item_kind(item, NULL));
    NULLS(hurray_item_tensor(item, NULL));
    NULLS(hurray_item_head(composite, NULL));
    NULLS(hurray_item_member_count(composite, NULL));
    NULLS(hurray_item_member(composite, 0, NULL));
    NULLS(hurray_item_share(composite, NULL));
    NULLS(hurray_item_data(item, NULL));
    OK(hurray_item_destroy(&composite));
    OK(hurray_item_destroy(&item));
    OK(hurray_descriptor_destroy(&head));
    OK(hurray_tensor_destroy(&tensor));
    EQUAL(1, released);
}

static void dlpack(void) {
    int released = 0;
    HurrayTensor *tensor = dense_tensor(&released, NULL), *made = NULL;
    NULLS(hurray_tensor_to_dlpack(tensor, NULL, NULL));
    NULLS(hurray_tensor_to_dlpack_unversioned(tensor, NULL, NULL));
    NULLS(hurray_tensor_dlpack_device(tensor, NULL, &o.i32));
    NULLS(hurray_tensor_dlpack_device(tensor, &o.i32, NULL));
    OK(hurray_tensor_to_dlpack(tensor, NULL, &o.versioned));
    OK(hurray_tensor_to_dlpack_unversioned(tensor, NULL, &o.unversioned));
    NULLS(hurray_tensor_from_dlpack(&o.versioned, NULL, NULL));
    NULLS(hurray_tensor_from_dlpack_unversioned(&o.unversioned, NULL, NULL));
    CHECK(o.versioned != NULL && o.unversioned != NULL);
    OK(hurray_tensor_from_dlpack(&o.versioned, NULL, &made));
    OK(hurray_tensor_destroy(&made));
    OK(hurray_tensor_from_dlpack_unversioned(&o.unversioned, NULL, &made));
    OK(hurray_tensor_destroy(&made));
    NULLS(hurray_tensor_from_dlpack(NULL, NULL, &made));
    NULLS(hurray_tensor_from_dlpack(&o.versioned, NULL, &made));
    NULLS(hurray_tensor_from_dlpack_unversioned(NULL, NULL, &made));
    NULLS(hurray_tensor_from_dlpack_unversioned(&o.unversioned, NULL, &made));
    OK(hurray_tensor_destroy(&tensor));
    EQUAL(1, released);
}

/* Target, buffer, options and count may be missing. */
static void conversions(void) {
    HurrayTensor *tensor = dense_tensor(NULL, NULL), *made = NULL;
    HurrayDescriptor *descriptor = decoded(DENSE, sizeof DENSE);
    NULLS(hurray_tensor_to_layout(tensor, NULL, NULL, NULL, &o.u64, NULL));
    OK(hurray_tensor_to_layout(tensor, NULL, NULL, NULL, NULL, &made));
    OK(hurray_tensor_destroy(&made));
    NULLS(hurray_tensor_dequantize(tensor, HURRAY_TYPE_FLOAT32, NULL, NULL, &o.u64, NULL));
    NULLS(hurray_tensor_quantize(tensor, NULL, NULL, NULL, NULL, &o.u64, &made));
    NULLS(hurray_tensor_quantize(tensor, descriptor, NULL, NULL, NULL, &o.u64, NULL));
    NULLS(hurray_tensor_unpack(tensor, NULL, NULL, &o.u64, NULL));
    NULLS(hurray_tensor_pack(tensor, HURRAY_TYPE_INT4, NULL, NULL, &o.u64, NULL));
    NULLS(hurray_tensor_gather(tensor, NULL, 0, NULL, NULL, &o.u64, NULL));
    NULLS(hurray_tensor_gather(tensor, NULL, 1, NULL, NULL, &o.u64, &made));
    NULLS(hurray_tensor_scatter(tensor, NULL, NULL, 0, NULL, NULL));
    NULLS(hurray_tensor_scatter(tensor, tensor, NULL, 1, NULL, NULL));
    OK(hurray_tensor_check_data(tensor, NULL));
    HurrayItem *item = NULL;
    OK(hurray_item_from_tensor(tensor, &item));
    NULLS(hurray_item_assemble(item, NULL, NULL, &o.u64, NULL));
    OK(hurray_item_assemble(item, NULL, NULL, NULL, &made));
    OK(hurray_tensor_destroy(&made));
    OK(hurray_item_destroy(&item));
    NULLS(hurray_tensor_element_offset(tensor, NULL, 2, &o.u64));
    NULLS(hurray_tensor_element_offset(tensor, one_by_one, 2, NULL));
    NULLS(hurray_descriptor_element_offset(descriptor, NULL, 2, &o.u64));
    NULLS(hurray_descriptor_element_offset(descriptor, one_by_one, 2, NULL));
    const int64_t zero[2] = {0, 0};
    NULLS(hurray_tensor_statistics(tensor, NULL, NULL));
    NULLS(hurray_tensor_slice(tensor, NULL, zero, NULL, 2, NULL, &o.u64, &made));
    NULLS(hurray_tensor_slice(tensor, zero, NULL, NULL, 2, NULL, &o.u64, &made));
    NULLS(hurray_tensor_slice(tensor, zero, zero, NULL, 2, NULL, &o.u64, NULL));
    OK(hurray_tensor_slice(tensor, zero, zero, NULL, 2, NULL, NULL, &made)); /* no steps are steps of one */
    OK(hurray_tensor_destroy(&made));
    OK(hurray_descriptor_destroy(&descriptor));
    OK(hurray_tensor_destroy(&tensor));
}

/* A writer that failed fails alike ever after, so each call has one of its own. */
static HurrayFileWriter *fresh_writer(void) {
    HurrayFileWriter *writer = NULL;
    OK(hurray_file_writer_to_memory(NULL, &writer));
    return writer;
}

#define NULL_TO_WRITER(call)                                                                                           \
    {                                                                                                                  \
        HurrayFileWriter *writer = fresh_writer();                                                                     \
        NULLS(call);                                                                                                   \
        OK(hurray_file_writer_destroy(&writer));                                                                       \
    }

static void writers(void) {
    HurrayTensor *tensor = dense_tensor(NULL, NULL);
    HurrayItem *item = NULL;
    HurrayFileWriter *none = NULL;
    OK(hurray_item_from_tensor(tensor, &item));
    NULLS(hurray_file_writer_create("/nowhere/at/all", 15, NULL, NULL));
    NULLS(hurray_file_writer_create(NULL, 15, NULL, &none));
    NULLS(hurray_file_writer_to_callback(no_write, NULL, NULL, NULL, NULL));
    NULLS(hurray_file_writer_to_callback(NULL, NULL, NULL, NULL, &none));
    NULLS(hurray_file_writer_to_memory(NULL, NULL));
    NULL_TO_WRITER(hurray_file_writer_put(writer, NULL, 1, item))
    NULL_TO_WRITER(hurray_file_writer_put(writer, "x", 1, NULL))
    NULL_TO_WRITER(hurray_file_writer_kv_set_u64(writer, NULL, 1, HURRAY_KV_UINT64, 0, one_by_one, 1))
    NULL_TO_WRITER(hurray_file_writer_kv_set_u64(writer, "k", 1, HURRAY_KV_UINT64, 0, NULL, 1))
    NULL_TO_WRITER(hurray_file_writer_kv_set_i64(writer, NULL, 1, HURRAY_KV_INT64, 0, strides_of_one, 1))
    NULL_TO_WRITER(hurray_file_writer_kv_set_i64(writer, "k", 1, HURRAY_KV_INT64, 0, NULL, 1))
    NULL_TO_WRITER(hurray_file_writer_kv_set_f64(writer, NULL, 1, HURRAY_KV_FLOAT64, 0, &o.f64, 1))
    NULL_TO_WRITER(hurray_file_writer_kv_set_f64(writer, "k", 1, HURRAY_KV_FLOAT64, 0, NULL, 1))
    NULL_TO_WRITER(hurray_file_writer_kv_set_packed(writer, NULL, 1, HURRAY_KV_BYTES, 0, DENSE, 1, one_by_one, 1))
    NULL_TO_WRITER(hurray_file_writer_kv_set_packed(writer, "k", 1, HURRAY_KV_BYTES, 0, NULL, 1, one_by_one, 1))
    NULL_TO_WRITER(hurray_file_writer_kv_set_packed(writer, "k", 1, HURRAY_KV_BYTES, 0, DENSE, 1, NULL, 1))
    HurrayFileWriter *writer = fresh_writer();
    OK(hurray_file_writer_kv_set_u64(writer, "a", 1, HURRAY_KV_UINT64, 1, NULL, 0)); /* an empty array */
    OK(hurray_file_writer_kv_set_packed(writer, "b", 1, HURRAY_KV_BYTES, 1, NULL, 0, NULL, 0));
    OK(hurray_file_writer_put(writer, "x", 1, item));
    OK(hurray_file_writer_finish(writer));
    NULLS(hurray_file_writer_take_buffer(writer, NULL));
    OK(hurray_file_writer_destroy(&writer));
    OK(hurray_item_destroy(&item));
    OK(hurray_tensor_destroy(&tensor));
}

static void readers(void) {
    HurrayFileWriter *writer = fresh_writer();
    HurrayFileReader *reader = NULL;
    HurrayBuffer *buffer = NULL;
    NULLS(hurray_file_reader_open("/nowhere/at/all", 15, NULL, NULL));
    NULLS(hurray_file_reader_open(NULL, 15, NULL, &reader));
    NULLS(hurray_file_reader_open_fd(0, NULL, NULL));
    NULLS(hurray_file_reader_open_callback(NULL, NULL, NULL, 200, NULL, &reader));
    NULLS(hurray_file_reader_open_callback(no_read, NULL, NULL, 200, NULL, NULL));
    OK(hurray_file_writer_kv_set_i64(writer, "i", 1, HURRAY_KV_INT64, 0, strides_of_one, 1));
    OK(hurray_file_writer_kv_set_u64(writer, "u", 1, HURRAY_KV_UINT64, 0, one_by_one, 1));
    OK(hurray_file_writer_kv_set_f64(writer, "f", 1, HURRAY_KV_FLOAT64, 0, &o.f64, 1));
    OK(hurray_file_writer_kv_set_packed(writer, "b", 1, HURRAY_KV_BYTES, 0, DENSE, 1, one_by_one, 1));
    HurrayTensor *tensor = dense_tensor(NULL, NULL);
    HurrayItem *item = NULL;
    OK(hurray_item_from_tensor(tensor, &item));
    OK(hurray_file_writer_put(writer, "x", 1, item));
    OK(hurray_file_writer_finish(writer));
    OK(hurray_file_writer_take_buffer(writer, &buffer));
    NULLS(hurray_file_reader_open_buffer(buffer, NULL, NULL));
    OK(hurray_file_reader_open_buffer(buffer, NULL, &reader));
    NULLS(hurray_file_reader_entry_count(reader, NULL));
    NULLS(hurray_file_reader_entry_find(reader, NULL, 1, &o.u64));
    NULLS(hurray_file_reader_entry_find(reader, "x", 1, NULL));
    NULLS(hurray_file_reader_entry_names(reader, o.bytes, NULL, o.u64s, &o.len));
    NULLS(hurray_file_reader_entry_names(reader, o.bytes, &o.len, o.u64s, NULL));
    o.len = o.other_len = 8;
    STATUS(HURRAY_ERR_BUFFER_TOO_SMALL, hurray_file_reader_entry_names(reader, NULL, &o.len, o.u64s, &o.other_len));
    STATUS(HURRAY_ERR_BUFFER_TOO_SMALL, hurray_file_reader_entry_names(reader, o.bytes, &o.len, NULL, &o.other_len));
    NULLS(hurray_file_reader_entry_descriptor(reader, 0, NULL));
    NULLS(hurray_file_reader_entry_tensor(reader, 0, NULL));
    NULLS(hurray_file_reader_entry_range(reader, 0, NULL, &o.u64));
    NULLS(hurray_file_reader_entry_range(reader, 0, &o.u64, NULL));
    NULLS(hurray_file_reader_entry_read(reader, 0, 0, 0, NULL, 1));
    OK(hurray_file_reader_entry_read(reader, 0, 0, 0, NULL, 0));
    NULLS(hurray_file_reader_item_count(reader, NULL));
    NULLS(hurray_file_reader_item_entry(reader, 0, NULL));
    NULLS(hurray_file_reader_item(reader, 0, NULL));
    NULLS(hurray_file_reader_kv_count(reader, NULL));
    NULLS(hurray_file_reader_kv_key(reader, 0, o.text, NULL));
    NULLS(hurray_file_reader_kv_find(reader, NULL, 1, &o.u64));
    NULLS(hurray_file_reader_kv_find(reader, "i", 1, NULL));
    NULLS(hurray_file_reader_kv_type(reader, 0, NULL, &o.u8, &o.u64));
    NULLS(hurray_file_reader_kv_type(reader, 0, &o.u8, NULL, &o.u64));
    NULLS(hurray_file_reader_kv_type(reader, 0, &o.u8, o.bytes, NULL));
    NULLS(hurray_file_reader_kv_i64(reader, 0, o.i64s, NULL));
    NULLS(hurray_file_reader_kv_u64(reader, 1, o.u64s, NULL));
    NULLS(hurray_file_reader_kv_f64(reader, 2, &o.f64, NULL));
    NULLS(hurray_file_reader_kv_packed(reader, 3, o.bytes, NULL, o.u64s, &o.len));
    NULLS(hurray_file_reader_kv_packed(reader, 3, o.bytes, &o.len, o.u64s, NULL));
    OK(hurray_file_reader_destroy(&reader));
    OK(hurray_buffer_destroy(&buffer));
    OK(hurray_file_writer_destroy(&writer));
    OK(hurray_item_destroy(&item));
    OK(hurray_tensor_destroy(&tensor));
}

static void streams(void) {
    HurrayStreamReader *reader = NULL;
    HurrayStreamWriter *writer = NULL;
    uint8_t *window = NULL;
    const uint8_t *unread = NULL;
    NULLS(hurray_stream_reader_new(NULL, NULL));
    NULLS(hurray_stream_writer_new(HURRAY_STREAM_BARE, 0, 0, NULL, NULL));
    OK(hurray_stream_reader_new(NULL, &reader));
    OK(hurray_stream_writer_new(HURRAY_STREAM_BARE, 0, 0, NULL, &writer));
    NULLS(hurray_stream_reader_window(reader, NULL, &o.len));
    NULLS(hurray_stream_reader_window(reader, &window, NULL));
    NULLS(hurray_stream_reader_feed(reader, NULL, 1, &o.len));
    NULLS(hurray_stream_reader_feed(reader, DENSE, sizeof DENSE, NULL));
    OK(hurray_stream_reader_feed(reader, NULL, 0, &o.len));
    NULLS(hurray_stream_reader_next(reader, NULL));
    NULLS(hurray_stream_reader_pending(reader, NULL));
    NULLS(hurray_stream_reader_provide_buffer(reader, 0, NULL));
    NULLS(hurray_stream_reader_stream_id(reader, NULL));
    NULLS(hurray_stream_reader_unread(reader, NULL, &o.len));
    NULLS(hurray_stream_reader_unread(reader, &unread, NULL));
    NULLS(hurray_stream_reader_reply(reader, o.bytes, NULL));
    NULLS(hurray_stream_read_fd(reader, 0, NULL));
    NULLS(hurray_stream_writer_put(writer, NULL));
    NULLS(hurray_stream_writer_chunks(writer, o.slices, NULL));
    o.len = 1;
    NULLS(hurray_stream_writer_chunks(writer, NULL, &o.len));
    OK(hurray_stream_reader_destroy(&reader));
    OK(hurray_stream_writer_destroy(&writer));
}

int main(void) {
    RUN(library);
    RUN(options);
    RUN(buffers);
    RUN(lists);
    RUN(descriptors);
    RUN(builders);
    RUN(tensors);
    RUN(items);
    RUN(dlpack);
    RUN(conversions);
    RUN(writers);
    RUN(readers);
    RUN(streams);
    return FINISH();
}
