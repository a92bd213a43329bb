//! Descriptors: decoding, encoding, and every field by its identifier.

use super::guard::{Filler, clear, guard, put, put_array, slice, wanted};
use super::handles::{HurrayDescriptor, HurrayStatus};
use super::live::{born, destroy};
use super::prefix::{Head, mark, state};
use super::shared::{Shared, try_box};
use super::text::put_text;
use crate::format::describe as line;
use crate::format::{Descriptor, Fault, Status};
use std::ffi::c_char;

/// What a `HurrayDescriptor` points at.
#[repr(C)]
pub(crate) struct DescriptorHandle {
    pub(crate) head: Head,
    pub(crate) inner: Shared<Descriptor>,
}

impl DescriptorHandle {
    pub(crate) fn new(inner: Shared<Descriptor>, state: u32) -> DescriptorHandle {
        DescriptorHandle { head: Head::new(mark::DESCRIPTOR, state), inner }
    }

    /// # Safety
    /// `descriptor` is a live handle of this copy.
    pub(crate) unsafe fn of<'a>(descriptor: *const HurrayDescriptor) -> &'a Descriptor {
        // SAFETY: as this function's own.
        unsafe { &(*descriptor.cast::<DescriptorHandle>()).inner }
    }
}

/// Hands a descriptor out as an owned handle.
///
/// # Safety
/// `out` is a writable pointer.
pub(crate) unsafe fn publish(
    descriptor: Shared<Descriptor>,
    out: *mut *mut HurrayDescriptor,
) -> Result<(), Fault> {
    let handle = try_box(DescriptorHandle::new(descriptor, state::OWNED)).map_err(|(_, fault)| fault)?;
    born();
    // SAFETY: as this function's own.
    unsafe { put(out, Box::into_raw(handle).cast(), "out_descriptor") }
}

/// Moves a finished descriptor to where handles share it.
pub(crate) fn shared(descriptor: Descriptor) -> Result<Shared<Descriptor>, Fault> {
    Shared::try_new(descriptor).map_err(|(_, fault)| fault)
}

/// Decodes and validates a descriptor, strictly. Bytes after the descriptor's own length are left alone.
///
/// *Ownership:* the handle is the caller's; the bytes are not kept.
/// *Errors:* the status of the first rule that is broken, named in the text with field, value and offset:
/// `HURRAY_ERR_INVALID_MAGIC`, `HURRAY_ERR_VERSION_MISMATCH`, `HURRAY_ERR_TRUNCATED`, `HURRAY_ERR_INVALID_DESCRIPTOR`,
/// `HURRAY_ERR_INVALID_TYPE`, `HURRAY_ERR_INVALID_LAYOUT`, `HURRAY_ERR_INVALID_SYNC_MODE`, `HURRAY_ERR_BUFFER_MISMATCH`,
/// `HURRAY_ERR_OVERFLOW`, `HURRAY_ERR_LIMIT_EXCEEDED`, `HURRAY_ERR_UNSUPPORTED`; and `HURRAY_ERR_NULL_POINTER`,
/// `HURRAY_ERR_OUT_OF_MEMORY`. *Threads:* any. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_descriptor_decode(
    bytes: *const u8,
    len: usize,
    out: *mut *mut HurrayDescriptor,
) -> HurrayStatus {
    // SAFETY: the caller's by contract.
    unsafe { hurray_descriptor_decode_with(bytes, len, 0, out) }
}

/// Decodes a descriptor; with `HURRAY_DECODE_PERMISSIVE` in `flags`, private layouts, unknown schemes, layouts and
/// element types are kept as opaque parts. Nothing then licenses reading the tensor's data.
///
/// *Ownership:* the handle is the caller's; the bytes are not kept.
/// *Errors:* as `hurray_descriptor_decode`; `HURRAY_ERR_INVALID_ARGUMENT` (unknown flag). *Threads:* any. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_descriptor_decode_with(
    bytes: *const u8,
    len: usize,
    flags: u32,
    out: *mut *mut HurrayDescriptor,
) -> HurrayStatus {
    guard(|| {
        // SAFETY: the caller's by contract.
        unsafe {
            wanted(out, "out")?;
            clear(out);
        }
        if flags > super::constants::HURRAY_DECODE_PERMISSIVE {
            return Err(Fault::new(Status::INVALID_ARGUMENT, "", "an unknown decode flag")
                .field("flags")
                .value(flags));
        }
        // SAFETY: as above.
        let bytes = unsafe { slice(bytes, len, "bytes")? };
        let descriptor = Shared::try_build(Descriptor::blank(), |blank| blank.read(bytes, flags != 0))?;
        // SAFETY: as above.
        unsafe { publish(descriptor, out) }
    })
}

/// Writes the descriptor's bytes: the very bytes that were decoded, or what the builder wrote.
///
/// *Ownership:* the bytes go into the caller's array; `*out_len` is its room, then the true length, in bytes.
/// *Errors:* `HURRAY_ERR_BUFFER_TOO_SMALL`, `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
/// *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_descriptor_encode(
    descriptor: *const HurrayDescriptor,
    out_bytes: *mut u8,
    out_len: *mut usize,
) -> HurrayStatus {
    dispatch!(DESCRIPTOR, descriptor, descriptor_encode(descriptor, out_bytes, out_len))
}

pub(crate) unsafe fn encode(
    descriptor: *const HurrayDescriptor,
    out_bytes: *mut u8,
    out_len: *mut usize,
) -> Result<(), Fault> {
    // SAFETY: routed here.
    let descriptor = unsafe { DescriptorHandle::of(descriptor) };
    let fill = |to: &mut Filler<u8>| to.fill(|out| descriptor.encode_into(out));
    // SAFETY: the outputs are the caller's by contract.
    unsafe { put_array(out_bytes, out_len, descriptor.encoded_len(), fill) }
}

/// The element type, a `HURRAY_TYPE_...` tag or a private one (`0xF0` to `0xFE`).
///
/// *Ownership:* none. *Errors:* `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
/// *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_descriptor_element_type_tag(
    descriptor: *const HurrayDescriptor,
    out: *mut u8,
) -> HurrayStatus {
    dispatch!(DESCRIPTOR, descriptor, descriptor_element_type_tag(descriptor, out))
}

pub(crate) unsafe fn element_type_tag(
    descriptor: *const HurrayDescriptor,
    out: *mut u8,
) -> Result<(), Fault> {
    // SAFETY: routed here.
    let descriptor = unsafe { DescriptorHandle::of(descriptor) };
    // SAFETY: the output is the caller's by contract.
    unsafe { put(out, descriptor.element_type, "out") }
}

/// The layout, a `HURRAY_LAYOUT_...` tag or a private one (`0xF0` to `0xFE`).
///
/// *Ownership:* none. *Errors:* `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
/// *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_descriptor_layout_tag(
    descriptor: *const HurrayDescriptor,
    out: *mut u8,
) -> HurrayStatus {
    dispatch!(DESCRIPTOR, descriptor, descriptor_layout_tag(descriptor, out))
}

pub(crate) unsafe fn layout_tag(descriptor: *const HurrayDescriptor, out: *mut u8) -> Result<(), Fault> {
    // SAFETY: routed here.
    let descriptor = unsafe { DescriptorHandle::of(descriptor) };
    // SAFETY: the output is the caller's by contract.
    unsafe { put(out, descriptor.layout.tag(), "out") }
}

/// The number of dimensions, 0 to 64.
///
/// *Ownership:* none. *Errors:* `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
/// *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_descriptor_rank(
    descriptor: *const HurrayDescriptor,
    out: *mut u32,
) -> HurrayStatus {
    dispatch!(DESCRIPTOR, descriptor, descriptor_rank(descriptor, out))
}

pub(crate) unsafe fn rank(descriptor: *const HurrayDescriptor, out: *mut u32) -> Result<(), Fault> {
    // SAFETY: routed here.
    let descriptor = unsafe { DescriptorHandle::of(descriptor) };
    // SAFETY: the output is the caller's by contract.
    unsafe { put(out, descriptor.shape.len() as u32, "out") }
}

/// The number of entries in the buffer table; 0 also behind a layout that was not understood.
///
/// *Ownership:* none. *Errors:* `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
/// *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_descriptor_buffer_count(
    descriptor: *const HurrayDescriptor,
    out: *mut u32,
) -> HurrayStatus {
    dispatch!(DESCRIPTOR, descriptor, descriptor_buffer_count(descriptor, out))
}

pub(crate) unsafe fn buffer_count(descriptor: *const HurrayDescriptor, out: *mut u32) -> Result<(), Fault> {
    // SAFETY: routed here.
    let descriptor = unsafe { DescriptorHandle::of(descriptor) };
    // SAFETY: the output is the caller's by contract.
    unsafe { put(out, descriptor.buffers.len() as u32, "out") }
}

/// The section flags, as on the wire.
///
/// *Ownership:* none. *Errors:* `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
/// *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_descriptor_flags(
    descriptor: *const HurrayDescriptor,
    out: *mut u32,
) -> HurrayStatus {
    dispatch!(DESCRIPTOR, descriptor, descriptor_flags(descriptor, out))
}

pub(crate) unsafe fn flags(descriptor: *const HurrayDescriptor, out: *mut u32) -> Result<(), Fault> {
    // SAFETY: routed here.
    let descriptor = unsafe { DescriptorHandle::of(descriptor) };
    // SAFETY: the output is the caller's by contract.
    unsafe { put(out, descriptor.flags, "out") }
}

/// Where, in bytes from the start of buffer 0, the element at index zero lies.
///
/// *Ownership:* none. *Errors:* `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
/// *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_descriptor_byte_offset(
    descriptor: *const HurrayDescriptor,
    out: *mut u64,
) -> HurrayStatus {
    dispatch!(DESCRIPTOR, descriptor, descriptor_byte_offset(descriptor, out))
}

pub(crate) unsafe fn byte_offset(descriptor: *const HurrayDescriptor, out: *mut u64) -> Result<(), Fault> {
    // SAFETY: routed here.
    let descriptor = unsafe { DescriptorHandle::of(descriptor) };
    // SAFETY: the output is the caller's by contract.
    unsafe { put(out, descriptor.byte_offset, "out") }
}

/// The dimensions, slowest-varying first as the row-major order has them; `UINT64_MAX` is a dynamic dimension.
///
/// *Ownership:* written into the caller's array; `*out_len` is its room, then the rank.
/// *Errors:* `HURRAY_ERR_BUFFER_TOO_SMALL`, `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
/// *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_descriptor_shape(
    descriptor: *const HurrayDescriptor,
    out_dims: *mut u64,
    out_len: *mut usize,
) -> HurrayStatus {
    dispatch!(DESCRIPTOR, descriptor, descriptor_shape(descriptor, out_dims, out_len))
}

pub(crate) unsafe fn shape(
    descriptor: *const HurrayDescriptor,
    out_dims: *mut u64,
    out_len: *mut usize,
) -> Result<(), Fault> {
    // SAFETY: routed here.
    let shape = &unsafe { DescriptorHandle::of(descriptor) }.shape;
    // SAFETY: the outputs are the caller's by contract.
    unsafe { put_array(out_dims, out_len, shape.len(), |to| to.extend(shape.iter().copied())) }
}

/// One line that says element type, shape, layout, quantization, device and bytes. UTF-8, for people.
///
/// *Ownership:* written into the caller's array; `*out_len` is its room, then the true length, in bytes.
/// *Errors:* `HURRAY_ERR_BUFFER_TOO_SMALL`, `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
/// *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_descriptor_describe(
    descriptor: *const HurrayDescriptor,
    out: *mut c_char,
    out_len: *mut usize,
) -> HurrayStatus {
    dispatch!(DESCRIPTOR, descriptor, descriptor_describe(descriptor, out, out_len))
}

pub(crate) unsafe fn describe(
    descriptor: *const HurrayDescriptor,
    out: *mut c_char,
    out_len: *mut usize,
) -> Result<(), Fault> {
    // SAFETY: routed here.
    let descriptor = unsafe { DescriptorHandle::of(descriptor) };
    // SAFETY: the outputs are the caller's by contract.
    unsafe { put_text(out, out_len, |to| line(descriptor, 0, to)) }
}

/// The descriptor's bytes as a table for people: on each line the offset, up to 16 bytes, and what they are. UTF-8.
///
/// *Ownership:* written into the caller's array; `*out_len` is its room, then the true length, in bytes.
/// *Errors:* `HURRAY_ERR_BUFFER_TOO_SMALL`, `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`,
/// `HURRAY_ERR_OUT_OF_MEMORY`. *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_descriptor_annotate(
    descriptor: *const HurrayDescriptor,
    out: *mut c_char,
    out_len: *mut usize,
) -> HurrayStatus {
    dispatch!(DESCRIPTOR, descriptor, descriptor_annotate(descriptor, out, out_len))
}

pub(crate) unsafe fn annotate(
    descriptor: *const HurrayDescriptor,
    out: *mut c_char,
    out_len: *mut usize,
) -> Result<(), Fault> {
    // SAFETY: routed here; the outputs are the caller's by contract.
    unsafe {
        let table = DescriptorHandle::of(descriptor).annotated()?;
        put_text(out, out_len, |to| table.write(to))
    }
}

/// Ends a descriptor handle and writes NULL through the pointer. NULL, or a pointer to NULL, does nothing.
///
/// *Ownership:* ends the handle. *Errors:* `HURRAY_ERR_INVALID_HANDLE` (borrowed: the pointer stays as it was).
/// *Threads:* any. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_descriptor_destroy(descriptor: *mut *mut HurrayDescriptor) -> HurrayStatus {
    // SAFETY: the caller's by contract.
    unsafe { destroy(descriptor, mark::DESCRIPTOR) }
}
