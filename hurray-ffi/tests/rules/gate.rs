//! No rule without tests: each numbered rule has one that breaks it and one that just keeps it.

use std::collections::BTreeMap;
use std::process::Command;

/// The ids of all rules of descriptor.md (V), layouts.md (L), quantization.md (Q) and buffers.md (B).
const ALL: &str = include_str!("all.txt");

/// Rules that say what is *not* an error: nothing breaks them.
const NOT_ERRORS: [&str; 4] = ["V-005", "V-010", "V-011", "V-023"];

/// How many tests of this binary break, and keep, each rule.
fn tested() -> BTreeMap<String, (usize, usize)> {
    let this = std::env::current_exe().expect("the path of this binary");
    let list = |more: &[&str]| {
        let out = Command::new(&this).arg("--list").args(more).output().expect("this binary lists its tests");
        String::from_utf8(out.stdout).expect("UTF-8")
    };
    assert!(!list(&["--ignored"]).contains(": test"), "a test is skipped");
    let mut counts = BTreeMap::new();
    for line in list(&[]).lines().filter_map(|line| line.strip_suffix(": test")) {
        let name = line.rsplit("::").next().unwrap_or(line);
        let Some((id, what)) = name.split_at_checked(5) else { continue };
        let (letter, digits) = id.split_at(1);
        let Some(digits) = digits.strip_prefix('_').filter(|d| d.bytes().all(|b| b.is_ascii_digit())) else {
            continue;
        };
        let count: &mut (usize, usize) =
            counts.entry(format!("{}-{digits}", letter.to_uppercase())).or_default();
        match what {
            _ if what.starts_with("_breaks") => count.0 += 1,
            _ if what.starts_with("_keeps") => count.1 += 1,
            _ => panic!("{name} says neither breaks nor keeps"),
        }
    }
    counts
}

#[test]
fn every_rule_has_tests() {
    let tested = tested();
    let ids: Vec<&str> = ALL.split_whitespace().collect();
    let mut wrong = Vec::new();
    for id in &ids {
        let (breaks, keeps) = tested.get(*id).copied().unwrap_or_default();
        if keeps == 0 {
            wrong.push(format!("{id}: no test keeps it"));
        }
        if breaks == 0 && !NOT_ERRORS.contains(id) {
            wrong.push(format!("{id}: no test breaks it"));
        }
    }
    let unknown = tested.keys().map(String::as_str).chain(NOT_ERRORS);
    wrong.extend(unknown.filter(|id| !ids.contains(id)).map(|id| format!("{id}: no such rule in all.txt")));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_list_is_whole() {
    let ids: Vec<&str> = ALL.split_whitespace().collect();
    let count = |letter: char| ids.iter().filter(|id| id.starts_with(letter)).count();
    assert_eq!(['V', 'L', 'Q', 'B'].map(count), [130, 61, 36, 13]);
    assert!(ids.is_sorted_by(|a, b| a < b), "in order, each once");
}
