//! All rules of one descriptor, in memory: what decoding checks, and what a builder must pass.

mod layout;
pub(super) mod payload;
pub(super) mod quantization;
pub(super) mod sections;
mod writing;

use super::device::{check_colocation, check_entry, check_pair};
use super::extent::{DYNAMIC, index_size, layout_buffer_count};
use super::header::{
    HAS_EXTENSION_TYPE, HAS_MEMBER, HAS_QUANTIZATION, HAS_SHARD, HAS_STATISTICS, check_flags,
    check_layout_tag, check_rank, check_type,
};
use super::{Descriptor, Fault, Layout, MAX_BUFFERS, Place, Scheme, Status};

impl Descriptor {
    /// Checks every rule that needs no buffer contents, in the order of decoding. Faults name a place, not a
    /// byte offset: [`Descriptor::offset_of`] gives that.
    pub fn validate(&self) -> Result<(), Fault> {
        check_flags(self.flags)?;
        check_type(self.element_type, self.flags, self.permissive)?;
        check_rank(self.shape.len() as u64)?;
        check_layout_tag(self.layout.tag(), self.permissive)?;
        payload::check_fields(&self.layout, self.shape.len())?;
        check_buffer_count(&self.layout, self.buffers.len())?;
        for (index, entry) in self.buffers.iter().enumerate() {
            check_entry(index, entry)?;
        }
        self.check_presence()?;
        if self.quantization.is_some() {
            sections::check_quantization_allowed(&self.layout)?;
        }
        if let Some(shard) = &self.shard {
            sections::check_shard_allowed(&self.layout)?;
            sections::check_shard(shard, &self.shape)?;
        }
        if let Some(statistics) = &self.statistics {
            sections::check_statistics_mask(statistics)?;
        }
        if let Some(extension_type) = &self.extension_type {
            sections::check_packing(extension_type)?;
        }
        if let Some(member) = self.member {
            sections::check_member_allowed(&self.layout)?;
            sections::check_member(member)?;
        }
        self.check_length()?;
        self.check_whole(None)
    }

    /// Each section is there exactly when its flag is, unless the layout hides them all.
    fn check_presence(&self) -> Result<(), Fault> {
        let hidden = matches!(self.layout, Layout::Unknown { .. });
        let sections = [
            (HAS_QUANTIZATION, self.quantization.is_some()),
            (HAS_SHARD, self.shard.is_some()),
            (HAS_EXTENSION_TYPE, self.extension_type.is_some()),
            (HAS_STATISTICS, self.statistics.is_some()),
            (HAS_MEMBER, self.member.is_some()),
        ];
        let agrees = |&(flag, present): &(u32, bool)| present == (!hidden && self.flags & flag != 0);
        if !sections.iter().all(agrees) {
            let fault = Fault::new(Status::INVALID_DESCRIPTOR, "", "section flags and sections disagree");
            return Err(fault.field("flags").value(self.flags));
        }
        Ok(())
    }

    /// The length field holds the length, and only a later minor version has bytes after the known fields.
    fn check_length(&self) -> Result<(), Fault> {
        if self.minor == 0 && !self.tail.is_empty() {
            let fault = Fault::new(Status::INVALID_DESCRIPTOR, "V-009", "bytes after the last field");
            return Err(fault.field("tail length").value(self.tail.len() as u64).limit(0));
        }
        let length = self.encoded_len() as u64;
        if length > u64::from(u32::MAX) {
            let fault = Fault::new(
                Status::LIMIT_EXCEEDED,
                "V-006",
                "descriptor is longer than its length field can say",
            );
            return Err(fault.field("descriptor_length").value(length).limit(u32::MAX));
        }
        Ok(())
    }

    /// The rules that hold parts against each other, in the order of their numbers. `unread` is what was wrong
    /// with a quantization payload that could not be read.
    #[inline]
    pub(super) fn check_whole(&self, unread: Option<&Fault>) -> Result<(), Fault> {
        let need = layout::check_against_shape(self)?;
        if !matches!(self.layout, Layout::Unknown { .. }) {
            self.check_buffers(need, unread.is_none())?;
        }
        if self.flags == 0 {
            return Ok(());
        }
        if let Some(fault) = unread {
            return Err(*fault);
        }
        if let Some(q) = &self.quantization {
            quantization::check(self, q)?;
        }
        if let Some(shard) = &self.shard {
            sections::check_shard_static(shard, &self.shape)?;
        }
        if let Some(statistics) = &self.statistics {
            sections::check_statistics(statistics)?;
        }
        match &self.extension_type {
            Some(extension_type) => sections::check_number_format(extension_type),
            None => Ok(()),
        }
    }

    /// V-081, V-089, V-091 to V-093. `need` is the least size of buffer 0.
    #[inline]
    fn check_buffers(&self, need: u128, quantization_read: bool) -> Result<(), Fault> {
        let base = layout_buffer_count(&self.layout, self.shape.len());
        if let Some(base) = base {
            // A scheme that was not understood has buffers nobody can count.
            let parameters = match &self.quantization {
                _ if !quantization_read => None,
                None => Some(0),
                Some(q) if matches!(q.scheme, Scheme::Unknown { .. }) => None,
                Some(q) => Some(q.scheme.parameter_buffer_count()),
            };
            let count = self.buffers.len();
            let fits = match parameters {
                Some(parameters) => count == base + parameters,
                None => count >= base,
            };
            if !fits {
                return Err(wrong_count(count, base + parameters.unwrap_or(0)));
            }
        }
        for (index, entry) in self.buffers.iter().enumerate() {
            check_pair(index, entry)?;
        }
        check_colocation(&self.buffers)?;
        let Some(data) = self.buffers.first() else { return Ok(()) };
        if need > u128::from(data.byte_size) {
            return Err(too_small(0, data.byte_size, need));
        }
        match base {
            Some(base) if base > 1 => self.check_index_buffers(base),
            _ => Ok(()),
        }
    }

    fn check_index_buffers(&self, base: usize) -> Result<(), Fault> {
        if self.shape.contains(&DYNAMIC) {
            return Ok(());
        }
        for (index, entry) in self.buffers.iter().enumerate().take(base).skip(1) {
            let need = index_size(&self.layout, &self.shape, index)?;
            if need > entry.byte_size {
                return Err(too_small(index, entry.byte_size, u128::from(need)));
            }
        }
        Ok(())
    }
}

/// V-060, V-080.
#[inline]
pub(super) fn check_buffer_count(layout: &Layout, count: usize) -> Result<(), Fault> {
    let fits = match layout {
        Layout::Composite { .. } | Layout::Unknown { .. } => count == 0,
        _ => 0 < count && count <= MAX_BUFFERS,
    };
    if fits { Ok(()) } else { Err(bad_buffer_count(count)) }
}

#[cold]
fn bad_buffer_count(count: usize) -> Fault {
    let fault = match count {
        0 => Fault::new(Status::INVALID_DESCRIPTOR, "V-080", "no buffers").limit(1),
        1..=MAX_BUFFERS => {
            Fault::new(Status::INVALID_DESCRIPTOR, "V-060", "composite head with buffers").limit(0)
        }
        _ => Fault::new(Status::LIMIT_EXCEEDED, "", "more than 255 buffers").limit(MAX_BUFFERS as u64),
    };
    fault.field("buffer_count").value(count as u64).at(Place::BufferCount)
}

#[cold]
fn wrong_count(count: usize, wanted: usize) -> Fault {
    Fault::new(Status::INVALID_DESCRIPTOR, "V-081", "buffer count differs from what layout and scheme need")
        .field("buffer_count")
        .value(count as u64)
        .limit(wanted as u64)
        .at(Place::BufferCount)
}

#[cold]
fn too_small(index: usize, size: u64, need: u128) -> Fault {
    Fault::new(Status::BUFFER_MISMATCH, "V-093", "buffer is smaller than its layout needs")
        .field("buffer byte_size")
        .index(index)
        .value(size)
        .limit(i128::try_from(need).unwrap_or(i128::MAX))
        .at(Place::Buffer(index as u32, 0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::{Boxed, BufferEntry, Dims, Entries, Quantization, Shard, Tiled};

    /// A row-major float32 tensor of one buffer.
    fn dense(shape: &[u64], byte_size: u64) -> Descriptor {
        let entry = BufferEntry { byte_size, alignment: 64, ..BufferEntry::default() };
        Descriptor {
            minor: 0,
            flags: 0,
            element_type: 0x03,
            shape: Dims::from_slice(shape),
            byte_offset: 0,
            layout: Layout::RowMajor,
            buffers: Entries::from_slice(&[entry]),
            quantization: None,
            shard: None,
            statistics: None,
            extension_type: None,
            member: None,
            tail: Vec::new(),
            permissive: false,
        }
    }

    fn refusal(change: impl FnOnce(&mut Descriptor)) -> (&'static str, Status, Place) {
        let mut d = dense(&[2, 3], 24);
        d.validate().unwrap();
        change(&mut d);
        let fault = d.validate().unwrap_err();
        (fault.rule, fault.status, fault.place)
    }

    #[test]
    fn arrays_have_the_length_of_the_rank() {
        let wrong = ("", Status::INVALID_ARGUMENT, Place::None);
        assert_eq!(refusal(|d| d.layout = Layout::Strided([1][..].into())), wrong);
        assert_eq!(refusal(|d| d.layout = Layout::Morton([1, 2, 3][..].into())), wrong);
        assert_eq!(refusal(|d| d.layout = Layout::Csf { nnz: 0, mode_order: [0][..].into() }), wrong);
        let shard = || Shard { parent_shape: Dims::from_slice(&[9, 9]), offset: Dims::new() };
        let sharded = |d: &mut Descriptor| {
            d.flags = HAS_SHARD;
            d.shard = Some(Boxed::try_new(shard()).unwrap());
        };
        assert_eq!(refusal(sharded), wrong);
    }

    #[test]
    fn sections_go_with_their_flags() {
        let wrong = ("", Status::INVALID_DESCRIPTOR, Place::None);
        assert_eq!(refusal(|d| d.flags = HAS_SHARD), wrong);
        let unannounced = |d: &mut Descriptor| {
            let scheme = Scheme::PerTensor { scale: 1.0, zero_point: 0 };
            d.element_type = 0x14;
            d.quantization = Some(Quantization { scheme, version: 1, flags: 0, padding: Vec::new() });
        };
        assert_eq!(refusal(unannounced), wrong);
        let announced = |d: &mut Descriptor| {
            unannounced(d);
            d.flags = HAS_QUANTIZATION;
        };
        let mut d = dense(&[2, 3], 24);
        announced(&mut d);
        d.validate().unwrap();
    }

    #[test]
    fn only_a_later_minor_version_has_a_tail() {
        assert_eq!(refusal(|d| d.tail.push(0)).0, "V-009");
        let mut d = dense(&[2, 3], 24);
        (d.minor, d.tail) = (1, vec![0]);
        d.validate().unwrap();
    }

    #[test]
    fn opaque_layouts_have_no_other_form() {
        let unknown = |tag| Layout::Unknown { tag, data: Vec::new() };
        let opaque = |tag| {
            refusal(|d| {
                d.permissive = true;
                d.buffers.clear();
                d.layout = unknown(tag);
            })
        };
        assert_eq!(opaque(0x01).0, "V-019");
        assert_eq!(opaque(0xF0).0, "V-019");
        assert_eq!(opaque(0xFF).0, "V-018");
        assert_eq!(refusal(|d| d.layout = unknown(0x41)).0, "V-019");
    }

    #[test]
    fn tiles_nest_eight_deep() {
        let level = |nested: Option<Tiled>| Tiled {
            tile_shape: Dims::from_slice(&[1, 1]),
            outer_layout: 1,
            inner_layout: if nested.is_some() { 4 } else { 1 },
            outer_strides: None,
            inner_strides: None,
            nested: nested.map(|tile| Boxed::try_new(tile).unwrap()),
        };
        let tiles = |depth: usize| {
            Layout::Tiled(Boxed::try_new((1..depth).fold(level(None), |t, _| level(Some(t)))).unwrap())
        };
        let mut d = dense(&[2, 3], 24);
        d.layout = tiles(8);
        d.validate().unwrap();
        // The inner_layout byte of the eighth block of 20 bytes.
        let place = Place::Layout(7 * 20 + 17);
        assert_eq!(refusal(|d| d.layout = tiles(9)), ("V-035", Status::LIMIT_EXCEEDED, place));
    }

    #[test]
    fn places_have_offsets() {
        let d = dense(&[2, 3], 24);
        // Header 20, shape 16, byte_offset 8, no payload, buffer count 1.
        assert_eq!(d.offset_of(Place::Shape(1)), 28);
        assert_eq!(d.offset_of(Place::ByteOffset), 36);
        assert_eq!(d.offset_of(Place::BufferCount), 44);
        assert_eq!(d.offset_of(Place::Buffer(0, 12)), 57);
        assert_eq!(refusal(|d| d.byte_offset = 25), ("V-025", Status::INVALID_LAYOUT, Place::ByteOffset));
        assert_eq!(refusal(|d| d.byte_offset = 1), ("V-093", Status::BUFFER_MISMATCH, Place::Buffer(0, 0)));
    }
}
