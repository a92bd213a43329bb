//! Conversions of numbers: codes and what they stand for, packed elements and bytes.

use hurray_client::{BufferList, ElementType};
use pyo3::prelude::*;

use crate::convert::{Progress, Settings, run};
use crate::descriptor::Descriptor;
use crate::errors::OrRaise;
use crate::package;
use crate::parts::Buffer;
use crate::tensor::Tensor;

/// Numbers of a floating-point type.
#[pyfunction]
pub fn convert_to_numbers(
    py: Python<'_>,
    tensor: PyRef<'_, Tensor>,
    tag: u8,
    into: Option<PyRef<'_, Buffer>>,
    settings: Settings,
    progress: Progress,
) -> PyResult<Tensor> {
    run(py, &tensor, into, settings, progress, |tensor, into, options| {
        tensor.dequantize(ElementType(tag), into, options)
    })
}

/// Codes of a scheme. No parameters are computed ones; an empty list is a descriptor's own.
#[pyfunction]
pub fn convert_to_codes(
    py: Python<'_>,
    tensor: PyRef<'_, Tensor>,
    target: PyRef<'_, Descriptor>,
    parameters: Option<Vec<PyRef<'_, Buffer>>>,
    into: Option<PyRef<'_, Buffer>>,
    settings: Settings,
    progress: Progress,
) -> PyResult<Tensor> {
    let list = match parameters {
        None => None,
        Some(buffers) => {
            let mut list = BufferList::new(buffers.len() as u64).or_raise(py)?;
            for buffer in &buffers {
                list.push(buffer.0.share().or_raise(py)?).or_raise(py)?;
            }
            Some(list)
        }
    };
    let target = &*target.0;
    run(py, &tensor, into, settings, progress, |tensor, into, options| {
        tensor.quantize(target, list.as_ref(), into, options)
    })
}

/// A packed type as bytes (no tag), or bytes as a packed type.
#[pyfunction]
pub fn convert_packing(
    py: Python<'_>,
    tensor: PyRef<'_, Tensor>,
    tag: Option<u8>,
    into: Option<PyRef<'_, Buffer>>,
    settings: Settings,
    progress: Progress,
) -> PyResult<Tensor> {
    run(py, &tensor, into, settings, progress, |tensor, into, options| match tag {
        Some(tag) => tensor.pack(ElementType(tag), into, options),
        None => tensor.unpack(into, options),
    })
}

#[pymethods]
impl Tensor {
    /// The numbers that the elements stand for, as float32, float16, bfloat16 or float64, in row-major order.
    ///
    /// Codes become what their scheme says; elements without a scheme are converted, rounded once, ties to even: int4,
    /// bfloat16, float8 and their like too. A sparse tensor stays sparse. ``out``, ``copy``, ``threads`` and
    /// ``progress`` as in `to_layout`. Raises InvalidDescriptorError for types that are no real numbers, and UnsupportedError.
    #[pyo3(signature = (dtype = None, *, out = None, copy = None, threads = None, progress = None))]
    fn dequantize<'py>(
        self_: PyRef<'py, Self>,
        dtype: Option<Bound<'py, PyAny>>,
        out: Option<Bound<'py, PyAny>>,
        copy: Option<bool>,
        threads: Option<u64>,
        progress: Progress,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = self_.py();
        package::dequantize(py)?.call1((self_, dtype, out, copy, threads, progress))
    }

    /// Codes of a scheme such as ``hurray.PerBlockAffine.symmetric(1, 32)``, stored as ``dtype``; without a scheme the
    /// numbers themselves as a floating-point type, narrow ones too.
    ///
    /// Scales, and zero points, are ``parameters``, one array each, or computed from the tensor. ``PerTensorAffine(scale)``
    /// has its own; the class ``hurray.PerTensorAffine`` alone has them computed. Numbers become the nearest code, ties to
    /// even, and stop at the ends of the type's range. ``layout`` as in `to_layout`; ``out`` takes the codes. Raises
    /// InvalidArgumentError for a number without a code (a NaN), InvalidDescriptorError for a scale of 0.
    #[pyo3(signature = (dtype, quantization = None, *, layout = None, parameters = None, out = None, threads = None, progress = None))]
    fn quantize<'py>(
        self_: PyRef<'py, Self>,
        dtype: Bound<'py, PyAny>,
        quantization: Option<Bound<'py, PyAny>>,
        layout: Option<Bound<'py, PyAny>>,
        parameters: Option<Bound<'py, PyAny>>,
        out: Option<Bound<'py, PyAny>>,
        threads: Option<u64>,
        progress: Progress,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = self_.py();
        package::quantize(py)?.call1((self_, dtype, quantization, layout, parameters, out, threads, progress))
    }

    /// The codes of a packed type, one a byte: int8 of int4 and int2, else uint8. Those of narrow floats are their bits.
    #[pyo3(signature = (*, out = None, threads = None, progress = None))]
    fn unpack<'py>(
        self_: PyRef<'py, Self>,
        out: Option<Bound<'py, PyAny>>,
        threads: Option<u64>,
        progress: Progress,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = self_.py();
        package::packing(py)?.call1((self_, py.None(), out, threads, progress))
    }

    /// Codes of one a byte, int8 or uint8, as the packed type ``dtype``. As bool, every byte but 0 is true.
    ///
    /// Raises InvalidArgumentError for a value that the type has no code for.
    #[pyo3(signature = (dtype, *, out = None, threads = None, progress = None))]
    fn pack<'py>(
        self_: PyRef<'py, Self>,
        dtype: Bound<'py, PyAny>,
        out: Option<Bound<'py, PyAny>>,
        threads: Option<u64>,
        progress: Progress,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = self_.py();
        package::packing(py)?.call1((self_, dtype, out, threads, progress))
    }
}
