"""The class Tensor: made from bytes and their meaning, read, closed."""

from __future__ import annotations

import array as array_module
import copy
import gc
import mmap
import pickle
import weakref
from pathlib import Path
from typing import Any

import hurray
import numpy as np
import pytest


def test_bytes_with_a_type_and_a_shape() -> None:
    data = np.arange(6, dtype="<f4").tobytes()
    tensor = hurray.Tensor(data, hurray.float32, (2, 3))
    assert tensor.dtype is hurray.float32
    assert (tensor.shape, tensor.ndim, tensor.size, tensor.nbytes) == ((2, 3), 2, 6, 24)
    assert tensor.layout == hurray.RowMajorLayout()
    assert tensor.quantization is None
    assert tensor.device == hurray.device.cpu
    assert tensor.buffer_count == 1
    assert tensor.copies == ((),)
    np.testing.assert_array_equal(tensor.numpy(), [[0, 1, 2], [3, 4, 5]])


@pytest.mark.parametrize(
    "source",
    [
        bytes(24),
        bytearray(24),
        memoryview(bytes(24)),
        array_module.array("d", [0, 0, 0]),
        np.zeros(3),
        np.zeros((3, 1), order="F"),
        mmap.mmap(-1, 24),
    ],
    ids=lambda source: type(source).__name__,
)
def test_any_object_with_a_buffer(source: Any) -> None:
    tensor = hurray.Tensor(source, "float64", (3,))
    assert tensor.numpy().tolist() == [0, 0, 0]
    assert tensor.copied_bytes == 0


def test_the_memory_is_the_sources_own() -> None:
    source = bytearray(8)
    tensor = hurray.Tensor(source, "uint8", (8,))
    source[3] = 7
    assert tensor.numpy()[3] == 7
    tensor.numpy()[4] = 9
    assert source[4] == 9


def test_a_buffer_in_use_cannot_be_resized() -> None:
    source = bytearray(8)
    tensor = hurray.Tensor(source, "uint8", (8,))
    with pytest.raises(builtin_buffer_error()):
        source.extend(b"more")
    tensor.close()
    gc.collect()
    source.extend(b"more")


def builtin_buffer_error() -> type[Exception]:
    import builtins

    return builtins.BufferError


def test_byte_offset_is_where_index_zero_lies() -> None:
    data = np.arange(10, dtype=np.int16)
    tensor = hurray.Tensor(data, "int16", (2, 2), byte_offset=6)
    np.testing.assert_array_equal(tensor.numpy(), [[3, 4], [5, 6]])
    back = hurray.Tensor(data, "int16", (3,), layout=hurray.StridedLayout([-2]), byte_offset=18)
    np.testing.assert_array_equal(back.numpy(), [9, 7, 5])


def test_the_dtype_may_be_named_in_many_ways() -> None:
    for dtype in (hurray.int32, "int32", np.int32, np.dtype("int32"), hurray.int32.tag):
        assert hurray.Tensor(bytes(4), dtype, (1,)).dtype is hurray.int32
    for dtype in ("int33", "nothing"):
        with pytest.raises((ValueError, TypeError)):
            hurray.Tensor(bytes(4), dtype, (1,))
    with pytest.raises(hurray.InvalidDescriptorError):
        hurray.Tensor(bytes(4), 0x05, (1,))


def test_b66_shapes_are_integers() -> None:
    data = np.zeros(6, np.uint8)
    good: list[Any] = [(np.int64(2), np.uint8(3)), [2, 3], np.array([2, 3]), (2, 3)]
    for shape in good:
        assert hurray.Tensor(data, "uint8", shape).shape == (2, 3)
    assert hurray.Tensor(data, "uint8", 6).shape == (6,)
    bad: list[Any] = [(2, 3.0), (2, None), None, "6", (2, "3"), (True, 6), (np.True_, 6)]
    for shape in bad:
        with pytest.raises(TypeError):
            hurray.Tensor(data, "uint8", shape)
    with pytest.raises(OverflowError):
        hurray.Tensor(data, "uint8", (2**70,))
    with pytest.raises(ValueError, match="negative"):
        hurray.Tensor(data, "uint8", (-1,))


def test_b65_huge_shapes_are_refused_before_anything_is_made() -> None:
    data = np.zeros(8, np.uint8)
    for shape in ((2**32, 2**32), (2**63, 2), (2**61, 8), (2**64 - 2, 2**64 - 2)):
        with pytest.raises((hurray.InvalidDescriptorError, hurray.BufferError)):
            hurray.Tensor(data, "float32", shape)


def test_too_few_bytes_are_refused() -> None:
    with pytest.raises(hurray.BufferError, match="V-09") as caught:
        hurray.Tensor(bytes(23), "float32", (2, 3))
    assert caught.value.status == -17


def test_what_cannot_be_wrapped_says_so() -> None:
    with pytest.raises(TypeError, match="neither an array nor"):
        hurray.Tensor([1, 2], "uint8", (2,))
    with pytest.raises(hurray.BufferError, match="not contiguous"):
        hurray.Tensor(np.zeros((4, 4))[::2], "float64", (2, 4))
    with pytest.raises(hurray.UnsupportedError, match="host"):
        hurray.Tensor(bytes(4), "uint8", (4,), "cuda")
    with pytest.raises(hurray.UnsupportedError, match="byte order"):
        hurray.Tensor(np.zeros(2, ">f4" if np.little_endian else "<f4"), "float32", (2,))
    with pytest.raises(ValueError, match="byte_offset"):
        hurray.Tensor(bytes(4), "uint8", (4,), byte_offset=-1)
    with pytest.raises(ValueError, match="layout"):
        hurray.Tensor(bytes(4), "uint8", (4,), layout="diagonal")


def test_no_element_lies_before_the_callers_bytes() -> None:
    memory = np.zeros(256, np.uint8)
    start = (-memory.ctypes.data) % 64 + 32
    mine = memory[start : start + 8]
    with pytest.raises(ValueError, match=r"^[VL]-"):
        hurray.Tensor(mine, "uint8", (2,), layout=hurray.StridedLayout([-1]))
    ok = hurray.Tensor(mine, "uint8", (2,), layout=hurray.StridedLayout([-1]), byte_offset=1)
    assert ok.numpy().ctypes.data == mine.ctypes.data + 1


def test_buffers_are_arrays_of_bytes_without_lead() -> None:
    memory = np.zeros(200, np.uint8)
    start = (-memory.ctypes.data) % 64 + 5
    memory[start : start + 4] = [1, 2, 3, 4]
    tensor = hurray.from_numpy(memory[start : start + 4])
    assert tensor.byte_offset == 5
    assert tensor.buffer(0).tolist() == [1, 2, 3, 4]
    assert tensor.buffer(0).ctypes.data == memory.ctypes.data + start
    with pytest.raises(IndexError):
        tensor.buffer(1)


def test_sections_come_back_as_they_were_given() -> None:
    shard = hurray.Shard((4, 6), (2, 3))
    statistics = hurray.Statistics(nnz=5, mean=2.5, stddev=1.5, has_nan=False, has_inf=True)
    tensor = hurray.Tensor(bytes(24), "float32", (2, 3), shard=shard, statistics=statistics)
    assert tensor.shard == shard
    assert tensor.statistics == statistics
    assert tensor.extension_type is None
    there = hurray.from_hurray(tensor)
    assert (there.shard, there.statistics) == (shard, statistics)
    with pytest.raises(hurray.InvalidDescriptorError):
        hurray.Tensor(bytes(24), "float32", (2, 3), shard=hurray.Shard((4, 6), (3, 3)))


def test_private_types_carry_their_description() -> None:
    described = hurray.ExtensionType(16, is_float=True, sign_bits=1, exponent_bits=7, mantissa_bits=8)
    tensor = hurray.Tensor(bytes(8), 0xF0, (4,), extension_type=described)
    assert tensor.extension_type == described
    assert tensor.dtype.tag == 0xF0
    assert tensor.dtype.name == "private_f0"


def test_close_ends_the_tensor_at_once() -> None:
    array = np.arange(3.0)
    reference = weakref.ref(array)
    tensor = hurray.from_numpy(array)
    tensor.numpy()
    del array
    assert not tensor.closed
    tensor.close()
    gc.collect()
    assert reference() is None
    assert tensor.closed
    tensor.close()
    assert repr(tensor) == "<hurray.Tensor closed>"


@pytest.mark.parametrize(
    "use",
    [
        lambda t: t.shape,
        lambda t: t.dtype,
        lambda t: t.ndim,
        lambda t: t.size,
        lambda t: t.layout,
        lambda t: t.quantization,
        lambda t: t.device,
        lambda t: t.copies,
        lambda t: t.buffer(0),
        lambda t: t.part("values"),
        lambda t: t.numpy(),
        lambda t: np.asarray(t),
        lambda t: t.__hurray__(),
        lambda t: hurray.from_hurray(t),
        lambda t: t.__enter__(),
    ],
)
def test_using_a_closed_tensor_is_an_error(use: Any) -> None:
    tensor = hurray.from_numpy(np.arange(3.0))
    tensor.close()
    with pytest.raises(hurray.BufferError, match="closed"):
        use(tensor)


def test_a_with_block_closes() -> None:
    with hurray.from_numpy(np.arange(3.0)) as tensor:
        assert tensor.shape == (3,)
    assert tensor.closed


def test_the_printed_line() -> None:
    line = repr(hurray.from_numpy(np.zeros((2, 3), np.float32)))
    assert "\n" not in line
    for part in ("hurray.Tensor", "float32", "2, 3", "row_major", "cpu", "24 bytes"):
        assert part in line


def test_tensors_are_compared_by_identity_and_not_pickled() -> None:
    tensor = hurray.from_numpy(np.zeros(3))
    assert tensor != hurray.from_hurray(tensor)
    assert len({tensor, tensor}) == 1
    with pytest.raises(TypeError):
        pickle.dumps(tensor)
    with pytest.raises(TypeError):
        copy.deepcopy(tensor)


def test_tensors_can_be_referenced_weakly() -> None:
    tensor = hurray.from_numpy(np.zeros(3))
    reference = weakref.ref(tensor)
    assert reference() is tensor
    del tensor
    assert reference() is None


def test_a_memory_map_in_place_at_any_offset(tmp_path: Path) -> None:
    file = tmp_path / "weights"
    file.write_bytes(b"abc" + np.arange(5, dtype="<f4").tobytes())
    with file.open("rb") as opened:
        mapped = mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ)
    tensor = hurray.Tensor(mapped, "float32", (5,), byte_offset=3)
    np.testing.assert_array_equal(tensor.numpy(), [0, 1, 2, 3, 4])
    assert tensor.copied_bytes == 0
    with pytest.raises(builtin_buffer_error()):
        mapped.close()
    tensor.close()
    gc.collect()
    mapped.close()
