//! A file's structure: checked when it is opened, by index and without touching a tensor; descriptors on demand.

use super::fetch::length;
use super::index::{Entry, Index};
use super::place::{Placement, buffers_from};
use super::{
    Fetch, HEADER_LEN, Header, Kv, Source, TRAILER_LEN, Trailer, corrupt, out_of_memory, room, truncated,
};
use crate::format::composite::Composite;
use crate::format::{Descriptor, Fault, Layout, Place, Status};
use std::sync::OnceLock;

/// What a reader accepts.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Keep what is not understood, and accept the reserved parts that only strict reading refuses.
    pub permissive: bool,
    /// Longest descriptor.
    pub max_descriptor: u64,
    /// Largest buffer.
    pub max_buffer: u64,
    /// Largest sum of one item's buffers.
    pub max_total: u64,
    /// Deepest nesting.
    pub max_depth: u64,
    /// Most members of a composite.
    pub max_members: u64,
    /// Longest index.
    pub max_index: u64,
    /// Longest key-value section.
    pub max_kv: u64,
    /// Refuse sync modes other than producer-synced.
    pub cross_machine: bool,
    /// Refuse device tags other than the CPU's.
    pub refuse_device_bytes: bool,
}

/// An open file.
pub struct Container {
    pub(super) header: Header,
    pub(super) trailer: Trailer,
    pub(super) size: u64,
    limits: Limits,
    index: Index,
    kv: Kv,
    /// Entries by the place of their descriptors.
    order: OnceLock<Vec<u32>>,
    items: OnceLock<Vec<u32>>,
}

/// A descriptor, and where its buffers are.
pub struct Located {
    /// The descriptor.
    pub descriptor: Descriptor,
    /// Its data.
    pub placement: Placement,
}

/// One entry of a composite, in the order of the file: a head comes before its members.
pub struct Member {
    /// Position in the index.
    pub entry: u32,
    /// Descriptor and data.
    pub located: Located,
}

impl Located {
    /// End of the data; 0 without any.
    pub fn end(&self) -> u64 {
        match self.placement.data_length {
            0 => 0,
            length => self.placement.data_offset.saturating_add(length),
        }
    }

    /// Number of members, if this is a head.
    pub fn members(&self) -> Option<u32> {
        match self.descriptor.layout {
            Layout::Composite { member_count, .. } => Some(member_count),
            _ => None,
        }
    }
}

impl Container {
    /// Reads and checks header, trailer, index and key-value section.
    pub fn open(source: &dyn Source, limits: &Limits) -> Result<Container, Fault> {
        let (strict, size) = (!limits.permissive, source.size());
        let header = Header::decode(&read_header(source, size)?, strict)?;
        let mut fetch = Fetch::new(source);
        let mut last = [0; TRAILER_LEN as usize];
        fetch.fill(size - TRAILER_LEN, &mut last, 0)?;
        let trailer = Trailer::decode(&last, size, &header, strict)?;
        let tail = Tail { fetch, trailer: &trailer, size };
        let (index, kv) = tail.read(&header, limits)?;
        let index = Index::decode(index, trailer.index_offset, &header, strict)?;
        let kv = match kv {
            Some(bytes) => Kv::decode(bytes, trailer.kv_offset, header.minor, strict)?,
            None => Kv::default(),
        };
        let container = Container {
            header,
            trailer,
            size,
            limits: *limits,
            index,
            kv,
            order: OnceLock::new(),
            items: OnceLock::new(),
        };
        container.check_ranges(strict)?;
        Ok(container)
    }

    /// What the index alone says of F-040, F-041, F-008, F-046 and F-048.
    fn check_ranges(&self, strict: bool) -> Result<(), Fault> {
        let (first, end) = (self.header.first_descriptor, self.trailer.region_end());
        let of = |index: usize, fault: Fault| Err(fault.field("entries").index(index));
        for (index, entry) in self.index.entries().iter().enumerate() {
            if !entry.descriptor_offset.is_multiple_of(8) {
                let at = entry.descriptor_offset;
                return of(index, corrupt("F-040", "a descriptor is not at a multiple of 8", at));
            }
            if entry.descriptor_offset < first {
                let fault = corrupt("F-041", "a descriptor lies before the first", entry.descriptor_offset);
                return of(index, fault.value(entry.descriptor_offset).limit(first));
            }
        }
        let smallest = self.index.entries().iter().map(|entry| entry.descriptor_offset).min();
        if strict && smallest.is_some_and(|smallest| smallest != first) {
            return Err(corrupt("F-008", "the first descriptor is not where the header says", 20)
                .field("first_descriptor_offset")
                .value(first)
                .limit(smallest.unwrap_or(0)));
        }
        for (index, entry) in self.index.entries().iter().enumerate() {
            let (start, length) = (entry.descriptor_offset, u64::from(entry.descriptor_length));
            if start > end || length > end - start {
                let fault = corrupt("F-041", "a descriptor leaves the tensors' part of the file", start);
                return of(index, fault.value(i128::from(start) + i128::from(length)).limit(end));
            }
            if entry.data_length > 0 {
                self.check_data(entry).or_else(|fault| of(index, fault))?;
            }
        }
        self.check_overlap()
    }

    /// F-046.
    fn check_data(&self, entry: &Entry) -> Result<(), Fault> {
        let (start, length, end) = (entry.data_offset, entry.data_length, self.trailer.region_end());
        if start > end || length > end - start {
            return Err(corrupt("F-046", "data leaves the tensors' part of the file", start)
                .field("data_offset + data_length")
                .value(i128::from(start) + i128::from(length))
                .limit(end));
        }
        Ok(())
    }

    /// F-048. A file as writers leave it is in order already.
    fn check_overlap(&self) -> Result<(), Fault> {
        let mut end = 0;
        let in_order = self.index.entries().iter().all(|entry| {
            let fits = entry.descriptor_offset >= end
                && (entry.data_length == 0 || entry.data_offset >= entry.descriptor_end());
            end = entry.end();
            fits
        });
        if in_order {
            return Ok(());
        }
        let mut ranges = room(2 * self.index.entries().len())?;
        for (index, entry) in self.index.entries().iter().enumerate() {
            if entry.descriptor_length > 0 {
                ranges.push((entry.descriptor_offset, entry.descriptor_end(), index));
            }
            if entry.data_length > 0 {
                ranges.push((entry.data_offset, entry.data_offset + entry.data_length, index));
            }
        }
        ranges.sort_unstable();
        for pair in ranges.windows(2) {
            if let [(_, end, _), (start, _, index)] = *pair
                && start < end
            {
                return Err(corrupt("F-048", "two tensors claim the same bytes", start)
                    .field("entries")
                    .index(index)
                    .value(start)
                    .limit(end));
            }
        }
        Ok(())
    }

    /// The index.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// The key-value section.
    pub fn kv(&self) -> &Kv {
        &self.kv
    }

    /// Alignment of tensor data.
    pub fn alignment(&self) -> u32 {
        self.header.alignment
    }

    /// What this reader accepts.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// An entry by position.
    pub fn entry(&self, position: u64) -> Result<(u32, &Entry), Fault> {
        let found = u32::try_from(position).ok().and_then(|at| Some((at, self.index.get(at)?)));
        found.ok_or_else(|| {
            Fault::new(Status::INDEX_OUT_OF_BOUNDS, "", "the file has no such entry")
                .field("index")
                .value(position)
                .limit(self.index.len())
        })
    }

    /// The descriptor of an entry and the place of its data: F-042 to F-047 and F-050.
    pub fn locate(&self, fetch: &mut Fetch<'_>, position: u32, until: u64) -> Result<Located, Fault> {
        let (_, entry) = self.entry(position.into())?;
        self.locate_entry(fetch, entry, until).map_err(|fault| {
            // A fault of the descriptor names its own field.
            if fault.field.is_empty() { fault.field("entries").index(position as usize) } else { fault }
        })
    }

    fn locate_entry(&self, fetch: &mut Fetch<'_>, entry: &Entry, until: u64) -> Result<Located, Fault> {
        let (start, len) = (entry.descriptor_offset, entry.descriptor_length);
        if len < 20 {
            return Err(corrupt("F-042", "a descriptor is shorter than its header", start)
                .field("descriptor_length")
                .value(len)
                .limit(20));
        }
        if u64::from(len) > self.limits.max_descriptor {
            return Err(limit("F-042", "a descriptor is longer than the limit", "descriptor_length")
                .value(len)
                .limit(self.limits.max_descriptor)
                .at(Place::Byte(start)));
        }
        let bytes = fetch.get(start, len as usize, until)?;
        let [b'H', b'R', b'R', b'Y', _, _, l0, l1, l2, l3, ..] = *bytes else {
            return Err(Fault::new(Status::INVALID_MAGIC, "F-044", "not a descriptor").at(Place::Byte(start)));
        };
        let own = u32::from_le_bytes([l0, l1, l2, l3]);
        if own != len {
            return Err(corrupt("F-043", "the index and the descriptor disagree on its length", start + 6)
                .field("descriptor_length")
                .value(own)
                .limit(len));
        }
        let descriptor = Descriptor::decode(bytes, self.limits.permissive)
            .map_err(|fault| fault.at(Place::Byte(start.saturating_add(fault.offset().unwrap_or(0)))))?;
        self.check_travel(&descriptor, start)?;
        let placement = self.place(entry, &descriptor)?;
        Ok(Located { descriptor, placement })
    }

    /// F-045 to F-047 and F-050.
    fn place(&self, entry: &Entry, descriptor: &Descriptor) -> Result<Placement, Fault> {
        let (start, length) = (entry.data_offset, entry.data_length);
        if !descriptor.has_buffer_table() {
            self.check_data(entry)?;
            return Ok(Placement { data_offset: start, data_length: length, buffers: Default::default() });
        }
        if descriptor.buffers.is_empty() {
            if length != 0 {
                return Err(corrupt("F-050", "data behind a descriptor without buffers", start)
                    .field("data_length")
                    .value(length)
                    .limit(0));
            }
            return Ok(Placement { data_offset: start, data_length: 0, buffers: Default::default() });
        }
        if !start.is_multiple_of(self.header.alignment.into()) {
            return Err(corrupt("F-045", "data is not at a multiple of the data alignment", start)
                .field("data_offset")
                .value(start)
                .limit(self.header.alignment));
        }
        self.check_data(entry)?;
        let sizes = descriptor.buffers.iter().map(|buffer| buffer.byte_size);
        match buffers_from(start, self.header.alignment, sizes)? {
            Some(placement) if placement.data_length == length => Ok(placement),
            found => Err(corrupt("F-047", "the data's length is not that of the buffers", start)
                .field("data_length")
                .value(length)
                .limit(found.map_or(u64::MAX, |placement| placement.data_length))),
        }
    }

    /// What the caller does not want from a file.
    fn check_travel(&self, descriptor: &Descriptor, at: u64) -> Result<(), Fault> {
        let mut total = 0u64;
        for (index, buffer) in descriptor.buffers.iter().enumerate() {
            let fault = if self.limits.cross_machine && buffer.sync_mode != 0 {
                Fault::new(Status::INVALID_SYNC_MODE, "B-010", "a sync mode that may not travel")
                    .field("buffers.sync_mode")
                    .value(buffer.sync_mode)
            } else if self.limits.refuse_device_bytes && buffer.device_tag != 0 {
                Fault::new(Status::UNSUPPORTED, "", "bytes of a device other than the CPU were refused")
                    .field("buffers.device_tag")
                    .value(buffer.device_tag)
            } else if buffer.byte_size > self.limits.max_buffer {
                limit("", "a buffer is larger than the limit", "buffers.byte_size")
                    .value(buffer.byte_size)
                    .limit(self.limits.max_buffer)
            } else {
                total = total.saturating_add(buffer.byte_size);
                continue;
            };
            return Err(fault.index(index).at(Place::Byte(at)));
        }
        self.check_total(total, at)
    }

    /// The sum of a tensor's buffers, or of all in a composite.
    fn check_total(&self, total: u64, at: u64) -> Result<(), Fault> {
        if total <= self.limits.max_total {
            return Ok(());
        }
        Err(limit("", "the buffers together are larger than the limit", "buffers.byte_size")
            .value(total)
            .limit(self.limits.max_total)
            .at(Place::Byte(at)))
    }

    /// Entries by the place of their descriptors.
    fn order(&self) -> Result<&[u32], Fault> {
        if let Some(order) = self.order.get() {
            return Ok(order);
        }
        let mut order = room(self.index.len() as usize)?;
        order.extend(0..self.index.len());
        let place = |&position: &u32| self.index.get(position).map_or(0, |entry| entry.descriptor_offset);
        // Places differ, and a stable sort would allocate.
        order.sort_unstable_by_key(place);
        Ok(self.order.get_or_init(|| order))
    }

    /// The top-level items, by the place of their descriptors: entries that are no member of a composite.
    pub fn items(&self, source: &dyn Source) -> Result<&[u32], Fault> {
        if let Some(items) = self.items.get() {
            return Ok(items);
        }
        let order = self.order()?;
        let mut items = Vec::new();
        let mut fetch = Fetch::new(source);
        let mut bound = 0u64;
        for &position in order {
            if bound == 0 {
                items.try_reserve(1).map_err(|_| out_of_memory(4))?;
                items.push(position);
            }
            bound = bound.saturating_sub(1) + u64::from(self.members_of(&mut fetch, position)?);
        }
        Ok(self.items.get_or_init(|| items))
    }

    /// Members that an entry binds. One that cannot be read binds none: its own read says why.
    fn members_of(&self, fetch: &mut Fetch<'_>, position: u32) -> Result<u32, Fault> {
        let Some(entry) = self.index.get(position).filter(|entry| entry.data_length == 0) else {
            return Ok(0);
        };
        match self.locate(fetch, position, entry.descriptor_end()) {
            Ok(located) => Ok(located.members().unwrap_or(0)),
            Err(fault) if matches!(fault.status, Status::IO | Status::OUT_OF_MEMORY) => Err(fault),
            Err(_) => Ok(0),
        }
    }

    /// A head and everything it binds, in the order of the file, by all rules of composites (F-051 to F-053).
    pub fn composite(&self, fetch: &mut Fetch<'_>, head: u32) -> Result<Vec<Member>, Fault> {
        let order = self.order()?;
        let (_, entry) = self.entry(head.into())?;
        let place = |position: &u32| self.index.get(*position).map_or(0, |entry| entry.descriptor_offset);
        let first = order.partition_point(|position| place(position) < entry.descriptor_offset);
        let mut open: Vec<Composite> = Vec::new();
        let mut members = Vec::new();
        let mut total = 0u64;
        for (at, &position) in order.iter().enumerate().skip(first) {
            let soon = open.last().map_or(1, |top| top.missing() as usize);
            let last = order.get(at.saturating_add(soon).min(order.len()) - 1);
            let until = last.and_then(|&last| self.index.get(last)).map_or(0, Entry::end);
            let located = self.locate(fetch, position, until)?;
            let sizes = located.descriptor.buffers.iter().map(|buffer| buffer.byte_size);
            total = sizes.fold(total, u64::saturating_add);
            self.check_total(total, place(&position))?;
            if let Some(top) = open.last_mut() {
                top.member(&located.descriptor)?;
            }
            if let Some(count) = located.members() {
                self.check_head(open.len() as u64 + 1, count)?;
                open.try_reserve(1).map_err(|_| out_of_memory(size_of::<Composite>()))?;
                open.push(Composite::new(&located.descriptor)?);
            } else if open.is_empty() {
                return Err(Fault::new(
                    Status::INVALID_ARGUMENT,
                    "",
                    "the entry is a tensor, not a composite",
                ));
            }
            members.try_reserve(1).map_err(|_| out_of_memory(size_of::<Member>()))?;
            members.push(Member { entry: position, located });
            while let Some(top) = open.pop_if(|top| top.missing() == 0) {
                top.close()?;
            }
            if open.is_empty() {
                return Ok(members);
            }
        }
        Err(match open.last() {
            Some(top) => Fault { rule: "F-051", ..top.torn() },
            None => Fault::new(Status::INTERNAL, "", "an entry outside its own order"),
        })
    }

    fn check_head(&self, depth: u64, count: u32) -> Result<(), Fault> {
        if depth > self.limits.max_depth {
            return Err(limit("F-052", "composites are nested too deep", "depth")
                .value(depth)
                .limit(self.limits.max_depth));
        }
        if u64::from(count) > self.limits.max_members {
            return Err(limit("", "a composite has more members than the limit", "member_count")
                .value(count)
                .limit(self.limits.max_members));
        }
        Ok(())
    }
}

fn limit(rule: &'static str, what: &'static str, field: &'static str) -> Fault {
    Fault::new(Status::LIMIT_EXCEEDED, rule, what).field(field)
}

/// F-002, on as few as eight bytes, then F-001.
fn read_header(source: &dyn Source, size: u64) -> Result<[u8; HEADER_LEN as usize], Fault> {
    let mut bytes = [0; HEADER_LEN as usize];
    let least = HEADER_LEN + TRAILER_LEN;
    let short = truncated("F-001", "the file is shorter than a header and a trailer", size)
        .field("size")
        .value(size)
        .limit(least);
    let there = bytes.get_mut(..size.min(HEADER_LEN) as usize).unwrap_or_default();
    if there.len() >= 8 {
        source.read_at(0, there)?;
        let [m0, m1, m2, m3, m4, m5, m6, m7, ..] = bytes;
        Header::check_magic([m0, m1, m2, m3, m4, m5, m6, m7])?;
    }
    if size < least { Err(short) } else { Ok(bytes) }
}

/// The sections at the end of a file.
struct Tail<'a> {
    fetch: Fetch<'a>,
    trailer: &'a Trailer,
    size: u64,
}

impl Tail<'_> {
    /// The bytes of the index, its checksum compared, and of the key-value section.
    fn read(mut self, header: &Header, limits: &Limits) -> Result<(Vec<u8>, Option<Vec<u8>>), Fault> {
        let trailer = self.trailer;
        self.within(trailer.index_length, limits.max_index, "index_length")?;
        let length_of = |len| length(len, self.size - TRAILER_LEN);
        let index_length = length_of(trailer.index_length)?;
        let kv_length = trailer.kv_length as usize;
        let kv_end = trailer.kv_offset.saturating_add(trailer.kv_length.into());
        let gap = trailer.index_offset.checked_sub(kv_end).filter(|&gap| gap < 8);
        let plausible = trailer.kv_offset >= HEADER_LEN && u64::from(trailer.kv_length) <= limits.max_kv;
        if let (true, true, Some(gap)) = (self.fetch.source().ahead() > 0, plausible, gap) {
            let both = kv_length.saturating_add(gap as usize).saturating_add(index_length);
            self.fetch.get(trailer.kv_offset, both, 0)?;
        }
        let index = copy(self.fetch.get(trailer.index_offset, index_length, 0)?)?;
        if header.flags & super::header::HAS_CRC != 0 {
            let found = crc32c::crc32c(&index);
            if found != trailer.index_crc {
                return Err(corrupt("F-017", "the index's checksum differs", self.size - TRAILER_LEN + 28)
                    .field("index_crc32c")
                    .value(found)
                    .limit(trailer.index_crc));
            }
        }
        trailer.check_kv(self.size, header, !limits.permissive)?;
        if !trailer.has_kv() {
            return Ok((index, None));
        }
        self.within(trailer.kv_length.into(), limits.max_kv, "kv_length")?;
        if kv_length < 4 {
            return Err(truncated(
                "F-061",
                "the key-value section is shorter than its count",
                trailer.kv_offset,
            )
            .field("kv_length")
            .value(trailer.kv_length)
            .limit(4));
        }
        Ok((index, Some(copy(self.fetch.get(trailer.kv_offset, kv_length, 0)?)?)))
    }

    fn within(&self, value: u64, most: u64, field: &'static str) -> Result<(), Fault> {
        if value <= most {
            return Ok(());
        }
        Err(limit("", "a section is longer than the limit", field)
            .value(value)
            .limit(most)
            .at(Place::Byte(self.size - TRAILER_LEN)))
    }
}

fn copy(bytes: &[u8]) -> Result<Vec<u8>, Fault> {
    let mut copy = room(bytes.len())?;
    copy.extend_from_slice(bytes);
    Ok(copy)
}
