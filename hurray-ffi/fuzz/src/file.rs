//! A file of any bytes, read whole, and written again.

use hurray::abi::*;
use std::ptr::null_mut;

/// What may be read and not written: by L-023, L-035, Q-034, Q-036 and B-010, or because a member's name is taken.
const WRITERS_ONLY: [i32; 5] = [
    HURRAY_ERR_UNSUPPORTED,
    HURRAY_ERR_INVALID_LAYOUT,
    HURRAY_ERR_INVALID_DESCRIPTOR,
    HURRAY_ERR_INVALID_SYNC_MODE,
    HURRAY_ERR_DUPLICATE,
];

/// Everything that must hold for any bytes.
pub fn run(input: &[u8]) {
    let mut again = None;
    // SAFETY: the functions want nothing but live handles, which are theirs.
    let [strict, permissive, verified] = unsafe {
        [
            open(input, [0, 0], |reader| walk(reader)),
            open(input, [1, 0], |reader| walk(reader)),
            open(input, [0, 1], |reader| again = rewrite(reader)),
        ]
    };
    assert!(permissive || !strict, "a permissive reader takes what a strict one does");
    assert!(strict || !verified, "what was verified is read");
    if let Some(bytes) = again {
        // SAFETY: as above.
        assert!(unsafe { open(&bytes, [0, 1], |reader| walk(reader)) }, "what is written keeps every rule");
    }
}

/// Opens the bytes, and does something with the reader if that works.
unsafe fn open(
    input: &[u8],
    [permissive, verify]: [u64; 2],
    each: impl FnOnce(*const HurrayFileReader),
) -> bool {
    let (mut options, mut buffer, mut reader, mut data) = (null_mut(), null_mut(), null_mut(), null_mut());
    // SAFETY: handles of this function, passed where the contract wants them; the buffer has the input's size.
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
            each(reader);
        }
        hurray_file_reader_destroy(&mut reader);
        hurray_buffer_destroy(&mut buffer);
        hurray_options_destroy(&mut options);
        opened
    }
}

/// Writes the items of a file to another one; None if one of them may not be written.
unsafe fn rewrite(reader: *const HurrayFileReader) -> Option<Vec<u8>> {
    let (mut writer, mut items, mut bytes) = (null_mut(), 0, None);
    // SAFETY: a live reader, and outputs of this frame.
    unsafe {
        let names = names(reader);
        assert_eq!(hurray_file_reader_item_count(reader, &mut items), 0);
        assert_eq!(hurray_file_writer_to_memory(std::ptr::null(), &mut writer), 0);
        let whole = (0..items).all(|i| {
            let (mut index, mut item) = (0, null_mut());
            assert_eq!(hurray_file_reader_item_entry(reader, i, &mut index), 0);
            assert_eq!(hurray_file_reader_item(reader, index, &mut item), 0);
            let name = &names[index as usize];
            let put = hurray_file_writer_put(writer, name.as_ptr().cast(), name.len(), item);
            hurray_item_destroy(&mut item);
            assert!(put == 0 || WRITERS_ONLY.contains(&put), "{put} for an item that was read");
            put == 0
        });
        if whole {
            let (mut buffer, mut data, mut size) = (null_mut(), null_mut(), 0);
            assert_eq!(hurray_file_writer_finish(writer), 0);
            assert_eq!(hurray_file_writer_take_buffer(writer, &mut buffer), 0);
            assert_eq!(hurray_buffer_data_ptr(buffer, &mut data), 0);
            assert_eq!(hurray_buffer_byte_size(buffer, &mut size), 0);
            bytes = Some(std::slice::from_raw_parts(data.cast::<u8>(), size as usize).to_vec());
            hurray_buffer_destroy(&mut buffer);
        }
        hurray_file_writer_destroy(&mut writer);
    }
    bytes
}

/// The names of all entries.
unsafe fn names(reader: *const HurrayFileReader) -> Vec<Vec<u8>> {
    let (mut len, mut count) = (0, 0);
    // SAFETY: a live reader, and arrays with the room that they are said to have.
    unsafe {
        hurray_file_reader_entry_names(reader, null_mut(), &mut len, null_mut(), &mut count);
        let (mut bytes, mut ends) = (vec![0u8; len], vec![0u64; count]);
        let (text, places) = (bytes.as_mut_ptr(), ends.as_mut_ptr());
        assert_eq!(hurray_file_reader_entry_names(reader, text, &mut len, places, &mut count), 0);
        let mut start = 0;
        ends.iter()
            .map(|&end| bytes[std::mem::replace(&mut start, end as usize)..end as usize].to_vec())
            .collect()
    }
}

/// Reads everything.
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
