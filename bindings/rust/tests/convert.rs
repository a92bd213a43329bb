//! Conversions through the client. What they do is tested in C and in the library.

#![allow(clippy::unwrap_used)] // tests

use hurray_client::{
    Buffer, Descriptor, DescriptorBuilder, ElementType, Item, Layout, Options, Status, Tensor, sys,
};

fn column_major() -> Descriptor {
    let mut builder = DescriptorBuilder::new(ElementType::UINT16, &Layout::ColumnMajor, &[2, 3]).unwrap();
    builder.push_default_buffers().unwrap().finish().unwrap()
}

#[test]
fn to_a_layout_and_back() {
    let tensor = Tensor::from_vec(&[2, 3], vec![1u16, 2, 3, 4, 5, 6]).unwrap();
    let target = column_major();
    let (columns, bytes) = tensor.to_layout(Some(&target), None, None).unwrap();
    assert_eq!(bytes, 12);
    assert_eq!(columns.element_offset(&[1, 2]).unwrap(), 5);
    assert_eq!(target.element_offset(&[1, 1]).unwrap(), 3);
    let room = Buffer::alloc(12, 64).unwrap();
    let (rows, bytes) = columns.to_layout(None, Some(&room), None).unwrap();
    assert_eq!(bytes, 12);
    let view = rows.array_view().unwrap();
    // SAFETY: six elements in row-major order, which `rows` keeps.
    let elements = unsafe { std::slice::from_raw_parts(view.data().cast::<u16>(), 6) };
    assert_eq!(elements, [1, 2, 3, 4, 5, 6]);
    assert_eq!(tensor.to_layout(None, None, None).unwrap().1, 0);
}

#[test]
fn what_is_refused() {
    let tensor = Tensor::from_vec(&[2, 3], vec![0u16; 6]).unwrap();
    let mut never = Options::new().unwrap();
    never.set(sys::HURRAY_OPTION_COPY, 1).unwrap();
    let refused = tensor.to_layout(Some(&column_major()), None, Some(&never)).unwrap_err();
    assert_eq!(refused.status, Status::COPY_REQUIRED);
    assert_eq!(tensor.element_offset(&[2, 0]).unwrap_err().status, Status::INDEX_OUT_OF_BOUNDS);
}

#[test]
fn part_of_a_tensor() {
    let tensor = Tensor::from_vec(&[2, 3], vec![1u16, 2, 3, 4, 5, 6]).unwrap();
    let (part, bytes) = tensor.slice(&[0, 2], &[2, 0], &[1, -1], None).unwrap();
    assert_eq!(bytes, 0);
    let view = part.array_view().unwrap();
    assert_eq!((view.shape(), view.byte_strides()), (&[2, 2][..], Some(&[6, -2][..])));
    // SAFETY: the element at index zero, which `part` keeps.
    assert_eq!(unsafe { *view.data().cast::<u16>() }, 3);
    let whole = tensor.slice(&[0, 0], &[2, 3], &[], None).unwrap().0;
    assert_eq!(whole.array_view().unwrap().data(), tensor.array_view().unwrap().data());
    assert_eq!(tensor.slice(&[0], &[2, 3], &[], None).unwrap_err().status, Status::INVALID_ARGUMENT);
}

#[test]
fn statistics_of_a_tensor() {
    let tensor = Tensor::from_vec(&[2, 2], vec![0i32, 1, 2, -3]).unwrap();
    let found = tensor.statistics(None).unwrap().statistics().unwrap().unwrap();
    assert_eq!((found.nnz, found.sparsity_ratio), (Some(3), Some(0.25)));
}

#[test]
fn contents_pages_and_composites() {
    let tensor = Tensor::from_vec(&[2, 3], vec![0u16; 6]).unwrap();
    tensor.check_data(None).unwrap();
    assert_eq!(tensor.gather(None, None, None).unwrap_err().status, Status::INVALID_ARGUMENT);
    // SAFETY: nothing is written: neither tensor is block-paged.
    let refused = unsafe { tensor.scatter(&tensor, Some(&[2]), None) }.unwrap_err();
    assert_eq!(refused.status, Status::INVALID_ARGUMENT);
    let (same, bytes) = Item::of(&tensor).unwrap().assemble(None, None).unwrap();
    assert_eq!((same.element_offset(&[1, 2]).unwrap(), bytes), (5, 0));
}
