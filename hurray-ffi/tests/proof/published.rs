//! A model as the published crate has it, made through its public types alone.

use crate::model::{Extension, Layout, Model, NONE, Order, Scheme, Statistics, Tile};
use hurray_core::buffer::{BufferHandle, DeviceTag, MemoryClass, SyncMode};
use hurray_core::descriptor::{
    CompositeMemberDescriptor, ExtensionTypeDescriptor, MemberRole, ShardDescriptor, StatisticsMask,
    TensorDescriptor,
};
use hurray_core::element_type::ElementType;
use hurray_core::layout::{
    BlockPagedLayout, BlockTableIndexType, CompositeLayout, CompositionRule, CooLayout, CscLayout, CsfLayout,
    CsrLayout, HilbertLayout, KvRole, LayoutDescriptor, MortonLayout, PrivateExtensionLayout, StridedLayout,
};
use hurray_core::layout::{InnerStrides, OuterStrides, TiledLayout};
use hurray_core::shape::Shape;

fn tile(tile: &Tile) -> TiledLayout {
    let strides = |order: &Order| match order {
        Order::Plain(tag) => (*tag, None),
        Order::Strides(strides) => (3, Some(strides.clone())),
    };
    let (outer, outer_strides) = strides(&tile.outer);
    let (inner, inner_strides) = if tile.nested.is_some() { (4, None) } else { strides(&tile.inner) };
    TiledLayout::new(
        tile.shape.clone(),
        outer,
        inner,
        outer_strides.map(OuterStrides::new),
        inner_strides.map(InnerStrides::new),
        tile.nested.as_deref().map(|nested| Box::new(self::tile(nested))),
    )
    .expect("tiles")
}

fn layout(model: &Model) -> LayoutDescriptor {
    match &model.layout {
        Layout::Plain(1) => LayoutDescriptor::RowMajor,
        Layout::Plain(_) => LayoutDescriptor::ColMajor,
        Layout::Strided(strides) => LayoutDescriptor::Strided(StridedLayout::new(strides.clone())),
        Layout::Tiled(outermost) => LayoutDescriptor::Tiled(Box::new(tile(outermost))),
        Layout::Morton(bits) => LayoutDescriptor::Morton(MortonLayout::new(bits.clone()).expect("Morton")),
        Layout::Coo { nnz, sorted } => LayoutDescriptor::Coo(CooLayout::new(*nnz, *sorted == 1)),
        Layout::Compressed { tag: 7, nnz } => LayoutDescriptor::Csr(CsrLayout::new(*nnz)),
        Layout::Compressed { nnz, .. } => LayoutDescriptor::Csc(CscLayout::new(*nnz)),
        Layout::Csf { nnz, order } => LayoutDescriptor::Csf(CsfLayout::new(*nnz, order.clone())),
        Layout::Paged { page_size, pages, seqs, role, layer, wide } => {
            LayoutDescriptor::BlockPaged(BlockPagedLayout::new(
                *page_size,
                *pages,
                0,
                *seqs,
                KvRole::from_wire(*role).expect("a role"),
                (*layer != NONE).then_some(*layer),
                BlockTableIndexType::from_wire(*wide).expect("an index type"),
            ))
        }
        Layout::Head { rule, op, members } => {
            let rule = CompositionRule::from_wire(*rule, *op).expect("a rule");
            LayoutDescriptor::Composite(CompositeLayout::new(rule, *members).expect("a head"))
        }
        Layout::Hilbert { order } => {
            let rank = model.shape.len() as u32;
            LayoutDescriptor::Hilbert(HilbertLayout::new(*order, rank).expect("Hilbert"))
        }
        Layout::Private { tag, id, data } => LayoutDescriptor::PrivateExtension(
            PrivateExtensionLayout::new(*tag, *id, data.clone()).expect("a private layout"),
        ),
        Layout::Unknown { .. } => unreachable!("it has no form for such a layout"),
    }
}

fn statistics(found: &Statistics) -> hurray_core::descriptor::Statistics {
    let [sparsity_ratio, value_min, value_max, value_abs_max, value_mean, value_stddev] = found.reals;
    let [nm_n, nm_m, has_nan, has_inf] = found.small;
    hurray_core::descriptor::Statistics {
        computed_mask: StatisticsMask(found.mask),
        nnz: found.nnz,
        sparsity_ratio,
        value_min,
        value_max,
        value_abs_max,
        value_mean,
        value_stddev,
        nm_n,
        nm_m,
        has_nan: has_nan == 1,
        has_inf: has_inf == 1,
    }
}

fn extension(found: &Extension) -> ExtensionTypeDescriptor {
    let Extension { bits, packing, parts: [is_float, is_signed, sign, exponent, mantissa], bias, has } =
        *found;
    let [nan, inf] = has.map(|has| has == 1);
    ExtensionTypeDescriptor::new(
        bits,
        packing,
        is_float == 1,
        is_signed == 1,
        sign,
        exponent,
        mantissa,
        bias,
        nan,
        inf,
    )
    .expect("an extension type")
}

/// The published crate's own descriptor.
pub fn published(model: &Model) -> TensorDescriptor {
    let handle = |entry: &crate::model::Entry| {
        BufferHandle::with_memory_class(
            entry.byte_size,
            entry.alignment,
            DeviceTag::from_byte(entry.device).expect("a device"),
            SyncMode::from_byte(entry.sync).expect("a sync mode"),
            MemoryClass::from_byte(entry.class).expect("a class"),
        )
        .expect("a buffer handle")
    };
    let shard = |(parent, offset): &(Vec<u64>, Vec<u64>)| {
        ShardDescriptor::new(parent.clone(), offset.clone()).expect("a shard")
    };
    let descriptor = TensorDescriptor::new(
        1,
        0,
        ElementType::from_tag(model.type_tag).expect("an element type"),
        Shape::new(model.shape.clone()).expect("a shape"),
        model.byte_offset,
        layout(model),
        model.buffers.iter().map(handle).collect(),
        model.scheme.as_ref().map(Scheme::payload),
        model.shard.as_ref().map(shard),
        model.statistics.as_ref().map(statistics),
        model.extension.as_ref().map(extension),
    )
    .expect("a descriptor");
    match model.role {
        Some(role) => {
            let role = MemberRole::from_wire(role).expect("a role");
            descriptor.with_composite_member(CompositeMemberDescriptor::new(role))
        }
        None => descriptor,
    }
}
