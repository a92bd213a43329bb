"""Optional sections of a descriptor: statistics, shard, and the description of a private element type."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from . import _hurray as _h
from ._fields import Field, Fields, f_f64, f_u64, f_u64s, ints

__all__ = ["ExtensionType", "Shard", "Statistics"]


@dataclass(frozen=True, kw_only=True)
class Statistics:
    """What the producer computed of the values. None is a value that it did not compute.

    Groups belong together: minimum, maximum and absolute maximum; mean and standard deviation; ``n`` of
    ``m``; NaN and infinity.
    """

    nnz: int | None = None
    sparsity_ratio: float | None = None
    value_min: float | None = None
    value_max: float | None = None
    value_abs_max: float | None = None
    mean: float | None = None
    stddev: float | None = None
    nm_n: int | None = None
    nm_m: int | None = None
    has_nan: bool | None = None
    has_inf: bool | None = None

    def _write(self) -> list[Field]:
        fields = []
        for name, number, is_real in _STATISTICS:
            value = getattr(self, name)
            if value is not None:
                fields.append(f_f64(number, value) if is_real else f_u64(number, value))
        return fields


_STATISTICS = (
    ("nnz", _h.STATS_FIELD_NNZ, False),
    ("sparsity_ratio", _h.STATS_FIELD_SPARSITY_RATIO, True),
    ("value_min", _h.STATS_FIELD_MIN, True),
    ("value_max", _h.STATS_FIELD_MAX, True),
    ("value_abs_max", _h.STATS_FIELD_ABS_MAX, True),
    ("mean", _h.STATS_FIELD_MEAN, True),
    ("stddev", _h.STATS_FIELD_STDDEV, True),
    ("nm_n", _h.STATS_FIELD_NM_N, False),
    ("nm_m", _h.STATS_FIELD_NM_M, False),
    ("has_nan", _h.STATS_FIELD_HAS_NAN, False),
    ("has_inf", _h.STATS_FIELD_HAS_INF, False),
)


@dataclass(frozen=True)
class Shard:
    """The box of a larger tensor that this one is: the parent's shape, and where the box begins in it."""

    parent_shape: tuple[int, ...]
    shard_offset: tuple[int, ...]

    def __init__(self, parent_shape: Sequence[int], shard_offset: Sequence[int]) -> None:
        object.__setattr__(self, "parent_shape", ints(parent_shape))
        object.__setattr__(self, "shard_offset", ints(shard_offset))

    def _write(self) -> list[Field]:
        return [
            f_u64s(_h.SHARD_FIELD_PARENT_SHAPE, self.parent_shape),
            f_u64s(_h.SHARD_FIELD_OFFSET, self.shard_offset),
        ]


@dataclass(frozen=True)
class ExtensionType:
    """What a private element type (tag ``0xF0`` to ``0xFE``) looks like. Widths are in bits."""

    bit_width: int
    packing_factor: int = 1
    is_float: bool = False
    is_signed: bool = False
    sign_bits: int = 0
    exponent_bits: int = 0
    mantissa_bits: int = 0
    exponent_bias: int = 0
    has_nan: bool = False
    has_inf: bool = False

    def _write(self) -> list[Field]:
        return [f_u64(number, getattr(self, name)) for name, number in _EXTENSION]


_EXTENSION = (
    ("bit_width", _h.EXT_TYPE_FIELD_BIT_WIDTH),
    ("packing_factor", _h.EXT_TYPE_FIELD_PACKING_FACTOR),
    ("is_float", _h.EXT_TYPE_FIELD_IS_FLOAT),
    ("is_signed", _h.EXT_TYPE_FIELD_IS_SIGNED),
    ("sign_bits", _h.EXT_TYPE_FIELD_SIGN_BITS),
    ("exponent_bits", _h.EXT_TYPE_FIELD_EXPONENT_BITS),
    ("mantissa_bits", _h.EXT_TYPE_FIELD_MANTISSA_BITS),
    ("exponent_bias", _h.EXT_TYPE_FIELD_EXPONENT_BIAS),
    ("has_nan", _h.EXT_TYPE_FIELD_HAS_NAN),
    ("has_inf", _h.EXT_TYPE_FIELD_HAS_INF),
)
_TRUTH = frozenset(("is_float", "is_signed", "has_nan", "has_inf"))


def statistics_from_fields(fields: Fields) -> Statistics | None:
    """The statistics of a descriptor's fields, or None."""
    if _h.STATS_FIELD_COMPUTED_MASK not in fields:
        return None
    found = {name: fields[number] for name, number, _ in _STATISTICS if number in fields}
    return Statistics(**{name: bool(value) if name in _TRUTH else value for name, value in found.items()})


def shard_from_fields(fields: Fields) -> Shard | None:
    """The shard of a descriptor's fields, or None."""
    if _h.SHARD_FIELD_PARENT_SHAPE not in fields:
        return None
    return Shard(fields[_h.SHARD_FIELD_PARENT_SHAPE], fields[_h.SHARD_FIELD_OFFSET])


def extension_type_from_fields(fields: Fields) -> ExtensionType | None:
    """The private element type of a descriptor's fields, or None."""
    if _h.EXT_TYPE_FIELD_BIT_WIDTH not in fields:
        return None
    return ExtensionType(
        **{name: bool(fields[n]) if name in _TRUTH else fields[n] for name, n in _EXTENSION if n in fields}
    )
