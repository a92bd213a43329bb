//! Two separately built copies of the library in one process, in C hosts that load them by path; and what the loader
//! makes of two packages that each bring one.

#![allow(clippy::expect_used, clippy::panic)] // a test; its helpers too

#[path = "../support/mod.rs"]
mod support;
#[path = "../support/under.rs"]
mod under;

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The folders of the release library, and of a copy that is built otherwise and has the probe that panics.
fn copies() -> &'static [PathBuf; 2] {
    static COPIES: OnceLock<[PathBuf; 2]> = OnceLock::new();
    COPIES.get_or_init(|| {
        let otherwise =
            ["profile.release.opt-level=1", "profile.release.lto=false", "profile.release.codegen-units=4"];
        let mut arguments = vec!["--features", "panic-probe"];
        arguments.extend(otherwise.iter().flat_map(|setting| ["--config", setting]));
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("other-copy");
        [under::library("release", support::target(), &[]), under::library("other", &target, &arguments)]
    })
}

fn source(name: &str) -> PathBuf {
    support::root().join("tests/copies").join(name)
}

/// The functions of the library as members of a struct, reached through the copy that `lib` points at.
fn write_copy_header(folder: &Path) {
    let symbols = std::fs::read_to_string(support::root().join("abi/symbols.txt")).expect("abi/symbols.txt");
    let each = |line: &dyn Fn(&str) -> String| {
        symbols.lines().fold(String::new(), |all, name| all + &line(name) + "\n")
    };
    let mut text = "#include \"hurray.h\"\n#include <dlfcn.h>\n".to_string();
    let members = each(&|name| format!("    __typeof__(&{name}) {name};"));
    let loads = each(&|name| format!("    *(void **)&copy->{name} = dlsym(copy->image, \"{name}\");"));
    write!(
        text,
        "typedef struct {{\n    void *image;\n    const char *path;\n{members}}} Copy;\nstatic _Thread_local Copy *lib;\n"
    )
    .expect("memory");
    write!(text, "static void load_functions(Copy *copy) {{\n{loads}}}\n").expect("memory");
    text += &each(&|name| format!("#define {name} (lib->{name})"));
    std::fs::write(folder.join("copy.h"), text).expect("the header can be written");
}

fn host() -> &'static Path {
    static HOST: OnceLock<PathBuf> = OnceLock::new();
    HOST.get_or_init(|| {
        let folder = &copies()[0];
        write_copy_header(folder);
        let program = folder.join("copies-host");
        let mut build = Command::new("gcc");
        build.args(under::flags()).args(["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-pthread", "-I"]);
        build.arg(folder).arg("-I").arg(support::root().join("include"));
        build.arg("-I").arg(support::root().join("tests/c"));
        support::run(build.arg(source("copies.c")).args(["-ldl", "-o"]).arg(&program));
        program
    })
}

fn mixed(first: usize, mode: &str) {
    let mut host = under::command(host());
    host.env("RUST_BACKTRACE", "0");
    for folder in [&copies()[first], &copies()[1 - first]] {
        host.arg(folder.join("libhurray.so.10"));
    }
    print!("{mode}: {}", support::run(host.arg(mode)));
}

#[test]
fn local() {
    mixed(0, "RTLD_LOCAL");
}

#[test]
fn local_in_the_other_order() {
    mixed(1, "RTLD_LOCAL");
}

#[test]
fn global() {
    mixed(0, "RTLD_GLOBAL");
}

#[test]
fn global_in_the_other_order() {
    mixed(1, "RTLD_GLOBAL");
}

/// Two packages, each linked to its own `libhurray.so.10`: the loader takes the one loaded first for both.
#[test]
fn one_soname_is_one_copy() {
    let folder = &copies()[0];
    let mut plugins = Vec::new();
    for (name, home) in ["one", "two"].into_iter().zip(copies()) {
        let plugin = folder.join(format!("plugin-{name}.so"));
        let home = home.display();
        let mut build = Command::new("gcc");
        build.args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-I"]);
        build.arg(support::root().join("include"));
        build.arg(source("plugin.c")).arg(format!("-L{home}")).arg(format!("-Wl,-rpath,{home}"));
        support::run(build.args(["-lhurray", "-o"]).arg(&plugin));
        plugins.push(plugin);
    }
    let program = folder.join("plugins-host");
    let mut build = Command::new("gcc");
    build.args(under::flags()).args(["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-I"]);
    build.arg(support::root().join("include"));
    support::run(build.arg(source("plugins.c")).args(["-ldl", "-o"]).arg(&program));
    for order in [[0, 1], [1, 0]] {
        print!("{}", support::run(under::command(&program).args(order.map(|k| &plugins[k]))));
    }
}
