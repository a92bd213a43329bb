//! The cases of the fixtures.

use std::collections::BTreeSet;
use std::fs;
use std::sync::Arc;

use serde_json::Value;

use crate::tree::{self, Tree};

/// A request, and what must come back.
pub(crate) struct Case {
    pub id: String,
    pub request: Value,
    pub expect: Value,
}

/// All cases, in the order of their files.
pub(crate) fn load(tree: &Tree) -> Result<Vec<Arc<Case>>, String> {
    let mut cases = Vec::new();
    let mut seen = BTreeSet::new();
    let mut files = Vec::new();
    for folder in fs::read_dir(&tree.fixtures).map_err(|error| error.to_string())?.flatten() {
        if folder.path().is_dir() {
            let entries = fs::read_dir(folder.path()).map_err(|error| error.to_string())?;
            files.extend(entries.flatten().map(|entry| entry.path()));
        }
    }
    files.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    for path in files {
        let text = tree::read(&path)?;
        let mut file: Value =
            serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))?;
        let Some(list) = file["cases"].as_array_mut() else {
            return Err(format!("{} has no cases", path.display()));
        };
        for case in list {
            let id = case["id"].as_str().unwrap_or_default().to_owned();
            if id.is_empty() || !seen.insert(id.clone()) {
                return Err(format!("{}: the name {id:?} is missing, or there twice", path.display()));
            }
            let (request, expect) = (case["request"].take(), case["expect"].take());
            cases.push(Arc::new(Case { id, request, expect }));
        }
    }
    Ok(cases)
}
