//! Stream writers: the bytes of items, as a gather list that the caller sends.

use super::guard::{clear, panicked, put as put_value, wanted};
use super::handles::{HurrayItem, HurrayOptions, HurraySlice, HurrayStatus, HurrayStreamWriter};
use super::item::{ItemCore, home, lonely};
use super::live::{born, destroy};
use super::options::*;
use super::prefix::{Head, mark, null, state};
use super::shared::{Shared, try_box};
use super::stream_reader::refused;
use super::tensor::Core;
use crate::format::{Descriptor, Fault, Status};
use crate::io::file::{Bytes, Content, Storing, encode, store};
use crate::io::stream::{Form, Put, Source, Writer};
use smallvec::SmallVec;

/// Bare: a descriptor, its buffers' bytes, the next descriptor. What everything published writes.
pub const HURRAY_STREAM_BARE: u32 = 1;
/// Framed: messages with a stream id and a length, for a network transport.
pub const HURRAY_STREAM_FRAMED: u32 = 2;

/// Bytes that wait to be written.
#[derive(Clone)]
pub(crate) enum Held {
    /// A part of a tensor's buffer.
    Tensor { _keep: Shared<Core>, data: *const u8, len: usize },
    /// Elements that were gathered.
    Own(Shared<Vec<u8>>),
}

impl Source for Held {
    fn bytes(&self) -> &[u8] {
        match self {
            // SAFETY: readable memory of a tensor that is held here; its producer does not change it (buffers.md O-11).
            Held::Tensor { data, len, .. } => unsafe { std::slice::from_raw_parts(*data, *len) },
            Held::Own(bytes) => bytes,
        }
    }
}

/// What a `HurrayStreamWriter` points at.
#[repr(C)]
pub(crate) struct StreamWriter {
    head: Head,
    /// Set while a call runs; a call that finds it set knows that an earlier one panicked.
    busy: bool,
    storing: Storing,
    cross_machine: bool,
    /// What forbids that the waiting bytes leave this machine.
    pub(crate) events: Option<Fault>,
    writer: Writer<Held>,
}

/// Runs one call on a writer.
///
/// # Safety
/// `writer` is a live handle of this copy, used by one thread at a time.
pub(crate) unsafe fn with<R>(
    writer: *mut HurrayStreamWriter,
    body: impl FnOnce(&mut StreamWriter) -> Result<R, Fault>,
) -> Result<R, Fault> {
    // SAFETY: as this function's own.
    let this = unsafe { &mut *writer.cast::<StreamWriter>() };
    this.head.writable()?;
    if this.busy {
        return Err(panicked());
    }
    this.busy = true;
    let result = body(this);
    this.busy = false;
    result
}

impl StreamWriter {
    /// The bytes' way out, unless an error ended it.
    pub(crate) fn usable(&mut self) -> Result<&mut Writer<Held>, Fault> {
        match self.writer.failure() {
            Some(failure) => Err(refused(failure.clone())),
            None => Ok(&mut self.writer),
        }
    }
}

/// Makes a writer at the start of a stream of `form` `HURRAY_STREAM_BARE` or `HURRAY_STREAM_FRAMED`.
///
/// `stream_id` (not 0) and `max_message_size` (the longest payload that the peer takes, in bytes, at least 65536; 0 is
/// the default of 16 MiB + 16) are those of a framed stream; a bare one has neither and ignores them.
///
/// The writer does no I/O: `hurray_stream_writer_put` takes items, `hurray_stream_writer_chunks` says which bytes come
/// next, `hurray_stream_writer_advance` that they went out. `hurray_stream_write_fd` does the latter two for a file
/// descriptor. Nothing is written at the end of a stream.
///
/// Options: `COMPACT`, `PARTIAL_BLOCKS`, `CROSS_MACHINE` (always on in a framed stream).
///
/// *Ownership:* the handle is the caller's, ended by `hurray_stream_writer_destroy`; option values are copied.
/// *Errors:* `HURRAY_ERR_INVALID_ARGUMENT`, `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`,
/// `HURRAY_ERR_OUT_OF_MEMORY`. *Threads:* any. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_stream_writer_new(
    form: u32,
    stream_id: u32,
    max_message_size: u64,
    options: *const HurrayOptions,
    out_writer: *mut *mut HurrayStreamWriter,
) -> HurrayStatus {
    // SAFETY: the caller's by contract.
    unsafe { clear(out_writer) };
    if options.is_null() {
        // SAFETY: no subject; runs here.
        return unsafe {
            super::table::shim::stream_writer_new(form, stream_id, max_message_size, options, out_writer)
        };
    }
    dispatch!(OPTIONS, options, stream_writer_new(form, stream_id, max_message_size, options, out_writer))
}

pub(crate) unsafe fn new(
    form: u32,
    stream_id: u32,
    max_message_size: u64,
    options: *const HurrayOptions,
    out_writer: *mut *mut HurrayStreamWriter,
) -> Result<(), Fault> {
    // SAFETY: options are NULL or this copy's own; the output is the caller's by contract.
    let options = unsafe {
        wanted(out_writer, "out_writer")?;
        Options::of(options)
    };
    let form = match form {
        HURRAY_STREAM_BARE => Form::Bare,
        HURRAY_STREAM_FRAMED => Form::framed(stream_id, max_message_size)?,
        _ => {
            return Err(Fault::new(Status::INVALID_ARGUMENT, "", "no such form of a stream")
                .field("form")
                .value(form));
        }
    };
    let writer = StreamWriter {
        head: Head::new(mark::STREAM_WRITER, state::OWNED),
        busy: false,
        storing: Storing {
            compact: value_of(options, HURRAY_OPTION_COMPACT) != 0,
            partial_blocks: value_of(options, HURRAY_OPTION_PARTIAL_BLOCKS) != 0,
        },
        cross_machine: value_of(options, HURRAY_OPTION_CROSS_MACHINE) != 0 || !matches!(form, Form::Bare),
        events: None,
        writer: Writer::new(form),
    };
    let writer = try_box(writer).map_err(|(_, fault)| fault)?;
    born();
    // SAFETY: as above.
    unsafe { put_value(out_writer, Box::into_raw(writer).cast(), "out_writer") }
}

/// Appends an item to what waits to be written. Everything is validated first: on failure nothing of the item is
/// written, and the writer stays in that error.
///
/// Buffers above 4096 bytes are sent from where they are; smaller ones are copied beside their descriptors, so that one
/// gather list, and one system call, holds many small tensors. A buffer's lead is left out. What a file's writer refuses
/// of a tensor is refused here too: see `hurray_file_writer_put`.
///
/// *Ownership:* the item stays the caller's; shares of its tensors are kept until their bytes are written.
/// *Errors:* `HURRAY_ERR_UNSUPPORTED` (memory that the host cannot read, an unknown buffer table, partial blocks),
/// `HURRAY_ERR_INVALID_SYNC_MODE`, `HURRAY_ERR_LIMIT_EXCEEDED` (a descriptor longer than the peer's messages),
/// `HURRAY_ERR_BUFFER_MISMATCH` (a tensor that needs its lead), `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`,
/// `HURRAY_ERR_VERSION_MISMATCH`, `HURRAY_ERR_OUT_OF_MEMORY`. *Threads:* one at a time. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_stream_writer_put(
    writer: *mut HurrayStreamWriter,
    item: *const HurrayItem,
) -> HurrayStatus {
    dispatch!(STREAM_WRITER, writer, stream_writer_put(writer, item))
}

pub(crate) unsafe fn put(writer: *mut HurrayStreamWriter, item: *const HurrayItem) -> Result<(), Fault> {
    // SAFETY: NULL or a handle by contract.
    let item = unsafe { home(item)? };
    // SAFETY: routed here.
    unsafe {
        with(writer, |this| {
            let (storing, cross_machine) = (this.storing, this.cross_machine);
            if this.writer.left() == 0 {
                this.events = None;
            }
            let mut events = this.events;
            let fill = |put: &mut Put<'_, Held>| {
                append(&item, put, storing, &mut |descriptor| match check_sync(descriptor) {
                    Err(fault) if cross_machine => Err(fault),
                    checked => {
                        events = events.or(checked.err());
                        Ok(())
                    }
                })
            };
            this.writer.put(fill).map_err(refused)?;
            this.events = events;
            Ok(())
        })
    }
}

/// Appends an item, a head before its members.
fn append(
    item: &ItemCore,
    put: &mut Put<'_, Held>,
    storing: Storing,
    check: &mut impl FnMut(&Descriptor) -> Result<(), Fault>,
) -> Result<(), Fault> {
    match item {
        ItemCore::Tensor(core, _) => {
            check(core.descriptor())?;
            append_tensor(core, put, storing)
        }
        ItemCore::Composite(group) => {
            put.tensor(&encode(group.head())?, &[])?;
            group.members().try_for_each(|member| append(member, put, storing, check))
        }
        ItemCore::Alone(_) => Err(lonely()),
    }
}

fn append_tensor(core: &Shared<Core>, put: &mut Put<'_, Held>, storing: Storing) -> Result<(), Fault> {
    let descriptor = core.descriptor();
    let mut buffers = SmallVec::new();
    buffers.try_reserve(descriptor.buffers.len()).map_err(|_| Fault::out_of_memory())?;
    for (index, (entry, buffer)) in descriptor.buffers.iter().zip(core.buffers()).enumerate() {
        if entry.byte_size > 0 && !buffer.is_host_readable() {
            return Err(Fault::new(Status::UNSUPPORTED, "", "memory that the host cannot read")
                .field("buffers.device_tag")
                .index(index)
                .value(buffer.device_tag));
        }
        let lead = u64::from(buffer.attributes().lead).min(entry.byte_size);
        let size = usize::try_from(entry.byte_size - lead).unwrap_or(usize::MAX);
        let bytes: &[u8] = if size == 0 {
            &[]
        } else {
            // SAFETY: the buffer is at least as long as its entry says, readable by the host, and held by `core`.
            unsafe { std::slice::from_raw_parts(buffer.data.cast::<u8>().add(lead as usize), size) }
        };
        buffers.push(Bytes { bytes, lead: lead as u32 });
    }
    let stored = store(descriptor, &buffers, storing)?;
    let mut held: SmallVec<[Held; 4]> = SmallVec::new();
    held.try_reserve(stored.contents.len()).map_err(|_| Fault::out_of_memory())?;
    for content in &stored.contents {
        held.push(match content {
            Content::Whole(bytes) => {
                Held::Tensor { _keep: core.clone(), data: bytes.as_ptr(), len: bytes.len() }
            }
            Content::Packed(packed) => {
                let mut own = Vec::new();
                let size = usize::try_from(content.size()).map_err(|_| Fault::out_of_memory())?;
                own.try_reserve_exact(size).map_err(|_| Fault::out_of_memory())?;
                packed.runs(|run| {
                    own.extend_from_slice(run);
                    Ok(())
                })?;
                Held::Own(Shared::try_new(own).map_err(|(_, fault)| fault)?)
            }
        });
    }
    put.tensor(&stored.descriptor, &held)
}

/// S-008 and S-109, on the sender's side.
fn check_sync(descriptor: &Descriptor) -> Result<(), Fault> {
    match descriptor.buffers.iter().position(|entry| entry.sync_mode != 0) {
        None => Ok(()),
        Some(index) => {
            Err(Fault::new(Status::INVALID_SYNC_MODE, "B-010", "a sync mode that may not cross machines")
                .field("buffers.sync_mode")
                .index(index))
        }
    }
}

/// The bytes that come next, as pieces for `writev` or `sendmsg`: the first `*out_count` of them are written to
/// `out_slices`, and `*out_count` becomes their true number. It may be more than there was room for; the rest comes
/// after `hurray_stream_writer_advance`. 0 pieces: everything is written.
///
/// *Ownership:* the bytes are the writer's or its items', borrowed until the next `hurray_stream_writer_put` or
/// `hurray_stream_writer_advance`, and until the end of the writer.
/// *Errors:* the error that ended the writer, `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
/// *Threads:* one at a time. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_stream_writer_chunks(
    writer: *const HurrayStreamWriter,
    out_slices: *mut HurraySlice,
    out_count: *mut usize,
) -> HurrayStatus {
    dispatch!(STREAM_WRITER, writer, stream_writer_chunks(writer, out_slices, out_count))
}

pub(crate) unsafe fn chunks(
    writer: *const HurrayStreamWriter,
    out_slices: *mut HurraySlice,
    out_count: *mut usize,
) -> Result<(), Fault> {
    // SAFETY: routed here; the outputs are the caller's by contract.
    unsafe {
        wanted(out_count, "out_count")?;
        let room = out_count.read_unaligned();
        if room > 0 && out_slices.is_null() {
            return Err(null("out_slices"));
        }
        with(writer.cast_mut(), |this| {
            let writer = this.usable()?;
            for (index, bytes) in writer.chunks().take(room).enumerate() {
                out_slices.add(index).write_unaligned(HurraySlice { data: bytes.as_ptr(), len: bytes.len() });
            }
            put_value(out_count, writer.chunk_count(), "out_count")
        })
    }
}

/// Says that the next `n` bytes of the gather list were written.
///
/// *Ownership:* ends the pieces that `hurray_stream_writer_chunks` gave, and the shares of what is written.
/// *Errors:* `HURRAY_ERR_INVALID_ARGUMENT` (more than waits), the error that ended the writer,
/// `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`. *Threads:* one at a time. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_stream_writer_advance(
    writer: *mut HurrayStreamWriter,
    n: usize,
) -> HurrayStatus {
    dispatch!(STREAM_WRITER, writer, stream_writer_advance(writer, n))
}

pub(crate) unsafe fn advance(writer: *mut HurrayStreamWriter, n: usize) -> Result<(), Fault> {
    // SAFETY: routed here.
    unsafe { with(writer, |this| this.usable()?.advance(n as u64)) }
}

/// Ends a writer and writes NULL through the pointer. NULL, or a pointer to NULL, does nothing. What was put and not
/// written is lost.
///
/// *Ownership:* ends the handle, its pieces, and the shares that it kept. *Errors:* `HURRAY_ERR_INVALID_HANDLE`.
/// *Threads:* any. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_stream_writer_destroy(writer: *mut *mut HurrayStreamWriter) -> HurrayStatus {
    // SAFETY: the caller's by contract.
    unsafe { destroy(writer, mark::STREAM_WRITER) }
}
