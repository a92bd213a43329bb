"""Descriptors as bytes, composed by the written format, and as the JSON of PROTOCOL.md.

A descriptor is a plain dictionary with the keys of PROTOCOL.md and Python numbers; `encode` writes its bytes, `to_json`
its expected JSON. Nothing is checked: wrong descriptors are wanted too.
"""

# mypy: disable-error-code="no-any-return"
from __future__ import annotations

import struct
from typing import Any

TYPES = {
    "float16": 0x01,
    "bfloat16": 0x02,
    "float32": 0x03,
    "float64": 0x04,
    "int8": 0x10,
    "uint8": 0x11,
    "int16": 0x12,
    "uint16": 0x13,
    "int32": 0x14,
    "uint32": 0x15,
    "int64": 0x16,
    "uint64": 0x17,
    "bool": 0x20,
    "float8_e4m3": 0x40,
    "float8_e5m2": 0x41,
    "float8_e8m0": 0x42,
    "float4_e2m1": 0x43,
    "float6_e2m3": 0x44,
    "float6_e3m2": 0x45,
    "float128": 0x46,
    "int4": 0x48,
    "uint4": 0x49,
    "int2": 0x4A,
    "uint2": 0x4B,
    "complex64": 0x50,
    "complex128": 0x51,
}
BITS = {
    "float16": 16, "bfloat16": 16, "float32": 32, "float64": 64, "int8": 8, "uint8": 8, "int16": 16, "uint16": 16,
    "int32": 32, "uint32": 32, "int64": 64, "uint64": 64, "bool": 1, "float8_e4m3": 8, "float8_e5m2": 8,
    "float8_e8m0": 8, "float4_e2m1": 4, "float6_e2m3": 6, "float6_e3m2": 6, "float128": 128, "int4": 4, "uint4": 4,
    "int2": 2, "uint2": 2, "complex64": 64, "complex128": 128,
}  # fmt: skip
LAYOUTS = {
    "row_major": 1,
    "column_major": 2,
    "strided": 3,
    "tiled": 4,
    "morton": 5,
    "coo": 6,
    "csr": 7,
    "csc": 8,
    "csf": 9,
    "block_paged": 10,
    "composite": 11,
    "hilbert": 0x40,
}
SCHEMES = {"per_tensor_affine": 1, "per_channel_affine": 2, "per_block_affine": 3, "nf4": 4, "mxfp": 5}
DEVICES = ["cpu", "cuda", "rocm", "metal", "vulkan", "webgpu", "hexagon", "level_zero", "opencl"]
CLASSES = ["standard", "host_pinned", "unified", "peer"]
SYNC = ["producer_synced", "event", "consumer_stream"]
RULES = {"partition": 1, "overlay": 2, "group": 3}
OPS = {"none": 0, "replace": 1, "add": 2}
ROLES = {"correction": 0, "base": 1}
KV_ROLES = {"key": 0, "value": 1, "fused": 2}
INDEX_TYPES = {"uint32": 0, "uint64": 1}

DYNAMIC = 2**64 - 1
NONE32 = 2**32 - 1


def u8(value: int) -> bytes:
    return struct.pack("<B", value)


def u16(value: int) -> bytes:
    return struct.pack("<H", value)


def u32(value: int) -> bytes:
    return struct.pack("<I", value)


def u64(value: int) -> bytes:
    return struct.pack("<Q", value)


def i64s(values: list[int]) -> bytes:
    return struct.pack(f"<{len(values)}q", *values)


def u64s(values: list[int]) -> bytes:
    return struct.pack(f"<{len(values)}Q", *values)


def f64(value: float) -> bytes:
    return struct.pack("<d", value)


def tag(value: Any, names: Any) -> int:
    """The number of a tag given by name or number."""
    if isinstance(value, int):
        return value
    number: int = names.index(value) if isinstance(names, list) else names[value]
    return number


def _tiled(levels: list[dict[str, Any]]) -> bytes:
    out = b""
    for level in levels:
        out += u64s(level["tile_shape"]) + u8(tag(level["outer"], LAYOUTS)) + u8(tag(level["inner"], LAYOUTS))
        out += level.get("reserved", bytes(2))
        out += i64s(level.get("outer_strides", [])) + i64s(level.get("inner_strides", []))
    return out


def encode_layout(layout: dict[str, Any]) -> bytes:
    """The payload of a layout."""
    name = layout["tag"]
    if name in ("row_major", "column_major"):
        return b""
    if name == "strided":
        return i64s(layout["strides"])
    if name == "tiled":
        return _tiled(layout["levels"])
    if name == "morton":
        return b"".join(u32(bits) for bits in layout["bits"])
    if name == "coo":
        return u64(layout["nnz"]) + u8(layout["is_sorted"]) + layout.get("reserved", bytes(7))
    if name in ("csr", "csc"):
        return u64(layout["nnz"]) + layout.get("reserved", bytes(8))
    if name == "csf":
        order = b"".join(u32(mode) for mode in layout["mode_order"])
        return u64(layout["nnz"]) + order + layout.get("reserved", bytes(8))
    if name == "block_paged":
        layer = layout.get("layer_index")
        return (
            u32(layout["page_size"])
            + u64(layout["num_pages"])
            + u32(layout["paged_axis"])
            + u32(layout["num_seqs"])
            + u8(tag(layout["kv_role"], KV_ROLES))
            + u32(NONE32 if layer is None else layer)
            + u8(tag(layout["block_table_index_type"], INDEX_TYPES))
            + layout.get("reserved", bytes(6))
        )
    if name == "composite":
        return (
            u8(tag(layout["rule"], RULES))
            + u8(tag(layout["combine_op"], OPS))
            + layout.get("reserved", bytes(2))
            + u32(layout["member_count"])
        )
    if name == "hilbert":
        return u32(layout["order"]) + u32(layout["rank"])
    if "layout_id" in layout:
        return u64(layout["layout_id"]) + u32(layout.get("length", len(layout["data"]))) + layout["data"]
    return layout.get("payload", b"")


def encode_buffer(buffer: dict[str, Any]) -> bytes:
    """A handle of 16 bytes."""
    return (
        u64(buffer["byte_size"])
        + u32(buffer["alignment"])
        + u8(tag(buffer["device"], DEVICES))
        + u8(tag(buffer["sync_mode"], SYNC))
        + u8(tag(buffer["memory_class"], CLASSES))
        + u8(buffer.get("reserved", 0))
    )


def encode_quantization(q: dict[str, Any]) -> bytes:
    """The payload of a scheme, without its length."""
    number = tag(q["scheme"], SCHEMES)
    symmetric = q["scheme"] in ("per_channel_affine", "per_block_affine") and q.get("zero_point_buffer") is None
    flags = q.get("flags", 1 if symmetric else 0)
    out = u8(number) + u8(q.get("version", 1)) + u16(flags)
    if "unknown_data" in q:
        return out + q["unknown_data"]
    zero_points = q.get("zero_point_buffer")
    zero_points = NONE32 if zero_points is None else zero_points
    if number == 1:
        scale = q["scale"] if isinstance(q["scale"], bytes) else struct.pack("<f", q["scale"])
        out += scale + struct.pack("<i", q["zero_point"]) + q.get("reserved", bytes(4))
    elif number == 2:
        out += u32(q["axis"]) + u32(q["scale_buffer"]) + u32(zero_points)
        out += u8(tag(q["scale_type"], TYPES)) + q.get("reserved", bytes(3))
    elif number == 3:
        out += u32(q["axis"]) + u32(q["block_size"]) + u32(q["scale_buffer"]) + u32(zero_points)
        out += u8(tag(q["scale_type"], TYPES)) + q.get("reserved", bytes(3))
    else:
        out += u32(q["axis"]) + u32(q["block_size"]) + u32(q["scale_buffer"])
    return out + q.get("padding", b"")


def encode_statistics(s: dict[str, Any]) -> bytes:
    """72 bytes; the mask follows from what is there."""
    groups = [("nnz",), ("sparsity_ratio",), ("min", "max", "abs_max"), ("mean", "stddev"), ("nm_n", "nm_m")]
    groups.append(("has_nan", "has_inf"))
    mask = s.get("mask", sum(1 << bit for bit, names in enumerate(groups) if any(name in s for name in names)))
    reals = ("sparsity_ratio", "min", "max", "abs_max", "mean", "stddev")
    out = u32(mask) + s.get("reserved", bytes(4)) + u64(s.get("nnz", 0))
    out += b"".join(f64(s.get(name, 0.0)) for name in reals)
    out += bytes(int(s.get(name, 0)) for name in ("nm_n", "nm_m", "has_nan", "has_inf"))
    return out + s.get("reserved_end", bytes(4))


def encode_extension(e: dict[str, Any]) -> bytes:
    """20 bytes."""
    names = ("packing_factor", "is_float", "is_signed", "sign_bits", "exponent_bits", "mantissa_bits")
    out = u32(e["bit_width"]) + bytes(int(e[name]) for name in names) + e.get("reserved", bytes(2))
    return (
        out + u32(e["exponent_bias"]) + bytes([int(e["has_nan"]), int(e["has_inf"])]) + e.get("reserved_end", bytes(2))
    )


def encode(d: dict[str, Any]) -> bytes:
    """The whole descriptor. Keys of the form `…_bytes`, `flags`, `length`, `tail` put something else in its place."""
    sections = [("quantization", 0), ("shard", 1), ("extension_type", 2), ("statistics", 3), ("member_role", 4)]
    flags = d.get("flags", sum(1 << bit for name, bit in sections if d.get(name) is not None))
    shape = d["shape"]
    body = (
        u32(flags)
        + u8(tag(d["dtype"], TYPES))
        + u8(tag(d["layout"]["tag"], LAYOUTS))
        + u32(d.get("rank_field", len(shape)))
    )
    body += u64s(shape) + u64(d.get("byte_offset", 0)) + encode_layout(d["layout"])
    if "rest" in d:
        body += d["rest"]
    else:
        buffers = d.get("buffers", [])
        body += u8(d.get("buffer_count", len(buffers))) + b"".join(map(encode_buffer, buffers))
        if d.get("quantization") is not None:
            payload = encode_quantization(d["quantization"])
            body += u32(d.get("quantization_length", len(payload))) + payload
        if d.get("shard") is not None:
            body += u64s(d["shard"]["parent_shape"]) + u64s(d["shard"]["offset"])
        if d.get("statistics") is not None:
            body += encode_statistics(d["statistics"])
        if d.get("extension_type") is not None:
            body += encode_extension(d["extension_type"])
        if d.get("member_role") is not None:
            body += u8(tag(d["member_role"], ROLES)) + d.get("member_reserved", bytes(15))
    body += d.get("tail", b"")
    major, minor = d.get("version", [1, 0])
    magic = d.get("magic", b"HRRY")
    return magic + u8(major) + u8(minor) + u32(d.get("length", 10 + len(body))) + body
