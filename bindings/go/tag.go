package hurray

import (
	"fmt"
	"sync"

	"github.com/hurray-format/hurray-go/internal/capi"
)

// Values of these types that have no name here are private ones, or unknown.
type (
	// LayoutTag says which layout a tensor has; [Layout] has its fields too.
	LayoutTag uint8
	// SchemeTag says which quantization scheme a tensor has; [Quantization] has its fields too.
	SchemeTag uint8
	// Device is where memory is.
	Device uint8
	// MemoryClass says who can reach memory.
	MemoryClass uint8
	// SyncMode says how a producer ordered its writes.
	SyncMode uint8
	// CompositionRule says how the members of a composite make the whole.
	CompositionRule uint8
	// CombineOp says what a correction does.
	CombineOp uint8
	// MemberRole says what a member of an overlay is.
	MemberRole uint8
	// KVRole says what a block-paged pool holds.
	KVRole uint8
	// Role says what a buffer, or a part of a tensor, holds.
	Role uint8
)

const (
	TagRowMajor    LayoutTag = capi.LayoutRowMajor
	TagColumnMajor LayoutTag = capi.LayoutColumnMajor
	TagStrided     LayoutTag = capi.LayoutStrided
	TagTiled       LayoutTag = capi.LayoutTiled
	TagMorton      LayoutTag = capi.LayoutMorton
	TagCOO         LayoutTag = capi.LayoutCOO
	TagCSR         LayoutTag = capi.LayoutCSR
	TagCSC         LayoutTag = capi.LayoutCSC
	TagCSF         LayoutTag = capi.LayoutCSF
	TagBlockPaged  LayoutTag = capi.LayoutBlockPaged
	TagComposite   LayoutTag = capi.LayoutComposite
	TagHilbert     LayoutTag = capi.LayoutHilbert
)

const (
	TagPerTensorAffine  SchemeTag = capi.SchemePerTensorAffine
	TagPerChannelAffine SchemeTag = capi.SchemePerChannelAffine
	TagPerBlockAffine   SchemeTag = capi.SchemePerBlockAffine
	TagNF4              SchemeTag = capi.SchemeNF4
	TagMXFP             SchemeTag = capi.SchemeMXFP
)

const (
	DeviceCPU       Device = capi.DeviceCPU
	DeviceCUDA      Device = capi.DeviceCUDA
	DeviceROCm      Device = capi.DeviceRocm
	DeviceMetal     Device = capi.DeviceMetal
	DeviceVulkan    Device = capi.DeviceVulkan
	DeviceWebGPU    Device = capi.DeviceWebgpu
	DeviceHexagon   Device = capi.DeviceHexagon
	DeviceLevelZero Device = capi.DeviceLevelZero
	DeviceOpenCL    Device = capi.DeviceOpencl
)

const (
	MemoryStandard   MemoryClass = capi.MemoryStandard
	MemoryHostPinned MemoryClass = capi.MemoryHostPinned
	MemoryUnified    MemoryClass = capi.MemoryUnified
	MemoryPeer       MemoryClass = capi.MemoryPeer
)

const (
	SyncProducerSynced SyncMode = capi.SyncProducerSynced
	SyncEvent          SyncMode = capi.SyncEvent
	SyncConsumerStream SyncMode = capi.SyncConsumerStream
)

const (
	RulePartition CompositionRule = capi.RulePartition
	RuleOverlay   CompositionRule = capi.RuleOverlay
	RuleGroup     CompositionRule = capi.RuleGroup
)

const (
	OpNone    CombineOp = capi.OpNone
	OpReplace CombineOp = capi.OpReplace
	OpAdd     CombineOp = capi.OpAdd
)

const (
	MemberCorrection MemberRole = capi.MemberCorrection
	MemberBase       MemberRole = capi.MemberBase
)

const (
	KVRoleKey   KVRole = capi.KVRoleKey
	KVRoleValue KVRole = capi.KVRoleValue
	KVRoleFused KVRole = capi.KVRoleFused
)

const (
	RoleUnknown    Role = capi.RoleUnknown
	RoleValues     Role = capi.RoleValues
	RoleIndices    Role = capi.RoleIndices
	RolePointers   Role = capi.RolePointers
	RoleCSFPos     Role = capi.RoleCSFPos
	RoleCSFCrd     Role = capi.RoleCSFCrd
	RoleBlockTable Role = capi.RoleBlockTable
	RoleSeqPtr     Role = capi.RoleSeqPtr
	RoleScales     Role = capi.RoleScales
	RoleZeroPoints Role = capi.RoleZeroPoints
)

var tagNames sync.Map // of space << 32 | tag to its name

// tagName is the library's name of a tag, asked for once.
func tagName(space, tag uint32, noun string) string {
	key := uint64(space)<<32 | uint64(tag)
	if name, ok := tagNames.Load(key); ok {
		return name.(string)
	}
	if library() == nil {
		if name, ok := capi.TagName(space, tag); ok {
			tagNames.Store(key, name)
			return name
		}
	}
	return fmt.Sprintf("%s 0x%02x", noun, tag)
}

func (t LayoutTag) String() string { return tagName(capi.SpaceLayout, uint32(t), "layout") }
func (t SchemeTag) String() string { return tagName(capi.SpaceScheme, uint32(t), "scheme") }
func (d Device) String() string    { return tagName(capi.SpaceDevice, uint32(d), "device") }
func (c MemoryClass) String() string {
	return tagName(capi.SpaceMemoryClass, uint32(c), "memory class")
}
func (m SyncMode) String() string { return tagName(capi.SpaceSyncMode, uint32(m), "sync mode") }
func (r CompositionRule) String() string {
	return tagName(capi.SpaceCompositionRule, uint32(r), "composition rule")
}
func (o CombineOp) String() string  { return tagName(capi.SpaceCombineOp, uint32(o), "combine op") }
func (r MemberRole) String() string { return tagName(capi.SpaceMemberRole, uint32(r), "member role") }
func (r KVRole) String() string     { return tagName(capi.SpaceKVRole, uint32(r), "role") }
func (r Role) String() string       { return tagName(capi.SpaceBufferRole, uint32(r), "buffer role") }
