//! Parameters computed from the numbers that are to be quantized.
//!
//! They come from the least and greatest finite number of each channel or block, widened to hold 0:
//!
//! | scheme | scale | zero point |
//! |---|---|---|
//! | affine, symmetric | largest magnitude / greatest code (unsigned types: largest number / greatest code) | 0 |
//! | affine | (greatest - least) / (greatest code - least code) | least code - least / scale, rounded |
//! | NF4 | largest magnitude | |
//! | MXFP | 2^(floor(log2(largest magnitude)) - exponent of the largest element value), as OCP writes it | |
//!
//! Scales round up, so that but for MXFP no finite number leaves the range: an affine error is at most half a scale,
//! one of NF4 at most 0.16 scales, beside float32's own rounding. Under MXFP a number at most 2^(e+1) scales large, with
//! `e` that exponent, may pass the largest element value and saturates. Where all numbers are 0 the scale is 1 (NF4: 0).

use super::dequantize::Packed;
use super::job::Job;
use super::number::float::float;
use super::number::{CHUNK, Rounding, read_f64};
use super::scheme::{Place, filled, range};
use super::simd::twice;
use crate::format::{Fault, Scheme, Status};

/// Least and greatest finite number of the elements of each parameter; 0 is always among them.
pub struct Ranges {
    pub place: Place,
    pub low: Vec<f64>,
    pub high: Vec<f64>,
}

impl Ranges {
    /// Looks through numbers in row-major order, `groups` parameters in all.
    ///
    /// # Errors
    /// `OUT_OF_MEMORY`, `INVALID_TYPE`, `BUFFER_MISMATCH`, `CANCELLED`.
    pub fn of(
        from: Packed<'_>,
        place: Place,
        groups: usize,
        count: u64,
        job: &Job<'_>,
    ) -> Result<Ranges, Fault> {
        let (low, high) = (filled(0.0, groups)?, filled(0.0, groups)?);
        let mut ranges = Ranges { place, low, high };
        let (mut numbers, mut start) = ([0.0f64; CHUNK], 0);
        while start < count {
            let len = usize::try_from(count - start).unwrap_or(CHUNK).min(CHUNK);
            let part = from.part(start, len)?;
            let numbers = &mut numbers[..len];
            read_f64(from.tag, Rounding::Nearest, part, numbers)?;
            for segment in place.segments(start, len) {
                ranges.add(segment.parameter, segment.each, numbers.get(segment.range()).unwrap_or_default());
            }
            job.step(part.len() as u64)?;
            start += len as u64;
        }
        Ok(ranges)
    }

    fn add(&mut self, first: usize, each: bool, numbers: &[f64]) {
        if each {
            let low = self.low.iter_mut().skip(first);
            let ranges = low.zip(self.high.iter_mut().skip(first));
            for ((low, high), &number) in ranges.zip(numbers) {
                widen(low, high, number);
            }
        } else if let (Some(low), Some(high)) = (self.low.get_mut(first), self.high.get_mut(first)) {
            extremes(numbers, low, high);
        }
    }

    /// Scale and zero point of a per-tensor scheme: symmetric for signed storage types.
    ///
    /// # Errors
    /// `OVERFLOW`: the scale passes float32.
    pub fn one(&self, tag: u8) -> Result<(f32, i32), Fault> {
        let (low, high) = (first(&self.low), first(&self.high));
        let (code, _, zero) = affine(low, high, tag, range(tag).0 < 0, 0x03).ok_or_else(|| passes(0))?;
        Ok((f32::from_bits(code), zero))
    }

    /// Writes the arrays of a scheme, in the format's own order.
    ///
    /// # Errors
    /// `OVERFLOW`, with the position, for a scale past the largest number of its type.
    pub fn write(
        &self,
        tag: u8,
        scheme: &Scheme,
        scale_type: u8,
        scales: &mut [u8],
        mut zeros: Option<&mut [u8]>,
    ) -> Result<(), Fault> {
        let width = match scale_type {
            0x42 => 1,
            0x03 => 4,
            _ => 2,
        };
        for (position, (&low, &high)) in self.low.iter().zip(&self.high).enumerate() {
            let index = self.place.stored(position);
            let (code, zero) = match scheme {
                Scheme::Nf4 { .. } => (rounded_up(high.max(-low), 0x03).map(|(code, _)| code), 0),
                Scheme::Mxfp { .. } => (Some(power(high.max(-low), tag)), 0),
                _ => match affine(low, high, tag, zeros.is_none(), scale_type) {
                    Some((code, _, zero)) => (Some(code), zero),
                    None => (None, 0),
                },
            };
            let code = code.ok_or_else(|| passes(index))?.to_le_bytes();
            let slots = [
                Some(&mut *scales).map(|to| (to, width, code)),
                zeros.as_deref_mut().map(|to| (to, 4, zero.to_le_bytes())),
            ];
            for (to, width, bytes) in slots.into_iter().flatten() {
                for (to, byte) in to.iter_mut().skip(index * width).take(width).zip(bytes) {
                    *to = byte;
                }
            }
        }
        Ok(())
    }
}

/// Takes a number into a range, unless it is infinite or not a number.
#[inline(always)]
fn widen(low: &mut f64, high: &mut f64, number: f64) {
    let number = if number.abs() <= f64::MAX { number } else { 0.0 };
    *low = if number < *low { number } else { *low };
    *high = if number > *high { number } else { *high };
}

twice! {
    fn extremes [] [] (numbers: &[f64], low: &mut f64, high: &mut f64) {
        let (groups, rest) = numbers.as_chunks::<8>();
        // Eight ranges side by side, so that none waits for the number before.
        let (mut lows, mut highs) = ([*low; 8], [*high; 8]);
        for group in groups {
            for ((low, high), &number) in lows.iter_mut().zip(&mut highs).zip(group) {
                widen(low, high, number);
            }
        }
        for &number in lows.iter().chain(&highs).chain(rest) {
            widen(low, high, number);
        }
    }
}

fn first(list: &[f64]) -> f64 {
    list.first().copied().unwrap_or_default()
}

#[cold]
fn passes(index: usize) -> Fault {
    Fault::new(Status::OVERFLOW, "", "a scale passes the largest number of its type")
        .field("scales")
        .index(index)
}

/// The least number of a type that is not below `value`, as code and value; none past the largest.
fn rounded_up(value: f64, scale_type: u8) -> Option<(u32, f64)> {
    let found = match float(scale_type) {
        Some(format) => {
            let wide = |code| f64::from(f32::from_bits(format.decode(code)));
            let near = format.encode(value)?;
            let code = if wide(near) < value { near + 1 } else { near };
            (u32::from(code), wide(code))
        }
        None => {
            let near = value as f32;
            let scale = if f64::from(near) < value { near.next_up() } else { near };
            (scale.to_bits(), scale.into())
        }
    };
    found.1.is_finite().then_some(found)
}

/// Scale (code and value) and zero point for numbers from `low`, at most 0, to `high`, at least 0.
fn affine(low: f64, high: f64, tag: u8, symmetric: bool, scale_type: u8) -> Option<(u32, f64, i32)> {
    let (least, greatest) = range(tag);
    // Zero points are 32-bit, whatever the storage type.
    let highest_zero = greatest.min(i64::from(i32::MAX));
    let wanted = if symmetric {
        (if least < 0 { high.max(-low) } else { high }) / greatest as f64
    } else {
        let whole = high / (greatest - least) as f64 - low / (greatest - least) as f64;
        whole.max(-low / (highest_zero - least) as f64)
    };
    let (code, scale) = rounded_up(if wanted == 0.0 { 1.0 } else { wanted }, scale_type)?;
    if symmetric {
        return Some((code, scale, 0));
    }
    let zero = (least as f64 - low / scale).round_ties_even() as i64;
    Some((code, scale, zero.clamp(least, highest_zero) as i32))
}

/// The e8m0 code of a block's scale.
fn power(magnitude: f64, tag: u8) -> u32 {
    if magnitude == 0.0 {
        return 127;
    }
    // Below 2^-1022 the exponent is too large, and still far below the least scale.
    let exponent = (magnitude.to_bits() >> 52) as i32 - 1023;
    let largest = match (float(tag), range(tag).1) {
        (Some(format), _) => format.largest_exponent(),
        (None, greatest) => greatest.ilog2() as i32,
    };
    (exponent - largest + 127).clamp(1, 254) as u32
}

#[cfg(test)]
mod tests {
    use super::super::dequantize::dequantize;
    use super::super::quantize::quantize;
    use super::super::scheme::{Arrays, Parameters};
    use super::*;
    use crate::format::packed_bytes;

    /// Numbers of both signs over many powers of two, with zeros.
    fn numbers(count: u64, seed: u64) -> Vec<f64> {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state >> 33
        };
        (0..count)
            .map(|_| match next() % 9 {
                0 => 0.0,
                _ => (next() as f64 / (1u64 << 30) as f64 - 1.0) * 2f64.powi((next() % 24) as i32 - 12),
            })
            .collect()
    }

    struct Round {
        scales: Vec<f32>,
        values: Vec<f64>,
        place: Place,
    }

    fn round_trip(
        tag: u8,
        scheme: &Scheme,
        symmetric: bool,
        shape: &[u64],
        groups: usize,
        from: &[f64],
    ) -> Round {
        let (count, job) = (from.len() as u64, Job::new(None, 1));
        let bytes: Vec<u8> = from.iter().flat_map(|number| number.to_le_bytes()).collect();
        let from = Packed { tag: 0x04, bytes: &bytes };
        let ranges = Ranges::of(from, Place::new(scheme, shape), groups, count, &job).unwrap();
        let scale_type = match *scheme {
            Scheme::PerBlock { scale_type, .. } => scale_type,
            Scheme::Mxfp { .. } => 0x42,
            _ => 0x03,
        };
        let (mut scales, mut zeros) = (vec![0; groups * 4], vec![0; groups * 4]);
        let mut scheme = scheme.clone();
        if let Scheme::PerTensor { scale, zero_point } = &mut scheme {
            (*scale, *zero_point) = ranges.one(tag).unwrap();
        } else {
            let zeros = (!symmetric).then_some(&mut zeros[..]);
            ranges.write(tag, &scheme, scale_type, &mut scales, zeros).unwrap();
        }
        let zeros = (!symmetric).then_some(&zeros[..]);
        let arrays = Arrays { scales: &scales, scale_type, zeros, count: groups };
        let parameters = Parameters::read(tag, &scheme, Place::new(&scheme, shape), Some(arrays)).unwrap();
        let bits = crate::format::element_info(tag).unwrap().bits;
        let mut codes = vec![0; packed_bytes(bits, count).unwrap() as usize];
        quantize(from, &parameters, &scheme, tag, count, &mut codes, &job).unwrap();
        let mut out = vec![0; count as usize * 8];
        dequantize(Packed { tag, bytes: &codes }, &parameters, count, 0x04, &mut out, &job).unwrap();
        let values = out.as_chunks().0.iter().map(|bytes| f64::from_le_bytes(*bytes)).collect();
        Round { scales: parameters.scales, values, place: parameters.place }
    }

    fn each_scale(round: &Round) -> Vec<f64> {
        let mut scales = vec![0.0; round.values.len()];
        for segment in round.place.segments(0, scales.len()) {
            for k in 0..segment.len {
                let parameter = segment.parameter + if segment.each { k } else { 0 };
                scales[segment.first + k] = round.scales[parameter].into();
            }
        }
        scales
    }

    #[test]
    fn affine_errors_are_at_most_half_a_scale() {
        let shape = [5u64, 24, 7];
        let from = numbers(5 * 24 * 7, 1);
        let per_tensor = Scheme::PerTensor { scale: 1.0, zero_point: 0 };
        let channel =
            |axis| Scheme::PerChannel { axis, scale_buffer: 1, zero_point_buffer: 2, scale_type: 3 };
        let block = |axis, block_size, scale_type| Scheme::PerBlock {
            axis,
            block_size,
            scale_buffer: 1,
            zero_point_buffer: 2,
            scale_type,
        };
        let mut schemes = vec![(per_tensor, 1, 0x10..=0x15)];
        schemes.extend([0u32, 1, 2].map(|axis| (channel(axis), shape[axis as usize] as usize, 0x10..=0x15)));
        for (axis, size) in [(0, 2), (1, 8), (1, 16), (2, 4)] {
            let blocks = 5 * 24 * 7 / shape[axis as usize] * shape[axis as usize].div_ceil(u64::from(size));
            schemes.extend([1, 2, 3].map(|scale| (block(axis, size, scale), blocks as usize, 0x10..=0x11)));
        }
        for (scheme, groups, tags) in schemes {
            for tag in tags.chain(0x48..=0x4B) {
                let kinds =
                    if matches!(scheme, Scheme::PerTensor { .. }) { &[false][..] } else { &[false, true] };
                for &symmetric in kinds {
                    let round = round_trip(tag, &scheme, symmetric, &shape, groups, &from);
                    let scales = each_scale(&round);
                    let unsigned = symmetric && range(tag).0 == 0;
                    for ((&value, &number), scale) in round.values.iter().zip(&from).zip(scales) {
                        let number = if unsigned { number.max(0.0) } else { number };
                        let bound = scale / 2.0 + number.abs() * 2f64.powi(-22);
                        assert!((value - number).abs() <= bound, "{scheme:?} {tag:02X}: {number} is {value}");
                    }
                }
            }
        }
    }

    #[test]
    fn nf4_errors_are_at_most_half_the_widest_gap() {
        let from = numbers(40 * 24, 2);
        for (axis, block_size, groups) in [(1u32, 8u32, 120), (1, 16, 80), (0, 32, 48)] {
            let scheme = Scheme::Nf4 { axis, block_size, scale_buffer: 1 };
            let round = round_trip(0x49, &scheme, true, &[40, 24], groups, &from);
            for ((&value, &number), scale) in round.values.iter().zip(&from).zip(each_scale(&round)) {
                assert!((value - number).abs() <= scale * 0.151_904, "{number} is {value}");
            }
        }
    }

    #[test]
    fn mxfp_errors_are_half_a_place_or_saturated() {
        let from = numbers(64 * 64, 3);
        let scheme = Scheme::Mxfp { axis: 1, block_size: 32, scale_buffer: 1 };
        // Element type, fraction bits, exponent and value of the largest, exponent of the least normal.
        let rows = [
            (0x40, 3, 8, 448.0, -6),
            (0x41, 2, 15, 57344.0, -14),
            (0x43, 1, 2, 6.0, 0),
            (0x44, 3, 2, 7.5, 0),
            (0x45, 2, 4, 28.0, -2),
        ];
        for (tag, fraction, top, largest, least) in rows {
            let round = round_trip(tag, &scheme, true, &[64, 64], 128, &from);
            let scales = each_scale(&round);
            for (block, scale) in from.chunks(32).zip(scales.chunks(32)) {
                let magnitude = block.iter().fold(0.0f64, |most, number| most.max(number.abs()));
                assert_eq!(scale[0], 2f64.powi(magnitude.log2().floor() as i32 - top), "{tag:02X}");
            }
            for ((&value, &number), scale) in round.values.iter().zip(&from).zip(scales) {
                let (value, number) = (value / scale, number / scale);
                if number.abs() > largest {
                    assert_eq!(value, largest.copysign(number), "{tag:02X}");
                    continue;
                }
                let power =
                    if number == 0.0 { least } else { (number.abs().log2().floor() as i32).max(least) };
                assert!(
                    (value - number).abs() <= 2f64.powi(power - fraction - 1),
                    "{tag:02X}: {number} is {value}"
                );
            }
        }
        for (tag, top) in [(0x10, 127.0), (0x48, 7.0)] {
            let round = round_trip(tag, &scheme, true, &[64, 64], 128, &from);
            for ((&value, &number), scale) in round.values.iter().zip(&from).zip(each_scale(&round)) {
                let number = (number / scale).clamp(-top - 1.0, top);
                assert!((value / scale - number).abs() <= 0.5, "{tag:02X}: {number} is {value}");
            }
        }
    }

    #[test]
    fn zeros_infinities_and_scales_too_large() {
        let block = |scale_type| Scheme::PerBlock {
            axis: 0,
            block_size: 2,
            scale_buffer: 1,
            zero_point_buffer: u32::MAX,
            scale_type,
        };
        let round = round_trip(0x48, &block(1), true, &[4], 2, &[0.0, -0.0, f64::INFINITY, -3.5]);
        assert_eq!((round.scales[0], round.scales[1]), (1.0, 0.5));
        assert_eq!(round.values, [0.0, 0.0, 3.5, -3.5]);
        // The least scale there is holds the least numbers.
        let round = round_trip(0x48, &block(1), true, &[2], 1, &[1e-300, 1e-9]);
        assert_eq!((round.scales[0], &round.values[..]), (2f32.powi(-24), &[0.0, 0.0][..]));
        let nf4 = Scheme::Nf4 { axis: 0, block_size: 8, scale_buffer: 1 };
        assert_eq!(round_trip(0x49, &nf4, true, &[8], 1, &[0.0; 8]).scales, [0.0]);
        let from: Vec<u8> = [1e7f64, 1.0].iter().flat_map(|number| number.to_le_bytes()).collect();
        let (from, job) = (Packed { tag: 0x04, bytes: &from }, Job::new(None, 1));
        let ranges = Ranges::of(from, Place::new(&block(1), &[2]), 1, 2, &job).unwrap();
        let fault = ranges.write(0x48, &block(1), 0x01, &mut [0; 2], None).unwrap_err();
        assert_eq!((fault.status, fault.index), (Status::OVERFLOW, Some(0)));
    }
}
