//! What the library says of itself, and of the format's tags.

use hurray_client::{ElementType, Options, Status};
use napi::bindgen_prelude::BigInt;
use napi_derive::napi;

use crate::error::{OrThrow, failed, refuse};

/// The C ABI version of the library that was loaded.
#[napi]
pub fn abi_version() -> u32 {
    hurray_client::abi_version()
}

/// The library's release; fails when the library has another C ABI version than this module was built for.
#[napi]
pub fn version() -> napi::Result<&'static str> {
    hurray_client::version().or_throw()
}

/// Which file the library came from.
#[napi]
pub fn library_path() -> Option<String> {
    hurray_client::library_path().map(|path| path.to_string_lossy().into_owned())
}

/// Handles that were made and not destroyed.
#[napi]
pub fn live_handles() -> napi::Result<BigInt> {
    hurray_client::live_handles().or_throw().map(BigInt::from)
}

/// The name of a tag in a numbered space; null for one that is not assigned.
#[napi]
pub fn tag_name(space: u32, tag: u32) -> napi::Result<Option<&'static str>> {
    match hurray_client::tag_name(space, tag) {
        Ok(name) => Ok(Some(name)),
        Err(error) if error.status == Status::NOT_FOUND => Ok(None),
        Err(error) => Err(failed(error)),
    }
}

/// Width in bits, alignment in bytes and kind of an element type.
#[napi(object)]
pub struct ElementInfo {
    pub bits: u32,
    pub alignment: u32,
    pub kind: u32,
}

/// What is known of an element type; null for one that the format does not know.
#[napi]
pub fn element_type_info(tag: u8) -> Option<ElementInfo> {
    let info = ElementType(tag).info().ok()?;
    Some(ElementInfo { bits: info.bits, alignment: info.alignment, kind: info.kind })
}

/// A whole number that came as a bigint.
pub fn word(value: &BigInt, name: &str) -> napi::Result<u64> {
    match value.get_u64() {
        (false, word, true) => Ok(word),
        _ => refuse(Status::INVALID_ARGUMENT, format!("{name} does not fit 64 unsigned bits")),
    }
}

/// Options from pairs of number and value.
pub fn options(settings: &[u64]) -> napi::Result<Options> {
    let mut options = Options::new().or_throw()?;
    for pair in settings.chunks_exact(2) {
        if let &[option, value] = pair {
            options.set(option as u32, value).or_throw()?;
        }
    }
    Ok(options)
}
