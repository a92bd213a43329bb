//! Questions to the library that need no tensor.

use hurray_client::{ElementType, Status, abi_version as loaded, library_path as path, live_handles as live};
use pyo3::prelude::*;

use crate::errors::{OrRaise, raise};

/// The name of a tag in one of the spaces, or None.
#[pyfunction]
pub fn tag_name(py: Python<'_>, space: u32, tag: u32) -> PyResult<Option<&'static str>> {
    match hurray_client::tag_name(space, tag) {
        Ok(name) => Ok(Some(name)),
        Err(error) if error.status == Status::NOT_FOUND => Ok(None),
        Err(error) => Err(raise(py, error)),
    }
}

/// Bits, alignment in bytes and kind bits of an element type, or None if it is not assigned.
#[pyfunction]
pub fn element_type_info(py: Python<'_>, tag: u8) -> PyResult<Option<(u32, u32, u32)>> {
    match ElementType(tag).info() {
        Ok(info) => Ok(Some((info.bits, info.alignment, info.kind))),
        Err(error) if error.status == Status::INVALID_TYPE => Ok(None),
        Err(error) => Err(raise(py, error)),
    }
}

/// Bytes of so many contiguous elements, packed as the format packs them.
#[pyfunction]
pub fn element_type_bytes(py: Python<'_>, tag: u8, count: u64) -> PyResult<u64> {
    ElementType(tag).bytes(count).or_raise(py)
}

/// The number of the C ABI that the loaded library has.
#[pyfunction]
pub fn abi_version() -> u32 {
    loaded()
}

/// How many handles this process's library has made that are not released yet; for finding leaks.
#[pyfunction]
pub fn live_handles(py: Python<'_>) -> PyResult<u64> {
    live().or_raise(py)
}

/// The file that the library was loaded from.
#[pyfunction]
pub fn library_path() -> Option<std::path::PathBuf> {
    path()
}
