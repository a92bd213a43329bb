//! Checks of the synchronisation payload that travels beside a buffer. Nothing is stored.

use super::buffer::Buffer;
use super::handles::{HurrayBuffer, HurrayEventReleaseFn, HurrayStatus};
use crate::format::{Fault, Status};
use std::ffi::c_void;

fn mismatch(what: &'static str, field: &'static str) -> Fault {
    Fault::new(Status::SYNC_MODE_MISMATCH, "B-012", what).field(field)
}

fn expect_mode(buffer: &Buffer, mode: u8) -> Result<(), Fault> {
    if buffer.sync_mode == mode {
        return Ok(());
    }
    Err(mismatch("the buffer declares another sync mode", "sync_mode").value(buffer.sync_mode).limit(mode))
}

fn expect_device(buffer: &Buffer, tag: u8, field: &'static str) -> Result<(), Fault> {
    if buffer.device_tag == tag {
        return Ok(());
    }
    Err(mismatch("the payload is of another device", field).value(tag).limit(buffer.device_tag))
}

/// Checks a hand-off in mode `HURRAY_SYNC_PRODUCER_SYNCED`: the buffer declares it, and there is no payload. Both
/// pointers are NULL then.
///
/// *Ownership:* nothing is stored. *Errors:* `HURRAY_ERR_SYNC_MODE_MISMATCH`, `HURRAY_ERR_INVALID_HANDLE`,
/// `HURRAY_ERR_NULL_POINTER` (buffer). *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_buffer_handoff_producer_synced(
    buffer: *const HurrayBuffer,
    sync_handle: *const c_void,
    consumer_stream: *const c_void,
) -> HurrayStatus {
    dispatch!(BUFFER, buffer, buffer_handoff_producer_synced(buffer, sync_handle, consumer_stream))
}

pub(crate) unsafe fn producer_synced(
    buffer: *const HurrayBuffer,
    sync_handle: *const c_void,
    consumer_stream: *const c_void,
) -> Result<(), Fault> {
    // SAFETY: routed here.
    let buffer = unsafe { Buffer::of(buffer) };
    expect_mode(buffer, 0)?;
    if !sync_handle.is_null() {
        return Err(mismatch("a synced producer sends no event", "sync_handle"));
    }
    if !consumer_stream.is_null() {
        return Err(mismatch("a synced producer needs no stream", "consumer_stream"));
    }
    Ok(())
}

/// Checks a hand-off in mode `HURRAY_SYNC_EVENT`: the buffer declares it, the event and its release function are not
/// NULL, and the event is of the buffer's device.
///
/// *Ownership:* nothing is stored; the event stays the caller's. *Errors:* `HURRAY_ERR_SYNC_MODE_MISMATCH`,
/// `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER` (buffer). *Threads:* any, also at once on one handle.
/// *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_buffer_handoff_event(
    buffer: *const HurrayBuffer,
    sync_handle: *const c_void,
    sync_handle_device_tag: u8,
    event_release: HurrayEventReleaseFn,
) -> HurrayStatus {
    dispatch!(
        BUFFER,
        buffer,
        buffer_handoff_event(buffer, sync_handle, sync_handle_device_tag, event_release)
    )
}

pub(crate) unsafe fn event(
    buffer: *const HurrayBuffer,
    sync_handle: *const c_void,
    sync_handle_device_tag: u8,
    event_release: HurrayEventReleaseFn,
) -> Result<(), Fault> {
    // SAFETY: routed here.
    let buffer = unsafe { Buffer::of(buffer) };
    expect_mode(buffer, 1)?;
    if sync_handle.is_null() {
        return Err(mismatch("the event is missing", "sync_handle"));
    }
    if event_release.is_none() {
        return Err(mismatch("the event's release function is missing", "event_release"));
    }
    expect_device(buffer, sync_handle_device_tag, "sync_handle_device_tag")
}

/// Checks a hand-off in mode `HURRAY_SYNC_CONSUMER_STREAM`: the buffer declares it, and the consumer named a stream of
/// the buffer's device.
///
/// *Ownership:* nothing is stored. *Errors:* `HURRAY_ERR_SYNC_MODE_MISMATCH`, `HURRAY_ERR_INVALID_HANDLE`,
/// `HURRAY_ERR_NULL_POINTER` (buffer). *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_buffer_handoff_consumer_stream(
    buffer: *const HurrayBuffer,
    consumer_stream: *const c_void,
    consumer_stream_device_tag: u8,
) -> HurrayStatus {
    dispatch!(
        BUFFER,
        buffer,
        buffer_handoff_consumer_stream(buffer, consumer_stream, consumer_stream_device_tag)
    )
}

pub(crate) unsafe fn consumer_stream(
    buffer: *const HurrayBuffer,
    consumer_stream: *const c_void,
    consumer_stream_device_tag: u8,
) -> Result<(), Fault> {
    // SAFETY: routed here.
    let buffer = unsafe { Buffer::of(buffer) };
    expect_mode(buffer, 2)?;
    if consumer_stream.is_null() {
        return Err(mismatch("the consumer's stream is missing", "consumer_stream"));
    }
    expect_device(buffer, consumer_stream_device_tag, "consumer_stream_device_tag")
}
