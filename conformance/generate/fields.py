"""Tensors and composites built of fields and data, and fields that no builder takes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from . import bound, form, wire, writers
from .items import composite, dense, group, nested, overlay, part, partition, tensor
from .items import item as made
from .samples import FAMILIES, D, blocks, descriptor, extension, per_block, per_channel, per_tensor


def case(name: str, item: D, rules: str = "") -> D:
    """An item that is built, read back, and encoded."""
    request = {"op": "build", "item": form.given_item(item)}
    head = item["composite"] if "members" in item else item["tensor"]
    expect = {"status": "OK", "item": form.read_item(item), "bytes": wire.encode(head).hex()}
    return {"id": f"fields/{name}", "rules": rules.split(), "request": request, "expect": expect}


def bad(rules: str, status: str, name: str, item: D) -> D:
    """An item that is refused."""
    request = {"op": "build", "item": form.given_item(item)}
    first = rules.split()[0]
    return {
        "id": f"fields/{first}-{name}",
        "rules": rules.split(),
        "request": request,
        "expect": {"status": f"ERR_{status}"},
    }


def valid() -> Iterator[D]:
    """Everything that a binding can build."""
    for name in FAMILIES:
        if name != "composite":
            for dtype in ("float32", "int4", "bool", "complex128", "bfloat16"):
                yield case(f"{name}-{dtype}", tensor(name, dtype))
    for dtype in wire.TYPES:
        yield case(f"type-{dtype}", dense(dtype, [3, 5]))
    yield case("scalar", dense("float64", []))
    yield case("empty", dense("float32", [3, 0]))
    yield case("rank-64", dense("uint8", [1] * 63 + [3]))
    yield case("byte-offset", dense("float32", [2, 3], byte_offset=16))
    yield case("strided-negative", dense("int16", [3], {"tag": "strided", "strides": [-1]}, byte_offset=4))
    strided = {"tag": "strided", "strides": [0, 2]}
    yield case("strided-zero", dense("int16", [3, 2], strided))
    two = [
        {"tile_shape": [4, 4], "outer": "column_major", "inner": "tiled"},
        {
            "tile_shape": [2, 2],
            "outer": "strided",
            "inner": "strided",
            "outer_strides": [2, 1],
            "inner_strides": [1, 2],
        },
    ]
    yield case("tiled-2-levels", dense("uint8", [8, 4], {"tag": "tiled", "levels": two}))
    paged = {**FAMILIES["block_paged"][1], "layer_index": None, "kv_role": "fused"}
    none = descriptor("float16", [0, 2, 3], {**paged, "num_seqs": 0, "num_pages": 0})
    yield case("paged-no-layer", made(none, [b"", b"", bytes(4)]))
    yield case("private-type", _with(dense("int8", [5]), dtype=0xF1, extension_type=extension(8, is_signed=True)))
    for name, q in (("zero-point", per_tensor(0.25, -3)), ("negative-scale", per_tensor(-0.5))):
        yield case(f"per-tensor-{name}", dense("int8", [2, 3], quantization=q))
    yield case("per-channel", dense("uint8", [2, 3], quantization=per_channel(1, 1, 2)))
    yield case("per-channel-symmetric", dense("int4", [2, 3], quantization=per_channel(0, 1)))
    for scale in ("float16", "bfloat16", "float32"):
        q = per_block(1, 2, 1, 2, scale_type=scale)
        yield case(f"per-block-{scale}", dense("int8", [2, 6], quantization=q))
    yield case("nf4", dense("uint4", [2, 16], quantization=blocks("nf4", 1, 8, 1)))
    for dtype in ("float8_e4m3", "float4_e2m1", "float6_e2m3", "int8"):
        yield case(f"mxfp-{dtype}", dense(dtype, [2, 32], quantization=blocks("mxfp", 1, 16, 1)))
    yield case("quantized-csr", tensor("csr", "int8", quantization=per_tensor(2.0)))
    yield case("shard", dense("int8", [4, 8], shard={"parent_shape": [16, 8], "offset": [12, 0]}))
    everything: D = {
        "nnz": 5,
        "sparsity_ratio": 0.5,
        "min": -1.0,
        "max": float("inf"),
        "abs_max": float("inf"),
        "mean": 0.25,
        "stddev": 2.0,
        "nm_n": 2,
        "nm_m": 4,
        "has_nan": False,
        "has_inf": True,
    }
    yield case("statistics", dense("float32", [2, 3], statistics=everything))
    yield case("statistics-mean", dense("float32", [2, 3], statistics={"mean": 1.5, "stddev": 0.0}))
    yield case("statistics-nnz", dense("float32", [2, 3], statistics={"nnz": 2**64 - 1}))
    for name, item in (
        ("partition", partition()),
        ("overlay-replace", overlay()),
        ("overlay-add", overlay("add")),
        ("group", group()),
        ("nested", nested()),
        ("empty-group", composite("group", [], [0])),
    ):
        yield case(name, item)


def _with(item: D, **fields: Any) -> D:
    return {**item, "tensor": {**item["tensor"], **fields}}


def _layout(item: D, **fields: Any) -> D:
    return _with(item, layout={**item["tensor"]["layout"], **fields})


def invalid() -> Iterator[D]:
    """What breaks a rule when it is built."""
    x = dense("float32", [2, 3])
    short = {**x, "data": [x["data"][0][:-1]]}
    yield bad("V-093 L-011", "BUFFER_MISMATCH", "short", short)
    yield bad(
        "V-093 L-029", "BUFFER_MISMATCH", "short-csr", {**tensor("csr"), "data": [bytes(31), bytes(64), bytes(40)]}
    )
    csr = tensor("csr")
    yield bad("V-042 L-028", "INVALID_LAYOUT", "nnz", _layout(tensor("coo"), nnz=25))
    yield bad("V-081 L-007", "INVALID_DESCRIPTOR", "csr-without-pointers", {**csr, "data": csr["data"][:2]})
    yield bad("V-044 L-004", "INVALID_LAYOUT", "csr-rank", _with(csr, shape=[4, 6, 1]))
    yield bad("V-046 L-027", "INVALID_LAYOUT", "modes", _layout(tensor("csf"), mode_order=[0, 0, 1]))
    yield bad("V-048 L-037", "INVALID_LAYOUT", "page-size", _layout(tensor("block_paged"), page_size=0))
    yield bad("V-038 L-024", "INVALID_LAYOUT", "morton", _layout(tensor("morton"), bits=[1, 1, 1]))
    yield bad("V-068 L-025", "INVALID_LAYOUT", "hilbert", _with(tensor("hilbert"), shape=[4, 3]))
    yield bad("V-030 L-018", "BUFFER_MISMATCH", "strides", _layout(tensor("strided"), strides=[13, 3, 1]))
    yield bad("V-120 L-043", "INVALID_DESCRIPTOR", "shard", _with(x, shard={"parent_shape": [2, 3], "offset": [0, 1]}))
    yield bad("V-136", "INVALID_DESCRIPTOR", "sparsity", _with(x, statistics={"sparsity_ratio": 1.5}))
    yield bad("V-133", "INVALID_DESCRIPTOR", "n-of-m", _with(x, statistics={"nm_n": 3, "nm_m": 2}))
    q = dense("int8", [2, 6], quantization=per_block(1, 2, 1))
    yield bad("V-109 Q-010", "INVALID_TYPE", "storage", _with(dense("float32", [2]), quantization=per_tensor()))
    wrong = _with(q, quantization=per_block(1, 3, 1))
    yield bad("V-112 Q-015", "INVALID_DESCRIPTOR", "block-size", wrong)
    yield bad("V-110 Q-013", "INVALID_DESCRIPTOR", "axis", _with(q, quantization=per_block(2, 2, 1)))
    yield bad("V-116 Q-022", "INVALID_DESCRIPTOR", "data", _with(q, quantization=per_block(1, 2, 0)))
    yield bad("V-117 Q-025", "BUFFER_MISMATCH", "scales", {**q, "data": [q["data"][0], q["data"][1] + bytes(4)]})
    zero = _with(dense("int8", [2]), quantization=per_tensor(1.0, 128))
    yield bad("V-108 Q-012", "INVALID_DESCRIPTOR", "zero-point", zero)
    p = [6, 6]
    four = partition()["members"]
    base, one, two = overlay()["members"]
    yield bad("L-057 V-160", "INVALID_LAYOUT", "no-shard", composite("partition", [dense("float32", p)], p))
    yield bad("L-060 V-162", "INVALID_LAYOUT", "type", composite("partition", [part(p, p, [0, 0], "float64")], p))
    yield bad("L-066 V-166", "INVALID_LAYOUT", "gap", composite("partition", four[:3], p))
    yield bad("L-066 V-166", "INVALID_LAYOUT", "overlap", composite("partition", [*four[:3], four[0]], p))
    yield bad("L-062 V-164", "INVALID_LAYOUT", "no-base", composite("overlay", [one, two], [4, 4], op="add"))
    yield bad(
        "L-063 V-165",
        "INVALID_LAYOUT",
        "base",
        composite("overlay", [part([2, 4], [4, 4], [0, 0], member_role="base")], [4, 4], op="add"),
    )
    yield bad("L-055 V-063", "INVALID_LAYOUT", "empty-overlay", composite("overlay", [], [4, 4], op="replace"))
    yield bad("L-054 V-057", "INVALID_LAYOUT", "op", composite("overlay", [base], [4, 4], op="none"))


def cases() -> dict[str, list[Any]]:
    """All, in files."""
    return {"valid": list(valid()), "invalid": list(invalid()), "readers": writers.built(), "bound": bound.cases()}
