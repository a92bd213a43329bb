//! The fields set so far, ascending by identifier, then level.

use crate::format::field::{Value, field, get};
use crate::format::{Descriptor, Dims, Fault, Status, Strides};

/// Fields and their values.
#[derive(Debug, Default)]
pub(super) struct Store {
    slots: Vec<Slot>,
}

#[derive(Debug)]
struct Slot {
    id: u32,
    level: u32,
    value: Held,
}

#[derive(Debug)]
enum Held {
    U(u64),
    I(i64),
    F(f64),
    Us(Dims),
    Is(Strides),
    Bytes(Vec<u8>),
}

impl Held {
    fn new(value: Value<'_>) -> Result<Held, Fault> {
        Ok(match value {
            Value::U(value) => Held::U(value),
            Value::I(value) => Held::I(value),
            Value::F(value) => Held::F(value),
            Value::Us(values) => Held::Us(dims(values)?),
            Value::Us32(values) => Held::Us(words(values.iter().copied().map(u64::from))?),
            Value::Is(values) => Held::Is(strides(values)?),
            Value::Bytes(bytes) => Held::Bytes(copy(bytes)?),
        })
    }

    fn value(&self) -> Value<'_> {
        match self {
            Held::U(value) => Value::U(*value),
            Held::I(value) => Value::I(*value),
            Held::F(value) => Value::F(*value),
            Held::Us(values) => Value::Us(values),
            Held::Is(values) => Value::Is(values),
            Held::Bytes(bytes) => Value::Bytes(bytes),
        }
    }
}

fn words(values: impl ExactSizeIterator<Item = u64>) -> Result<Dims, Fault> {
    let mut copy = Dims::new();
    copy.try_reserve(values.len()).map_err(|_| Fault::out_of_memory())?;
    copy.extend(values);
    Ok(copy)
}

/// A copy of dimensions.
pub(super) fn dims(values: &[u64]) -> Result<Dims, Fault> {
    words(values.iter().copied())
}

/// A copy of strides.
pub(super) fn strides(values: &[i64]) -> Result<Strides, Fault> {
    let mut copy = Strides::new();
    copy.try_reserve(values.len()).map_err(|_| Fault::out_of_memory())?;
    copy.extend_from_slice(values);
    Ok(copy)
}

/// A copy of opaque bytes.
pub(super) fn copy(bytes: &[u8]) -> Result<Vec<u8>, Fault> {
    let mut copy = Vec::new();
    copy.try_reserve_exact(bytes.len()).map_err(|_| Fault::out_of_memory())?;
    copy.extend_from_slice(bytes);
    Ok(copy)
}

impl Store {
    fn find(&self, id: u32, level: u32) -> Result<usize, usize> {
        self.slots.binary_search_by_key(&(id, level), |slot| (slot.id, slot.level))
    }

    pub fn set(&mut self, id: u32, level: u32, value: Value<'_>) -> Result<(), Fault> {
        let value = Held::new(value)?;
        match self.find(id, level) {
            Ok(at) => self.slots[at].value = value,
            Err(at) => {
                self.slots.try_reserve(1).map_err(|_| Fault::out_of_memory())?;
                self.slots.insert(at, Slot { id, level, value });
            }
        }
        Ok(())
    }

    pub fn unset(&mut self, id: u32, level: u32) {
        if let Ok(at) = self.find(id, level) {
            self.slots.remove(at);
        }
    }

    pub fn retain(&mut self, keep: impl Fn(u32) -> bool) {
        self.slots.retain(|slot| keep(slot.id));
    }

    pub fn get(&self, id: u32, level: u32) -> Option<Value<'_>> {
        self.find(id, level).ok().and_then(|at| self.slots.get(at)).map(|slot| slot.value.value())
    }

    /// Whether a field of this sub-object is set.
    pub fn has_section(&self, section: u32) -> bool {
        let at = self.slots.partition_point(|slot| slot.id >> 16 < section);
        self.slots.get(at).is_some_and(|slot| slot.id >> 16 == section)
    }

    /// A whole number; setting it has checked that the wire's type holds it.
    pub fn number<T: TryFrom<u64>>(&self, id: u32, level: u32) -> Option<T> {
        match self.get(id, level) {
            Some(Value::U(value)) => T::try_from(value).ok(),
            _ => None,
        }
    }

    /// Every field set must read back from the finished descriptor.
    pub fn agree_with(&self, descriptor: &Descriptor) -> Result<(), Fault> {
        for slot in &self.slots {
            let wanted = slot.value.value();
            let found = get(descriptor, slot.id, slot.level, wanted.kind());
            if !found.as_ref().is_ok_and(|found| same(wanted, *found)) {
                return Err(disagreement(slot, wanted, found.ok()));
            }
        }
        Ok(())
    }
}

#[cold]
fn disagreement(slot: &Slot, wanted: Value<'_>, found: Option<Value<'_>>) -> Fault {
    let what = if found.is_some() { "field disagrees with the others" } else { "field has no effect" };
    let fault = Fault::new(Status::INVALID_ARGUMENT, "", what);
    let fault = match field(slot.id) {
        Some(field) if field.has_levels() => fault.field(field.name).index(slot.level as usize),
        Some(field) => fault.field(field.name),
        None => fault,
    };
    match (wanted, found) {
        (Value::U(wanted), Some(Value::U(found))) => fault.value(wanted).limit(found),
        (Value::U(wanted), _) => fault.value(wanted),
        _ => fault,
    }
}

/// Equal on the wire: a NaN equals itself, zeros differ by sign.
fn same(a: Value<'_>, b: Value<'_>) -> bool {
    match (a, b) {
        (Value::F(a), Value::F(b)) => a.to_bits() == b.to_bits(),
        (Value::Us(a), Value::Us32(b)) => a.iter().copied().eq(b.iter().copied().map(u64::from)),
        _ => a == b,
    }
}
