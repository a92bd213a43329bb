//! Any sparse layout to dense, row-major.

use super::add::adder;
use super::job::Job;
use super::sparse::{Sparse, broken, changed};
use super::sparse_keys::{Duplicates, room};
use super::sparse_rows;
use super::unit::{Unit, with_unit};
use crate::format::strides::row_major_stride;
use crate::format::{Fault, Layout, MAX_RANK, Status};

/// Writes a sparse tensor as a dense, row-major one. `out` holds it exactly; `zeroed` says that it is all 0 already.
///
/// # Errors
/// `INVALID_ARGUMENT` where duplicates are to be kept; `INVALID_LAYOUT` with the rule that the source breaks, L-034 for
/// duplicates where they are refused; `UNSUPPORTED` for sums of elements that have none; `OUT_OF_MEMORY`; `CANCELLED`.
pub fn to_dense(
    source: &Sparse<'_>,
    element_type: u8,
    duplicates: Duplicates,
    out: &mut [u8],
    zeroed: bool,
    job: &Job<'_>,
) -> Result<(), Fault> {
    if duplicates == Duplicates::Keep && matches!(source.layout, Layout::Coo { .. }) {
        let what = "a dense tensor has one element per index: refuse duplicates or sum them";
        return Err(Fault::new(Status::INVALID_ARGUMENT, "", what).field("duplicates"));
    }
    with_unit!(source.bits, unit => {
        if matches!(source.layout, Layout::Csr { .. }) {
            return sparse_rows::to_dense(source, unit, out, zeroed, job);
        }
        if !zeroed {
            clear(out, job)?;
        }
        match source.layout {
            Layout::Coo { .. } => coo(source, unit, element_type, duplicates, out, job),
            _ => place(source, unit, out, job),
        }
    })
}

fn clear(out: &mut [u8], job: &Job<'_>) -> Result<(), Fault> {
    for piece in out.chunks_mut(super::job::CHUNK) {
        piece.fill(0);
        job.step(piece.len() as u64)?;
    }
    Ok(())
}

/// Row-major strides; every element that is stored has its place in memory, so their sums do not wrap.
struct Place {
    strides: [u64; MAX_RANK],
}

impl Place {
    fn new(shape: &[u64]) -> Place {
        let mut strides = [0; MAX_RANK];
        for (k, slot) in strides.iter_mut().enumerate().take(shape.len()) {
            *slot = row_major_stride(shape, k) as u64;
        }
        Place { strides }
    }

    #[inline]
    fn of(&self, at: &[u64]) -> usize {
        let sum = |sum: u64, (&i, &stride): (&u64, &u64)| sum.wrapping_add(i.wrapping_mul(stride));
        at.iter().zip(&self.strides).fold(0, sum) as usize
    }
}

/// Layouts that cannot hold a coordinate twice.
fn place<U: Unit>(source: &Sparse<'_>, unit: U, out: &mut [u8], job: &Job<'_>) -> Result<(), Fault> {
    let (values, place) = (source.values(), Place::new(source.shape));
    source.walk(job, |at, p| unit.copy(values, p, out, place.of(at)).ok_or_else(changed))
}

fn coo<U: Unit>(
    source: &Sparse<'_>,
    unit: U,
    element_type: u8,
    duplicates: Duplicates,
    out: &mut [u8],
    job: &Job<'_>,
) -> Result<(), Fault> {
    let (values, place) = (source.values(), Place::new(source.shape));
    let add = if duplicates == Duplicates::Sum { Some(adder(element_type)?) } else { None };
    let elements = crate::format::extent::count(source.shape).ok_or_else(changed)?;
    let words = usize::try_from(elements.div_ceil(64)).map_err(|_| Fault::out_of_memory())?;
    // One bit per element: which of them were written.
    let mut written = room::<u64>(words)?;
    written.resize(words, 0);
    source.walk(job, |at, p| {
        let q = place.of(at);
        let (word, bit) = (written.get_mut(q / 64).ok_or_else(changed)?, 1u64 << (q % 64));
        let is_new = *word & bit == 0;
        *word |= bit;
        match add {
            _ if is_new => unit.copy(values, p, out, q).ok_or_else(changed),
            Some(add) => add(values, p, out, q).ok_or_else(changed),
            None => Err(broken("L-034", "a coordinate is stored twice", "entries", p)),
        }
    })
}
