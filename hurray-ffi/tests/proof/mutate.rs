//! Small changes of bytes that look like a descriptor.

use crate::random::Random;

/// Values that sit at an edge of some field.
const WORDS: [u64; 14] = [
    0,
    1,
    2,
    3,
    63,
    64,
    65,
    255,
    u32::MAX as u64 - 1,
    u32::MAX as u64,
    1 << 32,
    i64::MAX as u64,
    1 << 63,
    u64::MAX,
];

/// Changes one to three places.
pub fn mutated(random: &mut Random, bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..random.within(1, 3) {
        change(random, &mut bytes);
    }
    bytes
}

fn change(random: &mut Random, bytes: &mut Vec<u8>) {
    let at = random.below(bytes.len().max(1) as u64) as usize;
    match random.below(12) {
        0..=2 => put(bytes, at, &[random.word() as u8]),
        3 => flip(bytes, at, 1 << random.below(8)),
        4 => put(bytes, at, &(random.pick(&WORDS) as u32).to_le_bytes()),
        5 => put(bytes, at, &random.pick(&WORDS).to_le_bytes()),
        6 => {
            // The header: version, flags, tags, rank.
            let at = random.within(4, 19) as usize;
            put(bytes, at, &[random.word() as u8 & random.word() as u8]);
        }
        7 => {
            // One bit more or less in the length of something.
            let value = bytes.get(at).copied().unwrap_or(0);
            put(bytes, at, &[if random.once_in(2) { value.wrapping_add(1) } else { value.wrapping_sub(1) }]);
        }
        8 => put(bytes, 15, &[random.pick(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0x40, 0xF1])]),
        9 => {
            // A word of a shard, where that is the last section.
            let at = bytes.len().saturating_sub(8 * random.within(1, 8) as usize);
            put(bytes, at, &random.pick(&WORDS).to_le_bytes());
        }
        10 => {
            bytes.truncate(at);
            if random.once_in(2) {
                fix_length(bytes);
            }
        }
        _ => {
            let len = random.below(20) as usize;
            bytes.extend(random.bytes(len));
            if random.once_in(2) {
                fix_length(bytes);
                put(bytes, 5, &[random.below(3) as u8]);
            }
        }
    }
}

fn put(bytes: &mut [u8], at: usize, value: &[u8]) {
    bytes.iter_mut().skip(at).zip(value).for_each(|(to, &from)| *to = from);
}

fn flip(bytes: &mut [u8], at: usize, mask: u8) {
    if let Some(byte) = bytes.get_mut(at) {
        *byte ^= mask;
    }
}

fn fix_length(bytes: &mut [u8]) {
    let length = bytes.len() as u32;
    put(bytes, 6, &length.to_le_bytes());
}
