package capi

// #include "glue.h"
import "C"

// Entry is an entry of a buffer table, to be written.
type Entry struct {
	ByteSize                      uint64
	Alignment                     uint32
	Device, SyncMode, MemoryClass uint8
}

// tooSmall is an answer, not a failure, where a true length comes with it.
const tooSmall = C.HURRAY_ERR_BUFFER_TOO_SMALL

// DescriptorDecode decodes and reads into words. If they do not do, the number is how many are needed, and
// DescriptorFields reads them.
func DescriptorDecode(bytes []byte, flags uint32, words []uint64) (handle uintptr, count uint64, _ *Failure) {
	call := begin()
	status := C.hg_descriptor_decode(pointerTo[C.uint8_t](bytes), C.size_t(len(bytes)), C.uint32_t(flags),
		pointerTo[C.uint64_t](words), C.size_t(len(words)), call)
	handle, count = uintptr(call.handle), uint64(call.number[0])
	if status == tooSmall && handle != 0 {
		status = 0
	}
	if failure := end(status, call); failure != nil {
		return 0, 0, failure
	}
	return handle, count, nil
}

// DescriptorFields reads everything into words. The number is how many there are, also if they do not fit.
func DescriptorFields(descriptor uintptr, words []uint64) (uint64, *Failure) {
	call := begin()
	return sized(C.hg_descriptor_fields(C.uintptr_t(descriptor), pointerTo[C.uint64_t](words), C.size_t(len(words)),
		call), call)
}

// sized ends a call that fills an array: too little room is an answer, the true length.
func sized(status C.int32_t, call *C.HgCall) (uint64, *Failure) {
	if status == tooSmall {
		status = 0
	}
	return numbered(status, call)
}

// DescriptorFromFields makes a descriptor of words.
func DescriptorFromFields(words []uint64) (uintptr, *Failure) {
	call := begin()
	return handled(C.hg_descriptor_from_fields(pointerTo[C.uint64_t](words), C.size_t(len(words)), call), call)
}

// DescriptorBuild builds a descriptor of a header, fields in the bulk form, and entries of the buffer table.
func DescriptorBuild(kind, layout uint8, shape, words []uint64, entries []Entry, defaults bool) (uintptr, *Failure) {
	call := begin()
	table := make([]C.HgEntry, len(entries))
	for k, entry := range entries {
		table[k] = C.HgEntry{
			byte_size: C.uint64_t(entry.ByteSize), alignment: C.uint32_t(entry.Alignment),
			device: C.uint8_t(entry.Device), sync_mode: C.uint8_t(entry.SyncMode),
			memory_class: C.uint8_t(entry.MemoryClass),
		}
	}
	var withDefaults C.int
	if defaults {
		withDefaults = 1
	}
	return handled(C.hg_descriptor_build(C.uint8_t(kind), C.uint8_t(layout), pointerTo[C.uint64_t](shape),
		C.size_t(len(shape)), pointerTo[C.uint64_t](words), C.size_t(len(words)), pointerTo[C.HgEntry](table),
		C.size_t(len(table)), withDefaults, call), call)
}

// DescriptorEncode writes the bytes; the number is how many there are.
func DescriptorEncode(descriptor uintptr, out []byte) (uint64, *Failure) {
	call := begin()
	return sized(C.hg_descriptor_encode(C.uintptr_t(descriptor), pointerTo[C.uint8_t](out), C.size_t(len(out)), call),
		call)
}

// DescriptorDescribe writes one line for people.
func DescriptorDescribe(descriptor uintptr, out []byte) (uint64, *Failure) {
	call := begin()
	return sized(C.hg_descriptor_describe(C.uintptr_t(descriptor), pointerTo[C.char](out), C.size_t(len(out)), call),
		call)
}

// DescriptorAnnotate writes the bytes as a table for people.
func DescriptorAnnotate(descriptor uintptr, out []byte) (uint64, *Failure) {
	call := begin()
	return sized(C.hg_descriptor_annotate(C.uintptr_t(descriptor), pointerTo[C.char](out), C.size_t(len(out)), call),
		call)
}

// DescriptorDestroy ends a handle.
func DescriptorDestroy(descriptor uintptr) { C.hg_descriptor_destroy(C.uintptr_t(descriptor)) }
