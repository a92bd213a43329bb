//! V-120 to V-151: shard, statistics, extension type, composite member.

use crate::support::bytes::At::*;
use crate::support::bytes::Bytes;
use crate::support::check::rules;
use crate::support::samples::*;

/// Statistics of which one group counts.
fn group(bit: u32) -> Bytes {
    plain().stats(1 << bit)
}

/// One stated dimension of a shard.
fn cut(extent: u64, parent: u64, offset: u64) -> Bytes {
    bytes_of(&[extent], extent).shard(&[parent], &[offset])
}

/// A private float or integer with one byte of its section changed.
fn float(byte: usize, value: u8) -> Bytes {
    private_float().put(Ext(byte), value)
}

fn integer(byte: usize, value: u8) -> Bytes {
    private_integer(16, 1, 16).put(Ext(byte), value)
}

rules! {
    v_120_breaks_last: shard().put(Shard(24), 4u64) => INVALID_DESCRIPTOR, "V-120", "", Shard(24);
    v_120_breaks_first: shard().put(Shard(16), 3u64) => INVALID_DESCRIPTOR, "V-120", "", Shard(16);
    v_120_breaks_highest: cut(2, DYN - 1, DYN - 2) => INVALID_DESCRIPTOR, "V-120", "", Shard(8);
    v_120_keeps_the_edge: [shard(), cut(2, DYN - 1, DYN - 3), cut(0, 5, 5), scalar().shard(&[], &[])];
    v_121_breaks: [cut(1, 5, DYN), cut(2, DYN - 1, DYN - 1)] => OVERFLOW, "V-121", "shard_offset", Shard(8);
    v_121_keeps_the_most: cut(1, DYN - 1, DYN - 2);
    v_122_breaks_shape: plain().shape(&[DYN, 3]).shard(&[9, 9], &[0, 0])
        => INVALID_DESCRIPTOR, "V-122", "shape", Shape(0);
    v_122_breaks_parent: shard().put(Shard(8), DYN) => INVALID_DESCRIPTOR, "V-122", "parent_shape", Shard(8);
    v_122_keeps_static: shard();

    v_130_breaks: (6..32).map(group).collect::<Vec<_>>()
        => INVALID_DESCRIPTOR, "V-130", "computed_mask", Stats(0);
    v_130_keeps_every_known_bit: (0..64).map(|mask| plain().stats(mask)).collect::<Vec<_>>();
    v_131_breaks_first: stats().put(Stats(4), 1u8) => INVALID_DESCRIPTOR, "V-131", "reserved", Stats(4);
    v_131_breaks_seventh: stats().put(Stats(7), 1u8) => INVALID_DESCRIPTOR, "V-131", "reserved", Stats(7);
    v_131_breaks_last_word: stats().put(Stats(68), 1u8) => INVALID_DESCRIPTOR, "V-131", "reserved", Stats(68);
    v_131_breaks_last: plain().stats(0).put(Stats(71), 1u8)
        => INVALID_DESCRIPTOR, "V-131", "reserved", Stats(71);
    v_131_keeps_zero: stats();
    v_133_breaks: [group(4).put(Stats(64), 5u8), group(4).put(Stats(65), 1u8)]
        => INVALID_DESCRIPTOR, "V-133", "nm_n", Stats(64);
    v_133_keeps: [group(4), group(4).put(Stats(64), 4u8), group(4).put(Stats(64), [0u8, 0])];
    v_133_keeps_unmasked: group(0).put(Stats(64), 5u8);
    v_134_breaks_nan: group(5).put(Stats(66), 2u8) => INVALID_DESCRIPTOR, "V-134", "has_nan", Stats(66);
    v_134_breaks_inf: group(5).put(Stats(67), 255u8) => INVALID_DESCRIPTOR, "V-134", "has_inf", Stats(67);
    v_134_keeps: [group(5).put(Stats(66), [0u8, 0]), group(5).put(Stats(66), [1u8, 1])];
    v_134_keeps_unmasked: group(0).put(Stats(66), [2u8, 255]);
    v_135_breaks: [-1.0, -f64::from_bits(1), f64::NEG_INFINITY, f64::NAN].map(|s| group(3).put(Stats(56), s))
        => INVALID_DESCRIPTOR, "V-135", "value_stddev", Stats(56);
    v_135_keeps: [0.0, -0.0, f64::MAX, f64::INFINITY].map(|s| group(3).put(Stats(56), s));
    v_135_keeps_unmasked: group(0).put(Stats(56), -1.0f64);
    v_136_breaks: [
        -f64::from_bits(1), 1.0 + f64::EPSILON, f64::NAN, f64::INFINITY,
    ].map(|s| group(1).put(Stats(16), s)) => INVALID_DESCRIPTOR, "V-136", "sparsity_ratio", Stats(16);
    v_136_keeps: [0.0, -0.0, 1.0].map(|s| group(1).put(Stats(16), s));
    v_136_keeps_unmasked: group(0).put(Stats(16), 1.5f64);

    v_140_breaks: private_integer(0, 1, 8) => INVALID_TYPE, "V-140", "bit_width", Ext(0);
    v_140_keeps_1: private_integer(1, 8, 1);
    v_141_breaks: [
        private_integer(1, 1, 8), private_integer(2, 8, 8), private_integer(4, 1, 8),
        private_integer(8, 2, 8), private_integer(16, 0, 16),
    ] => INVALID_TYPE, "V-141", "packing_factor", Ext(4);
    v_141_keeps: [
        private_integer(1, 8, 1), private_integer(2, 4, 2), private_integer(4, 2, 4),
        private_integer(8, 1, 8), private_integer(24, 1, 24),
    ];
    v_142_breaks: [3, 5, 6, 7].map(|width| private_integer(width, 1, 64))
        => INVALID_TYPE, "V-142", "bit_width", Ext(0);
    v_142_keeps: [private_integer(2, 4, 2), private_integer(4, 2, 4), private_integer(8, 1, 8)];
    v_143_breaks_10: float(10, 1) => INVALID_DESCRIPTOR, "V-143", "reserved", Ext(10);
    v_143_breaks_11: integer(11, 1) => INVALID_DESCRIPTOR, "V-143", "reserved", Ext(11);
    v_143_breaks_18: float(18, 1) => INVALID_DESCRIPTOR, "V-143", "reserved", Ext(18);
    v_143_breaks_19: integer(19, 128) => INVALID_DESCRIPTOR, "V-143", "reserved", Ext(19);
    v_143_keeps_zero: [private_float(), integer(0, 16)];
    v_144_breaks_float: float(5, 2) => INVALID_TYPE, "V-144", "is_float", Ext(5);
    v_144_breaks_signed: integer(6, 2) => INVALID_TYPE, "V-144", "is_signed", Ext(6);
    v_144_breaks_nan: float(16, 2) => INVALID_TYPE, "V-144", "has_nan", Ext(16);
    v_144_breaks_inf: float(17, 255) => INVALID_TYPE, "V-144", "has_inf", Ext(17);
    v_144_keeps: [private_float(), float(16, 0), float(17, 0), integer(6, 0), integer(6, 1)];
    v_145_breaks: float(7, 2) => INVALID_TYPE, "V-145", "sign_bits", Ext(7);
    v_145_keeps: [float(7, 0), float(7, 1)];
    v_146_breaks: float(6, 1) => INVALID_TYPE, "V-146", "is_signed", Ext(6);
    v_146_keeps: [float(6, 0), integer(6, 1)];
    v_147_breaks_sign: integer(7, 1) => INVALID_TYPE, "V-147", "sign_bits", Ext(7);
    v_147_breaks_exponent: integer(8, 1) => INVALID_TYPE, "V-147", "exponent_bits", Ext(8);
    v_147_breaks_mantissa: integer(9, 1) => INVALID_TYPE, "V-147", "mantissa_bits", Ext(9);
    v_147_breaks_bias: integer(15, 1) => INVALID_TYPE, "V-147", "exponent_bias", Ext(12);
    v_147_keeps: [integer(7, 0), private_float()];
    v_148_breaks: [9, 12, 20, u32::MAX].map(|width| private_integer(width, 1, u64::MAX))
        => INVALID_TYPE, "V-148", "bit_width", Ext(0);
    v_148_keeps: [
        private_integer(8, 1, 8), private_integer(24, 1, 24),
        private_integer(u32::MAX - 7, 1, u64::from(u32::MAX - 7)),
    ];

    v_150_breaks: [2u8, 0x80, 0xFF].map(|role| member().put(Member(0), role))
        => INVALID_DESCRIPTOR, "V-150", "member_role", Member(0);
    v_150_keeps: [member(), member().put(Member(0), 0u8)];
    v_151_breaks_first: member().put(Member(1), 1u8) => INVALID_DESCRIPTOR, "V-151", "reserved", Member(1);
    v_151_breaks_last: private_sections().put(Member(15), 1u8)
        => INVALID_DESCRIPTOR, "V-151", "reserved", Member(15);
    v_151_keeps_zero: [member(), private_sections()];
}

/// Every one of the reserved bytes counts, not only the outer ones.
#[test]
fn v_151_breaks_each_byte() {
    use crate::support::call::decode;
    use crate::support::status::INVALID_DESCRIPTOR;
    for byte in 1..16 {
        let said = decode(&member().put(Member(byte), 0x10u8).input()).unwrap_err();
        let place = member().find(Member(byte)).map(|at| at as u64);
        assert_eq!((said.status, said.rule(), said.offset), (INVALID_DESCRIPTOR, "V-151", place));
    }
}
