//! All fields at once, as 64-bit words: `id | level << 32 | kind << 48`, the count, the values.

use super::ids::{FIELDS, Field, folded, folded_tag};
use super::read::{Miss, look_up};
use super::{Kind, Value};
use crate::format::{Descriptor, Fault, Layout, Status, Strides};
use std::ops::ControlFlow;

/// Calls `visit` with identifier, level and value of everything the descriptor carries, derived fields too,
/// in ascending order of identifier, then level.
pub fn each(descriptor: &Descriptor, visit: &mut dyn FnMut(u32, u32, Value<'_>)) {
    let tag = |id: u32| (id >> 8) as u8;
    let layout_tag = match &descriptor.layout {
        Layout::Unknown { .. } => 0,
        layout => folded_tag(layout.tag()),
    };
    let scheme_tag = descriptor.quantization.as_ref().map(|quantization| quantization.scheme.tag());
    // What is not carried would be left out anyway; this is the quick way past most of the identifiers.
    let carried = |field: &&Field| match field.id >> 16 {
        1 => tag(field.id) == layout_tag,
        2 => scheme_tag.is_some_and(|scheme| tag(field.id) == 0 || tag(field.id) == scheme),
        3 => descriptor.shard.is_some(),
        4 => descriptor.statistics.is_some(),
        5 => descriptor.extension_type.is_some(),
        6 => descriptor.member.is_some(),
        _ => true,
    };
    for field in FIELDS.iter().filter(carried) {
        let mut level = 0;
        let mut step = || {
            match look_up(descriptor, field.id, level) {
                Ok(value) => visit(field.id, level, value),
                Err(Miss::Unset) => {}
                Err(_) => return ControlFlow::Break(()),
            }
            level += 1;
            if field.has_levels() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        while step().is_continue() {}
    }
}

/// Words that [`write_words`] writes.
pub fn words_len(descriptor: &Descriptor) -> usize {
    let mut len = 0;
    each(descriptor, &mut |_, _, value| len += 2 + value.words());
    len
}

/// Hands the words of the bulk form to `put`, in order.
pub fn write_words(descriptor: &Descriptor, mut put: impl FnMut(u64)) {
    each(descriptor, &mut |id, level, value| {
        put(u64::from(id) | u64::from(level) << 32 | (value.kind() as u64) << 48);
        put(value.count() as u64);
        match value {
            Value::U(value) => put(value),
            Value::I(value) => put(value as u64),
            Value::F(value) => put(value.to_bits()),
            Value::Us(values) => values.iter().for_each(|&value| put(value)),
            Value::Us32(values) => values.iter().for_each(|&value| put(u64::from(value))),
            Value::Is(values) => values.iter().for_each(|&value| put(value as u64)),
            Value::Bytes(bytes) => bytes.chunks(8).for_each(|chunk| {
                let mut word = [0; 8];
                word[..chunk.len()].copy_from_slice(chunk);
                put(u64::from_le_bytes(word));
            }),
        }
    });
}

impl Value<'_> {
    fn words(&self) -> usize {
        match self {
            Value::Bytes(bytes) => bytes.len().div_ceil(8),
            _ => self.count(),
        }
    }
}

/// One field of the bulk form.
#[derive(Clone, Copy)]
pub(crate) struct Record<'a> {
    /// Identifier, private layout tags folded.
    pub id: u32,
    /// Level.
    pub level: u32,
    kind: Kind,
    count: usize,
    words: &'a [u64],
}

/// The fields of a bulk form, in the order given.
pub(crate) struct Records<'a>(pub &'a [u64]);

impl<'a> Iterator for Records<'a> {
    type Item = Result<Record<'a>, Fault>;

    fn next(&mut self) -> Option<Self::Item> {
        let (&[head, count], rest) = match self.0.split_first_chunk::<2>() {
            Some(split) => split,
            None if self.0.is_empty() => return None,
            None => {
                self.0 = &[];
                return Some(Err(malformed("words end inside a field", 0)));
            }
        };
        let record = record(head, count, rest);
        self.0 = record.as_ref().map_or(&[], |record| rest.get(record.words.len()..).unwrap_or_default());
        Some(record)
    }
}

fn record(head: u64, count: u64, rest: &[u64]) -> Result<Record<'_>, Fault> {
    let kind = match head >> 48 {
        1 => Kind::U,
        2 => Kind::I,
        3 => Kind::F,
        4 => Kind::Us,
        5 => Kind::Is,
        6 => Kind::Bytes,
        kind => return Err(malformed("word names no kind", kind)),
    };
    if matches!(kind, Kind::U | Kind::I | Kind::F) && count != 1 {
        return Err(malformed("count of a scalar is not 1", count));
    }
    let len = if kind == Kind::Bytes { count.div_ceil(8) } else { count };
    let words = usize::try_from(len).ok().and_then(|len| rest.get(..len));
    let (Some(words), Ok(count)) = (words, usize::try_from(count)) else {
        return Err(malformed("words end inside a field", count));
    };
    let (id, level) = (folded(head as u32), (head >> 32) as u32 & 0xFFFF);
    Ok(Record { id, level, kind, count, words })
}

#[cold]
fn malformed(what: &'static str, found: u64) -> Fault {
    Fault::new(Status::INVALID_ARGUMENT, "", what).field("word").value(found)
}

impl Record<'_> {
    /// Identifier and level.
    pub fn key(&self) -> (u32, u32) {
        (self.id, self.level)
    }

    /// Hands the value to `take`.
    pub fn read<R>(&self, take: impl FnOnce(Value<'_>) -> Result<R, Fault>) -> Result<R, Fault> {
        let first = self.words.first().copied().unwrap_or_default();
        match self.kind {
            Kind::U => take(Value::U(first)),
            Kind::I => take(Value::I(first as i64)),
            Kind::F => take(Value::F(f64::from_bits(first))),
            Kind::Us => take(Value::Us(self.words)),
            Kind::Is => {
                let mut values = Strides::new();
                values.try_reserve(self.words.len()).map_err(|_| Fault::out_of_memory())?;
                values.extend(self.words.iter().map(|&word| word as i64));
                take(Value::Is(&values))
            }
            Kind::Bytes => {
                let mut bytes = Vec::new();
                bytes.try_reserve_exact(self.words.len() * 8).map_err(|_| Fault::out_of_memory())?;
                bytes.extend(self.words.iter().flat_map(|word| word.to_le_bytes()));
                let (bytes, rest) = bytes.split_at(self.count.min(bytes.len()));
                if rest.iter().any(|&byte| byte != 0) {
                    return Err(malformed("bytes are not filled up with zeros", first));
                }
                take(Value::Bytes(bytes))
            }
        }
    }
}
