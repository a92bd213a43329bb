"""The smallest buffers that a layout and a scheme allow, by the written formulas."""

# mypy: disable-error-code="no-any-return"
from __future__ import annotations

from math import ceil, prod
from typing import Any

from .wire import BITS, DYNAMIC


def packed(bits: int, count: int) -> int:
    """Bytes of so many elements."""
    if bits >= 8:
        return count * (bits // 8)
    if bits == 6:
        return (count + 3) // 4 * 3
    return (count * bits + 7) // 8


def bits_of(d: dict[str, Any]) -> int:
    """The width of an element."""
    if d.get("extension_type"):
        width: int = d["extension_type"]["bit_width"]
        return width
    return BITS[d["dtype"]]


def strided_extent(shape: list[int], strides: list[int]) -> tuple[int, int]:
    """The lowest and the highest offset, in elements."""
    steps = [stride * (size - 1) for size, stride in zip(shape, strides, strict=True)]
    return sum(min(0, step) for step in steps), sum(max(0, step) for step in steps)


def _order_extent(order: str, shape: list[int], strides: list[int]) -> tuple[int, int]:
    return strided_extent(shape, strides) if order == "strided" else (0, prod(shape) - 1)


def tiled_extent(levels: list[dict[str, Any]], shape: list[int]) -> tuple[int, int]:
    """The lowest and the highest offset of tiles."""
    level = levels[0]
    tile = level["tile_shape"]
    grid = [ceil(size / side) for size, side in zip(shape, tile, strict=True)]
    low, high = _order_extent(level["outer"], grid, level.get("outer_strides", []))
    if level["inner"] == "tiled":
        inner = tiled_extent(levels[1:], tile)
    else:
        inner = _order_extent(level["inner"], tile, level.get("inner_strides", []))
    return low * prod(tile) + inner[0], high * prod(tile) + inner[1]


def _dense(d: dict[str, Any]) -> int:
    layout, shape = d["layout"], d["shape"]
    name, offset = layout["tag"], d.get("byte_offset", 0)
    if 0 in shape:
        return offset
    if name in ("row_major", "column_major"):
        count = prod(shape)
    elif name == "strided":
        count = strided_extent(shape, layout["strides"])[1] + 1
    elif name == "tiled":
        count = tiled_extent(layout["levels"], shape)[1] + 1
    elif name == "morton":
        rank = len(shape)
        count = 1 + sum(1 << (bit * rank + k) for k, bits in enumerate(layout["bits"]) for bit in range(bits))
    else:
        count = 1 << (layout["order"] * len(shape))
    return offset + packed(bits_of(d), count)


def layout_sizes(d: dict[str, Any]) -> list[int]:
    """Bytes of each buffer of the layout."""
    layout, shape = d["layout"], d["shape"]
    name, rank = layout["tag"], len(shape)
    width = bits_of(d)
    if name == "composite":
        return []
    if name == "coo":
        return [packed(width, layout["nnz"]), layout["nnz"] * rank * 8]
    if name in ("csr", "csc"):
        major = shape[0] if name == "csr" else shape[1]
        return [packed(width, layout["nnz"]), layout["nnz"] * 8, (major + 1) * 8]
    if name == "csf":
        nnz = layout["nnz"]
        # Every level as full as it can be with nothing known of it: one node an entry.
        sizes = [packed(width, nnz)]
        above = 1
        for _ in range(rank):
            sizes += [(above + 1) * 8, nnz * 8]
            above = nnz
        return sizes
    if name == "block_paged":
        index = 4 if layout["block_table_index_type"] == "uint32" else 8
        pages = ceil(shape[0] / layout["page_size"])
        pool = layout["num_pages"] * layout["page_size"] * prod(shape[1:])
        return [packed(width, pool), pages * index, (layout["num_seqs"] + 1) * index]
    if isinstance(name, int):
        return [64]
    return [_dense(d)]


def parameter_sizes(d: dict[str, Any]) -> list[tuple[int, int]]:
    """Index and bytes of each parameter buffer of the scheme."""
    q, shape = d.get("quantization"), d["shape"]
    if not q or q["scheme"] == "per_tensor_affine" or "unknown_data" in q:
        return []
    axis = shape[q["axis"]]
    if q["scheme"] == "per_channel_affine":
        count, scale = axis, 4
    else:
        rest = prod(size for k, size in enumerate(shape) if k != q["axis"])
        count = ceil(axis / q["block_size"]) * rest
        if d["layout"]["tag"] == "block_paged" and q["scheme"] == "per_block_affine":
            count = d["layout"]["num_pages"] * d["layout"]["page_size"]
        scale = {"nf4": 4, "mxfp": 1}.get(q["scheme"]) or BITS[q["scale_type"]] // 8
    found = [(q["scale_buffer"], count * scale)]
    zero_points = q.get("zero_point_buffer")
    if zero_points is not None and zero_points == q["scale_buffer"]:
        return [(q["scale_buffer"], count * (scale + 4))]
    if zero_points is not None:
        found.append((zero_points, count * 4))
    return found


def buffer(size: int, alignment: int = 64, **place: Any) -> dict[str, Any]:
    """A handle: on the host unless told otherwise."""
    whole = {"byte_size": size, "alignment": alignment, "device": "cpu", "sync_mode": "producer_synced"}
    return {**whole, "memory_class": "standard", **place}


def with_buffers(d: dict[str, Any], **place: Any) -> dict[str, Any]:
    """The descriptor with the buffers that it needs, at the least."""
    sizes = layout_sizes(d)
    if DYNAMIC not in d["shape"]:
        found = dict(parameter_sizes(d))
        sizes = sizes + [found[index] for index in sorted(found)]
    return {**d, "buffers": [buffer(size, **place) for size in sizes]}
