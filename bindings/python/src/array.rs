//! Tensors of numpy arrays.

use hurray_client::{Array, BufferFlags, Device, ElementType, MemoryClass, Options, Tensor as Handle, sys};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::errors::OrRaise;
use crate::tensor::Tensor;
use crate::{numpy, owner, package};

/// A tensor on the memory of a numpy array: any alignment and strides, nothing copied unless it must be.
///
/// Truth values are packed and byte-swapped numbers are turned round, which copies. `copy=False` raises CopyRequiredError
/// instead, `copy=True` always copies. `quantization` with its parameter arrays in `aux_buffers` makes the array codes.
///
/// The tensor holds the array. A read-only array makes a read-only tensor. Raises UnsupportedError for element types
/// that the format lacks, and for arrays of objects.
#[pyfunction]
#[pyo3(signature = (array, *, copy = None, quantization = None, aux_buffers = None))]
pub fn from_numpy<'py>(
    array: &Bound<'py, PyAny>,
    copy: Option<bool>,
    quantization: Option<Bound<'py, PyAny>>,
    aux_buffers: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, Tensor>> {
    let py = array.py();
    if quantization.is_none()
        && aux_buffers.is_none()
        && copy != Some(true)
        && let Some(found) = numpy::array(array)?
        && let Some(tag) = found.tag.filter(|&tag| !is_unpacked(tag))
    {
        let tensor = in_place(array, &found, tag, 0, copy)?;
        return Bound::new(py, Tensor::of(tensor));
    }
    let made = package::from_array(py)?.call1((array, copy, quantization, aux_buffers))?;
    Ok(made.cast_into()?)
}

/// Whether numpy gives a whole byte to each element of a type that the format packs.
fn is_unpacked(tag: u8) -> bool {
    match tag {
        sys::HURRAY_TYPE_BOOL => true,
        0..=sys::HURRAY_TYPE_UINT64 => false,
        _ => ElementType(tag).info().is_ok_and(|info| info.bits < 8),
    }
}

#[inline]
fn in_place(
    object: &Bound<'_, PyAny>,
    found: &numpy::Array<'_>,
    tag: u8,
    flags: u32,
    copy: Option<bool>,
) -> PyResult<Handle> {
    let py = object.py();
    let array = Array {
        element_type: ElementType(tag),
        shape: found.shape,
        byte_strides: found.byte_strides,
        data: found.data,
        device: Device::CPU,
        memory_class: MemoryClass::STANDARD,
        device_id: 0,
        flags: BufferFlags(if found.writeable { flags } else { flags | sys::HURRAY_BUFFER_READ_ONLY }),
    };
    let options = match copy {
        None => None,
        Some(always) => {
            let mut options = Options::new().or_raise(py)?;
            options.set(sys::HURRAY_OPTION_COPY, if always { 2 } else { 1 }).or_raise(py)?;
            Some(options)
        }
    };
    // SAFETY: numpy's arrays keep their memory while they live, and the owner keeps the array.
    unsafe { Handle::from_array(&array, options.as_ref(), owner::of(object)) }.or_raise(py)
}

fn exactly_numpy<'a>(array: &'a Bound<'_, PyAny>) -> PyResult<numpy::Array<'a>> {
    numpy::array(array)?.ok_or_else(|| PyTypeError::new_err("not a plain numpy array"))
}

/// A tensor of an array whose elements are the format's, with buffer flags of the caller's.
#[pyfunction]
pub fn from_plain_array(array: &Bound<'_, PyAny>, flags: u32, copy: Option<bool>) -> PyResult<Tensor> {
    let found = exactly_numpy(array)?;
    let tag = found.tag.ok_or_else(|| PyTypeError::new_err("not a type of the format"))?;
    in_place(array, &found, tag, flags, copy).map(Tensor::of)
}

/// A tensor of the bytes of a contiguous array, under another type and shape.
#[pyfunction]
pub fn from_memory(array: &Bound<'_, PyAny>, tag: u8, shape: Vec<u64>, flags: u32) -> PyResult<Tensor> {
    let py = array.py();
    let found = exactly_numpy(array)?;
    let count = shape.iter().try_fold(1u64, |count, &n| count.checked_mul(n)).unwrap_or(u64::MAX);
    let needed = ElementType(tag).bytes(count).or_raise(py)?;
    if found.byte_strides.is_some() || found.byte_count(py)? < needed {
        return Err(PyTypeError::new_err("the array is not contiguous, or too short"));
    }
    let given = numpy::Array { shape: &shape, ..found };
    in_place(array, &given, tag, flags, None).map(Tensor::of)
}
