//! The published crate hurray-core 0.1.0 beside this library, as a black box: on valid descriptors byte for byte in
//! both directions, on changed ones every difference must stand in the table below.

use crate::call::{decode, last_text, rule_of};
use crate::generate::{permissive, strict};
use crate::model::{Layout, Scheme};
use crate::mutate::mutated;
use crate::published::published;
use crate::random::Random;
use hurray_core::descriptor::TensorDescriptor;
use std::collections::BTreeMap;

/// What this library refuses and the published decoder takes: the decisions that say why (D, A: descriptor.md §9; L:
/// layouts.md §15; Q: quantization.md §13), the reason, and the rules. Nothing is the other way round.
const LAXER: &[(&str, &str, &str)] = &[
    (
        "D-01 L1 L2",
        "a layout's payload is not held against rank and shape",
        "V-022 V-038 V-044 V-045 V-047 V-048 V-049 V-063 V-064 V-067 V-068",
    ),
    (
        "D-02 L1 L26",
        "the buffer table is not held against layout, scheme and devices, nor entries against the shape",
        "V-030 V-042 V-073 V-081 V-089 V-091 V-092 V-093",
    ),
    ("D-03", "the byte offset is checked on heads only", "V-025 V-026"),
    (
        "D-04 Q1 Q2 Q4 Q6",
        "quantization is kept as bytes, but for page pools",
        "V-101 V-102 V-103 V-104 V-105 V-106 V-107 V-108 V-109 V-110 V-111 V-112 V-113 V-114 V-115 V-116 V-117",
    ),
    ("D-05", "major version 0 passes", "V-004"),
    ("D-06", "of a later minor version, an input that is too short passes", "V-007"),
    ("D-07 L10", "bytes that are 0 or 1 take anything and are written back as 1", "V-040 V-134 V-144"),
    ("D-08", "the sum of a shard saturates, and dynamic markers pass", "V-121 V-122"),
    (
        "D-09 A-16",
        "the parts of an extension type are not held against each other",
        "V-145 V-146 V-147 V-148",
    ),
    (
        "D-10 L20 L27 Q5",
        "sizes, reaches and codes beyond 64 bits are not noticed while decoding",
        "V-024 V-031 V-036 V-039 V-069 V-071 V-072 Q-028",
    ),
    ("D-11 L23", "private layouts are taken without agreement", "V-020"),
    ("§7", "statistics are not looked into", "V-133 V-135 V-136"),
];

#[test]
fn valid_descriptors_are_the_same_bytes() {
    for round in 0..6000 {
        let model = strict(&mut Random::new(0x7000_0000 + round));
        let bytes = model.bytes();
        let ours = decode(&bytes, false).expect("valid").encode();
        let theirs = TensorDescriptor::decode(&bytes).unwrap_or_else(|error| panic!("{error}: {model:?}"));
        assert_eq!(theirs.encode().expect("valid"), ours, "they read and write {model:?}");
        let made = published(&model);
        let written = made.encode().expect("valid");
        assert_eq!(decode(&written, false).expect("valid").encode(), written, "we read and write {model:?}");
        assert_eq!(written, bytes, "they make {model:?}");
    }
}

/// Private layouts (D-11) and schemes kept as bytes (D-04) are all that their decoder takes of what only our
/// permissive reader does (D-12).
#[test]
fn opaque_descriptors_are_the_same_bytes_where_they_take_them() {
    let mut taken = 0;
    for round in 0..3000 {
        let model = permissive(&mut Random::new(0x8000_0000 + round));
        let bytes = model.bytes();
        let ours = decode(&bytes, true).expect("valid").encode();
        let paged = matches!(model.layout, Layout::Paged { .. });
        let unknown_scheme = matches!(model.scheme, Some(Scheme::Unknown { .. }));
        let takes = matches!(model.layout, Layout::Private { .. }) || (unknown_scheme && !paged);
        match TensorDescriptor::decode(&bytes) {
            Ok(theirs) => {
                assert!(takes, "{model:?}");
                assert_eq!(theirs.encode().expect("valid"), ours);
                taken += 1;
            }
            Err(error) => assert!(!takes, "{error}: {model:?}"),
        }
    }
    assert!(taken > 500);
}

/// Why two encodings of what both take may differ: the published crate drops the bytes that a later minor version adds,
/// and writes 1 for any other truth in statistics that are masked off (D-07).
fn is_explained(input: &[u8], ours: &[u8], theirs: &[u8]) -> bool {
    let is_later = input[5] > 0;
    let same_length = ours.len() == theirs.len();
    let is_truth = |at: usize| ours[at] > 1 && theirs[at] == 1 && input[10] & 8 != 0;
    let is_length = |at: usize| is_later && (6..10).contains(&at);
    (same_length || (is_later && ours.len() > theirs.len()))
        && (0..theirs.len()).all(|at| ours[at] == theirs[at] || is_truth(at) || is_length(at))
}

#[test]
fn changed_descriptors_differ_only_as_listed() {
    let mut seen = BTreeMap::<String, u32>::new();
    let (mut both_take, mut both_refuse) = (0, 0);
    for round in 0..10_000 {
        let mut random = Random::new(0x9000_0000 + round);
        let bytes = strict(&mut random).bytes();
        for _ in 0..8 {
            let bytes = mutated(&mut random, &bytes);
            match (decode(&bytes, false), TensorDescriptor::decode(&bytes)) {
                (Ok(ours), Ok(theirs)) => {
                    both_take += 1;
                    let (ours, theirs) = (ours.encode(), theirs.encode().expect("what it decoded"));
                    assert!(
                        ours == theirs || is_explained(&bytes, &ours, &theirs),
                        "an unlisted difference: {bytes:02x?}\nours {ours:02x?}\ntheirs {theirs:02x?}"
                    );
                }
                (Ok(_), Err(error)) => panic!("they refuse with {error:?}: {bytes:02x?}"),
                (Err(status), Ok(_)) => {
                    let text = last_text();
                    let rule = rule_of(&text);
                    let is_listed =
                        LAXER.iter().any(|(.., rules)| rules.split(' ').any(|listed| listed == rule));
                    assert!(is_listed, "they take what is {status} ({text}): {bytes:02x?}");
                    *seen.entry(rule.to_owned()).or_default() += 1;
                }
                (Err(_), Err(_)) => both_refuse += 1,
            }
        }
    }
    assert!(both_take > 5000 && both_refuse > 20_000, "{both_take} taken, {both_refuse} refused by both");
    let never = |(.., rules): &&(&str, &str, &str)| !rules.split(' ').any(|rule| seen.contains_key(rule));
    let idle: Vec<_> = LAXER.iter().filter(never).map(|(id, ..)| id).collect();
    assert_eq!(
        idle,
        [&"D-11 L23"],
        "decisions that no input met (private layouts are met above); met: {seen:?}"
    );
}
