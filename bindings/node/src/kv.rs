//! Values of a file's key-value section, as plain objects.

use hurray_client::{Status, Value};
use napi::bindgen_prelude::{BigInt64Array, BigUint64Array, Buffer, Float64Array};
use napi_derive::napi;

use crate::error::refuse;

/// A key's value: the list that goes with `kind` holds it, or its elements.
#[napi(object)]
pub struct KvEntry {
    pub key: String,
    #[napi(ts_type = "'bool' | 'int64' | 'uint64' | 'float64' | 'string' | 'bytes'")]
    pub kind: String,
    pub is_array: bool,
    pub bools: Option<Vec<bool>>,
    pub int64s: Option<BigInt64Array>,
    pub uint64s: Option<BigUint64Array>,
    pub float64s: Option<Float64Array>,
    pub strings: Option<Vec<String>>,
    pub bytes: Option<Vec<Buffer>>,
}

impl KvEntry {
    /// A pair of a file.
    pub fn of(key: String, value: Value) -> Self {
        let is_array = matches!(
            value,
            Value::Bools(_)
                | Value::I64s(_)
                | Value::U64s(_)
                | Value::F64s(_)
                | Value::Strings(_)
                | Value::ByteStrings(_)
        );
        let mut entry = Self {
            key,
            kind: String::new(),
            is_array,
            bools: None,
            int64s: None,
            uint64s: None,
            float64s: None,
            strings: None,
            bytes: None,
        };
        let kind = match value {
            Value::Bool(value) => entry.fill("bool", |e| e.bools = Some(vec![value])),
            Value::Bools(values) => entry.fill("bool", |e| e.bools = Some(values)),
            Value::I64(value) => entry.fill("int64", |e| e.int64s = Some(BigInt64Array::new(vec![value]))),
            Value::I64s(values) => entry.fill("int64", |e| e.int64s = Some(BigInt64Array::new(values))),
            Value::U64(value) => entry.fill("uint64", |e| e.uint64s = Some(BigUint64Array::new(vec![value]))),
            Value::U64s(values) => entry.fill("uint64", |e| e.uint64s = Some(BigUint64Array::new(values))),
            Value::F64(value) => entry.fill("float64", |e| e.float64s = Some(Float64Array::new(vec![value]))),
            Value::F64s(values) => entry.fill("float64", |e| e.float64s = Some(Float64Array::new(values))),
            Value::String(value) => entry.fill("string", |e| e.strings = Some(vec![value])),
            Value::Strings(values) => entry.fill("string", |e| e.strings = Some(values)),
            Value::Bytes(value) => entry.fill("bytes", |e| e.bytes = Some(vec![value.into()])),
            Value::ByteStrings(values) => {
                entry.fill("bytes", |e| e.bytes = Some(values.into_iter().map(Buffer::from).collect()))
            }
        };
        entry.kind = kind.into();
        entry
    }

    fn fill(&mut self, kind: &'static str, set: impl FnOnce(&mut Self)) -> &'static str {
        set(self);
        kind
    }

    /// The value for a file.
    pub fn value(&self) -> napi::Result<Value> {
        let found = if self.is_array { self.array() } else { self.scalar() };
        match found {
            Some(value) => Ok(value),
            None => refuse(
                Status::INVALID_ARGUMENT,
                format!("key {:?} has no value of type {}", self.key, self.kind),
            ),
        }
    }

    fn array(&self) -> Option<Value> {
        Some(match self.kind.as_str() {
            "bool" => Value::Bools(self.bools.clone()?),
            "int64" => Value::I64s(self.int64s.as_ref()?.to_vec()),
            "uint64" => Value::U64s(self.uint64s.as_ref()?.to_vec()),
            "float64" => Value::F64s(self.float64s.as_ref()?.to_vec()),
            "string" => Value::Strings(self.strings.clone()?),
            "bytes" => Value::ByteStrings(self.bytes.as_ref()?.iter().map(|one| one.to_vec()).collect()),
            _ => return None,
        })
    }

    fn scalar(&self) -> Option<Value> {
        Some(match self.kind.as_str() {
            "bool" => Value::Bool(*self.bools.as_ref()?.first()?),
            "int64" => Value::I64(*self.int64s.as_ref()?.first()?),
            "uint64" => Value::U64(*self.uint64s.as_ref()?.first()?),
            "float64" => Value::F64(*self.float64s.as_ref()?.first()?),
            "string" => Value::String(self.strings.as_ref()?.first()?.clone()),
            "bytes" => Value::Bytes(self.bytes.as_ref()?.first()?.to_vec()),
            _ => return None,
        })
    }
}
