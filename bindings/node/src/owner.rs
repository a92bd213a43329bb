//! What a tensor keeps of JavaScript's: the array that it stands on, let go once, on the thread that it came from.

use std::cell::RefCell;
use std::ffi::c_void;
use std::ptr;
use std::sync::{Arc, PoisonError, RwLock};

use hurray_client::{Owner, Status};
use napi::sys;

use crate::error::refuse;

/// The environment of one thread, as other threads reach it.
struct Home {
    /// Deletes a reference on that thread.
    delete: sys::napi_threadsafe_function,
    /// False from the environment's end on: it takes its references with it.
    open: RwLock<bool>,
}

// SAFETY: any thread may call the function while the environment is open, which the lock says.
unsafe impl Send for Home {}
// SAFETY: as above.
unsafe impl Sync for Home {}

thread_local! {
    static HOME: RefCell<Option<Arc<Home>>> = const { RefCell::new(None) };
}

unsafe extern "C" fn delete(env: sys::napi_env, _: sys::napi_value, _: *mut c_void, reference: *mut c_void) {
    if !env.is_null() {
        // SAFETY: the reference is this environment's, and was given up by its only holder.
        unsafe { sys::napi_delete_reference(env, reference.cast()) };
    }
}

unsafe extern "C" fn closing(home: *mut c_void) {
    // SAFETY: the pointer is the one that was given up when the hook was added, and the hook runs once.
    let home = unsafe { Arc::from_raw(home.cast_const().cast::<Home>()) };
    *home.open.write().unwrap_or_else(PoisonError::into_inner) = false;
}

impl Home {
    fn of(env: sys::napi_env) -> napi::Result<Arc<Self>> {
        if let Some(home) = HOME.with_borrow(Clone::clone) {
            return Ok(home);
        }
        let (mut name, mut function) = (ptr::null_mut(), ptr::null_mut());
        // SAFETY: the environment of this thread; a literal and its length; the out-parameters are locals.
        let made = unsafe {
            sys::napi_create_string_utf8(env, c"hurray".as_ptr(), 6, &mut name) == sys::Status::napi_ok
                && sys::napi_create_threadsafe_function(
                    env,
                    ptr::null_mut(),
                    ptr::null_mut(),
                    name,
                    0,
                    1,
                    ptr::null_mut(),
                    None,
                    ptr::null_mut(),
                    Some(delete),
                    &mut function,
                ) == sys::Status::napi_ok
                && sys::napi_unref_threadsafe_function(env, function) == sys::Status::napi_ok
        };
        let home = Arc::new(Self { delete: function, open: RwLock::new(true) });
        // Hooks run in the reverse order of their adding, so this one before the function's own.
        // SAFETY: the hook takes the pointer over.
        let hooked = made
            && unsafe {
                let given = Arc::into_raw(home.clone()).cast_mut().cast();
                sys::napi_add_env_cleanup_hook(env, Some(closing), given) == sys::Status::napi_ok
            };
        if !hooked {
            return refuse(Status::INTERNAL, "the runtime gives no way to let an array go");
        }
        HOME.set(Some(home.clone()));
        Ok(home)
    }

    fn is_here(self: &Arc<Self>) -> bool {
        let same = |here: &Option<Arc<Self>>| here.as_ref().is_some_and(|here| Arc::ptr_eq(here, self));
        HOME.try_with(|here| here.try_borrow().is_ok_and(|here| same(&here))).unwrap_or(false)
    }
}

/// A value that is kept from the collector.
struct Kept {
    env: sys::napi_env,
    reference: sys::napi_ref,
    home: Arc<Home>,
}

// SAFETY: whatever thread drops it, the reference is deleted on its own.
unsafe impl Send for Kept {}

impl Drop for Kept {
    fn drop(&mut self) {
        let open = self.home.open.read().unwrap_or_else(PoisonError::into_inner);
        if !*open {
            return;
        }
        if self.home.is_here() {
            // SAFETY: the environment is open and this is its thread; nobody else has the reference.
            unsafe { sys::napi_delete_reference(self.env, self.reference) };
        } else {
            let (how, data) = (sys::ThreadsafeFunctionCallMode::nonblocking, self.reference.cast());
            // SAFETY: the environment stays open while the lock is held.
            unsafe { sys::napi_call_threadsafe_function(self.home.delete, data, how) };
        }
    }
}

/// An owner that keeps a value.
pub fn keeping(env: sys::napi_env, value: sys::napi_value) -> napi::Result<Owner> {
    let (home, mut reference) = (Home::of(env)?, ptr::null_mut());
    // SAFETY: a value of this environment; the out-parameter is a local.
    if unsafe { sys::napi_create_reference(env, value, 1, &mut reference) } != sys::Status::napi_ok {
        return refuse(Status::INTERNAL, "the runtime makes no reference");
    }
    Ok(Owner::of(Kept { env, reference, home }))
}
