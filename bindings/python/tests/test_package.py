"""The installed package: library inside, stubs that cover it, a version check before anything else."""

from __future__ import annotations

import ast
import doctest
import importlib
import os
import re
import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path

import hurray
import pytest
from hurray import _hurray

PACKAGE = Path(hurray.__file__).parent


def test_the_library_travels_inside_under_its_soname() -> None:
    library = Path(hurray.get_library())
    assert library == PACKAGE / "libhurray.so.10"
    assert (Path(hurray.get_include()) / "hurray.h").is_file()
    assert (Path(hurray.get_include()) / "hurray" / "hurray.hpp").is_file()
    assert (PACKAGE / "py.typed").is_file()


def test_the_version_is_the_librarys() -> None:
    header = (Path(hurray.get_include()) / "hurray.h").read_text()
    assert "#define HURRAY_C_ABI_VERSION 10" in header
    assert re.fullmatch(r"\d+\.\d+\.\d+", hurray.__version__)


def test_the_stub_names_everything_that_the_extension_has() -> None:
    stub = ast.parse((PACKAGE / "_hurray.pyi").read_text())
    declared: set[str] = set()
    members: dict[str, set[str]] = {}
    for node in stub.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            declared.add(node.name)
        if isinstance(node, ast.ClassDef):
            members[node.name] = {one.name for one in node.body if isinstance(one, ast.FunctionDef)}
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            declared.add(node.target.id)
    offered = {name for name in dir(_hurray) if not name.startswith("__")} | {"__version__"}
    assert offered == declared
    ours = {name for name, value in vars(hurray.Tensor).items() if not name.startswith("__")}
    kept = {name for name in members["Tensor"] if not name.startswith("__")}
    assert ours == kept


def test_every_function_of_the_header_is_called_or_listed_with_a_reason() -> None:
    header = (Path(hurray.get_include()) / "hurray.h").read_text()
    functions = set(re.findall(r"^[\w *]*\b(hurray_[a-z0-9_]+)\(", header, re.MULTILINE))
    listing = subprocess.run(
        ["nm", "-D", "--undefined-only", str(_hurray.__file__)], capture_output=True, text=True, check=True
    )
    called = set(re.findall(r"\b(hurray_[a-z0-9_]+)", listing.stdout))
    assert called <= functions
    listed = {}
    for line in (Path(__file__).parent.parent / "not-wrapped.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            name, reason = line.split(maxsplit=1)
            listed[name] = reason
    rest = {name for name in functions - called if not any(fnmatch(name, one) for one in listed)}
    assert not rest, "call these, or list them in not-wrapped.txt"
    stale = {one for one in listed if one in called}
    assert not stale, "these are called: take them from not-wrapped.txt"


def test_everything_has_a_docstring() -> None:
    for name in hurray.__all__:
        value = getattr(hurray, name)
        if callable(value):
            assert value.__doc__, name
    for name, value in vars(hurray.Tensor).items():
        if not name.startswith("_"):
            assert value.__doc__, name


@pytest.mark.parametrize("name", ["hurray", "hurray.dtype", "hurray.layout", "hurray.quantization", "hurray.sparse"])
def test_the_examples_in_docstrings(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name))
    assert result.attempted > 0
    assert result.failed == 0


def test_a_library_of_another_version_is_refused_at_import(tmp_path: Path) -> None:
    header = (Path(hurray.get_include()) / "hurray.h").read_text()
    functions = sorted(set(re.findall(r"\b(hurray_[a-z0-9_]+)\(", header)))
    lines = [f"int {name}(void) {{ return {11 if name == 'hurray_c_abi_version' else -10}; }}" for name in functions]
    (tmp_path / "stub.c").write_text("\n".join(lines))
    stub = tmp_path / "libhurray.so.10"
    subprocess.run(
        ["cc", "-shared", "-fPIC", "-w", "-Wl,-soname,libhurray.so.10", "-o", stub, tmp_path / "stub.c"],
        check=True,
    )
    ended = subprocess.run(
        [sys.executable, "-c", "try:\n import hurray\nexcept ImportError as e:\n print(e.status)\n raise"],
        env={**os.environ, "LD_PRELOAD": str(stub)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 1
    assert ended.stdout == "-2\n"
    last = ended.stderr.strip().splitlines()[-1]
    assert last.startswith("ImportError: ")
    for part in ("version 11", "version 10", str(stub)):
        assert part in last
