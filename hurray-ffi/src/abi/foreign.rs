//! Objects that another copy of the library made, used through that copy's table only.

use super::handles::{HurrayBuffer, HurrayBufferList};
use super::prefix::Prefix;
use super::shared::Shared;
use super::table::Table;
use crate::format::{Fault, Status};
use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, Ordering};

/// What `adopt` does.
pub(crate) mod how {
    pub(crate) const GIVE_BACK: u32 = 0;
    pub(crate) const TAKE: u32 = 1;
    pub(crate) const DROP: u32 = 2;
}

/// A handle taken from its caller. It goes back unless the call succeeds; then its maker drops it when its last user goes.
pub(crate) struct Foreign {
    handle: *mut c_void,
    table: *const Table,
    keep: AtomicBool,
}

// SAFETY: handles may move between threads, and `adopt` is one atomic step on the handle's state.
unsafe impl Send for Foreign {}
// SAFETY: as above.
unsafe impl Sync for Foreign {}

impl Foreign {
    /// Takes a caller-owned handle of another copy.
    ///
    /// # Safety
    /// `handle` is usable and belongs to `table`, a table of this build version.
    pub(crate) unsafe fn take(handle: *mut c_void, table: *const Table) -> Result<Shared<Foreign>, Fault> {
        // SAFETY: `adopt` is at a fixed place in every table of this version.
        ok(unsafe { ((*table).adopt)(handle, how::TAKE) }, table)?;
        let foreign = Foreign { handle, table, keep: AtomicBool::new(false) };
        // When this fails, dropping what comes back gives the handle back.
        Shared::try_new(foreign).map_err(|(_, fault)| fault)
    }

    /// The call succeeded: the handle is not its caller's any more.
    pub(crate) fn commit(&self) {
        self.keep.store(true, Ordering::Relaxed);
    }
}

impl Drop for Foreign {
    fn drop(&mut self) {
        let how = if self.keep.load(Ordering::Relaxed) { how::DROP } else { how::GIVE_BACK };
        // SAFETY: the handle was taken and neither given back nor dropped since.
        unsafe { ((*self.table).adopt)(self.handle, how) };
    }
}

/// Turns another copy's status into a fault of this one, whose text is that copy's and already stored.
pub(crate) fn ok(status: i32, table: *const Table) -> Result<(), Fault> {
    if status == Status::OK.0 {
        return Ok(());
    }
    // SAFETY: a table of this version, as in every caller.
    unsafe { super::error::fetch(table, status) };
    Err(Fault::answer(Status(status)))
}

/// What a buffer is, besides the memory's owner.
#[derive(Clone, Copy)]
pub(crate) struct Attributes {
    pub(crate) data: *mut c_void,
    pub(crate) byte_size: u64,
    pub(crate) alignment: u32,
    pub(crate) device_tag: u8,
    pub(crate) sync_mode: u8,
    pub(crate) memory_class: u8,
    pub(crate) flags: u32,
    pub(crate) device_id: i32,
    pub(crate) lead: u32,
}

/// Calls a slot of another copy's table.
macro_rules! call {
    ($table:expr, $slot:ident($($arg:expr),* $(,)?)) => {{
        use $crate::abi::{foreign::ok, prefix::slot, table::Table};
        let table: *const Table = $table;
        // SAFETY: a table of this build version.
        unsafe { slot(table, std::mem::offset_of!(Table, $slot), |table| table.$slot) }
            // SAFETY: the subject belongs to the table; the outputs are the caller's own.
            .and_then(|call| ok(unsafe { call($($arg),*) }, table))
    }};
}
pub(crate) use call;

/// Reads one value through a slot of another copy's table.
macro_rules! read {
    ($table:expr, $slot:ident, $subject:expr, $start:expr) => {{
        let mut value = $start;
        call!($table, $slot($subject, &raw mut value))?;
        value
    }};
}

/// Reads a buffer of another copy, once.
///
/// # Safety
/// `buffer` is usable and belongs to `table`, a table of this build version.
pub(crate) unsafe fn attributes(
    buffer: *const HurrayBuffer,
    table: *const Table,
) -> Result<Attributes, Fault> {
    Ok(Attributes {
        data: read!(table, buffer_data_ptr, buffer, null_mut()),
        byte_size: read!(table, buffer_byte_size, buffer, 0),
        alignment: read!(table, buffer_alignment, buffer, 0),
        device_tag: read!(table, buffer_device_tag, buffer, 0),
        sync_mode: read!(table, buffer_sync_mode, buffer, 0),
        memory_class: read!(table, buffer_memory_class, buffer, 0),
        flags: read!(table, buffer_flags, buffer, 0),
        device_id: read!(table, buffer_device_id, buffer, 0),
        lead: read!(table, buffer_lead, buffer, 0),
    })
}

/// The number of buffers in a list of another copy.
///
/// # Safety
/// As [`attributes`].
pub(crate) unsafe fn list_len(list: *const HurrayBufferList, table: *const Table) -> Result<u64, Fault> {
    Ok(read!(table, buffer_list_len, list, 0))
}

/// One buffer of a list of another copy, read once.
///
/// # Safety
/// As [`attributes`].
pub(crate) unsafe fn list_attributes(
    list: *const HurrayBufferList,
    index: u64,
    table: *const Table,
) -> Result<Attributes, Fault> {
    let mut buffer: *mut HurrayBuffer = null_mut();
    call!(table, buffer_list_get(list, index, &raw mut buffer))?;
    // SAFETY: a borrowed buffer of that list belongs to the same table.
    let maker = unsafe { (*buffer.cast::<Prefix>()).table };
    // SAFETY: as above.
    unsafe { attributes(buffer, maker) }
}
