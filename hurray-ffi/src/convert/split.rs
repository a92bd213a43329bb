//! A move in parts that write to memory of their own, for threads.

use super::axis::Axis;
use super::plan::{Dim, Term};
use crate::format::Fault;
use smallvec::SmallVec;

/// One part of a move.
pub struct Task<'a, 't, T> {
    /// As in a plan.
    pub dims: SmallVec<[Dim<'a>; 4]>,
    /// Offsets of the part's first element: in the source, and in `target`.
    pub first: [i64; 2],
    /// The part's own memory.
    pub target: &'t mut [T],
}

/// Cuts a move along its farthest dimension, where the target keeps the parts apart; else it stays one part.
///
/// # Errors
/// `OUT_OF_MEMORY`.
pub fn split<'a, 't, T>(
    dims: &[Dim<'a>],
    first: [i64; 2],
    target: &'t mut [T],
    threads: usize,
) -> Result<Vec<Task<'a, 't, T>>, Fault> {
    let mut tasks = Vec::new();
    let unit = if threads > 1 { unit(dims) } else { None };
    let (Some(unit), Some((outer, inner))) = (unit, dims.split_first()) else {
        tasks.try_reserve_exact(1).map_err(|_| Fault::out_of_memory())?;
        tasks.push(Task { dims: copy(dims)?, first, target });
        return Ok(tasks);
    };
    // A few parts for each thread, so that none waits long for another.
    let units = outer.n.div_ceil(unit).div_ceil(4 * threads as u64).max(1);
    let size = units * unit;
    tasks.try_reserve_exact(outer.n.div_ceil(size) as usize).map_err(|_| Fault::out_of_memory())?;
    let (mut rest, mut before, mut at) = (target, 0i64, 0);
    while at < outer.n {
        let (part, offsets) = outer.part(at, size.min(outer.n - at));
        let start = first[1].wrapping_add(offsets[1]);
        at += part.n;
        let end = if at < outer.n { first[1].wrapping_add(outer.d.at(at)) } else { i64::MAX };
        let skip = usize::try_from(start.wrapping_sub(before)).unwrap_or(0).min(rest.len());
        let len = usize::try_from(end.saturating_sub(start)).unwrap_or(0);
        let (_, here) = rest.split_at_mut(skip);
        let (own, after) = here.split_at_mut(len.min(here.len()));
        let mut own_dims = copy(inner)?;
        own_dims.insert(0, part);
        tasks.push(Task { dims: own_dims, first: [first[0].wrapping_add(offsets[0]), 0], target: own });
        (rest, before) = (after, end);
    }
    Ok(tasks)
}

/// Room for one dimension more is there.
fn copy<'a>(dims: &[Dim<'a>]) -> Result<SmallVec<[Dim<'a>; 4]>, Fault> {
    let mut copy = SmallVec::new();
    copy.try_reserve(dims.len() + 1).map_err(|_| Fault::out_of_memory())?;
    copy.extend(dims.iter().copied());
    Ok(copy)
}

/// How many components of the farthest dimension go together, if parts of so many do not meet in the target.
fn unit(dims: &[Dim<'_>]) -> Option<u64> {
    let (outer, inner) = dims.split_first()?;
    let others = inner.iter().try_fold(0i64, |sum, dim| sum.checked_add(highest(&dim.d, dim.n)?))?;
    let (unit, stride) = match outer.d {
        Term::Linear(stride) => (1, stride),
        Term::Curve(Axis::Tiled(levels, _), 0, 1, scale) => {
            let (tile, stride) = levels.iter().find(|(tile, _)| *tile < outer.n)?;
            (*tile, stride.checked_mul(scale)?)
        }
        Term::Curve(..) => return None,
    };
    (stride > others.checked_add(highest(&outer.d, unit)?)?).then_some(unit)
}

/// The highest offset of so many components, where none is below the first.
fn highest(term: &Term<'_>, n: u64) -> Option<i64> {
    let last = i64::try_from(n.checked_sub(1)?).ok()?;
    match *term {
        Term::Linear(stride) if stride >= 0 => stride.checked_mul(last),
        Term::Curve(Axis::Tiled(levels, leaf), 0, 1, scale) if scale >= 0 => {
            let (mut sum, mut most) = (0i64, last);
            for &(tile, stride) in levels {
                let tile = i64::try_from(tile).ok()?.max(1);
                sum = sum.checked_add(Some(stride).filter(|s| *s >= 0)?.checked_mul(most / tile)?)?;
                most = most.min(tile - 1);
            }
            let sum = sum.checked_add(Some(*leaf).filter(|s| *s >= 0)?.checked_mul(most)?)?;
            sum.checked_mul(scale)
        }
        Term::Curve(Axis::Spread(..), 0, 1, scale) if scale >= 0 => {
            // Codes grow with the component.
            let top = term.at(n - 1);
            (top >= 0).then_some(top)
        }
        _ => None,
    }
}
