//! The class `hurray.Descriptor`.

use hurray_client::{Descriptor as Handle, Status, sys};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};

use crate::errors::OrRaise;
use crate::{fields, package};

/// What a tensor is, without its memory: element type, shape, layout, buffers, quantization and sections.
///
/// Made by ``decode`` from a descriptor's bytes, or taken from a tensor; it does not change.
#[pyclass(module = "hurray", frozen)]
pub struct Descriptor(pub Handle);

#[pymethods]
impl Descriptor {
    /// Decodes and validates a descriptor. Bytes after its own length are left alone.
    ///
    /// ``permissive=True`` keeps private and unknown layouts, schemes and element types as opaque parts instead of
    /// refusing them; nothing then licenses reading the tensor's data. Raises InvalidDescriptorError or UnsupportedError,
    /// whose text names the rule, the field and the offset.
    #[staticmethod]
    #[pyo3(signature = (data, *, permissive = false))]
    fn decode(py: Python<'_>, data: &[u8], permissive: bool) -> PyResult<Self> {
        let made = if permissive { Handle::decode_permissive(data) } else { Handle::decode(data) };
        made.or_raise(py).map(Self)
    }

    /// The descriptor's bytes: those that were decoded, or those that the library wrote.
    fn encode<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.0.encode().or_raise(py)?))
    }

    /// The length of the bytes.
    #[getter]
    fn encoded_len(&self, py: Python<'_>) -> PyResult<u64> {
        self.0.field_u64(sys::HURRAY_HEADER_FIELD_ENCODED_LENGTH, 0).or_raise(py)
    }

    /// Major and minor version of the format.
    #[getter]
    fn version(&self, py: Python<'_>) -> PyResult<(u64, u64)> {
        let read = |field| self.0.field_u64(field, 0).or_raise(py);
        Ok((read(sys::HURRAY_HEADER_FIELD_VERSION_MAJOR)?, read(sys::HURRAY_HEADER_FIELD_VERSION_MINOR)?))
    }

    /// The element type.
    #[getter]
    fn dtype(&self, py: Python<'_>) -> PyResult<&'static Py<PyAny>> {
        package::element_type(py, self.0.element_type().or_raise(py)?.0)
    }

    /// The dimensions; None is a dynamic one.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let shape = self.0.shape().or_raise(py)?;
        PyTuple::new(py, shape.into_iter().map(|extent| (extent != u64::MAX).then_some(extent)))
    }

    /// The number of dimensions, 0 to 64.
    #[getter]
    fn ndim(&self, py: Python<'_>) -> PyResult<u32> {
        self.0.rank().or_raise(py)
    }

    /// The number of elements; None while a dimension is dynamic.
    #[getter]
    fn size(&self, py: Python<'_>) -> PyResult<Option<u64>> {
        self.0.element_count().or_raise(py)
    }

    /// Where in buffer 0, in bytes, the element at index zero lies.
    #[getter]
    fn byte_offset(&self, py: Python<'_>) -> PyResult<u64> {
        self.0.byte_offset().or_raise(py)
    }

    /// The number of buffers.
    #[getter]
    fn buffer_count(&self, py: Python<'_>) -> PyResult<u32> {
        self.0.buffer_count().or_raise(py)
    }

    /// What is declared of each buffer.
    #[getter]
    fn buffer_handles<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        package::handles_from_fields(py)?.call1((self._fields(py)?,))
    }

    /// The device that the buffers are declared on.
    #[getter]
    fn device<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        package::device_from_fields(py)?.call1((self._fields(py)?,))
    }

    /// The layout, as an object with its fields.
    #[getter]
    pub fn layout<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        package::layout_from_fields(py)?.call1((self._fields(py)?,))
    }

    /// The quantization scheme with its fields, or None.
    #[getter]
    fn quantization<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        package::quantization_from_fields(py)?.call1((self._fields(py)?,))
    }

    /// What the producer computed of the values, or None.
    #[getter]
    fn statistics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        package::statistics_from_fields(py)?.call1((self._fields(py)?,))
    }

    /// The box of a larger tensor that this one is, or None.
    #[getter]
    fn shard<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        package::shard_from_fields(py)?.call1((self._fields(py)?,))
    }

    /// What a private element type looks like, or None.
    #[getter]
    fn extension_type<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        package::extension_type_from_fields(py)?.call1((self._fields(py)?,))
    }

    /// What the tensor is in an overlay, "base" or "correction"; None elsewhere.
    #[getter]
    fn member_role(&self, py: Python<'_>) -> PyResult<Option<&'static str>> {
        match self.0.member_role() {
            // Hidden behind a layout that was not understood.
            Err(error) if error.status == Status::UNSUPPORTED => Ok(None),
            role => Ok(role.or_raise(py)?.and_then(|role| role.name())),
        }
    }

    /// The bytes as a table for people: on each line the offset, up to 16 bytes, and what they are.
    fn annotate(&self, py: Python<'_>) -> PyResult<String> {
        self.0.annotate().or_raise(py)
    }

    fn _fields<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        fields::to_dict(py, &self.0.fields().or_raise(py)?)
    }

    fn __eq__(&self, py: Python<'_>, other: &Self) -> PyResult<bool> {
        Ok(self.0.encode().or_raise(py)? == other.0.encode().or_raise(py)?)
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        self.encode(py)?.hash()
    }

    fn __repr__(&self) -> String {
        format!("<hurray.Descriptor {}>", *self.0)
    }
}
