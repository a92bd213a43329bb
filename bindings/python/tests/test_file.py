"""Files: every way in and out, lifetimes, metadata, composites, the commands."""

from __future__ import annotations

import errno
import gc
import io
import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import hurray
import numpy as np
import pytest
from hurray.__main__ import main


def array(tensor: object) -> np.ndarray[Any, Any]:
    assert isinstance(tensor, hurray.Tensor)
    return tensor.numpy()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file with two arrays and metadata."""
    made = tmp_path / "a.hrry"
    hurray.save(made, {"x": np.arange(6.0).reshape(2, 3), "y": np.array([True, False])}, kv={"step": 7})
    return made


def test_every_way_in(path: Path) -> None:
    data = path.read_bytes()
    with path.open("rb") as opened:
        sources: list[Any] = [path, str(path), data, bytearray(data), memoryview(data), np.frombuffer(data, np.uint8)]
        sources += [opened.fileno(), opened, io.BytesIO(data)]
        for source in sources:
            with hurray.open(source) as file:
                assert list(file) == ["x", "y"]
                assert len(file) == 2
                assert "x" in file
                assert "z" not in file
                np.testing.assert_array_equal(array(file["x"]), np.arange(6.0).reshape(2, 3))
                np.testing.assert_array_equal(array(file["y"]), [True, False])
                assert file.kv == {"step": 7}


def test_modes(path: Path) -> None:
    before = path.read_bytes()
    read_only = array(hurray.open(path)["x"])
    assert not read_only.flags.writeable
    for mode in ("c", "copy"):
        ours = array(hurray.open(path, mode=mode)["x"])
        ours[0, 0] = 99
    assert path.read_bytes() == before
    np.testing.assert_array_equal(read_only, np.arange(6.0).reshape(2, 3))


def test_arrays_outlive_their_file(path: Path) -> None:
    file = hurray.open(path)
    view = array(file["x"])
    file.close()
    assert file.closed
    del file
    gc.collect()
    np.testing.assert_array_equal(view, np.arange(6.0).reshape(2, 3))
    with hurray.open(path) as closed:
        pass
    with pytest.raises(hurray.InvalidArgumentError):
        list(closed)


def test_saving_over_the_mapped_file(path: Path) -> None:
    with hurray.open(path) as file:
        view = array(file["x"])
        hurray.save(path, {**file, "z": view})
    np.testing.assert_array_equal(view, np.arange(6.0).reshape(2, 3))
    assert list(hurray.load(path)) == ["x", "y", "z"]


def test_load(path: Path) -> None:
    assert list(hurray.load(path)) == ["x", "y"]
    assert list(hurray.load(path, names=["y"])) == ["y"]
    assert hurray.load_kv(path) == {"step": 7}
    with pytest.raises(hurray.FileError, match="'z'"):
        hurray.load(path, names=["z"])
    with pytest.raises(KeyError):
        hurray.open(path)["z"]


def test_strided_arrays_are_saved_by_their_elements(tmp_path: Path) -> None:
    big = np.arange(4_000_000, dtype=np.float64).reshape(2000, 2000)
    path = tmp_path / "s.hrry"
    views = {"step": big[::100, ::50], "fortran": np.asfortranarray(big[:7, :5]), "reversed": big[0, ::-1]}
    hurray.save(path, views)
    assert path.stat().st_size < 100_000
    for name, view in views.items():
        np.testing.assert_array_equal(array(hurray.open(path)[name]), view)


VALUES = {
    "b": True,
    "i": -(2**63),
    "u": 2**64 - 1,
    "f": 0.1,
    "s": "é",
    "y": b"\x00\xff",
    "bs": [True, False],
    "is": [1, -2],
    "us": [1, 2**64 - 1],
    "fs": [0.5, -1.0],
    "ss": ["", "a"],
    "ys": [b"", b"\x01"],
}


def test_every_kind_of_metadata() -> None:
    empty = {
        f"empty {kind}": hurray.KvArray(kind) for kind in ("bool", "int64", "uint64", "float64", "string", "bytes")
    }
    out = io.BytesIO()
    hurray.save(out, {}, kv=VALUES | empty)
    with hurray.open(out.getvalue(), verify=True) as file:
        assert file.kv == VALUES | empty
        kinds = {key: value.kind for key, value in file.kv.items() if isinstance(value, hurray.KvArray)}
    assert {key: kinds[key] for key in empty} == {key: value.kind for key, value in empty.items()}
    assert [kinds[key] for key in ("bs", "is", "us", "fs", "ss", "ys")] == [value.kind for value in empty.values()]


@pytest.mark.parametrize(
    ("value", "error"),
    [(2**64, OverflowError), ([], ValueError), ([1, "a"], TypeError), (object(), TypeError), ([1, 2.0], TypeError)],
)
def test_metadata_that_has_no_type(value: object, error: type[Exception]) -> None:
    with pytest.raises(error):
        hurray.save(io.BytesIO(), {}, kv={"k": value})


def test_numpy_metadata() -> None:
    out = io.BytesIO()
    hurray.save(out, {}, kv={"u": np.uint8(3), "a": np.array([], np.float32), "t": np.bool_(True)})
    kv = hurray.open(out.getvalue()).kv
    assert kv == {"u": 3, "a": [], "t": True}
    assert kv["a"].kind == "float64"


def test_composites(tmp_path: Path) -> None:
    halves = [
        hurray.Tensor(np.array(part, np.float32), "float32", (2,), shard=hurray.Shard((4,), (offset,)))
        for part, offset in (([1, 2], 0), ([3, 4], 2))
    ]
    whole = hurray.Composite("partition", shape=(4,), dtype="float32", members=halves)
    assert whole.shape == (4,)
    assert whole.member_count == len(whole) == 2
    assert whole.dtype == hurray.float32
    assert whole.member_roles == [None, None]
    assert whole.ndim == 1
    assert whole.layout.name == "composite"
    path = tmp_path / "c.hrry"
    hurray.save(path, {"w": whole, "x": np.zeros(2)})
    with hurray.open(path) as file:
        assert list(file) == ["w", "x"]
        assert file.names == ["w", "w.0", "w.1", "x"]
        back = file["w"]
        assert isinstance(back, hurray.Composite)
        assert back.descriptor == whole.descriptor
        np.testing.assert_array_equal(array(back.members[1]), np.array([3, 4]))
        np.testing.assert_array_equal(array(file["w.0"]), np.array([1, 2]))
    with pytest.raises(hurray.HurrayError, match="V-166"):
        hurray.Composite("partition", shape=(4,), dtype="float32", members=halves[:1])
    with pytest.raises(TypeError):
        hurray.Composite("group", shape=(), dtype="float32", members=[np.zeros(1)])  # type: ignore[list-item]


class Broken(io.RawIOBase):
    """A source and target that fails."""

    def seek(self, offset: int, whence: int = 0) -> int:
        return 1000

    def read(self, size: int = -1) -> bytes:
        raise ZeroDivisionError("in read")

    def write(self, data: Any) -> int:
        raise ZeroDivisionError("in write")


def test_what_a_callback_raises_is_raised_again() -> None:
    with pytest.raises(ZeroDivisionError, match="in read"):
        hurray.open(Broken())
    with pytest.raises(ZeroDivisionError, match="in write"):
        hurray.save(Broken(), {"x": np.zeros(3)})


def test_a_raw_target_that_takes_nothing_is_an_error() -> None:
    class Full(io.RawIOBase):
        def write(self, data: Any) -> int | None:
            return None

    with pytest.raises(BlockingIOError, match="takes nothing"):
        hurray.save(Full(), {"x": np.zeros(3)})


def test_an_object_that_ends_early_is_a_file_error() -> None:
    class Short(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            return b""

    with pytest.raises(hurray.FileError, match="the file ends before its bytes do"):
        hurray.open(Short(bytes(200)))


def test_errors_say_what_and_where(path: Path, tmp_path: Path) -> None:
    with pytest.raises(hurray.FileError) as caught:
        hurray.open(tmp_path / "none")
    assert caught.value.errno == 2
    assert isinstance(caught.value, FileNotFoundError)
    assert caught.value.filename == str(tmp_path / "none")
    with pytest.raises(FileNotFoundError):
        hurray.save(tmp_path / "none" / "file", {"x": np.zeros(1)})
    with pytest.raises(IsADirectoryError):
        hurray.open(tmp_path)
    with pytest.raises(KeyError, match="no tensor named 'none'"):
        hurray.open(path)["none"]
    with pytest.raises(hurray.FileError, match="F-011"):
        hurray.open(path.read_bytes()[:-1])
    with pytest.raises(hurray.FileError, match="F-034"):
        hurray.save(
            io.BytesIO(),
            {"x": hurray.Composite("group", shape=(), dtype="int8", members=[hurray.asarray([1])]), "x.0": [1]},
        )
    assert os.listdir(tmp_path) == ["a.hrry"]


def test_parts_are_read_alone(path: Path) -> None:
    with hurray.open(path) as file:
        assert file.read("x", 8, 16) == np.array([1.0, 2.0]).tobytes()
        assert file.range("x") == (4096, 48)
        assert file.descriptor("x").shape == (2, 3)
        file.advise("sequential")
        file.advise("willneed", "x")
        with pytest.raises(ValueError, match="no advice"):
            file.advise("loudly")  # type: ignore[arg-type]
        with pytest.raises(hurray.IndexOutOfBoundsError):
            file.read("x", 47, 2)


def test_threads_share_a_file(path: Path) -> None:
    failures: list[BaseException] = []
    with hurray.open(path) as file:

        def work() -> None:
            try:
                for _ in range(200):
                    assert array(file["x"])[1, 2] == 5.0
                    assert list(file) == ["x", "y"]
            except BaseException as error:
                failures.append(error)

        threads = [threading.Thread(target=work) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert failures == []


def test_inspect(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["inspect", str(path)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "'x': float64 2 x 3, row_major, 48 bytes at 4096",
        "'y': bool 2, row_major, 1 bytes at 8192",
        "'step' = 7",
    ]
    assert main(["inspect", str(path), "--json"]) == 0
    listing = json.loads(capsys.readouterr().out)
    assert listing["kv"] == {"step": 7}
    assert listing["entries"][0]["shape"] == [2, 3]
    assert main(["inspect", str(path), "x"]) == 0
    table = capsys.readouterr().out.splitlines()
    assert table[0].split() == ["000000", "48", "52", "52", "59", "magic"]
    assert any(line.endswith("shape[1] = 3") for line in table)
    assert main(["inspect", str(path), "z"]) == 1
    assert main(["inspect", str(path) + "?"]) == 2


def test_inspect_of_a_file_with_one_broken_descriptor(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = path.with_name("bad.hrry")
    data = bytearray(path.read_bytes())
    data[64] = 0
    bad.write_bytes(data)
    assert main(["inspect", str(bad)]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "'x': F-044: not a descriptor: entries[0], at byte 64",
        "'y': bool 2, row_major, 1 bytes at 8192",
        "'step' = 7",
    ]
    assert main(["inspect", str(bad), "--json"]) == 1
    assert "F-044" in json.loads(capsys.readouterr().out)["entries"][0]["error"]


def test_json_of_metadata_is_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def refuse(constant: str) -> None:
        raise ValueError(f"{constant} is not JSON")

    kv = {"n": [float("nan"), 1.5], "i": float("-inf"), "b": b"\x00\xff", "e": hurray.KvArray("uint64")}
    hurray.save(tmp_path / "kv.hrry", {}, kv=kv)
    assert main(["inspect", "--json", str(tmp_path / "kv.hrry")]) == 0
    listing = json.loads(capsys.readouterr().out, parse_constant=refuse)
    assert listing["kv"] == {"n": ["nan", 1.5], "i": "-inf", "b": "00ff", "e": []}
    assert listing["kv_types"] == {"n": "float64", "i": "float64", "b": "bytes", "e": "uint64"}


def test_what_is_no_file(path: Path) -> None:
    for source in (None, 1.5, object()):
        with pytest.raises(TypeError, match="no path, descriptor, bytes or seekable object"):
            hurray.open(source)
    with pytest.raises(ValueError, match="mode is 'r', 'c', 'copy', not 'w'"):
        hurray.open(path, mode="w")  # type: ignore[arg-type]
    for target in (None, 3):
        with pytest.raises(TypeError, match="no path or writable object"):
            hurray.save(target, {})


def test_verify(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = path.with_name("bad.hrry")
    data = bytearray(path.read_bytes())
    data[4000] = 1
    bad.write_bytes(data)
    assert main(["verify", str(path)]) == 0
    assert main(["verify", str(path), str(bad)]) == 1
    out = capsys.readouterr().out
    assert "ok, 2 entries" in out
    assert "bad.hrry: F-049" in out
    assert "at byte 4000" in out
    assert main(["verify", "--json", str(bad), str(path) + "?"]) == 2
    assert [one["ok"] for one in json.loads(capsys.readouterr().out)] == [False, False]


def test_the_command_line(path: Path) -> None:
    done = subprocess.run([sys.executable, "-m", "hurray", "verify", str(path)], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert subprocess.run([sys.executable, "-m", "hurray"], capture_output=True).returncode == 2
    with open("/dev/full", "w") as full:
        command = [sys.executable, "-m", "hurray", "inspect", str(path)]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2
    assert done.stderr == "the output cannot be written: [Errno 28] No space left on device\n"


def every_type() -> list[hurray.Tensor]:
    """A tensor of shape (2, 7) of each type that the format has, of bytes that are all different."""
    made = []
    for tag in range(0xF0):
        try:
            dtype = hurray.Dtype.from_tag(tag)
        except ValueError:
            continue
        # Six-bit elements are packed by fours; the last byte of narrower ones has no bits left over.
        size = 12 if dtype.bit_width == 6 else -(-14 * dtype.bit_width // 8)
        data = np.arange(1, size + 1, dtype=np.uint8)
        if 14 * dtype.bit_width % 8 and dtype.bit_width != 6:
            data[-1] &= (1 << 14 * dtype.bit_width % 8) - 1
        made.append(hurray.Tensor(data, dtype, (2, 7)))
    return made


def test_b20_b33_b34_b36_b37_every_type_by_every_way(tmp_path: Path) -> None:
    tensors = {one.dtype.name: one for one in every_type()}
    assert len(tensors) == 26
    path = tmp_path / "types.hrry"
    hurray.save(path, tensors)
    out = hurray.StreamWriter()
    out.write_many(tensors.values())
    streamed = dict(zip(tensors, hurray.StreamReader(out.getvalue()), strict=True))
    ways = [
        hurray.open(path),
        hurray.open(path, mode="copy"),
        hurray.open(path.read_bytes()),
        hurray.open(io.BytesIO(path.read_bytes())),
    ]
    for found in [*({name: file[name] for name in file} for file in ways), streamed]:
        assert list(found) == list(tensors)
        for name, one in found.items():
            assert isinstance(one, hurray.Tensor)
            assert (one.dtype, one.shape, one.nbytes) == (tensors[name].dtype, (2, 7), tensors[name].nbytes)
            assert bytes(one.buffer(0)) == bytes(tensors[name].buffer(0))


def test_b40_every_wide_type_is_read_in_the_order_of_the_format() -> None:
    """Descriptor, section 1: all numbers are little-endian. Bytes by hand, in one file; the last one is the highest."""
    wanted: dict[str, tuple[bytes, Any]] = {
        "int16": (b"\x02\x81", -32510),
        "uint16": (b"\x02\x81", 0x8102),
        "float16": (b"\x00\x3e", 1.5),
        "bfloat16": (b"\xc0\x3f", 1.5),
        "int32": (b"\x04\x03\x02\x81", -0x7EFDFCFC),
        "uint32": (b"\x04\x03\x02\x01", 0x01020304),
        "float32": (b"\x00\x00\xc0\x3f", 1.5),
        "int64": (b"\x08\x07\x06\x05\x04\x03\x02\x01", 0x0102030405060708),
        "uint64": (b"\x08\x07\x06\x05\x04\x03\x02\xff", 0xFF02030405060708),
        "float64": (b"\x00" * 6 + b"\xf8\x3f", 1.5),
        "complex64": (b"\x00\x00\xc0\x3f\x00\x00\x00\xc0", 1.5 - 2j),
        "complex128": (b"\x00" * 6 + b"\xf8\x3f" + b"\x00" * 7 + b"\xc0", 1.5 - 2j),
        "int8": (b"\x81", -127),
        "uint8": (b"\x81", 129),
    }
    out = io.BytesIO()
    hurray.save(out, {name: hurray.Tensor(data, name, (1,)) for name, (data, _) in wanted.items()})
    file = hurray.open(out.getvalue())
    for name, (data, value) in wanted.items():
        offset, length = file.range(name)
        assert out.getvalue()[offset : offset + length] == data
        assert array(file[name])[0] == value
    # The library is for little-endian machines, and does not compile for others.
    text = (Path(__file__).parents[3] / "hurray-ffi" / "src" / "lib.rs").read_text()
    assert 'target_endian = "little"' in text
    assert "compile_error!" in text


@pytest.mark.parametrize("code", ["i2", "u2", "f2", "i4", "u4", "f4", "c8", "i8", "u8", "f8", "c16"])
def test_b40_byte_swapped_numbers_are_stored_the_formats_way(code: str) -> None:
    swapped = np.array([1, 2, 300, 7]).astype(f">{code}")
    out = io.BytesIO()
    hurray.save(out, {"x": swapped})
    with hurray.open(out.getvalue()) as file:
        assert file.read("x", 0, swapped.nbytes) == swapped.astype(f"<{code}").tobytes()
        np.testing.assert_array_equal(array(file["x"]), swapped)


def test_b08_an_empty_cache_goes_through_file_and_stream(tmp_path: Path) -> None:
    cache = np.empty((1, 8, 0, 128), np.float32)
    hurray.save(tmp_path / "cache.hrry", {"kv": cache})
    out = hurray.StreamWriter()
    out.write(cache)
    for found in (hurray.load(tmp_path / "cache.hrry")["kv"], *hurray.StreamReader(out.getvalue())):
        assert array(found).shape == (1, 8, 0, 128)


def test_b93_other_threads_run_while_a_file_is_written(tmp_path: Path) -> None:
    # The reader of the pipe is this thread: it could not run if the writer kept the interpreter for itself.
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    values = np.arange(500_000)
    thread = threading.Thread(target=hurray.save, args=(fifo, {"x": values}))
    thread.start()
    data = fifo.read_bytes()
    thread.join()
    np.testing.assert_array_equal(array(hurray.open(data)["x"]), values)


MEMORY = """
import sys, hurray, numpy as np
# The system's own count of this program alone: that of getrusage begins with what the parent had.
peak = lambda: int(next(line for line in open("/proc/self/status") if line.startswith("VmHWM")).split()[1]) >> 10
raw = np.ones((64 << 20) + 4096, np.uint8)
hurray.save(sys.argv[1], {"x": raw[:4096]}, durable=False)
before = peak()
for start in (0, 4, 64, 1028):
    array = raw[start : start + (64 << 20)].view(np.float32)
    hurray.save(sys.argv[1], {"x": array}, durable=False)
saved = peak()
hurray.open(sys.argv[1], mode="copy")["x"].numpy()
print(saved - before, peak() - saved)
"""


def test_a_save_takes_no_memory_and_a_load_that_of_the_tensor(tmp_path: Path) -> None:
    command = [sys.executable, "-c", MEMORY, str(tmp_path / "large.hrry")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    saved, loaded = map(int, done.stdout.split())
    assert saved <= 4
    assert 60 <= loaded <= 64 + 4


def test_a_callback_without_space_is_an_error_of_the_system() -> None:
    class Full:
        def write(self, data: bytes) -> int:
            raise OSError(errno.ENOSPC, "no space")

    with pytest.raises(OSError, match="no space") as caught:
        hurray.save(Full(), {"x": np.zeros(3)})
    assert caught.value.errno == errno.ENOSPC
