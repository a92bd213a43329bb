//! Sparse tensors. What their index buffers hold is tested where contents are checked.

use crate::call::*;

const COO: [u32; 2] = [0x0001_0600, 0x0001_0601];
const CSR: u32 = 0x0001_0700;
const CSC: u32 = 0x0001_0800;
const CSF: [u32; 2] = [0x0001_0900, 0x0001_0901];

/// pytorch #56856: the number of entries is held against the shape and the buffers.
#[test]
fn b80_entries_that_do_not_fit() {
    let csr = |nnz: u64, given: &[u64]| sizes(&Plan(0x03, 7, &[2, 3], &[Set::U(CSR, nnz)]), Some(given));
    assert_eq!(csr(3, &[12, 24, 24]), Ok(vec![12, 24, 24]));
    assert_eq!(csr(3, &[12, 24, 16]).unwrap_err(), BUFFER_MISMATCH);
    assert_eq!(csr(3, &[12, 16, 24]).unwrap_err(), BUFFER_MISMATCH);
    assert_eq!(csr(3, &[8, 24, 24]).unwrap_err(), BUFFER_MISMATCH);
    // More entries than places.
    assert_eq!(csr(7, &[28, 56, 24]).unwrap_err(), -3);
    assert!(text().starts_with("V-042"), "{}", text());
}

/// arrow #50070: the number of index buffers is that of the layout, and of the rank.
#[test]
fn b78_a_buffer_more_or_less() {
    for given in [&[][..], &[12], &[12, 24], &[12, 24, 24, 24]] {
        let found = sizes(&Plan(0x03, 7, &[2, 3], &[Set::U(CSR, 3)]), Some(given));
        assert_eq!(found.unwrap_err(), INVALID_DESCRIPTOR, "{given:?}");
    }
}

/// scipy #12340: indices are 64 bits wide, and so are the sizes.
#[test]
fn b82_more_entries_than_32_bits_count() {
    let nnz = 3 << 31;
    let plan = Plan(0x11, 7, &[1 << 32, 1 << 33], &[Set::U(CSR, nnz)]);
    let expected = vec![nnz, 8 * nnz, 8 * ((1 << 32) + 1)];
    assert_eq!(sizes(&plan, None), Ok(expected));
    let tensor = tensor(&plan, None, None).unwrap();
    assert_eq!(tensor.part(2).unwrap().view().unwrap().shape, [nnz]);
    assert_eq!(
        sizes(&Plan(0x11, 6, &[u64::MAX - 1; 3], &[Set::U(COO[0], 1 << 62), Set::U(COO[1], 0)]), None),
        Err(OVERFLOW)
    );
}

/// TileDB-SOMA #668: no entries, or no places for any.
#[test]
fn b83_empty_sparse_tensors() {
    for shape in [[4, 5, 6], [0, 5, 6], [4, 5, 0]] {
        let matrix = &shape[1..];
        let coo = Plan(0x03, 6, &shape, &[Set::U(COO[0], 0), Set::U(COO[1], 1)]);
        assert_eq!(sizes(&coo, None), Ok(vec![0, 0]));
        let csr = Plan(0x03, 7, matrix, &[Set::U(CSR, 0)]);
        assert_eq!(sizes(&csr, None), Ok(vec![0, 0, 8 * (matrix[0] + 1)]));
        let csc = Plan(0x03, 8, matrix, &[Set::U(CSC, 0)]);
        assert_eq!(sizes(&csc, None), Ok(vec![0, 0, 8 * (matrix[1] + 1)]));
        let csf = Plan(0x03, 9, &shape, &[Set::U(CSF[0], 0), Set::Us(CSF[1], &[2, 0, 1])]);
        assert_eq!(sizes(&csf, None), Ok(vec![0, 16, 0, 8, 0, 8, 0]));
        for plan in [coo, csr, csc, csf] {
            let values = tensor(&plan, None, None).expect("handed over").part(1).expect("values");
            assert_eq!(values.view().unwrap().shape, [0]);
        }
    }
}
