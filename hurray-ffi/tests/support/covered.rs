//! Which numbered rules the tests of this program break and keep, by their names.

use std::collections::BTreeMap;
use std::process::Command;

/// Fails unless each rule, like `f_001`, has a test that breaks it and one that keeps it.
pub fn broken_and_kept(rules: impl Iterator<Item = String>) {
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
    for id in rules {
        assert_eq!(found.get(&*id), Some(&[true; 2]), "tests that break and keep {id}");
    }
}
