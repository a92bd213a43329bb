package capi

// #include "glue.h"
import "C"

// Buffer is what a buffer is and holds.
type Buffer struct {
	Data                          uintptr
	ByteSize                      uint64
	Alignment, Flags, Lead        uint32
	DeviceID                      int32
	Device, SyncMode, MemoryClass uint8
	IsHost                        bool
}

// BufferFromMemory wraps memory. The owner is released with the last share; on failure it stays the caller's.
func BufferFromMemory(data uintptr, size uint64, alignment, flags uint32, owner uintptr) (uintptr, *Failure) {
	call := begin()
	return handled(C.hg_buffer_from_memory(C.uintptr_t(data), C.uint64_t(size), C.uint32_t(alignment),
		C.uint32_t(flags), C.uintptr_t(owner), call), call)
}

// BufferAlloc makes zeroed memory of the library's own.
func BufferAlloc(size uint64, alignment uint32) (uintptr, *Failure) {
	call := begin()
	return handled(C.hg_buffer_alloc(C.uint64_t(size), C.uint32_t(alignment), call), call)
}

// BufferShare makes another handle.
func BufferShare(buffer uintptr) (uintptr, *Failure) {
	call := begin()
	return handled(C.hg_buffer_share(C.uintptr_t(buffer), call), call)
}

// BufferInfo reads everything of a buffer.
func BufferInfo(buffer uintptr) (Buffer, *Failure) {
	call := begin()
	var info C.HgBuffer
	status := C.hg_buffer_info(C.uintptr_t(buffer), &info, call)
	return Buffer{
		Data: uintptr(info.data), ByteSize: uint64(info.byte_size), Alignment: uint32(info.alignment),
		Flags: uint32(info.flags), Lead: uint32(info.lead), DeviceID: int32(info.device_id),
		Device: uint8(info.device), SyncMode: uint8(info.sync_mode), MemoryClass: uint8(info.memory_class),
		IsHost: info.is_host != 0,
	}, end(status, call)
}

// BufferDestroy ends a handle.
func BufferDestroy(buffer uintptr) { C.hg_buffer_destroy(C.uintptr_t(buffer)) }
