//! Conversions: each is described once, and runs at once or on a thread of the pool.

use std::sync::Arc;

use hurray_client::{Buffer, BufferList, Converted, Descriptor, ElementType, Options, Owner, Result, Tensor};
use napi::bindgen_prelude::{AsyncTask, BigInt, BigUint64Array};
use napi_derive::napi;

use crate::buffer::NativeBuffer;
use crate::descriptor::NativeDescriptor;
use crate::error::OrThrow;
use crate::handle::{Made, NativeTensor};
use crate::options::NativeOptions;
use crate::work::Work;

enum How {
    Layout(Option<Descriptor>),
    Dequantize(ElementType),
    Quantize(Descriptor, Option<Vec<Buffer>>),
    Pack(ElementType),
    Unpack,
    Slice { start: Vec<i64>, stop: Vec<i64>, step: Vec<i64> },
    Gather(Option<Vec<u64>>),
    Statistics,
}

impl How {
    fn run(&self, tensor: &Tensor, options: &Options) -> Result<Made> {
        let options = Some(options);
        match self {
            How::Layout(target) => tensor.to_layout(target.as_deref(), None, options),
            How::Dequantize(element_type) => tensor.dequantize(*element_type, None, options),
            How::Quantize(target, parameters) => {
                let shares = parameters.as_ref().map(|all| all.iter().map(|one| one.share()));
                let list = match shares {
                    Some(shares) => Some(BufferList::of(shares.collect::<Result<Vec<_>>>()?)?),
                    None => None,
                };
                tensor.quantize(target, list.as_ref(), None, options)
            }
            How::Pack(element_type) => tensor.pack(*element_type, None, options),
            How::Unpack => tensor.unpack(None, options),
            How::Slice { start, stop, step } => tensor.slice(start, stop, step, options),
            How::Gather(lengths) => tensor.gather(lengths.as_deref(), None, options),
            How::Statistics => with_statistics(tensor, options),
        }
        .map(Made::from)
    }
}

/// The same buffers under the descriptor that has their statistics.
fn with_statistics(tensor: &Tensor, options: Option<&Options>) -> Result<Converted> {
    let descriptor = tensor.statistics(options)?;
    let count = tensor.buffer_count()?;
    let mut list = BufferList::new(count)?;
    for index in 0..count {
        list.push(tensor.buffer(index)?.share()?)?;
    }
    Ok((Tensor::from_descriptor(&descriptor, list, Owner::none())?, 0))
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

    /// To a part: start, stop and step of each dimension.
    #[napi(factory)]
    pub fn slice(start: &[i64], stop: &[i64], step: &[i64]) -> Self {
        one(How::Slice { start: start.to_vec(), stop: stop.to_vec(), step: step.to_vec() })
    }

    /// To the tokens of all pages.
    #[napi(factory)]
    pub fn gather(lengths: Option<BigUint64Array>) -> Self {
        one(How::Gather(lengths.map(|lengths| lengths.to_vec())))
    }

    /// To the same tensor with its statistics.
    #[napi(factory)]
    pub fn statistics() -> Self {
        one(How::Statistics)
    }
}

#[napi(ts_return_type = "NativeTensor")]
pub fn convert_sync(
    tensor: NativeTensor,
    conversion: &NativeConversion,
    options: &NativeOptions,
) -> napi::Result<Made> {
    conversion.how.run(&tensor.tensor, &options.options).or_throw()
}

#[napi(ts_return_type = "Promise<NativeTensor>")]
pub fn convert(
    tensor: NativeTensor,
    conversion: &NativeConversion,
    options: &NativeOptions,
) -> napi::Result<AsyncTask<Work<Made>>> {
    let tensor = tensor.tensor.share().or_throw()?;
    let (how, options) = (conversion.how.clone(), options.options.clone());
    Ok(Work::start(move || how.run(&tensor, &options)))
}

/// Holds the contents of all buffers to the format.
#[napi]
pub fn check_data_sync(tensor: NativeTensor, options: &NativeOptions) -> napi::Result<()> {
    tensor.tensor.check_data(Some(&options.options)).or_throw()
}

#[napi(ts_return_type = "Promise<void>")]
pub fn check_data(tensor: NativeTensor, options: &NativeOptions) -> napi::Result<AsyncTask<Work<()>>> {
    let (tensor, options) = (tensor.tensor.share().or_throw()?, options.options.clone());
    Ok(Work::start(move || tensor.check_data(Some(&options))))
}

fn fill(tensor: &Tensor, pages: &Tensor, lengths: Option<&[u64]>, options: &Options) -> Result<BigInt> {
    // SAFETY: who uses an array's memory meanwhile is the caller's to order, as with any other array of JavaScript's.
    unsafe { tensor.scatter(pages, lengths, Some(options)) }.map(BigInt::from)
}

/// Writes the tokens of a tensor into the pages of another; how many bytes.
#[napi]
pub fn scatter_sync(
    tensor: NativeTensor,
    pages: NativeTensor,
    lengths: Option<BigUint64Array>,
    options: &NativeOptions,
) -> napi::Result<BigInt> {
    fill(&tensor.tensor, &pages.tensor, lengths.as_deref(), &options.options).or_throw()
}

#[napi(ts_return_type = "Promise<bigint>")]
pub fn scatter(
    tensor: NativeTensor,
    pages: NativeTensor,
    lengths: Option<BigUint64Array>,
    options: &NativeOptions,
) -> napi::Result<AsyncTask<Work<BigInt>>> {
    let (tensor, pages) = (tensor.tensor.share().or_throw()?, pages.tensor.share().or_throw()?);
    let (lengths, options) = (lengths.map(|lengths| lengths.to_vec()), options.options.clone());
    Ok(Work::start(move || fill(&tensor, &pages, lengths.as_deref(), &options)))
}
