//! The tests of the header in C: each program is built as C11 and as C++17, with the address and undefined-behaviour
//! sanitizers, against the release library, and run.

#![allow(clippy::expect_used, clippy::panic)] // a test; its helpers too

#[path = "../support/mod.rs"]
mod support;

use std::path::Path;
use std::process::Command;

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

programs! { array buffer builder descriptor field handle item library list null options part status tensor thread version }

fn check(name: &str, compiler: &str, language: &[&str]) {
    let folder = support::library();
    let source = support::root().join("tests/c");
    let program = folder.join(format!("{name}-{compiler}"));
    let mut build = Command::new(compiler);
    build.args(["-g", "-O1", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-pthread"]);
    build.args([
        "-fsanitize=address,undefined",
        "-fno-sanitize-recover=undefined",
        "-fno-omit-frame-pointer",
    ]);
    build.current_dir(&source).arg("-I../../include").args(language).arg(format!("{name}.c"));
    build.args(["-x", "none", "-lhurray"]).arg(format!("-L{0}", folder.display()));
    build.arg(format!("-Wl,-rpath,{}", folder.display())).arg("-o").arg(&program);
    support::run(&mut build);
    // An allocation that is too large answers NULL, as it does without a sanitizer.
    let mut test = Command::new(&program);
    print!(
        "{compiler}: {}",
        support::run(test.env("ASAN_OPTIONS", "allocator_may_return_null=1:detect_leaks=1"))
    );
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
