//! Buffers on their way into a tensor, and out of one.

use std::ffi::c_void;

use hurray_client::{
    Array, Buffer, BufferFlags, BufferRef, ElementType, Options, Owner, Placement, Status, Tensor, sys,
};
use napi::Env;
use napi::bindgen_prelude::{BigInt, JsObjectValue, Object, Uint8Array};
use napi_derive::napi;

use crate::error::{OrThrow, refuse};
use crate::memory::array_buffer;

/// One buffer.
#[napi]
pub struct NativeBuffer {
    pub(crate) buffer: Buffer,
}

/// What is known of a buffer.
#[napi(object)]
pub struct BufferInfo {
    pub byte_size: BigInt,
    pub alignment: u32,
    pub flags: u32,
    pub device: u8,
    pub device_id: i32,
    pub memory_class: u8,
    pub sync_mode: u8,
    pub lead: u32,
}

/// The address of bytes of JavaScript's, which `Owner::of` them keeps valid.
pub fn address(bytes: &Uint8Array) -> *mut c_void {
    bytes.as_ptr().cast_mut().cast()
}

/// What is known of a buffer's handle.
pub fn info(buffer: &BufferRef) -> napi::Result<BufferInfo> {
    let placement = buffer.placement().or_throw()?;
    Ok(BufferInfo {
        byte_size: buffer.byte_size().or_throw()?.into(),
        alignment: buffer.alignment().or_throw()?,
        flags: buffer.flags().or_throw()?.0,
        device: placement.device.0,
        device_id: buffer.device_id().or_throw()?,
        memory_class: placement.memory_class.0,
        sync_mode: placement.sync_mode.0,
        lead: buffer.lead().or_throw()?,
    })
}

#[napi]
impl NativeBuffer {
    /// Bytes as a buffer that begins with them; null if they are not aligned to 64.
    #[napi]
    pub fn wrap(bytes: Uint8Array) -> napi::Result<Option<NativeBuffer>> {
        let (data, size) = (address(&bytes), bytes.len());
        if size > 0 && !data.addr().is_multiple_of(64) {
            return Ok(None);
        }
        // SAFETY: the array keeps its memory while it is referenced, which the owner sees to.
        let buffer = unsafe { Buffer::from_ptr(data, size as u64, 64, Placement::HOST, Owner::of(bytes)) };
        Ok(Some(NativeBuffer { buffer: buffer.or_throw()? }))
    }

    /// Bytes at any address as a buffer.
    #[napi]
    pub fn wrap_anywhere(bytes: Uint8Array) -> napi::Result<NativeBuffer> {
        let shape = [bytes.len() as u64];
        let array = Array::row_major(ElementType::UINT8, &shape, address(&bytes));
        // SAFETY: the array keeps its memory while it is referenced, which the owner sees to.
        let tensor = unsafe { Tensor::from_array(&array, None, Owner::of(bytes)) }.or_throw()?;
        let buffer = tensor.buffer(0).and_then(|buffer| buffer.share()).or_throw()?;
        Ok(NativeBuffer { buffer })
    }

    /// A copy of bytes; `flags` say why.
    #[napi]
    pub fn copy_of(bytes: &[u8], flags: u32) -> napi::Result<NativeBuffer> {
        let mut buffer = Buffer::copy_of(bytes).or_throw()?;
        buffer.set_flags(BufferFlags(flags)).or_throw()?;
        Ok(NativeBuffer { buffer })
    }

    /// What is known of the buffer.
    #[napi]
    pub fn info(&self) -> napi::Result<BufferInfo> {
        info(&self.buffer)
    }

    /// The buffer's own bytes, without its lead: `{ buffer, copied }`.
    #[napi(ts_return_type = "{ buffer: ArrayBuffer; copied: boolean }")]
    pub fn bytes<'env>(&self, env: &'env Env, copy: bool) -> napi::Result<Object<'env>> {
        let data = self.buffer.host_ptr().or_throw()?;
        let (size, lead) = (self.buffer.byte_size().or_throw()?, self.buffer.lead().or_throw()?);
        if !copy && self.buffer.flags().or_throw()?.contains(BufferFlags::READ_ONLY) {
            return refuse(Status::COPY_REQUIRED, READ_ONLY);
        }
        let size = size.saturating_sub(lead.into());
        let data = data.cast::<u8>().wrapping_add(if size == 0 { 0 } else { lead as usize });
        let keep = self.buffer.share().or_throw()?;
        // SAFETY: the buffer has so many bytes after its lead, writable unless it is copied, for as long as a share lives.
        let (buffer, copied) = unsafe { array_buffer(env, data, size as usize, 1, copy, keep)? };
        let mut result = Object::new(env)?;
        result.set_named_property("buffer", buffer)?;
        result.set_named_property("copied", copied)?;
        Ok(result)
    }
}

/// Why there is no view of memory that must not be written to.
pub const READ_ONLY: &str =
    "the memory is read-only, and a JavaScript array cannot be: `{ copy: true }` gives a copy";

/// Copy options by number: 0 if needed, 1 never, 2 always.
pub fn copying(choice: u32) -> napi::Result<Options> {
    let mut options = Options::new().or_throw()?;
    options.set(sys::HURRAY_OPTION_COPY, choice.into()).or_throw()?;
    Ok(options)
}
