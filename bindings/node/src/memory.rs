//! ArrayBuffers on memory that exists, and on copies of it where the runtime wants that.

use std::cell::Cell;
use std::ffi::c_void;
use std::ptr;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use hurray_client::Status;
use napi::bindgen_prelude::{ArrayBuffer, FromNapiValue};
use napi::{Env, sys};
use napi_derive::napi;

use crate::error::refuse;

static EXTERNAL: AtomicBool = AtomicBool::new(true);
static LONGEST: AtomicU64 = AtomicU64::new(u32::MAX as u64);

/// Tells how many items a typed array may have: the engine ends the process rather than make a longer one.
#[napi]
pub fn set_longest_array(items: f64) {
    LONGEST.store(items as u64, Ordering::Relaxed);
}

/// Whether ArrayBuffers may stand on the library's memory. Some runtimes (Electron) never allow it: there every view is a
/// copy, and says so. `false` makes this one behave like them.
#[napi]
pub fn allow_external_buffers(allow: bool) {
    EXTERNAL.store(allow, Ordering::Relaxed);
}

unsafe extern "C" fn release<K>(_: sys::napi_env, _: *mut c_void, hint: *mut c_void) {
    // SAFETY: the hint is the share that came with the memory, and the engine finalizes it once, on this thread.
    drop(unsafe { Rc::from_raw(hint.cast_const().cast::<Cell<Option<K>>>()) });
}

/// An ArrayBuffer on `size` bytes at `data`, for items of so many bytes, and whether they were copied. `keep` is
/// dropped when the engine is done with the memory, and at once if it never took it.
///
/// # Safety
/// The memory stays readable and writable until `keep` is dropped; only readable is enough if `copy` is set.
pub unsafe fn array_buffer<'env, K: 'static>(
    env: &'env Env,
    data: *mut u8,
    size: usize,
    item: usize,
    copy: bool,
    keep: K,
) -> napi::Result<(ArrayBuffer<'env>, bool)> {
    if (size / item) as u64 > LONGEST.load(Ordering::Relaxed) {
        return too_long(env, size);
    }
    let mut value = ptr::null_mut();
    if size > 0 && !copy && EXTERNAL.load(Ordering::Relaxed) {
        let kept = Rc::new(Cell::new(Some(keep)));
        let hint = Rc::into_raw(kept.clone());
        // SAFETY: the memory is the caller's promise, and the hint belongs to the function.
        let status = unsafe {
            sys::napi_create_external_arraybuffer(
                env.raw(),
                data.cast(),
                size,
                Some(release::<K>),
                hint.cast_mut().cast(),
                &mut value,
            )
        };
        if status == sys::Status::napi_ok {
            // SAFETY: a value of this environment.
            return Ok((unsafe { ArrayBuffer::from_napi_value(env.raw(), value)? }, false));
        }
        let keep = kept.take();
        if status == sys::Status::napi_no_external_buffers_allowed
            && let Some(keep) = keep
        {
            // SAFETY: such an engine has kept nothing.
            drop(unsafe { Rc::from_raw(hint) });
            // SAFETY: readable, by the caller's promise.
            return unsafe { copied(env, data, size, keep) };
        }
        // An engine that fails otherwise may finalize all the same, at once or later, as Node does for a length beyond its
        // limit: what was kept is let go once, here or there, and the share is left to the finalizer.
        drop(keep);
        return too_long(env, size);
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
        Err(_) => too_long(env, size),
    }
}

fn too_long<T>(env: &Env, size: usize) -> napi::Result<T> {
    let mut thrown = ptr::null_mut();
    // The engine's own error stands in the way of another.
    // SAFETY: the environment of this thread; the out-parameter is a local.
    unsafe { sys::napi_get_and_clear_last_exception(env.raw(), &mut thrown) };
    let text = format!("the runtime makes no ArrayBuffer of {size} bytes; a file's `read` gives a part");
    refuse(Status::LIMIT_EXCEEDED, text)
}
