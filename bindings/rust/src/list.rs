//! The buffers of one tensor, on their way into it.

use crate::buffer::{Buffer, BufferRef};
use crate::error::{Result, check};
use crate::handle::handle;
use crate::{library, sys};

handle! {
    /// Buffers in the order of a descriptor's buffer table.
    BufferList, HurrayBufferList, hurray_buffer_list_destroy
}

impl BufferList {
    /// An empty list. `capacity` is a hint; a list holds at most 255 buffers.
    pub fn new(capacity: u64) -> Result<Self> {
        library::ready()?;
        let mut raw = std::ptr::null_mut();
        // SAFETY: the out-parameter is a local.
        check(unsafe { sys::hurray_buffer_list_new(capacity, &mut raw) })?;
        Self::made(raw)
    }

    /// A list of these buffers.
    pub fn of(buffers: impl IntoIterator<Item = Buffer>) -> Result<Self> {
        let buffers = buffers.into_iter();
        let mut list = Self::new(buffers.size_hint().0 as u64)?;
        for buffer in buffers {
            list.push(buffer)?;
        }
        Ok(list)
    }

    /// Appends a buffer. If the call fails the buffer is dropped.
    pub fn push(&mut self, buffer: Buffer) -> Result<()> {
        // SAFETY: both handles are live, and nobody else uses them.
        check(unsafe { sys::hurray_buffer_list_push(self.as_raw(), buffer.as_raw()) })?;
        buffer.into_raw(); // the list owns it now
        Ok(())
    }

    /// The number of buffers.
    pub fn len(&self) -> Result<u64> {
        let mut len = 0;
        // SAFETY: the handle is live, and the out-parameter is a local.
        check(unsafe { sys::hurray_buffer_list_len(self.as_raw(), &mut len) })?;
        Ok(len)
    }

    /// Whether there are no buffers.
    pub fn is_empty(&self) -> Result<bool> {
        Ok(self.len()? == 0)
    }

    /// The buffer at `index`.
    pub fn get(&self, index: u64) -> Result<&BufferRef> {
        // SAFETY: the list is live, and lives as long as the reference.
        unsafe { buffer_at(self.as_raw(), index) }
    }
}

/// The buffer at `index` of a list.
///
/// # Safety
/// The list is live for `'a`.
pub(crate) unsafe fn buffer_at<'a>(list: *const sys::HurrayBufferList, index: u64) -> Result<&'a BufferRef> {
    let mut raw = std::ptr::null_mut();
    // SAFETY: the list is live, and the out-parameter is a local.
    check(unsafe { sys::hurray_buffer_list_get(list, index, &mut raw) })?;
    // SAFETY: a successful call wrote a handle that lives as long as the list.
    Ok(unsafe { BufferRef::from_raw(raw) })
}
