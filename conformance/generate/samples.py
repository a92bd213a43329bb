"""Descriptors of every layout family, that the cases start from."""

from __future__ import annotations

import hashlib
from typing import Any

from . import sizes

D = dict[str, Any]

# One shape and layout of each family; sizes are small and no two dimensions are equal where that can be.
FAMILIES: dict[str, tuple[list[int], D]] = {
    "row_major": ([2, 3, 5], {"tag": "row_major"}),
    "column_major": ([2, 4, 3], {"tag": "column_major"}),
    "strided": ([2, 4, 3], {"tag": "strided", "strides": [12, 3, 1]}),
    "tiled": ([5, 6], {"tag": "tiled", "levels": [{"tile_shape": [2, 4], "outer": "row_major", "inner": "row_major"}]}),
    "morton": ([5, 3, 6], {"tag": "morton", "bits": [3, 2, 3]}),
    "hilbert": ([4, 4], {"tag": "hilbert", "order": 2, "rank": 2}),
    "coo": ([3, 2, 4], {"tag": "coo", "nnz": 3, "is_sorted": True}),
    "csr": ([4, 6], {"tag": "csr", "nnz": 8}),
    "csc": ([4, 6], {"tag": "csc", "nnz": 8}),
    "csf": ([3, 4, 5], {"tag": "csf", "nnz": 9, "mode_order": [2, 0, 1]}),
    "block_paged": (
        [11, 2, 3],
        {
            "tag": "block_paged", "page_size": 3, "num_pages": 5, "paged_axis": 0, "num_seqs": 2, "kv_role": "key",
            "layer_index": 7, "block_table_index_type": "uint32",
        },
    ),
    "composite": ([6, 6], {"tag": "composite", "rule": "group", "combine_op": "none", "member_count": 2}),
}  # fmt: skip


def descriptor(dtype: str, shape: list[int], layout: D | str = "row_major", **more: Any) -> D:
    """A descriptor with the smallest buffers; `place` in `more` goes to each of them."""
    place = more.pop("place", {})
    d: D = {"dtype": dtype, "shape": shape, "layout": {"tag": layout} if isinstance(layout, str) else layout, **more}
    return sizes.with_buffers(d, **place) if "buffers" not in d else d


def family(name: str, dtype: str = "float32", **more: Any) -> D:
    """A descriptor of a layout family."""
    shape, layout = FAMILIES[name]
    return descriptor(dtype, list(shape), dict(layout), **more)


def noise(seed: str, count: int) -> bytes:
    """So many bytes that look random, the same ever after."""
    out = b""
    while len(out) < count:
        out += hashlib.sha256(f"{seed}/{len(out)}".encode()).digest()
    return out[:count]


def per_tensor(scale: float | bytes = 0.25, zero_point: int = 0, **more: Any) -> D:
    """A per-tensor scheme."""
    return {"scheme": "per_tensor_affine", "scale": scale, "zero_point": zero_point, **more}


def per_channel(axis: int, scales: int, zero_points: int | None = None, **more: Any) -> D:
    """A per-channel scheme; without zero points a symmetric one."""
    q: D = {"scheme": "per_channel_affine", "axis": axis, "scale_buffer": scales, "scale_type": "float32"}
    return {**q, "zero_point_buffer": zero_points, **more}


def per_block(axis: int, size: int, scales: int, zero_points: int | None = None, **more: Any) -> D:
    """A per-block scheme; without zero points a symmetric one."""
    q: D = {"scheme": "per_block_affine", "axis": axis, "block_size": size, "scale_buffer": scales}
    return {**q, "zero_point_buffer": zero_points, "scale_type": "float32", **more}


def blocks(scheme: str, axis: int, size: int, scales: int, **more: Any) -> D:
    """NF4 or MXFP."""
    return {"scheme": scheme, "axis": axis, "block_size": size, "scale_buffer": scales, **more}


def extension(bit_width: int = 12 * 8, **more: Any) -> D:
    """A private element type."""
    factor = 1 if bit_width >= 8 else 8 // bit_width
    plain = dict.fromkeys(("sign_bits", "exponent_bits", "mantissa_bits", "exponent_bias"), 0)
    flags = dict.fromkeys(("is_float", "is_signed", "has_nan", "has_inf"), False)
    return {"bit_width": bit_width, "packing_factor": factor, **plain, **flags, **more}
