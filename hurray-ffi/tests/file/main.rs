//! Files through the C functions. Bytes are composed by hand from the written format; what the library writes is
//! compared with such bytes, or read back by the published crate.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]
// a test; its helpers too
// A call of the door is as safe as what it is given, which is what each test is about.
#![allow(clippy::undocumented_unsafe_blocks)]

mod compact;
mod compose;
#[path = "../support/covered.rs"]
mod covered;
mod crash;
mod door;
mod example;
mod gate;
mod hostile;
mod many;
mod open;
mod pitfalls;
mod published;
#[path = "../support/ready.rs"]
mod ready;
mod rules;
mod save;
