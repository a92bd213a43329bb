"""``python -m hurray inspect FILE [NAME]`` and ``python -m hurray verify FILE...``.

``inspect`` lists what is in a file; with a name, it shows that descriptor as an annotated table of bytes.
``verify`` runs every rule of the format over files, padding included, and says what is wrong and where.
``--json`` prints one JSON value instead of text; there bytes are hexadecimal, and numbers that JSON lacks are text.

Exit codes: 0 all is well; 1 a file breaks a rule, or lacks the name; 2 a file cannot be read, the output cannot be
written, or wrong usage.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
from collections.abc import Sequence
from typing import Any

from . import File, HurrayError
from . import open as open_file

OK, BROKEN, UNREADABLE = 0, 1, 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command and gives its exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m hurray", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    inspect = commands.add_parser("inspect", help="list a file, or show one descriptor")
    inspect.add_argument("file")
    inspect.add_argument("name", nargs="?")
    verify = commands.add_parser("verify", help="check every rule")
    verify.add_argument("files", nargs="+")
    for command in (inspect, verify):
        command.add_argument("--json", action="store_true", help="print JSON")
        command.add_argument("--permissive", action="store_true", help="accept what strict reading refuses")
    given = parser.parse_args(arguments)
    if given.command == "verify":
        return _verify(given.files, given.permissive, given.json)
    try:
        with open_file(given.file, permissive=given.permissive) as file:
            return _show(file, given.name, given.json) if given.name is not None else _list(file, given.json)
    except HurrayError as error:
        print(f"{given.file}: {error.args[0]}", file=sys.stderr)
        return _code(error)


def _code(error: BaseException) -> int:
    return UNREADABLE if getattr(error, "errno", None) is not None else BROKEN


def _verify(paths: Sequence[str], permissive: bool, as_json: bool) -> int:
    worst, report = OK, []
    for path in paths:
        entry: dict[str, Any] = {"file": path, "ok": True}
        try:
            with open_file(path, permissive=permissive, verify=True) as file:
                entry["entries"] = len(file.names)
        except HurrayError as error:
            entry |= {"ok": False, "error": str(error.args[0]), "status": getattr(error, "status", None)}
            worst = max(worst, _code(error))
        report.append(entry)
        if not as_json:
            verdict = f"ok, {entry['entries']} entries" if entry["ok"] else entry["error"]
            print(f"{path}: {verdict}")
    if as_json:
        print(json.dumps(report, indent=2))
    return worst


def _describe(file: File, name: str) -> dict[str, Any]:
    offset, length = file.range(name)
    entry: dict[str, Any] = {"name": name, "offset": offset, "bytes": length}
    try:
        descriptor = file.descriptor(name)
    except HurrayError as error:
        return entry | {"error": str(error)}
    entry["dtype"] = str(descriptor.dtype).removeprefix("hurray.dtype.")
    entry["shape"] = list(descriptor.shape)
    entry["layout"] = descriptor.layout.name
    return entry


def _plain(value: Any) -> Any:
    """A value of the metadata as JSON has it."""
    if isinstance(value, list):
        return [_plain(one) for one in value]
    if isinstance(value, bytes):
        return value.hex()
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def _list(file: File, as_json: bool) -> int:
    entries = [_describe(file, name) for name in file.names]
    pairs = file.kv
    code = BROKEN if any("error" in entry for entry in entries) else OK
    if as_json:
        kv = {key: _plain(value) for key, value in pairs.items()}
        print(json.dumps({"entries": entries, "kv": kv, "kv_types": file.kv_types}, indent=2, allow_nan=False))
        return code
    for entry in entries:
        if "error" in entry:
            print(f"{entry['name']!r}: {entry['error']}")
            continue
        shape = " x ".join("?" if extent is None else str(extent) for extent in entry["shape"]) or "scalar"
        print(
            f"{entry['name']!r}: {entry['dtype']} {shape}, {entry['layout']}, "
            f"{entry['bytes']} bytes at {entry['offset']}"
        )
    for key, value in pairs.items():
        print(f"{key!r} = {value!r}")
    return code


def _show(file: File, name: str, as_json: bool) -> int:
    descriptor = file.descriptor(name)
    if as_json:
        print(json.dumps(_describe(file, name) | {"descriptor": descriptor.encode().hex()}, indent=2))
    else:
        print(descriptor.annotate(), end="")
    return OK


def _run() -> int:
    try:
        code = main()
        sys.stdout.flush()
    except OSError as error:
        # The output has no room, or nobody reads it any more; what is left of it must not fail once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        if not isinstance(error, BrokenPipeError):
            print(f"the output cannot be written: {error}", file=sys.stderr)
        return UNREADABLE
    return code


if __name__ == "__main__":
    sys.exit(_run())
