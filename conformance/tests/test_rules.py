"""A refusal is the one that its case is about: the library's text names a rule of the case."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SUITE = Path(__file__).resolve().parent.parent
FIXTURES = SUITE / "fixtures"
CASES = [case for path in sorted(FIXTURES.glob("*/*.json")) for case in json.loads(path.read_text())["cases"]]

# Inputs that break another rule too, which is found first; others of the same case break theirs alone.
ANOTHER_FIRST = {
    "files/F-008-first": {"F-041"},
    "files/F-041-descriptor": {"F-008"},
    "invalid/V-044-rank": {"V-022"},
    "invalid/V-045-rank": {"V-022"},
    "invalid/V-047-rank": {"V-022"},
    "invalid/V-069-order": {"V-024"},
    "invalid/V-115-asymmetric": {"V-081"},
}
# The peer's own error, and no rule, is what a reader tells first.
NO_RULE = "streams/S-118-after-error"


def refused() -> Iterator[tuple[str, list[str], dict[str, Any]]]:
    """Name, rules, and a request for each input that a case with rules wants refused."""
    for case in CASES:
        name, rules, request = case["id"].removesuffix("-permissive"), case.get("rules", []), case["request"]
        if not rules:
            continue
        if request["op"] == "batch":
            permissive = bool(request["options"].get("permissive"))
            for given, status in zip(request["inputs"], case["expect"]["statuses"], strict=True):
                if status != "OK":
                    one = {"op": request["what"], "bytes": given, "chunk": 0, "permissive": permissive}
                    yield name, rules, {**one, "options": request["options"]}
        elif case["expect"]["status"] != "OK":
            yield name, rules, request


def test_a_refusal_names_a_rule_of_its_case(tmp_path: Path) -> None:
    inputs = list(refused())
    assert len(inputs) > 5000
    lines = [json.dumps(request) for _, _, request in inputs] + ['{"op": "quit"}']
    given = "\n".join(lines).replace("${FIXTURES}", str(FIXTURES)).replace("${OUT}", str(tmp_path)) + "\n"
    run = SUITE / "adapters" / "c" / "run"
    done = subprocess.run([run], input=given, capture_output=True, text=True, check=True, timeout=120)
    wrong, right = set(), set()
    for (name, rules, _), line in zip(inputs, done.stdout.splitlines(), strict=False):
        said = set(re.findall(r"[VLQBFS]-[0-9]{3}", json.loads(line)["message"]))
        if said & set(rules):
            right.add(name)
        elif not (said & ANOTHER_FIRST.get(name, set()) or name.startswith(NO_RULE)):
            wrong.add(f"{name}: {line[:200]}")
    assert not wrong
    assert set(ANOTHER_FIRST) <= right, set(ANOTHER_FIRST) - right
