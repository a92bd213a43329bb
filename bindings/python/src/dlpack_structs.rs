//! DLPack's structs, as its published header 1.3 has them, and what capsules of each are called.

use std::ffi::{CStr, c_void};

use hurray_client::{Options, Result, Tensor, sys};

pub const VERSION: Version = Version { major: 1, minor: 3 };
/// The host's memory, as a type of device.
pub const CPU: i32 = 1;
pub const FLAG_IS_COPIED: u64 = 2;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Version {
    pub major: u32,
    pub minor: u32,
}

/// `DLTensor`
#[repr(C)]
#[derive(Clone, Copy)]
pub struct DlTensor {
    pub data: *mut c_void,
    pub device_type: i32,
    pub device_id: i32,
    pub ndim: i32,
    pub code: u8,
    pub bits: u8,
    pub lanes: u16,
    pub shape: *mut i64,
    pub strides: *mut i64,
    pub byte_offset: u64,
}

/// `DLManagedTensorVersioned`
#[repr(C)]
pub struct Versioned {
    pub version: Version,
    pub context: *mut c_void,
    pub deleter: Option<unsafe extern "C" fn(*mut Versioned)>,
    pub flags: u64,
    pub tensor: DlTensor,
}

/// `DLManagedTensor`
#[repr(C)]
pub struct Unversioned {
    pub tensor: DlTensor,
    pub context: *mut c_void,
    pub deleter: Option<unsafe extern "C" fn(*mut Unversioned)>,
}

/// What both managed structs have.
pub trait Managed: Sized {
    /// The name of a capsule that nobody consumed yet.
    const NAME: &'static CStr;
    /// The name of one that was consumed.
    const USED: &'static CStr;

    /// A struct that shares the tensor, or has a copy of it.
    fn export(tensor: &Tensor, options: Option<&Options>) -> Result<*mut Self>;

    /// A tensor of the struct, whose pointer is null after the call unless it stays the caller's.
    ///
    /// # Safety
    /// The struct is live and the caller's.
    unsafe fn import(managed: &mut *mut Self, options: Option<&Options>) -> Result<Tensor>;

    /// Its flags, or 0 where there are none.
    ///
    /// # Safety
    /// The struct is live.
    unsafe fn flags(managed: *const Self) -> u64;

    /// Ends the struct.
    ///
    /// # Safety
    /// The struct is live and the caller's.
    unsafe fn delete(managed: *mut Self);
}

impl Managed for Versioned {
    const NAME: &'static CStr = c"dltensor_versioned";
    const USED: &'static CStr = c"used_dltensor_versioned";

    fn export(tensor: &Tensor, options: Option<&Options>) -> Result<*mut Self> {
        tensor.to_dlpack(options).map(<*mut sys::DLManagedTensorVersioned>::cast)
    }

    unsafe fn import(managed: &mut *mut Self, options: Option<&Options>) -> Result<Tensor> {
        let mut raw = managed.cast();
        // SAFETY: the caller's promise; the library declares the same struct.
        let made = unsafe { Tensor::from_dlpack(&mut raw, options) };
        *managed = raw.cast();
        made
    }

    unsafe fn flags(managed: *const Self) -> u64 {
        // SAFETY: the caller's promise.
        unsafe { if (*managed).version.major == VERSION.major { (*managed).flags } else { 0 } }
    }

    unsafe fn delete(managed: *mut Self) {
        // SAFETY: the caller's promise.
        unsafe {
            if let Some(delete) = (*managed).deleter {
                delete(managed);
            }
        }
    }
}

impl Managed for Unversioned {
    const NAME: &'static CStr = c"dltensor";
    const USED: &'static CStr = c"used_dltensor";

    fn export(tensor: &Tensor, options: Option<&Options>) -> Result<*mut Self> {
        tensor.to_dlpack_unversioned(options).map(<*mut sys::DLManagedTensor>::cast)
    }

    unsafe fn import(managed: &mut *mut Self, options: Option<&Options>) -> Result<Tensor> {
        let mut raw = managed.cast();
        // SAFETY: the caller's promise; the library declares the same struct.
        let made = unsafe { Tensor::from_dlpack_unversioned(&mut raw, options) };
        *managed = raw.cast();
        made
    }

    unsafe fn flags(_managed: *const Self) -> u64 {
        0
    }

    unsafe fn delete(managed: *mut Self) {
        // SAFETY: the caller's promise.
        unsafe {
            if let Some(delete) = (*managed).deleter {
                delete(managed);
            }
        }
    }
}
