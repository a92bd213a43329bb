"""Why a case is refused that breaks no numbered rule of the format: what says so instead."""

from __future__ import annotations

from typing import Any

# By what the names begin with.
REASONS = {
    "composites/group": "layouts.md 13: members of a group have no places in one tensor",
    "contents/unused-bits-": "descriptor.md 2: bits behind the last packed element are zero",
    "conversions/pack-too-large": "hurray_tensor_pack: a value that the packed type does not hold",
    "conversions/to-int8": "hurray_tensor_dequantize: the result has a real type",
    "conversions/unpack-csr": "hurray_tensor_unpack: dense tensors only",
    "conversions/unpack-int8": "hurray_tensor_unpack: the type is not packed",
    "conversions/values-complex64": "hurray_tensor_dequantize: a complex number is no real one",
    "dlpack/refuse-": "dlpack.h: what the struct cannot say, or says wrongly",
    "files/no-such-file": "the system's own error",
    "files/write-no-such-folder": "the system's own error",
    "pages/gather-": "hurray_tensor_gather: token counts and layouts that do not fit",
    "pages/scatter-": "hurray_tensor_scatter: token counts, types and layouts that do not fit",
    "quantize/nan": "hurray_tensor_quantize: no code stands for NaN",
    "slices/refused-": "hurray_tensor_slice: a box of entries or pages is no view",
    "statistics/refused": "hurray_tensor_statistics: pages have tokens that are in no sequence",
    "streams/framed-peer-error": "stream.md 3: the peer's own ERROR message",
}


def is_refused(case: dict[str, Any]) -> bool:
    """Whether some input of it must fail."""
    expect = case["expect"]
    return any(status != "OK" for status in (expect["status"], *expect.get("statuses", [])))


def told(case: dict[str, Any]) -> dict[str, Any]:
    """The case with its reason, where it has neither that nor a rule."""
    if case.get("rules") or not is_refused(case):
        return case
    (reason,) = (text for start, text in REASONS.items() if case["id"].startswith(start))
    return {"id": case["id"], "because": reason, **case}
