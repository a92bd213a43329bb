//! ArrayBuffers on memory that exists, and on copies of it where the runtime wants that.

use std::ffi::c_void;
use std::sync::atomic::{AtomicBool, Ordering};

use hurray_client::Status;
use napi::bindgen_prelude::{ArrayBuffer, FromNapiValue};
use napi::{Env, sys};
use napi_derive::napi;

use crate::error::refuse;

static EXTERNAL: AtomicBool = AtomicBool::new(true);

/// Whether ArrayBuffers may stand on the library's memory. Some runtimes (Electron) never allow it: there every view is a
/// copy, and says so. `false` makes this one behave like them.
#[napi]
pub fn allow_external_buffers(allow: bool) {
    EXTERNAL.store(allow, Ordering::Relaxed);
}

unsafe extern "C" fn release<K>(_: sys::napi_env, _: *mut c_void, hint: *mut c_void) {
    // SAFETY: the hint is the box that came with the memory, and the engine finalizes it once.
    drop(unsafe { Box::from_raw(hint.cast::<K>()) });
}

/// An ArrayBuffer on `size` bytes at `data`, and whether they were copied. `keep` is dropped when the engine is done with
/// the memory, and at once if it never took it.
///
/// # Safety
/// The memory stays readable and writable until `keep` is dropped; only readable is enough if `copy` is set.
pub unsafe fn array_buffer<'env, K: 'static>(
    env: &'env Env,
    data: *mut u8,
    size: usize,
    copy: bool,
    keep: K,
) -> napi::Result<(ArrayBuffer<'env>, bool)> {
    let mut value = std::ptr::null_mut();
    if size > 0 && !copy && EXTERNAL.load(Ordering::Relaxed) {
        let hint = Box::into_raw(Box::new(keep));
        // SAFETY: the memory is the caller's promise, and the hint belongs to the function.
        let status = unsafe {
            sys::napi_create_external_arraybuffer(
                env.raw(),
                data.cast(),
                size,
                Some(release::<K>),
                hint.cast(),
                &mut value,
            )
        };
        if status == sys::Status::napi_ok {
            // SAFETY: a value of this environment.
            return Ok((unsafe { ArrayBuffer::from_napi_value(env.raw(), value)? }, false));
        }
        // SAFETY: an engine that refuses a buffer has kept nothing of it.
        let keep = unsafe { *Box::from_raw(hint) };
        if status != sys::Status::napi_no_external_buffers_allowed {
            let text = format!("the runtime makes no ArrayBuffer of {size} bytes (status {status})");
            return refuse(Status::LIMIT_EXCEEDED, text);
        }
        // SAFETY: readable, by the caller's promise.
        return unsafe { copied(env, data, size, keep) };
    }
    // SAFETY: as above.
    unsafe { copied(env, data, size, keep) }
}

/// # Safety
/// The memory is readable until `keep` is dropped.
unsafe fn copied<'env, K>(
    env: &'env Env,
    data: *const u8,
    size: usize,
    keep: K,
) -> napi::Result<(ArrayBuffer<'env>, bool)> {
    // SAFETY: readable, by the caller's promise; no bytes need no address.
    let bytes = if size == 0 { &[] } else { unsafe { std::slice::from_raw_parts(data, size) } };
    let made = ArrayBuffer::copy_from(env, bytes);
    drop(keep);
    match made {
        Ok(buffer) => Ok((buffer, size > 0)),
        Err(_) => {
            let text =
                format!("the runtime makes no ArrayBuffer of {size} bytes; a file's `read` gives a part");
            refuse(Status::LIMIT_EXCEEDED, text)
        }
    }
}
