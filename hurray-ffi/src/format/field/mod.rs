//! Fields of a descriptor by number: one identifier space for reading, for writing and for the bulk form.

mod bulk;
mod ids;
mod read;
#[cfg(test)]
mod tests;

pub(crate) use bulk::{Record, Records};
pub use bulk::{each, words_len, write_words};
pub use ids::*;
pub(crate) use read::{Miss, refusal};
pub use read::{find, get};

/// A field's value, borrowed from its descriptor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    /// A whole number, tag or boolean.
    U(u64),
    /// A signed number.
    I(i64),
    /// A real number.
    F(f64),
    /// Whole numbers.
    Us(&'a [u64]),
    /// Whole numbers that the wire holds in 32 bits.
    Us32(&'a [u32]),
    /// Signed numbers.
    Is(&'a [i64]),
    /// Opaque bytes.
    Bytes(&'a [u8]),
}

/// The kinds of value, as the bulk form numbers them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// A whole number.
    U = 1,
    /// A signed number.
    I = 2,
    /// A real number.
    F = 3,
    /// Whole numbers.
    Us = 4,
    /// Signed numbers.
    Is = 5,
    /// Bytes.
    Bytes = 6,
}

impl Value<'_> {
    /// The kind of the value.
    #[inline]
    pub fn kind(&self) -> Kind {
        match self {
            Value::U(_) => Kind::U,
            Value::I(_) => Kind::I,
            Value::F(_) => Kind::F,
            Value::Us(_) | Value::Us32(_) => Kind::Us,
            Value::Is(_) => Kind::Is,
            Value::Bytes(_) => Kind::Bytes,
        }
    }

    /// Elements: 1 for a scalar, bytes for bytes.
    pub fn count(&self) -> usize {
        match self {
            Value::U(_) | Value::I(_) | Value::F(_) => 1,
            Value::Us(values) => values.len(),
            Value::Us32(values) => values.len(),
            Value::Is(values) => values.len(),
            Value::Bytes(bytes) => bytes.len(),
        }
    }
}
