"""What a reader takes and no writer may write: L-023, L-035, Q-034, Q-036."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import form
from .items import composite, dense, item, plain_data, tensor
from .samples import FAMILIES, D, blocks, descriptor, per_block

OF_A_FILE = {"op": "write_file", "path": "${OUT}/x.hrry", "kv": [], "options": {}}
OF_A_STREAM = {"op": "write_stream", "stream_id": 1, "max_message_size": 0, "options": {}}


def tiles(*levels: D) -> D:
    """Bytes of [4] in tiles."""
    return dense("uint8", [4], {"tag": "tiled", "levels": list(levels)})


def level(side: int, inner: str = "row_major", **strides: Any) -> D:
    """Tiles of one axis, in order."""
    return {"tile_shape": [side], "outer": "row_major", "inner": inner, **strides}


def pool(scheme: D, dtype: str) -> D:
    """Pages of 16 tokens under a scheme whose scales cannot be found there."""
    plain = descriptor(dtype, [16, 2, 3], {**FAMILIES["block_paged"][1], "page_size": 4})
    data = [plain_data(dtype, plain["buffers"][0]["byte_size"], "pool"), *tensor("block_paged")["data"][1:3]]
    return item({**plain, "quantization": scheme}, [*data, b"\x7f" * 24])


def pools() -> list[tuple[str, D]]:
    """One of each scheme."""
    return [
        ("nf4", pool(blocks("nf4", 0, 8, 3), "uint4")),
        ("mxfp", pool(blocks("mxfp", 0, 16, 3), "float8_e4m3")),
    ]


def refused() -> list[tuple[str, str, D]]:
    """Rule and name, status, item."""
    return [
        ("L-023-undivided", "INVALID_LAYOUT", tiles(level(4, "tiled"), level(3))),
        ("L-023-beyond-the-tile", "INVALID_LAYOUT", tiles(level(2, "strided", inner_strides=[2]))),
        ("L-035-csr", "INVALID_DESCRIPTOR", tensor("csr", statistics={"nnz": 7})),
        ("L-035-coo", "INVALID_DESCRIPTOR", tensor("coo", statistics={"nnz": 2**64 - 1})),
        ("Q-034-per-block", "UNSUPPORTED", dense("int8", [2, 3], quantization=per_block(1, 2, 1))),
        ("Q-034-nf4", "UNSUPPORTED", dense("uint4", [2, 12], quantization=blocks("nf4", 1, 8, 1))),
        *((f"Q-036-{scheme}", "UNSUPPORTED", found) for scheme, found in pools()),
    ]


def kept() -> list[tuple[str, D]]:
    """The same, just inside the limit."""
    return [
        ("L-023-kept", tiles(level(4, "tiled"), level(2))),
        ("L-023-strides-kept", tiles(level(2, "strided", inner_strides=[1]))),
        ("L-035-kept", tensor("csr", statistics={"nnz": 8})),
        ("Q-034-slowest-kept", dense("int8", [3, 2], quantization=per_block(0, 2, 1))),
        ("Q-034-whole-kept", dense("uint4", [2, 16], quantization=blocks("nf4", 1, 8, 1))),
    ]


def case(kind: str, name: str, request: D, status: str, **expect: Any) -> D:
    """A request to write."""
    return {"id": f"{kind}/{name}", "rules": [name[:5]], "request": request, "expect": {"status": status, **expect}}


def built() -> list[D]:
    """All can be made and read, those that cannot be written too."""
    found = [(name, one) for name, _, one in refused()] + kept()
    return [
        case("fields", name, {"op": "build", "item": form.given_item(one)}, "OK", item=form.read_item(one))
        for name, one in found
    ]


def files() -> list[D]:
    """No file is left of what was refused, nor of what came before it."""

    right = dense("float32", [2, 3])
    cases = []
    for name, status, one in refused():
        entries = [{"name": str(k), "item": form.given_item(item)} for k, item in enumerate((right, one))]
        cases.append(case("files", name, {**OF_A_FILE, "entries": entries}, f"ERR_{status}", left=[]))
    return cases


def streams(forms: dict[str, Callable[[D], bytes]]) -> list[D]:
    """Of an item that is refused nothing goes out, not even the head of a composite with one such member (S-013)."""
    right = dense("float32", [2, 3])
    cases = []
    for kind, written in forms.items():
        for name, status, one in refused():
            group = composite("group", [right, one], [2])
            for what, last in (("", one), ("-member", group)):
                items = [form.given_item(right), form.given_item(last)]
                request = {**OF_A_STREAM, "form": kind, "items": items}
                found = case("streams", f"{name}{what}-{kind}", request, f"ERR_{status}", bytes=written(right).hex())
                cases.append({**found, "rules": [name[:5], "S-013"]})
    return cases
