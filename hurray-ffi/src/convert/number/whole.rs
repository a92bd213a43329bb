//! Numbers wider than float64's 53 bits, brought into a float64 for one more rounding, or none.

/// How bits past the 53rd are treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// To nearest, ties to even.
    Nearest,
    /// Cut, and the last bit set if anything was lost: rounding the result again, to fewer bits, rounds once.
    Odd,
}

/// An integer as a float64.
pub fn from_integer(value: i128, rounding: Rounding) -> f64 {
    let magnitude = value.unsigned_abs();
    let excess = 128u32.saturating_sub(53 + magnitude.leading_zeros());
    if rounding == Rounding::Nearest || excess == 0 {
        return value as f64;
    }
    let lost = magnitude & ((1 << excess) - 1) != 0;
    let cut = ((magnitude >> excess | u128::from(lost)) << excess) as f64;
    if value < 0 { -cut } else { cut }
}

/// A float128 as a float64. A NaN by the rule of `float`.
pub fn from_quad(bits: u128, rounding: Rounding) -> f64 {
    let sign = (bits >> 127) as u64;
    let fraction = bits & ((1 << 112) - 1);
    let exponent = (bits >> 112) as i32 & 0x7FFF;
    let magnitude = match exponent {
        0x7FFF if fraction == 0 => INFINITE,
        0x7FFF => 0x7FF8_0000_0000_0000 | (fraction >> 60) as u64,
        0 => u64::from(fraction != 0 && rounding == Rounding::Odd),
        _ => number(fraction | 1 << 112, exponent - 16383, rounding),
    };
    f64::from_bits(sign << 63 | magnitude)
}

const INFINITE: u64 = 0x7FF0_0000_0000_0000;

/// `significand / 2^112 * 2^power`, with the leading bit at 112.
fn number(significand: u128, power: i32, rounding: Rounding) -> u64 {
    if power > 1023 {
        return if rounding == Rounding::Odd { INFINITE - 1 } else { INFINITE };
    }
    let shift = (60 + (-1022 - power).max(0)).min(121);
    let base = ((power.max(-1022) + 1022) as u64) << 52;
    let (whole, rest, half) =
        ((significand >> shift) as u64, significand & ((1 << shift) - 1), 1 << (shift - 1));
    if rounding == Rounding::Nearest {
        return base + whole + u64::from(rest > half || rest == half && whole & 1 == 1);
    }
    base + (whole | u64::from(rest != 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_round_once() {
        // 2^24 + 1 and its like: nearest float32 of 2^53 * 2^10 + half a last place + 1 is up, not even.
        let value = (1i128 << 62) + (1 << 38) + 1;
        assert_eq!(from_integer(value, Rounding::Nearest) as f32, 4_611_686_018_427_387_904.0);
        assert_eq!(from_integer(value, Rounding::Odd) as f32, 4_611_686_568_183_201_792.0);
        assert_eq!(from_integer(-value, Rounding::Odd) as f32, -4_611_686_568_183_201_792.0);
        for small in [0, 1, -1, i128::from(u32::MAX), 1 << 53] {
            assert_eq!(from_integer(small, Rounding::Odd), small as f64);
        }
        assert_eq!(from_integer(i128::from(u64::MAX), Rounding::Nearest), 18_446_744_073_709_551_616.0);
    }

    #[test]
    fn quads() {
        let quad = |sign: u128, exponent: u128, fraction: u128| sign << 127 | exponent << 112 | fraction;
        let near = |bits| from_quad(bits, Rounding::Nearest);
        assert_eq!(near(quad(0, 16383, 0)), 1.0);
        assert_eq!(near(quad(1, 16384, 1 << 111)), -3.0);
        assert_eq!(near(quad(0, 0, 0)).to_bits(), 0);
        assert_eq!(near(quad(1, 0, 5)).to_bits(), 1 << 63);
        assert_eq!(near(quad(0, 16383 + 1024, 0)), f64::INFINITY);
        assert_eq!(near(quad(1, 32767, 0)), f64::NEG_INFINITY);
        // 1 + 2^-53 is a tie and goes to even; a bit more goes up.
        assert_eq!(near(quad(0, 16383, 1 << 59)), 1.0);
        assert_eq!(near(quad(0, 16383, 1 << 59 | 1)), 1.0 + f64::EPSILON);
        assert_eq!(near(quad(0, 16383, (1 << 112) - 1)), 2.0);
        // 2^-1074 is the smallest subnormal float64; half of it ties to 0.
        assert_eq!(near(quad(0, 16383 - 1074, 0)).to_bits(), 1);
        assert_eq!(near(quad(0, 16383 - 1075, 0)).to_bits(), 0);
        assert_eq!(near(quad(0, 16383 - 1075, 1)).to_bits(), 1);
        assert_eq!(near(quad(0, 16383 - 9000, 1)).to_bits(), 0);
        // Payload bits from the top; quiet.
        assert_eq!(near(quad(1, 32767, 1 << 111 | 1 << 110)).to_bits(), 0xFFFC_0000_0000_0000);
        assert_eq!(near(quad(0, 32767, 1)).to_bits(), 0x7FF8_0000_0000_0000);
        // Twice to nearest would give 1 + 2^-23's tie to even: 1.0 + 2^-24 + 2^-60.
        let value = quad(0, 16383, 1 << 88 | 1 << 52);
        assert_eq!(near(value) as f32, 1.0);
        assert_eq!(from_quad(value, Rounding::Odd) as f32, 1.0 + f32::EPSILON);
        assert_eq!(from_quad(quad(0, 16383 + 2000, 0), Rounding::Odd) as f32, f32::INFINITY);
        assert_eq!(from_quad(quad(1, 3, 9), Rounding::Odd), -f64::from_bits(1));
        assert_eq!(from_quad(quad(0, 16383 - 1200, 0), Rounding::Odd).to_bits(), 1);
    }
}
