//! Releases, and pointers with lengths.

use crate::call::*;
use hurray::abi::*;
use std::cell::RefCell;
use std::ffi::c_void;
use std::ptr::{null, null_mut};

thread_local! {
    static RELEASED: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
}

unsafe extern "C" fn release(_: *mut c_void, number: *mut c_void) {
    RELEASED.with_borrow_mut(|released| released.push(number.addr()));
}

fn released() -> Vec<usize> {
    RELEASED.take()
}

/// arrow #35760: a release that is NULL, and one that comes back into the library, are both one release.
#[test]
fn b124_a_release_may_be_null() {
    let plan = Plan(0x03, 1, &[4], &[]);
    drop(tensor(&plan, None, None).unwrap());
    drop(tensor(&plan, None, Some(release)).unwrap());
    assert_eq!(released(), [0]);
    // A release that calls back is in tests/proof/threads.rs.
}

/// duckdb #1612: the end of the whole is the end of each buffer, once and in order, whatever was dropped before.
#[test]
fn b125_each_buffer_is_released_once() {
    let fields = [Set::U(0x0001_0700, 3)];
    let plan = Plan(0x03, 7, &[2, 3], &fields);
    for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2]] {
        let whole = tensor(&plan, None, Some(release)).unwrap();
        let mut hands = [Some(whole.part(1).unwrap()), Some(whole.part(2).unwrap()), Some(whole)];
        for (dropped, k) in order.into_iter().enumerate() {
            assert!(released().is_empty(), "after {dropped}");
            hands[k] = None;
        }
        assert_eq!(released(), [0, 1, 2]);
    }
}

/// metatensor #276: NULL with length 0 is an empty slice, NULL with a length is an error, and neither is a crash.
#[test]
fn b128_null_with_and_without_a_length() {
    let (mut builder, mut descriptor, mut item, mut tensor) =
        (null_mut(), null_mut(), null_mut(), null_mut());
    // SAFETY: what is NULL is refused or empty; the outputs are this frame's own, and handles are ended once.
    unsafe {
        assert_eq!(hurray_descriptor_builder_new(3, 1, null(), 0, &raw mut builder), OK);
        assert_eq!(hurray_descriptor_decode(null(), 0, &raw mut descriptor), -15);
        assert_eq!(hurray_descriptor_decode(null(), 5, &raw mut descriptor), NULL_POINTER);
        assert_ne!(hurray_descriptor_from_fields(null(), 0, &raw mut descriptor), NULL_POINTER);
        assert_eq!(hurray_descriptor_from_fields(null(), 5, &raw mut descriptor), NULL_POINTER);
        let strides = 0x0001_0300;
        assert_eq!(hurray_descriptor_builder_set_i64_array(builder, strides, 0, null(), 5), NULL_POINTER);
        assert_ne!(hurray_descriptor_builder_set_i64_array(builder, strides, 0, null(), 0), NULL_POINTER);
        assert_eq!(hurray_descriptor_builder_set_u64_array(builder, 0x0003_0000, 0, null(), 0), OK);
        assert_eq!(hurray_descriptor_builder_set_u64_array(builder, 0x0003_0001, 0, null(), 0), OK);
        assert_eq!(hurray_descriptor_builder_push_default_buffers(builder), OK);
        // A scalar that is a shard of a scalar.
        assert_eq!(hurray_descriptor_builder_finish(builder, &raw mut descriptor), OK);
        assert_eq!(hurray_item_composite_new(descriptor, null(), 5, &raw mut item), NULL_POINTER);
        assert_eq!(hurray_item_composite_new(descriptor, null(), 0, &raw mut item), INVALID_ARGUMENT);
        let mut list = null_mut();
        assert_eq!(hurray_buffer_list_new(0, &raw mut list), OK);
        let new = |len: u64, out| hurray_tensor_new(10, null(), len, list, null_mut(), None, out);
        assert_eq!(new(0, &raw mut tensor), NULL_POINTER);
        assert_eq!(new(5, &raw mut tensor), NULL_POINTER);
        assert_eq!(hurray_buffer_list_destroy(&raw mut list), OK);
        assert_eq!(hurray_descriptor_destroy(&raw mut descriptor), OK);
        assert_eq!(hurray_descriptor_builder_destroy(&raw mut builder), OK);
    }
    assert!(item.is_null() && tensor.is_null());
}

/// A view of a view of a view, as `x = x[1:]` in a loop makes it, ends like one view: a chain would end by recursion, and
/// with it the stack.
#[test]
fn views_of_views_are_no_chain() {
    let views = || {
        let plan = Plan(0x03, 1, &[4], &[]);
        let mut view = tensor(&plan, None, Some(release)).unwrap();
        for _ in 0..20_000 {
            let (bounds, mut bytes, mut next) = ([0, 4, 1i64], 0, null_mut());
            let [start, stop, step] = bounds.each_ref().map(std::ptr::from_ref);
            // SAFETY: a live handle, arrays of one, and outputs of this frame.
            let status = unsafe {
                hurray_tensor_slice(view.0, start, stop, step, 1, null(), &raw mut bytes, &raw mut next)
            };
            assert_eq!(status, OK);
            view = Tensor(next);
        }
        let (mut list, mut buffer, mut share) = (null_mut(), null_mut(), null_mut());
        // SAFETY: live handles and outputs of this frame; each share is ended once.
        unsafe {
            assert_eq!(hurray_tensor_buffers(view.0, &raw mut list), OK);
            assert_eq!(hurray_buffer_list_get(list, 0, &raw mut buffer), OK);
            assert_eq!(hurray_buffer_share(buffer, &raw mut share), OK);
            drop(view);
            for _ in 0..20_000 {
                let mut last = std::mem::replace(&mut share, null_mut());
                assert_eq!(hurray_buffer_share(last, &raw mut share), OK);
                assert_eq!(hurray_buffer_destroy(&raw mut last), OK);
            }
            assert!(released().is_empty());
            assert_eq!(hurray_buffer_destroy(&raw mut share), OK);
        }
        assert_eq!(released(), [0]);
    };
    std::thread::Builder::new().stack_size(256 << 10).spawn(views).unwrap().join().unwrap();
}
