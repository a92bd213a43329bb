//! The framed form: messages with a 12-byte header, of several streams that may interleave.

use super::lane::{Context, Lane, Rules, read, total};
use super::maker::Maker;
use super::message::{DATA_HEAD, DESCRIPTOR_TAIL, ECHO, HEADER, Header, kind};
use super::reader::{Need, Step};
use super::{Detail, Failure};
use crate::format::header::{HEADER_LEN, MAGIC, MAJOR};
use crate::format::{Fault, Place, Status};
use std::collections::HashSet;

pub(super) const RULES: Rules =
    Rules { cut: "S-120", decode: "S-106", sync: "S-109", limit: "S-124", depth: "S-122", torn: "S-121" };

/// A complete item and its stream id, if there is one.
type Item<M> = Option<(u32, <M as Maker>::Item)>;

/// What is open on a stream id.
struct Stream<M: Maker> {
    lane: Lane<M>,
    received: u64,
    total: u64,
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
    /// Stream ids that an ERROR ended.
    ended: HashSet<u32>,
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

const LENGTH_OF_TEXT: &str = "the length of an ERROR's text does not fit its message";

/// Most PINGs that wait for their answer.
const MOST_PINGS: usize = 64;

impl<M: Maker> Framed<M> {
    pub(super) fn new() -> Framed<M> {
        Framed {
            streams: Vec::new(),
            ended: HashSet::new(),
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

    fn lane_of(&self, id: u32) -> Option<&Lane<M>> {
        let at = self.find(id).ok()?;
        self.streams.get(at).map(|stream| &stream.1.lane)
    }

    /// The lane of the tensor that takes data now.
    pub(super) fn lane_mut(&mut self) -> Option<&mut Lane<M>> {
        self.stream(self.current).map(|stream| &mut stream.lane)
    }

    /// As [`Framed::lane_mut`].
    pub(super) fn lane(&self) -> Option<&Lane<M>> {
        self.lane_of(self.current)
    }

    pub(super) fn path(&self) -> Detail {
        self.lane_of(self.stream_id).map_or(Detail::None, Lane::path)
    }

    /// Whether the next bytes are a message's header.
    pub(super) fn is_between(&self) -> bool {
        matches!(self.payload, Payload::None)
    }

    pub(super) fn need(&self) -> Need {
        match self.payload {
            Payload::None => Need::Whole(HEADER),
            Payload::Collect(header) => Need::Whole(header.length as usize),
            Payload::Ping(header) => Need::Whole((header.length as usize).min(ECHO)),
            Payload::Offset(_) => Need::Whole(DATA_HEAD),
            Payload::Skip(left, _) => Need::Skip(left),
            Payload::Data(id, left) => match self.lane_of(id) {
                Some(lane) => {
                    Need::Data(lane.tensor.as_ref().map_or(0, |arriving| arriving.left()).min(left))
                }
                None => Need::Skip(left),
            },
        }
    }

    /// The bytes asked for are there. What a fault says of its place counts from the start of the message.
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
                return self.descriptor(context, header, bytes).map_err(in_payload);
            }
            Payload::Collect(header) => {
                self.remote_error(header, bytes).map_err(in_payload)?;
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
        if self.ended.contains(&stream_id) {
            return refuse(of_id("S-118", "a message on a stream id that an ERROR ended", stream_id));
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
            kind::ERROR if length < 8 => refuse(of_length("S-119", LENGTH_OF_TEXT, length)),
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
        if self.lane_of(header.stream_id).is_some_and(|lane| lane.tensor.is_some()) {
            let what = "a descriptor while a tensor is open on its stream id";
            return Err(of_id("S-110", what, header.stream_id));
        }
        let least = HEADER_LEN + DESCRIPTOR_TAIL;
        if (header.length as usize) < least {
            let what = "a TENSOR_DESCRIPTOR too short for a descriptor";
            return Err(of_length("S-105", what, header.length).limit(least as u64));
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
        check_magic(bytes)?;
        let length =
            bytes.get(6..).and_then(|rest| rest.first_chunk()).copied().map_or(0, u32::from_le_bytes);
        if length as usize != bytes.len() {
            return Err(corrupt("S-105", "payload_length is not descriptor_length + 16")
                .field("descriptor_length")
                .value(length)
                .limit(bytes.len() as u64)
                .at(Place::Byte(6)));
        }
        check_major(bytes)?;
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
        let stream = self.open(context, header.stream_id)?;
        if stream.lane.is_stranded(&decoded, Some(declared)) {
            let (item, fault) = Lane::strand(context, &RULES, decoded)?;
            step.item = Some((header.stream_id, item));
            step.lost = Some(in_payload(fault));
        } else {
            stream.lane.admit(context, &RULES, decoded, Some(declared))?;
            (stream.received, stream.total) = (0, declared);
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
                self.streams.insert(at, (id, Stream { lane: Lane::new(), received: 0, total: 0 }));
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
            let what = "a TENSOR_DATA without a data byte";
            return Err(of_length("S-112", what, header.length).limit(DATA_HEAD as u64 + 1));
        }
        if total == 0 {
            return Err(of_id("S-115", "data for a tensor that has none", header.stream_id));
        }
        Ok(())
    }

    /// Received and total bytes of the tensor that is open on an id (S-111).
    fn open_total(&mut self, header: Header) -> Result<(u64, u64), Fault> {
        match self.stream(header.stream_id) {
            Some(stream) if stream.lane.tensor.is_some() => Ok((stream.received, stream.total)),
            _ => Err(of_id("S-111", "data while no tensor is open on its stream id", header.stream_id)),
        }
    }

    /// S-113 and S-114, once the offset is there.
    fn offset(&mut self, header: Header, bytes: &[u8]) -> Payload {
        let offset = bytes.first_chunk().copied().map_or(0, u64::from_le_bytes);
        let data = u64::from(header.length) - DATA_HEAD as u64;
        let fault = match self.stream(header.stream_id) {
            Some(stream) if stream.received != offset => {
                corrupt("S-113", "data is not where the last frame ended")
                    .field("byte_offset_in_buffer")
                    .value(offset)
                    .limit(stream.received)
                    .at(Place::Byte(HEADER as u64))
            }
            Some(stream) if data > stream.total - stream.received => {
                corrupt("S-114", "data beyond the tensor's end")
                    .field("data bytes")
                    .value(data)
                    .limit(stream.total - stream.received)
                    .at(Place::Byte(8))
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
        let Some((_, stream)) = self.streams.get_mut(at) else { return Ok(None) };
        let item = stream.lane.end(context)?;
        if stream.lane.is_idle() {
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
                if let Some(stream) = self.stream(id) {
                    stream.received += count;
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
    fn remote_error(&mut self, header: Header, payload: &[u8]) -> Result<(), Fault> {
        let (head, text) = payload.split_at_checked(8).unwrap_or((payload, &[]));
        let word = |at: usize| {
            head.get(at..).and_then(|rest| rest.first_chunk()).copied().map_or(0, u32::from_le_bytes)
        };
        if word(4) as usize != text.len() {
            return Err(corrupt("S-119", LENGTH_OF_TEXT)
                .field("length")
                .value(word(4))
                .limit(text.len() as u64)
                .at(Place::Byte(4)));
        }
        let text = std::str::from_utf8(text).map_err(|error| {
            let at = error.valid_up_to();
            corrupt("S-119", "the text of an ERROR is not UTF-8")
                .field("byte")
                .value(text.get(at).copied().unwrap_or_default())
                .at(Place::Byte(8 + at as u64))
        })?;
        let mut kept = String::new();
        let end = text.floor_char_boundary(text.len().min(super::message::ERROR_TEXT));
        kept.try_reserve(end).map_err(|_| Fault::out_of_memory())?;
        kept.push_str(text.get(..end).unwrap_or_default());
        // An ended id costs no more than the ERROR that ended it.
        self.ended.try_reserve(1).map_err(|_| Fault::out_of_memory())?;
        self.ended.insert(header.stream_id);
        if let Ok(at) = self.find(header.stream_id) {
            self.streams.remove(at);
        }
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

    /// What the end of the input breaks, and on which stream id's member.
    pub(super) fn cut(&self, partial: bool) -> Option<(Fault, Detail)> {
        if partial || !self.is_between() {
            let fault = Fault::new(Status::TRUNCATED, "S-101", "the input ends inside a message");
            return Some(if self.is_between() {
                (fault, Detail::None)
            } else {
                (fault.field("stream_id").value(self.stream_id), self.path())
            });
        }
        let mut cuts = self.streams.iter().filter_map(|(id, Stream { lane, .. })| {
            let fault = lane.cut(&RULES)?;
            let fault = match fault.status {
                Status::TRUNCATED => fault.field("stream_id").value(*id),
                _ => fault,
            };
            Some((fault, lane.path()))
        });
        let first = cuts.next()?;
        // An open tensor on any id comes before an open composite on another.
        Some(cuts.fold(first, |worst, cut| if worst.0.status == Status::TORN { cut } else { worst }))
    }

    /// The complete members of open composites, with their stream ids.
    pub(super) fn salvage(&mut self, mut give: impl FnMut(u32, M::Item)) {
        for (id, mut stream) in self.streams.drain(..) {
            stream.lane.salvage(|item| give(id, item));
        }
    }
}

/// A fault's place in the payload, as one in the message.
fn in_payload(fault: Fault) -> Fault {
    match fault.place {
        Place::Byte(at) => fault.at(Place::Byte(HEADER as u64 + at)),
        _ => fault,
    }
}

fn of_id(rule: &'static str, what: &'static str, stream_id: u32) -> Fault {
    corrupt(rule, what).field("stream_id").value(stream_id).at(Place::Byte(4))
}

fn of_length(rule: &'static str, what: &'static str, length: u32) -> Fault {
    corrupt(rule, what).field("payload_length").value(length).at(Place::Byte(8))
}

fn skip(left: u64, fault: Option<Fault>) -> Payload {
    if left == 0 { Payload::None } else { Payload::Skip(left, fault) }
}

fn not_empty(length: u32) -> Fault {
    of_length("S-116", "a message that must be empty is not", length)
}

/// S-106, the first four bytes.
fn check_magic(bytes: &[u8]) -> Result<(), Fault> {
    match bytes.iter().zip(&MAGIC).position(|(found, wanted)| found != wanted) {
        None => Ok(()),
        Some(at) => {
            Err(Fault::new(Status::INVALID_MAGIC, "S-106", "a TENSOR_DESCRIPTOR without a descriptor")
                .field("byte")
                .value(bytes.get(at).copied().unwrap_or_default())
                .at(Place::Byte(at as u64)))
        }
    }
}

/// S-106, the fifth byte.
fn check_major(bytes: &[u8]) -> Result<(), Fault> {
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
