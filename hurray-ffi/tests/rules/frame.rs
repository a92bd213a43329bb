//! V-001 to V-026: header, tags, shape, byte offset.

use crate::support::bytes::At::*;
use crate::support::bytes::{Bytes, Wire};
use crate::support::check::rules;
use crate::support::samples::*;

/// The smallest well-formed descriptor: 37 bytes.
fn smallest() -> Bytes {
    head(3, 0, 0, &[])
}

fn with_types(tags: impl IntoIterator<Item = u8>) -> Vec<Bytes> {
    // 128 bits an element, so that no type is too wide for the buffer.
    tags.into_iter().map(|tag| plain().buffers(&[96]).type_tag(tag)).collect()
}

fn with_layouts(tags: impl IntoIterator<Item = u8>) -> Vec<Bytes> {
    tags.into_iter().map(|tag| plain().layout_tag(tag)).collect()
}

const ASSIGNED: [u8; 26] = [
    0x01, 0x02, 0x03, 0x04, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x20, 0x40, 0x41, 0x42, 0x43,
    0x44, 0x45, 0x46, 0x48, 0x49, 0x4A, 0x4B, 0x50, 0x51,
];

/// Layouts that a scalar cannot have, each with what its payload is at rank 0.
fn scalars_of_other_layouts() -> Vec<Bytes> {
    let sparse =
        |tag, sizes: &[u64], payload: &[u8]| scalar().layout_tag(tag).buffers(sizes).payload(payload);
    let mut all = vec![
        scalar().layout_tag(0x02),
        scalar().layout_tag(0x03),
        scalar().layout_tag(0x04).payload(&[1, 1, 0, 0]),
        scalar().layout_tag(0x05),
        sparse(0x06, &[4, 0], &[1u64, 0].wire()),
        sparse(0x07, &[4, 8, 16], &[1u64, 0].wire()),
        sparse(0x08, &[4, 8, 16], &[1u64, 0].wire()),
        sparse(0x09, &[4], &[1u64, 0].wire()),
    ];
    all.push(paged().shape(&[]));
    all.push(hilbert(1, 2, &[], 4));
    all
}

/// One descriptor of each layout that has no byte offset, the head aside.
fn without_offset() -> [Bytes; 5] {
    [coo(), csr(), csc(), csf(), paged()]
}

rules! {
    v_001_breaks_nine_bytes: plain().cut(9) => TRUNCATED, "V-001", "", Byte(9);
    v_001_breaks_no_bytes: plain().cut(0) => TRUNCATED, "V-001", "", Byte(0);
    v_001_keeps_ten_bytes_and_fails_later: plain().cut(10) => TRUNCATED, "V-007", "descriptor_length", Length;

    v_002_breaks_each_byte: [0, 1, 2, 3].map(|k| plain().put(Byte(k), 0x68u8))
        => INVALID_MAGIC, "V-002", "magic", Byte(0);
    v_002_keeps: plain();

    v_003_breaks_major_2: plain().put(Major, 2u8) => VERSION_MISMATCH, "V-003", "version_major", Major;
    v_003_breaks_major_255: plain().put(Major, 255u8) => VERSION_MISMATCH, "V-003", "version_major", Major;
    v_003_keeps_major_1: plain();
    v_004_breaks_major_0: plain().put(Major, 0u8) => VERSION_MISMATCH, "V-004", "version_major", Major;
    v_004_keeps_major_1: plain();
    v_005_keeps_later_minors: [1, 2, 255].map(|minor| plain().minor(minor));

    v_006_breaks_length_19: plain().length(19) => INVALID_DESCRIPTOR, "V-006", "descriptor_length", Length;
    v_006_breaks_length_0: plain().length(0) => INVALID_DESCRIPTOR, "V-006", "descriptor_length", Length;
    v_006_keeps_length_20_and_fails_later: plain().length(20) => TRUNCATED, "V-008", "shape", Byte(20);

    v_007_breaks_one_byte_short: plain().cut(60) => TRUNCATED, "V-007", "descriptor_length", Length;
    v_007_breaks_length_beyond: plain().length(62) => TRUNCATED, "V-007", "descriptor_length", Length;
    v_007_breaks_length_highest: plain().length(u32::MAX) => TRUNCATED, "V-007", "descriptor_length", Length;
    v_007_breaks_later_minor: plain().minor(1).length(62) => TRUNCATED, "V-007", "descriptor_length", Length;
    v_007_keeps_to_the_byte: plain();

    v_008_breaks_last_entry_cut: plain().shorter(1) => TRUNCATED, "V-008", "", Byte(45);
    v_008_breaks_shape_cut: plain().shorter(26) => TRUNCATED, "V-008", "shape", Byte(20);
    v_008_breaks_offset_cut: plain().shorter(18) => TRUNCATED, "V-008", "byte_offset", Offset;
    v_008_breaks_count_cut: plain().shorter(17) => TRUNCATED, "V-008", "buffer_count", Count;
    v_008_breaks_later_minor: plain().minor(1).shorter(1) => TRUNCATED, "V-008", "", Byte(45);
    v_008_breaks_with_bytes_behind: plain().shorter(1).after(&[0; 9]) => TRUNCATED, "V-008", "", Byte(45);
    v_008_keeps_to_the_byte: [plain(), smallest()];

    v_009_breaks_one_byte_left: plain().tail(&[0]) => INVALID_DESCRIPTOR, "V-009", "descriptor_length", End;
    v_009_breaks_behind_sections: all_sections().tail(&[0; 16])
        => INVALID_DESCRIPTOR, "V-009", "descriptor_length", End;
    v_009_keeps_to_the_byte: [plain(), all_sections()];
    v_010_keeps_the_tail_of_a_later_minor: [
        plain().minor(1).tail(&[0]), all_sections().minor(7).tail(b"later fields"),
        smallest().minor(255).tail(&[0xFF; 300]),
    ];
    v_011_keeps_away_from_what_follows: [plain().after(b"HRRY"), plain().minor(1).after(&[0; 40])];

    v_012_breaks_each_reserved_bit: (5..32).map(|bit| plain().put(Flags, 1u32 << bit)).collect::<Vec<_>>()
        => INVALID_DESCRIPTOR, "V-012", "flags", Flags;
    v_012_breaks_later_minor: plain().minor(9).put(Flags, 0x20u32).tail(&[0; 99])
        => INVALID_DESCRIPTOR, "V-012", "flags", Flags;
    v_012_keeps_every_known_bit: [all_sections(), private_sections()];

    v_013_breaks_00_and_ff: with_types([0x00, 0xFF]) => INVALID_TYPE, "V-013", "type_tag", Type;
    v_013_keeps_every_assigned_type: with_types(ASSIGNED);
    v_014_breaks_reserved_types: with_types([0x47].into_iter().chain(0x80..=0xEF))
        => [Strict] INVALID_TYPE, "V-014", "type_tag", Type;
    v_014_keeps_the_neighbours: [
        plain().buffers(&[3]).type_tag(0x48), plain().buffers(&[6]).type_tag(0x45), private_float(),
    ];
    v_015_breaks_unassigned_types:
        with_types((0x01..=0x7F).filter(|tag| !ASSIGNED.contains(tag) && *tag != 0x47))
        => [Strict] INVALID_TYPE, "V-015", "type_tag", Type;
    v_015_keeps_the_neighbours:
        with_types([0x01, 0x04, 0x10, 0x17, 0x20, 0x40, 0x46, 0x48, 0x4B, 0x50, 0x51]);
    v_016_breaks_private_type_alone: with_types(0xF0..=0xFE) => INVALID_TYPE, "V-016", "type_tag", Type;
    v_016_keeps_private_type_described: [
        private_float(), private_float().type_tag(0xF0), private_float().type_tag(0xFE),
    ];
    v_017_breaks_public_type_described: private_float().type_tag(0x03)
        => INVALID_TYPE, "V-017", "type_tag", Type;
    v_017_breaks_unknown_type_described: private_float().type_tag(0x60)
        => [Permissive] INVALID_TYPE, "V-017", "type_tag", Type;
    v_017_keeps_public_type_alone: plain();

    v_018_breaks_00_and_ff: with_layouts([0x00, 0xFF]) => INVALID_LAYOUT, "V-018", "layout_tag", Layout;
    v_018_keeps_the_neighbour: plain().layout_tag(0x01);
    v_019_breaks_unassigned_layouts: with_layouts((0x0C..=0x3F).chain(0x41..=0x7F).chain(0x80..=0xEF))
        => [Strict] INVALID_LAYOUT, "V-019", "layout_tag", Layout;
    v_019_keeps_the_neighbours: [head(1, 0, 1, &[2]), hilbert(1, 2, &[2, 2], 4)];
    v_020_breaks_unregistered_private: [0xF0, 0xF7, 0xFE].map(|tag| private().layout_tag(tag))
        => [Strict] UNSUPPORTED, "V-020", "layout_tag", Layout;
    v_020_keeps_for_permissive_readers: private(), Permissive;

    v_021_breaks_rank_65: bytes_of(&[1; 65], 1) => LIMIT_EXCEEDED, "V-021", "rank", Rank;
    v_021_breaks_rank_highest: plain().put(Rank, u32::MAX) => LIMIT_EXCEEDED, "V-021", "rank", Rank;
    v_021_keeps_rank_64: bytes_of(&[1; 64], 1);

    v_022_breaks_scalars_of_other_layouts: scalars_of_other_layouts()
        => INVALID_LAYOUT, "V-022 V-044 V-045 V-047 V-067", "", Somewhere;
    v_022_keeps_what_rank_0_may_be: [scalar(), smallest(), head(1, 0, 1, &[])];
    v_022_keeps_private_rank_0: private().shape(&[]), Permissive;
    v_022_keeps_rank_1: [
        plain().shape(&[6]).layout_tag(0x02), morton(0x11, &[2], &[1], 2), tiled(&[2], &[2], 2),
    ];

    v_023_keeps_dynamic_dimensions: [
        plain().shape(&[DYN, 3]), plain().shape(&[0, DYN]).buffers(&[0]), strided(0x03, &[DYN], &[1], 0, 0),
        tiled(&[DYN, 6], &[2, 4], 0), morton(0x11, &[DYN], &[1], 0), hilbert(1, 2, &[DYN, 2], 0),
        coo().shape(&[3, DYN, 4]), csr().shape(&[DYN, DYN]), csf().shape(&[DYN, 4, 5]),
        paged().shape(&[DYN, 2, 2]), head(3, 0, 1, &[DYN]),
    ];

    v_024_breaks_count: bytes_of(&[1 << 32, 1 << 32], u64::MAX) => OVERFLOW, "V-024", "shape", Somewhere;
    v_024_breaks_count_beyond_128_bits: bytes_of(&[1 << 63; 3], u64::MAX)
        => OVERFLOW, "V-024", "shape", Somewhere;
    v_024_breaks_bytes: Bytes::new(0x03, 0x01, &[1 << 62], &[u64::MAX])
        => OVERFLOW, "V-024", "shape", Somewhere;
    v_024_breaks_beside_ones: bytes_of(&[1, 1 << 32, 1, 1 << 32, 1], u64::MAX)
        => OVERFLOW, "V-024", "shape", Somewhere;
    v_024_keeps_count_2_64_less_1: bytes_of(&[(1 << 32) - 1, (1 << 32) + 1], u64::MAX);
    v_024_keeps_bytes_2_64_less_4: Bytes::new(0x03, 0x01, &[(1 << 62) - 1], &[u64::MAX - 3]);
    v_024_keeps_zero_in_any_place: [
        bytes_of(&[1 << 63, 1 << 63, 0], 0), bytes_of(&[1 << 63, 0, 1 << 63], 0),
        bytes_of(&[0, 1 << 63, 1 << 63], 0),
    ];
    v_024_keeps_layouts_judged_by_what_they_store: [
        strided(0x03, &[1 << 40, 1 << 40], &[0, 0], 0, 4), coo().shape(&[1 << 40, 1 << 40, 1 << 40]),
        head(1, 0, 1, &[1 << 40, 1 << 40]),
    ];

    v_025_breaks_one_beyond: bytes_of(&[DYN], 8).offset(9) => INVALID_LAYOUT, "V-025", "byte_offset", Offset;
    v_025_breaks_each_dense_layout: [
        bytes_of(&[DYN], 8).layout_tag(0x02), strided(0x11, &[DYN], &[1], 0, 8), tiled(&[DYN], &[2], 8),
        morton(0x11, &[DYN], &[1], 8), hilbert(1, 2, &[DYN, DYN], 8),
    ].map(|b| b.offset(u64::MAX)) => INVALID_LAYOUT, "V-025", "byte_offset", Offset;
    v_025_breaks_private: private().offset(17) => [Permissive] INVALID_LAYOUT, "V-025", "byte_offset", Offset;
    v_025_keeps_the_end: [
        bytes_of(&[DYN], 8).offset(8), bytes_of(&[0, 3], 8).offset(8), plain().buffers(&[31]).offset(7),
    ];
    v_025_keeps_private: private().offset(16), Permissive;

    v_026_breaks_each_layout: without_offset().map(|b| b.offset(1))
        => INVALID_LAYOUT, "V-026", "byte_offset", Offset;
    v_026_breaks_head: head(1, 0, 1, &[2]).offset(64)
        => INVALID_DESCRIPTOR, "V-026 L-051", "byte_offset", Offset;
    v_026_keeps_zero: without_offset();
    v_026_keeps_private: private().offset(8), Permissive;
}
