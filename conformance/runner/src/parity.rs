//! What was proved, as a table.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::languages::Language;
use crate::record::Records;

/// Prints how many cases of each kind each language passed.
pub(crate) fn print(languages: &[Arc<Language>], records: &Records) {
    let mut kinds: BTreeMap<String, BTreeMap<String, (usize, usize)>> = BTreeMap::new();
    for record in records.all() {
        let cell =
            kinds.entry(record.kind().to_owned()).or_default().entry(record.language.clone()).or_default();
        cell.0 += usize::from(record.failure.is_none());
        cell.1 += 1;
    }
    print!("{:16}", "");
    for language in languages {
        print!("{:>12}", language.name);
    }
    println!();
    for (kind, row) in &kinds {
        print!("{kind:16}");
        for language in languages {
            let cell =
                row.get(&language.name).map_or_else(String::new, |(good, all)| format!("{good}/{all}"));
            print!("{cell:>12}");
        }
        println!();
    }
}
