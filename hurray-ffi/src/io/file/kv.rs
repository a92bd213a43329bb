//! The key-value section.

use super::names::Names;
use super::sections::Cursor;
use super::{append, corrupt, room};
use crate::format::{Fault, Place, Status};

/// Types of values, as on the wire.
pub mod tag {
    /// UTF-8.
    pub const STRING: u8 = 1;
    /// Signed integer.
    pub const INT64: u8 = 2;
    /// Unsigned integer.
    pub const UINT64: u8 = 3;
    /// Float.
    pub const FLOAT64: u8 = 4;
    /// Truth value.
    pub const BOOL: u8 = 5;
    /// Bytes.
    pub const BYTES: u8 = 6;
    /// Array of one of the others.
    pub const ARRAY: u8 = 7;
}

/// The longest key, in bytes.
pub const MAX_KEY: usize = u16::MAX as usize;

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KvKind {
    /// Type of the value, or of the array's elements.
    pub tag: u8,
    /// Whether it is an array.
    pub is_array: bool,
    /// Number of elements; 1 for a scalar.
    pub count: u32,
}

/// One entry.
#[derive(Clone, Copy, Debug)]
pub struct KvEntry {
    key_start: u32,
    key_length: u16,
    /// What the value is.
    pub kind: KvKind,
    payload_start: u32,
    payload_length: u32,
}

/// A whole section, checked.
#[derive(Default)]
pub struct Kv {
    bytes: Vec<u8>,
    entries: Vec<KvEntry>,
    names: Option<Names>,
}

impl Kv {
    /// F-060 to F-070 on the section that starts at `start` of the file.
    pub fn decode(bytes: Vec<u8>, start: u64, minor: u8, strict: bool) -> Result<Kv, Fault> {
        let mut cursor = Cursor::new(&bytes, start, "F-061");
        let declared = cursor.u32()?;
        let most = cursor.left() / 5;
        if declared as usize > most {
            return Err(corrupt("F-060", "more keys than the section has room for", start)
                .field("kv_count")
                .value(declared)
                .limit(most as u64));
        }
        let mut kv = Kv { bytes: Vec::new(), entries: room(declared as usize)?, names: None };
        let mut names = Names::new();
        names.reserve(declared as usize, |_| &[])?;
        for index in 0..declared {
            let entry = entry(&mut cursor).map_err(|fault| fault.index(index as usize))?;
            kv.entries.push(entry);
            let key = |position: u32| {
                kv.entries.get(position as usize).map_or(&[][..], |entry| key_of(&bytes, entry))
            };
            if names.insert(index, key).is_some() {
                return Err(Fault::new(Status::DUPLICATE, "F-064", "a key occurs twice")
                    .field("key")
                    .index(index as usize)
                    .at(Place::Byte(start + u64::from(entry.key_start))));
            }
        }
        if strict && minor == 0 && cursor.left() != 0 {
            return Err(corrupt("F-070", "bytes after the last key-value pair", cursor.place())
                .field("bytes left")
                .value(cursor.left() as u64));
        }
        Ok(Kv { bytes, names: Some(names), ..kv })
    }

    /// All entries, in the order of the file.
    pub fn entries(&self) -> &[KvEntry] {
        &self.entries
    }

    /// The key of an entry: UTF-8, not empty.
    pub fn key(&self, entry: &KvEntry) -> &[u8] {
        key_of(&self.bytes, entry)
    }

    /// The position of a key.
    pub fn find(&self, key: &[u8]) -> Option<u32> {
        let name = |position: u32| self.entries.get(position as usize).map_or(&[][..], |e| self.key(e));
        self.names.as_ref()?.find(key, name)
    }

    /// The payload of numbers and truth values: `count` little-endian values without tags.
    pub fn payload(&self, entry: &KvEntry) -> &[u8] {
        let start = entry.payload_start as usize;
        self.bytes.get(start..start + entry.payload_length as usize).unwrap_or_default()
    }

    /// The elements of strings and bytes.
    pub fn texts<'a>(&'a self, entry: &KvEntry) -> impl Iterator<Item = &'a [u8]> + Clone + use<'a> {
        let mut rest = self.payload(entry);
        std::iter::from_fn(move || {
            let (length, tail) = rest.split_first_chunk()?;
            let (text, tail) = tail.split_at_checked(u32::from_le_bytes(*length) as usize)?;
            rest = tail;
            Some(text)
        })
    }
}

fn key_of<'a>(bytes: &'a [u8], entry: &KvEntry) -> &'a [u8] {
    let start = entry.key_start as usize;
    bytes.get(start..start + usize::from(entry.key_length)).unwrap_or_default()
}

fn entry(cursor: &mut Cursor<'_>) -> Result<KvEntry, Fault> {
    let at = cursor.place();
    let key_length = cursor.u16()?;
    if key_length == 0 {
        return Err(corrupt("F-062", "an empty key", at).field("key_length").value(0));
    }
    let key_start = cursor.at() as u32;
    if std::str::from_utf8(cursor.take(usize::from(key_length))?).is_err() {
        return Err(corrupt("F-063", "a key is not UTF-8", at + 2).field("key"));
    }
    let tag_at = cursor.place();
    let [tag] = cursor.array()?;
    let kind = match tag {
        tag::STRING..=tag::BYTES => KvKind { tag, is_array: false, count: 1 },
        tag::ARRAY => array(cursor)?,
        _ => return Err(corrupt("F-065", "no such type of value", tag_at).field("value_tag").value(tag)),
    };
    let payload_start = cursor.at();
    for _ in 0..kind.count {
        value(cursor, kind.tag)?;
    }
    Ok(KvEntry {
        key_start,
        key_length,
        kind,
        payload_start: payload_start as u32,
        payload_length: (cursor.at() - payload_start) as u32,
    })
}

fn array(cursor: &mut Cursor<'_>) -> Result<KvKind, Fault> {
    let at = cursor.place();
    let [tag] = cursor.array()?;
    let Some(least) = least_len(tag) else {
        return Err(corrupt("F-068", "no such type of element", at).field("element_tag").value(tag));
    };
    let at = cursor.place();
    let count = cursor.u32()?;
    let most = cursor.left() / least;
    if count as usize > most {
        return Err(corrupt("F-069", "more elements than the section has room for", at)
            .field("count")
            .value(count)
            .limit(most as u64));
    }
    Ok(KvKind { tag, is_array: true, count })
}

/// Least bytes of an element; none for what is not an element.
fn least_len(tag: u8) -> Option<usize> {
    match tag {
        tag::STRING | tag::BYTES => Some(4),
        tag::INT64 | tag::UINT64 | tag::FLOAT64 => Some(8),
        tag::BOOL => Some(1),
        _ => None,
    }
}

fn value(cursor: &mut Cursor<'_>, tag: u8) -> Result<(), Fault> {
    let at = cursor.place();
    match tag {
        tag::STRING | tag::BYTES => {
            let length = cursor.u32()?;
            let text = cursor.take(length as usize)?;
            if tag == tag::STRING && std::str::from_utf8(text).is_err() {
                return Err(corrupt("F-067", "a string is not UTF-8", at + 4).field("value"));
            }
        }
        tag::BOOL => {
            let [byte] = cursor.array()?;
            if byte > 1 {
                return Err(corrupt("F-066", "a truth value is neither 0 nor 1", at)
                    .field("value")
                    .value(byte)
                    .limit(1));
            }
        }
        _ => {
            cursor.u64()?;
        }
    }
    Ok(())
}

/// A section being written.
pub struct KvDraft {
    bytes: Vec<u8>,
    keys: Vec<(u32, u16)>,
    names: Names,
    limit: u64,
}

impl KvDraft {
    /// An empty section of at most `limit` bytes.
    pub fn new(limit: u64) -> KvDraft {
        KvDraft {
            bytes: Vec::new(),
            keys: Vec::new(),
            names: Names::new(),
            limit: limit.min(u32::MAX.into()),
        }
    }

    /// Number of keys.
    pub fn count(&self) -> u32 {
        self.keys.len() as u32
    }

    /// Bytes of the section, count included.
    pub fn length(&self) -> u32 {
        4 + self.bytes.len() as u32
    }

    /// The entries, after the count.
    pub fn entries(&self) -> &[u8] {
        &self.bytes
    }

    /// Adds a pair. `payload` yields the elements as they are on the wire, without tags or lengths.
    pub fn set<'a>(
        &mut self,
        key: &[u8],
        kind: KvKind,
        payload: impl Iterator<Item = &'a [u8]> + Clone,
    ) -> Result<(), Fault> {
        check_key(key)?;
        let prefix = if matches!(kind.tag, tag::STRING | tag::BYTES) { 4 } else { 0 };
        let mut length = 2 + key.len() as u64 + 1 + if kind.is_array { 5 } else { 0 };
        for part in payload.clone() {
            if kind.tag == tag::STRING && std::str::from_utf8(part).is_err() {
                return Err(
                    Fault::new(Status::INVALID_ARGUMENT, "F-067", "a string is not UTF-8").field("values")
                );
            }
            if kind.tag == tag::BOOL && part.iter().any(|&byte| byte > 1) {
                return Err(Fault::new(
                    Status::INVALID_ARGUMENT,
                    "F-066",
                    "a truth value is neither 0 nor 1",
                )
                .field("values"));
            }
            length = length.saturating_add(prefix + part.len() as u64);
        }
        let whole = u64::from(self.length()).saturating_add(length);
        if whole > self.limit {
            return Err(Fault::new(Status::LIMIT_EXCEEDED, "", "the key-value section passes its limit")
                .field("kv_length")
                .value(whole)
                .limit(self.limit));
        }
        let start = self.bytes.len() + 2;
        self.bytes.try_reserve(length as usize).map_err(|_| super::out_of_memory(length as usize))?;
        self.keys.try_reserve(1).map_err(|_| super::out_of_memory(8))?;
        self.names.reserve(1, |position| key_at(&self.bytes, &self.keys, position))?;
        append(&mut self.bytes, &(key.len() as u16).to_le_bytes())?;
        append(&mut self.bytes, key)?;
        self.keys.push((start as u32, key.len() as u16));
        let position = self.count() - 1;
        let key = |position: u32| key_at(&self.bytes, &self.keys, position);
        if let Some(first) = self.names.insert(position, key) {
            self.bytes.truncate(start - 2);
            self.keys.pop();
            let fault = Fault::new(Status::DUPLICATE, "F-064", "the key is set already");
            return Err(fault.field("keys").index(first as usize));
        }
        if kind.is_array {
            append(&mut self.bytes, &[tag::ARRAY, kind.tag])?;
            append(&mut self.bytes, &kind.count.to_le_bytes())?;
        } else {
            append(&mut self.bytes, &[kind.tag])?;
        }
        for part in payload {
            if prefix != 0 {
                append(&mut self.bytes, &(part.len() as u32).to_le_bytes())?;
            }
            append(&mut self.bytes, part)?;
        }
        Ok(())
    }
}

fn key_at<'a>(bytes: &'a [u8], keys: &[(u32, u16)], position: u32) -> &'a [u8] {
    let Some(&(start, length)) = keys.get(position as usize) else { return &[] };
    bytes.get(start as usize..start as usize + usize::from(length)).unwrap_or_default()
}

/// F-062 and F-063 when writing, and the longest key.
fn check_key(key: &[u8]) -> Result<(), Fault> {
    let bad = |rule, what| Fault::new(Status::INVALID_ARGUMENT, rule, what).field("key");
    if key.is_empty() {
        return Err(bad("F-062", "an empty key"));
    }
    if std::str::from_utf8(key).is_err() {
        return Err(bad("F-063", "a key is not UTF-8"));
    }
    if key.len() > MAX_KEY {
        return Err(Fault::new(Status::LIMIT_EXCEEDED, "", "a key is longer than 65535 bytes")
            .field("key_length")
            .value(key.len() as u64)
            .limit(MAX_KEY as u64));
    }
    Ok(())
}
