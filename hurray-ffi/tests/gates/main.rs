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

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// A folder with the release library, built just now, under its SONAME and as `libhurray.so`.
fn library() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        support::build(support::target(), &[], &[]);
        support::lay_out(&support::target().join("release/libhurray.so"), "release")
    })
}
