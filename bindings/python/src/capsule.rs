//! The hand-off: a handle in a capsule, out and in.

use std::ffi::CStr;

use hurray_client::{Status, Tensor, sys};
use pyo3::exceptions::PyTypeError;
use pyo3::ffi::{self, PyObject};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::critical_section::with_critical_section;

use crate::errors::{OrRaise, exception};
use crate::owner::in_destructor;

const NAME: &CStr = c"hurray_tensor_handle";
const USED: &CStr = c"used_hurray_tensor_handle";

/// A capsule with a share of the tensor.
pub fn export<'py>(py: Python<'py>, tensor: &Tensor) -> PyResult<Bound<'py, PyAny>> {
    let handle = tensor.share().or_raise(py)?.into_raw();
    // SAFETY: the pointer is not null; the name is static; the destructor takes what the capsule holds.
    let capsule = unsafe { ffi::PyCapsule_New(handle.cast(), NAME.as_ptr(), Some(destroy)) };
    // SAFETY: a new reference, or null and an exception.
    unsafe { Bound::from_owned_ptr_or_err(py, capsule) }.inspect_err(|_| {
        // SAFETY: no capsule took the handle over.
        drop(unsafe { Tensor::from_raw(handle) });
    })
}

/// Destroys the handle of a capsule that nobody consumed; also while the interpreter shuts down.
unsafe extern "C" fn destroy(capsule: *mut PyObject) {
    // SAFETY: the interpreter destroys a capsule that has this destructor. A consumer renames what it took.
    unsafe {
        if ffi::PyCapsule_IsValid(capsule, NAME.as_ptr()) == 0 {
            return;
        }
        let mut handle = ffi::PyCapsule_GetPointer(capsule, NAME.as_ptr()).cast::<sys::HurrayTensor>();
        in_destructor(|| {
            sys::hurray_tensor_destroy(&mut handle);
        });
    }
}

/// The tensor of an object that exports one.
pub fn import(object: &Bound<'_, PyAny>) -> PyResult<Tensor> {
    let py = object.py();
    let Some(export) = object.getattr_opt(intern!(py, "__hurray__"))? else {
        let kind = object.get_type().name()?;
        return Err(PyTypeError::new_err(format!("{kind} has no __hurray__ method: it exports no tensor")));
    };
    let capsule = export.call0()?;
    // Test and renaming are one step for every other thread that was given the same capsule.
    with_critical_section(&capsule, || take(&capsule))
}

fn take(capsule: &Bound<'_, PyAny>) -> PyResult<Tensor> {
    let py = capsule.py();
    let raw = capsule.as_ptr();
    // SAFETY: takes any object.
    if unsafe { ffi::PyCapsule_IsValid(raw, NAME.as_ptr()) } == 0 {
        return Err(refuse(capsule)?);
    }
    // SAFETY: valid under this name.
    let handle = unsafe { ffi::PyCapsule_GetPointer(raw, NAME.as_ptr()) }.cast::<sys::HurrayTensor>();
    // The version is read first; another version's handle stays in its capsule.
    // SAFETY: a capsule of this name holds a live handle, until it is renamed below.
    let tensor = unsafe { Tensor::from_raw(handle) }.or_raise(py)?;
    // SAFETY: the name is static.
    if unsafe { ffi::PyCapsule_SetName(raw, USED.as_ptr()) } != 0 {
        tensor.into_raw(); // it stays the capsule's
        return Err(PyErr::fetch(py));
    }
    Ok(tensor)
}

/// Why an object is not a capsule that can be consumed.
#[cold]
fn refuse(object: &Bound<'_, PyAny>) -> PyResult<PyErr> {
    let py = object.py();
    // SAFETY: takes any object.
    if unsafe { ffi::PyCapsule_CheckExact(object.as_ptr()) } == 0 {
        let kind = object.get_type().name()?;
        return Ok(PyTypeError::new_err(format!("__hurray__ gave {kind}, not a capsule")));
    }
    // SAFETY: a capsule; no name is null, and no exception then.
    let name = unsafe { ffi::PyCapsule_GetName(object.as_ptr()) };
    let name = if name.is_null() {
        "without a name".into()
    } else {
        // SAFETY: a capsule's name is NUL-terminated and outlives it.
        format!("named {:?}", unsafe { CStr::from_ptr(name) }.to_string_lossy())
    };
    let used = if name.contains("used_hurray_tensor_handle") { ": it was consumed before" } else { "" };
    let text = format!("a capsule {name} is no tensor's{used}; the name is {:?}", NAME.to_string_lossy());
    Ok(exception(py, "CapsuleError", &text, Status::INVALID_HANDLE))
}
