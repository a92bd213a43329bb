//! Layout to layout, and where an element lies.

use super::buffer::Buffer;
use super::convert_call::{Output, Source, finish, into_of, is_together, job, may_copy, target_of};
use super::convert_sparse::{self, all_bytes};
use super::descriptor::DescriptorHandle;
use super::guard::{clear, put, slice, wanted};
use super::handles::{HurrayBuffer, HurrayDescriptor, HurrayOptions, HurrayStatus, HurrayTensor};
use super::options::{Options, copy_choice};
use super::tensor::{Ready, Tensor, hand_out};
use crate::convert::dense::{Side, copy};
use crate::convert::offset::{Map, check_index, element_offset as offset_of};
use crate::convert::paged::Paged;
use crate::convert::sparse::{Sparse, is_sparse};
use crate::convert::target::check;
use crate::format::parameters::default_sizes;
use crate::format::{Descriptor, Fault, Layout, Status, packed_bytes};

/// The same elements in another layout: from any dense or sparse layout to any. `target` gives the layout and, for dense
/// results, the byte offset; NULL is row-major. Its element type and shape equal the tensor's, and nothing else of it is
/// looked at: quantization, shard, statistics and member sections are the tensor's own, and codes are moved as they are.
///
/// A sparse result has the entries in the order of its layout, COO too. From dense it stores the elements that have a bit
/// set: -0.0 and NaN are stored, and so is a zero that a sparse tensor stores. A coordinate that a COO tensor stores twice
/// is refused, or by `HURRAY_OPTION_DUPLICATES` kept (the result then breaks L-033 or L-034, as the source did, and its
/// sorted flag is 0) or summed in stored order, in the element type; integers wrap.
///
/// A tensor that is in the target's layout already comes back as a share, at the byte offset it has, and with it a
/// result that only its tag tells apart; `HURRAY_OPTION_COPY` 2 copies all the same, and 1 refuses a copy.
/// `into` is NULL, for a new buffer, or the buffer that takes the elements: host memory that may be written, as
/// large as the result at least (its lead aside) and apart from the source. The result shares it. What lies
/// between the elements of a result (tile edges, gaps of strides and codes) is zero in a new buffer and stays as it was
/// in `into`. Options count the bytes that are written, stop the call, and give it threads.
///
/// *Ownership:* the result is the caller's; tensor, target and `into` stay so. After a failure the bytes of `into` are
/// undefined. `out_bytes` may be NULL; it gets the bytes that were written, 0 for a share.
/// *Errors:* `HURRAY_ERR_INVALID_ARGUMENT` (element type or shape of the target differ, a dynamic dimension, strides that
/// put several elements in one place; `into` is read-only, not ready, overlaps the source, or is given for a sparse
/// result; duplicates kept in a dense one), `HURRAY_ERR_INVALID_LAYOUT` (L-023, L-031 to L-034: the source's entries),
/// `HURRAY_ERR_BUFFER_MISMATCH` (L-030), `HURRAY_ERR_CORRUPT` (the source changed while it was read),
/// `HURRAY_ERR_COPY_REQUIRED`, `HURRAY_ERR_BUFFER_TOO_SMALL` (`into`),
/// `HURRAY_ERR_UNSUPPORTED` (a layout, type or scheme that is not understood, memory that the host may not read or that
/// is not ready; block-paged; a sum of elements that have none; sparse and dense under a scheme whose code 0 is not
/// 0.0), `HURRAY_ERR_OVERFLOW`, `HURRAY_ERR_CANCELLED`, `HURRAY_ERR_INVALID_HANDLE` (options of another copy of
/// the library included), `HURRAY_ERR_NULL_POINTER`, `HURRAY_ERR_VERSION_MISMATCH`, `HURRAY_ERR_OUT_OF_MEMORY`.
/// *Threads:* any, also at once on one handle; `into` is this call's alone. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_tensor_to_layout(
    tensor: *const HurrayTensor,
    target: *const HurrayDescriptor,
    into: *const HurrayBuffer,
    options: *const HurrayOptions,
    out_bytes: *mut u64,
    out_tensor: *mut *mut HurrayTensor,
) -> HurrayStatus {
    // SAFETY: the caller's by contract.
    unsafe { clear(out_tensor) };
    dispatch!(TENSOR, tensor, tensor_to_layout(tensor, target, into, options, out_bytes, out_tensor))
}

pub(crate) unsafe fn to_layout(
    tensor: *const HurrayTensor,
    target: *const HurrayDescriptor,
    into: *const HurrayBuffer,
    options: *const HurrayOptions,
    out_bytes: *mut u64,
    out_tensor: *mut *mut HurrayTensor,
) -> Result<(), Fault> {
    // SAFETY: routed here; the other handles and the outputs are the caller's by contract.
    unsafe {
        wanted(out_tensor, "out_tensor")?;
        let options = Options::own(options)?;
        let target = target_of(target)?;
        let into = into_of(into)?;
        let source = Source::new(Tensor::core(tensor))?;
        let goal = match &target {
            Some(target) => Goal::of(target, source.descriptor())?,
            None => Goal { layout: &Layout::RowMajor, byte_offset: 0 },
        };
        let from = &source.descriptor().layout;
        let is_sparse = is_sparse(from) || is_sparse(goal.layout);
        let is_met = |goal: &Goal<'_>| {
            if is_sparse {
                Ok(convert_sparse::is_met(from, goal.layout, options))
            } else {
                goal.is_met(&source)
            }
        };
        let bytes = if into.is_none() && copy_choice(options) != 2 && is_met(&goal)? {
            if is_sparse || *from == *goal.layout {
                hand_out(source.core().clone(), Tensor::reported_abi(tensor), out_tensor)?;
            } else {
                put(out_tensor, goal.share(&source)?.publish(), "out_tensor")?;
            }
            0
        } else {
            may_copy(options)?;
            let (ready, bytes) = if is_sparse {
                convert_sparse::make(&source, goal.layout, goal.byte_offset, into, options)?
            } else {
                goal.make(&source, into, options)?
            };
            put(out_tensor, ready.publish(), "out_tensor")?;
            bytes
        };
        if !out_bytes.is_null() {
            put(out_bytes, bytes, "out_bytes")?;
        }
        Ok(())
    }
}

/// Where the elements are to be.
struct Goal<'a> {
    layout: &'a Layout,
    byte_offset: u64,
}

impl<'a> Goal<'a> {
    fn of(target: &'a Descriptor, source: &Descriptor) -> Result<Goal<'a>, Fault> {
        let differs = |what, field| Fault::new(Status::INVALID_ARGUMENT, "", what).field(field);
        if target.element_type != source.element_type || target.bits() != source.bits() {
            return Err(differs("the target has another element type than the tensor", "element_type")
                .value(target.element_type)
                .limit(source.element_type));
        }
        if target.shape != source.shape {
            return Err(differs("the target has another shape than the tensor", "shape"));
        }
        Ok(Goal { layout: &target.layout, byte_offset: target.byte_offset })
    }

    /// The maps of both layouts.
    fn maps(&self, source: &Descriptor) -> Result<(Map, Map), Fault> {
        let map = |layout: &Layout| {
            Map::of(layout, &source.shape)?.ok_or_else(|| {
                Fault::new(Status::UNSUPPORTED, "", "no conversion between these layouts")
                    .field("layout_tag")
                    .value(layout.tag())
            })
        };
        Ok((map(&source.layout)?, map(self.layout)?))
    }

    /// Whether the elements are where they are to be, in as many bytes as the layout wants: a border tile may want more.
    fn is_met(&self, source: &Source<'_>) -> Result<bool, Fault> {
        let whole = source.descriptor();
        let (from, to) = self.maps(whole)?;
        if !from.is_same(&to, &whole.shape) {
            return Ok(false);
        }
        let scheme = whole.quantization.as_ref().map(|quantization| &quantization.scheme);
        let width = whole.bits().unwrap_or(8);
        let sizes = default_sizes(self.layout, &whole.shape, width, whole.byte_offset, scheme)?;
        let needed = sizes.first().copied().unwrap_or(0);
        Ok(whole.buffers.first().is_some_and(|entry| entry.byte_size >= needed))
    }

    /// The tensor's own memory under the layout's name.
    fn share(&self, source: &Source<'_>) -> Result<Ready, Fault> {
        let whole = source.descriptor();
        let descriptor = whole.in_layout(self.layout.try_clone()?, whole.byte_offset)?;
        let sizes = whole.buffers.iter().map(|entry| entry.byte_size).enumerate();
        let mut buffers = smallvec::SmallVec::<[(Buffer, u64); 4]>::new();
        buffers.try_reserve(whole.buffers.len()).map_err(|_| Fault::out_of_memory())?;
        for (index, size) in sizes {
            buffers.push((source.share(index)?, size));
        }
        finish(descriptor, buffers)
    }

    /// A copy in the layout, and its bytes.
    fn make(
        &self,
        source: &Source<'_>,
        into: Option<Buffer>,
        options: Option<&Options>,
    ) -> Result<(Ready, u64), Fault> {
        let whole = source.descriptor();
        let (from, to) = self.maps(whole)?;
        check(self.layout, &whole.shape)?;
        let width = whole.bits().unwrap_or(8);
        let scheme = whole.quantization.as_ref().map(|quantization| &quantization.scheme);
        let sizes = default_sizes(self.layout, &whole.shape, width, self.byte_offset, scheme)?;
        let len = sizes.first().copied().unwrap_or(0);
        let packed = whole.element_count().and_then(|count| packed_bytes(width, count));
        // A stride may leave gaps, or meet others.
        let is_full = packed == Some(len) && width >= 8 && !matches!(self.layout, Layout::Strided(_));
        let mut output = if is_full {
            Output::any_within(into, len, &[*source])?
        } else {
            Output::within(into, len, &[*source])?
        };
        let job = job(options);
        job.begin(len);
        if width < 8 && !output.is_zero() && !matches!(self.layout, Layout::Strided(_)) {
            // The unused bits of the last byte, or group, are zero.
            let bytes = output.bytes();
            let tail = bytes.len().saturating_sub(3);
            bytes.get_mut(tail..).unwrap_or_default().fill(0);
        }
        let read = Side { map: &from, byte_offset: whole.byte_offset };
        let write = Side { map: &to, byte_offset: self.byte_offset };
        copy(&whole.shape, width, (source.bytes(0)?, read), (output.bytes(), write), &job)?;
        let descriptor =
            whole.in_layout(self.layout.try_clone()?, self.byte_offset.saturating_add(output.lead()))?;
        let mut written = len;
        let (data, declared) = output.into_parts();
        let mut buffers = smallvec::SmallVec::<[(Buffer, u64); 4]>::new();
        buffers.try_reserve(whole.buffers.len()).map_err(|_| Fault::out_of_memory())?;
        buffers.push((data, declared));
        for (index, entry) in whole.buffers.iter().enumerate().skip(1) {
            let mut shared = source.share(index)?;
            if buffers.first().is_some_and(|(data, _)| !is_together(data, &shared)) {
                let mut parameters = Output::new(entry.byte_size)?;
                parameters.bytes().copy_from_slice(source.bytes(index)?);
                shared = parameters.into_parts().0;
                written = written.saturating_add(entry.byte_size);
            }
            buffers.push((shared, entry.byte_size));
        }
        Ok((finish(descriptor, buffers)?, written))
    }
}

/// The offset of an element, in elements from the one at index zero, by arithmetic on the descriptor: any dense layout.
/// It is written as two's complement where strides lead below the element at index zero; the byte is at `byte_offset`
/// plus so many elements.
///
/// *Ownership:* none. *Errors:* `HURRAY_ERR_INVALID_ARGUMENT` (the index is not as long as the rank, or a dimension is
/// dynamic), `HURRAY_ERR_INDEX_OUT_OF_BOUNDS`, `HURRAY_ERR_UNSUPPORTED` (sparse and block-paged: ask the tensor; a head; a
/// private layout), `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`, `HURRAY_ERR_OUT_OF_MEMORY`.
/// *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_descriptor_element_offset(
    descriptor: *const HurrayDescriptor,
    index: *const u64,
    len: usize,
    out_offset: *mut u64,
) -> HurrayStatus {
    dispatch!(DESCRIPTOR, descriptor, descriptor_element_offset(descriptor, index, len, out_offset))
}

pub(crate) unsafe fn descriptor_offset(
    descriptor: *const HurrayDescriptor,
    index: *const u64,
    len: usize,
    out_offset: *mut u64,
) -> Result<(), Fault> {
    // SAFETY: routed here; the index and the output are the caller's by contract.
    unsafe {
        wanted(out_offset, "out_offset")?;
        let index = slice(index, len, "index")?;
        let offset = offset_of(DescriptorHandle::of(descriptor), index)?;
        put(out_offset, offset as u64, "out_offset")
    }
}

/// The offset of an element of a tensor, in elements, as `hurray_descriptor_element_offset`. Of a sparse tensor it is the
/// position among the stored values; of a block-paged one, whose index is sequence, token, head and component, the
/// position in the page pool.
///
/// *Ownership:* none. *Errors:* as `hurray_descriptor_element_offset`; `HURRAY_ERR_NOT_FOUND` where a sparse tensor stores
/// nothing, `HURRAY_ERR_INDEX_OUT_OF_BOUNDS` for a token beyond the pages of its sequence (L-041),
/// `HURRAY_ERR_INVALID_LAYOUT` where index buffers are malformed on the way, `HURRAY_ERR_UNSUPPORTED` where the host may not
/// read them. *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_tensor_element_offset(
    tensor: *const HurrayTensor,
    index: *const u64,
    len: usize,
    out_offset: *mut u64,
) -> HurrayStatus {
    dispatch!(TENSOR, tensor, tensor_element_offset(tensor, index, len, out_offset))
}

pub(crate) unsafe fn tensor_offset(
    tensor: *const HurrayTensor,
    index: *const u64,
    len: usize,
    out_offset: *mut u64,
) -> Result<(), Fault> {
    // SAFETY: routed here; the index and the output are the caller's by contract.
    unsafe {
        wanted(out_offset, "out_offset")?;
        let index = slice(index, len, "index")?;
        let core = Tensor::core(tensor);
        let of = core.descriptor();
        let offset = match &of.layout {
            layout if is_sparse(layout) => {
                check_index(&of.shape, index)?;
                let buffers = all_bytes(&Source::new(core)?)?;
                let bits = of.bits().unwrap_or(8);
                let sparse = Sparse { layout, shape: &of.shape, bits, buffers: &buffers };
                sparse.position(index)?.ok_or_else(|| Fault::answer(Status::NOT_FOUND))?
            }
            Layout::BlockPaged(paged) => {
                let buffers = all_bytes(&Source::new(core)?)?;
                Paged::new(paged, &of.shape, of.bits().unwrap_or(8), &buffers).element_offset(index)?
            }
            _ => offset_of(of, index)? as u64,
        };
        put(out_offset, offset, "out_offset")
    }
}
