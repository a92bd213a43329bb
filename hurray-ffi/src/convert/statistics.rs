//! What a statistics section says, from the elements in one pass.

use super::codes::unpack;
use super::decode;
use super::dequantize::Packed;
use super::job::Job;
use super::number::{CHUNK, Rounding, read_f32, read_f64};
use super::scheme::Parameters;
use crate::format::{Fault, Statistics, Status, element_info};

const COMPLEX64: u8 = 0x50;
const COMPLEX128: u8 = 0x51;

/// Count, extremes and moments of numbers, added run by run.
#[derive(Clone, Copy)]
struct Summary {
    count: f64,
    nonzero: u64,
    /// Of numbers that are no NaN.
    low: f64,
    high: f64,
    has_nan: bool,
    has_infinity: bool,
    mean: f64,
    /// Sum of squared distances from the mean.
    spread: f64,
}

impl Summary {
    fn new() -> Summary {
        Summary {
            count: 0.0,
            nonzero: 0,
            low: f64::INFINITY,
            high: f64::NEG_INFINITY,
            has_nan: false,
            has_infinity: false,
            mean: 0.0,
            spread: 0.0,
        }
    }

    /// A run of numbers: its own mean first, so that large sums cancel nothing.
    fn add(&mut self, numbers: &[f64]) {
        let mut sum = 0.0;
        for &number in numbers {
            self.has_nan |= number.is_nan();
            self.has_infinity |= number.is_infinite();
            // A NaN is neither below nor above.
            self.low = if number < self.low { number } else { self.low };
            self.high = if number > self.high { number } else { self.high };
            sum += number;
        }
        let count = numbers.len() as f64;
        let mean = sum / count;
        let spread = numbers.iter().map(|number| (number - mean) * (number - mean)).sum();
        self.join(count, mean, spread);
    }

    /// So many zeros that are not stored.
    fn add_zeros(&mut self, count: f64) {
        if count > 0.0 {
            (self.low, self.high) = (self.low.min(0.0), self.high.max(0.0));
            self.join(count, 0.0, 0.0);
        }
    }

    fn join(&mut self, count: f64, mean: f64, spread: f64) {
        let total = self.count + count;
        if total > 0.0 {
            let apart = mean - self.mean;
            self.spread += spread + apart * apart * (self.count * count / total);
            self.mean += apart * (count / total);
            self.count = total;
        }
    }

    /// The section. Minimum, maximum and moments are there for numbers that have them: a NaN takes the moments, as does
    /// an infinity, and the extremes are those of everything else.
    fn section(&self, is_real: bool) -> Statistics {
        let mut found = Statistics {
            computed_mask: 0b10_0001,
            nnz: self.nonzero,
            sparsity_ratio: 0.0,
            range: [0.0; 3],
            moments: [0.0; 2],
            nm: [0; 2],
            has: [self.has_nan.into(), self.has_infinity.into()],
        };
        if self.count > 0.0 {
            found.computed_mask |= 0b10;
            found.sparsity_ratio = ((self.count - self.nonzero as f64) / self.count).clamp(0.0, 1.0);
        }
        if is_real && self.low <= self.high {
            found.computed_mask |= 0b100;
            found.range = [self.low, self.high, self.low.abs().max(self.high.abs())];
        }
        let deviation = (self.spread / self.count).sqrt();
        if is_real && self.mean.is_finite() && deviation.is_finite() {
            found.computed_mask |= 0b1000;
            found.moments = [self.mean, deviation];
        }
        found
    }
}

/// The statistics of `count` elements and of so many zeros beside them, which sparse layouts do not store. Codes stand
/// for the numbers that their parameters make of them. Everything but positive zero counts as not zero, as it does where
/// zeros are left out.
///
/// # Errors
/// `UNSUPPORTED` (a private type), `BUFFER_MISMATCH` (fewer elements than said), `CANCELLED`.
pub fn statistics(
    elements: Packed<'_>,
    parameters: Option<&Parameters>,
    count: u64,
    zeros: f64,
    job: &Job<'_>,
) -> Result<Statistics, Fault> {
    let Some(info) = element_info(elements.tag) else {
        return Err(Fault::new(Status::UNSUPPORTED, "", "elements of a private type have no known values")
            .field("element_type_tag")
            .value(elements.tag));
    };
    let is_real = !matches!(elements.tag, COMPLEX64 | COMPLEX128);
    let mut summary = Summary::new();
    let mut numbers = [0.0; 2 * CHUNK];
    let mut start = 0;
    while start < count {
        let len = (count - start).min(CHUNK as u64) as usize;
        let part = elements.part(start, len)?;
        let numbers = numbers.get_mut(..if is_real { len } else { 2 * len }).unwrap_or_default();
        match (parameters, elements.tag) {
            (Some(parameters), tag) => values(tag, info.bits, parameters, start, part, numbers)?,
            (None, COMPLEX64) => {
                for (to, from) in numbers.iter_mut().zip(part.as_chunks().0) {
                    *to = f32::from_le_bytes(*from).into();
                }
            }
            (None, COMPLEX128) => {
                for (to, from) in numbers.iter_mut().zip(part.as_chunks().0) {
                    *to = f64::from_le_bytes(*from);
                }
            }
            (None, tag) => read_f64(tag, Rounding::Nearest, part, numbers)?,
        }
        let is_set = |number: &f64| number.to_bits() != 0;
        if is_real {
            summary.add(numbers);
            summary.nonzero += numbers.iter().filter(|number| is_set(number)).count() as u64;
        } else {
            summary.has_nan |= numbers.iter().any(|number| number.is_nan());
            summary.has_infinity |= numbers.iter().any(|number| number.is_infinite());
            summary.count += len as f64;
            let pairs = numbers.as_chunks::<2>().0;
            summary.nonzero += pairs.iter().filter(|pair| pair.iter().any(is_set)).count() as u64;
        }
        job.step(len as u64 * u64::from(info.bits) / 8)?;
        start += len as u64;
    }
    summary.add_zeros(zeros);
    Ok(summary.section(is_real))
}

/// The numbers that a run of codes stands for.
fn values(
    tag: u8,
    bits: u32,
    parameters: &Parameters,
    start: u64,
    part: &[u8],
    numbers: &mut [f64],
) -> Result<(), Fault> {
    let (mut room, mut floats, mut narrow) = ([0; CHUNK], [[0; 4]; CHUNK], [0.0; CHUNK]);
    let len = numbers.len();
    let (room, floats, narrow) = (
        room.get_mut(..len).unwrap_or_default(),
        floats.get_mut(..len).unwrap_or_default(),
        narrow.get_mut(..len).unwrap_or_default(),
    );
    let codes = if bits < 8 {
        unpack(tag, part, room);
        &*room
    } else {
        part
    };
    decode::values(tag, parameters, start, codes, floats);
    read_f32(0x03, floats.as_flattened(), narrow)?;
    for (to, from) in numbers.iter_mut().zip(narrow.iter()) {
        *to = f64::from(*from);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(tag: u8, bytes: &[u8], count: u64, zeros: f64) -> Statistics {
        statistics(Packed { tag, bytes }, None, count, zeros, &Job::new(None, 1)).unwrap()
    }

    #[test]
    fn of_a_few_numbers() {
        let numbers = [2.0f64, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0];
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        let found = of(0x04, &bytes, 8, 0.0);
        // The textbook's example: mean 5, population standard deviation 2.
        assert_eq!((found.computed_mask, found.nnz, found.sparsity_ratio), (0b10_1111, 8, 0.0));
        assert_eq!((found.range, found.moments, found.has), ([2.0, 9.0, 9.0], [5.0, 2.0], [0, 0]));
        // With eight zeros beside them: mean 2.5, mean square 232 / 16.
        let found = of(0x04, &bytes, 8, 8.0);
        assert_eq!((found.nnz, found.sparsity_ratio, found.range), (8, 0.5, [0.0, 9.0, 9.0]));
        assert_eq!(found.moments[0], 2.5);
        assert!((found.moments[1] - (14.5f64 - 6.25).sqrt()).abs() < 1e-12);
    }

    #[test]
    fn nan_infinity_and_nothing() {
        let bytes: Vec<u8> =
            [f32::NAN, -0.0, f32::NEG_INFINITY, 1.0].iter().flat_map(|number| number.to_le_bytes()).collect();
        let found = of(0x03, &bytes, 4, 0.0);
        assert_eq!((found.computed_mask, found.nnz, found.has), (0b10_0111, 4, [1, 1]));
        assert_eq!(found.range, [f64::NEG_INFINITY, 1.0, f64::INFINITY]);
        let found = of(0x03, &[], 0, 0.0);
        assert_eq!((found.computed_mask, found.nnz, found.has), (0b10_0001, 0, [0, 0]));
        // A pair is not zero where either half is not.
        let found = of(COMPLEX64, &[0, 0, 0, 0, 0, 0, 128, 63, 0, 0, 0, 0, 0, 0, 0, 0], 2, 0.0);
        assert_eq!((found.computed_mask, found.nnz, found.sparsity_ratio), (0b10_0011, 1, 0.5));
    }

    #[test]
    fn packed_and_many() {
        // int4: 0, 1, -1, 7 over and over; the mean is 7 / 4, the mean square 51 / 4.
        let found = of(0x48, &[0x10, 0x7F].repeat(10_000), 40_000, 0.0);
        assert_eq!((found.nnz, found.sparsity_ratio, found.range), (30_000, 0.25, [-1.0, 7.0, 7.0]));
        assert_eq!(found.moments[0], 1.75);
        assert!((found.moments[1] - (12.75f64 - 1.75 * 1.75).sqrt()).abs() < 1e-12);
    }
}
