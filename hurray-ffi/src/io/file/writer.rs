//! Writing a file, forward only: header, tensors, key-value section, index, trailer.

use super::compact::{Buffers, Content, Stored, Storing, check_entries, encode, store};
use super::header::{HAS_CRC, HAS_KV, MAX_ALIGNMENT, MIN_ALIGNMENT, SORTED_INDEX};
use super::index::{self, Placed, entry_len};
use super::kv::{KvDraft, KvKind};
use super::names::Names;
use super::{HEADER_LEN, Header, Trailer, append, out_of_memory, place, room, up};
use crate::format::{Descriptor, Fault, Layout, Status};
use std::io::IoSlice;
use std::ops::Range;

/// Most slices of one gather write.
const BATCH: usize = 1024;
/// Most bytes of one gather write, so that progress moves and a cancelled call ends soon.
const STEP: usize = 16 << 20;
/// Shorter runs of gathered elements are collected first.
const SHORT: usize = 4096;
/// Bytes collected at a time.
const COLLECT: usize = 256 << 10;

static ZEROS: [u8; 16 << 10] = [0; 16 << 10];

/// Where a file goes, front to back.
pub trait Sink: Send {
    /// Writes all slices, in order.
    fn write(&mut self, parts: &mut [IoSlice<'_>]) -> Result<(), Fault>;

    /// So many more bytes are going to come.
    fn expect(&mut self, bytes: u64);
}

/// What is known of the key-value section when the header goes out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KvMode {
    /// Present if a key was set before the first tensor.
    IfSet,
    /// Present, with its flag.
    Present,
    /// Absent: setting a key is an error.
    Absent,
    /// Present if a key is ever set, without its flag.
    Unflagged,
}

/// How a file is written.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Least alignment of tensor data.
    pub alignment: u32,
    /// Whether index entries ascend by name.
    pub sorted_index: bool,
    /// Whether the index has a checksum.
    pub index_crc: bool,
    /// The key-value section.
    pub kv: KvMode,
    /// What is written of each tensor.
    pub storing: Storing,
    /// Longest descriptor.
    pub max_descriptor: u64,
    /// Longest index.
    pub max_index: u64,
    /// Longest key-value section.
    pub max_kv: u64,
}

/// One tensor or head of an item; a head comes before its members.
pub struct Part<'a> {
    /// Its name, as a range of the names given with the item.
    pub name: Range<usize>,
    /// Its descriptor.
    pub descriptor: &'a Descriptor,
    /// Its buffers; none for a head.
    pub buffers: Buffers<'a>,
}

/// A file being written.
pub struct Writer {
    plan: Plan,
    /// The header, once it went out.
    header: Option<Header>,
    at: u64,
    index: Vec<u8>,
    /// Where each entry is in `index`.
    entries: Vec<u64>,
    names: Names,
    kv: KvDraft,
}

struct Ready<'a> {
    stored: Stored<'a>,
    descriptor_offset: u64,
    placement: place::Placement,
}

impl Writer {
    /// Starts with nothing written.
    pub fn new(plan: Plan) -> Writer {
        Writer {
            plan,
            header: None,
            at: 0,
            index: Vec::new(),
            entries: Vec::new(),
            names: Names::new(),
            kv: KvDraft::new(plan.max_kv),
        }
    }

    /// Sets a key.
    pub fn set<'a>(
        &mut self,
        key: &[u8],
        kind: KvKind,
        payload: impl Iterator<Item = &'a [u8]> + Clone,
    ) -> Result<(), Fault> {
        let promised = self.header.is_none_or(|header| header.flags & HAS_KV != 0);
        let open = match self.plan.kv {
            KvMode::IfSet => promised,
            KvMode::Present | KvMode::Unflagged => true,
            KvMode::Absent => false,
        };
        if !open {
            return Err(Fault::new(
                Status::INVALID_ARGUMENT,
                "",
                "the file was started without a key-value section",
            )
            .field("key"));
        }
        self.kv.set(key, kind, payload)
    }

    /// Checks an item whole, then writes it.
    pub fn put(&mut self, names: &[u8], parts: &[Part<'_>], sink: &mut dyn Sink) -> Result<(), Fault> {
        let header = self.header.unwrap_or_else(|| self.header_for(parts));
        let mut at = if self.header.is_some() { self.at } else { HEADER_LEN };
        let mut ready = room(parts.len())?;
        for part in parts {
            let next = self.prepare(names, part, at, header.alignment)?;
            at = next.placement.buffers.last().map_or_else(
                || next.descriptor_offset + next.stored.descriptor.len() as u64,
                |&(start, length)| start + length,
            );
            ready.push(next);
        }
        sink.expect(at - self.at);
        let mut out = Emit::new(sink, self.at);
        let first = header.encode();
        if self.header.is_none() {
            out.bytes(&first)?;
            self.header = Some(header);
        }
        for tensor in &ready {
            out.pad(tensor.descriptor_offset)?;
            out.bytes(&tensor.stored.descriptor)?;
            for (content, &(start, _)) in tensor.stored.contents.iter().zip(&tensor.placement.buffers) {
                out.pad(start)?;
                match content {
                    Content::Whole(bytes) => out.bytes(bytes)?,
                    Content::Packed(packed) => out.gather(|each| packed.runs(each))?,
                }
            }
        }
        self.at = out.finish()?;
        Ok(())
    }

    /// Everything that can be wrong with one tensor, before its first byte.
    fn prepare<'a>(
        &mut self,
        names: &[u8],
        part: &Part<'a>,
        at: u64,
        alignment: u32,
    ) -> Result<Ready<'a>, Fault> {
        let name = check_name(names.get(part.name.clone()).unwrap_or_default())?;
        let stored = match part.descriptor.layout {
            Layout::Composite { .. } => {
                Stored { descriptor: encode(part.descriptor)?, contents: Default::default() }
            }
            _ => {
                check_entries(part.descriptor)?;
                store(part.descriptor, &part.buffers, self.plan.storing)?
            }
        };
        let length = stored.descriptor.len() as u64;
        let most = self.plan.max_descriptor.min(u32::MAX.into());
        if length > most {
            return Err(Fault::new(Status::LIMIT_EXCEEDED, "", "a descriptor is longer than the limit")
                .field("descriptor_length")
                .value(length)
                .limit(most));
        }
        let mut sizes = smallvec::SmallVec::<[u64; 4]>::new();
        sizes.try_reserve(stored.contents.len()).map_err(|_| out_of_memory(8 * stored.contents.len()))?;
        sizes.extend(stored.contents.iter().map(Content::size));
        let descriptor_offset = up(at, 8).ok_or_else(too_long)?;
        let end = descriptor_offset.checked_add(length).ok_or_else(too_long)?;
        let placement = place::after(end, alignment, &sizes)?.ok_or_else(too_long)?;
        let placed = Placed {
            name,
            descriptor_offset,
            descriptor_length: length as u32,
            data_offset: placement.data_offset,
            data_length: placement.data_length,
        };
        self.record(&placed)?;
        Ok(Ready { stored, descriptor_offset, placement })
    }

    /// Adds an entry to the index.
    fn record(&mut self, placed: &Placed<'_>) -> Result<(), Fault> {
        let most = self.plan.max_index.min(u32::MAX.into());
        let length = 8 + self.index.len() as u64 + entry_len(placed.name);
        if length > most {
            return Err(Fault::new(Status::LIMIT_EXCEEDED, "", "the index is longer than the limit")
                .field("index_length")
                .value(length)
                .limit(most));
        }
        self.entries.try_reserve(1).map_err(|_| out_of_memory(8))?;
        let name = |position: u32| name_at(&self.index, &self.entries, position);
        self.names.reserve(1, name)?;
        let start = self.index.len() as u64;
        index::encode(placed, &mut self.index)?;
        self.entries.push(start);
        let position = self.entries.len() as u32 - 1;
        let name = |position: u32| name_at(&self.index, &self.entries, position);
        if let Some(first) = self.names.insert(position, name) {
            let fault = Fault::new(Status::DUPLICATE, "F-034", "the name is in the file already");
            return Err(fault.field("entries").index(first as usize));
        }
        Ok(())
    }

    /// The header that goes out before these tensors. A buffer that wants more than the data alignment raises it.
    fn header_for(&self, parts: &[Part<'_>]) -> Header {
        let buffers = parts.iter().flat_map(|part| &part.descriptor.buffers);
        let wanted = buffers.filter(|buffer| buffer.byte_size > 0).map(|buffer| buffer.alignment).max();
        let alignment = self.plan.alignment.max(wanted.unwrap_or(0)).clamp(MIN_ALIGNMENT, MAX_ALIGNMENT);
        let kv = match self.plan.kv {
            KvMode::IfSet => self.kv.count() > 0,
            KvMode::Present => true,
            KvMode::Absent | KvMode::Unflagged => false,
        };
        let flag = |set: bool, flag: u32| if set { flag } else { 0 };
        let flags = flag(kv, HAS_KV)
            | flag(self.plan.sorted_index, SORTED_INDEX)
            | flag(self.plan.index_crc, HAS_CRC);
        Header { minor: 0, flags, alignment, first_descriptor: HEADER_LEN }
    }

    /// Writes what comes after the last tensor.
    pub fn finish(&mut self, sink: &mut dyn Sink) -> Result<(), Fault> {
        let header = self.header.unwrap_or_else(|| self.header_for(&[]));
        let index = self.index_in_order()?;
        let count = (self.entries.len() as u64).to_le_bytes();
        let tensors_end = if self.header.is_some() { self.at } else { HEADER_LEN };
        let has_kv = header.flags & HAS_KV != 0 || self.kv.count() > 0;
        let kv_length = if has_kv { self.kv.length() } else { 0 };
        let kv_offset = up(tensors_end, 8).ok_or_else(too_long)?;
        let kv_end = kv_offset.checked_add(kv_length.into()).ok_or_else(too_long)?;
        let index_offset = up(kv_end, 8).ok_or_else(too_long)?;
        let trailer = Trailer {
            index_offset,
            index_length: 8 + index.len() as u64,
            kv_offset: if has_kv { kv_offset } else { 0 },
            kv_length,
            index_crc: if self.plan.index_crc {
                crc32c::crc32c_append(crc32c::crc32c(&count), &index)
            } else {
                0
            },
        };
        let first = header.encode();
        let last = trailer.encode();
        let kv_count = self.kv.count().to_le_bytes();
        sink.expect(index_offset + 8 + index.len() as u64 + last.len() as u64 - self.at);
        let mut out = Emit::new(sink, self.at);
        if self.header.is_none() {
            out.bytes(&first)?;
        }
        if has_kv {
            out.pad(kv_offset)?;
            out.bytes(&kv_count)?;
            out.bytes(self.kv.entries())?;
        }
        out.pad(index_offset)?;
        out.bytes(&count)?;
        out.bytes(&index)?;
        out.bytes(&last)?;
        self.at = out.finish()?;
        self.header = Some(header);
        Ok(())
    }

    /// The entries as they go out; the index is not needed any more afterwards.
    fn index_in_order(&mut self) -> Result<Vec<u8>, Fault> {
        if !self.plan.sorted_index {
            return Ok(std::mem::take(&mut self.index));
        }
        let mut order = room(self.entries.len())?;
        order.extend(0..self.entries.len() as u32);
        let name = |position: u32| name_at(&self.index, &self.entries, position);
        order.sort_unstable_by(|&a, &b| name(a).cmp(name(b)));
        let mut sorted = room(self.index.len())?;
        for position in order {
            let start = self.entries.get(position as usize).map_or(0, |&start| start as usize);
            let length = entry_len(name(position)) as usize;
            append(&mut sorted, self.index.get(start..start + length).unwrap_or_default())?;
        }
        Ok(sorted)
    }
}

fn name_at<'a>(index: &'a [u8], entries: &[u64], position: u32) -> &'a [u8] {
    let entry = entries.get(position as usize).and_then(|&start| index.get(start as usize..));
    let name = entry.and_then(<[u8]>::split_first_chunk);
    name.and_then(|(length, rest)| rest.get(..usize::from(u16::from_le_bytes(*length)))).unwrap_or_default()
}

/// F-032 and F-033 when writing, and the longest name.
fn check_name(name: &[u8]) -> Result<&[u8], Fault> {
    let bad = |rule, what| Err(Fault::new(Status::INVALID_ARGUMENT, rule, what).field("name"));
    if name.is_empty() {
        return bad("F-032", "an empty name");
    }
    if std::str::from_utf8(name).is_err() {
        return bad("F-033", "a name is not UTF-8");
    }
    if name.len() > usize::from(u16::MAX) {
        return Err(Fault::new(Status::LIMIT_EXCEEDED, "", "a name is longer than 65535 bytes")
            .field("name_length")
            .value(name.len() as u64)
            .limit(u16::MAX));
    }
    Ok(name)
}

#[cold]
fn too_long() -> Fault {
    Fault::new(Status::OVERFLOW, "", "the file would pass 64 bits")
}

/// Slices on their way out, many to a call.
struct Emit<'a, 's> {
    sink: &'s mut dyn Sink,
    batch: Vec<IoSlice<'a>>,
    held: usize,
    at: u64,
}

impl<'a, 's> Emit<'a, 's> {
    fn new(sink: &'s mut dyn Sink, at: u64) -> Emit<'a, 's> {
        Emit { sink, batch: Vec::new(), held: 0, at }
    }

    fn bytes(&mut self, mut bytes: &'a [u8]) -> Result<(), Fault> {
        while !bytes.is_empty() {
            let (now, later) = bytes.split_at(bytes.len().min(STEP - self.held));
            self.batch.try_reserve(1).map_err(|_| out_of_memory(BATCH))?;
            self.batch.push(IoSlice::new(now));
            self.held += now.len();
            self.at += now.len() as u64;
            if self.held == STEP || self.batch.len() == BATCH {
                self.flush()?;
            }
            bytes = later;
        }
        Ok(())
    }

    fn pad(&mut self, to: u64) -> Result<(), Fault> {
        while self.at < to {
            let len = usize::try_from(to - self.at).unwrap_or(usize::MAX).min(ZEROS.len());
            self.bytes(ZEROS.get(..len).unwrap_or_default())?;
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), Fault> {
        if !self.batch.is_empty() {
            self.sink.write(&mut self.batch)?;
            self.batch.clear();
            self.held = 0;
        }
        Ok(())
    }

    /// Runs of bytes: long ones as they are, short ones collected.
    fn gather(
        &mut self,
        runs: impl FnOnce(&mut dyn FnMut(&'a [u8]) -> Result<(), Fault>) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let mut collected = Vec::new();
        runs(&mut |run| {
            if run.len() >= SHORT {
                return self.bytes(run);
            }
            if collected.capacity() == 0 {
                self.flush()?;
                collected = room(COLLECT)?;
            }
            collected.extend_from_slice(run);
            if collected.len() > COLLECT - SHORT {
                self.sink.write(&mut [IoSlice::new(&collected)])?;
                self.at += collected.len() as u64;
                collected.clear();
            }
            Ok(())
        })?;
        if !collected.is_empty() {
            self.sink.write(&mut [IoSlice::new(&collected)])?;
            self.at += collected.len() as u64;
        }
        Ok(())
    }

    fn finish(mut self) -> Result<u64, Fault> {
        self.flush()?;
        Ok(self.at)
    }
}
