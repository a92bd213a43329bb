"""Valid descriptors: decoded field by field, and encoded again to the same bytes."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any

from . import form, wire
from .samples import FAMILIES, D, blocks, descriptor, extension, family, per_block, per_channel, per_tensor
from .sizes import buffer, with_buffers
from .wire import BITS, DYNAMIC

AFFINE = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int4", "uint4", "int2", "uint2")
BLOCK = ("int8", "uint8", "int4", "uint4", "int2", "uint2")
MXFP = ("float8_e4m3", "float8_e5m2", "float4_e2m1", "float6_e2m3", "float6_e3m2", "int8", "int4")
# Which memory classes a device has.
PAIRS = {
    **dict.fromkeys(("cpu", "metal", "hexagon", "opencl"), ("standard", "host_pinned", "unified")),
    **dict.fromkeys(("cuda", "rocm", "vulkan", "level_zero"), ("standard", "host_pinned", "unified", "peer")),
    "webgpu": ("standard",),
}


def case(name: str, d: D, permissive: bool = False, after: bytes = b"", rules: list[str] | None = None) -> D:
    """A case of decoding; `after` are bytes behind the descriptor."""
    data = wire.encode(d)
    request: D = {"op": "decode", "bytes": (data + after).hex()}
    if permissive:
        request["permissive"] = True
    found: D = {"id": f"descriptors/{name}", "request": request}
    if rules:
        found["rules"] = rules
    return {**found, "expect": {"status": "OK", "descriptor": form.expected(d), "bytes": data.hex()}}


def types() -> Iterator[D]:
    """Every element type in every layout family."""
    for layout in FAMILIES:
        for dtype in BITS:
            yield case(f"{layout}-{dtype}", family(layout, dtype))


def layouts() -> Iterator[D]:
    """Variants of each layout."""
    yield case("scalar", descriptor("float64", []))
    yield case("scalar-private-layout", {**descriptor("int8", [], {"tag": 240, "layout_id": 1, "data": b""})}, True)
    yield case("rank-64", descriptor("uint8", [1] * 64), rules=["V-021"])
    yield case(
        "rank-64-strided",
        descriptor("uint8", [1] * 63 + [3], {"tag": "strided", "strides": [0] * 63 + [-1]}, byte_offset=2),
    )
    yield case("empty", descriptor("float32", [0]))
    yield case("empty-middle", descriptor("float32", [3, 0, 5], "column_major"))
    yield case("empty-beside-huge", descriptor("float32", [2**63, 2**63, 0]), rules=["V-024"])
    yield case("empty-with-alignment-1", descriptor("int8", [0], buffers=[buffer(0, 1)]), rules=["V-083", "B-002"])
    yield case("empty-with-data", descriptor("int8", [0], buffers=[buffer(64, 64)]))
    yield case("empty-csr", descriptor("float32", [4, 5], {"tag": "csr", "nnz": 0}))
    yield case("empty-csf", descriptor("float32", [2, 3, 4], {"tag": "csf", "nnz": 0, "mode_order": [0, 1, 2]}))
    yield case("dynamic", descriptor("float32", [DYNAMIC, 3], buffers=[buffer(0)]), rules=["V-023"])
    yield case("dynamic-beside-zero", descriptor("float32", [DYNAMIC, 0], buffers=[buffer(0)]))
    yield case(
        "dynamic-hilbert",
        descriptor("int8", [DYNAMIC, 4], {"tag": "hilbert", "order": 2, "rank": 2}, buffers=[buffer(16)]),
    )
    yield case(
        "dynamic-coo",
        descriptor(
            "int8", [DYNAMIC, 4], {"tag": "coo", "nnz": 9, "is_sorted": False}, buffers=[buffer(9), buffer(144)]
        ),
    )
    yield case("byte-offset", descriptor("float32", [2, 3], byte_offset=40))
    yield case(
        "byte-offset-at-end", descriptor("float32", [0], byte_offset=64, buffers=[buffer(64)]), rules=["V-025", "L-009"]
    )
    yield case("larger-buffer", descriptor("float32", [2, 3], buffers=[buffer(4096, 4096)]), rules=["V-093", "L-011"])
    yield case("largest-count", descriptor("bool", [2**63 - 1, 2], {"tag": "row_major"}), rules=["V-024", "L-010"])
    yield case(
        "strided-negative",
        descriptor(
            "bfloat16", [2, 3, 5], {"tag": "strided", "strides": [-20, 6, 1]}, byte_offset=40, buffers=[buffer(80)]
        ),
    )
    yield case("strided-zero", descriptor("int32", [1000, 2], {"tag": "strided", "strides": [0, 1]}))
    yield case(
        "strided-broadcast-huge",
        descriptor("uint8", [2**40, 2**40], {"tag": "strided", "strides": [0, 0]}),
        rules=["V-024"],
    )
    yield case(
        "strided-exact",
        descriptor(
            "float16", [2, 4, 3], {"tag": "strided", "strides": [-12, 3, -1]}, byte_offset=28, buffers=[buffer(48)]
        ),
        rules=["V-030", "L-018"],
    )
    yield case(
        "strided-sub-byte",
        descriptor("int4", [4, 3], {"tag": "strided", "strides": [-3, 1]}, byte_offset=5, buffers=[buffer(7)]),
    )
    orders = ("row_major", "column_major", "strided")
    for outer in orders:
        for inner in orders:
            level: D = {"tile_shape": [2, 3], "outer": outer, "inner": inner}
            if outer == "strided":
                level["outer_strides"] = [1, 2]
            if inner == "strided":
                level["inner_strides"] = [1, 2]
            yield case(f"tiled-{outer}-{inner}", descriptor("int16", [4, 7], {"tag": "tiled", "levels": [level]}))
    two = [
        {"tile_shape": [4, 4], "outer": "row_major", "inner": "tiled"},
        {"tile_shape": [2, 2], "outer": "column_major", "inner": "row_major"},
    ]
    yield case("tiled-2-levels", descriptor("uint8", [8, 4], {"tag": "tiled", "levels": two}))
    eight = [
        {"tile_shape": [256 >> k], "outer": "row_major", "inner": "tiled" if k < 7 else "row_major"} for k in range(8)
    ]
    yield case(
        "tiled-8-levels", descriptor("uint8", [256], {"tag": "tiled", "levels": eight}), rules=["V-035", "L-021"]
    )
    strided = [
        {
            "tile_shape": [2, 2],
            "outer": "strided",
            "inner": "strided",
            "outer_strides": [2, 1],
            "inner_strides": [-1, 2],
        }
    ]
    yield case(
        "tiled-negative",
        descriptor("uint8", [4, 4], {"tag": "tiled", "levels": strided}, byte_offset=1, buffers=[buffer(64)]),
    )
    for bits in ([1, 3], [3, 1], [4, 4], [2, 5]):
        yield case(f"morton-{bits[0]}-{bits[1]}", descriptor("int8", [2, 2], {"tag": "morton", "bits": bits}))
    yield case("morton-32-32", descriptor("int8", [0, 2], {"tag": "morton", "bits": [32, 32]}), rules=["V-039"])
    yield case("hilbert-rank-3", descriptor("float32", [4, 4, 4], {"tag": "hilbert", "order": 2, "rank": 3}))
    yield case(
        "hilbert-order-31",
        descriptor("int8", [2**31, 2**31], {"tag": "hilbert", "order": 31, "rank": 2}),
        rules=["V-069", "L-025"],
    )
    yield case("coo-unsorted", descriptor("float32", [3, 2], {"tag": "coo", "nnz": 2, "is_sorted": False}))
    yield case(
        "coo-full", descriptor("float32", [3, 2], {"tag": "coo", "nnz": 6, "is_sorted": True}), rules=["V-042", "L-028"]
    )
    yield case(
        "coo-huge-shape",
        descriptor("float32", [2**63, 2**63], {"tag": "coo", "nnz": 1, "is_sorted": True}),
        rules=["V-024"],
    )
    for order in ([0, 1, 2], [2, 1, 0], [1, 2, 0]):
        yield case(
            "csf-" + "".join(map(str, order)),
            descriptor("int8", [2, 3, 4], {"tag": "csf", "nnz": 3, "mode_order": order}),
        )
    yield case("csf-rank-4", descriptor("int8", [2, 3, 4, 5], {"tag": "csf", "nnz": 1, "mode_order": [3, 1, 0, 2]}))
    paged = FAMILIES["block_paged"]
    for role in ("key", "value", "fused"):
        for index in ("uint32", "uint64"):
            layout = {**paged[1], "kv_role": role, "block_table_index_type": index}
            yield case(f"paged-{role}-{index}", descriptor("float16", paged[0], layout))
    for layer in (0, 2**32 - 2):
        yield case(f"paged-layer-{layer}", descriptor("float16", paged[0], {**paged[1], "layer_index": layer}))
    yield case("paged-no-layer", descriptor("float16", paged[0], {**paged[1], "layer_index": None}))
    yield case("paged-no-sequences", descriptor("float16", [0, 2, 2], {**paged[1], "num_seqs": 0, "num_pages": 0}))
    yield case("paged-full", descriptor("float16", [12, 2, 2], paged[1]), rules=["V-073", "L-040"])
    for rule, op, count in (
        ("partition", "none", 0),
        ("partition", "none", 3),
        ("overlay", "replace", 1),
        ("overlay", "add", 2),
        ("group", "none", 0),
        ("group", "none", 2**32 - 2),
    ):
        head = descriptor(
            "float32",
            [0] if count == 0 else [4, 4],
            {"tag": "composite", "rule": rule, "combine_op": op, "member_count": count},
        )
        yield case(f"head-{rule}-{op}-{count}", head, rules=["V-059", "V-063", "L-055"])
    yield case(
        "head-dynamic-group",
        descriptor(
            "float32", [DYNAMIC], {"tag": "composite", "rule": "group", "combine_op": "none", "member_count": 1}
        ),
    )
    yield case(
        "head-scalar",
        descriptor("float32", [], {"tag": "composite", "rule": "group", "combine_op": "none", "member_count": 1}),
    )
    yield case(
        "head-with-shard",
        descriptor(
            "float32",
            [2, 2],
            {"tag": "composite", "rule": "group", "combine_op": "none", "member_count": 1},
            shard={"parent_shape": [4, 4], "offset": [2, 0]},
        ),
    )


def schemes() -> Iterator[D]:
    """Every scheme with every storage type it takes."""
    for dtype in AFFINE:
        yield case(
            f"per-tensor-{dtype}",
            descriptor(dtype, [2, 3], quantization=per_tensor(0.25, 1 if "u" in dtype else -1)),
            rules=["V-108", "Q-012"],
        )
        yield case(f"per-channel-symmetric-{dtype}", descriptor(dtype, [2, 3], quantization=per_channel(1, 1)))
        yield case(f"per-channel-asymmetric-{dtype}", descriptor(dtype, [2, 3], quantization=per_channel(0, 1, 2)))
    for dtype in BLOCK:
        for scale in ("float16", "bfloat16", "float32"):
            yield case(
                f"per-block-{dtype}-{scale}",
                descriptor(dtype, [2, 6], quantization=per_block(1, 4, 1, scale_type=scale)),
            )
            yield case(
                f"per-block-asymmetric-{dtype}-{scale}",
                descriptor(dtype, [2, 6], quantization=per_block(1, 2, 1, 2, scale_type=scale)),
            )
    yield case("nf4", descriptor("uint4", [16], quantization=blocks("nf4", 0, 8, 1)))
    yield case("nf4-partial", descriptor("uint4", [3, 20], quantization=blocks("nf4", 1, 16, 1)))
    for dtype in MXFP:
        yield case(f"mxfp-{dtype}", descriptor(dtype, [2, 64], quantization=blocks("mxfp", 1, 32, 1)))
    yield case(
        "mxfp-2048", descriptor("int8", [2048], quantization=blocks("mxfp", 0, 2048, 1)), rules=["V-112", "Q-015"]
    )
    yield case("mxfp-16", descriptor("int8", [16], quantization=blocks("mxfp", 0, 16, 1)), rules=["V-112", "Q-015"])
    yield case("per-channel-shared-buffer", descriptor("int8", [2, 3], quantization=per_channel(1, 1, 1)))
    yield case(
        "per-block-shared-buffer", descriptor("int8", [6], quantization=per_block(0, 2, 1, 1, scale_type="float16"))
    )
    yield case("per-channel-swapped", descriptor("int8", [2, 3], quantization=per_channel(1, 2, 1)))
    for name, bits in (
        ("subnormal", bytes([1, 0, 0, 0])),
        ("negative", struct.pack("<f", -2.5)),
        ("largest", bytes.fromhex("ffff7f7f")),
    ):
        yield case(
            f"per-tensor-{name}-scale",
            descriptor("int8", [1], quantization=per_tensor(bits)),
            rules=["V-107", "Q-011"],
        )
    for dtype, low, high in (
        ("int8", -128, 127),
        ("uint8", 0, 255),
        ("int2", -2, 1),
        ("uint2", 0, 3),
        ("int32", -(2**31), 2**31 - 1),
    ):
        for at, value in (("lowest", low), ("highest", high)):
            yield case(
                f"per-tensor-{dtype}-{at}",
                descriptor(dtype, [1], quantization=per_tensor(1.0, value)),
                rules=["V-108", "Q-012"],
            )
    yield case("per-tensor-padded", descriptor("int8", [1], quantization=per_tensor(1.0, 0, padding=b"\x01\x02\x03")))
    yield case("per-channel-empty-axis", descriptor("int8", [0, 2], quantization=per_channel(0, 1)))
    yield case("per-block-empty-axis", descriptor("int8", [0, 2], quantization=per_block(0, 64, 1)))
    yield case("per-tensor-dynamic", descriptor("int8", [DYNAMIC], buffers=[buffer(0)], quantization=per_tensor()))
    for layout, first in (
        ("csr", 3),
        ("coo", 2),
        ("csf", 7),
        ("strided", 1),
        ("tiled", 1),
        ("morton", 1),
        ("hilbert", 1),
        ("column_major", 1),
    ):
        yield case(f"per-channel-{layout}", family(layout, "int8", quantization=per_channel(1, first, first + 1)))
    paged = {**FAMILIES["block_paged"][1], "page_size": 4}
    yield case("per-tensor-paged", descriptor("int8", [11, 2, 3], paged, quantization=per_tensor()))
    yield case("per-channel-paged", descriptor("int8", [11, 2, 3], paged, quantization=per_channel(2, 3)))
    yield case(
        "per-block-paged",
        descriptor("int8", [11, 2, 3], paged, quantization=per_block(0, 4, 3)),
        rules=["V-055", "Q-026"],
    )
    yield case(
        "per-block-paged-few-tokens",
        descriptor("int8", [2, 2, 3], paged, quantization=per_block(0, 4, 3)),
        rules=["V-113", "Q-016"],
    )
    few = descriptor("uint4", [11, 2, 3], paged)
    few = {**few, "quantization": blocks("nf4", 0, 8, 3), "buffers": [*few["buffers"], buffer(24)]}
    yield case("nf4-paged", few, rules=["V-117", "Q-025", "Q-036"])


def sections() -> Iterator[D]:
    """The optional sections, alone and together."""
    yield case(
        "shard-edge",
        descriptor("int8", [4, 8], shard={"parent_shape": [16, 8], "offset": [12, 0]}),
        rules=["V-120", "L-043"],
    )
    yield case(
        "shard-huge",
        descriptor("int8", [1], shard={"parent_shape": [2**64 - 2], "offset": [2**64 - 3]}),
        rules=["V-121"],
    )
    yield case("shard-scalar", descriptor("int8", [], shard={"parent_shape": [], "offset": []}))
    groups: list[D] = [
        {"nnz": 29},
        {"sparsity_ratio": 0.09375},
        {"min": -6.5, "max": 12.0, "abs_max": 12.0},
        {"mean": 0.5, "stddev": 2.25},
        {"nm_n": 2, "nm_m": 4},
        {"has_nan": True, "has_inf": False},
    ]
    for mask in range(64):
        chosen: D = {}
        for bit, group in enumerate(groups):
            if mask >> bit & 1:
                chosen.update(group)
        yield case(f"statistics-{mask:02x}", descriptor("float32", [2, 3], statistics=chosen))
    special = {
        "min": float("-inf"),
        "max": float("inf"),
        "abs_max": float("nan"),
        "mean": 5e-324,
        "stddev": float("inf"),
    }
    yield case("statistics-not-finite", descriptor("float32", [2, 3], statistics=special), rules=["V-135"])
    edge = {"nnz": 2**64 - 1, "sparsity_ratio": 1.0, "nm_n": 255, "nm_m": 255}
    yield case("statistics-edges", descriptor("float32", [2, 3], statistics=edge), rules=["V-133", "V-136"])
    yield case(
        "statistics-negative-zero",
        descriptor("float32", [2, 3], statistics={"sparsity_ratio": -0.0, "mean": -0.0, "stddev": -0.0}),
    )
    for width in (1, 2, 4, 8, 16, 24, 48, 2040):
        d: D = {"dtype": 240, "shape": [5], "layout": {"tag": "row_major"}, "extension_type": extension(width)}
        yield case(f"extension-{width}", with_buffers(d), rules=["V-140", "V-141", "V-148"])
    real = extension(
        24, is_float=True, sign_bits=1, exponent_bits=8, mantissa_bits=15, exponent_bias=127, has_nan=True, has_inf=True
    )
    yield case(
        "extension-float",
        with_buffers({"dtype": 254, "shape": [5], "layout": {"tag": "row_major"}, "extension_type": real}),
    )
    whole = extension(16, is_signed=True)
    everything: D = {
        "dtype": 241,
        "shape": [4, 8],
        "layout": {"tag": "column_major"},
        "extension_type": whole,
        "shard": {"parent_shape": [8, 8], "offset": [4, 0]},
        "statistics": groups[0],
        "member_role": "correction",
    }
    yield case("all-but-quantization", with_buffers(everything))
    yield case("member-base", descriptor("int8", [2], member_role="base", shard={"parent_shape": [2], "offset": [0]}))
    yield case(
        "member-correction",
        descriptor("int8", [1], member_role="correction", shard={"parent_shape": [2], "offset": [1]}),
    )
    both = descriptor(
        "int8",
        [4, 8],
        quantization=per_channel(1, 1, 2),
        shard={"parent_shape": [16, 8], "offset": [12, 0]},
        statistics={"nnz": 29, "mean": 0.5, "stddev": 2.25},
    )
    yield case("quantization-shard-statistics", both)


def places() -> Iterator[D]:
    """Every device with every memory class it has, and every sync mode."""
    for device, classes in PAIRS.items():
        for memory in classes:
            for sync in wire.SYNC[: 1 if device == "cpu" else 3]:
                place = {"device": device, "memory_class": memory, "sync_mode": sync}
                yield case(
                    f"place-{device}-{memory}-{sync}", descriptor("float32", [3], place=place), rules=["V-089", "B-005"]
                )
    for private in ("standard", 0xF0, 0xFE):
        yield case(
            f"place-private-{private}", descriptor("float32", [3], place={"device": 0xF0, "memory_class": private})
        )
    mixed = family("csr", place={"device": "cuda"})
    for sync, one in zip(wire.SYNC, mixed["buffers"], strict=True):
        one["sync_mode"] = sync
    yield case("place-mixed-sync", mixed)
    for power in (0, 5, 6, 12, 31):
        yield case(
            f"alignment-{power}",
            descriptor("int8", [0 if power < 6 else 1], buffers=[buffer(0 if power < 6 else 1, 1 << power)]),
        )
    many = descriptor(
        "uint8",
        [1],
        {"tag": 0xF0, "layout_id": 2**64 - 1, "data": b"\x00\xff" * 9},
        buffers=[buffer(k) for k in range(255)],
    )
    yield case("255-buffers", many, True)


def evolution() -> Iterator[D]:
    """What a later minor version adds, and what a permissive reader keeps."""
    plain = descriptor("float32", [2, 3])
    yield case("bytes-behind", plain, after=b"HRRY", rules=["V-011"])
    yield case("minor-1", {**plain, "version": [1, 1]}, rules=["V-005"])
    yield case("minor-255-tail", {**plain, "version": [1, 255], "tail": b"\x01\x02\x03"}, rules=["V-010"])
    private = descriptor("float32", [2, 3], {"tag": 0xF3, "layout_id": 77, "data": b"abc"}, statistics={"nnz": 1})
    yield case("permissive-private-layout", private, True, rules=["V-020", "L-003"])
    for number in (0x0C, 0x3F, 0x41, 0x7F, 0x80, 0xEF):
        rest = bytes(range(number & 15))
        unknown: D = {
            "dtype": "float32",
            "shape": [2, 3],
            "layout": {"tag": number, "unknown_data": rest},
            "rest": rest,
            "byte_offset": 7,
        }
        yield case(f"permissive-layout-{number:02x}", unknown, True, rules=["V-019", "L-002"])
    for number in (0x06, 0x40, 0x60, 0x80, 0xF0, 0xFE):
        version, flags = number % 5 + 1, 0x8001 ^ number << 4
        q = {"scheme": number, "version": version, "flags": flags, "unknown_data": b"\x07" * (number & 7)}
        yield case(
            f"permissive-scheme-{number:02x}",
            {**descriptor("int8", [2]), "quantization": q},
            True,
            rules=["V-102", "Q-003", "Q-004", "Q-005"],
        )
    for number in (0x05, 0x47, 0x52, 0x80, 0xEF):
        d = {**descriptor("int8", [2]), "dtype": number}
        yield case(f"permissive-type-{number:02x}", d, True, rules=["V-014", "V-015"])


def cases() -> dict[str, list[Any]]:
    """All, in files."""
    parts = (types, layouts, schemes, sections, places, evolution)
    return {part.__name__: list(part()) for part in parts}
