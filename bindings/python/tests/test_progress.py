"""Calls that take long: how far they are, what ends them, and what is left then."""

from __future__ import annotations

import io
import os
import signal
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import hurray
import numpy as np
import pytest

LARGE = 4 << 20  # elements from which on a call has a thread of its own


class Stop(Exception):
    """What a callback raises."""


class Heard:
    """A callback that remembers, and raises once so many bytes are done."""

    def __init__(self, stop_at: int | None = None) -> None:
        self.calls: list[tuple[int, int]] = []
        self.threads: set[int] = set()
        self._stop_at = stop_at

    def __call__(self, done: int, total: int) -> None:
        self.calls.append((done, total))
        self.threads.add(threading.get_ident())
        if self._stop_at is not None and done >= self._stop_at:
            raise Stop

    def is_whole(self, total: int) -> bool:
        """Whether the calls rise to the total, on this thread."""
        done = [one for one, _ in self.calls]
        return (
            self.calls[-1] == (total, total)
            and done == sorted(done)
            and {one for _, one in self.calls} == {total}
            and self.threads == {threading.get_ident()}
        )


def paged() -> hurray.Tensor:
    pool = np.zeros((2, 2, 1, 3), np.float32)
    layout = hurray.BlockPagedLayout(2, 2, 0, 1, "key")
    table, ends = np.array([1, 0], np.uint32), np.array([0, 2], np.uint32)
    return hurray.Tensor(pool, "float32", (4, 1, 3), layout=layout, aux_buffers=[table, ends])


def partition(size: int) -> hurray.Composite:
    members = [
        hurray.Tensor(np.full(size, k, np.float32), "float32", (size,), shard=hurray.Shard((2 * size,), (k * size,)))
        for k in range(2)
    ]
    return hurray.Composite("partition", shape=(2 * size,), dtype="float32", members=members)


ROWS = hurray.from_numpy(np.arange(24, dtype=np.float32).reshape(4, 6))
CODES = hurray.from_numpy(np.arange(6, dtype=np.int8))
CALLS: dict[str, tuple[Callable[[Any], Any], int]] = {
    "to_layout": (lambda f: ROWS.to_layout("column_major", progress=f), 96),
    "contiguous": (lambda f: ROWS.contiguous(copy=True, progress=f), 96),
    "dequantize": (lambda f: CODES.dequantize(progress=f), 24),
    "pack": (lambda f: CODES.pack("int4", progress=f), 3),
    "unpack": (lambda f: CODES.pack("int4").unpack(progress=f), 6),
    "slice": (lambda f: ROWS.slice(np.s_[1:3, ::2], copy=True, progress=f), 24),
    "gather": (lambda f: paged().gather(progress=f), 48),
    "scatter": (lambda f: hurray.from_numpy(np.ones((4, 1, 3), np.float32)).scatter(paged(), progress=f), 48),
    "assemble": (lambda f: partition(4).assemble(progress=f), 32),
    "with_statistics": (lambda f: ROWS.with_statistics(progress=f), 96),
}


@pytest.mark.parametrize("name", CALLS)
def test_every_conversion_tells_how_far_it_is(name: str) -> None:
    call, total = CALLS[name]
    heard = Heard()
    call(heard)
    assert heard.is_whole(total), heard.calls
    with pytest.raises(Stop):
        call(Heard(stop_at=0))
    with pytest.raises(TypeError, match="bytes done"):
        call(7)


def test_quantize_and_check_tell_it_too() -> None:
    for call in (
        lambda f: ROWS.quantize("int4", hurray.PerBlockAffine.symmetric(1, 2), progress=f),
        lambda f: ROWS.to_layout("csr").check(progress=f),
    ):
        heard = Heard()
        call(heard)
        assert heard.is_whole(heard.calls[-1][1])
        with pytest.raises(Stop):
            call(Heard(stop_at=0))


def test_what_has_nothing_to_do_tells_nothing() -> None:
    heard = Heard()
    ROWS.contiguous(progress=heard)
    ROWS.slice(np.s_[1:], progress=heard)
    assert heard.calls == []


def test_a_large_conversion_is_told_of_meanwhile_and_ended() -> None:
    side = 1 << 12
    curve = hurray.HilbertLayout(12, 2)
    source = hurray.from_numpy(np.ones((side, side), np.uint8))
    heard = Heard()
    there = source.to_layout(curve, progress=heard)
    assert heard.is_whole(side * side)
    assert there.buffer(0).all()
    out = np.zeros((side, side), np.uint8)
    stopped = Heard(stop_at=0)
    with pytest.raises(Stop):
        there.contiguous(out=out, progress=stopped)
    # Nothing is called after the callback has raised.
    assert len(stopped.calls) == 1
    # Options are of one call: the next one runs.
    assert there.contiguous(out=out).numpy().all()


class Reading:
    """A file-like object whose reads of data call a function first."""

    def __init__(self, data: bytes, before: Callable[[], None]) -> None:
        self._file = io.BytesIO(data)
        self._before = before

    def seek(self, offset: int, whence: int = 0) -> int:
        return self._file.seek(offset, whence)

    def read(self, size: int = -1) -> bytes:
        if size > 1 << 20:
            self._before()
        return self._file.read(size)


@pytest.fixture
def interrupt() -> Iterator[tuple[Callable[[], None], threading.Event]]:
    """A function that sends SIGINT and waits until it was handled; the event says that it was."""
    handled = threading.Event()

    def handler(number: int, frame: FrameType | None) -> None:
        handled.set()
        raise KeyboardInterrupt

    def send() -> None:
        if not handled.is_set():
            os.kill(os.getpid(), signal.SIGINT)
            handled.wait(60)

    before = signal.signal(signal.SIGINT, handler)
    yield send, handled
    signal.signal(signal.SIGINT, before)


def test_ctrl_c_ends_a_load(interrupt: tuple[Callable[[], None], threading.Event]) -> None:
    send, handled = interrupt
    out = io.BytesIO()
    hurray.save(out, {"x": np.zeros(LARGE, np.float32), "y": np.zeros(LARGE, np.float32)})
    reads: list[int] = []

    def before() -> None:
        reads.append(len(reads))
        send()

    with pytest.raises(KeyboardInterrupt):
        hurray.load(Reading(out.getvalue(), before))
    # The signal was handled while the first tensor was read; the second one was not begun.
    assert handled.is_set()
    assert len(reads) <= 2


def test_ctrl_c_ends_a_save(interrupt: tuple[Callable[[], None], threading.Event], tmp_path: Path) -> None:
    send, handled = interrupt
    path = tmp_path / "x.hrry"
    hurray.save(path, {"old": np.zeros(3)})
    before = path.read_bytes()
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    large = np.zeros(LARGE, np.float32)

    def read_slowly() -> None:
        # A pipe holds far less than the tensor: the save is under way until this thread has read it all.
        with fifo.open("rb") as source:
            source.read(1 << 20)
            send()
            while source.read(1 << 20):
                pass

    reader = threading.Thread(target=read_slowly)
    reader.start()
    with pytest.raises(KeyboardInterrupt):
        hurray.save(fifo, {"x": large})
    reader.join()
    assert handled.is_set()
    with pytest.raises(Stop):
        hurray.save(path, {"x": large, "y": large}, progress=Heard(stop_at=1))
    assert path.read_bytes() == before
    assert sorted(os.listdir(tmp_path)) == ["fifo", "x.hrry"]


def test_a_save_tells_of_the_bytes_of_all_tensors(tmp_path: Path) -> None:
    tensors = {"a": np.zeros(LARGE, np.float32), "b": np.ones(3), "empty": np.zeros((0, 2)), "c": partition(4)}
    total = 4 * LARGE + 24 + 32
    for target in (tmp_path / "a.hrry", io.BytesIO()):
        heard = Heard()
        hurray.save(target, tensors, durable=False, progress=heard)
        assert heard.is_whole(total), heard.calls
    heard = Heard(stop_at=4 * LARGE + 1)
    with pytest.raises(Stop):
        hurray.save(tmp_path / "b.hrry", tensors, progress=heard)
    assert heard.calls[-1] == (4 * LARGE + 24, total)
    assert os.listdir(tmp_path) == ["a.hrry"]


def test_a_load_that_copies_tells_of_the_bytes_of_all_tensors(tmp_path: Path) -> None:
    path = tmp_path / "a.hrry"
    hurray.save(path, {"a": np.zeros(LARGE, np.float32), "b": np.ones(3)}, durable=False)
    for source, mode in ((path, "copy"), (io.BytesIO(path.read_bytes()), "r")):
        heard = Heard()
        found = hurray.load(source, mode=mode, progress=heard)  # type: ignore[arg-type]
        assert list(found) == ["a", "b"]
        assert heard.is_whole(4 * LARGE + 24), heard.calls
        heard = Heard()
        hurray.load(source, names=["b"], mode=mode, progress=heard)  # type: ignore[arg-type]
        assert heard.is_whole(24)
        with pytest.raises(Stop):
            hurray.load(source, mode=mode, progress=Heard(stop_at=4 * LARGE))  # type: ignore[arg-type]
    heard = Heard()
    hurray.load(path, progress=heard)
    assert heard.calls == []
    with hurray.open(path, mode="copy") as file:
        heard = Heard()
        file.load(progress=heard)
        assert heard.is_whole(4 * LARGE + 24)


def test_the_bytes_of_a_composite_are_known_when_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "c.hrry"
    hurray.save(path, {"b": np.ones(3), "c": partition(4)})
    heard = Heard()
    hurray.load(path, mode="copy", progress=heard)
    assert heard.calls[0] == (24, 24)
    assert heard.calls[-1] == (56, 56)


def test_a_file_that_was_interrupted_is_opened_again(
    interrupt: tuple[Callable[[], None], threading.Event],
) -> None:
    send, _ = interrupt
    out = io.BytesIO()
    hurray.save(out, {"x": np.zeros(LARGE, np.float32), "y": np.ones(2)})
    source = Reading(out.getvalue(), send)
    file = hurray.open(source)
    with pytest.raises(KeyboardInterrupt):
        file["x"]
    with pytest.raises(hurray.FileError, match="cancelled"):
        file["y"]
    again = hurray.open(source)["x"]
    assert isinstance(again, hurray.Tensor)
    assert again.shape == (LARGE,)
