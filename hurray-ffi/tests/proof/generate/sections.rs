//! Sections, and descriptors whose sections cannot be seen (descriptor.md §4.6, §6).

use crate::model::{Extension, Layout, Model, Statistics};
use crate::random::Random;

pub fn extension(random: &mut Random) -> Extension {
    let bits = random.pick(&[1, 2, 4, 8, 16, 24, 32, 48, 64, 128, 256, 2048]);
    let packing = if bits < 8 { 8 / bits as u8 } else { 1 };
    let mut flag = || random.below(2) as u8;
    let (is_float, has) = (flag(), [flag(), flag()]);
    let (parts, bias) = match is_float {
        0 => ([0, flag(), 0, 0, 0], 0),
        _ => ([1, 0, flag(), random.word() as u8, random.word() as u8], random.word() as u32),
    };
    Extension { bits, packing, parts, bias, has }
}

pub fn shard(random: &mut Random, shape: &[u64]) -> Option<(Vec<u64>, Vec<u64>)> {
    if !random.once_in(4) {
        return None;
    }
    let offset: Vec<u64> = shape.iter().map(|_| random.below(9)).collect();
    let mut parent: Vec<u64> = shape.iter().zip(&offset).map(|(n, offset)| n + offset).collect();
    parent.iter_mut().for_each(|n| *n += if random.once_in(2) { random.below(9) } else { 0 });
    Some((parent, offset))
}

pub fn statistics(random: &mut Random) -> Statistics {
    let mut found = Statistics { mask: random.below(64) as u32, ..Statistics::default() };
    let has = |bit: u32| found.mask >> bit & 1 == 1;
    if has(0) {
        found.nnz = random.word();
    }
    if has(1) {
        found.reals[0] = random.pick(&[0.0, 1.0, 0.09375, 1e-300]);
    }
    if has(2) {
        // Any bits: nothing is asked of them.
        found.reals[1..4].fill_with(|| f64::from_bits(random.word()));
        found.reals[1] = random.pick(&[found.reals[1], f64::NEG_INFINITY, f64::NAN, -0.0]);
    }
    if has(3) {
        found.reals[4] = f64::from_bits(random.word());
        found.reals[5] = random.pick(&[0.0, 2.25, f64::INFINITY]);
    }
    if has(4) {
        found.small[1] = random.word() as u8;
        found.small[0] = random.within(0, u64::from(found.small[1])) as u8;
    }
    if has(5) {
        found.small[2..4].fill_with(|| random.below(2) as u8);
    }
    found
}

/// A layout that is not understood: everything behind the byte offset is one run of bytes.
pub fn hidden(random: &mut Random, type_tag: u8, extension: Option<Extension>) -> Model {
    let rank = random.below(5);
    let len = random.below(60) as usize;
    let data = random.bytes(len);
    Model {
        type_tag,
        shape: (0..rank).map(|_| random.word()).collect(),
        byte_offset: random.word(),
        layout: Layout::Unknown { tag: random.pick(&[0x0C, 0x3F, 0x41, 0x7F, 0x80, 0xEF]), data },
        buffers: Vec::new(),
        scheme: None,
        shard: None,
        statistics: None,
        // The section is somewhere in the bytes.
        hidden_flags: random.pick(&[0, 1, 2, 8, 16, 0x1B]) | if extension.is_some() { 4 } else { 0 },
        extension: None,
        role: None,
        permissive: true,
    }
}
