//! No rule of stream.md without tests that break it and that just keep it.

use crate::covered::broken_and_kept;

/// S-001 to S-013 and S-101 to S-124.
fn rules() -> impl Iterator<Item = String> {
    (1..=13).chain(101..=124).map(|n| format!("s_{n:03}"))
}

#[test]
fn every_rule_is_broken_and_kept() {
    broken_and_kept(rules());
}
