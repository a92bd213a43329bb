"""The class of element types."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias, final

from . import _hurray
from .errors import UnsupportedError

if TYPE_CHECKING:
    import numpy as np

    DtypeLike: TypeAlias = "Dtype" | str | np.dtype[Any] | type


@final
class Dtype:
    """An element type. Instances are fixed: compare them with ``==`` or ``is``."""

    __slots__ = ("_alignment", "_bits", "_kind", "_name", "_tag")

    _by_tag: ClassVar[dict[int, Dtype]] = {}
    _by_name: ClassVar[dict[str, Dtype]] = {}

    _name: str
    _tag: int
    _bits: int
    _alignment: int
    _kind: int

    def __init__(self) -> None:
        raise TypeError("element types are fixed: use hurray.float32, Dtype.from_name or Dtype.from_tag")

    @classmethod
    def _make(cls, tag: int) -> Dtype:
        self = object.__new__(cls)
        self._name = _hurray.tag_name(_hurray.SPACE_ELEMENT_TYPE, tag) or f"private_{tag:02x}"
        self._tag = tag
        self._bits, self._alignment, self._kind = _hurray.element_type_info(tag) or (0, 1, 0)
        return self

    @classmethod
    def from_tag(cls, tag: int) -> Dtype:
        """The type of a wire tag; a private tag (``0xF0`` to ``0xFE``) gives a type of width 0.

        Raises :class:`hurray.InvalidDescriptorError` for an unassigned tag.
        """
        if tag not in cls._by_tag and not 0xF0 <= tag <= 0xFE:
            _hurray.element_type_bytes(tag, 0)  # raises the library's own error
        return cls._of_tag(tag)

    @classmethod
    def _of_tag(cls, tag: int) -> Dtype:
        """The type of a descriptor's tag, which permissive reading may have left unknown."""
        known = cls._by_tag.get(tag)
        return known or cls._by_tag.setdefault(tag, cls._make(tag))

    @classmethod
    def from_name(cls, name: str) -> Dtype:
        """The type of a name, such as ``"bfloat16"``. Raises :class:`ValueError` for an unknown one."""
        try:
            return cls._by_name[name]
        except KeyError:
            raise ValueError(f"no element type is named {name!r}") from None

    @property
    def name(self) -> str:
        """The type's name, in lower case."""
        return self._name

    @property
    def tag(self) -> int:
        """The tag in a descriptor."""
        return self._tag

    @property
    def bit_width(self) -> int:
        """Bits of one element; 0 for a private type, whose width is in its descriptor."""
        return self._bits

    @property
    def element_alignment(self) -> int:
        """The alignment of one element, in bytes."""
        return self._alignment

    @property
    def tier(self) -> int:
        """1 for the types that every reader must know, else 2."""
        return 1 if self._kind & _hurray.KIND_TIER_1 else 2

    @property
    def is_float(self) -> bool:
        """Whether elements are floating-point numbers."""
        return bool(self._kind & _hurray.KIND_FLOAT)

    @property
    def is_integer(self) -> bool:
        """Whether elements are whole numbers."""
        return bool(self._kind & _hurray.KIND_INTEGER)

    @property
    def is_signed(self) -> bool:
        """Whether there are negative values."""
        return bool(self._kind & _hurray.KIND_SIGNED)

    @property
    def is_complex(self) -> bool:
        """Whether elements have a real and an imaginary part."""
        return bool(self._kind & _hurray.KIND_COMPLEX)

    @property
    def is_sub_byte(self) -> bool:
        """Whether elements are narrower than a byte, and so are packed."""
        return bool(self._kind & _hurray.KIND_SUB_BYTE)

    @property
    def is_array_api(self) -> bool:
        """Whether the array API standard has this type."""
        return self._name in _ARRAY_API

    @property
    def numpy(self) -> np.dtype[Any]:
        """The numpy dtype of one unpacked element.

        bfloat16, the 8-bit floats and the packed types need the package ``ml_dtypes``. Raises
        :class:`hurray.UnsupportedError` when there is no such dtype.
        """
        import numpy

        if self._name in _NUMPY:
            return numpy.dtype(self._name)
        name = _ML_DTYPES.get(self._name)
        if name is not None:
            try:
                found: np.dtype[Any] = numpy.dtype(getattr(importlib.import_module("ml_dtypes"), name))
                return found
            except (ImportError, AttributeError):
                raise UnsupportedError(
                    f"numpy has no {self._name} without ml_dtypes; numpy(raw=True) gives the bits",
                    _hurray.ERR_UNSUPPORTED,
                ) from None
        raise UnsupportedError(f"numpy has no {self._name}; numpy(raw=True) gives the bits", _hurray.ERR_UNSUPPORTED)

    def __repr__(self) -> str:
        return f"hurray.dtype.{self._name}"

    def __str__(self) -> str:
        return self._name

    def __eq__(self, other: object) -> bool:
        return self._tag == other._tag if isinstance(other, Dtype) else NotImplemented

    def __hash__(self) -> int:
        return hash((Dtype, self._tag))

    def __reduce__(self) -> tuple[Any, tuple[int]]:
        return Dtype.from_tag, (self._tag,)


# The types that numpy has, by numpy's names.
_NUMPY = frozenset(
    [
        "float16",
        "float32",
        "float64",
        "int8",
        "uint8",
        "int16",
        "uint16",
        "int32",
        "uint32",
        "int64",
        "uint64",
        "bool",
        "complex64",
        "complex128",
    ]
)
_ARRAY_API = _NUMPY - {"float16"}

# The types that ml_dtypes has, by its names: "fn" is finite, "u" unsigned, "nuz" would have one zero only.
_ML_DTYPES = {
    "bfloat16": "bfloat16",
    "float8_e4m3": "float8_e4m3fn",
    "float8_e5m2": "float8_e5m2",
    "float8_e8m0": "float8_e8m0fnu",
    "float6_e2m3": "float6_e2m3fn",
    "float6_e3m2": "float6_e3m2fn",
    "float4_e2m1": "float4_e2m1fn",
    "int4": "int4",
    "uint4": "uint4",
    "int2": "int2",
    "uint2": "uint2",
}


def _ml_dtypes() -> list[tuple[int, np.dtype[Any]]]:
    """Tag and dtype of each type that the installed ml_dtypes has; the extension asks once."""
    found = []
    for name in _ML_DTYPES:
        one = Dtype.from_name(name)
        try:
            found.append((one.tag, one.numpy))
        except UnsupportedError:
            continue
    return found


def resolve(dtype: DtypeLike) -> Dtype:
    """The :class:`Dtype` of a type, a name, a numpy dtype or anything that numpy takes for one."""
    if isinstance(dtype, Dtype):
        return dtype
    if isinstance(dtype, str) and dtype in Dtype._by_name:
        return Dtype._by_name[dtype]
    import numpy

    tag = _hurray.numpy_tag(numpy.dtype(dtype).newbyteorder("="))
    if tag is None:
        raise UnsupportedError(f"the format has no element type for {dtype!r}", _hurray.ERR_UNSUPPORTED)
    return Dtype.from_tag(tag)


def _register() -> None:
    for tag in range(1, 0xF0):
        if _hurray.element_type_info(tag) is not None:
            one = Dtype.from_tag(tag)
            Dtype._by_name[one.name] = one


_register()
