//! Tensors: in, out, shared, in parts, and through raw handles.

use hurray_client::{
    Array, Buffer, BufferFlags, BufferList, BufferRole, DescriptorBuilder, Element, ElementType, Layout,
    Options, Owner, Result, Status, Tensor, ViewFlags, sys,
};

fn values<T: Element>(tensor: &Tensor) -> Result<Vec<T>> {
    // SAFETY: no test writes to a tensor's memory while it is read.
    Ok(unsafe { tensor.array_view()?.as_slice::<T>()? }.to_vec())
}

#[test]
fn a_vector_is_wrapped_in_place() {
    let elements = vec![1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0];
    let data = elements.as_ptr();
    let tensor = Tensor::from_vec(&[2, 3], elements).unwrap();
    let view = tensor.array_view().unwrap();
    assert_eq!(view.data().cast_const().cast(), data);
    assert_eq!(view.element_type(), ElementType::FLOAT32);
    assert_eq!(view.shape(), [2, 3]);
    assert_eq!(view.byte_strides(), Some(&[12, 4][..]));
    assert!(view.flags().contains(ViewFlags::ROW_MAJOR));
    assert!(!view.flags().contains(ViewFlags::READ_ONLY));
    assert_eq!(values::<f32>(&tensor).unwrap(), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    assert!(!tensor.buffer(0).unwrap().flags().unwrap().copied());
}

#[test]
fn a_vector_of_another_length_is_refused() {
    assert_eq!(Tensor::from_vec(&[2, 3], vec![0u8; 5]).unwrap_err().status, Status::INVALID_ARGUMENT);
    assert_eq!(Tensor::from_vec(&[u64::MAX, 2], vec![0u8; 5]).unwrap_err().status, Status::INVALID_ARGUMENT);
}

#[test]
fn an_empty_vector_is_a_tensor() {
    let tensor = Tensor::from_vec(&[0, 4], Vec::<f64>::new()).unwrap();
    assert_eq!(tensor.array_view().unwrap().shape(), [0, 4]);
    assert_eq!(values::<f64>(&tensor).unwrap(), []);
}

#[test]
fn an_array_backwards_is_a_view() {
    let mut memory = [10i16, 11, 12, 13, 14, 15];
    let last = (&raw mut memory[4]).cast();
    let array = Array { byte_strides: Some(&[-4]), ..Array::row_major(ElementType::INT16, &[3], last) };
    // SAFETY: `memory` outlives the tensor, and the strides stay in it.
    let tensor = unsafe { Tensor::from_array(&array, None, Owner::none()) }.unwrap();
    let view = tensor.array_view().unwrap();
    assert_eq!(view.data(), last);
    assert_eq!(view.byte_strides(), Some(&[-4][..]));
    // SAFETY: nobody writes.
    assert_eq!(unsafe { view.as_slice::<i16>() }.unwrap_err().status, Status::INVALID_ARGUMENT);
    assert_eq!(tensor.descriptor().unwrap().layout().unwrap(), Layout::Strided { strides: vec![-2] });
}

#[test]
fn misaligned_and_foreign_elements_make_no_slice() {
    let mut memory = [0u8; 32];
    let odd = memory.iter().position(|byte| (&raw const *byte).addr() % 4 == 1).unwrap();
    let array = Array::row_major(ElementType::FLOAT32, &[2], (&raw mut memory[odd]).cast());
    // SAFETY: `memory` outlives the tensor.
    let tensor = unsafe { Tensor::from_array(&array, None, Owner::none()) }.unwrap();
    let view = tensor.array_view().unwrap();
    assert!(view.flags().contains(ViewFlags::MISALIGNED));
    // SAFETY: nobody writes.
    unsafe {
        assert_eq!(view.as_slice::<f32>().unwrap_err().status, Status::INVALID_ARGUMENT);
        assert_eq!(view.as_slice::<i32>().unwrap_err().status, Status::INVALID_ARGUMENT);
    }
}

#[test]
fn packed_elements_have_no_strides() {
    let mut codes = [0x21u8, 0x03];
    let array = Array::row_major(ElementType::INT4, &[3], (&raw mut codes).cast());
    // SAFETY: `codes` outlives the tensor.
    let tensor = unsafe { Tensor::from_array(&array, None, Owner::none()) }.unwrap();
    let view = tensor.array_view().unwrap();
    assert_eq!(view.byte_strides(), None);
    assert_eq!(view.shape(), [3]);
}

#[test]
fn read_only_stays_read_only() {
    static CONSTANT: [u8; 3] = [1, 2, 3];
    let data = CONSTANT.as_ptr().cast_mut().cast();
    let array = Array { flags: BufferFlags::READ_ONLY, ..Array::row_major(ElementType::UINT8, &[3], data) };
    // SAFETY: the memory is static, and read-only memory is not written to.
    let tensor = unsafe { Tensor::from_array(&array, None, Owner::none()) }.unwrap();
    let mut buffer = tensor.buffer(0).unwrap().share().unwrap();
    assert!(buffer.flags().unwrap().contains(BufferFlags::READ_ONLY));
    assert_eq!(buffer.set_flags(BufferFlags::default()).unwrap_err().status, Status::INVALID_ARGUMENT);
    assert!(tensor.share().unwrap().array_view().unwrap().flags().contains(ViewFlags::READ_ONLY));
}

#[test]
fn a_copy_says_why() {
    let mut options = Options::new().unwrap();
    options.set(sys::HURRAY_OPTION_COPY, 2).unwrap();
    let mut memory = [1u32, 2];
    let data = &raw mut memory;
    let array = Array::row_major(ElementType::UINT32, &[2], data.cast());
    // SAFETY: `memory` outlives the tensor.
    let tensor = unsafe { Tensor::from_array(&array, Some(&options), Owner::none()) }.unwrap();
    let flags = tensor.buffer(0).unwrap().flags().unwrap();
    assert_eq!(flags, BufferFlags::COPIED_ON_REQUEST);
    assert!(flags.copied());
    // SAFETY: `memory` is live, and this test's alone.
    unsafe { data.write([9, 9]) };
    assert_eq!(values::<u32>(&tensor).unwrap(), [1, 2]);
}

#[test]
fn the_parts_of_a_sparse_matrix_are_tensors() {
    // [[0, 5, 0], [7, 0, 9]]
    let buffers = [
        Buffer::copy_of(&[5u8, 7, 9]).unwrap(),
        Buffer::copy_of(&[1u64, 0, 2].map(u64::to_le_bytes).concat()).unwrap(),
        Buffer::copy_of(&[0u64, 1, 3].map(u64::to_le_bytes).concat()).unwrap(),
    ];
    let descriptor = DescriptorBuilder::new(ElementType::UINT8, &Layout::Csr { nnz: 3 }, &[2, 3])
        .unwrap()
        .push_default_buffers()
        .unwrap()
        .finish()
        .unwrap();
    let list = BufferList::of(buffers).unwrap();
    let tensor = Tensor::from_descriptor(&descriptor, list, Owner::none()).unwrap();
    let part = |role| tensor.part(role, 0);
    assert_eq!(values::<u8>(&part(BufferRole::VALUES).unwrap()).unwrap(), [5, 7, 9]);
    assert_eq!(values::<u64>(&part(BufferRole::INDICES).unwrap()).unwrap(), [1, 0, 2]);
    assert_eq!(values::<u64>(&part(BufferRole::POINTERS).unwrap()).unwrap(), [0, 1, 3]);
    assert_eq!(part(BufferRole::SCALES).unwrap_err().status, Status::FIELD_NOT_APPLICABLE);
    assert_eq!(tensor.array_view().unwrap_err().status, Status::UNSUPPORTED);
    assert_eq!(tensor.buffer_count().unwrap(), 3);
    assert_eq!(tensor.buffer(3).unwrap_err().status, Status::INDEX_OUT_OF_BOUNDS);

    let indices = part(BufferRole::INDICES).unwrap();
    drop(tensor);
    assert_eq!(values::<u64>(&indices).unwrap(), [1, 0, 2], "a part keeps the whole tensor");
}

#[test]
fn a_raw_handle_goes_out_and_comes_back() {
    let raw = Tensor::from_vec(&[3], vec![1i64, 2, 3]).unwrap().into_raw();
    // SAFETY: the handle is live, and nobody else has it.
    let tensor = unsafe { Tensor::from_raw(raw) }.unwrap();
    assert_eq!(tensor.as_raw(), raw);
    assert_eq!(tensor.abi_version().unwrap(), 10);
    assert_eq!(values::<i64>(&tensor).unwrap(), [1, 2, 3]);
}

#[test]
fn a_handle_of_another_version_stays_with_the_caller() {
    let bytes = DescriptorBuilder::new(ElementType::UINT8, &Layout::RowMajor, &[1])
        .unwrap()
        .push_default_buffers()
        .unwrap()
        .finish()
        .unwrap()
        .encode()
        .unwrap();
    let list = BufferList::of([Buffer::copy_of(&[7]).unwrap()]).unwrap();
    let mut raw = std::ptr::null_mut();
    // SAFETY: the bytes and the list are live; the list is consumed.
    let status = unsafe {
        let (owner, len) = (std::ptr::null_mut(), bytes.len() as u64);
        sys::hurray_tensor_new(9, bytes.as_ptr(), len, list.into_raw(), owner, None, &mut raw)
    };
    assert_eq!(status, sys::HURRAY_OK);
    // SAFETY: the handle is live, and stays this test's.
    let error = unsafe { Tensor::from_raw(raw) }.unwrap_err();
    assert_eq!(error.status, Status::VERSION_MISMATCH);
    assert!(error.message.contains("version 9") && error.message.contains("version 10"), "{error}");
    // SAFETY: the handle is still live, and nobody uses it after this.
    assert_eq!(unsafe { sys::hurray_tensor_destroy(&mut raw) }, sys::HURRAY_OK);
}

#[test]
fn no_handle_is_an_error() {
    // SAFETY: NULL is not followed.
    let error = unsafe { Tensor::from_raw(std::ptr::null_mut()) }.unwrap_err();
    assert_eq!(error.status, Status::NULL_POINTER);
}

#[test]
fn threads_read_one_tensor_at_once() {
    let tensor = Tensor::from_vec(&[4], vec![1u16, 2, 3, 4]).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..100 {
                    let share = tensor.share().unwrap();
                    assert_eq!(values::<u16>(&share).unwrap(), [1, 2, 3, 4]);
                }
            });
        }
    });
}

#[test]
fn one_line_says_what_it_is() {
    let line = Tensor::from_vec(&[2, 3], vec![0f32; 6]).unwrap().to_string();
    for part in ["float32", "2", "3", "row_major"] {
        assert!(line.contains(part), "{line}");
    }
    assert!(!line.contains('\n'));
}

#[test]
fn a_view_into_ones_own_arrays() {
    let tensor = Tensor::from_vec(&[2, 3], vec![0u8; 6]).unwrap();
    let (mut shape, mut strides) = ([0; 2], [0; 2]);
    let (data, rank, _) = tensor.array_view_into(&mut shape, &mut strides).unwrap();
    assert_eq!((data, rank), (tensor.array_view().unwrap().data(), 2));
    assert_eq!((shape, strides), ([2, 3], [3, 1]));
    let short = tensor.array_view_into(&mut shape, &mut strides[..1]).unwrap_err();
    assert_eq!(short.status, Status::BUFFER_TOO_SMALL);
}
