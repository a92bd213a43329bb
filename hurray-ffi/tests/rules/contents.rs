//! Rules of what buffers hold: index buffers, block tables, quantization parameters. The tensors are the examples of
//! layouts.md and quantization.md.

use crate::support::bytes::{Bytes, Wire, hex};
use crate::support::data::{check_data, element_offset};
use crate::support::samples::*;
use crate::support::status::*;

type Buffers = Vec<Vec<u8>>;

fn coo_buffers() -> Buffers {
    vec![hex("15 04"), [0u64, 0, 3, 1, 0, 2, 1, 1, 0].wire()]
}

fn csr_buffers() -> Buffers {
    let values = [1f32, 4.0, 8.0, 6.0, 3.0, 2.0, 7.0, 5.0];
    let values = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    vec![values, [2u64, 3, 1, 3, 4, 4, 0, 1].wire(), [0u64, 2, 5, 6, 8].wire()]
}

fn csc_buffers() -> Buffers {
    let values = [7f32, 8.0, 5.0, 1.0, 4.0, 6.0, 3.0, 2.0];
    let values = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    vec![values, [3u64, 1, 3, 0, 0, 1, 1, 2].wire(), [0u64, 1, 3, 4, 6, 8, 8].wire()]
}

fn csf_buffers() -> Buffers {
    vec![
        hex("04 02 01 05 07 03 09 06 08"),
        [0u64, 5].wire(),
        [0u64, 1, 2, 3, 4].wire(),
        [0u64, 1, 2, 4, 6, 7].wire(),
        [0u64, 2, 1, 2, 0, 2, 2].wire(),
        [0u64, 1, 2, 5, 6, 7, 8, 9].wire(),
        [1u64, 0, 1, 2, 3, 1, 2, 2, 1].wire(),
    ]
}

fn paged_buffers() -> Buffers {
    vec![vec![0; 60], [4u32, 1, 0, 4, 2].wire(), [0u32, 3, 5].wire()]
}

/// Changes one word of 64 bits of one buffer.
fn word(mut buffers: Buffers, buffer: usize, at: usize, value: u64) -> Buffers {
    buffers[buffer][8 * at..8 * at + 8].copy_from_slice(&value.to_le_bytes());
    buffers
}

/// Changes one word of 32 bits of one buffer.
fn narrow(mut buffers: Buffers, buffer: usize, at: usize, value: u32) -> Buffers {
    buffers[buffer][4 * at..4 * at + 4].copy_from_slice(&value.to_le_bytes());
    buffers
}

fn keeps(descriptor: &Bytes, buffers: &[Vec<u8>]) {
    check_data(descriptor, buffers).expect("kept");
}

fn breaks(descriptor: &Bytes, buffers: &[Vec<u8>], status: i32, rule: &str, place: &str) {
    let said = check_data(descriptor, buffers).expect_err("broken");
    assert_eq!((said.status, said.rule()), (status, rule), "{said:?}");
    assert!(said.text.contains(place), "{said:?}, wanted {place}");
}

#[test]
fn l_030_breaks_levels_that_count_more_than_they_hold() {
    breaks(&csf(), &word(csf_buffers(), 1, 1, 6), BUFFER_MISMATCH, "L-030", "crd[0]");
    breaks(&csf(), &word(csf_buffers(), 3, 5, 8), BUFFER_MISMATCH, "L-030", "crd[1]");
    // One pointer fewer than the level above has nodes.
    let mut buffers = csf_buffers();
    buffers[3] = [0u64, 1, 2, 4, 6].wire();
    breaks(&csf().buffers(&[9, 16, 40, 40, 56, 64, 72]), &buffers, BUFFER_MISMATCH, "L-030", "pos[1]");
}

#[test]
fn l_030_keeps() {
    keeps(&csf(), &csf_buffers());
    // Larger buffers are read as far as the counts go.
    let mut buffers = csf_buffers();
    buffers[2].extend([99u64].wire());
    buffers[3].extend([0u64].wire());
    keeps(&csf().buffers(&[9, 16, 48, 56, 56, 64, 72]), &buffers);
}

#[test]
fn l_031_breaks_pointers() {
    for (at, value) in [(0, 1), (0, u64::MAX), (1, 9), (2, 1), (3, 4), (3, 9), (4, 7), (4, u64::MAX)] {
        let place = format!("row_ptr[{at}]");
        breaks(&csr(), &word(csr_buffers(), 2, at, value), INVALID_LAYOUT, "L-031", &place);
    }
    breaks(&csc(), &word(csc_buffers(), 2, 6, 7), INVALID_LAYOUT, "L-031", "col_ptr[6]");
    breaks(&csf(), &word(csf_buffers(), 5, 0, 1), INVALID_LAYOUT, "L-031", "pos[2]");
    breaks(&csf(), &word(csf_buffers(), 3, 2, 0), INVALID_LAYOUT, "L-031", "pos[1]");
    breaks(&csf(), &word(csf_buffers(), 5, 7, 8), INVALID_LAYOUT, "L-031", "pos[2]");
}

#[test]
fn l_031_keeps() {
    keeps(&csr(), &csr_buffers());
    keeps(&csc(), &csc_buffers());
    // Empty rows: all pointers equal.
    let none = csr().payload(&[0u64, 0].wire()).buffers(&[0, 0, 40]);
    keeps(&none, &[vec![], vec![], [0u64; 5].wire()]);
}

#[test]
fn l_032_breaks_coordinates_beyond_their_extent() {
    for value in [6, u64::MAX] {
        breaks(&csr(), &word(csr_buffers(), 1, 4, value), INVALID_LAYOUT, "L-032", "col_indices[4]");
    }
    breaks(&csc(), &word(csc_buffers(), 1, 7, 4), INVALID_LAYOUT, "L-032", "row_indices[7]");
    breaks(&coo(), &word(coo_buffers(), 1, 5, 4), INVALID_LAYOUT, "L-032", "indices[5]");
    breaks(&coo(), &word(coo_buffers(), 1, 6, 3), INVALID_LAYOUT, "L-032", "indices[6]");
    breaks(&csf(), &word(csf_buffers(), 6, 3, 4), INVALID_LAYOUT, "L-032", "crd[2]");
    breaks(&csf(), &word(csf_buffers(), 2, 4, 5), INVALID_LAYOUT, "L-032", "crd[0]");
}

#[test]
fn l_032_keeps() {
    keeps(&csr(), &word(csr_buffers(), 1, 4, 5));
    keeps(&csc(), &word(csc_buffers(), 1, 7, 3));
    keeps(&coo(), &word(coo_buffers(), 1, 6, 2));
    keeps(&csf(), &word(csf_buffers(), 6, 4, 3));
}

#[test]
fn l_033_breaks_segments_that_do_not_ascend() {
    for value in [1, 3] {
        breaks(&csr(), &word(csr_buffers(), 1, 4, value), INVALID_LAYOUT, "L-033", "col_indices[4]");
    }
    breaks(&csc(), &word(csc_buffers(), 1, 2, 1), INVALID_LAYOUT, "L-033", "row_indices[2]");
    breaks(&csf(), &word(csf_buffers(), 6, 3, 1), INVALID_LAYOUT, "L-033", "crd[2]");
    breaks(&csf(), &word(csf_buffers(), 2, 2, 1), INVALID_LAYOUT, "L-033", "crd[0]");
}

#[test]
fn l_033_keeps() {
    // The next segment may start anywhere.
    keeps(&csr(), &word(csr_buffers(), 1, 2, 0));
    keeps(&csc(), &word(csc_buffers(), 1, 1, 0));
    keeps(&csf(), &word(csf_buffers(), 6, 2, 0));
}

/// The COO example with its sorted flag cleared.
fn unsorted() -> Bytes {
    coo().payload(&[3u64, 0].wire())
}

#[test]
fn l_034_breaks_duplicates_and_untrue_flags() {
    let same = word(word(coo_buffers(), 1, 4, 1), 1, 5, 0);
    breaks(&coo(), &same, INVALID_LAYOUT, "L-034", "entries[2]");
    breaks(&unsorted(), &same, INVALID_LAYOUT, "L-034", "entries[2]");
    let mut apart = coo_buffers();
    apart[1] = [1u64, 1, 0, 0, 0, 3, 1, 1, 0].wire();
    breaks(&unsorted(), &apart, INVALID_LAYOUT, "L-034", "entries[2]");
    breaks(&coo(), &apart, INVALID_LAYOUT, "L-034", "indices[3]");
    // Coordinates too wide to pack into 128 bits.
    let wide = Bytes::new(0x11, 0x06, &[1 << 60, 1 << 60, 1 << 60], &[3, 72]).payload(&[3u64, 0].wire());
    breaks(&wide, &[vec![0; 3], apart[1].clone()], INVALID_LAYOUT, "L-034", "entries[2]");
}

#[test]
fn l_034_keeps() {
    keeps(&coo(), &coo_buffers());
    let mut turned = coo_buffers();
    turned[1] = [1u64, 1, 0, 0, 0, 3, 1, 0, 2].wire();
    keeps(&unsorted(), &turned);
    let wide = Bytes::new(0x11, 0x06, &[1 << 60, 1 << 60, 1 << 60], &[3, 72]).payload(&[3u64, 0].wire());
    keeps(&wide, &[vec![0; 3], turned[1].clone()]);
}

#[test]
fn l_039_breaks_tables() {
    for (at, value, place) in
        [(0, 1, "seq_ptr[0]"), (1, 6, "seq_ptr[1]"), (2, 2, "seq_ptr[2]"), (2, 6, "seq_ptr[2]")]
    {
        breaks(&paged(), &narrow(paged_buffers(), 2, at, value), INVALID_LAYOUT, "L-039", place);
    }
    for value in [5, u32::MAX] {
        let place = "block_table[1]";
        breaks(&paged(), &narrow(paged_buffers(), 1, 1, value), INVALID_LAYOUT, "L-039", place);
    }
    let wide = paged_of(Paged { index_type: 1, ..PAGES }, &[11, 2, 2], &[60, 40, 24]);
    let buffers = vec![vec![0; 60], [4u64, 1, 0, 1 << 32, 2].wire(), [0u64, 3, 5].wire()];
    breaks(&wide, &buffers, INVALID_LAYOUT, "L-039", "block_table[3]");
}

#[test]
fn l_039_keeps() {
    keeps(&paged(), &paged_buffers());
    // What lies behind the last pointer is not in use.
    keeps(&paged(), &narrow(narrow(paged_buffers(), 1, 4, 77), 2, 2, 4));
    let wide = paged_of(Paged { index_type: 1, ..PAGES }, &[11, 2, 2], &[60, 40, 24]);
    keeps(&wide, &[vec![0; 60], [4u64, 1, 0, 4, 2].wire(), [0u64, 3, 5].wire()]);
}

#[test]
fn l_041_breaks_tokens_beyond_their_pages() {
    for (sequence, token) in [(0, 9), (1, 6), (1, u64::MAX)] {
        let said = element_offset(&paged(), &paged_buffers(), &[sequence, token, 0, 0]).expect_err("beyond");
        assert_eq!((said.status, said.rule()), (INDEX_OUT_OF_BOUNDS, "L-041"), "{said:?}");
    }
}

#[test]
fn l_041_keeps() {
    // The two of layouts.md §12, and the last slot of each sequence.
    for (index, offset) in [([0, 4, 1, 0], 18), ([1, 0, 0, 0], 48), ([0, 8, 1, 1], 11), ([1, 5, 1, 1], 35)] {
        assert_eq!(element_offset(&paged(), &paged_buffers(), &index), Ok(offset));
    }
}

fn floats(of: &[f32]) -> Vec<u8> {
    of.iter().flat_map(|value| value.to_le_bytes()).collect()
}

#[test]
fn q_029_breaks_scales() {
    for bad in [0.0, -0.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let buffers = [vec![0; 6], floats(&[0.5, bad, -1.0]), [128u32, 0, 10].wire()];
        breaks(&per_channel(), &buffers, INVALID_DESCRIPTOR, "Q-029", "scales[1]");
    }
    // float16: 0, -0, infinity, a NaN.
    for bad in ["0000", "0080", "007C", "017C"] {
        let scales = hex(&format!("0038 003C {bad} 0044"));
        breaks(&per_block(), &[vec![0; 6], scales], INVALID_DESCRIPTOR, "Q-029", "scales[2]");
    }
}

#[test]
fn q_029_keeps() {
    let least = f32::from_bits(1);
    keeps(&per_channel(), &[vec![0; 6], floats(&[least, f32::MAX, -1.0]), [128u32, 0, 10].wire()]);
    keeps(&per_block(), &[vec![0; 6], hex("0038 0100 FF7B 01BC")]);
}

#[test]
fn q_030_breaks_zero_points() {
    for bad in [256u32, u32::MAX] {
        let buffers = [vec![0; 6], floats(&[0.5, 2.0, -1.0]), [128u32, bad, 10].wire()];
        breaks(&per_channel(), &buffers, INVALID_DESCRIPTOR, "Q-030", "zero_points[1]");
    }
    let scales = || hex("0038 003C 0040 0044");
    for bad in [8i32, -9] {
        let points = [0u32, 0, 0, bad as u32].wire();
        let buffers = [vec![0; 6], scales(), points];
        breaks(&per_block_asymmetric(), &buffers, INVALID_DESCRIPTOR, "Q-030", "zero_points[3]");
    }
}

#[test]
fn q_030_keeps() {
    keeps(&per_channel(), &[vec![0; 6], floats(&[0.5, 2.0, -1.0]), [255u32, 0, 10].wire()]);
    let points = [7u32, 0, 0, -8i32 as u32].wire();
    keeps(&per_block_asymmetric(), &[vec![0; 6], hex("0038 003C 0040 0044"), points]);
}

#[test]
fn q_031_breaks_magnitudes() {
    for bad in [-1.0, -f32::from_bits(1), f32::NAN, f32::INFINITY] {
        breaks(&nf4(), &[vec![0; 8], floats(&[2.0, bad])], INVALID_DESCRIPTOR, "Q-031", "scales[1]");
    }
}

#[test]
fn q_031_keeps() {
    for good in [0.0, -0.0, f32::from_bits(1), f32::MAX] {
        keeps(&nf4(), &[vec![0; 8], floats(&[2.0, good])]);
    }
}

#[test]
fn q_032_breaks_exponents() {
    for bad in ["80 00", "80 FF"] {
        breaks(&mxfp(), &[vec![0; 16], hex(bad)], INVALID_DESCRIPTOR, "Q-032", "scales[1]");
    }
}

#[test]
fn q_032_keeps() {
    keeps(&mxfp(), &[vec![0; 16], hex("01 FE")]);
}

/// Pages of 16 tokens of `[2,2]` int8, under MXFP on axis 0, whose parameters have no defined size.
fn paged_mxfp() -> Bytes {
    let payload = hex("05 01 00 00 00 00 00 00 10 00 00 00 03 00 00 00");
    let pages = Paged { page_size: 16, num_pages: 2, num_seqs: 1, ..PAGES };
    paged_of(pages, &[16, 2, 2], &[128, 4, 8, 4]).type_tag(0x10).quant(&payload)
}

#[test]
fn q_036_breaks_what_is_not_defined() {
    let buffers = [vec![0; 128], [1u32].wire(), [0u32, 1].wire(), vec![0x80; 4]];
    breaks(&paged_mxfp(), &buffers, UNSUPPORTED, "Q-036", "scheme_tag");
}

#[test]
fn q_036_keeps() {
    let pool = vec![0; 60];
    let tables = [[4u32, 1, 0, 4, 2].wire(), [0u32, 3, 5].wire()];
    let [blocks, sequences] = tables;
    let buffers = [pool, blocks, sequences, floats(&[0.5, 2.0]), [0u32, 1].wire()];
    keeps(&paged_per_channel(), &buffers);
}

/// Bits behind the last element are written as 0; readers ignore them, and only a check of the contents tells.
#[test]
fn unused_bits_are_told() {
    let sub = |type_tag: u8, shape: &[u64], bytes: &str| {
        let data = hex(bytes);
        check_data(&Bytes::new(type_tag, 0x01, shape, &[data.len() as u64]), &[data])
    };
    assert_eq!(sub(0x48, &[3], "21 03"), Ok(()));
    assert_eq!(sub(0x48, &[3], "21 13").unwrap_err().status, CORRUPT);
    assert_eq!(sub(0x20, &[2, 5], "FF 03"), Ok(()));
    assert_eq!(sub(0x20, &[2, 5], "FF 07").unwrap_err().status, CORRUPT);
    // Two elements of six bits: the upper half of their group is unused.
    assert_eq!(sub(0x44, &[2], "FF 0F 00"), Ok(()));
    assert_eq!(sub(0x44, &[2], "FF 0F 80").unwrap_err().status, CORRUPT);
    assert_eq!(sub(0x44, &[2], "FF 1F 00").unwrap_err().status, CORRUPT);
    let mut values = coo_buffers();
    values[0] = hex("15 24");
    assert_eq!(check_data(&coo(), &values).unwrap_err().status, CORRUPT);
}
