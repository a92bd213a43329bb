"""Arrays in and out: nothing copied unless it must be, and then it is said."""

from __future__ import annotations

import gc
import mmap
import sys
import weakref
from pathlib import Path
from typing import Any

import hurray
import ml_dtypes
import numpy as np
import numpy.typing as npt
import pytest

NATIVE = ["bool float16 float32 float64 int8 uint8 int16 uint16 int32 uint32 int64 uint64 complex64 complex128"][
    0
].split()


@pytest.mark.parametrize("name", [name for name in NATIVE if name != "bool"])
def test_every_type_of_numpy_that_the_format_has(name: str) -> None:
    array = np.arange(12).astype(name).reshape(3, 4)
    tensor = hurray.from_numpy(array)
    assert tensor.dtype == hurray.Dtype.from_name(name)
    assert tensor.copies == ((),)
    view = tensor.numpy()
    assert view.dtype == array.dtype
    assert view.ctypes.data == array.ctypes.data
    np.testing.assert_array_equal(view, array)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("bfloat16", ml_dtypes.bfloat16),
        ("float8_e4m3", ml_dtypes.float8_e4m3fn),
        ("float8_e5m2", ml_dtypes.float8_e5m2),
        ("float8_e8m0", ml_dtypes.float8_e8m0fnu),
    ],
)
def test_b36_types_that_ml_dtypes_adds_keep_their_identity(ours: str, theirs: Any) -> None:
    array = np.array([0.5, 1.0, 2.0], dtype=theirs)
    tensor = hurray.from_hurray(hurray.from_numpy(array))
    assert tensor.dtype.name == ours
    assert tensor.numpy().dtype == np.dtype(theirs)
    np.testing.assert_array_equal(tensor.numpy().astype(np.float32), [0.5, 1.0, 2.0])
    assert tensor.numpy(raw=True).dtype.kind == "u"
    np.testing.assert_array_equal(tensor.numpy(raw=True), array.view(np.uint8 if array.itemsize == 1 else np.uint16))


@pytest.mark.parametrize("name", ["float8_e4m3", "float8_e4m3fnuz", "float8_e5m2fnuz", "float8_e3m4"])
def test_other_narrow_floats_are_not_taken_for_the_formats(name: str) -> None:
    array = np.zeros(3, dtype=getattr(ml_dtypes, name))
    with pytest.raises(hurray.UnsupportedError, match="no element type"):
        hurray.from_numpy(array)


PACKED = ["int4", "uint4", "int2", "uint2", "float4_e2m1fn", "float6_e2m3fn", "float6_e3m2fn"]


@pytest.mark.parametrize("name", PACKED)
def test_packed_types_of_ml_dtypes_take_a_copy(name: str) -> None:
    array = np.arange(-2, 4).reshape(2, 3).clip(0 if name[0] == "u" else -2, 1).astype(getattr(ml_dtypes, name))
    with pytest.raises(hurray.CopyRequiredError):
        hurray.from_numpy(array, copy=False)
    for source in (array, array.T, array[:, ::-1], array[:0]):
        tensor = hurray.from_numpy(source)
        assert tensor.copies == (("packing",),)
        assert (tensor.shape, tensor.dtype.numpy) == (source.shape, array.dtype)
        with pytest.raises(hurray.CopyRequiredError, match="raw=True"):
            tensor.numpy(copy=False)
        there = tensor.numpy()
        assert there.dtype == array.dtype
        assert there.tobytes() == source.tobytes()


def test_packed_bytes() -> None:
    tensor = hurray.from_numpy(np.array([1, 2, 3], dtype=ml_dtypes.int4))
    np.testing.assert_array_equal(tensor.numpy(raw=True), [0x21, 0x03])
    codes = np.array([1, -2], ml_dtypes.int4)
    quantized = hurray.from_numpy(codes, quantization=hurray.PerTensorAffine(0.5))
    np.testing.assert_array_equal(quantized.numpy(), codes)
    assert quantized.quantization == hurray.PerTensorAffine(0.5)


@pytest.mark.parametrize("offset", [0, 1, 2, 3, 4, 7, 8, 15, 16, 31, 33, 48, 63])
def test_b29_any_alignment_is_wrapped_in_place(offset: int) -> None:
    memory = np.zeros(64 * 4, np.uint8)
    start = (-memory.ctypes.data) % 64 + offset
    array = memory[start : start + 6 * 8].view(np.float64).reshape(2, 3)
    array[...] = np.arange(6).reshape(2, 3)
    tensor = hurray.from_numpy(array)
    view = tensor.numpy()
    assert tensor.copies == ((),)
    assert view.ctypes.data == array.ctypes.data
    assert view.flags.aligned == (offset % 8 == 0)
    np.testing.assert_array_equal(view, [[0, 1, 2], [3, 4, 5]])
    view[1, 1] = 40
    assert array[1, 1] == 40


def strided_cases() -> list[tuple[str, npt.NDArray[Any]]]:
    base = np.arange(60, dtype=np.int32).reshape(3, 4, 5)
    return [
        ("transposed", base.T),
        ("axes swapped", base.transpose(1, 0, 2)),
        ("every other", base[::2, ::3, ::2]),
        ("reversed", base[::-1, :, ::-1]),
        ("column slice", np.arange(6).reshape(2, 3)[:, 0:2]),
        ("broadcast", np.broadcast_to(np.arange(3.0), (4, 3))),
        ("field of records", np.zeros(4, dtype=[("a", "f4"), ("b", "f4")])["b"]),
        ("diagonal", np.arange(16.0).reshape(4, 4).diagonal()),
    ]


@pytest.mark.parametrize(("_name", "array"), strided_cases(), ids=[name for name, _ in strided_cases()])
def test_b13_b18_b39_strides_of_every_sign_are_kept(_name: str, array: npt.NDArray[Any]) -> None:
    tensor = hurray.from_hurray(hurray.from_numpy(array))
    assert tensor.copies == ((),)
    np.testing.assert_array_equal(tensor.numpy(), array)
    assert tensor.numpy().ctypes.data == array.ctypes.data
    assert tensor.numpy().strides == array.strides


def test_b39_fortran_order_is_column_major() -> None:
    array = np.asfortranarray(np.arange(32_000.0).reshape(1000, 32))
    tensor = hurray.from_numpy(array)
    assert tensor.layout == hurray.ColMajorLayout()
    np.testing.assert_array_equal(tensor.numpy(), array)


def test_strides_that_are_not_whole_elements_are_copied() -> None:
    records = np.zeros(4, dtype=np.dtype([("a", "u1"), ("b", "<f4")]))
    records["b"] = [1, 2, 3, 4]
    array = records["b"]
    assert array.strides == (5,)
    tensor = hurray.from_numpy(array)
    assert tensor.copies == (("alignment",),)
    assert tensor.copied_bytes == 16
    np.testing.assert_array_equal(tensor.numpy(), [1, 2, 3, 4])
    with pytest.raises(hurray.CopyRequiredError):
        hurray.from_numpy(array, copy=False)


@pytest.mark.parametrize(("shape", "strides"), [((1, 77), (77, 1)), ((1024, 1), (1, 1024))])
def test_b11_strides_of_unit_dimensions(shape: tuple[int, ...], strides: tuple[int, ...]) -> None:
    array = np.lib.stride_tricks.as_strided(np.arange(2000.0), shape, [8 * stride for stride in strides])
    tensor = hurray.from_numpy(array)
    assert tensor.copies == ((),)
    np.testing.assert_array_equal(tensor.numpy(), array)


def test_b10_strides_on_unit_dimensions_mean_nothing() -> None:
    memory = np.arange(12, dtype=np.int32)
    array = np.lib.stride_tricks.as_strided(memory, (1, 3, 1, 4, 1), (0, 16, 0, 4, 3))
    tensor = hurray.from_numpy(array)
    assert tensor.copies == ((),)
    np.testing.assert_array_equal(tensor.numpy().reshape(3, 4), memory.reshape(3, 4))


@pytest.mark.parametrize("shape", [(0,), (3, 0, 5), (1, 8, 0, 128), (0, 2048)])
def test_b08_b09_empty_arrays(shape: tuple[int, ...]) -> None:
    tensor = hurray.from_hurray(hurray.from_numpy(np.zeros(shape, np.float32)))
    assert tensor.shape == shape
    assert tensor.size == 0
    assert tensor.numpy().shape == shape


def test_b16_rank_zero() -> None:
    array = np.array(2.5)
    tensor = hurray.from_hurray(hurray.from_numpy(array))
    assert (tensor.ndim, tensor.shape, tensor.size) == (0, (), 1)
    assert tensor.numpy().shape == ()
    assert tensor.numpy()[()] == 2.5


def test_rank_64_is_the_bound() -> None:
    tensor = hurray.from_numpy(np.zeros((1,) * 32))
    assert tensor.numpy().shape == (1,) * 32
    wide = hurray.Tensor(np.zeros(1), "float64", (1,) * 64)
    assert wide.ndim == 64
    with pytest.raises(hurray.InvalidDescriptorError):
        hurray.Tensor(np.zeros(1), "float64", (1,) * 65)


@pytest.mark.parametrize("code", [">u4", ">f8", ">i2", ">c8"])
def test_b41_big_endian_is_turned_round_in_a_copy(code: str) -> None:
    if sys.byteorder != "little":
        code = code.replace(">", "<")
    array = np.arange(6).astype(code)
    tensor = hurray.from_numpy(array)
    assert tensor.copies == (("packing",),)
    np.testing.assert_array_equal(tensor.numpy(), np.arange(6))
    assert tensor.numpy().dtype.isnative
    with pytest.raises(hurray.CopyRequiredError, match="from_numpy"):
        hurray.from_numpy(array, copy=False)


def test_truth_values_are_packed_lowest_bit_first() -> None:
    array = np.array([[True, False, True, True, False], [False, True, False, False, True]])
    tensor = hurray.from_numpy(array)
    assert tensor.dtype.name == "bool"
    assert tensor.copies == (("packing",),)
    # Elements 0, 2, 3, 6 and 9 are true.
    np.testing.assert_array_equal(tensor.numpy(raw=True), [0b0100_1101, 0b0000_0010])
    np.testing.assert_array_equal(tensor.numpy(), array)
    assert tensor.numpy().dtype == np.bool_
    with pytest.raises(hurray.CopyRequiredError):
        hurray.from_numpy(array, copy=False)
    with pytest.raises(hurray.CopyRequiredError):
        tensor.numpy(copy=False)


@pytest.mark.parametrize(
    "array",
    [
        np.array([1, "x", None], dtype=object),
        np.array(["a", "b"]),
        np.zeros(2, dtype="M8[s]"),
        np.zeros(2, dtype=[("a", "i4")]),
        np.zeros(2, dtype=np.longdouble),
        np.zeros(2, dtype="S3"),
    ],
    ids=lambda array: str(array.dtype),
)
def test_types_that_the_format_lacks(array: npt.NDArray[Any]) -> None:
    with pytest.raises(hurray.UnsupportedError, match="astype"):
        hurray.from_numpy(array)


def test_a_mask_is_not_lost_silently() -> None:
    masked = np.ma.masked_array([1.0, 2.0], mask=[True, False])
    with pytest.raises(hurray.UnsupportedError, match="mask"):
        hurray.from_numpy(masked)


def test_subclasses_come_in_as_their_arrays() -> None:
    matrix = np.arange(4.0).reshape(2, 2).view(np.recarray)
    tensor = hurray.from_numpy(matrix)
    assert type(tensor.numpy()) is np.ndarray
    assert tensor.numpy().ctypes.data == matrix.ctypes.data


def test_what_is_no_array_is_a_type_error() -> None:
    for what in ([1, 2], b"bytes", 3.0, None):
        with pytest.raises(TypeError, match="asarray"):
            hurray.from_numpy(what)


def test_read_only_never_becomes_writable() -> None:
    array = np.arange(6.0)
    array.flags.writeable = False
    tensor = hurray.from_numpy(array)
    for one in (tensor, hurray.from_hurray(tensor), hurray.from_hurray(hurray.from_hurray(tensor))):
        for view in (one.numpy(), np.asarray(one), one.numpy(raw=True), one.buffer(0)):
            assert not view.flags.writeable
            with pytest.raises(ValueError, match="read-only"):
                view[0] = 1
            with pytest.raises(ValueError, match="WRITEABLE"):
                view.flags.writeable = True
    assert tensor.numpy(copy=True).flags.writeable


def test_b02_writable_stays_writable() -> None:
    array = np.zeros(3)
    view = hurray.from_hurray(hurray.from_numpy(array)).numpy()
    view[1] = 5
    assert array[1] == 5


def test_read_only_buffers(tmp_path: Path) -> None:
    file = tmp_path / "data"
    file.write_bytes(np.arange(4, dtype=np.float32).tobytes())
    with file.open("rb") as opened:
        mapped = mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ)
    for source in (bytes(16), memoryview(bytearray(16)).toreadonly(), mapped):
        assert not hurray.Tensor(source, "float32", (4,)).numpy().flags.writeable
    assert hurray.Tensor(bytearray(16), "float32", (4,)).numpy().flags.writeable


def test_copy_true_copies_and_says_so() -> None:
    array = np.arange(6.0).reshape(2, 3)
    array.flags.writeable = False
    tensor = hurray.from_numpy(array, copy=True)
    assert tensor.copies == (("request",),)
    assert tensor.copied_bytes == 48
    assert tensor.numpy().ctypes.data != array.ctypes.data
    assert tensor.numpy().flags.writeable
    assert sys.getrefcount(array) == 2


def test_copy_false_is_enough_where_nothing_needs_a_copy() -> None:
    array = np.arange(60).reshape(3, 4, 5)[::-1, ::2]
    assert hurray.from_numpy(array, copy=False).numpy().ctypes.data == array.ctypes.data


def test_the_array_protocol() -> None:
    array = np.arange(6, dtype=np.float32)
    tensor = hurray.from_numpy(array)
    assert np.asarray(tensor).ctypes.data == array.ctypes.data
    assert np.array(tensor, copy=False).ctypes.data == array.ctypes.data
    assert np.array(tensor, copy=True).ctypes.data != array.ctypes.data
    wide = np.asarray(tensor, dtype=np.float64)
    assert wide.dtype == np.float64
    np.testing.assert_array_equal(wide, array)
    with pytest.raises(ValueError, match="copy"):
        tensor.__array__(np.float64, copy=False)
    np.testing.assert_array_equal(np.add(tensor, 1), array + 1)


def test_b94_a_view_outlives_the_tensor_and_its_closing() -> None:
    array = np.arange(6.0)
    reference = weakref.ref(array)
    tensor = hurray.from_numpy(array)
    first = tensor.numpy()
    part = first[2:4]
    tensor.close()
    del array, first
    gc.collect()
    np.testing.assert_array_equal(part, [2, 3])
    assert reference() is not None
    del part
    gc.collect()
    assert reference() is None


def test_views_of_one_tensor_share_one_hold_on_it() -> None:
    tensor = hurray.from_numpy(np.arange(6.0))
    before = hurray.live_handles()
    views = [tensor.numpy() for _ in range(100)]
    assert hurray.live_handles() == before + 1
    del views
    tensor.close()


def test_asarray_takes_what_holds_an_array() -> None:
    array = np.arange(4.0)
    tensor = hurray.from_numpy(array)
    assert hurray.asarray(tensor) is tensor
    assert hurray.asarray(array).numpy().ctypes.data == array.ctypes.data
    assert hurray.asarray([[1, 2], [3, 4]], dtype=hurray.float32).dtype == hurray.float32
    assert hurray.asarray(bytearray(b"abc")).numpy().tolist() == [97, 98, 99]
    assert hurray.asarray(tensor, copy=True).copies == (("request",),)
    assert hurray.asarray(tensor, dtype="int8").numpy().tolist() == [0, 1, 2, 3]
    with pytest.raises(hurray.CopyRequiredError):
        hurray.asarray(tensor, dtype="int8", copy=False)
    with pytest.raises(hurray.CopyRequiredError):
        hurray.asarray([1, 2], copy=False)
    with pytest.raises(hurray.UnsupportedError):
        hurray.asarray(array, device="cuda")
