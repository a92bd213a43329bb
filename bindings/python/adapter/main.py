"""Lets the conformance suite use the Python package; `conformance/PROTOCOL.md` says what is asked and answered."""

from __future__ import annotations

import ctypes
import gc
import json
import sys
from collections.abc import Callable
from typing import Any

from form import Failed, Fault, ints

try:
    import hurray
except ImportError as refused:  # how the package refuses a library of another version
    for _ in sys.stdin:
        status = getattr(refused, "status", None)
        found = {"fault": str(refused)} if status is None else {"status": status, "message": str(refused)}
        print(json.dumps(found), flush=True)
    sys.exit(0)

import convert
import files
import make
import numpy as np
import show
import structs


def hello(request: dict[str, Any]) -> dict[str, Any]:
    """The request `hello`."""
    return {"language": "python", "abi_version": hurray.abi_version(), "library": str(hurray.get_library())}


def decode(request: dict[str, Any]) -> dict[str, Any]:
    """The request `decode`."""
    data = bytes.fromhex(request["bytes"])
    descriptor = hurray.Descriptor.decode(data, permissive=bool(request.get("permissive")))
    return {"descriptor": show.descriptor(descriptor), "bytes": descriptor.encode().hex()}


def build(request: dict[str, Any]) -> dict[str, Any]:
    """The request `build`."""
    item = make.item(request["item"])
    return {"item": show.item(item), "bytes": item.descriptor.encode().hex()}


def bind(request: dict[str, Any]) -> dict[str, Any]:
    """The request `bind`."""
    descriptor = hurray.Descriptor.decode(bytes.fromhex(request["descriptor"]))
    return {"item": show.item(hurray.Tensor.from_descriptor(descriptor, map(make.memory, request["buffers"])))}


def array(request: dict[str, Any]) -> dict[str, Any]:
    """The request `array`: numpy arrays, and memory with a type for what numpy lacks."""
    dtype = hurray.Dtype.from_name(request["dtype"])
    shape, data = ints(request["shape"]), np.frombuffer(bytes.fromhex(request["data"]), np.uint8)
    if dtype.is_sub_byte or dtype.name in ("bool", "float128"):
        tensor = hurray.Tensor(data, dtype, shape)
        view = tensor.buffer(0)
    else:
        data = data.view(dtype.numpy).reshape(shape)
        tensor = hurray.from_numpy(data, copy=False)
        view = tensor.numpy()
    shared = bool(data.size == 0 or view.ctypes.data == data.ctypes.data)
    return {"item": show.item(tensor), "values": view.tobytes().hex(), "shared": shared}


def describe(request: dict[str, Any]) -> dict[str, Any]:
    """The request `describe`."""
    return {"text": repr(make.item(request["item"]))}


def inputs(request: dict[str, Any]) -> Any:
    """The inputs of a batch."""
    if "inputs" in request:
        yield from map(bytes.fromhex, request["inputs"])
        return
    base = bytes.fromhex(request["base"])
    for cut in request["cuts"]:
        yield base[:cut]
    for flip in request["flips"]:
        flipped = bytearray(base)
        flipped[flip >> 3] ^= 1 << (flip & 7)
        yield bytes(flipped)


def batch(request: dict[str, Any]) -> dict[str, Any]:
    """The request `batch`."""
    statuses = []
    for data in inputs(request):
        try:
            files.visit(request["what"], data, request.get("options", {}))
            statuses.append(0)
        except hurray.HurrayError as error:
            statuses.append(error.status)
    return {"statuses": statuses}


class Foreign:
    """An object that exports a handle that was made elsewhere."""

    def __init__(self, handle: int) -> None:
        self.handle = handle

    def __hurray__(self, stream: int | None = None) -> Any:
        return structs.api.PyCapsule_New(self.handle, b"hurray_tensor_handle", None)


def foreign(request: dict[str, Any]) -> dict[str, Any]:
    """The request `foreign`."""
    library = ctypes.CDLL(request["library"])
    library.conformance_handle.restype = ctypes.c_void_p
    library.conformance_calls.argtypes = (ctypes.c_void_p, ctypes.c_uint32)
    handle = library.conformance_handle(request["version"])
    try:
        hurray.from_hurray(Foreign(handle))
    except hurray.HurrayError as error:
        calls = library.conformance_calls(handle, 0)
        library.conformance_calls(handle, 1)
        raise Failed(error, {"calls": calls}) from error
    return {"calls": library.conformance_calls(handle, 0)}


def live_handles(request: dict[str, Any]) -> dict[str, Any]:
    """The request `live_handles`."""
    gc.collect()
    return {"count": hurray.live_handles()}


OPS: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "hello": hello,
    "decode": decode,
    "build": build,
    "bind": bind,
    "array": array,
    "read_file": files.read_file,
    "write_file": files.write_file,
    "read_stream": files.read_stream,
    "write_stream": files.write_stream,
    "dlpack_export": structs.export,
    "dlpack_import": structs.import_struct,
    "describe": describe,
    "convert": convert.convert,
    "batch": batch,
    "foreign": foreign,
    "live_handles": live_handles,
    "quit": lambda request: {},
}


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """The answer to a request."""
    try:
        if request["op"] not in OPS:
            raise Fault(f"no op is named {request['op']}")
        return OPS[request["op"]](request) | {"status": 0}
    except hurray.HurrayError as error:
        return {"status": error.status, "message": str(error)}
    except Failed as failed:
        return failed.beside | {"status": failed.cause.status, "message": str(failed)}
    except Exception as error:
        return {"fault": f"{type(error).__name__}: {error}"}


for line in sys.stdin:
    request = json.loads(line)
    print(json.dumps(answer(request)), flush=True)
    if request["op"] == "quit":
        break
