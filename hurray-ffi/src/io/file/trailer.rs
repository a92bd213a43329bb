//! The 40 bytes that a file ends with.

use super::header::{HAS_CRC, HAS_KV};
use super::{HEADER_LEN, Header, TRAILER_LEN, corrupt, truncated};
use crate::format::{Fault, Place, Status};

const MAGIC: [u8; 4] = *b"HRRY";

/// The trailer's fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trailer {
    /// Where the index is.
    pub index_offset: u64,
    /// Bytes of the index.
    pub index_length: u64,
    /// Where the key-value section is; 0 for none.
    pub kv_offset: u64,
    /// Bytes of the key-value section; 0 for none.
    pub kv_length: u32,
    /// CRC-32C of the index; 0 without one.
    pub index_crc: u32,
}

impl Trailer {
    /// F-011 to F-018, but F-017, which needs the index itself.
    pub fn decode(
        bytes: &[u8; TRAILER_LEN as usize],
        size: u64,
        header: &Header,
        strict: bool,
    ) -> Result<Trailer, Fault> {
        let word = |at: usize| u32::from_le_bytes(std::array::from_fn(|k| bytes[at + k]));
        let long = |at: usize| u64::from(word(at)) | u64::from(word(at + 4)) << 32;
        let trailer = Trailer {
            index_offset: long(0),
            index_length: long(8),
            kv_offset: long(16),
            kv_length: word(24),
            index_crc: word(28),
        };
        let start = size - TRAILER_LEN;
        if bytes[36..] != MAGIC {
            return Err(Fault::new(
                Status::INVALID_MAGIC,
                "F-011",
                "the file does not end with a trailer: cut, extended or not finished",
            )
            .field("size")
            .value(size)
            .at(Place::Byte(start + 36)));
        }
        if strict && header.minor == 0 && bytes[32..36] != [0; 4] {
            return Err(corrupt("F-012", "reserved bytes of the trailer are not 0", start + 32));
        }
        trailer.check_index(start, header)?;
        Ok(trailer)
    }

    fn check_index(&self, start: u64, header: &Header) -> Result<(), Fault> {
        let (offset, length) = (self.index_offset, self.index_length);
        if offset > start || length > start - offset {
            return Err(corrupt("F-013", "the index leaves the file", start)
                .field("index_offset + index_length")
                .value(i128::from(offset) + i128::from(length))
                .limit(start));
        }
        if offset < HEADER_LEN {
            return Err(corrupt("F-014", "the index lies in the header", start)
                .field("index_offset")
                .value(offset)
                .limit(HEADER_LEN));
        }
        if !offset.is_multiple_of(8) {
            return Err(corrupt("F-015", "the index is not at a multiple of 8", start)
                .field("index_offset")
                .value(offset));
        }
        if length < 8 {
            return Err(truncated("F-016", "the index is shorter than its count", start + 8)
                .field("index_length")
                .value(length)
                .limit(8));
        }
        if header.flags & HAS_CRC == 0 && self.index_crc != 0 {
            return Err(corrupt("F-018", "a checksum without its flag", start + 28)
                .field("index_crc32c")
                .value(self.index_crc));
        }
        Ok(())
    }

    /// F-019 to F-023.
    pub fn check_kv(&self, size: u64, header: &Header, strict: bool) -> Result<(), Fault> {
        let start = size - TRAILER_LEN;
        let (offset, length) = (self.kv_offset, u64::from(self.kv_length));
        if (offset == 0) != (length == 0) {
            return Err(corrupt(
                "F-019",
                "one of offset and length of the key-value section is 0",
                start + 16,
            )
            .field("kv_length")
            .value(length));
        }
        if strict && header.flags & HAS_KV != 0 && !self.has_kv() {
            return Err(corrupt("F-020", "the header promises a key-value section, and there is none", 12));
        }
        if !self.has_kv() {
            return Ok(());
        }
        if !offset.is_multiple_of(8) {
            return Err(corrupt("F-021", "the key-value section is not at a multiple of 8", start + 16)
                .field("kv_offset")
                .value(offset));
        }
        if offset < HEADER_LEN || offset > start || length > start - offset {
            return Err(corrupt("F-022", "the key-value section leaves the file", start + 16)
                .field("kv_offset + kv_length")
                .value(i128::from(offset) + i128::from(length))
                .limit(start));
        }
        if offset < self.index_offset + self.index_length && self.index_offset < offset + length {
            return Err(corrupt("F-023", "the key-value section and the index overlap", start + 16)
                .field("kv_offset")
                .value(offset));
        }
        Ok(())
    }

    /// Whether there is a key-value section.
    pub fn has_kv(&self) -> bool {
        self.kv_offset != 0
    }

    /// Where the tensors end at the latest.
    pub fn region_end(&self) -> u64 {
        if self.has_kv() { self.index_offset.min(self.kv_offset) } else { self.index_offset }
    }

    /// The bytes.
    pub fn encode(&self) -> [u8; TRAILER_LEN as usize] {
        let mut bytes = [0; TRAILER_LEN as usize];
        bytes[..8].copy_from_slice(&self.index_offset.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.index_length.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.kv_offset.to_le_bytes());
        bytes[24..28].copy_from_slice(&self.kv_length.to_le_bytes());
        bytes[28..32].copy_from_slice(&self.index_crc.to_le_bytes());
        bytes[36..].copy_from_slice(&MAGIC);
        bytes
    }
}
