//! V-030 to V-073: layout payloads, and the layouts against shape and buffers.

use crate::support::bytes::At::*;
use crate::support::bytes::{Bytes, Wire, hex};
use crate::support::check::rules;
use crate::support::samples::*;

/// A tile payload with other order bytes.
fn orders(outer: u8, inner: u8) -> Bytes {
    tiled(&[5, 6], &[2, 4], 48).payload(&tile(&[2, 4], outer, inner, &[]))
}

/// uint8 COO.
fn coo_of(shape: &[u64], nnz: u64, buffers: &[u64]) -> Bytes {
    Bytes::new(0x11, 0x06, shape, buffers).payload(&[nnz, 0].wire())
}

/// uint8 CSR (`0x07`) or CSC (`0x08`).
fn compressed(tag: u8, shape: &[u64], nnz: u64, buffers: &[u64]) -> Bytes {
    Bytes::new(0x11, tag, shape, buffers).payload(&[nnz, 0].wire())
}

/// uint8 CSF of `[2; r]` with one entry.
fn csf_of(mode_order: &[u32]) -> Bytes {
    let rank = mode_order.len();
    let mut buffers = vec![1, 16];
    buffers.resize(2 * rank, 16);
    buffers.push(8);
    let payload = [1u64.wire(), mode_order.wire(), vec![0; 8]].concat();
    Bytes::new(0x11, 0x09, &vec![2; rank], &buffers).payload(&payload)
}

/// No tokens and no pages, so that only the fields themselves can be wrong.
fn pages(of: Paged) -> Bytes {
    paged_of(Paged { num_pages: 0, ..of }, &[0, 2, 2], &[0, 0, 24])
}

/// Bytes of 2^42 - 1 pages of 2^22.
const MOST: u64 = u64::MAX - (1 << 22) + 1;

rules! {
    v_030_breaks_behind: strided(0x03, &[2, 3], &[3, 1], 0, 23)
        => BUFFER_MISMATCH, "V-030 L-018", "", Somewhere;
    v_030_breaks_before: strided(0x03, &[2, 3], &[-3, 1], 11, 24)
        => BUFFER_MISMATCH, "V-030 L-018", "", Somewhere;
    v_030_breaks_before_in_bits: strided(0x48, &[4, 3], &[-3, 1], 4, 7)
        => BUFFER_MISMATCH, "V-030 L-018", "", Somewhere;
    v_030_breaks_behind_in_groups: strided(0x44, &[2], &[4], 0, 5)
        => BUFFER_MISMATCH, "V-030 L-018", "", Somewhere;
    v_030_breaks_before_in_groups: strided(0x44, &[2], &[-1], 2, 6)
        => BUFFER_MISMATCH, "V-030 L-018", "", Somewhere;
    v_030_breaks_behind_in_bits: [
        strided(0x48, &[4, 3], &[-3, 1], 5, 6), strided(0x20, &[2], &[8], 0, 1),
        strided(0x20, &[1], &[8], 0, 0),
    ] => BUFFER_MISMATCH, "V-030 L-018", "", Somewhere;
    v_030_keeps_to_the_byte: [
        strided(0x20, &[2], &[7], 0, 1), strided(0x20, &[1], &[8], 0, 1),
        strided(0x03, &[2, 3], &[3, 1], 0, 24), strided(0x03, &[2, 3], &[-3, 1], 12, 24),
        strided(0x48, &[4, 3], &[-3, 1], 5, 7), strided(0x44, &[2], &[4], 0, 6),
        strided(0x44, &[2], &[-1], 3, 6), strided(0x03, &[9, 9], &[0, 0], 0, 4),
        strided(0x03, &[9, 0], &[i64::MAX, 7], 0, 0),
    ];

    v_031_breaks_product: strided(0x11, &[3], &[i64::MAX], 0, u64::MAX)
        => OVERFLOW, "V-031 L-018", "strides", Somewhere;
    v_031_breaks_product_below: strided(0x11, &[3], &[i64::MIN], 1 << 63, u64::MAX)
        => OVERFLOW, "V-031 L-018", "strides", Somewhere;
    v_031_breaks_sum: strided(0x11, &[2, 2], &[i64::MAX, 1], 0, u64::MAX)
        => OVERFLOW, "V-031 L-018", "strides", Somewhere;
    v_031_keeps_the_ends: [
        strided(0x11, &[2], &[i64::MAX], 0, 1 << 63),
        strided(0x11, &[2], &[i64::MIN], 1 << 63, (1 << 63) + 1),
        strided(0x11, &[2, 2], &[i64::MAX - 1, 1], 0, 1 << 63), strided(0x11, &[1], &[i64::MIN], 0, 1),
    ];

    v_032_breaks_first: tiled(&[5, 6], &[0, 4], 48) => INVALID_LAYOUT, "V-032", "tile_shape", Payload(0);
    v_032_breaks_second: tiled(&[5, 6], &[2, 0], 48) => INVALID_LAYOUT, "V-032", "tile_shape", Payload(8);
    v_032_keeps_one: tiled(&[5, 6], &[1, 1], 30);

    v_033_breaks_outer: [orders(0, 1), orders(4, 1), orders(255, 1)]
        => INVALID_LAYOUT, "V-033", "outer_layout", Payload(16);
    v_033_breaks_inner: [orders(1, 0), orders(1, 5), orders(1, 255)]
        => INVALID_LAYOUT, "V-033", "inner_layout", Payload(17);
    v_033_keeps_every_order: [
        orders(1, 1), orders(2, 2),
        tiled(&[5, 6], &[2, 4], 48).payload(&tile(&[2, 4], 3, 3, &[2i64, 1, 4, 1].wire())),
        tiled(&[5, 6], &[2, 4], 48).payload(&tile(&[2, 4], 1, 4, &tile(&[1, 2], 2, 1, &[]))),
    ];

    v_034_breaks_each_byte: tiled(&[5, 6], &[2, 4], 48).put(Payload(18), 1u8)
        => INVALID_LAYOUT, "V-034", "reserved", Payload(18);
    v_034_breaks_second: tiled(&[5, 6], &[2, 4], 48).put(Payload(19), 128u8)
        => INVALID_LAYOUT, "V-034", "reserved", Payload(19);
    v_034_breaks_nested: nested(2).put(Payload(23), 1u8) => INVALID_LAYOUT, "V-034", "reserved", Payload(23);
    v_034_keeps_zero: tiled(&[5, 6], &[2, 4], 48);

    v_035_breaks_nine_blocks: nested(9) => LIMIT_EXCEEDED, "V-035", "inner_layout", Payload(93);
    v_035_breaks_many: nested(2000) => LIMIT_EXCEEDED, "V-035", "inner_layout", Somewhere;
    v_035_keeps_eight_blocks: nested(8);

    v_036_breaks_tile: tiled(&[1, 1], &[1 << 32, 1 << 32], u64::MAX) => OVERFLOW, "V-036", "", Somewhere;
    v_036_breaks_nested_tile:
        tiled(&[1, 1], &[1, 1], u64::MAX).payload(&tile(&[1, 1], 1, 4, &tile(&[1 << 32, 1 << 32], 1, 1, &[])))
        => OVERFLOW, "V-036", "", Somewhere;
    v_036_breaks_total: tiled(&[(1 << 63) + 1], &[1 << 63], u64::MAX)
        => OVERFLOW, "V-036 V-024", "", Somewhere;
    v_036_breaks_total_of_strides: tiled(&[4], &[2], u64::MAX).payload(&tile(&[2], 3, 1, &[i64::MAX].wire()))
        => OVERFLOW, "V-036 V-024", "", Somewhere;
    v_036_keeps_the_most: [
        tiled(&[1, 1], &[(1 << 32) - 1, (1 << 32) + 1], u64::MAX), tiled(&[1 << 63], &[1 << 63], 1 << 63),
        tiled(&[4], &[2], 1 << 63).payload(&tile(&[2], 3, 1, &[(1i64 << 62) - 1].wire())),
    ];

    v_037_breaks_first: morton(0x11, &[1, 2], &[0, 1], 4)
        => INVALID_LAYOUT, "V-037", "morton_bits", Payload(0);
    v_037_breaks_second: morton(0x11, &[2, 1], &[1, 0], 4)
        => INVALID_LAYOUT, "V-037", "morton_bits", Payload(4);
    v_037_keeps_one: morton(0x11, &[1, 2], &[1, 1], 4);
    v_038_breaks_first: morton(0x11, &[5, 4], &[2, 2], 64) => INVALID_LAYOUT, "V-038", "shape", Shape(0);
    v_038_breaks_second: morton(0x11, &[4, 5], &[2, 2], 64) => INVALID_LAYOUT, "V-038", "shape", Shape(1);
    v_038_keeps_the_power: [morton(0x11, &[4, 4], &[2, 2], 16), morton(0x11, &[DYN, 4], &[2, 2], 0)];
    v_039_breaks_rank_1: morton(0x20, &[2], &[65], u64::MAX) => OVERFLOW, "V-039", "morton_bits", Somewhere;
    v_039_breaks_rank_2: morton(0x20, &[2, 2], &[33, 1], u64::MAX)
        => OVERFLOW, "V-039", "morton_bits", Somewhere;
    v_039_breaks_highest: morton(0x20, &[2, 2], &[1, u32::MAX], u64::MAX)
        => OVERFLOW, "V-039", "morton_bits", Somewhere;
    v_039_keeps_64_bits: [
        // 2^64 codes of one bit are 2^61 bytes.
        morton(0x20, &[2, 2], &[32, 32], 1 << 61), morton(0x20, &[2], &[64], 1 << 61),
        // Bits 0, 2, ... 62 of dimension 0 and bit 1: the largest code is 0x5555555555555557.
        morton(0x11, &[2, 2], &[32, 1], 0x5555_5555_5555_5558),
    ];

    v_040_breaks_2: coo().put(Payload(8), 2u8) => INVALID_LAYOUT, "V-040", "is_sorted", Payload(8);
    v_040_breaks_255: coo().put(Payload(8), 255u8) => INVALID_LAYOUT, "V-040", "is_sorted", Payload(8);
    v_040_keeps_0_and_1: [coo().put(Payload(8), 0u8), coo()];
    v_041_breaks_first_byte: [coo().put(Payload(9), 1u8)] => INVALID_LAYOUT, "V-041", "reserved", Payload(9);
    v_041_breaks_compressed: [csr().put(Payload(8), 1u8), csc().put(Payload(8), 1u8)]
        => INVALID_LAYOUT, "V-041", "reserved", Payload(8);
    v_041_breaks_last_byte: [coo(), csr(), csc()].map(|b| b.put(Payload(15), 1u8))
        => INVALID_LAYOUT, "V-041", "reserved", Payload(15);
    v_041_breaks_csf: csf().put(Payload(20), 1u8) => INVALID_LAYOUT, "V-041", "reserved", Payload(20);
    v_041_breaks_csf_last: csf().put(Payload(27), 1u8) => INVALID_LAYOUT, "V-041", "reserved", Payload(27);
    v_041_keeps_zero: [coo(), csr(), csc(), csf()];
    v_042_breaks_one_more: [
        coo_of(&[2, 2], 5, &[5, 80]), compressed(0x07, &[2, 2], 5, &[5, 40, 24]),
        compressed(0x08, &[2, 2], 5, &[5, 40, 24]),
        csf_of(&[0, 1, 2]).put(Payload(0), 9u64).buffers(&[9, 16, 16, 24, 32, 40, 72]),
    ] => INVALID_LAYOUT, "V-042", "nnz", Payload(0);
    v_042_breaks_empty: coo_of(&[2, 0], 1, &[1, 16]) => INVALID_LAYOUT, "V-042", "nnz", Payload(0);
    v_042_keeps_full: [
        coo_of(&[2, 2], 4, &[4, 64]), coo_of(&[2, 0], 0, &[0, 0]), compressed(0x07, &[2, 2], 4, &[4, 32, 24]),
        coo_of(&[DYN, 0], 5, &[5, 80]), coo_of(&[1 << 60; 3], 5, &[5, 120]),
    ];
    v_044_breaks_rank_1: [ compressed(0x07, &[4], 1, &[1, 8, 40]), compressed(0x08, &[4], 1, &[1, 8, 40]), ]
        => INVALID_LAYOUT, "V-044", "rank", Rank;
    v_044_breaks_rank_3: [
        compressed(0x07, &[4, 4, 4], 1, &[1, 8, 40]), compressed(0x08, &[4, 4, 4], 1, &[1, 8, 40]),
    ] => INVALID_LAYOUT, "V-044", "rank", Rank;
    v_044_keeps_rank_2: [csr(), csc()];
    v_045_breaks_rank_2: csf_of(&[0, 1]) => INVALID_LAYOUT, "V-045", "rank", Rank;
    v_045_breaks_rank_1: csf_of(&[0]) => INVALID_LAYOUT, "V-045", "rank", Rank;
    v_045_keeps_rank_3: csf_of(&[0, 1, 2]);
    v_046_breaks_twice: csf_of(&[0, 1, 0]) => INVALID_LAYOUT, "V-046", "mode_order", Somewhere;
    v_046_breaks_beyond: [csf_of(&[0, 1, 3]), csf_of(&[0, 1, u32::MAX])]
        => INVALID_LAYOUT, "V-046", "mode_order", Payload(16);
    v_046_keeps_every_order: [
        csf_of(&[0, 1, 2]), csf_of(&[0, 2, 1]), csf_of(&[1, 0, 2]), csf_of(&[1, 2, 0]), csf_of(&[2, 0, 1]),
        csf_of(&[2, 1, 0]), csf_of(&std::array::from_fn::<u32, 64, _>(|k| 63 - k as u32)),
    ];

    v_047_breaks_ranks_2_and_4: [pages(PAGES).shape(&[0, 2]), pages(PAGES).shape(&[0, 2, 2, 2])]
        => INVALID_LAYOUT, "V-047", "rank", Rank;
    v_047_keeps_rank_3: [paged(), pages(PAGES)];
    v_048_breaks_0: pages(Paged { page_size: 0, ..PAGES })
        => INVALID_LAYOUT, "V-048", "page_size", Payload(0);
    v_048_keeps_1: pages(Paged { page_size: 1, ..PAGES });
    v_049_breaks_1: pages(Paged { axis: 1, ..PAGES }) => INVALID_LAYOUT, "V-049", "paged_axis", Payload(12);
    v_049_keeps_0: pages(PAGES);
    v_050_breaks_3: pages(Paged { role: 3, ..PAGES }) => INVALID_LAYOUT, "V-050", "kv_role", Payload(20);
    v_050_keeps_0_to_2: [0, 1, 2].map(|role| pages(Paged { role, ..PAGES }));
    v_051_breaks_2: pages(Paged { index_type: 2, ..PAGES })
        => INVALID_LAYOUT, "V-051", "block_table_index_type", Payload(25);
    v_051_keeps_0_and_1: [0, 1].map(|index_type| pages(Paged { index_type, ..PAGES }));
    v_052_breaks_first: paged().put(Payload(26), 1u8) => INVALID_LAYOUT, "V-052", "reserved", Payload(26);
    v_052_breaks_last: paged().put(Payload(31), 1u8) => INVALID_LAYOUT, "V-052", "reserved", Payload(31);
    v_052_keeps_any_layer: [paged(), paged().put(Payload(21), 0u32), paged().put(Payload(21), 31u32)];
    v_053_breaks: paged().shard(&[11, 2, 2], &[0, 0, 0]) => INVALID_LAYOUT, "V-053", "", Somewhere;
    v_053_keeps_without: paged();
    v_054_breaks: csf().shard(&[3, 4, 5], &[0, 0, 0]) => INVALID_LAYOUT, "V-054", "", Somewhere;
    v_054_keeps_without: csf();
    v_054_keeps_shards_of_the_others: [coo().shard(&[3, 2, 4], &[0, 0, 0]), csr().shard(&[8, 6], &[4, 0])];
    v_055_breaks_channels_of_tokens: paged_per_channel().put(Quant(4), 0u32).buffers(&[60, 20, 12, 44, 44])
        => INVALID_DESCRIPTOR, "V-055", "axis", Quant(4);
    v_055_breaks_blocks_of_heads: paged_per_block().shape(&[9, 4, 1]).put(Quant(4), 1u32)
        => INVALID_DESCRIPTOR, "V-055", "axis", Quant(4);
    v_055_breaks_block_not_page: paged_per_block().put(Quant(8), 2u32)
        => INVALID_DESCRIPTOR, "V-055", "", Somewhere;
    v_055_keeps: [
        paged_per_channel(), paged_per_channel().put(Quant(4), 2u32), paged_per_block(),
        paged().type_tag(0x10).quant(&hex("01 01 00 00 00 00 80 3E FD FF FF FF 00 00 00 00")),
        // NF4 and MXFP: only their elements cannot be read, and their sizes are not tested.
        paged().type_tag(0x49).buffers(&[60, 20, 12, 1]).shape(&[11, 2, 8]).put(Payload(4), 1u64)
            .quant(&hex("04 01 00 00 02 00 00 00 08 00 00 00 03 00 00 00")),
        paged().type_tag(0x10).shape(&[11, 2, 16]).put(Payload(4), 0u64).buffers(&[0, 20, 12, 7])
            .quant(&hex("05 01 00 00 02 00 00 00 10 00 00 00 03 00 00 00")),
    ];

    v_056_breaks: [0u8, 4, 0x80, 0xEF, 0xFF].map(|rule| head(rule, 0, 1, &[2]))
        => INVALID_LAYOUT, "V-056", "composition_rule", Payload(0);
    v_056_keeps_1_to_3: [head(1, 0, 1, &[2]), head(2, 1, 1, &[2]), head(3, 0, 1, &[2])];
    v_057_breaks: [
        head(1, 1, 1, &[2]), head(1, 2, 1, &[2]), head(2, 0, 1, &[2]), head(2, 3, 1, &[2]),
        head(3, 1, 1, &[2]),
    ] => INVALID_LAYOUT, "V-057", "combine_op", Payload(1);
    v_057_keeps: [head(1, 0, 1, &[2]), head(2, 1, 1, &[2]), head(2, 2, 1, &[2]), head(3, 0, 1, &[2])];
    v_058_breaks_first: head(1, 0, 1, &[2]).put(Payload(2), 1u8)
        => INVALID_LAYOUT, "V-058", "reserved", Payload(2);
    v_058_breaks_second: head(1, 0, 1, &[2]).put(Payload(3), 1u8)
        => INVALID_LAYOUT, "V-058", "reserved", Payload(3);
    v_058_keeps_zero: head(1, 0, 1, &[2]);
    v_059_breaks: head(3, 0, u32::MAX, &[2]) => UNSUPPORTED, "V-059 L-055", "member_count", Payload(4);
    v_059_keeps_one_less: head(3, 0, u32::MAX - 1, &[2]);
    v_060_breaks: head(1, 0, 1, &[2]).buffers(&[8])
        => INVALID_DESCRIPTOR, "V-060 L-050", "buffer_count", Count;
    v_060_keeps_none: head(1, 0, 1, &[2]);
    v_061_breaks: head(1, 0, 1, &[2]).quant(&hex("01 01 00 00 00 00 80 3E 00000000 00000000"))
        => INVALID_DESCRIPTOR, "V-061 L-052 Q-027", "", Somewhere;
    v_061_keeps_other_sections: [
        head(1, 0, 1, &[2]).shard(&[4], &[2]).stats(0),
        head(3, 0, 1, &[2]).type_tag(0xF1).ext(&hex("18000000 01 01 00 01 07 10 0000 3f000000 01 01 0000")),
    ];
    v_062_breaks: head(1, 0, 1, &[2]).member(0) => INVALID_DESCRIPTOR, "V-062 L-052", "", Somewhere;
    v_062_keeps_shard: head(1, 0, 1, &[2]).shard(&[4], &[2]);
    v_063_breaks: head(2, 1, 0, &[2]) => INVALID_LAYOUT, "V-063 L-055", "member_count", Payload(4);
    v_063_keeps_one: [head(2, 1, 1, &[2]), head(1, 0, 0, &[2]), head(3, 0, 0, &[2])];
    v_064_breaks: [head(1, 0, 1, &[2, DYN]), head(2, 1, 1, &[2, DYN])]
        => INVALID_LAYOUT, "V-064 L-056", "shape", Shape(1);
    v_064_keeps_static_and_group: [head(1, 0, 1, &[2, DYN - 1]), head(3, 0, 1, &[2, DYN])];

    v_065_breaks: hilbert(0, 2, &[1, 1], 1) => INVALID_LAYOUT, "V-065", "hilbert_order", Payload(0);
    v_065_keeps_1: hilbert(1, 2, &[2, 2], 4);
    v_066_breaks: [hilbert(1, 1, &[2], 2), hilbert(1, 0, &[2], 2)]
        => INVALID_LAYOUT, "V-066", "hilbert_rank", Payload(4);
    v_066_keeps_2: hilbert(1, 2, &[2, 2], 4);
    v_067_breaks: [hilbert(1, 3, &[2, 2], 8), hilbert(1, u32::MAX, &[2, 2], 4), hilbert(1, 2, &[2, 2, 2], 8)]
        => INVALID_LAYOUT, "V-067", "hilbert_rank", Payload(4);
    v_067_keeps: [hilbert(1, 2, &[2, 2], 4), hilbert(1, 3, &[2, 2, 2], 8)];
    v_068_breaks_below: hilbert(2, 2, &[3, 4], 16) => INVALID_LAYOUT, "V-068", "shape", Shape(0);
    v_068_breaks_above: hilbert(2, 2, &[4, 5], 32) => INVALID_LAYOUT, "V-068", "shape", Shape(1);
    v_068_breaks_zero: hilbert(2, 2, &[4, 0], 16) => INVALID_LAYOUT, "V-068", "shape", Shape(1);
    v_068_keeps: [hilbert(2, 2, &[4, 4], 16), hilbert(2, 2, &[4, DYN], 0)];
    v_069_breaks: hilbert(32, 2, &[DYN, DYN], 0) => OVERFLOW, "V-069", "hilbert_order", Payload(0);
    v_069_breaks_rank_3: hilbert(22, 3, &[DYN; 3], 0) => OVERFLOW, "V-069", "hilbert_order", Payload(0);
    v_069_breaks_order_64: [hilbert(64, 2, &[DYN, DYN], 0), hilbert(u32::MAX, 2, &[DYN, DYN], 0)]
        => OVERFLOW, "V-069", "hilbert_order", Payload(0);
    v_069_keeps_63_bits: [hilbert(31, 2, &[1 << 31; 2], 1 << 62), hilbert(21, 3, &[1 << 21; 3], 1 << 63)];

    v_070_breaks: private().put(Payload(8), u32::MAX) => [Permissive] TRUNCATED, "V-070", "", Somewhere;
    v_070_breaks_by_one: private().put(Payload(8), 21u32) => [Permissive] TRUNCATED, "V-070", "", Somewhere;
    v_070_keeps: [private(), private().payload(&hex("0000000000000000 00000000"))], Permissive;

    v_071_breaks_tuples: coo_of(&[1 << 40, 1 << 40], 1 << 60, &[1 << 60, u64::MAX])
        => OVERFLOW, "V-071", "", Somewhere;
    v_071_breaks_values: coo_of(&[1 << 40, 1 << 40], 1 << 60, &[u64::MAX, u64::MAX]).type_tag(0x51)
        => OVERFLOW, "V-071", "", Somewhere;
    v_071_breaks_rows: compressed(0x07, &[1 << 61, 1], 0, &[0, 0, u64::MAX])
        => OVERFLOW, "V-071", "", Somewhere;
    v_071_breaks_columns: compressed(0x08, &[1, DYN - 1], 0, &[0, 0, u64::MAX])
        => OVERFLOW, "V-071", "", Somewhere;
    v_071_keeps_the_most: [
        coo_of(&[1 << 40, 1 << 40], (1 << 60) - 1, &[1 << 60, u64::MAX - 15]),
        compressed(0x07, &[(1 << 61) - 2, 1], 0, &[0, 0, u64::MAX - 7]),
        compressed(0x08, &[1, (1 << 61) - 2], 0, &[0, 0, u64::MAX - 7]),
    ];
    v_072_breaks:
        paged_of(Paged { page_size: 1 << 20, num_pages: 1 << 42, ..PAGES }, &[1, 2, 2], &[u64::MAX, 4, 12])
        => OVERFLOW, "V-072", "", Somewhere;
    v_072_breaks_by_width:
        paged_of(Paged { page_size: 1 << 20, num_pages: 1 << 40, ..PAGES }, &[1, 2, 2], &[u64::MAX, 4, 12])
            .type_tag(0x03)
        => OVERFLOW, "V-072", "", Somewhere;
    v_072_keeps_the_most:
        paged_of(Paged { page_size: 1 << 20, num_pages: (1 << 42) - 1, ..PAGES }, &[1, 2, 2], &[MOST, 4, 12]);
    v_073_breaks: paged().shape(&[16, 2, 2]) => INVALID_LAYOUT, "V-073 L-040", "shape", Shape(0);
    v_073_breaks_u64_table: paged_of(Paged { index_type: 1, ..PAGES }, &[7, 2, 2], &[60, 20, 24])
        => INVALID_LAYOUT, "V-073 L-040", "shape", Shape(0);
    v_073_keeps: [
        paged().shape(&[15, 2, 2]), paged_of(Paged { index_type: 1, ..PAGES }, &[6, 2, 2], &[60, 20, 24]),
        paged().shape(&[DYN, 2, 2]),
    ];
}
