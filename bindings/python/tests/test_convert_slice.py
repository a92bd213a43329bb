"""Parts of tensors and statistics, against numpy."""

from __future__ import annotations

from typing import Any

import hurray
import numpy as np
import pytest
import scipy.sparse as sparse  # type: ignore[import-untyped]


def slices(random: np.random.Generator, shape: tuple[int, ...]) -> tuple[Any, ...]:
    found: list[Any] = []
    for n in shape:
        start, stop = (None if random.random() < 0.3 else int(end) for end in random.integers(-n - 2, n + 3, 2))
        found.append(slice(start, stop, int(random.choice([-3, -2, -1, 1, 2, 3]))))
    return tuple(found)


def test_random_parts_of_arrays_are_shares() -> None:
    random = np.random.default_rng(1)
    for _ in range(100):
        shape = tuple(int(n) for n in random.integers(0, 6, random.integers(1, 5)))
        array = np.arange(np.prod(shape), dtype=np.int32).reshape(shape)
        for source in (array, np.asfortranarray(array), array[..., ::-1]):
            key = slices(random, shape)
            part = hurray.from_numpy(source)[key]
            np.testing.assert_array_equal(part.numpy(), source[key])
            assert part.converted_bytes == 0
            if source[key].size:
                assert np.shares_memory(part.numpy(), source)


def test_parts_of_other_layouts_are_copies() -> None:
    random = np.random.default_rng(2)
    array = np.arange(48, dtype=np.float32).reshape(6, 8)
    for layout in (hurray.TiledLayout([2, 3]), hurray.MortonLayout([3, 3])):
        tensor = hurray.from_numpy(array).to_layout(layout)
        for _ in range(20):
            key = slices(random, array.shape)
            part = tensor[key]
            np.testing.assert_array_equal(part.contiguous().numpy(), array[key])
        with pytest.raises(hurray.CopyRequiredError):
            tensor.slice((slice(1, 3), ...), copy=False)


def test_keys() -> None:
    array = np.arange(24).reshape(2, 3, 4)
    tensor = hurray.from_numpy(array)
    for key in (..., slice(1, 2), (slice(1), ...), (..., slice(1, 3)), (slice(1), ..., slice(2)), ()):
        np.testing.assert_array_equal(tensor[key].numpy(), array[key])
    copied = tensor.slice(slice(1), copy=True)
    assert copied.converted_bytes == 96
    assert not np.shares_memory(copied.numpy(), array)
    with pytest.raises(TypeError, match="keeps the dimension"):
        tensor[1]
    with pytest.raises(TypeError):
        next(iter(tensor))
    for wrong in ((slice(1),) * 4, (..., ...)):
        with pytest.raises(IndexError):
            tensor[wrong]
    with pytest.raises(ValueError, match="zero"):
        tensor[::0]
    scalar = hurray.from_numpy(np.array(2.5))
    assert scalar[...].numpy()[()] == 2.5


@pytest.mark.parametrize("layout", [hurray.TiledLayout([2, 2]), hurray.MortonLayout([2, 3]), "column_major"])
def test_the_whole_and_nothing_are_shared_whatever_the_layout(layout: hurray.Layout | str) -> None:
    array = np.arange(24, dtype=np.float32).reshape(4, 6)
    tensor = hurray.from_numpy(array).to_layout(layout)
    whole = tensor.slice(np.s_[:, 0:6], copy=False)
    assert (whole.layout, whole.converted_bytes) == (tensor.layout, 0)
    assert np.shares_memory(whole.buffer(0), tensor.buffer(0))
    nothing = tensor.slice(np.s_[2:2], copy=False)
    assert (nothing.shape, nothing.converted_bytes) == ((0, 6), 0)
    copied = tensor.slice(np.s_[:], copy=True)
    assert copied.converted_bytes == 96
    np.testing.assert_array_equal(copied.numpy(), array)
    if layout != "column_major":
        with pytest.raises(hurray.CopyRequiredError):
            tensor.slice(np.s_[1:], copy=False)


def test_packed_elements() -> None:
    codes = np.arange(-8, 8, dtype=np.int8)
    tensor = hurray.from_numpy(codes).pack("int4")
    for key in (slice(2, 8), slice(1, 6), slice(None, None, -1), slice(3, 15, 4)):
        np.testing.assert_array_equal(tensor[key].unpack().numpy(), codes[key])


@pytest.mark.parametrize("name", ["int8", "uint16", "int64", "float16", "float32", "float64"])
def test_statistics(name: str) -> None:
    random = np.random.default_rng(3)
    array = np.where(random.random((30, 40)) < 0.3, 0, random.standard_normal((30, 40)) * 50).astype(name)
    source = hurray.from_numpy(array)
    assert source.statistics is None
    tensor = source.with_statistics()
    assert np.shares_memory(tensor.numpy(), array)
    found = tensor.statistics
    assert found is not None
    wide = array.astype(np.float64)
    assert found.nnz == np.count_nonzero(array)
    assert found.sparsity_ratio == pytest.approx(1 - np.count_nonzero(array) / array.size)
    assert (found.value_min, found.value_max) == (wide.min(), wide.max())
    assert found.value_abs_max == np.abs(wide).max()
    assert found.mean == pytest.approx(wide.mean())
    assert found.stddev == pytest.approx(wide.std())


def test_statistics_of_what_is_not_stored() -> None:
    dense = np.diag([1.0, -2.0, 3.0, 0.0])
    found = hurray.from_scipy(sparse.csr_array(dense)).with_statistics().statistics
    assert found is not None
    assert (found.nnz, found.value_min, found.value_max) == (3, -2.0, 3.0)
    assert found.mean == pytest.approx(dense.mean())
    odd = hurray.from_numpy(np.array([1.0, np.nan, np.inf])).with_statistics().statistics
    assert odd is not None
    assert odd.has_nan
    assert odd.has_inf
