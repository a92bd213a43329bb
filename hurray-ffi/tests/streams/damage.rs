//! Damaged streams: no crash, no hang, and the same verdict in every way of reading.

use crate::compose::*;
use crate::read::*;
use crate::status;

fn small() -> Vec<Desc> {
    let mut all = vec![bytes_of(&[2, 3])];
    all.extend(partition().map(|desc| if desc.layout == 0x0B { head(1, 0, 2, &[2, 2]) } else { desc }));
    all[2] = bytes_of(&[1, 2]).at(&[2, 2], &[0, 0]);
    all[3] = bytes_of(&[1, 2]).at(&[2, 2], &[1, 0]);
    all.push(empty_csr());
    all
}

#[test]
fn every_cut_is_a_clean_end_or_an_error() {
    // Pitfall B71: only a cut between items is an end.
    for (bytes, parts) in [
        (bare(&small()), small().iter().map(|desc| desc.bare().len()).collect::<Vec<_>>()),
        (framed(&small(), 2), small().iter().map(|desc| desc.framed(2).len()).collect()),
    ] {
        let ends: Vec<usize> = parts
            .iter()
            .scan(0, |at, n| {
                *at += n;
                Some(*at)
            })
            .collect();
        // Items end after the first part, the fourth and the last.
        let clean = [0, ends[0], ends[3], ends[4]];
        for cut in 0..=bytes.len() {
            let (items, ended) = read_all_ways(&bytes[..cut], &[]);
            assert_eq!(items.len(), clean[1..].iter().filter(|&&end| end <= cut).count());
            match ended {
                Ok(()) => assert!(clean.contains(&cut), "{cut}"),
                Err(said) => {
                    assert!(!clean.contains(&cut), "{cut}: {said:?}");
                    let between = ends.contains(&cut);
                    let wanted = if between { status::TORN } else { status::TRUNCATED };
                    assert_eq!((said.status, said.offset), (wanted, cut as u64), "{said:?}");
                }
            }
        }
    }
}

#[test]
fn every_flipped_bit_is_read_alike() {
    for bytes in [bare(&small()), framed(&small(), 2)] {
        let mut refused = 0;
        for bit in 0..8 * bytes.len() {
            let mut damaged = bytes.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            let whole = read(&damaged, &[], &Way::Fed(Vec::new()));
            refused += usize::from(whole.1.is_err());
            let ahead = [0, 65536, 50][bit % 3];
            if bit % 4 == 0 {
                assert_eq!(read(&damaged, &[(READ_AHEAD, ahead)], &Way::Windows(5 + bit % 40)), whole);
            }
            if bit % 16 == 0 {
                let whole = read(&damaged, &[(1, 1)], &Way::Fed(Vec::new()));
                assert_eq!(
                    read(&damaged, &[(1, 1), (READ_AHEAD, ahead)], &Way::Windows(1 + bit % 60)),
                    whole
                );
            }
        }
        assert!(refused > bytes.len(), "{refused} of {} flips refused", 8 * bytes.len());
    }
}

#[test]
fn a_file_or_other_format_is_no_stream() {
    for (bytes, wanted) in [
        (&b"HRRYFILE\x01\x00\x00\x00\x04"[..], status::VERSION_MISMATCH),
        (b"\x93NUMPY\x01\x00", status::INVALID_MAGIC),
        (b"PK\x03\x04", status::INVALID_MAGIC),
        (b"\xFF\xFF\xFF\xFF\x10\x01\x00\x00", status::INVALID_MAGIC),
        (b"GET / HTTP/1.1\r\n", status::INVALID_MAGIC),
        (b"hrry\x01\x00\x3d\x00\x00\x00", status::INVALID_MAGIC),
    ] {
        assert_eq!(read_all_ways(bytes, &[]).1.unwrap_err().status, wanted);
    }
}
