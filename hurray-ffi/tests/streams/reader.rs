//! What a reader gives, and what it says beside items.

use crate::compose::*;
use crate::read::*;
use crate::status;
use hurray::abi::*;
use std::ptr::null_mut;

fn one() -> Desc {
    bytes_of(&[2, 3])
}

#[test]
fn bare_streams_give_their_items() {
    for all in [vec![], vec![bytes_of(&[2, 3])], nested(), mixture()] {
        let (items, ended) = read_all_ways(&bare(&all), &[]);
        assert_eq!(ended, Ok(()));
        assert_eq!(items, expected(&all).into_iter().map(|item| (0, item)).collect::<Vec<_>>());
    }
}

#[test]
fn framed_streams_give_their_items_and_stream_ids() {
    for all in [vec![bytes_of(&[2, 3])], nested(), mixture()] {
        let (items, ended) = read_all_ways(&framed(&all, 7), &[]);
        assert_eq!(ended, Ok(()));
        assert_eq!(items, expected(&all).into_iter().map(|item| (7, item)).collect::<Vec<_>>());
    }
}

#[test]
fn the_examples_of_the_specification() {
    // stream.md section 7: float32 [2,3] with the values 1 to 6, bare and framed.
    let desc = Desc { type_tag: 3, buffers: vec![Entry(24, 64, [0; 3])], ..bytes_of(&[2, 3]) };
    let values: Vec<u8> = (1..=6).flat_map(|n| (n as f32).to_le_bytes()).collect();
    let bytes = [desc.bytes(), values.clone()].concat();
    assert_eq!(bytes.len(), 85);
    let wanted = Got::Tensor(desc.bytes(), vec![values.clone()]);
    assert_eq!(read_all_ways(&bytes, &[]), (vec![(0, wanted.clone())], Ok(())));
    let bytes = [desc.opening(1), data(1, 0, &values), end(1)].concat();
    assert_eq!(bytes.len(), 145);
    assert_eq!(read_all_ways(&bytes, &[]), (vec![(1, wanted)], Ok(())));
}

#[test]
fn stream_ids_interleave_message_by_message() {
    let (a, b) = (bytes_of(&[10]), nested());
    let mut of_b: Vec<Vec<u8>> = Vec::new();
    for desc in &b {
        of_b.push(desc.opening(u32::MAX));
        let bytes = desc.data();
        for (index, part) in bytes.chunks(9).enumerate() {
            of_b.push(data(u32::MAX, 9 * index as u64, part));
        }
        of_b.push(end(u32::MAX));
    }
    let mut stream = a.opening(5);
    for (index, message) in of_b.into_iter().enumerate() {
        stream.extend(message);
        if index < 10 {
            stream.extend(data(5, index as u64, &a.data()[index..=index]));
        }
    }
    stream.extend(end(5));
    let (items, ended) = read_all_ways(&stream, &[]);
    assert_eq!(ended, Ok(()));
    let wanted = [(u32::MAX, expected(&b).remove(0)), (5, expected(&[a]).remove(0))];
    assert_eq!(items, wanted);
}

#[test]
fn frames_may_cross_buffers() {
    let desc = csr();
    for size in 1..=60 {
        let mut stream = desc.opening(3);
        for (index, part) in desc.data().chunks(size).enumerate() {
            stream.extend(data(3, (index * size) as u64, part));
        }
        stream.extend(end(3));
        assert_eq!(read(&stream, &[], &Way::Windows(100)), (vec![(3, expected(&[csr()]).remove(0))], Ok(())));
    }
}

#[test]
fn pings_are_answered_between_any_two_messages() {
    let desc = bytes_of(&[2, 3]);
    let long: Vec<u8> = (0..100).collect();
    let stream = [
        message(10, 0, b""),
        desc.opening(1),
        message(10, 9, b"abc"),
        data(1, 0, &desc.data()),
        message(11, 4, &long),
        message(10, 1, &long),
        end(1),
        message(11, 0, b""),
    ]
    .concat();
    assert_eq!(read_all_ways(&stream, &[]).1, Ok(()));
    let reader = Reader::new(&[]);
    let mut rest = &stream[..];
    while !rest.is_empty() {
        rest = &rest[reader.feed(rest).unwrap()..];
        reader.next().unwrap();
    }
    let owed = [message(11, 0, b""), message(11, 9, b"abc"), message(11, 1, &long[..64])].concat();
    let mut len = 3;
    // SAFETY: a live handle; nothing is written to a short array.
    let short = unsafe { hurray_stream_reader_reply(reader.0, [0u8; 3].as_mut_ptr(), &raw mut len) };
    assert_eq!((short, len), (status::BUFFER_TOO_SMALL, owed.len()));
    assert_eq!(reader.reply(), owed);
    assert_eq!(reader.reply(), b"", "owed once");
    // A peer that only ever pings costs no more than a bounded answer.
    for _ in 0..100_000 {
        assert_eq!(reader.feed(&message(10, 1, &long[..64])), Ok(76));
    }
    assert!(reader.reply().len() < 70_000);
}

#[test]
fn an_error_of_the_peer_ends_its_stream_id_alone() {
    let (a, b) = (bytes_of(&[10]), bytes_of(&[4]));
    let stream = [a.opening(1), b.opening(2), error(1, 8, "no such shard \u{e9}".as_bytes())].concat();
    let reader = Reader::new(&[]);
    assert_eq!(reader.feed(&stream), Ok(stream.len()));
    let said = reader.next().err().expect("the peer's error");
    assert_eq!(said.status, status::UNSUPPORTED);
    assert!(said.text.contains("code 8: no such shard \u{e9}"), "{said:?}");
    assert_eq!(reader.next_status().unwrap().err(), Some(status::NEED_MORE), "said once where it was sent");
    assert_eq!(reader.reply(), b"", "an error is not answered with one");
    assert_eq!(reader.feed(&[data(2, 0, &b.data()), end(2)].concat()), Ok(20 + 4 + 12));
    assert_eq!(reader.next().unwrap().unwrap().got(), expected(&[b]).remove(0));
    assert_eq!(reader.finish(), Ok(0), "what the peer gave up is not torn");
    assert_eq!(reader.next().err(), Some(said));
}

#[test]
fn stream_ids_that_errors_ended_take_no_place() {
    let errors: Vec<u8> = (1..=1000).flat_map(|id| error(id, 8, b"gone")).collect();
    let reader = Reader::new(&[(9, 1)]);
    let mut rest = &errors[..];
    while !rest.is_empty() {
        rest = &rest[reader.feed(rest).unwrap()..];
        while reader.next().is_err() {}
    }
    reader.feed(&one().framed(2000)).unwrap();
    assert!(reader.next().unwrap().is_some());
    reader.feed(&end(777)).unwrap_err();
    assert_eq!(reader.next().err().unwrap().rule(), "S-118");
}

#[test]
fn what_broke_a_framed_stream_is_told_to_the_peer() {
    let reader = Reader::new(&[]);
    let said = reader.feed(&end(6)).unwrap_err();
    assert_eq!(said.rule(), "S-111");
    let reply = reader.reply();
    assert_eq!(reply[..8], [9, 0, 0, 0, 6, 0, 0, 0]);
    assert_eq!(reply[12..16], [6, 0, 0, 0], "INVALID_MESSAGE");
    let text = std::str::from_utf8(&reply[20..]).unwrap();
    assert!(text.starts_with("S-111: "), "{text}");
    assert_eq!(reply.len() - 12, u32::from_le_bytes(reply[8..12].try_into().unwrap()) as usize);
    assert_eq!(text.len(), u32::from_le_bytes(reply[16..20].try_into().unwrap()) as usize);
    let reader = Reader::new(&[(8, 65536)]);
    let long = [4u32, 1, 65537].iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>();
    assert_eq!(reader.feed(&long).unwrap_err().rule(), "S-104");
    assert_eq!(reader.reply()[12..16], [7, 0, 0, 0], "MESSAGE_TOO_LARGE");
    let reader = Reader::new(&[(20, 1)]);
    assert_eq!(reader.feed(&one().on(1, 0, 0).framed(3)).unwrap_err().status, status::UNSUPPORTED);
    assert_eq!(reader.reply()[12..16], [5, 0, 0, 0], "DEVICE_UNAVAILABLE");
    let bare = Reader::new(&[]);
    assert!(bare.feed(b"HRRX").is_err());
    assert_eq!(bare.reply(), b"", "a bare stream has no messages");
}

#[test]
fn nothing_past_the_item_is_asked_for() {
    for (bytes, first) in [
        (bare(&mixture()), bytes_of(&[2, 3]).bare().len()),
        (framed(&mixture(), 1), bytes_of(&[2, 3]).framed(1).len()),
    ] {
        let reader = Reader::new(&[]);
        let mut at = 0;
        let item = loop {
            let window = reader.window().unwrap();
            assert!(at + window.len() <= first, "{} bytes at {at}", window.len());
            window.copy_from_slice(&bytes[at..at + window.len()]);
            at += window.len();
            let n = window.len();
            reader.advance(n).unwrap();
            if let Some(item) = reader.next().unwrap() {
                break item;
            }
        };
        assert_eq!(at, first);
        assert_eq!(item.got(), expected(&[bytes_of(&[2, 3])]).remove(0));
        assert_eq!(reader.unread(), b"");
    }
}

#[test]
fn one_window_holds_many_small_items() {
    let all: Vec<Desc> = (0..50).map(|n| bytes_of(&[n])).collect();
    let bytes = [bare(&all), b"HRRY\x01".to_vec()].concat();
    let reader = Reader::new(&[(READ_AHEAD, 65536)]);
    let window = reader.window().unwrap();
    assert!(window.len() >= bytes.len());
    window[..bytes.len()].copy_from_slice(&bytes);
    reader.advance(bytes.len()).unwrap();
    for item in expected(&all) {
        assert_eq!(reader.next().unwrap().unwrap().got(), item);
    }
    assert_eq!(reader.next_status().unwrap().err(), Some(status::NEED_MORE));
    assert_eq!(reader.unread(), b"HRRY\x01", "read ahead, and no item's");
    let said = reader.finish().unwrap_err();
    assert_eq!((said.status, said.rule(), said.offset), (status::TRUNCATED, "S-001", bytes.len() as u64));
}

#[test]
fn items_that_arrived_before_the_end_come_first() {
    let bytes = [bare(&[bytes_of(&[9]), bytes_of(&[8])]), b"HR".to_vec()].concat();
    let reader = Reader::new(&[(READ_AHEAD, 4096)]);
    let window = reader.window().unwrap();
    window[..bytes.len()].copy_from_slice(&bytes);
    reader.advance(bytes.len()).unwrap();
    assert_eq!(reader.finish(), Ok(0));
    assert_eq!(reader.window().unwrap(), b"");
    assert_eq!(reader.advance(1).unwrap_err().status, status::INVALID_ARGUMENT);
    assert!(reader.next().unwrap().is_some() && reader.next().unwrap().is_some());
    assert_eq!(reader.next().err().map(|said| said.status), Some(status::TRUNCATED));
}

#[test]
fn bytes_after_the_end_are_refused() {
    let reader = Reader::new(&[]);
    assert_eq!(reader.finish(), Ok(0));
    assert_eq!(reader.feed(b"H").unwrap_err().status, status::INVALID_ARGUMENT);
    assert_eq!(reader.next_status().unwrap().err(), Some(status::END), "and do no harm");
}

#[test]
fn more_than_the_window_is_refused_and_harmless() {
    let reader = Reader::new(&[]);
    assert_eq!(reader.advance(1).unwrap_err().status, status::INVALID_ARGUMENT, "no window yet");
    let size = reader.window().unwrap().len();
    assert_eq!(reader.advance(size + 1).unwrap_err().status, status::INVALID_ARGUMENT);
    assert_eq!(reader.advance(0), Ok(0));
    let bytes = bytes_of(&[3]).bare();
    assert_eq!(reader.feed(&bytes), Ok(bytes.len()));
    assert!(reader.next().unwrap().is_some());
}

/// The descriptor that `pending` gives.
pub fn pending(reader: &Reader) -> Result<Vec<u8>, i32> {
    let mut descriptor = std::ptr::dangling_mut();
    // SAFETY: a live handle, outputs of this frame; the descriptor is borrowed until the next call on the reader.
    unsafe {
        let got = hurray_stream_reader_pending(reader.0, &raw mut descriptor);
        assert_eq!(got != 0, descriptor.is_null());
        if got != 0 {
            return Err(got);
        }
        let (mut bytes, mut len) = (vec![0; 4096], 4096);
        assert_eq!(hurray_descriptor_encode(descriptor, bytes.as_mut_ptr(), &raw mut len), 0);
        assert_eq!(hurray_descriptor_destroy(&raw mut descriptor), -26, "borrowed");
        bytes.truncate(len);
        Ok(bytes)
    }
}

#[test]
fn pending_describes_what_arrives() {
    let reader = Reader::new(&[]);
    assert_eq!(pending(&reader), Err(status::NEED_MORE));
    let desc = bytes_of(&[2, 3]);
    reader.feed(&desc.bytes()).unwrap();
    assert_eq!(pending(&reader), Ok(desc.bytes()));
    reader.feed(&desc.data()[..5]).unwrap();
    assert_eq!(pending(&reader), Ok(desc.bytes()));
    reader.feed(&desc.data()[5..]).unwrap();
    assert_eq!(pending(&reader), Err(status::NEED_MORE), "an item waits");
    assert!(reader.next().unwrap().is_some());
    assert_eq!(pending(&reader), Err(status::NEED_MORE));
}

#[test]
fn the_caller_gives_the_memory() {
    for ahead in [0, 65536] {
        let all = [csr(), bytes_of(&[4])];
        let bytes = bare(&all);
        let reader = Reader::new(&[(READ_AHEAD, ahead)]);
        let mut at = 0;
        while pending(&reader) == Err(status::NEED_MORE) {
            let window = reader.window().unwrap();
            let n = window.len().min(bytes.len() - at);
            window[..n].copy_from_slice(&bytes[at..at + n]);
            at += n;
            reader.advance(n).unwrap();
        }
        let mut given = null_mut();
        // SAFETY: outputs of this frame, then live handles, ended once; NULL where a test of it is meant.
        unsafe {
            assert_eq!(hurray_buffer_alloc(24, 64, &raw mut given), 0);
            let provide = |index, buffer| hurray_stream_reader_provide_buffer(reader.0, index, buffer);
            assert_eq!(provide(3, given), status::INDEX_OUT_OF_BOUNDS);
            assert_eq!(provide(1, std::ptr::null_mut()), -6);
            let mut short = null_mut();
            assert_eq!(hurray_buffer_alloc(23, 64, &raw mut short), 0);
            assert_eq!(provide(1, short), status::BUFFER_MISMATCH);
            assert_eq!(hurray_buffer_destroy(&raw mut short), 0);
            let mut only_read = null_mut();
            assert_eq!(hurray_buffer_alloc(64, 64, &raw mut only_read), 0);
            assert_eq!(hurray_buffer_set_flags(only_read, HURRAY_BUFFER_READ_ONLY), 0);
            assert_eq!(provide(1, only_read), status::BUFFER_MISMATCH);
            assert_eq!(hurray_buffer_destroy(&raw mut only_read), 0);
            // The first 32 bytes are not the giver's: what is left is long enough, and not aligned.
            let mut led = null_mut();
            assert_eq!(hurray_buffer_alloc(64, 64, &raw mut led), 0);
            assert_eq!(hurray_buffer_set_lead(led, 32), 0);
            assert_eq!(provide(1, led), status::BUFFER_MISMATCH);
            assert_eq!(hurray_buffer_destroy(&raw mut led), 0);
            assert_eq!(provide(1, given), 0);
        }
        let mut items = Vec::new();
        while items.len() < 2 {
            if let Some(item) = reader.next().unwrap() {
                items.push(item);
                continue;
            }
            let window = reader.window().unwrap();
            let n = window.len().min(bytes.len() - at);
            window[..n].copy_from_slice(&bytes[at..at + n]);
            at += n;
            reader.advance(n).unwrap();
        }
        assert_eq!(items.iter().map(Item::got).collect::<Vec<_>>(), expected(&all));
        // SAFETY: live handles, ended once; the memory is the caller's own.
        unsafe {
            let mut data = null_mut();
            assert_eq!(hurray_buffer_data_ptr(given, &raw mut data), 0);
            let there = std::slice::from_raw_parts(data.cast::<u8>(), 24);
            assert_eq!(there, &csr().data()[12..36], "the bytes are where the caller wanted them");
            let (mut tensor, mut list, mut buffer, mut of_tensor) =
                (null_mut(), null_mut(), null_mut(), null_mut());
            assert_eq!(hurray_item_tensor(items[0].0, &raw mut tensor), 0);
            assert_eq!(hurray_tensor_buffers(tensor, &raw mut list), 0);
            assert_eq!(hurray_buffer_list_get(list, 1, &raw mut buffer), 0);
            assert_eq!(hurray_buffer_data_ptr(buffer, &raw mut of_tensor), 0);
            assert_eq!(of_tensor, data, "and the tensor shares them");
            assert_eq!(hurray_tensor_destroy(&raw mut tensor), 0);
            assert_eq!(hurray_buffer_destroy(&raw mut given), 0);
        }
    }
}

#[test]
fn a_window_ends_with_the_next_call() {
    let desc = bytes_of(&[9]);
    let mut given = null_mut();
    // SAFETY: an output of this frame, then a live handle, ended once.
    unsafe { assert_eq!(hurray_buffer_alloc(64, 64, &raw mut given), 0) };
    // Memory is given after the window: no byte of it has arrived.
    let reader = Reader::new(&[]);
    reader.feed(&desc.bytes()).unwrap();
    let window = reader.window().unwrap();
    window.copy_from_slice(&desc.data());
    // SAFETY: live handles.
    assert_eq!(unsafe { hurray_stream_reader_provide_buffer(reader.0, 0, given) }, 0);
    assert_eq!(reader.advance(desc.data().len()).unwrap_err().status, status::INVALID_ARGUMENT);
    reader.feed(&desc.data()).unwrap();
    assert_eq!(reader.next().unwrap().unwrap().got(), expected(std::slice::from_ref(&desc)).remove(0));
    // What was read ahead is used by the call after the window, and its place is free again.
    let reader = Reader::new(&[(READ_AHEAD, 4096)]);
    let first = [desc.bytes(), desc.data(), desc.bytes()].concat();
    let window = reader.window().unwrap();
    window[..first.len()].copy_from_slice(&first);
    reader.advance(first.len()).unwrap();
    assert!(!reader.window().unwrap().is_empty());
    assert!(reader.next().unwrap().is_some());
    assert!(reader.next().unwrap().is_none());
    assert_eq!(reader.advance(desc.data().len()).unwrap_err().status, status::INVALID_ARGUMENT);
    reader.feed(&desc.data()).unwrap();
    assert_eq!(reader.next().unwrap().unwrap().got(), expected(&[desc]).remove(0));
    // SAFETY: a live handle, ended once.
    unsafe { assert_eq!(hurray_buffer_destroy(&raw mut given), 0) };
}

#[test]
fn memory_cannot_be_given_once_bytes_have_arrived() {
    let reader = Reader::new(&[]);
    let mut given = null_mut();
    // SAFETY: an output of this frame, then a live handle, ended once.
    unsafe { assert_eq!(hurray_buffer_alloc(64, 64, &raw mut given), 0) };
    // SAFETY: live handles.
    let provide = || unsafe { hurray_stream_reader_provide_buffer(reader.0, 0, given) };
    assert_eq!(provide(), status::INVALID_ARGUMENT, "nothing arrives");
    let desc = bytes_of(&[9]);
    reader.feed(&desc.bytes()).unwrap();
    assert_eq!(provide(), 0);
    assert_eq!(provide(), 0, "given anew");
    reader.feed(&desc.data()[..1]).unwrap();
    assert_eq!(provide(), status::INVALID_ARGUMENT);
    reader.feed(&desc.data()[1..]).unwrap();
    assert_eq!(provide(), status::INVALID_ARGUMENT, "an item waits");
    assert_eq!(reader.next().unwrap().unwrap().got(), expected(&[desc]).remove(0));
    // SAFETY: a live handle, ended once.
    unsafe { assert_eq!(hurray_buffer_destroy(&raw mut given), 0) };
}

#[test]
fn device_bytes_are_delivered_as_host_bytes_or_refused() {
    let desc = bytes_of(&[6]).on(1, 0, 0);
    assert_eq!(
        read_all_ways(&desc.bare(), &[]),
        (vec![(0, expected(std::slice::from_ref(&desc)).remove(0))], Ok(()))
    );
    let (items, ended) = read_all_ways(&desc.bare(), &[(20, 1)]);
    assert!(items.is_empty());
    assert_eq!(ended.unwrap_err().status, status::UNSUPPORTED);
    assert_eq!(read_all_ways(&bytes_of(&[6]).bare(), &[(20, 1)]).1, Ok(()));
}

#[test]
fn a_permissive_reader_keeps_whole_members_of_a_torn_composite() {
    let all = nested();
    let (items, ended) = read_all_ways(&bare(&all[..4]), &[(1, 1)]);
    assert_eq!(ended.unwrap_err().status, status::TORN);
    assert_eq!(items, [(0, expected(&all[1..2]).remove(0)), (0, expected(&all[3..4]).remove(0))]);
    let (items, ended) = read_all_ways(&framed(&all[..4], 2), &[(1, 1)]);
    assert_eq!(ended.unwrap_err().status, status::TORN);
    assert_eq!(items, [(2, expected(&all[1..2]).remove(0)), (2, expected(&all[3..4]).remove(0))]);
}

#[test]
fn options_a_reader_cannot_have() {
    let options = options(&[(8, 65535)]);
    let mut out = std::ptr::dangling_mut();
    // SAFETY: live options, an output of this frame.
    assert_eq!(unsafe { hurray_stream_reader_new(options.0, &raw mut out) }, status::INVALID_ARGUMENT);
    assert!(out.is_null());
}
