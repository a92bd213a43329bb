//! Tensors whose buffers hold something.

use super::bytes::Bytes;
use super::call::{Refusal, outcome};
use super::status;
use hurray::abi::*;
use std::ptr::{null, null_mut};

#[repr(align(64))]
#[derive(Clone, Copy)]
struct Line([u8; 64]);

/// A copy of some bytes at a multiple of 64.
fn aligned(bytes: &[u8]) -> Vec<Line> {
    let line = |part: &[u8]| {
        let mut line = Line([0; 64]);
        line.0[..part.len()].copy_from_slice(part);
        line
    };
    bytes.chunks(64).map(line).collect()
}

/// Runs `body` with a tensor over copies of the given buffers, and gives what the call in it said.
fn with_tensor(
    descriptor: &Bytes,
    buffers: &[Vec<u8>],
    body: impl FnOnce(*mut HurrayTensor) -> i32,
) -> Result<(), Refusal> {
    let held: Vec<_> = buffers.iter().map(|bytes| aligned(bytes)).collect();
    let input = descriptor.input();
    let (mut list, mut tensor) = (null_mut(), null_mut());
    // SAFETY: every handle is this function's own and ended once; the memory outlives the tensor.
    unsafe {
        assert_eq!(hurray_buffer_list_new(buffers.len() as u64, &raw mut list), status::OK);
        for (bytes, memory) in buffers.iter().zip(&held) {
            let (mut buffer, data) = (null_mut(), memory.as_ptr().cast_mut().cast());
            let len = bytes.len() as u64;
            let made = hurray_buffer_from_ptr(data, len, 64, 0, 0, 0, None, null_mut(), &raw mut buffer);
            assert_eq!(made, status::OK);
            assert_eq!(hurray_buffer_list_push(list, buffer), status::OK);
        }
        let (data, len) = (input.as_ptr(), input.len() as u64);
        let made = hurray_tensor_new(10, data, len, list, null_mut(), None, &raw mut tensor);
        outcome(made).expect("a tensor");
        let said = outcome(body(tensor));
        assert_eq!(hurray_tensor_destroy(&raw mut tensor), status::OK);
        said
    }
}

/// What a check of the contents says.
pub fn check_data(descriptor: &Bytes, buffers: &[Vec<u8>]) -> Result<(), Refusal> {
    // SAFETY: a live tensor, and no options.
    with_tensor(descriptor, buffers, |tensor| unsafe { hurray_tensor_check_data(tensor, null()) })
}

/// Where an element of a tensor is.
pub fn element_offset(descriptor: &Bytes, buffers: &[Vec<u8>], index: &[u64]) -> Result<u64, Refusal> {
    let mut offset = 0;
    // SAFETY: a live tensor; the index is a slice, the output this frame's own.
    with_tensor(descriptor, buffers, |tensor| unsafe {
        hurray_tensor_element_offset(tensor, index.as_ptr(), index.len(), &raw mut offset)
    })?;
    Ok(offset)
}
