"""Streams: tensors and composites over a pipe, a socket, a file, or any object with ``read`` or ``write``.

>>> import hurray, numpy as np
>>> out = hurray.StreamWriter()
>>> out.write(np.arange(3.0))
>>> out.write(np.ones((2, 2), dtype=np.float32))
>>> [item.shape for item in hurray.StreamReader(out.getvalue())]
[(3,), (2, 2)]
"""

from __future__ import annotations

import asyncio
import errno
import io
import os
import select
import socket
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from . import _hurray as _h
from .convert import asarray
from .errors import InvalidArgumentError

if TYPE_CHECKING:
    from types import TracebackType

Item = _h.Tensor | _h.Composite

_PIECES = 64
_READ_AHEAD = 65536


def _settings(
    cross_machine: bool, host: Any, limits: dict[int, int | None], read_ahead: int = 0
) -> list[tuple[int, int]]:
    settings = [(option, value) for option, value in limits.items() if value is not None]
    settings.append((_h.OPTION_READ_AHEAD, read_ahead))
    # What crosses a network carries no event of the sender's device.
    if cross_machine or (isinstance(host, socket.socket) and host.family != socket.AF_UNIX):
        settings.append((_h.OPTION_CROSS_MACHINE, 1))
    return settings


def _retry(call: Callable[[], int], fd: int, event: int) -> int:
    """Makes a call on a descriptor, and waits when a non-blocking one is not ready."""
    while True:
        try:
            return call()
        except BlockingIOError:
            poll = select.poll()
            poll.register(fd, event)
            poll.poll()


class StreamReader:
    """Reads tensors and composites from a stream, one by one.

    ``source`` is a path, a file descriptor, a socket, bytes, an object with ``readinto``, ``read`` or ``fileno``, or an
    ``asyncio.StreamReader`` (then ``async for``). Iterating ends where the stream does, between two items; an input
    that ends elsewhere raises StreamError. The form, bare or framed, is told from the first bytes. Large buffers are
    read straight into their final memory from descriptors, sockets and files; waiting for bytes releases the
    interpreter lock.

    A descriptor, socket or raw file is read up to ``read_ahead`` bytes past the current item, so that one call brings
    many small tensors; ``unread`` has what was not used. Limits default to those of the library. ``cross_machine``
    refuses tensors that carry a device's synchronisation; sockets that leave the machine always do.

    One thread at a time. ``close`` closes what was opened here: a path.
    """

    def __init__(
        self,
        source: Any,
        *,
        max_descriptor_bytes: int | None = None,
        max_buffer_bytes: int | None = None,
        max_composite_depth: int | None = None,
        cross_machine: bool = False,
        read_ahead: int = _READ_AHEAD,
    ) -> None:
        self._owned: int | None = None
        self._core: _h.StreamReader | None = None
        self._asyncio = isinstance(source, asyncio.StreamReader)
        if isinstance(source, bytes | bytearray | memoryview):
            source = io.BytesIO(source)
        if isinstance(source, str | os.PathLike):
            self._owned = source = os.open(source, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0))
        read, is_direct = _reads(source)
        self._source = source
        limits = {
            _h.OPTION_MAX_DESCRIPTOR_BYTES: max_descriptor_bytes,
            _h.OPTION_MAX_BUFFER_BYTES: max_buffer_bytes,
            _h.OPTION_MAX_COMPOSITE_DEPTH: max_composite_depth,
        }
        try:
            settings = _settings(cross_machine, source, limits, read_ahead if is_direct else 0)
            self._core = _h.StreamReader(settings, read, source if isinstance(source, int) else None)
        except BaseException:
            self.close()
            raise

    @property
    def _open(self) -> _h.StreamReader:
        if self._core is None:
            raise InvalidArgumentError("the stream is closed", _h.ERR_INVALID_ARGUMENT)
        return self._core

    def __iter__(self) -> Iterator[Item]:
        if self._asyncio:
            raise TypeError("an asyncio stream is read with `async for`")
        return _h.StreamItems(self._open, self)

    def __next__(self) -> Item:
        if self._asyncio:
            raise TypeError("an asyncio stream is read with `async for`")
        item = self._open.read_next()
        if item is None:
            raise StopIteration
        return item

    def __aiter__(self) -> AsyncIterator[Item]:
        return self

    async def __anext__(self) -> Item:
        core = self._open
        while (item := core.next()) is None:
            if core.ended:
                raise StopAsyncIteration
            if not self._rest:
                self._rest = await self._source.read(_READ_AHEAD)
                if not self._rest:
                    core.finish()
                    continue
            self._rest = self._rest[core.feed(self._rest) :]
        return item

    _rest = b""

    @property
    def stream_id(self) -> int:
        """The stream id that the last item came on; 0 in a bare stream."""
        return self._open.stream_id

    @property
    def unread(self) -> bytes:
        """Bytes that were read ahead and belong to no item that is complete."""
        return bytes(self._open.unread) + self._rest

    def reply(self) -> bytes:
        """The messages that a framed stream owes its peer: answers to PING, and the ERROR for what broke it. Once."""
        return bytes(self._open.reply())

    def close(self) -> None:
        """Ends the reader. Items that were taken stay valid."""
        if self._core is not None:
            self._core.close()
            self._core = None
        if self._owned is not None:
            fd, self._owned = self._owned, None
            os.close(fd)

    def __enter__(self) -> StreamReader:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()


def _reads(source: Any) -> tuple[Callable[[memoryview], int], bool]:
    """What reads from a source into memory, and whether that may be memory of the reader's own."""
    if isinstance(source, int):
        return lambda view: _retry(lambda: os.readv(source, [view]), source, select.POLLIN), True
    if isinstance(source, socket.socket):
        return source.recv_into, True
    if type(source) is io.FileIO:
        return lambda view: _retry(lambda: _arrived(source.readinto(view)), source.fileno(), select.POLLIN), True
    if type(source) is io.BufferedReader and type(source.raw) is io.FileIO:
        return lambda view: _arrived(source.readinto1(view)), True
    if type(source) is io.BytesIO:
        return source.readinto, True
    # Another class may keep the memory that it is given, so it gets a piece of its own.
    if hasattr(source, "readinto"):
        return lambda view: _through(source, view), False
    if hasattr(source, "read"):
        return lambda view: _copied(source.read(len(view)), view), False
    if hasattr(source, "fileno"):
        return lambda view: _retry(lambda: os.readv(source.fileno(), [view]), source.fileno(), select.POLLIN), True
    raise TypeError(f"{type(source).__name__} is no path, descriptor, socket, bytes or readable object")


def _arrived(count: int | None) -> int:
    if count is None:
        raise BlockingIOError("the source has nothing to read now")
    return count


def _through(source: Any, view: memoryview) -> int:
    piece = bytearray(min(len(view), _READ_AHEAD))
    count = _arrived(source.readinto(piece))
    view[:count] = piece[:count]
    return count


def _copied(data: bytes | None, view: memoryview) -> int:
    if data is None:
        raise BlockingIOError("the source has nothing to read now")
    view[: len(data)] = data
    return len(data)


def _item(one: Any) -> Item:
    return one if isinstance(one, (_h.Tensor, _h.Composite)) else asarray(one)


class StreamWriter:
    """Writes tensors and composites to a stream, in the bare form unless ``stream_id`` makes it a framed one.

    ``destination`` is a path, a file descriptor, a socket, an object with ``write`` or ``fileno``, an
    ``asyncio.StreamWriter`` (then ``await drain()``), or None: ``getvalue`` gives the bytes. Each item is validated
    whole before its first byte goes out, and is written when ``write`` returns; ``write_many`` sends many small tensors
    with few calls. Bytes of large buffers are sent from where they are. ``partial_blocks`` is that of
    :func:`hurray.save`. A stream has no end mark: ``finish`` only says that nothing more comes.

    One thread at a time. ``close`` closes what was opened here: a path.
    """

    def __init__(
        self,
        destination: Any = None,
        *,
        cross_machine: bool = False,
        partial_blocks: bool = False,
        stream_id: int | None = None,
        max_message_bytes: int = 0,
    ) -> None:
        self._owned: int | None = None
        self._core: _h.StreamWriter | None = None
        self._buffer: bytearray | None = None
        self._asyncio = isinstance(destination, asyncio.StreamWriter)
        settings = _settings(cross_machine, destination, {_h.OPTION_PARTIAL_BLOCKS: int(partial_blocks)})
        if stream_id is not None and not 0 < stream_id < 1 << 32:
            raise InvalidArgumentError(f"a stream id is 1 to 2**32 - 1, not {stream_id}", _h.ERR_INVALID_ARGUMENT)
        core = _h.StreamWriter(stream_id or 0, max_message_bytes, settings)
        self._write: Callable[[list[memoryview]], int]
        if destination is None:
            self._buffer = bytearray()
            self._write = self._keep
        elif isinstance(destination, str | os.PathLike):
            flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_CLOEXEC", 0)
            self._owned = destination = os.open(destination, flags, 0o666)
        self._destination = destination
        if isinstance(destination, int):
            fd = destination
            self._write = lambda views: _retry(lambda: os.writev(fd, views), fd, select.POLLOUT)
        elif type(destination) is io.FileIO:
            self._write = lambda views: _retry(
                lambda: os.writev(destination.fileno(), views), destination.fileno(), select.POLLOUT
            )
        elif isinstance(destination, socket.socket):
            no_signal = getattr(socket, "MSG_NOSIGNAL", 0)
            if type(destination).sendmsg is socket.socket.sendmsg:
                self._write = lambda views: destination.sendmsg(views, [], no_signal)
            else:
                # A socket of TLS sends one piece at a time.
                self._write = lambda views: destination.send(views[0])
        elif hasattr(destination, "write"):
            self._write = self._hand_over
        elif hasattr(destination, "fileno"):
            self._write = lambda views: _retry(
                lambda: os.writev(destination.fileno(), views), destination.fileno(), select.POLLOUT
            )
        elif destination is not None:
            raise TypeError(f"{type(destination).__name__} is no path, descriptor, socket or writable object")
        self._core = core

    @property
    def _open(self) -> _h.StreamWriter:
        if self._core is None:
            raise InvalidArgumentError("the stream is closed", _h.ERR_INVALID_ARGUMENT)
        return self._core

    def _keep(self, views: list[memoryview]) -> int:
        assert self._buffer is not None
        before = len(self._buffer)
        for view in views:
            self._buffer += view
        return len(self._buffer) - before

    def _hand_over(self, views: list[memoryview]) -> int:
        # The object may keep what it is given, so it gets bytes of its own.
        data = bytes(views[0])
        try:
            written = self._destination.write(data)
        except BlockingIOError as error:
            # A buffered file says how much it took before it was full: that must not be written again.
            if taken := int(getattr(error, "characters_written", 0)):
                return taken
            raise
        if written is None and isinstance(self._destination, io.RawIOBase):
            raise BlockingIOError(errno.EAGAIN, "the destination takes nothing now")
        return written if isinstance(written, int) else len(data)

    def _flush(self) -> None:
        core = self._open
        while views := core.chunks(_PIECES):
            try:
                count = self._write(views)
            finally:
                for view in views:
                    view.release()
            core.advance(count)

    def write(self, item: Any) -> None:
        """Writes a tensor, a composite, or whatever ``asarray`` takes."""
        self._open.put(_item(item))
        self._flush()

    def write_many(self, items: Iterable[Any]) -> None:
        """Writes items, many of them with one call of the system where they are small."""
        given = map(_item, items)
        while self._open.put_some(given):
            self._flush()
        self._flush()

    def write_composite(self, composite: _h.Composite) -> None:
        """Writes a composite: its head, then its members."""
        if not isinstance(composite, _h.Composite):
            raise TypeError(f"a Composite is wanted, not {type(composite).__name__}")
        self.write(composite)

    async def drain(self) -> None:
        """Waits until an asyncio destination has taken what was written."""
        await self._destination.drain()

    def finish(self) -> None:
        """Says that nothing more comes. Nothing is written for it."""
        self._flush()
        self.close()

    def getvalue(self) -> bytes:
        """The bytes written so far, when there is no destination."""
        if self._buffer is None:
            raise InvalidArgumentError("the bytes went to a destination", _h.ERR_INVALID_ARGUMENT)
        return bytes(self._buffer)

    def close(self) -> None:
        """Ends the writer."""
        self._core = None
        if self._owned is not None:
            fd, self._owned = self._owned, None
            os.close(fd)

    def __enter__(self) -> StreamWriter:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()
