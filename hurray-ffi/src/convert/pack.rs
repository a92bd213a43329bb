//! Packed codes to one code a byte, and back, for whole tensors.

use super::codes;
use super::dequantize::{Packed, bits_of, moved, runs};
use super::job::Job;
use super::scheme::range;
use crate::format::{Fault, Status};

const BOOL: u8 = 0x20;

/// The type of the bytes that codes of a packed type become: `int8` for signed integers, else `uint8`.
pub fn unpacked_type(tag: u8) -> Option<u8> {
    match tag {
        0x48 | 0x4A => Some(0x10),
        BOOL | 0x43..=0x45 | 0x49 | 0x4B => Some(0x11),
        _ => None,
    }
}

/// Unpacks `count` codes.
///
/// # Errors
/// `BUFFER_MISMATCH`, `CANCELLED`.
pub fn unpack(from: Packed<'_>, count: u64, out: &mut [u8], job: &Job<'_>) -> Result<(), Fault> {
    runs(0x11, count, out, job, |start, len, out| {
        codes::unpack(from.tag, from.part(start, len)?, out);
        Ok(())
    })
}

/// Packs `count` bytes of `int8` or `uint8` as codes of a packed type; as `bool`, every byte but 0 is 1.
///
/// # Errors
/// `INVALID_ARGUMENT` for a value without a code, with its row-major position; `BUFFER_MISMATCH`, `CANCELLED`.
pub fn pack(from: Packed<'_>, tag: u8, count: u64, out: &mut [u8], job: &Job<'_>) -> Result<(), Fault> {
    let bits = bits_of(tag)? as u32;
    let (low, high) = match tag {
        0x43..=0x45 => (0, (1 << bits) - 1),
        _ => range(tag),
    };
    let (least, greatest) = range(from.tag);
    let (low, high) = (low.max(least), high.min(greatest));
    let span = (high - low) as u8;
    runs(tag, count, out, job, |start, len, out| {
        let part = from.part(start, len)?;
        if tag == BOOL {
            let mut room = [0; super::number::CHUNK];
            for (to, &byte) in room.iter_mut().zip(part) {
                *to = u8::from(byte != 0);
            }
            codes::pack(bits, &room[..len.min(part.len())], out);
            return Ok(());
        }
        let is_outside = |byte: &u8| byte.wrapping_sub(low as u8) > span;
        if part.iter().fold(false, |any, byte| any | is_outside(byte)) {
            let index = part.iter().position(is_outside).unwrap_or_default();
            let byte = part.get(index).copied().unwrap_or_default();
            let value = if from.tag == 0x10 { i128::from(byte as i8) } else { i128::from(byte) };
            let fault =
                Fault::new(Status::INVALID_ARGUMENT, "", "a value that the packed type has no code for");
            return Err(moved(
                fault.field("element").index(index).value(value).limit(i128::from(high)),
                start,
            ));
        }
        codes::pack(bits, part, out);
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packed(from_tag: u8, bytes: &[u8], tag: u8) -> Result<Vec<u8>, Fault> {
        let bits = bits_of(tag)? as u32;
        let len = crate::format::packed_bytes(bits, bytes.len() as u64).unwrap_or_default();
        let mut out = vec![0xAA; len as usize];
        let from = Packed { tag: from_tag, bytes };
        pack(from, tag, bytes.len() as u64, &mut out, &Job::new(None, 1)).map(|()| out)
    }

    #[test]
    fn examples_and_what_has_no_code() {
        assert_eq!(packed(0x10, &[253, 7, 248, 2, 255], 0x48).unwrap(), [0x7D, 0x28, 0x0F]);
        assert_eq!(packed(0x11, &[1, 2, 3], 0x48).unwrap(), [0x21, 0x03]);
        assert_eq!(packed(0x10, &[15, 0], 0x49).unwrap(), [0x0F]);
        assert_eq!(packed(0x11, &[5, 0, 0, 200, 1, 1, 0, 9, 0, 1, 1], 0x20).unwrap(), [0xB9, 0x06]);
        assert_eq!(
            packed(0x11, &[0x2A, 0x15, 0x3F, 0x01, 0x20, 0x0C], 0x44).unwrap(),
            [0x6A, 0xF5, 7, 0x20, 3, 0]
        );
        for (from, byte, tag) in [
            (0x10, 8, 0x48),
            (0x10, 0xF7, 0x48),
            (0x11, 8, 0x48),
            (0x10, 0xFF, 0x49),
            (0x11, 16, 0x49),
            (0x10, 2, 0x4A),
            (0x11, 4, 0x4B),
            (0x11, 16, 0x43),
            (0x11, 64, 0x45),
            (0x10, 0x80, 0x45),
        ] {
            let mut bytes = vec![0; 5000];
            bytes[4998] = byte;
            let fault = packed(from, &bytes, tag).unwrap_err();
            assert_eq!(
                (fault.status, fault.index),
                (Status::INVALID_ARGUMENT, Some(4998)),
                "{from:02X} {byte} {tag:02X}"
            );
        }
    }

    #[test]
    fn every_type_comes_back() {
        for tag in (0..=255).filter(|&tag| unpacked_type(tag).is_some()) {
            let bits = bits_of(tag).unwrap();
            let count = 9001;
            let bytes: Vec<u8> = (0..count * bits / 8 / 3 * 3).map(|k| (k * 151 + 43) as u8).collect();
            let count = bytes.len() * 8 / bits;
            let mut codes = vec![0; count];
            unpack(Packed { tag, bytes: &bytes }, count as u64, &mut codes, &Job::new(None, 1)).unwrap();
            assert_eq!(packed(unpacked_type(tag).unwrap(), &codes, tag).unwrap(), bytes, "{tag:02X}");
        }
    }
}
