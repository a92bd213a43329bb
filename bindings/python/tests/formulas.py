"""Where elements lie and how they are packed, slowly, from the written format."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import product

import hurray

Index = tuple[int, ...]
Place = Callable[[Index], int]


def row_major(shape: Sequence[int]) -> Place:
    """Layouts, section 4."""

    def place(index: Index) -> int:
        offset = 0
        for i, n in zip(index, shape, strict=True):
            offset = offset * n + i
        return offset

    return place


def column_major(shape: Sequence[int]) -> Place:
    """Layouts, section 4."""
    rows = row_major(tuple(reversed(shape)))
    return lambda index: rows(tuple(reversed(index)))


def strided(strides: Sequence[int]) -> Place:
    """Layouts, section 5."""
    return lambda index: sum(i * s for i, s in zip(index, strides, strict=True))


def tiled(layout: hurray.TiledLayout, shape: Sequence[int]) -> Place:
    """Layouts, section 6."""
    tile = layout.tile_shape
    grid = tuple(-(-n // t) for n, t in zip(shape, tile, strict=True))

    def order(name: str, over: Sequence[int], strides: Sequence[int] | None) -> Place:
        if name == "strided":
            return strided(strides or ())
        return row_major(over) if name == "row_major" else column_major(over)

    outer = order(layout.outer_layout, grid, layout.outer_strides)
    if layout.inner_tiled is not None:
        inner = tiled(layout.inner_tiled, tile)
    else:
        inner = order(layout.inner_layout, tile, layout.inner_strides)

    def place(index: Index) -> int:
        where = tuple(i // t for i, t in zip(index, tile, strict=True))
        inside = tuple(i % t for i, t in zip(index, tile, strict=True))
        return outer(where) * math.prod(tile) + inner(inside)

    return place


def morton(bits: Sequence[int]) -> Place:
    """Layouts, section 7."""
    rank = len(bits)

    def place(index: Index) -> int:
        return sum((i >> b & 1) << (b * rank + d) for d, i in enumerate(index) for b in range(bits[d]))

    return place


def hilbert(order: int, rank: int) -> Place:
    """Layouts, section 8."""

    def place(index: Index) -> int:
        perm, flip, carry, h = list(range(rank)), [0] * rank, 0, 0
        for plane in reversed(range(order)):
            g = [(index[perm[a]] >> plane & 1) ^ flip[a] for a in range(rank)]
            for one in g:
                carry ^= one
                h = 2 * h + carry
            for a, one in enumerate(g):
                if one:
                    flip[0] ^= 1
                else:
                    perm[0], perm[a] = perm[a], perm[0]
                    flip[0], flip[a] = flip[a], flip[0]
        return h

    return place


def place_of(layout: hurray.Layout, shape: Sequence[int]) -> Place:
    """The offset of each element, in elements."""
    if isinstance(layout, hurray.ColMajorLayout):
        return column_major(shape)
    if isinstance(layout, hurray.StridedLayout):
        return strided(layout.strides)
    if isinstance(layout, hurray.TiledLayout):
        return tiled(layout, shape)
    if isinstance(layout, hurray.MortonLayout):
        return morton(layout.morton_bits)
    if isinstance(layout, hurray.HilbertLayout):
        return hilbert(layout.hilbert_order, layout.hilbert_rank)
    return row_major(shape)


def packed(codes: Sequence[int], bits: int) -> bytes:
    """Codes of so many bits, the first one lowest; six-bit ones in whole groups of four."""
    if bits == 6:
        codes = [*codes, *([0] * (-len(codes) % 4))]
    whole = sum(code << (k * bits) for k, code in enumerate(codes))
    return whole.to_bytes(-(-len(codes) * bits // 8), "little")


def unpacked(data: bytes, bits: int, count: int) -> list[int]:
    """The codes of packed bytes."""
    whole = int.from_bytes(data, "little")
    return [whole >> (k * bits) & ((1 << bits) - 1) for k in range(count)]


def laid_out(codes: Sequence[int], bits: int, layout: hurray.Layout, shape: Sequence[int]) -> tuple[bytes, int]:
    """Codes in row-major order as the bytes of a layout, and the offset in elements of the one at index zero."""
    places = [place_of(layout, shape)(index) for index in product(*map(range, shape))]
    lowest = min([0, *places])
    memory = [0] * (max([-1, *places]) - lowest + 1)
    for code, at in zip(codes, places, strict=True):
        memory[at - lowest] = code
    return packed(memory, bits), -lowest
