//! File readers: opening, names, and the end.

use super::buffer::Buffer;
use super::descriptor::DescriptorHandle;
use super::file_source::{Callback, Origin};
use super::guard::{clear, panicked, put, slice, wanted};
use super::handles::{
    HurrayBuffer, HurrayFileReader, HurrayOptions, HurrayOwnerReleaseFn, HurrayReadAtFn, HurrayStatus,
};
use super::live::{born, destroy};
use super::options::*;
use super::prefix::{Head, mark, null, state};
use super::shared::{Shared, try_box};
use crate::format::{Fault, Status};
use crate::io::file::{Container, Limits};
use crate::io::os::{self, Access, Pages};
use std::ffi::{c_char, c_void};
use std::fs::File;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// What a `HurrayFileReader` points at.
#[repr(C)]
pub(crate) struct FileReader {
    head: Head,
    /// Set when a call panicked: every later one says so.
    panicked: AtomicBool,
    pub(super) file: OpenFile,
}

/// A file that is open.
pub(crate) struct OpenFile {
    pub(super) container: Container,
    pub(super) origin: Origin,
    pub(super) mode: Mode,
    pub(super) progress: Option<Shared<Progress>>,
    /// Descriptors that were asked for on their own, each lent out for as long as the reader lives.
    pub(super) descriptors: OnceLock<Vec<OnceLock<Box<DescriptorHandle>>>>,
}

/// How tensors come out of the file.
pub(crate) struct Mode {
    /// Whether their memory must not be written to.
    pub(super) read_only: bool,
    /// Whether they are copied though they need not be.
    pub(super) always_copy: bool,
    /// Whether a copy is an error.
    pub(super) never_copy: bool,
    /// The largest alignment that is allocated.
    pub(super) max_alignment: u64,
}

impl Drop for FileReader {
    fn drop(&mut self) {
        let lent = self.file.descriptors.get().into_iter().flatten().filter_map(OnceLock::get);
        lent.for_each(|descriptor| descriptor.head.bury());
    }
}

/// Runs one call on a reader.
///
/// # Safety
/// `reader` is a live handle of this copy.
pub(super) unsafe fn with<R>(
    reader: *const HurrayFileReader,
    body: impl FnOnce(&OpenFile) -> Result<R, Fault>,
) -> Result<R, Fault> {
    struct Mark<'a>(&'a AtomicBool);
    impl Drop for Mark<'_> {
        fn drop(&mut self) {
            self.0.store(true, Ordering::Relaxed);
        }
    }
    // SAFETY: as this function's own.
    let reader = unsafe { &*reader.cast::<FileReader>() };
    if reader.panicked.load(Ordering::Relaxed) {
        return Err(panicked());
    }
    let mark = Mark(&reader.panicked);
    let result = body(&reader.file);
    std::mem::forget(mark);
    result
}

/// The options of a call that opens.
///
/// # Safety
/// `options` is NULL or a handle.
pub(super) unsafe fn own_options<'a>(options: *const HurrayOptions) -> Result<Option<&'a Options>, Fault> {
    use super::prefix::{Route, route};
    if options.is_null() {
        return Ok(None);
    }
    // SAFETY: as this function's own.
    match unsafe { route(options.cast(), mark::OPTIONS)? } {
        // SAFETY: routed here.
        Route::Home => Ok(unsafe { Options::of(options) }),
        Route::Away(_) => Err(Fault::new(
            Status::INVALID_HANDLE,
            "",
            "the options were made by another copy of the library than the first handle",
        )
        .field("options")),
    }
}

pub(super) fn limits(options: Option<&Options>) -> Limits {
    let value = |option| Options::value(options, option);
    Limits {
        permissive: value(HURRAY_OPTION_PERMISSIVE) != 0,
        max_descriptor: value(HURRAY_OPTION_MAX_DESCRIPTOR_BYTES),
        max_buffer: value(HURRAY_OPTION_MAX_BUFFER_BYTES),
        max_total: value(HURRAY_OPTION_MAX_TOTAL_BYTES),
        max_depth: value(HURRAY_OPTION_MAX_COMPOSITE_DEPTH).min(super::item::MOST_LEVELS.into()),
        max_members: value(HURRAY_OPTION_MAX_MEMBERS),
        max_index: value(HURRAY_OPTION_MAX_INDEX_BYTES),
        max_kv: value(HURRAY_OPTION_MAX_KV_BYTES),
        cross_machine: value(HURRAY_OPTION_CROSS_MACHINE) != 0,
        refuse_device_bytes: value(HURRAY_OPTION_REFUSE_DEVICE_BYTES) != 0,
    }
}

fn mode(options: Option<&Options>) -> Mode {
    let value = |option| Options::value(options, option);
    let (map, copy) = (value(HURRAY_OPTION_MAP), value(HURRAY_OPTION_COPY));
    Mode {
        read_only: map == 0,
        always_copy: map == 2 || copy == 2,
        never_copy: copy == 1,
        max_alignment: value(HURRAY_OPTION_MAX_ALIGNMENT),
    }
}

/// Checks the file's structure. The origin comes back if that fails.
fn check(origin: &Origin, options: Option<&Options>) -> Result<Container, Fault> {
    if let Some(options) = options {
        options.begin(0);
        options.step(0)?;
    }
    let container = Container::open(origin, &limits(options))?;
    if Options::value(options, HURRAY_OPTION_VERIFY) != 0 {
        container.verify(origin)?;
    }
    Ok(container)
}

/// Makes a reader of a file that was checked.
///
/// # Safety
/// `out` is a writable pointer.
unsafe fn publish(
    container: Container,
    origin: Origin,
    options: Option<&Options>,
    out: *mut *mut HurrayFileReader,
) -> Result<(), (Origin, Fault)> {
    let file = OpenFile {
        container,
        origin,
        mode: mode(options),
        progress: options.map(|options| options.progress().clone()),
        descriptors: OnceLock::new(),
    };
    let head = Head::new(mark::FILE_READER, state::OWNED);
    let reader = try_box(FileReader { head, panicked: AtomicBool::new(false), file });
    let reader = match reader {
        Ok(reader) => reader,
        Err((reader, fault)) => return Err((reader.into_origin(), fault)),
    };
    if Options::value(options, HURRAY_OPTION_VERIFY) != 0
        && let Err(fault) = reader.file.check_contents(options)
    {
        return Err((reader.into_origin(), fault));
    }
    born();
    // SAFETY: as this function's own.
    unsafe { out.write_unaligned(Box::into_raw(reader).cast()) };
    Ok(())
}

impl FileReader {
    fn into_origin(self) -> Origin {
        // The reader has a destructor, so its parts cannot be moved out of it.
        let this = std::mem::ManuallyDrop::new(self);
        // SAFETY: each part is read once, and `this` is never dropped.
        unsafe {
            drop(std::ptr::read(&this.file.container));
            drop(std::ptr::read(&this.file.progress));
            drop(std::ptr::read(&this.file.descriptors));
            std::ptr::read(&this.file.origin)
        }
    }
}

/// Opens a file of the system.
///
/// # Safety
/// `out` is a writable pointer.
unsafe fn open_file(
    file: File,
    options: Option<&Options>,
    out: *mut *mut HurrayFileReader,
) -> Result<(), Fault> {
    let size = os::size(&file)?;
    let origin = Origin::File(file, size, None);
    let container = check(&origin, options)?;
    let Origin::File(file, size, _) = origin else { return Err(super::guard::panicked()) };
    let access = match Options::value(options, HURRAY_OPTION_MAP) {
        0 => Some(Access::ReadOnly),
        1 => Some(Access::CopyOnWrite),
        _ => None,
    };
    // What cannot be mapped is read instead.
    let pages = access
        .zip(usize::try_from(size).ok())
        .and_then(|(access, len)| Pages::of_file(&file, len, access, container.alignment() as usize).ok());
    let pages = pages.map(Shared::try_new).transpose().map_err(|(_, fault)| fault)?;
    let origin = Origin::File(file, size, pages);
    // SAFETY: as this function's own.
    unsafe { publish(container, origin, options, out) }.map_err(|(_, fault)| fault)
}

/// Opens a file by its path, checks its structure and maps it. What it costs grows with the index, not with the data.
///
/// The `MAP` option says how: 0 maps read-only, and tensors' buffers are `HURRAY_BUFFER_READ_ONLY`; 1 maps copy-on-write,
/// buffers are writable and no write reaches the file; 2 copies each tensor when it is asked for. A file system that
/// cannot map is read as with 2. A mapped file that another process cuts short kills a process that then touches the
/// lost pages (`SIGBUS`); the library itself reads structure by positioned reads, which fail with
/// `HURRAY_ERR_TRUNCATED`. Use 2 for files that others may change. `VERIFY` checks every rule, padding included, before
/// the call returns.
///
/// *Ownership:* the handle is the caller's; the path (bytes of the system, without NUL) is not kept.
/// *Errors:* `HURRAY_ERR_IO` with the system's error number; the status of the first rule that is broken:
/// `HURRAY_ERR_INVALID_MAGIC`, `HURRAY_ERR_VERSION_MISMATCH`, `HURRAY_ERR_TRUNCATED`, `HURRAY_ERR_CORRUPT`,
/// `HURRAY_ERR_DUPLICATE`; `HURRAY_ERR_LIMIT_EXCEEDED` (a limit of the options), `HURRAY_ERR_CANCELLED`,
/// `HURRAY_ERR_INVALID_ARGUMENT` (the path), `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`,
/// `HURRAY_ERR_OUT_OF_MEMORY`. *Threads:* any. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_file_reader_open(
    path: *const c_char,
    path_len: usize,
    options: *const HurrayOptions,
    out_reader: *mut *mut HurrayFileReader,
) -> HurrayStatus {
    // SAFETY: the caller's by contract.
    unsafe { clear(out_reader) };
    dispatch_options!(options, file_reader_open(path, path_len, options, out_reader))
}

pub(crate) unsafe fn open_path(
    path: *const c_char,
    path_len: usize,
    options: *const HurrayOptions,
    out_reader: *mut *mut HurrayFileReader,
) -> Result<(), Fault> {
    // SAFETY: the caller's by contract.
    unsafe {
        wanted(out_reader, "out_reader")?;
        let path = slice(path.cast::<u8>(), path_len, "path")?;
        open_file(os::open(path)?, Options::of(options), out_reader)
    }
}

/// Opens a file by a descriptor of the system: a regular file, a memfd, shared memory. As `hurray_file_reader_open`.
///
/// *Ownership:* the handle is the caller's; the descriptor is duplicated and stays the caller's. Its position is neither
/// used nor moved. *Errors:* as `hurray_file_reader_open`. *Threads:* any. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_file_reader_open_fd(
    fd: i64,
    options: *const HurrayOptions,
    out_reader: *mut *mut HurrayFileReader,
) -> HurrayStatus {
    // SAFETY: the caller's by contract.
    unsafe { clear(out_reader) };
    dispatch_options!(options, file_reader_open_fd(fd, options, out_reader))
}

pub(crate) unsafe fn open_fd(
    fd: i64,
    options: *const HurrayOptions,
    out_reader: *mut *mut HurrayFileReader,
) -> Result<(), Fault> {
    // SAFETY: the caller's by contract.
    unsafe {
        wanted(out_reader, "out_reader")?;
        open_file(os::duplicate(fd)?, Options::of(options), out_reader)
    }
}

/// Opens a file whose bytes are in memory. Tensors are views of it where their addresses are aligned as declared (a
/// buffer aligned to 4096 always gives that), read-only with `MAP` 0; `MAP` 1 and 2 give copies.
///
/// *Ownership:* the handle is the caller's and keeps a share of the buffer, and so do the tensors; the buffer stays the
/// caller's, and its bytes must not change. *Errors:* as `hurray_file_reader_open`; `HURRAY_ERR_UNSUPPORTED` (memory that
/// the host may not read). *Threads:* any. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_file_reader_open_buffer(
    buffer: *const HurrayBuffer,
    options: *const HurrayOptions,
    out_reader: *mut *mut HurrayFileReader,
) -> HurrayStatus {
    // SAFETY: the caller's by contract.
    unsafe { clear(out_reader) };
    dispatch!(BUFFER, buffer, file_reader_open_buffer(buffer, options, out_reader))
}

pub(crate) unsafe fn open_buffer(
    buffer: *const HurrayBuffer,
    options: *const HurrayOptions,
    out_reader: *mut *mut HurrayFileReader,
) -> Result<(), Fault> {
    // SAFETY: the caller's by contract; the buffer was routed here.
    unsafe {
        wanted(out_reader, "out_reader")?;
        let options = own_options(options)?;
        let buffer = Buffer::of(buffer);
        if !buffer.is_host_readable() {
            return Err(Fault::new(Status::UNSUPPORTED, "", "memory that the host may not read")
                .field("device_tag")
                .value(buffer.device_tag));
        }
        let mut of = buffer.attributes();
        let lead = u64::from(of.lead).min(of.byte_size);
        of.data = of.data.cast::<u8>().wrapping_add(lead as usize).cast();
        of.byte_size -= lead;
        let held = Buffer::new(of, state::BORROWED, buffer.keep_alive());
        let origin = Origin::Memory(Shared::try_new(held).map_err(|(_, fault)| fault)?);
        let container = check(&origin, options)?;
        publish(container, origin, options, out_reader).map_err(|(_, fault)| fault)?;
        // Memory has no private pages to offer.
        if Options::value(options, HURRAY_OPTION_MAP) == 1 {
            let reader = out_reader.read_unaligned().cast::<FileReader>();
            (*reader).file.mode.always_copy = true;
        }
        Ok(())
    }
}

/// Opens a file of `size` bytes through ranged reads, as an object store offers them. Header, trailer, index and
/// key-value section are read when it opens, a tensor when it is asked for, into memory of its own; adjacent reads are
/// merged. Only bytes of what was asked for are read.
///
/// *Ownership:* the handle is the caller's. `release(context)` runs once, when the reader ends; NULL releases nothing. On
/// failure nothing is kept and `release` is not called. *Errors:* as `hurray_file_reader_open`; a negative result of the
/// callback is `HURRAY_ERR_IO`, and its negative is the system's error number. *Threads:* any. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_file_reader_open_callback(
    read_at: HurrayReadAtFn,
    context: *mut c_void,
    release: HurrayOwnerReleaseFn,
    size: u64,
    options: *const HurrayOptions,
    out_reader: *mut *mut HurrayFileReader,
) -> HurrayStatus {
    // SAFETY: the caller's by contract.
    unsafe { clear(out_reader) };
    dispatch_options!(
        options,
        file_reader_open_callback(read_at, context, release, size, options, out_reader)
    )
}

pub(crate) unsafe fn open_callback(
    read_at: HurrayReadAtFn,
    context: *mut c_void,
    release: HurrayOwnerReleaseFn,
    size: u64,
    options: *const HurrayOptions,
    out_reader: *mut *mut HurrayFileReader,
) -> Result<(), Fault> {
    // SAFETY: the caller's by contract.
    unsafe { wanted(out_reader, "out_reader")? };
    let read_at = read_at.ok_or_else(|| null("read_at"))?;
    // SAFETY: routed here, or NULL.
    let options = unsafe { Options::of(options) };
    let origin = Origin::Callback(Callback::new(read_at, context, release, size));
    let refused = |origin: Origin, fault: Fault| {
        if let Origin::Callback(callback) = origin {
            callback.disarm();
        }
        fault
    };
    let container = match check(&origin, options) {
        Ok(container) => container,
        Err(fault) => return Err(refused(origin, fault)),
    };
    // SAFETY: writable, as tested above.
    unsafe { publish(container, origin, options, out_reader) }
        .map_err(|(origin, fault)| refused(origin, fault))
}

/// Ends a reader and writes NULL through the pointer. NULL, or a pointer to NULL, does nothing. Tensors and items taken
/// from it live on, and keep the mapping.
///
/// *Ownership:* ends the handle and the descriptors borrowed from it. *Errors:* `HURRAY_ERR_INVALID_HANDLE`.
/// *Threads:* any; not while a call uses it. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_file_reader_destroy(reader: *mut *mut HurrayFileReader) -> HurrayStatus {
    // SAFETY: the caller's by contract.
    unsafe { destroy(reader, mark::FILE_READER) }
}

/// The number of entries: tensors and heads, members included.
///
/// *Ownership:* none. *Errors:* `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
/// *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_file_reader_entry_count(
    reader: *const HurrayFileReader,
    out_count: *mut u64,
) -> HurrayStatus {
    dispatch!(FILE_READER, reader, file_reader_entry_count(reader, out_count))
}

pub(crate) unsafe fn entry_count(reader: *const HurrayFileReader, out_count: *mut u64) -> Result<(), Fault> {
    // SAFETY: routed here; the output is the caller's by contract.
    unsafe { with(reader, |file| put(out_count, file.container.index().len().into(), "out_count")) }
}
