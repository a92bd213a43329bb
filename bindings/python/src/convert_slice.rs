//! Parts of dense tensors, and statistics.

use hurray_client::{BufferList, Options, Owner, Tensor as Handle};
use pyo3::prelude::*;

use crate::convert::{Progress, Settings, go, is_long};
use crate::package;
use crate::tensor::Tensor;

/// A part: start, stop and step of each dimension.
#[pyfunction]
pub fn convert_part(
    py: Python<'_>,
    tensor: PyRef<'_, Tensor>,
    start: Vec<i64>,
    stop: Vec<i64>,
    step: Vec<i64>,
    settings: Settings,
    progress: Progress,
) -> PyResult<Tensor> {
    let handle = tensor.handle(py)?;
    let is_long = is_long(py, handle)?;
    let call = |options: Option<&Options>| handle.slice(&start, &stop, &step, options);
    let (made, bytes) = go(py, is_long, settings, progress, call)?;
    Ok(Tensor::converted(made, bytes))
}

#[pymethods]
impl Tensor {
    /// Part of a dense tensor by slices, as ``tensor[2:5, ..., ::-1]``: it shares memory where the layout allows it.
    ///
    /// Raises TypeError for a single index: ``tensor[2:3]`` keeps the dimension, ``tensor.numpy()[2]`` drops it.
    fn __getitem__<'py>(self_: PyRef<'py, Self>, key: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = self_.py();
        package::part(py)?.call1((self_, key, py.None(), py.None()))
    }

    /// As ``tensor[key]``. Other layouts than row-major, column-major and strided take a copy, unless the part is the whole
    /// or empty; ``copy=False`` forbids it, ``copy=True`` always copies. ``progress`` as in `to_layout`.
    #[pyo3(signature = (key, *, copy = None, progress = None))]
    fn slice<'py>(
        self_: PyRef<'py, Self>,
        key: Bound<'py, PyAny>,
        copy: Option<bool>,
        progress: Progress,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = self_.py();
        package::part(py)?.call1((self_, key, copy, progress))
    }

    /// The same tensor, on the same memory, with all statistics that one pass over the elements gives. ``progress`` as in
    /// `to_layout`.
    #[pyo3(signature = (*, progress = None))]
    fn with_statistics(&self, py: Python<'_>, progress: Progress) -> PyResult<Self> {
        let handle = self.handle(py)?;
        let make = |options: Option<&Options>| {
            let descriptor = handle.statistics(options)?;
            let count = handle.buffer_count()?;
            let mut list = BufferList::new(count)?;
            for index in 0..count {
                list.push(handle.buffer(index)?.share()?)?;
            }
            Handle::from_descriptor(&descriptor, list, Owner::none())
        };
        go(py, is_long(py, handle)?, Settings::new(), progress, make).map(Self::of)
    }
}
