"""Files: read, written, refused. Every language is given the same bad files and must answer alike (pitfall B61)."""

from __future__ import annotations

import struct
from typing import Any

from . import form, wire, writers
from .container import Container, container, kv_section
from .items import composite, dense, group, nested, overlay, partition, tensor
from .samples import FAMILIES, D, blocks, extension, per_block, per_channel, per_tensor

# Files as bytes, by name; the cases refer to them.
BINARIES: dict[str, bytes] = {}


def kv(key: str, kind: str, value: Any, array: bool = False) -> D:
    """A key-value pair."""
    return {"key": key, "type": kind, "array": array, "value": value}


ALL_KV = [
    kv("text", "string", "häagen 東京 🦀"),
    kv("empty", "string", ""),
    kv("low", "int64", -(2**63)),
    kv("high", "uint64", 2**64 - 1),
    kv("real", "float64", -0.5),
    kv("infinite", "float64", float("inf")),
    kv("yes", "bool", True),
    kv("no", "bool", False),
    kv("raw", "bytes", b"\x00\xff\x80"),
    kv("no bytes", "bytes", b""),
    kv("texts", "string", ["a", "", "ß"], True),
    kv("ints", "int64", [-1, 0, 2**63 - 1], True),
    kv("counts", "uint64", [0, 2**64 - 1], True),
    kv("reals", "float64", [1.5, float("-inf")], True),
    kv("truths", "bool", [True, False, True], True),
    kv("raws", "bytes", [b"", b"\x01"], True),
    kv("nothing", "int64", [], True),
    kv("no texts", "string", [], True),
    kv("Key", "int64", 1),
    kv("key", "int64", 2),
]


def kv_form(entry: D) -> D:
    """A pair in its JSON form."""

    def one(value: Any) -> Any:
        if entry["type"] in ("int64", "uint64"):
            return str(value)
        if entry["type"] == "float64":
            return form.real(value)
        return value.hex() if isinstance(value, bytes) else value

    value = [one(v) for v in entry["value"]] if entry["array"] else one(entry["value"])
    return {**entry, "value": value}


def flat(name: str, item: D) -> list[tuple[str, D]]:
    """An item's entries in writing order."""
    out = [(name, item)]
    for k, member in enumerate(item.get("members", [])):
        out += flat(f"{name}.{k}", member)
    return out


def expect(items: list[tuple[str, D]], pairs: list[D] | None, sort: bool = False) -> D:
    """What a reader shows of a file."""
    entries = [one for name, item in items for one in flat(name, item)]
    if sort:
        entries.sort(key=lambda one: one[0].encode())
    shown = [{"name": name, "item": form.read_item(item)} for name, item in entries]
    return {
        "status": "OK",
        "entries": shown,
        "items": [name for name, _ in items],
        "kv": [kv_form(p) for p in pairs or []],
    }


def stored(name: str, data: bytes) -> str:
    """Keeps a file; its path as a case gives it."""
    assert BINARIES.setdefault(f"files/{name}.hrry", data) == data
    return f"${{FIXTURES}}/files/{name}.hrry"


def read(name: str, data: bytes, expected: D, rules: str = "", **options: int) -> D:
    """A file to be read."""
    request = {"op": "read_file", "path": stored(name, data), "options": options}
    return {"id": f"files/{name}", "rules": rules.split(), "request": request, "expect": expected}


def written(
    name: str, items: list[tuple[str, D]], pairs: list[D] | None = None, sort: bool = False, **more: Any
) -> list[D]:
    """A file to be read, and to be written byte for byte."""
    data = container(items, pairs, sort, **more).pack()
    options: D = {"sorted_index": 1} if sort else {}
    if "alignment" in more:
        options["data_alignment"] = more["alignment"]
    entries = [{"name": n, "item": form.given_item(item)} for n, item in items]
    request = {
        "op": "write_file",
        "path": "${OUT}/file.hrry",
        "entries": entries,
        "kv": [kv_form(p) for p in pairs or []],
        "options": options,
    }
    expected = {"status": "OK", "file": {"path": "${OUT}/file.hrry", "same_as": stored(name, data)}}
    return [
        read(name, data, expect(items, pairs, sort)),
        {"id": f"files/write-{name}", "request": request, "expect": expected},
    ]


def quantized() -> list[tuple[str, D]]:
    """One tensor of each scheme."""
    found = [
        ("per tensor", dense("int8", [2, 3], quantization=per_tensor(0.25, -3))),
        ("per channel", dense("uint8", [2, 3], quantization=per_channel(1, 1, 2))),
        ("per block", dense("int4", [2, 6], quantization=per_block(1, 2, 1, scale_type="float16"))),
        ("nf4", dense("uint4", [16], quantization=blocks("nf4", 0, 8, 1))),
        ("mxfp", dense("float4_e2m1", [1, 32], quantization=blocks("mxfp", 1, 16, 1))),
    ]
    return found


def sections() -> list[tuple[str, D]]:
    """One tensor of each optional section."""
    private = dense("int8", [5])
    private["tensor"] |= {"dtype": 0xF1, "extension_type": extension(8, is_signed=True)}
    shard = {"parent_shape": [4, 3], "offset": [2, 0]}
    statistics = {"nnz": 6, "mean": 0.5, "stddev": 1.5, "nm_n": 1, "nm_m": 2, "has_nan": False, "has_inf": True}
    return [
        ("shard", dense("float32", [2, 3], shard=shard)),
        ("statistics", dense("float64", [2, 3], statistics=statistics)),
        ("type", private),
    ]


def valid() -> list[D]:
    """Files that are right."""
    cases = written("empty", [])
    for name in FAMILIES:
        if name != "composite":
            cases += written(name, [("x", tensor(name))])
    for name, item in (
        ("partition", partition()),
        ("overlay", overlay()),
        ("overlay-add", overlay("add")),
        ("group", group()),
        ("nested", nested()),
    ):
        cases += written(name, [("c", item)])
    cases += written("quantized", quantized())
    types = [(dtype, dense(dtype, [3, 5])) for dtype in wire.TYPES]
    half = len(types) // 2
    cases += written("types", types[:half]) + written("more-types", types[half:])
    cases += written(
        "names",
        [
            (name, dense("uint8", [2], seed=name))
            for name in ("b", "B", "a/b.c", " ", "\u00e9", "e\u0301", "日本", "x" * 300, "nul\0nul")
        ],
    )
    cases += written(
        "sorted", [(name, dense("uint8", [2], seed=name)) for name in ("b", "é", "B", "a", "aa")], sort=True
    )
    cases += written("sorted-composite", [("z", dense("uint8", [1])), ("c", group())], sort=True)
    cases += written("sections", sections())
    for name, item in writers.kept():
        cases += [{**case, "rules": [name[:5]]} for case in written(name, [("x", item)])]
    cases += written("kv", [("x", dense("int16", [3]))], ALL_KV)
    cases += written("kv-alone", [], [kv("k", "bool", True)])
    cases += written(
        "kv-sorted",
        [("b", dense("int16", [3])), ("a", dense("int16", [2]))],
        [kv("z", "int64", 1), kv("a", "int64", 2)],
        sort=True,
    )
    cases += written(
        "alignment-16384", [("x", dense("float32", [2, 3])), ("y", dense("float64", [3]))], alignment=16384
    )
    cases += written(
        "empty-tensors", [("a", dense("float32", [0])), ("b", dense("float32", [3, 0, 5])), ("c", tensor("csr"))]
    )
    # What others write: read, never written here.
    for number, (dtype, item) in enumerate(types[::5]):
        cases.append(
            read(f"type-{dtype}", container([(f"t{number}", item)]).pack(), expect([(f"t{number}", item)], None))
        )
    x = dense("float32", [2, 3])
    pair = [("x", x), ("y", dense("int8", [5]))]
    plain = expect(pair, None)
    cases.append(read("no-crc", container(pair, flags=0).pack(), plain, "F-017 F-018"))
    cases.append(read("hint-wrong", container(pair, hint=77).pack(), plain))
    unflagged = container(pair, ALL_KV[:3])
    unflagged.flags &= ~1
    cases.append(read("kv-unflagged", unflagged.pack(), expect(pair, ALL_KV[:3]), "F-020"))
    cases.append(read("kv-empty-section", container(pair, []).pack(), plain))
    cases.append(
        read(
            "minor-1",
            container(pair, version=(1, 1), reserved=b"\x01\x02", reserved_end=b"\x07" * 28).pack(),
            plain,
            "F-003 F-004 F-009",
        )
    )
    cases.append(read("gap", container(pair, trailer={"gap": bytes(24)}).pack(), plain))
    padded = container(pair)
    padded.region += bytes(-len(padded.region) - 64 & 4095)
    cases.append(read("padded-tail", padded.pack(), plain))
    late = Container(first=128)
    late.region = bytearray(64)
    for name, item in pair:
        late.add(name, item)
    cases.append(read("first-at-128", late.pack(), plain, "F-007 F-008"))
    nul = container([("x", x)])
    nul.entries[0].name = b"\0"
    cases.append(read("name-nul", nul.pack(), expect([("\0", x)], None), "F-032"))
    missing = {"op": "read_file", "path": "${OUT}/missing.hrry", "options": {}}
    cases.append({"id": "files/no-such-file", "request": missing, "expect": {"status": "ERR_IO"}})
    nowhere = {"op": "write_file", "path": "${OUT}/missing/x.hrry", "entries": [], "kv": [], "options": {}}
    cases.append({"id": "files/write-no-such-folder", "request": nowhere, "expect": {"status": "ERR_IO"}})
    cases.append(read("reverse-index", reverse(pair).pack(), {**plain, "entries": plain["entries"][::-1]}))
    return cases


def reverse(items: list[tuple[str, D]]) -> Container:
    """A file whose index is in another order than its data."""
    found = container(items)
    found.entries.reverse()
    return found


def head(count: int = 0, rule: str = "group", shape: list[int] | None = None) -> bytes:
    """The head of a composite: an entry that needs no padding."""
    return wire.encode(composite(rule, [{}] * count, shape or [0])["composite"])


def heads(*names: str, **fields: Any) -> Container:
    """A small file: empty groups, and nothing else."""
    found = Container(**fields)
    for name in names:
        found.place(name, head(), [], head=True)
    return found


def bad(rules: str, status: str, name: str, data: bytes, **options: int) -> D:
    """A file that is refused."""
    ids = rules.split()
    request = {"op": "read_file", "bytes": data.hex(), "options": options}
    return {"id": f"files/{ids[0]}-{name}", "rules": ids, "request": request, "expect": {"status": f"ERR_{status}"}}


def bads(rules: str, status: str, name: str, inputs: list[bytes], **options: int) -> D:
    """Files that are refused alike."""
    ids = rules.split()
    request = {"op": "batch", "what": "read_file", "inputs": [one.hex() for one in inputs], "options": options}
    return {
        "id": f"files/{ids[0]}-{name}",
        "rules": ids,
        "request": request,
        "expect": {"status": "OK", "statuses": [f"ERR_{status}"] * len(inputs)},
    }


def structure() -> list[D]:
    """Rules of header, trailer and index."""
    empty, two = Container().pack(), heads("a", "b").pack()
    cases = [
        bads("F-001", "TRUNCATED", "short", [empty[:n] for n in (0, 7, 8, 63, 64, 103)]),
        bads(
            "F-002", "INVALID_MAGIC", "magic", [Container(magic=m).pack() for m in (b"HRRYFILF", b"hRRYFILE", bytes(8))]
        ),
        bads("F-003", "VERSION_MISMATCH", "major", [Container(version=(n, 0)).pack() for n in (0, 2, 255)]),
        bads("F-004", "CORRUPT", "reserved", [Container(reserved=r).pack() for r in (b"\x01\x00", b"\x00\x01")]),
        bads("F-005", "CORRUPT", "flags", [Container(flags=4 | 1 << bit).pack() for bit in range(3, 32)]),
        bads(
            "F-005",
            "CORRUPT",
            "flags-minor-1",
            [Container(flags=4 | 1 << bit, version=(1, 1)).pack() for bit in range(3, 32)],
            permissive=1,
        ),
        bads(
            "F-006",
            "CORRUPT",
            "alignment",
            [Container(alignment=n).pack() for n in (0, 1, 64, 2048, 4095, 6144, 2**22, 2**31)],
        ),
        bads("F-007", "CORRUPT", "first", [heads("a", first=n).pack() for n in (0, 8, 56, 65, 68, 127)]),
        bads("F-008", "CORRUPT", "first", [heads("a", first=72).pack(), behind_a_gap().pack()]),
        bads(
            "F-009",
            "CORRUPT",
            "reserved",
            [Container(reserved_end=bytes(k) + b"\x01" + bytes(27 - k)).pack() for k in (0, 13, 27)],
        ),
        bads(
            "F-011",
            "INVALID_MAGIC",
            "trailer",
            [two[:-1], two[:-40], two + b"\0", Container(trailer={"magic": b"HRRZ"}).pack()],
        ),
        bad("F-012", "CORRUPT", "reserved", Container(trailer={"reserved": 1}).pack()),
        bads(
            "F-013",
            "CORRUPT",
            "index",
            [Container(trailer={"index_length": n}).pack() for n in (9, 49, 2**63, 2**64 - 64)],
        ),
        bads(
            "F-013",
            "CORRUPT",
            "index-offset",
            [Container(trailer={"index_offset": n}).pack() for n in (72, 1000, 2**64 - 8)],
        ),
        bads("F-014", "CORRUPT", "index-offset", [Container(trailer={"index_offset": n}).pack() for n in (0, 8, 56)]),
        bads(
            "F-015",
            "CORRUPT",
            "index-offset",
            [heads("abc", trailer={"index_offset": n, "index_length": 8}).pack() for n in (65, 100)],
        ),
        bads("F-016", "TRUNCATED", "index-length", [Container(trailer={"index_length": n}).pack() for n in (0, 1, 7)]),
        bad("F-017", "CORRUPT", "crc", Container(trailer={"crc": 1}).pack()),
        bad("F-017", "CORRUPT", "index", flip(two, len(two) - 41)),
        bads("F-018", "CORRUPT", "crc", [Container(flags=0, trailer={"crc": n}).pack() for n in (1, 2**31)]),
        bads("F-019", "CORRUPT", "kv", [Container(trailer=t).pack() for t in ({"kv_offset": 64}, {"kv_length": 4})]),
        bad("F-020", "CORRUPT", "kv", Container(flags=5).pack()),
        bad(
            "F-021",
            "CORRUPT",
            "kv",
            Container(kv=kv_section([]), flags=5, trailer={"kv_offset": 65, "kv_length": 4}).pack(),
        ),
        bads(
            "F-022",
            "CORRUPT",
            "kv",
            [
                Container(kv=kv_section([]), flags=5, trailer={"kv_offset": o, "kv_length": n}).pack()
                for o, n in ((56, 4), (64, 2**32 - 1), (2**64 - 8, 8), (1024, 4))
            ],
        ),
        bad("F-023", "CORRUPT", "kv", Container(flags=5, trailer={"kv_offset": 64, "kv_length": 8}).pack()),
        bads("F-030", "CORRUPT", "count", [Container(count=n).pack() for n in (1, 2**32, 2**61, 2**64 - 1)]),
        bads(
            "F-031",
            "TRUNCATED",
            "entry",
            [
                heads("a", "b", index=struct.pack("<Q", 1) + b"\x64\x00" + bytes(40)).pack(),
                heads("aa", index=struct.pack("<Q", 1) + b"\x02\x00" + b"a" + bytes(32)).pack(),
            ],
        ),
        bad("F-032", "CORRUPT", "name", heads("", "abc").pack()),
        bads("F-033", "CORRUPT", "name", [named(n).pack() for n in (b"\xff", b"a\xc3", b"\xed\xa0\x80", b"\xc0\xaf")]),
        bad("F-034", "DUPLICATE", "name", heads("a", "b", "a").pack()),
        bad("F-034", "DUPLICATE", "name-permissive", heads("a", "b", "a").pack(), permissive=1),
        bads("F-035", "CORRUPT", "flags", [entry(flags=n).pack() for n in (1, 2**31)]),
        bad("F-036", "CORRUPT", "rest", heads("a", index=struct.pack("<Q", 0) + bytes(35)).pack()),
        bads(
            "F-037",
            "CORRUPT",
            "order",
            [heads(*names, flags=6).pack() for names in (("b", "a"), ("a", "B"), ("aa", "a"))],
        ),
    ]
    return cases


def flip(data: bytes, at: int, bit: int = 0) -> bytes:
    """The data with one bit changed."""
    return data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1 :]


def named(name: bytes) -> Container:
    """One entry of that name."""
    found = heads("a")
    found.entries[0].name = name
    return found


def entry(**fields: int) -> Container:
    """One entry, with a field of its index entry made wrong."""
    found = heads("a")
    for name, value in fields.items():
        setattr(found.entries[0], name, value)
    return found


def tensor_file(**fields: int) -> Container:
    """A file of one tensor of 24 bytes, with a field of its index entry made wrong."""
    found = container([("x", dense("float32", [2, 3]))])
    for name, value in fields.items():
        setattr(found.entries[0], name, value)
    return found


def behind_a_gap() -> Container:
    """Its only descriptor is not where the header says that the first one is, but further on."""
    found = Container(region=bytearray(64))
    found.place("a", head(), [], head=True)
    return found


def with_room(found: Container) -> Container:
    """The same with bytes of nobody behind its last entry, so that one that says too much does not leave the file."""
    found.region += bytes(128)
    return found


def roomy(**fields: int) -> Container:
    """As `tensor_file`, with room behind it."""
    return with_room(tensor_file(**fields))


def placed(data: bytes, buffers: list[bytes], **more: Any) -> Container:
    """A file of one descriptor, right or wrong."""
    found = Container(**more)
    found.place("x", data, buffers)
    return found


def entries() -> list[D]:
    """Rules of entries, their data, composites and the key-value section."""
    end = 64 + len(tensor_file().region)
    overlap = container([("x", dense("float32", [2, 3])), ("y", dense("float32", [2, 3], seed="2"))])
    overlap.entries[1].data = overlap.entries[0].data
    twice = heads("a", "b")
    twice.entries[1].descriptor = twice.entries[0].descriptor
    major = b"HRRY\x02\x00" + head()[6:]
    device = dense("float32", [2])
    cases = [
        bads("F-040", "CORRUPT", "descriptor", [entry(descriptor=n).pack() for n in (65, 68)]),
        bads("F-041", "CORRUPT", "descriptor", [entry(descriptor=n).pack() for n in (0, 56, 128, 2**63, 2**64 - 8)]),
        bads("F-042", "CORRUPT", "length", [entry(length=n).pack() for n in (0, 10, 19)]),
        bad("F-042", "LIMIT_EXCEEDED", "limit", tensor_file().pack(), max_descriptor_bytes=60),
        bads("F-043", "CORRUPT", "length", [tensor_file(length=n).pack() for n in (60, 62, 64)]),
        bad("F-044", "INVALID_MAGIC", "magic", placed(b"HRRZ" + head()[4:], []).pack()),
        bad("F-044 V-003", "VERSION_MISMATCH", "major", placed(major, []).pack()),
        bad(
            "F-044 V-013",
            "INVALID_TYPE",
            "type",
            placed(wire.encode({**device["tensor"], "dtype": 0}), device["data"]).pack(),
        ),
        bads("F-045", "CORRUPT", "data", [roomy(data=n).pack() for n in (4097, 4104, 4160)]),
        bads("F-046", "CORRUPT", "data", [tensor_file(data=n).pack() for n in (8192, 2**63, 2**64 - 4096)]),
        bads("F-046", "CORRUPT", "size", [tensor_file(size=n).pack() for n in (25, 2**63, 2**64 - 1)]),
        bads("F-047", "CORRUPT", "size", [roomy(size=n).pack() for n in (0, 23, 25, 64)]),
        bad("F-048", "CORRUPT", "data", overlap.pack()),
        bad("F-048", "CORRUPT", "descriptors", twice.pack()),
        bad("F-049", "CORRUPT", "padding", flip(tensor_file().pack(), 2000), verify=1),
        bad("F-049", "CORRUPT", "tail", flip(tensor_file().pack() + b"", 126), verify=1),
        bad("F-050", "CORRUPT", "head", with_room(entry(size=8)).pack()),
        bad("F-051", "TORN", "members", placed(head(2, shape=[1]), []).pack()),
        bad("F-051", "TORN", "member-cut", torn().pack()),
        bad("F-052", "LIMIT_EXCEEDED", "depth", deep(9).pack()),
        bad("F-052", "LIMIT_EXCEEDED", "depth-3", deep(4).pack(), max_composite_depth=3),
        bad(
            "F-053 L-057 V-160",
            "INVALID_LAYOUT",
            "no-shard",
            container([("c", composite("partition", [dense("float32", [2])], [2]))]).pack(),
        ),
        bad(
            "F-053 L-066 V-166",
            "INVALID_LAYOUT",
            "gap",
            container([("c", composite("partition", partition()["members"][:3], [6, 6]))]).pack(),
        ),
        bad(
            "F-053 L-063 V-164",
            "INVALID_LAYOUT",
            "base",
            container([("c", composite("overlay", overlay()["members"][::-1], [4, 4], op="add"))]).pack(),
        ),
    ]
    assert end < 2**13
    cases += key_values()
    cases += [read(f"depth-{n}", deep(n).pack(), deep_expect(n), "F-052") for n in (8,)]
    return cases


def deep(levels: int) -> Container:
    """Groups in groups."""
    found = Container()
    for level in range(levels):
        found.place(f"g{level}", head(0 if level == levels - 1 else 1), [], head=True)
    return found


def deep_expect(levels: int) -> D:
    """What a reader shows of them."""
    item: D = composite("group", [], [0])
    items = [item]
    for _ in range(levels - 1):
        item = composite("group", [item], [0])
        items.insert(0, item)
    shown = [{"name": f"g{k}", "item": form.read_item(one)} for k, one in enumerate(items)]
    return {"status": "OK", "entries": shown, "items": ["g0"], "kv": []}


def torn() -> Container:
    """A head of three with two members behind it."""
    found = Container()
    found.place("c", head(3, shape=[1]), [], head=True)
    for name in ("a", "b"):
        found.place(name, head(), [], head=True)
    return found


def key_values() -> list[D]:
    """Rules of the key-value section."""

    def section(data: bytes, **more: Any) -> bytes:
        return Container(kv=data, flags=5, **more).pack()

    def of(count: int, *pieces: bytes) -> bytes:
        return section(struct.pack("<I", count) + b"".join(pieces))

    true = b"\x01\x00k\x05\x01"

    def array(kind: int, count: int, data: bytes = b"") -> bytes:
        return b"\x01\x00k\x07" + bytes([kind]) + struct.pack("<I", count) + data

    return [
        bads("F-060", "CORRUPT", "count", [of(n, true) for n in (2, 2**32 - 1)]),
        bads(
            "F-061",
            "TRUNCATED",
            "field",
            [
                of(1, b"\x09\x00k\x05\x01"),
                of(1, b"\x01\x00k\x01\xff\x00\x00\x00"),
                of(1, b"\x01\x00k\x02\x00\x00"),
                of(1, b"\x01\x00k\x06\xff\xff\xff\xff"),
            ],
        ),
        bad("F-062", "CORRUPT", "key", of(1, b"\x00\x00\x05\x01" + true)),
        bads("F-063", "CORRUPT", "key", [of(1, b"\x01\x00\xff\x05\x01"), of(1, b"\x02\x00\xc3(\x05\x01")]),
        bad("F-064", "DUPLICATE", "key", of(2, true, true)),
        bads("F-065", "CORRUPT", "tag", [of(1, b"\x01\x00k" + bytes([n]) + bytes(8)) for n in (0, *range(8, 256))]),
        bads("F-066", "CORRUPT", "bool", [of(1, b"\x01\x00k\x05" + bytes([n])) for n in range(2, 256)]),
        bad("F-067", "CORRUPT", "string", of(1, b"\x01\x00k\x01\x01\x00\x00\x00\xff")),
        bads("F-068", "CORRUPT", "element", [of(1, array(n, 0)) for n in (0, 7, 8, 0xF0, 255)]),
        bads(
            "F-069",
            "CORRUPT",
            "count",
            [of(1, array(kind, n, b"\0" * 8)) for kind in range(1, 7) for n in (9, 2**32 - 1)],
        ),
        bad("F-070", "CORRUPT", "rest", of(1, true, b"\0")),
    ]


def cases() -> dict[str, list[Any]]:
    """All, in files."""
    return {"valid": valid(), "structure": structure(), "entries": entries(), "writers": writers.files()}
