//! The bytes of a program, read from the front; behind the end come zeros.

use super::SLOTS;

pub struct Tape<'a>(&'a [u8]);

impl<'a> Tape<'a> {
    pub fn new(bytes: &'a [u8]) -> Tape<'a> {
        Tape(bytes)
    }

    pub fn next(&mut self) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    pub fn byte(&mut self) -> u8 {
        self.next().unwrap_or(0)
    }

    pub fn slot(&mut self) -> usize {
        usize::from(self.byte()) % SLOTS
    }

    pub fn u32(&mut self) -> u32 {
        u32::from_le_bytes(std::array::from_fn(|_| self.byte()))
    }

    /// A number that is small, at an edge, or any.
    pub fn number(&mut self) -> u64 {
        match self.byte() {
            small @ ..240 => u64::from(small),
            240..248 => u64::from(self.u32()),
            248 => u64::MAX,
            249 => 1 << 63,
            250 => u64::from(u32::MAX),
            _ => u64::from(self.u32()) << 32 | u64::from(self.u32()),
        }
    }

    /// The next bytes, as many as a byte says and as there are.
    pub fn bytes(&mut self) -> &'a [u8] {
        let len = usize::from(self.byte()).min(self.0.len());
        let (taken, rest) = self.0.split_at(len);
        self.0 = rest;
        taken
    }
}
