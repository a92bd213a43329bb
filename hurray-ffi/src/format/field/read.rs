//! Reading one field. The first condition of the contract that holds decides, so the value is looked up
//! first and the order of the conditions is spelt out on the way to a refusal only.

use super::ids::{self, field};
use super::{Kind, Value};
use crate::format::header::{HAS_EXTENSION_TYPE, HAS_MEMBER, HAS_QUANTIZATION, HAS_SHARD, HAS_STATISTICS};
use crate::format::role::buffer_role;
use crate::format::{Descriptor, Fault, Layout, Scheme, Statistics, Status, Tiled};

/// Why there is no value, in the order of the conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Miss {
    /// No such sub-object.
    Space,
    /// The section is absent.
    Absent,
    /// Behind a layout that was not understood.
    Hidden,
    /// Of another layout or scheme.
    Tag,
    /// No such field.
    Name,
    /// No such level.
    Level,
    /// Optional, and not carried.
    Unset,
}

/// The value of a field.
///
/// # Errors
/// `INVALID_ARGUMENT` for an identifier that names nothing or a field of another kind, `FIELD_NOT_PRESENT`,
/// `FIELD_NOT_APPLICABLE`, `INDEX_OUT_OF_BOUNDS` for a level, `UNSUPPORTED` behind an unknown layout.
#[inline(always)] // with the kind a constant, the test of it is one comparison
pub fn get(descriptor: &Descriptor, id: u32, level: u32, want: Kind) -> Result<Value<'_>, Fault> {
    match look_up(descriptor, id, level) {
        Ok(value) if value.kind() == want => Ok(value),
        Ok(_) => Err(refusal(Miss::Unset, id, level, want)),
        Err(miss) => Err(refusal(miss, id, level, want)),
    }
}

/// The value of a field that is there, whatever its kind.
#[inline(always)]
pub fn find(descriptor: &Descriptor, id: u32, level: u32) -> Option<Value<'_>> {
    look_up(descriptor, id, level).ok()
}

/// What a miss tells the caller of an accessor of kind `want`.
#[cold]
pub(crate) fn refusal(miss: Miss, id: u32, level: u32, want: Kind) -> Fault {
    let field = field(id);
    let name = field.map_or("field identifier", |field| field.name);
    let invalid = |what| Fault::new(Status::INVALID_ARGUMENT, "", what).field("field identifier").value(id);
    match miss {
        Miss::Space => invalid("identifier of no sub-object"),
        Miss::Absent => Fault::answer(Status::FIELD_NOT_PRESENT),
        Miss::Hidden => {
            Fault::new(Status::UNSUPPORTED, "", "behind a layout that was not understood").field(name)
        }
        Miss::Tag => Fault::answer(Status::FIELD_NOT_APPLICABLE),
        Miss::Name => invalid("identifier names no field"),
        Miss::Level | Miss::Unset if field.is_some_and(|field| field.kind != want) => {
            Fault::new(Status::INVALID_ARGUMENT, "", "field is of another kind").field(name)
        }
        Miss::Level => Fault::new(Status::INDEX_OUT_OF_BOUNDS, "", "no such level").field(name).value(level),
        Miss::Unset => Fault::answer(Status::FIELD_NOT_PRESENT),
    }
}

/// The value of a field, whatever its kind.
#[inline(always)]
pub(super) fn look_up(descriptor: &Descriptor, id: u32, level: u32) -> Result<Value<'_>, Miss> {
    match id >> 16 {
        8 if level == 0 => header(descriptor, id),
        7 => buffer(descriptor, id, level),
        1 => layout(descriptor, id, level),
        _ => section(descriptor, id, level),
    }
}

#[inline(never)]
fn section(descriptor: &Descriptor, id: u32, level: u32) -> Result<Value<'_>, Miss> {
    let found = match id >> 16 {
        2 => quantization(descriptor, id),
        3 => shard(descriptor, id),
        4 => statistics(descriptor, id),
        5 => extension_type(descriptor, id),
        6 => member(descriptor, id),
        8 => header(descriptor, id),
        _ => Err(Miss::Space),
    };
    flat(level, found)
}

/// A field without levels has level 0 only.
#[inline]
fn flat(level: u32, found: Result<Value<'_>, Miss>) -> Result<Value<'_>, Miss> {
    match found {
        Ok(_) | Err(Miss::Unset) if level != 0 => Err(Miss::Level),
        _ => found,
    }
}

/// A whole number as a value.
#[inline]
fn u<'a>(value: impl Into<u64>) -> Result<Value<'a>, Miss> {
    Ok(Value::U(value.into()))
}

/// A 32-bit number whose largest value stands for none.
#[inline]
fn unless_none<'a>(value: u32) -> Result<Value<'a>, Miss> {
    if value == u32::MAX { Err(Miss::Unset) } else { u(value) }
}

#[inline]
fn layout(descriptor: &Descriptor, id: u32, level: u32) -> Result<Value<'_>, Miss> {
    let layout = &descriptor.layout;
    let (tag, index) = ((id >> 8) as u8, id as u8);
    let found = match layout {
        Layout::Unknown { data, .. } if tag == 0 && index == 0 => Ok(Value::Bytes(data)),
        _ if tag == 0 => Err(if index == 0 { Miss::Tag } else { Miss::Name }),
        _ if ids::folded_tag(tag) != ids::folded_tag(layout.tag()) => Err(Miss::Tag),
        Layout::Strided(strides) if index == 0 => Ok(Value::Is(strides)),
        Layout::Tiled(tiled) if index < 5 => return tile(tiled, index, level),
        Layout::Tiled(tiled) if index == 5 => u(depth(tiled)),
        Layout::Morton(bits) if index == 0 => Ok(Value::Us32(bits)),
        Layout::Coo { nnz, is_sorted } => match index {
            0 => u(*nnz),
            1 => u(*is_sorted),
            _ => Err(Miss::Name),
        },
        Layout::Csr { nnz } | Layout::Csc { nnz } if index == 0 => u(*nnz),
        Layout::Csf { nnz, mode_order } => match index {
            0 => u(*nnz),
            1 => Ok(Value::Us32(mode_order)),
            _ => Err(Miss::Name),
        },
        Layout::BlockPaged(paged) => match index {
            0 => u(paged.page_size),
            1 => u(paged.num_pages),
            2 => u(paged.paged_axis),
            3 => u(paged.num_seqs),
            4 => u(paged.kv_role),
            5 => unless_none(paged.layer_index),
            6 => u(paged.block_table_index_type),
            _ => Err(Miss::Name),
        },
        Layout::Composite { rule, op, member_count } => match index {
            0 => u(*rule),
            1 => u(*op),
            2 => u(*member_count),
            _ => Err(Miss::Name),
        },
        Layout::Hilbert { order, rank } => match index {
            0 => u(*order),
            1 => u(*rank),
            _ => Err(Miss::Name),
        },
        Layout::Private { id, data, .. } => match index {
            0 => u(*id),
            1 => Ok(Value::Bytes(data)),
            _ => Err(Miss::Name),
        },
        _ => Err(Miss::Name),
    };
    flat(level, found)
}

fn depth(tiled: &Tiled) -> u32 {
    1 + tiled.nested.as_deref().map_or(0, depth)
}

fn tile(tiled: &Tiled, index: u8, level: u32) -> Result<Value<'_>, Miss> {
    let mut tile = tiled;
    for _ in 0..level {
        tile = tile.nested.as_deref().ok_or(Miss::Level)?;
    }
    match index {
        0 => Ok(Value::Us(&tile.tile_shape)),
        1 => u(tile.outer_layout),
        2 => u(tile.inner_layout),
        3 => tile.outer_strides.as_deref().map(Value::Is).ok_or(Miss::Unset),
        _ => tile.inner_strides.as_deref().map(Value::Is).ok_or(Miss::Unset),
    }
}

/// The section behind a flag bit, for an identifier whose tag byte must be 0.
#[inline]
fn present<'a, T>(
    descriptor: &Descriptor,
    section: &'a Option<T>,
    bit: u32,
    id: u32,
) -> Result<(&'a T, u8), Miss> {
    match section {
        Some(section) if id & 0xFF00 == 0 => Ok((section, id as u8)),
        Some(_) => Err(Miss::Tag),
        None if descriptor.flags & bit == 0 => Err(Miss::Absent),
        None => Err(Miss::Hidden),
    }
}

fn quantization(descriptor: &Descriptor, id: u32) -> Result<Value<'_>, Miss> {
    let (quantization, index) =
        present(descriptor, &descriptor.quantization, HAS_QUANTIZATION, id & !0xFF00)?;
    let scheme = &quantization.scheme;
    let tag = (id >> 8) as u8;
    if tag == 0 {
        return match (index, scheme) {
            (0, _) => u(scheme.tag()),
            (1, _) => u(quantization.version),
            (2, _) => u(quantization.flags),
            (3, Scheme::Unknown { data, .. }) => Ok(Value::Bytes(data)),
            (3, _) => Err(Miss::Tag),
            _ => Err(Miss::Name),
        };
    }
    if tag != scheme.tag() {
        return Err(Miss::Tag);
    }
    match (scheme, index) {
        (Scheme::PerTensor { scale, .. }, 0) => Ok(Value::F(f64::from(*scale))),
        (Scheme::PerTensor { zero_point, .. }, 1) => Ok(Value::I(i64::from(*zero_point))),
        (Scheme::PerChannel { axis, .. }, 0) => u(*axis),
        (Scheme::PerChannel { scale_buffer, .. }, 1) => u(*scale_buffer),
        (Scheme::PerChannel { zero_point_buffer, .. }, 2) => unless_none(*zero_point_buffer),
        (Scheme::PerChannel { scale_type, .. }, 3) => u(*scale_type),
        (Scheme::PerBlock { axis, .. }, 0) => u(*axis),
        (Scheme::PerBlock { block_size, .. }, 1) => u(*block_size),
        (Scheme::PerBlock { scale_buffer, .. }, 2) => u(*scale_buffer),
        (Scheme::PerBlock { zero_point_buffer, .. }, 3) => unless_none(*zero_point_buffer),
        (Scheme::PerBlock { scale_type, .. }, 4) => u(*scale_type),
        (Scheme::Nf4 { axis, .. } | Scheme::Mxfp { axis, .. }, 0) => u(*axis),
        (Scheme::Nf4 { block_size, .. } | Scheme::Mxfp { block_size, .. }, 1) => u(*block_size),
        (Scheme::Nf4 { scale_buffer, .. } | Scheme::Mxfp { scale_buffer, .. }, 2) => u(*scale_buffer),
        _ => Err(Miss::Name),
    }
}

fn shard(descriptor: &Descriptor, id: u32) -> Result<Value<'_>, Miss> {
    let (shard, index) = present(descriptor, &descriptor.shard, HAS_SHARD, id)?;
    match index {
        0 => Ok(Value::Us(&shard.parent_shape)),
        1 => Ok(Value::Us(&shard.offset)),
        _ => Err(Miss::Name),
    }
}

/// The mask bit that makes a statistics field valid.
fn statistics_bit(index: u8) -> Option<u32> {
    match index {
        1 => Some(0),
        2 => Some(1),
        3..=5 => Some(2),
        6 | 7 => Some(3),
        8 | 9 => Some(4),
        10 | 11 => Some(5),
        _ => None,
    }
}

fn statistics(descriptor: &Descriptor, id: u32) -> Result<Value<'_>, Miss> {
    let (statistics, index) = present(descriptor, &descriptor.statistics, HAS_STATISTICS, id)?;
    let Statistics { computed_mask, nnz, sparsity_ratio, range, moments, nm, has } = &**statistics;
    if statistics_bit(index).is_some_and(|bit| computed_mask >> bit & 1 == 0) {
        return Err(Miss::Unset);
    }
    match index {
        0 => u(*computed_mask),
        1 => u(*nnz),
        2 => Ok(Value::F(*sparsity_ratio)),
        3 => Ok(Value::F(range[0])),
        4 => Ok(Value::F(range[1])),
        5 => Ok(Value::F(range[2])),
        6 => Ok(Value::F(moments[0])),
        7 => Ok(Value::F(moments[1])),
        8 => u(nm[0]),
        9 => u(nm[1]),
        10 => u(has[0]),
        11 => u(has[1]),
        _ => Err(Miss::Name),
    }
}

fn extension_type(descriptor: &Descriptor, id: u32) -> Result<Value<'_>, Miss> {
    let (kind, index) = present(descriptor, &descriptor.extension_type, HAS_EXTENSION_TYPE, id)?;
    match index {
        0 => u(kind.bit_width),
        1 => u(kind.packing_factor),
        2 => u(kind.is_float),
        3 => u(kind.is_signed),
        4 => u(kind.sign_bits),
        5 => u(kind.exponent_bits),
        6 => u(kind.mantissa_bits),
        7 => u(kind.exponent_bias),
        8 => u(kind.has_nan),
        9 => u(kind.has_inf),
        _ => Err(Miss::Name),
    }
}

fn member(descriptor: &Descriptor, id: u32) -> Result<Value<'_>, Miss> {
    let (member, index) = present(descriptor, &descriptor.member, HAS_MEMBER, id)?;
    if index == 0 { u(member.role) } else { Err(Miss::Name) }
}

#[inline(always)]
fn buffer(descriptor: &Descriptor, id: u32, level: u32) -> Result<Value<'_>, Miss> {
    if matches!(descriptor.layout, Layout::Unknown { .. }) {
        return Err(Miss::Hidden);
    }
    if id & 0xFF00 != 0 {
        return Err(Miss::Tag);
    }
    let index = id as u8;
    if !matches!(index, 0..=4 | 0x80 | 0x81) {
        return Err(Miss::Name);
    }
    let entry = descriptor.buffers.get(level as usize).ok_or(Miss::Level)?;
    match index {
        0 => u(entry.byte_size),
        1 => u(entry.alignment),
        2 => u(entry.device_tag),
        3 => u(entry.sync_mode),
        4 => u(entry.memory_class),
        0x80 => u(buffer_role(descriptor, level).role),
        _ => u(buffer_role(descriptor, level).level),
    }
}

#[inline(always)]
fn header(descriptor: &Descriptor, id: u32) -> Result<Value<'_>, Miss> {
    if id & 0xFF00 != 0 {
        return Err(Miss::Tag);
    }
    match id as u8 {
        0 => Ok(Value::U(1)),
        1 => u(descriptor.minor),
        2 => u(descriptor.flags),
        3 => u(descriptor.element_type),
        4 => u(descriptor.layout.tag()),
        5 => Ok(Value::U(descriptor.shape.len() as u64)),
        6 => Ok(Value::Us(&descriptor.shape)),
        7 => u(descriptor.byte_offset),
        8 if matches!(descriptor.layout, Layout::Unknown { .. }) => Err(Miss::Hidden),
        8 => Ok(Value::U(descriptor.buffers.len() as u64)),
        0x80 => Ok(Value::U(descriptor.encoded_len() as u64)),
        0x81 => descriptor.element_count().map(Value::U).ok_or(Miss::Unset),
        _ => Err(Miss::Name),
    }
}
