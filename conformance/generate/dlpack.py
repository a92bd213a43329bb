"""DLPack structs as field lists: exported, imported, refused."""

from __future__ import annotations

from math import prod
from typing import Any

from . import form, wire
from .items import dense, item, plain_data, tensor
from .samples import D, descriptor
from .sizes import buffer, packed

# Code and bits of each element type, by dlpack.h 1.3; what it cannot carry is not here, bool is never carried.
CODES = {
    "int8": (0, 8), "int16": (0, 16), "int32": (0, 32), "int64": (0, 64), "uint8": (1, 8), "uint16": (1, 16),
    "uint32": (1, 32), "uint64": (1, 64), "float16": (2, 16), "float32": (2, 32), "float64": (2, 64),
    "bfloat16": (4, 16), "complex64": (5, 64), "complex128": (5, 128), "float8_e4m3": (10, 8), "float8_e5m2": (12, 8),
    "float8_e8m0": (14, 8),
}  # fmt: skip


def row_major(shape: list[int]) -> list[int]:
    """Strides in elements."""
    return [prod(shape[k + 1 :]) for k in range(len(shape))]


def struct(dtype: str, shape: list[int], strides: list[int] | None, offset: int = 0, flags: int = 0, **more: Any) -> D:
    """A struct as a request gives it."""
    code, bits = CODES[dtype]
    found: D = {"device_type": 1, "device_id": 0, "code": code, "bits": bits, "lanes": 1}
    found["shape"] = list(map(str, shape))
    if strides is not None:
        found["strides"] = list(map(str, strides))
    return {**found, "byte_offset": str(offset), "version": [1, 3], "flags": str(flags), **more}


def imported(name: str, made: D, data: bytes, found: D, versioned: bool = True) -> D:
    """A struct that becomes a tensor; its deleter runs once."""
    given = made if versioned else {k: v for k, v in made.items() if k not in ("version", "flags")}
    request = {"op": "dlpack_import", "struct": given, "data": data.hex(), "versioned": versioned}
    expect = {"status": "OK", "item": form.read_item(found), "deleted": 1}
    return {"id": f"dlpack/import-{name}", "request": request, "expect": expect}


def refused(name: str, status: str, made: D, data: bytes, deleted: int = 0) -> D:
    """A struct that is refused, and stays whose it was; one of an unknown major version is released."""
    request = {"op": "dlpack_import", "struct": made, "data": data.hex(), "versioned": True}
    expect = {"status": f"ERR_{status}", "deleted": deleted}
    return {"id": f"dlpack/refuse-{name}", "request": request, "expect": expect}


def imports() -> list[D]:
    """Structs of every type and of several strides."""
    cases = []
    for dtype in CODES:
        size = packed(wire.BITS[dtype], 6)
        data = plain_data(dtype, size, f"dlpack/{dtype}")
        whole = item(descriptor(dtype, [2, 3]), [data])
        cases.append(imported(dtype, struct(dtype, [2, 3], [3, 1]), data, whole))
    data = plain_data("int16", 48, "dlpack")
    x = item(descriptor("int16", [2, 3]), [data[:12]])
    cases.append(imported("unversioned", struct("int16", [2, 3], None), data[:12], x, versioned=False))
    cases.append(imported("no-strides", struct("int16", [2, 3], None), data[:12], x))
    column = item(descriptor("int16", [3, 2], "column_major"), [data[:12]])
    cases.append(imported("column-major", struct("int16", [3, 2], [1, 3]), data[:12], column))
    # The buffer begins at the address that the offset counts from; what comes before the elements is its lead.
    begin = descriptor("int16", [2, 3], byte_offset=4, buffers=[buffer(16)])
    behind = {"tensor": begin, "data": [data[4:16]]}
    cases.append(imported("byte-offset", struct("int16", [2, 3], [3, 1], 4), data[:16], behind))
    for minor in (0, 255):
        given = struct("int16", [2, 3], [3, 1], version=[1, minor])
        cases.append(imported(f"minor-{minor}", given, data[:12], x))
    cases.append(imported("scalar", struct("int16", [], []), data[:2], item(descriptor("int16", []), [data[:2]])))
    every = {"tag": "strided", "strides": [8, 2]}
    strided = item(descriptor("int16", [3, 2], every, buffers=[buffer(38)]), [data[:38]])
    cases.append(imported("strided", struct("int16", [3, 2], [8, 2]), data, strided))
    code, bits = CODES["int16"]
    wrong = struct("int16", [2, 3], [3, 1])
    cases += [
        refused("major-2", "VERSION_MISMATCH", {**wrong, "version": [2, 0]}, data, deleted=1),
        refused("lanes", "UNSUPPORTED", {**wrong, "lanes": 4}, data),
        refused("type", "UNSUPPORTED", {**wrong, "code": 3, "bits": 64}, data),
        refused("bits", "UNSUPPORTED", {**wrong, "code": code, "bits": bits + 1}, data),
        refused("device", "UNSUPPORTED", {**wrong, "device_type": 99}, data),
        refused("bool", "COPY_REQUIRED", {**wrong, "code": 6, "bits": 8}, data),
        refused("dimension", "INVALID_ARGUMENT", {**wrong, "shape": ["-1", "3"]}, data),
        refused("rank", "LIMIT_EXCEEDED", {**wrong, "shape": ["1"] * 65, "strides": ["1"] * 65}, data),
    ]
    return cases


def exports() -> list[D]:
    """Tensors of every type that DLPack carries, in both structs; and those it cannot carry."""
    cases = []

    def exported(name: str, found: D, made: D, values: bytes, versioned: bool) -> D:
        given = made if versioned else {k: v for k, v in made.items() if k not in ("version", "flags")}
        request = {"op": "dlpack_export", "item": form.given_item(found), "versioned": versioned}
        expect = {"status": "OK", "struct": given, "values": values.hex(), "live": 0}
        return {"id": f"dlpack/export-{name}", "request": request, "expect": expect}

    def refuse(name: str, status: str, found: D) -> D:
        request = {"op": "dlpack_export", "item": form.given_item(found), "versioned": True}
        return {"id": f"dlpack/refuse-{name}", "request": request, "expect": {"status": f"ERR_{status}"}}

    for dtype in CODES:
        found = dense(dtype, [2, 3])
        data = found["data"][0]
        for versioned in (True, False):
            kind = "versioned" if versioned else "unversioned"
            cases.append(exported(f"{dtype}-{kind}", found, struct(dtype, [2, 3], [3, 1]), data, versioned))
    column = dense("int16", [2, 3], "column_major")
    data = column["data"][0]
    values = b"".join(data[2 * (i + 2 * j) : 2 * (i + 2 * j) + 2] for i in range(2) for j in range(3))
    cases.append(exported("column-major", column, struct("int16", [2, 3], [1, 2]), values, True))
    deep, line = dense("int32", [2, 3, 4]), dense("uint8", [5])
    cases.append(exported("rank-3", deep, struct("int32", [2, 3, 4], [12, 4, 1]), deep["data"][0], True))
    cases.append(exported("rank-1", line, struct("uint8", [5], [1]), line["data"][0], True))
    # The host's address says where the elements begin: the struct's own offset stays 0.
    behind = dense("float32", [2, 3], byte_offset=16)
    cases.append(exported("byte-offset", behind, struct("float32", [2, 3], [3, 1]), behind["data"][0][16:], True))
    cases.append(
        exported("scalar", dense("float32", []), struct("float32", [], None), dense("float32", [])["data"][0], True)
    )
    cases.append(refuse("type-bool", "COPY_REQUIRED", dense("bool", [8])))
    for name in ("csr", "tiled", "morton", "block_paged"):
        cases.append(refuse(f"layout-{name}", "UNSUPPORTED", tensor(name)))
    return cases


def cases() -> dict[str, list[Any]]:
    """All, in files."""
    return {"imports": imports(), "exports": exports()}
