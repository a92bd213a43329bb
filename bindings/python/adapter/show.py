"""Descriptors and items as JSON, read through the package's objects."""

from __future__ import annotations

from typing import Any

import hurray
from form import Fault, real, tag, wides

DYNAMIC = 2**64 - 1


def tiled(layout: hurray.TiledLayout | None) -> list[dict[str, Any]]:
    """The levels of a tiled layout."""
    found = []
    while layout is not None:
        level: dict[str, Any] = {
            "tile_shape": wides(layout.tile_shape),
            "outer": tag(layout.outer_layout),
            "inner": tag(layout.inner_layout),
        }
        if layout.outer_strides is not None:
            level["outer_strides"] = wides(layout.outer_strides)
        if layout.inner_strides is not None:
            level["inner_strides"] = wides(layout.inner_strides)
        found.append(level)
        layout = layout.inner_tiled
    return found


def layout_fields(layout: hurray.Layout) -> dict[str, Any]:
    """The fields of a layout."""
    match layout:
        case hurray.RowMajorLayout() | hurray.ColMajorLayout():
            return {}
        case hurray.StridedLayout():
            return {"strides": wides(layout.strides)}
        case hurray.TiledLayout():
            return {"levels": tiled(layout)}
        case hurray.MortonLayout():
            return {"bits": list(layout.morton_bits)}
        case hurray.CooLayout():
            return {"nnz": str(layout.nnz), "is_sorted": layout.is_sorted}
        case hurray.CsrLayout() | hurray.CscLayout():
            return {"nnz": str(layout.nnz)}
        case hurray.CsfLayout():
            return {"nnz": str(layout.nnz), "mode_order": list(layout.mode_order)}
        case hurray.BlockPagedLayout():
            return {
                "page_size": layout.page_size,
                "num_pages": str(layout.num_pages),
                "paged_axis": layout.paged_axis,
                "num_seqs": layout.num_seqs,
                "kv_role": tag(layout.kv_role),
                "layer_index": layout.layer_index,
                "block_table_index_type": layout.block_table_index_type,
            }
        case hurray.CompositeLayout():
            op = "none" if layout.combine_op is None else tag(layout.combine_op)
            return {"rule": tag(layout.composition_rule), "combine_op": op, "member_count": layout.member_count}
        case hurray.HilbertLayout():
            return {"order": layout.hilbert_order, "rank": layout.hilbert_rank}
        case hurray.PrivateExtensionLayout():
            return {"layout_id": str(layout.extension_layout_id), "data": (layout.extension_data or b"").hex()}
        case hurray.UnknownLayout():
            return {"unknown_data": (layout.raw_bytes or b"").hex()}
    raise Fault(f"a layout that the adapter does not know: {layout}")


def quantization_fields(scheme: hurray.Quantization) -> dict[str, Any]:
    """The fields of a scheme."""
    match scheme:
        case hurray.PerTensorAffine():
            return {"scale": real(scheme.scale), "zero_point": scheme.zero_point}
        case hurray.PerChannelAffine() | hurray.PerBlockAffine():
            found = {
                "axis": scheme.axis,
                "scale_buffer": scheme.scale_buffer_index,
                "zero_point_buffer": None if scheme.is_symmetric else scheme.zero_point_buffer_index,
                "scale_type": tag(scheme.scale_type),
            }
            if isinstance(scheme, hurray.PerBlockAffine):
                found["block_size"] = scheme.block_size
            return found
        case hurray.NF4() | hurray.MXFP():
            return {
                "axis": scheme.axis,
                "block_size": scheme.block_size,
                "scale_buffer": scheme.scale_buffer_index,
            }
        case hurray.UnknownScheme():
            return {
                "version": scheme.scheme_version,
                "flags": scheme.flags,
                "unknown_data": scheme.raw_bytes.hex(),
            }
    raise Fault(f"a scheme that the adapter does not know: {scheme}")


def statistics(found: hurray.Statistics) -> dict[str, Any]:
    """What was computed."""

    def maybe(value: float | None) -> str | None:
        return None if value is None else real(value)

    return {
        "nnz": None if found.nnz is None else str(found.nnz),
        "sparsity_ratio": maybe(found.sparsity_ratio),
        "min": maybe(found.value_min),
        "max": maybe(found.value_max),
        "abs_max": maybe(found.value_abs_max),
        "mean": maybe(found.mean),
        "stddev": maybe(found.stddev),
        "nm_n": found.nm_n,
        "nm_m": found.nm_m,
        "has_nan": found.has_nan,
        "has_inf": found.has_inf,
    }


def extension_type(found: hurray.ExtensionType) -> dict[str, Any]:
    """A private element type."""
    return {
        "bit_width": found.bit_width,
        "packing_factor": found.packing_factor,
        "is_float": found.is_float,
        "is_signed": found.is_signed,
        "sign_bits": found.sign_bits,
        "exponent_bits": found.exponent_bits,
        "mantissa_bits": found.mantissa_bits,
        "exponent_bias": found.exponent_bias,
        "has_nan": found.has_nan,
        "has_inf": found.has_inf,
    }


def buffer(handle: hurray.BufferHandle) -> dict[str, Any]:
    """An entry of the buffer table."""
    return {
        "byte_size": str(handle.byte_size),
        "alignment": handle.alignment,
        "device": tag(handle.device.kind),
        "sync_mode": tag(handle.sync_mode),
        "memory_class": tag(handle.device.memory_class),
        "role": handle.role,
        "role_level": handle.role_level,
    }


def descriptor(d: hurray.Descriptor) -> dict[str, Any]:
    """Every field of a descriptor."""
    found: dict[str, Any] = {
        "version": list(d.version),
        "dtype": tag(d.dtype.name),
        "shape": wides(DYNAMIC if extent is None else extent for extent in d.shape),
        "byte_offset": str(d.byte_offset),
        "element_count": None if d.size is None else str(d.size),
        "encoded_length": d.encoded_len,
        "layout": {"tag": tag(d.layout.name), **layout_fields(d.layout)},
        "buffers": [buffer(handle) for handle in d.buffer_handles],
        "member_role": d.member_role,
    }
    if d.quantization is not None:
        found["quantization"] = {"scheme": tag(d.quantization.name), **quantization_fields(d.quantization)}
    if d.shard is not None:
        found["shard"] = {"parent_shape": wides(d.shard.parent_shape), "offset": wides(d.shard.shard_offset)}
    if d.statistics is not None:
        found["statistics"] = statistics(d.statistics)
    if d.extension_type is not None:
        found["extension_type"] = extension_type(d.extension_type)
    return found


def tensor(found: hurray.Tensor) -> dict[str, Any]:
    """A tensor with its data."""
    data = [found.buffer(k).tobytes().hex() for k in range(found.buffer_count)]
    return {"tensor": descriptor(found.descriptor), "data": data}


def item(found: hurray.Tensor | hurray.Composite | hurray.DescriptorItem) -> dict[str, Any]:
    """A tensor, a composite with its members, or a descriptor with the bytes that came with it."""
    if isinstance(found, hurray.DescriptorItem):
        data = found.data
        return {
            "descriptor": descriptor(found.descriptor),
            "data": None if data is None else data.buffer(0).tobytes().hex(),
        }
    if isinstance(found, hurray.Composite):
        return {"composite": descriptor(found.descriptor), "members": [item(one) for one in found.members]}
    return tensor(found)
