"""Conversions."""

from __future__ import annotations

from typing import Any

import hurray
import make
import show
from form import Fault, ints


def key(starts: list[int], stops: list[int], steps: list[int]) -> tuple[slice, ...]:
    """A box as Python writes it: what stops before index 0 has no stop."""
    parts = zip(starts, stops, steps, strict=True)
    return tuple(slice(start, None if stop < 0 else stop, step) for start, stop, step in parts)


def lengths(request: dict[str, Any]) -> list[int] | None:
    """Token counts."""
    return None if request.get("seq_lengths") is None else ints(request["seq_lengths"])


def quantized(tensor: hurray.Tensor, target: dict[str, Any], given: list[str] | None) -> hurray.Tensor:
    """Codes: a per-tensor scheme has its scale inside, or computed where its class alone is named."""
    scheme = make.quantization(target["quantization"])
    assert scheme is not None
    layout = make.layout(target["layout"])
    if isinstance(scheme, hurray.PerTensorAffine):
        return tensor.quantize(target["dtype"], scheme if given is not None else hurray.PerTensorAffine, layout=layout)
    arrays = None if given is None else [make.memory(one) for one in given]
    return tensor.quantize(target["dtype"], scheme, layout=layout, parameters=arrays)


def converted(how: str, tensor: hurray.Tensor, request: dict[str, Any]) -> hurray.Tensor:
    """Another tensor of a tensor."""
    match how:
        case "row_major":
            return tensor.contiguous()
        case "layout":
            return tensor.to_layout(make.layout(request["target"]["layout"]))
        case "dequantize":
            return tensor.dequantize(request["dtype"])
        case "quantize":
            return quantized(tensor, request["target"], request.get("parameters"))
        case "unpack":
            return tensor.unpack()
        case "pack":
            return tensor.pack(request["dtype"])
        case "slice":
            starts, stops = ints(request["starts"]), ints(request["stops"])
            steps = ints(request.get("steps") or [1] * len(starts))
            return tensor.slice(key(starts, stops, steps)).contiguous(copy=True)
        case "gather":
            return tensor.gather(lengths(request))
        case "scatter":
            paged = make.item(request["paged"])
            assert isinstance(paged, hurray.Tensor)
            tensor.scatter(paged, lengths(request))
            return paged
    raise Fault(f"no conversion is named {how}")


def convert(request: dict[str, Any]) -> dict[str, Any]:
    """The request `convert`."""
    item, how = make.item(request["item"]), request["how"]
    if isinstance(item, hurray.Composite):
        return {"item": show.item(item.assemble())}
    match how:
        case "statistics":
            found = item.with_statistics().statistics
            return {"statistics": found and show.statistics(found)}
        case "offset":
            return {"offset": str(item.element_offset(ints(request["index"])))}
        case "check":
            item.check()
            return {}
    return {"item": show.item(converted(how, item, request))}
