//! Floating-point formats narrower than 32 bits: the value of each code, and the code nearest to a value.
//!
//! A NaN keeps its sign and the leading bits of its payload, and becomes quiet. Rounding is to nearest, ties to even.
//! Formats with infinities round to them past their largest value; the others saturate, at infinities too.

use crate::convert::simd::twice;

/// What the codes with the highest exponent stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Top {
    /// Infinities and NaNs.
    Ieee,
    /// Numbers, but for the highest code, which is NaN.
    OneNan,
    /// Numbers.
    Finite,
}

/// A format with a sign, an exponent and a fraction.
#[derive(Clone, Copy, Debug)]
pub struct Float {
    exponent_bits: u32,
    fraction_bits: u32,
    bias: i32,
    top: Top,
    saturates: bool,
}

const fn new(exponent_bits: u32, fraction_bits: u32, bias: i32, top: Top, saturates: bool) -> Float {
    Float { exponent_bits, fraction_bits, bias, top, saturates }
}

pub const FLOAT16: Float = new(5, 10, 15, Top::Ieee, false);
pub const BFLOAT16: Float = new(8, 7, 127, Top::Ieee, false);
pub const E4M3: Float = new(4, 3, 7, Top::OneNan, true);
pub const E5M2: Float = new(5, 2, 15, Top::Ieee, true);
pub const E2M1: Float = new(2, 1, 1, Top::Finite, true);
pub const E2M3: Float = new(2, 3, 1, Top::Finite, true);
pub const E3M2: Float = new(3, 2, 3, Top::Finite, true);

/// The format of an element type, if it is one of these.
pub const fn float(tag: u8) -> Option<Float> {
    Some(match tag {
        0x01 => FLOAT16,
        0x02 => BFLOAT16,
        0x40 => E4M3,
        0x41 => E5M2,
        0x43 => E2M1,
        0x44 => E2M3,
        0x45 => E3M2,
        _ => return None,
    })
}

const QUIET: u32 = 0x7FC0_0000;

impl Float {
    const fn width(self) -> u32 {
        1 + self.exponent_bits + self.fraction_bits
    }

    /// The code of the largest finite number.
    const fn largest(self) -> u64 {
        let all = (1u64 << (self.exponent_bits + self.fraction_bits)) - 1;
        match self.top {
            Top::Finite => all,
            Top::OneNan => all - 1,
            Top::Ieee => all - (1 << self.fraction_bits),
        }
    }

    /// Power of two of the largest finite number.
    pub const fn largest_exponent(self) -> i32 {
        (self.largest() >> self.fraction_bits) as i32 - self.bias
    }

    /// The value of a code, as the bits of a float32. Every value is one exactly.
    pub const fn decode(self, code: u16) -> u32 {
        let code = code as u32;
        let sign = (code >> (self.width() - 1) & 1) << 31;
        let fraction = code & ((1 << self.fraction_bits) - 1);
        let exponent = code >> self.fraction_bits & ((1 << self.exponent_bits) - 1);
        let wide = fraction << (23 - self.fraction_bits);
        let highest = exponent == (1 << self.exponent_bits) - 1;
        match self.top {
            Top::Ieee if highest && fraction == 0 => return sign | 0x7F80_0000,
            Top::Ieee if highest => return sign | QUIET | wide,
            Top::OneNan if highest && fraction == (1 << self.fraction_bits) - 1 => return sign | QUIET,
            _ => {}
        }
        if self.bias == 127 {
            return sign | exponent << 23 | wide; // the exponents are float32's own, subnormal numbers included
        }
        if exponent != 0 {
            return sign | ((exponent as i32 - self.bias + 127) as u32) << 23 | wide;
        }
        if fraction == 0 {
            return sign;
        }
        let lead = 31 - fraction.leading_zeros();
        let power = lead as i32 + 1 - self.bias - self.fraction_bits as i32 + 127;
        sign | (power as u32) << 23 | (fraction << (23 - lead) & 0x007F_FFFF)
    }

    /// The code nearest to a value; `None` for a NaN that the format has no code for.
    pub fn encode(self, value: f64) -> Option<u16> {
        let bits = value.to_bits();
        let sign = ((bits >> 63) as u16) << (self.width() - 1);
        let fraction = bits & FRACTION;
        if value.is_nan() {
            let quiet = 1u64 << (self.fraction_bits - 1);
            return match self.top {
                Top::Ieee => {
                    let payload = quiet | fraction >> (52 - self.fraction_bits);
                    Some(sign | ((self.largest() + 1) | payload) as u16)
                }
                Top::OneNan => Some(sign | (self.largest() + 1) as u16),
                Top::Finite => None,
            };
        }
        let least = 1 - self.bias;
        let (significand, unit) = split(bits);
        let power = unit + 63 - significand.leading_zeros() as i32;
        // Units of the last place that the format has at this power; carries walk into the exponent.
        let place = if significand == 0 || power < least { least } else { power } - self.fraction_bits as i32;
        let rounded = round(significand, place - unit);
        let exponent = (place + self.fraction_bits as i32 - least) as u64;
        let code = ((exponent << self.fraction_bits) + rounded).min(self.largest() + 1);
        let past = if self.saturates { self.largest() } else { self.largest() + 1 };
        Some(sign | if code > self.largest() { past } else { code } as u16)
    }
}

impl Float {
    /// Replaces numbers by the codes nearest to their quotients by `scale`, in the low bits; for formats of at most 8
    /// bits. The position of the first NaN that the format has no code for.
    pub fn encode_all(self, numbers: &mut [f64], scale: f64) -> Result<(), usize> {
        if numbers.iter().fold(false, |any, number| any | number.is_nan()) {
            for (index, number) in numbers.iter_mut().enumerate() {
                *number = f64::from_bits(self.encode(*number / scale).ok_or(index)?.into());
            }
            return Ok(());
        }
        let least = 1 - self.bias;
        // A sum with it has the last place of the format's subnormal numbers.
        let place = (1023 + 52 + least - self.fraction_bits as i32) as u64;
        saturated(
            numbers,
            scale,
            self,
            f64::from_bits(place << 52),
            f64::from_bits(((1023 + least) as u64) << 52),
        );
        Ok(())
    }
}

twice! {
    fn saturated [] [] (numbers: &mut [f64], scale: f64, format: Float, magic: f64, least: f64) {
        let (cut, largest) = (52 - format.fraction_bits, format.largest());
        let sign = format.width() - 1;
        let base = ((1023 - format.bias) as u64) << format.fraction_bits;
        for number in numbers {
            let quotient = *number / scale;
            let magnitude = quotient.abs();
            let bits = magnitude.to_bits();
            let rounded = bits.wrapping_add((1 << (cut - 1)) - 1 + (bits >> cut & 1)) >> cut;
            let small = (magnitude + magic).to_bits().wrapping_sub(magic.to_bits());
            let code = if magnitude < least { small } else { rounded.wrapping_sub(base) };
            let code = if code > largest { largest } else { code };
            *number = f64::from_bits(code | quotient.to_bits() >> 63 << sign);
        }
    }
}

const FRACTION: u64 = (1 << 52) - 1;

/// A finite or infinite magnitude as significand and power of two. An infinity is a number past all others.
fn split(bits: u64) -> (u64, i32) {
    match (bits >> 52 & 0x7FF) as i32 {
        0 => (bits & FRACTION, -1074),
        exponent => (bits & FRACTION | 1 << 52, exponent - 1075),
    }
}

/// A significand of 53 bits by `2^shift`, to nearest, ties to even. A shift below 1 multiplies.
fn round(significand: u64, shift: i32) -> u64 {
    if shift <= 0 {
        return significand << shift.unsigned_abs().min(63);
    }
    // Less than half a unit is left of a longer shift.
    let shift = shift.min(60);
    let (whole, rest, half) = (significand >> shift, significand & ((1 << shift) - 1), 1 << (shift - 1));
    whole + u64::from(rest > half || rest == half && whole & 1 == 1)
}

/// The value of a code of `float8_e8m0`, as the bits of a float32. `00` and `FF`, which may not occur, are NaN.
pub const fn decode_e8m0(code: u8) -> u32 {
    match code {
        0x00 | 0xFF => QUIET,
        _ => (code as u32) << 23,
    }
}

/// The code of `float8_e8m0` nearest to a value, ties to the even code, saturating; `None` below and at 0, and for NaN.
pub fn encode_e8m0(value: f64) -> Option<u8> {
    if value.is_nan() || value <= 0.0 {
        return None;
    }
    let (significand, unit) = split(value.to_bits());
    let lead = 63 - significand.leading_zeros() as i32;
    let code = unit + lead + 127;
    let (rest, half) = (significand & ((1 << lead) - 1), 1u64 << lead >> 1);
    let up = rest > half || rest == half && rest != 0 && code & 1 == 1;
    Some((code + i32::from(up)).clamp(1, 254) as u8)
}

const fn table(format: Float) -> [u32; 256] {
    let mut table = [0; 256];
    let mut code = 0;
    while code < 256 {
        // Codes past the width repeat, so that no code is outside the table.
        table[code] = format.decode(code as u16 & ((1 << format.width()) - 1));
        code += 1;
    }
    table
}

const fn table_e8m0() -> [u32; 256] {
    let mut table = [0; 256];
    let mut code = 0;
    while code < 256 {
        table[code] = decode_e8m0(code as u8);
        code += 1;
    }
    table
}

const fn floats(bits: [u32; 256]) -> [f32; 256] {
    let mut table = [0.0; 256];
    let mut code = 0;
    while code < 256 {
        table[code] = f32::from_bits(bits[code]);
        code += 1;
    }
    table
}

static E4M3_VALUES: [f32; 256] = floats(table(E4M3));
static E5M2_VALUES: [f32; 256] = floats(table(E5M2));
static E8M0_VALUES: [f32; 256] = floats(table_e8m0());
static E2M1_VALUES: [f32; 256] = floats(table(E2M1));
static E2M3_VALUES: [f32; 256] = floats(table(E2M3));
static E3M2_VALUES: [f32; 256] = floats(table(E3M2));

/// The values of the codes of a type of at most 8 bits.
pub fn values(tag: u8) -> Option<&'static [f32; 256]> {
    Some(match tag {
        0x40 => &E4M3_VALUES,
        0x41 => &E5M2_VALUES,
        0x42 => &E8M0_VALUES,
        0x43 => &E2M1_VALUES,
        0x44 => &E2M3_VALUES,
        0x45 => &E3M2_VALUES,
        _ => return None,
    })
}
