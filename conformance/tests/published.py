"""What the published package says of the fixtures; run by the Python of its own environment.

python published.py FIXTURES OUT    OUT is a folder that takes each file as it writes it
python published.py                 a verdict on each line of standard input: what it is, and its bytes
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import hurray  # the published one


def verdict(call: Any, *arguments: Any) -> Any:
    """What comes of a call, or "refused"."""
    try:
        return call(*arguments)
    except BaseException as error:  # a panic of the published package is no Exception
        if isinstance(error, KeyboardInterrupt):
            raise
        return "refused"


def descriptor(data: bytes) -> str:
    """Decodes and encodes again."""
    return "same" if hurray.Descriptor.decode(data).encode() == data else "other"


def stream(data: bytes) -> list[Any]:
    """How many items a bare stream has, and whether they are the same bytes when they are written again."""
    with tempfile.TemporaryFile() as source, tempfile.TemporaryFile() as written:
        source.write(data)
        source.seek(0)
        writer = hurray.StreamWriter(written)
        count = 0
        for item in hurray.StreamReader(source):
            (writer.write_composite if isinstance(item, hurray.Composite) else writer.write)(item)
            count += 1
        writer.finish()
        written.seek(0)
        return [count, "same" if written.read() == data else "other"]


def file(path: str, copy: Path) -> int:
    """How many items a file has; writes a file of the same items and metadata, if it can."""
    items = hurray.load(path)
    verdict(lambda: hurray.save(str(copy), items, kv=hurray.load_kv(path)))
    return len(items)


def on_the_fixtures(fixtures: Path, out: Path) -> dict[str, Any]:
    """What it says of each case that is about what it has."""
    found: dict[str, Any] = {}
    for path in sorted(fixtures.glob("*/*.json")):
        for case in json.loads(path.read_text())["cases"]:
            name, request, expect = case["id"], case["request"], case["expect"]
            if request["op"] == "decode" and not request.get("permissive"):
                data = bytes.fromhex(expect.get("bytes") or request["bytes"])
                found[name] = [verdict(descriptor, data)]
            elif request["op"] == "batch" and request["what"] == "decode" and not request["options"]["permissive"]:
                found[name] = [verdict(descriptor, bytes.fromhex(one)) for one in request["inputs"]]
            elif request["op"] == "read_stream" and name.startswith("streams/bare-") and request["chunk"] == 0:
                said = verdict(stream, bytes.fromhex(request["bytes"]))
                count, alike = said if isinstance(said, list) else (said, said)
                found[name] = [count, len(expect["items"]), alike]
            elif request["op"] == "read_file" and expect["status"] == "OK" and "path" in request:
                source = request["path"].replace("${FIXTURES}", str(fixtures))
                found[name] = [verdict(file, source, out / name.replace("/", "-")), len(expect["items"])]
    return found


def judge(what: str, data: bytes) -> str:
    """Whether a file or a bare stream is read to its end."""
    with tempfile.NamedTemporaryFile() as source:
        source.write(data)
        source.seek(0)
        try:
            if what == "read_file":
                hurray.load(source.name)
                hurray.load_kv(source.name)
            else:
                list(hurray.StreamReader(source))
        except BaseException as error:
            return "panics" if type(error).__name__ == "PanicException" else "refuses"
    return "accepts"


if len(sys.argv) > 1:
    print(json.dumps(on_the_fixtures(*map(Path, sys.argv[1:]))))
else:
    for line in sys.stdin:
        what, _, digits = line.partition(" ")
        print(judge(what, bytes.fromhex(digits)), flush=True)
