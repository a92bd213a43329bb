"""Errors: the library's status and text, as exceptions of families that Python knows."""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable
from pathlib import Path

import hurray
import numpy as np
import pytest


@pytest.mark.parametrize(
    ("error", "base"),
    [
        (hurray.InvalidDescriptorError, ValueError),
        (hurray.BufferError, ValueError),
        (hurray.CapsuleError, TypeError),
        (hurray.CopyRequiredError, ValueError),
        (hurray.InvalidArgumentError, ValueError),
        (hurray.IndexOutOfBoundsError, IndexError),
        (hurray.UnsupportedError, NotImplementedError),
        (hurray.OutOfMemoryError, MemoryError),
        (hurray.InternalError, RuntimeError),
    ],
)
def test_each_class_is_of_a_family_that_python_knows(error: type[hurray.HurrayError], base: type[Exception]) -> None:
    assert issubclass(error, base)
    assert issubclass(error, hurray.HurrayError)
    made = error("V-001: text", -15)
    assert (str(made), made.status) == ("V-001: text", -15)
    again = pickle.loads(pickle.dumps(made))
    assert (type(again), str(again), again.status) == (error, "V-001: text", -15)


def test_the_text_is_the_librarys() -> None:
    with pytest.raises(hurray.BufferError, match=r"^V-09\d: .*byte_size") as caught:
        hurray.Tensor(bytes(3), "float32", (1,))
    assert caught.value.status == -17


def test_statuses_are_the_headers() -> None:
    header = (Path(hurray.get_include()) / "hurray.h").read_text()
    numbers = {name: int(value) for name, value in re.findall(r"#define (HURRAY_ERR_\w+)\s+\(?(-\d+)", header)}
    cases: list[tuple[str, Callable[[], object]]] = [
        ("HURRAY_ERR_UNSUPPORTED", lambda: hurray.from_numpy(np.array([object()]))),
        ("HURRAY_ERR_COPY_REQUIRED", lambda: hurray.from_numpy(np.array([True]), copy=False)),
        ("HURRAY_ERR_INDEX_OUT_OF_BOUNDS", lambda: hurray.from_numpy(np.zeros(1)).buffer(1)),
        ("HURRAY_ERR_INVALID_TYPE", lambda: hurray.Tensor(b"", 0xFF, (0,))),
        ("HURRAY_ERR_LIMIT_EXCEEDED", lambda: hurray.Tensor(b"", "uint8", (0,) * 65)),
        (
            "HURRAY_ERR_INVALID_LAYOUT",
            lambda: hurray.Tensor(bytes(4), "uint8", (4,), layout=hurray.TiledLayout([0])),
        ),
    ]
    for name, call in cases:
        with pytest.raises(hurray.HurrayError) as caught:
            call()
        assert caught.value.status == numbers[name], name


def test_a_missing_part_is_a_lookup_error() -> None:
    tensor = hurray.from_numpy(np.zeros(2))
    with pytest.raises(LookupError, match="scales"):
        tensor.part("scales")
    with pytest.raises(LookupError, match="nothing"):
        tensor.part("nothing")
    with pytest.raises(hurray.InvalidArgumentError):
        tensor.part(999)
