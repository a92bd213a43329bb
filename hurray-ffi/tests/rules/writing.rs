//! L-023, L-035, Q-034, B-010: what writers refuse and readers take. L-067: a file that ends between members.

use crate::support::bytes::{Bytes, Wire};
use crate::support::call::{Memory, Refusal, memory, outcome, tensor};
use crate::support::samples::*;
use crate::support::status;
use hurray::abi::*;
use std::ptr::{null, null_mut};

/// Puts a tensor of this descriptor into a file in memory and into a stream; its buffers have the sizes given.
fn write(descriptor: &Bytes, sizes: &[u64], partial_blocks: u64) -> Result<(), Refusal> {
    let buffers: Vec<Memory> = sizes.iter().map(|&size| memory(size)).collect();
    let made = tensor(&descriptor.own(), &buffers).expect("a reader takes it");
    let (mut item, mut writer, mut stream, mut options) = (null_mut(), null_mut(), null_mut(), null_mut());
    // SAFETY: live handles and outputs of this frame.
    unsafe {
        assert_eq!(hurray_item_from_tensor(made.0, &raw mut item), status::OK);
        assert_eq!(hurray_options_new(&raw mut options), status::OK);
        let asked = hurray_options_set_u64(options, HURRAY_OPTION_PARTIAL_BLOCKS, partial_blocks);
        assert_eq!(asked, status::OK);
        assert_eq!(hurray_file_writer_to_memory(options, &raw mut writer), status::OK);
        let made = hurray_stream_writer_new(HURRAY_STREAM_BARE, 0, 0, options, &raw mut stream);
        assert_eq!(made, status::OK);
        let put = outcome(hurray_file_writer_put(writer, c"x".as_ptr(), 1, item));
        assert_eq!(outcome(hurray_stream_writer_put(stream, item)), put);
        hurray_stream_writer_destroy(&raw mut stream);
        hurray_file_writer_destroy(&raw mut writer);
        hurray_options_destroy(&raw mut options);
        hurray_item_destroy(&raw mut item);
        put
    }
}

fn breaks(rule: &str, status: i32, descriptor: &Bytes, sizes: &[u64]) {
    let refusal = write(descriptor, sizes, 0).expect_err(rule);
    assert_eq!((refusal.rule(), refusal.status), (rule, status), "{refusal:?}");
}

fn keeps(descriptor: &Bytes, sizes: &[u64]) {
    write(descriptor, sizes, 0).expect("written");
}

/// A tile of `[4]` with a nested one.
fn nested_tile(inner: u64, size: u64) -> Bytes {
    Bytes::new(0x11, 0x04, &[4], &[size]).payload(&tile(&[4], 1, 4, &tile(&[inner], 1, 1, &[])))
}

/// Tiles of `[2]` whose two elements lie `stride` apart.
fn strided_tile(stride: i64, size: u64) -> Bytes {
    Bytes::new(0x11, 0x04, &[4], &[size]).payload(&tile(&[2], 1, 3, &[stride].wire()))
}

#[test]
fn l_023_breaks_undivided() {
    breaks("L-023", status::INVALID_LAYOUT, &nested_tile(3, 6), &[6]);
}

#[test]
fn l_023_breaks_beyond_the_tile() {
    breaks("L-023", status::INVALID_LAYOUT, &strided_tile(2, 5), &[5]);
}

#[test]
fn l_023_keeps() {
    keeps(&nested_tile(2, 4), &[4]);
    keeps(&nested_tile(4, 4), &[4]);
    keeps(&strided_tile(1, 4), &[4]);
}

#[test]
fn l_035_breaks() {
    // The statistics of the sample count 29 entries, the layout 8.
    breaks("L-035", status::INVALID_DESCRIPTOR, &csr().stats(1), &[32, 64, 40]);
}

#[test]
fn l_035_keeps_without_the_count() {
    keeps(&csr().stats(2), &[32, 64, 40]);
    keeps(&csr(), &[32, 64, 40]);
}

#[test]
fn q_034_breaks() {
    // Six elements in blocks of four, on the faster axis of two.
    breaks("Q-034", status::UNSUPPORTED, &per_block(), &[6, 8]);
}

#[test]
fn q_034_keeps_what_is_asked_for() {
    write(&per_block(), &[6, 8], 1).expect("written");
}

#[test]
fn q_034_keeps_where_the_readings_agree() {
    // On the slower axis: [6, 2] in blocks of four on axis 0 has 2 x 2 scales.
    let mut payload =
        crate::support::bytes::hex("03 01 01 00 00 00 00 00 04 00 00 00 01 00 00 00 FF FF FF FF 01 00 00 00");
    keeps(&Bytes::new(0x48, 0x01, &[6, 2], &[6, 8]).quant(&payload), &[6, 8]);
    // Whole blocks, on the faster axis: [2, 8] has 2 x 2 scales.
    payload[4] = 1;
    keeps(&Bytes::new(0x48, 0x01, &[2, 8], &[8, 8]).quant(&payload), &[8, 8]);
}

/// Puts four bytes of a kind (device, sync mode, memory class) into a stream that leaves the machine, or does not.
fn send(kind: [u8; 3], cross_machine: u64) -> Result<(), Refusal> {
    let descriptor = Bytes::new(0x11, 0x01, &[4], &[4]).everywhere(kind);
    let made = tensor(&descriptor.own(), &[Memory { kind, ..memory(4) }]).expect("a tensor");
    let (mut item, mut stream, mut options) = (null_mut(), null_mut(), null_mut());
    // SAFETY: live handles and outputs of this frame.
    unsafe {
        assert_eq!(hurray_item_from_tensor(made.0, &raw mut item), status::OK);
        assert_eq!(hurray_options_new(&raw mut options), status::OK);
        let asked = hurray_options_set_u64(options, HURRAY_OPTION_CROSS_MACHINE, cross_machine);
        assert_eq!(asked, status::OK);
        let made = hurray_stream_writer_new(HURRAY_STREAM_BARE, 0, 0, options, &raw mut stream);
        assert_eq!(made, status::OK);
        let put = outcome(hurray_stream_writer_put(stream, item));
        hurray_stream_writer_destroy(&raw mut stream);
        hurray_options_destroy(&raw mut options);
        hurray_item_destroy(&raw mut item);
        put
    }
}

#[test]
fn b_010_breaks() {
    for sync in [1, 2] {
        let refusal = send([1, sync, 0], 1).expect_err("a sync mode that may not travel");
        assert_eq!((refusal.rule(), refusal.status), ("B-010", status::INVALID_SYNC_MODE), "{refusal:?}");
    }
}

#[test]
fn b_010_keeps() {
    send([0, 0, 0], 1).expect("sent");
    // Inside the machine it is not the mode that is refused, but memory that the host cannot read.
    assert_eq!(send([1, 1, 0], 0).expect_err("device memory").status, status::UNSUPPORTED);
}

/// Opens a file of a head of a group and what follows it, and asks for the composite.
fn composite(members: u32, there: usize) -> Result<(), Refusal> {
    let bytes = file_of(members, there);
    let (mut buffer, mut reader, mut item, mut data) = (null_mut(), null_mut(), null_mut(), null_mut());
    // SAFETY: live handles and outputs of this frame; the buffer has the bytes' size.
    unsafe {
        assert_eq!(hurray_buffer_alloc(bytes.len() as u64, 4096, &raw mut buffer), status::OK);
        assert_eq!(hurray_buffer_data_ptr(buffer, &raw mut data), status::OK);
        std::ptr::copy_nonoverlapping(bytes.as_ptr(), data.cast(), bytes.len());
        assert_eq!(hurray_file_reader_open_buffer(buffer, null(), &raw mut reader), status::OK);
        let found = outcome(hurray_file_reader_item(reader, 0, &raw mut item));
        hurray_item_destroy(&raw mut item);
        hurray_file_reader_destroy(&raw mut reader);
        hurray_buffer_destroy(&raw mut buffer);
        found
    }
}

/// A file without a checksum: a head, then scalars.
fn file_of(members: u32, there: usize) -> Vec<u8> {
    let mut file = b"HRRYFILE\x01\0\0\0\0\0\0\0\0\x10\0\0".to_vec();
    file.extend([64u64, u64::MAX].wire());
    file.resize(64, 0);
    let mut index = (1 + there as u64).wire();
    let mut entry = |name: u8, descriptor: u64, length: usize, data: u64, bytes: u64| {
        index.extend([1, 0, name]);
        index.extend(descriptor.wire());
        index.extend((length as u32).wire());
        index.extend([data, bytes].wire());
        index.extend([0; 4]);
    };
    let pad = |file: &mut Vec<u8>, to: usize| file.resize(file.len().next_multiple_of(to), 0);
    let head = head(3, 0, members, &[]).own();
    entry(b'h', 64, head.len(), 0, 0);
    file.extend(head);
    for k in 0..there {
        pad(&mut file, 8);
        let descriptor = scalar().own();
        let at = file.len();
        file.extend(&descriptor);
        pad(&mut file, 4096);
        entry(b'a' + k as u8, at as u64, descriptor.len(), file.len() as u64, 4);
        file.extend([0; 4]);
    }
    pad(&mut file, 8);
    let at = file.len() as u64;
    let length = index.len() as u64;
    file.extend(index);
    file.extend([at, length, 0, 0].wire());
    file.extend(b"\0\0\0\0HRRY");
    file
}

#[test]
fn l_067_breaks() {
    for (members, there) in [(1, 0), (3, 2)] {
        let refusal = composite(members, there).expect_err("torn");
        assert_eq!((refusal.rule(), refusal.status), ("F-051", status::TORN), "{refusal:?}");
    }
}

#[test]
fn l_067_keeps() {
    composite(0, 0).expect("whole");
    composite(2, 2).expect("whole");
    composite(2, 3).expect("whole, and a tensor behind it");
}
