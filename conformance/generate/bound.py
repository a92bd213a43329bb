"""Buffers bound to a descriptor that was decoded: as many as it has, each as long as it says or longer."""

from __future__ import annotations

from . import form, wire
from .items import dense, tensor
from .samples import FAMILIES, D, per_channel


def bound(name: str, found: D, buffers: list[bytes], status: str = "OK", rules: str = "") -> D:
    """A descriptor and buffers; of what fits the tensor comes back."""
    descriptor = wire.encode(found["tensor"]).hex()
    expect: D = {"status": status}
    if status == "OK":
        expect["item"] = form.read_item({**found, "data": buffers})
    request = {"op": "bind", "descriptor": descriptor, "buffers": [one.hex() for one in buffers]}
    return {"id": f"fields/{name}", "rules": rules.split(), "request": request, "expect": expect}


def cases() -> list[D]:
    """What fits, and what is short, missing or too many."""
    mismatch = "ERR_BUFFER_MISMATCH"
    found = [
        bound(f"bind-{name}", one, one["data"]) for name in FAMILIES if name != "composite" for one in [tensor(name)]
    ]
    csr, channel = tensor("csr"), dense("int8", [2, 3], quantization=per_channel(1, 1, 2))
    found.append(bound("bind-per-channel", channel, channel["data"]))
    for what, one, rules in (("csr", csr, "L-012"), ("per-channel", channel, "Q-033 L-012")):
        data = one["data"]
        for k in range(len(data)):
            if what == "csr" or k > 0:
                short = [part[:-1] if k == at else part for at, part in enumerate(data)]
                found.append(bound(f"{rules[:5]}-{what}-{k}", one, short, mismatch, rules))
        found.append(bound(f"L-012-{what}-longer-kept", one, [part + b"\1" for part in data], rules=rules))
        for name, other in (("none", []), ("one-fewer", data[:-1]), ("one-more", [*data, bytes(8)])):
            found.append(bound(f"B-013-{what}-{name}", one, other, mismatch, "B-013"))
    return found
