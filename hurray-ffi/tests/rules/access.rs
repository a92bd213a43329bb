//! Rules of element access, L-013 to L-017, by the descriptor alone. Sparse and block-paged tensors: contents.rs.

use crate::support::bytes::Bytes;
use crate::support::call::{Refusal, decode};
use crate::support::samples::*;
use crate::support::status::{BUFFER_MISMATCH, INDEX_OUT_OF_BOUNDS, INVALID_ARGUMENT, OVERFLOW};

/// The offset of an element, or what was said instead.
fn offset(bytes: Bytes, index: &[u64]) -> Result<u64, Refusal> {
    decode(&bytes.input()).expect("a descriptor").element_offset(index)
}

fn refused(said: Result<u64, Refusal>, status: i32, rule: &str, words: &str) {
    let said = said.expect_err("refused");
    assert_eq!((said.status, said.rule()), (status, rule));
    assert!(said.text.contains(words), "{}", said.text);
}

/// uint8, row-major, as large as it must be.
fn plain(shape: &[u64]) -> Bytes {
    bytes_of(shape, shape.iter().product())
}

#[test]
fn l_013_breaks() {
    for index in [&[][..], &[1], &[1, 2, 0]] {
        refused(offset(plain(&[2, 3]), index), INVALID_ARGUMENT, "L-013", "limit 2");
    }
}

#[test]
fn l_013_keeps() {
    assert_eq!(offset(plain(&[2, 3]), &[1, 2]).unwrap(), 5);
    assert_eq!(offset(plain(&[]), &[]).unwrap(), 0);
}

#[test]
fn l_014_breaks() {
    refused(offset(plain(&[2, 3]), &[0, 3]), INDEX_OUT_OF_BOUNDS, "L-014", "index[1] = 3 (limit 3)");
    refused(offset(plain(&[2, 3]), &[u64::MAX, 0]), INDEX_OUT_OF_BOUNDS, "L-014", "index[0]");
    refused(offset(plain(&[2, 0]), &[0, 0]), INDEX_OUT_OF_BOUNDS, "L-014", "index[1] = 0 (limit 0)");
    // A tile's padding and a code's holes are no elements.
    refused(offset(tiled(&[3], &[2], 4), &[3]), INDEX_OUT_OF_BOUNDS, "L-014", "limit 3");
    refused(offset(morton(0x11, &[3], &[2], 4), &[3]), INDEX_OUT_OF_BOUNDS, "L-014", "limit 3");
}

#[test]
fn l_014_keeps() {
    assert_eq!(offset(tiled(&[3], &[2], 4), &[2]).unwrap(), 2);
    assert_eq!(offset(morton(0x11, &[3], &[2], 4), &[2]).unwrap(), 2);
    assert_eq!(offset(hilbert(1, 2, &[2, 2], 4), &[1, 0]).unwrap(), 3);
}

#[test]
fn l_015_breaks() {
    let dynamic = || bytes_of(&[1, 1], 6).shape(&[u64::MAX, 3]);
    refused(offset(dynamic(), &[0, 0]), INVALID_ARGUMENT, "L-015", "shape[0]");
}

#[test]
fn l_015_keeps() {
    assert_eq!(offset(plain(&[1, 3]), &[0, 2]).unwrap(), 2);
}

/// No descriptor decodes whose offsets leave 64 bits, so no access meets one.
#[test]
fn l_016_breaks_at_decode() {
    for bytes in [
        bytes_of(&[1, 1], 1).shape(&[1 << 32, 1 << 32]).buffers(&[u64::MAX]),
        strided(0x11, &[2, 2], &[i64::MAX, 1], 0, u64::MAX),
        morton(0x11, &[1, 1], &[33, 32], u64::MAX),
    ] {
        assert_eq!(decode(&bytes.input()).expect_err("refused").status, OVERFLOW);
    }
}

#[test]
fn l_016_keeps() {
    let far = bytes_of(&[1, 1], 1).shape(&[1 << 32, 1 << 31]).buffers(&[1 << 63]);
    assert_eq!(offset(far, &[(1 << 32) - 1, (1 << 31) - 1]).unwrap(), (1 << 63) - 1);
    // The lowest offset there is, as two's complement.
    let back = strided(0x11, &[2], &[i64::MIN], 1 << 63, (1 << 63) + 1);
    assert_eq!(offset(back, &[1]).unwrap(), 1 << 63);
}

/// Every element of what decodes lies inside the declared bytes, whole: the last byte of the last one decides.
#[test]
fn l_017_breaks_at_decode() {
    for bytes in
        [bytes_of(&[1], 1).shape(&[3]).type_tag(0x03).buffers(&[11]), strided(0x11, &[3], &[-1], 1, 2)]
    {
        assert_eq!(decode(&bytes.input()).expect_err("refused").status, BUFFER_MISMATCH);
    }
}

#[test]
fn l_017_keeps() {
    assert_eq!(offset(bytes_of(&[1], 1).shape(&[3]).type_tag(0x03).buffers(&[12]), &[2]).unwrap(), 2);
    assert_eq!(offset(strided(0x11, &[3], &[-1], 2, 3), &[2]).unwrap(), 2u64.wrapping_neg());
}
