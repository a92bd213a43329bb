//! V-100 to V-117: the quantization section.

use crate::support::bytes::At::*;
use crate::support::bytes::{Bytes, hex};
use crate::support::check::rules;
use crate::support::samples::*;

/// One descriptor of each scheme.
fn schemes() -> [Bytes; 5] {
    [per_tensor(), per_channel(), per_block(), nf4(), mxfp()]
}

/// Per-tensor of a storage type, four elements in eight bytes or fewer.
fn stored(type_tag: u8, zero_point: i32) -> Bytes {
    per_tensor().type_tag(type_tag).buffers(&[16]).put(Quant(8), zero_point)
}

/// A scheme on other storage types; data of 64 bytes holds any of them.
fn each_type(of: &Bytes, sizes: &[u64], tags: impl IntoIterator<Item = u8>) -> Vec<Bytes> {
    let sizes = [&[512], &sizes[1..]].concat();
    tags.into_iter().map(|tag| of.clone().buffers(&sizes).type_tag(tag)).collect()
}

const ALL: [u8; 26] = [
    0x01, 0x02, 0x03, 0x04, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x20, 0x40, 0x41, 0x42, 0x43,
    0x44, 0x45, 0x46, 0x48, 0x49, 0x4A, 0x4B, 0x50, 0x51,
];
const AFFINE: [u8; 10] = [0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x48, 0x49, 0x4A, 0x4B];
const NARROW: [u8; 6] = [0x10, 0x11, 0x48, 0x49, 0x4A, 0x4B];
const FLOATS: [u8; 7] = [0x40, 0x41, 0x43, 0x44, 0x45, 0x10, 0x48];

/// The types a scheme stores, or those it does not.
fn storage(which: usize, wanted: bool) -> Vec<Bytes> {
    let (sizes, types): (&[u64], &[u8]) = match which {
        0 => (&[4], &AFFINE),
        1 => (&[6, 12, 12], &AFFINE),
        2 => (&[6, 8], &NARROW),
        3 => (&[8, 8], &[0x49]),
        _ => (&[16, 2], &FLOATS),
    };
    let tags = ALL.into_iter().filter(|tag| types.contains(tag) == wanted);
    let scheme = schemes()[which].clone();
    // A zero point of 0 lies in every range.
    let scheme = if which == 0 { scheme.put(Quant(8), 0i32) } else { scheme };
    each_type(&scheme, sizes, tags)
}

fn all_storage(wanted: bool) -> Vec<Bytes> {
    (0..5).flat_map(|which| storage(which, wanted)).collect()
}

/// uint4 in blocks of this size on an axis of this extent, with scales for that many blocks.
fn nf4_of(extent: u64, block: u32, blocks: u64) -> Bytes {
    nf4().shape(&[extent]).buffers(&[extent.div_ceil(2), 4 * blocks]).put(Quant(8), block)
}

fn mxfp_of(extent: u64, block: u32, blocks: u64) -> Bytes {
    mxfp().shape(&[1, extent]).buffers(&[extent.div_ceil(2), blocks]).put(Quant(8), block)
}

/// int4 `[2, extent]`, symmetric float16 scales.
fn per_block_of(extent: u64, block: u32, blocks: u64) -> Bytes {
    per_block().shape(&[2, extent]).buffers(&[extent, 4 * blocks]).put(Quant(8), block)
}

/// A private layout of uint8 `[4]` with two more buffers that could hold its 4 scales.
fn private_per_channel(scales: u32) -> Bytes {
    let payload = hex("02 01 01 00 00 00 00 00 00 00 00 00 FF FF FF FF 03 00 00 00");
    private().buffers(&[16, 16, 16]).quant(&payload).put(Quant(8), scales)
}

/// COO of int8 whose two parameter arrays follow its two buffers.
fn coo_per_channel(scales: u32, zero_points: u32) -> Bytes {
    let payload = hex("02 01 00 00 01 00 00 00 00 00 00 00 00 00 00 00 03 00 00 00");
    let quantized = coo().type_tag(0x10).buffers(&[3, 72, 8, 8]).quant(&payload);
    quantized.put(Quant(8), scales).put(Quant(12), zero_points)
}

rules! {
    v_100_breaks: schemes().map(|b| b.put(QuantLength, 25u32)) => TRUNCATED, "V-100", "", Somewhere;
    v_100_breaks_highest: per_tensor().put(QuantLength, u32::MAX) => TRUNCATED, "V-100", "", Somewhere;
    v_100_keeps_to_the_byte: schemes();

    v_101_breaks: [0x00u8, 0xFF].map(|tag| per_tensor().put(Quant(0), tag))
        => INVALID_DESCRIPTOR, "V-101", "scheme_tag", Quant(0);
    v_101_keeps_1_to_5: schemes();
    v_102_breaks: (0x06..=0xFE).map(|tag: u8| per_tensor().put(Quant(0), tag)).collect::<Vec<_>>()
        => [Strict] UNSUPPORTED, "V-102", "scheme_tag", Quant(0);
    v_102_keeps_for_permissive_readers: [
        per_tensor().buffers(&[4, 9, 9]).quant(&hex("06 00 FFFF")),
        per_tensor().quant(&hex("F0 02 0080 6F7061717565")),
    ], Permissive;
    v_102_keeps_the_neighbour: mxfp();
    v_103_breaks_later: schemes().map(|b| b.put(Quant(1), 2u8))
        => VERSION_MISMATCH, "V-103", "scheme_version", Quant(1);
    v_103_breaks_0: schemes().map(|b| b.put(Quant(1), 0u8))
        => INVALID_DESCRIPTOR, "V-103", "scheme_version", Quant(1);
    v_103_keeps_1: schemes();
    v_104_breaks_bit_1: schemes().map(|b| b.put(Quant(2), 2u16))
        => INVALID_DESCRIPTOR, "V-104", "flags", Quant(2);
    v_104_breaks_bit_15: schemes().map(|b| b.put(Quant(2), 0x8000u16))
        => INVALID_DESCRIPTOR, "V-104", "flags", Quant(2);
    v_104_breaks_symmetric_elsewhere: [per_tensor(), nf4(), mxfp()].map(|b| b.put(Quant(2), 1u16))
        => INVALID_DESCRIPTOR, "V-104", "flags", Quant(2);
    v_104_keeps_symmetric: per_block();
    v_105_breaks_head: (0..4).map(|len| per_tensor().quant(&hex("01010000")[..len])).collect::<Vec<_>>()
        => TRUNCATED, "V-105", "", Somewhere;
    v_105_breaks_by_one: [
        per_tensor().quant(&hex("01 01 00 00 00 00 80 3E FD FF FF FF 00 00 00")),
        per_channel().quant(&hex("02 01 00 00 01 00 00 00 01 00 00 00 02 00 00 00 03 00 00")),
        per_block().quant(&hex("03 01 01 00 01 00 00 00 04 00 00 00 01 00 00 00 FF FF FF FF 01 00 00")),
        nf4().quant(&hex("04 01 00 00 00 00 00 00 08 00 00 00 01 00 00")),
        mxfp().quant(&hex("05 01 00 00 01 00 00 00 10 00 00 00 01 00 00")),
    ] => TRUNCATED, "V-105", "", Somewhere;
    v_105_keeps_exactly: schemes();
    v_105_keeps_padding: [
        per_tensor().quant(&hex("01 01 00 00 00 00 80 3E FD FF FF FF 00 00 00 00 AA")),
        nf4().quant(&hex("04 01 00 00 00 00 00 00 08 00 00 00 01 00 00 00 00 00 00 00 00")),
    ];
    v_106_breaks_per_tensor: per_tensor().put(Quant(12), 1u8)
        => INVALID_DESCRIPTOR, "V-106", "reserved", Quant(12);
    v_106_breaks_per_tensor_last: per_tensor().put(Quant(15), 1u8)
        => INVALID_DESCRIPTOR, "V-106", "reserved", Quant(15);
    v_106_breaks_per_channel: per_channel().put(Quant(17), 1u8)
        => INVALID_DESCRIPTOR, "V-106", "reserved", Quant(17);
    v_106_breaks_per_block: per_block().put(Quant(23), 1u8)
        => INVALID_DESCRIPTOR, "V-106", "reserved", Quant(23);
    v_106_keeps_zero: schemes();
    v_107_breaks: [
        0.0f32, -0.0, f32::NAN, -f32::NAN, f32::INFINITY, f32::NEG_INFINITY,
    ].map(|scale| per_tensor().put(Quant(4), scale)) => INVALID_DESCRIPTOR, "V-107", "scale", Quant(4);
    v_107_keeps: [
        f32::MIN_POSITIVE, f32::from_bits(1), -1.0, f32::MAX, f32::MIN,
    ].map(|scale| per_tensor().put(Quant(4), scale));
    v_108_breaks: [
        stored(0x10, -129), stored(0x10, 128), stored(0x11, -1), stored(0x11, 256), stored(0x12, -32769),
        stored(0x12, 32768), stored(0x13, -1), stored(0x13, 65536), stored(0x15, -1), stored(0x48, -9),
        stored(0x48, 8), stored(0x49, -1), stored(0x49, 16), stored(0x4A, -3), stored(0x4A, 2),
        stored(0x4B, -1), stored(0x4B, 4),
    ] => INVALID_DESCRIPTOR, "V-108", "zero_point", Quant(8);
    v_108_keeps: [
        stored(0x10, -128), stored(0x10, 127), stored(0x11, 0), stored(0x11, 255), stored(0x12, -32768),
        stored(0x12, 32767), stored(0x13, 0), stored(0x13, 65535), stored(0x14, i32::MIN),
        stored(0x14, i32::MAX), stored(0x15, 0), stored(0x15, i32::MAX), stored(0x48, -8), stored(0x48, 7),
        stored(0x49, 0), stored(0x49, 15), stored(0x4A, -2), stored(0x4A, 1), stored(0x4B, 0),
        stored(0x4B, 3),
    ];
    v_109_breaks_every_other_type: all_storage(false) => INVALID_TYPE, "V-109", "type_tag", Type;
    v_109_keeps_every_type: all_storage(true);
    v_110_breaks: [per_channel(), per_block(), mxfp()].map(|b| b.put(Quant(4), 2u32))
        => INVALID_DESCRIPTOR, "V-110", "axis", Quant(4);
    v_110_breaks_rank_0: nf4().shape(&[]) => INVALID_DESCRIPTOR, "V-110", "axis", Quant(4);
    v_110_breaks_highest: nf4().put(Quant(4), u32::MAX) => INVALID_DESCRIPTOR, "V-110", "axis", Quant(4);
    v_110_keeps_the_last: [per_channel(), per_block(), nf4(), mxfp()];
    v_111_breaks: [
        per_channel().shape(&[2, DYN]), per_block().shape(&[2, DYN]), nf4().shape(&[DYN]),
        mxfp().shape(&[1, DYN]),
    ] => INVALID_DESCRIPTOR, "V-111", "", Somewhere;
    v_111_keeps_other_dimensions: [
        per_channel().shape(&[DYN, 3]), per_block().shape(&[DYN, 6]), mxfp().shape(&[DYN, 32]),
        per_tensor().shape(&[DYN]),
    ];
    v_112_breaks: [
        per_block_of(6, 0, 2), per_block_of(6, 1, 12), per_block_of(6, 3, 4), per_block_of(6, 6, 2),
    ] => INVALID_DESCRIPTOR, "V-112", "block_size", Quant(8);
    v_112_breaks_nf4: [nf4_of(64, 4, 16), nf4_of(64, 12, 6)]
        => INVALID_DESCRIPTOR, "V-112", "block_size", Quant(8);
    v_112_breaks_mxfp: [mxfp_of(4096, 8, 512), mxfp_of(4096, 4096, 1), mxfp_of(48, 24, 2)]
        => INVALID_DESCRIPTOR, "V-112", "block_size", Quant(8);
    v_112_breaks_when_empty: [nf4_of(0, 4, 0), nf4_of(0, 9, 0)]
        => INVALID_DESCRIPTOR, "V-112", "block_size", Quant(8);
    v_112_keeps: [
        per_block_of(6, 2, 3), per_block_of(1 << 31, 1 << 31, 1), nf4_of(64, 8, 8), nf4_of(64, 64, 1),
        mxfp_of(4096, 16, 256), mxfp_of(4096, 2048, 2),
    ];
    v_113_breaks_beyond: [per_block_of(6, 8, 1), nf4_of(7, 8, 1)]
        => INVALID_DESCRIPTOR, "V-113", "block_size", Quant(8);
    v_113_breaks_mxfp: [mxfp_of(33, 16, 3), mxfp_of(31, 16, 2), mxfp_of(16, 32, 1), mxfp_of(0, 16, 0)]
        => INVALID_DESCRIPTOR, "V-113", "block_size", Quant(8);
    v_113_keeps: [
        per_block_of(8, 8, 1), per_block_of(9, 8, 2), nf4_of(8, 8, 1), nf4_of(15, 8, 2), nf4_of(0, 8, 0),
        mxfp_of(32, 32, 1), mxfp_of(48, 16, 3),
    ];
    v_113_keeps_a_short_page: paged_per_block().shape(&[3, 2, 2]);
    v_114_breaks_per_channel: [0u8, 1, 2, 4, 0x42].map(|tag| per_channel().put(Quant(16), tag))
        => INVALID_DESCRIPTOR, "V-114", "scale_type", Quant(16);
    v_114_breaks_per_block: [0u8, 4, 0x10, 0x42].map(|tag| per_block().put(Quant(20), tag))
        => INVALID_DESCRIPTOR, "V-114", "scale_type", Quant(20);
    v_114_keeps: [
        per_channel(), per_block(), per_block().put(Quant(20), 2u8),
        per_block().put(Quant(20), 3u8).buffers(&[6, 16]),
    ];
    v_115_breaks_symmetric_with_buffer: [
        per_channel().put(Quant(2), 1u16), per_block_asymmetric().put(Quant(2), 1u16),
    ] => INVALID_DESCRIPTOR, "V-115", "", Somewhere;
    v_115_breaks_asymmetric_without: [
        per_channel().put(Quant(12), u32::MAX).buffers(&[6, 12]), per_block().put(Quant(2), 0u16),
    ] => INVALID_DESCRIPTOR, "V-115", "", Somewhere;
    v_115_keeps: [
        per_channel(), per_channel().put(Quant(2), 1u16).put(Quant(12), u32::MAX).buffers(&[6, 12]),
        per_block(), per_block_asymmetric(),
    ];
    v_116_breaks_below_base: [per_channel().put(Quant(8), 0u32)]
        => INVALID_DESCRIPTOR, "V-116", "scale_buffer", Quant(8);
    v_116_breaks_zero_points_below_base: [per_channel().put(Quant(12), 0u32)]
        => INVALID_DESCRIPTOR, "V-116", "zero_point_buffer", Quant(12);
    v_116_breaks_beyond: [nf4(), mxfp(), per_block()].map(|b| b.put(Quant(12), 2u32))
        => INVALID_DESCRIPTOR, "V-116", "scale_buffer", Quant(12);
    v_116_breaks_sentinel: [nf4(), mxfp(), per_block()].map(|b| b.put(Quant(12), u32::MAX))
        => INVALID_DESCRIPTOR, "V-116", "scale_buffer", Quant(12);
    v_116_breaks_zero_points_beyond: per_channel().put(Quant(12), 3u32)
        => INVALID_DESCRIPTOR, "V-116", "zero_point_buffer", Quant(12);
    v_116_breaks_coordinates_of_coo: coo_per_channel(1, 3)
        => INVALID_DESCRIPTOR, "V-116", "scale_buffer", Quant(8);
    v_116_breaks_zero_points_of_blocks: per_block_asymmetric().put(Quant(16), 3u32)
        => INVALID_DESCRIPTOR, "V-116", "zero_point_buffer", Quant(16);
    v_116_breaks_data_of_a_private_layout: private_per_channel(0)
        => [Permissive] INVALID_DESCRIPTOR, "V-116", "scale_buffer", Quant(8);
    v_116_keeps_any_other_of_a_private_layout: [private_per_channel(1), private_per_channel(2)], Permissive;
    v_116_keeps: [
        coo_per_channel(2, 3), coo_per_channel(3, 2), per_channel().put(Quant(8), 2u32).put(Quant(12), 1u32),
    ];
    v_117_breaks_smaller: [
        per_channel().buffers(&[6, 11, 12]), per_block().buffers(&[6, 7]), nf4().buffers(&[8, 7]),
        mxfp().buffers(&[16, 1]),
    ] => BUFFER_MISMATCH, "V-117", "byte_size", Buffer(1, 0);
    v_117_breaks_larger: [
        per_channel().buffers(&[6, 13, 12]), per_block().buffers(&[6, 9]), nf4().buffers(&[8, 9]),
        mxfp().buffers(&[16, 3]),
    ] => BUFFER_MISMATCH, "V-117", "byte_size", Buffer(1, 0);
    v_117_breaks_zero_points: [
        per_channel().buffers(&[6, 12, 11]), per_block_asymmetric().buffers(&[6, 8, 17]),
    ] => BUFFER_MISMATCH, "V-117", "byte_size", Buffer(2, 0);
    v_117_breaks_shared: per_block_asymmetric().put(Quant(16), 1u32).buffers(&[6, 23])
        => BUFFER_MISMATCH, "V-117", "byte_size", Buffer(1, 0);
    v_117_breaks_paged: paged_per_block().buffers(&[64, 12, 8, 65])
        => BUFFER_MISMATCH, "V-117", "byte_size", Buffer(3, 0);
    v_117_breaks_overflow: per_block_of(1 << 62, 2, 0).put(Quant(20), 3u8).buffers(&[1 << 62, u64::MAX])
        => OVERFLOW, "V-117 Q-028", "", Somewhere;
    v_117_keeps_exactly: [
        per_channel(), per_block(), per_block_asymmetric(), nf4(), mxfp(), paged_per_block(),
        paged_per_channel(), per_block_asymmetric().put(Quant(16), 1u32).buffers(&[6, 24]),
        per_channel().shape(&[2, 0]).buffers(&[0, 0, 0]),
    ];
}
