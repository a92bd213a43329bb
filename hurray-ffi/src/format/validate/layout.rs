//! Rules that hold a layout against the shape, the byte offset and buffer 0.

use super::payload::bad;
use crate::format::element::packed_bytes_wide;
use crate::format::extent::{
    DYNAMIC, Volume, count_overflow, data_size, hilbert_count, hilbert_overflow, index_size,
    layout_buffer_count, morton_highest, morton_overflow, tile_volume, tiles_overflow, volume,
};
use crate::format::{BlockPaged, Descriptor, Fault, Layout, Place, Status};

/// V-022 to V-073. Gives the least size of buffer 0, or 0 where it is not known.
pub(super) fn check_against_shape(d: &Descriptor) -> Result<u128, Fault> {
    let volume = volume(&d.shape);
    match &d.layout {
        Layout::RowMajor => {}
        Layout::Unknown { .. } => return Ok(0),
        Layout::Private { .. } => return check_offset(d).map(|()| 0),
        Layout::Composite { rule, member_count, .. } => {
            return check_head_shape(d, *rule, *member_count, volume).map(|()| 0);
        }
        _ if d.shape.is_empty() => {
            let fault = bad("V-022", "a tensor of rank 0 is row-major");
            return Err(fault.field("layout_tag").value(d.layout.tag()).limit(1).at(Place::LayoutTag));
        }
        _ => {}
    }
    let bits = d.bits();
    if !matches!(
        d.layout,
        Layout::Strided(_)
            | Layout::Coo { .. }
            | Layout::Csr { .. }
            | Layout::Csc { .. }
            | Layout::Csf { .. }
    ) {
        let in_range = match (volume, bits) {
            (Volume::Dynamic, _) => true,
            (Volume::Huge, _) => false,
            (Volume::Exact(count), Some(bits)) if !matches!(d.layout, Layout::BlockPaged(_)) => {
                count <= u128::from(u64::MAX)
                    && packed_bytes_wide(bits, count).is_some_and(|bytes| bytes <= u128::from(u64::MAX))
            }
            (Volume::Exact(count), _) => count <= u128::from(u64::MAX),
        };
        if !in_range {
            return Err(count_overflow());
        }
    }
    check_offset(d)?;
    if let (Layout::RowMajor | Layout::ColumnMajor, Volume::Exact(count), Some(bits)) =
        (&d.layout, volume, bits)
    {
        let bytes = packed_bytes_wide(bits, count).unwrap_or(u128::MAX);
        return Ok(bytes.saturating_add(u128::from(d.byte_offset)));
    }
    check_extents(d, volume)?;
    match (volume, bits) {
        (Volume::Dynamic, _) | (_, None) => Ok(0),
        (_, Some(bits)) => {
            let need = data_size(&d.layout, &d.shape, bits, d.byte_offset)?;
            check_reach(d, need)?;
            Ok(need)
        }
    }
}

/// V-025, V-026.
fn check_offset(d: &Descriptor) -> Result<(), Fault> {
    if d.byte_offset == 0 {
        return Ok(());
    }
    let fixed = matches!(d.layout.tag(), 0x06..=0x0B);
    let limit = if fixed { 0 } else { d.buffers.first().map_or(0, |data| data.byte_size) };
    if d.byte_offset <= limit { Ok(()) } else { Err(bad_offset(d, fixed, limit)) }
}

#[cold]
fn bad_offset(d: &Descriptor, fixed: bool, limit: u64) -> Fault {
    let mut fault = if fixed {
        bad("V-026", "this layout has no byte offset")
    } else {
        bad("V-025", "byte offset lies beyond buffer 0")
    };
    if matches!(d.layout, Layout::Composite { .. }) {
        fault.status = Status::INVALID_DESCRIPTOR;
    }
    fault.field("byte_offset").value(d.byte_offset).limit(limit).at(Place::ByteOffset)
}

/// V-026, V-063, V-064.
fn check_head_shape(d: &Descriptor, rule: u8, member_count: u32, volume: Volume) -> Result<(), Fault> {
    check_offset(d)?;
    if rule == 2 && member_count == 0 {
        let fault = bad("V-063", "overlay without members").field("member_count");
        return Err(fault.value(0).limit(1).at(Place::Layout(4)));
    }
    if rule != 3 && volume == Volume::Dynamic {
        let k = d.shape.iter().position(|&n| n == DYNAMIC).unwrap_or(0);
        let fault = bad("V-064", "head of a partition or overlay has a dynamic dimension").field("shape");
        return Err(fault.index(k).at(Place::Shape(k as u32)));
    }
    Ok(())
}

/// The layouts' own rules about the shape: V-036 to V-049 and V-067 to V-069, V-071 to V-073 in part.
fn check_extents(d: &Descriptor, volume: Volume) -> Result<(), Fault> {
    let shape = &d.shape[..];
    match &d.layout {
        Layout::Tiled(tiled) => {
            let mut level = Some(&**tiled);
            while let Some(tile) = level {
                tile_volume(&tile.tile_shape).ok_or_else(tiles_overflow)?;
                level = tile.nested.as_deref();
            }
            Ok(())
        }
        Layout::Morton(bits) => {
            let beyond =
                |(&n, &count): (&u64, &u32)| n != DYNAMIC && n > 1u64.checked_shl(count).unwrap_or(DYNAMIC);
            if let Some(k) = shape.iter().zip(bits).position(beyond) {
                let fault = bad("V-038", "a dimension passes its Morton bits").field("shape").index(k);
                let (n, count) = (shape.get(k).copied().unwrap_or(0), bits.get(k).copied().unwrap_or(0));
                return Err(fault.value(n).limit(1u64 << count.min(63)).at(Place::Shape(k as u32)));
            }
            morton_highest(bits).ok_or_else(morton_overflow).map(|_| ())
        }
        Layout::Hilbert { order, rank } => check_hilbert(*order, *rank, shape),
        Layout::BlockPaged(paged) => check_paged_shape(d, paged),
        Layout::Coo { nnz, .. } => {
            check_nnz(*nnz, volume)?;
            check_index_sizes(d, volume)
        }
        Layout::Csr { nnz } | Layout::Csc { nnz } => {
            check_nnz(*nnz, volume)?;
            if shape.len() != 2 {
                return Err(bad_rank(d, "V-044", "a CSR or CSC matrix has rank 2", 2));
            }
            check_index_sizes(d, volume)
        }
        Layout::Csf { nnz, .. } => {
            check_nnz(*nnz, volume)?;
            if shape.len() < 3 {
                return Err(bad_rank(d, "V-045", "a CSF tensor has at least rank 3", 3));
            }
            check_index_sizes(d, volume)
        }
        _ => Ok(()),
    }
}

#[cold]
fn bad_rank(d: &Descriptor, rule: &'static str, what: &'static str, limit: u32) -> Fault {
    bad(rule, what).field("rank").value(d.shape.len() as u64).limit(limit).at(Place::Rank)
}

/// V-042.
fn check_nnz(nnz: u64, volume: Volume) -> Result<(), Fault> {
    match volume {
        Volume::Exact(count) if u128::from(nnz) > count => {
            let fault = bad("V-042", "more stored entries than elements").field("nnz").value(nnz);
            Err(fault.limit(i128::try_from(count).unwrap_or(i128::MAX)).at(Place::Layout(0)))
        }
        _ => Ok(()),
    }
}

/// V-071.
fn check_index_sizes(d: &Descriptor, volume: Volume) -> Result<(), Fault> {
    if volume != Volume::Dynamic {
        for index in 1..layout_buffer_count(&d.layout, d.shape.len()).unwrap_or(0) {
            index_size(&d.layout, &d.shape, index)?;
        }
    }
    Ok(())
}

fn check_hilbert(order: u32, rank: u32, shape: &[u64]) -> Result<(), Fault> {
    if rank as usize != shape.len() {
        let fault = bad("V-067", "Hilbert rank differs from the rank").field("hilbert_rank").value(rank);
        return Err(fault.limit(shape.len() as u64).at(Place::Layout(4)));
    }
    let Some(extent) = 1u64.checked_shl(order) else { return Err(hilbert_overflow().value(order).limit(63)) };
    if let Some((k, &n)) = shape.iter().enumerate().find(|&(_, &n)| n != extent && n != DYNAMIC) {
        let fault = bad("V-068", "a dimension is not 2 to the Hilbert order").field("shape").index(k);
        return Err(fault.value(n).limit(extent).at(Place::Shape(k as u32)));
    }
    hilbert_count(order, shape.len()).map(|_| ()).ok_or_else(|| hilbert_overflow().value(order))
}

fn check_paged_shape(d: &Descriptor, paged: &BlockPaged) -> Result<(), Fault> {
    let [tokens, _, _] = d.shape[..] else {
        return Err(bad_rank(d, "V-047", "a block-paged tensor has rank 3", 3));
    };
    if paged.page_size == 0 {
        return Err(bad("V-048", "page size is 0").field("page_size").value(0).limit(1).at(Place::Layout(0)));
    }
    if paged.paged_axis != 0 {
        let fault = bad("V-049", "only axis 0 can be paged").field("paged_axis").value(paged.paged_axis);
        return Err(fault.limit(0).at(Place::Layout(12)));
    }
    if let (false, Some(bits)) = (d.shape.contains(&DYNAMIC), d.bits()) {
        data_size(&d.layout, &d.shape, bits, 0)?;
    }
    check_block_table(d, paged, tokens)
}

/// V-073: the block table has an entry for every page the tokens need.
fn check_block_table(d: &Descriptor, paged: &BlockPaged, tokens: u64) -> Result<(), Fault> {
    let Some(table) = d.buffers.get(1) else { return Ok(()) };
    let entries = table.byte_size / u64::from(paged.index_width());
    let room = u128::from(entries) * u128::from(paged.page_size);
    if tokens == DYNAMIC || u128::from(tokens) <= room {
        return Ok(());
    }
    let fault = bad("V-073", "more tokens than the block table has room for").field("shape").index(0);
    Err(fault.value(tokens).limit(room as i128).at(Place::Shape(0)))
}

/// V-030: what the strides reach lies inside buffer 0.
fn check_reach(d: &Descriptor, need: u128) -> Result<(), Fault> {
    let Some(data) = d.buffers.first() else { return Ok(()) };
    if !matches!(d.layout, Layout::Strided(_)) || need <= u128::from(data.byte_size) {
        return Ok(());
    }
    Err(Fault::new(Status::BUFFER_MISMATCH, "V-030", "an element lies beyond buffer 0")
        .field("end of the last element")
        .value(i128::try_from(need).unwrap_or(i128::MAX))
        .limit(data.byte_size)
        .at(Place::Layout(0)))
}
