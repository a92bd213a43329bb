//! `libhurray`: the tensor interchange format and its one public surface, `hurray.h`.
//!
//! `format` is the written format in safe Rust; `io` is files and streams; `convert` moves elements; `abi` is the door.
//! Arrows point one way: `abi` uses `io` and `convert`, which use `format`, never the reverse.

#[cfg(not(all(target_endian = "little", target_pointer_width = "64")))]
compile_error!(
    "elements are little-endian and shared in place, lengths have 64 bits: other machines are not supported"
);

pub mod abi;
pub mod convert;
pub mod format;
pub mod io;
