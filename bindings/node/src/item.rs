//! Items: tensors and composites.

use hurray_client::{Content, Item, ItemRef};
use napi::bindgen_prelude::AsyncTask;
use napi_derive::napi;

use crate::descriptor::NativeDescriptor;
use crate::error::OrThrow;
use crate::handle::{Made, NativeTensor};
use crate::options::NativeOptions;
use crate::work::Work;

/// A tensor, a composite, or a descriptor that came alone.
#[napi]
pub struct NativeItem {
    pub(crate) item: Item,
}

#[napi]
impl NativeItem {
    /// An item that shares a tensor.
    #[napi(factory)]
    pub fn of_tensor(tensor: NativeTensor) -> napi::Result<Self> {
        Item::of(&tensor.tensor).or_throw().map(|item| Self { item })
    }

    /// A composite of a head and its members, with all rules of composites.
    #[napi(factory)]
    pub fn composite(head: &NativeDescriptor, members: Vec<&NativeItem>) -> napi::Result<Self> {
        let members: Vec<&ItemRef> = members.into_iter().map(|member| &*member.item).collect();
        Item::composite(&head.descriptor, &members).or_throw().map(|item| Self { item })
    }

    /// The item's tensor; null for another kind.
    #[napi(ts_return_type = "NativeTensor | null")]
    pub fn tensor(&self) -> napi::Result<Option<Made>> {
        Ok(match self.item.content().or_throw()? {
            Content::Tensor(tensor) => Some(tensor.into()),
            Content::Composite(_) | Content::Descriptor(_) => None,
        })
    }

    /// Whether the item is a descriptor alone.
    #[napi]
    pub fn is_alone(&self) -> napi::Result<bool> {
        Ok(matches!(self.item.content().or_throw()?, Content::Descriptor(_)))
    }

    /// The bytes that came with a descriptor alone, if any did.
    #[napi(ts_return_type = "NativeTensor | null")]
    pub fn data(&self) -> napi::Result<Option<Made>> {
        Ok(self.item.data().or_throw()?.map(Made::from))
    }

    /// The head of a composite, or the descriptor alone.
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

    /// One tensor of a composite.
    #[napi(ts_return_type = "NativeTensor")]
    pub fn assemble_sync(&self, options: &NativeOptions) -> napi::Result<Made> {
        self.item.assemble(None, Some(&options.options)).or_throw().map(Made::from)
    }

    #[napi(ts_return_type = "Promise<NativeTensor>")]
    pub fn assemble(&self, options: &NativeOptions) -> napi::Result<AsyncTask<Work<Made>>> {
        let (item, options) = (self.item.share().or_throw()?, options.options.clone());
        Ok(Work::start(move || item.assemble(None, Some(&options)).map(Made::from)))
    }
}
