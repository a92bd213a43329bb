//! The table that each handle points at: how any copy of the library uses a handle of this one.
//!
//! A body may come `after` a quick one, which has no step that can panic, answers the common case and leaves the rest.
//!
//! Slots hold private functions, each with its own panic guard. The exported symbols would not do: a loader may bind
//! them to another copy. Slots are appended to, never reordered, retyped or removed; `abi/layout.json` has them.

use super::handles::*;
use super::live::{adopt_slot, destroy_slot};
use super::{
    array, buffer, buffer_attributes, builder, convert, convert_assemble, convert_check, convert_dequantize,
    convert_pack, convert_paged, convert_quantize, convert_slice, convert_statistics, descriptor,
    dlpack_export, dlpack_import, error, field, file_advice, file_entry, file_kv, file_reader, file_writer,
    file_writer_kv, handoff, item, list, options, part, stream_fd, stream_reader, stream_writer, tensor,
};
use std::ffi::{c_char, c_void};

macro_rules! slots {
    ($($slot:ident = $module:ident::$body:ident($($arg:ident: $type:ty),* $(,)?) $(after $quick:ident $given:tt)?;)*) => {
        /// Bodies behind their panic guards.
        pub(crate) mod shim {
            use super::*;

            $(
                #[inline(always)]
                pub(crate) unsafe extern "C" fn $slot($($arg: $type),*) -> HurrayStatus {
                    $(
                        // SAFETY: as below.
                        if unsafe { $module::$quick $given } {
                            return 0;
                        }
                    )?
                    // SAFETY: the subject was routed here; the rest is the caller's contract, in the exported
                    // function's doc.
                    super::super::guard::guard(move || unsafe { $module::$body($($arg),*) })
                }
            )*
        }

        /// One function pointer for each exported function that takes a handle.
        #[repr(C)]
        pub(crate) struct Table {
            pub(crate) size: u32,
            pub(crate) abi_version: u32,
            pub(crate) destroy: unsafe extern "C" fn(*mut *mut c_void) -> HurrayStatus,
            pub(crate) adopt: unsafe extern "C" fn(*mut c_void, u32) -> HurrayStatus,
            pub(crate) last_error:
                unsafe extern "C" fn(*mut c_char, *mut usize, *mut i32, *mut i32, *mut u64) -> HurrayStatus,
            $(pub(crate) $slot: Option<unsafe extern "C" fn($($type),*) -> HurrayStatus>,)*
        }

        /// This copy's table. Its address says which copy made a handle.
        pub(crate) static TABLE: Table = Table {
            size: size_of::<Table>() as u32,
            abi_version: super::version::HURRAY_C_ABI_VERSION,
            destroy: destroy_slot,
            adopt: adopt_slot,
            last_error: error::last_error_slot,
            $($slot: Some(shim::$slot),)*
        };

        /// Names and offsets of the table, for the snapshot in `abi/layout.json`.
        pub const TABLE_LAYOUT: &[(&str, usize)] = &[
            ("size", std::mem::offset_of!(Table, size)),
            ("abi_version", std::mem::offset_of!(Table, abi_version)),
            ("destroy", std::mem::offset_of!(Table, destroy)),
            ("adopt", std::mem::offset_of!(Table, adopt)),
            ("last_error", std::mem::offset_of!(Table, last_error)),
            $((stringify!($slot), std::mem::offset_of!(Table, $slot)),)*
        ];
    };
}

slots! {
    options_set_u64 = options::set_u64(options: *mut HurrayOptions, option: u32, value: u64);
    options_cancel = options::cancel(options: *const HurrayOptions);
    options_progress = options::progress(options: *const HurrayOptions, out_done: *mut u64, out_total: *mut u64);
    buffer_share = buffer::share(buffer: *const HurrayBuffer, out_buffer: *mut *mut HurrayBuffer);
    buffer_data_ptr = buffer_attributes::data_ptr(buffer: *const HurrayBuffer, out_data: *mut *mut c_void);
    buffer_host_ptr = buffer_attributes::host_ptr(buffer: *const HurrayBuffer, out_data: *mut *mut c_void);
    buffer_byte_size = buffer_attributes::byte_size(buffer: *const HurrayBuffer, out: *mut u64);
    buffer_alignment = buffer_attributes::alignment(buffer: *const HurrayBuffer, out: *mut u32);
    buffer_device_tag = buffer_attributes::device_tag(buffer: *const HurrayBuffer, out: *mut u8);
    buffer_sync_mode = buffer_attributes::sync_mode(buffer: *const HurrayBuffer, out: *mut u8);
    buffer_memory_class = buffer_attributes::memory_class(buffer: *const HurrayBuffer, out: *mut u8);
    buffer_set_flags = buffer_attributes::set_flags(buffer: *mut HurrayBuffer, flags: u32);
    buffer_set_device_id = buffer_attributes::set_device_id(buffer: *mut HurrayBuffer, device_id: i32);
    buffer_set_lead = buffer_attributes::set_lead(buffer: *mut HurrayBuffer, lead: u32);
    buffer_flags = buffer_attributes::flags(buffer: *const HurrayBuffer, out: *mut u32);
    buffer_device_id = buffer_attributes::device_id(buffer: *const HurrayBuffer, out: *mut i32);
    buffer_lead = buffer_attributes::lead(buffer: *const HurrayBuffer, out: *mut u32);
    buffer_handoff_producer_synced = handoff::producer_synced(
        buffer: *const HurrayBuffer, sync_handle: *const c_void, consumer_stream: *const c_void);
    buffer_handoff_event = handoff::event(
        buffer: *const HurrayBuffer, sync_handle: *const c_void, sync_handle_device_tag: u8,
        event_release: HurrayEventReleaseFn);
    buffer_handoff_consumer_stream = handoff::consumer_stream(
        buffer: *const HurrayBuffer, consumer_stream: *const c_void, consumer_stream_device_tag: u8);
    buffer_list_push = list::push(list: *mut HurrayBufferList, buffer: *mut HurrayBuffer);
    buffer_list_len = list::len(list: *const HurrayBufferList, out_len: *mut u64);
    buffer_list_get = list::get(list: *const HurrayBufferList, index: u64, out_borrowed: *mut *mut HurrayBuffer);
    descriptor_encode = descriptor::encode(
        descriptor: *const HurrayDescriptor, out_bytes: *mut u8, out_len: *mut usize);
    descriptor_element_type_tag = descriptor::element_type_tag(descriptor: *const HurrayDescriptor, out: *mut u8);
    descriptor_layout_tag = descriptor::layout_tag(descriptor: *const HurrayDescriptor, out: *mut u8);
    descriptor_rank = descriptor::rank(descriptor: *const HurrayDescriptor, out: *mut u32);
    descriptor_buffer_count = descriptor::buffer_count(descriptor: *const HurrayDescriptor, out: *mut u32);
    descriptor_flags = descriptor::flags(descriptor: *const HurrayDescriptor, out: *mut u32);
    descriptor_byte_offset = descriptor::byte_offset(descriptor: *const HurrayDescriptor, out: *mut u64);
    descriptor_shape = descriptor::shape(
        descriptor: *const HurrayDescriptor, out_dims: *mut u64, out_len: *mut usize);
    descriptor_field_u64 = field::field_u64(
        descriptor: *const HurrayDescriptor, field: HurrayDescriptorField, level: u32, out_value: *mut u64)
        after quick_u64(descriptor, field, level, out_value);
    descriptor_field_i64 = field::field_i64(
        descriptor: *const HurrayDescriptor, field: HurrayDescriptorField, level: u32, out_value: *mut i64)
        after quick_i64(descriptor, field, level, out_value);
    descriptor_field_f64 = field::field_f64(
        descriptor: *const HurrayDescriptor, field: HurrayDescriptorField, level: u32, out_value: *mut f64)
        after quick_f64(descriptor, field, level, out_value);
    descriptor_field_u64_array = field::field_u64_array(
        descriptor: *const HurrayDescriptor, field: HurrayDescriptorField, level: u32, out_values: *mut u64,
        out_len: *mut usize);
    descriptor_field_i64_array = field::field_i64_array(
        descriptor: *const HurrayDescriptor, field: HurrayDescriptorField, level: u32, out_values: *mut i64,
        out_len: *mut usize);
    descriptor_field_bytes = field::field_bytes(
        descriptor: *const HurrayDescriptor, field: HurrayDescriptorField, level: u32, out_bytes: *mut u8,
        out_len: *mut usize);
    descriptor_fields = field::fields(
        descriptor: *const HurrayDescriptor, out_words: *mut u64, out_len: *mut usize);
    descriptor_describe = descriptor::describe(
        descriptor: *const HurrayDescriptor, out: *mut c_char, out_len: *mut usize);
    descriptor_builder_set_u64 = builder::set_u64(
        builder: *mut HurrayDescriptorBuilder, field: HurrayDescriptorField, level: u32, value: u64);
    descriptor_builder_set_i64 = builder::set_i64(
        builder: *mut HurrayDescriptorBuilder, field: HurrayDescriptorField, level: u32, value: i64);
    descriptor_builder_set_f64 = builder::set_f64(
        builder: *mut HurrayDescriptorBuilder, field: HurrayDescriptorField, level: u32, value: f64);
    descriptor_builder_set_u64_array = builder::set_u64_array(
        builder: *mut HurrayDescriptorBuilder, field: HurrayDescriptorField, level: u32, values: *const u64,
        len: usize);
    descriptor_builder_set_i64_array = builder::set_i64_array(
        builder: *mut HurrayDescriptorBuilder, field: HurrayDescriptorField, level: u32, values: *const i64,
        len: usize);
    descriptor_builder_set_bytes = builder::set_bytes(
        builder: *mut HurrayDescriptorBuilder, field: HurrayDescriptorField, level: u32, values: *const u8,
        len: usize);
    descriptor_builder_push_buffer = builder::push_buffer(
        builder: *mut HurrayDescriptorBuilder, byte_size: u64, alignment: u32, device_tag: u8, sync_mode: u8,
        memory_class: u8);
    descriptor_builder_push_default_buffers = builder::push_default_buffers(builder: *mut HurrayDescriptorBuilder);
    descriptor_builder_finish = builder::finish(
        builder: *mut HurrayDescriptorBuilder, out_descriptor: *mut *mut HurrayDescriptor);
    tensor_new = tensor::new(
        abi_version: u32, descriptor_bytes: *const u8, descriptor_len: u64, buffers: *mut HurrayBufferList,
        owner: *mut c_void, owner_release: HurrayOwnerReleaseFn, out_tensor: *mut *mut HurrayTensor);
    tensor_from_descriptor = tensor::from_descriptor(
        descriptor: *const HurrayDescriptor, buffers: *mut HurrayBufferList, owner: *mut c_void,
        owner_release: HurrayOwnerReleaseFn, out_tensor: *mut *mut HurrayTensor);
    tensor_from_array = array::from_array(
        element_type_tag: u8, shape: *const u64, rank: usize, byte_strides: *const i64, data: *mut c_void,
        device_tag: u8, memory_class: u8, device_id: i32, buffer_flags: u32, options: *const HurrayOptions,
        owner: *mut c_void, owner_release: HurrayOwnerReleaseFn, out_tensor: *mut *mut HurrayTensor);
    tensor_share = tensor::share(tensor: *const HurrayTensor, out_tensor: *mut *mut HurrayTensor);
    tensor_descriptor = tensor::descriptor(
        tensor: *const HurrayTensor, out_descriptor: *mut *mut HurrayDescriptor);
    tensor_buffers = tensor::buffers(tensor: *const HurrayTensor, out_buffers: *mut *mut HurrayBufferList);
    tensor_array_view = array::array_view(
        tensor: *const HurrayTensor, out_data: *mut *mut c_void, out_shape: *mut u64, out_byte_strides: *mut i64,
        out_rank: *mut usize, out_view_flags: *mut u32);
    tensor_part = part::part(
        tensor: *const HurrayTensor, role: u32, level: u32, out_tensor: *mut *mut HurrayTensor);
    tensor_describe = tensor::describe(tensor: *const HurrayTensor, out: *mut c_char, out_len: *mut usize);
    item_from_tensor = item::from_tensor(tensor: *const HurrayTensor, out_item: *mut *mut HurrayItem);
    item_composite_new = item::composite_new(
        head: *const HurrayDescriptor, members: *const *const HurrayItem, count: usize,
        out_item: *mut *mut HurrayItem);
    item_share = item::share(item: *const HurrayItem, out_item: *mut *mut HurrayItem);
    item_kind = item::kind(item: *const HurrayItem, out_kind: *mut u32);
    item_tensor = item::tensor(item: *const HurrayItem, out_tensor: *mut *mut HurrayTensor);
    item_head = item::head(item: *const HurrayItem, out_descriptor: *mut *mut HurrayDescriptor);
    item_member_count = item::member_count(item: *const HurrayItem, out_count: *mut u64);
    item_member = item::member(item: *const HurrayItem, index: u64, out_borrowed: *mut *mut HurrayItem);
    tensor_to_dlpack = dlpack_export::to_dlpack(
        tensor: *const HurrayTensor, options: *const HurrayOptions, out_managed: *mut *mut DLManagedTensorVersioned);
    tensor_to_dlpack_unversioned = dlpack_export::to_dlpack_unversioned(
        tensor: *const HurrayTensor, options: *const HurrayOptions, out_managed: *mut *mut DLManagedTensor);
    tensor_dlpack_device = dlpack_export::dlpack_device(
        tensor: *const HurrayTensor, out_device_type: *mut i32, out_device_id: *mut i32);
    tensor_from_dlpack = dlpack_import::from_dlpack(
        managed: *mut *mut DLManagedTensorVersioned, options: *const HurrayOptions,
        out_tensor: *mut *mut HurrayTensor);
    tensor_from_dlpack_unversioned = dlpack_import::from_dlpack_unversioned(
        managed: *mut *mut DLManagedTensor, options: *const HurrayOptions, out_tensor: *mut *mut HurrayTensor);
    file_reader_open = file_reader::open_path(
        path: *const c_char, path_len: usize, options: *const HurrayOptions, out_reader: *mut *mut HurrayFileReader);
    file_reader_open_fd = file_reader::open_fd(
        fd: i64, options: *const HurrayOptions, out_reader: *mut *mut HurrayFileReader);
    file_reader_open_buffer = file_reader::open_buffer(
        buffer: *const HurrayBuffer, options: *const HurrayOptions, out_reader: *mut *mut HurrayFileReader);
    file_reader_open_callback = file_reader::open_callback(
        read_at: HurrayReadAtFn, context: *mut c_void, release: HurrayOwnerReleaseFn, size: u64,
        options: *const HurrayOptions, out_reader: *mut *mut HurrayFileReader);
    file_reader_entry_count = file_reader::entry_count(reader: *const HurrayFileReader, out_count: *mut u64);
    file_reader_entry_find = file_entry::entry_find(
        reader: *const HurrayFileReader, name: *const c_char, name_len: usize, out_index: *mut u64);
    file_reader_entry_names = file_entry::entry_names(
        reader: *const HurrayFileReader, out_bytes: *mut u8, out_len: *mut usize, out_ends: *mut u64,
        out_count: *mut usize);
    file_reader_entry_descriptor = file_entry::entry_descriptor(
        reader: *const HurrayFileReader, index: u64, out_descriptor: *mut *mut HurrayDescriptor);
    file_reader_entry_tensor = file_entry::entry_tensor(
        reader: *const HurrayFileReader, index: u64, out_tensor: *mut *mut HurrayTensor);
    file_reader_entry_range = file_entry::entry_range(
        reader: *const HurrayFileReader, index: u64, out_offset: *mut u64, out_length: *mut u64);
    file_reader_entry_read = file_entry::entry_read(
        reader: *const HurrayFileReader, index: u64, buffer_index: u64, offset: u64, out: *mut u8, len: usize);
    file_reader_item_count = file_entry::item_count(reader: *const HurrayFileReader, out_count: *mut u64);
    file_reader_item_entry = file_entry::item_entry(reader: *const HurrayFileReader, i: u64, out_index: *mut u64);
    file_reader_item = file_entry::entry_item(
        reader: *const HurrayFileReader, index: u64, out_item: *mut *mut HurrayItem);
    file_reader_kv_count = file_kv::kv_count(reader: *const HurrayFileReader, out_count: *mut u64);
    file_reader_kv_key = file_kv::kv_key(
        reader: *const HurrayFileReader, i: u64, out: *mut c_char, out_len: *mut usize);
    file_reader_kv_find = file_kv::kv_find(
        reader: *const HurrayFileReader, key: *const c_char, key_len: usize, out_i: *mut u64);
    file_reader_kv_type = file_kv::kv_kind(
        reader: *const HurrayFileReader, i: u64, out_type: *mut u8, out_is_array: *mut u8, out_count: *mut u64);
    file_reader_kv_u64 = file_kv::kv_u64(
        reader: *const HurrayFileReader, i: u64, out_values: *mut u64, out_len: *mut usize);
    file_reader_kv_i64 = file_kv::kv_i64(
        reader: *const HurrayFileReader, i: u64, out_values: *mut i64, out_len: *mut usize);
    file_reader_kv_f64 = file_kv::kv_f64(
        reader: *const HurrayFileReader, i: u64, out_values: *mut f64, out_len: *mut usize);
    file_reader_kv_packed = file_kv::kv_packed(
        reader: *const HurrayFileReader, i: u64, out_bytes: *mut u8, out_len: *mut usize, out_ends: *mut u64,
        out_count: *mut usize);
    file_reader_advise = file_advice::advise(reader: *const HurrayFileReader, index: u64, advice: u32);
    file_writer_create = file_writer::create(
        path: *const c_char, path_len: usize, options: *const HurrayOptions, out_writer: *mut *mut HurrayFileWriter);
    file_writer_to_callback = file_writer::to_callback(
        write: HurrayWriteFn, context: *mut c_void, release: HurrayOwnerReleaseFn, options: *const HurrayOptions,
        out_writer: *mut *mut HurrayFileWriter);
    file_writer_to_memory = file_writer::to_memory(
        options: *const HurrayOptions, out_writer: *mut *mut HurrayFileWriter);
    file_writer_put = file_writer::put_item(
        writer: *mut HurrayFileWriter, name: *const c_char, name_len: usize, item: *const HurrayItem);
    file_writer_kv_set_u64 = file_writer_kv::kv_set_u64(
        writer: *mut HurrayFileWriter, key: *const c_char, key_len: usize, value_type: u8, is_array: u8,
        values: *const u64, count: usize);
    file_writer_kv_set_i64 = file_writer_kv::kv_set_i64(
        writer: *mut HurrayFileWriter, key: *const c_char, key_len: usize, value_type: u8, is_array: u8,
        values: *const i64, count: usize);
    file_writer_kv_set_f64 = file_writer_kv::kv_set_f64(
        writer: *mut HurrayFileWriter, key: *const c_char, key_len: usize, value_type: u8, is_array: u8,
        values: *const f64, count: usize);
    file_writer_kv_set_packed = file_writer_kv::kv_set_packed(
        writer: *mut HurrayFileWriter, key: *const c_char, key_len: usize, value_type: u8, is_array: u8,
        bytes: *const u8, bytes_len: usize, ends: *const u64, count: usize);
    file_writer_finish = file_writer::finish(writer: *mut HurrayFileWriter);
    file_writer_take_buffer = file_writer::take_buffer(
        writer: *mut HurrayFileWriter, out_buffer: *mut *mut HurrayBuffer);
    stream_reader_new = stream_reader::new(options: *const HurrayOptions, out_reader: *mut *mut HurrayStreamReader);
    stream_reader_window = stream_reader::window(
        reader: *mut HurrayStreamReader, out_ptr: *mut *mut u8, out_size: *mut usize);
    stream_reader_advance = stream_reader::advance(reader: *mut HurrayStreamReader, n: usize);
    stream_reader_feed = stream_reader::feed(
        reader: *mut HurrayStreamReader, bytes: *const u8, len: usize, out_consumed: *mut usize);
    stream_reader_next = stream_reader::next(reader: *mut HurrayStreamReader, out_item: *mut *mut HurrayItem);
    stream_reader_finish = stream_reader::finish(reader: *mut HurrayStreamReader);
    stream_reader_pending = stream_reader::pending(
        reader: *mut HurrayStreamReader, out_descriptor: *mut *mut HurrayDescriptor);
    stream_reader_provide_buffer = stream_reader::provide_buffer(
        reader: *mut HurrayStreamReader, index: u64, buffer: *const HurrayBuffer);
    stream_reader_stream_id = stream_reader::stream_id(reader: *const HurrayStreamReader, out_stream_id: *mut u32);
    stream_reader_unread = stream_reader::unread(
        reader: *const HurrayStreamReader, out_ptr: *mut *const u8, out_size: *mut usize);
    stream_reader_reply = stream_reader::reply(
        reader: *mut HurrayStreamReader, out_bytes: *mut u8, out_len: *mut usize);
    stream_read_fd = stream_fd::read(reader: *mut HurrayStreamReader, fd: i64, out_item: *mut *mut HurrayItem);
    stream_writer_new = stream_writer::new(
        form: u32, stream_id: u32, max_message_size: u64, options: *const HurrayOptions,
        out_writer: *mut *mut HurrayStreamWriter);
    stream_writer_put = stream_writer::put(writer: *mut HurrayStreamWriter, item: *const HurrayItem);
    stream_writer_chunks = stream_writer::chunks(
        writer: *const HurrayStreamWriter, out_slices: *mut HurraySlice, out_count: *mut usize);
    stream_writer_advance = stream_writer::advance(writer: *mut HurrayStreamWriter, n: usize);
    stream_write_fd = stream_fd::write(writer: *mut HurrayStreamWriter, fd: i64);
    descriptor_annotate = descriptor::annotate(
        descriptor: *const HurrayDescriptor, out: *mut c_char, out_len: *mut usize);
    tensor_to_layout = convert::to_layout(
        tensor: *const HurrayTensor, target: *const HurrayDescriptor, into: *const HurrayBuffer,
        options: *const HurrayOptions, out_bytes: *mut u64, out_tensor: *mut *mut HurrayTensor);
    descriptor_element_offset = convert::descriptor_offset(
        descriptor: *const HurrayDescriptor, index: *const u64, len: usize, out_offset: *mut u64);
    tensor_element_offset = convert::tensor_offset(
        tensor: *const HurrayTensor, index: *const u64, len: usize, out_offset: *mut u64);
    tensor_dequantize = convert_dequantize::dequantize(
        tensor: *const HurrayTensor, element_type_tag: u8, into: *const HurrayBuffer,
        options: *const HurrayOptions, out_bytes: *mut u64, out_tensor: *mut *mut HurrayTensor);
    tensor_quantize = convert_quantize::quantize(
        tensor: *const HurrayTensor, target: *const HurrayDescriptor, parameters: *const HurrayBufferList,
        into: *const HurrayBuffer, options: *const HurrayOptions, out_bytes: *mut u64,
        out_tensor: *mut *mut HurrayTensor);
    tensor_unpack = convert_pack::unpack(
        tensor: *const HurrayTensor, into: *const HurrayBuffer, options: *const HurrayOptions,
        out_bytes: *mut u64, out_tensor: *mut *mut HurrayTensor);
    tensor_pack = convert_pack::pack(
        tensor: *const HurrayTensor, element_type_tag: u8, into: *const HurrayBuffer,
        options: *const HurrayOptions, out_bytes: *mut u64, out_tensor: *mut *mut HurrayTensor);
    tensor_slice = convert_slice::tensor_slice(
        tensor: *const HurrayTensor, start: *const i64, stop: *const i64, step: *const i64, rank: usize,
        options: *const HurrayOptions, out_bytes: *mut u64, out_tensor: *mut *mut HurrayTensor);
    tensor_statistics = convert_statistics::tensor_statistics(
        tensor: *const HurrayTensor, options: *const HurrayOptions, out_descriptor: *mut *mut HurrayDescriptor);
    tensor_gather = convert_paged::gather(
        tensor: *const HurrayTensor, sequence_lengths: *const u64, len: usize, into: *const HurrayBuffer,
        options: *const HurrayOptions, out_bytes: *mut u64, out_tensor: *mut *mut HurrayTensor);
    tensor_scatter = convert_paged::scatter(
        tensor: *const HurrayTensor, paged: *const HurrayTensor, sequence_lengths: *const u64, len: usize,
        options: *const HurrayOptions, out_bytes: *mut u64);
    tensor_check_data = convert_check::check_data(tensor: *const HurrayTensor, options: *const HurrayOptions);
    item_assemble = convert_assemble::assemble(
        item: *const HurrayItem, into: *const HurrayBuffer, options: *const HurrayOptions,
        out_bytes: *mut u64, out_tensor: *mut *mut HurrayTensor);
    item_data = item::data(item: *const HurrayItem, out_tensor: *mut *mut HurrayTensor);
}
