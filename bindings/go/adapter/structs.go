package main

/*
#include <stdlib.h>
#include "../../../hurray-ffi/tests/c/dlpack.h"

static void end_versioned(struct DLManagedTensorVersioned *managed) { managed->deleter(managed); }
static void end_plain(struct DLManagedTensor *managed) { managed->deleter(managed); }

static uint32_t deleted;
static void count_versioned(struct DLManagedTensorVersioned *managed) { deleted += managed != NULL; }
static void count_plain(struct DLManagedTensor *managed) { deleted += managed != NULL; }

static struct DLManagedTensorVersioned new_versioned(void) {
    deleted = 0;
    return (struct DLManagedTensorVersioned){.deleter = count_versioned};
}
static struct DLManagedTensor new_plain(void) {
    deleted = 0;
    return (struct DLManagedTensor){.deleter = count_plain};
}
static uint32_t times_deleted(void) { return deleted; }
*/
import "C"

import (
	"unsafe"

	hurray "github.com/hurray-format/hurray-go"
)

type structIn struct {
	Version    []uint32
	Flags      *wide
	DeviceType int32 `json:"device_type"`
	DeviceID   int32 `json:"device_id"`
	Code       uint8
	Bits       uint8
	Lanes      uint16
	Shape      []signed
	Strides    []signed
	ByteOffset wide `json:"byte_offset"`
}

func exportStruct(asked *request) (answer, error) {
	before, err := hurray.LiveHandles()
	if err != nil {
		return nil, err
	}
	out, err := exported(asked)
	if err != nil {
		return nil, err
	}
	after, err := hurray.LiveHandles()
	out["live"] = int64(after - before)
	return out, err
}

func exported(asked *request) (answer, error) {
	item, err := asked.Item.make()
	if err != nil {
		return nil, err
	}
	tensor, err := item.Tensor()
	item.Close()
	if err != nil {
		return nil, err
	}
	var address unsafe.Pointer
	if asked.Versioned {
		address, err = tensor.ToDLPack()
	} else {
		address, err = tensor.ToDLPackUnversioned()
	}
	tensor.Close() // the struct alone keeps it
	if err != nil {
		return nil, err
	}
	if !asked.Versioned {
		managed := (*C.struct_DLManagedTensor)(address)
		defer C.end_plain(managed)
		return answer{"struct": structOut(&managed.tensor), "values": hex(valuesOf(&managed.tensor))}, nil
	}
	managed := (*C.struct_DLManagedTensorVersioned)(address)
	defer C.end_versioned(managed)
	told := structOut(&managed.tensor)
	told["version"] = []uint32{uint32(managed.major), uint32(managed.minor)}
	told["flags"] = wide(managed.flags)
	return answer{"struct": told, "values": hex(valuesOf(&managed.tensor))}, nil
}

func structOut(array *C.DlpackTensor) answer {
	out := answer{
		"device_type": int32(array.device_type), "device_id": int32(array.device_id), "code": uint8(array.code),
		"bits": uint8(array.bits), "lanes": uint16(array.lanes), "byte_offset": wide(array.byte_offset),
		"shape": dimensions(array.shape, array.ndim),
	}
	if array.strides != nil {
		out["strides"] = dimensions(array.strides, array.ndim)
	}
	return out
}

func dimensions(start *C.int64_t, count C.int32_t) []signed {
	return as(unsafe.Slice(start, int(count)), func(v C.int64_t) signed { return signed(v) })
}

// valuesOf reads the elements in row-major order; those narrower than a byte are packed, and contiguous.
func valuesOf(array *C.DlpackTensor) []byte {
	shape, strides := unsafe.Slice(array.shape, int(array.ndim)), unsafe.Slice(array.strides, int(array.ndim))
	count := 1
	for _, extent := range shape {
		count *= int(extent)
	}
	if count == 0 {
		return nil
	}
	data := unsafe.Add(array.data, uintptr(array.byte_offset))
	bits := int(array.bits) * int(array.lanes)
	if bits < 8 {
		return C.GoBytes(data, C.int((count*bits+7)/8))
	}
	var values []byte
	var visit func(axis int, at int)
	visit = func(axis int, at int) {
		if axis == len(shape) {
			values = append(values, unsafe.Slice((*byte)(unsafe.Add(data, at*bits/8)), bits/8)...)
			return
		}
		for k := range int(shape[axis]) {
			visit(axis+1, at+k*int(strides[axis]))
		}
	}
	visit(0, 0)
	return values
}

func importStruct(asked *request) (answer, error) {
	given := asked.Struct
	// All of it is C's memory: the struct is kept beyond the call.
	var pieces []unsafe.Pointer
	defer func() {
		for _, piece := range pieces {
			C.free(piece)
		}
	}()
	room := func(size int) unsafe.Pointer {
		piece := C.aligned_alloc(64, C.size_t(size/64*64+64))
		pieces = append(pieces, piece)
		return piece
	}
	numbers := func(values []signed) *C.int64_t {
		if values == nil {
			return nil
		}
		start := (*C.int64_t)(room(8 * len(values)))
		for k, value := range values {
			unsafe.Slice(start, len(values))[k] = C.int64_t(value)
		}
		return start
	}
	data := room(len(asked.Data))
	copy(unsafe.Slice((*byte)(data), len(asked.Data)), asked.Data)
	array := C.DlpackTensor{
		data: data, device_type: C.int32_t(given.DeviceType), device_id: C.int32_t(given.DeviceID),
		ndim: C.int32_t(len(given.Shape)), code: C.uint8_t(given.Code), bits: C.uint8_t(given.Bits),
		lanes: C.uint16_t(given.Lanes), shape: numbers(given.Shape), strides: numbers(given.Strides),
		byte_offset: C.uint64_t(given.ByteOffset),
	}
	tensor, err := taken(asked, array, room)
	out := answer{}
	if err == nil {
		out["item"], err = tensorOut(tensor)
		tensor.Close()
	}
	out["deleted"] = uint32(C.times_deleted())
	return out, err
}

func taken(asked *request, array C.DlpackTensor, room func(int) unsafe.Pointer) (*hurray.Tensor, error) {
	if !asked.Versioned {
		managed := (*C.struct_DLManagedTensor)(room(C.sizeof_struct_DLManagedTensor))
		*managed = C.new_plain()
		managed.tensor = array
		return hurray.FromDLPackUnversioned(unsafe.Pointer(managed))
	}
	managed := (*C.struct_DLManagedTensorVersioned)(room(C.sizeof_struct_DLManagedTensorVersioned))
	*managed = C.new_versioned()
	managed.major, managed.minor = C.uint32_t(asked.Struct.Version[0]), C.uint32_t(asked.Struct.Version[1])
	if asked.Struct.Flags != nil {
		managed.flags = C.uint64_t(*asked.Struct.Flags)
	}
	managed.tensor = array
	return hurray.FromDLPack(unsafe.Pointer(managed))
}
