"""An adapter that is wrong on purpose: it hands everything to the adapter of plain C, and spoils the answers.

python wrong.py MODE
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
mode = sys.argv[1]
right = subprocess.Popen([HERE.parent / "adapters/c/run"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
assert right.stdin is not None
assert right.stdout is not None


def ask(request: dict[str, Any]) -> dict[str, Any]:
    """What the right adapter says."""
    assert right.stdin is not None
    assert right.stdout is not None
    print(json.dumps(request), file=right.stdin, flush=True)
    answer: dict[str, Any] = json.loads(right.stdout.readline())
    return answer


def spoil(request: dict[str, Any], answer: dict[str, Any], count: int) -> None:
    """Makes one answer wrong."""
    descriptor = answer.get("descriptor")
    if request["op"] == "hello" and mode != "language":
        answer["language"] = "wrong"
    if request["op"] == "hello" and mode == "version":
        answer["abi_version"] = 9
    if request["op"] == "hello" and mode == "library":
        answer["library"] = "nowhere.so"
    if request["op"] == "live_handles" and mode == "leak":
        answer["count"] += 1
    if descriptor is not None:
        if mode == "value":
            descriptor["shape"][0] = "77"
        elif mode == "dropped":
            del descriptor["byte_offset"]
        elif mode == "added":
            descriptor["shard"] = {"parent_shape": ["1"], "offset": ["0"]}
        elif mode == "raw":
            descriptor["dtype"] = "float32"
        elif mode == "role":
            descriptor["buffers"][0]["role"] = "unknown"
        elif mode == "bytes":
            answer["bytes"] = "00" + answer["bytes"][2:]
    if request["op"] == "decode" and mode == "echo" and "bytes" in answer:
        answer["bytes"] = request["bytes"]
    if request["op"] == "build" and mode == "echo" and "item" in answer:
        answer["item"] = request["item"]
    if request["op"] == "write_file" and mode == "left":
        Path(request["path"]).with_suffix(".new").touch()
    if mode == "status" and answer["status"] < 0:
        answer["status"] = -14 if answer["status"] != -14 else -15
    if mode == "text" and answer["status"] < 0:
        answer["message"] = ""
    if mode == "statuses" and answer.get("statuses"):
        answer["statuses"][-1] = -14 if answer["statuses"][-1] == 0 else 0
    if request["op"] == "decode" and count == 3:
        if mode == "crash":
            right.kill()
            sys.exit(3)
        if mode == "hang":
            time.sleep(3600)
        if mode == "memory":
            hog = bytearray(1 << 28)
            for at in range(0, len(hog), 4096):
                hog[at] = 1
            time.sleep(3600)
    if mode == "garbage" and count == 3:
        print("no JSON", flush=True)


count = 0
for line in sys.stdin:
    request = json.loads(line)
    count += request["op"] == "decode"
    answer = ask(request)
    spoil(request, answer, count)
    print(json.dumps(answer), flush=True)
    if request["op"] == "quit":
        sys.exit(1 if mode == "exit" else 0)
