//! The languages that have an adapter.

use std::env;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;

use crate::pool::Pool;
use crate::tree::Tree;

/// The exit code of a `build` that says that its language is not on this machine.
const CANNOT: i32 = 3;

/// One language.
pub(crate) struct Language {
    pub name: String,
    pub folder: PathBuf,
    pub root: PathBuf,
    pub pool: Pool,
}

impl Language {
    fn new(tree: &Tree, name: &str, folder: PathBuf) -> Arc<Self> {
        let pool = Pool::new(name, folder.join("run"), tree.root.clone());
        Arc::new(Self { name: name.to_owned(), folder, root: tree.root.clone(), pool })
    }

    /// Brings the adapter up to date; false if the language cannot run on this machine, which `build` has said.
    pub fn build(&self, tree: &Tree) -> Result<bool, String> {
        let script = self.folder.join("build");
        let done = Command::new(&script).current_dir(&tree.root).status();
        match done {
            Ok(status) if status.success() => Ok(true),
            Ok(status) if status.code() == Some(CANNOT) && env::var_os("CI").is_none() => {
                println!("{} is not run", self.name);
                Ok(false)
            }
            Ok(status) => Err(format!("{} failed: {status}", script.display())),
            Err(error) => Err(format!("{}: {error}", script.display())),
        }
    }
}

/// The languages that `CONFORMANCE_LANG` names.
fn wanted() -> Vec<String> {
    let names = env::var("CONFORMANCE_LANG").unwrap_or_default();
    names.split(',').filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// Whether a language is named, so that it has to run.
pub(crate) fn is_wanted(name: &str) -> bool {
    wanted().iter().any(|one| one == name)
}

/// Every language that has an adapter, or those that `CONFORMANCE_LANG` names.
pub(crate) fn find(tree: &Tree) -> Result<Vec<Arc<Language>>, String> {
    let mut found = vec![];
    let c = tree.root.join("conformance/adapters/c");
    if c.join("run").is_file() {
        found.push(("c".to_owned(), c));
    }
    if let Ok(bindings) = fs::read_dir(tree.root.join("bindings")) {
        for binding in bindings.flatten() {
            let folder = binding.path().join("adapter");
            if folder.join("run").is_file() {
                found.push((binding.file_name().to_string_lossy().into_owned(), folder));
            }
        }
    }
    found.sort();
    let wanted = wanted();
    if let Some(name) = wanted.iter().find(|&name| !found.iter().any(|(one, _)| one == name)) {
        return Err(format!("{name} has no adapter"));
    }
    if !wanted.is_empty() {
        found.retain(|(name, _)| wanted.contains(name));
    }
    Ok(found.into_iter().map(|(name, folder)| Language::new(tree, &name, folder)).collect())
}

/// Plain C, which the others are held against.
pub(crate) fn control(tree: &Tree) -> Result<Arc<Language>, String> {
    let language = Language::new(tree, "control", tree.root.join("conformance/adapters/c"));
    language.build(tree)?;
    Ok(language)
}
