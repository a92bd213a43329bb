//! DLPack: a tensor in one of its capsules, and of one.

use std::ffi::CStr;

use hurray_client::{Error, Options, Status, Tensor as Handle, sys};
use pyo3::exceptions::PyTypeError;
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::sync::critical_section::with_critical_section;

use crate::dlpack_exchange;
use crate::dlpack_structs::{CPU, FLAG_IS_COPIED, Managed, Unversioned, Versioned};
use crate::errors::{OrRaise, dlpack_error, exception};
use crate::owner::in_destructor;
use crate::tensor::Tensor;

#[pymethods]
impl Tensor {
    /// The tensor in a capsule named "dltensor_versioned", or "dltensor" for a consumer that offers no `max_version` of 1
    /// or more. What nobody consumes is released with the capsule.
    ///
    /// `dl_device` is None, the tensor's own device, or ``(1, 0)`` for the host; `copy` is that of the array API. Truth
    /// values, bits here and bytes there, cross by ``copy=True`` only, and so does read-only memory to an old consumer.
    /// `stream` is None or -1, or the legacy default stream of CUDA (1) or ROCm (0).
    ///
    /// Raises DLPackError for what DLPack cannot carry and CopyRequiredError; both are of the builtin BufferError.
    #[pyo3(signature = (*, stream = None, max_version = None, dl_device = None, copy = None))]
    fn __dlpack__<'py>(
        &self,
        py: Python<'py>,
        stream: Option<Bound<'py, PyAny>>,
        max_version: Option<(i64, i64)>,
        dl_device: Option<(i32, i32)>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let handle = self.handle(py)?;
        let device = handle.dlpack_device().map_err(|error| dlpack_error(py, error))?;
        if let Some(stream) = stream {
            check_stream(&stream, device.0)?;
        }
        let moves = dl_device.is_some_and(|wanted| wanted != device);
        if moves && dl_device != Some((CPU, 0)) {
            let text = format!(
                "the tensor is on DLPack's device {device:?}; it can only be moved to the host, (1, 0)"
            );
            return Err(dlpack_error(py, Error::new(Status::UNSUPPORTED, text)));
        }
        if moves && copy == Some(false) {
            let text = format!(
                "from DLPack's device {device:?} to the host takes a copy, and copy=False forbids it"
            );
            return Err(exception(py, "CopyRequiredError", &text, Status::COPY_REQUIRED));
        }
        let copy = if moves { Some(true) } else { copy };
        if max_version.is_some_and(|(major, _)| major >= 1) {
            export::<Versioned>(py, handle, copy)
        } else {
            export::<Unversioned>(py, handle, copy)
        }
    }

    /// DLPack's numbers of the device: its type and which one.
    fn __dlpack_device__(&self, py: Python<'_>) -> PyResult<(i32, i32)> {
        self.handle(py)?.dlpack_device().map_err(|error| dlpack_error(py, error))
    }

    /// DLPack's table of C functions, for consumers that are extensions themselves.
    #[classattr]
    fn __dlpack_c_exchange_api__(py: Python<'_>) -> PyResult<Py<PyAny>> {
        dlpack_exchange::capsule(py)
    }
}

const CUDA: [i32; 2] = [2, 13];
const ROCM: i32 = 10;

/// Memory that is ready needs no stream. A device's was ordered before its legacy default stream when it came in.
fn check_stream(stream: &Bound<'_, PyAny>, device: i32) -> PyResult<()> {
    let known = match stream.extract::<i64>() {
        Ok(-1) => true,
        Ok(1) => CUDA.contains(&device),
        Ok(0) => device == ROCM,
        _ => false,
    };
    if known {
        return Ok(());
    }
    let text =
        format!("stream {stream}: no stream of a device is waited for here; order it yourself and pass -1");
    Err(dlpack_error(stream.py(), Error::new(Status::UNSUPPORTED, text)))
}

fn options(copy: Option<bool>) -> hurray_client::Result<Option<Options>> {
    copy.map(|always| {
        let mut options = Options::new()?;
        options.set(sys::HURRAY_OPTION_COPY, if always { 2 } else { 1 })?;
        Ok(options)
    })
    .transpose()
}

fn export<'py, M: Managed>(
    py: Python<'py>,
    tensor: &Handle,
    copy: Option<bool>,
) -> PyResult<Bound<'py, PyAny>> {
    let made = match options(copy).or_raise(py)? {
        None => M::export(tensor, None),
        Some(options) => py.detach(|| M::export(tensor, Some(&options)).map(Address)).map(|made| made.0),
    };
    let managed = made.map_err(|error| dlpack_error(py, error))?;
    // SAFETY: the pointer is not null; the name is static; the destructor takes what the capsule holds.
    let capsule = unsafe { ffi::PyCapsule_New(managed.cast(), M::NAME.as_ptr(), Some(destroy::<M>)) };
    // SAFETY: a new reference, or null and an exception.
    unsafe { Bound::from_owned_ptr_or_err(py, capsule) }.inspect_err(|_| {
        // SAFETY: no capsule took the struct over.
        unsafe { M::delete(managed) }
    })
}

/// A struct on its way out of a call without the interpreter.
struct Address<M>(*mut M);

// SAFETY: DLPack's structs may move between threads.
unsafe impl<M> Send for Address<M> {}

impl<M: Managed> Address<M> {
    /// # Safety
    /// The struct is the caller's.
    unsafe fn import(&mut self, options: Option<&Options>) -> hurray_client::Result<Handle> {
        // SAFETY: the caller's promise.
        unsafe { M::import(&mut self.0, options) }
    }
}

/// Releases the struct of a capsule that nobody consumed; also while the interpreter shuts down.
unsafe extern "C" fn destroy<M: Managed>(capsule: *mut PyObject) {
    // SAFETY: the interpreter destroys a capsule that has this destructor. A consumer renames what it took.
    unsafe {
        if ffi::PyCapsule_IsValid(capsule, M::NAME.as_ptr()) == 0 {
            return;
        }
        let managed = ffi::PyCapsule_GetPointer(capsule, M::NAME.as_ptr()).cast::<M>();
        in_destructor(|| M::delete(managed));
    }
}

/// The tensor of a capsule, which is consumed. `asked` tells that its producer was asked for `copy`, and knew the word.
#[pyfunction]
pub fn take_dlpack(capsule: &Bound<'_, PyAny>, copy: Option<bool>, asked: bool) -> PyResult<Tensor> {
    let taken = match take::<Versioned>(capsule, copy, asked)? {
        Some(tensor) => Some(tensor),
        None => take::<Unversioned>(capsule, copy, asked)?,
    };
    taken.map(Tensor::of).ok_or_else(|| refuse(capsule))
}

fn take<M: Managed>(capsule: &Bound<'_, PyAny>, copy: Option<bool>, asked: bool) -> PyResult<Option<Handle>> {
    let py = capsule.py();
    let raw = capsule.as_ptr();
    // Test and renaming are one step for every other thread that was given the same capsule.
    let claimed = with_critical_section(capsule, || {
        // SAFETY: takes any object; the name is static, and the capsule holds a struct of this kind under it.
        unsafe {
            if ffi::PyCapsule_IsValid(raw, M::NAME.as_ptr()) == 0 {
                return Ok(None);
            }
            let managed = ffi::PyCapsule_GetPointer(raw, M::NAME.as_ptr()).cast::<M>();
            if ffi::PyCapsule_SetName(raw, M::USED.as_ptr()) != 0 {
                return Err(PyErr::fetch(py));
            }
            Ok(Some(managed))
        }
    })?;
    let Some(managed) = claimed else {
        return Ok(None);
    };
    // SAFETY: the capsule held it, and it is this call's now.
    let (left, imported) = unsafe { import(py, managed, copy, asked) };
    if !left.is_null() {
        // It stays its maker's.
        // SAFETY: the name is static.
        unsafe { ffi::PyCapsule_SetName(raw, M::NAME.as_ptr()) };
    }
    imported.map(Some)
}

/// A tensor of a struct, or the error; and the struct, if it was not taken over.
///
/// # Safety
/// The struct is the caller's.
unsafe fn import<M: Managed>(
    py: Python<'_>,
    managed: *mut M,
    copy: Option<bool>,
    asked: bool,
) -> (*mut M, PyResult<Handle>) {
    // SAFETY: the struct is live; one of another major version has no flags that are known, and is refused below.
    let is_copied = unsafe { M::flags(managed) } & FLAG_IS_COPIED != 0;
    if copy == Some(false) && is_copied && !asked {
        let text = "the producer made a copy, and copy=False forbids it";
        return (managed, Err(exception(py, "CopyRequiredError", text, Status::COPY_REQUIRED)));
    }
    let copied_there = copy == Some(true) && is_copied && asked;
    let mut held = Address(managed);
    let first = options(if copied_there { None } else { copy });
    // SAFETY: the caller's promise; a struct that is not taken over stays in `held`.
    let mut tried = first.and_then(|first| py.detach(|| unsafe { held.import(first.as_ref()) }));
    if copied_there && tried.as_ref().is_err_and(|error| error.status == Status::COPY_REQUIRED) {
        // Truth values: the producer's copy has bytes, and the library packs them into another.
        let again = options(copy);
        // SAFETY: as above; a failure with this status leaves the struct.
        tried = again.and_then(|again| py.detach(|| unsafe { held.import(again.as_ref()) }));
    }
    (held.0, tried.map_err(|error| dlpack_error(py, error)))
}

/// A tensor of a struct that belongs to nobody else: what fails is released.
///
/// # Safety
/// The struct is the caller's.
pub unsafe fn import_owned(py: Python<'_>, managed: *mut Versioned) -> PyResult<Handle> {
    // SAFETY: the caller's promise.
    let (left, imported) = unsafe { import(py, managed, None, false) };
    if !left.is_null() {
        // SAFETY: the import left it to this call.
        unsafe { Versioned::delete(left) };
    }
    imported
}

/// Why an object is not a capsule that can be consumed.
#[cold]
fn refuse(object: &Bound<'_, PyAny>) -> PyErr {
    let py = object.py();
    // SAFETY: takes any object.
    if unsafe { ffi::PyCapsule_CheckExact(object.as_ptr()) } == 0 {
        return PyTypeError::new_err(format!("__dlpack__ gave {}, not a capsule", object.get_type()));
    }
    // SAFETY: a capsule; no name is null, and no exception then.
    let name = unsafe { ffi::PyCapsule_GetName(object.as_ptr()) };
    let name = if name.is_null() {
        "without a name".into()
    } else {
        // SAFETY: a capsule's name is NUL-terminated and outlives it.
        format!("named {:?}", unsafe { CStr::from_ptr(name) }.to_string_lossy())
    };
    let used = if name.contains("used_dltensor") { ": it was consumed before" } else { "" };
    let text = format!("a capsule {name} is not DLPack's{used}");
    exception(py, "CapsuleError", &text, Status::INVALID_HANDLE)
}
