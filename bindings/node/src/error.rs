//! The library's errors as JavaScript's.

use std::cell::RefCell;

use hurray_client::{Error, Status};
use napi::Env;
use napi::bindgen_prelude::{FnArgs, Function, FunctionRef, Unknown};
use napi_derive::napi;

/// Message, the status's name and number, the system's error number.
type Parts = FnArgs<(String, &'static str, i32, Option<i32>)>;

thread_local! {
    /// The package's error class, of the environment that this thread runs.
    static CLASS: RefCell<Option<(Env, FunctionRef<Parts, Unknown<'static>>)>> = const { RefCell::new(None) };
}

/// The class of the errors that this module throws.
#[napi]
pub fn set_error_class(
    env: Env,
    #[napi(ts_arg_type = "new (message: string, code: string, status: number, errno?: number) => Error")]
    made: Function<'_, Parts, Unknown<'static>>,
) -> napi::Result<()> {
    let class = made.create_ref()?;
    CLASS.with(|slot| *slot.borrow_mut() = Some((env, class)));
    Ok(())
}

/// An error to throw, on a thread that runs JavaScript.
#[cold]
pub fn failed(error: Error) -> napi::Error {
    let text = error.to_string();
    let made = CLASS.with(|slot| {
        let slot = slot.try_borrow().ok()?;
        let (env, class) = slot.as_ref()?;
        let parts = (text.clone(), error.status.name(), error.status.code(), error.os_error);
        class.borrow_back(env).ok()?.new_instance(parts.into()).ok().map(napi::Error::from)
    });
    made.unwrap_or_else(|| napi::Error::from_reason(text))
}

/// An error of this module's own.
#[cold]
pub fn refuse<T>(status: Status, text: impl Into<String>) -> napi::Result<T> {
    Err(failed(Error::new(status, text)))
}

/// A library result as a JavaScript result.
pub trait OrThrow<T> {
    /// The value, or the error.
    fn or_throw(self) -> napi::Result<T>;
}

impl<T> OrThrow<T> for hurray_client::Result<T> {
    #[inline]
    fn or_throw(self) -> napi::Result<T> {
        self.map_err(failed)
    }
}
