"""Sparse tensors: to dense and back, and between sparse layouts; entries by the formulas of layouts.md."""

from __future__ import annotations

import itertools
import struct
from typing import Any

import numpy as np
import scipy.sparse  # type: ignore[import-untyped]

from . import form, wire
from .conversions import case, code_at, logical, pack, row_major
from .items import item, tensor
from .samples import D, descriptor

Index = tuple[int, ...]
Entries = list[tuple[Index, int]]


def u64s(data: bytes) -> list[int]:
    """Numbers of an index buffer."""
    return list(struct.unpack(f"<{len(data) // 8}Q", data))


def bytes_of(numbers: list[int]) -> bytes:
    """An index buffer."""
    return struct.pack(f"<{len(numbers)}Q", *numbers)


def _coordinates(found: D) -> list[Index]:
    d = found["tensor"]
    layout, rank = d["layout"], len(d["shape"])
    parts = [u64s(data) for data in found["data"][1:]]
    if layout["tag"] == "coo":
        return [tuple(parts[0][k * rank : (k + 1) * rank]) for k in range(layout["nnz"])]
    if layout["tag"] in ("csr", "csc"):
        minor, pointers = parts[:2]
        pairs: list[Index] = [
            (major, minor[k]) for major in range(len(pointers) - 1) for k in range(pointers[major], pointers[major + 1])
        ]
        return pairs if layout["tag"] == "csr" else [pair[::-1] for pair in pairs]
    paths: list[Index] = [()]
    for level in range(rank):
        pos, crd = parts[2 * level], parts[2 * level + 1]
        paths = [(*path, crd[k]) for node, path in enumerate(paths) for k in range(pos[node], pos[node + 1])]
    order = layout["mode_order"]
    return [tuple(path[order.index(k)] for k in range(rank)) for path in paths]


def entries(found: D) -> Entries:
    """What a sparse tensor stores, in the order in which it is stored."""
    width = wire.BITS[found["tensor"]["dtype"]]
    return [(index, code_at(found["data"][0], width, 0, k)) for k, index in enumerate(_coordinates(found))]


def scipys(name: str, shape: list[int], stored: Entries) -> tuple[list[int], list[int], list[int]]:
    """Codes, indices and pointers as scipy lays them out; the numbers of the entries stand for codes of any width."""
    rows, columns = ([index[axis] for index, _ in stored] for axis in (0, 1))
    numbers = np.arange(1, len(stored) + 1)
    coo = scipy.sparse.coo_array((numbers, (np.array(rows, np.int64), np.array(columns, np.int64))), shape=shape)
    found = coo.tocsr() if name == "csr" else coo.tocsc()
    found.sort_indices()
    codes = [stored[number - 1][1] for number in found.data.tolist()]
    return codes, found.indices.tolist(), found.indptr.tolist()


def made(layout: D, dtype: str, shape: list[int], stored: Entries, **more: Any) -> D:
    """A sparse tensor of entries, in the order of its layout."""
    name, rank = layout["tag"], len(shape)
    order = layout.get("mode_order") or ([1, 0] if name == "csc" else list(range(rank)))
    found = sorted(stored, key=lambda entry: [entry[0][axis] for axis in order])
    paths = [tuple(index[axis] for axis in order) for index, _ in found]
    if name == "coo":
        parts = [list(itertools.chain.from_iterable(paths))]
    elif name in ("csr", "csc"):
        majors = [path[0] for path in paths]
        counts = range(shape[order[0]] + 1)
        parts = [[path[1] for path in paths], [sum(one < k for one in majors) for k in counts]]
    else:
        parts = []
        above: list[Index] = [()]
        for level in range(1, rank + 1):
            nodes = sorted({path[:level] for path in paths})
            parts.append([sum(node[:-1] < one for node in nodes) for one in above] + [len(nodes)])
            parts.append([node[-1] for node in nodes])
            above = nodes
    if rank == 2 and name in ("csr", "csc"):
        assert scipys(name, shape, stored) == ([code for _, code in found], *parts)
    d = descriptor(dtype, shape, {**layout, "nnz": len(found)}, buffers=[], **more)
    return item(d, [pack([code for _, code in found], wire.BITS[dtype]), *map(bytes_of, parts)])


def dense(dtype: str, shape: list[int], stored: Entries, **more: Any) -> D:
    """A row-major tensor with zeros where nothing is stored."""
    codes = dict(stored)
    found = [codes.get(i, 0) for i in itertools.product(*map(range, shape))]
    if len(shape) == 2:
        places = zip(*(index for index, _ in stored), strict=True)
        numbers = scipy.sparse.coo_array((np.arange(1, len(stored) + 1), tuple(map(list, places))), shape=shape)
        assert found == [number and stored[number - 1][1] for number in numbers.toarray().ravel().tolist()]
    return row_major(dtype, shape, found, **more)


def family(name: str, dtype: str) -> D:
    """The sample of a sparse layout, no stored element of which is zero."""
    found = tensor(name, dtype)
    stored = [(index, code or 1) for index, code in entries(found)]
    return made(found["tensor"]["layout"], dtype, found["tensor"]["shape"], stored)


def to(name: str, given: D, expected: D | str, target: D, rules: str = "") -> D:
    """A conversion to a sparse layout."""
    d = given["tensor"]
    found = case(name, "layout", given, expected, target=form.given(descriptor(d["dtype"], d["shape"], target)))
    return {**found, "rules": rules.split()}


def layouts() -> list[D]:
    """Every sparse layout to dense and back, every two of a rank into each other, and what is kept or refused."""
    found = []
    for name in ("coo", "csr", "csc", "csf"):
        for dtype in ("uint8", "float32", "complex128", "int4", "bool", "float6_e2m3"):
            x = family(name, dtype)
            flat = dense(dtype, x["tensor"]["shape"], entries(x))
            found.append(case(f"dense-{name}-{dtype}", "row_major", x, flat))
            found.append(to(f"{name}-of-dense-{dtype}", flat, x, x["tensor"]["layout"]))
    coo: D = {"tag": "coo", "nnz": 8, "is_sorted": True}
    pairs = [family("csr", "float32"), family("csc", "float32")]
    pairs.append(made(coo, "float32", [4, 6], entries(pairs[0])))
    trees = [family("csf", "int16"), made({**coo, "nnz": 9}, "int16", [3, 4, 5], entries(family("csf", "int16")))]
    other = {"tag": "csf", "nnz": 9, "mode_order": [0, 1, 2]}
    trees.append(made(other, "int16", [3, 4, 5], entries(trees[0])))
    for some in (pairs, trees):
        for (a, one), (b, two) in itertools.product(enumerate(some), enumerate(some)):
            if one is not two:
                layout = two["tensor"]["layout"]
                expected = made(layout, one["tensor"]["dtype"], one["tensor"]["shape"], entries(one))
                names = f"{one['tensor']['layout']['tag']}-{a}-to-{layout['tag']}-{b}"
                found.append(to(names, one, expected, layout))
    # A stored zero stays one; from dense, -0.0 and NaN are stored and 0.0 is not.
    zero = made(coo, "float32", [2, 2], [((0, 1), 0), ((1, 0), 0x3F800000)])
    csr = {"tag": "csr", "nnz": 2}
    found.append(to("stored-zero", zero, made(csr, "float32", [2, 2], entries(zero)), csr))
    bits = [0, 0x80000000, 0x7FC00000, 0x3F800000]
    special = row_major("float32", [4], bits)
    kept = made(coo, "float32", [4], [((k,), bits[k]) for k in (1, 2, 3)])
    found.append(to("minus-zero", special, kept, kept["tensor"]["layout"]))
    none = row_major("int8", [2, 3], [0] * 6)
    found.append(to("all-zero", none, made(csr, "int8", [2, 3], []), csr))
    unsorted = item(
        descriptor("int8", [5], {**coo, "nnz": 3, "is_sorted": False}, buffers=[]), [b"abc", bytes_of([4, 0, 2])]
    )
    in_order = made(coo, "int8", [5], entries(unsorted))
    found.append(to("unsorted", unsorted, in_order, in_order["tensor"]["layout"]))
    twice = item(descriptor("int8", [5], {**coo, "nnz": 2, "is_sorted": False}, buffers=[]), [b"ab", bytes_of([4, 4])])
    for name, how in (("dense", "row_major"), ("coo", "layout")):
        target = {} if how == "row_major" else {"target": form.given(descriptor("int8", [5], {**coo, "nnz": 2}))}
        found.append({**case(f"twice-{name}", how, twice, "ERR_INVALID_LAYOUT", **target), "rules": ["L-034"]})
    lies = made(csr, "int8", [2, 3], [((0, 1), 5), ((1, 2), 6)])
    lies["data"][1] = bytes_of([1, 3])
    found.append({**case("lying-index", "row_major", lies, "ERR_INVALID_LAYOUT"), "rules": ["L-032"]})
    lies = made(csr, "int8", [2, 3], [((0, 1), 5), ((1, 2), 6)])
    lies["data"][2] = bytes_of([0, 2**63, 2])
    found.append({**case("lying-pointer", "row_major", lies, "ERR_INVALID_LAYOUT"), "rules": ["L-031"]})
    assert logical(dense("int8", [2, 2], [((1, 0), 7)])) == [0, 0, 7, 0]
    return [{**one, "id": one["id"].replace("conversions/", "sparse/")} for one in found]


def cases() -> dict[str, list[Any]]:
    """All, in files."""
    return {"layouts": layouts()}
