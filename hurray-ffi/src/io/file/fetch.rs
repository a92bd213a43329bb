//! Bytes of a file by position, with adjacent reads merged where a read is dear.

use super::out_of_memory;
use crate::format::{Fault, Place, Status};

/// Where a file's bytes come from.
pub trait Source: Send + Sync {
    /// Size of the file in bytes, as it was when it was opened.
    fn size(&self) -> u64;

    /// Fills `out` from a position; bytes that are not there any more are `TRUNCATED`.
    fn read_at(&self, offset: u64, out: &mut [u8]) -> Result<(), Fault>;

    /// How many bytes are worth reading beyond those asked for, within the tensors asked for.
    fn ahead(&self) -> usize {
        0
    }
}

/// Reads that belong together.
pub struct Fetch<'a> {
    source: &'a dyn Source,
    start: u64,
    window: Vec<u8>,
}

impl<'a> Fetch<'a> {
    /// Starts with nothing read.
    pub fn new(source: &'a dyn Source) -> Fetch<'a> {
        Fetch { source, start: 0, window: Vec::new() }
    }

    /// The source.
    pub fn source(&self) -> &'a dyn Source {
        self.source
    }

    /// `len` bytes at `offset`. Bytes up to `until` will be asked for soon.
    pub fn get(&mut self, offset: u64, len: usize, until: u64) -> Result<&[u8], Fault> {
        let held = self.held(offset);
        if held.is_none_or(|(_, left)| left < len) {
            let until = until.min(self.source.size());
            let soon = usize::try_from(until.saturating_sub(offset)).unwrap_or(usize::MAX);
            self.load(offset, len.max(soon.min(self.source.ahead())))?;
        }
        let skip = self.held(offset).map_or(0, |(skip, _)| skip);
        self.window.get(skip..skip + len).ok_or_else(|| Fault::new(Status::INTERNAL, "", "a read fell short"))
    }

    /// Fills `out` from `offset`: with what is held already, then straight from the source. Bytes up to `until` will
    /// be asked for soon.
    pub fn fill(&mut self, offset: u64, out: &mut [u8], until: u64) -> Result<(), Fault> {
        if out.len() < self.source.ahead() {
            out.copy_from_slice(self.get(offset, out.len(), until)?);
            return Ok(());
        }
        let mut done = 0;
        if let Some((skip, left)) = self.held(offset) {
            done = left.min(out.len());
            if let (Some(to), Some(from)) = (out.get_mut(..done), self.window.get(skip..skip + done)) {
                to.copy_from_slice(from);
            }
        }
        match out.get_mut(done..) {
            Some(rest) if !rest.is_empty() => self.source.read_at(offset + done as u64, rest),
            _ => Ok(()),
        }
    }

    /// Where `offset` is in the window, and how much is held from there.
    fn held(&self, offset: u64) -> Option<(usize, usize)> {
        let skip = usize::try_from(offset.checked_sub(self.start)?).ok()?;
        let left = self.window.len().checked_sub(skip)?;
        (left > 0).then_some((skip, left))
    }

    fn load(&mut self, offset: u64, len: usize) -> Result<(), Fault> {
        self.window.clear();
        self.window.try_reserve(len).map_err(|_| out_of_memory(len))?;
        self.window.resize(len, 0);
        self.start = offset;
        self.source.read_at(offset, &mut self.window).inspect_err(|_| self.window.clear())
    }
}

/// A range of a file as lengths of memory; more than a pointer reaches is a limit.
pub(super) fn length(len: u64, at: u64) -> Result<usize, Fault> {
    usize::try_from(len).map_err(|_| {
        Fault::new(Status::LIMIT_EXCEEDED, "", "more bytes than a pointer can reach").at(Place::Byte(at))
    })
}
