//! Quantized, tiled and paged tensors.

use crate::call::*;

const SCHEME: u32 = 0x0002_0000;
const AXIS: u32 = 0x0002_0300;
const BLOCK: u32 = 0x0002_0301;
const SCALES: u32 = 0x0002_0302;
const SCALE_TYPE: u32 = 0x0002_0304;

/// int8 in symmetric blocks with float32 scales.
fn blocks(shape: &[u64], axis: u64, block: u64, given: Option<&[u64]>) -> Result<(Vec<u64>, Vec<u64>), i32> {
    let fields = [
        Set::U(SCHEME, 3),
        Set::U(AXIS, axis),
        Set::U(BLOCK, block),
        Set::U(SCALES, 1),
        Set::U(SCALE_TYPE, 3),
    ];
    let plan = Plan(0x10, 1, shape, &fields);
    let found = sizes(&plan, given)?;
    let scales = tensor(&plan, given, None)?.part(8)?;
    Ok((found, scales.view()?.shape))
}

/// onnxruntime #28522: the blocked axis stays where it is.
#[test]
fn b84_scales_are_shaped_like_the_tensor() {
    assert_eq!(blocks(&[4, 8], 1, 4, None), Ok((vec![32, 32], vec![4, 2])));
    assert_eq!(blocks(&[4, 8], 0, 4, None), Ok((vec![32, 32], vec![1, 8])));
    assert_eq!(blocks(&[4, 8], 1, 2, None), Ok((vec![32, 64], vec![4, 4])));
}

/// compressed-tensors #547: the last block may be short.
#[test]
fn b85_a_short_last_block() {
    // 36 blocks of 128 rows, the last one of 64; storage for whole blocks.
    assert_eq!(blocks(&[4544, 2], 0, 128, None), Ok((vec![36 * 128 * 2, 36 * 2 * 4], vec![36, 2])));
    assert_eq!(blocks(&[4544], 0, 128, Some(&[4544, 144])), Ok((vec![4544, 144], vec![36])));
}

/// mlx #550: a block size that is none, and a scale too many or too few.
#[test]
fn b86_block_sizes_and_counts_are_checked() {
    for block in [0, 1, 3, 12, 16, 1 << 31] {
        assert_eq!(blocks(&[4, 8], 1, block, Some(&[32, 32])).unwrap_err(), INVALID_DESCRIPTOR);
        assert!(text().contains("block_size"), "{}", text());
    }
    for scales in [28, 36, 0] {
        assert_eq!(blocks(&[4, 8], 1, 4, Some(&[32, scales])).unwrap_err(), BUFFER_MISMATCH);
        assert!(text().starts_with("V-117"), "{}", text());
    }
    assert_eq!(blocks(&[4, 8], 2, 4, Some(&[32, 32])).unwrap_err(), INVALID_DESCRIPTOR);
    assert!(text().contains("axis"), "{}", text());
}

/// tt-metal #12866 and #53110: padding belongs to the storage, not to the shape.
#[test]
fn b87_b88_padding_of_tiles() {
    let tiles = |shape: &[u64]| {
        let plan = [Set::Us(0x0001_0400, &[32, 32]), Set::U(0x0001_0401, 1), Set::U(0x0001_0402, 1)];
        let plan = Plan(0x12, 4, shape, &plan);
        let tensor = tensor(&plan, None, None).expect("a tensor");
        // It is no array of elements at strides.
        assert_eq!(tensor.view().unwrap_err(), -20);
        sizes(&plan, None)
    };
    assert_eq!(tiles(&[4, 4]), Ok(vec![2 * 32 * 32]));
    assert_eq!(tiles(&[100, 32]), Ok(vec![2 * 4 * 32 * 32]));
}

/// Pages of float16 `[tokens, heads, 8]`, 5 of them.
fn pages(tokens: u64, heads: u64, page_size: u64, given: Option<&[u64]>) -> Result<Vec<u64>, i32> {
    let ids = [0x0001_0A00, 0x0001_0A01, 0x0001_0A02, 0x0001_0A03, 0x0001_0A04, 0x0001_0A06];
    let fields: Vec<Set<'_>> =
        ids.into_iter().zip([page_size, 5, 0, 2, 0, 0]).map(|(id, value)| Set::U(id, value)).collect();
    let plan = Plan(0x01, 0x0A, &[tokens, heads, 8], &fields);
    let found = sizes(&plan, given)?;
    let values = tensor(&plan, given, None)?.part(1)?.view()?;
    assert_eq!(values.shape, [5, page_size, heads, 8], "the order of axes is stated, never guessed");
    Ok(found)
}

/// LMCache #4798: with one head, or as many heads as tokens in a page, the axes stay told apart.
#[test]
fn b89_axes_of_pages_are_not_guessed() {
    for heads in [1, 4, 8] {
        assert_eq!(pages(9, heads, 4, None), Ok(vec![2 * 5 * 4 * heads * 8, 3 * 4, 3 * 4]));
    }
}

/// LMCache #4729: a pool may be larger than its pages, never smaller; the table holds the tokens.
#[test]
fn b90_pools_and_tables_are_large_enough() {
    assert_eq!(pages(9, 1, 4, Some(&[4096, 64, 64])), Ok(vec![4096, 64, 64]));
    assert_eq!(pages(9, 1, 4, Some(&[319, 64, 64])).unwrap_err(), BUFFER_MISMATCH);
    assert_eq!(pages(9, 1, 4, Some(&[320, 8, 64])).unwrap_err(), -3);
    assert_eq!(pages(9, 1, 0, Some(&[320, 12, 12])).unwrap_err(), -3);
}
