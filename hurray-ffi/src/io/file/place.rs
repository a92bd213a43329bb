//! Where the parts of a tensor lie.

use super::{out_of_memory, up};
use crate::format::Fault;
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
///
/// # Errors
/// `OUT_OF_MEMORY`.
pub fn buffers_from(
    data_offset: u64,
    alignment: u32,
    sizes: impl ExactSizeIterator<Item = u64>,
) -> Result<Option<Placement>, Fault> {
    let mut buffers = Ranges::new();
    buffers.try_reserve(sizes.len()).map_err(|_| out_of_memory(16 * sizes.len()))?;
    let mut end = data_offset;
    for size in sizes {
        let start = up(end, alignment.into());
        let Some((start, next)) = start.and_then(|start| Some((start, start.checked_add(size)?))) else {
            return Ok(None);
        };
        end = next;
        buffers.push((start, size));
    }
    Ok(Some(Placement { data_offset, data_length: end - data_offset, buffers }))
}

/// Places a tensor behind its descriptor; `None` beyond 64 bits.
///
/// # Errors
/// `OUT_OF_MEMORY`.
pub fn after(descriptor_end: u64, alignment: u32, sizes: &[u64]) -> Result<Option<Placement>, Fault> {
    let Some(data_offset) = up(descriptor_end, if sizes.is_empty() { 8 } else { alignment.into() }) else {
        return Ok(None);
    };
    buffers_from(data_offset, alignment, sizes.iter().copied())
}
