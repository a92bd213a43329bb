//! Conversions: the same elements in another layout, numbers of another type, codes and what they stand for, and what
//! element access and slices need of layouts. Works on slices of bytes and knows nothing of C. A source's memory may
//! change while it is read: no value decides twice.

pub mod axis;
pub mod bits;
mod block;
pub(crate) mod calibrate;
pub(crate) mod codes;
mod decode;
pub mod dense;
pub(crate) mod dequantize;
pub mod hilbert;
pub mod job;
pub(crate) mod number;
pub mod offset;
pub(crate) mod pack;
mod past;
pub mod plan;
mod planes;
pub(crate) mod quantize;
mod row;
pub(crate) mod scheme;
mod simd;
pub mod slice;
mod split;
pub mod statistics;
mod table;
pub mod target;
mod turn;
