//! What the built library exports, and how it is linked.

use crate::header::header;
use crate::library;
use crate::support::{root, run};
use std::collections::BTreeSet;
use std::process::Command;

fn readelf(arguments: &[&str]) -> String {
    run(Command::new("readelf").arg("-W").args(arguments).arg(library().join("libhurray.so")))
}

/// Dynamic symbols that the library defines.
fn exported() -> BTreeSet<String> {
    readelf(&["--dyn-syms"])
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>())
        .filter(|words| words.len() == 8 && words[0].trim_end_matches(':').parse::<u32>().is_ok())
        .filter(|words| words[4] != "LOCAL" && words[6] != "UND")
        .map(|words| words[7].to_string())
        .collect()
}

#[test]
fn exported_symbols_are_the_committed_ones() {
    let exported = exported();
    let path = root().join("abi/symbols.txt");
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    if std::env::var_os("HURRAY_UPDATE").is_some() {
        let gone: Vec<_> = committed.lines().filter(|name| !exported.contains(*name)).collect();
        assert!(gone.is_empty(), "a published symbol is not removed: {gone:?}");
        let lines: Vec<_> = exported.iter().map(|name| format!("{name}\n")).collect();
        std::fs::write(&path, lines.concat()).expect("the list can be written");
        return;
    }
    let committed: BTreeSet<_> = committed.lines().map(str::to_string).collect();
    let added: Vec<_> = exported.difference(&committed).collect();
    let gone: Vec<_> = committed.difference(&exported).collect();
    assert!(gone.is_empty(), "the library lacks symbols of abi/symbols.txt; none is ever removed: {gone:?}");
    assert!(
        added.is_empty(),
        "not in abi/symbols.txt: {added:?}; run `make snapshot`, and add a line to abi/HISTORY.md"
    );
}

#[test]
fn exported_symbols_are_the_functions_of_the_header() {
    let functions: BTreeSet<_> = header().functions.iter().map(|function| function.0.clone()).collect();
    let exported = exported();
    let (undeclared, missing): (Vec<_>, Vec<_>) =
        (exported.difference(&functions).collect(), functions.difference(&exported).collect());
    assert!(
        undeclared.is_empty(),
        "exported and not in the header: {undeclared:?}; see SOURCES in tests/header/main.rs, run `make header`"
    );
    assert!(
        missing.is_empty(),
        "in the header and not exported: {missing:?}; is its file a `mod` of src/abi/mod.rs?"
    );
}

#[test]
fn the_soname_carries_the_abi_version() {
    let wanted = format!("Library soname: [libhurray.so.{}]", hurray::abi::HURRAY_C_ABI_VERSION);
    assert!(readelf(&["-d"]).contains(&wanted), "no {wanted}; set it in build.rs");
}

#[test]
fn the_image_is_never_unloaded() {
    let flags = readelf(&["-d"]);
    let flags = flags.lines().find(|line| line.contains("(FLAGS_1)")).unwrap_or("");
    assert!(flags.contains("NODELETE"), "no -z nodelete: {flags:?}; link with it in build.rs");
}

/// With `-Bsymbolic-functions` a call of one's own function needs no relocation that a loader could bind elsewhere.
#[test]
fn own_functions_are_bound_at_link_time() {
    let relocations = readelf(&["-r"]);
    let own: Vec<_> = relocations.lines().filter(|line| line.contains("hurray_")).collect();
    assert!(own.is_empty(), "bound by the loader: {own:?}; link with -Bsymbolic-functions in build.rs");
}
