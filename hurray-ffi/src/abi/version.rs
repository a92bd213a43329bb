//! Version of the surface, and of the library.

use super::handles::HurrayStatus;
use crate::format::Status;
use std::ffi::{CStr, c_char};

/// The version of this header. Compare it with `hurray_c_abi_version()` before any other call: a difference means that
/// the header and the library do not belong together, and nothing else may be called.
pub const HURRAY_C_ABI_VERSION: u32 = 10;

const VERSION: &CStr = match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
    Ok(version) => version,
    Err(_) => c"",
};

/// The C ABI version of the library that is loaded.
///
/// *Ownership:* none. *Errors:* none; cannot fail. *Threads:* any. *Since:* 10; the signature is frozen.
#[unsafe(no_mangle)]
pub extern "C" fn hurray_c_abi_version() -> u32 {
    HURRAY_C_ABI_VERSION
}

/// The library's own version, for people: `"0.1.0"`. A NUL-terminated static string.
///
/// *Ownership:* static, never freed. *Errors:* none; cannot fail. *Threads:* any. *Since:* 10.
#[unsafe(no_mangle)]
pub extern "C" fn hurray_version_string() -> *const c_char {
    VERSION.as_ptr()
}

/// The name of a status, `"HURRAY_ERR_IO"`; an unknown number gives `"HURRAY_ERR_UNKNOWN"`. A NUL-terminated static string.
///
/// *Ownership:* static, never freed. *Errors:* none; cannot fail. *Threads:* any. *Since:* 10.
#[unsafe(no_mangle)]
pub extern "C" fn hurray_status_name(status: HurrayStatus) -> *const c_char {
    Status(status).name().as_ptr()
}
