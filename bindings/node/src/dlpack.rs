//! DLPack's structs in tagged externals, for addons. `README.md` says what an addon does with one.

use std::ffi::c_void;

use hurray_client::sys::{DLManagedTensor, DLManagedTensorVersioned};
use hurray_client::{Status, Tensor};
use napi::bindgen_prelude::Unknown;
use napi::{Env, sys};
use napi_derive::napi;

use crate::buffer::copying;
use crate::error::{OrThrow, refuse};
use crate::export::{external, slot};
use crate::handle::{Made, NativeTensor};

/// The letters "dltensor", and 1 for the versioned struct.
const VERSIONED: sys::napi_type_tag = sys::napi_type_tag { lower: 0x646c_7465_6e73_6f72, upper: 1 };
/// The same, and 0 for the unversioned one.
const UNVERSIONED: sys::napi_type_tag = sys::napi_type_tag { lower: 0x646c_7465_6e73_6f72, upper: 0 };

/// The versioned struct as far as its deleter.
#[repr(C)]
struct Versioned {
    version: [u32; 2],
    context: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut Versioned)>,
}

/// The unversioned struct: the array's 48 bytes come first.
#[repr(C)]
struct Unversioned {
    array: [u64; 6],
    context: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut Unversioned)>,
}

unsafe fn end_versioned(managed: *mut DLManagedTensorVersioned) {
    let managed = managed.cast::<Versioned>();
    // SAFETY: a struct that nobody consumed; all versions have these fields.
    unsafe {
        if let Some(delete) = (*managed).deleter {
            delete(managed);
        }
    }
}

unsafe fn end_unversioned(managed: *mut DLManagedTensor) {
    let managed = managed.cast::<Unversioned>();
    // SAFETY: as above.
    unsafe {
        if let Some(delete) = (*managed).deleter {
            delete(managed);
        }
    }
}

/// The tensor as DLPack's struct, in an external that owns it. `copy` is 0 (if needed), 1 (never) or 2 (always).
#[napi(ts_return_type = "object")]
pub fn to_dlpack<'env>(
    env: &'env Env,
    tensor: NativeTensor,
    versioned: bool,
    copy: u32,
) -> napi::Result<Unknown<'env>> {
    let options = copying(copy)?;
    if versioned {
        let managed = tensor.tensor.to_dlpack(Some(&options)).or_throw()?;
        external(env, &VERSIONED, managed, end_versioned)
    } else {
        let managed = tensor.tensor.to_dlpack_unversioned(Some(&options)).or_throw()?;
        external(env, &UNVERSIONED, managed, end_unversioned)
    }
}

/// A tensor of the struct in an external, which is consumed.
#[napi(ts_args_type = "external: object, copy: number", ts_return_type = "NativeTensor")]
pub fn from_dlpack(env: &Env, given: Unknown<'_>, copy: u32) -> napi::Result<Made> {
    let options = copying(copy)?;
    if let Some(slot) = slot::<DLManagedTensorVersioned>(env, &VERSIONED, &given) {
        // SAFETY: the tag says what the external points at, and only this thread's code uses it.
        let managed = unsafe { &mut *slot.as_ptr() };
        if !managed.is_null() {
            // SAFETY: whoever made the external vouches for the struct. What was taken is NULL afterwards.
            return unsafe { Tensor::from_dlpack(managed, Some(&options)) }.or_throw().map(Made::from);
        }
    } else if let Some(slot) = slot::<DLManagedTensor>(env, &UNVERSIONED, &given) {
        // SAFETY: as above.
        let managed = unsafe { &mut *slot.as_ptr() };
        if !managed.is_null() {
            // SAFETY: as above.
            return unsafe { Tensor::from_dlpack_unversioned(managed, Some(&options)) }
                .or_throw()
                .map(Made::from);
        }
    } else {
        let text = "the value is no external that carries DLPack's type tag";
        return refuse(Status::INVALID_ARGUMENT, text);
    }
    refuse(Status::INVALID_HANDLE, "the external's struct was consumed before")
}
