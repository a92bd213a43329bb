"""The extension module: what it offers to the package, and the parts that the package hands on."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from types import TracebackType
from typing import Any, ClassVar, Final, Literal, SupportsIndex, final

import numpy as np

from ._dtype import Dtype, DtypeLike
from ._progress import Progress
from .device import BufferHandle, Device
from .layout import Layout
from .quantization import PerTensorAffine, Quantization
from .sections import ExtensionType, Shard, Statistics

__version__: str

@final
class Composite:
    def __new__(
        cls,
        composition_rule: str,
        *,
        shape: Sequence[int],
        dtype: DtypeLike,
        members: Sequence[Tensor | Composite],
        combine_op: str | None = None,
    ) -> Composite: ...
    @property
    def descriptor(self) -> Descriptor: ...
    @property
    def dtype(self) -> Dtype: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def ndim(self) -> int: ...
    @property
    def layout(self) -> Layout: ...
    @property
    def member_count(self) -> int: ...
    @property
    def members(self) -> list[Tensor | Composite]: ...
    @property
    def member_roles(self) -> list[Literal["base", "correction"] | None]: ...
    def assemble(
        self,
        *,
        out: Any = None,
        copy: bool | None = None,
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> Tensor: ...
    def __len__(self) -> int: ...

@final
class DescriptorItem:
    @property
    def descriptor(self) -> Descriptor: ...
    @property
    def data(self) -> Tensor | None: ...

@final
class FileReader:
    @staticmethod
    def open_path(path: str | bytes, settings: list[tuple[int, int]]) -> FileReader: ...
    @staticmethod
    def open_fd(fd: int, settings: list[tuple[int, int]]) -> FileReader: ...
    @staticmethod
    def open_buffer(buffer: Buffer, settings: list[tuple[int, int]]) -> FileReader: ...
    @staticmethod
    def open_object(object: Any, size: int, settings: list[tuple[int, int]]) -> FileReader: ...
    def names(self) -> list[str]: ...
    def find(self, name: str) -> int | None: ...
    def tensor(self, index: int) -> Tensor: ...
    def item(self, index: int, progress: Progress | None = None) -> Tensor | Composite: ...
    def items(self) -> list[int]: ...
    def descriptor(self, index: int) -> Descriptor: ...
    def range(self, index: int) -> tuple[int, int]: ...
    def read(self, index: int, buffer: int, offset: int, size: int) -> bytes: ...
    def advise(self, index: int | None, advice: str) -> None: ...
    def kv(self) -> list[tuple[str, str, bool, Any]]: ...

@final
class FileWriter:
    @staticmethod
    def create(path: str | bytes, settings: list[tuple[int, int]]) -> FileWriter: ...
    @staticmethod
    def to_object(object: Any, settings: list[tuple[int, int]]) -> FileWriter: ...
    def set(self, key: str, kind: str, is_array: bool, value: Any) -> None: ...
    def put(self, name: str, object: Tensor | Composite, progress: Progress | None = None) -> None: ...
    def finish(self) -> None: ...
    def close(self) -> None: ...

@final
class StreamReader:
    def __new__(
        cls,
        settings: list[tuple[int, int]],
        read: Callable[..., Any],
        how: str,
        fd: int | None,
        ready: Callable[[], None] | None,
    ) -> StreamReader: ...
    def read_next(self) -> Any: ...
    def close(self) -> None: ...
    def feed(self, data: bytes) -> int: ...
    def next(self) -> Any: ...
    def finish(self) -> None: ...
    @property
    def ended(self) -> bool: ...
    @property
    def stream_id(self) -> int: ...
    @property
    def unread(self) -> bytes: ...
    def reply(self) -> bytes: ...

@final
class StreamItems:
    def __new__(cls, reader: StreamReader, owner: Any) -> StreamItems: ...
    def __iter__(self) -> StreamItems: ...
    def __next__(self) -> Any: ...

class StreamWriter:
    def __new__(cls, stream_id: int, max_message: int, settings: list[tuple[int, int]]) -> StreamWriter: ...
    def put(self, object: Tensor | Composite) -> None: ...
    def put_some(self, items: Iterator[Tensor | Composite]) -> bool: ...
    def flush(
        self,
        write: Callable[..., Any],
        gather: bool,
        more: tuple[Any, ...],
        ready: Callable[[], None] | None,
    ) -> None: ...

@final
class Tensor:
    def __new__(
        cls,
        buffer: Any,
        dtype: DtypeLike | int,
        shape: SupportsIndex | Sequence[SupportsIndex],
        device: Device | str | None = None,
        *,
        aux_buffers: Sequence[Any] | None = None,
        layout: Layout | str | None = None,
        quantization: Quantization | None = None,
        statistics: Statistics | None = None,
        shard: Shard | None = None,
        extension_type: ExtensionType | None = None,
        member_role: Literal["base", "correction"] | None = None,
        byte_offset: int | None = None,
        copy: bool | None = None,
    ) -> Tensor: ...
    @staticmethod
    def from_descriptor(descriptor: Descriptor, buffers: Iterable[Any], *, copy: bool | None = None) -> Tensor: ...
    @property
    def dtype(self) -> Dtype: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def ndim(self) -> int: ...
    @property
    def size(self) -> int | None: ...
    @property
    def byte_offset(self) -> int: ...
    @property
    def descriptor(self) -> Descriptor: ...
    @property
    def device(self) -> Device: ...
    @property
    def layout(self) -> Layout: ...
    @property
    def quantization(self) -> Quantization | None: ...
    @property
    def statistics(self) -> Statistics | None: ...
    @property
    def shard(self) -> Shard | None: ...
    @property
    def extension_type(self) -> ExtensionType | None: ...
    @property
    def buffer_count(self) -> int: ...
    @property
    def copies(self) -> tuple[tuple[Literal["alignment", "width", "packing", "request"], ...], ...]: ...
    @property
    def copied_bytes(self) -> int: ...
    @property
    def nbytes(self) -> int: ...
    @property
    def closed(self) -> bool: ...
    @property
    def values(self) -> np.ndarray[Any, Any]: ...
    @property
    def indices(self) -> np.ndarray[Any, Any]: ...
    @property
    def col_indices(self) -> np.ndarray[Any, Any]: ...
    @property
    def row_ptr(self) -> np.ndarray[Any, Any]: ...
    @property
    def row_indices(self) -> np.ndarray[Any, Any]: ...
    @property
    def col_ptr(self) -> np.ndarray[Any, Any]: ...
    @property
    def scales(self) -> np.ndarray[Any, Any]: ...
    @property
    def zero_points(self) -> np.ndarray[Any, Any]: ...
    @property
    def nnz(self) -> int: ...
    def buffer(self, index: int) -> np.ndarray[Any, Any]: ...
    def part(self, role: str | int, level: int = 0) -> Tensor: ...
    def numpy(self, *, copy: bool | None = None, raw: bool = False) -> np.ndarray[Any, Any]: ...
    def to_scipy(self) -> Any: ...
    def close(self) -> None: ...
    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]: ...
    def to_layout(
        self,
        layout: Layout | str,
        *,
        byte_offset: int = 0,
        out: Any = None,
        copy: bool | None = None,
        threads: int | None = None,
        duplicates: Literal["refuse", "keep", "sum"] = "refuse",
        progress: Progress | None = None,
    ) -> Tensor: ...
    def gather(
        self,
        sequence_lengths: Sequence[int] | None = None,
        *,
        out: Any = None,
        copy: bool | None = None,
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> Tensor: ...
    def scatter(
        self, paged: Tensor, sequence_lengths: Sequence[int] | None = None, *, progress: Progress | None = None
    ) -> int: ...
    def check(self, *, progress: Progress | None = None) -> None: ...
    def contiguous(
        self,
        *,
        out: Any = None,
        copy: bool | None = None,
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> Tensor: ...
    def dequantize(
        self,
        dtype: DtypeLike | None = None,
        *,
        out: Any = None,
        copy: bool | None = None,
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> Tensor: ...
    def quantize(
        self,
        dtype: DtypeLike,
        quantization: Quantization | type[PerTensorAffine] | None = None,
        *,
        layout: Layout | str | None = None,
        parameters: Sequence[Any] | None = None,
        out: Any = None,
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> Tensor: ...
    def unpack(self, *, out: Any = None, threads: int | None = None, progress: Progress | None = None) -> Tensor: ...
    def pack(
        self, dtype: DtypeLike, *, out: Any = None, threads: int | None = None, progress: Progress | None = None
    ) -> Tensor: ...
    def __getitem__(self, key: Any) -> Tensor: ...
    def slice(self, key: Any, *, copy: bool | None = None, progress: Progress | None = None) -> Tensor: ...
    def with_statistics(self, *, progress: Progress | None = None) -> Tensor: ...
    def element_offset(self, index: Sequence[int]) -> int: ...
    @property
    def converted_bytes(self) -> int: ...
    def __dlpack__(
        self,
        *,
        stream: Any = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any: ...
    def __dlpack_device__(self) -> tuple[int, int]: ...
    __dlpack_c_exchange_api__: ClassVar[Any]
    def __hurray__(self, stream: int | None = None) -> Any: ...
    def __enter__(self) -> Tensor: ...
    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None
    ) -> None: ...
    def _buffer(self, index: int) -> Buffer: ...
    def _fields(self) -> dict[int, Any]: ...

@final
class Descriptor:
    @staticmethod
    def decode(data: bytes, *, permissive: bool = False) -> Descriptor: ...
    def annotate(self) -> str: ...
    def encode(self) -> bytes: ...
    @property
    def encoded_len(self) -> int: ...
    @property
    def version(self) -> tuple[int, int]: ...
    @property
    def dtype(self) -> Dtype: ...
    @property
    def shape(self) -> tuple[int | None, ...]: ...
    @property
    def ndim(self) -> int: ...
    @property
    def size(self) -> int | None: ...
    @property
    def byte_offset(self) -> int: ...
    @property
    def buffer_count(self) -> int: ...
    @property
    def buffer_handles(self) -> tuple[BufferHandle, ...]: ...
    @property
    def device(self) -> Device: ...
    @property
    def layout(self) -> Layout: ...
    @property
    def quantization(self) -> Quantization | None: ...
    @property
    def statistics(self) -> Statistics | None: ...
    @property
    def shard(self) -> Shard | None: ...
    @property
    def extension_type(self) -> ExtensionType | None: ...
    def element_offset(self, index: Sequence[int]) -> int: ...
    @property
    def member_role(self) -> Literal["base", "correction"] | None: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...
    def _fields(self) -> dict[int, Any]: ...

@final
class Buffer: ...

@final
class Memory: ...

def from_numpy(
    array: Any,
    *,
    copy: bool | None = None,
    quantization: Quantization | None = None,
    aux_buffers: Sequence[Any] | None = None,
) -> Tensor: ...
def from_hurray(obj: Any) -> Tensor: ...
def take_dlpack(capsule: Any, copy: bool | None, asked: bool) -> Tensor: ...
def exchange_dlpack(object: Any) -> Tensor | None: ...
def abi_version() -> int: ...
def live_handles() -> int: ...
def library_path() -> str: ...
def tag_name(space: int, tag: int) -> str | None: ...
def element_type_info(tag: int) -> tuple[int, int, int] | None: ...
def element_type_bytes(tag: int, count: int) -> int: ...
def numpy_tag(dtype: np.dtype[Any]) -> int | None: ...
def from_plain_array(array: np.ndarray[Any, Any], flags: int, copy: bool | None) -> Tensor: ...
def from_memory(array: np.ndarray[Any, Any], tag: int, shape: tuple[int, ...], flags: int) -> Tensor: ...
def describe(
    type_tag: int,
    layout_tag: int,
    shape: tuple[int, ...],
    byte_offset: int,
    fields: Sequence[tuple[str, int, int, Any]],
) -> Descriptor: ...
def convert_layout(
    tensor: Tensor,
    target: Descriptor | None,
    into: Buffer | None,
    settings: list[tuple[int, int]],
    progress: Progress | None,
) -> Tensor: ...
def convert_to_numbers(
    tensor: Tensor, tag: int, into: Buffer | None, settings: list[tuple[int, int]], progress: Progress | None
) -> Tensor: ...
def convert_to_codes(
    tensor: Tensor,
    target: Descriptor,
    parameters: list[Buffer] | None,
    into: Buffer | None,
    settings: list[tuple[int, int]],
    progress: Progress | None,
) -> Tensor: ...
def convert_part(
    tensor: Tensor,
    start: list[int],
    stop: list[int],
    step: list[int],
    settings: list[tuple[int, int]],
    progress: Progress | None,
) -> Tensor: ...
def convert_pages(
    tensor: Tensor,
    lengths: Sequence[int] | None,
    into: Buffer | None,
    settings: list[tuple[int, int]],
    progress: Progress | None,
) -> Tensor: ...
def convert_composite(
    composite: Composite, into: Buffer | None, settings: list[tuple[int, int]], progress: Progress | None
) -> Tensor: ...
def convert_packing(
    tensor: Tensor, tag: int | None, into: Buffer | None, settings: list[tuple[int, int]], progress: Progress | None
) -> Tensor: ...
def allocate(size: int, flags: int) -> Buffer: ...
def wrap_bytes(array: np.ndarray[Any, Any], copy: bool) -> tuple[Buffer, int]: ...
def bind(descriptor: Descriptor, buffers: Sequence[Buffer]) -> Tensor: ...
def wrap_aligned(array: np.ndarray[Any, Any]) -> Buffer | None: ...
def copy_into(array: np.ndarray[Any, Any], dtype: np.dtype[Any], reason: int) -> Buffer: ...
def assemble(
    type_tag: int,
    layout_tag: int,
    shape: tuple[int, ...],
    byte_offset: int,
    start: int,
    fields: Sequence[tuple[str, int, int, Any]],
    buffers: Sequence[Buffer],
) -> Tensor: ...

ERR_BUFFER_MISMATCH: Final[int]
ERR_UNSUPPORTED: Final[int]
ERR_INVALID_ARGUMENT: Final[int]
ERR_COPY_REQUIRED: Final[int]
ERR_NOT_FOUND: Final[int]
OPTION_PERMISSIVE: Final[int]
OPTION_MAX_DESCRIPTOR_BYTES: Final[int]
OPTION_MAX_BUFFER_BYTES: Final[int]
OPTION_MAX_COMPOSITE_DEPTH: Final[int]
OPTION_MAP: Final[int]
OPTION_VERIFY: Final[int]
OPTION_DATA_ALIGNMENT: Final[int]
OPTION_SORTED_INDEX: Final[int]
OPTION_KV_MODE: Final[int]
OPTION_DURABLE: Final[int]
OPTION_COMPACT: Final[int]
OPTION_DUPLICATES: Final[int]
OPTION_PARTIAL_BLOCKS: Final[int]
OPTION_CROSS_MACHINE: Final[int]
OPTION_READ_AHEAD: Final[int]
OPTION_FLAT: Final[int]
OPTION_COPY: Final[int]
OPTION_THREADS: Final[int]
SPACE_ELEMENT_TYPE: Final[int]
SPACE_LAYOUT: Final[int]
SPACE_SCHEME: Final[int]
SPACE_DEVICE: Final[int]
SPACE_MEMORY_CLASS: Final[int]
SPACE_COMPOSITION_RULE: Final[int]
SPACE_COMBINE_OP: Final[int]
SPACE_KV_ROLE: Final[int]
KIND_FLOAT: Final[int]
KIND_INTEGER: Final[int]
KIND_SIGNED: Final[int]
KIND_COMPLEX: Final[int]
KIND_SUB_BYTE: Final[int]
KIND_TIER_1: Final[int]
TYPE_BOOL: Final[int]
TYPE_FLOAT32: Final[int]
LAYOUT_ROW_MAJOR: Final[int]
LAYOUT_COLUMN_MAJOR: Final[int]
LAYOUT_STRIDED: Final[int]
LAYOUT_TILED: Final[int]
LAYOUT_MORTON: Final[int]
LAYOUT_COO: Final[int]
LAYOUT_CSR: Final[int]
LAYOUT_CSC: Final[int]
LAYOUT_CSF: Final[int]
LAYOUT_BLOCK_PAGED: Final[int]
LAYOUT_COMPOSITE: Final[int]
LAYOUT_HILBERT: Final[int]
SCHEME_PER_TENSOR_AFFINE: Final[int]
SCHEME_PER_CHANNEL_AFFINE: Final[int]
SCHEME_PER_BLOCK_AFFINE: Final[int]
SCHEME_NF4: Final[int]
SCHEME_MXFP: Final[int]
OP_NONE: Final[int]
ROLE_VALUES: Final[int]
ROLE_INDICES: Final[int]
ROLE_POINTERS: Final[int]
ROLE_SCALES: Final[int]
ROLE_ZERO_POINTS: Final[int]
LAYOUT_FIELD_UNKNOWN_DATA: Final[int]
LAYOUT_FIELD_STRIDED_STRIDES: Final[int]
LAYOUT_FIELD_TILED_TILE_SHAPE: Final[int]
LAYOUT_FIELD_TILED_OUTER_LAYOUT: Final[int]
LAYOUT_FIELD_TILED_INNER_LAYOUT: Final[int]
LAYOUT_FIELD_TILED_OUTER_STRIDES: Final[int]
LAYOUT_FIELD_TILED_INNER_STRIDES: Final[int]
LAYOUT_FIELD_TILED_DEPTH: Final[int]
LAYOUT_FIELD_MORTON_BITS: Final[int]
LAYOUT_FIELD_COO_NNZ: Final[int]
LAYOUT_FIELD_COO_IS_SORTED: Final[int]
LAYOUT_FIELD_CSR_NNZ: Final[int]
LAYOUT_FIELD_CSC_NNZ: Final[int]
LAYOUT_FIELD_CSF_NNZ: Final[int]
LAYOUT_FIELD_CSF_MODE_ORDER: Final[int]
LAYOUT_FIELD_BLOCK_PAGED_PAGE_SIZE: Final[int]
LAYOUT_FIELD_BLOCK_PAGED_NUM_PAGES: Final[int]
LAYOUT_FIELD_BLOCK_PAGED_PAGED_AXIS: Final[int]
LAYOUT_FIELD_BLOCK_PAGED_NUM_SEQS: Final[int]
LAYOUT_FIELD_BLOCK_PAGED_KV_ROLE: Final[int]
LAYOUT_FIELD_BLOCK_PAGED_LAYER_INDEX: Final[int]
LAYOUT_FIELD_BLOCK_PAGED_BLOCK_TABLE_INDEX_TYPE: Final[int]
LAYOUT_FIELD_COMPOSITE_RULE: Final[int]
LAYOUT_FIELD_COMPOSITE_COMBINE_OP: Final[int]
LAYOUT_FIELD_COMPOSITE_MEMBER_COUNT: Final[int]
LAYOUT_FIELD_HILBERT_ORDER: Final[int]
LAYOUT_FIELD_HILBERT_RANK: Final[int]
LAYOUT_FIELD_PRIVATE_LAYOUT_ID: Final[int]
LAYOUT_FIELD_PRIVATE_DATA: Final[int]
QUANT_FIELD_SCHEME: Final[int]
QUANT_FIELD_SCHEME_VERSION: Final[int]
QUANT_FIELD_FLAGS: Final[int]
QUANT_FIELD_UNKNOWN_DATA: Final[int]
QUANT_FIELD_PER_TENSOR_SCALE: Final[int]
QUANT_FIELD_PER_TENSOR_ZERO_POINT: Final[int]
QUANT_FIELD_PER_CHANNEL_AXIS: Final[int]
QUANT_FIELD_PER_CHANNEL_SCALE_BUFFER: Final[int]
QUANT_FIELD_PER_CHANNEL_ZERO_POINT_BUFFER: Final[int]
QUANT_FIELD_PER_CHANNEL_SCALE_TYPE: Final[int]
QUANT_FIELD_PER_BLOCK_AXIS: Final[int]
QUANT_FIELD_PER_BLOCK_BLOCK_SIZE: Final[int]
QUANT_FIELD_PER_BLOCK_SCALE_BUFFER: Final[int]
QUANT_FIELD_PER_BLOCK_ZERO_POINT_BUFFER: Final[int]
QUANT_FIELD_PER_BLOCK_SCALE_TYPE: Final[int]
QUANT_FIELD_NF4_AXIS: Final[int]
QUANT_FIELD_NF4_BLOCK_SIZE: Final[int]
QUANT_FIELD_NF4_SCALE_BUFFER: Final[int]
QUANT_FIELD_MXFP_AXIS: Final[int]
QUANT_FIELD_MXFP_BLOCK_SIZE: Final[int]
QUANT_FIELD_MXFP_SCALE_BUFFER: Final[int]
SHARD_FIELD_PARENT_SHAPE: Final[int]
SHARD_FIELD_OFFSET: Final[int]
STATS_FIELD_COMPUTED_MASK: Final[int]
STATS_FIELD_NNZ: Final[int]
STATS_FIELD_SPARSITY_RATIO: Final[int]
STATS_FIELD_MIN: Final[int]
STATS_FIELD_MAX: Final[int]
STATS_FIELD_ABS_MAX: Final[int]
STATS_FIELD_MEAN: Final[int]
STATS_FIELD_STDDEV: Final[int]
STATS_FIELD_NM_N: Final[int]
STATS_FIELD_NM_M: Final[int]
STATS_FIELD_HAS_NAN: Final[int]
STATS_FIELD_HAS_INF: Final[int]
EXT_TYPE_FIELD_BIT_WIDTH: Final[int]
EXT_TYPE_FIELD_PACKING_FACTOR: Final[int]
EXT_TYPE_FIELD_IS_FLOAT: Final[int]
EXT_TYPE_FIELD_IS_SIGNED: Final[int]
EXT_TYPE_FIELD_SIGN_BITS: Final[int]
EXT_TYPE_FIELD_EXPONENT_BITS: Final[int]
EXT_TYPE_FIELD_MANTISSA_BITS: Final[int]
EXT_TYPE_FIELD_EXPONENT_BIAS: Final[int]
EXT_TYPE_FIELD_HAS_NAN: Final[int]
EXT_TYPE_FIELD_HAS_INF: Final[int]
HEADER_FIELD_ELEMENT_TYPE: Final[int]
HEADER_FIELD_LAYOUT: Final[int]
HEADER_FIELD_SHAPE: Final[int]
HEADER_FIELD_BYTE_OFFSET: Final[int]
BUFFER_COPIED_ALIGNMENT: Final[int]
BUFFER_COPIED_WIDTH: Final[int]
BUFFER_COPIED_PACKING: Final[int]
BUFFER_COPIED_ON_REQUEST: Final[int]
HEADER_FIELD_BUFFER_COUNT: Final[int]
BUFFER_FIELD_BYTE_SIZE: Final[int]
BUFFER_FIELD_ALIGNMENT: Final[int]
BUFFER_FIELD_DEVICE_TAG: Final[int]
BUFFER_FIELD_SYNC_MODE: Final[int]
BUFFER_FIELD_MEMORY_CLASS: Final[int]
BUFFER_FIELD_ROLE: Final[int]
SPACE_SYNC_MODE: Final[int]
SPACE_BUFFER_ROLE: Final[int]
BUFFER_FIELD_ROLE_LEVEL: Final[int]
SPACE_MEMBER_ROLE: Final[int]
MEMBER_FIELD_ROLE: Final[int]
