"""The parity check itself: an entry whose test did not run, or failed, or does not exist is found."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest

SUITE = Path(__file__).resolve().parent.parent
spec = importlib.util.spec_from_file_location("parity", SUITE / "parity.py")
assert spec is not None
assert spec.loader is not None
parity = importlib.util.module_from_spec(spec)
spec.loader.exec_module(parity)

GO_TEST = "bindings/go/readme_test.go::TestReadme"
TABLE: dict[str, Any] = {
    "languages": ["go"],
    "rows": [
        {"row": 1, "capability": "a", "cases": ["files/"]},
        {"row": 2, "capability": "b", "tests": {"go": [GO_TEST]}},
    ],
}
CASES = {"go": {"files/a": True, "files/b": True}}


def test_what_ran_and_passed_holds() -> None:
    assert parity.check(TABLE, CASES, {"go": {"TestReadme": True}}, {}) == []
    assert parity.check(TABLE, CASES, None, {}) == []


@pytest.mark.parametrize(
    ("ran", "text"),
    [
        ({}, "did not run"),
        ({"go": {}}, "did not run"),
        ({"go": {"TestReadm": True}}, "did not run"),
        ({"python": {"TestReadme": True}}, "did not run"),
        ({"go": {"TestReadme": False}}, "failed"),
    ],
)
def test_a_test_that_did_not_run_or_failed_is_found(ran: dict[str, dict[str, bool]], text: str) -> None:
    (found,) = parity.check(TABLE, CASES, ran, {})
    assert found == f"row 2, Go: {GO_TEST} {text}"


@pytest.mark.parametrize(
    ("cases", "text"),
    [
        ({}, "no case files/… was run"),
        ({"go": {"streams/a": True}}, "no case files/… was run"),
        ({"go": {"files/a": True, "files/b": False}}, "1 of the cases files/… fail"),
    ],
)
def test_cases_that_did_not_run_or_failed_are_found(cases: dict[str, dict[str, bool]], text: str) -> None:
    (found,) = parity.check(TABLE, cases, {"go": {"TestReadme": True}}, {})
    assert found == f"row 1, Go: {text}"


def test_an_entry_that_nothing_proves_is_found() -> None:
    rows = [{"row": 3, "capability": "c", "tests": {"python": ["bindings/python/tests/test_errors.py::test_a"]}}]
    (found,) = parity.check({**TABLE, "rows": rows}, CASES, {"go": {}}, {})
    assert found == "row 3, Go: nothing proves it"


def test_a_language_that_is_not_here_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "test-go").write_text("go is not installed\n")
    not_run = parity.left_out(["go", "python"], tmp_path)
    assert not_run == {"go": "go is not installed"}
    assert parity.check(TABLE, {}, {}, not_run) == []


def test_a_test_that_is_nowhere_is_found() -> None:
    assert "has no test" in parity.wrong_test("bindings/go/readme_test.go::TestNothing")
    assert "does not exist" in parity.wrong_test("bindings/go/nothing_test.go::TestReadme")


def test_every_language_with_an_adapter_has_its_column_and_every_row_its_entry() -> None:
    table = json.loads((SUITE / "parity.json").read_text())
    adapters = {path.parent.parent.name for path in (SUITE.parent / "bindings").glob("*/adapter/run")}
    assert {*table["languages"], "rust"} == adapters
    assert [row["row"] for row in table["rows"]] == list(range(1, 20))
    for row in table["rows"]:
        assert all(parity.proofs(row, language) for language in table["languages"]), row["row"]


def test_lists_of_names_are_read(tmp_path: Path) -> None:
    (tmp_path / "go.txt").write_text("ok TestA\nFAILED TestB\nok TestB\n")
    (tmp_path / "python.xml").write_text(
        '<testsuites><testsuite><testcase classname="m" name="test_a[1]"/>'
        '<testcase classname="m" name="test_a[2]"><failure/></testcase>'
        '<testcase classname="m" name="test_b[1]"/><testcase classname="m" name="test_c"><skipped/></testcase>'
        "</testsuite></testsuites>"
    )
    suite = '<testsuite name="s" errors="0" failures="0"><testcase name="a &amp; b[0]"/></testsuite>'
    (tmp_path / "node.xml").write_text(f"<testsuites>{suite}</testsuites>")
    assert parity.recorded(tmp_path) == {
        "go": {"TestA": True, "TestB": False},
        "python": {"test_a": False, "test_b": True, "test_c": False},
        "node": {"a & b[0]": True, "s": True},
    }
