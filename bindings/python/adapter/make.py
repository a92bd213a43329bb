"""Tensors and composites of the fields that a request gives."""

from __future__ import annotations

from typing import Any, cast

import hurray
import numpy as np
from form import Fault, from_real, ints


def memory(digits: str) -> np.ndarray[Any, Any]:
    """Bytes in writable memory that is aligned to 64, as PROTOCOL.md wants buffers."""
    data = bytes.fromhex(digits)
    room = np.zeros(len(data) + 64, np.uint8)
    start = -room.ctypes.data % 64
    room[start : start + len(data)] = np.frombuffer(data, np.uint8)
    return room[start : start + len(data)]


def tiled(levels: list[Any]) -> hurray.TiledLayout:
    """A tiled layout of its levels."""
    level, rest = levels[0], levels[1:]
    strides = [level.get(key) and ints(level[key]) for key in ("outer_strides", "inner_strides")]
    inner = tiled(rest) if rest else None
    return hurray.TiledLayout(ints(level["tile_shape"]), level["outer"], level["inner"], strides[0], strides[1], inner)


def layout(fields: dict[str, Any]) -> hurray.Layout:
    """A layout of its fields."""
    match fields["tag"]:
        case "row_major":
            return hurray.RowMajorLayout()
        case "column_major":
            return hurray.ColMajorLayout()
        case "strided":
            return hurray.StridedLayout(ints(fields["strides"]))
        case "tiled":
            return tiled(fields["levels"])
        case "morton":
            return hurray.MortonLayout(fields["bits"])
        case "coo":
            return hurray.CooLayout(int(fields["nnz"]), fields["is_sorted"])
        case "csr":
            return hurray.CsrLayout(int(fields["nnz"]))
        case "csc":
            return hurray.CscLayout(int(fields["nnz"]))
        case "csf":
            return hurray.CsfLayout(int(fields["nnz"]), fields["mode_order"])
        case "block_paged":
            names = ("page_size", "paged_axis", "num_seqs", "kv_role", "layer_index", "block_table_index_type")
            given: dict[str, Any] = {name: fields.get(name) for name in names}
            return hurray.BlockPagedLayout(num_pages=int(fields["num_pages"]), **given)
        case "hilbert":
            return hurray.HilbertLayout(fields["order"], fields["rank"])
        case int(number):
            return hurray.PrivateExtensionLayout(number, int(fields["layout_id"]), bytes.fromhex(fields["data"]))
    raise Fault(f"no layout is named {fields['tag']}")


def quantization(q: dict[str, Any] | None) -> hurray.Quantization | None:
    """A scheme of its fields."""
    if q is None:
        return None
    symmetric = q.get("zero_point_buffer") is None
    match q["scheme"]:
        case "per_tensor_affine":
            return hurray.PerTensorAffine(from_real(q["scale"]), q["zero_point"])
        case "per_channel_affine":
            return hurray.PerChannelAffine(
                q["axis"],
                q["scale_buffer"],
                q.get("zero_point_buffer"),
                is_symmetric=symmetric,
                scale_type=q["scale_type"],
            )
        case "per_block_affine":
            return hurray.PerBlockAffine(
                q["axis"],
                q["block_size"],
                q["scale_buffer"],
                q.get("zero_point_buffer"),
                is_symmetric=symmetric,
                scale_type=q["scale_type"],
            )
        case "nf4":
            return hurray.NF4(q["axis"], q["block_size"], q["scale_buffer"])
        case "mxfp":
            return hurray.MXFP(q["axis"], q["block_size"], q["scale_buffer"])
    raise Fault(f"no scheme is named {q['scheme']}")


def statistics(found: dict[str, Any] | None) -> hurray.Statistics | None:
    """Statistics of their fields."""
    if found is None:
        return None
    reals = {
        "sparsity_ratio": "sparsity_ratio",
        "min": "value_min",
        "max": "value_max",
        "abs_max": "value_abs_max",
        "mean": "mean",
        "stddev": "stddev",
    }
    values: dict[str, Any] = {}
    for key, value in found.items():
        values[reals.get(key, key)] = from_real(value) if key in reals else value
    if "nnz" in values:
        values["nnz"] = int(values["nnz"])
    return hurray.Statistics(**values)


def tensor(fields: dict[str, Any], data: list[np.ndarray[Any, Any]]) -> hurray.Tensor:
    """A tensor of fields and buffers."""
    dtype, shard, extension = fields["dtype"], fields.get("shard"), fields.get("extension_type")
    return hurray.Tensor(
        data[0] if data else b"",
        dtype,
        ints(fields["shape"]),
        aux_buffers=data[1:],
        layout=layout(fields["layout"]),
        quantization=quantization(fields.get("quantization")),
        statistics=statistics(fields.get("statistics")),
        shard=shard and hurray.Shard(ints(shard["parent_shape"]), ints(shard["offset"])),
        extension_type=extension and hurray.ExtensionType(**extension),
        member_role=fields.get("member_role"),
        byte_offset=int(fields["byte_offset"]),
    )


def item(given: dict[str, Any]) -> hurray.Tensor | hurray.Composite:
    """An item of fields and data."""
    if given.get("members") is None:
        return tensor(given["tensor"], [memory(one) for one in given["data"]])
    head = given["composite"]
    op = head["layout"]["combine_op"]
    return hurray.Composite(
        head["layout"]["rule"],
        shape=ints(head["shape"]),
        dtype=cast(Any, head["dtype"]),
        members=[item(one) for one in given["members"]],
        combine_op=None if op == "none" else op,
    )
