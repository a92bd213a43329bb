//! Numbered options instead of structs: an option can be added without a new type.

use super::guard::{clear, guard, put, wanted};
use super::handles::{HurrayOptions, HurrayStatus};
use super::live::{born, destroy};
use super::prefix::{Head, is_home, mark, state};
use super::shared::{Shared, try_box};
use crate::format::{Fault, Status};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

const MIB: u64 = 1 << 20;

/// 1 reads what it does not understand as opaque parts instead of refusing it. Default 0.
pub const HURRAY_OPTION_PERMISSIVE: u32 = 1;
/// Longest descriptor accepted, in bytes. Default 16 MiB.
pub const HURRAY_OPTION_MAX_DESCRIPTOR_BYTES: u32 = 2;
/// Largest buffer accepted, in bytes. Default no limit.
pub const HURRAY_OPTION_MAX_BUFFER_BYTES: u32 = 3;
/// Largest sum of one item's buffers, in bytes. Default no limit.
pub const HURRAY_OPTION_MAX_TOTAL_BYTES: u32 = 4;
/// Deepest nesting of composites; the outermost head is level 1. Default 8.
pub const HURRAY_OPTION_MAX_COMPOSITE_DEPTH: u32 = 5;
/// Most members of one composite, when reading. Default 2^20.
pub const HURRAY_OPTION_MAX_MEMBERS: u32 = 6;
/// Largest buffer alignment that is allocated, in bytes. Default 2 MiB.
pub const HURRAY_OPTION_MAX_ALIGNMENT: u32 = 7;
/// Longest message of a framed stream, in bytes. Default 16 MiB + 16.
pub const HURRAY_OPTION_MAX_MESSAGE_BYTES: u32 = 8;
/// Most stream ids at once in a framed stream. Default 64.
pub const HURRAY_OPTION_MAX_STREAM_IDS: u32 = 9;
/// 1 refuses sync modes other than producer-synced: bytes that cross machines carry no event. Default 0.
pub const HURRAY_OPTION_CROSS_MACHINE: u32 = 10;
/// How a file is opened: 0 read-only map, 1 copy-on-write map, 2 copy. Default 0.
pub const HURRAY_OPTION_MAP: u32 = 11;
/// 1 also checks padding and the contents of index buffers. Default 0.
pub const HURRAY_OPTION_VERIFY: u32 = 12;
/// Alignment of tensor data in a file, in bytes: a power of two from 4096 to 2 MiB. Default 4096.
pub const HURRAY_OPTION_DATA_ALIGNMENT: u32 = 13;
/// 1 writes a file's index in ascending order of names. Default 0.
pub const HURRAY_OPTION_SORTED_INDEX: u32 = 14;
/// 1 writes a checksum of a file's index. Default 1.
pub const HURRAY_OPTION_INDEX_CRC: u32 = 15;
/// A file's key-value section: 0 if a key is set before the first put, 1 always, 2 never, 3 unflagged. Default 0.
pub const HURRAY_OPTION_KV_MODE: u32 = 16;
/// 1 syncs a file to the disk before it takes its name. Default 1.
pub const HURRAY_OPTION_DURABLE: u32 = 17;
/// 1 writes only the bytes that some element reaches. Default 0.
pub const HURRAY_OPTION_COMPACT: u32 = 18;
/// Threads of a conversion; 0 is as many as help. Default 1.
pub const HURRAY_OPTION_THREADS: u32 = 19;
/// 1 refuses stored bytes that carry the tag of a device other than the CPU. Default 0.
pub const HURRAY_OPTION_REFUSE_DEVICE_BYTES: u32 = 20;
/// Longest index of a file, in bytes. Default 256 MiB.
pub const HURRAY_OPTION_MAX_INDEX_BYTES: u32 = 21;
/// Longest key-value section of a file, in bytes. Default 64 MiB.
pub const HURRAY_OPTION_MAX_KV_BYTES: u32 = 22;
/// Bytes a stream reader may ask for past the current item. Default 0.
pub const HURRAY_OPTION_READ_AHEAD: u32 = 23;
/// 0 copies where that is needed, 1 never (`HURRAY_ERR_COPY_REQUIRED`), 2 always. Default 0.
pub const HURRAY_OPTION_COPY: u32 = 24;
/// 1 writes quantized tensors whose partial blocks readers may place differently. Default 0.
pub const HURRAY_OPTION_PARTIAL_BLOCKS: u32 = 25;
/// Coordinates that a tensor stores twice: 0 refuses them, 1 keeps them all, 2 adds them. Default 0.
pub const HURRAY_OPTION_DUPLICATES: u32 = 26;
/// 1 has a stream reader give the parts of a composite one by one instead of the whole. Default 0.
pub const HURRAY_OPTION_FLAT: u32 = 27;

/// Default and largest value of each option, by its number.
const RULES: [(u64, u64); 28] = [
    (0, 0),                           // no option
    (0, 1),                           // PERMISSIVE
    (16 * MIB, u64::MAX),             // MAX_DESCRIPTOR_BYTES
    (u64::MAX, u64::MAX),             // MAX_BUFFER_BYTES
    (u64::MAX, u64::MAX),             // MAX_TOTAL_BYTES
    (8, u32::MAX as u64),             // MAX_COMPOSITE_DEPTH
    (MIB, u32::MAX as u64),           // MAX_MEMBERS
    (2 * MIB, u32::MAX as u64),       // MAX_ALIGNMENT
    (16 * MIB + 16, u32::MAX as u64), // MAX_MESSAGE_BYTES
    (64, u32::MAX as u64),            // MAX_STREAM_IDS
    (0, 1),                           // CROSS_MACHINE
    (0, 2),                           // MAP
    (0, 1),                           // VERIFY
    (4096, 2 * MIB),                  // DATA_ALIGNMENT
    (0, 1),                           // SORTED_INDEX
    (1, 1),                           // INDEX_CRC
    (0, 3),                           // KV_MODE
    (1, 1),                           // DURABLE
    (0, 1),                           // COMPACT
    (1, u32::MAX as u64),             // THREADS
    (0, 1),                           // REFUSE_DEVICE_BYTES
    (256 * MIB, u64::MAX),            // MAX_INDEX_BYTES
    (64 * MIB, u64::MAX),             // MAX_KV_BYTES
    (0, u64::MAX),                    // READ_AHEAD
    (0, 2),                           // COPY
    (0, 1),                           // PARTIAL_BLOCKS
    (0, 2),                           // DUPLICATES
    (0, 1),                           // FLAT
];

/// What a `HurrayOptions` points at.
#[repr(C)]
pub(crate) struct Options {
    head: Head,
    values: [AtomicU64; RULES.len()],
    progress: Shared<Progress>,
}

/// How far a call has come, and whether it is to stop. Objects that were opened with the options keep a reference.
pub(crate) struct Progress {
    cancelled: AtomicBool,
    done: AtomicU64,
    total: AtomicU64,
}

impl Progress {
    /// Starts the count of a call.
    pub(crate) fn begin(&self, total: u64) {
        self.done.store(0, Ordering::Relaxed);
        self.total.store(total, Ordering::Relaxed);
    }

    /// All that was to be done is done.
    pub(crate) fn end(&self) {
        self.done.store(self.total.load(Ordering::Relaxed), Ordering::Relaxed);
    }

    /// So many more bytes are going to be done.
    pub(crate) fn expect(&self, bytes: u64) {
        self.total.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Counts bytes done, and stops the call when it was cancelled.
    pub(crate) fn step(&self, bytes: u64) -> Result<(), Fault> {
        self.done.fetch_add(bytes, Ordering::Relaxed);
        if self.cancelled.load(Ordering::Relaxed) {
            return Err(Fault::new(Status::CANCELLED, "", "the call was cancelled"));
        }
        Ok(())
    }
}

impl Options {
    /// # Safety
    /// `options` is NULL or a live handle of this copy.
    pub(crate) unsafe fn of<'a>(options: *const HurrayOptions) -> Option<&'a Options> {
        // SAFETY: as this function's own.
        unsafe { options.cast::<Options>().as_ref() }
    }

    /// Options beside a subject: NULL, or of the subject's copy.
    ///
    /// # Safety
    /// `options` is NULL or a handle.
    pub(crate) unsafe fn own<'a>(options: *const HurrayOptions) -> Result<Option<&'a Options>, Fault> {
        // SAFETY: as this function's own.
        if options.is_null() || unsafe { is_home(options.cast(), mark::OPTIONS) } {
            // SAFETY: as above.
            return Ok(unsafe { Options::of(options) });
        }
        Err(Fault::new(
            Status::INVALID_HANDLE,
            "",
            "options that are destroyed, or of another copy than the subject",
        )
        .field("options"))
    }

    /// An option's value.
    pub(crate) fn get(&self, option: u32) -> u64 {
        self.values.get(option as usize).map_or(0, |value| value.load(Ordering::Relaxed))
    }

    /// An option's value, the default where there are no options.
    pub(crate) fn value(options: Option<&Options>, option: u32) -> u64 {
        match options {
            Some(options) => options.get(option),
            None => RULES.get(option as usize).map_or(0, |rule| rule.0),
        }
    }

    /// The count that calls given these options share.
    pub(crate) fn progress(&self) -> &Shared<Progress> {
        &self.progress
    }

    /// Starts the count of a call.
    pub(crate) fn begin(&self, total: u64) {
        self.progress.begin(total);
    }

    /// Counts bytes done, and stops the call when it was cancelled.
    pub(crate) fn step(&self, bytes: u64) -> Result<(), Fault> {
        self.progress.step(bytes)
    }
}

/// An option's value; NULL options are the defaults.
pub(crate) fn value_of(options: Option<&Options>, option: u32) -> u64 {
    let default = RULES.get(option as usize).map_or(0, |rule| rule.0);
    options.map_or(default, |options| options.get(option))
}

/// The `COPY` option's value; NULL options are the defaults.
pub(crate) fn copy_choice(options: Option<&Options>) -> u64 {
    options.map_or(0, |options| options.get(HURRAY_OPTION_COPY))
}

/// Makes options with their default values.
///
/// *Ownership:* the handle is the caller's, ended by `hurray_options_destroy`.
/// *Errors:* `HURRAY_ERR_NULL_POINTER`, `HURRAY_ERR_OUT_OF_MEMORY`. *Threads:* any. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_options_new(out_options: *mut *mut HurrayOptions) -> HurrayStatus {
    guard(|| {
        // SAFETY: the caller's by contract.
        unsafe { wanted(out_options, "out_options")? };
        // SAFETY: as above.
        unsafe { clear(out_options) };
        let progress =
            Progress { cancelled: AtomicBool::new(false), done: AtomicU64::new(0), total: AtomicU64::new(0) };
        let options = Options {
            head: Head::new(mark::OPTIONS, state::OWNED),
            values: std::array::from_fn(|id| AtomicU64::new(RULES.get(id).map_or(0, |rule| rule.0))),
            progress: Shared::try_new(progress).map_err(|(_, fault)| fault)?,
        };
        let options = try_box(options).map_err(|(_, fault)| fault)?;
        born();
        // SAFETY: as above.
        unsafe { put(out_options, Box::into_raw(options).cast(), "out_options") }
    })
}

/// Sets one option, a `HURRAY_OPTION_...` number. Values are read when an object opens or a call starts; setting one
/// later changes nothing that is open.
///
/// *Ownership:* none taken. *Errors:* `HURRAY_ERR_INVALID_ARGUMENT` (unknown option, or a value it cannot have),
/// `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`. *Threads:* one at a time. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_options_set_u64(
    options: *mut HurrayOptions,
    option: u32,
    value: u64,
) -> HurrayStatus {
    dispatch!(OPTIONS, options, options_set_u64(options, option, value))
}

pub(crate) unsafe fn set_u64(options: *mut HurrayOptions, option: u32, value: u64) -> Result<(), Fault> {
    // SAFETY: routed here.
    let options = unsafe { &*options.cast::<Options>() };
    #[cfg(feature = "panic-probe")]
    super::guard::probe(option);
    let rule = RULES.get(option as usize).filter(|_| option != 0);
    let (Some(rule), Some(slot)) = (rule, options.values.get(option as usize)) else {
        return Err(Fault::new(Status::INVALID_ARGUMENT, "", "no such option").field("option").value(option));
    };
    let odd = option == HURRAY_OPTION_DATA_ALIGNMENT && (value < 4096 || !value.is_power_of_two());
    if value > rule.1 || odd {
        return Err(Fault::new(Status::INVALID_ARGUMENT, "", "a value that the option cannot have")
            .field("option")
            .index(option as usize)
            .value(value)
            .limit(rule.1));
    }
    slot.store(value, Ordering::Relaxed);
    Ok(())
}

/// Asks the call that runs with these options to stop with `HURRAY_ERR_CANCELLED`, having done nothing visible. Options
/// stay cancelled: later calls given them stop too.
///
/// *Ownership:* none taken. *Errors:* `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
/// *Threads:* any, also while a call with these options runs. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_options_cancel(options: *const HurrayOptions) -> HurrayStatus {
    dispatch!(OPTIONS, options, options_cancel(options))
}

pub(crate) unsafe fn cancel(options: *const HurrayOptions) -> Result<(), Fault> {
    // SAFETY: routed here.
    unsafe { &*options.cast::<Options>() }.progress.cancelled.store(true, Ordering::Relaxed);
    Ok(())
}

/// How far the call that runs with these options has come, in bytes. The total is 0 until it is known.
///
/// *Ownership:* none taken. *Errors:* `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
/// *Threads:* any, also while a call with these options runs. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_options_progress(
    options: *const HurrayOptions,
    out_done: *mut u64,
    out_total: *mut u64,
) -> HurrayStatus {
    dispatch!(OPTIONS, options, options_progress(options, out_done, out_total))
}

pub(crate) unsafe fn progress(
    options: *const HurrayOptions,
    out_done: *mut u64,
    out_total: *mut u64,
) -> Result<(), Fault> {
    // SAFETY: routed here; the outputs are the caller's by contract.
    unsafe {
        let options = &*options.cast::<Options>();
        wanted(out_done, "out_done")?;
        wanted(out_total, "out_total")?;
        put(out_done, options.progress.done.load(Ordering::Relaxed), "out_done")?;
        put(out_total, options.progress.total.load(Ordering::Relaxed), "out_total")
    }
}

/// Ends options and writes NULL through the pointer. NULL, or a pointer to NULL, does nothing.
///
/// *Ownership:* ends the handle. *Errors:* `HURRAY_ERR_INVALID_HANDLE`. *Threads:* any; not while a call uses them.
/// *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_options_destroy(options: *mut *mut HurrayOptions) -> HurrayStatus {
    // SAFETY: the caller's by contract.
    unsafe { destroy(options, mark::OPTIONS) }
}
