#!/usr/bin/env bash
# Builds the release library and lays it out in build/, for programs inside this tree:
# build/lib (shared library under its SONAME with its links, static library, hurray.pc) and build/include (the header).
set -euo pipefail
cd "$(dirname "$0")/.."

printf 'building the library\n'
cargo build --release --locked --quiet -p hurray-ffi
built=${CARGO_TARGET_DIR:-target}/release
header=hurray-ffi/include/hurray.h
soname=libhurray.so.$(sed -n 's/^#define HURRAY_C_ABI_VERSION *\([0-9]*\).*/\1/p' "$header")
version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' Cargo.toml)

mkdir -p build/lib build/include
# By rename, so that a program that runs meanwhile keeps the file it has; unchanged files keep their time.
put() {
    cmp -s "$1" "$2" || { cp "$1" "$2.new" && mv -f "$2.new" "$2"; }
}
put "$built/libhurray.so" "build/lib/$soname"
put "$built/libhurray.a" build/lib/libhurray.a
put "$header" build/include/hurray.h
ln -sfn "$soname" build/lib/libhurray.so

# Absolute, with a run path: a program built in this tree finds the library where it is.
cat >build/lib/hurray.pc <<PC
prefix=$PWD/build
libdir=\${prefix}/lib
includedir=\${prefix}/include

Name: hurray
Description: Tensor interchange through one C ABI (in-tree build)
Version: $version
Cflags: -I\${includedir}
Libs: -L\${libdir} -Wl,-rpath,\${libdir} -lhurray
PC
