"""Streams over everything that Python can read from and write to."""

from __future__ import annotations

import asyncio
import contextlib
import io
import multiprocessing
import os
import socket
import struct
import threading
from pathlib import Path
from typing import Any

import hurray
import numpy as np
import pytest

A = np.arange(6, dtype=np.float32).reshape(2, 3)
BIG = np.arange(300_000, dtype=np.int64)


def plain(array: np.ndarray[Any, Any]) -> bytes:
    """The bare form of a row-major array, put together by hand: stream.md, section 7."""
    tag = {"float32": 0x03, "uint8": 0x11, "int64": 0x16}[array.dtype.name]
    shape = struct.pack(f"<{array.ndim}Q", *array.shape)
    body = struct.pack("<IBBI", 0, tag, 1, array.ndim) + shape + struct.pack("<QB", 0, 1)
    body += struct.pack("<QIBBBB", array.nbytes, 64, 0, 0, 0, 0)
    return b"HRRY\x01\x00" + struct.pack("<I", 10 + len(body)) + body + array.tobytes()


def framed(array: np.ndarray[Any, Any], stream_id: int) -> bytes:
    """The framed form, one message of data."""
    bare = plain(array)
    (length,) = struct.unpack_from("<I", bare, 6)
    opening = bare[:length] + struct.pack("<QII", array.nbytes, 0, 1)
    data = struct.pack("<Q", 0) + array.tobytes()
    messages = [(4, opening), (5, data), (6, b"")]
    return b"".join(struct.pack("<III", kind, stream_id, len(body)) + body for kind, body in messages)


def same(items: list[Any], arrays: list[np.ndarray[Any, Any]]) -> None:
    assert len(items) == len(arrays)
    for item, array in zip(items, arrays, strict=True):
        np.testing.assert_array_equal(item.numpy(), array)
        assert item.numpy().ctypes.data % 64 == 0


def test_the_bytes_are_those_of_the_format() -> None:
    writer = hurray.StreamWriter()
    assert writer.getvalue() == b""
    writer.write(A)
    writer.write(hurray.from_numpy(BIG))
    assert writer.getvalue() == plain(A) + plain(BIG)
    framed_writer = hurray.StreamWriter(stream_id=7)
    framed_writer.write(A)
    assert framed_writer.getvalue() == framed(A, 7)


@pytest.mark.parametrize("form", [plain, lambda array: framed(array, 3)])
def test_bytes_and_objects_with_read_and_readinto(form: Any) -> None:
    data = form(A) + form(BIG)

    class OnlyRead:
        def __init__(self) -> None:
            self.inner = io.BytesIO(data)

        def read(self, size: int) -> bytes:
            return self.inner.read(min(size, 7777))

    class OnlyReadinto:
        def __init__(self) -> None:
            self.inner = io.BytesIO(data)

        def readinto(self, view: memoryview) -> int:
            return self.inner.readinto(view)

    sources = [data, bytearray(data), io.BytesIO(data), io.BufferedReader(io.BytesIO(data))]
    for source in [*sources, OnlyRead(), OnlyReadinto()]:
        with hurray.StreamReader(source) as reader:
            same(list(reader), [A, BIG])
            assert reader.stream_id == (3 if form is not plain else 0)


def test_paths_and_descriptors(tmp_path: Path) -> None:
    path = tmp_path / "s.hurrays"
    with hurray.StreamWriter(path) as writer:
        writer.write_many([A, BIG, A])
        writer.finish()
    assert path.read_bytes() == plain(A) + plain(BIG) + plain(A)
    with hurray.StreamReader(str(path)) as reader:
        same(list(reader), [A, BIG, A])
    with path.open("rb", buffering=0) as raw:
        same(list(hurray.StreamReader(raw)), [A, BIG, A])
    with path.open("rb") as buffered:
        same(list(hurray.StreamReader(buffered)), [A, BIG, A])
    with path.open("wb") as file:
        hurray.StreamWriter(file).write(A)
    assert path.read_bytes() == plain(A)


def send(destination: Any, arrays: list[np.ndarray[Any, Any]], **more: Any) -> threading.Thread:
    def run() -> None:
        writer = hurray.StreamWriter(destination, **more)
        for array in arrays:
            writer.write(array)
        destination.close() if hasattr(destination, "close") else os.close(destination)

    thread = threading.Thread(target=run)
    thread.start()
    return thread


@pytest.mark.parametrize("blocking", [True, False])
def test_pipes(blocking: bool) -> None:
    source, destination = os.pipe()
    os.set_blocking(source, blocking)
    os.set_blocking(destination, blocking)
    thread = send(destination, [A, BIG, A])
    same(list(hurray.StreamReader(source)), [A, BIG, A])
    thread.join()
    os.close(source)


def test_sockets() -> None:
    for stream_id in (None, 5):
        ours, theirs = socket.socketpair()
        thread = send(theirs, [A, BIG], stream_id=stream_id)
        same(list(hurray.StreamReader(ours)), [A, BIG])
        thread.join()
        ours.close()


class OneAtATime(socket.socket):
    """A socket that sends one piece a call, as those of TLS do."""

    def sendmsg(self, *_: Any) -> int:
        raise NotImplementedError("sendmsg not allowed")


def test_a_socket_without_sendmsg() -> None:
    ours, theirs = socket.socketpair()
    thread = send(OneAtATime(fileno=theirs.detach()), [A, BIG])
    same(list(hurray.StreamReader(ours)), [A, BIG])
    thread.join()
    ours.close()


def test_a_raw_file_that_does_not_block_loses_nothing() -> None:
    source, destination = os.pipe()
    os.set_blocking(destination, False)
    thread = send(io.FileIO(destination, "wb"), [A, BIG, A])
    same(list(hurray.StreamReader(source)), [A, BIG, A])
    thread.join()
    os.close(source)


def test_what_a_full_destination_took_is_not_written_again() -> None:
    class Raw(io.RawIOBase):
        """Takes a thousand bytes, then once nothing, and so on."""

        def __init__(self) -> None:
            self.taken = b""
            self.full = False

        def writable(self) -> bool:
            return True

        def write(self, data: Any) -> int | None:
            self.full = not self.full
            if not self.full:
                return None
            self.taken += bytes(data[:1000])
            return min(1000, len(data))

    array = BIG[:2000]
    raw = Raw()
    with hurray.StreamWriter(raw) as writer:
        with pytest.raises(BlockingIOError, match="takes nothing"):
            writer.write(array)
        waits = 0
        while raw.taken != plain(array):
            waits += 1
            with contextlib.suppress(BlockingIOError):
                writer.finish()
            assert plain(array).startswith(raw.taken)
        assert waits > 10
    # A buffered file says how much it took; the rest of it stays in its buffer.
    raw = Raw()
    with hurray.StreamWriter(io.BufferedWriter(raw, 64)) as writer:
        writer.write(array)
    assert plain(array).startswith(raw.taken)
    assert len(plain(array)) - len(raw.taken) <= 64


@pytest.mark.parametrize("stream_id", [0, -1, 1 << 32])
def test_a_stream_id_that_there_cannot_be(stream_id: int) -> None:
    with pytest.raises(hurray.InvalidArgumentError, match=f"not {stream_id}"):
        hurray.StreamWriter(stream_id=stream_id)


def test_connections_of_multiprocessing() -> None:
    source, destination = multiprocessing.Pipe(duplex=False)
    hurray.StreamWriter(destination).write(A)
    destination.close()
    same(list(hurray.StreamReader(source)), [A])
    source.close()


def test_a_socket_that_times_out_keeps_its_place() -> None:
    ours, theirs = socket.socketpair()
    ours.settimeout(0.01)
    reader = hurray.StreamReader(ours)
    theirs.sendall(plain(A)[:40])
    with pytest.raises(TimeoutError):
        next(reader)
    theirs.sendall(plain(A)[40:])
    same([next(reader)], [A])
    ours.close()
    theirs.close()


def test_asyncio() -> None:
    async def run() -> list[Any]:
        ours, theirs = socket.socketpair()
        # The other halves are kept: a writer that goes closes its socket.
        reader, to_us = await asyncio.open_connection(sock=ours)
        from_us, writer = await asyncio.open_connection(sock=theirs)
        out = hurray.StreamWriter(writer)
        for array in (A, BIG, A):
            out.write(array)
        send = asyncio.create_task(out.drain())
        items = hurray.StreamReader(reader)
        got = [await anext(items), await anext(items)]
        await send
        writer.close()
        got += [item async for item in items]
        to_us.close()
        assert await from_us.read() == b""
        return got

    same(asyncio.run(run()), [A, BIG, A])
    with pytest.raises(TypeError):
        asyncio.run(_mixed_up())


async def _mixed_up() -> None:
    next(hurray.StreamReader(asyncio.StreamReader()))


def test_composites() -> None:
    halves = [hurray.Tensor(A, "float32", (2, 3), shard=hurray.Shard((4, 3), (row, 0))) for row in (0, 2)]
    whole = hurray.Composite("partition", shape=(4, 3), dtype=hurray.float32, members=halves)
    writer = hurray.StreamWriter()
    writer.write_composite(whole)
    writer.write(A)
    with pytest.raises(TypeError):
        writer.write_composite(A)  # type: ignore[arg-type]
    composite, tensor = hurray.StreamReader(writer.getvalue())
    assert isinstance(composite, hurray.Composite)
    same(composite.members, [A, A])
    same([tensor], [A])


def test_a_composite_part_by_part() -> None:
    halves = [hurray.Tensor(A, "float32", (2, 3), shard=hurray.Shard((4, 3), (row, 0))) for row in (0, 2)]
    whole = hurray.Composite("partition", shape=(4, 3), dtype=hurray.float32, members=halves)
    writer = hurray.StreamWriter()
    writer.write(whole)
    writer.write(A)
    head, *parts = hurray.StreamReader(writer.getvalue(), flat=True)
    assert isinstance(head, hurray.DescriptorItem)
    assert head.data is None
    assert head.descriptor.shape == (4, 3)
    assert isinstance(head.descriptor.layout, hurray.CompositeLayout)
    same(parts, [A, A, A])
    with pytest.raises(TypeError, match="DescriptorItem"):
        writer.write(head)


def of_unknown_layout(data: bytes, start: int) -> bytes:
    """Byte 15 of a descriptor is its layout."""
    return data[: start + 15] + b"\x30" + data[start + 16 :]


def test_an_unknown_layout_is_passed_with_its_bytes() -> None:
    data = of_unknown_layout(framed(A, 7), 12) + framed(A, 7)
    with pytest.raises(hurray.HurrayError):
        next(hurray.StreamReader(data))
    alone, tensor = hurray.StreamReader(data, permissive=True)
    assert isinstance(alone, hurray.DescriptorItem)
    assert alone.descriptor.shape == (2, 3)
    assert "0x30" in repr(alone) or "48" in repr(alone)
    assert alone.data is not None
    assert alone.data.dtype == hurray.uint8
    assert alone.data.numpy().tobytes() == A.tobytes()
    same([tensor], [A])


def test_an_unknown_layout_ends_a_bare_stream() -> None:
    reader = hurray.StreamReader(plain(A) + of_unknown_layout(plain(A), 0) + plain(A), permissive=True)
    same([next(reader)], [A])
    alone = next(reader)
    assert isinstance(alone, hurray.DescriptorItem)
    assert alone.data is None
    for _ in range(2):
        with pytest.raises(hurray.StreamError, match=r"S-006: .*layout"):
            next(reader)


def test_a_stream_that_ends_inside_something() -> None:
    data = plain(A) + plain(BIG)
    for cut in (1, 5, 60, len(plain(A)) - 1, len(data) - 1):
        with pytest.raises(hurray.StreamError) as caught:
            list(hurray.StreamReader(data[:cut]))
        assert caught.value.status < 0
    same(list(hurray.StreamReader(data[: len(plain(A))])), [A])


def test_what_is_no_stream() -> None:
    for data in (b"PK\x03\x04", b"HRRYFILE\x01", b"\x93NUMPY"):
        reader = hurray.StreamReader(data)
        for _ in range(2):
            with pytest.raises(hurray.StreamError, match="S-00"):
                next(reader)
    with pytest.raises(TypeError):
        hurray.StreamReader(3.5)
    with pytest.raises(TypeError):
        hurray.StreamWriter(object())
    with pytest.raises(hurray.InvalidArgumentError):
        hurray.StreamWriter(stream_id=0)


def test_an_error_of_the_peer() -> None:
    text = b"no such shard"
    body = struct.pack("<II", 8, len(text)) + text
    data = framed(A, 2) + struct.pack("<III", 9, 2, len(body)) + body
    reader = hurray.StreamReader(data)
    same([next(reader)], [A])
    with pytest.raises(hurray.StreamError, match="code 8: no such shard"):
        next(reader)


class Events(list[Any]):
    """What a reader gives, in order: stream ids with shapes, and the texts of errors."""

    def take(self, reader: hurray.StreamReader) -> None:
        try:
            for item in reader:
                self.append((reader.stream_id, item.shape))
        except hurray.StreamError as error:
            self.append(str(error).rpartition(", ")[2])

    async def take_async(self, reader: hurray.StreamReader) -> None:
        try:
            async for item in reader:
                self.append((reader.stream_id, item.shape))
        except hurray.StreamError as error:
            self.append(str(error).rpartition(", ")[2])


def test_other_stream_ids_go_on_after_an_error_of_the_peer() -> None:
    body = struct.pack("<II", 8, 2) + b"no"
    data = framed(A, 2) + struct.pack("<III", 9, 1, len(body)) + body + framed(BIG, 2) + framed(A, 3)
    # Where the peer sent it, and once more instead of a clean end.
    wanted = [(2, A.shape), "code 8: no", (2, BIG.shape), (3, A.shape), "code 8: no"]
    ours, theirs = os.pipe()
    sender = threading.Thread(target=lambda: io.FileIO(theirs, "wb").write(data))
    sender.start()
    for source in (data, ours):
        events, reader = Events(), hurray.StreamReader(source)
        for _ in range(2):
            events.take(reader)
        assert events == wanted
    sender.join()
    os.close(ours)

    async def run() -> Events:
        stream = asyncio.StreamReader()
        stream.feed_data(data)
        stream.feed_eof()
        events, reader = Events(), hurray.StreamReader(stream)
        for _ in range(2):
            await events.take_async(reader)
        return events

    assert asyncio.run(run()) == wanted


def test_pings_are_answered() -> None:
    ping = struct.pack("<III", 10, 1, 2) + b"hi"
    reader = hurray.StreamReader(ping + framed(A, 1))
    same([next(reader)], [A])
    assert reader.reply() == struct.pack("<III", 11, 1, 2) + b"hi"
    assert reader.reply() == b""


def test_limits() -> None:
    data = plain(A)
    with pytest.raises(hurray.StreamError, match="S-005"):
        next(hurray.StreamReader(data, max_descriptor_bytes=60))
    with pytest.raises(hurray.StreamError, match="S-007"):
        next(hurray.StreamReader(data, max_buffer_bytes=23))
    same(list(hurray.StreamReader(data, max_descriptor_bytes=61, max_buffer_bytes=24)), [A])


def test_stream_ids_are_limited() -> None:
    data = b"".join(framed(A, k)[:89] for k in range(1, 66))
    with pytest.raises(hurray.StreamError, match="stream ids = 65"):
        next(hurray.StreamReader(data))


def test_sockets_that_leave_the_machine_refuse_events() -> None:
    # A buffer that declares device 1 and an event: sync mode 1.
    data = bytearray(plain(A))
    data[57:59] = b"\x01\x01"
    (tensor,) = hurray.StreamReader(data)
    hurray.StreamWriter().write(tensor)
    ours, theirs = socket.socketpair()
    hurray.StreamWriter(ours).write(tensor)
    assert isinstance(next(hurray.StreamReader(theirs)), hurray.Tensor)
    with pytest.raises(hurray.HurrayError, match="B-010"):
        hurray.StreamWriter(ours, cross_machine=True).write(tensor)
    ours.close()
    theirs.close()

    async def run() -> None:
        got = asyncio.Queue[bytes]()

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            got.put_nowait(await reader.read())
            writer.write(data)
            writer.close()

        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
        with pytest.raises(hurray.HurrayError, match="B-010"):
            hurray.StreamWriter(writer).write(tensor)
        writer.write_eof()
        assert await got.get() == b""
        with pytest.raises(hurray.StreamError, match="S-008"):
            await anext(aiter(hurray.StreamReader(reader)))
        writer.close()
        server.close()

    asyncio.run(run())
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as connection:
        with pytest.raises(hurray.HurrayError, match="B-010"):
            hurray.StreamWriter(connection).write(tensor)
        peer, _ = server.accept()
        with peer:
            peer.sendall(data)
            with pytest.raises(hurray.StreamError, match="S-008"):
                next(hurray.StreamReader(connection))
            peer.sendall(data)
            # By its number it is the same socket.
            with pytest.raises(hurray.StreamError, match="S-008"):
                next(hurray.StreamReader(connection.fileno(), read_ahead=0))
            with pytest.raises(hurray.HurrayError, match="B-010"):
                hurray.StreamWriter(connection.fileno()).write(tensor)


def test_read_ahead_is_handed_on() -> None:
    source, destination = os.pipe()
    os.write(destination, plain(A) + b"HRRY\x01 and more")
    with hurray.StreamReader(source) as reader:
        same([next(reader)], [A])
        assert reader.unread == b"HRRY\x01 and more"
    with hurray.StreamReader(source, read_ahead=0) as reader:
        os.write(destination, plain(A) + b"rest")
        same([next(reader)], [A])
    assert os.read(source, 9) == b"rest"
    os.close(source)
    os.close(destination)


def test_a_refused_item_leaves_the_stream_as_it_was() -> None:
    out = io.BytesIO()
    writer = hurray.StreamWriter(out)
    writer.write(A)
    with pytest.raises((TypeError, NotImplementedError)):
        writer.write(object())
    assert out.getvalue() == plain(A)
    with pytest.raises((TypeError, NotImplementedError)):
        writer.write_many([BIG, A, object(), A])
    assert out.getvalue() == plain(A) + plain(BIG) + plain(A)


def test_closed_readers_and_writers() -> None:
    reader = hurray.StreamReader(plain(A))
    (item,) = reader
    reader.close()
    reader.close()
    with pytest.raises(hurray.InvalidArgumentError):
        next(reader)
    same([item], [A])
    writer = hurray.StreamWriter()
    writer.finish()
    with pytest.raises(hurray.InvalidArgumentError):
        writer.write(A)
    with pytest.raises(hurray.InvalidArgumentError):
        hurray.StreamWriter(io.BytesIO()).getvalue()


def test_a_source_may_keep_what_it_is_given() -> None:
    data = io.BytesIO(plain(A))
    kept = []

    class Keeping:
        def readinto(self, view: bytearray) -> int:
            kept.append(np.frombuffer(view, dtype=np.uint8))
            return data.readinto(view)

    same(list(hurray.StreamReader(Keeping())), [A])
    assert b"".join(array.tobytes() for array in kept)[:85] == plain(A)


def test_a_source_may_hold_its_own_reader() -> None:
    class Holding:
        def __init__(self) -> None:
            self.data = io.BytesIO(plain(A))
            self.reader = hurray.StreamReader(self)
            self.items = iter(self.reader)

        def readinto(self, view: bytearray) -> int:
            return self.data.readinto(view)

    # That nothing is left of it is checked after every test.
    same(list(Holding().items), [A])


def test_an_error_of_the_source_is_its_own() -> None:
    class Failing:
        def read(self, size: int) -> bytes:
            raise ConnectionResetError("gone")

    with pytest.raises(ConnectionResetError, match="gone"):
        next(hurray.StreamReader(Failing()))


def test_a_loop_ends_when_its_reader_is_closed() -> None:
    reader = hurray.StreamReader(plain(A) + plain(BIG))
    items = iter(reader)
    same([next(items)], [A])
    reader.close()
    with pytest.raises(hurray.InvalidArgumentError):
        next(items)


def test_a_reader_that_has_gone() -> None:
    source, destination = os.pipe()
    os.close(source)
    with pytest.raises(BrokenPipeError):
        hurray.StreamWriter(destination).write(A)
    os.close(destination)
