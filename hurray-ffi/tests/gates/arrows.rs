//! Dependencies point one way: the door uses `io` and `convert`, they use `format`; bindings use the header only.

use crate::support::root;
use std::path::{Path, PathBuf};

/// Every file below a folder, if it is there.
fn files(folder: &Path, out: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            if !path.ends_with("target") && !path.ends_with("node_modules") {
                files(&path, out);
            }
        } else {
            out.push(path);
        }
    }
}

/// Lines of Rust below a folder that have one of the words in them, comments aside.
fn lines_with(folder: &str, words: &[&str]) -> Vec<String> {
    let mut all = Vec::new();
    files(&root().join("src").join(folder), &mut all);
    let mut found = Vec::new();
    for path in all {
        for (number, line) in std::fs::read_to_string(&path).expect("a source").lines().enumerate() {
            let code = line.split("//").next().unwrap_or("");
            if words.iter().any(|word| code.contains(word)) {
                found.push(format!("{}:{}: {line}", path.display(), number + 1));
            }
        }
    }
    found
}

#[test]
fn format_knows_nothing_of_files_c_or_threads() {
    let words = [
        "abi::",
        "io::",
        "convert::",
        "extern \"C\"",
        "c_void",
        "unsafe",
        "std::fs",
        "std::thread",
        "std::os",
    ];
    let found = lines_with("format", &words);
    assert!(found.is_empty(), "move it to the room that it belongs to:\n{}", found.join("\n"));
}

#[test]
fn io_and_convert_know_nothing_of_the_door() {
    for folder in ["io", "convert"] {
        let found = lines_with(folder, &["abi::", "HurrayStatus"]);
        assert!(found.is_empty(), "move it to src/abi:\n{}", found.join("\n"));
    }
}

/// A binding's crate may use the client, which links the shared library; it never builds the library in.
#[test]
fn bindings_do_not_depend_on_the_library_crate() {
    let mut all = Vec::new();
    files(&root().parent().expect("the tree").join("bindings"), &mut all);
    let manifests: Vec<_> = all.iter().filter(|path| path.ends_with("Cargo.toml")).collect();
    assert!(!manifests.is_empty());
    for path in manifests {
        let text = std::fs::read_to_string(path).expect("a manifest");
        let found: Vec<_> = text
            .lines()
            .filter(|line| line.starts_with("hurray") && !line.starts_with("hurray-client"))
            .collect();
        assert!(found.is_empty(), "{}: {found:?}; depend on hurray-client", path.display());
    }
}
