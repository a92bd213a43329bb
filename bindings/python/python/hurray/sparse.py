"""Sparse tensors from their parts and from scipy, and back.

Values are shared where they lie on a 64-byte boundary; index arrays where they do and are 64 bits wide.
``Tensor.copies`` tells what had to be copied.

>>> import hurray, numpy as np
>>> t = hurray.sparse_csr(np.array([1.5, 2.5]), [0, 2], [0, 1, 2], (2, 3))
>>> t.nnz
2
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from . import _build
from . import _hurray as _h
from ._fields import Field, shape_of
from .errors import CopyRequiredError, UnsupportedError
from .layout import CooLayout, CscLayout, CsrLayout, Layout

__all__ = ["from_scipy", "sparse_coo", "sparse_csc", "sparse_csr"]


def sparse_csr(values: Any, col_indices: Any, row_ptr: Any, shape: Any, *, copy: bool | None = None) -> _h.Tensor:
    """A compressed-row matrix: ``values`` and ``col_indices`` ``[nnz]``, ``row_ptr`` ``[rows + 1]``.

    Columns ascend strictly inside a row. ``copy=False`` raises :class:`hurray.CopyRequiredError` instead of
    copying a part.
    """
    return _compressed(CsrLayout, values, col_indices, row_ptr, shape, copy)


def sparse_csc(values: Any, row_indices: Any, col_ptr: Any, shape: Any, *, copy: bool | None = None) -> _h.Tensor:
    """A compressed-column matrix: ``values`` and ``row_indices`` ``[nnz]``, ``col_ptr`` ``[columns + 1]``.

    Rows ascend strictly inside a column. ``copy`` as in :func:`sparse_csr`.
    """
    return _compressed(CscLayout, values, row_indices, col_ptr, shape, copy)


def sparse_coo(
    values: Any, indices: Any, shape: Any, *, copy: bool | None = None, is_sorted: bool = False
) -> _h.Tensor:
    """Entries by coordinates: ``values`` ``[nnz]``, ``indices`` ``[nnz, rank]``; no coordinate twice.

    ``is_sorted`` says that coordinates ascend strictly, first dimension first. ``copy`` as in
    :func:`sparse_csr`.
    """
    array, data = _values(values, copy)
    coordinates = np.asarray(indices)
    if coordinates.shape != (array.size, len(shape_of(shape))):
        raise ValueError(f"indices have shape {coordinates.shape}; they need {(array.size, len(shape_of(shape)))}")
    return _assemble(CooLayout(array.size, is_sorted), array, shape, [data, _build.words(coordinates, copy)])


def _compressed(
    layout: Callable[[int], Layout], values: Any, indices: Any, pointers: Any, shape: Any, copy: bool | None
) -> _h.Tensor:
    array, data = _values(values, copy)
    return _assemble(
        layout(array.size), array, shape, [data, _build.words(indices, copy), _build.words(pointers, copy)]
    )


def _values(values: Any, copy: bool | None) -> tuple[np.ndarray[Any, Any], _h.Buffer]:
    array, reason = _build.native(np.asarray(values), copy)
    if array.ndim != 1:
        raise ValueError("values have one dimension")
    if array.dtype == np.bool_:
        packed = _build.pack_bool(array)
        return array, _h.copy_into(packed, packed.dtype, reason)
    if reason:
        return array, _h.copy_into(array, array.dtype, reason)
    if not array.flags.c_contiguous:
        if copy is False:
            raise CopyRequiredError("values are not contiguous, and copy=False forbids a copy", _h.ERR_COPY_REQUIRED)
        return array, _h.copy_into(array, array.dtype, _h.BUFFER_COPIED_ALIGNMENT)
    return array, _build.aligned(_build.flat_bytes(array), copy)


def _assemble(layout: Layout, array: np.ndarray[Any, Any], shape: Any, buffers: list[_h.Buffer]) -> _h.Tensor:
    tag = _h.numpy_tag(array.dtype)
    if tag is None:
        raise UnsupportedError(f"the format has no element type for {array.dtype}", _h.ERR_UNSUPPORTED)
    fields: list[Field] = layout._write()
    return _h.assemble(tag, layout.tag, shape_of(shape), 0, 0, fields, buffers)


def from_scipy(matrix: Any, *, copy: bool | None = None) -> _h.Tensor:
    """A tensor of a scipy CSR, CSC or COO matrix or array; other formats are refused.

    Unsorted indices and repeated entries are put in order in a copy, which ``copy=False`` forbids.
    """
    kind = getattr(matrix, "format", None)
    if kind == "coo":
        coordinates = np.stack(matrix.coords, axis=1) if matrix.ndim else np.zeros((matrix.nnz, 0), np.uint64)
        return sparse_coo(matrix.data, coordinates, matrix.shape, copy=copy)
    if kind not in ("csr", "csc"):
        raise UnsupportedError(
            f"{type(matrix).__name__} is not a CSR, CSC or COO matrix; matrix.tocsr() makes one",
            _h.ERR_UNSUPPORTED,
        )
    if not matrix.has_canonical_format:
        if copy is False:
            raise CopyRequiredError(
                "the matrix has unsorted or repeated indices, and copy=False forbids ordering a copy",
                _h.ERR_COPY_REQUIRED,
            )
        matrix = matrix.copy()
        matrix.sum_duplicates()
    make = sparse_csr if kind == "csr" else sparse_csc
    nnz = int(matrix.indptr[-1])
    return make(matrix.data[:nnz], matrix.indices[:nnz], matrix.indptr, matrix.shape, copy=copy)


def to_scipy(tensor: _h.Tensor) -> Any:
    """A scipy array on the memory of a CSR, CSC or COO tensor, indices included.

    COO coordinates are one strided view for each dimension.
    """
    import scipy.sparse  # type: ignore[import-untyped]

    tag = tensor.layout.tag
    if tag not in (_h.LAYOUT_COO, _h.LAYOUT_CSR, _h.LAYOUT_CSC):
        raise UnsupportedError(f"scipy has no {tensor.layout.name} format", _h.ERR_UNSUPPORTED)
    values = tensor.part(_h.ROLE_VALUES).numpy()
    if tag == _h.LAYOUT_COO:
        indices = tensor.part(_h.ROLE_INDICES).numpy().view(np.int64)
        coords = tuple(indices[:, k] for k in range(tensor.ndim))
        return scipy.sparse.coo_array((values, coords), shape=tensor.shape)
    kind = scipy.sparse.csr_array if tag == _h.LAYOUT_CSR else scipy.sparse.csc_array
    found = kind(tensor.shape, dtype=values.dtype)
    # The constructor would narrow the indices to 32 bits, which copies them.
    found.data = values
    found.indices = tensor.part(_h.ROLE_INDICES).numpy().view(np.int64)
    found.indptr = tensor.part(_h.ROLE_POINTERS).numpy().view(np.int64)
    return found


def part_of(tensor: _h.Tensor, name: str) -> np.ndarray[Any, Any]:
    """A part by its published name; :class:`AttributeError` where the layout has none of that name."""
    role, layouts = _PARTS[name]
    tag = tensor.layout.tag
    if layouts and tag not in layouts:
        raise AttributeError(f"a {tensor.layout.name} tensor has no {name}")
    try:
        return tensor.part(role).numpy()
    except LookupError:
        raise AttributeError(f"this {tensor.layout.name} tensor has no {name}") from None


_PARTS: dict[str, tuple[int, tuple[int, ...]]] = {
    "values": (
        _h.ROLE_VALUES,
        (_h.LAYOUT_COO, _h.LAYOUT_CSR, _h.LAYOUT_CSC, _h.LAYOUT_CSF, _h.LAYOUT_BLOCK_PAGED),
    ),
    "indices": (_h.ROLE_INDICES, (_h.LAYOUT_COO, _h.LAYOUT_CSR, _h.LAYOUT_CSC)),
    "col_indices": (_h.ROLE_INDICES, (_h.LAYOUT_CSR,)),
    "row_ptr": (_h.ROLE_POINTERS, (_h.LAYOUT_CSR,)),
    "row_indices": (_h.ROLE_INDICES, (_h.LAYOUT_CSC,)),
    "col_ptr": (_h.ROLE_POINTERS, (_h.LAYOUT_CSC,)),
    "scales": (_h.ROLE_SCALES, ()),
    "zero_points": (_h.ROLE_ZERO_POINTS, ()),
}


def nnz_of(tensor: _h.Tensor) -> int:
    """The number of stored entries of a sparse tensor."""
    nnz = getattr(tensor.layout, "nnz", None)
    if nnz is None:
        raise AttributeError(f"a {tensor.layout.name} tensor has no nnz")
    return int(nnz)
