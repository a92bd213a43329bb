"""DLPack structs made by hand, field by field: what numpy and JAX do not make; keywords of older producers."""

from __future__ import annotations

import contextlib
import gc
import importlib
import importlib.util
import subprocess
import sys
import textwrap
import threading
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hurray
import jax
import ml_dtypes
import numpy as np
import pytest
from conftest import NAME
from handmade import FLOAT32, Handmade, load

MINIMUM = -(1 << 63)


@pytest.fixture(autouse=True)
def _every_struct_is_deleted_once() -> Iterator[None]:
    yield
    gc.collect()
    made, deleted = load().counts()
    assert made == deleted


def floats(count: int = 16) -> np.ndarray[Any, Any]:
    return np.arange(count, dtype=np.float32)


def test_b06_null_strides_are_row_major() -> None:
    for version in (None, (1, 0), (1, 1), (1, 2), (1, 3)):
        tensor = hurray.from_dlpack(Handmade(floats(), (2, 3), None, version=version))
        np.testing.assert_array_equal(tensor.numpy(), [[0, 1, 2], [3, 4, 5]])


def test_b07_extents_that_cannot_be() -> None:
    cases: list[tuple[Handmade, type[Exception]]] = [
        (Handmade(floats(), (1 << 61, 8), None, (2, 64, 1)), hurray.InvalidDescriptorError),
        (Handmade(floats(), (1, 1), None, ndim=-1), hurray.InvalidArgumentError),
        (Handmade(floats(), (1,) * 64, None, ndim=65), hurray.InvalidDescriptorError),
        (Handmade(floats(), None, None, ndim=2), hurray.InvalidArgumentError),
        (Handmade(floats(), (2, -3), None), hurray.InvalidArgumentError),
        (Handmade(floats(), (2, 2), (MINIMUM, 1)), hurray.InvalidDescriptorError),
        (Handmade(None, (2, 2), None), hurray.InvalidArgumentError),
    ]
    for producer, error in cases:
        for version in (None, (1, 3)):
            producer.version = version
            capsule = producer.versioned()
            with pytest.raises(error):
                hurray.from_dlpack(capsule)
            # It stays its maker's, under its own name.
            assert NAME(capsule) == (b"dltensor" if version is None else b"dltensor_versioned")
            del capsule


@pytest.mark.parametrize("strides", [None, (0, 0, 0, 0), (7, 7, 7, 7), (0, 128, 128, 1)])
@pytest.mark.parametrize("data", [None, 1, 4096])
def test_b08_nothing_at_any_place(strides: tuple[int, ...] | None, data: int | None) -> None:
    tensor = hurray.from_dlpack(Handmade(data, (1, 8, 0, 128), strides))
    assert tensor.shape == (1, 8, 0, 128)
    assert tensor.numpy().flags.c_contiguous
    assert np.from_dlpack(tensor).shape == (1, 8, 0, 128)


def test_b09_strides_of_nothing() -> None:
    capsule = hurray.from_numpy(np.zeros((0, 2048), np.float32)).__dlpack__(max_version=(1, 3))
    assert load().read(capsule)["strides"] == (2048, 1)
    again = hurray.from_dlpack(capsule)
    assert (again.shape, again.dtype) == ((0, 2048), hurray.float32)


def test_b10_b11_strides_of_dimensions_of_one() -> None:
    tensor = hurray.from_dlpack(Handmade(floats(), (1, 3, 1, 4, 1), (0, 4, 0, 1, 0)))
    np.testing.assert_array_equal(tensor.numpy().ravel(), np.arange(12))
    assert np.from_dlpack(tensor).shape == (1, 3, 1, 4, 1)
    for shape, strides in (((1, 77), (77, 1)), ((1024, 1), (1, 1024)), ((1, 77), (1, 1))):
        tensor = hurray.from_dlpack(Handmade(floats(1024), shape, strides))
        seen = load().read(tensor.__dlpack__(max_version=(1, 3)))
        assert seen["shape"] == shape
        assert [s for s, n in zip(seen["strides"], shape, strict=True) if n > 1] == [1]
    for shape, strides in (((1, 77), (77, 1)), ((1024, 1), (1, 1))):
        seen = load().read(hurray.from_dlpack(Handmade(floats(1024), shape, strides)).__dlpack__(max_version=(1, 3)))
        assert seen["strides"] == strides


def test_b13_b14_negative_strides() -> None:
    array = floats(10)
    tensor = hurray.from_dlpack(Handmade(array[9:], (10,), (-1,)))
    np.testing.assert_array_equal(tensor.numpy(), array[::-1])
    seen = load().read(tensor.__dlpack__(max_version=(1, 3)))
    assert (seen["address"], seen["byte_offset"], seen["strides"]) == (array[9:].ctypes.data, 0, (-1,))
    both = hurray.from_dlpack(Handmade(array[7:], (3, 3), (-3, 1)))
    np.testing.assert_array_equal(both.numpy(), [[7, 8, 9], [4, 5, 6], [1, 2, 3]])


def test_b15_the_byte_offset_counts() -> None:
    array = floats()
    for shape, wanted in (((8,), np.arange(8, 16)), ((), np.array(8))):
        tensor = hurray.from_dlpack(Handmade(array, shape, None, byte_offset=32))
        for one in (tensor, hurray.from_dlpack(tensor)):
            np.testing.assert_array_equal(one.numpy(), wanted)


def test_b16_b17_rank_zero() -> None:
    tensor = hurray.from_dlpack(Handmade(np.array([2.5]), None, None, (2, 64, 1)))
    assert tensor.shape == ()
    assert tensor.numpy()[()] == 2.5
    seen = load().read(tensor.__dlpack__(max_version=(1, 3)))
    assert (seen["shape"], seen["strides"]) == (None, None)


def test_b18_columns_at_strides() -> None:
    tensor = hurray.from_dlpack(Handmade(floats(6), (2, 2), (3, 1)))
    np.testing.assert_array_equal(tensor.numpy(), [[0, 1], [3, 4]])
    file = hurray.asarray(tensor, copy=True)
    np.testing.assert_array_equal(file.numpy(), [[0, 1], [3, 4]])


# DLPack's code and bits, and the name here; published numbers.
TYPES = {
    **{(0, bits): f"int{bits}" for bits in (2, 4, 8, 16, 32, 64)},
    **{(1, bits): f"uint{bits}" for bits in (2, 4, 8, 16, 32, 64)},
    **{(2, bits): f"float{bits}" for bits in (16, 32, 64, 128)},
    **{(5, bits): f"complex{bits}" for bits in (64, 128)},
    (4, 16): "bfloat16",
    (10, 8): "float8_e4m3",
    (12, 8): "float8_e5m2",
    (14, 8): "float8_e8m0",
    (15, 6): "float6_e2m3",
    (16, 6): "float6_e3m2",
    (17, 4): "float4_e2m1",
}


def test_b19_every_code_width_and_number_of_lanes() -> None:
    memory = np.zeros(64, np.uint8)
    for code in (*range(18), 200):
        for bits in (0, 1, 2, 4, 6, 7, 8, 16, 17, 32, 64, 128, 255):
            for lanes in (0, 1, 2, 65535):
                capsule = Handmade(memory, (4,), None, (code, bits, lanes)).versioned()
                name = TYPES.get((code, bits)) if lanes == 1 else None
                if name is not None:
                    tensor = hurray.from_dlpack(capsule)
                    assert tensor.dtype.name == name
                    assert load().read(tensor.__dlpack__(max_version=(1, 3)))["dtype"] == (code, bits, 1)
                elif (code, bits, lanes) == (6, 8, 1):
                    with pytest.raises(hurray.CopyRequiredError):
                        hurray.from_dlpack(capsule)
                else:
                    with pytest.raises(hurray.DLPackError, match="type"):
                        hurray.from_dlpack(capsule)
                    assert NAME(capsule) == b"dltensor_versioned"


def test_narrow_values() -> None:
    for name, dtype in (("bfloat16", (4, 16, 1)), ("float8_e4m3fn", (10, 8, 1)), ("float8_e5m2", (12, 8, 1))):
        array = np.arange(6).astype(getattr(ml_dtypes, name))
        tensor = hurray.from_dlpack(Handmade(array, (2, 3), None, dtype))
        assert tensor.numpy().dtype == array.dtype
        np.testing.assert_array_equal(tensor.numpy(), array.reshape(2, 3))
    six = hurray.from_dlpack(Handmade(np.array([1, 2, 3], np.uint8), (4,), None, (15, 6, 1)))
    np.testing.assert_array_equal(six.numpy(raw=True), [1, 2, 3])
    with pytest.raises(hurray.DLPackError, match="group"):
        hurray.from_dlpack(Handmade(np.array([1, 2], np.uint8), (2,), None, (15, 6, 1)))


def test_b30_b35_sub_byte_elements_padded_and_packed() -> None:
    packed = hurray.from_dlpack(Handmade(np.array([0x21, 0x43], np.uint8), (4,), None, (0, 4, 1)))
    padded = hurray.from_dlpack(Handmade(np.array([1, 2, 3, 4], np.uint8), (4,), None, (0, 4, 1), flags=4))
    for tensor in (packed, padded):
        np.testing.assert_array_equal(tensor.numpy(raw=True), [0x21, 0x43])
        assert load().read(tensor.__dlpack__(max_version=(1, 3)))["flags"] & 4 == 0
    assert packed.copies == ((),)
    assert padded.copies == (("packing",),)
    with pytest.raises(BufferError):
        hurray.from_dlpack(Handmade(np.zeros(4, np.uint8), (4,), None, (0, 4, 1), flags=4), copy=False)
    with pytest.raises(hurray.DLPackError, match="strides"):
        hurray.from_dlpack(Handmade(np.zeros(4, np.uint8), (2, 2), (1, 2), (0, 4, 1)))
    # The flag says nothing of elements that fill their bytes.
    np.testing.assert_array_equal(hurray.from_dlpack(Handmade(floats(), (2,), None, flags=4)).numpy(), [0, 1])


def test_b20_any_byte_but_zero_is_true() -> None:
    source = Handmade(np.array([1, 0, 2, 255], np.uint8), (4,), None, (6, 8, 1))
    np.testing.assert_array_equal(hurray.from_dlpack(source, copy=True).numpy(), [True, False, True, True])


def test_flags() -> None:
    assert hurray.from_dlpack(Handmade(floats(), (2,))).numpy().flags.writeable
    assert not hurray.from_dlpack(Handmade(floats(), (2,), flags=1)).numpy().flags.writeable
    assert not hurray.from_dlpack(Handmade(floats(), (2,), version=None)).numpy().flags.writeable
    assert hurray.from_dlpack(Handmade(floats(), (2,), flags=2)).copies == (("request",),)
    # Bits of a later minor version mean nothing here.
    assert hurray.from_dlpack(Handmade(floats(), (2,), version=(1, 99), flags=1 << 40)).shape == (2,)


@pytest.mark.parametrize("major", [0, 2, 9])
def test_b81_an_unknown_major_version_is_released_at_once(major: int) -> None:
    capsule = Handmade(floats(), (2,), version=(major, 0)).versioned()
    before = load().counts()[1]
    with pytest.raises(hurray.UnsupportedError, match="version") as caught:
        hurray.from_dlpack(capsule)
    assert caught.value.status == -2
    assert load().counts()[1] == before + 1
    assert NAME(capsule) == b"used_dltensor_versioned"


def test_b04_a_capsule_is_consumed_once() -> None:
    for version in (None, (1, 3)):
        capsule = Handmade(floats(), (4,), version=version).versioned()
        first = hurray.from_dlpack(capsule)
        assert NAME(capsule) == (b"used_dltensor" if version is None else b"used_dltensor_versioned")
        with pytest.raises(hurray.CapsuleError, match="consumed before"):
            hurray.from_dlpack(capsule)
        assert first.numpy()[3] == 3.0


def test_b24_one_capsule_for_many_threads_has_one_consumer() -> None:
    for _ in range(100):
        capsule = Handmade(floats(), (4,)).versioned()
        got: list[object] = []
        barrier = threading.Barrier(4)

        def work(capsule: Any = capsule, got: list[object] = got, barrier: Any = barrier) -> None:
            barrier.wait()
            with contextlib.suppress(hurray.CapsuleError):
                got.append(hurray.from_dlpack(capsule))

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(got) == 1


def test_b27_devices_that_are_not_the_hosts() -> None:
    # DLPack's number, and the names here.
    cases = [(2, "cuda"), (10, "rocm"), (8, "metal"), (7, "vulkan")]
    cases += [(15, "webgpu"), (16, "hexagon"), (14, "level_zero"), (4, "opencl")]
    for number, kind in cases:
        tensor = hurray.from_dlpack(Handmade(4096, (2, 2), None, device=(number, 3)))
        assert (tensor.device.kind, tensor.device.device_id) == (kind, 3)
        assert tensor.__dlpack_device__() == (number, 3)
        seen = load().read(tensor.__dlpack__(max_version=(1, 3)))
        assert (seen["device"], seen["address"]) == ((number, 3), 4096)
        with pytest.raises(hurray.UnsupportedError):
            tensor.numpy()
        with pytest.raises(BufferError):
            tensor.__dlpack__(max_version=(1, 3), dl_device=(1, 0))
        with pytest.raises(BufferError):
            hurray.from_dlpack(Handmade(4096, (2, 2), None, device=(number, 3)), copy=True)
    for number, kind in ((3, "cuda"), (13, "cuda"), (11, "rocm")):
        tensor = hurray.from_dlpack(Handmade(floats(), (2, 2), None, device=(number, 0)))
        assert (tensor.device.kind, tensor.numpy()[1, 1]) == (kind, 3.0)
        assert tensor.__dlpack_device__() == load().read(tensor.__dlpack__(max_version=(1, 3)))["device"]
        assert load().read(tensor.__dlpack__(dl_device=(1, 0)))["device"] == (1, 0)
        # Managed memory that the host reads goes out as the host's own.
        assert tensor.__dlpack_device__() == (number if number != 13 else 1, 0)
        if number != 13:
            with pytest.raises(BufferError, match="copy"):
                tensor.__dlpack__(dl_device=(1, 0), copy=False)
    for number in (0, 5, 9, 12, 17, 18, 99, -1):
        with pytest.raises(BufferError, match="device"):
            hurray.from_dlpack(Handmade(floats(), (2,), None, device=(number, 0)))


def test_b28_streams_of_devices() -> None:
    def takes(number: int, stream: int) -> bool:
        tensor = hurray.from_dlpack(Handmade(4096, (2,), None, device=(number, 0)))
        with contextlib.suppress(hurray.DLPackError):
            return bool(NAME(tensor.__dlpack__(stream=stream)) == b"dltensor")
        return False

    assert [takes(2, stream) for stream in (-1, 0, 1, 2, 77)] == [True, False, True, False, False]
    assert [takes(10, stream) for stream in (-1, 0, 1, 2, 77)] == [True, True, False, False, False]
    assert [takes(8, stream) for stream in (-1, 0, 1)] == [True, False, False]


def test_b29_data_anywhere() -> None:
    memory = np.zeros(64, np.uint8)
    start = memory.ctypes.data + -memory.ctypes.data % 16
    for shift in (8, 1):
        source = np.frombuffer(memory, np.uint8, 32, start + shift - memory.ctypes.data)
        source[:] = np.frombuffer(np.arange(4.0).tobytes(), np.uint8)
        tensor = hurray.from_dlpack(Handmade(source, (4,), None, (2, 64, 1)))
        there = tensor.numpy()
        assert (there.ctypes.data, there.flags.aligned) == (start + shift, shift == 8)
        np.testing.assert_array_equal(there, np.arange(4.0))
        assert hurray.from_dlpack(tensor, copy=True).numpy().flags.aligned


def test_b21_a_deleter_runs_on_any_thread_and_after_the_interpreter() -> None:
    array = np.arange(3.0)
    reference = weakref.ref(array)
    load().release_on_thread(hurray.from_numpy(array).__dlpack__(max_version=(1, 3)))
    del array
    gc.collect()
    assert reference() is None
    code = """
        import sys
        sys.path.insert(0, sys.argv[1])
        import hurray, numpy as np
        from handmade import load
        load().release_at_exit(hurray.from_numpy(np.arange(3.0)).__dlpack__(max_version=(1, 3)))
        class Held: pass
        held = Held()
        held.capsule = hurray.from_numpy(np.arange(5.0)).__dlpack__()
        held.view = np.from_dlpack(hurray.from_numpy(np.arange(5.0)))
        sys.held = held
        held.itself = held
        print("ready")
    """
    command = [sys.executable, "-X", "faulthandler", "-c", textwrap.dedent(code), str(Path(__file__).parent)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "ready\n", "")


def test_the_producer_is_released_with_the_last_view() -> None:
    array = floats()
    reference = weakref.ref(array)
    view = hurray.from_dlpack(Handmade(array, (4,))).numpy()
    del array
    gc.collect()
    assert reference() is not None
    assert view[2] == 2.0
    del view
    gc.collect()
    assert reference() is None


class Old(Handmade):
    """A producer of an older protocol: it knows just these keywords."""

    def __init__(self, *known: str, **fields: Any) -> None:
        super().__init__(floats(), (4,), **fields)
        self.known = known
        self.calls: list[dict[str, Any]] = []

    def __dlpack__(self, **words: Any) -> Any:
        self.calls.append(words)
        for word in words:
            if word not in self.known:
                raise TypeError(f"__dlpack__() got an unexpected keyword argument '{word}'")
        return self.versioned()


def test_b03_b26_keywords_are_offered_and_taken_back_one_by_one() -> None:
    new = Old("max_version", "copy", "dl_device", "stream")
    assert hurray.from_dlpack(new, copy=False).shape == (4,)
    assert new.calls == [{"max_version": (1, 3), "copy": False}]
    bare = Old(version=None)
    assert hurray.from_dlpack(bare).shape == (4,)
    assert bare.calls == [{"max_version": (1, 3)}, {}]
    without_copy = Old("max_version", "stream")
    tensor = hurray.from_dlpack(without_copy, copy=True)
    assert without_copy.calls == [{"max_version": (1, 3), "copy": True}, {"max_version": (1, 3)}]
    assert tensor.numpy().ctypes.data != without_copy.data.ctypes.data
    assert hurray.from_dlpack(Old("stream", version=None), copy=False).shape == (4,)
    # It knows the word and returns the old struct all the same.
    assert hurray.from_dlpack(Old("max_version", version=None)).shape == (4,)
    assert hurray.from_dlpack(Old("max_version"), device="cpu").shape == (4,)


def test_b26_a_producer_that_says_nothing_of_the_keyword() -> None:
    class Silent(Old):
        def __dlpack__(self, **words: Any) -> Any:
            if words:
                raise TypeError("incompatible function arguments")
            return self.versioned()

    assert hurray.from_dlpack(Silent(), copy=True).copies == (("request",),)


def test_b26_a_move_that_was_asked_for_is_never_left_out() -> None:
    far = Old("max_version", "stream", device=(2, 0))
    with pytest.raises(BufferError, match="move"):
        hurray.from_dlpack(far, device="cpu")
    assert hurray.from_dlpack(Old("max_version", device=(2, 0)), device="cuda").device.kind == "cuda"

    class Mover(Old):
        def __dlpack__(self, **words: Any) -> Any:
            assert words["dl_device"] == (1, 0)
            self.device = (1, 0)
            return self.versioned()

    assert hurray.from_dlpack(Mover(device=(2, 0)), device="cpu").numpy()[3] == 3.0


def test_copies_of_others_are_believed_when_they_are_flagged() -> None:
    there = Old("max_version", "copy", flags=2)
    assert hurray.from_dlpack(there, copy=True).numpy().ctypes.data == there.data.ctypes.data
    unflagged = Old("max_version", "copy")
    assert hurray.from_dlpack(unflagged, copy=True).numpy().ctypes.data != unflagged.data.ctypes.data
    with pytest.raises(BufferError):
        hurray.from_dlpack(Old("max_version", flags=2), copy=False)
    truths = Old("max_version", "copy", flags=2, dtype=(6, 8, 1))
    assert hurray.from_dlpack(truths, copy=True).dtype == hurray.bool


def test_a_producers_own_errors_are_heard() -> None:
    class Broken(Handmade):
        def __dlpack__(self, **_: Any) -> Any:
            raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        hurray.from_dlpack(Broken(floats(), (4,)))

    class Wrong(Handmade):
        def __dlpack__(self, **_: Any) -> Any:
            return 7

    with pytest.raises(TypeError, match="int"):
        hurray.from_dlpack(Wrong(floats(), (4,)))


class Conjugated(Handmade):
    """As torch: a lazily conjugated tensor holds other values than it means, and refuses to be exported as it is."""

    def __dlpack__(self, **_: Any) -> Any:
        raise BufferError("Can't export tensors with the conjugate bit set; use tensor.resolve_conj()")

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        raise AssertionError("no other way is tried")

    def resolve_conj(self) -> Handmade:
        return Handmade(np.conj(self.data), self.shape, None, self.dtype)


def test_b38_what_is_lazily_conjugated_is_refused_or_taken_as_it_is_meant(tmp_path: Path) -> None:
    lazy = Conjugated(np.array([1 + 2j], np.complex64), (1,), None, (5, 64, 1))
    path = tmp_path / "lazy.hrry"
    for copy in (None, True, False):
        with pytest.raises(BufferError, match="conjugate bit"):
            hurray.from_dlpack(lazy, copy=copy)
        with pytest.raises(BufferError, match="conjugate bit"):
            hurray.asarray(lazy, copy=copy)
    with pytest.raises(BufferError, match="conjugate bit"):
        hurray.save(path, {"x": lazy})
    assert not path.exists()
    hurray.save(path, {"x": lazy.resolve_conj()})
    found = hurray.load(path)["x"]
    assert isinstance(found, hurray.Tensor)
    assert found.numpy()[0] == 1 - 2j
    if importlib.util.find_spec("torch"):
        torch = importlib.import_module("torch")
        theirs = torch.tensor([1 + 2j]).conj()
        with pytest.raises((BufferError, RuntimeError), match="conj"):
            hurray.from_dlpack(theirs)


def test_jax_reads_what_is_made_by_hand() -> None:
    tensor = hurray.from_dlpack(Handmade(floats(), (4, 3), (3, 1)))
    np.testing.assert_array_equal(np.asarray(jax.numpy.from_dlpack(tensor)), np.arange(12).reshape(4, 3))
    assert load().read(tensor.__dlpack__())["dtype"] == FLOAT32
