//! The functions that are called for every tensor, on Node-API itself: what goes on around a call of napi-rs costs as much as
//! most of them do. `build.mjs` has their declarations.

use std::ffi::{CStr, c_void};
use std::ptr;

use hurray_client::Status;
use napi::bindgen_prelude::{JsValue, Object};
use napi::{Env, JsError, sys};
use napi_derive::napi;

use crate::array::{self, Numbers};
use crate::error::{OrThrow, refuse};
use crate::export;
use crate::handle::{self, NativeTensor};

type Callback = unsafe extern "C" fn(sys::napi_env, sys::napi_callback_info) -> sys::napi_value;

/// Runs the body of a function; what it refuses is thrown.
///
/// # Safety
/// The function is called by the environment's engine, and was made by [`init`].
unsafe fn call<const N: usize>(
    env: sys::napi_env,
    info: sys::napi_callback_info,
    body: impl FnOnce(&Env, [sys::napi_value; N], &mut Numbers) -> napi::Result<sys::napi_value>,
) -> sys::napi_value {
    let (mut count, mut given, mut numbers) = (N, [ptr::null_mut(); N], ptr::null_mut());
    // SAFETY: the engine's own values; there is room for so many arguments.
    let status = unsafe {
        sys::napi_get_cb_info(env, info, &mut count, given.as_mut_ptr(), ptr::null_mut(), &mut numbers)
    };
    let done = if status != sys::Status::napi_ok || numbers.is_null() {
        refuse(Status::INTERNAL, "the runtime tells nothing of a call")
    } else {
        // SAFETY: the memory was made by `init` for this, any bits will do, and no JavaScript runs meanwhile.
        body(&Env::from_raw(env), given, unsafe { &mut *numbers.cast::<Numbers>() })
    };
    done.unwrap_or_else(|error| {
        // SAFETY: the environment of this call.
        unsafe { JsError::from(error).throw_into(env) };
        ptr::null_mut()
    })
}

fn truth(env: &Env, value: sys::napi_value) -> bool {
    let mut truth = false;
    // SAFETY: a value of this environment; the out-parameter is a local. Anything but true is false.
    unsafe { sys::napi_get_value_bool(env.raw(), value, &mut truth) };
    truth
}

unsafe extern "C" fn wrap(env: sys::napi_env, info: sys::napi_callback_info) -> sys::napi_value {
    // SAFETY: the engine calls.
    unsafe { call(env, info, |env, [array, spare], numbers| array::wrap(env, array, numbers, spare)) }
}

unsafe extern "C" fn data(env: sys::napi_env, info: sys::napi_callback_info) -> sys::napi_value {
    // SAFETY: the engine calls.
    unsafe {
        call(env, info, |env, [tensor, copy], numbers| {
            array::data(env, &NativeTensor::of(env.raw(), tensor)?, truth(env, copy), numbers)
        })
    }
}

unsafe extern "C" fn view(env: sys::napi_env, info: sys::napi_callback_info) -> sys::napi_value {
    // SAFETY: the engine calls.
    unsafe {
        call(env, info, |env, [tensor, copy], numbers| {
            array::view(env, &NativeTensor::of(env.raw(), tensor)?, truth(env, copy), numbers)
        })
    }
}

unsafe extern "C" fn export_tensor(env: sys::napi_env, info: sys::napi_callback_info) -> sys::napi_value {
    // SAFETY: the engine calls.
    unsafe {
        call(env, info, |env, [tensor], _| {
            let share = NativeTensor::of(env.raw(), tensor)?.tensor.share().or_throw()?;
            Ok(export::export(env, share)?.raw())
        })
    }
}

unsafe extern "C" fn close(env: sys::napi_env, info: sys::napi_callback_info) -> sys::napi_value {
    // SAFETY: the engine calls.
    unsafe {
        call(env, info, |env, [tensor], _| {
            handle::close(env.raw(), tensor);
            Ok(ptr::null_mut())
        })
    }
}

const FUNCTIONS: [(&CStr, Callback); 5] =
    [(c"wrap", wrap), (c"data", data), (c"view", view), (c"exportTensor", export_tensor), (c"close", close)];

/// Adds the functions to the module, and the memory of the numbers.
#[napi(module_exports)]
pub fn init(exports: Object<'_>, env: Env) -> napi::Result<()> {
    let (mut memory, mut buffer, mut held) = (ptr::null_mut::<c_void>(), ptr::null_mut(), ptr::null_mut());
    // SAFETY: the out-parameters are locals. The reference keeps the memory for as long as the functions may be called.
    let mut made = unsafe {
        sys::napi_create_arraybuffer(env.raw(), size_of::<Numbers>(), &mut memory, &mut buffer)
            == sys::Status::napi_ok
            && sys::napi_create_reference(env.raw(), buffer, 1, &mut held) == sys::Status::napi_ok
            && sys::napi_set_named_property(env.raw(), exports.raw(), c"numbers".as_ptr(), buffer)
                == sys::Status::napi_ok
    };
    for (name, function) in FUNCTIONS {
        let (mut value, len) = (ptr::null_mut(), name.count_bytes() as isize);
        // SAFETY: a literal and its length, a function, and memory that stays.
        made &= unsafe {
            sys::napi_create_function(env.raw(), name.as_ptr(), len, Some(function), memory, &mut value)
                == sys::Status::napi_ok
                && sys::napi_set_named_property(env.raw(), exports.raw(), name.as_ptr(), value)
                    == sys::Status::napi_ok
        };
    }
    if made { Ok(()) } else { Err(napi::Error::from_reason("the runtime makes no function")) }
}
