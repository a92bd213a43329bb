//! A cursor over a section that is held whole: every read is bounded, and every fault has its place in the file.

use super::truncated;
use crate::format::Fault;

/// Reads a section from front to back.
pub struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    start: u64,
    rule: &'static str,
}

impl<'a> Cursor<'a> {
    /// A section that starts at `start` of the file; bytes that are missing break `rule`.
    pub fn new(bytes: &'a [u8], start: u64, rule: &'static str) -> Cursor<'a> {
        Cursor { bytes, at: 0, start, rule }
    }

    /// Position in the section.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Position in the file.
    pub fn place(&self) -> u64 {
        self.start + self.at as u64
    }

    /// Bytes that are left.
    pub fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// The next `len` bytes.
    pub fn take(&mut self, len: usize) -> Result<&'a [u8], Fault> {
        let found = self.bytes.get(self.at..).and_then(|rest| rest.get(..len));
        let Some(found) = found else {
            return Err(truncated(self.rule, "the section ends inside an entry", self.place())
                .field("bytes left")
                .value(self.left() as u64)
                .limit(len as u64));
        };
        self.at += len;
        Ok(found)
    }

    /// The next `N` bytes.
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], Fault> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    /// The next 16-bit word.
    pub fn u16(&mut self) -> Result<u16, Fault> {
        self.array().map(u16::from_le_bytes)
    }

    /// The next 32-bit word.
    pub fn u32(&mut self) -> Result<u32, Fault> {
        self.array().map(u32::from_le_bytes)
    }

    /// The next 64-bit word.
    pub fn u64(&mut self) -> Result<u64, Fault> {
        self.array().map(u64::from_le_bytes)
    }
}
