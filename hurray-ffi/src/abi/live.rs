//! The count of owned handles, and how handles end.

use super::buffer::Buffer;
use super::builder::Builder;
use super::count;
use super::descriptor::DescriptorHandle;
use super::error;
use super::file_reader::FileReader;
use super::file_writer::FileWriter;
use super::foreign::how;
use super::guard::{guard, put};
use super::handles::HurrayStatus;
use super::item::Item;
use super::list::List;
use super::options::Options;
use super::prefix::{Head, Prefix, any_version, borrowed, mark, state};
use super::shared::Shared;
use super::stream_reader::StreamReader;
use super::stream_writer::StreamWriter;
use super::table::TABLE;
use super::tensor::Tensor;
use crate::format::{Fault, Status};
use std::ffi::c_void;
use std::ptr::null_mut;

/// An owned handle came into being.
pub(crate) fn born() {
    count::add(1);
}

/// An owned handle ended, or became part of another.
pub(crate) fn gone() {
    count::add(u64::MAX);
}

/// How many owned handles this copy of the library has made that are not destroyed yet: shares count, borrowed handles
/// and what sits inside other handles do not. Exact while no other call runs. A leak check asks every copy of the
/// library in the process.
///
/// *Ownership:* none. *Errors:* `HURRAY_ERR_NULL_POINTER`. *Threads:* any. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_live_handles(out: *mut u64) -> HurrayStatus {
    // SAFETY: the caller's by contract.
    guard(|| unsafe { put(out, count::sum(), "out") })
}

/// Ends a handle that nobody may use any more.
///
/// # Safety
/// `handle` was made by this copy with the mark given, and its state has just become `GONE`.
unsafe fn free(handle: *mut c_void, of: u64) {
    gone();
    // SAFETY: each pointer was made from a box or a counted pointer of its type, which nobody else ends.
    unsafe {
        (*handle.cast::<Head>()).bury();
        match of {
            mark::BUFFER => drop(Shared::take_back(handle.cast::<Buffer>())),
            mark::LIST => drop(Box::from_raw(handle.cast::<List>())),
            mark::DESCRIPTOR => drop(Box::from_raw(handle.cast::<DescriptorHandle>())),
            mark::BUILDER => drop(Box::from_raw(handle.cast::<Builder>())),
            mark::TENSOR => drop(Box::from_raw(handle.cast::<Tensor>())),
            mark::ITEM => drop(Box::from_raw(handle.cast::<Item>())),
            mark::FILE_READER => drop(Box::from_raw(handle.cast::<FileReader>())),
            mark::FILE_WRITER => drop(Box::from_raw(handle.cast::<FileWriter>())),
            mark::STREAM_READER => drop(Box::from_raw(handle.cast::<StreamReader>())),
            mark::STREAM_WRITER => drop(Box::from_raw(handle.cast::<StreamWriter>())),
            mark::OPTIONS => drop(Box::from_raw(handle.cast::<Options>())),
            _ => {}
        }
    }
}

/// The table's `destroy`: any owned handle of this build.
pub(crate) unsafe extern "C" fn destroy_slot(handle: *mut *mut c_void) -> HurrayStatus {
    guard(|| {
        // SAFETY: the pointer and the handle are live by contract, and the handle is this copy's.
        let pointer = unsafe { *handle };
        // SAFETY: as above.
        let head = unsafe { &*pointer.cast::<Head>() };
        let of = head.mark();
        if !head.leave(state::OWNED, state::GONE) {
            return Err(borrowed());
        }
        // SAFETY: writable by contract; NULL goes out before anything ends, so that a callback sees it.
        unsafe { *handle = null_mut() };
        // SAFETY: the state says that this call, and no other, ends it.
        unsafe { free(pointer, of) };
        Ok(())
    })
}

/// The table's `adopt`: 1 takes a caller-owned handle, 0 gives it back, 2 drops one that was taken.
pub(crate) unsafe extern "C" fn adopt_slot(handle: *mut c_void, what: u32) -> HurrayStatus {
    guard(|| {
        // SAFETY: a live handle of this copy by contract.
        let head = unsafe { &*handle.cast::<Head>() };
        let of = head.mark();
        let (from, to) = match what {
            how::TAKE => (state::OWNED, state::TAKEN),
            how::GIVE_BACK => (state::TAKEN, state::OWNED),
            how::DROP => (state::TAKEN, state::GONE),
            _ => {
                return Err(Fault::new(Status::INVALID_ARGUMENT, "", "no such way to adopt")
                    .field("how")
                    .value(what));
            }
        };
        if !head.shift(from, to) {
            return Err(borrowed());
        }
        if to == state::GONE {
            // SAFETY: the state says that this call, and no other, ends it.
            unsafe { free(handle, of) };
        }
        Ok(())
    })
}

/// Every exported destroy: works on a handle of any copy and any version.
///
/// # Safety
/// `handle` is NULL or points at NULL or at a handle.
pub(crate) unsafe fn destroy<T>(handle: *mut *mut T, of: u64) -> HurrayStatus {
    // SAFETY: readable by contract.
    if handle.is_null() || unsafe { *handle }.is_null() {
        return Status::OK.0;
    }
    let handle = handle.cast::<*mut c_void>();
    // SAFETY: as above.
    let prefix: *const Prefix = match unsafe { any_version(*handle, of) } {
        Ok(prefix) => prefix,
        Err(fault) => return error::refuse(&fault),
    };
    // SAFETY: a usable handle; prefix and the start of the table are the same in every version.
    let (table, build_abi) = unsafe { ((*prefix).table, (*prefix).build_abi) };
    if table == &raw const TABLE {
        // SAFETY: this copy's own.
        return unsafe { destroy_slot(handle) };
    }
    // SAFETY: `destroy` sits at offset 8 in every version.
    let status = unsafe { ((*table).destroy)(handle) };
    if status < 0 {
        if build_abi == super::version::HURRAY_C_ABI_VERSION {
            // SAFETY: a table of this build version.
            unsafe { error::fetch(table, status) };
        } else {
            error::refuse(&Fault::new(
                Status(status),
                "",
                "another build of the library refused to destroy its handle",
            ));
        }
    }
    status
}
