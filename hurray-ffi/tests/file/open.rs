//! Opening: by path, descriptor, bytes, ranged reads; mapped or copied.

use crate::compose::*;
use crate::door::*;
use crate::save::folder;
use hurray::abi::*;
use std::ffi::c_void;
use std::sync::Mutex;

/// A file behind ranged reads, and what was asked of it.
struct Remote {
    bytes: Vec<u8>,
    asked: Mutex<Vec<(u64, u64)>>,
    released: std::sync::atomic::AtomicU32,
}

unsafe extern "C" fn read_at(context: *mut c_void, offset: u64, out: *mut u8, len: u64) -> i64 {
    let remote = unsafe { &*context.cast::<Remote>() };
    remote.asked.lock().unwrap().push((offset, len));
    let rest = &remote.bytes[(offset as usize).min(remote.bytes.len())..];
    let n = rest.len().min(len as usize);
    unsafe { std::ptr::copy_nonoverlapping(rest.as_ptr(), out, n) };
    n as i64
}

unsafe extern "C" fn release(context: *mut c_void) {
    let remote = unsafe { &*context.cast::<Remote>() };
    remote.released.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
}

fn remote(bytes: Vec<u8>) -> Remote {
    Remote { bytes, asked: Mutex::default(), released: Default::default() }
}

fn open(remote: &Remote) -> Result<Reader, Failure> {
    let size = remote.bytes.len() as u64;
    let read_at: HurrayReadAtFn = Some(read_at);
    make!(
        Reader,
        hurray_file_reader_open_callback(read_at, context(remote), Some(release), size, std::ptr::null())
    )
}

#[test]
fn only_what_is_asked_for_is_read_and_adjacent_reads_are_merged() {
    let big = vec![7u8; 300_000];
    let u8s = |n: usize| descriptor(0x11, 1, &[n as u64], &[], &[n]);
    let parts = [example("x"), tensor("big", u8s(big.len()), &[&big]), example("z")];
    let file = file(&parts, Some(&kv(&[&pair("k", 5, &[1])])));
    let remote = remote(file.bytes.clone());
    let reader = open(&remote).unwrap();
    let size = file.bytes.len() as u64;
    let sections = (file.kv as u64, (file.trailer - file.kv) as u64);
    assert_eq!(*remote.asked.lock().unwrap(), [(0, 64), (size - 40, 40), sections]);
    remote.asked.lock().unwrap().clear();
    // A small tensor is one read; a large one is its front, then the rest straight into its memory.
    let x = reader.tensor(0).unwrap();
    assert_eq!(x.buffers()[0].bytes(), f32s(&[1., 2., 3., 4., 5., 6.]));
    let (descriptor, data) = file.tensors[0];
    assert_eq!(
        remote.asked.lock().unwrap().split_off(0),
        [(descriptor as u64, (data + 24 - descriptor) as u64)]
    );
    assert_eq!(reader.tensor(1).unwrap().buffers()[0].bytes(), big);
    let asked = remote.asked.lock().unwrap().split_off(0);
    assert_eq!(asked.len(), 2);
    assert_eq!(asked[0].0 + asked[0].1, asked[1].0);
    assert_eq!(asked[1].0 + asked[1].1, (file.tensors[1].1 + big.len()) as u64);
    drop(reader);
    assert_eq!(remote.released.load(std::sync::atomic::Ordering::SeqCst), 1);
    assert_eq!(x.buffers()[0].len, 24);
}

unsafe extern "C" fn fails(_: *mut c_void, _: u64, _: *mut u8, _: u64) -> i64 {
    -5
}

#[test]
fn a_failing_callback_is_an_error_of_the_system_and_keeps_its_context() {
    let remote = remote(file(&[example("x")], None).bytes);
    let size = remote.bytes.len() as u64;
    let failing: HurrayReadAtFn = Some(fails);
    let failure = make!(
        Reader,
        hurray_file_reader_open_callback(failing, context(&remote), Some(release), size, std::ptr::null())
    )
    .err()
    .unwrap();
    assert_eq!((failure.status, failure.os_error), (HURRAY_ERR_IO, 5));
    assert_eq!(remote.released.load(std::sync::atomic::Ordering::SeqCst), 0);
}

#[test]
fn every_way_in_gives_the_same_tensor() {
    use std::os::fd::AsRawFd;
    let path = folder("ways").join("a.hrry");
    let composed = file(&[example("x")], None);
    std::fs::write(&path, &composed.bytes).unwrap();
    let opened = std::fs::File::open(&path).unwrap();
    let fd = i64::from(opened.as_raw_fd());
    let by_fd = |map| {
        let options = options(&[(HURRAY_OPTION_MAP, map)]);
        make!(Reader, hurray_file_reader_open_fd(fd, options.0)).unwrap()
    };
    for map in [0, 1, 2] {
        let readers = [
            Reader::path(&path, &[(HURRAY_OPTION_MAP, map)]).unwrap(),
            by_fd(map),
            Reader::bytes(&composed.bytes, &[(HURRAY_OPTION_MAP, map)]).unwrap(),
        ];
        for (way, reader) in readers.iter().enumerate() {
            let tensor = reader.tensor(0).unwrap();
            let view = tensor.buffers()[0];
            assert_eq!(view.bytes(), f32s(&[1., 2., 3., 4., 5., 6.]));
            let copied = map == 2 || (map == 1 && way == 2);
            let expected = match (map, copied) {
                (0, _) => HURRAY_BUFFER_READ_ONLY,
                (_, true) => HURRAY_BUFFER_COPIED_ON_REQUEST,
                (_, false) => 0,
            };
            assert_eq!(view.flags(), expected, "map {map}, way {way}");
            if map != 0 {
                // Writable, and no write reaches the file.
                unsafe { view.data.cast_mut().write(0x55) };
            }
            assert_eq!(reader.read(0, 0, 4, 8).unwrap(), f32s(&[2., 3.]));
            assert_eq!(reader.read(0, 0, 20, 5).unwrap_err().status, HURRAY_ERR_INDEX_OUT_OF_BOUNDS);
            assert_eq!(reader.read(0, 1, 0, 1).unwrap_err().status, HURRAY_ERR_INDEX_OUT_OF_BOUNDS);
        }
    }
    assert_eq!(std::fs::read(&path).unwrap(), composed.bytes);
}

#[test]
fn what_is_not_there_says_so() {
    let path = folder("absent").join("a.hrry");
    let failure = Reader::path(&path, &[]).err().unwrap();
    assert_eq!((failure.status, failure.os_error), (HURRAY_ERR_IO, 2));
    let failure = Reader::path(path.parent().unwrap(), &[]).err().unwrap();
    assert_eq!((failure.status, failure.os_error), (HURRAY_ERR_IO, 21));
    let bad = make!(Reader, hurray_file_reader_open(c"".as_ptr(), 0, std::ptr::null())).err().unwrap();
    assert_eq!(bad.status, HURRAY_ERR_INVALID_ARGUMENT);
    let nul = make!(Reader, hurray_file_reader_open(c"a".as_ptr(), 2, std::ptr::null())).err().unwrap();
    assert_eq!(nul.status, HURRAY_ERR_INVALID_ARGUMENT);
    let bad = make!(Reader, hurray_file_reader_open_fd(-1, std::ptr::null())).err().unwrap();
    assert_eq!(bad.status, HURRAY_ERR_INVALID_ARGUMENT);
    let bad = make!(Reader, hurray_file_reader_open_fd(1 << 20, std::ptr::null())).err().unwrap();
    assert_eq!((bad.status, bad.os_error), (HURRAY_ERR_IO, 9));
}

#[test]
fn pipes_and_sockets_are_no_files() {
    use std::os::fd::AsRawFd;
    let pipe = std::io::pipe().unwrap();
    let sockets = std::os::unix::net::UnixStream::pair().unwrap();
    for fd in [pipe.0.as_raw_fd(), sockets.0.as_raw_fd()] {
        let failure =
            make!(Reader, hurray_file_reader_open_fd(i64::from(fd), std::ptr::null())).err().unwrap();
        assert_eq!((failure.status, failure.os_error), (HURRAY_ERR_IO, libc::ESPIPE), "{failure:?}");
        assert!(failure.text.contains("stream"), "{failure:?}");
    }
    // Opening one by its path does not wait for a writer.
    let path = folder("fifo").join("a.hrry");
    let name = std::ffi::CString::new(path.to_str().unwrap()).unwrap();
    assert_eq!(unsafe { libc::mkfifo(name.as_ptr(), 0o600) }, 0);
    let failure = Reader::path(&path, &[]).err().unwrap();
    assert_eq!((failure.status, failure.os_error), (HURRAY_ERR_IO, libc::ESPIPE));
}

#[test]
fn b46_b115_a_file_that_is_cut_gives_an_error_when_it_is_copied() {
    let path = folder("cut").join("a.hrry");
    let composed = file(&[example("x"), example("y")], None);
    std::fs::write(&path, &composed.bytes).unwrap();
    let reader = Reader::path(&path, &[(HURRAY_OPTION_MAP, 2)]).unwrap();
    let mapped = Reader::path(&path, &[]).unwrap();
    std::fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(100).unwrap();
    assert_eq!(reader.tensor(0).err().unwrap().status, HURRAY_ERR_TRUNCATED);
    // Structure is never walked in the mapping, so that this is an error too.
    assert_eq!(mapped.tensor(1).err().unwrap().status, HURRAY_ERR_TRUNCATED);
    assert_eq!(mapped.read(0, 0, 0, 4).unwrap_err().status, HURRAY_ERR_TRUNCATED);
}

#[test]
fn an_alignment_beyond_the_mapping_is_copied_or_refused() {
    let mut d = descriptor(3, 1, &[2, 3], &[], &[24]);
    let at = d.len() - 8;
    d[at..at + 4].copy_from_slice(&(2u32 << 20).to_le_bytes());
    let composed = file(&[tensor("x", d, &[&f32s(&[1., 2., 3., 4., 5., 6.])])], None);
    let reader = Reader::bytes(&composed.bytes, &[]).unwrap();
    let tensor = reader.tensor(0).unwrap();
    let view = tensor.buffers()[0];
    if view.flags() & HURRAY_BUFFER_COPIED_ALIGNMENT != 0 {
        assert_eq!(view.data as usize % (2 << 20), 0);
        let never = Reader::bytes(&composed.bytes, &[(HURRAY_OPTION_COPY, 1)]).unwrap();
        let refused = never.tensor(0).err();
        assert!(refused.is_none_or(|failure| failure.status == HURRAY_ERR_COPY_REQUIRED));
        let small = Reader::bytes(&composed.bytes, &[(HURRAY_OPTION_MAX_ALIGNMENT, 1 << 20)]).unwrap();
        let refused = small.tensor(0).err();
        assert!(refused.is_none_or(|failure| failure.status == HURRAY_ERR_LIMIT_EXCEEDED));
    }
    assert_eq!(view.bytes()[..4], f32s(&[1.]));
}

#[test]
fn the_limit_of_alignments_binds_ranged_reads_too() {
    let mut d = descriptor(3, 1, &[4], &[], &[16]);
    let at = d.len() - 8;
    d[at..at + 4].copy_from_slice(&4096u32.to_le_bytes());
    let remote = remote(file(&[tensor("x", d, &[&[1; 16]])], None).bytes);
    let (read_at, size): (HurrayReadAtFn, _) = (Some(read_at), remote.bytes.len() as u64);
    let read = |most| {
        let options = options(&[(HURRAY_OPTION_MAX_ALIGNMENT, most)]);
        let reader =
            make!(Reader, hurray_file_reader_open_callback(read_at, context(&remote), None, size, options.0));
        reader.unwrap().tensor(0).map(|tensor| tensor.buffers()[0].bytes().to_vec())
    };
    assert_eq!(read(2048).unwrap_err().status, HURRAY_ERR_LIMIT_EXCEEDED);
    assert_eq!(read(4096).unwrap(), [1; 16]);
}
