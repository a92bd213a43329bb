package capi

// #include "glue.h"
import "C"

// WriterCreate starts a file that takes its name when it is finished.
func WriterCreate(path string, options Options) (uintptr, *Failure) {
	call, list, count := beginWith(options)
	start, length := textOf(path)
	return handled(C.hg_writer_create(start, length, list, count, call), call)
}

// WriterToSink starts a file over a Sink that is held; on failure it stays held.
func WriterToSink(sink uintptr, options Options) (uintptr, *Failure) {
	call, list, count := beginWith(options)
	return handled(C.hg_writer_to_callback(C.uintptr_t(sink), list, count, call), call)
}

// WriterPut writes an item under a name.
func WriterPut(writer uintptr, name string, item uintptr) *Failure {
	call := begin()
	start, length := textOf(name)
	return end(C.hg_writer_put(C.uintptr_t(writer), start, length, C.uintptr_t(item), call), call)
}

// WriterPutTensor writes a tensor under a name.
func WriterPutTensor(writer uintptr, name string, tensor uintptr) *Failure {
	call := begin()
	start, length := textOf(name)
	return end(C.hg_writer_put_tensor(C.uintptr_t(writer), start, length, C.uintptr_t(tensor), call), call)
}

// WriterFinish writes what comes after the last tensor.
func WriterFinish(writer uintptr) *Failure {
	call := begin()
	return end(C.hg_writer_finish(C.uintptr_t(writer), call), call)
}

// WriterDestroy ends a writer.
func WriterDestroy(writer uintptr) { C.hg_writer_destroy(C.uintptr_t(writer)) }
