"""Quantized tensors: codes in place, parameters beside them."""

from __future__ import annotations

from typing import Any

import hurray
import ml_dtypes
import numpy as np
import pytest


def aligned(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The same values at an address that is a multiple of 64."""
    memory = np.zeros(array.nbytes + 64, np.uint8)
    start = (-memory.ctypes.data) % 64
    there: np.ndarray[Any, Any] = memory[start : start + array.nbytes].view(array.dtype).reshape(array.shape)
    there[...] = array
    return there


CODES = np.array([[10, -20, 30], [4, 5, -6]], np.int8)
SCALES = np.array([0.5, 0.25], np.float32)
ZERO_POINTS = np.array([1, -2], np.int32)


def test_one_scale_for_the_whole_tensor() -> None:
    scheme = hurray.PerTensorAffine(0.5, 3)
    tensor = hurray.from_hurray(hurray.from_numpy(CODES, quantization=scheme))
    assert tensor.quantization == scheme
    assert tensor.buffer_count == 1
    assert tensor.copies == ((),)
    assert tensor.numpy().ctypes.data == CODES.ctypes.data


def test_channels_with_scales() -> None:
    scheme = hurray.PerChannelAffine.symmetric(0)
    tensor = hurray.from_hurray(hurray.from_numpy(CODES, quantization=scheme, aux_buffers=[SCALES]))
    assert tensor.quantization == hurray.PerChannelAffine.symmetric(0, 1)
    np.testing.assert_array_equal(tensor.numpy(), CODES)
    np.testing.assert_array_equal(tensor.scales, SCALES)
    assert not hasattr(tensor, "zero_points")


def test_channels_with_zero_points() -> None:
    scheme = hurray.PerChannelAffine.asymmetric(0)
    tensor = hurray.from_numpy(CODES, quantization=scheme, aux_buffers=[SCALES, ZERO_POINTS])
    assert tensor.quantization == hurray.PerChannelAffine.asymmetric(0, 1, 2)
    np.testing.assert_array_equal(tensor.scales, SCALES)
    np.testing.assert_array_equal(tensor.zero_points, ZERO_POINTS)
    assert tensor.zero_points.dtype == np.int32


def test_buffers_in_another_order() -> None:
    scheme = hurray.PerChannelAffine.asymmetric(0, 2, 1)
    tensor = hurray.from_numpy(CODES, quantization=scheme, aux_buffers=[ZERO_POINTS, SCALES])
    np.testing.assert_array_equal(tensor.scales, SCALES)
    np.testing.assert_array_equal(tensor.zero_points, ZERO_POINTS)


@pytest.mark.parametrize("scale_type", ["float32", "float16", "bfloat16"])
def test_b84_b85_blocks(scale_type: str) -> None:
    # Blocks of 4 along axis 1 of [2, 6]: two blocks a row, the second of two elements.
    codes = np.arange(12, dtype=np.uint8).reshape(2, 6)
    scales = np.array([[1, 2], [0.5, 4]], hurray.Dtype.from_name(scale_type).numpy)
    scheme = hurray.PerBlockAffine.symmetric(1, 4, scale_type=scale_type)
    tensor = hurray.from_numpy(codes, quantization=scheme, aux_buffers=[scales])
    assert tensor.quantization == hurray.PerBlockAffine.symmetric(1, 4, 1, scale_type)
    assert tensor.scales.shape == (2, 2)
    np.testing.assert_array_equal(tensor.scales.astype(np.float32), scales.astype(np.float32))


def test_nf4_and_mxfp_codes_are_packed() -> None:
    nf4 = hurray.Tensor(bytes(16), "uint4", (4, 8), quantization=hurray.NF4(1, 8), aux_buffers=[np.ones(4, np.float32)])
    assert nf4.quantization == hurray.NF4(1, 8, 1)
    assert nf4.scales.tolist() == [[1], [1], [1], [1]]
    scales = np.ones(2, ml_dtypes.float8_e8m0fnu)
    mxfp = hurray.Tensor(bytes(32), "float8_e4m3", (32,), quantization=hurray.MXFP(0, 16), aux_buffers=[scales])
    assert mxfp.quantization == hurray.MXFP(0, 16, 1)
    assert mxfp.scales.astype(np.float32).tolist() == [1, 1]


def test_parameters_are_shared_where_they_are_aligned() -> None:
    scheme = hurray.PerChannelAffine.symmetric(0)
    scales = aligned(SCALES)
    tensor = hurray.from_numpy(CODES, quantization=scheme, aux_buffers=[scales])
    assert tensor.copies == ((), ())
    assert tensor.copied_bytes == 0
    assert tensor.scales.ctypes.data == scales.ctypes.data
    moved = aligned(np.zeros(5, np.float32))[1:3]
    moved[...] = SCALES
    tensor = hurray.from_numpy(CODES, quantization=scheme, aux_buffers=[moved])
    assert tensor.copies == ((), ("alignment",))
    assert tensor.copied_bytes == 8
    with pytest.raises(hurray.CopyRequiredError, match="64"):
        hurray.from_numpy(CODES, quantization=scheme, aux_buffers=[moved], copy=False)


def test_read_only_parameters_stay_read_only() -> None:
    scales = aligned(SCALES)
    scales.flags.writeable = False
    tensor = hurray.from_numpy(CODES, quantization=hurray.PerChannelAffine.symmetric(0), aux_buffers=[scales])
    assert not tensor.scales.flags.writeable
    assert tensor.numpy().flags.writeable


def test_strided_codes_stay_in_place() -> None:
    codes = np.arange(24, dtype=np.int8).reshape(4, 6)[::2, ::-2]
    scheme = hurray.PerChannelAffine.symmetric(0)
    tensor = hurray.from_numpy(codes, quantization=scheme, aux_buffers=[SCALES])
    assert tensor.copies[0] == ()
    np.testing.assert_array_equal(tensor.numpy(), codes)
    assert tensor.numpy().ctypes.data == codes.ctypes.data


@pytest.mark.parametrize(
    ("scheme", "aux"),
    [
        (hurray.PerChannelAffine.symmetric(2), [SCALES]),  # no such axis
        (hurray.PerChannelAffine.symmetric(0), [np.ones(3, np.float32)]),  # one scale too many
        (hurray.PerChannelAffine.symmetric(1), [SCALES]),  # one too few
        (hurray.PerChannelAffine.symmetric(0, 0), [SCALES]),  # the data as scales
        (hurray.PerChannelAffine.symmetric(0, 2), [SCALES]),  # no such buffer
        (hurray.PerBlockAffine.symmetric(1, 3), [np.ones(2, np.float32)]),  # not a power of two
        (hurray.PerBlockAffine.symmetric(1, 0), [np.ones(2, np.float32)]),
        (hurray.PerBlockAffine.symmetric(1, 8), [np.ones(2, np.float32)]),  # longer than the axis
        (hurray.PerTensorAffine(0.0), []),
        (hurray.PerTensorAffine(float("inf")), []),
        (hurray.PerTensorAffine(1.0, 128), []),  # not an int8
        (hurray.NF4(0, 8), [np.ones(3, np.float32)]),  # not codes of 4 bits
    ],
)
def test_b86_what_a_scheme_forbids(scheme: Any, aux: list[Any]) -> None:
    with pytest.raises(ValueError, match=r"^[A-Z]-\d+") as caught:
        hurray.from_numpy(CODES, quantization=scheme, aux_buffers=aux)
    assert isinstance(caught.value, hurray.HurrayError)
    assert caught.value.status < 0


def test_missing_parameters_are_named() -> None:
    with pytest.raises(ValueError, match="aux_buffers"):
        hurray.from_numpy(CODES, quantization=hurray.PerChannelAffine.symmetric(0))
    with pytest.raises(ValueError, match="float32"):
        hurray.from_numpy(CODES, quantization=hurray.PerTensorAffine(0.1))


def test_schemes_know_their_names() -> None:
    assert hurray.PerTensorAffine(1.0).name == "per_tensor_affine"
    assert hurray.NF4(0, 8).name == "nf4"
    assert hurray.MXFP(0, 16).tag == 5
    with pytest.raises(AttributeError):
        hurray.NF4(0, 8).axis = 1  # type: ignore[misc]
