//! What the C programs run under: the compiler's sanitizers and the release library, unless `HURRAY_C_UNDER` says
//! `address` (the address sanitizer in the library too) or `valgrind` (nothing built in).

use crate::support::{build, lay_out, run};
use std::path::{Path, PathBuf};
use std::process::Command;

#[derive(Clone, Copy, PartialEq)]
enum Under {
    Sanitizers,
    Address,
    Valgrind,
}

fn under() -> Under {
    match std::env::var("HURRAY_C_UNDER").as_deref() {
        Err(_) => Under::Sanitizers,
        Ok("address") => Under::Address,
        Ok("valgrind") => Under::Valgrind,
        Ok(other) => panic!("HURRAY_C_UNDER is address or valgrind, not {other}"),
    }
}

/// Builds the library as this run wants it, in a target folder, and gives the folder that it is laid out in.
pub fn library(name: &str, target: &Path, arguments: &[&str]) -> PathBuf {
    if under() != Under::Address {
        build(target, arguments, &[]);
        return lay_out(&target.join("release/libhurray.so"), name);
    }
    let version = run(Command::new("rustc").arg("-vV"));
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).expect("a host");
    let mut arguments = arguments.to_vec();
    arguments.extend(["--target", host, "--config", "profile.release.debug=1"]);
    // The sanitizer is there in the stable compiler, behind this door.
    build(target, &arguments, &[("RUSTC_BOOTSTRAP", "1"), ("RUSTFLAGS", "-Zsanitizer=address")]);
    lay_out(&target.join(host).join("release/libhurray.so"), &format!("{name}-address"))
}

/// The compiler's arguments for a program.
pub fn flags() -> &'static [&'static str] {
    match under() {
        Under::Valgrind => &["-g", "-O1"],
        Under::Sanitizers | Under::Address => &[
            "-g",
            "-O1",
            "-fsanitize=address,undefined",
            "-fno-sanitize-recover=undefined",
            "-fno-omit-frame-pointer",
        ],
    }
}

/// The command that runs a program.
pub fn command(program: &Path) -> Command {
    let mut command = Command::new(program);
    if under() == Under::Valgrind {
        command = Command::new("valgrind");
        command.args(["-q", "--error-exitcode=9", "--leak-check=full"]);
        command.arg("--errors-for-leak-kinds=definite,indirect").arg(program);
    }
    // An allocation that is too large answers NULL, as it does without a sanitizer.
    command.env("ASAN_OPTIONS", "allocator_may_return_null=1:detect_leaks=1");
    command.env("LSAN_OPTIONS", "print_suppressions=0");
    command
}
