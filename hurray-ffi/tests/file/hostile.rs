//! Bytes that were cut, flipped or made up: an error, never a panic, and little memory.

use crate::compose::*;
use crate::door::*;
use hurray::abi::*;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// Counts what each thread allocates.
struct Counting;

thread_local! {
    static NOW: Cell<usize> = const { Cell::new(0) };
    static MOST: Cell<usize> = const { Cell::new(0) };
}

fn count(change: isize) {
    let now = NOW.get().wrapping_add_signed(change);
    NOW.set(now);
    if now < usize::MAX / 2 && now > MOST.get() {
        MOST.set(now);
    }
}

unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size as isize - layout.size() as isize);
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Bytes that a call took at most beyond what was there.
pub fn most_memory(call: impl FnOnce()) -> usize {
    let before = NOW.get();
    MOST.set(before);
    call();
    MOST.get() - before
}

/// Reads everything there is in a file, whatever it is.
fn walk(reader: &Reader) {
    for name in reader.names() {
        assert!(reader.find(&name).is_some());
    }
    for index in 0..reader.count() {
        if let Ok(tensor) = reader.tensor(index) {
            // Every byte is touched.
            let sum: u64 = tensor.buffers().iter().flat_map(|b| b.bytes()).map(|&b| u64::from(b)).sum();
            std::hint::black_box(sum);
        }
        let _ = reader.descriptor(index);
    }
    for item in reader.items().unwrap() {
        let _ = reader.item(item);
    }
}

fn sample() -> File {
    let pairs = [
        pair("s", 1, &[1, 0, 0, 0, b'a']),
        pair("a", 7, &[2, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]),
        pair("t", 5, &[1]),
    ];
    let pairs: Vec<&[u8]> = pairs.iter().map(Vec::as_slice).collect();
    let parts = [
        tensor("h", head(1, 3, &[4], 2), &[]),
        tensor("h.0", shard(&[3], &[4], &[0], 12), &[&[1; 12]]),
        tensor("h.1", shard(&[1], &[4], &[3], 4), &[&[2; 4]]),
        example("x"),
    ];
    file(&parts, Some(&kv(&pairs)))
}

#[test]
fn b44_every_cut_is_refused_by_name() {
    let whole = sample().bytes;
    for size in 0..whole.len() {
        let failure = Reader::bytes(&whole[..size], &[]).err().unwrap_or_else(|| panic!("cut at {size}"));
        // A cut behind a descriptor's magic leaves what looks like the end of a trailer.
        if whole[..size].ends_with(b"HRRY") && size >= 104 {
            assert_eq!(failure.status, HURRAY_ERR_CORRUPT, "{failure:?}");
            continue;
        }
        let expected = if size < 104 { HURRAY_ERR_TRUNCATED } else { HURRAY_ERR_INVALID_MAGIC };
        assert_eq!(failure.status, expected, "{failure:?}");
        assert!(failure.text.contains(&format!("size = {size}")), "{failure:?}");
    }
}

#[test]
fn every_flipped_bit_reads_or_is_refused() {
    let whole = sample();
    verify_all(&whole.bytes, |at| at < 64 || whole.bytes[at] != 0 || at >= whole.kv);
    for (start, _) in &whole.tensors {
        verify_all(&whole.bytes, |at| (*start..start + 120).contains(&at));
    }
}

/// Nothing is left out: between the parts each flip is found by `VERIFY`, elsewhere it reads or is refused.
#[test]
fn every_bit_of_a_small_file() {
    let whole = file(&[example("x")], Some(&kv(&[&pair("s", 1, &[1, 0, 0, 0, b'a'])])));
    let (start, data) = whole.tensors[0];
    let (padding, values) = (start + 61..data, data..data + 24);
    for at in 0..whole.bytes.len() {
        for bit in 0..8 {
            let mut flipped = whole.bytes.clone();
            flipped[at] ^= 1 << bit;
            let opened = Reader::bytes(&flipped, &[(HURRAY_OPTION_VERIFY, 1)]);
            if let Ok(reader) = &opened {
                walk(reader);
            }
            if padding.contains(&at) {
                let failure = opened.err().unwrap_or_else(|| panic!("bit {bit} of {at} was not seen"));
                assert!(failure.text.starts_with("F-049: "), "{failure:?}");
                assert!(failure.text.ends_with(&format!("at byte {at}")), "{failure:?}");
            } else if values.contains(&at) {
                // No checksum covers the data.
                opened.unwrap();
            }
        }
    }
}

fn verify_all(bytes: &[u8], which: impl Fn(usize) -> bool) {
    for at in (0..bytes.len()).filter(|&at| which(at)) {
        for bit in 0..8 {
            let mut flipped = bytes.to_vec();
            flipped[at] ^= 1 << bit;
            for permissive in [0, 1] {
                if let Ok(reader) = Reader::bytes(&flipped, &[(HURRAY_OPTION_PERMISSIVE, permissive)]) {
                    walk(&reader);
                }
            }
        }
    }
}

#[test]
fn b64_huge_counts_take_no_memory() {
    let one = file(&[example("x")], None);
    let in_index = |at: usize, value: &[u8]| one.clone().set(one.index + at, value).sealed();
    let kv_of = |bytes: &[u8]| file(&[example("x")], Some(bytes));
    let files = [
        in_index(0, &(1u64 << 60).to_le_bytes()),
        in_index(0, &(1u64 << 32).to_le_bytes()),
        in_index(0, &u64::MAX.to_le_bytes()),
        in_index(8, &u16::MAX.to_le_bytes()),
        one.clone().set_trailer(8, (1u64 << 62).to_le_bytes()),
        one.clone().set_trailer(0, (1u64 << 62).to_le_bytes()),
        one.clone().set_entry(0, field::DESCRIPTOR_LENGTH, u32::MAX.to_le_bytes()),
        one.clone().set_entry(0, field::DATA_LENGTH, (1u64 << 62).to_le_bytes()),
        one.clone().set_entry(0, field::DATA_OFFSET, (u64::MAX - 4095).to_le_bytes()),
        // The buffer of the descriptor itself.
        one.clone().set(109, (1u64 << 62).to_le_bytes()),
        one.clone().set(84, (1u64 << 62).to_le_bytes()),
        one.clone().set(80, u32::MAX.to_le_bytes()),
        kv_of(&u32::MAX.to_le_bytes()),
        kv_of(&kv(&[&pair("k", 1, &u32::MAX.to_le_bytes())])),
        kv_of(&kv(&[&pair("k", 7, &[1, 255, 255, 255, 255])])),
        kv_of(&kv(&[&pair("k", 7, &[7, 255, 255, 255, 255])])),
    ];
    for (k, file) in files.iter().enumerate() {
        for map in [0, 2] {
            let most = most_memory(|| {
                if let Ok(reader) = Reader::bytes(&file.bytes, &[(HURRAY_OPTION_MAP, map)]) {
                    assert!(reader.tensor(0).is_err(), "file {k}");
                }
            });
            assert!(most < 1 << 20, "file {k} took {most} bytes");
        }
    }
}

#[test]
fn a_head_of_very_many_members_takes_no_memory() {
    let parts = [tensor("h", head(3, 3, &[1], u32::MAX - 1), &[]), example("x")];
    let composed = file(&parts, None);
    let most = most_memory(|| {
        let reader = Reader::bytes(&composed.bytes, &[]).unwrap();
        assert_eq!(reader.item(0).err().unwrap().status, HURRAY_ERR_LIMIT_EXCEEDED);
        let many = [(HURRAY_OPTION_MAX_MEMBERS, u64::from(u32::MAX))];
        let reader = Reader::bytes(&composed.bytes, &many).unwrap();
        assert_eq!(reader.item(0).err().unwrap().status, HURRAY_ERR_TORN);
        // The head takes everything behind it, and its parts are readable alone.
        assert_eq!(reader.items().unwrap(), [0]);
        reader.tensor(1).unwrap();
    });
    assert!(most < 1 << 20, "{most} bytes");
}

#[test]
fn b68_a_type_of_the_future_spoils_one_tensor() {
    let mut parts: Vec<Part> = ["a", "b", "c"].map(example).into();
    parts[1].descriptor[14] = 0x30;
    let bytes = file(&parts, None).bytes;
    let reader = Reader::bytes(&bytes, &[]).unwrap();
    assert_eq!(reader.names(), ["a", "b", "c"]);
    assert_eq!(reader.range(1).1, 24);
    assert_eq!(reader.tensor(1).err().unwrap().status, HURRAY_ERR_INVALID_TYPE);
    reader.tensor(0).unwrap();
    reader.tensor(2).unwrap();
    assert_eq!(reader.items().unwrap().len(), 3);
    let permissive = Reader::bytes(&bytes, &[(HURRAY_OPTION_PERMISSIVE, 1)]).unwrap();
    assert_eq!(permissive.tensor(1).unwrap().buffers()[0].bytes(), parts[1].buffers[0]);
}

#[test]
fn a_layout_that_is_not_understood_is_a_range_of_bytes() {
    let mut part = example("x");
    part.descriptor[15] = 0x30;
    let bytes = file(&[part.clone()], None).bytes;
    let strict = Reader::bytes(&bytes, &[]).unwrap();
    assert_eq!(strict.tensor(0).err().unwrap().status, HURRAY_ERR_INVALID_LAYOUT);
    let reader = Reader::bytes(&bytes, &[(HURRAY_OPTION_PERMISSIVE, 1)]).unwrap();
    assert_eq!(reader.tensor(0).err().unwrap().status, HURRAY_ERR_UNSUPPORTED);
    assert_eq!(reader.descriptor(0).unwrap(), part.descriptor);
    assert_eq!(reader.read(0, 0, 0, 24).unwrap(), part.buffers[0]);
    assert_eq!(reader.read(0, 0, 1, 24).unwrap_err().status, HURRAY_ERR_INDEX_OUT_OF_BOUNDS);
}

#[test]
fn b53_b55_empty_files_and_empty_sections() {
    for kv in [None, Some(&kv(&[])[..]), Some(&kv(&[&pair("k", 1, &[0; 4])])[..])] {
        let composed = file(&[], kv);
        let reader = Reader::bytes(&composed.bytes, &[(HURRAY_OPTION_VERIFY, 1)]).unwrap();
        assert_eq!((reader.count(), reader.items().unwrap().len()), (0, 0));
        assert!(reader.names().is_empty());
        let writer = Writer::memory(&[(HURRAY_OPTION_KV_MODE, u64::from(kv.is_some()))]);
        if kv.is_some_and(|kv| kv.len() > 4) {
            let (data, ends) = (b"", [0u64]);
            done(unsafe {
                hurray_file_writer_kv_set_packed(
                    writer.0,
                    c"k".as_ptr(),
                    1,
                    HURRAY_KV_STRING,
                    0,
                    data.as_ptr(),
                    0,
                    ends.as_ptr(),
                    1,
                )
            })
            .unwrap();
        }
        writer.finish().unwrap();
        assert_eq!(writer.take(), composed.bytes);
    }
}
