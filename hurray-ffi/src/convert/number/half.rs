//! Slices of float16, bfloat16 and float64 to and from float32, as `float` says, many at a time.

use crate::convert::simd::twice;

/// A float32 as wide again, a NaN by the rule of `float`.
#[inline(always)]
fn wide(value: f32) -> f64 {
    let bits = value.to_bits();
    let nan = u64::from(bits >> 31) << 63 | 0x7FF8_0000_0000_0000 | u64::from(bits & 0x007F_FFFF) << 29;
    if value.is_nan() { f64::from_bits(nan) } else { f64::from(value) }
}

/// A float64 to float32, a NaN by the rule of `float`.
#[inline(always)]
pub fn narrow(value: f64) -> f32 {
    let bits = value.to_bits();
    let nan = ((bits >> 63) as u32) << 31 | 0x7FC0_0000 | (bits >> 29) as u32 & 0x007F_FFFF;
    if value.is_nan() { f32::from_bits(nan) } else { value as f32 }
}

#[inline(always)]
fn from_half(code: u16) -> f32 {
    let magnitude = u32::from(code & 0x7FFF) << 13;
    // The exponents are 112 apart; the product also brings the subnormal numbers into place, exactly.
    let number = (f32::from_bits(magnitude) * f32::from_bits(239 << 23)).to_bits();
    let quiet = if magnitude > 0x0F80_0000 { 0x0040_0000 } else { 0 };
    let bits = if magnitude >= 0x0F80_0000 { 0x7000_0000 | magnitude | quiet } else { number };
    f32::from_bits(bits | u32::from(code >> 15) << 31)
}

#[inline(always)]
fn to_half(value: f32) -> u16 {
    let magnitude = value.to_bits() & 0x7FFF_FFFF;
    // Below the smallest normal number, the last place of the sum is that of a subnormal half.
    let small = (f32::from_bits(magnitude) + 0.5).to_bits().wrapping_sub(0x3F00_0000);
    let normal = magnitude.wrapping_add(0x0FFF + (magnitude >> 13 & 1)).wrapping_sub(112 << 23) >> 13;
    let nan = 0x7E00 | magnitude >> 13 & 0x03FF;
    let code = if magnitude < 0x3880_0000 { small } else { normal.min(0x7C00) };
    let code = if magnitude >= 0x4780_0000 { 0x7C00 } else { code };
    let code = if magnitude > 0x7F80_0000 { nan } else { code };
    code as u16 | (value.to_bits() >> 16) as u16 & 0x8000
}

#[inline(always)]
fn from_brain(code: u16) -> f32 {
    let bits = u32::from(code) << 16;
    let quiet = if bits & 0x7FFF_FFFF > 0x7F80_0000 { 0x0040_0000 } else { 0 };
    f32::from_bits(bits | quiet)
}

#[inline(always)]
fn to_brain(value: f32) -> u16 {
    let bits = value.to_bits();
    let rounded = bits.wrapping_add(0x7FFF + (bits >> 16 & 1)) >> 16;
    let nan = bits >> 16 | 0x0040;
    (if bits & 0x7FFF_FFFF > 0x7F80_0000 { nan } else { rounded }) as u16
}

/// float16 to float32.
pub fn read_half(from: &[[u8; 2]], to: &mut [f32]) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("f16c") {
        // SAFETY: the processor has F16C.
        return unsafe { f16c::read(from, to) };
    }
    for (to, from) in to.iter_mut().zip(from) {
        *to = from_half(u16::from_le_bytes(*from));
    }
}

/// float32 to float16.
pub fn write_half(from: &[f32], to: &mut [[u8; 2]]) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("f16c") {
        // SAFETY: the processor has F16C.
        return unsafe { f16c::write(from, to) };
    }
    for (to, from) in to.iter_mut().zip(from) {
        *to = to_half(*from).to_le_bytes();
    }
}

/// The processor's own conversions, which treat NaNs as this module does.
#[cfg(target_arch = "x86_64")]
mod f16c {
    use super::{from_half, to_half};
    use std::arch::x86_64::*;

    #[target_feature(enable = "avx,f16c")]
    pub fn read(from: &[[u8; 2]], to: &mut [f32]) {
        let len = from.len().min(to.len());
        let (groups, last) = from[..len].as_chunks::<8>();
        let (slots, rest) = to[..len].as_chunks_mut::<8>();
        for (slot, group) in slots.iter_mut().zip(groups) {
            // SAFETY: 16 bytes are there to read, and 8 float32 to write; neither needs an alignment.
            unsafe {
                let codes = _mm_loadu_si128(group.as_ptr().cast());
                _mm256_storeu_ps(slot.as_mut_ptr(), _mm256_cvtph_ps(codes));
            }
        }
        for (to, from) in rest.iter_mut().zip(last) {
            *to = from_half(u16::from_le_bytes(*from));
        }
    }

    #[target_feature(enable = "avx,f16c")]
    pub fn write(from: &[f32], to: &mut [[u8; 2]]) {
        let len = from.len().min(to.len());
        let (groups, last) = from[..len].as_chunks::<8>();
        let (slots, rest) = to[..len].as_chunks_mut::<8>();
        for (slot, group) in slots.iter_mut().zip(groups) {
            // SAFETY: 8 float32 are there to read, and 16 bytes to write; neither needs an alignment.
            unsafe {
                let codes = _mm256_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(_mm256_loadu_ps(group.as_ptr()));
                _mm_storeu_si128(slot.as_mut_ptr().cast(), codes);
            }
        }
        for (to, from) in rest.iter_mut().zip(last) {
            *to = to_half(*from).to_le_bytes();
        }
    }
}

twice! {
    pub fn read_brain [] [] (from: &[[u8; 2]], to: &mut [f32]) {
        for (to, from) in to.iter_mut().zip(from) {
            *to = from_brain(u16::from_le_bytes(*from));
        }
    }
}

twice! {
    pub fn write_brain [] [] (from: &[f32], to: &mut [[u8; 2]]) {
        for (to, from) in to.iter_mut().zip(from) {
            *to = to_brain(*from).to_le_bytes();
        }
    }
}

twice! {
    pub fn write_double [] [] (from: &[f32], to: &mut [[u8; 8]]) {
        for (to, from) in to.iter_mut().zip(from) {
            *to = wide(*from).to_le_bytes();
        }
    }
}

twice! {
    pub fn widen [] [] (from: &[f32], to: &mut [f64]) {
        for (to, from) in to.iter_mut().zip(from) {
            *to = wide(*from);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::float::{BFLOAT16, FLOAT16};
    use super::*;

    #[test]
    fn every_code_reads_as_the_plain_way() {
        for code in 0..=u16::MAX {
            assert_eq!(from_half(code).to_bits(), FLOAT16.decode(code), "{code:04X}");
            assert_eq!(from_brain(code).to_bits(), BFLOAT16.decode(code), "{code:04X}");
            assert_eq!(narrow(wide(from_half(code))).to_bits(), FLOAT16.decode(code), "{code:04X}");
        }
    }

    #[test]
    fn runs_are_as_their_elements() {
        let codes: Vec<[u8; 2]> = (0..=u16::MAX).map(u16::to_le_bytes).collect();
        let mut found = vec![0.0; 65_535];
        read_half(&codes, &mut found);
        let plain: Vec<u32> = (0..u16::MAX).map(|code| FLOAT16.decode(code)).collect();
        assert_eq!(found.iter().map(|value| value.to_bits()).collect::<Vec<_>>(), plain);
        // Steps of a prime: NaNs, ties and subnormal numbers among them, and a last group that is not whole.
        let values: Vec<f32> = (0..100_003u32).map(|k| f32::from_bits(k.wrapping_mul(42_953))).collect();
        let mut found = vec![[0; 2]; values.len()];
        write_half(&values, &mut found);
        for (value, found) in values.iter().zip(found) {
            assert_eq!(u16::from_le_bytes(found), to_half(*value), "{:08X}", value.to_bits());
        }
    }

    #[test]
    fn writing_rounds_as_the_plain_way() {
        // Around every code: the values themselves, halves between them, and one float32 to each side.
        let near = |bits: u32| [bits.wrapping_sub(1), bits, bits.wrapping_add(1)];
        for code in 0..=u16::MAX {
            let (brain, half) = (u32::from(code) << 16, FLOAT16.decode(code));
            for bits in [brain, brain | 0x8000, half, half | 0x1000, half.wrapping_add(0x0040_0000)].map(near)
            {
                for value in bits.map(f32::from_bits) {
                    assert_eq!(Some(to_half(value)), FLOAT16.encode(wide(value)), "{:08X}", value.to_bits());
                    assert_eq!(
                        Some(to_brain(value)),
                        BFLOAT16.encode(wide(value)),
                        "{:08X}",
                        value.to_bits()
                    );
                }
            }
        }
    }
}
