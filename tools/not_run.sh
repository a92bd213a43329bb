#!/usr/bin/env bash
# not_run.sh PART REASON: records that a part could not run on this machine. With CI=true that is a failure.
set -euo pipefail
cd "$(dirname "$0")/.."

printf 'not run: %s: %s\n' "$1" "$2"
if [ "${CI:-}" = true ]; then
    exit 1
fi
mkdir -p build/not-run
printf '%s\n' "$2" >"build/not-run/$1"
