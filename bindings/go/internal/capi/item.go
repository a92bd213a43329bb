package capi

// #include "glue.h"
import "C"

// ItemFromTensor makes an item of a share of a tensor.
func ItemFromTensor(tensor uintptr) (uintptr, *Failure) {
	call := begin()
	return handled(C.hg_item_from_tensor(C.uintptr_t(tensor), call), call)
}

// ItemCompose makes a composite of a head and shares of members.
func ItemCompose(head uintptr, members []uintptr) (uintptr, *Failure) {
	call := begin()
	return handled(C.hg_item_composite(C.uintptr_t(head), pointerTo[C.uintptr_t](members), C.size_t(len(members)),
		call), call)
}

// ItemKind gives the kind and, of a composite, the number of members.
func ItemKind(item uintptr) (kind uint32, members uint64, _ *Failure) {
	call := begin()
	status := C.hg_item_kind(C.uintptr_t(item), call)
	kind, members = uint32(call.number[0]), uint64(call.number[1])
	return kind, members, end(status, call)
}

// ItemShareTensor shares the tensor.
func ItemShareTensor(item uintptr) (uintptr, *Failure) {
	call := begin()
	return handled(C.hg_item_tensor(C.uintptr_t(item), call), call)
}

// ItemHead borrows the head.
func ItemHead(item uintptr) (uintptr, *Failure) {
	call := begin()
	return handled(C.hg_item_head(C.uintptr_t(item), call), call)
}

// ItemData shares the bytes that came with a descriptor alone.
func ItemData(item uintptr) (uintptr, *Failure) {
	call := begin()
	return handled(C.hg_item_data(C.uintptr_t(item), call), call)
}

// ItemMember shares a member.
func ItemMember(item uintptr, index uint64) (uintptr, *Failure) {
	call := begin()
	return handled(C.hg_item_member(C.uintptr_t(item), C.uint64_t(index), call), call)
}

// ItemDestroy ends a handle.
func ItemDestroy(item uintptr) { C.hg_item_destroy(C.uintptr_t(item)) }
