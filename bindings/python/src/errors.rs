//! The library's statuses as the exceptions of `hurray.errors`.

use hurray_client::{Error, Status};
use pyo3::prelude::*;

/// The exception class of a status.
fn class_of(status: Status) -> &'static str {
    match status {
        Status::BUFFER_TOO_SMALL
        | Status::BUFFER_MISMATCH
        | Status::SYNC_MODE_MISMATCH
        | Status::INVALID_HANDLE => "BufferError",
        Status::UNSUPPORTED | Status::VERSION_MISMATCH => "UnsupportedError",
        Status::COPY_REQUIRED => "CopyRequiredError",
        Status::INVALID_ARGUMENT | Status::NULL_POINTER => "InvalidArgumentError",
        Status::INDEX_OUT_OF_BOUNDS => "IndexOutOfBoundsError",
        Status::OUT_OF_MEMORY => "OutOfMemoryError",
        Status::INVALID_MAGIC
        | Status::INVALID_LAYOUT
        | Status::INVALID_TYPE
        | Status::INVALID_SYNC_MODE
        | Status::INVALID_DESCRIPTOR
        | Status::TRUNCATED
        | Status::OVERFLOW
        | Status::LIMIT_EXCEEDED => "InvalidDescriptorError",
        _ => "InternalError",
    }
}

/// An exception of `hurray.errors` by its name.
pub fn exception(py: Python<'_>, class: &str, message: &str, status: Status) -> PyErr {
    let made = py
        .import("hurray.errors")
        .and_then(|module| module.getattr(class))
        .and_then(|class| class.call1((message, status.code())));
    match made {
        Ok(value) => PyErr::from_value(value),
        Err(error) => error,
    }
}

/// The exception of a failed call.
#[cold]
pub fn raise(py: Python<'_>, error: Error) -> PyErr {
    exception(py, class_of(error.status), &error.to_string(), error.status)
}

/// The exception of a failed call of DLPack's: what it cannot carry is of the builtin BufferError, as consumers expect.
#[cold]
pub fn dlpack_error(py: Python<'_>, error: Error) -> PyErr {
    match class_of(error.status) {
        "UnsupportedError" => exception(py, "DLPackError", &error.to_string(), error.status),
        _ => raise(py, error),
    }
}

/// A library result as a Python result.
pub trait OrRaise<T> {
    /// The value, or the exception of its error.
    fn or_raise(self, py: Python<'_>) -> PyResult<T>;
}

impl<T> OrRaise<T> for hurray_client::Result<T> {
    #[inline]
    fn or_raise(self, py: Python<'_>) -> PyResult<T> {
        self.map_err(|error| raise(py, error))
    }
}
