"""The tour: what Python writes, every language reads, and each writes a tensor back.

Python saves a real model's tensors, a quantized one and a CSR matrix into ``demo.hrry``, and sends the same over a Unix
socket. A program in each language reads both, computes a checksum of each tensor's logical bytes and reads the typed
fields of the last two; then it writes a file of its own, which Python verifies. One table, languages by tensors; the
exit code is 1 if anything differs. A language that is not installed is told in words.

    make demo                        the weights of silero-vad (1.2 MB)
    make demo DEMO_MODEL=minilm      those of all-MiniLM-L6-v2 (91 MB)
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import hurray
import numpy as np
import scipy.sparse  # type: ignore[import-untyped]
import weights
from weights import ROOT

HERE = Path(__file__).resolve().parent
OUT = ROOT / "build" / "demo"
LIB = ROOT / "build" / "lib"


class NotRun(Exception):
    """Why a language cannot run here."""


def needs(program: str, version: tuple[int, ...], *ask: str) -> str:
    """The path of a program of this version or a newer one."""
    found = shutil.which(program, path=f"{os.environ['PATH']}:/usr/local/go/bin")
    wanted = ".".join(map(str, version))
    if found is None:
        raise NotRun(f"{program} {wanted} or newer is not installed")
    text = subprocess.run([found, *ask], check=True, capture_output=True, text=True).stdout
    numbers = text.strip().removeprefix("go").removeprefix("v").split(".")
    if tuple(int(number) for number in numbers[: len(version)]) < version:
        raise NotRun(f"{program} {text.strip()} is installed, {wanted} or newer is needed")
    return found


def compiled(compiler: str, standard: str, source: str) -> list[str]:
    """A program in C or C++, against the header and the library alone."""
    program = OUT / source.replace("/", "-").replace(".", "-")
    include = [f"-I{ROOT / 'hurray-ffi' / 'include'}", f"-I{ROOT / 'bindings' / 'cpp' / 'include'}"]
    link = [f"-L{LIB}", "-lhurray", f"-Wl,-rpath,{LIB}"]
    command = [compiler, standard, "-O2", "-Wall", "-Wextra", "-Werror", *include, str(HERE / source)]
    subprocess.run([*command, "-o", str(program), *link], check=True)
    return [str(program)]


def go() -> list[str]:
    """Go's program."""
    tool = needs("go", (1, 24), "env", "GOVERSION")
    program = OUT / "go"
    environment = {**os.environ, "PKG_CONFIG_PATH": str(LIB), "CGO_ENABLED": "1", "GOTOOLCHAIN": "local"}
    subprocess.run([tool, "build", "-C", str(HERE / "go"), "-o", str(program), "."], check=True, env=environment)
    return [str(program)]


def node() -> list[str]:
    """Node's program."""
    tool = needs("node", (20, 15), "--version")
    subprocess.run([str(ROOT / "bindings" / "node" / "test.sh"), "build"], check=True, stdout=subprocess.DEVNULL)
    return [tool, "--expose-gc", str(HERE / "node" / "main.mjs")]


def julia() -> list[str]:
    """Julia's program."""
    runner = str(ROOT / "bindings" / "julia" / "julia")
    ran = subprocess.run([runner, "--version"], capture_output=True, text=True)
    if ran.returncode == 3:
        raise NotRun(ran.stdout.strip().splitlines()[-1])
    ran.check_returncode()
    return [runner, str(HERE / "julia" / "demo.jl")]


LANGUAGES = {
    "C": lambda: compiled(os.environ.get("CC", "gcc"), "-std=c11", "c/main.c"),
    "C++": lambda: compiled(os.environ.get("CXX", "g++"), "-std=c++17", "cpp/main.cpp"),
    "Node": node,
    "Go": go,
    "Julia": julia,
}


def sample(model: str) -> tuple[dict[str, hurray.Tensor], dict[str, dict[str, Any]]]:
    """The tensors, and what every language has to tell of each."""
    arrays = weights.load(weights.fetch(model))
    tensors = {name: hurray.from_numpy(array) for name, array in arrays.items()}
    wanted = {name: told(tensors[name], [array]) for name, array in arrays.items()}
    floats = [one for one in arrays if arrays[one].dtype == np.float32 and arrays[one].size <= 1 << 21]
    largest = sorted((one for one in floats if arrays[one].ndim >= 2), key=lambda one: -arrays[one].size)
    matrix = next(one for one in largest if arrays[one].ndim == 2)

    array = arrays[largest[0]]
    scales = np.maximum(np.abs(array).reshape(len(array), -1).max(axis=1) / 127, 1e-9).astype(np.float32)
    codes = np.round(array / scales.reshape(-1, *[1] * (array.ndim - 1))).astype(np.int8)
    name = f"{largest[0]} as int8"
    tensors[name] = hurray.from_numpy(
        codes, quantization=hurray.PerChannelAffine.symmetric(0), aux_buffers=[scales], copy=True
    )
    wanted[name] = told(tensors[name], [codes, scales])
    wanted[name] |= {"quantization": "per_channel_affine", "axis": 0, "last_scale": float(scales[-1])}

    keep = np.abs(arrays[matrix]) >= np.quantile(np.abs(arrays[matrix]), 0.9)
    csr = scipy.sparse.csr_array(np.where(keep, arrays[matrix], 0))
    name = f"{matrix} pruned"
    tensors[name] = hurray.from_scipy(csr)
    wanted[name] = told(tensors[name], [csr.data, csr.indices.astype("<u8"), csr.indptr.astype("<u8")])
    middle = csr.nnz // 2
    wanted[name] |= {
        "nnz": csr.nnz,
        "middle_row": int(np.searchsorted(csr.indptr, middle, side="right")) - 1,
        "middle_column": int(csr.indices[middle]),
        "middle_value": float(csr.data[middle]),
    }
    return tensors, wanted


def told(tensor: hurray.Tensor, parts: list[Any]) -> dict[str, Any]:
    """What a language tells of a tensor whose logical arrays are ``parts``."""
    logical = b"".join(np.ascontiguousarray(part).tobytes() for part in parts)
    return {
        "dtype": tensor.dtype.name,
        "shape": list(tensor.shape),
        "layout": tensor.layout.name,
        "bytes": len(logical),
        "copied": 0,
        "crc32": zlib.crc32(logical),
    }


@dataclass
class Result:
    """What a language did."""

    right: dict[str, int] = field(default_factory=dict)  # of file and stream, by tensor
    copied: int = 0
    live: int = -1
    back: bool = False
    faults: list[str] = field(default_factory=list)


def send(server: socket.socket, tensors: Mapping[str, hurray.Tensor]) -> None:
    """Sends all tensors to whoever connects."""
    connection, _ = server.accept()
    with connection, contextlib.suppress(ConnectionError):  # a program that ends early tells why itself
        hurray.StreamWriter(connection).write_many(tensors.values())


def same(found: object, wanted: object) -> bool:
    """Whether a value is the one that is wanted; numbers come with nine digits."""
    if isinstance(found, float) and isinstance(wanted, float):
        return bool(np.float32(found) == np.float32(wanted))
    return found == wanted


def visit(
    language: str, command: list[str], file: Path, tensors: dict[str, hurray.Tensor], wanted: dict[str, dict[str, Any]]
) -> Result:
    """Runs one language's program and holds what it tells against what Python knows."""
    result = Result()
    names = list(wanted)
    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as server:
        path, back = Path(folder) / "socket", Path(folder) / "back.hrry"
        server.bind(str(path))
        server.listen()
        threading.Thread(target=send, args=(server, tensors), daemon=True).start()
        ran = subprocess.run([*command, str(file), str(path), str(back)], capture_output=True, text=True)
        if ran.returncode != 0:
            result.faults.append(f"exit code {ran.returncode}: {ran.stderr.strip()}")
            return result
        for line in map(json.loads, ran.stdout.splitlines()):
            if "live_handles" in line:
                result.live = line["live_handles"]
                continue
            name = line["name"] if line["from"] == "file" else names[int(line["name"])]
            wrong = [key for key, value in wanted[name].items() if not same(line.get(key), value)]
            result.faults += [f"{line['from']}, {name}: {key} is {line.get(key)!r}" for key in wrong]
            result.right[name] = result.right.get(name, 0) + (not wrong)
            result.copied += line["copied"]
        with hurray.open(back) as written:
            (tensor,) = (written[name] for name in written)
            elements = 10 * np.arange(3.0)[:, None] + np.arange(4.0)
            assert isinstance(tensor, hurray.Tensor)
            result.back = bool(np.array_equal(tensor.numpy(), elements)) and written.kv["language"] == language
    if not result.back:
        result.faults.append("the tensor that came back is another one")
    if result.live != 0:
        result.faults.append(f"{result.live} handles are alive")
    result.faults += [f"{name} is missing" for name in names if name not in result.right]
    return result


def table(results: dict[str, Result], wanted: dict[str, dict[str, Any]]) -> None:
    """Prints languages by tensors."""
    row = "{:<60}" + "{:>10}" * len(results)
    print(row.format("checksums and fields equal (file, stream)", *results))
    for name in wanted:
        cells = [{0: "NO", 1: "one", 2: "yes"}.get(result.right.get(name, 0), "NO") for result in results.values()]
        print(row.format(name[:60], *cells))
    print(row.format("bytes copied", *(result.copied for result in results.values())))
    print(row.format("tensor back equal", *("yes" if result.back else "NO" for result in results.values())))
    print(row.format("live handles", *(result.live for result in results.values())))


def main() -> int:
    """The whole tour; 0 if everything holds."""
    OUT.mkdir(parents=True, exist_ok=True)
    tensors, wanted = sample(os.environ.get("DEMO_MODEL", "silero"))
    file = OUT / "demo.hrry"
    hurray.save(file, tensors, kv={"made_by": "demo/tour.py"})
    started = time.monotonic()
    results: dict[str, Result] = {}
    absent: dict[str, str] = {}
    for language, prepare in LANGUAGES.items():
        print(f"\r{language} …{' ' * 20}", end="", flush=True)
        try:
            results[language] = visit(language, prepare(), file, tensors, wanted)
        except NotRun as reason:
            absent[language] = str(reason)
    print(f"\r{' ' * 30}\r", end="")
    table(results, wanted)
    for language, why in absent.items():
        print(f"{language}: not run: {why}")
    for language, result in results.items():
        for fault in result.faults:
            print(f"{language}: {fault}")
    failed = any(result.faults for result in results.values()) or (bool(absent) and os.environ.get("CI") == "true")
    seconds = time.monotonic() - started
    print(f"{len(wanted)} tensors, {len(results)} languages in {seconds:.1f} s: {'FAILED' if failed else 'all hold'}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
