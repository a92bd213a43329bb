//! The outcomes as JUnit XML.

use std::fs;

use crate::record::Records;
use crate::tree::Tree;

/// Writes `build/conformance/junit.xml`.
pub(crate) fn write(tree: &Tree, records: &Records) -> Result<(), String> {
    let records = records.all();
    let failures = records.iter().filter(|record| record.failure.is_some()).count();
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"conformance\" tests=\"{}\" failures=\"{failures}\">\n",
        records.len()
    );
    for record in &records {
        let head = format!(
            "<testcase classname=\"{}\" name=\"{}\" time=\"{:.6}\"",
            escape(&record.language),
            escape(&record.case),
            record.seconds
        );
        match &record.failure {
            None => text += &format!("{head}/>\n"),
            Some(failure) => {
                text += &format!("{head}><failure>{}</failure></testcase>\n", escape(failure));
            }
        }
    }
    text += "</testsuite>\n";
    let path = tree.build.join("junit.xml");
    fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))
}

fn escape(text: &str) -> String {
    let mut out = String::new();
    for letter in text.chars() {
        match letter {
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '&' => out += "&amp;",
            '"' => out += "&quot;",
            _ if letter < ' ' && letter != '\n' && letter != '\t' => out.push('\u{FFFD}'),
            _ => out.push(letter),
        }
    }
    out
}
