"""DLPack with numpy and JAX (and torch where it is installed), both ways; keywords, lifetimes, threads."""

from __future__ import annotations

import enum
import gc
import importlib
import importlib.util
import threading
import weakref
from collections.abc import Callable
from typing import Any

import hurray
import jax
import ml_dtypes
import numpy as np
import pytest
from conftest import NAME
from handmade import load

jax.config.update("jax_enable_x64", True)  # type: ignore[no-untyped-call]

COMMON = [
    *("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"),
    *("float16", "float32", "float64", "complex64", "complex128"),
]
NARROW = ["bfloat16", "float8_e4m3fn", "float8_e5m2", "float8_e8m0fnu"]


def numpy_dtype(name: str) -> np.dtype[Any]:
    return np.dtype(getattr(ml_dtypes, name) if name in NARROW else name)


def values(name: str, shape: tuple[int, ...] = (3, 4)) -> np.ndarray[Any, Any]:
    return np.arange(1, 1 + np.prod(shape), dtype=np.float32).reshape(shape).astype(numpy_dtype(name))


CONSUMERS: dict[str, Callable[[Any], Any]] = {"numpy": np.from_dlpack, "jax": jax.numpy.from_dlpack}
PRODUCERS: dict[str, Callable[[Any], Any]] = {"numpy": np.asarray, "jax": jax.numpy.asarray}
if importlib.util.find_spec("torch"):
    torch = importlib.import_module("torch")
    CONSUMERS["torch"], PRODUCERS["torch"] = torch.from_dlpack, torch.from_numpy


@pytest.mark.parametrize("consumer", CONSUMERS)
@pytest.mark.parametrize("name", COMMON)
def test_every_common_type_goes_out(consumer: str, name: str) -> None:
    array = values(name)
    there = CONSUMERS[consumer](hurray.from_numpy(array))
    assert np.asarray(there).dtype == array.dtype
    np.testing.assert_array_equal(np.asarray(there), array)


@pytest.mark.parametrize("producer", PRODUCERS)
@pytest.mark.parametrize("name", COMMON)
def test_every_common_type_comes_in(producer: str, name: str) -> None:
    array = values(name)
    tensor = hurray.from_dlpack(PRODUCERS[producer](array))
    assert tensor.dtype.numpy == array.dtype
    assert tensor.shape == array.shape
    np.testing.assert_array_equal(tensor.numpy(), array)


@pytest.mark.parametrize("name", NARROW)
def test_narrow_floats_cross_with_jax(name: str) -> None:
    array = values(name)
    tensor = hurray.from_dlpack(jax.numpy.asarray(array))
    assert tensor.numpy().dtype == array.dtype
    np.testing.assert_array_equal(tensor.numpy(), array)
    there = np.asarray(jax.numpy.from_dlpack(hurray.from_numpy(array)))
    assert there.dtype == array.dtype
    np.testing.assert_array_equal(there, array)


SHAPES: list[np.ndarray[Any, Any]] = [
    np.arange(24.0).reshape(2, 3, 4),
    np.arange(24.0).reshape(2, 3, 4).T,
    np.arange(24.0).reshape(4, 6)[::2, 1::2],
    np.arange(10.0)[::-1],
    np.broadcast_to(np.arange(3.0), (4, 3)),
    np.array(2.5),
    np.zeros((1, 8, 0, 128)),
    np.zeros((0, 2048)),
    np.arange(6.0).reshape(1, 3, 1, 2, 1),
]


@pytest.mark.parametrize("array", SHAPES, ids=lambda array: f"{array.shape}-{array.strides}")
def test_shapes_and_strides_go_both_ways_with_numpy(array: np.ndarray[Any, Any]) -> None:
    tensor = hurray.from_dlpack(array)
    assert tensor.shape == array.shape
    np.testing.assert_array_equal(tensor.numpy(), array)
    back = np.from_dlpack(tensor)
    assert back.shape == array.shape
    np.testing.assert_array_equal(back, array)
    if array.size:
        assert back.ctypes.data == array.ctypes.data
        wanted = [(n, stride) for n, stride in zip(array.shape, array.strides, strict=True) if n > 1]
        assert [(n, stride) for n, stride in zip(back.shape, back.strides, strict=True) if n > 1] == wanted


def test_memory_is_shared_both_ways() -> None:
    array = np.arange(6.0)
    tensor = hurray.from_dlpack(array)
    array[1] = 70.0
    assert tensor.numpy()[1] == 70.0
    tensor.numpy()[2] = 80.0
    assert array[2] == 80.0
    assert np.from_dlpack(tensor).ctypes.data == array.ctypes.data
    assert tensor.copies == ((),)
    there = jax.numpy.from_dlpack(tensor)
    np.testing.assert_array_equal(np.asarray(there), array)


def test_b20_truth_values_cross_by_an_explicit_copy() -> None:
    array = np.array([[True, False, True], [False, False, True]])
    for source in (array, jax.numpy.asarray(array)):
        with pytest.raises(hurray.CopyRequiredError):
            hurray.from_dlpack(source)
        with pytest.raises(BufferError):
            hurray.from_dlpack(source, copy=False)
        tensor = hurray.from_dlpack(source, copy=True)
        assert (tensor.dtype, tensor.nbytes) == (hurray.bool, 1)
        np.testing.assert_array_equal(tensor.numpy(), array)
        assert hurray.asarray(source).dtype == hurray.bool
        with pytest.raises(BufferError, match="copy"):
            np.from_dlpack(tensor)
        back = np.from_dlpack(tensor, copy=True)
        assert back.dtype == np.bool_
        np.testing.assert_array_equal(back, array)


def test_b01_read_only_memory_needs_a_consumer_that_knows_of_it() -> None:
    array = np.arange(3.0)
    array.flags.writeable = False
    tensor = hurray.from_numpy(array)
    there = np.from_dlpack(tensor)
    assert not there.flags.writeable
    assert load().read(tensor.__dlpack__(max_version=(1, 0)))["flags"] == 1
    for version in (None, (0, 8)):
        with pytest.raises(BufferError, match="read-only") as caught:
            tensor.__dlpack__(max_version=version)
        assert isinstance(caught.value, hurray.UnsupportedError)
        assert not isinstance(caught.value, TypeError)
        assert NAME(tensor.__dlpack__(max_version=version, copy=True)) == b"dltensor"
    assert tensor.numpy()[2] == 2.0


def test_b02_what_may_be_written_to() -> None:
    array = np.arange(3.0)
    hurray.from_dlpack(array).numpy()[0] = 9.0
    assert array[0] == 9.0
    array.flags.writeable = False
    assert not hurray.from_dlpack(array).numpy().flags.writeable
    # JAX exports the unversioned struct, which does not say.
    assert not hurray.from_dlpack(jax.numpy.arange(3.0)).numpy().flags.writeable


def test_the_capsule_is_the_one_that_the_consumer_knows() -> None:
    tensor = hurray.from_numpy(np.zeros((2, 3), np.int16))
    for version, name in ((None, b"dltensor"), ((0, 5), b"dltensor"), ((1, 0), b"dltensor_versioned"), ((7, 0), None)):
        capsule = tensor.__dlpack__(max_version=version)
        assert NAME(capsule) == (name or b"dltensor_versioned")
        seen = load().read(capsule)
        assert seen["version"] == (None if name == b"dltensor" else (1, 3))
        assert (seen["shape"], seen["strides"], seen["dtype"]) == ((2, 3), (3, 1), (0, 16, 1))
        assert (seen["device"], seen["byte_offset"], seen["flags"]) == ((1, 0), 0, 0)
    with pytest.raises(TypeError):
        tensor.__dlpack__(None)  # type: ignore[call-arg]


def test_copies() -> None:
    array = np.arange(12.0).reshape(3, 4)[:, ::2]
    tensor = hurray.from_numpy(array)
    for version in (None, (1, 3)):
        seen = load().read(tensor.__dlpack__(max_version=version, copy=True))
        assert seen["address"] != array.ctypes.data
        assert (seen["strides"], seen["flags"]) == ((2, 1), 0 if version is None else 2)
        assert load().read(tensor.__dlpack__(max_version=version, copy=False))["address"] == array.ctypes.data
    there = np.from_dlpack(tensor, copy=True)
    assert not np.shares_memory(there, array)
    for source in (array, jax.numpy.asarray(array), tensor):
        one = hurray.from_dlpack(source, copy=True)
        assert not np.shares_memory(one.numpy(), np.asarray(source))
        assert one.copies == (("request",),)
        np.testing.assert_array_equal(one.numpy(), array)
    assert np.shares_memory(hurray.from_dlpack(array, copy=False).numpy(), array)


def test_a_share_is_never_said_to_be_the_consumers_own() -> None:
    # The elements were turned round in a copy when the tensor was made; the tensor still has that copy.
    tensor = hurray.from_numpy(np.arange(3, dtype=">i4"))
    assert tensor.copies == (("packing",),)
    assert load().read(tensor.__dlpack__(max_version=(1, 3)))["flags"] == 0


def test_devices() -> None:
    tensor = hurray.from_numpy(np.arange(3.0))
    assert tensor.__dlpack_device__() == (1, 0)

    class DLDeviceType(enum.IntEnum):
        kDLCPU = 1
        kDLCUDA = 2

    assert load().read(tensor.__dlpack__(dl_device=(DLDeviceType.kDLCPU, 0)))["device"] == (1, 0)
    with pytest.raises(BufferError, match="host"):
        tensor.__dlpack__(dl_device=(DLDeviceType.kDLCUDA, 0))
    for device in ("cpu", hurray.device.cpu):
        assert hurray.from_dlpack(np.arange(3.0), device=device).shape == (3,)
    with pytest.raises(BufferError, match="cuda"):
        hurray.from_dlpack(np.arange(3.0), device="cuda")
    assert np.from_dlpack(tensor, device="cpu")[1] == 1.0


def test_b28_memory_of_the_host_has_no_stream() -> None:
    tensor = hurray.from_numpy(np.arange(3.0))
    for stream in (None, -1):
        assert NAME(tensor.__dlpack__(stream=stream)) == b"dltensor"
    for other in (0, 1, 2, 1 << 63, -2, "main"):
        with pytest.raises(BufferError, match="stream"):
            tensor.__dlpack__(stream=other)


def test_what_dlpack_cannot_carry_says_why() -> None:
    codes = hurray.from_numpy(np.zeros((2, 2), np.int8), quantization=hurray.PerTensorAffine(0.5, 3))
    tiled = hurray.Tensor(bytes(16), "uint8", (4, 4), layout=hurray.TiledLayout([2, 2]))
    rows = hurray.sparse_csr(np.ones(1), [0], [0, 1], shape=(1, 1))
    for tensor, why in ((codes, "quantization"), (tiled, "row-major"), (rows, "strides")):
        with pytest.raises(BufferError, match=why) as caught:
            tensor.__dlpack__(max_version=(1, 3))
        assert isinstance(caught.value, hurray.DLPackError)
    closed = hurray.from_numpy(np.zeros(2))
    closed.close()
    for call in (closed.__dlpack__, closed.__dlpack_device__):
        with pytest.raises(BufferError, match="closed"):
            call()


def test_b22_failing_exports_leave_nothing() -> None:
    tensor = hurray.from_numpy(np.array([True]))
    handles = hurray.live_handles()
    for _ in range(10_000):
        with pytest.raises(BufferError):
            tensor.__dlpack__(max_version=(1, 3))
    assert hurray.live_handles() == handles


@pytest.mark.parametrize("version", [None, (1, 3)])
def test_b23_a_capsule_that_nobody_consumes_releases_its_share(version: tuple[int, int] | None) -> None:
    array = np.arange(3.0)
    reference = weakref.ref(array)
    capsule = hurray.from_numpy(array).__dlpack__(max_version=version)
    del array
    gc.collect()
    assert reference() is not None
    del capsule
    gc.collect()
    assert reference() is None


def test_lifetimes_through_three_libraries() -> None:
    array = np.arange(4.0)
    reference = weakref.ref(array)
    there = np.from_dlpack(hurray.from_dlpack(np.from_dlpack(hurray.from_dlpack(array))))
    del array
    gc.collect()
    assert reference() is not None
    np.testing.assert_array_equal(there, np.arange(4.0))
    del there
    gc.collect()
    assert reference() is None


def test_b24_many_threads_import_from_one_array() -> None:
    array = np.arange(12.0)
    reference = weakref.ref(array)
    shared: list[Any] = [array, hurray.from_numpy(array)]
    wrong: list[object] = []

    def work() -> None:
        for _ in range(250):
            for source in shared:
                if hurray.from_dlpack(source).numpy()[5] != 5.0 or np.from_dlpack(shared[1])[5] != 5.0:
                    wrong.append(source)

    threads = [threading.Thread(target=work) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    shared.clear()
    del array
    gc.collect()
    assert reference() is None


def test_objects_that_export_nothing_are_type_errors() -> None:
    for what in (3, None, [1.0]):
        with pytest.raises(TypeError, match="__dlpack__"):
            hurray.from_dlpack(what)
