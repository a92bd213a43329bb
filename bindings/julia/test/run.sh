#!/usr/bin/env bash
# The tests of the Julia package, with two threads. Without a Julia the part is not run, in words.
set -euo pipefail
cd "$(dirname "$0")/.."

code=0
why=$(./julia --version) || code=$?
if [ "$code" = 3 ]; then exec ../../tools/not_run.sh test-julia "$(tail -n 1 <<<"$why")"; fi
if [ "$code" != 0 ]; then printf '%s\n' "$why"; exit "$code"; fi
JULIA_NUM_THREADS=2 ./julia test/runtests.jl "$@"
