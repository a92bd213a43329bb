//! Statuses and errors.

use std::ffi::CStr;
use std::fmt;

use crate::{library, sys};

/// What the crate's fallible functions give.
pub type Result<T> = std::result::Result<T, Error>;

/// A status of the library: 0 is success, positive is progress, negative is an error. Numbers that this build does not
/// know are carried as they are.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Status(sys::HurrayStatus);

macro_rules! statuses {
    ($($name:ident = $constant:ident;)*) => {
        #[allow(missing_docs)] // the header says what each one means
        impl Status {
            $(pub const $name: Status = Status(sys::$constant);)*
        }
    };
}

statuses! {
    OK = HURRAY_OK;
    NEED_MORE = HURRAY_NEED_MORE;
    END = HURRAY_END;
    INVALID_MAGIC = HURRAY_ERR_INVALID_MAGIC;
    VERSION_MISMATCH = HURRAY_ERR_VERSION_MISMATCH;
    INVALID_LAYOUT = HURRAY_ERR_INVALID_LAYOUT;
    INVALID_TYPE = HURRAY_ERR_INVALID_TYPE;
    BUFFER_TOO_SMALL = HURRAY_ERR_BUFFER_TOO_SMALL;
    NULL_POINTER = HURRAY_ERR_NULL_POINTER;
    INTERNAL_PANIC = HURRAY_ERR_INTERNAL_PANIC;
    INVALID_SYNC_MODE = HURRAY_ERR_INVALID_SYNC_MODE;
    SYNC_MODE_MISMATCH = HURRAY_ERR_SYNC_MODE_MISMATCH;
    INTERNAL = HURRAY_ERR_INTERNAL;
    INDEX_OUT_OF_BOUNDS = HURRAY_ERR_INDEX_OUT_OF_BOUNDS;
    FIELD_NOT_PRESENT = HURRAY_ERR_FIELD_NOT_PRESENT;
    FIELD_NOT_APPLICABLE = HURRAY_ERR_FIELD_NOT_APPLICABLE;
    INVALID_DESCRIPTOR = HURRAY_ERR_INVALID_DESCRIPTOR;
    TRUNCATED = HURRAY_ERR_TRUNCATED;
    OVERFLOW = HURRAY_ERR_OVERFLOW;
    BUFFER_MISMATCH = HURRAY_ERR_BUFFER_MISMATCH;
    IO = HURRAY_ERR_IO;
    NOT_FOUND = HURRAY_ERR_NOT_FOUND;
    UNSUPPORTED = HURRAY_ERR_UNSUPPORTED;
    INVALID_ARGUMENT = HURRAY_ERR_INVALID_ARGUMENT;
    LIMIT_EXCEEDED = HURRAY_ERR_LIMIT_EXCEEDED;
    CORRUPT = HURRAY_ERR_CORRUPT;
    TORN = HURRAY_ERR_TORN;
    OUT_OF_MEMORY = HURRAY_ERR_OUT_OF_MEMORY;
    INVALID_HANDLE = HURRAY_ERR_INVALID_HANDLE;
    DUPLICATE = HURRAY_ERR_DUPLICATE;
    CANCELLED = HURRAY_ERR_CANCELLED;
    COPY_REQUIRED = HURRAY_ERR_COPY_REQUIRED;
}

impl Status {
    /// The number, as the header has it.
    pub const fn code(self) -> i32 {
        self.0
    }

    /// The status of a number of the header.
    pub const fn from_code(code: i32) -> Self {
        Self(code)
    }

    /// The name that the library gives it, `"HURRAY_ERR_IO"`. Empty if the library may not be called.
    pub fn name(self) -> &'static str {
        if library::ready().is_err() {
            return "";
        }
        // SAFETY: the function takes any number, and gives a NUL-terminated static string.
        let name = unsafe { CStr::from_ptr(sys::hurray_status_name(self.0)) };
        name.to_str().unwrap_or_default()
    }
}

impl fmt::Debug for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            "" => write!(f, "Status({})", self.0),
            name => write!(f, "{name} ({})", self.0),
        }
    }
}

/// A failed call: the library's status, and what belongs to it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Error {
    /// What went wrong.
    pub status: Status,
    /// The library's text: the rule first, then field, value and offset. Empty for statuses that are answers
    /// (`FIELD_NOT_PRESENT`, `NOT_FOUND`…), which have no text.
    pub message: String,
    /// The operating system's error number.
    pub os_error: Option<i32>,
    /// Where in the input the fault lies, in bytes.
    pub offset: Option<u64>,
}

impl Error {
    /// An error that did not come from the library: a callback of the host that failed, or an argument that no Rust type
    /// rules out.
    pub fn new(status: Status, message: impl Into<String>) -> Self {
        Self { status, message: message.into(), os_error: None, offset: None }
    }

    /// What this thread's last failing call left. Ask at once, on the same thread; text of another status is dropped.
    #[cold]
    pub(crate) fn last(status: sys::HurrayStatus) -> Self {
        let mut error = Self::new(Status(status), String::new());
        let (mut belongs_to, mut os_error, mut offset) = (sys::HURRAY_OK, 0, u64::MAX);
        // SAFETY: the out-parameters are locals.
        unsafe { sys::hurray_last_error_info(&mut belongs_to, &mut os_error, &mut offset) };
        if belongs_to == status {
            error.os_error = (os_error != 0).then_some(os_error);
            error.offset = (offset != u64::MAX).then_some(offset);
            error.message = last_message();
        }
        error
    }
}

fn last_message() -> String {
    let mut bytes = [0u8; 512]; // the header's bound
    let mut len = bytes.len();
    // SAFETY: `len` is the room of `bytes`.
    if unsafe { sys::hurray_last_error_message(bytes.as_mut_ptr().cast(), &mut len) } != sys::HURRAY_OK {
        return String::new();
    }
    let text = String::from_utf8_lossy(bytes.get(..len).unwrap_or_default());
    let mut message = String::new();
    if message.try_reserve_exact(text.len()).is_ok() {
        message.push_str(&text);
    }
    message
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.message.as_str() {
            "" => f.write_str(self.status.name()),
            message => f.write_str(message),
        }
    }
}

impl std::error::Error for Error {}

/// `Ok` for 0, the error that this thread's call left for anything else.
#[inline]
pub(crate) fn check(status: sys::HurrayStatus) -> Result<()> {
    if status == sys::HURRAY_OK { Ok(()) } else { Err(Error::last(status)) }
}
