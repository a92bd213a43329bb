//! Elements as opaque units of some width: moved, compared with zero, never interpreted.

use super::bits;
use super::past;
use super::words::Words;

/// What is out of place in a row: its number, its place, and the least place that it could have been. None where the
/// elements themselves are not there.
pub type Misplaced = Option<(usize, u64, u64)>;

/// What moves elements of one width. Positions count elements from the start of a buffer, packed as the format packs them.
pub trait Unit: Copy {
    /// Copies element `p` of `from` to element `q` of `to`; `None` where one of them is not there.
    fn copy(self, from: &[u8], p: usize, to: &mut [u8], q: usize) -> Option<()>;

    /// Whether all bits of element `p` are 0, so that it may be left out of a sparse tensor.
    fn is_zero(self, from: &[u8], p: usize) -> Option<bool>;

    /// Copies `count` elements.
    fn copy_run(self, from: &[u8], p: usize, to: &mut [u8], q: usize, count: usize) -> Option<()>;

    /// Clears `count` elements.
    fn clear(self, to: &mut [u8], q: usize, count: usize) -> Option<()>;

    /// Copies elements from position `p` on to the places in a row of `columns` elements that starts at element `q`. The
    /// places ascend; what does not, or lies beyond the row, ends it: its number, the place, and the least place that it
    /// could have been.
    fn place_row(
        self,
        from: &[u8],
        p: usize,
        places: Words<'_>,
        to: &mut [u8],
        (q, columns): (usize, usize),
    ) -> Result<(), Misplaced> {
        let mut least = 0;
        for (k, column) in places.iter().enumerate() {
            if column < least || column >= columns as u64 {
                return Err(Some((k, column, least)));
            }
            self.copy(from, p + k, to, q + column as usize).ok_or(None)?;
            least = column + 1;
        }
        Ok(())
    }

    /// How many of `count` elements are not 0.
    fn count_stored(self, from: &[u8], p: usize, count: usize) -> Option<usize> {
        (p..p.checked_add(count)?)
            .try_fold(0, |stored, p| Some(stored + usize::from(!self.is_zero(from, p)?)))
    }

    /// Writes which of `count` elements, at most [`PIECE`], are not 0, ascending, and how many.
    fn find_stored(self, from: &[u8], p: usize, count: usize, found: &mut [u16; PIECE]) -> Option<usize> {
        let mut stored = 0;
        for k in 0..count {
            *found.get_mut(stored)? = k as u16;
            stored += usize::from(!self.is_zero(from, p.checked_add(k)?)?);
        }
        Some(stored)
    }
}

/// Most elements that are searched at once.
pub const PIECE: usize = 1 << 12;

/// How many entries before they are used their lines are asked for: the processor does not look beyond a page itself.
pub const AHEAD: usize = 128;

/// Elements of `N` bytes.
#[derive(Clone, Copy)]
pub struct Bytes<const N: usize>;

impl<const N: usize> Unit for Bytes<N> {
    #[inline(always)]
    fn copy(self, from: &[u8], p: usize, to: &mut [u8], q: usize) -> Option<()> {
        *to.as_chunks_mut::<N>().0.get_mut(q)? = *from.as_chunks::<N>().0.get(p)?;
        Some(())
    }

    #[inline(always)]
    fn is_zero(self, from: &[u8], p: usize) -> Option<bool> {
        Some(*from.as_chunks::<N>().0.get(p)? == [0; N])
    }

    fn copy_run(self, from: &[u8], p: usize, to: &mut [u8], q: usize, count: usize) -> Option<()> {
        Wide(N).copy_run(from, p, to, q, count)
    }

    fn clear(self, to: &mut [u8], q: usize, count: usize) -> Option<()> {
        Wide(N).clear(to, q, count)
    }

    fn place_row(
        self,
        from: &[u8],
        p: usize,
        places: Words<'_>,
        to: &mut [u8],
        (q, columns): (usize, usize),
    ) -> Result<(), Misplaced> {
        let values = from.as_chunks::<N>().0.get(p..p + places.len()).ok_or(None)?;
        let row = to.as_chunks_mut::<N>().0.get_mut(q..q + columns).ok_or(None)?;
        let mut least = 0;
        for (k, (column, value)) in places.iter().zip(values).enumerate() {
            if k.is_multiple_of(8) {
                places.soon(k + AHEAD);
                past::soon(values.as_ptr().wrapping_add(k + AHEAD));
            }
            match usize::try_from(column).ok().and_then(|column| row.get_mut(column)) {
                Some(slot) if column >= least => *slot = *value,
                _ => return Err(Some((k, column, least))),
            }
            least = column + 1;
        }
        Ok(())
    }

    fn count_stored(self, from: &[u8], p: usize, count: usize) -> Option<usize> {
        let elements = from.as_chunks::<N>().0.get(p..p.checked_add(count)?)?;
        Some(elements.iter().filter(|&&element| element != [0; N]).count())
    }

    fn find_stored(self, from: &[u8], p: usize, count: usize, found: &mut [u16; PIECE]) -> Option<usize> {
        let elements = from.as_chunks::<N>().0.get(p..p.checked_add(count)?)?;
        let (groups, rest) = elements.get(..count.min(PIECE))?.as_chunks::<64>();
        let mut stored = 0usize;
        let mut note = |mut mask: u64, base: usize| {
            while mask != 0 {
                if let Some(slot) = found.get_mut(stored) {
                    *slot = (base + mask.trailing_zeros() as usize) as u16;
                }
                stored += 1;
                mask &= mask - 1;
            }
        };
        for (g, group) in groups.iter().enumerate() {
            note(mask_of(group), 64 * g);
        }
        let last = rest.iter().enumerate().fold(0, |mask, (k, e)| mask | u64::from(*e != [0; N]) << k);
        note(last, 64 * groups.len());
        Some(stored)
    }
}

/// Which of 64 elements are not 0, the first one lowest.
#[inline(always)]
fn mask_of<const N: usize>(group: &[[u8; N]; 64]) -> u64 {
    let flags: [u8; 64] = std::array::from_fn(|k| u8::from(group.get(k).is_some_and(|e| *e != [0; N])));
    let (bytes, _) = flags.as_chunks::<8>();
    bytes.iter().enumerate().fold(0, |mask, (k, eight)| {
        // The product's top byte is the lowest bits of the eight bytes, in order.
        let bits = u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        mask | bits << (8 * k)
    })
}

/// Elements of some other number of bytes.
#[derive(Clone, Copy)]
pub struct Wide(pub usize);

impl Wide {
    fn range(self, p: usize, count: usize) -> Option<std::ops::Range<usize>> {
        let start = p.checked_mul(self.0)?;
        Some(start..start.checked_add(count.checked_mul(self.0)?)?)
    }
}

impl Unit for Wide {
    fn copy(self, from: &[u8], p: usize, to: &mut [u8], q: usize) -> Option<()> {
        self.copy_run(from, p, to, q, 1)
    }

    fn is_zero(self, from: &[u8], p: usize) -> Option<bool> {
        Some(from.get(self.range(p, 1)?)?.iter().all(|&byte| byte == 0))
    }

    fn copy_run(self, from: &[u8], p: usize, to: &mut [u8], q: usize, count: usize) -> Option<()> {
        to.get_mut(self.range(q, count)?)?.copy_from_slice(from.get(self.range(p, count)?)?);
        Some(())
    }

    fn clear(self, to: &mut [u8], q: usize, count: usize) -> Option<()> {
        to.get_mut(self.range(q, count)?)?.fill(0);
        Some(())
    }
}

/// Elements of 1, 2, 4 or 6 bits, the first one lowest.
#[derive(Clone, Copy)]
pub struct Packed(pub u32);

impl Packed {
    fn bit(self, p: usize) -> Option<u64> {
        (p as u64).checked_mul(u64::from(self.0))
    }

    /// The bits of one element.
    #[inline]
    pub fn get(self, from: &[u8], p: usize) -> Option<u8> {
        bits::get(from, self.bit(p)?, self.0)
    }

    /// Sets the bits of one element.
    #[inline]
    pub fn put(self, to: &mut [u8], q: usize, value: u8) -> Option<()> {
        bits::put(to, self.bit(q)?, self.0, value)
    }
}

impl Unit for Packed {
    #[inline]
    fn copy(self, from: &[u8], p: usize, to: &mut [u8], q: usize) -> Option<()> {
        self.put(to, q, self.get(from, p)?)
    }

    #[inline]
    fn is_zero(self, from: &[u8], p: usize) -> Option<bool> {
        Some(self.get(from, p)? == 0)
    }

    fn copy_run(self, from: &[u8], p: usize, to: &mut [u8], q: usize, count: usize) -> Option<()> {
        // Groups of elements that end on a byte move as bytes, where both sides start on one.
        let (group, bytes) = if self.0 == 6 { (4, 3) } else { ((8 / self.0) as usize, 1) };
        let mut done = 0;
        if p.is_multiple_of(group) && q.is_multiple_of(group) {
            let whole = count / group;
            Wide(bytes).copy_run(from, p / group, to, q / group, whole)?;
            done = whole * group;
        }
        for k in done..count {
            self.copy(from, p.checked_add(k)?, to, q.checked_add(k)?)?;
        }
        Some(())
    }

    fn clear(self, to: &mut [u8], q: usize, count: usize) -> Option<()> {
        let (group, bytes) = if self.0 == 6 { (4, 3) } else { ((8 / self.0) as usize, 1) };
        let mut done = 0;
        if q.is_multiple_of(group) {
            let whole = count / group;
            Wide(bytes).clear(to, q / group, whole)?;
            done = whole * group;
        }
        (done..count).try_for_each(|k| self.put(to, q.checked_add(k)?, 0))
    }
}

/// Runs an expression with `$unit` bound to the unit of `$bits` bits: 1, 2, 4, 6 or a multiple of 8.
macro_rules! with_unit {
    ($bits:expr, $unit:ident => $body:expr) => {
        match $bits {
            1 | 2 | 4 | 6 => {
                let $unit = $crate::convert::unit::Packed($bits);
                $body
            }
            8 => {
                let $unit = $crate::convert::unit::Bytes::<1>;
                $body
            }
            16 => {
                let $unit = $crate::convert::unit::Bytes::<2>;
                $body
            }
            32 => {
                let $unit = $crate::convert::unit::Bytes::<4>;
                $body
            }
            64 => {
                let $unit = $crate::convert::unit::Bytes::<8>;
                $body
            }
            128 => {
                let $unit = $crate::convert::unit::Bytes::<16>;
                $body
            }
            _ => {
                let $unit = $crate::convert::unit::Wide(($bits / 8) as usize);
                $body
            }
        }
    };
}
pub(crate) use with_unit;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_elements_start_low() {
        // B30, B32: int4 [1, 2, 3] is 21 03; element 1 is the high nibble of byte 0.
        let four = Packed(4);
        assert_eq!([0, 1, 2].map(|p| four.get(&[0x21, 0x03], p)), [Some(1), Some(2), Some(3)]);
        assert_eq!(four.get(&[0x21, 0x03], 4), None);
        let mut to = [0; 2];
        (0..3).try_for_each(|p| four.copy(&[0x21, 0x03], p, &mut to, p)).unwrap();
        assert_eq!(to, [0x21, 0x03]);
    }

    #[test]
    fn six_bit_elements_straddle() {
        // Bits 6e to 6e+5 of one stream: 1, 2, 3, 4 is 1 | 2 << 6 | 3 << 12 | 4 << 18 = 0x103081.
        let six = Packed(6);
        let mut to = [0xFF; 3];
        (0..4).zip(1..).try_for_each(|(q, value)| six.put(&mut to, q, value)).unwrap();
        assert_eq!(to, [0x81, 0x30, 0x10]);
        assert_eq!([0, 1, 2, 3].map(|p| six.get(&to, p)), [1, 2, 3, 4].map(Some));
        assert_eq!(six.get(&to, 4), None);
    }

    #[test]
    fn runs_at_any_place() {
        for width in [1, 2, 4, 6] {
            let unit = Packed(width);
            let mut from = [0; 12];
            (0..12).try_for_each(|p| unit.put(&mut from, p, (p * 7 + 1) as u8)).unwrap();
            for (p, q, count) in [(0, 0, 12), (0, 0, 9), (1, 0, 8), (3, 5, 6), (4, 8, 4), (0, 3, 0)] {
                let mut to = [0xFF; 12];
                unit.copy_run(&from, p, &mut to, q, count).unwrap();
                for k in 0..12 {
                    let moved = (q..q + count).contains(&k);
                    let expected = if moved {
                        ((p + k - q) * 7 + 1) as u8 & bits::mask(width)
                    } else {
                        bits::mask(width)
                    };
                    assert_eq!(unit.get(&to, k), Some(expected), "{width} bits, {p} to {q}, {count}, at {k}");
                }
                let mut to = [0xFF; 12];
                unit.clear(&mut to, q, count).unwrap();
                assert!((0..12).all(|k| unit.is_zero(&to, k) == Some((q..q + count).contains(&k))));
            }
        }
    }

    #[test]
    fn whole_bytes() {
        let from: Vec<u8> = (0..48).collect();
        let mut to = [0; 48];
        Bytes::<16>.copy(&from, 2, &mut to, 1).unwrap();
        assert_eq!(to[16..32], from[32..48]);
        assert_eq!(Bytes::<16>.copy(&from, 3, &mut to, 1), None);
        assert_eq!(Wide(3).copy(&from, 15, &mut to, 0), Some(()));
        assert_eq!(Wide(3).copy(&from, 16, &mut to, 0), None);
        assert_eq!(to[..3], [45, 46, 47]);
        assert_eq!((Bytes::<4>.is_zero(&to, 8), Bytes::<4>.is_zero(&to, 0)), (Some(true), Some(false)));
        assert_eq!(Wide(3).copy(&from, usize::MAX / 2, &mut to, 0), None);
    }
}
