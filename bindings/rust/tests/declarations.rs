//! `src/sys.rs` is what bindgen makes of `hurray.h`. `make header` writes it anew.

#![allow(clippy::expect_used)] // tests

use std::collections::HashSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use bindgen::callbacks::{IntKind, ParseCallbacks};

/// Constants get the type of the parameters that they are for: tags are a byte on the wire.
#[derive(Debug)]
struct Types;

const TAGS: [&str; 10] =
    ["TYPE", "LAYOUT", "SCHEME", "DEVICE", "MEMORY", "SYNC", "RULE", "OP", "MEMBER", "KV"];

impl ParseCallbacks for Types {
    fn int_macro(&self, name: &str, _: i64) -> Option<IntKind> {
        let mut words = name.strip_prefix("HURRAY_")?.split('_');
        let first = words.next()?;
        Some(match first {
            "OK" | "NEED" | "END" | "ERR" => IntKind::I32,
            _ if TAGS.contains(&first) && !words.any(|word| word == "FIELD") => IntKind::U8,
            _ => IntKind::U32,
        })
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The directory of libclang in the tree's own Python environment, where `LIBCLANG_PATH` does not name one.
fn point_at_libclang() {
    if std::env::var_os("LIBCLANG_PATH").is_some() {
        return;
    }
    let libraries = root().join(".venv/lib");
    for python in fs::read_dir(libraries).into_iter().flatten().flatten() {
        let native = python.path().join("site-packages/clang/native");
        if native.is_dir() {
            // SAFETY: the other test of the program does not look at the environment.
            unsafe { std::env::set_var("LIBCLANG_PATH", native) };
        }
    }
}

fn generate(header: &Path) -> String {
    let include = Command::new("gcc").arg("-print-file-name=include").output().expect("gcc runs");
    let include = String::from_utf8(include.stdout).expect("a path");
    bindgen::Builder::default()
        .header(header.to_str().expect("a path in UTF-8"))
        .clang_args(["-isystem", include.trim()])
        .parse_callbacks(Box::new(Types))
        .allowlist_item("(hurray_|Hurray|HURRAY_).*")
        .use_core()
        .ctypes_prefix("core::ffi")
        .rust_target(bindgen::RustTarget::stable(90, 0).expect("a version that bindgen knows"))
        .rust_edition(bindgen::RustEdition::Edition2024)
        .derive_copy(false)
        .derive_debug(false)
        .layout_tests(false)
        .merge_extern_blocks(true)
        .generate_comments(false)
        .disable_header_comment()
        .raw_line(
            "// Declarations of hurray.h, made by bindgen; do not edit. What each one does is in the header.",
        )
        .rustfmt_configuration_file(Some(root().join("rustfmt.toml")))
        .generate()
        .expect("the header is C")
        .to_string()
}

#[test]
fn declarations_are_those_of_the_header() {
    point_at_libclang();
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {})); // bindgen panics where libclang is not found
    let found = std::panic::catch_unwind(bindgen::clang_version).is_ok();
    std::panic::set_hook(hook);
    if !found {
        // Past the test harness, which keeps what a passing test prints to itself.
        let words =
            "not run: libclang was not found; set LIBCLANG_PATH, or `pip install libclang` into .venv";
        writeln!(std::io::stderr(), "{words}").expect("stderr can be written");
        assert!(std::env::var_os("CI").is_none(), "this gate must run where CI is set");
        return;
    }
    let made = generate(&root().join("hurray-ffi/include/hurray.h"));
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/sys.rs");
    if std::env::var_os("HURRAY_UPDATE").is_some() {
        fs::write(&file, &made).expect("src/sys.rs can be written");
    }
    let committed = fs::read_to_string(&file).expect("src/sys.rs can be read");
    assert!(
        committed == made,
        "bindings/rust/src/sys.rs is not what bindgen makes of hurray.h; run `make header`"
    );
}

#[test]
fn every_function_is_called_by_the_client() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut declared, mut called) = (String::new(), String::new());
    for file in fs::read_dir(&sources).expect("the sources can be listed").flatten() {
        let is_sys = file.file_name() == "sys.rs";
        let text = fs::read_to_string(file.path()).expect("the sources can be read");
        if is_sys { &mut declared } else { &mut called }.push_str(&text);
    }
    let words = |text: &str| -> HashSet<String> {
        let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        text.split(|letter| !is_part(letter))
            .filter(|word| word.starts_with("hurray_"))
            .map(String::from)
            .collect()
    };
    let missing: Vec<_> = words(&declared).difference(&words(&called)).cloned().collect();
    assert!(missing.is_empty(), "nothing in bindings/rust/src calls {missing:?}");
}
