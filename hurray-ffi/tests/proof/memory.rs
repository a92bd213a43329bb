//! A global allocator that counts for each thread what it takes, and fails where a test says.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

#[derive(Clone, Copy)]
struct Counts {
    /// Allocations since counting began.
    calls: u64,
    /// Bytes taken and not given back, and the most of them at once.
    live: isize,
    peak: isize,
    /// The allocation that fails, counted from 0.
    failing: u64,
    failed: bool,
}

const NOTHING: Counts = Counts { calls: 0, live: 0, peak: 0, failing: u64::MAX, failed: false };

thread_local! {
    static COUNTS: Cell<Counts> = const { Cell::new(NOTHING) };
}

struct Counting;

impl Counting {
    /// Counts `size` bytes more; false where this allocation fails.
    fn takes(size: usize) -> bool {
        let mut counts = COUNTS.get();
        let fails = counts.calls == counts.failing;
        counts.calls += 1;
        counts.failed |= fails;
        if !fails {
            counts.live += size as isize;
            counts.peak = counts.peak.max(counts.live);
        }
        COUNTS.set(counts);
        !fails
    }

    fn gives(size: usize) {
        let counts = COUNTS.get();
        COUNTS.set(Counts { live: counts.live - size as isize, ..counts });
    }
}

// SAFETY: the system's allocator does the work; counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if !Counting::takes(layout.size()) {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller's contract is the system's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if !Counting::takes(layout.size()) {
            return std::ptr::null_mut();
        }
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        Counting::gives(layout.size());
        // SAFETY: as above.
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if !Counting::takes(size) {
            return std::ptr::null_mut();
        }
        Counting::gives(layout.size());
        // SAFETY: as above.
        unsafe { System.realloc(block, layout, size) }
    }
}

#[global_allocator]
static GLOBAL: Counting = Counting;

/// What a call took.
pub struct Taken {
    pub calls: u64,
    /// Bytes taken and not given back.
    pub kept: isize,
    pub peak: isize,
}

/// Counts what `call` allocates on this thread.
pub fn counted<R>(call: impl FnOnce() -> R) -> (R, Taken) {
    let before = COUNTS.replace(NOTHING);
    let result = call();
    let Counts { calls, live, peak, .. } = COUNTS.get();
    COUNTS.set(Counts { live: before.live + live, ..before });
    (result, Taken { calls, kept: live, peak })
}

/// Runs `call` with its allocation number `failing` refused; tells whether it came that far.
pub fn failing<R>(failing: u64, call: impl FnOnce() -> R) -> (R, bool) {
    let before = COUNTS.replace(Counts { failing, ..NOTHING });
    let result = call();
    let Counts { live, failed, .. } = COUNTS.get();
    COUNTS.set(Counts { live: before.live + live, ..before });
    (result, failed)
}
