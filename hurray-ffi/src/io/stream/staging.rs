//! Bytes that arrived and are not where they belong yet: headers, descriptors, and what was read ahead.

use super::STEP;
use crate::format::Fault;

/// A buffer that is filled at one end and used from the other.
pub(super) struct Staging {
    bytes: Vec<u8>,
    start: usize,
    end: usize,
    /// Every byte from here on is still zero.
    clean: usize,
}

impl Staging {
    pub(super) fn new() -> Staging {
        Staging { bytes: Vec::new(), start: 0, end: 0, clean: 0 }
    }

    /// What has arrived and was not used.
    pub(super) fn have(&self) -> &[u8] {
        self.bytes.get(self.start..self.end).unwrap_or_default()
    }

    /// Counts bytes at the front as used.
    pub(super) fn consume(&mut self, count: usize) {
        self.start = self.end.min(self.start + count);
        if self.start == self.end {
            (self.start, self.end) = (0, 0);
        }
    }

    /// Room for bytes to come: at least one, at most `want` or a step.
    pub(super) fn room(&mut self, want: usize) -> Result<(), Fault> {
        let want = want.clamp(1, STEP);
        if self.bytes.len() - self.end >= want {
            return Ok(());
        }
        self.bytes.copy_within(self.start..self.end, 0);
        (self.start, self.end) = (0, self.end - self.start);
        let missing = want.saturating_sub(self.bytes.len() - self.end);
        if missing > 0 {
            self.bytes.try_reserve_exact(missing).map_err(|_| Fault::out_of_memory())?;
            self.bytes.resize(self.bytes.len() + missing, 0);
        }
        Ok(())
    }

    /// The room, as far as `want`; zeroed if asked for.
    pub(super) fn window(&mut self, want: usize, zeroed: bool) -> &mut [u8] {
        let end = self.bytes.len().min(self.end.saturating_add(want.clamp(1, STEP)));
        if zeroed && let Some(used) = self.bytes.get_mut(self.end..end.min(self.clean)) {
            used.fill(0);
        }
        // Whoever gets the room may write to all of it, whatever it reports.
        self.clean = self.clean.max(end);
        self.bytes.get_mut(self.end..end).unwrap_or_default()
    }

    /// Counts bytes that arrived in the room; never more than there is.
    pub(super) fn arrived(&mut self, count: usize) {
        self.end = self.bytes.len().min(self.end + count);
    }

    /// Takes bytes in from elsewhere.
    pub(super) fn append(&mut self, bytes: &[u8]) -> Result<usize, Fault> {
        self.room(bytes.len())?;
        let room = self.window(bytes.len(), false);
        let count = room.len().min(bytes.len());
        if let (Some(to), Some(from)) = (room.get_mut(..count), bytes.get(..count)) {
            to.copy_from_slice(from);
        }
        self.arrived(count);
        Ok(count)
    }
}
