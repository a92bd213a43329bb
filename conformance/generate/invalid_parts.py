"""Descriptors whose head, buffer table, scheme or section breaks a rule."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any

from . import wire
from .invalid_layouts import HUGE, PLAIN, both, layout, many, put, single
from .samples import FAMILIES, D, blocks, descriptor, family, per_block, per_channel, per_tensor
from .sizes import buffer
from .wire import DYNAMIC, NONE32


def heads() -> Iterator[D]:
    """Heads of composites."""
    yield from both(
        "V-056 L-053", "INVALID_LAYOUT", "rule", [layout("composite", rule=n) for n in (0, *range(4, 0xF0), 255)]
    )
    yield many("V-056 L-053", "UNSUPPORTED", "private-rule", [layout("composite", rule=n) for n in range(0xF0, 0xFF)])
    wrong = [(1, 1), (1, 2), (2, 0), (2, 3), (3, 1), (3, 2), (1, 255), (2, 255)]
    yield from both(
        "V-057 L-054", "INVALID_LAYOUT", "op", [layout("composite", rule=rule, combine_op=op) for rule, op in wrong]
    )
    yield from both(
        "V-058 L-006",
        "INVALID_LAYOUT",
        "reserved",
        [layout("composite", reserved=r) for r in (b"\x01\x00", b"\x00\x01")],
    )
    yield from both("V-059 L-055", "UNSUPPORTED", "count", layout("composite", member_count=NONE32))
    yield from both(
        "V-060 L-050",
        "INVALID_DESCRIPTOR",
        "buffers",
        [{**family("composite"), "buffers": [buffer(n)]} for n in (0, 64)],
    )
    yield from both(
        "V-061 L-052 Q-027",
        "INVALID_DESCRIPTOR",
        "quantization",
        {**family("composite", "int8"), "quantization": per_tensor()},
    )
    yield from both(
        "V-062 L-052",
        "INVALID_DESCRIPTOR",
        "member",
        [{**family("composite"), "member_role": r} for r in ("base", "correction")],
    )
    yield from both(
        "V-063 L-055",
        "INVALID_LAYOUT",
        "empty-overlay",
        [layout("composite", rule=2, combine_op=op, member_count=0) for op in (1, 2)],
    )
    dynamic = [
        {**layout("composite", rule=rule, combine_op=op), "shape": [DYNAMIC, 2]}
        for rule, op in ((1, 0), (2, 1), (2, 2))
    ]
    yield from both("V-064 L-056", "INVALID_LAYOUT", "dynamic", dynamic)


def buffers() -> Iterator[D]:
    """The buffer table."""

    def with_(**place: Any) -> D:
        return {**PLAIN, "buffers": [{**buffer(64), **place}]}

    yield from both(
        "V-080 L-007",
        "INVALID_DESCRIPTOR",
        "none",
        [{**family(name), "buffers": []} for name in FAMILIES if name != "composite"],
    )
    more = [
        {**family(name), "buffers": [*family(name)["buffers"], buffer(0)]} for name in FAMILIES if name != "composite"
    ]
    less = [
        {**family(name), "buffers": family(name)["buffers"][:-1]}
        for name in ("coo", "csr", "csc", "csf", "block_paged")
    ]
    yield from both("V-081 L-007", "INVALID_DESCRIPTOR", "count", more + less)
    yield from both(
        "V-082 B-001",
        "INVALID_DESCRIPTOR",
        "alignment",
        [with_(alignment=n) for n in (0, 3, 65, 96, 2**31 + 1, NONE32)],
    )
    empty = [{**descriptor("int8", [0]), "buffers": [buffer(0, n)]} for n in (0, 3, 63)]
    yield from both("V-082 B-001", "INVALID_DESCRIPTOR", "alignment-empty", empty)
    yield from both("V-083 B-002", "INVALID_DESCRIPTOR", "alignment", [with_(alignment=1 << n) for n in range(6)])
    yield from both("V-084 B-003", "INVALID_TYPE", "device", [with_(device=n) for n in range(9, 0xF0)])
    yield from both("V-085 B-003", "INVALID_TYPE", "device", with_(device=255))
    yield from both(
        "V-086 B-006", "INVALID_SYNC_MODE", "mode", [with_(device="cuda", sync_mode=n) for n in range(3, 256)]
    )
    yield from both("V-087 B-007", "INVALID_SYNC_MODE", "host", [with_(sync_mode=n) for n in (1, 2)])
    yield from both(
        "V-088 B-004",
        "INVALID_TYPE",
        "class",
        [with_(device=device, memory_class=n) for device in ("cuda", 0xF0) for n in (*range(4, 0xF0), 255)],
    )
    classes = (0, 1, 2, 3, 0xF0, 0xFE)
    allowed = {
        **{device: {0, 1, 2} for device in (0, 3, 6, 8)},
        **{device: {0, 1, 2, 3} for device in (1, 2, 4, 7)},
        5: {0},
        0xF0: {0, 0xF0, 0xFE},
    }
    pairs = [with_(device=device, memory_class=n) for device, ok in allowed.items() for n in classes if n not in ok]
    yield from both("V-089 B-005", "INVALID_DESCRIPTOR", "pair", pairs)
    yield from both("V-090 B-008", "INVALID_DESCRIPTOR", "reserved", [with_(reserved=1 << bit) for bit in range(8)])
    for name in ("coo", "csr", "csf", "block_paged"):
        table = family(name)["buffers"]
        for k in range(1, len(table)):
            on = [{**one, "device": "cuda"} if at == k else one for at, one in enumerate(table)]
            yield single("V-091 L-042 B-009", "BUFFER_MISMATCH", f"{name}-{k}", {**family(name), "buffers": on})
            of = [{**one, "memory_class": "unified"} if at == k else one for at, one in enumerate(table)]
            yield single("V-092 L-042 B-009", "BUFFER_MISMATCH", f"{name}-{k}", {**family(name), "buffers": of})
    q = descriptor("int8", [2, 3], quantization=per_channel(1, 1, 2))
    for k in (1, 2):
        on = [{**one, "device": "cuda"} if at == k else one for at, one in enumerate(q["buffers"])]
        yield single("V-091 Q-024", "BUFFER_MISMATCH", f"parameters-{k}", {**q, "buffers": on})
    short = {
        "row_major": [0],
        "column_major": [0],
        "morton": [0],
        "hilbert": [0],
        "coo": [0, 1],
        "csr": [0, 1, 2],
        "csc": [0, 1, 2],
        "csf": [0, 1, 6],
        "block_paged": [0, 2],
    }
    for name, which in short.items():
        for dtype in ("float32", "int4", "bool", "float6_e2m3", "complex128"):
            table = family(name, dtype)["buffers"]
            for k in which:
                less = [{**one, "byte_size": one["byte_size"] - 1} if at == k else one for at, one in enumerate(table)]
                yield single(
                    "V-093 L-011 L-029",
                    "BUFFER_MISMATCH",
                    f"{name}-{dtype}-{k}",
                    {**family(name, dtype), "buffers": less},
                )


def schemes() -> Iterator[D]:
    """Quantization."""

    def q(dtype: str, shape: list[int], scheme: D, **more: Any) -> D:
        return descriptor(dtype, shape, quantization=scheme, **more)

    def tensor(**fields: Any) -> D:
        return q("int8", [2, 3], per_tensor(**fields))

    def channel(**fields: Any) -> D:
        good = q("int8", [2, 3], per_channel(1, 1, 2))
        return {**good, "quantization": {**good["quantization"], **fields}}

    def block(dtype: str = "int8", **fields: Any) -> D:
        good = q(dtype, [2, 8], per_block(1, 4, 1, 2))
        return {**good, "quantization": {**good["quantization"], **fields}}

    def nf4(**fields: Any) -> D:
        good = q("uint4", [16, 2], blocks("nf4", 0, 8, 1))
        return {**good, "quantization": {**good["quantization"], **fields}}

    def mxfp(dtype: str = "int8", shape: list[int] | None = None, **fields: Any) -> D:
        good = q(dtype, shape or [2, 64], blocks("mxfp", 1, 32, 1))
        return {**good, "quantization": {**good["quantization"], **fields}}

    whole = [tensor(), channel(), block(), nf4(), mxfp()]
    yield from both(
        "V-100 Q-035",
        "TRUNCATED",
        "length",
        [{**one, "quantization_length": n} for one in whole for n in (1000, NONE32)],
    )
    yield from both(
        "V-101 Q-002",
        "INVALID_DESCRIPTOR",
        "tag",
        [{**PLAIN, "dtype": "int8", "quantization": {"scheme": n, "unknown_data": bytes(12)}} for n in (0, 255)],
    )
    for rules, first, last in (("V-102 Q-004", 6, 0x5F), ("V-102 Q-003", 0x60, 0xEF), ("V-102 Q-005", 0xF0, 0xFE)):
        yield many(
            rules,
            "UNSUPPORTED",
            f"tag-{first:02x}",
            [{**PLAIN, "quantization": {"scheme": n, "unknown_data": bytes(12)}} for n in range(first, last + 1)],
        )
    yield from both(
        "V-103 Q-006",
        "VERSION_MISMATCH",
        "version",
        [{**one, "quantization": {**one["quantization"], "version": n}} for one in whole for n in (2, 3, 255)],
    )
    yield from both(
        "V-103 Q-007",
        "INVALID_DESCRIPTOR",
        "version-0",
        [{**one, "quantization": {**one["quantization"], "version": 0}} for one in whole],
    )
    bits = [
        {**one, "quantization": {**one["quantization"], "flags": 1 << bit}} for one in whole for bit in range(1, 16)
    ]
    bits += [{**one, "quantization": {**one["quantization"], "flags": 1}} for one in (tensor(), nf4(), mxfp())]
    yield from both("V-104 Q-008", "INVALID_DESCRIPTOR", "flags", bits)
    for name, one in (
        ("per-tensor", tensor()),
        ("per-channel", channel()),
        ("per-block", block()),
        ("nf4", nf4()),
        ("mxfp", mxfp()),
    ):
        payload = wire.encode_quantization(one["quantization"])
        head = wire.encode({k: v for k, v in one.items() if k != "quantization"})
        cut = [put(head, 10, b"\x01") + struct.pack("<I", n) + payload[:n] for n in range(len(payload))]
        yield many("V-105 Q-001", "TRUNCATED", name, [put(data, 6, struct.pack("<I", len(data))) for data in cut])
    for make, size, name in ((tensor, 4, "per-tensor"), (channel, 3, "per-channel"), (block, 3, "per-block")):
        yield from both(
            "V-106 Q-009",
            "INVALID_DESCRIPTOR",
            name,
            [make(reserved=bytes(k) + b"\x01" + bytes(size - 1 - k)) for k in range(size)],
        )
    scales = ["00000000", "00000080", "0000c07f", "0100807f", "0000807f", "000080ff"]
    yield from both("V-107 Q-011", "INVALID_DESCRIPTOR", "scale", [tensor(scale=bytes.fromhex(one)) for one in scales])
    ranges = {
        "int8": (-129, 128),
        "uint8": (-1, 256),
        "int16": (-32769, 32768),
        "uint16": (-1, 65536),
        "int4": (-9, 8),
        "uint4": (-1, 16),
        "int2": (-3, 2),
        "uint2": (-1, 4),
    }
    points = [q(dtype, [1], per_tensor(1.0, n)) for dtype, pair in ranges.items() for n in pair]
    yield from both("V-108 Q-012", "INVALID_DESCRIPTOR", "zero-point", [*points, q("uint32", [1], per_tensor(1.0, -1))])
    affine = {"int8", "uint8", "int16", "uint16", "int32", "uint32", "int4", "uint4", "int2", "uint2"}
    block_types = {"int8", "uint8", "int4", "uint4", "int2", "uint2"}
    mx = {"float8_e4m3", "float8_e5m2", "float4_e2m1", "float6_e2m3", "float6_e3m2", "int8", "int4"}
    wrong = [q(t, [2, 64], per_tensor()) for t in wire.TYPES if t not in affine] + [
        q(t, [2, 64], per_channel(1, 1)) for t in wire.TYPES if t not in affine
    ]
    wrong += [q(t, [2, 64], per_block(1, 4, 1)) for t in wire.TYPES if t not in block_types] + [
        q(t, [2, 64], blocks("nf4", 1, 8, 1)) for t in wire.TYPES if t != "uint4"
    ]
    wrong += [q(t, [2, 64], blocks("mxfp", 1, 32, 1)) for t in wire.TYPES if t not in mx]
    yield from both("V-109 Q-010", "INVALID_TYPE", "storage", wrong)
    yield from both(
        "V-110 Q-013",
        "INVALID_DESCRIPTOR",
        "axis",
        [make(axis=n) for make in (channel, block, nf4, mxfp) for n in (2, 64, NONE32)],
    )
    scalar = [
        {**descriptor("uint4" if s["scheme"] == "nf4" else "int8", []), "quantization": {**s, "axis": 0}}
        for s in (per_channel(0, 1), per_block(0, 2, 1), blocks("nf4", 0, 8, 1), blocks("mxfp", 0, 16, 1))
    ]
    yield from both(
        "V-110 Q-013", "INVALID_DESCRIPTOR", "scalar", [{**one, "buffers": [buffer(64)] * 2} for one in scalar]
    )
    dynamic = [{**make(), "shape": [DYNAMIC, DYNAMIC]} for make in (channel, block, nf4, mxfp)]
    yield from both("V-111 Q-014", "INVALID_DESCRIPTOR", "dynamic", dynamic)
    sizes = [block(block_size=n) for n in (0, 1, 3, 6, NONE32)] + [nf4(block_size=n) for n in (0, 4, 7, 12)]
    yield from both(
        "V-112 Q-015", "INVALID_DESCRIPTOR", "block-size", sizes + [mxfp(block_size=n) for n in (0, 8, 24, 4096)]
    )
    yield from both(
        "V-113 Q-016",
        "INVALID_DESCRIPTOR",
        "block-size",
        [block(block_size=16), nf4(block_size=32), block(block_size=2**31)],
    )
    uneven = [mxfp(shape=[2, n]) for n in (33, 31)] + [mxfp(shape=[64, 0])]
    yield from both("V-113 Q-017", "INVALID_DESCRIPTOR", "multiple", uneven)
    others = [n for n in range(256) if n != 3]
    yield from both("V-114 Q-018", "INVALID_DESCRIPTOR", "channel-scale", [channel(scale_type=n) for n in others])
    yield from both(
        "V-114 Q-018", "INVALID_DESCRIPTOR", "block-scale", [block(scale_type=n) for n in others if n not in (1, 2)]
    )
    yield from both("V-115 Q-019", "INVALID_DESCRIPTOR", "symmetric", [channel(flags=1), block(flags=1)])
    yield from both(
        "V-115 Q-020",
        "INVALID_DESCRIPTOR",
        "asymmetric",
        [make(zero_point_buffer=None, flags=0) for make in (channel, block)]
        + [q("int8", [2, 8], {**scheme, "flags": 0}) for scheme in (per_channel(1, 1), per_block(1, 4, 1))],
    )
    beyond = [make(scale_buffer=n) for make in (channel, block) for n in (3, 255, NONE32)] + [
        make(scale_buffer=n) for make in (nf4, mxfp) for n in (2, NONE32)
    ]
    yield from both(
        "V-116 Q-021",
        "INVALID_DESCRIPTOR",
        "beyond",
        beyond + [make(zero_point_buffer=n) for make in (channel, block) for n in (3, NONE32 - 1)],
    )
    alias = [make(scale_buffer=0) for make in (channel, block, nf4, mxfp)] + [
        make(zero_point_buffer=0) for make in (channel, block)
    ]
    yield from both("V-116 Q-022", "INVALID_DESCRIPTOR", "data", alias)
    good = family("csr", "int8", quantization=per_channel(1, 3))
    yield from both(
        "V-116 Q-022", "INVALID_DESCRIPTOR", "indices", [{**good, "quantization": per_channel(1, n)} for n in (1, 2)]
    )
    yield from both(
        "V-081 Q-023",
        "INVALID_DESCRIPTOR",
        "parameters",
        [{**one, "buffers": [*one["buffers"], buffer(24)]} for one in whole],
    )
    wrong_size = []
    for one in whole[1:]:
        for k in range(1, len(one["buffers"])):
            for by in (-1, 1, 4):
                table = [
                    {**b, "byte_size": b["byte_size"] + by} if at == k else b for at, b in enumerate(one["buffers"])
                ]
                wrong_size.append({**one, "buffers": table})
    yield from both("V-117 Q-025", "BUFFER_MISMATCH", "size", wrong_size)
    paged = {**FAMILIES["block_paged"][1], "page_size": 4}
    table = descriptor("int8", [11, 2, 3], paged)["buffers"]
    on_pages = [per_channel(0, 3), per_block(1, 2, 3), per_block(0, 2, 3), per_block(0, 8, 3)]
    yield from both(
        "V-055 Q-026",
        "INVALID_DESCRIPTOR",
        "paged",
        [
            {**descriptor("int8", [11, 2, 3], paged), "buffers": [*table, buffer(80)], "quantization": one}
            for one in on_pages
        ],
    )
    many_blocks = descriptor(
        "int2",
        [2**31, 2**33],
        {"tag": "strided", "strides": [0, 0]},
        buffers=[buffer(1), buffer(HUGE)],
        quantization=per_block(0, 2, 1),
    )
    yield from both("Q-028", "OVERFLOW", "blocks", many_blocks)


def sections() -> Iterator[D]:
    """Shard, statistics, member role."""

    def shard(parent: list[int], offset: list[int]) -> D:
        return descriptor("int8", [4, 8], shard={"parent_shape": parent, "offset": offset})

    yield from both(
        "V-120 L-043",
        "INVALID_DESCRIPTOR",
        "beyond",
        [shard([4, 8], [1, 0]), shard([4, 8], [0, 1]), shard([3, 8], [0, 0]), shard([0, 0], [0, 0])],
    )
    yield from both(
        "V-121 L-043", "OVERFLOW", "sum", [shard([HUGE - 1, 8], [HUGE - 3, 0]), shard([HUGE - 1, 8], [HUGE, 0])]
    )
    dynamic = [
        shard([DYNAMIC, 8], [0, 0]),
        descriptor("int8", [DYNAMIC], buffers=[buffer(0)], shard={"parent_shape": [4], "offset": [0]}),
    ]
    yield from both("V-122 L-043", "INVALID_DESCRIPTOR", "dynamic", dynamic)

    def stats(**fields: Any) -> D:
        return {**PLAIN, "statistics": fields}

    yield from both("V-130", "INVALID_DESCRIPTOR", "mask", [stats(mask=1 << bit) for bit in range(6, 32)])
    places = [("reserved", k) for k in range(4)] + [("reserved_end", k) for k in range(4)]
    yield from both(
        "V-131",
        "INVALID_DESCRIPTOR",
        "reserved",
        [stats(**{name: bytes(k) + b"\x01" + bytes(3 - k)}) for name, k in places],
    )
    yield from both(
        "V-133", "INVALID_DESCRIPTOR", "n-of-m", [stats(nm_n=n, nm_m=m) for n, m in ((1, 0), (3, 2), (255, 254))]
    )
    yield from both(
        "V-134", "INVALID_DESCRIPTOR", "truth", [stats(has_nan=n, has_inf=m) for n, m in ((2, 0), (0, 2), (255, 1))]
    )
    nan = float("nan")
    yield from both(
        "V-135",
        "INVALID_DESCRIPTOR",
        "stddev",
        [stats(mean=0.0, stddev=s) for s in (-1.0, -5e-324, float("-inf"), nan)],
    )
    yield from both(
        "V-136",
        "INVALID_DESCRIPTOR",
        "sparsity",
        [stats(sparsity_ratio=s) for s in (-0.1, 1.0000000000000002, nan, float("inf"), -5e-324)],
    )
    yield from both("V-150", "INVALID_DESCRIPTOR", "role", [{**PLAIN, "member_role": n} for n in range(2, 256)])
    yield from both(
        "V-151",
        "INVALID_DESCRIPTOR",
        "reserved",
        [{**PLAIN, "member_role": 1, "member_reserved": bytes(k) + b"\x01" + bytes(14 - k)} for k in range(15)],
    )
