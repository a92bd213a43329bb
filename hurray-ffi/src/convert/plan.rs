//! A move made simple: dimensions that matter, in the order in which the target is written, merged where both sides
//! walk on evenly.

use super::axis::Axis;
use super::offset::Map;
use crate::format::{Fault, MAX_RANK};
use smallvec::SmallVec;

/// Part of a shape: where it begins, and the step, per dimension.
#[derive(Clone, Copy)]
pub struct Cut<'a> {
    /// First component.
    pub start: &'a [i64],
    /// From one component to the next.
    pub step: &'a [i64],
}

/// One side's offsets along a dimension, relative to its first component.
#[derive(Clone, Copy)]
pub enum Term<'a> {
    /// A stride.
    Linear(i64),
    /// An axis that is begun at a component, with a step, each offset multiplied.
    Curve(&'a Axis, i64, i64, i64),
}

impl<'a> Term<'a> {
    fn new(axis: &'a Axis, n: u64, start: i64, step: i64) -> Term<'a> {
        match axis {
            Axis::Linear(stride) => Term::Linear(stride.wrapping_mul(step)),
            // A dimension inside one tile, or of tiles of one element.
            Axis::Tiled(levels, leaf) if start == 0 && step == 1 => {
                match levels.iter().find(|(tile, _)| *tile < n) {
                    None => Term::Linear(*leaf),
                    Some(&(1, stride)) => Term::Linear(stride),
                    Some(_) => Term::Curve(axis, 0, 1, 1),
                }
            }
            _ => Term::Curve(axis, start, step, 1),
        }
    }

    /// The offset of a component.
    pub fn at(&self, component: u64) -> i64 {
        match *self {
            Term::Linear(stride) => stride.wrapping_mul(component as i64),
            Term::Curve(axis, start, step, scale) => {
                let moved = start.wrapping_add(step.wrapping_mul(component as i64));
                axis.at(moved as u64).wrapping_sub(axis.at(start as u64)).wrapping_mul(scale)
            }
        }
    }

    /// The same from a later component on.
    fn from(&self, component: u64) -> Term<'a> {
        match *self {
            Term::Linear(stride) => Term::Linear(stride),
            Term::Curve(axis, start, step, scale) => {
                Term::Curve(axis, start.wrapping_add(step.wrapping_mul(component as i64)), step, scale)
            }
        }
    }

    fn scaled(&self, by: i64) -> Term<'a> {
        match *self {
            Term::Linear(stride) => Term::Linear(stride.wrapping_mul(by)),
            Term::Curve(axis, start, step, scale) => Term::Curve(axis, start, step, scale.wrapping_mul(by)),
        }
    }
}

/// A dimension of two elements at least, with both sides' offsets.
#[derive(Clone, Copy)]
pub struct Dim<'a> {
    /// Elements.
    pub n: u64,
    /// Offsets of the source.
    pub s: Term<'a>,
    /// Offsets of the target.
    pub d: Term<'a>,
}

impl<'a> Dim<'a> {
    /// The part of `n` elements from `first` on, and where it begins on both sides.
    pub fn part(&self, first: u64, n: u64) -> (Dim<'a>, [i64; 2]) {
        let part = Dim { n, s: self.s.from(first), d: self.d.from(first) };
        (part, [self.s.at(first), self.d.at(first)])
    }

    fn linear(&self) -> Option<[i64; 2]> {
        match (self.s, self.d) {
            (Term::Linear(s), Term::Linear(d)) => Some([s, d]),
            _ => None,
        }
    }
}

/// Dimensions from the farthest to the nearest in the target, and the offsets of the first element on both sides.
pub struct Plan<'a> {
    /// None for one element.
    pub dims: SmallVec<[Dim<'a>; 4]>,
    /// Source, target.
    pub first: [i64; 2],
}

impl<'a> Plan<'a> {
    /// The plan of a move between two sums of axes over a shape that has elements; `None` where a side is a curve over
    /// all dimensions at once.
    ///
    /// # Errors
    /// `OUT_OF_MEMORY`.
    pub fn new(
        shape: &[u64],
        from: &'a Map,
        cut: Option<Cut<'_>>,
        to: &'a Map,
    ) -> Result<Option<Plan<'a>>, Fault> {
        let (Map::Axes(from), Map::Axes(to)) = (from, to) else { return Ok(None) };
        let mut plan = Plan { dims: SmallVec::new(), first: [0, 0] };
        plan.dims.try_reserve(shape.len().min(MAX_RANK) + 1).map_err(|_| Fault::out_of_memory())?;
        for (k, ((s, d), &n)) in from.iter().zip(to).zip(shape).enumerate() {
            let part = cut.and_then(|cut| Some((*cut.start.get(k)?, *cut.step.get(k)?)));
            let (start, step) = part.unwrap_or((0, 1));
            plan.first[0] = plan.first[0].wrapping_add(s.at(start as u64));
            if n > 1 {
                plan.push(Dim { n, s: Term::new(s, n, start, step), d: Term::new(d, n, 0, 1) });
            }
        }
        plan.dims.sort_by_key(|dim| std::cmp::Reverse(dim.d.at(1).unsigned_abs()));
        plan.merge();
        Ok(Some(plan))
    }

    /// Adds a dimension, turned around where the target would be written backwards.
    fn push(&mut self, dim: Dim<'a>) {
        match dim.linear() {
            Some([s, d]) if d < 0 => {
                let last = (dim.n - 1) as i64;
                self.first[0] = self.first[0].wrapping_add(s.wrapping_mul(last));
                self.first[1] = self.first[1].wrapping_add(d.wrapping_mul(last));
                let (s, d) = (Term::Linear(s.wrapping_neg()), Term::Linear(d.wrapping_neg()));
                self.dims.push(Dim { n: dim.n, s, d });
            }
            _ => self.dims.push(dim),
        }
    }

    fn merge(&mut self) {
        self.dims.dedup_by(|dim, outer| {
            let joined = || {
                let ([outer_s, outer_d], [s, d]) = (outer.linear()?, dim.linear()?);
                let n = i64::try_from(dim.n).ok()?;
                let follows = s.checked_mul(n)? == outer_s && d.checked_mul(n)? == outer_d;
                Some(Dim { n: outer.n.checked_mul(dim.n)?, ..*dim }).filter(|_| follows)
            };
            let joined = joined();
            if let Some(joined) = joined {
                *outer = joined;
            }
            joined.is_some()
        });
    }

    /// The same move in bytes: every element is a dimension of so many.
    pub fn in_bytes(&mut self, width: u64) {
        let by = width as i64;
        for dim in &mut self.dims {
            (dim.s, dim.d) = (dim.s.scaled(by), dim.d.scaled(by));
        }
        self.first = self.first.map(|first| first.wrapping_mul(by));
        self.dims.push(Dim { n: width, s: Term::Linear(1), d: Term::Linear(1) });
        self.merge();
    }
}
