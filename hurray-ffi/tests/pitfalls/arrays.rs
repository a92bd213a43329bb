//! Arrays in and out.

use crate::call::*;
use hurray::abi::*;
use std::ptr::{null, null_mut};

#[repr(align(64))]
struct Memory([u8; 4096]);
static MEMORY: Memory = Memory([0; 4096]);

fn at(byte: usize) -> *const std::ffi::c_void {
    MEMORY.0[byte..].as_ptr().cast()
}

/// Float32 on given strides.
fn floats(shape: &[u64], strides: &[i64]) -> View {
    array(0x03, shape, Some(strides), at(1024), null()).expect("an array").view().expect("a view")
}

/// onnxruntime #27450: an empty cache is an array like any other, whatever its strides and its pointer.
#[test]
fn b08_empty_arrays_are_contiguous() {
    let shape = [1, 8, 0, 128];
    for data in [at(0), null()] {
        for strides in [None, Some(&[9, -7, 0, 3][..]), Some(&[4; 4][..])] {
            let view = array(0x03, &shape, strides, data, null()).expect("accepted").view().expect("a view");
            assert_eq!((&view.shape[..], view.flags & 6), (&shape[..], 6), "row-major and column-major");
        }
    }
    assert_eq!(sizes(&Plan(0x03, 1, &shape, &[]), None), Ok(vec![0]));
}

/// paddle #78565: strides of an empty array are those of its shape.
#[test]
fn b09_strides_of_an_empty_array() {
    let view = array(0x03, &[0, 2048], None, at(0), null()).unwrap().view().unwrap();
    assert_eq!(view.strides, [8192, 4]);
}

/// drjit #122: a stride along a unit dimension means nothing.
#[test]
fn b10_strides_of_unit_dimensions_mean_nothing() {
    let view = floats(&[1, 3, 1, 4, 1], &[0, 16, 0, 4, 0]);
    assert_eq!(view.shape, [1, 3, 1, 4, 1]);
    assert_eq!((view.strides[1], view.strides[3], view.flags & 2), (16, 4, 2));
}

/// pytorch #99803: strides of unit dimensions come back as they were.
#[test]
fn b11_strides_of_unit_dimensions_come_back() {
    assert_eq!(floats(&[1, 77], &[308, 4]).strides, [308, 4]);
    assert_eq!(floats(&[512, 1], &[4, 2048]).strides, [4, 2048]);
}

/// pytorch #188023: negative strides are a view.
#[test]
fn b13_a_reversed_array_is_a_view() {
    let view = floats(&[10], &[-4]);
    assert_eq!((view.data, &view.strides[..]), (at(1024).addr(), &[-4][..]));
}

/// tenferro-rs #474: the first element may lie behind others; its address is what goes out.
#[test]
fn b14_the_first_element_is_the_pointer() {
    let view = floats(&[2, 3], &[-12, 4]);
    assert_eq!((view.data, &view.strides[..]), (at(1024).addr(), &[-12, 4][..]));
}

/// numpy #29872 and #19083: a scalar has no dimensions, and its arrays may be NULL.
#[test]
fn b16_b17_scalars() {
    let mut out = null_mut();
    // SAFETY: rank 0 reads no shape; one float64 lies at the pointer.
    let status = unsafe {
        let data = at(64).cast_mut();
        hurray_tensor_from_array(
            0x04,
            null(),
            0,
            null(),
            data,
            0,
            0,
            0,
            0,
            null(),
            null_mut(),
            None,
            &raw mut out,
        )
    };
    assert_eq!(status, OK);
    let scalar = Tensor(out);
    let view = scalar.view().unwrap();
    assert_eq!((view.data, view.shape.len(), view.strides.len()), (at(64).addr(), 0, 0));
    let (mut rank, mut data, mut flags) = (0, null_mut(), 0);
    // SAFETY: a live tensor; rank 0 writes into no array.
    let status = unsafe {
        hurray_tensor_array_view(
            scalar.0,
            &raw mut data,
            null_mut(),
            null_mut(),
            &raw mut rank,
            &raw mut flags,
        )
    };
    assert_eq!((status, rank), (OK, 0));
    assert_eq!(array(0x03, &[1; 65], None, at(0), null()).unwrap_err(), LIMIT_EXCEEDED);
}

/// ao #2939, openvino #32123: four bits an element, two in a byte; a view says that they are packed.
#[test]
fn b30_b31_four_bit_elements_are_packed() {
    let mut bytes = 0;
    // SAFETY: the output is this frame's own.
    assert_eq!(unsafe { hurray_element_type_bytes(0x48, 3, &raw mut bytes) }, OK);
    assert_eq!(bytes, 2);
    let tensor = array(0x48, &[3], None, at(0), null()).unwrap();
    assert_eq!(tensor.view().unwrap().flags & 16, 16);
}

/// tilelang #2073: an odd element has no address of its own: strides of packed types are refused, never rounded.
#[test]
fn b32_packed_types_take_no_strides() {
    assert_eq!(sizes(&Plan(0x48, 1, &[7], &[]), None), Ok(vec![4]));
    for strides in [[1], [2]] {
        assert!(array(0x48, &[7], Some(&strides), at(0), null()).is_err());
    }
}

/// dlpack #99 and arrow-rs #10028: wide types at a narrow address are a view that says so, or a copy, as asked.
#[test]
fn b29_b132_wide_types_at_narrow_addresses() {
    let copies = |choice: u64| {
        let mut options = null_mut();
        // SAFETY: the output is this frame's own; the handle is leaked to nobody: it is ended below.
        unsafe {
            assert_eq!(hurray_options_new(&raw mut options), OK);
            assert_eq!(hurray_options_set_u64(options, 24, choice), OK);
        }
        let result = array(0x51, &[4], None, at(1024 + 8), options);
        // SAFETY: owned, and ended once.
        assert_eq!(unsafe { hurray_options_destroy(&raw mut options) }, OK);
        result
    };
    for choice in [0, 1] {
        // complex128 is made of float64: 8 mod 16 is aligned for its elements.
        let view = copies(choice).unwrap().view().unwrap();
        assert_eq!((view.data, view.flags & 8), (at(1032).addr(), 0));
    }
    let always = copies(2).unwrap();
    assert_ne!(always.view().unwrap().data, at(1032).addr());
    assert_eq!(always.buffer_flags() & 32, 32, "copied on request");
    // float128 wants 16.
    let view = array(0x46, &[2], None, at(1032), null()).unwrap().view().unwrap();
    assert!(view.data.is_multiple_of(16) || view.flags & 8 == 8);
    // float64 at an odd address.
    let view = array(0x04, &[2], None, at(1025), null()).unwrap().view().unwrap();
    assert!(view.data.is_multiple_of(8) || view.flags & 8 == 8);
}

/// Among the most asked for: control over copying. A stride that is not whole elements needs a copy, and is an error
/// where none may be made.
#[test]
fn a_copy_that_is_forbidden_is_an_error() {
    let mut options = null_mut();
    // SAFETY: the output is this frame's own.
    unsafe {
        assert_eq!(hurray_options_new(&raw mut options), OK);
        assert_eq!(hurray_options_set_u64(options, 24, 1), OK);
    }
    assert_eq!(array(0x03, &[3], Some(&[6]), at(0), options).unwrap_err(), COPY_REQUIRED);
    // SAFETY: owned, and ended once.
    assert_eq!(unsafe { hurray_options_destroy(&raw mut options) }, OK);
    assert_eq!(
        array(0x03, &[3], Some(&[6]), at(0), null()).unwrap().buffer_flags() & 60,
        4,
        "copied for its alignment"
    );
}

/// dora #362: the pointer of an empty array is never looked at.
#[test]
fn b133_an_empty_array_with_any_pointer() {
    let tensor = array(0x51, &[0], None, std::ptr::without_provenance(1), null()).unwrap();
    assert_eq!(tensor.view().unwrap().shape, [0]);
    let mut buffer = null_mut();
    let odd = std::ptr::without_provenance_mut(1);
    // SAFETY: an empty buffer's pointer is not looked at.
    unsafe {
        assert_eq!(hurray_buffer_from_ptr(odd, 0, 64, 0, 0, 0, None, null_mut(), &raw mut buffer), OK);
        assert_eq!(hurray_buffer_destroy(&raw mut buffer), OK);
    }
}
