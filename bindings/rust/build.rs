//! Finds libhurray and links against it. In this order: the directory `HURRAY_LIB_DIR`; pkg-config, where
//! `HURRAY_USE_PKG_CONFIG` is set or the library's sources are not beside this crate; the sources beside it.
//!
//! Crates that link this one get what was found as `DEP_HURRAY_LIB_DIR` and, where it is known, `DEP_HURRAY_INCLUDE`.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=HURRAY_LIB_DIR");
    println!("cargo:rerun-if-env-changed=HURRAY_USE_PKG_CONFIG");

    let sources = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("../../hurray-ffi");
    if let Some(directory) = env::var_os("HURRAY_LIB_DIR") {
        link(Path::new(&directory));
    } else if env::var_os("HURRAY_USE_PKG_CONFIG").is_some() || !sources.is_dir() {
        let library = pkg_config::Config::new().probe("hurray")?; // prints the link lines itself
        tell("lib_dir", library.link_paths.first());
        tell("include", library.include_paths.first());
    } else {
        link(&build(&sources)?);
        tell("include", Some(&sources.join("include")));
    }
    Ok(())
}

fn link(directory: &Path) {
    println!("cargo:rustc-link-search=native={}", directory.display());
    println!("cargo:rustc-link-lib=dylib=hurray");
    tell("lib_dir", Some(&directory.to_path_buf()));
}

fn tell(key: &str, directory: Option<&PathBuf>) {
    if let Some(directory) = directory {
        println!("cargo:{key}={}", directory.display());
    }
}

/// Builds the library and gives the directory that holds it under the names that linker and loader ask for. The
/// directory is in this build's own output, where `cargo test` and `cargo run` let the loader look.
fn build(sources: &Path) -> Result<PathBuf, Box<dyn Error>> {
    for input in ["src", "build.rs", "Cargo.toml", "../Cargo.toml", "../Cargo.lock"] {
        println!("cargo:rerun-if-changed={}", sources.join(input).display());
    }
    let (host, target) = (env::var("HOST")?, env::var("TARGET")?);
    let output = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?);
    // A target directory of its own, because the cargo that runs this script holds the lock of the other. All profiles
    // share it: the library is the same for all of them.
    let built = output.ancestors().nth(4).ok_or("OUT_DIR has four parents")?.join("hurray-lib");
    let mut cargo = Command::new(env::var_os("CARGO").ok_or("cargo sets CARGO")?);
    cargo.args(["build", "--release", "--package", "hurray-ffi", "--manifest-path"]);
    cargo.arg(sources.join("Cargo.toml")).arg("--target-dir").arg(&built);
    let mut release = built.join("release");
    if host != target {
        cargo.args(["--target", &target]);
        release = built.join(&target).join("release");
    }
    // `cargo clippy` puts its driver in the compiler's place, which would build the library anew each time.
    cargo.env_remove("RUSTC_WORKSPACE_WRAPPER").env_remove("CLIPPY_ARGS");
    if !cargo.status()?.success() {
        return Err("the library beside this crate does not build".into());
    }

    let directory = output.join("lib");
    fs::create_dir_all(&directory)?;
    let version = abi_version()?;
    let (name, loaded) = match env::var("CARGO_CFG_TARGET_OS")?.as_str() {
        "macos" => ("libhurray.dylib", format!("libhurray.{version}.dylib")),
        "windows" => return Err("set HURRAY_LIB_DIR to the directory of the library".into()),
        _ => ("libhurray.so", format!("libhurray.so.{version}")),
    };
    for place in [name, loaded.as_str()] {
        // Beside it and then over it, so that a program that runs meanwhile keeps the file that it has.
        let beside = directory.join("new");
        fs::copy(release.join(name), &beside)?;
        fs::rename(&beside, directory.join(place))?;
    }
    Ok(directory)
}

/// The number in the library's SONAME, from the declarations.
fn abi_version() -> Result<String, Box<dyn Error>> {
    let declarations = fs::read_to_string("src/sys.rs")?;
    let (_, rest) =
        declarations.split_once("HURRAY_C_ABI_VERSION: u32 = ").ok_or("src/sys.rs has a version")?;
    let (version, _) = rest.split_once(';').ok_or("src/sys.rs has a version")?;
    Ok(version.to_owned())
}
