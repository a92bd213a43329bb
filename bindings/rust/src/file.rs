//! Files open for reading.

use std::ffi::c_void;
use std::io;
use std::path::Path;

use crate::buffer::BufferRef;
use crate::descriptor::DescriptorRef;
use crate::error::{Error, Result, Status, check};
use crate::handle::handle;
use crate::item::Item;
use crate::kv::Value;
use crate::options::Options;
use crate::read;
use crate::tensor::Tensor;
use crate::{library, sys};

handle! {
    /// A file that is open for reading. What is taken from it outlives it.
    FileReader, HurrayFileReader, hurray_file_reader_destroy
}

/// How a mapped file is going to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Advice {
    /// In no special way.
    Normal = sys::HURRAY_ADVICE_NORMAL,
    /// From front to back.
    Sequential = sys::HURRAY_ADVICE_SEQUENTIAL,
    /// Here and there.
    Random = sys::HURRAY_ADVICE_RANDOM,
    /// Soon.
    WillNeed = sys::HURRAY_ADVICE_WILL_NEED,
    /// Now, before the call returns.
    Populate = sys::HURRAY_ADVICE_POPULATE,
}

/// A file behind ranged reads: an object store, an archive.
pub trait ReadAt: Send + Sync + 'static {
    /// Reads from a position into `out`, and says how many bytes came; fewer than asked for only at the end.
    fn read_at(&self, offset: u64, out: &mut [u8]) -> io::Result<usize>;
}

/// The error number that a callback's failure travels as.
pub(crate) fn error_number(error: &io::Error) -> i32 {
    error.raw_os_error().filter(|&number| number > 0).unwrap_or(libc::EIO)
}

unsafe extern "C" fn read_at<R: ReadAt>(context: *mut c_void, offset: u64, out: *mut u8, len: u64) -> i64 {
    // SAFETY: the context is the box that the call was given; `out` has `len` writable bytes, zeroed or written before.
    let (reader, out) = unsafe { (&*context.cast::<R>(), std::slice::from_raw_parts_mut(out, len as usize)) };
    let call = std::panic::AssertUnwindSafe(|| reader.read_at(offset, out));
    match std::panic::catch_unwind(call) {
        Ok(Ok(read)) => read as i64,
        Ok(Err(error)) => -i64::from(error_number(&error)),
        Err(panic) => {
            std::mem::forget(panic);
            -i64::from(libc::EIO)
        }
    }
}

/// Drops a boxed context.
pub(crate) unsafe extern "C" fn drop_box<T>(context: *mut c_void) {
    // SAFETY: the context came from a box of this type, and is released once.
    let panic = std::panic::catch_unwind(|| drop(unsafe { Box::from_raw(context.cast::<T>()) }));
    std::mem::forget(panic);
}

pub(crate) fn raw(options: Option<&Options>) -> *const sys::HurrayOptions {
    options.map_or(std::ptr::null(), |options| options.as_raw().cast_const())
}

impl FileReader {
    /// Opens a file by its path, mapped unless the options say otherwise. See `hurray_file_reader_open` for what a file
    /// that others change may do.
    pub fn open(path: impl AsRef<Path>, options: Option<&Options>) -> Result<Self> {
        library::ready()?;
        let path = path.as_ref().as_os_str().as_encoded_bytes();
        let mut out = std::ptr::null_mut();
        // SAFETY: the path is readable for its length, and the out-parameter is a local.
        check(unsafe {
            sys::hurray_file_reader_open(path.as_ptr().cast(), path.len(), raw(options), &mut out)
        })?;
        Self::made(out)
    }

    /// Opens a file by a descriptor of the system, which is duplicated.
    pub fn open_fd(fd: i64, options: Option<&Options>) -> Result<Self> {
        library::ready()?;
        let mut out = std::ptr::null_mut();
        // SAFETY: the out-parameter is a local.
        check(unsafe { sys::hurray_file_reader_open_fd(fd, raw(options), &mut out) })?;
        Self::made(out)
    }

    /// Opens a file whose bytes are in memory; the reader keeps a share of the buffer.
    pub fn open_buffer(buffer: &BufferRef, options: Option<&Options>) -> Result<Self> {
        let mut out = std::ptr::null_mut();
        // SAFETY: the handles are live, and the out-parameter is a local.
        check(unsafe { sys::hurray_file_reader_open_buffer(buffer.as_raw(), raw(options), &mut out) })?;
        Self::made(out)
    }

    /// Opens a file of `size` bytes behind ranged reads.
    pub fn open_callback<R: ReadAt>(reader: R, size: u64, options: Option<&Options>) -> Result<Self> {
        library::ready()?;
        let context = Box::into_raw(Box::new(reader));
        let mut out = std::ptr::null_mut();
        // SAFETY: the context belongs to both functions, and the out-parameter is a local.
        let status = unsafe {
            let (call, release) = (Some(read_at::<R> as _), Some(drop_box::<R> as _));
            sys::hurray_file_reader_open_callback(call, context.cast(), release, size, raw(options), &mut out)
        };
        check(status).inspect_err(|_| {
            // SAFETY: a failed call has kept nothing.
            drop(unsafe { Box::from_raw(context) });
        })?;
        Self::made(out)
    }

    /// The number of entries: tensors and heads, members included.
    pub fn entry_count(&self) -> Result<u64> {
        let mut count = 0;
        // SAFETY: the handle is live, and the out-parameter is a local.
        check(unsafe { sys::hurray_file_reader_entry_count(self.as_raw(), &mut count) })?;
        Ok(count)
    }

    /// The entry of a name.
    pub fn find(&self, name: &str) -> Result<Option<u64>> {
        let mut index = 0;
        // SAFETY: the handle is live, the name readable for its length, and the out-parameter is a local.
        found(
            unsafe {
                let (data, len) = (name.as_ptr().cast(), name.len());
                sys::hurray_file_reader_entry_find(self.as_raw(), data, len, &mut index)
            },
            index,
        )
    }

    /// All names, in the order of the index.
    pub fn names(&self) -> Result<Vec<String>> {
        // SAFETY: the handle is live, and the arrays have the room that goes with them.
        let names = packed(|bytes, len, ends, count| unsafe {
            sys::hurray_file_reader_entry_names(self.as_raw(), bytes, len, ends, count)
        })?;
        Ok(names.into_iter().map(text).collect())
    }

    /// The descriptor of an entry, which lives as long as the reader.
    pub fn descriptor(&self, index: u64) -> Result<&DescriptorRef> {
        let mut out = std::ptr::null_mut();
        // SAFETY: the handle is live, and the out-parameter is a local.
        check(unsafe { sys::hurray_file_reader_entry_descriptor(self.as_raw(), index, &mut out) })?;
        // SAFETY: a successful call wrote a handle that lives as long as the reader's.
        Ok(unsafe { DescriptorRef::from_raw(out) })
    }

    /// The tensor of an entry, a view of the mapping where that is possible.
    pub fn tensor(&self, index: u64) -> Result<Tensor> {
        let mut out = std::ptr::null_mut();
        // SAFETY: the handle is live, and the out-parameter is a local.
        check(unsafe { sys::hurray_file_reader_entry_tensor(self.as_raw(), index, &mut out) })?;
        Tensor::made(out)
    }

    /// Offset and length of an entry's data in the file, in bytes.
    pub fn range(&self, index: u64) -> Result<(u64, u64)> {
        let (mut offset, mut length) = (0, 0);
        // SAFETY: the handle is live, and the out-parameters are locals.
        check(unsafe {
            sys::hurray_file_reader_entry_range(self.as_raw(), index, &mut offset, &mut length)
        })?;
        Ok((offset, length))
    }

    /// Reads part of a buffer of an entry.
    pub fn read(&self, index: u64, buffer: u64, offset: u64, out: &mut [u8]) -> Result<()> {
        // SAFETY: the handle is live, and `out` is writable for its length.
        check(unsafe {
            let (data, len) = (out.as_mut_ptr(), out.len());
            sys::hurray_file_reader_entry_read(self.as_raw(), index, buffer, offset, data, len)
        })
    }

    /// The entries of the top-level items, in the order in which they lie in the file.
    pub fn items(&self) -> Result<Vec<u64>> {
        let mut count = 0;
        // SAFETY: the handle is live, and the out-parameter is a local.
        check(unsafe { sys::hurray_file_reader_item_count(self.as_raw(), &mut count) })?;
        let mut items = Vec::new();
        read::reserve(&mut items, count as usize)?;
        for i in 0..count {
            let mut index = 0;
            // SAFETY: as above.
            check(unsafe { sys::hurray_file_reader_item_entry(self.as_raw(), i, &mut index) })?;
            items.push(index);
        }
        Ok(items)
    }

    /// The item of an entry: its tensor, or the composite that it heads.
    pub fn item(&self, index: u64) -> Result<Item> {
        let mut out = std::ptr::null_mut();
        // SAFETY: the handle is live, and the out-parameter is a local.
        check(unsafe { sys::hurray_file_reader_item(self.as_raw(), index, &mut out) })?;
        Item::made(out)
    }

    /// Says how the data of an entry, or of all, is going to be read.
    pub fn advise(&self, index: Option<u64>, advice: Advice) -> Result<()> {
        let index = index.unwrap_or(u64::MAX);
        // SAFETY: the handle is live.
        check(unsafe { sys::hurray_file_reader_advise(self.as_raw(), index, advice as u32) })
    }

    /// The number of keys.
    pub fn kv_count(&self) -> Result<u64> {
        let mut count = 0;
        // SAFETY: the handle is live, and the out-parameter is a local.
        check(unsafe { sys::hurray_file_reader_kv_count(self.as_raw(), &mut count) })?;
        Ok(count)
    }

    /// The position of a key.
    pub fn kv_find(&self, key: &str) -> Result<Option<u64>> {
        let mut i = 0;
        // SAFETY: the handle is live, the key readable for its length, and the out-parameter is a local.
        found(
            unsafe {
                let (data, len) = (key.as_ptr().cast(), key.len());
                sys::hurray_file_reader_kv_find(self.as_raw(), data, len, &mut i)
            },
            i,
        )
    }

    /// The key of the `i`-th pair.
    pub fn kv_key(&self, i: u64) -> Result<String> {
        // SAFETY: the handle is live, and the array has the room that goes with it.
        read::text(|out, len| unsafe { sys::hurray_file_reader_kv_key(self.as_raw(), i, out, len) })
    }

    /// The value of the `i`-th pair.
    pub fn kv_value(&self, i: u64) -> Result<Value> {
        Value::read(self, i)
    }
}

/// An answer that may be "there is none".
fn found(status: sys::HurrayStatus, index: u64) -> Result<Option<u64>> {
    if status == sys::HURRAY_ERR_NOT_FOUND {
        return Ok(None);
    }
    check(status).map(|()| Some(index))
}

/// Pieces of bytes by the capacity idiom over two arrays.
pub(crate) fn packed(
    mut call: impl FnMut(*mut u8, *mut usize, *mut u64, *mut usize) -> sys::HurrayStatus,
) -> Result<Vec<Vec<u8>>> {
    let (mut bytes, mut ends) = (Vec::<u8>::new(), Vec::<u64>::new());
    let (mut len, mut count) = (0, 0);
    let status = call(std::ptr::null_mut(), &mut len, std::ptr::null_mut(), &mut count);
    if status != sys::HURRAY_ERR_BUFFER_TOO_SMALL {
        check(status)?;
    }
    read::reserve(&mut bytes, len)?;
    read::reserve(&mut ends, count)?;
    bytes.resize(len, 0);
    ends.resize(count, 0);
    check(call(bytes.as_mut_ptr(), &mut len, ends.as_mut_ptr(), &mut count))?;
    let mut pieces = Vec::new();
    read::reserve(&mut pieces, count)?;
    let mut start = 0;
    for end in ends {
        let piece = bytes.get(start..end as usize);
        let piece = piece.ok_or_else(|| Error::new(Status::INTERNAL, "ends that do not ascend"))?;
        pieces.push(piece.to_vec());
        start = end as usize;
    }
    Ok(pieces)
}

/// What the library has checked to be UTF-8.
pub(crate) fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|bytes| String::from_utf8_lossy(bytes.as_bytes()).into_owned())
}
