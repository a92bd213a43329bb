//! Tensors over any byte stream, without I/O: a reader that says where the next bytes belong, and a writer that gives
//! a gather list. Safe Rust; the memory of buffers and the items are made by whoever uses it (see [`Maker`]).

mod bare;
mod failure;
mod framed;
mod lane;
mod limits;
mod maker;
mod message;
mod queue;
mod reader;
mod staging;
mod writer;

pub use failure::{Detail, Failure};
pub use limits::Limits;
pub use maker::{Maker, Region, Regions, Source};
pub use message::{DEFAULT_MESSAGE_BYTES, LEAST_MESSAGE_BYTES};
pub use reader::{Reader, Room, Rooms};
pub use writer::{Form, Put, Writer};

/// How far memory may run ahead of the bytes that arrived.
pub const STEP: usize = 1 << 20;
