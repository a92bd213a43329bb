//! What keeps memory alive for as long as the library uses it.

use std::ffi::c_void;
use std::mem::ManuallyDrop;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// Something that keeps memory alive and fits into one pointer, so that it crosses without an allocation of its own.
///
/// # Safety
/// `into_pointer` gives up the value; `release` gets that pointer back exactly once, on any thread.
pub unsafe trait Keep: Send + 'static {
    /// Gives up the value as a pointer.
    fn into_pointer(self) -> *mut c_void;

    /// Drops the value behind the pointer. A panic ends here.
    ///
    /// # Safety
    /// The pointer came from `into_pointer` of this type, and was not released before.
    unsafe fn release(pointer: *mut c_void);
}

// SAFETY: a box is one pointer, and `Send` lets any thread drop it.
unsafe impl<T: Send + 'static> Keep for Box<T> {
    fn into_pointer(self) -> *mut c_void {
        Box::into_raw(self).cast()
    }

    unsafe fn release(pointer: *mut c_void) {
        // SAFETY: the pointer came from a box of this type.
        drop(unsafe { Box::from_raw(pointer.cast::<T>()) });
    }
}

// SAFETY: an `Arc` is one pointer, and its bounds let any thread drop it.
unsafe impl<T: Send + Sync + 'static> Keep for Arc<T> {
    fn into_pointer(self) -> *mut c_void {
        Arc::into_raw(self).cast_mut().cast()
    }

    unsafe fn release(pointer: *mut c_void) {
        // SAFETY: the pointer came from an `Arc` of this type.
        drop(unsafe { Arc::from_raw(pointer.cast_const().cast::<T>()) });
    }
}

/// Calls a function when it is dropped.
struct Finally<F: FnOnce() + Send>(Option<F>);

impl<F: FnOnce() + Send> Drop for Finally<F> {
    fn drop(&mut self) {
        if let Some(function) = self.0.take() {
            function();
        }
    }
}

/// What keeps the memory of a buffer or a tensor alive: dropped exactly once, on whatever thread drops the last share
/// of the memory, or by the call that was given it if that call fails. A panic while it is dropped goes no further.
#[derive(Debug)]
pub struct Owner {
    pointer: *mut c_void,
    release: Option<unsafe extern "C" fn(*mut c_void)>,
    release_buffer: Option<unsafe extern "C" fn(*mut c_void, *mut c_void)>,
}

// SAFETY: what an owner can be made of is `Send`.
unsafe impl Send for Owner {}

impl Owner {
    /// No owner: the memory outlives its users by other means.
    pub const fn none() -> Self {
        Self { pointer: std::ptr::null_mut(), release: None, release_buffer: None }
    }

    /// A value that is dropped when the memory is not needed any more. Boxed; [`Owner::keep`] takes a box or an
    /// [`Arc`] as it is.
    pub fn of<T: Send + 'static>(value: T) -> Self {
        Self::keep(Box::new(value))
    }

    /// A function that is called when the memory is not needed any more.
    pub fn finally<F: FnOnce() + Send + 'static>(function: F) -> Self {
        Self::of(Finally(Some(function)))
    }

    /// A value that fits into one pointer.
    pub fn keep<K: Keep>(value: K) -> Self {
        Self {
            pointer: value.into_pointer(),
            release: Some(release::<K>),
            release_buffer: Some(release_buffer::<K>),
        }
    }

    /// The pointer and the function for a tensor, whose memory it is now to release.
    pub(crate) fn tensor_parts(&self) -> (*mut c_void, Option<unsafe extern "C" fn(*mut c_void)>) {
        (self.pointer, self.release)
    }

    /// The context and the function for a buffer.
    #[allow(clippy::type_complexity)]
    pub(crate) fn buffer_parts(
        &self,
    ) -> (*mut c_void, Option<unsafe extern "C" fn(*mut c_void, *mut c_void)>) {
        (self.pointer, self.release_buffer)
    }

    /// Forgets the owner: a call has taken it over.
    pub(crate) fn taken(self) {
        let _ = ManuallyDrop::new(self);
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: no call took the pointer over, so it was not released.
            unsafe { release(self.pointer) };
        }
    }
}

unsafe extern "C" fn release<K: Keep>(pointer: *mut c_void) {
    // SAFETY: the library releases an owner once, with the pointer that it was given.
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| unsafe { K::release(pointer) })) {
        // What was thrown could panic again when it is dropped; then it is leaked.
        std::mem::forget(catch_unwind(AssertUnwindSafe(move || drop(panic))));
    }
}

unsafe extern "C" fn release_buffer<K: Keep>(_data: *mut c_void, context: *mut c_void) {
    // SAFETY: as above.
    unsafe { release::<K>(context) }
}
