//! Conversions through the header's functions, against the formulas of the written format, element by element.

#![allow(clippy::expect_used, clippy::panic)] // a test

mod dense;
mod door;
mod formula;
#[path = "../proof/random.rs"]
#[expect(dead_code, reason = "the proofs need more of it")]
mod random;
