//! Products that leave their range.

use crate::call::*;
use std::ptr::{null, without_provenance};

/// arrow #51122: the product of a shape and a width is checked before anything is made.
#[test]
fn b07_shapes_that_overflow() {
    let data = without_provenance(4096);
    assert_eq!(array(0x04, &[1 << 61, 8], None, data, null()).unwrap_err(), OVERFLOW);
    assert_eq!(array(0x04, &[1 << 61, 8], Some(&[64, 8]), data, null()).unwrap_err(), OVERFLOW);
    assert_eq!(sizes(&Plan(0x04, 1, &[1 << 61, 8], &[]), None).unwrap_err(), OVERFLOW);
    let (mut out, mut builder) = (std::ptr::null_mut(), std::ptr::null_mut());
    // SAFETY: what is NULL is refused; the outputs are this frame's own.
    unsafe {
        use hurray::abi::*;
        let owner = std::ptr::null_mut();
        let data = std::ptr::without_provenance_mut(4096);
        let got = hurray_tensor_from_array(
            3,
            null(),
            2,
            null(),
            data,
            0,
            0,
            0,
            0,
            null(),
            owner,
            None,
            &raw mut out,
        );
        assert_eq!(got, NULL_POINTER);
        assert_eq!(hurray_descriptor_builder_new(3, 1, null(), 2, &raw mut builder), NULL_POINTER);
        assert_eq!(
            hurray_descriptor_builder_new(3, 1, [1; 65].as_ptr(), 65, &raw mut builder),
            LIMIT_EXCEEDED
        );
    }
    assert!(out.is_null() && builder.is_null());
}

/// zackshen/gguf #15: a huge shape never passes for a small one; a zero makes it empty, wherever it stands.
#[test]
fn b59_products_of_dimensions() {
    // The largest 64-bit number is a dynamic dimension here: a size cannot be told.
    assert_eq!(sizes(&Plan(0x03, 1, &[u64::MAX, 2], &[]), None).unwrap_err(), INVALID_ARGUMENT);
    assert_eq!(sizes(&Plan(0x03, 1, &[u64::MAX - 1, 2], &[]), None).unwrap_err(), OVERFLOW);
    assert_eq!(sizes(&Plan(0x03, 1, &[1 << 32, 1 << 32], &[]), None).unwrap_err(), OVERFLOW);
    for shape in [[1 << 62, 2, 0], [0, 1 << 62, 2], [1 << 63, 1 << 63, 0]] {
        assert_eq!(sizes(&Plan(0x03, 1, &shape, &[]), None), Ok(vec![0]));
    }
}

/// llama.cpp #27203: a count that a signed number does not hold is a count nevertheless.
#[test]
fn b60_counts_beyond_signed_numbers() {
    let plan = Plan(0x11, 1, &[(1 << 63) - 1, 2], &[]);
    assert_eq!(sizes(&plan, None), Ok(vec![u64::MAX - 1]));
    assert_eq!(sizes(&plan, Some(&[4096])).unwrap_err(), BUFFER_MISMATCH);
    assert_eq!(array(0x11, plan.2, None, without_provenance(4096), null()).unwrap_err(), OVERFLOW);
    assert_eq!(sizes(&Plan(0x12, 1, plan.2, &[]), None).unwrap_err(), OVERFLOW);
}
