#!/usr/bin/env bash
# The tests of the Go package against the library in build/lib: `make test-go`. With `check`: format, lints,
# and whether every function of the header is called or listed.
set -euo pipefail
cd "$(dirname "$0")"
root=$(cd ../.. && pwd)
part=${1:-test}-go

# Debian stable has no Go that is new enough, and no toolchain is fetched.
missing() {
    if ! command -v go >/dev/null; then
        echo "go is not installed; Go 1.24 or newer is needed"
    elif [ "$(printf '1.24\n%s\n' "$(go env GOVERSION | tr -d 'a-z')" | sort -V | head -n 1)" != 1.24 ]; then
        echo "$(go env GOVERSION) is installed; Go 1.24 or newer is needed"
    fi
}
export GOTOOLCHAIN=local
reason=$(missing)
if [ -n "$reason" ]; then exec "$root/tools/not_run.sh" "$part" "$reason"; fi

export PKG_CONFIG_PATH=$root/build/lib CGO_ENABLED=1
if [ "$part" = check-go ]; then
    unformatted=$(gofmt -l . ../../demo/go)
    if [ -n "$unformatted" ]; then
        printf 'not as gofmt writes it: %s\n' "$unformatted"
        exit 1
    fi
    go vet ./...
    go vet -C ../../demo/go .
    exec go test -vet=off -run '^TestCoverageOfTheHeader$' .
fi

status=0
run() {
    printf '%s:\n' "$1"
    shift
    if ! "$@"; then status=1; fi
}
# The names of the tests that pass are kept; what they and the packages say is shown.
record=$root/build/tests/go.txt
mkdir -p "${record%/*}"
plain() {
    local code=0
    go test -count=1 -v ./... | tee "$record.log" | grep -vE '^( *--- PASS|=== |PASS$)' || code=$?
    sed -nE 's/^ *--- (PASS|FAIL): ([^ ]*).*/\1 \2/p' "$record.log" | sed 's/^PASS/ok/; s/^FAIL/FAILED/' >"$record"
    rm "$record.log"
    return $code
}
run 'plain' plain
run 'the tour' go test -C ../../demo/go -count=1 .
run 'race detector' go test -count=1 -race .
run 'cgocheck2' env GOEXPERIMENT=cgocheck2 go test -count=1 .
run 'GOGC=1' env GOGC=1 go test -count=1 .
exit $status
