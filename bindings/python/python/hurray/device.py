"""Where a tensor's memory is: a kind of device, which one of that kind, and a class of memory."""

from __future__ import annotations

from dataclasses import dataclass

from . import _hurray
from ._fields import Fields

_KINDS = {_hurray.tag_name(_hurray.SPACE_DEVICE, tag): tag for tag in range(9)}
_CLASSES = {_hurray.tag_name(_hurray.SPACE_MEMORY_CLASS, tag): tag for tag in range(4)}


@dataclass(frozen=True)
class Device:
    """A device.

    ``kind`` is a name such as ``"cpu"`` or ``"cuda"``; ``device_id`` says which of several (0 is the first);
    ``memory_class`` is ``"standard"``, ``"host_pinned"``, ``"unified"`` or ``"peer"``.
    """

    kind: str
    device_id: int = 0
    memory_class: str = "standard"

    def __post_init__(self) -> None:
        if self.kind not in _KINDS and not self.kind.startswith("private_"):
            raise ValueError(f"no device is named {self.kind!r}; the names are {', '.join(map(str, _KINDS))}")
        if self.memory_class not in _CLASSES and not self.memory_class.startswith("private_"):
            raise ValueError(f"no memory class is named {self.memory_class!r}")
        if self.device_id < 0:
            raise ValueError("a device id is not negative")

    def __str__(self) -> str:
        number = f":{self.device_id}" if self.device_id else ""
        where = "" if self.memory_class == "standard" else f" ({self.memory_class})"
        return f"{self.kind}{number}{where}"


def _from_tags(device_tag: int, memory_class: int, device_id: int) -> Device:
    return Device(
        _hurray.tag_name(_hurray.SPACE_DEVICE, device_tag) or f"private_{device_tag:02x}",
        device_id,
        _hurray.tag_name(_hurray.SPACE_MEMORY_CLASS, memory_class) or f"private_{memory_class:02x}",
    )


@dataclass(frozen=True)
class BufferHandle:
    """What a descriptor declares of one buffer.

    Sizes are in bytes; ``sync_mode`` says how the producer ordered its writes, ``role`` what the buffer holds, and
    ``role_level`` of which level of a CSF tree.
    """

    byte_size: int
    alignment: int
    device: Device
    sync_mode: str
    role: str
    role_level: int = 0

    @property
    def is_empty(self) -> bool:
        """Whether it has no bytes."""
        return self.byte_size == 0


def from_fields(fields: Fields) -> Device:
    """The device of the first buffer of a descriptor's fields; the host if there is none."""
    handles = handles_from_fields(fields)
    return handles[0].device if handles else cpu


def handles_from_fields(fields: Fields) -> tuple[BufferHandle, ...]:
    """The buffer table of a descriptor's fields."""
    found = []
    # Not carried behind a layout that was not understood.
    for index in range(fields.get(_hurray.HEADER_FIELD_BUFFER_COUNT, 0)):

        def at(field: int, index: int = index) -> int:
            return int(fields[field | index << 32])

        sync_mode, role = at(_hurray.BUFFER_FIELD_SYNC_MODE), at(_hurray.BUFFER_FIELD_ROLE)
        found.append(
            BufferHandle(
                at(_hurray.BUFFER_FIELD_BYTE_SIZE),
                at(_hurray.BUFFER_FIELD_ALIGNMENT),
                _from_tags(at(_hurray.BUFFER_FIELD_DEVICE_TAG), at(_hurray.BUFFER_FIELD_MEMORY_CLASS), 0),
                _hurray.tag_name(_hurray.SPACE_SYNC_MODE, sync_mode) or f"sync_mode_{sync_mode:02x}",
                _hurray.tag_name(_hurray.SPACE_BUFFER_ROLE, role) or "unknown",
                at(_hurray.BUFFER_FIELD_ROLE_LEVEL),
            )
        )
    return tuple(found)


def resolve(device: Device | str) -> Device:
    """A :class:`Device` of itself or of a kind's name."""
    return device if isinstance(device, Device) else Device(device)


cpu = Device("cpu")
cuda = Device("cuda")
rocm = Device("rocm")
metal = Device("metal")
vulkan = Device("vulkan")
webgpu = Device("webgpu")
hexagon = Device("hexagon")
level_zero = Device("level_zero")
opencl = Device("opencl")
