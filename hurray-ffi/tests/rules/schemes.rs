//! as far as a descriptor and its bound buffers decide. The same checks as rules of descriptor.md, on
//! other inputs.

use crate::support::bytes::At::*;
use crate::support::bytes::{Bytes, hex};
use crate::support::call::{memory, tensor};
use crate::support::check::rules;
use crate::support::samples::*;
use crate::support::status::BUFFER_MISMATCH;

/// int8 CSR of `[4,6]` per block of 4 columns: 2 blocks a row, 8 float32 scales behind the three buffers.
fn csr_per_block() -> Bytes {
    let payload = hex("03 01 01 00 01 00 00 00 04 00 00 00 03 00 00 00 FF FF FF FF 03 00 00 00");
    csr().type_tag(0x10).buffers(&[8, 64, 40, 32]).quant(&payload)
}

/// uint4 CSF of `[3,4,8]` in blocks of 8 along the last dimension: 12 float32 scales behind the seven buffers.
fn csf_nf4() -> Bytes {
    let sizes = [5, 16, 40, 48, 56, 64, 72, 48];
    let payload = hex("04 01 00 00 02 00 00 00 08 00 00 00 07 00 00 00");
    csf().shape(&[3, 4, 8]).type_tag(0x49).buffers(&sizes).quant(&payload)
}

/// One of each scheme with parameter buffers, none of them row-major's first and only.
fn others() -> [Bytes; 4] {
    [csr_per_block(), csf_nf4(), paged_per_block(), paged_per_channel()]
}

/// Opaque payload behind a scheme tag, with as many buffers as anybody likes.
fn unknown(tag: u8) -> Bytes {
    plain().buffers(&[24, 1, 2, 3]).quant(&[tag, 9, 0xFF, 0xFF, 1, 2, 3])
}

fn scale(scale: f32) -> Bytes {
    per_tensor().put(Quant(4), scale)
}

rules! {
    q_001_breaks_envelope: [plain().quant(&[]), plain().quant(&[1, 1, 0])]
        => TRUNCATED, "V-105 Q-001", "", Somewhere;
    q_001_breaks_fixed_size: [
        csr_per_block().quant(&hex("03 01 01 00")),
        paged_per_channel().quant(&hex("02 01 00 00 01 00 00 00")),
    ] => TRUNCATED, "V-105 Q-001", "", Somewhere;
    q_001_keeps: others();
    q_002_breaks: [unknown(0x00), unknown(0xFF)] => INVALID_DESCRIPTOR, "V-101 Q-002", "scheme_tag", Quant(0);
    q_002_keeps_the_neighbour: per_tensor();
    q_003_breaks: [0x60, 0x7F, 0x80, 0xEF].map(unknown)
        => [Strict] UNSUPPORTED, "V-102 Q-003", "scheme_tag", Quant(0);
    q_003_keeps_for_permissive_readers: unknown(0x60), Permissive;
    q_004_breaks: [0x06, 0x3F, 0x40, 0x5F].map(unknown)
        => [Strict] UNSUPPORTED, "V-102 Q-004", "scheme_tag", Quant(0);
    q_004_keeps_the_neighbour: mxfp();
    q_005_breaks: [0xF0, 0xF8, 0xFE].map(unknown)
        => [Strict] UNSUPPORTED, "V-102 Q-005", "scheme_tag", Quant(0);
    q_005_keeps_for_permissive_readers: unknown(0xFE), Permissive;
    q_006_breaks: others().map(|b| b.put(Quant(1), 255u8))
        => VERSION_MISMATCH, "V-103 Q-006", "scheme_version", Quant(1);
    q_006_keeps: others();
    q_007_breaks: others().map(|b| b.put(Quant(1), 0u8))
        => INVALID_DESCRIPTOR, "V-103 Q-007", "scheme_version", Quant(1);
    q_007_keeps: others();
    q_008_breaks: others().map(|b| b.put(Quant(3), 0x40u8))
        => INVALID_DESCRIPTOR, "V-104 Q-008", "flags", Somewhere;
    q_008_keeps_bit_0: [csr_per_block(), paged_per_block()];
    q_009_breaks: [csr_per_block(), paged_per_block()].map(|b| b.put(Quant(21), 1u8))
        => INVALID_DESCRIPTOR, "V-106 Q-009", "reserved", Quant(21);
    q_009_breaks_last: paged_per_channel().put(Quant(19), 1u8)
        => INVALID_DESCRIPTOR, "V-106 Q-009", "reserved", Quant(19);
    q_009_keeps: others();
    q_010_breaks: [
        csr_per_block().type_tag(0x40), csf_nf4().type_tag(0x48), mxfp().type_tag(0x4B),
        per_channel().buffers(&[48, 12, 12]).type_tag(0x17), per_tensor().buffers(&[8]).type_tag(0x01),
    ] => INVALID_TYPE, "V-109 Q-010", "type_tag", Type;
    q_010_keeps: [
        csr_per_block().type_tag(0x11), csf_nf4(), mxfp().type_tag(0x48),
        per_channel().buffers(&[24, 12, 12]).type_tag(0x15),
    ];
    q_011_breaks: [scale(0.0), scale(-0.0), scale(f32::NAN), scale(f32::INFINITY)]
        => INVALID_DESCRIPTOR, "V-107 Q-011", "scale", Quant(4);
    q_011_keeps: [scale(f32::from_bits(1)), scale(-f32::from_bits(1)), scale(f32::MAX), scale(-0.25)];
    q_012_breaks: [
        per_tensor().put(Quant(8), 128i32), per_tensor().put(Quant(8), i32::MIN),
        paged().quant( &hex("01 01 00 00 00 00 80 3E 00 01 00 00 00 00 00 00")),
    ] => INVALID_DESCRIPTOR, "V-108 Q-012", "zero_point", Quant(8);
    q_012_keeps: [
        per_tensor().put(Quant(8), -128i32),
        paged().quant(&hex("01 01 00 00 00 00 80 3E FF 00 00 00 00 00 00 00")),
    ];
    q_013_breaks: [csf_nf4(), paged_per_channel()].map(|b| b.put(Quant(4), 3u32))
        => INVALID_DESCRIPTOR, "V-110 Q-013", "axis", Quant(4);
    q_013_keeps: [csf_nf4(), paged_per_channel().put(Quant(4), 2u32)];
    q_014_breaks: [
        csr_per_block().shape(&[4, DYN]), csf_nf4().shape(&[3, 4, DYN]),
        paged_per_channel().shape(&[11, DYN, 2]),
    ] => INVALID_DESCRIPTOR, "V-111 Q-014", "", Somewhere;
    q_014_keeps: [
        csr_per_block().shape(&[DYN, 6]), csf_nf4().shape(&[DYN, 4, 8]),
        paged_per_channel().shape(&[DYN, 2, 2]),
    ];
    q_015_breaks: [
        csr_per_block().put(Quant(8), 1u32), csr_per_block().put(Quant(8), 5u32),
        csf_nf4().put(Quant(8), 4u32), mxfp().put(Quant(8), 8u32), mxfp().put(Quant(8), 4096u32),
        mxfp().put(Quant(8), 0u32),
    ] => INVALID_DESCRIPTOR, "V-112 Q-015", "block_size", Quant(8);
    q_015_keeps: [
        csr_per_block().put(Quant(8), 2u32).buffers(&[8, 64, 40, 48]), csf_nf4(), mxfp(),
        mxfp().shape(&[1, 2048]).put(Quant(8), 2048u32).buffers(&[1024, 1]),
    ];
    q_016_breaks: [csr_per_block().put(Quant(8), 8u32), csf_nf4().put(Quant(8), 16u32)]
        => INVALID_DESCRIPTOR, "V-113 Q-016", "block_size", Quant(8);
    q_016_keeps: [
        csf_nf4(), csr_per_block(), paged_per_block().shape(&[1, 2, 2]),
        per_block().shape(&[2, 0]).buffers(&[0, 0]), nf4().shape(&[0]).buffers(&[0, 0]),
    ];
    q_017_breaks: [mxfp().shape(&[1, 0]).buffers(&[0, 0]), mxfp().shape(&[1, 40]).buffers(&[20, 3])]
        => INVALID_DESCRIPTOR, "V-113 Q-017", "block_size", Quant(8);
    q_017_keeps: [mxfp(), mxfp().shape(&[1, 16]).buffers(&[8, 1]), mxfp().shape(&[0, 32]).buffers(&[0, 0])];
    q_018_breaks: [csr_per_block(), paged_per_block()].map(|b| b.put(Quant(20), 4u8))
        => INVALID_DESCRIPTOR, "V-114 Q-018", "scale_type", Quant(20);
    q_018_breaks_per_channel: paged_per_channel().put(Quant(16), 1u8)
        => INVALID_DESCRIPTOR, "V-114 Q-018", "scale_type", Quant(16);
    q_018_keeps: [csr_per_block().put(Quant(20), 1u8).buffers(&[8, 64, 40, 16]), paged_per_channel()];
    q_019_breaks: [per_block_asymmetric().put(Quant(2), 1u16), paged_per_channel().put(Quant(2), 1u16)]
        => INVALID_DESCRIPTOR, "V-115 Q-019", "", Somewhere;
    q_019_breaks_any_value: per_block().put(Quant(16), 0u32).buffers(&[6, 8, 8])
        => INVALID_DESCRIPTOR, "V-115 Q-019", "", Somewhere;
    q_019_keeps: [csr_per_block(), per_block()];
    q_020_breaks: [csr_per_block().put(Quant(2), 0u16), paged_per_block().put(Quant(2), 0u16)]
        => INVALID_DESCRIPTOR, "V-115 Q-020", "", Somewhere;
    q_020_keeps: [per_block_asymmetric(), paged_per_channel()];
    q_021_breaks: [
        csr_per_block().put(Quant(12), 4u32), paged_per_block().put(Quant(12), u32::MAX),
        csf_nf4().put(Quant(12), 8u32),
    ] => INVALID_DESCRIPTOR, "V-116 Q-021", "scale_buffer", Quant(12);
    q_021_keeps_the_last: others();
    q_022_breaks: [
        csr_per_block().put(Quant(12), 2u32), paged_per_block().put(Quant(12), 2u32),
        csf_nf4().put(Quant(12), 6u32),
    ] => INVALID_DESCRIPTOR, "V-116 Q-022", "scale_buffer", Quant(12);
    q_022_breaks_data: [csr_per_block().put(Quant(12), 0u32), csf_nf4().put(Quant(12), 0u32)]
        => INVALID_DESCRIPTOR, "V-116 Q-022", "scale_buffer", Quant(12);
    q_022_keeps_the_first_free: others();
    q_023_breaks: [
        csr_per_block().buffers(&[8, 64, 40, 32, 32]), csf_nf4().buffers(&[99; 9]),
        per_channel().put(Quant(12), 1u32),
    ] => INVALID_DESCRIPTOR, "V-081 Q-023", "buffer_count", Count;
    q_023_keeps: [
        csr_per_block(), csf_nf4(), per_channel(), per_channel().put(Quant(12), 1u32).buffers(&[6, 24]),
    ];
    q_024_breaks_device: csr_per_block().put(Buffer(3, 12), 8u8)
        => BUFFER_MISMATCH, "V-091 Q-024", "device_tag", Buffer(3, 12);
    q_024_breaks_class: csr_per_block().put(Buffer(3, 14), 2u8)
        => BUFFER_MISMATCH, "V-092 Q-024", "memory_class", Buffer(3, 14);
    q_024_keeps: csr_per_block().everywhere([8, 1, 2]);
    q_025_breaks: [
        csr_per_block().buffers(&[8, 64, 40, 28]), csr_per_block().buffers(&[8, 64, 40, 33]),
        paged_per_block().buffers(&[64, 12, 8, 60]),
    ] => BUFFER_MISMATCH, "V-117 Q-025", "byte_size", Buffer(3, 0);
    q_025_breaks_csf: csf_nf4().put(Buffer(7, 0), 47u64)
        => BUFFER_MISMATCH, "V-117 Q-025", "byte_size", Buffer(7, 0);
    q_025_breaks_static_axis: per_channel().shape(&[DYN, 3]).buffers(&[6, 11, 12])
        => BUFFER_MISMATCH, "V-117 Q-025", "byte_size", Buffer(1, 0);
    q_025_keeps: [
        csr_per_block(), csf_nf4(), paged_per_block(), per_block().shape(&[DYN, 6]).buffers(&[6, 999]),
    ];
    q_026_breaks_channels: paged_per_channel().put(Quant(4), 0u32).buffers(&[60, 20, 12, 44, 44])
        => INVALID_DESCRIPTOR, "V-055 Q-026", "", Somewhere;
    q_026_breaks_blocks: [
        paged_per_block().put(Quant(8), 8u32), paged_per_block().shape(&[9, 4, 1]).put(Quant(4), 1u32),
    ] => INVALID_DESCRIPTOR, "V-055 Q-026", "", Somewhere;
    q_026_keeps: [paged_per_channel(), paged_per_block()];
    q_027_breaks: head(2, 1, 2, &[2]).quant(&hex("01 01 00 00 00 00 80 3E 00000000 00000000"))
        => INVALID_DESCRIPTOR, "V-061 Q-027", "", Somewhere;
    q_027_keeps: head(2, 1, 2, &[2]);
    q_028_breaks_bytes:
        per_channel().type_tag(0x4B).shape(&[1, 1 << 62]).buffers(&[1 << 60, u64::MAX, u64::MAX])
        => OVERFLOW, "V-117 Q-028", "", Somewhere;
    // A sparse shape may hold more blocks than 64 bits count.
    q_028_breaks_count: csr_per_block().shape(&[1 << 60, 1 << 12]).buffers(&[8, 64, (1 << 63) + 8, 32])
        => OVERFLOW, "V-117 Q-028", "", Somewhere;
    q_028_breaks_sum:
        per_block_asymmetric().put(Quant(8), 2u32).put(Quant(16), 1u32)
            .put(Quant(20), 3u8) .shape(&[1, 1 << 62]).buffers(&[1 << 61, u64::MAX])
        => OVERFLOW, "V-117 Q-028", "", Somewhere;
    q_028_keeps_the_most: [
        per_channel().type_tag(0x4B).shape(&[1, (1 << 62) - 1]).buffers(&[1 << 60, u64::MAX - 3, u64::MAX - 3]),
        per_channel().shape(&[0, 1 << 61]).buffers(&[0, 1 << 63, 1 << 63]),
    ];
    q_035_breaks: others().map(|b| b.put(QuantLength, 0x0100_0000u32))
        => TRUNCATED, "V-100 Q-035", "", Somewhere;
    q_035_breaks_before_other_sections: per_tensor().stats(0).put(QuantLength, 89u32)
        => TRUNCATED, "V-100 Q-035", "", Somewhere;
    q_035_keeps: others();
}

#[test]
fn q_033_breaks_a_short_parameter_buffer() {
    for index in 1..3 {
        let mut bound = [6, 12, 12].map(memory);
        bound[index].size = 11;
        let said = tensor(&per_channel().input(), &bound).unwrap_err();
        assert_eq!(said.status, BUFFER_MISMATCH);
        assert!(
            ["Q-033", "L-012"].contains(&said.rule()) && said.text.contains(&format!("[{index}]")),
            "{said:?}"
        );
    }
}

#[test]
fn q_033_keeps_the_declared_size_and_more() {
    tensor(&per_channel().input(), &[6, 12, 12].map(memory)).unwrap();
    tensor(&per_channel().input(), &[6, 13, 120].map(memory)).unwrap();
}
