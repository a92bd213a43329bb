#!/usr/bin/env bash
# fuzz.sh SECONDS [TARGET...]: builds the fuzz targets with the address sanitizer and runs each for SECONDS, from the
# committed seeds and from what earlier runs found. Fails if a run finds something; the input is then in build/fuzz.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${1:?seconds}
shift
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=(decode rebuild calls file stream)

fuzz=hurray-ffi/fuzz
out=$PWD/build/fuzz
host=$(rustc -vV | sed -n 's/^host: //p')

if ! cargo metadata --format-version 1 --locked --manifest-path $fuzz/Cargo.toml >/dev/null; then
    echo "a dependency of the library changed: cargo update --workspace --manifest-path $fuzz/Cargo.toml" >&2
    exit 1
fi

# The sanitizer and the coverage counters are unstable flags; the compiler is the pinned stable one.
flags=(-Dwarnings -Zsanitizer=address -Cpasses=sancov-module --cfg fuzzing)
for option in level=4 inline-8bit-counters pc-table trace-compares; do
    flags+=("-Cllvm-args=-sanitizer-coverage-$option")
done
RUSTC_BOOTSTRAP=1 RUSTFLAGS="${flags[*]}" cargo build --release --quiet --locked \
    --manifest-path $fuzz/Cargo.toml --target "$host" --target-dir "$out/target"

passed=0
failed=0
for target in "${targets[@]}"; do
    seeds=$fuzz/seeds/$target
    longest=2048
    case $target in
        decode | rebuild) seeds=$fuzz/seeds/descriptor ;;
        calls) longest=1024 ;;
        file) longest=16384 ;;
    esac
    mkdir -p "$out/corpus/$target"
    log=$out/$target.log
    if ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=1 "$out/target/$host/release/$target" \
        -max_total_time="$seconds" -max_len=$longest -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
        -dict=$fuzz/hurray.dict -artifact_prefix="$out/$target-" "$out/corpus/$target" "$seeds" >"$log" 2>&1; then
        passed=$((passed + 1))
        sed -n "s/^Done \(.*\)/$target: \1/p" "$log"
    else
        failed=$((failed + 1))
        echo "$target: FAILED"
        tail -n 60 "$log"
    fi
done
echo "fuzz: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
