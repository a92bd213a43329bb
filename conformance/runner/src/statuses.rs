//! Status numbers by name, as the fixtures name them.

/// Names from -1 downwards.
const ERRORS: [&str; 29] = [
    "INVALID_MAGIC",
    "VERSION_MISMATCH",
    "INVALID_LAYOUT",
    "INVALID_TYPE",
    "BUFFER_TOO_SMALL",
    "NULL_POINTER",
    "INTERNAL_PANIC",
    "INVALID_SYNC_MODE",
    "SYNC_MODE_MISMATCH",
    "INTERNAL",
    "INDEX_OUT_OF_BOUNDS",
    "FIELD_NOT_PRESENT",
    "FIELD_NOT_APPLICABLE",
    "INVALID_DESCRIPTOR",
    "TRUNCATED",
    "OVERFLOW",
    "BUFFER_MISMATCH",
    "IO",
    "NOT_FOUND",
    "UNSUPPORTED",
    "INVALID_ARGUMENT",
    "LIMIT_EXCEEDED",
    "CORRUPT",
    "TORN",
    "OUT_OF_MEMORY",
    "INVALID_HANDLE",
    "DUPLICATE",
    "CANCELLED",
    "COPY_REQUIRED",
];

/// The number of a status.
pub(crate) fn number(name: &str) -> Option<i64> {
    if name == "OK" {
        return Some(0);
    }
    let name = name.strip_prefix("ERR_")?;
    let at = ERRORS.iter().position(|&one| one == name)?;
    i64::try_from(at).ok().map(|at| -1 - at)
}

/// The name of a number.
pub(crate) fn name(number: i64) -> String {
    let at = usize::try_from(-1 - number).ok();
    match at.and_then(|at| ERRORS.get(at)) {
        Some(name) => format!("ERR_{name}"),
        None if number == 0 => "OK".to_owned(),
        None => format!("status {number}"),
    }
}

/// Whether a status says that the library itself is at fault.
pub(crate) fn is_bug(number: i64) -> bool {
    ["ERR_INTERNAL_PANIC", "ERR_INTERNAL"].iter().any(|bug| self::number(bug) == Some(number))
}

/// Statuses that are answers: the library keeps no text for them.
pub(crate) fn has_text(number: i64) -> bool {
    let answers =
        ["ERR_BUFFER_TOO_SMALL", "ERR_FIELD_NOT_PRESENT", "ERR_FIELD_NOT_APPLICABLE", "ERR_NOT_FOUND"];
    number < 0 && !answers.iter().any(|answer| self::number(answer) == Some(number))
}
