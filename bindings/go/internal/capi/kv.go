package capi

// #include "glue.h"
import "C"

// KVCount counts the pairs.
func KVCount(reader uintptr) (uint64, *Failure) {
	call := begin()
	return numbered(C.hg_file_kv_count(C.uintptr_t(reader), call), call)
}

// KVKey reads a key; the number is its length.
func KVKey(reader uintptr, i uint64, out []byte) (uint64, *Failure) {
	call := begin()
	return sized(C.hg_file_kv_key(C.uintptr_t(reader), C.uint64_t(i), pointerTo[C.char](out), C.size_t(len(out)),
		call), call)
}

// KVFind finds a key.
func KVFind(reader uintptr, key string) (uint64, bool, *Failure) {
	call := begin()
	start, length := textOf(key)
	return found(C.hg_file_kv_find(C.uintptr_t(reader), start, length, call), call)
}

// KVType gives the type, whether the value is an array, and the number of elements.
func KVType(reader uintptr, i uint64) (kind uint8, isArray bool, count uint64, _ *Failure) {
	call := begin()
	status := C.hg_file_kv_type(C.uintptr_t(reader), C.uint64_t(i), call)
	kind, isArray, count = uint8(call.number[0]), call.number[1] != 0, uint64(call.number[2])
	return kind, isArray, count, end(status, call)
}

// KVReadUint64 reads values of type uint64 or bool.
func KVReadUint64(reader uintptr, i uint64, out []uint64) *Failure {
	call := begin()
	return end(C.hg_file_kv_u64(C.uintptr_t(reader), C.uint64_t(i), pointerTo[C.uint64_t](out), C.size_t(len(out)),
		call), call)
}

// KVReadInt64 reads values of type int64.
func KVReadInt64(reader uintptr, i uint64, out []int64) *Failure {
	call := begin()
	return end(C.hg_file_kv_i64(C.uintptr_t(reader), C.uint64_t(i), pointerTo[C.int64_t](out), C.size_t(len(out)),
		call), call)
}

// KVReadFloat64 reads values of type float64.
func KVReadFloat64(reader uintptr, i uint64, out []float64) *Failure {
	call := begin()
	return end(C.hg_file_kv_f64(C.uintptr_t(reader), C.uint64_t(i), pointerTo[C.double](out), C.size_t(len(out)),
		call), call)
}

// KVReadPacked reads values of type string or bytes.
func KVReadPacked(reader uintptr, i uint64) ([][]byte, *Failure) {
	return packed(func(b *C.uint8_t, room C.size_t, ends *C.uint64_t, count C.size_t, call *C.HgCall) C.int32_t {
		return C.hg_file_kv_packed(C.uintptr_t(reader), C.uint64_t(i), b, room, ends, count, call)
	})
}

func flag(value bool) C.uint8_t {
	if value {
		return 1
	}
	return 0
}

// KVSetUint64 sets values of type uint64 or bool.
func KVSetUint64(writer uintptr, key string, kind uint8, isArray bool, values []uint64) *Failure {
	call := begin()
	start, length := textOf(key)
	return end(C.hg_writer_kv_u64(C.uintptr_t(writer), start, length, C.uint8_t(kind), flag(isArray),
		pointerTo[C.uint64_t](values), C.size_t(len(values)), call), call)
}

// KVSetInt64 sets values of type int64.
func KVSetInt64(writer uintptr, key string, kind uint8, isArray bool, values []int64) *Failure {
	call := begin()
	start, length := textOf(key)
	return end(C.hg_writer_kv_i64(C.uintptr_t(writer), start, length, C.uint8_t(kind), flag(isArray),
		pointerTo[C.int64_t](values), C.size_t(len(values)), call), call)
}

// KVSetFloat64 sets values of type float64.
func KVSetFloat64(writer uintptr, key string, kind uint8, isArray bool, values []float64) *Failure {
	call := begin()
	start, length := textOf(key)
	return end(C.hg_writer_kv_f64(C.uintptr_t(writer), start, length, C.uint8_t(kind), flag(isArray),
		pointerTo[C.double](values), C.size_t(len(values)), call), call)
}

// KVSetPacked sets values of type string or bytes: one after the other, and where each ends.
func KVSetPacked(writer uintptr, key string, kind uint8, isArray bool, bytes []byte, ends []uint64) *Failure {
	call := begin()
	start, length := textOf(key)
	return end(C.hg_writer_kv_packed(C.uintptr_t(writer), start, length, C.uint8_t(kind), flag(isArray),
		pointerTo[C.uint8_t](bytes), C.size_t(len(bytes)), pointerTo[C.uint64_t](ends), C.size_t(len(ends)), call),
		call)
}
