//! Streams through the C functions. Bytes are composed by hand from spec/stream.md; the library's writer is compared
//! with them, never trusted.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)] // a test; its helpers too

mod alone;
mod bare;
mod compose;
#[path = "../support/covered.rs"]
mod covered;
mod damage;
mod fd;
mod framed;
mod gate;
mod memory;
mod published;
mod read;
mod reader;
#[path = "../support/ready.rs"]
mod ready;
mod splits;
mod write;
mod writer;

use std::sync::atomic::{AtomicI32, Ordering};

/// Status numbers as the contract prints them, so that the tests do not ask the library for them.
mod status {
    pub const OK: i32 = 0;
    pub const NEED_MORE: i32 = 1;
    pub const END: i32 = 2;
    pub const INVALID_MAGIC: i32 = -1;
    pub const VERSION_MISMATCH: i32 = -2;
    pub const INVALID_LAYOUT: i32 = -3;
    pub const BUFFER_TOO_SMALL: i32 = -5;
    pub const INVALID_SYNC_MODE: i32 = -8;
    pub const INDEX_OUT_OF_BOUNDS: i32 = -11;
    pub const FIELD_NOT_APPLICABLE: i32 = -13;
    pub const INVALID_DESCRIPTOR: i32 = -14;
    pub const TRUNCATED: i32 = -15;
    pub const BUFFER_MISMATCH: i32 = -17;
    pub const IO: i32 = -18;
    pub const UNSUPPORTED: i32 = -20;
    pub const INVALID_ARGUMENT: i32 = -21;
    pub const LIMIT_EXCEEDED: i32 = -22;
    pub const CORRUPT: i32 = -23;
    pub const TORN: i32 = -24;
}

/// A small generator of numbers that are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }
}

/// Releases that ran; for tests of ownership.
static RELEASED: AtomicI32 = AtomicI32::new(0);

unsafe extern "C" fn count_release(_: *mut std::ffi::c_void, _: *mut std::ffi::c_void) {
    RELEASED.fetch_add(1, Ordering::SeqCst);
}
