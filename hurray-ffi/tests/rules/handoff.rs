//! B-001 to B-013: buffer handles, in a descriptor's table and at hand-off.

use crate::support::bytes::At::*;
use crate::support::call::{Memory, Payload, Refusal, buffer, buffer_at, hand_off, memory, tensor};
use crate::support::check::rules;
use crate::support::samples::*;
use crate::support::status::*;
use std::ptr::null;

fn kind(device: u8, sync: u8, class: u8) -> Memory {
    Memory { kind: [device, sync, class], ..memory(24) }
}

/// A producer's buffer is refused with this status and rule.
fn refused(of: Memory, status: i32, rule: &str) {
    let said = buffer(of).expect_err("a refusal");
    assert_eq!((said.status, said.rule()), (status, rule), "{said:?}");
}

fn taken(of: impl IntoIterator<Item = Memory>) {
    for of in of {
        buffer(of).unwrap();
    }
}

fn aligned(size: u64, alignment: u32) -> Memory {
    Memory { alignment, ..memory(size) }
}

#[test]
fn b_001_breaks_at_hand_off() {
    for alignment in [0, 3, 96, u32::MAX] {
        refused(aligned(24, alignment), INVALID_ARGUMENT, "B-001");
        refused(aligned(0, alignment), INVALID_ARGUMENT, "B-001");
    }
}

#[test]
fn b_001_keeps_at_hand_off() {
    taken([64, 128, 4096].map(|alignment| aligned(24, alignment)));
    taken([1, 2, 1 << 31].map(|alignment| aligned(0, alignment)));
}

#[test]
fn b_002_breaks_at_hand_off() {
    for alignment in [1, 16, 32] {
        refused(aligned(1, alignment), INVALID_ARGUMENT, "B-002");
    }
}

#[test]
fn b_002_keeps_at_hand_off() {
    taken([aligned(1, 64), aligned(0, 32)]);
}

#[test]
fn b_003_breaks_at_hand_off() {
    for device in [0x09, 0xEF, 0xFF] {
        refused(kind(device, 0, 0), INVALID_TYPE, "B-003");
    }
}

#[test]
fn b_003_keeps_at_hand_off() {
    taken((0x00..=0x08).chain(0xF0..=0xFE).map(|device| kind(device, 0, 0)));
}

#[test]
fn b_004_breaks_at_hand_off() {
    for class in [0x04, 0xEF, 0xFF] {
        refused(kind(0xF0, 0, class), INVALID_TYPE, "B-004");
    }
}

#[test]
fn b_004_keeps_at_hand_off() {
    taken([kind(1, 0, 0), kind(1, 0, 3), kind(0xF0, 0, 0xF0), kind(0xF0, 0, 0xFE)]);
}

#[test]
fn b_005_breaks_at_hand_off() {
    for (device, class) in [(0, 3), (3, 3), (5, 1), (6, 3), (8, 3), (0, 0xF0), (0xF0, 1)] {
        refused(kind(device, 0, class), INVALID_DESCRIPTOR, "B-005");
    }
}

#[test]
fn b_005_keeps_at_hand_off() {
    taken(
        [(0, 2), (1, 3), (3, 2), (4, 3), (5, 0), (7, 3), (0xF0, 0xF0)]
            .map(|(device, class)| kind(device, 0, class)),
    );
}

#[test]
fn b_006_breaks_at_hand_off() {
    for sync in [3, 0xF0, 0xFF] {
        refused(kind(1, sync, 0), INVALID_SYNC_MODE, "B-006");
    }
}

#[test]
fn b_006_keeps_at_hand_off() {
    taken([0, 1, 2].map(|sync| kind(1, sync, 0)));
}

#[test]
fn b_007_breaks_at_hand_off() {
    for (sync, class) in [(1, 0), (2, 0), (1, 2)] {
        refused(kind(0, sync, class), INVALID_SYNC_MODE, "B-007");
    }
}

#[test]
fn b_007_keeps_at_hand_off() {
    taken([kind(0, 0, 0), kind(5, 2, 0)]);
}

rules! {
    b_001_breaks_in_a_table: coo().put(Buffer(1, 8), 0u32)
        => INVALID_DESCRIPTOR, "V-082 B-001", "alignment", Buffer(1, 8);
    b_001_keeps_in_a_table: coo().put(Buffer(1, 8), 1u32 << 31);
    b_002_breaks_in_a_table: coo().put(Buffer(1, 8), 32u32)
        => INVALID_DESCRIPTOR, "V-083 B-002", "alignment", Buffer(1, 8);
    b_002_keeps_in_a_table: coo().put(Buffer(1, 8), 64u32);
    b_003_breaks_in_a_table: [0x09u8, 0xEF, 0xFF].map(|device| coo().put(Buffer(1, 12), device))
        => INVALID_TYPE, "V-084 V-085 B-003", "device_tag", Buffer(1, 12);
    b_003_keeps_in_a_table: coo().everywhere([0xFE, 0, 0]);
    b_004_breaks_in_a_table: coo().everywhere([0xF0, 0, 4])
        => INVALID_TYPE, "V-088 B-004", "memory_class", Buffer(0, 14);
    b_004_keeps_in_a_table: coo().everywhere([0xF0, 0, 0xF0]);
    b_005_breaks_in_a_table: [
        coo().everywhere([0, 0, 3]), coo().everywhere([5, 0, 1]), coo().everywhere([0, 0, 0xF0]),
    ] => INVALID_DESCRIPTOR, "V-089 B-005", "memory_class", Buffer(0, 14);
    b_005_keeps_in_a_table: [coo().everywhere([0, 0, 2]), coo().everywhere([5, 0, 0])];
    b_006_breaks_in_a_table: coo().everywhere([1, 3, 0])
        => INVALID_SYNC_MODE, "V-086 B-006", "sync_mode", Buffer(0, 13);
    b_006_keeps_in_a_table: coo().everywhere([1, 2, 0]);
    b_007_breaks_in_a_table: coo().put(Buffer(1, 13), 1u8)
        => INVALID_SYNC_MODE, "V-087 B-007", "sync_mode", Buffer(1, 13);
    b_007_keeps_in_a_table: coo();
    b_008_breaks: coo().put(Buffer(1, 15), 1u8)
        => INVALID_DESCRIPTOR, "V-090 B-008", "reserved", Buffer(1, 15);
    b_008_keeps: coo();
    b_009_breaks_device_in_a_table: coo().put(Buffer(1, 12), 3u8)
        => BUFFER_MISMATCH, "V-091 B-009", "device_tag", Buffer(1, 12);
    b_009_breaks_class_in_a_table: coo().put(Buffer(1, 14), 1u8)
        => BUFFER_MISMATCH, "V-092 B-009", "memory_class", Buffer(1, 14);
    b_009_keeps_modes_that_differ: coo().everywhere([3, 0, 0]).put(Buffer(1, 13), 1u8);
}

/// The two buffers of the COO sample.
fn bound() -> [Memory; 2] {
    [memory(2), memory(72)]
}

/// A tensor of a descriptor and buffers is refused, and says which buffer it was.
fn apart(said: Refusal, status: i32, rule: &str, index: &str) {
    assert_eq!((said.status, said.rule()), (status, rule), "{said:?}");
    assert!(said.text.contains(index), "{said:?}");
}

#[test]
fn b_009_breaks_at_hand_off() {
    let coo = coo().input();
    for other in [[3, 0, 0], [0, 0, 1]] {
        let mut bound = bound();
        bound[1].kind = other;
        apart(tensor(&coo, &bound).unwrap_err(), BUFFER_MISMATCH, "B-009", "[1]");
    }
}

#[test]
fn b_009_keeps_at_hand_off() {
    tensor(&coo().input(), &bound()).unwrap();
    let pinned = coo().everywhere([1, 0, 1]).input();
    tensor(&pinned, &bound().map(|m| Memory { kind: [1, 0, 1], ..m })).unwrap();
}

#[test]
fn b_011_breaks_a_skewed_pointer() {
    for skew in [1, 32, 63] {
        refused(Memory { skew, ..memory(24) }, BUFFER_MISMATCH, "B-011");
    }
    refused(Memory { skew: 64, alignment: 128, ..memory(24) }, BUFFER_MISMATCH, "B-011");
}

#[test]
fn b_011_breaks_null() {
    let said = buffer_at(null(), memory(1)).unwrap_err();
    assert_eq!(said.status, NULL_POINTER);
}

/// A pointer that its own buffer's alignment allows, but not the descriptor's.
#[test]
fn b_011_breaks_against_the_table() {
    let mut bound = bound();
    bound[1].skew = 64;
    let wide = coo().put(Buffer(1, 8), 128u32).input();
    apart(tensor(&wide, &bound).unwrap_err(), BUFFER_MISMATCH, "B-011", "[1]");
}

#[test]
fn b_011_keeps_aligned_and_empty() {
    taken([Memory { skew: 64, ..memory(24) }, Memory { skew: 128, alignment: 128, ..memory(24) }]);
    taken([Memory { skew: 1, ..memory(0) }, Memory { skew: 1, alignment: 4096, ..memory(0) }]);
    buffer_at(null(), memory(0)).unwrap();
    let mut bound = bound();
    bound[1] = Memory { skew: 128, ..bound[1] };
    tensor(&coo().put(Buffer(1, 8), 128u32).input(), &bound).unwrap();
}

/// What goes with a buffer of each mode on CUDA.
const PAYLOADS: [Payload; 3] = [
    Payload::Synced { event: false, stream: false },
    Payload::Event { event: true, device: 1, release: true },
    Payload::Stream { stream: true, device: 1 },
];

#[test]
fn b_012_breaks_in_each_wrong_mode() {
    for (mode, other) in (0u8..3).flat_map(|mode| (0..3).map(move |other| (mode, other))) {
        if usize::from(mode) != other {
            let said = hand_off(&buffer(kind(1, mode, 0)).unwrap(), PAYLOADS[other]).unwrap_err();
            assert_eq!((said.status, said.rule()), (SYNC_MODE_MISMATCH, "B-012"), "{mode} {other}");
        }
    }
}

#[test]
fn b_012_breaks_on_a_payload_that_lacks_something() {
    let lacking = [
        (0, Payload::Synced { event: true, stream: false }),
        (0, Payload::Synced { event: false, stream: true }),
        (1, Payload::Event { event: false, device: 1, release: true }),
        (1, Payload::Event { event: true, device: 2, release: true }),
        (1, Payload::Event { event: true, device: 1, release: false }),
        (2, Payload::Stream { stream: false, device: 1 }),
        (2, Payload::Stream { stream: true, device: 0 }),
    ];
    for (mode, payload) in lacking {
        let said = hand_off(&buffer(kind(1, mode, 0)).unwrap(), payload).unwrap_err();
        assert_eq!((said.status, said.rule()), (SYNC_MODE_MISMATCH, "B-012"), "{said:?}");
    }
}

#[test]
fn b_012_breaks_against_the_table() {
    let synced = coo().everywhere([1, 0, 0]).input();
    let bound = bound().map(|m| Memory { kind: [1, 0, 0], ..m });
    let other = [bound[0], Memory { kind: [1, 1, 0], ..bound[1] }];
    apart(tensor(&synced, &other).unwrap_err(), SYNC_MODE_MISMATCH, "B-012", "[1]");
}

#[test]
fn b_012_keeps_each_mode() {
    for (mode, payload) in (0..3).zip(PAYLOADS) {
        hand_off(&buffer(kind(1, mode, 0)).unwrap(), payload).unwrap();
    }
    hand_off(&buffer(kind(0, 0, 0)).unwrap(), PAYLOADS[0]).unwrap();
    let mixed = coo().everywhere([1, 0, 0]).put(Buffer(1, 13), 2u8).input();
    let [values, indices] = bound();
    tensor(&mixed, &[Memory { kind: [1, 0, 0], ..values }, Memory { kind: [1, 2, 0], ..indices }]).unwrap();
}

#[test]
fn b_013_breaks_one_fewer_and_one_more() {
    let coo = coo().input();
    for bound in [&[] as &[Memory], &[memory(2)], &[memory(2), memory(72), memory(72)]] {
        let said = tensor(&coo, bound).unwrap_err();
        assert_eq!((said.status, said.rule()), (BUFFER_MISMATCH, "B-013"), "{said:?}");
    }
    let said = tensor(&head(3, 0, 0, &[]).input(), &[memory(0)]).unwrap_err();
    assert_eq!((said.status, said.rule()), (BUFFER_MISMATCH, "B-013"), "{said:?}");
}

#[test]
fn b_013_keeps_exactly() {
    tensor(&coo().input(), &bound()).unwrap();
    tensor(&per_channel().input(), &[6, 12, 12].map(memory)).unwrap();
    tensor(&head(3, 0, 0, &[]).input(), &[]).unwrap();
}
