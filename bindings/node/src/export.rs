//! The hand-off: a handle in a tagged external, out and in. `README.md` tells an addon in C how to do the same.

use std::ffi::c_void;
use std::ptr::NonNull;

use hurray_client::{Status, Tensor, sys as hurray};
use napi::bindgen_prelude::{FromNapiValue, JsValue, Unknown};
use napi::{Env, sys};

use crate::error::{OrThrow, refuse};

/// What marks an external that holds a tensor: the letters "hurray.tensor", and 1.
const TAG: sys::napi_type_tag =
    sys::napi_type_tag { lower: 0x6875_7272_6179_2e74, upper: 0x656e_736f_7200_0001 };

/// What the external points at: the handle, NULL once it is consumed.
type Slot<T> = *mut T;

/// How the thing in a slot ends that nobody consumed.
type End<T> = unsafe fn(*mut T);

unsafe extern "C" fn finalize<T>(_: sys::napi_env, data: *mut c_void, hint: *mut c_void) {
    // SAFETY: the slot was boxed by `external`, and the engine finalizes it once; the hint is the function that went along.
    let (slot, end) =
        unsafe { (Box::from_raw(data.cast::<Slot<T>>()), std::mem::transmute::<*mut c_void, End<T>>(hint)) };
    if !slot.is_null() {
        // SAFETY: what nobody consumed is the slot's.
        unsafe { end(*slot) };
    }
}

/// A tagged external that owns what is in its slot.
pub fn external<'env, T: 'static>(
    env: &'env Env,
    tag: &sys::napi_type_tag,
    owned: *mut T,
    end: End<T>,
) -> napi::Result<Unknown<'env>> {
    let (slot, hint) = (Box::into_raw(Box::new(owned)), end as *mut c_void);
    let mut value = std::ptr::null_mut();
    // SAFETY: the slot belongs to the function.
    let made =
        unsafe { sys::napi_create_external(env.raw(), slot.cast(), Some(finalize::<T>), hint, &mut value) };
    if made != sys::Status::napi_ok {
        // SAFETY: the engine took nothing over.
        unsafe { finalize::<T>(env.raw(), slot.cast(), hint) };
        return refuse(Status::INTERNAL, "the runtime makes no external");
    }
    // SAFETY: a value of this environment, and a static tag.
    if unsafe { sys::napi_type_tag_object(env.raw(), value, tag) } != sys::Status::napi_ok {
        return refuse(Status::UNSUPPORTED, "the runtime does not tag externals");
    }
    // SAFETY: a value of this environment.
    unsafe { Unknown::from_napi_value(env.raw(), value) }
}

/// The slot of an external that has this tag; none if it has not.
pub fn slot<T>(env: &Env, tag: &sys::napi_type_tag, external: &Unknown<'_>) -> Option<NonNull<Slot<T>>> {
    let (mut tagged, mut data) = (false, std::ptr::null_mut());
    // SAFETY: a value of this environment; the out-parameters are locals.
    let found = unsafe {
        sys::napi_check_object_type_tag(env.raw(), external.raw(), tag, &mut tagged) == sys::Status::napi_ok
            && tagged
            && sys::napi_get_value_external(env.raw(), external.raw(), &mut data) == sys::Status::napi_ok
    };
    if found { NonNull::new(data.cast()) } else { None }
}

unsafe fn destroy(mut handle: *mut hurray::HurrayTensor) {
    // SAFETY: a live handle that is the caller's.
    unsafe { hurray::hurray_tensor_destroy(&mut handle) };
}

/// An external that owns a handle.
pub fn export<'env>(env: &'env Env, tensor: Tensor) -> napi::Result<Unknown<'env>> {
    external(env, &TAG, tensor.into_raw(), destroy)
}

/// The tensor of an external, which is consumed.
pub fn import(env: &Env, external: Unknown<'_>) -> napi::Result<Tensor> {
    let Some(slot) = slot::<hurray::HurrayTensor>(env, &TAG, &external) else {
        return refuse(Status::INVALID_ARGUMENT, "the value is no external that carries Hurray's type tag");
    };
    // SAFETY: the tag says what the external points at, and only this thread's code uses it.
    let handle = unsafe { slot.read() };
    if handle.is_null() {
        return refuse(Status::INVALID_HANDLE, "the external's tensor was consumed before");
    }
    // The version is read first; another version's handle stays in its external.
    // SAFETY: the slot holds a live handle until it is cleared below.
    let tensor = unsafe { Tensor::from_raw(handle) }.or_throw()?;
    // SAFETY: as above.
    unsafe { slot.write(std::ptr::null_mut()) };
    Ok(tensor)
}
