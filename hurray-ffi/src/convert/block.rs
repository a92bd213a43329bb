//! The inner two dimensions of a move, in blocks that keep to few cache lines and pages on either side: rows where both
//! sides are neighbours, tiles turned around where each side has another dimension nearest, single elements otherwise.

use super::bits;
use super::table::Table;

/// Components of the outer dimension of a block.
const ROWS: usize = 64;
/// Components of the inner dimension of a block of single elements.
const COLUMNS: usize = 64;
/// Edge of a tile that is turned around.
const TILE: usize = 32;
/// Fewest neighbours on both sides that are moved as one.
const LONG: usize = 8;
/// Fewest neighbours on either side that make a tile.
const SHORT: usize = 4;

/// Moves one plane: `p` times `q` elements from both sides' offsets. `None` for an element outside its bytes.
pub trait Mover {
    /// Moves it.
    fn plane(&mut self, source: i64, target: i64, p: &Table, q: &Table) -> Option<()>;
}

/// Whole elements of `W` bytes.
pub struct Whole<'a, const W: usize> {
    /// The source's elements.
    pub source: &'a [[u8; W]],
    /// The target's.
    pub target: &'a mut [[u8; W]],
    /// Room for one tile.
    pub tile: &'a mut [[u8; W]; TILE * TILE],
}

/// Room for one tile.
pub const fn tile<const W: usize>() -> [[u8; W]; TILE * TILE] {
    [[0; W]; TILE * TILE]
}

fn run(runs: &[u32], at: usize) -> usize {
    runs.get(at).map_or(1, |&run| run as usize)
}

impl<const W: usize> Mover for Whole<'_, W> {
    fn plane(&mut self, source: i64, target: i64, p: &Table, q: &Table) -> Option<()> {
        let (rows, columns) = (p.len(), q.len());
        for top in (0..rows).step_by(ROWS) {
            let bottom = rows.min(top + ROWS);
            let (s_rows, d_rows) = (p.s.get(top..bottom)?, p.d.get(top..bottom)?);
            let mut left = 0;
            while left < columns {
                let (s_run, d_run) = (run(&q.s_run, left), run(&q.d_run, left));
                let (s, d) = (source + q.s.get(left)?, target + q.d.get(left)?);
                let both = s_run.min(d_run);
                if both >= LONG || both == columns - left {
                    self.rows(s, d, s_rows, d_rows, both)?;
                    left += both;
                } else if d_run >= SHORT && run(&p.s_run, top) >= SHORT {
                    let width = d_run.min(TILE);
                    let s_columns = q.s.get(left..left + width)?;
                    self.tiles(source, d, p, top, bottom, s_columns)?;
                    left += width;
                } else {
                    let width = COLUMNS.min(columns - left);
                    let right = left + width;
                    let (s_columns, d_columns) = (q.s.get(left..right)?, q.d.get(left..right)?);
                    for (s_row, d_row) in s_rows.iter().zip(d_rows) {
                        let (from, to) = (source + s_row, target + d_row);
                        if d_run >= width {
                            self.gather(from, to + d_columns.first()?, s_columns)?;
                        } else if s_run >= width {
                            self.scatter(from + s_columns.first()?, to, d_columns)?;
                        } else {
                            self.each(from, to, s_columns, d_columns)?;
                        }
                    }
                    left = right;
                }
            }
        }
        Some(())
    }
}

impl<const W: usize> Whole<'_, W> {
    /// Rows of neighbours on both sides.
    fn rows(&mut self, s: i64, d: i64, s_rows: &[i64], d_rows: &[i64], len: usize) -> Option<()> {
        for (s_row, d_row) in s_rows.iter().zip(d_rows) {
            let (from, to) = (usize::try_from(s + s_row).ok()?, usize::try_from(d + d_row).ok()?);
            let source = self.source.get(from..from.checked_add(len)?)?;
            self.target.get_mut(to..to.checked_add(len)?)?.copy_from_slice(source);
        }
        Some(())
    }

    /// Columns of neighbours in the source become rows of neighbours in the target, by way of a tile near at hand.
    fn tiles(
        &mut self,
        source: i64,
        d: i64,
        p: &Table,
        mut top: usize,
        bottom: usize,
        s_columns: &[i64],
    ) -> Option<()> {
        let width = s_columns.len();
        while top < bottom {
            let height = run(&p.s_run, top).min(TILE).min(bottom - top);
            let s_row = source + p.s.get(top)?;
            for (k, s_column) in s_columns.iter().enumerate() {
                let from = usize::try_from(s_row + s_column).ok()?;
                let column = self.source.get(from..from.checked_add(height)?)?;
                for (line, element) in self.tile.chunks_exact_mut(TILE).zip(column) {
                    *line.get_mut(k)? = *element;
                }
            }
            for (line, d_row) in self.tile.chunks_exact(TILE).zip(p.d.get(top..top + height)?) {
                let to = usize::try_from(d + d_row).ok()?;
                self.target.get_mut(to..to.checked_add(width)?)?.copy_from_slice(line.get(..width)?);
            }
            top += height;
        }
        Some(())
    }

    fn gather(&mut self, from: i64, to: i64, columns: &[i64]) -> Option<()> {
        let to = usize::try_from(to).ok()?;
        let target = self.target.get_mut(to..to.checked_add(columns.len())?)?;
        for (out, column) in target.iter_mut().zip(columns) {
            *out = *self.source.get((from + column) as usize)?;
        }
        Some(())
    }

    fn scatter(&mut self, from: i64, to: i64, columns: &[i64]) -> Option<()> {
        let from = usize::try_from(from).ok()?;
        let source = self.source.get(from..from.checked_add(columns.len())?)?;
        for (element, column) in source.iter().zip(columns) {
            *self.target.get_mut((to + column) as usize)? = *element;
        }
        Some(())
    }

    fn each(&mut self, from: i64, to: i64, s_columns: &[i64], d_columns: &[i64]) -> Option<()> {
        for (s, d) in s_columns.iter().zip(d_columns) {
            *self.target.get_mut((to + d) as usize)? = *self.source.get((from + s) as usize)?;
        }
        Some(())
    }
}

/// Elements narrower than a byte, at bit positions that count from byte offsets.
pub struct Narrow<'a> {
    /// The source's bytes, from that of the element at index zero where offsets are never negative.
    pub source: &'a [u8],
    /// The target's.
    pub target: &'a mut [u8],
    /// Bit positions of the elements at offset 0.
    pub first: [i64; 2],
    /// Bits an element.
    pub width: u32,
}

impl Mover for Narrow<'_> {
    fn plane(&mut self, source: i64, target: i64, p: &Table, q: &Table) -> Option<()> {
        let bits = i64::from(self.width);
        for top in (0..p.len()).step_by(ROWS) {
            let bottom = p.len().min(top + ROWS);
            for left in (0..q.len()).step_by(COLUMNS) {
                let right = q.len().min(left + COLUMNS);
                let (s_columns, d_columns) = (q.s.get(left..right)?, q.d.get(left..right)?);
                for (s_row, d_row) in p.s.get(top..bottom)?.iter().zip(p.d.get(top..bottom)?) {
                    let from = self.first[0] + (source + s_row) * bits;
                    let to = self.first[1] + (target + d_row) * bits;
                    for (s, d) in s_columns.iter().zip(d_columns) {
                        let code = bits::get(self.source, (from + s * bits) as u64, self.width)?;
                        bits::put(self.target, (to + d * bits) as u64, self.width, code)?;
                    }
                }
            }
        }
        Some(())
    }
}
