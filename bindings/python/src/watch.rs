//! Calls that may take long: Ctrl-C ends them, and a Python function hears how far they are.

use std::sync::Mutex;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use hurray_client::{Options, Result};
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;

use crate::errors::OrRaise;

/// Time between two looks at signals and at how far a call is.
const LOOK: Duration = Duration::from_millis(20);

/// Bytes, and elements, from which on a call may take longer than a few looks.
const LONG_BYTES: u64 = 16 << 20;
const LONG_SHAPE: u64 = 4 << 20;

/// Whether work on so many bytes may take long.
pub fn is_long(bytes: u64) -> bool {
    bytes >= LONG_BYTES
}

/// Whether work on all elements of a shape may take long.
pub fn is_long_shape(shape: &[u64]) -> bool {
    shape.iter().fold(1u64, |count, &n| count.saturating_mul(n)) >= LONG_SHAPE
}

/// Who looks after a call that runs with options.
struct Watch<'a> {
    options: &'a Options,
    progress: Option<&'a Py<PyAny>>,
    /// Bytes of earlier calls with the same options.
    before: (u64, u64),
}

impl Watch<'_> {
    /// Lets signals be handled, and tells how far the call is once it is known how much there is to do.
    fn look(&self, py: Python<'_>) -> PyResult<()> {
        py.check_signals()?;
        let Some(progress) = self.progress else { return Ok(()) };
        let (done, total) = self.options.progress().or_raise(py)?;
        let (done, total) = (done.saturating_sub(self.before.0), total.saturating_sub(self.before.1));
        if total > 0 {
            progress.call1(py, (done.min(total), total))?;
        }
        Ok(())
    }
}

/// Makes a call without the interpreter. A long one is made on a thread of its own, while this one handles signals and
/// calls `progress(done, total)`; what either of them raises cancels the call, and is raised when it has ended.
/// `progress` is called once more at the end.
pub fn watched<T: Send>(
    py: Python<'_>,
    options: &Options,
    progress: Option<&Py<PyAny>>,
    is_long: bool,
    call: impl FnOnce() -> Result<T> + Send,
) -> PyResult<Result<T>> {
    if progress.is_some_and(|progress| !progress.bind(py).is_callable()) {
        return Err(PyTypeError::new_err(
            "progress is a function of two numbers: bytes done, and bytes in all",
        ));
    }
    let watch = Watch { options, progress, before: options.progress().or_raise(py)? };
    let made = if is_long { beside(py, &watch, call)? } else { py.detach(call) };
    if made.is_ok() && progress.is_some() {
        watch.look(py)?;
    }
    Ok(made)
}

fn beside<T: Send>(
    py: Python<'_>,
    watch: &Watch<'_>,
    call: impl FnOnce() -> Result<T> + Send,
) -> PyResult<Result<T>> {
    let call = Mutex::new(Some(call));
    let work = &|| call.lock().ok().and_then(|mut call| call.take()).map(|call| call());
    let (made, stopped) = py.detach(|| {
        let (made, stopped) = thread::scope(|scope| {
            let (sender, receiver) = channel();
            // Where the system gives no thread, the sender goes, and this thread makes the call.
            let worker = thread::Builder::new().spawn_scoped(scope, move || drop(sender.send(work())));
            drop(worker);
            let mut stopped = None;
            loop {
                match receiver.recv_timeout(LOOK) {
                    Ok(made) => return (made, stopped),
                    Err(RecvTimeoutError::Disconnected) => return (None, stopped),
                    Err(RecvTimeoutError::Timeout) if stopped.is_none() => {
                        let looked =
                            Python::attach(|py| watch.look(py).inspect_err(|_| drop(watch.options.cancel())));
                        stopped = looked.err();
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                }
            }
        });
        (made.or_else(work), stopped)
    });
    match stopped {
        Some(raised) => Err(raised),
        None => made.ok_or_else(|| PyRuntimeError::new_err("the call was not made")),
    }
}
