//! The door: `hurray.h`. One file per noun; everything that is unsafe about C is here.

/// Runs a call in the copy that made its subject: here, or through that copy's table.
macro_rules! dispatch {
    ($mark:ident, $subject:expr, $slot:ident($($arg:expr),* $(,)?)) => {{
        use $crate::abi::prefix::{Route, away, mark, route};
        use $crate::abi::table::{Table, shim};
        // SAFETY: the subject is NULL or a handle by contract.
        match unsafe { route($subject.cast(), mark::$mark) } {
            // SAFETY: the subject is this copy's own; the other arguments are the caller's contract.
            Ok(Route::Home) => unsafe { shim::$slot($($arg),*) },
            // SAFETY: the table is of this build version; arguments as above.
            Ok(Route::Away(table)) => unsafe {
                away(table, std::mem::offset_of!(Table, $slot), |table| table.$slot, |call| call($($arg),*))
            },
            Err(fault) => $crate::abi::error::refuse(&fault),
        }
    }};
}

/// Runs a call whose first handle is its options: in their copy, or here without any.
macro_rules! dispatch_options {
    ($options:expr, $slot:ident($($arg:expr),* $(,)?)) => {
        if $options.is_null() {
            // SAFETY: no subject, so it runs here; the arguments are the caller's contract.
            unsafe { $crate::abi::table::shim::$slot($($arg),*) }
        } else {
            dispatch!(OPTIONS, $options, $slot($($arg),*))
        }
    };
}

mod array;
mod arrival;
mod buffer;
mod buffer_attributes;
mod builder;
mod constants;
mod convert;
mod convert_assemble;
mod convert_call;
mod convert_check;
mod convert_dequantize;
mod convert_pack;
mod convert_paged;
mod convert_quantize;
mod convert_slice;
mod convert_sparse;
mod convert_statistics;
mod count;
mod descriptor;
mod dlpack;
mod dlpack_copy;
mod dlpack_export;
mod dlpack_import;
mod error;
mod field;
mod fields;
mod file_advice;
mod file_entry;
mod file_kv;
mod file_load;
mod file_reader;
mod file_source;
mod file_target;
mod file_writer;
mod file_writer_kv;
mod foreign;
mod foreign_tensor;
mod guard;
mod handles;
mod handoff;
mod item;
mod list;
mod live;
mod memory;
mod options;
mod part;
mod prefix;
mod shared;
mod stream_fd;
mod stream_reader;
mod stream_writer;
mod table;
mod tag;
mod tensor;
mod text;
mod version;

pub use array::{hurray_tensor_array_view, hurray_tensor_from_array};
pub use buffer::*;
pub use buffer_attributes::*;
pub use builder::*;
pub use constants::*;
pub use convert::*;
pub use convert_assemble::*;
pub use convert_check::*;
pub use convert_dequantize::hurray_tensor_dequantize;
pub use convert_pack::*;
pub use convert_paged::*;
pub use convert_quantize::hurray_tensor_quantize;
pub use convert_slice::*;
pub use convert_statistics::*;
pub use descriptor::*;
pub use dlpack_export::*;
pub use dlpack_import::*;
pub use error::{hurray_last_error_info, hurray_last_error_message};
pub use field::*;
pub use fields::*;
pub use file_advice::*;
pub use file_entry::*;
pub use file_kv::*;
pub use file_reader::*;
pub use file_writer::*;
pub use file_writer_kv::*;
pub use handles::*;
pub use handoff::*;
pub use item::*;
pub use list::*;
pub use live::hurray_live_handles;
pub use options::*;
pub use part::hurray_tensor_part;
pub use stream_fd::*;
pub use stream_reader::*;
pub use stream_writer::*;
pub use table::TABLE_LAYOUT;
pub use tag::*;
pub use tensor::*;
pub use version::*;
