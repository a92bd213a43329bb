//! The worked numbers of the written format.

use super::*;
use crate::format::{Boxed, Strides};

fn span(lowest: i128, highest: i128) -> Option<Span> {
    Some(Span { lowest, highest })
}

fn tiled(tile: &[u64], outer: u8, inner: u8) -> Tiled {
    Tiled {
        tile_shape: tile.into(),
        outer_layout: outer,
        inner_layout: inner,
        outer_strides: None,
        inner_strides: None,
        nested: None,
    }
}

#[test]
fn volumes() {
    assert_eq!(volume(&[]), Volume::Exact(1));
    assert_eq!(volume(&[3, 4]), Volume::Exact(12));
    // descriptor.md §3: a zero wins over an overflow, a marker over a zero.
    assert_eq!(volume(&[1 << 63, 1 << 63, 0]), Volume::Exact(0));
    assert_eq!(volume(&[0, 1 << 63, 1 << 63]), Volume::Exact(0));
    assert_eq!(volume(&[0, DYNAMIC]), Volume::Dynamic);
    assert_eq!(volume(&[DYNAMIC, 0]), Volume::Dynamic);
    assert_eq!(volume(&[1 << 40, 1 << 40]), Volume::Exact(1 << 80));
    assert_eq!(volume(&[1 << 60, 1 << 60, 1 << 60]), Volume::Huge);
}

#[test]
fn strided_spans() {
    // layouts.md §5, and descriptor.md §8.1 and A-14.
    assert_eq!(strided_span(&[2, 4, 3], &[-12, 3, -1]), span(-14, 9));
    assert_eq!(strided_span(&[2, 3, 5], &[-20, 6, 1]), span(-20, 16));
    assert_eq!(strided_span(&[3, 4], &[-4, 1]), span(-8, 3));
    assert_eq!(strided_span(&[9, 9], &[0, 0]), span(0, 0));
    assert_eq!(strided_span(&[2], &[i64::MIN]), span(i128::from(i64::MIN), 0));
    assert_eq!(strided_span(&[2, 2], &[i64::MAX, 1]), None);
    assert_eq!(strided_span(&[u64::MAX - 1, u64::MAX - 1], &[i64::MIN, i64::MAX]), None);
}

#[test]
fn bytes_of_spans() {
    // Strided float16 needs 28 bytes before the element at index zero.
    assert_eq!(span(-14, 9).unwrap().bytes(16, 28), Some((0, 48)));
    assert_eq!(span(-20, 16).unwrap().bytes(16, 40), Some((0, 74)));
    // int4 [4,3] with strides [-3,1] and offset 5: element -9 is in byte 0, layouts.md §2.
    assert_eq!(span(-9, 2).unwrap().bytes(4, 5), Some((0, 7)));
    assert_eq!(span(0, 14).unwrap().bytes(6, 0), Some((0, 12)));
    assert_eq!(span(-1, 0).unwrap().bytes(6, 3), Some((0, 6)));
    assert_eq!(span(0, 35).unwrap().bytes(1, 3), Some((3, 8)));
}

#[test]
fn tiled_spans() {
    // layouts.md §6: [5,6] in [2,4] takes 48 elements; [8,4] in [4,4] in [2,2] takes 32.
    assert_eq!(tiled_span(&tiled(&[2, 4], 1, 1), &[5, 6]), span(0, 47));
    let nested =
        Tiled { nested: Some(Boxed::try_new(tiled(&[2, 2], 2, 1)).unwrap()), ..tiled(&[4, 4], 1, 4) };
    assert_eq!(tiled_span(&nested, &[8, 4]), span(0, 31));
    let strides = |s: &[i64]| Some(Strides::from_slice(s));
    // Tiles of 8, first axis backwards: -2 tiles; inside, columns of stride 2.
    let both =
        Tiled { outer_strides: strides(&[-1, 3]), inner_strides: strides(&[1, 2]), ..tiled(&[2, 4], 3, 3) };
    assert_eq!(tiled_span(&both, &[5, 6]), span(-16, 24 + 7));
    assert_eq!(tiled_span(&tiled(&[1 << 32, 1 << 32], 1, 1), &[5, 6]), None);
    assert_eq!(tiled_span(&tiled(&[1 << 32, 1 << 31], 1, 1), &[1, 1]), span(0, (1 << 63) - 1));
    assert_eq!(tiled_span(&tiled(&[1 << 32, 1 << 31], 1, 1), &[(1 << 32) + 1, 1 << 32]), None);
}

#[test]
fn curves() {
    // layouts.md §7 and descriptor.md A-02: codes reach one less than the elements needed.
    assert_eq!(morton_highest(&[3, 3, 3]), Some(511));
    assert_eq!(morton_highest(&[1, 3]), Some(43));
    assert_eq!(morton_highest(&[3, 1]), Some(23));
    assert_eq!(morton_highest(&[2, 4]), Some(175));
    assert_eq!(morton_highest(&[64]), Some(u64::MAX));
    assert_eq!(morton_highest(&[65]), None);
    assert_eq!(morton_highest(&[32, 32]), Some(u64::MAX));
    assert_eq!(morton_highest(&[1, 33]), None);
    assert_eq!(hilbert_count(2, 2), Some(16));
    assert_eq!(hilbert_count(21, 3), Some(1 << 63));
    assert_eq!(hilbert_count(32, 2), None);
}

#[test]
fn sizes_of_sparse_and_paged_layouts() {
    let sizes = |layout: Layout, shape: &[u64], bits| min_sizes(&layout, shape, bits, 0).unwrap().to_vec();
    // layouts.md §§9 to 12.
    assert_eq!(sizes(Layout::Coo { nnz: 3, is_sorted: 1 }, &[3, 2, 4], 4), [2, 72]);
    assert_eq!(sizes(Layout::Csr { nnz: 8 }, &[4, 6], 32), [32, 64, 40]);
    assert_eq!(sizes(Layout::Csc { nnz: 8 }, &[4, 6], 32), [32, 64, 56]);
    assert_eq!(sizes(Layout::Csr { nnz: 0 }, &[4, 0], 32), [0, 0, 40]);
    let csf = Layout::Csf { nnz: 9, mode_order: [2, 0, 1][..].into() };
    assert_eq!(sizes(csf, &[3, 4, 5], 32), [36, 16, 0, 8, 0, 8, 72]);
    let paged = BlockPaged {
        page_size: 3,
        num_pages: 5,
        paged_axis: 0,
        num_seqs: 2,
        kv_role: 0,
        layer_index: u32::MAX,
        block_table_index_type: 0,
    };
    assert_eq!(sizes(Layout::BlockPaged(paged.clone()), &[11, 2, 2], 16), [120, 16, 12]);
    let wide = BlockPaged { block_table_index_type: 1, ..paged };
    assert_eq!(sizes(Layout::BlockPaged(wide), &[0, 2, 2], 16), [120, 0, 24]);
}

#[test]
fn overflow_is_named() {
    let rule = |layout: Layout, shape: &[u64]| min_sizes(&layout, shape, 64, 0).unwrap_err().rule;
    assert_eq!(rule(Layout::RowMajor, &[1 << 40, 1 << 40]), "V-024");
    assert_eq!(rule(Layout::RowMajor, &[1 << 61]), "V-024");
    assert_eq!(rule(Layout::Strided([i64::MAX, 1][..].into()), &[2, 2]), "V-031");
    assert_eq!(rule(Layout::Strided([-1][..].into()), &[2]), "V-030");
    assert_eq!(rule(Layout::Tiled(Boxed::try_new(tiled(&[1 << 61], 1, 1)).unwrap()), &[2]), "V-036");
    assert_eq!(rule(Layout::Coo { nnz: 1 << 61, is_sorted: 0 }, &[1 << 62]), "V-071");
    assert_eq!(rule(Layout::Coo { nnz: 1 << 60, is_sorted: 0 }, &[1 << 40, 1 << 40]), "V-071");
}
