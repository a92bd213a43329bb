"""The published implementations, as black boxes: they read the fixtures, and what they write is read here.

Where they differ is pinned in published.json by the number of the difference. The package has the same module name as
that of this tree, so it runs in an environment and a process of its own; the crates are in an example of the library.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

SUITE = Path(__file__).resolve().parent.parent
ROOT = SUITE.parent
PINNED = json.loads((SUITE / "published.json").read_text())


def package() -> list[str]:
    """The command of the Python package, which is installed at the first call."""
    folder = ROOT / ".tools" / "pyhurray"
    python = folder / "bin" / "python"
    if not (folder / "ready").exists():
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "pyhurray==0.1.0", f"numpy=={np.__version__}"], check=True)
        (folder / "ready").touch()
    return [str(python), str(SUITE / "tests" / "published.py")]


def crates() -> list[str]:
    """The command of the Rust crates."""
    return [str(ROOT / "target" / "debug" / "examples" / "published")]


Found = tuple[str, dict[str, Any], Path]


@pytest.fixture(scope="module", params=["pyhurray", "crates"])
def found(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Found:
    """Which implementation, what it says of each case, and the files that it wrote."""
    out = tmp_path_factory.mktemp("files")
    command = package() if request.param == "pyhurray" else crates()
    command += [str(SUITE / "fixtures"), str(out)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return request.param, json.loads(done.stdout), out


@pytest.fixture(scope="module")
def cases() -> dict[str, Any]:
    """Each case by its name."""
    files = sorted((SUITE / "fixtures").glob("*/*.json"))
    return {case["id"]: case for path in files for case in json.loads(path.read_text())["cases"]}


def said_of(found: Found, kind: str) -> dict[str, Any]:
    """What was said of the cases of a kind."""
    return {name: one for name, one in found[1].items() if name.startswith(f"{kind}/")}


def pinned(found: Found, key: str) -> set[str]:
    """The names that are pinned for an implementation."""
    return {name for name, entry in PINNED[key].items() if found[0] in entry["of"]}


def test_they_read_and_write_every_valid_descriptor(found: Found) -> None:
    said = said_of(found, "descriptors")
    assert len(said) > 600
    assert {name for name, one in said.items() if one != ["same"]} == pinned(found, "descriptors_written_differently")


def test_they_read_every_valid_bare_stream_and_write_the_same_bytes(found: Found) -> None:
    said = said_of(found, "streams")
    assert len(said) > 20
    wrong = {name for name, (items, wanted, alike) in said.items() if items != wanted or alike != "same"}
    assert wrong == pinned(found, "streams_written_differently")


def test_they_read_every_valid_file(found: Found) -> None:
    said = said_of(found, "files")
    assert len(said) > 20
    assert {name for name, (items, wanted) in said.items() if items != wanted} == pinned(found, "files_not_read")


def differences(expected: Any, answer: Any, with_metadata: bool) -> list[str]:
    """What is not in a file that they wrote of another: names of top-level items, items, metadata."""
    assert answer["status"] == 0, answer
    entries = {entry["name"]: entry["item"] for entry in answer["entries"]}
    wanted = {entry["name"]: entry["item"] for entry in expected["entries"]}
    found = [name for name in expected["items"] if entries.get(name) != wanted[name]]
    found += ["items"] * (sorted(answer["items"]) != sorted(expected["items"]))
    return found + ["kv"] * (with_metadata and answer["kv"] != expected["kv"])


def test_what_they_write_is_read_here(found: Found, cases: dict[str, Any]) -> None:
    implementation, _, out = found
    files = set(said_of(found, "files"))
    names = sorted(name for name in files if (out / name.replace("/", "-")).is_file())
    assert files - set(names) == pinned(found, "files_not_written")
    adapter = subprocess.Popen(
        [SUITE / "adapters" / "c" / "run"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT
    )
    wrong = {}
    requests = [{"op": "read_file", "path": str(out / name.replace("/", "-")), "options": {}} for name in names]
    given = "".join(json.dumps(request) + "\n" for request in [*requests, {"op": "quit"}])
    answers, _ = adapter.communicate(given)
    for name, line in zip(names, answers.splitlines(), strict=False):
        # Python has one type for signed and unsigned numbers, so only the crates can write all metadata anew.
        different = differences(cases[name]["expect"], json.loads(line), implementation == "crates")
        if different:
            wrong[name] = different
    assert set(wrong) == pinned(found, "files_written_differently"), wrong
    assert adapter.returncode == 0


def broken_containers(cases: dict[str, Any]) -> list[tuple[str, str, str]]:
    """Rule, kind and bytes of every file and bare stream that must be refused, whatever the options."""
    found = []
    for case in cases.values():
        rules, request, expect = case.get("rules", []), case["request"], case["expect"]
        if not rules or any(request.get("options", {}).values()):
            continue
        if request["op"] == "batch" and request["what"] == "read_file":
            pairs = zip(request["inputs"], expect["statuses"], strict=True)
            found += [(rules[0], "read_file", one) for one, status in pairs if status != "OK"]
        elif expect["status"] != "OK" and "bytes" in request:
            is_bare = request["op"] == "read_stream" and request["chunk"] == 0 and rules[0] < "S-1"
            if request["op"] == "read_file" or is_bare:
                found.append((rules[0], request["op"], request["bytes"]))
    return found


def limits() -> None:
    """Memory that is asked for because a file says so ends the process, as it would on a small machine."""
    resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
    resource.setrlimit(resource.RLIMIT_CPU, (30, 30))


@pytest.mark.parametrize("implementation", ["pyhurray", "crates"])
def test_they_refuse_containers_and_bare_streams_but_for_what_is_known(
    implementation: str, cases: dict[str, Any]
) -> None:
    known = PINNED["containers_and_bare_streams"]
    command = package() if implementation == "pyhurray" else crates()
    inputs = broken_containers(cases)
    assert len(inputs) > 600
    found: dict[str, set[str]] = {}
    child = None
    for rule, what, data in inputs:
        child = child or subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            preexec_fn=limits,
        )
        assert child.stdin is not None
        assert child.stdout is not None
        print(what, data, file=child.stdin, flush=True)
        said = child.stdout.readline().strip()
        if not said:
            child.wait()
            child = None
        found.setdefault(said or "dies of memory", set()).add(rule)
    if child is not None:
        child.communicate()
    alone = set(known["accepted by the crates alone, which give a head without its members"])
    assert found["accepts"] == set(known["accepts"]) | (alone if implementation == "crates" else set())
    for verdict in ("panics", "dies of memory"):
        assert found[verdict] == set(known[verdict]), verdict
    assert len(found["refuses"]) > 40


def test_they_refuse_what_they_are_known_to_refuse(found: Found, cases: dict[str, Any]) -> None:
    accepted: dict[str, list[bool]] = {}
    for name, verdicts in said_of(found, "invalid").items():
        accepted.setdefault(cases[name]["rules"][0], []).extend(one in ("same", "other") for one in verdicts)
    known = {rule for some in PINNED["accepts"].values() for rule in some}
    assert {rule for rule, verdicts in accepted.items() if any(verdicts)} == known
    partly = {rule for rule, verdicts in accepted.items() if any(verdicts) and not all(verdicts)}
    assert partly == set(PINNED["accepts_some"])
    assert len(accepted) > 100
