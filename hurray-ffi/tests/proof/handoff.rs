//! Buffers, lists and tensors with counted releases.

use crate::call::OK;
use crate::model::{Entry, Model};
use hurray::abi::*;
use std::cell::Cell;
use std::ffi::c_void;
use std::ptr::null_mut;

thread_local! {
    static RELEASED: Cell<u64> = const { Cell::new(0) };
}

/// Releases that ran on this thread.
pub fn released() -> u64 {
    RELEASED.get()
}

unsafe extern "C" fn release(_: *mut c_void, _: *mut c_void) {
    RELEASED.set(RELEASED.get() + 1);
}

pub unsafe extern "C" fn release_owner(_: *mut c_void) {
    RELEASED.set(RELEASED.get() + 1);
}

/// An address that is aligned to anything. Nothing ever reads there.
const NOWHERE: *mut c_void = std::ptr::without_provenance_mut(1 << 31);

/// Wraps memory that an entry of a buffer table describes.
pub fn buffer(entry: &Entry, out: &mut *mut HurrayBuffer) -> i32 {
    let Entry { byte_size, alignment, device, sync, class } = *entry;
    // SAFETY: the memory is never read; the output is the caller's.
    unsafe {
        hurray_buffer_from_ptr(
            NOWHERE,
            byte_size,
            alignment,
            device,
            sync,
            class,
            Some(release),
            null_mut(),
            &raw mut *out,
        )
    }
}

/// A list with every buffer of a model.
pub fn list(model: &Model) -> *mut HurrayBufferList {
    let mut list = null_mut();
    // SAFETY: every handle is this frame's own, passed where the contract wants it.
    unsafe {
        assert_eq!(hurray_buffer_list_new(0, &raw mut list), OK);
        for entry in &model.buffers {
            let mut handle = null_mut();
            assert_eq!(buffer(entry, &mut handle), OK);
            assert_eq!(hurray_buffer_list_push(list, handle), OK);
        }
    }
    list
}

pub fn list_len(list: *const HurrayBufferList) -> u64 {
    let mut len = 0;
    // SAFETY: a live list; the output is this frame's own.
    assert_eq!(unsafe { hurray_buffer_list_len(list, &raw mut len) }, OK);
    len
}

/// A tensor of the model, with an owner.
pub fn tensor(model: &Model) -> *mut HurrayTensor {
    let (bytes, list, mut out) = (model.bytes(), list(model), null_mut());
    let len = bytes.len() as u64;
    // SAFETY: the list is consumed; the output is this frame's own.
    let status = unsafe {
        hurray_tensor_new(10, bytes.as_ptr(), len, list, null_mut(), Some(release_owner), &raw mut out)
    };
    assert_eq!(status, OK, "{}", crate::call::last_text());
    out
}

pub fn end_tensor(mut tensor: *mut HurrayTensor) {
    // SAFETY: owned, and ended once.
    assert_eq!(unsafe { hurray_tensor_destroy(&raw mut tensor) }, OK);
}
