//! Sums of two elements of one type, each rounded to that type; integers wrap.

use super::number::{read_f32, write_f64};
use super::unit::{Packed, Unit, with_unit};
use crate::format::{Fault, Status};

/// Adds element `p` of the first buffer to element `q` of the second; `None` where one is not there.
pub type Add = fn(&[u8], usize, &mut [u8], usize) -> Option<()>;

macro_rules! native {
    ($type:ty, $sum:expr) => {
        |from, p, to, q| {
            const SIZE: usize = size_of::<$type>();
            let slot = to.as_chunks_mut::<SIZE>().0.get_mut(q)?;
            let sum: fn($type, $type) -> $type = $sum;
            let more = <$type>::from_le_bytes(*from.as_chunks::<SIZE>().0.get(p)?);
            *slot = sum(<$type>::from_le_bytes(*slot), more).to_le_bytes();
            Some(())
        }
    };
}

/// A complex number is two real ones.
macro_rules! pair {
    ($type:ty) => {
        |from, p, to, q| {
            let add: Add = native!($type, |a, b| a + b);
            add(from, p.checked_mul(2)?, to, q.checked_mul(2)?)?;
            add(from, p.checked_mul(2)? + 1, to, q.checked_mul(2)? + 1)
        }
    };
}

macro_rules! packed {
    ($bits:literal) => {
        |from, p, to, q| {
            let unit = Packed($bits);
            let sum = unit.get(to, q)?.wrapping_add(unit.get(from, p)?);
            unit.put(to, q, sum)
        }
    };
}

/// Floating-point types that float32 holds: added there and rounded once, to nearest even.
macro_rules! narrow {
    ($tag:literal, $bits:literal) => {
        |from, p, to, q| {
            let read = |bytes: &[u8], p: usize| {
                let mut one = [0; 4];
                with_unit!($bits, unit => unit.copy(bytes, p, &mut one, 0))?;
                let mut number = [0f32];
                read_f32($tag, one.get(..ROOM[$bits / 2])?, &mut number).ok()?;
                Some(number[0])
            };
            let sum = read(to, q)? + read(from, p)?;
            let mut one = [0; 4];
            write_f64($tag, &[f64::from(sum)], one.get_mut(..ROOM[$bits / 2])?).ok()?;
            with_unit!($bits, unit => unit.copy(&one, 0, to, q))
        }
    };
}

/// Bytes that one element of twice so many bits takes.
const ROOM: [usize; 9] = [1, 1, 1, 3, 1, 1, 1, 1, 2];

/// The sum of an element type.
///
/// # Errors
/// `UNSUPPORTED` for types whose sums are not defined (bool, `float8_e8m0`, private ones) or not offered (float128).
pub fn adder(element_type: u8) -> Result<Add, Fault> {
    Ok(match element_type {
        0x01 => narrow!(0x01, 16),
        0x02 => narrow!(0x02, 16),
        0x40 => narrow!(0x40, 8),
        0x41 => narrow!(0x41, 8),
        0x43 => narrow!(0x43, 4),
        0x44 => narrow!(0x44, 6),
        0x45 => narrow!(0x45, 6),
        0x03 => native!(f32, |a, b| a + b),
        0x04 => native!(f64, |a, b| a + b),
        0x10 | 0x11 => native!(u8, u8::wrapping_add),
        0x12 | 0x13 => native!(u16, u16::wrapping_add),
        0x14 | 0x15 => native!(u32, u32::wrapping_add),
        0x16 | 0x17 => native!(u64, u64::wrapping_add),
        0x48 | 0x49 => packed!(4),
        0x4A | 0x4B => packed!(2),
        0x50 => pair!(f32),
        0x51 => pair!(f64),
        _ => {
            return Err(Fault::new(Status::UNSUPPORTED, "", "elements of this type have no sum")
                .field("type_tag")
                .value(element_type));
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(element_type: u8, more: &[u8], to: &[u8]) -> Vec<u8> {
        let mut to = to.to_vec();
        adder(element_type).unwrap()(more, 0, &mut to, 0).unwrap();
        to
    }

    #[test]
    fn sums_in_their_own_type() {
        assert_eq!(sum(0x03, &1.5f32.to_le_bytes(), &2.25f32.to_le_bytes()), 3.75f32.to_le_bytes());
        assert_eq!(sum(0x04, &1e300f64.to_le_bytes(), &1e300f64.to_le_bytes()), 2e300f64.to_le_bytes());
        assert_eq!(sum(0x10, &[100], &[100]), [200]); // int8: -56
        assert_eq!(sum(0x17, &[1, 0, 0, 0, 0, 0, 0, 0], &[0xFF; 8]), [0; 8]);
        // Low nibble 7 + 2, and the high one stays.
        assert_eq!(sum(0x48, &[0x32], &[0x57]), [0x59]);
        assert_eq!(sum(0x4B, &[0b11], &[0b0110]), [0b0101]);
        let complex = |re: f32, im: f32| [re.to_le_bytes(), im.to_le_bytes()].concat();
        assert_eq!(sum(0x50, &complex(1.0, 2.0), &complex(0.5, -3.0)), complex(1.5, -1.0));
        // float16 and bfloat16: 1 + 0.5; float8_e4m3: 1 + 1.125 rounds to the even of 2 and 2.25; float6_e2m3: 1 + 0.5.
        assert_eq!(sum(0x01, &[0x00, 0x38], &[0x00, 0x3C]), [0x00, 0x3E]);
        assert_eq!(sum(0x02, &[0x00, 0x3F], &[0x80, 0x3F]), [0xC0, 0x3F]);
        assert_eq!(sum(0x40, &[0x39], &[0x38]), [0x40]);
        assert_eq!(sum(0x44, &[0x04, 0, 0], &[0x08, 0, 0]), [0x0C, 0, 0]);
        assert_eq!(sum(0x43, &[0x01], &[0x22]), [0x23]);
        assert_eq!(adder(0x20).unwrap_err().status, Status::UNSUPPORTED);
        assert!(adder(0x03).unwrap()(&[0; 3], 0, &mut [0; 4], 0).is_none());
    }
}
