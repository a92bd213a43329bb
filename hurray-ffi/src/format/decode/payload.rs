//! Layout payloads.

use super::reader::{Reader, array, bytes_of, read_array};
use crate::format::validate::payload::{MAX_TILES, check_fields, check_tile, too_many_tiles};
use crate::format::{BlockPaged, Boxed, Fault, Layout, Place, Status, Strides, Tiled};

/// Reads the payload of `tag` over a row-major layout, and checks its fields and reserved bytes.
#[inline]
pub(super) fn read_layout(
    reader: &mut Reader<'_>,
    tag: u8,
    rank: usize,
    layout: &mut Layout,
) -> Result<(), Fault> {
    match tag {
        0x01 => {}
        0x02 => *layout = Layout::ColumnMajor,
        0x03 => {
            *layout = Layout::Strided(Strides::new());
            if let Layout::Strided(strides) = layout {
                read_array(strides, reader.take(8 * rank, "strides")?, i64::from_le_bytes)?;
            }
        }
        _ => *layout = read_other(reader, tag, rank)?,
    }
    Ok(())
}

fn read_other(reader: &mut Reader<'_>, tag: u8, rank: usize) -> Result<Layout, Fault> {
    let start = reader.at();
    let mut reserved = Ok(());
    let layout = match tag {
        0x04 => return read_tiles(reader, rank, start).map(Layout::Tiled),
        0x05 => Layout::Morton(array(reader.take(4 * rank, "morton_bits")?, u32::from_le_bytes)?),
        0x06 => {
            let nnz = u64::from_le_bytes(reader.take_array("nnz")?);
            let [is_sorted, tail @ ..] = reader.take_array::<8>("is_sorted")?;
            reserved = check_zero(&tail, "V-041", 9);
            Layout::Coo { nnz, is_sorted }
        }
        0x07 | 0x08 => {
            let nnz = u64::from_le_bytes(reader.take_array("nnz")?);
            reserved = check_zero(&reader.take_array::<8>("reserved")?, "V-041", 8);
            if tag == 0x07 { Layout::Csr { nnz } } else { Layout::Csc { nnz } }
        }
        0x09 => {
            let nnz = u64::from_le_bytes(reader.take_array("nnz")?);
            let mode_order = array(reader.take(4 * rank, "mode_order")?, u32::from_le_bytes)?;
            reserved = check_zero(&reader.take_array::<8>("reserved")?, "V-041", 8 + 4 * rank);
            Layout::Csf { nnz, mode_order }
        }
        0x0A => {
            let page_size = u32::from_le_bytes(reader.take_array("page_size")?);
            let num_pages = u64::from_le_bytes(reader.take_array("num_pages")?);
            let paged_axis = u32::from_le_bytes(reader.take_array("paged_axis")?);
            let num_seqs = u32::from_le_bytes(reader.take_array("num_seqs")?);
            let [kv_role] = reader.take_array("kv_role")?;
            let layer_index = u32::from_le_bytes(reader.take_array("layer_index")?);
            let [block_table_index_type] = reader.take_array("block_table_index_type")?;
            reserved = check_zero(&reader.take_array::<6>("reserved")?, "V-052", 26);
            Layout::BlockPaged(BlockPaged {
                page_size,
                num_pages,
                paged_axis,
                num_seqs,
                kv_role,
                layer_index,
                block_table_index_type,
            })
        }
        0x0B => {
            let [rule, op, tail @ ..] = reader.take_array::<4>("composition_rule")?;
            reserved = check_zero(&tail, "V-058", 2);
            let member_count = u32::from_le_bytes(reader.take_array("member_count")?);
            Layout::Composite { rule, op, member_count }
        }
        0x40 => {
            let order = u32::from_le_bytes(reader.take_array("hilbert_order")?);
            Layout::Hilbert { order, rank: u32::from_le_bytes(reader.take_array("hilbert_rank")?) }
        }
        0xF0..=0xFE => {
            let id = u64::from_le_bytes(reader.take_array("extension_layout_id")?);
            let len = u32::from_le_bytes(reader.take_array("extension_data_length")?);
            let Some(data) = reader.rest().get(..len as usize) else {
                return Err(reader.truncated("V-070", u64::from(len), "extension data"));
            };
            reader.take(data.len(), "extension data")?;
            Layout::Private { tag, id, data: bytes_of(data)? }
        }
        // No length says where it ends, so everything behind it is part of it.
        _ => {
            let data = reader.rest();
            reader.take(data.len(), "unknown layout")?;
            Layout::Unknown { tag, data: bytes_of(data)? }
        }
    };
    check_fields(&layout, rank).and(reserved).map_err(|f| from(start, f))?;
    Ok(layout)
}

/// Gives a fault in a payload that starts at `start` its byte offset.
#[cold]
fn from(start: u64, fault: Fault) -> Fault {
    match fault.place {
        Place::Layout(byte) => fault.at(Place::Byte(start + u64::from(byte))),
        _ => fault,
    }
}

fn check_zero(bytes: &[u8], rule: &'static str, at: usize) -> Result<(), Fault> {
    let Some(k) = bytes.iter().position(|&byte| byte != 0) else { return Ok(()) };
    let fault = Fault::new(Status::INVALID_LAYOUT, rule, "reserved byte of the layout is not 0");
    let value = bytes.get(k).copied().unwrap_or(0);
    Err(fault.field("layout reserved").value(value).at(Place::Layout((at + k) as u32)))
}

fn read_tiles(reader: &mut Reader<'_>, rank: usize, start: u64) -> Result<Boxed<Tiled>, Fault> {
    let mut levels: Vec<Tiled> = Vec::new();
    loop {
        let at = (reader.at() - start) as u32;
        let tile_shape = array(reader.take(8 * rank, "tile_shape")?, u64::from_le_bytes)?;
        let [outer_layout, inner_layout, tail @ ..] = reader.take_array::<4>("outer_layout")?;
        let mut level = Tiled {
            tile_shape,
            outer_layout,
            inner_layout,
            outer_strides: None,
            inner_strides: None,
            nested: None,
        };
        let orders = at + 8 * rank as u32;
        check_tile(&level, rank, at)
            .and(check_zero(&tail, "V-034", orders as usize + 2))
            .map_err(|f| from(start, f))?;
        if outer_layout == 3 {
            level.outer_strides = Some(array(reader.take(8 * rank, "outer_strides")?, i64::from_le_bytes)?);
        }
        if inner_layout == 3 {
            level.inner_strides = Some(array(reader.take(8 * rank, "inner_strides")?, i64::from_le_bytes)?);
        }
        levels.try_reserve(1).map_err(|_| Fault::out_of_memory())?;
        levels.push(level);
        if inner_layout != 4 {
            break;
        }
        if levels.len() == MAX_TILES {
            return Err(from(start, too_many_tiles(orders + 1)));
        }
    }
    let mut levels = levels.into_iter().rev();
    let innermost = levels.next().ok_or_else(|| too_many_tiles(0))?;
    let nest = |inner: Tiled, outer: Tiled| Ok(Tiled { nested: Some(Boxed::try_new(inner)?), ..outer });
    Boxed::try_new(levels.try_fold(innermost, nest)?)
}
