//! Packed codes to one code a byte, and back.

use super::convert_call::{Output, Source, finish, into_of, job, may_copy, row_major};
use super::convert_dequantize::too_many;
use super::guard::{clear, put, wanted};
use super::handles::{HurrayBuffer, HurrayOptions, HurrayStatus, HurrayTensor};
use super::options::Options;
use super::tensor::Tensor;
use crate::convert::dequantize::Packed;
use crate::convert::job::Job;
use crate::convert::pack::{pack as bytes_to_codes, unpack as codes_to_bytes, unpacked_type};
use crate::format::{Fault, Layout, Status, packed_bytes};

/// The codes of a dense tensor of a packed type, one a byte, row-major: `int8` for `int4` and `int2`, else `uint8`. Those
/// of `float4_*` and `float6_*` are bit patterns, those of `bool` 0 and 1. A scheme does not carry over, nor do
/// statistics: the result holds codes, not what they stand for.
///
/// `into`, options and `out_bytes` are those of `hurray_tensor_to_layout`.
///
/// *Ownership:* the result is the caller's; tensor and `into` stay so. After a failure the bytes of `into` are undefined.
/// *Errors:* `HURRAY_ERR_INVALID_TYPE` (not a packed type), `HURRAY_ERR_UNSUPPORTED` (a layout that is not dense; what is
/// not understood, not readable by the host, or not ready), `HURRAY_ERR_INVALID_ARGUMENT` (a dynamic dimension; `into` is
/// read-only, not ready, or overlaps the source), `HURRAY_ERR_COPY_REQUIRED`, `HURRAY_ERR_BUFFER_TOO_SMALL` (`into`),
/// `HURRAY_ERR_OVERFLOW`, `HURRAY_ERR_CANCELLED`, `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`,
/// `HURRAY_ERR_VERSION_MISMATCH`, `HURRAY_ERR_OUT_OF_MEMORY`.
/// *Threads:* any, also at once on one handle; `into` is this call's alone. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_tensor_unpack(
    tensor: *const HurrayTensor,
    into: *const HurrayBuffer,
    options: *const HurrayOptions,
    out_bytes: *mut u64,
    out_tensor: *mut *mut HurrayTensor,
) -> HurrayStatus {
    // SAFETY: the caller's by contract.
    unsafe { clear(out_tensor) };
    dispatch!(TENSOR, tensor, tensor_unpack(tensor, into, options, out_bytes, out_tensor))
}

pub(crate) unsafe fn unpack(
    tensor: *const HurrayTensor,
    into: *const HurrayBuffer,
    options: *const HurrayOptions,
    out_bytes: *mut u64,
    out_tensor: *mut *mut HurrayTensor,
) -> Result<(), Fault> {
    // SAFETY: routed here; the other handles and the outputs are the caller's by contract.
    unsafe {
        wanted(out_tensor, "out_tensor")?;
        let source = Source::new(Tensor::core(tensor))?;
        let tag = source.descriptor().element_type;
        let Some(bytes) = unpacked_type(tag) else {
            return Err(Fault::new(Status::INVALID_TYPE, "", "the tensor's type is not packed")
                .field("element_type")
                .value(tag));
        };
        made(source, bytes, into, options, out_bytes, out_tensor, codes_to_bytes)
    }
}

/// Packs a dense tensor of `int8` or `uint8`, one code a byte, as the packed type `element_type_tag`, row-major. As `bool`,
/// every byte but 0 is 1. A scheme does not carry over, nor do statistics.
///
/// `into`, options and `out_bytes` are those of `hurray_tensor_to_layout`.
///
/// *Ownership:* the result is the caller's; tensor and `into` stay so. After a failure the bytes of `into` are undefined.
/// *Errors:* as `hurray_tensor_unpack`; `HURRAY_ERR_INVALID_TYPE` also for an `element_type_tag` that is not packed, and a
/// tensor of another type than those two; `HURRAY_ERR_INVALID_ARGUMENT` also for a value that the packed type has no code
/// for, with its row-major position.
/// *Threads:* any, also at once on one handle; `into` is this call's alone. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_tensor_pack(
    tensor: *const HurrayTensor,
    element_type_tag: u8,
    into: *const HurrayBuffer,
    options: *const HurrayOptions,
    out_bytes: *mut u64,
    out_tensor: *mut *mut HurrayTensor,
) -> HurrayStatus {
    // SAFETY: the caller's by contract.
    unsafe { clear(out_tensor) };
    dispatch!(TENSOR, tensor, tensor_pack(tensor, element_type_tag, into, options, out_bytes, out_tensor))
}

pub(crate) unsafe fn pack(
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
        let refused =
            |what, field, tag: u8| Fault::new(Status::INVALID_TYPE, "", what).field(field).value(tag);
        if unpacked_type(tag).is_none() {
            return Err(refused("the type is not packed", "element_type_tag", tag));
        }
        let source = Source::new(Tensor::core(tensor))?;
        let from = source.descriptor().element_type;
        if !matches!(from, 0x10 | 0x11) {
            return Err(refused("codes are packed from int8 or uint8", "element_type", from));
        }
        made(source, tag, into, options, out_bytes, out_tensor, |from, count, out, job| {
            bytes_to_codes(from, tag, count, out, job)
        })
    }
}

/// The row-major result of a type, written by `body`.
///
/// # Safety
/// The handles and outputs are the caller's by contract.
unsafe fn made(
    source: Source<'_>,
    tag: u8,
    into: *const HurrayBuffer,
    options: *const HurrayOptions,
    out_bytes: *mut u64,
    out_tensor: *mut *mut HurrayTensor,
    body: impl Fn(Packed<'_>, u64, &mut [u8], &Job<'_>) -> Result<(), Fault>,
) -> Result<(), Fault> {
    // SAFETY: as this function's own.
    unsafe {
        let options = Options::own(options)?;
        may_copy(options)?;
        let whole = source.descriptor();
        let count = whole.element_count().ok_or_else(too_many)?;
        let bits = crate::format::element_info(tag).map_or(8, |info| info.bits);
        let len = packed_bytes(bits, count).ok_or_else(too_many)?;
        let mut output = Output::any_within(into_of(into)?, len, &[source])?;
        let mut room = Vec::new();
        let from = Packed { tag: whole.element_type, bytes: row_major(&source, &mut room)? };
        let job = job(options);
        job.begin(len);
        body(from, count, output.bytes(), &job)?;
        let mut descriptor = whole.in_layout(Layout::RowMajor, output.lead())?;
        descriptor.element_type = tag;
        (descriptor.quantization, descriptor.statistics) = (None, None);
        descriptor.flag_sections();
        let ready = finish(descriptor, std::iter::once(output.into_parts()))?;
        put(out_tensor, ready.publish(), "out_tensor")?;
        if out_bytes.is_null() { Ok(()) } else { put(out_bytes, len, "out_bytes") }
    }
}
