"""DLPack structs in capsules, out and in."""

from __future__ import annotations

import ctypes
import gc
from typing import Any

import hurray
import make
import show
from form import Failed, ints, wides

POINTER = ctypes.POINTER(ctypes.c_int64)


class Array(ctypes.Structure):
    """`DLTensor`."""

    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", POINTER),
        ("strides", POINTER),
        ("byte_offset", ctypes.c_uint64),
    )


Deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class Versioned(ctypes.Structure):
    """`DLManagedTensorVersioned`."""

    _fields_ = (
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("context", ctypes.c_void_p),
        ("deleter", Deleter),
        ("flags", ctypes.c_uint64),
        ("array", Array),
    )


class Unversioned(ctypes.Structure):
    """`DLManagedTensor`."""

    _fields_ = (("array", Array), ("context", ctypes.c_void_p), ("deleter", Deleter))


api = ctypes.pythonapi
api.PyCapsule_New.restype = ctypes.py_object
api.PyCapsule_New.argtypes = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
api.PyCapsule_GetPointer.restype = ctypes.c_void_p
api.PyCapsule_GetPointer.argtypes = (ctypes.py_object, ctypes.c_char_p)
# A capsule keeps the pointer of its name.
NAMES = {True: b"dltensor_versioned", False: b"dltensor"}


def values(array: Any) -> bytes:
    """The elements in row-major order."""
    width = (array.bits * array.lanes + 7) // 8
    shape = array.shape[: array.ndim]
    strides = array.strides[: array.ndim] if array.strides else []
    if not array.strides:
        step = 1
        for extent in reversed(shape):
            strides.insert(0, step)
            step *= extent
    offsets = [0]
    for extent, stride in zip(shape, strides, strict=True):
        offsets = [at + k * stride for at in offsets for k in range(extent)]
    start = (array.data or 0) + array.byte_offset
    return b"".join(ctypes.string_at(start + at * width, width) for at in offsets)


def shown(array: Any) -> dict[str, Any]:
    """The struct's fields."""
    return {
        "device_type": array.device_type,
        "device_id": array.device_id,
        "code": array.code,
        "bits": array.bits,
        "lanes": array.lanes,
        "shape": wides(array.shape[: array.ndim]),
        "strides": wides(array.strides[: array.ndim]) if array.strides else None,
        "byte_offset": str(array.byte_offset),
    }


def export(request: dict[str, Any]) -> dict[str, Any]:
    """The request `dlpack_export`."""
    gc.collect()
    before = hurray.live_handles()
    tensor = make.item(request["item"])
    assert isinstance(tensor, hurray.Tensor)
    versioned = request["versioned"]
    capsule = tensor.__dlpack__(max_version=(1, 1) if versioned else None)
    tensor.close()
    address = api.PyCapsule_GetPointer(capsule, NAMES[versioned])
    managed: Any = (Versioned if versioned else Unversioned).from_address(address)
    found = shown(managed.array)
    if versioned:
        found |= {"version": [managed.major, managed.minor], "flags": str(managed.flags)}
    answer = {"struct": found, "values": values(managed.array).hex()}
    del tensor, managed, capsule  # the capsule's destructor calls the deleter
    gc.collect()
    return answer | {"live": hurray.live_handles() - before}


def import_struct(request: dict[str, Any]) -> dict[str, Any]:
    """The request `dlpack_import`."""
    given, data = request["struct"], bytes.fromhex(request["data"])
    memory = ctypes.create_string_buffer(len(data) + 64)
    start = ctypes.addressof(memory) + -ctypes.addressof(memory) % 64
    ctypes.memmove(start, data, len(data))
    shape = ints(given["shape"])
    dims = (ctypes.c_int64 * len(shape))(*shape)
    steps = (ctypes.c_int64 * len(shape))(*ints(given["strides"])) if given.get("strides") is not None else None
    array = Array(
        start,
        given["device_type"],
        given["device_id"],
        len(shape),
        given["code"],
        given["bits"],
        given["lanes"],
        ctypes.cast(dims, POINTER),
        ctypes.cast(steps, POINTER) if steps is not None else None,
        int(given["byte_offset"]),
    )
    deleted: list[int] = []
    deleter = Deleter(deleted.append)
    versioned = request["versioned"]
    managed: Any
    if versioned:
        managed = Versioned(*given["version"], None, deleter, int(given["flags"]), array)
    else:
        managed = Unversioned(array, None, deleter)
    capsule = api.PyCapsule_New(ctypes.addressof(managed), NAMES[versioned], None)
    try:
        item = show.item(_from(capsule))
    except hurray.HurrayError as error:
        raise Failed(error, {"deleted": len(deleted)}) from error
    gc.collect()
    return {"item": item, "deleted": len(deleted)}


def _from(capsule: Any) -> hurray.Tensor:
    return hurray.from_dlpack(capsule)
