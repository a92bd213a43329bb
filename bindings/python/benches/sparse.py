"""Sparse layouts beside scipy: [4096, 4096] of float32, 64 MiB dense, one element in ten stored; of the coordinates, in
no order, one in eleven comes twice.

Prints one row a measurement, tab-separated: what, bar, best time, best time of scipy, medians, unit. Both make a new
array or matrix and drop it; rounds alternate.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable
from typing import Any

import hurray
import numpy as np
import scipy.sparse  # type: ignore[import-untyped]

ROUNDS = 15
SHAPE = (4096, 4096)


def timed(call: Callable[[], Any]) -> float:
    """Milliseconds of one call, with the end of what it gives."""
    start = time.perf_counter()
    made = call()
    del made
    return (time.perf_counter() - start) * 1e3


def main() -> None:
    """Measures and prints."""
    random = np.random.default_rng(0)
    dense = np.where(random.random(SHAPE) < 0.1, random.random(SHAPE) + 1, 0).astype(np.float32)
    matrix = scipy.sparse.csr_array(dense)
    rows, csr = hurray.from_numpy(dense), hurray.from_scipy(matrix)
    np.testing.assert_array_equal(csr.to_layout("row_major").numpy(), dense)
    np.testing.assert_array_equal(rows.to_layout("csr").to_layout("row_major").numpy(), dense)
    count = csr.nnz
    at = random.choice(SHAPE[0] * SHAPE[1], count, replace=False)
    at = random.permutation(np.concatenate([at, at[: count // 10]]))
    values = random.random(at.size).astype(np.float32)
    place = np.unravel_index(at, SHAPE)
    entries = scipy.sparse.coo_array((values, tuple(one.astype(np.int32) for one in place)), shape=SHAPE)
    coo = hurray.sparse_coo(values, np.stack(place, axis=1).astype(np.uint64), SHAPE)
    np.testing.assert_allclose(coo.to_layout("csr", duplicates="sum").to_scipy().data, entries.tocsr().data, rtol=1e-6)
    table: list[tuple[str, float, Callable[[], Any], Callable[[], Any]]] = [
        ("CSR -> dense (scipy)", 1 / 2, lambda: csr.to_layout("row_major"), matrix.toarray),
        ("dense -> CSR (scipy)", 1 / 5, lambda: rows.to_layout("csr"), lambda: scipy.sparse.csr_array(dense)),
        ("COO -> CSR, summed (scipy)", 1 / 3, lambda: coo.to_layout("csr", duplicates="sum"), entries.tocsr),
    ]
    gc.disable()
    for name, bar, ours, theirs in table:
        found = [(timed(ours), timed(theirs)) for _ in range(ROUNDS)]
        mine, scipys = zip(*found, strict=True)
        best = (min(mine), min(scipys), statistics.median(mine), statistics.median(scipys))
        print("\t".join([name, f"{bar:.4g}", *(f"{value:.2f}" for value in best), "ms"]))


if __name__ == "__main__":
    main()
