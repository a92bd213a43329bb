//! How much memory a layout reaches: element counts, lowest and highest offsets, buffer sizes.
//!
//! Nothing here looks at a dynamic dimension: callers ask [`volume`] first.

#[cfg(test)]
mod tests;

use super::element::packed_bytes_wide;
use super::{BlockPaged, Fault, Layout, Place, Status, Tiled};
use smallvec::SmallVec;

/// A dimension whose size is not known yet.
pub const DYNAMIC: u64 = u64::MAX;

/// Byte sizes of a descriptor's buffers, in table order.
pub type Sizes = SmallVec<[u64; 4]>;

/// Number of elements of a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Volume {
    /// A dimension is dynamic.
    Dynamic,
    /// Exactly so many.
    Exact(u128),
    /// More than 128 bits hold.
    Huge,
}

/// Lowest and highest element offset that some index reaches, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// Never above 0.
    pub lowest: i128,
    /// Never below 0.
    pub highest: i128,
}

impl Span {
    fn of_count(count: u128) -> Option<Span> {
        Some(Span { lowest: 0, highest: i128::try_from(count).ok()?.checked_sub(1)? })
    }

    /// First byte and end byte of the elements, from the start of a buffer in which the element at index
    /// zero is at `byte_offset`. `None` beyond 128 bits.
    pub fn bytes(self, bits: u32, byte_offset: u64) -> Option<(i128, i128)> {
        let (low, end) = match bits {
            6 => (self.lowest.div_euclid(4) * 3, self.highest.div_euclid(4) * 3 + 3),
            0..8 => {
                let bits = i128::from(bits);
                let byte = |offset: i128| offset.checked_mul(bits).map(|bit| bit.div_euclid(8));
                (byte(self.lowest)?, byte(self.highest)? + 1)
            }
            _ => {
                let width = i128::from(bits / 8);
                (self.lowest.checked_mul(width)?, (self.highest + 1).checked_mul(width)?)
            }
        };
        let start = i128::from(byte_offset);
        Some((low.checked_add(start)?, end.checked_add(start)?))
    }
}

/// Number of elements of a shape: 1 at rank 0, 0 if a dimension is 0 and none is dynamic.
pub fn volume(shape: &[u64]) -> Volume {
    let mut count = 1u64;
    for &n in shape {
        match count.checked_mul(n) {
            // A zero so far, or a dynamic dimension further on, needs the long way too.
            Some(product) if n != DYNAMIC => count = product,
            _ => return volume_wide(shape),
        }
    }
    Volume::Exact(u128::from(count))
}

/// Elements of a shape, if they can be told and counted in 64 bits.
pub fn count(shape: &[u64]) -> Option<u64> {
    match volume(shape) {
        Volume::Exact(count) => u64::try_from(count).ok(),
        Volume::Dynamic | Volume::Huge => None,
    }
}

#[cold]
fn volume_wide(shape: &[u64]) -> Volume {
    if shape.contains(&DYNAMIC) {
        return Volume::Dynamic;
    }
    if shape.contains(&0) {
        return Volume::Exact(0);
    }
    product(shape).map_or(Volume::Huge, Volume::Exact)
}

/// Product of extents, none of them a marker; `None` beyond 128 bits.
pub(super) fn product(extents: &[u64]) -> Option<u128> {
    product_of(extents.iter().copied())
}

fn product_of(mut extents: impl Iterator<Item = u64> + Clone) -> Option<u128> {
    if extents.clone().any(|n| n == 0) {
        return Some(0);
    }
    extents.try_fold(1u128, |count, n| count.checked_mul(u128::from(n)))
}

/// Buffers of a layout before any of quantization; `None` where it is private or not understood.
pub fn layout_buffer_count(layout: &Layout, rank: usize) -> Option<usize> {
    match layout {
        Layout::RowMajor
        | Layout::ColumnMajor
        | Layout::Strided(_)
        | Layout::Tiled(_)
        | Layout::Morton(_)
        | Layout::Hilbert { .. } => Some(1),
        Layout::Coo { .. } => Some(2),
        Layout::Csr { .. } | Layout::Csc { .. } | Layout::BlockPaged(_) => Some(3),
        Layout::Csf { .. } => rank.checked_mul(2)?.checked_add(1),
        Layout::Composite { .. } => Some(0),
        Layout::Private { .. } | Layout::Unknown { .. } => None,
    }
}

/// Offsets reached by strides over a shape without zero or dynamic dimensions; `None` beyond 64 bits.
pub fn strided_span(shape: &[u64], strides: &[i64]) -> Option<Span> {
    span_of(shape.iter().copied(), strides)
}

fn span_of(shape: impl Iterator<Item = u64>, strides: &[i64]) -> Option<Span> {
    let (mut lowest, mut highest) = (0i128, 0i128);
    for (n, &stride) in shape.zip(strides) {
        // An i64 times a u64 fits in 128 bits; so does a sum of two such after the check below.
        let reach = i128::from(stride) * i128::from(n.saturating_sub(1));
        *(if reach < 0 { &mut lowest } else { &mut highest }) += reach;
        if lowest < i128::from(i64::MIN) || highest > i128::from(i64::MAX) {
            return None;
        }
    }
    Some(Span { lowest, highest })
}

/// Elements of one tile; `None` beyond 64 bits.
pub fn tile_volume(tile_shape: &[u64]) -> Option<u64> {
    tile_shape.iter().try_fold(1u64, |count, &t| count.checked_mul(t))
}

/// Offsets reached by a tiled layout over a shape without zero or dynamic dimensions; `None` beyond 64 bits.
pub fn tiled_span(tiled: &Tiled, shape: &[u64]) -> Option<Span> {
    let tile = tile_volume(&tiled.tile_shape)?;
    let grid = shape.iter().zip(&tiled.tile_shape).map(|(&n, &t)| n.div_ceil(t.max(1)));
    let outer = match &tiled.outer_strides {
        Some(strides) => span_of(grid, strides)?,
        None => Span::of_count(product_of(grid)?)?,
    };
    let inner = match (&tiled.inner_strides, &tiled.nested) {
        (Some(strides), _) => strided_span(&tiled.tile_shape, strides)?,
        (None, Some(nested)) => tiled_span(nested, &tiled.tile_shape)?,
        (None, None) => Span::of_count(u128::from(tile))?,
    };
    let tile = i128::from(tile);
    let lowest = outer.lowest.checked_mul(tile)?.checked_add(inner.lowest)?;
    let highest = outer.highest.checked_mul(tile)?.checked_add(inner.highest)?;
    let limit = if is_signed(tiled) { i128::from(i64::MAX) } else { i128::from(u64::MAX) - 1 };
    (lowest >= i128::from(i64::MIN) && highest <= limit).then_some(Span { lowest, highest })
}

/// Whether some level has strides, whose offsets are two's complement.
fn is_signed(tiled: &Tiled) -> bool {
    tiled.outer_strides.is_some()
        || tiled.inner_strides.is_some()
        || tiled.nested.as_deref().is_some_and(is_signed)
}

/// The largest Morton code of these bit counts; `None` where a bit lies above the 64th.
pub fn morton_highest(bits: &[u32]) -> Option<u64> {
    let rank = bits.len() as u64;
    let mut code = 0u64;
    for (k, &count) in (0u64..).zip(bits) {
        let Some(top) = u64::from(count).checked_sub(1) else { continue };
        if top * rank + k > 63 {
            return None;
        }
        code |= (0..=top).fold(0, |code, bit| code | 1 << (bit * rank + k));
    }
    Some(code)
}

/// Elements of a Hilbert curve; `None` from 2^64 up.
pub fn hilbert_count(order: u32, rank: usize) -> Option<u64> {
    let bits = usize::try_from(order).ok()?.checked_mul(rank)?;
    (bits <= 63).then(|| 1 << bits)
}

/// Lowest and highest offset of a dense layout over a static shape; `None` if it has no element.
pub fn dense_span(layout: &Layout, shape: &[u64]) -> Result<Option<Span>, Fault> {
    if shape.contains(&0) {
        return Ok(None);
    }
    let span = match layout {
        Layout::Strided(strides) => strided_span(shape, strides).ok_or_else(strides_overflow)?,
        Layout::Tiled(tiled) => tiled_span(tiled, shape).ok_or_else(tiles_overflow)?,
        Layout::Morton(bits) => {
            let highest = morton_highest(bits).ok_or_else(morton_overflow)?;
            Span { lowest: 0, highest: i128::from(highest) }
        }
        Layout::Hilbert { order, .. } => {
            let count = hilbert_count(*order, shape.len()).ok_or_else(hilbert_overflow)?;
            Span { lowest: 0, highest: i128::from(count) - 1 }
        }
        _ => match volume(shape) {
            Volume::Exact(count) => Span::of_count(count).ok_or_else(count_overflow)?,
            _ => return Err(count_overflow()),
        },
    };
    Ok(Some(span))
}

/// Least size of buffer 0 over a static shape, `byte_offset` included.
pub fn data_size(layout: &Layout, shape: &[u64], bits: u32, byte_offset: u64) -> Result<u128, Fault> {
    match layout {
        Layout::Coo { nnz, .. } | Layout::Csr { nnz } | Layout::Csc { nnz } | Layout::Csf { nnz, .. } => {
            fit(packed_bytes_wide(bits, u128::from(*nnz))).map(u128::from).ok_or_else(index_overflow)
        }
        Layout::BlockPaged(paged) => pool_size(paged, shape, bits).map(u128::from),
        Layout::Composite { .. } => Ok(0),
        Layout::Private { .. } | Layout::Unknown { .. } => Ok(u128::from(byte_offset)),
        _ => {
            let Some(span) = dense_span(layout, shape)? else { return Ok(u128::from(byte_offset)) };
            let (low, end) = span.bytes(bits, byte_offset).ok_or_else(count_overflow)?;
            if low < 0 {
                return Err(before_buffer(layout, low));
            }
            // Strides are judged by where they reach, everything else by what it packs too.
            let packed = end - i128::from(byte_offset);
            if !matches!(layout, Layout::Strided(_)) && packed > i128::from(u64::MAX) {
                return Err(if matches!(layout, Layout::Tiled(_)) {
                    tiles_overflow()
                } else {
                    count_overflow()
                });
            }
            u128::try_from(end).map_err(|_| count_overflow())
        }
    }
}

/// Bytes of a page pool.
fn pool_size(paged: &BlockPaged, shape: &[u64], bits: u32) -> Result<u64, Fault> {
    let page = shape.iter().skip(1).copied().chain([u64::from(paged.page_size), paged.num_pages]);
    fit(product_of(page).and_then(|count| packed_bytes_wide(bits, count))).ok_or_else(pool_overflow)
}

/// Least size of buffer `index` (1 or more) of a layout over a static shape.
pub fn index_size(layout: &Layout, shape: &[u64], index: usize) -> Result<u64, Fault> {
    let dimension = |k: usize| shape.get(k).copied().unwrap_or(0);
    let words = |count: u128| fit(count.checked_mul(8)).ok_or_else(index_overflow);
    match (layout, index) {
        (Layout::Coo { nnz, .. }, _) => words(u128::from(*nnz) * shape.len() as u128),
        (Layout::Csr { nnz } | Layout::Csc { nnz }, 1) => words(u128::from(*nnz)),
        (Layout::Csr { .. }, _) => words(u128::from(dimension(0)) + 1),
        (Layout::Csc { .. }, _) => words(u128::from(dimension(1)) + 1),
        (Layout::Csf { .. }, 1) => Ok(16),
        (Layout::Csf { nnz, .. }, _) if index == 2 * shape.len() => words(u128::from(*nnz)),
        // Only the walk down the levels knows the counts of the inner ones.
        (Layout::Csf { .. }, _) => Ok(if index % 2 == 1 { 8 } else { 0 }),
        (Layout::BlockPaged(paged), 1) => {
            let pages = dimension(0).div_ceil(u64::from(paged.page_size.max(1)));
            pages.checked_mul(u64::from(paged.index_width())).ok_or_else(pool_overflow)
        }
        (Layout::BlockPaged(paged), _) => {
            Ok((u64::from(paged.num_seqs) + 1) * u64::from(paged.index_width()))
        }
        _ => Ok(0),
    }
}

/// Least sizes of the buffers of a layout over a static shape, in table order; empty where the layout is
/// private or not understood.
pub fn min_sizes(layout: &Layout, shape: &[u64], bits: u32, byte_offset: u64) -> Result<Sizes, Fault> {
    let count = layout_buffer_count(layout, shape.len()).unwrap_or(0);
    let mut sizes = Sizes::new();
    sizes.try_reserve(count).map_err(|_| Fault::out_of_memory())?;
    for index in 0..count {
        sizes.push(match index {
            0 => fit(Some(data_size(layout, shape, bits, byte_offset)?)).ok_or_else(count_overflow)?,
            _ => index_size(layout, shape, index)?,
        });
    }
    Ok(sizes)
}

impl BlockPaged {
    /// Bytes of an entry of the block table and of the sequence pointers.
    pub fn index_width(&self) -> u32 {
        if self.block_table_index_type == 0 { 4 } else { 8 }
    }
}

fn fit(size: Option<u128>) -> Option<u64> {
    u64::try_from(size?).ok()
}

fn overflow(rule: &'static str, what: &'static str) -> Fault {
    Fault::new(Status::OVERFLOW, rule, what)
}

#[cold]
pub(super) fn count_overflow() -> Fault {
    overflow("V-024", "element count or its bytes pass 64 bits").field("shape").at(Place::Shape(0))
}

#[cold]
fn strides_overflow() -> Fault {
    overflow("V-031", "reach of the strides passes 64 bits").field("strides").at(Place::Layout(0))
}

#[cold]
pub(super) fn tiles_overflow() -> Fault {
    overflow("V-036", "tiles pass 64 bits").field("tile_shape").at(Place::Layout(0))
}

#[cold]
pub(super) fn morton_overflow() -> Fault {
    overflow("V-039", "Morton code passes 64 bits").field("morton_bits").at(Place::Layout(0))
}

#[cold]
pub(super) fn hilbert_overflow() -> Fault {
    overflow("V-069", "Hilbert curve passes 63 bits").field("hilbert_order").at(Place::Layout(0))
}

#[cold]
fn index_overflow() -> Fault {
    overflow("V-071", "size of a sparse buffer passes 64 bits").field("nnz").at(Place::Layout(0))
}

#[cold]
fn pool_overflow() -> Fault {
    overflow("V-072", "size of the page pool passes 64 bits").field("num_pages").at(Place::Layout(4))
}

#[cold]
fn before_buffer(layout: &Layout, low: i128) -> Fault {
    let rule = if matches!(layout, Layout::Strided(_)) { "V-030" } else { "V-093" };
    Fault::new(Status::BUFFER_MISMATCH, rule, "an element lies before the buffer")
        .field("first byte")
        .value(low)
        .limit(0)
        .at(Place::ByteOffset)
}
