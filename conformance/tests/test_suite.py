"""The suite itself: wrong adapters are caught, nothing lies about unused, every rule has a case or a reason."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).resolve().parent
SUITE = HERE.parent
ROOT = SUITE.parent
FIXTURES = SUITE / "fixtures"
RUNNER = ROOT / "target" / "adapter" / "conformance" / "conformance"


def all_cases() -> list[dict[str, Any]]:
    """Every case of the fixtures."""
    return [case for path in sorted(FIXTURES.glob("*/*.json")) for case in json.loads(path.read_text())["cases"]]


def run_wrong(
    mode: str, tmp_path: Path, case: str = "descriptors/row_major", build: str = "true"
) -> subprocess.CompletedProcess[str]:
    """The runner with one adapter, which is wrong in one way."""
    for folder in ("adapters", "fixtures", "parity.json"):
        if (SUITE / folder).exists():
            (tmp_path / "conformance").mkdir(exist_ok=True)
            (tmp_path / "conformance" / folder).symlink_to(SUITE / folder)
    adapter = tmp_path / "bindings" / "wrong" / "adapter"
    adapter.mkdir(parents=True)
    for name, line in (("build", build), ("run", f"exec '{sys.executable}' '{HERE / 'wrong.py'}' {mode}")):
        (adapter / name).write_text(f"#!/usr/bin/env bash\n{line}\n")
        (adapter / name).chmod(0o755)
    (tmp_path / "build" / "conformance").mkdir(parents=True)
    (tmp_path / "build" / "conformance" / "c").symlink_to(ROOT / "build" / "conformance" / "c")
    for name in ("lib", "include"):
        (tmp_path / "build" / name).symlink_to(ROOT / "build" / name)
    environment = os.environ | {
        "CONFORMANCE_ROOT": str(tmp_path),
        "CONFORMANCE_LANG": "wrong",
        "CONFORMANCE_SECONDS": "3",
        "CONFORMANCE_MEGABYTES": "200",
    }
    return subprocess.run(
        [RUNNER, "--test-threads=1", case], env=environment, capture_output=True, text=True, check=False, timeout=120
    )


def passed(result: subprocess.CompletedProcess[str]) -> tuple[int, int]:
    """How many cases passed and failed."""
    found = re.search(r"(\d+) passed; (\d+) failed", result.stdout)
    assert found, result.stdout + result.stderr
    return int(found[1]), int(found[2])


def failures(tmp_path: Path) -> dict[str, str]:
    """What failed, by the report in XML."""
    report = ElementTree.parse(tmp_path / "build" / "conformance" / "junit.xml").getroot()
    assert all(case.attrib["classname"] == "wrong" for case in report.iter("testcase"))
    found = {case.attrib["name"]: case.findtext("failure") for case in report.iter("testcase")}
    assert report.attrib["tests"] == str(len(found))
    return {name: told for name, told in found.items() if told is not None}


def test_an_adapter_that_is_right_passes(tmp_path: Path) -> None:
    result = run_wrong("right", tmp_path)
    assert result.returncode == 0, result.stdout + result.stderr
    assert passed(result)[1] == 0


@pytest.mark.parametrize(
    ("mode", "case", "text"),
    [
        ("value", "descriptors/row_major", 'shape[0] is "77"'),
        ("dropped", "descriptors/row_major", "byte_offset is missing"),
        ("added", "descriptors/row_major", "shard is"),
        ("raw", "descriptors/row_major", 'dtype is "float32"'),
        ("role", "descriptors/row_major", 'role is "unknown"'),
        ("bytes", "descriptors/row_major", "bytes is"),
        ("status", "invalid/V-004", "expected ERR_VERSION_MISMATCH"),
        ("text", "invalid/V-004", "without a text"),
        ("statuses", "invalid/V-001", "statuses[9] is 0"),
        ("statuses", "bad-input/descriptors-row_major-float32", "plain C says"),
        ("language", "descriptors/row_major", "hello was answered"),
        ("version", "descriptors/row_major", "hello was answered"),
        ("library", "descriptors/row_major", "hello was answered"),
        ("echo", "descriptors/bytes-behind", "bytes is"),
        ("echo", "fields/row_major-float32", "encoded_length is missing"),
        ("left", "files/L-023-undivided", "left has 1 elements; expected 0"),
    ],
)
def test_an_adapter_that_is_wrong_is_caught(mode: str, case: str, text: str, tmp_path: Path) -> None:
    result = run_wrong(mode, tmp_path, case)
    assert result.returncode != 0
    assert passed(result)[1] > 0
    assert text in result.stdout


@pytest.mark.parametrize(
    ("mode", "text"),
    [
        ("crash", "the adapter died: exit status: 3"),
        ("hang", "it took too long and was ended"),
        ("memory", "MiB of memory and was ended"),
        ("garbage", "the answer is no JSON"),
    ],
)
def test_an_adapter_that_dies_fails_one_case_and_is_started_again(mode: str, text: str, tmp_path: Path) -> None:
    # Each process spoils its third answer, so every third case fails and all others pass.
    result = run_wrong(mode, tmp_path, "descriptors/row_major-float")
    assert result.returncode != 0
    good, bad = passed(result)
    assert good >= 2 * bad > 0
    failed = failures(tmp_path)
    assert len(failed) == bad
    for case, told in failed.items():
        assert text in told
        assert f"wrong::{case}\n" in result.stdout


def test_a_name_that_fits_no_case_is_an_error(tmp_path: Path) -> None:
    result = run_wrong("right", tmp_path, "descriptors/no-such-case")
    assert result.returncode != 0
    assert "no case is named descriptors/no-such-case" in result.stderr


def test_a_language_that_is_asked_for_and_cannot_run_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # There nothing may be left out, asked for or not.
    monkeypatch.delenv("CI", raising=False)
    result = run_wrong("right", tmp_path, build="exit 3")
    assert result.returncode != 0
    assert "wrong was asked for and cannot run" in result.stderr


@pytest.mark.parametrize(("mode", "text"), [("leak", "handles are left at the end"), ("exit", "quit was answered")])
def test_an_adapter_that_ends_badly_is_caught(mode: str, text: str, tmp_path: Path) -> None:
    result = run_wrong(mode, tmp_path)
    assert result.returncode != 0
    assert passed(result)[1] == 0
    assert text in result.stdout


def test_names_are_unique() -> None:
    names = [case["id"] for case in all_cases()]
    assert len(names) == len(set(names))


def test_b61_every_language_gets_one_corpus_of_bad_input() -> None:
    environment = os.environ | {"CONFORMANCE_ROOT": str(ROOT)}
    environment.pop("CONFORMANCE_LANG", None)
    listing = subprocess.run([RUNNER, "--list"], env=environment, capture_output=True, text=True, check=True).stdout
    listed: dict[str, set[str]] = {}
    for language, case in re.findall(r"^(\w+)::(.*): test$", listing, re.MULTILINE):
        listed.setdefault(language, set()).add(case)
    assert set(listed) >= {"c", "cpp", "go", "julia", "node", "python", "rust"}
    bad = {
        case["id"]
        for case in all_cases()
        if any(status != "OK" for status in case["expect"].get("statuses", [case["expect"]["status"]]))
    }
    assert len(bad) > 300
    for language, cases in listed.items():
        assert bad <= cases, language


def test_b75_every_language_writes_the_bytes_of_the_fixtures() -> None:
    written = [case for case in all_cases() if case["request"]["op"] == "write_file"]
    good = [case["expect"] for case in written if case["expect"]["status"] == "OK"]
    assert len(good) > 20
    for expect in good:
        assert expect["file"]["same_as"].endswith(".hrry")


def test_no_file_is_an_orphan() -> None:
    listed = dict(reversed(line.split("  ")) for line in (FIXTURES / "SHA256SUMS").read_text().splitlines())
    found = {p.relative_to(FIXTURES).as_posix() for p in FIXTURES.rglob("*") if p.is_file()} - {"SHA256SUMS"}
    assert found == set(listed)
    for path, digest in listed.items():
        assert hashlib.sha256((FIXTURES / path).read_bytes()).hexdigest() == digest, path
    text = "".join(path.read_text() for path in FIXTURES.glob("*/*.json"))
    for path in found:
        assert path.endswith(".json") or f"${{FIXTURES}}/{path}" in text, f"no case uses {path}"


def test_the_fixtures_are_small_and_mostly_invalid() -> None:
    assert sum(p.stat().st_size for p in FIXTURES.rglob("*") if p.is_file()) < 8 << 20
    good = bad = 0
    for case in all_cases():
        for status in case["expect"].get("statuses", [case["expect"]["status"]]):
            good += status == "OK"
            bad += status != "OK"
    assert bad >= 2 * good


def test_every_rule_has_a_case_or_a_reason() -> None:
    coverage = json.loads((SUITE / "coverage.json").read_text())
    rules, reasons = set(coverage["rules"]), coverage["rules_without_cases"]
    used = {rule for case in all_cases() for rule in case.get("rules", [])}
    assert used <= rules
    assert not used & set(reasons), "these have cases now"
    assert rules - used == set(reasons)
    numbered = set((ROOT / "hurray-ffi/tests/rules/all.txt").read_text().split())
    assert numbered <= rules


def test_every_status_has_a_case_or_a_reason() -> None:
    reasons = json.loads((SUITE / "coverage.json").read_text())["statuses_without_cases"]
    header = (ROOT / "hurray-ffi/include/hurray.h").read_text()
    statuses = set(re.findall(r"#define HURRAY_((?:ERR_\w+)|OK|NEED_MORE|END) +\(?-?\d", header))
    assert len(statuses) > 30
    used = {s for case in all_cases() for s in [case["expect"]["status"], *case["expect"].get("statuses", [])]}
    assert used <= statuses
    assert not used & set(reasons), "these have cases now"
    assert statuses - used == set(reasons)


def test_every_kind_of_case_is_in_the_parity_table() -> None:
    rows = json.loads((SUITE / "parity.json").read_text())["rows"]
    proofs = {kind for row in rows for kind in row.get("cases", [])}
    missing = {case["id"].split("/")[0] + "/" for case in all_cases()} - proofs
    assert not missing, "put these into a row of conformance/parity.json; then `python3 conformance/parity.py --write`"


def test_the_runner_knows_the_numbers_of_the_header() -> None:
    header = (ROOT / "hurray-ffi/include/hurray.h").read_text()
    numbers = dict(re.findall(r"#define HURRAY_ERR_(\w+) +\(-(\d+)\)", header))
    listed = re.search(r"ERRORS[^=]*= \[(.*?)\]", (SUITE / "runner/src/statuses.rs").read_text(), re.DOTALL)
    assert listed
    assert {name: str(k + 1) for k, name in enumerate(re.findall(r'"(\w+)"', listed[1]))} == numbers


def test_the_tools_are_there() -> None:
    assert shutil.which("cc")
    assert RUNNER.is_file()
