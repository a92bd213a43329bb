"""Compiles and runs every example of the pages in this tree, and compares what it prints.

An example is a fenced block marked `c`, `cpp` or `python`, and is a whole program. A block marked `text`
right after it is what it must print. A C program that defines `PyInit_NAME` is an extension module,
which the later Python examples of the same page can import. A block marked `sh` is for people and is not
run.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LANGUAGES = ("c", "cpp", "python")
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O1", "-g"]


@dataclass(frozen=True)
class Example:
    """One fenced program of a page, and what it must print if the page says so."""

    page: Path
    line: int
    language: str
    source: str
    output: str | None

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def fenced_blocks(text: str) -> list[tuple[int, str, str]]:
    """Line, mark and content of every fenced block."""
    pattern = re.compile(r"^```(\S*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
    return [(text.count("\n", 0, m.start()) + 1, m[1], m[2]) for m in pattern.finditer(text)]


def examples_of(page: Path) -> list[Example]:
    """The examples of one page, in order."""
    blocks = fenced_blocks(page.read_text())
    found = []
    for number, (line, mark, source) in enumerate(blocks):
        if mark in LANGUAGES:
            following = blocks[number + 1] if number + 1 < len(blocks) else (0, "", "")
            output = following[2] if following[1] == "text" else None
            found.append(Example(page, line, mark, source, output))
    return found


PAGES = [
    page
    for folder, pattern in [("", "*.md"), ("docs", "**/*.md"), ("bindings", "*.md"), ("bindings", "*/*.md")]
    for page in sorted((ROOT / folder).glob(pattern))
]
EXAMPLES = [example for page in PAGES for example in examples_of(page)]


def run(command: list[str], folder: Path = ROOT, **environment: str) -> str:
    """What a command prints in a folder; a failure shows all it said."""
    done = subprocess.run(
        command, capture_output=True, text=True, cwd=folder, env=os.environ | environment, check=False
    )
    assert done.returncode == 0, f"{command[0]} ended with {done.returncode}:\n{done.stdout}{done.stderr}"
    return done.stdout


def library_flags() -> list[str]:
    """Compiler and linker flags of the library in build/."""
    flags = run(["pkg-config", "--cflags", "--libs", "hurray"], PKG_CONFIG_PATH=str(ROOT / "build" / "lib"))
    return flags.split()


def compile_and_run(example: Example, folder: Path) -> str:
    """Builds a C or C++ example under the address and undefined-behaviour sanitizers, and runs it."""
    source = folder / f"example_{example.line}.{example.language}"
    source.write_text(example.source)
    program = source.with_suffix("")
    module = re.search(r"\bPyInit_(\w+)", example.source)
    compiler = ["g++", "-std=c++17"] if example.language == "cpp" else ["gcc", "-std=c11"]
    command = [*compiler, *WARNINGS, str(source), "-I", str(ROOT / "bindings" / "cpp" / "include")]
    if module:
        program = folder / (module[1] + str(sysconfig.get_config_var("EXT_SUFFIX")))
        command += ["-isystem", sysconfig.get_path("include"), "-shared", "-fPIC"]
    else:
        command += ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    run([*command, "-o", str(program), *library_flags()])
    return "" if module else run([str(program)], folder)


@pytest.fixture(scope="session")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[Path, Path]:
    """One working folder for each page."""
    return {page: tmp_path_factory.mktemp(page.stem) for page in PAGES}


@pytest.mark.parametrize("example", EXAMPLES, ids=str)
def test_example(example: Example, folders: dict[Path, Path]) -> None:
    """The example builds without a warning, ends with success and prints what the page says."""
    folder = folders[example.page]
    if example.language == "python":
        source = folder / f"example_{example.line}.py"
        source.write_text(example.source)
        printed = run([sys.executable, str(source)], folder, PYTHONPATH=str(folder))
    else:
        printed = compile_and_run(example, folder)
    if example.output is not None:
        assert printed == example.output


def test_readme_has_an_example_in_each_language() -> None:
    """README shows Python, C++ and C."""
    assert {example.language for example in EXAMPLES if example.page == ROOT / "README.md"} >= set(LANGUAGES)
