// Declarations of hurray.h, made by bindgen; do not edit. What each one does is in the header.

pub const HURRAY_C_ABI_VERSION: u32 = 10;
pub const HURRAY_OK: i32 = 0;
pub const HURRAY_NEED_MORE: i32 = 1;
pub const HURRAY_END: i32 = 2;
pub const HURRAY_ERR_INVALID_MAGIC: i32 = -1;
pub const HURRAY_ERR_VERSION_MISMATCH: i32 = -2;
pub const HURRAY_ERR_INVALID_LAYOUT: i32 = -3;
pub const HURRAY_ERR_INVALID_TYPE: i32 = -4;
pub const HURRAY_ERR_BUFFER_TOO_SMALL: i32 = -5;
pub const HURRAY_ERR_NULL_POINTER: i32 = -6;
pub const HURRAY_ERR_INTERNAL_PANIC: i32 = -7;
pub const HURRAY_ERR_INVALID_SYNC_MODE: i32 = -8;
pub const HURRAY_ERR_SYNC_MODE_MISMATCH: i32 = -9;
pub const HURRAY_ERR_INTERNAL: i32 = -10;
pub const HURRAY_ERR_INDEX_OUT_OF_BOUNDS: i32 = -11;
pub const HURRAY_ERR_FIELD_NOT_PRESENT: i32 = -12;
pub const HURRAY_ERR_FIELD_NOT_APPLICABLE: i32 = -13;
pub const HURRAY_ERR_INVALID_DESCRIPTOR: i32 = -14;
pub const HURRAY_ERR_TRUNCATED: i32 = -15;
pub const HURRAY_ERR_OVERFLOW: i32 = -16;
pub const HURRAY_ERR_BUFFER_MISMATCH: i32 = -17;
pub const HURRAY_ERR_IO: i32 = -18;
pub const HURRAY_ERR_NOT_FOUND: i32 = -19;
pub const HURRAY_ERR_UNSUPPORTED: i32 = -20;
pub const HURRAY_ERR_INVALID_ARGUMENT: i32 = -21;
pub const HURRAY_ERR_LIMIT_EXCEEDED: i32 = -22;
pub const HURRAY_ERR_CORRUPT: i32 = -23;
pub const HURRAY_ERR_TORN: i32 = -24;
pub const HURRAY_ERR_OUT_OF_MEMORY: i32 = -25;
pub const HURRAY_ERR_INVALID_HANDLE: i32 = -26;
pub const HURRAY_ERR_DUPLICATE: i32 = -27;
pub const HURRAY_ERR_CANCELLED: i32 = -28;
pub const HURRAY_ERR_COPY_REQUIRED: i32 = -29;
pub const HURRAY_SPACE_ELEMENT_TYPE: u32 = 1;
pub const HURRAY_SPACE_LAYOUT: u32 = 2;
pub const HURRAY_SPACE_SCHEME: u32 = 3;
pub const HURRAY_SPACE_DEVICE: u32 = 4;
pub const HURRAY_SPACE_MEMORY_CLASS: u32 = 5;
pub const HURRAY_SPACE_SYNC_MODE: u32 = 6;
pub const HURRAY_SPACE_COMPOSITION_RULE: u32 = 7;
pub const HURRAY_SPACE_COMBINE_OP: u32 = 8;
pub const HURRAY_SPACE_MEMBER_ROLE: u32 = 9;
pub const HURRAY_SPACE_KV_TYPE: u32 = 10;
pub const HURRAY_SPACE_KV_ROLE: u32 = 11;
pub const HURRAY_SPACE_BUFFER_ROLE: u32 = 12;
pub const HURRAY_KIND_FLOAT: u32 = 1;
pub const HURRAY_KIND_INTEGER: u32 = 2;
pub const HURRAY_KIND_SIGNED: u32 = 4;
pub const HURRAY_KIND_COMPLEX: u32 = 8;
pub const HURRAY_KIND_BOOL: u32 = 16;
pub const HURRAY_KIND_SUB_BYTE: u32 = 32;
pub const HURRAY_KIND_TIER_1: u32 = 64;
pub const HURRAY_TYPE_FLOAT16: u8 = 1;
pub const HURRAY_TYPE_BFLOAT16: u8 = 2;
pub const HURRAY_TYPE_FLOAT32: u8 = 3;
pub const HURRAY_TYPE_FLOAT64: u8 = 4;
pub const HURRAY_TYPE_INT8: u8 = 16;
pub const HURRAY_TYPE_UINT8: u8 = 17;
pub const HURRAY_TYPE_INT16: u8 = 18;
pub const HURRAY_TYPE_UINT16: u8 = 19;
pub const HURRAY_TYPE_INT32: u8 = 20;
pub const HURRAY_TYPE_UINT32: u8 = 21;
pub const HURRAY_TYPE_INT64: u8 = 22;
pub const HURRAY_TYPE_UINT64: u8 = 23;
pub const HURRAY_TYPE_BOOL: u8 = 32;
pub const HURRAY_TYPE_FLOAT8_E4M3: u8 = 64;
pub const HURRAY_TYPE_FLOAT8_E5M2: u8 = 65;
pub const HURRAY_TYPE_FLOAT8_E8M0: u8 = 66;
pub const HURRAY_TYPE_FLOAT4_E2M1: u8 = 67;
pub const HURRAY_TYPE_FLOAT6_E2M3: u8 = 68;
pub const HURRAY_TYPE_FLOAT6_E3M2: u8 = 69;
pub const HURRAY_TYPE_FLOAT128: u8 = 70;
pub const HURRAY_TYPE_INT4: u8 = 72;
pub const HURRAY_TYPE_UINT4: u8 = 73;
pub const HURRAY_TYPE_INT2: u8 = 74;
pub const HURRAY_TYPE_UINT2: u8 = 75;
pub const HURRAY_TYPE_COMPLEX64: u8 = 80;
pub const HURRAY_TYPE_COMPLEX128: u8 = 81;
pub const HURRAY_LAYOUT_ROW_MAJOR: u8 = 1;
pub const HURRAY_LAYOUT_COLUMN_MAJOR: u8 = 2;
pub const HURRAY_LAYOUT_STRIDED: u8 = 3;
pub const HURRAY_LAYOUT_TILED: u8 = 4;
pub const HURRAY_LAYOUT_MORTON: u8 = 5;
pub const HURRAY_LAYOUT_COO: u8 = 6;
pub const HURRAY_LAYOUT_CSR: u8 = 7;
pub const HURRAY_LAYOUT_CSC: u8 = 8;
pub const HURRAY_LAYOUT_CSF: u8 = 9;
pub const HURRAY_LAYOUT_BLOCK_PAGED: u8 = 10;
pub const HURRAY_LAYOUT_COMPOSITE: u8 = 11;
pub const HURRAY_LAYOUT_HILBERT: u8 = 64;
pub const HURRAY_SCHEME_PER_TENSOR_AFFINE: u8 = 1;
pub const HURRAY_SCHEME_PER_CHANNEL_AFFINE: u8 = 2;
pub const HURRAY_SCHEME_PER_BLOCK_AFFINE: u8 = 3;
pub const HURRAY_SCHEME_NF4: u8 = 4;
pub const HURRAY_SCHEME_MXFP: u8 = 5;
pub const HURRAY_DEVICE_CPU: u8 = 0;
pub const HURRAY_DEVICE_CUDA: u8 = 1;
pub const HURRAY_DEVICE_ROCM: u8 = 2;
pub const HURRAY_DEVICE_METAL: u8 = 3;
pub const HURRAY_DEVICE_VULKAN: u8 = 4;
pub const HURRAY_DEVICE_WEBGPU: u8 = 5;
pub const HURRAY_DEVICE_HEXAGON: u8 = 6;
pub const HURRAY_DEVICE_LEVEL_ZERO: u8 = 7;
pub const HURRAY_DEVICE_OPENCL: u8 = 8;
pub const HURRAY_MEMORY_STANDARD: u8 = 0;
pub const HURRAY_MEMORY_HOST_PINNED: u8 = 1;
pub const HURRAY_MEMORY_UNIFIED: u8 = 2;
pub const HURRAY_MEMORY_PEER: u8 = 3;
pub const HURRAY_SYNC_PRODUCER_SYNCED: u8 = 0;
pub const HURRAY_SYNC_EVENT: u8 = 1;
pub const HURRAY_SYNC_CONSUMER_STREAM: u8 = 2;
pub const HURRAY_RULE_PARTITION: u8 = 1;
pub const HURRAY_RULE_OVERLAY: u8 = 2;
pub const HURRAY_RULE_GROUP: u8 = 3;
pub const HURRAY_OP_NONE: u8 = 0;
pub const HURRAY_OP_REPLACE: u8 = 1;
pub const HURRAY_OP_ADD: u8 = 2;
pub const HURRAY_MEMBER_CORRECTION: u8 = 0;
pub const HURRAY_MEMBER_BASE: u8 = 1;
pub const HURRAY_KV_STRING: u8 = 1;
pub const HURRAY_KV_INT64: u8 = 2;
pub const HURRAY_KV_UINT64: u8 = 3;
pub const HURRAY_KV_FLOAT64: u8 = 4;
pub const HURRAY_KV_BOOL: u8 = 5;
pub const HURRAY_KV_BYTES: u8 = 6;
pub const HURRAY_KV_ARRAY: u8 = 7;
pub const HURRAY_KV_ROLE_KEY: u8 = 0;
pub const HURRAY_KV_ROLE_VALUE: u8 = 1;
pub const HURRAY_KV_ROLE_FUSED: u8 = 2;
pub const HURRAY_ROLE_UNKNOWN: u32 = 0;
pub const HURRAY_ROLE_VALUES: u32 = 1;
pub const HURRAY_ROLE_INDICES: u32 = 2;
pub const HURRAY_ROLE_POINTERS: u32 = 3;
pub const HURRAY_ROLE_CSF_POS: u32 = 4;
pub const HURRAY_ROLE_CSF_CRD: u32 = 5;
pub const HURRAY_ROLE_BLOCK_TABLE: u32 = 6;
pub const HURRAY_ROLE_SEQ_PTR: u32 = 7;
pub const HURRAY_ROLE_SCALES: u32 = 8;
pub const HURRAY_ROLE_ZERO_POINTS: u32 = 9;
pub const HURRAY_VIEW_READ_ONLY: u32 = 1;
pub const HURRAY_VIEW_ROW_MAJOR: u32 = 2;
pub const HURRAY_VIEW_COLUMN_MAJOR: u32 = 4;
pub const HURRAY_VIEW_MISALIGNED: u32 = 8;
pub const HURRAY_VIEW_PACKED: u32 = 16;
pub const HURRAY_DECODE_PERMISSIVE: u32 = 1;
pub const HURRAY_LAYOUT_FIELD_UNKNOWN_DATA: u32 = 65536;
pub const HURRAY_LAYOUT_FIELD_STRIDED_STRIDES: u32 = 66304;
pub const HURRAY_LAYOUT_FIELD_TILED_TILE_SHAPE: u32 = 66560;
pub const HURRAY_LAYOUT_FIELD_TILED_OUTER_LAYOUT: u32 = 66561;
pub const HURRAY_LAYOUT_FIELD_TILED_INNER_LAYOUT: u32 = 66562;
pub const HURRAY_LAYOUT_FIELD_TILED_OUTER_STRIDES: u32 = 66563;
pub const HURRAY_LAYOUT_FIELD_TILED_INNER_STRIDES: u32 = 66564;
pub const HURRAY_LAYOUT_FIELD_TILED_DEPTH: u32 = 66565;
pub const HURRAY_LAYOUT_FIELD_MORTON_BITS: u32 = 66816;
pub const HURRAY_LAYOUT_FIELD_COO_NNZ: u32 = 67072;
pub const HURRAY_LAYOUT_FIELD_COO_IS_SORTED: u32 = 67073;
pub const HURRAY_LAYOUT_FIELD_CSR_NNZ: u32 = 67328;
pub const HURRAY_LAYOUT_FIELD_CSC_NNZ: u32 = 67584;
pub const HURRAY_LAYOUT_FIELD_CSF_NNZ: u32 = 67840;
pub const HURRAY_LAYOUT_FIELD_CSF_MODE_ORDER: u32 = 67841;
pub const HURRAY_LAYOUT_FIELD_BLOCK_PAGED_PAGE_SIZE: u32 = 68096;
pub const HURRAY_LAYOUT_FIELD_BLOCK_PAGED_NUM_PAGES: u32 = 68097;
pub const HURRAY_LAYOUT_FIELD_BLOCK_PAGED_PAGED_AXIS: u32 = 68098;
pub const HURRAY_LAYOUT_FIELD_BLOCK_PAGED_NUM_SEQS: u32 = 68099;
pub const HURRAY_LAYOUT_FIELD_BLOCK_PAGED_KV_ROLE: u32 = 68100;
pub const HURRAY_LAYOUT_FIELD_BLOCK_PAGED_LAYER_INDEX: u32 = 68101;
pub const HURRAY_LAYOUT_FIELD_BLOCK_PAGED_BLOCK_TABLE_INDEX_TYPE: u32 = 68102;
pub const HURRAY_LAYOUT_FIELD_COMPOSITE_RULE: u32 = 68352;
pub const HURRAY_LAYOUT_FIELD_COMPOSITE_COMBINE_OP: u32 = 68353;
pub const HURRAY_LAYOUT_FIELD_COMPOSITE_MEMBER_COUNT: u32 = 68354;
pub const HURRAY_LAYOUT_FIELD_HILBERT_ORDER: u32 = 81920;
pub const HURRAY_LAYOUT_FIELD_HILBERT_RANK: u32 = 81921;
pub const HURRAY_LAYOUT_FIELD_PRIVATE_LAYOUT_ID: u32 = 126976;
pub const HURRAY_LAYOUT_FIELD_PRIVATE_DATA: u32 = 126977;
pub const HURRAY_QUANT_FIELD_SCHEME: u32 = 131072;
pub const HURRAY_QUANT_FIELD_SCHEME_VERSION: u32 = 131073;
pub const HURRAY_QUANT_FIELD_FLAGS: u32 = 131074;
pub const HURRAY_QUANT_FIELD_UNKNOWN_DATA: u32 = 131075;
pub const HURRAY_QUANT_FIELD_PER_TENSOR_SCALE: u32 = 131328;
pub const HURRAY_QUANT_FIELD_PER_TENSOR_ZERO_POINT: u32 = 131329;
pub const HURRAY_QUANT_FIELD_PER_CHANNEL_AXIS: u32 = 131584;
pub const HURRAY_QUANT_FIELD_PER_CHANNEL_SCALE_BUFFER: u32 = 131585;
pub const HURRAY_QUANT_FIELD_PER_CHANNEL_ZERO_POINT_BUFFER: u32 = 131586;
pub const HURRAY_QUANT_FIELD_PER_CHANNEL_SCALE_TYPE: u32 = 131587;
pub const HURRAY_QUANT_FIELD_PER_BLOCK_AXIS: u32 = 131840;
pub const HURRAY_QUANT_FIELD_PER_BLOCK_BLOCK_SIZE: u32 = 131841;
pub const HURRAY_QUANT_FIELD_PER_BLOCK_SCALE_BUFFER: u32 = 131842;
pub const HURRAY_QUANT_FIELD_PER_BLOCK_ZERO_POINT_BUFFER: u32 = 131843;
pub const HURRAY_QUANT_FIELD_PER_BLOCK_SCALE_TYPE: u32 = 131844;
pub const HURRAY_QUANT_FIELD_NF4_AXIS: u32 = 132096;
pub const HURRAY_QUANT_FIELD_NF4_BLOCK_SIZE: u32 = 132097;
pub const HURRAY_QUANT_FIELD_NF4_SCALE_BUFFER: u32 = 132098;
pub const HURRAY_QUANT_FIELD_MXFP_AXIS: u32 = 132352;
pub const HURRAY_QUANT_FIELD_MXFP_BLOCK_SIZE: u32 = 132353;
pub const HURRAY_QUANT_FIELD_MXFP_SCALE_BUFFER: u32 = 132354;
pub const HURRAY_SHARD_FIELD_PARENT_SHAPE: u32 = 196608;
pub const HURRAY_SHARD_FIELD_OFFSET: u32 = 196609;
pub const HURRAY_STATS_FIELD_COMPUTED_MASK: u32 = 262144;
pub const HURRAY_STATS_FIELD_NNZ: u32 = 262145;
pub const HURRAY_STATS_FIELD_SPARSITY_RATIO: u32 = 262146;
pub const HURRAY_STATS_FIELD_MIN: u32 = 262147;
pub const HURRAY_STATS_FIELD_MAX: u32 = 262148;
pub const HURRAY_STATS_FIELD_ABS_MAX: u32 = 262149;
pub const HURRAY_STATS_FIELD_MEAN: u32 = 262150;
pub const HURRAY_STATS_FIELD_STDDEV: u32 = 262151;
pub const HURRAY_STATS_FIELD_NM_N: u32 = 262152;
pub const HURRAY_STATS_FIELD_NM_M: u32 = 262153;
pub const HURRAY_STATS_FIELD_HAS_NAN: u32 = 262154;
pub const HURRAY_STATS_FIELD_HAS_INF: u32 = 262155;
pub const HURRAY_EXT_TYPE_FIELD_BIT_WIDTH: u32 = 327680;
pub const HURRAY_EXT_TYPE_FIELD_PACKING_FACTOR: u32 = 327681;
pub const HURRAY_EXT_TYPE_FIELD_IS_FLOAT: u32 = 327682;
pub const HURRAY_EXT_TYPE_FIELD_IS_SIGNED: u32 = 327683;
pub const HURRAY_EXT_TYPE_FIELD_SIGN_BITS: u32 = 327684;
pub const HURRAY_EXT_TYPE_FIELD_EXPONENT_BITS: u32 = 327685;
pub const HURRAY_EXT_TYPE_FIELD_MANTISSA_BITS: u32 = 327686;
pub const HURRAY_EXT_TYPE_FIELD_EXPONENT_BIAS: u32 = 327687;
pub const HURRAY_EXT_TYPE_FIELD_HAS_NAN: u32 = 327688;
pub const HURRAY_EXT_TYPE_FIELD_HAS_INF: u32 = 327689;
pub const HURRAY_MEMBER_FIELD_ROLE: u32 = 393216;
pub const HURRAY_BUFFER_FIELD_BYTE_SIZE: u32 = 458752;
pub const HURRAY_BUFFER_FIELD_ALIGNMENT: u32 = 458753;
pub const HURRAY_BUFFER_FIELD_DEVICE_TAG: u32 = 458754;
pub const HURRAY_BUFFER_FIELD_SYNC_MODE: u32 = 458755;
pub const HURRAY_BUFFER_FIELD_MEMORY_CLASS: u32 = 458756;
pub const HURRAY_BUFFER_FIELD_ROLE: u32 = 458880;
pub const HURRAY_BUFFER_FIELD_ROLE_LEVEL: u32 = 458881;
pub const HURRAY_HEADER_FIELD_VERSION_MAJOR: u32 = 524288;
pub const HURRAY_HEADER_FIELD_VERSION_MINOR: u32 = 524289;
pub const HURRAY_HEADER_FIELD_FLAGS: u32 = 524290;
pub const HURRAY_HEADER_FIELD_ELEMENT_TYPE: u32 = 524291;
pub const HURRAY_HEADER_FIELD_LAYOUT: u32 = 524292;
pub const HURRAY_HEADER_FIELD_RANK: u32 = 524293;
pub const HURRAY_HEADER_FIELD_SHAPE: u32 = 524294;
pub const HURRAY_HEADER_FIELD_BYTE_OFFSET: u32 = 524295;
pub const HURRAY_HEADER_FIELD_BUFFER_COUNT: u32 = 524296;
pub const HURRAY_HEADER_FIELD_ENCODED_LENGTH: u32 = 524416;
pub const HURRAY_HEADER_FIELD_ELEMENT_COUNT: u32 = 524417;
pub const HURRAY_OPTION_PERMISSIVE: u32 = 1;
pub const HURRAY_OPTION_MAX_DESCRIPTOR_BYTES: u32 = 2;
pub const HURRAY_OPTION_MAX_BUFFER_BYTES: u32 = 3;
pub const HURRAY_OPTION_MAX_TOTAL_BYTES: u32 = 4;
pub const HURRAY_OPTION_MAX_COMPOSITE_DEPTH: u32 = 5;
pub const HURRAY_OPTION_MAX_MEMBERS: u32 = 6;
pub const HURRAY_OPTION_MAX_ALIGNMENT: u32 = 7;
pub const HURRAY_OPTION_MAX_MESSAGE_BYTES: u32 = 8;
pub const HURRAY_OPTION_MAX_STREAM_IDS: u32 = 9;
pub const HURRAY_OPTION_CROSS_MACHINE: u32 = 10;
pub const HURRAY_OPTION_MAP: u32 = 11;
pub const HURRAY_OPTION_VERIFY: u32 = 12;
pub const HURRAY_OPTION_DATA_ALIGNMENT: u32 = 13;
pub const HURRAY_OPTION_SORTED_INDEX: u32 = 14;
pub const HURRAY_OPTION_INDEX_CRC: u32 = 15;
pub const HURRAY_OPTION_KV_MODE: u32 = 16;
pub const HURRAY_OPTION_DURABLE: u32 = 17;
pub const HURRAY_OPTION_COMPACT: u32 = 18;
pub const HURRAY_OPTION_THREADS: u32 = 19;
pub const HURRAY_OPTION_REFUSE_DEVICE_BYTES: u32 = 20;
pub const HURRAY_OPTION_MAX_INDEX_BYTES: u32 = 21;
pub const HURRAY_OPTION_MAX_KV_BYTES: u32 = 22;
pub const HURRAY_OPTION_READ_AHEAD: u32 = 23;
pub const HURRAY_OPTION_COPY: u32 = 24;
pub const HURRAY_OPTION_PARTIAL_BLOCKS: u32 = 25;
pub const HURRAY_OPTION_DUPLICATES: u32 = 26;
pub const HURRAY_OPTION_FLAT: u32 = 27;
pub const HURRAY_BUFFER_READ_ONLY: u32 = 1;
pub const HURRAY_BUFFER_HOST_POINTER: u32 = 2;
pub const HURRAY_BUFFER_COPIED_ALIGNMENT: u32 = 4;
pub const HURRAY_BUFFER_COPIED_WIDTH: u32 = 8;
pub const HURRAY_BUFFER_COPIED_PACKING: u32 = 16;
pub const HURRAY_BUFFER_COPIED_ON_REQUEST: u32 = 32;
pub const HURRAY_ITEM_TENSOR: u32 = 1;
pub const HURRAY_ITEM_COMPOSITE: u32 = 2;
pub const HURRAY_ITEM_DESCRIPTOR: u32 = 3;
pub const HURRAY_ADVICE_NORMAL: u32 = 0;
pub const HURRAY_ADVICE_SEQUENTIAL: u32 = 1;
pub const HURRAY_ADVICE_RANDOM: u32 = 2;
pub const HURRAY_ADVICE_WILL_NEED: u32 = 3;
pub const HURRAY_ADVICE_POPULATE: u32 = 4;
pub const HURRAY_STREAM_BARE: u32 = 1;
pub const HURRAY_STREAM_FRAMED: u32 = 2;
#[repr(C)]
#[derive(Debug)]
pub struct DLManagedTensor {
    _unused: [u8; 0],
}
#[repr(C)]
#[derive(Debug)]
pub struct DLManagedTensorVersioned {
    _unused: [u8; 0],
}
#[repr(C)]
#[derive(Debug)]
pub struct HurrayBuffer {
    _unused: [u8; 0],
}
#[repr(C)]
#[derive(Debug)]
pub struct HurrayBufferList {
    _unused: [u8; 0],
}
#[repr(C)]
#[derive(Debug)]
pub struct HurrayDescriptor {
    _unused: [u8; 0],
}
#[repr(C)]
#[derive(Debug)]
pub struct HurrayDescriptorBuilder {
    _unused: [u8; 0],
}
#[repr(C)]
#[derive(Debug)]
pub struct HurrayFileReader {
    _unused: [u8; 0],
}
#[repr(C)]
#[derive(Debug)]
pub struct HurrayFileWriter {
    _unused: [u8; 0],
}
#[repr(C)]
#[derive(Debug)]
pub struct HurrayItem {
    _unused: [u8; 0],
}
#[repr(C)]
#[derive(Debug)]
pub struct HurrayOptions {
    _unused: [u8; 0],
}
#[repr(C)]
#[derive(Debug)]
pub struct HurrayStreamReader {
    _unused: [u8; 0],
}
#[repr(C)]
#[derive(Debug)]
pub struct HurrayStreamWriter {
    _unused: [u8; 0],
}
#[repr(C)]
#[derive(Debug)]
pub struct HurrayTensor {
    _unused: [u8; 0],
}
pub type HurrayStatus = i32;
pub type HurrayReleaseCallback = ::core::option::Option<
    unsafe extern "C" fn(data: *mut core::ffi::c_void, context: *mut core::ffi::c_void),
>;
pub type HurrayEventReleaseFn = ::core::option::Option<
    unsafe extern "C" fn(sync_handle: *mut core::ffi::c_void, context: *mut core::ffi::c_void),
>;
pub type HurrayDescriptorField = u32;
pub type HurrayOwnerReleaseFn = ::core::option::Option<unsafe extern "C" fn(owner: *mut core::ffi::c_void)>;
pub type HurrayReadAtFn = ::core::option::Option<
    unsafe extern "C" fn(context: *mut core::ffi::c_void, offset: u64, out: *mut u8, len: u64) -> i64,
>;
pub type HurrayWriteFn = ::core::option::Option<
    unsafe extern "C" fn(context: *mut core::ffi::c_void, bytes: *const u8, len: u64) -> i32,
>;
#[repr(C)]
pub struct HurraySlice {
    pub data: *const u8,
    pub len: usize,
}
unsafe extern "C" {
    pub fn hurray_c_abi_version() -> u32;
    pub fn hurray_version_string() -> *const core::ffi::c_char;
    pub fn hurray_status_name(status: HurrayStatus) -> *const core::ffi::c_char;
    pub fn hurray_last_error_message(out: *mut core::ffi::c_char, out_len: *mut usize) -> HurrayStatus;
    pub fn hurray_last_error_info(
        out_status: *mut HurrayStatus,
        out_os_error: *mut i32,
        out_offset: *mut u64,
    ) -> HurrayStatus;
    pub fn hurray_live_handles(out: *mut u64) -> HurrayStatus;
    pub fn hurray_tag_name(space: u32, tag: u32, out_static: *mut *const core::ffi::c_char) -> HurrayStatus;
    pub fn hurray_element_type_info(
        tag: u8,
        out_bits: *mut u32,
        out_alignment: *mut u32,
        out_kind: *mut u32,
    ) -> HurrayStatus;
    pub fn hurray_element_type_bytes(tag: u8, count: u64, out: *mut u64) -> HurrayStatus;
    pub fn hurray_options_new(out_options: *mut *mut HurrayOptions) -> HurrayStatus;
    pub fn hurray_options_set_u64(options: *mut HurrayOptions, option: u32, value: u64) -> HurrayStatus;
    pub fn hurray_options_cancel(options: *const HurrayOptions) -> HurrayStatus;
    pub fn hurray_options_progress(
        options: *const HurrayOptions,
        out_done: *mut u64,
        out_total: *mut u64,
    ) -> HurrayStatus;
    pub fn hurray_options_destroy(options: *mut *mut HurrayOptions) -> HurrayStatus;
    pub fn hurray_buffer_from_ptr(
        data: *mut core::ffi::c_void,
        byte_size: u64,
        alignment: u32,
        device_tag: u8,
        sync_mode: u8,
        memory_class: u8,
        release: HurrayReleaseCallback,
        release_context: *mut core::ffi::c_void,
        out_buffer: *mut *mut HurrayBuffer,
    ) -> HurrayStatus;
    pub fn hurray_buffer_alloc(
        byte_size: u64,
        alignment: u32,
        out_buffer: *mut *mut HurrayBuffer,
    ) -> HurrayStatus;
    pub fn hurray_buffer_share(
        buffer: *const HurrayBuffer,
        out_buffer: *mut *mut HurrayBuffer,
    ) -> HurrayStatus;
    pub fn hurray_buffer_destroy(buffer: *mut *mut HurrayBuffer) -> HurrayStatus;
    pub fn hurray_buffer_data_ptr(
        buffer: *const HurrayBuffer,
        out_data: *mut *mut core::ffi::c_void,
    ) -> HurrayStatus;
    pub fn hurray_buffer_host_ptr(
        buffer: *const HurrayBuffer,
        out_data: *mut *mut core::ffi::c_void,
    ) -> HurrayStatus;
    pub fn hurray_buffer_byte_size(buffer: *const HurrayBuffer, out: *mut u64) -> HurrayStatus;
    pub fn hurray_buffer_alignment(buffer: *const HurrayBuffer, out: *mut u32) -> HurrayStatus;
    pub fn hurray_buffer_device_tag(buffer: *const HurrayBuffer, out: *mut u8) -> HurrayStatus;
    pub fn hurray_buffer_sync_mode(buffer: *const HurrayBuffer, out: *mut u8) -> HurrayStatus;
    pub fn hurray_buffer_memory_class(buffer: *const HurrayBuffer, out: *mut u8) -> HurrayStatus;
    pub fn hurray_buffer_flags(buffer: *const HurrayBuffer, out: *mut u32) -> HurrayStatus;
    pub fn hurray_buffer_device_id(buffer: *const HurrayBuffer, out: *mut i32) -> HurrayStatus;
    pub fn hurray_buffer_lead(buffer: *const HurrayBuffer, out: *mut u32) -> HurrayStatus;
    pub fn hurray_buffer_set_flags(buffer: *mut HurrayBuffer, flags: u32) -> HurrayStatus;
    pub fn hurray_buffer_set_device_id(buffer: *mut HurrayBuffer, device_id: i32) -> HurrayStatus;
    pub fn hurray_buffer_set_lead(buffer: *mut HurrayBuffer, lead: u32) -> HurrayStatus;
    pub fn hurray_buffer_handoff_producer_synced(
        buffer: *const HurrayBuffer,
        sync_handle: *const core::ffi::c_void,
        consumer_stream: *const core::ffi::c_void,
    ) -> HurrayStatus;
    pub fn hurray_buffer_handoff_event(
        buffer: *const HurrayBuffer,
        sync_handle: *const core::ffi::c_void,
        sync_handle_device_tag: u8,
        event_release: HurrayEventReleaseFn,
    ) -> HurrayStatus;
    pub fn hurray_buffer_handoff_consumer_stream(
        buffer: *const HurrayBuffer,
        consumer_stream: *const core::ffi::c_void,
        consumer_stream_device_tag: u8,
    ) -> HurrayStatus;
    pub fn hurray_buffer_list_new(capacity: u64, out_list: *mut *mut HurrayBufferList) -> HurrayStatus;
    pub fn hurray_buffer_list_push(list: *mut HurrayBufferList, buffer: *mut HurrayBuffer) -> HurrayStatus;
    pub fn hurray_buffer_list_len(list: *const HurrayBufferList, out_len: *mut u64) -> HurrayStatus;
    pub fn hurray_buffer_list_get(
        list: *const HurrayBufferList,
        index: u64,
        out_borrowed: *mut *mut HurrayBuffer,
    ) -> HurrayStatus;
    pub fn hurray_buffer_list_destroy(list: *mut *mut HurrayBufferList) -> HurrayStatus;
    pub fn hurray_descriptor_decode(
        bytes: *const u8,
        len: usize,
        out: *mut *mut HurrayDescriptor,
    ) -> HurrayStatus;
    pub fn hurray_descriptor_decode_with(
        bytes: *const u8,
        len: usize,
        flags: u32,
        out: *mut *mut HurrayDescriptor,
    ) -> HurrayStatus;
    pub fn hurray_descriptor_encode(
        descriptor: *const HurrayDescriptor,
        out_bytes: *mut u8,
        out_len: *mut usize,
    ) -> HurrayStatus;
    pub fn hurray_descriptor_element_type_tag(
        descriptor: *const HurrayDescriptor,
        out: *mut u8,
    ) -> HurrayStatus;
    pub fn hurray_descriptor_layout_tag(descriptor: *const HurrayDescriptor, out: *mut u8) -> HurrayStatus;
    pub fn hurray_descriptor_rank(descriptor: *const HurrayDescriptor, out: *mut u32) -> HurrayStatus;
    pub fn hurray_descriptor_buffer_count(descriptor: *const HurrayDescriptor, out: *mut u32)
    -> HurrayStatus;
    pub fn hurray_descriptor_flags(descriptor: *const HurrayDescriptor, out: *mut u32) -> HurrayStatus;
    pub fn hurray_descriptor_byte_offset(descriptor: *const HurrayDescriptor, out: *mut u64) -> HurrayStatus;
    pub fn hurray_descriptor_shape(
        descriptor: *const HurrayDescriptor,
        out_dims: *mut u64,
        out_len: *mut usize,
    ) -> HurrayStatus;
    pub fn hurray_descriptor_describe(
        descriptor: *const HurrayDescriptor,
        out: *mut core::ffi::c_char,
        out_len: *mut usize,
    ) -> HurrayStatus;
    pub fn hurray_descriptor_annotate(
        descriptor: *const HurrayDescriptor,
        out: *mut core::ffi::c_char,
        out_len: *mut usize,
    ) -> HurrayStatus;
    pub fn hurray_descriptor_destroy(descriptor: *mut *mut HurrayDescriptor) -> HurrayStatus;
    pub fn hurray_descriptor_field_u64(
        descriptor: *const HurrayDescriptor,
        field: HurrayDescriptorField,
        level: u32,
        out_value: *mut u64,
    ) -> HurrayStatus;
    pub fn hurray_descriptor_field_i64(
        descriptor: *const HurrayDescriptor,
        field: HurrayDescriptorField,
        level: u32,
        out_value: *mut i64,
    ) -> HurrayStatus;
    pub fn hurray_descriptor_field_f64(
        descriptor: *const HurrayDescriptor,
        field: HurrayDescriptorField,
        level: u32,
        out_value: *mut f64,
    ) -> HurrayStatus;
    pub fn hurray_descriptor_field_u64_array(
        descriptor: *const HurrayDescriptor,
        field: HurrayDescriptorField,
        level: u32,
        out_values: *mut u64,
        out_len: *mut usize,
    ) -> HurrayStatus;
    pub fn hurray_descriptor_field_i64_array(
        descriptor: *const HurrayDescriptor,
        field: HurrayDescriptorField,
        level: u32,
        out_values: *mut i64,
        out_len: *mut usize,
    ) -> HurrayStatus;
    pub fn hurray_descriptor_field_bytes(
        descriptor: *const HurrayDescriptor,
        field: HurrayDescriptorField,
        level: u32,
        out_bytes: *mut u8,
        out_len: *mut usize,
    ) -> HurrayStatus;
    pub fn hurray_descriptor_fields(
        descriptor: *const HurrayDescriptor,
        out_words: *mut u64,
        out_len: *mut usize,
    ) -> HurrayStatus;
    pub fn hurray_descriptor_from_fields(
        words: *const u64,
        len: usize,
        out: *mut *mut HurrayDescriptor,
    ) -> HurrayStatus;
    pub fn hurray_descriptor_builder_new(
        element_type_tag: u8,
        layout_tag: u8,
        shape: *const u64,
        rank: usize,
        out_builder: *mut *mut HurrayDescriptorBuilder,
    ) -> HurrayStatus;
    pub fn hurray_descriptor_builder_set_u64(
        builder: *mut HurrayDescriptorBuilder,
        field: HurrayDescriptorField,
        level: u32,
        value: u64,
    ) -> HurrayStatus;
    pub fn hurray_descriptor_builder_set_i64(
        builder: *mut HurrayDescriptorBuilder,
        field: HurrayDescriptorField,
        level: u32,
        value: i64,
    ) -> HurrayStatus;
    pub fn hurray_descriptor_builder_set_f64(
        builder: *mut HurrayDescriptorBuilder,
        field: HurrayDescriptorField,
        level: u32,
        value: f64,
    ) -> HurrayStatus;
    pub fn hurray_descriptor_builder_set_u64_array(
        builder: *mut HurrayDescriptorBuilder,
        field: HurrayDescriptorField,
        level: u32,
        values: *const u64,
        len: usize,
    ) -> HurrayStatus;
    pub fn hurray_descriptor_builder_set_i64_array(
        builder: *mut HurrayDescriptorBuilder,
        field: HurrayDescriptorField,
        level: u32,
        values: *const i64,
        len: usize,
    ) -> HurrayStatus;
    pub fn hurray_descriptor_builder_set_bytes(
        builder: *mut HurrayDescriptorBuilder,
        field: HurrayDescriptorField,
        level: u32,
        values: *const u8,
        len: usize,
    ) -> HurrayStatus;
    pub fn hurray_descriptor_builder_push_buffer(
        builder: *mut HurrayDescriptorBuilder,
        byte_size: u64,
        alignment: u32,
        device_tag: u8,
        sync_mode: u8,
        memory_class: u8,
    ) -> HurrayStatus;
    pub fn hurray_descriptor_builder_push_default_buffers(
        builder: *mut HurrayDescriptorBuilder,
    ) -> HurrayStatus;
    pub fn hurray_descriptor_builder_finish(
        builder: *mut HurrayDescriptorBuilder,
        out_descriptor: *mut *mut HurrayDescriptor,
    ) -> HurrayStatus;
    pub fn hurray_descriptor_builder_destroy(builder: *mut *mut HurrayDescriptorBuilder) -> HurrayStatus;
    pub fn hurray_tensor_new(
        abi_version: u32,
        descriptor_bytes: *const u8,
        descriptor_len: u64,
        buffers: *mut HurrayBufferList,
        owner: *mut core::ffi::c_void,
        owner_release: HurrayOwnerReleaseFn,
        out_tensor: *mut *mut HurrayTensor,
    ) -> HurrayStatus;
    pub fn hurray_tensor_from_descriptor(
        descriptor: *const HurrayDescriptor,
        buffers: *mut HurrayBufferList,
        owner: *mut core::ffi::c_void,
        owner_release: HurrayOwnerReleaseFn,
        out_tensor: *mut *mut HurrayTensor,
    ) -> HurrayStatus;
    pub fn hurray_tensor_share(
        tensor: *const HurrayTensor,
        out_tensor: *mut *mut HurrayTensor,
    ) -> HurrayStatus;
    pub fn hurray_tensor_abi_version(tensor: *const HurrayTensor, out: *mut u32) -> HurrayStatus;
    pub fn hurray_tensor_descriptor(
        tensor: *const HurrayTensor,
        out_descriptor: *mut *mut HurrayDescriptor,
    ) -> HurrayStatus;
    pub fn hurray_tensor_buffers(
        tensor: *const HurrayTensor,
        out_buffers: *mut *mut HurrayBufferList,
    ) -> HurrayStatus;
    pub fn hurray_tensor_describe(
        tensor: *const HurrayTensor,
        out: *mut core::ffi::c_char,
        out_len: *mut usize,
    ) -> HurrayStatus;
    pub fn hurray_tensor_destroy(tensor: *mut *mut HurrayTensor) -> HurrayStatus;
    pub fn hurray_tensor_from_array(
        element_type_tag: u8,
        shape: *const u64,
        rank: usize,
        byte_strides: *const i64,
        data: *mut core::ffi::c_void,
        device_tag: u8,
        memory_class: u8,
        device_id: i32,
        buffer_flags: u32,
        options: *const HurrayOptions,
        owner: *mut core::ffi::c_void,
        owner_release: HurrayOwnerReleaseFn,
        out_tensor: *mut *mut HurrayTensor,
    ) -> HurrayStatus;
    pub fn hurray_tensor_array_view(
        tensor: *const HurrayTensor,
        out_data: *mut *mut core::ffi::c_void,
        out_shape: *mut u64,
        out_byte_strides: *mut i64,
        out_rank: *mut usize,
        out_view_flags: *mut u32,
    ) -> HurrayStatus;
    pub fn hurray_tensor_part(
        tensor: *const HurrayTensor,
        role: u32,
        level: u32,
        out_tensor: *mut *mut HurrayTensor,
    ) -> HurrayStatus;
    pub fn hurray_item_from_tensor(
        tensor: *const HurrayTensor,
        out_item: *mut *mut HurrayItem,
    ) -> HurrayStatus;
    pub fn hurray_item_composite_new(
        head: *const HurrayDescriptor,
        members: *const *const HurrayItem,
        count: usize,
        out_item: *mut *mut HurrayItem,
    ) -> HurrayStatus;
    pub fn hurray_item_share(item: *const HurrayItem, out_item: *mut *mut HurrayItem) -> HurrayStatus;
    pub fn hurray_item_kind(item: *const HurrayItem, out_kind: *mut u32) -> HurrayStatus;
    pub fn hurray_item_tensor(item: *const HurrayItem, out_tensor: *mut *mut HurrayTensor) -> HurrayStatus;
    pub fn hurray_item_head(
        item: *const HurrayItem,
        out_descriptor: *mut *mut HurrayDescriptor,
    ) -> HurrayStatus;
    pub fn hurray_item_data(item: *const HurrayItem, out_tensor: *mut *mut HurrayTensor) -> HurrayStatus;
    pub fn hurray_item_member_count(item: *const HurrayItem, out_count: *mut u64) -> HurrayStatus;
    pub fn hurray_item_member(
        item: *const HurrayItem,
        index: u64,
        out_borrowed: *mut *mut HurrayItem,
    ) -> HurrayStatus;
    pub fn hurray_item_destroy(item: *mut *mut HurrayItem) -> HurrayStatus;
    pub fn hurray_tensor_to_dlpack(
        tensor: *const HurrayTensor,
        options: *const HurrayOptions,
        out_managed: *mut *mut DLManagedTensorVersioned,
    ) -> HurrayStatus;
    pub fn hurray_tensor_to_dlpack_unversioned(
        tensor: *const HurrayTensor,
        options: *const HurrayOptions,
        out_managed: *mut *mut DLManagedTensor,
    ) -> HurrayStatus;
    pub fn hurray_tensor_dlpack_device(
        tensor: *const HurrayTensor,
        out_device_type: *mut i32,
        out_device_id: *mut i32,
    ) -> HurrayStatus;
    pub fn hurray_tensor_from_dlpack(
        managed: *mut *mut DLManagedTensorVersioned,
        options: *const HurrayOptions,
        out_tensor: *mut *mut HurrayTensor,
    ) -> HurrayStatus;
    pub fn hurray_tensor_from_dlpack_unversioned(
        managed: *mut *mut DLManagedTensor,
        options: *const HurrayOptions,
        out_tensor: *mut *mut HurrayTensor,
    ) -> HurrayStatus;
    pub fn hurray_tensor_to_layout(
        tensor: *const HurrayTensor,
        target: *const HurrayDescriptor,
        into: *const HurrayBuffer,
        options: *const HurrayOptions,
        out_bytes: *mut u64,
        out_tensor: *mut *mut HurrayTensor,
    ) -> HurrayStatus;
    pub fn hurray_descriptor_element_offset(
        descriptor: *const HurrayDescriptor,
        index: *const u64,
        len: usize,
        out_offset: *mut u64,
    ) -> HurrayStatus;
    pub fn hurray_tensor_element_offset(
        tensor: *const HurrayTensor,
        index: *const u64,
        len: usize,
        out_offset: *mut u64,
    ) -> HurrayStatus;
    pub fn hurray_tensor_dequantize(
        tensor: *const HurrayTensor,
        element_type_tag: u8,
        into: *const HurrayBuffer,
        options: *const HurrayOptions,
        out_bytes: *mut u64,
        out_tensor: *mut *mut HurrayTensor,
    ) -> HurrayStatus;
    pub fn hurray_tensor_quantize(
        tensor: *const HurrayTensor,
        target: *const HurrayDescriptor,
        parameters: *const HurrayBufferList,
        into: *const HurrayBuffer,
        options: *const HurrayOptions,
        out_bytes: *mut u64,
        out_tensor: *mut *mut HurrayTensor,
    ) -> HurrayStatus;
    pub fn hurray_tensor_unpack(
        tensor: *const HurrayTensor,
        into: *const HurrayBuffer,
        options: *const HurrayOptions,
        out_bytes: *mut u64,
        out_tensor: *mut *mut HurrayTensor,
    ) -> HurrayStatus;
    pub fn hurray_tensor_pack(
        tensor: *const HurrayTensor,
        element_type_tag: u8,
        into: *const HurrayBuffer,
        options: *const HurrayOptions,
        out_bytes: *mut u64,
        out_tensor: *mut *mut HurrayTensor,
    ) -> HurrayStatus;
    pub fn hurray_tensor_slice(
        tensor: *const HurrayTensor,
        start: *const i64,
        stop: *const i64,
        step: *const i64,
        rank: usize,
        options: *const HurrayOptions,
        out_bytes: *mut u64,
        out_tensor: *mut *mut HurrayTensor,
    ) -> HurrayStatus;
    pub fn hurray_tensor_statistics(
        tensor: *const HurrayTensor,
        options: *const HurrayOptions,
        out_descriptor: *mut *mut HurrayDescriptor,
    ) -> HurrayStatus;
    pub fn hurray_tensor_gather(
        tensor: *const HurrayTensor,
        sequence_lengths: *const u64,
        len: usize,
        into: *const HurrayBuffer,
        options: *const HurrayOptions,
        out_bytes: *mut u64,
        out_tensor: *mut *mut HurrayTensor,
    ) -> HurrayStatus;
    pub fn hurray_tensor_scatter(
        tensor: *const HurrayTensor,
        paged: *const HurrayTensor,
        sequence_lengths: *const u64,
        len: usize,
        options: *const HurrayOptions,
        out_bytes: *mut u64,
    ) -> HurrayStatus;
    pub fn hurray_tensor_check_data(
        tensor: *const HurrayTensor,
        options: *const HurrayOptions,
    ) -> HurrayStatus;
    pub fn hurray_item_assemble(
        item: *const HurrayItem,
        into: *const HurrayBuffer,
        options: *const HurrayOptions,
        out_bytes: *mut u64,
        out_tensor: *mut *mut HurrayTensor,
    ) -> HurrayStatus;
    pub fn hurray_file_reader_open(
        path: *const core::ffi::c_char,
        path_len: usize,
        options: *const HurrayOptions,
        out_reader: *mut *mut HurrayFileReader,
    ) -> HurrayStatus;
    pub fn hurray_file_reader_open_fd(
        fd: i64,
        options: *const HurrayOptions,
        out_reader: *mut *mut HurrayFileReader,
    ) -> HurrayStatus;
    pub fn hurray_file_reader_open_buffer(
        buffer: *const HurrayBuffer,
        options: *const HurrayOptions,
        out_reader: *mut *mut HurrayFileReader,
    ) -> HurrayStatus;
    pub fn hurray_file_reader_open_callback(
        read_at: HurrayReadAtFn,
        context: *mut core::ffi::c_void,
        release: HurrayOwnerReleaseFn,
        size: u64,
        options: *const HurrayOptions,
        out_reader: *mut *mut HurrayFileReader,
    ) -> HurrayStatus;
    pub fn hurray_file_reader_destroy(reader: *mut *mut HurrayFileReader) -> HurrayStatus;
    pub fn hurray_file_reader_entry_count(
        reader: *const HurrayFileReader,
        out_count: *mut u64,
    ) -> HurrayStatus;
    pub fn hurray_file_reader_entry_find(
        reader: *const HurrayFileReader,
        name: *const core::ffi::c_char,
        name_len: usize,
        out_index: *mut u64,
    ) -> HurrayStatus;
    pub fn hurray_file_reader_entry_names(
        reader: *const HurrayFileReader,
        out_bytes: *mut u8,
        out_len: *mut usize,
        out_ends: *mut u64,
        out_count: *mut usize,
    ) -> HurrayStatus;
    pub fn hurray_file_reader_entry_descriptor(
        reader: *const HurrayFileReader,
        index: u64,
        out_descriptor: *mut *mut HurrayDescriptor,
    ) -> HurrayStatus;
    pub fn hurray_file_reader_entry_tensor(
        reader: *const HurrayFileReader,
        index: u64,
        out_tensor: *mut *mut HurrayTensor,
    ) -> HurrayStatus;
    pub fn hurray_file_reader_entry_range(
        reader: *const HurrayFileReader,
        index: u64,
        out_offset: *mut u64,
        out_length: *mut u64,
    ) -> HurrayStatus;
    pub fn hurray_file_reader_entry_read(
        reader: *const HurrayFileReader,
        index: u64,
        buffer_index: u64,
        offset: u64,
        out: *mut u8,
        len: usize,
    ) -> HurrayStatus;
    pub fn hurray_file_reader_item_count(
        reader: *const HurrayFileReader,
        out_count: *mut u64,
    ) -> HurrayStatus;
    pub fn hurray_file_reader_item_entry(
        reader: *const HurrayFileReader,
        i: u64,
        out_index: *mut u64,
    ) -> HurrayStatus;
    pub fn hurray_file_reader_item(
        reader: *const HurrayFileReader,
        index: u64,
        out_item: *mut *mut HurrayItem,
    ) -> HurrayStatus;
    pub fn hurray_file_reader_kv_count(reader: *const HurrayFileReader, out_count: *mut u64) -> HurrayStatus;
    pub fn hurray_file_reader_kv_key(
        reader: *const HurrayFileReader,
        i: u64,
        out: *mut core::ffi::c_char,
        out_len: *mut usize,
    ) -> HurrayStatus;
    pub fn hurray_file_reader_kv_find(
        reader: *const HurrayFileReader,
        key: *const core::ffi::c_char,
        key_len: usize,
        out_i: *mut u64,
    ) -> HurrayStatus;
    pub fn hurray_file_reader_kv_type(
        reader: *const HurrayFileReader,
        i: u64,
        out_type: *mut u8,
        out_is_array: *mut u8,
        out_count: *mut u64,
    ) -> HurrayStatus;
    pub fn hurray_file_reader_kv_u64(
        reader: *const HurrayFileReader,
        i: u64,
        out_values: *mut u64,
        out_len: *mut usize,
    ) -> HurrayStatus;
    pub fn hurray_file_reader_kv_i64(
        reader: *const HurrayFileReader,
        i: u64,
        out_values: *mut i64,
        out_len: *mut usize,
    ) -> HurrayStatus;
    pub fn hurray_file_reader_kv_f64(
        reader: *const HurrayFileReader,
        i: u64,
        out_values: *mut f64,
        out_len: *mut usize,
    ) -> HurrayStatus;
    pub fn hurray_file_reader_kv_packed(
        reader: *const HurrayFileReader,
        i: u64,
        out_bytes: *mut u8,
        out_len: *mut usize,
        out_ends: *mut u64,
        out_count: *mut usize,
    ) -> HurrayStatus;
    pub fn hurray_file_reader_advise(
        reader: *const HurrayFileReader,
        index: u64,
        advice: u32,
    ) -> HurrayStatus;
    pub fn hurray_file_writer_create(
        path: *const core::ffi::c_char,
        path_len: usize,
        options: *const HurrayOptions,
        out_writer: *mut *mut HurrayFileWriter,
    ) -> HurrayStatus;
    pub fn hurray_file_writer_to_callback(
        write: HurrayWriteFn,
        context: *mut core::ffi::c_void,
        release: HurrayOwnerReleaseFn,
        options: *const HurrayOptions,
        out_writer: *mut *mut HurrayFileWriter,
    ) -> HurrayStatus;
    pub fn hurray_file_writer_to_memory(
        options: *const HurrayOptions,
        out_writer: *mut *mut HurrayFileWriter,
    ) -> HurrayStatus;
    pub fn hurray_file_writer_put(
        writer: *mut HurrayFileWriter,
        name: *const core::ffi::c_char,
        name_len: usize,
        item: *const HurrayItem,
    ) -> HurrayStatus;
    pub fn hurray_file_writer_finish(writer: *mut HurrayFileWriter) -> HurrayStatus;
    pub fn hurray_file_writer_take_buffer(
        writer: *mut HurrayFileWriter,
        out_buffer: *mut *mut HurrayBuffer,
    ) -> HurrayStatus;
    pub fn hurray_file_writer_destroy(writer: *mut *mut HurrayFileWriter) -> HurrayStatus;
    pub fn hurray_file_writer_kv_set_u64(
        writer: *mut HurrayFileWriter,
        key: *const core::ffi::c_char,
        key_len: usize,
        value_type: u8,
        is_array: u8,
        values: *const u64,
        count: usize,
    ) -> HurrayStatus;
    pub fn hurray_file_writer_kv_set_i64(
        writer: *mut HurrayFileWriter,
        key: *const core::ffi::c_char,
        key_len: usize,
        value_type: u8,
        is_array: u8,
        values: *const i64,
        count: usize,
    ) -> HurrayStatus;
    pub fn hurray_file_writer_kv_set_f64(
        writer: *mut HurrayFileWriter,
        key: *const core::ffi::c_char,
        key_len: usize,
        value_type: u8,
        is_array: u8,
        values: *const f64,
        count: usize,
    ) -> HurrayStatus;
    pub fn hurray_file_writer_kv_set_packed(
        writer: *mut HurrayFileWriter,
        key: *const core::ffi::c_char,
        key_len: usize,
        value_type: u8,
        is_array: u8,
        bytes: *const u8,
        bytes_len: usize,
        ends: *const u64,
        count: usize,
    ) -> HurrayStatus;
    pub fn hurray_stream_reader_new(
        options: *const HurrayOptions,
        out_reader: *mut *mut HurrayStreamReader,
    ) -> HurrayStatus;
    pub fn hurray_stream_reader_window(
        reader: *mut HurrayStreamReader,
        out_ptr: *mut *mut u8,
        out_size: *mut usize,
    ) -> HurrayStatus;
    pub fn hurray_stream_reader_advance(reader: *mut HurrayStreamReader, n: usize) -> HurrayStatus;
    pub fn hurray_stream_reader_feed(
        reader: *mut HurrayStreamReader,
        bytes: *const u8,
        len: usize,
        out_consumed: *mut usize,
    ) -> HurrayStatus;
    pub fn hurray_stream_reader_next(
        reader: *mut HurrayStreamReader,
        out_item: *mut *mut HurrayItem,
    ) -> HurrayStatus;
    pub fn hurray_stream_reader_finish(reader: *mut HurrayStreamReader) -> HurrayStatus;
    pub fn hurray_stream_reader_pending(
        reader: *mut HurrayStreamReader,
        out_descriptor: *mut *mut HurrayDescriptor,
    ) -> HurrayStatus;
    pub fn hurray_stream_reader_provide_buffer(
        reader: *mut HurrayStreamReader,
        index: u64,
        buffer: *const HurrayBuffer,
    ) -> HurrayStatus;
    pub fn hurray_stream_reader_stream_id(
        reader: *const HurrayStreamReader,
        out_stream_id: *mut u32,
    ) -> HurrayStatus;
    pub fn hurray_stream_reader_unread(
        reader: *const HurrayStreamReader,
        out_ptr: *mut *const u8,
        out_size: *mut usize,
    ) -> HurrayStatus;
    pub fn hurray_stream_reader_reply(
        reader: *mut HurrayStreamReader,
        out_bytes: *mut u8,
        out_len: *mut usize,
    ) -> HurrayStatus;
    pub fn hurray_stream_reader_destroy(reader: *mut *mut HurrayStreamReader) -> HurrayStatus;
    pub fn hurray_stream_writer_new(
        form: u32,
        stream_id: u32,
        max_message_size: u64,
        options: *const HurrayOptions,
        out_writer: *mut *mut HurrayStreamWriter,
    ) -> HurrayStatus;
    pub fn hurray_stream_writer_put(writer: *mut HurrayStreamWriter, item: *const HurrayItem)
    -> HurrayStatus;
    pub fn hurray_stream_writer_chunks(
        writer: *const HurrayStreamWriter,
        out_slices: *mut HurraySlice,
        out_count: *mut usize,
    ) -> HurrayStatus;
    pub fn hurray_stream_writer_advance(writer: *mut HurrayStreamWriter, n: usize) -> HurrayStatus;
    pub fn hurray_stream_writer_destroy(writer: *mut *mut HurrayStreamWriter) -> HurrayStatus;
    pub fn hurray_stream_read_fd(
        reader: *mut HurrayStreamReader,
        fd: i64,
        out_item: *mut *mut HurrayItem,
    ) -> HurrayStatus;
    pub fn hurray_stream_write_fd(writer: *mut HurrayStreamWriter, fd: i64) -> HurrayStatus;
}
