//! What differs between two JSON values.

use serde_json::Value;

const MOST: usize = 6;
/// How far floats may be apart, by their size.
const CLOSE: f64 = 1e-12;

/// How much alike two values must be.
#[derive(Clone, Copy, PartialEq)]
enum Like {
    Same,
    /// The found one may have more keys.
    More,
    /// Floats may be apart in their last places.
    About,
}

/// The differences, with their paths; a key with the value null is as good as none.
pub(crate) fn differences(expected: &Value, found: &Value) -> Vec<String> {
    shortened(expected, found, Like::Same)
}

/// As `differences`, but `found` may have more keys.
pub(crate) fn missing(expected: &Value, found: &Value) -> Vec<String> {
    shortened(expected, found, Like::More)
}

/// As `differences` in each key that is expected, but floats may be apart in their last places.
pub(crate) fn far(expected: &Value, found: &Value) -> Vec<String> {
    let keys = expected.as_object().into_iter().flatten();
    keys.flat_map(|(key, value)| shortened(value, &found[key], Like::About)).collect()
}

fn shortened(expected: &Value, found: &Value, like: Like) -> Vec<String> {
    let mut wrong = Vec::new();
    compare(expected, found, "", like, &mut wrong);
    if wrong.len() > MOST {
        let more = wrong.len() - MOST;
        wrong.truncate(MOST);
        wrong.push(format!(" and {more} more"));
    }
    wrong
}

fn compare(expected: &Value, found: &Value, at: &str, like: Like, wrong: &mut Vec<String>) {
    match (expected, found) {
        (Value::Object(a), Value::Object(b)) => {
            for (key, value) in a.iter().filter(|(_, value)| !value.is_null()) {
                let place = format!("{at}.{key}");
                match b.get(key).filter(|value| !value.is_null()) {
                    Some(other) => compare(value, other, &place, like, wrong),
                    None => wrong.push(format!("{place} is missing; expected {}", short(value))),
                }
            }
            for (key, value) in b.iter().filter(|(_, value)| like != Like::More && !value.is_null()) {
                if a.get(key).is_none_or(Value::is_null) {
                    wrong.push(format!("{at}.{key} is {}; expected none", short(value)));
                }
            }
        }
        (Value::Array(a), Value::Array(b)) => {
            if a.len() != b.len() {
                wrong.push(format!("{at} has {} elements; expected {}", b.len(), a.len()));
            }
            for (k, (one, other)) in a.iter().zip(b).enumerate() {
                compare(one, other, &format!("{at}[{k}]"), like, wrong);
            }
        }
        _ if expected == found => {}
        _ if like == Like::About && are_close(expected, found) => {}
        _ => wrong.push(format!("{at} is {}; expected {}", short(found), short(expected))),
    }
}

/// Whether both are floats, and nearly equal.
fn are_close(expected: &Value, found: &Value) -> bool {
    let real = |value: &Value| {
        let digits = value.as_str().filter(|text| text.len() == 16)?;
        u64::from_str_radix(digits, 16).ok().map(f64::from_bits)
    };
    let (Some(a), Some(b)) = (real(expected), real(found)) else { return false };
    (a - b).abs() <= CLOSE * a.abs().max(b.abs())
}

fn short(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(120) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}
