"""Run the benchmarks and print their rows as one table.

A row is the ratio of the best times of the library and of its yardstick, measured in alternating rounds of one run,
beside the medians. Streams between processes are judged by the medians: a pipe on shared cores has lucky rounds. A
ratio within 10 % of its bar is met: machines are noisy, and bars are goals, not tests.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build"


def run(*command: str | Path, env: dict[str, str] | None = None) -> str:
    """Standard output of a command; its errors go to the terminal."""
    done = subprocess.run([str(word) for word in command], cwd=ROOT, env=env, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"bench: {' '.join(str(word) for word in command)} failed")
    return done.stdout


def door() -> str:
    """The C program, linked to the library in build/lib; the other copy is the same file under another path."""
    copy = BUILD / "bench" / "copy" / "libhurray.so"
    copy.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(BUILD / "lib" / "libhurray.so", copy)
    program = BUILD / "bench" / "door"
    libraries = ("-L", BUILD / "lib", "-lhurray", f"-Wl,-rpath,{BUILD / 'lib'}", "-ldl")
    run("gcc", "-std=c11", "-O2", "-I", BUILD / "include", "hurray-ffi/benches/door.c", *libraries, "-o", program)
    return run(program, copy)


def layouts() -> str:
    """The C programs of dense and sparse layouts; their yardsticks are plain loops at -O3."""
    out = ""
    for name in ("convert", "sparse"):
        program = BUILD / "bench" / name
        libraries = ("-L", BUILD / "lib", "-lhurray", f"-Wl,-rpath,{BUILD / 'lib'}")
        source = f"hurray-ffi/benches/{name}.c"
        run("gcc", "-std=c11", "-O3", "-I", BUILD / "include", source, *libraries, "-o", program)
        out += run(program)
    return out


def streams() -> str:
    """The C program of two processes."""
    program = BUILD / "bench" / "stream"
    libraries = ("-L", BUILD / "lib", "-lhurray", f"-Wl,-rpath,{BUILD / 'lib'}")
    run("gcc", "-std=c11", "-O2", "-I", BUILD / "include", "hurray-ffi/benches/stream.c", *libraries, "-o", program)
    return run(program)


def go() -> str:
    """The Go program, beside the same calls by hand; nothing where there is no Go."""
    if shutil.which("go") is None:
        return ""
    env = {**os.environ, "PKG_CONFIG_PATH": str(BUILD / "lib"), "GOTOOLCHAIN": "local"}
    program = BUILD / "bench" / "go"
    run("go", "-C", ROOT / "bindings" / "go", "build", "-o", program, "./bench", env=env)
    return run(program)


def node() -> str:
    """The Node program, likewise; nothing where there is no Node."""
    if shutil.which("node") is None:
        return ""
    here = ROOT / "bindings" / "node"
    subprocess.run([here / "test.sh", "build"], stdout=sys.stderr, check=True)
    return run("node", "--expose-gc", here / "bench" / "bench.mjs")


def julia() -> str:
    """The Julia program, likewise; nothing where there is no Julia."""
    here = ROOT / "bindings" / "julia"
    if subprocess.run([here / "julia", "--version"], stdout=subprocess.DEVNULL).returncode:
        return ""
    return run(here / "julia", here / "bench" / "bench.jl")


def descriptors() -> str:
    """The Rust program, beside the published crate."""
    return run("cargo", "bench", "--locked", "--quiet", "-p", "hurray-ffi", "--bench", "descriptor")


def python(script: Path) -> str:
    """One of the Python programs."""
    return run(sys.executable, script, env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})


def outputs() -> Iterator[str]:
    """What each program prints, in order, as soon as it has ended."""
    yield descriptors()
    yield door()
    yield layouts()
    yield streams()
    for script in sorted((ROOT / "bindings" / "python" / "benches").glob("*.py")):
        yield python(script)
    yield go()
    yield node()
    yield julia()


def show(row: list[str]) -> None:
    """Print one row."""
    name, bar, ours, theirs, ours_median, theirs_median, unit = row
    judged = (ours_median, theirs_median) if name.startswith("stream") else (ours, theirs)
    ratio, limit = float(judged[0]) / float(judged[1]), float(bar)
    verdict = "met" if ratio <= limit * 1.1 else "not met"
    times = " ".join(f"{float(value):>10.4g}" for value in (ours, theirs, ours_median, theirs_median))
    print(f"{name:<46} {limit:>6.4g} {ratio:>7.3f}  {verdict:<9}{times} {unit}", flush=True)


def main() -> None:
    """Print the table."""
    titles = ("best", "of", "median", "of")
    print(
        f"{'what (yardstick)':<46} {'bar':>6} {'ratio':>7}  {'':<9}" + " ".join(f"{title:>10}" for title in titles),
        flush=True,
    )
    for output in outputs():
        for line in output.splitlines():
            if line.count("\t") == 6:
                show(line.split("\t"))


if __name__ == "__main__":
    main()
