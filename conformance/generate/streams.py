"""Streams in both forms: read, written, refused."""

from __future__ import annotations

import struct
from typing import Any

from . import form, wire, writers
from .files import quantized, sections
from .items import composite, dense, group, nested, overlay, part, partition, tensor
from .samples import FAMILIES, D, descriptor
from .sizes import buffer

FRAME = 256 * 1024


def bare(item: D) -> bytes:
    """An item in the bare form."""
    if "members" in item:
        return wire.encode(item["composite"]) + b"".join(map(bare, item["members"]))
    return wire.encode(item["tensor"]) + b"".join(item["data"])


def message(kind: int, stream: int, payload: bytes, length: int | None = None) -> bytes:
    """A message of the framed form."""
    return struct.pack("<III", kind, stream, len(payload) if length is None else length) + payload


def opening(d: bytes, total: int, stream: int = 1, index: int = 0, shards: int = 1) -> bytes:
    """TENSOR_DESCRIPTOR."""
    return message(4, stream, d + struct.pack("<QII", total, index, shards))


def framed(item: D, stream: int = 1, piece: int = FRAME) -> bytes:
    """An item in the framed form; no frame holds bytes of two buffers."""
    if "members" in item:
        out = opening(wire.encode(item["composite"]), 0, stream) + message(6, stream, b"")
        return out + b"".join(framed(one, stream, piece) for one in item["members"])
    data = item["data"]
    out = opening(wire.encode(item["tensor"]), sum(map(len, data)), stream)
    at = 0
    for one in data:
        for start in range(0, len(one), piece):
            out += message(5, stream, struct.pack("<Q", at + start) + one[start : start + piece])
        at += len(one)
    return out + message(6, stream, b"")


def shown(items: list[D], stream: int = 0) -> list[D]:
    """What a reader shows of them."""
    return [{"stream_id": stream, "item": form.read_item(one)} for one in items]


def read(
    name: str,
    data: bytes,
    items: list[D],
    stream: int = 0,
    rules: str = "",
    status: str = "OK",
    chunk: int = 0,
    **options: int,
) -> D:
    """A stream to be read, whole or in pieces; items that come before a failure too."""
    request = {"op": "read_stream", "bytes": data.hex(), "chunk": chunk, "options": options}
    return {
        "id": f"streams/{name}",
        "rules": rules.split(),
        "request": request,
        "expect": {"status": status, "items": shown(items, stream)},
    }


def round_trip(name: str, items: list[D]) -> list[D]:
    """Both forms, each read and written."""
    given = [form.given_item(one) for one in items]
    cases = []
    for kind, data, stream in (("bare", b"".join(map(bare, items)), 0), ("framed", b"".join(map(framed, items)), 1)):
        cases.append(read(f"{kind}-{name}", data, items, stream))
        cases.append(read(f"{kind}-{name}-by-7", data, items, stream, chunk=7))
        request = {
            "op": "write_stream",
            "items": given,
            "form": kind,
            "stream_id": 1,
            "max_message_size": 0,
            "options": {},
        }
        cases.append(
            {"id": f"streams/write-{kind}-{name}", "request": request, "expect": {"status": "OK", "bytes": data.hex()}}
        )
    return cases


def valid() -> list[D]:
    """Streams that are right."""
    cases = round_trip("empty", [])
    for name in FAMILIES:
        if name != "composite":
            cases += round_trip(name, [tensor(name)])
    cases += round_trip("types", [dense(dtype, [3, 5]) for dtype in wire.TYPES])
    for name, item in (("partition", partition()), ("overlay", overlay()), ("group", group()), ("nested", nested())):
        cases += round_trip(name, [item, dense("int8", [2])])
    cases += round_trip("quantized", [one for _, one in quantized()])
    cases += round_trip("sections", [one for _, one in sections()])
    cases += round_trip("empty-tensors", [dense("float32", [0]), dense("float64", [3, 0]), tensor("coo")])
    x, y = dense("float32", [2, 3]), dense("int8", [100])
    cases.append(read("bare-by-1", bare(x) + bare(y), [x, y], chunk=1))
    cases.append(read("framed-by-1", framed(x) + framed(y), [x, y], 1, chunk=1))
    cases.append(read("framed-pieces", framed(x, piece=5) + framed(y, piece=64), [x, y], 1))
    ping = message(10, 7, b"echo") + message(11, 9, b"") + message(10, 1, b"")
    cases.append(read("framed-pings", ping + framed(x) + ping + framed(y) + ping, [x, y], 1))
    two = [opening(wire.encode(one["tensor"]), len(one["data"][0]), k) for k, one in ((5, x), (6, y))]
    ends = [message(5, k, bytes(8) + one["data"][0]) + message(6, k, b"") for k, one in ((5, x), (6, y))]
    mixed = {"op": "read_stream", "bytes": (two[0] + two[1] + ends[1] + ends[0]).hex(), "chunk": 0, "options": {}}
    cases.append(
        {
            "id": "streams/framed-interleaved",
            "rules": [],
            "request": mixed,
            "expect": {"status": "OK", "items": shown([y], 6) + shown([x], 5)},
        }
    )
    whole = message(5, 1, bytes(8) + tensor("csr")["data"][0] + tensor("csr")["data"][1] + tensor("csr")["data"][2])
    csr = tensor("csr")
    cases.append(
        read(
            "framed-across-buffers",
            opening(wire.encode(csr["tensor"]), sum(map(len, csr["data"]))) + whole + message(6, 1, b""),
            [csr],
            1,
            "S-113",
        )
    )
    minor = {**x["tensor"], "version": [1, 1], "tail": b"\x05"}
    cases.append(read("bare-minor-1", bare({**x, "tensor": minor}), [{**x, "tensor": minor}], rules="S-003"))
    magic = dense("uint8", [12])
    magic["data"] = [b"HRRYHRRYHRRY"]
    cases.append(read("bare-magic-in-data", bare(magic) + bare(x), [magic, x]))
    return cases


def bare_rules() -> list[D]:
    """Rules of the bare form."""
    x, y = dense("float32", [2, 3]), dense("int8", [5])
    data = bare(x)
    n = len(wire.encode(x["tensor"]))
    cases = [
        read(f"S-001-cut-{k}", (bare(y) + data)[: len(bare(y)) + k], [y], rules="S-001", status="ERR_TRUNCATED")
        for k in (1, 4, 5, 9, 10, 11, n - 1, n, n + 1, len(data) - 1)
    ]
    cases += [
        read("S-002-padding", bare(y) + bytes(3) + data, [y], rules="S-002", status="ERR_INVALID_MAGIC"),
        read("S-002-fourth-byte", b"HRRZ", [], rules="S-002", status="ERR_INVALID_MAGIC"),
        read("S-003-major-2", b"HRRY\x02", [], rules="S-003", status="ERR_VERSION_MISMATCH"),
        read("S-003-major-0", b"HRRY\x00\x00" + data[6:], [], rules="S-003", status="ERR_VERSION_MISMATCH"),
        read("S-003-file", b"HRRYFILE" + bytes(100), [], rules="S-003", status="ERR_VERSION_MISMATCH"),
        read(
            "S-004-length",
            data[:6] + struct.pack("<I", 19) + data[10:],
            [],
            rules="S-004",
            status="ERR_INVALID_DESCRIPTOR",
        ),
        read(
            "S-005-length",
            data[:6] + struct.pack("<I", 2**24 + 1) + data[10:],
            [],
            rules="S-005",
            status="ERR_LIMIT_EXCEEDED",
        ),
        read("S-005-option", bare(y) + data, [y], rules="S-005", status="ERR_LIMIT_EXCEEDED", max_descriptor_bytes=60),
        read("S-005-option-kept", bare(y) + data, [y, x], rules="S-005", max_descriptor_bytes=61),
        read(
            "S-006-type", bare(y) + data[:14] + b"\0" + data[15:], [y], rules="S-006 V-013", status="ERR_INVALID_TYPE"
        ),
        read("S-007-buffer", bare(y) + data, [y], rules="S-007", status="ERR_LIMIT_EXCEEDED", max_buffer_bytes=23),
        read("S-007-buffer-kept", data, [x], rules="S-007", max_buffer_bytes=24),
        read(
            "S-007-huge",
            bare({"tensor": descriptor("int8", [1], buffers=[buffer(2**62)]), "data": []}),
            [],
            rules="S-007 S-001",
            status="ERR_TRUNCATED",
        ),
        read("S-008-event", device("event"), [], rules="S-008 B-010", status="ERR_INVALID_SYNC_MODE", cross_machine=1),
        read(
            "S-009-torn",
            bare(partition())[: -len(bare(partition()["members"][3]))],
            [],
            rules="S-009 L-067",
            status="ERR_TORN",
        ),
        read("S-009-head-alone", wire.encode(group()["composite"]), [], rules="S-009 V-167", status="ERR_TORN"),
        read(
            "S-009-huge",
            wire.encode(composite("group", [], [1])["composite"])[:-5] + struct.pack("<I", 2**20) + b"\0",
            [],
            rules="S-009",
            status="ERR_TORN",
        ),
        read("S-010-depth", deep(9), [], rules="S-010 L-064 V-168", status="ERR_LIMIT_EXCEEDED"),
        read("S-010-depth-option", deep(3), [], rules="S-010", status="ERR_LIMIT_EXCEEDED", max_composite_depth=2),
    ]
    item: D = composite("group", [], [0])
    for _ in range(7):
        item = composite("group", [item], [0])
    cases.append(read("S-010-depth-kept", deep(8), [item], rules="S-010 V-168"))
    return cases


def device(sync: str) -> bytes:
    """A tensor on a device, as a stream holds it."""
    return bare({"tensor": descriptor("float32", [2], place={"device": "cuda", "sync_mode": sync}), "data": [bytes(8)]})


def deep(levels: int) -> bytes:
    """Groups in groups, the last one empty."""
    heads = [composite("group", [{}] * (0 if k == levels - 1 else 1), [0])["composite"] for k in range(levels)]
    return b"".join(map(wire.encode, heads))


def composites() -> list[D]:
    """Members against their heads."""

    def bad(rules: str, name: str, item: D, status: str = "ERR_INVALID_LAYOUT") -> D:
        return read(f"{rules.split()[0]}-{name}", bare(item), [], rules=rules + " S-011", status=status)

    p = [6, 6]
    four = partition()["members"]
    base, one, two = overlay()["members"]
    outside = descriptor("float32", [4, 4], shard={"parent_shape": [7, 7], "offset": [3, 3]})
    no_role = {k: v for k, v in base["tensor"].items() if k != "member_role"}

    def over(members: list[D], op: str = "replace") -> D:
        return composite("overlay", members, [4, 4], op=op)

    cases = [
        bad("L-057 V-160", "no-shard", composite("partition", [dense("float32", [6, 6])], p)),
        bad("L-058 V-161", "parent", composite("partition", [part([6, 6], [6, 7], [0, 0])], p)),
        bad("L-058 V-161", "parent-larger", composite("partition", [{"tensor": outside, "data": [bytes(64)]}], p)),
        bad("L-060 V-162", "type", composite("partition", [part([6, 6], p, [0, 0], "float64")], p)),
        bad(
            "L-061 V-163", "role-in-partition", composite("partition", [part([6, 6], p, [0, 0], member_role="base")], p)
        ),
        bad("L-061 V-163", "role-in-group", composite("group", [dense("int8", [1], member_role="base")], p)),
        bad("L-061 V-163", "no-role", over([{**base, "tensor": no_role}])),
        bad("L-062 V-164", "first-correction", over([one, two])),
        bad("L-062 V-164", "two-bases", over([base, {**base}])),
        bad("L-063 V-165", "small-base", over([part([2, 4], [4, 4], [0, 0], member_role="base")])),
        bad("L-064", "head-in-overlay", over([base, composite("group", [], [0])])),
        bad("L-066 V-166", "gap", composite("partition", four[:3], p)),
        bad("L-066 V-166", "overlap", composite("partition", [*four[:3], four[0]], p)),
        bad("L-066 V-166", "empty-partition", composite("partition", [], [1])),
        bad("L-066 V-166", "volume", composite("partition", [part([1, 1], [2**33, 2**33], [0, 0])], [2**33, 2**33])),
        read(
            "L-066-empty-kept",
            bare(composite("partition", [], [0, 3])),
            [composite("partition", [], [0, 3])],
            rules="L-066",
        ),
        read("L-062-kept", bare(overlay("add")), [overlay("add")], rules="L-062 L-063 V-164"),
    ]
    return cases


def framed_rules() -> list[D]:
    """Rules of the framed form."""
    x, y = dense("float32", [2, 3]), dense("int8", [5])
    d, data = wire.encode(x["tensor"]), x["data"][0]
    start, end = opening(d, 24), message(6, 1, b"")
    body = message(5, 1, bytes(8) + data)
    ok = framed(y)

    def bad(rules: str, name: str, status: str, tail: bytes, items: list[D] | None = None, **options: Any) -> D:
        return read(
            f"{rules.split()[0]}-{name}",
            ok + tail,
            [y] if items is None else items,
            1,
            rules,
            f"ERR_{status}",
            **options,
        )

    def at(offset: int, some: bytes) -> bytes:
        return message(5, 1, struct.pack("<Q", offset) + some)

    event = wire.encode(descriptor("float32", [2], place={"device": "cuda", "sync_mode": "event"}))
    ping = message(10, 1, b"")
    error = message(9, 1, struct.pack("<II", 6, 2) + b"no")
    by = (("", 0), ("-by-1", 1), ("-by-7", 7), ("-by-50", 50))
    cases = [bad("S-101", f"cut-{n}", "TRUNCATED", (ping + ping)[: 12 + n]) for n in (1, 4, 11)]
    cases += [
        bad("S-102", f"type-{n:x}", "CORRUPT", message(n, 1, b""))
        for n in (0, 14, 0xEF, 0xF0, 0xFE, 0xFF, 0x100, 2**32 - 1)
    ]
    cases += [bad("S-103", f"id-0-{n}", "CORRUPT", message(n, 0, b"")) for n in (4, 5, 6)]
    cases += [
        bad("S-104", "length", "LIMIT_EXCEEDED", message(4, 1, b"", 2**24 + 17)),
        bad("S-104", "length-max", "LIMIT_EXCEEDED", message(9, 1, b"", 2**32 - 1)),
        bad("S-105", "short", "CORRUPT", message(4, 1, d[:35])),
        bad("S-105", "long", "CORRUPT", message(4, 1, d + bytes(17))),
        bad("S-106", "magic", "INVALID_MAGIC", message(4, 1, b"HRRZ" + d[4:] + struct.pack("<QII", 24, 0, 1))),
        bad("S-106", "major", "VERSION_MISMATCH", opening(b"HRRY\x02" + d[5:], 24)),
        bad("S-106 V-013", "type", "INVALID_TYPE", opening(d[:14] + b"\xff" + d[15:], 24)),
        bad("S-107", "total", "CORRUPT", opening(d, 23)),
        bad("S-107", "total-more", "CORRUPT", opening(d, 2**64 - 1)),
        bad("S-108", "no-shards", "CORRUPT", opening(d, 24, shards=0)),
        bad("S-108", "index", "CORRUPT", opening(d, 24, index=1)),
        bad("S-109 B-010", "event", "INVALID_SYNC_MODE", opening(event, 8), cross_machine=1),
        bad("S-110", "twice", "CORRUPT", start + start),
        bad("S-111", "data", "CORRUPT", body),
        bad("S-111", "end", "CORRUPT", end),
        bad("S-112", "empty", "CORRUPT", start + message(5, 1, bytes(8))),
        bad("S-112", "short", "CORRUPT", start + message(5, 1, bytes(3))),
        bad("S-113", "gap", "CORRUPT", start + at(0, data[:8]) + at(9, data[9:])),
        bad("S-113", "repeat", "CORRUPT", start + at(0, data[:8]) + at(0, data[:8])),
        bad("S-113", "reorder", "CORRUPT", start + at(8, data[8:])),
        bad("S-114", "beyond", "CORRUPT", start + at(0, data + b"\0")),
        bad("S-115", "data-of-none", "CORRUPT", opening(wire.encode(descriptor("int8", [0])), 0) + at(0, b"\0")),
        bad("S-116", "end", "CORRUPT", start + body + message(6, 1, b"\0")),
        bad("S-117", "early", "CORRUPT", start + at(0, data[:23]) + end),
        # The peer's error is what a reader tells, however much of what comes behind it was read with it.
        *(bad("S-118", f"after-error{name}", "UNSUPPORTED", error + start, chunk=n) for name, n in by),
        read("framed-peer-error", ok + error, [y], 1, status="ERR_UNSUPPORTED"),
        bad("S-119", "length", "CORRUPT", message(9, 1, struct.pack("<II", 6, 3) + b"no")),
        bad("S-119", "text", "CORRUPT", message(9, 1, struct.pack("<II", 6, 2) + b"\xff\xfe")),
        bad("S-120", "cut", "TRUNCATED", start),
        bad("S-120", "cut-data", "TRUNCATED", start + at(0, data[:8])),
        bad("S-121", "torn", "TORN", opening(wire.encode(group()["composite"]), 0) + end),
        bad("S-122", "depth", "LIMIT_EXCEEDED", b"".join(opening(one, 0) + end for one in heads(9))),
        bad(
            "S-123 L-057 V-160", "rules", "INVALID_LAYOUT", framed(composite("partition", [dense("float32", [2])], [2]))
        ),
        bad("S-124", "limit", "LIMIT_EXCEEDED", start + body + end, max_buffer_bytes=23),
    ]
    return cases


def heads(levels: int) -> list[bytes]:
    """Heads of groups in groups."""
    return [wire.encode(composite("group", [{}], [0])["composite"]) for _ in range(levels)]


def parts(item: D) -> list[D]:
    """An item as a flat reader gives it."""
    if "members" not in item:
        return [item]
    return [{"descriptor": item["composite"], "data": None}, *(one for each in item["members"] for one in parts(each))]


def alone() -> list[D]:
    """Descriptors that come without a tensor: unknown layouts (section 1), and composites part by part."""
    x, y = dense("float32", [2, 3]), dense("int8", [5])
    rest = bytes(range(9))
    layout = {"tag": 0x3F, "unknown_data": rest}
    d: D = {"dtype": "float32", "shape": [2, 3], "layout": layout, "rest": rest, "byte_offset": 7}
    encoded, data = wire.encode(d), bytes(range(100))
    message_of = opening(encoded, 100) + message(5, 1, bytes(8) + data) + message(6, 1, b"")
    none = opening(encoded, 0) + message(6, 1, b"")
    without: D = {"descriptor": d, "data": None}
    found = [x, {**without, "data": data}, {**without, "data": b""}, y]
    cases = []
    for by, chunk in (("", 0), ("-by-7", 7)):
        stream = framed(x) + message_of + none + framed(y)
        cases.append(read(f"permissive-framed-layout{by}", stream, found, 1, "S-106", chunk=chunk, permissive=1))
        rules, status = "S-006", "ERR_UNSUPPORTED"
        stream = bare(x) + encoded + data + bare(y)
        cases.append(
            read(f"permissive-bare-layout{by}", stream, [x, without], 0, rules, status, chunk=chunk, permissive=1)
        )
    head = composite("group", [x, {}, y], [0])["composite"]
    stream = wire.encode(head) + bare(x) + encoded + data + bare(y)
    cases.append(read("permissive-bare-member", stream, [x, without], 0, "S-006", "ERR_UNSUPPORTED", permissive=1))
    stream = opening(wire.encode(head), 0) + message(6, 1, b"") + framed(x) + message_of + framed(y)
    cases.append(read("permissive-framed-member", stream, [x, without], 1, "S-106", "ERR_UNSUPPORTED", permissive=1))
    cases.append(read("framed-strict-layout", message_of, [], 1, "V-019 S-106", "ERR_INVALID_LAYOUT"))
    for name, item in (("partition", partition()), ("overlay", overlay()), ("group", group()), ("nested", nested())):
        for kind, write, stream_id in (("bare", bare, 0), ("framed", framed, 1)):
            items = [y, *parts(item), x]
            cases.append(read(f"flat-{kind}-{name}", write(y) + write(item) + write(x), items, stream_id, flat=1))
    torn, last = bare(partition()), bare(partition()["members"][3])
    items = parts(partition())[:-1]
    cases.append(read("flat-torn", torn[: -len(last)], items, 0, "S-009", "ERR_TORN", flat=1))
    return cases


def cases() -> dict[str, list[Any]]:
    """All, in files."""
    return {
        "valid": valid(),
        "bare": bare_rules(),
        "composites": composites(),
        "framed": framed_rules(),
        "alone": alone(),
        "writers": writers.streams({"bare": bare, "framed": framed}),
    }
