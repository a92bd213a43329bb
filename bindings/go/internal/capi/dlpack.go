package capi

// #include "glue.h"
import "C"

// TensorToDLPack gives a tensor as a DLPack struct, versioned or not.
func TensorToDLPack(tensor uintptr, versioned bool, options Options) (uintptr, *Failure) {
	call, list, count := beginWith(options)
	return handled(C.hg_tensor_to_dlpack(C.uintptr_t(tensor), C.int(flag(versioned)), list, count, call), call)
}

// TensorFromDLPack takes a DLPack struct in, versioned or not.
func TensorFromDLPack(managed uintptr, versioned bool, options Options) (uintptr, *Failure) {
	call, list, count := beginWith(options)
	return handled(C.hg_tensor_from_dlpack(C.uintptr_t(managed), C.int(flag(versioned)), list, count, call), call)
}

// TensorDLPackDevice tells the device that an export would carry.
func TensorDLPackDevice(tensor uintptr) (kind, id int32, _ *Failure) {
	call := begin()
	status := C.hg_tensor_dlpack_device(C.uintptr_t(tensor), call)
	kind, id = int32(call.number[0]), int32(call.number[1])
	return kind, id, end(status, call)
}
