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

/// For threads that are ending, or could not get a cell.
static REST: AtomicU64 = AtomicU64::new(0);

thread_local! {
    static MINE: Cell<*const Local> = const { Cell::new(null()) };
    static LEAVING: Cell<bool> = const { Cell::new(false) };
    static RETURN: Return = const { Return };
}

/// Gives the thread's cell back when the thread ends.
struct Return;

impl Drop for Return {
    fn drop(&mut self) {
        LEAVING.set(true);
        let mine = MINE.replace(null());
        if !mine.is_null() {
            // SAFETY: cells are never freed.
            unsafe { &*mine }.held.store(false, Ordering::Release);
        }
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
    if LEAVING.get() || !claim() {
        REST.fetch_add(by, Ordering::Relaxed);
    } else {
        add(by);
    }
}

/// Gets the thread a cell that no other holds.
fn claim() -> bool {
    if RETURN.try_with(|_| ()).is_err() {
        return false;
    }
    let mut cell: *const Local = CELLS.load(Ordering::Acquire);
    while !cell.is_null() {
        // SAFETY: cells are never freed.
        let local = unsafe { &*cell };
        if local.held.compare_exchange(false, true, Ordering::Acquire, Ordering::Relaxed).is_ok() {
            MINE.set(cell);
            return true;
        }
        cell = local.next;
    }
    let fresh = Local { count: AtomicU64::new(0), held: AtomicBool::new(true), next: null() };
    let Ok(fresh) = super::shared::try_box(fresh) else {
        return false;
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
    MINE.set(fresh);
    true
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
