//! The last failing call of each thread: status, text, system error, input offset. Storing one allocates nothing and
//! runs no destructor, so it works at any time in a thread's life.

use super::guard::{Filler, put_array};
use super::handles::HurrayStatus;
use super::table::Table;
use crate::format::{Fault, Status};
use std::cell::UnsafeCell;
use std::ffi::c_char;
use std::fmt::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

const TEXT_ROOM: usize = 512;

struct LastError {
    status: HurrayStatus,
    os_error: i32,
    offset: u64,
    len: usize,
    text: [u8; TEXT_ROOM],
}

thread_local! {
    static LAST: UnsafeCell<LastError> = const {
        UnsafeCell::new(LastError { status: 0, os_error: 0, offset: u64::MAX, len: 0, text: [0; TEXT_ROOM] })
    };
}

fn with_last<R>(body: impl FnOnce(&mut LastError) -> R) -> R {
    // SAFETY: thread-local, never handed out, and no body calls back into this module.
    LAST.with(|last| body(unsafe { &mut *last.get() }))
}

impl LastError {
    /// Forgets the text of a status.
    fn end(&mut self, status: HurrayStatus) {
        if self.status == status {
            (self.status, self.os_error, self.offset, self.len) = (0, 0, u64::MAX, 0);
        }
    }

    fn set(&mut self, fault: &Fault) {
        self.status = fault.status.0;
        self.os_error = fault.os_error;
        self.offset = fault.offset().unwrap_or(u64::MAX);
        self.len = 0;
        // Writing into the thread's own array cannot fail; longer text is cut.
        let _ = write!(self, "{fault}");
    }
}

impl Write for LastError {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let mut end = text.len().min(TEXT_ROOM - self.len);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        if let (Some(to), Some(from)) =
            (self.text.get_mut(self.len..self.len + end), text.as_bytes().get(..end))
        {
            to.copy_from_slice(from);
            self.len += end;
        }
        Ok(())
    }
}

/// Stores a fault as this thread's last error, unless it has no text or its text is stored already, and gives its
/// status. An answer without a text ends one of the same status: that text is not this call's.
///
/// A C function cannot unwind, and the compiler knows it: a call whose own steps cannot panic then needs no landing
/// pad for the way out either.
#[cold]
#[inline(never)]
pub(crate) extern "C" fn refuse(fault: &Fault) -> HurrayStatus {
    if !fault.what.is_empty() {
        let written = catch_unwind(AssertUnwindSafe(|| with_last(|last| last.set(fault))));
        // Dropping a payload could panic again.
        let _ = written.map_err(std::mem::forget);
    } else if fault.status.is_answer() {
        with_last(|last| last.end(fault.status.0));
    }
    fault.status.0
}

/// Stores a fault with more text than it has room for. Gives the fault to fail with, whose text is stored then.
#[cold]
pub(crate) fn tell(fault: &Fault, more: &dyn fmt::Display) -> Fault {
    with_last(|last| {
        last.set(fault);
        // As in `set`.
        let _ = write!(last, "{more}");
    });
    Fault { what: "", ..*fault }
}

/// Takes another copy's last error over as this thread's own.
///
/// # Safety
/// `table` is a table of this build version.
#[cold]
#[inline(never)]
pub(crate) unsafe fn fetch(table: *const Table, status: HurrayStatus) {
    if status >= 0 {
        return;
    }
    // SAFETY: the slot is at a fixed place in every table of this version.
    let last_error = unsafe { (&raw const (*table).last_error).read() };
    let (mut text, mut len) = ([0u8; TEXT_ROOM], TEXT_ROOM);
    let (mut from, mut os_error, mut offset) = (0, 0, u64::MAX);
    // SAFETY: the text has `len` bytes of room, and the outputs are this frame's own.
    let got = unsafe {
        last_error(text.as_mut_ptr().cast(), &raw mut len, &raw mut from, &raw mut os_error, &raw mut offset)
    };
    let known = got == 0 && from == status;
    with_last(|last| {
        if known {
            *last = LastError { status, os_error, offset, len: len.min(TEXT_ROOM), text };
        } else if Status(status).is_answer() {
            last.end(status);
        } else {
            (last.status, last.os_error, last.offset, last.len) = (status, 0, u64::MAX, 0);
        }
    });
}

/// The table's slot: text and info of this thread in this copy, in one call.
pub(crate) unsafe extern "C" fn last_error_slot(
    out: *mut c_char,
    out_len: *mut usize,
    out_status: *mut i32,
    out_os_error: *mut i32,
    out_offset: *mut u64,
) -> HurrayStatus {
    // SAFETY: both are called with the pointers they ask for.
    unsafe {
        hurray_last_error_info(out_status, out_os_error, out_offset);
        hurray_last_error_message(out, out_len)
    }
}

/// The text of this thread's last failing call: the rule first (`V-093: ...`), then the field, value and offset that
/// were wrong. UTF-8, at most 512 bytes, not NUL-terminated; empty when no call has failed on this thread.
///
/// A succeeding call leaves the stored text as it is, and so do the answers `HURRAY_ERR_BUFFER_TOO_SMALL` (of an array; a
/// buffer that a result does not fit into has a text), `HURRAY_ERR_FIELD_NOT_PRESENT`,
/// `HURRAY_ERR_FIELD_NOT_APPLICABLE` and `HURRAY_ERR_NOT_FOUND`, which only end a text of their own status: ask
/// `hurray_last_error_info` which status the text belongs to. Make the failing call and this one on the same thread of
/// the operating system.
///
/// *Ownership:* the text is written into the caller's `out`; `*out_len` is its room in bytes, then the true length.
/// *Errors:* `HURRAY_ERR_NULL_POINTER` (out_len), `HURRAY_ERR_BUFFER_TOO_SMALL`.
/// *Threads:* any; each has its own text. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_last_error_message(out: *mut c_char, out_len: *mut usize) -> HurrayStatus {
    with_last(|last| {
        let text = last.text.get(..last.len).unwrap_or_default();
        let fill = |to: &mut Filler<c_char>| to.extend(text.iter().map(|&byte| byte as c_char));
        // SAFETY: `out` and `out_len` are the caller's by contract.
        match unsafe { put_array(out, out_len, text.len(), fill) } {
            Ok(()) => Status::OK.0,
            // Not stored: asking for the last error does not change it.
            Err(fault) => fault.status.0,
        }
    })
}

/// What belongs to the text of `hurray_last_error_message`: the status of the call that failed (0: none has), the
/// system's error number (0: none), and the offset in the input, in bytes (`UINT64_MAX`: none). Any out-parameter may
/// be NULL.
///
/// *Ownership:* none. *Errors:* none; always `HURRAY_OK`. *Threads:* any; each has its own. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_last_error_info(
    out_status: *mut HurrayStatus,
    out_os_error: *mut i32,
    out_offset: *mut u64,
) -> HurrayStatus {
    with_last(|last| {
        // SAFETY: each is NULL or the caller's by contract.
        unsafe {
            if !out_status.is_null() {
                out_status.write(last.status);
            }
            if !out_os_error.is_null() {
                out_os_error.write(last.os_error);
            }
            if !out_offset.is_null() {
                out_offset.write(last.offset);
            }
        }
        Status::OK.0
    })
}
