#!/usr/bin/env bash
# The Rust tests that touch memory by hand, built with a sanitizer: with the address sanitizer, then with the leak
# sanitizer alone. The stable compiler has both, behind RUSTC_BOOTSTRAP.
set -euo pipefail
cd "$(dirname "$0")/.."

host=$(rustc -vV | sed -n 's/^host: //p')
# An allocation that is too large answers NULL, as it does without a sanitizer.
export RUSTC_BOOTSTRAP=1 ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=1
for sanitizer in address leak; do
    printf '\n=== Rust tests, %s sanitizer\n' "$sanitizer"
    RUSTFLAGS="-Zsanitizer=$sanitizer" cargo test --quiet --locked --target "$host" --target-dir target/sanitize \
        -p hurray-ffi --lib --test rules --test file --test dlpack --test convert
done

printf '\n=== Rust tests of streams, address sanitizer\n'
# These tests give memory away on purpose, and those of memory count pages that the system's own allocator touches.
ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=0 RUSTFLAGS="-Zsanitizer=address" cargo test --quiet --locked \
    --target "$host" --target-dir target/sanitize -p hurray-ffi --test streams -- --skip memory::
