"""What all tests share: no test leaves a handle behind."""

from __future__ import annotations

import ctypes
import gc
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import hurray
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "demo"))

import consumer


@pytest.fixture(autouse=True, scope="session")
def _collect_only_what_tests_make() -> None:
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def _no_handle_is_left() -> Iterator[None]:
    gc.collect()
    before = hurray.live_handles()
    yield
    gc.collect()
    assert hurray.live_handles() == before


class Exporter:
    """An object that exports a capsule that it was given, as a foreign producer does."""

    def __init__(self, capsule: Any) -> None:
        self.capsule = capsule

    def __hurray__(self, stream: int | None = None) -> Any:
        return self.capsule


NEW = ctypes.pythonapi.PyCapsule_New
NEW.restype = ctypes.py_object
NEW.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
NAME = ctypes.pythonapi.PyCapsule_GetName
NAME.restype = ctypes.c_char_p
NAME.argtypes = [ctypes.py_object]
POINTER = ctypes.pythonapi.PyCapsule_GetPointer
POINTER.restype = ctypes.c_void_p
POINTER.argtypes = [ctypes.py_object, ctypes.c_char_p]
RENAME = ctypes.pythonapi.PyCapsule_SetName
RENAME.restype = ctypes.c_int
RENAME.argtypes = [ctypes.py_object, ctypes.c_char_p]

USED = b"used_hurray_tensor_handle"


def taken_handle(capsule: Any) -> ctypes.c_void_p:
    """Consumes a capsule as a native consumer does, and gives the raw handle."""
    handle = POINTER(capsule, b"hurray_tensor_handle")
    assert RENAME(capsule, USED) == 0
    return ctypes.c_void_p(handle)


@pytest.fixture(scope="session")
def library() -> ctypes.CDLL:
    """The library itself, for what a native consumer does. Calls run without the interpreter's lock."""
    return ctypes.CDLL(hurray.get_library())


@pytest.fixture
def destroy(library: ctypes.CDLL) -> Callable[[ctypes.c_void_p], int]:
    """``hurray_tensor_destroy`` of a handle."""

    def call(handle: ctypes.c_void_p) -> int:
        return int(library.hurray_tensor_destroy(ctypes.byref(handle)))

    return call


@pytest.fixture(scope="session")
def cpp() -> ModuleType:
    """The demo's C++ consumer, compiled against the installed package."""
    return consumer.load(consumer.SOURCE.parent.parent / "build" / "demo")
