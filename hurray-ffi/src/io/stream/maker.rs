//! What a stream needs of its user: memory for what arrives, bytes of what goes out, and items.

use crate::format::{BufferEntry, Descriptor, Fault};
use smallvec::SmallVec;
use std::ops::Deref;

/// The memory of one arriving tensor, in buffer order. Most have one buffer.
pub type Regions<R> = SmallVec<[R; 1]>;

/// Makes memory and items for a reader.
pub trait Maker {
    /// A descriptor that is kept.
    type Descriptor: Deref<Target = Descriptor> + Clone;
    /// Memory that one buffer arrives in.
    type Region: Region;
    /// A tensor, a composite, or a descriptor without a tensor.
    type Item;

    /// Keeps a descriptor.
    fn descriptor(&self, decoded: Descriptor) -> Result<Self::Descriptor, Fault>;
    /// Memory for a buffer. It grows as bytes arrive, whatever the entry declares.
    fn region(&self, entry: &BufferEntry) -> Result<Self::Region, Fault>;
    /// A tensor whose bytes are all there.
    fn tensor(
        &self,
        descriptor: Self::Descriptor,
        regions: Regions<Self::Region>,
    ) -> Result<Self::Item, Fault>;
    /// A descriptor that comes without a tensor, and the bytes that follow it, where their number is known.
    fn alone(&self, descriptor: Self::Descriptor, data: Option<Self::Region>) -> Result<Self::Item, Fault>;
    /// A composite whose members are all there; its rules were checked.
    fn composite(&self, head: Self::Descriptor, members: Vec<Self::Item>) -> Result<Self::Item, Fault>;
}

/// Memory that fills from its start.
pub trait Region {
    /// Bytes that have arrived.
    fn arrived(&self) -> u64;
    /// Takes in bytes that arrived elsewhere; never more than the buffer holds.
    fn append(&mut self, bytes: &[u8]) -> Result<(), Fault>;
    /// Counts bytes that arrived straight in this memory.
    fn advance(&mut self, count: usize);
}

/// Bytes that a writer holds until they are written.
pub trait Source {
    /// The bytes, at the same address for as long as the source lives.
    fn bytes(&self) -> &[u8];
}
