"""A Python program that embeds Julia and hands a tensor of Julia's to numpy: `host.py LIBJULIA`."""

from __future__ import annotations

import ctypes
import sys
from typing import Any

import numpy as np

LIBJULIA = ctypes.PyDLL(sys.argv[1], ctypes.RTLD_GLOBAL)
LIBJULIA.jl_eval_string.restype = ctypes.c_void_p
LIBJULIA.jl_exception_occurred.restype = ctypes.c_void_p
LIBJULIA.jl_unbox_int64.restype = ctypes.c_int64
LIBJULIA.jl_unbox_int64.argtypes = [ctypes.c_void_p]
new_capsule = ctypes.pythonapi.PyCapsule_New
new_capsule.restype = ctypes.py_object
new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
NAMES = {True: b"dltensor_versioned", False: b"dltensor"}  # a capsule keeps the pointer to its name


def julia(text: str) -> int:
    """What a piece of Julia that ends with an integer gives."""
    value = LIBJULIA.jl_eval_string(f"Int64(begin; {text}; end)".encode())
    if LIBJULIA.jl_exception_occurred():
        raise RuntimeError(text)
    return int(LIBJULIA.jl_unbox_int64(value))


def struct(versioned: bool) -> int:
    """The address of DLPack's struct of the tensor."""
    return julia(f"UInt(Hurray.to_dlpack(tensor; versioned = {str(versioned).lower()}))")


class Shared:
    """Julia's tensor with both methods of DLPack's protocol, which consumers ask an object for."""

    def __dlpack_device__(self) -> tuple[int, int]:
        return julia("Hurray.dlpack_device(tensor).type"), julia("Hurray.dlpack_device(tensor).id")

    def __dlpack__(self, *, max_version: tuple[int, int] | None = None, **_: object) -> object:
        versioned = max_version is not None and max_version[0] >= 1
        return new_capsule(struct(versioned), NAMES[versioned], None)


LIBJULIA.jl_init__threading()
julia("using Hurray; array = [1.0 2.0 3.0; 4.0 5.0 6.0]; tensor = Tensor(array); 0")
shared: Any = Shared()
for _ in range(1000):
    found = np.from_dlpack(shared)
    assert (found.shape, found.strides, found[1, 0]) == ((2, 3), (8, 16), 4.0)
found[0, 2] = -3.0
assert julia("array[1, 3]") == -3

# numpy wants an object with both methods, and no bare capsule.
address = struct(False)
bare: Any = new_capsule(address, NAMES[False], None)
try:
    np.from_dlpack(bare)
except (AttributeError, TypeError):
    julia(f"close(Hurray.from_dlpack(Ptr{{Cvoid}}({address}); versioned = false)); 0")
else:
    raise AssertionError("numpy took a bare capsule")

# The array lives as long as numpy has it, and no longer.
julia("close(tensor); 0")
assert (julia("Hurray.live_roots()"), found[1, 2]) == (1, 6.0)
del found
rounds = [julia("GC.gc(); yield(); sleep(0.001); Hurray.live_roots() + Hurray.live_handles()") for _ in range(5)]
assert rounds[-1] == 0
LIBJULIA.jl_atexit_hook(0)
print("passed")
