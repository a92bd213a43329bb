//! Conversions: the same elements in another layout, numbers of another type, codes and what they stand for, and what
//! element access and slices need of layouts. Works on slices of bytes and knows nothing of C. A source's memory may
//! change while it is read: no value decides twice.

pub mod add;
pub mod axis;
pub mod bits;
mod block;
pub mod boxes;
pub(crate) mod calibrate;
pub mod check;
mod check_parameters;
pub(crate) mod codes;
mod decode;
pub mod dense;
pub(crate) mod dequantize;
pub mod hilbert;
pub mod job;
pub(crate) mod number;
pub mod offset;
pub(crate) mod pack;
pub mod paged;
mod past;
pub mod plan;
mod planes;
pub(crate) mod quantize;
mod row;
pub(crate) mod scheme;
mod simd;
pub mod slice;
pub mod sparse;
pub mod sparse_compress;
pub mod sparse_dense;
mod sparse_find;
mod sparse_keys;
pub mod sparse_plan;
mod sparse_rows;
mod split;
pub mod statistics;
mod table;
pub mod target;
mod turn;
pub mod unit;
pub mod words;

pub use sparse_keys::Duplicates;
