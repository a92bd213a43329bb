"""Packed codes and quantized tensors to numbers, beside the shortest numpy expression that gives the same.

Prints one row a measurement, tab-separated: what, bar, best time, best time of numpy, medians, unit. Both make a new
array of 64 MiB of float32 (16 MiB of int8 for the first row) and drop it; rounds alternate.
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
ROWS, COLUMNS, BLOCK = 4096, 4096, 64
COUNT = ROWS * COLUMNS
SHAPE = (ROWS, COLUMNS)

Array = np.ndarray[Any, Any]


def unsigned(packed: Array) -> Array:
    """Two codes of each byte."""
    codes = np.empty(COUNT, np.uint8)
    codes[0::2] = packed & 15
    codes[1::2] = packed >> 4
    return codes


def signed(packed: Array) -> Array:
    """Two codes of each byte, as two's complement."""
    codes = np.empty(COUNT, np.int8)
    codes[0::2] = (packed << 4).view(np.int8) >> 4
    codes[1::2] = packed.view(np.int8) >> 4
    return codes


def timed(call: Callable[[], Any]) -> float:
    """Milliseconds of one call, with the end of what it gives."""
    start = time.perf_counter()
    made = call()
    del made
    return (time.perf_counter() - start) * 1e3


def main() -> None:
    """Measures and prints."""
    random = np.random.default_rng(0)
    packed = random.integers(0, 256, COUNT // 2, np.uint8)
    codes = random.integers(-128, 128, SHAPE, np.int8)
    channels = random.random(ROWS, np.float32) + 0.5
    blocks = random.random((ROWS, COLUMNS // BLOCK), np.float32) + 0.5
    levels = np.linspace(-1, 1, 16, dtype=np.float32)

    plain = hurray.Tensor(packed, "int4", SHAPE)
    int8 = hurray.from_numpy(codes, quantization=hurray.PerChannelAffine.symmetric(0), aux_buffers=[channels])
    per_block = hurray.PerBlockAffine.symmetric(1, BLOCK)
    int4 = hurray.Tensor(packed, "int4", SHAPE, quantization=per_block, aux_buffers=[blocks])
    nf4 = hurray.Tensor(packed, "uint4", SHAPE, quantization=hurray.NF4(1, BLOCK), aux_buffers=[blocks])
    in_blocks = (ROWS, COLUMNS // BLOCK, BLOCK)
    rows: list[tuple[str, float, Callable[[], Any], Callable[[], Any]]] = [
        ("unpack int4", 1 / 6, plain.unpack, lambda: signed(packed)),
        ("dequantize int8 per channel", 1 / 2, int8.dequantize, lambda: codes.astype(np.float32) * channels[:, None]),
        (
            "dequantize int4 per block",
            1 / 4,
            int4.dequantize,
            lambda: signed(packed).reshape(in_blocks).astype(np.float32) * blocks[:, :, None],
        ),
        (
            "dequantize NF4",
            1 / 5,
            nf4.dequantize,
            lambda: levels[unsigned(packed)].reshape(in_blocks) * blocks[:, :, None],
        ),
    ]
    gc.disable()
    for name, bar, ours, theirs in rows:
        found: list[tuple[float, float]] = []
        for _ in range(ROUNDS):
            found.append((timed(ours), timed(theirs)))
        mine, numpy = zip(*found, strict=True)
        best = (min(mine), min(numpy), statistics.median(mine), statistics.median(numpy))
        print("\t".join([f"{name} (numpy)", f"{bar:.4g}", *(f"{value:.2f}" for value in best), "ms"]))


if __name__ == "__main__":
    main()
