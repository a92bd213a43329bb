//! What has gone wrong for others in tensor interchange, one test for each report that the surface so far can meet. A
//! test carries the report's number; what needs the contents of buffers is tested where contents are read.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)] // a test; its helpers too

mod arrays;
mod blocks;
mod call;
mod lifetimes;
mod sizes;
mod sparse;
