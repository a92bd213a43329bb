"""Layouts: how elements lie in their buffers. Each class holds the fields of one layout.

>>> import hurray
>>> hurray.StridedLayout([6, 1]).strides
(6, 1)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, SupportsIndex

from . import _hurray as _h
from ._fields import Field, Fields, f_bytes, f_i64s, f_tag, f_u64, f_u64s, ints

__all__ = [
    "BlockPagedLayout",
    "ColMajorLayout",
    "CompositeLayout",
    "CooLayout",
    "CscLayout",
    "CsfLayout",
    "CsrLayout",
    "HilbertLayout",
    "Layout",
    "MortonLayout",
    "PrivateExtensionLayout",
    "RowMajorLayout",
    "StridedLayout",
    "TiledLayout",
    "UnknownLayout",
]


@dataclass(frozen=True)
class Layout:
    """What all layouts share."""

    _TAG: ClassVar[int] = 0

    @property
    def tag(self) -> int:
        """The layout's tag in a descriptor."""
        return self._TAG

    @property
    def name(self) -> str:
        """The layout's name, in lower case."""
        return _h.tag_name(_h.SPACE_LAYOUT, self.tag) or f"layout_{self.tag:02x}"

    @property
    def is_dense(self) -> bool:
        """Whether every element has a place that arithmetic finds."""
        return self.tag in _DENSE

    @property
    def is_virtual(self) -> bool:
        """Whether it holds nothing of its own (a composite's head)."""
        return self.tag == _h.LAYOUT_COMPOSITE

    def _write(self) -> list[Field]:
        return []


_DENSE = frozenset(
    (
        _h.LAYOUT_ROW_MAJOR,
        _h.LAYOUT_COLUMN_MAJOR,
        _h.LAYOUT_STRIDED,
        _h.LAYOUT_TILED,
        _h.LAYOUT_MORTON,
        _h.LAYOUT_HILBERT,
    )
)


@dataclass(frozen=True)
class RowMajorLayout(Layout):
    """Last dimension fastest."""

    _TAG = _h.LAYOUT_ROW_MAJOR


@dataclass(frozen=True)
class ColMajorLayout(Layout):
    """First dimension fastest."""

    _TAG = _h.LAYOUT_COLUMN_MAJOR


@dataclass(frozen=True)
class StridedLayout(Layout):
    """One stride a dimension, in elements; zero and negative strides are possible."""

    strides: tuple[int, ...]
    _TAG = _h.LAYOUT_STRIDED

    def __init__(self, strides: Sequence[SupportsIndex]) -> None:
        object.__setattr__(self, "strides", ints(strides))

    def _write(self) -> list[Field]:
        return [f_i64s(_h.LAYOUT_FIELD_STRIDED_STRIDES, self.strides)]


@dataclass(frozen=True)
class TiledLayout(Layout):
    """Tiles, each contiguous; a tile may be tiled again.

    ``outer_layout`` and ``inner_layout`` are ``"row_major"``, ``"column_major"`` or ``"strided"`` (then with
    strides, in tiles and in elements); with ``inner_tiled`` the inner layout is that one.
    """

    tile_shape: tuple[int, ...]
    outer_layout: str
    inner_layout: str
    outer_strides: tuple[int, ...] | None
    inner_strides: tuple[int, ...] | None
    inner_tiled: TiledLayout | None
    _TAG = _h.LAYOUT_TILED

    def __init__(
        self,
        tile_shape: Sequence[int],
        outer_layout: str = "row_major",
        inner_layout: str = "row_major",
        outer_strides: Sequence[int] | None = None,
        inner_strides: Sequence[int] | None = None,
        inner_tiled: TiledLayout | None = None,
    ) -> None:
        keep = object.__setattr__
        keep(self, "tile_shape", ints(tile_shape))
        keep(self, "outer_layout", outer_layout)
        keep(self, "inner_layout", inner_layout if inner_tiled is None else "tiled")
        keep(self, "outer_strides", None if outer_strides is None else ints(outer_strides))
        keep(self, "inner_strides", None if inner_strides is None else ints(inner_strides))
        keep(self, "inner_tiled", inner_tiled)

    def _write(self) -> list[Field]:
        return self._write_level(0)

    def _write_level(self, level: int) -> list[Field]:
        fields = [
            f_u64s(_h.LAYOUT_FIELD_TILED_TILE_SHAPE, self.tile_shape, level),
            f_tag(_h.LAYOUT_FIELD_TILED_OUTER_LAYOUT, _h.SPACE_LAYOUT, self.outer_layout, level),
            f_tag(_h.LAYOUT_FIELD_TILED_INNER_LAYOUT, _h.SPACE_LAYOUT, self.inner_layout, level),
        ]
        if self.outer_strides is not None:
            fields.append(f_i64s(_h.LAYOUT_FIELD_TILED_OUTER_STRIDES, self.outer_strides, level))
        if self.inner_strides is not None:
            fields.append(f_i64s(_h.LAYOUT_FIELD_TILED_INNER_STRIDES, self.inner_strides, level))
        if self.inner_tiled is not None:
            fields += self.inner_tiled._write_level(level + 1)
        return fields


@dataclass(frozen=True)
class MortonLayout(Layout):
    """Interleaved index bits; so many bits a dimension."""

    morton_bits: tuple[int, ...]
    _TAG = _h.LAYOUT_MORTON

    def __init__(self, morton_bits: Sequence[int]) -> None:
        object.__setattr__(self, "morton_bits", ints(morton_bits))

    def _write(self) -> list[Field]:
        return [f_u64s(_h.LAYOUT_FIELD_MORTON_BITS, self.morton_bits)]


@dataclass(frozen=True)
class HilbertLayout(Layout):
    """Along a Hilbert curve: every dimension has ``2 ** hilbert_order`` elements."""

    hilbert_order: int
    hilbert_rank: int
    _TAG = _h.LAYOUT_HILBERT

    def _write(self) -> list[Field]:
        return [
            f_u64(_h.LAYOUT_FIELD_HILBERT_ORDER, self.hilbert_order),
            f_u64(_h.LAYOUT_FIELD_HILBERT_RANK, self.hilbert_rank),
        ]


@dataclass(frozen=True)
class CooLayout(Layout):
    """Sparse: values ``[nnz]``, coordinates ``[nnz, rank]``."""

    nnz: int
    is_sorted: bool = False
    _TAG = _h.LAYOUT_COO

    def _write(self) -> list[Field]:
        return [
            f_u64(_h.LAYOUT_FIELD_COO_NNZ, self.nnz),
            f_u64(_h.LAYOUT_FIELD_COO_IS_SORTED, self.is_sorted),
        ]


@dataclass(frozen=True)
class CsrLayout(Layout):
    """Sparse, compressed rows: values ``[nnz]``, columns ``[nnz]``, row pointers ``[rows + 1]``."""

    nnz: int
    _TAG = _h.LAYOUT_CSR

    def _write(self) -> list[Field]:
        return [f_u64(_h.LAYOUT_FIELD_CSR_NNZ, self.nnz)]


@dataclass(frozen=True)
class CscLayout(Layout):
    """Sparse, compressed columns: values ``[nnz]``, rows ``[nnz]``, column pointers ``[columns + 1]``."""

    nnz: int
    _TAG = _h.LAYOUT_CSC

    def _write(self) -> list[Field]:
        return [f_u64(_h.LAYOUT_FIELD_CSC_NNZ, self.nnz)]


@dataclass(frozen=True)
class CsfLayout(Layout):
    """Sparse, compressed fibres: a tree with one level a dimension, in ``mode_order``."""

    nnz: int
    mode_order: tuple[int, ...]
    _TAG = _h.LAYOUT_CSF

    def __init__(self, nnz: int, mode_order: Sequence[int]) -> None:
        object.__setattr__(self, "nnz", nnz)
        object.__setattr__(self, "mode_order", ints(mode_order))

    def _write(self) -> list[Field]:
        return [
            f_u64(_h.LAYOUT_FIELD_CSF_NNZ, self.nnz),
            f_u64s(_h.LAYOUT_FIELD_CSF_MODE_ORDER, self.mode_order),
        ]


@dataclass(frozen=True)
class BlockPagedLayout(Layout):
    """A key-value cache in pages ``[num_pages, page_size, heads, width]`` that a block table names."""

    page_size: int
    num_pages: int
    paged_axis: int
    num_seqs: int
    kv_role: str = "key"
    layer_index: int | None = None
    block_table_index_type: str = "uint32"
    _TAG = _h.LAYOUT_BLOCK_PAGED

    def _write(self) -> list[Field]:
        if self.block_table_index_type not in _INDEX_TYPES:
            raise ValueError("block_table_index_type is 'uint32' or 'uint64'")
        fields = [
            f_u64(_h.LAYOUT_FIELD_BLOCK_PAGED_PAGE_SIZE, self.page_size),
            f_u64(_h.LAYOUT_FIELD_BLOCK_PAGED_NUM_PAGES, self.num_pages),
            f_u64(_h.LAYOUT_FIELD_BLOCK_PAGED_PAGED_AXIS, self.paged_axis),
            f_u64(_h.LAYOUT_FIELD_BLOCK_PAGED_NUM_SEQS, self.num_seqs),
            f_tag(_h.LAYOUT_FIELD_BLOCK_PAGED_KV_ROLE, _h.SPACE_KV_ROLE, self.kv_role),
            f_u64(
                _h.LAYOUT_FIELD_BLOCK_PAGED_BLOCK_TABLE_INDEX_TYPE,
                _INDEX_TYPES.index(self.block_table_index_type),
            ),
        ]
        if self.layer_index is not None:
            fields.append(f_u64(_h.LAYOUT_FIELD_BLOCK_PAGED_LAYER_INDEX, self.layer_index))
        return fields


_INDEX_TYPES = ("uint32", "uint64")


@dataclass(frozen=True)
class CompositeLayout(Layout):
    """The head of a composite; members hold the data."""

    composition_rule: str
    member_count: int
    combine_op: str | None = None
    _TAG = _h.LAYOUT_COMPOSITE

    def _write(self) -> list[Field]:
        return [
            f_tag(_h.LAYOUT_FIELD_COMPOSITE_RULE, _h.SPACE_COMPOSITION_RULE, self.composition_rule),
            f_tag(_h.LAYOUT_FIELD_COMPOSITE_COMBINE_OP, _h.SPACE_COMBINE_OP, self.combine_op or "none"),
            f_u64(_h.LAYOUT_FIELD_COMPOSITE_MEMBER_COUNT, self.member_count),
        ]


@dataclass(frozen=True)
class PrivateExtensionLayout(Layout):
    """A layout that two parties agreed on: its tag (``0xF0`` to ``0xFE``), identifier and opaque data."""

    layout_tag: int
    extension_layout_id: int
    extension_data: bytes | None = None

    @property
    def tag(self) -> int:
        """The layout's tag in a descriptor."""
        return self.layout_tag

    def _write(self) -> list[Field]:
        return [
            f_u64(_h.LAYOUT_FIELD_PRIVATE_LAYOUT_ID, self.extension_layout_id),
            f_bytes(_h.LAYOUT_FIELD_PRIVATE_DATA, self.extension_data or b""),
        ]


@dataclass(frozen=True)
class UnknownLayout(Layout):
    """A layout that this library does not know, read permissively; its data is out of reach."""

    layout_tag: int
    raw_bytes: bytes | None = None

    @property
    def tag(self) -> int:
        """The layout's tag in a descriptor."""
        return self.layout_tag


def _tiled(fields: Fields, level: int) -> TiledLayout:
    depth = fields[_h.LAYOUT_FIELD_TILED_DEPTH]
    inner = _tiled(fields, level + 1) if level + 1 < depth else None

    def at(field: int) -> Any:
        return fields.get(field | level << 32)

    return TiledLayout(
        at(_h.LAYOUT_FIELD_TILED_TILE_SHAPE),
        _name(at(_h.LAYOUT_FIELD_TILED_OUTER_LAYOUT)),
        _name(at(_h.LAYOUT_FIELD_TILED_INNER_LAYOUT)),
        at(_h.LAYOUT_FIELD_TILED_OUTER_STRIDES),
        at(_h.LAYOUT_FIELD_TILED_INNER_STRIDES),
        inner,
    )


def _name(tag: int, space: int = _h.SPACE_LAYOUT) -> str:
    return _h.tag_name(space, tag) or f"private_{tag:02x}"


def _block_paged(fields: Fields) -> BlockPagedLayout:
    return BlockPagedLayout(
        fields[_h.LAYOUT_FIELD_BLOCK_PAGED_PAGE_SIZE],
        fields[_h.LAYOUT_FIELD_BLOCK_PAGED_NUM_PAGES],
        fields[_h.LAYOUT_FIELD_BLOCK_PAGED_PAGED_AXIS],
        fields[_h.LAYOUT_FIELD_BLOCK_PAGED_NUM_SEQS],
        _name(fields[_h.LAYOUT_FIELD_BLOCK_PAGED_KV_ROLE], _h.SPACE_KV_ROLE),
        fields.get(_h.LAYOUT_FIELD_BLOCK_PAGED_LAYER_INDEX),
        _INDEX_TYPES[fields[_h.LAYOUT_FIELD_BLOCK_PAGED_BLOCK_TABLE_INDEX_TYPE]],
    )


def _composite(fields: Fields) -> CompositeLayout:
    op = fields[_h.LAYOUT_FIELD_COMPOSITE_COMBINE_OP]
    return CompositeLayout(
        _name(fields[_h.LAYOUT_FIELD_COMPOSITE_RULE], _h.SPACE_COMPOSITION_RULE),
        fields[_h.LAYOUT_FIELD_COMPOSITE_MEMBER_COUNT],
        None if op == _h.OP_NONE else _name(op, _h.SPACE_COMBINE_OP),
    )


_READERS: Mapping[int, Any] = {
    _h.LAYOUT_ROW_MAJOR: lambda f: RowMajorLayout(),
    _h.LAYOUT_COLUMN_MAJOR: lambda f: ColMajorLayout(),
    _h.LAYOUT_STRIDED: lambda f: StridedLayout(f[_h.LAYOUT_FIELD_STRIDED_STRIDES]),
    _h.LAYOUT_TILED: lambda f: _tiled(f, 0),
    _h.LAYOUT_MORTON: lambda f: MortonLayout(f[_h.LAYOUT_FIELD_MORTON_BITS]),
    _h.LAYOUT_HILBERT: lambda f: HilbertLayout(f[_h.LAYOUT_FIELD_HILBERT_ORDER], f[_h.LAYOUT_FIELD_HILBERT_RANK]),
    _h.LAYOUT_COO: lambda f: CooLayout(f[_h.LAYOUT_FIELD_COO_NNZ], bool(f[_h.LAYOUT_FIELD_COO_IS_SORTED])),
    _h.LAYOUT_CSR: lambda f: CsrLayout(f[_h.LAYOUT_FIELD_CSR_NNZ]),
    _h.LAYOUT_CSC: lambda f: CscLayout(f[_h.LAYOUT_FIELD_CSC_NNZ]),
    _h.LAYOUT_CSF: lambda f: CsfLayout(f[_h.LAYOUT_FIELD_CSF_NNZ], f[_h.LAYOUT_FIELD_CSF_MODE_ORDER]),
    _h.LAYOUT_BLOCK_PAGED: _block_paged,
    _h.LAYOUT_COMPOSITE: _composite,
}


def from_fields(fields: Fields) -> Layout:
    """The layout of a descriptor's fields."""
    tag: int = fields[_h.HEADER_FIELD_LAYOUT]
    if tag in _READERS:
        layout: Layout = _READERS[tag](fields)
        return layout
    if _h.LAYOUT_FIELD_PRIVATE_LAYOUT_ID in fields:
        return PrivateExtensionLayout(
            tag, fields[_h.LAYOUT_FIELD_PRIVATE_LAYOUT_ID], fields.get(_h.LAYOUT_FIELD_PRIVATE_DATA)
        )
    return UnknownLayout(tag, fields.get(_h.LAYOUT_FIELD_UNKNOWN_DATA))
