//! No rule of file.md without tests that break it and that just keep it.

use crate::covered::broken_and_kept;

/// F-001 to F-070; the numbers between these runs are not given.
fn rules() -> impl Iterator<Item = String> {
    [1..=9, 11..=23, 30..=37, 40..=53, 60..=70].into_iter().flatten().map(|n| format!("f_{n:03}"))
}

#[test]
fn every_rule_is_broken_and_kept() {
    broken_and_kept(rules());
}
