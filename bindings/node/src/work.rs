//! Calls that may wait for a disk, on a thread of the pool.

use napi::bindgen_prelude::{AsyncTask, ToNapiValue, TypeName};
use napi::{Env, Status, Task};

use crate::error::OrThrow;

type Call<T> = Box<dyn FnOnce() -> hurray_client::Result<T> + Send>;

/// One call and its result.
pub struct Work<T>(Option<Call<T>>);

impl<T> Work<T> {
    /// A promise of what the call gives.
    pub fn start(call: impl FnOnce() -> hurray_client::Result<T> + Send + 'static) -> AsyncTask<Self>
    where
        Self: Task,
    {
        AsyncTask::new(Self(Some(Box::new(call))))
    }
}

impl<T: ToNapiValue + TypeName + Send + 'static> Task for Work<T> {
    type Output = hurray_client::Result<T>;
    type JsValue = T;

    fn compute(&mut self) -> napi::Result<Self::Output> {
        match self.0.take() {
            Some(call) => Ok(call()),
            None => Err(napi::Error::from_status(Status::GenericFailure)),
        }
    }

    fn resolve(&mut self, _: Env, output: Self::Output) -> napi::Result<T> {
        output.or_throw() // here, because errors are made on the thread that runs JavaScript
    }
}
