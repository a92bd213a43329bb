//! What the fuzz targets share.

pub mod calls;
mod descriptor;
pub mod file;
mod owners;
pub mod stream;

pub use descriptor::{Descriptor, decode, from_fields};
