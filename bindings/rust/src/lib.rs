//! The Rust binding of libhurray: [`sys`] declares `hurray.h`, the rest is a thin safe client over it.
//!
//! Nothing here parses a descriptor or computes an offset: every answer is the library's. Handles are released when
//! they are dropped, may move between threads, and may be read from several threads at once. Every call that can fail
//! gives an [`Error`] with the library's status and text.

mod array;
mod buffer;
mod builder;
mod convert;
mod descriptor;
mod dlpack;
mod error;
mod fields;
mod file;
mod file_writer;
mod handle;
mod item;
mod kv;
mod layout;
mod library;
mod list;
mod options;
mod owner;
mod quantization;
mod read;
mod sections;
mod stream;
/// The declarations of `hurray.h`, which says what each of them does. Made by bindgen, and held to the header by a test.
#[allow(missing_docs, non_camel_case_types, clippy::missing_safety_doc)]
pub mod sys;
mod tag;
mod tensor;

pub use array::{Array, ArrayView, Element, ViewFlags};
pub use buffer::{Buffer, BufferFlags, BufferRef, Placement};
pub use builder::DescriptorBuilder;
pub use convert::Converted;
pub use descriptor::{Descriptor, DescriptorRef};
pub use error::{Error, Result, Status};
pub use fields::{Field, FieldId, Fields, Kind};
pub use file::{Advice, FileReader, ReadAt};
pub use file_writer::FileWriter;
pub use item::{Content, Item, ItemRef};
pub use kv::Value;
pub use layout::{Layout, Tile};
pub use library::{abi_version, library_path, live_handles, version};
pub use list::BufferList;
pub use options::Options;
pub use owner::{Keep, Owner};
pub use quantization::Quantization;
pub use sections::{BufferEntry, ExtensionType, Shard, Statistics};
pub use stream::{Arrival, StreamReader, StreamWriter};
pub use tag::{
    BufferRole, CombineOp, CompositionRule, Device, ElementInfo, ElementType, KvRole, MemberRole,
    MemoryClass, SyncMode, tag_name,
};
pub use tensor::Tensor;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
