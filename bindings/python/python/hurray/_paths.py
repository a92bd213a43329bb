"""Where the headers and the library are, for extensions that build against them."""

from __future__ import annotations

from pathlib import Path

from . import _hurray


def get_include() -> str:
    """The folder with ``hurray.h`` and, in ``hurray/``, the C++ headers."""
    return str(Path(__file__).parent / "include")


def get_library() -> str:
    """The full path of the shared library that this process uses.

    Give it to the linker as a file, and its folder as a run path.
    """
    return _hurray.library_path()
