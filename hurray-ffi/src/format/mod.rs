//! The written format: element types, shapes, layouts, quantization, sections, and the
//! descriptor that holds them. Safe Rust; knows nothing of C, files or threads.

mod boxed;
pub mod composite;
mod decode;
mod describe;
mod descriptor;
pub mod device;
mod draft;
pub mod element;
mod encode;
pub mod extent;
mod fault;
pub mod field;
pub mod header;
mod layout;
pub mod parameters;
mod part;
mod quantization;
pub mod role;
#[cfg(test)]
mod samples;
mod sections;
mod status;
pub mod strides;
pub mod tag;
mod validate;

pub use boxed::Boxed;
pub use describe::describe;
pub use descriptor::{BufferEntry, Descriptor, Dims, Entries, MAX_BUFFERS, MAX_RANK, Strides};
pub use draft::Draft;
pub use element::{ElementInfo, TagClass, element_info, packed_bytes, tag_class};
pub use fault::{Fault, Number, Place};
pub use layout::{BlockPaged, Layout, Tiled, Words32};
pub use part::{Part, part};
pub use quantization::{Quantization, Scheme};
pub use sections::{ExtensionType, Member, Shard, Statistics};
pub use status::Status;
pub use validate::quantization::storage_range;
