"""Many rounds, several threads, two processes: nothing grows, and every owner is released once."""

from __future__ import annotations

import gc
import os
import queue
import subprocess
import sys
import textwrap
import threading
import weakref
from collections.abc import Callable
from pathlib import Path

import hurray
import numpy as np
import pytest
from conftest import Exporter

ROUNDS = 1_000_000
GROWTH = 4 << 20  # bytes: far below one byte a round, above what an allocator keeps back


def resident() -> int:
    """Bytes of this process in memory."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def growth(work: Callable[[int], None], rounds: int) -> int:
    """How much more memory the process has after that many rounds; the first tenth is not counted."""
    work(rounds // 10)
    gc.collect()
    before = resident()
    work(rounds)
    gc.collect()
    return resident() - before


def test_a_million_hand_offs_in_flat_memory() -> None:
    array = np.arange(12.0).reshape(3, 4)
    references = sys.getrefcount(array)
    from_numpy, from_hurray = hurray.from_numpy, hurray.from_hurray

    def work(rounds: int) -> None:
        for _ in range(rounds):
            from_hurray(from_numpy(array))

    assert growth(work, ROUNDS) < GROWTH
    assert sys.getrefcount(array) == references


def test_views_in_flat_memory() -> None:
    tensor = hurray.from_numpy(np.arange(12.0))

    def work(rounds: int) -> None:
        for _ in range(rounds):
            tensor.numpy()
            np.asarray(tensor)

    assert growth(work, 200_000) < GROWTH


def test_b22_failing_hand_offs_in_flat_memory() -> None:
    array = np.arange(4.0)
    references = sys.getrefcount(array)
    exporter = Exporter(hurray.from_numpy(array).__hurray__())
    taken = hurray.from_hurray(exporter)
    scheme = hurray.PerChannelAffine.symmetric(5)

    def work(rounds: int) -> None:
        for _ in range(rounds):
            with pytest.raises(TypeError):
                hurray.from_hurray(exporter)
            with pytest.raises(hurray.HurrayError):
                hurray.from_numpy(array.view(np.int8), quantization=scheme, aux_buffers=[array])
            with pytest.raises(hurray.BufferError):
                hurray.Tensor(array, "float64", (5,))

    assert growth(work, 10_000) < GROWTH
    taken.close()
    assert sys.getrefcount(array) == references


def test_producer_and_consumer_on_different_threads() -> None:
    handed: queue.Queue[Exporter | None] = queue.Queue(maxsize=16)
    released: list[int] = []
    sums: list[float] = []

    def produce() -> None:
        for number in range(500):
            array = np.full(8, number, np.float32)
            weakref.finalize(array, released.append, number)
            handed.put(Exporter(hurray.from_numpy(array).__hurray__()))
        handed.put(None)

    def consume() -> None:
        while (exporter := handed.get()) is not None:
            sums.append(float(hurray.from_hurray(exporter).numpy().sum()))

    threads = [threading.Thread(target=produce), threading.Thread(target=consume)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    gc.collect()
    assert sums == [8.0 * number for number in range(500)]
    assert sorted(released) == list(range(500))


def test_a_child_process_has_its_own_shares() -> None:
    code = """
        import gc, os, hurray, numpy as np
        tensor = hurray.from_numpy(np.arange(5.0))
        capsule = tensor.__hurray__()
        child = os.fork()
        if child == 0:
            view = hurray.from_hurray(tensor).numpy()
            ok = view[4] == 4.0
            del tensor, capsule, view
            gc.collect()
            os._exit(0 if ok and hurray.live_handles() == 0 else 1)
        assert os.waitpid(child, 0)[1] == 0
        assert hurray.live_handles() == 2
        assert hurray.from_hurray(tensor).numpy()[4] == 4.0
        del tensor, capsule
        gc.collect()
        assert hurray.live_handles() == 0
        print("ready")
    """
    ended = subprocess.run(
        [sys.executable, "-W", "error", "-c", textwrap.dedent(code)],
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "ready\n", "")
