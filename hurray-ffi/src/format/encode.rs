//! Writing a descriptor, and where its parts lie in the bytes.

mod annotate;

use super::header::{HEADER_LEN, MAGIC, MAJOR};
use super::{
    BlockPaged, BufferEntry, Descriptor, ExtensionType, Fault, Layout, Place, Quantization, Scheme,
    Statistics, Tiled,
};

/// Bytes of an entry of the buffer table.
pub(super) const ENTRY_LEN: usize = 16;
/// Bytes of the statistics section.
pub(super) const STATISTICS_LEN: usize = 72;
/// Bytes of the extension type section.
pub(super) const EXTENSION_TYPE_LEN: usize = 20;
/// Bytes of the composite member section.
pub(super) const MEMBER_LEN: usize = 16;

impl Descriptor {
    /// Bytes of the encoded form.
    #[inline]
    pub fn encoded_len(&self) -> usize {
        self.offset_of_tail() + self.tail.len()
    }

    /// Writes the encoded form into `out`, which is exactly [`Descriptor::encoded_len`] bytes long; of another
    /// slice, only what fits is written.
    pub fn encode_into(&self, out: &mut [u8]) {
        self.write(&mut Room(out), self.encoded_len());
    }

    /// The encoded form.
    ///
    /// # Errors
    /// `OUT_OF_MEMORY`.
    pub fn encode(&self) -> Result<Vec<u8>, Fault> {
        let length = self.encoded_len();
        let mut out = Vec::new();
        out.try_reserve_exact(length).map_err(|_| Fault::out_of_memory())?;
        self.write(&mut out, length);
        Ok(out)
    }

    #[inline(always)] // two sinks, each with its own tests of room
    fn write(&self, out: &mut impl Sink, length: usize) {
        if let ([entry], true) = (self.buffers.as_slice(), self.is_plain()) {
            match *self.shape.as_slice() {
                [] => return self.write_plain([], entry, out, length),
                [a] => return self.write_plain([a], entry, out, length),
                [a, b] => return self.write_plain([a, b], entry, out, length),
                [a, b, c] => return self.write_plain([a, b, c], entry, out, length),
                [a, b, c, d] => return self.write_plain([a, b, c, d], entry, out, length),
                _ => {}
            }
        }
        out.put(&self.header(length));
        out.words(&self.shape);
        out.put(&self.byte_offset.to_le_bytes());
        match &self.layout {
            Layout::RowMajor | Layout::ColumnMajor => {}
            Layout::Strided(strides) => out.strides(strides),
            Layout::Unknown { data, .. } => return out.put(data),
            other => put_layout(out, other),
        }
        out.put(&[self.buffers.len() as u8]);
        for entry in &self.buffers {
            out.put(&entry_bytes(entry));
        }
        if self.flags != 0 {
            self.encode_sections(out);
        }
        if !self.tail.is_empty() {
            out.put(&self.tail);
        }
    }

    /// Whether nothing of variable length follows the shape but the buffer table.
    #[inline(always)]
    fn is_plain(&self) -> bool {
        let dense = matches!(self.layout, Layout::RowMajor | Layout::ColumnMajor);
        dense && self.flags == 0 && self.tail.is_empty()
    }

    /// Most tensors are plain, of few dimensions and one buffer: their bytes are put together first, at offsets
    /// known to the compiler, and leave in one piece.
    #[inline(always)]
    fn write_plain<const RANK: usize>(
        &self,
        shape: [u64; RANK],
        entry: &BufferEntry,
        out: &mut impl Sink,
        length: usize,
    ) {
        let mut bytes = [0u8; HEADER_LEN + 8 * 4 + 8 + 1 + ENTRY_LEN];
        let mut room = Room(&mut bytes);
        room.put(&self.header(length));
        for dimension in shape {
            room.put(&dimension.to_le_bytes());
        }
        room.put(&self.byte_offset.to_le_bytes());
        room.put(&[1]);
        room.put(&entry_bytes(entry));
        if let Some(whole) = bytes.get(..HEADER_LEN + 8 * RANK + 8 + 1 + ENTRY_LEN) {
            out.put(whole);
        }
    }

    #[inline(always)]
    fn header(&self, length: usize) -> [u8; HEADER_LEN] {
        let [l0, l1, l2, l3] = (length as u32).to_le_bytes();
        let [f0, f1, f2, f3] = self.flags.to_le_bytes();
        let [r0, r1, r2, r3] = (self.shape.len() as u32).to_le_bytes();
        let [m0, m1, m2, m3] = MAGIC;
        let (element_type, layout) = (self.element_type, self.layout.tag());
        [
            m0,
            m1,
            m2,
            m3,
            MAJOR,
            self.minor,
            l0,
            l1,
            l2,
            l3,
            f0,
            f1,
            f2,
            f3,
            element_type,
            layout,
            r0,
            r1,
            r2,
            r3,
        ]
    }

    #[inline(never)]
    fn encode_sections(&self, out: &mut impl Sink) {
        if let Some(q) = &self.quantization {
            put_quantization(out, q);
        }
        if let Some(shard) = &self.shard {
            out.words(&shard.parent_shape);
            out.words(&shard.offset);
        }
        if let Some(statistics) = &self.statistics {
            out.put(&statistics_bytes(statistics));
        }
        if let Some(extension_type) = &self.extension_type {
            out.put(&extension_type_bytes(extension_type));
        }
        if let Some(member) = self.member {
            let mut bytes = [0u8; MEMBER_LEN];
            bytes[0] = member.role;
            out.put(&bytes);
        }
    }

    fn offset_of_layout(&self) -> usize {
        HEADER_LEN + 8 * self.shape.len() + 8
    }

    fn offset_of_buffers(&self) -> usize {
        self.offset_of_layout() + layout_len(&self.layout, self.shape.len())
    }

    fn offset_of_sections(&self) -> usize {
        match self.layout {
            Layout::Unknown { .. } => self.offset_of_buffers(),
            _ => self.offset_of_buffers() + 1 + ENTRY_LEN * self.buffers.len(),
        }
    }

    fn offset_of_shard(&self) -> usize {
        self.offset_of_sections() + self.quantization.as_ref().map_or(0, |q| 4 + quantization_len(q))
    }

    fn offset_of_statistics(&self) -> usize {
        let shard = self.shard.as_ref().map_or(0, |s| 8 * (s.parent_shape.len() + s.offset.len()));
        self.offset_of_shard() + shard
    }

    fn offset_of_extension_type(&self) -> usize {
        self.offset_of_statistics() + self.statistics.as_ref().map_or(0, |_| STATISTICS_LEN)
    }

    fn offset_of_member(&self) -> usize {
        self.offset_of_extension_type() + self.extension_type.as_ref().map_or(0, |_| EXTENSION_TYPE_LEN)
    }

    fn offset_of_tail(&self) -> usize {
        let sections = self.offset_of_sections();
        if self.flags == 0 {
            return sections;
        }
        self.offset_of_member() + self.member.map_or(0, |_| MEMBER_LEN)
    }

    /// Byte offset of a part in the encoded form; 0 for no part.
    pub fn offset_of(&self, place: Place) -> u64 {
        let at = |start: usize, byte: u32| start as u64 + u64::from(byte);
        match place {
            Place::None => 0,
            Place::Byte(offset) => offset,
            Place::TypeTag => 14,
            Place::LayoutTag => 15,
            Place::Rank => 16,
            Place::Shape(k) => at(HEADER_LEN, 0) + 8 * u64::from(k),
            Place::ByteOffset => at(HEADER_LEN + 8 * self.shape.len(), 0),
            Place::Layout(byte) => at(self.offset_of_layout(), byte),
            Place::BufferCount => at(self.offset_of_buffers(), 0),
            Place::Buffer(index, byte) => {
                at(self.offset_of_buffers() + 1, byte) + ENTRY_LEN as u64 * u64::from(index)
            }
            Place::Quantization(byte) => at(self.offset_of_sections() + 4, byte),
            Place::Shard(byte) => at(self.offset_of_shard(), byte),
            Place::Statistics(byte) => at(self.offset_of_statistics(), byte),
            Place::ExtensionType(byte) => at(self.offset_of_extension_type(), byte),
            Place::Member(byte) => at(self.offset_of_member(), byte),
        }
    }
}

/// Bytes of a layout payload.
#[inline]
fn layout_len(layout: &Layout, rank: usize) -> usize {
    match layout {
        Layout::RowMajor | Layout::ColumnMajor => 0,
        other => payload_len(other, rank),
    }
}

#[inline(never)]
fn payload_len(layout: &Layout, rank: usize) -> usize {
    match layout {
        Layout::RowMajor | Layout::ColumnMajor => 0,
        Layout::Strided(_) => 8 * rank,
        Layout::Tiled(tiled) => tiled_len(tiled),
        Layout::Morton(_) => 4 * rank,
        Layout::Coo { .. } | Layout::Csr { .. } | Layout::Csc { .. } => 16,
        Layout::Csf { .. } => 16 + 4 * rank,
        Layout::BlockPaged(_) => 32,
        Layout::Composite { .. } | Layout::Hilbert { .. } => 8,
        Layout::Private { data, .. } => 12 + data.len(),
        Layout::Unknown { data, .. } => data.len(),
    }
}

fn tiled_len(tiled: &Tiled) -> usize {
    let strides = [&tiled.outer_strides, &tiled.inner_strides].into_iter().flatten();
    let own = 8 * tiled.tile_shape.len() + 4 + strides.map(|s| 8 * s.len()).sum::<usize>();
    own + tiled.nested.as_deref().map_or(0, tiled_len)
}

/// Bytes of a scheme's fixed fields, the first four included.
pub(super) fn scheme_len(tag: u8) -> Option<usize> {
    Some(match tag {
        0x01 | 0x04 | 0x05 => 16,
        0x02 => 20,
        0x03 => 24,
        _ => return None,
    })
}

fn quantization_len(q: &Quantization) -> usize {
    let fixed = match &q.scheme {
        Scheme::Unknown { data, .. } => 4 + data.len(),
        known => scheme_len(known.tag()).unwrap_or(0),
    };
    fixed + q.padding.len()
}

#[inline]
fn entry_bytes(entry: &BufferEntry) -> [u8; ENTRY_LEN] {
    let BufferEntry { byte_size, alignment, device_tag, sync_mode, memory_class } = *entry;
    let tags = u32::from_le_bytes([device_tag, sync_mode, memory_class, 0]);
    let high = u64::from(alignment) | u64::from(tags) << 32;
    (u128::from(byte_size) | u128::from(high) << 64).to_le_bytes()
}

fn statistics_bytes(statistics: &Statistics) -> [u8; STATISTICS_LEN] {
    let mut bytes = [0u8; STATISTICS_LEN];
    bytes[..4].copy_from_slice(&statistics.computed_mask.to_le_bytes());
    bytes[8..16].copy_from_slice(&statistics.nnz.to_le_bytes());
    let [minimum, maximum, magnitude] = statistics.range;
    let [mean, deviation] = statistics.moments;
    let reals = [statistics.sparsity_ratio, minimum, maximum, magnitude, mean, deviation];
    for (slot, real) in bytes[16..64].chunks_exact_mut(8).zip(reals) {
        slot.copy_from_slice(&real.to_le_bytes());
    }
    bytes[64..66].copy_from_slice(&statistics.nm);
    bytes[66..68].copy_from_slice(&statistics.has);
    bytes
}

fn extension_type_bytes(extension: &ExtensionType) -> [u8; EXTENSION_TYPE_LEN] {
    let mut bytes = [0u8; EXTENSION_TYPE_LEN];
    bytes[..4].copy_from_slice(&extension.bit_width.to_le_bytes());
    bytes[4..10].copy_from_slice(&[
        extension.packing_factor,
        extension.is_float,
        extension.is_signed,
        extension.sign_bits,
        extension.exponent_bits,
        extension.mantissa_bits,
    ]);
    bytes[12..16].copy_from_slice(&extension.exponent_bias.to_le_bytes());
    bytes[16..18].copy_from_slice(&[extension.has_nan, extension.has_inf]);
    bytes
}

/// Where bytes go.
trait Sink {
    fn put(&mut self, bytes: &[u8]);

    #[inline]
    fn words(&mut self, words: &[u64]) {
        let (pairs, rest) = words.as_chunks::<2>();
        for [low, high] in pairs {
            self.put(&(u128::from(*low) | u128::from(*high) << 64).to_le_bytes());
        }
        for word in rest {
            self.put(&word.to_le_bytes());
        }
    }

    #[inline]
    fn strides(&mut self, strides: &[i64]) {
        for stride in strides {
            self.put(&stride.to_le_bytes());
        }
    }

    fn halves(&mut self, words: &[u32]) {
        for word in words {
            self.put(&word.to_le_bytes());
        }
    }
}

/// The rest of a slice, filled from the front; what does not fit is dropped.
struct Room<'a>(&'a mut [u8]);

impl Sink for Room<'_> {
    #[inline]
    fn put(&mut self, bytes: &[u8]) {
        if let Some((slot, rest)) = std::mem::take(&mut self.0).split_at_mut_checked(bytes.len()) {
            slot.copy_from_slice(bytes);
            self.0 = rest;
        }
    }
}

/// A vector with room for all of it.
impl Sink for Vec<u8> {
    #[inline]
    fn put(&mut self, bytes: &[u8]) {
        self.extend_from_slice(bytes);
    }
}

#[inline(never)]
fn put_layout(out: &mut impl Sink, layout: &Layout) {
    match layout {
        Layout::RowMajor | Layout::ColumnMajor => {}
        Layout::Strided(strides) => out.strides(strides),
        Layout::Tiled(tiled) => put_tiled(out, tiled),
        Layout::Morton(bits) => out.halves(bits),
        Layout::Coo { nnz, is_sorted } => {
            out.put(&nnz.to_le_bytes());
            out.put(&[*is_sorted, 0, 0, 0, 0, 0, 0, 0]);
        }
        Layout::Csr { nnz } | Layout::Csc { nnz } => {
            out.put(&nnz.to_le_bytes());
            out.put(&[0; 8]);
        }
        Layout::Csf { nnz, mode_order } => {
            out.put(&nnz.to_le_bytes());
            out.halves(mode_order);
            out.put(&[0; 8]);
        }
        Layout::BlockPaged(paged) => put_block_paged(out, paged),
        Layout::Composite { rule, op, member_count } => {
            out.put(&[*rule, *op, 0, 0]);
            out.put(&member_count.to_le_bytes());
        }
        Layout::Hilbert { order, rank } => out.halves(&[*order, *rank]),
        Layout::Private { id, data, .. } => {
            out.put(&id.to_le_bytes());
            out.put(&(data.len() as u32).to_le_bytes());
            out.put(data);
        }
        Layout::Unknown { data, .. } => out.put(data),
    }
}

fn put_tiled(out: &mut impl Sink, tiled: &Tiled) {
    out.words(&tiled.tile_shape);
    out.put(&[tiled.outer_layout, tiled.inner_layout, 0, 0]);
    for strides in [&tiled.outer_strides, &tiled.inner_strides].into_iter().flatten() {
        out.strides(strides);
    }
    if let Some(nested) = &tiled.nested {
        put_tiled(out, nested);
    }
}

fn put_block_paged(out: &mut impl Sink, paged: &BlockPaged) {
    out.put(&paged.page_size.to_le_bytes());
    out.put(&paged.num_pages.to_le_bytes());
    out.put(&paged.paged_axis.to_le_bytes());
    out.put(&paged.num_seqs.to_le_bytes());
    out.put(&[paged.kv_role]);
    out.put(&paged.layer_index.to_le_bytes());
    out.put(&[paged.block_table_index_type, 0, 0, 0, 0, 0, 0]);
}

fn put_quantization(out: &mut impl Sink, q: &Quantization) {
    out.put(&(quantization_len(q) as u32).to_le_bytes());
    out.put(&[q.scheme.tag(), q.version]);
    out.put(&q.flags.to_le_bytes());
    match &q.scheme {
        Scheme::PerTensor { scale, zero_point } => {
            out.put(&scale.to_le_bytes());
            out.put(&zero_point.to_le_bytes());
            out.put(&[0; 4]);
        }
        Scheme::PerChannel { axis, scale_buffer, zero_point_buffer, scale_type } => {
            out.halves(&[*axis, *scale_buffer, *zero_point_buffer]);
            out.put(&[*scale_type, 0, 0, 0]);
        }
        Scheme::PerBlock { axis, block_size, scale_buffer, zero_point_buffer, scale_type } => {
            out.halves(&[*axis, *block_size, *scale_buffer, *zero_point_buffer]);
            out.put(&[*scale_type, 0, 0, 0]);
        }
        Scheme::Nf4 { axis, block_size, scale_buffer } | Scheme::Mxfp { axis, block_size, scale_buffer } => {
            out.halves(&[*axis, *block_size, *scale_buffer]);
        }
        Scheme::Unknown { data, .. } => out.put(data),
    }
    out.put(&q.padding);
}
