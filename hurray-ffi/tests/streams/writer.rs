//! Writers against streams composed by hand.

use crate::compose::*;
use crate::read::*;
use crate::status::*;
use crate::write::*;
use crate::{RELEASED, status};
use hurray::abi::*;
use std::sync::atomic::Ordering;

#[test]
fn bare_streams_are_the_composed_bytes() {
    for all in [vec![], vec![bytes_of(&[2, 3])], nested(), mixture(), vec![bytes_of(&[100_000])]] {
        for most in [1, 7, 1000, usize::MAX] {
            let writer = Writer::bare();
            for item in items(&all) {
                writer.put(&item).unwrap();
            }
            assert_eq!(
                writer.drain(most.max(all.iter().map(Desc::total).sum::<u64>() as usize / 2000)),
                bare(&all)
            );
        }
    }
}

/// The framed form with TENSOR_DATA that stays inside buffers and takes at most `frame` bytes.
fn frames(desc: &Desc, id: u32, frame: usize) -> Vec<u8> {
    let bytes = desc.data();
    let (mut out, mut at) = (desc.opening(id), 0);
    for Entry(size, ..) in &desc.buffers {
        for part in bytes[at..at + *size as usize].chunks(frame) {
            out.extend(data(id, at as u64, part));
            at += part.len();
        }
    }
    [out, end(id)].concat()
}

#[test]
fn framed_streams_are_the_composed_bytes() {
    for all in [vec![bytes_of(&[2, 3])], nested(), mixture(), vec![bytes_of(&[700_000])]] {
        let writer = Writer::framed(9, 0);
        for item in items(&all) {
            writer.put(&item).unwrap();
        }
        let wanted: Vec<u8> = all.iter().flat_map(|desc| frames(desc, 9, 256 << 10)).collect();
        assert_eq!(writer.drain(usize::MAX), wanted);
    }
    // The peer takes no more than 65536 bytes of payload: 65528 of data, cut at a multiple of 64.
    let writer = Writer::framed(1, 65536);
    let desc = bytes_of(&[200_000]);
    writer.put(&items(std::slice::from_ref(&desc))[0]).unwrap();
    let bytes = writer.drain(4096);
    assert_eq!(bytes, frames(&desc, 1, 65472));
    assert_eq!(read(&bytes, &[(8, 65536)], &Way::Windows(5000)).1, Ok(()));
}

#[test]
fn what_is_written_is_read() {
    for writer in [Writer::bare(), Writer::framed(1, 0)] {
        let all = [mixture(), mixture()].concat();
        for item in items(&all) {
            writer.put(&item).unwrap();
        }
        let (got, ended) = read(&writer.drain(usize::MAX), &[(READ_AHEAD, 65536)], &Way::Windows(4096));
        assert_eq!(ended, Ok(()));
        assert_eq!(got.into_iter().map(|(_, item)| item).collect::<Vec<_>>(), expected(&all));
    }
}

#[test]
fn one_gather_list_holds_many_small_tensors_and_large_bytes_where_they_are() {
    let writer = Writer::bare();
    let small = items(&[bytes_of(&[256])]);
    for _ in 0..150 {
        writer.put(&small[0]).unwrap();
    }
    assert_eq!(writer.chunks(8).unwrap().1, 1, "150 descriptors and their bytes in one piece");
    let data = vec![7; 4097];
    let large = tensor(&bytes_of(&[4097]), &data, &[]);
    writer.put(&large).unwrap();
    writer.put(&small[0]).unwrap();
    let mut slices = [const { HurraySlice { data: std::ptr::null(), len: 0 } }; 2];
    let mut count = 2;
    // SAFETY: a live handle; `count` is the room of `slices`.
    assert_eq!(unsafe { hurray_stream_writer_chunks(writer.0, slices.as_mut_ptr(), &raw mut count) }, 0);
    assert_eq!(count, 3, "more than there was room for");
    let (mut of, mut list, mut buffer, mut start) = Default::default();
    // SAFETY: live handles, outputs of this frame.
    unsafe {
        assert_eq!(hurray_item_tensor(large.0, &raw mut of), 0);
        assert_eq!(hurray_tensor_buffers(of, &raw mut list), 0);
        assert_eq!(hurray_buffer_list_get(list, 0, &raw mut buffer), 0);
        assert_eq!(hurray_buffer_data_ptr(buffer, &raw mut start), 0);
        assert_eq!(hurray_tensor_destroy(&raw mut of), 0);
    }
    assert_eq!((slices[1].data, slices[1].len), (start.cast_const().cast(), 4097), "not copied");
    // SAFETY: a live handle; a NULL array asks for the count.
    unsafe {
        let mut count = 0;
        assert_eq!(hurray_stream_writer_chunks(writer.0, std::ptr::null_mut(), &raw mut count), 0);
        assert_eq!(count, 3);
    }
}

#[test]
fn bytes_are_held_until_they_are_written() {
    let before = RELEASED.load(Ordering::SeqCst);
    let writer = Writer::bare();
    let data = vec![1; 10_000];
    let mut kept = Some(tensor(&bytes_of(&[10_000]), &data, &[]));
    writer.put(kept.as_ref().unwrap()).unwrap();
    kept = None;
    assert!(kept.is_none());
    let length = bytes_of(&[10_000]).bytes().len();
    assert_eq!(writer.advance(length + 9_999), Ok(0));
    assert_eq!(writer.chunks(9).unwrap().0.concat(), [1]);
    assert_eq!(writer.advance(2).unwrap_err().status, INVALID_ARGUMENT);
    assert_eq!(writer.advance(1), Ok(0));
    assert_eq!(writer.chunks(9).unwrap().1, 0);
    assert!(RELEASED.load(Ordering::SeqCst) > before);
}

#[test]
fn leads_are_neither_read_nor_written() {
    // 8 bytes of lead, then 6 elements: written as 6 bytes with offset 0.
    let mut desc = bytes_of(&[2, 3]);
    desc.buffers[0].0 = 14;
    let mut bytes = desc.bytes();
    bytes[36] = 8;
    let with_offset = Desc { buffers: desc.buffers.clone(), ..bytes_of(&[2, 3]) };
    let item = raw(&bytes, &[&[0xEE; 8][..], b"abcdef"].concat(), 14, 8);
    let writer = Writer::bare();
    writer.put(&item).unwrap();
    let mut wanted = bytes_of(&[2, 3]).bytes();
    wanted.extend(b"abcdef");
    assert_eq!(writer.drain(usize::MAX), wanted);
    assert_eq!(with_offset.total(), 14);
}

/// An item of one uint8 tensor from descriptor bytes, one buffer of this size and a lead.
fn raw(descriptor: &[u8], data: &[u8], size: u64, lead: u32) -> Item {
    let (mut list, mut buffer, mut of, mut out) = Default::default();
    // SAFETY: slices and live handles, outputs of this frame; the memory is never freed.
    unsafe {
        let memory = aligned(data).cast();
        assert_eq!(
            hurray_buffer_from_ptr(memory, size, 64, 0, 0, 0, None, std::ptr::null_mut(), &raw mut buffer),
            0
        );
        assert_eq!(hurray_buffer_set_lead(buffer, lead), 0);
        assert_eq!(hurray_buffer_list_new(1, &raw mut list), 0);
        assert_eq!(hurray_buffer_list_push(list, buffer), 0);
        let len = descriptor.len() as u64;
        assert_eq!(
            hurray_tensor_new(10, descriptor.as_ptr(), len, list, std::ptr::null_mut(), None, &raw mut of),
            0
        );
        assert_eq!(hurray_item_from_tensor(of, &raw mut out), 0);
        assert_eq!(hurray_tensor_destroy(&raw mut of), 0);
    }
    Item(out)
}

#[test]
fn compact_drops_what_no_element_reaches() {
    // Six elements in a buffer of 30 bytes, from byte 10 on.
    let mut desc = bytes_of(&[2, 3]);
    desc.buffers[0].0 = 30;
    let mut bytes = desc.bytes();
    bytes[36] = 10;
    let data: Vec<u8> = (0..30).collect();
    let item = raw(&bytes, &data, 30, 0);
    let whole = Writer::bare();
    whole.put(&item).unwrap();
    assert_eq!(
        whole.drain(usize::MAX),
        [bytes.clone(), data.clone()].concat(),
        "byte for byte without the option"
    );
    let compact = Writer::try_new(HURRAY_STREAM_BARE, 0, 0, &[(18, 1)]).unwrap();
    compact.put(&item).unwrap();
    assert_eq!(compact.drain(usize::MAX), [bytes_of(&[2, 3]).bytes(), data[10..16].to_vec()].concat());
}

#[test]
fn s_012_breaks_before_the_item_reaches_a_writer() {
    // A list that does not fit its descriptor makes no tensor, so no writer ever sees one.
    let desc = bytes_of(&[2, 3]).bytes();
    let (mut list, mut buffer, mut of) = Default::default();
    // SAFETY: slices and live handles, outputs of this frame.
    unsafe {
        assert_eq!(hurray_buffer_list_new(1, &raw mut list), 0);
        let mut join = || {
            hurray_tensor_new(
                10,
                desc.as_ptr(),
                desc.len() as u64,
                list,
                std::ptr::null_mut(),
                None,
                &raw mut of,
            )
        };
        assert_eq!(join(), BUFFER_MISMATCH, "too few");
        assert_eq!(hurray_buffer_alloc(5, 64, &raw mut buffer), 0);
        assert_eq!(hurray_buffer_list_push(list, buffer), 0);
        assert_eq!(join(), BUFFER_MISMATCH, "too short");
        assert_eq!(hurray_buffer_list_destroy(&raw mut list), 0);
    }
}

#[test]
fn s_012_keeps_to_the_declared_size() {
    // A buffer may be longer than declared; what is written is not.
    let item = raw(&bytes_of(&[2, 3]).bytes(), &[5; 64], 64, 0);
    let writer = Writer::bare();
    writer.put(&item).unwrap();
    assert_eq!(writer.drain(usize::MAX), [bytes_of(&[2, 3]).bytes(), vec![5; 6]].concat());
}

#[test]
fn s_013_breaks_nothing_that_was_put_before() {
    let good = items(&[bytes_of(&[10])]);
    // A group whose last member may not cross machines: not even its head goes out.
    let group = [head(3, 0, 2, &[]), bytes_of(&[9]), bytes_of(&[4]).on(1, 1, 0)];
    let bad = items(&group);
    for form in [HURRAY_STREAM_BARE, HURRAY_STREAM_FRAMED] {
        let writer = Writer::try_new(form, 1, 0, &[(10, 1)]).unwrap();
        writer.put(&good[0]).unwrap();
        let said = writer.put(&bad[0]).unwrap_err();
        assert_eq!((said.status, said.rule()), (INVALID_SYNC_MODE, "B-010"));
        for _ in 0..2 {
            assert_eq!(writer.put(&good[0]).unwrap_err(), said, "a writer stays in its error");
            assert_eq!(writer.chunks(1).unwrap_err(), said);
            assert_eq!(writer.advance(0).unwrap_err(), said);
        }
    }
    let device = bytes_of(&[4]).on(1, 0, 0);
    let hidden = items(std::slice::from_ref(&device));
    let writer = Writer::bare();
    writer.put(&hidden[0]).unwrap();
    assert_eq!(writer.drain(usize::MAX), device.bare());
}

#[test]
fn s_013_keeps_other_sync_modes_inside_one_machine() {
    let desc = bytes_of(&[4]).on(1, 1, 0);
    let writer = Writer::bare();
    writer.put(&items(std::slice::from_ref(&desc))[0]).unwrap();
    assert_eq!(writer.drain(usize::MAX), desc.bare());
}

#[test]
fn memory_that_the_host_cannot_read_is_not_written() {
    let mut desc = bytes_of(&[6]);
    desc.buffers[0].2 = [1, 0, 0];
    let bytes = desc.bytes();
    let (mut list, mut buffer, mut of, mut out) = Default::default();
    // SAFETY: slices and live handles, outputs of this frame; nobody looks behind the pointer.
    let item = unsafe {
        let nowhere = std::ptr::without_provenance_mut(4096);
        assert_eq!(
            hurray_buffer_from_ptr(nowhere, 6, 64, 1, 0, 0, None, std::ptr::null_mut(), &raw mut buffer),
            0
        );
        assert_eq!(hurray_buffer_list_new(1, &raw mut list), 0);
        assert_eq!(hurray_buffer_list_push(list, buffer), 0);
        let len = bytes.len() as u64;
        assert_eq!(
            hurray_tensor_new(10, bytes.as_ptr(), len, list, std::ptr::null_mut(), None, &raw mut of),
            0
        );
        assert_eq!(hurray_item_from_tensor(of, &raw mut out), 0);
        assert_eq!(hurray_tensor_destroy(&raw mut of), 0);
        Item(out)
    };
    assert_eq!(Writer::bare().put(&item).unwrap_err().status, UNSUPPORTED);
}

#[test]
fn a_descriptor_longer_than_the_peers_messages_is_refused_here() {
    // CSR does not get long; a group head of rank 64 and many buffers would not either. Private layouts do.
    let payload = [&7u64.to_le_bytes()[..], &70_000u32.to_le_bytes(), &vec![1; 70_000]].concat();
    let desc = Desc { layout: 0xF1, payload, ..bytes_of(&[4]) };
    let bytes = desc.bytes();
    let (mut descriptor, mut list, mut buffer, mut of, mut out) = Default::default();
    // SAFETY: slices and live handles, outputs of this frame.
    let item = unsafe {
        assert_eq!(hurray_descriptor_decode_with(bytes.as_ptr(), bytes.len(), 1, &raw mut descriptor), 0);
        assert_eq!(hurray_buffer_alloc(4, 64, &raw mut buffer), 0);
        assert_eq!(hurray_buffer_list_new(1, &raw mut list), 0);
        assert_eq!(hurray_buffer_list_push(list, buffer), 0);
        assert_eq!(
            hurray_tensor_from_descriptor(descriptor, list, std::ptr::null_mut(), None, &raw mut of),
            0
        );
        assert_eq!(hurray_item_from_tensor(of, &raw mut out), 0);
        assert_eq!(hurray_tensor_destroy(&raw mut of), 0);
        assert_eq!(hurray_descriptor_destroy(&raw mut descriptor), 0);
        Item(out)
    };
    let said = Writer::framed(1, 65536).put(&item).unwrap_err();
    assert_eq!((said.status, said.rule()), (LIMIT_EXCEEDED, "S-104"));
    let writer = Writer::framed(1, 0);
    writer.put(&item).unwrap();
    let (got, ended) = read(&writer.drain(usize::MAX), &[(1, 1)], &Way::Windows(3000));
    assert_eq!((got.len(), ended), (1, Ok(())));
}

#[test]
fn writers_that_cannot_be() {
    for (form, id, most) in [(0, 1, 0), (3, 1, 0), (2, 0, 0), (2, 1, 1), (2, 1, 65535)] {
        let said = Writer::try_new(form, id, most, &[]).err().expect("a refusal");
        assert_eq!(said.status, status::INVALID_ARGUMENT);
    }
    assert!(Writer::try_new(2, 1, 65536, &[]).is_ok());
}
