//! Codes to numbers, and numbers of one type to another.

use super::buffer::Buffer;
use super::convert::to_layout;
use super::convert_call::{Output, Source, finish, into_of, job, may_copy, row_major};
use super::convert_sparse::all_bytes;
use super::guard::{clear, put, wanted};
use super::handles::{HurrayBuffer, HurrayOptions, HurrayStatus, HurrayTensor};
use super::options::{Options, copy_choice};
use super::tensor::{Ready, Tensor, hand_out};
use crate::convert::dequantize::{Packed, convert, dequantize as codes_to_numbers};
use crate::convert::job::Job;
use crate::convert::scheme::{Arrays, Parameters, Place};
use crate::convert::sparse::{Sparse, is_sparse};
use crate::format::parameters::{ParameterArray, parameters};
use crate::format::{BlockPaged, Descriptor, Fault, Layout, Quantization, Scheme, Status};

/// Numbers of the element type `element_type_tag`, one of `float16`, `bfloat16`, `float32` and `float64`.
///
/// Quantized codes become `scale * (code - zero point)` and its like, computed in float32 as the written format says, and
/// rounded once more to a narrower type. Without a scheme the element values themselves are converted, rounded once:
/// integers, `bool` (0 and 1), packed and narrow floating-point types, `float128`; never complex ones. Rounding is to
/// nearest, ties to even; past the largest number of the result's type lies infinity. A NaN stays one: without a scheme it
/// keeps its sign and the leading bits of its payload, and becomes quiet. `float8_e8m0` codes `00` and `FF`, which may not
/// occur, are NaN.
///
/// A dense tensor of any layout gives a row-major one; one that is row-major and of that type already, a share, as in
/// `hurray_tensor_to_layout`. A sparse or block-paged tensor keeps its layout and shares its index buffers: what is stored
/// is converted, and what is not stays 0. Statistics and quantization do not carry over. `into`, options and `out_bytes`
/// are those of `hurray_tensor_to_layout`.
///
/// *Ownership:* the result is the caller's; tensor and `into` stay so. After a failure the bytes of `into` are undefined.
/// *Errors:* `HURRAY_ERR_INVALID_TYPE` (`element_type_tag`, or an element type that is no real number),
/// `HURRAY_ERR_INVALID_DESCRIPTOR` (a parameter that may not occur, Q-029 to Q-032, with its position),
/// `HURRAY_ERR_INVALID_LAYOUT` (index buffers beside channels or blocks that are not what they must be, with the position),
/// `HURRAY_ERR_UNSUPPORTED` (NF4 and MXFP on pages; what is not understood, not readable by the host, or not ready),
/// `HURRAY_ERR_INVALID_ARGUMENT` (a dynamic dimension; `into` is read-only, not ready, overlaps the source, or is given
/// for a result that is not dense), `HURRAY_ERR_COPY_REQUIRED`, `HURRAY_ERR_BUFFER_TOO_SMALL` (`into`),
/// `HURRAY_ERR_OVERFLOW`, `HURRAY_ERR_CANCELLED`, `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`,
/// `HURRAY_ERR_VERSION_MISMATCH`, `HURRAY_ERR_OUT_OF_MEMORY`.
/// *Threads:* any, also at once on one handle; `into` is this call's alone. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_tensor_dequantize(
    tensor: *const HurrayTensor,
    element_type_tag: u8,
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
        tensor_dequantize(tensor, element_type_tag, into, options, out_bytes, out_tensor)
    )
}

pub(crate) unsafe fn dequantize(
    tensor: *const HurrayTensor,
    tag: u8,
    into: *const HurrayBuffer,
    options: *const HurrayOptions,
    out_bytes: *mut u64,
    out_tensor: *mut *mut HurrayTensor,
) -> Result<(), Fault> {
    // SAFETY: routed here; the other handles and the outputs are the caller's by contract.
    unsafe {
        wanted(out_tensor, "out_tensor")?;
        if !matches!(tag, 0x01..=0x04) {
            let what = "numbers become float16, bfloat16, float32 or float64";
            return Err(Fault::new(Status::INVALID_TYPE, "", what).field("element_type_tag").value(tag));
        }
        let own = Options::own(options)?;
        let source = Source::new(Tensor::core(tensor))?;
        let whole = source.descriptor();
        let stored = stored(whole);
        if whole.element_type == tag && whole.quantization.is_none() {
            if stored.is_none() {
                return to_layout(tensor, std::ptr::null(), into, options, out_bytes, out_tensor);
            }
            if copy_choice(own) != 2 && into.is_null() {
                hand_out(source.core().clone(), Tensor::reported_abi(tensor), out_tensor)?;
                return if out_bytes.is_null() { Ok(()) } else { put(out_bytes, 0, "out_bytes") };
            }
        }
        may_copy(own)?;
        if stored.is_some() && !into.is_null() {
            let what = "a result that is not dense takes no buffer";
            return Err(Fault::new(Status::INVALID_ARGUMENT, "", what).field("into"));
        }
        let (ready, len) = make(&source, tag, into_of(into)?, &job(own))?;
        put(out_tensor, ready.publish(), "out_tensor")?;
        if !out_bytes.is_null() {
            put(out_bytes, len, "out_bytes")?;
        }
        Ok(())
    }
}

/// The numbers of a tensor, in a type of 16, 32 or 64 bits, and the bytes that were written.
pub(super) fn make(
    source: &Source<'_>,
    tag: u8,
    into: Option<Buffer>,
    job: &Job<'_>,
) -> Result<(Ready, u64), Fault> {
    let whole = source.descriptor();
    let stored = stored(whole);
    let count = match stored {
        Some(count) => count?,
        None => whole.element_count().ok_or_else(too_many)?,
    };
    let width = if tag == 0x04 {
        8
    } else if tag == 0x03 {
        4
    } else {
        2
    };
    let len = count.checked_mul(width).ok_or_else(too_many)?;
    let mut output = Output::any_within(into, len, &[*source])?;
    job.begin(len);
    let mut room = Vec::new();
    let bytes = if stored.is_some() { source.bytes(0)? } else { row_major(source, &mut room)? };
    let from = Packed { tag: whole.element_type, bytes };
    match &whole.quantization {
        Some(quantization) => {
            let found = read(source, quantization, stored.is_some())?;
            codes_to_numbers(from, &found, count, tag, output.bytes(), job)?;
        }
        None => convert(from, count, tag, output.bytes(), job)?,
    }
    let layout = if stored.is_some() { whole.layout.try_clone()? } else { Layout::RowMajor };
    let mut descriptor = whole.in_layout(layout, output.lead())?;
    descriptor.element_type = tag;
    (descriptor.quantization, descriptor.statistics) = (None, None);
    descriptor.flag_sections();
    let index_buffers = if stored.is_some() { index_buffers(whole) } else { 0..0 };
    let ready = with_shares(source, descriptor, output, index_buffers)?;
    Ok((ready, len))
}

#[cold]
pub(super) fn too_many() -> Fault {
    Fault::new(Status::OVERFLOW, "", "more bytes than 64 bits count").field("shape")
}

/// Elements in the data buffer of a layout that stores them one after another beside index buffers; none for others.
pub(super) fn stored(descriptor: &Descriptor) -> Option<Result<u64, Fault>> {
    match &descriptor.layout {
        Layout::Coo { nnz, .. } | Layout::Csr { nnz } | Layout::Csc { nnz } | Layout::Csf { nnz, .. } => {
            Some(Ok(*nnz))
        }
        Layout::BlockPaged(paged) => {
            let per_token = descriptor.shape.iter().skip(1).try_fold(1u64, |n, &m| n.checked_mul(m));
            let slots = paged.num_pages.checked_mul(paged.page_size.into());
            Some(slots.zip(per_token).and_then(|(slots, n)| slots.checked_mul(n)).ok_or_else(too_many))
        }
        _ => None,
    }
}

/// The index buffers of such a layout, in the buffer table.
fn index_buffers(descriptor: &Descriptor) -> std::ops::Range<usize> {
    let parameters = descriptor.quantization.as_ref().map_or(0, |q| q.scheme.parameter_buffer_count());
    1..descriptor.buffers.len().saturating_sub(parameters)
}

fn with_shares(
    source: &Source<'_>,
    descriptor: Descriptor,
    output: Output,
    shares: std::ops::Range<usize>,
) -> Result<Ready, Fault> {
    let mut buffers = smallvec::SmallVec::<[_; 4]>::new();
    buffers.try_reserve(shares.len() + 1).map_err(|_| Fault::out_of_memory())?;
    buffers.push(output.into_parts());
    for index in shares {
        let entry = source.descriptor().buffers.get(index).map_or(0, |entry| entry.byte_size);
        buffers.push((source.share(index)?, entry));
    }
    finish(descriptor, buffers)
}

/// Reads and checks the parameters of a tensor.
pub(super) fn read(
    source: &Source<'_>,
    quantization: &Quantization,
    is_stored: bool,
) -> Result<Parameters, Fault> {
    let (whole, scheme) = (source.descriptor(), &quantization.scheme);
    let place = match &whole.layout {
        Layout::BlockPaged(paged) => in_pages(scheme, paged, &whole.shape)?,
        _ => Place::new(scheme, &whole.shape),
    };
    let places = parameters(scheme, &whole.layout, &whole.shape)?;
    let mut arrays = None;
    if let Some(scales) = places.scales {
        let part = |array: ParameterArray| -> Result<&[u8], Fault> {
            let bytes = source.bytes(array.buffer as usize)?;
            let start = usize::try_from(array.offset).unwrap_or(usize::MAX);
            let len = array.bytes().and_then(|len| usize::try_from(len).ok()).unwrap_or(usize::MAX);
            let part = bytes.get(start..start.saturating_add(len));
            part.ok_or_else(|| {
                Fault::new(
                    Status::BUFFER_MISMATCH,
                    "Q-033",
                    "a parameter buffer is shorter than the scheme needs",
                )
                .field("buffers")
                .index(array.buffer as usize)
            })
        };
        arrays = Some(Arrays {
            scales: part(scales)?,
            scale_type: scales.element_type,
            zeros: places.zero_points.map(part).transpose()?,
            count: scales.count.and_then(|count| usize::try_from(count).ok()).unwrap_or(0),
        });
    }
    let found = Parameters::read(whole.element_type, scheme, place, arrays)?;
    match stored(whole) {
        Some(count) if is_stored && place != Place::Tensor && is_sparse(&whole.layout) => {
            of_entries(source, &found, count?)
        }
        _ => Ok(found),
    }
}

/// Where the parameters of a page pool are: its slots stand for the tokens.
fn in_pages(scheme: &Scheme, paged: &BlockPaged, shape: &[u64]) -> Result<Place, Fault> {
    let slots = paged.num_pages.saturating_mul(paged.page_size.into()).max(1);
    let [_, heads, width] = *shape else { return Ok(Place::Tensor) };
    match scheme {
        Scheme::PerTensor { .. } | Scheme::PerChannel { .. } => {
            Ok(Place::new(scheme, &[slots, heads, width]))
        }
        // A parameter for each slot.
        Scheme::PerBlock { .. } => {
            Ok(Place::Channel { channels: slots, inner: heads.saturating_mul(width).max(1) })
        }
        _ => {
            let what = "blocks of this scheme have no place on pages";
            Err(Fault::new(Status::UNSUPPORTED, "Q-036", what).field("scheme_tag").value(scheme.tag()))
        }
    }
}

/// The parameters of each stored entry of a sparse tensor.
fn of_entries(source: &Source<'_>, found: &Parameters, count: u64) -> Result<Parameters, Fault> {
    let whole = source.descriptor();
    let (buffers, bits) = (all_bytes(source)?, whole.bits().unwrap_or(8));
    let sparse = Sparse { layout: &whole.layout, shape: &whole.shape, bits, buffers: &buffers };
    let axis = match whole.quantization.as_ref().map(|quantization| &quantization.scheme) {
        Some(
            Scheme::PerChannel { axis, .. }
            | Scheme::PerBlock { axis, .. }
            | Scheme::Nf4 { axis, .. }
            | Scheme::Mxfp { axis, .. },
        ) => *axis as usize,
        _ => 0,
    };
    let count = usize::try_from(count).map_err(|_| Fault::out_of_memory())?;
    found.of_entries(axis, &whole.shape, count, |entry| {
        sparse.walk(&Job::new(None, 1), |index, position| {
            entry(index, position);
            Ok(())
        })
    })
}
