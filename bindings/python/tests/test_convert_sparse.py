"""Sparse, paged and composite tensors made dense and back, against scipy and numpy."""

from __future__ import annotations

from typing import Any

import hurray
import numpy as np
import pytest
import scipy.sparse as sparse  # type: ignore[import-untyped]

Array = np.ndarray[Any, Any]
KINDS = ["coo", "csr", "csc"]
TYPES = ["float32", "float64", "int8", "uint16", "int64", "complex64", "bool"]


def matrices(dtype: str) -> list[Array]:
    random = np.random.default_rng(1)
    found = [np.zeros((0, 5)), np.zeros((4, 0)), np.zeros((3, 4)), np.eye(1), np.ones((2, 3))]
    for shape, density in (((7, 9), 0.2), ((1, 30), 0.5), ((30, 1), 0.1), ((64, 64), 0.02)):
        found.append(np.where(random.random(shape) < density, random.integers(1, 100, shape), 0))
    return [one.astype(dtype) for one in found]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dtype", TYPES)
def test_sparse_to_dense_and_back(kind: str, dtype: str) -> None:
    for dense in matrices(dtype):
        matrix = getattr(sparse, f"{kind}_array")(dense)
        there = hurray.from_scipy(matrix).contiguous()
        np.testing.assert_array_equal(there.numpy(), matrix.toarray())
        back = there.to_layout(kind)
        assert back.layout.name == kind
        assert back.nnz == np.count_nonzero(dense)
        np.testing.assert_array_equal(back.to_scipy().toarray(), dense)


@pytest.mark.parametrize("to", KINDS)
@pytest.mark.parametrize("kind", KINDS)
def test_between_sparse_layouts(kind: str, to: str) -> None:
    for dense in matrices("float32"):
        source = hurray.from_scipy(getattr(sparse, f"{kind}_array")(dense))
        there = source.to_layout(to)
        assert there.nnz == np.count_nonzero(dense)
        np.testing.assert_array_equal(there.contiguous().numpy(), dense)
        there.check()
        wanted = getattr(sparse.coo_array(dense), f"to{to}")()
        wanted.sum_duplicates()
        np.testing.assert_array_equal(there.to_scipy().data, wanted.data)


def test_many_dimensions() -> None:
    random = np.random.default_rng(2)
    for shape in ((3, 4, 5), (2, 1, 3, 2), (6,), (2, 2, 2, 2, 2)):
        dense = np.where(random.random(shape) < 0.3, random.standard_normal(shape), 0).astype(np.float32)
        coo = hurray.from_numpy(dense).to_layout("coo")
        np.testing.assert_array_equal(coo.values, dense[dense != 0])
        np.testing.assert_array_equal(coo.indices, np.argwhere(dense))
        orders = [range(len(shape)), range(len(shape))[::-1]] if len(shape) > 2 else []
        for layout in [hurray.CsfLayout(0, order) for order in orders]:
            tree = coo.to_layout(layout)
            np.testing.assert_array_equal(tree.contiguous().numpy(), dense)
            np.testing.assert_array_equal(tree.to_layout("coo").contiguous().numpy(), dense)


def test_zeros_that_are_stored_and_values_that_are_no_zeros() -> None:
    stored = hurray.sparse_csr(np.array([0.0, 2.0], np.float32), [1, 0], [0, 1, 2], shape=(2, 3))
    coo = stored.to_layout("coo")
    assert coo.nnz == 2
    dense = np.array([[-0.0, np.nan, 0.0]], np.float32)
    there = hurray.from_numpy(dense).to_layout("csr")
    assert there.nnz == 2
    assert np.signbit(there.values[0])
    assert np.isnan(there.values[1])


def test_coordinates_that_come_twice() -> None:
    tensor = hurray.sparse_coo(np.array([1.0, 2.0, 4.0], np.float32), [[0, 1], [2, 0], [0, 1]], shape=(3, 2))
    with pytest.raises(hurray.HurrayError):
        tensor.to_layout("csr")
    summed = tensor.to_layout("csr", duplicates="sum")
    matrix = sparse.coo_array(([1.0, 2.0, 4.0], ([0, 2, 0], [1, 0, 1])), shape=(3, 2)).tocsr()
    np.testing.assert_array_equal(summed.to_scipy().toarray(), matrix.toarray())
    assert summed.nnz == 2
    with pytest.raises(ValueError, match="duplicates"):
        tensor.to_layout("csr", duplicates="twice")  # type: ignore[arg-type]


def test_codes_of_a_sparse_tensor() -> None:
    codes = np.array([[0, 4, 0], [0, 0, -8]], np.int8)
    tensor = hurray.from_scipy(sparse.csr_array(codes)).dequantize()
    assert (tensor.layout.name, tensor.dtype) == ("csr", hurray.float32)
    np.testing.assert_array_equal(tensor.contiguous().numpy(), codes)


def test_memory() -> None:
    dense = np.diag(np.arange(1, 5, dtype=np.float32))
    rows = hurray.from_scipy(sparse.csr_array(dense))
    out = np.ones((4, 4), np.float32)
    there = rows.contiguous(out=out)
    np.testing.assert_array_equal(out, dense)
    assert there.converted_bytes == 64
    with pytest.raises(hurray.CopyRequiredError):
        rows.contiguous(copy=False)
    with pytest.raises(hurray.InvalidArgumentError):
        hurray.from_numpy(dense).to_layout("csr", out=out)


def test_hostile_indices() -> None:
    values = np.ones(3, np.float32)
    for columns, pointers in (
        ([0, 1, 9], [0, 3, 3]),
        ([0, 1, 2], [0, 9, 3]),
        ([0, 1, 2], [0, 2, 1]),
        ([2, 1, 0], [0, 3, 3]),
    ):
        bad = hurray.sparse_csr(values, columns, pointers, shape=(2, 3))
        with pytest.raises(hurray.HurrayError, match="L-0"):
            bad.check()
        if columns != [2, 1, 0]:
            with pytest.raises(hurray.HurrayError):
                bad.contiguous()


def test_check_accepts_what_is_right() -> None:
    for tensor in (
        hurray.from_numpy(np.zeros((2, 3))),
        hurray.from_scipy(sparse.csr_array(np.eye(3))),
        hurray.from_numpy(np.zeros((2, 2), np.int8), quantization=hurray.PerTensorAffine(0.5)),
    ):
        tensor.check()


def test_pages_are_gathered_and_scattered() -> None:
    pool = np.arange(3 * 2 * 2 * 3, dtype=np.float32).reshape(3, 2, 2, 3)
    table, ends = np.array([1, 0, 2], np.uint32), np.array([0, 2, 3], np.uint32)
    layout = hurray.BlockPagedLayout(2, 3, 0, 2, "key")
    paged = hurray.Tensor(pool, "float32", (5, 2, 3), layout=layout, aux_buffers=[table, ends])
    # Three tokens of the first sequence, in pages 1 and 0, and two of the second, in page 2.
    wanted = np.stack([pool[1, 0], pool[1, 1], pool[0, 0], pool[2, 0], pool[2, 1]])
    there = paged.gather([3, 2])
    np.testing.assert_array_equal(there.numpy(), wanted)
    assert there.converted_bytes == wanted.nbytes
    moved = hurray.from_numpy(-wanted).scatter(paged, [3, 2])
    assert moved == wanted.nbytes
    np.testing.assert_array_equal(paged.gather([3, 2]).numpy(), -wanted)
    for lengths in ([3, 3], [5], [4, 2], [1, 4]):
        with pytest.raises(hurray.HurrayError):
            paged.gather(lengths)
    with pytest.raises(hurray.InvalidArgumentError):
        there.gather([5])


def test_a_partition_is_joined() -> None:
    whole = np.arange(12, dtype=np.float32).reshape(4, 3)

    def part(array: Array, offset: tuple[int, int]) -> hurray.Tensor:
        shard = hurray.Shard((4, 3), offset)
        return hurray.Tensor(np.ascontiguousarray(array), "float32", array.shape, shard=shard)

    members = [part(whole[:2], (0, 0)), part(whole[2:, :1], (2, 0)), part(whole[2:, 1:], (2, 1))]
    composite = hurray.Composite("partition", shape=(4, 3), dtype="float32", members=members)
    there = composite.assemble()
    np.testing.assert_array_equal(there.numpy(), whole)
    out = np.zeros((4, 3), np.float32)
    composite.assemble(out=out)
    np.testing.assert_array_equal(out, whole)


def test_a_group_is_refused() -> None:
    group = hurray.Composite("group", shape=(), dtype="float32", members=[hurray.from_numpy(np.zeros(2, np.float32))])
    with pytest.raises(hurray.UnsupportedError):
        group.assemble()
