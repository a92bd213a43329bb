//! Every rule at once: each descriptor, each composite, each padding byte.

use super::{Container, Fetch, HEADER_LEN, Source, TRAILER_LEN, corrupt, out_of_memory, room};
use crate::format::Fault;

const CHUNK: usize = 64 << 10;

impl Container {
    /// F-042 to F-053, entry by entry, then F-049.
    pub fn verify(&self, source: &dyn Source) -> Result<(), Fault> {
        let mut fetch = Fetch::new(source);
        let mut used = room(3 * self.index().len() as usize + 4)?;
        used.push((0, HEADER_LEN));
        used.push((self.trailer.index_offset, self.trailer.index_offset + self.trailer.index_length));
        used.push((self.trailer.kv_offset, self.trailer.kv_offset + u64::from(self.trailer.kv_length)));
        used.push((self.size - TRAILER_LEN, self.size));
        for position in 0..self.index().len() {
            let (_, entry) = self.entry(position.into())?;
            let located = self.locate(&mut fetch, position, entry.descriptor_end())?;
            used.try_reserve(2 + located.placement.buffers.len()).map_err(|_| out_of_memory(CHUNK))?;
            used.push((entry.descriptor_offset, entry.descriptor_end()));
            if located.descriptor.has_buffer_table() {
                used.extend(located.placement.buffers.iter().map(|&(start, length)| (start, start + length)));
            } else {
                used.push((entry.data_offset, entry.data_offset + entry.data_length));
            }
        }
        for &item in self.items(source)? {
            if self.locate(&mut fetch, item, 0)?.members().is_some() {
                self.composite(&mut fetch, item)?;
            }
        }
        used.sort_unstable();
        let mut end = 0;
        for (start, stop) in used {
            if start > end {
                padding(source, end, start)?;
            }
            end = end.max(stop);
        }
        Ok(())
    }
}

/// F-049.
fn padding(source: &dyn Source, start: u64, end: u64) -> Result<(), Fault> {
    let mut chunk = room(CHUNK.min(usize::try_from(end - start).unwrap_or(CHUNK)))?;
    let mut at = start;
    while at < end {
        let len = usize::try_from(end - at).unwrap_or(CHUNK).min(CHUNK);
        chunk.resize(len, 0);
        source.read_at(at, &mut chunk)?;
        if let Some(place) = chunk.iter().position(|&byte| byte != 0) {
            return Err(corrupt("F-049", "a padding byte is not 0", at + place as u64)
                .field("padding")
                .value(chunk.get(place).copied().unwrap_or(0)));
        }
        at += len as u64;
    }
    Ok(())
}
