package capi

// #include "glue.h"
import "C"

// FileOpen opens a file by its path.
func FileOpen(path string, options Options) (uintptr, *Failure) {
	call, list, count := beginWith(options)
	start, length := textOf(path)
	return handled(C.hg_file_open(start, length, list, count, call), call)
}

// FileOpenFD opens a file by a descriptor of the system.
func FileOpenFD(fd int64, options Options) (uintptr, *Failure) {
	call, list, count := beginWith(options)
	return handled(C.hg_file_open_fd(C.int64_t(fd), list, count, call), call)
}

// FileOpenBuffer opens a file whose bytes are in a buffer.
func FileOpenBuffer(buffer uintptr, options Options) (uintptr, *Failure) {
	call, list, count := beginWith(options)
	return handled(C.hg_file_open_buffer(C.uintptr_t(buffer), list, count, call), call)
}

// FileOpenSource opens a file over a Source that is held; on failure it stays held.
func FileOpenSource(source uintptr, size uint64, options Options) (uintptr, *Failure) {
	call, list, count := beginWith(options)
	return handled(C.hg_file_open_callback(C.uintptr_t(source), C.uint64_t(size), list, count, call), call)
}

// found ends a search: no such name is an answer.
func found(status C.int32_t, call *C.HgCall) (uint64, bool, *Failure) {
	if status == C.HURRAY_ERR_NOT_FOUND {
		end(0, call)
		return 0, false, nil
	}
	index, failure := numbered(status, call)
	return index, failure == nil, failure
}

// FileFind finds an entry by its name.
func FileFind(reader uintptr, name string) (uint64, bool, *Failure) {
	call := begin()
	start, length := textOf(name)
	return found(C.hg_file_find(C.uintptr_t(reader), start, length, call), call)
}

// packed reads pieces of bytes and where each ends, with more room until it does.
func packed(read func(*C.uint8_t, C.size_t, *C.uint64_t, C.size_t, *C.HgCall) C.int32_t) ([][]byte, *Failure) {
	var bytes []byte
	var ends []uint64
	for {
		call := begin()
		status := read(pointerTo[C.uint8_t](bytes), C.size_t(len(bytes)), pointerTo[C.uint64_t](ends),
			C.size_t(len(ends)), call)
		size, count := uint64(call.number[0]), uint64(call.number[1])
		if status == tooSmall {
			end(0, call)
			bytes, ends = make([]byte, size), make([]uint64, count)
			continue
		}
		if failure := end(status, call); failure != nil {
			return nil, failure
		}
		pieces := make([][]byte, count)
		start := uint64(0)
		for k, stop := range ends[:count] {
			pieces[k] = bytes[start:stop:stop]
			start = stop
		}
		return pieces, nil
	}
}

// FileNames gives all names in the order of the index.
func FileNames(reader uintptr) ([][]byte, *Failure) {
	return packed(func(b *C.uint8_t, room C.size_t, ends *C.uint64_t, count C.size_t, call *C.HgCall) C.int32_t {
		return C.hg_file_names(C.uintptr_t(reader), b, room, ends, count, call)
	})
}

// FileDescriptor borrows the descriptor of an entry.
func FileDescriptor(reader uintptr, index uint64) (uintptr, *Failure) {
	call := begin()
	return handled(C.hg_file_descriptor(C.uintptr_t(reader), C.uint64_t(index), call), call)
}

// FileTensor makes the tensor of an entry.
func FileTensor(reader uintptr, index uint64) (uintptr, *Failure) {
	call := begin()
	return handled(C.hg_file_tensor(C.uintptr_t(reader), C.uint64_t(index), call), call)
}

// FileRange says where an entry's data is.
func FileRange(reader uintptr, index uint64) (offset, length uint64, _ *Failure) {
	call := begin()
	status := C.hg_file_range(C.uintptr_t(reader), C.uint64_t(index), call)
	offset, length = uint64(call.number[0]), uint64(call.number[1])
	return offset, length, end(status, call)
}

// FileRead reads part of one buffer of an entry.
func FileRead(reader uintptr, index, buffer, offset uint64, out []byte) *Failure {
	call := begin()
	return end(C.hg_file_read(C.uintptr_t(reader), C.uint64_t(index), C.uint64_t(buffer), C.uint64_t(offset),
		pointerTo[C.uint8_t](out), C.size_t(len(out)), call), call)
}

// FileItems fills in the entries of the top-level items; the number is how many there are.
func FileItems(reader uintptr, entries []uint64) (uint64, *Failure) {
	call := begin()
	return numbered(C.hg_file_items(C.uintptr_t(reader), pointerTo[C.uint64_t](entries), C.uint64_t(len(entries)),
		call), call)
}

// FileItem makes the item of an entry.
func FileItem(reader uintptr, index uint64) (uintptr, *Failure) {
	call := begin()
	return handled(C.hg_file_item(C.uintptr_t(reader), C.uint64_t(index), call), call)
}

// FileAdvise says how an entry's data is going to be read.
func FileAdvise(reader uintptr, index uint64, advice uint32) *Failure {
	call := begin()
	return end(C.hg_file_advise(C.uintptr_t(reader), C.uint64_t(index), C.uint32_t(advice), call), call)
}

// FileDestroy ends a reader.
func FileDestroy(reader uintptr) { C.hg_file_destroy(C.uintptr_t(reader)) }
