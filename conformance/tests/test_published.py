"""The published package, as a black box, reads the fixtures; where it differs is pinned in published.json.

It has the same module name as the package of this tree, so it runs in an environment and a process of its own.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

SUITE = Path(__file__).resolve().parent.parent
PINNED = json.loads((SUITE / "published.json").read_text())


@pytest.fixture(scope="module")
def found() -> dict[str, Any]:
    """What the published package says of each case."""
    folder = SUITE.parent / ".tools" / "pyhurray"
    python = folder / "bin" / "python"
    if not (folder / "ready").exists():
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "pyhurray==0.1.0", f"numpy=={np.__version__}"], check=True)
        (folder / "ready").touch()
    command = [str(python), str(SUITE / "tests" / "published.py"), str(SUITE / "fixtures")]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    said: dict[str, Any] = json.loads(done.stdout)
    return said


@pytest.fixture(scope="module")
def rules() -> dict[str, str]:
    """The first rule of each case."""
    cases = [c for p in (SUITE / "fixtures").glob("*/*.json") for c in json.loads(p.read_text())["cases"]]
    return {case["id"]: case["rules"][0] for case in cases if case.get("rules")}


def test_it_reads_and_writes_every_valid_descriptor(found: dict[str, Any]) -> None:
    said = {name: one for name, one in found.items() if name.startswith("descriptors/")}
    assert len(said) > 600
    other = {name for name, one in said.items() if one != ["same"]}
    assert other == set(PINNED["descriptors_written_differently"])


@pytest.mark.parametrize("kind", ["files", "streams"])
def test_it_reads_every_valid_file_and_bare_stream(kind: str, found: dict[str, Any]) -> None:
    said = {name: one for name, one in found.items() if name.startswith(f"{kind}/")}
    assert len(said) > 20
    wrong = {name for name, (items, wanted) in said.items() if items != str(wanted)}
    assert wrong == set(PINNED[f"{kind}_not_read"])


def test_it_refuses_what_it_is_known_to_refuse(found: dict[str, Any], rules: dict[str, str]) -> None:
    accepted: dict[str, list[bool]] = {}
    for name, verdicts in found.items():
        if name.startswith("invalid/"):
            accepted.setdefault(rules[name], []).extend(one in ("same", "other") for one in verdicts)
    known = {rule for some in PINNED["accepts"].values() for rule in some}
    assert {rule for rule, verdicts in accepted.items() if any(verdicts)} == known
    partly = {rule for rule, verdicts in accepted.items() if any(verdicts) and not all(verdicts)}
    assert partly == set(PINNED["accepts_some"])
    assert len(accepted) > 100
