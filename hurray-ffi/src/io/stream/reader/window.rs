//! Windows: the memory that the next bytes are read into.

use super::super::lane::Context;
use super::super::maker::Maker;
use super::super::{Failure, STEP};
use super::{Form, Need, Reader};
use crate::format::{Fault, Status};

/// Where the next bytes belong.
pub enum Room<'a, R> {
    /// Nowhere: an item waits to be taken.
    None,
    /// In the memory of a buffer that misses so many bytes.
    Region(&'a mut R, usize),
    /// Here.
    Staging(&'a mut [u8]),
}

/// Where the next bytes belong, one piece after the other.
pub struct Rooms<'a, R> {
    /// The memory of a buffer that misses so many bytes.
    pub region: Option<(&'a mut R, usize)>,
    /// What takes the bytes after it.
    pub staging: &'a mut [u8],
}

impl<M: Maker> Reader<M> {
    /// Where the next bytes belong: in a buffer's memory, or in the staging area.
    pub fn room(&mut self, zeroed: bool) -> Result<Room<'_, M::Region>, Failure> {
        self.attempt(|reader| reader.drive(false))?;
        let (direct, want) = self.wanted();
        // A few bytes of a buffer are worth no call of their own when more may be read with them.
        let direct = if direct >= self.limits.read_ahead { direct } else { 0 };
        self.make_room(direct, if direct > 0 { 0 } else { want })?;
        if direct > 0 {
            return Ok(self.region().map_or(Room::None, |region| Room::Region(region, direct)));
        }
        if want == 0 {
            return Ok(Room::None);
        }
        // What is zeroed again and again, for bytes that come one by one, is no more than a few pages.
        let most = if zeroed { self.limits.read_ahead.max(STEP / 16) } else { want };
        let window = self.staging.window(want.min(most), zeroed);
        self.window = (0, window.len());
        Ok(Room::Staging(window))
    }

    /// As [`Reader::room`], for a call that fills several pieces of memory: first the buffer's, then the staging area,
    /// which only takes bytes that come after a full buffer.
    pub fn rooms(&mut self) -> Result<Rooms<'_, M::Region>, Failure> {
        self.attempt(|reader| reader.drive(false))?;
        let (direct, want) = self.wanted();
        let want = if direct > 0 { self.limits.read_ahead } else { want };
        self.make_room(direct, want)?;
        let staging = if want > 0 { self.staging.window(want, false) } else { &mut [] };
        self.window.1 = staging.len();
        let context = Context { maker: &self.maker, limits: &self.limits };
        let region = match self.form.arriving_mut() {
            Some(arriving) if direct > 0 => arriving.region(&context).ok().map(|region| (region, direct)),
            _ => None,
        };
        Ok(Rooms { region, staging })
    }

    /// Takes the memory that the next window shows.
    fn make_room(&mut self, direct: usize, want: usize) -> Result<(), Failure> {
        self.window = (direct, 0);
        self.attempt(|reader| {
            if direct > 0 {
                let context = Context { maker: &reader.maker, limits: &reader.limits };
                if let Some(arriving) = reader.form.arriving_mut() {
                    arriving.region(&context)?;
                }
            }
            if want > 0 { reader.staging.room(want) } else { Ok(()) }
        })
    }

    fn region(&mut self) -> Option<&mut M::Region> {
        let context = Context { maker: &self.maker, limits: &self.limits };
        self.form.arriving_mut().and_then(|arriving| arriving.region(&context).ok())
    }

    /// Bytes that the current buffer misses, or else bytes that the staging area should take.
    fn wanted(&self) -> (usize, usize) {
        if self.ended || self.lost.is_some() {
            return (0, 0);
        }
        let have = self.staging.have().len();
        let ahead = self.limits.read_ahead.saturating_sub(have);
        if !self.ready.is_empty() || self.unheard() {
            return (0, ahead);
        }
        let size = |left: u64| usize::try_from(left).unwrap_or(usize::MAX);
        match self.need() {
            // The shortest item is longer than what tells the forms apart.
            Need::Whole(count) if matches!(self.form, Form::Unknown) => {
                (0, (2 * count).saturating_sub(have).max(ahead))
            }
            Need::Whole(count) => (0, count.saturating_sub(have).max(ahead)),
            Need::Data(left) => (size(left), ahead),
            Need::Skip(left) => (0, size(left).min(STEP / 16).max(ahead)),
        }
    }

    /// The memory of the last window's buffer was this large.
    pub fn limit_window(&mut self, size: usize) {
        self.window.0 = self.window.0.min(size);
    }

    /// Bytes arrived in the last window, from its start.
    pub fn advance(&mut self, count: usize) -> Result<(), Failure> {
        self.attempt(|_| Ok(()))?;
        let (direct, staged) = std::mem::take(&mut self.window);
        if count > direct.saturating_add(staged) {
            self.window = (direct, staged);
            return Err(Fault::new(Status::INVALID_ARGUMENT, "", "more bytes than the window has")
                .field("n")
                .value(count as u64)
                .limit(direct as u64 + staged as u64)
                .into());
        }
        let straight = count.min(direct);
        self.staging.arrived(count - straight);
        if straight == 0 {
            return Ok(());
        }
        self.attempt(|reader| {
            let context = Context { maker: &reader.maker, limits: &reader.limits };
            if let Some(arriving) = reader.form.arriving_mut() {
                arriving.advance(&context, straight)?;
            }
            reader.position += straight as u64;
            reader.passed(straight)
        })
    }
}
