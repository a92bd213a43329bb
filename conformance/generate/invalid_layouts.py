"""Descriptors that break one rule each, and the status they are refused with."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from typing import Any

from . import wire
from .samples import FAMILIES, D, descriptor, extension, family
from .sizes import buffer
from .wire import DYNAMIC, NONE32

HUGE = 2**64 - 1


def single(rules: str, status: str, name: str, d: D | bytes, permissive: bool = False) -> D:
    """One input."""
    data = d if isinstance(d, bytes) else wire.encode(d)
    request: D = {"op": "decode", "bytes": data.hex()}
    if permissive:
        request["permissive"] = True
    ids = rules.split()
    return {"id": f"invalid/{ids[0]}-{name}", "rules": ids, "request": request, "expect": {"status": f"ERR_{status}"}}


def many(rules: str, status: str, name: str, inputs: Iterable[D | bytes], permissive: bool = False) -> D:
    """Inputs that all give one status."""
    data = [d if isinstance(d, bytes) else wire.encode(d) for d in inputs]
    ids = rules.split()
    request = {
        "op": "batch",
        "what": "decode",
        "inputs": [one.hex() for one in data],
        "options": {"permissive": int(permissive)},
    }
    expect = {"status": "OK", "statuses": [f"ERR_{status}"] * len(data)}
    return {"id": f"invalid/{ids[0]}-{name}", "rules": ids, "request": request, "expect": expect}


def both(*args: Any) -> Iterator[D]:
    """Refused in both modes."""
    make = many if isinstance(args[3], list) else single
    yield make(*args)
    yield make(args[0], args[1], args[2] + "-permissive", args[3], True)


def put(data: bytes, at: int, new: bytes) -> bytes:
    """The data with other bytes at a place."""
    return data[:at] + new + data[at + len(new) :]


PLAIN = descriptor("float32", [2, 3])
BYTES = wire.encode(PLAIN)


def header() -> Iterator[D]:
    """The fixed header."""
    yield from both("V-001", "TRUNCATED", "short", [BYTES[:n] for n in range(10)])
    yield from both(
        "V-002",
        "INVALID_MAGIC",
        "magic",
        [put(BYTES, k, bytes([BYTES[k] ^ 1 << bit])) for k in range(4) for bit in range(8)],
    )
    yield single("V-003", "VERSION_MISMATCH", "file", b"HRRYFILE" + bytes(60))
    yield from both("V-003", "VERSION_MISMATCH", "major", [{**PLAIN, "version": [major, 0]} for major in range(2, 256)])
    yield from both("V-004", "VERSION_MISMATCH", "major-0", {**PLAIN, "version": [0, 0]})
    yield from both("V-006 S-004", "INVALID_DESCRIPTOR", "length", [{**PLAIN, "length": n} for n in range(20)])
    yield from both("V-007", "TRUNCATED", "cut", [BYTES[:n] for n in range(10, len(BYTES))])
    yield from both("V-007", "TRUNCATED", "cut-minor-1", [put(BYTES, 5, b"\x01")[:n] for n in range(10, len(BYTES))])
    yield from both(
        "V-007", "TRUNCATED", "length-beyond", [{**PLAIN, "length": n} for n in (len(BYTES) + 1, 2**31, NONE32)]
    )
    for name in FAMILIES:
        data = wire.encode(family(name))
        cuts = [put(data[:n], 6, struct.pack("<I", n)) for n in range(20, len(data))]
        yield many("V-008 L-005", "TRUNCATED", name, cuts)
        yield many("V-008 L-005", "TRUNCATED", f"{name}-minor-1", [put(cut, 5, b"\x01") for cut in cuts])
    yield from both("V-009", "INVALID_DESCRIPTOR", "tail", [{**PLAIN, "tail": bytes(n)} for n in (1, 2, 16, 255)])
    yield from both(
        "V-012",
        "INVALID_DESCRIPTOR",
        "flags",
        [{**PLAIN, "flags": 1 << bit, "version": [1, minor]} for bit in range(5, 32) for minor in (0, 1)],
    )
    yield from both("V-021", "LIMIT_EXCEEDED", "rank", [{**PLAIN, "rank_field": n} for n in (65, 66, 2**31, NONE32)])
    yield single("V-021", "LIMIT_EXCEEDED", "rank-65-whole", descriptor("uint8", [1] * 65))


def types() -> Iterator[D]:
    """Element types."""
    assigned = set(wire.TYPES.values())
    free = [n for n in range(1, 0xF0) if n not in assigned]
    yield from both("V-013", "INVALID_TYPE", "00-ff", [{**PLAIN, "dtype": n} for n in (0, 255)])
    yield many("V-014", "INVALID_TYPE", "reserved", [{**PLAIN, "dtype": n} for n in free if n >= 0x80 or n == 0x47])
    yield many("V-015", "INVALID_TYPE", "unassigned", [{**PLAIN, "dtype": n} for n in free if n < 0x80 and n != 0x47])
    yield from both("V-016", "INVALID_TYPE", "private", [{**PLAIN, "dtype": n} for n in range(0xF0, 0xFF)])
    yield from both(
        "V-017",
        "INVALID_TYPE",
        "section",
        [{**PLAIN, "dtype": n, "extension_type": extension(32)} for n in sorted(assigned)],
    )
    e: D = {"dtype": 0xF0, "shape": [4], "layout": {"tag": "row_major"}, "buffers": [buffer(4096)]}

    def with_(width: int = 16, **more: Any) -> D:
        return {**e, "extension_type": {**extension(width or 8), "bit_width": width, **more}}

    yield from both("V-140", "INVALID_TYPE", "width-0", with_(0))
    yield from both(
        "V-141",
        "INVALID_TYPE",
        "factor",
        [
            with_(16, packing_factor=0),
            with_(16, packing_factor=2),
            with_(4, packing_factor=1),
            with_(1, packing_factor=7),
        ],
    )
    yield from both("V-142", "INVALID_TYPE", "width", [with_(n, packing_factor=8 // n) for n in (3, 5, 6, 7)])
    yield from both(
        "V-143",
        "INVALID_DESCRIPTOR",
        "reserved",
        [
            with_(reserved=b"\x01\x00"),
            with_(reserved=b"\x00\x80"),
            with_(reserved_end=b"\x01\x00"),
            with_(reserved_end=b"\x00\x01"),
        ],
    )
    yield from both(
        "V-144",
        "INVALID_TYPE",
        "truth",
        [with_(**{name: 2}) for name in ("is_float", "is_signed", "has_nan", "has_inf")],
    )
    real = {"is_float": True, "exponent_bits": 8, "mantissa_bits": 7}
    yield from both("V-145", "INVALID_TYPE", "sign", with_(**real, sign_bits=2))
    yield from both("V-146", "INVALID_TYPE", "signed-float", with_(**real, is_signed=True))
    yield from both(
        "V-147",
        "INVALID_TYPE",
        "integer",
        [with_(**{name: 1}) for name in ("sign_bits", "exponent_bits", "mantissa_bits", "exponent_bias")],
    )
    yield from both("V-148", "INVALID_TYPE", "odd-width", [with_(n) for n in (9, 12, 31, 2047)])


def layout(name: str, **fields: Any) -> D:
    """A family with fields of its layout changed, and the buffers it had."""
    d = family(name)
    return {**d, "layout": {**d["layout"], **fields}}


def tiles(**fields: Any) -> D:
    """The tiled family with fields of its level changed."""
    level = family("tiled")["layout"]["levels"][0]
    return layout("tiled", levels=[{**level, **fields}])


def layouts() -> Iterator[D]:
    """Layout tags and payloads."""
    yield from both("V-018 L-001", "INVALID_LAYOUT", "00-ff", [{**PLAIN, "layout": {"tag": n}} for n in (0, 255)])
    free = [*range(0x0C, 0x40), *range(0x41, 0xF0)]
    yield many("V-019 L-002", "INVALID_LAYOUT", "unassigned", [{**PLAIN, "layout": {"tag": n}} for n in free])
    private: D = {"layout_id": 5, "data": b"xyz"}
    yield many(
        "V-020 L-003",
        "UNSUPPORTED",
        "private",
        [descriptor("int8", [2], {"tag": n, **private}) for n in range(0xF0, 0xFF)],
    )
    too_long = descriptor("int8", [2], {"tag": 0xF0, **private, "length": 1000})
    yield single("V-070", "TRUNCATED", "private-data", too_long, True)
    yield single(
        "V-070",
        "TRUNCATED",
        "private-data-huge",
        descriptor("int8", [2], {"tag": 0xF0, **private, "length": NONE32}),
        True,
    )
    yield single(
        "V-080 L-007",
        "INVALID_DESCRIPTOR",
        "private-no-buffer",
        descriptor("int8", [2], {"tag": 0xF0, **private}, buffers=[]),
        True,
    )
    scalars: list[D] = [
        {"tag": "column_major"},
        {"tag": "strided", "strides": []},
        {"tag": "tiled", "levels": [{"tile_shape": [], "outer": 1, "inner": 1}]},
        {"tag": "morton", "bits": []},
        {"tag": "coo", "nnz": 1, "is_sorted": 0},
    ]
    tables = {"coo": 2}
    yield from both(
        "V-022 L-004",
        "INVALID_LAYOUT",
        "scalar",
        [descriptor("int8", [], one, buffers=[buffer(64)] * tables.get(one["tag"], 1)) for one in scalars],
    )
    yield from both(
        "V-044 L-004",
        "INVALID_LAYOUT",
        "rank",
        [
            descriptor("int8", [2] * rank, {"tag": name, "nnz": 1}, buffers=[buffer(64)] * 3)
            for name in ("csr", "csc")
            for rank in (0, 1, 3)
        ],
    )
    yield from both(
        "V-045 L-004",
        "INVALID_LAYOUT",
        "rank",
        [
            descriptor(
                "int8",
                [2] * rank,
                {"tag": "csf", "nnz": 1, "mode_order": list(range(rank))},
                buffers=[buffer(64)] * (2 * rank + 1),
            )
            for rank in range(3)
        ],
    )
    paged = FAMILIES["block_paged"][1]
    yield from both(
        "V-047 L-004",
        "INVALID_LAYOUT",
        "rank",
        [descriptor("int8", [2] * rank, paged, buffers=[buffer(4096)] * 3) for rank in (0, 1, 2, 4)],
    )
    wide = [buffer(HUGE)]
    yield from both(
        "V-024 L-010",
        "OVERFLOW",
        "count",
        [
            descriptor("uint8", [2**63, 2], "row_major", buffers=wide),
            descriptor("uint8", [2**63, 2], "column_major", buffers=wide),
            descriptor(
                "uint8",
                [2**32, 2**32],
                {"tag": "tiled", "levels": [{"tile_shape": [1, 1], "outer": 1, "inner": 1}]},
                buffers=wide,
            ),
            descriptor("uint8", [2**40, 2**40, 1], paged, buffers=[buffer(4096)] * 3),
        ],
    )
    yield from both(
        "V-024",
        "OVERFLOW",
        "bytes",
        [
            descriptor("float64", [2**61], buffers=wide),
            descriptor("float128", [2**62], buffers=wide),
            descriptor("float16", [2**32, 2**31], "column_major", buffers=wide),
        ],
    )
    yield from both(
        "V-025 L-009",
        "INVALID_LAYOUT",
        "offset",
        [descriptor("int8", [0], byte_offset=n, buffers=[buffer(64)]) for n in (65, 2**63, HUGE)],
    )
    yield single(
        "V-025",
        "INVALID_LAYOUT",
        "offset-private",
        descriptor("int8", [2], {"tag": 0xF0, **private}, byte_offset=65),
        True,
    )
    sparse = ("coo", "csr", "csc", "csf", "block_paged")
    yield from both(
        "V-026 L-008",
        "INVALID_LAYOUT",
        "offset",
        [{**family(name), "byte_offset": n} for name in sparse for n in (1, 8, HUGE)],
    )
    yield from both("V-026 L-051", "INVALID_DESCRIPTOR", "offset-head", {**family("composite"), "byte_offset": 1})
    strided: list[tuple[list[int], list[int], int, int]] = [
        ([2, 4, 3], [12, 3, 1], 0, 95),
        ([2, 4, 3], [-12, 3, 1], 47, 4096),
        ([3], [1], 4, 15),
        ([3], [-1], 7, 64),
        ([2], [2**40], 0, 4096),
    ]
    yield from both(
        "V-030 L-018",
        "BUFFER_MISMATCH",
        "reach",
        [
            descriptor("float32", shape, {"tag": "strided", "strides": strides}, byte_offset=at, buffers=[buffer(size)])
            for shape, strides, at, size in strided
        ],
    )
    yield from both(
        "V-031 L-018",
        "OVERFLOW",
        "reach",
        [
            descriptor("int8", [2**63, 3], {"tag": "strided", "strides": strides}, buffers=wide)
            for strides in ([2**62, 1], [-(2**63), 1], [2**63 - 1, 2**63 - 1])
        ],
    )
    yield from both("V-032 L-019", "INVALID_LAYOUT", "extent-0", [tiles(tile_shape=t) for t in ([0, 4], [2, 0])])
    yield from both("V-033 L-020", "INVALID_LAYOUT", "outer", [tiles(outer=n) for n in (0, 4, 5, 64, 255)])
    yield from both("V-033 L-020", "INVALID_LAYOUT", "inner", [tiles(inner=n) for n in (0, 5, 6, 64, 255)])
    yield from both(
        "V-034 L-006", "INVALID_LAYOUT", "reserved", [tiles(reserved=r) for r in (b"\x01\x00", b"\x00\x80")]
    )
    level = {"tile_shape": [1, 1], "outer": 1, "inner": 4}
    yield from both(
        "V-035 L-021", "LIMIT_EXCEEDED", "depth", layout("tiled", levels=[level] * 8 + [{**level, "inner": 1}])
    )
    yield from both(
        "V-036 L-022", "OVERFLOW", "tile", [tiles(tile_shape=t) for t in ([2**32, 2**32], [HUGE, 2], [2**63, 3])]
    )
    yield from both(
        "V-093 L-022", "BUFFER_MISMATCH", "tiled", [{**family("tiled"), "buffers": [buffer(n)]} for n in (0, 64, 191)]
    )
    yield from both(
        "V-037 L-024", "INVALID_LAYOUT", "bits-0", [layout("morton", bits=b) for b in ([0, 2, 3], [3, 2, 0])]
    )
    yield from both(
        "V-038 L-024", "INVALID_LAYOUT", "bits", [layout("morton", bits=b) for b in ([2, 2, 3], [3, 1, 3], [3, 2, 2])]
    )
    yield from both(
        "V-039 L-024",
        "OVERFLOW",
        "bits",
        [layout("morton", bits=b) for b in ([22, 22, 22], [3, 2, 23], [NONE32, 2, 3])],
    )
    yield from both("V-040 L-026", "INVALID_LAYOUT", "sorted", [layout("coo", is_sorted=n) for n in range(2, 256)])
    yield from both(
        "V-041 L-006",
        "INVALID_LAYOUT",
        "reserved",
        [
            layout(name, reserved=bytes(k) + b"\x01" + bytes(size - 1 - k))
            for name, size in (("coo", 7), ("csr", 8), ("csc", 8), ("csf", 8))
            for k in range(size)
        ],
    )
    dense = [buffer(2**20)]
    yield from both(
        "V-042 L-028",
        "INVALID_LAYOUT",
        "nnz",
        [
            {**layout(name, nnz=n), "buffers": dense * k}
            for name, n, k in (("coo", 25, 2), ("csr", 25, 3), ("csc", 25, 3), ("csf", 61, 7))
        ],
    )
    yield from both(
        "V-042 L-028",
        "INVALID_LAYOUT",
        "nnz-empty",
        descriptor("int8", [0, 3], {"tag": "csr", "nnz": 1}, buffers=dense * 3),
    )
    yield from both(
        "V-046 L-027",
        "INVALID_LAYOUT",
        "modes",
        [layout("csf", mode_order=m) for m in ([0, 0, 1], [1, 2, 3], [2, 2, 2], [0, 1, NONE32])],
    )
    yield from both("V-048 L-037", "INVALID_LAYOUT", "page-size", layout("block_paged", page_size=0))
    yield from both(
        "V-049 L-037", "INVALID_LAYOUT", "axis", [layout("block_paged", paged_axis=n) for n in (1, 2, NONE32)]
    )
    yield from both("V-050 L-037", "INVALID_LAYOUT", "role", [layout("block_paged", kv_role=n) for n in range(3, 256)])
    yield from both(
        "V-051 L-037",
        "INVALID_LAYOUT",
        "index-type",
        [layout("block_paged", block_table_index_type=n) for n in range(2, 256)],
    )
    yield from both(
        "V-052 L-006",
        "INVALID_LAYOUT",
        "reserved",
        [layout("block_paged", reserved=bytes(k) + b"\x01" + bytes(5 - k)) for k in range(6)],
    )
    box: D = {"parent_shape": [20, 20, 20], "offset": [0, 0, 0]}
    yield from both("V-053 L-036", "INVALID_LAYOUT", "shard", family("block_paged", shard=box))
    yield from both("V-054 L-036", "INVALID_LAYOUT", "shard", family("csf", shard=box))
    yield from both("V-065 L-025", "INVALID_LAYOUT", "order", layout("hilbert", order=0))
    yield from both("V-066 L-025", "INVALID_LAYOUT", "rank", [layout("hilbert", rank=n) for n in (0, 1)])
    yield from both("V-067 L-025", "INVALID_LAYOUT", "rank", [layout("hilbert", rank=n) for n in (3, 64, NONE32)])
    yield from both(
        "V-068 L-025",
        "INVALID_LAYOUT",
        "shape",
        [{**family("hilbert"), "shape": s} for s in ([4, 3], [3, 4], [8, 4], [2, 2])],
    )
    cube = [descriptor("int8", [2**n, 2**n], {"tag": "hilbert", "order": n, "rank": 2}, buffers=wide) for n in (32, 63)]
    yield from both(
        "V-069 L-025",
        "OVERFLOW",
        "order",
        [*cube, descriptor("int8", [DYNAMIC] * 2, {"tag": "hilbert", "order": 64, "rank": 2}, buffers=wide)],
    )
    large = [buffer(HUGE)]
    yield from both(
        "V-071 L-028",
        "OVERFLOW",
        "sizes",
        [
            descriptor("int8", [2**62, 8], {"tag": "coo", "nnz": 2**61, "is_sorted": 0}, buffers=large * 2),
            descriptor("int8", [2**62, 8], {"tag": "csr", "nnz": 2**61}, buffers=large * 3),
            descriptor("int8", [2**61, 1], {"tag": "csr", "nnz": 1}, buffers=large * 3),
            descriptor("int8", [1, 2**61], {"tag": "csc", "nnz": 1}, buffers=large * 3),
            descriptor("float64", [2**62, 8], {"tag": "coo", "nnz": 2**61, "is_sorted": 0}, buffers=large * 2),
        ],
    )
    yield from both(
        "V-072 L-038",
        "OVERFLOW",
        "pool",
        [layout("block_paged", num_pages=n, page_size=p) for n, p in ((2**62, 3), (2**40, 2**30), (HUGE, 1))],
    )
    few = family("block_paged")["buffers"]
    yield from both(
        "V-073 L-040",
        "INVALID_LAYOUT",
        "table",
        [{**family("block_paged"), "buffers": [few[0], buffer(n), few[2]]} for n in (0, 4, 12, 15)],
    )
