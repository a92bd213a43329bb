//! A library of another C ABI version is refused, and nothing of it is called but its version.

#![allow(clippy::unwrap_used)] // tests

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

use hurray_client::{
    Buffer, Descriptor, ElementType, Options, Status, Tensor, abi_version, library_path, version,
};

/// Set in the child, which runs this same test against the stub.
const STUB: &str = "HURRAY_TEST_STUB";

#[test]
fn another_version_is_refused() {
    match env::var_os(STUB) {
        Some(stub) => refuses(Path::new(&stub)),
        None => run_with_stub(),
    }
}

/// Makes a library that has every function, reports version 9, and ends the process if anything else is called.
fn run_with_stub() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("stub");
    fs::create_dir_all(&directory).unwrap();
    let declarations = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/src/sys.rs")).unwrap();
    let mut source = String::from("#include <stdlib.h>\nunsigned hurray_c_abi_version(void) { return 9; }\n");
    for (_, rest) in
        declarations.match_indices("pub fn ").map(|(at, word)| declarations.split_at(at + word.len()))
    {
        let name: String = rest.chars().take_while(|&letter| letter != '(').collect();
        if name != "hurray_c_abi_version" {
            source += &format!("void {name}(void) {{ abort(); }}\n");
        }
    }
    fs::write(directory.join("stub.c"), source).unwrap();
    let soname = format!("libhurray.so.{}", hurray_client::sys::HURRAY_C_ABI_VERSION);
    let library = directory.join(&soname);
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC", &format!("-Wl,-soname,{soname}"), "-o"]).arg(&library).arg("stub.c");
    assert!(compiler.current_dir(&directory).status().unwrap().success());

    let child = Command::new(env::current_exe().unwrap())
        .args(["--exact", "another_version_is_refused"])
        .env("LD_LIBRARY_PATH", &directory)
        .env(STUB, &library)
        .output()
        .unwrap();
    assert!(child.status.success(), "{}", String::from_utf8_lossy(&child.stdout));
    assert!(String::from_utf8_lossy(&child.stdout).contains("1 passed"));
}

fn refuses(stub: &Path) {
    assert_eq!(abi_version(), 9);
    assert_eq!(library_path().as_deref(), Some(stub));
    let error = Tensor::from_vec(&[1], vec![1.0f32]).unwrap_err();
    assert_eq!(error.status, Status::VERSION_MISMATCH);
    let text = error.to_string();
    for part in ["version 9", "version 10", stub.to_str().unwrap()] {
        assert!(text.contains(part), "{text}");
    }
    assert_eq!(Buffer::alloc(1, 64).unwrap_err(), error);
    assert_eq!(Descriptor::decode(&[]).unwrap_err(), error);
    assert_eq!(Options::new().unwrap_err(), error);
    assert_eq!(version().unwrap_err(), error);
    assert_eq!(ElementType::FLOAT32.name(), None);
    assert_eq!(format!("{:?}", error.status), "Status(-2)");
    let dangling = std::ptr::NonNull::dangling().as_ptr();
    // SAFETY: a handle is not looked at before the library is known.
    assert_eq!(unsafe { Tensor::from_raw(dangling) }.unwrap_err(), error);
}

#[test]
fn the_right_version_tells_its_file_and_version() {
    if env::var_os(STUB).is_none() {
        assert_eq!(abi_version(), 10);
        assert_eq!(version().unwrap(), env!("CARGO_PKG_VERSION"));
        assert!(library_path().unwrap().file_name().unwrap().to_str().unwrap().starts_with("libhurray"));
    }
}
