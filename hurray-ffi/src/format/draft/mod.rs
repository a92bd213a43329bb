//! The builder: a descriptor made field by field. It takes exactly what a decoder takes.
//!
//! A field is refused under the conditions of reading one, in their order, where they make sense for writing;
//! without its scheme set, a scheme's field belongs to another scheme. What only the whole can tell (missing
//! fields, fields without effect, derived fields that disagree) is left to `finish`.
//!
//! A descriptor that was read permissively can be rebuilt: setting `PRIVATE_LAYOUT_ID` or an `UNKNOWN_DATA`
//! is the agreement to its private or unknown part, and setting `HEADER_FIELD_ENCODED_LENGTH`, which only a
//! descriptor that exists has, that to an unknown element type. `finish` then reads permissively too.

mod assemble;
mod check;
mod defaults;
mod store;
#[cfg(test)]
mod tests;
mod words;

use super::field::*;
use super::{
    BufferEntry, Descriptor, Dims, Entries, Fault, MAX_BUFFERS, MAX_RANK, Place, Status, TagClass, tag_class,
};
use store::Store;

/// A descriptor under construction.
#[derive(Debug)]
pub struct Draft {
    element_type: u8,
    layout: u8,
    shape: Dims,
    byte_offset: u64,
    buffers: Entries,
    /// Every other field.
    fields: Store,
}

impl Draft {
    /// A draft without fields and buffers. Tags are judged by `finish`.
    ///
    /// # Errors
    /// `LIMIT_EXCEEDED` for a rank above 64, `OUT_OF_MEMORY`.
    pub fn new(element_type: u8, layout: u8, shape: &[u64]) -> Result<Draft, Fault> {
        if shape.len() > MAX_RANK {
            return Err(Fault::new(Status::LIMIT_EXCEEDED, "V-021", "rank above 64")
                .field("rank")
                .value(shape.len() as u64)
                .limit(MAX_RANK as u64));
        }
        let (buffers, fields) = (Entries::new(), Store::default());
        Ok(Draft { element_type, layout, shape: store::dims(shape)?, byte_offset: 0, buffers, fields })
    }

    /// Sets a field, in place of what it held. Setting one opens its section.
    ///
    /// * `HEADER_FIELD_LAYOUT` and the rank stay what the draft was made with.
    /// * Setting another `SCHEME` drops the fields of the scheme before.
    /// * The wire's value for none (symmetric zero points, no layer) unsets the field.
    /// * `BUFFER_FIELD_BYTE_SIZE` at the level after the last entry adds one, as `push_buffer` does with
    ///   alignment 64 and 0 elsewhere.
    ///
    /// # Errors
    /// In this order: `INVALID_ARGUMENT` for no sub-object, `UNSUPPORTED` behind a layout that is not
    /// understood, `FIELD_NOT_APPLICABLE` for another layout or scheme, `INVALID_ARGUMENT` for no field or
    /// another kind, `INDEX_OUT_OF_BOUNDS` for no such level (`LIMIT_EXCEEDED` above what the format allows),
    /// `INVALID_ARGUMENT` for a value that its wire field does not hold or an array that is not as long as
    /// the rank; `OUT_OF_MEMORY`.
    pub fn set(&mut self, id: u32, level: u32, value: Value<'_>) -> Result<(), Fault> {
        let field = self.check(id, level, value)?;
        match (field.id, value) {
            (HEADER_FIELD_ELEMENT_TYPE, Value::U(tag)) => self.element_type = tag as u8,
            (HEADER_FIELD_BYTE_OFFSET, Value::U(bytes)) => self.byte_offset = bytes,
            (HEADER_FIELD_SHAPE, Value::Us(shape)) => self.shape.copy_from_slice(shape),
            (HEADER_FIELD_SHAPE, Value::Us32(shape)) => {
                self.shape.iter_mut().zip(shape).for_each(|(to, &n)| *to = u64::from(n));
            }
            (HEADER_FIELD_LAYOUT, _) => {}
            (BUFFER_FIELD_BYTE_SIZE..=BUFFER_FIELD_MEMORY_CLASS, Value::U(value)) => {
                return self.set_buffer(field.id, level, value);
            }
            (
                QUANT_FIELD_PER_CHANNEL_ZERO_POINT_BUFFER
                | QUANT_FIELD_PER_BLOCK_ZERO_POINT_BUFFER
                | LAYOUT_FIELD_BLOCK_PAGED_LAYER_INDEX,
                Value::U(NONE),
            ) => self.fields.unset(field.id, level),
            _ => {
                self.fields.set(field.id, level, value)?;
                if let (QUANT_FIELD_SCHEME, Value::U(scheme)) = (field.id, value) {
                    self.fields.retain(|id| {
                        let tag = u64::from(id >> 8 & 0xFF);
                        id >> 16 != 2 || tag == 0 || tag == scheme
                    });
                }
            }
        }
        Ok(())
    }

    fn set_buffer(&mut self, id: u32, level: u32, value: u64) -> Result<(), Fault> {
        if level as usize == self.buffers.len() {
            return self.push_buffer(BufferEntry { byte_size: value, ..EMPTY });
        }
        if let Some(entry) = self.buffers.get_mut(level as usize) {
            match id {
                BUFFER_FIELD_BYTE_SIZE => entry.byte_size = value,
                BUFFER_FIELD_ALIGNMENT => entry.alignment = value as u32,
                BUFFER_FIELD_DEVICE_TAG => entry.device_tag = value as u8,
                BUFFER_FIELD_SYNC_MODE => entry.sync_mode = value as u8,
                _ => entry.memory_class = value as u8,
            }
        }
        Ok(())
    }

    /// Adds an entry to the buffer table.
    ///
    /// # Errors
    /// `UNSUPPORTED` for a layout that is not understood, `LIMIT_EXCEEDED` beyond 255, `OUT_OF_MEMORY`.
    pub fn push_buffer(&mut self, entry: BufferEntry) -> Result<(), Fault> {
        if !self.is_understood() {
            return Err(hidden());
        }
        if self.buffers.len() >= MAX_BUFFERS {
            return Err(Fault::new(Status::LIMIT_EXCEEDED, "", "more than 255 buffers").field("buffer_count"));
        }
        self.buffers.try_reserve(1).map_err(|_| Fault::out_of_memory())?;
        self.buffers.push(entry);
        Ok(())
    }

    /// The descriptor, validated as a decoder does.
    ///
    /// # Errors
    /// `INVALID_LAYOUT` or `INVALID_DESCRIPTOR` for a field that is missing, `INVALID_ARGUMENT` for one that
    /// has no effect or is derived and disagrees, the decoder's faults, `OUT_OF_MEMORY`.
    pub fn finish(&self) -> Result<Descriptor, Fault> {
        let assembled = self.assemble()?;
        let len = assembled.encoded_len();
        if u32::try_from(len).is_err() {
            return Err(Fault::new(Status::LIMIT_EXCEEDED, "", "descriptor passes 4 GiB"));
        }
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(len).map_err(|_| Fault::out_of_memory())?;
        bytes.resize(len, 0);
        assembled.encode_into(&mut bytes);
        let descriptor = Descriptor::decode(&bytes, self.is_opaque()).map_err(nowhere)?;
        self.fields.agree_with(&descriptor)?;
        Ok(descriptor)
    }

    /// Whether the layout's fields have identifiers of their own.
    fn is_understood(&self) -> bool {
        matches!(self.layout, 0x01..=0x0B | 0x40 | 0xF0..=0xFE)
    }

    /// Whether there are parts that only an agreement covers, and all of them are agreed to.
    fn is_opaque(&self) -> bool {
        let part = |opaque: bool, id| opaque.then(|| self.fields.get(id, 0).is_some());
        let parts = [
            part(!self.is_understood(), LAYOUT_FIELD_UNKNOWN_DATA),
            part(folded_tag(self.layout) == 0xF0, LAYOUT_FIELD_PRIVATE_LAYOUT_ID),
            part(self.has_unknown_scheme(), QUANT_FIELD_UNKNOWN_DATA),
            part(tag_class(self.element_type) == TagClass::Reserved, HEADER_FIELD_ENCODED_LENGTH),
        ];
        parts.contains(&Some(true)) && !parts.contains(&Some(false))
    }

    fn has_unknown_scheme(&self) -> bool {
        self.fields.get(QUANT_FIELD_UNKNOWN_DATA, 0).is_some()
            || self.scheme().is_some_and(|scheme| !(1..=5).contains(&scheme))
    }

    fn scheme(&self) -> Option<u8> {
        self.fields.number(QUANT_FIELD_SCHEME, 0)
    }
}

/// A buffer index or layer index that stands for none.
const NONE: u64 = u32::MAX as u64;

/// An entry nobody has set anything of.
const EMPTY: BufferEntry =
    BufferEntry { byte_size: 0, alignment: 64, device_tag: 0, sync_mode: 0, memory_class: 0 };

/// There is no input: an offset would mean nothing to the caller.
fn nowhere(fault: Fault) -> Fault {
    fault.at(Place::None)
}

#[cold]
fn hidden() -> Fault {
    Fault::new(Status::UNSUPPORTED, "", "behind a layout that is not understood")
}
