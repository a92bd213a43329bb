//! Against the examples of the written format, and against a plain map from coordinates to values.

use super::Sparse;
use crate::convert::Duplicates::{self, Keep, Refuse, Sum};
use crate::convert::job::Job;
use crate::convert::sparse_dense::to_dense;
use crate::convert::sparse_plan::{Plan, from_dense};
use crate::convert::unit::{Unit, with_unit};
use crate::format::{Fault, Layout, Status, Words32, packed_bytes};
use std::collections::BTreeMap;

const INT8: u8 = 0x10;

#[derive(Clone, Debug, PartialEq)]
struct Owned {
    layout: Layout,
    buffers: Vec<Vec<u8>>,
}

fn words(of: &[u64]) -> Vec<u8> {
    of.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn view<R>(of: &Owned, shape: &[u64], bits: u32, body: impl FnOnce(&Sparse<'_>) -> R) -> R {
    let buffers: Vec<&[u8]> = of.buffers.iter().map(Vec::as_slice).collect();
    body(&Sparse { layout: &of.layout, shape, bits, buffers: &buffers })
}

fn write(plan: &Plan<'_>) -> Result<Owned, Fault> {
    let mut buffers: Vec<Vec<u8>> = plan.sizes().iter().map(|&size| vec![0; size as usize]).collect();
    let mut out: Vec<&mut [u8]> = buffers.iter_mut().map(Vec::as_mut_slice).collect();
    plan.write(&mut out, &Job::new(None, 1))?;
    Ok(Owned { layout: plan.layout().clone(), buffers })
}

fn convert(
    of: &Owned,
    shape: &[u64],
    bits: u32,
    element_type: u8,
    target: &Layout,
    duplicates: Duplicates,
) -> Result<Owned, Fault> {
    view(of, shape, bits, |source| {
        write(&Plan::from_sparse(source, target, element_type, duplicates, &Job::new(None, 1))?)
    })
}

fn dense(of: &Owned, shape: &[u64], bits: u32, duplicates: Duplicates) -> Result<Vec<u8>, Fault> {
    let size = packed_bytes(bits, shape.iter().product()).unwrap() as usize;
    // What is in the memory before must not matter, the unused bits of the last byte aside.
    let mut out = vec![0xA5; size];
    view(of, shape, bits, |source| to_dense(source, INT8, duplicates, &mut out, false, &Job::new(None, 1)))?;
    let mut again = vec![0; size];
    view(of, shape, bits, |source| to_dense(source, INT8, duplicates, &mut again, true, &Job::new(None, 1)))?;
    if bits >= 8 {
        assert_eq!(out, again);
    }
    Ok(again)
}

fn coo(nnz: u64) -> Layout {
    Layout::Coo { nnz, is_sorted: 1 }
}

fn csf(nnz: u64, order: &[u32]) -> Layout {
    Layout::Csf { nnz, mode_order: Words32::from_slice(order) }
}

fn csr_example() -> Owned {
    let values = vec![1, 4, 8, 6, 3, 2, 7, 5];
    let buffers = vec![values, words(&[2, 3, 1, 3, 4, 4, 0, 1]), words(&[0, 2, 5, 6, 8])];
    Owned { layout: Layout::Csr { nnz: 8 }, buffers }
}

fn csc_example() -> Owned {
    let values = vec![7, 8, 5, 1, 4, 6, 3, 2];
    let buffers = vec![values, words(&[3, 1, 3, 0, 0, 1, 1, 2]), words(&[0, 1, 3, 4, 6, 8, 8])];
    Owned { layout: Layout::Csc { nnz: 8 }, buffers }
}

fn csf_example() -> Owned {
    let buffers = vec![
        vec![4, 2, 1, 5, 7, 3, 9, 6, 8],
        words(&[0, 5]),
        words(&[0, 1, 2, 3, 4]),
        words(&[0, 1, 2, 4, 6, 7]),
        words(&[0, 2, 1, 2, 0, 2, 2]),
        words(&[0, 1, 2, 5, 6, 7, 8, 9]),
        words(&[1, 0, 1, 2, 3, 1, 2, 2, 1]),
    ];
    Owned { layout: csf(9, &[2, 0, 1]), buffers }
}

#[test]
fn examples_of_the_written_format() {
    // layouts.md section 10: the same matrix as CSR and as CSC.
    let shape = [4, 6];
    let (csr, csc) = (csr_example(), csc_example());
    let rows = [[0, 0, 1, 4, 0, 0], [0, 8, 0, 6, 3, 0], [0, 0, 0, 0, 2, 0], [7, 5, 0, 0, 0, 0]].concat();
    assert_eq!(dense(&csr, &shape, 8, Refuse).unwrap(), rows);
    assert_eq!(dense(&csc, &shape, 8, Refuse).unwrap(), rows);
    assert_eq!(convert(&csr, &shape, 8, INT8, &csc.layout, Refuse).unwrap(), csc);
    assert_eq!(convert(&csc, &shape, 8, INT8, &csr.layout, Refuse).unwrap(), csr);
    for target in [&csr, &csc] {
        assert_eq!(
            &write(&from_dense(&rows, &shape, 8, &target.layout, &Job::new(None, 1)).unwrap()).unwrap(),
            target
        );
    }
    // Section 9: int4, [3,2,4].
    let indices = words(&[0, 0, 3, 1, 0, 2, 1, 1, 0]);
    let of = Owned { layout: coo(3), buffers: vec![vec![0x15, 0x04], indices] };
    let found = dense(&of, &[3, 2, 4], 4, Refuse).unwrap();
    assert_eq!(found, [0, 0x50, 0, 0, 0, 1, 4, 0, 0, 0, 0, 0]);
    assert_eq!(write(&from_dense(&found, &[3, 2, 4], 4, &coo(0), &Job::new(None, 1)).unwrap()).unwrap(), of);
    // Section 11: [3,4,5], mode order [2,0,1]; (1,2,2) is 5.
    let tree = csf_example();
    let found = dense(&tree, &[3, 4, 5], 8, Refuse).unwrap();
    assert_eq!(found[(4 + 2) * 5 + 2], 5);
    assert_eq!(found.iter().filter(|&&value| value != 0).count(), 9);
    assert_eq!(
        write(&from_dense(&found, &[3, 4, 5], 8, &tree.layout, &Job::new(None, 1)).unwrap()).unwrap(),
        tree
    );
}

/// Numbers that look random and are the same every time.
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    *state >> 33
}

type Map = BTreeMap<Vec<u64>, u8>;

/// A COO tensor of a map, its entries in the order of their values; one byte or a packed code per entry.
fn coo_of(map: &Map, bits: u32) -> Owned {
    let mut entries: Vec<_> = map.iter().collect();
    entries.sort_by_key(|&(at, &value)| (value, at.clone()));
    let nnz = entries.len() as u64;
    let mut values = vec![0; packed_bytes(bits, nnz).unwrap() as usize];
    for (q, (_, value)) in entries.iter().enumerate() {
        let mut wide = [0u8; 16];
        wide[0] = **value;
        with_unit!(bits, unit => unit.copy(&wide, 0, &mut values, q)).unwrap();
    }
    let indices = entries.iter().flat_map(|(at, _)| words(at)).collect();
    Owned { layout: Layout::Coo { nnz, is_sorted: 0 }, buffers: vec![values, indices] }
}

fn targets(rank: usize) -> Vec<Layout> {
    let mut targets = vec![coo(0)];
    match rank {
        2 => targets.extend([Layout::Csr { nnz: 0 }, Layout::Csc { nnz: 0 }]),
        3 => targets.extend([csf(0, &[0, 1, 2]), csf(0, &[2, 0, 1]), csf(0, &[1, 2, 0])]),
        5 => targets.push(csf(0, &[4, 2, 0, 3, 1])),
        _ => {}
    }
    targets
}

#[test]
fn any_layout_to_any_other_and_to_dense() {
    let mut state = 7;
    let shapes: [&[u64]; 11] = [
        &[9],
        &[0],
        &[4, 6],
        &[1, 1],
        &[3, 0],
        &[40, 70],
        &[3, 4, 5],
        &[1, 7, 1],
        &[2, 0, 3],
        &[2, 3, 2, 2],
        &[2, 1, 3, 2, 2],
    ];
    for shape in shapes {
        let elements: u64 = shape.iter().product();
        for bits in [1u32, 2, 4, 6, 8, 16, 24, 32, 64, 128] {
            let mut map = Map::new();
            for _ in 0..elements / 3 {
                let at = shape.iter().map(|&n| next(&mut state) % n).collect();
                map.insert(at, (next(&mut state) as u8).max(1) & ((1u16 << bits.min(7)) - 1) as u8 | 1);
            }
            // The first stored entry is a zero: it survives between sparse layouts.
            if let Some(value) = map.values_mut().next() {
                *value = 0;
            }
            let from = coo_of(&map, bits);
            let mut expected = vec![0; packed_bytes(bits, elements).unwrap() as usize];
            for (at, &value) in &map {
                let q = at.iter().zip(shape).fold(0, |q, (i, n)| q * n + i) as usize;
                let mut wide = [0u8; 16];
                wide[0] = value;
                with_unit!(bits, unit => unit.copy(&wide, 0, &mut expected, q)).unwrap();
            }
            let plain = convert(&from, shape, bits, INT8, &coo(0), Refuse).unwrap();
            assert_eq!(plain.buffers[1], map.keys().flat_map(|at| words(at)).collect::<Vec<_>>());
            assert_eq!(dense(&from, shape, bits, Refuse).unwrap(), expected);
            for target in targets(shape.len()) {
                let to = convert(&from, shape, bits, INT8, &target, Refuse).unwrap();
                assert_eq!(dense(&to, shape, bits, Refuse).unwrap(), expected, "{shape:?} {target:?}");
                assert_eq!(convert(&to, shape, bits, INT8, &coo(0), Refuse).unwrap(), plain);
                let mut without = map.clone();
                without.retain(|_, value| *value != 0);
                let again = convert(&coo_of(&without, bits), shape, bits, INT8, &target, Refuse).unwrap();
                let plan = from_dense(&expected, shape, bits, &target, &Job::new(None, 1)).unwrap();
                assert_eq!(write(&plan).unwrap(), again, "{shape:?} {target:?}, {bits} bits");
            }
        }
    }
}

#[test]
fn large_coordinates_take_wide_keys() {
    let shape = [1 << 40, 1 << 40];
    let at = [(1 << 40) - 1, 5, 0, 1 << 39, 7, 7];
    let of = Owned { layout: Layout::Coo { nnz: 3, is_sorted: 0 }, buffers: vec![vec![1, 2, 3], words(&at)] };
    let sorted = convert(&of, &shape, 8, INT8, &coo(0), Refuse).unwrap();
    let indices = words(&[0, 1 << 39, 7, 7, (1 << 40) - 1, 5]);
    assert_eq!(sorted, Owned { layout: coo(3), buffers: vec![vec![2, 3, 1], indices] });
    // Rank 64: one bit a dimension, and the position.
    let shape = [2; 64];
    let mut at = [0; 128];
    at[0] = 1;
    let of = Owned { layout: Layout::Coo { nnz: 2, is_sorted: 0 }, buffers: vec![vec![1, 2], words(&at)] };
    assert_eq!(convert(&of, &shape, 8, INT8, &coo(0), Refuse).unwrap().buffers[0], [2, 1]);
    let fault = convert(&of, &[1 << 20; 64], 8, INT8, &coo(0), Refuse).unwrap_err();
    assert_eq!(fault.status, Status::OVERFLOW);
}

#[test]
fn b81_duplicates_are_refused_kept_or_summed() {
    let at = words(&[1, 2, 0, 0, 1, 2, 1, 0]);
    let of = Owned { layout: Layout::Coo { nnz: 4, is_sorted: 0 }, buffers: vec![vec![5, 1, 7, 2], at] };
    let shape = [2, 3];
    for target in [coo(0), Layout::Csr { nnz: 0 }, Layout::Csc { nnz: 0 }] {
        let fault = convert(&of, &shape, 8, INT8, &target, Refuse).unwrap_err();
        assert_eq!((fault.rule, fault.status), ("L-034", Status::INVALID_LAYOUT));
    }
    let csr = |nnz| Layout::Csr { nnz };
    let sum = convert(&of, &shape, 8, INT8, &csr(0), Sum).unwrap();
    let buffers = vec![vec![1, 2, 12], words(&[0, 0, 2]), words(&[0, 1, 3])];
    assert_eq!(sum, Owned { layout: csr(3), buffers });
    let kept = convert(&of, &shape, 8, INT8, &csr(0), Keep).unwrap();
    let buffers = vec![vec![1, 2, 5, 7], words(&[0, 0, 2, 2]), words(&[0, 1, 4])];
    assert_eq!(kept, Owned { layout: csr(4), buffers });
    let kept = convert(&of, &shape, 8, INT8, &coo(0), Keep).unwrap();
    assert_eq!(kept.layout, Layout::Coo { nnz: 4, is_sorted: 0 });
    assert_eq!(dense(&of, &shape, 8, Refuse).unwrap_err().rule, "L-034");
    assert_eq!(dense(&of, &shape, 8, Keep).unwrap_err().status, Status::INVALID_ARGUMENT);
    assert_eq!(dense(&of, &shape, 8, Sum).unwrap(), [1, 0, 0, 2, 0, 12]);
    // A tree keeps a duplicate as one more leaf.
    let at = words(&[1, 0, 2, 1, 0, 2]);
    let of = Owned { layout: Layout::Coo { nnz: 2, is_sorted: 1 }, buffers: vec![vec![3, 4], at] };
    let kept = convert(&of, &[2, 1, 3], 8, INT8, &csf(0, &[0, 1, 2]), Keep).unwrap();
    let one = || words(&[0, 1]);
    let buffers = vec![vec![3, 4], one(), words(&[1]), one(), words(&[0]), words(&[0, 2]), words(&[2, 2])];
    assert_eq!(kept, Owned { layout: csf(2, &[0, 1, 2]), buffers });
}

#[test]
fn what_is_malformed_is_named() {
    let shape = [4, 6];
    let broken = |part: usize, at: usize, value: u64| {
        let mut of = csr_example();
        of.buffers[part][8 * at..8 * at + 8].copy_from_slice(&value.to_le_bytes());
        let fault = dense(&of, &shape, 8, Refuse).unwrap_err();
        let other = convert(&of, &shape, 8, INT8, &Layout::Csc { nnz: 0 }, Refuse).unwrap_err();
        assert_eq!((fault.rule, fault.field, fault.index), (other.rule, other.field, other.index));
        assert_eq!(fault.status, Status::INVALID_LAYOUT);
        (fault.rule, fault.field, fault.index)
    };
    assert_eq!(broken(1, 4, 6), ("L-032", "col_indices", Some(4)));
    assert_eq!(broken(1, 4, u64::MAX), ("L-032", "col_indices", Some(4)));
    assert_eq!(broken(1, 4, 3), ("L-033", "col_indices", Some(4)));
    assert_eq!(broken(2, 0, 1), ("L-031", "row_ptr", Some(0)));
    assert_eq!(broken(2, 3, 1), ("L-031", "row_ptr", Some(3)));
    assert_eq!(broken(2, 3, 9), ("L-031", "row_ptr", Some(3)));
    assert_eq!(broken(2, 4, 7), ("L-031", "row_ptr", Some(4)));
    assert_eq!(broken(2, 2, u64::MAX), ("L-031", "row_ptr", Some(2)));

    let broken = |part: usize, at: usize, value: u64| {
        let mut of = csf_example();
        of.buffers[part][8 * at..8 * at + 8].copy_from_slice(&value.to_le_bytes());
        let fault = dense(&of, &[3, 4, 5], 8, Refuse).unwrap_err();
        (fault.rule, fault.field, fault.index)
    };
    assert_eq!(broken(1, 0, 1), ("L-031", "pos", Some(0)));
    assert_eq!(broken(1, 1, 4), ("L-031", "pos", Some(2)));
    assert_eq!(broken(1, 1, 6), ("L-030", "crd", Some(0)));
    assert_eq!(broken(3, 2, 0), ("L-031", "pos", Some(1)));
    assert_eq!(broken(3, 5, 8), ("L-030", "crd", Some(1)));
    assert_eq!(broken(5, 7, 10), ("L-030", "crd", Some(2)));
    assert_eq!(broken(4, 3, 1), ("L-033", "crd", Some(1)));
    assert_eq!(broken(6, 3, 4), ("L-032", "crd", Some(2)));
    assert_eq!(broken(6, 3, 0), ("L-033", "crd", Some(2)));

    let mut of = Owned { layout: coo(2), buffers: vec![vec![1, 2], words(&[1, 0, 0, 1])] };
    assert_eq!(dense(&of, &[2, 2], 8, Refuse).unwrap_err().rule, "L-034");
    of.buffers[1] = words(&[0, 0, 0, 2]);
    let fault = dense(&of, &[2, 2], 8, Refuse).unwrap_err();
    assert_eq!((fault.rule, fault.field, fault.index), ("L-032", "indices", Some(3)));
}

#[test]
fn positions_of_the_written_format() {
    // layouts.md sections 9, 10 and 11.
    let indices = words(&[0, 0, 3, 1, 0, 2, 1, 1, 0]);
    let mut of = Owned { layout: coo(3), buffers: vec![vec![0x15, 0x04], indices] };
    for is_sorted in [1, 0] {
        of.layout = Layout::Coo { nnz: 3, is_sorted };
        let find = |at: &[u64]| view(&of, &[3, 2, 4], 4, |source| source.position(at).unwrap());
        assert_eq!(find(&[1, 0, 2]), Some(1));
        assert_eq!(find(&[0, 0, 3]), Some(0));
        assert_eq!(find(&[1, 1, 0]), Some(2));
        assert_eq!(find(&[2, 1, 3]), None);
    }
    let find = |of: &Owned, at: &[u64]| view(of, &[4, 6], 8, |source| source.position(at).unwrap());
    assert_eq!(find(&csr_example(), &[1, 3]), Some(3));
    assert_eq!(find(&csr_example(), &[1, 2]), None);
    assert_eq!(find(&csc_example(), &[1, 3]), Some(5));
    assert_eq!(find(&csc_example(), &[3, 5]), None);
    let find = |at: &[u64]| view(&csf_example(), &[3, 4, 5], 8, |source| source.position(at).unwrap());
    assert_eq!(find(&[1, 2, 2]), Some(3));
    assert_eq!(find(&[1, 0, 2]), None);
    assert_eq!(find(&[2, 3, 0]), None);
}

#[test]
fn searches_stay_inside_malformed_tables() {
    for value in [7, 8, 9, u64::MAX] {
        let mut of = csr_example();
        of.buffers[2] = words(&[value; 5]);
        for (row, column) in (0..4).flat_map(|row| (0..6).map(move |column| (row, column))) {
            match view(&of, &[4, 6], 8, |source| source.position(&[row, column])) {
                Ok(found) => assert!(found.is_none_or(|position| position < 8)),
                Err(fault) => assert_eq!((fault.rule, value > 8), ("L-031", true)),
            }
        }
        let mut of = csf_example();
        of.buffers[5] = words(&[value; 8]);
        match view(&of, &[3, 4, 5], 8, |source| source.position(&[1, 2, 2])) {
            Ok(found) => assert!(found.is_none_or(|position| position < 9)),
            Err(fault) => assert_eq!((fault.rule, value > 9), ("L-031", true)),
        }
    }
}

#[test]
fn large_results_with_rows_of_any_length() {
    // 4 MiB at least, so that rows are put together beside the result; 1021 columns begin at every place of a line.
    for (bits, shape) in
        [(8u32, [4200u64, 1021u64]), (24, [1500, 1021]), (32, [1100, 1021]), (64, [530, 1024])]
    {
        let width = bits as usize / 8;
        let mut state = u64::from(bits);
        let (mut values, mut columns, mut pointers) = (Vec::new(), Vec::new(), vec![0]);
        let mut expected = vec![0; (shape[0] * shape[1]) as usize * width];
        for row in 0..shape[0] {
            let first = next(&mut state) % shape[1];
            for column in (first..shape[1]).step_by(1 + (next(&mut state) % 90) as usize) {
                let value: Vec<u8> = (0..width).map(|_| next(&mut state) as u8).collect();
                let at = (row * shape[1] + column) as usize * width;
                expected[at..at + width].copy_from_slice(&value);
                values.extend(value);
                columns.push(column);
            }
            pointers.push(columns.len() as u64);
        }
        let layout = Layout::Csr { nnz: columns.len() as u64 };
        let of = Owned { layout, buffers: vec![values, words(&columns), words(&pointers)] };
        assert!(dense(&of, &shape, bits, Refuse).unwrap() == expected, "{bits} bits");
        // The last entry of a row in the middle is moved beyond its row.
        let mut bad = of.clone();
        let last = pointers[shape[0] as usize / 2] as usize - 1;
        bad.buffers[1][8 * last..8 * last + 8].copy_from_slice(&shape[1].to_le_bytes());
        assert_eq!(dense(&bad, &shape, bits, Refuse).unwrap_err().rule, "L-032");
    }
}
