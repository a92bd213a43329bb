"""Arrays exported by hand: the C producer, built once, and an object around one of its structs."""

from __future__ import annotations

import functools
import importlib.util
import os
import subprocess
import sysconfig
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).resolve().parent
FOLDER = HERE.parents[2] / "build" / "dlpack_producer"
CPU = 1
FLOAT32 = (2, 32, 1)


def build() -> Path:
    """Compiles the module, unless it is newer than its sources."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    module = FOLDER / f"dlpack_producer{sysconfig.get_config_var('EXT_SUFFIX')}"
    sources = [HERE / "dlpack_producer.c", HERE / "dlpack_structs.h"]
    if module.is_file() and all(one.stat().st_mtime < module.stat().st_mtime for one in sources):
        return module
    beside = module.with_suffix(f".{os.getpid()}")
    command = [os.environ.get("CC", "cc"), "-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"]
    command += [str(sources[0]), f"-I{sysconfig.get_paths()['include']}", "-pthread", "-o", str(beside)]
    subprocess.run(command, check=True)
    os.replace(beside, module)
    return module


@functools.cache
def load() -> Any:
    """The module, built if need be."""
    spec = importlib.util.spec_from_file_location("dlpack_producer", build())
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Handmade:
    """An array that exports one struct with just these fields; ``data`` is an array, an address or None (NULL)."""

    def __init__(
        self,
        data: Any,
        shape: tuple[int, ...] | None,
        strides: tuple[int, ...] | None = None,
        dtype: tuple[int, int, int] = FLOAT32,
        *,
        version: tuple[int, int] | None = (1, 3),
        flags: int = 0,
        device: tuple[int, int] = (CPU, 0),
        byte_offset: int = 0,
        ndim: int | None = None,
    ) -> None:
        self.data = data
        self.shape, self.strides, self.dtype = shape, strides, dtype
        self.version, self.flags, self.device, self.byte_offset = version, flags, device, byte_offset
        self.ndim = len(shape or ()) if ndim is None else ndim

    def __dlpack__(self, **_: Any) -> Any:
        return self.versioned()

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.device

    def versioned(self) -> Any:
        address = self.data.ctypes.data if isinstance(self.data, np.ndarray) else self.data or 0
        return load().capsule(
            address,
            self.shape,
            self.strides,
            self.dtype,
            self.version,
            self.flags,
            self.device,
            self.byte_offset,
            self.ndim,
            self.data if isinstance(self.data, np.ndarray) else None,
        )
