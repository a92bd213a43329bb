"""What must hold for every tracked file: no machine path, no registry host, no long file, no binary.

Prints each finding as `file:line: what`, and fails if there is one.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

MAX_LINES = 600
MAX_LINE_CHARS = 145
SOURCE_SUFFIXES = {
    ".rs",
    ".py",
    ".pyi",
    ".go",
    ".jl",
    ".hpp",
    ".h",
    ".c",
    ".cpp",
    ".ts",
    ".mts",
    ".js",
    ".mjs",
    ".sh",
}
GENERATED = re.compile(r"(^|/)(generated|fixtures|seeds)/|hurray\.h$|/sys\.rs$|/src/lib\.jl$|\.d\.ts$|index\.js$")

MAX_FIXTURE_BYTES = 64 * 1024
FIXTURE = re.compile(r"(^|/)(fixtures|seeds|corpus)/")

# Lock files name their registry in the one form their tool writes.
LOCK_FILES = {"Cargo.lock", "package-lock.json", "go.sum"}

MACHINE_PATHS = re.compile(r"(?<![\w.$}])/(?:root|home|work|Users|tmp)/\w")
REGISTRY_HOSTS = re.compile(
    "|".join(
        re.escape(name + "." + end)
        for name, end in [
            ("crates", "io"),
            ("pypi", "org"),
            ("pythonhosted", "org"),
            ("registry.npmjs", "org"),
            ("proxy.golang", "org"),
            ("deb.debian", "org"),
            ("archive.debian", "org"),
        ]
    )
)
UNFINISHED = re.compile(
    r"\btodo!|\bunimplemented!|#\[ignore\b|\bFIXME\b|\ballow\(dead_code\b|mark\.(skip|xfail)\b|\bpytest\.skip\b"
)


def tracked_files() -> list[Path]:
    """Every file that git tracks or would track, relative to the root."""
    names = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
    ).stdout
    return [
        path for name in sorted(set(names.decode().split("\0"))) if name and (ROOT / (path := Path(name))).is_file()
    ]


def findings_in_text(path: Path, text: str) -> list[str]:
    """The findings of one text file."""
    found = []
    lines = text.splitlines()
    generated = GENERATED.search(path.as_posix()) is not None
    is_source = path.suffix in SOURCE_SUFFIXES and not generated
    if is_source and len(lines) > MAX_LINES:
        found.append(f"{path}:{len(lines)}: more than {MAX_LINES} lines; split it by noun")
    for number, line in enumerate(lines, start=1):
        if path.name not in LOCK_FILES:
            if MACHINE_PATHS.search(line):
                found.append(f"{path}:{number}: a machine path")
            if REGISTRY_HOSTS.search(line):
                found.append(f"{path}:{number}: a registry host")
        if is_source and path.name != "check_tree.py" and UNFINISHED.search(line):
            found.append(f"{path}:{number}: unfinished or left-out code")
        if is_source and len(line) > MAX_LINE_CHARS:
            found.append(f"{path}:{number}: a line of {len(line)} characters")
    return found


def findings_in(path: Path) -> list[str]:
    """The findings of one file of any kind."""
    data = (ROOT / path).read_bytes()
    try:
        text = data.decode()
    except UnicodeDecodeError:
        text = None
    if text is not None and "\0" not in text:
        return findings_in_text(path, text)
    if FIXTURE.search(path.as_posix()) is None:
        return [f"{path}:1: a binary file outside a folder of fixtures"]
    if len(data) > MAX_FIXTURE_BYTES:
        return [f"{path}:1: a fixture of {len(data)} bytes; the limit is {MAX_FIXTURE_BYTES}"]
    return []


def main() -> int:
    """Checks the tree; returns the exit code."""
    files = tracked_files()
    found = [line for path in files for line in findings_in(path)]
    print("\n".join(found) if found else f"{len(files)} files, nothing found")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
