//! Entries in any order of the dimensions: coordinates and position packed into one number each, sorted by radix.

use super::job::Job;
use super::sparse::{Sparse, broken};
use crate::format::{Fault, MAX_RANK, Status};

/// A packed entry: the coordinates in the order of the target, the position in the source below them.
pub(super) trait Key: Copy + Ord {
    const ZERO: Self;
    fn with(self, shift: u32, value: u64) -> Self;
    fn field(self, shift: u32, bits: u32) -> u64;
    fn above(self, shift: u32) -> Self;
}

macro_rules! key {
    ($type:ty) => {
        impl Key for $type {
            const ZERO: Self = 0;

            #[inline(always)]
            fn with(self, shift: u32, value: u64) -> Self {
                self | (value as $type).wrapping_shl(shift)
            }

            #[inline(always)]
            fn field(self, shift: u32, bits: u32) -> u64 {
                self.checked_shr(shift).unwrap_or(0) as u64 & low(bits)
            }

            #[inline(always)]
            fn above(self, shift: u32) -> Self {
                self.checked_shr(shift).unwrap_or(0)
            }
        }
    };
}
key!(u64);
key!(u128);

#[inline(always)]
fn low(bits: u32) -> u64 {
    u64::MAX.checked_shr(64 - bits).unwrap_or(0)
}

/// Bits that hold every number below `count`.
fn width(count: u64) -> u32 {
    u64::BITS - count.saturating_sub(1).leading_zeros()
}

/// Where the fields of a packed entry are.
#[derive(Clone)]
pub(super) struct Fields {
    rank: usize,
    dimensions: [u8; MAX_RANK],
    shifts: [u8; MAX_RANK],
    widths: [u8; MAX_RANK],
    /// The shifts once more, in the order of the dimensions.
    places: [u8; MAX_RANK],
    /// Bits of the position, which are the lowest.
    pub position: u32,
    /// All bits.
    total: u32,
}

impl Fields {
    /// Fields for coordinates in an order of the dimensions, over so many positions.
    pub fn new(
        shape: &[u64],
        order: impl DoubleEndedIterator<Item = usize>,
        positions: u64,
    ) -> Result<Fields, Fault> {
        let position = width(positions);
        let mut fields = Fields {
            rank: shape.len(),
            dimensions: [0; MAX_RANK],
            shifts: [0; MAX_RANK],
            widths: [0; MAX_RANK],
            places: [0; MAX_RANK],
            position,
            total: position,
        };
        // The last level is the lowest field.
        for (level, dimension) in (0..shape.len()).rev().zip(order.rev()) {
            let bits = width(shape.get(dimension).copied().unwrap_or(0));
            let (Some(d), Some(s), Some(w)) = (
                fields.dimensions.get_mut(level),
                fields.shifts.get_mut(level),
                fields.widths.get_mut(level),
            ) else {
                continue;
            };
            (*d, *w) = (dimension as u8, bits as u8);
            *s = fields.total.min(u32::from(u8::MAX)) as u8;
            if let Some(place) = fields.places.get_mut(dimension) {
                *place = *s;
            }
            fields.total += bits;
        }
        if fields.total > u128::BITS {
            let what = "coordinates and position of an entry pass 128 bits: no order of such entries is made";
            return Err(Fault::new(Status::OVERFLOW, "", what).field("shape").value(fields.total).limit(128));
        }
        Ok(fields)
    }

    /// Whether 64 bits are enough.
    pub fn is_narrow(&self) -> bool {
        self.total <= u64::BITS
    }

    /// Packs the coordinates `at`, in the order of the dimensions.
    #[inline(always)]
    pub fn pack<K: Key>(&self, at: &[u64], position: usize) -> K {
        let mut key = K::ZERO.with(0, position as u64);
        for (&coordinate, &shift) in at.iter().zip(&self.places) {
            // A field without bits holds 0, wherever its shift points.
            key = key.with(u32::from(shift), coordinate);
        }
        key
    }

    /// The dimension of a level.
    pub fn dimension(&self, level: usize) -> usize {
        self.dimensions.get(level).map_or(0, |&d| usize::from(d))
    }

    /// The coordinate of a level.
    #[inline(always)]
    pub fn level<K: Key>(&self, key: K, level: usize) -> u64 {
        match (self.shifts.get(level), self.widths.get(level)) {
            (Some(&shift), Some(&width)) => key.field(u32::from(shift), u32::from(width)),
            _ => 0,
        }
    }

    /// The position in the source.
    #[inline(always)]
    pub fn position_of<K: Key>(&self, key: K) -> usize {
        key.field(0, self.position) as usize
    }
}

/// What to do with coordinates that are stored twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Duplicates {
    /// They are a fault.
    Refuse,
    /// All are kept, in stored order.
    Keep,
    /// They are added in stored order.
    Sum,
}

pub(super) fn room<T>(len: usize) -> Result<Vec<T>, Fault> {
    let mut room = Vec::new();
    room.try_reserve_exact(len).map_err(|_| {
        Fault::out_of_memory().field("bytes").value(len.saturating_mul(size_of::<T>()) as u64)
    })?;
    Ok(room)
}

/// The entries of a sparse tensor, in the order that `fields` give.
pub(super) fn load<K: Key>(source: &Sparse<'_>, fields: &Fields, job: &Job<'_>) -> Result<Vec<K>, Fault> {
    let mut keys = room::<K>(source.nnz()?)?;
    source.walk(job, |at, p| {
        // Room for all of them was reserved.
        keys.push(fields.pack::<K>(at, p));
        Ok(())
    })?;
    order(&mut keys, fields, job)?;
    Ok(keys)
}

/// Brings keys into order, where they are not.
pub(super) fn order<K: Key>(keys: &mut Vec<K>, fields: &Fields, job: &Job<'_>) -> Result<(), Fault> {
    if keys.is_sorted() { Ok(()) } else { sort(keys, fields.position, fields.total, job) }
}

/// Sorts keys by their bits from `low` to `high`, keeping the order of equal ones: once into buckets by the highest bits,
/// then each bucket in the cache.
pub(super) fn sort<K: Key>(keys: &mut Vec<K>, low: u32, high: u32, job: &Job<'_>) -> Result<(), Fault> {
    const FEW: usize = 1 << 10;
    const TOP: u32 = 12;
    if keys.len() < FEW {
        // The positions below make them all different.
        keys.sort_unstable();
        return Ok(());
    }
    job.step(0)?;
    let mut other = room::<K>(keys.len())?;
    other.resize(keys.len(), K::ZERO);
    let top = TOP.min(high - low);
    let shift = high - top;
    let mut ends = room::<usize>(1 << top)?;
    ends.resize(1 << top, 0);
    scatter(keys, &mut other, shift, top, &mut ends);
    let mut start = 0;
    let mut since = 0;
    for end in ends {
        let range = start..end;
        if let (Some(bucket), Some(spare)) = (other.get_mut(range.clone()), keys.get_mut(range)) {
            since += bucket.len();
            sort_bucket(bucket, spare, low, shift);
        }
        start = end;
        if since >= super::sparse::STEP {
            job.step(0)?;
            since = 0;
        }
    }
    std::mem::swap(keys, &mut other);
    Ok(())
}

/// Sorts one bucket by its bits from `low` to `high`; `spare` is as long.
fn sort_bucket<K: Key>(bucket: &mut [K], spare: &mut [K], low: u32, high: u32) {
    const FEW: usize = 64;
    const MOST: u32 = 16;
    let bits = high - low;
    if bits == 0 || bucket.len() < 2 {
        return;
    }
    if bits > MOST || bucket.len() < FEW {
        bucket.sort_unstable();
        return;
    }
    let digit = bits.div_ceil(2);
    let mut counts = [0; 1 << (MOST / 2)];
    let Some(first) = counts.get_mut(..1 << digit) else { return };
    scatter(bucket, spare, low, digit, first);
    let rest = bits - digit;
    counts = [0; 1 << (MOST / 2)];
    let Some(second) = counts.get_mut(..1 << rest) else { return };
    scatter(spare, bucket, low + digit, rest, second);
}

/// Moves keys to where a digit of theirs wants them, in order. `ends` are zeros, one per value of the digit; they become
/// the ends of the buckets.
#[inline(always)]
fn scatter<K: Key>(from: &[K], to: &mut [K], shift: u32, bits: u32, ends: &mut [usize]) {
    for key in from {
        if let Some(count) = ends.get_mut(key.field(shift, bits) as usize) {
            *count += 1;
        }
    }
    let mut start = 0;
    for end in &mut *ends {
        start += std::mem::replace(end, start);
    }
    for &key in from {
        if let Some(place) = ends.get_mut(key.field(shift, bits) as usize)
            && let Some(slot) = to.get_mut(*place)
        {
            *slot = key;
            *place += 1;
        }
    }
}

/// Counts the entries that stay, and per level the nodes of a tree of them; refuses duplicates where asked to.
pub(super) fn count<K: Key>(
    keys: &[K],
    fields: &Fields,
    duplicates: Duplicates,
    nodes: &mut [u64],
) -> Result<u64, Fault> {
    let mut last: Option<K> = None;
    let mut kept = 0u64;
    for &key in keys {
        let is_new = last.is_none_or(|last| last.above(fields.position) != key.above(fields.position));
        if !is_new && duplicates == Duplicates::Refuse {
            let position = fields.position_of(key);
            return Err(broken("L-034", "a coordinate is stored twice", "entries", position));
        }
        if is_new || duplicates == Duplicates::Keep {
            kept += 1;
        }
        if !nodes.is_empty() {
            let first = match last {
                // A duplicate that is kept is one more leaf.
                Some(last) if duplicates == Duplicates::Keep => {
                    first_difference(fields, last, key).min(fields.rank.saturating_sub(1))
                }
                Some(last) => first_difference(fields, last, key),
                None => 0,
            };
            for count in nodes.iter_mut().skip(first) {
                *count += 1;
            }
        }
        last = Some(key);
    }
    Ok(kept)
}

/// The first level at which two entries differ; the rank where they have the same coordinates.
pub(super) fn first_difference<K: Key>(fields: &Fields, a: K, b: K) -> usize {
    (0..fields.rank).find(|&level| fields.level(a, level) != fields.level(b, level)).unwrap_or(fields.rank)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_hold_what_was_packed() {
        let shape = [5, 1, 1 << 40, 3];
        let fields = Fields::new(&shape, [2, 0, 3, 1].into_iter(), 9).unwrap();
        assert!(fields.is_narrow());
        let key: u64 = fields.pack(&[4, 0, (1 << 40) - 1, 2], 8);
        assert_eq!([0, 1, 2, 3].map(|level| fields.level(key, level)), [(1 << 40) - 1, 4, 2, 0]);
        assert_eq!(fields.position_of(key), 8);
        let wide = Fields::new(&[u64::MAX - 1, 2], 0..2, u64::MAX).map(|_| ());
        assert_eq!(wide.unwrap_err().status, Status::OVERFLOW);
        assert!(!Fields::new(&[u64::MAX - 1, 2], 0..2, 8).unwrap().is_narrow());
        let none = Fields::new(&[1, 1], 0..2, 1).unwrap();
        let key: u64 = none.pack(&[0, 0], 0);
        assert_eq!((none.level(key, 0), none.position_of(key)), (0, 0));
    }

    #[test]
    fn radix_sort_is_stable() {
        // Against the standard library's sort, on numbers of a multiplicative generator.
        let mut state = 1u64;
        for bits in [1, 9, 24, 40] {
            let mut keys: Vec<u64> = (0..5000u64)
                .map(|position| {
                    state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                    (state >> (64 - bits)) << 13 | position
                })
                .collect();
            let mut expected = keys.clone();
            expected.sort();
            sort(&mut keys, 13, 13 + bits, &Job::new(None, 1)).unwrap();
            assert!(keys == expected, "{bits} bits");
        }
    }
}
