//! Items: tensors and composites.

use hurray_client::{Content, Item, ItemRef};
use napi_derive::napi;

use crate::descriptor::NativeDescriptor;
use crate::error::OrThrow;
use crate::tensor::NativeTensor;

/// A tensor or a composite.
#[napi]
pub struct NativeItem {
    pub(crate) item: Item,
}

#[napi]
impl NativeItem {
    /// An item that shares a tensor.
    #[napi(factory)]
    pub fn of_tensor(tensor: &NativeTensor) -> napi::Result<Self> {
        Item::of(&*tensor.handle()?).or_throw().map(|item| Self { item })
    }

    /// A composite of a head and its members, with all rules of composites.
    #[napi(factory)]
    pub fn composite(head: &NativeDescriptor, members: Vec<&NativeItem>) -> napi::Result<Self> {
        let members: Vec<&ItemRef> = members.into_iter().map(|member| &*member.item).collect();
        Item::composite(&head.descriptor, &members).or_throw().map(|item| Self { item })
    }

    /// The item's tensor; null for a composite.
    #[napi]
    pub fn tensor(&self) -> napi::Result<Option<NativeTensor>> {
        Ok(match self.item.content().or_throw()? {
            Content::Tensor(tensor) => Some(NativeTensor::of(tensor)),
            Content::Composite(_) => None,
        })
    }

    /// The head of a composite.
    #[napi]
    pub fn head(&self) -> napi::Result<NativeDescriptor> {
        NativeDescriptor::copy_of(self.item.head().or_throw()?)
    }

    /// The number of members of a composite.
    #[napi]
    pub fn member_count(&self) -> napi::Result<u32> {
        Ok(self.item.member_count().or_throw()? as u32)
    }

    /// A member of a composite.
    #[napi]
    pub fn member(&self, index: u32) -> napi::Result<NativeItem> {
        let item = self.item.member(index.into()).and_then(|member| member.share()).or_throw()?;
        Ok(NativeItem { item })
    }
}
