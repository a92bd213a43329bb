//! L-001 to L-056, as far as a descriptor and its bound buffers decide. The same checks as rules of descriptor.md, on
//! other inputs.

use crate::support::bytes::At::*;
use crate::support::bytes::{Bytes, Wire, hex};
use crate::support::call::{memory, tensor};
use crate::support::check::rules;
use crate::support::samples::*;
use crate::support::status::BUFFER_MISMATCH;

/// One descriptor of each layout with a payload of its own.
fn with_payload() -> [Bytes; 10] {
    [
        strided(0x11, &[2], &[1], 0, 2),
        tiled(&[2], &[2], 2),
        morton(0x11, &[2], &[1], 2),
        coo(),
        csr(),
        csc(),
        csf(),
        paged(),
        head(1, 0, 1, &[2]),
        hilbert(1, 2, &[2, 2], 4),
    ]
}

/// Ends each descriptor inside its payload, a byte before the payload's end.
fn inside_payload() -> Vec<Bytes> {
    let inside = |b: Bytes| {
        let behind = b.find(End).unwrap_or(0) - b.find(Count).unwrap_or(0);
        b.shorter(behind + 1)
    };
    with_payload().map(inside).into()
}

/// Shapes of 2^64 elements and more, in every layout that names each element.
fn countless() -> [Bytes; 6] {
    let full = |b: Bytes| b.shape(&[1 << 32, 1 << 32]).buffers(&[u64::MAX]);
    let paged = paged_of(
        Paged { page_size: 1 << 30, num_pages: 0, ..PAGES },
        &[1 << 40, 1 << 20, 1 << 10],
        &[0, 4096, 12],
    );
    [
        full(bytes_of(&[1], 1)),
        full(bytes_of(&[1], 1)).layout_tag(0x02),
        full(tiled(&[1, 1], &[1, 1], 1)),
        full(morton(0x11, &[1, 1], &[32, 32], 1)),
        hilbert(32, 2, &[1 << 32, 1 << 32], u64::MAX),
        paged,
    ]
}

/// Just below: N = 2^63; for pages in elements too wide for 64 bits of bytes, which a pool does not store.
fn countable() -> [Bytes; 5] {
    let half = |b: Bytes| b.shape(&[1 << 32, 1 << 31]).buffers(&[1 << 63]);
    let pages = paged_of(
        Paged { page_size: 1 << 30, num_pages: 0, ..PAGES },
        &[1 << 40, 1 << 13, 1 << 10],
        &[0, 4096, 12],
    );
    [
        half(bytes_of(&[1], 1)),
        half(bytes_of(&[1], 1)).layout_tag(0x02),
        half(tiled(&[1, 1], &[1, 1], 1)),
        half(morton(0x11, &[1, 1], &[32, 31], 1)),
        pages.type_tag(0x51),
    ]
}

/// uint8 COO of rank 1.
fn coo_line(extent: u64, nnz: u64, buffers: [u64; 2]) -> Bytes {
    Bytes::new(0x11, 0x06, &[extent], &buffers).payload(&[nnz, 1].wire())
}

/// Strides of both orders that walk backwards through tiles: `[4]` in tiles of 2, reversed twice.
fn reversed_tiles(offset: u64, size: u64) -> Bytes {
    let payload = tile(&[2], 3, 3, &[-1i64, -1].wire());
    Bytes::new(0x11, 0x04, &[4], &[size]).payload(&payload).offset(offset)
}

/// A tile of `[4]` whose nested tile of 3 does not divide it: the second nested tile ends two elements beyond.
fn undivided(size: u64) -> Bytes {
    Bytes::new(0x11, 0x04, &[4], &[size]).payload(&tile(&[4], 1, 4, &tile(&[3], 1, 1, &[])))
}

rules! {
    l_001_breaks: [coo().layout_tag(0x00), coo().layout_tag(0xFF)]
        => INVALID_LAYOUT, "V-018 L-001", "layout_tag", Layout;
    l_001_keeps_first: [plain(), hilbert(1, 2, &[2, 2], 4)];
    l_001_keeps_last: private().layout_tag(0xFE), Permissive;
    l_002_breaks: [0x0C, 0x3F, 0x41, 0x7F, 0x80, 0xEF].map(|tag| csf().layout_tag(tag))
        => [Strict] INVALID_LAYOUT, "V-019 L-002", "layout_tag", Layout;
    l_002_keeps: [head(3, 0, 0, &[]), hilbert(1, 2, &[2, 2], 4)];
    l_003_breaks: [0xF0, 0xFE].map(|tag| private().layout_tag(tag))
        => [Strict] UNSUPPORTED, "V-020 L-003", "layout_tag", Layout;
    l_003_keeps_for_permissive_readers: private().shard(&[8], &[4]).stats(1), Permissive;
    l_004_breaks_rank_0: [scalar().layout_tag(0x02), scalar().layout_tag(0x03), scalar().layout_tag(0x05)]
        => INVALID_LAYOUT, "V-022 L-004", "", Somewhere;
    l_004_breaks_rank_1: [csr().shape(&[24]), csc().shape(&[24])]
        => INVALID_LAYOUT, "V-044 L-004", "rank", Rank;
    l_004_breaks_rank_4: [csr().shape(&[4, 6, 1, 1]), paged().shape(&[11, 2, 2, 1])]
        => INVALID_LAYOUT, "V-044 V-047 L-004", "rank", Rank;
    l_004_keeps_the_ends: [
        scalar(), bytes_of(&[1; 64], 1), strided(0x11, &[1; 64], &[0; 64], 0, 1), morton(0x11, &[1], &[1], 2),
        csr(), csc(), paged(), csf(), Bytes::new(0x11, 0x06, &[1; 64], &[1, 512]).payload(&[1u64, 1].wire()),
        hilbert(1, 2, &[2, 2], 4), hilbert(1, 63, &[2; 63], 1 << 63), head(3, 0, 0, &[1; 64]),
        head(1, 0, 1, &[]),
    ];
    l_005_breaks_inside_each_payload: inside_payload() => TRUNCATED, "V-008 L-005", "", Somewhere;
    l_005_breaks_private: private().shorter(18) => [Permissive] TRUNCATED, "V-070 L-005", "", Somewhere;
    l_005_keeps: with_payload();
    l_006_breaks_middle: [
        coo().put(Payload(12), 1u8), csr().put(Payload(12), 1u8), csc().put(Payload(12), 1u8),
    ] => INVALID_LAYOUT, "V-041 L-006", "reserved", Payload(12);
    l_006_breaks_csf: csf().put(Payload(24), 0xFFu8)
        => INVALID_LAYOUT, "V-041 L-006", "reserved", Payload(24);
    l_006_breaks_paged: paged().put(Payload(28), 1u8)
        => INVALID_LAYOUT, "V-052 L-006", "reserved", Payload(28);
    l_006_breaks_head: head(2, 1, 2, &[2]).put(Payload(3), 1u8)
        => INVALID_LAYOUT, "V-058 L-006", "reserved", Payload(3);
    l_006_breaks_tiles: nested(8).put(Payload(94), 1u8)
        => INVALID_LAYOUT, "V-034 L-006", "reserved", Payload(94);
    l_006_keeps: with_payload();
    l_007_breaks: [
        strided(0x11, &[2], &[1], 0, 2).buffers(&[2, 2]), tiled(&[2], &[2], 2).buffers(&[2, 0]),
        morton(0x11, &[2], &[1], 2).buffers(&[2, 2]), hilbert(1, 2, &[2, 2], 4).buffers(&[4; 4]),
        coo().buffers(&[2]), csr().buffers(&[99; 2]), csf().buffers(&[99; 255]),
        per_block().buffers(&[6, 8, 8]),
    ] => INVALID_DESCRIPTOR, "V-081 L-007", "buffer_count", Count;
    l_007_breaks_private: private().buffers(&[])
        => [Permissive] INVALID_DESCRIPTOR, "V-080 L-007", "buffer_count", Count;
    l_007_keeps: [
        tiled(&[2], &[2], 2), coo(), csc(), csf(), paged(), per_block(), paged_per_block(),
        paged_per_channel(),
    ];
    l_007_keeps_private: private().buffers(&[16, 1, 2, 3]), Permissive;
    l_008_breaks: [coo(), csr(), csc(), csf(), paged()].map(|b| b.offset(u64::MAX))
        => INVALID_LAYOUT, "V-026 L-008", "byte_offset", Offset;
    l_008_keeps: [coo(), csr(), csc(), csf(), paged(), head(1, 0, 1, &[2])];
    l_009_breaks: [tiled(&[0], &[2], 8), morton(0x11, &[0], &[1], 8), bytes_of(&[0], 8)].map(|b| b.offset(9))
        => INVALID_LAYOUT, "V-025 L-009", "byte_offset", Offset;
    l_009_breaks_private: private().offset(u64::MAX)
        => [Permissive] INVALID_LAYOUT, "V-025 L-009", "byte_offset", Offset;
    l_009_keeps: [tiled(&[0], &[2], 8), morton(0x11, &[0], &[1], 8), bytes_of(&[0], 8)].map(|b| b.offset(8));
    l_010_breaks: countless() => OVERFLOW, "V-024 L-010 V-069", "", Somewhere;
    l_010_keeps: countable();
    l_011_breaks: [
        bytes_of(&[2, 3, 5], 29), Bytes::new(0x51, 0x01, &[3], &[47]), Bytes::new(0x48, 0x01, &[3], &[1]),
        Bytes::new(0x46, 0x02, &[1], &[15]), morton(0x11, &[8, 2], &[3, 1], 23), hilbert(1, 3, &[2; 3], 7),
    ] => BUFFER_MISMATCH, "V-093 L-011", "byte_size", Buffer(0, 0);
    l_011_keeps: [
        bytes_of(&[2, 3, 5], 30), Bytes::new(0x51, 0x01, &[3], &[48]), Bytes::new(0x48, 0x01, &[3], &[2]),
        Bytes::new(0x46, 0x02, &[1], &[16]), morton(0x11, &[8, 2], &[3, 1], 24), hilbert(1, 3, &[2; 3], 8),
        bytes_of(&[DYN], 0),
    ];

    l_018_breaks_reach: [
        strided(0x01, &[2, 4, 3], &[-12, 3, -1], 27, 48), strided(0x01, &[2, 4, 3], &[-12, 3, -1], 28, 47),
    ] => BUFFER_MISMATCH, "V-030 L-018", "", Somewhere;
    l_018_breaks_sum: strided(0x11, &[2, 2], &[i64::MIN, -1], 1 << 63, u64::MAX)
        => OVERFLOW, "V-031 L-018", "strides", Somewhere;
    l_018_keeps: [strided(0x01, &[2, 4, 3], &[-12, 3, -1], 28, 48), strided(0x11, &[3, 4], &[-4, 1], 8, 12)];
    l_019_breaks: nested(3).put(Payload(24), 0u64)
        => INVALID_LAYOUT, "V-032 L-019", "tile_shape", Payload(24);
    l_019_keeps: [nested(3), tiled(&[0], &[1], 0)];
    l_020_breaks_outer: nested(3).put(Payload(32), 4u8)
        => INVALID_LAYOUT, "V-033 L-020", "outer_layout", Payload(32);
    l_020_breaks_inner: nested(3).put(Payload(33), 0u8)
        => INVALID_LAYOUT, "V-033 L-020", "inner_layout", Payload(33);
    l_020_keeps: nested(3).put(Payload(32), 2u8).put(Payload(33), 2u8);
    l_021_breaks: [nested(9), nested(64)] => LIMIT_EXCEEDED, "V-035 L-021", "inner_layout", Somewhere;
    l_021_keeps: nested(8);
    l_022_breaks_volume:
        tiled(&[1], &[1], u64::MAX).payload(&tile(&[(1 << 63) + 1], 1, 4, &tile(&[1 << 63], 1, 1, &[])))
        => OVERFLOW, "V-036 L-022 V-024", "", Somewhere;
    l_022_breaks_behind: [tiled(&[5, 6], &[2, 4], 47), undivided(5), reversed_tiles(3, 3)]
        => BUFFER_MISMATCH, "V-093 L-022 L-011", "", Somewhere;
    l_022_breaks_before: reversed_tiles(2, 9) => BUFFER_MISMATCH, "V-093 L-022 L-011", "", Somewhere;
    l_022_keeps: [tiled(&[5, 6], &[2, 4], 48), reversed_tiles(3, 4), undivided(6)];
    l_024_breaks_zero: morton(0x11, &[2, 2], &[1, 0], 4)
        => INVALID_LAYOUT, "V-037 L-024", "morton_bits", Payload(4);
    l_024_breaks_extent: morton(0x11, &[2, 3], &[1, 1], 4)
        => INVALID_LAYOUT, "V-038 L-024", "shape", Shape(1);
    // Two bits in the second of 63 dimensions: its upper one would be bit 64.
    l_024_breaks_code:
        morton(0x20, &[1; 63], &std::array::from_fn::<u32, 63, _>(|k| 1 + u32::from(k == 1)), u64::MAX)
        => OVERFLOW, "V-039 L-024", "morton_bits", Somewhere;
    // In the first of 63 dimensions it is bit 63, behind bits 0 to 62.
    l_024_keeps: [
        morton(0x11, &[2, 2], &[1, 1], 4),
        morton(0x20, &[1; 63], &std::array::from_fn::<u32, 63, _>(|k| 1 + u32::from(k == 0)), 1 << 61),
        morton(0x20, &[1; 64], &[1; 64], 1 << 61),
    ];
    l_025_breaks: [hilbert(1, 2, &[2, 1], 4), hilbert(1, 2, &[4, 2], 8)]
        => INVALID_LAYOUT, "V-068 L-025", "shape", Somewhere;
    l_025_breaks_fields: [hilbert(0, 3, &[1; 3], 1), hilbert(1, 2, &[2; 3], 8), hilbert(1, 1, &[2], 2)]
        => INVALID_LAYOUT, "V-065 V-066 V-067 L-025", "hilbert", Somewhere;
    l_025_breaks_64_bits: hilbert(1, 64, &[2; 64], u64::MAX) => OVERFLOW, "V-069 L-025 V-024", "", Somewhere;
    l_025_keeps: [
        hilbert(1, 63, &[2; 63], 1 << 63), hilbert(3, 2, &[8, 8], 64), hilbert(31, 2, &[DYN, 1 << 31], 0),
    ];
    l_026_breaks: coo_line(2, 1, [1, 8]).put(Payload(8), 0x80u8)
        => INVALID_LAYOUT, "V-040 L-026", "is_sorted", Payload(8);
    l_026_keeps: [coo_line(2, 1, [1, 8]), coo_line(2, 1, [1, 8]).put(Payload(8), 0u8)];
    l_027_breaks: [
        csf().put(Payload(8), [1u32, 1, 2]), csf().put(Payload(8), [1u32, 2, 3]),
        csf().put(Payload(8), [4u32, 1, 2]),
    ] => INVALID_LAYOUT, "V-046 L-027", "mode_order", Somewhere;
    l_027_keeps: csf().put(Payload(8), [1u32, 0, 2]);
    l_028_breaks_nnz: coo_line(3, 4, [4, 32]) => INVALID_LAYOUT, "V-042 L-028", "nnz", Payload(0);
    l_028_breaks_sizes: [coo_line(DYN - 1, 1 << 61, [1 << 61, u64::MAX]), csr().shape(&[DYN - 1, 2])]
        => OVERFLOW, "V-071 L-028", "", Somewhere;
    l_028_keeps: [
        coo_line(3, 3, [3, 24]), coo_line(DYN - 1, (1 << 61) - 1, [1 << 61, u64::MAX - 7]),
        coo_line(DYN, 4, [4, 32]),
    ];
    l_029_breaks_values: [
        coo_line(3, 3, [2, 24]), coo().buffers(&[1, 72]), csr().buffers(&[31, 64, 40]),
        csf().buffers(&[8, 16, 0, 8, 0, 8, 72]),
    ] => BUFFER_MISMATCH, "V-093 L-029", "byte_size", Buffer(0, 0);
    l_029_breaks_indices: [
        coo_line(3, 3, [3, 23]), csc().buffers(&[32, 63, 56]), csf().buffers(&[9, 15, 0, 8, 0, 8, 72]),
    ] => BUFFER_MISMATCH, "V-093 L-029", "byte_size", Buffer(1, 0);
    l_029_breaks_last_crd: csf().buffers(&[9, 16, 0, 8, 0, 8, 71])
        => BUFFER_MISMATCH, "V-093 L-029", "byte_size", Buffer(6, 0);
    l_029_keeps: [coo_line(3, 3, [3, 24]), coo(), csr(), csc(), csf().buffers(&[9, 16, 0, 8, 0, 8, 72])];
    l_036_breaks: [csf().shard(&[9, 9, 9], &[1, 1, 1]), paged().shard(&[99, 2, 2], &[0, 0, 0])]
        => INVALID_LAYOUT, "V-053 V-054 L-036", "", Somewhere;
    l_036_keeps: [csf(), paged(), coo().shard(&[9, 9, 9], &[1, 1, 1])];
    l_037_breaks_page: paged().put(Payload(0), 0u32)
        => INVALID_LAYOUT, "V-048 L-037", "page_size", Payload(0);
    l_037_breaks_axis: paged().put(Payload(12), 2u32)
        => INVALID_LAYOUT, "V-049 L-037", "paged_axis", Payload(12);
    l_037_breaks_role: paged().put(Payload(20), 255u8)
        => INVALID_LAYOUT, "V-050 L-037", "kv_role", Payload(20);
    l_037_breaks_type: paged().put(Payload(25), 255u8)
        => INVALID_LAYOUT, "V-051 L-037", "block_table_index_type", Payload(25);
    l_037_keeps: [
        paged(), paged_of(Paged { num_seqs: 0, role: 2, index_type: 1, ..PAGES }, &[6, 2, 2], &[60, 16, 8]),
    ];
    l_038_breaks_pool: paged().buffers(&[59, 20, 12])
        => BUFFER_MISMATCH, "V-093 L-038", "byte_size", Buffer(0, 0);
    l_038_breaks_sequences: [
        paged().buffers(&[60, 20, 11]), paged_of(Paged { index_type: 1, ..PAGES }, &[6, 2, 2], &[60, 40, 23]),
    ] => BUFFER_MISMATCH, "V-093 L-038", "byte_size", Buffer(2, 0);
    l_038_breaks_product: paged_of(Paged { num_pages: u64::MAX, ..PAGES }, &[3, 2, 2], &[u64::MAX, 20, 12])
        => OVERFLOW, "V-072 L-038", "", Somewhere;
    l_038_keeps: [paged(), paged_of(Paged { num_seqs: u32::MAX, ..PAGES }, &[3, 2, 2], &[60, 20, 1 << 34])];
    l_040_breaks: [paged().buffers(&[60, 15, 12]), paged().shape(&[u64::MAX - 1, 0, 0])]
        => INVALID_LAYOUT, "V-073 L-040", "shape", Shape(0);
    l_040_keeps: paged().buffers(&[60, 16, 12]);
    l_042_breaks_device: coo().everywhere([1, 0, 0]).put(Buffer(1, 12), 2u8)
        => BUFFER_MISMATCH, "V-091 L-042", "device_tag", Buffer(1, 12);
    l_042_breaks_class: csf().put(Buffer(6, 14), 1u8)
        => BUFFER_MISMATCH, "V-092 L-042", "memory_class", Buffer(6, 14);
    l_042_keeps: [coo().everywhere([1, 2, 3]), csf().everywhere([0xF0, 1, 0xF1])];
    l_043_breaks: coo().shard(&[9, 9, 4], &[0, 0, 1]) => INVALID_DESCRIPTOR, "V-120 L-043", "", Somewhere;
    l_043_breaks_overflow: coo().shard(&[9, 9, 4], &[0, 0, DYN]) => OVERFLOW, "V-121 L-043", "", Somewhere;
    l_043_breaks_dynamic: coo().shard(&[9, 9, DYN], &[0, 0, 0])
        => INVALID_DESCRIPTOR, "V-122 L-043", "parent_shape", Shard(16);
    l_043_keeps: coo().shard(&[9, 9, 5], &[0, 7, 1]);

    l_050_breaks: [head(3, 0, 0, &[]).buffers(&[0]), head(2, 1, 1, &[2]).buffers(&[8, 8])]
        => INVALID_DESCRIPTOR, "V-060 L-050", "buffer_count", Count;
    l_050_keeps: head(3, 0, 0, &[]);
    l_051_breaks: [head(3, 0, 0, &[]).offset(1), head(2, 1, 1, &[2]).offset(u64::MAX)]
        => INVALID_DESCRIPTOR, "V-026 L-051", "byte_offset", Offset;
    l_051_keeps: head(3, 0, 0, &[]);
    l_052_breaks_member: head(3, 0, 0, &[]).member(1) => INVALID_DESCRIPTOR, "V-062 L-052", "", Somewhere;
    l_052_breaks_quantization: head(3, 0, 0, &[]).quant(&hex("06 01 0000"))
        => INVALID_DESCRIPTOR, "V-061 L-052", "", Somewhere;
    l_052_keeps: head(3, 0, 0, &[]).stats(0x3F);
    l_053_breaks: [0u8, 4, 0xEF, 0xFF].map(|rule| head(rule, 0, 0, &[]))
        => INVALID_LAYOUT, "V-056 L-053", "composition_rule", Payload(0);
    l_053_breaks_private: [0xF0, 0xFE].map(|rule| head(rule, 0, 0, &[]))
        => UNSUPPORTED, "L-053", "composition_rule", Payload(0);
    l_053_keeps: [head(1, 0, 0, &[0]), head(3, 0, 0, &[])];
    l_054_breaks: [head(1, 2, 0, &[0]), head(2, 255, 1, &[2]), head(3, 1, 0, &[])]
        => INVALID_LAYOUT, "V-057 L-054", "combine_op", Payload(1);
    l_054_keeps: [head(1, 0, 0, &[0]), head(2, 2, 1, &[2])];
    l_055_breaks_count: [head(1, 0, u32::MAX, &[2]), head(2, 1, u32::MAX, &[2])]
        => UNSUPPORTED, "V-059 L-055", "member_count", Payload(4);
    l_055_breaks_overlay: head(2, 2, 0, &[2, 2]) => INVALID_LAYOUT, "V-063 L-055", "member_count", Payload(4);
    l_055_keeps: [head(1, 0, u32::MAX - 1, &[2]), head(2, 2, 1, &[2, 2])];
    l_056_breaks: [head(1, 0, 1, &[DYN]), head(2, 2, 1, &[DYN, 0])]
        => INVALID_LAYOUT, "V-064 L-056", "shape", Shape(0);
    l_056_keeps: [head(1, 0, 1, &[0]), head(3, 0, 1, &[DYN])];
}

#[test]
fn l_012_breaks_each_short_buffer() {
    let sizes = [32, 64, 40];
    for index in 0..3 {
        let mut bound = sizes.map(memory);
        bound[index].size -= 1;
        let said = tensor(&csr().input(), &bound).unwrap_err();
        assert_eq!((said.status, said.rule()), (BUFFER_MISMATCH, "L-012"));
        assert!(said.text.contains(&format!("[{index}]")), "{said:?}");
    }
}

#[test]
fn l_012_keeps_the_declared_size_and_more() {
    tensor(&csr().input(), &[32, 64, 40].map(memory)).unwrap();
    tensor(&csr().input(), &[33, 640, 41].map(memory)).unwrap();
    tensor(&bytes_of(&[0], 0).input(), &[memory(0)]).unwrap();
}
