"""Whatever holds an array as a tensor, and a tensor in another form."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _build
from . import _hurray as _h
from . import device as device_module
from ._dtype import resolve
from ._fields import ints
from .dlpack import from_dlpack
from .errors import CopyRequiredError, UnsupportedError
from .layout import ColMajorLayout, CooLayout, CscLayout, CsrLayout, Layout, RowMajorLayout
from .quantization import PerTensorAffine, Quantization
from .sparse import from_scipy

if TYPE_CHECKING:
    from ._dtype import DtypeLike
    from ._progress import Progress
    from .device import Device


def asarray(
    obj: Any, *, dtype: DtypeLike | None = None, device: Device | str | None = None, copy: bool | None = None
) -> _h.Tensor:
    """A tensor of a tensor, an object with ``__hurray__`` or ``__dlpack__``, a numpy array, a sparse matrix or a list.

    ``dtype`` converts, which copies. ``copy=True`` always copies, ``copy=False`` raises
    :class:`hurray.CopyRequiredError` instead of copying.
    """
    if device is not None and device_module.resolve(device) != device_module.cpu:
        raise UnsupportedError("tensors are made in memory of the host", _h.ERR_UNSUPPORTED)
    tensor = _without_conversion(obj, copy if dtype is None else None)
    if dtype is None or tensor.dtype == resolve(dtype):
        return tensor
    if copy is False:
        raise CopyRequiredError(
            f"{tensor.dtype} to {resolve(dtype)} needs a copy, and copy=False forbids it",
            _h.ERR_COPY_REQUIRED,
        )
    return _h.from_numpy(tensor.numpy().astype(resolve(dtype).numpy))


def _without_conversion(obj: Any, copy: bool | None) -> _h.Tensor:
    if isinstance(obj, _h.Tensor) or hasattr(obj, "__hurray__"):
        tensor = obj if isinstance(obj, _h.Tensor) else _h.from_hurray(obj)
        return _h.from_numpy(tensor.numpy(), copy=True) if copy else tensor
    if isinstance(obj, _h.Composite):
        raise TypeError("a Composite is no tensor; its assemble() makes one")
    if isinstance(obj, _h.DescriptorItem):
        raise TypeError("a DescriptorItem is no tensor")
    if hasattr(obj, "tocsr"):
        return from_scipy(obj, copy=copy)
    if isinstance(obj, np.ndarray):
        return _h.from_numpy(obj, copy=copy)
    if hasattr(obj, "__dlpack__"):
        try:
            return from_dlpack(obj, copy=copy)
        except CopyRequiredError:
            if copy is False:
                raise
            return from_dlpack(obj, copy=True)
    array = np.asarray(obj)
    if copy is False and array.base is None:
        raise CopyRequiredError(
            f"{type(obj).__name__} has no memory to share, and copy=False forbids a copy",
            _h.ERR_COPY_REQUIRED,
        )
    return _h.from_numpy(array, copy=copy)


def to_layout(
    tensor: _h.Tensor,
    layout: Layout | str,
    byte_offset: int,
    out: Any,
    copy: bool | None,
    threads: int | None,
    duplicates: str,
    progress: Progress | None,
) -> _h.Tensor:
    """What ``Tensor.to_layout`` does."""
    if duplicates not in _DUPLICATES:
        raise ValueError(f"duplicates are one of {', '.join(_DUPLICATES)}")
    target = None
    layout = _layout(layout)
    if layout.tag != _h.LAYOUT_ROW_MAJOR or byte_offset:
        fields = layout._write()
        if tensor.extension_type is not None:
            fields += tensor.extension_type._write()
        target = _h.describe(tensor.dtype.tag, layout.tag, tensor.shape, byte_offset, fields)
    settings = _settings(copy, threads)
    if duplicates != "refuse":
        settings.append((_h.OPTION_DUPLICATES, _DUPLICATES.index(duplicates)))
    return _h.convert_layout(tensor, target, _room(out), settings, progress)


def gather(
    paged: _h.Tensor,
    lengths: Sequence[int] | None,
    out: Any,
    copy: bool | None,
    threads: int | None,
    progress: Progress | None,
) -> _h.Tensor:
    """What ``Tensor.gather`` does."""
    found = None if lengths is None else ints(lengths)
    return _h.convert_pages(paged, found, _room(out), _settings(copy, threads), progress)


def assemble(
    composite: _h.Composite, out: Any, copy: bool | None, threads: int | None, progress: Progress | None
) -> _h.Tensor:
    """What ``Composite.assemble`` does."""
    return _h.convert_composite(composite, _room(out), _settings(copy, threads), progress)


def part(tensor: _h.Tensor, key: Any, copy: bool | None, progress: Progress | None) -> _h.Tensor:
    """What ``Tensor.slice`` does."""
    keys = key if isinstance(key, tuple) else (key,)
    shape = tensor.shape
    if sum(one is ... for one in keys) > 1:
        raise IndexError("one ellipsis stands for all dimensions that are left")
    left = len(shape) - sum(one is not ... for one in keys)
    if left < 0:
        raise IndexError(f"{len(keys)} slices for {len(shape)} dimensions")
    if ... not in keys:
        keys = (*keys, ...)
    where = keys.index(...)
    each = [*keys[:where], *[slice(None)] * left, *keys[where + 1 :]]
    if not all(isinstance(one, slice) for one in each):
        raise TypeError("a part is taken by slices: tensor[2:3] keeps the dimension, tensor.numpy()[2] drops it")
    found = [one.indices(n) for one, n in zip(each, shape, strict=True)]
    start, stop, step = ([one[k] for one in found] for k in range(3))
    return _h.convert_part(tensor, start, stop, step, _settings(copy, None), progress)


def dequantize(
    tensor: _h.Tensor,
    dtype: DtypeLike | None,
    out: Any,
    copy: bool | None,
    threads: int | None,
    progress: Progress | None,
) -> _h.Tensor:
    """What ``Tensor.dequantize`` does."""
    tag = _h.TYPE_FLOAT32 if dtype is None else resolve(dtype).tag
    return _h.convert_to_numbers(tensor, tag, _room(out), _settings(copy, threads), progress)


def quantize(
    tensor: _h.Tensor,
    dtype: DtypeLike,
    quantization: Quantization | type[PerTensorAffine] | None,
    layout: Layout | str | None,
    parameters: Sequence[Any] | None,
    out: Any,
    threads: int | None,
    progress: Progress | None,
) -> _h.Tensor:
    """What ``Tensor.quantize`` does."""
    form = _layout("row_major" if layout is None else layout)
    fields = form._write()
    given = None if parameters is None else [_build.aligned(_build.flat_bytes(one), None) for one in parameters]
    if isinstance(quantization, type):
        quantization = quantization(1.0)
    elif isinstance(quantization, PerTensorAffine) and given is None:
        given = []
    if quantization is not None:
        fields += quantization._write(1)
    target = _h.describe(resolve(dtype).tag, form.tag, tensor.shape, 0, fields)
    return _h.convert_to_codes(tensor, target, given, _room(out), _settings(None, threads), progress)


def packing(
    tensor: _h.Tensor, dtype: DtypeLike | None, out: Any, threads: int | None, progress: Progress | None
) -> _h.Tensor:
    """What ``Tensor.pack`` does, and without a type ``Tensor.unpack``."""
    tag = None if dtype is None else resolve(dtype).tag
    return _h.convert_packing(tensor, tag, _room(out), _settings(None, threads), progress)


def _layout(layout: Layout | str) -> Layout:
    if not isinstance(layout, str):
        return layout
    if layout not in _LAYOUTS:
        raise ValueError(f"layout is an object, or one of {', '.join(_LAYOUTS)}")
    return _LAYOUTS[layout]


_DUPLICATES = ("refuse", "keep", "sum")
_LAYOUTS: dict[str, Layout] = {
    "row_major": RowMajorLayout(),
    "column_major": ColMajorLayout(),
    "coo": CooLayout(0),
    "csr": CsrLayout(0),
    "csc": CscLayout(0),
}


def _room(out: Any) -> _h.Buffer | None:
    """The memory of an array or tensor that a result is written into."""
    if out is None:
        return None
    return out._buffer(0) if isinstance(out, _h.Tensor) else _h.wrap_bytes(_build.flat_bytes(out), False)[0]


def _settings(copy: bool | None, threads: int | None) -> list[tuple[int, int]]:
    found = [] if copy is None else [(_h.OPTION_COPY, 2 if copy else 1)]
    return found if threads is None else [*found, (_h.OPTION_THREADS, threads)]
