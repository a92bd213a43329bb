"""Streams that are interrupted by signals, or used by two calls at once."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import signal
import socket
import threading
from typing import Any

import hurray
import numpy as np
import pytest
from test_stream import A, plain, same


class Rung(Exception):
    """What a signal's handler raises, as that of Ctrl-C does."""


@contextlib.contextmanager
def ringing(where: str) -> Any:
    """A handler that raises in the functions of this name alone, so that nothing else is torn."""

    def ring(_: int, frame: Any) -> None:
        if frame.f_code.co_name == where:
            raise Rung

    before = signal.signal(signal.SIGALRM, ring)
    main = threading.get_ident()
    try:
        yield lambda: signal.pthread_kill(main, signal.SIGALRM)
    finally:
        signal.signal(signal.SIGALRM, before)


def pair(kind: str) -> tuple[Any, Any]:
    """Both ends of a pipe or of two sockets."""
    if kind == "socket":
        return socket.socketpair()
    ends = os.pipe()
    return ends if kind == "fd" else (io.FileIO(ends[0], "rb"), io.FileIO(ends[1], "wb"))


def close(end: Any) -> None:
    """Closes one of them."""
    os.close(end) if isinstance(end, int) else end.close()


LARGE = np.arange(1 << 18)


@pytest.mark.parametrize("kind", ["fd", "socket", "file"])
def test_a_signal_has_no_byte_written_twice(kind: str) -> None:
    source, destination = pair(kind)
    got = bytearray()

    def take() -> bytes:
        if kind == "socket":
            return bytes(source.recv(1 << 14))
        return os.read(source if kind == "fd" else source.fileno(), 1 << 14)

    def receive() -> None:
        while piece := take():
            got.extend(piece)
            if len(got) < 1 << 19:
                # The other side is in the middle of its tensor.
                ring()

    with ringing("_flush") as ring:
        receiver = threading.Thread(target=receive)
        receiver.start()
        writer = hurray.StreamWriter(destination)
        rings = 0
        for array in (LARGE, A):
            given = [array]
            while True:
                try:
                    # What was put stays; with nothing more to put, the rest of it is sent.
                    writer.write_many(given.pop() for _ in range(len(given)))
                    break
                except Rung:
                    rings += 1
        close(destination)
        receiver.join()
        close(source)
    assert rings > 0
    assert got == plain(LARGE) + plain(A)


@pytest.mark.parametrize("kind", ["fd", "socket", "file", "buffered"])
def test_a_signal_has_no_byte_lost(kind: str) -> None:
    source, destination = pair("file" if kind == "buffered" else kind)
    data = plain(LARGE) + plain(A)

    def put(piece: memoryview) -> int:
        if kind == "socket":
            return int(destination.send(piece))
        return os.write(destination if kind == "fd" else destination.fileno(), piece)

    def send() -> None:
        rest = memoryview(data)
        while rest:
            rest = rest[put(rest[: 1 << 14]) :]
            if len(rest) > 1 << 20:
                ring()
        close(destination)

    def collect(items: Any, got: list[Any]) -> None:
        got.extend(items)

    with ringing("collect") as ring:
        sender = threading.Thread(target=send)
        sender.start()
        items = iter(hurray.StreamReader(io.BufferedReader(source) if kind == "buffered" else source))
        got: list[Any] = []
        rings = 0
        while True:
            try:
                collect(items, got)
                break
            except Rung:
                rings += 1
        sender.join()
        close(source)
    assert rings > 0
    same(got, [LARGE, A])


def test_a_reader_in_use_refuses_other_calls() -> None:
    ours, theirs = socket.socketpair()
    reader = hurray.StreamReader(ours)
    got: list[Any] = []
    waiting = threading.Thread(target=lambda: got.append(next(reader)))
    waiting.start()

    def ask_until_it_waits_for_bytes() -> None:
        while reader.unread == b"":
            pass

    with pytest.raises(RuntimeError, match="in use"):
        ask_until_it_waits_for_bytes()
    with pytest.raises(RuntimeError, match="in use"):
        next(reader)
    theirs.sendall(plain(A))
    waiting.join()
    same(got, [A])
    ours.close()
    theirs.close()

    class Again:
        """A source that uses its own reader."""

        def readinto(self, _: bytearray) -> int:
            return len(next(readers[0]).shape)

    readers = [hurray.StreamReader(Again())]
    with pytest.raises(RuntimeError, match="in use"):
        next(readers[0])
    readers.clear()


def test_a_writer_in_use_refuses_other_calls() -> None:
    class Again:
        def write(self, _: bytes) -> None:
            writer.write(A)

    writer = hurray.StreamWriter(Again())
    with pytest.raises(RuntimeError, match="borrowed"):
        writer.write(A)


def test_a_signal_interrupts_a_read() -> None:
    def ring(*_: object) -> None:
        raise Rung

    source, destination = os.pipe()
    reader = hurray.StreamReader(source)
    before = signal.signal(signal.SIGALRM, ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(Rung):
            next(reader)
    finally:
        signal.signal(signal.SIGALRM, before)
    os.write(destination, plain(A))
    same([next(reader)], [A])
    os.close(destination)
    os.close(source)
    with pytest.raises(OSError, match="Bad file descriptor") as caught:
        next(reader)
    assert caught.value.errno == errno.EBADF
