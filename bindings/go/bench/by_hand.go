package main

/*
#cgo pkg-config: hurray
#include <hurray.h>

void goRelease(void *owner);

static HurrayStatus from_array(const uint64_t *shape, size_t rank, void *data, uintptr_t owner, HurrayTensor **out) {
    return hurray_tensor_from_array(HURRAY_TYPE_FLOAT32, shape, rank, NULL, data, HURRAY_DEVICE_CPU,
                                    HURRAY_MEMORY_STANDARD, 0, 0, NULL, (void *)owner, goRelease, out);
}
*/
import "C"

import (
	"runtime"
	"runtime/cgo"
	"unsafe"
)

//export goRelease
func goRelease(owner unsafe.Pointer) {
	handle := cgo.Handle(uintptr(owner))
	handle.Value().(*runtime.Pinner).Unpin()
	handle.Delete()
}

// exchangeByHand makes a tensor of a slice, hands a share of it on, and ends both.
func exchangeByHand(data []float32, shape []uint64) {
	pinner := new(runtime.Pinner)
	pinner.Pin(&data[0])
	var tensor, share *C.HurrayTensor
	status := C.from_array((*C.uint64_t)(&shape[0]), C.size_t(len(shape)), unsafe.Pointer(&data[0]),
		C.uintptr_t(cgo.NewHandle(pinner)), &tensor)
	if status == 0 {
		status = C.hurray_tensor_share(tensor, &share)
	}
	C.hurray_tensor_destroy(&tensor)
	var version C.uint32_t
	if status == 0 {
		status = C.hurray_tensor_abi_version(share, &version)
	}
	if status != 0 || version != C.HURRAY_C_ABI_VERSION {
		panic("the exchange by hand failed")
	}
	C.hurray_tensor_destroy(&share)
}

// What C writes to, kept: it would be allocated anew for each call.
var view struct {
	data       unsafe.Pointer
	shape      [64]C.uint64_t
	strides    [64]C.int64_t
	rank       C.size_t
	flags      C.uint32_t
	descriptor *C.HurrayDescriptor
	kind       C.uint8_t
}

// viewByHand is a tensor's elements as a slice, with the checks that make it safe.
func viewByHand(handle unsafe.Pointer) []float32 {
	tensor := (*C.HurrayTensor)(handle)
	view.rank = 64
	status := C.hurray_tensor_array_view(tensor, &view.data, &view.shape[0], &view.strides[0], &view.rank, &view.flags)
	if status == 0 {
		status = C.hurray_tensor_descriptor(tensor, &view.descriptor)
	}
	if status == 0 {
		status = C.hurray_descriptor_element_type_tag(view.descriptor, &view.kind)
	}
	bad := C.uint32_t(C.HURRAY_VIEW_READ_ONLY | C.HURRAY_VIEW_MISALIGNED)
	if status != 0 || view.kind != C.HURRAY_TYPE_FLOAT32 || view.flags&bad != 0 ||
		view.flags&C.HURRAY_VIEW_ROW_MAJOR == 0 {
		panic("the view by hand failed")
	}
	count := C.uint64_t(1)
	for _, extent := range view.shape[:view.rank] {
		count *= extent
	}
	return unsafe.Slice((*float32)(view.data), int(count))
}
