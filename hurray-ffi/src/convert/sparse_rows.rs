//! Dense matrices to and from compressed rows: the two conversions that most data takes.

use super::job::Job;
use super::past;
use super::sparse::{CSR, STEP, Sparse, bad_minor, changed};
use super::sparse_keys::room;
use super::unit::{PIECE, Unit, with_unit};
use super::words::put;
use crate::format::Fault;

/// The stored entries of a dense matrix, counted row by row.
pub(super) struct Rows {
    columns: usize,
    /// As in the result: the first is 0, one more per row.
    pointers: Vec<u64>,
}

impl Rows {
    /// Counts the elements that are not 0.
    pub fn count(dense: &[u8], bits: u32, rows: u64, columns: u64, job: &Job<'_>) -> Result<Rows, Fault> {
        let wide = |_| Fault::out_of_memory();
        let (rows, columns) = (usize::try_from(rows).map_err(wide)?, usize::try_from(columns).map_err(wide)?);
        let mut pointers = room(rows.checked_add(1).ok_or_else(Fault::out_of_memory)?)?;
        pointers.push(0);
        let mut stored = 0;
        let mut since = 0;
        for row in 0..rows {
            let count = with_unit!(bits, unit => unit.count_stored(dense, row * columns, columns));
            stored += count.ok_or_else(changed)?;
            pointers.push(stored as u64);
            since += columns;
            if since >= STEP {
                job.step(0)?;
                since = 0;
            }
        }
        Ok(Rows { columns, pointers })
    }

    pub fn nnz(&self) -> u64 {
        self.pointers.last().copied().unwrap_or(0)
    }

    /// Writes values, column indices and row pointers.
    pub fn write(
        &self,
        dense: &[u8],
        bits: u32,
        values: &mut [u8],
        index: &mut [&mut [u8]],
        job: &Job<'_>,
    ) -> Result<(), Fault> {
        let [indices, pointers] = index else { return Err(changed()) };
        let (to, _) = pointers.as_chunks_mut::<8>();
        if to.len() != self.pointers.len() {
            return Err(changed());
        }
        for (to, from) in to.iter_mut().zip(&self.pointers) {
            *to = from.to_le_bytes();
        }
        with_unit!(bits, unit => self.write_entries(dense, unit, bits, values, indices, job))
    }

    fn write_entries<U: Unit>(
        &self,
        dense: &[u8],
        unit: U,
        bits: u32,
        values: &mut [u8],
        indices: &mut [u8],
        job: &Job<'_>,
    ) -> Result<(), Fault> {
        let mut found = [0u16; PIECE];
        let (mut q, mut reported) = (0, 0);
        for (row, end) in self.pointers.iter().skip(1).enumerate() {
            let end = *end as usize;
            for column in (0..self.columns).step_by(PIECE) {
                let start = row * self.columns + column;
                let count = PIECE.min(self.columns - column);
                let here = unit.find_stored(dense, start, count, &mut found).ok_or_else(changed)?;
                if here > end - q {
                    return Err(changed());
                }
                for &k in found.iter().take(here) {
                    put(indices, q, (column + usize::from(k)) as u64).ok_or_else(changed)?;
                    unit.copy(dense, start + usize::from(k), values, q).ok_or_else(changed)?;
                    q += 1;
                }
            }
            if q != end {
                return Err(changed());
            }
            if q - reported >= STEP {
                job.step((q - reported) as u64 * (8 + u64::from(bits).div_ceil(8)))?;
                reported = q;
            }
        }
        Ok(())
    }
}

/// Most bytes of a row that is put together in the first cache.
const ROW: usize = 32 << 10;

/// Writes a CSR matrix as dense rows. `out` holds them exactly; `zeroed` says that it is all 0 already.
pub(super) fn to_dense<U: Unit>(
    source: &Sparse<'_>,
    unit: U,
    out: &mut [u8],
    zeroed: bool,
    job: &Job<'_>,
) -> Result<(), Fault> {
    let values = source.values();
    let columns = usize::try_from(source.extent(1)).map_err(|_| Fault::out_of_memory())?;
    let row_bytes = columns.saturating_mul(source.bits as usize) / 8;
    // A row that goes past the caches is made beside them: it is read nowhere before it is written.
    let is_past = !zeroed && out.len() as u64 >= past::LARGE && source.bits >= 8 && row_bytes <= ROW;
    let line_bytes = if is_past { row_bytes } else { 0 };
    let mut line = room(line_bytes + past::LINE)?;
    line.resize(line_bytes + past::LINE, 0u8);
    let skip = line.as_ptr().align_offset(past::LINE);
    let line = line.get_mut(skip..).and_then(|line| line.get_mut(..line_bytes)).ok_or_else(changed)?;
    let mut since = 0;
    let done = source.segments(CSR, |row, start, segment, extent| {
        let first = row.checked_mul(columns).ok_or_else(changed)?;
        let misplaced = |misplaced| match misplaced {
            Some((k, found, least)) => bad_minor(CSR, start + k, found, least, extent),
            None => changed(),
        };
        if is_past {
            // All 0, as the row before it left it.
            unit.place_row(values, start, segment, line, (0, columns)).map_err(misplaced)?;
            let at = row.checked_mul(row_bytes).ok_or_else(changed)?;
            let to = out.get_mut(at..).and_then(|out| out.get_mut(..row_bytes)).ok_or_else(changed)?;
            past::empty(to, line);
        } else {
            // Row by row, so that the zeros are still in the cache when the values come.
            if !zeroed {
                unit.clear(out, first, columns).ok_or_else(changed)?;
            }
            unit.place_row(values, start, segment, out, (first, columns)).map_err(misplaced)?;
        }
        since += row_bytes as u64;
        if since >= 1 << 20 {
            job.step(std::mem::take(&mut since))?;
        }
        Ok(())
    });
    past::settle();
    done
}
