"""Conversions, with values calculated by numpy and ml_dtypes, and places by the written formulas."""

# mypy: disable-error-code="no-any-return"
from __future__ import annotations

import itertools
from math import prod
from typing import Any

import ml_dtypes
import numpy as np

from . import form, wire
from .items import dense, item, plain_data, tensor
from .samples import FAMILIES, D, blocks, descriptor, noise, per_block, per_channel, per_tensor
from .sizes import packed

FLOATS: dict[str, Any] = {
    "float16": np.float16,
    "bfloat16": ml_dtypes.bfloat16,
    "float32": np.float32,
    "float64": np.float64,
}
# What ml_dtypes calls the narrow types; it holds one code a byte.
NARROW: dict[str, Any] = {
    "float8_e4m3": ml_dtypes.float8_e4m3fn,
    "float8_e5m2": ml_dtypes.float8_e5m2,
    "float8_e8m0": ml_dtypes.float8_e8m0fnu,
    "float4_e2m1": ml_dtypes.float4_e2m1fn,
    "float6_e2m3": ml_dtypes.float6_e2m3fn,
    "float6_e3m2": ml_dtypes.float6_e3m2fn,
}
NF4 = [
    -1.0, -0.6961928009986877, -0.5250730514526367, -0.39491748809814453, -0.28444138169288635, -0.18477343022823334,
    -0.09105003625154495, 0.0, 0.07958029955625534, 0.16093020141124725, 0.24611230194568634, 0.33791524171829224,
    0.44070982933044434, 0.5626170039176941, 0.7229568362236023, 1.0,
]  # fmt: skip


def pack(codes: list[int], width: int) -> bytes:
    """Codes below a byte, from the lowest bit upward; six-bit ones in whole groups of three bytes."""
    whole = sum((code & ((1 << width) - 1)) << (k * width) for k, code in enumerate(codes))
    return whole.to_bytes(packed(width, len(codes)), "little")


def place(layout: D, shape: list[int], index: tuple[int, ...]) -> int:
    """The offset of an element by the formulas of layouts.md."""
    name, rank = layout["tag"], len(shape)
    if name == "row_major":
        return sum(i * prod(shape[k + 1 :]) for k, i in enumerate(index))
    if name == "column_major":
        return sum(i * prod(shape[:k]) for k, i in enumerate(index))
    if name == "strided":
        return sum(i * stride for i, stride in zip(index, layout["strides"], strict=True))
    if name == "morton":
        return sum((i >> bit & 1) << (bit * rank + d) for d, i in enumerate(index) for bit in range(layout["bits"][d]))
    if name == "tiled":
        return _tiled(layout["levels"], shape, index)
    return _hilbert(layout["order"], index)


def _order(level: D, which: str, shape: list[int], index: tuple[int, ...]) -> int:
    return place({"tag": level[which], "strides": level.get(f"{which}_strides")}, shape, index)


def _tiled(levels: list[D], shape: list[int], index: tuple[int, ...]) -> int:
    level, tile = levels[0], levels[0]["tile_shape"]
    grid = [-(-size // side) for size, side in zip(shape, tile, strict=True)]
    outer = tuple(i // side for i, side in zip(index, tile, strict=True))
    inner = tuple(i % side for i, side in zip(index, tile, strict=True))
    first = _order(level, "outer", grid, outer) * prod(tile)
    if level["inner"] == "tiled":
        return first + _tiled(levels[1:], tile, inner)
    return first + _order(level, "inner", tile, inner)


def _hilbert(order: int, index: tuple[int, ...]) -> int:
    rank = len(index)
    perm, flip, carry, found = list(range(rank)), [0] * rank, 0, 0
    for p in range(order - 1, -1, -1):
        g = [(index[perm[a]] >> p & 1) ^ flip[a] for a in range(rank)]
        for a in range(rank):
            carry ^= g[a]
            found = 2 * found + carry
        for a in range(rank):
            if g[a]:
                flip[0] ^= 1
            else:
                perm[0], perm[a] = perm[a], perm[0]
                flip[0], flip[a] = flip[a], flip[0]
    return found


def code_at(data: bytes, width: int, start: int, offset: int) -> int:
    """The bits of an element."""
    whole = int.from_bytes(data[start:], "little") if offset >= 0 else 0
    if offset < 0:
        first = start + offset * width // 8
        return int.from_bytes(data[first : first + width // 8], "little")
    return whole >> (offset * width) & ((1 << width) - 1)


def logical(found: D) -> list[int]:
    """The bits of each element in row-major order of the index."""
    d, data = found["tensor"], found["data"][0]
    width = wire.BITS[d["dtype"]]
    indices = itertools.product(*map(range, d["shape"]))
    return [code_at(data, width, d.get("byte_offset", 0), place(d["layout"], d["shape"], i)) for i in indices]


def row_major(dtype: str, shape: list[int], codes: list[int], **more: Any) -> D:
    """A plain row-major tensor of so many codes."""
    return item(descriptor(dtype, shape, **more), [pack(codes, wire.BITS[dtype])])


def case(name: str, how: str, given: D, expected: D | str, **parameters: Any) -> D:
    """A conversion and its result, or the status it is refused with."""
    request = {"op": "convert", "how": how, "item": form.given_item(given), **parameters}
    expect = {"status": expected} if isinstance(expected, str) else {"status": "OK", "item": form.read_item(expected)}
    return {"id": f"conversions/{name}", "request": request, "expect": expect}


def layouts() -> list[D]:
    """Every dense layout to row-major, and back."""
    cases = []
    two = [
        {"tile_shape": [4, 4], "outer": "row_major", "inner": "tiled"},
        {"tile_shape": [2, 2], "outer": "column_major", "inner": "row_major"},
    ]
    variants: dict[str, tuple[list[int], D]] = {
        **{name: FAMILIES[name] for name in ("column_major", "strided", "tiled", "morton", "hilbert")},
        "strided-permuted": ([2, 3, 4], {"tag": "strided", "strides": [1, 2, 6]}),
        "strided-repeated": ([3, 4], {"tag": "strided", "strides": [0, 1]}),
        "tiled-2-levels": ([8, 4], {"tag": "tiled", "levels": two}),
        "hilbert-3": ([4, 4, 4], {"tag": "hilbert", "order": 2, "rank": 3}),
        "morton-uneven": ([2, 8], {"tag": "morton", "bits": [1, 3]}),
    }
    for name, (shape, layout) in variants.items():
        for dtype in ("uint8", "float32", "complex128", "int4", "bool", "float6_e2m3"):
            found = dense(dtype, list(shape), dict(layout), seed=name)
            flat = row_major(dtype, list(shape), logical(found))
            cases.append(case(f"row-major-{name}-{dtype}", "row_major", found, flat))
    backward = dense("int16", [5], {"tag": "strided", "strides": [-1]}, byte_offset=8)
    cases.append(case("row-major-backward", "row_major", backward, row_major("int16", [5], logical(backward))))
    for name in ("column_major", "morton", "hilbert"):
        shape, layout = FAMILIES[name]
        flat = dense("uint16", list(shape), seed="flat")
        target = descriptor("uint16", list(shape), dict(layout))
        size = target["buffers"][0]["byte_size"]
        out = bytearray(size)
        codes = iter(logical(flat))
        for index in itertools.product(*map(range, shape)):
            at = 2 * place(layout, list(shape), index)
            out[at : at + 2] = next(codes).to_bytes(2, "little")
        made = item(target, [bytes(out)])
        cases.append(case(f"to-{name}", "layout", flat, made, target=form.given(target)))
    return cases


def numbers(dtype: str, shape: list[int], values: Any) -> D:
    """A row-major tensor of numpy's values, rounded to the type."""
    with np.errstate(over="ignore"):
        data = np.asarray(values).astype(FLOATS[dtype]).tobytes()
    return item(descriptor(dtype, shape), [data])


def signed(codes: list[int], width: int) -> list[int]:
    """Two's complement."""
    return [code - (1 << width) if code >> (width - 1) else code for code in codes]


def stored(found: D) -> np.ndarray[Any, Any]:
    """The codes of a row-major tensor as numbers, in int64 or float32."""
    d = found["tensor"]
    dtype, width = d["dtype"], wire.BITS[d["dtype"]]
    codes = logical(found)
    if dtype in NARROW:
        return np.array(codes, np.uint8).view(NARROW[dtype]).astype(np.float32)
    return np.array(codes if dtype.startswith("u") else signed(codes, width), np.int64)


def scales(count: int, seed: str) -> np.ndarray[Any, Any]:
    """Scales that are not powers of two."""
    return (np.frombuffer(noise(seed, count), np.uint8).astype(np.float32) + 1) / np.float32(97)


def schemes() -> list[D]:
    """Every scheme to numbers."""
    cases = []

    def add(name: str, found: D, values: np.ndarray[Any, Any]) -> None:
        shape = found["tensor"]["shape"]
        for dtype in FLOATS:
            cases.append(
                case(f"dequantize-{name}-{dtype}", "dequantize", found, numbers(dtype, shape, values), dtype=dtype)
            )

    def quantized(dtype: str, shape: list[int], q: D, *parameters: bytes) -> D:
        found = dense(dtype, shape, seed=str(q), quantization=q)
        return item(found["tensor"], [found["data"][0], *parameters])

    for dtype, zero in (
        ("int8", -3),
        ("uint8", 128),
        ("int16", 7),
        ("int32", -70000),
        ("uint32", 5),
        ("int4", 2),
        ("uint2", 1),
    ):
        found = dense(dtype, [3, 5], quantization=per_tensor(0.3, zero))
        difference = (stored(found) - zero).astype(np.float32)
        add(f"per-tensor-{dtype}", found, np.float32(0.3) * difference)
    s, z = scales(5, "channel"), np.array([0, -1, 5, 127, -128], np.int32)
    found = quantized("int8", [3, 5], per_channel(1, 1, 2), s.tobytes(), z.tobytes())
    add("per-channel", found, s * (stored(found).reshape(3, 5) - z).astype(np.float32))
    found = quantized("uint4", [5, 3], per_channel(0, 1), s.tobytes())
    add("per-channel-symmetric", found, s[:, None] * stored(found).reshape(5, 3).astype(np.float32))
    for scale in ("float16", "bfloat16", "float32"):
        narrow = scales(6, scale).astype(FLOATS[scale])
        found = quantized("int8", [2, 12], per_block(1, 4, 1, scale_type=scale), narrow.tobytes())
        wide = np.repeat(narrow.astype(np.float32).reshape(2, 3), 4, axis=1)
        add(f"per-block-{scale}", found, wide * stored(found).reshape(2, 12).astype(np.float32))
    points = np.array([1, 0, -2, 3], np.int32)
    found = quantized("int8", [2, 6], per_block(1, 4, 1, 2), scales(4, "partial").tobytes(), points.tobytes())
    spread = [np.repeat(one.reshape(2, 2), 4, axis=1)[:, :6] for one in (scales(4, "partial"), points)]
    add("per-block-partial", found, spread[0] * (stored(found).reshape(2, 6) - spread[1]).astype(np.float32))
    found = quantized("uint4", [2, 16], blocks("nf4", 1, 8, 1), scales(4, "nf4").tobytes())
    levels = np.array(NF4, np.float32)[stored(found).reshape(2, 16)]
    add("nf4", found, np.repeat(scales(4, "nf4").reshape(2, 2), 8, axis=1) * levels)
    powers = np.array([127, 130, 1, 254], np.uint8)
    for dtype in ("float8_e4m3", "float8_e5m2", "float4_e2m1", "float6_e2m3", "float6_e3m2", "int8", "int4"):
        found = quantized(dtype, [2, 32], blocks("mxfp", 1, 16, 1), powers.tobytes())
        codes = stored(found).reshape(2, 32).astype(np.float32)
        wide = np.repeat(np.ldexp(np.float32(1), powers.astype(np.int32) - 127).reshape(2, 2), 16, axis=1)
        if not np.isnan(codes).any():
            with np.errstate(over="ignore"):
                add(f"mxfp-{dtype}", found, wide * codes)
    bad = quantized("int8", [2], per_channel(0, 1), np.array([1, 0], np.float32).tobytes())
    refused = case("dequantize-scale-0", "dequantize", bad, "ERR_INVALID_DESCRIPTOR", dtype="float32")
    refused["rules"] = ["Q-029"]
    nan = quantized("uint4", [8], blocks("nf4", 0, 8, 1), np.array([-1], np.float32).tobytes())
    negative = case("dequantize-nf4-scale", "dequantize", nan, "ERR_INVALID_DESCRIPTOR", dtype="float32")
    negative["rules"] = ["Q-031"]
    zero_byte = quantized("int8", [16], blocks("mxfp", 0, 16, 1), b"\0")
    e8m0 = case("dequantize-mxfp-scale", "dequantize", zero_byte, "ERR_INVALID_DESCRIPTOR", dtype="float32")
    e8m0["rules"] = ["Q-032"]
    far = quantized(
        "int8", [1], per_channel(0, 1, 2), np.array([1], np.float32).tobytes(), np.array([300], np.int32).tobytes()
    )
    point = case("dequantize-zero-point", "dequantize", far, "ERR_INVALID_DESCRIPTOR", dtype="float32")
    point["rules"] = ["Q-030"]
    return [*cases, refused, negative, e8m0, point]


def values() -> list[D]:
    """Every code of the narrow types, and integers, to numbers without a scheme."""
    cases = []
    for dtype, kind in NARROW.items():
        width = wire.BITS[dtype]
        codes = [c for c in range(1 << width) if not np.isnan(np.array([c], np.uint8).view(kind).astype(np.float32)[0])]
        if dtype == "float8_e8m0":
            codes = [c for c in codes if 0 < c < 255]
        found = row_major(dtype, [len(codes)], codes)
        exact = np.array(codes, np.uint8).view(kind).astype(np.float64)
        for to in FLOATS:
            cases.append(case(f"values-{dtype}-{to}", "dequantize", found, numbers(to, [len(codes)], exact), dtype=to))
    for dtype in ("int4", "uint4", "int2", "uint2", "int8", "uint8", "int16", "uint16", "bool"):
        found = dense(dtype, [9], seed="values")
        exact = np.array(logical(found)) if dtype == "bool" else stored(found)
        for to in FLOATS:
            cases.append(
                case(f"values-{dtype}-{to}", "dequantize", found, numbers(to, [9], exact.astype(np.float64)), dtype=to)
            )
    cases.append(case("values-complex64", "dequantize", dense("complex64", [2]), "ERR_INVALID_TYPE", dtype="float32"))
    cases.append(case("to-int8", "dequantize", dense("float32", [2]), "ERR_INVALID_TYPE", dtype="int8"))
    return cases


def codes() -> list[D]:
    """Packed codes to one a byte, and back."""
    cases = []
    for dtype in ("int4", "uint4", "int2", "uint2", "bool", "float4_e2m1", "float6_e2m3", "float6_e3m2"):
        width = wire.BITS[dtype]
        data = plain_data(dtype, packed(width, 11), f"codes/{dtype}", 11)
        found = item(descriptor(dtype, [11]), [data])
        wide = "int8" if dtype in ("int4", "int2") else "uint8"
        plain = logical(found)
        bytes_ = row_major(wide, [11], [c & 255 for c in signed(plain, width)] if wide == "int8" else plain)
        cases.append(case(f"unpack-{dtype}", "unpack", found, bytes_))
        cases.append(case(f"pack-{dtype}", "pack", bytes_, found, dtype=dtype))
    cases.append(case("unpack-int8", "unpack", dense("int8", [2]), "ERR_INVALID_TYPE"))
    too_large = row_major("uint8", [2], [3, 16])
    cases.append(case("pack-too-large", "pack", too_large, "ERR_INVALID_ARGUMENT", dtype="uint4"))
    cases.append(case("unpack-csr", "unpack", tensor("csr", "int4"), "ERR_UNSUPPORTED"))
    return cases


def cases() -> dict[str, list[Any]]:
    """All, in files."""
    return {"layouts": layouts(), "schemes": schemes(), "values": values(), "codes": codes()}
