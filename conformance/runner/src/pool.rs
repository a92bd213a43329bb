//! The adapter of a language, kept alive between cases.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use serde_json::Value;

use crate::adapter::Adapter;

/// One adapter at most: some languages take longer to start, and to compile what they run, than for all cases.
pub(crate) struct Pool {
    name: String,
    run: PathBuf,
    root: PathBuf,
    adapter: Mutex<Option<Adapter>>,
}

impl Pool {
    pub fn new(name: &str, run: PathBuf, root: PathBuf) -> Self {
        Self { name: name.to_owned(), run, root, adapter: Mutex::new(None) }
    }

    /// One request, when the adapter is free. An adapter that dies fails this request alone; the next starts another.
    pub fn ask(&self, request: &Value) -> Result<Value, String> {
        let mut place = self.adapter.lock().unwrap_or_else(PoisonError::into_inner);
        let mut adapter = match place.take() {
            Some(adapter) => adapter,
            None => Adapter::greeted(&self.name, &self.run, &self.root)?,
        };
        let answer = adapter.ask(request)?;
        *place = Some(adapter);
        if let Some(text) = answer["fault"].as_str() {
            return Err(format!("the adapter cannot: {text}"));
        }
        Ok(answer)
    }

    /// Ends the adapter, which may hold no handle.
    pub fn close(&self) -> Result<(), String> {
        let adapter = self.adapter.lock().unwrap_or_else(PoisonError::into_inner).take();
        adapter.map_or(Ok(()), Adapter::finish)
    }
}
