"""Descriptor fields on their way in and out: the identifiers of ``hurray.h`` with their values."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from . import _hurray

# Identifier | level << 32, to a number, a list of numbers or bytes: what a descriptor carries.
Fields: TypeAlias = Mapping[int, Any]

# Kind ("u", "i", "f", "u[]", "i[]", "b"), identifier, level, value: one field to write.
Field: TypeAlias = tuple[str, int, int, Any]


def f_u64(field: int, value: int, level: int = 0) -> Field:
    """A whole number or truth value."""
    return "u", field, level, integer(value)


def f_i64(field: int, value: int, level: int = 0) -> Field:
    """A signed number."""
    return "i", field, level, integer(value)


def f_f64(field: int, value: float, level: int = 0) -> Field:
    """A real number."""
    return "f", field, level, float(value)


def f_u64s(field: int, values: Sequence[int], level: int = 0) -> Field:
    """Whole numbers."""
    return "u[]", field, level, list(values)


def f_i64s(field: int, values: Sequence[int], level: int = 0) -> Field:
    """Signed numbers."""
    return "i[]", field, level, list(values)


def f_bytes(field: int, value: bytes) -> Field:
    """Opaque bytes."""
    return "b", field, 0, bytes(value)


def f_tag(field: int, space: int, name: str, level: int = 0) -> Field:
    """A tag by its name."""
    for tag in range(256):
        if _hurray.tag_name(space, tag) == name:
            return "u", field, level, tag
    raise ValueError(f"unknown name {name!r}")


def integer(value: Any) -> int:
    """A Python integer of any integer type; a float or None is a :class:`TypeError`."""
    return operator.index(value)


def ints(values: Iterable[Any]) -> tuple[int, ...]:
    """A tuple of Python integers."""
    return tuple(operator.index(value) for value in values)


def shape_of(shape: Any) -> tuple[int, ...]:
    """A shape: one integer or several, none of them negative or a truth value."""
    dims = (shape,) if hasattr(shape, "__index__") and not hasattr(shape, "__len__") else tuple(shape)
    for dim in dims:
        # numpy's own is "bool_" before numpy 2, and an index there.
        if isinstance(dim, bool) or type(dim).__name__ in ("bool", "bool_"):
            raise TypeError("a dimension is an integer, not a truth value")
    found = ints(dims)
    for k, dim in enumerate(found):
        if dim < 0:
            raise ValueError(f"dimension {k} is {dim}: a dimension is not negative")
        if dim >= 1 << 64:
            raise OverflowError(f"dimension {k} does not fit 64 bits")
    return found
