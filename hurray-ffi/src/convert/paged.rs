//! Block-paged key/value caches: gathered to dense, scattered back, and where one element is.

#[cfg(test)]
mod tests;

use super::job::{CHUNK, Job};
use super::unit::{Unit, with_unit};
use super::words::Table;
use crate::format::{BlockPaged, Fault, Status};

/// The tables of a block-paged tensor `[tokens, heads, components]` of static shape, in host memory.
#[derive(Clone, Copy)]
pub struct Paged<'a> {
    /// Fields of the layout.
    pub layout: &'a BlockPaged,
    /// Extents.
    pub shape: &'a [u64],
    /// Bits per element.
    pub bits: u32,
    /// Physical page numbers, sequence after sequence.
    pub block_table: Table<'a>,
    /// Where each sequence starts in the table, and where the last one ends.
    pub seq_ptr: Table<'a>,
}

#[cold]
fn broken(what: &'static str, field: &'static str, index: usize) -> Fault {
    Fault::new(Status::INVALID_LAYOUT, "L-039", what).field(field).index(index)
}

#[cold]
fn wrong_lengths(what: &'static str) -> Fault {
    Fault::new(Status::INVALID_ARGUMENT, "", what).field("sequence_lengths")
}

#[cold]
fn moved() -> Fault {
    Fault::new(Status::BUFFER_MISMATCH, "L-038", "the page pool or the dense array is too small")
}

impl<'a> Paged<'a> {
    /// The tables of a layout in the buffers of its tensor.
    pub fn new(layout: &'a BlockPaged, shape: &'a [u64], bits: u32, buffers: &[&'a [u8]]) -> Paged<'a> {
        let table =
            |index: usize| Table::new(buffers.get(index).copied().unwrap_or_default(), layout.index_width());
        Paged { layout, shape, bits, block_table: table(1), seq_ptr: table(2) }
    }

    fn extent(&self, k: usize) -> u64 {
        self.shape.get(k).copied().unwrap_or(0)
    }

    /// The first and the end of the table entries of each sequence, in order.
    fn sequences(
        &self,
        mut body: impl FnMut(usize, usize, usize) -> Result<(), Fault>,
    ) -> Result<usize, Fault> {
        let entries = self.block_table.len();
        let read =
            |at: usize| self.seq_ptr.get(at).ok_or_else(|| broken("the pointers end early", "seq_ptr", at));
        let first = read(0)?;
        if first != 0 {
            return Err(broken("the first sequence does not start at 0", "seq_ptr", 0).value(first));
        }
        let mut start = 0;
        for sequence in 0..self.layout.num_seqs as usize {
            let found = read(sequence + 1)?;
            let end = match usize::try_from(found) {
                Ok(end) if end < start => {
                    let fault = broken("sequence pointers decrease", "seq_ptr", sequence + 1);
                    return Err(fault.value(found).limit(start as u64));
                }
                Ok(end) if end <= entries => end,
                _ => {
                    let fault = broken("a sequence ends beyond the block table", "seq_ptr", sequence + 1);
                    return Err(fault.value(found).limit(entries as u64));
                }
            };
            body(sequence, start, end)?;
            start = end;
        }
        Ok(start)
    }

    /// The physical page of a table entry.
    fn page(&self, entry: usize) -> Result<u64, Fault> {
        match self.block_table.get(entry) {
            Some(page) if page < self.layout.num_pages => Ok(page),
            Some(page) => Err(broken("a page that the pool does not have", "block_table", entry)
                .value(page)
                .limit(self.layout.num_pages)),
            None => Err(broken("the table ends early", "block_table", entry)),
        }
    }

    /// L-039: every pointer, and every table entry in use.
    ///
    /// # Errors
    /// `INVALID_LAYOUT` with the entry at fault; `CANCELLED`.
    pub fn check(&self, job: &Job<'_>) -> Result<(), Fault> {
        self.sequences(|_, start, end| {
            for entry in start..end {
                self.page(entry)?;
            }
            job.step(((end - start) as u64) * u64::from(self.layout.index_width()))
        })?;
        Ok(())
    }

    /// Where component `d` of head `h` of token `t` of sequence `s` is, in elements from the start of the pool.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for an index of another length, `INDEX_OUT_OF_BOUNDS` for a component beyond its extent or
    /// a token beyond the pages of its sequence, `INVALID_LAYOUT` where the tables are malformed there.
    pub fn element_offset(&self, index: &[u64]) -> Result<u64, Fault> {
        let &[s, t, h, d] = index else {
            let what = "an element of a paged tensor is named by sequence, token, head and component";
            return Err(Fault::new(Status::INVALID_ARGUMENT, "L-013", what)
                .field("len")
                .value(index.len() as u64)
                .limit(4));
        };
        let bounds =
            [(0, s, u64::from(self.layout.num_seqs)), (2, h, self.extent(1)), (3, d, self.extent(2))];
        for (k, i, n) in bounds {
            if i >= n {
                let fault = Fault::new(Status::INDEX_OUT_OF_BOUNDS, "L-014", "an index outside the tensor");
                return Err(fault.field("index").index(k).value(i).limit(n));
            }
        }
        let pointer = |at: u64| {
            let found = usize::try_from(at).ok().and_then(|at| self.seq_ptr.get(at));
            found.ok_or_else(|| broken("the pointers end early", "seq_ptr", at as usize))
        };
        let (start, end) = (pointer(s)?, pointer(s + 1)?);
        let size = u64::from(self.layout.page_size);
        let Some(pages) = end.checked_sub(start) else {
            return Err(broken("sequence pointers decrease", "seq_ptr", s as usize + 1));
        };
        if t / size >= pages {
            return Err(beyond_pages("index", 1, t, pages.saturating_mul(size)));
        }
        let entry = usize::try_from(start.saturating_add(t / size)).unwrap_or(usize::MAX);
        let slot = self.page(entry)?.checked_mul(size).and_then(|slot| slot.checked_add(t % size));
        let head = slot.and_then(|slot| slot.checked_mul(self.extent(1))).and_then(|e| e.checked_add(h));
        head.and_then(|e| e.checked_mul(self.extent(2))).and_then(|e| e.checked_add(d)).ok_or_else(|| {
            Fault::new(Status::OVERFLOW, "L-016", "an element offset passes 64 bits").field("index")
        })
    }

    /// The runs of tokens that are contiguous both in a dense array and in the pool: the first token of each, its
    /// slot in the pool, and how many.
    ///
    /// Without lengths there must be one sequence, or no page that is not full.
    fn runs(
        &self,
        lengths: Option<&[u64]>,
        mut body: impl FnMut(u64, u64, u64) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let (total, size) = (self.extent(0), u64::from(self.layout.page_size));
        if let Some(lengths) = lengths {
            if lengths.len() as u64 != u64::from(self.layout.num_seqs) {
                let fault = wrong_lengths("not as many lengths as the tensor has sequences");
                return Err(fault.value(lengths.len() as u64).limit(self.layout.num_seqs));
            }
            let sum = lengths.iter().try_fold(0u64, |sum, &len| sum.checked_add(len));
            if sum != Some(total) {
                let fault = wrong_lengths("the lengths do not add up to the tokens of the tensor");
                return Err(fault.value(sum.unwrap_or(u64::MAX)).limit(total));
            }
        } else if self.layout.num_seqs != 1 {
            let used = self.seq_ptr.get(self.layout.num_seqs as usize).unwrap_or(0);
            if used.checked_mul(size) != Some(total) {
                return Err(wrong_lengths(
                    "lengths are needed: there are several sequences, and not all pages are full",
                ));
            }
        }
        let mut token = 0;
        self.sequences(|sequence, start, end| {
            let room = ((end - start) as u64).saturating_mul(size);
            let len = match lengths.and_then(|lengths| lengths.get(sequence)) {
                Some(&len) => len,
                None if self.layout.num_seqs == 1 => total,
                None => room,
            };
            if len > room {
                return Err(beyond_pages("sequence_lengths", sequence, len, room));
            }
            let mut left = len;
            for entry in start..end {
                let count = left.min(size);
                if count == 0 {
                    break;
                }
                body(token, self.page(entry)?.saturating_mul(size), count)?;
                token += count;
                left -= count;
            }
            Ok(())
        })?;
        // The pointers may have changed since their last one was read.
        if token == total { Ok(()) } else { Err(super::sparse::changed()) }
    }

    /// Elements of one token.
    fn row(&self) -> u64 {
        self.extent(1).saturating_mul(self.extent(2))
    }

    fn copy(
        &self,
        lengths: Option<&[u64]>,
        job: &Job<'_>,
        mut body: impl FnMut(usize, usize, usize) -> Option<()>,
    ) -> Result<(), Fault> {
        let row = self.row();
        let scale =
            |tokens: u64| tokens.checked_mul(row).and_then(|e| usize::try_from(e).ok()).ok_or_else(moved);
        let mut pending = 0;
        self.runs(lengths, |token, slot, count| {
            let (token, slot, count) = (scale(token)?, scale(slot)?, scale(count)?);
            body(token, slot, count).ok_or_else(moved)?;
            pending += count as u64 * u64::from(self.bits) / 8;
            if pending >= CHUNK as u64 { job.step(std::mem::take(&mut pending)) } else { Ok(()) }
        })?;
        job.step(pending)
    }

    /// Writes all tokens, sequence after sequence, as a dense array `[tokens, heads, components]`, row-major.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` (lengths), `INDEX_OUT_OF_BOUNDS` (L-041), `INVALID_LAYOUT` (L-039), `CANCELLED`.
    pub fn gather(
        &self,
        pool: &[u8],
        lengths: Option<&[u64]>,
        out: &mut [u8],
        job: &Job<'_>,
    ) -> Result<(), Fault> {
        with_unit!(self.bits, unit => {
            self.copy(lengths, job, |token, slot, count| unit.copy_run(pool, slot, out, token, count))
        })
    }

    /// Writes the tokens of a dense, row-major array to their places in the pool; the rest of the pool stays as it is.
    /// Of sequences that share a page, the last one's tokens stay.
    ///
    /// # Errors
    /// As [`Paged::gather`].
    pub fn scatter(
        &self,
        dense: &[u8],
        lengths: Option<&[u64]>,
        pool: &mut [u8],
        job: &Job<'_>,
    ) -> Result<(), Fault> {
        with_unit!(self.bits, unit => {
            self.copy(lengths, job, |token, slot, count| unit.copy_run(dense, token, pool, slot, count))
        })
    }
}

#[cold]
fn beyond_pages(field: &'static str, index: usize, found: u64, room: u64) -> Fault {
    Fault::new(Status::INDEX_OUT_OF_BOUNDS, "L-041", "tokens beyond the pages of their sequence")
        .field(field)
        .index(index)
        .value(found)
        .limit(room)
}
