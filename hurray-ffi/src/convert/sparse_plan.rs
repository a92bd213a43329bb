//! Sparse results, in two steps: what their buffers need, then writing them.

use super::add::{Add, adder};
use super::job::Job;
use super::sparse::{STEP, Sparse, changed};
use super::sparse_keys::{Duplicates, Fields, Key, count, first_difference, load, room};
use super::sparse_rows::Rows;
use super::unit::{PIECE, Unit, with_unit};
use super::words::put;
use crate::format::extent::{self, Sizes, min_sizes};
use crate::format::{Fault, Layout, MAX_RANK, packed_bytes};

/// A sparse result that was counted and is not written yet.
pub struct Plan<'a> {
    layout: Layout,
    sizes: Sizes,
    shape: &'a [u64],
    bits: u32,
    values: &'a [u8],
    sum: Option<Add>,
    entries: Entries,
}

/// The entries in the order of the result.
pub(super) enum Entries {
    Narrow(Fields, Vec<u64>),
    Wide(Fields, Vec<u128>),
    /// Those of a dense matrix, row by row.
    Rows(Rows),
}

/// The order of the dimensions in which a sparse layout sorts its entries.
pub(super) fn fields(layout: &Layout, shape: &[u64], positions: u64) -> Result<Fields, Fault> {
    match layout {
        Layout::Csc { .. } => Fields::new(shape, [1, 0].into_iter(), positions),
        Layout::Csf { mode_order, .. } => {
            Fields::new(shape, mode_order.iter().map(|&d| d as usize), positions)
        }
        _ => Fields::new(shape, 0..shape.len(), positions),
    }
}

/// The entries of a sparse tensor in the order of a target, duplicates and all.
pub(super) fn entries(source: &Sparse<'_>, target: &Layout, job: &Job<'_>) -> Result<Entries, Fault> {
    let fields = fields(target, source.shape, source.nnz()? as u64)?;
    Ok(if fields.is_narrow() {
        let keys = load(source, &fields, job)?;
        Entries::Narrow(fields, keys)
    } else {
        let keys = load(source, &fields, job)?;
        Entries::Wide(fields, keys)
    })
}

/// How many entries stay, and how many nodes a tree of them has at each level; refuses duplicates where asked to.
pub(super) fn keep(entries: &Entries, duplicates: Duplicates, nodes: &mut [u64]) -> Result<u64, Fault> {
    match entries {
        Entries::Narrow(fields, keys) => count(keys, fields, duplicates, nodes),
        Entries::Wide(fields, keys) => count(keys, fields, duplicates, nodes),
        Entries::Rows(rows) => Ok(rows.nnz()),
    }
}

impl<'a> Plan<'a> {
    /// From one sparse layout to another. The number of entries in `target` is not looked at.
    ///
    /// # Errors
    /// `INVALID_LAYOUT` with the rule that the source breaks, L-034 for duplicates where they are refused,
    /// `UNSUPPORTED` for sums of elements that have none, `OVERFLOW` for coordinates beyond 128 bits together,
    /// `OUT_OF_MEMORY`, `CANCELLED`.
    pub fn from_sparse(
        source: &Sparse<'a>,
        target: &Layout,
        element_type: u8,
        duplicates: Duplicates,
        job: &Job<'_>,
    ) -> Result<Plan<'a>, Fault> {
        let sum = match duplicates {
            // Only COO can have any.
            Duplicates::Sum if matches!(source.layout, Layout::Coo { .. }) => Some(adder(element_type)?),
            _ => None,
        };
        let entries = entries(source, target, job)?;
        let Sparse { shape, bits, .. } = *source;
        Plan::new(target, shape, bits, source.values(), sum, duplicates, entries)
    }

    pub(super) fn new(
        target: &Layout,
        shape: &'a [u64],
        bits: u32,
        values: &'a [u8],
        sum: Option<Add>,
        duplicates: Duplicates,
        entries: Entries,
    ) -> Result<Plan<'a>, Fault> {
        let mut nodes = [0u64; MAX_RANK];
        let levels = if matches!(target, Layout::Csf { .. }) { shape.len() } else { 0 };
        let nodes = nodes.get_mut(..levels).unwrap_or_default();
        let nnz = keep(&entries, duplicates, nodes)?;
        let repeats = duplicates == Duplicates::Keep && has_repeats(&entries);
        let mut layout = target.try_clone()?;
        match &mut layout {
            Layout::Coo { nnz: of, is_sorted } => {
                *of = nnz;
                *is_sorted &= u8::from(!repeats);
            }
            Layout::Csr { nnz: of } | Layout::Csc { nnz: of } | Layout::Csf { nnz: of, .. } => *of = nnz,
            _ => {}
        }
        let sizes = sizes(&layout, shape, bits, nodes)?;
        Ok(Plan { layout, sizes, shape, bits, values, sum, entries })
    }

    /// The layout of the result, its number of entries included.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The exact sizes of its buffers, in bytes.
    pub fn sizes(&self) -> &[u64] {
        &self.sizes
    }

    /// Writes the buffers, which have those sizes.
    ///
    /// # Errors
    /// `CORRUPT` where a dense source has changed since; `CANCELLED`.
    pub fn write(&self, out: &mut [&mut [u8]], job: &Job<'_>) -> Result<(), Fault> {
        let Some((values, index)) = out.split_first_mut() else { return Err(changed()) };
        match &self.entries {
            Entries::Narrow(fields, keys) => {
                with_unit!(self.bits, unit => self.write_keys(fields, keys, unit, values, index, job))
            }
            Entries::Wide(fields, keys) => {
                with_unit!(self.bits, unit => self.write_keys(fields, keys, unit, values, index, job))
            }
            Entries::Rows(rows) => rows.write(self.values, self.bits, values, index, job),
        }
    }

    fn write_keys<K: Key, U: Unit>(
        &self,
        fields: &Fields,
        keys: &[K],
        unit: U,
        values: &mut [u8],
        index: &mut [&mut [u8]],
        job: &Job<'_>,
    ) -> Result<(), Fault> {
        let rank = self.shape.len();
        match (&self.layout, index) {
            (Layout::Coo { .. }, [indices]) => {
                self.each(fields, keys, unit, values, 8 * rank, job, |q, key, _| {
                    (0..rank).try_for_each(|level| put(indices, q * rank + level, fields.level(key, level)))
                })?;
            }
            (Layout::Csr { .. } | Layout::Csc { .. }, [indices, pointers]) => {
                let mut major = 0;
                put(pointers, 0, 0).ok_or_else(changed)?;
                let mut close = |until: usize, q: usize| {
                    while major < until {
                        major += 1;
                        put(pointers, major, q as u64)?;
                    }
                    Some(())
                };
                let nnz = self.each(fields, keys, unit, values, 8, job, |q, key, _| {
                    close(fields.level(key, 0) as usize, q)?;
                    put(indices, q, fields.level(key, 1))
                })?;
                let majors = self.shape.get(fields.dimension(0)).copied().unwrap_or(0);
                close(majors as usize, nnz).ok_or_else(changed)?;
            }
            (Layout::Csf { .. }, index) => {
                let mut tree = Tree { index, nodes: [0; MAX_RANK], rank };
                self.each(fields, keys, unit, values, 8, job, |_, key, last| {
                    let first = last.map_or(0, |last| first_difference(fields, last, key));
                    // A duplicate that is kept is one more leaf.
                    (first.min(rank - 1)..rank)
                        .try_for_each(|level| tree.grow(level, fields.level(key, level)))
                })?;
                tree.close().ok_or_else(changed)?;
            }
            _ => return Err(changed()),
        }
        Ok(())
    }

    /// Writes the values, and calls `node` with position, key and the key before for each entry of the result.
    fn each<K: Key, U: Unit>(
        &self,
        fields: &Fields,
        keys: &[K],
        unit: U,
        values: &mut [u8],
        index_bytes: usize,
        job: &Job<'_>,
        mut node: impl FnMut(usize, K, Option<K>) -> Option<()>,
    ) -> Result<usize, Fault> {
        let mut kept = 0;
        let mut last: Option<K> = None;
        let step = STEP as u64 * (u64::from(self.bits).div_ceil(8) + index_bytes as u64);
        for (k, &key) in keys.iter().enumerate() {
            let p = fields.position_of(key);
            let repeats = last.is_some_and(|last| last.above(fields.position) == key.above(fields.position));
            match self.sum {
                Some(add) if repeats => add(self.values, p, values, kept - 1).ok_or_else(changed)?,
                _ => {
                    unit.copy(self.values, p, values, kept).ok_or_else(changed)?;
                    node(kept, key, last).ok_or_else(changed)?;
                    kept += 1;
                }
            }
            last = Some(key);
            if (k + 1).is_multiple_of(STEP) {
                job.step(step)?;
            }
        }
        Ok(kept)
    }
}

/// The index buffers of a CSF tensor while they grow.
struct Tree<'t, 'b> {
    index: &'t mut [&'b mut [u8]],
    nodes: [usize; MAX_RANK],
    rank: usize,
}

impl Tree<'_, '_> {
    /// One more node at a level: its children start where those so far end.
    fn grow(&mut self, level: usize, coordinate: u64) -> Option<()> {
        let node = *self.nodes.get(level)?;
        put(self.index.get_mut(2 * level + 1)?, node, coordinate)?;
        if level + 1 < self.rank {
            let children = *self.nodes.get(level + 1)?;
            put(self.index.get_mut(2 * level + 2)?, node, children as u64)?;
        }
        *self.nodes.get_mut(level)? += 1;
        Some(())
    }

    /// The last pointer of each level.
    fn close(&mut self) -> Option<()> {
        put(self.index.get_mut(0)?, 0, 0)?;
        let mut above = 1;
        for level in 0..self.rank {
            let count = *self.nodes.get(level)?;
            put(self.index.get_mut(2 * level)?, above, count as u64)?;
            above = count;
        }
        Some(())
    }
}

fn has_repeats(entries: &Entries) -> bool {
    fn any<K: Key>(fields: &Fields, keys: &[K]) -> bool {
        let same = |pair: &[K]| match pair {
            [a, b] => a.above(fields.position) == b.above(fields.position),
            _ => false,
        };
        keys.windows(2).any(same)
    }
    match entries {
        Entries::Narrow(fields, keys) => any(fields, keys),
        Entries::Wide(fields, keys) => any(fields, keys),
        Entries::Rows(_) => false,
    }
}

fn sizes(layout: &Layout, shape: &[u64], bits: u32, nodes: &[u64]) -> Result<Sizes, Fault> {
    let Layout::Csf { nnz, .. } = layout else { return min_sizes(layout, shape, bits, 0) };
    // The nodes are fewer than the entries times the rank, all of which are in memory.
    let words = |count: u64| count.saturating_mul(8);
    let mut sizes = Sizes::new();
    sizes.try_reserve(2 * nodes.len() + 1).map_err(|_| Fault::out_of_memory())?;
    sizes.push(packed_bytes(bits, *nnz).ok_or_else(Fault::out_of_memory)?);
    let mut above = 1;
    for &count in nodes {
        sizes.push(words(above + 1));
        sizes.push(words(count));
        above = count;
    }
    Ok(sizes)
}

/// The entries of a dense, row-major tensor: all elements but those whose bits are all 0.
///
/// # Errors
/// `OUT_OF_MEMORY`, `OVERFLOW`, `CORRUPT` where the source changes meanwhile, `CANCELLED`.
pub fn from_dense<'a>(
    dense: &'a [u8],
    shape: &'a [u64],
    bits: u32,
    target: &Layout,
    job: &Job<'_>,
) -> Result<Plan<'a>, Fault> {
    let entries = if let (Layout::Csr { .. }, [rows, columns]) = (target, shape) {
        Entries::Rows(Rows::count(dense, bits, *rows, *columns, job)?)
    } else {
        let elements = extent::count(shape).ok_or_else(Fault::out_of_memory)?;
        let fields = fields(target, shape, elements)?;
        if fields.is_narrow() {
            let keys = with_unit!(bits, unit => scan(dense, shape, unit, &fields, job))?;
            Entries::Narrow(fields, keys)
        } else {
            let keys = with_unit!(bits, unit => scan(dense, shape, unit, &fields, job))?;
            Entries::Wide(fields, keys)
        }
    };
    Plan::new(target, shape, bits, dense, None, Duplicates::Refuse, entries)
}

/// The packed entries of a dense tensor, in the order that the fields give.
fn scan<K: Key, U: Unit>(
    dense: &[u8],
    shape: &[u64],
    unit: U,
    fields: &Fields,
    job: &Job<'_>,
) -> Result<Vec<K>, Fault> {
    let elements =
        usize::try_from(extent::count(shape).unwrap_or(u64::MAX)).map_err(|_| Fault::out_of_memory())?;
    let mut stored = 0;
    for start in (0..elements).step_by(STEP) {
        stored += unit.count_stored(dense, start, STEP.min(elements - start)).ok_or_else(changed)?;
        job.step(0)?;
    }
    let mut keys = room::<K>(stored)?;
    let mut found = [0u16; PIECE];
    // The coordinates of element `start`, in the order of the dimensions.
    let mut at = [0u64; MAX_RANK];
    let (mut start, mut since) = (0usize, 0);
    while start < elements {
        let last = shape.last().copied().unwrap_or(1);
        let column = if shape.is_empty() { 0 } else { at.get(shape.len() - 1).copied().unwrap_or(0) };
        let count = usize::try_from(last - column).unwrap_or(PIECE).min(PIECE);
        let here = unit.find_stored(dense, start, count, &mut found).ok_or_else(changed)?;
        if here > stored - keys.len() {
            return Err(changed());
        }
        for &k in found.iter().take(here) {
            if let Some(slot) = at.get_mut(shape.len().saturating_sub(1)) {
                *slot = column + u64::from(k);
            }
            keys.push(fields.pack(&at, start + usize::from(k)));
        }
        if let Some(slot) = at.get_mut(shape.len().saturating_sub(1)) {
            *slot = column;
        }
        start += count;
        forward(&mut at, shape, count as u64);
        since += count;
        if since >= STEP {
            job.step(0)?;
            since = 0;
        }
    }
    super::sparse_keys::order(&mut keys, fields, job)?;
    Ok(keys)
}

/// Moves coordinates on by so many elements of the last dimension, at most to its end.
fn forward(at: &mut [u64; MAX_RANK], shape: &[u64], count: u64) {
    let mut carry = count;
    for (slot, &extent) in at.iter_mut().zip(shape).rev() {
        *slot += carry;
        if *slot < extent {
            return;
        }
        *slot = 0;
        carry = 1;
    }
}
