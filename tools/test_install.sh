#!/usr/bin/env bash
# Installs the library, moves the installed tree elsewhere, and builds and runs programs outside this tree against it:
# by pkg-config and by find_package(hurray), shared and static, in C and C++.
set -uo pipefail
cd "$(dirname "$0")/.."

record=build/tests/install.txt
mkdir -p "${record%/*}"
: >"$record"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0
it() {
    local name=$1
    shift
    if "$@" >"$work/log" 2>&1; then
        passed=$((passed + 1))
        printf 'ok    %s\n' "$name"
        printf 'ok %s\n' "$name" >>"$record"
    else
        failed=$((failed + 1))
        printf 'FAIL  %s\n' "$name"
        printf 'FAILED %s\n' "$name" >>"$record"
        sed 's/^/      /' "$work/log"
    fi
}

PREFIX="$work/first" DESTDIR='' tools/install.sh >/dev/null || exit 1
mv "$work/first" "$work/moved"
prefix=$work/moved
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
soname=$(readlink "$prefix/lib/libhurray.so")

cat >"$work/program.c" <<'C'
#include <hurray.h>
#include <stdio.h>

int main(void) {
    uint64_t bytes = 0;
    if (hurray_c_abi_version() != HURRAY_C_ABI_VERSION) return 1;
    if (hurray_element_type_bytes(HURRAY_TYPE_INT4, 5, &bytes) != HURRAY_OK) return 1;
    printf("%s %d\n", hurray_version_string(), (int)bytes);
    return bytes == 3 ? 0 : 1;
}
C
cat >"$work/program.cpp" <<'CPP'
#include <hurray/hurray.hpp>

int main() { return hurray_c_abi_version() == HURRAY_C_ABI_VERSION ? 0 : 1; }
CPP
cat >"$work/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.16)
project(outside C CXX)
set(CMAKE_CXX_STANDARD 17)
find_package(hurray 0.1 REQUIRED)
add_executable(shared_c program.c)
target_link_libraries(shared_c PRIVATE hurray::hurray)
add_executable(static_c program.c)
target_link_libraries(static_c PRIVATE hurray::hurray_static)
add_executable(shared_cpp program.cpp)
target_link_libraries(shared_cpp PRIVATE hurray::hurray)
CMAKE

# Outside the standard folders a program brings the library's folder as its run path.
flags() { pkg-config "$@" hurray; }
rpath=-Wl,-rpath,$prefix/lib
with_pkg_config() {
    # shellcheck disable=SC2046
    $1 "$work/$2" -o "$work/$3" -Wall -Werror $(flags --cflags --libs) "$rpath" && "$work/$3"
}
static_with_pkg_config() {
    # shellcheck disable=SC2046
    gcc "$work/program.c" -o "$work/static" $(flags --cflags) "$(flags --variable=libdir)/libhurray.a" \
        $(flags --static --libs-only-l | sed 's/-lhurray//') && "$work/static" && ! needs_library "$work/static"
}
needs_library() { readelf -d "$1" | grep -q "NEEDED.*\[$soname\]"; }
soname_is_set() { readelf -d "$prefix/lib/$soname" | grep -q "SONAME.*\[$soname\]"; }
no_prefix_inside() { ! grep -rIl -e "$work/first" -e "$PWD" "$prefix"; }
cmake_build() { cmake -S "$work" -B "$work/cmake" -DCMAKE_PREFIX_PATH="$prefix" && cmake --build "$work/cmake"; }
cmake_refuses_another_version() {
    sed 's/hurray 0.1 REQUIRED/hurray 9.9 REQUIRED/' "$work/CMakeLists.txt" >"$work/other.txt"
    mkdir -p "$work/other" && cp "$work"/program.* "$work/other" && mv "$work/other.txt" "$work/other/CMakeLists.txt"
    ! cmake -S "$work/other" -B "$work/other/build" -DCMAKE_PREFIX_PATH="$prefix"
}
destdir() {
    PREFIX=/usr DESTDIR="$work/stage" tools/install.sh && test -f "$work/stage/usr/include/hurray.h" &&
        test "$(readlink "$work/stage/usr/lib/libhurray.so")" = "$soname" && test -f "$work/stage/usr/lib/$soname"
}

# The package as the module cache has it: without the tree around it.
go_program() {
    cp -r bindings/go "$work/module" && mkdir -p "$work/go" && cat >"$work/go/main.go" <<'GO' &&
package main

import hurray "github.com/hurray-format/hurray-go"

func main() {
	if bytes, err := hurray.TypeInt4.Bytes(5); err != nil || bytes != 3 {
		panic(err)
	}
}
GO
        printf 'module outside\n\ngo 1.24\n\nrequire %s v0.0.0\n\nreplace %s => %s\n' \
            github.com/hurray-format/hurray-go github.com/hurray-format/hurray-go "$work/module" >"$work/go/go.mod" &&
        GOTOOLCHAIN=local CGO_LDFLAGS=$rpath go run -C "$work/go" .
}

# The crate finds the library as its build script is told; it does not build the sources beside it.
rust_program() {
    mkdir -p "$work/rust/src" && cp Cargo.lock "$work/rust" && cat >"$work/rust/src/main.rs" <<'RUST' &&
fn main() -> hurray_client::Result<()> {
    assert_eq!(hurray_client::ElementType::INT4.bytes(5)?, 3);
    Ok(())
}
RUST
        printf '[package]\nname = "outside"\nedition = "2024"\n\n[dependencies]\nhurray-client = { path = "%s" }\n' \
            "$PWD/bindings/rust" >"$work/rust/Cargo.toml" &&
        env "$1" RUSTFLAGS="-Clink-arg=$rpath" cargo run --quiet --offline --manifest-path "$work/rust/Cargo.toml" &&
        test ! -e "$work/rust/target/hurray-lib" && needs_library "$work/rust/target/debug/outside"
}

it "the shared library has its SONAME" soname_is_set
it "a C program by pkg-config" with_pkg_config gcc program.c pc_c
it "that program needs the library by its SONAME" needs_library "$work/pc_c"
it "a C++ program by pkg-config" with_pkg_config "g++ -std=c++17" program.cpp pc_cpp
it "a static C program by pkg-config" static_with_pkg_config
it "programs by find_package(hurray)" cmake_build
it "C, shared, by CMake" "$work/cmake/shared_c"
it "C, static, by CMake" "$work/cmake/static_c"
it "C++, shared, by CMake" "$work/cmake/shared_cpp"
it "the static program does not need the library" bash -c "! readelf -d '$work/cmake/static_c' | grep -q libhurray"
it "find_package refuses another version" cmake_refuses_another_version
if command -v go >/dev/null; then it "a Go program by pkg-config" go_program; fi
it "a Rust program by pkg-config" rust_program HURRAY_USE_PKG_CONFIG=1
it "a Rust program by HURRAY_LIB_DIR" rust_program "HURRAY_LIB_DIR=$prefix/lib"
it "no installed text names a folder" no_prefix_inside
it "DESTDIR is honoured" destdir

printf 'install: %d passed, %d failed\n' "$passed" "$failed"
[ "$failed" = 0 ]
