"""Quantization schemes: how stored codes become real numbers.

Parameter arrays (scales, zero points) are buffers of the tensor. Where an index is left out, they are the
tensor's last buffers: first the scales, then the zero points.

>>> import hurray, numpy as np
>>> codes = np.array([[10, -20, 30], [4, 5, -6]], np.int8)
>>> scales = np.array([0.5, 0.25], np.float32)
>>> t = hurray.from_numpy(codes, quantization=hurray.PerChannelAffine.symmetric(0), aux_buffers=[scales])
>>> t.quantization.axis
0
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from . import _hurray as _h
from ._fields import Field, Fields, f_bytes, f_f64, f_i64, f_tag, f_u64

__all__ = [
    "MXFP",
    "NF4",
    "PerBlockAffine",
    "PerChannelAffine",
    "PerTensorAffine",
    "Quantization",
    "UnknownScheme",
]


@dataclass(frozen=True)
class Quantization:
    """What all schemes share."""

    _TAG: ClassVar[int] = 0

    @property
    def tag(self) -> int:
        """The scheme's tag in a descriptor."""
        return self._TAG

    @property
    def name(self) -> str:
        """The scheme's name, in lower case."""
        return _h.tag_name(_h.SPACE_SCHEME, self.tag) or f"scheme_{self.tag:02x}"

    @property
    def parameter_count(self) -> int:
        """How many parameter arrays the scheme has: 0, 1 or 2."""
        return 0

    def _write(self, first: int) -> list[Field]:
        raise TypeError(f"{type(self).__name__} cannot be written")

    def _scheme(self) -> Field:
        return f_u64(_h.QUANT_FIELD_SCHEME, self.tag)


@dataclass(frozen=True)
class PerTensorAffine(Quantization):
    """``scale * (code - zero_point)``. The scale is a float32."""

    scale: float
    zero_point: int = 0
    _TAG = _h.SCHEME_PER_TENSOR_AFFINE

    def _write(self, first: int) -> list[Field]:
        return [
            self._scheme(),
            f_f64(_h.QUANT_FIELD_PER_TENSOR_SCALE, self.scale),
            f_i64(_h.QUANT_FIELD_PER_TENSOR_ZERO_POINT, self.zero_point),
        ]


@dataclass(frozen=True)
class PerChannelAffine(Quantization):
    """``scale[c] * (code - zero_point[c])``, where ``c`` is the index along ``axis``.

    Scales are float32 ``[shape[axis]]``, zero points int32 ``[shape[axis]]``; a symmetric scheme has no zero
    points.
    """

    axis: int
    scale_buffer_index: int | None = None
    zero_point_buffer_index: int | None = None
    is_symmetric: bool = field(default=True, kw_only=True)
    scale_type: str = field(default="float32", kw_only=True)
    _TAG = _h.SCHEME_PER_CHANNEL_AFFINE

    @staticmethod
    def symmetric(axis: int, scale_buffer_index: int | None = None) -> PerChannelAffine:
        """Scales alone."""
        return PerChannelAffine(axis, scale_buffer_index)

    @staticmethod
    def asymmetric(
        axis: int, scale_buffer_index: int | None = None, zero_point_buffer_index: int | None = None
    ) -> PerChannelAffine:
        """Scales and zero points."""
        return PerChannelAffine(axis, scale_buffer_index, zero_point_buffer_index, is_symmetric=False)

    @property
    def parameter_count(self) -> int:
        """1 when symmetric, else 2."""
        return 1 if self.is_symmetric else 2

    def _write(self, first: int) -> list[Field]:
        scales, zero_points = _indices(self, first)
        fields = [
            self._scheme(),
            f_u64(_h.QUANT_FIELD_PER_CHANNEL_AXIS, self.axis),
            f_u64(_h.QUANT_FIELD_PER_CHANNEL_SCALE_BUFFER, scales),
            f_tag(_h.QUANT_FIELD_PER_CHANNEL_SCALE_TYPE, _h.SPACE_ELEMENT_TYPE, self.scale_type),
        ]
        if zero_points is not None:
            fields.append(f_u64(_h.QUANT_FIELD_PER_CHANNEL_ZERO_POINT_BUFFER, zero_points))
        return fields


@dataclass(frozen=True)
class PerBlockAffine(Quantization):
    """``scale[b] * (code - zero_point[b])``; ``b`` is a block of ``block_size`` elements along ``axis``.

    Scales are ``scale_type`` (float16, bfloat16 or float32), zero points int32; both are shaped like the
    tensor with ``ceil(shape[axis] / block_size)`` along ``axis``, which runs fastest.
    """

    axis: int
    block_size: int
    scale_buffer_index: int | None = None
    zero_point_buffer_index: int | None = None
    is_symmetric: bool = field(default=True, kw_only=True)
    scale_type: str = field(default="float32", kw_only=True)
    _TAG = _h.SCHEME_PER_BLOCK_AFFINE

    @staticmethod
    def symmetric(
        axis: int, block_size: int, scale_buffer_index: int | None = None, scale_type: str = "float32"
    ) -> PerBlockAffine:
        """Scales alone."""
        return PerBlockAffine(axis, block_size, scale_buffer_index, scale_type=scale_type)

    @staticmethod
    def asymmetric(
        axis: int,
        block_size: int,
        scale_buffer_index: int | None = None,
        zero_point_buffer_index: int | None = None,
        scale_type: str = "float32",
    ) -> PerBlockAffine:
        """Scales and zero points."""
        return PerBlockAffine(
            axis,
            block_size,
            scale_buffer_index,
            zero_point_buffer_index,
            is_symmetric=False,
            scale_type=scale_type,
        )

    @property
    def parameter_count(self) -> int:
        """1 when symmetric, else 2."""
        return 1 if self.is_symmetric else 2

    def _write(self, first: int) -> list[Field]:
        scales, zero_points = _indices(self, first)
        fields = [
            self._scheme(),
            f_u64(_h.QUANT_FIELD_PER_BLOCK_AXIS, self.axis),
            f_u64(_h.QUANT_FIELD_PER_BLOCK_BLOCK_SIZE, self.block_size),
            f_u64(_h.QUANT_FIELD_PER_BLOCK_SCALE_BUFFER, scales),
            f_tag(_h.QUANT_FIELD_PER_BLOCK_SCALE_TYPE, _h.SPACE_ELEMENT_TYPE, self.scale_type),
        ]
        if zero_points is not None:
            fields.append(f_u64(_h.QUANT_FIELD_PER_BLOCK_ZERO_POINT_BUFFER, zero_points))
        return fields


@dataclass(frozen=True)
class NF4(Quantization):
    """16 fixed levels times a float32 scale for each block of ``block_size`` elements along ``axis``."""

    axis: int
    block_size: int
    scale_buffer_index: int | None = None
    _TAG = _h.SCHEME_NF4

    @property
    def parameter_count(self) -> int:
        """1: the scales."""
        return 1

    def _write(self, first: int) -> list[Field]:
        return [
            self._scheme(),
            f_u64(_h.QUANT_FIELD_NF4_AXIS, self.axis),
            f_u64(_h.QUANT_FIELD_NF4_BLOCK_SIZE, self.block_size),
            f_u64(_h.QUANT_FIELD_NF4_SCALE_BUFFER, _or(self.scale_buffer_index, first)),
        ]


@dataclass(frozen=True)
class MXFP(Quantization):
    """Narrow numbers times a power of two (float8_e8m0) for each ``block_size`` elements along ``axis``."""

    axis: int
    block_size: int
    scale_buffer_index: int | None = None
    _TAG = _h.SCHEME_MXFP

    @property
    def parameter_count(self) -> int:
        """1: the scales."""
        return 1

    def _write(self, first: int) -> list[Field]:
        return [
            self._scheme(),
            f_u64(_h.QUANT_FIELD_MXFP_AXIS, self.axis),
            f_u64(_h.QUANT_FIELD_MXFP_BLOCK_SIZE, self.block_size),
            f_u64(_h.QUANT_FIELD_MXFP_SCALE_BUFFER, _or(self.scale_buffer_index, first)),
        ]


@dataclass(frozen=True)
class UnknownScheme(Quantization):
    """A scheme that this library does not know, read permissively; its codes cannot be made numbers."""

    scheme_tag: int
    scheme_version: int
    flags: int
    raw_bytes: bytes

    @property
    def tag(self) -> int:
        """The scheme's tag in a descriptor."""
        return self.scheme_tag

    def _write(self, first: int) -> list[Field]:
        return [
            self._scheme(),
            f_u64(_h.QUANT_FIELD_SCHEME_VERSION, self.scheme_version),
            f_u64(_h.QUANT_FIELD_FLAGS, self.flags),
            f_bytes(_h.QUANT_FIELD_UNKNOWN_DATA, self.raw_bytes),
        ]


def _or(index: int | None, default: int) -> int:
    return default if index is None else index


def _indices(scheme: PerChannelAffine | PerBlockAffine, first: int) -> tuple[int, int | None]:
    """Which buffers hold scales and zero points: as told, else the tensor's last ones."""
    zero_points = None if scheme.is_symmetric else _or(scheme.zero_point_buffer_index, first + 1)
    return _or(scheme.scale_buffer_index, first), zero_points


def from_fields(fields: Fields) -> Quantization | None:
    """The scheme of a descriptor's fields, or None for a plain tensor."""
    tag = fields.get(_h.QUANT_FIELD_SCHEME)
    if tag is None:
        return None
    if tag == _h.SCHEME_PER_TENSOR_AFFINE:
        return PerTensorAffine(fields[_h.QUANT_FIELD_PER_TENSOR_SCALE], fields[_h.QUANT_FIELD_PER_TENSOR_ZERO_POINT])
    if tag == _h.SCHEME_PER_CHANNEL_AFFINE:
        zero_points = fields.get(_h.QUANT_FIELD_PER_CHANNEL_ZERO_POINT_BUFFER)
        return PerChannelAffine(
            fields[_h.QUANT_FIELD_PER_CHANNEL_AXIS],
            fields[_h.QUANT_FIELD_PER_CHANNEL_SCALE_BUFFER],
            zero_points,
            is_symmetric=zero_points is None,
            scale_type=_type_name(fields[_h.QUANT_FIELD_PER_CHANNEL_SCALE_TYPE]),
        )
    if tag == _h.SCHEME_PER_BLOCK_AFFINE:
        zero_points = fields.get(_h.QUANT_FIELD_PER_BLOCK_ZERO_POINT_BUFFER)
        return PerBlockAffine(
            fields[_h.QUANT_FIELD_PER_BLOCK_AXIS],
            fields[_h.QUANT_FIELD_PER_BLOCK_BLOCK_SIZE],
            fields[_h.QUANT_FIELD_PER_BLOCK_SCALE_BUFFER],
            zero_points,
            is_symmetric=zero_points is None,
            scale_type=_type_name(fields[_h.QUANT_FIELD_PER_BLOCK_SCALE_TYPE]),
        )
    if tag == _h.SCHEME_NF4:
        return NF4(
            fields[_h.QUANT_FIELD_NF4_AXIS],
            fields[_h.QUANT_FIELD_NF4_BLOCK_SIZE],
            fields[_h.QUANT_FIELD_NF4_SCALE_BUFFER],
        )
    if tag == _h.SCHEME_MXFP:
        return MXFP(
            fields[_h.QUANT_FIELD_MXFP_AXIS],
            fields[_h.QUANT_FIELD_MXFP_BLOCK_SIZE],
            fields[_h.QUANT_FIELD_MXFP_SCALE_BUFFER],
        )
    return UnknownScheme(
        tag,
        fields.get(_h.QUANT_FIELD_SCHEME_VERSION, 0),
        fields.get(_h.QUANT_FIELD_FLAGS, 0),
        fields.get(_h.QUANT_FIELD_UNKNOWN_DATA, b""),
    )


def _type_name(tag: int) -> str:
    return _h.tag_name(_h.SPACE_ELEMENT_TYPE, tag) or f"private_{tag:02x}"
