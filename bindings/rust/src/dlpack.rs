//! Tensors as DLPack's managed structs, out and in. Their own header has the structs' fields.

use crate::error::{Result, check};
use crate::options::Options;
use crate::sys::{self, DLManagedTensor, DLManagedTensorVersioned};
use crate::tensor::Tensor;
use crate::{library, options};

impl Tensor {
    /// The tensor as DLPack's versioned struct, which keeps a share of it until its deleter has run, once, on any thread.
    pub fn to_dlpack(&self, options: Option<&Options>) -> Result<*mut DLManagedTensorVersioned> {
        let mut managed = std::ptr::null_mut();
        // SAFETY: the handles are live, and the out-parameter is a local.
        check(unsafe {
            sys::hurray_tensor_to_dlpack(self.as_raw(), options::pointer(options), &mut managed)
        })?;
        Ok(managed)
    }

    /// The tensor as DLPack's unversioned struct, for consumers older than DLPack 1.0. Read-only memory needs a copy.
    pub fn to_dlpack_unversioned(&self, options: Option<&Options>) -> Result<*mut DLManagedTensor> {
        let mut managed = std::ptr::null_mut();
        // SAFETY: the handles are live, and the out-parameter is a local.
        check(unsafe {
            sys::hurray_tensor_to_dlpack_unversioned(self.as_raw(), options::pointer(options), &mut managed)
        })?;
        Ok(managed)
    }

    /// The device that an export would carry: DLPack's type and id.
    pub fn dlpack_device(&self) -> Result<(i32, i32)> {
        let (mut kind, mut id) = (0, 0);
        // SAFETY: the handle is live, and the out-parameters are locals.
        check(unsafe { sys::hurray_tensor_dlpack_device(self.as_raw(), &mut kind, &mut id) })?;
        Ok((kind, id))
    }

    /// A tensor of DLPack's versioned struct. On success the struct is the tensor's and the pointer NULL; on failure it
    /// stays the caller's, but that one of an unknown major version is released and the pointer NULL.
    ///
    /// # Safety
    /// The struct is as DLPack describes it, the caller's, and its memory stays valid until its deleter runs.
    pub unsafe fn from_dlpack(
        managed: &mut *mut DLManagedTensorVersioned,
        options: Option<&Options>,
    ) -> Result<Self> {
        library::ready()?;
        let mut raw = std::ptr::null_mut();
        // SAFETY: the struct is the caller's by contract; the rest are live or locals.
        check(unsafe { sys::hurray_tensor_from_dlpack(managed, options::pointer(options), &mut raw) })?;
        Self::made(raw)
    }

    /// A read-only tensor of DLPack's unversioned struct, which on success is the tensor's, the pointer NULL.
    ///
    /// # Safety
    /// As [`Tensor::from_dlpack`].
    pub unsafe fn from_dlpack_unversioned(
        managed: &mut *mut DLManagedTensor,
        options: Option<&Options>,
    ) -> Result<Self> {
        library::ready()?;
        let mut raw = std::ptr::null_mut();
        // SAFETY: the struct is the caller's by contract; the rest are live or locals.
        check(unsafe {
            sys::hurray_tensor_from_dlpack_unversioned(managed, options::pointer(options), &mut raw)
        })?;
        Self::made(raw)
    }
}
