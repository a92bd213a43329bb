//! A descriptor from the bulk form, its fields in any order.

use super::Draft;
use crate::format::field::*;
use crate::format::{Descriptor, Fault, Status};

impl Draft {
    /// The descriptor of these words, as [`write_words`] writes them. A missing field of a buffer entry is 0,
    /// its alignment 64.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for words that are not well formed and for a field that comes twice, is unknown or
    /// has no effect; what `set` and `finish` answer.
    pub fn from_words(words: &[u64]) -> Result<Descriptor, Fault> {
        // Every field takes two words and more, so the input backs what is allocated here.
        let mut records = Vec::new();
        for record in Records(words) {
            records.try_reserve(1).map_err(|_| Fault::out_of_memory())?;
            records.push(record?);
        }
        // Ascending, a scheme comes before its fields and an entry of the buffer table before its attributes.
        records.sort_unstable_by_key(Record::key);
        if let Some([twice, _]) = records.array_windows().find(|[a, b]| a.key() == b.key()) {
            return Err(refused(twice, "field comes twice"));
        }
        let find = |id| records.iter().find(|record| record.key() == (id, 0)).ok_or_else(|| missing(id));
        let tag = |id| find(id)?.read(|value| tag(id, value));
        let (element_type, layout) = (tag(HEADER_FIELD_ELEMENT_TYPE)?, tag(HEADER_FIELD_LAYOUT)?);
        let mut draft = find(HEADER_FIELD_SHAPE)?.read(|value| match value {
            Value::Us(shape) => Draft::new(element_type, layout, shape),
            _ => Err(wrong_kind(HEADER_FIELD_SHAPE)),
        })?;
        for record in &records {
            record.read(|value| draft.set(record.id, record.level, value)).map_err(|fault| {
                match fault.status {
                    Status::FIELD_NOT_APPLICABLE | Status::UNSUPPORTED => {
                        refused(record, "field has no effect")
                    }
                    _ => fault,
                }
            })?;
        }
        draft.finish()
    }
}

fn tag(id: u32, value: Value<'_>) -> Result<u8, Fault> {
    match value {
        Value::U(value) => u8::try_from(value).map_err(|_| too_wide(id, value)),
        _ => Err(wrong_kind(id)),
    }
}

fn name(id: u32) -> &'static str {
    field(id).map_or("field identifier", |field| field.name)
}

#[cold]
fn refused(record: &Record<'_>, what: &'static str) -> Fault {
    Fault::new(Status::INVALID_ARGUMENT, "", what).field(name(record.id)).value(record.id)
}

#[cold]
fn too_wide(id: u32, value: u64) -> Fault {
    let fault = Fault::new(Status::INVALID_ARGUMENT, "", "value too wide for its wire field");
    fault.field(name(id)).value(value).limit(u8::MAX)
}

#[cold]
fn wrong_kind(id: u32) -> Fault {
    Fault::new(Status::INVALID_ARGUMENT, "", "field is of another kind").field(name(id))
}

#[cold]
fn missing(id: u32) -> Fault {
    Fault::new(Status::INVALID_DESCRIPTOR, "", "field is missing").field(name(id))
}
