//! Values of a file's key-value section.

use crate::error::{Result, check};
use crate::file::{FileReader, packed, text};
use crate::{read, sys};

/// A value. An array carries the type of its elements, so that an empty one keeps it.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)] // each is what its name says
pub enum Value {
    Bool(bool),
    I64(i64),
    U64(u64),
    F64(f64),
    String(String),
    Bytes(Vec<u8>),
    Bools(Vec<bool>),
    I64s(Vec<i64>),
    U64s(Vec<u64>),
    F64s(Vec<f64>),
    Strings(Vec<String>),
    ByteStrings(Vec<Vec<u8>>),
}

/// One value of a scalar.
fn one<T: Default>(values: Vec<T>) -> T {
    values.into_iter().next().unwrap_or_default()
}

impl Value {
    /// The value of the `i`-th pair of a file.
    pub(crate) fn read(file: &FileReader, i: u64) -> Result<Value> {
        let raw = file.as_raw();
        let (mut tag, mut is_array, mut count) = (0, 0, 0);
        // SAFETY: the handle is live, and the out-parameters are locals.
        check(unsafe { sys::hurray_file_reader_kv_type(raw, i, &mut tag, &mut is_array, &mut count) })?;
        let is_array = is_array != 0;
        // SAFETY (each of the calls below): the handle is live, and the arrays have the room that goes with them.
        Ok(match tag {
            sys::HURRAY_KV_INT64 => {
                // SAFETY: as above.
                let call = |out, len: *mut usize| unsafe { sys::hurray_file_reader_kv_i64(raw, i, out, len) };
                let values = read::array::<i64, 8>(call)?;
                if is_array { Value::I64s(values) } else { Value::I64(one(values)) }
            }
            sys::HURRAY_KV_FLOAT64 => {
                // SAFETY: as above.
                let call = |out, len: *mut usize| unsafe { sys::hurray_file_reader_kv_f64(raw, i, out, len) };
                let values = read::array::<f64, 8>(call)?;
                if is_array { Value::F64s(values) } else { Value::F64(one(values)) }
            }
            sys::HURRAY_KV_UINT64 | sys::HURRAY_KV_BOOL => {
                // SAFETY: as above.
                let call = |out, len: *mut usize| unsafe { sys::hurray_file_reader_kv_u64(raw, i, out, len) };
                let values = read::array::<u64, 8>(call)?;
                match (tag == sys::HURRAY_KV_BOOL, is_array) {
                    (false, false) => Value::U64(one(values)),
                    (false, true) => Value::U64s(values),
                    (true, false) => Value::Bool(one(values) != 0),
                    (true, true) => Value::Bools(values.into_iter().map(|value| value != 0).collect()),
                }
            }
            _ => {
                // SAFETY: as above.
                let pieces = packed(|bytes, len, ends, count| unsafe {
                    sys::hurray_file_reader_kv_packed(raw, i, bytes, len, ends, count)
                })?;
                match (tag == sys::HURRAY_KV_STRING, is_array) {
                    (true, false) => Value::String(text(one(pieces))),
                    (true, true) => Value::Strings(pieces.into_iter().map(text).collect()),
                    (false, false) => Value::Bytes(one(pieces)),
                    (false, true) => Value::ByteStrings(pieces),
                }
            }
        })
    }

    /// Sets a key of a file being written.
    pub(crate) fn write(&self, writer: *mut sys::HurrayFileWriter, key: &str) -> Result<()> {
        let to = Target { writer, key };
        let bits = |values: &[bool]| values.iter().map(|&value| u64::from(value)).collect::<Vec<_>>();
        match self {
            Value::Bool(value) => to.u64s(sys::HURRAY_KV_BOOL, false, &[u64::from(*value)]),
            Value::Bools(values) => to.u64s(sys::HURRAY_KV_BOOL, true, &bits(values)),
            Value::U64(value) => to.u64s(sys::HURRAY_KV_UINT64, false, &[*value]),
            Value::U64s(values) => to.u64s(sys::HURRAY_KV_UINT64, true, values),
            Value::I64(value) => to.i64s(false, &[*value]),
            Value::I64s(values) => to.i64s(true, values),
            Value::F64(value) => to.f64s(false, &[*value]),
            Value::F64s(values) => to.f64s(true, values),
            Value::String(value) => to.packed(sys::HURRAY_KV_STRING, false, &[value.as_bytes()]),
            Value::Bytes(value) => to.packed(sys::HURRAY_KV_BYTES, false, &[value]),
            Value::Strings(values) => {
                let values: Vec<&[u8]> = values.iter().map(String::as_bytes).collect();
                to.packed(sys::HURRAY_KV_STRING, true, &values)
            }
            Value::ByteStrings(values) => {
                let values: Vec<&[u8]> = values.iter().map(Vec::as_slice).collect();
                to.packed(sys::HURRAY_KV_BYTES, true, &values)
            }
        }
    }
}

/// A key of a file being written.
struct Target<'a> {
    writer: *mut sys::HurrayFileWriter,
    key: &'a str,
}

impl Target<'_> {
    fn u64s(&self, tag: u8, is_array: bool, values: &[u64]) -> Result<()> {
        let (key, len) = (self.key.as_ptr().cast(), self.key.len());
        let (data, count) = (values.as_ptr(), values.len());
        // SAFETY: the handle is live, and key and values are readable for their lengths.
        check(unsafe {
            sys::hurray_file_writer_kv_set_u64(self.writer, key, len, tag, is_array.into(), data, count)
        })
    }

    fn i64s(&self, is_array: bool, values: &[i64]) -> Result<()> {
        let (key, len, tag) = (self.key.as_ptr().cast(), self.key.len(), sys::HURRAY_KV_INT64);
        let (data, count) = (values.as_ptr(), values.len());
        // SAFETY: as above.
        check(unsafe {
            sys::hurray_file_writer_kv_set_i64(self.writer, key, len, tag, is_array.into(), data, count)
        })
    }

    fn f64s(&self, is_array: bool, values: &[f64]) -> Result<()> {
        let (key, len, tag) = (self.key.as_ptr().cast(), self.key.len(), sys::HURRAY_KV_FLOAT64);
        let (data, count) = (values.as_ptr(), values.len());
        // SAFETY: as above.
        check(unsafe {
            sys::hurray_file_writer_kv_set_f64(self.writer, key, len, tag, is_array.into(), data, count)
        })
    }

    fn packed(&self, tag: u8, is_array: bool, pieces: &[&[u8]]) -> Result<()> {
        let (mut bytes, mut ends) = (Vec::new(), Vec::new());
        read::reserve(&mut bytes, pieces.iter().map(|piece| piece.len()).sum())?;
        read::reserve(&mut ends, pieces.len())?;
        for piece in pieces {
            bytes.extend_from_slice(piece);
            ends.push(bytes.len() as u64);
        }
        let (key, len) = (self.key.as_ptr().cast(), self.key.len());
        // SAFETY: the handle is live, and key, bytes and ends are readable for their lengths.
        check(unsafe {
            sys::hurray_file_writer_kv_set_packed(
                self.writer,
                key,
                len,
                tag,
                is_array.into(),
                bytes.as_ptr(),
                bytes.len(),
                ends.as_ptr(),
                ends.len(),
            )
        })
    }
}
