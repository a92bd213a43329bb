#!/usr/bin/env bash
# Every function of hurray.h is used by the C++ header, or listed in not-wrapped.txt with a reason.
set -euo pipefail
cd "$(dirname "$0")/.."

header=${1:-../../hurray-ffi/include/hurray.h}
failed=0
passed=0
wrong() {
    printf '%s\n' "$*"
    failed=$((failed + 1))
}

declared=$(grep -oE '^[a-zA-Z_].* \*?hurray_[a-z0-9_]+\(' "$header" | grep -oE 'hurray_[a-z0-9_]+\(' | tr -d '(' | sort -u)
used=$(grep -ohE '\bhurray_[a-z0-9_]+\b' include/hurray/*.hpp | sort -u)
listed=$(sed -e '/^#/d' -e '/^$/d' not-wrapped.txt)

for function in $declared; do
    if grep -qx "$function" <<<"$used"; then
        if grep -q "^$function " <<<"$listed"; then wrong "$function is listed in not-wrapped.txt, but used"; fi
    elif ! grep -qE "^$function [^ ]" <<<"$listed"; then
        wrong "$function is neither used nor listed in not-wrapped.txt with a reason"
    fi
    passed=$((passed + 1))
done
while read -r function _; do
    if [ -n "$function" ] && ! grep -qx "$function" <<<"$declared"; then
        wrong "$function is listed in not-wrapped.txt, but not in the header"
    fi
done <<<"$listed"

if [ "$passed" -lt 60 ]; then wrong "only $passed functions found in $header"; fi
printf 'coverage: %d functions, %d passed, %d failed\n' "$passed" $((passed - failed)) "$failed"
[ "$failed" = 0 ]
