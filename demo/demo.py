"""Real weights go Python -> C++ -> Python through one handle, and nothing is copied on the way.

Every tensor of a model's file is wrapped where the file is mapped; two are quantized and one is made sparse. Each is
handed to a C++ module, which reads it through the C interface and computes a checksum. The module makes tensors of its
own, which Python checks. A sparse, a tiled and a four-bit form of one matrix become dense in one call each. One line a
tensor; the exit code is 1 if any of them fails.

    make demo                        the weights of silero-vad (1.2 MB)
    make demo DEMO_MODEL=minilm      those of all-MiniLM-L6-v2 (91 MB)
"""

from __future__ import annotations

import gc
import os
import sys
import time
import weakref
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import consumer
import hurray
import numpy as np
import numpy.typing as npt
import scipy.sparse  # type: ignore[import-untyped]
import weights

Array = npt.NDArray[Any]


class Exported:
    """A capsule as an object that exports it."""

    def __init__(self, capsule: Any) -> None:
        self.capsule = capsule

    def __hurray__(self, stream: int | None = None) -> Any:
        return self.capsule


class Owners:
    """Counts the arrays that tensors were made of, and those that are gone."""

    def __init__(self) -> None:
        self.made = self.released = 0

    def watch(self, array: Array) -> Array:
        """Counts an array in, and later out."""
        self.made += 1
        weakref.finalize(array, self._release)
        return array

    def _release(self) -> None:
        self.released += 1


@dataclass
class Line:
    """One line of the table."""

    name: str
    type: str
    shape: tuple[int, ...]
    layout: str
    scheme: str
    nbytes: int
    copied_to_wrap: int
    copied_by_hand_off: int
    faults: list[str] = field(default_factory=list)

    def expect(self, what: str, found: object, wanted: object) -> None:
        """Notes a difference."""
        if found != wanted:
            self.faults.append(f"{what} is {found!r}, not {wanted!r}")


def crc32(parts: Iterable[bytes]) -> int:
    """The CRC-32 of bytes, one after another."""
    value = 0
    for part in parts:
        value = zlib.crc32(part, value)
    return value


def hand_off(cpp: Any, name: str, tensor: hurray.Tensor, parts: list[Array], may_copy: bool) -> tuple[Line, Any]:
    """Hands a tensor to C++ and holds what that read against what Python knows. ``parts`` are the logical arrays."""
    seen = cpp.inspect(tensor)
    scheme = tensor.quantization
    # A buffer that the consumer sees at another address was copied on the way.
    moved = sum(
        one["byte_size"]
        for index, one in enumerate(seen["buffers"])
        if one["address"] + one["lead"] != tensor.buffer(index).ctypes.data and one["byte_size"]
    )
    line = Line(
        name,
        tensor.dtype.name,
        tensor.shape,
        tensor.layout.name,
        "-" if scheme is None else scheme.name,
        tensor.nbytes,
        tensor.copied_bytes,
        moved,
    )
    line.expect("C ABI version", seen["abi_version"], 10)
    line.expect("element type", seen["element_type"], tensor.dtype.name)
    line.expect("shape", tuple(seen["shape"]), tensor.shape)
    line.expect("layout", seen["layout"], tensor.layout.name)
    line.expect("byte offset", seen["byte_offset"], tensor.byte_offset)
    line.expect("buffers", len(seen["buffers"]), tensor.buffer_count)
    line.expect("why copied", tuple(tuple(one["copied"]) for one in seen["buffers"]), tensor.copies)
    line.expect("read-only", seen["buffers"][0]["read_only"], not tensor.buffer(0).flags.writeable)
    line.expect("scheme", seen["quantization"] and seen["quantization"]["scheme"], scheme and scheme.name)
    bytes_of = [np.ascontiguousarray(part).tobytes() for part in parts]
    line.expect("bytes hashed", seen["nbytes"], sum(map(len, bytes_of)))
    line.expect("checksum", seen["checksum"], crc32(bytes_of))
    line.expect("bytes copied by the hand-off", moved, 0)
    if not may_copy:
        line.expect("bytes copied to wrap", tensor.copied_bytes, 0)
    return line, seen


def dense(cpp: Any, arrays: dict[str, Array], owners: Owners) -> list[Line]:
    """Step 1: every tensor of the file, in place."""
    lines = []
    for name, array in arrays.items():
        tensor = hurray.from_numpy(owners.watch(array[...]))
        lines.append(hand_off(cpp, name, tensor, [array], may_copy=False)[0])
    return lines


def quantized(cpp: Any, name: str, array: Array, owners: Owners) -> Line:
    """Step 2: one tensor as int8 codes with a scale for each index of axis 0."""
    flat = array.reshape(len(array), -1)
    scales = (np.abs(flat).max(axis=1) / 127).astype(np.float32)
    scales[scales == 0] = 1
    codes = np.clip(np.round(flat / scales[:, None]), -127, 127).astype(np.int8).reshape(array.shape)
    tensor = hurray.from_numpy(
        owners.watch(codes),
        quantization=hurray.PerChannelAffine.symmetric(0),
        aux_buffers=[owners.watch(scales)],
    )
    line, seen = hand_off(cpp, f"{name} as int8", tensor, [codes, scales], may_copy=True)
    line.expect("copied to wrap", tensor.copies[0], ())
    line.expect("axis", seen["quantization"]["axis"], 0)
    line.expect("zero points", seen["quantization"]["zero_point_buffer"], None)
    last = tuple(extent - 1 for extent in array.shape)
    value = float(scales[-1] * np.float32(codes[last]))
    line.expect("dequantized element", seen["dequantized"], (last, value))
    return line


def pruned(cpp: Any, name: str, array: Array, owners: Owners) -> Line:
    """Step 2: one matrix as CSR, its smaller nine tenths left out."""
    keep = np.abs(array) >= np.quantile(np.abs(array), 0.9)
    matrix = scipy.sparse.csr_array(np.where(keep, array, 0))
    for part in (matrix.data, matrix.indices, matrix.indptr):
        owners.watch(part)
    tensor = hurray.from_scipy(matrix)
    parts = [matrix.data, matrix.indices.astype("<u8"), matrix.indptr.astype("<u8")]
    line, seen = hand_off(cpp, f"{name} pruned", tensor, parts, may_copy=True)
    # What the format forces: 64-bit indices, and values on a 64-byte boundary.
    line.expect("why indices were copied", tensor.copies[1:], (("width",), ("width",)))
    forced = parts[1].nbytes + parts[2].nbytes + (parts[0].nbytes if parts[0].ctypes.data % 64 else 0)
    line.expect("bytes copied to wrap", tensor.copied_bytes, forced)
    middle = matrix.nnz // 2
    row = int(np.searchsorted(matrix.indptr, middle, side="right")) - 1
    value = float(matrix.data[middle])
    line.expect("sparse entry", seen["sparse"], ((row, int(matrix.indices[middle])), value))
    back = tensor.to_scipy()
    line.expect("entries that differ", (back != matrix).nnz, 0)
    return line


def made_in_cpp(cpp: Any) -> list[Line]:
    """Step 4: what C++ made, checked with numpy and scipy."""
    lines = []
    for kind in ("strided", "quantized", "csr"):
        tensor = hurray.from_hurray(Exported(cpp.make(kind)))
        scheme = tensor.quantization
        row = (kind, tensor.dtype.name, tensor.shape, tensor.layout.name, "-" if scheme is None else scheme.name)
        line = Line(f"C++ {row[0]}", *row[1:], tensor.nbytes, tensor.copied_bytes, 0)
        if kind == "strided":
            array = tensor.numpy()
            line.expect("strides", array.strides, (4, 16))
            wanted = 10 * np.arange(3, dtype=np.float32)[:, None] + np.arange(4, dtype=np.float32)
            line.expect("elements", array.tolist(), wanted.tolist())
        elif kind == "quantized":
            rows, columns = np.arange(4)[:, None], np.arange(3)
            line.expect("codes", tensor.numpy().tolist(), (10 * rows - 5 * columns - 7).tolist())
            line.expect("scales", tensor.scales.tolist(), [0.5, 0.25, 2.0, 0.125])
            line.expect("scheme", scheme, hurray.PerChannelAffine.symmetric(0, 1))
        else:
            data, indices, indptr = [1.5, -2, 3.25, 4, 5, -6.5], [0, 3, 1, 0, 2, 4], [0, 2, 3, 3, 6]
            wanted = scipy.sparse.csr_array((data, indices, indptr), shape=(4, 5))
            line.expect("entries", tensor.nnz, 6)
            line.expect("entries that differ", (tensor.to_scipy() != wanted).nnz, 0)
        # The view is on the memory that C++ owns: what it says of its buffers is what Python sees.
        line.expect("bytes copied", tensor.copied_bytes, 0)
        lines.append(line)
    return lines


def densified(name: str, matrix: Array, owners: Owners) -> list[Line]:
    """Step 5: sparse, tiled and four-bit forms of one matrix, each a dense float32 tensor in one call."""
    keep = np.abs(matrix) >= np.quantile(np.abs(matrix), 0.9)
    rows = scipy.sparse.csr_array(np.where(keep, matrix, 0))
    for part in (rows.data, rows.indices, rows.indptr):
        owners.watch(part)
    tiled = hurray.from_numpy(owners.watch(matrix[...])).to_layout(hurray.TiledLayout([8, 8]))
    # A float32 scale for each 32 elements of a row, and codes of four bits.
    blocks = matrix.reshape(len(matrix), -1, 32)
    scales = (np.abs(blocks).max(axis=2) / 7).astype(np.float32)
    scales[scales == 0] = 1
    codes = np.clip(np.round(blocks / scales[:, :, None]), -7, 7).astype(np.int8)
    packed = hurray.from_numpy(owners.watch(codes.reshape(matrix.shape))).pack("int4")
    int4 = hurray.Tensor(
        packed.buffer(0),
        "int4",
        matrix.shape,
        quantization=hurray.PerBlockAffine.symmetric(1, 32),
        aux_buffers=[owners.watch(scales.ravel())],
    )
    cases = [
        ("pruned", hurray.from_scipy(rows), rows.toarray()),
        ("in tiles", tiled, matrix),
        ("as int4", int4, (scales[:, :, None] * codes).reshape(matrix.shape)),
    ]
    lines = []
    for what, tensor, wanted in cases:
        there = tensor.contiguous() if tensor.quantization is None else tensor.dequantize()
        scheme = "-" if tensor.quantization is None else tensor.quantization.name
        form = f"{tensor.layout.name} to {there.layout.name}"
        line = Line(f"{name} {what}", tensor.dtype.name, there.shape, form, scheme, tensor.nbytes, 0, 0)
        line.expect("element type", there.dtype, hurray.float32)
        line.expect("layout", there.layout, hurray.RowMajorLayout())
        line.expect("elements that differ", int(np.sum(there.numpy() != wanted)), 0)
        line.expect("bytes written", there.converted_bytes, matrix.nbytes)
        lines.append(line)
    return lines


def table(lines: list[Line]) -> None:
    """Prints the lines, then what was wrong with them."""
    form = "{:<58} {:<9} {:<16} {:<22} {:<18} {:>10} {:>14} {:>13}  {}"
    print(
        form.format(
            "name", "type", "shape", "layout", "quantization", "bytes", "copied to wrap", "by hand-off", "equal"
        )
    )
    for line in lines:
        shape = "x".join(map(str, line.shape))
        numbers = (line.nbytes, line.copied_to_wrap, line.copied_by_hand_off)
        equal = "NO" if line.faults else "yes"
        print(form.format(line.name, line.type, shape, line.layout, line.scheme, *numbers, equal))
    for line in lines:
        for fault in line.faults:
            print(f"{line.name}: {fault}")


def run(cpp: Any, name: str, owners: Owners) -> list[Line]:
    """All steps; nothing of it lives on when this returns."""
    arrays = weights.load(weights.fetch(name))
    lines = dense(cpp, arrays, owners)
    floats = [one for one in arrays if arrays[one].dtype == np.float32 and arrays[one].size <= 1 << 21]
    largest = sorted((one for one in floats if arrays[one].ndim >= 2), key=lambda one: -arrays[one].size)
    matrix = next(one for one in largest if arrays[one].ndim == 2)
    for one in [one for one in largest if one != matrix][:2]:
        lines.append(quantized(cpp, one, arrays[one], owners))
    lines.append(pruned(cpp, matrix, arrays[matrix], owners))
    lines += made_in_cpp(cpp)
    lines += densified(matrix, arrays[matrix], owners)
    return lines


def main() -> int:
    """The whole job; 0 if every line holds."""
    started = time.monotonic()
    cpp = consumer.load(weights.ROOT / "build" / "demo")
    owners = Owners()
    lines = run(cpp, os.environ.get("DEMO_MODEL", "silero"), owners)
    gc.collect()
    table(lines)
    made, released = (mine + theirs for mine, theirs in zip((owners.made, owners.released), cpp.owners(), strict=True))
    live = (hurray.live_handles(), cpp.live_handles())
    print(f"live handles: {live[0]} in Python's library, {live[1]} in the consumer's")
    print(f"owners released: {released} of {made}")
    failed = sum(bool(line.faults) for line in lines) + (released != made) + any(live)
    print(f"{len(lines)} tensors in {time.monotonic() - started:.1f} s: {'all hold' if not failed else 'FAILED'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
