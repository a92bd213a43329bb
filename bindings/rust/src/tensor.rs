//! Tensors: a descriptor, its buffers, and what keeps their memory alive.

use std::ffi::c_void;
use std::fmt;
use std::marker::PhantomData;

use crate::array::{Array, ArrayView, Element, MAX_RANK, ViewFlags};
use crate::buffer::BufferRef;
use crate::descriptor::DescriptorRef;
use crate::error::{Error, Result, Status, check};
use crate::handle::handle;
use crate::list::{BufferList, buffer_at};
use crate::options::Options;
use crate::owner::Owner;
use crate::tag::BufferRole;
use crate::{library, options, read, sys};

handle! {
    /// A tensor: a descriptor, its buffers, and the owner of their memory. Shares are handles on one core, which goes with
    /// the last of them: descriptor, buffers, owner, each once.
    Tensor, HurrayTensor, hurray_tensor_destroy
}

impl Tensor {
    /// Makes a tensor from a descriptor's bytes and its buffers, in order. If the call fails, list and owner are dropped.
    pub fn new(descriptor: &[u8], buffers: BufferList, owner: Owner) -> Result<Self> {
        library::ready()?;
        let (pointer, release) = owner.tensor_parts();
        let mut raw = std::ptr::null_mut();
        // SAFETY: pointer and length are those of a slice; the list is live and nobody else uses it; the owner belongs to
        // its release function.
        check(unsafe {
            sys::hurray_tensor_new(
                sys::HURRAY_C_ABI_VERSION,
                descriptor.as_ptr(),
                descriptor.len() as u64,
                buffers.as_raw(),
                pointer,
                release,
                &mut raw,
            )
        })?;
        buffers.into_raw(); // the tensor has consumed it
        owner.taken();
        Self::made(raw)
    }

    /// Makes a tensor from a descriptor and its buffers, in order. If the call fails, list and owner are dropped.
    pub fn from_descriptor(descriptor: &DescriptorRef, buffers: BufferList, owner: Owner) -> Result<Self> {
        let (pointer, release) = owner.tensor_parts();
        let mut raw = std::ptr::null_mut();
        // SAFETY: both handles are live, and nobody else uses the list; the owner belongs to its release function.
        check(unsafe {
            sys::hurray_tensor_from_descriptor(
                descriptor.as_raw(),
                buffers.as_raw(),
                pointer,
                release,
                &mut raw,
            )
        })?;
        buffers.into_raw(); // the tensor has consumed it
        owner.taken();
        Self::made(raw)
    }

    /// Makes a dense tensor of an array, in place wherever the format can describe it. The owner is dropped when the
    /// memory is not needed any more: before the call returns if it copied or failed.
    ///
    /// # Safety
    /// The memory that type, shape and strides reach stays valid until the owner is dropped, and may be written to unless
    /// the flags say read-only.
    pub unsafe fn from_array(array: &Array<'_>, options: Option<&Options>, owner: Owner) -> Result<Self> {
        library::ready()?;
        let rank = array.shape.len();
        let strides = match array.byte_strides {
            Some(strides) if strides.len() != rank => {
                let text = format!("{} strides for {rank} dimensions", strides.len());
                return Err(Error::new(Status::INVALID_ARGUMENT, text));
            }
            Some(strides) => strides.as_ptr(),
            None => std::ptr::null(),
        };
        let (pointer, release) = owner.tensor_parts();
        let mut raw = std::ptr::null_mut();
        // SAFETY: shape and strides have `rank` items; the memory is the caller's promise; the owner belongs to its
        // release function.
        check(unsafe {
            sys::hurray_tensor_from_array(
                array.element_type.0,
                array.shape.as_ptr(),
                rank,
                strides,
                array.data,
                array.device.0,
                array.memory_class.0,
                array.device_id,
                array.flags.0,
                options::pointer(options),
                pointer,
                release,
                &mut raw,
            )
        })?;
        owner.taken();
        Self::made(raw)
    }

    /// Makes a row-major tensor of a vector, in place. `INVALID_ARGUMENT` if the shape does not have as many elements.
    pub fn from_vec<T: Element>(shape: &[u64], mut elements: Vec<T>) -> Result<Self> {
        let count = shape.iter().try_fold(1u64, |count, &extent| count.checked_mul(extent));
        let empty = shape.contains(&0);
        if !(count == Some(elements.len() as u64) || empty && elements.is_empty()) {
            let text = format!("{} elements do not make the shape {shape:?}", elements.len());
            return Err(Error::new(Status::INVALID_ARGUMENT, text));
        }
        let array = Array::row_major(T::TYPE, shape, elements.as_mut_ptr().cast());
        // SAFETY: the vector has just these elements, its memory stays where it is while the vector moves into the
        // owner, and nothing else can reach it.
        unsafe { Self::from_array(&array, None, Owner::of(elements)) }
    }

    /// Takes over a handle that came from elsewhere: its version first, and nothing else unless it is this build's. On
    /// failure the handle stays the caller's.
    ///
    /// # Safety
    /// The handle is a live tensor of any C ABI version, and the caller's to destroy.
    pub unsafe fn from_raw(raw: *mut sys::HurrayTensor) -> Result<Self> {
        library::ready()?;
        let mut version = 0;
        // SAFETY: the handle is live; this call reads handles of any version.
        check(unsafe { sys::hurray_tensor_abi_version(raw, &mut version) })?;
        if version != sys::HURRAY_C_ABI_VERSION {
            let wanted = sys::HURRAY_C_ABI_VERSION;
            let text = format!(
                "the tensor has version {version} of the Hurray C ABI, and this program was built for version {wanted}"
            );
            return Err(Error::new(Status::VERSION_MISMATCH, text));
        }
        Self::made(raw)
    }

    /// The C ABI version of the tensor's producer.
    pub fn abi_version(&self) -> Result<u32> {
        let mut version = 0;
        // SAFETY: the handle is live, and the out-parameter is a local.
        check(unsafe { sys::hurray_tensor_abi_version(self.as_raw(), &mut version) })?;
        Ok(version)
    }

    /// Another handle on the same tensor.
    pub fn share(&self) -> Result<Self> {
        let mut raw = std::ptr::null_mut();
        // SAFETY: the handle is live, and the out-parameter is a local.
        check(unsafe { sys::hurray_tensor_share(self.as_raw(), &mut raw) })?;
        Self::made(raw)
    }

    /// The tensor's descriptor.
    pub fn descriptor(&self) -> Result<&DescriptorRef> {
        let mut raw = std::ptr::null_mut();
        // SAFETY: the handle is live, and the out-parameter is a local.
        check(unsafe { sys::hurray_tensor_descriptor(self.as_raw(), &mut raw) })?;
        // SAFETY: a successful call wrote a handle that lives as long as the tensor's.
        Ok(unsafe { DescriptorRef::from_raw(raw) })
    }

    fn buffers(&self) -> Result<*const sys::HurrayBufferList> {
        let mut raw = std::ptr::null_mut();
        // SAFETY: the handle is live, and the out-parameter is a local.
        check(unsafe { sys::hurray_tensor_buffers(self.as_raw(), &mut raw) })?;
        Ok(raw)
    }

    /// The number of buffers.
    pub fn buffer_count(&self) -> Result<u64> {
        let mut len = 0;
        // SAFETY: the list lives as long as the tensor's handle, and the out-parameter is a local.
        check(unsafe { sys::hurray_buffer_list_len(self.buffers()?, &mut len) })?;
        Ok(len)
    }

    /// The buffer at `index`, in descriptor order.
    pub fn buffer(&self, index: u64) -> Result<&BufferRef> {
        // SAFETY: the list lives as long as the tensor's handle.
        unsafe { buffer_at(self.buffers()?, index) }
    }

    /// The elements as an ordinary array, for row-major, column-major and strided tensors that the host may read; else
    /// `UNSUPPORTED`. A quantized tensor gives its codes.
    pub fn array_view(&self) -> Result<ArrayView<'_>> {
        let mut view = ArrayView {
            data: std::ptr::null_mut(),
            element_type: self.descriptor()?.element_type()?,
            shape: [0; MAX_RANK],
            byte_strides: [0; MAX_RANK],
            rank: MAX_RANK,
            flags: ViewFlags(0),
            tensor: PhantomData,
        };
        let (shape, strides) = (view.shape.as_mut_ptr(), view.byte_strides.as_mut_ptr());
        // SAFETY: the handle is live; both arrays have the room that `rank` says.
        check(unsafe {
            let (data, rank, flags) = (&mut view.data, &mut view.rank, &mut view.flags.0);
            sys::hurray_tensor_array_view(self.as_raw(), data, shape, strides, rank, flags)
        })?;
        Ok(view)
    }

    /// As [`Tensor::array_view`], into arrays of the caller's: the address of the element at index zero, the rank and the
    /// flags. `BUFFER_TOO_SMALL` if the shorter one does not have an item for each dimension.
    pub fn array_view_into(
        &self,
        shape: &mut [u64],
        byte_strides: &mut [i64],
    ) -> Result<(*mut c_void, usize, ViewFlags)> {
        let (mut data, mut flags) = (std::ptr::null_mut(), ViewFlags(0));
        let mut rank = shape.len().min(byte_strides.len());
        let (shape, strides) = (shape.as_mut_ptr(), byte_strides.as_mut_ptr());
        // SAFETY: the handle is live; both arrays have the room that `rank` says.
        check(unsafe {
            sys::hurray_tensor_array_view(self.as_raw(), &mut data, shape, strides, &mut rank, &mut flags.0)
        })?;
        Ok((data, rank, flags))
    }

    /// One array inside the tensor as a dense tensor that shares it. `level` is that of a tree (CSF), else 0. No such
    /// part: `FIELD_NOT_APPLICABLE`.
    pub fn part(&self, role: BufferRole, level: u32) -> Result<Self> {
        let mut raw = std::ptr::null_mut();
        // SAFETY: the handle is live, and the out-parameter is a local.
        check(unsafe { sys::hurray_tensor_part(self.as_raw(), role.0, level, &mut raw) })?;
        Self::made(raw)
    }

    /// One line that says element type, shape, layout, quantization, device and bytes.
    pub fn describe(&self) -> Result<String> {
        // SAFETY: the handle is live; `out` has room for `*len` bytes.
        read::text(|out, len| unsafe { sys::hurray_tensor_describe(self.as_raw(), out, len) })
    }
}

impl fmt::Display for Tensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.describe() {
            Ok(line) => f.write_str(&line),
            Err(error) => write!(f, "<{error}>"),
        }
    }
}
