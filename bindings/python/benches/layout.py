"""Dense layouts to row-major, beside the numpy call that gives the same: 64 MiB of float32, [4096, 4096].

Prints one row a measurement, tab-separated: what, bar, best time, best time of numpy, medians, unit. Both make a new
array and drop it; rounds alternate. The index that numpy takes Morton codes by is ready before.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable
from typing import Any

import hurray
import numpy as np

ROUNDS = 15
SIDE, TILE = 4096, 32
SHAPE = (SIDE, SIDE)

Array = np.ndarray[Any, Any]


def spread(component: Array) -> Array:
    """The bits of a component of 12 bits, one place apart."""
    code = np.zeros_like(component)
    for bit in range(12):
        code |= (component >> bit & 1) << (2 * bit)
    return code


def timed(call: Callable[[], Any]) -> float:
    """Milliseconds of one call, with the end of what it gives."""
    start = time.perf_counter()
    made = call()
    del made
    return (time.perf_counter() - start) * 1e3


def main() -> None:
    """Measures and prints."""
    flat = np.random.default_rng(0).random(SIDE * SIDE, np.float32)
    component = np.arange(SIDE)
    codes = spread(component)[:, None] | spread(component)[None, :] << 1
    tiles = (SIDE // TILE, SIDE // TILE, TILE, TILE)
    tiled = hurray.TiledLayout((TILE, TILE))
    morton = hurray.MortonLayout((12, 12))
    rows: list[tuple[str, float, hurray.Layout, Callable[[], Array]]] = [
        ("transposed", 1 / 3, hurray.ColMajorLayout(), lambda: np.ascontiguousarray(flat.reshape(SHAPE).T)),
        ("tiled 32x32", 1 / 1.5, tiled, lambda: flat.reshape(tiles).swapaxes(1, 2).reshape(SHAPE)),
        ("Morton", 1 / 2, morton, lambda: np.take(flat, codes)),
    ]
    gc.disable()
    for name, bar, layout, theirs in rows:
        tensor = hurray.Tensor(flat, "float32", SHAPE, layout=layout)
        np.testing.assert_array_equal(tensor.contiguous().numpy(), theirs())
        found = [(timed(tensor.contiguous), timed(theirs)) for _ in range(ROUNDS)]
        mine, numpy = zip(*found, strict=True)
        best = (min(mine), min(numpy), statistics.median(mine), statistics.median(numpy))
        print("\t".join([f"{name} -> row-major (numpy)", f"{bar:.4g}", *(f"{value:.2f}" for value in best), "ms"]))


if __name__ == "__main__":
    main()
