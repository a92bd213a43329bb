"""The hand-off: who owns what, when, on which thread."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import struct
import subprocess
import sys
import textwrap
import threading
import weakref
from collections.abc import Callable
from typing import Any

import hurray
import numpy as np
import pytest
from conftest import NAME, NEW, USED, Exporter, taken_handle

VERSION_MISMATCH = -2
INVALID_HANDLE = -26


def watched(shape: tuple[int, ...] = (3, 4)) -> tuple[np.ndarray[Any, Any], weakref.ref[Any]]:
    array = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
    return array, weakref.ref(array)


def run(code: str) -> subprocess.CompletedProcess[str]:
    """Runs Python code to its end, interpreter shutdown included, in a process of its own."""
    return subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", textwrap.dedent(code)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_a_tensor_crosses_with_its_memory() -> None:
    array, _ = watched()
    there = hurray.from_hurray(hurray.from_numpy(array))
    assert there.shape == (3, 4)
    assert there.dtype == hurray.float32
    array[1, 2] = 99.0
    assert there.numpy()[1, 2] == 99.0
    assert there.numpy().ctypes.data == array.ctypes.data


def test_the_capsule_has_the_name_and_is_renamed_when_it_is_consumed() -> None:
    tensor = hurray.from_numpy(np.zeros(3))
    capsule = tensor.__hurray__()
    assert NAME(capsule) == b"hurray_tensor_handle"
    there = hurray.from_hurray(Exporter(capsule))
    assert NAME(capsule) == USED
    assert there.shape == (3,)


def test_b04_a_capsule_is_consumed_once() -> None:
    array, reference = watched()
    exporter = Exporter(hurray.from_numpy(array).__hurray__())
    first = hurray.from_hurray(exporter)
    with pytest.raises(TypeError, match="consumed before") as caught:
        hurray.from_hurray(exporter)
    assert isinstance(caught.value, hurray.BufferError)
    assert caught.value.status == INVALID_HANDLE
    assert first.numpy()[2, 3] == 11.0
    del array, exporter, first, caught
    gc.collect()
    assert reference() is None


@pytest.mark.parametrize("name", [b"hurray_tensor", b"used_hurray_tensor", b"dltensor", USED, b""])
def test_a_stale_or_foreign_name_is_a_type_error(name: bytes) -> None:
    something = ctypes.create_string_buffer(64)
    capsule = NEW(ctypes.addressof(something), name, None)
    with pytest.raises(TypeError, match="hurray_tensor_handle"):
        hurray.from_hurray(Exporter(capsule))
    assert NAME(capsule) == name


def test_a_capsule_without_a_name_is_a_type_error() -> None:
    something = ctypes.create_string_buffer(64)
    with pytest.raises(TypeError, match="without a name"):
        hurray.from_hurray(Exporter(NEW(ctypes.addressof(something), None, None)))


def test_objects_that_export_nothing_are_type_errors() -> None:
    capsule = hurray.from_numpy(np.zeros(2)).__hurray__()
    for what in (3, None, np.zeros(2), capsule):
        with pytest.raises(TypeError, match="__hurray__"):
            hurray.from_hurray(what)
    with pytest.raises(TypeError, match="gave int"):
        hurray.from_hurray(Exporter(7))


def test_an_exporter_that_raises_is_heard() -> None:
    class Broken:
        def __hurray__(self, stream: int | None = None) -> Any:
            raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        hurray.from_hurray(Broken())


def test_another_version_is_refused_and_stays_in_its_capsule() -> None:
    # The frozen prefix of a handle: mark, version of its build, version reported, table.
    fake = ctypes.create_string_buffer(b"HRRYtens" + struct.pack("=II", 11, 11) + bytes(48))
    capsule = NEW(ctypes.addressof(fake), b"hurray_tensor_handle", None)
    with pytest.raises(hurray.UnsupportedError, match=r"11.*10") as caught:
        hurray.from_hurray(Exporter(capsule))
    assert caught.value.status == VERSION_MISMATCH
    assert NAME(capsule) == b"hurray_tensor_handle"


def test_something_else_under_the_right_name_is_refused() -> None:
    fake = ctypes.create_string_buffer(b"notatens" + bytes(56))
    capsule = NEW(ctypes.addressof(fake), b"hurray_tensor_handle", None)
    with pytest.raises(hurray.BufferError) as caught:
        hurray.from_hurray(Exporter(capsule))
    assert caught.value.status == INVALID_HANDLE


def test_b23_an_unconsumed_capsule_releases_its_share() -> None:
    array, reference = watched()
    tensor = hurray.from_numpy(array)
    before = hurray.live_handles()
    capsule = tensor.__hurray__()
    assert hurray.live_handles() == before + 1
    del array, tensor
    gc.collect()
    assert reference() is not None
    del capsule
    gc.collect()
    assert reference() is None


def test_the_source_may_go_before_the_tensor() -> None:
    array, reference = watched()
    there = hurray.from_hurray(hurray.from_numpy(array))
    del array
    gc.collect()
    assert reference() is not None
    view = there.numpy()
    del there
    gc.collect()
    np.testing.assert_array_equal(view, np.arange(12, dtype=np.float32).reshape(3, 4))
    del view
    gc.collect()
    assert reference() is None


def test_b21_b96_the_last_share_may_go_on_a_thread_without_the_lock(
    destroy: Callable[[ctypes.c_void_p], int],
) -> None:
    array, reference = watched()
    handle = taken_handle(hurray.from_numpy(array).__hurray__())
    del array
    gc.collect()
    assert reference() is not None
    status: list[int] = []
    # ctypes gives up the interpreter's lock for the call, so the release has to take it.
    thread = threading.Thread(target=lambda: status.append(destroy(handle)))
    thread.start()
    thread.join()
    gc.collect()
    assert status == [0]
    assert reference() is None


def test_b21_a_release_after_finalization_touches_nothing() -> None:
    ended = run(
        """
        import ctypes, hurray, numpy as np
        tensor = hurray.from_numpy(np.arange(5.0))
        capsule = tensor.__hurray__()
        get = ctypes.pythonapi.PyCapsule_GetPointer
        get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
        rename = ctypes.pythonapi.PyCapsule_SetName
        rename.argtypes = [ctypes.py_object, ctypes.c_char_p]
        libc = ctypes.CDLL(None)
        libc.malloc.restype, libc.malloc.argtypes = ctypes.c_void_p, [ctypes.c_size_t]
        place = libc.malloc(8)
        ctypes.c_void_p.from_address(place).value = get(capsule, b"hurray_tensor_handle")
        rename(capsule, b"used_hurray_tensor_handle")
        destroy = ctypes.cast(ctypes.CDLL(hurray.get_library()).hurray_tensor_destroy, ctypes.c_void_p)
        libc.__cxa_atexit.argtypes = [ctypes.c_void_p] * 3
        libc.__cxa_atexit(destroy, place, None)
        del tensor
        print("ready")
        """
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "ready\n", "")


def test_an_unconsumed_capsule_alive_at_interpreter_exit() -> None:
    ended = run(
        """
        import ctypes, sys, hurray, numpy as np
        class Held:
            pass
        held = Held()
        held.capsule = hurray.from_numpy(np.arange(5.0)).__hurray__()
        held.tensor = hurray.from_numpy(np.arange(6.0))
        held.view = held.tensor.numpy()
        sys.held = held          # goes with the interpreter's last objects
        held.itself = held
        print("ready")
        """
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "ready\n", "")


def test_a_thread_that_releases_while_the_interpreter_ends() -> None:
    ended = run(
        """
        import threading, time, hurray, numpy as np
        def work():
            while True:
                hurray.from_hurray(hurray.from_numpy(np.arange(5.0))).numpy()
        for _ in range(4):
            threading.Thread(target=work, daemon=True).start()
        time.sleep(0.2)
        print("ready")
        """
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "ready\n", "")


def test_b22_failing_exports_leave_nothing() -> None:
    source = np.zeros(3, dtype=object)
    closed = hurray.from_numpy(np.zeros(2))
    closed.close()
    before = sys.getrefcount(source)
    handles = hurray.live_handles()
    for _ in range(10_000):
        with pytest.raises(NotImplementedError):
            hurray.from_numpy(source)
        with pytest.raises(hurray.BufferError):
            closed.__hurray__()
    assert sys.getrefcount(source) == before
    assert hurray.live_handles() == handles


def test_b24_many_threads_import_from_one_source() -> None:
    array, reference = watched()
    shared = [hurray.from_numpy(array)]
    wrong: list[object] = []

    def work() -> None:
        for _ in range(2000):
            there = hurray.from_hurray(shared[0])
            if there.numpy()[0, 1] != 1.0:
                wrong.append(there)

    threads = [threading.Thread(target=work) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    shared.clear()
    del array
    gc.collect()
    assert reference() is None


def test_b24_one_capsule_for_many_threads_has_one_consumer() -> None:
    for _ in range(200):
        exporter = Exporter(hurray.from_numpy(np.arange(4.0)).__hurray__())
        got: list[hurray.Tensor] = []
        barrier = threading.Barrier(4)

        def work(exporter: Exporter = exporter, got: list[Any] = got, barrier: Any = barrier) -> None:
            barrier.wait()
            with contextlib.suppress(hurray.CapsuleError):
                got.append(hurray.from_hurray(exporter))

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(got) == 1


def test_b28_memory_of_the_host_needs_no_stream() -> None:
    tensor = hurray.from_numpy(np.zeros(2))
    for stream in (None, -1):
        assert NAME(tensor.__hurray__(stream=stream)) == b"hurray_tensor_handle"
    for stream in (0, 1, 2, 7, -2):
        with pytest.raises(hurray.UnsupportedError, match="stream"):
            tensor.__hurray__(stream=stream)


def test_b91_a_second_interpreter_is_refused_or_works() -> None:
    ended = run(
        """
        import hurray, numpy as np
        try:
            import _interpreters as interpreters
        except ImportError:
            import _xxsubinterpreters as interpreters
        tensor = hurray.from_numpy(np.arange(3.0))
        second = interpreters.create()
        code = "try:\\n import hurray\\nexcept ImportError as error:\\n assert str(error)\\n"
        failure = interpreters.run_string(second, code)
        assert failure is None, failure
        interpreters.destroy(second)
        assert hurray.from_hurray(tensor).numpy()[2] == 2.0
        print("ready")
        """
    )
    assert (ended.returncode, ended.stdout) == (0, "ready\n"), ended.stderr
