//! The header compiles alone, in every language and by every compiler that is meant to, without a warning; and a
//! program finds the library by pkg-config.

use crate::library;
use crate::support::{root, run};
use std::path::Path;
use std::process::Command;

const STANDARDS: [(&str, &str, [&str; 2]); 6] = [
    ("-std=c99", "c", ["gcc", "clang"]),
    ("-std=c11", "c", ["gcc", "clang"]),
    ("-std=c17", "c", ["gcc", "clang"]),
    ("-std=c++11", "c++", ["g++", "clang++"]),
    ("-std=c++17", "c++", ["g++", "clang++"]),
    ("-std=c++20", "c++", ["g++", "clang++"]),
];

/// Two units, the header twice in one of them.
const UNITS: [&str; 2] = [
    "#include <hurray.h>\n#include <hurray.h>\nint other(void);\n\
     int main(void) { return other() == (int)hurray_c_abi_version() ? 0 : 1; }\n",
    "#include \"hurray.h\"\nint other(void);\nint other(void) { return HURRAY_C_ABI_VERSION; }\n",
];

fn write_units(folder: &Path, end: &str) -> [std::path::PathBuf; 2] {
    [0, 1].map(|k| {
        let path = folder.join(format!("unit{k}{end}"));
        std::fs::write(&path, UNITS[k]).expect("a unit can be written");
        path
    })
}

#[test]
fn b130_the_header_compiles_alone_in_every_standard() {
    let folder = library();
    let units = write_units(folder, ".c");
    for (standard, language, compilers) in STANDARDS {
        for (k, compiler) in compilers.into_iter().enumerate() {
            let found = Command::new(compiler).arg("--version").output().is_ok();
            if !found {
                assert!(k > 0, "no {compiler}; run `make setup`");
                println!("{compiler} {standard}: not on this machine");
                continue;
            }
            let program = folder.join("units");
            let mut build = Command::new(compiler);
            build.args([standard, "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror"]);
            build
                .arg("-I")
                .arg(root().join("include"))
                .args(["-x", language])
                .args(&units)
                .args(["-x", "none"]);
            build.arg(format!("-L{}", folder.display())).arg(format!("-Wl,-rpath,{}", folder.display()));
            run(build.args(["-lhurray", "-o"]).arg(&program));
            run(&mut Command::new(&program));
            println!("{compiler} {standard}: compiled, linked and run");
        }
    }
}

#[test]
fn a_program_finds_the_library_by_pkg_config() {
    let tree = root().parent().expect("the tree");
    run(Command::new("make").args(["--no-print-directory", "lib"]).current_dir(tree));
    let mut pkg_config = Command::new("pkg-config");
    let flags =
        run(pkg_config.env("PKG_CONFIG_PATH", tree.join("build/lib")).args(["--cflags", "--libs", "hurray"]));
    let (folder, program) = (library(), library().join("by-pkg-config"));
    let units = write_units(folder, ".pc.c");
    run(Command::new("gcc").args(&units).args(flags.split_whitespace()).arg("-o").arg(&program));
    run(&mut Command::new(&program));
    let loaded = run(Command::new("ldd").arg(&program));
    assert!(loaded.contains("build/lib/libhurray.so.10"), "{loaded}");
}
