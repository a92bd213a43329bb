"""Hurray: tensors that cross between languages without being copied.

>>> import hurray, numpy as np
>>> a = np.arange(6, dtype=np.float32).reshape(2, 3)
>>> t = hurray.from_numpy(a)
>>> t.shape, t.dtype
((2, 3), hurray.dtype.float32)
>>> t.numpy().ctypes.data == a.ctypes.data
True
"""

from __future__ import annotations

from . import device, dtype, layout, quantization
from ._hurray import (
    Composite,
    Descriptor,
    DescriptorItem,
    Tensor,
    __version__,
    abi_version,
    from_hurray,
    from_numpy,
    live_handles,
)
from ._kv import KvArray
from ._paths import get_include, get_library
from .convert import asarray
from .device import BufferHandle, Device
from .dlpack import from_dlpack
from .dtype import (
    Dtype,
    bfloat16,
    bool,
    float16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
)
from .errors import (
    BufferError,
    CapsuleError,
    CopyRequiredError,
    DLPackError,
    FileError,
    HurrayError,
    IndexOutOfBoundsError,
    InternalError,
    InvalidArgumentError,
    InvalidDescriptorError,
    OutOfMemoryError,
    StreamError,
    UnsupportedError,
)
from .file import File, load, load_kv, open, save
from .layout import (
    BlockPagedLayout,
    ColMajorLayout,
    CompositeLayout,
    CooLayout,
    CscLayout,
    CsfLayout,
    CsrLayout,
    HilbertLayout,
    Layout,
    MortonLayout,
    PrivateExtensionLayout,
    RowMajorLayout,
    StridedLayout,
    TiledLayout,
    UnknownLayout,
)
from .quantization import (
    MXFP,
    NF4,
    PerBlockAffine,
    PerChannelAffine,
    PerTensorAffine,
    Quantization,
    UnknownScheme,
)
from .sections import ExtensionType, Shard, Statistics
from .sparse import from_scipy, sparse_coo, sparse_csc, sparse_csr
from .stream import StreamReader, StreamWriter

MIN_BUFFER_ALIGNMENT = 64
"""What a buffer that is not empty is aligned to, at least, in bytes."""

__all__ = [
    "MIN_BUFFER_ALIGNMENT",
    "MXFP",
    "NF4",
    "BlockPagedLayout",
    "BufferError",
    "BufferHandle",
    "CapsuleError",
    "ColMajorLayout",
    "Composite",
    "CompositeLayout",
    "CooLayout",
    "CopyRequiredError",
    "CscLayout",
    "CsfLayout",
    "CsrLayout",
    "DLPackError",
    "Descriptor",
    "DescriptorItem",
    "Device",
    "Dtype",
    "ExtensionType",
    "File",
    "FileError",
    "HilbertLayout",
    "HurrayError",
    "IndexOutOfBoundsError",
    "InternalError",
    "InvalidArgumentError",
    "InvalidDescriptorError",
    "KvArray",
    "Layout",
    "MortonLayout",
    "OutOfMemoryError",
    "PerBlockAffine",
    "PerChannelAffine",
    "PerTensorAffine",
    "PrivateExtensionLayout",
    "Quantization",
    "RowMajorLayout",
    "Shard",
    "Statistics",
    "StreamError",
    "StreamReader",
    "StreamWriter",
    "StridedLayout",
    "Tensor",
    "TiledLayout",
    "UnknownLayout",
    "UnknownScheme",
    "UnsupportedError",
    "__version__",
    "abi_version",
    "asarray",
    "bfloat16",
    "bool",
    "device",
    "dtype",
    "float16",
    "float32",
    "float64",
    "from_dlpack",
    "from_hurray",
    "from_numpy",
    "from_scipy",
    "get_include",
    "get_library",
    "int8",
    "int16",
    "int32",
    "int64",
    "layout",
    "live_handles",
    "load",
    "load_kv",
    "open",
    "quantization",
    "save",
    "sparse_coo",
    "sparse_csc",
    "sparse_csr",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
]
