"""The JSON forms of the adapter protocol."""

from __future__ import annotations

import struct
from typing import Any


class Fault(Exception):
    """Something that the adapter itself cannot express."""


class Failed(Exception):
    """A failure of the binding, with what stands beside it in the answer."""

    def __init__(self, cause: Any, beside: dict[str, Any]) -> None:
        super().__init__(str(cause))
        self.cause = cause
        self.beside = beside


def real(value: float) -> str:
    """The digits of a double."""
    return struct.pack(">d", value).hex()


def from_real(text: str) -> float:
    """A double of its digits."""
    (value,) = struct.unpack(">d", bytes.fromhex(text))
    return float(value)


def tag(name: str) -> str | int:
    """A tag: its name, or its number if the package had to make up a name (`private_f0`, `layout_0c`)."""
    stem, _, number = name.rpartition("_")
    if stem in ("private", "layout", "scheme"):
        return int(number, 16)
    return name


def wides(values: Any) -> list[str]:
    """Numbers as strings."""
    return [str(value) for value in values]


def ints(values: list[Any]) -> list[int]:
    """Numbers of strings or numbers."""
    return [int(value) for value in values]
