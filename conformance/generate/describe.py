"""One line that tells people what a tensor is: each language has its own words around the same facts."""

from __future__ import annotations

from typing import Any

from . import form
from .items import dense, tensor
from .samples import D, per_channel


def case(name: str, item: D, *parts: str) -> D:
    """A tensor, and what the line must have in it."""
    request = {"op": "describe", "item": form.given_item(item)}
    return {"id": f"describe/{name}", "request": request, "expect": {"status": "OK", "line": {"text": list(parts)}}}


def cases() -> dict[str, list[Any]]:
    """All, in files."""
    return {
        "lines": [
            case("dense", dense("float32", [2, 3]), "float32", "2", "3"),
            case("int4", dense("int4", [7]), "int4", "7"),
            case("csr", tensor("csr", "float64"), "float64", "csr", "4", "6"),
            case("quantized", dense("int8", [5, 3], quantization=per_channel(1, 1)), "int8", "5", "3", "per_channel"),
        ]
    }
