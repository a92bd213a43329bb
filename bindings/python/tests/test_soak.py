"""The hand-off many times over: memory and handles come back to where they were, on other threads and after a fork."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import os
import queue
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import hurray
import numpy as np
import pytest
from conftest import Exporter, taken_handle

#: How far the resident memory may move. A leak of one machine word in a million rounds would be 8 MB.
TOLERANCE = 2 << 20

WARM_UP = 20_000
ROUNDS = 1_000_000
FAILURES = 10_000


def resident() -> int:
    """Bytes of this process in memory."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


@contextlib.contextmanager
def flat() -> Iterator[None]:
    """Memory and handles are the same after the block."""
    handles, before = hurray.live_handles(), resident()
    yield
    grown = resident() - before
    assert grown < TOLERANCE, f"{grown} bytes more"
    assert hurray.live_handles() == handles


def test_a_million_hand_offs() -> None:
    array = np.arange(12, dtype=np.float32).reshape(3, 4)
    tensor = hurray.from_numpy(array)
    exporter = Exporter(None)

    def hand_off(rounds: int) -> None:
        for _ in range(rounds):
            exporter.capsule = tensor.__hurray__()
            hurray.from_hurray(exporter)

    hand_off(WARM_UP)
    references = sys.getrefcount(array)
    with flat():
        hand_off(ROUNDS)
        exporter.capsule = None
    assert sys.getrefcount(array) == references
    assert hurray.from_hurray(tensor).numpy()[2, 3] == 11.0


@pytest.mark.parametrize("kind", ["dense", "per_channel", "csr", "unconsumed"])
def test_hand_offs_of_fresh_tensors(kind: str) -> None:
    weights = np.arange(12, dtype=np.int8).reshape(3, 4)
    scales = np.ones(4, dtype=np.float32)
    values, columns, row_ptr = np.ones(2, np.float32), np.array([0, 3]), np.array([0, 1, 1, 2])
    channels = hurray.PerChannelAffine.symmetric(1)

    makers: dict[str, Callable[[], hurray.Tensor]] = {
        "dense": lambda: hurray.from_numpy(weights),
        "per_channel": lambda: hurray.from_numpy(weights, quantization=channels, aux_buffers=[scales]),
        "csr": lambda: hurray.sparse_csr(values, columns, row_ptr, (3, 4)),
        "unconsumed": lambda: hurray.from_numpy(weights),
    }
    make = makers[kind]

    def rounds(count: int) -> None:
        for _ in range(count):
            if kind == "unconsumed":
                make().__hurray__()
            else:
                hurray.from_hurray(make())

    rounds(WARM_UP // 10)
    with flat():
        rounds(WARM_UP // 2)


def failing_imports() -> list[tuple[Callable[[], object], type[Exception]]]:
    """Calls that fail each time, and how."""
    tensor = hurray.from_numpy(np.zeros(3))
    closed = hurray.from_numpy(np.zeros(3))
    closed.close()
    consumed = Exporter(tensor.__hurray__())
    hurray.from_hurray(consumed)
    return [
        (lambda: hurray.from_hurray(consumed), hurray.CapsuleError),
        (lambda: hurray.from_hurray(Exporter("no capsule")), TypeError),
        (lambda: hurray.from_hurray(object()), TypeError),
        (lambda: hurray.from_hurray(closed), hurray.BufferError),
        (lambda: tensor.__hurray__(stream=7), hurray.UnsupportedError),
        (lambda: hurray.from_numpy(np.zeros(3, dtype=object)), NotImplementedError),
        (lambda: hurray.sparse_csr(np.ones(2), np.zeros(1, int), np.zeros(4, int), (3, 4)), ValueError),
    ]


def test_ten_thousand_failures_of_each_kind() -> None:
    calls = failing_imports()

    def rounds(count: int) -> None:
        for call, error in calls:
            for _ in range(count):
                with pytest.raises(error):
                    call()

    rounds(FAILURES // 10)
    with flat():
        rounds(FAILURES)


def test_producer_and_consumer_on_different_threads() -> None:
    """One thread makes and exports, a second imports and reads, a third lets go."""
    rounds = 20_000
    capsules: queue.Queue[Exporter | None] = queue.Queue(64)
    tensors: queue.Queue[hurray.Tensor | None] = queue.Queue(64)
    sums: list[float] = []

    def produce() -> None:
        for value in range(rounds):
            capsules.put(Exporter(hurray.from_numpy(np.full(5, value, dtype=np.float64)).__hurray__()))
        capsules.put(None)

    def consume() -> None:
        while (exporter := capsules.get()) is not None:
            tensor = hurray.from_hurray(exporter)
            sums.append(float(tensor.numpy()[4]))
            tensors.put(tensor)
        tensors.put(None)

    def let_go() -> None:
        while (tensor := tensors.get()) is not None:
            del tensor

    handles = hurray.live_handles()
    threads = [threading.Thread(target=work) for work in (produce, consume, let_go)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sums == [float(value) for value in range(rounds)]
    gc.collect()
    assert hurray.live_handles() == handles


def in_a_child(work: Callable[[], None]) -> None:
    """Forks; the child does the work and ends at once. A child that hangs is ended by its alarm."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.alarm(60)
            work()
            code = 0
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0


def test_fork(destroy: Callable[[ctypes.c_void_p], int]) -> None:
    array = np.arange(6, dtype=np.float32)
    held = [hurray.from_numpy(array)]
    capsule = Exporter(held[0].__hurray__())
    handle = taken_handle(held[0].__hurray__())
    handles = hurray.live_handles()

    def use_and_drop() -> None:
        there = hurray.from_hurray(capsule)
        assert there.numpy()[5] == 5.0
        there.numpy()[5] = 50.0
        assert held[0].numpy()[5] == 50.0
        del there
        held.clear()
        assert destroy(handle) == 0
        gc.collect()
        # The tensor, its capsule and the bare handle are gone; so is all that they held.
        assert hurray.live_handles() < handles
        fresh = hurray.from_hurray(hurray.from_numpy(np.arange(3.0)))
        assert fresh.numpy()[2] == 2.0

    for _ in range(3):
        in_a_child(use_and_drop)
    # What the children did is not seen here.
    assert hurray.live_handles() == handles
    assert held[0].numpy()[5] == 5.0
    assert hurray.from_hurray(capsule).numpy()[5] == 5.0
    assert destroy(handle) == 0


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_fork_while_other_threads_hand_off() -> None:
    stop = threading.Event()
    tensor = hurray.from_numpy(np.arange(6.0))

    def hand_off() -> None:
        while not stop.is_set():
            hurray.from_hurray(hurray.from_hurray(tensor))

    def in_the_child() -> None:
        handles = hurray.live_handles()
        for _ in range(100):
            assert hurray.from_hurray(tensor).numpy()[5] == 5.0
        assert hurray.live_handles() == handles

    threads = [threading.Thread(target=hand_off) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(20):
            in_a_child(in_the_child)
    finally:
        stop.set()
        for thread in threads:
            thread.join()
