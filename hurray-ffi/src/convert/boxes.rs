//! Members of a composite put together: boxes and stored entries, copied into or added to a dense array.

use super::add::Add;
use super::check::check_sparse;
use super::job::{CHUNK, Job};
use super::sparse::Sparse;
use super::unit::{Unit, with_unit};
use crate::format::{Fault, MAX_RANK, Status};

/// The dense, row-major array of a whole composite.
pub struct Whole<'a> {
    /// Extents.
    pub shape: &'a [u64],
    /// Bits per element.
    pub bits: u32,
    /// All elements.
    pub bytes: &'a mut [u8],
}

/// How a member's elements meet those that are there.
#[derive(Clone, Copy)]
pub enum Combine {
    /// They take their place.
    Replace,
    /// They are added.
    Add(Add),
}

#[cold]
fn outside() -> Fault {
    Fault::new(Status::INTERNAL, "", "a member's box leaves the whole")
}

impl Whole<'_> {
    fn place(&self, offset: &[u64], at: &[u64]) -> Option<usize> {
        let mut place = 0u64;
        for ((&extent, &from), &i) in self.shape.iter().zip(offset).zip(at) {
            let i = from.checked_add(i).filter(|&i| i < extent)?;
            place = place.checked_mul(extent)?.checked_add(i)?;
        }
        usize::try_from(place).ok()
    }

    /// Puts a dense, row-major box of elements at an offset.
    ///
    /// # Errors
    /// `INTERNAL` for a box that leaves the whole; `CANCELLED`.
    pub fn put_box(
        &mut self,
        from: &[u8],
        shape: &[u64],
        offset: &[u64],
        combine: Combine,
        job: &Job<'_>,
    ) -> Result<(), Fault> {
        self.each_row(shape, offset, job, |whole, p, start, row| {
            with_unit!(whole.bits, unit => put_row(unit, from, p, whole.bytes, start, row, combine))
        })
    }

    /// Calls `body` with the position in the box, the position in the whole, and the length of each row of a box.
    fn each_row(
        &mut self,
        shape: &[u64],
        offset: &[u64],
        job: &Job<'_>,
        mut body: impl FnMut(&mut Self, usize, usize, usize) -> Option<()>,
    ) -> Result<(), Fault> {
        if shape.contains(&0) {
            return Ok(());
        }
        let mut sides = offset.iter().zip(shape).zip(self.shape);
        if !sides.all(|((&from, &n), &extent)| from.checked_add(n).is_some_and(|end| end <= extent)) {
            return Err(outside());
        }
        let (row, outer) = match shape.split_last() {
            Some((&row, outer)) => (usize::try_from(row).map_err(|_| outside())?, outer),
            None => (1, shape),
        };
        let mut at = [0u64; MAX_RANK];
        let mut pending = 0;
        let mut p = 0;
        loop {
            let start = self.place(offset, at.get(..shape.len()).unwrap_or_default()).ok_or_else(outside)?;
            body(self, p, start, row).ok_or_else(outside)?;
            p += row;
            pending += row as u64 * u64::from(self.bits);
            if pending >= 8 * CHUNK as u64 {
                job.step(std::mem::take(&mut pending) / 8)?;
            }
            let mut more = false;
            for (slot, &n) in at.iter_mut().zip(outer).take(outer.len()).rev() {
                *slot += 1;
                if *slot < n {
                    more = true;
                    break;
                }
                *slot = 0;
            }
            if !more {
                return job.step(pending / 8);
            }
        }
    }

    /// Clears a box of elements.
    ///
    /// # Errors
    /// As [`Whole::put_box`].
    pub fn clear_box(&mut self, shape: &[u64], offset: &[u64], job: &Job<'_>) -> Result<(), Fault> {
        self.each_row(
            shape,
            offset,
            job,
            |whole, _, start, row| with_unit!(whole.bits, unit => unit.clear(whole.bytes, start, row)),
        )
    }

    /// Puts the stored entries of a sparse tensor at an offset; everything else stays.
    ///
    /// # Errors
    /// `INVALID_LAYOUT` with the rule that the tensor breaks; `CANCELLED`.
    pub fn put_entries(
        &mut self,
        from: &Sparse<'_>,
        offset: &[u64],
        combine: Combine,
        job: &Job<'_>,
    ) -> Result<(), Fault> {
        check_sparse(from, job)?;
        let values = from.values();
        with_unit!(self.bits, unit => from.walk(job, |at, p| {
            let q = self.place(offset, at).ok_or_else(outside)?;
            match combine {
                Combine::Replace => unit.copy(values, p, self.bytes, q),
                Combine::Add(add) => add(values, p, self.bytes, q),
            }
            .ok_or_else(outside)
        }))
    }
}

fn put_row<U: Unit>(
    unit: U,
    from: &[u8],
    p: usize,
    to: &mut [u8],
    q: usize,
    count: usize,
    combine: Combine,
) -> Option<()> {
    match combine {
        Combine::Replace => unit.copy_run(from, p, to, q, count),
        Combine::Add(add) => (0..count).try_for_each(|k| add(from, p + k, to, q + k)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convert::add::adder;
    use crate::format::Layout;

    fn bytes(of: impl IntoIterator<Item = u16>) -> Vec<u8> {
        of.into_iter().flat_map(u16::to_le_bytes).collect()
    }

    #[test]
    fn overlay_of_the_written_format() {
        // layouts.md section 13, in uint16: base 1000 to 1015, A 2000 to 2005 at [0,1], B (column-major 3000 to 3005) at
        // [1,1].
        let base = bytes(1000..1016);
        let a = bytes(2000..2006);
        let b = bytes([3000, 3003, 3001, 3004, 3002, 3005]);
        let job = Job::new(None, 1);
        let add = Combine::Add(adder(0x13).unwrap());
        for (combine, expected) in
            [(Combine::Replace, [1015, 2001, 3003, 3004]), (add, [1015, 3003, 6013, 4014])]
        {
            let mut out = vec![0; 32];
            let mut whole = Whole { shape: &[4, 4], bits: 16, bytes: &mut out };
            whole.put_box(&base, &[4, 4], &[0, 0], Combine::Replace, &job).unwrap();
            whole.put_box(&a, &[2, 3], &[0, 1], combine, &job).unwrap();
            whole.put_box(&b, &[3, 2], &[1, 1], combine, &job).unwrap();
            let value = |row: usize, column: usize| {
                let at = 2 * (4 * row + column);
                u16::from_le_bytes([out[at], out[at + 1]])
            };
            assert_eq!([value(3, 3), value(0, 2), value(1, 2), value(2, 2)], expected);
        }
    }

    #[test]
    fn a_sparse_correction_covers_what_it_stores() {
        let indices: Vec<u8> = [0u64, 1, 1, 0].iter().flat_map(|word| word.to_le_bytes()).collect();
        let layout = Layout::Coo { nnz: 2, is_sorted: 0 };
        let values = [7, 0];
        let buffers = [&values[..], &indices[..]];
        let from = Sparse { layout: &layout, shape: &[2, 2], bits: 8, buffers: &buffers };
        let mut out = vec![1; 9];
        let mut whole = Whole { shape: &[3, 3], bits: 8, bytes: &mut out };
        whole.put_entries(&from, &[1, 1], Combine::Replace, &Job::new(None, 1)).unwrap();
        assert_eq!(out, [1, 1, 1, 1, 1, 7, 1, 0, 1]);
    }

    #[test]
    fn packed_rows_and_scalars() {
        let job = Job::new(None, 1);
        let mut out = vec![0; 5];
        let mut whole = Whole { shape: &[3, 3], bits: 4, bytes: &mut out };
        whole.put_box(&[0x21, 0x43], &[2, 2], &[1, 1], Combine::Replace, &job).unwrap();
        assert_eq!(out, [0, 0, 0x21, 0x30, 4]);
        let mut one = vec![0; 4];
        let mut whole = Whole { shape: &[], bits: 32, bytes: &mut one };
        whole.put_box(&[1, 2, 3, 4], &[], &[], Combine::Replace, &job).unwrap();
        assert_eq!(one, [1, 2, 3, 4]);
        let mut whole = Whole { shape: &[2], bits: 8, bytes: &mut one };
        let fault = whole.put_box(&[0; 2], &[2], &[1], Combine::Replace, &job).unwrap_err();
        assert_eq!(fault.status, Status::INTERNAL);
    }
}
