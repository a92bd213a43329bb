//! Conversions: the methods of tensors, and what the package's `convert` module calls for them.

use hurray_client::{Buffer as Room, Converted, Options, Tensor as Handle};
use pyo3::prelude::*;

use crate::descriptor::Descriptor;
use crate::errors::OrRaise;
use crate::parts::Buffer;
use crate::tensor::Tensor;
use crate::{package, watch};

/// Numbered options, as the package gives them.
pub type Settings = Vec<(u32, u64)>;

/// A Python function of bytes done and bytes in all.
pub type Progress = Option<Py<PyAny>>;

/// Makes a tensor of another without the interpreter.
pub fn run(
    py: Python<'_>,
    tensor: &Tensor,
    into: Option<PyRef<'_, Buffer>>,
    settings: Settings,
    progress: Progress,
    call: impl FnOnce(&Handle, Option<&Room>, Option<&Options>) -> hurray_client::Result<Converted> + Send,
) -> PyResult<Tensor> {
    let handle = tensor.handle(py)?;
    let into = into.as_ref().map(|into| &into.0);
    let is_long = is_long(py, handle)?;
    let (made, bytes) = go(py, is_long, settings, progress, |options| call(handle, into, options))?;
    Ok(Tensor::converted(made, bytes))
}

/// Whether work on all elements of a tensor may take long.
pub fn is_long(py: Python<'_>, tensor: &Handle) -> PyResult<bool> {
    let shape = tensor.descriptor().and_then(|descriptor| descriptor.shape()).or_raise(py)?;
    Ok(watch::is_long_shape(&shape))
}

/// Makes a call of the library without the interpreter.
pub fn go<T: Send>(
    py: Python<'_>,
    is_long: bool,
    settings: Settings,
    progress: Progress,
    call: impl FnOnce(Option<&Options>) -> hurray_client::Result<T> + Send,
) -> PyResult<T> {
    if !is_long && settings.is_empty() && progress.is_none() {
        return py.detach(|| call(None)).or_raise(py);
    }
    let mut options = Options::new().or_raise(py)?;
    for (option, value) in settings {
        options.set(option, value).or_raise(py)?;
    }
    let call = || call(Some(&options));
    watch::watched(py, &options, progress.as_ref(), is_long, call)?.or_raise(py)
}

/// The elements in the layout of a descriptor, or in row-major order.
#[pyfunction]
pub fn convert_layout(
    py: Python<'_>,
    tensor: PyRef<'_, Tensor>,
    target: Option<PyRef<'_, Descriptor>>,
    into: Option<PyRef<'_, Buffer>>,
    settings: Settings,
    progress: Progress,
) -> PyResult<Tensor> {
    let target = target.as_ref().map(|target| &*target.0);
    run(py, &tensor, into, settings, progress, |tensor, into, options| {
        tensor.to_layout(target, into, options)
    })
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
    /// ``progress`` is called with the bytes done and the bytes in all, now and then while a large tensor is converted, and
    /// at the end. What it raises ends the conversion and is raised; Ctrl-C ends it too.
    ///
    /// Raises UnsupportedError, CopyRequiredError, InvalidArgumentError, and BufferError for an ``out`` that is too small.
    #[pyo3(signature = (layout, *, byte_offset = 0, out = None, copy = None, threads = None,
        duplicates = "refuse", progress = None))]
    #[allow(clippy::too_many_arguments)] // keywords
    fn to_layout<'py>(
        self_: PyRef<'py, Self>,
        layout: Bound<'py, PyAny>,
        byte_offset: u64,
        out: Option<Bound<'py, PyAny>>,
        copy: Option<bool>,
        threads: Option<u64>,
        duplicates: &str,
        progress: Progress,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = self_.py();
        package::to_layout(py)?.call1((self_, layout, byte_offset, out, copy, threads, duplicates, progress))
    }

    /// The same elements in row-major order, as ``to_layout("row_major")``.
    #[pyo3(signature = (*, out = None, copy = None, threads = None, progress = None))]
    fn contiguous<'py>(
        self_: PyRef<'py, Self>,
        out: Option<Bound<'py, PyAny>>,
        copy: Option<bool>,
        threads: Option<u64>,
        progress: Progress,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = self_.py();
        package::to_layout(py)?.call1((self_, "row_major", 0, out, copy, threads, "refuse", progress))
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
