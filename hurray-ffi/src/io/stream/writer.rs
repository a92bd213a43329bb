//! The writer: complete, validated tensors go in, a gather list comes out.

use super::Failure;
use super::maker::Source;
use super::message::{
    DATA_HEAD, DEFAULT_MESSAGE_BYTES, DESCRIPTOR_TAIL, FRAME, HEADER, Header, LEAST_MESSAGE_BYTES, kind,
};
use super::queue::Queue;
use crate::format::{Fault, Status};

/// One of the two byte forms.
#[derive(Clone, Copy, Debug)]
pub enum Form {
    /// Descriptor, buffers, descriptor, buffers.
    Bare,
    /// Messages on one stream id.
    Framed {
        /// The stream id of all messages.
        stream_id: u32,
        /// The longest payload that the peer takes.
        message_bytes: u64,
    },
}

impl Form {
    /// The framed form; a limit of 0 is the default one.
    pub fn framed(stream_id: u32, message_bytes: u64) -> Result<Form, Fault> {
        if stream_id == 0 {
            return Err(Fault::new(Status::INVALID_ARGUMENT, "S-103", "stream id 0 is reserved")
                .field("stream_id")
                .value(0));
        }
        let message_bytes = if message_bytes == 0 { DEFAULT_MESSAGE_BYTES } else { message_bytes };
        if message_bytes < LEAST_MESSAGE_BYTES {
            return Err(Fault::new(Status::INVALID_ARGUMENT, "", "a message limit below the least there is")
                .field("max_message_size")
                .value(message_bytes)
                .limit(LEAST_MESSAGE_BYTES));
        }
        Ok(Form::Framed { stream_id, message_bytes })
    }
}

/// Bytes of stored tensors on their way out.
pub struct Writer<S> {
    form: Form,
    queue: Queue<S>,
    failure: Option<Failure>,
}

impl<S: Source + Clone> Writer<S> {
    /// A writer at the start of a stream.
    pub fn new(form: Form) -> Writer<S> {
        Writer { form, queue: Queue::new(), failure: None }
    }

    /// What ended this writer, if anything did.
    pub fn failure(&self) -> Option<&Failure> {
        self.failure.as_ref()
    }

    /// The form.
    pub fn form(&self) -> Form {
        self.form
    }

    /// Appends an item, tensor by tensor, heads before their members; all of it or nothing. A failure is for ever.
    pub fn put(&mut self, fill: impl FnOnce(&mut Put<'_, S>) -> Result<(), Fault>) -> Result<(), Failure> {
        if let Some(failure) = &self.failure {
            return Err(failure.clone());
        }
        let mark = self.queue.mark();
        let filled = fill(&mut Put { form: self.form, queue: &mut self.queue });
        filled.map_err(|fault| {
            self.queue.cut_back(&mark);
            let failure = Failure::from(fault);
            self.failure = Some(failure.clone());
            failure
        })
    }

    /// Keeps what went wrong with the sink.
    pub fn refuse(&mut self, fault: Fault) -> Failure {
        let failure = Failure::from(fault);
        self.failure = Some(failure.clone());
        failure
    }

    /// Bytes that wait to go out.
    pub fn left(&self) -> u64 {
        self.queue.left()
    }

    /// Pieces of the gather list.
    pub fn chunk_count(&self) -> usize {
        self.queue.len()
    }

    /// The gather list.
    pub fn chunks(&self) -> impl Iterator<Item = &[u8]> {
        self.queue.chunks()
    }

    /// Bytes of the gather list have gone out.
    pub fn advance(&mut self, count: u64) -> Result<(), Fault> {
        if count > self.left() {
            return Err(Fault::new(Status::INVALID_ARGUMENT, "", "more bytes than wait to be written")
                .field("n")
                .value(count)
                .limit(self.left()));
        }
        self.queue.advance(count);
        Ok(())
    }
}

/// An item on its way into the queue.
pub struct Put<'a, S> {
    form: Form,
    queue: &'a mut Queue<S>,
}

impl<S: Source + Clone> Put<'_, S> {
    /// A descriptor, and the bytes of its buffers in order.
    pub fn tensor(&mut self, descriptor: &[u8], buffers: &[S]) -> Result<(), Fault> {
        match self.form {
            Form::Bare => {
                self.queue.push(descriptor)?;
                buffers.iter().try_for_each(|buffer| self.queue.hold(buffer, 0..buffer.bytes().len()))
            }
            Form::Framed { stream_id, message_bytes } => {
                self.framed(stream_id, message_bytes, descriptor, buffers)
            }
        }
    }

    fn framed(
        &mut self,
        stream_id: u32,
        message_bytes: u64,
        descriptor: &[u8],
        buffers: &[S],
    ) -> Result<(), Fault> {
        let length = (descriptor.len() + DESCRIPTOR_TAIL) as u64;
        if length > message_bytes {
            return Err(Fault::new(
                Status::LIMIT_EXCEEDED,
                "S-104",
                "a descriptor message is longer than the peer takes",
            )
            .field("payload_length")
            .value(length)
            .limit(message_bytes));
        }
        let total: u64 = buffers.iter().map(|buffer| buffer.bytes().len() as u64).sum();
        self.header(kind::DESCRIPTOR, stream_id, length)?;
        self.queue.push(descriptor)?;
        self.queue.push(&total.to_le_bytes())?;
        // Shard 0 of 1.
        self.queue.push(&[0, 0, 0, 0, 1, 0, 0, 0])?;
        let most = FRAME.min(message_bytes - DATA_HEAD as u64) as usize & !63;
        let mut offset = 0u64;
        for buffer in buffers {
            let size = buffer.bytes().len();
            let mut at = 0;
            while at < size {
                let end = size.min(at + most);
                self.header(kind::DATA, stream_id, (DATA_HEAD + end - at) as u64)?;
                self.queue.push(&offset.to_le_bytes())?;
                self.queue.hold(buffer, at..end)?;
                offset += (end - at) as u64;
                at = end;
            }
        }
        self.header(kind::DATA_END, stream_id, 0)
    }

    fn header(&mut self, kind: u32, stream_id: u32, length: u64) -> Result<(), Fault> {
        let header: [u8; HEADER] = Header { kind, stream_id, length: length as u32 }.encode();
        self.queue.push(&header)
    }
}
