//! The tests of the header in C: each program is built as C11 and as C++17, with the address and undefined-behaviour
//! sanitizers, against the release library, and run. `HURRAY_C_UNDER=address` builds the sanitizer into the library as
//! well; `HURRAY_C_UNDER=valgrind` takes valgrind instead.

#![allow(clippy::expect_used, clippy::panic)] // a test; its helpers too

#[path = "../support/mod.rs"]
mod support;

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
    array buffer builder descriptor dlpack field file handle item library list null options part status tensor thread
    version
}

/// What the programs run under.
#[derive(Clone, Copy, PartialEq)]
enum Under {
    /// Sanitizers in the programs, and the release library as it is.
    Sanitizers,
    /// Sanitizers in the programs and the address sanitizer in the library too.
    Address,
    /// Nothing built in; valgrind.
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

/// The folder of the library under test.
fn library() -> &'static Path {
    static INSTRUMENTED: OnceLock<PathBuf> = OnceLock::new();
    if under() != Under::Address {
        return support::library();
    }
    INSTRUMENTED.get_or_init(|| {
        let version = support::run(Command::new("rustc").arg("-vV"));
        let host = version.lines().find_map(|line| line.strip_prefix("host: ")).expect("a host");
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("address-build");
        // The sanitizer is there in the stable compiler, behind this door.
        let flags = [("RUSTC_BOOTSTRAP", "1"), ("RUSTFLAGS", "-Zsanitizer=address")];
        support::build(&target, &["--target", host, "--config", "profile.release.debug=1"], &flags);
        support::lay_out(&target.join(host).join("release/libhurray.so"), "address")
    })
}

fn check(name: &str, compiler: &str, language: &[&str]) {
    let folder = library();
    let source = support::root().join("tests/c");
    let program = folder.join(format!("{name}-{compiler}"));
    let mut build = Command::new(compiler);
    build.args(["-g", "-O1", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-pthread"]);
    if under() != Under::Valgrind {
        build.args([
            "-fsanitize=address,undefined",
            "-fno-sanitize-recover=undefined",
            "-fno-omit-frame-pointer",
        ]);
    }
    build.current_dir(&source).arg("-I../../include").args(language).arg(format!("{name}.c"));
    build.args(["-x", "none", "-lhurray"]).arg(format!("-L{0}", folder.display()));
    build.arg(format!("-Wl,-rpath,{}", folder.display())).arg("-o").arg(&program);
    support::run(&mut build);
    let mut test = Command::new(&program);
    if under() == Under::Valgrind {
        test = Command::new("valgrind");
        test.args([
            "-q",
            "--error-exitcode=9",
            "--leak-check=full",
            "--errors-for-leak-kinds=definite,indirect",
        ]);
        test.arg(&program);
    }
    // An allocation that is too large answers NULL, as it does without a sanitizer.
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
