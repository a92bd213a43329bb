//! Items: tensors and composites of them, through the C functions.

use super::bytes::Bytes;
use super::call::{Refusal, Tensor, decode, memory, outcome, tensor};
use super::status;
use hurray::abi::*;
use std::ptr::null_mut;

/// An owned item handle.
#[derive(Debug)]
pub struct Item(*mut HurrayItem);

impl Drop for Item {
    fn drop(&mut self) {
        // SAFETY: owned, and ended once.
        assert_eq!(unsafe { hurray_item_destroy(&raw mut self.0) }, status::OK);
    }
}

/// A tensor's item. Its buffers have the declared sizes; nobody reads them.
impl From<Bytes> for Item {
    fn from(bytes: Bytes) -> Item {
        let buffers: Vec<_> = bytes.sizes().into_iter().map(memory).collect();
        let tensor = tensor(&bytes.input(), &buffers).expect("a member that is sound on its own");
        let mut out = null_mut();
        // SAFETY: a live tensor; the output is this frame's own.
        assert_eq!(unsafe { hurray_item_from_tensor(tensor.0, &raw mut out) }, status::OK);
        Item(out)
    }
}

impl Item {
    pub fn kind(&self) -> u32 {
        kind(self.0)
    }

    /// Descriptor bytes of the head, then of each member.
    pub fn parts(&self) -> Vec<Vec<u8>> {
        let (mut count, mut parts) = (0, vec![descriptor_of(self.0)]);
        // SAFETY: a live composite; the output is this frame's own.
        assert_eq!(unsafe { hurray_item_member_count(self.0, &raw mut count) }, status::OK);
        for index in 0..count {
            let mut member = null_mut();
            // SAFETY: as above; the member is borrowed of the composite.
            assert_eq!(unsafe { hurray_item_member(self.0, index, &raw mut member) }, status::OK);
            parts.push(descriptor_of(member));
        }
        parts
    }
}

fn kind(item: *const HurrayItem) -> u32 {
    let mut kind = 0;
    // SAFETY: a live item; the output is this frame's own.
    assert_eq!(unsafe { hurray_item_kind(item, &raw mut kind) }, status::OK);
    kind
}

/// The bytes of a composite's head or a tensor's descriptor.
fn descriptor_of(item: *const HurrayItem) -> Vec<u8> {
    let (mut tensor, mut descriptor) = (Tensor(null_mut()), null_mut());
    // SAFETY: a live item; outputs are this frame's own, and the descriptor is borrowed of what outlives it here.
    unsafe {
        if kind(item) == HURRAY_ITEM_TENSOR {
            assert_eq!(hurray_item_tensor(item, &raw mut tensor.0), status::OK);
            assert_eq!(hurray_tensor_descriptor(tensor.0, &raw mut descriptor), status::OK);
        } else {
            assert_eq!(hurray_item_head(item, &raw mut descriptor), status::OK);
        }
        let (mut bytes, mut len) = (vec![0; 4096], 4096);
        assert_eq!(hurray_descriptor_encode(descriptor, bytes.as_mut_ptr(), &raw mut len), status::OK);
        bytes.truncate(len);
        bytes
    }
}

/// Makes a composite. Head and members stay the caller's, also when the call fails.
pub fn compose(head: &Bytes, members: &[Item]) -> Result<Item, Refusal> {
    let head = decode(&head.input()).expect("a head that is sound on its own");
    let handles: Vec<*const HurrayItem> = members.iter().map(|member| member.0.cast_const()).collect();
    let mut out = std::ptr::dangling_mut();
    // SAFETY: live handles; the output is this frame's own.
    let got = unsafe { hurray_item_composite_new(head.0, handles.as_ptr(), handles.len(), &raw mut out) };
    let result = outcome(got);
    assert_eq!(result.is_err(), out.is_null(), "an out-handle is NULL exactly when the call fails");
    result.map(|()| Item(out))
}
