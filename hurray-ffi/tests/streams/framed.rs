//! The rules of the framed form, each broken and just kept.

use crate::bare::{breaks, keeps};
use crate::compose::*;
use crate::read::*;
use crate::status::*;

fn one() -> Desc {
    bytes_of(&[2, 3])
}

/// A message whose header says another length than its payload has.
fn header(kind: u32, id: u32, length: u32) -> Vec<u8> {
    [kind, id, length].iter().flat_map(|word| word.to_le_bytes()).collect()
}

#[test]
fn s_101_breaks_at_every_cut() {
    let bytes = one().framed(1);
    let ends = [one().opening(1).len(), one().opening(1).len() + data(1, 0, &one().data()).len()];
    for cut in 1..bytes.len() {
        match ends.contains(&cut) {
            true => breaks(&bytes[..cut], &[], TRUNCATED, "S-120", 0),
            // The first byte alone could begin a message.
            false => {
                let rule = if cut < 5 { "S-001" } else { "S-101" };
                breaks(&bytes[..cut], &[], TRUNCATED, rule, 0);
            }
        }
    }
    // Before anything that the payload itself breaks.
    breaks(&one().opening(0)[..30], &[], CORRUPT, "S-103", 0);
    breaks(&data(1, 0, b"xy")[..21], &[], TRUNCATED, "S-101", 0);
}

#[test]
fn s_101_keeps() {
    keeps(&one().framed(1), &[], 1);
}

#[test]
fn s_102_breaks() {
    for kind in [0, 14, 0xF0, 0xFE, 0xFF] {
        breaks(&[one().framed(1), message(kind, 1, b"")].concat(), &[], CORRUPT, "S-102", 1);
        breaks(&message(kind, 1, b""), &[], CORRUPT, "S-102", 0);
    }
    for kind in [0x100, 0x0400_0000, u32::MAX] {
        breaks(&[one().framed(1), message(kind, 1, b"")].concat(), &[], CORRUPT, "S-102", 1);
        // As the first bytes of all they are no stream at all.
        breaks(&message(kind, 1, b""), &[], INVALID_MAGIC, "S-002", 0);
    }
}

#[test]
fn s_102_keeps() {
    // What is not served yet is known, and refused for that.
    for kind in [1, 2, 3, 7, 8, 12, 13] {
        let payload: &[u8] = if matches!(kind, 8 | 13) { b"" } else { b"payload" };
        let (items, ended) = read_all_ways(&[one().framed(1), message(kind, 1, payload)].concat(), &[]);
        let said = ended.unwrap_err();
        assert_eq!((items.len(), said.status), (1, UNSUPPORTED), "{said:?}");
    }
    keeps(&[message(10, 1, b""), message(11, 1, b"")].concat(), &[], 0);
}

#[test]
fn s_103_breaks() {
    for kind in [3, 4, 5, 6, 7, 8, 12, 13] {
        breaks(&message(kind, 0, &[]), &[], CORRUPT, "S-103", 0);
    }
}

#[test]
fn s_103_keeps() {
    keeps(&[message(10, 0, b""), message(11, 0, b""), one().framed(u32::MAX)].concat(), &[], 1);
    for kind in [1, 2] {
        assert_eq!(read_all_ways(&message(kind, 0, b""), &[]).1.unwrap_err().status, UNSUPPORTED);
    }
}

#[test]
fn s_104_breaks() {
    // Tested before the payload, which need not come.
    breaks(&header(4, 1, 65537), &[(8, 65536)], LIMIT_EXCEEDED, "S-104", 0);
    breaks(&header(10, 1, (16 << 20) + 17), &[], LIMIT_EXCEEDED, "S-104", 0);
    breaks(&header(5, 0, u32::MAX), &[], LIMIT_EXCEEDED, "S-104", 0);
}

#[test]
fn s_104_keeps() {
    for bytes in [message(10, 1, &vec![0; 65536]), bytes_of(&[65528]).framed(1)] {
        assert_eq!(read(&bytes, &[(8, 65536)], &Way::Windows(5000)).1, Ok(()));
    }
}

#[test]
fn s_105_breaks() {
    breaks(&message(4, 1, &[0; 35]), &[], CORRUPT, "S-105", 0);
    breaks(&message(4, 1, b""), &[], CORRUPT, "S-105", 0);
    for length in [0u32, 19, 60, 62] {
        let mut bytes = one().opening(1);
        bytes[12 + 6..12 + 10].copy_from_slice(&length.to_le_bytes());
        breaks(&bytes, &[], CORRUPT, "S-105", 0);
    }
}

#[test]
fn s_105_keeps() {
    keeps(&one().framed(1), &[], 1);
}

#[test]
fn s_106_breaks() {
    let patched = |at: usize, byte: u8| {
        let mut bytes = one().opening(1);
        bytes[12 + at] = byte;
        bytes
    };
    breaks(&patched(0, b'X'), &[], INVALID_MAGIC, "S-106", 0);
    breaks(&patched(4, 0), &[], VERSION_MISMATCH, "S-106", 0);
    breaks(&patched(4, 2), &[], VERSION_MISMATCH, "S-106", 0);
    breaks(&patched(14, 0), &[], -4, "V-013", 0);
    let mut mixed = csr();
    mixed.buffers[2].2 = [0, 0, 1];
    breaks(&mixed.opening(1), &[], BUFFER_MISMATCH, "V-092", 0);
}

#[test]
fn s_106_keeps() {
    keeps(&csr().on(2, 0, 2).framed(1), &[], 1);
}

#[test]
fn s_107_breaks() {
    for total in [0, 5, 7, u64::MAX] {
        breaks(&descriptor(1, &one().bytes(), total, 0, 1), &[], CORRUPT, "S-107", 0);
    }
    let mut huge = csr();
    huge.buffers.iter_mut().for_each(|entry| entry.0 = 1 << 63);
    breaks(&descriptor(1, &huge.bytes(), 1 << 63, 0, 1), &[], CORRUPT, "S-107", 0);
}

#[test]
fn s_107_keeps() {
    keeps(&csr().framed(1), &[], 1);
    keeps(&bytes_of(&[0]).framed(1), &[], 1);
}

#[test]
fn s_108_breaks() {
    for (shard, shards) in [(0, 0), (1, 1), (2, 2), (u32::MAX, 3)] {
        breaks(&descriptor(1, &one().bytes(), 6, shard, shards), &[], CORRUPT, "S-108", 0);
    }
}

#[test]
fn s_108_keeps() {
    // Parallel shards are known, and not served.
    let (_, ended) = read_all_ways(&descriptor(1, &one().bytes(), 6, 1, 2), &[]);
    assert_eq!(ended.unwrap_err().status, UNSUPPORTED);
    keeps(&one().framed(1), &[], 1);
}

#[test]
fn s_109_breaks() {
    breaks(&one().on(1, 1, 0).opening(1), &[], INVALID_SYNC_MODE, "S-109", 0);
    breaks(&one().on(1, 2, 0).framed(1), &[], INVALID_SYNC_MODE, "S-109", 0);
}

#[test]
fn s_109_keeps() {
    keeps(&one().on(1, 0, 3).framed(1), &[], 1);
}

#[test]
fn s_110_breaks() {
    breaks(&[one().opening(1), one().opening(1)].concat(), &[], CORRUPT, "S-110", 0);
    let head = head(3, 0, 1, &[]);
    breaks(&[head.opening(1), one().opening(1)].concat(), &[], CORRUPT, "S-110", 0);
}

#[test]
fn s_110_keeps() {
    let both =
        [one().opening(1), one().framed(2), data(1, 0, &one().data()), end(1), one().framed(1)].concat();
    keeps(&both, &[], 3);
}

#[test]
fn s_111_breaks() {
    for bytes in [end(1), data(1, 0, b"x"), [one().framed(1), end(1)].concat()] {
        let items = usize::from(bytes.len() > 40);
        breaks(&bytes, &[], CORRUPT, "S-111", items);
    }
    breaks(&[one().opening(1), data(2, 0, b"x")].concat(), &[], CORRUPT, "S-111", 0);
    // Between the members of a composite no tensor is open.
    breaks(&[head(3, 0, 1, &[]).framed(1), end(1)].concat(), &[], CORRUPT, "S-111", 0);
}

#[test]
fn s_111_keeps() {
    keeps(&one().framed(9), &[], 1);
}

#[test]
fn s_112_breaks() {
    for length in 0..=8 {
        let bytes = [one().opening(1), message(5, 1, &vec![0; length])].concat();
        breaks(&bytes, &[], CORRUPT, "S-112", 0);
    }
}

#[test]
fn s_112_keeps() {
    let bytes = one().data();
    let single: Vec<u8> = (0..6).flat_map(|k| data(1, k, &bytes[k as usize..=k as usize])).collect();
    keeps(&[one().opening(1), single, end(1)].concat(), &[], 1);
}

#[test]
fn s_113_breaks() {
    let first = [one().opening(1), data(1, 0, b"abc")].concat();
    for offset in [0, 2, 4, u64::MAX] {
        breaks(&[first.clone(), data(1, offset, b"d")].concat(), &[], CORRUPT, "S-113", 0);
    }
    breaks(&[one().opening(1), data(1, 1, b"abcdef")].concat(), &[], CORRUPT, "S-113", 0);
}

#[test]
fn s_113_keeps() {
    keeps(&[one().opening(1), data(1, 0, b"abc"), data(1, 3, b"def"), end(1)].concat(), &[], 1);
}

#[test]
fn s_114_breaks() {
    breaks(&[one().opening(1), data(1, 0, b"abcdefg")].concat(), &[], CORRUPT, "S-114", 0);
    let late = [one().opening(1), data(1, 0, b"abcdef"), data(1, 6, b"g")].concat();
    breaks(&late, &[], CORRUPT, "S-114", 0);
}

#[test]
fn s_114_keeps() {
    keeps(&[one().opening(1), data(1, 0, b"abcdef"), end(1)].concat(), &[], 1);
}

#[test]
fn s_115_breaks() {
    breaks(&[bytes_of(&[0]).opening(1), data(1, 0, b"a")].concat(), &[], CORRUPT, "S-115", 0);
    breaks(&[head(3, 0, 1, &[]).opening(1), data(1, 0, b"a")].concat(), &[], CORRUPT, "S-115", 0);
}

#[test]
fn s_115_keeps() {
    keeps(&[bytes_of(&[0]).opening(1), end(1)].concat(), &[], 1);
}

#[test]
fn s_116_breaks() {
    let bytes = [one().opening(1), data(1, 0, &one().data()), message(6, 1, b"x")].concat();
    breaks(&bytes, &[], CORRUPT, "S-116", 0);
    breaks(&message(8, 1, b"x"), &[], CORRUPT, "S-116", 0);
    breaks(&message(13, 1, b"x"), &[], CORRUPT, "S-116", 0);
}

#[test]
fn s_116_keeps() {
    keeps(&one().framed(1), &[], 1);
}

#[test]
fn s_117_breaks() {
    breaks(&[one().opening(1), end(1)].concat(), &[], CORRUPT, "S-117", 0);
    breaks(&[one().opening(1), data(1, 0, b"abcde"), end(1)].concat(), &[], CORRUPT, "S-117", 0);
}

#[test]
fn s_117_keeps() {
    keeps(&one().framed(1), &[], 1);
}

#[test]
fn s_118_breaks() {
    for after in [one().opening(1), data(1, 0, b"abc"), end(1), error(1, 6, b""), message(10, 1, b"")] {
        let reader = Reader::new(&[]);
        let first = [one().opening(1), error(1, 2, b"gone")].concat();
        assert_eq!(reader.feed(&first), Ok(first.len()));
        assert_eq!(reader.next().err().map(|said| said.status), Some(UNSUPPORTED));
        let said = reader.feed(&after).unwrap_err();
        assert_eq!((said.status, said.rule()), (CORRUPT, "S-118"));
    }
}

#[test]
fn s_118_keeps() {
    let reader = Reader::new(&[]);
    let (gone, item) = (error(1, 2, b"gone"), one().framed(2));
    let bytes = [gone.clone(), item.clone()].concat();
    assert_eq!(reader.feed(&bytes), Ok(gone.len()), "what follows waits until the error was told");
    assert!(reader.window().unwrap().is_empty());
    assert_eq!(reader.next().err().map(|said| said.status), Some(UNSUPPORTED));
    assert_eq!(reader.feed(&bytes[gone.len()..]), Ok(item.len()));
    assert!(reader.next().unwrap().is_some());
}

#[test]
fn s_119_breaks() {
    let with = |length: u32, text: &[u8]| {
        message(9, 1, &[&1u32.to_le_bytes()[..], &length.to_le_bytes(), text].concat())
    };
    breaks(&with(4, b"abc"), &[], CORRUPT, "S-119", 0);
    breaks(&with(2, b"abc"), &[], CORRUPT, "S-119", 0);
    breaks(&with(u32::MAX, b""), &[], CORRUPT, "S-119", 0);
    breaks(&message(9, 1, &[0; 7]), &[], CORRUPT, "S-119", 0);
    breaks(&message(9, 1, &[]), &[], CORRUPT, "S-119", 0);
    breaks(&error(1, 1, b"\xFF"), &[], CORRUPT, "S-119", 0);
}

#[test]
fn s_119_keeps() {
    for text in [&b""[..], b"abc", &[b'x'; 5000]] {
        let reader = Reader::new(&[]);
        let bytes = error(1, 1, text);
        assert_eq!(reader.feed(&bytes), Ok(bytes.len()));
        assert_eq!(reader.next().err().map(|said| said.status), Some(UNSUPPORTED));
    }
}

#[test]
fn s_120_breaks() {
    breaks(&one().opening(1), &[], TRUNCATED, "S-120", 0);
    breaks(&[one().opening(1), data(1, 0, &one().data())].concat(), &[], TRUNCATED, "S-120", 0);
    // An open tensor on one id comes before an open composite on another.
    for (torn, cut) in [(1, 2), (2, 1)] {
        let both = [head(3, 0, 1, &[]).framed(torn), one().opening(cut)].concat();
        breaks(&both, &[], TRUNCATED, "S-120", 0);
    }
}

#[test]
fn s_120_keeps() {
    keeps(&[one().framed(1), one().framed(2)].concat(), &[], 2);
}

#[test]
fn s_121_breaks() {
    let all = nested();
    for count in 1..all.len() {
        breaks(&framed(&all[..count], 4), &[], TORN, "S-121", 0);
    }
}

#[test]
fn s_121_keeps() {
    keeps(&framed(&nested(), 4), &[], 1);
}

#[test]
fn s_122_breaks() {
    let heads: Vec<Desc> = (0..9).map(|_| head(3, 0, 1, &[])).collect();
    breaks(&framed(&heads, 4), &[], LIMIT_EXCEEDED, "S-122", 0);
}

#[test]
fn s_122_keeps() {
    let heads: Vec<Desc> = (0..8).map(|level| head(3, 0, u32::from(level < 7), &[])).collect();
    keeps(&framed(&heads, 4), &[], 1);
}

#[test]
fn s_123_breaks() {
    let [head, a, _] = partition();
    breaks(&framed(&[head.clone(), a.clone(), a.clone()], 4), &[], INVALID_LAYOUT, "V-166", 0);
    breaks(&[head.framed(4), bytes_of(&[8, 4]).opening(4)].concat(), &[], INVALID_LAYOUT, "V-160", 0);
}

#[test]
fn s_123_keeps() {
    keeps(&framed(&partition(), 4), &[], 1);
}

#[test]
fn s_124_breaks() {
    breaks(&one().opening(1), &[(3, 5)], LIMIT_EXCEEDED, "S-124", 0);
    breaks(&csr().opening(1), &[(4, 59)], LIMIT_EXCEEDED, "S-124", 0);
    breaks(&one().opening(1), &[(2, 60)], LIMIT_EXCEEDED, "S-124", 0);
}

#[test]
fn s_124_keeps() {
    keeps(&one().framed(1), &[(3, 6), (4, 6), (2, 61)], 1);
}

#[test]
fn stream_ids_are_limited() {
    let open: Vec<u8> = (1..=64).flat_map(|id| one().opening(id)).collect();
    let (_, ended) = read_all_ways(&[open.clone(), one().opening(65)].concat(), &[]);
    assert_eq!(ended.unwrap_err().status, LIMIT_EXCEEDED);
    let rest: Vec<u8> = (1..=64).flat_map(|id| [data(id, 0, &one().data()), end(id)].concat()).collect();
    keeps(&[open, rest].concat(), &[], 64);
    // An id between items takes no place.
    let many: Vec<u8> = (1..=500).flat_map(|id| one().framed(id)).collect();
    keeps(&many, &[(9, 1)], 500);
}

#[test]
fn offsets_are_those_of_the_field() {
    let (before, d) = (one().framed(1), one());
    let start = before.len() as u64;
    let opened = [before.clone(), d.opening(1)].concat();
    let open = opened.len() as u64;
    let part = data(1, 0, &d.data()[..4]);
    let cases = [
        ([&opened[..], &d.opening(1)].concat(), "S-110", open + 4),
        ([&before[..], &data(1, 0, b"x")].concat(), "S-111", start + 4),
        ([&before[..], &end(1)].concat(), "S-111", start + 4),
        ([&opened[..], &message(5, 1, b"12345678")].concat(), "S-112", open + 8),
        ([&opened[..], &part, &data(1, 5, b"x")].concat(), "S-113", open + part.len() as u64 + 12),
        ([&opened[..], &data(1, 0, &[0; 7])].concat(), "S-114", open + 8),
        ([&opened[..], &data(1, 0, &d.data()), &message(6, 1, b"x")].concat(), "S-116", open + 26 + 8),
        ([&opened[..], &part, &end(1)].concat(), "S-117", open + part.len() as u64),
        ([&error(1, 8, b"no")[..], &d.opening(1)].concat(), "S-118", 22 + 4),
        ([&before[..], &message(9, 1, b"1234")].concat(), "S-119", start + 8),
        ([&before[..], &message(9, 1, b"1234\x03\0\0\0no")].concat(), "S-119", start + 16),
        ([&before[..], &error(1, 8, b"no\xff")].concat(), "S-119", start + 22),
        (
            [&before[..], &message(4, 1, &[&d.bytes()[..4], &[2], &d.bytes()[5..], &[0; 16]].concat())]
                .concat(),
            "S-106",
            start + 16,
        ),
        (
            [&before[..], &descriptor(1, &d.bytes(), 7, 0, 1)].concat(),
            "S-107",
            start + 12 + d.bytes().len() as u64,
        ),
    ];
    for (bytes, rule, at) in cases {
        let reader = Reader::new(&[]);
        let mut rest = &bytes[..];
        let said = loop {
            let taken = reader.feed(rest);
            let next = reader.next();
            match (taken, next) {
                (Err(said), _) | (Ok(_), Err(said)) if said.rule() == rule => break said,
                // What a peer's ERROR says, and items, come before.
                (taken, _) => rest = &rest[taken.unwrap_or(0)..],
            }
            assert!(!rest.is_empty(), "{rule} is not broken");
        };
        assert_eq!(said.offset, at, "{said:?}");
    }
    // Of a descriptor that is neither of this length nor of this major version, the length is told.
    let mut both = d.bytes();
    both[4] = 2;
    both[6] += 1;
    breaks(&[before, descriptor(1, &both, 6, 0, 1)].concat(), &[], CORRUPT, "S-105", 1);
}

#[test]
fn a_cut_names_the_stream_id_and_the_member() {
    let member = bytes_of(&[5]);
    let bytes = [head(3, 0, 2, &[1]).framed(1), member.opening(1), one().framed(2)].concat();
    let said = read_all_ways(&bytes, &[]).1.unwrap_err();
    assert_eq!((said.status, said.rule(), said.offset), (TRUNCATED, "S-120", bytes.len() as u64));
    assert!(said.text.contains("stream_id = 1") && said.text.contains("in member 0"), "{}", said.text);
    let bytes = [&bytes[..], &data(1, 0, b"abc")[..21]].concat();
    let said = read_all_ways(&bytes, &[]).1.unwrap_err();
    assert_eq!((said.rule(), said.offset), ("S-101", bytes.len() as u64));
    assert!(said.text.contains("stream_id = 1") && said.text.contains("in member 0"), "{}", said.text);
}
