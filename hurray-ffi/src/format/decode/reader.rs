//! A bounded cursor, and arrays out of it.

use crate::format::{Fault, Place, Status};
use smallvec::SmallVec;

/// Reads a descriptor from left to right, never past its end.
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8], at: usize) -> Reader<'a> {
        Reader { bytes, at }
    }

    /// Position of the next byte.
    pub fn at(&self) -> u64 {
        self.at as u64
    }

    /// The whole descriptor.
    pub fn all(&self) -> &'a [u8] {
        self.bytes
    }

    /// What was not read yet.
    pub fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// The next `len` bytes (V-008).
    #[inline]
    pub fn take(&mut self, len: usize, field: &'static str) -> Result<&'a [u8], Fault> {
        match self.rest().get(..len) {
            Some(taken) => {
                self.at += len;
                Ok(taken)
            }
            None => Err(self.truncated("V-008", len as u64, field)),
        }
    }

    #[inline]
    pub fn take_array<const N: usize>(&mut self, field: &'static str) -> Result<[u8; N], Fault> {
        match self.rest().first_chunk::<N>() {
            Some(taken) => {
                self.at += N;
                Ok(*taken)
            }
            None => Err(self.truncated("V-008", N as u64, field)),
        }
    }

    /// A field of `len` bytes that starts here does not fit.
    #[cold]
    pub fn truncated(&self, rule: &'static str, len: u64, field: &'static str) -> Fault {
        Fault::new(Status::TRUNCATED, rule, "bytes needed pass the end of the descriptor")
            .field(field)
            .value(len)
            .limit(self.rest().len() as u64)
            .at(Place::Byte(self.at()))
    }
}

/// Fills an empty array with fixed-width values.
#[inline]
pub(super) fn read_array<T: Copy, const W: usize>(
    values: &mut SmallVec<[T; 8]>,
    bytes: &[u8],
    read: impl Fn([u8; W]) -> T,
) -> Result<(), Fault> {
    let (chunks, _) = bytes.as_chunks::<W>();
    if chunks.len() > values.inline_size() {
        values.try_reserve_exact(chunks.len()).map_err(|_| Fault::out_of_memory())?;
    }
    for chunk in chunks {
        values.push(read(*chunk));
    }
    Ok(())
}

/// An array of fixed-width values.
pub(super) fn array<T: Copy, const W: usize>(
    bytes: &[u8],
    read: impl Fn([u8; W]) -> T,
) -> Result<SmallVec<[T; 8]>, Fault> {
    let mut values = SmallVec::new();
    read_array(&mut values, bytes, read)?;
    Ok(values)
}

/// Opaque bytes that are kept.
pub(super) fn bytes_of(bytes: &[u8]) -> Result<Vec<u8>, Fault> {
    let mut kept = Vec::new();
    kept.try_reserve_exact(bytes.len()).map_err(|_| Fault::out_of_memory())?;
    kept.extend_from_slice(bytes);
    Ok(kept)
}
