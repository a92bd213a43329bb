//! Files being written.

use std::ffi::c_void;
use std::io;
use std::path::Path;

use crate::buffer::Buffer;
use crate::error::{Result, check};
use crate::file::{drop_box, error_number, raw};
use crate::handle::handle;
use crate::item::ItemRef;
use crate::kv::Value;
use crate::options::Options;
use crate::{library, sys};

handle! {
    /// A file being written. Dropped before it is finished, it leaves nothing behind.
    FileWriter, HurrayFileWriter, hurray_file_writer_destroy
}

unsafe extern "C" fn write<W: io::Write>(context: *mut c_void, bytes: *const u8, len: u64) -> i32 {
    // SAFETY: the context is the box that the call was given, used by one thread at a time; the bytes are readable.
    let (writer, bytes) =
        unsafe { (&mut *context.cast::<W>(), std::slice::from_raw_parts(bytes, len as usize)) };
    match std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| writer.write_all(bytes))) {
        Ok(Ok(())) => 0,
        Ok(Err(error)) => error_number(&error),
        Err(panic) => {
            std::mem::forget(panic);
            libc::EIO
        }
    }
}

impl FileWriter {
    /// Starts a file that takes its name when it is finished.
    pub fn create(path: impl AsRef<Path>, options: Option<&Options>) -> Result<Self> {
        library::ready()?;
        let path = path.as_ref().as_os_str().as_encoded_bytes();
        let mut out = std::ptr::null_mut();
        // SAFETY: the path is readable for its length, and the out-parameter is a local.
        check(unsafe {
            sys::hurray_file_writer_create(path.as_ptr().cast(), path.len(), raw(options), &mut out)
        })?;
        Self::made(out)
    }

    /// Starts a file whose bytes go to a writer of one's own, front to back.
    pub fn to_writer<W: io::Write + Send + 'static>(writer: W, options: Option<&Options>) -> Result<Self> {
        library::ready()?;
        let context = Box::into_raw(Box::new(writer));
        let mut out = std::ptr::null_mut();
        // SAFETY: the context belongs to both functions, and the out-parameter is a local.
        let status = unsafe {
            let (call, release) = (Some(write::<W> as _), Some(drop_box::<W> as _));
            sys::hurray_file_writer_to_callback(call, context.cast(), release, raw(options), &mut out)
        };
        check(status).inspect_err(|_| {
            // SAFETY: a failed call has kept nothing.
            drop(unsafe { Box::from_raw(context) });
        })?;
        Self::made(out)
    }

    /// Starts a file in memory.
    pub fn to_memory(options: Option<&Options>) -> Result<Self> {
        library::ready()?;
        let mut out = std::ptr::null_mut();
        // SAFETY: the out-parameter is a local.
        check(unsafe { sys::hurray_file_writer_to_memory(raw(options), &mut out) })?;
        Self::made(out)
    }

    /// Writes an item under a name; the members of a composite `x` are named `x.0`, `x.1`, …
    pub fn put(&mut self, name: &str, item: &ItemRef) -> Result<()> {
        // SAFETY: the handles are live, nobody else uses the writer, and the name is readable for its length.
        check(unsafe {
            sys::hurray_file_writer_put(self.as_raw(), name.as_ptr().cast(), name.len(), item.as_raw())
        })
    }

    /// Sets a key: before the first put, unless the options say otherwise.
    pub fn set(&mut self, key: &str, value: &Value) -> Result<()> {
        value.write(self.as_raw(), key)
    }

    /// Writes what comes after the last tensor. A file with a path then takes its name.
    pub fn finish(&mut self) -> Result<()> {
        // SAFETY: the handle is live, and nobody else uses it.
        check(unsafe { sys::hurray_file_writer_finish(self.as_raw()) })
    }

    /// The bytes of a finished file in memory, once.
    pub fn take_buffer(&mut self) -> Result<Buffer> {
        let mut out = std::ptr::null_mut();
        // SAFETY: the handle is live, nobody else uses it, and the out-parameter is a local.
        check(unsafe { sys::hurray_file_writer_take_buffer(self.as_raw(), &mut out) })?;
        Buffer::made(out)
    }
}
