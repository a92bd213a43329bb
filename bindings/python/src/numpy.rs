//! numpy's C interface, reached at run time: the array's struct, which numpy keeps stable, and two functions.

use std::ffi::{c_char, c_int, c_uint, c_void};
use std::slice;

use hurray_client::{ElementType, sys};
use pyo3::exceptions::{PyImportError, PyTypeError};
use pyo3::ffi::{self, PyObject, PyTypeObject};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

use crate::errors::OrRaise;
use crate::package;

// Shapes and strides pass between numpy and the library without conversion.
const _: () = assert!(size_of::<isize>() == 8, "the wheel is for 64-bit machines");

const C_CONTIGUOUS: c_int = 0x1;
const WRITEABLE: c_int = 0x400;
const SWAPPED: c_char = if cfg!(target_endian = "little") { b'>' } else { b'<' } as c_char;

/// Where the table of numpy's C interface has what is used here.
mod slot {
    pub const VERSION: usize = 0;
    pub const ARRAY_TYPE: usize = 2;
    pub const DESCR_TYPE: usize = 3;
    pub const NEW_FROM_DESCR: usize = 94;
    pub const SET_BASE_OBJECT: usize = 282;
}

type Version = unsafe extern "C" fn() -> c_uint;
type NewFromDescr = unsafe extern "C" fn(
    *mut PyTypeObject,
    *mut PyObject,
    c_int,
    *const isize,
    *const isize,
    *mut c_void,
    c_int,
    *mut PyObject,
) -> *mut PyObject;
type SetBaseObject = unsafe extern "C" fn(*mut PyObject, *mut PyObject) -> c_int;

/// The fields of an array after the object head.
#[repr(C)]
struct ArrayFields {
    data: *mut c_void,
    ndim: c_int,
    shape: *const isize,
    strides: *const isize,
    base: *mut PyObject,
    descr: *mut PyObject,
    flags: c_int,
}

/// The fields of a dtype after the object head, as far as numpy 1 and 2 agree.
#[repr(C)]
struct DescrFields {
    type_object: *mut PyObject,
    kind: c_char,
    letter: c_char,
    byte_order: c_char,
    unused: c_char,
    number: c_int,
}

/// What was found in the table.
struct Api {
    /// Bytes of the object head: it differs between builds of the interpreter.
    head: usize,
    array_type: *mut PyTypeObject,
    descr_type: *mut PyTypeObject,
    new_from_descr: NewFromDescr,
    set_base_object: SetBaseObject,
}

// SAFETY: static types and functions of numpy, which is never unloaded.
unsafe impl Send for Api {}
// SAFETY: as above; nothing is written to.
unsafe impl Sync for Api {}

static API: PyOnceLock<Api> = PyOnceLock::new();
/// The dtypes of element types, by tag.
static DESCRS: [PyOnceLock<Py<PyAny>>; 256] = [const { PyOnceLock::new() }; 256];
/// Numbers and tags of the dtypes that ml_dtypes adds.
static ADDED: PyOnceLock<Vec<(c_int, u8)>> = PyOnceLock::new();

fn api(py: Python<'_>) -> PyResult<&'static Api> {
    API.get_or_try_init(py, || load(py))
}

#[cold]
fn load(py: Python<'_>) -> PyResult<Api> {
    let module = py.import("numpy._core.multiarray").or_else(|_| py.import("numpy.core.multiarray"))?;
    let capsule = module.getattr("_ARRAY_API")?;
    // SAFETY: a capsule without a name; a null pointer is an exception.
    let table = unsafe { ffi::PyCapsule_GetPointer(capsule.as_ptr(), std::ptr::null()) };
    if table.is_null() {
        return Err(PyErr::fetch(py));
    }
    let table = table.cast::<*const c_void>();
    // SAFETY: numpy's table is longer than the slots used here since version 1.7.
    let at = |slot: usize| unsafe { *table.add(slot) };
    // SAFETY: the slots hold functions of these signatures in numpy 1 and 2, and slot 0 tells which of them it is.
    let version = unsafe { std::mem::transmute::<*const c_void, Version>(at(slot::VERSION))() };
    if !matches!(version >> 24, 1 | 2) {
        return Err(PyImportError::new_err(format!(
            "numpy has C ABI {version:#x}; hurray knows those of numpy 1 and 2"
        )));
    }
    let head = py.import("builtins")?.getattr("object")?.getattr("__basicsize__")?.extract()?;
    // SAFETY: as above.
    let (new_from_descr, set_base_object) = unsafe {
        (
            std::mem::transmute::<*const c_void, NewFromDescr>(at(slot::NEW_FROM_DESCR)),
            std::mem::transmute::<*const c_void, SetBaseObject>(at(slot::SET_BASE_OBJECT)),
        )
    };
    let array_type = at(slot::ARRAY_TYPE).cast_mut().cast();
    let descr_type = at(slot::DESCR_TYPE).cast_mut().cast();
    Ok(Api { head, array_type, descr_type, new_from_descr, set_base_object })
}

/// An array as it lies in memory, borrowed from its object.
pub struct Array<'a> {
    /// The element at index zero.
    pub data: *mut c_void,
    /// Elements of each dimension.
    pub shape: &'a [u64],
    /// Strides in bytes; none when the array is contiguous in row-major order.
    pub byte_strides: Option<&'a [i64]>,
    /// The element type, if the format has it and its bytes are in the machine's order.
    pub tag: Option<u8>,
    /// Whether the array may be written to.
    pub writeable: bool,
}

impl Array<'_> {
    /// Bytes of all elements, for the types that the format has.
    pub fn byte_count(&self, py: Python<'_>) -> PyResult<u64> {
        let tag = self.tag.ok_or_else(|| PyTypeError::new_err("not a type of the format"))?;
        let width = match tag {
            sys::HURRAY_TYPE_BOOL => 8, // numpy's own
            tag => ElementType(tag).info().or_raise(py)?.bits.max(8),
        };
        Ok(self.shape.iter().product::<u64>() * u64::from(width / 8))
    }
}

/// The array of an object whose type is exactly numpy's; none for subclasses and everything else.
#[inline]
pub fn array<'a>(object: &'a Bound<'_, PyAny>) -> PyResult<Option<Array<'a>>> {
    let py = object.py();
    let api = api(py)?;
    // SAFETY: the object is live.
    if unsafe { ffi::Py_TYPE(object.as_ptr()) } != api.array_type {
        return Ok(None);
    }
    // SAFETY: an object of numpy's array type has these fields after its head, for as long as it lives. numpy does not
    // let shape and strides of an array change while others hold it, save by a write to the deprecated attributes, which
    // needs the thread state that this call has.
    let fields = unsafe { &*object.as_ptr().byte_add(api.head).cast::<ArrayFields>() };
    let ndim = fields.ndim as usize;
    let (shape, strides): (&[u64], &[i64]) = if ndim == 0 {
        (&[], &[])
    } else {
        // SAFETY: numpy keeps so many dimensions there; only at rank 0 may the pointers be null.
        unsafe {
            (
                slice::from_raw_parts(fields.shape.cast(), ndim),
                slice::from_raw_parts(fields.strides.cast(), ndim),
            )
        }
    };
    Ok(Some(Array {
        data: fields.data,
        shape,
        byte_strides: (fields.flags & C_CONTIGUOUS == 0).then_some(strides),
        // SAFETY: the array holds its dtype.
        tag: unsafe { tag_of(py, api, fields.descr)? },
        writeable: fields.flags & WRITEABLE != 0,
    }))
}

/// The element type of a dtype object.
///
/// # Safety
/// `descr` is a live dtype.
#[inline]
unsafe fn tag_of(py: Python<'_>, api: &Api, descr: *mut PyObject) -> PyResult<Option<u8>> {
    // SAFETY: a dtype has these fields after its head.
    let fields = unsafe { &*descr.byte_add(api.head).cast::<DescrFields>() };
    if fields.byte_order == SWAPPED {
        return Ok(None);
    }
    Ok(match fields.number {
        0 => Some(sys::HURRAY_TYPE_BOOL),
        1 => Some(sys::HURRAY_TYPE_INT8),
        2 => Some(sys::HURRAY_TYPE_UINT8),
        3 => Some(sys::HURRAY_TYPE_INT16),
        4 => Some(sys::HURRAY_TYPE_UINT16),
        5 => Some(sys::HURRAY_TYPE_INT32),
        6 => Some(sys::HURRAY_TYPE_UINT32),
        // C's long, whose width the platform chooses.
        7 if size_of::<std::ffi::c_long>() == 4 => Some(sys::HURRAY_TYPE_INT32),
        8 if size_of::<std::ffi::c_long>() == 4 => Some(sys::HURRAY_TYPE_UINT32),
        7 | 9 => Some(sys::HURRAY_TYPE_INT64),
        8 | 10 => Some(sys::HURRAY_TYPE_UINT64),
        11 => Some(sys::HURRAY_TYPE_FLOAT32),
        12 => Some(sys::HURRAY_TYPE_FLOAT64),
        14 => Some(sys::HURRAY_TYPE_COMPLEX64),
        15 => Some(sys::HURRAY_TYPE_COMPLEX128),
        23 => Some(sys::HURRAY_TYPE_FLOAT16),
        number if number >= 256 => added(py, number)?,
        _ => None,
    })
}

#[cold]
fn added(py: Python<'_>, number: c_int) -> PyResult<Option<u8>> {
    let known = ADDED.get_or_try_init(py, || -> PyResult<Vec<(c_int, u8)>> {
        let found: Vec<(u8, Py<PyAny>)> =
            py.import("hurray._dtype")?.getattr("_ml_dtypes")?.call0()?.extract()?;
        found.into_iter().map(|(tag, dtype)| Ok((dtype.getattr(py, "num")?.extract(py)?, tag))).collect()
    })?;
    Ok(known.iter().find(|(known, _)| *known == number).map(|&(_, tag)| tag))
}

/// The element type of a numpy dtype: none for one that the format lacks, or that is byte-swapped.
#[pyfunction]
pub fn numpy_tag(dtype: &Bound<'_, PyAny>) -> PyResult<Option<u8>> {
    let api = api(dtype.py())?;
    // SAFETY: both are live.
    if unsafe { ffi::PyObject_TypeCheck(dtype.as_ptr(), api.descr_type) } == 0 {
        return Err(PyTypeError::new_err("not a numpy dtype"));
    }
    // SAFETY: the type was checked.
    unsafe { tag_of(dtype.py(), api, dtype.as_ptr()) }
}

/// The numpy dtype of an element type.
#[inline]
pub fn dtype_of(py: Python<'_>, tag: u8) -> PyResult<&'static Py<PyAny>> {
    let slot = DESCRS.get(usize::from(tag)).ok_or_else(|| PyTypeError::new_err("no such tag"))?;
    slot.get_or_try_init(py, || package::element_type(py, tag)?.getattr(py, "numpy"))
}

/// The numpy dtype of unsigned integers, or of opaque bytes, as wide as an element type.
pub fn raw_dtype(py: Python<'_>, tag: u8) -> PyResult<Py<PyAny>> {
    let bytes = ElementType(tag).info().or_raise(py)?.bits.div_ceil(8);
    let name = if bytes <= 8 { format!("u{bytes}") } else { format!("V{bytes}") };
    Ok(package::numpy_dtype(py)?.call1((name,))?.unbind())
}

/// A new array on memory that exists; `base` keeps it alive.
///
/// # Safety
/// `shape` and `byte_strides` have `rank` entries, and the memory that they and `dtype` reach from `data` is valid for as
/// long as `base` lives.
#[inline]
pub unsafe fn view<'py>(
    py: Python<'py>,
    dtype: &Py<PyAny>,
    rank: usize,
    shape: *const isize,
    byte_strides: *const isize,
    data: *mut c_void,
    writeable: bool,
    base: &Py<PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let api = api(py)?;
    let flags = if writeable { WRITEABLE } else { 0 };
    let rank = rank as c_int; // at most 64
    // SAFETY: the function takes the dtype's reference over, also when it fails; the rest is the caller's promise.
    let array = unsafe {
        let dtype = dtype.clone_ref(py).into_ptr();
        let object = std::ptr::null_mut();
        let made =
            (api.new_from_descr)(api.array_type, dtype, rank, shape, byte_strides, data, flags, object);
        Bound::from_owned_ptr_or_err(py, made)?
    };
    // SAFETY: the array is new; the function takes the base's reference over, also when it fails.
    if unsafe { (api.set_base_object)(array.as_ptr(), base.clone_ref(py).into_ptr()) } != 0 {
        return Err(PyErr::fetch(py));
    }
    Ok(array)
}
