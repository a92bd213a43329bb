//! The reader: it tells the two forms apart, says where the next bytes belong, and gives items as they complete.

use super::bare::{self, Bare};
use super::framed::Framed;
use super::lane::{Arriving, Context, DEVICE_TAG, Lane};
use super::maker::Maker;
use super::message::{ERROR_TEXT, Header, code, kind};
use super::staging::Staging;
use super::{Detail, Failure, Limits, STEP};
use crate::format::header::MAGIC;
use crate::format::{BufferEntry, Fault, Place, Status};
use std::collections::VecDeque;

mod window;

pub use window::{Room, Rooms};

/// What a form wants next.
pub(super) enum Need {
    /// So many bytes together.
    Whole(usize),
    /// So many bytes of the current buffer.
    Data(u64),
    /// So many bytes that are passed by.
    Skip(u64),
}

/// What became of bytes that were taken.
pub(super) struct Step<M: Maker> {
    pub(super) taken: usize,
    pub(super) item: Option<(u32, M::Item)>,
    /// Why nothing can come after the item.
    pub(super) lost: Option<Fault>,
}

impl<M: Maker> Step<M> {
    pub(super) fn nothing() -> Step<M> {
        Step { taken: 0, item: None, lost: None }
    }
}

/// Bytes that tell the forms apart.
const SNIFF: usize = 5;

#[expect(clippy::large_enum_variant, reason = "one for each reader")]
enum Form<M: Maker> {
    Unknown,
    Bare(Bare<M>),
    Framed(Framed<M>),
}

/// Reads items from bytes that its user fetches.
pub struct Reader<M: Maker> {
    maker: M,
    limits: Limits,
    form: Form<M>,
    staging: Staging,
    /// Input offset of the first byte that was not used.
    position: u64,
    /// Input offset of the current message of a framed stream.
    message: u64,
    ready: VecDeque<(u32, M::Item)>,
    stream_id: u32,
    ended: bool,
    failure: Option<Failure>,
    /// What ends this reader once every item was taken.
    lost: Option<Failure>,
    /// The last window: bytes of a buffer's memory, and bytes of the staging area after them.
    window: (usize, usize),
    replies: Vec<u8>,
    /// The descriptor that bytes came from last.
    fd: Option<i64>,
}

impl<M: Maker> Reader<M> {
    /// A reader at the start of a stream.
    pub fn new(maker: M, limits: Limits) -> Reader<M> {
        Reader {
            maker,
            limits,
            form: Form::Unknown,
            staging: Staging::new(),
            position: 0,
            message: 0,
            ready: VecDeque::new(),
            stream_id: 0,
            ended: false,
            failure: None,
            lost: None,
            window: (0, 0),
            replies: Vec::new(),
            fd: None,
        }
    }

    /// What ended this reader, if anything did.
    pub fn failure(&self) -> Option<&Failure> {
        self.failure.as_ref()
    }

    /// Bytes come from this descriptor now; those of a network carry no event.
    pub fn source(&mut self, fd: i64, is_network: impl FnOnce(i64) -> bool) {
        if self.fd.replace(fd) != Some(fd) && is_network(fd) {
            self.limits.cross_machine = true;
        }
    }

    /// What a peer's ERROR said, if it sent one.
    pub fn remote(&self) -> Option<&Failure> {
        match &self.form {
            Form::Framed(framed) => framed.remote.as_ref(),
            _ => None,
        }
    }

    /// Whether a peer's ERROR waits to be told: nothing that came after it is used before, however the bytes were split.
    fn unheard(&self) -> bool {
        matches!(&self.form, Form::Framed(framed) if framed.remote.is_some() && !framed.heard)
    }

    /// As [`Reader::remote`], once.
    pub fn news(&mut self) -> Option<Failure> {
        match &mut self.form {
            Form::Framed(framed) if !framed.heard => {
                framed.heard = true;
                framed.remote.clone()
            }
            _ => None,
        }
    }

    /// Whether the input has ended.
    pub fn is_ended(&self) -> bool {
        self.ended
    }

    /// The stream id of the last item taken; 0 in a bare stream.
    pub fn stream_id(&self) -> u32 {
        self.stream_id
    }

    /// Bytes that were read ahead and are not part of any item taken or arriving so far.
    pub fn unread(&self) -> &[u8] {
        self.staging.have()
    }

    /// Messages owed to the peer.
    pub fn replies(&self) -> &[u8] {
        &self.replies
    }

    /// The replies were sent, or taken to be sent.
    pub fn clear_replies(&mut self) {
        self.replies.clear();
    }

    /// The next item.
    pub fn first(&self) -> Option<&M::Item> {
        self.ready.front().map(|(_, item)| item)
    }

    /// Takes the next item out.
    pub fn take(&mut self) -> Option<M::Item> {
        let (id, item) = self.ready.pop_front()?;
        self.stream_id = id;
        if self.ready.is_empty() && self.failure.is_none() {
            self.failure = self.lost.take();
        }
        Some(item)
    }

    /// Runs one step under the rule that a failure is for ever.
    fn attempt<R>(&mut self, body: impl FnOnce(&mut Self) -> Result<R, Fault>) -> Result<R, Failure> {
        if let Some(failure) = &self.failure {
            return Err(failure.clone());
        }
        body(self).map_err(|fault| self.fail(fault))
    }

    #[cold]
    fn fail(&mut self, fault: Fault) -> Failure {
        let failure = self.describe(fault);
        self.failure = Some(failure.clone());
        failure
    }

    /// Where something went wrong, which the peer is told.
    fn describe(&mut self, fault: Fault) -> Failure {
        let (start, detail) = match &self.form {
            Form::Unknown => (self.position, Detail::None),
            Form::Bare(bare) => (self.position, bare.lane.path()),
            Form::Framed(framed) => (self.message, framed.path()),
        };
        let at = match fault.place {
            Place::Byte(offset) => start.saturating_add(offset),
            _ => start,
        };
        let failure = Failure { fault: fault.at(Place::Byte(at)), detail };
        self.owe_error(&failure.fault);
        failure
    }

    /// The ERROR that a peer is told: not when it is gone already.
    fn owe_error(&mut self, fault: &Fault) {
        let Form::Framed(framed) = &self.form else { return };
        if self.ended {
            return;
        }
        let code = match fault.rule {
            "S-104" => code::MESSAGE_TOO_LARGE,
            _ if fault.field == DEVICE_TAG => code::DEVICE_UNAVAILABLE,
            _ => code::INVALID_MESSAGE,
        };
        let mut text = fault.to_string();
        text.truncate(text.floor_char_boundary(ERROR_TEXT));
        let length = text.len() as u32;
        let header = Header { kind: kind::ERROR, stream_id: framed.stream_id, length: 8 + length };
        let parts: [&[u8]; 4] =
            [&header.encode(), &code.to_le_bytes(), &length.to_le_bytes(), text.as_bytes()];
        // Without memory for it the peer learns from the end of the connection.
        if self.replies.try_reserve(20 + text.len()).is_ok() {
            parts.iter().for_each(|part| self.replies.extend_from_slice(part));
        }
    }

    fn need(&self) -> Need {
        match &self.form {
            Form::Unknown => Need::Whole(SNIFF),
            Form::Bare(bare) => bare.need(),
            Form::Framed(framed) => framed.need(),
        }
    }

    /// Uses what has arrived, as far as the next complete item or, if asked, as the next descriptor.
    fn drive(&mut self, stop_at_descriptor: bool) -> Result<(), Fault> {
        // What moves here, or may change hands before the next step, is where the last window was.
        self.window = (0, 0);
        while self.ready.is_empty() && !self.unheard() {
            if stop_at_descriptor && self.arriving().is_some() {
                return Ok(());
            }
            let have = self.staging.have();
            match self.need() {
                Need::Whole(count) if have.len() < count => return self.glance(),
                Need::Whole(count) => {
                    let used = self.whole(count)?;
                    self.used(used);
                }
                Need::Data(_) | Need::Skip(_) if have.is_empty() => return Ok(()),
                Need::Data(left) => {
                    let count = usize::try_from(left).unwrap_or(usize::MAX).min(have.len());
                    self.data(count)?;
                    self.used(count);
                    self.passed(count)?;
                }
                Need::Skip(left) => {
                    let count = usize::try_from(left).unwrap_or(usize::MAX).min(have.len());
                    self.used(count);
                    self.passed(count)?;
                }
            }
        }
        Ok(())
    }

    fn used(&mut self, count: usize) {
        self.position += count as u64;
        self.staging.consume(count);
    }

    /// Looks at bytes that are not all there yet.
    fn glance(&self) -> Result<(), Fault> {
        let have = self.staging.have();
        match &self.form {
            Form::Unknown => sniff(have).map(|_| ()),
            // A length that is known says that the start was looked at.
            Form::Bare(_) => bare::check_start(have),
            Form::Framed(_) => Ok(()),
        }
    }

    /// Gives the form the bytes that it asked for.
    fn whole(&mut self, count: usize) -> Result<usize, Fault> {
        let context = Context { maker: &self.maker, limits: &self.limits };
        let bytes = self.staging.have().get(..count).unwrap_or_default();
        let step = match &mut self.form {
            Form::Unknown => {
                self.form = match sniff(bytes)? {
                    true => Form::Bare(Bare::new()),
                    false => Form::Framed(Framed::new()),
                };
                return Ok(0);
            }
            Form::Bare(bare) => bare.take(&context, bytes)?,
            Form::Framed(framed) => {
                if framed.is_between() {
                    self.message = self.position;
                }
                let step = framed.take(&context, bytes)?;
                for (stream_id, echo) in framed.pings.drain(..) {
                    // A peer that never reads its answers gets no more of them.
                    if self.replies.len() < STEP / 16 {
                        let header = Header { kind: kind::PONG, stream_id, length: echo.len() as u32 };
                        self.replies.try_reserve(12 + echo.len()).map_err(|_| Fault::out_of_memory())?;
                        self.replies.extend_from_slice(&header.encode());
                        self.replies.extend_from_slice(&echo);
                    }
                }
                step
            }
        };
        if let Some(fault) = step.lost {
            self.lost = Some(self.describe(fault));
            self.salvage();
        }
        self.push(step.item)?;
        Ok(step.taken)
    }

    fn push(&mut self, item: Option<(u32, M::Item)>) -> Result<(), Fault> {
        if let Some(item) = item {
            self.ready.try_reserve(1).map_err(|_| Fault::out_of_memory())?;
            self.ready.push_back(item);
        }
        Ok(())
    }

    /// Moves bytes of the current buffer out of the staging area.
    fn data(&mut self, count: usize) -> Result<(), Fault> {
        let context = Context { maker: &self.maker, limits: &self.limits };
        let bytes = self.staging.have().get(..count).unwrap_or_default();
        if let Some(arriving) = self.form.arriving_mut() {
            arriving.append(&context, bytes)?;
        }
        Ok(())
    }

    /// Bytes of the current buffer are where they belong, or were passed by.
    fn passed(&mut self, count: usize) -> Result<(), Fault> {
        let context = Context { maker: &self.maker, limits: &self.limits };
        let item = match &mut self.form {
            Form::Unknown => None,
            Form::Bare(bare) => bare.end_if_complete(&context)?,
            Form::Framed(framed) => {
                framed.passed(count as u64)?;
                None
            }
        };
        self.push(item)
    }

    fn arriving(&self) -> Option<&Arriving<M>> {
        match &self.form {
            Form::Unknown => None,
            Form::Bare(bare) => bare.lane.tensor.as_ref(),
            Form::Framed(framed) => framed.lane().and_then(|lane| lane.tensor.as_ref()),
        }
    }

    /// The descriptor of the tensor whose bytes come next, if it has arrived; never a composite's head.
    pub fn pending(&mut self) -> Result<Option<M::Descriptor>, Failure> {
        self.attempt(|reader| reader.drive(true))?;
        let arriving = self.arriving().filter(|arriving| self.ready.is_empty() && !arriving.is_head());
        Ok(arriving.map(|arriving| arriving.descriptor.clone()))
    }

    /// Takes the caller's memory for a buffer of the tensor that [`Reader::pending`] gives.
    pub fn provide(
        &mut self,
        index: u64,
        make: impl FnOnce(&BufferEntry) -> Result<M::Region, Fault>,
    ) -> Result<(), Failure> {
        self.attempt(|reader| reader.drive(true))?;
        let none = || Fault::new(Status::INVALID_ARGUMENT, "", "no tensor is arriving");
        if !self.ready.is_empty() {
            return Err(none().into());
        }
        match self.form.arriving_mut() {
            Some(arriving) if !arriving.is_head() => Ok(arriving.provide(index, make)?),
            _ => Err(none().into()),
        }
    }

    /// Keeps what went wrong with memory or with the source.
    pub fn refuse(&mut self, fault: Fault) -> Failure {
        self.fail(fault)
    }

    /// Takes bytes in, up to the end of an item; past it, as many as may be read ahead. Gives how many were taken.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<usize, Failure> {
        self.window = (0, 0);
        self.attempt(|_| Ok(()))?;
        if self.ended {
            return Err(Fault::new(Status::INVALID_ARGUMENT, "", "bytes after the end of the input").into());
        }
        self.attempt(|reader| {
            reader.drive(false)?;
            let mut rest = bytes;
            while !rest.is_empty() {
                let count = reader.feed_some(rest)?;
                if count == 0 {
                    break;
                }
                rest = rest.get(count..).unwrap_or_default();
                reader.drive(false)?;
            }
            Ok(bytes.len() - rest.len())
        })
    }

    fn feed_some(&mut self, bytes: &[u8]) -> Result<usize, Fault> {
        let have = self.staging.have().len();
        let direct = matches!(self.need(), Need::Data(_)) && have == 0 && self.ready.is_empty();
        let most = match self.need() {
            _ if self.lost.is_some() => 0,
            _ if !self.ready.is_empty() || self.unheard() => self.limits.read_ahead.saturating_sub(have),
            Need::Whole(count) => count.saturating_sub(have),
            Need::Data(left) | Need::Skip(left) => usize::try_from(left).unwrap_or(usize::MAX),
        };
        let count = most.min(bytes.len());
        let bytes = bytes.get(..count).unwrap_or_default();
        if !direct {
            return self.staging.append(bytes);
        }
        let context = Context { maker: &self.maker, limits: &self.limits };
        if let Some(arriving) = self.form.arriving_mut() {
            arriving.append(&context, bytes)?;
        }
        self.position += count as u64;
        self.passed(count)?;
        Ok(count)
    }

    /// Uses what has arrived, up to the next item; says whether there is one.
    pub fn poll(&mut self) -> Result<bool, Failure> {
        if !self.ready.is_empty() {
            return Ok(true);
        }
        self.attempt(|reader| reader.drive(false))?;
        if self.ready.is_empty() && self.ended && !self.unheard() {
            self.check_cut()?;
        }
        Ok(!self.ready.is_empty())
    }

    /// No more bytes come. What arrived whole can still be taken.
    pub fn finish(&mut self) -> Result<(), Failure> {
        self.attempt(|_| Ok(()))?;
        self.ended = true;
        self.poll().map(|_| ())
    }

    /// The end of the input, once everything before it was used.
    fn check_cut(&mut self) -> Result<(), Failure> {
        let partial = !self.staging.have().is_empty();
        let cut = match &self.form {
            Form::Unknown if !partial => None,
            Form::Unknown => {
                let what = "the input ends inside the first tensor";
                Some((Fault::new(Status::TRUNCATED, bare::RULES.cut, what), Detail::None))
            }
            Form::Bare(bare) => bare.cut(partial).map(|fault| (fault, bare.lane.path())),
            Form::Framed(framed) => framed.cut(partial),
        };
        let Some((fault, detail)) = cut else { return Ok(()) };
        let end = self.position.saturating_add(self.staging.have().len() as u64);
        let failure = Failure { fault: fault.at(Place::Byte(end)), detail };
        self.failure = Some(failure.clone());
        if fault.status == Status::TORN && self.limits.permissive {
            self.salvage();
        }
        if self.ready.is_empty() { Err(failure) } else { Ok(()) }
    }

    /// Gives the members that arrived whole before a composite was torn, as items of their own.
    fn salvage(&mut self) {
        let ready = &mut self.ready;
        let mut give = |id, item| {
            // What does not fit is lost, as its composite is.
            if ready.try_reserve(1).is_ok() {
                ready.push_back((id, item));
            }
        };
        match &mut self.form {
            Form::Unknown => {}
            Form::Bare(bare) => bare.lane.salvage(|item| give(0, item)),
            Form::Framed(framed) => framed.salvage(give),
        }
    }
}

impl<M: Maker> Form<M> {
    fn arriving_mut(&mut self) -> Option<&mut Arriving<M>> {
        let lane: Option<&mut Lane<M>> = match self {
            Form::Unknown => None,
            Form::Bare(bare) => Some(&mut bare.lane),
            Form::Framed(framed) => framed.lane_mut(),
        };
        lane.and_then(|lane| lane.tensor.as_mut())
    }
}

/// Whether a stream is bare, from as many of its first five bytes as there are; a refusal when it is neither form.
fn sniff(bytes: &[u8]) -> Result<bool, Fault> {
    let Some(&first) = bytes.first() else { return Ok(true) };
    if Some(&first) == MAGIC.first() {
        bare::check_start(bytes)?;
        return Ok(true);
    }
    // A message type is a small number, or one of the private ones, which the framed form then refuses by its own rule.
    if (0x10..0xF0).contains(&first) {
        return Err(bare::bad_magic(bytes, 0));
    }
    match bytes.iter().take(4).skip(1).position(|&byte| byte != 0) {
        Some(at) => Err(bare::bad_magic(bytes, at + 1)),
        None => Ok(false),
    }
}
