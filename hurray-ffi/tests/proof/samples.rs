//! The worked examples of the written format, and the shortest generated descriptor of each kind.

use crate::generate::{permissive, strict};
use crate::model::{Layout, Model, Scheme};
use crate::random::Random;
use std::collections::BTreeMap;

fn hex(text: &str) -> Vec<u8> {
    let digits: Vec<u32> = text.chars().filter_map(|c| c.to_digit(16)).collect();
    digits.chunks(2).map(|pair| (pair[0] << 4 | pair[1]) as u8).collect()
}

/// descriptor.md §8.
fn worked() -> [Vec<u8>; 3] {
    [
        "48525259 0100 5d000000 00000000 02 03 03000000 0200000000000000 0300000000000000 0500000000000000
         2800000000000000 ecffffffffffffff 0600000000000000 0100000000000000 01 5000000000000000 40000000 00000000",
        "48525259 0100 6d000000 00000000 04 07 02000000 0300000000000000 0600000000000000 0000000000000000
         0400000000000000 0000000000000000 03 2000000000000000 00100000 01010200
         2000000000000000 00100000 01010200 2000000000000000 00100000 01010200",
        "48525259 0100 dd000000 0b000000 10 01 02000000 0400000000000000 0800000000000000 0000000000000000
         03 2000000000000000 80000000 00000000 2000000000000000 40000000 00000000 2000000000000000 40000000 00000000
         14000000 02010000 01000000 01000000 02000000 03000000 1000000000000000 0800000000000000
         0c00000000000000 0000000000000000 2f000000 00000000 1d00000000000000 000000000000b83f 0000000000001ac0
         0000000000002840 0000000000002840 000000000000e03f 0000000000000240 00000000 00000000",
    ]
    .map(hex)
}

/// What a kind is: each layout plain, each scheme, each section.
fn kinds(model: &Model) -> Vec<String> {
    let tag = match &model.layout {
        Layout::Private { .. } => "private".into(),
        Layout::Unknown { .. } => "unknown".into(),
        Layout::Tiled(tile) if tile.nested.is_some() => "nested tiles".into(),
        layout => format!("{:02x}", layout.tag()),
    };
    let scheme = model.scheme.as_ref().map(|scheme| match scheme {
        Scheme::Unknown { .. } => "unknown".into(),
        scheme => format!("{:02x}", scheme.payload()[0]),
    });
    let sections = [
        model.shard.as_ref().map(|_| "shard"),
        model.statistics.as_ref().map(|_| "statistics"),
        model.extension.as_ref().map(|_| "extension"),
        model.role.map(|_| "role"),
    ];
    let mut kinds: Vec<String> = sections.into_iter().flatten().map(Into::into).collect();
    kinds.extend(scheme.map(|scheme| format!("scheme {scheme}")));
    if kinds.is_empty() {
        kinds.push(format!("layout {tag}"));
    }
    kinds
}

/// Models that are the shortest of some kind.
pub fn models() -> Vec<Model> {
    let mut shortest = BTreeMap::<String, (usize, Model)>::new();
    let mut random = Random::new(11);
    for round in 0..6000 {
        let model = if round % 4 == 0 { permissive(&mut random) } else { strict(&mut random) };
        // A dimension or more says more than a scalar.
        if model.shape.is_empty() && round % 50 != 0 {
            continue;
        }
        let len = model.bytes().len();
        for kind in kinds(&model) {
            if shortest.get(&kind).is_none_or(|(best, _)| len < *best) {
                shortest.insert(kind, (len, model.clone()));
            }
        }
    }
    assert_eq!(shortest.len(), 15 + 6 + 4, "{:?}", shortest.keys());
    shortest.into_values().map(|(_, model)| model).collect()
}

/// All samples as bytes.
pub fn samples() -> Vec<Vec<u8>> {
    worked().into_iter().chain(models().iter().map(Model::bytes)).collect()
}

/// The fuzzer starts from the samples. `HURRAY_UPDATE=1` writes them.
#[test]
fn the_fuzzer_starts_from_the_samples() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds/descriptor");
    let samples = samples();
    if std::env::var_os("HURRAY_UPDATE").is_some() {
        for (number, sample) in samples.iter().enumerate() {
            std::fs::write(folder.join(format!("{number:02}")), sample).expect("a seed");
        }
    }
    let mut names: Vec<_> =
        std::fs::read_dir(&folder).expect("seeds").map(|entry| entry.expect("a seed").path()).collect();
    names.sort();
    let found: Vec<Vec<u8>> = names.iter().map(|name| std::fs::read(name).expect("a seed")).collect();
    assert_eq!(found, samples, "HURRAY_UPDATE=1 cargo test -p hurray-ffi --test proof fuzzer");
}
