//! Cases of known-pitfalls.md about files that no other test has, each under its number.

use crate::compose::*;
use crate::door::*;
use hurray::abi::*;

/// What a plain open, or then asking for its first tensor, says.
fn refused(file: &File) -> Failure {
    let reader = Reader::bytes(&file.bytes, &[]);
    reader.and_then(|reader| reader.tensor(0)).err().expect("refused")
}

#[test]
fn b45_a_tensor_beyond_the_end_is_refused_before_it_is_touched() {
    let whole = file(&[example("x")], None);
    let room = whole.index as u64;
    for (offset, length) in [(4096, room), (room.next_multiple_of(4096), 24), (1 << 40, 24), (4096, u64::MAX)]
    {
        let moved = whole.clone().set_entry(0, field::DATA_OFFSET, offset.to_le_bytes());
        let failure = refused(&moved.set_entry(0, field::DATA_LENGTH, length.to_le_bytes()));
        assert_eq!(failure.status, HURRAY_ERR_CORRUPT, "{failure:?}");
        assert!(failure.text.starts_with("F-046: "), "{failure:?}");
    }
}

#[test]
fn b51_two_tensors_on_the_same_bytes_are_refused() {
    let both = file(&[example("x"), example("y")], None);
    for (entry, onto) in [(1, 0), (0, 1)] {
        let place = both.tensors[onto].1 as u64;
        let file = both.clone().set_entry(entry, field::DATA_OFFSET, place.to_le_bytes());
        let failure = Reader::bytes(&file.bytes, &[(HURRAY_OPTION_VERIFY, 1)]).err().expect("refused");
        assert!(failure.text.starts_with("F-048: "), "{failure:?}");
    }
    // Bytes that nobody claims are padding: zero, if all rules are asked for.
    let unclaimed = both.clone().set(both.tensors[0].1 - 1, [1]);
    let failure = Reader::bytes(&unclaimed.bytes, &[(HURRAY_OPTION_VERIFY, 1)]).err().expect("refused");
    assert!(failure.text.starts_with("F-049: "), "{failure:?}");
    let found = Reader::bytes(&unclaimed.bytes, &[]).unwrap().tensor(0).unwrap();
    assert_eq!(found.buffers()[0].bytes(), f32s(&[1., 2., 3., 4., 5., 6.]));
}

#[test]
fn b52_a_name_twice_is_refused_by_reader_and_writer() {
    let twice = file(&[example("w"), example("w")], None);
    assert_eq!(Reader::bytes(&twice.bytes, &[]).err().unwrap().status, HURRAY_ERR_DUPLICATE);
    let item = Tensor::new(&example("w").descriptor, &[&example("w").buffers[0]]).item();
    let writer = Writer::memory(&[]);
    writer.put("w", &item).unwrap();
    assert_eq!(writer.put("w", &item).unwrap_err().status, HURRAY_ERR_DUPLICATE);
}

#[test]
fn b58_a_scalar_is_read_whole() {
    let reader = Reader::bytes(
        &file(&[tensor("s", descriptor(3, 1, &[], &[], &[4]), &[&f32s(&[3.])])], None).bytes,
        &[],
    );
    let reader = reader.unwrap();
    assert_eq!(reader.read(0, 0, 0, 4).unwrap(), f32s(&[3.]));
    assert_eq!(reader.read(0, 0, 4, 0).unwrap(), b"");
    let scalar = reader.tensor(0).unwrap();
    assert_eq!(
        (scalar.descriptor(), scalar.buffers()[0].bytes()),
        (descriptor(3, 1, &[], &[], &[4]), &f32s(&[3.])[..])
    );
}

#[test]
fn b62_more_dimensions_than_there_can_be_are_refused() {
    for rank in [9u32, 65, 1 << 16, u32::MAX] {
        let mut part = example("x");
        part.descriptor[16..20].copy_from_slice(&rank.to_le_bytes());
        let failure = refused(&file(&[part], None));
        assert!(failure.status < 0 && !failure.text.is_empty(), "{rank}: {failure:?}");
        assert_ne!(failure.status, HURRAY_ERR_INTERNAL_PANIC);
    }
}

#[test]
fn b69_the_flag_says_whether_there_is_a_checksum() {
    let with = file(&[example("x")], None);
    let without = with.clone().set(12, [0]).set_trailer(28, [0; 4]);
    for file in [&with, &without] {
        assert_eq!(Reader::bytes(&file.bytes, &[]).unwrap().names(), ["x"]);
    }
    let promised = without.clone().set(12, [4]);
    let hidden = with.clone().set(12, [0]);
    for (file, rule) in [(promised, "F-017: "), (hidden, "F-018: ")] {
        let failure = Reader::bytes(&file.bytes, &[]).err().unwrap();
        assert!(failure.text.starts_with(rule) && failure.status == HURRAY_ERR_CORRUPT, "{failure:?}");
    }
}
