//! Libraries and handles of another version are refused.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::json;

use crate::Check;
use crate::adapter::Adapter;
use crate::languages::Language;
use crate::statuses;
use crate::tree::{self, Tree};

/// The version of this tree.
pub(crate) const VERSION: u32 = 10;

/// Small libraries, built when they are first asked for.
pub(crate) struct Stubs {
    root: PathBuf,
    folder: PathBuf,
    lock: Mutex<()>,
}

impl Stubs {
    pub fn new(tree: &Tree) -> Self {
        Self { root: tree.root.clone(), folder: tree.build.join("stubs"), lock: Mutex::new(()) }
    }

    /// A library that has every function and ends the process in each but the one that tells its version.
    fn library(&self, version: u32) -> Result<PathBuf, String> {
        let symbols = tree::read(&self.root.join("hurray-ffi/abi/symbols.txt"))?;
        let mut source =
            format!("#include <stdlib.h>\nunsigned hurray_c_abi_version(void) {{ return {version}; }}\n");
        for name in symbols.split_whitespace().filter(|&name| name != "hurray_c_abi_version") {
            source += &format!("void {name}(void) {{ abort(); }}\n");
        }
        let folder = self.folder.join(version.to_string());
        self.compile(&source, &folder, &format!("libhurray.so.{VERSION}"))
    }

    /// A library that makes handles of any version.
    fn handles(&self) -> Result<PathBuf, String> {
        let source = tree::read(&self.root.join("conformance/adapters/foreign.c"))?;
        self.compile(&source, &self.folder, "libforeign.so")
    }

    fn compile(&self, source: &str, folder: &Path, name: &str) -> Result<PathBuf, String> {
        let _one_at_a_time = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        let (code, library) = (folder.join(format!("{name}.c")), folder.join(name));
        if fs::read_to_string(&code).is_ok_and(|old| old == source) && library.is_file() {
            return Ok(library);
        }
        let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
        fs::create_dir_all(folder).map_err(failed)?;
        fs::write(&code, source).map_err(failed)?;
        let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
        let done = Command::new(compiler)
            .args(["-shared", "-fPIC", &format!("-Wl,-soname,{name}"), "-o"])
            .args([&library, &code])
            .status()
            .map_err(failed)?;
        if done.success() { Ok(library) } else { Err(format!("{} does not compile", code.display())) }
    }
}

/// The checks of one language.
pub(crate) fn checks(language: &Arc<Language>, stubs_of_all: &Arc<Stubs>) -> Vec<(String, Check)> {
    let mut checks: Vec<(String, Check)> = Vec::new();
    for version in [VERSION - 1, VERSION + 1] {
        let (tested, stubs) = (Arc::clone(language), Arc::clone(stubs_of_all));
        checks.push((
            format!("versions/library-{version}"),
            Box::new(move || refuses_library(&tested, &stubs, version)),
        ));
        let (tested, stubs) = (Arc::clone(language), Arc::clone(stubs_of_all));
        checks.push((
            format!("versions/handle-{version}"),
            Box::new(move || refuses_handle(&tested, &stubs, version)),
        ));
    }
    checks
}

fn refuses_library(language: &Language, stubs: &Stubs, version: u32) -> Result<(), String> {
    let stub = stubs.library(version)?;
    let folder: OsString = stub.parent().map(Into::into).unwrap_or_default();
    let path = OsString::from(&stub);
    let environment = [("LD_PRELOAD", path.clone()), ("LD_LIBRARY_PATH", folder), ("HURRAY_LIBRARY", path)];
    let mut adapter = Adapter::start(&language.folder.join("run"), &language.root, &environment)?;
    let answer = adapter.ask(&json!({"op": "hello"}))?;
    let text = answer["message"].as_str().unwrap_or_default();
    if answer["status"].as_i64() != statuses::number("ERR_VERSION_MISMATCH") {
        return Err(format!("hello was answered with {answer}"));
    }
    for part in [version.to_string(), VERSION.to_string(), stub.to_string_lossy().into_owned()] {
        if !text.contains(&part) {
            return Err(format!("{part} is not in the text: {text}"));
        }
    }
    Ok(())
}

fn refuses_handle(language: &Language, stubs: &Stubs, version: u32) -> Result<(), String> {
    let library = stubs.handles()?;
    let request = json!({"op": "foreign", "library": library.to_string_lossy(), "version": version});
    let answer = language.pool.ask(&request)?;
    if answer["status"].as_i64() != statuses::number("ERR_VERSION_MISMATCH") {
        return Err(format!("the handle was answered with {answer}"));
    }
    if answer["calls"] != 0 {
        return Err(format!("the handle was used before it was refused: {answer}"));
    }
    Ok(())
}
