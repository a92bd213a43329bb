//! Parts of dense tensors, and statistics.

use hurray_client::{BufferList, Owner, Tensor as Handle};
use pyo3::prelude::*;

use crate::convert::{Settings, options};
use crate::errors::OrRaise;
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
) -> PyResult<Tensor> {
    let (handle, options) = (tensor.handle(py)?, options(py, settings)?);
    let (made, bytes) = py.detach(|| handle.slice(&start, &stop, &step, options.as_ref())).or_raise(py)?;
    Ok(Tensor::converted(made, bytes))
}

#[pymethods]
impl Tensor {
    /// Part of a dense tensor by slices, as ``tensor[2:5, ..., ::-1]``: it shares memory where the layout allows it.
    ///
    /// Raises TypeError for a single index: ``tensor[2:3]`` keeps the dimension, ``tensor.numpy()[2]`` drops it.
    fn __getitem__<'py>(self_: PyRef<'py, Self>, key: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = self_.py();
        package::part(py)?.call1((self_, key, py.None()))
    }

    /// As ``tensor[key]``. Other layouts than row-major, column-major and strided take a copy, which ``copy=False``
    /// forbids; ``copy=True`` always copies.
    #[pyo3(signature = (key, *, copy = None))]
    fn slice<'py>(
        self_: PyRef<'py, Self>,
        key: Bound<'py, PyAny>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = self_.py();
        package::part(py)?.call1((self_, key, copy))
    }

    /// The same tensor, on the same memory, with all statistics that one pass over the elements gives.
    fn with_statistics(&self, py: Python<'_>) -> PyResult<Self> {
        let handle = self.handle(py)?;
        let make = || {
            let descriptor = handle.statistics(None)?;
            let count = handle.buffer_count()?;
            let mut list = BufferList::new(count)?;
            for index in 0..count {
                list.push(handle.buffer(index)?.share()?)?;
            }
            Handle::from_descriptor(&descriptor, list, Owner::none())
        };
        py.detach(make).or_raise(py).map(Self::of)
    }
}
