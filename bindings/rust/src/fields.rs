//! Everything that a descriptor carries, read in one call.

use crate::error::{Error, Result, Status};
use crate::sys;

/// The identifier of a descriptor's field, one of the `HURRAY_..._FIELD_...` constants of [`sys`].
pub type FieldId = sys::HurrayDescriptorField;

/// What a field holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A whole number, tag or truth value.
    U64,
    /// A signed number.
    I64,
    /// A real number.
    F64,
    /// Whole numbers.
    U64Array,
    /// Signed numbers.
    I64Array,
    /// Opaque bytes.
    Bytes,
}

/// One field of a descriptor.
#[derive(Clone, Copy, Debug)]
pub struct Field<'a> {
    /// Which field it is.
    pub id: FieldId,
    /// The level of a tile, or the index of a buffer; 0 for all others.
    pub level: u32,
    /// What it holds.
    pub kind: Kind,
    /// How many numbers, or bytes.
    pub count: usize,
    words: &'a [u64],
}

impl<'a> Field<'a> {
    /// The number of a scalar; the first of an array.
    pub fn u64(&self) -> u64 {
        self.words.first().copied().unwrap_or_default()
    }

    /// The signed number of a scalar; the first of an array.
    pub fn i64(&self) -> i64 {
        self.u64().cast_signed()
    }

    /// The real number.
    pub fn f64(&self) -> f64 {
        f64::from_bits(self.u64())
    }

    /// The numbers.
    pub fn u64s(&self) -> &'a [u64] {
        self.words
    }

    /// The signed numbers.
    pub fn i64s(&self) -> impl ExactSizeIterator<Item = i64> + 'a {
        self.words.iter().map(|word| word.cast_signed())
    }

    /// The bytes.
    pub fn bytes(&self) -> impl Iterator<Item = u8> + 'a {
        self.words.iter().flat_map(|word| word.to_le_bytes()).take(self.count)
    }
}

/// Everything that a descriptor carries, in ascending order of identifier, then level. It is a copy: the descriptor may
/// go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fields {
    words: Vec<u64>,
}

impl Fields {
    pub(crate) fn of(words: Vec<u64>) -> Self {
        Self { words }
    }

    /// The words that [`crate::Descriptor::from_fields`] takes.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// All fields, also those that this build has no name for.
    pub fn iter(&self) -> impl Iterator<Item = Field<'_>> {
        Iter { words: &self.words }
    }

    /// The field of this identifier and level, if the descriptor carries it.
    pub fn get(&self, id: FieldId, level: u32) -> Option<Field<'_>> {
        self.iter().find(|field| (field.id, field.level) == (id, level))
    }

    pub(crate) fn require(&self, id: FieldId, level: u32) -> Result<Field<'_>> {
        self.get(id, level).ok_or_else(|| absent(id, level))
    }

    pub(crate) fn u64(&self, id: FieldId, level: u32) -> Result<u64> {
        Ok(self.require(id, level)?.u64())
    }

    pub(crate) fn u64s(&self, id: FieldId, level: u32) -> Result<Vec<u64>> {
        Ok(self.require(id, level)?.u64s().to_vec())
    }

    pub(crate) fn i64s(&self, id: FieldId, level: u32) -> Option<Vec<i64>> {
        Some(self.get(id, level)?.i64s().collect())
    }

    pub(crate) fn bytes(&self, id: FieldId) -> Vec<u8> {
        self.get(id, 0).map(|field| field.bytes().collect()).unwrap_or_default()
    }

    /// A number that its wire field keeps to a narrower type.
    pub(crate) fn narrow<T: TryFrom<u64>>(&self, id: FieldId, level: u32) -> Result<T> {
        T::try_from(self.u64(id, level)?).map_err(|_| absent(id, level))
    }
}

fn absent(id: FieldId, level: u32) -> Error {
    Error::new(Status::FIELD_NOT_PRESENT, format!("field {id:#010x} of level {level} is not carried"))
}

struct Iter<'a> {
    words: &'a [u64],
}

impl<'a> Iterator for Iter<'a> {
    type Item = Field<'a>;

    fn next(&mut self) -> Option<Field<'a>> {
        loop {
            let (&[head, count], rest) = self.words.split_first_chunk::<2>()?;
            let count = usize::try_from(count).ok()?;
            let kind = match head >> 48 {
                1 => Some(Kind::U64),
                2 => Some(Kind::I64),
                3 => Some(Kind::F64),
                4 => Some(Kind::U64Array),
                5 => Some(Kind::I64Array),
                6 => Some(Kind::Bytes),
                _ => None,
            };
            let len = if kind == Some(Kind::Bytes) { count.div_ceil(8) } else { count };
            let (words, rest) = rest.split_at_checked(len)?;
            self.words = rest;
            // A kind that this build does not know is skipped, as an identifier that it does not know may be.
            if let Some(kind) = kind {
                let (id, level) = (head as u32, (head >> 32) as u16 as u32);
                return Some(Field { id, level, kind, count, words });
            }
        }
    }
}
