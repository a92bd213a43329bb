//! No function is left out: of the table, of the C tests, of the null checks.

use crate::header::header;
use crate::support::root;

const HANDLES: [&str; 11] = [
    "HurrayBuffer",
    "HurrayBufferList",
    "HurrayDescriptor",
    "HurrayDescriptorBuilder",
    "HurrayTensor",
    "HurrayItem",
    "HurrayFileReader",
    "HurrayFileWriter",
    "HurrayStreamReader",
    "HurrayStreamWriter",
    "HurrayOptions",
];

/// The parameters of a function, type and name in one.
fn parameters(name: &str) -> Vec<String> {
    let signature = header().signature(name);
    let list = signature.split_once('(').expect("parameters").1.trim_end_matches(')');
    list.split(',')
        .map(|parameter| parameter.trim().to_string())
        .filter(|parameter| parameter != "void")
        .collect()
}

/// The type of the first parameter that is a handle, if there is one.
fn subject(name: &str) -> Option<&'static str> {
    parameters(name).iter().find_map(|parameter| {
        let (before, _) = parameter.split_once('*').filter(|(_, after)| !after.contains('*'))?;
        let handle = before.trim().trim_start_matches("const ").trim();
        HANDLES.iter().find(|name| **name == handle).copied()
    })
}

fn c_test(name: &str) -> String {
    std::fs::read_to_string(root().join("tests/c").join(name)).expect("a C test")
}

/// Functions that work on handles of any version, and so need no slot of their own.
fn is_apart(name: &str) -> bool {
    name == "hurray_tensor_abi_version" || name.ends_with("_destroy")
}

#[test]
fn every_function_on_a_handle_has_a_slot() {
    let slots: Vec<_> =
        hurray::abi::TABLE_LAYOUT[5..].iter().map(|slot| format!("hurray_{}", slot.0)).collect();
    for (name, _) in &header().functions {
        let wanted = subject(name).is_some() && !is_apart(name);
        assert_eq!(slots.contains(name), wanted, "{name}: see `slots!` in src/abi/table.rs");
    }
    let unknown: Vec<_> =
        slots.iter().filter(|slot| header().functions.iter().all(|function| function.0 != **slot)).collect();
    assert!(unknown.is_empty(), "slots that the header has no function for: {unknown:?}; run `make header`");
}

#[test]
fn every_function_on_a_handle_is_called_with_wrong_handles() {
    let calls = c_test("calls.h");
    for (name, _) in &header().functions {
        let wanted = match subject(name) {
            Some(_) if is_apart(name) => None,
            Some(handle) => Some(format!("CALL({name}, {handle}")),
            None if name.ends_with("_destroy") => Some(format!("DESTROY({name}, Hurray")),
            None => None,
        };
        if let Some(wanted) = wanted {
            assert!(calls.contains(&wanted), "tests/c/calls.h lacks {wanted}...)");
        }
    }
}

/// Pointers besides the subject: the call stands in null.c.
#[test]
fn every_function_is_called_with_null() {
    let nulls = c_test("null.c");
    for (name, _) in &header().functions {
        let subjects = usize::from(subject(name).is_some());
        let pointers = parameters(name).iter().filter(|parameter| parameter.contains('*')).count();
        if pointers > subjects && !name.ends_with("_destroy") {
            assert!(nulls.contains(&format!("{name}(")), "tests/c/null.c lacks {name}");
        }
    }
}

/// The calls with wrong handles and with NULL show nothing of what a function does.
#[test]
fn every_function_is_called_by_a_c_test() {
    let mut tests = String::new();
    for entry in std::fs::read_dir(root().join("tests/c")).expect("tests/c") {
        let path = entry.expect("an entry").path();
        let is_apart = path.ends_with("calls.h") || path.ends_with("null.c");
        if !is_apart && path.extension().is_some_and(|end| end == "c" || end == "h") {
            tests += &std::fs::read_to_string(path).expect("a C test");
        }
    }
    for (name, _) in &header().functions {
        assert!(
            tests.contains(&format!("{name}(")) || tests.contains(&format!("({name},")),
            "no C test calls {name} but for calls.h and null.c; it belongs into tests/c/<noun>.c"
        );
    }
}
