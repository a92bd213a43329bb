#!/usr/bin/env bash
# Builds the Node package against the library in build/lib and tests it: `make test-node`. With `build`: no tests. With `check`:
# types only.
set -euo pipefail
cd "$(dirname "$0")"
root=$(cd ../.. && pwd)
part=${1:-test}-node

missing() {
    if ! command -v node >/dev/null; then
        echo "Node is not installed; Node 20.15 or newer is needed"
    elif [ "$(printf 'v20.15\n%s\n' "$(node --version)" | sort -V | head -n 1)" != v20.15 ]; then
        echo "Node $(node --version) is installed; Node 20.15 or newer is needed"
    fi
}
reason=$(missing)
if [ -n "$reason" ]; then exec "$root/tools/not_run.sh" "$part" "$reason"; fi

if ! cmp -s package-lock.json node_modules/.lock; then
    npm ci --no-audit --no-fund --silent
    cp package-lock.json node_modules/.lock
fi
if [ "$part" = check-node ]; then exec node_modules/.bin/tsc --noEmit -p .; fi

# The adapter's `build` asks for no more than what is out of date.
inputs=(src lib Cargo.toml build.mjs "$root/build/lib/libhurray.so.10")
if [ "$part" != build-node ] || [ ! -e dist/index.js ] || [ -n "$(find "${inputs[@]}" -newer dist/index.js)" ]; then
    node build.mjs
fi
if [ "$part" = build-node ]; then exit; fi
node_modules/.bin/tsc -p test
mkdir -p "$root/build/tests"
node --test --expose-gc --test-reporter=spec --test-reporter-destination=stdout \
    --test-reporter=junit --test-reporter-destination="$root/build/tests/node.xml" test/
