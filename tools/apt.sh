#!/usr/bin/env bash
# Makes sure of the system's own tools: on Debian as root by apt, elsewhere by saying what is missing.
set -euo pipefail

# One row: the command that shows the package is there, the Debian package, what needs it.
needs() {
    cat <<'ROWS'
gcc         gcc          every compiled test
g++         g++          the C++ header and the Python tests
pkg-config  pkg-config   the tests of the installed library
valgrind    valgrind     the memory tests
ROWS
}

debian=false
if command -v apt-get >/dev/null && command -v dpkg-query >/dev/null; then debian=true; fi

packages=()
missing=()
while read -r command package purpose; do
    if ! command -v "$command" >/dev/null; then
        packages+=("$package")
        missing+=("$command ($purpose)")
    fi
done < <(needs)

# Without libc's debug symbols valgrind on Debian cannot start.
if $debian && ! dpkg-query -W libc6-dbg >/dev/null 2>&1; then
    packages+=(libc6-dbg)
    missing+=("libc6-dbg (valgrind)")
fi
# Debian splits venv and the C headers from its own Python; any other Python has both.
python=$(command -v "${PYTHON:-python3}" || true)
if [ -z "$python" ] && $debian; then
    packages+=(python3 python3-venv python3-dev)
    missing+=("python3 (the Python package, the tools)")
elif [ -z "$python" ]; then
    missing+=("python3 (the Python package, the tools)")
elif ! "$python" -c 'import ensurepip, os, sysconfig, sys
sys.exit(not os.path.exists(sysconfig.get_path("include") + "/Python.h"))' 2>/dev/null; then
    packages+=(python3-venv python3-dev)
    missing+=("Python's venv and headers (the Python package)")
fi

if [ ${#missing[@]} -gt 0 ] && $debian && [ "$(id -u)" = 0 ]; then
    printf 'installing: %s\n' "${packages[*]}"
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq
    apt-get install -y -qq --no-install-recommends "${packages[@]}" >/dev/null
elif [ ${#missing[@]} -gt 0 ]; then
    printf 'missing on this machine: %s\n' "${missing[@]}"
    if $debian; then printf 'as root: apt-get install %s\n' "${packages[*]}"; fi
fi

if ! command -v cargo >/dev/null; then
    printf 'missing on this machine: cargo. Install Rust 1.95 or newer.\n'
    exit 1
fi
