package capi

// #include "glue.h"
import "C"

import "sync"

// View is a dense tensor as an array.
type View struct {
	Data        uintptr
	Shape       []uint64
	ByteStrides []int64
	Flags       uint32
	ElementType uint8
}

var views = sync.Pool{New: func() any { return new(C.HgView) }}

// TensorFromArray wraps an array. The owner is released with the last share; on failure it stays the caller's.
func TensorFromArray(kind uint8, shape []uint64, byteStrides []int64, data uintptr, flags uint32, options Options,
	owner uintptr) (uintptr, *Failure) {
	call, list, count := beginWith(options)
	return handled(C.hg_tensor_from_array(C.uint8_t(kind), pointerTo[C.uint64_t](shape), C.size_t(len(shape)),
		pointerTo[C.int64_t](byteStrides), C.uintptr_t(data), C.uint32_t(flags), list, count, C.uintptr_t(owner),
		call), call)
}

// TensorFromBuffers joins a descriptor and shares of buffers.
func TensorFromBuffers(descriptor uintptr, buffers []uintptr) (uintptr, *Failure) {
	call := begin()
	return handled(C.hg_tensor_from_buffers(C.uintptr_t(descriptor), pointerTo[C.uintptr_t](buffers),
		C.size_t(len(buffers)), call), call)
}

// TensorShare makes another handle.
func TensorShare(tensor uintptr) (uintptr, *Failure) {
	call := begin()
	return handled(C.hg_tensor_share(C.uintptr_t(tensor), call), call)
}

// TensorABIVersion reads the version of a tensor from anywhere.
func TensorABIVersion(tensor uintptr) (uint64, *Failure) {
	call := begin()
	return numbered(C.hg_tensor_abi_version(C.uintptr_t(tensor), call), call)
}

// TensorDescriptor borrows the descriptor.
func TensorDescriptor(tensor uintptr) (uintptr, *Failure) {
	call := begin()
	return handled(C.hg_tensor_descriptor(C.uintptr_t(tensor), call), call)
}

// TensorBufferCount counts the buffers.
func TensorBufferCount(tensor uintptr) (uint64, *Failure) {
	call := begin()
	return numbered(C.hg_tensor_buffer_count(C.uintptr_t(tensor), call), call)
}

// TensorBuffer shares one buffer.
func TensorBuffer(tensor uintptr, index uint64) (uintptr, *Failure) {
	call := begin()
	return handled(C.hg_tensor_buffer(C.uintptr_t(tensor), C.uint64_t(index), call), call)
}

// TensorDescribe writes one line for people.
func TensorDescribe(tensor uintptr, out []byte) (uint64, *Failure) {
	call := begin()
	return sized(C.hg_tensor_describe(C.uintptr_t(tensor), pointerTo[C.char](out), C.size_t(len(out)), call), call)
}

// Dense is what a row-major array is: where, how many elements, of which type, with which flags.
type Dense struct {
	Data        uintptr
	Count       uint64
	Flags       uint32
	ElementType uint8
}

// TensorDense views a dense tensor without its shape and strides. The count is the shape's product, which the library
// has checked to fit.
func TensorDense(tensor uintptr) (Dense, *Failure) {
	call := begin()
	view := views.Get().(*C.HgView)
	status := C.hg_tensor_view(C.uintptr_t(tensor), view, call)
	dense := Dense{
		Data: uintptr(view.data), Count: 1, Flags: uint32(view.flags), ElementType: uint8(view.element_type),
	}
	if status == 0 {
		for _, extent := range view.shape[:view.rank] {
			dense.Count *= uint64(extent)
		}
	}
	views.Put(view)
	return dense, end(status, call)
}

// TensorView views a dense tensor as an array.
func TensorView(tensor uintptr) (View, *Failure) {
	call := begin()
	view := views.Get().(*C.HgView)
	defer views.Put(view)
	status := C.hg_tensor_view(C.uintptr_t(tensor), view, call)
	if failure := end(status, call); failure != nil {
		return View{}, failure
	}
	array := View{
		Data:        uintptr(view.data),
		Shape:       make([]uint64, view.rank),
		ByteStrides: make([]int64, view.rank),
		Flags:       uint32(view.flags),
		ElementType: uint8(view.element_type),
	}
	for k := range array.Shape {
		array.Shape[k] = uint64(view.shape[k])
		array.ByteStrides[k] = int64(view.byte_strides[k])
	}
	if array.Flags&C.HURRAY_VIEW_PACKED != 0 {
		array.ByteStrides = nil
	}
	return array, nil
}

// TensorPart gives one array inside a tensor as a tensor.
func TensorPart(tensor uintptr, role, level uint32) (uintptr, *Failure) {
	call := begin()
	return handled(C.hg_tensor_part(C.uintptr_t(tensor), C.uint32_t(role), C.uint32_t(level), call), call)
}

// TensorDestroy ends a handle.
func TensorDestroy(tensor uintptr) { C.hg_tensor_destroy(C.uintptr_t(tensor)) }
