//! DLPack in and out, through the header's functions, against structs made by hand as the published header describes them.

#![allow(clippy::undocumented_unsafe_blocks, clippy::expect_used, clippy::panic, clippy::manual_dangling_ptr)] // a test

use hurray::abi::*;
use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicUsize, Ordering};

#[repr(C)]
#[derive(Clone, Copy)]
struct DlTensor {
    data: *mut c_void,
    device_type: i32,
    device_id: i32,
    ndim: i32,
    code: u8,
    bits: u8,
    lanes: u16,
    shape: *mut i64,
    strides: *mut i64,
    byte_offset: u64,
}

#[repr(C)]
struct Versioned {
    major: u32,
    minor: u32,
    context: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut Versioned)>,
    flags: u64,
    tensor: DlTensor,
}

#[repr(C)]
struct Unversioned {
    tensor: DlTensor,
    context: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut Unversioned)>,
}

/// A producer's struct; the deleter counts in the context and scribbles over the struct before it frees it (B97).
struct Producer {
    shape: Vec<i64>,
    strides: Vec<i64>,
    count: AtomicUsize,
}

unsafe extern "C" fn delete(managed: *mut Versioned) {
    unsafe {
        let count = (*managed).context.cast::<AtomicUsize>();
        (*count).fetch_add(1, Ordering::SeqCst);
        managed.cast::<u8>().write_bytes(0xAA, size_of::<Versioned>());
        drop(Box::from_raw(managed.cast::<std::mem::MaybeUninit<Versioned>>()));
    }
}

unsafe extern "C" fn delete_old(managed: *mut Unversioned) {
    unsafe {
        let count = (*managed).context.cast::<AtomicUsize>();
        (*count).fetch_add(1, Ordering::SeqCst);
        drop(Box::from_raw(managed));
    }
}

const F32: (u8, u8, u16) = (2, 32, 1);
const CPU: i32 = 1;

impl Producer {
    fn new(shape: &[i64], strides: &[i64]) -> Producer {
        Producer { shape: shape.to_vec(), strides: strides.to_vec(), count: AtomicUsize::new(0) }
    }

    fn tensor<T>(&mut self, data: *mut T, (code, bits, lanes): (u8, u8, u16)) -> DlTensor {
        let strides = if self.strides.is_empty() { null_mut() } else { self.strides.as_mut_ptr() };
        let shape = if self.shape.is_empty() { null_mut() } else { self.shape.as_mut_ptr() };
        DlTensor {
            data: data.cast(),
            device_type: CPU,
            device_id: 0,
            ndim: self.shape.len() as i32,
            code,
            bits,
            lanes,
            shape,
            strides,
            byte_offset: 0,
        }
    }

    fn managed(&self, tensor: DlTensor, flags: u64) -> *mut Versioned {
        let context = (&raw const self.count).cast_mut().cast();
        Box::into_raw(Box::new(Versioned {
            major: 1,
            minor: 1,
            context,
            deleter: Some(delete),
            flags,
            tensor,
        }))
    }

    fn deleted(&self) -> usize {
        self.count.load(Ordering::SeqCst)
    }
}

fn import(managed: &mut *mut Versioned, options: *const HurrayOptions) -> Result<*mut HurrayTensor, i32> {
    let mut tensor = null_mut();
    let status = unsafe { hurray_tensor_from_dlpack((&raw mut *managed).cast(), options, &mut tensor) };
    assert_eq!(status == 0, !tensor.is_null());
    if status == 0 { Ok(tensor) } else { Err(status) }
}

fn export(tensor: *const HurrayTensor, options: *const HurrayOptions) -> Result<*mut Versioned, i32> {
    let mut managed = null_mut();
    let status = unsafe { hurray_tensor_to_dlpack(tensor, options, &mut managed) };
    assert_eq!(status == 0, !managed.is_null());
    if status == 0 { Ok(managed.cast()) } else { Err(status) }
}

fn discard(managed: *mut Versioned) {
    unsafe { (*managed).deleter.expect("a deleter")(managed) };
}

fn destroy(mut tensor: *mut HurrayTensor) {
    assert_eq!(unsafe { hurray_tensor_destroy(&mut tensor) }, 0);
}

fn copying(choice: u64) -> *mut HurrayOptions {
    let mut options = null_mut();
    unsafe {
        assert_eq!(hurray_options_new(&mut options), 0);
        assert_eq!(hurray_options_set_u64(options, HURRAY_OPTION_COPY, choice), 0);
    }
    options
}

struct View {
    data: *mut c_void,
    shape: Vec<u64>,
    byte_strides: Vec<i64>,
    flags: u32,
}

fn view(tensor: *const HurrayTensor) -> View {
    let (mut data, mut rank, mut flags) = (null_mut(), 64, 0);
    let (mut shape, mut strides) = ([0; 64], [0; 64]);
    let status = unsafe {
        hurray_tensor_array_view(
            tensor,
            &mut data,
            shape.as_mut_ptr(),
            strides.as_mut_ptr(),
            &mut rank,
            &mut flags,
        )
    };
    assert_eq!(status, 0);
    View { data, shape: shape[..rank].to_vec(), byte_strides: strides[..rank].to_vec(), flags }
}

/// The elements of a view in row-major order of the index.
fn read<T: Copy>(view: &View) -> Vec<T> {
    let count: u64 = view.shape.iter().product();
    (0..count)
        .map(|mut at| {
            let mut offset = 0;
            for (n, stride) in view.shape.iter().zip(&view.byte_strides).rev() {
                offset += (at % n) as i64 * stride;
                at /= n;
            }
            unsafe { view.data.byte_offset(offset as isize).cast::<T>().read_unaligned() }
        })
        .collect()
}

fn array(
    kind: u8,
    shape: &[u64],
    strides: Option<&[i64]>,
    data: *mut c_void,
    flags: u32,
) -> *mut HurrayTensor {
    let mut tensor = null_mut();
    let strides = strides.map_or(null(), <[i64]>::as_ptr);
    let status = unsafe {
        hurray_tensor_from_array(
            kind,
            shape.as_ptr(),
            shape.len(),
            strides,
            data,
            0,
            0,
            0,
            flags,
            null(),
            null_mut(),
            None,
            &mut tensor,
        )
    };
    assert_eq!(status, 0);
    tensor
}

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
fn b19_every_type_code_width_and_lane_count() {
    // code, bits, element type: from the published header and descriptor.md section 2.1.
    let known = [
        (0, 8, 0x10),
        (0, 16, 0x12),
        (0, 32, 0x14),
        (0, 64, 0x16),
        (0, 4, 0x48),
        (0, 2, 0x4A),
        (1, 8, 0x11),
        (1, 16, 0x13),
        (1, 32, 0x15),
        (1, 64, 0x17),
        (1, 4, 0x49),
        (1, 2, 0x4B),
        (2, 16, 0x01),
        (2, 32, 0x03),
        (2, 64, 0x04),
        (2, 128, 0x46),
        (4, 16, 0x02),
        (5, 64, 0x50),
        (5, 128, 0x51),
        (10, 8, 0x40),
        (12, 8, 0x41),
        (14, 8, 0x42),
        (15, 6, 0x44),
        (16, 6, 0x45),
        (17, 4, 0x43),
    ];
    let mut data = [0u64; 64];
    for code in (0..18).chain([200]) {
        for bits in [0, 1, 2, 4, 6, 7, 8, 16, 17, 32, 64, 128, 255] {
            for lanes in [0, 1, 2, 65535] {
                let mut producer = Producer::new(&[4], &[1]);
                let dl = producer.tensor(data.as_mut_ptr(), (code, bits, lanes));
                let mut managed = producer.managed(dl, 0);
                let wanted = known.iter().find(|row| (row.0, row.1) == (code, bits) && lanes == 1);
                match (import(&mut managed, null()), wanted) {
                    (Ok(tensor), Some(row)) => {
                        let (mut descriptor, mut tag) = (null_mut(), 0);
                        unsafe {
                            hurray_tensor_descriptor(tensor, &mut descriptor);
                            hurray_descriptor_element_type_tag(descriptor, &mut tag);
                        }
                        assert_eq!(tag, row.2, "code {code}, {bits} bits");
                        let back = export(tensor, null()).expect("exports");
                        let dl = unsafe { (*back).tensor };
                        assert_eq!((dl.code, dl.bits, dl.lanes), (code, bits, 1));
                        discard(back);
                        destroy(tensor);
                    }
                    (Err(status), None) => {
                        let bool_bytes = (code, bits, lanes) == (6, 8, 1);
                        let expected =
                            if bool_bytes { HURRAY_ERR_COPY_REQUIRED } else { HURRAY_ERR_UNSUPPORTED };
                        assert_eq!(status, expected, "code {code}, {bits} bits, {lanes} lanes");
                        discard(managed);
                    }
                    (Ok(_), None) => panic!("code {code}, {bits} bits, {lanes} lanes was taken"),
                    (Err(status), Some(_)) => panic!("code {code}, {bits} bits was refused with {status}"),
                }
                assert_eq!(producer.deleted(), 1);
            }
        }
    }
}

#[test]
fn b20_booleans_cross_by_an_explicit_copy() {
    let mut bytes = [1u8, 0, 2, 0, 0, 0, 0, 0, 1];
    let mut producer = Producer::new(&[9], &[1]);
    let dl = producer.tensor(bytes.as_mut_ptr(), (6, 8, 1));
    let mut copy = copying(2);
    let tensor = import(&mut producer.managed(dl, 0), copy).expect("imports");
    assert_eq!(producer.deleted(), 1, "released when the bits were copied");
    let seen = view(tensor);
    // Bits 0, 2 and 8, lowest first; a byte of value 2 is true.
    assert_eq!(unsafe { [*seen.data.cast::<u8>(), *seen.data.cast::<u8>().add(1)] }, [0b101, 1]);
    assert_eq!(export(tensor, null()), Err(HURRAY_ERR_COPY_REQUIRED));
    let back = export(tensor, copy).expect("exports");
    let dl = unsafe { (*back).tensor };
    assert_eq!((dl.code, dl.bits, unsafe { (*back).flags }), (6, 8, 2));
    let out: Vec<u8> = (0..9).map(|k| unsafe { *dl.data.cast::<u8>().add(k) }).collect();
    assert_eq!(out, [1, 0, 1, 0, 0, 0, 0, 0, 1]);
    discard(back);
    destroy(tensor);
    unsafe { hurray_options_destroy(&mut copy) };
}

#[test]
fn b27_device_query_and_struct_agree() {
    // descriptor tags, flags, DLPack type: buffers.md section 3.
    let host = HURRAY_BUFFER_HOST_POINTER;
    let cases = [
        (0, 0, 0, 1),
        (0, 1, 0, 1),
        (0, 2, 0, 1),
        (1, 0, 0, 2),
        (1, 1, 0, 3),
        (1, 2, 0, 13),
        (1, 1, host, 3),
        (1, 2, host, 1),
        (2, 0, 0, 10),
        (2, 1, 0, 11),
        (3, 0, 0, 8),
        (4, 0, 0, 7),
        (5, 0, 0, 15),
        (6, 0, 0, 16),
        (7, 0, 0, 14),
        (8, 0, 0, 4),
    ];
    let mut data = [0f32; 16];
    for (device, class, flags, kind) in cases {
        let mut tensor = null_mut();
        let status = unsafe {
            hurray_tensor_from_array(
                HURRAY_TYPE_FLOAT32,
                [4u64].as_ptr(),
                1,
                null(),
                data.as_mut_ptr().cast(),
                device,
                class,
                3,
                flags,
                null(),
                null_mut(),
                None,
                &mut tensor,
            )
        };
        assert_eq!(status, 0);
        let (mut found, mut id) = (0, 0);
        assert_eq!(unsafe { hurray_tensor_dlpack_device(tensor, &mut found, &mut id) }, 0);
        let managed = export(tensor, null()).expect("exports");
        let dl = unsafe { (*managed).tensor };
        assert_eq!(
            (found, id, dl.device_type, dl.device_id),
            (kind, 3, kind, 3),
            "device {device}, class {class}"
        );
        discard(managed);
        destroy(tensor);
    }
    for (device, class) in [(1, 3), (0xF0, 0)] {
        let mut tensor = null_mut();
        unsafe {
            hurray_tensor_from_array(
                HURRAY_TYPE_FLOAT32,
                [4u64].as_ptr(),
                1,
                null(),
                data.as_mut_ptr().cast(),
                device,
                class,
                0,
                0,
                null(),
                null_mut(),
                None,
                &mut tensor,
            );
        }
        assert_eq!(export(tensor, null()), Err(HURRAY_ERR_UNSUPPORTED));
        destroy(tensor);
    }
    let mut producer = Producer::new(&[4], &[1]);
    let mut dl = producer.tensor(data.as_mut_ptr(), F32);
    dl.device_type = 12;
    let mut managed = producer.managed(dl, 0);
    assert_eq!(import(&mut managed, null()), Err(HURRAY_ERR_UNSUPPORTED));
    discard(managed);
}

#[test]
fn b29_misaligned_data_is_wrapped_and_said() {
    let mut bytes = [0u8; 64];
    for (shift, misaligned) in [(8, 0), (1, HURRAY_VIEW_MISALIGNED)] {
        let base = bytes.as_mut_ptr().wrapping_add(bytes.as_ptr().align_offset(16) + shift);
        unsafe { base.cast::<f64>().write_unaligned(1.5) };
        let mut producer = Producer::new(&[1], &[1]);
        let dl = producer.tensor(base, (2, 64, 1));
        let tensor = import(&mut producer.managed(dl, 0), null()).expect("imports");
        let seen = view(tensor);
        assert_eq!(seen.flags & HURRAY_VIEW_MISALIGNED, misaligned);
        assert_eq!(read::<f64>(&seen), [1.5]);
        destroy(tensor);
    }
}

#[test]
fn b35_packed_and_padded_sub_byte_elements() {
    // int4 values 1, -2, 3, -4: packed low half first, or a byte each.
    let mut packed = [0xE1u8, 0xC3];
    let mut padded = [1u8, 0xFE, 3, 0xFC];
    for (data, flags) in [(packed.as_mut_ptr(), 0), (padded.as_mut_ptr(), 4)] {
        let mut producer = Producer::new(&[4], &[1]);
        let dl = producer.tensor(data, (0, 4, 1));
        let tensor = import(&mut producer.managed(dl, flags), null()).expect("imports");
        let seen = view(tensor);
        assert_eq!(seen.flags & HURRAY_VIEW_PACKED, HURRAY_VIEW_PACKED);
        assert_eq!(unsafe { [*seen.data.cast::<u8>(), *seen.data.cast::<u8>().add(1)] }, [0xE1, 0xC3]);
        let back = export(tensor, null()).expect("exports");
        assert_eq!(unsafe { (*back).flags } & 4, 0, "ours are packed");
        discard(back);
        destroy(tensor);
    }
    // The padded flag on a type of whole bytes means nothing.
    let mut data = [7u8; 4];
    let mut producer = Producer::new(&[4], &[1]);
    let dl = producer.tensor(data.as_mut_ptr(), (1, 8, 1));
    let tensor = import(&mut producer.managed(dl, 4), null()).expect("imports");
    assert_eq!(read::<u8>(&view(tensor)), [7; 4]);
    destroy(tensor);
}

#[test]
fn layouts_that_do_not_cross_say_so() {
    // uint8 [2, 2] tiled 2 x 2, by hand from descriptor.md section 4.5.
    let mut bytes = b"HRRY\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x11\x04\x02\x00\x00\x00".to_vec();
    for word in [2u64, 2, 0, 2, 2] {
        bytes.extend(word.to_le_bytes());
    }
    bytes.extend([1, 1, 0, 0, 1]);
    bytes.extend(4u64.to_le_bytes());
    bytes.extend([64, 0, 0, 0, 0, 0, 0, 0]);
    bytes[6] = bytes.len() as u8;
    let (mut buffer, mut list, mut tensor) = (null_mut(), null_mut(), null_mut());
    unsafe {
        assert_eq!(hurray_buffer_alloc(4, 64, &mut buffer), 0);
        assert_eq!(hurray_buffer_list_new(1, &mut list), 0);
        assert_eq!(hurray_buffer_list_push(list, buffer), 0);
        assert_eq!(
            hurray_tensor_new(10, bytes.as_ptr(), bytes.len() as u64, list, null_mut(), None, &mut tensor),
            0
        );
    }
    assert_eq!(export(tensor, null()), Err(HURRAY_ERR_UNSUPPORTED));
    let (mut text, mut len) = ([0i8; 512], 512);
    unsafe { hurray_last_error_message(text.as_mut_ptr(), &mut len) };
    let text: Vec<u8> = text[..len].iter().map(|&byte| byte as u8).collect();
    assert!(String::from_utf8_lossy(&text).contains("fixed strides"));
    destroy(tensor);
}

#[test]
fn b22_failing_exports_leave_nothing_behind() {
    let mut data = [0u8; 4];
    let tensor = array(HURRAY_TYPE_BOOL, &[9], None, data.as_mut_ptr().cast(), 0);
    for _ in 0..10_000 {
        assert_eq!(export(tensor, null()), Err(HURRAY_ERR_COPY_REQUIRED));
    }
    destroy(tensor);
}
