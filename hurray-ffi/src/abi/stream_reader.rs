//! Stream readers: items out of bytes that the caller fetches.

use super::arrival::{Arrival, Door};
use super::buffer::{Buffer, Keep};
use super::descriptor::DescriptorHandle;
use super::error;
use super::foreign::{Foreign, attributes, call};
use super::guard::{clear, panicked, put, put_array, slice, wanted};
use super::handles::{
    HurrayBuffer, HurrayDescriptor, HurrayItem, HurrayOptions, HurrayStatus, HurrayStreamReader,
};
use super::item::publish;
use super::live::{born, destroy};
use super::options::*;
use super::prefix::{Head, Route, mark, route, state};
use super::shared::{Shared, try_box};
use super::table::Table;
use crate::format::{Fault, Status};
use crate::io::stream::{Failure, LEAST_MESSAGE_BYTES, Limits, Reader, Room, STEP};
use std::ptr::null_mut;

/// Deepest nesting of composites that a reader can be asked for: items end member by member.
const MOST_DEPTH: u64 = 64;

/// What a `HurrayStreamReader` points at.
#[repr(C)]
pub(crate) struct StreamReader {
    head: Head,
    /// Set while a call runs; a call that finds it set knows that an earlier one panicked.
    busy: bool,
    /// The descriptor that `pending` gave last.
    pending: Option<DescriptorHandle>,
    reader: Reader<Door>,
}

impl Drop for StreamReader {
    fn drop(&mut self) {
        self.forget_pending();
    }
}

impl StreamReader {
    fn forget_pending(&mut self) {
        if let Some(pending) = self.pending.take() {
            pending.head.bury();
        }
    }
}

/// A failure as a fault, with its text stored.
pub(crate) fn refused(failure: Failure) -> Fault {
    error::tell(&failure.fault, &failure.detail)
}

/// Runs one call on a reader.
///
/// # Safety
/// `reader` is a live handle of this copy, used by one thread at a time.
pub(crate) unsafe fn with<R>(
    reader: *mut HurrayStreamReader,
    body: impl FnOnce(&mut Reader<Door>) -> Result<R, Fault>,
) -> Result<R, Fault> {
    // SAFETY: as this function's own.
    let this = unsafe { &mut *reader.cast::<StreamReader>() };
    this.head.writable()?;
    if this.busy {
        return Err(panicked());
    }
    this.forget_pending();
    this.busy = true;
    let result = body(&mut this.reader);
    this.busy = false;
    result
}

fn limits(options: Option<&Options>) -> Result<Limits, Fault> {
    let value = |option| value_of(options, option);
    let message_bytes = value(HURRAY_OPTION_MAX_MESSAGE_BYTES);
    if message_bytes < LEAST_MESSAGE_BYTES {
        return Err(Fault::new(Status::INVALID_ARGUMENT, "", "a message limit below the least there is")
            .field("MAX_MESSAGE_BYTES")
            .value(message_bytes)
            .limit(LEAST_MESSAGE_BYTES));
    }
    Ok(Limits {
        permissive: value(HURRAY_OPTION_PERMISSIVE) != 0,
        descriptor_bytes: value(HURRAY_OPTION_MAX_DESCRIPTOR_BYTES),
        buffer_bytes: value(HURRAY_OPTION_MAX_BUFFER_BYTES),
        total_bytes: value(HURRAY_OPTION_MAX_TOTAL_BYTES),
        depth: value(HURRAY_OPTION_MAX_COMPOSITE_DEPTH).min(MOST_DEPTH) as u32,
        members: value(HURRAY_OPTION_MAX_MEMBERS),
        alignment: value(HURRAY_OPTION_MAX_ALIGNMENT),
        message_bytes,
        stream_ids: value(HURRAY_OPTION_MAX_STREAM_IDS),
        cross_machine: value(HURRAY_OPTION_CROSS_MACHINE) != 0,
        refuse_device_bytes: value(HURRAY_OPTION_REFUSE_DEVICE_BYTES) != 0,
        flat: value(HURRAY_OPTION_FLAT) != 0,
        read_ahead: value(HURRAY_OPTION_READ_AHEAD).min(STEP as u64) as usize,
    })
}

/// Makes a reader at the start of a stream. It tells a bare stream from a framed one by the first five bytes.
///
/// The reader does no I/O. A host that can read into memory asks `hurray_stream_reader_window` where the next bytes
/// belong, reads into it, and says how many came with `hurray_stream_reader_advance`; a host that owns the bytes gives
/// them to `hurray_stream_reader_feed`. Either way `hurray_stream_reader_next` gives each item once it is complete, and
/// `hurray_stream_reader_finish` says that no more bytes come. `hurray_stream_read_fd` does all of it for a file
/// descriptor.
///
/// Options: `PERMISSIVE`, `MAX_DESCRIPTOR_BYTES`, `MAX_BUFFER_BYTES`, `MAX_TOTAL_BYTES`, `MAX_COMPOSITE_DEPTH` (at most
/// 64 counts), `MAX_MEMBERS`, `MAX_ALIGNMENT`, `MAX_MESSAGE_BYTES` (at least 65536), `MAX_STREAM_IDS`, `CROSS_MACHINE`,
/// `REFUSE_DEVICE_BYTES`, `READ_AHEAD` (at most 1 MiB counts), `FLAT`. With `READ_AHEAD` 0 nothing past the current item
/// is asked for; with more, one window holds many small items. Memory never runs ahead of the bytes that arrived by more
/// than 1 MiB, whatever a descriptor declares.
///
/// With `FLAT` a composite is not kept until it is whole: its head comes as an item of kind `HURRAY_ITEM_DESCRIPTOR`, then
/// each member once it has arrived. Its rules are checked all the same.
///
/// With `PERMISSIVE` a tensor whose layout is unknown comes as an item of kind `HURRAY_ITEM_DESCRIPTOR`. In a framed stream
/// it has its bytes, and reading goes on. In a bare stream nobody knows where its bytes end, and inside a composite by
/// which rules it is a member: then it comes without them, after the members that arrived before it, and
/// `HURRAY_ERR_UNSUPPORTED` ends the reader.
///
/// *Ownership:* the handle is the caller's, ended by `hurray_stream_reader_destroy`; option values are copied.
/// *Errors:* `HURRAY_ERR_INVALID_ARGUMENT` (an option's value), `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`,
/// `HURRAY_ERR_OUT_OF_MEMORY`. *Threads:* any. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_stream_reader_new(
    options: *const HurrayOptions,
    out_reader: *mut *mut HurrayStreamReader,
) -> HurrayStatus {
    // SAFETY: the caller's by contract.
    unsafe { clear(out_reader) };
    if options.is_null() {
        // SAFETY: no subject; runs here.
        return unsafe { super::table::shim::stream_reader_new(options, out_reader) };
    }
    dispatch!(OPTIONS, options, stream_reader_new(options, out_reader))
}

pub(crate) unsafe fn new(
    options: *const HurrayOptions,
    out_reader: *mut *mut HurrayStreamReader,
) -> Result<(), Fault> {
    // SAFETY: options are NULL or this copy's own; the output is the caller's by contract.
    unsafe {
        wanted(out_reader, "out_reader")?;
        let reader = StreamReader {
            head: Head::new(mark::STREAM_READER, state::OWNED),
            busy: false,
            pending: None,
            reader: Reader::new(Door, limits(Options::of(options))?),
        };
        let reader = try_box(reader).map_err(|(_, fault)| fault)?;
        born();
        put(out_reader, Box::into_raw(reader).cast(), "out_reader")
    }
}

/// Where the next bytes of the stream belong: `*out_size` bytes at `*out_ptr`, zeroed, to `read` straight into. A
/// buffer's bytes go to their final, aligned place. `*out_size` is 0, and `*out_ptr` NULL, when no bytes are wanted: an
/// item or a peer's ERROR waits for `hurray_stream_reader_next`, or the input was finished.
///
/// *Ownership:* the memory is the reader's, borrowed until the next call on it.
/// *Errors:* those of `hurray_stream_reader_next`. *Threads:* one at a time. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_stream_reader_window(
    reader: *mut HurrayStreamReader,
    out_ptr: *mut *mut u8,
    out_size: *mut usize,
) -> HurrayStatus {
    dispatch!(STREAM_READER, reader, stream_reader_window(reader, out_ptr, out_size))
}

pub(crate) unsafe fn window(
    reader: *mut HurrayStreamReader,
    out_ptr: *mut *mut u8,
    out_size: *mut usize,
) -> Result<(), Fault> {
    // SAFETY: routed here; the outputs are the caller's by contract.
    unsafe {
        wanted(out_ptr, "out_ptr")?;
        wanted(out_size, "out_size")?;
        let (start, size) = with(reader, |reader| {
            let (start, size) = match reader.room(true).map_err(refused)? {
                Room::None => return Ok((null_mut(), 0)),
                Room::Staging(bytes) => return Ok((bytes.as_mut_ptr(), bytes.len())),
                Room::Region(region, left) => match region.room(left, true) {
                    Ok(window) => window,
                    Err(fault) => return Err(refused(reader.refuse(fault))),
                },
            };
            reader.limit_window(size);
            Ok((start, size))
        })?;
        put(out_ptr, start, "out_ptr")?;
        put(out_size, size, "out_size")
    }
}

/// Says that `n` bytes of the stream arrived at the start of the last window.
///
/// *Ownership:* none; the window is given back. *Errors:* `HURRAY_ERR_INVALID_ARGUMENT` (more than the window), those of
/// `hurray_stream_reader_next`. *Threads:* one at a time. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_stream_reader_advance(
    reader: *mut HurrayStreamReader,
    n: usize,
) -> HurrayStatus {
    dispatch!(STREAM_READER, reader, stream_reader_advance(reader, n))
}

pub(crate) unsafe fn advance(reader: *mut HurrayStreamReader, n: usize) -> Result<(), Fault> {
    // SAFETY: routed here.
    unsafe { with(reader, |reader| reader.advance(n).map_err(refused)) }
}

/// Gives the reader bytes of the stream. It takes them up to the end of an item, and past it as many as `READ_AHEAD`
/// allows; `*out_consumed` says how many. Take the item with `hurray_stream_reader_next`, then feed the rest.
///
/// *Ownership:* the bytes are copied. *Errors:* `HURRAY_ERR_INVALID_ARGUMENT` (after `hurray_stream_reader_finish`),
/// those of `hurray_stream_reader_next`. *Threads:* one at a time. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_stream_reader_feed(
    reader: *mut HurrayStreamReader,
    bytes: *const u8,
    len: usize,
    out_consumed: *mut usize,
) -> HurrayStatus {
    dispatch!(STREAM_READER, reader, stream_reader_feed(reader, bytes, len, out_consumed))
}

pub(crate) unsafe fn feed(
    reader: *mut HurrayStreamReader,
    bytes: *const u8,
    len: usize,
    out_consumed: *mut usize,
) -> Result<(), Fault> {
    // SAFETY: routed here; bytes and output are the caller's by contract.
    unsafe {
        wanted(out_consumed, "out_consumed")?;
        let bytes = slice(bytes, len, "bytes")?;
        let consumed = with(reader, |reader| reader.feed(bytes).map_err(refused))?;
        put(out_consumed, consumed, "out_consumed")
    }
}

/// The next item, if it has arrived whole: `HURRAY_OK` with an item, `HURRAY_NEED_MORE` when bytes are missing,
/// `HURRAY_END` when the input was finished and every item taken.
///
/// An error ends the reader: every later call gives it again. One case is milder: a peer's ERROR message
/// (`HURRAY_ERR_UNSUPPORTED`, its code and text in the error text) is told once, before anything that came after it is
/// used, however the bytes were cut; then bytes are still accepted, items of other stream ids are still given, and after
/// `hurray_stream_reader_finish` it comes again instead of `HURRAY_END`.
///
/// *Ownership:* the item is the caller's.
/// *Errors:* `HURRAY_ERR_INVALID_MAGIC`, `HURRAY_ERR_VERSION_MISMATCH`, `HURRAY_ERR_TRUNCATED`, `HURRAY_ERR_TORN`,
/// `HURRAY_ERR_CORRUPT`, `HURRAY_ERR_LIMIT_EXCEEDED`, `HURRAY_ERR_UNSUPPORTED` (a message or feature that is not served,
/// an ERROR of the peer), `HURRAY_ERR_INVALID_SYNC_MODE`, `HURRAY_ERR_INVALID_LAYOUT` (a rule of a composite), those of
/// `hurray_descriptor_decode`, `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`, `HURRAY_ERR_OUT_OF_MEMORY`. The
/// text gives the rule and the offset in the stream. *Threads:* one at a time. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_stream_reader_next(
    reader: *mut HurrayStreamReader,
    out_item: *mut *mut HurrayItem,
) -> HurrayStatus {
    // SAFETY: the caller's by contract.
    unsafe { clear(out_item) };
    dispatch!(STREAM_READER, reader, stream_reader_next(reader, out_item))
}

pub(crate) unsafe fn next(
    reader: *mut HurrayStreamReader,
    out_item: *mut *mut HurrayItem,
) -> Result<(), Fault> {
    // SAFETY: routed here; the output is the caller's by contract.
    unsafe {
        wanted(out_item, "out_item")?;
        with(reader, |reader| {
            if take(reader, out_item)? {
                return Ok(());
            }
            Err(no_item(reader))
        })
    }
}

/// Why there is no item: what a peer's ERROR said, where it was sent and at the end, or the end, or bytes that are missing.
pub(crate) fn no_item(reader: &mut Reader<Door>) -> Fault {
    let ended = reader.is_ended();
    let remote = reader.news().or_else(|| reader.remote().filter(|_| ended).cloned());
    remote.map_or_else(|| Fault::answer(if ended { Status::END } else { Status::NEED_MORE }), refused)
}

/// Hands the next complete item out, if there is one.
///
/// # Safety
/// `out_item` is a writable pointer.
pub(crate) unsafe fn take(reader: &mut Reader<Door>, out_item: *mut *mut HurrayItem) -> Result<bool, Fault> {
    if !reader.poll().map_err(refused)? {
        return Ok(false);
    }
    if let Some(item) = reader.first() {
        // SAFETY: as this function's own.
        unsafe { publish(item.clone(), out_item)? };
    }
    Ok(reader.take().is_some())
}

/// Says that no more bytes come. Items that have arrived whole can still be taken; then `hurray_stream_reader_next`
/// gives `HURRAY_END`, or the error of an input that ends inside something.
///
/// *Ownership:* none. *Errors:* `HURRAY_ERR_TRUNCATED` (inside a tensor or message), `HURRAY_ERR_TORN` (between the members
/// of a composite), those of `hurray_stream_reader_next`. *Threads:* one at a time. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_stream_reader_finish(reader: *mut HurrayStreamReader) -> HurrayStatus {
    dispatch!(STREAM_READER, reader, stream_reader_finish(reader))
}

pub(crate) unsafe fn finish(reader: *mut HurrayStreamReader) -> Result<(), Fault> {
    // SAFETY: routed here.
    unsafe { with(reader, |reader| reader.finish().map_err(refused)) }
}

/// The descriptor of the tensor whose bytes come next, once it has arrived; `HURRAY_NEED_MORE` before that, and while an
/// item waits to be taken. Ask before `hurray_stream_reader_next` to give memory for its buffers. All bytes of a tensor
/// whose layout is unknown (`PERMISSIVE`) are one buffer, aligned to 64; the descriptor does not say how many they are.
///
/// *Ownership:* borrowed; lives until the next call on the reader, and is never destroyed on its own.
/// *Errors:* those of `hurray_stream_reader_next`. *Threads:* one at a time. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_stream_reader_pending(
    reader: *mut HurrayStreamReader,
    out_descriptor: *mut *mut HurrayDescriptor,
) -> HurrayStatus {
    // SAFETY: the caller's by contract.
    unsafe { clear(out_descriptor) };
    dispatch!(STREAM_READER, reader, stream_reader_pending(reader, out_descriptor))
}

pub(crate) unsafe fn pending(
    reader: *mut HurrayStreamReader,
    out_descriptor: *mut *mut HurrayDescriptor,
) -> Result<(), Fault> {
    // SAFETY: routed here; the output is the caller's by contract.
    unsafe {
        wanted(out_descriptor, "out_descriptor")?;
        let Some(descriptor) = with(reader, |reader| reader.pending().map_err(refused))? else {
            return Err(Fault::answer(Status::NEED_MORE));
        };
        let this = &mut *reader.cast::<StreamReader>();
        let handle = this.pending.insert(DescriptorHandle::new(descriptor, state::BORROWED));
        put(out_descriptor, (&raw mut *handle).cast(), "out_descriptor")
    }
}

/// Gives the caller's memory for buffer `index` of the tensor that `hurray_stream_reader_pending` describes: at least as
/// long as declared there, aligned as declared, writable by the host. The tensor's buffer is then a share of it.
///
/// *Ownership:* the buffer stays the caller's; the reader, then the tensor, keeps a share.
/// *Errors:* `HURRAY_ERR_BUFFER_MISMATCH` (too short, misaligned, not writable), `HURRAY_ERR_INDEX_OUT_OF_BOUNDS`,
/// `HURRAY_ERR_INVALID_ARGUMENT` (no tensor is arriving, or bytes of this buffer have arrived), `HURRAY_ERR_INVALID_HANDLE`,
/// `HURRAY_ERR_NULL_POINTER`, `HURRAY_ERR_OUT_OF_MEMORY`; they do not end the reader. *Threads:* one at a time. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_stream_reader_provide_buffer(
    reader: *mut HurrayStreamReader,
    index: u64,
    buffer: *const HurrayBuffer,
) -> HurrayStatus {
    dispatch!(STREAM_READER, reader, stream_reader_provide_buffer(reader, index, buffer))
}

pub(crate) unsafe fn provide_buffer(
    reader: *mut HurrayStreamReader,
    index: u64,
    buffer: *const HurrayBuffer,
) -> Result<(), Fault> {
    // SAFETY: routed here; the buffer is NULL or a handle by contract.
    unsafe {
        match route(buffer.cast(), mark::BUFFER)? {
            Route::Home => {
                let given = Buffer::of(buffer);
                with(reader, |reader| {
                    reader.provide(index, |entry| Arrival::given(entry, given)).map_err(refused)
                })
            }
            Route::Away(table) => {
                let own = bring_in(buffer, table)?;
                with(reader, |reader| {
                    reader.provide(index, |entry| Arrival::given(entry, &own)).map_err(refused)
                })
            }
        }
    }
}

/// A buffer of this copy over a share of another copy's.
///
/// # Safety
/// `buffer` is usable and belongs to `table`, a table of this build version.
unsafe fn bring_in(buffer: *const HurrayBuffer, table: *const Table) -> Result<Shared<Buffer>, Fault> {
    let mut share: *mut HurrayBuffer = null_mut();
    call!(table, buffer_share(buffer, &raw mut share))?;
    // SAFETY: a fresh, owned handle of that copy, which nobody else ends.
    let foreign = unsafe { Foreign::take(share.cast(), table) }.inspect_err(|_| {
        // SAFETY: as above; `destroy` is at a fixed place in every table.
        unsafe { ((*table).destroy)((&raw mut share).cast()) };
    })?;
    foreign.commit();
    // SAFETY: as this function's own.
    let of = unsafe { attributes(buffer, table)? };
    let own = Buffer::new(of, state::BORROWED, Keep::Foreign(foreign));
    Shared::try_new(own).map_err(|(_, fault)| fault)
}

/// The stream id that the last item came on; 0 in a bare stream.
///
/// *Ownership:* none. *Errors:* `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
/// *Threads:* one at a time. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_stream_reader_stream_id(
    reader: *const HurrayStreamReader,
    out_stream_id: *mut u32,
) -> HurrayStatus {
    dispatch!(STREAM_READER, reader, stream_reader_stream_id(reader, out_stream_id))
}

pub(crate) unsafe fn stream_id(
    reader: *const HurrayStreamReader,
    out_stream_id: *mut u32,
) -> Result<(), Fault> {
    // SAFETY: routed here; the output is the caller's by contract.
    unsafe { put(out_stream_id, (*reader.cast::<StreamReader>()).reader.stream_id(), "out_stream_id") }
}

/// Bytes that were read ahead and belong to no item that is complete: what a host that stops here hands on to whoever
/// reads the source next. Always none with `READ_AHEAD` 0 after an item.
///
/// *Ownership:* the bytes are the reader's, borrowed until the next call on it.
/// *Errors:* `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`. *Threads:* one at a time. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_stream_reader_unread(
    reader: *const HurrayStreamReader,
    out_ptr: *mut *const u8,
    out_size: *mut usize,
) -> HurrayStatus {
    dispatch!(STREAM_READER, reader, stream_reader_unread(reader, out_ptr, out_size))
}

pub(crate) unsafe fn unread(
    reader: *const HurrayStreamReader,
    out_ptr: *mut *const u8,
    out_size: *mut usize,
) -> Result<(), Fault> {
    // SAFETY: routed here; the outputs are the caller's by contract.
    unsafe {
        wanted(out_ptr, "out_ptr")?;
        wanted(out_size, "out_size")?;
        let bytes = (*reader.cast::<StreamReader>()).reader.unread();
        put(out_ptr, bytes.as_ptr(), "out_ptr")?;
        put(out_size, bytes.len(), "out_size")
    }
}

/// The messages that a framed stream owes its peer: a PONG for each PING, and the ERROR for what broke the stream. Given
/// once; whether to send them is the caller's choice. Of a peer that sends PINGs and takes no answer, the first 64 KiB
/// of answers are kept.
///
/// *Ownership:* written into the caller's array; `*out_len` is its room, then the true length, in bytes.
/// *Errors:* `HURRAY_ERR_BUFFER_TOO_SMALL`, `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`; also works on a reader
/// that an error ended. *Threads:* one at a time. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_stream_reader_reply(
    reader: *mut HurrayStreamReader,
    out_bytes: *mut u8,
    out_len: *mut usize,
) -> HurrayStatus {
    dispatch!(STREAM_READER, reader, stream_reader_reply(reader, out_bytes, out_len))
}

pub(crate) unsafe fn reply(
    reader: *mut HurrayStreamReader,
    out_bytes: *mut u8,
    out_len: *mut usize,
) -> Result<(), Fault> {
    // SAFETY: routed here; the outputs are the caller's by contract.
    unsafe {
        with(reader, |reader| {
            let replies = reader.replies();
            put_array(out_bytes, out_len, replies.len(), |to| to.extend(replies.iter().copied()))?;
            reader.clear_replies();
            Ok(())
        })
    }
}

/// Ends a reader and writes NULL through the pointer. NULL, or a pointer to NULL, does nothing. Items that were taken
/// live on.
///
/// *Ownership:* ends the handle, its windows and what has arrived of an item. *Errors:* `HURRAY_ERR_INVALID_HANDLE`.
/// *Threads:* any. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_stream_reader_destroy(reader: *mut *mut HurrayStreamReader) -> HurrayStatus {
    // SAFETY: the caller's by contract.
    unsafe { destroy(reader, mark::STREAM_READER) }
}
