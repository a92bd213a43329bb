"""Files and streams."""

from __future__ import annotations

from typing import Any

import hurray
import make
import show
from form import Failed, from_real, real

OPENING = {"permissive": bool, "verify": bool, "max_descriptor_bytes": int, "max_buffer_bytes": int}
STREAMING = {
    "max_descriptor_bytes": int,
    "max_buffer_bytes": int,
    "cross_machine": bool,
    "permissive": bool,
    "flat": bool,
}
DEPTH = {"max_composite_depth": int}
WRITING = {"data_alignment": ("alignment", int), "sorted_index": ("sorted_index", bool)}


def options(given: dict[str, Any], known: dict[str, Any]) -> dict[str, Any]:
    """The options as keyword arguments; one that the call does not have is its own TypeError."""
    return {name: known.get(name, int)(value) for name, value in given.items()}


def kv_value(kind: str, value: Any) -> Any:
    """A KV value in its JSON form."""
    match kind:
        case "int64" | "uint64":
            return str(value)
        case "float64":
            return real(value)
        case "bytes":
            return value.hex()
    return value


def kv_of(pair: dict[str, Any]) -> Any:
    """A KV value as the package takes it."""

    def one(value: Any) -> Any:
        match pair["type"]:
            case "int64" | "uint64":
                return int(value)
            case "float64":
                return from_real(value)
            case "bytes":
                return bytes.fromhex(value)
        return value

    if pair["array"]:
        return hurray.KvArray(pair["type"], [one(value) for value in pair["value"]])
    if pair["type"] == "uint64":
        import numpy as np

        return np.uint64(one(pair["value"]))
    return one(pair["value"])


def contents(file: hurray.File) -> dict[str, Any]:
    """Everything in a file."""
    kinds = file.kv_types
    pairs = []
    for key, value in file.kv.items():
        kind, is_array = kinds[key], isinstance(value, hurray.KvArray)
        shown = [kv_value(kind, one) for one in value] if is_array else kv_value(kind, value)
        pairs.append({"key": key, "type": kind, "array": is_array, "value": shown})
    entries = [{"name": name, "item": show.item(file[name])} for name in file.names]
    return {"kv": pairs, "entries": entries, "items": list(file)}


def read_file(request: dict[str, Any]) -> dict[str, Any]:
    """The request `read_file`."""
    source = request.get("path") or bytes.fromhex(request["bytes"])
    with hurray.open(source, **options(request.get("options", {}), OPENING | DEPTH)) as file:
        return contents(file)


def write_file(request: dict[str, Any]) -> dict[str, Any]:
    """The request `write_file`."""
    settings = {WRITING[name][0]: WRITING[name][1](value) for name, value in request.get("options", {}).items()}
    items = {entry["name"]: make.item(entry["item"]) for entry in request["entries"]}
    pairs = {pair["key"]: kv_of(pair) for pair in request["kv"]}
    hurray.save(request["path"], items, kv=pairs or None, durable=False, compact=False, **settings)
    return {}


class Pieces:
    """A source that gives at most so many bytes at once."""

    def __init__(self, data: bytes, chunk: int) -> None:
        self.data = memoryview(data)
        self.chunk = chunk or len(data)

    def read(self, size: int) -> bytes:
        piece = bytes(self.data[: min(size, self.chunk)])
        self.data = self.data[len(piece) :]
        return piece


def read_stream(request: dict[str, Any]) -> dict[str, Any]:
    """The request `read_stream`."""
    source = Pieces(bytes.fromhex(request["bytes"]), request["chunk"])
    items: list[dict[str, Any]] = []
    try:
        with hurray.StreamReader(source, **options(request.get("options", {}), STREAMING | DEPTH)) as reader:
            for item in reader:
                items.append({"stream_id": reader.stream_id, "item": show.item(item)})
    except hurray.HurrayError as error:
        raise Failed(error, {"items": items}) from error
    return {"items": items}


def write_stream(request: dict[str, Any]) -> dict[str, Any]:
    """The request `write_stream`."""
    framed = {"stream_id": request["stream_id"], "max_message_bytes": request["max_message_size"]}
    with hurray.StreamWriter(None, **(framed if request["form"] == "framed" else {})) as writer:
        for item in map(make.item, request["items"]):
            try:
                writer.write(item)
            except hurray.HurrayError as error:
                raise Failed(error, {"bytes": writer.getvalue().hex()}) from error
        return {"bytes": writer.getvalue().hex()}


def visit(what: str, data: bytes, given: dict[str, Any]) -> None:
    """One input of a batch."""
    if what == "decode":
        hurray.Descriptor.decode(data, permissive=bool(given.get("permissive")))
    elif what == "read_file":
        with hurray.open(data, **options(given, OPENING | DEPTH)) as file:
            contents(file)
    else:
        with hurray.StreamReader(Pieces(data, 0), **options(given, STREAMING | DEPTH)) as reader:
            for _ in reader:
                pass
