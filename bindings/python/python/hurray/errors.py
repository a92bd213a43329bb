"""Exceptions. Each carries the library's status number and its text.

The text starts with the rule that was broken (``V-093: ...``), then the field, value and offset that
were wrong.
"""

from __future__ import annotations

import builtins

__all__ = [
    "BufferError",
    "CapsuleError",
    "CopyRequiredError",
    "DLPackError",
    "FileError",
    "FileNotFoundError",
    "HurrayError",
    "IndexOutOfBoundsError",
    "InternalError",
    "InvalidArgumentError",
    "InvalidDescriptorError",
    "IsADirectoryError",
    "OutOfMemoryError",
    "PermissionError",
    "StreamError",
    "TensorNotFoundError",
    "UnsupportedError",
]


class HurrayError(Exception):
    """What all errors of this package derive from.

    ``status`` is a ``HURRAY_ERR_...`` number of the library (always negative).
    """

    status: int

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status

    def __reduce__(self) -> tuple[type[HurrayError], tuple[str, int]]:
        return type(self), (str(self), self.status)


class InvalidDescriptorError(HurrayError, ValueError):
    """A descriptor, or the values for one, break a rule of the format."""


class BufferError(HurrayError, ValueError, builtins.BufferError):
    """A buffer does not fit its descriptor, or a handle is closed or of another kind."""


class CapsuleError(BufferError, TypeError):
    """A capsule that is not a tensor's: of another name, or consumed before."""


class CopyRequiredError(HurrayError, ValueError, builtins.BufferError):
    """A copy would be needed, and ``copy=False`` forbade it."""


class InvalidArgumentError(HurrayError, ValueError):
    """An argument that no call could accept."""


class IndexOutOfBoundsError(HurrayError, IndexError):
    """A buffer or level beyond what there is."""


class StreamError(HurrayError, OSError):
    """A stream ends inside something, breaks a rule of its form, or was ended by the peer."""

    def __str__(self) -> str:
        return str(self.args[0])

    def __reduce__(self) -> tuple[type[HurrayError], tuple[str, int]]:
        return type(self), (str(self), self.status)


class UnsupportedError(HurrayError, NotImplementedError):
    """Well-formed, but not possible here: another version, memory out of reach, a type numpy lacks."""


class DLPackError(UnsupportedError, builtins.BufferError):
    """What DLPack cannot carry: a type, a layout, a device, read-only memory to an old consumer; another version."""


class FileError(HurrayError, OSError):
    """A file cannot be read or written, or breaks a rule of the container.

    ``errno`` is the system's number and ``filename`` the path, or None.
    """

    def __str__(self) -> str:
        text = str(self.args[0])
        return f"{self.filename}: {text}" if self.filename else text

    def __reduce__(self) -> tuple[type[HurrayError], tuple[str, int]]:
        return type(self), (str(self), self.status)


class FileNotFoundError(FileError, builtins.FileNotFoundError):
    """There is no such file, or no such folder to write to."""


class IsADirectoryError(FileError, builtins.IsADirectoryError):
    """A folder stands where a file was expected."""


class PermissionError(FileError, builtins.PermissionError):
    """The system does not let this process read or write the file."""


class TensorNotFoundError(FileError, KeyError):
    """The file has no tensor of that name."""


class OutOfMemoryError(HurrayError, MemoryError):
    """An allocation failed."""


class InternalError(HurrayError, RuntimeError):
    """A fault inside the library."""
