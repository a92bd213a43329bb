#!/usr/bin/env bash
# run_parts.sh TARGET...: makes each target in turn, also after a failure, and prints the time each took.
# Fails if one failed.
#
# A target that cannot run here says so through tools/not_run.sh.
set -uo pipefail
cd "$(dirname "$0")/.."

rows=()
failed=0
begin=$SECONDS
for part in "$@"; do
    rm -f "build/not-run/$part"
    printf '\n=== %s\n' "$part"
    start=$SECONDS
    if ! "${MAKE:-make}" --no-print-directory "$part"; then
        verdict=FAILED
        failed=1
    elif [ -f "build/not-run/$part" ]; then
        verdict="not run: $(cat "build/not-run/$part")"
    else
        verdict=ok
    fi
    rows+=("$(printf '%-14s %4d s  %s' "$part" $((SECONDS - start)) "$verdict")")
    printf '=== %s\n' "${rows[-1]}"
done

printf '\n'
printf '%s\n' "${rows[@]}"
printf '%-14s %4d s\n' total $((SECONDS - begin))
exit $failed
