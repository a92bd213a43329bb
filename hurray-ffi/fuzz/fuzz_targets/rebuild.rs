//! Decode, all fields, a descriptor made of them again: in bulk and field by field.
#![no_main]

use hurray::abi::*;
use hurray_fuzz::{Descriptor, decode, from_fields};
use libfuzzer_sys::fuzz_target;

const ENCODED_LENGTH: u32 = 0x0008_0080;
/// Flags, rank, versions, buffer count, depth of tiles, and what the builder was made with.
const NOT_SET: [u32; 9] = [
    0x0001_0405,
    0x0008_0000,
    0x0008_0001,
    0x0008_0002,
    0x0008_0003,
    0x0008_0004,
    0x0008_0005,
    0x0008_0006,
    0x0008_0008,
];

fuzz_target!(|input: &[u8]| {
    let Some(descriptor) = decode(input, true) else { return };
    let bytes = descriptor.encode();
    let words = descriptor.words();
    let (minor, flags) = (bytes[5], bytes[10]);
    let Some(rebuilt) = from_fields(&words) else {
        // Only what the fields do not carry may stand in the way: a later minor version, padding, values masked off.
        assert!(minor > 0 || flags & 9 != 0, "not rebuilt: {bytes:02x?}");
        return;
    };
    let again = rebuilt.encode();
    if minor == 0 && flags & 8 == 0 && (flags & 1 == 0 || again.len() == bytes.len()) {
        assert_eq!(again, bytes);
    }
    assert_eq!(from_fields(&rebuilt.words()).expect("what was rebuilt").encode(), again);
    let is_opaque = decode(&again, false).is_none();
    assert_eq!(build(&rebuilt, is_opaque).expect("field by field").encode(), again);
});

/// A builder told every field, one by one.
fn build(descriptor: &Descriptor, is_opaque: bool) -> Option<Descriptor> {
    let words = descriptor.words();
    let bytes = descriptor.encode();
    let rank = usize::from(bytes[16]);
    let shape: Vec<u64> = (0..rank)
        .map(|k| u64::from_le_bytes(*bytes[20 + 8 * k..].first_chunk().expect("a dimension")))
        .collect();
    let mut builder = std::ptr::null_mut();
    let mut out = std::ptr::null_mut();
    // SAFETY: live handles of this function's own, each ended once; arrays are slices.
    unsafe {
        assert_eq!(
            hurray_descriptor_builder_new(bytes[14], bytes[15], shape.as_ptr(), rank, &raw mut builder),
            0
        );
        let mut rest = &words[..];
        while let [head, count, ..] = *rest {
            let (id, level, kind) = (head as u32, (head >> 32) as u16, head >> 48);
            let len = if kind == 6 { count.div_ceil(8) } else { count } as usize;
            let values = &rest[2..2 + len];
            rest = &rest[2 + len..];
            let hidden_flags =
                id == 0x0008_0002 && is_opaque && !matches!(bytes[15], 1..=11 | 0x40 | 0xF0..=0xFE);
            let derived = id & 0xFF >= 0x80 && !(id == ENCODED_LENGTH && is_opaque);
            if (derived || NOT_SET.contains(&id)) && !hidden_flags {
                continue;
            }
            let level = u32::from(level);
            let status = match kind {
                1 => hurray_descriptor_builder_set_u64(builder, id, level, values[0]),
                2 => hurray_descriptor_builder_set_i64(builder, id, level, values[0] as i64),
                3 => hurray_descriptor_builder_set_f64(builder, id, level, f64::from_bits(values[0])),
                4 => hurray_descriptor_builder_set_u64_array(builder, id, level, values.as_ptr(), len),
                5 => {
                    let values: Vec<i64> = values.iter().map(|&value| value as i64).collect();
                    hurray_descriptor_builder_set_i64_array(builder, id, level, values.as_ptr(), len)
                }
                _ => {
                    let bytes: Vec<u8> = values.iter().flat_map(|word| word.to_le_bytes()).collect();
                    let len = count as usize;
                    hurray_descriptor_builder_set_bytes(builder, id, level, bytes.as_ptr(), len)
                }
            };
            assert_eq!(status, 0, "field {id:08x}");
        }
        let status = hurray_descriptor_builder_finish(builder, &raw mut out);
        assert_eq!(hurray_descriptor_builder_destroy(&raw mut builder), 0);
        (status == 0).then(|| Descriptor(out))
    }
}
