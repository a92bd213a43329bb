//! No rule of file.md without tests that break it and that just keep it.

use std::collections::BTreeMap;
use std::process::Command;

/// F-001 to F-070; the numbers between these runs are not given.
fn rules() -> impl Iterator<Item = String> {
    [1..=9, 11..=23, 30..=37, 40..=53, 60..=70].into_iter().flatten().map(|n| format!("f_{n:03}"))
}

#[test]
fn every_rule_is_broken_and_kept() {
    let this = std::env::current_exe().unwrap();
    let listed = Command::new(this).arg("--list").output().unwrap().stdout;
    let listed = String::from_utf8(listed).unwrap();
    let mut found: BTreeMap<&str, [bool; 2]> = BTreeMap::new();
    for name in listed.lines().filter_map(|line| line.strip_suffix(": test")?.rsplit("::").next()) {
        if let Some((id, what)) = name.split_at_checked(5) {
            let kinds = found.entry(id).or_default();
            kinds[0] |= what.starts_with("_breaks");
            kinds[1] |= what.starts_with("_keeps");
        }
    }
    for id in rules() {
        assert_eq!(found.get(&*id), Some(&[true; 2]), "tests that break and keep {id}");
    }
}
