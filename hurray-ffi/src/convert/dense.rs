//! Dense layouts to one another: the elements of a shape, moved from where one layout has them to where another has.

use super::bits;
use super::hilbert;
use super::job::{CHUNK, Job};
use super::offset::Map;
use crate::format::{Fault, MAX_RANK, Status};

/// One side of a move: where its elements are, in elements from the one at index zero.
pub struct Side<'a> {
    /// The places.
    pub map: &'a Map,
    /// Byte position of the element at index zero.
    pub byte_offset: u64,
}

/// Moves every element of `shape` from `from` to `to`. What lies between the elements of `to` stays as it is.
///
/// # Errors
/// `CANCELLED`; `INDEX_OUT_OF_BOUNDS` for an element outside its bytes.
pub fn copy(
    shape: &[u64],
    width: u32,
    from: (&[u8], Side<'_>),
    to: (&mut [u8], Side<'_>),
    job: &Job<'_>,
) -> Result<(), Fault> {
    if shape.contains(&0) {
        return Ok(());
    }
    let ((source, from), (target, to)) = (from, to);
    let mut pending = 0u64;
    each(shape, from.map, to.map, |read, write| {
        let moved = if width < 8 {
            narrow(source, from.byte_offset, read, target, to.byte_offset, write, width)
        } else {
            whole(source, from.byte_offset, read, target, to.byte_offset, write, u64::from(width / 8))
        };
        moved.ok_or_else(outside)?;
        pending += u64::from(width);
        if pending >= 8 * CHUNK as u64 {
            job.step(std::mem::take(&mut pending) / 8)?;
        }
        Ok(())
    })?;
    job.step(pending.div_ceil(8))
}

#[cold]
fn outside() -> Fault {
    Fault::new(Status::INDEX_OUT_OF_BOUNDS, "L-017", "an element lies outside its buffer")
}

fn byte(base: u64, offset: i64, width: u64) -> Option<usize> {
    usize::try_from(i128::from(base) + i128::from(offset) * i128::from(width)).ok()
}

fn whole(s: &[u8], sb: u64, read: i64, t: &mut [u8], tb: u64, write: i64, width: u64) -> Option<()> {
    let (from, to) = (byte(sb, read, width)?, byte(tb, write, width)?);
    let source = s.get(from..from.checked_add(width as usize)?)?;
    t.get_mut(to..to.checked_add(width as usize)?)?.copy_from_slice(source);
    Some(())
}

fn narrow(s: &[u8], sb: u64, read: i64, t: &mut [u8], tb: u64, write: i64, width: u32) -> Option<()> {
    let bit = |base: u64, offset: i64| {
        u64::try_from(i128::from(base) * 8 + i128::from(offset) * i128::from(width)).ok()
    };
    bits::put(t, bit(tb, write)?, width, bits::get(s, bit(sb, read)?, width)?)
}

/// Calls `body` with both offsets of each element.
fn each(
    shape: &[u64],
    from: &Map,
    to: &Map,
    mut body: impl FnMut(i64, i64) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let mut at = 0i64..;
    let mut next = || at.next().unwrap_or(0);
    match (from, to) {
        (Map::Hilbert(order), _) => hilbert::walk(*order, shape.len(), |index| body(next(), to.at(index))),
        (_, Map::Hilbert(order)) => hilbert::walk(*order, shape.len(), |index| body(from.at(index), next())),
        _ => walk(shape, |index| body(from.at(index), to.at(index))),
    }
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
