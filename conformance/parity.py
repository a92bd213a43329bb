"""The parity table: what each language was proved to do, and by what.

    python conformance/parity.py          checks every entry of the languages that the last run of the suite had
    python conformance/parity.py --write  writes docs/parity.md anew

A proof by cases holds if the last run had such cases in that language, and all of them passed. A proof by a test holds
if the binding still has a test of that name, which its own part of `make test` runs.
"""

from __future__ import annotations

import json
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

SUITE = Path(__file__).resolve().parent
ROOT = SUITE.parent
PAGE = ROOT / "docs" / "parity.md"
NAMES = {"python": "Python", "cpp": "C++", "node": "Node", "go": "Go", "julia": "Julia"}

Run = dict[str, dict[str, bool]]


def last_run() -> Run:
    """Language, case, and whether it passed."""
    found: Run = {}
    for case in ElementTree.parse(ROOT / "build" / "conformance" / "junit.xml").getroot():
        cases = found.setdefault(case.attrib["classname"], {})
        cases[case.attrib["name"]] = case.find("failure") is None
    return found


def wrong_test(test: str) -> str | None:
    """Why a test proves nothing."""
    path, _, name = test.partition("::")
    file = ROOT / path
    if not file.is_file():
        return f"{path} does not exist"
    if name not in file.read_text():
        return f"{path} has no test {name!r}"
    return None


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


def check(parity: dict[str, Any], run: Run) -> list[str]:
    """What is wrong with the entries."""
    found = []
    for row in parity["rows"]:
        for language in filter(run.__contains__, parity["languages"]):
            for proof in proofs(row, language):
                wrong = wrong_test(proof) if "::" in proof else wrong_cases(proof, run.get(language, {}))
                if wrong:
                    found.append(f"row {row['row']}, {NAMES[language]}: {wrong}")
    return found


def main() -> int:
    """Writes or checks."""
    parity = json.loads((SUITE / "parity.json").read_text())
    if "--write" in sys.argv[1:]:
        PAGE.write_text(table(parity))
        return 0
    found = check(parity, last_run())
    if PAGE.read_text() != table(parity):
        found.append("docs/parity.md is out of date: python conformance/parity.py --write")
    print("\n".join(found) if found else f"parity: {len(parity['rows'])} rows are proved")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
