//! Feeds every case to the adapter of every language, and prints what each was proved to do.
//!
//! Arguments are those of `cargo test` (a filter, `--list`, `--test-threads` …). `CONFORMANCE_LANG` names the languages
//! to run, separated by commas; without it all run that have an adapter.

mod adapter;
mod bad_input;
mod cases;
mod check;
mod compare;
mod junit;
mod languages;
mod parity;
mod pool;
mod record;
mod statuses;
mod tree;
mod versions;
mod watchdog;

use std::process::ExitCode;
use std::sync::Arc;

use libtest_mimic::{Arguments, Trial};

use crate::languages::Language;
use crate::record::Records;
use crate::tree::Tree;

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(text) => {
            eprintln!("conformance: {text}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<bool, String> {
    let mut arguments = Arguments::from_args();
    let tree = Arc::new(Tree::find()?);
    let mut languages = languages::find(&tree)?;
    let cases = cases::load(&tree)?;
    let records = Arc::new(Records::new());
    if !arguments.list {
        let mut can_run = Vec::new();
        for language in languages {
            if language.build(&tree)? {
                can_run.push(language);
            } else if languages::is_wanted(&language.name) {
                return Err(format!("{} was asked for and cannot run on this machine", language.name));
            }
        }
        languages = can_run;
    }

    // Languages take turns, so that two threads seldom want the same adapter.
    let mut trials = Vec::new();
    for case in &cases {
        for language in &languages {
            trials.push(trial(language, &records, &case.id, check::of(case, language, &tree)));
        }
    }
    let control = languages::control(&tree)?;
    for (id, language, check) in bad_input::checks(&cases, &languages, &control, &tree) {
        trials.push(trial(&language, &records, &id, check));
    }
    let stubs = Arc::new(versions::Stubs::new(&tree));
    for language in &languages {
        for (id, check) in versions::checks(language, &stubs) {
            trials.push(trial(language, &records, &id, check));
        }
    }
    if arguments.test_threads.is_none() {
        arguments.test_threads = std::thread::available_parallelism().ok().map(usize::from);
    }

    let conclusion = libtest_mimic::run(&arguments, trials);
    if arguments.list {
        return Ok(true);
    }
    if conclusion.num_passed + conclusion.num_failed == 0 {
        return Err(format!("no case is named {}", arguments.filter.unwrap_or_default()));
    }
    let mut green = !conclusion.has_failed();
    for language in languages.iter().chain([&control]) {
        if let Err(text) = language.pool.close() {
            println!("{}: {text}", language.name);
            records.add(&language.name, "at the end", Some(&text), 0.0);
            green = false;
        }
    }
    junit::write(&tree, &records)?;
    parity::print(&languages, &records);
    Ok(green)
}

/// What a trial does: nothing, or the reason why it failed.
pub(crate) type Check = Box<dyn FnOnce() -> Result<(), String> + Send>;

fn trial(language: &Arc<Language>, records: &Arc<Records>, id: &str, check: Check) -> Trial {
    let (records, name, case) = (Arc::clone(records), language.name.clone(), id.to_owned());
    Trial::test(format!("{name}::{id}"), move || {
        let begin = std::time::Instant::now();
        let outcome = check();
        records.add(&name, &case, outcome.as_ref().err().map(String::as_str), begin.elapsed().as_secs_f64());
        outcome.map_err(Into::into)
    })
}
