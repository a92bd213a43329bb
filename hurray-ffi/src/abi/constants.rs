//! The numbers of the header. Wire tags equal the bytes of the written format.

// Statuses

/// Success.
pub const HURRAY_OK: i32 = 0;

/// Progress: feed more bytes.
pub const HURRAY_NEED_MORE: i32 = 1;

/// Progress: a clean end.
pub const HURRAY_END: i32 = 2;

/// The bytes do not start, or end, with the magic of the format.
pub const HURRAY_ERR_INVALID_MAGIC: i32 = -1;

/// A version that this library does not read; or a handle of another C ABI version.
pub const HURRAY_ERR_VERSION_MISMATCH: i32 = -2;

/// A layout tag or field that breaks a rule of its layout.
pub const HURRAY_ERR_INVALID_LAYOUT: i32 = -3;

/// An element type, device or memory class that does not exist or does not fit.
pub const HURRAY_ERR_INVALID_TYPE: i32 = -4;

/// The array is too short; the true length was written. An answer: no text is stored, but for a buffer that a result does not fit into.
pub const HURRAY_ERR_BUFFER_TOO_SMALL: i32 = -5;

/// A required pointer is NULL.
pub const HURRAY_ERR_NULL_POINTER: i32 = -6;

/// A bug in the library, stopped at the boundary.
pub const HURRAY_ERR_INTERNAL_PANIC: i32 = -7;

/// A sync mode that does not exist, or may not be used here.
pub const HURRAY_ERR_INVALID_SYNC_MODE: i32 = -8;

/// The sync payload, or a buffer's mode, differs from what was declared.
pub const HURRAY_ERR_SYNC_MODE_MISMATCH: i32 = -9;

/// A state that should not occur; a bug in the library.
pub const HURRAY_ERR_INTERNAL: i32 = -10;

/// An index, or a level, beyond what there is.
pub const HURRAY_ERR_INDEX_OUT_OF_BOUNDS: i32 = -11;

/// The descriptor does not carry this field. An answer: no text is stored.
pub const HURRAY_ERR_FIELD_NOT_PRESENT: i32 = -12;

/// The field or part belongs to another layout or scheme. An answer: no text is stored.
pub const HURRAY_ERR_FIELD_NOT_APPLICABLE: i32 = -13;

/// A descriptor that breaks a rule outside its layout and types.
pub const HURRAY_ERR_INVALID_DESCRIPTOR: i32 = -14;

/// The bytes end inside something.
pub const HURRAY_ERR_TRUNCATED: i32 = -15;

/// Arithmetic would leave its range.
pub const HURRAY_ERR_OVERFLOW: i32 = -16;

/// A buffer is smaller, elsewhere or otherwise than the descriptor demands.
pub const HURRAY_ERR_BUFFER_MISMATCH: i32 = -17;

/// The operating system, or a callback of the host, failed.
pub const HURRAY_ERR_IO: i32 = -18;

/// No such name, key or tag. An answer: no text is stored.
pub const HURRAY_ERR_NOT_FOUND: i32 = -19;

/// Well-formed, but this library, or this copy of it, cannot do it.
pub const HURRAY_ERR_UNSUPPORTED: i32 = -20;

/// An argument that no call could accept.
pub const HURRAY_ERR_INVALID_ARGUMENT: i32 = -21;

/// Beyond a fixed or configured limit.
pub const HURRAY_ERR_LIMIT_EXCEEDED: i32 = -22;

/// The structure of a file or message is broken, or a checksum differs.
pub const HURRAY_ERR_CORRUPT: i32 = -23;

/// The input ends between the members of a composite.
pub const HURRAY_ERR_TORN: i32 = -24;

/// An allocation failed.
pub const HURRAY_ERR_OUT_OF_MEMORY: i32 = -25;

/// Not a usable handle of this type, or not the caller's to change.
pub const HURRAY_ERR_INVALID_HANDLE: i32 = -26;

/// A name or key occurs twice.
pub const HURRAY_ERR_DUPLICATE: i32 = -27;

/// The call was cancelled through its options.
pub const HURRAY_ERR_CANCELLED: i32 = -28;

/// A copy would be needed, and copying was forbidden.
pub const HURRAY_ERR_COPY_REQUIRED: i32 = -29;

// Spaces of `hurray_tag_name`

/// Tag space: element types.
pub const HURRAY_SPACE_ELEMENT_TYPE: u32 = 1;

/// Tag space: layouts.
pub const HURRAY_SPACE_LAYOUT: u32 = 2;

/// Tag space: schemes.
pub const HURRAY_SPACE_SCHEME: u32 = 3;

/// Tag space: devices.
pub const HURRAY_SPACE_DEVICE: u32 = 4;

/// Tag space: memory classes.
pub const HURRAY_SPACE_MEMORY_CLASS: u32 = 5;

/// Tag space: sync modes.
pub const HURRAY_SPACE_SYNC_MODE: u32 = 6;

/// Tag space: composition rules.
pub const HURRAY_SPACE_COMPOSITION_RULE: u32 = 7;

/// Tag space: combine ops.
pub const HURRAY_SPACE_COMBINE_OP: u32 = 8;

/// Tag space: member roles.
pub const HURRAY_SPACE_MEMBER_ROLE: u32 = 9;

/// Tag space: key-value types.
pub const HURRAY_SPACE_KV_TYPE: u32 = 10;

/// Tag space: roles of a block-paged pool.
pub const HURRAY_SPACE_KV_ROLE: u32 = 11;

/// Tag space: buffer roles.
pub const HURRAY_SPACE_BUFFER_ROLE: u32 = 12;

// Kind bits of `hurray_element_type_info`

/// Floating-point numbers.
pub const HURRAY_KIND_FLOAT: u32 = 1;

/// Whole numbers.
pub const HURRAY_KIND_INTEGER: u32 = 2;

/// The type has negative values.
pub const HURRAY_KIND_SIGNED: u32 = 4;

/// Real and imaginary parts.
pub const HURRAY_KIND_COMPLEX: u32 = 8;

/// Truth values, one bit each.
pub const HURRAY_KIND_BOOL: u32 = 16;

/// Less than a byte wide: elements are packed.
pub const HURRAY_KIND_SUB_BYTE: u32 = 32;

/// Every reader must know it.
pub const HURRAY_KIND_TIER_1: u32 = 64;

// Element types

/// Element type: 16-bit IEEE float.
pub const HURRAY_TYPE_FLOAT16: u8 = 0x01;

/// Element type: 16-bit float with 8 exponent bits.
pub const HURRAY_TYPE_BFLOAT16: u8 = 0x02;

/// Element type: 32-bit IEEE float.
pub const HURRAY_TYPE_FLOAT32: u8 = 0x03;

/// Element type: 64-bit IEEE float.
pub const HURRAY_TYPE_FLOAT64: u8 = 0x04;

/// Element type: 8-bit signed integer.
pub const HURRAY_TYPE_INT8: u8 = 0x10;

/// Element type: 8-bit unsigned integer.
pub const HURRAY_TYPE_UINT8: u8 = 0x11;

/// Element type: 16-bit signed integer.
pub const HURRAY_TYPE_INT16: u8 = 0x12;

/// Element type: 16-bit unsigned integer.
pub const HURRAY_TYPE_UINT16: u8 = 0x13;

/// Element type: 32-bit signed integer.
pub const HURRAY_TYPE_INT32: u8 = 0x14;

/// Element type: 32-bit unsigned integer.
pub const HURRAY_TYPE_UINT32: u8 = 0x15;

/// Element type: 64-bit signed integer.
pub const HURRAY_TYPE_INT64: u8 = 0x16;

/// Element type: 64-bit unsigned integer.
pub const HURRAY_TYPE_UINT64: u8 = 0x17;

/// Element type: truth value; eight to a byte, lowest bit first.
pub const HURRAY_TYPE_BOOL: u8 = 0x20;

/// Element type: 8-bit float, 4 exponent and 3 fraction bits; no infinity.
pub const HURRAY_TYPE_FLOAT8_E4M3: u8 = 0x40;

/// Element type: 8-bit float, 5 exponent and 2 fraction bits.
pub const HURRAY_TYPE_FLOAT8_E5M2: u8 = 0x41;

/// Element type: 8-bit power of two; no sign, no zero.
pub const HURRAY_TYPE_FLOAT8_E8M0: u8 = 0x42;

/// Element type: 4-bit float; two to a byte, low half first.
pub const HURRAY_TYPE_FLOAT4_E2M1: u8 = 0x43;

/// Element type: 6-bit float, 2 exponent and 3 fraction bits; four to three bytes.
pub const HURRAY_TYPE_FLOAT6_E2M3: u8 = 0x44;

/// Element type: 6-bit float, 3 exponent and 2 fraction bits; four to three bytes.
pub const HURRAY_TYPE_FLOAT6_E3M2: u8 = 0x45;

/// Element type: 128-bit IEEE float.
pub const HURRAY_TYPE_FLOAT128: u8 = 0x46;

/// Element type: 4-bit signed integer; two to a byte, low half first.
pub const HURRAY_TYPE_INT4: u8 = 0x48;

/// Element type: 4-bit unsigned integer; two to a byte, low half first.
pub const HURRAY_TYPE_UINT4: u8 = 0x49;

/// Element type: 2-bit signed integer; four to a byte, lowest bits first.
pub const HURRAY_TYPE_INT2: u8 = 0x4A;

/// Element type: 2-bit unsigned integer; four to a byte, lowest bits first.
pub const HURRAY_TYPE_UINT2: u8 = 0x4B;

/// Element type: two float32: real, imaginary.
pub const HURRAY_TYPE_COMPLEX64: u8 = 0x50;

/// Element type: two float64: real, imaginary.
pub const HURRAY_TYPE_COMPLEX128: u8 = 0x51;

// Layouts

/// Layout: last dimension fastest.
pub const HURRAY_LAYOUT_ROW_MAJOR: u8 = 0x01;

/// Layout: first dimension fastest.
pub const HURRAY_LAYOUT_COLUMN_MAJOR: u8 = 0x02;

/// Layout: one stride a dimension, in elements.
pub const HURRAY_LAYOUT_STRIDED: u8 = 0x03;

/// Layout: tiles, possibly of tiles.
pub const HURRAY_LAYOUT_TILED: u8 = 0x04;

/// Layout: interleaved index bits.
pub const HURRAY_LAYOUT_MORTON: u8 = 0x05;

/// Layout: sparse, one coordinate tuple an entry.
pub const HURRAY_LAYOUT_COO: u8 = 0x06;

/// Layout: sparse, compressed rows.
pub const HURRAY_LAYOUT_CSR: u8 = 0x07;

/// Layout: sparse, compressed columns.
pub const HURRAY_LAYOUT_CSC: u8 = 0x08;

/// Layout: sparse, compressed fibres: a tree of coordinates.
pub const HURRAY_LAYOUT_CSF: u8 = 0x09;

/// Layout: pages reached through a table.
pub const HURRAY_LAYOUT_BLOCK_PAGED: u8 = 0x0A;

/// Layout: the head of a composite; it holds nothing of its own.
pub const HURRAY_LAYOUT_COMPOSITE: u8 = 0x0B;

/// Layout: along a Hilbert curve.
pub const HURRAY_LAYOUT_HILBERT: u8 = 0x40;

// Quantization schemes

/// Scheme: one scale and zero point.
pub const HURRAY_SCHEME_PER_TENSOR_AFFINE: u8 = 1;

/// Scheme: a scale and zero point for each index of an axis.
pub const HURRAY_SCHEME_PER_CHANNEL_AFFINE: u8 = 2;

/// Scheme: a scale and zero point for each block along an axis.
pub const HURRAY_SCHEME_PER_BLOCK_AFFINE: u8 = 3;

/// Scheme: 16 fixed levels, a scale for each block.
pub const HURRAY_SCHEME_NF4: u8 = 4;

/// Scheme: narrow floats, a power-of-two scale for each block.
pub const HURRAY_SCHEME_MXFP: u8 = 5;

// Devices

/// Device: the host.
pub const HURRAY_DEVICE_CPU: u8 = 0;

/// Device: CUDA.
pub const HURRAY_DEVICE_CUDA: u8 = 1;

/// Device: ROCm.
pub const HURRAY_DEVICE_ROCM: u8 = 2;

/// Device: Metal.
pub const HURRAY_DEVICE_METAL: u8 = 3;

/// Device: Vulkan.
pub const HURRAY_DEVICE_VULKAN: u8 = 4;

/// Device: WebGPU.
pub const HURRAY_DEVICE_WEBGPU: u8 = 5;

/// Device: Hexagon.
pub const HURRAY_DEVICE_HEXAGON: u8 = 6;

/// Device: Level Zero.
pub const HURRAY_DEVICE_LEVEL_ZERO: u8 = 7;

/// Device: OpenCL.
pub const HURRAY_DEVICE_OPENCL: u8 = 8;

// Memory classes

/// Memory class: the device's own.
pub const HURRAY_MEMORY_STANDARD: u8 = 0;

/// Memory class: host memory that the device can reach.
pub const HURRAY_MEMORY_HOST_PINNED: u8 = 1;

/// Memory class: coherent for host and device.
pub const HURRAY_MEMORY_UNIFIED: u8 = 2;

/// Memory class: reachable by agreed peer devices only.
pub const HURRAY_MEMORY_PEER: u8 = 3;

// Sync modes

/// Sync mode: the producer has waited for its own work.
pub const HURRAY_SYNC_PRODUCER_SYNCED: u8 = 0;

/// Sync mode: the consumer waits for an event.
pub const HURRAY_SYNC_EVENT: u8 = 1;

/// Sync mode: the producer's work was ordered before the consumer's stream.
pub const HURRAY_SYNC_CONSUMER_STREAM: u8 = 2;

// Composites

/// Composition rule: members tile the head.
pub const HURRAY_RULE_PARTITION: u8 = 1;

/// Composition rule: corrections over a base.
pub const HURRAY_RULE_OVERLAY: u8 = 2;

/// Composition rule: members stand beside each other.
pub const HURRAY_RULE_GROUP: u8 = 3;

/// Combine op: none; every rule but overlay.
pub const HURRAY_OP_NONE: u8 = 0;

/// Combine op: a correction replaces what it covers.
pub const HURRAY_OP_REPLACE: u8 = 1;

/// Combine op: a correction is added.
pub const HURRAY_OP_ADD: u8 = 2;

/// Member role: a correction.
pub const HURRAY_MEMBER_CORRECTION: u8 = 0;

/// Member role: the base.
pub const HURRAY_MEMBER_BASE: u8 = 1;

// Key-value types

/// Key-value type: text, UTF-8.
pub const HURRAY_KV_STRING: u8 = 1;

/// Key-value type: signed integer.
pub const HURRAY_KV_INT64: u8 = 2;

/// Key-value type: unsigned integer.
pub const HURRAY_KV_UINT64: u8 = 3;

/// Key-value type: float64.
pub const HURRAY_KV_FLOAT64: u8 = 4;

/// Key-value type: truth value.
pub const HURRAY_KV_BOOL: u8 = 5;

/// Key-value type: bytes.
pub const HURRAY_KV_BYTES: u8 = 6;

/// Key-value type: an array of one of the types above.
pub const HURRAY_KV_ARRAY: u8 = 7;

// Roles of a block-paged cache

/// Block-paged role: keys.
pub const HURRAY_KV_ROLE_KEY: u8 = 0;

/// Block-paged role: values.
pub const HURRAY_KV_ROLE_VALUE: u8 = 1;

/// Block-paged role: both, or other.
pub const HURRAY_KV_ROLE_FUSED: u8 = 2;

// Roles of buffers and parts

/// Buffer role: unknown, of a private layout.
pub const HURRAY_ROLE_UNKNOWN: u32 = 0;

/// Buffer role: element values: `[nnz]`, or pages `[num_pages, page_size, H, D]`.
pub const HURRAY_ROLE_VALUES: u32 = 1;

/// Buffer role: coordinates: COO `[nnz, rank]`, CSR and CSC `[nnz]`.
pub const HURRAY_ROLE_INDICES: u32 = 2;

/// Buffer role: row or column pointers, `[rows + 1]` or `[columns + 1]`.
pub const HURRAY_ROLE_POINTERS: u32 = 3;

/// Buffer role: positions of a tree level.
pub const HURRAY_ROLE_CSF_POS: u32 = 4;

/// Buffer role: coordinates of a tree level.
pub const HURRAY_ROLE_CSF_CRD: u32 = 5;

/// Buffer role: page numbers.
pub const HURRAY_ROLE_BLOCK_TABLE: u32 = 6;

/// Buffer role: starts of sequences in the block table.
pub const HURRAY_ROLE_SEQ_PTR: u32 = 7;

/// Buffer role: scales of a scheme; also an entry that holds scales and zero points.
pub const HURRAY_ROLE_SCALES: u32 = 8;

/// Buffer role: zero points of a scheme.
pub const HURRAY_ROLE_ZERO_POINTS: u32 = 9;

// View flags of `hurray_tensor_array_view`

/// The memory must not be written to.
pub const HURRAY_VIEW_READ_ONLY: u32 = 1;

/// The strides are those of row-major order.
pub const HURRAY_VIEW_ROW_MAJOR: u32 = 2;

/// The strides are those of column-major order.
pub const HURRAY_VIEW_COLUMN_MAJOR: u32 = 4;

/// The data pointer is not aligned for its element.
pub const HURRAY_VIEW_MISALIGNED: u32 = 8;

/// Elements are packed below a byte: strides are not given.
pub const HURRAY_VIEW_PACKED: u32 = 16;

// Decoding

/// Keeps what is not understood as opaque parts instead of refusing it.
pub const HURRAY_DECODE_PERMISSIVE: u32 = 1;
