//! Buffer lists: what a tensor is made from.

use super::buffer::{Buffer, Keep};
use super::foreign::{Foreign, attributes, list_attributes, list_len};
use super::guard::{clear, guard, out_of_memory, put, wanted};
use super::handles::{HurrayBuffer, HurrayBufferList, HurrayStatus};
use super::live::{born, destroy, gone};
use super::prefix::{Head, Route, borrowed, mark, route, state};
use super::shared::{Shared, try_box};
use crate::format::{Fault, MAX_BUFFERS, Status};
use smallvec::SmallVec;
use std::ptr::null_mut;
use std::sync::atomic::Ordering;

type Items = SmallVec<[Shared<Buffer>; 4]>;

/// What a `HurrayBufferList` points at.
#[repr(C)]
pub(crate) struct List {
    pub(crate) head: Head,
    items: Items,
}

impl Drop for List {
    fn drop(&mut self) {
        self.head.bury();
        for buffer in self.items.drain(..) {
            // The memory may live on through shares; the borrowed pointer does not.
            buffer.core.store(null_mut(), Ordering::Release);
            buffer.head.bury();
        }
    }
}

impl List {
    pub(crate) fn new(state: u32) -> List {
        List { head: Head::new(mark::LIST, state), items: Items::new() }
    }

    /// # Safety
    /// `list` is a live handle of this copy.
    pub(crate) unsafe fn of<'a>(list: *const HurrayBufferList) -> &'a List {
        // SAFETY: as this function's own.
        unsafe { &*list.cast::<List>() }
    }

    pub(crate) fn buffers(&self) -> &[Shared<Buffer>] {
        &self.items
    }

    /// Makes room for one more, before anything changes hands.
    fn reserve(&mut self) -> Result<(), Fault> {
        if self.items.len() >= MAX_BUFFERS {
            return Err(Fault::new(Status::LIMIT_EXCEEDED, "", "a list holds at most 255 buffers")
                .field("buffers")
                .value(self.items.len() as u64 + 1)
                .limit(MAX_BUFFERS as u64));
        }
        self.items.try_reserve(1).map_err(|_| out_of_memory(size_of::<usize>() as u64))
    }

    /// Appends a buffer that was never handed out.
    pub(crate) fn push_inner(&mut self, buffer: Buffer) -> Result<(), (Buffer, Fault)> {
        if let Err(fault) = self.reserve() {
            return Err((buffer, fault));
        }
        self.items.push(Shared::try_new(buffer)?);
        Ok(())
    }

    /// A list of this copy's own over a taken list of another copy. The maker drops its list when the last buffer goes.
    ///
    /// # Safety
    /// `list` is usable and belongs to the table that `foreign` was taken through.
    pub(crate) unsafe fn bring_in(
        list: *const HurrayBufferList,
        table: *const super::table::Table,
        foreign: &Shared<Foreign>,
    ) -> Result<Box<List>, Fault> {
        let mut own = try_box(List::new(state::BORROWED)).map_err(|(_, fault)| fault)?;
        // SAFETY: as this function's own.
        for index in 0..unsafe { list_len(list, table)? } {
            // SAFETY: as above.
            let of = unsafe { list_attributes(list, index, table)? };
            let buffer = Buffer::new(of, state::BORROWED, Keep::Foreign(foreign.clone()));
            own.push_inner(buffer).map_err(|(_, fault)| fault)?;
        }
        Ok(own)
    }
}

/// Makes an empty list. `capacity` is a hint and never trusted; a list holds at most 255 buffers.
///
/// *Ownership:* the handle is the caller's. *Errors:* `HURRAY_ERR_NULL_POINTER`, `HURRAY_ERR_OUT_OF_MEMORY`.
/// *Threads:* any. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_buffer_list_new(
    capacity: u64,
    out_list: *mut *mut HurrayBufferList,
) -> HurrayStatus {
    guard(|| {
        // SAFETY: the caller's by contract.
        unsafe { wanted(out_list, "out_list")? };
        // SAFETY: as above.
        unsafe { clear(out_list) };
        let mut list = List::new(state::OWNED);
        let room = capacity.min(MAX_BUFFERS as u64) as usize;
        list.items.try_reserve(room).map_err(|_| out_of_memory(room as u64 * size_of::<usize>() as u64))?;
        let list = try_box(list).map_err(|(_, fault)| fault)?;
        born();
        // SAFETY: as above.
        unsafe { put(out_list, Box::into_raw(list).cast(), "out_list") }
    })
}

/// Appends a buffer to the list.
///
/// *Ownership:* on success the list owns the buffer: the caller's pointer is borrowed from the list from then on (for
/// a buffer of another copy of the library it is dead, and `hurray_buffer_list_get` gives the list's own). On failure
/// the buffer stays the caller's.
/// *Errors:* `HURRAY_ERR_LIMIT_EXCEEDED` (more than 255), `HURRAY_ERR_INVALID_HANDLE` (a list or buffer that is borrowed,
/// taken or destroyed), `HURRAY_ERR_NULL_POINTER`, `HURRAY_ERR_VERSION_MISMATCH`, `HURRAY_ERR_OUT_OF_MEMORY`.
/// *Threads:* one at a time. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_buffer_list_push(
    list: *mut HurrayBufferList,
    buffer: *mut HurrayBuffer,
) -> HurrayStatus {
    dispatch!(LIST, list, buffer_list_push(list, buffer))
}

pub(crate) unsafe fn push(list: *mut HurrayBufferList, buffer: *mut HurrayBuffer) -> Result<(), Fault> {
    // SAFETY: routed here; one thread at a time by contract.
    let list = unsafe { &mut *list.cast::<List>() };
    list.head.writable()?;
    // SAFETY: NULL or a handle by contract.
    match unsafe { route(buffer.cast(), mark::BUFFER)? } {
        Route::Home => {
            list.reserve()?;
            // SAFETY: routed here.
            if !unsafe { Buffer::of(buffer) }.head.leave(state::OWNED, state::BORROWED) {
                return Err(borrowed());
            }
            gone();
            // SAFETY: the handle stood for one reference, forgotten when it was handed out.
            list.items.push(unsafe { Shared::take_back(buffer.cast::<Buffer>()) });
            Ok(())
        }
        Route::Away(table) => {
            // SAFETY: a usable handle of that table, of this build version.
            let foreign = unsafe { Foreign::take(buffer.cast(), table)? };
            // SAFETY: as above.
            let of = unsafe { attributes(buffer, table)? };
            let own = Buffer::new(of, state::BORROWED, Keep::Foreign(foreign.clone()));
            list.push_inner(own).map_err(|(_, fault)| fault)?;
            foreign.commit();
            Ok(())
        }
    }
}

/// The number of buffers.
///
/// *Ownership:* none. *Errors:* `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
/// *Threads:* any, also at once on one handle that nobody pushes to. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_buffer_list_len(
    list: *const HurrayBufferList,
    out_len: *mut u64,
) -> HurrayStatus {
    dispatch!(LIST, list, buffer_list_len(list, out_len))
}

pub(crate) unsafe fn len(list: *const HurrayBufferList, out_len: *mut u64) -> Result<(), Fault> {
    // SAFETY: routed here; the output is the caller's by contract.
    unsafe { put(out_len, List::of(list).items.len() as u64, "out_len") }
}

/// The buffer at `index`, in descriptor order.
///
/// *Ownership:* borrowed; lives as long as the list, or the tensor it belongs to, and is never destroyed on its own.
/// *Errors:* `HURRAY_ERR_INDEX_OUT_OF_BOUNDS`, `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
/// *Threads:* any, also at once on one handle that nobody pushes to. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_buffer_list_get(
    list: *const HurrayBufferList,
    index: u64,
    out_borrowed: *mut *mut HurrayBuffer,
) -> HurrayStatus {
    // SAFETY: the caller's by contract.
    unsafe { clear(out_borrowed) };
    dispatch!(LIST, list, buffer_list_get(list, index, out_borrowed))
}

pub(crate) unsafe fn get(
    list: *const HurrayBufferList,
    index: u64,
    out_borrowed: *mut *mut HurrayBuffer,
) -> Result<(), Fault> {
    // SAFETY: routed here.
    let list = unsafe { List::of(list) };
    let Some(buffer) = usize::try_from(index).ok().and_then(|index| list.items.get(index)) else {
        return Err(Fault::new(Status::INDEX_OUT_OF_BOUNDS, "", "the list has no such buffer")
            .field("index")
            .value(index)
            .limit(list.items.len() as u64));
    };
    // SAFETY: the output is the caller's by contract.
    unsafe { put(out_borrowed, Shared::as_ptr(buffer).cast(), "out_borrowed") }
}

/// Ends a list and the buffers in it, in order, and writes NULL through the pointer. NULL, or a pointer to NULL, does
/// nothing.
///
/// *Ownership:* ends the handle and what it owns. *Errors:* `HURRAY_ERR_INVALID_HANDLE` (borrowed: the pointer stays as
/// it was). *Threads:* any. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_buffer_list_destroy(list: *mut *mut HurrayBufferList) -> HurrayStatus {
    // SAFETY: the caller's by contract.
    unsafe { destroy(list, mark::LIST) }
}
