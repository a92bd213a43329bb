//! Constants, types, the frozen handle prefix and the dispatch table: as Rust has them, as C sees them, as committed.

use crate::header::header;
use crate::library;
use crate::support::{root, run};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::process::Command;
use std::sync::OnceLock;

macro_rules! constants {
    ($($name:ident,)*) => {
        /// Rust's own values.
        const CONSTANTS: &[(&str, i64)] = &[$((stringify!($name), hurray::abi::$name as i64)),*];
    };
}

include!("constants.rs");

/// Offsets and size of the prefix of every handle, for ever.
const PREFIX: [(&str, usize); 5] =
    [("mark", 0), ("build_abi", 8), ("reported_abi", 12), ("table", 16), ("size", 24)];

/// The mark of each type, and how to make one of it in C.
const MARKS: [(&str, &str, &str); 11] = [
    ("HurrayBuffer", "HRRYbuff", "hurray_buffer_alloc(8, 64, &handle)"),
    ("HurrayBufferList", "HRRYlist", "hurray_buffer_list_new(0, &handle)"),
    ("HurrayDescriptor", "HRRYdesc", "hurray_descriptor_decode(bytes, sizeof bytes, &handle)"),
    ("HurrayDescriptorBuilder", "HRRYbldr", "hurray_descriptor_builder_new(3, 1, 0, 0, &handle)"),
    ("HurrayTensor", "HRRYtens", "hurray_tensor_new(77, bytes, sizeof bytes, list, 0, 0, &handle)"),
    ("HurrayItem", "HRRYitem", "hurray_item_from_tensor(tensor, &handle)"),
    ("HurrayFileWriter", "HRRYfwri", "hurray_file_writer_to_memory(0, &handle)"),
    ("HurrayFileReader", "HRRYfrea", "hurray_file_reader_open_buffer(file, 0, &handle)"),
    ("HurrayStreamReader", "HRRYsrea", "hurray_stream_reader_new(0, &handle)"),
    ("HurrayStreamWriter", "HRRYswri", "hurray_stream_writer_new(1, 0, 0, 0, &handle)"),
    ("HurrayOptions", "HRRYopts", "hurray_options_new(&handle)"),
];

/// A program that prints what C sees, a line each.
fn program() -> String {
    let mut body = String::new();
    for (name, _) in &header().constants {
        writeln!(body, "    printf(\"constant {name} %lld\\n\", (long long){name});").unwrap();
    }
    let foreign = ["DLManagedTensor", "DLManagedTensorVersioned"]; // their fields are in a header of their own
    let opaque: Vec<_> = MARKS.iter().map(|mark| mark.0).chain(foreign).collect();
    for name in header().types.iter().filter(|name| !opaque.contains(&name.as_str())) {
        writeln!(body, "    printf(\"type {name} %zu %zu\\n\", sizeof({name}), _Alignof({name}));").unwrap();
    }
    for (name, _, make) in MARKS {
        writeln!(body, "    {{ {name} *handle = 0; if ({make}) return 1; show(\"{name}\", handle); }}")
            .unwrap();
    }
    SKELETON.replace("BODY", &body)
}

const SKELETON: &str = r#"#include "hurray.h"
#include <stdio.h>
#include <string.h>

static const uint8_t bytes[45] = {0x48, 0x52, 0x52, 0x59, 1, 0, 45, 0, 0, 0, 0, 0, 0, 0, 4, 1, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 1, 8, 0, 0, 0, 0, 0, 0, 0, 64, 0, 0, 0, 0, 0, 0, 0};

struct prefix { char mark[8]; uint32_t build_abi, reported_abi; const uint32_t *table; };

static void show(const char *type, const void *handle) {
    struct prefix prefix;
    memcpy(&prefix, handle, sizeof prefix);
    printf("handle %s %.8s %u %u %u %u\n", type, prefix.mark, prefix.build_abi, prefix.reported_abi, prefix.table[0], prefix.table[1]);
}

int main(void) {
    HurrayBuffer *buffer = 0;
    HurrayBufferList *list = 0, *other = 0;
    HurrayTensor *tensor = 0;
    HurrayFileWriter *writer = 0;
    HurrayBuffer *file = 0;
    if (hurray_file_writer_to_memory(0, &writer) || hurray_file_writer_finish(writer)) return 1;
    if (hurray_file_writer_take_buffer(writer, &file)) return 1;
    for (HurrayBufferList **at = &list; at; at = at == &list ? &other : 0) {
        if (hurray_buffer_list_new(1, at) || hurray_buffer_alloc(8, 64, &buffer) || hurray_buffer_list_push(*at, buffer)) return 1;
    }
    if (hurray_tensor_new(10, bytes, sizeof bytes, other, 0, 0, &tensor)) return 1;
BODY    return 0;
}
"#;

/// What C sees, by the first word of each line.
fn seen_by_c() -> &'static BTreeMap<String, Vec<String>> {
    static SEEN: OnceLock<BTreeMap<String, Vec<String>>> = OnceLock::new();
    SEEN.get_or_init(ask_c)
}

fn ask_c() -> BTreeMap<String, Vec<String>> {
    let folder = library();
    let source = folder.join("layout.c");
    std::fs::write(&source, program()).expect("the program can be written");
    let program = folder.join("layout");
    let mut build = Command::new("gcc");
    build.args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-I"]).arg(root().join("include")).arg(source);
    build.arg(format!("-L{}", folder.display())).arg(format!("-Wl,-rpath,{}", folder.display()));
    run(build.args(["-lhurray", "-o"]).arg(&program));
    let mut seen: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in run(&mut Command::new(program)).lines() {
        let (kind, rest) = line.split_once(' ').expect("a line of the program");
        seen.entry(kind.to_string()).or_default().push(rest.to_string());
    }
    seen
}

#[test]
fn c_sees_the_constants_of_rust() {
    let rust: Vec<_> = CONSTANTS.iter().map(|(name, value)| format!("{name} {value}")).collect();
    assert_eq!(seen_by_c()["constant"], rust, "run `make header`");
}

#[test]
fn c_sees_the_types_of_rust() {
    let pointer = size_of::<usize>();
    let expected: BTreeSet<_> = [
        ("HurrayStatus", size_of::<hurray::abi::HurrayStatus>(), align_of::<hurray::abi::HurrayStatus>()),
        ("HurrayDescriptorField", size_of::<hurray::abi::HurrayDescriptorField>(), 4),
        ("HurrayReleaseCallback", size_of::<hurray::abi::HurrayReleaseCallback>(), pointer),
        ("HurrayOwnerReleaseFn", size_of::<hurray::abi::HurrayOwnerReleaseFn>(), pointer),
        ("HurrayEventReleaseFn", size_of::<hurray::abi::HurrayEventReleaseFn>(), pointer),
        ("HurrayReadAtFn", size_of::<hurray::abi::HurrayReadAtFn>(), pointer),
        ("HurrayWriteFn", size_of::<hurray::abi::HurrayWriteFn>(), pointer),
        ("HurraySlice", size_of::<hurray::abi::HurraySlice>(), pointer),
    ]
    .iter()
    .map(|(name, size, alignment)| format!("{name} {size} {alignment}"))
    .collect();
    assert_eq!(seen_by_c()["type"].iter().cloned().collect::<BTreeSet<_>>(), expected);
}

/// The first 24 bytes of a handle of each type, and the first 8 of the table they point at.
#[test]
fn every_handle_begins_with_the_frozen_prefix() {
    let (last, at) = hurray::abi::TABLE_LAYOUT.last().expect("a slot");
    let (abi, size) = (hurray::abi::HURRAY_C_ABI_VERSION, at + size_of::<usize>());
    let expected: Vec<_> = MARKS
        .iter()
        .map(|&(name, mark, _)| {
            let reported = if name == "HurrayTensor" { 77 } else { abi };
            format!("{name} {mark} {abi} {reported} {size} {abi}")
        })
        .collect();
    assert_eq!(seen_by_c()["handle"], expected, "the last slot is {last}");
}

#[test]
fn the_table_starts_as_it_always_will() {
    let pointer = size_of::<usize>();
    let fixed = [
        ("size", 0),
        ("abi_version", 4),
        ("destroy", 8),
        ("adopt", 8 + pointer),
        ("last_error", 8 + 2 * pointer),
    ];
    assert_eq!(hurray::abi::TABLE_LAYOUT[..5], fixed);
    for (k, slot) in hurray::abi::TABLE_LAYOUT[5..].iter().enumerate() {
        assert_eq!(slot.1, 8 + (3 + k) * pointer, "slot {}", slot.0);
    }
}

/// A signature without the names of its parameters, which are no part of the ABI.
fn unnamed(signature: &str) -> String {
    let (result, list) = signature.split_once(" (").expect("parameters");
    let types = list.trim_end_matches(')').split(',').map(|parameter| {
        let bare = parameter.trim().trim_end_matches(|c: char| c.is_alphanumeric() || c == '_').trim();
        if bare.is_empty() { parameter.trim() } else { bare }
    });
    format!("{result} ({})", types.collect::<Vec<_>>().join(", "))
}

/// The snapshot, an entry a line.
fn snapshot() -> String {
    let mut out = format!("{{\n\"abi_version\": {},\n", hurray::abi::HURRAY_C_ABI_VERSION);
    let mut section = |name: &str, entries: Vec<(String, String)>, end: &str| {
        let lines: Vec<_> = entries.iter().map(|(name, value)| format!("  \"{name}\": {value}")).collect();
        write!(out, "\"{name}\": {{\n{}\n}}{end}\n", lines.join(",\n")).unwrap();
    };
    let numbers =
        |pairs: &[(&str, usize)]| pairs.iter().map(|(name, at)| (name.to_string(), at.to_string())).collect();
    section("handle prefix", numbers(&PREFIX), ",");
    section(
        "handle marks",
        MARKS.iter().map(|mark| (mark.0.to_string(), format!("\"{}\"", mark.1))).collect(),
        ",",
    );
    section("table", numbers(hurray::abi::TABLE_LAYOUT), ",");
    let signatures = header().functions.iter();
    let signatures =
        signatures.map(|(name, signature)| (name.clone(), format!("\"{}\"", unnamed(signature)))).collect();
    section("functions", signatures, ",");
    section(
        "constants",
        CONSTANTS.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect(),
        "",
    );
    out + "}\n"
}

/// Additions only: a line that was committed stays, and slots are appended.
#[test]
fn the_committed_layout_is_kept() {
    let path = root().join("abi/layout.json");
    let (fresh, committed) = (snapshot(), std::fs::read_to_string(&path).unwrap_or_default());
    let lines =
        |text: &str| text.lines().map(|line| line.trim_end_matches(',').to_string()).collect::<Vec<_>>();
    let gone: Vec<_> = lines(&committed).into_iter().filter(|line| !lines(&fresh).contains(line)).collect();
    assert!(gone.is_empty(), "abi/layout.json is changed or cut, which a published ABI never is: {gone:#?}");
    if std::env::var_os("HURRAY_UPDATE").is_some() {
        std::fs::write(&path, fresh).expect("the snapshot can be written");
        return;
    }
    let added: Vec<_> = lines(&fresh).into_iter().filter(|line| !lines(&committed).contains(line)).collect();
    assert!(
        fresh == committed,
        "not in abi/layout.json, or in another order: {added:#?}; run `make snapshot`, and add a line to abi/HISTORY.md"
    );
}
