"""Tensors from parts: the ways in that are not the plain array, which the extension takes by itself."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _hurray as _h
from . import device as device_module
from ._dtype import Dtype, resolve
from ._fields import Field, f_tag, shape_of
from .errors import BufferError, CopyRequiredError, InvalidArgumentError, UnsupportedError
from .layout import ColMajorLayout, Layout, RowMajorLayout

if TYPE_CHECKING:
    from ._dtype import DtypeLike
    from .device import Device
    from .quantization import Quantization
    from .sections import ExtensionType, Shard, Statistics

_LAYOUT_NAMES: dict[str, type[Layout]] = {"row_major": RowMajorLayout, "column_major": ColMajorLayout}
_WITHOUT_OFFSET = frozenset((_h.LAYOUT_COO, _h.LAYOUT_CSR, _h.LAYOUT_CSC, _h.LAYOUT_CSF, _h.LAYOUT_BLOCK_PAGED))


def construct(
    buffer: Any,
    dtype: DtypeLike | int,
    shape: Any,
    device: Device | str | None,
    aux_buffers: Sequence[Any] | None,
    layout: Layout | str | None,
    quantization: Quantization | None,
    optional: tuple[Statistics | None, Shard | None, ExtensionType | None, str | None],
    byte_offset: int,
    copy: bool | None,
) -> _h.Tensor:
    """What ``Tensor(...)`` does: bytes, and what they mean."""
    element_type = Dtype.from_tag(dtype) if isinstance(dtype, int) else resolve(dtype)
    dims = shape_of(shape)
    if device is not None and device_module.resolve(device) != device_module.cpu:
        raise UnsupportedError("only memory of the host can be wrapped here", _h.ERR_UNSUPPORTED)
    if layout is None:
        layout = RowMajorLayout()
    elif isinstance(layout, str):
        if layout not in _LAYOUT_NAMES:
            raise ValueError(f"layout is an object, or one of {', '.join(_LAYOUT_NAMES)}")
        layout = _LAYOUT_NAMES[layout]()
    offset = operator.index(byte_offset)
    if offset < 0:
        raise ValueError("byte_offset is not negative")
    source = flat_bytes(buffer)
    start = 0
    if layout.tag in _WITHOUT_OFFSET:
        data = aligned(source, copy)
    else:
        data, start = _h.wrap_bytes(source, copy is True)
    sections: list[Field] = []
    statistics, shard, extension_type, member_role = optional
    for section in (statistics, shard, extension_type):
        if section is not None:
            sections += section._write()
    if member_role is not None:
        sections.append(f_tag(_h.MEMBER_FIELD_ROLE, _h.SPACE_MEMBER_ROLE, member_role))
    buffers = [data, *(aligned(flat_bytes(aux), copy) for aux in aux_buffers or ())]
    fields = layout._write() + sections + _scheme(quantization, buffers)
    return _h.assemble(element_type.tag, layout.tag, dims, offset, start, fields, buffers)


def bind(descriptor: _h.Descriptor, buffers: Iterable[Any], copy: bool | None) -> _h.Tensor:
    """What ``Tensor.from_descriptor`` does."""
    return _h.bind(descriptor, [aligned(flat_bytes(one), copy) for one in buffers])


def from_array(
    array: Any,
    copy: bool | None,
    quantization: Quantization | None,
    aux_buffers: Sequence[Any] | None,
) -> _h.Tensor:
    """An array that needs more than its address: a conversion, a copy, or parameters of a scheme."""
    base = _narrow(array, copy) or _plain(array, copy)
    if quantization is None and not aux_buffers:
        return base
    fields = base._fields()
    strides = fields.get(_h.LAYOUT_FIELD_STRIDED_STRIDES)
    buffers = [base._buffer(0), *(aligned(flat_bytes(aux), copy) for aux in aux_buffers or ())]
    written = _scheme(quantization, buffers)
    if strides is not None:
        written.append(("i[]", _h.LAYOUT_FIELD_STRIDED_STRIDES, 0, list(strides)))
    return _h.assemble(
        fields[_h.HEADER_FIELD_ELEMENT_TYPE],
        fields[_h.HEADER_FIELD_LAYOUT],
        tuple(fields[_h.HEADER_FIELD_SHAPE]),
        fields[_h.HEADER_FIELD_BYTE_OFFSET],
        0,
        written,
        buffers,
    )


def _plain(array: Any, copy: bool | None) -> _h.Tensor:
    plain, flags = native(array, copy)
    if plain.dtype == np.bool_:
        return _h.from_memory(pack_bool(plain), _h.TYPE_BOOL, plain.shape, flags)
    return _h.from_plain_array(plain, flags, None if flags else copy)


def _narrow(array: Any, copy: bool | None) -> _h.Tensor | None:
    """The packed tensor of an array of int4 and its like, which has a byte for each element; None for other arrays."""
    tag = _h.numpy_tag(array.dtype) if type(array) is np.ndarray else None
    if tag is None or tag == _h.TYPE_BOOL or not Dtype.from_tag(tag).is_sub_byte:
        return None
    if copy is False:
        raise CopyRequiredError(
            f"each {array.dtype} is a byte in numpy and packed here: that takes a copy, which copy=False forbids",
            _h.ERR_COPY_REQUIRED,
        )
    dtype = Dtype.from_tag(tag)
    codes = array.astype(np.int8) if dtype.is_signed and dtype.is_integer else array.view(np.uint8)
    room = _h.allocate(_h.element_type_bytes(tag, codes.size), _h.BUFFER_COPIED_PACKING)
    return _h.convert_packing(_h.from_plain_array(codes, 0, None), tag, room, [], None)


def _scheme(quantization: Quantization | None, buffers: list[_h.Buffer]) -> list[Field]:
    """The fields of a scheme whose parameters are the last of the buffers."""
    if quantization is None:
        return []
    first = len(buffers) - quantization.parameter_count
    if first < 1:
        raise InvalidArgumentError(
            f"{quantization.name} has {quantization.parameter_count} parameter arrays: give aux_buffers",
            _h.ERR_INVALID_ARGUMENT,
        )
    return quantization._write(first)


def flat_bytes(source: Any) -> np.ndarray[Any, Any]:
    """The bytes of an array or of any object with a buffer, as they lie; read-only if the source is."""
    if not isinstance(source, np.ndarray):
        try:
            source = np.asarray(memoryview(source))
        except TypeError:
            raise TypeError(f"{type(source).__name__} is neither an array nor an object with a buffer") from None
    array: np.ndarray[Any, Any] = source
    if array.dtype.hasobject:
        raise UnsupportedError("an array of Python objects has no bytes to share", _h.ERR_UNSUPPORTED)
    if not array.dtype.isnative:
        raise UnsupportedError(
            f"{array.dtype} has another byte order; hurray.from_numpy(array) turns it round in a copy",
            _h.ERR_UNSUPPORTED,
        )
    if not (array.flags.c_contiguous or array.flags.f_contiguous):
        raise BufferError(
            "the buffer is not contiguous; hurray.from_numpy(array) keeps strides", _h.ERR_BUFFER_MISMATCH
        )
    flat = array.ravel(order="K")
    return flat.view(np.uint8) if flat.size else np.frombuffer(b"", np.uint8)


def aligned(source: np.ndarray[Any, Any], copy: bool | None) -> _h.Buffer:
    """Bytes as a buffer that begins with them: in place where they are aligned to 64, else copied."""
    if copy is not True:
        buffer = _h.wrap_aligned(source)
        if buffer is not None:
            return buffer
        if copy is False:
            raise CopyRequiredError(
                f"the part at {source.ctypes.data:#x} is not aligned to 64, and copy=False forbids a copy",
                _h.ERR_COPY_REQUIRED,
            )
    reason = _h.BUFFER_COPIED_ON_REQUEST if copy else _h.BUFFER_COPIED_ALIGNMENT
    return _h.copy_into(source, source.dtype, reason)


def words(source: Any, copy: bool | None) -> _h.Buffer:
    """An index array as 64-bit words: in place where width and alignment allow it, else one counted pass."""
    array = np.asarray(source)
    if array.dtype.kind not in "iu":
        raise TypeError(f"indices are integers, not {array.dtype}")
    wide = array.dtype.itemsize == 8 and array.dtype.isnative
    if wide and array.flags.c_contiguous:
        return aligned(flat_bytes(array), copy)
    if copy is False:
        raise CopyRequiredError(
            f"indices of type {array.dtype} need a copy as 64-bit words, and copy=False forbids it",
            _h.ERR_COPY_REQUIRED,
        )
    reason = _h.BUFFER_COPIED_ALIGNMENT if wide else _h.BUFFER_COPIED_WIDTH
    return _h.copy_into(array, np.dtype(np.uint64), reason)


def native(array: Any, copy: bool | None) -> tuple[np.ndarray[Any, Any], int]:
    """An array whose elements are as the format has them, and the buffer flags that say what it took."""
    if not isinstance(array, np.ndarray):
        raise TypeError(f"from_numpy takes a numpy array, not {type(array).__name__}; hurray.asarray takes more")
    if isinstance(array, np.ma.MaskedArray):
        raise UnsupportedError("a mask would be lost; pass array.data or array.filled()", _h.ERR_UNSUPPORTED)
    if array.dtype.hasobject:
        raise UnsupportedError(
            "an array of Python objects cannot be shared; array.astype(dtype) makes numbers of them",
            _h.ERR_UNSUPPORTED,
        )
    tag = _h.numpy_tag(array.dtype.newbyteorder("="))
    if tag is None:
        raise UnsupportedError(
            f"the format has no element type for numpy's {array.dtype}; array.astype(dtype) gives one that it has",
            _h.ERR_UNSUPPORTED,
        )
    if Dtype.from_tag(tag).is_sub_byte and tag != _h.TYPE_BOOL:
        raise UnsupportedError(
            f"numpy has a byte for each {array.dtype}, the format packs them: give Tensor(...) packed bytes",
            _h.ERR_UNSUPPORTED,
        )
    if tag != _h.TYPE_BOOL and array.dtype.isnative:
        return np.asarray(array), 0
    if copy is False:
        what = "truth values are packed eight to a byte" if tag == _h.TYPE_BOOL else f"{array.dtype} is byte-swapped"
        raise CopyRequiredError(
            f"{what}: that takes a copy, which copy=False forbids; from_numpy(array, copy=None) makes it",
            _h.ERR_COPY_REQUIRED,
        )
    if tag == _h.TYPE_BOOL:
        return array, _h.BUFFER_COPIED_PACKING
    return array.astype(array.dtype.newbyteorder("=")), _h.BUFFER_COPIED_PACKING


def pack_bool(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Truth values, eight to a byte, lowest bit first, in row-major order."""
    return np.packbits(np.ascontiguousarray(array).reshape(-1), bitorder="little")


def unpack_bool(packed: np.ndarray[Any, Any], shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
    """The truth values of packed bytes."""
    count = int(np.prod(shape, dtype=np.int64))
    return np.unpackbits(packed, count=count, bitorder="little").view(np.bool_).reshape(shape)
