//! COO matrices to compressed rows or columns, each coordinate once: the entries of each segment are counted, moved there,
//! and put in order in the cache. Values and coordinates are written straight into the result.

#[cfg(test)]
mod tests;

use super::add::{Add, adder};
use super::job::Job;
use super::past;
use super::sparse::{Axes, CSC, CSR, STEP, Sparse, changed, out_of_order, outside, short};
use super::sparse_keys::{Duplicates, room, sort};
use super::unit::AHEAD;
use super::words::Words;
use crate::format::{Fault, Layout};
use std::ops::Range;

/// Most minor coordinates of which each has a place of its own while a segment is put in order.
const PLACES: usize = 1 << 20;
/// So many times the entries of a segment: beyond that, sorting them is less work than looking at every place.
const THIN: usize = 512;
/// Most entries that are put in order by insertion.
const FEW: usize = 16;

/// The three buffers of a result, for as many entries as the source has.
pub struct Room<'o> {
    /// Values.
    pub values: &'o mut [u8],
    /// Minor coordinates.
    pub minors: &'o mut [u8],
    /// Pointers, one more than there are segments.
    pub pointers: &'o mut [u8],
}

fn axes_of(target: &Layout) -> Option<Axes> {
    match target {
        Layout::Csr { .. } => Some(CSR),
        Layout::Csc { .. } => Some(CSC),
        _ => None,
    }
}

/// Whether a conversion may be done here.
pub fn is_for(source: &Sparse<'_>, target: &Layout, duplicates: Duplicates) -> bool {
    let (Layout::Coo { nnz, .. }, Some(axes)) = (source.layout, axes_of(target)) else { return false };
    let (majors, minors) = (source.extent(axes.major), source.extent(axes.minor));
    duplicates != Duplicates::Keep
        && matches!(source.bits, 8 | 16 | 32 | 64 | 128)
        // Coordinates and positions share words.
        && *nnz <= u64::from(u32::MAX)
        && minors <= u64::from(u32::MAX)
        // A pass over the segments costs no more than one over the entries.
        && majors / 8 <= (*nnz).max(1 << 12)
}

/// Writes a matrix of which [`is_for`] is true, and gives the number of its entries; `None` where a coordinate is stored
/// twice and duplicates are refused.
///
/// # Errors
/// `INVALID_LAYOUT` with the rule that the source breaks; `UNSUPPORTED` for sums of elements that have none;
/// `OUT_OF_MEMORY`; `CANCELLED`; `CORRUPT` where the source changes meanwhile.
pub fn compress(
    source: &Sparse<'_>,
    target: &Layout,
    element_type: u8,
    duplicates: Duplicates,
    out: &mut Room<'_>,
    job: &Job<'_>,
) -> Result<Option<u64>, Fault> {
    let Some(axes) = axes_of(target) else { return Err(changed()) };
    let sum = if duplicates == Duplicates::Sum { Some(adder(element_type)?) } else { None };
    let run = Run { source, axes, job };
    match (source.bits, element_type, sum) {
        (32, 0x03, Some(_)) => run.write(out, |sum: &mut [u8; 4], more| {
            *sum = (f32::from_le_bytes(*sum) + f32::from_le_bytes(*more)).to_le_bytes();
            true
        }),
        (64, 0x04, Some(_)) => run.write(out, |sum: &mut [u8; 8], more| {
            *sum = (f64::from_le_bytes(*sum) + f64::from_le_bytes(*more)).to_le_bytes();
            true
        }),
        (8, ..) => run.write::<1>(out, joined(sum)),
        (16, ..) => run.write::<2>(out, joined(sum)),
        (32, ..) => run.write::<4>(out, joined(sum)),
        (64, ..) => run.write::<8>(out, joined(sum)),
        _ => run.write::<16>(out, joined(sum)),
    }
}

/// Adds the second element to the first; `false` where there is no sum.
fn joined<const W: usize>(sum: Option<Add>) -> impl Fn(&mut [u8; W], &[u8; W]) -> bool {
    move |to, more| sum.is_some_and(|add| add(more, 0, to, 0).is_some())
}

struct Run<'r, 's> {
    source: &'r Sparse<'s>,
    axes: Axes,
    job: &'r Job<'r>,
}

impl Run<'_, '_> {
    fn write<const W: usize>(
        &self,
        out: &mut Room<'_>,
        join: impl Fn(&mut [u8; W], &[u8; W]) -> bool,
    ) -> Result<Option<u64>, Fault> {
        let nnz = self.source.nnz()?;
        let pointers = out.pointers.as_chunks_mut::<8>().0;
        let (Some(minors), Some(values)) = (
            out.minors.as_chunks_mut::<8>().0.get_mut(..nnz),
            out.values.as_chunks_mut::<W>().0.get_mut(..nnz),
        ) else {
            return Err(changed());
        };
        let extent = self.source.extent(self.axes.minor) as usize;
        let mut next = self.count(pointers)?;
        self.scatter(&mut next, pointers, minors, values)?;
        drop(next);
        let mut segments = Segments { minors, values, kept: 0, present: Vec::new(), places: Vec::new() };
        let (mut start, mut since) = (0, 0);
        for pointer in pointers.iter_mut().skip(1) {
            let end = u64::from_le_bytes(*pointer) as usize;
            if !segments.put(start..end, extent, &join, self.job)? {
                return Ok(None);
            }
            *pointer = (segments.kept as u64).to_le_bytes();
            since += end - start;
            start = end;
            if since >= STEP {
                self.job.step((since * (W + 8)) as u64)?;
                since = 0;
            }
        }
        Ok(Some(segments.kept as u64))
    }

    /// Gives the major and minor coordinate of each entry to `body`, each read and checked once.
    fn each(&self, mut body: impl FnMut(usize, usize, u64) -> Option<()>) -> Result<(), Fault> {
        let (nnz, indices) = (self.source.nnz()?, self.source.words(1));
        let words = nnz.checked_mul(2).ok_or_else(changed)?;
        let indices = indices.slice(0, words).ok_or_else(|| short("indices", indices.len()))?;
        let (rows, columns) = (self.source.extent(0), self.source.extent(1));
        let is_sorted = matches!(self.source.layout, Layout::Coo { is_sorted: 1.., .. });
        let mut last = (0, 0);
        for first in (0..nnz).step_by(STEP) {
            let end = nnz.min(first + STEP);
            let piece = indices.slice(2 * first, 2 * end).ok_or_else(changed)?;
            for (p, (row, column)) in (first..).zip(pairs(piece)) {
                piece.soon(2 * (p - first + AHEAD));
                if row >= rows {
                    return Err(outside("indices", 2 * p, row, rows));
                }
                if column >= columns {
                    return Err(outside("indices", 2 * p + 1, column, columns));
                }
                if is_sorted {
                    if (row, column) < last {
                        return Err(out_of_order(2 * p));
                    }
                    last = (row, column);
                }
                let (major, minor) = if self.axes.major == 0 { (row, column) } else { (column, row) };
                body(p, major as usize, minor).ok_or_else(changed)?;
            }
            self.job.step(0)?;
        }
        Ok(())
    }

    /// Writes where each segment begins; gives the same in a list of its own.
    fn count(&self, pointers: &mut [[u8; 8]]) -> Result<Vec<u32>, Fault> {
        let majors =
            usize::try_from(self.source.extent(self.axes.major)).map_err(|_| Fault::out_of_memory())?;
        if pointers.len() != majors + 1 {
            return Err(changed());
        }
        let mut counts = room::<u32>(majors)?;
        counts.resize(majors, 0);
        self.each(|_, major, _| {
            *counts.get_mut(major)? += 1;
            Some(())
        })?;
        let mut sum = 0u32;
        for (pointer, count) in pointers.iter_mut().zip(&mut counts) {
            *pointer = u64::from(sum).to_le_bytes();
            sum += std::mem::replace(count, sum);
        }
        if let Some(pointer) = pointers.last_mut() {
            *pointer = u64::from(sum).to_le_bytes();
        }
        Ok(counts)
    }

    /// Moves each entry to its segment, in stored order.
    fn scatter<const W: usize>(
        &self,
        next: &mut [u32],
        pointers: &[[u8; 8]],
        minors: &mut [[u8; 8]],
        values: &mut [[u8; W]],
    ) -> Result<(), Fault> {
        let from = self.source.values().as_chunks::<W>().0;
        self.each(|p, major, minor| {
            let place = next.get_mut(major)?;
            let (q, value) = (*place as usize, from.get(p)?);
            past::soon(from.as_ptr().wrapping_add(p + AHEAD));
            // The line that this segment goes on in.
            past::soon(minors.as_ptr().wrapping_add(q + 8));
            if is_packed::<W>() {
                *minors.get_mut(q)? = pack(minor, value);
            } else {
                *minors.get_mut(q)? = minor.to_le_bytes();
                *values.get_mut(q)? = *value;
            }
            *place += 1;
            Some(())
        })?;
        // Where coordinates changed since they were counted, a segment ends elsewhere.
        let ends = pointers.iter().skip(1).zip(next);
        if ends.into_iter().all(|(end, next)| u64::from_le_bytes(*end) == u64::from(*next)) {
            Ok(())
        } else {
            Err(changed())
        }
    }
}

/// Words two by two.
fn pairs(words: Words<'_>) -> impl Iterator<Item = (u64, u64)> {
    let mut words = words.iter();
    std::iter::from_fn(move || Some((words.next()?, words.next()?)))
}

/// Whether an entry waits for its turn as one word, coordinate below and value above: then moving it touches one cache
/// line instead of two.
const fn is_packed<const W: usize>() -> bool {
    W <= 4
}

fn pack<const W: usize>(minor: u64, value: &[u8; W]) -> [u8; 8] {
    let mut upper = [0; 4];
    for (to, byte) in upper.iter_mut().zip(value) {
        *to = *byte;
    }
    (minor | u64::from(u32::from_le_bytes(upper)) << 32).to_le_bytes()
}

/// The minor coordinate of an entry that waits.
fn minor_of<const W: usize>(word: &[u8; 8]) -> u64 {
    let word = u64::from_le_bytes(*word);
    if is_packed::<W>() { word & u64::from(u32::MAX) } else { word }
}

/// The value of an entry that waits.
fn value_of<const W: usize>(word: &[u8; 8], value: &[u8; W]) -> [u8; W] {
    if is_packed::<W>() {
        let [.., a, b, c, d] = *word;
        std::array::from_fn(|k| [a, b, c, d].get(k).copied().unwrap_or(0))
    } else {
        *value
    }
}

/// The segments in order, the result so far in front of them.
struct Segments<'o, const W: usize> {
    minors: &'o mut [[u8; 8]],
    values: &'o mut [[u8; W]],
    /// Entries of the result so far.
    kept: usize,
    /// One bit per minor coordinate, all 0 between two segments.
    present: Vec<u64>,
    /// One value per minor coordinate.
    places: Vec<[u8; W]>,
}

impl<const W: usize> Segments<'_, W> {
    /// Puts a segment in order behind what is there. `false` where two entries meet that have no sum.
    fn put(
        &mut self,
        range: Range<usize>,
        extent: usize,
        join: &impl Fn(&mut [u8; W], &[u8; W]) -> bool,
        job: &Job<'_>,
    ) -> Result<bool, Fault> {
        let Some(minors) = self.minors.get(range.clone()) else { return Err(changed()) };
        let len = range.len();
        let done = if minors.is_sorted_by_key(minor_of::<W>) {
            self.append(range, join)
        } else if len <= FEW {
            self.insert(range.clone()).and_then(|()| self.append(range, join))
        } else if extent <= PLACES && extent / THIN <= len {
            self.lay_out(range, extent, join)?
        } else {
            self.sort(range, extent, join, job)?
        };
        done.ok_or_else(changed)
    }

    /// Adds an entry to the result.
    #[inline(always)]
    fn push(&mut self, minor: u64, value: &[u8; W]) -> Option<()> {
        *self.minors.get_mut(self.kept)? = minor.to_le_bytes();
        *self.values.get_mut(self.kept)? = *value;
        self.kept += 1;
        Some(())
    }

    /// Adds a value to that of the last entry of the result.
    fn join(&mut self, value: &[u8; W], join: &impl Fn(&mut [u8; W], &[u8; W]) -> bool) -> Option<bool> {
        Some(join(self.values.get_mut(self.kept.checked_sub(1)?)?, value))
    }

    /// Entries that ascend already.
    fn append(
        &mut self,
        range: Range<usize>,
        join: &impl Fn(&mut [u8; W], &[u8; W]) -> bool,
    ) -> Option<bool> {
        let mut last = None;
        for p in range {
            let word = self.minors.get(p)?;
            let (minor, value) = (minor_of::<W>(word), value_of(word, self.values.get(p)?));
            if last == Some(minor) {
                if !self.join(&value, join)? {
                    return Some(false);
                }
            } else {
                self.push(minor, &value)?;
                last = Some(minor);
            }
        }
        Some(true)
    }

    /// Sorts a few entries where they are; equal ones stay in stored order.
    fn insert(&mut self, range: Range<usize>) -> Option<()> {
        let (minors, values) = (self.minors.get_mut(range.clone())?, self.values.get_mut(range)?);
        for k in 1..minors.len() {
            let (word, value) = (*minors.get(k)?, *values.get(k)?);
            let minor = minor_of::<W>(&word);
            let mut at = k;
            while at > 0 && minor_of::<W>(minors.get(at - 1)?) > minor {
                *minors.get_mut(at)? = *minors.get(at - 1)?;
                if !is_packed::<W>() {
                    *values.get_mut(at)? = *values.get(at - 1)?;
                }
                at -= 1;
            }
            *minors.get_mut(at)? = word;
            if !is_packed::<W>() {
                *values.get_mut(at)? = value;
            }
        }
        Some(())
    }

    /// Each value to the place of its coordinate, then the places that have one.
    fn lay_out(
        &mut self,
        range: Range<usize>,
        extent: usize,
        join: &impl Fn(&mut [u8; W], &[u8; W]) -> bool,
    ) -> Result<Option<bool>, Fault> {
        if self.places.is_empty() {
            self.places = room(extent)?;
            self.places.resize(extent, [0; W]);
            self.present = room(extent.div_ceil(64))?;
            self.present.resize(extent.div_ceil(64), 0);
        }
        Ok(self.places_in_order(range, join))
    }

    fn places_in_order(
        &mut self,
        range: Range<usize>,
        join: &impl Fn(&mut [u8; W], &[u8; W]) -> bool,
    ) -> Option<bool> {
        let end = range.end;
        let entries = self.minors.get(range.clone())?.iter().zip(self.values.get(range)?);
        let (present, places) = (&mut self.present[..], &mut self.places[..]);
        for (word, value) in entries {
            past::soon(std::ptr::from_ref(word).wrapping_add(AHEAD));
            let (at, value) = (minor_of::<W>(word) as usize, value_of(word, value));
            let (word, place) = (present.get_mut(at / 64)?, places.get_mut(at)?);
            let bit = 1u64 << (at % 64);
            if *word & bit == 0 {
                *word |= bit;
                *place = value;
            } else if !join(place, &value) {
                return Some(false);
            }
        }
        let (minors, values) = (self.minors.get_mut(..end)?, self.values.get_mut(..end)?);
        let mut kept = self.kept;
        let words = present.iter_mut().zip(places.chunks(64));
        for (first, (word, places)) in (0u64..).step_by(64).zip(words) {
            let mut rest = std::mem::take(word);
            while rest != 0 {
                let bit = rest.trailing_zeros();
                *minors.get_mut(kept)? = (first + u64::from(bit)).to_le_bytes();
                *values.get_mut(kept)? = *places.get(bit as usize)?;
                kept += 1;
                rest &= rest - 1;
            }
        }
        self.kept = kept;
        Some(true)
    }

    /// Any entries: coordinates and positions sorted as words.
    fn sort(
        &mut self,
        range: Range<usize>,
        extent: usize,
        join: &impl Fn(&mut [u8; W], &[u8; W]) -> bool,
        job: &Job<'_>,
    ) -> Result<Option<bool>, Fault> {
        let bits = usize::BITS - extent.saturating_sub(1).leading_zeros();
        let (Some(minors), Some(values)) = (self.minors.get(range.clone()), self.values.get(range.clone()))
        else {
            return Ok(None);
        };
        let mut keys = room::<u64>(range.len())?;
        keys.extend((0..).zip(minors).map(|(k, word)| minor_of::<W>(word) << 32 | k));
        sort(&mut keys, 32, 32 + bits, job)?;
        let mut waiting = room::<[u8; W]>(range.len())?;
        waiting.extend(minors.iter().zip(values).map(|(word, value)| value_of(word, value)));
        Ok(self.in_order(&keys, &waiting, join))
    }

    /// Values in the order of words that hold coordinate and position.
    fn in_order(
        &mut self,
        keys: &[u64],
        waiting: &[[u8; W]],
        join: &impl Fn(&mut [u8; W], &[u8; W]) -> bool,
    ) -> Option<bool> {
        let mut last = None;
        for key in keys {
            let (minor, value) = (key >> 32, waiting.get(*key as u32 as usize)?);
            if last == Some(minor) {
                if !self.join(value, join)? {
                    return Some(false);
                }
            } else {
                self.push(minor, value)?;
                last = Some(minor);
            }
        }
        Some(true)
    }
}
