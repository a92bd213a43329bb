//! Against a plain map from coordinates to sums in stored order.

use super::*;
use crate::convert::job::Job;
use crate::format::{Fault, Status};
use std::collections::BTreeMap;

const FLOAT32: u8 = 0x03;

/// A type: its tag, its bits, a value of a number, and the sum of two values.
type Type = (u8, u32, fn(u64) -> Vec<u8>, fn(&[u8], &[u8]) -> Vec<u8>);

macro_rules! native {
    ($tag:literal, $type:ty, $sum:expr) => {
        (
            $tag,
            8 * size_of::<$type>() as u32,
            |n| (n as $type).to_le_bytes().to_vec(),
            |a, b| {
                let sum: fn($type, $type) -> $type = $sum;
                let read = |bytes: &[u8]| <$type>::from_le_bytes(bytes.try_into().unwrap());
                sum(read(a), read(b)).to_le_bytes().to_vec()
            },
        )
    };
}

fn halves(a: &[u8], b: &[u8], sum: fn(&[u8], &[u8]) -> Vec<u8>) -> Vec<u8> {
    let (middle, end) = (a.len() / 2, a.len());
    [sum(&a[..middle], &b[..middle]), sum(&a[middle..end], &b[middle..end])].concat()
}

const TYPES: [Type; 8] = [
    native!(0x03, f32, |a, b| a + b),
    native!(0x04, f64, |a, b| a + b),
    native!(0x10, i8, i8::wrapping_add),
    native!(0x13, u16, u16::wrapping_add),
    native!(0x14, i32, i32::wrapping_add),
    native!(0x17, u64, u64::wrapping_add),
    (
        0x50,
        64,
        |n| [(n as f32).to_le_bytes(), (-0.5 * n as f32).to_le_bytes()].concat(),
        |a, b| halves(a, b, TYPES[0].3),
    ),
    (
        0x51,
        128,
        |n| [(n as f64).to_le_bytes(), (-0.5 * n as f64).to_le_bytes()].concat(),
        |a, b| halves(a, b, TYPES[1].3),
    ),
];

fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    *state >> 33
}

/// Values, minor coordinates and pointers.
type Found = [Vec<u8>; 3];

fn words(of: impl IntoIterator<Item = u64>) -> Vec<u8> {
    of.into_iter().flat_map(u64::to_le_bytes).collect()
}

fn target(is_csr: bool) -> Layout {
    if is_csr { Layout::Csr { nnz: 0 } } else { Layout::Csc { nnz: 0 } }
}

fn run(
    entries: &[([u64; 2], Vec<u8>)],
    shape: [u64; 2],
    (tag, bits): (u8, u32),
    is_sorted: u8,
    is_csr: bool,
    duplicates: Duplicates,
) -> Result<Option<Found>, Fault> {
    let layout = Layout::Coo { nnz: entries.len() as u64, is_sorted };
    let values: Vec<u8> = entries.iter().flat_map(|(_, value)| value.clone()).collect();
    let indices = words(entries.iter().flat_map(|(at, _)| *at));
    let buffers = [&values[..], &indices[..]];
    let source = Sparse { layout: &layout, shape: &shape, bits, buffers: &buffers };
    assert!(is_for(&source, &target(is_csr), duplicates));
    let majors = shape[usize::from(!is_csr)] as usize;
    // What is in the memory before must not matter.
    let mut out = [vec![0xA5; values.len()], vec![0xA5; 8 * entries.len()], vec![0xA5; 8 * (majors + 1)]];
    let [to_values, minors, pointers] = &mut out;
    let mut room = Room { values: to_values, minors, pointers };
    let nnz = compress(&source, &target(is_csr), tag, duplicates, &mut room, &Job::new(None, 1))?;
    Ok(nnz.map(|nnz| {
        out[0].truncate(nnz as usize * bits as usize / 8);
        out[1].truncate(8 * nnz as usize);
        out
    }))
}

fn expected(
    entries: &[([u64; 2], Vec<u8>)],
    shape: [u64; 2],
    is_csr: bool,
    sum: fn(&[u8], &[u8]) -> Vec<u8>,
) -> Found {
    let mut map: BTreeMap<[u64; 2], Vec<u8>> = BTreeMap::new();
    for ([row, column], value) in entries {
        let at = if is_csr { [*row, *column] } else { [*column, *row] };
        map.entry(at).and_modify(|there| *there = sum(there, value)).or_insert_with(|| value.clone());
    }
    let majors = shape[usize::from(!is_csr)];
    let mut counts = vec![0; majors as usize];
    map.keys().for_each(|at| counts[at[0] as usize] += 1);
    let ends = counts.iter().scan(0, |end, count| {
        *end += count;
        Some(*end)
    });
    let pointers = words(std::iter::once(0).chain(ends));
    [map.values().flatten().copied().collect(), words(map.keys().map(|at| at[1])), pointers]
}

#[test]
fn sums_of_every_width_in_stored_order() {
    let mut state = 3;
    // Segments of one entry and of many; coordinates that share a word, a cache, or neither.
    let cases: [([u64; 2], usize); 9] = [
        ([1, 1], 5),
        ([3, 63], 70),
        ([2, 64], 300),
        ([7, 65], 9),
        ([40, 1000], 900),
        ([3, PLACES as u64 + 1], 3000),
        ([2, u32::MAX as u64], 2500),
        ([5000, 3], 4000),
        ([1, 20_000], 17),
    ];
    for (tag, bits, value, sum) in TYPES {
        for (shape, count) in cases {
            for is_sorted in [0, 1] {
                let mut entries: Vec<([u64; 2], Vec<u8>)> = (0..count)
                    .map(|_| {
                        // Half of them among few columns, so that coordinates repeat.
                        let few = if next(&mut state).is_multiple_of(2) { 13 } else { u64::MAX };
                        let at = [next(&mut state) % shape[0], next(&mut state) % shape[1].min(few)];
                        (at, value(next(&mut state) % 1000))
                    })
                    .collect();
                if is_sorted == 1 {
                    entries.sort_by_key(|(at, _)| *at);
                }
                for is_csr in [true, false] {
                    if !is_csr && shape[1] > 1 << 15 {
                        continue;
                    }
                    let found = run(&entries, shape, (tag, bits), is_sorted, is_csr, Duplicates::Sum);
                    let want = expected(&entries, shape, is_csr, sum);
                    assert!(found.unwrap().unwrap() == want, "{tag:#x}, {shape:?}, {is_sorted}, {is_csr}");
                }
            }
        }
    }
}

#[test]
fn entries_that_meet_no_other_keep_their_bits() {
    let bits = [0x8000_0000u32, 0x7FC0_1234, 0xFF80_0001, 1, 0];
    let entries: Vec<_> = (0..40u64)
        .map(|k| ([k % 2, 4 - k / 2 % 5 + k / 10 * 5], bits[k as usize % 5].to_le_bytes().to_vec()))
        .collect();
    for columns in [20, 1 << 21] {
        let want = expected(&entries, [2, columns], true, |_, _| unreachable!());
        for duplicates in [Duplicates::Sum, Duplicates::Refuse] {
            let found = run(&entries, [2, columns], (FLOAT32, 32), 0, true, duplicates).unwrap().unwrap();
            assert_eq!(found, want);
        }
    }
}

#[test]
fn a_coordinate_twice_is_told_where_it_is_refused() {
    for (count, columns) in [(2u64, 10u64), (40, 100), (40, 1 << 22)] {
        let at = |k: u64| [0, (k * 7) % columns.min(100)];
        let mut entries: Vec<_> = (0..count).map(|k| (at(k), vec![k as u8])).collect();
        let found = run(&entries, [1, columns], (0x10, 8), 0, true, Duplicates::Refuse);
        assert!(found.unwrap().is_some());
        entries.push((at(1), vec![9]));
        assert!(run(&entries, [1, columns], (0x10, 8), 0, true, Duplicates::Refuse).unwrap().is_none());
        entries.sort_by_key(|(at, _)| *at);
        assert!(run(&entries, [1, columns], (0x10, 8), 1, true, Duplicates::Refuse).unwrap().is_none());
    }
}

#[test]
fn what_is_malformed_is_named() {
    let one = |row: u64, column: u64| ([row, column], vec![1]);
    let refused = |entries: &[([u64; 2], Vec<u8>)], is_sorted: u8| {
        run(entries, [4, 6], (0x10, 8), is_sorted, true, Duplicates::Sum).unwrap_err()
    };
    let fault = refused(&[one(0, 1), one(4, 0)], 0);
    assert_eq!((fault.status, fault.rule, fault.index), (Status::INVALID_LAYOUT, "L-032", Some(2)));
    let fault = refused(&[one(0, 1), one(3, 6)], 0);
    assert_eq!((fault.rule, fault.index), ("L-032", Some(3)));
    let fault = refused(&[one(1, 1), one(1, 0)], 1);
    assert_eq!((fault.rule, fault.index), ("L-034", Some(2)));
    let fault = run(&[one(0, 0)], [4, 6], (0x20, 8), 0, true, Duplicates::Sum).unwrap_err();
    assert_eq!(fault.status, Status::UNSUPPORTED);
}

#[test]
fn empty_matrices() {
    for shape in [[0, 0], [0, 5], [5, 0], [5, 5]] {
        for is_csr in [true, false] {
            let found = run(&[], shape, (FLOAT32, 32), 0, is_csr, Duplicates::Sum).unwrap().unwrap();
            let majors = shape[usize::from(!is_csr)];
            assert_eq!(found, [vec![], vec![], words(vec![0; majors as usize + 1])]);
        }
    }
}
