//! The 64 bytes that a file starts with.

use super::{HEADER_LEN, corrupt};
use crate::format::{Fault, Place, Status};

const MAGIC: [u8; 8] = *b"HRRYFILE";
const MAJOR: u8 = 1;

/// Least alignment of tensor data.
pub const MIN_ALIGNMENT: u32 = 4096;
/// Largest alignment of tensor data.
pub const MAX_ALIGNMENT: u32 = 2 << 20;

/// Flag: a key-value section exists.
pub const HAS_KV: u32 = 1;
/// Flag: index entries ascend by name.
pub const SORTED_INDEX: u32 = 2;
/// Flag: the trailer's checksum is valid.
pub const HAS_CRC: u32 = 4;
const ALL_FLAGS: u32 = 7;

/// The header's fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Minor version; the major is 1.
    pub minor: u8,
    /// File flags.
    pub flags: u32,
    /// Alignment of tensor data, in bytes.
    pub alignment: u32,
    /// Where the first descriptor is.
    pub first_descriptor: u64,
}

impl Header {
    /// F-002, on the first eight bytes of a file of any size.
    pub fn check_magic(magic: [u8; 8]) -> Result<(), Fault> {
        if magic == MAGIC {
            return Ok(());
        }
        Err(Fault::new(Status::INVALID_MAGIC, "F-002", "not a tensor file").at(Place::Byte(0)))
    }

    /// F-003 to F-009, but F-008.
    pub fn decode(bytes: &[u8; HEADER_LEN as usize], strict: bool) -> Result<Header, Fault> {
        let word = |at: usize| u32::from_le_bytes(std::array::from_fn(|k| bytes[at + k]));
        let header = Header {
            minor: bytes[9],
            flags: word(12),
            alignment: word(16),
            first_descriptor: u64::from(word(20)) | u64::from(word(24)) << 32,
        };
        if bytes[8] != MAJOR {
            return Err(Fault::new(Status::VERSION_MISMATCH, "F-003", "container major version is not 1")
                .field("container_version_major")
                .value(bytes[8])
                .limit(MAJOR)
                .at(Place::Byte(8)));
        }
        let reserved = strict && header.minor == 0;
        if reserved && bytes[10..12] != [0; 2] {
            return Err(corrupt("F-004", "reserved bytes of the header are not 0", 10));
        }
        if header.flags & !ALL_FLAGS != 0 {
            return Err(corrupt("F-005", "reserved file flags are set", 12)
                .field("file_flags")
                .value(header.flags));
        }
        let alignment = header.alignment;
        if !alignment.is_power_of_two() || !(MIN_ALIGNMENT..=MAX_ALIGNMENT).contains(&alignment) {
            return Err(corrupt("F-006", "data alignment is not a power of two from 4096 to 2 MiB", 16)
                .field("data_buffer_alignment")
                .value(alignment));
        }
        let first = header.first_descriptor;
        if first < HEADER_LEN || !first.is_multiple_of(8) {
            return Err(corrupt(
                "F-007",
                "the first descriptor lies in the header, or not at a multiple of 8",
                20,
            )
            .field("first_descriptor_offset")
            .value(first));
        }
        if reserved && bytes[36..] != [0; 28] {
            return Err(corrupt("F-009", "reserved bytes of the header are not 0", 36));
        }
        Ok(header)
    }

    /// The bytes. The count of tensors is not known when they go out.
    pub fn encode(&self) -> [u8; HEADER_LEN as usize] {
        let mut bytes = [0; HEADER_LEN as usize];
        bytes[..8].copy_from_slice(&MAGIC);
        bytes[8] = MAJOR;
        bytes[9] = self.minor;
        bytes[12..16].copy_from_slice(&self.flags.to_le_bytes());
        bytes[16..20].copy_from_slice(&self.alignment.to_le_bytes());
        bytes[20..28].copy_from_slice(&self.first_descriptor.to_le_bytes());
        bytes[28..36].copy_from_slice(&u64::MAX.to_le_bytes());
        bytes
    }
}
