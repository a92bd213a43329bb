"""The published package reads what this one writes, and the reverse. It has the same module name: a child process."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import hurray
import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[3]

WRITE = """
import sys, numpy as np, hurray
half = lambda part, offset: hurray.Tensor(
    np.array(part, np.float32).tobytes(), hurray.float32, (2,), shard=hurray.Shard((4,), (offset,)))
tensors = {
    "x": hurray.from_numpy(np.arange(6, dtype=np.float32).reshape(2, 3)),
    "u": hurray.from_numpy(np.arange(5, dtype=np.uint8)),
    "e": hurray.from_numpy(np.zeros((0, 4), np.float32)),
    "s": hurray.from_numpy(np.array(3.0)),
    "c": hurray.Composite(
        "partition", shape=(4,), dtype=hurray.float32, members=[half([1, 2], 0), half([3, 4], 2)]),
}
kv = {"i": 7, "s": "text", "f": 0.5, "b": True, "y": b"\\x00\\x01", "l": [1, 2, 3], "t": ["a", ""]}
hurray.save(sys.argv[1], tensors, kv=kv)
"""

READ = """
import json, sys, numpy as np, hurray
shown = {}
for name, one in hurray.load(sys.argv[1]).items():
    parts = one.members if isinstance(one, hurray.Composite) else [one]
    shown[name] = [np.asarray(part).tolist() for part in parts]
kv = {key: repr(value) if isinstance(value, bytes) else value for key, value in hurray.load_kv(sys.argv[1]).items()}
print(json.dumps([shown, kv]))
"""

WRITE_STREAM = """
import sys, numpy as np, hurray
half = lambda part, offset: hurray.Tensor(
    np.array(part, np.float32).tobytes(), hurray.float32, (2,), shard=hurray.Shard((4,), (offset,)))
writer = hurray.StreamWriter(sys.stdout.buffer)
writer.write(hurray.from_numpy(np.arange(6, dtype=np.float32).reshape(2, 3)))
writer.write(hurray.from_numpy(np.zeros((0, 4), np.int16)))
writer.write(hurray.from_numpy(np.arange(200000, dtype=np.int64)))
writer.write_composite(hurray.Composite(
    "partition", shape=(4,), dtype=hurray.float32, members=[half([1, 2], 0), half([3, 4], 2)]))
writer.write(hurray.from_numpy(np.array(3.0)))
writer.finish()
"""

READ_STREAM = """
import json, sys, numpy as np, hurray
shown = []
for one in hurray.StreamReader(sys.stdin.buffer):
    parts = one.members if isinstance(one, hurray.Composite) else [one]
    arrays = [np.asarray(part) for part in parts]
    shown.append([[array.dtype.name, list(array.shape), float(array.sum())] for array in arrays])
print(json.dumps(shown))
"""

RELAY = """
import sys, hurray
writer = hurray.StreamWriter(sys.stdout.buffer)
for one in hurray.StreamReader(sys.stdin.buffer):
    writer.write_composite(one) if isinstance(one, hurray.Composite) else writer.write(one)
writer.finish()
"""

STREAM = [
    [["float32", [2, 3], 15.0]],
    [["int16", [0, 4], 0.0]],
    [["int64", [200000], 19999900000.0]],
    [["float32", [2], 3.0], ["float32", [2], 7.0]],
    [["float64", [], 3.0]],
]

CONTENT = [
    {
        "x": [[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]],
        "u": [[0, 1, 2, 3, 4]],
        "e": [[]],
        "s": [3.0],
        "c": [[1.0, 2.0], [3.0, 4.0]],
    },
    {"i": 7, "s": "text", "f": 0.5, "b": True, "y": "b'\\x00\\x01'", "l": [1, 2, 3], "t": ["a", ""]},
]


@pytest.fixture(scope="session")
def published() -> str:
    """The Python of an environment with the published package."""
    folder = ROOT / ".tools" / "pyhurray"
    python = folder / "bin" / "python"
    if not (folder / "ready").exists():
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "pyhurray==0.1.0", f"numpy=={np.__version__}"], check=True)
        (folder / "ready").touch()
    return str(python)


def run(python: str, script: str, path: Path) -> str:
    done = subprocess.run([python, "-c", script, str(path)], capture_output=True, text=True, cwd=path.parent)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_published_package_reads_ours(published: str, tmp_path: Path) -> None:
    ours = tmp_path / "ours.hrry"
    run(sys.executable, WRITE, ours)
    assert json.loads(run(published, READ, ours)) == CONTENT
    assert json.loads(run(sys.executable, READ, ours)) == CONTENT


def test_we_read_what_the_published_package_writes(published: str, tmp_path: Path) -> None:
    theirs = tmp_path / "theirs.hrry"
    run(published, WRITE, theirs)
    assert json.loads(run(sys.executable, READ, theirs)) == CONTENT
    # Every rule holds, but that its header does not say that there is metadata.
    with hurray.open(theirs, verify=True) as file:
        assert file.names == ["x", "u", "e", "s", "c", "c.0", "c.1"]
    command = [sys.executable, "-m", "hurray", "verify", str(theirs)]
    assert subprocess.run(command, capture_output=True).returncode == 0


@pytest.mark.parametrize("ours_writes", [True, False])
def test_streams_from_process_to_process(published: str, ours_writes: bool) -> None:
    pythons = (sys.executable, published) if ours_writes else (published, sys.executable)
    sender = subprocess.Popen([pythons[0], "-c", WRITE_STREAM], stdout=subprocess.PIPE)
    receiver = subprocess.run([pythons[1], "-c", READ_STREAM], stdin=sender.stdout, capture_output=True, text=True)
    assert sender.stdout is not None
    sender.stdout.close()
    assert (sender.wait(), receiver.returncode) == (0, 0), receiver.stderr
    assert json.loads(receiver.stdout) == STREAM


@pytest.mark.parametrize("ours_writes", [True, False])
def test_streams_come_back_byte_for_byte(published: str, ours_writes: bool) -> None:
    first, second = (sys.executable, published) if ours_writes else (published, sys.executable)
    sent = subprocess.run([first, "-c", WRITE_STREAM], stdout=subprocess.PIPE, check=True).stdout
    back = subprocess.run([second, "-c", RELAY], input=sent, stdout=subprocess.PIPE, check=True).stdout
    assert back == sent
