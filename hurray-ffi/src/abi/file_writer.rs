//! File writers.

use super::buffer::{Buffer, Keep, publish as publish_buffer};
use super::file_reader::own_options;
use super::file_target::{Memory, Target, Watched, WriteCallback};
use super::foreign::Attributes;
use super::guard::{clear, out_of_memory, panicked, put, slice, wanted};
use super::handles::{
    HurrayBuffer, HurrayFileWriter, HurrayItem, HurrayOptions, HurrayOwnerReleaseFn, HurrayStatus,
    HurrayWriteFn,
};
use super::item::{ItemCore, home, lonely};
use super::live::{born, destroy};
use super::options::*;
use super::prefix::{Head, mark, null, state};
use super::shared::{Shared, try_box};
use super::tensor::Core;
use crate::format::{Fault, Status};
use crate::io::file::{Bytes, KvMode, Part, Plan, Storing, Writer};
use crate::io::os::Replacement;
use std::ffi::{c_char, c_void};
use std::io::Write as _;

/// What a `HurrayFileWriter` points at.
#[repr(C)]
pub(crate) struct FileWriter {
    head: Head,
    /// Set while a call runs; a call that finds it set knows that an earlier one panicked.
    busy: bool,
    /// The process that made it: no other may touch the file.
    process: u32,
    pub(super) file: Draft,
}

/// A file being written.
pub(crate) struct Draft {
    pub(super) writer: Writer,
    /// None once a path was finished or given up.
    target: Option<Target>,
    progress: Option<Shared<Progress>>,
    finished: bool,
    /// What went wrong, for every later call.
    failed: Option<Fault>,
}

impl Drop for FileWriter {
    fn drop(&mut self) {
        if self.process != std::process::id()
            && let Some(Target::Path(file)) = self.file.target.take()
        {
            file.forget();
        }
    }
}

/// Runs one call on a writer; its failure is that of every later call.
///
/// # Safety
/// `writer` is a live handle of this copy, used by one thread at a time.
pub(super) unsafe fn with(
    writer: *mut HurrayFileWriter,
    body: impl FnOnce(&mut Draft) -> Result<(), Fault>,
) -> Result<(), Fault> {
    // SAFETY: as this function's own.
    let writer = unsafe { &mut *writer.cast::<FileWriter>() };
    if writer.process != std::process::id() {
        return Err(Fault::new(Status::UNSUPPORTED, "", "a file is written by the process that started it"));
    }
    if writer.busy {
        return Err(panicked());
    }
    if let Some(fault) = writer.file.failed {
        return Err(fault);
    }
    if writer.file.finished {
        return Err(Fault::new(Status::INVALID_ARGUMENT, "", "the file is finished"));
    }
    writer.busy = true;
    let result = body(&mut writer.file);
    if let Err(fault) = result {
        writer.file.failed = Some(fault);
        // Nothing is left of a file that will never be complete. A callback is released when the writer ends.
        writer.file.target.take_if(|target| matches!(target, Target::Path(_)));
    }
    writer.busy = false;
    result
}

impl Draft {
    fn put(&mut self, name: &[u8], item: &ItemCore) -> Result<(), Fault> {
        let mut names = Vec::new();
        let mut parts = Vec::new();
        flatten(name, item, &mut names, &mut parts)?;
        self.write(|writer, sink| writer.put(&names, &parts, sink))
    }

    fn write(
        &mut self,
        body: impl FnOnce(&mut Writer, &mut Watched<'_>) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let Some(target) = &mut self.target else { return Err(panicked()) };
        body(&mut self.writer, &mut Watched { target, progress: self.progress.as_deref() })
    }

    fn finish(&mut self) -> Result<(), Fault> {
        self.write(|writer, sink| writer.finish(sink))?;
        if let Some(Target::Path(file)) = self.target.take_if(|target| matches!(target, Target::Path(_))) {
            file.commit()?;
        }
        self.finished = true;
        Ok(())
    }
}

/// Lists a tensor, or a head and everything it binds, with the names they get: `x`, `x.0`, `x.0.1`.
fn flatten<'a>(
    name: &[u8],
    item: &'a ItemCore,
    names: &mut Vec<u8>,
    parts: &mut Vec<Part<'a>>,
) -> Result<(), Fault> {
    let room = |_| out_of_memory(name.len() as u64);
    let start = names.len();
    names.try_reserve(name.len()).map_err(room)?;
    names.extend_from_slice(name);
    let name_range = start..names.len();
    parts.try_reserve(1).map_err(room)?;
    match item {
        ItemCore::Tensor(core, _) => {
            let buffers = buffers_of(core)?;
            parts.push(Part { name: name_range, descriptor: core.descriptor(), buffers });
        }
        ItemCore::Composite(group) => {
            parts.push(Part { name: name_range, descriptor: group.head(), buffers: Default::default() });
            let mut member_name = Vec::new();
            member_name.try_reserve(name.len() + 24).map_err(room)?;
            for (index, member) in group.members().enumerate() {
                member_name.clear();
                member_name.extend_from_slice(name);
                // A write to a vector with room does not fail.
                let _ = write!(member_name, ".{index}");
                flatten(&member_name, member, names, parts)?;
            }
        }
        ItemCore::Alone(_) => return Err(lonely()),
    }
    Ok(())
}

/// The owner's bytes of each buffer.
fn buffers_of(core: &Core) -> Result<crate::io::file::Buffers<'_>, Fault> {
    let mut buffers = crate::io::file::Buffers::new();
    let entries = core.descriptor().buffers.iter().zip(core.buffers());
    buffers.try_reserve(entries.len()).map_err(|_| out_of_memory(entries.len() as u64 * 24))?;
    for (index, (entry, buffer)) in entries.enumerate() {
        let size = entry.byte_size;
        if size > 0 && !buffer.is_host_readable() {
            return Err(Fault::new(
                Status::UNSUPPORTED,
                "",
                "memory that the host may not read cannot be written",
            )
            .field("buffers.device_tag")
            .index(index)
            .value(buffer.device_tag));
        }
        let lead = u64::from(buffer.attributes().lead).min(size);
        let bytes = if size == lead {
            &[]
        } else {
            let len = usize::try_from(size - lead).map_err(|_| out_of_memory(size))?;
            // SAFETY: a tensor's buffer has at least the declared bytes, of which those after the lead are its owner's,
            // and the item keeps them for the time of the call.
            unsafe { std::slice::from_raw_parts(buffer.data.cast::<u8>().add(lead as usize), len) }
        };
        buffers.push(Bytes { bytes, lead: lead as u32 });
    }
    Ok(buffers)
}

fn plan(options: Option<&Options>) -> Plan {
    let value = |option| Options::value(options, option);
    Plan {
        alignment: u32::try_from(value(HURRAY_OPTION_DATA_ALIGNMENT)).unwrap_or(4096),
        sorted_index: value(HURRAY_OPTION_SORTED_INDEX) != 0,
        index_crc: value(HURRAY_OPTION_INDEX_CRC) != 0,
        kv: match value(HURRAY_OPTION_KV_MODE) {
            0 => KvMode::IfSet,
            1 => KvMode::Present,
            2 => KvMode::Absent,
            _ => KvMode::Unflagged,
        },
        storing: Storing {
            compact: value(HURRAY_OPTION_COMPACT) != 0,
            partial_blocks: value(HURRAY_OPTION_PARTIAL_BLOCKS) != 0,
        },
        max_descriptor: value(HURRAY_OPTION_MAX_DESCRIPTOR_BYTES),
        max_index: value(HURRAY_OPTION_MAX_INDEX_BYTES),
        max_kv: value(HURRAY_OPTION_MAX_KV_BYTES),
    }
}

/// Hands a writer out as an owned handle. The target comes back if that fails.
///
/// # Safety
/// `out` is a writable pointer.
unsafe fn publish(
    target: Target,
    options: Option<&Options>,
    out: *mut *mut HurrayFileWriter,
) -> Result<(), (Option<Target>, Fault)> {
    if let Some(options) = options {
        options.begin(0);
    }
    let file = Draft {
        writer: Writer::new(plan(options)),
        target: Some(target),
        progress: options.map(|options| options.progress().clone()),
        finished: false,
        failed: None,
    };
    let head = Head::new(mark::FILE_WRITER, state::OWNED);
    let writer = try_box(FileWriter { head, busy: false, process: std::process::id(), file });
    let writer = writer.map_err(|(mut writer, fault)| (writer.file.target.take(), fault))?;
    born();
    // SAFETY: as this function's own.
    unsafe { out.write_unaligned(Box::into_raw(writer).cast()) };
    Ok(())
}

/// Starts a file that takes its name when it is finished. Its bytes go to a new file beside the target (named
/// `.hurray-` and 16 hexadecimal digits and `.tmp`), which is synced, renamed over the target, and its folder synced;
/// `DURABLE` 0 leaves out the syncs, never the rename. Until then, and when the writer ends early or the process dies,
/// an old file stays as it is; the tensors of a file that is mapped may be saved over it. Symbolic links are followed,
/// and an old file's mode is kept. A device or pipe is written to directly.
///
/// *Ownership:* the handle is the caller's; the path (bytes of the system, without NUL) is not kept.
/// *Errors:* `HURRAY_ERR_IO` with the system's error number, `HURRAY_ERR_INVALID_ARGUMENT` (the path),
/// `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`, `HURRAY_ERR_OUT_OF_MEMORY`. *Threads:* any. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_file_writer_create(
    path: *const c_char,
    path_len: usize,
    options: *const HurrayOptions,
    out_writer: *mut *mut HurrayFileWriter,
) -> HurrayStatus {
    // SAFETY: the caller's by contract.
    unsafe { clear(out_writer) };
    dispatch_options!(options, file_writer_create(path, path_len, options, out_writer))
}

pub(crate) unsafe fn create(
    path: *const c_char,
    path_len: usize,
    options: *const HurrayOptions,
    out_writer: *mut *mut HurrayFileWriter,
) -> Result<(), Fault> {
    // SAFETY: the caller's by contract.
    unsafe {
        wanted(out_writer, "out_writer")?;
        let path = slice(path.cast::<u8>(), path_len, "path")?;
        let options = own_options(options)?;
        let durable = Options::value(options, HURRAY_OPTION_DURABLE) != 0;
        let target = Target::Path(Replacement::create(path, durable)?);
        publish(target, options, out_writer).map_err(|(_, fault)| fault)
    }
}

/// Starts a file whose bytes go to the host, front to back.
///
/// *Ownership:* the handle is the caller's. `release(context)` runs once, when the writer ends; NULL releases nothing. On
/// failure nothing is kept and `release` is not called. *Errors:* `HURRAY_ERR_INVALID_HANDLE`,
/// `HURRAY_ERR_NULL_POINTER`, `HURRAY_ERR_OUT_OF_MEMORY`. *Threads:* any. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_file_writer_to_callback(
    write: HurrayWriteFn,
    context: *mut c_void,
    release: HurrayOwnerReleaseFn,
    options: *const HurrayOptions,
    out_writer: *mut *mut HurrayFileWriter,
) -> HurrayStatus {
    // SAFETY: the caller's by contract.
    unsafe { clear(out_writer) };
    dispatch_options!(options, file_writer_to_callback(write, context, release, options, out_writer))
}

pub(crate) unsafe fn to_callback(
    write: HurrayWriteFn,
    context: *mut c_void,
    release: HurrayOwnerReleaseFn,
    options: *const HurrayOptions,
    out_writer: *mut *mut HurrayFileWriter,
) -> Result<(), Fault> {
    // SAFETY: the caller's by contract.
    unsafe {
        wanted(out_writer, "out_writer")?;
        let write = write.ok_or_else(|| null("write"))?;
        let options = own_options(options)?;
        let target = Target::Callback(WriteCallback::new(write, context, release));
        publish(target, options, out_writer).map_err(|(target, fault)| {
            if let Some(Target::Callback(callback)) = target {
                callback.disarm();
            }
            fault
        })
    }
}

/// Starts a file in memory, for `hurray_file_writer_take_buffer`.
///
/// *Ownership:* the handle is the caller's. *Errors:* `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`,
/// `HURRAY_ERR_OUT_OF_MEMORY`. *Threads:* any. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_file_writer_to_memory(
    options: *const HurrayOptions,
    out_writer: *mut *mut HurrayFileWriter,
) -> HurrayStatus {
    // SAFETY: the caller's by contract.
    unsafe { clear(out_writer) };
    dispatch_options!(options, file_writer_to_memory(options, out_writer))
}

pub(crate) unsafe fn to_memory(
    options: *const HurrayOptions,
    out_writer: *mut *mut HurrayFileWriter,
) -> Result<(), Fault> {
    // SAFETY: the caller's by contract.
    unsafe {
        wanted(out_writer, "out_writer")?;
        let target = Target::Memory(Memory::default());
        publish(target, own_options(options)?, out_writer).map_err(|(_, fault)| fault)
    }
}

/// Writes an item under a name; the members of a composite `x` are named `x.0`, `x.1`, ... Everything of the item is
/// checked before its first byte goes out, and bytes go straight from the tensors' buffers. When the call returns, all
/// were handed to the system, the callback or memory.
///
/// A buffer's lead is left out and the offset rebased. Without `COMPACT` everything else is written as it is; with it, a
/// dense tensor keeps the range that its elements reach, and a strided tensor with gaps is packed in row-major order.
/// The first item raises the file's data alignment to that of its buffers, up to 2 MiB.
///
/// `PARTIAL_BLOCKS` 1 writes quantized tensors with a last block that is not full, on an axis that is not the slowest in
/// memory. Readers may place their data differently, so they are refused without it.
///
/// *Ownership:* none taken; name (UTF-8, 1 to 65535 bytes) and item are not kept.
/// *Errors:* `HURRAY_ERR_DUPLICATE` (a name), `HURRAY_ERR_INVALID_ARGUMENT` (name), `HURRAY_ERR_LIMIT_EXCEEDED` (name, index,
/// descriptor), `HURRAY_ERR_UNSUPPORTED` (memory that the host may not read, partial blocks; or another process than
/// the one that made the writer), `HURRAY_ERR_INVALID_SYNC_MODE` (not producer-synced), `HURRAY_ERR_BUFFER_MISMATCH` (elements in the lead),
/// `HURRAY_ERR_IO`, `HURRAY_ERR_CANCELLED`, `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`,
/// `HURRAY_ERR_VERSION_MISMATCH`, `HURRAY_ERR_OUT_OF_MEMORY`. A writer that failed fails alike ever after.
/// *Threads:* one at a time. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_file_writer_put(
    writer: *mut HurrayFileWriter,
    name: *const c_char,
    name_len: usize,
    item: *const HurrayItem,
) -> HurrayStatus {
    dispatch!(FILE_WRITER, writer, file_writer_put(writer, name, name_len, item))
}

pub(crate) unsafe fn put_item(
    writer: *mut HurrayFileWriter,
    name: *const c_char,
    name_len: usize,
    item: *const HurrayItem,
) -> Result<(), Fault> {
    // SAFETY: routed here; the rest is the caller's by contract.
    unsafe {
        with(writer, |file| {
            let name = slice(name.cast::<u8>(), name_len, "name")?;
            file.put(name, &*home(item)?)
        })
    }
}

/// Writes what comes after the last tensor. A file with a path then takes its name.
///
/// *Ownership:* none taken; the writer is still to be destroyed. *Errors:* `HURRAY_ERR_IO`, `HURRAY_ERR_CANCELLED`,
/// `HURRAY_ERR_INVALID_ARGUMENT` (finished already), `HURRAY_ERR_UNSUPPORTED` (another process), `HURRAY_ERR_INVALID_HANDLE`,
/// `HURRAY_ERR_NULL_POINTER`, `HURRAY_ERR_OUT_OF_MEMORY`; what an earlier call failed with.
/// *Threads:* one at a time. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_file_writer_finish(writer: *mut HurrayFileWriter) -> HurrayStatus {
    dispatch!(FILE_WRITER, writer, file_writer_finish(writer))
}

pub(crate) unsafe fn finish(writer: *mut HurrayFileWriter) -> Result<(), Fault> {
    // SAFETY: routed here; one thread at a time by contract.
    unsafe { with(writer, Draft::finish) }
}

/// The bytes of a finished file in memory, aligned to 4096; `hurray_file_reader_open_buffer` reads them in place.
///
/// *Ownership:* the buffer is the caller's; it can be taken once.
/// *Errors:* `HURRAY_ERR_INVALID_ARGUMENT` (not finished, not in memory, or taken already), `HURRAY_ERR_UNSUPPORTED` (another
/// process), `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`, `HURRAY_ERR_OUT_OF_MEMORY`.
/// *Threads:* one at a time. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_file_writer_take_buffer(
    writer: *mut HurrayFileWriter,
    out_buffer: *mut *mut HurrayBuffer,
) -> HurrayStatus {
    // SAFETY: the caller's by contract.
    unsafe { clear(out_buffer) };
    dispatch!(FILE_WRITER, writer, file_writer_take_buffer(writer, out_buffer))
}

pub(crate) unsafe fn take_buffer(
    writer: *mut HurrayFileWriter,
    out_buffer: *mut *mut HurrayBuffer,
) -> Result<(), Fault> {
    // SAFETY: routed here; one thread at a time by contract.
    let writer = unsafe {
        wanted(out_buffer, "out_buffer")?;
        &mut *writer.cast::<FileWriter>()
    };
    if writer.process != std::process::id() {
        return Err(Fault::new(Status::UNSUPPORTED, "", "a file is written by the process that started it"));
    }
    if writer.busy {
        return Err(panicked());
    }
    let memory = match &mut writer.file.target {
        Some(Target::Memory(memory)) if writer.file.finished => Some(memory),
        _ => None,
    };
    let Some((memory, (pages, len))) = memory
        .and_then(|memory| Some(memory.share().transpose()?.map(|shared| (memory, shared))))
        .transpose()?
    else {
        return Err(writer.file.failed.unwrap_or_else(|| {
            Fault::new(Status::INVALID_ARGUMENT, "", "there is no finished file in memory to take")
        }));
    };
    let of = Attributes {
        data: pages.data().cast(),
        byte_size: len as u64,
        alignment: 4096,
        device_tag: 0,
        sync_mode: 0,
        memory_class: 0,
        flags: 0,
        device_id: 0,
        lead: 0,
    };
    let buffer = Buffer::new(of, state::OWNED, Keep::Pages(pages));
    let pointer = publish_buffer(buffer).map_err(|(_, fault)| fault)?;
    memory.give_up();
    // SAFETY: as above.
    unsafe { put(out_buffer, pointer, "out_buffer") }
}

/// Ends a writer and writes NULL through the pointer. NULL, or a pointer to NULL, does nothing. A file with a path that
/// was not finished is given up: an old file stays as it is.
///
/// *Ownership:* ends the handle and releases a callback's context. In another process than the one that made the writer
/// no file is touched. *Errors:* `HURRAY_ERR_INVALID_HANDLE`. *Threads:* any; not while a call uses it. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_file_writer_destroy(writer: *mut *mut HurrayFileWriter) -> HurrayStatus {
    // SAFETY: the caller's by contract.
    unsafe { destroy(writer, mark::FILE_WRITER) }
}
