"""What the published package says of the fixtures; run by the Python of its own environment.

python published.py FIXTURES
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import hurray  # the published one

fixtures = Path(sys.argv[1])


def verdict(call: Any, *arguments: Any) -> str:
    """What comes of a call: "same", "other", "reads", or the class of its error."""
    try:
        return str(call(*arguments))
    except BaseException as error:  # a panic of the published package is no Exception
        if isinstance(error, KeyboardInterrupt):
            raise
        return type(error).__name__


def descriptor(data: bytes) -> str:
    """Decodes and encodes again."""
    return "same" if hurray.Descriptor.decode(data).encode() == data else "other"


def stream(data: bytes) -> int:
    """How many items a bare stream has."""
    with tempfile.TemporaryFile() as file:
        file.write(data)
        file.seek(0)
        return sum(1 for _ in hurray.StreamReader(file))


def file(path: str) -> int:
    """How many items a file has."""
    return len(hurray.load(path))


found: dict[str, Any] = {}
for path in sorted(fixtures.glob("*/*.json")):
    for case in json.loads(path.read_text())["cases"]:
        request, expect = case["request"], case["expect"]
        if request["op"] == "decode" and not request.get("permissive"):
            data = bytes.fromhex(expect.get("bytes") or request["bytes"])
            found[case["id"]] = [verdict(descriptor, data)]
        elif request["op"] == "batch" and request["what"] == "decode" and not request["options"]["permissive"]:
            found[case["id"]] = [verdict(descriptor, bytes.fromhex(one)) for one in request["inputs"]]
        elif request["op"] == "read_stream" and case["id"].startswith("streams/bare-") and request["chunk"] == 0:
            data = bytes.fromhex(request["bytes"])
            found[case["id"]] = [verdict(stream, data), len(expect["items"])]
        elif request["op"] == "read_file" and expect["status"] == "OK" and "path" in request:
            name = request["path"].replace("${FIXTURES}", str(fixtures))
            found[case["id"]] = [verdict(file, name), len(expect["items"])]
print(json.dumps(found))
