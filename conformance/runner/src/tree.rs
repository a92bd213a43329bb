//! Where things are.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// The folders of a run.
pub(crate) struct Tree {
    /// The root of the repository; adapters run there.
    pub root: PathBuf,
    /// The fixtures.
    pub fixtures: PathBuf,
    /// What a run writes.
    pub build: PathBuf,
    counter: AtomicU64,
}

impl Tree {
    /// The tree of `CONFORMANCE_ROOT`, or the one around the working folder.
    pub fn find() -> Result<Self, String> {
        let here = env::current_dir().map_err(|error| error.to_string())?;
        let root = match env::var_os("CONFORMANCE_ROOT") {
            Some(root) => PathBuf::from(root),
            None => here
                .ancestors()
                .find(|folder| folder.join("conformance/PROTOCOL.md").is_file())
                .ok_or("run this inside the tree")?
                .to_owned(),
        };
        let build = root.join("build/conformance");
        fs::create_dir_all(&build).map_err(|error| format!("{}: {error}", build.display()))?;
        let fixtures = root.join("conformance/fixtures");
        let out = build.join("out");
        if out.exists() {
            fs::remove_dir_all(&out).map_err(|error| format!("{}: {error}", out.display()))?;
        }
        Ok(Self { root, fixtures, build, counter: AtomicU64::new(0) })
    }

    /// An empty folder of one case's own.
    pub fn fresh(&self) -> Result<PathBuf, String> {
        let number = self.counter.fetch_add(1, Ordering::Relaxed);
        let folder = self.build.join("out").join(number.to_string());
        fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        Ok(folder)
    }
}

/// The text of a file.
pub(crate) fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}
