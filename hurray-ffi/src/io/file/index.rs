//! The index: names, and where each tensor's descriptor and data are.

use super::header::SORTED_INDEX;
use super::names::Names;
use super::sections::Cursor;
use super::{Header, corrupt, room};
use crate::format::{Fault, Place, Status};

/// Bytes of an entry besides its name.
const FIXED_LEN: usize = 34;

/// One entry.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    name_start: u32,
    name_length: u16,
    /// Bytes of the descriptor.
    pub descriptor_length: u32,
    /// Where the descriptor is.
    pub descriptor_offset: u64,
    /// Where the data is.
    pub data_offset: u64,
    /// Bytes from the first byte of the first buffer to the last of the last.
    pub data_length: u64,
}

impl Entry {
    /// End of the descriptor; inside 64 bits once F-041 holds.
    pub fn descriptor_end(&self) -> u64 {
        self.descriptor_offset.saturating_add(u64::from(self.descriptor_length))
    }

    /// End of what belongs to the entry.
    pub fn end(&self) -> u64 {
        // Where data is, while there is none, means nothing behind a head.
        let data_end =
            if self.data_length == 0 { 0 } else { self.data_offset.saturating_add(self.data_length) };
        self.descriptor_end().max(data_end)
    }
}

/// All entries, in the order of the file.
pub struct Index {
    bytes: Vec<u8>,
    entries: Vec<Entry>,
    /// None when the names ascend.
    names: Option<Names>,
}

impl Index {
    /// F-030 to F-037 on the section that starts at `start` of the file.
    pub fn decode(bytes: Vec<u8>, start: u64, header: &Header, strict: bool) -> Result<Index, Fault> {
        let mut cursor = Cursor::new(&bytes, start, "F-031");
        let declared = cursor.u64()?;
        let most = cursor.left() / (FIXED_LEN + 1);
        let count = usize::try_from(declared).ok().filter(|&count| count <= most);
        let Some(count) = count.filter(|_| u32::try_from(bytes.len()).is_ok()) else {
            return Err(corrupt("F-030", "more entries than the index has room for", start)
                .field("index_entry_count")
                .value(declared)
                .limit(most as u64));
        };
        let mut entries = room(count)?;
        for index in 0..count {
            entries.push(entry(&mut cursor, strict).map_err(|fault| fault.index(index))?);
        }
        if strict && header.minor == 0 && cursor.left() != 0 {
            return Err(corrupt("F-036", "bytes after the last entry of the index", cursor.place())
                .field("bytes left")
                .value(cursor.left() as u64));
        }
        let mut index = Index { bytes, entries, names: None };
        index.check_names(start, header, strict)?;
        Ok(index)
    }

    /// F-034 and F-037.
    fn check_names(&mut self, start: u64, header: &Header, strict: bool) -> Result<(), Fault> {
        let sorted = header.flags & SORTED_INDEX != 0;
        let disorder = self.entries.windows(2).position(|pair| match pair {
            [a, b] => self.text(a) >= self.text(b),
            _ => false,
        });
        if sorted && disorder.is_none() {
            return Ok(());
        }
        let mut names = Names::new();
        let name = |position: u32| self.name(position);
        names.reserve(self.entries.len(), name)?;
        for position in 0..self.len() {
            if names.insert(position, name).is_some() {
                return Err(Fault::new(Status::DUPLICATE, "F-034", "a name occurs twice in the index")
                    .field("name")
                    .index(position as usize)
                    .at(Place::Byte(start + self.place(position))));
            }
        }
        if let (true, true, Some(at)) = (sorted, strict, disorder) {
            return Err(corrupt("F-037", "the names do not ascend, as the header says they do", start)
                .field("name")
                .index(at + 1)
                .at(Place::Byte(start + self.place(at as u32 + 1))));
        }
        self.names = Some(names);
        Ok(())
    }

    fn text(&self, entry: &Entry) -> &[u8] {
        let start = entry.name_start as usize;
        self.bytes.get(start..start + usize::from(entry.name_length)).unwrap_or_default()
    }

    /// Where a name is in the section.
    fn place(&self, position: u32) -> u64 {
        self.get(position).map_or(0, |entry| u64::from(entry.name_start))
    }

    /// Number of entries.
    pub fn len(&self) -> u32 {
        self.entries.len() as u32
    }

    /// All entries.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// One entry.
    pub fn get(&self, position: u32) -> Option<&Entry> {
        self.entries.get(position as usize)
    }

    /// The name of an entry: UTF-8, not empty.
    pub fn name(&self, position: u32) -> &[u8] {
        self.get(position).map_or(&[], |entry| self.text(entry))
    }

    /// The entry of a name.
    pub fn find(&self, name: &[u8]) -> Option<u32> {
        match &self.names {
            Some(names) => names.find(name, |position| self.name(position)),
            None => self
                .entries
                .binary_search_by(|entry| self.text(entry).cmp(name))
                .ok()
                .map(|position| position as u32),
        }
    }
}

fn entry(cursor: &mut Cursor<'_>, strict: bool) -> Result<Entry, Fault> {
    let at = cursor.place();
    let name_length = cursor.u16()?;
    if name_length == 0 {
        return Err(corrupt("F-032", "an empty name", at).field("name_length").value(0));
    }
    let name_start = cursor.at() as u32;
    let name = cursor.take(usize::from(name_length))?;
    if std::str::from_utf8(name).is_err() {
        return Err(corrupt("F-033", "a name is not UTF-8", at + 2).field("name"));
    }
    let entry = Entry {
        name_start,
        name_length,
        descriptor_offset: cursor.u64()?,
        descriptor_length: cursor.u32()?,
        data_offset: cursor.u64()?,
        data_length: cursor.u64()?,
    };
    let flags_at = cursor.place();
    let flags = cursor.u32()?;
    if strict && flags != 0 {
        return Err(corrupt("F-035", "reserved flags of an entry are set", flags_at)
            .field("entry_flags")
            .value(flags));
    }
    Ok(entry)
}

/// Appends an entry's bytes.
pub fn encode(entry: &Placed<'_>, to: &mut Vec<u8>) -> Result<(), Fault> {
    to.try_reserve(FIXED_LEN + entry.name.len()).map_err(|_| super::out_of_memory(entry.name.len()))?;
    to.extend_from_slice(&(entry.name.len() as u16).to_le_bytes());
    to.extend_from_slice(entry.name);
    to.extend_from_slice(&entry.descriptor_offset.to_le_bytes());
    to.extend_from_slice(&entry.descriptor_length.to_le_bytes());
    to.extend_from_slice(&entry.data_offset.to_le_bytes());
    to.extend_from_slice(&entry.data_length.to_le_bytes());
    to.extend_from_slice(&[0; 4]);
    Ok(())
}

/// An entry to be written.
pub struct Placed<'a> {
    /// Name, at most 65535 bytes.
    pub name: &'a [u8],
    /// Where the descriptor is.
    pub descriptor_offset: u64,
    /// Bytes of the descriptor.
    pub descriptor_length: u32,
    /// Where the data is.
    pub data_offset: u64,
    /// Bytes of the data, gaps included.
    pub data_length: u64,
}

/// Bytes that an entry takes.
pub fn entry_len(name: &[u8]) -> u64 {
    (FIXED_LEN + name.len()) as u64
}
