//! The library that is loaded: its version, its file, its live handles.

use std::ffi::CStr;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::{Error, Result, Status, check};
use crate::sys;

/// Set once the loaded library was seen to have the version of these declarations.
static READY: AtomicBool = AtomicBool::new(false);

/// Passes if the loaded library may be called. Every function that has no handle to start from asks this first.
#[inline]
pub(crate) fn ready() -> Result<()> {
    if READY.load(Ordering::Relaxed) { Ok(()) } else { compare_versions() }
}

#[cold]
fn compare_versions() -> Result<()> {
    let found = abi_version();
    if found == sys::HURRAY_C_ABI_VERSION {
        READY.store(true, Ordering::Relaxed);
        return Ok(());
    }
    let file = library_path().map_or_else(|| "libhurray".into(), |path| path.display().to_string());
    let wanted = sys::HURRAY_C_ABI_VERSION;
    Err(Error::new(
        Status::VERSION_MISMATCH,
        format!(
            "{file} has version {found} of the Hurray C ABI, and this program was built for version {wanted}"
        ),
    ))
}

/// The C ABI version of the loaded library. Everything else fails with `VERSION_MISMATCH` unless it is
/// [`sys::HURRAY_C_ABI_VERSION`].
pub fn abi_version() -> u32 {
    // SAFETY: takes nothing, and has had this signature since version 1.
    unsafe { sys::hurray_c_abi_version() }
}

/// The library's own version, for people.
pub fn version() -> Result<&'static str> {
    ready()?;
    // SAFETY: gives a NUL-terminated static string.
    let version = unsafe { CStr::from_ptr(sys::hurray_version_string()) };
    Ok(version.to_str().unwrap_or_default())
}

/// How many handles the loaded copy of the library has made that are not destroyed yet. Exact while no other call runs.
pub fn live_handles() -> Result<u64> {
    ready()?;
    let mut count = 0;
    // SAFETY: the out-parameter is a local.
    check(unsafe { sys::hurray_live_handles(&mut count) })?;
    Ok(count)
}

/// The file that the library was loaded from, where the system tells.
pub fn library_path() -> Option<PathBuf> {
    #[cfg(unix)]
    {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt;

        let function = sys::hurray_c_abi_version as unsafe extern "C" fn() -> u32;
        let mut info = std::mem::MaybeUninit::<libc::Dl_info>::zeroed();
        // SAFETY: the address is one of a loaded image, and `info` has room for the answer.
        let found = unsafe { libc::dladdr(function as *const libc::c_void, info.as_mut_ptr()) };
        // SAFETY: zeroed is a valid `Dl_info`, and so is what a successful call wrote.
        let info = unsafe { info.assume_init() };
        if found == 0 || info.dli_fname.is_null() {
            return None;
        }
        // SAFETY: the name is NUL-terminated and lives as long as the image.
        let name = unsafe { CStr::from_ptr(info.dli_fname) };
        Some(PathBuf::from(OsStr::from_bytes(name.to_bytes())))
    }
    #[cfg(not(unix))]
    None
}
