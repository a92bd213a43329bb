//! Any bytes as a file: opened strictly, permissively and with every rule, and everything in it read.
#![no_main]

use hurray::abi::*;
use libfuzzer_sys::fuzz_target;
use std::ptr::null_mut;

fuzz_target!(|input: &[u8]| {
    let mut taken = [false; 3];
    for (taken, settings) in taken.iter_mut().zip([[0, 0], [1, 0], [0, 1]]) {
        // SAFETY: handles of this function, passed where the contract wants them; the buffer has the input's size.
        unsafe { *taken = open(input, settings) };
    }
    let [strict, permissive, verified] = taken;
    assert!(permissive || !strict, "a permissive reader takes what a strict one does");
    assert!(strict || !verified, "what was verified is read");
});

/// Opens the bytes, and reads everything if that works.
unsafe fn open(input: &[u8], [permissive, verify]: [u64; 2]) -> bool {
    let (mut options, mut buffer, mut reader, mut data) = (null_mut(), null_mut(), null_mut(), null_mut());
    // SAFETY: as this function's own.
    unsafe {
        assert_eq!(hurray_options_new(&mut options), 0);
        assert_eq!(hurray_options_set_u64(options, HURRAY_OPTION_PERMISSIVE, permissive), 0);
        assert_eq!(hurray_options_set_u64(options, HURRAY_OPTION_VERIFY, verify), 0);
        assert_eq!(hurray_buffer_alloc(input.len() as u64, 4096, &mut buffer), 0);
        assert_eq!(hurray_buffer_data_ptr(buffer, &mut data), 0);
        if !input.is_empty() {
            std::ptr::copy_nonoverlapping(input.as_ptr(), data.cast(), input.len());
        }
        let opened = hurray_file_reader_open_buffer(buffer, options, &mut reader) == 0;
        if opened {
            walk(reader);
        }
        hurray_file_reader_destroy(&mut reader);
        hurray_buffer_destroy(&mut buffer);
        hurray_options_destroy(&mut options);
        opened
    }
}

unsafe fn walk(reader: *const HurrayFileReader) {
    let mut count = 0;
    // SAFETY: a live reader, and outputs of this frame.
    unsafe {
        assert_eq!(hurray_file_reader_entry_count(reader, &mut count), 0);
        for index in 0..count {
            let (mut tensor, mut item, mut descriptor) = (null_mut(), null_mut(), null_mut());
            hurray_file_reader_entry_descriptor(reader, index, &mut descriptor);
            if hurray_file_reader_entry_tensor(reader, index, &mut tensor) == 0 {
                touch(tensor);
                hurray_tensor_destroy(&mut tensor);
            }
            hurray_file_reader_item(reader, index, &mut item);
            hurray_item_destroy(&mut item);
        }
        let (mut items, mut keys) = (0, 0);
        assert_eq!(hurray_file_reader_item_count(reader, &mut items), 0);
        assert!(items <= count);
        assert_eq!(hurray_file_reader_kv_count(reader, &mut keys), 0);
        for i in 0..keys {
            let (mut words, mut len) = ([0u64; 64], 64);
            hurray_file_reader_kv_u64(reader, i, words.as_mut_ptr(), &mut len);
            let (mut bytes, mut ends, mut room, mut pieces) = ([0u8; 256], [0u64; 64], 256, 64);
            let (bytes, ends) = (bytes.as_mut_ptr(), ends.as_mut_ptr());
            hurray_file_reader_kv_packed(reader, i, bytes, &mut room, ends, &mut pieces);
        }
    }
}

/// Reads every byte of a tensor.
unsafe fn touch(tensor: *const HurrayTensor) {
    let (mut list, mut count) = (null_mut(), 0);
    // SAFETY: a live tensor, whose buffers have the sizes they say.
    unsafe {
        assert_eq!(hurray_tensor_buffers(tensor, &mut list), 0);
        assert_eq!(hurray_buffer_list_len(list, &mut count), 0);
        for index in 0..count {
            let (mut buffer, mut data, mut size) = (null_mut(), null_mut(), 0);
            assert_eq!(hurray_buffer_list_get(list, index, &mut buffer), 0);
            assert_eq!(hurray_buffer_data_ptr(buffer, &mut data), 0);
            assert_eq!(hurray_buffer_byte_size(buffer, &mut size), 0);
            if size > 0 {
                let bytes = std::slice::from_raw_parts(data.cast::<u8>(), size as usize);
                std::hint::black_box(bytes.iter().fold(0u8, |sum, &byte| sum ^ byte));
            }
        }
    }
}
