//! Which bytes of a tensor are written, and the descriptor that fits them.
//!
//! Without `compact`, a buffer is written as it is, but for its lead: those bytes are not the owner's, so they are
//! left out and the offset is rebased. With it, a dense tensor keeps only the range that its elements reach. A
//! strided tensor whose range is longer than its elements packed (it has gaps) is written packed, row-major;
//! one whose range is not longer keeps its strides: a transposed or reversed array, and one that repeats elements.
//! Elements below one byte are never repacked, and a quantized tensor whose last block is partial keeps the storage of
//! the whole block, in the order that it has. Sparse and paged tensors, parameters, and layouts that are not
//! understood are written whole.

use super::out_of_memory;
use crate::format::extent::{Span, Volume, dense_span, volume};
use crate::format::{Descriptor, Fault, Layout, MAX_RANK, Status};
use smallvec::SmallVec;

/// A buffer of a tensor to be written.
#[derive(Clone, Copy)]
pub struct Bytes<'a> {
    /// The owner's bytes: those after the lead.
    pub bytes: &'a [u8],
    /// Bytes before them that belong to the buffer, but not to the owner.
    pub lead: u32,
}

/// Buffers of a tensor to be written.
pub type Buffers<'a> = SmallVec<[Bytes<'a>; 4]>;

/// What one buffer becomes.
pub enum Content<'a> {
    /// These bytes.
    Whole(&'a [u8]),
    /// Elements gathered one after the other.
    Packed(Packed<'a>),
}

impl Content<'_> {
    /// Bytes in the file.
    pub fn size(&self) -> u64 {
        match self {
            Content::Whole(bytes) => bytes.len() as u64,
            Content::Packed(packed) => packed.len,
        }
    }
}

/// A tensor as it goes into the file.
pub struct Stored<'a> {
    /// The descriptor's bytes.
    pub descriptor: Vec<u8>,
    /// What the buffers become.
    pub contents: SmallVec<[Content<'a>; 4]>,
}

/// What the caller of a writer asks for.
#[derive(Clone, Copy, Debug)]
pub struct Storing {
    /// Bytes that no element reaches are left out.
    pub compact: bool,
    /// Partial blocks are written where readings of the format differ.
    pub partial_blocks: bool,
}

/// Elements of a strided tensor in row-major order.
pub struct Packed<'a> {
    bytes: &'a [u8],
    /// Where the element at index zero is.
    origin: i64,
    /// Outer dimensions with their byte strides; a run of bytes lies at each index.
    outer: SmallVec<[(u64, i64); 8]>,
    run: usize,
    len: u64,
}

impl<'a> Packed<'a> {
    /// `outer` has room for all dimensions. None when it does not fit 64 bits, which a tensor in memory always does.
    fn new(
        mut outer: SmallVec<[(u64, i64); 8]>,
        bytes: &'a [u8],
        origin: i64,
        shape: &[u64],
        strides: &[i64],
        width: u64,
    ) -> Option<Packed<'a>> {
        let mut run = width;
        let mut len = width;
        for (&n, &stride) in shape.iter().zip(strides).rev() {
            let step = stride.checked_mul(i64::try_from(width).ok()?)?;
            len = len.checked_mul(n)?;
            if n == 1 {
                continue;
            }
            if outer.is_empty() && u64::try_from(step) == Ok(run) {
                run = run.checked_mul(n)?;
            } else {
                outer.push((n, step));
            }
        }
        outer.reverse();
        Some(Packed { bytes, origin, outer, run: usize::try_from(run).ok()?, len })
    }

    /// Calls `each` with every run of bytes, in order.
    pub fn runs(&self, mut each: impl FnMut(&'a [u8]) -> Result<(), Fault>) -> Result<(), Fault> {
        let mut index = [0u64; MAX_RANK];
        let index = index.get_mut(..self.outer.len()).ok_or_else(outside)?;
        let mut at = self.origin;
        loop {
            let start = usize::try_from(at).ok();
            let run = start.and_then(|start| self.bytes.get(start..start.checked_add(self.run)?));
            each(run.ok_or_else(outside)?)?;
            // The odometer: the last dimension turns fastest.
            let mut turned = false;
            for (count, &(n, step)) in index.iter_mut().zip(&self.outer).rev() {
                *count += 1;
                if *count < n {
                    at += step;
                    turned = true;
                    break;
                }
                *count = 0;
                at -= step * (n as i64 - 1);
            }
            if !turned {
                return Ok(());
            }
        }
    }
}

#[cold]
fn outside() -> Fault {
    Fault::new(Status::INTERNAL, "", "an element outside its buffer")
}

#[cold]
fn in_lead(index: usize, lead: u32) -> Fault {
    Fault::new(Status::BUFFER_MISMATCH, "", "the tensor needs bytes of its lead, which are not the owner's")
        .field("buffers.lead")
        .index(index)
        .value(lead)
}

/// What is written of one tensor.
pub fn store<'a>(
    descriptor: &Descriptor,
    buffers: &Buffers<'a>,
    storing: Storing,
) -> Result<Stored<'a>, Fault> {
    descriptor.check_writable(storing.partial_blocks)?;
    let whole = |index: usize, buffer: &Bytes<'a>| {
        if buffer.lead != 0 { Err(in_lead(index, buffer.lead)) } else { Ok(Content::Whole(buffer.bytes)) }
    };
    let mut contents = SmallVec::new();
    contents.try_reserve(buffers.len()).map_err(|_| out_of_memory(buffers.len()))?;
    let mut rest = buffers.iter().enumerate();
    let mut changed = None;
    if let Some((_, first)) = rest.next() {
        let (content, new) = data(descriptor, first, storing.compact)?;
        contents.push(content);
        changed = new;
    }
    for (index, buffer) in rest {
        contents.push(whole(index, buffer)?);
    }
    let encoded = match &changed {
        Some(changed) => {
            let bytes = encode(changed)?;
            // What was changed is held to all rules once more.
            Descriptor::decode(&bytes, descriptor.permissive)?;
            bytes
        }
        None => encode(descriptor)?,
    };
    Ok(Stored { descriptor: encoded, contents })
}

/// Files carry no events: the bytes must be there.
pub(super) fn check_entries(descriptor: &Descriptor) -> Result<(), Fault> {
    match descriptor.buffers.iter().position(|buffer| buffer.sync_mode != 0) {
        Some(index) => {
            Err(Fault::new(Status::INVALID_SYNC_MODE, "B-010", "only producer-synced buffers can be written")
                .field("buffers.sync_mode")
                .index(index))
        }
        None => Ok(()),
    }
}

/// The descriptor's bytes.
pub fn encode(descriptor: &Descriptor) -> Result<Vec<u8>, Fault> {
    let len = descriptor.encoded_len();
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(len).map_err(|_| out_of_memory(len))?;
    bytes.resize(len, 0);
    descriptor.encode_into(&mut bytes);
    Ok(bytes)
}

/// Buffer 0, and the descriptor if it had to change.
fn data<'a>(
    descriptor: &Descriptor,
    buffer: &Bytes<'a>,
    compact: bool,
) -> Result<(Content<'a>, Option<Descriptor>), Fault> {
    let lead = u64::from(buffer.lead);
    let compact = compact && !descriptor.has_partial_block();
    let Some(reach) = reach(descriptor)? else {
        return if lead == 0 {
            Ok((Content::Whole(buffer.bytes), None))
        } else {
            Err(in_lead(0, buffer.lead))
        };
    };
    let end = lead + buffer.bytes.len() as u64;
    let (low, high) = match reach {
        Reach::Nothing => (descriptor.byte_offset.clamp(lead, end), descriptor.byte_offset.clamp(lead, end)),
        Reach::Bytes(low, high) => (low, high),
    };
    if low < lead || high > end {
        return Err(in_lead(0, buffer.lead));
    }
    let (start, stop) = if compact { (low, high) } else { (lead, end) };
    let slice = |start: u64, stop: u64| {
        let range = usize::try_from(start - lead).ok().zip(usize::try_from(stop - lead).ok());
        range.and_then(|(start, stop)| buffer.bytes.get(start..stop)).ok_or_else(outside)
    };
    if let (true, Layout::Strided(strides)) = (compact, &descriptor.layout)
        && let Some(bits) = descriptor.bits().filter(|bits| bits % 8 == 0)
        && let Volume::Exact(count) = volume(&descriptor.shape)
        && count * u128::from(bits / 8) < u128::from(stop - start)
    {
        let origin = i64::try_from(descriptor.byte_offset - lead).map_err(|_| outside())?;
        let bytes = buffer.bytes;
        let mut outer = SmallVec::new();
        outer.try_reserve(strides.len()).map_err(|_| out_of_memory(16 * strides.len()))?;
        let packed = Packed::new(outer, bytes, origin, &descriptor.shape, strides, u64::from(bits / 8))
            .ok_or_else(outside)?;
        let mut changed = copy_of(descriptor)?;
        changed.layout = Layout::RowMajor;
        resize(&mut changed, 0, packed.len);
        return Ok((Content::Packed(packed), Some(changed)));
    }
    if start == 0 && stop == end {
        return Ok((Content::Whole(buffer.bytes), None));
    }
    let mut changed = copy_of(descriptor)?;
    resize(&mut changed, descriptor.byte_offset.saturating_sub(start), stop - start);
    Ok((Content::Whole(slice(start, stop)?), Some(changed)))
}

/// A copy for which there may be no memory.
fn copy_of(descriptor: &Descriptor) -> Result<Descriptor, Fault> {
    Descriptor::decode(&encode(descriptor)?, descriptor.permissive)
}

fn resize(descriptor: &mut Descriptor, byte_offset: u64, byte_size: u64) {
    descriptor.byte_offset = byte_offset;
    if let Some(entry) = descriptor.buffers.first_mut() {
        entry.byte_size = byte_size;
    }
}

/// The bytes of buffer 0 that elements reach.
enum Reach {
    Nothing,
    Bytes(u64, u64),
}

/// None where elements are not at fixed places behind `byte_offset`.
fn reach(descriptor: &Descriptor) -> Result<Option<Reach>, Fault> {
    let dense = matches!(
        descriptor.layout,
        Layout::RowMajor
            | Layout::ColumnMajor
            | Layout::Strided(_)
            | Layout::Tiled(_)
            | Layout::Morton(_)
            | Layout::Hilbert { .. }
    );
    let (true, Some(bits)) = (dense && descriptor.is_understood(), descriptor.bits()) else {
        return Ok(None);
    };
    if matches!(volume(&descriptor.shape), Volume::Dynamic) {
        return Ok(None);
    }
    let span: Option<Span> = dense_span(&descriptor.layout, &descriptor.shape)?;
    let Some(span) = span else { return Ok(Some(Reach::Nothing)) };
    let bytes = span.bytes(bits, descriptor.byte_offset);
    let bytes = bytes.and_then(|(low, high)| Some((u64::try_from(low).ok()?, u64::try_from(high).ok()?)));
    bytes.map(|(low, high)| Some(Reach::Bytes(low, high))).ok_or_else(outside)
}
