//! Whole tensors of codes, or of numbers of one type, to numbers of another.

use super::codes::unpack;
use super::decode;
use super::job::Job;
use super::number::{CHUNK, Rounding, is_narrow, read_f32, read_f64, write_f32, write_f64};
use super::past;
use super::scheme::Parameters;
use crate::format::{Fault, Status, element_info, packed_bytes};

/// Bits of an assigned element type.
pub(super) fn bits_of(tag: u8) -> Result<usize, Fault> {
    element_info(tag).map(|info| info.bits as usize).ok_or_else(|| {
        Fault::new(Status::INVALID_TYPE, "", "not an element type that numbers are converted of")
            .field("element_type_tag")
            .value(tag)
    })
}

/// Bytes of `count` elements of so many bits, in whole groups of eight elements or fewer at the end.
pub(super) fn bytes_of(bits: usize, count: usize) -> usize {
    packed_bytes(bits as u32, count as u64)
        .and_then(|bytes| usize::try_from(bytes).ok())
        .unwrap_or(usize::MAX)
}

/// Codes or numbers in row-major order.
#[derive(Clone, Copy)]
pub struct Packed<'a> {
    /// Their element type.
    pub tag: u8,
    /// Their bytes; the first element begins the first byte.
    pub bytes: &'a [u8],
}

impl<'a> Packed<'a> {
    /// The bytes of `count` elements from `start` on, which begins a byte.
    pub(super) fn part(self, start: u64, count: usize) -> Result<&'a [u8], Fault> {
        let bits = bits_of(self.tag)?;
        let first = usize::try_from(start / 8).ok().and_then(|groups| groups.checked_mul(bits));
        let first = first.and_then(|first| first.checked_add(start as usize % 8 * bits / 8));
        let part = first.and_then(|first| self.bytes.get(first..first.checked_add(bytes_of(bits, count))?));
        part.ok_or_else(|| {
            Fault::new(Status::BUFFER_MISMATCH, "L-012", "the buffer ends before its elements")
        })
    }
}

/// Walks `out`, elements of `tag`, in runs of at most [`CHUNK`] that begin bytes: first element, length, bytes.
pub(super) fn runs(
    tag: u8,
    count: u64,
    out: &mut [u8],
    job: &Job<'_>,
    body: impl Fn(u64, usize, &mut [u8]) -> Result<(), Fault> + Sync,
) -> Result<(), Fault> {
    let bits = bits_of(tag)?;
    let is_past = out.len() as u64 >= past::LARGE;
    job.pieces(out, bits * (CHUNK / 8), |at, piece| {
        let mut line = [0; 8 * CHUNK];
        for (k, part) in piece.chunks_mut(bits * (CHUNK / 8)).enumerate() {
            // A piece begins at whole chunks.
            let start = (at / bits * 8 + k * CHUNK) as u64;
            let len = usize::try_from(count.saturating_sub(start)).unwrap_or(CHUNK).min(CHUNK);
            if len == 0 {
                continue;
            }
            match line.get_mut(..part.len()) {
                Some(line) if is_past => {
                    body(start, len, line)?;
                    past::copy(part, line);
                }
                _ => body(start, len, part)?,
            }
        }
        past::settle();
        Ok(())
    })
}

/// Dequantizes codes to `float16`, `bfloat16`, `float32` or `float64`: the float32 value, rounded once more where the
/// target is narrower.
///
/// # Errors
/// `INVALID_TYPE`, `BUFFER_MISMATCH` (fewer codes than `count`), `CANCELLED`.
pub fn dequantize(
    codes: Packed<'_>,
    parameters: &Parameters,
    count: u64,
    target: u8,
    out: &mut [u8],
    job: &Job<'_>,
) -> Result<(), Fault> {
    let bits = bits_of(codes.tag)?;
    runs(target, count, out, job, |start, len, out| {
        let mut room = [0; CHUNK];
        let mut part = codes.part(start, len)?;
        if bits < 8 {
            unpack(codes.tag, part, &mut room[..len]);
            part = &room[..len];
        }
        if target == 0x03 {
            decode::values(codes.tag, parameters, start, part, out.as_chunks_mut().0);
            return Ok(());
        }
        let (mut floats, mut numbers) = ([[0; 4]; CHUNK], [0.0; CHUNK]);
        decode::values(codes.tag, parameters, start, part, &mut floats[..len]);
        read_f32(0x03, floats.as_flattened(), &mut numbers[..len])?;
        write_f32(target, &numbers[..len], out)
    })
}

/// Converts numbers of any real type to a floating-point type, rounding once; of the same type, the bytes are copied.
///
/// # Errors
/// `INVALID_TYPE`; `INVALID_ARGUMENT` for a number that the target has no code for, with its row-major position;
/// `BUFFER_MISMATCH`, `CANCELLED`.
pub fn convert(from: Packed<'_>, count: u64, target: u8, out: &mut [u8], job: &Job<'_>) -> Result<(), Fault> {
    if from.tag == target {
        let part = from.part(0, usize::try_from(count).unwrap_or(usize::MAX))?;
        return job.pieces(out, 1, |at, piece| {
            for (to, byte) in piece.iter_mut().zip(part.get(at..).unwrap_or_default()) {
                *to = *byte;
            }
            Ok(())
        });
    }
    let through_f32 = is_narrow(from.tag) && matches!(target, 0x01..=0x04);
    let rounding = if target == 0x04 { Rounding::Nearest } else { Rounding::Odd };
    runs(target, count, out, job, |start, len, out| {
        let part = from.part(start, len)?;
        if through_f32 {
            let mut numbers = [0.0; CHUNK];
            read_f32(from.tag, part, &mut numbers[..len])?;
            return write_f32(target, &numbers[..len], out);
        }
        let mut numbers = [0.0; CHUNK];
        read_f64(from.tag, rounding, part, &mut numbers[..len])?;
        write_f64(target, &numbers[..len], out).map_err(|fault| moved(fault, start))
    })
}

/// A fault that names an element of a run, renamed for the whole.
pub(super) fn moved(fault: Fault, start: u64) -> Fault {
    match fault.index {
        Some(index) => Fault { index: Some(start + index), ..fault },
        None => fault,
    }
}

#[cfg(test)]
mod tests {
    use super::super::scheme::{Arrays, Parameters, Place};
    use super::*;
    use crate::format::Scheme;

    fn floats(tag: u8, scheme: &Scheme, shape: &[u64], arrays: Option<Arrays<'_>>, codes: &[u8]) -> Vec<f32> {
        let parameters = Parameters::read(tag, scheme, Place::new(scheme, shape), arrays).unwrap();
        let count = shape.iter().product::<u64>();
        let mut out = vec![0; count as usize * 4];
        dequantize(Packed { tag, bytes: codes }, &parameters, count, 0x03, &mut out, &Job::new(None, 1))
            .unwrap();
        out.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()
    }

    fn bytes<T, const N: usize>(values: &[T], bytes: impl Fn(&T) -> [u8; N]) -> Vec<u8> {
        values.iter().flat_map(bytes).collect()
    }

    #[test]
    fn worked_examples_of_the_written_format() {
        // quantization.md section 10.
        let one = Scheme::PerTensor { scale: 0.25, zero_point: -3 };
        assert_eq!(floats(0x10, &one, &[4], None, &[128, 253, 0, 127]), [-31.25, 0.0, 0.75, 32.5]);

        let channel = Scheme::PerChannel { axis: 1, scale_buffer: 1, zero_point_buffer: 2, scale_type: 3 };
        let scales = bytes(&[0.5f32, 2.0, -1.0], |value| value.to_le_bytes());
        let zeros = bytes(&[128i32, 0, 10], |value| value.to_le_bytes());
        let arrays = Arrays { scales: &scales, scale_type: 3, zeros: Some(&zeros), count: 3 };
        let found = floats(0x11, &channel, &[2, 3], Some(arrays), &[130, 7, 10, 0, 255, 20]);
        assert_eq!(found, [1.0, 14.0, 0.0, -64.0, 510.0, -10.0]);

        let block = Scheme::PerBlock {
            axis: 1,
            block_size: 4,
            scale_buffer: 1,
            zero_point_buffer: u32::MAX,
            scale_type: 1,
        };
        let scales = [0x00, 0x38, 0x00, 0x3C, 0x00, 0x40, 0x00, 0x44];
        let arrays = Arrays { scales: &scales, scale_type: 1, zeros: None, count: 4 };
        // Row 0: 1 2 3 4 5 6, row 1: 7 -1 -2 -8 2 -3 (code D at [1,5]).
        let codes = [0x21, 0x43, 0x65, 0xF7, 0x8E, 0xD2];
        let found = floats(0x48, &block, &[2, 6], Some(arrays), &codes);
        assert_eq!(found, [0.5, 1.0, 1.5, 2.0, 5.0, 6.0, 14.0, -2.0, -4.0, -16.0, 8.0, -12.0]);

        let nf4 = Scheme::Nf4 { axis: 0, block_size: 8, scale_buffer: 1 };
        let scales = bytes(&[2.0f32, 0.5], |value| value.to_le_bytes());
        let arrays = Arrays { scales: &scales, scale_type: 3, zeros: None, count: 2 };
        let mut codes = [0x77; 8];
        codes[0] = 0x7F;
        codes[4] = 0xC7;
        let found = floats(0x49, &nf4, &[16], Some(arrays), &codes);
        assert_eq!((found[0], found[1], found[9]), (2.0, 0.0, 0.220_354_914_665_222_17_f64 as f32));

        let mxfp = Scheme::Mxfp { axis: 1, block_size: 16, scale_buffer: 1 };
        let arrays = Arrays { scales: &[0x80, 0x7D], scale_type: 0x42, zeros: None, count: 2 };
        let mut codes = [0; 16];
        codes[0] = 0x07;
        codes[8] = 0x0B;
        let found = floats(0x43, &mxfp, &[1, 32], Some(arrays), &codes);
        assert_eq!((found[0], found[1], found[16]), (12.0, 0.0, -0.375));
    }

    /// quantization.md section 7, one element at a time.
    #[test]
    fn long_tensors_follow_the_formula() {
        let codes: Vec<u8> = (0..45_000u32).map(|k| ((k * 193) >> 3) as u8).collect();
        let shape = [3, 70, 41];
        let scale = |b: usize| 0.125 * (b % 37 + 1) as f32;
        for (tag, bits) in [(0x48u8, 4usize), (0x4B, 2), (0x10, 8), (0x11, 8), (0x49, 4)] {
            for axis in [0usize, 1, 2] {
                for size in [2u64, 8, 32] {
                    if size > shape[axis] {
                        continue;
                    }
                    let per_block = tag != 0x49;
                    let (axis_32, block_size) = (axis as u32, size as u32);
                    let scheme = if per_block {
                        let (scale_buffer, zero_point_buffer) = (1, 2);
                        Scheme::PerBlock {
                            axis: axis_32,
                            block_size,
                            scale_buffer,
                            zero_point_buffer,
                            scale_type: 3,
                        }
                    } else {
                        Scheme::Nf4 { axis: axis_32, block_size, scale_buffer: 1 }
                    };
                    let blocks = shape[axis].div_ceil(size);
                    let count = (3 * 70 * 41 / shape[axis] * blocks) as usize;
                    let scales: Vec<u8> = (0..count).flat_map(|b| scale(b).to_le_bytes()).collect();
                    let zeros: Vec<u8> = (0..count).flat_map(|b| ((b % 2) as i32).to_le_bytes()).collect();
                    let zeros = per_block.then_some(&zeros[..]);
                    let arrays = Arrays { scales: &scales, scale_type: 3, zeros, count };
                    let found = floats(tag, &scheme, &shape, Some(arrays), &codes);
                    for (t, found) in found.iter().enumerate() {
                        let index = [t / (70 * 41), t / 41 % 70, t % 41];
                        let outer = (0..3).filter(|&k| k != axis);
                        let outer = outer.fold(0, |outer, k| outer * shape[k] as usize + index[k]);
                        let b = outer * blocks as usize + index[axis] / size as usize;
                        let code = codes[t * bits / 8] >> (t * bits % 8) & (((1u16 << bits) - 1) as u8);
                        let q = match tag {
                            0x48 => (i32::from(code) ^ 8) - 8,
                            0x10 => i32::from(code as i8),
                            _ => i32::from(code),
                        };
                        let want = if per_block {
                            scale(b) * (q - (b % 2) as i32) as f32
                        } else {
                            scale(b) * super::super::scheme::NF4[q as usize]
                        };
                        assert_eq!(*found, want, "{tag:02X} axis {axis} K {size} at {t}");
                    }
                }
            }
        }
    }

    #[test]
    fn wide_codes_subtract_in_64_bits() {
        let scheme = |zero_point| Scheme::PerTensor { scale: 0.5, zero_point };
        let codes = bytes(&[i32::MIN, i32::MAX, 5], |value| value.to_le_bytes());
        // The two-step result: -2^31 - (2^31 - 1) = -4294967295, to float32 -4294967296, halved.
        assert_eq!(
            floats(0x14, &scheme(i32::MAX), &[3], None, &codes),
            [-2_147_483_648.0, 0.0, -1_073_741_824.0 + 2.5]
        );
        let codes = bytes(&[u32::MAX, 7], |value| value.to_le_bytes());
        assert_eq!(floats(0x15, &scheme(7), &[2], None, &codes), [2_147_483_648.0, 0.0]);
    }

    #[test]
    fn other_targets_round_the_float32() {
        let scheme = Scheme::PerTensor { scale: 1.0 / 3.0, zero_point: 0 };
        let parameters = Parameters::read(0x10, &scheme, Place::Tensor, None).unwrap();
        let codes = Packed { tag: 0x10, bytes: &[1, 128, 127] };
        let found = |target, width: usize| {
            let mut out = vec![0; 3 * width];
            dequantize(codes, &parameters, 3, target, &mut out, &Job::new(None, 1)).unwrap();
            out
        };
        // numpy: (np.float32(1) / 3 * [1, -128, 127]) as float32, then float64, float16, bfloat16.
        let doubles: Vec<f64> = found(0x04, 8).as_chunks().0.iter().map(|b| f64::from_le_bytes(*b)).collect();
        assert_eq!(doubles, [0.333_333_343_267_440_8, -42.666_667_938_232_42, 42.333_335_876_464_844]);
        assert_eq!(found(0x01, 2), [0x55, 0x35, 0x55, 0xD1, 0x4B, 0x51]);
        assert_eq!(found(0x02, 2), [0xAB, 0x3E, 0x2B, 0xC2, 0x29, 0x42]);
    }

    #[test]
    fn conversion_rounds_once() {
        let to = |tag, bytes: &[u8], target, size: usize| {
            let mut out = vec![0; size];
            convert(Packed { tag, bytes }, 1, target, &mut out, &Job::new(None, 1)).map(|()| out)
        };
        // 1 + 2^-11 + 2^-40: by way of float32 it would be a tie, and go to even.
        let value = 1.0 + 2f64.powi(-11) + 2f64.powi(-40);
        assert_eq!(to(0x04, &value.to_le_bytes(), 0x01, 2).unwrap(), 0x3C01u16.to_le_bytes());
        let value = (1i64 << 62) + (1 << 38) + 1;
        assert_eq!(to(0x16, &value.to_le_bytes(), 0x03, 4).unwrap(), 0x5E80_0001u32.to_le_bytes());
        assert_eq!(to(0x03, &6.0f32.to_le_bytes(), 0x43, 1).unwrap(), [0x07]);
        assert_eq!(to(0x03, &0.3f32.to_le_bytes(), 0x44, 3).unwrap(), [0x02, 0, 0]);
        let fault = to(0x03, &f32::NAN.to_le_bytes(), 0x43, 1).unwrap_err();
        assert_eq!((fault.status, fault.index), (Status::INVALID_ARGUMENT, Some(0)));
        assert_eq!(to(0x50, &[0; 8], 0x03, 4).unwrap_err().status, Status::INVALID_TYPE);
        assert_eq!(to(0x03, &[0; 3], 0x04, 8).unwrap_err().status, Status::BUFFER_MISMATCH);
    }
}
