//! Every layout: its bytes read as its typed fields, and its typed fields written as its bytes.

#![allow(clippy::unwrap_used)] // tests

mod wire;

use hurray_client::{
    BufferEntry, BufferRole, CombineOp, CompositionRule, Descriptor, DescriptorBuilder, ElementType, KvRole,
    Layout, Tile,
};
use wire::Wire;

/// A float32 descriptor of this layout, read and written.
fn both_ways(layout: Layout, tag: u8, shape: &[u64], payload: Vec<u8>, buffers: &[u64]) {
    let wire = Wire {
        element_type: 0x03,
        layout: tag,
        shape: shape.to_vec(),
        payload,
        buffers: buffers.to_vec(),
        ..Wire::default()
    };
    assert_eq!(layout.tag(), tag);
    let read = Descriptor::decode(&wire.bytes()).unwrap();
    assert_eq!(read.layout().unwrap(), layout);

    let mut builder = DescriptorBuilder::new(ElementType::FLOAT32, &layout, shape).unwrap();
    for size in buffers {
        builder.push_buffer(&BufferEntry::host(*size)).unwrap();
    }
    assert_eq!(builder.finish().unwrap().encode().unwrap(), wire.bytes());
}

#[test]
fn row_major() {
    both_ways(Layout::RowMajor, 0x01, &[2, 3], vec![], &[24]);
}

#[test]
fn column_major() {
    both_ways(Layout::ColumnMajor, 0x02, &[2, 3], vec![], &[24]);
}

#[test]
fn strided() {
    both_ways(Layout::Strided { strides: vec![0, 2] }, 0x03, &[2, 3], bytes![0i64, 2i64], &[20]);
}

#[test]
fn tiled_of_two_levels() {
    let outer = Tile {
        shape: vec![4, 4],
        outer_layout: 3,
        inner_layout: 4,
        outer_strides: Some(vec![2, 1]),
        inner_strides: None,
    };
    let inner = Tile {
        shape: vec![2, 2],
        outer_layout: 2,
        inner_layout: 3,
        outer_strides: None,
        inner_strides: Some(vec![1, 2]),
    };
    let payload = bytes![
        4u64, 4u64, 3u8, 4u8, 0u16, 2i64, 1i64, // the tiles, and how they follow each other
        2u64, 2u64, 2u8, 3u8, 0u16, 1i64, 2i64, // the tiles of a tile
    ];
    both_ways(Layout::Tiled { levels: vec![outer, inner] }, 0x04, &[8, 8], payload, &[256]);
}

#[test]
fn morton() {
    both_ways(Layout::Morton { bits: vec![1, 1] }, 0x05, &[2, 2], bytes![1u32, 1u32], &[16]);
}

#[test]
fn coo() {
    let payload = bytes![3u64, 1u64];
    both_ways(Layout::Coo { nnz: 3, is_sorted: true }, 0x06, &[4, 6], payload, &[12, 48]);
}

#[test]
fn csr() {
    both_ways(Layout::Csr { nnz: 8 }, 0x07, &[4, 6], bytes![8u64, 0u64], &[32, 64, 40]);
}

#[test]
fn csc() {
    both_ways(Layout::Csc { nnz: 8 }, 0x08, &[4, 6], bytes![8u64, 0u64], &[32, 64, 56]);
}

#[test]
fn csf() {
    let layout = Layout::Csf { nnz: 9, mode_order: vec![2, 0, 1] };
    let payload = bytes![9u64, 2u32, 0u32, 1u32, 0u64];
    both_ways(layout, 0x09, &[3, 4, 5], payload, &[36, 16, 40, 48, 56, 64, 72]);
}

#[test]
fn block_paged() {
    let layout = Layout::BlockPaged {
        page_size: 3,
        num_pages: 5,
        paged_axis: 0,
        num_seqs: 2,
        kv_role: KvRole::VALUE,
        layer_index: Some(7),
        wide_indices: true,
    };
    let payload = bytes![3u32, 5u64, 0u32, 2u32, 1u8, 7u32, 1u8, 0u32, 0u16];
    both_ways(layout, 0x0A, &[11, 2, 2], payload, &[240, 40, 24]);
}

#[test]
fn block_paged_without_layer() {
    let layout = Layout::BlockPaged {
        page_size: 3,
        num_pages: 5,
        paged_axis: 0,
        num_seqs: 2,
        kv_role: KvRole::KEY,
        layer_index: None,
        wide_indices: false,
    };
    let payload = bytes![3u32, 5u64, 0u32, 2u32, 0u8, u32::MAX, 0u8, 0u32, 0u16];
    both_ways(layout, 0x0A, &[11, 2, 2], payload, &[240, 20, 12]);
}

#[test]
fn composite() {
    let layout =
        Layout::Composite { rule: CompositionRule::OVERLAY, combine_op: CombineOp::ADD, member_count: 3 };
    both_ways(layout, 0x0B, &[4, 4], bytes![2u8, 2u8, 0u16, 3u32], &[]);
}

#[test]
fn hilbert() {
    both_ways(Layout::Hilbert { order: 2, rank: 2 }, 0x40, &[4, 4], bytes![2u32, 2u32], &[64]);
}

#[test]
fn private_layout_is_kept_when_reading_permissively() {
    let wire = Wire {
        element_type: 0x03,
        layout: 0xF1,
        shape: vec![2],
        payload: bytes![0x1122_3344_5566_7788u64, 9u32, 1u64, 2u8],
        buffers: vec![8],
        ..Wire::default()
    };
    let read = Descriptor::decode_permissive(&wire.bytes()).unwrap();
    let data = vec![1, 0, 0, 0, 0, 0, 0, 0, 2];
    assert_eq!(read.layout().unwrap(), Layout::Private { tag: 0xF1, id: 0x1122_3344_5566_7788, data });
    assert_eq!(read.buffers().unwrap(), [BufferEntry::host(8)]);
}

#[test]
fn unknown_layout_is_kept_when_reading_permissively() {
    let wire = Wire { element_type: 0x03, layout: 0x80, shape: vec![2], buffers: vec![8], ..Wire::default() };
    let read = Descriptor::decode_permissive(&wire.bytes()).unwrap();
    let data = bytes![1u8, 8u64, 64u32, 0u32]; // what is a buffer table in a layout that is known
    assert_eq!(read.layout().unwrap(), Layout::Unknown { tag: 0x80, data });
}

#[test]
fn buffers_say_what_they_hold() {
    let layout = Layout::Csf { nnz: 9, mode_order: vec![2, 0, 1] };
    let mut builder = DescriptorBuilder::new(ElementType::FLOAT32, &layout, &[3, 4, 5]).unwrap();
    for size in [36, 16, 40, 48, 56, 64, 72] {
        builder.push_buffer(&BufferEntry::host(size)).unwrap();
    }
    let held: Vec<_> = builder
        .finish()
        .unwrap()
        .buffers()
        .unwrap()
        .iter()
        .map(|entry| (entry.role, entry.role_level))
        .collect();
    let (pos, crd) = (BufferRole::CSF_POS, BufferRole::CSF_CRD);
    assert_eq!(held, [(BufferRole::VALUES, 0), (pos, 0), (crd, 0), (pos, 1), (crd, 1), (pos, 2), (crd, 2)]);
}
