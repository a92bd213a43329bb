//! Conversions: the methods of tensors, and what the package's `convert` module calls for them.

use hurray_client::{Buffer as Room, Converted, Error, Options, Status, Tensor as Handle};
use pyo3::prelude::*;

use crate::descriptor::Descriptor;
use crate::errors::{OrRaise, raise};
use crate::package;
use crate::parts::Buffer;
use crate::tensor::Tensor;

/// Numbered options, as the package gives them.
pub type Settings = Vec<(u32, u64)>;

/// Runs a conversion without the interpreter.
pub fn run(
    py: Python<'_>,
    tensor: &Tensor,
    into: Option<PyRef<'_, Buffer>>,
    settings: Settings,
    call: impl FnOnce(&Handle, Option<&Room>, Option<&Options>) -> hurray_client::Result<Converted> + Send,
) -> PyResult<Tensor> {
    let handle = tensor.handle(py)?;
    let options = options(py, settings)?;
    let into = into.as_ref().map(|into| &into.0);
    let (made, bytes) =
        py.detach(|| call(handle, into, options.as_ref())).map_err(|error| failed(py, error))?;
    Ok(Tensor::converted(made, bytes))
}

/// The library gives no text for memory that is too small: everywhere else the caller asks again with more.
fn failed(py: Python<'_>, mut error: Error) -> PyErr {
    if error.status == Status::BUFFER_TOO_SMALL && error.message.is_empty() {
        error.message = "out is smaller than the result".into();
    }
    raise(py, error)
}

pub fn options(py: Python<'_>, settings: Settings) -> PyResult<Option<Options>> {
    if settings.is_empty() {
        return Ok(None);
    }
    let mut options = Options::new().or_raise(py)?;
    for (option, value) in settings {
        options.set(option, value).or_raise(py)?;
    }
    Ok(Some(options))
}

/// The elements in the layout of a descriptor, or in row-major order.
#[pyfunction]
pub fn convert_layout(
    py: Python<'_>,
    tensor: PyRef<'_, Tensor>,
    target: Option<PyRef<'_, Descriptor>>,
    into: Option<PyRef<'_, Buffer>>,
    settings: Settings,
) -> PyResult<Tensor> {
    let target = target.as_ref().map(|target| &*target.0);
    run(py, &tensor, into, settings, |tensor, into, options| tensor.to_layout(target, into, options))
}

/// Offsets below the element at index zero come as two's complement.
fn signed(offset: u64) -> i64 {
    offset.cast_signed()
}

#[pymethods]
impl Tensor {
    /// The same elements in another layout: an object such as ``hurray.TiledLayout([8, 8])``, or "row_major",
    /// "column_major", "coo", "csr", "csc". Every dense layout becomes every other, and every sparse one and back.
    ///
    /// A tensor that is in this layout already comes back sharing its memory; ``copy=True`` copies all the same,
    /// ``copy=False`` never does. ``byte_offset`` is where the element at index zero is to lie: negative strides need room
    /// before it. ``out`` is contiguous memory for the elements, an array or a tensor, which the result
    /// then shares. ``duplicates`` says what becomes of COO entries at one place: "refuse", "keep" or "sum". ``threads`` is
    /// how many may work on large tensors. The interpreter's lock is free meanwhile.
    ///
    /// Raises UnsupportedError, CopyRequiredError, InvalidArgumentError, and BufferError for an ``out`` that is too small.
    #[pyo3(signature = (layout, *, byte_offset = 0, out = None, copy = None, threads = None,
        duplicates = "refuse"))]
    fn to_layout<'py>(
        self_: PyRef<'py, Self>,
        layout: Bound<'py, PyAny>,
        byte_offset: u64,
        out: Option<Bound<'py, PyAny>>,
        copy: Option<bool>,
        threads: Option<u64>,
        duplicates: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = self_.py();
        package::to_layout(py)?.call1((self_, layout, byte_offset, out, copy, threads, duplicates))
    }

    /// The same elements in row-major order, as ``to_layout("row_major")``.
    #[pyo3(signature = (*, out = None, copy = None, threads = None))]
    fn contiguous<'py>(
        self_: PyRef<'py, Self>,
        out: Option<Bound<'py, PyAny>>,
        copy: Option<bool>,
        threads: Option<u64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = self_.py();
        package::to_layout(py)?.call1((self_, "row_major", 0, out, copy, threads, "refuse"))
    }

    /// The offset of an element, in elements from the one at index zero; negative strides lead below it.
    ///
    /// Raises IndexOutOfBoundsError, and UnsupportedError for layouts without arithmetic.
    fn element_offset(&self, py: Python<'_>, index: Vec<u64>) -> PyResult<i64> {
        self.handle(py)?.element_offset(&index).map(signed).or_raise(py)
    }

    /// How many bytes were written by the conversion that made the tensor; 0 if it shares memory or was made otherwise.
    #[getter]
    fn converted_bytes(&self) -> u64 {
        self.written()
    }
}

#[pymethods]
impl Descriptor {
    /// The offset of an element of a dense layout, as `Tensor.element_offset`.
    fn element_offset(&self, py: Python<'_>, index: Vec<u64>) -> PyResult<i64> {
        self.0.element_offset(&index).map(signed).or_raise(py)
    }
}
