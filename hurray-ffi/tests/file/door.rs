//! The C functions, as the tests call them.

use hurray::abi::*;
use std::ffi::c_void;
use std::ptr::null_mut;

/// What a failing call left: status, text, system error, offset.
#[derive(Debug, Clone, PartialEq)]
pub struct Failure {
    pub status: i32,
    pub text: String,
    pub os_error: i32,
    pub offset: u64,
}

pub fn failure(status: i32) -> Failure {
    let mut text = vec![0u8; 512];
    let mut len = text.len();
    let (mut of, mut os_error, mut offset) = (0, 0, 0);
    unsafe {
        assert_eq!(hurray_last_error_message(text.as_mut_ptr().cast(), &mut len), 0);
        hurray_last_error_info(&mut of, &mut os_error, &mut offset);
    }
    text.truncate(len);
    if of != status {
        text.clear();
    }
    Failure { status, text: String::from_utf8(text).unwrap(), os_error, offset }
}

pub fn done(status: i32) -> Result<(), Failure> {
    if status == 0 { Ok(()) } else { Err(failure(status)) }
}

macro_rules! handle {
    ($name:ident, $raw:ty, $destroy:ident) => {
        pub struct $name(pub *mut $raw);

        impl Drop for $name {
            fn drop(&mut self) {
                assert_eq!(unsafe { $destroy(&mut self.0) }, 0);
            }
        }

        unsafe impl Send for $name {}
        unsafe impl Sync for $name {}
    };
}

handle!(Options, HurrayOptions, hurray_options_destroy);
handle!(Reader, HurrayFileReader, hurray_file_reader_destroy);
handle!(Writer, HurrayFileWriter, hurray_file_writer_destroy);
handle!(Tensor, HurrayTensor, hurray_tensor_destroy);
handle!(Item, HurrayItem, hurray_item_destroy);
handle!(Buffer, HurrayBuffer, hurray_buffer_destroy);
handle!(List, HurrayBufferList, hurray_buffer_list_destroy);
handle!(Descriptor, HurrayDescriptor, hurray_descriptor_destroy);

/// Calls a function whose last argument is a handle out.
macro_rules! make {
    ($kind:ident, $call:ident($($arg:expr),* $(,)?)) => {{
        let mut out = std::ptr::null_mut();
        #[allow(unused_unsafe)]
        let status = unsafe { $call($($arg,)* &mut out) };
        assert_eq!(status == 0, !out.is_null(), "a handle exactly on success");
        $crate::door::done(status).map(|()| $crate::door::$kind(out))
    }};
}
pub(crate) use make;

pub fn options(values: &[(u32, u64)]) -> Options {
    let options = make!(Options, hurray_options_new()).unwrap();
    for &(option, value) in values {
        done(unsafe { hurray_options_set_u64(options.0, option, value) }).unwrap();
    }
    options
}

/// Page-aligned memory that the library owns, with these bytes.
pub fn buffer(bytes: &[u8]) -> Buffer {
    let buffer = make!(Buffer, hurray_buffer_alloc(bytes.len() as u64, 4096)).unwrap();
    let mut data = null_mut();
    unsafe {
        assert_eq!(hurray_buffer_data_ptr(buffer.0, &mut data), 0);
        if !bytes.is_empty() {
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), data.cast(), bytes.len());
        }
    }
    buffer
}

impl Reader {
    pub fn bytes(bytes: &[u8], with: &[(u32, u64)]) -> Result<Reader, Failure> {
        let (buffer, options) = (buffer(bytes), options(with));
        make!(Reader, hurray_file_reader_open_buffer(buffer.0, options.0))
    }

    pub fn path(path: &std::path::Path, with: &[(u32, u64)]) -> Result<Reader, Failure> {
        let (path, options) = (path.to_str().unwrap(), options(with));
        make!(Reader, hurray_file_reader_open(path.as_ptr().cast(), path.len(), options.0))
    }

    pub fn count(&self) -> u64 {
        let mut count = 0;
        done(unsafe { hurray_file_reader_entry_count(self.0, &mut count) }).unwrap();
        count
    }

    pub fn find(&self, name: &str) -> Option<u64> {
        let mut index = 0;
        match unsafe { hurray_file_reader_entry_find(self.0, name.as_ptr().cast(), name.len(), &mut index) } {
            0 => Some(index),
            status => {
                assert_eq!(status, HURRAY_ERR_NOT_FOUND);
                None
            }
        }
    }

    pub fn names(&self) -> Vec<String> {
        packed(|b, l, e, c| unsafe { hurray_file_reader_entry_names(self.0, b, l, e, c) })
            .unwrap()
            .into_iter()
            .map(|name| String::from_utf8(name).unwrap())
            .collect()
    }

    pub fn tensor(&self, index: u64) -> Result<Tensor, Failure> {
        make!(Tensor, hurray_file_reader_entry_tensor(self.0, index))
    }

    pub fn descriptor(&self, index: u64) -> Result<Vec<u8>, Failure> {
        let mut descriptor = null_mut();
        done(unsafe { hurray_file_reader_entry_descriptor(self.0, index, &mut descriptor) })?;
        Ok(encoded(descriptor))
    }

    pub fn item(&self, index: u64) -> Result<Item, Failure> {
        make!(Item, hurray_file_reader_item(self.0, index))
    }

    /// The entries of the top-level items.
    pub fn items(&self) -> Result<Vec<u64>, Failure> {
        let mut count = 0;
        done(unsafe { hurray_file_reader_item_count(self.0, &mut count) })?;
        (0..count)
            .map(|i| {
                let mut index = 0;
                done(unsafe { hurray_file_reader_item_entry(self.0, i, &mut index) }).map(|()| index)
            })
            .collect()
    }

    pub fn read(&self, index: u64, buffer: u64, offset: u64, len: usize) -> Result<Vec<u8>, Failure> {
        let mut out = vec![0; len];
        done(unsafe { hurray_file_reader_entry_read(self.0, index, buffer, offset, out.as_mut_ptr(), len) })?;
        Ok(out)
    }

    pub fn range(&self, index: u64) -> (u64, u64) {
        let (mut offset, mut length) = (0, 0);
        done(unsafe { hurray_file_reader_entry_range(self.0, index, &mut offset, &mut length) }).unwrap();
        (offset, length)
    }
}

/// Pieces by the capacity idiom over two arrays.
pub fn packed(
    mut call: impl FnMut(*mut u8, *mut usize, *mut u64, *mut usize) -> i32,
) -> Result<Vec<Vec<u8>>, Failure> {
    let (mut len, mut count) = (0, 0);
    match call(null_mut(), &mut len, null_mut(), &mut count) {
        0 => assert_eq!((len, count), (0, 0)),
        status => {
            if status != HURRAY_ERR_BUFFER_TOO_SMALL {
                return Err(failure(status));
            }
        }
    }
    let (mut bytes, mut ends) = (vec![0; len], vec![0; count]);
    done(call(bytes.as_mut_ptr(), &mut len, ends.as_mut_ptr(), &mut count))?;
    let mut start = 0;
    Ok(ends
        .iter()
        .map(|&end| {
            let piece = bytes[start as usize..end as usize].to_vec();
            start = end;
            piece
        })
        .collect())
}

pub fn encoded(descriptor: *const HurrayDescriptor) -> Vec<u8> {
    let mut len = 0;
    unsafe { hurray_descriptor_encode(descriptor, null_mut(), &mut len) };
    let mut bytes = vec![0; len];
    done(unsafe { hurray_descriptor_encode(descriptor, bytes.as_mut_ptr(), &mut len) }).unwrap();
    bytes
}

/// A buffer inside a tensor.
#[derive(Clone, Copy)]
pub struct View {
    pub raw: *mut HurrayBuffer,
    pub data: *const u8,
    pub len: usize,
}

impl View {
    pub fn bytes<'a>(self) -> &'a [u8] {
        if self.len == 0 { &[] } else { unsafe { std::slice::from_raw_parts(self.data, self.len) } }
    }

    pub fn flags(self) -> u32 {
        let mut flags = 0;
        done(unsafe { hurray_buffer_flags(self.raw, &mut flags) }).unwrap();
        flags
    }
}

impl Tensor {
    pub fn descriptor(&self) -> Vec<u8> {
        let mut descriptor = null_mut();
        done(unsafe { hurray_tensor_descriptor(self.0, &mut descriptor) }).unwrap();
        encoded(descriptor)
    }

    pub fn buffers(&self) -> Vec<View> {
        let (mut list, mut count) = (null_mut(), 0);
        unsafe {
            assert_eq!(hurray_tensor_buffers(self.0, &mut list), 0);
            assert_eq!(hurray_buffer_list_len(list, &mut count), 0);
        }
        (0..count)
            .map(|index| unsafe {
                let (mut raw, mut data, mut len) = (null_mut(), null_mut(), 0);
                assert_eq!(hurray_buffer_list_get(list, index, &mut raw), 0);
                assert_eq!(hurray_buffer_data_ptr(raw, &mut data), 0);
                assert_eq!(hurray_buffer_byte_size(raw, &mut len), 0);
                View { raw, data: data.cast(), len: len as usize }
            })
            .collect()
    }

    pub fn new(descriptor: &[u8], buffers: &[&[u8]]) -> Tensor {
        let list = make!(List, hurray_buffer_list_new(buffers.len() as u64)).unwrap();
        for bytes in buffers {
            let mut one = std::mem::ManuallyDrop::new(buffer(bytes));
            done(unsafe { hurray_buffer_list_push(list.0, one.0) }).unwrap();
            one.0 = null_mut();
        }
        let tensor = make!(
            Tensor,
            hurray_tensor_new(10, descriptor.as_ptr(), descriptor.len() as u64, list.0, null_mut(), None)
        )
        .unwrap();
        std::mem::forget(list);
        tensor
    }

    pub fn item(&self) -> Item {
        make!(Item, hurray_item_from_tensor(self.0)).unwrap()
    }
}

impl Item {
    pub fn composite(head: &[u8], members: &[Item]) -> Result<Item, Failure> {
        let head = make!(Descriptor, hurray_descriptor_decode(head.as_ptr(), head.len())).unwrap();
        let members: Vec<*const HurrayItem> = members.iter().map(|member| member.0.cast_const()).collect();
        make!(Item, hurray_item_composite_new(head.0, members.as_ptr(), members.len()))
    }

    pub fn tensor(&self) -> Result<Tensor, Failure> {
        make!(Tensor, hurray_item_tensor(self.0))
    }

    /// Shares of the members.
    pub fn members(&self) -> Vec<Item> {
        let mut count = 0;
        done(unsafe { hurray_item_member_count(self.0, &mut count) }).unwrap();
        (0..count)
            .map(|index| {
                let mut member = null_mut();
                done(unsafe { hurray_item_member(self.0, index, &mut member) }).unwrap();
                make!(Item, hurray_item_share(member)).unwrap()
            })
            .collect()
    }
}

impl Writer {
    pub fn memory(with: &[(u32, u64)]) -> Writer {
        let options = options(with);
        make!(Writer, hurray_file_writer_to_memory(options.0)).unwrap()
    }

    pub fn path(path: &std::path::Path, with: &[(u32, u64)]) -> Result<Writer, Failure> {
        let (path, options) = (path.to_str().unwrap(), options(with));
        make!(Writer, hurray_file_writer_create(path.as_ptr().cast(), path.len(), options.0))
    }

    pub fn put(&self, name: &str, item: &Item) -> Result<(), Failure> {
        self.put_bytes(name.as_bytes(), item)
    }

    pub fn put_bytes(&self, name: &[u8], item: &Item) -> Result<(), Failure> {
        done(unsafe { hurray_file_writer_put(self.0, name.as_ptr().cast(), name.len(), item.0) })
    }

    pub fn set_u64(&self, key: &str, tag: u8, is_array: u8, values: &[u64]) -> Result<(), Failure> {
        let (data, len) = (values.as_ptr(), values.len());
        done(unsafe {
            hurray_file_writer_kv_set_u64(self.0, key.as_ptr().cast(), key.len(), tag, is_array, data, len)
        })
    }

    pub fn finish(&self) -> Result<(), Failure> {
        done(unsafe { hurray_file_writer_finish(self.0) })
    }

    /// The bytes of a finished file in memory.
    pub fn take(&self) -> Vec<u8> {
        let buffer = make!(Buffer, hurray_file_writer_take_buffer(self.0)).unwrap();
        let (mut data, mut len) = (null_mut(), 0);
        unsafe {
            assert_eq!(hurray_buffer_data_ptr(buffer.0, &mut data), 0);
            assert_eq!(hurray_buffer_byte_size(buffer.0, &mut len), 0);
            std::slice::from_raw_parts(data.cast::<u8>(), len as usize).to_vec()
        }
    }
}

/// A context pointer.
pub fn context<T>(value: &T) -> *mut c_void {
    (&raw const *value).cast_mut().cast()
}
