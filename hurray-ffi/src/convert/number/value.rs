//! Elements as they lie in memory to numbers, and numbers to elements, a run at a time.

use super::float::{encode_e8m0, float, values};
use super::half::{narrow, read_brain, read_half, widen, write_brain, write_double, write_half};
use super::whole::{Rounding, from_integer, from_quad};
use crate::convert::codes;
use crate::convert::simd::twice;
use crate::format::{Fault, Status, element_info};

/// Most elements of one run: what a conversion keeps in the nearest cache. A multiple of every packing group.
pub const CHUNK: usize = 4096;

/// Whether every value of the type is a float32, `bool` as 0 and 1.
pub fn is_narrow(tag: u8) -> bool {
    matches!(tag, 0x01..=0x03 | 0x10..=0x13 | 0x20 | 0x40..=0x45 | 0x48..=0x4B)
}

fn no_number(tag: u8) -> Fault {
    Fault::new(Status::INVALID_TYPE, "", "elements of this type are not converted as real numbers")
        .field("element_type_tag")
        .value(tag)
}

trait Small: Copy {
    type Bytes;
    fn value(bytes: &Self::Bytes) -> f32;
}

macro_rules! small {
    ($($type:ty: $width:literal)*) => {
        $(impl Small for $type {
            type Bytes = [u8; $width];
            #[inline(always)]
            fn value(bytes: &[u8; $width]) -> f32 {
                <$type>::from_le_bytes(*bytes) as f32
            }
        })*
    };
}

small! { i8: 1 u8: 1 i16: 2 u16: 2 }

twice! {
    fn read_small [T: Small] [T] (from: &[T::Bytes], to: &mut [f32]) {
        for (to, from) in to.iter_mut().zip(from) {
            *to = T::value(from);
        }
    }
}

/// Reads as many elements as `to` holds, from their packed bytes, as float32.
///
/// # Errors
/// `INVALID_TYPE` unless [`is_narrow`].
pub fn read_f32(tag: u8, from: &[u8], to: &mut [f32]) -> Result<(), Fault> {
    match tag {
        0x01 => read_half(from.as_chunks().0, to),
        0x02 => read_brain(from.as_chunks().0, to),
        0x03 => {
            for (to, from) in to.iter_mut().zip(from.as_chunks().0) {
                *to = f32::from_le_bytes(*from);
            }
        }
        0x10 => read_small::<i8>(from.as_chunks().0, to),
        0x11 => read_small::<u8>(from.as_chunks().0, to),
        0x12 => read_small::<i16>(from.as_chunks().0, to),
        0x13 => read_small::<u16>(from.as_chunks().0, to),
        0x20 | 0x40..=0x45 | 0x48..=0x4B => {
            let bits = element_info(tag).map_or(8, |info| info.bits);
            let mut room = [0; CHUNK];
            for (part, to) in to.chunks_mut(CHUNK).enumerate() {
                let start = part * (CHUNK / 8) * bits as usize;
                let from = from.get(start..).unwrap_or_default();
                let codes = if bits == 8 {
                    from
                } else {
                    let room = &mut room[..to.len().min(CHUNK)];
                    codes::unpack(tag, from, room);
                    room
                };
                match values(tag) {
                    Some(table) => {
                        for (to, &code) in to.iter_mut().zip(codes) {
                            *to = table[usize::from(code)];
                        }
                    }
                    None if matches!(tag, 0x48 | 0x4A) => read_small::<i8>(codes.as_chunks().0, to),
                    None => read_small::<u8>(codes.as_chunks().0, to),
                }
            }
        }
        _ => return Err(no_number(tag)),
    }
    Ok(())
}

/// Reads as many elements as `to` holds, from their packed bytes, as float64.
///
/// # Errors
/// `INVALID_TYPE` for complex and private types.
pub fn read_f64(tag: u8, rounding: Rounding, from: &[u8], to: &mut [f64]) -> Result<(), Fault> {
    fn each<const N: usize>(from: &[u8], to: &mut [f64], value: impl Fn([u8; N]) -> f64) {
        for (to, from) in to.iter_mut().zip(from.as_chunks().0) {
            *to = value(*from);
        }
    }
    match tag {
        0x04 => each(from, to, f64::from_le_bytes),
        0x14 => each(from, to, |bytes| f64::from(i32::from_le_bytes(bytes))),
        0x15 => each(from, to, |bytes| f64::from(u32::from_le_bytes(bytes))),
        0x16 => each(from, to, |bytes| from_integer(i64::from_le_bytes(bytes).into(), rounding)),
        0x17 => each(from, to, |bytes| from_integer(u64::from_le_bytes(bytes).into(), rounding)),
        0x46 => each(from, to, |bytes| from_quad(u128::from_le_bytes(bytes), rounding)),
        _ => {
            let bits = element_info(tag).map_or(8, |info| info.bits);
            let mut room = [0.0; CHUNK];
            for (part, to) in to.chunks_mut(CHUNK).enumerate() {
                let start = part * (CHUNK / 8) * bits as usize;
                let room = &mut room[..to.len().min(CHUNK)];
                read_f32(tag, from.get(start..).unwrap_or_default(), room)?;
                widen(room, to);
            }
        }
    }
    Ok(())
}

/// Writes numbers as elements of one of the types `float16`, `bfloat16`, `float32`, `float64`.
///
/// # Errors
/// `INVALID_TYPE` for other types.
pub fn write_f32(tag: u8, from: &[f32], to: &mut [u8]) -> Result<(), Fault> {
    match tag {
        0x01 => write_half(from, to.as_chunks_mut().0),
        0x02 => write_brain(from, to.as_chunks_mut().0),
        0x03 => {
            for (to, from) in to.as_chunks_mut().0.iter_mut().zip(from) {
                *to = from.to_le_bytes();
            }
        }
        0x04 => write_double(from, to.as_chunks_mut().0),
        _ => return Err(no_number(tag)),
    }
    Ok(())
}

/// Writes numbers as elements of a floating-point type, rounding once; packed types fill whole groups.
///
/// # Errors
/// `INVALID_TYPE` for other types and `float128`; `INVALID_ARGUMENT` with the position in `from` for a number that
/// the type has no code for: a NaN in the 4- and 6-bit types, and what is not above 0 in `float8_e8m0`.
pub fn write_f64(tag: u8, from: &[f64], to: &mut [u8]) -> Result<(), Fault> {
    fn each<const N: usize>(from: &[f64], to: &mut [u8], bytes: impl Fn(f64) -> [u8; N]) {
        for (to, from) in to.as_chunks_mut().0.iter_mut().zip(from) {
            *to = bytes(*from);
        }
    }
    let format = match (tag, float(tag)) {
        (0x03, _) => {
            each(from, to, |value| narrow(value).to_le_bytes());
            return Ok(());
        }
        (0x04, _) => {
            each(from, to, f64::to_le_bytes);
            return Ok(());
        }
        // Each has a NaN of its own.
        (0x01 | 0x02, Some(format)) => {
            each(from, to, |value| format.encode(value).unwrap_or_default().to_le_bytes());
            return Ok(());
        }
        (0x42, None) => None,
        (_, Some(format)) => Some(format),
        _ => return Err(no_number(tag)),
    };
    let bits = element_info(tag).map_or(8, |info| info.bits) as usize;
    let mut room = [0.0; CHUNK];
    for (part, from) in from.chunks(CHUNK).enumerate() {
        let room = &mut room[..from.len().min(CHUNK)];
        room.copy_from_slice(from);
        match format {
            Some(format) => format.encode_all(room, 1.0),
            None => encode_all_e8m0(room),
        }
        .map_err(|index| no_code(part * CHUNK + index))?;
        write_codes(tag, room, to.get_mut(part * (CHUNK / 8) * bits..).unwrap_or_default());
    }
    Ok(())
}

fn encode_all_e8m0(numbers: &mut [f64]) -> Result<(), usize> {
    for (index, number) in numbers.iter_mut().enumerate() {
        *number = f64::from_bits(encode_e8m0(*number).ok_or(index)?.into());
    }
    Ok(())
}

#[cold]
fn no_code(index: usize) -> Fault {
    let what = "a number that the element type has no code for";
    Fault::new(Status::INVALID_ARGUMENT, "", what).field("element").index(index)
}

/// Packs the low bits of words.
pub fn write_codes(tag: u8, from: &[f64], to: &mut [u8]) {
    let bits = element_info(tag).map_or(8, |info| info.bits) as usize;
    let mut room = [0u8; CHUNK];
    for (part, from) in from.chunks(CHUNK).enumerate() {
        for (slot, code) in room.iter_mut().zip(from) {
            *slot = code.to_bits() as u8;
        }
        let to = to.get_mut(part * (CHUNK / 8) * bits..).unwrap_or_default();
        codes::pack(bits as u32, &room[..from.len().min(CHUNK)], to);
    }
}
