//! Rules that a layout payload decides on its own.

use crate::format::{BlockPaged, Fault, Layout, Place, Status, Tiled};

/// Most tiled levels, the outermost included.
pub(crate) const MAX_TILES: usize = 8;

pub(super) fn bad(rule: &'static str, what: &'static str) -> Fault {
    Fault::new(Status::INVALID_LAYOUT, rule, what)
}

/// Checks the fields of a layout, as far as the payload and the rank decide.
pub(crate) fn check_fields(layout: &Layout, rank: usize) -> Result<(), Fault> {
    match layout {
        Layout::RowMajor | Layout::ColumnMajor | Layout::Csr { .. } | Layout::Csc { .. } => Ok(()),
        Layout::Strided(strides) => check_len(strides.len(), rank, "strides"),
        Layout::Tiled(tiled) => check_tiles(tiled, rank),
        Layout::Morton(bits) => {
            check_len(bits.len(), rank, "morton_bits")?;
            match bits.iter().position(|&count| count == 0) {
                None => Ok(()),
                Some(k) => Err(bad("V-037", "a Morton bit count is 0")
                    .field("morton_bits")
                    .index(k)
                    .value(0)
                    .at(Place::Layout(4 * k as u32))),
            }
        }
        Layout::Coo { is_sorted, .. } if *is_sorted > 1 => Err(bad("V-040", "is_sorted is not 0 or 1")
            .field("is_sorted")
            .value(*is_sorted)
            .at(Place::Layout(8))),
        Layout::Coo { .. } => Ok(()),
        Layout::Csf { mode_order, .. } => {
            check_len(mode_order.len(), rank, "mode_order")?;
            check_permutation(mode_order)
        }
        Layout::BlockPaged(paged) => check_paged(paged),
        Layout::Composite { rule, op, member_count } => check_head(*rule, *op, *member_count),
        Layout::Hilbert { order, rank } => {
            if *order == 0 {
                return Err(bad("V-065", "Hilbert order is 0")
                    .field("hilbert_order")
                    .value(0)
                    .at(Place::Layout(0)));
            }
            if *rank < 2 {
                let fault = bad("V-066", "a Hilbert curve has at least two dimensions");
                return Err(fault.field("hilbert_rank").value(*rank).limit(2).at(Place::Layout(4)));
            }
            Ok(())
        }
        Layout::Private { tag, .. } => check_opaque(*tag, matches!(tag, 0xF0..=0xFE)),
        Layout::Unknown { tag, .. } => check_opaque(*tag, !matches!(tag, 0x00..=0x0B | 0x40 | 0xF0..=0xFF)),
    }
}

/// A layout kept as opaque bytes is one that has no other form.
fn check_opaque(tag: u8, opaque: bool) -> Result<(), Fault> {
    if opaque {
        return Ok(());
    }
    Err(bad("V-019", "layout tag has another form").field("layout_tag").value(tag).at(Place::LayoutTag))
}

/// An array of the wrong length cannot come from bytes, only from a caller.
pub(super) fn check_len(len: usize, rank: usize, field: &'static str) -> Result<(), Fault> {
    if len == rank {
        return Ok(());
    }
    let fault = Fault::new(Status::INVALID_ARGUMENT, "", "array length differs from the rank").field(field);
    Err(fault.value(len as u64).limit(rank as u64))
}

fn check_permutation(mode_order: &[u32]) -> Result<(), Fault> {
    let rank = mode_order.len() as u32;
    let mut seen = 0u64;
    for (level, &mode) in mode_order.iter().enumerate() {
        if mode >= rank || mode > 63 || seen >> mode & 1 == 1 {
            return Err(bad("V-046", "mode order is not a permutation of the dimensions")
                .field("mode_order")
                .index(level)
                .value(mode)
                .at(Place::Layout(8 + 4 * level as u32)));
        }
        seen |= 1 << mode;
    }
    Ok(())
}

fn check_paged(paged: &BlockPaged) -> Result<(), Fault> {
    if paged.kv_role > 2 {
        let fault = bad("V-050", "key/value role does not exist").field("kv_role");
        return Err(fault.value(paged.kv_role).limit(2).at(Place::Layout(20)));
    }
    if paged.block_table_index_type > 1 {
        let fault = bad("V-051", "block table index type does not exist").field("block_table_index_type");
        return Err(fault.value(paged.block_table_index_type).limit(1).at(Place::Layout(25)));
    }
    Ok(())
}

fn check_head(rule: u8, op: u8, member_count: u32) -> Result<(), Fault> {
    let op_fits = match rule {
        1 | 3 => op == 0,
        2 => matches!(op, 1 | 2),
        0xF0..=0xFE => {
            let fault = Fault::new(Status::UNSUPPORTED, "L-053", "private composition rule");
            return Err(fault.field("composition_rule").value(rule).at(Place::Layout(0)));
        }
        _ => {
            let fault = bad("V-056", "composition rule does not exist").field("composition_rule");
            return Err(fault.value(rule).at(Place::Layout(0)));
        }
    };
    if !op_fits {
        let fault = bad("V-057", "combine op does not go with the composition rule").field("combine_op");
        return Err(fault.value(op).at(Place::Layout(1)));
    }
    if member_count == u32::MAX {
        let fault = Fault::new(Status::UNSUPPORTED, "V-059", "open-ended composite").field("member_count");
        return Err(fault.value(member_count).at(Place::Layout(4)));
    }
    Ok(())
}

/// One level of a tiled layout that starts at byte `at` of the payload (V-032, V-033).
pub(crate) fn check_tile(tiled: &Tiled, rank: usize, at: u32) -> Result<(), Fault> {
    check_len(tiled.tile_shape.len(), rank, "tile_shape")?;
    if let Some(k) = tiled.tile_shape.iter().position(|&t| t == 0) {
        let place = Place::Layout(at + 8 * k as u32);
        return Err(bad("V-032", "a tile extent is 0").field("tile_shape").index(k).value(0).at(place));
    }
    let orders = at + 8 * rank as u32;
    if !matches!(tiled.outer_layout, 1..=3) {
        let fault = bad("V-033", "order of the tiles does not exist").field("outer_layout");
        return Err(fault.value(tiled.outer_layout).limit(3).at(Place::Layout(orders)));
    }
    if !matches!(tiled.inner_layout, 1..=4) {
        let fault = bad("V-033", "order inside a tile does not exist").field("inner_layout");
        return Err(fault.value(tiled.inner_layout).limit(4).at(Place::Layout(orders + 1)));
    }
    Ok(())
}

#[cold]
pub(crate) fn too_many_tiles(at: u32) -> Fault {
    Fault::new(Status::LIMIT_EXCEEDED, "V-035", "tiles are nested more than 8 deep")
        .field("inner_layout")
        .limit(MAX_TILES as u64)
        .at(Place::Layout(at))
}

fn check_tiles(tiled: &Tiled, rank: usize) -> Result<(), Fault> {
    let (mut level, mut depth, mut at) = (tiled, 1, 0u32);
    loop {
        check_tile(level, rank, at)?;
        let orders = at + 8 * rank as u32;
        for (strides, present) in
            [(&level.outer_strides, level.outer_layout == 3), (&level.inner_strides, level.inner_layout == 3)]
        {
            let len = strides.as_ref().map_or(0, |s| s.len());
            check_len(len, if present { rank } else { 0 }, "tile strides")?;
            if strides.is_some() != present {
                return Err(bad("V-033", "strides of a tiled level do not go with its orders")
                    .at(Place::Layout(orders)));
            }
        }
        if level.nested.is_some() != (level.inner_layout == 4) {
            return Err(bad("V-033", "inner layout and nested tiles disagree").at(Place::Layout(orders + 1)));
        }
        let Some(nested) = level.nested.as_deref() else { return Ok(()) };
        if depth == MAX_TILES {
            return Err(too_many_tiles(orders + 1));
        }
        at = orders + 4 + 8 * rank as u32 * (level.outer_layout == 3) as u32;
        level = nested;
        depth += 1;
    }
}
