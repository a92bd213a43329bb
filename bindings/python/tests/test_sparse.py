"""Sparse tensors from parts and from scipy, and back."""

from __future__ import annotations

from typing import Any

import hurray
import numpy as np
import pytest
import scipy.sparse as sparse  # type: ignore[import-untyped]
from test_quantization import aligned

# The matrix of the specification's example: [4, 6] with eight entries.
VALUES = np.array([1, 4, 8, 6, 3, 2, 7, 5], np.float32)
COLUMNS = [2, 3, 1, 3, 4, 4, 0, 1]
ROW_PTR = [0, 2, 5, 6, 8]
CSC_VALUES = np.array([7, 8, 5, 1, 4, 6, 3, 2], np.float32)
ROWS = [3, 1, 3, 0, 0, 1, 1, 2]
COL_PTR = [0, 1, 3, 4, 6, 8, 8]
DENSE = np.array([[0, 0, 1, 4, 0, 0], [0, 8, 0, 6, 3, 0], [0, 0, 0, 0, 2, 0], [7, 5, 0, 0, 0, 0]], np.float32)


def test_rows_from_parts() -> None:
    tensor = hurray.from_hurray(hurray.sparse_csr(VALUES, COLUMNS, ROW_PTR, (4, 6)))
    assert tensor.layout == hurray.CsrLayout(8)
    assert (tensor.shape, tensor.nnz, tensor.buffer_count) == ((4, 6), 8, 3)
    np.testing.assert_array_equal(tensor.values, VALUES)
    np.testing.assert_array_equal(tensor.col_indices, COLUMNS)
    np.testing.assert_array_equal(tensor.row_ptr, ROW_PTR)
    assert tensor.row_ptr.dtype == np.uint64
    for name in ("row_indices", "col_ptr", "scales"):
        assert not hasattr(tensor, name)
    np.testing.assert_array_equal(tensor.to_scipy().toarray(), DENSE)


def test_columns_from_parts() -> None:
    tensor = hurray.from_hurray(hurray.sparse_csc(CSC_VALUES, ROWS, COL_PTR, (4, 6)))
    assert tensor.layout == hurray.CscLayout(8)
    np.testing.assert_array_equal(tensor.row_indices, ROWS)
    np.testing.assert_array_equal(tensor.col_ptr, COL_PTR)
    assert not hasattr(tensor, "col_indices")
    np.testing.assert_array_equal(tensor.to_scipy().toarray(), DENSE)


def test_coordinates_from_parts() -> None:
    coordinates = np.argwhere(DENSE)
    tensor = hurray.sparse_coo(DENSE[tuple(coordinates.T)], coordinates, (4, 6), is_sorted=True)
    assert tensor.layout == hurray.CooLayout(8, True)
    np.testing.assert_array_equal(tensor.indices, coordinates)
    np.testing.assert_array_equal(tensor.to_scipy().toarray(), DENSE)
    cube = hurray.sparse_coo(np.array([5.0]), [[2, 1, 0]], (3, 2, 4))
    assert cube.nnz == 1
    with pytest.raises(ValueError, match="indices have shape"):
        hurray.sparse_coo(np.array([5.0]), [[2, 1]], (3, 2, 4))


def test_through_the_constructor() -> None:
    tensor = hurray.Tensor(
        VALUES,
        "float32",
        (4, 6),
        layout=hurray.CsrLayout(8),
        aux_buffers=[np.array(COLUMNS, np.uint64), np.array(ROW_PTR, np.uint64)],
    )
    np.testing.assert_array_equal(tensor.to_scipy().toarray(), DENSE)


@pytest.mark.parametrize("index", [np.int32, np.uint32, np.uint8, np.int64, np.uint64])
def test_b82_indices_of_any_width_become_64_bits(index: Any) -> None:
    columns, row_ptr = aligned(np.array(COLUMNS, index)), aligned(np.array(ROW_PTR, index))
    tensor = hurray.sparse_csr(aligned(VALUES), columns, row_ptr, (4, 6))
    np.testing.assert_array_equal(tensor.to_scipy().toarray(), DENSE)
    if np.dtype(index).itemsize == 8:
        assert tensor.copies == ((), (), ())
        assert tensor.col_indices.ctypes.data == columns.ctypes.data
        assert hurray.sparse_csr(aligned(VALUES), columns, row_ptr, (4, 6), copy=False).nnz == 8
    else:
        assert tensor.copies == ((), ("width",), ("width",))
        assert tensor.copied_bytes == 8 * (8 + 5)
        with pytest.raises(hurray.CopyRequiredError, match="64-bit"):
            hurray.sparse_csr(aligned(VALUES), columns, row_ptr, (4, 6), copy=False)


def test_values_are_shared_where_they_are_aligned() -> None:
    values = aligned(VALUES)
    tensor = hurray.sparse_csr(values, COLUMNS, ROW_PTR, (4, 6))
    assert tensor.values.ctypes.data == values.ctypes.data
    moved = aligned(np.zeros(12, np.float32))[2:10]
    moved[...] = VALUES
    tensor = hurray.sparse_csr(moved, COLUMNS, ROW_PTR, (4, 6))
    assert tensor.copies[0] == ("alignment",)
    np.testing.assert_array_equal(tensor.values, VALUES)
    strided = np.repeat(VALUES, 2)[::2]
    np.testing.assert_array_equal(hurray.sparse_csr(strided, COLUMNS, ROW_PTR, (4, 6)).values, VALUES)
    with pytest.raises(hurray.CopyRequiredError):
        hurray.sparse_csr(strided, COLUMNS, ROW_PTR, (4, 6), copy=False)


def test_values_of_other_types() -> None:
    swapped = hurray.sparse_csr(VALUES.astype(">f4"), COLUMNS, ROW_PTR, (4, 6))
    np.testing.assert_array_equal(swapped.values, VALUES)
    assert swapped.copies[0] == ("packing",)
    truth = hurray.sparse_csr(VALUES > 4, COLUMNS, ROW_PTR, (4, 6))
    np.testing.assert_array_equal(truth.values, VALUES > 4)
    assert truth.dtype.name == "bool"


@pytest.mark.parametrize("kind", ["csr", "csc", "coo"])
@pytest.mark.parametrize("make", ["array", "matrix"])
def test_scipy_both_ways(kind: str, make: str) -> None:
    matrix = getattr(sparse, f"{kind}_{make}")(DENSE)
    tensor = hurray.from_hurray(hurray.from_scipy(matrix))
    assert tensor.layout.name == kind
    back = tensor.to_scipy()
    assert back.format == kind
    np.testing.assert_array_equal(back.toarray(), DENSE)
    if kind != "coo":
        assert back.data.ctypes.data == tensor.values.ctypes.data
        assert back.indices.ctypes.data == tensor.indices.ctypes.data
        np.testing.assert_array_equal((back @ np.ones(6)), DENSE.sum(axis=1))


def test_unsorted_and_repeated_entries_are_ordered_in_a_copy() -> None:
    matrix = sparse.csr_array((np.array([1.0, 2, 3]), [2, 0, 2], [0, 3]), shape=(1, 3))
    tensor = hurray.from_scipy(matrix)
    np.testing.assert_array_equal(tensor.col_indices, [0, 2])
    np.testing.assert_array_equal(tensor.values, [2, 4])
    assert matrix.indices.tolist() == [2, 0, 2]
    with pytest.raises(hurray.CopyRequiredError):
        hurray.from_scipy(matrix, copy=False)


def test_other_formats_are_refused_with_the_way_out() -> None:
    with pytest.raises(hurray.UnsupportedError, match="tocsr"):
        hurray.from_scipy(sparse.lil_array(DENSE))
    with pytest.raises(hurray.UnsupportedError, match="row_major"):
        hurray.from_numpy(DENSE).to_scipy()
    with pytest.raises(hurray.UnsupportedError):
        hurray.sparse_csr(VALUES, COLUMNS, ROW_PTR, (4, 6)).numpy()


@pytest.mark.parametrize("shape", [(4, 5), (0, 5), (4, 0)])
def test_b83_no_entries(shape: tuple[int, int]) -> None:
    tensor = hurray.from_hurray(hurray.from_scipy(sparse.csr_array(shape, dtype=np.float64)))
    assert tensor.nnz == 0
    assert tensor.row_ptr.tolist() == [0] * (shape[0] + 1)
    assert tensor.to_scipy().shape == shape
    assert hurray.from_scipy(sparse.csc_array(shape)).nnz == 0
    assert hurray.from_scipy(sparse.coo_array(shape)).nnz == 0


def test_parts_that_do_not_fit_each_other() -> None:
    with pytest.raises(hurray.HurrayError):
        hurray.sparse_csr(VALUES, COLUMNS, ROW_PTR[:-1], (4, 6))
    with pytest.raises(hurray.HurrayError):
        hurray.sparse_csr(VALUES, COLUMNS[:-1], ROW_PTR, (4, 6))
    with pytest.raises(hurray.HurrayError):
        hurray.sparse_csr(VALUES, COLUMNS, ROW_PTR, (4, 6, 1))
    with pytest.raises(TypeError, match="integers"):
        hurray.sparse_csr(VALUES, [0.5] * 8, ROW_PTR, (4, 6))
    with pytest.raises(ValueError, match="one dimension"):
        hurray.sparse_csr(DENSE, COLUMNS, ROW_PTR, (4, 6))


def test_parts_outlive_the_tensor() -> None:
    tensor = hurray.sparse_csr(VALUES.copy(), COLUMNS, ROW_PTR, (4, 6))
    matrix = tensor.to_scipy()
    tensor.close()
    del tensor
    np.testing.assert_array_equal(matrix.toarray(), DENSE)
