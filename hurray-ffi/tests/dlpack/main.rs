//! DLPack in and out, through the header's functions, against structs made by hand as the published header describes them.

#![allow(clippy::undocumented_unsafe_blocks, clippy::expect_used, clippy::panic, clippy::manual_dangling_ptr)] // a test

mod array;
mod element;
mod support;
