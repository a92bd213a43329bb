"""Streams between two processes over a pipe, against length-prefixed frames with ``readinto`` and pyarrow's IPC stream.

Prints one row a measurement, tab-separated: what, bar, best time, best time of the yardstick, medians, unit. Rounds
alternate in one run; times are for one tensor.
"""

from __future__ import annotations

import os
import statistics
import struct
import time
from collections.abc import Callable, Iterator

import hurray
import numpy as np
import pyarrow as pa

ROUNDS = 9

Send = Callable[[int, np.ndarray, int], None]
Receive = Callable[[int], Iterator[np.ndarray]]


def send_frames(fd: int, array: np.ndarray, count: int) -> None:
    """A length, then the bytes, ``count`` times."""
    with os.fdopen(fd, "wb", buffering=0) as out:
        for _ in range(count):
            out.write(struct.pack("<Q", array.nbytes))
            view = array.data.cast("B")
            while view:
                view = view[out.write(view) :]


def receive_frames(fd: int) -> Iterator[np.ndarray]:
    """Arrays, each read straight into memory of its own."""
    with os.fdopen(fd, "rb") as source:
        while head := source.read(8):
            array = np.empty(struct.unpack("<Q", head)[0], np.uint8)
            source.readinto(array.data)
            yield array


def send_stream(fd: int, array: np.ndarray, count: int) -> None:
    """The same as tensors."""
    tensor = hurray.from_numpy(array)
    hurray.StreamWriter(fd).write_many(tensor for _ in range(count))


def receive_stream(fd: int) -> Iterator[np.ndarray]:
    """Tensors as arrays."""
    for item in hurray.StreamReader(fd):
        assert isinstance(item, hurray.Tensor)
        yield item.numpy()


def send_arrow(fd: int, array: np.ndarray, count: int) -> None:
    """The same as record batches of one column."""
    batch = pa.record_batch([pa.array(array)], names=["x"])
    with os.fdopen(fd, "wb") as out, pa.ipc.new_stream(out, batch.schema) as writer:
        for _ in range(count):
            writer.write_batch(batch)


def receive_arrow(fd: int) -> Iterator[np.ndarray]:
    """Columns as arrays."""
    with os.fdopen(fd, "rb") as source, pa.ipc.open_stream(source) as reader:
        for batch in reader:
            yield batch.column(0).to_numpy()


def measure(send: Send, receive: Receive, size: int, count: int) -> float:
    """Microseconds for one tensor, from the first byte to the end of the child."""
    array = np.ones(size, np.uint8)
    source, destination = os.pipe()
    started = time.perf_counter()
    child = os.fork()
    if child == 0:
        os.close(source)
        send(destination, array, count)
        os._exit(0)
    os.close(destination)
    got = sum(1 for _ in receive(source))
    os.waitpid(child, 0)
    taken = time.perf_counter() - started
    if got != count:
        raise SystemExit(f"{got} of {count} arrived")
    return taken / count * 1e6


def row(name: str, bar: float, theirs: tuple[Send, Receive], size: int, count: int) -> None:
    """Measures in alternating rounds, and prints."""
    ours, yardstick = [], []
    for _ in range(ROUNDS):
        yardstick.append(measure(*theirs, size, count))
        ours.append(measure(send_stream, receive_stream, size, count))
    best = (min(ours), min(yardstick), statistics.median(ours), statistics.median(yardstick))
    print("\t".join([name, f"{bar:g}", *(f"{value:.2f}" for value in best), "us"]))


def main() -> None:
    """All rows."""
    frames = (send_frames, receive_frames)
    row("stream of 1 MiB, Python (frames)", 1.25, frames, 1 << 20, 1000)
    row("stream of 256 bytes, Python (frames)", 1 / 0.35, frames, 256, 20000)
    row("stream of 256 bytes, Python (pyarrow IPC)", 1 / 3, (send_arrow, receive_arrow), 256, 20000)


main()
