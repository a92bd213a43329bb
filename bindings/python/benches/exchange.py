"""What an array costs on its way in and out, in units of ``numpy.from_dlpack`` of the same array, teardown included.

Prints one row a measurement, tab-separated: what, bar, best time, best time of the yardstick, medians, unit. Rounds
of all rows and of the yardstick alternate in one run.
"""

from __future__ import annotations

import gc
import statistics
import timeit

import hurray
import numpy as np

ROUNDS = 200
CALLS = 500


def misaligned() -> np.ndarray:
    """An array whose address is 4 bytes past a multiple of 64."""
    memory = np.zeros(64 * 15 * 4 + 128, np.uint8)
    start = (-memory.ctypes.data) % 64 + 4
    return memory[start : start + 64 * 15 * 4].view(np.float32).reshape(64, 3, 5)


def main() -> None:
    """Measures and prints."""
    array = np.zeros((64, 3, 5), np.float32)
    names = {
        "array": array,
        "odd": misaligned(),
        "strided": array[::2, :, ::-1],
        "tensor": hurray.from_numpy(array),
        "from_dlpack": np.from_dlpack,
        "asarray": np.asarray,
        "from_numpy": hurray.from_numpy,
        "from_hurray": hurray.from_hurray,
    }
    rows = [
        ("numpy array -> Tensor", 2.0, "from_numpy(array)"),
        ("numpy array -> Tensor, misaligned", 2.0, "from_numpy(odd)"),
        ("numpy array -> Tensor, strided", 2.0, "from_numpy(strided)"),
        ("from_hurray(t)", 1.5, "from_hurray(tensor)"),
        ("t.numpy()", 1.5, "tensor.numpy()"),
        ("np.asarray(t)", 2.0, "asarray(tensor)"),
        ("numpy array -> Tensor -> first view", 3.5, "from_numpy(array).numpy()"),
    ]
    timers = [timeit.Timer(code, globals=names) for _, _, code in rows]
    yardstick = timeit.Timer("from_dlpack(array)", globals=names)
    times: list[list[float]] = [[] for _ in rows]
    theirs: list[float] = []
    gc.disable()
    for _ in range(ROUNDS):
        theirs.append(yardstick.timeit(CALLS) / CALLS * 1e9)
        for found, timer in zip(times, timers, strict=True):
            found.append(timer.timeit(CALLS) / CALLS * 1e9)
    for (name, bar, _), found in zip(rows, times, strict=True):
        best = (min(found), min(theirs), statistics.median(found), statistics.median(theirs))
        print("\t".join([f"{name} (np.from_dlpack)", str(bar), *(f"{value:.1f}" for value in best), "ns"]))


if __name__ == "__main__":
    main()
