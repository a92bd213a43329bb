//! Sparse tensors: a walk over the stored entries that checks each pointer and each coordinate where it is used.

#[cfg(test)]
mod tests;

use super::job::Job;
use super::words::Words;
use crate::format::{Fault, Layout, MAX_RANK, Place, Status};

/// How many entries pass between two looks at the job.
pub(super) const STEP: usize = 1 << 16;

/// A sparse tensor of static shape in host memory. Its buffers are as long as its descriptor declares, or longer.
#[derive(Clone, Copy)]
pub struct Sparse<'a> {
    /// COO, CSR, CSC or CSF.
    pub layout: &'a Layout,
    /// Extents.
    pub shape: &'a [u64],
    /// Bits per element.
    pub bits: u32,
    /// Values, then the index buffers in table order.
    pub buffers: &'a [&'a [u8]],
}

/// Which dimension is the major one of a compressed matrix, and what its arrays are called.
#[derive(Clone, Copy)]
pub(super) struct Axes {
    pub major: usize,
    pub minor: usize,
    pub indices: &'static str,
    pub pointers: &'static str,
}

pub(super) const CSR: Axes = Axes { major: 0, minor: 1, indices: "col_indices", pointers: "row_ptr" };
pub(super) const CSC: Axes = Axes { major: 1, minor: 0, indices: "row_indices", pointers: "col_ptr" };

#[cold]
pub(super) fn broken(rule: &'static str, what: &'static str, field: &'static str, index: usize) -> Fault {
    Fault::new(Status::INVALID_LAYOUT, rule, what).field(field).index(index)
}

#[cold]
pub(super) fn outside(field: &'static str, index: usize, found: u64, extent: u64) -> Fault {
    broken("L-032", "a stored coordinate is outside its dimension", field, index).value(found).limit(extent)
}

#[cold]
pub(super) fn not_ascending(field: &'static str, index: usize, found: u64, last: u64) -> Fault {
    let what = "coordinates of one segment do not ascend";
    broken("L-033", what, field, index).value(found).limit(last)
}

#[cold]
fn first_pointer(field: &'static str, found: u64) -> Fault {
    broken("L-031", "the first pointer is not 0", field, 0).value(found)
}

#[cold]
fn pointer(field: &'static str, index: usize, found: u64, last: u64) -> Fault {
    broken("L-031", "pointers decrease", field, index).value(found).limit(last)
}

#[cold]
fn last_pointer(field: &'static str, index: usize, found: u64, nnz: usize) -> Fault {
    broken("L-031", "the last pointer is not the number of entries", field, index)
        .value(found)
        .limit(nnz as u64)
}

#[cold]
pub(super) fn short(field: &'static str, words: usize) -> Fault {
    Fault::new(
        Status::BUFFER_MISMATCH,
        "L-030",
        "an index buffer is too small for what the levels before it count",
    )
    .field(field)
    .value(words as u64)
}

#[cold]
pub(super) fn out_of_order(index: usize) -> Fault {
    broken("L-034", "the entries do not ascend, though the sorted flag is set", "indices", index)
}

/// What was counted once is no longer so.
#[cold]
pub fn changed() -> Fault {
    Fault::new(Status::CORRUPT, "", "the source changed while it was read")
}

/// Whether a layout is sparse.
pub fn is_sparse(layout: &Layout) -> bool {
    matches!(layout, Layout::Coo { .. } | Layout::Csr { .. } | Layout::Csc { .. } | Layout::Csf { .. })
}

impl<'a> Sparse<'a> {
    /// Number of stored entries.
    pub fn nnz(&self) -> Result<usize, Fault> {
        let (Layout::Coo { nnz, .. } | Layout::Csr { nnz } | Layout::Csc { nnz } | Layout::Csf { nnz, .. }) =
            self.layout
        else {
            return Err(Fault::new(Status::INVALID_ARGUMENT, "", "the layout is not sparse")
                .field("layout_tag")
                .value(self.layout.tag()));
        };
        usize::try_from(*nnz).map_err(|_| Fault::out_of_memory())
    }

    /// The stored values.
    pub fn values(&self) -> &'a [u8] {
        self.buffers.first().copied().unwrap_or_default()
    }

    pub(super) fn words(&self, index: usize) -> Words<'a> {
        Words::new(self.buffers.get(index).copied().unwrap_or_default())
    }

    pub(super) fn extent(&self, k: usize) -> u64 {
        self.shape.get(k).copied().unwrap_or(0)
    }

    /// Calls `entry` with the coordinates and the position of each stored entry, in stored order. Anything malformed
    /// ends the walk, but for COO duplicates, which are the caller's to judge.
    pub fn walk(
        &self,
        job: &Job<'_>,
        mut entry: impl FnMut(&[u64], usize) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        match self.layout {
            Layout::Coo { is_sorted, .. } => self.walk_coo(*is_sorted != 0, job, &mut entry),
            Layout::Csr { .. } => self.walk_rows(CSR, job, &mut entry),
            Layout::Csc { .. } => self.walk_rows(CSC, job, &mut entry),
            Layout::Csf { mode_order, .. } => {
                let levels = Levels::new(self, mode_order)?;
                levels.walk(job, &mut entry)
            }
            _ => self.nnz().map(|_| ()),
        }
    }

    fn walk_coo(
        &self,
        sorted: bool,
        job: &Job<'_>,
        entry: &mut impl FnMut(&[u64], usize) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let (nnz, rank, indices) = (self.nnz()?, self.shape.len(), self.words(1));
        let (mut at, mut last) = ([0u64; MAX_RANK], [0u64; MAX_RANK]);
        let (Some(at), Some(last)) = (at.get_mut(..rank), last.get_mut(..rank)) else { return Ok(()) };
        for p in 0..nnz {
            let start = p.checked_mul(rank).ok_or_else(changed)?;
            let tuple =
                indices.slice(start, start.saturating_add(rank)).ok_or_else(|| short("indices", p))?;
            for (d, ((slot, found), &extent)) in at.iter_mut().zip(tuple.iter()).zip(self.shape).enumerate() {
                if found >= extent {
                    return Err(outside("indices", start + d, found, extent));
                }
                *slot = found;
            }
            if sorted {
                if p > 0 && *at < *last {
                    return Err(out_of_order(start));
                }
                last.copy_from_slice(at);
            }
            entry(at, p)?;
            if (p + 1).is_multiple_of(STEP) {
                job.step(0)?;
            }
        }
        Ok(())
    }

    fn walk_rows(
        &self,
        axes: Axes,
        job: &Job<'_>,
        entry: &mut impl FnMut(&[u64], usize) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let mut at = [0u64; 2];
        self.segments(axes, |major, start, segment, extent| {
            if let Some(slot) = at.get_mut(axes.major) {
                *slot = major as u64;
            }
            let mut least = 0;
            for (p, found) in (start..).zip(segment.iter()) {
                if found < least || found >= extent {
                    return Err(bad_minor(axes, p, found, least, extent));
                }
                least = found + 1;
                if let Some(slot) = at.get_mut(axes.minor) {
                    *slot = found;
                }
                entry(&at, p)?;
                if (p + 1).is_multiple_of(STEP) {
                    job.step(0)?;
                }
            }
            Ok(())
        })
    }

    /// Calls `body` with the number, the start, the minor indices and the minor extent of each row of a compressed
    /// matrix. The pointers are checked, the indices are not.
    pub(super) fn segments(
        &self,
        axes: Axes,
        mut body: impl FnMut(usize, usize, Words<'a>, u64) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let nnz = self.nnz()?;
        let (indices, pointers) = (self.words(1), self.words(2));
        let (majors, extent) = (self.extent(axes.major), self.extent(axes.minor));
        let majors = usize::try_from(majors).map_err(|_| short(axes.pointers, pointers.len()))?;
        match pointers.get(0) {
            Some(0) => {}
            Some(found) => return Err(first_pointer(axes.pointers, found)),
            None => return Err(short(axes.pointers, 0)),
        }
        let mut start = 0usize;
        for major in 0..majors {
            let found = pointers.get(major + 1).ok_or_else(|| short(axes.pointers, pointers.len()))?;
            let end = match usize::try_from(found) {
                Ok(end) if end >= start && end <= nnz => end,
                Ok(end) if end < start => return Err(pointer(axes.pointers, major + 1, found, start as u64)),
                _ => return Err(last_pointer(axes.pointers, major + 1, found, nnz)),
            };
            let segment = indices.slice(start, end).ok_or_else(|| short(axes.indices, indices.len()))?;
            body(major, start, segment, extent)?;
            start = end;
        }
        if start == nnz { Ok(()) } else { Err(last_pointer(axes.pointers, majors, start as u64, nnz)) }
    }
}

/// Which rule an index of a compressed matrix breaks.
#[cold]
pub(super) fn bad_minor(axes: Axes, p: usize, found: u64, least: u64, extent: u64) -> Fault {
    if found >= extent {
        outside(axes.indices, p, found, extent)
    } else {
        not_ascending(axes.indices, p, found, least - 1)
    }
}

/// The place of a word in its buffer, where the fault's index already tells the level.
fn byte(word: usize) -> Place {
    Place::Byte(8 * word as u64)
}

/// The tree of a CSF tensor.
struct Levels<'a> {
    nnz: usize,
    order: &'a [u32],
    shape: &'a [u64],
    pointers: [Words<'a>; MAX_RANK],
    coordinates: [Words<'a>; MAX_RANK],
}

const POINTERS: &str = "pos";
const COORDINATES: &str = "crd";

impl<'a> Levels<'a> {
    fn new(of: &Sparse<'a>, order: &'a [u32]) -> Result<Levels<'a>, Fault> {
        let (mut pointers, mut coordinates) = ([Words::new(&[]); MAX_RANK], [Words::new(&[]); MAX_RANK]);
        for (level, (pos, crd)) in pointers.iter_mut().zip(&mut coordinates).enumerate().take(order.len()) {
            (*pos, *crd) = (of.words(2 * level + 1), of.words(2 * level + 2));
        }
        Ok(Levels { nnz: of.nnz()?, order, shape: of.shape, pointers, coordinates })
    }

    /// One pass, every pointer and every coordinate read once.
    fn walk(
        &self,
        job: &Job<'_>,
        entry: &mut impl FnMut(&[u64], usize) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let rank = self.order.len();
        // Per level: the next node, the end of its siblings, the least coordinate it may have, and where its
        // children start.
        let (mut next, mut end) = ([0usize; MAX_RANK], [0usize; MAX_RANK]);
        let mut least = [0u64; MAX_RANK];
        let mut at = [0u64; MAX_RANK];
        for (level, pointers) in self.pointers.iter().enumerate().take(rank) {
            match pointers.get(0) {
                Some(0) => {}
                Some(found) => return Err(first_pointer(POINTERS, found).index(level)),
                None => return Err(short(POINTERS, 0).index(level)),
            }
        }
        let mut level = 0;
        self.open(0, 0, &mut next, &mut end, &mut least)?;
        while let (Some(node), Some(&stop)) = (next.get_mut(level), end.get(level)) {
            if *node == stop {
                if level == 0 {
                    break;
                }
                level -= 1;
                continue;
            }
            let x = *node;
            *node += 1;
            let crd = self.coordinates.get(level).copied().unwrap_or(Words::new(&[]));
            let found = crd.get(x).ok_or_else(|| short(COORDINATES, crd.len()).index(level))?;
            let dimension = self.order.get(level).map_or(0, |&d| d as usize);
            let extent = self.shape.get(dimension).copied().unwrap_or(0);
            if found >= extent {
                return Err(outside(COORDINATES, level, found, extent).at(byte(x)));
            }
            if let Some(least) = least.get_mut(level) {
                if found < *least {
                    return Err(not_ascending(COORDINATES, level, found, *least - 1).at(byte(x)));
                }
                *least = found + 1;
            }
            if let Some(slot) = at.get_mut(dimension) {
                *slot = found;
            }
            if level + 1 < rank {
                level += 1;
                self.open(level, x, &mut next, &mut end, &mut least)?;
                continue;
            }
            if x >= self.nnz {
                return Err(last_pointer(POINTERS, level, x as u64 + 1, self.nnz));
            }
            entry(at.get(..rank).unwrap_or(&[]), x)?;
            if (x + 1).is_multiple_of(STEP) {
                job.step(0)?;
            }
        }
        let leaves = next.get(rank.saturating_sub(1)).copied().unwrap_or(0);
        if leaves == self.nnz {
            Ok(())
        } else {
            Err(last_pointer(POINTERS, rank - 1, leaves as u64, self.nnz))
        }
    }

    /// The children of node `x` of the level before. They start where those of the node before ended.
    fn open(
        &self,
        level: usize,
        x: usize,
        next: &mut [usize; MAX_RANK],
        end: &mut [usize; MAX_RANK],
        least: &mut [u64; MAX_RANK],
    ) -> Result<(), Fault> {
        let pos = self.pointers.get(level).copied().unwrap_or(Words::new(&[]));
        let found = pos.get(x + 1).ok_or_else(|| short(POINTERS, pos.len()).index(level))?;
        let start = next.get(level).copied().unwrap_or(0);
        let stop = usize::try_from(found).map_err(|_| short(COORDINATES, usize::MAX).index(level))?;
        if stop < start {
            return Err(pointer(POINTERS, level, found, start as u64).at(byte(x + 1)));
        }
        if let (Some(end), Some(least)) = (end.get_mut(level), least.get_mut(level)) {
            (*end, *least) = (stop, 0);
        }
        Ok(())
    }
}
