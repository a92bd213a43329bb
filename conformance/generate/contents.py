"""What buffers hold, against the format: whole tensors that are right, and one that is wrong for each rule."""

from __future__ import annotations

import struct
from math import prod
from typing import Any

import numpy as np

from . import form, writers
from .items import dense, item, plain_data, tensor
from .samples import FAMILIES, D, blocks, descriptor, per_block, per_channel
from .sparse import bytes_of, u64s


def case(name: str, found: D, status: str = "OK", rules: str = "") -> D:
    """A tensor whose contents are checked."""
    request = {"op": "convert", "how": "check", "item": form.given_item(found)}
    return {"id": f"contents/{name}", "rules": rules.split(), "request": request, "expect": {"status": status}}


def changed(name: str, buffer: int, at: int, value: int, found: D | None = None) -> D:
    """The sample of a layout with one number of an index buffer replaced."""
    whole = found or tensor(name)
    width = "I" if name == "block_paged" else "Q"
    data = list(whole["data"])
    numbers = list(struct.unpack(f"<{len(data[buffer]) // (4 if width == 'I' else 8)}{width}", data[buffer]))
    numbers[at] = value
    data[buffer] = struct.pack(f"<{len(numbers)}{width}", *numbers)
    return item(whole["tensor"], data)


def plain(dtype: str, shape: list[int]) -> D:
    """A row-major tensor whose unused bits are zero."""
    found = dense(dtype, shape)
    size = len(found["data"][0])
    return item(found["tensor"], [plain_data(dtype, size, f"contents/{dtype}", prod(shape))])


def right() -> list[D]:
    """Tensors that hold what they must."""
    cases = [case(name, tensor(name)) for name in FAMILIES if name != "composite"]
    types = ("bool", "int4", "uint2", "float6_e3m2", "float64")
    cases += [case(f"type-{dtype}", plain(dtype, [3, 5])) for dtype in types]
    cases.append(case("per-channel", dense("int8", [5, 3], quantization=per_channel(1, 1, 2))))
    cases.append(case("per-block", dense("int4", [2, 8], quantization=per_block(1, 4, 1))))
    cases.append(case("nf4", dense("uint4", [2, 8], quantization=blocks("nf4", 1, 8, 1))))
    cases.append(case("mxfp", dense("float4_e2m1", [2, 32], quantization=blocks("mxfp", 1, 32, 1))))
    unsorted = descriptor("int8", [5], {"tag": "coo", "nnz": 3, "is_sorted": False}, buffers=[])
    cases.append(case("coo-unsorted", item(unsorted, [b"abc", bytes_of([4, 0, 2])])))
    return cases


def indices() -> list[D]:
    """Index buffers that lie."""
    layout, mismatch = "ERR_INVALID_LAYOUT", "ERR_BUFFER_MISMATCH"
    cases = []

    def bad(rules: str, name: str, found: D, status: str = layout) -> None:
        cases.append(case(f"{rules.split()[0]}-{name}", found, status, rules))

    csf = tensor("csf")
    short = list(csf["data"])
    short[4] = bytes_of(u64s(short[4])[:-1])
    bad("L-030", "crd", item(csf["tensor"], short), mismatch)
    short = list(csf["data"])
    short[3] = bytes_of(u64s(short[3])[:-1])
    bad("L-030", "pos", item(csf["tensor"], short), mismatch)
    for name in ("csr", "csc"):
        count = len(u64s(tensor(name)["data"][2]))
        bad("L-031", f"{name}-first", changed(name, 2, 0, 1))
        bad("L-031", f"{name}-falls", changed(name, 2, 2, 0))
        bad("L-031", f"{name}-huge", changed(name, 2, 1, 2**64 - 1))
        bad("L-031", f"{name}-last", changed(name, 2, count - 1, 7))
        bad("L-032", f"{name}-index", changed(name, 1, 7, 6 if name == "csr" else 4))
        bad("L-033", f"{name}-twice", changed(name, 1, 1, u64s(tensor(name)["data"][1])[0]))
        bad("L-033", f"{name}-order", changed(name, 1, *((0, 5) if name == "csr" else (4, 3))))
    bad("L-031", "csf-first", changed("csf", 3, 0, 1))
    bad("L-031", "csf-falls", changed("csf", 5, 3, 0))
    bad("L-032", "csf-index", changed("csf", 6, 8, 4))
    bad("L-033", "csf-siblings", changed("csf", 2, 1, 0))
    bad("L-032", "coo-index", changed("coo", 1, 8, 4))
    bad("L-032", "coo-huge", changed("coo", 1, 0, 2**64 - 1))
    twice = tensor("coo")
    numbers = u64s(twice["data"][1])
    bad("L-034", "twice", item(twice["tensor"], [twice["data"][0], bytes_of(numbers[:3] * 2 + numbers[6:])]))
    bad("L-034", "order", item(twice["tensor"], [twice["data"][0], bytes_of(numbers[3:6] + numbers[:3] + numbers[6:])]))
    bad("L-039", "first", changed("block_paged", 2, 0, 1))
    bad("L-039", "falls", changed("block_paged", 2, 1, 6))
    bad("L-039", "last", changed("block_paged", 2, 2, 6))
    bad("L-039", "page", changed("block_paged", 1, 3, 5))
    return cases


def parameters() -> list[D]:
    """Parameters that their scheme does not allow, and bits that must be zero."""
    wrong = "ERR_INVALID_DESCRIPTOR"
    cases = []

    def scales(rules: str, name: str, found: D, values: Any, buffer: int = 1, status: str = wrong) -> None:
        data = list(found["data"])
        data[buffer] = values.tobytes()
        cases.append(case(f"{rules}-{name}", item(found["tensor"], data), status, rules))

    channel = dense("int8", [2, 3], quantization=per_channel(1, 1, 2))
    block = dense("int8", [2, 8], quantization=per_block(1, 4, 1, scale_type="float16"))
    nf4 = dense("uint4", [2, 8], quantization=blocks("nf4", 1, 8, 1))
    mxfp = dense("float8_e4m3", [32], quantization=blocks("mxfp", 0, 16, 1))
    for name, value in (("0", 0.0), ("nan", np.nan), ("infinite", -np.inf)):
        scales("Q-029", f"channel-{name}", channel, np.array([1, 2, value], np.float32))
        scales("Q-029", f"block-{name}", block, np.array([1, value, 1, 1], np.float16))
    scales("Q-030", "above", channel, np.array([0, 128, 0], np.int32), 2)
    scales("Q-030", "below", channel, np.array([0, 0, -129], np.int32), 2)
    for name, value in (("negative", -1.0), ("nan", np.nan), ("infinite", np.inf)):
        scales("Q-031", name, nf4, np.array([1, value], np.float32))
    scales("Q-031", "zero-kept", nf4, np.array([0.0, -0.0], np.float32), status="OK")
    for byte in (0, 255):
        scales("Q-032", f"{byte:02x}", mxfp, np.array([127, byte], np.uint8))
    for scheme, found in writers.pools():
        cases.append(case(f"Q-036-{scheme}", found, "ERR_UNSUPPORTED", "Q-036"))
    for dtype, shape, last in (
        ("int4", [3], 0x10),
        ("bool", [2, 5], 0x04),
        ("uint2", [5], 0x04),
        ("float6_e2m3", [3], 4),
    ):
        whole = plain(dtype, shape)
        data = bytearray(whole["data"][0])
        data[-1] |= last
        cases.append(case(f"unused-bits-{dtype}", item(whole["tensor"], [bytes(data)]), "ERR_CORRUPT"))
    return cases


def cases() -> dict[str, list[Any]]:
    """All, in files."""
    return {"right": right(), "indices": indices(), "parameters": parameters()}
