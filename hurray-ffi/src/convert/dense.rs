//! Dense layouts to one another: the elements of a shape, moved from where one layout has them to where another has.

use super::bits;
use super::block::{Narrow, Whole};
use super::hilbert;
use super::job::{CHUNK, Job};
use super::offset::Map;
use super::past;
use super::plan::{Cut, Dim, Plan, Term};
use super::planes::planes;
use super::split::split;
use super::turn::TILE;
use crate::format::{Fault, MAX_RANK, Status};

/// One side of a move: where its elements are.
pub struct Side<'a> {
    /// The places, in elements from the one at index zero.
    pub map: &'a Map,
    /// Byte position of the element at index zero.
    pub byte_offset: u64,
}

/// Moves every element of `shape` from `from` to `to`. What lies between the elements of `to` stays as it is.
///
/// # Errors
/// `CANCELLED`; `INDEX_OUT_OF_BOUNDS` for an element outside its bytes; `OUT_OF_MEMORY`.
pub fn copy(
    shape: &[u64],
    width: u32,
    from: (&[u8], Side<'_>),
    to: (&mut [u8], Side<'_>),
    job: &Job<'_>,
) -> Result<(), Fault> {
    copy_part(shape, width, from, None, to, job)
}

/// As [`copy`]; `cut` says which part of the source the shape is.
///
/// # Errors
/// As [`copy`].
pub fn copy_part(
    shape: &[u64],
    width: u32,
    from: (&[u8], Side<'_>),
    cut: Option<Cut<'_>>,
    to: (&mut [u8], Side<'_>),
    job: &Job<'_>,
) -> Result<(), Fault> {
    if shape.contains(&0) {
        return Ok(());
    }
    let Some(mut plan) = Plan::new(shape, from.1.map, cut, to.1.map)? else {
        return along_a_curve(shape, width, from, cut, to, job);
    };
    if width < 8 {
        let first = [first_bit(from.1.byte_offset)?, first_bit(to.1.byte_offset)?];
        let mut narrow = Narrow { source: from.0, target: to.0, first, width };
        let step = |count: u64| job.step(count * u64::from(width) / 8);
        return planes(&plan.dims, plan.first, &mut narrow, u64::from(width).div_ceil(8), step);
    }
    let (source, target) = ((from.0, from.1.byte_offset), (to.0, to.1.byte_offset));
    match width / 8 {
        1 => whole::<1>(&plan, source, target, job),
        2 => whole::<2>(&plan, source, target, job),
        4 => whole::<4>(&plan, source, target, job),
        8 => whole::<8>(&plan, source, target, job),
        16 => whole::<16>(&plan, source, target, job),
        other => {
            plan.in_bytes(u64::from(other));
            whole::<1>(&plan, source, target, job)
        }
    }
}

/// What a call does when an offset leads outside.
#[cold]
pub fn outside() -> Fault {
    Fault::new(Status::INDEX_OUT_OF_BOUNDS, "L-017", "an element lies outside its buffer")
}

fn first_bit(byte_offset: u64) -> Result<i64, Fault> {
    i64::try_from(byte_offset).ok().and_then(|bytes| bytes.checked_mul(8)).ok_or_else(outside)
}

/// Where the elements of bytes begin that hold one at a byte offset, and the offset in elements.
fn phase<const W: usize>(byte_offset: u64) -> Result<(usize, i64), Fault> {
    let origin = i64::try_from(byte_offset / W as u64).map_err(|_| outside())?;
    Ok(((byte_offset % W as u64) as usize, origin))
}

fn whole<const W: usize>(
    plan: &Plan<'_>,
    source: (&[u8], u64),
    target: (&mut [u8], u64),
    job: &Job<'_>,
) -> Result<(), Fault> {
    let ((s_skip, s_origin), (d_skip, d_origin)) = (phase::<W>(source.1)?, phase::<W>(target.1)?);
    let source = source.0.get(s_skip..).unwrap_or_default().as_chunks::<W>().0;
    let target = target.0.get_mut(d_skip..).unwrap_or_default().as_chunks_mut::<W>().0;
    let first = [plan.first[0].wrapping_add(s_origin), plan.first[1].wrapping_add(d_origin)];
    if let [Dim { n, s: Term::Linear(1), d: Term::Linear(1) }] = plan.dims[..] {
        return run(source, target, first, n, job);
    }
    let count = plan.dims.iter().fold(1u64, |count, dim| count.saturating_mul(dim.n));
    let bytes = count.saturating_mul(W as u64);
    let (threads, is_past) = (job.threads(bytes), bytes >= past::LARGE);
    let tasks = split(&plan.dims, first, target, threads)?;
    job.run(threads, tasks.into_iter(), |task| {
        let mut tile = [[[0; W]; TILE]; TILE];
        let mut mover = Whole { source, target: task.target, tile: &mut tile, is_past };
        let step = |count: u64| job.step(count * W as u64);
        let done = planes(&task.dims, task.first, &mut mover, W as u64, step);
        past::settle();
        done
    })
}

/// Elements that are neighbours on both sides.
fn run<const W: usize>(
    source: &[[u8; W]],
    target: &mut [[u8; W]],
    first: [i64; 2],
    n: u64,
    job: &Job<'_>,
) -> Result<(), Fault> {
    let range = |first: i64| {
        let start = usize::try_from(first).ok()?;
        Some(start..start.checked_add(usize::try_from(n).ok()?)?)
    };
    let [from, to] = first.map(range);
    let source = from.and_then(|range| source.get(range)).ok_or_else(outside)?.as_flattened();
    let target = to.and_then(|range| target.get_mut(range)).ok_or_else(outside)?.as_flattened_mut();
    job.pieces(target, W, |at, piece| {
        let source = source.get(at..).and_then(|rest| rest.get(..piece.len())).ok_or_else(outside)?;
        piece.copy_from_slice(source);
        Ok(())
    })
}

/// A move in which one side, or both, is a curve over all dimensions: element by element along it.
fn along_a_curve(
    shape: &[u64],
    width: u32,
    from: (&[u8], Side<'_>),
    cut: Option<Cut<'_>>,
    to: (&mut [u8], Side<'_>),
    job: &Job<'_>,
) -> Result<(), Fault> {
    let ((source, from), (target, to)) = (from, to);
    let mut pending = 0u64;
    let mut each = |read: i64, write: i64| {
        one(source, (from.byte_offset, read), target, (to.byte_offset, write), width).ok_or_else(outside)?;
        pending += u64::from(width);
        if pending >= 8 * CHUNK as u64 {
            job.step(std::mem::take(&mut pending) / 8)?;
        }
        Ok(())
    };
    let mut positions = 0i64..;
    let mut next = || positions.next().unwrap_or(i64::MAX);
    match (from.map, to.map, cut) {
        (Map::Hilbert(order), other, None) => {
            hilbert::walk(*order, shape.len(), |index| each(next(), other.at(index)))
        }
        (other, Map::Hilbert(order), None) => {
            hilbert::walk(*order, shape.len(), |index| each(other.at(index), next()))
        }
        (from, to, cut) => {
            let mut moved = [0u64; MAX_RANK];
            walk(shape, |index| {
                for (k, (slot, &i)) in moved.iter_mut().zip(index).enumerate() {
                    let part = cut.and_then(|cut| Some((*cut.start.get(k)?, *cut.step.get(k)?)));
                    let (start, step) = part.unwrap_or((0, 1));
                    *slot = start.wrapping_add(step.wrapping_mul(i as i64)) as u64;
                }
                each(from.at(moved.get(..shape.len()).unwrap_or_default()), to.at(index))
            })
        }
    }?;
    job.step(pending / 8)
}

/// Moves one element of any width, between offsets in elements from byte offsets.
fn one(s: &[u8], from: (u64, i64), t: &mut [u8], to: (u64, i64), width: u32) -> Option<()> {
    let bit = |(base, offset): (u64, i64)| {
        u64::try_from(i128::from(base) * 8 + i128::from(offset) * i128::from(width)).ok()
    };
    let (from, to) = (bit(from)?, bit(to)?);
    if width < 8 {
        return bits::put(t, to, width, bits::get(s, from, width)?);
    }
    let (from, to, len) =
        (usize::try_from(from / 8).ok()?, usize::try_from(to / 8).ok()?, width as usize / 8);
    let source = s.get(from..from.checked_add(len)?)?;
    t.get_mut(to..to.checked_add(len)?)?.copy_from_slice(source);
    Some(())
}

/// Gives each index of a shape that has elements to `body`, in row-major order.
///
/// # Errors
/// Those of `body`.
pub fn walk(shape: &[u64], mut body: impl FnMut(&[u64]) -> Result<(), Fault>) -> Result<(), Fault> {
    let mut index = [0u64; MAX_RANK];
    let index = index.get_mut(..shape.len()).unwrap_or_default();
    loop {
        body(index)?;
        let mut more = false;
        for (i, &n) in index.iter_mut().zip(shape).rev() {
            *i += 1;
            if *i < n {
                more = true;
                break;
            }
            *i = 0;
        }
        if !more {
            return Ok(());
        }
    }
}
