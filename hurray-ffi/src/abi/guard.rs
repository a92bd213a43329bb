//! The edge itself: panics stop here, raw arguments become references and slices, results go out.

use super::error;
use super::handles::HurrayStatus;
use super::prefix::null;
use crate::format::{Fault, Status};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs a call's body. A panic becomes `HURRAY_ERR_INTERNAL_PANIC`, and what it interrupted is leaked.
#[inline(always)]
pub(crate) fn guard(body: impl FnOnce() -> Result<(), Fault>) -> HurrayStatus {
    // The fault is stored inside, so that nothing larger than a status comes out.
    let call = move || match body() {
        Ok(()) => Status::OK.0,
        Err(fault) => error::refuse(&fault),
    };
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(status) => status,
        Err(payload) => {
            // Dropping a payload could panic again.
            std::mem::forget(payload);
            error::refuse(&panicked())
        }
    }
}

/// Panics at the one number that names nothing, in the build that tests what a panic does.
#[cfg(feature = "panic-probe")]
#[allow(clippy::panic)]
pub(crate) fn probe(number: u32) {
    if number == u32::MAX {
        panic!("the probe");
    }
}

#[cold]
pub(crate) fn panicked() -> Fault {
    Fault::new(
        Status::INTERNAL_PANIC,
        "",
        "a bug in the library: a call panicked and was stopped at the boundary",
    )
}

#[cold]
pub(crate) fn out_of_memory(bytes: u64) -> Fault {
    Fault::out_of_memory().field("bytes").value(bytes)
}

/// A borrowed slice from a pointer and a length: NULL with length 0 is empty.
///
/// # Safety
/// `data` points at `len` readable values for the time of the call, or is NULL.
pub(crate) unsafe fn slice<'a, T>(data: *const T, len: usize, field: &'static str) -> Result<&'a [T], Fault> {
    if len == 0 {
        return Ok(&[]);
    }
    if data.is_null() {
        return Err(null(field));
    }
    if !data.is_aligned() || len > isize::MAX as usize / size_of::<T>() {
        return Err(Fault::new(
            Status::INVALID_ARGUMENT,
            "",
            "the array is misaligned or longer than memory",
        )
        .field(field));
    }
    // SAFETY: not NULL, aligned, of a possible length, readable by contract.
    Ok(unsafe { std::slice::from_raw_parts(data, len) })
}

/// Writes one result.
///
/// # Safety
/// `out` is NULL or points at a writable `T`.
#[inline(always)]
pub(crate) unsafe fn put<T>(out: *mut T, value: T, field: &'static str) -> Result<(), Fault> {
    // SAFETY: as this function's own.
    unsafe { wanted(out, field)? };
    // SAFETY: not NULL, writable by contract; unaligned is harmless here.
    unsafe { out.write_unaligned(value) };
    Ok(())
}

/// Tests an out-parameter before the work, so that a failing call has done nothing.
///
/// # Safety
/// None; the signature mirrors its neighbours.
#[inline(always)]
pub(crate) unsafe fn wanted<T>(out: *mut T, field: &'static str) -> Result<(), Fault> {
    if out.is_null() { Err(null(field)) } else { Ok(()) }
}

/// A handle out-parameter starts as NULL, so that it is NULL when the call fails.
///
/// # Safety
/// `out` is NULL or points at a writable pointer.
#[inline(always)]
pub(crate) unsafe fn clear<T>(out: *mut *mut T) {
    if !out.is_null() {
        // SAFETY: writable by contract.
        unsafe { out.write_unaligned(std::ptr::null_mut()) };
    }
}

/// The capacity idiom: `*len` is the room in, the true length out; a short array stays untouched.
///
/// # Safety
/// `len` is NULL or points at a writable length, and `out` has room for that many values or is NULL.
pub(crate) unsafe fn put_array<T>(
    out: *mut T,
    len: *mut usize,
    count: usize,
    fill: impl FnOnce(&mut Filler<T>),
) -> Result<(), Fault> {
    // SAFETY: as this function's own.
    unsafe { wanted(len, "out_len")? };
    // SAFETY: not NULL, readable and writable by contract.
    let room = unsafe { len.read_unaligned() };
    // SAFETY: as above.
    unsafe { len.write_unaligned(count) };
    if count == 0 {
        return Ok(());
    }
    if out.is_null() || room < count {
        return Err(Fault::answer(Status::BUFFER_TOO_SMALL));
    }
    fill(&mut Filler { next: out, left: count });
    Ok(())
}

/// Writes values one after the other into an array of known room.
pub(crate) struct Filler<T> {
    next: *mut T,
    left: usize,
}

impl<T> Filler<T> {
    /// Writes one value; what would not fit is dropped.
    pub(crate) fn push(&mut self, value: T) {
        if self.left > 0 {
            // SAFETY: `left` values of room remain at `next`.
            unsafe {
                self.next.write_unaligned(value);
                self.next = self.next.add(1);
            }
            self.left -= 1;
        }
    }

    /// Writes values in bulk.
    pub(crate) fn extend(&mut self, values: impl IntoIterator<Item = T>) {
        for value in values {
            self.push(value);
        }
    }

    /// Fills what is left as one slice.
    pub(crate) fn fill(&mut self, write: impl FnOnce(&mut [T]))
    where
        T: Copy + Default,
    {
        let (start, count) = (self.next, self.left);
        if !start.is_aligned() {
            return;
        }
        self.extend(std::iter::repeat_n(T::default(), count));
        // SAFETY: just written, aligned, and the caller's for the time of the call.
        write(unsafe { std::slice::from_raw_parts_mut(start, count) });
    }
}
