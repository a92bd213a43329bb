//! `libhurray`: the tensor interchange format and its one public surface, `hurray.h`.
//!
//! `format` is the written format in safe Rust; `io` is files and streams; `abi` is the door. Arrows point one way:
//! `abi` uses `io`, which uses `format`, never the reverse.

pub mod abi;
pub mod format;
pub mod io;
