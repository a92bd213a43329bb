//! Tensors from a descriptor's parts and buffers.

use hurray_client::{
    Array, Buffer as Handle, BufferEntry, BufferFlags, BufferList, DescriptorBuilder, ElementType, Options,
    Owner, Placement, Tensor as TensorHandle, sys,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyTuple};

use crate::descriptor::Descriptor;
use crate::errors::OrRaise;
use crate::memory::Memory;
use crate::tensor::Tensor;
use crate::{numpy, owner, package};

/// One buffer on its way into a tensor.
#[pyclass(module = "hurray._hurray", frozen)]
pub struct Buffer(pub Handle);

/// The plain bytes of a one-dimensional uint8 array, and whether they may be written to.
fn bytes<'a>(array: &'a Bound<'_, PyAny>) -> PyResult<numpy::Array<'a>> {
    numpy::array(array)?
        .filter(|found| found.tag == Some(sys::HURRAY_TYPE_UINT8) && found.byte_strides.is_none())
        .ok_or_else(|| PyTypeError::new_err("not a contiguous array of bytes"))
}

fn host_flags(found: &numpy::Array<'_>) -> BufferFlags {
    BufferFlags(if found.writeable { 0 } else { sys::HURRAY_BUFFER_READ_ONLY })
}

/// Bytes at any address as a buffer, and where they begin in it.
#[pyfunction]
pub fn wrap_bytes(array: &Bound<'_, PyAny>, copy: bool) -> PyResult<(Buffer, u64)> {
    let py = array.py();
    let found = bytes(array)?;
    let mut given = Array::row_major(ElementType::UINT8, found.shape, found.data);
    given.flags = host_flags(&found);
    let mut options = Options::new().or_raise(py)?;
    options.set(sys::HURRAY_OPTION_COPY, if copy { 2 } else { 0 }).or_raise(py)?;
    // SAFETY: numpy's arrays keep their memory while they live, and the owner keeps the array.
    let tensor =
        unsafe { TensorHandle::from_array(&given, Some(&options), owner::of(array)) }.or_raise(py)?;
    let start = tensor.descriptor().and_then(|descriptor| descriptor.byte_offset()).or_raise(py)?;
    let buffer = tensor.buffer(0).and_then(|buffer| buffer.share()).or_raise(py)?;
    Ok((Buffer(buffer), start))
}

/// Bytes as a buffer that begins with them, or none if they are not aligned to 64.
#[pyfunction]
pub fn wrap_aligned(array: &Bound<'_, PyAny>) -> PyResult<Option<Buffer>> {
    let py = array.py();
    let found = bytes(array)?;
    let size = found.byte_count(py)?;
    if size > 0 && found.data.addr() % 64 != 0 {
        return Ok(None);
    }
    // SAFETY: numpy's arrays keep their memory while they live, and the owner keeps the array.
    let made = unsafe { Handle::from_ptr(found.data, size, 64, Placement::HOST, owner::of(array)) };
    let mut buffer = made.or_raise(py)?;
    buffer.set_flags(host_flags(&found)).or_raise(py)?;
    Ok(Some(Buffer(buffer)))
}

/// A copy of an array's elements, in row-major order, as `dtype` has them; `reason` is a flag of the buffer.
#[pyfunction]
pub fn copy_into(array: &Bound<'_, PyAny>, dtype: &Bound<'_, PyAny>, reason: u32) -> PyResult<Buffer> {
    let py = array.py();
    let item: u64 = dtype.getattr("itemsize")?.extract()?;
    let shape = array.getattr("shape")?;
    let count: u64 = array.getattr("size")?.extract()?;
    let size =
        count.checked_mul(item).ok_or_else(|| PyValueError::new_err("more bytes than 64 bits count"))?;
    let mut buffer = Handle::alloc(size, 64).or_raise(py)?;
    buffer.set_flags(BufferFlags(reason)).or_raise(py)?;
    let target = Memory::of_buffer(&buffer, py)?;
    if size > 0 {
        let target = target.call_method1("view", (dtype,))?.call_method1("reshape", (shape,))?;
        let how = pyo3::types::PyDict::new(py);
        how.set_item("casting", "unsafe")?;
        package::numpy_copyto(py)?.call((target, array), Some(&how))?;
    }
    Ok(Buffer(buffer))
}

/// A new buffer of zeros; `flags` say why there is one.
#[pyfunction]
pub fn allocate(py: Python<'_>, size: u64, flags: u32) -> PyResult<Buffer> {
    let mut buffer = Handle::alloc(size, 64).or_raise(py)?;
    buffer.set_flags(BufferFlags(flags)).or_raise(py)?;
    Ok(Buffer(buffer))
}

/// A tensor of a type, a layout with its fields, a shape and buffers; everything is judged by the library.
///
/// `byte_offset` counts from `start`, where the caller's own bytes begin in buffer 0.
#[pyfunction]
#[allow(clippy::too_many_arguments)] // a descriptor has as many parts
pub fn assemble(
    py: Python<'_>,
    type_tag: u8,
    layout_tag: u8,
    shape: Vec<u64>,
    byte_offset: u64,
    start: u64,
    fields: Vec<Bound<'_, PyTuple>>,
    buffers: Vec<PyRef<'_, Buffer>>,
) -> PyResult<Tensor> {
    let mut entries = Vec::with_capacity(buffers.len());
    let mut list = BufferList::new(buffers.len() as u64).or_raise(py)?;
    for buffer in &buffers {
        let share = buffer.0.share().or_raise(py)?;
        let placement = share.placement().or_raise(py)?;
        let (byte_size, alignment) = (share.byte_size().or_raise(py)?, share.alignment().or_raise(py)?);
        entries.push(BufferEntry { byte_size, alignment, placement, ..BufferEntry::host(0) });
        list.push(share).or_raise(py)?;
    }
    let describe = |start: u64, cut: u64| {
        let mut builder = DescriptorBuilder::with_tags(type_tag, layout_tag, &shape).or_raise(py)?;
        let offset =
            byte_offset.checked_add(start).ok_or_else(|| PyValueError::new_err("byte_offset is too far"))?;
        builder.byte_offset(offset).or_raise(py)?;
        for field in &fields {
            set(&mut builder, field)?;
        }
        for (index, entry) in entries.iter().enumerate() {
            let byte_size = if index == 0 { entry.byte_size.saturating_sub(cut) } else { entry.byte_size };
            builder.push_buffer(&BufferEntry { byte_size, ..*entry }).or_raise(py)?;
        }
        builder.finish().or_raise(py)
    };
    // First of the caller's bytes alone: no element may lie in what comes before them in the buffer.
    let mut descriptor = describe(0, start)?;
    if start > 0 {
        descriptor = describe(start, 0)?;
    }
    let tensor = TensorHandle::from_descriptor(&descriptor, list, Owner::none()).or_raise(py)?;
    Ok(Tensor::of(tensor))
}

/// A tensor of a descriptor and its buffers, in order.
#[pyfunction]
pub fn bind(py: Python<'_>, descriptor: &Descriptor, buffers: Vec<PyRef<'_, Buffer>>) -> PyResult<Tensor> {
    let mut list = BufferList::new(buffers.len() as u64).or_raise(py)?;
    for buffer in &buffers {
        list.push(buffer.0.share().or_raise(py)?).or_raise(py)?;
    }
    TensorHandle::from_descriptor(&descriptor.0, list, Owner::none()).or_raise(py).map(Tensor::of)
}

/// A descriptor of a type, a layout with its fields and a shape, with the buffers that these imply.
#[pyfunction]
pub fn describe(
    py: Python<'_>,
    type_tag: u8,
    layout_tag: u8,
    shape: Vec<u64>,
    byte_offset: u64,
    fields: Vec<Bound<'_, PyTuple>>,
) -> PyResult<Descriptor> {
    let mut builder = DescriptorBuilder::with_tags(type_tag, layout_tag, &shape).or_raise(py)?;
    builder.byte_offset(byte_offset).or_raise(py)?;
    for field in &fields {
        set(&mut builder, field)?;
    }
    builder.push_default_buffers().or_raise(py)?;
    builder.finish().or_raise(py).map(Descriptor)
}

fn set(builder: &mut DescriptorBuilder, field: &Bound<'_, PyTuple>) -> PyResult<()> {
    let py = field.py();
    let (kind, id, level, value): (String, u32, u32, Bound<'_, PyAny>) = field.extract()?;
    match kind.as_str() {
        "u" => builder.set_u64(id, level, value.extract()?),
        "i" => builder.set_i64(id, level, value.extract()?),
        "f" => builder.set_f64(id, level, value.extract()?),
        "u[]" => builder.set_u64_array(id, level, &value.extract::<Vec<u64>>()?),
        "i[]" => builder.set_i64_array(id, level, &value.extract::<Vec<i64>>()?),
        "b" => builder.set_bytes(id, level, &value.extract::<Vec<u8>>()?),
        _ => return Err(PyTypeError::new_err("no such kind of field")),
    }
    .or_raise(py)?;
    Ok(())
}
