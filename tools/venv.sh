#!/usr/bin/env bash
# Makes .venv with the pinned tools. The stamp .venv/ready is newer than the pins once that is done.
set -euo pipefail
cd "$(dirname "$0")/.."

# A shell that has .venv/bin first in PATH would otherwise build the environment from itself.
PATH=${PATH//$PWD\/.venv\/bin:/}
python=${PYTHON:-python3}
if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))'; then
    printf 'The tools need Python 3.10 or newer: set PYTHON to one.\n'
    exit 1
fi
printf 'setting up .venv\n'
[ -x .venv/bin/python ] || "$python" -m venv .venv
.venv/bin/python -m pip install --quiet --disable-pip-version-check --requirement tools/requirements.txt
touch .venv/ready
