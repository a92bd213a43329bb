"""Layouts as typed objects, there and back."""

from __future__ import annotations

import hurray
import numpy as np
import pytest

BYTES = bytes(4096)


@pytest.mark.parametrize(
    ("layout", "shape"),
    [
        (hurray.RowMajorLayout(), (2, 3)),
        (hurray.ColMajorLayout(), (2, 3)),
        (hurray.StridedLayout([8, 2]), (2, 3)),
        (hurray.TiledLayout([2, 4]), (5, 6)),
        (hurray.TiledLayout([2, 4], "column_major", "strided", None, [4, 1]), (5, 6)),
        (hurray.TiledLayout([4, 4], inner_tiled=hurray.TiledLayout([2, 2], "column_major")), (8, 4)),
        (hurray.MortonLayout([3, 3]), (5, 8)),
        (hurray.HilbertLayout(2, 2), (4, 4)),
    ],
    ids=lambda case: case.name if isinstance(case, hurray.Layout) else str(case),
)
def test_dense_layouts(layout: hurray.Layout, shape: tuple[int, ...]) -> None:
    tensor = hurray.from_hurray(hurray.Tensor(BYTES, "int16", shape, layout=layout))
    assert tensor.layout == layout
    assert tensor.layout.is_dense
    assert tensor.copied_bytes == 0
    assert tensor.shape == shape


def test_other_layouts_read_as_typed_objects() -> None:
    fibres = hurray.CsfLayout(1, [2, 0, 1])
    words = [np.array(w, np.uint64) for w in ([0, 1], [0], [0, 1], [2], [0, 1], [1])]
    tensor = hurray.Tensor(np.ones(1), "float64", (3, 4, 5), layout=fibres, aux_buffers=words)
    assert tensor.layout == fibres
    assert tensor.part("csf_crd", 1).numpy().tolist() == [2]
    pages = hurray.BlockPagedLayout(3, 2, 0, 1, "value", 7, "uint32")
    table = [np.array([1, 0], np.uint32), np.array([0, 2], np.uint32)]
    cache = hurray.Tensor(np.zeros(24), "float64", (6, 2, 2), layout=pages, aux_buffers=table)
    assert cache.layout == pages
    assert cache.part("block_table").numpy().tolist() == [1, 0]
    assert cache.values.shape == (2, 3, 2, 2)
    with pytest.raises(ValueError, match="block_table_index_type"):
        hurray.Tensor(np.zeros(24), "float64", (6, 2, 2), layout=hurray.BlockPagedLayout(3, 2, 0, 1, "key", None, "u8"))


def test_layouts_the_host_cannot_see_as_arrays() -> None:
    tensor = hurray.Tensor(BYTES, "int16", (5, 6), layout=hurray.TiledLayout([2, 4]))
    with pytest.raises(hurray.UnsupportedError):
        tensor.numpy()
    with pytest.raises(hurray.UnsupportedError):
        np.asarray(tensor)


def test_column_major_bytes() -> None:
    data = np.arange(6, dtype=np.int8)
    for layout in (hurray.ColMajorLayout(), "column_major"):
        tensor = hurray.Tensor(data, "int8", (2, 3), layout=layout)
        np.testing.assert_array_equal(tensor.numpy(), [[0, 2, 4], [1, 3, 5]])


def test_what_a_layout_forbids() -> None:
    for layout, shape in [
        (hurray.StridedLayout([1]), (2, 3)),
        (hurray.TiledLayout([0, 2]), (4, 4)),
        (hurray.MortonLayout([1, 1]), (5, 8)),
        (hurray.HilbertLayout(2, 2), (4, 5)),
        (hurray.StridedLayout([10_000, 1]), (2, 3)),
        (hurray.StridedLayout([-1, 1]), (2, 3)),
    ]:
        with pytest.raises(ValueError, match=r"^[VL]-\d+|not the rank"):
            hurray.Tensor(BYTES, "int16", shape, layout=layout)
    with pytest.raises(ValueError, match="unknown name"):
        hurray.Tensor(BYTES, "int16", (4, 4), layout=hurray.TiledLayout([2, 2], "sideways"))


def test_layouts_are_values() -> None:
    assert hurray.StridedLayout((3, 1)) == hurray.StridedLayout([np.int64(3), 1])
    assert len({hurray.RowMajorLayout(), hurray.RowMajorLayout(), hurray.ColMajorLayout()}) == 2
    assert repr(hurray.CsrLayout(4)) == "CsrLayout(nnz=4)"
    with pytest.raises(AttributeError):
        hurray.CsrLayout(4).nnz = 5  # type: ignore[misc]
    with pytest.raises(TypeError):
        hurray.StridedLayout([1.5])  # type: ignore[list-item]
