//! No rule of stream.md without tests that break it and that just keep it.

use std::collections::BTreeMap;
use std::process::Command;

/// S-001 to S-013 and S-101 to S-124.
fn rules() -> impl Iterator<Item = String> {
    (1..=13).chain(101..=124).map(|n| format!("s_{n:03}"))
}

#[test]
fn every_rule_is_broken_and_kept() {
    let this = std::env::current_exe().expect("the path of this binary");
    let listed = Command::new(this).arg("--list").output().expect("this binary lists its tests").stdout;
    let listed = String::from_utf8(listed).expect("UTF-8");
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
