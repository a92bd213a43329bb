//! The example of the written format, and what is malformed.

use super::Paged;
use crate::convert::job::Job;
use crate::format::{BlockPaged, Status};

const JOB: fn() -> Job<'static> = || Job::new(None, 1);

/// layouts.md section 12: page size 3, five pages, two sequences.
fn example(index_type: u8) -> (BlockPaged, Vec<u8>, Vec<u8>) {
    let layout = BlockPaged {
        page_size: 3,
        num_pages: 5,
        paged_axis: 0,
        num_seqs: 2,
        kv_role: 0,
        layer_index: 0,
        block_table_index_type: index_type,
    };
    (layout, table(index_type, &[4, 1, 0, 4, 2]), table(index_type, &[0, 3, 5]))
}

fn table(index_type: u8, of: &[u64]) -> Vec<u8> {
    let width = if index_type == 0 { 4 } else { 8 };
    of.iter().flat_map(|word| word.to_le_bytes()[..width].to_vec()).collect()
}

const SHAPE: [u64; 3] = [11, 2, 2];

#[test]
fn example_of_the_written_format() {
    for index_type in [0, 1] {
        let (layout, blocks, seq_ptr) = example(index_type);
        // Slot by slot: the pool holds its own element numbers.
        let pool: Vec<u8> = (0..60).collect();
        let paged = Paged::new(&layout, &SHAPE, 8, &[&pool, &blocks, &seq_ptr]);
        paged.check(&JOB()).unwrap();
        assert_eq!(paged.element_offset(&[0, 4, 1, 0]).unwrap(), 18);
        assert_eq!(paged.element_offset(&[1, 0, 0, 0]).unwrap(), 48);
        assert_eq!(paged.element_offset(&[0, 0, 0, 0]).unwrap(), 48);
        let mut out = vec![0; 44];
        paged.gather(&pool, Some(&[5, 6]), &mut out, &JOB()).unwrap();
        let slots = [12, 13, 14, 3, 4, 12, 13, 14, 6, 7, 8];
        let expected: Vec<u8> = slots.iter().flat_map(|slot| (4 * slot)..(4 * slot + 4)).collect();
        assert_eq!(out, expected);
        // Back into a pool of its own: what no token fills stays.
        let mut back = vec![0xEE; 60];
        paged.scatter(&out, Some(&[5, 6]), &mut back, &JOB()).unwrap();
        for (slot, (found, was)) in back.chunks(4).zip(pool.chunks(4)).enumerate() {
            assert_eq!(found, if slots.contains(&(slot as u8)) { was } else { &[0xEE; 4] });
        }
    }
}

#[test]
fn packed_elements_cross_pages() {
    // One component of four bits a token: pages of three tokens end inside a byte.
    let (layout, blocks, seq_ptr) = example(0);
    let shape = [11, 1, 1];
    // Slot k holds k: 0x10, 0x32, ...
    let pool: Vec<u8> = (0..8u8).map(|k| (2 * k) | ((2 * k + 1) << 4)).collect();
    let paged = Paged::new(&layout, &shape, 4, &[&pool, &blocks, &seq_ptr]);
    let mut out = vec![0; 6];
    paged.gather(&pool, Some(&[5, 6]), &mut out, &JOB()).unwrap();
    assert_eq!(out, [0xDC, 0x3E, 0xC4, 0xED, 0x76, 0x08]);
}

#[test]
fn lengths_may_be_left_out_where_they_are_known() {
    let (mut layout, blocks, seq_ptr) = example(0);
    let pool: Vec<u8> = (0..60).collect();
    let mut out = vec![0; 60];
    let full = [15, 2, 2];
    let paged = Paged::new(&layout, &full, 8, &[&pool, &blocks, &seq_ptr]);
    paged.gather(&pool, None, &mut out, &JOB()).unwrap();
    assert_eq!(out[..4], [48, 49, 50, 51]);
    let paged = Paged::new(&layout, &SHAPE, 8, &[&pool, &blocks, &seq_ptr]);
    let fault = paged.gather(&pool, None, &mut out, &JOB()).unwrap_err();
    assert_eq!((fault.status, fault.field), (Status::INVALID_ARGUMENT, "sequence_lengths"));
    for wrong in [&[5, 5][..], &[11], &[5, 6, 0], &[u64::MAX, 12]] {
        let fault = paged.gather(&pool, Some(wrong), &mut out, &JOB()).unwrap_err();
        assert_eq!((fault.status, fault.field), (Status::INVALID_ARGUMENT, "sequence_lengths"));
    }
    layout.num_seqs = 1;
    let shape = [7, 2, 2];
    let paged = Paged::new(&layout, &shape, 8, &[&pool, &blocks, &seq_ptr]);
    paged.gather(&pool, None, &mut out, &JOB()).unwrap();
    assert_eq!(out[24..28], [0, 1, 2, 3]);
}

#[test]
fn tokens_beyond_their_pages_are_refused() {
    let (layout, blocks, seq_ptr) = example(1);
    let pool = [0; 60];
    let paged = Paged::new(&layout, &SHAPE, 8, &[&pool, &blocks, &seq_ptr]);
    let mut out = vec![0; 44];
    let fault = paged.gather(&pool, Some(&[4, 7]), &mut out, &JOB()).unwrap_err();
    assert_eq!((fault.rule, fault.status, fault.index), ("L-041", Status::INDEX_OUT_OF_BOUNDS, Some(1)));
    assert_eq!(paged.element_offset(&[1, 5, 0, 0]).unwrap(), 32);
    for (index, rule) in [
        ([1, 6, 0, 0], "L-041"),
        ([0, u64::MAX, 0, 0], "L-041"),
        ([2, 0, 0, 0], "L-014"),
        ([0, 0, 2, 0], "L-014"),
        ([0, 0, 0, 2], "L-014"),
    ] {
        let fault = paged.element_offset(&index).unwrap_err();
        assert_eq!((fault.rule, fault.status), (rule, Status::INDEX_OUT_OF_BOUNDS));
    }
    assert_eq!(paged.element_offset(&[0, 0, 0]).unwrap_err().status, Status::INVALID_ARGUMENT);
}

#[test]
fn malformed_tables_are_refused() {
    let (layout, blocks, seq_ptr) = example(0);
    let broken = |blocks: &[u8], seq_ptr: &[u8]| {
        let pool = [0; 60];
        let paged = Paged::new(&layout, &SHAPE, 8, &[&pool, blocks, seq_ptr]);
        let fault = paged.check(&JOB()).unwrap_err();
        let mut out = vec![0; 44];
        let other = paged.gather(&pool, Some(&[5, 6]), &mut out, &JOB()).unwrap_err();
        let scatter = paged.scatter(&out, Some(&[5, 6]), &mut [0; 60], &JOB()).unwrap_err();
        assert_eq!((fault.rule, fault.field, fault.index), (other.rule, other.field, other.index));
        assert_eq!(other.rule, scatter.rule);
        (fault.rule, fault.field, fault.index)
    };
    assert_eq!(broken(&blocks, &table(0, &[1, 3, 5])), ("L-039", "seq_ptr", Some(0)));
    assert_eq!(broken(&blocks, &table(0, &[0, 6, 5])), ("L-039", "seq_ptr", Some(1)));
    assert_eq!(broken(&blocks, &table(0, &[0, 3, 2])), ("L-039", "seq_ptr", Some(2)));
    assert_eq!(broken(&blocks, &table(0, &[0, 3, u64::from(u32::MAX)])), ("L-039", "seq_ptr", Some(2)));
    assert_eq!(broken(&blocks, &table(0, &[0, 3])), ("L-039", "seq_ptr", Some(2)));
    assert_eq!(broken(&table(0, &[4, 5, 0, 4, 2]), &seq_ptr), ("L-039", "block_table", Some(1)));
    assert_eq!(broken(&table(0, &[4, 1, 0, 4]), &seq_ptr), ("L-039", "seq_ptr", Some(2)));
    // Entries beyond the last pointer are not in use.
    let longer = table(0, &[4, 1, 0, 4, 2, 99]);
    let pool = [0; 60];
    Paged::new(&layout, &SHAPE, 8, &[&pool, &longer, &seq_ptr]).check(&JOB()).unwrap();
}
