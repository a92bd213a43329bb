"""Tensors of other libraries' arrays, by DLPack."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import _hurray as _h
from . import device as device_module
from .errors import DLPackError

if TYPE_CHECKING:
    from .device import Device

_VERSION = (1, 3)
_HOST = (1, 0)
# What a producer is offered, in the order in which words are taken back when it does not say which one it lacks.
_WORDS = ("copy", "dl_device", "max_version")


def from_dlpack(x: Any, /, *, device: Device | str | None = None, copy: bool | None = None) -> _h.Tensor:
    """A tensor of an array that has ``__dlpack__``, or of a DLPack capsule; on the array's own memory if it can be.

    ``copy=True`` always copies, ``copy=False`` never does. Truth values, a byte there and a bit here, are copied by
    ``copy=True`` only. ``device`` is None or where the tensor has to be: the array's own device, or the host, to which
    the producer moves it. A producer that does not know a keyword is asked without it. An array of the unversioned
    protocol, which does not say whether it may be written to, gives a read-only tensor.

    Raises :class:`hurray.DLPackError` and :class:`hurray.CopyRequiredError`, which the builtin BufferError catches too,
    and :class:`TypeError` for an object that exports nothing.
    """
    wanted = None if device is None else device_module.resolve(device)
    if wanted is None and copy is None and (tensor := _h.exchange_dlpack(x)) is not None:
        return tensor
    if type(x).__name__ == "PyCapsule":
        return _placed(_h.take_dlpack(x, copy, False), wanted)
    if not hasattr(x, "__dlpack__"):
        raise TypeError(f"{type(x).__name__} has no __dlpack__ method: it exports no array")
    words: dict[str, Any] = {"max_version": _VERSION}
    if copy is not None:
        words["copy"] = copy
    moves = wanted == device_module.cpu and not _is_on_host(x)
    if moves:
        words["dl_device"] = _HOST
    capsule = _export(x, words)
    if moves and "dl_device" not in words:
        raise DLPackError(f"{type(x).__name__} does not move arrays to the host by DLPack", _h.ERR_UNSUPPORTED)
    return _placed(_h.take_dlpack(capsule, copy, "copy" in words), wanted)


def _is_on_host(x: Any) -> bool:
    where = getattr(x, "__dlpack_device__", None)
    return where is None or tuple(where()) == _HOST


def _export(x: Any, words: dict[str, Any]) -> Any:
    """The producer's capsule; ``words`` keeps the keywords that it took."""
    while True:
        try:
            return x.__dlpack__(**words)
        except TypeError as error:
            if not words:
                raise
            text = str(error)
            named = [word for word in words if word in text]
            del words[named[0] if len(named) == 1 else next(word for word in _WORDS if word in words)]


def _placed(tensor: _h.Tensor, wanted: Device | None) -> _h.Tensor:
    if wanted is not None and tensor.device != wanted:
        raise DLPackError(f"the array is on {tensor.device}, not on {wanted}", _h.ERR_UNSUPPORTED)
    return tensor
