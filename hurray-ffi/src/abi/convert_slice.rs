//! Part of a tensor as a tensor.

use super::buffer::Buffer;
use super::convert_call::{Output, Source, finish, job, may_copy};
use super::guard::{clear, put, slice, wanted};
use super::handles::{HurrayOptions, HurrayStatus, HurrayTensor};
use super::options::{Options, copy_choice};
use super::tensor::{Ready, Tensor};
use crate::convert::dense::{Side, copy_part};
use crate::convert::offset::Map;
use crate::convert::slice::{Bounds, Part};
use crate::format::extent::min_sizes;
use crate::format::{Fault, Layout, Status};
use smallvec::SmallVec;

/// Part of a dense tensor: per dimension the components from `start` on, before `stop`, in steps of `step`. Steps may be
/// negative, not 0; a NULL `step` is steps of one. With a positive step `start` and `stop` lie between 0 and the extent,
/// with a negative one between -1 and the last component; a part without elements is allowed.
///
/// Row-major, column-major and strided tensors give a share of their memory, at another byte offset and with other
/// strides, unless packed elements would not begin with a byte. So does a tensor of any dense layout where the part is the
/// whole of it, in its own order, or has no elements. All else is copied to row-major, as `HURRAY_OPTION_COPY` allows or
/// demands. The part has the tensor's quantization where its parameters hold for the part, and is a shard of
/// the same parent where the tensor is one and no element is left out between others; statistics and member section
/// stay behind.
///
/// *Ownership:* the part is the caller's. `out_bytes` may be NULL; it gets the bytes that were written, 0 for a share.
/// *Errors:* `HURRAY_ERR_INVALID_ARGUMENT` (`rank` is not the tensor's, a step of 0, a dynamic dimension),
/// `HURRAY_ERR_INDEX_OUT_OF_BOUNDS`, `HURRAY_ERR_COPY_REQUIRED`, `HURRAY_ERR_UNSUPPORTED` (sparse, block-paged and private
/// layouts; parameters of the whole; for a copy, memory that the host may not read or that is not ready),
/// `HURRAY_ERR_CANCELLED`, `HURRAY_ERR_INVALID_HANDLE` (options of another copy of the library included),
/// `HURRAY_ERR_NULL_POINTER`, `HURRAY_ERR_OUT_OF_MEMORY`. *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_tensor_slice(
    tensor: *const HurrayTensor,
    start: *const i64,
    stop: *const i64,
    step: *const i64,
    rank: usize,
    options: *const HurrayOptions,
    out_bytes: *mut u64,
    out_tensor: *mut *mut HurrayTensor,
) -> HurrayStatus {
    // SAFETY: the caller's by contract.
    unsafe { clear(out_tensor) };
    dispatch!(TENSOR, tensor, tensor_slice(tensor, start, stop, step, rank, options, out_bytes, out_tensor))
}

pub(crate) unsafe fn tensor_slice(
    tensor: *const HurrayTensor,
    start: *const i64,
    stop: *const i64,
    step: *const i64,
    rank: usize,
    options: *const HurrayOptions,
    out_bytes: *mut u64,
    out_tensor: *mut *mut HurrayTensor,
) -> Result<(), Fault> {
    // SAFETY: routed here; options, arrays and outputs are the caller's by contract.
    unsafe {
        wanted(out_tensor, "out_tensor")?;
        let options = Options::own(options)?;
        let bounds = Bounds {
            start: slice(start, rank, "start")?,
            stop: slice(stop, rank, "stop")?,
            step: if step.is_null() { &[] } else { slice(step, rank, "step")? },
        };
        let source = Source::anywhere(Tensor::core(tensor))?;
        let (ready, bytes) = part(&source, bounds, options)?;
        put(out_tensor, ready.publish(), "out_tensor")?;
        if !out_bytes.is_null() {
            put(out_bytes, bytes, "out_bytes")?;
        }
        Ok(())
    }
}

fn part(source: &Source<'_>, bounds: Bounds<'_>, options: Option<&Options>) -> Result<(Ready, u64), Fault> {
    let whole = source.descriptor();
    let part = Part::new(&whole.shape, bounds)?;
    let Some(map) = Map::of(&whole.layout, &whole.shape)? else {
        let what = "only dense layouts are sliced: convert the tensor to row-major first";
        return Err(Fault::new(Status::UNSUPPORTED, "", what).field("layout_tag").value(whole.layout.tag()));
    };
    let place = if copy_choice(options) == 2 { None } else { part.in_place(whole, &map)? };
    if let Some((layout, byte_offset)) = place {
        let descriptor = part.descriptor(whole, layout, byte_offset)?;
        let buffers = shares(source, whole.buffers.len(), None)?;
        return Ok((finish(descriptor, buffers)?, 0));
    }
    may_copy(options)?;
    let source = &Source::new(source.core())?;
    let width = whole.bits().unwrap_or(8);
    let len = min_sizes(&Layout::RowMajor, &part.shape, width, 0)?.first().copied().unwrap_or(0);
    let descriptor = part.descriptor(whole, Layout::RowMajor, 0)?;
    let rows = Map::of(&Layout::RowMajor, &part.shape)?
        .ok_or_else(|| Fault::new(Status::INTERNAL, "", "row-major order without places"))?;
    let mut output = if width < 8 { Output::new(len)? } else { Output::any(len)? };
    let job = job(options);
    job.begin(len);
    let read = Side { map: &map, byte_offset: whole.byte_offset };
    let write = Side { map: &rows, byte_offset: 0 };
    let cut = Some(part.cut());
    copy_part(&part.shape, width, (source.bytes(0)?, read), cut, (output.bytes(), write), &job)?;
    let buffers = shares(source, whole.buffers.len(), Some(output.into_parts()))?;
    Ok((finish(descriptor, buffers)?, len))
}

/// The buffers of a part: its data, new or a share, and shares of all parameters.
fn shares(
    source: &Source<'_>,
    count: usize,
    data: Option<(Buffer, u64)>,
) -> Result<SmallVec<[(Buffer, u64); 4]>, Fault> {
    let mut buffers = SmallVec::new();
    buffers.try_reserve(count).map_err(|_| Fault::out_of_memory())?;
    let first = data.is_some() as usize;
    buffers.extend(data);
    for (index, entry) in source.descriptor().buffers.iter().enumerate().skip(first) {
        buffers.push((source.share(index)?, entry.byte_size));
    }
    Ok(buffers)
}
