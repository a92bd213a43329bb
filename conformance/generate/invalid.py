"""All descriptors that are refused."""

from __future__ import annotations

from typing import Any

from . import invalid_layouts, invalid_parts


def cases() -> dict[str, list[Any]]:
    """All, in files."""
    first, second = invalid_layouts, invalid_parts
    parts = (first.header, first.types, first.layouts, second.heads, second.buffers, second.schemes, second.sections)
    return {part.__name__: list(part()) for part in parts}
