//! Broken input: cuts and flipped bits of the fixtures give the same status in every language.

use std::collections::BTreeSet;
use std::fs;
use std::sync::{Arc, OnceLock};

use serde_json::{Value, json};

use crate::Check;
use crate::cases::Case;
use crate::languages::Language;
use crate::statuses;
use crate::tree::Tree;

/// Languages that get every cut and every flip; the others get a sample.
const WHOLE: [&str; 2] = ["c", "rust"];
const SAMPLES: usize = 24;
const MOST_BYTES: usize = 1100;
const MOST_FILE_BYTES: usize = 9000;
const EDGE: usize = 180;

/// A valid input, and what plain C says of each way to break it.
struct Subject {
    what: &'static str,
    base: String,
    /// Lengths to cut to, then bits to flip.
    cuts: Vec<usize>,
    flips: Vec<usize>,
    control: OnceLock<Result<Vec<i64>, String>>,
}

/// The checks of all languages.
pub(crate) fn checks(
    cases: &[Arc<Case>],
    languages: &[Arc<Language>],
    control: &Arc<Language>,
    tree: &Tree,
) -> Vec<(String, Arc<Language>, Check)> {
    let mut checks: Vec<(String, Arc<Language>, Check)> = Vec::new();
    for (number, case) in cases.iter().enumerate() {
        let Some(subject) = subject(case, tree) else { continue };
        let subject = Arc::new(subject);
        for language in languages {
            let id = format!("bad-input/{}", case.id.replace('/', "-"));
            let (subject, control, tested) =
                (Arc::clone(&subject), Arc::clone(control), Arc::clone(language));
            let seed = number as u64;
            checks.push((
                id,
                Arc::clone(language),
                Box::new(move || check(&subject, &tested, &control, seed)),
            ));
        }
    }
    checks
}

fn subject(case: &Case, tree: &Tree) -> Option<Subject> {
    let bytes = |value: &Value| value.as_str().filter(|text| !text.is_empty()).map(str::to_owned);
    if case.expect["status"] != "OK" {
        return None;
    }
    let (what, base) = match case.request["op"].as_str()? {
        "decode" if case.request["permissive"] != true => ("decode", bytes(&case.expect["bytes"])?),
        "read_stream" if case.request["chunk"] == 0 => ("read_stream", bytes(&case.request["bytes"])?),
        "read_file" => return file(&case.request, tree),
        _ => return None,
    };
    let length = base.len() / 2;
    (length <= MOST_BYTES).then(|| Subject {
        what,
        base,
        cuts: (0..length).collect(),
        flips: (0..length * 8).collect(),
        control: OnceLock::new(),
    })
}

/// A file: every cut and every flip of a small one. Most of a larger one is padding: the cuts near its end and at
/// some places before, and the flips of header, descriptors, index and trailer.
fn file(request: &Value, tree: &Tree) -> Option<Subject> {
    let path = request["path"].as_str()?.replace("${FIXTURES}", &tree.fixtures.to_string_lossy());
    let data = fs::read(path).ok().filter(|data| data.len() <= MOST_FILE_BYTES)?;
    let length = data.len();
    let is_edge = |at: &usize| length <= MOST_BYTES || *at < EDGE || *at >= length - EDGE;
    Some(Subject {
        what: "read_file",
        base: data.iter().map(|byte| format!("{byte:02x}")).collect(),
        cuts: (0..length).filter(|at| is_edge(at) || at.is_multiple_of(61)).collect(),
        flips: (0..length).filter(is_edge).flat_map(|at| at * 8..at * 8 + 8).collect(),
        control: OnceLock::new(),
    })
}

fn check(subject: &Subject, language: &Language, control: &Language, seed: u64) -> Result<(), String> {
    let all = subject.control.get_or_init(|| ask(subject, control, &subject.cuts, &subject.flips));
    let all = all.as_ref().map_err(|text| format!("plain C: {text}"))?;
    let count = subject.cuts.len();
    let chosen: Vec<usize> = if WHOLE.contains(&language.name.as_str()) {
        (0..all.len()).collect()
    } else {
        sample(all.len(), seed)
    };
    let cuts: Vec<usize> = chosen.iter().filter_map(|&k| subject.cuts.get(k).copied()).collect();
    let flips: Vec<usize> =
        chosen.iter().filter_map(|&k| subject.flips.get(k.checked_sub(count)?).copied()).collect();
    let found = ask(subject, language, &cuts, &flips)?;
    for (k, status) in chosen.iter().zip(&found) {
        let how = match subject.cuts.get(*k) {
            Some(length) => format!("cut to {length} bytes"),
            None => format!("bit {} flipped", k - count),
        };
        if *status > 0 || statuses::is_bug(*status) {
            return Err(format!("{how}: {}", statuses::name(*status)));
        }
        if subject.what == "read_file" && *k < count && *status == 0 {
            return Err(format!("{how}: a file that was cut is read"));
        }
        if subject.what == "decode" && *k < count && statuses::number("ERR_TRUNCATED") != Some(*status) {
            return Err(format!("{how}: {}; expected ERR_TRUNCATED", statuses::name(*status)));
        }
        if all.get(*k) != Some(status) {
            let wanted = all.get(*k).map_or_else(String::new, |wanted| statuses::name(*wanted));
            return Err(format!("{how}: {}; plain C says {wanted}", statuses::name(*status)));
        }
    }
    Ok(())
}

fn ask(subject: &Subject, language: &Language, cuts: &[usize], flips: &[usize]) -> Result<Vec<i64>, String> {
    let request = json!({
        "op": "batch", "what": subject.what, "base": subject.base, "cuts": cuts, "flips": flips, "options": {},
    });
    let answer = language.pool.ask(&request)?;
    let statuses: Option<Vec<i64>> =
        answer["statuses"].as_array().and_then(|list| list.iter().map(Value::as_i64).collect());
    match statuses {
        Some(statuses) if statuses.len() == cuts.len() + flips.len() => Ok(statuses),
        _ => Err(format!("no list of {} statuses came", cuts.len() + flips.len())),
    }
}

/// The same numbers every time, in ascending order.
fn sample(count: usize, seed: u64) -> Vec<usize> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut found = BTreeSet::new();
    while found.len() < SAMPLES.min(count) {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        found.insert((state >> 33) as usize % count);
    }
    found.into_iter().collect()
}
