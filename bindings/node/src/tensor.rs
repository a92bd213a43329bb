//! Tensors, as the package's `tensor` module uses them.

use std::cell::RefCell;
use std::sync::Arc;

use hurray_client::{
    Array, ArrayView, BufferFlags, BufferList, BufferRole, Device, ElementType, MemoryClass, Owner, Status,
    Tensor, ViewFlags,
};
use napi::Env;
use napi::bindgen_prelude::{
    BigInt, BigInt64Array, BigUint64Array, JsObjectValue, Object, Uint8Array, Unknown,
};
use napi_derive::napi;

use crate::buffer::{NativeBuffer, READ_ONLY, address, copying};
use crate::descriptor::NativeDescriptor;
use crate::error::{OrThrow, refuse};
use crate::export;
use crate::memory::array_buffer;

/// A tensor's handle.
#[napi]
pub struct NativeTensor {
    /// None once closed, which may happen while a thread of the pool works on a share.
    handle: RefCell<Option<Arc<Tensor>>>,
    /// Bytes that the conversion wrote which made the tensor.
    moved: u64,
}

/// How far elements reach: bytes below the one at index zero, and bytes in all.
fn reach(shape: &[u64], strides: &[i64], width: u64) -> Option<(u64, u64)> {
    if shape.contains(&0) {
        return Some((0, 0));
    }
    let (mut low, mut high) = (0i128, i128::from(width));
    for (&extent, &stride) in shape.iter().zip(strides) {
        let last = i128::from(extent - 1).checked_mul(stride.into())?;
        low = low.checked_add(last.min(0))?;
        high = high.checked_add(last.max(0))?;
    }
    Some((u64::try_from(-low).ok()?, u64::try_from(high.checked_sub(low)?).ok()?))
}

fn row_major(shape: &[u64], width: u64) -> Option<Vec<i64>> {
    let mut strides = vec![0; shape.len()];
    let mut step = i64::try_from(width).ok()?;
    for (stride, &extent) in strides.iter_mut().zip(shape).rev() {
        *stride = step;
        step = step.checked_mul(i64::try_from(extent.max(1)).ok()?)?;
    }
    Some(strides)
}

/// Bytes below the element at index zero, and bytes in all, of elements at strides or packed below a byte.
fn extent(
    element_type: ElementType,
    shape: &[u64],
    byte_strides: Option<&[i64]>,
) -> napi::Result<Option<(u64, u64)>> {
    let bits = element_type.info().or_throw()?.bits;
    if bits < 8 {
        let count = shape.iter().try_fold(1u64, |count, &extent| count.checked_mul(extent));
        let bytes = count.map(|count| element_type.bytes(count)).transpose().or_throw()?;
        return Ok(bytes.map(|bytes| (0, bytes)));
    }
    let width = u64::from(bits / 8);
    Ok(match byte_strides {
        Some(strides) => reach(shape, strides, width),
        None => row_major(shape, width).and_then(|strides| reach(shape, &strides, width)),
    })
}

impl NativeTensor {
    pub(crate) fn of(handle: Tensor) -> Self {
        Self::moved(handle, 0)
    }

    pub(crate) fn moved(handle: Tensor, moved: u64) -> Self {
        Self { handle: RefCell::new(Some(Arc::new(handle))), moved }
    }

    pub(crate) fn handle(&self) -> napi::Result<Arc<Tensor>> {
        match &*self.handle.borrow() {
            Some(handle) => Ok(handle.clone()),
            None => refuse(Status::INVALID_HANDLE, "the tensor is closed"),
        }
    }

    fn refuse_for_typed(view: &ArrayView<'_>, copy: bool) -> napi::Result<()> {
        if copy {
            return Ok(());
        }
        if view.flags().contains(ViewFlags::READ_ONLY) {
            return refuse(Status::COPY_REQUIRED, READ_ONLY);
        }
        if view.flags().contains(ViewFlags::MISALIGNED) {
            let text = format!(
                "the data at {:p} is not aligned for {}, and a typed array must be: `{{ copy: true }}` gives a copy",
                view.data(),
                view.element_type()
            );
            return refuse(Status::COPY_REQUIRED, text);
        }
        Ok(())
    }
}

#[napi]
impl NativeTensor {
    /// A tensor of an array's memory: `bytes` is all of it, `origin` where in it the element at index zero lies, in bytes.
    /// `copy` is 0 (if needed), 1 (never) or 2 (always).
    #[napi(factory)]
    pub fn from_array(
        tag: u8,
        shape: &[u64],
        byte_strides: Option<&[i64]>,
        bytes: Uint8Array,
        origin: i64,
        flags: u32,
        copy: u32,
    ) -> napi::Result<Self> {
        let element_type = ElementType(tag);
        let room = bytes.len() as u64;
        let fits = match (extent(element_type, shape, byte_strides)?, u64::try_from(origin)) {
            (Some((below, all)), Ok(origin)) => {
                all == 0
                    || (origin >= below && (origin - below).checked_add(all).is_some_and(|end| end <= room))
            }
            _ => false,
        };
        if !fits {
            let text = format!(
                "{room} bytes do not hold {element_type} elements of shape {shape:?} from offset {origin} on"
            );
            return refuse(Status::BUFFER_TOO_SMALL, text);
        }
        let array = Array {
            element_type,
            shape,
            byte_strides,
            data: address(&bytes).wrapping_byte_add(origin as usize),
            device: Device::CPU,
            memory_class: MemoryClass::STANDARD,
            device_id: 0,
            flags: BufferFlags(flags),
        };
        let options = if copy == 0 { None } else { Some(copying(copy)?) };
        // SAFETY: what type, shape and strides reach lies in the bytes, as was tested; the array keeps its memory while it
        // is referenced, which the owner sees to.
        let made = unsafe { Tensor::from_array(&array, options.as_ref(), Owner::of(bytes)) };
        made.or_throw().map(Self::of)
    }

    /// A tensor of a descriptor and its buffers, in order.
    #[napi(factory)]
    pub fn from_parts(descriptor: &NativeDescriptor, buffers: Vec<&NativeBuffer>) -> napi::Result<Self> {
        let mut list = BufferList::new(buffers.len() as u64).or_throw()?;
        for buffer in buffers {
            list.push(buffer.buffer.share().or_throw()?).or_throw()?;
        }
        Tensor::from_descriptor(&descriptor.descriptor, list, Owner::none()).or_throw().map(Self::of)
    }

    /// Bytes that the conversion wrote which made the tensor.
    #[napi]
    pub fn moved_bytes(&self) -> BigInt {
        self.moved.into()
    }

    /// Another handle on the same tensor.
    #[napi]
    pub fn share(&self) -> napi::Result<NativeTensor> {
        self.handle()?.share().or_throw().map(Self::of)
    }

    /// Everything that the descriptor carries, as words.
    #[napi]
    pub fn fields(&self) -> napi::Result<BigUint64Array> {
        let fields = self.handle()?.descriptor().and_then(|descriptor| descriptor.fields()).or_throw()?;
        Ok(BigUint64Array::new(fields.words().to_vec()))
    }

    /// A descriptor of its own.
    #[napi]
    pub fn descriptor(&self) -> napi::Result<NativeDescriptor> {
        NativeDescriptor::copy_of(self.handle()?.descriptor().or_throw()?)
    }

    /// The number of buffers.
    #[napi]
    pub fn buffer_count(&self) -> napi::Result<u32> {
        Ok(self.handle()?.buffer_count().or_throw()? as u32)
    }

    /// One buffer.
    #[napi]
    pub fn buffer(&self, index: u32) -> napi::Result<NativeBuffer> {
        let buffer = self.handle()?.buffer(index.into()).and_then(|buffer| buffer.share()).or_throw()?;
        Ok(NativeBuffer { buffer })
    }

    /// One array inside the tensor, as a tensor that shares it.
    #[napi]
    pub fn part(&self, role: u32, level: u32) -> napi::Result<NativeTensor> {
        self.handle()?.part(BufferRole(role), level).or_throw().map(Self::of)
    }

    /// The elements in place: `{ buffer, copied, origin, type, shape, byteStrides, flags }`; `origin` is where in `buffer`
    /// the element at index zero lies, in bytes.
    #[napi(ts_return_type = "{ buffer: ArrayBuffer; copied: boolean; origin: number; type: number; \
                             shape: BigUint64Array; byteStrides: BigInt64Array | null; flags: number }")]
    pub fn view<'env>(&self, env: &'env Env, copy: bool) -> napi::Result<Object<'env>> {
        let handle = self.handle()?;
        let view = handle.array_view().or_throw()?;
        Self::refuse_for_typed(&view, copy)?;
        let (below, all) = match extent(view.element_type(), view.shape(), view.byte_strides())? {
            Some((below, all)) if usize::try_from(all).is_ok() => (below, all),
            _ => return refuse(Status::OVERFLOW, "the elements reach over more bytes than 64 bits count"),
        };
        let first = view.data().cast::<u8>().wrapping_sub(below as usize);
        let keep = handle.share().or_throw()?;
        // SAFETY: the library vouches for the memory that its view reaches, for as long as a share of the tensor lives.
        let (buffer, copied) = unsafe { array_buffer(env, first, all as usize, copy, keep)? };
        let mut result = Object::new(env)?;
        result.set_named_property("buffer", buffer)?;
        result.set_named_property("copied", copied)?;
        result.set_named_property("origin", below as f64)?;
        result.set_named_property("type", u32::from(view.element_type().0))?;
        result.set_named_property("shape", BigUint64Array::new(view.shape().to_vec()))?;
        let strides = view.byte_strides().map(|strides| BigInt64Array::new(strides.to_vec()));
        result.set_named_property("byteStrides", strides)?;
        result.set_named_property("flags", view.flags().0)?;
        Ok(result)
    }

    /// One line for people.
    #[napi]
    pub fn describe(&self) -> napi::Result<String> {
        self.handle()?.describe().or_throw()
    }

    /// A share in an external, for another addon.
    #[napi(ts_return_type = "object")]
    pub fn export<'env>(&self, env: &'env Env) -> napi::Result<Unknown<'env>> {
        export::export(env, self.handle()?.share().or_throw()?)
    }

    /// Takes the tensor out of an external.
    #[napi(factory)]
    pub fn import(env: &Env, #[napi(ts_arg_type = "object")] external: Unknown<'_>) -> napi::Result<Self> {
        export::import(env, external).map(Self::of)
    }

    /// Ends the handle. Views keep shares of their own.
    #[napi]
    pub fn close(&self) {
        self.handle.take();
    }

    /// Whether `close` was called.
    #[napi]
    pub fn closed(&self) -> bool {
        self.handle.borrow().is_none()
    }
}
