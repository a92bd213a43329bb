//! Items: a tensor, a composite of items, or a descriptor that came alone.

use std::fmt;
use std::ops::Deref;

use crate::descriptor::DescriptorRef;
use crate::error::{Result, Status, check};
use crate::handle::{borrowed, handle};
use crate::tensor::Tensor;
use crate::{library, sys};

handle! {
    /// An item of one's own. It reads as an [`ItemRef`].
    Item, HurrayItem, hurray_item_destroy
}

borrowed! {
    /// An item that belongs to a composite or an [`Item`].
    ItemRef, HurrayItem
}

/// What an item holds.
#[derive(Debug)]
pub enum Content<'a> {
    /// One tensor: a share of it.
    Tensor(Tensor),
    /// A composite: its head; [`ItemRef::member`] gives its members.
    Composite(&'a DescriptorRef),
    /// A descriptor without a tensor, from a stream that is read permissively or part by part; [`ItemRef::data`] gives
    /// the bytes that came with it.
    Descriptor(&'a DescriptorRef),
}

impl Item {
    /// An item of one tensor; it keeps a share.
    pub fn of(tensor: &Tensor) -> Result<Self> {
        let mut raw = std::ptr::null_mut();
        // SAFETY: the handle is live, and the out-parameter is a local.
        check(unsafe { sys::hurray_item_from_tensor(tensor.as_raw(), &mut raw) })?;
        Self::made(raw)
    }

    /// A composite of a head and its members, in order; it keeps shares of them.
    pub fn composite(head: &DescriptorRef, members: &[&ItemRef]) -> Result<Self> {
        let mut raw = std::ptr::null_mut();
        // SAFETY: all handles are live; a reference to an item is its handle's pointer; the out-parameter is a local.
        check(unsafe {
            let members_ptr = members.as_ptr().cast::<*const sys::HurrayItem>();
            sys::hurray_item_composite_new(head.as_raw(), members_ptr, members.len(), &mut raw)
        })?;
        Self::made(raw)
    }

    /// Takes over a handle.
    ///
    /// # Safety
    /// The handle is a live item of this C ABI version, and the caller's to destroy.
    pub unsafe fn from_raw(raw: *mut sys::HurrayItem) -> Result<Self> {
        library::ready()?;
        Self::made(raw)
    }
}

impl Deref for Item {
    type Target = ItemRef;

    fn deref(&self) -> &ItemRef {
        // SAFETY: the handle is live for as long as `self` is.
        unsafe { ItemRef::from_raw(self.as_raw()) }
    }
}

impl ItemRef {
    /// The tensor, the head of the composite, or the descriptor.
    pub fn content(&self) -> Result<Content<'_>> {
        let mut kind = 0;
        // SAFETY: the handle is live, and the out-parameter is a local.
        check(unsafe { sys::hurray_item_kind(self.as_raw(), &mut kind) })?;
        Ok(match kind {
            sys::HURRAY_ITEM_COMPOSITE => Content::Composite(self.head()?),
            sys::HURRAY_ITEM_DESCRIPTOR => Content::Descriptor(self.head()?),
            _ => Content::Tensor(self.tensor()?),
        })
    }

    /// A share of the item's tensor. `INVALID_ARGUMENT` if it has none.
    pub fn tensor(&self) -> Result<Tensor> {
        let mut raw = std::ptr::null_mut();
        // SAFETY: the handle is live, and the out-parameter is a local.
        check(unsafe { sys::hurray_item_tensor(self.as_raw(), &mut raw) })?;
        Tensor::made(raw)
    }

    /// The head of the composite, or the descriptor that came alone. `INVALID_ARGUMENT` if the item is a tensor.
    pub fn head(&self) -> Result<&DescriptorRef> {
        let mut raw = std::ptr::null_mut();
        // SAFETY: the handle is live, and the out-parameter is a local.
        check(unsafe { sys::hurray_item_head(self.as_raw(), &mut raw) })?;
        // SAFETY: a successful call wrote a handle that lives as long as the item's.
        Ok(unsafe { DescriptorRef::from_raw(raw) })
    }

    /// The bytes that came with a descriptor whose layout is unknown, as a uint8 tensor `[n]`: all its buffers, in order,
    /// without padding. `None` where nobody knows how many they are, and for a composite's head. `INVALID_ARGUMENT` if
    /// the item is a tensor or a composite.
    pub fn data(&self) -> Result<Option<Tensor>> {
        let mut raw = std::ptr::null_mut();
        // SAFETY: the handle is live, and the out-parameter is a local.
        match check(unsafe { sys::hurray_item_data(self.as_raw(), &mut raw) }) {
            Err(error) if error.status == Status::FIELD_NOT_APPLICABLE => Ok(None),
            done => done.and_then(|_| Tensor::made(raw)).map(Some),
        }
    }

    /// The number of members of the composite.
    pub fn member_count(&self) -> Result<u64> {
        let mut count = 0;
        // SAFETY: the handle is live, and the out-parameter is a local.
        check(unsafe { sys::hurray_item_member_count(self.as_raw(), &mut count) })?;
        Ok(count)
    }

    /// The member at `index` of the composite.
    pub fn member(&self, index: u64) -> Result<&ItemRef> {
        let mut raw = std::ptr::null_mut();
        // SAFETY: the handle is live, and the out-parameter is a local.
        check(unsafe { sys::hurray_item_member(self.as_raw(), index, &mut raw) })?;
        // SAFETY: a successful call wrote a handle that lives as long as the item's.
        Ok(unsafe { ItemRef::from_raw(raw) })
    }

    /// Another handle on the same item.
    pub fn share(&self) -> Result<Item> {
        let mut raw = std::ptr::null_mut();
        // SAFETY: the handle is live, and the out-parameter is a local.
        check(unsafe { sys::hurray_item_share(self.as_raw(), &mut raw) })?;
        Item::made(raw)
    }
}

impl fmt::Debug for ItemRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.content() {
            Ok(Content::Tensor(tensor)) => write!(f, "{tensor}"),
            Ok(Content::Composite(head) | Content::Descriptor(head)) => write!(f, "{head}"),
            Err(error) => write!(f, "<{error}>"),
        }
    }
}
