//! A move plane by plane: two dimensions at once, all others around them.

use super::block::Mover;
use super::dense::outside;
use super::job::CHUNK;
use super::plan::{Dim, Term};
use super::table::{MOST, Table};
use crate::format::{Fault, MAX_RANK};
use smallvec::SmallVec;

/// Rows of a part that is turned around: few enough that the pages of all of them are known to the processor at once.
const TURNED: u64 = 1024;

const ONE: Dim<'static> = Dim { n: 1, s: Term::Linear(0), d: Term::Linear(0) };

/// Gives a mover every plane of a move: rows along the dimension whose elements are nearest in the source, columns along
/// the one whose elements are nearest in the target, the last of `dims`. `step` gets the elements moved, at least once
/// a [`CHUNK`] of bytes.
///
/// # Errors
/// `INDEX_OUT_OF_BOUNDS` for an element outside its bytes; `OUT_OF_MEMORY`; those of `step`.
pub fn planes(
    dims: &[Dim<'_>],
    first: [i64; 2],
    mover: &mut impl Mover,
    width: u64,
    step: impl Fn(u64) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let Some((last, rest)) = dims.split_last() else {
        return plane(&ONE, &ONE, first, mover, width, &step);
    };
    let nearest = rest.iter().enumerate().min_by_key(|(_, dim)| dim.s.at(1).unsigned_abs());
    let Some((row, rows)) = nearest else {
        return one_dimension(last, first, mover, width, &step);
    };
    let mut others: SmallVec<[Dim<'_>; 4]> = SmallVec::new();
    others.try_reserve(rest.len()).map_err(|_| Fault::out_of_memory())?;
    others.extend(rest.iter().enumerate().filter(|(k, _)| *k != row).map(|(_, dim)| *dim));
    let mut around = Around::new(rows, last, width)?;
    each_index(&others, first, |at| around.plane(at, mover, &step))
}

/// One dimension: columns of [`MOST`], where it can be cut anywhere.
fn one_dimension(
    dim: &Dim<'_>,
    first: [i64; 2],
    mover: &mut impl Mover,
    width: u64,
    step: &impl Fn(u64) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let (Term::Linear(s), Term::Linear(d)) = (dim.s, dim.d) else {
        return plane(&ONE, dim, first, mover, width, step);
    };
    let (rows, tail) = (dim.n / MOST, dim.n % MOST);
    if rows > 0 {
        let by = MOST as i64;
        let row = Dim { n: rows, s: Term::Linear(s.wrapping_mul(by)), d: Term::Linear(d.wrapping_mul(by)) };
        plane(&row, &Dim { n: MOST, ..*dim }, first, mover, width, step)?;
    }
    if tail == 0 {
        return Ok(());
    }
    let (tail, offsets) = dim.part(rows * MOST, tail);
    plane(&ONE, &tail, moved(first, offsets), mover, width, step)
}

fn plane(
    rows: &Dim<'_>,
    columns: &Dim<'_>,
    first: [i64; 2],
    mover: &mut impl Mover,
    width: u64,
    step: &impl Fn(u64) -> Result<(), Fault>,
) -> Result<(), Fault> {
    Around::new(rows, columns, width)?.plane(first, mover, step)
}

fn moved(a: [i64; 2], b: [i64; 2]) -> [i64; 2] {
    [a[0].wrapping_add(b[0]), a[1].wrapping_add(b[1])]
}

/// The inner two dimensions, with their tables.
struct Around<'a> {
    rows: &'a Dim<'a>,
    columns: &'a Dim<'a>,
    row_table: Table,
    column_table: Table,
    /// Rows of one part.
    height: u64,
    /// Columns of one part.
    length: u64,
}

impl<'a> Around<'a> {
    fn new(rows: &'a Dim<'a>, columns: &'a Dim<'a>, width: u64) -> Result<Around<'a>, Fault> {
        // Parts near one chunk: long rows, or high columns where the source is read along them.
        let is_turned = matches!(rows.s, Term::Linear(1)) && !matches!(columns.s, Term::Linear(1));
        let length = if is_turned { (CHUNK as u64 / TURNED / width.max(1)).clamp(64, MOST) } else { MOST };
        let row = columns.n.min(length).saturating_mul(width).max(1);
        let height = (CHUNK as u64 / row).clamp(64, if is_turned { TURNED } else { MOST }) / 64 * 64;
        let mut around = Around {
            rows,
            columns,
            row_table: Table::with_room(rows.n.min(height))?,
            column_table: Table::with_room(columns.n.min(length))?,
            height,
            length,
        };
        around.row_table.fill(&rows.part(0, rows.n.min(height)).0);
        around.column_table.fill(&columns.part(0, columns.n.min(length)).0);
        Ok(around)
    }

    fn plane(
        &mut self,
        first: [i64; 2],
        mover: &mut impl Mover,
        step: &impl Fn(u64) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let mut left = 0;
        while left < self.columns.n {
            let (columns, right) = self.columns.part(left, self.length.min(self.columns.n - left));
            if self.columns.n > self.length {
                self.column_table.fill(&columns);
            }
            let mut top = 0;
            while top < self.rows.n {
                let (rows, down) = self.rows.part(top, self.height.min(self.rows.n - top));
                if self.rows.n > self.height {
                    self.row_table.fill(&rows);
                }
                let [source, target] = moved(moved(first, right), down);
                mover.plane(source, target, &self.row_table, &self.column_table).ok_or_else(outside)?;
                step(rows.n * columns.n)?;
                top += rows.n;
            }
            left += columns.n;
        }
        Ok(())
    }
}

/// Both sides' offsets for each index of some dimensions, the last one fastest.
fn each_index(
    dims: &[Dim<'_>],
    first: [i64; 2],
    mut body: impl FnMut([i64; 2]) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let mut state = [(0u64, [0i64; 2]); MAX_RANK];
    let mut at = first;
    loop {
        body(at)?;
        let mut more = false;
        for (dim, (index, offsets)) in dims.iter().zip(&mut state).rev() {
            *index += 1;
            more = *index < dim.n;
            if !more {
                *index = 0;
            }
            let next = [dim.s.at(*index), dim.d.at(*index)];
            at = moved(at, [next[0].wrapping_sub(offsets[0]), next[1].wrapping_sub(offsets[1])]);
            *offsets = next;
            if more {
                break;
            }
        }
        if !more {
            return Ok(());
        }
    }
}
