"""Element types and devices."""

from __future__ import annotations

import pickle

import hurray
import ml_dtypes
import numpy as np
import pytest

# Name, tag, bits of all 26 types, as the format document has them.
TYPES = """float16 01 16, bfloat16 02 16, float32 03 32, float64 04 64, int8 10 8, uint8 11 8, int16 12 16,
uint16 13 16, int32 14 32, uint32 15 32, int64 16 64, uint64 17 64, bool 20 1, float8_e4m3 40 8,
float8_e5m2 41 8, float8_e8m0 42 8, float4_e2m1 43 4, float6_e2m3 44 6, float6_e3m2 45 6, float128 46 128,
int4 48 4, uint4 49 4, int2 4A 2, uint2 4B 2, complex64 50 64, complex128 51 128"""
TIER_1 = {name for name, tag, _ in map(str.split, TYPES.split(",")) if int(tag, 16) <= 0x20}


@pytest.mark.parametrize("row", TYPES.split(","))
def test_each_type(row: str) -> None:
    name, tag, bits = row.split()
    dtype = hurray.Dtype.from_name(name)
    assert getattr(hurray.dtype, name) is dtype
    assert hurray.Dtype.from_tag(int(tag, 16)) is dtype
    assert (dtype.name, dtype.tag, dtype.bit_width) == (name, int(tag, 16), int(bits))
    assert dtype.is_sub_byte == (int(bits) < 8)
    assert dtype.is_complex == name.startswith("complex")
    assert dtype.is_float == ("float" in name)
    assert dtype.tier == (1 if name in TIER_1 else 2)
    assert hasattr(hurray, name) == (name in TIER_1)
    assert repr(dtype) == f"hurray.dtype.{name}"
    assert pickle.loads(pickle.dumps(dtype)) is dtype


def test_kinds() -> None:
    assert hurray.int8.is_integer
    assert hurray.int8.is_signed
    assert not hurray.uint8.is_signed
    assert not hurray.float32.is_integer
    assert hurray.float32.is_array_api
    assert not hurray.bfloat16.is_array_api
    assert hurray.dtype.complex128.element_alignment == 8


def test_numpy_dtypes() -> None:
    assert hurray.float32.numpy == np.float32
    assert hurray.bool.numpy == np.bool_
    assert hurray.bfloat16.numpy == np.dtype(ml_dtypes.bfloat16)
    assert hurray.dtype.float8_e4m3.numpy == np.dtype(ml_dtypes.float8_e4m3fn)
    with pytest.raises(hurray.UnsupportedError, match="float128"):
        _ = hurray.dtype.float128.numpy


def test_types_without_ml_dtypes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "ml_dtypes", None)
    with pytest.raises(hurray.UnsupportedError, match="ml_dtypes"):
        _ = hurray.bfloat16.numpy


def test_float128_is_seen_raw() -> None:
    tensor = hurray.Tensor(bytes(32), hurray.dtype.float128, (2,))
    with pytest.raises(hurray.UnsupportedError):
        tensor.numpy()
    assert tensor.numpy(raw=True).dtype == np.dtype("V16")


def test_there_are_no_other_types() -> None:
    with pytest.raises(ValueError, match="float33"):
        hurray.Dtype.from_name("float33")
    with pytest.raises(hurray.InvalidDescriptorError):
        hurray.Dtype.from_tag(0x05)
    with pytest.raises(TypeError):
        hurray.Dtype()
    assert hurray.Dtype.from_tag(0xF3).name == "private_f3"


def test_devices() -> None:
    assert hurray.device.cpu == hurray.Device("cpu")
    assert str(hurray.Device("cuda", 1)) == "cuda:1"
    assert hurray.Device("cuda", memory_class="host_pinned") != hurray.device.cuda
    for bad in (("tpu",), ("cpu", -1), ("cpu", 0, "swapped")):
        with pytest.raises(ValueError, match=r"."):
            hurray.Device(*bad)
