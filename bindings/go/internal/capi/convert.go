package capi

// #include "glue.h"
import "C"

// converted ends a conversion: a tensor, and how many bytes were written.
func converted(status C.int32_t, call *C.HgCall) (tensor uintptr, written uint64, _ *Failure) {
	tensor, written = uintptr(call.handle), uint64(call.number[0])
	if failure := end(status, call); failure != nil {
		return 0, 0, failure
	}
	return tensor, written, nil
}

// TensorToLayout converts to the layout of a target; 0 is row-major.
func TensorToLayout(tensor, target, into uintptr, options Options) (uintptr, uint64, *Failure) {
	call, list, count := beginWith(options)
	return converted(C.hg_tensor_to_layout(C.uintptr_t(tensor), C.uintptr_t(target), C.uintptr_t(into), list, count,
		call), call)
}

// TensorDequantize converts to numbers of a type.
func TensorDequantize(tensor uintptr, kind uint8, into uintptr, options Options) (uintptr, uint64, *Failure) {
	call, list, count := beginWith(options)
	return converted(C.hg_tensor_dequantize(C.uintptr_t(tensor), C.uint8_t(kind), C.uintptr_t(into), list, count,
		call), call)
}

// TensorUnpack converts packed codes to one a byte.
func TensorUnpack(tensor, into uintptr, options Options) (uintptr, uint64, *Failure) {
	call, list, count := beginWith(options)
	return converted(C.hg_tensor_unpack(C.uintptr_t(tensor), C.uintptr_t(into), list, count, call), call)
}

// TensorPack packs one code a byte.
func TensorPack(tensor uintptr, kind uint8, into uintptr, options Options) (uintptr, uint64, *Failure) {
	call, list, count := beginWith(options)
	return converted(C.hg_tensor_pack(C.uintptr_t(tensor), C.uint8_t(kind), C.uintptr_t(into), list, count, call), call)
}

// TensorQuantize makes codes of numbers; nil parameters are computed.
func TensorQuantize(tensor, target uintptr, parameters []uintptr, into uintptr, options Options) (uintptr, uint64,
	*Failure) {
	call, list, count := beginWith(options)
	return converted(C.hg_tensor_quantize(C.uintptr_t(tensor), C.uintptr_t(target), pointerTo[C.uintptr_t](parameters),
		C.size_t(len(parameters)), C.uintptr_t(into), list, count, call), call)
}

// TensorSlice takes part of each axis.
func TensorSlice(tensor uintptr, start, stop, step []int64, options Options) (uintptr, uint64, *Failure) {
	call, list, count := beginWith(options)
	return converted(C.hg_tensor_slice(C.uintptr_t(tensor), pointerTo[C.int64_t](start), pointerTo[C.int64_t](stop),
		pointerTo[C.int64_t](step), C.size_t(len(start)), list, count, call), call)
}

// TensorStatistics gives the tensor's descriptor with statistics in it.
func TensorStatistics(tensor uintptr, options Options) (uintptr, *Failure) {
	call, list, count := beginWith(options)
	return handled(C.hg_tensor_statistics(C.uintptr_t(tensor), list, count, call), call)
}

// TensorGather brings the tokens of pages together.
func TensorGather(tensor uintptr, lengths []uint64, into uintptr, options Options) (uintptr, uint64, *Failure) {
	call, list, count := beginWith(options)
	return converted(C.hg_tensor_gather(C.uintptr_t(tensor), pointerTo[C.uint64_t](lengths), C.size_t(len(lengths)),
		C.uintptr_t(into), list, count, call), call)
}

// TensorScatter writes tokens into pages; the number is how many bytes.
func TensorScatter(tensor, paged uintptr, lengths []uint64, options Options) (uint64, *Failure) {
	call, list, count := beginWith(options)
	return numbered(C.hg_tensor_scatter(C.uintptr_t(tensor), C.uintptr_t(paged), pointerTo[C.uint64_t](lengths),
		C.size_t(len(lengths)), list, count, call), call)
}

// TensorCheckData holds what buffers hold to the format.
func TensorCheckData(tensor uintptr, options Options) *Failure {
	call, list, count := beginWith(options)
	return end(C.hg_tensor_check_data(C.uintptr_t(tensor), list, count, call), call)
}

// ItemAssemble makes one tensor of a composite.
func ItemAssemble(item, into uintptr, options Options) (uintptr, uint64, *Failure) {
	call, list, count := beginWith(options)
	return converted(C.hg_item_assemble(C.uintptr_t(item), C.uintptr_t(into), list, count, call), call)
}

// TensorElementOffset says where an element lies.
func TensorElementOffset(tensor uintptr, index []uint64) (uint64, *Failure) {
	call := begin()
	return numbered(C.hg_tensor_element_offset(C.uintptr_t(tensor), pointerTo[C.uint64_t](index),
		C.size_t(len(index)), call), call)
}

// DescriptorElementOffset says where an element lies, by arithmetic.
func DescriptorElementOffset(descriptor uintptr, index []uint64) (uint64, *Failure) {
	call := begin()
	return numbered(C.hg_descriptor_element_offset(C.uintptr_t(descriptor), pointerTo[C.uint64_t](index),
		C.size_t(len(index)), call), call)
}
