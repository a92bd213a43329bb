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
import stat
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, Literal, overload

from . import _hurray as _h
from .convert import asarray
from .errors import InvalidArgumentError

Item = _h.Tensor | _h.Composite
Part = Item | _h.DescriptorItem

if TYPE_CHECKING:
    from types import TracebackType

    from typing_extensions import TypeVar

    _P = TypeVar("_P", default=Item)
else:
    from typing import TypeVar

    _P = TypeVar("_P")

_READ_AHEAD = 65536


def _settings(
    cross_machine: bool, host: Any, limits: dict[int, int | None], read_ahead: int = 0
) -> list[tuple[int, int]]:
    settings = [(option, value) for option, value in limits.items() if value is not None]
    settings.append((_h.OPTION_READ_AHEAD, read_ahead))
    # What crosses a network carries no event of the sender's device.
    if cross_machine or _leaves_machine(host):
        settings.append((_h.OPTION_CROSS_MACHINE, 1))
    return settings


def _leaves_machine(host: Any) -> bool:
    """Whether it is a socket whose other end may be another machine's."""
    if isinstance(host, asyncio.StreamReader):
        # There is no public way from a reader to its socket.
        host = getattr(host, "_transport", None)
    if isinstance(host, asyncio.StreamWriter | asyncio.BaseTransport):
        host = host.get_extra_info("socket")
    if isinstance(host, int):
        try:
            if not stat.S_ISSOCK(os.fstat(host).st_mode):
                return False
            with socket.socket(fileno=os.dup(host)) as share:
                return share.family != socket.AF_UNIX
        except (OSError, OverflowError):
            return False
    return bool(getattr(host, "family", socket.AF_UNIX) != socket.AF_UNIX)


def _wait(fileno: Callable[[], int], event: int) -> None:
    """Waits until a descriptor that does not block is ready."""
    poll = select.poll()
    poll.register(fileno(), event)
    poll.poll()


class StreamReader(Generic[_P]):
    """Reads tensors and composites from a stream, one by one.

    ``source`` is a path, a file descriptor, a socket, bytes, an object with ``readinto``, ``read`` or ``fileno``, or an
    ``asyncio.StreamReader`` (then ``async for``). Iterating ends where the stream does, between two items; an input
    that ends elsewhere raises StreamError. The form, bare or framed, is told from the first bytes. Large buffers are
    read straight into their final memory from descriptors, sockets and files; waiting for bytes releases the
    interpreter lock.

    A descriptor, socket or raw file is read up to ``read_ahead`` bytes past the current item, so that one call brings
    many small tensors; ``unread`` has what was not used. Limits default to those of the library. ``cross_machine``
    refuses tensors that carry a device's synchronisation; sockets that leave the machine always do.

    ``permissive`` keeps what is not understood as opaque parts: a tensor with an unknown layout comes as a
    DescriptorItem, with its bytes if the stream is framed; a bare one ends there. ``flat`` gives the parts of a
    composite one by one: its head as a DescriptorItem, then each member once it has arrived.

    An error of the stream comes again with every call. A peer's ERROR message is raised where it was sent, and again at
    the end of the input: between the two, items of other stream ids still come.

    One thread at a time; a call while another one reads raises RuntimeError. A signal's handler that raises, as that of
    Ctrl-C, loses nothing of a descriptor, socket or file: the next call goes on. ``close`` closes what was opened here:
    a path.
    """

    # Descriptors come alone only where one asked for it.
    @overload
    def __init__(
        self: StreamReader[Item],
        source: Any,
        *,
        max_descriptor_bytes: int | None = None,
        max_buffer_bytes: int | None = None,
        max_composite_depth: int | None = None,
        cross_machine: bool = False,
        permissive: Literal[False] = False,
        flat: Literal[False] = False,
        read_ahead: int = _READ_AHEAD,
    ) -> None: ...
    @overload
    def __init__(
        self: StreamReader[Part],
        source: Any,
        *,
        max_descriptor_bytes: int | None = None,
        max_buffer_bytes: int | None = None,
        max_composite_depth: int | None = None,
        cross_machine: bool = False,
        permissive: bool = False,
        flat: bool = False,
        read_ahead: int = _READ_AHEAD,
    ) -> None: ...
    def __init__(
        self,
        source: Any,
        *,
        max_descriptor_bytes: int | None = None,
        max_buffer_bytes: int | None = None,
        max_composite_depth: int | None = None,
        cross_machine: bool = False,
        permissive: bool = False,
        flat: bool = False,
        read_ahead: int = _READ_AHEAD,
    ) -> None:
        self._owned: int | None = None
        self._core: _h.StreamReader | None = None
        self._asyncio = isinstance(source, asyncio.StreamReader)
        if isinstance(source, bytes | bytearray | memoryview):
            source = io.BytesIO(source)
        if isinstance(source, str | os.PathLike):
            self._owned = source = os.open(source, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0))
        read, how, ready = _reads(source)
        self._source = source
        limits = {
            _h.OPTION_MAX_DESCRIPTOR_BYTES: max_descriptor_bytes,
            _h.OPTION_MAX_BUFFER_BYTES: max_buffer_bytes,
            _h.OPTION_MAX_COMPOSITE_DEPTH: max_composite_depth,
            _h.OPTION_PERMISSIVE: int(permissive),
            _h.OPTION_FLAT: int(flat),
        }
        try:
            settings = _settings(cross_machine, source, limits, read_ahead if how == "into" else 0)
            fd = source if isinstance(source, int) else None
            self._core = _h.StreamReader(settings, read, how, fd, ready)
        except BaseException:
            self.close()
            raise

    @property
    def _open(self) -> _h.StreamReader:
        if self._core is None:
            raise InvalidArgumentError("the stream is closed", _h.ERR_INVALID_ARGUMENT)
        return self._core

    def __iter__(self) -> Iterator[_P]:
        if self._asyncio:
            raise TypeError("an asyncio stream is read with `async for`")
        items: Iterator[_P] = _h.StreamItems(self._open, self)
        return items

    def __next__(self) -> _P:
        if self._asyncio:
            raise TypeError("an asyncio stream is read with `async for`")
        item: _P | None = self._open.read_next()
        if item is None:
            raise StopIteration
        return item

    def __aiter__(self) -> AsyncIterator[_P]:
        return self

    async def __anext__(self) -> _P:
        core = self._open
        item: _P | None = core.next()
        while item is None:
            if core.ended:
                raise StopAsyncIteration
            if not self._rest:
                self._rest = await self._source.read(_READ_AHEAD)
                if not self._rest:
                    core.finish()
            if self._rest:
                self._rest = self._rest[core.feed(self._rest) :]
            item = core.next()
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

    def __enter__(self) -> StreamReader[_P]:
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


def _reads(source: Any) -> tuple[Callable[..., Any], str, Callable[[], None] | None]:
    """What reads from a source; whether "into" memory of the reader's own; what waits until it has bytes.

    The calls themselves, where they are Python's own: a signal's handler cannot run between them and the reader.
    """
    if isinstance(source, int):
        return lambda view: os.readv(source, [view]), "into", partial(_wait, lambda: source, select.POLLIN)
    if isinstance(source, socket.socket):
        return source.recv_into, "into", None
    if type(source) is io.FileIO:
        return source.readinto, "into", partial(_wait, source.fileno, select.POLLIN)
    if type(source) is io.BufferedReader and type(source.raw) is io.FileIO:
        return source.readinto1, "into", None
    if type(source) is io.BytesIO:
        return source.readinto, "into", None
    # Another class may keep the memory that it is given, so it gets a piece of its own.
    if hasattr(source, "readinto"):
        return source.readinto, "piece", None
    if hasattr(source, "read"):
        return source.read, "object", None
    if hasattr(source, "fileno"):
        read = lambda view: os.readv(source.fileno(), [view])  # noqa: E731
        return read, "into", partial(_wait, source.fileno, select.POLLIN)
    raise TypeError(f"{type(source).__name__} is no path, descriptor, socket, bytes or readable object")


# What is called, whether with a list of views or with the first one, what it is given besides, and what waits until it
# takes more.
_Write = tuple[Callable[..., Any], bool, tuple[Any, ...], Callable[[], None] | None]


def _writes(destination: Any) -> _Write:
    """How bytes go to a destination. As in ``_reads``, the calls themselves."""
    if isinstance(destination, int):
        return partial(os.writev, destination), True, (), partial(_wait, lambda: destination, select.POLLOUT)
    if type(destination) is io.FileIO:
        return destination.write, False, (), partial(_wait, destination.fileno, select.POLLOUT)
    if type(destination) is io.BytesIO:
        return destination.write, False, (), None
    if isinstance(destination, socket.socket):
        if type(destination).sendmsg is socket.socket.sendmsg:
            return destination.sendmsg, True, ([], getattr(socket, "MSG_NOSIGNAL", 0)), None
        # A socket of TLS sends one piece at a time.
        return destination.send, False, (), None
    if hasattr(destination, "write"):
        return partial(_hand_over, destination), False, (), None
    if hasattr(destination, "fileno"):
        write = lambda views: os.writev(destination.fileno(), views)  # noqa: E731
        return write, True, (), partial(_wait, destination.fileno, select.POLLOUT)
    raise TypeError(f"{type(destination).__name__} is no path, descriptor, socket or writable object")


def _hand_over(destination: Any, view: memoryview) -> int:
    # The object may keep what it is given, so it gets bytes of its own.
    data = bytes(view)
    try:
        written = destination.write(data)
    except BlockingIOError as error:
        # A buffered file says how much it took before it was full: that must not be written again.
        if taken := int(getattr(error, "characters_written", 0)):
            return taken
        raise
    if written is None and isinstance(destination, io.RawIOBase):
        raise BlockingIOError(errno.EAGAIN, "the destination takes nothing now")
    return written if isinstance(written, int) else len(data)


def _item(one: Any) -> Item:
    return one if isinstance(one, (_h.Tensor, _h.Composite)) else asarray(one)


class StreamWriter:
    """Writes tensors and composites to a stream, in the bare form unless ``stream_id`` makes it a framed one.

    ``destination`` is a path, a file descriptor, a socket, an object with ``write`` or ``fileno``, an
    ``asyncio.StreamWriter`` (then ``await drain()``), or None: ``getvalue`` gives the bytes. Each item is validated
    whole before its first byte goes out, and is written when ``write`` returns; ``write_many`` sends many small tensors
    with few calls. Bytes of large buffers are sent from where they are. ``partial_blocks`` is that of
    :func:`hurray.save`. A stream has no end mark: ``finish`` only says that nothing more comes. Where a write to a
    descriptor, socket or raw file is interrupted (a timeout, Ctrl-C), nothing is sent twice: ``write_many([])`` or the
    next item sends the rest.

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
        self._buffer = io.BytesIO() if destination is None else None
        settings = _settings(cross_machine, destination, {_h.OPTION_PARTIAL_BLOCKS: int(partial_blocks)})
        if stream_id is not None and not 0 < stream_id < 1 << 32:
            raise InvalidArgumentError(f"a stream id is 1 to 2**32 - 1, not {stream_id}", _h.ERR_INVALID_ARGUMENT)
        core = _h.StreamWriter(stream_id or 0, max_message_bytes, settings)
        if isinstance(destination, str | os.PathLike):
            flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_CLOEXEC", 0)
            self._owned = destination = os.open(destination, flags, 0o666)
        self._destination = destination
        self._write = _writes(destination if self._buffer is None else self._buffer)
        self._core = core

    @property
    def _open(self) -> _h.StreamWriter:
        if self._core is None:
            raise InvalidArgumentError("the stream is closed", _h.ERR_INVALID_ARGUMENT)
        return self._core

    def _flush(self) -> None:
        self._open.flush(*self._write)

    def write(self, item: Any) -> None:
        """Writes a tensor, a composite, or whatever ``asarray`` takes."""
        self._open.put(_item(item))
        self._flush()

    def write_many(self, items: Iterable[Any]) -> None:
        """Writes items, many of them with one call of the system where they are small. What comes before an error of
        ``items`` is written."""
        given = map(_item, items)
        more = True
        while more:
            try:
                more = self._open.put_some(given)
            except Exception:
                self._flush()
                raise
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
        return self._buffer.getvalue()

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
