//! One case against one language.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use serde_json::Value;

use crate::Check;
use crate::cases::Case;
use crate::compare::{differences, far, missing};
use crate::languages::Language;
use crate::statuses;
use crate::tree::Tree;

/// The check of a case.
pub(crate) fn of(case: &Arc<Case>, language: &Arc<Language>, tree: &Arc<Tree>) -> Check {
    let (case, language, tree) = (Arc::clone(case), Arc::clone(language), Arc::clone(tree));
    Box::new(move || run(&case, &language, &tree))
}

fn run(case: &Case, language: &Language, tree: &Tree) -> Result<(), String> {
    let out = if names_out(&case.request) { Some(tree.fresh()?) } else { None };
    let request = with_paths(&case.request, &tree.fixtures, out.as_deref());
    let answer = language.pool.ask(&request)?;
    let status = answer["status"].as_i64().ok_or_else(|| format!("no status in {answer}"))?;
    let wanted = case.expect["status"].as_str().unwrap_or_default();
    let message = answer["message"].as_str().unwrap_or_default();
    if statuses::number(wanted) != Some(status) {
        return Err(format!("{} ({message}); expected {wanted}", statuses::name(status)));
    }
    if statuses::has_text(status) && message.is_empty() {
        return Err(format!("{wanted} came without a text"));
    }
    let mut wrong = Vec::new();
    for (key, value) in case.expect.as_object().into_iter().flatten() {
        let found = match key.as_str() {
            "status" => continue,
            "file" => {
                wrong.extend(file(value, tree, out.as_deref())?);
                continue;
            }
            "line" => {
                wrong.extend(line(value, &answer));
                continue;
            }
            "left" => differences(value, &left(out.as_deref())?),
            "has" => missing(value, &answer),
            "about" => far(value, &answer),
            "statuses" => differences(&numbers(value), &answer["statuses"]),
            _ => differences(value, &answer[key]),
        };
        let place = if ["has", "about"].contains(&key.as_str()) { "" } else { key };
        wrong.extend(found.into_iter().map(|difference| format!("{place}{difference}")));
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// The names in the folder of the case's own.
fn left(out: Option<&Path>) -> Result<Value, String> {
    let folder = out.ok_or("a case without a folder of its own")?;
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut names: Vec<String> =
        entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    Ok(names.into())
}

/// What is wrong with texts that have to be one line with certain parts.
fn line(expected: &Value, answer: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    for (key, parts) in expected.as_object().into_iter().flatten() {
        let text = answer[key].as_str().unwrap_or_default();
        if text.is_empty() || text.contains('\n') {
            wrong.push(format!("{key} is not one line: {text:?}"));
        }
        let missing = parts.as_array().into_iter().flatten().filter_map(Value::as_str);
        wrong.extend(
            missing.filter(|part| !text.contains(part)).map(|part| format!("{part} is not in {text:?}")),
        );
    }
    wrong
}

/// Status names as numbers.
fn numbers(names: &Value) -> Value {
    let names = names.as_array().into_iter().flatten();
    names.map(|name| name.as_str().and_then(statuses::number)).collect()
}

fn names_out(value: &Value) -> bool {
    value.to_string().contains("${OUT}")
}

/// The request with its paths put in.
fn with_paths(value: &Value, fixtures: &Path, out: Option<&Path>) -> Value {
    match value {
        Value::String(text) if text.starts_with("${") => Value::String(path(text, fixtures, out)),
        Value::Array(list) => list.iter().map(|one| with_paths(one, fixtures, out)).collect(),
        Value::Object(map) => {
            map.iter().map(|(key, one)| (key.clone(), with_paths(one, fixtures, out))).collect()
        }
        other => other.clone(),
    }
}

fn path(text: &str, fixtures: &Path, out: Option<&Path>) -> String {
    let text = text.replace("${FIXTURES}", &fixtures.to_string_lossy());
    text.replace("${OUT}", &out.unwrap_or(fixtures).to_string_lossy())
}

/// Whether a file has the bytes of another.
fn file(expected: &Value, tree: &Tree, out: Option<&Path>) -> Result<Option<String>, String> {
    let read = |key: &str| {
        let name = path(expected[key].as_str().unwrap_or_default(), &tree.fixtures, out);
        fs::read(&name).map_err(|error| format!("{name}: {error}"))
    };
    let (found, wanted) = (read("path")?, read("same_as")?);
    if found == wanted {
        return Ok(None);
    }
    let at = found.iter().zip(&wanted).take_while(|(a, b)| a == b).count();
    Ok(Some(format!("the file has {} bytes, expected {}; they part at byte {at}", found.len(), wanted.len())))
}
