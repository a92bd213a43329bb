//! Tensors, as the package's `tensor` module uses them: free functions on handles, because an instance of a class costs
//! several times as much as the tensor that it would stand for.

use hurray_client::{BufferList, BufferRole, Owner, Tensor};
use napi::Env;
use napi::bindgen_prelude::{ArrayBuffer, BigInt, Unknown};
use napi_derive::napi;

use crate::buffer::{BufferInfo, NativeBuffer, info};
use crate::descriptor::{NativeDescriptor, words};
use crate::error::OrThrow;
use crate::export;
use crate::handle::{Made, NativeTensor};

/// A tensor of a descriptor and its buffers, in order.
#[napi(ts_return_type = "NativeTensor")]
pub fn from_parts(descriptor: &NativeDescriptor, buffers: Vec<&NativeBuffer>) -> napi::Result<Made> {
    let mut list = BufferList::new(buffers.len() as u64).or_throw()?;
    for buffer in buffers {
        list.push(buffer.buffer.share().or_throw()?).or_throw()?;
    }
    Tensor::from_descriptor(&descriptor.descriptor, list, Owner::none()).or_throw().map(Made::from)
}

/// Bytes that the conversion wrote which made the tensor.
#[napi]
pub fn moved_bytes(tensor: NativeTensor) -> BigInt {
    tensor.moved.into()
}

/// Another handle on the same tensor.
#[napi(ts_return_type = "NativeTensor")]
pub fn share(tensor: NativeTensor) -> napi::Result<Made> {
    tensor.tensor.share().or_throw().map(Made::from)
}

/// Everything that the descriptor carries, as 64-bit words.
#[napi]
pub fn fields(env: &Env, tensor: NativeTensor) -> napi::Result<ArrayBuffer<'_>> {
    words(env, &tensor.tensor.descriptor().and_then(|descriptor| descriptor.fields()).or_throw()?)
}

/// A descriptor of its own.
#[napi]
pub fn descriptor(tensor: NativeTensor) -> napi::Result<NativeDescriptor> {
    NativeDescriptor::copy_of(tensor.tensor.descriptor().or_throw()?)
}

/// The number of buffers.
#[napi]
pub fn buffer_count(tensor: NativeTensor) -> napi::Result<u32> {
    Ok(tensor.tensor.buffer_count().or_throw()? as u32)
}

/// What is known of one buffer.
#[napi]
pub fn buffer_info(tensor: NativeTensor, index: u32) -> napi::Result<BufferInfo> {
    info(tensor.tensor.buffer(index.into()).or_throw()?)
}

/// One buffer.
#[napi]
pub fn buffer(tensor: NativeTensor, index: u32) -> napi::Result<NativeBuffer> {
    let buffer = tensor.tensor.buffer(index.into()).and_then(|buffer| buffer.share()).or_throw()?;
    Ok(NativeBuffer { buffer })
}

/// One array inside the tensor, as a tensor that shares it.
#[napi(ts_return_type = "NativeTensor")]
pub fn part(tensor: NativeTensor, role: u32, level: u32) -> napi::Result<Made> {
    tensor.tensor.part(BufferRole(role), level).or_throw().map(Made::from)
}

/// One line for people.
#[napi]
pub fn describe(tensor: NativeTensor) -> napi::Result<String> {
    tensor.tensor.describe().or_throw()
}

/// The offset of an element, in elements from the one at index zero, as two's complement.
#[napi]
pub fn element_offset(tensor: NativeTensor, index: &[u64]) -> napi::Result<BigInt> {
    Ok(tensor.tensor.element_offset(index).or_throw()?.into())
}

/// Takes the tensor out of an external.
#[napi(ts_args_type = "external: object", ts_return_type = "NativeTensor")]
pub fn import_tensor(env: &Env, external: Unknown<'_>) -> napi::Result<Made> {
    export::import(env, external).map(Made::from)
}
