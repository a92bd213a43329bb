"""Numbers, codes and packed elements, against numpy, ml_dtypes and expressions written down from the format."""

from __future__ import annotations

from typing import Any

import formulas
import hurray
import ml_dtypes
import numpy as np
import pytest

Array = np.ndarray[Any, Any]
INTEGERS = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
FLOATS = {
    "float16": np.dtype(np.float16),
    "bfloat16": np.dtype(ml_dtypes.bfloat16),
    "float32": np.dtype(np.float32),
    "float64": np.dtype(np.float64),
}
NARROW = {
    "float8_e4m3": ml_dtypes.float8_e4m3fn,
    "float8_e5m2": ml_dtypes.float8_e5m2,
    "float8_e8m0": ml_dtypes.float8_e8m0fnu,
    "float6_e2m3": ml_dtypes.float6_e2m3fn,
    "float6_e3m2": ml_dtypes.float6_e3m2fn,
    "float4_e2m1": ml_dtypes.float4_e2m1fn,
}
PACKED = {"int4": 4, "uint4": 4, "int2": 2, "uint2": 2, "float4_e2m1": 4, "float6_e2m3": 6, "float6_e3m2": 6, "bool": 1}
SHAPES = [(), (0,), (1,), (7,), (3, 5), (2, 0, 3), (4, 1, 9)]
NF4 = [
    *(-1.0, -0.6961928009986877, -0.5250730514526367, -0.39491748809814453, -0.28444138169288635, -0.18477343022823334),
    *(-0.09105003625154495, 0.0, 0.07958029955625534, 0.16093020141124725, 0.24611230194568634, 0.33791524171829224),
    *(0.44070982933044434, 0.5626170039176941, 0.7229568362236023, 1.0),
]


def of_codes(name: str, codes: Any, shape: tuple[int, ...], **how: Any) -> hurray.Tensor:
    """A row-major tensor of codes, given as unsigned numbers."""
    bits = hurray.Dtype.from_name(name).bit_width
    flat = [int(code) & ((1 << bits) - 1) for code in np.asarray(codes).ravel()]
    return hurray.Tensor(np.frombuffer(formulas.packed(flat, bits), np.uint8), name, shape, **how)


def same(actual: Array, wanted: Array) -> None:
    """Equal numbers with equal signs, and NaN where there is NaN."""
    with np.errstate(invalid="ignore"):
        actual, wanted = np.asarray(actual, np.float64), np.asarray(wanted, np.float64)
    assert actual.shape == wanted.shape
    np.testing.assert_array_equal(actual, wanted)
    keep = ~np.isnan(wanted)
    np.testing.assert_array_equal(np.signbit(actual[keep]), np.signbit(wanted[keep]))


def rounded(value: int, precision: int) -> float:
    """A whole number at so many significant bits, ties to even."""
    drop = max(0, abs(value).bit_length() - precision)
    kept, rest = abs(value) >> drop, abs(value) & ((1 << drop) - 1)
    half = 1 << drop >> 1
    if drop and (rest > half or (rest == half and kept & 1)):
        kept += 1
    return float(kept << drop) * (1 if value >= 0 else -1)


@pytest.mark.parametrize(("to", "precision"), [("float16", 11), ("bfloat16", 8), ("float32", 24), ("float64", 53)])
@pytest.mark.parametrize("name", INTEGERS)
def test_integers_become_numbers(name: str, to: str, precision: int) -> None:
    info = np.iinfo(name)
    random = np.random.default_rng(1)
    values = random.integers(info.min, info.max, 500, name, endpoint=True)
    edges = [info.min, info.max, 0, 1, info.max // 2, *(1 << k for k in range(info.bits - 1))]
    values = np.concatenate([values, np.array(edges, name)])
    there = hurray.from_numpy(values).dequantize(to)
    assert there.dtype.name == to
    wanted = np.array([rounded(int(value), precision) for value in values])
    if to == "float16":
        wanted[wanted > 65504], wanted[wanted < -65504] = np.inf, -np.inf
    same(there.numpy(), wanted)


@pytest.mark.parametrize("to", FLOATS)
@pytest.mark.parametrize("name", NARROW)
def test_every_bit_pattern_of_narrow_floats(name: str, to: str) -> None:
    bits = hurray.Dtype.from_name(name).bit_width
    codes = np.arange(1 << bits, dtype=np.uint8)
    wanted = codes.view(NARROW[name]).astype(np.float64)
    if name == "float8_e8m0":
        wanted[[0, 255]] = np.nan  # codes that may not occur
    with np.errstate(over="ignore"):
        same(of_codes(name, codes, codes.shape).dequantize(to).numpy(), wanted.astype(FLOATS[to]))


@pytest.mark.parametrize("to", FLOATS)
@pytest.mark.parametrize("name", ["float16", "bfloat16"])
def test_every_bit_pattern_of_sixteen_bits(name: str, to: str) -> None:
    codes = np.arange(1 << 16, dtype=np.uint16).view(FLOATS[name])
    with np.errstate(over="ignore", invalid="ignore"):
        wanted = codes.astype(np.float64).astype(FLOATS[to])
    there = hurray.from_numpy(codes).dequantize(to).numpy()
    same(there, wanted)
    nan = np.isnan(codes.astype(np.float32))
    np.testing.assert_array_equal(np.signbit(there[nan].astype(np.float32)), np.signbit(codes[nan].astype(np.float32)))


@pytest.mark.parametrize("to", [*FLOATS, *NARROW])
@pytest.mark.parametrize("source", ["float32", "float64"])
def test_numbers_become_narrow_ones(source: str, to: str) -> None:
    dtype = np.dtype(FLOATS.get(to) or NARROW[to])
    random = np.random.default_rng(5)
    values = np.concatenate([random.standard_normal(2000), random.standard_normal(200) * 1e-3]).astype(source)
    if to in NARROW:
        codes = np.arange(1 << hurray.Dtype.from_name(to).bit_width, dtype=np.uint8).view(dtype).astype(source)
        codes = np.sort(codes[np.isfinite(codes)])
        ties = (codes[1:] + codes[:-1]) / 2
        values = np.concatenate([values, codes, ties])
        values = values[np.abs(values) <= codes[-1]]
    if to == "float8_e8m0":
        values = np.abs(values[np.abs(values) > 2.0**-126])
    made = hurray.from_numpy(values).quantize(to)
    assert made.dtype.name == to
    read = made.dequantize("float64").numpy()
    if to == "float8_e8m0":
        # ml_dtypes rounds powers of two in another way: the nearest one is what counts.
        exact = values.astype(np.float64)
        below = np.exp2(np.floor(np.log2(exact)))
        assert np.all(np.abs(read - exact) <= np.minimum(exact - below, 2 * below - exact))
        return
    same(read, values.astype(dtype))


def test_past_the_largest_number() -> None:
    big = hurray.from_numpy(np.array([1e9, -1e9, np.inf, -np.inf, 500.0], np.float32))
    np.testing.assert_array_equal(big.quantize("float8_e4m3").dequantize().numpy(), [448, -448, 448, -448, 448])
    np.testing.assert_array_equal(big.quantize("float4_e2m1").dequantize().numpy(), [6, -6, 6, -6, 6])
    np.testing.assert_array_equal(big.quantize("float16").numpy(), [np.inf, -np.inf, np.inf, -np.inf, 500])


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("name", PACKED)
def test_packing(name: str, shape: tuple[int, ...]) -> None:
    bits, count = PACKED[name], int(np.prod(shape))
    random = np.random.default_rng(count)
    signed = name in ("int4", "int2")
    low = -(1 << (bits - 1)) if signed else 0
    codes = random.integers(low, low + (1 << bits), shape, np.int64).astype(np.int8 if signed else np.uint8)
    there = hurray.from_numpy(codes).pack(name)
    assert (there.dtype.name, there.shape) == (name, shape)
    wanted = formulas.packed([int(code) & ((1 << bits) - 1) for code in codes.ravel()], bits)
    assert there.buffer(0).tobytes() == wanted
    back = there.unpack()
    assert back.numpy().dtype == codes.dtype
    np.testing.assert_array_equal(back.numpy(), codes)


def test_what_cannot_be_packed() -> None:
    with pytest.raises(hurray.InvalidArgumentError, match="2"):
        hurray.from_numpy(np.array([1, 7, 8], np.int8)).pack("int4")
    with pytest.raises(hurray.InvalidDescriptorError):
        hurray.from_numpy(np.array([1], np.int16)).pack("int4")
    with pytest.raises(hurray.InvalidDescriptorError):
        hurray.from_numpy(np.array([1], np.int8)).unpack()
    np.testing.assert_array_equal(hurray.from_numpy(np.array([0, 2, 255], np.uint8)).pack("bool").numpy(), [0, 1, 1])


def along(parameters: Array, values: Array, axis: int, size: int) -> Array:
    """Each element's parameter: arrays shaped like the tensor without the axis, then the blocks."""
    moved = np.moveaxis(values, axis, -1).shape
    by_block = parameters.reshape([*moved[:-1], -(-moved[-1] // size)])
    each = np.repeat(by_block, size, axis=-1)[..., : moved[-1]]
    return np.moveaxis(each, -1, axis)


STORED = {"int8": (-128, 127), "uint8": (0, 255), "int4": (-8, 7), "uint4": (0, 15), "int2": (-2, 1), "uint2": (0, 3)}


@pytest.mark.parametrize("name", STORED)
def test_dequantize_affine_schemes(name: str) -> None:
    random = np.random.default_rng(3)
    low, high = STORED[name]
    codes = random.integers(low, high, (4, 6, 8), np.int64, endpoint=True)
    scale = np.full((), 0.37, np.float32)
    tensor = of_codes(name, codes, codes.shape, quantization=hurray.PerTensorAffine(float(scale), high // 2))
    wanted: Array = np.asarray(scale * (codes - high // 2).astype(np.float32))
    np.testing.assert_array_equal(tensor.dequantize().numpy(), wanted)
    np.testing.assert_array_equal(tensor.dequantize("float64").numpy(), wanted)
    np.testing.assert_array_equal(tensor.dequantize("float16").numpy(), wanted.astype(np.float16))
    for axis in range(3):
        scales = random.random((codes.shape[axis],)).astype(np.float32)
        zeros = random.integers(low, high, codes.shape[axis], np.int32, endpoint=True)
        shape = [-1 if k == axis else 1 for k in range(3)]
        scheme = hurray.PerChannelAffine.asymmetric(axis)
        tensor = of_codes(name, codes, codes.shape, quantization=scheme, aux_buffers=[scales, zeros])
        wanted = scales.reshape(shape) * (codes - zeros.reshape(shape)).astype(np.float32)
        np.testing.assert_array_equal(tensor.dequantize().numpy(), wanted)
        for size in (2, 4):
            count = codes.size // codes.shape[axis] * -(-codes.shape[axis] // size)
            for kind in ("float16", "bfloat16", "float32"):
                scales = random.random(count).astype(FLOATS[kind])
                by_block = hurray.PerBlockAffine.symmetric(axis, size, scale_type=kind)
                data = codes
                if codes.shape[axis] % size:
                    continue  # whole blocks only: what a partial block adds is the library's own test
                tensor = of_codes(name, data, codes.shape, quantization=by_block, aux_buffers=[scales])
                wanted = along(scales.astype(np.float32), codes, axis, size) * codes.astype(np.float32)
                np.testing.assert_array_equal(tensor.dequantize().numpy(), wanted)


def test_dequantize_nf4_and_mxfp() -> None:
    random = np.random.default_rng(4)
    codes = random.integers(0, 16, (3, 64))
    scales = random.random(3 * 8).astype(np.float32)
    tensor = of_codes("uint4", codes, codes.shape, quantization=hurray.NF4(1, 8), aux_buffers=[scales])
    wanted = along(scales, codes, 1, 8) * np.array(NF4, np.float32)[codes]
    np.testing.assert_array_equal(tensor.dequantize().numpy(), wanted)
    for name, dtype in NARROW.items():
        if name == "float8_e8m0":
            continue
        codes = random.integers(0, 1 << hurray.Dtype.from_name(name).bit_width, (3, 64)).astype(np.uint8)
        powers = random.integers(100, 150, 6).astype(np.uint8)
        scheme = hurray.MXFP(1, 32)
        tensor = of_codes(name, codes, codes.shape, quantization=scheme, aux_buffers=[powers])
        with np.errstate(invalid="ignore"):
            wanted = along(np.exp2(powers.astype(np.float32) - 127), codes, 1, 32) * codes.view(dtype).astype(
                np.float32
            )
        same(tensor.dequantize().numpy(), wanted)


@pytest.mark.parametrize("name", STORED)
def test_quantize_with_given_parameters(name: str) -> None:
    random = np.random.default_rng(6)
    low, high = STORED[name]
    values = (random.standard_normal((5, 8)) * high / 3).astype(np.float32)
    zero = (low + high) // 2
    made = hurray.from_numpy(values).quantize(name, hurray.PerTensorAffine(0.25, zero))
    wanted = np.clip(np.rint(values.astype(np.float64) / 0.25) + zero, low, high)
    codes = (made.unpack() if made.dtype.is_sub_byte else made).numpy()
    np.testing.assert_array_equal(codes, wanted)
    assert made.quantization == hurray.PerTensorAffine(0.25, zero)
    scales = random.random(5).astype(np.float32) + 0.1
    made = hurray.from_numpy(values).quantize(name, hurray.PerChannelAffine.symmetric(0), parameters=[scales])
    wanted = np.clip(np.rint(values.astype(np.float64) / scales[:, None].astype(np.float64)), low, high)
    codes = (made.unpack() if made.dtype.is_sub_byte else made).numpy()
    np.testing.assert_array_equal(codes, wanted)
    np.testing.assert_array_equal(made.scales, scales)


@pytest.mark.parametrize("name", ["int8", "uint8", "int4", "uint4"])
def test_quantize_with_computed_parameters_keeps_its_bound(name: str) -> None:
    random = np.random.default_rng(7)
    values = random.standard_normal((6, 64)).astype(np.float32)
    schemes: list[Any] = [hurray.PerTensorAffine, hurray.PerChannelAffine.asymmetric(1)]
    schemes.append(hurray.PerBlockAffine.asymmetric(1, 16))
    if not name.startswith("u"):
        schemes += [hurray.PerChannelAffine.symmetric(0), hurray.PerBlockAffine.symmetric(1, 32, scale_type="bfloat16")]
    for scheme in schemes:
        made = hurray.from_numpy(values).quantize(name, scheme)
        assert made.quantization is not None
        read = made.dequantize("float64").numpy()
        if isinstance(made.quantization, hurray.PerTensorAffine):
            scale: Any = made.quantization.scale
        elif isinstance(made.quantization, hurray.PerChannelAffine):
            scale = made.scales.astype(np.float64)
            scale = scale[:, None] if made.quantization.axis == 0 else scale[None, :]
        else:
            size = made.quantization.block_size  # type: ignore[attr-defined]
            scale = along(np.asarray(made.scales).astype(np.float64), values, 1, size)
        assert np.all(np.abs(read - values) <= 0.5 * scale * (1 + 1e-5) + 1e-6)


def test_quantize_to_nf4_and_mxfp() -> None:
    random = np.random.default_rng(8)
    values = random.standard_normal((4, 64)).astype(np.float32)
    made = hurray.from_numpy(values).quantize("uint4", hurray.NF4(1, 32))
    largest = np.abs(values.reshape(4, 2, 32)).max(axis=-1)
    np.testing.assert_array_equal(np.asarray(made.scales).reshape(4, 2), largest)
    levels = np.array(NF4, np.float32)
    scaled = values / np.repeat(largest, 32, axis=1)
    nearest = np.abs(scaled[..., None].astype(np.float64) - levels).argmin(axis=-1)
    np.testing.assert_array_equal(made.unpack().numpy(), nearest)
    made = hurray.from_numpy(values).quantize("float8_e4m3", hurray.MXFP(1, 32))
    powers = np.floor(np.log2(largest)) - 8
    np.testing.assert_array_equal(np.asarray(made.scales).view(np.uint8).reshape(4, 2), powers + 127)
    scale = np.repeat(np.exp2(powers), 32, axis=1)
    wanted = np.clip(values / scale, -448, 448).astype(ml_dtypes.float8_e4m3fn).astype(np.float32) * scale
    np.testing.assert_array_equal(made.dequantize().numpy(), wanted)


def test_what_has_no_code() -> None:
    tensor = hurray.from_numpy(np.array([1.0, np.nan], np.float32))
    with pytest.raises(hurray.InvalidArgumentError, match="1"):
        tensor.quantize("int8", hurray.PerTensorAffine(0.5))
    with pytest.raises(hurray.InvalidDescriptorError):
        tensor.quantize("int8", hurray.PerTensorAffine(0.0))
    with pytest.raises(hurray.HurrayError):
        tensor.quantize("int8", hurray.PerChannelAffine.symmetric(0), parameters=[np.zeros(2, np.float32)])
    with pytest.raises(hurray.InvalidDescriptorError):
        tensor.quantize("int8")
    with pytest.raises(hurray.InvalidDescriptorError):
        hurray.from_numpy(np.zeros(2, np.complex64)).dequantize()


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_shapes(shape: tuple[int, ...]) -> None:
    values = np.random.default_rng(9).integers(-5, 5, shape, np.int64).astype(np.int8)
    there = hurray.from_numpy(values).dequantize()
    assert (there.shape, there.numpy().dtype) == (shape, np.float32)
    np.testing.assert_array_equal(there.numpy(), values)
    back = there.quantize("int8", hurray.PerTensorAffine(1.0))
    np.testing.assert_array_equal(back.numpy(), values)


def test_memory() -> None:
    values = np.arange(6, dtype=np.float32)
    tensor = hurray.from_numpy(values)
    assert tensor.dequantize().converted_bytes == 0
    assert np.shares_memory(tensor.dequantize(copy=False).numpy(), values)
    codes = hurray.from_numpy(np.arange(6, dtype=np.int8))
    with pytest.raises(hurray.CopyRequiredError):
        codes.dequantize(copy=False)
    out = np.zeros(6, np.float32)
    there = codes.dequantize(out=out)
    np.testing.assert_array_equal(out, values)
    assert np.shares_memory(there.numpy(), out)
    assert there.converted_bytes == 24
    room = np.zeros(3, np.uint8)
    codes.pack("int4", out=room)
    assert room.tobytes() == bytes([0x10, 0x32, 0x54])


def test_codes_of_any_layout() -> None:
    codes = np.arange(-8, 8, dtype=np.int8).reshape(4, 4)
    rows = hurray.from_numpy(codes).pack("int4")
    for layout in ("column_major", hurray.TiledLayout([2, 2]), hurray.MortonLayout([2, 2])):
        there = rows.to_layout(layout)
        np.testing.assert_array_equal(there.dequantize().numpy(), codes)
        np.testing.assert_array_equal(there.unpack().numpy(), codes)
    tiled = hurray.from_numpy(codes.astype(np.float32)).quantize(
        "int8", hurray.PerTensorAffine(0.5), layout=hurray.TiledLayout([2, 2])
    )
    assert tiled.layout.name == "tiled"
    np.testing.assert_array_equal(tiled.dequantize().numpy(), codes)
