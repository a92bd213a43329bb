"""Tensors with data, and composites."""

from __future__ import annotations

import struct
from typing import Any

from . import sizes
from .samples import D, descriptor, family, noise
from .wire import BITS

# The worked examples of layouts.md: contents of the index buffers of each sparse family of `samples.FAMILIES`.
INDICES: dict[str, list[list[int]]] = {
    "coo": [[0, 0, 3, 1, 0, 2, 1, 1, 0]],
    "csr": [[2, 3, 1, 3, 4, 4, 0, 1], [0, 2, 5, 6, 8]],
    "csc": [[3, 1, 3, 0, 0, 1, 1, 2], [0, 1, 3, 4, 6, 8, 8]],
    "csf": [
        [0, 5],
        [0, 1, 2, 3, 4],
        [0, 1, 2, 4, 6, 7],
        [0, 2, 1, 2, 0, 2, 2],
        [0, 1, 2, 5, 6, 7, 8, 9],
        [1, 0, 1, 2, 3, 1, 2, 2, 1],
    ],
    "block_paged": [[4, 1, 0, 4, 2], [0, 3, 5]],
}


def plain_data(dtype: Any, size: int, seed: str, count: int | None = None) -> bytes:
    """Bytes of elements; the unused bits of the last one are zero, and no scale byte is one that may not occur."""
    data = bytearray(noise(seed, size))
    width = BITS.get(dtype, 8)
    if dtype == "float8_e8m0":
        data = bytearray(max(1, min(254, byte)) for byte in data)
    if width < 8 and count is not None and data:
        used = count * width
        whole = int.from_bytes(data, "little") & ((1 << used) - 1)
        data = bytearray(whole.to_bytes(size, "little"))
    return bytes(data)


def item(d: D, data: list[bytes]) -> D:
    """A tensor whose buffers are as long as their data."""
    return {"tensor": {**d, "buffers": [sizes.buffer(len(one)) for one in data]}, "data": data}


def tensor(name: str, dtype: str = "float32", **more: Any) -> D:
    """A tensor of a layout family with proper indices."""
    d = family(name, dtype, **more)
    found = [plain_data(dtype, d["buffers"][0]["byte_size"], f"{name}/{dtype}")]
    for k, values in enumerate(INDICES.get(name, [])):
        width = "<%dI" if name == "block_paged" and d["layout"]["block_table_index_type"] == "uint32" else "<%dQ"
        found.append(struct.pack(width % len(values), *values))
        del k
    found += [
        plain_data("uint8", b["byte_size"], f"{name}/{dtype}/{k}")
        for k, b in enumerate(d["buffers"])
        if k >= len(found)
    ]
    return item(d, found)


def dense(dtype: str, shape: list[int], layout: D | str = "row_major", seed: str = "", **more: Any) -> D:
    """A dense tensor of noise, its parameters 1.0 and 0 where it is quantized."""
    d = descriptor(dtype, shape, layout, **more)
    data = [plain_data(dtype, d["buffers"][0]["byte_size"], f"dense/{dtype}/{shape}/{seed}")]
    q = d.get("quantization") or {}
    for k, b in enumerate(d["buffers"]):
        if k == 0:
            continue
        if k == q.get("zero_point_buffer"):
            data.append(bytes(b["byte_size"]))
        elif q["scheme"] == "mxfp":
            data.append(b"\x7f" * b["byte_size"])
        else:
            one = {"float16": b"\x00\x3c", "bfloat16": b"\x80\x3f"}.get(q.get("scale_type", ""), b"\x00\x00\x80\x3f")
            data.append(one * (b["byte_size"] // len(one)))
    return item(d, data)


def composite(
    rule: str, members: list[D], shape: list[int], dtype: str = "float32", op: str = "none", **more: Any
) -> D:
    """A head and its members."""
    head = {"tag": "composite", "rule": rule, "combine_op": op, "member_count": len(members)}
    return {"composite": descriptor(dtype, shape, head, **more), "members": members}


def part(shape: list[int], parent: list[int], offset: list[int], dtype: str = "float32", **more: Any) -> D:
    """A dense member at a place."""
    shard = {"parent_shape": parent, "offset": offset}
    return dense(dtype, shape, more.pop("layout", "row_major"), seed=str(offset), shard=shard, **more)


def partition() -> D:
    """Four boxes that tile [6, 6]: the example of layouts.md, its sparse member full."""
    parent = [6, 6]
    tile = {"tag": "tiled", "levels": [{"tile_shape": [2, 2], "outer": "row_major", "inner": "row_major"}]}
    members = [
        part([4, 4], parent, [0, 0], layout={"tag": "hilbert", "order": 2, "rank": 2}),
        part([4, 2], parent, [0, 4], layout=tile),
        part([2, 4], parent, [4, 0], layout={"tag": "morton", "bits": [1, 2]}),
        part([2, 2], parent, [4, 4]),
    ]
    return composite("partition", members, parent)


def overlay(op: str = "replace") -> D:
    """A base of [4, 4] and two corrections."""
    parent = [4, 4]
    members = [
        part([4, 4], parent, [0, 0], member_role="base"),
        part([2, 3], parent, [0, 1], member_role="correction"),
        part([3, 2], parent, [1, 1], member_role="correction", layout="column_major"),
    ]
    return composite("overlay", members, parent, op=op)


def group() -> D:
    """Members that have nothing to do with each other."""
    return composite("group", [tensor("csr", "float64"), dense("int8", [3]), dense("bool", [])], [2])


def nested() -> D:
    """A group of a group and a tensor; a group of nothing."""
    inner = composite("group", [dense("uint8", [2], seed="a")], [1])
    return composite("group", [inner, dense("uint8", [3], seed="b"), composite("group", [], [0])], [7])
