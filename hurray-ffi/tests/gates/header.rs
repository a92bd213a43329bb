//! The committed header, taken apart.

use crate::support::root;
use std::sync::OnceLock;

pub struct Header {
    /// Name and value as written.
    pub constants: Vec<(String, String)>,
    /// Name and signature, in one line.
    pub functions: Vec<(String, String)>,
    /// Every type: handles, callbacks, numbers.
    pub types: Vec<String>,
}

impl Header {
    /// The signature of a function.
    pub fn signature(&self, name: &str) -> &str {
        &self.functions.iter().find(|function| function.0 == name).expect("a function of the header").1
    }
}

pub fn header() -> &'static Header {
    static HEADER: OnceLock<Header> = OnceLock::new();
    HEADER.get_or_init(|| {
        let text = std::fs::read_to_string(root().join("include/hurray.h")).expect("the header");
        take_apart(&without_fields(&without_comments(&text)))
    })
}

fn without_comments(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, comment)) = rest.split_once("/*") {
        out += before;
        rest = comment.split_once("*/").expect("the end of a comment").1;
    }
    out + rest
}

/// Structs without what is between their braces.
fn without_fields(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, body)) = rest.split_once("typedef struct\n{") {
        out += before;
        out += "typedef struct";
        rest = body.split_once('}').expect("the end of a struct").1;
    }
    out + rest
}

fn take_apart(code: &str) -> Header {
    let define = |line: &str| {
        let (name, value) = line.strip_prefix("#define ")?.split_once(' ')?;
        Some((name.to_string(), value.trim().trim_matches(['(', ')']).to_string()))
    };
    let constants = code.lines().filter_map(define).collect();
    let lines: Vec<_> = code.lines().filter(|line| !line.starts_with('#')).collect();
    let mut header = Header { constants, functions: Vec::new(), types: Vec::new() };
    for statement in lines.join(" ").split(';') {
        let words: Vec<_> = statement.split_whitespace().collect();
        let statement = words.join(" ");
        let Some((before, parameters)) = statement.split_once('(').filter(|_| !statement.contains("typedef"))
        else {
            if let Some(at) = words.iter().position(|word| *word == "typedef") {
                header.types.push(type_name(&words[at + 1..]));
            }
            continue;
        };
        let start = before.rfind("hurray_").expect("the name of a function");
        let (result, name) = before.split_at(start);
        let result = result.rsplit(['{', '}']).next().unwrap_or(result).trim();
        header.functions.push((name.to_string(), format!("{result} ({parameters}")));
    }
    header
}

/// The name that a type definition gives: its last word, or the one in the parentheses of a function pointer.
fn type_name(words: &[&str]) -> String {
    let statement = words.join(" ");
    match statement.split_once("(*") {
        Some((_, name)) => name.split_once(')').expect("a parenthesis").0.to_string(),
        None => words.last().expect("a name").to_string(),
    }
}

#[test]
fn the_header_is_read_whole() {
    let text = std::fs::read_to_string(root().join("include/hurray.h")).expect("the header");
    assert_eq!(header().constants.len(), text.matches("#define HURRAY_").count() - 1, "the guard aside");
    assert_eq!(
        header().functions.len(),
        text.lines()
            .filter(|line| line.contains(" hurray_") && line.contains('(') && !line.starts_with(" *"))
            .count()
            + text.lines().filter(|line| line.starts_with("const char *hurray_")).count()
    );
    assert_eq!(header().types.len(), text.matches("\ntypedef ").count());
}
