"""Where a tensor's memory is: a kind of device, which one of that kind, and a class of memory."""

from __future__ import annotations

from dataclasses import dataclass

from . import _hurray

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
