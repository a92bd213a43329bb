"""Boxes of dense tensors, places of elements, and what one pass over the elements finds, by numpy."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from . import form, wire
from .conversions import FLOATS, logical, place, row_major
from .items import dense, item, part, tensor
from .samples import FAMILIES, D, descriptor, per_channel, per_tensor
from .sparse import entries

Box = list[tuple[int, int, int]]


def codes(found: D, box: Box) -> tuple[list[int], list[int]]:
    """The shape and the codes of a box, row-major."""
    shape = found["tensor"]["shape"]
    ranges = [range(*one) for one in box]
    whole = dict(zip(itertools.product(*map(range, shape)), logical(found), strict=True))
    return [len(one) for one in ranges], [whole[index] for index in itertools.product(*ranges)]


def cut(name: str, found: D, box: Box, status: str = "OK", **more: Any) -> D:
    """A slice; of a tensor that is refused, the status."""
    parts = [list(map(str, one)) for one in zip(*box, strict=True)]
    request = {"op": "convert", "how": "slice", "item": form.given_item(found), "starts": parts[0], "stops": parts[1]}
    if any(step != 1 for _, _, step in box):
        request["steps"] = parts[2]
    expect: D = {"status": status}
    if status == "OK":
        shape, values = codes(found, box)
        expect["item"] = form.read_item(row_major(found["tensor"]["dtype"], shape, values, **more))
    return {"id": f"slices/{name}", "request": request, "expect": expect}


def slices() -> list[D]:
    """Every dense layout and steps of every kind."""
    cases = []
    boxes: dict[str, Box] = {
        "row_major": [(0, 2, 1), (1, 3, 1), (0, 5, 2)],
        "column_major": [(1, 2, 1), (0, 4, 3), (2, -1, -1)],
        "strided": [(0, 2, 1), (3, 0, -2), (1, 3, 1)],
        "tiled": [(1, 5, 1), (5, -1, -2)],
        "morton": [(0, 5, 2), (1, 3, 1), (0, 6, 1)],
        "hilbert": [(3, -1, -1), (1, 4, 1)],
    }
    for name, box in boxes.items():
        for dtype in ("uint8", "float64", "int4", "bool"):
            shape, layout = FAMILIES[name]
            found = dense(dtype, list(shape), dict(layout), seed=name)
            cases.append(cut(f"{name}-{dtype}", found, box))
    x = dense("int16", [4, 6])
    cases.append(cut("whole", x, [(0, 4, 1), (0, 6, 1)]))
    cases.append(cut("one", x, [(3, 4, 1), (5, 6, 1)]))
    cases.append(cut("empty", x, [(0, 4, 1), (0, 0, 1)]))
    cases.append(cut("backward", x, [(3, -1, -1), (5, -1, -1)]))
    scheme = per_tensor(0.5, 3)
    quantized = dense("int8", [4, 6], quantization=scheme)
    cases.append(cut("per-tensor", quantized, [(1, 3, 1), (0, 6, 1)], quantization=scheme))
    shard = part([4, 2], [6, 6], [0, 4])
    cases.append(cut("shard", shard, [(1, 3, 1), (1, 2, 1)], shard={"parent_shape": [6, 6], "offset": [1, 5]}))
    for name in ("csr", "coo", "block_paged"):
        sparse = tensor(name)
        whole = [(0, extent, 1) for extent in sparse["tensor"]["shape"]]
        cases.append(cut(f"refused-{name}", sparse, whole, "ERR_UNSUPPORTED"))
    return cases


def at(name: str, found: D, index: list[int], offset: int | str, rules: str = "") -> D:
    """Where an element is, in elements from the one at index zero."""
    request = {"op": "convert", "how": "offset", "item": form.given_item(found), "index": list(map(str, index))}
    expect = {"status": offset} if isinstance(offset, str) else {"status": "OK", "offset": str(offset)}
    return {"id": f"offsets/{name}", "rules": rules.split(), "request": request, "expect": expect}


def offsets() -> list[D]:
    """Elements of every layout, and indices that name none."""
    cases = []
    for name in ("row_major", "column_major", "strided", "tiled", "morton", "hilbert"):
        shape, layout = FAMILIES[name]
        found = dense("int4", list(shape), dict(layout), seed=name)
        for k, index in enumerate([[0] * len(shape), [n // 2 for n in shape], [n - 1 for n in shape]]):
            cases.append(at(f"{name}-{k}", found, index, place(layout, list(shape), tuple(index))))
        outside = [shape[0], *[0] * (len(shape) - 1)]
        cases.append(at(f"L-014-{name}", found, outside, "ERR_INDEX_OUT_OF_BOUNDS", "L-014"))
        cases.append(at(f"L-013-{name}", found, [0] * (len(shape) + 1), "ERR_INVALID_ARGUMENT", "L-013"))
    cases.append(at("scalar", dense("float32", []), [], 0))
    backward = dense("int16", [5], {"tag": "strided", "strides": [-1]}, byte_offset=8)
    cases.append(at("backward", backward, [3], -3))
    dynamic = item(descriptor("uint8", [wire.DYNAMIC, 3], buffers=[]), [b"abcdef"])
    cases.append(at("L-015", dynamic, [0, 0], "ERR_INVALID_ARGUMENT", "L-015"))
    for name in ("coo", "csr", "csc", "csf"):
        found = tensor(name)
        stored = [index for index, _ in entries(found)]
        for k in (0, len(stored) - 1):
            cases.append(at(f"{name}-{k}", found, list(stored[k]), k))
        shape = found["tensor"]["shape"]
        cases.append(at(f"L-014-{name}", found, [*shape[:-1], shape[-1]], "ERR_INDEX_OUT_OF_BOUNDS", "L-014"))
    paged = tensor("block_paged")
    # Sequence 0 has pages 4, 1 and 0; sequence 1 pages 4 and 2. A page has three slots of [2, 3].
    cases.append(at("block_paged-4", paged, [0, 4, 1, 2], (1 * 3 + 1) * 6 + 5))
    cases.append(at("block_paged-5", paged, [1, 5, 0, 0], (2 * 3 + 2) * 6))
    cases.append(at("L-041-token", paged, [0, 9, 0, 0], "ERR_INDEX_OUT_OF_BOUNDS", "L-041"))
    cases.append(at("L-014-sequence", paged, [2, 0, 0, 0], "ERR_INDEX_OUT_OF_BOUNDS", "L-014"))
    return cases


def pass_over(name: str, found: D, **section: Any) -> D:
    """Statistics; what hangs on the order of sums may differ in its last places."""
    request = {"op": "convert", "how": "statistics", "item": form.given_item(found)}
    return {
        "id": f"statistics/{name}",
        "request": request,
        "expect": {"status": "OK", "about": {"statistics": form.form(section)}},
    }


def summary(numbers: np.ndarray[Any, Any], bits: list[int], extremes: bool = True) -> D:
    """What numpy says: numbers, and the codes of what is stored, of which zero alone counts as zero."""
    wide, count = numbers.astype(np.float64).ravel(), numbers.size
    nonzero = sum(bit != 0 for bit in bits)
    has_nan, has_inf = bool(np.isnan(wide).any()), bool(np.isinf(wide).any())
    found: D = {"nnz": nonzero, "sparsity_ratio": 1 - nonzero / count, "has_nan": has_nan, "has_inf": has_inf}
    if extremes:
        kept = wide[~np.isnan(wide)]
        found |= {"min": float(kept.min()), "max": float(kept.max()), "abs_max": float(np.abs(kept).max())}
    if not has_nan and not has_inf:
        found |= {"mean": float(wide.mean()), "stddev": float(wide.std())}
    return found


def statistics() -> list[D]:
    """Integers, floats with what is special in them, packed codes, schemes, layouts."""
    cases = []

    def add(name: str, found: D, numbers: np.ndarray[Any, Any]) -> None:
        cases.append(pass_over(name, found, **summary(numbers, logical(found))))

    for dtype in ("int8", "uint16", "int32", "int64"):
        below = 1 if dtype.startswith("i") else 0
        numbers = (np.array([[0, 3, 0, 5], [7, 0, 100, 2]]) - below).astype(dtype)
        add(dtype, item(descriptor(dtype, [2, 4]), [numbers.tobytes()]), numbers)
    plain = np.array([0.0, -1.5, 2.25, 1e10, -3.0, 0.5, 0.0, 8.0])
    for dtype, kind in FLOATS.items():
        numbers = np.minimum(plain, 1e4).astype(kind)
        add(dtype, item(descriptor(dtype, [8]), [numbers.tobytes()]), numbers.astype(np.float64))
    for name, value in (("nan", np.nan), ("infinity", -np.inf), ("minus-zero", -0.0)):
        numbers = np.array([0.0, 1.0, value, -2.0], np.float32)
        add(name, item(descriptor("float32", [4]), [numbers.tobytes()]), numbers)
    signed = [0, 7, -8, 3, -1]
    add("int4", row_major("int4", [5], [code & 15 for code in signed]), np.array(signed))
    add("bool", row_major("bool", [3, 3], [1, 0, 0, 1, 1, 0, 0, 0, 1]), np.array([1, 0, 0, 1, 1, 0, 0, 0, 1]))
    tiled = dense("uint8", [5, 6], dict(FAMILIES["tiled"][1]), seed="statistics")
    add("tiled", tiled, np.array(logical(tiled)))
    column = dense("uint16", [2, 4, 3], "column_major", seed="statistics")
    add("column_major", column, np.array(logical(column)))
    stored = np.array([3, -4, 5, 0, 2, 2], np.int8)
    scheme = item(descriptor("int8", [6], quantization=per_tensor(0.5, 2)), [stored.tobytes()])
    values = np.float32(0.5) * (stored.astype(np.int64) - 2).astype(np.float32)
    cases.append(pass_over("per-tensor", scheme, **summary(values, [int(v != 0) for v in values])))
    scales = np.array([0.5, 2, 4], np.float32)
    channel = descriptor("int8", [2, 3], quantization=per_channel(1, 1))
    values = scales * stored.reshape(2, 3).astype(np.float32)
    found = item(channel, [stored.tobytes(), scales.tobytes()])
    cases.append(pass_over("per-channel", found, **summary(values, [int(v != 0) for v in values.ravel()])))
    for name in ("coo", "csr", "csc", "csf"):
        sparse = tensor(name, "int16")
        whole = np.zeros(sparse["tensor"]["shape"], np.int64)
        for index, code in entries(sparse):
            whole[index] = code - 65536 if code > 32767 else code
        counts = [1] * sparse["tensor"]["layout"]["nnz"]
        cases.append(pass_over(name, sparse, **summary(whole, counts)))
    pairs = np.array([0, 1 + 2j, -3j, 0], np.complex64)
    found = item(descriptor("complex64", [4]), [pairs.tobytes()])
    special = {"has_nan": False, "has_inf": False}
    cases.append(pass_over("complex64", found, nnz=2, sparsity_ratio=0.5, **special))
    refused = {"op": "convert", "how": "statistics", "item": form.given_item(tensor("block_paged"))}
    cases.append({"id": "statistics/refused", "request": refused, "expect": {"status": "ERR_UNSUPPORTED"}})
    return cases
