"""Files against the calls of the system and against safetensors, page cache warm: on memory, where syncs cost nothing,
and for one row on the disk of this tree.

Prints one row a measurement, tab-separated: what, bar, best time, best time of the yardstick, medians, unit. Rounds
of a row and of its yardstick alternate in one run. ``HURRAY_BENCH_MIB`` sets the size of the large array.
"""

from __future__ import annotations

import mmap
import os
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import hurray
import numpy as np
import safetensors
from safetensors import numpy as st

MIB = int(os.environ.get("HURRAY_BENCH_MIB", "1024"))
SHARED = Path("/dev/shm")
DISK = Path(__file__).resolve().parents[3] / "build" / "bench"


def row(name: str, bar: float, rounds: int, ours: Callable[[], object], theirs: Callable[[], object]) -> None:
    """Times both, turn by turn, and prints."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds):
        for call, found in zip((ours, theirs), times, strict=True):
            start = time.perf_counter()
            call()
            found.append((time.perf_counter() - start) * 1e3)
    best = (min(times[0]), min(times[1]), *(statistics.median(found) for found in times))
    print("\t".join([name, str(bar), *(f"{value:.4f}" for value in best), "ms"]), flush=True)


def large(folder: Path) -> None:
    """One array of ``MIB`` mebibytes."""
    array = np.random.default_rng(0).random((MIB << 20) // 8)
    raw, ours = folder / "raw", folder / "ours.hrry"

    def write() -> None:
        raw.unlink(missing_ok=True)
        with raw.open("wb", buffering=0) as out:
            rest = array.data.cast("B")
            while rest:
                rest = rest[out.write(rest) :]

    def save() -> None:
        ours.unlink(missing_ok=True)
        hurray.save(ours, {"x": array})

    row("save a large array (write)", 1.15, 9, save, write)

    def read() -> None:
        memory = mmap.mmap(-1, MIB << 20)
        with raw.open("rb", buffering=0) as source:
            rest = memoryview(memory)
            while rest:
                rest = rest[source.readinto(rest) :]

    row("copying load of it (read)", 1.15, 9, lambda: hurray.open(ours, mode="copy")["x"], read)

    def total() -> None:
        with raw.open("rb") as source:
            mapped = mmap.mmap(source.fileno(), 0, access=mmap.ACCESS_READ)
            np.frombuffer(mapped, np.float64).sum()

    row("map it and sum (mmap)", 1.1, 9, lambda: numpy(hurray.open(ours)["x"]).sum(), total)
    first("open it, first element (np.load mmap_mode)", folder, array)
    first("the same of 1 MiB (np.load mmap_mode)", folder, array[: 1 << 17])


def first(name: str, folder: Path, array: np.ndarray) -> None:
    """Opening a file to look at one element."""
    ours, plain = folder / "first.hrry", folder / "first.npy"
    hurray.save(ours, {"x": array})
    np.save(plain, array)
    row(name, 3.0, 50, lambda: numpy(hurray.open(ours)["x"])[0], lambda: np.load(plain, mmap_mode="r")[0])
    ours.unlink()
    plain.unlink()


def durable(folder: Path) -> None:
    """The large array on a disk, synced."""
    array = np.random.default_rng(0).random((MIB << 20) // 8)
    raw, ours = folder / "raw", folder / "ours.hrry"

    def write() -> None:
        raw.unlink(missing_ok=True)
        with raw.open("wb", buffering=0) as out:
            rest = array.data.cast("B")
            while rest:
                rest = rest[out.write(rest) :]
            os.fsync(out.fileno())

    def save() -> None:
        ours.unlink(missing_ok=True)
        hurray.save(ours, {"x": array})

    row("save it on a disk (write, fsync)", 1.15, 9, save, write)


def numpy(item: hurray.Tensor | hurray.Composite) -> np.ndarray:
    """The array of a tensor."""
    assert isinstance(item, hurray.Tensor)
    return item.numpy()


def many(folder: Path) -> None:
    """Many small arrays."""
    ours, theirs = folder / "many.hrry", folder / "many.safetensors"
    small = {f"t{k}": np.full(256, k, np.float32) for k in range(10_000)}
    row(
        "save 10 000 arrays (safetensors)",
        1.0,
        15,
        lambda: hurray.save(ours, small),
        lambda: st.save_file(small, theirs),
    )
    row(
        "open them, read all (safetensors)",
        1.0,
        15,
        lambda: {name: numpy(one) for name, one in hurray.load(ours).items()},
        lambda: st.load_file(theirs),
    )
    tiny = {f"model.layers.{k}.w": np.zeros(1, np.float32) for k in range(100_000)}
    hurray.save(ours, tiny)
    st.save_file(tiny, theirs)

    def find() -> None:
        with safetensors.safe_open(theirs, "np") as file:
            file.get_tensor("model.layers.777.w")

    row("find one of 100 000 (safetensors)", 1.0, 15, lambda: hurray.open(ours)["model.layers.777.w"], find)


def main() -> None:
    """Measures and prints."""
    folder = Path(tempfile.mkdtemp(dir=SHARED if SHARED.is_dir() else None))
    try:
        large(folder)
        many(folder)
    finally:
        shutil.rmtree(folder)
    DISK.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(dir=DISK))
    try:
        durable(folder)
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
