//! Composites, descriptors that come alone, and items as Python objects.

use hurray_client::{
    CombineOp, CompositionRule, Content, Descriptor as DescriptorHandle, DescriptorBuilder, Item, ItemRef,
    sys,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::convert::Progress;
use crate::descriptor::Descriptor;
use crate::errors::OrRaise;
use crate::package;
use crate::tensor::Tensor;

/// Several tensors as one: a partition, an overlay, or a group.
///
/// ``Composite("partition", shape=(4,), dtype=hurray.float32, members=[...])``: members are tensors or composites, in
/// order. Parts of a partition and of an overlay carry a ``Shard``. Everything is judged by the library: raises
/// InvalidDescriptorError, whose text names the rule and the member. It holds shares of its members and does not change.
#[pyclass(module = "hurray", frozen, weakref)]
pub struct Composite(pub Item);

/// A tensor or a composite as an item.
pub fn to_item(object: &Bound<'_, PyAny>) -> PyResult<Item> {
    let py = object.py();
    if let Ok(composite) = object.cast::<Composite>() {
        return composite.get().0.share().or_raise(py);
    }
    let tensor = object.cast::<Tensor>().map_err(|_| {
        let kind = object.get_type().name().map_or_else(|_| String::new(), |name| name.to_string());
        PyTypeError::new_err(format!("a Tensor or a Composite is wanted, not {kind}"))
    })?;
    Item::of(tensor.try_borrow()?.handle(py)?).or_raise(py)
}

/// What an item becomes.
enum Kind {
    Tensor(hurray_client::Tensor),
    Composite,
    Descriptor,
}

/// An item as a tensor, a composite or a descriptor.
pub fn to_object(py: Python<'_>, item: Item) -> PyResult<Py<PyAny>> {
    let kind = match item.content().or_raise(py)? {
        Content::Tensor(tensor) => Kind::Tensor(tensor),
        Content::Composite(_) => Kind::Composite,
        Content::Descriptor(_) => Kind::Descriptor,
    };
    Ok(match kind {
        Kind::Tensor(tensor) => Py::new(py, Tensor::of(tensor))?.into_any(),
        Kind::Composite => Py::new(py, Composite(item))?.into_any(),
        Kind::Descriptor => Py::new(py, DescriptorItem(item))?.into_any(),
    })
}

/// The descriptor of a composite's head, or one that came alone.
fn head_of(py: Python<'_>, item: &ItemRef) -> PyResult<Descriptor> {
    let bytes = item.head().and_then(|head| head.encode()).or_raise(py)?;
    DescriptorHandle::decode_permissive(&bytes).or_raise(py).map(Descriptor)
}

/// A descriptor without a tensor, as a stream gives it: one whose layout is unknown, with ``permissive=True``, or the
/// head of a composite, with ``flat=True``. It cannot be written.
#[pyclass(module = "hurray", frozen, weakref)]
pub struct DescriptorItem(pub Item);

#[pymethods]
impl DescriptorItem {
    /// The descriptor.
    #[getter]
    fn descriptor(&self, py: Python<'_>) -> PyResult<Descriptor> {
        head_of(py, &self.0)
    }

    /// The bytes that came with it, as a uint8 tensor of one dimension: all its buffers, in order, without padding. None
    /// where nobody knows how many they are (a bare stream), and for a head.
    #[getter]
    fn data(&self, py: Python<'_>) -> PyResult<Option<Tensor>> {
        Ok(self.0.data().or_raise(py)?.map(Tensor::of))
    }

    fn __repr__(&self) -> String {
        format!("<hurray.DescriptorItem {:?}>", *self.0)
    }
}

impl Composite {
    fn each<T>(&self, py: Python<'_>, of: impl Fn(&ItemRef) -> PyResult<T>) -> PyResult<Vec<T>> {
        let count = self.0.member_count().or_raise(py)?;
        (0..count).map(|index| of(self.0.member(index).or_raise(py)?)).collect()
    }
}

#[pymethods]
impl Composite {
    #[new]
    #[pyo3(signature = (composition_rule, *, shape, dtype, members, combine_op = None))]
    fn new(
        py: Python<'_>,
        composition_rule: &str,
        shape: Vec<u64>,
        dtype: &Bound<'_, PyAny>,
        members: Vec<Bound<'_, PyAny>>,
        combine_op: Option<&str>,
    ) -> PyResult<Self> {
        let unknown = |what: &str, name: &str| PyValueError::new_err(format!("no {what} is named {name:?}"));
        let rule = CompositionRule::from_name(composition_rule)
            .ok_or_else(|| unknown("composition rule", composition_rule))?;
        let op = combine_op.unwrap_or("none");
        let op = CombineOp::from_name(op).ok_or_else(|| unknown("combine operation", op))?;
        let tag: u8 = package::resolve_dtype(py)?.call1((dtype,))?.getattr("tag")?.extract()?;
        let count = u64::try_from(members.len())?;
        let mut builder =
            DescriptorBuilder::with_tags(tag, sys::HURRAY_LAYOUT_COMPOSITE, &shape).or_raise(py)?;
        builder.set_u64(sys::HURRAY_LAYOUT_FIELD_COMPOSITE_RULE, 0, rule.0.into()).or_raise(py)?;
        builder.set_u64(sys::HURRAY_LAYOUT_FIELD_COMPOSITE_COMBINE_OP, 0, op.0.into()).or_raise(py)?;
        builder.set_u64(sys::HURRAY_LAYOUT_FIELD_COMPOSITE_MEMBER_COUNT, 0, count).or_raise(py)?;
        let head = builder.finish().or_raise(py)?;
        let members = members.iter().map(to_item).collect::<PyResult<Vec<_>>>()?;
        let members: Vec<&ItemRef> = members.iter().map(|member| &**member).collect();
        Item::composite(&head, &members).or_raise(py).map(Self)
    }

    /// The head's descriptor.
    #[getter]
    fn descriptor(&self, py: Python<'_>) -> PyResult<Descriptor> {
        head_of(py, &self.0)
    }

    /// The element type of the whole.
    #[getter]
    fn dtype(&self, py: Python<'_>) -> PyResult<&'static Py<PyAny>> {
        package::element_type(py, self.0.head().and_then(|head| head.element_type()).or_raise(py)?.0)
    }

    /// The dimensions of the whole.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.head().and_then(|head| head.shape()).or_raise(py)?)
    }

    /// The number of dimensions.
    #[getter]
    fn ndim(&self, py: Python<'_>) -> PyResult<u32> {
        self.0.head().and_then(|head| head.rank()).or_raise(py)
    }

    /// The layout: composition rule, member count and combine operation.
    #[getter]
    fn layout<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.descriptor(py)?.layout(py)
    }

    /// The number of members.
    #[getter]
    fn member_count(&self, py: Python<'_>) -> PyResult<u64> {
        self.0.member_count().or_raise(py)
    }

    /// The members, in order: tensors, or composites.
    #[getter]
    fn members(&self, py: Python<'_>) -> PyResult<Vec<Py<PyAny>>> {
        self.each(py, |member| to_object(py, member.share().or_raise(py)?))
    }

    /// The members' roles in an overlay, "base" or "correction"; None elsewhere.
    #[getter]
    fn member_roles(&self, py: Python<'_>) -> PyResult<Vec<Option<&'static str>>> {
        self.each(py, |member| match member.content().or_raise(py)? {
            Content::Tensor(tensor) => {
                let role =
                    tensor.descriptor().and_then(|descriptor| descriptor.member_role()).or_raise(py)?;
                Ok(role.and_then(|role| role.name()))
            }
            Content::Composite(_) | Content::Descriptor(_) => Ok(None),
        })
    }

    /// One tensor of the composite, in row-major order: a partition's members joined, an overlay's corrections applied.
    ///
    /// ``out``, ``copy``, ``threads`` and ``progress`` as in `Tensor.to_layout`. Raises UnsupportedError for a group, whose members are
    /// tensors of their own.
    #[pyo3(signature = (*, out = None, copy = None, threads = None, progress = None))]
    fn assemble<'py>(
        self_: PyRef<'py, Self>,
        out: Option<Bound<'py, PyAny>>,
        copy: Option<bool>,
        threads: Option<u64>,
        progress: Progress,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = self_.py();
        package::assemble(py)?.call1((self_, out, copy, threads, progress))
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(usize::try_from(self.0.member_count().or_raise(py)?)?)
    }

    fn __repr__(&self) -> String {
        format!("<hurray.Composite {:?}>", *self.0)
    }
}
