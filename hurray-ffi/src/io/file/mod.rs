//! The file container: header, tensors, key-value section, index, trailer. Safe, and without system calls.

mod compact;
mod fetch;
mod header;
mod index;
mod kv;
mod names;
mod place;
mod reader;
mod sections;
mod trailer;
mod verify;
mod writer;

pub use compact::{Buffers, Bytes, Content, Stored, Storing, encode, store};
pub use fetch::{Fetch, Source};
pub use header::Header;
pub use kv::{Kv, KvDraft, KvEntry, KvKind};
pub use place::Placement;
pub use reader::{Container, Limits, Located, Member};
pub use trailer::Trailer;
pub use writer::{KvMode, Part, Plan, Sink, Writer};

use crate::format::{Fault, Place, Status};

/// Bytes of the header.
pub const HEADER_LEN: u64 = 64;
/// Bytes of the trailer.
pub const TRAILER_LEN: u64 = 40;

/// A fault of the container's structure at a position of the file.
#[cold]
fn corrupt(rule: &'static str, what: &'static str, at: u64) -> Fault {
    Fault::new(Status::CORRUPT, rule, what).at(Place::Byte(at))
}

/// Bytes that end inside something.
#[cold]
fn truncated(rule: &'static str, what: &'static str, at: u64) -> Fault {
    Fault::new(Status::TRUNCATED, rule, what).at(Place::Byte(at))
}

#[cold]
fn out_of_memory(bytes: usize) -> Fault {
    Fault::new(Status::OUT_OF_MEMORY, "", "an allocation failed").field("bytes").value(bytes as u64)
}

/// `x` rounded up to a multiple of `alignment`, a power of two.
fn up(x: u64, alignment: u64) -> Option<u64> {
    Some(x.checked_add(alignment - 1)? & !(alignment - 1))
}

/// Empty room for `len` values.
fn room<T>(len: usize) -> Result<Vec<T>, Fault> {
    let mut room = Vec::new();
    room.try_reserve_exact(len).map_err(|_| out_of_memory(len.saturating_mul(size_of::<T>())))?;
    Ok(room)
}

/// Appends bytes, or says that memory is out.
fn append(to: &mut Vec<u8>, bytes: &[u8]) -> Result<(), Fault> {
    to.try_reserve(bytes.len()).map_err(|_| out_of_memory(bytes.len()))?;
    to.extend_from_slice(bytes);
    Ok(())
}
