//! The JSON forms of the adapter protocol.

use hurray_client::{Error, Result, Status};
use serde_json::{Value, json};

/// What cannot be answered: an error of the binding, or something the adapter itself cannot express.
pub enum Failure {
    /// The binding's own error.
    Hurray(Error),
    /// The binding's own error, with something beside it in the answer.
    With(Error, Value),
    /// Everything else.
    Fault(String),
}

impl Failure {
    /// The failure with something beside it in the answer.
    pub fn with(self, beside: Value) -> Self {
        match self {
            Self::Hurray(error) => Self::With(error, beside),
            other => other,
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Hurray(error)
    }
}

impl From<String> for Failure {
    fn from(text: String) -> Self {
        Self::Fault(text)
    }
}

impl From<&str> for Failure {
    fn from(text: &str) -> Self {
        Self::Fault(text.to_owned())
    }
}

/// What an operation gives.
pub type Answer = std::result::Result<Value, Failure>;

/// A result of the adapter's own.
pub type Read<T> = std::result::Result<T, Failure>;

/// A number as a string.
pub fn wide(value: impl ToString) -> Value {
    Value::String(value.to_string())
}

/// Numbers as strings.
pub fn wides<T: std::fmt::Display>(values: &[T]) -> Value {
    values.iter().map(wide).collect()
}

/// The digits of a double.
pub fn real(value: f64) -> Value {
    Value::String(format!("{:016x}", value.to_bits()))
}

/// Bytes as digits.
pub fn hex(bytes: &[u8]) -> Value {
    const DIGITS: [char; 16] =
        ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'];
    let mut out = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        out.push(DIGITS[usize::from(byte >> 4)]);
        out.push(DIGITS[usize::from(byte & 15)]);
    }
    Value::String(out)
}

/// A tag: its name, or its number if it has none.
pub fn tag(name: Option<&str>, number: u8) -> Value {
    name.map_or_else(|| json!(number), Value::from)
}

/// Bytes of digits.
pub fn bytes(value: &Value) -> Read<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
    let text = value.as_str().ok_or("bytes are wanted")?.as_bytes();
    let pair = |pair: &[u8]| match pair {
        [high, low] => Some(digit(*high)? << 4 | digit(*low)?),
        _ => None,
    };
    text.chunks(2).map(pair).collect::<Option<_>>().ok_or_else(|| "bytes are wanted".into())
}

/// A string.
pub fn text(value: &Value) -> Read<&str> {
    value.as_str().ok_or_else(|| format!("a string is wanted, not {value}").into())
}

/// A number in a string.
pub fn number<T: std::str::FromStr>(value: &Value) -> Read<T> {
    text(value)?.parse().map_err(|_| format!("a number is wanted, not {value}").into())
}

/// Numbers in strings.
pub fn numbers<T: std::str::FromStr>(value: &Value) -> Read<Vec<T>> {
    list(value)?.iter().map(number).collect()
}

/// A number below 2^32.
pub fn narrow<T: TryFrom<u64>>(value: &Value) -> Read<T> {
    let found = value.as_u64().and_then(|number| T::try_from(number).ok());
    found.ok_or_else(|| format!("a number is wanted, not {value}").into())
}

/// A double of its digits.
pub fn double(value: &Value) -> Read<f64> {
    let bits = u64::from_str_radix(text(value)?, 16).map_err(|error| error.to_string())?;
    Ok(f64::from_bits(bits))
}

/// A truth value.
pub fn truth(value: &Value) -> Read<bool> {
    value.as_bool().ok_or_else(|| format!("a truth value is wanted, not {value}").into())
}

/// A list.
pub fn list(value: &Value) -> Read<&[Value]> {
    value.as_array().map(Vec::as_slice).ok_or_else(|| format!("a list is wanted, not {value}").into())
}

/// The value unless there is none.
pub fn given(value: &Value) -> Option<&Value> {
    Some(value).filter(|value| !value.is_null())
}

/// A section, empty where it is hidden behind a layout that was not understood.
pub fn visible<T>(section: Result<Option<T>>) -> Result<Option<T>> {
    match section {
        Err(error) if error.status == Status::UNSUPPORTED => Ok(None),
        other => other,
    }
}
