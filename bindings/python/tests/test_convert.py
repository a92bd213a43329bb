"""Layouts converted into each other, against formulas written down from the format and against numpy."""

from __future__ import annotations

import threading
from typing import Any

import formulas
import hurray
import ml_dtypes
import numpy as np
import pytest

TYPES = [
    *("bool", "int2", "uint2", "int4", "uint4", "float4_e2m1", "float6_e2m3", "float6_e3m2"),
    *("int8", "uint8", "float8_e4m3", "float8_e5m2", "float8_e8m0", "int16", "uint16", "float16", "bfloat16"),
    *("int32", "uint32", "float32", "int64", "uint64", "float64", "complex64", "complex128", "float128"),
]
Tiled = hurray.TiledLayout


def layouts(shape: tuple[int, ...]) -> list[hurray.Layout]:
    """Every dense layout that the shape can have, but for strided ones of rank 0."""
    rank = len(shape)
    if rank == 0:
        return [hurray.RowMajorLayout()]
    found: list[hurray.Layout] = [hurray.RowMajorLayout(), hurray.ColMajorLayout()]
    down = [int(np.prod(shape[k + 1 :])) for k in range(rank)]
    found.append(hurray.StridedLayout([-s for s in down]))
    found.append(hurray.StridedLayout([2 * s for s in down]))
    if 0 not in shape:
        found.append(Tiled([2] * rank))
        found.append(Tiled([3] * rank, "column_major", "column_major"))
        found.append(Tiled([4] * rank, "row_major", inner_tiled=Tiled([2] * rank, "column_major", "row_major")))
    bits = [max(1, (n - 1).bit_length()) for n in shape]
    found.append(hurray.MortonLayout(bits))
    if rank >= 2 and len(set(shape)) == 1 and shape[0] in (2, 4, 8):
        found.append(hurray.HilbertLayout(shape[0].bit_length() - 1, rank))
    return found


def codes_of(dtype: hurray.Dtype, count: int, seed: int = 0) -> list[int]:
    random = np.random.default_rng(seed)
    raw = random.integers(0, 256, (count, 16), np.uint8)
    return [int.from_bytes(row.tobytes(), "little") & ((1 << dtype.bit_width) - 1) for row in raw]


def tensor_in(name: str, codes: list[int], layout: hurray.Layout, shape: tuple[int, ...]) -> hurray.Tensor:
    """A tensor of codes that the formulas put into a layout."""
    dtype = hurray.Dtype.from_name(name)
    data, first = formulas.laid_out(codes, dtype.bit_width, layout, shape)
    if first * dtype.bit_width % 8:
        pytest.fail("the element at index zero does not begin with a byte")
    # Tiles and curves declare more than the last element: whole tiles, the curve's own end.
    room = np.zeros(len(data) + 4096 * dtype.bit_width, np.uint8)
    room[: len(data)] = np.frombuffer(data, np.uint8)
    return hurray.Tensor(room, name, shape, layout=layout, byte_offset=first * dtype.bit_width // 8)


def elements(tensor: hurray.Tensor) -> bytes:
    """The bytes of a row-major tensor."""
    return bytes(tensor.numpy(raw=True).tobytes())


SHAPES = [(), (0,), (1,), (7,), (3, 5), (1, 6, 1), (2, 0, 3), (4, 4), (2, 3, 4), (1, 1), (2, 2, 2), (5, 1, 2, 3)]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_every_layout_to_row_major_and_back(shape: tuple[int, ...]) -> None:
    for name in ("uint8", "float32", "complex128"):
        dtype = hurray.Dtype.from_name(name)
        codes = codes_of(dtype, int(np.prod(shape)))
        rows = formulas.packed(codes, dtype.bit_width)
        for layout in layouts(shape):
            source = tensor_in(name, codes, layout, shape)
            there = source.contiguous()
            assert there.layout == hurray.RowMajorLayout()
            assert (there.shape, there.dtype) == (shape, dtype)
            assert elements(there) == rows
            back = there.to_layout(layout, byte_offset=source.byte_offset if "strided" in layout.name else 0)
            assert back.layout == layout or back.converted_bytes == 0
            again = back.contiguous(copy=True)
            assert elements(again) == rows
            assert again.converted_bytes == len(rows)


@pytest.mark.parametrize("name", TYPES)
def test_every_element_type(name: str) -> None:
    dtype = hurray.Dtype.from_name(name)
    for shape in ((3, 5), (4, 4), (2, 3, 4), (0, 3)):
        codes = codes_of(dtype, int(np.prod(shape)), 7)
        source = tensor_in(name, codes, hurray.RowMajorLayout(), shape)
        for layout in layouts(shape):
            if isinstance(layout, hurray.StridedLayout) and dtype.bit_width < 8:
                continue
            first = formulas.laid_out(codes, dtype.bit_width, layout, shape)[1]
            there = source.to_layout(layout, byte_offset=first * dtype.bit_width // 8)
            wanted, _ = formulas.laid_out(codes, dtype.bit_width, layout, shape)
            whole = there.buffer(0).tobytes()
            assert whole[: len(wanted)] == wanted
            assert not any(whole[len(wanted) :])
            assert elements(there.contiguous()) == formulas.packed(codes, dtype.bit_width)


def test_between_any_two_layouts() -> None:
    shape = (4, 4)
    codes = codes_of(hurray.Dtype.from_name("uint16"), 16)
    for one in layouts(shape):
        source = tensor_in("uint16", codes, one, shape)
        for other in layouts(shape):
            first = formulas.laid_out(codes, 16, other, shape)[1]
            there = source.to_layout(other, byte_offset=2 * first)
            np.testing.assert_array_equal(there.contiguous().numpy().ravel(), codes)


def test_random_arrays_against_numpy() -> None:
    random = np.random.default_rng(11)
    for _ in range(60):
        rank = int(random.integers(1, 6))
        array = random.standard_normal(tuple(random.integers(1, 7, rank))).astype(np.float32)
        view = array.transpose(random.permutation(rank))[
            tuple(slice(None, None, int(s)) for s in random.choice([-2, -1, 1, 2], rank))
        ]
        there = hurray.from_numpy(view).contiguous()
        np.testing.assert_array_equal(there.numpy(), view)
        columns = hurray.from_numpy(view).to_layout("column_major")
        assert columns.numpy().flags.f_contiguous
        np.testing.assert_array_equal(columns.numpy(), view)
        tile = tuple(int(t) for t in random.integers(1, 5, rank))
        tiled = hurray.from_numpy(view).to_layout(Tiled(tile))
        padded = np.pad(view, [(0, -n % t) for n, t in zip(view.shape, tile, strict=True)])
        split = padded.reshape([m for n, t in zip(padded.shape, tile, strict=True) for m in (n // t, t)])
        wanted = split.transpose([*range(0, 2 * rank, 2), *range(1, 2 * rank, 2)]).ravel()
        np.testing.assert_array_equal(tiled.buffer(0).view(np.float32), wanted)


def test_repeated_elements_are_written_out() -> None:
    array = np.broadcast_to(np.arange(3.0), (4, 3))
    there = hurray.from_numpy(array).contiguous()
    assert there.converted_bytes == 96
    np.testing.assert_array_equal(there.numpy(), array)


def test_rank_64() -> None:
    array = np.arange(4.0)
    tensor = hurray.Tensor(array, "float64", (1,) * 31 + (2,) + (1,) * 31 + (2,), layout="column_major")
    np.testing.assert_array_equal(tensor.contiguous().buffer(0).view(np.float64), [0, 2, 1, 3])


def test_what_is_where_it_should_be_is_shared() -> None:
    array = np.arange(6.0).reshape(2, 3)
    tensor = hurray.from_numpy(array)
    for same in (tensor.contiguous(), tensor.to_layout("row_major", copy=False)):
        assert same.converted_bytes == 0
        assert np.shares_memory(same.numpy(), array)
    copied = tensor.contiguous(copy=True)
    assert copied.converted_bytes == 48
    assert not np.shares_memory(copied.numpy(), array)
    with pytest.raises(hurray.CopyRequiredError):
        tensor.to_layout("column_major", copy=False)


def test_into_the_callers_memory() -> None:
    array = np.arange(6, dtype=np.float32).reshape(2, 3)
    source = hurray.from_numpy(np.asfortranarray(array))
    out = np.zeros((2, 3), np.float32)
    there = source.contiguous(out=out)
    np.testing.assert_array_equal(out, array)
    assert np.shares_memory(there.numpy(), out)
    room = hurray.from_numpy(np.zeros(6, np.float32))
    np.testing.assert_array_equal(source.contiguous(out=room).numpy(), array)
    np.testing.assert_array_equal(room.numpy(), array.ravel())
    unaligned = np.zeros(40, np.uint8)[1:25]
    source.contiguous(out=unaligned)
    assert unaligned.tobytes() == array.tobytes()
    with pytest.raises(hurray.BufferError, match=r"smaller than the result: into = 20 \(needs 24\)"):
        source.contiguous(out=np.zeros(5, np.float32))
    locked = np.zeros(6, np.float32)
    locked.flags.writeable = False
    with pytest.raises(hurray.InvalidArgumentError, match="read-only"):
        source.contiguous(out=locked)
    with pytest.raises(hurray.InvalidArgumentError, match="overlap"):
        source.contiguous(out=source)
    with pytest.raises(hurray.BufferError, match="contiguous"):
        source.contiguous(out=np.zeros((6, 2), np.float32)[:, 0])


def test_quantized_codes_move_with_their_scheme() -> None:
    codes = np.array([[10, -20, 30], [4, 5, -6]], np.int8)
    scales = np.array([0.5, 0.25], np.float32)
    tensor = hurray.from_numpy(codes, quantization=hurray.PerChannelAffine.symmetric(0), aux_buffers=[scales])
    there = tensor.to_layout("column_major")
    assert there.quantization is not None
    assert there.quantization.name == "per_channel_affine"
    np.testing.assert_array_equal(there.scales, scales)
    np.testing.assert_array_equal(there.numpy(), codes)


def test_what_is_refused() -> None:
    tensor = hurray.from_numpy(np.zeros((2, 3), np.float32))
    with pytest.raises(hurray.InvalidArgumentError):
        tensor.to_layout(hurray.StridedLayout([0, 1]))
    with pytest.raises(ValueError, match="row_major"):
        tensor.to_layout("diagonal")
    with pytest.raises(hurray.InvalidArgumentError, match="rank"):
        tensor.to_layout(Tiled([2]))
    with pytest.raises(hurray.HurrayError, match="V-030"):
        tensor.to_layout(hurray.StridedLayout([-3, 1]))
    closed = hurray.from_numpy(np.zeros(2))
    closed.close()
    with pytest.raises(BufferError, match="closed"):
        closed.contiguous()


def test_where_an_element_lies() -> None:
    for shape in ((3, 5), (4, 4), (2, 3, 4)):
        for layout in layouts(shape):
            tensor = tensor_in("uint8", [0] * int(np.prod(shape)), layout, shape)
            place = formulas.place_of(layout, shape)
            for index in np.ndindex(shape):
                assert tensor.element_offset(index) == place(index)
                assert tensor.descriptor.element_offset(index) == place(index)
    tensor = hurray.from_numpy(np.zeros((2, 3)))
    with pytest.raises(IndexError):
        tensor.element_offset((2, 0))
    with pytest.raises(hurray.InvalidArgumentError):
        tensor.element_offset((0,))


def test_threads_and_several_callers() -> None:
    array = np.arange(1 << 21, dtype=np.float32).reshape(1 << 10, 1 << 11)
    tensor = hurray.from_numpy(array.T)
    wrong: list[Any] = []

    def work(threads: int | None) -> None:
        if not np.array_equal(tensor.contiguous(threads=threads).numpy(), array.T):
            wrong.append(threads)

    workers = [threading.Thread(target=work, args=(threads,)) for threads in (None, 1, 2, 0)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not wrong


def test_narrow_floats_keep_their_bits() -> None:
    array = np.arange(256, dtype=np.uint8).view(ml_dtypes.float8_e4m3fn).reshape(16, 16)
    there = hurray.from_numpy(array.T).contiguous()
    assert there.numpy().tobytes() == np.ascontiguousarray(array.T).tobytes()
