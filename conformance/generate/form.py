"""The JSON forms of PROTOCOL.md: 64-bit numbers and floats as strings, bytes as hexadecimal digits."""

from __future__ import annotations

import struct
from math import prod
from typing import Any

from . import wire

WIDE = {
    "shape", "byte_offset", "element_count", "strides", "tile_shape", "outer_strides", "inner_strides", "nnz",
    "num_pages", "layout_id", "byte_size", "parent_shape", "offset",
}  # fmt: skip
REAL = {"scale", "sparsity_ratio", "min", "max", "abs_max", "mean", "stddev"}
# What `wire.encode` puts in place of the truth, and no reader ever shows.
HIDDEN = {
    "reserved", "reserved_end", "member_reserved", "padding", "tail", "rest", "rank_field", "buffer_count", "length",
    "quantization_length", "payload", "mask", "magic",
}  # fmt: skip


def real(value: float | bytes) -> str:
    """The digits of a double; bytes are those of a float32, which is widened."""
    if isinstance(value, bytes):
        (value,) = struct.unpack("<f", value)
    return struct.pack(">d", value).hex()


def form(value: Any, key: str = "") -> Any:
    """A value in its JSON form."""
    if isinstance(value, dict):
        hidden = HIDDEN if "scheme" not in value or "unknown_data" in value else HIDDEN | {"version", "flags"}
        return {k: form(v, k) for k, v in value.items() if k not in hidden and v is not None}
    if isinstance(value, list):
        return [form(one, key) for one in value]
    if isinstance(value, bytes) and key not in REAL:
        return value.hex()
    if key in REAL:
        return real(
            struct.unpack("<f", struct.pack("<f", value))[0] if key == "scale" and isinstance(value, float) else value
        )
    if isinstance(value, int) and not isinstance(value, bool) and key in WIDE:
        return str(value)
    return value


def roles(d: dict[str, Any]) -> list[tuple[str, int]]:
    """The role and level of each buffer."""
    layout, rank = d["layout"], len(d["shape"])
    name = layout["tag"]
    known: dict[str, list[tuple[str, int]]] = {
        "coo": [("values", 0), ("indices", 0)],
        "csr": [("values", 0), ("indices", 0), ("pointers", 0)],
        "csc": [("values", 0), ("indices", 0), ("pointers", 0)],
        "csf": [("values", 0)] + [(part, level) for level in range(rank) for part in ("csf_pos", "csf_crd")],
        "block_paged": [("values", 0), ("block_table", 0), ("seq_ptr", 0)],
        "composite": [],
    }
    count = len(d.get("buffers", []))
    found = [] if isinstance(name, int) else known.get(name, [("values", 0)])
    found = found + [("unknown", 0)] * (count - len(found))
    q = d.get("quantization") or {}
    if q.get("zero_point_buffer") is not None and q["zero_point_buffer"] < count:
        found[q["zero_point_buffer"]] = ("zero_points", 0)
    if q.get("scale_buffer") is not None and q["scale_buffer"] < count:
        found[q["scale_buffer"]] = ("scales", 0)
    return found


def element_count(shape: list[int]) -> int | None:
    """The number of elements; None while a dimension is dynamic or the count passes 64 bits."""
    if wire.DYNAMIC in shape:
        return None
    count = prod(shape)
    return count if count < 2**64 else None


def expected(d: dict[str, Any]) -> dict[str, Any]:
    """What a reader shows of a descriptor, derived values too."""
    out = {k: v for k, v in d.items() if k != "flags"}
    out.setdefault("version", [1, 0])
    out.setdefault("byte_offset", 0)
    out["element_count"] = element_count(d["shape"])
    out["encoded_length"] = len(wire.encode(d))
    out["buffers"] = [
        {**buffer, "role": role, "role_level": level}
        for buffer, (role, level) in zip(d.get("buffers", []), roles(d), strict=True)
    ]
    found: dict[str, Any] = form(out)
    return found


def given(d: dict[str, Any]) -> dict[str, Any]:
    """What a request says of a descriptor: no derived values."""
    drop = ("version", "element_count", "encoded_length", "buffers", "flags")
    out: dict[str, Any] = form({k: v for k, v in d.items() if k not in drop})
    out.setdefault("byte_offset", "0")
    return out


def read_item(item: dict[str, Any]) -> dict[str, Any]:
    """An item as a reader shows it."""
    if "members" in item:
        return {"composite": expected(item["composite"]), "members": [read_item(one) for one in item["members"]]}
    if "descriptor" in item:
        alone = {"descriptor": expected(item["descriptor"])}
        return alone if item["data"] is None else {**alone, "data": item["data"].hex()}
    return {"tensor": expected(item["tensor"]), "data": [data.hex() for data in item["data"]]}


def given_item(item: dict[str, Any]) -> dict[str, Any]:
    """An item as a request gives it."""
    if "members" in item:
        return {"composite": given(item["composite"]), "members": [given_item(one) for one in item["members"]]}
    return {"tensor": given(item["tensor"]), "data": [data.hex() for data in item["data"]]}
