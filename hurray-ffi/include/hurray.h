/**
 * hurray.h: the C ABI of libhurray, a tensor interchange library.
 *
 * Generated from hurray-ffi/src/abi by cbindgen; do not edit. `make header` writes it anew.
 *
 * Conventions, which hold for every function unless its own text says otherwise:
 *
 * Status.  Functions return a `HurrayStatus`: 0 is success, negative is an error, positive is progress. Results come
 *     through `out_` pointers and are written on success only, save that a handle out-parameter is NULL after a
 *     failure. What failed, by rule, field, value and offset, is the text of `hurray_last_error_message`.
 * Version.  Compare `hurray_c_abi_version()` with `HURRAY_C_ABI_VERSION` once, and call `hurray_tensor_abi_version`
 *     first on every tensor that came from elsewhere.
 * Handles.  Opaque, and yours to destroy unless the text says *borrowed*; a borrowed handle lives as long as the handle
 *     that gave it, and cannot be changed or destroyed. `hurray_X_destroy` writes NULL through the pointer; NULL does
 *     nothing. Handles of any copy of the library in the process may be given to any other.
 * Ownership.  Two arguments are consumed, on success only: the buffer of `hurray_buffer_list_push` and the list of the
 *     tensor constructors. After a failure everything is still the caller's, and no callback has run.
 * Memory.  The library never frees what the host allocated, nor the reverse.
 * NULL.  A required pointer that is NULL, or NULL with a length above 0, is `HURRAY_ERR_NULL_POINTER`; NULL with length
 *     0 is an empty array.
 * Arrays out.  `*out_len` is the array's room in and the true length out. When the room is too small, or the array is
 *     NULL, the answer is `HURRAY_ERR_BUFFER_TOO_SMALL` and the array is untouched: call again with that length.
 * Text.  UTF-8 with a length, never NUL-terminated, except static strings.
 * Threads.  A handle may move between threads. Any number may read one handle at once; one at a time may change it.
 */

#ifndef HURRAY_H
#define HURRAY_H

#include <stddef.h>
#include <stdint.h>

/* ---- Version ----------------------------------------------------------------------------------------------------- */

/**
 * The version of this header. Compare it with `hurray_c_abi_version()` before any other call: a difference means that
 * the header and the library do not belong together, and nothing else may be called.
 */
#define HURRAY_C_ABI_VERSION 10

/* ---- Statuses ---------------------------------------------------------------------------------------------------- */

#define HURRAY_OK                           0 /**< Success. */
#define HURRAY_NEED_MORE                    1 /**< Progress: feed more bytes. */
#define HURRAY_END                          2 /**< Progress: a clean end. */
#define HURRAY_ERR_INVALID_MAGIC         (-1) /**< The bytes do not start, or end, with the magic of the format. */
#define HURRAY_ERR_VERSION_MISMATCH      (-2) /**< A version that this library does not read; or a handle of another C ABI version. */
#define HURRAY_ERR_INVALID_LAYOUT        (-3) /**< A layout tag or field that breaks a rule of its layout. */
#define HURRAY_ERR_INVALID_TYPE          (-4) /**< An element type, device or memory class that does not exist or does not fit. */
#define HURRAY_ERR_BUFFER_TOO_SMALL      (-5) /**< The array is too short; the true length was written. An answer: no text is stored, but for a buffer that a result does not fit into. */
#define HURRAY_ERR_NULL_POINTER          (-6) /**< A required pointer is NULL. */
#define HURRAY_ERR_INTERNAL_PANIC        (-7) /**< A bug in the library, stopped at the boundary. */
#define HURRAY_ERR_INVALID_SYNC_MODE     (-8) /**< A sync mode that does not exist, or may not be used here. */
#define HURRAY_ERR_SYNC_MODE_MISMATCH    (-9) /**< The sync payload, or a buffer's mode, differs from what was declared. */
#define HURRAY_ERR_INTERNAL             (-10) /**< A state that should not occur; a bug in the library. */
#define HURRAY_ERR_INDEX_OUT_OF_BOUNDS  (-11) /**< An index, or a level, beyond what there is. */
#define HURRAY_ERR_FIELD_NOT_PRESENT    (-12) /**< The descriptor does not carry this field. An answer: no text is stored. */
#define HURRAY_ERR_FIELD_NOT_APPLICABLE (-13) /**< The field or part belongs to another layout or scheme. An answer: no text is stored. */
#define HURRAY_ERR_INVALID_DESCRIPTOR   (-14) /**< A descriptor that breaks a rule outside its layout and types. */
#define HURRAY_ERR_TRUNCATED            (-15) /**< The bytes end inside something. */
#define HURRAY_ERR_OVERFLOW             (-16) /**< Arithmetic would leave its range. */
#define HURRAY_ERR_BUFFER_MISMATCH      (-17) /**< A buffer is smaller, elsewhere or otherwise than the descriptor demands. */
#define HURRAY_ERR_IO                   (-18) /**< The operating system, or a callback of the host, failed. */
#define HURRAY_ERR_NOT_FOUND            (-19) /**< No such name, key or tag. An answer: no text is stored. */
#define HURRAY_ERR_UNSUPPORTED          (-20) /**< Well-formed, but this library, or this copy of it, cannot do it. */
#define HURRAY_ERR_INVALID_ARGUMENT     (-21) /**< An argument that no call could accept. */
#define HURRAY_ERR_LIMIT_EXCEEDED       (-22) /**< Beyond a fixed or configured limit. */
#define HURRAY_ERR_CORRUPT              (-23) /**< The structure of a file or message is broken, or a checksum differs. */
#define HURRAY_ERR_TORN                 (-24) /**< The input ends between the members of a composite. */
#define HURRAY_ERR_OUT_OF_MEMORY        (-25) /**< An allocation failed. */
#define HURRAY_ERR_INVALID_HANDLE       (-26) /**< Not a usable handle of this type, or not the caller's to change. */
#define HURRAY_ERR_DUPLICATE            (-27) /**< A name or key occurs twice. */
#define HURRAY_ERR_CANCELLED            (-28) /**< The call was cancelled through its options. */
#define HURRAY_ERR_COPY_REQUIRED        (-29) /**< A copy would be needed, and copying was forbidden. */

/* ---- Tag spaces -------------------------------------------------------------------------------------------------- */

#define HURRAY_SPACE_ELEMENT_TYPE      1 /**< Tag space: element types. */
#define HURRAY_SPACE_LAYOUT            2 /**< Tag space: layouts. */
#define HURRAY_SPACE_SCHEME            3 /**< Tag space: schemes. */
#define HURRAY_SPACE_DEVICE            4 /**< Tag space: devices. */
#define HURRAY_SPACE_MEMORY_CLASS      5 /**< Tag space: memory classes. */
#define HURRAY_SPACE_SYNC_MODE         6 /**< Tag space: sync modes. */
#define HURRAY_SPACE_COMPOSITION_RULE  7 /**< Tag space: composition rules. */
#define HURRAY_SPACE_COMBINE_OP        8 /**< Tag space: combine ops. */
#define HURRAY_SPACE_MEMBER_ROLE       9 /**< Tag space: member roles. */
#define HURRAY_SPACE_KV_TYPE          10 /**< Tag space: key-value types. */
#define HURRAY_SPACE_KV_ROLE          11 /**< Tag space: roles of a block-paged pool. */
#define HURRAY_SPACE_BUFFER_ROLE      12 /**< Tag space: buffer roles. */

/* ---- Kinds of element types, bits -------------------------------------------------------------------------------- */

#define HURRAY_KIND_FLOAT     1 /**< Floating-point numbers. */
#define HURRAY_KIND_INTEGER   2 /**< Whole numbers. */
#define HURRAY_KIND_SIGNED    4 /**< The type has negative values. */
#define HURRAY_KIND_COMPLEX   8 /**< Real and imaginary parts. */
#define HURRAY_KIND_BOOL     16 /**< Truth values, one bit each. */
#define HURRAY_KIND_SUB_BYTE 32 /**< Less than a byte wide: elements are packed. */
#define HURRAY_KIND_TIER_1   64 /**< Every reader must know it. */

/* ---- Element types ----------------------------------------------------------------------------------------------- */

#define HURRAY_TYPE_FLOAT16      1 /**< Element type: 16-bit IEEE float. */
#define HURRAY_TYPE_BFLOAT16     2 /**< Element type: 16-bit float with 8 exponent bits. */
#define HURRAY_TYPE_FLOAT32      3 /**< Element type: 32-bit IEEE float. */
#define HURRAY_TYPE_FLOAT64      4 /**< Element type: 64-bit IEEE float. */
#define HURRAY_TYPE_INT8        16 /**< Element type: 8-bit signed integer. */
#define HURRAY_TYPE_UINT8       17 /**< Element type: 8-bit unsigned integer. */
#define HURRAY_TYPE_INT16       18 /**< Element type: 16-bit signed integer. */
#define HURRAY_TYPE_UINT16      19 /**< Element type: 16-bit unsigned integer. */
#define HURRAY_TYPE_INT32       20 /**< Element type: 32-bit signed integer. */
#define HURRAY_TYPE_UINT32      21 /**< Element type: 32-bit unsigned integer. */
#define HURRAY_TYPE_INT64       22 /**< Element type: 64-bit signed integer. */
#define HURRAY_TYPE_UINT64      23 /**< Element type: 64-bit unsigned integer. */
#define HURRAY_TYPE_BOOL        32 /**< Element type: truth value; eight to a byte, lowest bit first. */
#define HURRAY_TYPE_FLOAT8_E4M3 64 /**< Element type: 8-bit float, 4 exponent and 3 fraction bits; no infinity. */
#define HURRAY_TYPE_FLOAT8_E5M2 65 /**< Element type: 8-bit float, 5 exponent and 2 fraction bits. */
#define HURRAY_TYPE_FLOAT8_E8M0 66 /**< Element type: 8-bit power of two; no sign, no zero. */
#define HURRAY_TYPE_FLOAT4_E2M1 67 /**< Element type: 4-bit float; two to a byte, low half first. */
#define HURRAY_TYPE_FLOAT6_E2M3 68 /**< Element type: 6-bit float, 2 exponent and 3 fraction bits; four to three bytes. */
#define HURRAY_TYPE_FLOAT6_E3M2 69 /**< Element type: 6-bit float, 3 exponent and 2 fraction bits; four to three bytes. */
#define HURRAY_TYPE_FLOAT128    70 /**< Element type: 128-bit IEEE float. */
#define HURRAY_TYPE_INT4        72 /**< Element type: 4-bit signed integer; two to a byte, low half first. */
#define HURRAY_TYPE_UINT4       73 /**< Element type: 4-bit unsigned integer; two to a byte, low half first. */
#define HURRAY_TYPE_INT2        74 /**< Element type: 2-bit signed integer; four to a byte, lowest bits first. */
#define HURRAY_TYPE_UINT2       75 /**< Element type: 2-bit unsigned integer; four to a byte, lowest bits first. */
#define HURRAY_TYPE_COMPLEX64   80 /**< Element type: two float32: real, imaginary. */
#define HURRAY_TYPE_COMPLEX128  81 /**< Element type: two float64: real, imaginary. */

/* ---- Layouts ----------------------------------------------------------------------------------------------------- */

#define HURRAY_LAYOUT_ROW_MAJOR     1 /**< Layout: last dimension fastest. */
#define HURRAY_LAYOUT_COLUMN_MAJOR  2 /**< Layout: first dimension fastest. */
#define HURRAY_LAYOUT_STRIDED       3 /**< Layout: one stride a dimension, in elements. */
#define HURRAY_LAYOUT_TILED         4 /**< Layout: tiles, possibly of tiles. */
#define HURRAY_LAYOUT_MORTON        5 /**< Layout: interleaved index bits. */
#define HURRAY_LAYOUT_COO           6 /**< Layout: sparse, one coordinate tuple an entry. */
#define HURRAY_LAYOUT_CSR           7 /**< Layout: sparse, compressed rows. */
#define HURRAY_LAYOUT_CSC           8 /**< Layout: sparse, compressed columns. */
#define HURRAY_LAYOUT_CSF           9 /**< Layout: sparse, compressed fibres: a tree of coordinates. */
#define HURRAY_LAYOUT_BLOCK_PAGED  10 /**< Layout: pages reached through a table. */
#define HURRAY_LAYOUT_COMPOSITE    11 /**< Layout: the head of a composite; it holds nothing of its own. */
#define HURRAY_LAYOUT_HILBERT      64 /**< Layout: along a Hilbert curve. */

/* ---- Quantization schemes ---------------------------------------------------------------------------------------- */

#define HURRAY_SCHEME_PER_TENSOR_AFFINE  1 /**< Scheme: one scale and zero point. */
#define HURRAY_SCHEME_PER_CHANNEL_AFFINE 2 /**< Scheme: a scale and zero point for each index of an axis. */
#define HURRAY_SCHEME_PER_BLOCK_AFFINE   3 /**< Scheme: a scale and zero point for each block along an axis. */
#define HURRAY_SCHEME_NF4                4 /**< Scheme: 16 fixed levels, a scale for each block. */
#define HURRAY_SCHEME_MXFP               5 /**< Scheme: narrow floats, a power-of-two scale for each block. */

/* ---- Devices ----------------------------------------------------------------------------------------------------- */

#define HURRAY_DEVICE_CPU        0 /**< Device: the host. */
#define HURRAY_DEVICE_CUDA       1 /**< Device: CUDA. */
#define HURRAY_DEVICE_ROCM       2 /**< Device: ROCm. */
#define HURRAY_DEVICE_METAL      3 /**< Device: Metal. */
#define HURRAY_DEVICE_VULKAN     4 /**< Device: Vulkan. */
#define HURRAY_DEVICE_WEBGPU     5 /**< Device: WebGPU. */
#define HURRAY_DEVICE_HEXAGON    6 /**< Device: Hexagon. */
#define HURRAY_DEVICE_LEVEL_ZERO 7 /**< Device: Level Zero. */
#define HURRAY_DEVICE_OPENCL     8 /**< Device: OpenCL. */

/* ---- Memory classes ---------------------------------------------------------------------------------------------- */

#define HURRAY_MEMORY_STANDARD    0 /**< Memory class: the device's own. */
#define HURRAY_MEMORY_HOST_PINNED 1 /**< Memory class: host memory that the device can reach. */
#define HURRAY_MEMORY_UNIFIED     2 /**< Memory class: coherent for host and device. */
#define HURRAY_MEMORY_PEER        3 /**< Memory class: reachable by agreed peer devices only. */

/* ---- Sync modes -------------------------------------------------------------------------------------------------- */

#define HURRAY_SYNC_PRODUCER_SYNCED 0 /**< Sync mode: the producer has waited for its own work. */
#define HURRAY_SYNC_EVENT           1 /**< Sync mode: the consumer waits for an event. */
#define HURRAY_SYNC_CONSUMER_STREAM 2 /**< Sync mode: the producer's work was ordered before the consumer's stream. */

/* ---- Composition rules ------------------------------------------------------------------------------------------- */

#define HURRAY_RULE_PARTITION 1 /**< Composition rule: members tile the head. */
#define HURRAY_RULE_OVERLAY   2 /**< Composition rule: corrections over a base. */
#define HURRAY_RULE_GROUP     3 /**< Composition rule: members stand beside each other. */

/* ---- Combine operations ------------------------------------------------------------------------------------------ */

#define HURRAY_OP_NONE    0 /**< Combine op: none; every rule but overlay. */
#define HURRAY_OP_REPLACE 1 /**< Combine op: a correction replaces what it covers. */
#define HURRAY_OP_ADD     2 /**< Combine op: a correction is added. */

/* ---- Member roles ------------------------------------------------------------------------------------------------ */

#define HURRAY_MEMBER_CORRECTION 0 /**< Member role: a correction. */
#define HURRAY_MEMBER_BASE       1 /**< Member role: the base. */

/* ---- Key-value types --------------------------------------------------------------------------------------------- */

#define HURRAY_KV_STRING  1 /**< Key-value type: text, UTF-8. */
#define HURRAY_KV_INT64   2 /**< Key-value type: signed integer. */
#define HURRAY_KV_UINT64  3 /**< Key-value type: unsigned integer. */
#define HURRAY_KV_FLOAT64 4 /**< Key-value type: float64. */
#define HURRAY_KV_BOOL    5 /**< Key-value type: truth value. */
#define HURRAY_KV_BYTES   6 /**< Key-value type: bytes. */
#define HURRAY_KV_ARRAY   7 /**< Key-value type: an array of one of the types above. */

/* ---- Roles of a block-paged pool --------------------------------------------------------------------------------- */

#define HURRAY_KV_ROLE_KEY   0 /**< Block-paged role: keys. */
#define HURRAY_KV_ROLE_VALUE 1 /**< Block-paged role: values. */
#define HURRAY_KV_ROLE_FUSED 2 /**< Block-paged role: both, or other. */

/* ---- Roles of buffers and parts ---------------------------------------------------------------------------------- */

#define HURRAY_ROLE_UNKNOWN     0 /**< Buffer role: unknown, of a private layout. */
#define HURRAY_ROLE_VALUES      1 /**< Buffer role: element values: `[nnz]`, or pages `[num_pages, page_size, H, D]`. */
#define HURRAY_ROLE_INDICES     2 /**< Buffer role: coordinates: COO `[nnz, rank]`, CSR and CSC `[nnz]`. */
#define HURRAY_ROLE_POINTERS    3 /**< Buffer role: row or column pointers, `[rows + 1]` or `[columns + 1]`. */
#define HURRAY_ROLE_CSF_POS     4 /**< Buffer role: positions of a tree level. */
#define HURRAY_ROLE_CSF_CRD     5 /**< Buffer role: coordinates of a tree level. */
#define HURRAY_ROLE_BLOCK_TABLE 6 /**< Buffer role: page numbers. */
#define HURRAY_ROLE_SEQ_PTR     7 /**< Buffer role: starts of sequences in the block table. */
#define HURRAY_ROLE_SCALES      8 /**< Buffer role: scales of a scheme; also an entry that holds scales and zero points. */
#define HURRAY_ROLE_ZERO_POINTS 9 /**< Buffer role: zero points of a scheme. */

/* ---- Flags of an array view -------------------------------------------------------------------------------------- */

#define HURRAY_VIEW_READ_ONLY     1 /**< The memory must not be written to. */
#define HURRAY_VIEW_ROW_MAJOR     2 /**< The strides are those of row-major order. */
#define HURRAY_VIEW_COLUMN_MAJOR  4 /**< The strides are those of column-major order. */
#define HURRAY_VIEW_MISALIGNED    8 /**< The data pointer is not aligned for its element. */
#define HURRAY_VIEW_PACKED       16 /**< Elements are packed below a byte: strides are not given. */

/* ---- Flags of decoding ------------------------------------------------------------------------------------------- */

#define HURRAY_DECODE_PERMISSIVE 1 /**< Keeps what is not understood as opaque parts instead of refusing it. */

/* ---- Fields: layout ---------------------------------------------------------------------------------------------- */

#define HURRAY_LAYOUT_FIELD_UNKNOWN_DATA                       0x00010000 /**< `0x00010000`, bytes. */
#define HURRAY_LAYOUT_FIELD_STRIDED_STRIDES                    0x00010300 /**< `0x00010300`, i[]. */
#define HURRAY_LAYOUT_FIELD_TILED_TILE_SHAPE                   0x00010400 /**< `0x00010400`, u[]. */
#define HURRAY_LAYOUT_FIELD_TILED_OUTER_LAYOUT                 0x00010401 /**< `0x00010401`, u. */
#define HURRAY_LAYOUT_FIELD_TILED_INNER_LAYOUT                 0x00010402 /**< `0x00010402`, u. */
#define HURRAY_LAYOUT_FIELD_TILED_OUTER_STRIDES                0x00010403 /**< `0x00010403`, i[]. */
#define HURRAY_LAYOUT_FIELD_TILED_INNER_STRIDES                0x00010404 /**< `0x00010404`, i[]. */
#define HURRAY_LAYOUT_FIELD_TILED_DEPTH                        0x00010405 /**< `0x00010405`, u. */
#define HURRAY_LAYOUT_FIELD_MORTON_BITS                        0x00010500 /**< `0x00010500`, u[]. */
#define HURRAY_LAYOUT_FIELD_COO_NNZ                            0x00010600 /**< `0x00010600`, u. */
#define HURRAY_LAYOUT_FIELD_COO_IS_SORTED                      0x00010601 /**< `0x00010601`, u. */
#define HURRAY_LAYOUT_FIELD_CSR_NNZ                            0x00010700 /**< `0x00010700`, u. */
#define HURRAY_LAYOUT_FIELD_CSC_NNZ                            0x00010800 /**< `0x00010800`, u. */
#define HURRAY_LAYOUT_FIELD_CSF_NNZ                            0x00010900 /**< `0x00010900`, u. */
#define HURRAY_LAYOUT_FIELD_CSF_MODE_ORDER                     0x00010901 /**< `0x00010901`, u[]. */
#define HURRAY_LAYOUT_FIELD_BLOCK_PAGED_PAGE_SIZE              0x00010A00 /**< `0x00010A00`, u. */
#define HURRAY_LAYOUT_FIELD_BLOCK_PAGED_NUM_PAGES              0x00010A01 /**< `0x00010A01`, u. */
#define HURRAY_LAYOUT_FIELD_BLOCK_PAGED_PAGED_AXIS             0x00010A02 /**< `0x00010A02`, u. */
#define HURRAY_LAYOUT_FIELD_BLOCK_PAGED_NUM_SEQS               0x00010A03 /**< `0x00010A03`, u. */
#define HURRAY_LAYOUT_FIELD_BLOCK_PAGED_KV_ROLE                0x00010A04 /**< `0x00010A04`, u. */
#define HURRAY_LAYOUT_FIELD_BLOCK_PAGED_LAYER_INDEX            0x00010A05 /**< `0x00010A05`, u. */
#define HURRAY_LAYOUT_FIELD_BLOCK_PAGED_BLOCK_TABLE_INDEX_TYPE 0x00010A06 /**< `0x00010A06`, u. */
#define HURRAY_LAYOUT_FIELD_COMPOSITE_RULE                     0x00010B00 /**< `0x00010B00`, u. */
#define HURRAY_LAYOUT_FIELD_COMPOSITE_COMBINE_OP               0x00010B01 /**< `0x00010B01`, u. */
#define HURRAY_LAYOUT_FIELD_COMPOSITE_MEMBER_COUNT             0x00010B02 /**< `0x00010B02`, u. */
#define HURRAY_LAYOUT_FIELD_HILBERT_ORDER                      0x00014000 /**< `0x00014000`, u. */
#define HURRAY_LAYOUT_FIELD_HILBERT_RANK                       0x00014001 /**< `0x00014001`, u. */
#define HURRAY_LAYOUT_FIELD_PRIVATE_LAYOUT_ID                  0x0001F000 /**< `0x0001F000`, u. */
#define HURRAY_LAYOUT_FIELD_PRIVATE_DATA                       0x0001F001 /**< `0x0001F001`, bytes. */

/* ---- Fields: quantization ---------------------------------------------------------------------------------------- */

#define HURRAY_QUANT_FIELD_SCHEME                        0x00020000 /**< `0x00020000`, u. */
#define HURRAY_QUANT_FIELD_SCHEME_VERSION                0x00020001 /**< `0x00020001`, u. */
#define HURRAY_QUANT_FIELD_FLAGS                         0x00020002 /**< `0x00020002`, u. */
#define HURRAY_QUANT_FIELD_UNKNOWN_DATA                  0x00020003 /**< `0x00020003`, bytes. */
#define HURRAY_QUANT_FIELD_PER_TENSOR_SCALE              0x00020100 /**< `0x00020100`, f. */
#define HURRAY_QUANT_FIELD_PER_TENSOR_ZERO_POINT         0x00020101 /**< `0x00020101`, i. */
#define HURRAY_QUANT_FIELD_PER_CHANNEL_AXIS              0x00020200 /**< `0x00020200`, u. */
#define HURRAY_QUANT_FIELD_PER_CHANNEL_SCALE_BUFFER      0x00020201 /**< `0x00020201`, u. */
#define HURRAY_QUANT_FIELD_PER_CHANNEL_ZERO_POINT_BUFFER 0x00020202 /**< `0x00020202`, u. */
#define HURRAY_QUANT_FIELD_PER_CHANNEL_SCALE_TYPE        0x00020203 /**< `0x00020203`, u. */
#define HURRAY_QUANT_FIELD_PER_BLOCK_AXIS                0x00020300 /**< `0x00020300`, u. */
#define HURRAY_QUANT_FIELD_PER_BLOCK_BLOCK_SIZE          0x00020301 /**< `0x00020301`, u. */
#define HURRAY_QUANT_FIELD_PER_BLOCK_SCALE_BUFFER        0x00020302 /**< `0x00020302`, u. */
#define HURRAY_QUANT_FIELD_PER_BLOCK_ZERO_POINT_BUFFER   0x00020303 /**< `0x00020303`, u. */
#define HURRAY_QUANT_FIELD_PER_BLOCK_SCALE_TYPE          0x00020304 /**< `0x00020304`, u. */
#define HURRAY_QUANT_FIELD_NF4_AXIS                      0x00020400 /**< `0x00020400`, u. */
#define HURRAY_QUANT_FIELD_NF4_BLOCK_SIZE                0x00020401 /**< `0x00020401`, u. */
#define HURRAY_QUANT_FIELD_NF4_SCALE_BUFFER              0x00020402 /**< `0x00020402`, u. */
#define HURRAY_QUANT_FIELD_MXFP_AXIS                     0x00020500 /**< `0x00020500`, u. */
#define HURRAY_QUANT_FIELD_MXFP_BLOCK_SIZE               0x00020501 /**< `0x00020501`, u. */
#define HURRAY_QUANT_FIELD_MXFP_SCALE_BUFFER             0x00020502 /**< `0x00020502`, u. */

/* ---- Fields: shard ----------------------------------------------------------------------------------------------- */

#define HURRAY_SHARD_FIELD_PARENT_SHAPE 0x00030000 /**< `0x00030000`, u[]. */
#define HURRAY_SHARD_FIELD_OFFSET       0x00030001 /**< `0x00030001`, u[]. */

/* ---- Fields: statistics ------------------------------------------------------------------------------------------ */

#define HURRAY_STATS_FIELD_COMPUTED_MASK  0x00040000 /**< `0x00040000`, u. */
#define HURRAY_STATS_FIELD_NNZ            0x00040001 /**< `0x00040001`, u. */
#define HURRAY_STATS_FIELD_SPARSITY_RATIO 0x00040002 /**< `0x00040002`, f. */
#define HURRAY_STATS_FIELD_MIN            0x00040003 /**< `0x00040003`, f. */
#define HURRAY_STATS_FIELD_MAX            0x00040004 /**< `0x00040004`, f. */
#define HURRAY_STATS_FIELD_ABS_MAX        0x00040005 /**< `0x00040005`, f. */
#define HURRAY_STATS_FIELD_MEAN           0x00040006 /**< `0x00040006`, f. */
#define HURRAY_STATS_FIELD_STDDEV         0x00040007 /**< `0x00040007`, f. */
#define HURRAY_STATS_FIELD_NM_N           0x00040008 /**< `0x00040008`, u. */
#define HURRAY_STATS_FIELD_NM_M           0x00040009 /**< `0x00040009`, u. */
#define HURRAY_STATS_FIELD_HAS_NAN        0x0004000A /**< `0x0004000A`, u. */
#define HURRAY_STATS_FIELD_HAS_INF        0x0004000B /**< `0x0004000B`, u. */

/* ---- Fields: extension type -------------------------------------------------------------------------------------- */

#define HURRAY_EXT_TYPE_FIELD_BIT_WIDTH      0x00050000 /**< `0x00050000`, u. */
#define HURRAY_EXT_TYPE_FIELD_PACKING_FACTOR 0x00050001 /**< `0x00050001`, u. */
#define HURRAY_EXT_TYPE_FIELD_IS_FLOAT       0x00050002 /**< `0x00050002`, u. */
#define HURRAY_EXT_TYPE_FIELD_IS_SIGNED      0x00050003 /**< `0x00050003`, u. */
#define HURRAY_EXT_TYPE_FIELD_SIGN_BITS      0x00050004 /**< `0x00050004`, u. */
#define HURRAY_EXT_TYPE_FIELD_EXPONENT_BITS  0x00050005 /**< `0x00050005`, u. */
#define HURRAY_EXT_TYPE_FIELD_MANTISSA_BITS  0x00050006 /**< `0x00050006`, u. */
#define HURRAY_EXT_TYPE_FIELD_EXPONENT_BIAS  0x00050007 /**< `0x00050007`, u. */
#define HURRAY_EXT_TYPE_FIELD_HAS_NAN        0x00050008 /**< `0x00050008`, u. */
#define HURRAY_EXT_TYPE_FIELD_HAS_INF        0x00050009 /**< `0x00050009`, u. */

/* ---- Fields: member of a composite ------------------------------------------------------------------------------- */

#define HURRAY_MEMBER_FIELD_ROLE 0x00060000 /**< `0x00060000`, u. */

/* ---- Fields: buffer table; the level is the index of the buffer -------------------------------------------------- */

#define HURRAY_BUFFER_FIELD_BYTE_SIZE    0x00070000 /**< `0x00070000`, u. */
#define HURRAY_BUFFER_FIELD_ALIGNMENT    0x00070001 /**< `0x00070001`, u. */
#define HURRAY_BUFFER_FIELD_DEVICE_TAG   0x00070002 /**< `0x00070002`, u. */
#define HURRAY_BUFFER_FIELD_SYNC_MODE    0x00070003 /**< `0x00070003`, u. */
#define HURRAY_BUFFER_FIELD_MEMORY_CLASS 0x00070004 /**< `0x00070004`, u. */
#define HURRAY_BUFFER_FIELD_ROLE         0x00070080 /**< `0x00070080`, u. */
#define HURRAY_BUFFER_FIELD_ROLE_LEVEL   0x00070081 /**< `0x00070081`, u. */

/* ---- Fields: header ---------------------------------------------------------------------------------------------- */

#define HURRAY_HEADER_FIELD_VERSION_MAJOR  0x00080000 /**< `0x00080000`, u. */
#define HURRAY_HEADER_FIELD_VERSION_MINOR  0x00080001 /**< `0x00080001`, u. */
#define HURRAY_HEADER_FIELD_FLAGS          0x00080002 /**< `0x00080002`, u. */
#define HURRAY_HEADER_FIELD_ELEMENT_TYPE   0x00080003 /**< `0x00080003`, u. */
#define HURRAY_HEADER_FIELD_LAYOUT         0x00080004 /**< `0x00080004`, u. */
#define HURRAY_HEADER_FIELD_RANK           0x00080005 /**< `0x00080005`, u. */
#define HURRAY_HEADER_FIELD_SHAPE          0x00080006 /**< `0x00080006`, u[]. */
#define HURRAY_HEADER_FIELD_BYTE_OFFSET    0x00080007 /**< `0x00080007`, u. */
#define HURRAY_HEADER_FIELD_BUFFER_COUNT   0x00080008 /**< `0x00080008`, u. */
#define HURRAY_HEADER_FIELD_ENCODED_LENGTH 0x00080080 /**< `0x00080080`, u. */
#define HURRAY_HEADER_FIELD_ELEMENT_COUNT  0x00080081 /**< `0x00080081`, u. */

/* ---- Options ----------------------------------------------------------------------------------------------------- */

#define HURRAY_OPTION_PERMISSIVE            1 /**< 1 reads what it does not understand as opaque parts instead of refusing it. Default 0. */
#define HURRAY_OPTION_MAX_DESCRIPTOR_BYTES  2 /**< Longest descriptor accepted, in bytes. Default 16 MiB. */
#define HURRAY_OPTION_MAX_BUFFER_BYTES      3 /**< Largest buffer accepted, in bytes. Default no limit. */
#define HURRAY_OPTION_MAX_TOTAL_BYTES       4 /**< Largest sum of one item's buffers, in bytes. Default no limit. */
#define HURRAY_OPTION_MAX_COMPOSITE_DEPTH   5 /**< Deepest nesting of composites; the outermost head is level 1. Default 8. */
#define HURRAY_OPTION_MAX_MEMBERS           6 /**< Most members of one composite, when reading. Default 2^20. */
#define HURRAY_OPTION_MAX_ALIGNMENT         7 /**< Largest buffer alignment that is allocated, in bytes. Default 2 MiB. */
#define HURRAY_OPTION_MAX_MESSAGE_BYTES     8 /**< Longest message of a framed stream, in bytes. Default 16 MiB + 16. */
#define HURRAY_OPTION_MAX_STREAM_IDS        9 /**< Most stream ids at once in a framed stream. Default 64. */
#define HURRAY_OPTION_CROSS_MACHINE        10 /**< 1 refuses sync modes other than producer-synced: bytes that cross machines carry no event. Default 0. */
#define HURRAY_OPTION_MAP                  11 /**< How a file is opened: 0 read-only map, 1 copy-on-write map, 2 copy. Default 0. */
#define HURRAY_OPTION_VERIFY               12 /**< 1 also checks padding and the contents of index buffers. Default 0. */
#define HURRAY_OPTION_DATA_ALIGNMENT       13 /**< Alignment of tensor data in a file, in bytes: a power of two from 4096 to 2 MiB. Default 4096. */
#define HURRAY_OPTION_SORTED_INDEX         14 /**< 1 writes a file's index in ascending order of names. Default 0. */
#define HURRAY_OPTION_INDEX_CRC            15 /**< 1 writes a checksum of a file's index. Default 1. */
#define HURRAY_OPTION_KV_MODE              16 /**< A file's key-value section: 0 if a key is set before the first put, 1 always, 2 never, 3 unflagged. Default 0. */
#define HURRAY_OPTION_DURABLE              17 /**< 1 syncs a file to the disk before it takes its name. Default 1. */
#define HURRAY_OPTION_COMPACT              18 /**< 1 writes only the bytes that some element reaches. Default 0. */
#define HURRAY_OPTION_THREADS              19 /**< Threads of a conversion; 0 is as many as help. Default 1. */
#define HURRAY_OPTION_REFUSE_DEVICE_BYTES  20 /**< 1 refuses stored bytes that carry the tag of a device other than the CPU. Default 0. */
#define HURRAY_OPTION_MAX_INDEX_BYTES      21 /**< Longest index of a file, in bytes. Default 256 MiB. */
#define HURRAY_OPTION_MAX_KV_BYTES         22 /**< Longest key-value section of a file, in bytes. Default 64 MiB. */
#define HURRAY_OPTION_READ_AHEAD           23 /**< Bytes a stream reader may ask for past the current item. Default 0. */
#define HURRAY_OPTION_COPY                 24 /**< 0 copies where that is needed, 1 never (`HURRAY_ERR_COPY_REQUIRED`), 2 always. Default 0. */
#define HURRAY_OPTION_PARTIAL_BLOCKS       25 /**< 1 writes quantized tensors whose partial blocks readers may place differently. Default 0. */
#define HURRAY_OPTION_DUPLICATES           26 /**< Coordinates that a tensor stores twice: 0 refuses them, 1 keeps them all, 2 adds them. Default 0. */
#define HURRAY_OPTION_FLAT                 27 /**< 1 has a stream reader give the parts of a composite one by one instead of the whole. Default 0. */

/* ---- Flags of a buffer ------------------------------------------------------------------------------------------- */

#define HURRAY_BUFFER_READ_ONLY          1 /**< The memory must not be written to. It stays so through every share, capsule and view; it cannot be cleared. */
#define HURRAY_BUFFER_HOST_POINTER       2 /**< The host may read through the pointer, whatever the device tag says. */
#define HURRAY_BUFFER_COPIED_ALIGNMENT   4 /**< Copied, because the source was not aligned, or not in whole elements. */
#define HURRAY_BUFFER_COPIED_WIDTH       8 /**< Copied, because the source's index width or base differs. */
#define HURRAY_BUFFER_COPIED_PACKING    16 /**< Copied, because the source packs its elements another way. */
#define HURRAY_BUFFER_COPIED_ON_REQUEST 32 /**< Copied, because the caller asked for a copy. */

/* ---- Kinds of items ---------------------------------------------------------------------------------------------- */

#define HURRAY_ITEM_TENSOR     1 /**< The item is one tensor. */
#define HURRAY_ITEM_COMPOSITE  2 /**< The item is a composite: a head, and members that are items themselves. */
#define HURRAY_ITEM_DESCRIPTOR 3 /**< The item is a descriptor without a tensor: one whose layout is unknown, or a composite's head given alone. */

/* ---- Advice on reading a file ------------------------------------------------------------------------------------ */

#define HURRAY_ADVICE_NORMAL     0 /**< Read in no special way. */
#define HURRAY_ADVICE_SEQUENTIAL 1 /**< Read from front to back. */
#define HURRAY_ADVICE_RANDOM     2 /**< Read here and there. */
#define HURRAY_ADVICE_WILL_NEED  3 /**< Read soon: start to bring it into memory. */
#define HURRAY_ADVICE_POPULATE   4 /**< Read now: bring it into memory before the call returns. */

/* ---- Forms of a stream ------------------------------------------------------------------------------------------- */

#define HURRAY_STREAM_BARE   1 /**< Bare: a descriptor, its buffers' bytes, the next descriptor. What everything published writes. */
#define HURRAY_STREAM_FRAMED 2 /**< Framed: messages with a stream id and a length, for a network transport. */

/* ---- Types ------------------------------------------------------------------------------------------------------- */

/**
 * DLPack's unversioned struct; its own header has its fields.
 */
typedef struct DLManagedTensor DLManagedTensor;

/**
 * DLPack's versioned struct; its own header has its fields.
 */
typedef struct DLManagedTensorVersioned DLManagedTensorVersioned;

/**
 * One buffer: a piece of memory, what keeps it alive, and what a descriptor says of it.
 */
typedef struct HurrayBuffer HurrayBuffer;

/**
 * The buffers of one tensor, in the order of its descriptor's buffer table.
 */
typedef struct HurrayBufferList HurrayBufferList;

/**
 * A decoded, validated descriptor: element type, shape, layout, buffer table, quantization and sections. Immutable.
 */
typedef struct HurrayDescriptor HurrayDescriptor;

/**
 * A descriptor being written, field by field.
 */
typedef struct HurrayDescriptorBuilder HurrayDescriptorBuilder;

/**
 * A file that is open for reading. Read-only once it is open.
 */
typedef struct HurrayFileReader HurrayFileReader;

/**
 * A file being written.
 */
typedef struct HurrayFileWriter HurrayFileWriter;

/**
 * What a stream or a file yields and a writer accepts: one tensor, or a composite of items.
 */
typedef struct HurrayItem HurrayItem;

/**
 * Numbered options of a call or of an object that opens. NULL stands for the defaults.
 */
typedef struct HurrayOptions HurrayOptions;

/**
 * Reads items from a stream whose bytes the caller fetches.
 */
typedef struct HurrayStreamReader HurrayStreamReader;

/**
 * Turns items into the bytes of a stream, which the caller sends.
 */
typedef struct HurrayStreamWriter HurrayStreamWriter;

/**
 * A tensor: a descriptor, its buffers, and the owner of the memory. Shares of one tensor are handles on one core.
 */
typedef struct HurrayTensor HurrayTensor;

/**
 * The outcome of a call: `HURRAY_OK`, a positive progress code, or a negative error.
 */
typedef int32_t HurrayStatus;

/**
 * Releases a buffer's memory. Called once, on whatever thread drops the last reference, with no lock held; it may call
 * any function on other handles, and must not unwind, throw or `longjmp`. `data` and `context` are as they were given.
 */
typedef void (*HurrayReleaseCallback)(void *data, void *context);

/**
 * Releases a synchronisation event. The library stores and calls none; the type serves the check of
 * `hurray_buffer_handoff_event`.
 */
typedef void (*HurrayEventReleaseFn)(void *sync_handle, void *context);

/**
 * The identifier of a descriptor field: one of the `HURRAY_..._FIELD_...` constants.
 */
typedef uint32_t HurrayDescriptorField;

/**
 * Releases a tensor's owner. Called once, after the tensor's buffers were released, under the rules of
 * `HurrayReleaseCallback`.
 */
typedef void (*HurrayOwnerReleaseFn)(void *owner);

/**
 * Reads `len` bytes at `offset` of a file into `out`. Returns the number of bytes read, which is less than `len` only
 * at the end of the file; a negative value is a failure (`HURRAY_ERR_IO`; its negative is reported as the system's error
 * number). Called on the thread of the call that reads, with no lock held, and by several threads at once if the host
 * reads from several. It must not unwind, throw or `longjmp`.
 */
typedef int64_t (*HurrayReadAtFn)(void *context, uint64_t offset, uint8_t *out, uint64_t len);

/**
 * Takes the next `len` bytes of a file. Returns 0 when all were taken; anything else is a failure (`HURRAY_ERR_IO`; its
 * absolute value is reported as the system's error number). Called on the thread of the call that writes, with no lock
 * held. It must not unwind, throw or `longjmp`, and the bytes are the callback's until it returns.
 */
typedef int32_t (*HurrayWriteFn)(void *context, const uint8_t *bytes, uint64_t len);

/**
 * A piece of a gather list: `len` bytes at `data`. The one struct of this header whose fields are public.
 */
typedef struct
{
    /**
     * The first byte.
     */
    const uint8_t *data;
    /**
     * Number of bytes.
     */
    size_t len;
} HurraySlice;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/* ---- Library ----------------------------------------------------------------------------------------------------- */

/**
 * The C ABI version of the library that is loaded.
 *
 * *Ownership:* none. *Errors:* none; cannot fail. *Threads:* any. *Since:* 10; the signature is frozen.
 */
uint32_t hurray_c_abi_version(void);

/**
 * The library's own version, for people: `"0.1.0"`. A NUL-terminated static string.
 *
 * *Ownership:* static, never freed. *Errors:* none; cannot fail. *Threads:* any. *Since:* 10.
 */
const char *hurray_version_string(void);

/**
 * The name of a status, `"HURRAY_ERR_IO"`; an unknown number gives `"HURRAY_ERR_UNKNOWN"`. A NUL-terminated static string.
 *
 * *Ownership:* static, never freed. *Errors:* none; cannot fail. *Threads:* any. *Since:* 10.
 */
const char *hurray_status_name(HurrayStatus status);

/**
 * The text of this thread's last failing call: the rule first (`V-093: ...`), then the field, value and offset that
 * were wrong. UTF-8, at most 512 bytes, not NUL-terminated; empty when no call has failed on this thread.
 *
 * A succeeding call leaves the stored text as it is, and so do the answers `HURRAY_ERR_BUFFER_TOO_SMALL` (of an array; a
 * buffer that a result does not fit into has a text), `HURRAY_ERR_FIELD_NOT_PRESENT`,
 * `HURRAY_ERR_FIELD_NOT_APPLICABLE` and `HURRAY_ERR_NOT_FOUND`, which only end a text of their own status: ask
 * `hurray_last_error_info` which status the text belongs to. Make the failing call and this one on the same thread of
 * the operating system.
 *
 * *Ownership:* the text is written into the caller's `out`; `*out_len` is its room in bytes, then the true length.
 * *Errors:* `HURRAY_ERR_NULL_POINTER` (out_len), `HURRAY_ERR_BUFFER_TOO_SMALL`.
 * *Threads:* any; each has its own text. *Since:* 10.
 */
HurrayStatus hurray_last_error_message(char *out,
                                       size_t *out_len);

/**
 * What belongs to the text of `hurray_last_error_message`: the status of the call that failed (0: none has), the
 * system's error number (0: none), and the offset in the input, in bytes (`UINT64_MAX`: none). Any out-parameter may
 * be NULL.
 *
 * *Ownership:* none. *Errors:* none; always `HURRAY_OK`. *Threads:* any; each has its own. *Since:* 10.
 */
HurrayStatus hurray_last_error_info(HurrayStatus *out_status,
                                    int32_t *out_os_error,
                                    uint64_t *out_offset);

/**
 * How many owned handles this copy of the library has made that are not destroyed yet: shares count, borrowed handles
 * and what sits inside other handles do not. Exact while no other call runs. A leak check asks every copy of the
 * library in the process.
 *
 * *Ownership:* none. *Errors:* `HURRAY_ERR_NULL_POINTER`. *Threads:* any. *Since:* 10.
 */
HurrayStatus hurray_live_handles(uint64_t *out);

/**
 * The name of a tag, in lower case: space `HURRAY_SPACE_ELEMENT_TYPE` and tag 3 give `"float32"`. A NUL-terminated
 * static string.
 *
 * *Ownership:* static, never freed. *Errors:* `HURRAY_ERR_NOT_FOUND` (unassigned tag), `HURRAY_ERR_INVALID_ARGUMENT` (no
 * such space), `HURRAY_ERR_NULL_POINTER`. *Threads:* any. *Since:* 10.
 */
HurrayStatus hurray_tag_name(uint32_t space,
                             uint32_t tag,
                             const char **out_static);

/**
 * An element type's width in bits, the alignment of one element in bytes, and `HURRAY_KIND_...` bits.
 *
 * *Ownership:* none. *Errors:* `HURRAY_ERR_INVALID_TYPE` (unassigned; a private type's width is in its descriptor),
 * `HURRAY_ERR_NULL_POINTER`. *Threads:* any. *Since:* 10.
 */
HurrayStatus hurray_element_type_info(uint8_t tag,
                                      uint32_t *out_bits,
                                      uint32_t *out_alignment,
                                      uint32_t *out_kind);

/**
 * The bytes of `count` contiguous elements, packed as the format packs them.
 *
 * *Ownership:* none. *Errors:* `HURRAY_ERR_INVALID_TYPE` (unassigned), `HURRAY_ERR_OVERFLOW`, `HURRAY_ERR_NULL_POINTER`.
 * *Threads:* any. *Since:* 10.
 */
HurrayStatus hurray_element_type_bytes(uint8_t tag,
                                       uint64_t count,
                                       uint64_t *out);

/* ---- Options ----------------------------------------------------------------------------------------------------- */

/**
 * Makes options with their default values.
 *
 * *Ownership:* the handle is the caller's, ended by `hurray_options_destroy`.
 * *Errors:* `HURRAY_ERR_NULL_POINTER`, `HURRAY_ERR_OUT_OF_MEMORY`. *Threads:* any. *Since:* 10.
 */
HurrayStatus hurray_options_new(HurrayOptions **out_options);

/**
 * Sets one option, a `HURRAY_OPTION_...` number. Values are read when an object opens or a call starts; setting one
 * later changes nothing that is open.
 *
 * *Ownership:* none taken. *Errors:* `HURRAY_ERR_INVALID_ARGUMENT` (unknown option, or a value it cannot have),
 * `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`. *Threads:* one at a time. *Since:* 10.
 */
HurrayStatus hurray_options_set_u64(HurrayOptions *options,
                                    uint32_t option,
                                    uint64_t value);

/**
 * Asks the call that runs with these options to stop with `HURRAY_ERR_CANCELLED`, having done nothing visible. Options
 * stay cancelled: later calls given them stop too.
 *
 * *Ownership:* none taken. *Errors:* `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
 * *Threads:* any, also while a call with these options runs. *Since:* 10.
 */
HurrayStatus hurray_options_cancel(const HurrayOptions *options);

/**
 * How far the call that runs with these options has come, in bytes. The total is 0 until it is known.
 *
 * *Ownership:* none taken. *Errors:* `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
 * *Threads:* any, also while a call with these options runs. *Since:* 10.
 */
HurrayStatus hurray_options_progress(const HurrayOptions *options, uint64_t *out_done, uint64_t *out_total);

/**
 * Ends options and writes NULL through the pointer. NULL, or a pointer to NULL, does nothing.
 *
 * *Ownership:* ends the handle. *Errors:* `HURRAY_ERR_INVALID_HANDLE`. *Threads:* any; not while a call uses them.
 * *Since:* 10.
 */
HurrayStatus hurray_options_destroy(HurrayOptions **options);

/* ---- Buffers ----------------------------------------------------------------------------------------------------- */

/**
 * Wraps memory that exists, without copying it.
 *
 * `data` is a multiple of `alignment` bytes; `alignment` is a power of two, at least 64 unless `byte_size` is 0, in
 * which case the pointer is never looked at. `device_tag`, `sync_mode` and `memory_class` are `HURRAY_DEVICE_...`,
 * `HURRAY_SYNC_...` and `HURRAY_MEMORY_...` values in one of the pairs that the format allows.
 *
 * *Ownership:* the handle is the caller's. `release(data, release_context)` runs exactly once, when the last share of
 * the memory goes; NULL means that the memory outlives the handle by other means. On failure nothing is kept and
 * `release` is not called.
 * *Errors:* `HURRAY_ERR_NULL_POINTER`, `HURRAY_ERR_INVALID_ARGUMENT` (alignment), `HURRAY_ERR_BUFFER_MISMATCH` (pointer
 * not aligned), `HURRAY_ERR_INVALID_TYPE` (device or class value), `HURRAY_ERR_INVALID_DESCRIPTOR` (device and class do
 * not go together), `HURRAY_ERR_INVALID_SYNC_MODE`, `HURRAY_ERR_OVERFLOW`, `HURRAY_ERR_OUT_OF_MEMORY`.
 * *Threads:* any; `release` runs on whatever thread drops the last share. *Since:* 10.
 */
HurrayStatus hurray_buffer_from_ptr(void *data,
                                    uint64_t byte_size,
                                    uint32_t alignment,
                                    uint8_t device_tag,
                                    uint8_t sync_mode,
                                    uint8_t memory_class,
                                    HurrayReleaseCallback release,
                                    void *release_context,
                                    HurrayBuffer **out_buffer);

/**
 * Zeroed memory of the library's own: CPU, producer-synced, aligned to `alignment` bytes or 64, whichever is more.
 *
 * *Ownership:* the handle is the caller's; the memory goes with its last share. An empty buffer has a NULL pointer.
 * *Errors:* `HURRAY_ERR_NULL_POINTER`, `HURRAY_ERR_INVALID_ARGUMENT` (alignment), `HURRAY_ERR_LIMIT_EXCEEDED` (alignment
 * above 2 MiB, or more bytes than a pointer can reach), `HURRAY_ERR_OUT_OF_MEMORY`.
 * *Threads:* any. *Since:* 10.
 */
HurrayStatus hurray_buffer_alloc(uint64_t byte_size,
                                 uint32_t alignment,
                                 HurrayBuffer **out_buffer);

/**
 * Another handle on the same memory, with the same flags, lead and device id.
 *
 * *Ownership:* the share is the caller's. It keeps alive what keeps the memory alive; a share of a tensor's buffer
 * keeps the tensor's owner too.
 * *Errors:* `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`, `HURRAY_ERR_OUT_OF_MEMORY`.
 * *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_buffer_share(const HurrayBuffer *buffer,
                                 HurrayBuffer **out_buffer);

/**
 * Ends a buffer handle and writes NULL through the pointer. NULL, or a pointer to NULL, does nothing.
 *
 * *Ownership:* ends the handle; the release callback runs if this was the last share of the memory.
 * *Errors:* `HURRAY_ERR_INVALID_HANDLE` (borrowed: the pointer stays as it was). *Threads:* any. *Since:* 10.
 */
HurrayStatus hurray_buffer_destroy(HurrayBuffer **buffer);

/**
 * The pointer, as it was given: also one that only a device may follow.
 *
 * *Ownership:* the memory stays the buffer's. *Errors:* `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
 * *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_buffer_data_ptr(const HurrayBuffer *buffer,
                                    void **out_data);

/**
 * The pointer, if the host may read through it: memory of the CPU, or marked `HURRAY_BUFFER_HOST_POINTER`.
 *
 * *Ownership:* the memory stays the buffer's. *Errors:* `HURRAY_ERR_UNSUPPORTED` (device memory),
 * `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`. *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_buffer_host_ptr(const HurrayBuffer *buffer,
                                    void **out_data);

/**
 * The size in bytes.
 *
 * *Ownership:* none. *Errors:* `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
 * *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_buffer_byte_size(const HurrayBuffer *buffer, uint64_t *out);

/**
 * The alignment that the pointer keeps, in bytes.
 *
 * *Ownership:* none. *Errors:* `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
 * *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_buffer_alignment(const HurrayBuffer *buffer, uint32_t *out);

/**
 * The device, a `HURRAY_DEVICE_...` tag.
 *
 * *Ownership:* none. *Errors:* `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
 * *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_buffer_device_tag(const HurrayBuffer *buffer, uint8_t *out);

/**
 * How the producer ordered its writes, a `HURRAY_SYNC_...` value.
 *
 * *Ownership:* none. *Errors:* `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
 * *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_buffer_sync_mode(const HurrayBuffer *buffer, uint8_t *out);

/**
 * The memory class, a `HURRAY_MEMORY_...` value.
 *
 * *Ownership:* none. *Errors:* `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
 * *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_buffer_memory_class(const HurrayBuffer *buffer, uint8_t *out);

/**
 * The flags, `HURRAY_BUFFER_...` bits. They live in memory only and are never written to bytes.
 *
 * *Ownership:* none. *Errors:* `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
 * *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_buffer_flags(const HurrayBuffer *buffer, uint32_t *out);

/**
 * Which of several devices of the tag holds the memory; 0 unless it was set.
 *
 * *Ownership:* none. *Errors:* `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
 * *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_buffer_device_id(const HurrayBuffer *buffer, int32_t *out);

/**
 * The lead: how many bytes at the buffer's start are not its owner's, because the buffer begins at the address rounded
 * down to 64. Writers never emit or read them.
 *
 * *Ownership:* none. *Errors:* `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
 * *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_buffer_lead(const HurrayBuffer *buffer,
                                uint32_t *out);

/**
 * Sets the flags, `HURRAY_BUFFER_...` bits, until the buffer is in a list. A `HURRAY_BUFFER_READ_ONLY` that is set
 * cannot be cleared.
 *
 * *Ownership:* none taken. *Errors:* `HURRAY_ERR_INVALID_ARGUMENT` (unknown bit, or read-only cleared),
 * `HURRAY_ERR_INVALID_HANDLE` (borrowed included), `HURRAY_ERR_NULL_POINTER`. *Threads:* one at a time. *Since:* 10.
 */
HurrayStatus hurray_buffer_set_flags(HurrayBuffer *buffer,
                                     uint32_t flags);

/**
 * Says which of several devices of the tag holds the memory, until the buffer is in a list.
 *
 * *Ownership:* none taken. *Errors:* `HURRAY_ERR_INVALID_ARGUMENT` (negative), `HURRAY_ERR_INVALID_HANDLE` (borrowed
 * included), `HURRAY_ERR_NULL_POINTER`. *Threads:* one at a time. *Since:* 10.
 */
HurrayStatus hurray_buffer_set_device_id(HurrayBuffer *buffer,
                                         int32_t device_id);

/**
 * Says how many bytes at the buffer's start are not its owner's, until the buffer is in a list: below 64, and no more
 * than the buffer's size.
 *
 * *Ownership:* none taken. *Errors:* `HURRAY_ERR_INVALID_ARGUMENT`, `HURRAY_ERR_INVALID_HANDLE` (borrowed included),
 * `HURRAY_ERR_NULL_POINTER`. *Threads:* one at a time. *Since:* 10.
 */
HurrayStatus hurray_buffer_set_lead(HurrayBuffer *buffer,
                                    uint32_t lead);

/**
 * Checks a hand-off in mode `HURRAY_SYNC_PRODUCER_SYNCED`: the buffer declares it, and there is no payload. Both
 * pointers are NULL then.
 *
 * *Ownership:* nothing is stored. *Errors:* `HURRAY_ERR_SYNC_MODE_MISMATCH`, `HURRAY_ERR_INVALID_HANDLE`,
 * `HURRAY_ERR_NULL_POINTER` (buffer). *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_buffer_handoff_producer_synced(const HurrayBuffer *buffer,
                                                   const void *sync_handle,
                                                   const void *consumer_stream);

/**
 * Checks a hand-off in mode `HURRAY_SYNC_EVENT`: the buffer declares it, the event and its release function are not
 * NULL, and the event is of the buffer's device.
 *
 * *Ownership:* nothing is stored; the event stays the caller's. *Errors:* `HURRAY_ERR_SYNC_MODE_MISMATCH`,
 * `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER` (buffer). *Threads:* any, also at once on one handle.
 * *Since:* 10.
 */
HurrayStatus hurray_buffer_handoff_event(const HurrayBuffer *buffer,
                                         const void *sync_handle,
                                         uint8_t sync_handle_device_tag,
                                         HurrayEventReleaseFn event_release);

/**
 * Checks a hand-off in mode `HURRAY_SYNC_CONSUMER_STREAM`: the buffer declares it, and the consumer named a stream of
 * the buffer's device.
 *
 * *Ownership:* nothing is stored. *Errors:* `HURRAY_ERR_SYNC_MODE_MISMATCH`, `HURRAY_ERR_INVALID_HANDLE`,
 * `HURRAY_ERR_NULL_POINTER` (buffer). *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_buffer_handoff_consumer_stream(const HurrayBuffer *buffer,
                                                   const void *consumer_stream,
                                                   uint8_t consumer_stream_device_tag);

/* ---- Buffer lists ------------------------------------------------------------------------------------------------ */

/**
 * Makes an empty list. `capacity` is a hint and never trusted; a list holds at most 255 buffers.
 *
 * *Ownership:* the handle is the caller's. *Errors:* `HURRAY_ERR_NULL_POINTER`, `HURRAY_ERR_OUT_OF_MEMORY`.
 * *Threads:* any. *Since:* 10.
 */
HurrayStatus hurray_buffer_list_new(uint64_t capacity, HurrayBufferList **out_list);

/**
 * Appends a buffer to the list.
 *
 * *Ownership:* on success the list owns the buffer: the caller's pointer is borrowed from the list from then on (for
 * a buffer of another copy of the library it is dead, and `hurray_buffer_list_get` gives the list's own). On failure
 * the buffer stays the caller's.
 * *Errors:* `HURRAY_ERR_LIMIT_EXCEEDED` (more than 255), `HURRAY_ERR_INVALID_HANDLE` (a list or buffer that is borrowed,
 * taken or destroyed), `HURRAY_ERR_NULL_POINTER`, `HURRAY_ERR_VERSION_MISMATCH`, `HURRAY_ERR_OUT_OF_MEMORY`.
 * *Threads:* one at a time. *Since:* 10.
 */
HurrayStatus hurray_buffer_list_push(HurrayBufferList *list,
                                     HurrayBuffer *buffer);

/**
 * The number of buffers.
 *
 * *Ownership:* none. *Errors:* `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
 * *Threads:* any, also at once on one handle that nobody pushes to. *Since:* 10.
 */
HurrayStatus hurray_buffer_list_len(const HurrayBufferList *list, uint64_t *out_len);

/**
 * The buffer at `index`, in descriptor order.
 *
 * *Ownership:* borrowed; lives as long as the list, or the tensor it belongs to, and is never destroyed on its own.
 * *Errors:* `HURRAY_ERR_INDEX_OUT_OF_BOUNDS`, `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
 * *Threads:* any, also at once on one handle that nobody pushes to. *Since:* 10.
 */
HurrayStatus hurray_buffer_list_get(const HurrayBufferList *list,
                                    uint64_t index,
                                    HurrayBuffer **out_borrowed);

/**
 * Ends a list and the buffers in it, in order, and writes NULL through the pointer. NULL, or a pointer to NULL, does
 * nothing.
 *
 * *Ownership:* ends the handle and what it owns. *Errors:* `HURRAY_ERR_INVALID_HANDLE` (borrowed: the pointer stays as
 * it was). *Threads:* any. *Since:* 10.
 */
HurrayStatus hurray_buffer_list_destroy(HurrayBufferList **list);

/* ---- Descriptors ------------------------------------------------------------------------------------------------- */

/**
 * Decodes and validates a descriptor, strictly. Bytes after the descriptor's own length are left alone.
 *
 * *Ownership:* the handle is the caller's; the bytes are not kept.
 * *Errors:* the status of the first rule that is broken, named in the text with field, value and offset:
 * `HURRAY_ERR_INVALID_MAGIC`, `HURRAY_ERR_VERSION_MISMATCH`, `HURRAY_ERR_TRUNCATED`, `HURRAY_ERR_INVALID_DESCRIPTOR`,
 * `HURRAY_ERR_INVALID_TYPE`, `HURRAY_ERR_INVALID_LAYOUT`, `HURRAY_ERR_INVALID_SYNC_MODE`, `HURRAY_ERR_BUFFER_MISMATCH`,
 * `HURRAY_ERR_OVERFLOW`, `HURRAY_ERR_LIMIT_EXCEEDED`, `HURRAY_ERR_UNSUPPORTED`; and `HURRAY_ERR_NULL_POINTER`,
 * `HURRAY_ERR_OUT_OF_MEMORY`. *Threads:* any. *Since:* 10.
 */
HurrayStatus hurray_descriptor_decode(const uint8_t *bytes,
                                      size_t len,
                                      HurrayDescriptor **out);

/**
 * Decodes a descriptor; with `HURRAY_DECODE_PERMISSIVE` in `flags`, private layouts, unknown schemes, layouts and
 * element types are kept as opaque parts. Nothing then licenses reading the tensor's data.
 *
 * *Ownership:* the handle is the caller's; the bytes are not kept.
 * *Errors:* as `hurray_descriptor_decode`; `HURRAY_ERR_INVALID_ARGUMENT` (unknown flag). *Threads:* any. *Since:* 10.
 */
HurrayStatus hurray_descriptor_decode_with(const uint8_t *bytes,
                                           size_t len,
                                           uint32_t flags,
                                           HurrayDescriptor **out);

/**
 * Writes the descriptor's bytes: the very bytes that were decoded, or what the builder wrote.
 *
 * *Ownership:* the bytes go into the caller's array; `*out_len` is its room, then the true length, in bytes.
 * *Errors:* `HURRAY_ERR_BUFFER_TOO_SMALL`, `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
 * *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_descriptor_encode(const HurrayDescriptor *descriptor,
                                      uint8_t *out_bytes,
                                      size_t *out_len);

/**
 * The element type, a `HURRAY_TYPE_...` tag or a private one (`0xF0` to `0xFE`).
 *
 * *Ownership:* none. *Errors:* `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
 * *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_descriptor_element_type_tag(const HurrayDescriptor *descriptor, uint8_t *out);

/**
 * The layout, a `HURRAY_LAYOUT_...` tag or a private one (`0xF0` to `0xFE`).
 *
 * *Ownership:* none. *Errors:* `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
 * *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_descriptor_layout_tag(const HurrayDescriptor *descriptor, uint8_t *out);

/**
 * The number of dimensions, 0 to 64.
 *
 * *Ownership:* none. *Errors:* `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
 * *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_descriptor_rank(const HurrayDescriptor *descriptor, uint32_t *out);

/**
 * The number of entries in the buffer table; 0 also behind a layout that was not understood.
 *
 * *Ownership:* none. *Errors:* `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
 * *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_descriptor_buffer_count(const HurrayDescriptor *descriptor, uint32_t *out);

/**
 * The section flags, as on the wire.
 *
 * *Ownership:* none. *Errors:* `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
 * *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_descriptor_flags(const HurrayDescriptor *descriptor, uint32_t *out);

/**
 * Where, in bytes from the start of buffer 0, the element at index zero lies.
 *
 * *Ownership:* none. *Errors:* `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
 * *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_descriptor_byte_offset(const HurrayDescriptor *descriptor, uint64_t *out);

/**
 * The dimensions, slowest-varying first as the row-major order has them; `UINT64_MAX` is a dynamic dimension.
 *
 * *Ownership:* written into the caller's array; `*out_len` is its room, then the rank.
 * *Errors:* `HURRAY_ERR_BUFFER_TOO_SMALL`, `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
 * *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_descriptor_shape(const HurrayDescriptor *descriptor, uint64_t *out_dims, size_t *out_len);

/**
 * One line that says element type, shape, layout, quantization, device and bytes. UTF-8, for people.
 *
 * *Ownership:* written into the caller's array; `*out_len` is its room, then the true length, in bytes.
 * *Errors:* `HURRAY_ERR_BUFFER_TOO_SMALL`, `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
 * *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_descriptor_describe(const HurrayDescriptor *descriptor, char *out, size_t *out_len);

/**
 * The descriptor's bytes as a table for people: on each line the offset, up to 16 bytes, and what they are. UTF-8.
 *
 * *Ownership:* written into the caller's array; `*out_len` is its room, then the true length, in bytes.
 * *Errors:* `HURRAY_ERR_BUFFER_TOO_SMALL`, `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`,
 * `HURRAY_ERR_OUT_OF_MEMORY`. *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_descriptor_annotate(const HurrayDescriptor *descriptor,
                                        char *out,
                                        size_t *out_len);

/**
 * Ends a descriptor handle and writes NULL through the pointer. NULL, or a pointer to NULL, does nothing.
 *
 * *Ownership:* ends the handle. *Errors:* `HURRAY_ERR_INVALID_HANDLE` (borrowed: the pointer stays as it was).
 * *Threads:* any. *Since:* 10.
 */
HurrayStatus hurray_descriptor_destroy(HurrayDescriptor **descriptor);

/**
 * A whole number, tag or truth value of kind u. `level` is 0, but for tiled levels and buffers.
 *
 * *Ownership:* none.
 * *Errors:* `HURRAY_ERR_INVALID_ARGUMENT` (no such field, or of another kind), `HURRAY_ERR_FIELD_NOT_PRESENT` (the section
 * or the optional field is not carried), `HURRAY_ERR_FIELD_NOT_APPLICABLE` (of another layout or scheme),
 * `HURRAY_ERR_UNSUPPORTED` (hidden behind a layout that was not understood), `HURRAY_ERR_INDEX_OUT_OF_BOUNDS` (level),
 * `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
 * *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_descriptor_field_u64(const HurrayDescriptor *descriptor,
                                         HurrayDescriptorField field,
                                         uint32_t level,
                                         uint64_t *out_value);

/**
 * A signed number of kind i. `level` is 0, but for tiled levels and buffers.
 *
 * *Ownership:* none.
 * *Errors:* `HURRAY_ERR_INVALID_ARGUMENT` (no such field, or of another kind), `HURRAY_ERR_FIELD_NOT_PRESENT` (the section
 * or the optional field is not carried), `HURRAY_ERR_FIELD_NOT_APPLICABLE` (of another layout or scheme),
 * `HURRAY_ERR_UNSUPPORTED` (hidden behind a layout that was not understood), `HURRAY_ERR_INDEX_OUT_OF_BOUNDS` (level),
 * `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
 * *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_descriptor_field_i64(const HurrayDescriptor *descriptor,
                                         HurrayDescriptorField field,
                                         uint32_t level,
                                         int64_t *out_value);

/**
 * A real number of kind f; float32 fields are widened. `level` is 0, but for tiled levels and buffers.
 *
 * *Ownership:* none.
 * *Errors:* `HURRAY_ERR_INVALID_ARGUMENT` (no such field, or of another kind), `HURRAY_ERR_FIELD_NOT_PRESENT` (the section
 * or the optional field is not carried), `HURRAY_ERR_FIELD_NOT_APPLICABLE` (of another layout or scheme),
 * `HURRAY_ERR_UNSUPPORTED` (hidden behind a layout that was not understood), `HURRAY_ERR_INDEX_OUT_OF_BOUNDS` (level),
 * `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
 * *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_descriptor_field_f64(const HurrayDescriptor *descriptor,
                                         HurrayDescriptorField field,
                                         uint32_t level,
                                         double *out_value);

/**
 * Whole numbers of kind u[]. `level` is 0, but for tiled levels and buffers.
 *
 * *Ownership:* written into the caller's array; `*out_len` is its room, then the true length.
 * *Errors:* `HURRAY_ERR_INVALID_ARGUMENT` (no such field, or of another kind), `HURRAY_ERR_FIELD_NOT_PRESENT` (the section
 * or the optional field is not carried), `HURRAY_ERR_FIELD_NOT_APPLICABLE` (of another layout or scheme),
 * `HURRAY_ERR_UNSUPPORTED` (hidden behind a layout that was not understood), `HURRAY_ERR_INDEX_OUT_OF_BOUNDS` (level),
 * `HURRAY_ERR_BUFFER_TOO_SMALL`, `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
 * *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_descriptor_field_u64_array(const HurrayDescriptor *descriptor,
                                               HurrayDescriptorField field,
                                               uint32_t level,
                                               uint64_t *out_values,
                                               size_t *out_len);

/**
 * Signed numbers of kind i[]. `level` is 0, but for tiled levels and buffers.
 *
 * *Ownership:* written into the caller's array; `*out_len` is its room, then the true length.
 * *Errors:* `HURRAY_ERR_INVALID_ARGUMENT` (no such field, or of another kind), `HURRAY_ERR_FIELD_NOT_PRESENT` (the section
 * or the optional field is not carried), `HURRAY_ERR_FIELD_NOT_APPLICABLE` (of another layout or scheme),
 * `HURRAY_ERR_UNSUPPORTED` (hidden behind a layout that was not understood), `HURRAY_ERR_INDEX_OUT_OF_BOUNDS` (level),
 * `HURRAY_ERR_BUFFER_TOO_SMALL`, `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
 * *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_descriptor_field_i64_array(const HurrayDescriptor *descriptor,
                                               HurrayDescriptorField field,
                                               uint32_t level,
                                               int64_t *out_values,
                                               size_t *out_len);

/**
 * Opaque bytes of kind bytes. `level` is 0, but for tiled levels and buffers.
 *
 * *Ownership:* written into the caller's array; `*out_len` is its room, then the true length.
 * *Errors:* `HURRAY_ERR_INVALID_ARGUMENT` (no such field, or of another kind), `HURRAY_ERR_FIELD_NOT_PRESENT` (the section
 * or the optional field is not carried), `HURRAY_ERR_FIELD_NOT_APPLICABLE` (of another layout or scheme),
 * `HURRAY_ERR_UNSUPPORTED` (hidden behind a layout that was not understood), `HURRAY_ERR_INDEX_OUT_OF_BOUNDS` (level),
 * `HURRAY_ERR_BUFFER_TOO_SMALL`, `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
 * *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_descriptor_field_bytes(const HurrayDescriptor *descriptor,
                                           HurrayDescriptorField field,
                                           uint32_t level,
                                           uint8_t *out_bytes,
                                           size_t *out_len);

/**
 * Everything the descriptor carries, derived fields too, in ascending order of identifier, then level: word 0 is
 * `id | level << 32 | kind << 48` (kinds 1 u, 2 i, 3 f, 4 u[], 5 i[], 6 bytes), word 1 the count (scalars 1; bytes: the
 * number of bytes), then that many words (f as its IEEE bits; bytes eight to a word, lowest first, zero-filled). Skip
 * identifiers that you do not know. 512 words of room do for nearly every descriptor.
 *
 * *Ownership:* written into the caller's array; `*out_len` is its room, then the true length, in words.
 * *Errors:* `HURRAY_ERR_BUFFER_TOO_SMALL`, `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
 * *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_descriptor_fields(const HurrayDescriptor *descriptor,
                                      uint64_t *out_words,
                                      size_t *out_len);

/**
 * Makes a descriptor from the words of `hurray_descriptor_fields`, in any order, with full validation. Each
 * identifier and level stands once; derived fields may be left out, and must agree where they are given.
 *
 * *Ownership:* the handle is the caller's. *Errors:* `HURRAY_ERR_INVALID_ARGUMENT` (a word that names no field, twice, of
 * another kind, or without effect), the statuses of `hurray_descriptor_builder_finish`, `HURRAY_ERR_NULL_POINTER`,
 * `HURRAY_ERR_OUT_OF_MEMORY`. *Threads:* any. *Since:* 10.
 */
HurrayStatus hurray_descriptor_from_fields(const uint64_t *words,
                                           size_t len,
                                           HurrayDescriptor **out);

/* ---- The descriptor builder -------------------------------------------------------------------------------------- */

/**
 * Starts a descriptor of an element type, a layout and a shape (`rank` dimensions; `UINT64_MAX` is a dynamic one).
 *
 * *Ownership:* the handle is the caller's; the shape is copied.
 * *Errors:* `HURRAY_ERR_LIMIT_EXCEEDED` (rank above 64), `HURRAY_ERR_NULL_POINTER`, `HURRAY_ERR_OUT_OF_MEMORY`; tags are
 * judged by `hurray_descriptor_builder_finish`. *Threads:* any. *Since:* 10.
 */
HurrayStatus hurray_descriptor_builder_new(uint8_t element_type_tag,
                                           uint8_t layout_tag,
                                           const uint64_t *shape,
                                           size_t rank,
                                           HurrayDescriptorBuilder **out_builder);

/**
 * Sets a whole number, tag or truth value. Setting a field opens its section.
 *
 * *Ownership:* none taken. *Errors:* `HURRAY_ERR_INVALID_ARGUMENT` (no such field, of another kind, or a value that its
 * wire field cannot hold), `HURRAY_ERR_FIELD_NOT_APPLICABLE` (of another layout or scheme),
 * `HURRAY_ERR_INDEX_OUT_OF_BOUNDS` and `HURRAY_ERR_LIMIT_EXCEEDED` (level), `HURRAY_ERR_UNSUPPORTED` (a section behind an
 * unknown layout), `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`,
 * `HURRAY_ERR_OUT_OF_MEMORY`. *Threads:* one at a time. *Since:* 10.
 */
HurrayStatus hurray_descriptor_builder_set_u64(HurrayDescriptorBuilder *builder,
                                               HurrayDescriptorField field,
                                               uint32_t level,
                                               uint64_t value);

/**
 * Sets a signed number. Setting a field opens its section.
 *
 * *Ownership:* none taken. *Errors:* `HURRAY_ERR_INVALID_ARGUMENT` (no such field, of another kind, or a value that its
 * wire field cannot hold), `HURRAY_ERR_FIELD_NOT_APPLICABLE` (of another layout or scheme),
 * `HURRAY_ERR_INDEX_OUT_OF_BOUNDS` and `HURRAY_ERR_LIMIT_EXCEEDED` (level), `HURRAY_ERR_UNSUPPORTED` (a section behind an
 * unknown layout), `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`,
 * `HURRAY_ERR_OUT_OF_MEMORY`. *Threads:* one at a time. *Since:* 10.
 */
HurrayStatus hurray_descriptor_builder_set_i64(HurrayDescriptorBuilder *builder,
                                               HurrayDescriptorField field,
                                               uint32_t level,
                                               int64_t value);

/**
 * Sets a real number; a float32 field takes only values that float32 holds. Setting a field opens its section.
 *
 * *Ownership:* none taken. *Errors:* `HURRAY_ERR_INVALID_ARGUMENT` (no such field, of another kind, or a value that its
 * wire field cannot hold), `HURRAY_ERR_FIELD_NOT_APPLICABLE` (of another layout or scheme),
 * `HURRAY_ERR_INDEX_OUT_OF_BOUNDS` and `HURRAY_ERR_LIMIT_EXCEEDED` (level), `HURRAY_ERR_UNSUPPORTED` (a section behind an
 * unknown layout), `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`,
 * `HURRAY_ERR_OUT_OF_MEMORY`. *Threads:* one at a time. *Since:* 10.
 */
HurrayStatus hurray_descriptor_builder_set_f64(HurrayDescriptorBuilder *builder,
                                               HurrayDescriptorField field,
                                               uint32_t level,
                                               double value);

/**
 * Sets whole numbers. Setting a field opens its section.
 *
 * *Ownership:* none taken; the values are copied. *Errors:* `HURRAY_ERR_INVALID_ARGUMENT` (no such field, of another kind, or a value that its
 * wire field cannot hold), `HURRAY_ERR_FIELD_NOT_APPLICABLE` (of another layout or scheme),
 * `HURRAY_ERR_INDEX_OUT_OF_BOUNDS` and `HURRAY_ERR_LIMIT_EXCEEDED` (level), `HURRAY_ERR_UNSUPPORTED` (a section behind an
 * unknown layout), `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`,
 * `HURRAY_ERR_OUT_OF_MEMORY`. *Threads:* one at a time. *Since:* 10.
 */
HurrayStatus hurray_descriptor_builder_set_u64_array(HurrayDescriptorBuilder *builder,
                                                     HurrayDescriptorField field,
                                                     uint32_t level,
                                                     const uint64_t *values,
                                                     size_t len);

/**
 * Sets signed numbers. Setting a field opens its section.
 *
 * *Ownership:* none taken; the values are copied. *Errors:* `HURRAY_ERR_INVALID_ARGUMENT` (no such field, of another kind, or a value that its
 * wire field cannot hold), `HURRAY_ERR_FIELD_NOT_APPLICABLE` (of another layout or scheme),
 * `HURRAY_ERR_INDEX_OUT_OF_BOUNDS` and `HURRAY_ERR_LIMIT_EXCEEDED` (level), `HURRAY_ERR_UNSUPPORTED` (a section behind an
 * unknown layout), `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`,
 * `HURRAY_ERR_OUT_OF_MEMORY`. *Threads:* one at a time. *Since:* 10.
 */
HurrayStatus hurray_descriptor_builder_set_i64_array(HurrayDescriptorBuilder *builder,
                                                     HurrayDescriptorField field,
                                                     uint32_t level,
                                                     const int64_t *values,
                                                     size_t len);

/**
 * Sets opaque bytes. Setting a field opens its section.
 *
 * *Ownership:* none taken; the values are copied. *Errors:* `HURRAY_ERR_INVALID_ARGUMENT` (no such field, of another kind, or a value that its
 * wire field cannot hold), `HURRAY_ERR_FIELD_NOT_APPLICABLE` (of another layout or scheme),
 * `HURRAY_ERR_INDEX_OUT_OF_BOUNDS` and `HURRAY_ERR_LIMIT_EXCEEDED` (level), `HURRAY_ERR_UNSUPPORTED` (a section behind an
 * unknown layout), `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`,
 * `HURRAY_ERR_OUT_OF_MEMORY`. *Threads:* one at a time. *Since:* 10.
 */
HurrayStatus hurray_descriptor_builder_set_bytes(HurrayDescriptorBuilder *builder,
                                                 HurrayDescriptorField field,
                                                 uint32_t level,
                                                 const uint8_t *values,
                                                 size_t len);

/**
 * Appends an entry to the buffer table. Its values are judged by `hurray_descriptor_builder_finish`.
 *
 * *Ownership:* none taken. *Errors:* `HURRAY_ERR_LIMIT_EXCEEDED` (more than 255), `HURRAY_ERR_UNSUPPORTED` (a
 * layout that was not understood), `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`, `HURRAY_ERR_OUT_OF_MEMORY`.
 * *Threads:* one at a time. *Since:* 10.
 */
HurrayStatus hurray_descriptor_builder_push_buffer(HurrayDescriptorBuilder *builder,
                                                   uint64_t byte_size,
                                                   uint32_t alignment,
                                                   uint8_t device_tag,
                                                   uint8_t sync_mode,
                                                   uint8_t memory_class);

/**
 * Appends the buffers that the layout, the byte offset and the scheme imply, of the smallest sizes they imply: CPU,
 * producer-synced, aligned to 64. Call it when all other fields are set. Where the scheme's buffer indices are not set,
 * it sets them.
 *
 * *Ownership:* none taken. *Errors:* `HURRAY_ERR_OVERFLOW` (a size beyond 64 bits), `HURRAY_ERR_INVALID_ARGUMENT`
 * (dynamic dimensions), `HURRAY_ERR_UNSUPPORTED` (a private layout), `HURRAY_ERR_INVALID_LAYOUT` and
 * `HURRAY_ERR_INVALID_DESCRIPTOR` (a field is missing), `HURRAY_ERR_LIMIT_EXCEEDED`, `HURRAY_ERR_INVALID_HANDLE`,
 * `HURRAY_ERR_NULL_POINTER`, `HURRAY_ERR_OUT_OF_MEMORY`. *Threads:* one at a time. *Since:* 10.
 */
HurrayStatus hurray_descriptor_builder_push_default_buffers(HurrayDescriptorBuilder *builder);

/**
 * Validates what was set and makes the descriptor. The builder stays as it is and can be changed and finished again.
 *
 * *Ownership:* the descriptor is the caller's; the builder stays the caller's.
 * *Errors:* as `hurray_descriptor_decode` for the same values (without an offset), `HURRAY_ERR_INVALID_DESCRIPTOR` or
 * `HURRAY_ERR_INVALID_LAYOUT` (a field is missing), `HURRAY_ERR_INVALID_ARGUMENT` (a derived field does not agree),
 * `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`, `HURRAY_ERR_OUT_OF_MEMORY`. *Threads:* one at a time. *Since:* 10.
 */
HurrayStatus hurray_descriptor_builder_finish(HurrayDescriptorBuilder *builder,
                                              HurrayDescriptor **out_descriptor);

/**
 * Ends a builder and writes NULL through the pointer. NULL, or a pointer to NULL, does nothing.
 *
 * *Ownership:* ends the handle. *Errors:* `HURRAY_ERR_INVALID_HANDLE`. *Threads:* any. *Since:* 10.
 */
HurrayStatus hurray_descriptor_builder_destroy(HurrayDescriptorBuilder **builder);

/* ---- Tensors ----------------------------------------------------------------------------------------------------- */

/**
 * Makes a tensor from descriptor bytes and a list of buffers. The bytes are decoded and validated, and only the
 * decoded form is kept.
 *
 * `abi_version` is the producer's `HURRAY_C_ABI_VERSION`; it is not checked here, and is what
 * `hurray_tensor_abi_version` reports. The list holds exactly the descriptor's buffers, in order: each at least its
 * declared size, aligned as declared, on the declared device, of the declared class and sync mode.
 *
 * *Ownership:* on success the list is consumed (the caller's pointer is dead), and `owner_release(owner)` runs once,
 * after the descriptor and the buffers, when the last share of the tensor goes; a NULL `owner_release` releases
 * nothing. On failure list and owner stay the caller's and nothing was called.
 * *Errors:* those of `hurray_descriptor_decode`; `HURRAY_ERR_BUFFER_MISMATCH`, `HURRAY_ERR_SYNC_MODE_MISMATCH`,
 * `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER` (also for descriptor bytes of length 0),
 * `HURRAY_ERR_VERSION_MISMATCH`, `HURRAY_ERR_OUT_OF_MEMORY`.
 * *Threads:* any; releases run on whatever thread drops the last share. *Since:* 10.
 */
HurrayStatus hurray_tensor_new(uint32_t abi_version,
                               const uint8_t *descriptor_bytes,
                               uint64_t descriptor_len,
                               HurrayBufferList *buffers,
                               void *owner,
                               HurrayOwnerReleaseFn owner_release,
                               HurrayTensor **out_tensor);

/**
 * Makes a tensor from a descriptor and a list of buffers, as `hurray_tensor_new`. The tensor reports
 * `HURRAY_C_ABI_VERSION`.
 *
 * *Ownership:* the descriptor stays the caller's; list and owner as in `hurray_tensor_new`.
 * *Errors:* `HURRAY_ERR_BUFFER_MISMATCH`, `HURRAY_ERR_SYNC_MODE_MISMATCH`, `HURRAY_ERR_UNSUPPORTED` (the buffer table is
 * not known), `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`, `HURRAY_ERR_VERSION_MISMATCH`,
 * `HURRAY_ERR_OUT_OF_MEMORY`. *Threads:* any; releases run on whatever thread drops the last share. *Since:* 10.
 */
HurrayStatus hurray_tensor_from_descriptor(const HurrayDescriptor *descriptor,
                                           HurrayBufferList *buffers,
                                           void *owner,
                                           HurrayOwnerReleaseFn owner_release,
                                           HurrayTensor **out_tensor);

/**
 * Another handle on the same tensor: same core, one count more.
 *
 * *Ownership:* the share is the caller's; descriptor, buffers and owner go with the last share.
 * *Errors:* `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`, `HURRAY_ERR_OUT_OF_MEMORY`.
 * *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_tensor_share(const HurrayTensor *tensor, HurrayTensor **out_tensor);

/**
 * The C ABI version of the tensor's producer. Always the first call on a tensor that came from elsewhere; refuse any
 * value but your own `HURRAY_C_ABI_VERSION`, and refusing leaves the tensor with whoever owns it.
 *
 * Works on a tensor of any version, past or future. It reads 16 bytes of the handle and nothing more.
 *
 * *Ownership:* none. *Errors:* `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
 * *Threads:* any, also at once on one handle. *Since:* 10; the signature is frozen.
 */
HurrayStatus hurray_tensor_abi_version(const HurrayTensor *tensor,
                                       uint32_t *out);

/**
 * The tensor's descriptor.
 *
 * *Ownership:* borrowed; lives as long as the tensor handle, and is never destroyed on its own.
 * *Errors:* `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`. *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_tensor_descriptor(const HurrayTensor *tensor,
                                      HurrayDescriptor **out_descriptor);

/**
 * The tensor's buffers, in descriptor order.
 *
 * *Ownership:* borrowed; lives as long as the tensor handle. Pushing to it or destroying it is
 * `HURRAY_ERR_INVALID_HANDLE`.
 * *Errors:* `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`. *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_tensor_buffers(const HurrayTensor *tensor,
                                   HurrayBufferList **out_buffers);

/**
 * One line that says element type, shape, layout, quantization, device and bytes. UTF-8, for people.
 *
 * *Ownership:* written into the caller's array; `*out_len` is its room, then the true length, in bytes.
 * *Errors:* `HURRAY_ERR_BUFFER_TOO_SMALL`, `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
 * *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_tensor_describe(const HurrayTensor *tensor, char *out, size_t *out_len);

/**
 * Ends a tensor handle and writes NULL through the pointer. NULL, or a pointer to NULL, does nothing. Works on a
 * tensor of any version.
 *
 * *Ownership:* ends the handle; the last share releases the descriptor, the buffers in order, then the owner.
 * *Errors:* `HURRAY_ERR_INVALID_HANDLE` (borrowed or taken: the pointer stays as it was). *Threads:* any. *Since:* 10.
 */
HurrayStatus hurray_tensor_destroy(HurrayTensor **tensor);

/**
 * Makes a dense tensor of a language's own array, in place wherever the format can describe it.
 *
 * `data` is the element at index zero; `byte_strides` has one stride a dimension, in bytes, and NULL is row-major.
 * The library chooses layout, lowest address, lead and byte offset; memory of any alignment is wrapped, not copied.
 * Strides of dimensions of one element mean nothing. A stride that is not whole elements needs a copy
 * (`HURRAY_BUFFER_COPIED_ALIGNMENT`), which `HURRAY_OPTION_COPY` forbids or demands. Types narrower than a byte are
 * packed and take no strides. Without elements the pointer is never looked at.
 *
 * *Ownership:* the tensor is the caller's. `owner_release(owner)` runs once, when the memory is not needed any more:
 * before this call returns if it copied. On failure nothing was called. Shape and strides are copied.
 * *Errors:* `HURRAY_ERR_INVALID_TYPE` (element type, device or class value), `HURRAY_ERR_INVALID_DESCRIPTOR` (device and
 * class do not go together), `HURRAY_ERR_LIMIT_EXCEEDED` (rank), `HURRAY_ERR_OVERFLOW`, `HURRAY_ERR_INVALID_ARGUMENT`
 * (dynamic dimension, strides of a packed type, flag, device id), `HURRAY_ERR_COPY_REQUIRED`,
 * `HURRAY_ERR_UNSUPPORTED` (a copy of memory that the host may not read), `HURRAY_ERR_CANCELLED`,
 * `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`, `HURRAY_ERR_OUT_OF_MEMORY`.
 * *Threads:* any; the release runs on whatever thread drops the last share. *Since:* 10.
 */
HurrayStatus hurray_tensor_from_array(uint8_t element_type_tag,
                                      const uint64_t *shape,
                                      size_t rank,
                                      const int64_t *byte_strides,
                                      void *data,
                                      uint8_t device_tag,
                                      uint8_t memory_class,
                                      int32_t device_id,
                                      uint32_t buffer_flags,
                                      const HurrayOptions *options,
                                      void *owner,
                                      HurrayOwnerReleaseFn owner_release,
                                      HurrayTensor **out_tensor);

/**
 * Gives a tensor as a language's own array: the address of the element at index zero, shape, and strides in bytes.
 * For row-major, column-major and strided tensors whose memory the host may read; a quantized tensor gives its codes.
 *
 * *Ownership:* the memory stays the tensor's: keep a share of it for as long as the view is used.
 * `out_shape` and `out_byte_strides` are the caller's arrays; `*out_rank` is their room, then the rank. Types narrower
 * than a byte (`HURRAY_VIEW_PACKED`) leave `out_byte_strides` alone, and it may be NULL.
 * *Errors:* `HURRAY_ERR_UNSUPPORTED` (another layout, dynamic dimensions, an unknown type, packed and strided, or memory
 * that the host may not read), `HURRAY_ERR_BUFFER_TOO_SMALL`, `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
 * *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_tensor_array_view(const HurrayTensor *tensor,
                                      void **out_data,
                                      uint64_t *out_shape,
                                      int64_t *out_byte_strides,
                                      size_t *out_rank,
                                      uint32_t *out_view_flags);

/**
 * One array inside a tensor as a dense tensor that shares it: row-major, or strided for block parameters whose axis is
 * not the last one. `role` is a `HURRAY_ROLE_...` value: `VALUES`
 * `[nnz]` or pages `[num_pages, page_size, H, D]`, `INDICES` (COO `[nnz, rank]`, CSR, CSC), `POINTERS`, `CSF_POS` and
 * `CSF_CRD` (with `level`), `BLOCK_TABLE`, `SEQ_PTR`, `SCALES` and `ZERO_POINTS` (shaped by the blocks, also when both sit
 * in one buffer). `level` is 0 for every other role.
 *
 * *Ownership:* the part is the caller's; it keeps the whole tensor alive, owner and all.
 * *Errors:* `HURRAY_ERR_FIELD_NOT_APPLICABLE` (the tensor has no such part), `HURRAY_ERR_INDEX_OUT_OF_BOUNDS` (level),
 * `HURRAY_ERR_INVALID_ARGUMENT` (no such role), `HURRAY_ERR_UNSUPPORTED` (its shape cannot be told),
 * `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`, `HURRAY_ERR_OUT_OF_MEMORY`.
 * *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_tensor_part(const HurrayTensor *tensor,
                                uint32_t role,
                                uint32_t level,
                                HurrayTensor **out_tensor);

/* ---- Items: a tensor, a composite, a descriptor ------------------------------------------------------------------ */

/**
 * Makes an item of one tensor.
 *
 * *Ownership:* the item is the caller's and keeps a share of the tensor; the tensor stays the caller's.
 * *Errors:* `HURRAY_ERR_INVALID_ARGUMENT` (the tensor's descriptor is a composite's head), `HURRAY_ERR_INVALID_HANDLE`,
 * `HURRAY_ERR_NULL_POINTER`, `HURRAY_ERR_OUT_OF_MEMORY`. *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_item_from_tensor(const HurrayTensor *tensor,
                                     HurrayItem **out_item);

/**
 * Makes a composite of a head and its members, in order, by all rules of the whole composite. Members are tensors or
 * composites; the outermost head is level 1 of at most 8.
 *
 * *Ownership:* the item is the caller's and keeps shares of the members; head and members stay the caller's.
 * *Errors:* `HURRAY_ERR_INVALID_LAYOUT` (a rule of the composite: the text names it and the member),
 * `HURRAY_ERR_LIMIT_EXCEEDED` (nesting), `HURRAY_ERR_OVERFLOW` (a volume beyond 128 bits),
 * `HURRAY_ERR_INVALID_ARGUMENT` (the descriptor is no head), `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`,
 * `HURRAY_ERR_VERSION_MISMATCH`, `HURRAY_ERR_OUT_OF_MEMORY`. *Threads:* any. *Since:* 10.
 */
HurrayStatus hurray_item_composite_new(const HurrayDescriptor *head,
                                       const HurrayItem *const *members,
                                       size_t count,
                                       HurrayItem **out_item);

/**
 * Another handle on the same item.
 *
 * *Ownership:* the share is the caller's; what the item holds goes with the last share.
 * *Errors:* `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`, `HURRAY_ERR_OUT_OF_MEMORY`.
 * *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_item_share(const HurrayItem *item, HurrayItem **out_item);

/**
 * What the item is: `HURRAY_ITEM_TENSOR` or `HURRAY_ITEM_COMPOSITE`; from a stream reader with `PERMISSIVE` or `FLAT` also
 * `HURRAY_ITEM_DESCRIPTOR`.
 *
 * *Ownership:* none.
 * *Errors:* `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
 * *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_item_kind(const HurrayItem *item,
                              uint32_t *out_kind);

/**
 * The tensor of an item of kind `HURRAY_ITEM_TENSOR`.
 *
 * *Ownership:* the tensor is a share and the caller's; it outlives the item.
 * *Errors:* `HURRAY_ERR_INVALID_ARGUMENT` (another kind), `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`,
 * `HURRAY_ERR_OUT_OF_MEMORY`. *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_item_tensor(const HurrayItem *item,
                                HurrayTensor **out_tensor);

/**
 * The head of an item of kind `HURRAY_ITEM_COMPOSITE`, or the descriptor that an item of kind `HURRAY_ITEM_DESCRIPTOR` is.
 *
 * *Ownership:* borrowed; lives as long as the item handle, and is never destroyed on its own.
 * *Errors:* `HURRAY_ERR_INVALID_ARGUMENT` (a tensor), `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
 * *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_item_head(const HurrayItem *item,
                              HurrayDescriptor **out_descriptor);

/**
 * The bytes that came with the descriptor of an item of kind `HURRAY_ITEM_DESCRIPTOR`, as a dense uint8 tensor of one
 * dimension: the buffers of a tensor whose layout is unknown, in the order of its table, without padding.
 *
 * *Ownership:* the tensor is a share and the caller's; it outlives the item.
 * *Errors:* `HURRAY_ERR_FIELD_NOT_APPLICABLE` (no bytes came with it: a head, or a bare stream),
 * `HURRAY_ERR_INVALID_ARGUMENT` (another kind), `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`,
 * `HURRAY_ERR_OUT_OF_MEMORY`. *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_item_data(const HurrayItem *item,
                              HurrayTensor **out_tensor);

/**
 * The number of members of an item of kind `HURRAY_ITEM_COMPOSITE`.
 *
 * *Ownership:* none.
 * *Errors:* `HURRAY_ERR_INVALID_ARGUMENT` (another kind), `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
 * *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_item_member_count(const HurrayItem *item,
                                      uint64_t *out_count);

/**
 * The member at `index` of an item of kind `HURRAY_ITEM_COMPOSITE`, in order.
 *
 * *Ownership:* borrowed; lives as long as the item handle. `hurray_item_share` makes one that outlives it.
 * *Errors:* `HURRAY_ERR_INVALID_ARGUMENT` (another kind), `HURRAY_ERR_INDEX_OUT_OF_BOUNDS`,
 * `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
 * *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_item_member(const HurrayItem *item, uint64_t index, HurrayItem **out_borrowed);

/**
 * Ends an item handle and writes NULL through the pointer. NULL, or a pointer to NULL, does nothing.
 *
 * *Ownership:* ends the handle; the last share releases the members. *Errors:* `HURRAY_ERR_INVALID_HANDLE` (borrowed:
 * the pointer stays as it was). *Threads:* any. *Since:* 10.
 */
HurrayStatus hurray_item_destroy(HurrayItem **item);

/* ---- DLPack ------------------------------------------------------------------------------------------------------ */

/**
 * Gives a tensor as DLPack's versioned struct (version 1.3), for any consumer of DLPack 1.x. Row-major, column-major
 * and strided tensors without quantization cross, on the devices and of the types that DLPack has; strides are always
 * written, sub-byte types stay packed, read-only memory is flagged so.
 *
 * `HURRAY_OPTION_COPY` is the standard's `copy`: 2 makes a row-major copy in host memory for the consumer alone.
 * `bool`, whose elements are bits here and bytes there, crosses by such a copy only.
 *
 * *Ownership:* the struct is the caller's, who calls its `deleter` once, on any thread, or hands it on; it keeps a
 * share of the tensor. *Errors:* `HURRAY_ERR_UNSUPPORTED` (DLPack cannot carry it: the text says why),
 * `HURRAY_ERR_COPY_REQUIRED` (bool), `HURRAY_ERR_CANCELLED`, `HURRAY_ERR_INVALID_HANDLE` (options of another copy of the
 * library included), `HURRAY_ERR_NULL_POINTER`, `HURRAY_ERR_OUT_OF_MEMORY`.
 * *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_tensor_to_dlpack(const HurrayTensor *tensor,
                                     const HurrayOptions *options,
                                     DLManagedTensorVersioned **out_managed);

/**
 * Gives a tensor as DLPack's unversioned struct, for consumers older than DLPack 1.0. As `hurray_tensor_to_dlpack`,
 * but that read-only memory, which this struct cannot say, needs a copy.
 *
 * *Ownership:* the struct is the caller's, who calls its `deleter` once, on any thread, or hands it on; it keeps a
 * share of the tensor. *Errors:* as `hurray_tensor_to_dlpack`; `HURRAY_ERR_UNSUPPORTED` also for read-only memory.
 * *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_tensor_to_dlpack_unversioned(const HurrayTensor *tensor,
                                                 const HurrayOptions *options,
                                                 DLManagedTensor **out_managed);

/**
 * The DLPack device (type and id) that an export of the tensor would carry, without exporting it.
 *
 * *Ownership:* none. *Errors:* `HURRAY_ERR_UNSUPPORTED` (DLPack has no such device, or the tensor has no buffer),
 * `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`. *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_tensor_dlpack_device(const HurrayTensor *tensor,
                                         int32_t *out_device_type,
                                         int32_t *out_device_id);

/**
 * Makes a tensor of DLPack's versioned struct, of any version 1.x, without copying where the format can describe the
 * memory. NULL strides are row-major; strides of dimensions of one element mean nothing; a tensor without elements may
 * have any pointer. The read-only flag stays with the buffer. Booleans, a byte there and a bit here, are packed into a
 * copy, which `HURRAY_OPTION_COPY` must ask for (2); padded sub-byte elements are packed unless it forbids that (1).
 *
 * *Ownership:* on success the struct is the tensor's, `*managed` is NULL, and its deleter runs once, when the last
 * share goes (before this call returns if it copied). On failure the struct stays the caller's; but one of an unknown
 * major version is released at once, as DLPack demands, and `*managed` is NULL then too.
 * *Errors:* `HURRAY_ERR_VERSION_MISMATCH` (major), `HURRAY_ERR_UNSUPPORTED` (type, lanes, device, packed strides),
 * `HURRAY_ERR_INVALID_ARGUMENT` (negative ndim, dimension or device id), `HURRAY_ERR_LIMIT_EXCEEDED` (rank),
 * `HURRAY_ERR_OVERFLOW`, `HURRAY_ERR_COPY_REQUIRED`, `HURRAY_ERR_CANCELLED`, `HURRAY_ERR_INVALID_HANDLE`,
 * `HURRAY_ERR_NULL_POINTER`, `HURRAY_ERR_OUT_OF_MEMORY`.
 * *Threads:* any; the deleter runs on whatever thread drops the last share. *Since:* 10.
 */
HurrayStatus hurray_tensor_from_dlpack(DLManagedTensorVersioned **managed,
                                       const HurrayOptions *options,
                                       HurrayTensor **out_tensor);

/**
 * Makes a tensor of DLPack's unversioned struct. As `hurray_tensor_from_dlpack`; the struct cannot say whether its
 * memory may be written to, so the tensor is read-only.
 *
 * *Ownership:* as `hurray_tensor_from_dlpack`. *Errors:* as `hurray_tensor_from_dlpack`, but for the version.
 * *Threads:* any; the deleter runs on whatever thread drops the last share. *Since:* 10.
 */
HurrayStatus hurray_tensor_from_dlpack_unversioned(DLManagedTensor **managed,
                                                   const HurrayOptions *options,
                                                   HurrayTensor **out_tensor);

/* ---- Conversions and element access ------------------------------------------------------------------------------ */

/**
 * The same elements in another layout: from any dense or sparse layout to any. `target` gives the layout and, for dense
 * results, the byte offset; NULL is row-major. Its element type and shape equal the tensor's, and nothing else of it is
 * looked at: quantization, shard, statistics and member sections are the tensor's own, and codes are moved as they are.
 *
 * A sparse result has the entries in the order of its layout, COO too. From dense it stores the elements that have a bit
 * set: -0.0 and NaN are stored, and so is a zero that a sparse tensor stores. A coordinate that a COO tensor stores twice
 * is refused, or by `HURRAY_OPTION_DUPLICATES` kept (the result then breaks L-033 or L-034, as the source did, and its
 * sorted flag is 0) or summed in stored order, in the element type; integers wrap.
 *
 * A tensor that is in the target's layout already comes back as a share, at the byte offset it has, and with it a
 * result that only its tag tells apart; `HURRAY_OPTION_COPY` 2 copies all the same, and 1 refuses a copy.
 * `into` is NULL, for a new buffer, or the buffer that takes the elements: host memory that may be written, as
 * large as the result at least (its lead aside) and apart from the source. The result shares it. What lies
 * between the elements of a result (tile edges, gaps of strides and codes) is zero in a new buffer and stays as it was
 * in `into`. Options count the bytes that are written, stop the call, and give it threads.
 *
 * *Ownership:* the result is the caller's; tensor, target and `into` stay so. After a failure the bytes of `into` are
 * undefined. `out_bytes` may be NULL; it gets the bytes that were written, 0 for a share.
 * *Errors:* `HURRAY_ERR_INVALID_ARGUMENT` (element type or shape of the target differ, a dynamic dimension, strides that
 * put several elements in one place; `into` is read-only, not ready, overlaps the source, or is given for a sparse
 * result; duplicates kept in a dense one), `HURRAY_ERR_INVALID_LAYOUT` (L-023, L-031 to L-034: the source's entries),
 * `HURRAY_ERR_BUFFER_MISMATCH` (L-030), `HURRAY_ERR_CORRUPT` (the source changed while it was read),
 * `HURRAY_ERR_COPY_REQUIRED`, `HURRAY_ERR_BUFFER_TOO_SMALL` (`into`),
 * `HURRAY_ERR_UNSUPPORTED` (a layout, type or scheme that is not understood, memory that the host may not read or that
 * is not ready; block-paged; a sum of elements that have none; sparse and dense under a scheme whose code 0 is not
 * 0.0), `HURRAY_ERR_OVERFLOW`, `HURRAY_ERR_CANCELLED`, `HURRAY_ERR_INVALID_HANDLE` (options of another copy of
 * the library included), `HURRAY_ERR_NULL_POINTER`, `HURRAY_ERR_VERSION_MISMATCH`, `HURRAY_ERR_OUT_OF_MEMORY`.
 * *Threads:* any, also at once on one handle; `into` is this call's alone. *Since:* 10.
 */
HurrayStatus hurray_tensor_to_layout(const HurrayTensor *tensor,
                                     const HurrayDescriptor *target,
                                     const HurrayBuffer *into,
                                     const HurrayOptions *options,
                                     uint64_t *out_bytes,
                                     HurrayTensor **out_tensor);

/**
 * The offset of an element, in elements from the one at index zero, by arithmetic on the descriptor: any dense layout.
 * It is written as two's complement where strides lead below the element at index zero; the byte is at `byte_offset`
 * plus so many elements.
 *
 * *Ownership:* none. *Errors:* `HURRAY_ERR_INVALID_ARGUMENT` (the index is not as long as the rank, or a dimension is
 * dynamic), `HURRAY_ERR_INDEX_OUT_OF_BOUNDS`, `HURRAY_ERR_UNSUPPORTED` (sparse and block-paged: ask the tensor; a head; a
 * private layout), `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`, `HURRAY_ERR_OUT_OF_MEMORY`.
 * *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_descriptor_element_offset(const HurrayDescriptor *descriptor,
                                              const uint64_t *index,
                                              size_t len,
                                              uint64_t *out_offset);

/**
 * The offset of an element of a tensor, in elements, as `hurray_descriptor_element_offset`. Of a sparse tensor it is the
 * position among the stored values; of a block-paged one, whose index is sequence, token, head and component, the
 * position in the page pool.
 *
 * *Ownership:* none. *Errors:* as `hurray_descriptor_element_offset`; `HURRAY_ERR_NOT_FOUND` where a sparse tensor stores
 * nothing, `HURRAY_ERR_INDEX_OUT_OF_BOUNDS` for a token beyond the pages of its sequence (L-041),
 * `HURRAY_ERR_INVALID_LAYOUT` where index buffers are malformed on the way, `HURRAY_ERR_UNSUPPORTED` where the host may not
 * read them. *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_tensor_element_offset(const HurrayTensor *tensor,
                                          const uint64_t *index,
                                          size_t len,
                                          uint64_t *out_offset);

/**
 * Numbers of the element type `element_type_tag`, one of `float16`, `bfloat16`, `float32` and `float64`.
 *
 * Quantized codes become `scale * (code - zero point)` and its like, computed in float32 as the written format says, and
 * rounded once more to a narrower type. Without a scheme the element values themselves are converted, rounded once:
 * integers, `bool` (0 and 1), packed and narrow floating-point types, `float128`; never complex ones. Rounding is to
 * nearest, ties to even; past the largest number of the result's type lies infinity. A NaN stays one: without a scheme it
 * keeps its sign and the leading bits of its payload, and becomes quiet. `float8_e8m0` codes `00` and `FF`, which may not
 * occur, are NaN.
 *
 * A dense tensor of any layout gives a row-major one; one that is row-major and of that type already, a share, as in
 * `hurray_tensor_to_layout`. A sparse or block-paged tensor keeps its layout and shares its index buffers: what is stored
 * is converted, and what is not stays 0. Statistics and quantization do not carry over. `into`, options and `out_bytes`
 * are those of `hurray_tensor_to_layout`.
 *
 * *Ownership:* the result is the caller's; tensor and `into` stay so. After a failure the bytes of `into` are undefined.
 * *Errors:* `HURRAY_ERR_INVALID_TYPE` (`element_type_tag`, or an element type that is no real number),
 * `HURRAY_ERR_INVALID_DESCRIPTOR` (a parameter that may not occur, Q-029 to Q-032, with its position),
 * `HURRAY_ERR_INVALID_LAYOUT` (index buffers beside channels or blocks that are not what they must be, with the position),
 * `HURRAY_ERR_UNSUPPORTED` (NF4 and MXFP on pages; what is not understood, not readable by the host, or not ready),
 * `HURRAY_ERR_INVALID_ARGUMENT` (a dynamic dimension; `into` is read-only, not ready, overlaps the source, or is given
 * for a result that is not dense), `HURRAY_ERR_COPY_REQUIRED`, `HURRAY_ERR_BUFFER_TOO_SMALL` (`into`),
 * `HURRAY_ERR_OVERFLOW`, `HURRAY_ERR_CANCELLED`, `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`,
 * `HURRAY_ERR_VERSION_MISMATCH`, `HURRAY_ERR_OUT_OF_MEMORY`.
 * *Threads:* any, also at once on one handle; `into` is this call's alone. *Since:* 10.
 */
HurrayStatus hurray_tensor_dequantize(const HurrayTensor *tensor,
                                      uint8_t element_type_tag,
                                      const HurrayBuffer *into,
                                      const HurrayOptions *options,
                                      uint64_t *out_bytes,
                                      HurrayTensor **out_tensor);

/**
 * Codes of the scheme and storage type of `target`, in its layout, for a dense tensor of real numbers without a scheme and
 * of the target's shape. A target without a scheme, of a floating-point type, takes the numbers themselves.
 *
 * A number is divided by its scale in float64 and becomes the nearest code, ties to even: affine schemes round, add the
 * zero point and stop at the ends of the storage type's range, NF4 takes the nearest level, MXFP the nearest element
 * value. Infinities become the outermost codes, and so do numbers past the largest in `float8_*`, `float6_*` and
 * `float4_e2m1`; in `float16` and wider types they become infinity. `float8_e8m0` takes numbers above 0 alone.
 *
 * `parameters` holds the target's parameter buffers, in the order of its buffer table; they are copied. An empty list
 * means that a per-tensor scheme's scale and zero point are those of the target. With NULL they are computed from the
 * finite numbers of the tensor, each channel or block: affine scales are the largest magnitude by the greatest code
 * (symmetric; per-tensor schemes of signed types too), or the range with 0 in it by the number of steps, rounded up; then
 * an error is at most half a scale. NF4 scales are the largest magnitude: at most 0.16 scales. MXFP scales are
 * 2^(floor(log2(largest magnitude)) - exponent of the largest element value): half a last place, and what is past the
 * largest element value saturates. Where all numbers are 0, the scale is 1 (NF4: 0). float32's own rounding adds to
 * each bound when codes are read back.
 *
 * The data buffer holds whole blocks, those past the shape zero. `into` takes the codes; it and the options are those of
 * `hurray_tensor_to_layout`. `out_bytes` counts codes and parameters.
 *
 * *Ownership:* the result is the caller's; tensor, target, parameters and `into` stay so. After a failure the bytes of
 * `into` are undefined.
 * *Errors:* `HURRAY_ERR_INVALID_ARGUMENT` (a NaN, or a number, that the type has no code for, with its row-major
 * position; another shape; a tensor that has a scheme; a number of parameter buffers; `into`),
 * `HURRAY_ERR_INVALID_DESCRIPTOR` (a given parameter that may not occur, such as a scale of 0: Q-029 to Q-032),
 * `HURRAY_ERR_BUFFER_MISMATCH` (Q-025: the size of a parameter buffer), `HURRAY_ERR_INVALID_TYPE` (a complex or private
 * type; a target without a scheme that is no floating-point type, or `float128`), `HURRAY_ERR_UNSUPPORTED` (a layout that
 * is not dense; memory), `HURRAY_ERR_OVERFLOW` (also a scale past its type), `HURRAY_ERR_COPY_REQUIRED`,
 * `HURRAY_ERR_BUFFER_TOO_SMALL` (`into`), `HURRAY_ERR_CANCELLED`, `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`,
 * `HURRAY_ERR_VERSION_MISMATCH`, `HURRAY_ERR_OUT_OF_MEMORY`.
 * *Threads:* any, also at once on one handle; `into` is this call's alone. *Since:* 10.
 */
HurrayStatus hurray_tensor_quantize(const HurrayTensor *tensor,
                                    const HurrayDescriptor *target,
                                    const HurrayBufferList *parameters,
                                    const HurrayBuffer *into,
                                    const HurrayOptions *options,
                                    uint64_t *out_bytes,
                                    HurrayTensor **out_tensor);

/**
 * The codes of a dense tensor of a packed type, one a byte, row-major: `int8` for `int4` and `int2`, else `uint8`. Those
 * of `float4_*` and `float6_*` are bit patterns, those of `bool` 0 and 1. A scheme does not carry over, nor do
 * statistics: the result holds codes, not what they stand for.
 *
 * `into`, options and `out_bytes` are those of `hurray_tensor_to_layout`.
 *
 * *Ownership:* the result is the caller's; tensor and `into` stay so. After a failure the bytes of `into` are undefined.
 * *Errors:* `HURRAY_ERR_INVALID_TYPE` (not a packed type), `HURRAY_ERR_UNSUPPORTED` (a layout that is not dense; what is
 * not understood, not readable by the host, or not ready), `HURRAY_ERR_INVALID_ARGUMENT` (a dynamic dimension; `into` is
 * read-only, not ready, or overlaps the source), `HURRAY_ERR_COPY_REQUIRED`, `HURRAY_ERR_BUFFER_TOO_SMALL` (`into`),
 * `HURRAY_ERR_OVERFLOW`, `HURRAY_ERR_CANCELLED`, `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`,
 * `HURRAY_ERR_VERSION_MISMATCH`, `HURRAY_ERR_OUT_OF_MEMORY`.
 * *Threads:* any, also at once on one handle; `into` is this call's alone. *Since:* 10.
 */
HurrayStatus hurray_tensor_unpack(const HurrayTensor *tensor,
                                  const HurrayBuffer *into,
                                  const HurrayOptions *options,
                                  uint64_t *out_bytes,
                                  HurrayTensor **out_tensor);

/**
 * Packs a dense tensor of `int8` or `uint8`, one code a byte, as the packed type `element_type_tag`, row-major. As `bool`,
 * every byte but 0 is 1. A scheme does not carry over, nor do statistics.
 *
 * `into`, options and `out_bytes` are those of `hurray_tensor_to_layout`.
 *
 * *Ownership:* the result is the caller's; tensor and `into` stay so. After a failure the bytes of `into` are undefined.
 * *Errors:* as `hurray_tensor_unpack`; `HURRAY_ERR_INVALID_TYPE` also for an `element_type_tag` that is not packed, and a
 * tensor of another type than those two; `HURRAY_ERR_INVALID_ARGUMENT` also for a value that the packed type has no code
 * for, with its row-major position.
 * *Threads:* any, also at once on one handle; `into` is this call's alone. *Since:* 10.
 */
HurrayStatus hurray_tensor_pack(const HurrayTensor *tensor,
                                uint8_t element_type_tag,
                                const HurrayBuffer *into,
                                const HurrayOptions *options,
                                uint64_t *out_bytes,
                                HurrayTensor **out_tensor);

/**
 * Part of a dense tensor: per dimension the components from `start` on, before `stop`, in steps of `step`. Steps may be
 * negative, not 0; a NULL `step` is steps of one. With a positive step `start` and `stop` lie between 0 and the extent,
 * with a negative one between -1 and the last component; a part without elements is allowed.
 *
 * Row-major, column-major and strided tensors give a share of their memory, at another byte offset and with other
 * strides, unless packed elements would not begin with a byte. So does a tensor of any dense layout where the part is the
 * whole of it, in its own order, or has no elements. All else is copied to row-major, as `HURRAY_OPTION_COPY` allows or
 * demands. The part has the tensor's quantization where its parameters hold for the part, and is a shard of
 * the same parent where the tensor is one and no element is left out between others; statistics and member section
 * stay behind.
 *
 * *Ownership:* the part is the caller's. `out_bytes` may be NULL; it gets the bytes that were written, 0 for a share.
 * *Errors:* `HURRAY_ERR_INVALID_ARGUMENT` (`rank` is not the tensor's, a step of 0, a dynamic dimension),
 * `HURRAY_ERR_INDEX_OUT_OF_BOUNDS`, `HURRAY_ERR_COPY_REQUIRED`, `HURRAY_ERR_UNSUPPORTED` (sparse, block-paged and private
 * layouts; parameters of the whole; for a copy, memory that the host may not read or that is not ready),
 * `HURRAY_ERR_CANCELLED`, `HURRAY_ERR_INVALID_HANDLE` (options of another copy of the library included),
 * `HURRAY_ERR_NULL_POINTER`, `HURRAY_ERR_OUT_OF_MEMORY`. *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_tensor_slice(const HurrayTensor *tensor,
                                 const int64_t *start,
                                 const int64_t *stop,
                                 const int64_t *step,
                                 size_t rank,
                                 const HurrayOptions *options,
                                 uint64_t *out_bytes,
                                 HurrayTensor **out_tensor);

/**
 * The tensor's descriptor with its statistics section filled, in one pass over the elements: how many are not zero, the
 * share of zeros, minimum, maximum and largest magnitude, mean and population standard deviation, and whether there is
 * a NaN or an infinity; not the N:M pattern.
 *
 * Numbers are those that quantized codes stand for. Everything but positive zero counts as not zero; what a sparse
 * layout does not store is zero, and the count is the layout's. A NaN is left out of minimum and maximum; with a NaN or
 * an infinity there are no moments, and complex numbers have neither. What is not there has its mask bit clear.
 *
 * *Ownership:* the descriptor is the caller's. *Errors:* `HURRAY_ERR_UNSUPPORTED` (block-paged, private types and layouts,
 * memory that the host may not read or that is not ready), `HURRAY_ERR_INVALID_ARGUMENT` (a dynamic dimension, parameters
 * that are no numbers), `HURRAY_ERR_BUFFER_MISMATCH`, `HURRAY_ERR_OVERFLOW`, `HURRAY_ERR_CANCELLED`,
 * `HURRAY_ERR_INVALID_HANDLE` (options of another copy of the library included), `HURRAY_ERR_NULL_POINTER`,
 * `HURRAY_ERR_OUT_OF_MEMORY`. *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_tensor_statistics(const HurrayTensor *tensor,
                                      const HurrayOptions *options,
                                      HurrayDescriptor **out_descriptor);

/**
 * Writes all tokens of a block-paged tensor, sequence after sequence, as a row-major tensor of the same shape.
 *
 * No field stores how many tokens each sequence has: `sequence_lengths` are `len` numbers that add up to the tokens of the
 * shape. NULL with 0 will do where there is one sequence, or where every page is full. `into` is as in
 * `hurray_tensor_to_layout`. Codes of a quantized tensor are moved as they are.
 *
 * *Ownership:* the result is the caller's; tensor, lengths and `into` stay so. After a failure the bytes of `into` are
 * undefined. `out_bytes` may be NULL; it gets the bytes that were written.
 * *Errors:* `HURRAY_ERR_INVALID_ARGUMENT` (the tensor is not block-paged, the lengths do not fit, a dynamic dimension,
 * `into`), `HURRAY_ERR_INDEX_OUT_OF_BOUNDS` (a length beyond the pages of its sequence, L-041),
 * `HURRAY_ERR_INVALID_LAYOUT` (L-039), `HURRAY_ERR_CORRUPT` (the tables changed while they were read),
 * `HURRAY_ERR_UNSUPPORTED` (parameters per page slot, which a dense tensor has no place for, and Q-036; a type that is not
 * understood; memory that the host may not read or that is not ready), `HURRAY_ERR_COPY_REQUIRED`,
 * `HURRAY_ERR_BUFFER_TOO_SMALL`, `HURRAY_ERR_CANCELLED`, `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`,
 * `HURRAY_ERR_VERSION_MISMATCH`, `HURRAY_ERR_OUT_OF_MEMORY`.
 * *Threads:* any, also at once on one handle; `into` is this call's alone. *Since:* 10.
 */
HurrayStatus hurray_tensor_gather(const HurrayTensor *tensor,
                                  const uint64_t *sequence_lengths,
                                  size_t len,
                                  const HurrayBuffer *into,
                                  const HurrayOptions *options,
                                  uint64_t *out_bytes,
                                  HurrayTensor **out_tensor);

/**
 * Writes the tokens of a dense tensor into the page pool of a block-paged one of the same shape and element type: the
 * inverse of `hurray_tensor_gather`. Slots that no token fills stay as they are; where sequences share a page, the tokens of the
 * last one stay.
 *
 * The pool is written in place: nobody else may read it or write to it meanwhile. After a failure part of it may be written.
 *
 * *Ownership:* all handles stay the caller's. `out_bytes` may be NULL; it gets the bytes that were written.
 * *Errors:* as `hurray_tensor_gather`; `HURRAY_ERR_INVALID_ARGUMENT` also for shapes or types that differ, a pool that is
 * read-only or overlaps what is read, `HURRAY_ERR_UNSUPPORTED` also for quantized tensors, other than two of one scale and
 * zero point. *Threads:* any; the pool is this call's alone. *Since:* 10.
 */
HurrayStatus hurray_tensor_scatter(const HurrayTensor *tensor,
                                   const HurrayTensor *paged,
                                   const uint64_t *sequence_lengths,
                                   size_t len,
                                   const HurrayOptions *options,
                                   uint64_t *out_bytes);

/**
 * Holds the contents of a tensor's buffers to the format: coordinates inside the shape and in order, pointers that
 * rise to the number of entries, no coordinate twice, pages that exist, scales and zero points that their scheme allows,
 * unused bits that are 0. The text names the rule, the part and the position in it. A descriptor alone tells none of this, and
 * no other call needs it: conversions check each index as they use it.
 *
 * *Ownership:* none. *Errors:* `HURRAY_ERR_INVALID_LAYOUT` (L-031 to L-034, L-039), `HURRAY_ERR_BUFFER_MISMATCH` (L-030),
 * `HURRAY_ERR_INVALID_DESCRIPTOR` (Q-029 to Q-032), `HURRAY_ERR_CORRUPT` (unused bits, which readers ignore),
 * `HURRAY_ERR_UNSUPPORTED` (a type, layout or scheme that is not understood, Q-036, memory that the host may not read or that is
 * not ready), `HURRAY_ERR_INVALID_ARGUMENT` (a dynamic dimension), `HURRAY_ERR_CANCELLED`, `HURRAY_ERR_INVALID_HANDLE`,
 * `HURRAY_ERR_NULL_POINTER`, `HURRAY_ERR_VERSION_MISMATCH`, `HURRAY_ERR_OUT_OF_MEMORY`.
 * *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_tensor_check_data(const HurrayTensor *tensor,
                                      const HurrayOptions *options);

/**
 * Makes one row-major tensor of a composite: a partition's members joined, an overlay's corrections applied to its base in
 * order, by its combine op (added in the head's type, rounded each time; integers wrap). A sparse correction covers what it
 * stores. An item that is a tensor comes back as a share of it.
 *
 * *Ownership:* the result is the caller's; item and `into` stay so. `into` and `out_bytes` are as in
 * `hurray_tensor_to_layout`.
 * *Errors:* `HURRAY_ERR_UNSUPPORTED` (a group, whose members are independent tensors: the head has no values; a private
 * rule; a type, layout or scheme that is not understood; a sum of elements that have none; memory that the host may not
 * read or that is not ready), `HURRAY_ERR_INVALID_LAYOUT` (the entries of a sparse member, L-031 to L-034),
 * `HURRAY_ERR_INVALID_ARGUMENT` (`into`, a descriptor alone), `HURRAY_ERR_COPY_REQUIRED`, `HURRAY_ERR_BUFFER_TOO_SMALL`,
 * `HURRAY_ERR_OVERFLOW`, `HURRAY_ERR_CANCELLED`, `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`,
 * `HURRAY_ERR_VERSION_MISMATCH`, `HURRAY_ERR_OUT_OF_MEMORY`.
 * *Threads:* any, also at once on one handle; `into` is this call's alone. *Since:* 10.
 */
HurrayStatus hurray_item_assemble(const HurrayItem *item,
                                  const HurrayBuffer *into,
                                  const HurrayOptions *options,
                                  uint64_t *out_bytes,
                                  HurrayTensor **out_tensor);

/* ---- Files: reading ---------------------------------------------------------------------------------------------- */

/**
 * Opens a file by its path, checks its structure and maps it. What it costs grows with the index, not with the data.
 *
 * The `MAP` option says how: 0 maps read-only, and tensors' buffers are `HURRAY_BUFFER_READ_ONLY`; 1 maps copy-on-write,
 * buffers are writable and no write reaches the file; 2 copies each tensor when it is asked for. A file system that
 * cannot map is read as with 2. A mapped file that another process cuts short kills a process that then touches the
 * lost pages (`SIGBUS`); the library itself reads structure by positioned reads, which fail with
 * `HURRAY_ERR_TRUNCATED`. Use 2 for files that others may change. `VERIFY` checks every rule, padding included, before
 * the call returns.
 *
 * *Ownership:* the handle is the caller's; the path (bytes of the system, without NUL) is not kept.
 * *Errors:* `HURRAY_ERR_IO` with the system's error number; the status of the first rule that is broken:
 * `HURRAY_ERR_INVALID_MAGIC`, `HURRAY_ERR_VERSION_MISMATCH`, `HURRAY_ERR_TRUNCATED`, `HURRAY_ERR_CORRUPT`,
 * `HURRAY_ERR_DUPLICATE`; `HURRAY_ERR_LIMIT_EXCEEDED` (a limit of the options), `HURRAY_ERR_CANCELLED`,
 * `HURRAY_ERR_INVALID_ARGUMENT` (the path), `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`,
 * `HURRAY_ERR_OUT_OF_MEMORY`. *Threads:* any. *Since:* 10.
 */
HurrayStatus hurray_file_reader_open(const char *path,
                                     size_t path_len,
                                     const HurrayOptions *options,
                                     HurrayFileReader **out_reader);

/**
 * Opens a file by a descriptor of the system: a regular file, a memfd, shared memory. As `hurray_file_reader_open`.
 *
 * *Ownership:* the handle is the caller's; the descriptor is duplicated and stays the caller's. Its position is neither
 * used nor moved. *Errors:* as `hurray_file_reader_open`. *Threads:* any. *Since:* 10.
 */
HurrayStatus hurray_file_reader_open_fd(int64_t fd,
                                        const HurrayOptions *options,
                                        HurrayFileReader **out_reader);

/**
 * Opens a file whose bytes are in memory. Tensors are views of it where their addresses are aligned as declared (a
 * buffer aligned to 4096 always gives that), read-only with `MAP` 0; `MAP` 1 and 2 give copies.
 *
 * *Ownership:* the handle is the caller's and keeps a share of the buffer, and so do the tensors; the buffer stays the
 * caller's, and its bytes must not change. *Errors:* as `hurray_file_reader_open`; `HURRAY_ERR_UNSUPPORTED` (memory that
 * the host may not read). *Threads:* any. *Since:* 10.
 */
HurrayStatus hurray_file_reader_open_buffer(const HurrayBuffer *buffer,
                                            const HurrayOptions *options,
                                            HurrayFileReader **out_reader);

/**
 * Opens a file of `size` bytes through ranged reads, as an object store offers them. Header, trailer, index and
 * key-value section are read when it opens, a tensor when it is asked for, into memory of its own; adjacent reads are
 * merged. Only bytes of what was asked for are read.
 *
 * *Ownership:* the handle is the caller's. `release(context)` runs once, when the reader ends; NULL releases nothing. On
 * failure nothing is kept and `release` is not called. *Errors:* as `hurray_file_reader_open`; a negative result of the
 * callback is `HURRAY_ERR_IO`, and its negative is the system's error number. *Threads:* any. *Since:* 10.
 */
HurrayStatus hurray_file_reader_open_callback(HurrayReadAtFn read_at,
                                              void *context,
                                              HurrayOwnerReleaseFn release,
                                              uint64_t size,
                                              const HurrayOptions *options,
                                              HurrayFileReader **out_reader);

/**
 * Ends a reader and writes NULL through the pointer. NULL, or a pointer to NULL, does nothing. Tensors and items taken
 * from it live on, and keep the mapping.
 *
 * *Ownership:* ends the handle and the descriptors borrowed from it. *Errors:* `HURRAY_ERR_INVALID_HANDLE`.
 * *Threads:* any; not while a call uses it. *Since:* 10.
 */
HurrayStatus hurray_file_reader_destroy(HurrayFileReader **reader);

/**
 * The number of entries: tensors and heads, members included.
 *
 * *Ownership:* none. *Errors:* `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
 * *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_file_reader_entry_count(const HurrayFileReader *reader, uint64_t *out_count);

/**
 * Finds an entry by its name, byte for byte.
 *
 * *Ownership:* none; the name (UTF-8, `name_len` bytes) is not kept.
 * *Errors:* `HURRAY_ERR_NOT_FOUND` (an answer), `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
 * *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_file_reader_entry_find(const HurrayFileReader *reader,
                                           const char *name,
                                           size_t name_len,
                                           uint64_t *out_index);

/**
 * All names at once, in the order of the index: the bytes of one after the other, and for each the position behind
 * its last byte.
 *
 * *Ownership:* written into the caller's arrays; `*out_len` is the room for bytes and `*out_count` that for ends, then
 * the true lengths. *Errors:* `HURRAY_ERR_BUFFER_TOO_SMALL` (either array; both true lengths are written),
 * `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`. *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_file_reader_entry_names(const HurrayFileReader *reader,
                                            uint8_t *out_bytes,
                                            size_t *out_len,
                                            uint64_t *out_ends,
                                            size_t *out_count);

/**
 * The descriptor of an entry, read and checked when it is first asked for.
 *
 * *Ownership:* borrowed; lives as long as the reader, and is never destroyed on its own.
 * *Errors:* `HURRAY_ERR_INDEX_OUT_OF_BOUNDS`; the status of the first rule that the entry breaks: `HURRAY_ERR_CORRUPT`, or
 * those of `hurray_descriptor_decode`; `HURRAY_ERR_LIMIT_EXCEEDED`, `HURRAY_ERR_INVALID_SYNC_MODE` and
 * `HURRAY_ERR_UNSUPPORTED` (options), `HURRAY_ERR_IO`, `HURRAY_ERR_TRUNCATED` (the file was cut since it was opened),
 * `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`, `HURRAY_ERR_OUT_OF_MEMORY`.
 * *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_file_reader_entry_descriptor(const HurrayFileReader *reader,
                                                 uint64_t index,
                                                 HurrayDescriptor **out_descriptor);

/**
 * The tensor of an entry, a member of a composite included. Its buffers are views of the mapping where their addresses
 * are aligned as declared; where they are not (the `HURRAY_BUFFER_COPIED_ALIGNMENT` flag), or the options ask for
 * copies, they are read into memory of their own. Buffers of other devices are host bytes
 * (`HURRAY_BUFFER_HOST_POINTER`).
 *
 * *Ownership:* the tensor is the caller's; it keeps the mapping alive and outlives the reader.
 * *Errors:* as `hurray_file_reader_entry_descriptor`; `HURRAY_ERR_INVALID_ARGUMENT` (a composite's head),
 * `HURRAY_ERR_COPY_REQUIRED` (`COPY` 1), `HURRAY_ERR_UNSUPPORTED` (a layout that was not understood),
 * `HURRAY_ERR_CANCELLED`. *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_file_reader_entry_tensor(const HurrayFileReader *reader,
                                             uint64_t index,
                                             HurrayTensor **out_tensor);

/**
 * Where the data of an entry is in the file: offset and length in bytes, gaps between its buffers included. A head has
 * length 0.
 *
 * *Ownership:* none. *Errors:* `HURRAY_ERR_INDEX_OUT_OF_BOUNDS`, `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
 * *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_file_reader_entry_range(const HurrayFileReader *reader,
                                            uint64_t index,
                                            uint64_t *out_offset,
                                            uint64_t *out_length);

/**
 * Reads part of one buffer of an entry: `len` bytes from `offset` of the buffer. Nothing else of the entry but its
 * descriptor is read. Where the layout was not understood, buffer 0 stands for all of the entry's data.
 *
 * *Ownership:* the bytes are written into the caller's `out`. *Errors:* as `hurray_file_reader_entry_descriptor`;
 * `HURRAY_ERR_INDEX_OUT_OF_BOUNDS` (no such buffer, or bytes beyond it), `HURRAY_ERR_CANCELLED`.
 * *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_file_reader_entry_read(const HurrayFileReader *reader,
                                           uint64_t index,
                                           uint64_t buffer_index,
                                           uint64_t offset,
                                           uint8_t *out,
                                           size_t len);

/**
 * The number of top-level items: tensors and composites that are no member of another. The first call of this and its
 * neighbours reads the descriptors of entries without data.
 *
 * *Ownership:* none. *Errors:* `HURRAY_ERR_IO`, `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`,
 * `HURRAY_ERR_OUT_OF_MEMORY`. *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_file_reader_item_count(const HurrayFileReader *reader,
                                           uint64_t *out_count);

/**
 * The entry of the `i`-th top-level item, in the order in which the tensors lie in the file.
 *
 * *Ownership:* none. *Errors:* `HURRAY_ERR_INDEX_OUT_OF_BOUNDS`, `HURRAY_ERR_IO`, `HURRAY_ERR_INVALID_HANDLE`,
 * `HURRAY_ERR_NULL_POINTER`, `HURRAY_ERR_OUT_OF_MEMORY`. *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_file_reader_item_entry(const HurrayFileReader *reader,
                                           uint64_t i,
                                           uint64_t *out_index);

/**
 * The item of an entry: its tensor, or the composite that it heads, with all members, by all rules of composites.
 *
 * *Ownership:* the item is the caller's; it keeps the mapping alive and outlives the reader.
 * *Errors:* as `hurray_file_reader_entry_tensor`; `HURRAY_ERR_TORN` (the file ends between the members),
 * `HURRAY_ERR_LIMIT_EXCEEDED` (nesting, members), `HURRAY_ERR_INVALID_LAYOUT` (a rule of the composite).
 * *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_file_reader_item(const HurrayFileReader *reader,
                                     uint64_t index,
                                     HurrayItem **out_item);

/**
 * The number of keys.
 *
 * *Ownership:* none. *Errors:* `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
 * *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_file_reader_kv_count(const HurrayFileReader *reader, uint64_t *out_count);

/**
 * The key of the `i`-th pair, in the order of the file. UTF-8.
 *
 * *Ownership:* written into the caller's array; `*out_len` is its room, then the true length, in bytes.
 * *Errors:* `HURRAY_ERR_BUFFER_TOO_SMALL`, `HURRAY_ERR_INDEX_OUT_OF_BOUNDS`, `HURRAY_ERR_INVALID_HANDLE`,
 * `HURRAY_ERR_NULL_POINTER`. *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_file_reader_kv_key(const HurrayFileReader *reader,
                                       uint64_t i,
                                       char *out,
                                       size_t *out_len);

/**
 * Finds a key, byte for byte.
 *
 * *Ownership:* none; the key (UTF-8, `key_len` bytes) is not kept.
 * *Errors:* `HURRAY_ERR_NOT_FOUND` (an answer), `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
 * *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_file_reader_kv_find(const HurrayFileReader *reader,
                                        const char *key,
                                        size_t key_len,
                                        uint64_t *out_i);

/**
 * What the value of the `i`-th pair is: a `HURRAY_KV_...` type (of the elements, for an array), whether it is an array
 * (1 or 0), and how many elements it has (a scalar has 1).
 *
 * *Ownership:* none. *Errors:* `HURRAY_ERR_INDEX_OUT_OF_BOUNDS`, `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
 * *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_file_reader_kv_type(const HurrayFileReader *reader,
                                        uint64_t i,
                                        uint8_t *out_type,
                                        uint8_t *out_is_array,
                                        uint64_t *out_count);

/**
 * The values of the `i`-th pair, of type `HURRAY_KV_UINT64` or `HURRAY_KV_BOOL` (0 or 1). A scalar is an array of one.
 *
 * *Ownership:* written into the caller's array; `*out_len` is its room, then the true length, in values.
 * *Errors:* `HURRAY_ERR_BUFFER_TOO_SMALL`, `HURRAY_ERR_INVALID_ARGUMENT` (of another type),
 * `HURRAY_ERR_INDEX_OUT_OF_BOUNDS`, `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
 * *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_file_reader_kv_u64(const HurrayFileReader *reader,
                                       uint64_t i,
                                       uint64_t *out_values,
                                       size_t *out_len);

/**
 * The values of the `i`-th pair, of type `HURRAY_KV_INT64`. A scalar is an array of one.
 *
 * *Ownership:* written into the caller's array; `*out_len` is its room, then the true length, in values.
 * *Errors:* as `hurray_file_reader_kv_u64`. *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_file_reader_kv_i64(const HurrayFileReader *reader,
                                       uint64_t i,
                                       int64_t *out_values,
                                       size_t *out_len);

/**
 * The values of the `i`-th pair, of type `HURRAY_KV_FLOAT64`, bit for bit. A scalar is an array of one.
 *
 * *Ownership:* written into the caller's array; `*out_len` is its room, then the true length, in values.
 * *Errors:* as `hurray_file_reader_kv_u64`. *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_file_reader_kv_f64(const HurrayFileReader *reader,
                                       uint64_t i,
                                       double *out_values,
                                       size_t *out_len);

/**
 * The values of the `i`-th pair, of type `HURRAY_KV_STRING` (UTF-8) or `HURRAY_KV_BYTES`: the bytes of one after the
 * other, and for each the position behind its last byte. A scalar is an array of one.
 *
 * *Ownership:* written into the caller's arrays; `*out_len` is the room for bytes and `*out_count` that for ends, then
 * the true lengths. *Errors:* as `hurray_file_reader_kv_u64`; for `HURRAY_ERR_BUFFER_TOO_SMALL` (either array) both true
 * lengths are written. *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_file_reader_kv_packed(const HurrayFileReader *reader,
                                          uint64_t i,
                                          uint8_t *out_bytes,
                                          size_t *out_len,
                                          uint64_t *out_ends,
                                          size_t *out_count);

/**
 * Tells the system how the data of an entry (`UINT64_MAX`: the whole file) is going to be read, by a
 * `HURRAY_ADVICE_...` number. A hint: without a mapping it does nothing.
 *
 * *Ownership:* none. *Errors:* `HURRAY_ERR_INVALID_ARGUMENT` (unknown advice), `HURRAY_ERR_INDEX_OUT_OF_BOUNDS`,
 * `HURRAY_ERR_IO`, `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
 * *Threads:* any, also at once on one handle. *Since:* 10.
 */
HurrayStatus hurray_file_reader_advise(const HurrayFileReader *reader,
                                       uint64_t index,
                                       uint32_t advice);

/* ---- Files: writing ---------------------------------------------------------------------------------------------- */

/**
 * Starts a file that takes its name when it is finished. Its bytes go to a new file beside the target (named
 * `.hurray-` and 16 hexadecimal digits and `.tmp`), which is synced, renamed over the target, and its folder synced;
 * `DURABLE` 0 leaves out the syncs, never the rename. Until then, and when the writer ends early or the process dies,
 * an old file stays as it is; the tensors of a file that is mapped may be saved over it. Symbolic links are followed,
 * and an old file's mode is kept. A device or pipe is written to directly.
 *
 * *Ownership:* the handle is the caller's; the path (bytes of the system, without NUL) is not kept.
 * *Errors:* `HURRAY_ERR_IO` with the system's error number, `HURRAY_ERR_INVALID_ARGUMENT` (the path),
 * `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`, `HURRAY_ERR_OUT_OF_MEMORY`. *Threads:* any. *Since:* 10.
 */
HurrayStatus hurray_file_writer_create(const char *path,
                                       size_t path_len,
                                       const HurrayOptions *options,
                                       HurrayFileWriter **out_writer);

/**
 * Starts a file whose bytes go to the host, front to back.
 *
 * *Ownership:* the handle is the caller's. `release(context)` runs once, when the writer ends; NULL releases nothing. On
 * failure nothing is kept and `release` is not called. *Errors:* `HURRAY_ERR_INVALID_HANDLE`,
 * `HURRAY_ERR_NULL_POINTER`, `HURRAY_ERR_OUT_OF_MEMORY`. *Threads:* any. *Since:* 10.
 */
HurrayStatus hurray_file_writer_to_callback(HurrayWriteFn write,
                                            void *context,
                                            HurrayOwnerReleaseFn release,
                                            const HurrayOptions *options,
                                            HurrayFileWriter **out_writer);

/**
 * Starts a file in memory, for `hurray_file_writer_take_buffer`.
 *
 * *Ownership:* the handle is the caller's. *Errors:* `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`,
 * `HURRAY_ERR_OUT_OF_MEMORY`. *Threads:* any. *Since:* 10.
 */
HurrayStatus hurray_file_writer_to_memory(const HurrayOptions *options, HurrayFileWriter **out_writer);

/**
 * Writes an item under a name; the members of a composite `x` are named `x.0`, `x.1`, ... Everything of the item is
 * checked before its first byte goes out, and bytes go straight from the tensors' buffers. When the call returns, all
 * were handed to the system, the callback or memory.
 *
 * A buffer's lead is left out and the offset rebased. Without `COMPACT` everything else is written as it is; with it, a
 * dense tensor keeps the range that its elements reach, and a strided tensor with gaps is packed in row-major order.
 * The first item raises the file's data alignment to that of its buffers, up to 2 MiB.
 *
 * `PARTIAL_BLOCKS` 1 writes quantized tensors with a last block that is not full, on an axis that is not the slowest in
 * memory. Readers may place their data differently, so they are refused without it.
 *
 * *Ownership:* none taken; name (UTF-8, 1 to 65535 bytes) and item are not kept.
 * *Errors:* `HURRAY_ERR_DUPLICATE` (a name), `HURRAY_ERR_INVALID_ARGUMENT` (name), `HURRAY_ERR_LIMIT_EXCEEDED` (name, index,
 * descriptor), `HURRAY_ERR_UNSUPPORTED` (memory that the host may not read, partial blocks; or another process than
 * the one that made the writer), `HURRAY_ERR_INVALID_SYNC_MODE` (not producer-synced), `HURRAY_ERR_BUFFER_MISMATCH` (elements in the lead),
 * `HURRAY_ERR_IO`, `HURRAY_ERR_CANCELLED`, `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`,
 * `HURRAY_ERR_VERSION_MISMATCH`, `HURRAY_ERR_OUT_OF_MEMORY`. A writer that failed fails alike ever after.
 * *Threads:* one at a time. *Since:* 10.
 */
HurrayStatus hurray_file_writer_put(HurrayFileWriter *writer,
                                    const char *name,
                                    size_t name_len,
                                    const HurrayItem *item);

/**
 * Writes what comes after the last tensor. A file with a path then takes its name.
 *
 * *Ownership:* none taken; the writer is still to be destroyed. *Errors:* `HURRAY_ERR_IO`, `HURRAY_ERR_CANCELLED`,
 * `HURRAY_ERR_INVALID_ARGUMENT` (finished already), `HURRAY_ERR_UNSUPPORTED` (another process), `HURRAY_ERR_INVALID_HANDLE`,
 * `HURRAY_ERR_NULL_POINTER`, `HURRAY_ERR_OUT_OF_MEMORY`; what an earlier call failed with.
 * *Threads:* one at a time. *Since:* 10.
 */
HurrayStatus hurray_file_writer_finish(HurrayFileWriter *writer);

/**
 * The bytes of a finished file in memory, aligned to 4096; `hurray_file_reader_open_buffer` reads them in place.
 *
 * *Ownership:* the buffer is the caller's; it can be taken once.
 * *Errors:* `HURRAY_ERR_INVALID_ARGUMENT` (not finished, not in memory, or taken already), `HURRAY_ERR_UNSUPPORTED` (another
 * process), `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`, `HURRAY_ERR_OUT_OF_MEMORY`.
 * *Threads:* one at a time. *Since:* 10.
 */
HurrayStatus hurray_file_writer_take_buffer(HurrayFileWriter *writer,
                                            HurrayBuffer **out_buffer);

/**
 * Ends a writer and writes NULL through the pointer. NULL, or a pointer to NULL, does nothing. A file with a path that
 * was not finished is given up: an old file stays as it is.
 *
 * *Ownership:* ends the handle and releases a callback's context. In another process than the one that made the writer
 * no file is touched. *Errors:* `HURRAY_ERR_INVALID_HANDLE`. *Threads:* any; not while a call uses it. *Since:* 10.
 */
HurrayStatus hurray_file_writer_destroy(HurrayFileWriter **writer);

/**
 * Sets a key to values of type `HURRAY_KV_UINT64` or `HURRAY_KV_BOOL` (0 or 1). `is_array` 0 is a scalar, with `count` 1;
 * 1 is an array, which may be empty. Keys are set before the first put, unless `KV_MODE` says otherwise.
 *
 * *Ownership:* key (UTF-8, 1 to 65535 bytes) and values are copied.
 * *Errors:* `HURRAY_ERR_DUPLICATE` (key), `HURRAY_ERR_INVALID_ARGUMENT` (key, type, count, value; or the file was started
 * without a key-value section), `HURRAY_ERR_LIMIT_EXCEEDED` (key, section), `HURRAY_ERR_UNSUPPORTED` (another process),
 * `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`, `HURRAY_ERR_OUT_OF_MEMORY`. A writer that failed fails alike ever
 * after. *Threads:* one at a time. *Since:* 10.
 */
HurrayStatus hurray_file_writer_kv_set_u64(HurrayFileWriter *writer,
                                           const char *key,
                                           size_t key_len,
                                           uint8_t value_type,
                                           uint8_t is_array,
                                           const uint64_t *values,
                                           size_t count);

/**
 * Sets a key to values of type `HURRAY_KV_INT64`.
 *
 * *Ownership:* as `hurray_file_writer_kv_set_u64`. *Errors:* as there. *Threads:* one at a time. *Since:* 10.
 */
HurrayStatus hurray_file_writer_kv_set_i64(HurrayFileWriter *writer,
                                           const char *key,
                                           size_t key_len,
                                           uint8_t value_type,
                                           uint8_t is_array,
                                           const int64_t *values,
                                           size_t count);

/**
 * Sets a key to values of type `HURRAY_KV_FLOAT64`, bit for bit.
 *
 * *Ownership:* as `hurray_file_writer_kv_set_u64`. *Errors:* as there. *Threads:* one at a time. *Since:* 10.
 */
HurrayStatus hurray_file_writer_kv_set_f64(HurrayFileWriter *writer,
                                           const char *key,
                                           size_t key_len,
                                           uint8_t value_type,
                                           uint8_t is_array,
                                           const double *values,
                                           size_t count);

/**
 * Sets a key to values of type `HURRAY_KV_STRING` (UTF-8) or `HURRAY_KV_BYTES`: the bytes of one after the other, and for
 * each the position behind its last byte.
 *
 * *Ownership:* as `hurray_file_writer_kv_set_u64`. *Errors:* as there; `HURRAY_ERR_INVALID_ARGUMENT` also for ends that
 * descend or do not end at `bytes_len`, and for a string that is not UTF-8. *Threads:* one at a time. *Since:* 10.
 */
HurrayStatus hurray_file_writer_kv_set_packed(HurrayFileWriter *writer,
                                              const char *key,
                                              size_t key_len,
                                              uint8_t value_type,
                                              uint8_t is_array,
                                              const uint8_t *bytes,
                                              size_t bytes_len,
                                              const uint64_t *ends,
                                              size_t count);

/* ---- Streams: reading -------------------------------------------------------------------------------------------- */

/**
 * Makes a reader at the start of a stream. It tells a bare stream from a framed one by the first five bytes.
 *
 * The reader does no I/O. A host that can read into memory asks `hurray_stream_reader_window` where the next bytes
 * belong, reads into it, and says how many came with `hurray_stream_reader_advance`; a host that owns the bytes gives
 * them to `hurray_stream_reader_feed`. Either way `hurray_stream_reader_next` gives each item once it is complete, and
 * `hurray_stream_reader_finish` says that no more bytes come. `hurray_stream_read_fd` does all of it for a file
 * descriptor.
 *
 * Options: `PERMISSIVE`, `MAX_DESCRIPTOR_BYTES`, `MAX_BUFFER_BYTES`, `MAX_TOTAL_BYTES`, `MAX_COMPOSITE_DEPTH` (at most
 * 64 counts), `MAX_MEMBERS`, `MAX_ALIGNMENT`, `MAX_MESSAGE_BYTES` (at least 65536), `MAX_STREAM_IDS`, `CROSS_MACHINE`,
 * `REFUSE_DEVICE_BYTES`, `READ_AHEAD` (at most 1 MiB counts), `FLAT`. With `READ_AHEAD` 0 nothing past the current item
 * is asked for; with more, one window holds many small items. Memory never runs ahead of the bytes that arrived by more
 * than 1 MiB, whatever a descriptor declares.
 *
 * With `FLAT` a composite is not kept until it is whole: its head comes as an item of kind `HURRAY_ITEM_DESCRIPTOR`, then
 * each member once it has arrived. Its rules are checked all the same.
 *
 * With `PERMISSIVE` a tensor whose layout is unknown comes as an item of kind `HURRAY_ITEM_DESCRIPTOR`. In a framed stream
 * it has its bytes, and reading goes on. In a bare stream nobody knows where its bytes end, and inside a composite by
 * which rules it is a member: then it comes without them, after the members that arrived before it, and
 * `HURRAY_ERR_UNSUPPORTED` ends the reader.
 *
 * *Ownership:* the handle is the caller's, ended by `hurray_stream_reader_destroy`; option values are copied.
 * *Errors:* `HURRAY_ERR_INVALID_ARGUMENT` (an option's value), `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`,
 * `HURRAY_ERR_OUT_OF_MEMORY`. *Threads:* any. *Since:* 10.
 */
HurrayStatus hurray_stream_reader_new(const HurrayOptions *options,
                                      HurrayStreamReader **out_reader);

/**
 * Where the next bytes of the stream belong: `*out_size` bytes at `*out_ptr`, zeroed, to `read` straight into. A
 * buffer's bytes go to their final, aligned place. `*out_size` is 0, and `*out_ptr` NULL, when no bytes are wanted: an
 * item or a peer's ERROR waits for `hurray_stream_reader_next`, or the input was finished.
 *
 * *Ownership:* the memory is the reader's, borrowed until the next call on it.
 * *Errors:* those of `hurray_stream_reader_next`. *Threads:* one at a time. *Since:* 10.
 */
HurrayStatus hurray_stream_reader_window(HurrayStreamReader *reader,
                                         uint8_t **out_ptr,
                                         size_t *out_size);

/**
 * Says that `n` bytes of the stream arrived at the start of the last window.
 *
 * *Ownership:* none; the window is given back. *Errors:* `HURRAY_ERR_INVALID_ARGUMENT` (more than the window), those of
 * `hurray_stream_reader_next`. *Threads:* one at a time. *Since:* 10.
 */
HurrayStatus hurray_stream_reader_advance(HurrayStreamReader *reader,
                                          size_t n);

/**
 * Gives the reader bytes of the stream. It takes them up to the end of an item, and past it as many as `READ_AHEAD`
 * allows; `*out_consumed` says how many. Take the item with `hurray_stream_reader_next`, then feed the rest.
 *
 * *Ownership:* the bytes are copied. *Errors:* `HURRAY_ERR_INVALID_ARGUMENT` (after `hurray_stream_reader_finish`),
 * those of `hurray_stream_reader_next`. *Threads:* one at a time. *Since:* 10.
 */
HurrayStatus hurray_stream_reader_feed(HurrayStreamReader *reader,
                                       const uint8_t *bytes,
                                       size_t len,
                                       size_t *out_consumed);

/**
 * The next item, if it has arrived whole: `HURRAY_OK` with an item, `HURRAY_NEED_MORE` when bytes are missing,
 * `HURRAY_END` when the input was finished and every item taken.
 *
 * An error ends the reader: every later call gives it again. One case is milder: a peer's ERROR message
 * (`HURRAY_ERR_UNSUPPORTED`, its code and text in the error text) is told once, before anything that came after it is
 * used, however the bytes were cut; then bytes are still accepted, items of other stream ids are still given, and after
 * `hurray_stream_reader_finish` it comes again instead of `HURRAY_END`.
 *
 * *Ownership:* the item is the caller's.
 * *Errors:* `HURRAY_ERR_INVALID_MAGIC`, `HURRAY_ERR_VERSION_MISMATCH`, `HURRAY_ERR_TRUNCATED`, `HURRAY_ERR_TORN`,
 * `HURRAY_ERR_CORRUPT`, `HURRAY_ERR_LIMIT_EXCEEDED`, `HURRAY_ERR_UNSUPPORTED` (a message or feature that is not served,
 * an ERROR of the peer), `HURRAY_ERR_INVALID_SYNC_MODE`, `HURRAY_ERR_INVALID_LAYOUT` (a rule of a composite), those of
 * `hurray_descriptor_decode`, `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`, `HURRAY_ERR_OUT_OF_MEMORY`. The
 * text gives the rule and the offset in the stream. *Threads:* one at a time. *Since:* 10.
 */
HurrayStatus hurray_stream_reader_next(HurrayStreamReader *reader,
                                       HurrayItem **out_item);

/**
 * Says that no more bytes come. Items that have arrived whole can still be taken; then `hurray_stream_reader_next`
 * gives `HURRAY_END`, or the error of an input that ends inside something.
 *
 * *Ownership:* none. *Errors:* `HURRAY_ERR_TRUNCATED` (inside a tensor or message), `HURRAY_ERR_TORN` (between the members
 * of a composite), those of `hurray_stream_reader_next`. *Threads:* one at a time. *Since:* 10.
 */
HurrayStatus hurray_stream_reader_finish(HurrayStreamReader *reader);

/**
 * The descriptor of the tensor whose bytes come next, once it has arrived; `HURRAY_NEED_MORE` before that, and while an
 * item waits to be taken. Ask before `hurray_stream_reader_next` to give memory for its buffers. All bytes of a tensor
 * whose layout is unknown (`PERMISSIVE`) are one buffer, aligned to 64; the descriptor does not say how many they are.
 *
 * *Ownership:* borrowed; lives until the next call on the reader, and is never destroyed on its own.
 * *Errors:* those of `hurray_stream_reader_next`. *Threads:* one at a time. *Since:* 10.
 */
HurrayStatus hurray_stream_reader_pending(HurrayStreamReader *reader,
                                          HurrayDescriptor **out_descriptor);

/**
 * Gives the caller's memory for buffer `index` of the tensor that `hurray_stream_reader_pending` describes: at least as
 * long as declared there, aligned as declared, writable by the host. The tensor's buffer is then a share of it.
 *
 * *Ownership:* the buffer stays the caller's; the reader, then the tensor, keeps a share.
 * *Errors:* `HURRAY_ERR_BUFFER_MISMATCH` (too short, misaligned, not writable), `HURRAY_ERR_INDEX_OUT_OF_BOUNDS`,
 * `HURRAY_ERR_INVALID_ARGUMENT` (no tensor is arriving, or bytes of this buffer have arrived), `HURRAY_ERR_INVALID_HANDLE`,
 * `HURRAY_ERR_NULL_POINTER`, `HURRAY_ERR_OUT_OF_MEMORY`; they do not end the reader. *Threads:* one at a time. *Since:* 10.
 */
HurrayStatus hurray_stream_reader_provide_buffer(HurrayStreamReader *reader,
                                                 uint64_t index,
                                                 const HurrayBuffer *buffer);

/**
 * The stream id that the last item came on; 0 in a bare stream.
 *
 * *Ownership:* none. *Errors:* `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
 * *Threads:* one at a time. *Since:* 10.
 */
HurrayStatus hurray_stream_reader_stream_id(const HurrayStreamReader *reader, uint32_t *out_stream_id);

/**
 * Bytes that were read ahead and belong to no item that is complete: what a host that stops here hands on to whoever
 * reads the source next. Always none with `READ_AHEAD` 0 after an item.
 *
 * *Ownership:* the bytes are the reader's, borrowed until the next call on it.
 * *Errors:* `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`. *Threads:* one at a time. *Since:* 10.
 */
HurrayStatus hurray_stream_reader_unread(const HurrayStreamReader *reader,
                                         const uint8_t **out_ptr,
                                         size_t *out_size);

/**
 * The messages that a framed stream owes its peer: a PONG for each PING, and the ERROR for what broke the stream. Given
 * once; whether to send them is the caller's choice. Of a peer that sends PINGs and takes no answer, the first 64 KiB
 * of answers are kept.
 *
 * *Ownership:* written into the caller's array; `*out_len` is its room, then the true length, in bytes.
 * *Errors:* `HURRAY_ERR_BUFFER_TOO_SMALL`, `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`; also works on a reader
 * that an error ended. *Threads:* one at a time. *Since:* 10.
 */
HurrayStatus hurray_stream_reader_reply(HurrayStreamReader *reader,
                                        uint8_t *out_bytes,
                                        size_t *out_len);

/**
 * Ends a reader and writes NULL through the pointer. NULL, or a pointer to NULL, does nothing. Items that were taken
 * live on.
 *
 * *Ownership:* ends the handle, its windows and what has arrived of an item. *Errors:* `HURRAY_ERR_INVALID_HANDLE`.
 * *Threads:* any. *Since:* 10.
 */
HurrayStatus hurray_stream_reader_destroy(HurrayStreamReader **reader);

/* ---- Streams: writing -------------------------------------------------------------------------------------------- */

/**
 * Makes a writer at the start of a stream of `form` `HURRAY_STREAM_BARE` or `HURRAY_STREAM_FRAMED`.
 *
 * `stream_id` (not 0) and `max_message_size` (the longest payload that the peer takes, in bytes, at least 65536; 0 is
 * the default of 16 MiB + 16) are those of a framed stream; a bare one has neither and ignores them.
 *
 * The writer does no I/O: `hurray_stream_writer_put` takes items, `hurray_stream_writer_chunks` says which bytes come
 * next, `hurray_stream_writer_advance` that they went out. `hurray_stream_write_fd` does the latter two for a file
 * descriptor. Nothing is written at the end of a stream.
 *
 * Options: `COMPACT`, `PARTIAL_BLOCKS`, `CROSS_MACHINE` (always on in a framed stream).
 *
 * *Ownership:* the handle is the caller's, ended by `hurray_stream_writer_destroy`; option values are copied.
 * *Errors:* `HURRAY_ERR_INVALID_ARGUMENT`, `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`,
 * `HURRAY_ERR_OUT_OF_MEMORY`. *Threads:* any. *Since:* 10.
 */
HurrayStatus hurray_stream_writer_new(uint32_t form,
                                      uint32_t stream_id,
                                      uint64_t max_message_size,
                                      const HurrayOptions *options,
                                      HurrayStreamWriter **out_writer);

/**
 * Appends an item to what waits to be written. Everything is validated first: on failure nothing of the item is
 * written, and the writer stays in that error.
 *
 * Buffers above 4096 bytes are sent from where they are; smaller ones are copied beside their descriptors, so that one
 * gather list, and one system call, holds many small tensors. A buffer's lead is left out. What a file's writer refuses
 * of a tensor is refused here too: see `hurray_file_writer_put`.
 *
 * *Ownership:* the item stays the caller's; shares of its tensors are kept until their bytes are written.
 * *Errors:* `HURRAY_ERR_UNSUPPORTED` (memory that the host cannot read, an unknown buffer table, partial blocks),
 * `HURRAY_ERR_INVALID_SYNC_MODE`, `HURRAY_ERR_LIMIT_EXCEEDED` (a descriptor longer than the peer's messages),
 * `HURRAY_ERR_BUFFER_MISMATCH` (a tensor that needs its lead), `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`,
 * `HURRAY_ERR_VERSION_MISMATCH`, `HURRAY_ERR_OUT_OF_MEMORY`. *Threads:* one at a time. *Since:* 10.
 */
HurrayStatus hurray_stream_writer_put(HurrayStreamWriter *writer,
                                      const HurrayItem *item);

/**
 * The bytes that come next, as pieces for `writev` or `sendmsg`: the first `*out_count` of them are written to
 * `out_slices`, and `*out_count` becomes their true number. It may be more than there was room for; the rest comes
 * after `hurray_stream_writer_advance`. 0 pieces: everything is written.
 *
 * *Ownership:* the bytes are the writer's or its items', borrowed until the next `hurray_stream_writer_put` or
 * `hurray_stream_writer_advance`, and until the end of the writer.
 * *Errors:* the error that ended the writer, `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
 * *Threads:* one at a time. *Since:* 10.
 */
HurrayStatus hurray_stream_writer_chunks(const HurrayStreamWriter *writer,
                                         HurraySlice *out_slices,
                                         size_t *out_count);

/**
 * Says that the next `n` bytes of the gather list were written.
 *
 * *Ownership:* ends the pieces that `hurray_stream_writer_chunks` gave, and the shares of what is written.
 * *Errors:* `HURRAY_ERR_INVALID_ARGUMENT` (more than waits), the error that ended the writer,
 * `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`. *Threads:* one at a time. *Since:* 10.
 */
HurrayStatus hurray_stream_writer_advance(HurrayStreamWriter *writer, size_t n);

/**
 * Ends a writer and writes NULL through the pointer. NULL, or a pointer to NULL, does nothing. What was put and not
 * written is lost.
 *
 * *Ownership:* ends the handle, its pieces, and the shares that it kept. *Errors:* `HURRAY_ERR_INVALID_HANDLE`.
 * *Threads:* any. *Since:* 10.
 */
HurrayStatus hurray_stream_writer_destroy(HurrayStreamWriter **writer);

/* ---- Streams: loops over a file descriptor ----------------------------------------------------------------------- */

/**
 * Reads the next item from a file descriptor: a pipe, a socket, a file. `HURRAY_OK` with an item, `HURRAY_END` at the end
 * of the stream, `HURRAY_NEED_MORE` when a non-blocking descriptor has nothing to give now: call again when it is
 * readable, nothing is lost.
 *
 * The bytes of large buffers go straight to their final place. Interrupted calls are made again. With `READ_AHEAD` 0
 * nothing past the item is read; with more, one call of the system brings many small items, and
 * `hurray_stream_reader_unread` has what is left over. Blocks as the descriptor does; to stop, shut the descriptor down.
 *
 * From a socket other than a Unix one `CROSS_MACHINE` holds. A PING is answered by whoever sends what
 * `hurray_stream_reader_reply` has; this call returns with an item, not for a PING.
 *
 * *Ownership:* the item is the caller's; the descriptor stays the caller's, open, with its flags.
 * *Errors:* `HURRAY_ERR_IO` (the system's number is in `hurray_last_error_info`), those of `hurray_stream_reader_next`.
 * *Threads:* one at a time. *Since:* 10.
 */
HurrayStatus hurray_stream_read_fd(HurrayStreamReader *reader,
                                   int64_t fd,
                                   HurrayItem **out_item);

/**
 * Writes everything that waits to a file descriptor. `HURRAY_OK` when all of it went out, `HURRAY_NEED_MORE` when a
 * non-blocking descriptor takes no more now: call again when it is writable, nothing is lost or written twice.
 *
 * Interrupted calls are made again. A reader that has gone is an error (the system's EPIPE), never a SIGPIPE: sockets
 * are written to with `MSG_NOSIGNAL`, for others the signal is held back in this thread during the call.
 *
 * To a socket other than a Unix one a tensor whose sync mode may not cross machines is `HURRAY_ERR_INVALID_SYNC_MODE`
 * before its first byte, and ends the writer.
 *
 * *Ownership:* the descriptor stays the caller's, open, with its flags. *Errors:* `HURRAY_ERR_IO` (the system's number is
 * in `hurray_last_error_info`), the error that ended the writer, `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
 * *Threads:* one at a time. *Since:* 10.
 */
HurrayStatus hurray_stream_write_fd(HurrayStreamWriter *writer,
                                    int64_t fd);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* HURRAY_H */
