//! Dense layouts dimension by dimension. In all of them but Hilbert, the offset of an element is a sum in which each
//! term depends on one component of its index.

use crate::format::strides::{column_major_stride, row_major_stride};
use crate::format::{Fault, Layout, Tiled};
use smallvec::SmallVec;

/// One axis a dimension.
pub type Axes = SmallVec<[Axis; 2]>;

/// One dimension's term of the element offset. It is 0 at component 0; sums wrap, and are right as two's complement
/// for every index of a validated shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Axis {
    /// A stride.
    Linear(i64),
    /// Per level the tile's extent and the stride from tile to tile; then the stride inside the last tile.
    Tiled(SmallVec<[(u64, i64); 2]>, i64),
    /// The component's bits, so many positions apart, beginning at a position.
    Spread(u32, u32),
}

impl Axis {
    /// The term of a component.
    pub fn at(&self, component: u64) -> i64 {
        match self {
            Axis::Linear(stride) => stride.wrapping_mul(component as i64),
            Axis::Tiled(levels, leaf) => {
                let (mut rest, mut sum) = (component, 0i64);
                for &(tile, stride) in levels {
                    let tile = tile.max(1);
                    sum = sum.wrapping_add(stride.wrapping_mul((rest / tile) as i64));
                    rest %= tile;
                }
                sum.wrapping_add(leaf.wrapping_mul(rest as i64))
            }
            Axis::Spread(apart, first) => {
                let (mut rest, mut to, mut code) = (component, *first, 0u64);
                while rest > 0 && to < 64 {
                    code |= (rest & 1) << to;
                    rest >>= 1;
                    to += apart;
                }
                code as i64
            }
        }
    }
}

/// The axes of a dense layout other than Hilbert; `None` for every other layout.
///
/// # Errors
/// `OUT_OF_MEMORY`.
pub fn axes(layout: &Layout, shape: &[u64]) -> Result<Option<Axes>, Fault> {
    let rank = shape.len();
    let gather = |axis: &dyn Fn(usize) -> Result<Axis, Fault>| -> Result<Option<Axes>, Fault> {
        let mut axes = Axes::new();
        axes.try_reserve(rank).map_err(|_| Fault::out_of_memory())?;
        for k in 0..rank {
            axes.push(axis(k)?);
        }
        Ok(Some(axes))
    };
    let collect = |axis: &dyn Fn(usize) -> Axis| gather(&|k| Ok(axis(k)));
    match layout {
        Layout::RowMajor => collect(&|k| Axis::Linear(row_major_stride(shape, k))),
        Layout::ColumnMajor => collect(&|k| Axis::Linear(column_major_stride(shape, k))),
        Layout::Strided(strides) => collect(&|k| Axis::Linear(strides.get(k).copied().unwrap_or(0))),
        Layout::Tiled(tiled) => gather(&|k| tiled_axis(tiled, shape, k)),
        // One dimension's bits stay where they are.
        Layout::Morton(_) if rank == 1 => collect(&|_| Axis::Linear(1)),
        Layout::Morton(_) => collect(&|k| Axis::Spread(rank as u32, k as u32)),
        _ => Ok(None),
    }
}

fn tiled_axis(tiled: &Tiled, shape: &[u64], k: usize) -> Result<Axis, Fault> {
    let mut levels = SmallVec::new();
    let (mut level, mut outside) = (tiled, shape);
    loop {
        let tile = &level.tile_shape[..];
        let volume = tile.iter().fold(1u64, |volume, &t| volume.wrapping_mul(t)) as i64;
        let grid = |j: usize| {
            let (n, t) = (outside.get(j).copied().unwrap_or(1), tile.get(j).copied().unwrap_or(1));
            n.div_ceil(t.max(1))
        };
        let outer = stride(level.outer_layout, &level.outer_strides, outside.len(), k, grid);
        levels.try_reserve(1).map_err(|_| Fault::out_of_memory())?;
        levels.push((tile.get(k).copied().unwrap_or(1), outer.wrapping_mul(volume)));
        match level.nested.as_deref() {
            Some(nested) => (level, outside) = (nested, tile),
            None => {
                let extent = |j: usize| tile.get(j).copied().unwrap_or(1);
                let leaf = stride(level.inner_layout, &level.inner_strides, tile.len(), k, extent);
                return Ok(Axis::Tiled(levels, leaf));
            }
        }
    }
}

/// The stride of dimension `k` in one of a tiled layout's orders.
fn stride(
    order: u8,
    strides: &Option<crate::format::Strides>,
    rank: usize,
    k: usize,
    extent: impl Fn(usize) -> u64,
) -> i64 {
    let product = |dims: std::ops::Range<usize>| {
        dims.fold(1u64, |product, j| product.wrapping_mul(extent(j).max(1))) as i64
    };
    match (strides, order) {
        (Some(strides), _) => strides.get(k).copied().unwrap_or(0),
        (None, 2) => product(0..k),
        (None, _) => product(k + 1..rank),
    }
}
