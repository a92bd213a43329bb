//! Block-paged tensors to dense and back.

use super::buffer::HURRAY_BUFFER_READ_ONLY;
use super::buffer_attributes::not_host;
use super::convert_call::{Output, Source, finish, into_of, job, may_copy, row_major};
use super::convert_sparse::{Parts, all_bytes, in_layout, packed_len, push_parameters};
use super::foreign_tensor::bring_in_tensor;
use super::guard::{clear, put, slice, wanted};
use super::handles::{HurrayBuffer, HurrayOptions, HurrayStatus, HurrayTensor};
use super::options::Options;
use super::prefix::{Route, mark, route};
use super::shared::Shared;
use super::tensor::{Core, Tensor};
use crate::convert::paged::Paged;
use crate::format::{BlockPaged, Descriptor, Fault, Layout, Scheme, Status};

fn paged_layout(of: &Descriptor) -> Result<&BlockPaged, Fault> {
    match &of.layout {
        Layout::BlockPaged(paged) => Ok(paged),
        other => Err(Fault::new(Status::INVALID_ARGUMENT, "", "the tensor is not block-paged")
            .field("layout_tag")
            .value(other.tag())),
    }
}

/// # Safety
/// `lengths` is NULL or points to `len` readable values.
unsafe fn lengths_of<'a>(lengths: *const u64, len: usize) -> Result<Option<&'a [u64]>, Fault> {
    if lengths.is_null() && len == 0 {
        return Ok(None);
    }
    // SAFETY: as this function's own.
    unsafe { slice(lengths, len, "sequence_lengths") }.map(Some)
}

/// Writes all tokens of a block-paged tensor, sequence after sequence, as a row-major tensor of the same shape.
///
/// No field stores how many tokens each sequence has: `sequence_lengths` are `len` numbers that add up to the tokens of the
/// shape. NULL with 0 will do where there is one sequence, or where every page is full. `into` is as in
/// `hurray_tensor_to_layout`. Codes of a quantized tensor are moved as they are.
///
/// *Ownership:* the result is the caller's; tensor, lengths and `into` stay so. After a failure the bytes of `into` are
/// undefined. `out_bytes` may be NULL; it gets the bytes that were written.
/// *Errors:* `HURRAY_ERR_INVALID_ARGUMENT` (the tensor is not block-paged, the lengths do not fit, a dynamic dimension,
/// `into`), `HURRAY_ERR_INDEX_OUT_OF_BOUNDS` (a length beyond the pages of its sequence, L-041),
/// `HURRAY_ERR_INVALID_LAYOUT` (L-039), `HURRAY_ERR_CORRUPT` (the tables changed while they were read),
/// `HURRAY_ERR_UNSUPPORTED` (parameters per page slot, which a dense tensor has no place for, and Q-036; a type that is not
/// understood; memory that the host may not read or that is not ready), `HURRAY_ERR_COPY_REQUIRED`,
/// `HURRAY_ERR_BUFFER_TOO_SMALL`, `HURRAY_ERR_CANCELLED`, `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`,
/// `HURRAY_ERR_VERSION_MISMATCH`, `HURRAY_ERR_OUT_OF_MEMORY`.
/// *Threads:* any, also at once on one handle; `into` is this call's alone. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_tensor_gather(
    tensor: *const HurrayTensor,
    sequence_lengths: *const u64,
    len: usize,
    into: *const HurrayBuffer,
    options: *const HurrayOptions,
    out_bytes: *mut u64,
    out_tensor: *mut *mut HurrayTensor,
) -> HurrayStatus {
    // SAFETY: the caller's by contract.
    unsafe { clear(out_tensor) };
    dispatch!(
        TENSOR,
        tensor,
        tensor_gather(tensor, sequence_lengths, len, into, options, out_bytes, out_tensor)
    )
}

pub(crate) unsafe fn gather(
    tensor: *const HurrayTensor,
    sequence_lengths: *const u64,
    len: usize,
    into: *const HurrayBuffer,
    options: *const HurrayOptions,
    out_bytes: *mut u64,
    out_tensor: *mut *mut HurrayTensor,
) -> Result<(), Fault> {
    // SAFETY: routed here; the other handles, the lengths and the outputs are the caller's by contract.
    unsafe {
        wanted(out_tensor, "out_tensor")?;
        let options = Options::own(options)?;
        let lengths = lengths_of(sequence_lengths, len)?;
        let into = into_of(into)?;
        let source = Source::new(Tensor::core(tensor))?;
        let whole = source.descriptor();
        let paged = paged_layout(whole)?;
        if let Some(quantization) = &whole.quantization
            && !matches!(quantization.scheme, Scheme::PerTensor { .. } | Scheme::PerChannel { .. })
        {
            let what = "parameters of a page's slots have no place in a dense tensor: dequantize instead";
            return Err(Fault::new(Status::UNSUPPORTED, "Q-036", what)
                .field("scheme_tag")
                .value(quantization.scheme.tag()));
        }
        may_copy(options)?;
        let (bits, packed) = (whole.bits().unwrap_or(8), packed_len(whole)?);
        let mut output = Output::any_within(into, packed, &[source])?;
        if !output.is_zero() && bits < 8 {
            output.bytes().fill(0);
        }
        let buffers = all_bytes(&source)?;
        let pool = buffers.first().copied().unwrap_or_default();
        let job = job(options);
        job.begin(packed);
        Paged::new(paged, &whole.shape, bits, &buffers).gather(pool, lengths, output.bytes(), &job)?;
        let descriptor = in_layout(whole, &Layout::RowMajor, output.lead())?;
        let mut parts = Parts::new();
        parts.push(output.into_parts());
        let written = packed.saturating_add(push_parameters(&source, &mut parts)?);
        put(out_tensor, finish(descriptor, parts)?.publish(), "out_tensor")?;
        if !out_bytes.is_null() {
            put(out_bytes, written, "out_bytes")?;
        }
        Ok(())
    }
}

/// Writes the tokens of a dense tensor into the page pool of a block-paged one of the same shape and element type: the
/// inverse of `hurray_tensor_gather`. Slots that no token fills stay as they are; where sequences share a page, the tokens of the
/// last one stay.
///
/// The pool is written in place: nobody else may read it or write to it meanwhile. After a failure part of it may be written.
///
/// *Ownership:* all handles stay the caller's. `out_bytes` may be NULL; it gets the bytes that were written.
/// *Errors:* as `hurray_tensor_gather`; `HURRAY_ERR_INVALID_ARGUMENT` also for shapes or types that differ, a pool that is
/// read-only or overlaps what is read, `HURRAY_ERR_UNSUPPORTED` also for quantized tensors, other than two of one scale and
/// zero point. *Threads:* any; the pool is this call's alone. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_tensor_scatter(
    tensor: *const HurrayTensor,
    paged: *const HurrayTensor,
    sequence_lengths: *const u64,
    len: usize,
    options: *const HurrayOptions,
    out_bytes: *mut u64,
) -> HurrayStatus {
    dispatch!(TENSOR, tensor, tensor_scatter(tensor, paged, sequence_lengths, len, options, out_bytes))
}

pub(crate) unsafe fn scatter(
    tensor: *const HurrayTensor,
    paged: *const HurrayTensor,
    sequence_lengths: *const u64,
    len: usize,
    options: *const HurrayOptions,
    out_bytes: *mut u64,
) -> Result<(), Fault> {
    // SAFETY: routed here; the other handles, the lengths and the output are the caller's by contract.
    unsafe {
        let options = Options::own(options)?;
        let lengths = lengths_of(sequence_lengths, len)?;
        let target = home(paged)?;
        let (source, target) = (Source::new(Tensor::core(tensor))?, Source::new(&target)?);
        let (from, to) = (source.descriptor(), target.descriptor());
        let layout = paged_layout(to)?;
        check_alike(from, to)?;
        let pool = writable_pool(&source, &target)?;
        let job = job(options);
        let mut room = Vec::new();
        let rows = row_major(&source, &mut room)?;
        let written = packed_len(from)?;
        job.begin(written);
        let buffers = all_bytes(&target)?;
        let bits = to.bits().unwrap_or(8);
        Paged::new(layout, &to.shape, bits, &buffers).scatter(rows, lengths, pool, &job)?;
        if !out_bytes.is_null() {
            put(out_bytes, written, "out_bytes")?;
        }
        Ok(())
    }
}

/// The core of a tensor, brought in if another copy made it.
///
/// # Safety
/// `tensor` is NULL or a handle.
unsafe fn home(tensor: *const HurrayTensor) -> Result<Shared<Core>, Fault> {
    // SAFETY: as this function's own.
    match unsafe { route(tensor.cast(), mark::TENSOR)? } {
        // SAFETY: routed here.
        Route::Home => Ok(unsafe { Tensor::core(tensor) }.clone()),
        // SAFETY: a usable handle of that table, of this build version.
        Route::Away(table) => unsafe { bring_in_tensor(tensor, table) },
    }
}

fn check_alike(from: &Descriptor, to: &Descriptor) -> Result<(), Fault> {
    let differs = |what, field| Fault::new(Status::INVALID_ARGUMENT, "", what).field(field);
    if from.element_type != to.element_type || from.bits() != to.bits() {
        return Err(differs("the tensors have different element types", "element_type")
            .value(from.element_type)
            .limit(to.element_type));
    }
    if from.shape != to.shape {
        return Err(differs("the tensors have different shapes", "shape"));
    }
    let scheme = |of: &'_ Descriptor| match of.quantization.as_ref().map(|q| q.scheme.clone()) {
        None => Some(None),
        Some(Scheme::PerTensor { scale, zero_point }) => Some(Some((scale.to_bits(), zero_point))),
        Some(_) => None,
    };
    match (scheme(from), scheme(to)) {
        (Some(a), Some(b)) if a == b => Ok(()),
        _ => Err(Fault::new(Status::UNSUPPORTED, "", "codes move only between equal scales and zero points")
            .field("quantization")),
    }
}

/// The bytes of the pool, which nothing that is read has a part in.
///
/// # Safety
/// Nobody else uses the pool's memory meanwhile.
unsafe fn writable_pool<'a>(source: &Source<'_>, target: &Source<'a>) -> Result<&'a mut [u8], Fault> {
    let of = target.descriptor();
    let Some((entry, buffer)) = of.buffers.first().zip(target.core().buffers().first()) else {
        return Err(Fault::new(Status::INTERNAL, "", "a tensor lacks a buffer of its layout"));
    };
    if entry.byte_size == 0 {
        return Ok(&mut []);
    }
    let refused = |what| Fault::new(Status::INVALID_ARGUMENT, "", what).field("paged");
    if !buffer.is_host_readable() {
        return Err(not_host(buffer.device_tag));
    }
    if buffer.flags() & HURRAY_BUFFER_READ_ONLY != 0 {
        return Err(refused("the page pool is read-only"));
    }
    let start = buffer.data.cast::<u8>();
    if source.overlaps(start, entry.byte_size) || target.is_elsewhere(0, start, entry.byte_size) {
        return Err(refused("the page pool overlaps what is read"));
    }
    let len = usize::try_from(entry.byte_size).map_err(|_| Fault::out_of_memory())?;
    // SAFETY: held against its declared size when the tensor was made, and writable; nobody else uses it, as by contract.
    Ok(unsafe { std::slice::from_raw_parts_mut(start, len) })
}
