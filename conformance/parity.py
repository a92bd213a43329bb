"""The parity table: what each language was proved to do, and by what.

    python conformance/parity.py          checks the entries of the languages that the last run of the suite had
    python conformance/parity.py --ran    the entries of all languages, by the tests that the last `make test` ran
    python conformance/parity.py --write  writes docs/parity.md anew

A proof by cases holds if the last run had such cases in that language, and all of them passed. A proof by a test holds
if the test is there, and with `--ran` if it is among those that passed: each part of `make test` leaves the names in
`build/tests`.
"""

from __future__ import annotations

import json
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

SUITE = Path(__file__).resolve().parent
ROOT = SUITE.parent
BUILD = ROOT / "build"
PAGE = ROOT / "docs" / "parity.md"
NAMES = {"python": "Python", "cpp": "C++", "node": "Node", "go": "Go", "julia": "Julia"}

Run = dict[str, dict[str, bool]]


def in_xml(path: Path, group: str = "") -> Run:
    """Language (or the group), name, and whether it passed, of a JUnit report; a test of many values is one."""
    found: Run = {}
    for case in ElementTree.parse(path).getroot().iter("testcase"):
        tests = found.setdefault(group or case.attrib["classname"], {})
        name = case.attrib["name"].split("[")[0] if group == "python" else case.attrib["name"]
        passed = all(case.find(verdict) is None for verdict in ("failure", "error", "skipped"))
        tests[name] = tests.get(name, True) and passed
    return found


def in_node(path: Path) -> Run:
    """The same of Node, whose tests with parts are suites."""
    found = in_xml(path, "node")
    for suite in ElementTree.parse(path).getroot().iter("testsuite"):
        passed = suite.attrib.get("failures") == "0" and suite.attrib.get("errors") == "0"
        found.setdefault("node", {})[suite.attrib["name"]] = passed
    return found


def in_lines(path: Path) -> dict[str, bool]:
    """Name, and whether it passed, of a list of `ok NAME` and `FAILED NAME`; what failed once has failed."""
    found: dict[str, bool] = {}
    for line in path.read_text().splitlines():
        verdict, _, name = line.partition(" ")
        found[name] = found.get(name, True) and verdict == "ok"
    return found


def recorded(folder: Path) -> Run:
    """Every test that a part of `make test` left the name of."""
    found: Run = {}
    for path in sorted(folder.glob("*")):
        if path.name == "node.xml":
            found.update(in_node(path))
        elif path.suffix == ".xml":
            found.update(in_xml(path, path.stem))
        else:
            found[path.stem] = in_lines(path)
    return found


def group_of(path: str) -> str:
    """The part that runs the tests of a file."""
    first, second, *_ = path.split("/")
    return second if first == "bindings" else "install"


def wrong_test(test: str, ran: Run | None = None) -> str | None:
    """Why a test proves nothing."""
    path, _, name = test.partition("::")
    file = ROOT / path
    if not file.is_file():
        return f"{path} does not exist"
    if ran is None:
        return None if name in file.read_text() else f"{path} has no test {name!r}"
    passed = ran.get(group_of(path), {}).get(name)
    if passed is None:
        return f"{test} did not run"
    return None if passed else f"{test} failed"


def wrong_cases(prefix: str, cases: dict[str, bool]) -> str | None:
    """Why cases prove nothing."""
    found = [passed for name, passed in cases.items() if name.startswith(prefix)]
    if not found:
        return f"no case {prefix}… was run"
    return None if all(found) else f"{found.count(False)} of the cases {prefix}… fail"


def has_binding(language: str) -> bool:
    """Whether the language has an adapter, which a binding has."""
    return (ROOT / "bindings" / language / "adapter" / "run").is_file()


def proofs(row: dict[str, Any], language: str) -> list[str]:
    """What the entry of a language rests on: cases, tests, or nothing yet."""
    tests = row.get("tests", {})
    if tests and language not in tests:
        return []
    return [*row.get("cases", []), *tests.get(language, [])]


def table(parity: dict[str, Any]) -> str:
    """The page."""
    languages = parity["languages"]
    lines = [
        "# What each language does",
        "",
        "Written by `python conformance/parity.py --write` from `conformance/parity.json`; a test holds it to that.",
        "",
        "*cases* says that the conformance suite proves it in this language, on every case of the kinds named in the",
        "row; *tests* that the binding's own tests do. *later* is what the binding does not have yet.",
        "",
        "| # | capability | " + " | ".join(NAMES[one] for one in languages) + " |",
        "|---|---|" + "---|" * len(languages),
    ]
    for row in parity["rows"]:
        cells = []
        for language in languages:
            found = proofs(row, language) if has_binding(language) else []
            tests = any("::" in proof for proof in found)
            cases = any("::" not in proof for proof in found)
            cells.append(" and ".join([*["cases"] * cases, *["tests"] * tests]) or "later")
        kinds = ", ".join(f"`{kind.rstrip('/')}`" for kind in row.get("cases", []))
        what = f"{row['capability']} ({kinds})" if kinds else row["capability"]
        lines.append(f"| {row['row']} | {what} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def check(parity: dict[str, Any], cases: Run, ran: Run | None, not_run: dict[str, str]) -> list[str]:
    """What is wrong with the entries: of the languages that the suite ran, or of all that could run."""
    found = []
    for language in parity["languages"]:
        if language in not_run or (ran is None and language not in cases):
            continue
        for row in parity["rows"]:
            entry = proofs(row, language)
            if not entry and has_binding(language):
                found.append(f"row {row['row']}, {NAMES[language]}: nothing proves it")
            for proof in entry:
                wrong = wrong_test(proof, ran) if "::" in proof else wrong_cases(proof, cases.get(language, {}))
                if wrong:
                    found.append(f"row {row['row']}, {NAMES[language]}: {wrong}")
    return found


def left_out(languages: list[str], folder: Path) -> dict[str, str]:
    """The languages that this machine cannot run, and why."""
    notes = {language: folder / f"test-{language}" for language in languages}
    return {language: note.read_text().strip() for language, note in notes.items() if note.is_file()}


def main() -> int:
    """Writes or checks."""
    parity = json.loads((SUITE / "parity.json").read_text())
    if "--write" in sys.argv[1:]:
        PAGE.write_text(table(parity))
        return 0
    cases = in_xml(BUILD / "conformance" / "junit.xml")
    not_run: dict[str, str] = {}
    if "--ran" in sys.argv[1:]:
        not_run = left_out(parity["languages"], BUILD / "not-run")
        found = check(parity, cases, recorded(BUILD / "tests"), not_run)
    else:
        found = check(parity, cases, None, not_run)
    if PAGE.read_text() != table(parity):
        found.append("docs/parity.md is out of date: python conformance/parity.py --write")
    for language, reason in not_run.items():
        print(f"parity: {NAMES[language]} was not run: {reason}")
    columns = "every language" if "--ran" in sys.argv[1:] and not not_run else "the languages that ran"
    print("\n".join(found) if found else f"parity: {len(parity['rows'])} rows are proved in {columns}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
