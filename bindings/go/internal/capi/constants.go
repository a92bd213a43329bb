package capi

// #include <hurray.h>
import "C"

// The numbers of the header, under its names without the prefix.
const (
	OK                    = C.HURRAY_OK
	NeedMore              = C.HURRAY_NEED_MORE
	End                   = C.HURRAY_END
	ErrInvalidMagic       = C.HURRAY_ERR_INVALID_MAGIC
	ErrVersionMismatch    = C.HURRAY_ERR_VERSION_MISMATCH
	ErrInvalidLayout      = C.HURRAY_ERR_INVALID_LAYOUT
	ErrInvalidType        = C.HURRAY_ERR_INVALID_TYPE
	ErrBufferTooSmall     = C.HURRAY_ERR_BUFFER_TOO_SMALL
	ErrNullPointer        = C.HURRAY_ERR_NULL_POINTER
	ErrInternalPanic      = C.HURRAY_ERR_INTERNAL_PANIC
	ErrInvalidSyncMode    = C.HURRAY_ERR_INVALID_SYNC_MODE
	ErrSyncModeMismatch   = C.HURRAY_ERR_SYNC_MODE_MISMATCH
	ErrInternal           = C.HURRAY_ERR_INTERNAL
	ErrIndexOutOfBounds   = C.HURRAY_ERR_INDEX_OUT_OF_BOUNDS
	ErrFieldNotPresent    = C.HURRAY_ERR_FIELD_NOT_PRESENT
	ErrFieldNotApplicable = C.HURRAY_ERR_FIELD_NOT_APPLICABLE
	ErrInvalidDescriptor  = C.HURRAY_ERR_INVALID_DESCRIPTOR
	ErrTruncated          = C.HURRAY_ERR_TRUNCATED
	ErrOverflow           = C.HURRAY_ERR_OVERFLOW
	ErrBufferMismatch     = C.HURRAY_ERR_BUFFER_MISMATCH
	ErrIO                 = C.HURRAY_ERR_IO
	ErrNotFound           = C.HURRAY_ERR_NOT_FOUND
	ErrUnsupported        = C.HURRAY_ERR_UNSUPPORTED
	ErrInvalidArgument    = C.HURRAY_ERR_INVALID_ARGUMENT
	ErrLimitExceeded      = C.HURRAY_ERR_LIMIT_EXCEEDED
	ErrCorrupt            = C.HURRAY_ERR_CORRUPT
	ErrTorn               = C.HURRAY_ERR_TORN
	ErrOutOfMemory        = C.HURRAY_ERR_OUT_OF_MEMORY
	ErrInvalidHandle      = C.HURRAY_ERR_INVALID_HANDLE
	ErrDuplicate          = C.HURRAY_ERR_DUPLICATE
	ErrCancelled          = C.HURRAY_ERR_CANCELLED
	ErrCopyRequired       = C.HURRAY_ERR_COPY_REQUIRED
)

const (
	SpaceElementType     = C.HURRAY_SPACE_ELEMENT_TYPE
	SpaceLayout          = C.HURRAY_SPACE_LAYOUT
	SpaceScheme          = C.HURRAY_SPACE_SCHEME
	SpaceDevice          = C.HURRAY_SPACE_DEVICE
	SpaceMemoryClass     = C.HURRAY_SPACE_MEMORY_CLASS
	SpaceSyncMode        = C.HURRAY_SPACE_SYNC_MODE
	SpaceCompositionRule = C.HURRAY_SPACE_COMPOSITION_RULE
	SpaceCombineOp       = C.HURRAY_SPACE_COMBINE_OP
	SpaceMemberRole      = C.HURRAY_SPACE_MEMBER_ROLE
	SpaceKVType          = C.HURRAY_SPACE_KV_TYPE
	SpaceKVRole          = C.HURRAY_SPACE_KV_ROLE
	SpaceBufferRole      = C.HURRAY_SPACE_BUFFER_ROLE
)

const (
	KindFloat   = C.HURRAY_KIND_FLOAT
	KindInteger = C.HURRAY_KIND_INTEGER
	KindSigned  = C.HURRAY_KIND_SIGNED
	KindComplex = C.HURRAY_KIND_COMPLEX
	KindBool    = C.HURRAY_KIND_BOOL
	KindSubByte = C.HURRAY_KIND_SUB_BYTE
	KindTier1   = C.HURRAY_KIND_TIER_1
)

const (
	TypeFloat16    = C.HURRAY_TYPE_FLOAT16
	TypeBfloat16   = C.HURRAY_TYPE_BFLOAT16
	TypeFloat32    = C.HURRAY_TYPE_FLOAT32
	TypeFloat64    = C.HURRAY_TYPE_FLOAT64
	TypeInt8       = C.HURRAY_TYPE_INT8
	TypeUint8      = C.HURRAY_TYPE_UINT8
	TypeInt16      = C.HURRAY_TYPE_INT16
	TypeUint16     = C.HURRAY_TYPE_UINT16
	TypeInt32      = C.HURRAY_TYPE_INT32
	TypeUint32     = C.HURRAY_TYPE_UINT32
	TypeInt64      = C.HURRAY_TYPE_INT64
	TypeUint64     = C.HURRAY_TYPE_UINT64
	TypeBool       = C.HURRAY_TYPE_BOOL
	TypeFloat8E4m3 = C.HURRAY_TYPE_FLOAT8_E4M3
	TypeFloat8E5m2 = C.HURRAY_TYPE_FLOAT8_E5M2
	TypeFloat8E8m0 = C.HURRAY_TYPE_FLOAT8_E8M0
	TypeFloat4E2m1 = C.HURRAY_TYPE_FLOAT4_E2M1
	TypeFloat6E2m3 = C.HURRAY_TYPE_FLOAT6_E2M3
	TypeFloat6E3m2 = C.HURRAY_TYPE_FLOAT6_E3M2
	TypeFloat128   = C.HURRAY_TYPE_FLOAT128
	TypeInt4       = C.HURRAY_TYPE_INT4
	TypeUint4      = C.HURRAY_TYPE_UINT4
	TypeInt2       = C.HURRAY_TYPE_INT2
	TypeUint2      = C.HURRAY_TYPE_UINT2
	TypeComplex64  = C.HURRAY_TYPE_COMPLEX64
	TypeComplex128 = C.HURRAY_TYPE_COMPLEX128
)

const (
	LayoutRowMajor    = C.HURRAY_LAYOUT_ROW_MAJOR
	LayoutColumnMajor = C.HURRAY_LAYOUT_COLUMN_MAJOR
	LayoutStrided     = C.HURRAY_LAYOUT_STRIDED
	LayoutTiled       = C.HURRAY_LAYOUT_TILED
	LayoutMorton      = C.HURRAY_LAYOUT_MORTON
	LayoutCOO         = C.HURRAY_LAYOUT_COO
	LayoutCSR         = C.HURRAY_LAYOUT_CSR
	LayoutCSC         = C.HURRAY_LAYOUT_CSC
	LayoutCSF         = C.HURRAY_LAYOUT_CSF
	LayoutBlockPaged  = C.HURRAY_LAYOUT_BLOCK_PAGED
	LayoutComposite   = C.HURRAY_LAYOUT_COMPOSITE
	LayoutHilbert     = C.HURRAY_LAYOUT_HILBERT
)

const (
	SchemePerTensorAffine  = C.HURRAY_SCHEME_PER_TENSOR_AFFINE
	SchemePerChannelAffine = C.HURRAY_SCHEME_PER_CHANNEL_AFFINE
	SchemePerBlockAffine   = C.HURRAY_SCHEME_PER_BLOCK_AFFINE
	SchemeNF4              = C.HURRAY_SCHEME_NF4
	SchemeMXFP             = C.HURRAY_SCHEME_MXFP
)

const (
	DeviceCPU       = C.HURRAY_DEVICE_CPU
	DeviceCUDA      = C.HURRAY_DEVICE_CUDA
	DeviceRocm      = C.HURRAY_DEVICE_ROCM
	DeviceMetal     = C.HURRAY_DEVICE_METAL
	DeviceVulkan    = C.HURRAY_DEVICE_VULKAN
	DeviceWebgpu    = C.HURRAY_DEVICE_WEBGPU
	DeviceHexagon   = C.HURRAY_DEVICE_HEXAGON
	DeviceLevelZero = C.HURRAY_DEVICE_LEVEL_ZERO
	DeviceOpencl    = C.HURRAY_DEVICE_OPENCL
)

const (
	MemoryStandard   = C.HURRAY_MEMORY_STANDARD
	MemoryHostPinned = C.HURRAY_MEMORY_HOST_PINNED
	MemoryUnified    = C.HURRAY_MEMORY_UNIFIED
	MemoryPeer       = C.HURRAY_MEMORY_PEER
)

const (
	SyncProducerSynced = C.HURRAY_SYNC_PRODUCER_SYNCED
	SyncEvent          = C.HURRAY_SYNC_EVENT
	SyncConsumerStream = C.HURRAY_SYNC_CONSUMER_STREAM
)

const (
	RulePartition = C.HURRAY_RULE_PARTITION
	RuleOverlay   = C.HURRAY_RULE_OVERLAY
	RuleGroup     = C.HURRAY_RULE_GROUP
)

const (
	OpNone    = C.HURRAY_OP_NONE
	OpReplace = C.HURRAY_OP_REPLACE
	OpAdd     = C.HURRAY_OP_ADD
)

const (
	MemberCorrection = C.HURRAY_MEMBER_CORRECTION
	MemberBase       = C.HURRAY_MEMBER_BASE
)

const (
	KVString    = C.HURRAY_KV_STRING
	KVInt64     = C.HURRAY_KV_INT64
	KVUint64    = C.HURRAY_KV_UINT64
	KVFloat64   = C.HURRAY_KV_FLOAT64
	KVBool      = C.HURRAY_KV_BOOL
	KVBytes     = C.HURRAY_KV_BYTES
	KVArray     = C.HURRAY_KV_ARRAY
	KVRoleKey   = C.HURRAY_KV_ROLE_KEY
	KVRoleValue = C.HURRAY_KV_ROLE_VALUE
	KVRoleFused = C.HURRAY_KV_ROLE_FUSED
)

const (
	RoleUnknown    = C.HURRAY_ROLE_UNKNOWN
	RoleValues     = C.HURRAY_ROLE_VALUES
	RoleIndices    = C.HURRAY_ROLE_INDICES
	RolePointers   = C.HURRAY_ROLE_POINTERS
	RoleCSFPos     = C.HURRAY_ROLE_CSF_POS
	RoleCSFCrd     = C.HURRAY_ROLE_CSF_CRD
	RoleBlockTable = C.HURRAY_ROLE_BLOCK_TABLE
	RoleSeqPtr     = C.HURRAY_ROLE_SEQ_PTR
	RoleScales     = C.HURRAY_ROLE_SCALES
	RoleZeroPoints = C.HURRAY_ROLE_ZERO_POINTS
)

const (
	ViewReadOnly    = C.HURRAY_VIEW_READ_ONLY
	ViewRowMajor    = C.HURRAY_VIEW_ROW_MAJOR
	ViewColumnMajor = C.HURRAY_VIEW_COLUMN_MAJOR
	ViewMisaligned  = C.HURRAY_VIEW_MISALIGNED
	ViewPacked      = C.HURRAY_VIEW_PACKED
)

const (
	DecodePermissive = C.HURRAY_DECODE_PERMISSIVE
)

const (
	LayoutFieldUnknownData                   = C.HURRAY_LAYOUT_FIELD_UNKNOWN_DATA
	LayoutFieldStridedStrides                = C.HURRAY_LAYOUT_FIELD_STRIDED_STRIDES
	LayoutFieldTiledTileShape                = C.HURRAY_LAYOUT_FIELD_TILED_TILE_SHAPE
	LayoutFieldTiledOuterLayout              = C.HURRAY_LAYOUT_FIELD_TILED_OUTER_LAYOUT
	LayoutFieldTiledInnerLayout              = C.HURRAY_LAYOUT_FIELD_TILED_INNER_LAYOUT
	LayoutFieldTiledOuterStrides             = C.HURRAY_LAYOUT_FIELD_TILED_OUTER_STRIDES
	LayoutFieldTiledInnerStrides             = C.HURRAY_LAYOUT_FIELD_TILED_INNER_STRIDES
	LayoutFieldTiledDepth                    = C.HURRAY_LAYOUT_FIELD_TILED_DEPTH
	LayoutFieldMortonBits                    = C.HURRAY_LAYOUT_FIELD_MORTON_BITS
	LayoutFieldCOONNZ                        = C.HURRAY_LAYOUT_FIELD_COO_NNZ
	LayoutFieldCOOIsSorted                   = C.HURRAY_LAYOUT_FIELD_COO_IS_SORTED
	LayoutFieldCSRNNZ                        = C.HURRAY_LAYOUT_FIELD_CSR_NNZ
	LayoutFieldCSCNNZ                        = C.HURRAY_LAYOUT_FIELD_CSC_NNZ
	LayoutFieldCSFNNZ                        = C.HURRAY_LAYOUT_FIELD_CSF_NNZ
	LayoutFieldCSFModeOrder                  = C.HURRAY_LAYOUT_FIELD_CSF_MODE_ORDER
	LayoutFieldBlockPagedPageSize            = C.HURRAY_LAYOUT_FIELD_BLOCK_PAGED_PAGE_SIZE
	LayoutFieldBlockPagedNumPages            = C.HURRAY_LAYOUT_FIELD_BLOCK_PAGED_NUM_PAGES
	LayoutFieldBlockPagedPagedAxis           = C.HURRAY_LAYOUT_FIELD_BLOCK_PAGED_PAGED_AXIS
	LayoutFieldBlockPagedNumSeqs             = C.HURRAY_LAYOUT_FIELD_BLOCK_PAGED_NUM_SEQS
	LayoutFieldBlockPagedKVRole              = C.HURRAY_LAYOUT_FIELD_BLOCK_PAGED_KV_ROLE
	LayoutFieldBlockPagedLayerIndex          = C.HURRAY_LAYOUT_FIELD_BLOCK_PAGED_LAYER_INDEX
	LayoutFieldBlockPagedBlockTableIndexType = C.HURRAY_LAYOUT_FIELD_BLOCK_PAGED_BLOCK_TABLE_INDEX_TYPE
	LayoutFieldCompositeRule                 = C.HURRAY_LAYOUT_FIELD_COMPOSITE_RULE
	LayoutFieldCompositeCombineOp            = C.HURRAY_LAYOUT_FIELD_COMPOSITE_COMBINE_OP
	LayoutFieldCompositeMemberCount          = C.HURRAY_LAYOUT_FIELD_COMPOSITE_MEMBER_COUNT
	LayoutFieldHilbertOrder                  = C.HURRAY_LAYOUT_FIELD_HILBERT_ORDER
	LayoutFieldHilbertRank                   = C.HURRAY_LAYOUT_FIELD_HILBERT_RANK
	LayoutFieldPrivateLayoutID               = C.HURRAY_LAYOUT_FIELD_PRIVATE_LAYOUT_ID
	LayoutFieldPrivateData                   = C.HURRAY_LAYOUT_FIELD_PRIVATE_DATA
)

const (
	QuantFieldScheme                    = C.HURRAY_QUANT_FIELD_SCHEME
	QuantFieldSchemeVersion             = C.HURRAY_QUANT_FIELD_SCHEME_VERSION
	QuantFieldFlags                     = C.HURRAY_QUANT_FIELD_FLAGS
	QuantFieldUnknownData               = C.HURRAY_QUANT_FIELD_UNKNOWN_DATA
	QuantFieldPerTensorScale            = C.HURRAY_QUANT_FIELD_PER_TENSOR_SCALE
	QuantFieldPerTensorZeroPoint        = C.HURRAY_QUANT_FIELD_PER_TENSOR_ZERO_POINT
	QuantFieldPerChannelAxis            = C.HURRAY_QUANT_FIELD_PER_CHANNEL_AXIS
	QuantFieldPerChannelScaleBuffer     = C.HURRAY_QUANT_FIELD_PER_CHANNEL_SCALE_BUFFER
	QuantFieldPerChannelZeroPointBuffer = C.HURRAY_QUANT_FIELD_PER_CHANNEL_ZERO_POINT_BUFFER
	QuantFieldPerChannelScaleType       = C.HURRAY_QUANT_FIELD_PER_CHANNEL_SCALE_TYPE
	QuantFieldPerBlockAxis              = C.HURRAY_QUANT_FIELD_PER_BLOCK_AXIS
	QuantFieldPerBlockBlockSize         = C.HURRAY_QUANT_FIELD_PER_BLOCK_BLOCK_SIZE
	QuantFieldPerBlockScaleBuffer       = C.HURRAY_QUANT_FIELD_PER_BLOCK_SCALE_BUFFER
	QuantFieldPerBlockZeroPointBuffer   = C.HURRAY_QUANT_FIELD_PER_BLOCK_ZERO_POINT_BUFFER
	QuantFieldPerBlockScaleType         = C.HURRAY_QUANT_FIELD_PER_BLOCK_SCALE_TYPE
	QuantFieldNF4Axis                   = C.HURRAY_QUANT_FIELD_NF4_AXIS
	QuantFieldNF4BlockSize              = C.HURRAY_QUANT_FIELD_NF4_BLOCK_SIZE
	QuantFieldNF4ScaleBuffer            = C.HURRAY_QUANT_FIELD_NF4_SCALE_BUFFER
	QuantFieldMXFPAxis                  = C.HURRAY_QUANT_FIELD_MXFP_AXIS
	QuantFieldMXFPBlockSize             = C.HURRAY_QUANT_FIELD_MXFP_BLOCK_SIZE
	QuantFieldMXFPScaleBuffer           = C.HURRAY_QUANT_FIELD_MXFP_SCALE_BUFFER
)

const (
	ShardFieldParentShape = C.HURRAY_SHARD_FIELD_PARENT_SHAPE
	ShardFieldOffset      = C.HURRAY_SHARD_FIELD_OFFSET
)

const (
	StatsFieldComputedMask  = C.HURRAY_STATS_FIELD_COMPUTED_MASK
	StatsFieldNNZ           = C.HURRAY_STATS_FIELD_NNZ
	StatsFieldSparsityRatio = C.HURRAY_STATS_FIELD_SPARSITY_RATIO
	StatsFieldMin           = C.HURRAY_STATS_FIELD_MIN
	StatsFieldMax           = C.HURRAY_STATS_FIELD_MAX
	StatsFieldAbsMax        = C.HURRAY_STATS_FIELD_ABS_MAX
	StatsFieldMean          = C.HURRAY_STATS_FIELD_MEAN
	StatsFieldStddev        = C.HURRAY_STATS_FIELD_STDDEV
	StatsFieldNMN           = C.HURRAY_STATS_FIELD_NM_N
	StatsFieldNMM           = C.HURRAY_STATS_FIELD_NM_M
	StatsFieldHasNan        = C.HURRAY_STATS_FIELD_HAS_NAN
	StatsFieldHasInf        = C.HURRAY_STATS_FIELD_HAS_INF
)

const (
	ExtTypeFieldBitWidth      = C.HURRAY_EXT_TYPE_FIELD_BIT_WIDTH
	ExtTypeFieldPackingFactor = C.HURRAY_EXT_TYPE_FIELD_PACKING_FACTOR
	ExtTypeFieldIsFloat       = C.HURRAY_EXT_TYPE_FIELD_IS_FLOAT
	ExtTypeFieldIsSigned      = C.HURRAY_EXT_TYPE_FIELD_IS_SIGNED
	ExtTypeFieldSignBits      = C.HURRAY_EXT_TYPE_FIELD_SIGN_BITS
	ExtTypeFieldExponentBits  = C.HURRAY_EXT_TYPE_FIELD_EXPONENT_BITS
	ExtTypeFieldMantissaBits  = C.HURRAY_EXT_TYPE_FIELD_MANTISSA_BITS
	ExtTypeFieldExponentBias  = C.HURRAY_EXT_TYPE_FIELD_EXPONENT_BIAS
	ExtTypeFieldHasNan        = C.HURRAY_EXT_TYPE_FIELD_HAS_NAN
	ExtTypeFieldHasInf        = C.HURRAY_EXT_TYPE_FIELD_HAS_INF
)

const (
	MemberFieldRole = C.HURRAY_MEMBER_FIELD_ROLE
)

const (
	BufferFieldByteSize    = C.HURRAY_BUFFER_FIELD_BYTE_SIZE
	BufferFieldAlignment   = C.HURRAY_BUFFER_FIELD_ALIGNMENT
	BufferFieldDeviceTag   = C.HURRAY_BUFFER_FIELD_DEVICE_TAG
	BufferFieldSyncMode    = C.HURRAY_BUFFER_FIELD_SYNC_MODE
	BufferFieldMemoryClass = C.HURRAY_BUFFER_FIELD_MEMORY_CLASS
	BufferFieldRole        = C.HURRAY_BUFFER_FIELD_ROLE
	BufferFieldRoleLevel   = C.HURRAY_BUFFER_FIELD_ROLE_LEVEL
)

const (
	HeaderFieldVersionMajor  = C.HURRAY_HEADER_FIELD_VERSION_MAJOR
	HeaderFieldVersionMinor  = C.HURRAY_HEADER_FIELD_VERSION_MINOR
	HeaderFieldFlags         = C.HURRAY_HEADER_FIELD_FLAGS
	HeaderFieldElementType   = C.HURRAY_HEADER_FIELD_ELEMENT_TYPE
	HeaderFieldLayout        = C.HURRAY_HEADER_FIELD_LAYOUT
	HeaderFieldRank          = C.HURRAY_HEADER_FIELD_RANK
	HeaderFieldShape         = C.HURRAY_HEADER_FIELD_SHAPE
	HeaderFieldByteOffset    = C.HURRAY_HEADER_FIELD_BYTE_OFFSET
	HeaderFieldBufferCount   = C.HURRAY_HEADER_FIELD_BUFFER_COUNT
	HeaderFieldEncodedLength = C.HURRAY_HEADER_FIELD_ENCODED_LENGTH
	HeaderFieldElementCount  = C.HURRAY_HEADER_FIELD_ELEMENT_COUNT
)

const (
	OptionPermissive         = C.HURRAY_OPTION_PERMISSIVE
	OptionMaxDescriptorBytes = C.HURRAY_OPTION_MAX_DESCRIPTOR_BYTES
	OptionMaxBufferBytes     = C.HURRAY_OPTION_MAX_BUFFER_BYTES
	OptionMaxTotalBytes      = C.HURRAY_OPTION_MAX_TOTAL_BYTES
	OptionMaxCompositeDepth  = C.HURRAY_OPTION_MAX_COMPOSITE_DEPTH
	OptionMaxMembers         = C.HURRAY_OPTION_MAX_MEMBERS
	OptionMaxAlignment       = C.HURRAY_OPTION_MAX_ALIGNMENT
	OptionMaxMessageBytes    = C.HURRAY_OPTION_MAX_MESSAGE_BYTES
	OptionMaxStreamIds       = C.HURRAY_OPTION_MAX_STREAM_IDS
	OptionCrossMachine       = C.HURRAY_OPTION_CROSS_MACHINE
	OptionMap                = C.HURRAY_OPTION_MAP
	OptionVerify             = C.HURRAY_OPTION_VERIFY
	OptionDataAlignment      = C.HURRAY_OPTION_DATA_ALIGNMENT
	OptionSortedIndex        = C.HURRAY_OPTION_SORTED_INDEX
	OptionIndexCRC           = C.HURRAY_OPTION_INDEX_CRC
	OptionKVMode             = C.HURRAY_OPTION_KV_MODE
	OptionDurable            = C.HURRAY_OPTION_DURABLE
	OptionCompact            = C.HURRAY_OPTION_COMPACT
	OptionThreads            = C.HURRAY_OPTION_THREADS
	OptionRefuseDeviceBytes  = C.HURRAY_OPTION_REFUSE_DEVICE_BYTES
	OptionMaxIndexBytes      = C.HURRAY_OPTION_MAX_INDEX_BYTES
	OptionMaxKVBytes         = C.HURRAY_OPTION_MAX_KV_BYTES
	OptionReadAhead          = C.HURRAY_OPTION_READ_AHEAD
	OptionCopy               = C.HURRAY_OPTION_COPY
	OptionPartialBlocks      = C.HURRAY_OPTION_PARTIAL_BLOCKS
	OptionDuplicates         = C.HURRAY_OPTION_DUPLICATES
	OptionFlat               = C.HURRAY_OPTION_FLAT
)

const (
	BufferReadOnly        = C.HURRAY_BUFFER_READ_ONLY
	BufferHostPointer     = C.HURRAY_BUFFER_HOST_POINTER
	BufferCopiedAlignment = C.HURRAY_BUFFER_COPIED_ALIGNMENT
	BufferCopiedWidth     = C.HURRAY_BUFFER_COPIED_WIDTH
	BufferCopiedPacking   = C.HURRAY_BUFFER_COPIED_PACKING
	BufferCopiedOnRequest = C.HURRAY_BUFFER_COPIED_ON_REQUEST
)

const (
	ItemTensor     = C.HURRAY_ITEM_TENSOR
	ItemComposite  = C.HURRAY_ITEM_COMPOSITE
	ItemDescriptor = C.HURRAY_ITEM_DESCRIPTOR
)

const (
	AdviceNormal     = C.HURRAY_ADVICE_NORMAL
	AdviceSequential = C.HURRAY_ADVICE_SEQUENTIAL
	AdviceRandom     = C.HURRAY_ADVICE_RANDOM
	AdviceWillNeed   = C.HURRAY_ADVICE_WILL_NEED
	AdvicePopulate   = C.HURRAY_ADVICE_POPULATE
)

const (
	StreamBare   = C.HURRAY_STREAM_BARE
	StreamFramed = C.HURRAY_STREAM_FRAMED
)
