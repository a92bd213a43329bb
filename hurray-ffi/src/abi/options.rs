//! Numbered options instead of structs: an option can be added without a new type.

use super::guard::{clear, guard, put, wanted};
use super::handles::{HurrayOptions, HurrayStatus};
use super::live::{born, destroy};
use super::prefix::{Head, mark, state};
use super::shared::try_box;
use crate::format::{Fault, Status};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

const MIB: u64 = 1 << 20;

macro_rules! options {
    ($($konst:ident = $id:literal, $slot:ident, $default:expr, $most:expr, $doc:literal;)*) => {
        $(#[doc = $doc] pub const $konst: u32 = $id;)*

        /// Defaults and largest values, by id.
        const RULES: &[(u64, u64)] = &[(0, 0), $(($default, $most)),*];
    };
}

options! {
    HURRAY_OPTION_PERMISSIVE = 1, permissive, 0, 1, "1 reads what it does not understand as opaque parts instead of refusing it. Default 0.";
    HURRAY_OPTION_MAX_DESCRIPTOR_BYTES = 2, max_descriptor_bytes, 16 * MIB, u64::MAX, "Longest descriptor accepted, in bytes. Default 16 MiB.";
    HURRAY_OPTION_MAX_BUFFER_BYTES = 3, max_buffer_bytes, u64::MAX, u64::MAX, "Largest buffer accepted, in bytes. Default no limit.";
    HURRAY_OPTION_MAX_TOTAL_BYTES = 4, max_total_bytes, u64::MAX, u64::MAX, "Largest sum of one item's buffers, in bytes. Default no limit.";
    HURRAY_OPTION_MAX_COMPOSITE_DEPTH = 5, max_composite_depth, 8, u32::MAX as u64, "Deepest nesting of composites; the outermost head is level 1. Default 8.";
    HURRAY_OPTION_MAX_MEMBERS = 6, max_members, MIB, u32::MAX as u64, "Most members of one composite, when reading. Default 2^20.";
    HURRAY_OPTION_MAX_ALIGNMENT = 7, max_alignment, 2 * MIB, u32::MAX as u64, "Largest buffer alignment that is allocated, in bytes. Default 2 MiB.";
    HURRAY_OPTION_MAX_MESSAGE_BYTES = 8, max_message_bytes, 16 * MIB + 16, u32::MAX as u64, "Longest message of a framed stream, in bytes. Default 16 MiB + 16.";
    HURRAY_OPTION_MAX_STREAM_IDS = 9, max_stream_ids, 64, u32::MAX as u64, "Most stream ids at once in a framed stream. Default 64.";
    HURRAY_OPTION_CROSS_MACHINE = 10, cross_machine, 0, 1, "1 refuses sync modes other than producer-synced: bytes that cross machines carry no event. Default 0.";
    HURRAY_OPTION_MAP = 11, map, 0, 2, "How a file is opened: 0 read-only map, 1 copy-on-write map, 2 copy. Default 0.";
    HURRAY_OPTION_VERIFY = 12, verify, 0, 1, "1 also checks padding and the contents of index buffers. Default 0.";
    HURRAY_OPTION_DATA_ALIGNMENT = 13, data_alignment, 4096, 2 * MIB, "Alignment of tensor data in a file, in bytes: a power of two from 4096 to 2 MiB. Default 4096.";
    HURRAY_OPTION_SORTED_INDEX = 14, sorted_index, 0, 1, "1 writes a file's index in ascending order of names. Default 0.";
    HURRAY_OPTION_INDEX_CRC = 15, index_crc, 1, 1, "1 writes a checksum of a file's index. Default 1.";
    HURRAY_OPTION_KV_MODE = 16, kv_mode, 0, 3, "A file's key-value section: 0 present if a key is set before the first put, 1 present, 2 absent, 3 present without its flag. Default 0.";
    HURRAY_OPTION_DURABLE = 17, durable, 1, 1, "1 syncs a file to the disk before it takes its name. Default 1.";
    HURRAY_OPTION_COMPACT = 18, compact, 0, 1, "1 writes only the bytes that some element reaches. Default 0.";
    HURRAY_OPTION_THREADS = 19, threads, 1, u32::MAX as u64, "Threads of a conversion; 0 is as many as help. Default 1.";
    HURRAY_OPTION_REFUSE_DEVICE_BYTES = 20, refuse_device_bytes, 0, 1, "1 refuses stored bytes that carry the tag of a device other than the CPU. Default 0.";
    HURRAY_OPTION_MAX_INDEX_BYTES = 21, max_index_bytes, 256 * MIB, u64::MAX, "Longest index of a file, in bytes. Default 256 MiB.";
    HURRAY_OPTION_MAX_KV_BYTES = 22, max_kv_bytes, 64 * MIB, u64::MAX, "Longest key-value section of a file, in bytes. Default 64 MiB.";
    HURRAY_OPTION_READ_AHEAD = 23, read_ahead, 0, u64::MAX, "Bytes a stream reader may ask for past the current item. Default 0.";
    HURRAY_OPTION_COPY = 24, copy, 0, 2, "0 copies where that is needed, 1 never (`HURRAY_ERR_COPY_REQUIRED`), 2 always. Default 0.";
}

/// What a `HurrayOptions` points at.
#[repr(C)]
pub(crate) struct Options {
    head: Head,
    values: [AtomicU64; RULES.len()],
    cancelled: AtomicBool,
    done: AtomicU64,
    total: AtomicU64,
}

impl Options {
    /// # Safety
    /// `options` is NULL or a live handle of this copy.
    pub(crate) unsafe fn of<'a>(options: *const HurrayOptions) -> Option<&'a Options> {
        // SAFETY: as this function's own.
        unsafe { options.cast::<Options>().as_ref() }
    }

    /// An option's value.
    pub(crate) fn get(&self, option: u32) -> u64 {
        self.values.get(option as usize).map_or(0, |value| value.load(Ordering::Relaxed))
    }

    /// Starts the count of a call.
    pub(crate) fn begin(&self, total: u64) {
        self.done.store(0, Ordering::Relaxed);
        self.total.store(total, Ordering::Relaxed);
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
        let options = Options {
            head: Head::new(mark::OPTIONS, state::OWNED),
            values: std::array::from_fn(|id| AtomicU64::new(RULES.get(id).map_or(0, |rule| rule.0))),
            cancelled: AtomicBool::new(false),
            done: AtomicU64::new(0),
            total: AtomicU64::new(0),
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
    let rule = RULES.get(option as usize).filter(|_| option != 0);
    let (Some(rule), Some(slot)) = (rule, options.values.get(option as usize)) else {
        return Err(Fault::new(Status::INVALID_ARGUMENT, "", "no such option").field("option").value(option));
    };
    let odd = option == HURRAY_OPTION_DATA_ALIGNMENT && (value < 4096 || !value.is_power_of_two());
    if value > rule.1 || odd {
        return Err(Fault::new(Status::INVALID_ARGUMENT, "", "a value that the option cannot have")
            .field("value")
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
    unsafe { &*options.cast::<Options>() }.cancelled.store(true, Ordering::Relaxed);
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
        put(out_done, options.done.load(Ordering::Relaxed), "out_done")?;
        put(out_total, options.total.load(Ordering::Relaxed), "out_total")
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
