//! The builder takes what a decoder takes: a field set to a value that breaks a rule is refused by that rule, and one
//! that just keeps it gives the bytes that the composer writes. There is no input, so there is no offset.

use crate::support::bytes::At::*;
use crate::support::bytes::Bytes;
use crate::support::call::{build, decode};
use crate::support::samples::*;
use crate::support::status::*;
use hurray::abi::*;

/// A sample, a field of it, a value that keeps the rules and where it stands, a value that breaks one, and which.
type Case = (Bytes, (u32, u32), u64, crate::support::bytes::At, u64, i32, &'static str);

fn cases() -> Vec<Case> {
    let empty_pool = paged_of(Paged { num_pages: 0, ..PAGES }, &[0, 2, 2], &[0, 20, 12]);
    vec![
        (plain(), (HURRAY_HEADER_FIELD_ELEMENT_TYPE, 0), 0x15, Type, 0, INVALID_TYPE, "V-013"),
        (plain(), (HURRAY_HEADER_FIELD_ELEMENT_TYPE, 0), 0x14, Type, 0x47, INVALID_TYPE, "V-014"),
        (
            plain().buffers(&[32]),
            (HURRAY_HEADER_FIELD_BYTE_OFFSET, 0),
            8,
            Offset,
            33,
            INVALID_LAYOUT,
            "V-025",
        ),
        (csr(), (HURRAY_LAYOUT_FIELD_CSR_NNZ, 0), 7, Payload(0), 25, INVALID_LAYOUT, "V-042"),
        (coo(), (HURRAY_LAYOUT_FIELD_COO_IS_SORTED, 0), 0, Payload(8), 2, INVALID_LAYOUT, "V-040"),
        (nested(2), (HURRAY_LAYOUT_FIELD_TILED_OUTER_LAYOUT, 1), 2, Payload(20), 4, INVALID_LAYOUT, "V-033"),
        (
            empty_pool,
            (HURRAY_LAYOUT_FIELD_BLOCK_PAGED_PAGE_SIZE, 0),
            1,
            Payload(0),
            0,
            INVALID_LAYOUT,
            "V-048",
        ),
        (paged(), (HURRAY_LAYOUT_FIELD_BLOCK_PAGED_KV_ROLE, 0), 2, Payload(20), 3, INVALID_LAYOUT, "V-050"),
        (
            head(2, 1, 2, &[2]),
            (HURRAY_LAYOUT_FIELD_COMPOSITE_COMBINE_OP, 0),
            2,
            Payload(1),
            3,
            INVALID_LAYOUT,
            "V-057",
        ),
        (
            head(3, 0, 2, &[2]),
            (HURRAY_LAYOUT_FIELD_COMPOSITE_MEMBER_COUNT, 0),
            0,
            Payload(4),
            0xFFFF_FFFF,
            UNSUPPORTED,
            "V-059",
        ),
        (
            hilbert(1, 2, &[2, DYN], 4),
            (HURRAY_LAYOUT_FIELD_HILBERT_RANK, 0),
            2,
            Payload(4),
            3,
            INVALID_LAYOUT,
            "V-067",
        ),
        (plain(), (HURRAY_BUFFER_FIELD_ALIGNMENT, 0), 128, Buffer(0, 8), 32, INVALID_DESCRIPTOR, "V-083"),
        (plain(), (HURRAY_BUFFER_FIELD_DEVICE_TAG, 0), 8, Buffer(0, 12), 9, INVALID_TYPE, "V-084"),
        (plain(), (HURRAY_BUFFER_FIELD_MEMORY_CLASS, 0), 2, Buffer(0, 14), 3, INVALID_DESCRIPTOR, "V-089"),
        (csr(), (HURRAY_BUFFER_FIELD_BYTE_SIZE, 2), 41, Buffer(2, 0), 39, BUFFER_MISMATCH, "V-093"),
        (
            per_tensor(),
            (HURRAY_QUANT_FIELD_PER_TENSOR_ZERO_POINT, 0),
            127,
            Quant(8),
            128,
            INVALID_DESCRIPTOR,
            "V-108",
        ),
        (
            per_channel(),
            (HURRAY_QUANT_FIELD_PER_CHANNEL_AXIS, 0),
            1,
            Quant(4),
            2,
            INVALID_DESCRIPTOR,
            "V-110",
        ),
        (nf4(), (HURRAY_QUANT_FIELD_NF4_BLOCK_SIZE, 0), 8, Quant(8), 4, INVALID_DESCRIPTOR, "V-112"),
        (mxfp(), (HURRAY_QUANT_FIELD_MXFP_SCALE_BUFFER, 0), 1, Quant(12), 0, INVALID_DESCRIPTOR, "V-116"),
        (mxfp(), (HURRAY_BUFFER_FIELD_BYTE_SIZE, 1), 2, Buffer(1, 0), 3, BUFFER_MISMATCH, "V-117"),
        (stats(), (HURRAY_STATS_FIELD_NM_N, 0), 4, Stats(64), 5, INVALID_DESCRIPTOR, "V-133"),
        (private_float(), (HURRAY_EXT_TYPE_FIELD_SIGN_BITS, 0), 0, Ext(7), 2, INVALID_TYPE, "V-145"),
        (member(), (HURRAY_MEMBER_FIELD_ROLE, 0), 0, Member(0), 2, INVALID_DESCRIPTOR, "V-150"),
    ]
}

/// Bytes that a field takes on the wire.
fn width(field: u32) -> usize {
    match field {
        HURRAY_HEADER_FIELD_BYTE_OFFSET | HURRAY_LAYOUT_FIELD_CSR_NNZ | HURRAY_BUFFER_FIELD_BYTE_SIZE => 8,
        HURRAY_LAYOUT_FIELD_BLOCK_PAGED_PAGE_SIZE
        | HURRAY_LAYOUT_FIELD_COMPOSITE_MEMBER_COUNT
        | HURRAY_LAYOUT_FIELD_HILBERT_RANK
        | HURRAY_BUFFER_FIELD_ALIGNMENT
        | HURRAY_QUANT_FIELD_PER_TENSOR_ZERO_POINT
        | HURRAY_QUANT_FIELD_PER_CHANNEL_AXIS
        | HURRAY_QUANT_FIELD_NF4_BLOCK_SIZE
        | HURRAY_QUANT_FIELD_MXFP_SCALE_BUFFER => 4,
        _ => 1,
    }
}

#[test]
fn a_builder_is_as_strict_as_a_decoder() {
    for (sample, (field, level), keeping, at, breaking, status, rule) in cases() {
        let fields = decode(&sample.input()).unwrap();
        let kept = fields.rebuilt_with(field, level, keeping).unwrap();
        let wanted = sample.put(at, &keeping.to_le_bytes()[..width(field)]);
        assert_eq!(kept.encode(), wanted.own(), "{rule}");
        let said = fields.rebuilt_with(field, level, breaking).unwrap_err();
        assert_eq!((said.status, said.rule(), said.offset), (status, rule, None), "{said:?}");
    }
}

/// What the constructor and the buffer table decide is judged at the end, by the same rules.
#[test]
fn a_builder_judges_tags_and_table() {
    let refused = [
        (build(0x00, 0x01, &[2], &[8]), INVALID_TYPE, "V-013"),
        (build(0x47, 0x01, &[2], &[8]), INVALID_TYPE, "V-014"),
        (build(0xF0, 0x01, &[2], &[8]), INVALID_TYPE, "V-016"),
        (build(0x03, 0x00, &[2], &[]), INVALID_LAYOUT, "V-018"),
        (build(0x03, 0xFF, &[2], &[]), INVALID_LAYOUT, "V-018"),
        (build(0x03, 0x0C, &[2], &[]), INVALID_LAYOUT, "V-019"),
        (build(0x03, 0x01, &[1; 65], &[4]), LIMIT_EXCEEDED, "V-021"),
        (build(0x03, 0x02, &[], &[4]), INVALID_LAYOUT, "V-022"),
        (build(0x03, 0x01, &[1 << 63, 2], &[4]), OVERFLOW, "V-024"),
        (build(0x03, 0x01, &[2], &[]), INVALID_DESCRIPTOR, "V-080"),
        (build(0x03, 0x01, &[2], &[8, 8]), INVALID_DESCRIPTOR, "V-081"),
        (build(0x03, 0x01, &[2], &[7]), BUFFER_MISMATCH, "V-093"),
    ];
    for (result, status, rule) in refused {
        let said = result.expect_err(rule);
        assert_eq!((said.status, said.rule(), said.offset), (status, rule, None), "{said:?}");
    }
    assert_eq!(build(0x03, 0x01, &[2, 3], &[24]).unwrap().encode(), plain().own());
    assert_eq!(build(0x03, 0x02, &[2, 3], &[24]).unwrap().encode(), plain().layout_tag(0x02).own());
    assert_eq!(build(0x11, 0x01, &[1; 64], &[1]).unwrap().encode(), bytes_of(&[1; 64], 1).own());
    assert_eq!(build(0x11, 0x01, &[DYN, 4], &[0]).unwrap().encode(), bytes_of(&[DYN, 4], 0).own());
}
