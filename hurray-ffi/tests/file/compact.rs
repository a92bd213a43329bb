//! Which bytes of a tensor go into a file: slack, leads, strides.

use crate::compose::*;
use crate::door::*;
use hurray::abi::*;
use std::ffi::c_void;

/// A tensor of a caller's array: shape and byte strides from an element on.
fn of_array(element: u8, shape: &[u64], strides: &[i64], data: *const u8) -> Tensor {
    make!(
        Tensor,
        hurray_tensor_from_array(
            element,
            shape.as_ptr(),
            shape.len(),
            strides.as_ptr(),
            data.cast::<c_void>().cast_mut(),
            0,
            0,
            0,
            0,
            std::ptr::null(),
            std::ptr::null_mut(),
            None,
        )
    )
    .unwrap()
}

/// What is stored of a tensor: its descriptor and the bytes of buffer 0.
fn stored(tensor: &Tensor, compact: u64) -> (Vec<u8>, Vec<u8>) {
    let writer = Writer::memory(&[(HURRAY_OPTION_COMPACT, compact)]);
    writer.put("x", &tensor.item()).unwrap();
    writer.finish().unwrap();
    let reader = Reader::bytes(&writer.take(), &[(HURRAY_OPTION_VERIFY, 1)]).unwrap();
    let back = reader.tensor(0).unwrap();
    (back.descriptor(), back.buffers()[0].bytes().to_vec())
}

fn word(descriptor: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(descriptor[at..at + 8].try_into().unwrap())
}

/// 64-byte aligned memory with the numbers 0, 1, 2, ... in it.
struct Numbers(Vec<[u64; 8]>);

impl Numbers {
    fn new(count: usize) -> Numbers {
        let mut values = vec![[0u64; 8]; count.div_ceil(8) + 1];
        let data = values.as_mut_ptr().cast::<u64>();
        (0..count).for_each(|k| unsafe { data.add(k).write(k as u64) });
        Numbers(values)
    }

    fn at(&self, k: usize) -> *const u8 {
        unsafe { self.0.as_ptr().cast::<u64>().add(k).cast() }
    }
}

fn u64s(bytes: &[u8]) -> Vec<u64> {
    bytes.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word)).collect()
}

#[test]
fn a_lead_is_trimmed_and_the_offset_rebased() {
    let numbers = Numbers::new(100);
    for k in 0..9 {
        let tensor = of_array(HURRAY_TYPE_UINT64, &[5], &[8], numbers.at(k));
        for compact in [0, 1] {
            let (descriptor, bytes) = stored(&tensor, compact);
            assert_eq!(u64s(&bytes), [0, 1, 2, 3, 4].map(|n| n + k as u64));
            // byte_offset behind header and shape.
            assert_eq!(word(&descriptor, 28), 0);
        }
    }
}

#[test]
fn b18_b39_gaps_are_packed() {
    let numbers = Numbers::new(120);
    // Every second row and every third column of [10, 12].
    let tensor = of_array(HURRAY_TYPE_UINT64, &[5, 4], &[192, 24], numbers.at(0));
    let (descriptor, bytes) = stored(&tensor, 1);
    let expected: Vec<u64> = (0..5).flat_map(|i| (0..4).map(move |j| 24 * i + 3 * j)).collect();
    assert_eq!((descriptor[15], u64s(&bytes)), (HURRAY_LAYOUT_ROW_MAJOR, expected));
    // Without it, the whole range is there.
    let (descriptor, bytes) = stored(&tensor, 0);
    assert_eq!((descriptor[15], bytes.len()), (HURRAY_LAYOUT_STRIDED, 8 * (4 * 24 + 9 + 1)));
}

#[test]
fn rows_of_a_wider_array_are_packed_row_by_row() {
    let numbers = Numbers::new(3 * 2000);
    // Rows of 8000 bytes go out as they are, not through a collecting buffer.
    let tensor = of_array(HURRAY_TYPE_UINT64, &[3, 1000], &[16000, 8], numbers.at(10));
    let (descriptor, bytes) = stored(&tensor, 1);
    let expected: Vec<u64> = (0..3).flat_map(|i| (0..1000).map(move |j| 2000 * i + j + 10)).collect();
    assert_eq!((descriptor[15], u64s(&bytes)), (HURRAY_LAYOUT_ROW_MAJOR, expected));
}

#[test]
fn a_dense_permutation_keeps_its_strides() {
    let numbers = Numbers::new(24);
    // [2, 3, 4] with its axes in the order 1, 2, 0.
    let tensor = of_array(HURRAY_TYPE_UINT64, &[3, 4, 2], &[32, 8, 96], numbers.at(0));
    let (descriptor, bytes) = stored(&tensor, 1);
    assert_eq!((descriptor[15], u64s(&bytes)), (HURRAY_LAYOUT_STRIDED, (0..24).collect()));
}

#[test]
fn a_reversed_array_keeps_its_strides_and_offset() {
    let numbers = Numbers::new(10);
    let tensor = of_array(HURRAY_TYPE_UINT64, &[10], &[-8], numbers.at(9));
    let (descriptor, bytes) = stored(&tensor, 1);
    assert_eq!((descriptor[15], u64s(&bytes)), (HURRAY_LAYOUT_STRIDED, (0..10).collect()));
    assert_eq!(word(&descriptor, 28), 72);
}

#[test]
fn repeated_elements_are_written_once() {
    let numbers = Numbers::new(4);
    let tensor = of_array(HURRAY_TYPE_UINT64, &[1000, 4], &[0, 8], numbers.at(0));
    let (descriptor, bytes) = stored(&tensor, 1);
    assert_eq!((descriptor[15], u64s(&bytes)), (HURRAY_LAYOUT_STRIDED, vec![0, 1, 2, 3]));
}

#[test]
fn without_compact_slack_is_written_back_byte_for_byte() {
    // [3] float32 at byte 8 of a buffer of 32.
    let mut d = descriptor(3, 1, &[3], &[], &[32]);
    d[28..36].copy_from_slice(&8u64.to_le_bytes());
    let bytes: Vec<u8> = (0..32).collect();
    let tensor = Tensor::new(&d, &[&bytes]);
    assert_eq!(stored(&tensor, 0), (d.clone(), bytes.clone()));
    let (descriptor, kept) = stored(&tensor, 1);
    assert_eq!(kept, bytes[8..20]);
    assert_eq!((word(&descriptor, 28), word(&descriptor, 37)), (0, 12));
}

#[test]
fn b56_b57_empty_tensors_anywhere() {
    let empty = |shape: &[u64]| Tensor::new(&descriptor(3, 1, shape, &[], &[0]), &[&[]]);
    let one = Tensor::new(&descriptor(3, 1, &[], &[], &[4]), &[&[1, 2, 3, 4]]);
    let writer = Writer::memory(&[(HURRAY_OPTION_COMPACT, 1)]);
    writer.put("a", &empty(&[0]).item()).unwrap();
    writer.put("b", &one.item()).unwrap();
    writer.put("c", &empty(&[0, 4]).item()).unwrap();
    writer.put("d", &empty(&[3, 0, 5]).item()).unwrap();
    writer.finish().unwrap();
    let bytes = writer.take();
    for map in [0, 1, 2] {
        let reader = Reader::bytes(&bytes, &[(HURRAY_OPTION_VERIFY, 1), (HURRAY_OPTION_MAP, map)]).unwrap();
        let sizes: Vec<usize> = (0..4).map(|k| reader.tensor(k).unwrap().buffers()[0].len).collect();
        assert_eq!(sizes, [0, 4, 0, 0]);
        assert_eq!(reader.items().unwrap(), [0, 1, 2, 3]);
    }
}

/// A payload of blocks of four along an axis: symmetric, float32 scales in buffer 1.
fn blocks(axis: u8) -> Vec<u8> {
    let mut section = vec![24, 0, 0, 0, 3, 1, 1, 0, axis, 0, 0, 0, 4, 0, 0, 0, 1, 0, 0, 0];
    section.extend([0xFF, 0xFF, 0xFF, 0xFF, 3, 0, 0, 0]);
    section
}

fn quantized(mut d: Vec<u8>, axis: u8) -> Vec<u8> {
    d[10] = 1;
    d.extend(blocks(axis));
    seal_descriptor(d)
}

#[test]
fn a_partial_block_keeps_its_storage_and_its_order() {
    // quantization.md section 9: six codes of 4 bits in blocks of four are stored as eight.
    let d = quantized(descriptor(0x48, 1, &[6], &[], &[4, 8]), 0);
    let tensor = Tensor::new(&d, &[&[0x21, 0x43, 0x65, 0], &f32s(&[1.; 2])]);
    assert_eq!(stored(&tensor, 1), (d.clone(), vec![0x21, 0x43, 0x65, 0]));
    // Axis 1 is the slower one in memory here; packed in row-major order it would not be.
    let strides: Vec<u8> = [1i64, 8].iter().flat_map(|stride| stride.to_le_bytes()).collect();
    let d = quantized(descriptor(0x10, 3, &[4, 6], &strides, &[64, 32]), 1);
    let codes: Vec<u8> = (0..64).collect();
    let tensor = Tensor::new(&d, &[&codes, &f32s(&[1.; 8])]);
    assert_eq!(stored(&tensor, 1), (d, codes));
}
