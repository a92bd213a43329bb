//! The tests of the header in C: each program is built as C11 and as C++17, with the address and undefined-behaviour
//! sanitizers, against the release library, and run; or as `HURRAY_C_UNDER` says.

#![allow(clippy::expect_used, clippy::panic)] // a test; its helpers too

#[path = "../support/mod.rs"]
mod support;
#[path = "../support/under.rs"]
mod under;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

macro_rules! programs {
    ($($name:ident)*) => {
        $(mod $name {
            #[test]
            fn as_c() {
                super::check(stringify!($name), "gcc", &["-std=c11", "-x", "c"]);
            }

            #[test]
            fn as_cpp() {
                super::check(stringify!($name), "g++", &["-std=c++17", "-x", "c++"]);
            }
        })*

        const PROGRAMS: &[&str] = &[$(stringify!($name)),*];
    };
}

programs! {
    array assemble buffer builder convert descriptor dlpack field file handle item library list null options pack paged
    part quantize sparse status stream tensor thread version
}

/// The folder of the library under test.
fn library() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| under::library("release", support::target(), &[]))
}

fn check(name: &str, compiler: &str, language: &[&str]) {
    let folder = library();
    let program = folder.join(format!("{name}-{compiler}"));
    let mut build = Command::new(compiler);
    build.args(under::flags()).args(["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-pthread"]);
    build.current_dir(support::root().join("tests/c")).arg("-I../../include");
    build.args(language).arg(format!("{name}.c"));
    build.args(["-x", "none", "-lhurray"]).arg(format!("-L{0}", folder.display()));
    build.arg(format!("-Wl,-rpath,{}", folder.display())).arg("-o").arg(&program);
    support::run(&mut build);
    print!("{compiler}: {}", support::run(&mut under::command(&program)));
}

#[test]
fn every_program_is_listed() {
    for entry in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c")).expect("tests/c") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|end| end == "c") {
            let name = path.file_stem().expect("a name").to_string_lossy();
            assert!(PROGRAMS.contains(&&*name), "{name}.c is not among the programs of tests/c/main.rs");
        }
    }
}
