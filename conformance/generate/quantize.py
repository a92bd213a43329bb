"""Numbers to codes, by the formulas of quantization.md in numpy's float64."""

# mypy: disable-error-code="no-any-return"
from __future__ import annotations

from typing import Any

import numpy as np

from . import form
from .conversions import FLOATS, NARROW, NF4, case, numbers, pack
from .items import item
from .samples import D, blocks, descriptor, noise, per_block, per_channel, per_tensor
from .wire import BITS

Array = np.ndarray[Any, Any]


def values(shape: list[int], most: float, seed: str) -> Array:
    """Numbers between -most and most that are exact in float32."""
    count = int(np.prod(shape))
    steps = np.frombuffer(noise(seed, 2 * count), "<u2").astype(np.int64) - 32768
    return (steps * (most / 32768)).astype(np.float32).reshape(shape)


def limits(dtype: str) -> tuple[int, int]:
    """The least and the greatest code of an integer type."""
    width = BITS[dtype]
    return (0, (1 << width) - 1) if dtype.startswith("u") else (-(1 << (width - 1)), (1 << (width - 1)) - 1)


def affine(x: Array, scale: Any, points: Any, dtype: str) -> list[int]:
    """Nearest codes, ties to even, that stop at the ends of the range."""
    low, high = limits(dtype)
    codes = np.clip(np.rint(x.astype(np.float64) / scale.astype(np.float64)) + points, low, high)
    return codes.astype(np.int64).ravel().tolist()


def quantized(dtype: str, shape: list[int], scheme: D, codes: list[int], *parameters: bytes) -> D:
    """What must come out."""
    return item(descriptor(dtype, shape, quantization=scheme), [pack(codes, BITS[dtype]), *parameters])


def to(
    name: str, x: D, dtype: str, scheme: D, expected: D | str, parameters: list[bytes] | None = None, rules: str = ""
) -> D:
    """A tensor made codes; under given parameters, unless they are computed."""
    target = form.given(descriptor(dtype, x["tensor"]["shape"], quantization=scheme))
    more: D = {"target": target}
    if parameters is not None:
        more["parameters"] = [data.hex() for data in parameters]
    found = case(name, "quantize", x, expected, **more)
    return {**found, "id": f"quantize/{name}", "rules": rules.split()}


def given() -> list[D]:
    """Under parameters that are given."""
    cases = []
    x = values([2, 12], 60, "quantize")
    x[0, :3] = [np.inf, -np.inf, 0.45]
    for source in FLOATS:
        narrow = x.astype(FLOATS[source]).astype(np.float64)
        found = numbers(source, [2, 12], x)
        for dtype, zero in (("int8", -3), ("uint8", 128), ("int4", 1), ("uint2", 0), ("int16", 0), ("int32", 5)):
            scheme = per_tensor(0.3, zero)
            codes = affine(narrow, np.float32(0.3), zero, dtype)
            cases.append(
                to(f"per-tensor-{dtype}-{source}", found, dtype, scheme, quantized(dtype, [2, 12], scheme, codes), [])
            )
    found = numbers("float32", [2, 12], x)
    scale, points = values([12], 2, "scales"), np.arange(-6, 6, dtype=np.int32)
    scale = np.abs(scale) + np.float32(0.125)
    scheme = per_channel(1, 1, 2)
    both = [scale.tobytes(), points.tobytes()]
    codes = affine(x, scale, points, "int8")
    cases.append(to("per-channel", found, "int8", scheme, quantized("int8", [2, 12], scheme, codes, *both), both))
    for kind in ("float16", "bfloat16", "float32"):
        scheme = per_block(1, 4, 1, scale_type=kind)
        narrow = scale[:6].astype(FLOATS[kind])
        wide = np.repeat(narrow.astype(np.float32).reshape(2, 3), 4, axis=1)
        made = quantized("int4", [2, 12], scheme, affine(x, wide, 0, "int4"), narrow.tobytes())
        cases.append(to(f"per-block-{kind}", found, "int4", scheme, made, [narrow.tobytes()]))
    y = values([2, 16], 3, "levels")
    found, scale = numbers("float32", [2, 16], y), scale[:4]
    scheme, wide = blocks("nf4", 1, 8, 1), np.repeat(scale.reshape(2, 2), 8, axis=1).astype(np.float64)
    levels = np.array(NF4, np.float32).astype(np.float64)
    nearest = np.abs((y.astype(np.float64) / wide)[..., None] - levels).argmin(axis=-1)
    made = quantized("uint4", [2, 16], scheme, nearest.ravel().tolist(), scale.tobytes())
    cases.append(to("nf4", found, "uint4", scheme, made, [scale.tobytes()]))
    powers = np.array([127, 126, 128, 127], np.uint8)
    scheme, y = blocks("mxfp", 1, 16, 1), values([2, 32], 3, "elements")
    wide = np.repeat(np.ldexp(1.0, powers.astype(np.int64) - 127).reshape(2, 2), 16, axis=1)
    for dtype in ("float8_e4m3", "float8_e5m2", "float4_e2m1", "float6_e2m3", "float6_e3m2"):
        kind = NARROW[dtype]
        most = float(np.array([{"float8_e5m2": 0x7B}.get(dtype, (1 << BITS[dtype] - 1) - 1 - (dtype == "float8_e4m3"))],
                              np.uint8).view(kind).astype(np.float64)[0])  # fmt: skip
        # float32 holds the quotients by powers of two exactly, so ml_dtypes rounds once.
        narrow = np.clip(y / wide * 4, -most, most).astype(np.float32).astype(kind)
        scaled = numbers("float32", [2, 32], y * 4)
        made = quantized(dtype, [2, 32], scheme, narrow.view(np.uint8).ravel().tolist(), powers.tobytes())
        cases.append(to(f"mxfp-{dtype}", scaled, dtype, scheme, made, [powers.tobytes()]))
    nan = numbers("float32", [2, 2], [[0, 1], [np.nan, 2]])
    cases.append(to("nan", nan, "int8", per_tensor(1, 0), "ERR_INVALID_ARGUMENT", []))
    bad = np.array([1, 0], np.float32).tobytes()
    plain = numbers("float32", [2, 2], [[0, 1], [3, 2]])
    cases.append(to("scale-0", plain, "int8", per_channel(1, 1), "ERR_INVALID_DESCRIPTOR", [bad], "Q-029"))
    cases.append(to("short-scales", plain, "int8", per_channel(1, 1), "ERR_BUFFER_MISMATCH", [bad[:4]], "Q-025"))
    return cases


def computed() -> list[D]:
    """Under parameters that are computed: of numbers whose parameters are exact."""
    cases = []
    x = values([2, 8], 16, "computed")
    x[0, 0], x[1, 1] = 31.75, -10
    found = numbers("float32", [2, 8], x)
    scheme = per_tensor(0.25, 0)
    made = quantized("int8", [2, 8], scheme, affine(x, np.float32(0.25), 0, "int8"))
    cases.append(to("computed-per-tensor", found, "int8", per_tensor(1, 0), made))
    # Unsigned codes reach from the least number to the greatest.
    scheme, y = per_tensor(0.5, 0), np.abs(x)
    y[0, 0] = 127.5
    made = quantized("uint8", [2, 8], scheme, affine(y, np.float32(0.5), 0, "uint8"))
    cases.append(to("computed-unsigned", numbers("float32", [2, 8], y), "uint8", per_tensor(1, 0), made))
    columns = np.array([127, 63.5, 254, 0, 7.9375, 127, 127, 508], np.float32)
    z = np.clip(values([2, 8], 300, "channels"), -columns, columns)
    z[1] = -columns
    scale = np.where(columns == 0, 1, columns / 127).astype(np.float32)
    scheme = per_channel(1, 1)
    made = quantized("int8", [2, 8], scheme, affine(z, scale, 0, "int8"), scale.tobytes())
    cases.append(to("computed-per-channel", numbers("float32", [2, 8], z), "int8", scheme, made))
    blocked = np.array([[7, -3, 0.5, 2, -14, 3, 1, 0], [0, 0, 0, 0, 3.5, 1, -0.25, 2]], np.float32)
    scale, scheme = np.array([1, 2, 1, 0.5], np.float32), per_block(1, 4, 1)
    wide = np.repeat(scale.reshape(2, 2), 4, axis=1)
    made = quantized("int4", [2, 8], scheme, affine(blocked, wide, 0, "int4"), scale.tobytes())
    cases.append(to("computed-per-block", numbers("float32", [2, 8], blocked), "int4", scheme, made))
    blocked = np.concatenate([blocked, np.zeros((1, 8), np.float32)])
    scale, scheme = np.array([14, 3.5, 0], np.float32), blocks("nf4", 1, 8, 1)
    levels = np.array(NF4, np.float32).astype(np.float64)
    wide = np.where(scale == 0, 1, scale)[:, None].astype(np.float64)
    nearest = np.abs((blocked / wide)[..., None] - levels).argmin(axis=-1)
    made = quantized("uint4", [3, 8], scheme, nearest.ravel().tolist(), scale.tobytes())
    cases.append(to("computed-nf4", numbers("float32", [3, 8], blocked), "uint4", scheme, made))
    # e4m3: the greatest number is below 2^9, so the scale of a block is 2^(floor(log2(magnitude)) - 8); of zeros 1.
    x = values([3, 16], 3, "blocks") * np.array([[1], [5], [0]], np.float32)
    x[0, 3], x[1, 4] = 3.75, -15.5
    powers, scheme = np.array([127 + 1 - 8, 127 + 3 - 8, 127], np.uint8), blocks("mxfp", 1, 16, 1)
    wide = np.ldexp(1.0, powers.astype(np.int64) - 127)[:, None]
    narrow = np.clip(x / wide, -448, 448).astype(np.float32).astype(NARROW["float8_e4m3"])
    made = quantized("float8_e4m3", [3, 16], scheme, narrow.view(np.uint8).ravel().tolist(), powers.tobytes())
    cases.append(to("computed-mxfp", numbers("float32", [3, 16], x), "float8_e4m3", scheme, made))
    return cases


def cases() -> dict[str, list[Any]]:
    """All, in files."""
    return {"given": given(), "computed": computed()}
