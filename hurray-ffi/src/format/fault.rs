//! What was wrong, where, and which rule says so. Building one allocates nothing.

use super::Status;
use std::fmt;

/// A number shown in a fault.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// Nothing to show.
    None,
    /// A whole number.
    Int(i128),
    /// A real number.
    Real(f64),
}

/// The part of a descriptor that a whole-descriptor rule speaks of; decoding turns it into a byte offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// No part.
    None,
    /// A byte offset in the input.
    Byte(u64),
    /// The layout tag.
    LayoutTag,
    /// The element type tag.
    TypeTag,
    /// The rank.
    Rank,
    /// A dimension.
    Shape(u32),
    /// `byte_offset`.
    ByteOffset,
    /// A byte of the layout payload.
    Layout(u32),
    /// `buffer_count`.
    BufferCount,
    /// A byte (0 to 15) of an entry of the buffer table.
    Buffer(u32, u32),
    /// A byte of the quantization payload, after the length.
    Quantization(u32),
    /// A byte of the shard section.
    Shard(u32),
    /// A byte of the statistics section.
    Statistics(u32),
    /// A byte of the extension type section.
    ExtensionType(u32),
    /// A byte of the composite member section.
    Member(u32),
}

/// A refusal: status, rule, and the offset, field and value at fault.
#[derive(Clone, Copy, Debug)]
pub struct Fault {
    /// The outcome.
    pub status: Status,
    /// Rule id of the written format, or empty.
    pub rule: &'static str,
    /// What is wrong, as a phrase.
    pub what: &'static str,
    /// The field at fault, or empty.
    pub field: &'static str,
    /// Element of an array field.
    pub index: Option<u64>,
    /// The value found.
    pub value: Number,
    /// The bound or value wanted.
    pub limit: Number,
    /// Where; resolved to `Place::Byte` by decoding, `Place::None` where there is no input.
    pub place: Place,
    /// The system's error number, 0 for none.
    pub os_error: i32,
}

impl Fault {
    /// A fault with no detail yet.
    #[cold]
    pub fn new(status: Status, rule: &'static str, what: &'static str) -> Fault {
        Fault {
            status,
            rule,
            what,
            field: "",
            index: None,
            value: Number::None,
            limit: Number::None,
            place: Place::None,
            os_error: 0,
        }
    }

    /// An outcome the caller plans for; it carries no text.
    pub fn answer(status: Status) -> Fault {
        Fault::new(status, "", "")
    }

    /// Memory for what the caller or the input sized was refused.
    #[cold]
    pub fn out_of_memory() -> Fault {
        Fault::new(Status::OUT_OF_MEMORY, "", "an allocation failed")
    }

    /// Names the field.
    pub fn field(self, field: &'static str) -> Fault {
        Fault { field, ..self }
    }

    /// Names the element of an array field.
    pub fn index(self, index: usize) -> Fault {
        Fault { index: Some(index as u64), ..self }
    }

    /// Shows a whole value.
    pub fn value(self, value: impl Into<i128>) -> Fault {
        Fault { value: Number::Int(value.into()), ..self }
    }

    /// Shows a real value.
    pub fn real(self, value: f64) -> Fault {
        Fault { value: Number::Real(value), ..self }
    }

    /// Shows the bound or the value wanted.
    pub fn limit(self, limit: impl Into<i128>) -> Fault {
        Fault { limit: Number::Int(limit.into()), ..self }
    }

    /// Says where.
    pub fn at(self, place: Place) -> Fault {
        Fault { place, ..self }
    }

    /// The input offset, if one is known.
    pub fn offset(&self) -> Option<u64> {
        match self.place {
            Place::Byte(offset) => Some(offset),
            _ => None,
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Number::None => Ok(()),
            Number::Int(value) => value.fmt(f),
            Number::Real(value) => value.fmt(f),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.rule.is_empty() {
            write!(f, "{}: ", self.rule)?;
        }
        f.write_str(self.what)?;
        if !self.field.is_empty() {
            write!(f, ": {}", self.field)?;
            if let Some(index) = self.index {
                write!(f, "[{index}]")?;
            }
            if self.value != Number::None {
                write!(f, " = {}", self.value)?;
            }
            if self.limit != Number::None {
                let word = if self.status == Status::BUFFER_TOO_SMALL { "needs" } else { "limit" };
                write!(f, " ({word} {})", self.limit)?;
            }
        }
        if let Some(offset) = self.offset() {
            write!(f, ", at byte {offset}")?;
        }
        if self.os_error != 0 {
            write!(f, ", system error {}", self.os_error)?;
        }
        Ok(())
    }
}

impl std::error::Error for Fault {}
