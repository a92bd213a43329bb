"""Whatever holds an array, as a tensor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from . import _hurray as _h
from . import device as device_module
from ._dtype import resolve
from .dlpack import from_dlpack
from .errors import CopyRequiredError, UnsupportedError
from .sparse import from_scipy

if TYPE_CHECKING:
    from ._dtype import DtypeLike
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
