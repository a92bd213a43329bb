//! The class `hurray.Tensor`.

use std::sync::OnceLock;

use hurray_client::{
    BufferFlags, BufferRef, BufferRole, ElementType, Error, Status, Tensor as Handle, ViewFlags, sys,
};
use pyo3::IntoPyObjectExt;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict, PyTuple};

use crate::descriptor::Descriptor;
use crate::errors::{OrRaise, exception, raise};
use crate::memory::Memory;
use crate::{capsule, fields, numpy, package};

const MAX_RANK: usize = 64;

/// A tensor: elements in memory, and what they mean.
///
/// ``Tensor(buffer, dtype, shape)`` wraps the bytes of any object with a buffer, in place: an array, bytes, a memory map.
/// ``layout`` says how elements lie in them (row-major unless told), ``byte_offset`` where the element at index zero is,
/// ``aux_buffers`` gives the other buffers in order: indices of sparse layouts, then the parameters of ``quantization``.
/// Parts that must begin on a 64-byte boundary are copied if they do not; ``copy=False`` forbids that, ``copy=True`` copies
/// everything. ``copies`` tells what was copied and why.
///
/// Tensors may be shared by threads. ``close`` ends the tensor at once; arrays made from it stay valid.
#[pyclass(module = "hurray", weakref)]
pub struct Tensor {
    /// None once closed.
    handle: Option<Handle>,
    /// The base of the arrays made from this tensor.
    memory: OnceLock<Py<PyAny>>,
    /// Bytes that the conversion which made it wrote.
    written: u64,
}

impl Tensor {
    /// A Python tensor of a handle.
    #[inline]
    pub fn of(handle: Handle) -> Self {
        Self::converted(handle, 0)
    }

    /// The result of a conversion that wrote so many bytes.
    #[inline]
    pub fn converted(handle: Handle, written: u64) -> Self {
        Self { handle: Some(handle), memory: OnceLock::new(), written }
    }

    pub fn written(&self) -> u64 {
        self.written
    }

    #[inline]
    pub fn handle(&self, py: Python<'_>) -> PyResult<&Handle> {
        self.handle.as_ref().ok_or_else(|| closed(py))
    }

    #[inline]
    fn base(&self, py: Python<'_>) -> PyResult<&Py<PyAny>> {
        if let Some(base) = self.memory.get() {
            return Ok(base);
        }
        // Of two threads that come here at once, the second one's is dropped.
        let base = Memory::of_tensor(py, self.handle(py)?)?;
        Ok(self.memory.get_or_init(|| base))
    }

    fn tag(&self, py: Python<'_>) -> PyResult<u8> {
        let descriptor = self.handle(py)?.descriptor().or_raise(py)?;
        Ok(descriptor.element_type().or_raise(py)?.0)
    }

    fn fields<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let descriptor = self.handle(py)?.descriptor().or_raise(py)?;
        fields::to_dict(py, &descriptor.fields().or_raise(py)?)
    }

    fn each_buffer<T>(&self, py: Python<'_>, of: impl Fn(&BufferRef) -> PyResult<T>) -> PyResult<Vec<T>> {
        let handle = self.handle(py)?;
        let count = handle.buffer_count().or_raise(py)?;
        (0..count).map(|index| of(handle.buffer(index).or_raise(py)?)).collect()
    }
}

/// What a named part of a tensor gives, by the package.
macro_rules! parts {
    ($self:ident, $name:literal) => {{
        let py = $self.py();
        package::part_of(py)?.call1(($self, $name))
    }};
}

#[cold]
fn closed(py: Python<'_>) -> PyErr {
    exception(py, "BufferError", "the tensor is closed", Status::INVALID_HANDLE)
}

#[pymethods]
impl Tensor {
    #[new]
    #[pyo3(signature = (buffer, dtype, shape, device = None, *, aux_buffers = None, layout = None, quantization = None,
        statistics = None, shard = None, extension_type = None, member_role = None, byte_offset = None, copy = None))]
    #[allow(clippy::too_many_arguments)] // the published constructor
    fn new(
        py: Python<'_>,
        buffer: Bound<'_, PyAny>,
        dtype: Bound<'_, PyAny>,
        shape: Bound<'_, PyAny>,
        device: Option<Bound<'_, PyAny>>,
        aux_buffers: Option<Bound<'_, PyAny>>,
        layout: Option<Bound<'_, PyAny>>,
        quantization: Option<Bound<'_, PyAny>>,
        statistics: Option<Bound<'_, PyAny>>,
        shard: Option<Bound<'_, PyAny>>,
        extension_type: Option<Bound<'_, PyAny>>,
        member_role: Option<&str>,
        byte_offset: Option<Bound<'_, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Self> {
        let byte_offset = byte_offset.map_or_else(|| 0.into_bound_py_any(py), Ok)?;
        let made = package::construct(py)?.call1((
            buffer,
            dtype,
            shape,
            device,
            aux_buffers,
            layout,
            quantization,
            (statistics, shard, extension_type, member_role),
            byte_offset,
            copy,
        ))?;
        let mut made = made.cast::<Self>()?.try_borrow_mut()?;
        made.handle.take().map(Self::of).ok_or_else(|| closed(py))
    }

    /// A tensor of a descriptor and its buffers in order, each any object with a buffer.
    ///
    /// A buffer is as long as the descriptor says or longer. One that does not begin on a 64-byte boundary is copied;
    /// ``copy=False`` forbids that, ``copy=True`` copies all.
    #[staticmethod]
    #[pyo3(signature = (descriptor, buffers, *, copy = None))]
    fn from_descriptor<'py>(
        descriptor: Bound<'py, PyAny>,
        buffers: Bound<'py, PyAny>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        package::bind(descriptor.py())?.call1((&descriptor, buffers, copy))
    }

    /// The element type; of a quantized tensor, that of its codes.
    #[getter]
    fn dtype(&self, py: Python<'_>) -> PyResult<&'static Py<PyAny>> {
        package::element_type(py, self.tag(py)?)
    }

    /// The dimensions, slowest-varying first as the row-major order has them.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let shape = self.handle(py)?.descriptor().and_then(|descriptor| descriptor.shape()).or_raise(py)?;
        PyTuple::new(py, shape)
    }

    /// The number of dimensions, 0 to 64.
    #[getter]
    fn ndim(&self, py: Python<'_>) -> PyResult<u32> {
        self.handle(py)?.descriptor().and_then(|descriptor| descriptor.rank()).or_raise(py)
    }

    /// The number of elements, stored or not; None while a dimension is dynamic.
    #[getter]
    fn size(&self, py: Python<'_>) -> PyResult<Option<u64>> {
        self.handle(py)?.descriptor().and_then(|descriptor| descriptor.element_count()).or_raise(py)
    }

    /// Where in buffer 0, in bytes, the element at index zero lies.
    #[getter]
    fn byte_offset(&self, py: Python<'_>) -> PyResult<u64> {
        self.handle(py)?.descriptor().and_then(|descriptor| descriptor.byte_offset()).or_raise(py)
    }

    /// What the tensor is, without its memory.
    #[getter]
    fn descriptor(&self, py: Python<'_>) -> PyResult<Descriptor> {
        let bytes = self.handle(py)?.descriptor().and_then(|descriptor| descriptor.encode()).or_raise(py)?;
        // Whatever a tensor was made of has been judged.
        hurray_client::Descriptor::decode_permissive(&bytes).or_raise(py).map(Descriptor)
    }

    /// Where the memory is.
    #[getter]
    fn device<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let handle = self.handle(py)?;
        let (device, class, id) = if handle.buffer_count().or_raise(py)? == 0 {
            (sys::HURRAY_DEVICE_CPU, sys::HURRAY_MEMORY_STANDARD, 0)
        } else {
            let buffer = handle.buffer(0).or_raise(py)?;
            let placement = buffer.placement().or_raise(py)?;
            (placement.device.0, placement.memory_class.0, buffer.device_id().or_raise(py)?)
        };
        package::device_from_tags(py)?.call1((device, class, id))
    }

    /// The layout, as an object with its fields.
    #[getter]
    fn layout<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        package::layout_from_fields(py)?.call1((self.fields(py)?,))
    }

    /// The quantization scheme with its fields, or None.
    #[getter]
    fn quantization<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        package::quantization_from_fields(py)?.call1((self.fields(py)?,))
    }

    /// What the producer computed of the values, or None.
    #[getter]
    fn statistics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        package::statistics_from_fields(py)?.call1((self.fields(py)?,))
    }

    /// The box of a larger tensor that this one is, or None.
    #[getter]
    fn shard<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        package::shard_from_fields(py)?.call1((self.fields(py)?,))
    }

    /// What a private element type looks like, or None.
    #[getter]
    fn extension_type<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        package::extension_type_from_fields(py)?.call1((self.fields(py)?,))
    }

    /// The number of buffers.
    #[getter]
    fn buffer_count(&self, py: Python<'_>) -> PyResult<u64> {
        self.handle(py)?.buffer_count().or_raise(py)
    }

    /// Why each buffer was copied when the tensor was made: an empty tuple is memory shared in place. Reasons are
    /// "alignment", "width", "packing" (byte order too) and "request".
    #[getter]
    fn copies<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        const REASONS: [(BufferFlags, &str); 4] = [
            (BufferFlags::COPIED_ALIGNMENT, "alignment"),
            (BufferFlags::COPIED_WIDTH, "width"),
            (BufferFlags::COPIED_PACKING, "packing"),
            (BufferFlags::COPIED_ON_REQUEST, "request"),
        ];
        let each = self.each_buffer(py, |buffer| {
            let flags = buffer.flags().or_raise(py)?;
            let reasons = REASONS.iter().filter(|(flag, _)| flags.contains(*flag));
            PyTuple::new(py, reasons.map(|(_, name)| name).collect::<Vec<_>>())
        })?;
        PyTuple::new(py, each)
    }

    /// How many bytes were copied when the tensor was made.
    #[getter]
    fn copied_bytes(&self, py: Python<'_>) -> PyResult<u64> {
        let each = self.each_buffer(py, |buffer| {
            let size = buffer.byte_size().or_raise(py)?;
            Ok(if buffer.flags().or_raise(py)?.copied() { size } else { 0 })
        })?;
        Ok(each.into_iter().sum())
    }

    /// Bytes of all buffers, without the lead before the owner's bytes.
    #[getter]
    fn nbytes(&self, py: Python<'_>) -> PyResult<u64> {
        let each = self.each_buffer(py, |buffer| {
            Ok(buffer.byte_size().or_raise(py)?.saturating_sub(buffer.lead().or_raise(py)?.into()))
        })?;
        Ok(each.into_iter().sum())
    }

    /// The bytes of one buffer as an array of uint8, in place and without its lead; read-only if the memory is.
    ///
    /// Raises IndexOutOfBoundsError, and UnsupportedError for memory that the host cannot read.
    fn buffer<'py>(&self, py: Python<'py>, index: u64) -> PyResult<Bound<'py, PyAny>> {
        Memory::of_buffer(self.handle(py)?.buffer(index).or_raise(py)?, py)
    }

    fn _buffer(&self, py: Python<'_>, index: u64) -> PyResult<crate::parts::Buffer> {
        self.handle(py)?
            .buffer(index)
            .and_then(|buffer| buffer.share())
            .or_raise(py)
            .map(crate::parts::Buffer)
    }

    fn _fields<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.fields(py)
    }

    /// One array inside the tensor as a dense tensor that shares it. ``role`` is a name such as "values", "indices",
    /// "pointers", "scales", "zero_points", "block_table" or its number; ``level`` is that of a CSF tree.
    ///
    /// Raises LookupError if the tensor has no such part.
    #[pyo3(signature = (role, level = 0))]
    fn part(&self, py: Python<'_>, role: Bound<'_, PyAny>, level: u32) -> PyResult<Self> {
        let role = match role.extract::<u32>() {
            Ok(number) => BufferRole(number),
            Err(_) => {
                let name: String = role.extract()?;
                BufferRole::from_name(&name).ok_or_else(|| {
                    pyo3::exceptions::PyLookupError::new_err(format!("no part is named {name:?}"))
                })?
            }
        };
        match self.handle(py)?.part(role, level) {
            Ok(part) => Ok(Self::of(part)),
            Err(error) if error.status == Status::FIELD_NOT_APPLICABLE => {
                Err(pyo3::exceptions::PyLookupError::new_err(format!("the tensor has no {role}")))
            }
            Err(error) => Err(raise(py, error)),
        }
    }

    /// The stored values of a sparse tensor, or the pages of a paged one.
    #[getter]
    fn values<'py>(self_: PyRef<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        parts!(self_, "values")
    }

    /// Indices: `[nnz, rank]` of COO, `[nnz]` of CSR and CSC.
    #[getter]
    fn indices<'py>(self_: PyRef<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        parts!(self_, "indices")
    }

    /// Column indices of CSR.
    #[getter]
    fn col_indices<'py>(self_: PyRef<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        parts!(self_, "col_indices")
    }

    /// Row pointers of CSR.
    #[getter]
    fn row_ptr<'py>(self_: PyRef<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        parts!(self_, "row_ptr")
    }

    /// Row indices of CSC.
    #[getter]
    fn row_indices<'py>(self_: PyRef<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        parts!(self_, "row_indices")
    }

    /// Column pointers of CSC.
    #[getter]
    fn col_ptr<'py>(self_: PyRef<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        parts!(self_, "col_ptr")
    }

    /// Scales of a quantized tensor, shaped by its blocks.
    #[getter]
    fn scales<'py>(self_: PyRef<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        parts!(self_, "scales")
    }

    /// Zero points of a quantized tensor, shaped by its blocks.
    #[getter]
    fn zero_points<'py>(self_: PyRef<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        parts!(self_, "zero_points")
    }

    /// The number of stored entries of a sparse tensor.
    #[getter]
    fn nnz<'py>(self_: PyRef<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let py = self_.py();
        package::nnz_of(py)?.call1((self_,))
    }

    /// A scipy array of a CSR, CSC or COO tensor, on the same memory.
    fn to_scipy<'py>(self_: PyRef<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let py = self_.py();
        package::to_scipy(py)?.call1((self_,))
    }

    /// A numpy array on the tensor's memory; read-only if the memory is. It stays valid after `close`.
    ///
    /// For row-major, column-major and strided tensors of the host; others raise UnsupportedError. A quantized tensor
    /// gives its codes. Packed elements are unpacked, which copies; all but bool need ml_dtypes. ``raw=True`` gives
    /// unsigned integers of the element's width instead of numbers, and packed bytes of narrower elements. ``copy`` as in
    /// numpy: False forbids a copy.
    #[pyo3(signature = (*, copy = None, raw = false))]
    fn numpy<'py>(&self, py: Python<'py>, copy: Option<bool>, raw: bool) -> PyResult<Bound<'py, PyAny>> {
        let handle = self.handle(py)?;
        let (mut shape, mut strides) = ([0u64; MAX_RANK], [0i64; MAX_RANK]);
        let (data, rank, flags) = handle.array_view_into(&mut shape, &mut strides).or_raise(py)?;
        let tag = self.tag(py)?;
        let writeable = !flags.contains(ViewFlags::READ_ONLY);
        if flags.contains(ViewFlags::PACKED) {
            return self.unpacked(py, tag, copy, raw);
        }
        let raw_dtype;
        let dtype = if raw {
            raw_dtype = numpy::raw_dtype(py, tag)?;
            &raw_dtype
        } else {
            numpy::dtype_of(py, tag)?
        };
        let (shape, strides) = (shape.as_ptr().cast(), strides.as_ptr().cast());
        // SAFETY: the library filled shape and strides for the rank it gave, and vouches for the memory they reach while
        // the tensor lives, of which the base holds a share.
        let array = unsafe { numpy::view(py, dtype, rank, shape, strides, data, writeable, self.base(py)?)? };
        if copy == Some(true) { array.call_method0(intern!(py, "copy")) } else { Ok(array) }
    }

    /// What numpy asks for in `numpy.asarray(tensor)`.
    #[pyo3(signature = (dtype = None, copy = None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let array = self.numpy(py, copy, false)?;
        let Some(dtype) = dtype else {
            return Ok(array);
        };
        let dtype = package::numpy_dtype(py)?.call1((dtype,))?;
        if array.getattr("dtype")?.eq(&dtype)? {
            return Ok(array);
        }
        if copy == Some(false) {
            let text =
                format!("{} to {dtype} needs a copy, and copy=False forbids it", array.getattr("dtype")?);
            return Err(exception(py, "CopyRequiredError", &text, Status::COPY_REQUIRED));
        }
        array.call_method1("astype", (dtype,))
    }

    /// A capsule named "hurray_tensor_handle" with a share of the tensor, for one consumer. What nobody consumes is
    /// released with the capsule.
    ///
    /// Memory of the host needs no stream: ``stream`` is None, or -1 for no waiting.
    #[pyo3(signature = (stream = None))]
    fn __hurray__<'py>(&self, py: Python<'py>, stream: Option<i64>) -> PyResult<Bound<'py, PyAny>> {
        let handle = self.handle(py)?;
        if let Some(stream) = stream.filter(|&stream| stream != -1) {
            let text = format!("stream {stream}: only None and -1 are known, for memory that is ready");
            return Err(exception(py, "UnsupportedError", &text, Status::UNSUPPORTED));
        }
        capsule::export(py, handle)
    }

    /// Ends the tensor now. Arrays and capsules made from it stay valid; the memory goes with the last of them.
    fn close(&mut self) {
        let handle = self.handle.take();
        let memory = self.memory.take();
        drop((handle, memory));
    }

    /// Whether `close` was called.
    #[getter]
    fn closed(&self) -> bool {
        self.handle.is_none()
    }

    fn __enter__(self_: PyRef<'_, Self>) -> PyResult<PyRef<'_, Self>> {
        self_.handle(self_.py())?;
        Ok(self_)
    }

    fn __exit__(
        &mut self,
        _kind: Option<Bound<'_, PyAny>>,
        _value: Option<Bound<'_, PyAny>>,
        _traceback: Option<Bound<'_, PyAny>>,
    ) {
        self.close();
    }

    fn __repr__(&self) -> String {
        match &self.handle {
            Some(handle) => format!("<hurray.Tensor {handle}>"),
            None => "<hurray.Tensor closed>".into(),
        }
    }
}

impl Tensor {
    /// Elements narrower than a byte: truth values unpacked, or the packed bytes.
    #[cold]
    fn unpacked<'py>(
        &self,
        py: Python<'py>,
        tag: u8,
        copy: Option<bool>,
        raw: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let handle = self.handle(py)?;
        if !raw && copy == Some(false) {
            let text = "packed elements take a copy, and copy=False forbids it; numpy(raw=True) gives the packed bytes";
            return Err(raise(py, Error::new(Status::COPY_REQUIRED, text)));
        }
        if !raw && tag != sys::HURRAY_TYPE_BOOL {
            let dtype = numpy::dtype_of(py, tag)?;
            let (codes, _) = py.detach(|| handle.unpack(None, None)).or_raise(py)?;
            let codes = Self::of(codes).numpy(py, None, false)?;
            // Numbers become ml_dtypes' own bytes; the narrow floats are bits already.
            let is_whole = ElementType(tag).info().or_raise(py)?.kind & sys::HURRAY_KIND_INTEGER != 0;
            return codes.call_method1(if is_whole { "astype" } else { "view" }, (dtype,));
        }
        let buffer = handle.buffer(0).or_raise(py)?;
        let start = self.byte_offset(py)? - u64::from(buffer.lead().or_raise(py)?);
        let count = self.size(py)?.unwrap_or(0);
        let bytes = ElementType(tag).bytes(count).or_raise(py)?;
        let all = Memory::of_buffer(buffer, py)?;
        let packed =
            all.get_item(pyo3::types::PySlice::new(py, start as isize, (start + bytes) as isize, 1))?;
        if raw {
            return if copy == Some(true) { packed.call_method0("copy") } else { Ok(packed) };
        }
        package::unpack_bool(py)?.call1((packed, self.shape(py)?))
    }
}

/// The tensor of an object with `__hurray__`: its capsule is consumed, and nothing is copied.
///
/// The producer's C ABI version is read before anything else. Raises TypeError for an object without `__hurray__` or a
/// capsule of another name, also one that was consumed before, and UnsupportedError for another version.
#[pyfunction]
pub fn from_hurray(obj: &Bound<'_, PyAny>) -> PyResult<Tensor> {
    capsule::import(obj).map(Tensor::of)
}
