//! Streams of tensors: over bytes that the caller moves, or over a file descriptor.

use std::os::fd::{AsFd, AsRawFd};

use crate::buffer::BufferRef;
use crate::descriptor::DescriptorRef;
use crate::error::{Result, check};
use crate::handle::handle;
use crate::item::{Item, ItemRef};
use crate::options::{Options, pointer};
use crate::{library, sys};

/// What a reader has to give.
#[derive(Debug)]
pub enum Arrival {
    /// An item that has arrived whole.
    Item(Item),
    /// Bytes are missing: feed more, or wait for the descriptor to be readable.
    NeedMore,
    /// The stream has ended between items.
    End,
}

handle! {
    /// Reads items from a stream.
    StreamReader, HurrayStreamReader, hurray_stream_reader_destroy
}

/// An item or a progress code of a call that gives one.
fn arrival(status: sys::HurrayStatus, item: *mut sys::HurrayItem) -> Result<Arrival> {
    match status {
        sys::HURRAY_NEED_MORE => Ok(Arrival::NeedMore),
        sys::HURRAY_END => Ok(Arrival::End),
        _ => {
            check(status)?;
            Ok(Arrival::Item(Item::made(item)?))
        }
    }
}

impl StreamReader {
    /// A reader at the start of a stream, bare or framed.
    pub fn new(options: Option<&Options>) -> Result<Self> {
        library::ready()?;
        let mut out = std::ptr::null_mut();
        // SAFETY: the options are live or NULL, and the out-parameter is a local.
        check(unsafe { sys::hurray_stream_reader_new(pointer(options), &mut out) })?;
        Self::made(out)
    }

    /// Where the next bytes belong; empty when none are wanted.
    pub fn window(&mut self) -> Result<&mut [u8]> {
        let (mut start, mut size) = (std::ptr::null_mut(), 0);
        // SAFETY: the handle is live, nobody else uses it, and the out-parameters are locals.
        check(unsafe { sys::hurray_stream_reader_window(self.as_raw(), &mut start, &mut size) })?;
        if size == 0 {
            return Ok(&mut []);
        }
        // SAFETY: the reader's memory, initialised, until the next call, for which `self` must be free again.
        Ok(unsafe { std::slice::from_raw_parts_mut(start, size) })
    }

    /// So many bytes arrived at the start of the last window.
    pub fn advance(&mut self, count: usize) -> Result<()> {
        // SAFETY: the handle is live, and nobody else uses it.
        check(unsafe { sys::hurray_stream_reader_advance(self.as_raw(), count) })
    }

    /// Gives bytes to the reader, which takes them up to the end of an item; how many were taken.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<usize> {
        let mut consumed = 0;
        // SAFETY: the handle is live, nobody else uses it, the bytes are a slice, and the out-parameter is a local.
        check(unsafe {
            sys::hurray_stream_reader_feed(self.as_raw(), bytes.as_ptr(), bytes.len(), &mut consumed)
        })?;
        Ok(consumed)
    }

    /// The next item, once it has arrived whole.
    pub fn next_item(&mut self) -> Result<Arrival> {
        let mut item = std::ptr::null_mut();
        // SAFETY: the handle is live, nobody else uses it, and the out-parameter is a local.
        arrival(unsafe { sys::hurray_stream_reader_next(self.as_raw(), &mut item) }, item)
    }

    /// No more bytes come. An error if the input ends inside something.
    pub fn finish(&mut self) -> Result<()> {
        // SAFETY: the handle is live, and nobody else uses it.
        check(unsafe { sys::hurray_stream_reader_finish(self.as_raw()) })
    }

    /// The next item from a file descriptor; `NeedMore` when it would block.
    pub fn read_fd(&mut self, fd: impl AsFd) -> Result<Arrival> {
        let mut item = std::ptr::null_mut();
        let number = i64::from(fd.as_fd().as_raw_fd());
        // SAFETY: the handle is live, nobody else uses it, and the out-parameter is a local.
        arrival(unsafe { sys::hurray_stream_read_fd(self.as_raw(), number, &mut item) }, item)
    }

    /// The descriptor of the tensor that arrives now, once it is there.
    pub fn pending(&mut self) -> Result<Option<&DescriptorRef>> {
        let mut descriptor = std::ptr::null_mut();
        // SAFETY: the handle is live, nobody else uses it, and the out-parameter is a local.
        match unsafe { sys::hurray_stream_reader_pending(self.as_raw(), &mut descriptor) } {
            sys::HURRAY_NEED_MORE => Ok(None),
            status => {
                check(status)?;
                // SAFETY: a successful call wrote a handle that lives until the next call on the reader.
                Ok(Some(unsafe { DescriptorRef::from_raw(descriptor) }))
            }
        }
    }

    /// Gives memory for a buffer of the tensor that arrives now; the reader keeps a share.
    ///
    /// # Safety
    /// Nobody else reads or writes the memory until the tensor has arrived.
    pub unsafe fn provide_buffer(&mut self, index: u64, buffer: &BufferRef) -> Result<()> {
        // SAFETY: the handles are live, and nobody else uses the reader.
        check(unsafe { sys::hurray_stream_reader_provide_buffer(self.as_raw(), index, buffer.as_raw()) })
    }

    /// The stream id that the last item came on; 0 in a bare stream.
    pub fn stream_id(&self) -> Result<u32> {
        let mut id = 0;
        // SAFETY: the handle is live, and the out-parameter is a local.
        check(unsafe { sys::hurray_stream_reader_stream_id(self.as_raw(), &mut id) })?;
        Ok(id)
    }

    /// Bytes that were read ahead and belong to no complete item.
    pub fn unread(&self) -> Result<&[u8]> {
        let (mut start, mut size) = (std::ptr::null(), 0);
        // SAFETY: the handle is live, and the out-parameters are locals.
        check(unsafe { sys::hurray_stream_reader_unread(self.as_raw(), &mut start, &mut size) })?;
        if size == 0 {
            return Ok(&[]);
        }
        // SAFETY: the reader's bytes, until the next call that changes it, for which `self` must be free again.
        Ok(unsafe { std::slice::from_raw_parts(start, size) })
    }

    /// The messages that a framed stream owes its peer, once.
    pub fn reply(&mut self) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        loop {
            let mut len = bytes.len();
            // SAFETY: the handle is live, nobody else uses it, and `len` is the room of `bytes`.
            match unsafe { sys::hurray_stream_reader_reply(self.as_raw(), bytes.as_mut_ptr(), &mut len) } {
                sys::HURRAY_ERR_BUFFER_TOO_SMALL => bytes.resize(len, 0),
                status => {
                    check(status)?;
                    bytes.truncate(len);
                    return Ok(bytes);
                }
            }
        }
    }
}

handle! {
    /// Turns items into the bytes of a stream.
    StreamWriter, HurrayStreamWriter, hurray_stream_writer_destroy
}

impl StreamWriter {
    /// A writer of the bare form, which everything published reads.
    pub fn bare(options: Option<&Options>) -> Result<Self> {
        Self::with(sys::HURRAY_STREAM_BARE, 0, 0, options)
    }

    /// A writer of the framed form on one stream id, for a peer that takes messages with payloads of at most
    /// `max_message_size` bytes (0: 16 MiB + 16).
    pub fn framed(stream_id: u32, max_message_size: u64, options: Option<&Options>) -> Result<Self> {
        Self::with(sys::HURRAY_STREAM_FRAMED, stream_id, max_message_size, options)
    }

    fn with(form: u32, stream_id: u32, max_message_size: u64, options: Option<&Options>) -> Result<Self> {
        library::ready()?;
        let mut out = std::ptr::null_mut();
        // SAFETY: the options are live or NULL, and the out-parameter is a local.
        check(unsafe {
            sys::hurray_stream_writer_new(form, stream_id, max_message_size, pointer(options), &mut out)
        })?;
        Self::made(out)
    }

    /// Appends an item, of which shares are kept until it is written.
    pub fn put(&mut self, item: &ItemRef) -> Result<()> {
        // SAFETY: the handles are live, and nobody else uses the writer.
        check(unsafe { sys::hurray_stream_writer_put(self.as_raw(), item.as_raw()) })
    }

    /// The bytes that come next, at most `most` pieces.
    pub fn chunks(&self, most: usize) -> Result<Vec<&[u8]>> {
        let mut slices = Vec::new();
        slices.resize_with(most, || sys::HurraySlice { data: std::ptr::null(), len: 0 });
        let mut count = most;
        // SAFETY: the handle is live, and `count` is the room of `slices`.
        check(unsafe { sys::hurray_stream_writer_chunks(self.as_raw(), slices.as_mut_ptr(), &mut count) })?;
        // SAFETY: the writer's bytes, until the next put or advance, for which `self` must be free again.
        let bytes = |slice: &sys::HurraySlice| unsafe { std::slice::from_raw_parts(slice.data, slice.len) };
        Ok(slices.iter().take(count).map(bytes).collect())
    }

    /// How many pieces all bytes that wait are in.
    pub fn chunk_count(&self) -> Result<usize> {
        let mut count = 0;
        // SAFETY: the handle is live, and a NULL array has no room.
        check(unsafe { sys::hurray_stream_writer_chunks(self.as_raw(), std::ptr::null_mut(), &mut count) })?;
        Ok(count)
    }

    /// So many bytes of the pieces were sent.
    pub fn advance(&mut self, count: usize) -> Result<()> {
        // SAFETY: the handle is live, and nobody else uses it.
        check(unsafe { sys::hurray_stream_writer_advance(self.as_raw(), count) })
    }

    /// Writes everything that waits to a file descriptor; false when it would block.
    pub fn write_fd(&mut self, fd: impl AsFd) -> Result<bool> {
        let number = i64::from(fd.as_fd().as_raw_fd());
        // SAFETY: the handle is live, and nobody else uses it.
        match unsafe { sys::hurray_stream_write_fd(self.as_raw(), number) } {
            sys::HURRAY_NEED_MORE => Ok(false),
            status => check(status).map(|()| true),
        }
    }
}
