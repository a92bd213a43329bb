//! What keeps the memory of views alive.

use std::ffi::c_void;

use hurray_client::{Buffer, BufferFlags, BufferRef, Tensor, sys};
use pyo3::prelude::*;

use crate::errors::OrRaise;
use crate::numpy;

/// What a view holds.
enum Share {
    Tensor(Tensor),
    Buffer(Buffer),
}

/// The base of numpy views: it holds a share of a tensor or of a buffer, until the last view is gone.
#[pyclass(module = "hurray._hurray", frozen)]
pub struct Memory {
    share: Share,
}

#[pymethods]
impl Memory {
    fn __repr__(&self) -> String {
        match &self.share {
            Share::Tensor(tensor) => format!("<memory of {tensor}>"),
            Share::Buffer(buffer) => {
                format!("<memory of a buffer of {} bytes>", buffer.byte_size().unwrap_or(0))
            }
        }
    }
}

impl Memory {
    /// The base of views of a tensor.
    pub fn of_tensor(py: Python<'_>, tensor: &Tensor) -> PyResult<Py<PyAny>> {
        let share = Share::Tensor(tensor.share().or_raise(py)?);
        Ok(Py::new(py, Self { share })?.into_any())
    }

    /// A view of a buffer's own bytes, without its lead.
    pub fn of_buffer<'py>(buffer: &BufferRef, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let data: *mut c_void = buffer.host_ptr().or_raise(py)?;
        let (size, lead) = (buffer.byte_size().or_raise(py)?, buffer.lead().or_raise(py)?);
        let writeable = !buffer.flags().or_raise(py)?.contains(BufferFlags::READ_ONLY);
        let share = Share::Buffer(buffer.share().or_raise(py)?);
        let base = Py::new(py, Self { share })?.into_any();
        let count = size.saturating_sub(u64::from(lead)).cast_signed() as isize;
        let data = data.wrapping_byte_add(if size == 0 { 0 } else { lead as usize });
        let dtype = numpy::dtype_of(py, sys::HURRAY_TYPE_UINT8)?;
        // SAFETY: the buffer has so many bytes after its lead, and the base holds a share of it.
        unsafe { numpy::view(py, dtype, 1, &count, &1, data, writeable, &base) }
    }
}
