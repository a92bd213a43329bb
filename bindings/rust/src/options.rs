//! Options of a call.

use crate::error::{Result, check};
use crate::handle::handle;
use crate::{library, sys};

handle! {
    /// Numbered options of a call or of an object that opens. No options means the defaults.
    Options, HurrayOptions, hurray_options_destroy
}

impl Options {
    /// Options with their default values.
    pub fn new() -> Result<Self> {
        library::ready()?;
        let mut raw = std::ptr::null_mut();
        // SAFETY: the out-parameter is a local.
        check(unsafe { sys::hurray_options_new(&mut raw) })?;
        Self::made(raw)
    }

    /// Sets one option, a `HURRAY_OPTION_...` number of [`sys`]. It changes nothing that is open already.
    pub fn set(&mut self, option: u32, value: u64) -> Result<&mut Self> {
        // SAFETY: the handle is live, and nobody else uses it.
        check(unsafe { sys::hurray_options_set_u64(self.as_raw(), option, value) })?;
        Ok(self)
    }

    /// Asks the call that runs with these options to stop with `CANCELLED`; later calls stop too. From any thread.
    pub fn cancel(&self) -> Result<()> {
        // SAFETY: the handle is live; any thread may call this.
        check(unsafe { sys::hurray_options_cancel(self.as_raw()) })
    }

    /// Bytes done and bytes in all (0 until that is known) of the call that runs with these options. From any thread.
    pub fn progress(&self) -> Result<(u64, u64)> {
        let (mut done, mut total) = (0, 0);
        // SAFETY: the handle is live; any thread may call this; the out-parameters are locals.
        check(unsafe { sys::hurray_options_progress(self.as_raw(), &mut done, &mut total) })?;
        Ok((done, total))
    }
}

/// What a call takes for options, or for none.
pub(crate) fn pointer(options: Option<&Options>) -> *const sys::HurrayOptions {
    options.map_or(std::ptr::null(), |options| options.as_raw().cast_const())
}
