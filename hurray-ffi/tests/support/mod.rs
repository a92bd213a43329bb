//! What the tests of the built library share.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The crate's folder.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The target folder of this run.
pub fn target() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the target folder")
}

/// Builds the release library in a target folder, with further arguments and variables.
pub fn build(target: &Path, arguments: &[&str], environment: &[(&str, &str)]) {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(root()).args(["build", "--release", "--quiet", "--locked", "--lib", "--target-dir"]);
    run(cargo.arg(target).args(arguments).envs(environment.iter().copied()));
}

/// Puts a built library into a folder of its own under the names that linkers and loaders look for. By rename, so that
/// a program that runs meanwhile keeps the file it has.
pub fn lay_out(library: &Path, folder: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    for name in ["libhurray.so", "libhurray.so.10"] {
        let fresh = folder.join(format!("{name}.{}", std::process::id()));
        std::fs::copy(library, &fresh).expect("the built library");
        std::fs::rename(fresh, folder.join(name)).expect("the new name");
    }
    folder
}

/// Runs a command to its end and gives what it printed.
pub fn run(command: &mut Command) -> String {
    // Cargo puts the folders of other packages' libraries here, which would win over a program's run path.
    command.env_remove("LD_LIBRARY_PATH");
    let shown = format!("{command:?}");
    let output = command.output().unwrap_or_else(|error| panic!("{shown}: {error}"));
    let text =
        [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
    assert!(output.status.success(), "{shown}: {}\n{text}", output.status);
    text
}
