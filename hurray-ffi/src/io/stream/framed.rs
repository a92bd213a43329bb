//! The framed form: messages with a 12-byte header, of several streams that may interleave.

use super::lane::{Context, Lane, Rules, read, total};
use super::maker::Maker;
use super::message::{DATA_HEAD, DESCRIPTOR_TAIL, ECHO, HEADER, Header, kind};
use super::reader::{Need, Step};
use super::{Detail, Failure};
use crate::format::header::{HEADER_LEN, MAGIC, MAJOR};
use crate::format::{Fault, Place, Status};

pub(super) const RULES: Rules =
    Rules { cut: "S-120", decode: "S-106", sync: "S-109", limit: "S-124", depth: "S-122", torn: "S-121" };

/// A complete item and its stream id, if there is one.
type Item<M> = Option<(u32, <M as Maker>::Item)>;

/// What is open on a stream id.
enum Stream<M: Maker> {
    Live {
        lane: Lane<M>,
        received: u64,
        total: u64,
    },
    /// An ERROR ended it.
    Ended,
}

/// Where the bytes of the current message go.
enum Payload {
    /// Between messages.
    None,
    /// Collected whole.
    Collect(Header),
    /// Collected as far as it is echoed, the rest passed by.
    Ping(Header),
    /// The offset of a TENSOR_DATA.
    Offset(Header),
    /// So many data bytes.
    Data(u32, u64),
    /// So many bytes that nobody wants; then the refusal, if there is one.
    Skip(u64, Option<Fault>),
}

/// Where a framed stream stands.
pub(super) struct Framed<M: Maker> {
    /// In ascending order of their ids; none that is between items.
    streams: Vec<(u32, Stream<M>)>,
    payload: Payload,
    /// The stream id of the last header.
    pub(super) stream_id: u32,
    /// The stream id whose tensor was the last to move.
    current: u32,
    /// Payloads of PINGs that are not answered yet.
    pub(super) pings: Vec<(u32, Vec<u8>)>,
    /// What a peer's ERROR said.
    pub(super) remote: Option<Failure>,
    /// Whether that was told already.
    pub(super) heard: bool,
}

fn corrupt(rule: &'static str, what: &'static str) -> Fault {
    Fault::new(Status::CORRUPT, rule, what)
}

/// Most PINGs that wait for their answer.
const MOST_PINGS: usize = 64;

impl<M: Maker> Framed<M> {
    pub(super) fn new() -> Framed<M> {
        Framed {
            streams: Vec::new(),
            payload: Payload::None,
            stream_id: 0,
            current: 0,
            pings: Vec::new(),
            remote: None,
            heard: false,
        }
    }

    fn find(&self, id: u32) -> Result<usize, usize> {
        self.streams.binary_search_by_key(&id, |stream| stream.0)
    }

    fn stream(&mut self, id: u32) -> Option<&mut Stream<M>> {
        let at = self.find(id).ok()?;
        self.streams.get_mut(at).map(|stream| &mut stream.1)
    }

    /// The lane of the tensor that takes data now.
    pub(super) fn lane_mut(&mut self) -> Option<&mut Lane<M>> {
        match self.stream(self.current) {
            Some(Stream::Live { lane, .. }) => Some(lane),
            _ => None,
        }
    }

    /// As [`Framed::lane_mut`].
    pub(super) fn lane(&self) -> Option<&Lane<M>> {
        match self.find(self.current).ok().and_then(|at| self.streams.get(at)) {
            Some((_, Stream::Live { lane, .. })) => Some(lane),
            _ => None,
        }
    }

    pub(super) fn path(&self) -> Detail {
        match self.find(self.stream_id).ok().and_then(|at| self.streams.get(at)) {
            Some((_, Stream::Live { lane, .. })) => lane.path(),
            _ => Detail::None,
        }
    }

    pub(super) fn need(&self) -> Need {
        match self.payload {
            Payload::None => Need::Whole(HEADER),
            Payload::Collect(header) => Need::Whole(header.length as usize),
            Payload::Ping(header) => Need::Whole((header.length as usize).min(ECHO)),
            Payload::Offset(_) => Need::Whole(DATA_HEAD),
            Payload::Skip(left, _) => Need::Skip(left),
            Payload::Data(id, left) => {
                let stream = self.find(id).ok().and_then(|at| self.streams.get(at));
                match stream {
                    Some((_, Stream::Live { lane, .. })) => {
                        Need::Data(lane.tensor.as_ref().map_or(0, |arriving| arriving.left()).min(left))
                    }
                    _ => Need::Skip(left),
                }
            }
        }
    }

    /// The bytes asked for are there.
    pub(super) fn take(&mut self, context: &Context<'_, M>, bytes: &[u8]) -> Result<Step<M>, Fault> {
        let taken = bytes.len();
        let item = match std::mem::replace(&mut self.payload, Payload::None) {
            Payload::None => {
                let header = bytes.first_chunk().map(Header::decode);
                let header = header.ok_or_else(|| Fault::new(Status::INTERNAL, "", "a short header"))?;
                self.stream_id = header.stream_id;
                self.header(context, header)?
            }
            Payload::Collect(header) if header.kind == kind::DESCRIPTOR => {
                return self.descriptor(context, header, bytes);
            }
            Payload::Collect(header) => {
                self.remote_error(context, header, bytes)?;
                None
            }
            Payload::Ping(header) => {
                self.ping(header, bytes)?;
                self.payload = skip(u64::from(header.length) - taken as u64, None);
                None
            }
            Payload::Offset(header) => {
                self.payload = self.offset(header, bytes);
                None
            }
            Payload::Data(..) | Payload::Skip(..) => None,
        };
        Ok(Step { taken, item, lost: None })
    }

    /// A header has arrived: what can be said before its payload, and where that goes.
    fn header(&mut self, context: &Context<'_, M>, header: Header) -> Result<Item<M>, Fault> {
        let Header { kind, stream_id, length } = header;
        if !(1..=kind::RDMA_READY).contains(&kind) {
            return Err(corrupt("S-102", "no such message type")
                .field("message_type")
                .value(kind)
                .at(Place::Byte(0)));
        }
        let limit = context.limits.message_bytes;
        if u64::from(length) > limit {
            return Err(Fault::new(Status::LIMIT_EXCEEDED, "S-104", "a message is longer than the limit")
                .field("payload_length")
                .value(length)
                .limit(limit)
                .at(Place::Byte(8)));
        }
        let of_tensor =
            matches!(kind, kind::TENSOR_REQUEST..=kind::PUT_ACK | kind::RDMA_REGISTER | kind::RDMA_READY);
        if of_tensor && stream_id == 0 {
            return Err(corrupt("S-103", "stream id 0 on a tensor's message")
                .field("stream_id")
                .value(stream_id)
                .at(Place::Byte(4)));
        }
        let (payload, item) = self.dispatch(context, header)?;
        self.payload = payload;
        Ok(item)
    }

    /// Rules of a message's own type wait for its whole payload: a cut inside it comes first.
    fn dispatch(&mut self, context: &Context<'_, M>, header: Header) -> Result<(Payload, Item<M>), Fault> {
        let Header { kind, stream_id, length } = header;
        let refuse = |fault| match length {
            0 => Err(fault),
            _ => Ok((Payload::Skip(u64::from(length), Some(fault)), None)),
        };
        if matches!(self.stream(stream_id), Some(Stream::Ended)) {
            return refuse(
                corrupt("S-118", "a message on a stream id that an ERROR ended")
                    .field("stream_id")
                    .value(stream_id),
            );
        }
        match kind {
            kind::DESCRIPTOR => match self.check_descriptor(header) {
                Err(fault) => refuse(fault),
                Ok(()) => Ok((Payload::Collect(header), None)),
            },
            kind::DATA => match self.check_data(header) {
                Err(fault) => refuse(fault),
                Ok(()) => {
                    self.current = stream_id;
                    Ok((Payload::Offset(header), None))
                }
            },
            kind::DATA_END => match self.check_end(header) {
                Err(fault) => refuse(fault),
                Ok(()) => Ok((Payload::None, self.end(context, stream_id)?)),
            },
            kind::ERROR if length < 8 => refuse(error_length(length)),
            kind::ERROR => Ok((Payload::Collect(header), None)),
            kind::PING if length == 0 => {
                self.ping(header, &[])?;
                Ok((Payload::None, None))
            }
            kind::PING => Ok((Payload::Ping(header), None)),
            kind::PONG => Ok((skip(u64::from(length), None), None)),
            kind::PUT_ACK | kind::RDMA_READY if length > 0 => refuse(not_empty(length)),
            _ => refuse(
                Fault::new(Status::UNSUPPORTED, "", "a message that this version does not serve")
                    .field("message_type")
                    .value(kind),
            ),
        }
    }

    /// S-110, and as much of S-105 as the header shows.
    fn check_descriptor(&mut self, header: Header) -> Result<(), Fault> {
        if let Some(Stream::Live { lane, .. }) = self.stream(header.stream_id)
            && lane.tensor.is_some()
        {
            return Err(corrupt("S-110", "a descriptor while a tensor is open on its stream id")
                .field("stream_id")
                .value(header.stream_id));
        }
        let least = HEADER_LEN + DESCRIPTOR_TAIL;
        if (header.length as usize) < least {
            return Err(corrupt("S-105", "a TENSOR_DESCRIPTOR too short for a descriptor")
                .field("payload_length")
                .value(header.length)
                .limit(least as u64));
        }
        Ok(())
    }

    /// S-105 to S-109, S-124 and the composite's rules. Where the buffer table is hidden, the message says how many bytes
    /// come, and S-107 and S-109 cannot be held against it.
    fn descriptor(
        &mut self,
        context: &Context<'_, M>,
        header: Header,
        payload: &[u8],
    ) -> Result<Step<M>, Fault> {
        let (bytes, tail) = payload.split_at(payload.len().saturating_sub(DESCRIPTOR_TAIL));
        check_start(bytes)?;
        let length =
            bytes.get(6..).and_then(|rest| rest.first_chunk()).copied().map_or(0, u32::from_le_bytes);
        if length as usize != bytes.len() {
            return Err(corrupt("S-105", "payload_length is not descriptor_length + 16")
                .field("descriptor_length")
                .value(length)
                .limit(bytes.len() as u64)
                .at(Place::Byte(6)));
        }
        let limit = context.limits.descriptor_bytes;
        if u64::from(length) > limit {
            return Err(Fault::new(Status::LIMIT_EXCEEDED, "S-124", "a descriptor is longer than the limit")
                .field("descriptor_length")
                .value(length)
                .limit(limit)
                .at(Place::Byte(6)));
        }
        let decoded = read(context, &RULES, bytes, true)?;
        let declared = tail.first_chunk().copied().map_or(0, u64::from_le_bytes);
        let sum = total(&decoded);
        if decoded.has_buffer_table() && sum != Some(declared) {
            return Err(corrupt("S-107", "total_data_bytes is not the sum of the buffers")
                .field("total_data_bytes")
                .value(declared)
                .limit(sum.unwrap_or(u64::MAX))
                .at(Place::Byte(bytes.len() as u64)));
        }
        let word = |at: usize| {
            tail.get(at..).and_then(|rest| rest.first_chunk()).copied().map_or(0, u32::from_le_bytes)
        };
        let (shard, shards) = (word(8), word(12));
        if shard >= shards {
            return Err(corrupt("S-108", "shard_index is not below total_shards")
                .field("shard_index")
                .value(shard)
                .limit(shards)
                .at(Place::Byte(bytes.len() as u64 + 8)));
        }
        if shards > 1 {
            return Err(Fault::new(Status::UNSUPPORTED, "", "parallel shards are not served")
                .field("total_shards")
                .value(shards)
                .at(Place::Byte(bytes.len() as u64 + 12)));
        }
        self.current = header.stream_id;
        let mut step = Step { taken: payload.len(), item: None, lost: None };
        if let Stream::Live { lane, received, total } = self.open(context, header.stream_id)? {
            if lane.is_stranded(&decoded, Some(declared)) {
                let (item, fault) = Lane::strand(context, &RULES, decoded)?;
                step.item = Some((header.stream_id, item));
                step.lost = Some(fault);
            } else {
                lane.admit(context, &RULES, decoded, Some(declared))?;
                (*received, *total) = (0, declared);
            }
        }
        Ok(step)
    }

    /// The stream of an id, new if need be.
    fn open(&mut self, context: &Context<'_, M>, id: u32) -> Result<&mut Stream<M>, Fault> {
        let live = self.streams.len() as u64;
        let at = match self.find(id) {
            Ok(at) => at,
            Err(_) if live >= context.limits.stream_ids => {
                return Err(Fault::new(Status::LIMIT_EXCEEDED, "", "more stream ids at once than the limit")
                    .field("stream ids")
                    .value(live + 1)
                    .limit(context.limits.stream_ids));
            }
            Err(at) => {
                self.streams.try_reserve(1).map_err(|_| Fault::out_of_memory())?;
                self.streams.insert(at, (id, Stream::Live { lane: Lane::new(), received: 0, total: 0 }));
                at
            }
        };
        let missing = || Fault::new(Status::INTERNAL, "", "a stream id without its state");
        self.streams.get_mut(at).map(|stream| &mut stream.1).ok_or_else(missing)
    }

    /// S-111, S-112 and S-115.
    fn check_data(&mut self, header: Header) -> Result<(), Fault> {
        let total = self.open_total(header)?.1;
        if (header.length as usize) <= DATA_HEAD {
            return Err(corrupt("S-112", "a TENSOR_DATA without a data byte")
                .field("payload_length")
                .value(header.length)
                .limit(DATA_HEAD as u64 + 1));
        }
        if total == 0 {
            return Err(corrupt("S-115", "data for a tensor that has none")
                .field("stream_id")
                .value(header.stream_id));
        }
        Ok(())
    }

    /// Received and total bytes of the tensor that is open on an id (S-111).
    fn open_total(&mut self, header: Header) -> Result<(u64, u64), Fault> {
        match self.stream(header.stream_id) {
            Some(Stream::Live { lane, received, total }) if lane.tensor.is_some() => Ok((*received, *total)),
            _ => Err(corrupt("S-111", "data while no tensor is open on its stream id")
                .field("stream_id")
                .value(header.stream_id)),
        }
    }

    /// S-113 and S-114, once the offset is there.
    fn offset(&mut self, header: Header, bytes: &[u8]) -> Payload {
        let offset = bytes.first_chunk().copied().map_or(0, u64::from_le_bytes);
        let data = u64::from(header.length) - DATA_HEAD as u64;
        let fault = match self.stream(header.stream_id) {
            Some(Stream::Live { received, .. }) if *received != offset => {
                corrupt("S-113", "data is not where the last frame ended")
                    .field("byte_offset_in_buffer")
                    .value(offset)
                    .limit(*received)
            }
            Some(Stream::Live { received, total, .. }) if data > *total - *received => {
                corrupt("S-114", "data beyond the tensor's end")
                    .field("data bytes")
                    .value(data)
                    .limit(*total - *received)
            }
            _ => return Payload::Data(header.stream_id, data),
        };
        Payload::Skip(data, Some(fault))
    }

    /// S-111, S-116 and S-117.
    fn check_end(&mut self, header: Header) -> Result<(), Fault> {
        let (received, total) = self.open_total(header)?;
        if header.length > 0 {
            return Err(not_empty(header.length));
        }
        if received != total {
            return Err(corrupt("S-117", "a tensor ends before its last byte")
                .field("received")
                .value(received)
                .limit(total));
        }
        Ok(())
    }

    fn end(&mut self, context: &Context<'_, M>, id: u32) -> Result<Item<M>, Fault> {
        let Ok(at) = self.find(id) else { return Ok(None) };
        let Some((_, Stream::Live { lane, .. })) = self.streams.get_mut(at) else { return Ok(None) };
        let item = lane.end(context)?;
        if lane.is_idle() {
            self.streams.remove(at);
        }
        Ok(item.map(|item| (id, item)))
    }

    /// So many bytes of the current data or skipped payload have been dealt with.
    pub(super) fn passed(&mut self, count: u64) -> Result<(), Fault> {
        match &mut self.payload {
            Payload::Data(id, left) => {
                let id = *id;
                *left -= count;
                if *left == 0 {
                    self.payload = Payload::None;
                }
                if let Some(Stream::Live { received, .. }) = self.stream(id) {
                    *received += count;
                }
                Ok(())
            }
            Payload::Skip(left, fault) => {
                *left -= count;
                if *left > 0 {
                    return Ok(());
                }
                let fault = *fault;
                self.payload = Payload::None;
                fault.map_or(Ok(()), Err)
            }
            _ => Ok(()),
        }
    }

    /// An ERROR: its text, and the end of its stream id.
    fn remote_error(
        &mut self,
        context: &Context<'_, M>,
        header: Header,
        payload: &[u8],
    ) -> Result<(), Fault> {
        let (head, text) = payload.split_at_checked(8).unwrap_or((payload, &[]));
        let word = |at: usize| {
            head.get(at..).and_then(|rest| rest.first_chunk()).copied().map_or(0, u32::from_le_bytes)
        };
        if word(4) as usize != text.len() {
            return Err(error_length(word(4)).limit(text.len() as u64));
        }
        let Ok(text) = std::str::from_utf8(text) else {
            return Err(corrupt("S-119", "the text of an ERROR is not UTF-8"));
        };
        let mut kept = String::new();
        let end = text.floor_char_boundary(text.len().min(super::message::ERROR_TEXT));
        kept.try_reserve(end).map_err(|_| Fault::out_of_memory())?;
        kept.push_str(text.get(..end).unwrap_or_default());
        *self.open(context, header.stream_id)? = Stream::Ended;
        let fault = Fault::new(Status::UNSUPPORTED, "", "the peer ended the stream with an error")
            .field("stream_id")
            .value(header.stream_id);
        self.heard = false;
        self.remote = Some(Failure { fault, detail: Detail::Remote(word(0), kept) });
        Ok(())
    }

    fn ping(&mut self, header: Header, bytes: &[u8]) -> Result<(), Fault> {
        if self.pings.len() >= MOST_PINGS {
            return Ok(());
        }
        self.pings.try_reserve(1).map_err(|_| Fault::out_of_memory())?;
        let mut echo = Vec::new();
        echo.try_reserve_exact(bytes.len()).map_err(|_| Fault::out_of_memory())?;
        echo.extend_from_slice(bytes);
        self.pings.push((header.stream_id, echo));
        Ok(())
    }

    pub(super) fn cut(&self, partial: bool) -> Option<Fault> {
        if partial || !matches!(self.payload, Payload::None) {
            return Some(Fault::new(Status::TRUNCATED, "S-101", "the input ends inside a message"));
        }
        let mut cuts = self.streams.iter().filter_map(|(_, stream)| match stream {
            Stream::Live { lane, .. } => lane.cut(&RULES),
            Stream::Ended => None,
        });
        let first = cuts.next()?;
        // An open tensor on any id comes before an open composite on another.
        Some(cuts.fold(first, |worst, fault| if worst.status == Status::TORN { fault } else { worst }))
    }

    /// The complete members of open composites, with their stream ids.
    pub(super) fn salvage(&mut self, mut give: impl FnMut(u32, M::Item)) {
        for (id, stream) in self.streams.drain(..) {
            if let Stream::Live { mut lane, .. } = stream {
                lane.salvage(|item| give(id, item));
            }
        }
    }
}

fn skip(left: u64, fault: Option<Fault>) -> Payload {
    if left == 0 { Payload::None } else { Payload::Skip(left, fault) }
}

fn not_empty(length: u32) -> Fault {
    corrupt("S-116", "a message that must be empty is not").field("payload_length").value(length)
}

fn error_length(length: u32) -> Fault {
    corrupt("S-119", "the length of an ERROR's text does not fit its message").field("length").value(length)
}

/// S-106, the first five bytes.
fn check_start(bytes: &[u8]) -> Result<(), Fault> {
    if !bytes.starts_with(&MAGIC) {
        return Err(Fault::new(Status::INVALID_MAGIC, "S-106", "a TENSOR_DESCRIPTOR without a descriptor")
            .field("magic")
            .at(Place::Byte(0)));
    }
    match bytes.get(MAGIC.len()) {
        Some(&MAJOR) => Ok(()),
        major => {
            Err(Fault::new(Status::VERSION_MISMATCH, "S-106", "the descriptor's major version is not 1")
                .field("version_major")
                .value(major.copied().unwrap_or_default())
                .limit(MAJOR)
                .at(Place::Byte(4)))
        }
    }
}
