//! The offsets of part of a dimension on both sides, written out.

use super::plan::{Dim, Term};
use crate::format::Fault;

/// Most components of one table.
pub const MOST: u64 = 4096;

/// Offsets per component, relative to the first, and how far each side goes on element by element from there.
#[derive(Default)]
pub struct Table {
    /// Offsets of the source.
    pub s: Vec<i64>,
    /// Offsets of the target.
    pub d: Vec<i64>,
    /// From each component on, how many are neighbours in the source.
    pub s_run: Vec<u32>,
    /// The same in the target.
    pub d_run: Vec<u32>,
    strides: Option<[i64; 2]>,
    /// Lowest and highest offsets, source then target.
    span: [[i64; 2]; 2],
}

impl Table {
    /// An empty table with room for dimensions up to so many components.
    ///
    /// # Errors
    /// `OUT_OF_MEMORY`.
    pub fn with_room(n: u64) -> Result<Table, Fault> {
        let room = n.min(MOST) as usize;
        let mut table = Table::default();
        for list in [&mut table.s, &mut table.d] {
            list.try_reserve_exact(room).map_err(|_| Fault::out_of_memory())?;
        }
        for list in [&mut table.s_run, &mut table.d_run] {
            list.try_reserve_exact(room).map_err(|_| Fault::out_of_memory())?;
        }
        Ok(table)
    }

    /// The strides of both sides, where they have any.
    pub fn strides(&self) -> Option<[i64; 2]> {
        self.strides
    }

    /// Lowest and highest offset of the source, and of the target.
    pub fn span(&self) -> [[i64; 2]; 2] {
        self.span
    }

    /// Whether all components are neighbours in the source.
    pub fn is_run(&self) -> bool {
        self.len() > 1 && self.s_run.first().is_some_and(|&run| run as usize == self.len())
    }

    /// Number of components.
    pub fn len(&self) -> usize {
        self.s.len()
    }

    /// Writes the offsets of a dimension of at most [`MOST`] components.
    pub fn fill(&mut self, dim: &Dim<'_>) {
        let strides = match (dim.s, dim.d) {
            (Term::Linear(s), Term::Linear(d)) => Some([s, d]),
            _ => None,
        };
        let n = dim.n.min(MOST);
        if strides.is_some() && strides == self.strides && self.s.len() as u64 == n {
            return;
        }
        self.strides = strides;
        fill(&mut self.s, &mut self.s_run, &dim.s, n);
        fill(&mut self.d, &mut self.d_run, &dim.d, n);
        self.span = [&self.s, &self.d].map(|offsets| {
            offsets.iter().fold([i64::MAX, i64::MIN], |[low, high], &e| [low.min(e), high.max(e)])
        });
    }
}

fn fill(offsets: &mut Vec<i64>, runs: &mut Vec<u32>, term: &Term<'_>, n: u64) {
    offsets.clear();
    runs.clear();
    match *term {
        Term::Linear(stride) => {
            offsets.extend((0..n as i64).map(|k| k.wrapping_mul(stride)));
            match stride {
                1 => runs.extend((1..=n as u32).rev()),
                _ => runs.extend(std::iter::repeat_n(1, n as usize)),
            }
        }
        Term::Curve(..) => {
            offsets.extend((0..n).map(|k| term.at(k)));
            runs.resize(n as usize, 1);
            let mut next: Option<(i64, u32)> = None;
            for (run, &offset) in runs.iter_mut().zip(offsets.iter()).rev() {
                if let Some((after, length)) = next.filter(|(after, _)| *after == offset.wrapping_add(1)) {
                    debug_assert_eq!(after, offset + 1);
                    *run = length + 1;
                }
                next = Some((offset, *run));
            }
        }
    }
}
