"""Files: named tensors and composites with typed metadata.

>>> import hurray, numpy as np, io
>>> f = io.BytesIO()
>>> hurray.save(f, {"x": np.arange(3.0)}, kv={"step": 7})
>>> with hurray.open(f.getvalue()) as file:
...     print(list(file), file.kv["step"], file["x"].numpy())
['x'] 7 [0. 1. 2.]
"""

from __future__ import annotations

import errno
import io
import os
import threading
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from . import _hurray as _h
from . import _kv
from ._progress import Parts
from .convert import asarray
from .errors import InvalidArgumentError, TensorNotFoundError

if TYPE_CHECKING:
    from types import TracebackType

    from ._progress import Progress

Item = _h.Tensor | _h.Composite


class _Ranged:
    """A file-like object, read by position."""

    def __init__(self, source: Any) -> None:
        self._source = source
        self._lock = threading.Lock()

    def size(self) -> int:
        with self._lock:
            return int(self._source.seek(0, os.SEEK_END))

    def read_at(self, offset: int, size: int) -> bytes:
        with self._lock:
            self._source.seek(offset)
            pieces = []
            while size > 0 and (piece := self._source.read(size)):
                pieces.append(piece)
                size -= len(piece)
        return b"".join(pieces)


class _Raw:
    """A raw file as a target. One that does not block answers None where it took nothing."""

    def __init__(self, target: io.RawIOBase) -> None:
        self._target = target

    def write(self, data: bytes) -> int:
        written = self._target.write(data)
        if written is None:
            raise BlockingIOError(errno.EAGAIN, "the target takes nothing now")
        return written


class File(Mapping[str, Item]):
    """A file that is open for reading: a mapping of names to tensors and composites, read when they are asked for.

    Iterating gives the top-level names in the order of the file; the members of a composite are hidden, and found by
    their own names (``x.0``). Tensors stay valid after ``close``. Any threads may use one file at once.
    """

    def __init__(self, reader: _h.FileReader) -> None:
        self._reader: _h.FileReader | None = reader
        self._items: dict[str, int] | None = None

    @property
    def _open(self) -> _h.FileReader:
        if self._reader is None:
            raise InvalidArgumentError("the file is closed", _h.ERR_INVALID_ARGUMENT)
        return self._reader

    def _top(self) -> dict[str, int]:
        if self._items is None:
            names = self._open.names()
            self._items = {names[index]: index for index in self._open.items()}
        return self._items

    def _index(self, name: str) -> int:
        index = self._open.find(name)
        if index is None:
            raise TensorNotFoundError(f"the file has no tensor named {name!r}", _h.ERR_NOT_FOUND)
        return index

    @property
    def names(self) -> list[str]:
        """All names, members of composites included, in the order of the index."""
        return self._open.names()

    @property
    def kv(self) -> dict[str, Any]:
        """The metadata, in the order of the file. Arrays are :class:`hurray.KvArray`."""
        return {key: _kv.decode(kind, is_array, value) for key, kind, is_array, value in self._open.kv()}

    @property
    def kv_types(self) -> dict[str, str]:
        """The type of each value of ``kv``, or of its elements: int64 and uint64 are both int in Python."""
        return {key: kind for key, kind, _, _ in self._open.kv()}

    def __getitem__(self, name: str) -> Item:
        return self._open.item(self._index(name))

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self._open.find(name) is not None

    def __iter__(self) -> Iterator[str]:
        return iter(self._top())

    def __len__(self) -> int:
        return len(self._top())

    def load(self, *, progress: Progress | None = None) -> dict[str, Item]:
        """Everything at the top level, at once. ``progress`` as in :func:`hurray.load`."""
        return self._load(self._top(), progress)

    def _load(self, wanted: Mapping[str, int], progress: Progress | None) -> dict[str, Item]:
        reader = self._open
        if progress is None:
            return {name: reader.item(index) for name, index in wanted.items()}
        sizes = {name: reader.range(index)[1] for name, index in wanted.items()}
        parts = Parts(progress, sum(sizes.values()))
        # The head of a composite has no data; what its members have is known once they are read.
        return {name: reader.item(index, parts.part(sizes[name] or None)) for name, index in wanted.items()}

    def descriptor(self, name: str) -> _h.Descriptor:
        """What is stored under a name, without its data."""
        return self._open.descriptor(self._index(name))

    def range(self, name: str) -> tuple[int, int]:
        """Offset and length of the data in the file, in bytes."""
        return self._open.range(self._index(name))

    def read(self, name: str, offset: int, size: int, *, buffer: int = 0) -> bytes:
        """Part of one buffer; nothing else of the tensor is read."""
        return self._open.read(self._index(name), buffer, offset, size)

    def advise(
        self,
        advice: Literal["normal", "sequential", "random", "willneed", "populate"],
        name: str | None = None,
    ) -> None:
        """Tells the system how a mapped tensor, or the whole file, is going to be read."""
        self._open.advise(None if name is None else self._index(name), advice)

    @property
    def closed(self) -> bool:
        """Whether ``close`` was called."""
        return self._reader is None

    def close(self) -> None:
        """Ends the reader. A mapping goes with the last tensor that was taken from the file."""
        self._reader = None

    def __enter__(self) -> File:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return "<hurray.File, closed>" if self.closed else f"<hurray.File, {len(self._open.names())} entries>"


MAP_MODES = {"r": 0, "c": 1, "copy": 2}


def open(
    source: Any,
    *,
    mode: Literal["r", "c", "copy"] = "r",
    permissive: bool = False,
    verify: bool = False,
    max_descriptor_bytes: int | None = None,
    max_buffer_bytes: int | None = None,
    max_composite_depth: int | None = None,
) -> File:
    """Opens a file: a path, bytes (or any buffer), a file descriptor, or an object with ``seek`` and ``read``.

    ``mode`` says how tensors get their memory: "r" maps read-only, "c" maps copy-on-write (arrays are writable,
    and no write reaches the file), "copy" reads into memory of its own. A mapped file that another process cuts
    short can kill this process when it touches the lost part; "copy" raises FileError instead. ``permissive``
    keeps what is not understood as opaque parts; ``verify`` checks every rule, padding included. Raises FileError
    (an OSError) for what is wrong with the file itself, InvalidDescriptorError for a tensor in it.

    Ctrl-C ends what takes long: verifying, and reading a large tensor into memory of its own. A file that was read from
    then has to be opened again.
    """
    if mode not in MAP_MODES:
        raise ValueError(f"mode is {', '.join(map(repr, MAP_MODES))}, not {mode!r}")
    settings = [(_h.OPTION_MAP, MAP_MODES[mode]), (_h.OPTION_PERMISSIVE, int(permissive))]
    settings.append((_h.OPTION_VERIFY, int(verify)))
    for option, value in [
        (_h.OPTION_MAX_DESCRIPTOR_BYTES, max_descriptor_bytes),
        (_h.OPTION_MAX_BUFFER_BYTES, max_buffer_bytes),
        (_h.OPTION_MAX_COMPOSITE_DEPTH, max_composite_depth),
    ]:
        if value is not None:
            settings.append((option, value))
    if isinstance(source, str | os.PathLike):
        return File(_h.FileReader.open_path(os.fspath(source), settings))
    if isinstance(source, int):
        return File(_h.FileReader.open_fd(source, settings))
    if hasattr(source, "seek") and hasattr(source, "read"):
        ranged = _Ranged(source)
        return File(_h.FileReader.open_object(ranged, ranged.size(), settings))
    try:
        data = np.frombuffer(source, dtype=np.uint8)
    except TypeError:
        raise TypeError(f"{type(source).__name__} is no path, descriptor, bytes or seekable object") from None
    buffer, _ = _h.wrap_bytes(data, False)
    return File(_h.FileReader.open_buffer(buffer, settings))


def save(
    path: Any,
    tensors: Mapping[str, Any],
    *,
    kv: Mapping[str, Any] | None = None,
    durable: bool = True,
    sorted_index: bool = False,
    alignment: int | None = None,
    compact: bool = True,
    partial_blocks: bool = False,
    progress: Progress | None = None,
) -> None:
    """Writes tensors, arrays and composites under their names to a path, or to an object with ``write``.

    A path gets its file only when it is complete: an old one stays as it is until then, and a file may be saved over
    itself. ``durable=False`` leaves out the syncs. The members of a composite ``x`` are named ``x.0``, ``x.1``, ...
    ``compact`` drops bytes that no element reaches; without it, slack is written too.
    ``partial_blocks`` writes quantized tensors whose last block is not full on an axis that is not the slowest one in
    memory: readers may place their data differently, so they are refused without it. Values of ``kv`` are bool, int,
    float, str, bytes, lists of one of them, one-dimensional arrays, or :class:`hurray.KvArray`.

    ``progress`` is called with the bytes done and the bytes in all, after each tensor and now and then while a large
    one is written. What it raises ends the save and is raised, and so does Ctrl-C: the old file stays as it is, and no
    other is left.
    """
    if not isinstance(path, str | os.PathLike) and not hasattr(path, "write"):
        raise TypeError(f"{type(path).__name__} is no path or writable object")
    settings = [
        (_h.OPTION_DURABLE, int(durable)),
        (_h.OPTION_SORTED_INDEX, int(sorted_index)),
        (_h.OPTION_COMPACT, int(compact)),
        (_h.OPTION_PARTIAL_BLOCKS, int(partial_blocks)),
    ]
    if alignment is not None:
        settings.append((_h.OPTION_DATA_ALIGNMENT, alignment))
    if kv is not None:
        settings.append((_h.OPTION_KV_MODE, 1))
    pairs = [(key, *_kv.encode(value)) for key, value in (kv or {}).items()]
    items = {name: _item(one) for name, one in tensors.items()}
    if isinstance(path, str | os.PathLike):
        writer = _h.FileWriter.create(os.fspath(path), settings)
    else:
        writer = _h.FileWriter.to_object(_Raw(path) if isinstance(path, io.RawIOBase) else path, settings)
    try:
        for key, kind, is_array, value in pairs:
            writer.set(key, kind, is_array, value)
        if progress is None:
            for name, item in items.items():
                writer.put(name, item)
        else:
            sizes = {name: _size(item) for name, item in items.items()}
            parts = Parts(progress, sum(sizes.values()))
            for name, item in items.items():
                writer.put(name, item, parts.part(sizes[name]))
        writer.finish()
    finally:
        writer.close()


def _item(one: Any) -> Item:
    if type(one) is np.ndarray:
        return _h.from_numpy(one)
    return one if isinstance(one, Item) else asarray(one)


def _size(item: Item) -> int:
    return item.nbytes if isinstance(item, _h.Tensor) else sum(_size(member) for member in item.members)


def load(
    path: Any,
    *,
    names: list[str] | None = None,
    mode: Literal["r", "c", "copy"] = "r",
    progress: Progress | None = None,
) -> dict[str, Item]:
    """Tensors and composites of a file by name: all at the top level, or those asked for.

    ``mode`` as in :func:`hurray.open`. Where data are copied, with "copy" or from a file-like object, ``progress`` is
    called with the bytes done and the bytes in all, after each tensor and now and then while a large one is read. What
    it raises ends the call and is raised; Ctrl-C ends it too.
    """
    with open(path, mode=mode) as file:
        wanted = file._top() if names is None else {name: file._index(name) for name in names}
        return file._load(wanted, progress)


def load_kv(path: Any) -> dict[str, Any]:
    """The metadata of a file."""
    with open(path) as file:
        return file.kv
