//! The same for files and streams, written and read, to and from memory and a path.

use crate::call::{OK, warm_up};
use crate::exhaustion::each_allocation;
use crate::exhaustion_convert::{dense, halves, numbers, tree, with_gaps};
use crate::handoff::end_tensor;
use hurray::abi::*;
use std::path::Path;
use std::ptr::{null, null_mut};

type Items = Vec<(&'static str, *mut HurrayItem)>;

/// A dense tensor, one of high rank with gaps, one of seven buffers, and a composite, each under a name.
fn items() -> Items {
    let tensors = [
        ("numbers", dense(HURRAY_TYPE_FLOAT32, &[8, 8], numbers())),
        ("gaps", with_gaps()),
        ("tree", tree()),
    ];
    let item = |(name, tensor): (&'static str, *mut HurrayTensor)| {
        let mut item = null_mut();
        // SAFETY: a live tensor; the output is this frame's own.
        assert_eq!(unsafe { hurray_item_from_tensor(tensor, &raw mut item) }, OK);
        end_tensor(tensor);
        (name, item)
    };
    tensors.into_iter().map(item).chain([("halves", halves())]).collect()
}

fn end_items(items: Items) {
    for (_, mut item) in items {
        // SAFETY: owned, and ended once.
        assert_eq!(unsafe { hurray_item_destroy(&raw mut item) }, OK);
    }
}

fn options(values: &[(u32, u64)]) -> *mut HurrayOptions {
    let mut made = null_mut();
    // SAFETY: the output is this frame's own.
    assert_eq!(unsafe { hurray_options_new(&raw mut made) }, OK);
    for &(option, value) in values {
        // SAFETY: a live handle.
        assert_eq!(unsafe { hurray_options_set_u64(made, option, value) }, OK);
    }
    made
}

fn end_options(mut options: *mut HurrayOptions) {
    // SAFETY: owned, and ended once.
    assert_eq!(unsafe { hurray_options_destroy(&raw mut options) }, OK);
}

/// The first status that is no success, of calls each made only if all before succeeded.
macro_rules! all {
    ($($call:expr;)*) => {{
        $(
            let status = $call;
            if status != OK {
                return status;
            }
        )*
    }};
}

/// Puts metadata and items into a writer, and finishes it.
///
/// # Safety
/// All handles are live.
unsafe fn write(writer: *mut HurrayFileWriter, items: &Items) -> i32 {
    let (words, text) = ([7u64, 8], "text");
    // SAFETY: as this function's own; arrays are as long as said.
    unsafe {
        all! {
            hurray_file_writer_kv_set_u64(
                writer, "words".as_ptr().cast(), 5, HURRAY_KV_UINT64, 1, words.as_ptr(), 2);
            hurray_file_writer_kv_set_packed(
                writer, "text".as_ptr().cast(), 4, HURRAY_KV_STRING, 0, text.as_ptr(), 4, [4u64].as_ptr(), 1);
        };
        for (name, item) in items {
            all! { hurray_file_writer_put(writer, name.as_ptr().cast(), name.len(), *item); };
        }
        hurray_file_writer_finish(writer)
    }
}

fn end_writer(mut writer: *mut HurrayFileWriter) {
    // SAFETY: owned or NULL, and ended once.
    assert_eq!(unsafe { hurray_file_writer_destroy(&raw mut writer) }, OK);
}

fn end_buffer(mut buffer: *mut HurrayBuffer) {
    // SAFETY: owned or NULL, and ended once.
    assert_eq!(unsafe { hurray_buffer_destroy(&raw mut buffer) }, OK);
}

/// A whole file in memory.
fn file() -> *mut HurrayBuffer {
    let (items, mut writer, mut buffer) = (items(), null_mut(), null_mut());
    // SAFETY: live handles; the outputs are this frame's own.
    unsafe {
        assert_eq!(hurray_file_writer_to_memory(null(), &raw mut writer), OK);
        assert_eq!(write(writer, &items), OK, "{}", crate::call::last_text());
        assert_eq!(hurray_file_writer_take_buffer(writer, &raw mut buffer), OK);
    }
    end_writer(writer);
    end_items(items);
    buffer
}

#[test]
fn writing_a_file_to_memory() {
    warm_up();
    for sorted in [0, 1] {
        let count = each_allocation("file writer", |run| {
            let (items, options) = (items(), options(&[(HURRAY_OPTION_SORTED_INDEX, sorted)]));
            let (mut writer, mut buffer) = (null_mut(), null_mut());
            // SAFETY: live handles; the outputs are this frame's own.
            run(&mut || unsafe {
                all! {
                    hurray_file_writer_to_memory(options, &raw mut writer);
                    write(writer, &items);
                };
                hurray_file_writer_take_buffer(writer, &raw mut buffer)
            });
            end_writer(writer);
            end_buffer(buffer);
            end_options(options);
            end_items(items);
        });
        assert!(count > 10, "{count} allocations");
    }
}

#[test]
fn saving_a_file_leaves_the_old_one() {
    warm_up();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("exhaustion");
    if folder.exists() {
        std::fs::remove_dir_all(&folder).expect("what a killed test left is removed");
    }
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("saved.hrry");
    let name = path.to_str().expect("a path of text");
    each_allocation("file writer", |run| {
        std::fs::write(&path, b"old").expect("written");
        let (items, options, mut writer) = (items(), options(&[(HURRAY_OPTION_DURABLE, 0)]), null_mut());
        // SAFETY: live handles; the path is as long as said; the outputs are this frame's own.
        let status = run(&mut || unsafe {
            all! { hurray_file_writer_create(name.as_ptr().cast(), name.len(), options, &raw mut writer); };
            write(writer, &items)
        });
        end_writer(writer);
        end_options(options);
        end_items(items);
        let left = std::fs::read(&path).expect("read");
        assert_eq!(left == b"old", status != OK, "the old file stays exactly when the save fails");
        assert_eq!(std::fs::read_dir(&folder).expect("a folder").count(), 1, "nothing else is left");
    });
    std::fs::remove_dir_all(&folder).expect("removed");
}

#[test]
fn reading_a_file() {
    warm_up();
    for values in [&[][..], &[(HURRAY_OPTION_MAP, 2)], &[(HURRAY_OPTION_VERIFY, 1)]] {
        let count = each_allocation("file reader", |run| {
            let (buffer, options) = (file(), options(values));
            let (mut reader, mut tensor, mut item, mut count) = (null_mut(), null_mut(), null_mut(), 0);
            let (mut descriptor, mut index, mut tree) = (null_mut(), 0, null_mut());
            // SAFETY: live handles; the outputs are this frame's own.
            run(&mut || unsafe {
                all! {
                    hurray_file_reader_open_buffer(buffer, options, &raw mut reader);
                    hurray_file_reader_item_count(reader, &raw mut count);
                    hurray_file_reader_entry_find(reader, "halves".as_ptr().cast(), 6, &raw mut index);
                    hurray_file_reader_entry_descriptor(reader, 0, &raw mut descriptor);
                    hurray_file_reader_entry_tensor(reader, 0, &raw mut tensor);
                    hurray_file_reader_entry_tensor(reader, 2, &raw mut tree);
                };
                hurray_file_reader_item(reader, index, &raw mut item)
            });
            end_tensor(tensor);
            end_tensor(tree);
            // SAFETY: owned or NULL, and ended once.
            unsafe {
                assert_eq!(hurray_item_destroy(&raw mut item), OK);
                assert_eq!(hurray_file_reader_destroy(&raw mut reader), OK);
            }
            end_options(options);
            end_buffer(buffer);
        });
        assert!(count > 10, "{count} allocations");
    }
}

/// Puts items into a writer and takes all bytes out.
///
/// # Safety
/// All handles are live.
unsafe fn stream_out(writer: *mut HurrayStreamWriter, items: &Items, to: &mut [u8]) -> i32 {
    let mut at = 0;
    for (_, item) in items {
        // SAFETY: as this function's own.
        let status = unsafe { hurray_stream_writer_put(writer, *item) };
        if status != OK {
            return status;
        }
    }
    loop {
        let (mut slices, mut count) = ([const { HurraySlice { data: null(), len: 0 } }; 8], 8);
        // SAFETY: as above; the array has the room that is said.
        let status = unsafe { hurray_stream_writer_chunks(writer, slices.as_mut_ptr(), &raw mut count) };
        if status != OK || count == 0 {
            to[at..].fill(0xEE);
            return status;
        }
        let mut taken = 0;
        for slice in &slices[..count.min(8)] {
            // SAFETY: a piece is readable until the writer moves on.
            let bytes = unsafe { std::slice::from_raw_parts(slice.data, slice.len) };
            to[at..at + slice.len].copy_from_slice(bytes);
            at += slice.len;
            taken += slice.len;
        }
        // SAFETY: as above.
        let status = unsafe { hurray_stream_writer_advance(writer, taken) };
        if status != OK {
            return status;
        }
    }
}

/// More than the items take in either form.
const ROOM: usize = 16384;

#[test]
fn writing_and_reading_a_stream() {
    warm_up();
    for (form, id) in [(HURRAY_STREAM_BARE, 0), (HURRAY_STREAM_FRAMED, 7)] {
        let mut bytes = [0; ROOM];
        let count = each_allocation("stream writer", |run| {
            let (items, mut writer) = (items(), null_mut());
            // SAFETY: live handles; the outputs are this frame's own.
            run(&mut || unsafe {
                all! { hurray_stream_writer_new(form, id, 0, null(), &raw mut writer); };
                stream_out(writer, &items, &mut bytes.clone())
            });
            // SAFETY: owned or NULL, and ended once.
            assert_eq!(unsafe { hurray_stream_writer_destroy(&raw mut writer) }, OK);
            end_items(items);
        });
        assert!(count > 3, "{count} allocations");
        let (made, mut writer) = (items(), null_mut());
        // SAFETY: live handles; the outputs are this frame's own.
        let len = unsafe {
            assert_eq!(hurray_stream_writer_new(form, id, 0, null(), &raw mut writer), OK);
            assert_eq!(stream_out(writer, &made, &mut bytes), OK);
            assert_eq!(hurray_stream_writer_destroy(&raw mut writer), OK);
            ROOM - bytes.iter().rev().take_while(|&&byte| byte == 0xEE).count()
        };
        end_items(made);
        let count = each_allocation("stream reader", |run| {
            let mut reader = null_mut();
            // SAFETY: live handles; the bytes are as long as said; the outputs are this frame's own.
            run(&mut || unsafe {
                let status = hurray_stream_reader_new(null(), &raw mut reader);
                if status != OK {
                    return status;
                }
                take_in(reader, &bytes[..len])
            });
            // SAFETY: owned or NULL, and ended once.
            assert_eq!(unsafe { hurray_stream_reader_destroy(&raw mut reader) }, OK);
        });
        assert!(count > 5, "{count} allocations");
    }
}

/// Feeds a reader all bytes and takes all items.
///
/// # Safety
/// The reader is live.
unsafe fn take_in(reader: *mut HurrayStreamReader, mut bytes: &[u8]) -> i32 {
    let mut items = 0;
    while items < 4 {
        let (mut taken, mut item) = (0, null_mut());
        // SAFETY: as this function's own; the bytes are as long as said; items are ended once.
        unsafe {
            let status = hurray_stream_reader_feed(reader, bytes.as_ptr(), bytes.len(), &raw mut taken);
            if status < OK {
                return status;
            }
            bytes = &bytes[taken..];
            match hurray_stream_reader_next(reader, &raw mut item) {
                OK => items += 1,
                HURRAY_NEED_MORE => assert!(!bytes.is_empty(), "all items are whole"),
                status => return status,
            }
            assert_eq!(hurray_item_destroy(&raw mut item), OK);
        }
    }
    OK
}
