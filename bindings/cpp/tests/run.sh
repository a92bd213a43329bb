#!/usr/bin/env bash
# The tests of the C++ header; `make -C bindings/cpp test` builds first. Every part prints `N passed, N failed`, and all
# leave their names in build/tests.
set -euo pipefail
cd "$(dirname "$0")/.."

root=$(cd ../.. && pwd)
build=$root/build/cpp
cxx=${CXX:-g++}
strict=(-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Werror)
includes=(-Iinclude -I"$root/build/include")
status=0
export HURRAY_TESTS_RECORD=$root/build/tests/cpp.txt
mkdir -p "${HURRAY_TESTS_RECORD%/*}"
rm -f "$HURRAY_TESTS_RECORD"
part() {
    local verdict=ok
    if ! "$@"; then verdict=FAILED status=1; fi
    printf '%s %s\n' $verdict "${1##*/}" >>"$HURRAY_TESTS_RECORD"
}

# The cases, built in each way.
for way in 17 20 bare; do
    printf '%s: ' "$way"
    part "$build/$way/tests"
done

# A library of another ABI version: every function but one ends the program.
stub() {
    local folder=$build/stub
    mkdir -p "$folder"
    {
        printf '#include <stdlib.h>\nunsigned hurray_c_abi_version(void) { return 11; }\n'
        grep -oE '\bhurray_[a-z0-9_]+\(' "$root/build/include/hurray.h" | tr -d '(' | sort -u |
            sed '/^hurray_c_abi_version$/d; s/.*/void &(void) { abort(); }/'
    } >"$folder/stub.c"
    "${CC:-gcc}" -shared -fPIC -Wl,-soname,libhurray.so.10 "$folder/stub.c" -o "$folder/libhurray.so.10"
    "$cxx" -std=c++17 "${strict[@]}" "${includes[@]}" tests/stub_program.cpp "$folder/libhurray.so.10" \
        -Wl,-rpath,"$folder" -o "$folder/program"
    "$folder/program"
}
part stub

# Each header stands alone and may be included twice, in both languages; with clang++ too where there is one.
headers() {
    local passed=0 failed=0 header compiler standard
    for compiler in "$cxx" clang++; do
        if ! command -v "$compiler" >/dev/null; then continue; fi
        for standard in c++17 c++20 c++23; do
            for header in include/hurray/*.hpp; do
                # Beyond C++17 the one header that includes all others does.
                if [ "$standard" != c++17 ] && [ "${header##*/}" != hurray.hpp ]; then continue; fi
                if "$compiler" -std="$standard" -fsyntax-only "${strict[@]}" "${includes[@]}" \
                    -include "$header" -include "$header" -x c++ /dev/null; then
                    passed=$((passed + 1))
                else
                    printf '%s does not compile with %s as %s\n' "$header" "$compiler" "$standard"
                    failed=$((failed + 1))
                fi
            done
        done
    done
    printf 'headers: %d passed, %d failed\n' "$passed" "$failed"
    [ "$failed" = 0 ]
}
part headers

part tests/coverage.sh
exit $status
