"""Key-value metadata of a file: Python values and the types they are stored as."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

INT64_MIN, INT64_MAX, UINT64_MAX = -(2**63), 2**63 - 1, 2**64 - 1
KINDS = ("bool", "int64", "uint64", "float64", "string", "bytes")


class KvArray(list[Any]):
    """An array of a file's metadata: a list that knows the type of its elements, so that an empty one keeps it.

    ``kind`` is "bool", "int64", "uint64", "float64", "string" or "bytes".
    """

    kind: str

    def __init__(self, kind: str, values: Iterable[Any] = ()) -> None:
        if kind not in KINDS:
            raise ValueError(f"{kind!r} is none of {', '.join(KINDS)}")
        super().__init__(values)
        self.kind = kind

    def __repr__(self) -> str:
        return f"KvArray({self.kind!r}, {list(self)!r})"


def encode(value: Any) -> tuple[str, bool, Any]:
    """The type of a value, whether it is an array, and what is stored."""
    if isinstance(value, KvArray):
        return value.kind, True, list(value)
    if isinstance(value, np.ndarray):
        return _of_array(value)
    if isinstance(value, list | tuple):
        return _of_list(list(value))
    kind, plain = _scalar(value)
    return kind, False, plain


def decode(kind: str, is_array: bool, value: Any) -> Any:
    """A stored value as Python has it."""
    return KvArray(kind, value) if is_array else value


def _scalar(value: Any) -> tuple[str, Any]:
    if isinstance(value, np.generic):
        unsigned = isinstance(value, np.unsignedinteger)
        value = value.item()
        if unsigned:
            return "uint64", value
    if isinstance(value, bool):
        return "bool", value
    if isinstance(value, int):
        if INT64_MIN <= value <= INT64_MAX:
            return "int64", value
        if 0 <= value <= UINT64_MAX:
            return "uint64", value
        raise OverflowError(f"{value} fits neither int64 nor uint64")
    if isinstance(value, float):
        return "float64", value
    if isinstance(value, str):
        return "string", value
    if isinstance(value, bytes | bytearray | memoryview):
        return "bytes", bytes(value)
    raise TypeError(f"no key-value type holds a {type(value).__name__}")


def _of_list(values: list[Any]) -> tuple[str, bool, Any]:
    if not values:
        raise ValueError("an empty list has no type; use hurray.KvArray(kind)")
    pairs = [_scalar(value) for value in values]
    kinds = {kind for kind, _ in pairs}
    if kinds == {"int64", "uint64"} and all(plain >= 0 for _, plain in pairs):
        kinds = {"uint64"}
    if len(kinds) != 1:
        raise TypeError(f"an array has elements of one type, not {', '.join(sorted(kinds))}")
    return kinds.pop(), True, [plain for _, plain in pairs]


def _of_array(array: np.ndarray[Any, Any]) -> tuple[str, bool, Any]:
    if array.ndim != 1:
        raise ValueError("an array of key-value metadata has one dimension")
    kinds = {"b": "bool", "i": "int64", "u": "uint64", "f": "float64", "U": "string", "S": "bytes"}
    if array.dtype.kind not in kinds:
        raise TypeError(f"no key-value type holds {array.dtype}")
    return kinds[array.dtype.kind], True, array.tolist()
