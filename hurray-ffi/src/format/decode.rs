//! Reading a descriptor. Untrusted bytes: every read is bounded, nothing is allocated beyond what bytes back.

mod payload;
mod reader;
mod sections;
#[cfg(test)]
mod tests;

use super::device::{check_entry, entry_fits};
use super::encode::ENTRY_LEN;
use super::header::{HEADER_LEN, MAGIC, MAJOR, check_flags, check_layout_tag, check_rank, check_type};
use super::validate::check_buffer_count;
use super::{BufferEntry, Descriptor, Dims, Entries, Fault, Layout, Place, Status};
use reader::{Reader, bytes_of, read_array};

impl Descriptor {
    /// Reads one descriptor from the front of `bytes` and checks it by every rule that needs no buffer
    /// contents; bytes after its declared length are left alone.
    ///
    /// Permissive reading keeps what this version does not know (element types, layouts, schemes) as opaque
    /// metadata; [`Descriptor::is_understood`] then says no. A fault names the byte offset.
    pub fn decode(bytes: &[u8], permissive: bool) -> Result<Descriptor, Fault> {
        let mut descriptor = Descriptor::blank();
        descriptor.read(bytes, permissive)?;
        Ok(descriptor)
    }

    /// A place to [`Descriptor::read`] into: a descriptor is too large to be moved about on every read.
    pub(crate) fn blank() -> Descriptor {
        Descriptor {
            minor: 0,
            flags: 0,
            element_type: 0,
            shape: Dims::new(),
            byte_offset: 0,
            layout: Layout::RowMajor,
            buffers: Entries::new(),
            quantization: None,
            shard: None,
            statistics: None,
            extension_type: None,
            member: None,
            tail: Vec::new(),
            permissive: false,
        }
    }

    /// Decodes into a blank descriptor; after a failure it is of no use.
    ///
    /// # Errors
    /// As [`Descriptor::decode`].
    pub(crate) fn read(&mut self, bytes: &[u8], permissive: bool) -> Result<(), Fault> {
        let (bytes, head) = frame(bytes)?;
        let [.., minor, _, _, _, _, f0, f1, f2, f3, element_type, layout_tag, r0, r1, r2, r3] = *head;
        let flags = u32::from_le_bytes([f0, f1, f2, f3]);
        let rank = u32::from_le_bytes([r0, r1, r2, r3]);
        check_flags(flags).map_err(|f| f.at(Place::Byte(10)))?;
        check_type(element_type, flags, permissive).map_err(|f| f.at(Place::Byte(14)))?;
        check_rank(u64::from(rank)).map_err(|f| f.at(Place::Byte(16)))?;
        check_layout_tag(layout_tag, permissive).map_err(|f| f.at(Place::Byte(15)))?;
        self.minor = minor;
        self.flags = flags;
        self.element_type = element_type;
        self.permissive = permissive;
        self.read_parts(Reader::new(bytes, HEADER_LEN), layout_tag, rank as usize)
    }

    /// Reads what follows the header and checks the whole.
    #[inline]
    fn read_parts(&mut self, mut reader: Reader<'_>, layout_tag: u8, rank: usize) -> Result<(), Fault> {
        read_array(&mut self.shape, reader.take(8 * rank, "shape")?, u64::from_le_bytes)?;
        self.byte_offset = u64::from_le_bytes(reader.take_array("byte_offset")?);
        payload::read_layout(&mut reader, layout_tag, rank, &mut self.layout)?;
        read_buffers(&mut reader, &self.layout, &mut self.buffers)?;
        let unread = if self.flags == 0 { None } else { sections::read(&mut reader, self)? };
        let rest = reader.rest();
        if !rest.is_empty() {
            if self.minor == 0 {
                return Err(left_over(&reader));
            }
            self.tail = bytes_of(rest)?;
        }
        self.check_whole(unread.as_ref()).map_err(|fault| located(self, fault))
    }
}

/// Turns the place of a fault into its byte offset.
#[cold]
fn located(d: &Descriptor, fault: Fault) -> Fault {
    match fault.place {
        Place::None => fault,
        place => fault.at(Place::Byte(d.offset_of(place))),
    }
}

/// The bytes of the descriptor itself, and its header (V-001 to V-007).
#[inline]
fn frame(bytes: &[u8]) -> Result<(&[u8], &[u8; HEADER_LEN]), Fault> {
    let Some(&[m0, m1, m2, m3, major, _, l0, l1, l2, l3]) = bytes.first_chunk::<10>() else {
        return Err(Fault::new(Status::TRUNCATED, "V-001", "too short for a descriptor")
            .field("input length")
            .value(bytes.len() as u64)
            .limit(10)
            .at(Place::Byte(bytes.len() as u64)));
    };
    let length = u32::from_le_bytes([l0, l1, l2, l3]);
    // The header fits in every length that is not below it.
    let frame = bytes.get(..length as usize).and_then(|frame| Some((frame, frame.first_chunk()?)));
    match frame {
        Some(frame) if [m0, m1, m2, m3] == MAGIC && major == MAJOR => Ok(frame),
        _ => Err(bad_frame([m0, m1, m2, m3], major, length, bytes.len())),
    }
}

#[cold]
fn bad_frame(magic: [u8; 4], major: u8, length: u32, available: usize) -> Fault {
    if magic != MAGIC {
        return Fault::new(Status::INVALID_MAGIC, "V-002", "not a descriptor")
            .field("magic")
            .value(u32::from_le_bytes(magic))
            .limit(u32::from_le_bytes(MAGIC))
            .at(Place::Byte(0));
    }
    if major != MAJOR {
        let rule = if major == 0 { "V-004" } else { "V-003" };
        return Fault::new(Status::VERSION_MISMATCH, rule, "major version is not 1")
            .field("version_major")
            .value(major)
            .limit(MAJOR)
            .at(Place::Byte(4));
    }
    if (length as usize) < HEADER_LEN {
        return Fault::new(Status::INVALID_DESCRIPTOR, "V-006", "descriptor is shorter than its header")
            .field("descriptor_length")
            .value(length)
            .limit(HEADER_LEN as u64)
            .at(Place::Byte(6));
    }
    Fault::new(Status::TRUNCATED, "V-007", "input ends before the descriptor")
        .field("descriptor_length")
        .value(length)
        .limit(available as u64)
        .at(Place::Byte(6))
}

#[inline]
fn read_buffers(reader: &mut Reader<'_>, layout: &Layout, buffers: &mut Entries) -> Result<(), Fault> {
    if matches!(layout, Layout::Unknown { .. }) {
        return Ok(());
    }
    let at = reader.at();
    let [count] = reader.take_array("buffer_count")?;
    let count = usize::from(count);
    check_buffer_count(layout, count).map_err(|f| f.at(Place::Byte(at)))?;
    let (entries, _) = reader.take(ENTRY_LEN * count, "buffer table")?.as_chunks::<ENTRY_LEN>();
    buffers.try_reserve_exact(count).map_err(|_| Fault::out_of_memory())?;
    for (index, bytes) in entries.iter().enumerate() {
        let entry = entry_from(bytes);
        let [.., reserved] = *bytes;
        if !entry_fits(&entry) || reserved != 0 {
            return Err(bad_entry(index, bytes, at + 1));
        }
        buffers.push(entry);
    }
    Ok(())
}

#[inline]
fn entry_from(bytes: &[u8; ENTRY_LEN]) -> BufferEntry {
    let [s0, s1, s2, s3, s4, s5, s6, s7, a0, a1, a2, a3, device_tag, sync_mode, memory_class, _] = *bytes;
    BufferEntry {
        byte_size: u64::from_le_bytes([s0, s1, s2, s3, s4, s5, s6, s7]),
        alignment: u32::from_le_bytes([a0, a1, a2, a3]),
        device_tag,
        sync_mode,
        memory_class,
    }
}

/// What is wrong with an entry of the table that starts at `table`.
#[cold]
fn bad_entry(index: usize, bytes: &[u8; ENTRY_LEN], table: u64) -> Fault {
    let start = table + (ENTRY_LEN * index) as u64;
    match check_entry(index, &entry_from(bytes)) {
        Err(fault) => match fault.place {
            Place::Buffer(_, byte) => fault.at(Place::Byte(start + u64::from(byte))),
            _ => fault,
        },
        Ok(()) => Fault::new(Status::INVALID_DESCRIPTOR, "V-090", "reserved byte of a buffer entry is not 0")
            .field("buffer reserved")
            .index(index)
            .value(bytes[15])
            .at(Place::Byte(start + 15)),
    }
}

#[cold]
fn left_over(reader: &Reader<'_>) -> Fault {
    Fault::new(Status::INVALID_DESCRIPTOR, "V-009", "bytes after the last field")
        .field("descriptor_length")
        .value(reader.all().len() as u64)
        .limit(reader.at())
        .at(Place::Byte(reader.at()))
}
