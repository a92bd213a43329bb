//! DLPack's table of C functions (`DLPackExchangeAPI`), the package's own and those of others.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr::null_mut;

use hurray_client::{Buffer, Error, Result, Status};
use pyo3::exceptions::PyBufferError;
use pyo3::prelude::*;
use pyo3::{ffi, intern};

use crate::dlpack::import_owned;
use crate::dlpack_structs::{CPU, DlTensor, Managed, VERSION, Version, Versioned};
use crate::errors::dlpack_error;
use crate::tensor::Tensor;

const NAME: &CStr = c"dlpack_exchange_api";
/// Host memory, plain or pinned or managed: it needs no stream.
const ON_HOST: [i32; 4] = [CPU, 3, 11, 13];

#[repr(C)]
struct Header {
    version: Version,
    previous: *mut Header,
}

type SetError = unsafe extern "C" fn(*mut c_void, *const c_char, *const c_char);
type Allocate =
    unsafe extern "C" fn(*mut DlTensor, *mut *mut Versioned, *mut c_void, Option<SetError>) -> c_int;
type FromPython = unsafe extern "C" fn(*mut c_void, *mut *mut Versioned) -> c_int;
type ToPython = unsafe extern "C" fn(*mut Versioned, *mut *mut c_void) -> c_int;
type Borrow = unsafe extern "C" fn(*mut c_void, *mut DlTensor) -> c_int;
type CurrentStream = unsafe extern "C" fn(i32, i32, *mut *mut c_void) -> c_int;

#[repr(C)]
struct Table {
    header: Header,
    allocate: Option<Allocate>,
    from_python: Option<FromPython>,
    to_python: Option<ToPython>,
    borrow: Option<Borrow>,
    current_stream: Option<CurrentStream>,
}

// SAFETY: nothing is ever written to it.
unsafe impl Sync for Table {}

static TABLE: Table = Table {
    header: Header { version: VERSION, previous: null_mut() },
    allocate: Some(allocate),
    from_python: Some(from_python),
    to_python: Some(to_python),
    // A bare `DLTensor` cannot say that memory is read-only, as that of a mapped file is.
    borrow: None,
    current_stream: Some(current_stream),
};

/// The capsule of the package's table.
pub fn capsule(py: Python<'_>) -> PyResult<Py<PyAny>> {
    // SAFETY: the table is static; so is the name.
    unsafe {
        let made = ffi::PyCapsule_New((&raw const TABLE).cast_mut().cast(), NAME.as_ptr(), None);
        Bound::from_owned_ptr_or_err(py, made).map(Bound::unbind)
    }
}

/// The tensor of an object whose type has such a table and whose memory is the host's; else None.
#[pyfunction]
pub fn exchange_dlpack(object: &Bound<'_, PyAny>) -> PyResult<Option<Tensor>> {
    let py = object.py();
    let Some(capsule) = object.get_type().getattr_opt(intern!(py, "__dlpack_c_exchange_api__"))? else {
        return Ok(None);
    };
    // SAFETY: takes any object; a capsule of this name holds a table that is never freed, and each knows its version.
    let export = unsafe {
        if ffi::PyCapsule_IsValid(capsule.as_ptr(), NAME.as_ptr()) == 0 {
            return Ok(None);
        }
        let mut header = ffi::PyCapsule_GetPointer(capsule.as_ptr(), NAME.as_ptr()).cast::<Header>();
        while !header.is_null() && (*header).version.major != VERSION.major {
            header = (*header).previous;
        }
        if header.is_null() { None } else { (*header.cast::<Table>()).from_python }
    };
    let Some(export) = export else {
        return Ok(None);
    };
    let mut managed: *mut Versioned = null_mut();
    // SAFETY: the table is that of the object's type.
    let failed = unsafe { export(object.as_ptr().cast(), &mut managed) } != 0;
    if failed || managed.is_null() {
        let without =
            || PyBufferError::new_err("the producer's exchange function failed without an exception");
        return Err(PyErr::take(py).unwrap_or_else(without));
    }
    // SAFETY: the struct is this call's; only one of a known version has its fields where they are looked for.
    unsafe {
        let known = (*managed).version.major == VERSION.major;
        if known && !ON_HOST.contains(&(*managed).tensor.device_type) {
            Versioned::delete(managed);
            return Ok(None);
        }
        import_owned(py, managed).map(|tensor| Some(Tensor::of(tensor)))
    }
}

/// Runs what a function of the table does; its error becomes the interpreter's.
fn answer(run: impl FnOnce(Python<'_>) -> PyResult<()>) -> c_int {
    let ended = Python::try_attach(|py| match run(py) {
        Ok(()) => 0,
        Err(error) => {
            error.restore(py);
            -1
        }
    });
    ended.unwrap_or(-1)
}

unsafe extern "C" fn from_python(object: *mut c_void, out: *mut *mut Versioned) -> c_int {
    answer(|py| {
        // SAFETY: the caller holds the object, and the output is its own.
        unsafe {
            let object = Bound::from_borrowed_ptr(py, object.cast());
            let tensor = object.cast::<Tensor>()?.try_borrow()?;
            *out = Versioned::export(tensor.handle(py)?, None).map_err(|error| dlpack_error(py, error))?;
        }
        Ok(())
    })
}

/// On failure the struct stays the caller's.
unsafe extern "C" fn to_python(managed: *mut Versioned, out: *mut *mut c_void) -> c_int {
    answer(|py| {
        let mut managed = managed;
        // SAFETY: the struct is the caller's, who gives it away, and the output is its own.
        unsafe {
            let tensor = Versioned::import(&mut managed, None).map_err(|error| dlpack_error(py, error))?;
            *out = Bound::new(py, Tensor::of(tensor))?.into_ptr().cast();
        }
        Ok(())
    })
}

/// Memory of the host is ready, and that of devices was ordered before their default stream.
unsafe extern "C" fn current_stream(_kind: i32, _id: i32, out: *mut *mut c_void) -> c_int {
    // SAFETY: the output is the caller's.
    unsafe { *out = null_mut() };
    0
}

/// Needs no interpreter.
unsafe extern "C" fn allocate(
    prototype: *mut DlTensor,
    out: *mut *mut Versioned,
    context: *mut c_void,
    set_error: Option<SetError>,
) -> c_int {
    // SAFETY: prototype and output are the caller's.
    match unsafe { allocated(&*prototype) } {
        Ok(made) => {
            // SAFETY: as above.
            unsafe { *out = made };
            0
        }
        Err(error) => {
            let kind = if error.status == Status::OUT_OF_MEMORY { c"MemoryError" } else { c"BufferError" };
            let text = CString::new(error.to_string()).unwrap_or_default();
            if let Some(set_error) = set_error {
                // SAFETY: the caller's function with the caller's context.
                unsafe { set_error(context, kind.as_ptr(), text.as_ptr()) };
            }
            -1
        }
    }
}

/// A buffer as a producer's struct, for as long as the library needs it.
#[repr(C)]
struct Allocation {
    managed: Versioned,
    _buffer: Buffer,
}

unsafe extern "C" fn free(managed: *mut Versioned) {
    // SAFETY: made by `allocated`, whose struct comes first in the allocation; the deleter is called once.
    drop(unsafe { Box::from_raw(managed.cast::<Allocation>()) });
}

/// A new tensor of the prototype's type and shape. The library judges both.
///
/// # Safety
/// The prototype's shape has `ndim` numbers.
unsafe fn allocated(prototype: &DlTensor) -> Result<*mut Versioned> {
    if prototype.device_type != CPU {
        return Err(Error::new(Status::UNSUPPORTED, "memory is allocated on the host only"));
    }
    let rank = usize::try_from(prototype.ndim).unwrap_or(0);
    let bits = i64::from(prototype.bits) * i64::from(prototype.lanes);
    let mut total = Some(bits);
    if rank > 0 && !prototype.shape.is_null() {
        // SAFETY: the caller's promise.
        for &n in unsafe { std::slice::from_raw_parts(prototype.shape, rank) } {
            total = total.and_then(|total| total.checked_mul(n.max(0)));
        }
    }
    let total = total.ok_or_else(|| Error::new(Status::OVERFLOW, "more bytes than 64 bits count"))?;
    let buffer = Buffer::alloc((total as u64).div_ceil(8).max(1), 64)?;
    let tensor = DlTensor { data: buffer.host_ptr()?, strides: null_mut(), byte_offset: 0, ..*prototype };
    let managed = Versioned { version: VERSION, context: null_mut(), deleter: Some(free), flags: 0, tensor };
    let mut raw: *mut Versioned = Box::into_raw(Box::new(Allocation { managed, _buffer: buffer })).cast();
    // SAFETY: the struct was made above.
    unsafe {
        let imported = Versioned::import(&mut raw, None);
        if !raw.is_null() {
            Versioned::delete(raw);
        }
        Versioned::export(&imported?, None)
    }
}
