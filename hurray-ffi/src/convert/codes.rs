//! Packed codes of 1, 2, 4 and 6 bits to one code a byte, and back. They fill from the least significant bit.

use super::simd::twice;

/// The codes of a byte, one in each byte of a word, lowest first; signed ones extended.
#[inline(always)]
fn spread<const SIGNED: bool>(byte: u8) -> u16 {
    let wide = u16::from(byte);
    let codes = (wide | wide << 4) & 0x0F0F;
    // 8 * 0x1E = 0xF0: the sign bit fills the upper half of its byte and reaches no other.
    if SIGNED { codes | (codes & 0x0808).wrapping_mul(0x1E) } else { codes }
}

#[inline(always)]
fn spread_2<const SIGNED: bool>(byte: u8) -> u32 {
    let wide = u32::from(byte);
    let codes = (wide | wide << 6 | wide << 12 | wide << 18) & 0x0303_0303;
    // 2 * 0x7E = 0xFC, as above.
    if SIGNED { codes | (codes & 0x0202_0202).wrapping_mul(0x7E) } else { codes }
}

#[inline(always)]
fn spread_1(byte: u8) -> u64 {
    let wide = u64::from(byte);
    let pairs = (wide | wide << 28) & 0x0000_000F_0000_000F;
    let pairs = (pairs | pairs << 14) & 0x0003_0003_0003_0003;
    (pairs | pairs << 7) & 0x0101_0101_0101_0101
}

#[inline(always)]
fn spread_6([a, b, c]: [u8; 3]) -> u32 {
    let wide = u32::from_le_bytes([a, b, c, 0]);
    wide & 0x3F | wide << 2 & 0x3F00 | wide << 4 & 0x003F_0000 | wide << 6 & 0x3F00_0000
}

/// Whole groups, then the codes of the last one that are wanted.
#[inline(always)]
fn unpack_groups<G: Copy + Default, const N: usize>(from: &[G], to: &mut [u8], codes: impl Fn(G) -> [u8; N]) {
    let (whole, rest) = to.as_chunks_mut::<N>();
    let last = from.get(whole.len()).copied().unwrap_or_default();
    for (to, &group) in whole.iter_mut().zip(from) {
        *to = codes(group);
    }
    for (to, code) in rest.iter_mut().zip(codes(last)) {
        *to = code;
    }
}

twice! {
    fn unpack_1 [] [] (from: &[u8], to: &mut [u8]) {
        unpack_groups(from, to, |byte| spread_1(byte).to_le_bytes());
    }
}

twice! {
    fn unpack_2 [const SIGNED: bool] [SIGNED] (from: &[u8], to: &mut [u8]) {
        unpack_groups(from, to, |byte| spread_2::<SIGNED>(byte).to_le_bytes());
    }
}

twice! {
    fn unpack_4 [const SIGNED: bool] [SIGNED] (from: &[u8], to: &mut [u8]) {
        unpack_groups(from, to, |byte| spread::<SIGNED>(byte).to_le_bytes());
    }
}

twice! {
    fn unpack_6 [] [] (from: &[u8], to: &mut [u8]) {
        unpack_groups(from.as_chunks().0, to, |group| spread_6(group).to_le_bytes());
    }
}

/// Unpacks as many codes as `to` holds, signed integers extended to a byte. Types of 8 bits are copied.
pub fn unpack(tag: u8, from: &[u8], to: &mut [u8]) {
    match tag {
        0x20 => unpack_1(from, to),
        0x4A => unpack_2::<true>(from, to),
        0x4B => unpack_2::<false>(from, to),
        0x48 => unpack_4::<true>(from, to),
        0x43 | 0x49 => unpack_4::<false>(from, to),
        0x44 | 0x45 => unpack_6(from, to),
        _ => {
            for (to, from) in to.iter_mut().zip(from) {
                *to = *from;
            }
        }
    }
}

/// Whole groups, then one that is filled up with zeros.
#[inline(always)]
fn pack_groups<G, const N: usize>(from: &[u8], to: &mut [G], group: impl Fn([u8; N]) -> G) {
    let (whole, rest) = from.as_chunks::<N>();
    if let Some(last) = to.get_mut(whole.len()).filter(|_| !rest.is_empty()) {
        let mut codes = [0; N];
        for (code, &from) in codes.iter_mut().zip(rest) {
            *code = from;
        }
        *last = group(codes);
    }
    for (to, &codes) in to.iter_mut().zip(whole) {
        *to = group(codes);
    }
}

twice! {
    fn pack_1 [] [] (from: &[u8], to: &mut [u8]) {
        pack_groups(from, to, |codes| {
            let codes = u64::from_le_bytes(codes) & 0x0101_0101_0101_0101;
            // The product moves bit 8k to bit 56 + k.
            (codes.wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
        });
    }
}

twice! {
    fn pack_2 [] [] (from: &[u8], to: &mut [u8]) {
        pack_groups(from, to, |codes| {
            let codes = u32::from_le_bytes(codes) & 0x0303_0303;
            (codes | codes >> 6 | codes >> 12 | codes >> 18) as u8
        });
    }
}

twice! {
    fn pack_4 [] [] (from: &[u8], to: &mut [u8]) {
        pack_groups(from, to, |codes| {
            let codes = u16::from_le_bytes(codes) & 0x0F0F;
            (codes | codes >> 4) as u8
        });
    }
}

twice! {
    fn pack_6 [] [] (from: &[u8], to: &mut [u8]) {
        pack_groups(from, to.as_chunks_mut().0, |codes| {
            let codes = u32::from_le_bytes(codes) & 0x3F3F_3F3F;
            let joined = codes & 0x3F | codes >> 2 & 0xFC0 | codes >> 4 & 0x3_F000 | codes >> 6 & 0xFC_0000;
            let [a, b, c, _] = joined.to_le_bytes();
            [a, b, c]
        });
    }
}

/// Packs codes of so many bits, whose higher bits are dropped; unused bits of the last group become 0. Codes of 8 bits
/// are copied.
pub fn pack(bits: u32, from: &[u8], to: &mut [u8]) {
    match bits {
        1 => pack_1(from, to),
        2 => pack_2(from, to),
        4 => pack_4(from, to),
        6 => pack_6(from, to),
        _ => {
            for (to, from) in to.iter_mut().zip(from) {
                *to = *from;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// descriptor.md, sub-byte packing.
    const ROWS: [(u8, u32, &[u8], &[u8]); 4] = [
        (0x20, 1, &[1, 0, 0, 1, 1, 1, 0, 1, 0, 1, 1], &[0xB9, 0x06]),
        (0x48, 4, &[253, 7, 248, 2, 255], &[0x7D, 0x28, 0x0F]),
        (0x4A, 2, &[1, 254, 0, 255, 255, 1], &[0xC9, 0x07]),
        (0x45, 6, &[0x2A, 0x15, 0x3F, 0x01, 0x20, 0x0C], &[0x6A, 0xF5, 0x07, 0x20, 0x03, 0x00]),
    ];

    #[test]
    fn examples_of_the_written_format() {
        for (tag, bits, codes, packed) in ROWS {
            let mut found = vec![0xAA; codes.len()];
            unpack(tag, packed, &mut found);
            assert_eq!(found, codes, "{tag:02X}");
            let mut found = vec![0xAA; packed.len()];
            pack(bits, codes, &mut found);
            assert_eq!(found, packed, "{tag:02X}");
        }
    }

    #[test]
    fn unsigned_codes_and_long_runs() {
        // One code after another by the plain rule: element i at bit i * w of the stream.
        for (tag, bits, signed) in
            [(0x43, 4, 0), (0x49, 4, 0), (0x48, 4, 1), (0x4B, 2, 0), (0x4A, 2, 1), (0x44, 6, 0), (0x20, 1, 0)]
        {
            let packed: Vec<u8> = (0..301u32).map(|k| (k * 151 + 43) as u8).collect();
            for count in [0, 1, 2, 3, 5, 7, 8, 9, 31, 64, 65, 127, 400] {
                let mut found = vec![0xAA; count];
                unpack(tag, &packed, &mut found);
                for (i, &found) in found.iter().enumerate() {
                    let (byte, shift) = (i * bits / 8, i * bits % 8);
                    let wide = u16::from(packed[byte]) | u16::from(packed[byte + 1]) << 8;
                    let code = (wide >> shift) as u8 & ((1 << bits) - 1);
                    let high = signed == 1 && code >> (bits - 1) == 1;
                    assert_eq!(found, if high { code | !((1 << bits) - 1) } else { code }, "{tag:02X} {i}");
                }
                let bytes = if bits == 6 { count.div_ceil(4) * 3 } else { (count * bits).div_ceil(8) };
                let mut again = vec![0xAA; bytes];
                pack(bits as u32, &found, &mut again);
                let whole = count * bits / 8;
                assert_eq!(again[..whole], packed[..whole], "{tag:02X} {count}");
                let spare: u32 = again[whole..].iter().map(|byte| byte.count_ones()).sum();
                assert!(spare as usize <= count * bits % 8, "{tag:02X} {count}: padding is zero");
            }
        }
    }
}
