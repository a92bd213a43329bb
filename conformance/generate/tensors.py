"""Arrays of a language's own: made a tensor, and seen as an array again, without a copy."""

from __future__ import annotations

from typing import Any

from . import wire
from .items import plain_data
from .samples import D
from .sizes import packed


def case(dtype: str, shape: list[int], seed: str = "") -> D:
    """Elements in row-major order."""
    count = 1
    for extent in shape:
        count *= extent
    data = plain_data(dtype, packed(wire.BITS[dtype], count), f"array/{dtype}/{shape}/{seed}", count)
    request = {"op": "array", "dtype": dtype, "shape": list(map(str, shape)), "data": data.hex()}
    # Memory of a language's own begins anywhere, so where in its buffer the tensor begins is left open.
    seen = {"dtype": dtype, "shape": request["shape"], "element_count": str(count)}
    expect = {"status": "OK", "has": {"item": {"tensor": seen}}, "values": data.hex(), "shared": True}
    name = "x".join(map(str, shape)) or "scalar"
    return {"id": f"tensors/{dtype}-{name}", "request": request, "expect": expect}


def cases() -> dict[str, list[Any]]:
    """All, in files."""
    shapes: list[list[int]] = [[], [64], [4, 16], [2, 3, 5], [0], [3, 0, 2]]
    return {"arrays": [case(dtype, shape) for dtype in wire.TYPES for shape in shapes]}
