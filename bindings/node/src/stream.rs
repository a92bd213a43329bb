//! Streams, as the package's `stream` module uses them: bytes in, bytes out.

use hurray_client::{Arrival, StreamReader, StreamWriter};
use napi::bindgen_prelude::Buffer;
use napi_derive::napi;

use crate::error::OrThrow;
use crate::item::NativeItem;
use crate::library::options;

/// Items out of the bytes of a stream.
#[napi]
pub struct NativeStreamReader {
    reader: StreamReader,
    ended: bool,
}

#[napi]
impl NativeStreamReader {
    #[napi(constructor)]
    pub fn new(settings: &[u64]) -> napi::Result<Self> {
        let reader = StreamReader::new(Some(&options(settings)?)).or_throw()?;
        Ok(Self { reader, ended: false })
    }

    /// Takes bytes in, up to the end of an item; how many.
    #[napi]
    pub fn feed(&mut self, bytes: &[u8]) -> napi::Result<u32> {
        Ok(self.reader.feed(bytes).or_throw()? as u32)
    }

    /// The next item; null when bytes are missing, or when `ended` is set.
    #[napi]
    pub fn next(&mut self) -> napi::Result<Option<NativeItem>> {
        Ok(match self.reader.next_item().or_throw()? {
            Arrival::Item(item) => Some(NativeItem { item }),
            Arrival::NeedMore => None,
            Arrival::End => {
                self.ended = true;
                None
            }
        })
    }

    /// Whether the stream has ended between items.
    #[napi]
    pub fn ended(&self) -> bool {
        self.ended
    }

    /// No more bytes come.
    #[napi]
    pub fn finish(&mut self) -> napi::Result<()> {
        self.reader.finish().or_throw()
    }

    /// The stream id that the last item came on.
    #[napi]
    pub fn stream_id(&self) -> napi::Result<u32> {
        self.reader.stream_id().or_throw()
    }

    /// Bytes that were read ahead.
    #[napi]
    pub fn unread(&self) -> napi::Result<Buffer> {
        self.reader.unread().or_throw().map(Buffer::from)
    }

    /// The messages owed to the peer, once.
    #[napi]
    pub fn reply(&mut self) -> napi::Result<Buffer> {
        self.reader.reply().or_throw().map(Buffer::from)
    }
}

/// The bytes of items.
#[napi]
pub struct NativeStreamWriter {
    writer: StreamWriter,
}

/// Pieces asked of the writer at once.
const PIECES: usize = 64;

#[napi]
impl NativeStreamWriter {
    /// Of the bare form when `stream_id` is 0.
    #[napi(constructor)]
    pub fn new(stream_id: u32, max_message: i64, settings: &[u64]) -> napi::Result<Self> {
        let options = options(settings)?;
        let writer = match stream_id {
            0 => StreamWriter::bare(Some(&options)),
            id => StreamWriter::framed(id, max_message.cast_unsigned(), Some(&options)),
        };
        Ok(Self { writer: writer.or_throw()? })
    }

    /// Appends an item.
    #[napi]
    pub fn put(&mut self, item: &NativeItem) -> napi::Result<()> {
        self.writer.put(&item.item).or_throw()
    }

    /// A copy of the next bytes, at most `most` of them; null when all were taken. A stream of Node's may keep what it is
    /// given for longer than the writer does.
    #[napi]
    pub fn take(&mut self, most: u32) -> napi::Result<Option<Buffer>> {
        let most = most as usize;
        let mut bytes = Vec::new();
        for chunk in self.writer.chunks(PIECES).or_throw()? {
            let room = most - bytes.len();
            bytes.extend_from_slice(chunk.get(..room).unwrap_or(chunk));
            if bytes.len() == most {
                break;
            }
        }
        self.writer.advance(bytes.len()).or_throw()?;
        Ok(if bytes.is_empty() { None } else { Some(bytes.into()) })
    }
}
