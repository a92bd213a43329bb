//! The drift gates: what is built, what is committed and what is documented say the same. Each names the command that
//! mends it.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)] // a test; its helpers too

mod arrows;
mod compile;
mod coverage;
mod header;
mod history;
mod layout;
#[path = "../support/mod.rs"]
mod support;
mod symbols;
