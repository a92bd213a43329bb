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
