//! Element types, devices, layouts.

use crate::support::*;
use hurray::abi::*;
use std::ptr::{null, null_mut};

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
