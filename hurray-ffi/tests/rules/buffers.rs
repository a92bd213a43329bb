//! V-080 to V-093: the buffer table.

use crate::support::bytes::At::*;
use crate::support::bytes::Bytes;
use crate::support::check::rules;
use crate::support::samples::*;

/// A float32 `[2,3]` whose one buffer is on this device, of this sync mode and memory class.
fn on(device: u8, sync: u8, class: u8) -> Bytes {
    plain().everywhere([device, sync, class])
}

/// One empty buffer of this alignment.
fn empty(alignment: u32) -> Bytes {
    bytes_of(&[0], 0).put(Buffer(0, 8), alignment)
}

fn aligned(alignment: u32) -> Bytes {
    plain().put(Buffer(0, 8), alignment)
}

/// Whether a device has a memory class, as the table of descriptor.md §5.3 prints it.
fn exists(device: u8, class: u8) -> bool {
    let row: &[u8] = match device {
        0x00 | 0x03 | 0x06 | 0x08 => &[0, 1, 2],
        0x01 | 0x02 | 0x04 | 0x07 => &[0, 1, 2, 3],
        0x05 => &[0],
        _ => return class == 0 || (0xF0..=0xFE).contains(&class),
    };
    row.contains(&class)
}

/// Every device with every class, that exist on their own.
fn pairs(wanted: bool) -> Vec<Bytes> {
    let devices = || (0x00..=0x08).chain(0xF0..=0xFE);
    let classes = || (0x00..=0x03).chain(0xF0..=0xFE);
    let all = devices().flat_map(|device| classes().map(move |class| (device, class)));
    all.filter(|&(device, class)| exists(device, class) == wanted).map(|(d, c)| on(d, 0, c)).collect()
}

/// Each layout with one of its buffers a byte too small.
fn a_byte_short() -> Vec<(Bytes, usize)> {
    let float6 = Bytes::new(0x44, 0x01, &[5], &[5]);
    let mut all = vec![
        (plain().buffers(&[23]), 0),
        (plain().layout_tag(0x02).buffers(&[23]), 0),
        (plain().buffers(&[30]).offset(7), 0),
        (scalar().buffers(&[3]), 0),
        (Bytes::new(0x20, 0x01, &[3, 3], &[1]), 0),
        (float6, 0),
        (tiled(&[5, 6], &[2, 4], 47), 0),
        (morton(0x11, &[2, 8], &[1, 3], 43), 0),
        (morton(0x11, &[1], &[1], 1), 0),
        (tiled(&[1], &[2], 1), 0),
        (hilbert(2, 2, &[4, 4], 15), 0),
        (private_integer(4, 2, 3), 0),
        (private_integer(16, 1, 15), 0),
    ];
    let indexed: [(Bytes, &[u64]); 5] = [
        (coo(), &[2, 72]),
        (csr(), &[32, 64, 40]),
        (csc(), &[32, 64, 56]),
        // Of the inner levels only the least of a pos buffer is known: one word.
        (csf(), &[9, 16, 0, 8, 0, 8, 72]),
        (paged(), &[60, 20, 12]),
    ];
    for (sample, sizes) in indexed {
        for (index, &size) in sizes.iter().enumerate().filter(|&(_, &size)| size > 0) {
            // Fewer pages in the table are fewer tokens: another rule.
            if sample.input()[15] != 0x0A || index != 1 {
                let short = |k: usize| if k == index { size - 1 } else { sizes[k] };
                all.push((sample.clone().buffers(&(0..sizes.len()).map(short).collect::<Vec<_>>()), index));
            }
        }
    }
    all
}

#[test]
fn v_093_breaks_a_byte_short() {
    use crate::support::check::{Readers, Wanted, breaks};
    use crate::support::status::BUFFER_MISMATCH;
    for (bytes, index) in a_byte_short() {
        let rules = "V-093 L-011 L-022 L-029 L-038";
        let wanted = Wanted { status: BUFFER_MISMATCH, rules, field: "byte_size", at: Buffer(index, 0) };
        breaks(bytes, Readers::Both, &wanted);
    }
}

rules! {
    v_080_breaks_none: [plain().buffers(&[]), csr().buffers(&[])]
        => INVALID_DESCRIPTOR, "V-080", "buffer_count", Count;
    v_080_breaks_private: private().buffers(&[])
        => [Permissive] INVALID_DESCRIPTOR, "V-080", "buffer_count", Count;
    v_080_keeps_one: plain();
    v_080_keeps_private: private(), Permissive;

    v_081_breaks_one_more: [
        plain().buffers(&[24, 8]), coo().buffers(&[2, 72, 0]), csr().buffers(&[32, 64, 40, 0]),
        csf().buffers(&[99; 8]), paged().buffers(&[60, 20, 12, 0]), per_tensor().buffers(&[4, 4]),
        per_channel().buffers(&[6, 12, 12, 12]), mxfp().buffers(&[16, 2, 2]),
    ] => INVALID_DESCRIPTOR, "V-081", "buffer_count", Count;
    v_081_breaks_one_fewer: [
        coo().buffers(&[2]), csr().buffers(&[32, 64]), csc().buffers(&[32, 64]), csf().buffers(&[99; 6]),
        paged().buffers(&[60, 20]), per_channel().buffers(&[6, 12]), per_block().buffers(&[6]),
        nf4().buffers(&[8]), mxfp().buffers(&[16]),
    ] => INVALID_DESCRIPTOR, "V-081", "buffer_count", Count;
    v_081_keeps_exactly: [
        plain(), coo(), csr(), csc(), csf(), paged(), per_tensor(), per_channel(), per_block(), nf4(), mxfp(),
    ];
    v_081_keeps_a_shared_entry: per_channel().put(Quant(12), 1u32).buffers(&[6, 24]);
    v_081_keeps_the_most: private().buffers(&[8; 255]), Permissive;

    v_082_breaks: [aligned(0), aligned(3), aligned(65), aligned(96), aligned(u32::MAX)]
        => INVALID_DESCRIPTOR, "V-082", "alignment", Buffer(0, 8);
    v_082_breaks_empty: [empty(0), empty(3), empty(65)]
        => INVALID_DESCRIPTOR, "V-082", "alignment", Buffer(0, 8);
    v_082_keeps_powers: (6..32).map(|bit| aligned(1 << bit)).collect::<Vec<_>>();
    v_083_breaks: [aligned(1), aligned(16), aligned(32)]
        => INVALID_DESCRIPTOR, "V-083", "alignment", Buffer(0, 8);
    v_083_breaks_last_entry: csr().put(Buffer(2, 8), 32u32)
        => INVALID_DESCRIPTOR, "V-083", "alignment", Buffer(2, 8);
    v_083_keeps_64: aligned(64);
    v_083_keeps_less_when_empty: [empty(1), empty(32), empty(64)];

    v_084_breaks: (0x09..=0xEF).map(|device| on(device, 0, 0)).collect::<Vec<_>>()
        => INVALID_TYPE, "V-084", "device_tag", Buffer(0, 12);
    v_084_keeps: (0x00..=0x08).chain(0xF0..=0xFE).map(|device| on(device, 0, 0)).collect::<Vec<_>>();
    v_085_breaks: on(0xFF, 0, 0) => INVALID_TYPE, "V-085", "device_tag", Buffer(0, 12);
    v_085_keeps_fe: on(0xFE, 0, 0);
    v_086_breaks: (0x03..=0xFF).map(|sync| on(1, sync, 0)).collect::<Vec<_>>()
        => INVALID_SYNC_MODE, "V-086", "sync_mode", Buffer(0, 13);
    v_086_keeps: [on(1, 0, 0), on(1, 1, 0), on(1, 2, 0)];
    v_087_breaks: [on(0, 1, 0), on(0, 2, 0)] => INVALID_SYNC_MODE, "V-087", "sync_mode", Buffer(0, 13);
    v_087_keeps: [on(0, 0, 0), on(8, 2, 0)];
    v_087_keeps_modes_that_differ:
        csr().everywhere([1, 0, 0]).put(Buffer(1, 13), 1u8).put(Buffer(2, 13), 2u8);
    v_088_breaks: (0x04..=0xEF).chain([0xFF]).map(|class| on(1, 0, class)).collect::<Vec<_>>()
        => INVALID_TYPE, "V-088", "memory_class", Buffer(0, 14);
    v_088_keeps: [on(1, 0, 0), on(1, 0, 3), on(0xF0, 0, 0xF0), on(0xFE, 0, 0xFE)];
    v_089_breaks_every_other_pair: pairs(false) => INVALID_DESCRIPTOR, "V-089", "memory_class", Buffer(0, 14);
    v_089_keeps_every_pair: pairs(true);
    v_090_breaks: [1u8, 0x80, 0xFF].map(|byte| plain().put(Buffer(0, 15), byte))
        => INVALID_DESCRIPTOR, "V-090", "reserved", Buffer(0, 15);
    v_090_breaks_last_entry: csr().put(Buffer(2, 15), 1u8)
        => INVALID_DESCRIPTOR, "V-090", "reserved", Buffer(2, 15);
    v_090_keeps_zero: csr();
    v_091_breaks: csr().put(Buffer(1, 12), 6u8)
        => BUFFER_MISMATCH, "V-091 L-042", "device_tag", Buffer(1, 12);
    v_091_breaks_parameters: per_channel().put(Buffer(2, 12), 3u8)
        => BUFFER_MISMATCH, "V-091 L-042", "device_tag", Buffer(2, 12);
    v_091_keeps_one_device: [csr().everywhere([6, 0, 0]), per_channel().everywhere([3, 0, 0])];
    v_092_breaks: csr().put(Buffer(2, 14), 2u8)
        => BUFFER_MISMATCH, "V-092 L-042", "memory_class", Buffer(2, 14);
    v_092_keeps_one_class: csr().everywhere([0, 0, 2]);
    v_093_keeps_to_the_byte: [
        plain(), plain().buffers(&[31]).offset(7), scalar(), Bytes::new(0x20, 0x01, &[3, 3], &[2]),
        Bytes::new(0x44, 0x01, &[5], &[6]), tiled(&[5, 6], &[2, 4], 48), morton(0x11, &[2, 8], &[1, 3], 44),
        hilbert(2, 2, &[4, 4], 16), private_integer(4, 2, 4), private_integer(16, 1, 16), coo(), csr(), csc(),
        csf().buffers(&[9, 16, 0, 8, 0, 8, 72]), paged(),
    ];
    v_093_keeps_larger: [plain().buffers(&[25]), csr().buffers(&[99; 3]), coo().buffers(&[u64::MAX; 2])];
    v_093_keeps_empty: [
        bytes_of(&[0, 5], 0), tiled(&[0, 6], &[2, 4], 0), morton(0x11, &[0, 2], &[1, 1], 0),
        Bytes::new(0x11, 0x07, &[4, 0], &[0, 0, 40]).payload(&[0; 16]), paged().shape(&[0, 2, 2]),
        csf().shape(&[3, 0, 5]).buffers(&[0, 16, 0, 8, 0, 8, 0]).put(Payload(0), 0u64),
    ];
}
