//! Threads and callbacks: one tensor in many hands is released once; a release may call back into the library.

use crate::call::{OK, last_text};
use hurray::abi::*;
use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicU64, Ordering};

/// A handle that may move between threads.
#[derive(Clone, Copy)]
struct Hand(*mut HurrayTensor);
// SAFETY: the contract allows a handle on any thread, and shares of one at once.
unsafe impl Send for Hand {}

/// float32 `[2]` on the CPU, by hand from descriptor.md §4.
const VECTOR: [u8; 53] =
    *b"HRRY\x01\x00\x35\0\0\0\0\0\0\0\x03\x01\x01\0\0\0\x02\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\
    \x01\x08\0\0\0\0\0\0\0\x40\0\0\0\0\0\0\0";

/// What releases were counted, and in what order.
#[derive(Default)]
struct Releases {
    buffers: AtomicU64,
    owners: AtomicU64,
}

unsafe extern "C" fn buffer_gone(_: *mut c_void, context: *mut c_void) {
    // SAFETY: the test's counters, which outlive every handle.
    let releases = unsafe { &*context.cast::<Releases>() };
    releases.buffers.fetch_add(1, Ordering::Relaxed);
}

unsafe extern "C" fn owner_gone(owner: *mut c_void) {
    // SAFETY: as above.
    let releases = unsafe { &*owner.cast::<Releases>() };
    assert_eq!(releases.buffers.load(Ordering::Relaxed), 1, "buffers go before their owner");
    releases.owners.fetch_add(1, Ordering::Relaxed);
}

#[repr(align(64))]
struct Memory([u8; 64]);
static MEMORY: Memory = Memory([5; 64]);

/// A list of one buffer over the memory.
fn list(release: HurrayReleaseCallback, context: *mut c_void) -> *mut HurrayBufferList {
    let (mut list, mut buffer) = (null_mut(), null_mut());
    let data = (&raw const MEMORY.0).cast_mut().cast();
    // SAFETY: the memory is static; every handle is this frame's own.
    unsafe {
        assert_eq!(hurray_buffer_from_ptr(data, 64, 64, 0, 0, 0, release, context, &raw mut buffer), OK);
        assert_eq!(hurray_buffer_list_new(1, &raw mut list), OK);
        assert_eq!(hurray_buffer_list_push(list, buffer), OK);
    }
    list
}

fn tensor(releases: &Releases) -> Hand {
    let context = (&raw const *releases).cast_mut().cast();
    let (list, mut out) = (list(Some(buffer_gone), context), null_mut());
    let len = VECTOR.len() as u64;
    // SAFETY: the list is consumed; the output is this frame's own.
    let status =
        unsafe { hurray_tensor_new(10, VECTOR.as_ptr(), len, list, context, Some(owner_gone), &raw mut out) };
    assert_eq!(status, OK, "{}", last_text());
    Hand(out)
}

/// Shares, reads, drops the shares, and in the end drops what it was given.
fn use_and_drop(Hand(mut mine): Hand, rounds: usize) {
    for _ in 0..rounds {
        let (mut share, mut descriptor, mut count) = (null_mut(), null_mut(), 0);
        let (mut list, mut buffer, mut data) = (null_mut(), null_mut(), null_mut());
        // SAFETY: `mine` is live until the end; borrowed handles are used while the share lives.
        unsafe {
            assert_eq!(hurray_tensor_share(mine, &raw mut share), OK);
            assert_eq!(hurray_tensor_descriptor(share, &raw mut descriptor), OK);
            assert_eq!(hurray_descriptor_field_u64(descriptor, 0x0008_0081, 0, &raw mut count), OK);
            assert_eq!(hurray_tensor_buffers(share, &raw mut list), OK);
            assert_eq!(hurray_buffer_list_get(list, 0, &raw mut buffer), OK);
            assert_eq!(hurray_buffer_host_ptr(buffer, &raw mut data), OK);
            assert_eq!((count, *data.cast::<u8>()), (2, 5));
            assert_eq!(hurray_tensor_destroy(&raw mut share), OK);
        }
    }
    // SAFETY: owned, and ended once.
    assert_eq!(unsafe { hurray_tensor_destroy(&raw mut mine) }, OK);
}

/// The same with two copies of the library is in tests/copies.
#[test]
fn eight_threads_release_once() {
    for _ in 0..20 {
        let releases = Releases::default();
        let whole = tensor(&releases);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                let mut share = null_mut();
                // SAFETY: live; the output is this frame's own.
                assert_eq!(unsafe { hurray_tensor_share(whole.0, &raw mut share) }, OK);
                let hand = Hand(share);
                scope.spawn(move || {
                    let hand = hand;
                    use_and_drop(hand, 200);
                });
            }
            assert_eq!(releases.owners.load(Ordering::Relaxed), 0);
            use_and_drop(whole, 0);
        });
        assert_eq!(releases.buffers.load(Ordering::Relaxed), 1);
        assert_eq!(releases.owners.load(Ordering::Relaxed), 1);
    }
}

/// What a release that calls back works on.
struct Nested {
    releases: Releases,
    other: Hand,
    made: Hand,
}

/// Ends another tensor, shares a third and ends the share, and makes one more.
unsafe extern "C" fn calls_back(owner: *mut c_void) {
    // SAFETY: the test's own; the tensors are live, and nobody else uses them now.
    unsafe {
        let nested = &mut *owner.cast::<Nested>();
        assert_eq!(hurray_tensor_destroy(&raw mut nested.other.0), OK);
        nested.made = tensor(&nested.releases);
        let mut share = null_mut();
        assert_eq!(hurray_tensor_share(nested.made.0, &raw mut share), OK);
        assert_eq!(hurray_tensor_destroy(&raw mut share), OK);
        // A failing call, whose text is this thread's.
        assert_ne!(hurray_tensor_share(std::ptr::null(), &raw mut share), OK);
    }
}

#[test]
fn a_release_may_call_back() {
    let before = Releases::default();
    let mut nested = Nested { releases: Releases::default(), other: tensor(&before), made: Hand(null_mut()) };
    let owner = (&raw mut nested).cast();
    let (list, mut outer) = (list(None, null_mut()), null_mut());
    let len = VECTOR.len() as u64;
    // SAFETY: the list is consumed; the outputs are this frame's own; each handle is ended once.
    unsafe {
        let (data, out) = (VECTOR.as_ptr(), &raw mut outer);
        assert_eq!(hurray_tensor_new(10, data, len, list, owner, Some(calls_back), out), OK);
        assert_eq!(hurray_tensor_destroy(&raw mut outer), OK);
        let nested = &mut *owner.cast::<Nested>();
        assert!(nested.other.0.is_null());
        assert_eq!(before.owners.load(Ordering::Relaxed), 1);
        assert_eq!(nested.releases.owners.load(Ordering::Relaxed), 0);
        assert_eq!(hurray_tensor_destroy(&raw mut nested.made.0), OK);
        assert_eq!(nested.releases.owners.load(Ordering::Relaxed), 1);
    }
}
