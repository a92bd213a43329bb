//! Descriptors that come without a tensor: unknown layouts, which a permissive reader passes (stream.md section 1), and
//! the heads of composites that are read part by part.

use crate::compose::*;
use crate::read::*;
use crate::reader::pending;
use crate::status;
use hurray::abi::*;
use std::ptr::{null, null_mut};

const PERMISSIVE: (u32, u64) = (1, 1);
const FLAT: (u32, u64) = (27, 1);

/// Three buffers behind a layout that no version has.
fn unknown() -> Desc {
    Desc { layout: 0x30, ..csr() }
}

fn whole(desc: &Desc) -> Got {
    expected(std::slice::from_ref(desc)).remove(0)
}

#[test]
fn a_strict_reader_refuses_an_unknown_layout() {
    for bytes in [unknown().bare(), unknown().framed(1)] {
        let (items, ended) = read_all_ways(&bytes, &[]);
        assert!(items.is_empty());
        assert_eq!(ended.unwrap_err().status, status::INVALID_LAYOUT);
    }
}

#[test]
fn a_bare_stream_hands_the_descriptor_out_and_ends() {
    let first = bytes_of(&[3]);
    for rest in [&[][..], b"\x01", &bytes_of(&[2]).bare()] {
        let bytes = [&first.bare(), &unknown().bytes()[..], rest].concat();
        let (items, ended) = read_all_ways(&bytes, &[PERMISSIVE]);
        assert_eq!(items, [(0, whole(&first)), (0, Got::Alone(unknown().bytes(), None))]);
        let refusal = ended.unwrap_err();
        assert_eq!((refusal.status, refusal.rule()), (status::UNSUPPORTED, "S-006"));
        assert!(refusal.text.contains("layout_tag") && refusal.text.contains("48"), "{}", refusal.text);
        assert_eq!(refusal.offset, first.bare().len() as u64 + 15);
    }
}

#[test]
fn what_was_read_ahead_of_an_unknown_layout_is_not_lost() {
    let bytes = unknown().bare();
    let reader = Reader::new(&[PERMISSIVE, (READ_AHEAD, 4096)]);
    let window = reader.window().unwrap();
    window[..bytes.len()].copy_from_slice(&bytes);
    reader.advance(bytes.len()).unwrap();
    assert!(reader.next().unwrap().is_some());
    assert_eq!(reader.next().err().unwrap().status, status::UNSUPPORTED);
    assert_eq!(reader.unread(), unknown().data());
}

#[test]
fn a_framed_stream_passes_it_with_its_bytes() {
    let (first, last) = (bytes_of(&[3]), bytes_of(&[4]));
    for size in [1, 9, 60] {
        let mut bytes = [first.framed(2), unknown().opening(7)].concat();
        for (index, part) in unknown().data().chunks(size).enumerate() {
            bytes.extend(data(7, (index * size) as u64, part));
        }
        bytes.extend([end(7), last.framed(7)].concat());
        let (items, ended) = read_all_ways(&bytes, &[PERMISSIVE]);
        assert_eq!(ended, Ok(()));
        let alone = Got::Alone(unknown().bytes(), Some(unknown().data()));
        assert_eq!(items, [(2, whole(&first)), (7, alone), (7, whole(&last))]);
    }
    // How many there are is for the message to say: S-107 cannot be held against it.
    for count in [0u64, 1, 61] {
        let some: Vec<u8> = (0..count).map(|k| k as u8).collect();
        let mut bytes = descriptor(7, &unknown().bytes(), count, 0, 1);
        if count > 0 {
            bytes.extend(data(7, 0, &some));
        }
        bytes.extend(end(7));
        let (items, ended) = read_all_ways(&bytes, &[PERMISSIVE]);
        assert_eq!((items, ended), (vec![(7, Got::Alone(unknown().bytes(), Some(some)))], Ok(())));
    }
}

#[test]
fn rules_and_limits_hold_for_its_bytes() {
    let opening = unknown().opening(7);
    let part = data(7, 0, &unknown().data()[..59]);
    let cases = [
        ([&opening[..], &part, &end(7)].concat(), status::CORRUPT, "S-117"),
        ([&opening[..], &data(7, 1, b"x")].concat(), status::CORRUPT, "S-113"),
        ([&opening[..], &data(7, 0, &[0; 61])].concat(), status::CORRUPT, "S-114"),
        ([&opening[..], &part].concat(), status::TRUNCATED, "S-120"),
        (descriptor(7, &unknown().bytes(), 60, 1, 1), status::CORRUPT, "S-108"),
    ];
    for (bytes, wanted, rule) in cases {
        let (items, ended) = read_all_ways(&bytes, &[PERMISSIVE]);
        let refusal = ended.unwrap_err();
        assert!(items.is_empty());
        assert_eq!((refusal.status, refusal.rule()), (wanted, rule));
    }
    // MAX_BUFFER_BYTES and MAX_TOTAL_BYTES.
    for option in [3, 4] {
        let (items, ended) = read_all_ways(&unknown().framed(7), &[PERMISSIVE, (option, 59)]);
        let refusal = ended.unwrap_err();
        assert!(items.is_empty());
        assert_eq!((refusal.status, refusal.rule()), (status::LIMIT_EXCEEDED, "S-124"));
        assert_eq!(read_all_ways(&unknown().framed(7), &[PERMISSIVE, (option, 60)]).1, Ok(()));
    }
    // MAX_ALIGNMENT is about what was declared.
    assert_eq!(read_all_ways(&unknown().framed(7), &[PERMISSIVE, (7, 32)]).1, Ok(()));
}

#[test]
fn inside_a_composite_it_ends_the_reader_after_the_members_before_it() {
    let before = bytes_of(&[5]);
    let all = [head(3, 0, 3, &[1]), before.clone(), unknown(), bytes_of(&[6])];
    for (bytes, id) in [(bare(&all), 0), (framed(&all, 7), 7)] {
        let (items, ended) = read_all_ways(&bytes, &[PERMISSIVE]);
        assert_eq!(items, [(id, whole(&before)), (id, Got::Alone(unknown().bytes(), None))]);
        let refusal = ended.unwrap_err();
        assert_eq!(refusal.status, status::UNSUPPORTED);
        assert!(refusal.text.contains("member 1"), "{}", refusal.text);
    }
}

#[test]
fn inside_a_composite_it_may_come_anywhere_whole_or_flat() {
    let alone = Got::Alone(unknown().bytes(), None);
    for place in 0..3 {
        // A group of three in a group; a tensor before it, and one that never comes.
        let mut all = vec![head(3, 0, 3, &[1]), bytes_of(&[5]), head(3, 0, 3, &[2])];
        all.extend((0..3).map(|k| if k == place { unknown() } else { bytes_of(&[k + 1]) }));
        let parts = &all[..3 + place as usize];
        for (bytes, id) in [(bare(&all), 0), (framed(&all, 7), 7)] {
            for flat in [0, 1] {
                let (items, ended) = read_all_ways(&bytes, &[PERMISSIVE, (27, flat)]);
                let kept = parts.iter().filter_map(|part| match part.layout {
                    0x0B if flat == 0 => None,
                    0x0B => Some(Got::Alone(part.bytes(), None)),
                    _ => Some(whole(part)),
                });
                let wanted: Vec<_> = kept.chain([alone.clone()]).map(|got| (id, got)).collect();
                let refusal = ended.unwrap_err();
                assert_eq!((items, refusal.status), (wanted, status::UNSUPPORTED));
                assert!(refusal.text.ends_with(&format!(", in member 1.{place}")), "{}", refusal.text);
            }
        }
    }
}

#[test]
fn what_other_stream_ids_have_whole_comes_before_it() {
    let (third, seventh) = (bytes_of(&[4]), bytes_of(&[5]));
    let bytes = [
        head(3, 0, 2, &[1]).framed(7),
        bytes_of(&[9]).opening(2),
        head(3, 0, 2, &[1]).framed(3),
        seventh.framed(7),
        third.framed(3),
        unknown().opening(7),
    ]
    .concat();
    let alone = Got::Alone(unknown().bytes(), None);
    let group = || Got::Alone(head(3, 0, 2, &[1]).bytes(), None);
    let (items, ended) = read_all_ways(&bytes, &[PERMISSIVE]);
    assert_eq!(items, [(3, whole(&third)), (7, whole(&seventh)), (7, alone.clone())]);
    assert!(ended.unwrap_err().text.ends_with(", in member 1"));
    let (items, ended) = read_all_ways(&bytes, &[PERMISSIVE, FLAT]);
    let parts = [(7, group()), (3, group()), (7, whole(&seventh)), (3, whole(&third)), (7, alone)];
    assert_eq!((items, ended.unwrap_err().status), (parts.to_vec(), status::UNSUPPORTED));
    // What arrived whole is given after the end of the input too, and then why there is no more.
    let reader = Reader::new(&[PERMISSIVE]);
    assert_eq!(reader.feed(&bytes), Ok(bytes.len()));
    assert_eq!((reader.feed(b"x"), reader.window().map(|window| window.len())), (Ok(0), Ok(0)));
    reader.finish().unwrap();
    for id in [3, 7, 7] {
        assert!(reader.next().unwrap().is_some());
        assert_eq!(reader.stream_id(), id);
    }
    assert_eq!(reader.next().err().unwrap().status, status::UNSUPPORTED);
}

#[test]
fn the_limit_of_an_item_holds_for_all_parts_of_a_composite() {
    let all = partition();
    for (bytes, rule) in [(bare(&all), "S-007"), (framed(&all, 1), "S-124")] {
        let (items, ended) = read_all_ways(&bytes, &[FLAT, (4, 63)]);
        let refusal = ended.unwrap_err();
        assert_eq!((items.len(), refusal.status, refusal.rule()), (2, status::LIMIT_EXCEEDED, rule));
        assert_eq!(read_all_ways(&[&bytes[..], &bytes].concat(), &[FLAT, (4, 64)]).1, Ok(()));
    }
}

#[test]
fn a_flat_reader_gives_part_by_part() {
    let wanted = |all: &[Desc], id| -> Vec<(u32, Got)> {
        let part = |desc: &Desc| match desc.layout {
            0x0B => Got::Alone(desc.bytes(), None),
            _ => whole(desc),
        };
        all.iter().map(|desc| (id, part(desc))).collect()
    };
    for all in [partition().to_vec(), nested(), mixture(), vec![head(3, 0, 0, &[2])]] {
        assert_eq!(read_all_ways(&bare(&all), &[FLAT]), (wanted(&all, 0), Ok(())));
        assert_eq!(read_all_ways(&framed(&all, 9), &[FLAT]), (wanted(&all, 9), Ok(())));
    }
    // The rules of the whole are held against the parts: nesting, a missing member, boxes that do not cover the head.
    let all = nested();
    for (bytes, values, count, wanted) in [
        (bare(&all), &[FLAT, (5, 1)][..], 2, (status::LIMIT_EXCEEDED, "S-010")),
        (bare(&all[..6]), &[FLAT], 6, (status::TORN, "S-009")),
        (framed(&all[..6], 1), &[FLAT], 6, (status::TORN, "S-121")),
        (
            bare(&[&partition()[..2], &partition()[1..2]].concat()),
            &[FLAT],
            2,
            (status::INVALID_LAYOUT, "V-166"),
        ),
    ] {
        let (items, ended) = read_all_ways(&bytes, values);
        let refusal = ended.unwrap_err();
        assert_eq!((items.len(), refusal.status, refusal.rule()), (count, wanted.0, wanted.1));
    }
}

#[test]
fn the_caller_may_give_the_memory_of_its_bytes() {
    let reader = Reader::new(&[PERMISSIVE]);
    reader.feed(&unknown().opening(1)).unwrap();
    assert_eq!(pending(&reader), Ok(unknown().bytes()));
    let mut given = null_mut();
    let mut start = null_mut();
    // SAFETY: outputs of this frame, then live handles, ended once.
    unsafe {
        assert_eq!(hurray_buffer_alloc(60, 64, &raw mut given), 0);
        assert_eq!(hurray_buffer_host_ptr(given, &raw mut start), 0);
        assert_eq!(hurray_stream_reader_provide_buffer(reader.0, 1, given), status::INDEX_OUT_OF_BOUNDS);
        assert_eq!(hurray_stream_reader_provide_buffer(reader.0, 0, given), 0);
    }
    reader.feed(&data(1, 0, &unknown().data())).unwrap();
    reader.feed(&end(1)).unwrap();
    let item = reader.next().unwrap().unwrap();
    assert_eq!(item.got(), Got::Alone(unknown().bytes(), Some(unknown().data())));
    // A head is no tensor that arrives.
    reader.feed(&head(3, 0, 1, &[1]).opening(1)).unwrap();
    assert_eq!(pending(&reader), Err(status::NEED_MORE));
    // SAFETY: the buffer's own memory, 60 bytes; then live handles, the owned one ended once.
    unsafe {
        assert_eq!(hurray_stream_reader_provide_buffer(reader.0, 0, given), status::INVALID_ARGUMENT);
        assert_eq!(std::slice::from_raw_parts(start.cast::<u8>(), 60), unknown().data());
        assert_eq!(hurray_buffer_destroy(&raw mut given), 0);
    }
}

#[test]
fn it_is_no_tensor_and_no_composite() {
    let reader = Reader::new(&[PERMISSIVE]);
    let bytes = unknown().framed(1);
    let used = reader.feed(&bytes).unwrap();
    assert_eq!(used, bytes.len());
    let item = reader.next().unwrap().unwrap();
    let (mut tensor, mut made, mut count) = (null_mut(), null_mut(), 0);
    let mut group = null_mut();
    let head = head(3, 0, 1, &[1]).bytes();
    let mut writer = null_mut();
    let mut file = null_mut();
    // SAFETY: live handles and outputs of this frame throughout; what is owned is ended once.
    unsafe {
        let refused = status::INVALID_ARGUMENT;
        assert_eq!(hurray_item_tensor(item.0, &raw mut tensor), refused);
        assert_eq!(hurray_item_member_count(item.0, &raw mut count), refused);
        assert_eq!(hurray_item_member(item.0, 0, &raw mut made), refused);
        assert_eq!(hurray_item_assemble(item.0, null(), null(), null_mut(), &raw mut tensor), refused);
        assert_eq!(hurray_descriptor_decode(head.as_ptr(), head.len(), &raw mut group), 0);
        let members = [item.0.cast_const()];
        assert_eq!(hurray_item_composite_new(group, members.as_ptr(), 1, &raw mut made), refused);
        assert_eq!(hurray_descriptor_destroy(&raw mut group), 0);
        for form in [HURRAY_STREAM_BARE, HURRAY_STREAM_FRAMED] {
            assert_eq!(hurray_stream_writer_new(form, 1, 0, null(), &raw mut writer), 0);
            assert_eq!(hurray_stream_writer_put(writer, item.0), refused);
            assert_eq!(hurray_stream_writer_destroy(&raw mut writer), 0);
        }
        assert_eq!(hurray_file_writer_to_memory(null(), &raw mut file), 0);
        assert_eq!(hurray_file_writer_put(file, b"x".as_ptr().cast(), 1, item.0), refused);
        assert_eq!(hurray_file_writer_destroy(&raw mut file), 0);
        // A share outlives the reader and the item.
        assert_eq!(hurray_item_share(item.0, &raw mut made), 0);
        drop((item, reader));
        let share = Item(made);
        assert_eq!(share.got(), Got::Alone(unknown().bytes(), Some(unknown().data())));
    }
}
