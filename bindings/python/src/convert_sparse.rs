//! Conversions of sparse, paged and composite tensors, and the deep check.

use hurray_client::Options;
use pyo3::prelude::*;

use crate::convert::{Progress, Settings, go, is_long, run};
use crate::errors::OrRaise;
use crate::item::Composite;
use crate::parts::Buffer;
use crate::tensor::Tensor;
use crate::{package, watch};

/// The tokens of a block-paged tensor, sequence after sequence.
#[pyfunction]
pub fn convert_pages(
    py: Python<'_>,
    tensor: PyRef<'_, Tensor>,
    lengths: Option<Vec<u64>>,
    into: Option<PyRef<'_, Buffer>>,
    settings: Settings,
    progress: Progress,
) -> PyResult<Tensor> {
    let lengths = lengths.as_deref();
    run(py, &tensor, into, settings, progress, |tensor, into, options| tensor.gather(lengths, into, options))
}

/// One tensor of a composite.
#[pyfunction]
pub fn convert_composite(
    py: Python<'_>,
    composite: PyRef<'_, Composite>,
    into: Option<PyRef<'_, Buffer>>,
    settings: Settings,
    progress: Progress,
) -> PyResult<Tensor> {
    let (item, into) = (&composite.0, into.as_ref().map(|into| &into.0));
    let shape = item.head().and_then(|head| head.shape()).or_raise(py)?;
    let call = |options: Option<&Options>| item.assemble(into, options);
    let (made, bytes) = go(py, watch::is_long_shape(&shape), settings, progress, call)?;
    Ok(Tensor::converted(made, bytes))
}

#[pymethods]
impl Tensor {
    /// All tokens of a block-paged tensor, sequence after sequence, as a row-major tensor of the same shape.
    ///
    /// ``sequence_lengths`` are the tokens of each sequence, which no field says; None will do for one sequence, or where
    /// every page is full. ``out``, ``copy``, ``threads`` and ``progress`` as in `to_layout`.
    #[pyo3(signature = (sequence_lengths = None, *, out = None, copy = None, threads = None, progress = None))]
    fn gather<'py>(
        self_: PyRef<'py, Self>,
        sequence_lengths: Option<Bound<'py, PyAny>>,
        out: Option<Bound<'py, PyAny>>,
        copy: Option<bool>,
        threads: Option<u64>,
        progress: Progress,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = self_.py();
        package::gather(py)?.call1((self_, sequence_lengths, out, copy, threads, progress))
    }

    /// Writes the tokens of a dense tensor into the pages of a block-paged one of the same shape, as `gather` reads them.
    /// Gives the number of bytes written. Nobody else may use the pages meanwhile. ``progress`` as in `to_layout`.
    #[pyo3(signature = (paged, sequence_lengths = None, *, progress = None))]
    fn scatter(
        &self,
        py: Python<'_>,
        paged: PyRef<'_, Self>,
        sequence_lengths: Option<Vec<u64>>,
        progress: Progress,
    ) -> PyResult<u64> {
        let (from, to, lengths) = (self.handle(py)?, paged.handle(py)?, sequence_lengths.as_deref());
        // SAFETY: the interpreter has no say in who uses an array's memory: its threads order that among themselves.
        let call = |options: Option<&Options>| unsafe { from.scatter(to, lengths, options) };
        go(py, is_long(py, from)?, Settings::new(), progress, call)
    }

    /// Holds the contents of all buffers to the format: coordinates inside the shape and in order, pointers that rise,
    /// pages that exist, scales that their scheme allows, unused bits that are 0. Nothing else needs it: conversions check
    /// each index as they use it. ``progress`` as in `to_layout`.
    ///
    /// Raises InvalidDescriptorError or BufferError, whose text names the rule, the part and the position.
    #[pyo3(signature = (*, progress = None))]
    fn check(&self, py: Python<'_>, progress: Progress) -> PyResult<()> {
        let handle = self.handle(py)?;
        go(py, is_long(py, handle)?, Settings::new(), progress, |options| handle.check_data(options))
    }
}
