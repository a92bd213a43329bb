//! The inner two dimensions of a move, in blocks that keep to few cache lines and pages on either side: rows where both
//! sides are neighbours, tiles turned around where each side has another dimension nearest, single elements otherwise.

use super::bits;
use super::past;
use super::row;
use super::table::Table;
use super::turn::{TILE, Tile, apart, turn_four};
use std::ops::Range;

/// Components of the outer dimension of a block.
const ROWS: usize = 32;
/// Components of the inner dimension of a block of single elements.
const COLUMNS: usize = 64;
/// Fewest neighbours on both sides that are moved as one.
const LONG: usize = 8;
/// Most bytes of a step at which a row is still read or written as one.
const CLOSE: u64 = 64;

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
    pub tile: &'a mut Tile<W>,
    /// Whether rows are written past the caches: the target is larger than they are.
    pub is_past: bool,
}

fn run(runs: &[u32], at: usize) -> usize {
    runs.get(at).map_or(1, |&run| run as usize)
}

/// Whether every offset of a plane is an element of so many.
fn is_inside(first: i64, p: [i64; 2], q: [i64; 2], len: usize) -> bool {
    let [low, high] = [0, 1].map(|k| i128::from(first) + i128::from(p[k]) + i128::from(q[k]));
    low >= 0 && high < len as i128
}

impl<const W: usize> Mover for Whole<'_, W> {
    fn plane(&mut self, source: i64, target: i64, p: &Table, q: &Table) -> Option<()> {
        let ([s_p, d_p], [s_q, d_q]) = (p.span(), q.span());
        let is_good =
            is_inside(source, s_p, s_q, self.source.len()) && is_inside(target, d_p, d_q, self.target.len());
        if !is_good {
            return None;
        }
        // SAFETY: each element of the plane is at a sum of one entry of each table, and the sums of the lowest and of the
        // highest entries are inside on both sides.
        unsafe { self.checked(source, target, p, q) }
    }
}

impl<const W: usize> Whole<'_, W> {
    /// # Safety
    /// Here and in all that follows: every sum of an entry of each table, from both sides' offsets, is an element. A run
    /// of neighbours is a run of entries.
    unsafe fn checked(&mut self, source: i64, target: i64, p: &Table, q: &Table) -> Option<()> {
        let (rows, columns) = (p.len(), q.len());
        let is_close = |step: i64| step.unsigned_abs().saturating_mul(W as u64) <= CLOSE;
        let steps = q.strides().filter(|[s, d]| is_close(*s) && is_close(*d));
        // Where columns are turned around, down the whole part first: each page of the source is opened once.
        let height = if p.is_run() && !q.is_run() { rows } else { ROWS };
        for top in (0..rows).step_by(height) {
            let bottom = rows.min(top + height);
            let (s_rows, d_rows) = (p.s.get(top..bottom)?, p.d.get(top..bottom)?);
            let mut left = 0;
            while left < columns {
                let (s_run, d_run) = (run(&q.s_run, left), run(&q.d_run, left));
                let (s, d) = (source + q.s.get(left)?, target + q.d.get(left)?);
                let both = s_run.min(d_run);
                // SAFETY: as this function's own.
                unsafe {
                    if both >= LONG || both == columns - left {
                        self.rows(s, d, s_rows, d_rows, both);
                        left += both;
                    } else if let Some(steps) = steps {
                        self.steps(s, d, s_rows, d_rows, steps, columns - left)?;
                        left = columns;
                    } else if d_run >= 2 && run(&p.s_run, top) >= 2 {
                        let width = d_run.min(TILE);
                        let next = q.s.get(left + width..columns.min(left + 2 * width))?;
                        self.tiles(source, d, p, top..bottom, q.s.get(left..left + width)?, next)?;
                        left += width;
                    } else {
                        let right = columns.min(left + COLUMNS);
                        let (s_columns, d_columns) = (q.s.get(left..right)?, q.d.get(left..right)?);
                        for (s_row, d_row) in s_rows.iter().zip(d_rows) {
                            self.each(source + s_row, target + d_row, s_columns, d_columns);
                        }
                        left = right;
                    }
                }
            }
        }
        Some(())
    }

    #[inline(always)]
    unsafe fn to(&mut self, at: i64, len: usize) -> &mut [[u8; W]] {
        // SAFETY: elements of the plane.
        unsafe { self.target.get_unchecked_mut(at as usize..at as usize + len) }
    }

    #[inline(always)]
    unsafe fn read<const N: usize>(&self, at: i64) -> [[u8; W]; N] {
        // SAFETY: elements of the plane.
        unsafe { self.source.as_ptr().add(at as usize).cast::<[[u8; W]; N]>().read() }
    }

    #[inline(always)]
    unsafe fn write<const N: usize>(&mut self, at: i64, elements: [[u8; W]; N]) {
        // SAFETY: elements of the plane.
        unsafe { self.target.as_mut_ptr().add(at as usize).cast::<[[u8; W]; N]>().write(elements) }
    }

    /// Writes a row, past the caches where it is whole lines of them.
    #[inline(always)]
    unsafe fn write_row<const N: usize>(&mut self, at: i64, row: &[[u8; W]; N]) {
        // SAFETY: elements of the plane.
        unsafe {
            let to = self.target.as_mut_ptr().add(at as usize).cast::<[[u8; W]; N]>();
            if !(self.is_past && past::write(to, row)) {
                to.write(*row);
            }
        }
    }

    /// Rows of neighbours on both sides.
    unsafe fn rows(&mut self, s: i64, d: i64, s_rows: &[i64], d_rows: &[i64], len: usize) {
        // SAFETY: the rows are elements of the plane.
        unsafe {
            match len {
                8 => self.rows_of::<8>(s, d, s_rows, d_rows),
                16 => self.rows_of::<16>(s, d, s_rows, d_rows),
                32 => self.rows_of::<32>(s, d, s_rows, d_rows),
                _ => {
                    for (s_row, d_row) in s_rows.iter().zip(d_rows) {
                        let source =
                            self.source.get_unchecked((s + s_row) as usize..(s + s_row) as usize + len);
                        row::copy(self.to(d + d_row, len), source);
                    }
                }
            }
        }
    }

    unsafe fn rows_of<const N: usize>(&mut self, s: i64, d: i64, s_rows: &[i64], d_rows: &[i64]) {
        for (s_row, d_row) in s_rows.iter().zip(d_rows) {
            // SAFETY: the rows are elements of the plane.
            unsafe {
                let row = self.source.as_ptr().add((s + s_row) as usize).cast::<[[u8; W]; N]>();
                self.write_row(d + d_row, &*row);
            }
        }
    }

    /// Rows at steps so small that their cache lines follow one another.
    unsafe fn steps(
        &mut self,
        s: i64,
        d: i64,
        s_rows: &[i64],
        d_rows: &[i64],
        [s_step, d_step]: [i64; 2],
        len: usize,
    ) -> Option<()> {
        for (s_row, d_row) in s_rows.iter().zip(d_rows) {
            let (from, to) = (s + s_row, d + d_row);
            // SAFETY: elements of the plane.
            unsafe {
                if d_step == 1 {
                    let target = self.target.get_unchecked_mut(to as usize..to as usize + len);
                    row::gather(target, self.source, from, s_step)?;
                } else if s_step == 1 {
                    let source = self.source.get_unchecked(from as usize..from as usize + len);
                    row::scatter(self.target, source, to, d_step)?;
                } else {
                    for k in 0..len as i64 {
                        self.write(to + k * d_step, self.read::<1>(from + k * s_step));
                    }
                }
            }
        }
        Some(())
    }

    /// Columns of neighbours in the source become rows of neighbours in the target. `next` are the columns that come
    /// after.
    unsafe fn tiles(
        &mut self,
        source: i64,
        d: i64,
        p: &Table,
        rows: Range<usize>,
        s_columns: &[i64],
        next: &[i64],
    ) -> Option<()> {
        let (fours, rest) = s_columns.as_chunks::<4>();
        let is_even = rest.is_empty() && fours.iter().all(|&[a, b, c, e]| b == a + 2 && e == c + 2);
        let mut top = rows.start;
        while top < rows.end {
            let height = run(&p.s_run, top).min(TILE).min(rows.end - top);
            let (s_row, d_rows) = (source + p.s.get(top)?, p.d.get(top..top + height)?);
            // SAFETY: elements of the plane.
            unsafe {
                match (s_columns, height) {
                    ([a, b], _) => self.pairs_out(s_row + a, s_row + b, d, d_rows),
                    (_, 2) if is_even => {
                        if top.is_multiple_of(4) {
                            for column in next.iter().step_by(4) {
                                past::soon(self.source.as_ptr().wrapping_add((s_row + column) as usize));
                            }
                        }
                        self.quads_in(s_row, fours, d, d_rows);
                    }
                    (_, 2) => self.pairs_in(s_row, s_columns, d, d_rows),
                    _ => self.tile(s_row, s_columns, d, d_rows)?,
                }
            }
            top += height;
        }
        Some(())
    }

    /// Two rows of which two columns each are four neighbours.
    unsafe fn quads_in(&mut self, s_row: i64, fours: &[[i64; 4]], d: i64, d_rows: &[i64]) {
        let ([first, second, ..], &[d_first, d_second]) = (&mut *self.tile, d_rows) else { return };
        let (near, far) = (first.as_chunks_mut::<4>().0, second.as_chunks_mut::<4>().0);
        // SAFETY: elements of the plane.
        unsafe {
            let read =
                |at: i64| self.source.as_ptr().add((s_row + at) as usize).cast::<[[u8; W]; 4]>().read();
            for (&[a, _, c, _], (near, far)) in fours.iter().zip(near.iter_mut().zip(far)) {
                [*near, *far] = apart([read(a), read(c)]);
            }
            self.out(4 * fours.len(), d, &[d_first, d_second]);
        }
    }

    /// Two columns: their elements side by side.
    unsafe fn pairs_out(&mut self, mut a: i64, mut b: i64, d: i64, d_rows: &[i64]) {
        let (twos, rest) = d_rows.as_chunks::<2>();
        // SAFETY: elements of the plane; four neighbours are two rows of two.
        unsafe {
            for [d_row, d_next] in twos {
                let ([a0, a1], [b0, b1]) = (self.read::<2>(a), self.read::<2>(b));
                if *d_next == d_row + 2 {
                    self.write(d + d_row, [a0, b0, a1, b1]);
                } else {
                    self.write(d + d_row, [a0, b0]);
                    self.write(d + d_next, [a1, b1]);
                }
                (a, b) = (a + 2, b + 2);
            }
            if let [d_row] = rest {
                let ([a], [b]) = (self.read::<1>(a), self.read::<1>(b));
                self.write(d + d_row, [a, b]);
            }
        }
    }

    /// Two rows: neighbours taken apart.
    unsafe fn pairs_in(&mut self, s_row: i64, s_columns: &[i64], d: i64, d_rows: &[i64]) {
        let ([first, second, ..], &[d_first, d_second]) = (&mut *self.tile, d_rows) else { return };
        for (column, (near, far)) in s_columns.iter().zip(first.iter_mut().zip(second)) {
            // SAFETY: elements of the plane.
            [*near, *far] =
                unsafe { self.source.as_ptr().add((s_row + column) as usize).cast::<[[u8; W]; 2]>().read() };
        }
        // SAFETY: elements of the plane.
        unsafe { self.out(s_columns.len(), d, &[d_first, d_second]) };
    }

    unsafe fn tile(&mut self, s_row: i64, s_columns: &[i64], d: i64, d_rows: &[i64]) -> Option<()> {
        let (height, width) = (d_rows.len(), s_columns.len());
        let (fours, rest) = s_columns.as_chunks::<4>();
        for (k, four) in fours.iter().enumerate() {
            let column = |offset: i64| {
                let from = (s_row + offset) as usize;
                // SAFETY: elements of the plane.
                unsafe { self.source.get_unchecked(from..from + height) }
            };
            let &[a, b, c, e] = four;
            let columns = [column(a), column(b), column(c), column(e)];
            turn_four(self.tile, 4 * k, columns)?;
        }
        for (k, offset) in rest.iter().enumerate() {
            // SAFETY: elements of the plane.
            let column = unsafe { self.source.get_unchecked((s_row + offset) as usize..).get(..height)? };
            for (line, element) in self.tile.iter_mut().zip(column) {
                *line.get_mut(4 * fours.len() + k)? = *element;
            }
        }
        // SAFETY: elements of the plane.
        unsafe { self.out(width, d, d_rows) };
        Some(())
    }

    /// The rows of the tile, to their places.
    unsafe fn out(&mut self, width: usize, d: i64, d_rows: &[i64]) {
        for (k, d_row) in d_rows.iter().enumerate() {
            // SAFETY: a row of the plane; the tile has as many, and is as wide at least.
            unsafe {
                let line: *const [[u8; W]; TILE] = self.tile.get_unchecked(k);
                match width {
                    TILE => self.write_row(d + d_row, &*line),
                    _ => row::copy(self.to(d + d_row, width), (*line).get_unchecked(..width)),
                }
            }
        }
    }

    unsafe fn each(&mut self, from: i64, to: i64, s_columns: &[i64], d_columns: &[i64]) {
        for (s, d) in s_columns.iter().zip(d_columns) {
            // SAFETY: elements of the plane.
            unsafe { self.write(to + d, self.read::<1>(from + s)) };
        }
    }
}

/// Elements narrower than a byte, at bit positions that count from byte offsets.
pub struct Narrow<'a> {
    /// The source's bytes.
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
