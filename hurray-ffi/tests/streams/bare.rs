//! The rules of the bare form, each broken and just kept. S-012 and S-013 bind writers: see writer.rs.

use crate::compose::*;
use crate::read::*;
use crate::status::*;

/// The stream is refused, in every way of reading it, with this status and rule, after so many items.
pub fn breaks(bytes: &[u8], values: &[(u32, u64)], status: i32, rule: &str, items: usize) {
    let (got, ended) = read_all_ways(bytes, values);
    let said = ended.expect_err(rule);
    assert_eq!((said.status, said.rule()), (status, rule), "{said:?}");
    assert_eq!(got.len(), items, "{got:?}");
    assert!(said.offset <= bytes.len() as u64, "{said:?}");
}

/// The stream is read whole, in every way of reading it.
pub fn keeps(bytes: &[u8], values: &[(u32, u64)], items: usize) {
    let (got, ended) = read_all_ways(bytes, values);
    assert_eq!((got.len(), ended), (items, Ok(())));
}

fn one() -> Vec<u8> {
    bytes_of(&[2, 3]).bare()
}

fn patched(at: usize, value: &[u8]) -> Vec<u8> {
    let mut bytes = one();
    bytes[at..at + value.len()].copy_from_slice(value);
    bytes
}

#[test]
fn s_001_breaks_at_every_cut() {
    let bytes = [one(), csr().bare()].concat();
    for cut in 1..bytes.len() {
        match cut == one().len() {
            true => keeps(&bytes[..cut], &[], 1),
            false => breaks(&bytes[..cut], &[], TRUNCATED, "S-001", usize::from(cut > one().len())),
        }
    }
}

#[test]
fn s_001_keeps() {
    keeps(&[], &[], 0);
    keeps(&[one(), one()].concat(), &[], 2);
}

#[test]
fn s_002_breaks() {
    for (at, byte) in [(0, b'X'), (1, b'S'), (2, b'r'), (3, 0)] {
        // A bad byte is seen as it arrives: what comes after it does not matter.
        for len in [at + 1, 30, one().len()] {
            breaks(&patched(at, &[byte])[..len], &[], INVALID_MAGIC, "S-002", 0);
        }
    }
    let padded = [one(), vec![0; 64], one()].concat();
    breaks(&padded, &[], INVALID_MAGIC, "S-002", 1);
    breaks(&[one(), b"\0".to_vec()].concat(), &[], INVALID_MAGIC, "S-002", 1);
    // An end-of-stream marker was withdrawn.
    breaks(&[one(), b"HRRE".to_vec()].concat(), &[], INVALID_MAGIC, "S-002", 1);
    breaks(b"\xEF\xBB\xBFHRRY", &[], INVALID_MAGIC, "S-002", 0);
}

#[test]
fn s_002_keeps_magic_inside_data() {
    keeps(&bytes_of(&[300]).bare(), &[], 1);
    assert!(bytes_of(&[300]).data().windows(4).any(|four| four == b"HRRY"));
}

#[test]
fn s_003_breaks() {
    for major in [0, 2, 255] {
        breaks(&patched(4, &[major]), &[], VERSION_MISMATCH, "S-003", 0);
        breaks(&patched(4, &[major])[..5], &[], VERSION_MISMATCH, "S-003", 0);
    }
    let (_, ended) = read_all_ways(b"HRRYFILE\x01\0\0\0", &[]);
    assert!(ended.unwrap_err().text.contains("file"), "a file is named as one");
}

#[test]
fn s_003_keeps_any_minor_version() {
    keeps(&patched(5, &[9]), &[], 1);
}

#[test]
fn s_004_breaks() {
    for length in [0u32, 9, 10, 19] {
        let bytes = patched(6, &length.to_le_bytes());
        breaks(&bytes, &[], INVALID_DESCRIPTOR, "S-004", 0);
        breaks(&bytes[..10], &[], INVALID_DESCRIPTOR, "S-004", 0);
    }
}

#[test]
fn s_004_keeps_the_header_alone() {
    // 20 bytes pass this rule; the descriptor's own rules then miss what is behind the header.
    let (_, ended) = read_all_ways(&patched(6, &20u32.to_le_bytes()), &[]);
    assert_eq!(ended.unwrap_err().status, TRUNCATED);
}

#[test]
fn s_005_breaks() {
    let length = bytes_of(&[2, 3]).bytes().len() as u64;
    breaks(&one(), &[(2, length - 1)], LIMIT_EXCEEDED, "S-005", 0);
    breaks(&patched(6, &((16 << 20) + 1u32).to_le_bytes()), &[], LIMIT_EXCEEDED, "S-005", 0);
    breaks(&patched(6, &u32::MAX.to_le_bytes())[..10], &[], LIMIT_EXCEEDED, "S-005", 0);
}

#[test]
fn s_005_keeps() {
    keeps(&one(), &[(2, bytes_of(&[2, 3]).bytes().len() as u64)], 1);
    breaks(&patched(6, &(16u32 << 20).to_le_bytes()), &[], TRUNCATED, "S-001", 0);
}

#[test]
fn s_006_breaks() {
    // The descriptor's own rule and status: reserved flag, element type, mixed devices.
    breaks(&[one(), patched(13, &[0x80])].concat(), &[], INVALID_DESCRIPTOR, "V-012", 1);
    breaks(&patched(14, &[0]), &[], -4, "V-013", 0);
    let mut mixed = csr();
    mixed.buffers[1].2 = [1, 0, 0];
    breaks(&mixed.bare(), &[], BUFFER_MISMATCH, "V-091", 0);
}

#[test]
fn s_006_keeps() {
    keeps(&csr().on(1, 0, 0).bare(), &[], 1);
}

#[test]
fn s_007_breaks() {
    breaks(&one(), &[(3, 5)], LIMIT_EXCEEDED, "S-007", 0);
    breaks(&csr().bare(), &[(4, 59)], LIMIT_EXCEEDED, "S-007", 0);
    // The sum over everything inside the outermost composite.
    let all = nested();
    let total: u64 = all.iter().map(Desc::total).sum();
    breaks(&bare(&all), &[(4, total - 1)], LIMIT_EXCEEDED, "S-007", 0);
    // Sums beyond 64 bits, whatever the limits.
    let mut huge = csr();
    huge.buffers[0].0 = 1 << 63;
    huge.buffers[1].0 = 1 << 63;
    breaks(&huge.bytes(), &[], LIMIT_EXCEEDED, "S-007", 0);
    let wide = Desc { buffers: vec![Entry(6, 4 << 20, [0; 3])], ..bytes_of(&[2, 3]) };
    breaks(&wide.bare(), &[], LIMIT_EXCEEDED, "S-007", 0);
    breaks(&head(3, 0, 21, &[]).bare(), &[(6, 20)], LIMIT_EXCEEDED, "S-007", 0);
    breaks(&head(3, 0, 0xFFFF_FFFE, &[]).bare(), &[], LIMIT_EXCEEDED, "S-007", 0);
}

#[test]
fn s_007_keeps() {
    keeps(&one(), &[(3, 6)], 1);
    keeps(&csr().bare(), &[(4, 60)], 1);
    let all = [nested(), nested()].concat();
    let total: u64 = nested().iter().map(Desc::total).sum();
    keeps(&bare(&all), &[(4, total)], 2);
    let wide = Desc { buffers: vec![Entry(6, 2 << 20, [0; 3])], ..bytes_of(&[2, 3]) };
    keeps(&wide.bare(), &[], 1);
    keeps(&Desc { buffers: vec![Entry(0, 4 << 20, [0; 3])], ..bytes_of(&[0]) }.bare(), &[], 1);
}

#[test]
fn s_008_breaks() {
    // Before any data: the descriptor alone is enough.
    breaks(&bytes_of(&[2, 3]).on(1, 1, 0).bytes(), &[(10, 1)], INVALID_SYNC_MODE, "S-008", 0);
    breaks(&bytes_of(&[2, 3]).on(1, 2, 0).bare(), &[(10, 1)], INVALID_SYNC_MODE, "S-008", 0);
}

#[test]
fn s_008_keeps() {
    keeps(&bytes_of(&[2, 3]).on(1, 0, 0).bare(), &[(10, 1)], 1);
    keeps(&bytes_of(&[2, 3]).on(1, 1, 0).bare(), &[], 1);
    keeps(&bytes_of(&[2, 3]).on(1, 2, 0).bare(), &[], 1);
}

#[test]
fn s_009_breaks() {
    let all = nested();
    let bytes = bare(&all);
    let mut at = 0;
    for desc in &all[..all.len() - 1] {
        at += desc.bare().len();
        breaks(&bytes[..at], &[], TORN, "S-009", 0);
    }
    breaks(&head(3, 0, 1 << 20, &[]).bare(), &[], TORN, "S-009", 0);
    // Inside a member's bytes it is truncated, and the text says where.
    let cut = all[0].bare().len() + all[1].bare().len() + all[2].bare().len() + all[3].bare().len() + 60;
    let (_, ended) = read_all_ways(&bytes[..cut], &[]);
    let said = ended.unwrap_err();
    assert_eq!((said.status, said.rule()), (TRUNCATED, "S-001"));
    assert!(said.text.contains("in member 1.1"), "{said:?}");
}

#[test]
fn a_member_at_fault_is_named_and_a_composite_that_does_not_close() {
    let [whole, left, right] = partition();
    let around = [head(3, 0, 2, &[1]), bytes_of(&[5])];
    let overlap = [whole.clone(), left.clone(), left.clone()];
    let bad = [whole, left, Desc { shard: None, ..right }];
    for (all, rule, path) in [
        (overlap.to_vec(), "V-166", None),
        ([&around[..], &overlap].concat(), "V-166", Some("1")),
        (bad.to_vec(), "V-160", Some("1")),
        ([&around[..], &bad].concat(), "V-160", Some("1.1")),
        (vec![head(1, 0, 0, &[2])], "V-166", None),
        (vec![around[0].clone(), head(1, 0, 0, &[2])], "V-166", Some("0")),
    ] {
        for bytes in [bare(&all), framed(&all, 1)] {
            let said = read_all_ways(&bytes, &[]).1.unwrap_err();
            let named = said.text.split_once(", in member ").map(|(_, path)| path);
            assert_eq!((said.rule(), named), (rule, path), "{}", said.text);
        }
    }
}

#[test]
fn s_009_keeps() {
    keeps(&bare(&nested()), &[], 1);
    keeps(&[head(3, 0, 0, &[]).bare(), one()].concat(), &[], 2);
}

/// So many heads in each other around nothing.
fn tower(levels: u32) -> Vec<u8> {
    let heads = (1..=levels).map(|level| head(3, 0, u32::from(level < levels), &[]));
    heads.flat_map(|head| head.bare()).collect()
}

#[test]
fn s_010_breaks() {
    breaks(&tower(9), &[], LIMIT_EXCEEDED, "S-010", 0);
    breaks(&tower(2), &[(5, 1)], LIMIT_EXCEEDED, "S-010", 0);
    breaks(&tower(1), &[(5, 0)], LIMIT_EXCEEDED, "S-010", 0);
    breaks(&tower(65), &[(5, u64::from(u32::MAX))], LIMIT_EXCEEDED, "S-010", 0);
}

#[test]
fn s_010_keeps() {
    keeps(&tower(8), &[], 1);
    keeps(&tower(1), &[(5, 1)], 1);
    keeps(&tower(64), &[(5, 1000)], 1);
}

#[test]
fn s_011_breaks() {
    // A rule of one member is tested before its data, one of the whole after the last member.
    let part = |offset: u64| bytes_of(&[4]).at(&[8], &[offset]);
    let whole = |a: Desc, b: Desc| bare(&[head(1, 0, 2, &[8]), a, b]);
    let early = [head(1, 0, 2, &[8]).bare(), bytes_of(&[4]).bytes()].concat();
    breaks(&early, &[], INVALID_LAYOUT, "V-160", 0);
    breaks(&whole(part(0), part(3)), &[], INVALID_LAYOUT, "V-166", 0);
    breaks(&whole(part(0), part(0)), &[], INVALID_LAYOUT, "V-166", 0);
    breaks(&whole(part(0), bytes_of(&[3]).at(&[8], &[4])), &[], INVALID_LAYOUT, "V-166", 0);
    breaks(&whole(part(0), bytes_of(&[4]).at(&[9], &[4])), &[], INVALID_LAYOUT, "V-161", 0);
    let overlay = [head(2, 1, 2, &[8]).bare(), part(0).role(0).bytes()].concat();
    breaks(&overlay, &[], INVALID_LAYOUT, "V-164", 0);
}

#[test]
fn s_011_keeps() {
    let part = |offset: u64| bytes_of(&[4]).at(&[8], &[offset]);
    keeps(&bare(&[head(1, 0, 2, &[8]), part(0), part(4)]), &[], 1);
    keeps(&bare(&[head(1, 0, 2, &[8]), part(4), part(0)]), &[], 1);
    let base = bytes_of(&[8]).at(&[8], &[0]).role(1);
    keeps(&bare(&[head(2, 1, 2, &[8]), base, part(3).role(0)]), &[], 1);
}

#[test]
fn the_first_rule_in_order_is_reported() {
    // S-002 and S-003 before S-001; then S-004, S-005, S-006, S-008, S-007.
    breaks(b"HRRZ", &[], INVALID_MAGIC, "S-002", 0);
    breaks(b"HRRY\x02", &[], VERSION_MISMATCH, "S-003", 0);
    breaks(&patched(6, &19u32.to_le_bytes()), &[(2, 5)], INVALID_DESCRIPTOR, "S-004", 0);
    breaks(&patched(14, &[0]), &[(2, 30)], LIMIT_EXCEEDED, "S-005", 0);
    let odd = bytes_of(&[2, 3]).on(1, 1, 0);
    breaks(&odd.bare(), &[(10, 1), (3, 1)], INVALID_SYNC_MODE, "S-008", 0);
    breaks(&odd.bare(), &[(3, 1)], LIMIT_EXCEEDED, "S-007", 0);
    // A member's rule comes after the limits.
    let member = [head(1, 0, 1, &[8]).bare(), bytes_of(&[4]).bytes()].concat();
    breaks(&member, &[(3, 3)], LIMIT_EXCEEDED, "S-007", 0);
}
