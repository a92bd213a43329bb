//! The committed header is the one that the sources give.

use std::path::Path;

/// Sources in the header's order: versions first, then noun by noun.
const SOURCES: &[&str] = &[
    "version",
    "handles",
    "constants",
    "fields",
    "error",
    "live",
    "tag",
    "options",
    "buffer",
    "buffer_attributes",
    "handoff",
    "list",
    "descriptor",
    "field",
    "builder",
    "tensor",
    "array",
    "part",
    "item",
];

#[test]
fn header_is_current() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(root.join("cbindgen.toml")).expect("cbindgen.toml");
    let builder = cbindgen::Builder::new().with_config(config);
    let builder = SOURCES
        .iter()
        .fold(builder, |builder, name| builder.with_src(root.join(format!("src/abi/{name}.rs"))));
    let mut fresh = Vec::new();
    builder.generate().expect("the sources give a header").write(&mut fresh);
    let path = root.join("include/hurray.h");
    if std::env::var_os("HURRAY_UPDATE").is_some() {
        std::fs::write(&path, &fresh).expect("the header can be written");
        return;
    }
    let committed = std::fs::read(&path).unwrap_or_default();
    assert!(committed == fresh, "include/hurray.h is not what the sources give; run `make header`");
}
