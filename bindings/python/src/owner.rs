//! Python objects that keep memory alive, released from any thread.

use std::cell::Cell;
use std::ffi::c_void;
use std::ptr::NonNull;

use hurray_client::{Keep, Owner};
use pyo3::ffi;
use pyo3::prelude::*;

thread_local! {
    /// Set while this thread runs a capsule destructor: the interpreter holds it attached, and pyo3 does not know.
    static IN_DESTRUCTOR: Cell<bool> = const { Cell::new(false) };
}

/// One reference to a Python object.
struct Held(NonNull<ffi::PyObject>);

// SAFETY: the count is touched only while the thread is attached to the interpreter.
unsafe impl Send for Held {}

// SAFETY: a reference is one pointer.
unsafe impl Keep for Held {
    fn into_pointer(self) -> *mut c_void {
        self.0.as_ptr().cast()
    }

    unsafe fn release(pointer: *mut c_void) {
        if IN_DESTRUCTOR.try_with(Cell::get).unwrap_or(false) {
            // SAFETY: the interpreter called the destructor that this runs in, so the thread is attached.
            unsafe { ffi::Py_DecRef(pointer.cast()) };
            return;
        }
        // A finalized interpreter takes no thread in any more: the reference leaks, and nothing touches the object.
        // SAFETY: attached inside the closure.
        let _ = Python::try_attach(|_| unsafe { ffi::Py_DecRef(pointer.cast()) });
    }
}

/// An owner that holds a reference to `object`.
pub fn of(object: &Bound<'_, PyAny>) -> Owner {
    // SAFETY: a bound object is never null.
    Owner::keep(Held(unsafe { NonNull::new_unchecked(object.clone().into_ptr()) }))
}

/// Runs what a capsule destructor does.
///
/// # Safety
/// The interpreter called the destructor, so that this thread is attached to it.
pub unsafe fn in_destructor(run: impl FnOnce()) {
    struct Restore(bool);
    impl Drop for Restore {
        fn drop(&mut self) {
            let _ = IN_DESTRUCTOR.try_with(|inside| inside.set(self.0));
        }
    }
    let _restore = Restore(IN_DESTRUCTOR.try_with(|inside| inside.replace(true)).unwrap_or(false));
    run();
}
