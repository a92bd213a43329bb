"""Random sparse tensors and composites converted every way, against scipy, numpy and the written format in Python."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import hurray
import ml_dtypes
import numpy as np
import pytest
import scipy.sparse as sparse  # type: ignore[import-untyped]

Array = np.ndarray[Any, Any]
KINDS = ["coo", "csr", "csc"]
TYPES = [
    *("bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"),
    *("float16", "float32", "float64", "complex64", "complex128"),
    *("bfloat16", "float8_e4m3fn", "float8_e5m2"),
]
SCIPYS = [one for one in TYPES if one not in ("float16", "bfloat16", "float8_e4m3fn", "float8_e5m2")]
SUMMED = [one for one in SCIPYS if one != "bool"]


def numpy_type(name: str) -> np.dtype[Any]:
    return np.dtype(getattr(ml_dtypes, name) if hasattr(ml_dtypes, name) else name)


def matrix(random: np.random.Generator, dtype: str, rank: int = 2) -> Array:
    """Small whole numbers that every type has, many of them 0; any dimension may be 0."""
    shape = tuple(int(n) for n in random.integers(0, 9, rank))
    values = random.integers(1, 5, shape) * (random.random(shape) < random.random())
    return values.astype(numpy_type(dtype))


def same(a: Array, b: Array) -> None:
    assert (a.shape, a.dtype) == (b.shape, b.dtype)
    assert a.tobytes() == b.tobytes()


def coordinates(dense: Array) -> tuple[Array, Array]:
    """What is not zero, and where, in row-major order."""
    at = np.argwhere(dense != 0)
    return dense[tuple(at.T)], at


def check_parts(found: hurray.Tensor, dense: Array) -> None:
    """Holds the parts to the written format, layouts sections 9 and 10."""
    values, at = coordinates(dense.T if found.layout.name == "csc" else dense)
    same(found.values, values)
    if found.layout.name == "coo":
        np.testing.assert_array_equal(found.indices, at)
        return
    pointers = found.row_ptr if found.layout.name == "csr" else found.col_ptr
    major = dense.shape[1 if found.layout.name == "csc" else 0]
    np.testing.assert_array_equal(pointers, np.searchsorted(at[:, 0], np.arange(major + 1)))
    np.testing.assert_array_equal(found.indices, at[:, 1])


@pytest.mark.parametrize("dtype", TYPES)
def test_dense_to_every_sparse_layout_and_between_all(dtype: str) -> None:
    random = np.random.default_rng(TYPES.index(dtype))
    for _ in range(15):
        dense = matrix(random, dtype)
        rows = hurray.from_numpy(dense)
        for one in KINDS:
            first = rows.to_layout(one)
            check_parts(first, dense)
            same(first.contiguous().numpy(), dense)
            for other in KINDS:
                second = first.to_layout(other)
                check_parts(second, dense)
                second.check()
                same(second.contiguous().numpy(), dense)


@pytest.mark.parametrize("dtype", SCIPYS)
def test_what_scipy_makes_of_the_same(dtype: str) -> None:
    random = np.random.default_rng(100 + SCIPYS.index(dtype))
    for _ in range(15):
        dense = matrix(random, dtype)
        for one in KINDS:
            theirs = getattr(sparse, f"{one}_array")(dense)
            ours = hurray.from_scipy(theirs)
            same(ours.contiguous().numpy(), theirs.toarray())
            for other in KINDS:
                wanted = getattr(theirs, f"to{other}")()
                found = ours.to_layout(other).to_scipy()
                assert found.nnz == wanted.nnz
                same(found.toarray(), wanted.toarray())
                if other != "coo":
                    wanted.sort_indices()
                    np.testing.assert_array_equal(found.indptr, wanted.indptr)
                    np.testing.assert_array_equal(found.indices, wanted.indices)
                    same(found.data, wanted.data)


def entries(random: np.random.Generator, dtype: str, rank: int) -> tuple[Array, Array, tuple[int, ...]]:
    """Entries in no order, some of them at one place; some are stored zeros."""
    shape = tuple(int(n) for n in random.integers(1, 6, rank))
    # More entries than elements are no tensor: V-042.
    count = int(random.integers(0, min(25, int(np.prod(shape)) + 1)))
    at = np.stack([random.integers(0, n, count) for n in shape], axis=1).astype(np.uint64)
    return random.integers(0, 4, count).astype(numpy_type(dtype)), at, shape


@pytest.mark.parametrize("dtype", SUMMED)
def test_entries_at_one_place_are_summed_as_scipy_does(dtype: str) -> None:
    random = np.random.default_rng(200 + SUMMED.index(dtype))
    for _ in range(15):
        values, at, shape = entries(random, dtype, 2)
        theirs = sparse.coo_array((values, at.astype(np.int64).T), shape=shape)
        ours = hurray.sparse_coo(values, at, shape)
        for other in KINDS:
            found = ours.to_layout(other, duplicates="sum")
            wanted = theirs.copy()
            wanted.sum_duplicates()
            assert found.nnz == wanted.nnz
            same(found.contiguous().numpy(), theirs.toarray())
            if other != "coo":
                compressed = getattr(theirs, f"to{other}")()
                compressed.sum_duplicates()
                np.testing.assert_array_equal(found.to_scipy().indptr, compressed.indptr)
                np.testing.assert_array_equal(found.to_scipy().indices, compressed.indices)
                same(found.values, compressed.data)
        same(ours.to_layout("row_major", duplicates="sum").numpy(), theirs.toarray())


def test_sums_of_integers_wrap() -> None:
    values = np.array([100, 100, -1, -128], np.int8)
    tensor = hurray.sparse_coo(values, [[0], [0], [1], [1]], (4,))
    np.testing.assert_array_equal(tensor.to_layout("row_major", duplicates="sum").numpy(), [-56, 127, 0, 0])


@pytest.mark.parametrize("rank", [1, 2, 3, 4])
def test_entries_at_one_place_are_kept_or_refused(rank: int) -> None:
    random = np.random.default_rng(300 + rank)
    refused = 0
    for _ in range(30):
        values, at, shape = entries(random, "float32", rank)
        ours = hurray.sparse_coo(values, at, shape)
        order = np.lexsort(at.T[::-1])
        kept = ours.to_layout(hurray.CooLayout(0, is_sorted=True), duplicates="keep")
        np.testing.assert_array_equal(kept.indices, at[order])
        # Entries at one place stay in the order in which they were.
        same(kept.values, values[order])
        if rank == 2:
            rows = ours.to_layout("csr", duplicates="keep")
            same(rows.values, values[order])
            np.testing.assert_array_equal(rows.col_indices, at[order][:, 1])
        if len(np.unique(at, axis=0)) == len(at):
            there = ours.to_layout(hurray.CooLayout(0, is_sorted=True))
            np.testing.assert_array_equal(there.indices, at[order])
            assert there.layout == hurray.CooLayout(len(values), is_sorted=True)
            continue
        assert kept.layout == hurray.CooLayout(len(values), is_sorted=False)
        refused += 1
        targets: list[hurray.Layout | str] = ["coo", "row_major"]
        targets += ["csr", "csc"] if rank == 2 else []
        targets += [hurray.CsfLayout(0, range(rank))] if rank > 2 else []
        for other in targets:
            with pytest.raises(hurray.HurrayError, match="L-034"):
                ours.to_layout(other)
        with pytest.raises(hurray.HurrayError):
            ours.to_layout("row_major", duplicates="keep")
    assert refused > 5


def fibres(values: Array, at: Array, order: Sequence[int]) -> tuple[Array, list[list[int]], list[list[int]]]:
    """Values, pointers and coordinates of a tree, level by level: layouts, section 11."""
    moved = at[:, list(order)].astype(np.int64)
    rank = len(order)
    ranks = sorted(range(len(moved)), key=lambda k: tuple(moved[k]))
    rows = [tuple(int(one) for one in moved[k]) for k in ranks]
    pos, crd = [], []
    nodes: list[tuple[int, ...]] = [()]
    for level in range(rank):
        below = sorted({row[: level + 1] for row in rows})
        starts = [sum(node[:level] < parent for node in below) for parent in nodes]
        pos.append([*starts, len(below)])
        crd.append([node[level] for node in below])
        nodes = below
    return values[ranks], pos, crd


def check_tree(tree: hurray.Tensor, dense: Array, order: Sequence[int]) -> None:
    values, pos, crd = fibres(*coordinates(dense), order)
    same(tree.values, values)
    for level, (pointers, indices) in enumerate(zip(pos, crd, strict=True)):
        words = tree.buffer(2 * level + 1).view(np.uint64)
        np.testing.assert_array_equal(words, pointers if crd[0] or level == 0 else [0])
        np.testing.assert_array_equal(tree.buffer(2 * level + 2).view(np.uint64), indices)


@pytest.mark.parametrize("dtype", ["float32", "int8", "bfloat16", "complex128"])
@pytest.mark.parametrize("rank", [3, 4, 5])
def test_trees_of_coordinates(rank: int, dtype: str) -> None:
    random = np.random.default_rng(400 + 10 * rank + len(dtype))
    for _ in range(8):
        dense = matrix(random, dtype, rank)
        rows = hurray.from_numpy(dense)
        order = [int(k) for k in random.permutation(rank)]
        coo = rows.to_layout("coo")
        for source in (rows, coo):
            tree = source.to_layout(hurray.CsfLayout(0, order))
            check_tree(tree, dense, order)
            tree.check()
            same(tree.contiguous().numpy(), dense)
        other = [int(k) for k in random.permutation(rank)]
        check_tree(tree.to_layout(hurray.CsfLayout(0, other)), dense, other)
        check_parts(tree.to_layout("coo"), dense)


def test_the_written_example_of_a_tree() -> None:
    """Layouts, section 11."""
    dense = np.zeros((3, 4, 5), np.float32)
    pos = [[0, 5], [0, 1, 2, 4, 6, 7], [0, 1, 2, 5, 6, 7, 8, 9]]
    crd = [[0, 1, 2, 3, 4], [0, 2, 1, 2, 0, 2, 2], [1, 0, 1, 2, 3, 1, 2, 2, 1]]
    values = [4, 2, 1, 5, 7, 3, 9, 6, 8]
    for a in range(5):
        for b in range(pos[1][a], pos[1][a + 1]):
            for c in range(pos[2][b], pos[2][b + 1]):
                dense[crd[1][b], crd[2][c], crd[0][a]] = values[c]
    assert dense[1, 2, 2] == 5
    tree = hurray.from_numpy(dense).to_layout(hurray.CsfLayout(0, (2, 0, 1)))
    np.testing.assert_array_equal(tree.values, values)
    for level in range(3):
        np.testing.assert_array_equal(tree.buffer(2 * level + 1).view(np.uint64), pos[level])
        np.testing.assert_array_equal(tree.buffer(2 * level + 2).view(np.uint64), crd[level])


def cut(random: np.random.Generator, shape: tuple[int, ...], offset: tuple[int, ...]) -> list[tuple[Any, Any]]:
    """Boxes that tile a shape, as offset and shape."""
    long = [k for k, n in enumerate(shape) if n > 1]
    if not long or random.random() < 0.2:
        return [(offset, shape)]
    axis = int(random.choice(long))
    at = int(random.integers(1, shape[axis]))
    low = (*shape[:axis], at, *shape[axis + 1 :])
    high = (*shape[:axis], shape[axis] - at, *shape[axis + 1 :])
    beyond = (*offset[:axis], offset[axis] + at, *offset[axis + 1 :])
    return cut(random, low, offset) + cut(random, high, beyond)


LAYOUTS: list[hurray.Layout | str] = ["row_major", "column_major", "coo"]


def member(
    random: np.random.Generator, part: Array, whole: tuple[int, ...], offset: tuple[int, ...], role: Any = None
) -> hurray.Tensor:
    """A part in a layout of its own."""
    choices = [*LAYOUTS, hurray.TiledLayout([2] * part.ndim), *(["csr", "csc"] if part.ndim == 2 else [])]
    there = hurray.from_numpy(part).to_layout(choices[int(random.integers(len(choices)))], copy=True)
    buffers = [there.buffer(k) for k in range(there.buffer_count)]
    return hurray.Tensor(
        buffers[0],
        there.dtype,
        there.shape,
        layout=there.layout,
        aux_buffers=buffers[1:],
        shard=hurray.Shard(whole, offset),
        member_role=role,
    )


def box(offset: tuple[int, ...], shape: tuple[int, ...]) -> tuple[slice, ...]:
    return tuple(slice(o, o + n) for o, n in zip(offset, shape, strict=True))


@pytest.mark.parametrize("dtype", ["float32", "int16", "complex64", "bfloat16"])
def test_partitions_are_assembled(dtype: str) -> None:
    random = np.random.default_rng(500 + len(dtype))
    for _ in range(15):
        rank = int(random.integers(1, 4))
        shape = tuple(int(n) for n in random.integers(1, 8, rank))
        whole = (random.integers(1, 5, shape) * (random.random(shape) < 0.5)).astype(numpy_type(dtype))
        boxes = cut(random, shape, (0,) * rank)
        random.shuffle(boxes)
        members = [member(random, whole[box(offset, part)].copy(), shape, offset) for offset, part in boxes]
        composite = hurray.Composite("partition", shape=shape, dtype=members[0].dtype, members=members)
        there = composite.assemble()
        same(there.numpy(), whole)
        assert there.converted_bytes == whole.nbytes
        out = np.ones(shape, whole.dtype)
        composite.assemble(out=out)
        same(out, whole)


@pytest.mark.parametrize("op", ["replace", "add"])
@pytest.mark.parametrize("dtype", ["float32", "int8", "float16"])
def test_overlays_are_applied(dtype: str, op: str) -> None:
    random = np.random.default_rng(600 + len(dtype) + len(op))
    for _ in range(20):
        rank = int(random.integers(1, 4))
        shape = tuple(int(n) for n in random.integers(1, 7, rank))
        wanted = random.integers(0, 100, shape).astype(dtype)
        members = [member(random, wanted.copy(), shape, (0,) * rank, "base")]
        for _ in range(int(random.integers(1, 4))):
            offset, size = (0,) * rank, shape
            for _ in range(int(random.integers(0, 3))):
                offset, size = cut(random, size, offset)[-1]
            part = (random.integers(1, 100, size) * (random.random(size) < 0.6)).astype(dtype)
            one = member(random, part, shape, offset, "correction")
            members.append(one)
            at = box(offset, size)
            # A sparse correction covers what it stores, a dense one its whole box.
            covers = part != 0 if one.layout.name in KINDS else np.ones(size, bool)
            with np.errstate(over="ignore"):
                wanted[at] = np.where(covers, part if op == "replace" else wanted[at] + part, wanted[at])
        composite = hurray.Composite("overlay", shape=shape, dtype=members[0].dtype, members=members, combine_op=op)
        assert composite.member_roles == ["base"] + ["correction"] * (len(members) - 1)
        same(composite.assemble().numpy(), wanted)
        out = np.ones(shape, dtype)
        composite.assemble(out=out)
        same(out, wanted)


def test_the_written_example_of_an_overlay() -> None:
    """Layouts, section 13."""
    base = np.arange(1000, 1016, dtype=np.int32).reshape(4, 4)
    first = np.arange(2000, 2006, dtype=np.int32).reshape(2, 3)
    second = np.arange(3000, 3006, dtype=np.int32)

    def part(data: Array, shape: tuple[int, int], offset: tuple[int, int], role: Any, layout: str) -> hurray.Tensor:
        shard = hurray.Shard((4, 4), offset)
        return hurray.Tensor(data, "int32", shape, layout=layout, shard=shard, member_role=role)

    members = [
        part(base, (4, 4), (0, 0), "base", "row_major"),
        part(first, (2, 3), (0, 1), "correction", "row_major"),
        part(second, (3, 2), (1, 1), "correction", "column_major"),
    ]
    wanted = {
        "replace": {(3, 3): 1015, (0, 2): 2001, (1, 2): 3003, (2, 2): 3004},
        "add": {(3, 3): 1015, (0, 2): 3003, (1, 2): 6013, (2, 2): 4014},
    }
    for op, values in wanted.items():
        composite = hurray.Composite("overlay", shape=(4, 4), dtype="int32", members=members, combine_op=op)
        there = composite.assemble().numpy()
        assert {at: int(there[at]) for at in values} == values
