//! The library under generated, hostile and failing conditions. Random inputs come from fixed seeds.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)] // a test; its helpers too

mod call;
mod differences;
mod exhaustion;
mod exhaustion_convert;
mod exhaustion_dlpack;
mod exhaustion_io;
mod fields;
mod generate;
mod handoff;
mod hostile;
mod memory;
mod model;
mod mutate;
mod properties;
mod published;
mod random;
mod samples;
mod threads;
