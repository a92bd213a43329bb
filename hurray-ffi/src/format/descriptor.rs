//! The decoded form of a descriptor. It encodes back to the bytes it was decoded from.

use super::extent::count;
use super::header::{HAS_EXTENSION_TYPE, HAS_MEMBER, HAS_QUANTIZATION, HAS_SHARD, HAS_STATISTICS};
use super::strides::dims;
use super::{
    Boxed, ExtensionType, Fault, Layout, Member, Quantization, Scheme, Shard, Statistics, device,
    element_info,
};
use smallvec::SmallVec;

/// Element type tag of bytes.
const UINT8: u8 = 0x11;
/// The largest rank.
pub const MAX_RANK: usize = 64;
/// The largest buffer table.
pub const MAX_BUFFERS: usize = 255;

/// Dimensions, slowest-varying first; `u64::MAX` is a dynamic dimension.
pub type Dims = SmallVec<[u64; 8]>;
/// Strides in elements (tiled outer strides: in tiles).
pub type Strides = SmallVec<[i64; 8]>;
/// The buffer table.
pub type Entries = SmallVec<[BufferEntry; 4]>;

/// One entry of the buffer table: what a buffer must be, not where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct BufferEntry {
    /// Bytes; 0 is an empty buffer.
    pub byte_size: u64,
    /// Power of two; at least 64 unless empty.
    pub alignment: u32,
    /// Device tag.
    pub device_tag: u8,
    /// Synchronisation mode.
    pub sync_mode: u8,
    /// Memory class.
    pub memory_class: u8,
}

impl BufferEntry {
    /// So many bytes in the CPU's memory.
    pub(crate) fn of_cpu(byte_size: u64) -> BufferEntry {
        BufferEntry { byte_size, alignment: 64, device_tag: device::CPU, sync_mode: 0, memory_class: 0 }
    }
}

/// A tensor's description, decoded and validated.
#[derive(Clone, Debug)]
pub struct Descriptor {
    /// Minor version; the major is 1.
    pub(crate) minor: u8,
    /// Section flags, as on the wire.
    pub(crate) flags: u32,
    /// Element type tag.
    pub(crate) element_type: u8,
    /// Shape.
    pub(crate) shape: Dims,
    /// Byte position, inside buffer 0, of the element at index zero.
    pub(crate) byte_offset: u64,
    /// Layout and its fields.
    pub(crate) layout: Layout,
    /// Buffer table; empty (and unknown) behind a layout that was not understood.
    pub(crate) buffers: Entries,
    /// Quantization section.
    pub(crate) quantization: Option<Quantization>,
    /// Shard section.
    pub(crate) shard: Option<Boxed<Shard>>,
    /// Statistics section.
    pub(crate) statistics: Option<Boxed<Statistics>>,
    /// Extension type section.
    pub(crate) extension_type: Option<ExtensionType>,
    /// Composite member section.
    pub(crate) member: Option<Member>,
    /// Bytes after the last known field (minor above 0 only).
    pub(crate) tail: Vec<u8>,
    /// Whether it was read permissively.
    pub(crate) permissive: bool,
}

impl Descriptor {
    /// Elements of the shape; `None` while a dimension is dynamic, or beyond 64 bits.
    pub fn element_count(&self) -> Option<u64> {
        count(&self.shape)
    }

    /// Bits per element; `None` for an element type that was not understood.
    pub fn bits(&self) -> Option<u32> {
        match (element_info(self.element_type), &self.extension_type) {
            (Some(info), _) => Some(info.bits),
            (None, Some(extension_type)) => Some(extension_type.bit_width),
            (None, None) => None,
        }
    }

    /// So many bytes of the CPU's memory, as a tensor of one dimension.
    pub(crate) fn bytes(byte_size: u64) -> Result<Descriptor, Fault> {
        let shape = dims(&[byte_size])?;
        let entry = BufferEntry::of_cpu(byte_size);
        Ok(Descriptor::dense(UINT8, shape, Layout::RowMajor, 0, entry, None))
    }

    /// A tensor of one buffer and no section but that of a private element type, not validated yet.
    pub(crate) fn dense(
        element_type: u8,
        shape: Dims,
        layout: Layout,
        byte_offset: u64,
        entry: BufferEntry,
        extension_type: Option<ExtensionType>,
    ) -> Descriptor {
        Descriptor {
            minor: 0,
            flags: if extension_type.is_some() { HAS_EXTENSION_TYPE } else { 0 },
            element_type,
            shape,
            byte_offset,
            layout,
            buffers: SmallVec::from_iter([entry]),
            quantization: None,
            shard: None,
            statistics: None,
            extension_type,
            member: None,
            tail: Vec::new(),
            permissive: false,
        }
    }

    /// The same elements in another layout: type, shape and sections as here, and no buffers yet. Bytes that no
    /// version understands stay behind.
    ///
    /// # Errors
    /// `OUT_OF_MEMORY`.
    pub(crate) fn in_layout(&self, layout: Layout, byte_offset: u64) -> Result<Descriptor, Fault> {
        let mut copy = Descriptor { shape: dims(&self.shape)?, layout, byte_offset, ..Descriptor::blank() };
        copy.element_type = self.element_type;
        copy.extension_type = self.extension_type.clone();
        copy.member = self.member;
        copy.quantization = self.quantization.as_ref().and_then(|q| {
            let scheme = match q.scheme {
                Scheme::Unknown { .. } => return None,
                ref known => known.clone(),
            };
            Some(Quantization { scheme, version: q.version, flags: q.flags, padding: Vec::new() })
        });
        if let Some(shard) = &self.shard {
            let parent_shape = dims(&shard.parent_shape)?;
            copy.shard = Some(Boxed::try_new(Shard { parent_shape, offset: dims(&shard.offset)? })?);
        }
        if let Some(statistics) = &self.statistics {
            copy.statistics = Some(Boxed::try_new(Statistics::clone(statistics))?);
        }
        copy.flag_sections();
        Ok(copy)
    }

    /// Sets each section's flag when the section is there.
    pub(crate) fn flag_sections(&mut self) {
        self.flags = [
            (HAS_QUANTIZATION, self.quantization.is_some()),
            (HAS_SHARD, self.shard.is_some()),
            (HAS_EXTENSION_TYPE, self.extension_type.is_some()),
            (HAS_STATISTICS, self.statistics.is_some()),
            (HAS_MEMBER, self.member.is_some()),
        ]
        .iter()
        .fold(0, |flags, &(flag, present)| if present { flags | flag } else { flags });
    }

    /// Whether the buffer table is known: it is, but behind a layout that was not understood.
    pub fn has_buffer_table(&self) -> bool {
        !matches!(self.layout, Layout::Unknown { .. })
    }

    /// Whether type, layout and scheme are known, so that the buffers may be read. A private element type
    /// counts: its section says how wide its elements are.
    pub fn is_understood(&self) -> bool {
        let unknown_scheme = |q: &Quantization| matches!(q.scheme, Scheme::Unknown { .. });
        self.bits().is_some()
            && !matches!(self.layout, Layout::Private { .. } | Layout::Unknown { .. })
            && !self.quantization.as_ref().is_some_and(unknown_scheme)
    }
}
