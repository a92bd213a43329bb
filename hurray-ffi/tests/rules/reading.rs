//! What strict and permissive readers do with what they do not know (descriptor.md §1.3, §1.4, §4.6), the order of
//! checks (the end of §7), and the law that encoding gives back what was decoded.

use crate::support::bytes::At::*;
use crate::support::bytes::{Bytes, Wire, hex};
use crate::support::call::{decode, decode_permissive, memory, tensor};
use crate::support::check::rules;
use crate::support::samples::*;
use crate::support::status::*;
use hurray::abi::*;

/// A rule, and a way to break it.
type Fault = (&'static str, fn(Bytes) -> Bytes);

/// Every rule of the order once. A change that stands later in the list must not undo one
/// that stands before it.
fn in_order() -> Vec<Fault> {
    vec![
        ("V-001", |b| b.cut(9)),
        ("V-002", |b| b.put(Byte(0), 0u8)),
        ("V-004", |b| b.put(Major, 0u8)),
        ("V-006", |b| b.length(19)),
        ("V-007", |b| b.length(u32::MAX)),
        ("V-012", |b| b.put(Flags, 0x8000_001Eu32)),
        ("V-013", |b| b.put(Type, 0xFFu8)),
        ("V-021", |b| b.put(Rank, 65u32)),
        ("V-018", |b| b.put(Layout, 0u8)),
        ("V-032", |b| b.put(Payload(0), 0u64)),
        ("V-034", |b| b.put(Payload(11), 1u8)),
        ("V-082", |b| b.put(Buffer(0, 8), 0u32)),
        ("V-086", |b| b.put(Buffer(0, 13), 3u8)),
        ("V-120", |b| b.put(Shard(8), 5u64)),
        ("V-130", |b| b.put(Stats(0), 0x7Fu32)),
        ("V-140", |b| b.put(Ext(0), 0u32)),
        ("V-150", |b| b.put(Member(0), 2u8)),
        ("V-009", |b| b.tail(&[0])),
        ("V-025", |b| b.offset(13)),
    ]
}

#[test]
fn the_order_of_checks() {
    let sound = private_float().layout_tag(0x04).payload(&tile(&[4], 1, 1, &[]));
    let sound = sound.shard(&[8], &[4]).stats(0x3F).member(0);
    decode(&sound.input()).unwrap();
    let faults = in_order();
    for (first, &(rule, _)) in faults.iter().enumerate() {
        // The earliest fault goes in last, so that it prevails where two change one field.
        let broken = faults[first..].iter().rev().fold(sound.clone(), |bytes, (_, change)| change(bytes));
        for decode in [decode, decode_permissive] {
            assert_eq!(decode(&broken.input()).unwrap_err().rule(), rule);
        }
    }
}

/// Rules that hold parts against each other wait for the lengths (V-009).
#[test]
fn lengths_come_before_relations() {
    let relations = [
        plain().buffers(&[24, 24]),
        plain().buffers(&[23]),
        per_tensor().put(Quant(4), 0.0f32),
        per_channel().put(Quant(4), 9u32),
        group_n_above_m(),
        shard().put(Shard(0), DYN),
    ];
    for bytes in relations {
        decode(&bytes.input()).unwrap_err();
        let longer = bytes.tail(&[0]);
        assert_eq!(decode(&longer.input()).unwrap_err().rule(), "V-009");
    }
}

fn group_n_above_m() -> Bytes {
    plain().stats(0x10).put(Stats(64), 9u8)
}

#[test]
fn permissive_keeps_an_unknown_element_type() {
    for tag in [0x05, 0x47, 0x7F, 0x80, 0xEF] {
        let bytes = plain().type_tag(tag).stats(0x3F).input();
        let said = decode(&bytes).unwrap_err();
        assert_eq!((said.status, said.offset), (INVALID_TYPE, Some(14)));
        let d = decode_permissive(&bytes).unwrap();
        assert_eq!(d.u64(HURRAY_HEADER_FIELD_ELEMENT_TYPE, 0), Ok(u64::from(tag)));
        assert_eq!(d.shape(), [2, 3]);
        assert_eq!(d.u64(HURRAY_BUFFER_FIELD_BYTE_SIZE, 0), Ok(24));
        assert_eq!(d.u64(HURRAY_STATS_FIELD_NNZ, 0), Ok(3));
        assert_eq!(d.encode(), bytes);
    }
}

#[test]
fn permissive_keeps_an_unknown_layout_opaque() {
    for tag in [0x0C, 0x3F, 0x41, 0x7F, 0x80, 0xEF] {
        let bytes = all_sections().layout_tag(tag).offset(77).input();
        let said = decode(&bytes).unwrap_err();
        assert_eq!((said.status, said.offset), (INVALID_LAYOUT, Some(15)));
        let d = decode_permissive(&bytes).unwrap();
        assert_eq!(d.u64(HURRAY_HEADER_FIELD_LAYOUT, 0), Ok(u64::from(tag)));
        assert_eq!(d.u64(HURRAY_HEADER_FIELD_ELEMENT_TYPE, 0), Ok(0x11));
        assert_eq!(d.u64(HURRAY_HEADER_FIELD_FLAGS, 0), Ok(0x1B));
        assert_eq!(d.u64(HURRAY_HEADER_FIELD_BYTE_OFFSET, 0), Ok(77));
        assert_eq!(d.shape(), [2, 3]);
        // Header, shape and byte_offset are 28 + 8 x 2 bytes.
        assert_eq!(d.bytes(HURRAY_LAYOUT_FIELD_UNKNOWN_DATA).unwrap(), bytes[44..]);
        assert_eq!(d.u64(HURRAY_BUFFER_FIELD_BYTE_SIZE, 0), Err(UNSUPPORTED));
        assert_eq!(d.u64(HURRAY_QUANT_FIELD_SCHEME, 0), Err(UNSUPPORTED));
        assert_eq!(d.u64(HURRAY_MEMBER_FIELD_ROLE, 0), Err(UNSUPPORTED));
        assert_eq!(d.u64(HURRAY_EXT_TYPE_FIELD_BIT_WIDTH, 0), Err(FIELD_NOT_PRESENT));
        assert_eq!(d.encode(), bytes);
    }
}

#[test]
fn permissive_keeps_a_private_layout_and_what_is_behind_it() {
    let bytes = private().offset(16).buffers(&[16, 7]).shard(&[8], &[4]).input();
    assert_eq!(decode(&bytes).unwrap_err().status, UNSUPPORTED);
    let d = decode_permissive(&bytes).unwrap();
    assert_eq!(d.u64(HURRAY_HEADER_FIELD_LAYOUT, 0), Ok(0xF7));
    assert_eq!(d.u64(HURRAY_LAYOUT_FIELD_PRIVATE_LAYOUT_ID, 0), Ok(0x0123_4567_89ab_cdef));
    assert_eq!(d.bytes(HURRAY_LAYOUT_FIELD_PRIVATE_DATA), Ok(b"abc".to_vec()));
    assert_eq!(d.u64(HURRAY_BUFFER_FIELD_BYTE_SIZE, 1), Ok(7));
    assert_eq!(d.u64s(HURRAY_SHARD_FIELD_PARENT_SHAPE), Ok(vec![8]));
    assert_eq!(d.u64s(HURRAY_SHARD_FIELD_OFFSET), Ok(vec![4]));
    assert_eq!(d.encode(), bytes);
}

#[test]
fn permissive_skips_an_unknown_scheme_by_its_length() {
    for tag in [0x06, 0x3F, 0x40, 0x60, 0x80, 0xEF, 0xF0, 0xFE] {
        let bytes = plain().buffers(&[24, 5]).quant(&[tag, 7, 0x01, 0x80, 9, 8, 7]).stats(1).input();
        assert_eq!(decode(&bytes).unwrap_err().status, UNSUPPORTED);
        let d = decode_permissive(&bytes).unwrap();
        assert_eq!(d.u64(HURRAY_QUANT_FIELD_SCHEME, 0), Ok(u64::from(tag)));
        assert_eq!(d.u64(HURRAY_QUANT_FIELD_SCHEME_VERSION, 0), Ok(7));
        assert_eq!(d.u64(HURRAY_QUANT_FIELD_FLAGS, 0), Ok(0x8001));
        assert_eq!(d.bytes(HURRAY_QUANT_FIELD_UNKNOWN_DATA), Ok(vec![9, 8, 7]));
        assert_eq!(d.u64(HURRAY_BUFFER_FIELD_BYTE_SIZE, 1), Ok(5));
        assert_eq!(d.u64(HURRAY_STATS_FIELD_NNZ, 0), Ok(3));
        assert_eq!(d.encode(), bytes);
    }
}

rules! {
    permissive_keeps_all_unknown_at_once: [
        plain().type_tag(0x60).layout_tag(0x50), plain().type_tag(0x60).quant(&hex("60 00 0000")),
        private().type_tag(0x05), private().quant(&hex("F1 01 0000 FF")), private_float().layout_tag(0x80),
        private_float().layout_tag(0xF0).payload(&[0; 12]), plain().layout_tag(0x50).minor(4),
        scalar().layout_tag(0x50), plain().layout_tag(0x50).payload(&[0xA5; 40]).tail(&[1; 7]),
        // Nothing behind the byte offset at all.
        plain().layout_tag(0x50).shorter(17),
    ], Permissive;
    permissive_refuses_bits_and_bytes_that_gate: [
        plain().put(Flags, 0x20u32), private().put(Flags, 0x8000_0000u32),
        plain().layout_tag(0x50).put(Flags, 0x40u32),
    ] => [Permissive] INVALID_DESCRIPTOR, "V-012", "flags", Flags;
    permissive_refuses_reserved_bytes: private().put(Buffer(0, 15), 1u8)
        => [Permissive] INVALID_DESCRIPTOR, "V-090", "reserved", Buffer(0, 15);
    permissive_refuses_relations_it_can_judge: private().everywhere([0, 0, 3])
        => [Permissive] INVALID_DESCRIPTOR, "V-089", "memory_class", Buffer(0, 14);
    permissive_refuses_too_few_buffers: csr().buffers(&[32, 64]).quant(&hex("60 01 0000"))
        => [Permissive] INVALID_DESCRIPTOR, "V-081", "buffer_count", Count;

    // A later minor version may append fields; what stands before them is as strict as ever.
    later_minor_keeps_its_tail:
        all().into_iter().map(|b| b.minor(2).tail(b"what 1.2 added")).collect::<Vec<_>>();
    later_minor_keeps_no_tail: all().into_iter().map(|b| b.minor(1)).collect::<Vec<_>>();
    later_minor_refuses_unknown_tags: [plain().minor(1).layout_tag(0x0C)]
        => [Strict] INVALID_LAYOUT, "V-019", "layout_tag", Layout;
    later_minor_refuses_relations: plain().minor(1).buffers(&[23]).tail(&[0; 30])
        => BUFFER_MISMATCH, "V-093", "byte_size", Buffer(0, 0);

    quantization_padding_is_kept: [
        per_tensor().quant(&hex("01 01 00 00 00 00 80 3E FD FF FF FF 00 00 00 00 DEADBEEF")),
        per_channel().quant(&hex("02 01 00 00 01 00 00 00 01 00 00 00 02 00 00 00 03 00 00 00 00")),
        per_block().quant(&hex("03 01 01 00 01 00 00 00 04 00 00 00 01 00 00 00 FF FF FF FF 01 00 00 00 FF")).stats(0),
        mxfp().quant(&[hex("05 01 00 00 01 00 00 00 10 00 00 00 01 00 00 00"), vec![0x5A; 3000]].concat()),
    ];
    masked_off_statistics_are_kept: [
        plain().stats(0), plain().stats(0).put(Stats(8), [u64::MAX; 7]).put(Stats(64), [9u8, 1, 7, 0xFF]),
        plain().stats(0x21).put(Stats(16), [0x7FF0_0000_0000_0001u64, 0xFFF8_1234_5678_9ABC]),
    ];
    statistics_count_that_differs_is_kept: coo().stats(1);
    every_sample_is_kept: all();
}

#[test]
fn fields_in_bulk_give_the_same_bytes() {
    for bytes in all() {
        let bytes = match bytes.input()[10] & 8 {
            0 => bytes,
            // Every group of these is counted, so nothing is masked off.
            _ => bytes.put(Stats(0), 0x3Fu32),
        };
        let input = bytes.input();
        assert_eq!(decode(&input).unwrap().rebuilt().unwrap().encode(), input);
    }
}

/// The text shows the value that was wrong, and the one that would do.
#[test]
fn texts_show_values() {
    let shown = [
        (bytes_of(&[1; 65], 1), ["65", "64"]),
        (plain().put(Major, 9u8), ["9", "1"]),
        (plain().length(4321), ["4321", "61"]),
        (plain().put(Buffer(0, 8), 32u32), ["32", "64"]),
        (plain().buffers(&[23]), ["23", "24"]),
        (csr().put(Payload(0), 99u64), ["99", "24"]),
        (paged().put(Payload(20), 7u8), ["7", "2"]),
        (per_tensor().put(Quant(8), 300i32), ["300", "127"]),
        (per_channel().put(Quant(4), 5u32), ["5", "2"]),
        (mxfp().buffers(&[16, 77]), ["77", "2"]),
        (shard().put(Shard(16), 30u64), ["32", "4"]),
        (member().put(Member(0), 44u8), ["44", "1"]),
    ];
    for (bytes, values) in shown {
        let said = decode(&bytes.input()).unwrap_err();
        let (text, _) = said.text.rsplit_once(", at byte ").unwrap_or((&said.text, ""));
        let numbers: Vec<&str> = text[5..].split(|c: char| !c.is_ascii_digit()).collect();
        assert!(values.iter().all(|value| numbers.contains(value)), "{said:?}");
    }
}

/// A tensor's descriptor goes through the same door: same status, same text.
#[test]
fn tensors_are_as_strict() {
    let broken = [
        plain().cut(60),
        plain().put(Major, 2u8),
        csr().put(Payload(8), 1u8),
        plain().type_tag(0x47),
        private(),
        per_tensor().put(Quant(4), 0.0f32),
        plain().buffers(&[23]),
        bytes_of(&[1 << 32, 1 << 32], 24),
        bytes_of(&[1; 65], 24),
    ];
    for bytes in broken {
        let said = tensor(&bytes.input(), &[memory(24)]).unwrap_err();
        assert_eq!(said, decode(&bytes.input()).unwrap_err());
    }
}

/// What comes out of a declared number alone is no memory: rank, length, member count, nnz.
#[test]
fn huge_numbers_cost_nothing() {
    let hostile = [
        plain().put(Rank, u32::MAX),
        plain().length(u32::MAX),
        per_tensor().put(QuantLength, u32::MAX),
        csr().put(Payload(0), u64::MAX),
        nested(20_000),
    ];
    for bytes in hostile {
        let said = decode(&bytes.input()).unwrap_err();
        assert!([LIMIT_EXCEEDED, TRUNCATED, INVALID_LAYOUT].contains(&said.status), "{said:?}");
    }
    decode(&head(3, 0, u32::MAX - 1, &[DYN]).input()).unwrap();
    decode(&coo().buffers(&[u64::MAX; 2]).input()).unwrap();
    let many = Bytes::new(0x11, 0x01, &[4], &[4]).minor(1).tail(&[7u8; 100_000].wire());
    assert_eq!(decode(&many.input()).unwrap().encode(), many.input());
}
