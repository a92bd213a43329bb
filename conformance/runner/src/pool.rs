//! Adapters of one language, kept alive between cases.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use serde_json::Value;

use crate::adapter::Adapter;

/// As many adapters as were needed at once.
pub(crate) struct Pool {
    name: String,
    run: PathBuf,
    root: PathBuf,
    idle: Mutex<Vec<Adapter>>,
}

impl Pool {
    pub fn new(name: &str, run: PathBuf, root: PathBuf) -> Self {
        Self { name: name.to_owned(), run, root, idle: Mutex::new(Vec::new()) }
    }

    /// One request to an adapter that is free, or to a new one. An adapter that dies fails this request alone.
    pub fn ask(&self, request: &Value) -> Result<Value, String> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut adapter = match idle {
            Some(adapter) => adapter,
            None => Adapter::greeted(&self.name, &self.run, &self.root)?,
        };
        let answer = adapter.ask(request)?;
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(adapter);
        if let Some(text) = answer["fault"].as_str() {
            return Err(format!("the adapter cannot: {text}"));
        }
        Ok(answer)
    }

    /// Ends all, none of which may hold a handle.
    pub fn close(&self) -> Result<(), String> {
        let adapters = std::mem::take(&mut *self.idle.lock().unwrap_or_else(PoisonError::into_inner));
        adapters.into_iter().try_for_each(Adapter::finish)
    }
}
