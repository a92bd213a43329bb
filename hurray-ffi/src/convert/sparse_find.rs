//! Where one element of a sparse tensor is stored: a search that stays inside its buffers whatever they hold.

use super::sparse::{Sparse, broken, changed};
use super::words::Words;
use crate::format::{Fault, Layout};
use std::cmp::Ordering;

impl Sparse<'_> {
    /// The position of an index among the values; `None` where nothing is stored. The index is inside the shape.
    ///
    /// # Errors
    /// `INVALID_LAYOUT` where pointers on the way are malformed.
    pub fn position(&self, index: &[u64]) -> Result<Option<u64>, Fault> {
        let found = match self.layout {
            Layout::Coo { is_sorted, .. } => self.find_tuple(index, *is_sorted != 0)?,
            Layout::Csr { .. } => self.find_minor(index.first(), index.get(1), "row_ptr")?,
            Layout::Csc { .. } => self.find_minor(index.get(1), index.first(), "col_ptr")?,
            Layout::Csf { mode_order, .. } => self.find_leaf(index, mode_order)?,
            _ => None,
        };
        // What a malformed tree leads to may lie behind the values.
        let nnz = self.nnz()?;
        Ok(found.filter(|&position| position < nnz).map(|position| position as u64))
    }

    fn find_tuple(&self, index: &[u64], sorted: bool) -> Result<Option<usize>, Fault> {
        let (nnz, rank, words) = (self.nnz()?, index.len(), self.words(1));
        let compare = |p: usize| {
            let start = p.checked_mul(rank)?;
            let tuple = words.slice(start, start.checked_add(rank)?)?;
            Some(tuple.iter().cmp(index.iter().copied()))
        };
        if !sorted {
            for p in 0..nnz {
                if compare(p).ok_or_else(changed)?.is_eq() {
                    return Ok(Some(p));
                }
            }
            return Ok(None);
        }
        search(0, nnz, compare)
    }

    fn find_minor(
        &self,
        major: Option<&u64>,
        minor: Option<&u64>,
        field: &'static str,
    ) -> Result<Option<usize>, Fault> {
        let (Some(&major), Some(&minor)) = (major, minor) else { return Ok(None) };
        let at = usize::try_from(major).map_err(|_| changed())?;
        siblings(self.words(2), at, self.words(1), minor, field, at)
    }

    fn find_leaf(&self, index: &[u64], order: &[u32]) -> Result<Option<usize>, Fault> {
        let mut node = 0;
        for (level, &dimension) in order.iter().enumerate() {
            let Some(&wanted) = index.get(dimension as usize) else { return Ok(None) };
            let (pointers, coordinates) = (self.words(2 * level + 1), self.words(2 * level + 2));
            match siblings(pointers, node, coordinates, wanted, "pos", level)? {
                Some(found) => node = found,
                None => return Ok(None),
            }
        }
        Ok(Some(node))
    }
}

/// Searches the indices that the pointers give node `at`.
fn siblings(
    pointers: Words<'_>,
    at: usize,
    indices: Words<'_>,
    wanted: u64,
    field: &'static str,
    place: usize,
) -> Result<Option<usize>, Fault> {
    let bad = || broken("L-031", "a pointer leads outside its indices", field, place);
    let read = |at: usize| {
        let pointer = pointers.get(at).ok_or_else(bad)?;
        usize::try_from(pointer).ok().filter(|&pointer| pointer <= indices.len()).ok_or_else(bad)
    };
    let (start, end) = (read(at)?, read(at + 1)?);
    search(start, end, |p| Some(indices.get(p)?.cmp(&wanted)))
}

/// Binary search between two positions.
fn search(
    mut low: usize,
    mut high: usize,
    compare: impl Fn(usize) -> Option<Ordering>,
) -> Result<Option<usize>, Fault> {
    while low < high {
        let middle = low + (high - low) / 2;
        match compare(middle).ok_or_else(changed)? {
            Ordering::Equal => return Ok(Some(middle)),
            Ordering::Less => low = middle + 1,
            Ordering::Greater => high = middle,
        }
    }
    Ok(None)
}
