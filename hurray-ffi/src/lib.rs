//! `libhurray`: the tensor interchange format and its one public surface, `hurray.h`.
//!
//! `format` is the written format in safe Rust; `io` is files and streams; `convert` moves elements; `abi` is the door.
//! Arrows point one way: `abi` uses `io` and `convert`, which use `format`, never the reverse.

pub mod abi;
pub mod convert;
pub mod format;
pub mod io;
