//! `libhurray`: the tensor interchange format and its one public surface, `hurray.h`.
//!
//! `format` is the written format in safe Rust; `abi` is the door. Arrows point one way:
//! `abi` uses `format`, never the reverse.

pub mod abi;
pub mod format;
pub mod io;
