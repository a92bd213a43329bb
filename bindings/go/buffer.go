package hurray

import (
	"fmt"
	"math"
	"unsafe"

	"github.com/hurray-format/hurray-go/internal/capi"
)

// Flags of a buffer.
const (
	BufferReadOnly        = capi.BufferReadOnly        // The memory must not be written to.
	BufferHostPointer     = capi.BufferHostPointer     // The host may read it, whatever the device says.
	BufferCopiedAlignment = capi.BufferCopiedAlignment // Copied: the source was not aligned.
	BufferCopiedWidth     = capi.BufferCopiedWidth     // Copied: the source's index width or base differs.
	BufferCopiedPacking   = capi.BufferCopiedPacking   // Copied: the source packs its elements otherwise.
	BufferCopiedOnRequest = capi.BufferCopiedOnRequest // Copied: the caller asked for it.
)

// Buffer is a piece of memory with what keeps it alive. Its memory goes with the last share: a tensor made of a buffer
// keeps one.
type Buffer struct {
	handle *handle
	info   capi.Buffer
}

func newBuffer(raw uintptr) (*Buffer, error) {
	info, failure := capi.BufferInfo(raw)
	if failure != nil {
		capi.BufferDestroy(raw)
		return nil, failed(failure)
	}
	b := &Buffer{handle: newHandle(raw, "buffer", capi.BufferDestroy), info: info}
	closeWith(b, b.handle)
	return b, nil
}

// NewBuffer makes zeroed memory of the library's own, aligned to 64 bytes or to `alignment`, whichever is more.
func NewBuffer(byteSize uint64, alignment uint32) (*Buffer, error) {
	if err := library(); err != nil {
		return nil, err
	}
	raw, failure := capi.BufferAlloc(byteSize, alignment)
	if failure != nil {
		return nil, failed(failure)
	}
	return newBuffer(raw)
}

// BufferOf wraps a slice in place, which stays pinned until the last share goes. A slice that does not begin at a
// multiple of 64 bytes is refused with ErrBufferMismatch: [BufferCopyOf] copies it.
func BufferOf[T Element](data []T) (*Buffer, error) {
	if err := library(); err != nil {
		return nil, err
	}
	memory := unsafe.Pointer(unsafe.SliceData(data))
	size := uint64(len(data)) * uint64(sizeOf[T]())
	if size == 0 {
		return NewBuffer(0, 64)
	}
	held := hold(memory, nil)
	raw, failure := capi.BufferFromMemory(uintptr(memory), size, 64, 0, held)
	if failure != nil {
		capi.Forget(held)
		err := errorOf(failure)
		if err.Status == ErrBufferMismatch {
			err.Text += "; BufferCopyOf copies it"
		}
		return nil, err
	}
	return newBuffer(raw)
}

// BufferCopyOf copies a slice into memory of the library's own.
func BufferCopyOf[T Element](data []T) (*Buffer, error) {
	b, err := NewBuffer(uint64(len(data))*uint64(sizeOf[T]()), 64)
	if err != nil || len(data) == 0 {
		return b, err
	}
	room := unsafe.Slice((*T)(capi.Address(b.info.Data)), len(data))
	copy(room, data)
	return b, nil
}

// Close ends this share of the memory.
func (b *Buffer) Close() error {
	b.handle.close()
	return nil
}

// ByteSize is the size, lead included.
func (b *Buffer) ByteSize() uint64 { return b.info.ByteSize }

// Alignment is what the address is a multiple of, in bytes.
func (b *Buffer) Alignment() uint32 { return b.info.Alignment }

// Flags are the Buffer... bits.
func (b *Buffer) Flags() uint32 { return b.info.Flags }

// Lead is how many bytes at the start are not the owner's: the buffer begins at the owner's address rounded down.
func (b *Buffer) Lead() uint32 { return b.info.Lead }

// Device is where the memory is, and which of several devices holds it.
func (b *Buffer) Device() (Device, int32) { return Device(b.info.Device), b.info.DeviceID }

// SyncMode says how the producer ordered its writes.
func (b *Buffer) SyncMode() SyncMode { return SyncMode(b.info.SyncMode) }

// MemoryClass says who can reach the memory.
func (b *Buffer) MemoryClass() MemoryClass { return MemoryClass(b.info.MemoryClass) }

// Pointer is the address behind the lead, also where only a device may follow it.
func (b *Buffer) Pointer() unsafe.Pointer { return capi.Address(b.info.Data + uintptr(b.info.Lead)) }

// Bytes is the memory itself, from behind the lead. It may be used until the buffer is closed, and while it is
// reachable. ErrCopyRequired for read-only memory, which Go cannot protect: [Buffer.CopyBytes] copies. ErrUnsupported
// for memory of a device.
func (b *Buffer) Bytes() ([]byte, error) {
	if b.info.Flags&BufferReadOnly != 0 {
		return nil, refuse(ErrCopyRequired, "the memory is read-only, and a Go slice is not: copy it with CopyBytes")
	}
	if _, err := b.handle.enter(); err != nil {
		return nil, err
	}
	defer b.handle.leave()
	return b.bytes()
}

// CopyBytes copies the memory.
func (b *Buffer) CopyBytes() ([]byte, error) {
	if _, err := b.handle.enter(); err != nil {
		return nil, err
	}
	defer b.handle.leave()
	bytes, err := b.bytes()
	return append([]byte{}, bytes...), err
}

func (b *Buffer) bytes() ([]byte, error) {
	if !b.info.IsHost {
		return nil, refuse(ErrUnsupported, "the memory is on the device %v", Device(b.info.Device))
	}
	size := b.info.ByteSize - uint64(b.info.Lead)
	if size > math.MaxInt {
		return nil, refuse(ErrOverflow, "%d bytes are more than a slice can have here", size)
	}
	if size == 0 {
		return []byte{}, nil
	}
	// A Go pointer to the lead would be one into memory of somebody else, to the collector too.
	return unsafe.Slice((*byte)(b.Pointer()), int(size)), nil
}

// String says size, alignment and device.
func (b *Buffer) String() string {
	return fmt.Sprintf("%d bytes aligned to %d on %v", b.info.ByteSize, b.info.Alignment, Device(b.info.Device))
}
