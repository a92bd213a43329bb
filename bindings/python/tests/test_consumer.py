"""A C++ extension, built against the installed wheel alone, reads what Python hands to it; and the reverse."""

from __future__ import annotations

import ctypes
import gc
import struct
import zlib
from collections.abc import Iterable
from typing import Any

import hurray
import ml_dtypes
import numpy as np
import numpy.typing as npt
import pytest
import scipy.sparse as sparse  # type: ignore[import-untyped]
from conftest import NAME, NEW, USED, Exporter


def crc32(parts: Iterable[bytes]) -> int:
    return zlib.crc32(b"".join(parts))


def arrays() -> list[npt.NDArray[Any]]:
    base = np.arange(120, dtype=np.int32).reshape(4, 5, 6)
    odd = np.zeros(101, np.uint8)
    return [
        base,
        base.T,
        np.asfortranarray(base),
        base[::2, ::-1, 1::2],
        base[:0],
        np.broadcast_to(np.arange(3.0), (4, 3)),
        np.array(2.5),
        odd[1:].view(np.float32),
        odd[3:43].view(np.complex64),
        np.arange(7).astype(np.float16),
        np.arange(7).astype(ml_dtypes.bfloat16),
        np.arange(7).astype(ml_dtypes.float8_e5m2),
    ]


@pytest.mark.parametrize("array", arrays(), ids=lambda array: f"{array.dtype}-{array.shape}-{array.strides}")
def test_elements_arrive_in_place(cpp: Any, array: npt.NDArray[Any]) -> None:
    tensor = hurray.from_numpy(array)
    seen = cpp.inspect(tensor)
    assert seen["abi_version"] == 10
    assert seen["element_type"] == tensor.dtype.name
    assert tuple(seen["shape"]) == array.shape
    assert seen["layout"] == tensor.layout.name
    assert seen["nbytes"] == array.nbytes
    assert seen["checksum"] == crc32([array.tobytes()])
    (buffer,) = seen["buffers"]
    assert buffer["read_only"] == (not array.flags.writeable)
    assert buffer["copied"] == []
    if array.size:
        lowest = array.__array_interface__["data"][0]
        lowest += sum(min(0, stride * (n - 1)) for stride, n in zip(array.strides, array.shape, strict=True))
        assert buffer["address"] + buffer["lead"] == lowest


def test_truth_values_arrive_packed(cpp: Any) -> None:
    seen = cpp.inspect(hurray.from_numpy(np.array([True, False, True, True])))
    assert seen["element_type"] == "bool"
    assert seen["checksum"] == crc32([b"\x0d"])
    assert seen["buffers"][0]["copied"] == ["packing"]


def test_codes_scales_and_zero_points_arrive(cpp: Any) -> None:
    codes = np.array([[10, -20, 30], [4, 5, -6]], np.int8)
    scales, zero_points = np.array([0.5, 0.25], np.float32), np.array([1, -2], np.int32)
    scheme = hurray.PerChannelAffine.asymmetric(0)
    seen = cpp.inspect(hurray.from_numpy(codes, quantization=scheme, aux_buffers=[scales, zero_points]))
    assert seen["quantization"]["scheme"] == "per_channel_affine"
    assert seen["quantization"]["axis"] == 0
    assert seen["quantization"]["zero_point_buffer"] == 2
    assert seen["checksum"] == crc32([codes.tobytes(), scales.tobytes(), zero_points.tobytes()])
    assert seen["dequantized"] == ((1, 2), 0.25 * (-6 + 2))
    seen = cpp.inspect(hurray.from_numpy(codes, quantization=hurray.PerTensorAffine(0.5, 3)))
    assert seen["quantization"]["scale"] == 0.5
    assert seen["dequantized"] == ((1, 2), 0.5 * (-6 - 3))


@pytest.mark.parametrize("kind", ["csr", "csc"])
def test_sparse_parts_arrive(cpp: Any, kind: str) -> None:
    dense = np.array([[0, 0, 1.5], [2.5, 0, 0], [0, 0, 0], [0, 3.5, -1]])
    matrix = getattr(sparse, f"{kind}_array")(dense)
    seen = cpp.inspect(hurray.from_scipy(matrix))
    words = [matrix.indices.astype("<u8").tobytes(), matrix.indptr.astype("<u8").tobytes()]
    assert seen["layout"] == kind
    assert seen["checksum"] == crc32([matrix.data.tobytes(), *words])
    place, value = seen["sparse"]
    assert dense[place] == value != 0


def test_what_cpp_makes(cpp: Any) -> None:
    made = cpp.owners()[0]
    strided = hurray.from_hurray(Exporter(cpp.make("strided")))
    assert strided.numpy().strides == (4, 16)
    np.testing.assert_array_equal(strided.numpy(), 10 * np.arange(3)[:, None] + np.arange(4))
    quantized = hurray.from_hurray(Exporter(cpp.make("quantized")))
    assert quantized.quantization == hurray.PerChannelAffine.symmetric(0, 1)
    np.testing.assert_array_equal(quantized.scales, [0.5, 0.25, 2.0, 0.125])
    rows = hurray.from_hurray(Exporter(cpp.make("csr")))
    wanted = sparse.csr_array(([1.5, -2, 3.25, 4, 5, -6.5], [0, 3, 1, 0, 2, 4], [0, 2, 3, 3, 6]), shape=(4, 5))
    assert (rows.to_scipy() != wanted).nnz == 0
    view = strided.numpy()
    del strided, quantized, rows
    gc.collect()
    assert view[2, 3] == 23
    del view
    gc.collect()
    assert cpp.owners()[0] > made
    assert cpp.owners()[0] == cpp.owners()[1]


def test_a_capsule_that_nobody_takes_is_released_by_its_maker(cpp: Any) -> None:
    capsule = cpp.make("csr")
    assert cpp.owners()[0] > cpp.owners()[1]
    del capsule
    gc.collect()
    assert cpp.owners()[0] == cpp.owners()[1]


def test_a_capsule_is_consumed_once_on_either_side(cpp: Any) -> None:
    capsule = hurray.from_numpy(np.arange(4.0)).__hurray__()
    assert tuple(cpp.inspect(capsule)["shape"]) == (4,)
    assert NAME(capsule) == USED
    with pytest.raises(TypeError, match="consumed before"):
        hurray.from_hurray(Exporter(capsule))
    with pytest.raises(TypeError):
        cpp.inspect(capsule)


def test_cpp_refuses_what_python_refuses(cpp: Any) -> None:
    something = ctypes.create_string_buffer(64)
    for name in (b"hurray_tensor", b"used_hurray_tensor", USED):
        with pytest.raises(TypeError):
            cpp.inspect(NEW(ctypes.addressof(something), name, None))
    fake = ctypes.create_string_buffer(b"HRRYtens" + struct.pack("=II", 11, 11) + bytes(48))
    capsule = NEW(ctypes.addressof(fake), b"hurray_tensor_handle", None)
    with pytest.raises(ValueError, match="11"):
        cpp.inspect(capsule)
    assert NAME(capsule) == b"hurray_tensor_handle"


def test_both_modules_use_one_library(cpp: Any) -> None:
    tensor = hurray.from_numpy(np.zeros(2))
    assert cpp.live_handles() == hurray.live_handles() > 0
    del tensor
