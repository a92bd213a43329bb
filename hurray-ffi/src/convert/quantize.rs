//! Numbers to codes: the nearest code, ties to even, saturating.
//!
//! Numbers are taken as float64 and divided by the scale in float64. Affine schemes round the quotient to an integer,
//! add the zero point and stop at the ends of the range; NF4 takes the nearest level (of two equally near ones that
//! with the even code), MXFP the nearest element value. Infinities become the outermost codes. A NaN is refused, but
//! where the element type has a code for it.

use super::dequantize::{Packed, bits_of, moved, runs};
use super::job::Job;
use super::number::float::{Float, float};
use super::number::{CHUNK, Rounding, read_f64, write_codes};
use super::scheme::{NF4, Parameters, range};
use super::simd::twice;
use crate::format::{Fault, Scheme, Status};

/// How quotients become codes.
#[derive(Clone, Copy)]
enum Coding {
    /// To integers from `low` to `high`, the zero point added.
    Affine {
        low: f64,
        high: f64,
    },
    Nf4,
    Float(Float),
}

impl Coding {
    fn new(tag: u8, scheme: &Scheme) -> Coding {
        match (scheme, float(tag)) {
            (Scheme::Nf4 { .. }, _) => Coding::Nf4,
            (_, Some(format)) => Coding::Float(format),
            _ => {
                let (low, high) = range(tag);
                Coding::Affine { low: low as f64, high: high as f64 }
            }
        }
    }
}

/// Added to a smaller number, it rounds it to an integer, ties to even, whose two's complement is in the low bits.
const MAGIC: f64 = 1.5 * (1u64 << 52) as f64;

twice! {
    fn affine [] [] (numbers: &mut [f64], scale: f64, low: f64, high: f64, zero: u64) {
        for number in numbers {
            let rounded = (*number / scale).max(low).min(high) + MAGIC;
            *number = f64::from_bits(rounded.to_bits().wrapping_add(zero));
        }
    }
}

/// The code of the level nearest to a quotient.
fn level(quotient: f64) -> u8 {
    let pairs = NF4.iter().zip(NF4.iter().skip(1)).take(15).enumerate();
    let past = pairs.filter(|&(code, (&level, &next))| {
        let middle = (f64::from(level) + f64::from(next)) / 2.0;
        quotient > middle || quotient == middle && code % 2 == 1
    });
    past.count() as u8
}

/// Quantizes numbers of any real type, in row-major order, under parameters that were read.
///
/// # Errors
/// `INVALID_ARGUMENT` for a NaN without a code, with its row-major position; `INVALID_TYPE`, `BUFFER_MISMATCH`,
/// `CANCELLED`.
pub fn quantize(
    from: Packed<'_>,
    parameters: &Parameters,
    scheme: &Scheme,
    tag: u8,
    count: u64,
    out: &mut [u8],
    job: &Job<'_>,
) -> Result<(), Fault> {
    let coding = Coding::new(tag, scheme);
    let bits = bits_of(tag)?;
    runs(tag, count, out, job, |start, len, out| {
        let mut numbers = [0.0; CHUNK];
        let numbers = &mut numbers[..len];
        read_f64(from.tag, Rounding::Nearest, from.part(start, len)?, numbers)?;
        for segment in parameters.place.segments(start, len) {
            let parts = if segment.each { segment.len } else { 1 };
            for k in 0..parts {
                let own =
                    if segment.each { segment.first + k..segment.first + k + 1 } else { segment.range() };
                let Some(part) = numbers.get_mut(own.clone()) else { continue };
                let scale = parameters.scales.get(segment.parameter + k).copied().unwrap_or(1.0);
                let zero = parameters.zeros.get(segment.parameter + k).copied().unwrap_or_default();
                encode(coding, scale.into(), zero, part)
                    .map_err(|fault| moved(fault, start + own.start as u64))?;
            }
        }
        put(tag, numbers, bits, out);
        Ok(())
    })
}

/// Replaces numbers by their codes, in the low bits.
fn encode(coding: Coding, scale: f64, zero: i32, numbers: &mut [f64]) -> Result<(), Fault> {
    if !matches!(coding, Coding::Float(_))
        && let Some(index) = numbers.iter().position(|number| number.is_nan())
    {
        return Err(no_code(index));
    }
    match coding {
        Coding::Affine { low, high } => {
            let offset = f64::from(zero);
            affine(numbers, scale, low - offset, high - offset, i64::from(zero) as u64);
        }
        Coding::Nf4 => {
            for number in numbers {
                // Whatever the code, the value is 0 under a scale of 0.
                let quotient = if scale == 0.0 { 0.0 } else { *number / scale };
                *number = f64::from_bits(level(quotient).into());
            }
        }
        Coding::Float(format) => {
            return format.encode_all(numbers, scale).map_err(no_code);
        }
    }
    Ok(())
}

#[cold]
fn no_code(index: usize) -> Fault {
    Fault::new(Status::INVALID_ARGUMENT, "", "a NaN, which the storage type has no code for")
        .field("element")
        .index(index)
        .real(f64::NAN)
}

/// Writes the low bits of each word as a code.
fn put(tag: u8, codes: &[f64], bits: usize, out: &mut [u8]) {
    match bits {
        16 => {
            for (to, code) in out.as_chunks_mut().0.iter_mut().zip(codes) {
                *to = (code.to_bits() as u16).to_le_bytes();
            }
        }
        32 => {
            for (to, code) in out.as_chunks_mut().0.iter_mut().zip(codes) {
                *to = (code.to_bits() as u32).to_le_bytes();
            }
        }
        _ => write_codes(tag, codes, out),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(tag: u8, scheme: &Scheme, scale: f32, zero: i32, from: &[f32]) -> Result<Vec<u8>, Fault> {
        let levels = super::super::scheme::Levels::Affine; // not looked at
        let place = super::super::scheme::Place::Tensor;
        let parameters = Parameters { place, levels, scales: vec![scale], zeros: vec![zero] };
        let bytes: Vec<u8> = from.iter().flat_map(|number| number.to_le_bytes()).collect();
        let count = from.len() as u64;
        let mut out = vec![0; super::super::dequantize::bytes_of(bits_of(tag)?, from.len())];
        let from = Packed { tag: 0x03, bytes: &bytes };
        quantize(from, &parameters, scheme, tag, count, &mut out, &Job::new(None, 1)).map(|()| out)
    }

    const ONE: Scheme = Scheme::PerTensor { scale: 1.0, zero_point: 0 };
    const NAN: f32 = f32::NAN;

    #[test]
    fn halves_go_to_even_and_ends_saturate() {
        let from = [0.25, 0.75, 1.25, -0.25, -0.75, 63.6, 1e30, -64.4, f32::NEG_INFINITY];
        let found = codes(0x10, &ONE, 0.5, 0, &from).unwrap();
        assert_eq!(found, [0, 2, 2, 0, 254, 127, 127, 128, 128]);
        // The zero point comes after rounding: ties go to even quotients.
        assert_eq!(codes(0x11, &ONE, 0.5, 3, &from).unwrap(), [3, 5, 5, 3, 1, 130, 255, 0, 0]);
        assert_eq!(codes(0x10, &ONE, -0.5, 0, &[1.0, -2.0]).unwrap(), [254, 4]);
        assert_eq!(codes(0x48, &ONE, 1.0, 0, &[-3.0, 7.0, -8.4, 2.0, -1.0]).unwrap(), [0x7D, 0x28, 0x0F]);
        let wide = codes(0x14, &ONE, 1.0, 0, &[-1.0, 3e9, -3e9]).unwrap();
        assert_eq!(wide, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F, 0, 0, 0, 0x80]);
        let wide = codes(0x15, &ONE, 1.0, 5, &[4_294_967_040.0, 1e20, -7.0]).unwrap();
        assert_eq!(wide, [0x05, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0]);
        assert_eq!(codes(0x13, &ONE, 1.0, 0, &[256.0, 70000.0]).unwrap(), [0, 1, 0xFF, 0xFF]);
    }

    #[test]
    fn every_level_of_nf4_is_its_own_code() {
        let nf4 = Scheme::Nf4 { axis: 0, block_size: 8, scale_buffer: 1 };
        let from: Vec<f32> = NF4[..16].iter().map(|level| level * 0.5).collect();
        let found = codes(0x49, &nf4, 0.5, 0, &from).unwrap();
        assert_eq!(found, [0x10, 0x32, 0x54, 0x76, 0x98, 0xBA, 0xDC, 0xFE]);
        // bitsandbytes' levels are not symmetric: -0.04 is nearer to 0 than to -0.091, 0.0398 to 0.0796 than to 0.
        assert_eq!(codes(0x49, &nf4, 1.0, 0, &[-0.04, 0.0398, 9.0, -9.0]).unwrap(), [0x87, 0x0F]);
        assert_eq!(codes(0x49, &nf4, 0.0, 0, &[1.0, -1.0]).unwrap(), [0x77]);
    }

    #[test]
    fn nan_has_a_code_or_is_refused_by_position() {
        let mxfp = Scheme::Mxfp { axis: 0, block_size: 16, scale_buffer: 1 };
        assert_eq!(
            codes(0x40, &mxfp, 2.0, 0, &[NAN, 1e9, f32::INFINITY, 3.0]).unwrap(),
            [0x7F, 0x7E, 0x7E, 0x3C]
        );
        assert_eq!(codes(0x41, &mxfp, 2.0, 0, &[f32::NEG_INFINITY, -0.0]).unwrap(), [0xFB, 0x80]);
        let mut from = [1.0; 5000];
        from[4999] = NAN;
        let nf4 = Scheme::Nf4 { axis: 0, block_size: 8, scale_buffer: 1 };
        for (tag, scheme) in [(0x10, &ONE), (0x48, &ONE), (0x49, &nf4), (0x43, &mxfp), (0x45, &mxfp)] {
            let fault = codes(tag, scheme, 1.0, 0, &from).unwrap_err();
            assert_eq!((fault.status, fault.index), (Status::INVALID_ARGUMENT, Some(4999)), "{tag:02X}");
        }
    }
}
