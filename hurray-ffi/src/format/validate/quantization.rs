//! Rules of a quantization section: its own fields, then those that hold it against type, shape and buffers.

use crate::format::element::{TagClass, tag_class};
use crate::format::extent::{DYNAMIC, layout_buffer_count};
use crate::format::parameters::{Blocks, NO_BUFFER, parameters};
use crate::format::{Descriptor, Fault, Layout, Place, Quantization, Scheme, Status};

/// Flag: no zero points.
pub(crate) const SYMMETRIC: u16 = 1;

fn bad(rule: &'static str, what: &'static str) -> Fault {
    Fault::new(Status::INVALID_DESCRIPTOR, rule, what)
}

/// V-101, V-102.
pub(crate) fn check_tag(tag: u8, permissive: bool) -> Result<(), Fault> {
    match tag {
        0x01..=0x05 => Ok(()),
        0x06..=0xFE if permissive => Ok(()),
        _ => {
            let fault = match tag {
                0x00 | 0xFF => bad("V-101", "scheme tag is never valid"),
                0xF0..=0xFE => {
                    Fault::new(Status::UNSUPPORTED, "V-102", "private scheme, which needs permissive reading")
                }
                _ => Fault::new(Status::UNSUPPORTED, "V-102", "scheme tag is not assigned"),
            };
            Err(fault.field("scheme_tag").value(tag).at(Place::Quantization(0)))
        }
    }
}

/// V-103, V-104, for a scheme that is known.
pub(crate) fn check_version_and_flags(tag: u8, version: u8, flags: u16) -> Result<(), Fault> {
    if version != 1 {
        let status = if version == 0 { Status::INVALID_DESCRIPTOR } else { Status::VERSION_MISMATCH };
        let fault = Fault::new(status, "V-103", "scheme version is not known").field("scheme_version");
        return Err(fault.value(version).limit(1).at(Place::Quantization(1)));
    }
    let defined = if matches!(tag, 0x02 | 0x03) { SYMMETRIC } else { 0 };
    if flags & !defined != 0 {
        let fault = bad("V-104", "reserved quantization flag bits are set").field("quantization flags");
        return Err(fault.value(flags).at(Place::Quantization(2)));
    }
    Ok(())
}

/// V-055 and V-101 to V-117.
pub(super) fn check(d: &Descriptor, q: &Quantization) -> Result<(), Fault> {
    let tag = q.scheme.tag();
    check_tag(tag, d.permissive)?;
    if let Scheme::Unknown { .. } = q.scheme {
        return if tag > 0x05 { Ok(()) } else { Err(bad("V-102", "scheme tag has another form").value(tag)) };
    }
    check_version_and_flags(tag, q.version, q.flags)?;
    match q.scheme.blocks() {
        Some(blocks) => {
            check_storage(d.element_type, tag)?;
            check_blocks(d, &q.scheme, &blocks)?;
            check_symmetric(q, &blocks)?;
            check_parameters(d, &q.scheme, &blocks)
        }
        None => check_per_tensor(d, &q.scheme),
    }
}

/// V-107 to V-109.
fn check_per_tensor(d: &Descriptor, scheme: &Scheme) -> Result<(), Fault> {
    let Scheme::PerTensor { scale, zero_point } = *scheme else { return Ok(()) };
    if !scale.is_finite() || scale == 0.0 {
        let fault = bad("V-107", "scale is zero, NaN or infinite").field("scale").real(f64::from(scale));
        return Err(fault.at(Place::Quantization(4)));
    }
    if let Some((low, high)) = storage_range(d.element_type)
        && !(low..=high).contains(&i64::from(zero_point))
    {
        let fault = bad("V-108", "zero point lies outside the storage type").field("zero_point");
        let limit = if i64::from(zero_point) < low { low } else { high };
        return Err(fault.value(zero_point).limit(limit).at(Place::Quantization(8)));
    }
    check_storage(d.element_type, 0x01)
}

/// Smallest and largest code of an integer storage type.
pub fn storage_range(element_type: u8) -> Option<(i64, i64)> {
    Some(match element_type {
        0x10 => (-128, 127),
        0x11 => (0, 255),
        0x12 => (-32768, 32767),
        0x13 => (0, 65535),
        0x14 => (i64::from(i32::MIN), i64::from(i32::MAX)),
        0x15 => (0, i64::from(u32::MAX)),
        0x48 => (-8, 7),
        0x49 => (0, 15),
        0x4A => (-2, 1),
        0x4B => (0, 3),
        _ => return None,
    })
}

/// V-109; a type that was not understood is left alone.
fn check_storage(element_type: u8, scheme: u8) -> Result<(), Fault> {
    let allowed = match scheme {
        0x01 | 0x02 => matches!(element_type, 0x10..=0x15 | 0x48..=0x4B),
        0x03 => matches!(element_type, 0x10 | 0x11 | 0x48..=0x4B),
        0x04 => element_type == 0x49,
        _ => matches!(element_type, 0x10 | 0x40 | 0x41 | 0x43..=0x45 | 0x48),
    };
    if allowed || tag_class(element_type) == TagClass::Reserved {
        return Ok(());
    }
    let fault = Fault::new(Status::INVALID_TYPE, "V-109", "scheme does not store this element type");
    Err(fault.field("type_tag").value(element_type).at(Place::TypeTag))
}

/// V-055 and V-110 to V-114.
fn check_blocks(d: &Descriptor, scheme: &Scheme, blocks: &Blocks) -> Result<(), Fault> {
    let axis = usize::try_from(blocks.axis).unwrap_or(usize::MAX);
    let Some(&extent) = d.shape.get(axis) else {
        let fault = bad("V-110", "axis is not below the rank").field("axis").value(blocks.axis);
        return Err(fault.limit(d.shape.len() as u64).at(Place::Quantization(4)));
    };
    if let Layout::BlockPaged(paged) = &d.layout {
        let fits = match scheme {
            Scheme::PerChannel { .. } => axis != 0,
            Scheme::PerBlock { block_size, .. } => axis == 0 && *block_size == paged.page_size,
            _ => true,
        };
        if !fits {
            let fault = bad("V-055", "axis or block size does not go with the pages").field("axis");
            return Err(fault.value(blocks.axis).at(Place::Quantization(4)));
        }
    }
    if extent == DYNAMIC {
        let fault = bad("V-111", "quantized axis is dynamic").field("axis").value(blocks.axis);
        return Err(fault.at(Place::Quantization(4)));
    }
    if let Some(block_size) = blocks.block_size {
        check_block_size(d, scheme, block_size, extent)?;
    }
    let (scale_type_allowed, at) = match scheme {
        Scheme::PerChannel { scale_type, .. } => (*scale_type == 0x03, 16),
        Scheme::PerBlock { scale_type, .. } => (matches!(scale_type, 0x01..=0x03), 20),
        _ => (true, 0),
    };
    if !scale_type_allowed {
        let fault = bad("V-114", "scheme has no scales of this type").field("scale_type_tag");
        return Err(fault.value(blocks.scale_type).at(Place::Quantization(at)));
    }
    Ok(())
}

/// V-112, V-113.
fn check_block_size(d: &Descriptor, scheme: &Scheme, block_size: u32, extent: u64) -> Result<(), Fault> {
    let (least, most) = match scheme {
        Scheme::Nf4 { .. } => (8, u32::MAX),
        Scheme::Mxfp { .. } => (16, 2048),
        _ => (2, u32::MAX),
    };
    if !block_size.is_power_of_two() || block_size < least || block_size > most {
        let fault = bad("V-112", "block size is not a power of two in range").field("block_size");
        let limit = if block_size > most { most } else { least };
        return Err(fault.value(block_size).limit(limit).at(Place::Quantization(8)));
    }
    let size = u64::from(block_size);
    let fits = match scheme {
        Scheme::Mxfp { .. } => extent != 0 && extent.is_multiple_of(size),
        // A page pool may hold fewer tokens than one page.
        _ => extent == 0 || size <= extent || matches!(d.layout, Layout::BlockPaged(_)),
    };
    if !fits {
        let fault = bad("V-113", "block size does not go with the axis").field("block_size");
        return Err(fault.value(block_size).limit(extent).at(Place::Quantization(8)));
    }
    Ok(())
}

/// V-115.
fn check_symmetric(q: &Quantization, blocks: &Blocks) -> Result<(), Fault> {
    let at = match q.scheme {
        Scheme::PerChannel { .. } => 12,
        Scheme::PerBlock { .. } => 16,
        _ => return Ok(()),
    };
    if (q.flags & SYMMETRIC != 0) == (blocks.zero_point_buffer == NO_BUFFER) {
        return Ok(());
    }
    let fault =
        bad("V-115", "symmetric flag and zero-point buffer disagree").field("zero_point_buffer_index");
    Err(fault.value(blocks.zero_point_buffer).at(Place::Quantization(at)))
}

/// V-116, V-117.
fn check_parameters(d: &Descriptor, scheme: &Scheme, blocks: &Blocks) -> Result<(), Fault> {
    let (scale_at, zero_at) = if matches!(scheme, Scheme::PerChannel { .. }) { (8, 12) } else { (12, 16) };
    // Entry 0 holds the elements whatever the layout is.
    let base = layout_buffer_count(&d.layout, d.shape.len()).unwrap_or(1);
    let mut places = [
        (blocks.scale_buffer, "scale_buffer_index", scale_at),
        (blocks.zero_point_buffer, "zero_point_buffer_index", zero_at),
    ]
    .into_iter()
    .filter(|&(index, field, _)| index != NO_BUFFER || field == "scale_buffer_index");
    let misplaced = |&(index, ..): &(u32, &str, u32)| {
        let index = usize::try_from(index).unwrap_or(usize::MAX);
        index < base || index >= d.buffers.len()
    };
    if let Some((index, field, at)) = places.find(misplaced) {
        let fault = bad("V-116", "parameter buffer is one of the layout's, or not in the table").field(field);
        return Err(fault.value(index).limit(d.buffers.len() as u64).at(Place::Quantization(at)));
    }
    let parameters = parameters(scheme, &d.layout, &d.shape)?;
    for (index, entry) in d.buffers.iter().enumerate().skip(base) {
        let table_index = u32::try_from(index).unwrap_or(NO_BUFFER);
        if let Some(size) = parameters.buffer_size(table_index)
            && size != entry.byte_size
        {
            let fault =
                Fault::new(Status::BUFFER_MISMATCH, "V-117", "parameter buffer does not have its exact size");
            let fault = fault.field("buffer byte_size").index(index).value(entry.byte_size);
            return Err(fault.limit(size).at(Place::Buffer(table_index, 0)));
        }
    }
    Ok(())
}
