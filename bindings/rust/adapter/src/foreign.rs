//! Handles of another version, made by a small library.

use std::ffi::{CString, c_char, c_void};

use hurray_client::Tensor;
use serde_json::{Value, json};

use crate::form::{Answer, Failure, Read, narrow, text};

type Make = unsafe extern "C" fn(u32) -> *mut c_void;
type Calls = unsafe extern "C" fn(*mut c_void, u32) -> u32;

fn symbol(library: *mut c_void, name: &std::ffi::CStr) -> Read<*mut c_void> {
    // SAFETY: the library stays loaded, and the name is NUL-terminated.
    let found = unsafe { libc::dlsym(library, name.as_ptr().cast::<c_char>()) };
    if found.is_null() { Err(format!("no function is named {name:?}").into()) } else { Ok(found) }
}

/// The request `foreign`.
pub fn foreign(request: &Value) -> Answer {
    let path = CString::new(text(&request["library"])?).map_err(|error| error.to_string())?;
    // SAFETY: a NUL-terminated path.
    let library = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW) };
    if library.is_null() {
        return Err("the library does not load".into());
    }
    // SAFETY: the functions have these signatures (PROTOCOL.md).
    let make = unsafe { std::mem::transmute::<*mut c_void, Make>(symbol(library, c"conformance_handle")?) };
    // SAFETY: as above.
    let calls = unsafe { std::mem::transmute::<*mut c_void, Calls>(symbol(library, c"conformance_calls")?) };
    // SAFETY: a handle that this function owns.
    let handle = unsafe { make(narrow(&request["version"])?) };
    // SAFETY: the handle is live and has the common prefix.
    let outcome = unsafe { Tensor::from_raw(handle.cast()) };
    // SAFETY: the handle is live.
    let count = unsafe { calls(handle, 0) };
    match outcome {
        Ok(tensor) => {
            tensor.into_raw();
            Ok(json!({"calls": count}))
        }
        Err(error) => {
            // SAFETY: refused, so it is still this function's.
            unsafe { calls(handle, 1) };
            Err(Failure::With(error, json!({"calls": count})))
        }
    }
}
