//! What differs between two JSON values.

use serde_json::Value;

const MOST: usize = 6;

/// The differences, with their paths; a key with the value null is as good as none.
pub(crate) fn differences(expected: &Value, found: &Value) -> Vec<String> {
    shortened(expected, found, true)
}

/// As `differences`, but `found` may have more keys.
pub(crate) fn missing(expected: &Value, found: &Value) -> Vec<String> {
    shortened(expected, found, false)
}

fn shortened(expected: &Value, found: &Value, exact: bool) -> Vec<String> {
    let mut wrong = Vec::new();
    compare(expected, found, "", exact, &mut wrong);
    if wrong.len() > MOST {
        let more = wrong.len() - MOST;
        wrong.truncate(MOST);
        wrong.push(format!("and {more} more"));
    }
    wrong
}

fn compare(expected: &Value, found: &Value, at: &str, exact: bool, wrong: &mut Vec<String>) {
    match (expected, found) {
        (Value::Object(a), Value::Object(b)) => {
            for (key, value) in a.iter().filter(|(_, value)| !value.is_null()) {
                let place = format!("{at}.{key}");
                match b.get(key).filter(|value| !value.is_null()) {
                    Some(other) => compare(value, other, &place, exact, wrong),
                    None => wrong.push(format!("{place} is missing; expected {}", short(value))),
                }
            }
            for (key, value) in b.iter().filter(|(_, value)| exact && !value.is_null()) {
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
                compare(one, other, &format!("{at}[{k}]"), exact, wrong);
            }
        }
        _ if expected == found => {}
        _ => wrong.push(format!("{at} is {}; expected {}", short(found), short(expected))),
    }
}

fn short(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(120) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}
