//! The first bytes of every handle, the same for every type and every version, and what
//! follows from them: which copy of the library a call runs in.

use super::handles::HurrayStatus;
use super::table::{TABLE, Table};
use super::version::HURRAY_C_ABI_VERSION;
use crate::format::{Fault, Status};
use std::ffi::c_void;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Type marks: eight ASCII bytes in memory order.
pub(crate) mod mark {
    pub(crate) const BUFFER: u64 = u64::from_ne_bytes(*b"HRRYbuff");
    pub(crate) const LIST: u64 = u64::from_ne_bytes(*b"HRRYlist");
    pub(crate) const DESCRIPTOR: u64 = u64::from_ne_bytes(*b"HRRYdesc");
    pub(crate) const BUILDER: u64 = u64::from_ne_bytes(*b"HRRYbldr");
    pub(crate) const TENSOR: u64 = u64::from_ne_bytes(*b"HRRYtens");
    pub(crate) const ITEM: u64 = u64::from_ne_bytes(*b"HRRYitem");
    pub(crate) const FILE_READER: u64 = u64::from_ne_bytes(*b"HRRYfrea");
    pub(crate) const FILE_WRITER: u64 = u64::from_ne_bytes(*b"HRRYfwri");
    pub(crate) const STREAM_READER: u64 = u64::from_ne_bytes(*b"HRRYsrea");
    pub(crate) const STREAM_WRITER: u64 = u64::from_ne_bytes(*b"HRRYswri");
    pub(crate) const OPTIONS: u64 = u64::from_ne_bytes(*b"HRRYopts");
    pub(crate) const DEAD: u64 = u64::from_ne_bytes(*b"HRRYdead");
}

/// Who may destroy a handle.
pub(crate) mod state {
    /// The caller.
    pub(crate) const OWNED: u32 = 0;
    /// Another copy of the library, which will give it back or drop it.
    pub(crate) const TAKEN: u32 = 1;
    /// The handle it sits in.
    pub(crate) const BORROWED: u32 = 2;
    /// Nobody any more.
    pub(crate) const GONE: u32 = 3;
}

/// Frozen: the same 24 bytes in every version for ever.
#[repr(C)]
pub(crate) struct Prefix {
    pub(crate) mark: AtomicU64,
    pub(crate) build_abi: u32,
    pub(crate) reported_abi: u32,
    pub(crate) table: *const Table,
}

/// What this build puts first in its handles: the prefix, and who may destroy the handle.
#[repr(C)]
pub(crate) struct Head {
    prefix: Prefix,
    state: AtomicU32,
}

impl Head {
    pub(crate) const fn new(mark: u64, state: u32) -> Head {
        Head::reporting(mark, state, HURRAY_C_ABI_VERSION)
    }

    pub(crate) const fn reporting(mark: u64, state: u32, reported_abi: u32) -> Head {
        Head {
            prefix: Prefix {
                mark: AtomicU64::new(mark),
                build_abi: HURRAY_C_ABI_VERSION,
                reported_abi,
                table: &raw const TABLE,
            },
            state: AtomicU32::new(state),
        }
    }

    pub(crate) fn reported_abi(&self) -> u32 {
        self.prefix.reported_abi
    }

    pub(crate) fn mark(&self) -> u64 {
        self.prefix.mark.load(Ordering::Relaxed)
    }

    /// A stale pointer is then refused as long as its memory is not used anew.
    pub(crate) fn bury(&self) {
        self.prefix.mark.store(mark::DEAD, Ordering::Relaxed);
    }

    pub(crate) fn is_owned(&self) -> bool {
        self.state.load(Ordering::Relaxed) == state::OWNED
    }

    /// Moves the state in one step, or says that it was not `from`: for handles that two copies of the library may
    /// reach for at once.
    pub(crate) fn shift(&self, from: u32, to: u32) -> bool {
        self.state.compare_exchange(from, to, Ordering::AcqRel, Ordering::Relaxed).is_ok()
    }

    /// As [`Head::shift`], for its one user: ending or moving a handle is one thread's business.
    pub(crate) fn leave(&self, from: u32, to: u32) -> bool {
        let is = self.state.load(Ordering::Relaxed) == from;
        if is {
            self.state.store(to, Ordering::Relaxed);
        }
        is
    }

    /// For writes through a handle: only the owner's, never a borrowed one.
    pub(crate) fn writable(&self) -> Result<(), Fault> {
        if self.is_owned() { Ok(()) } else { Err(borrowed()) }
    }
}

/// Where a call on a handle runs.
pub(crate) enum Route {
    /// In this copy.
    Home,
    /// In the copy that this table belongs to; same build version.
    Away(*const Table),
}

/// Finds the copy that made a handle, after testing that it is a usable handle of the type.
///
/// # Safety
/// `handle` is NULL or points at readable memory of at least the prefix's size.
#[inline(always)]
pub(crate) unsafe fn route(handle: *const c_void, mark: u64) -> Result<Route, Fault> {
    // SAFETY: as this function's own.
    let prefix = unsafe { any_version(handle, mark)? };
    // SAFETY: readable, and constant since the handle was made.
    let table = unsafe { (&raw const (*prefix).table).read() };
    if table == &raw const TABLE {
        return Ok(Route::Home);
    }
    // SAFETY: as above.
    let build_abi = unsafe { (&raw const (*prefix).build_abi).read() };
    if build_abi != HURRAY_C_ABI_VERSION {
        return Err(version_mismatch(build_abi));
    }
    Ok(Route::Away(table))
}

/// Whether a handle is a usable one of the type and this copy's own.
///
/// # Safety
/// As [`route`].
#[inline(always)]
pub(crate) unsafe fn is_home(handle: *const c_void, mark: u64) -> bool {
    let prefix = handle.cast::<Prefix>();
    // SAFETY: not NULL, aligned and readable by contract; the table's address is constant.
    !prefix.is_null()
        && prefix.is_aligned()
        && unsafe { (*prefix).mark.load(Ordering::Relaxed) == mark && (*prefix).table == &raw const TABLE }
}

/// The prefix of a usable handle of a type, made by any version. Reads the mark and nothing more.
///
/// # Safety
/// As [`route`].
#[inline(always)]
pub(crate) unsafe fn any_version(handle: *const c_void, mark: u64) -> Result<*const Prefix, Fault> {
    let prefix = handle.cast::<Prefix>();
    if prefix.is_null() {
        return Err(null("handle"));
    }
    if !prefix.is_aligned() {
        return Err(wrong_mark());
    }
    // SAFETY: not NULL, aligned and readable by contract; the mark is only ever read and written as one atomic.
    let found = unsafe { &(*prefix).mark }.load(Ordering::Relaxed);
    if found == mark { Ok(prefix) } else { Err(wrong_mark()) }
}

/// A function of another copy's table, or a refusal when that copy lacks it.
///
/// # Safety
/// `table` is a table of this build version, and `offset` that of the slot that `read` gives.
pub(crate) unsafe fn slot<F: Copy>(
    table: *const Table,
    offset: usize,
    read: impl FnOnce(&Table) -> Option<F>,
) -> Result<F, Fault> {
    // SAFETY: every table starts with its own size, for ever.
    let size = unsafe { (&raw const (*table).size).read() } as usize;
    if size < offset + size_of::<usize>() {
        return Err(missing_slot());
    }
    // SAFETY: the slot lies inside the table, and no other is read.
    read(unsafe { &*table }).ok_or_else(missing_slot)
}

/// Calls a slot of another copy's table and brings its error text here.
///
/// # Safety
/// As [`slot`]; and `call` calls the slot with arguments valid for it.
pub(crate) unsafe fn away<F: Copy>(
    table: *const Table,
    offset: usize,
    read: impl FnOnce(&Table) -> Option<F>,
    call: impl FnOnce(F) -> HurrayStatus,
) -> HurrayStatus {
    // SAFETY: as this function's own.
    let function = match unsafe { slot(table, offset, read) } {
        Ok(function) => function,
        Err(fault) => return super::error::refuse(&fault),
    };
    let status = call(function);
    if status < 0 {
        // SAFETY: `last_error` is at a fixed place in every table of this version.
        unsafe { super::error::fetch(table, status) };
    }
    status
}

#[cold]
pub(crate) fn null(field: &'static str) -> Fault {
    Fault::new(Status::NULL_POINTER, "", "a required pointer is NULL").field(field)
}

#[cold]
fn wrong_mark() -> Fault {
    Fault::new(Status::INVALID_HANDLE, "", "not a usable handle of this type: destroyed, or of another type")
}

#[cold]
pub(crate) fn borrowed() -> Fault {
    Fault::new(
        Status::INVALID_HANDLE,
        "",
        "the handle is borrowed or taken, and its owner alone may change or end it",
    )
}

#[cold]
fn version_mismatch(build: u32) -> Fault {
    Fault::new(Status::VERSION_MISMATCH, "", "the handle was made by a build of another C ABI version")
        .field("abi_version")
        .value(build)
        .limit(HURRAY_C_ABI_VERSION)
}

#[cold]
fn missing_slot() -> Fault {
    Fault::new(Status::UNSUPPORTED, "", "the copy of the library that made the handle lacks this function")
}
