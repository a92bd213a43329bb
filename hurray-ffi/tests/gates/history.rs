//! `abi/HISTORY.md` names every function and constant: by its name, or by a beginning and a count.

use crate::header::header;
use crate::support::root;

/// What the lists of the history name, with the count that stands behind a beginning.
fn entries(text: &str) -> Vec<(String, Option<usize>)> {
    let mut entries = Vec::new();
    // Wrapped lines are joined to the list item that they belong to.
    for item in text.replace("\n  ", " ").lines().filter(|line| line.starts_with("* ")) {
        let parts: Vec<_> = item.split('`').collect();
        for at in (1..parts.len()).step_by(2) {
            let after = parts.get(at + 1).and_then(|after| after.strip_prefix(" (")?.split_once(')'));
            entries.push((parts[at].to_string(), after.and_then(|(count, _)| count.parse().ok())));
        }
    }
    entries
}

#[test]
fn every_name_has_its_line() {
    let text = std::fs::read_to_string(root().join("abi/HISTORY.md")).expect("abi/HISTORY.md");
    let entries = entries(&text);
    let names = header()
        .functions
        .iter()
        .map(|function| &function.0)
        .chain(header().constants.iter().map(|constant| &constant.0));
    let mut under = vec![Vec::new(); entries.len()];
    let mut missing = Vec::new();
    for name in names {
        // Its own line, else that of the longest beginning.
        let fits = |entry: &str| {
            entry == name || entry.strip_suffix('*').is_some_and(|start| name.starts_with(start))
        };
        let own = entries.iter().position(|entry| entry.0 == *name);
        let best =
            (0..entries.len()).filter(|&at| fits(&entries[at].0)).max_by_key(|&at| entries[at].0.len());
        match own.or(best) {
            Some(at) => under[at].push(name),
            None => missing.push(name),
        }
    }
    assert!(missing.is_empty(), "abi/HISTORY.md lacks a line for {missing:?}");
    for ((entry, wanted), found) in entries.iter().zip(under) {
        let wanted = if entry.ends_with('*') { wanted.unwrap_or(0) } else { 1 };
        assert!(
            found.len() == wanted,
            "abi/HISTORY.md counts {wanted} for `{entry}`, and the header has {}: {found:?}; \
             what is new of them gets a line of its own, by its whole name",
            found.len()
        );
    }
}
