//! Owners whose releases are counted one by one.

use std::cell::RefCell;
use std::ffi::c_void;

thread_local! {
    static OWNERS: RefCell<Vec<u32>> = const { RefCell::new(Vec::new()) };
}

/// Forgets all owners.
pub fn reset() {
    OWNERS.with_borrow_mut(Vec::clear);
}

/// A new owner. It is taken back if the call that should keep it fails.
pub fn owner() -> *mut c_void {
    OWNERS.with_borrow_mut(|owners| {
        owners.push(0);
        std::ptr::without_provenance_mut(owners.len())
    })
}

/// Takes the last owner back: nothing may have released it.
pub fn take_back() {
    assert_eq!(OWNERS.with_borrow_mut(Vec::pop), Some(0));
}

/// How often each owner was released.
pub fn releases() -> Vec<u32> {
    OWNERS.with_borrow(Clone::clone)
}

fn release(owner: *mut c_void) {
    OWNERS.with_borrow_mut(|owners| owners[owner.addr() - 1] += 1);
}

pub unsafe extern "C" fn release_owner(owner: *mut c_void) {
    release(owner);
}

pub unsafe extern "C" fn release_buffer(_: *mut c_void, owner: *mut c_void) {
    release(owner);
}
