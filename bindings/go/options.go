package hurray

import (
	"context"

	"github.com/hurray-format/hurray-go/internal/capi"
)

// OptionID is a numbered option of a call or of something that opens.
type OptionID uint32

// The options, with their default values.
const (
	OptionPermissive         OptionID = capi.OptionPermissive         // 1 keeps what is not understood. 0.
	OptionMaxDescriptorBytes OptionID = capi.OptionMaxDescriptorBytes // Longest descriptor, in bytes. 16 MiB.
	OptionMaxBufferBytes     OptionID = capi.OptionMaxBufferBytes     // Largest buffer, in bytes. No limit.
	OptionMaxTotalBytes      OptionID = capi.OptionMaxTotalBytes      // Largest sum of an item's buffers. No limit.
	OptionMaxCompositeDepth  OptionID = capi.OptionMaxCompositeDepth  // Deepest nesting of composites. 8.
	OptionMaxMembers         OptionID = capi.OptionMaxMembers         // Most members of one composite. 2^20.
	OptionMaxAlignment       OptionID = capi.OptionMaxAlignment       // Largest alignment, in bytes. 2 MiB.
	OptionMaxMessageBytes    OptionID = capi.OptionMaxMessageBytes    // Longest message of a framed stream, in bytes.
	OptionMaxStreamIDs       OptionID = capi.OptionMaxStreamIds       // Most stream ids at once in a framed stream. 64.
	OptionCrossMachine       OptionID = capi.OptionCrossMachine       // 1 refuses sync modes but producer-synced. 0.
	OptionMap                OptionID = capi.OptionMap                // How a file is opened: see MapReadOnly.
	OptionVerify             OptionID = capi.OptionVerify             // 1 also checks padding and index buffers. 0.
	OptionDataAlignment      OptionID = capi.OptionDataAlignment      // Alignment of data in a file, in bytes. 4096.
	OptionSortedIndex        OptionID = capi.OptionSortedIndex        // 1 writes a file's index in order of names. 0.
	OptionIndexCRC           OptionID = capi.OptionIndexCRC           // 1 writes a checksum of a file's index. 1.
	OptionKVMode             OptionID = capi.OptionKVMode             // When a file has a key-value section. 0.
	OptionDurable            OptionID = capi.OptionDurable            // 1 syncs a file before it takes its name. 1.
	OptionCompact            OptionID = capi.OptionCompact            // 1 writes only bytes that elements reach. 0.
	OptionThreads            OptionID = capi.OptionThreads            // Threads of a conversion; 0: as many as help. 1.
	OptionRefuseDeviceBytes  OptionID = capi.OptionRefuseDeviceBytes  // 1 refuses stored bytes of another device. 0.
	OptionMaxIndexBytes      OptionID = capi.OptionMaxIndexBytes      // Longest index of a file, in bytes. 256 MiB.
	OptionMaxKVBytes         OptionID = capi.OptionMaxKVBytes         // Longest key-value section, in bytes. 64 MiB.
	OptionReadAhead          OptionID = capi.OptionReadAhead          // Bytes to read past a stream's item. 0.
	OptionCopy               OptionID = capi.OptionCopy               // See CopyIfNeeded and its like.
	OptionPartialBlocks      OptionID = capi.OptionPartialBlocks      // 1 writes disputed partial blocks. 0.
	OptionDuplicates         OptionID = capi.OptionDuplicates         // Entries stored twice: see DuplicatesRefuse.
	OptionFlat               OptionID = capi.OptionFlat               // 1 gives the parts of a composite one by one. 0.
)

// Option is an option and its value, or what [WithContext] or [WithProgress] gives.
type Option struct {
	ID    OptionID
	Value uint64

	context  context.Context
	progress *Progress
}

// Set is the option with a value: hurray.OptionVerify.Set(1).
func (id OptionID) Set(value uint64) Option { return Option{ID: id, Value: value} }

// How a file is opened.
var (
	MapReadOnly    = OptionMap.Set(0) // Mapped; the tensors are read-only, so no slice can be had of them in place.
	MapCopyOnWrite = OptionMap.Set(1) // Mapped; writes stay in this process. What this package does unless told.
	MapNothing     = OptionMap.Set(2) // Each tensor is read into memory of its own: for files that others may change.
)

// What becomes of coordinates that a sparse tensor stores twice.
var (
	DuplicatesRefuse = OptionDuplicates.Set(0) // ErrInvalidLayout. The default.
	DuplicatesKeep   = OptionDuplicates.Set(1)
	DuplicatesAdd    = OptionDuplicates.Set(2)
)

// Whether something may be copied.
var (
	CopyIfNeeded = OptionCopy.Set(0) // The default.
	CopyNever    = OptionCopy.Set(1) // ErrCopyRequired where a copy would be needed.
	CopyAlways   = OptionCopy.Set(2)
)
