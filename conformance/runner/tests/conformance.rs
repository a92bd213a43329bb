//! The suite for `cargo test -p hurray-conformance --test conformance -- FILTER`, which hands its arguments on.
//! It needs what `make lib` lays out, so a plain `cargo test` leaves it out.

use std::io::Error;
use std::process::{Command, ExitCode};

fn main() -> Result<ExitCode, Error> {
    let status =
        Command::new(env!("CARGO_BIN_EXE_conformance")).args(std::env::args_os().skip(1)).status()?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
