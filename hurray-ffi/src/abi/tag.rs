//! Names and sizes of tags, so that no binding keeps a table of the format.

use super::guard::{guard, put, wanted};
use super::handles::HurrayStatus;
use crate::format::{Fault, Status, element, tag};
use std::ffi::c_char;

fn unassigned(tag: u8) -> Fault {
    Fault::new(Status::INVALID_TYPE, "", "not an assigned element type").field("element_type_tag").value(tag)
}

/// The name of a tag, in lower case: space `HURRAY_SPACE_ELEMENT_TYPE` and tag 3 give `"float32"`. A NUL-terminated
/// static string.
///
/// *Ownership:* static, never freed. *Errors:* `HURRAY_ERR_NOT_FOUND` (unassigned tag), `HURRAY_ERR_INVALID_ARGUMENT` (no
/// such space), `HURRAY_ERR_NULL_POINTER`. *Threads:* any. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_tag_name(
    space: u32,
    tag: u32,
    out_static: *mut *const c_char,
) -> HurrayStatus {
    guard(|| {
        // SAFETY: the caller's by contract.
        unsafe { wanted(out_static, "out_static")? };
        if !(1..=12).contains(&space) {
            return Err(Fault::new(Status::INVALID_ARGUMENT, "", "no such tag space")
                .field("space")
                .value(space));
        }
        let Some(name) = tag::tag_name(space, tag) else {
            return Err(Fault::answer(Status::NOT_FOUND));
        };
        // SAFETY: as above.
        unsafe { put(out_static, name.as_ptr(), "out_static") }
    })
}

/// An element type's width in bits, the alignment of one element in bytes, and `HURRAY_KIND_...` bits.
///
/// *Ownership:* none. *Errors:* `HURRAY_ERR_INVALID_TYPE` (unassigned; a private type's width is in its descriptor),
/// `HURRAY_ERR_NULL_POINTER`. *Threads:* any. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_element_type_info(
    tag: u8,
    out_bits: *mut u32,
    out_alignment: *mut u32,
    out_kind: *mut u32,
) -> HurrayStatus {
    guard(|| {
        // SAFETY: the caller's by contract.
        unsafe {
            wanted(out_bits, "out_bits")?;
            wanted(out_alignment, "out_alignment")?;
            wanted(out_kind, "out_kind")?;
        }
        let info = element::element_info(tag).ok_or_else(|| unassigned(tag))?;
        // SAFETY: as above.
        unsafe {
            put(out_bits, info.bits, "out_bits")?;
            put(out_alignment, info.alignment, "out_alignment")?;
            put(out_kind, info.kind, "out_kind")
        }
    })
}

/// The bytes of `count` contiguous elements, packed as the format packs them.
///
/// *Ownership:* none. *Errors:* `HURRAY_ERR_INVALID_TYPE` (unassigned), `HURRAY_ERR_OVERFLOW`, `HURRAY_ERR_NULL_POINTER`.
/// *Threads:* any. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_element_type_bytes(tag: u8, count: u64, out: *mut u64) -> HurrayStatus {
    guard(|| {
        // SAFETY: the caller's by contract.
        unsafe { wanted(out, "out")? };
        let info = element::element_info(tag).ok_or_else(|| unassigned(tag))?;
        let bytes = element::packed_bytes(info.bits, count).ok_or_else(|| {
            Fault::new(Status::OVERFLOW, "", "more bytes than 64 bits count").field("count").value(count)
        })?;
        // SAFETY: as above.
        unsafe { put(out, bytes, "out") }
    })
}
