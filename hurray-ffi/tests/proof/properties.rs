//! The two laws of the contract over random descriptors: encode gives back what decode was given, and fields rebuilt
//! are the same bytes.

use crate::call::{Builder, Descriptor, OK, decode, from_fields, last_text};
use crate::fields::{Value, fields};
use crate::generate::{permissive, strict};
use crate::model::{Layout, Model};
use crate::random::Random;

const ROUNDS: u64 = 4000;

/// Runs a check over random descriptors and says which one failed it.
fn each(seed: u64, make: fn(&mut Random) -> Model, check: fn(&mut Random, &Model, &[u8])) {
    for round in 0..ROUNDS {
        let mut random = Random::new(seed + round);
        let model = make(&mut random);
        let bytes = model.bytes();
        let call = std::panic::AssertUnwindSafe(|| check(&mut random, &model, &bytes));
        if std::panic::catch_unwind(call).is_err() {
            panic!("round {round} of seed {seed}: {model:?}\n{bytes:02x?}\nlast text: {}", last_text());
        }
    }
}

fn decoded(model: &Model, bytes: &[u8]) -> Descriptor {
    decode(bytes, model.permissive).expect("valid by the written format")
}

/// What decoding must keep: the bytes, and every field.
fn keeps(_: &mut Random, model: &Model, bytes: &[u8]) {
    let descriptor = decoded(model, bytes);
    assert_eq!(descriptor.encode(), bytes);
    assert_eq!(decode(bytes, true).expect("a permissive reader takes more").encode(), bytes);
    assert_eq!(decode(bytes, false).is_err(), model.permissive, "a strict reader");
    for (id, level, value) in fields(model) {
        let got = descriptor.get(id, level, &value).expect("a field that is there");
        assert!(same(&got, &value), "field {id:08x} at {level}: {got:?}, not {value:?}");
    }
    for (level, entry) in (0..).zip(&model.buffers) {
        let kinds = [entry.byte_size, entry.alignment.into(), entry.device.into(), entry.sync.into()];
        for (id, value) in (0x0007_0000..).zip(kinds.into_iter().chain([entry.class.into()])) {
            let got = descriptor.get(id, level, &Value::U(0)).expect("an entry of the table");
            assert!(same(&got, &Value::U(value)), "entry {level}, {id:08x}: {got:?}");
        }
    }
}

/// Equal on the wire: NaNs by their bits.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::U(a), Value::U(b)) => a == b,
        (Value::I(a), Value::I(b)) => a == b,
        (Value::F(a), Value::F(b)) => a.to_bits() == b.to_bits(),
        (Value::Us(a), Value::Us(b)) => a == b,
        (Value::Is(a), Value::Is(b)) => a == b,
        (Value::Bytes(a), Value::Bytes(b)) => a == b,
        _ => false,
    }
}

fn set(builder: &mut Builder, id: u32, level: u32, value: &Value) {
    assert_eq!(builder.set(id, level, value), OK, "field {id:08x} at {level}: {}", last_text());
}

/// A builder with every field of the model, set in some order; a scheme comes before its fields.
pub fn built(random: &mut Random, model: &Model) -> Builder {
    let mut builder = Builder::new(model.type_tag, model.layout.tag(), &model.shape).expect("a builder");
    let mut fields = fields(model);
    for k in (1..fields.len()).rev() {
        fields.swap(k, random.below(k as u64 + 1) as usize);
    }
    fields.sort_by_key(|(id, ..)| *id != 0x0002_0000);
    for (id, level, value) in &fields {
        set(&mut builder, *id, *level, value);
    }
    for entry in &model.buffers {
        assert_eq!(builder.push(entry), OK);
    }
    if let Layout::Unknown { .. } = model.layout {
        set(&mut builder, 0x0008_0002, 0, &Value::U(model.hidden_flags.into()));
    }
    if model.permissive {
        // The agreement to an element type that is not understood; for the others it must merely agree.
        set(&mut builder, 0x0008_0080, 0, &Value::U(model.bytes().len() as u64));
    }
    builder
}

fn rebuilds_by_the_builder(random: &mut Random, model: &Model, bytes: &[u8]) {
    let mut builder = built(random, model);
    for _ in 0..2 {
        assert_eq!(builder.finish().expect("what a decoder takes").encode(), bytes);
    }
}

/// Cuts the bulk form into its records.
fn records(words: &[u64]) -> Vec<&[u64]> {
    let (mut records, mut rest) = (Vec::new(), words);
    while let [head, count, ..] = *rest {
        let len = if head >> 48 == 6 { count.div_ceil(8) } else { count } as usize;
        let (record, after) = rest.split_at(2 + len);
        records.push(record);
        rest = after;
    }
    assert!(rest.is_empty());
    records
}

fn rebuilds_in_bulk(random: &mut Random, model: &Model, bytes: &[u8]) {
    let words = decoded(model, bytes).words();
    let records = records(&words);
    let key = |record: &&[u64]| (record[0] as u32, (record[0] >> 32) as u16);
    assert!(records.is_sorted_by(|a, b| key(a) < key(b)), "ascending, each once");
    assert_eq!(from_fields(&words).expect("all fields").encode(), bytes);
    let order = random.shuffled(records.len());
    let shuffled: Vec<u64> = order.iter().flat_map(|&k| records[k as usize]).copied().collect();
    assert_eq!(from_fields(&shuffled).expect("all fields in any order").encode(), bytes);
    for twice in [&records[0], &records[records.len() - 1]] {
        let words = [&words[..], twice].concat();
        assert!(from_fields(&words).is_err(), "a field that comes twice");
    }
}

macro_rules! laws {
    ($($name:ident: $seed:literal, $make:ident, $check:ident;)*) => {
        $(#[test]
        fn $name() {
            each($seed, $make, $check);
        })*
    };
}

laws! {
    what_a_strict_reader_takes_comes_back: 0x1000_0000, strict, keeps;
    what_a_permissive_reader_takes_comes_back: 0x2000_0000, permissive, keeps;
    the_builder_makes_the_same_bytes: 0x3000_0000, strict, rebuilds_by_the_builder;
    the_builder_makes_the_same_opaque_bytes: 0x4000_0000, permissive, rebuilds_by_the_builder;
    fields_in_bulk_make_the_same_bytes: 0x5000_0000, strict, rebuilds_in_bulk;
    opaque_fields_in_bulk_make_the_same_bytes: 0x6000_0000, permissive, rebuilds_in_bulk;
}

/// The generator reaches every kind: a law over less would say less.
#[test]
fn every_kind_is_generated() {
    let mut random = Random::new(7);
    let (mut types, mut layouts, mut schemes, mut flags) = ([0; 256], [0; 256], [0; 256], [0; 5]);
    for _ in 0..ROUNDS {
        let model = strict(&mut random);
        types[usize::from(model.type_tag)] += 1;
        layouts[usize::from(model.layout.tag())] += 1;
        if let Some(scheme) = &model.scheme {
            schemes[usize::from(scheme.payload()[0])] += 1;
        }
        (0..5).filter(|bit| model.flags() >> bit & 1 == 1).for_each(|bit| flags[bit] += 1);
    }
    for (tag, _) in crate::generate::TYPES {
        assert!(types[usize::from(tag)] > 9, "element type {tag:02x}");
    }
    for tag in (1..=0x0B).chain([0x40]) {
        assert!(layouts[tag] > 9, "layout {tag:02x}");
    }
    for scheme in &schemes[1..=5] {
        assert!(*scheme > 9, "schemes {schemes:?}");
    }
    assert!(types[0xF0..=0xFE].iter().sum::<u32>() > 9 && flags.iter().all(|&n| n > 9), "{flags:?}");
}
