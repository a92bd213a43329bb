//! Conversions: each is described once, and runs at once or on a thread of the pool.

use std::sync::Arc;

use hurray_client::{BufferList, Descriptor, ElementType, Options, Tensor};
use napi::bindgen_prelude::{AsyncTask, BigInt};
use napi_derive::napi;

use crate::buffer::NativeBuffer;
use crate::descriptor::NativeDescriptor;
use crate::error::OrThrow;
use crate::library::options;
use crate::tensor::NativeTensor;
use crate::work::Work;

enum How {
    Layout(Option<Descriptor>),
    Dequantize(ElementType),
    Quantize(Descriptor, Option<Vec<hurray_client::Buffer>>),
    Pack(ElementType),
    Unpack,
}

impl How {
    fn run(&self, tensor: &Tensor, options: &Options) -> hurray_client::Result<NativeTensor> {
        let options = Some(options);
        let (converted, bytes) = match self {
            How::Layout(target) => tensor.to_layout(target.as_deref(), None, options),
            How::Dequantize(element_type) => tensor.dequantize(*element_type, None, options),
            How::Quantize(target, parameters) => {
                let shares = parameters.as_ref().map(|all| all.iter().map(|one| one.share()));
                let list = match shares {
                    Some(shares) => Some(BufferList::of(shares.collect::<hurray_client::Result<Vec<_>>>()?)?),
                    None => None,
                };
                tensor.quantize(target, list.as_ref(), None, options)
            }
            How::Pack(element_type) => tensor.pack(*element_type, None, options),
            How::Unpack => tensor.unpack(None, options),
        }?;
        Ok(NativeTensor::moved(converted, bytes))
    }
}

/// One conversion.
#[napi]
pub struct NativeConversion {
    how: Arc<How>,
}

fn one(how: How) -> NativeConversion {
    NativeConversion { how: Arc::new(how) }
}

fn own(descriptor: &NativeDescriptor) -> napi::Result<Descriptor> {
    Ok(NativeDescriptor::copy_of(&descriptor.descriptor)?.descriptor)
}

#[napi]
impl NativeConversion {
    /// To a layout; row-major without one.
    #[napi(factory)]
    pub fn layout(target: Option<&NativeDescriptor>) -> napi::Result<Self> {
        Ok(one(How::Layout(target.map(own).transpose()?)))
    }

    #[napi(factory)]
    pub fn dequantize(tag: u8) -> Self {
        one(How::Dequantize(ElementType(tag)))
    }

    /// Parameters are computed where none are given.
    #[napi(factory)]
    pub fn quantize(target: &NativeDescriptor, parameters: Option<Vec<&NativeBuffer>>) -> napi::Result<Self> {
        let shares = parameters.map(|all| all.into_iter().map(|one| one.buffer.share()).collect());
        Ok(one(How::Quantize(own(target)?, shares.transpose().or_throw()?)))
    }

    #[napi(factory)]
    pub fn pack(tag: u8) -> Self {
        one(How::Pack(ElementType(tag)))
    }

    #[napi(factory)]
    pub fn unpack() -> Self {
        one(How::Unpack)
    }
}

#[napi]
impl NativeTensor {
    #[napi]
    pub fn convert_sync(
        &self,
        conversion: &NativeConversion,
        settings: &[u64],
    ) -> napi::Result<NativeTensor> {
        let options = options(settings)?;
        conversion.how.run(&*self.handle()?, &options).or_throw()
    }

    #[napi(ts_return_type = "Promise<NativeTensor>")]
    pub fn convert(
        &self,
        conversion: &NativeConversion,
        settings: &[u64],
    ) -> napi::Result<AsyncTask<Work<NativeTensor>>> {
        let (tensor, options) = (self.handle()?.share().or_throw()?, options(settings)?);
        let how = conversion.how.clone();
        Ok(Work::start(move || how.run(&tensor, &options)))
    }

    /// The offset of an element, in elements from the one at index zero, as two's complement.
    #[napi]
    pub fn element_offset(&self, index: &[u64]) -> napi::Result<BigInt> {
        Ok(self.handle()?.element_offset(index).or_throw()?.into())
    }
}
