//! What the fuzz targets share.

pub mod calls;
mod descriptor;
mod owners;

pub use descriptor::{Descriptor, decode, from_fields};
