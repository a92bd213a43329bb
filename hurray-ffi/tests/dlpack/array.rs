//! Shapes, strides, addresses, flags, versions.

use crate::support::*;
use hurray::abi::*;
use std::ffi::c_void;
use std::ptr::{null, null_mut};

#[test]
fn values_cross_without_a_copy_and_writes_are_seen() {
    let mut data: Vec<f32> = (0..6).map(|value| value as f32).collect();
    let mut producer = Producer::new(&[2, 3], &[3, 1]);
    let dl = producer.tensor(data.as_mut_ptr(), F32);
    let mut managed = producer.managed(dl, 0);
    let tensor = import(&mut managed, null()).expect("imports");
    assert!(managed.is_null());
    let seen = view(tensor);
    assert_eq!(seen.data, data.as_mut_ptr().cast());
    // B02: flags 0 is writable.
    assert_eq!(seen.flags & HURRAY_VIEW_READ_ONLY, 0);
    assert_eq!(read::<f32>(&seen), [0., 1., 2., 3., 4., 5.]);
    let back = export(tensor, null()).expect("exports");
    destroy(tensor);
    assert_eq!(producer.deleted(), 0, "the export keeps the tensor alive");
    let dl = unsafe { (*back).tensor };
    assert_eq!((dl.data, dl.ndim, dl.byte_offset), (data.as_mut_ptr().cast(), 2, 0));
    assert_eq!((dl.code, dl.bits, dl.lanes, dl.device_type), (2, 32, 1, CPU));
    assert_eq!(unsafe { [*dl.shape, *dl.shape.add(1), *dl.strides, *dl.strides.add(1)] }, [2, 3, 3, 1]);
    assert_eq!(unsafe { ((*back).major, (*back).flags) }, (1, 0));
    discard(back);
    assert_eq!(producer.deleted(), 1);
}

#[test]
fn b01_read_only_is_flagged_and_the_old_struct_refuses_it() {
    let mut data = [1f32; 4];
    let tensor = array(HURRAY_TYPE_FLOAT32, &[4], None, data.as_mut_ptr().cast(), HURRAY_BUFFER_READ_ONLY);
    let managed = export(tensor, null()).expect("exports");
    assert_eq!(unsafe { (*managed).flags } & 1, 1);
    discard(managed);
    let mut old = null_mut();
    assert_eq!(
        unsafe { hurray_tensor_to_dlpack_unversioned(tensor, null(), &mut old) },
        HURRAY_ERR_UNSUPPORTED
    );
    assert!(old.is_null());
    let mut copy = copying(2);
    assert_eq!(unsafe { hurray_tensor_to_dlpack_unversioned(tensor, copy, &mut old) }, 0);
    let old = old.cast::<Unversioned>();
    assert_ne!(unsafe { (*old).tensor.data }, data.as_mut_ptr().cast());
    unsafe { (*old).deleter.expect("a deleter")(old) };
    unsafe { hurray_options_destroy(&mut copy) };
    destroy(tensor);
}

#[test]
fn a_share_of_a_copy_made_earlier_is_not_the_consumers_own() {
    let mut data = [1f32; 4];
    let copied = HURRAY_BUFFER_COPIED_PACKING;
    let tensor = array(HURRAY_TYPE_FLOAT32, &[4], None, data.as_mut_ptr().cast(), copied);
    let managed = export(tensor, null()).expect("exports");
    assert_eq!(unsafe { (*managed).flags }, 0);
    discard(managed);
    destroy(tensor);
}

#[test]
fn b02_the_read_only_bit_stays_and_an_unversioned_struct_is_read_only() {
    let mut data = [1f32; 4];
    let mut producer = Producer::new(&[4], &[1]);
    let dl = producer.tensor(data.as_mut_ptr(), F32);
    let tensor = import(&mut producer.managed(dl, 1), null()).expect("imports");
    assert_eq!(view(tensor).flags & HURRAY_VIEW_READ_ONLY, HURRAY_VIEW_READ_ONLY);
    destroy(tensor);
    let context = (&raw const producer.count).cast_mut().cast();
    let mut old = Box::into_raw(Box::new(Unversioned { tensor: dl, context, deleter: Some(delete_old) }));
    let mut tensor = null_mut();
    let status = unsafe { hurray_tensor_from_dlpack_unversioned((&raw mut old).cast(), null(), &mut tensor) };
    assert_eq!((status, old.is_null()), (0, true));
    assert_eq!(view(tensor).flags & HURRAY_VIEW_READ_ONLY, HURRAY_VIEW_READ_ONLY);
    destroy(tensor);
    assert_eq!(producer.deleted(), 2);
}

#[test]
fn an_unknown_major_version_is_released_at_once() {
    let mut data = [1f32; 4];
    let mut producer = Producer::new(&[4], &[1]);
    let dl = producer.tensor(data.as_mut_ptr(), F32);
    for major in [0, 2, 9] {
        let mut managed = producer.managed(dl, 0);
        unsafe { (*managed).major = major };
        let before = producer.deleted();
        assert_eq!(import(&mut managed, null()), Err(HURRAY_ERR_VERSION_MISMATCH));
        assert!(managed.is_null());
        assert_eq!(producer.deleted(), before + 1);
    }
}

#[test]
fn b06_null_strides_are_row_major() {
    let mut data: Vec<f32> = (0..6).map(|value| value as f32).collect();
    let mut producer = Producer::new(&[2, 3], &[]);
    let dl = producer.tensor(data.as_mut_ptr(), F32);
    let tensor = import(&mut producer.managed(dl, 0), null()).expect("imports");
    assert_eq!(read::<f32>(&view(tensor)), [0., 1., 2., 3., 4., 5.]);
    destroy(tensor);
}

#[test]
fn b07_hostile_extents_are_refused_and_stay_the_producers() {
    let mut data = [0f64; 8];
    let cases: [(&[i64], i32, i32); 4] = [
        (&[1 << 61, 8], 2, HURRAY_ERR_OVERFLOW),
        (&[2, 2], -1, HURRAY_ERR_INVALID_ARGUMENT),
        (&[1; 65], 65, HURRAY_ERR_LIMIT_EXCEEDED),
        (&[2, -2], 2, HURRAY_ERR_INVALID_ARGUMENT),
    ];
    for (shape, ndim, status) in cases {
        let mut producer = Producer::new(shape, &[]);
        let mut dl = producer.tensor(data.as_mut_ptr(), (2, 64, 1));
        dl.ndim = ndim;
        let mut managed = producer.managed(dl, 0);
        assert_eq!(import(&mut managed, null()), Err(status), "{shape:?}");
        assert!(!managed.is_null());
        assert_eq!(producer.deleted(), 0);
        discard(managed);
    }
    let mut producer = Producer::new(&[2, 2], &[]);
    let mut dl = producer.tensor(data.as_mut_ptr(), (2, 64, 1));
    dl.shape = null_mut();
    let mut managed = producer.managed(dl, 0);
    assert_eq!(import(&mut managed, null()), Err(HURRAY_ERR_NULL_POINTER));
    discard(managed);
}

#[test]
fn b08_b09_tensors_without_elements() {
    for (data, strides) in [(null_mut(), vec![0, 0, 0, 0]), (1 as *mut c_void, vec![1024, 128, 128, 1])] {
        let mut producer = Producer::new(&[1, 8, 0, 128], &strides);
        let dl = producer.tensor(data, F32);
        let tensor = import(&mut producer.managed(dl, 0), null()).expect("imports");
        let seen = view(tensor);
        assert_eq!(seen.shape, [1, 8, 0, 128]);
        assert_eq!(seen.flags & HURRAY_VIEW_ROW_MAJOR, HURRAY_VIEW_ROW_MAJOR);
        let managed = export(tensor, null()).expect("exports");
        assert!(unsafe { (*managed).tensor.data }.is_null());
        discard(managed);
        destroy(tensor);
    }
    let tensor = array(HURRAY_TYPE_FLOAT32, &[0, 2048], None, null_mut(), 0);
    let managed = export(tensor, null()).expect("exports");
    assert_eq!(unsafe { [*(*managed).tensor.strides, *(*managed).tensor.strides.add(1)] }, [2048, 1]);
    discard(managed);
    destroy(tensor);
}

#[test]
fn b10_b11_strides_of_unit_dimensions() {
    let mut data: Vec<f32> = (0..1024).map(|value| value as f32).collect();
    let mut producer = Producer::new(&[1, 3, 1, 4, 1], &[0, 4, 0, 1, 0]);
    let dl = producer.tensor(data.as_mut_ptr(), F32);
    let tensor = import(&mut producer.managed(dl, 0), null()).expect("imports");
    assert_eq!(read::<f32>(&view(tensor)), (0..12).map(|value| value as f32).collect::<Vec<_>>());
    destroy(tensor);
    for (shape, strides) in [([1, 77], [77, 1]), ([1024, 1], [1, 1024])] {
        let mut producer = Producer::new(&shape, &strides);
        let dl = producer.tensor(data.as_mut_ptr(), F32);
        let tensor = import(&mut producer.managed(dl, 0), null()).expect("imports");
        let managed = export(tensor, null()).expect("exports");
        assert_eq!(unsafe { [*(*managed).tensor.strides, *(*managed).tensor.strides.add(1)] }, strides);
        discard(managed);
        destroy(tensor);
    }
}

#[test]
fn b13_b14_b18_strided_arrays() {
    let mut data: Vec<f32> = (0..10).map(|value| value as f32).collect();
    let mut producer = Producer::new(&[10], &[-1]);
    let dl = producer.tensor(&raw mut data[9], F32);
    let tensor = import(&mut producer.managed(dl, 0), null()).expect("imports");
    assert_eq!(read::<f32>(&view(tensor)), (0..10).rev().map(|value| value as f32).collect::<Vec<_>>());
    let managed = export(tensor, null()).expect("exports");
    assert_eq!(
        unsafe { ((*managed).tensor.data, (*managed).tensor.byte_offset) },
        ((&raw mut data[9]).cast(), 0)
    );
    discard(managed);
    destroy(tensor);
    let mut producer = Producer::new(&[2, 2], &[3, 1]);
    let dl = producer.tensor(data.as_mut_ptr(), F32);
    let tensor = import(&mut producer.managed(dl, 0), null()).expect("imports");
    assert_eq!(read::<f32>(&view(tensor)), [0., 1., 3., 4.]);
    destroy(tensor);
}

#[test]
fn b15_byte_offset_is_followed() {
    let mut data: Vec<i64> = (0..16).collect();
    for shape in [vec![4], vec![]] {
        let mut producer = Producer::new(&shape, &vec![1; shape.len()]);
        let mut dl = producer.tensor(data.as_mut_ptr(), (0, 64, 1));
        dl.byte_offset = 8 * 8;
        let tensor = import(&mut producer.managed(dl, 0), null()).expect("imports");
        assert_eq!(read::<i64>(&view(tensor))[0], 8);
        let mut again = export(tensor, null()).expect("exports");
        let second = import(&mut again, null()).expect("imports");
        assert_eq!(read::<i64>(&view(second))[0], 8);
        destroy(second);
        destroy(tensor);
    }
}

#[test]
fn b16_b17_rank_0() {
    let mut value = 2.5f64;
    let tensor = array(HURRAY_TYPE_FLOAT64, &[], None, (&raw mut value).cast(), 0);
    let managed = export(tensor, null()).expect("exports");
    let dl = unsafe { (*managed).tensor };
    assert_eq!((dl.ndim, dl.shape.is_null(), dl.strides.is_null()), (0, true, true));
    assert_eq!(unsafe { dl.data.cast::<f64>().read() }, 2.5);
    discard(managed);
    destroy(tensor);
}

#[test]
fn handles_of_devices_are_kept_as_they_are() {
    // OpenCL, Vulkan, Metal, WebGPU: the pointer is a handle, and the offset stays beside it.
    for kind in [4, 7, 8, 15] {
        for (handle, offset) in [(0x1000usize, 0u64), (0x1000, 16), (0x1000, 256), (0x10C0, 4)] {
            let mut producer = Producer::new(&[4], &[1]);
            let mut dl = producer.tensor(std::ptr::without_provenance_mut::<f32>(handle), F32);
            (dl.device_type, dl.byte_offset) = (kind, offset);
            let mut managed = producer.managed(dl, 0);
            let tensor = import(&mut managed, null()).unwrap();
            let out = export(tensor, null()).unwrap();
            let dl = unsafe { (*out).tensor };
            assert_eq!((dl.device_type, dl.data.addr(), dl.byte_offset), (kind, handle, offset));
            discard(out);
            destroy(tensor);
            assert_eq!(producer.deleted(), 1);
        }
        // A handle cannot be rounded down to what a buffer's pointer is a multiple of, nor lie behind its element.
        for (handle, stride, status) in
            [(0x1008, 1, HURRAY_ERR_UNSUPPORTED), (0x1000, -1, HURRAY_ERR_OVERFLOW)]
        {
            let mut producer = Producer::new(&[4], &[stride]);
            let mut dl = producer.tensor(std::ptr::without_provenance_mut::<f32>(handle), F32);
            (dl.device_type, dl.byte_offset) = (kind, 8);
            let mut managed = producer.managed(dl, 0);
            assert_eq!(import(&mut managed, null()), Err(status));
            assert_eq!(producer.deleted(), 0);
            discard(managed);
        }
    }
}
