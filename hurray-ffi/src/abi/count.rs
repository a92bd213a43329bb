//! A count that threads change without getting in each other's way: each has a cell of its own, and reading adds the
//! cells up. A plain atomic costs a locked instruction for each handle made and ended.

use std::cell::Cell;
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, Ordering};

/// A cell: written by the thread that holds it, kept for the next one when that thread ends.
#[repr(align(64))]
struct Local {
    count: AtomicU64,
    held: AtomicBool,
    next: *const Local,
}

/// All cells ever made; a cell stays.
static CELLS: AtomicPtr<Local> = AtomicPtr::new(null_mut());

/// For threads that could not get a cell.
static REST: AtomicU64 = AtomicU64::new(0);

thread_local! {
    static MINE: Cell<*const Local> = const { Cell::new(null()) };
}

/// Has a thread's cell given back when the thread ends. A thread-local with a destructor would not do: one that a host's
/// own thread-specific destructors are the first to use is never destroyed, and its cell would stay held.
#[cfg(unix)]
mod at_thread_end {
    use super::{Local, MINE};
    use std::ffi::c_void;
    use std::ptr::null;
    use std::sync::OnceLock;
    use std::sync::atomic::Ordering;

    unsafe extern "C" fn give_back(cell: *mut c_void) {
        // A later destructor of the thread that counts claims a cell anew, and comes here once more.
        MINE.set(null());
        // SAFETY: cells are never freed.
        unsafe { &*cell.cast::<Local>() }.held.store(false, Ordering::Release);
    }

    /// The key under which each thread keeps its cell, if the system has one left.
    fn key() -> Option<libc::pthread_key_t> {
        static KEY: OnceLock<Option<libc::pthread_key_t>> = OnceLock::new();
        *KEY.get_or_init(|| {
            let mut key = 0;
            // SAFETY: the destructor fits any value that is set under the key; the image is never unloaded.
            (unsafe { libc::pthread_key_create(&raw mut key, Some(give_back)) } == 0).then_some(key)
        })
    }

    /// Whether the cell will be given back.
    pub(super) fn will_return(cell: *const Local) -> bool {
        // SAFETY: the key is live for ever, and its destructor takes cells.
        key().is_some_and(|key| unsafe { libc::pthread_setspecific(key, cell.cast()) } == 0)
    }
}

#[cfg(not(unix))]
mod at_thread_end {
    /// All threads count together.
    pub(super) fn will_return(_: *const super::Local) -> bool {
        false
    }
}

/// Adds one; `u64::MAX` takes one away.
#[inline]
pub(crate) fn add(by: u64) {
    let mine = MINE.get();
    if mine.is_null() {
        return add_slowly(by);
    }
    // SAFETY: cells are never freed.
    let count = &unsafe { &*mine }.count;
    // This thread alone writes here.
    count.store(count.load(Ordering::Relaxed).wrapping_add(by), Ordering::Relaxed);
}

#[cold]
fn add_slowly(by: u64) {
    match claim() {
        Some(cell) if at_thread_end::will_return(cell) => {
            MINE.set(cell);
            add(by);
        }
        cell => {
            if let Some(cell) = cell {
                // SAFETY: cells are never freed.
                unsafe { &*cell }.held.store(false, Ordering::Release);
            }
            REST.fetch_add(by, Ordering::Relaxed);
        }
    }
}

/// A cell that no other thread holds.
fn claim() -> Option<*const Local> {
    let mut cell: *const Local = CELLS.load(Ordering::Acquire);
    while !cell.is_null() {
        // SAFETY: cells are never freed.
        let local = unsafe { &*cell };
        if local.held.compare_exchange(false, true, Ordering::Acquire, Ordering::Relaxed).is_ok() {
            return Some(cell);
        }
        cell = local.next;
    }
    let fresh = Local { count: AtomicU64::new(0), held: AtomicBool::new(true), next: null() };
    let Ok(fresh) = super::shared::try_box(fresh) else {
        return None;
    };
    let fresh = Box::into_raw(fresh);
    let mut first = CELLS.load(Ordering::Relaxed);
    loop {
        // SAFETY: not in the list yet, so this thread alone knows it.
        unsafe { (*fresh).next = first };
        match CELLS.compare_exchange_weak(first, fresh, Ordering::Release, Ordering::Relaxed) {
            Ok(_) => break,
            Err(now) => first = now,
        }
    }
    Some(fresh)
}

/// The sum over all threads; exact while none of them counts.
pub(crate) fn sum() -> u64 {
    let mut sum = REST.load(Ordering::Relaxed);
    let mut cell: *const Local = CELLS.load(Ordering::Acquire);
    while !cell.is_null() {
        // SAFETY: cells are never freed.
        let local = unsafe { &*cell };
        sum = sum.wrapping_add(local.count.load(Ordering::Relaxed));
        cell = local.next;
    }
    sum
}
