//! Damaged descriptors through the C functions: a clean status, the same from every function that decodes, and memory
//! within a small constant of the input.

use crate::call::{Descriptor, OK, decode, warm_up};
use crate::memory::counted;
use crate::samples::samples;
use hurray::abi::*;
use std::ptr::null_mut;

/// Bytes that decoding may hold at once: the decoded form and, behind it, a few times the input.
fn allowance(len: usize) -> isize {
    1536 + 8 * len as isize
}

/// Statuses that speak of a descriptor's bytes (c-abi.md §2): never a panic, never one of the caller's own faults.
const OF_BYTES: [i32; 11] = [-1, -2, -3, -4, -8, -14, -15, -16, -17, -20, -22];

/// A tensor of these bytes and no buffers, ended at once.
fn tensor(bytes: &[u8]) -> i32 {
    let (mut list, mut out) = (null_mut(), null_mut());
    // SAFETY: every handle is this frame's own, passed where the contract wants it, and ended once.
    unsafe {
        assert_eq!(hurray_buffer_list_new(0, &raw mut list), OK);
        let (data, len) = (bytes.as_ptr(), bytes.len() as u64);
        let status = hurray_tensor_new(10, data, len, list, null_mut(), None, &raw mut out);
        if status == OK {
            assert_eq!(hurray_tensor_destroy(&raw mut out), OK);
        } else {
            assert_eq!(hurray_buffer_list_destroy(&raw mut list), OK);
        }
        status
    }
}

fn holds_the_law(descriptor: &Descriptor, input: &[u8]) {
    let bytes = descriptor.encode();
    assert_eq!(bytes, input[..bytes.len()]);
    assert!(!descriptor.words().is_empty());
}

/// Gives the status of a strict reader.
fn check(input: &[u8]) -> i32 {
    // An allocation of its own: a tool that watches memory sees a read behind its end.
    let input: Box<[u8]> = input.into();
    let mut strict = OK;
    for permissive in [false, true] {
        let (result, taken) = counted(|| decode(&input, permissive));
        assert!(
            taken.peak <= allowance(input.len()),
            "{} bytes for {} of {input:02x?}",
            taken.peak,
            input.len()
        );
        match &result {
            Ok(descriptor) => holds_the_law(descriptor, &input),
            Err(status) => {
                assert!(OF_BYTES.contains(status), "status {status} for {input:02x?}");
                assert_eq!(taken.kept, 0, "a failed call keeps nothing");
            }
        }
        if permissive {
            assert!(strict != OK || result.is_ok(), "a permissive reader takes what a strict one does");
        } else {
            strict = result.err().unwrap_or(OK);
        }
    }
    strict
}

/// The same through a tensor's constructor.
fn check_tensor(input: &[u8], strict: i32) {
    let (status, taken) = counted(|| tensor(input));
    assert_eq!(taken.kept, 0);
    match (status, strict) {
        // Empty bytes are no bytes; buffers that are wanted are not there.
        (-6, _) => assert!(input.is_empty()),
        (-17 | OK, OK) => {}
        _ => assert_eq!(status, strict, "{input:02x?}"),
    }
}

#[test]
fn every_truncation() {
    warm_up();
    for sample in samples() {
        for len in 0..sample.len() {
            check_tensor(&sample[..len], check(&sample[..len]));
            // The same with a length that tells the truth.
            if len >= 10 {
                let mut honest = sample[..len].to_vec();
                honest[6..10].copy_from_slice(&(len as u32).to_le_bytes());
                check_tensor(&honest, check(&honest));
            }
        }
    }
}

/// Every single bit flipped is among these.
#[test]
fn every_other_value_of_every_byte() {
    warm_up();
    for mut sample in samples() {
        for at in 0..sample.len() {
            let kept = sample[at];
            for change in 1..=255u8 {
                sample[at] = kept ^ change;
                let strict = check(&sample);
                if change.is_power_of_two() {
                    check_tensor(&sample, strict);
                }
            }
            sample[at] = kept;
        }
    }
}

#[test]
fn every_sample_itself() {
    warm_up();
    for sample in samples() {
        assert!(decode(&sample, true).is_ok());
        check_tensor(&sample, check(&sample));
        // What follows a descriptor is not its own.
        check(&[&sample[..], b"HRRY and more"].concat());
    }
}
