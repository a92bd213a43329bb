//! Options of a call that runs on a thread of the pool, to stop it and to see how far it is.

use std::sync::Arc;

use hurray_client::Options;
use napi::bindgen_prelude::BigInt;
use napi_derive::napi;

use crate::error::OrThrow;
use crate::library::options;

/// Options, which other calls may use meanwhile.
#[napi]
pub struct NativeOptions {
    pub(crate) options: Arc<Options>,
}

#[napi]
impl NativeOptions {
    /// Of pairs of number and value.
    #[napi(constructor)]
    pub fn new(settings: &[u64]) -> napi::Result<Self> {
        Ok(Self { options: Arc::new(options(settings)?) })
    }

    /// Asks the call to stop.
    #[napi]
    pub fn cancel(&self) -> napi::Result<()> {
        self.options.cancel().or_throw()
    }

    /// Bytes done, and bytes in all, 0 until that is known.
    #[napi(ts_return_type = "[bigint, bigint]")]
    pub fn progress(&self) -> napi::Result<Vec<BigInt>> {
        let (done, total) = self.options.progress().or_throw()?;
        Ok(vec![done.into(), total.into()])
    }
}
