"""DLPack's table of C functions: the package's own, called from C, and those of other types."""

from __future__ import annotations

import gc
from typing import Any

import hurray
import numpy as np
import pytest
from conftest import NAME
from handmade import FLOAT32, Handmade, load


def floats() -> np.ndarray[Any, Any]:
    return np.arange(16, dtype=np.float32)


def test_the_types_table_is_of_the_current_release() -> None:
    capsule = hurray.Tensor.__dlpack_c_exchange_api__
    assert NAME(capsule) == b"dlpack_exchange_api"
    # No older table, and no bare DLTensor, which cannot say that memory is read-only.
    assert load().table_about(hurray.Tensor) == ((1, 3), False, False)


def test_export_from_c() -> None:
    array = floats().reshape(4, 4)
    tensor = hurray.from_numpy(array.T)
    seen = load().read(load().table_export(tensor))
    assert (seen["version"], seen["address"], seen["strides"]) == ((1, 3), array.ctypes.data, (1, 4))
    array.flags.writeable = False
    assert load().read(load().table_export(hurray.from_numpy(array)))["flags"] == 1
    with pytest.raises(BufferError, match="copy"):
        load().table_export(hurray.from_numpy(np.array([True])))
    tensor.close()
    with pytest.raises(BufferError, match="closed"):
        load().table_export(tensor)


def test_import_from_c() -> None:
    array = floats()
    tensor = load().table_import(hurray.Tensor, Handmade(array, (2, 8)).versioned())
    assert isinstance(tensor, hurray.Tensor)
    assert tensor.numpy().ctypes.data == array.ctypes.data
    capsule = Handmade(array, (2, 8), None, (200, 8, 1)).versioned()
    with pytest.raises(BufferError, match="type"):
        load().table_import(hurray.Tensor, capsule)
    # What fails stays the caller's.
    assert NAME(capsule) == b"dltensor_versioned"
    del tensor, capsule
    gc.collect()
    made, deleted = load().counts()
    assert made == deleted


def test_allocation_from_c() -> None:
    shapes: list[tuple[int, ...]] = [(2, 3), (), (0, 5), (1,) * 64]
    for shape in shapes:
        for dtype, name in ((FLOAT32, "float32"), ((4, 16, 1), "bfloat16"), ((0, 4, 1), "int4")):
            capsule = load().table_allocate(hurray.Tensor, shape, dtype, 1)
            tensor = hurray.from_dlpack(capsule)
            assert (tensor.shape, tensor.dtype.name) == (shape, name)
            if name == "float32":
                tensor.numpy()[...] = 1.5
    refused: list[tuple[tuple[int, ...], tuple[int, int, int], int, str]] = [
        ((2,), FLOAT32, 2, "host"),
        ((2, -1), FLOAT32, 1, "negative"),
        ((1 << 62, 8), FLOAT32, 1, "64 bits"),
        ((2,), (2, 32, 4), 1, "lanes"),
        ((2,), (6, 8, 1), 1, "copy"),
    ]
    for shape, dtype, device, why in refused:
        kind, text = load().table_allocate(hurray.Tensor, shape, dtype, device)
        assert kind == "BufferError"
        assert why in text
    kind, _ = load().table_allocate(hurray.Tensor, (1 << 50,), FLOAT32, 1)
    assert kind == "MemoryError"


def test_no_stream_is_worked_on() -> None:
    for device in (1, 2, 10):
        assert load().table_stream(hurray.Tensor, device, 0) == 0


class Quick(Handmade):
    """A type with a table: its ``__dlpack__`` is not needed."""

    __dlpack_c_exchange_api__ = load().table(1, None)

    def __dlpack__(self, **_: Any) -> Any:
        raise AssertionError("the table was there")


class Chained(Quick):
    __dlpack_c_exchange_api__ = load().table(2, load().table(1, None))


class Later(Handmade):
    __dlpack_c_exchange_api__ = load().table(2, None)


class Odd(Handmade):
    __dlpack_c_exchange_api__ = 4096


@pytest.mark.parametrize("kind", [Quick, Chained, Later, Odd])
def test_a_table_is_used_where_it_can_be(kind: type[Handmade]) -> None:
    array = floats()
    tensor = hurray.from_dlpack(kind(array, (4, 4), (1, 4)))
    np.testing.assert_array_equal(tensor.numpy(), array.reshape(4, 4).T)
    assert tensor.numpy().ctypes.data == array.ctypes.data
    tensor.numpy()[0, 0] = 5.0
    assert array[0] == 5.0


def test_what_fails_in_a_table_is_heard_and_released() -> None:
    class Broken(Quick):
        def versioned(self) -> Any:
            raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        hurray.from_dlpack(Broken(floats(), (4,)))
    for odd in (Quick(floats(), (4,), None, (200, 8, 1)), Quick(floats(), (4,), version=(3, 0))):
        with pytest.raises(BufferError):
            hurray.from_dlpack(odd)
    made, deleted = load().counts()
    assert made == deleted


def test_memory_of_a_device_goes_the_way_that_orders_streams() -> None:
    class Far(Quick):
        asked = 0

        def __dlpack__(self, **words: Any) -> Any:
            self.asked += 1
            return self.versioned()

    far = Far(4096, (4,), device=(2, 0))
    assert hurray.from_dlpack(far).device.kind == "cuda"
    assert far.asked == 1
