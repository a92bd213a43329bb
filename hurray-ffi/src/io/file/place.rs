//! Where the parts of a tensor lie.

use super::up;
use smallvec::SmallVec;

/// Start and length of each buffer.
pub type Ranges = SmallVec<[(u64, u64); 4]>;

/// The place of one tensor's data.
#[derive(Clone, Debug)]
pub struct Placement {
    /// Where the data starts; behind a descriptor without buffers, the next multiple of 8.
    pub data_offset: u64,
    /// Bytes from there to the end of the last buffer.
    pub data_length: u64,
    /// The buffers.
    pub buffers: Ranges,
}

/// Places buffers from `data_offset` on, each at a multiple of the data alignment; `None` beyond 64 bits.
pub fn buffers_from(data_offset: u64, alignment: u32, sizes: impl Iterator<Item = u64>) -> Option<Placement> {
    let mut buffers = Ranges::new();
    let mut end = data_offset;
    for size in sizes {
        let start = up(end, alignment.into())?;
        end = start.checked_add(size)?;
        buffers.push((start, size));
    }
    Some(Placement { data_offset, data_length: end - data_offset, buffers })
}

/// Places a tensor behind its descriptor; `None` beyond 64 bits.
pub fn after(descriptor_end: u64, alignment: u32, sizes: &[u64]) -> Option<Placement> {
    let data_offset = up(descriptor_end, if sizes.is_empty() { 8 } else { alignment.into() })?;
    buffers_from(data_offset, alignment, sizes.iter().copied())
}
