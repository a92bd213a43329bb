"""Files, composed by the written format, and wrong ones made of right ones."""

# mypy: disable-error-code="no-any-return"
from __future__ import annotations

import struct
from dataclasses import dataclass, field
from typing import Any

from . import wire
from .samples import D

NONE = 2**64 - 1
KV_TYPES = {"string": 1, "int64": 2, "uint64": 3, "float64": 4, "bool": 5, "bytes": 6}


def crc32c(data: bytes) -> int:
    """The Castagnoli checksum."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


assert crc32c(b"123456789") == 0xE3069283


def up(position: int, alignment: int) -> int:
    """The next multiple."""
    return (position + alignment - 1) // alignment * alignment


def kv_payload(kind: str, value: Any) -> bytes:
    """One value without its tag."""
    if kind in ("string", "bytes"):
        data = value.encode() if isinstance(value, str) else value
        return struct.pack("<I", len(data)) + data
    if kind == "bool":
        return bytes([int(value)])
    return struct.pack({"int64": "<q", "uint64": "<Q", "float64": "<d"}[kind], value)


def kv_entry(entry: D) -> bytes:
    """A key with its value."""
    key = entry["key"].encode()
    out = struct.pack("<H", len(key)) + key
    number = bytes([KV_TYPES[entry["type"]]])
    if not entry["array"]:
        return out + number + kv_payload(entry["type"], entry["value"])
    values = b"".join(kv_payload(entry["type"], one) for one in entry["value"])
    return out + b"\x07" + number + struct.pack("<I", len(entry["value"])) + values


def kv_section(entries: list[D]) -> bytes:
    """The key-value section."""
    return struct.pack("<I", len(entries)) + b"".join(map(kv_entry, entries))


@dataclass
class Placed:
    """An entry of the index."""

    name: bytes
    descriptor: int
    length: int
    data: int
    size: int
    flags: int = 0

    def pack(self) -> bytes:
        """The entry as bytes."""
        places = struct.pack("<QIQQI", self.descriptor, self.length, self.data, self.size, self.flags)
        return struct.pack("<H", len(self.name)) + self.name + places


@dataclass
class Container:
    """What a file says of itself; `pack` puts the parts together. Every field may be made wrong before that."""

    alignment: int = 4096
    flags: int = 4
    first: int = 64
    hint: int = NONE
    version: tuple[int, int] = (1, 0)
    magic: bytes = b"HRRYFILE"
    reserved: bytes = bytes(2)
    reserved_end: bytes = bytes(28)
    region: bytearray = field(default_factory=bytearray)  # from byte 64 on
    entries: list[Placed] = field(default_factory=list)
    kv: bytes | None = None
    index: bytes | None = None
    count: int | None = None
    trailer: D = field(default_factory=dict)

    def place(self, name: str, data: bytes, buffers: list[bytes], head: bool = False) -> None:
        """Appends a tensor: its descriptor, then its buffers."""
        at = up(64 + len(self.region), 8)
        self._pad(at)
        self.region += data
        end = at + len(data)
        start = up(end, 8 if head else self.alignment)
        position = start
        for one in buffers:
            position = up(position, self.alignment)
            self._pad(position)
            self.region += one
            position += len(one)
        if buffers:
            # A buffer of no bytes has its place too.
            self._pad(max(position, 64 + len(self.region)))
        self.entries.append(Placed(name.encode(), at, len(data), start, position - start))

    def add(self, name: str, item: D) -> None:
        """Appends an item, members as `<name>.<number>`."""
        if "members" in item:
            self.place(name, wire.encode(item["composite"]), [], head=True)
            for k, member in enumerate(item["members"]):
                self.add(f"{name}.{k}", member)
        else:
            self.place(name, wire.encode(item["tensor"]), item["data"])

    def _pad(self, position: int) -> None:
        self.region += bytes(position - 64 - len(self.region))

    def header(self) -> bytes:
        """The first 64 bytes."""
        out = (
            self.magic
            + bytes(self.version)
            + self.reserved
            + struct.pack("<IIQQ", self.flags, self.alignment, self.first, self.hint)
        )
        return out + self.reserved_end

    def pack(self) -> bytes:
        """The whole file."""
        out = self.header() + bytes(self.region)
        kv_offset = kv_length = 0
        if self.kv is not None:
            out += bytes(up(len(out), 8) - len(out))
            kv_offset, kv_length = len(out), len(self.kv)
            out += self.kv
        out += bytes(up(len(out), 8) - len(out))
        index = self.index
        if index is None:
            count = len(self.entries) if self.count is None else self.count
            index = struct.pack("<Q", count) + b"".join(one.pack() for one in self.entries)
        place: D = {
            "index_offset": len(out),
            "index_length": len(index),
            "kv_offset": kv_offset,
            "kv_length": kv_length,
            "crc": crc32c(index) if self.flags & 4 else 0,
            "reserved": 0,
            "magic": b"HRRY",
            "gap": b"",
        }
        place.update(self.trailer)
        out += index + place["gap"]
        numbers = ("index_offset", "index_length", "kv_offset", "kv_length", "crc", "reserved")
        return out + struct.pack("<QQQIII", *(place[name] for name in numbers)) + place["magic"]


def container(items: list[tuple[str, D]], kv: list[D] | None = None, sort: bool = False, **fields: Any) -> Container:
    """A file of items; key-value pairs set its flag."""
    found = Container(**fields)
    for name, item in items:
        found.add(name, item)
    if kv is not None:
        found.kv = kv_section(kv)
        found.flags |= 1
    if sort:
        found.entries.sort(key=lambda one: one.name)
        found.flags |= 2
    return found
