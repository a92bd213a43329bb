//! The conditions under which one field is refused.

use super::{Draft, NONE, hidden};
use crate::format::field::*;
use crate::format::{Fault, MAX_BUFFERS, Status};

impl Draft {
    /// The field, if it may be set to this value now.
    pub(super) fn check(&self, id: u32, level: u32, value: Value<'_>) -> Result<&'static Field, Fault> {
        let id = folded(id);
        let miss = |miss| refusal(miss, id, level, value.kind());
        let (section, tag, index) = (id >> 16, (id >> 8) as u8, id as u8);
        if !matches!(section, 1..=8) {
            return Err(miss(Miss::Space));
        }
        if !self.is_understood() && (matches!(section, 2..=7) || id == HEADER_FIELD_BUFFER_COUNT) {
            return Err(hidden());
        }
        let belongs = match (section, tag, index) {
            (1, 0, 0) => !self.is_understood(),
            (1 | 2, 0, _) => true,
            (1, _, _) => tag == folded_tag(self.layout),
            (2, _, _) => Some(tag) == self.scheme(),
            _ => tag == 0,
        };
        if !belongs {
            return Err(miss(Miss::Tag));
        }
        let field = field(id).ok_or_else(|| miss(Miss::Name))?;
        if field.kind != value.kind() {
            return Err(miss(Miss::Unset));
        }
        self.check_level(field, level)?;
        self.check_value(field, value)?;
        Ok(field)
    }

    fn check_level(&self, field: &Field, level: u32) -> Result<(), Fault> {
        let count = self.buffers.len();
        let known = match field.id {
            BUFFER_FIELD_BYTE_SIZE => level as usize <= count,
            BUFFER_FIELD_ALIGNMENT..=BUFFER_FIELD_MEMORY_CLASS => (level as usize) < count,
            _ if field.id >> 16 == 7 => (level as usize) < MAX_BUFFERS,
            _ if field.has_levels() && level >= MAX_TILE_LEVELS => return Err(too_deep(level)),
            _ => level == 0 || field.has_levels(),
        };
        if known { Ok(()) } else { Err(refusal(Miss::Level, field.id, level, field.kind)) }
    }

    fn check_value(&self, field: &Field, value: Value<'_>) -> Result<(), Fault> {
        let too_wide =
            |value: u64| wrong(field, "value too wide for its wire field").value(value).limit(field.max);
        match value {
            Value::U(value) if value > field.max => return Err(too_wide(value)),
            Value::Us(values) => {
                if let Some(at) = values.iter().position(|&value| value > field.max) {
                    return Err(too_wide(values[at]).index(at));
                }
            }
            // Zero points are the only signed scalar.
            Value::I(value) if i32::try_from(value).is_err() => {
                return Err(wrong(field, "value too wide for its wire field").value(value));
            }
            Value::F(value) if field.id == QUANT_FIELD_PER_TENSOR_SCALE && !is_float32(value) => {
                return Err(wrong(field, "scale is not a float32").real(value));
            }
            Value::Bytes(bytes) if bytes.len() as u64 > NONE => return Err(too_wide(bytes.len() as u64)),
            _ => {}
        }
        let rank = self.shape.len();
        if matches!(field.kind, Kind::Us | Kind::Is) && value.count() != rank {
            let (count, rank) = (value.count() as u64, rank as u64);
            return Err(wrong(field, "array length is not the rank").value(count).limit(rank));
        }
        match (field.id, value) {
            (HEADER_FIELD_LAYOUT, Value::U(tag)) if tag != u64::from(self.layout) => {
                Err(wrong(field, "layout differs from the one begun with").value(tag).limit(self.layout))
            }
            _ => Ok(()),
        }
    }
}

/// Most levels of a tiled layout.
pub(super) const MAX_TILE_LEVELS: u32 = 8;

#[cold]
pub(super) fn too_deep(level: u32) -> Fault {
    Fault::new(Status::LIMIT_EXCEEDED, "V-035", "more than 8 levels of tiles")
        .field("level")
        .value(level)
        .limit(MAX_TILE_LEVELS - 1)
}

#[cold]
fn wrong(field: &Field, what: &'static str) -> Fault {
    Fault::new(Status::INVALID_ARGUMENT, "", what).field(field.name)
}

/// Whether a real number is one of the float32 values.
fn is_float32(value: f64) -> bool {
    f64::from(value as f32).to_bits() == value.to_bits()
}
