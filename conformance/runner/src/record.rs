//! What came of each case.

use std::sync::{Mutex, PoisonError};

/// One outcome.
#[derive(Clone)]
pub(crate) struct Record {
    pub language: String,
    pub case: String,
    pub failure: Option<String>,
    pub seconds: f64,
}

impl Record {
    /// The kind of the case: what stands before the slash.
    pub fn kind(&self) -> &str {
        self.case.split_once('/').map_or(self.case.as_str(), |(kind, _)| kind)
    }
}

/// All outcomes.
pub(crate) struct Records(Mutex<Vec<Record>>);

impl Records {
    pub fn new() -> Self {
        Self(Mutex::new(Vec::new()))
    }

    pub fn add(&self, language: &str, case: &str, failure: Option<&str>, seconds: f64) {
        let record = Record {
            language: language.to_owned(),
            case: case.to_owned(),
            failure: failure.map(str::to_owned),
            seconds,
        };
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(record);
    }

    pub fn all(&self) -> Vec<Record> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
