//! What a buffer says of itself, and the few things that can be set on one that is not in a list yet.

use super::buffer::{Buffer, HURRAY_BUFFER_READ_ONLY, MIN_ALIGNMENT};
use super::guard::put;
use super::handles::{HurrayBuffer, HurrayStatus};
use crate::format::{Fault, Status};
use std::ffi::c_void;
use std::sync::atomic::Ordering;

const ALL_FLAGS: u32 = 63;

/// The pointer, as it was given: also one that only a device may follow.
///
/// *Ownership:* the memory stays the buffer's. *Errors:* `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
/// *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_buffer_data_ptr(
    buffer: *const HurrayBuffer,
    out_data: *mut *mut c_void,
) -> HurrayStatus {
    dispatch!(BUFFER, buffer, buffer_data_ptr(buffer, out_data))
}

pub(crate) unsafe fn data_ptr(buffer: *const HurrayBuffer, out_data: *mut *mut c_void) -> Result<(), Fault> {
    // SAFETY: routed here; the output is the caller's by contract.
    unsafe { put(out_data, Buffer::of(buffer).data, "out_data") }
}

/// The pointer, if the host may read through it: memory of the CPU, or marked `HURRAY_BUFFER_HOST_POINTER`.
///
/// *Ownership:* the memory stays the buffer's. *Errors:* `HURRAY_ERR_UNSUPPORTED` (device memory),
/// `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`. *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_buffer_host_ptr(
    buffer: *const HurrayBuffer,
    out_data: *mut *mut c_void,
) -> HurrayStatus {
    dispatch!(BUFFER, buffer, buffer_host_ptr(buffer, out_data))
}

pub(crate) unsafe fn host_ptr(buffer: *const HurrayBuffer, out_data: *mut *mut c_void) -> Result<(), Fault> {
    // SAFETY: routed here.
    let buffer = unsafe { Buffer::of(buffer) };
    if !buffer.is_host_readable() {
        return Err(not_host(buffer.device_tag));
    }
    // SAFETY: the output is the caller's by contract.
    unsafe { put(out_data, buffer.data, "out_data") }
}

pub(crate) fn not_host(device_tag: u8) -> Fault {
    Fault::new(Status::UNSUPPORTED, "", "the host may not read this device's memory")
        .field("device_tag")
        .value(device_tag)
}

/// The size in bytes.
///
/// *Ownership:* none. *Errors:* `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
/// *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_buffer_byte_size(buffer: *const HurrayBuffer, out: *mut u64) -> HurrayStatus {
    dispatch!(BUFFER, buffer, buffer_byte_size(buffer, out))
}

pub(crate) unsafe fn byte_size(buffer: *const HurrayBuffer, out: *mut u64) -> Result<(), Fault> {
    // SAFETY: routed here.
    let buffer = unsafe { Buffer::of(buffer) };
    // SAFETY: the output is the caller's by contract.
    unsafe { put(out, buffer.byte_size, "out") }
}

/// The alignment that the pointer keeps, in bytes.
///
/// *Ownership:* none. *Errors:* `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
/// *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_buffer_alignment(buffer: *const HurrayBuffer, out: *mut u32) -> HurrayStatus {
    dispatch!(BUFFER, buffer, buffer_alignment(buffer, out))
}

pub(crate) unsafe fn alignment(buffer: *const HurrayBuffer, out: *mut u32) -> Result<(), Fault> {
    // SAFETY: routed here.
    let buffer = unsafe { Buffer::of(buffer) };
    // SAFETY: the output is the caller's by contract.
    unsafe { put(out, buffer.alignment, "out") }
}

/// The device, a `HURRAY_DEVICE_...` tag.
///
/// *Ownership:* none. *Errors:* `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
/// *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_buffer_device_tag(buffer: *const HurrayBuffer, out: *mut u8) -> HurrayStatus {
    dispatch!(BUFFER, buffer, buffer_device_tag(buffer, out))
}

pub(crate) unsafe fn device_tag(buffer: *const HurrayBuffer, out: *mut u8) -> Result<(), Fault> {
    // SAFETY: routed here.
    let buffer = unsafe { Buffer::of(buffer) };
    // SAFETY: the output is the caller's by contract.
    unsafe { put(out, buffer.device_tag, "out") }
}

/// How the producer ordered its writes, a `HURRAY_SYNC_...` value.
///
/// *Ownership:* none. *Errors:* `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
/// *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_buffer_sync_mode(buffer: *const HurrayBuffer, out: *mut u8) -> HurrayStatus {
    dispatch!(BUFFER, buffer, buffer_sync_mode(buffer, out))
}

pub(crate) unsafe fn sync_mode(buffer: *const HurrayBuffer, out: *mut u8) -> Result<(), Fault> {
    // SAFETY: routed here.
    let buffer = unsafe { Buffer::of(buffer) };
    // SAFETY: the output is the caller's by contract.
    unsafe { put(out, buffer.sync_mode, "out") }
}

/// The memory class, a `HURRAY_MEMORY_...` value.
///
/// *Ownership:* none. *Errors:* `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
/// *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_buffer_memory_class(
    buffer: *const HurrayBuffer,
    out: *mut u8,
) -> HurrayStatus {
    dispatch!(BUFFER, buffer, buffer_memory_class(buffer, out))
}

pub(crate) unsafe fn memory_class(buffer: *const HurrayBuffer, out: *mut u8) -> Result<(), Fault> {
    // SAFETY: routed here.
    let buffer = unsafe { Buffer::of(buffer) };
    // SAFETY: the output is the caller's by contract.
    unsafe { put(out, buffer.memory_class, "out") }
}

/// The flags, `HURRAY_BUFFER_...` bits. They live in memory only and are never written to bytes.
///
/// *Ownership:* none. *Errors:* `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
/// *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_buffer_flags(buffer: *const HurrayBuffer, out: *mut u32) -> HurrayStatus {
    dispatch!(BUFFER, buffer, buffer_flags(buffer, out))
}

pub(crate) unsafe fn flags(buffer: *const HurrayBuffer, out: *mut u32) -> Result<(), Fault> {
    // SAFETY: routed here.
    let buffer = unsafe { Buffer::of(buffer) };
    // SAFETY: the output is the caller's by contract.
    unsafe { put(out, buffer.flags(), "out") }
}

/// Which of several devices of the tag holds the memory; 0 unless it was set.
///
/// *Ownership:* none. *Errors:* `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
/// *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_buffer_device_id(buffer: *const HurrayBuffer, out: *mut i32) -> HurrayStatus {
    dispatch!(BUFFER, buffer, buffer_device_id(buffer, out))
}

pub(crate) unsafe fn device_id(buffer: *const HurrayBuffer, out: *mut i32) -> Result<(), Fault> {
    // SAFETY: routed here.
    let buffer = unsafe { Buffer::of(buffer) };
    // SAFETY: the output is the caller's by contract.
    unsafe { put(out, buffer.device_id.load(Ordering::Relaxed), "out") }
}

/// The lead: how many bytes at the buffer's start are not its owner's, because the buffer begins at the address rounded
/// down to 64. Writers never emit or read them.
///
/// *Ownership:* none. *Errors:* `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
/// *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_buffer_lead(buffer: *const HurrayBuffer, out: *mut u32) -> HurrayStatus {
    dispatch!(BUFFER, buffer, buffer_lead(buffer, out))
}

pub(crate) unsafe fn lead(buffer: *const HurrayBuffer, out: *mut u32) -> Result<(), Fault> {
    // SAFETY: routed here.
    let buffer = unsafe { Buffer::of(buffer) };
    // SAFETY: the output is the caller's by contract.
    unsafe { put(out, buffer.lead.load(Ordering::Relaxed), "out") }
}

/// Sets the flags, `HURRAY_BUFFER_...` bits, until the buffer is in a list. A `HURRAY_BUFFER_READ_ONLY` that is set
/// cannot be cleared.
///
/// *Ownership:* none taken. *Errors:* `HURRAY_ERR_INVALID_ARGUMENT` (unknown bit, or read-only cleared),
/// `HURRAY_ERR_INVALID_HANDLE` (borrowed included), `HURRAY_ERR_NULL_POINTER`. *Threads:* one at a time. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_buffer_set_flags(buffer: *mut HurrayBuffer, flags: u32) -> HurrayStatus {
    dispatch!(BUFFER, buffer, buffer_set_flags(buffer, flags))
}

pub(crate) unsafe fn set_flags(buffer: *mut HurrayBuffer, flags: u32) -> Result<(), Fault> {
    // SAFETY: routed here.
    let buffer = unsafe { Buffer::of(buffer) };
    buffer.head.writable()?;
    check_flags(flags)?;
    if buffer.flags() & !flags & HURRAY_BUFFER_READ_ONLY != 0 {
        return Err(Fault::new(Status::INVALID_ARGUMENT, "", "read-only memory stays read-only")
            .field("flags")
            .value(flags));
    }
    buffer.flags.store(flags, Ordering::Relaxed);
    Ok(())
}

pub(crate) fn check_flags(flags: u32) -> Result<(), Fault> {
    if flags & !ALL_FLAGS == 0 {
        return Ok(());
    }
    Err(Fault::new(Status::INVALID_ARGUMENT, "", "an unknown buffer flag")
        .field("flags")
        .value(flags)
        .limit(ALL_FLAGS))
}

/// Says which of several devices of the tag holds the memory, until the buffer is in a list.
///
/// *Ownership:* none taken. *Errors:* `HURRAY_ERR_INVALID_ARGUMENT` (negative), `HURRAY_ERR_INVALID_HANDLE` (borrowed
/// included), `HURRAY_ERR_NULL_POINTER`. *Threads:* one at a time. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_buffer_set_device_id(
    buffer: *mut HurrayBuffer,
    device_id: i32,
) -> HurrayStatus {
    dispatch!(BUFFER, buffer, buffer_set_device_id(buffer, device_id))
}

pub(crate) unsafe fn set_device_id(buffer: *mut HurrayBuffer, device_id: i32) -> Result<(), Fault> {
    // SAFETY: routed here.
    let buffer = unsafe { Buffer::of(buffer) };
    buffer.head.writable()?;
    check_device_id(device_id)?;
    buffer.device_id.store(device_id, Ordering::Relaxed);
    Ok(())
}

pub(crate) fn check_device_id(device_id: i32) -> Result<(), Fault> {
    if device_id >= 0 {
        return Ok(());
    }
    Err(Fault::new(Status::INVALID_ARGUMENT, "", "a device id is not negative")
        .field("device_id")
        .value(device_id))
}

/// Says how many bytes at the buffer's start are not its owner's, until the buffer is in a list: below 64, and no more
/// than the buffer's size.
///
/// *Ownership:* none taken. *Errors:* `HURRAY_ERR_INVALID_ARGUMENT`, `HURRAY_ERR_INVALID_HANDLE` (borrowed included),
/// `HURRAY_ERR_NULL_POINTER`. *Threads:* one at a time. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_buffer_set_lead(buffer: *mut HurrayBuffer, lead: u32) -> HurrayStatus {
    dispatch!(BUFFER, buffer, buffer_set_lead(buffer, lead))
}

pub(crate) unsafe fn set_lead(buffer: *mut HurrayBuffer, lead: u32) -> Result<(), Fault> {
    // SAFETY: routed here.
    let buffer = unsafe { Buffer::of(buffer) };
    buffer.head.writable()?;
    if lead >= MIN_ALIGNMENT || u64::from(lead) > buffer.byte_size {
        return Err(Fault::new(Status::INVALID_ARGUMENT, "", "a lead is below 64 and inside its buffer")
            .field("lead")
            .value(lead));
    }
    buffer.lead.store(lead, Ordering::Relaxed);
    Ok(())
}
