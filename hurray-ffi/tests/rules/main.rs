//! Every numbered rule of the written format, broken and just kept, through the C functions. Bytes are written by hand
//! from the documents; the library's encoder is only ever compared with them.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)] // a test; its helpers too

mod access;
mod buffers;
mod building;
mod composites;
mod contents;
mod examples;
mod frame;
mod gate;
mod handoff;
mod layout;
mod layouts;
mod quantization;
mod reading;
mod schemes;
mod sections;
mod support;
mod writing;
