"""The fixtures: what they cover, and that no answer can be right without reading the input."""

from __future__ import annotations

import ast
import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SUITE = Path(__file__).resolve().parent.parent
ROOT = SUITE.parent
HEADER = (ROOT / "hurray-ffi/include/hurray.h").read_text()
COVERAGE = json.loads((SUITE / "coverage.json").read_text())


def is_no_number(text: str) -> Any:
    """Where a fixture says a float, or a number that is none."""
    raise AssertionError(f"{text} is not a string")


CASES: list[dict[str, Any]] = [
    case
    for path in sorted((SUITE / "fixtures").glob("*/*.json"))
    for case in json.loads(path.read_text(), parse_float=is_no_number, parse_constant=is_no_number)["cases"]
]
# Tags that the format defines; a name of the header in lower case is the tag's.
TYPES = {name.lower() for name in re.findall(r"#define HURRAY_TYPE_(\w+) +\d", HEADER)}
LAYOUTS = {name.lower() for name in re.findall(r"#define HURRAY_LAYOUT_(?!FIELD_)([A-Z_]+) +\d", HEADER)}
SCHEMES = {name.lower() for name in re.findall(r"#define HURRAY_SCHEME_(\w+) +\d", HEADER)}
SECTIONS = ("quantization", "shard", "statistics", "extension_type", "member_role")


def is_descriptor(value: Any) -> bool:
    """Whether an object has a descriptor's keys."""
    return isinstance(value, dict) and {"dtype", "shape", "layout"} <= value.keys()


def inside(value: Any) -> Iterator[Any]:
    """A value and all values in it."""
    yield value
    children = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for child in children:
        yield from inside(child)


def shown(*ops: str) -> list[dict[str, Any]]:
    """The descriptors that answers to these requests must show."""
    answers = (case["expect"] for case in CASES if case["request"]["op"] in ops)
    return [value for answer in answers for value in inside(answer) if is_descriptor(value)]


def is_refused(case: dict[str, Any]) -> bool:
    """Whether an input of it fails."""
    return any(status != "OK" for status in (case["expect"]["status"], *case["expect"].get("statuses", [])))


def test_the_generator_uses_nothing_of_this_project() -> None:
    allowed = set(sys.stdlib_module_names) - {"ctypes", "importlib", "subprocess"} | {"numpy", "scipy", "ml_dtypes"}
    for path in (SUITE / "generate").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.level == 0:
                names = [node.module or ""]
            assert {name.split(".")[0] for name in names} <= allowed, path.name


def test_every_element_type_is_in_every_layout_family() -> None:
    assert len(TYPES) == 26, TYPES
    assert len(LAYOUTS) == 12, LAYOUTS
    found = {(str(d["dtype"]), str(d["layout"]["tag"])) for d in shown("decode")}
    missing = {(kind, layout) for kind in TYPES for layout in LAYOUTS} - found
    assert not missing


def test_every_family_scheme_and_section_is_decoded_built_stored_and_sent() -> None:
    assert len(SCHEMES) == 5, SCHEMES
    for op in ("decode", "build", "read_file", "read_stream"):
        found = shown(op)
        assert {d["layout"]["tag"] for d in found} >= LAYOUTS, op
        assert {d["dtype"] for d in found} >= TYPES, op
        assert {d["quantization"]["scheme"] for d in found if "quantization" in d} >= SCHEMES, op
        for section in SECTIONS:
            assert any(section in d for d in found), (op, section)


def test_wide_numbers_and_reals_are_strings() -> None:
    for case in CASES:
        for value in inside(case):
            assert not isinstance(value, int) or abs(value) < 2**53, case["id"]


# Keys that have one value by the format, by DLPack, or by what is asked of every language.
CONSTANT = {
    "layout.paged_axis": "V-048 allows no other",
    "array.shared": "nothing may be copied",
    "dlpack_export.live": "nothing may be left",
    "dlpack_import.deleted": "once",
    "dlpack_export.struct.byte_offset": "the host's address says it",
    "dlpack_export.struct.device_id": "there is one host",
    "dlpack_export.struct.device_type": "there is one host",
    "dlpack_export.struct.flags": "made memory can be written to",
    "dlpack_export.struct.lanes": "dlpack.h wants 1",
}


def test_no_key_of_an_answer_has_one_value_alone() -> None:
    """An adapter that writes a value itself, whatever the binding says, is wrong somewhere."""
    values: dict[str, set[str]] = defaultdict(set)

    def walk(value: Any, at: str) -> None:
        if is_descriptor(value):
            at = ""
        elif isinstance(value, dict) and "members" in value:
            at = "composite"
        if isinstance(value, dict):
            for key, one in value.items():
                walk(one, f"{at}.{key}" if at else key)
        elif isinstance(value, list):
            for one in value:
                walk(one, f"{at}[]")
        else:
            values[at].add(json.dumps(value))

    for case in CASES:
        expect = {k: v for k, v in case["expect"].items() if k not in ("status", "line", "file", "left")}
        expect |= {**expect.pop("has", {}), **expect.pop("about", {})}
        if case["expect"]["status"] == "OK":
            walk(expect, case["request"]["op"])
    assert len(values) > 60
    assert {key for key, found in values.items() if len(found) == 1} == set(CONSTANT)


def test_what_is_encoded_is_not_always_what_was_decoded() -> None:
    """An adapter that hands the bytes of the request back is wrong somewhere."""
    decoded = [case for case in CASES if case["request"]["op"] == "decode" and not is_refused(case)]
    assert any(case["expect"].get("bytes", case["request"]["bytes"]) != case["request"]["bytes"] for case in decoded)


def test_what_is_refused_names_its_rule_or_what_else_refuses_it() -> None:
    for case in CASES:
        assert not is_refused(case) or case.get("rules") or case.get("because"), case["id"]
    assert sum(bool(case.get("because")) for case in CASES) < sum(map(is_refused, CASES)) / 10


def test_every_rule_is_broken_not_only_kept() -> None:
    broken = {rule for case in CASES if is_refused(case) for rule in case.get("rules", [])}
    kept = set(COVERAGE["rules"]) - broken - set(COVERAGE["rules_without_cases"])
    assert kept == {"V-005", "V-010", "V-011", "V-023"}, "these say what is not an error"


def test_a_reason_names_tests_that_are_there() -> None:
    for name, reason in (COVERAGE["rules_without_cases"] | COVERAGE["statuses_without_cases"]).items():
        paths = re.findall(r"[\w-]+(?:/[\w-]+)+\.(?:rs|c)", reason)
        rules = re.findall(r"[VLQBFS]-[0-9]{3}", reason)
        assert paths or rules or "a bug in the library" in reason, name
        for path in paths:
            text = (ROOT / path).read_text()
            assert name in text or name.lower().replace("-", "_") in text or name[4:] in text, f"{name}: {path}"
        assert not set(rules) - set(COVERAGE["rules"]), name
