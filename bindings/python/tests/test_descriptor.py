"""Descriptors: bytes in, typed objects out. The bytes are the worked examples of the format's document."""

from __future__ import annotations

from typing import Any, cast

import hurray
import numpy as np
import pytest

# bfloat16 [2, 3, 5], strides -20, 6, 1, byte offset 40, one buffer of 80 bytes.
STRIDED = bytes.fromhex(
    """
    48 52 52 59 01 00 5d 00 00 00 00 00 00 00 02 03
    03 00 00 00 02 00 00 00 00 00 00 00 03 00 00 00
    00 00 00 00 05 00 00 00 00 00 00 00 28 00 00 00
    00 00 00 00 ec ff ff ff ff ff ff ff 06 00 00 00
    00 00 00 00 01 00 00 00 00 00 00 00 01 50 00 00
    00 00 00 00 00 40 00 00 00 00 00 00 00
    """
)

# float64 CSR [3, 6], 4 stored entries, CUDA unified memory with events, buffers aligned to 4096.
ROWS = bytes.fromhex(
    """
    48 52 52 59 01 00 6d 00 00 00 00 00 00 00 04 07
    02 00 00 00 03 00 00 00 00 00 00 00 06 00 00 00
    00 00 00 00 00 00 00 00 00 00 00 00 04 00 00 00
    00 00 00 00 00 00 00 00 00 00 00 00 03 20 00 00
    00 00 00 00 00 00 10 00 00 01 01 02 00 20 00 00
    00 00 00 00 00 00 10 00 00 01 01 02 00 20 00 00
    00 00 00 00 00 00 10 00 00 01 01 02 00
    """
)


def test_a_strided_descriptor() -> None:
    found = hurray.Descriptor.decode(STRIDED)
    assert found.encode() == STRIDED
    assert found.encoded_len == 93
    assert found.version == (1, 0)
    assert found.dtype is hurray.bfloat16
    assert (found.shape, found.ndim, found.size, found.byte_offset) == ((2, 3, 5), 3, 30, 40)
    assert found.layout == hurray.StridedLayout([-20, 6, 1])
    assert (found.quantization, found.statistics, found.shard, found.extension_type) == (None,) * 4
    handle = hurray.BufferHandle(80, 64, hurray.device.cpu, "producer_synced", "values")
    assert found.buffer_handles == (handle,)
    assert not handle.is_empty
    assert "bfloat16" in repr(found)


def test_a_descriptor_of_device_memory() -> None:
    found = hurray.Descriptor.decode(ROWS)
    assert found.layout == hurray.CsrLayout(4)
    assert found.device == hurray.Device("cuda", memory_class="unified")
    assert found.buffer_count == 3
    assert [one.role for one in found.buffer_handles] == ["values", "indices", "pointers"]
    assert {(one.byte_size, one.alignment, one.sync_mode) for one in found.buffer_handles} == {(32, 4096, "event")}


def test_bytes_after_the_end_are_left_alone() -> None:
    assert hurray.Descriptor.decode(STRIDED + b"more").encode() == STRIDED


def test_every_cut_is_refused() -> None:
    for length in range(len(STRIDED)):
        with pytest.raises(hurray.InvalidDescriptorError):
            hurray.Descriptor.decode(STRIDED[:length])


@pytest.mark.parametrize(
    ("at", "byte", "rule"),
    [
        (0x00, 0x49, "V-002"),  # magic
        (0x04, 0x02, "V-003"),  # major version
        (0x0D, 0x80, "V-012"),  # reserved flag
        (0x0E, 0x05, "V-0"),  # unassigned type
        (0x55, 0x30, "V-08"),  # alignment 48
        (0x59, 0x09, "V-08"),  # reserved device
    ],
)
def test_the_error_names_the_rule(at: int, byte: int, rule: str) -> None:
    broken = bytearray(STRIDED)
    broken[at] = byte
    with pytest.raises(hurray.HurrayError, match=f"^{rule}"):
        hurray.Descriptor.decode(bytes(broken))


def test_permissive_keeps_what_it_does_not_know() -> None:
    # int8 [2], a private layout F1: identifier 7, three bytes of data, one buffer of 2 bytes.
    private = bytes.fromhex(
        "48525259 0100 45000000 00000000 10 f1 01000000 0200000000000000 0000000000000000"
        "0700000000000000 03000000 aabbcc 01 0200000000000000 40000000 00 00 00 00"
    )
    private = private[:6] + len(private).to_bytes(4, "little") + private[10:]
    with pytest.raises(hurray.UnsupportedError):
        hurray.Descriptor.decode(private)
    found = hurray.Descriptor.decode(private, permissive=True)
    assert found.layout == hurray.PrivateExtensionLayout(0xF1, 7, b"\xaa\xbb\xcc")
    assert found.encode() == private


def test_a_tensors_descriptor() -> None:
    tensor = hurray.from_numpy(np.zeros((2, 3), np.int16))
    found = tensor.descriptor
    assert found == hurray.Descriptor.decode(found.encode())
    assert len({found, tensor.descriptor}) == 1
    assert (found.shape, found.dtype, found.layout) == (tensor.shape, tensor.dtype, tensor.layout)
    tensor.close()
    assert found.shape == (2, 3)


def test_buffers_are_bound_to_a_descriptor() -> None:
    room = np.zeros(40, np.int32)
    data = room[-room.ctypes.data % 64 // 4 :][:24]
    descriptor = hurray.Descriptor.decode(hurray.from_numpy(data).descriptor.encode())
    tensor = hurray.Tensor.from_descriptor(descriptor, [data], copy=False)
    data[3] = 7
    assert tensor.numpy()[3] == 7
    assert tensor.copies == ((),)
    copied = hurray.Tensor.from_descriptor(descriptor, iter([data[1:].tobytes() + bytes(4)]), copy=True)
    assert copied.numpy()[2] == 7
    for wrong in ([], [data[:23]], [data, data]):
        with pytest.raises(hurray.BufferError):
            hurray.Tensor.from_descriptor(descriptor, wrong)
    with pytest.raises(TypeError):
        hurray.Tensor.from_descriptor(cast(Any, descriptor.encode()), [data])
