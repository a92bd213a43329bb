package capi

// #include <stdint.h>
import "C"

import (
	"runtime/cgo"
	"unsafe"
)

// Source is read by a file that is open over a callback: bytes at an offset, how many came, or a negative error number.
type Source interface {
	ReadAtOffset(offset uint64, out []byte) int64
}

// Sink takes the bytes of a file that is written to a callback; 0, or an error number.
type Sink interface {
	WriteBytes(bytes []byte) int32
}

// Owner is released when the library needs it no more, on any thread.
type Owner interface {
	Release()
	Forget() // in place of Release, if the library never took it
}

// Hold keeps an object reachable until the library releases it, or Drop does.
func Hold(object any) uintptr { return uintptr(cgo.NewHandle(object)) }

// Forget ends what Hold began without releasing anything, for a call that failed.
func Forget(handle uintptr) {
	held := cgo.Handle(handle)
	object := held.Value()
	held.Delete()
	if owner, ok := object.(Owner); ok {
		owner.Forget()
	}
}

//export hurrayGoRelease
func hurrayGoRelease(handle C.uintptr_t) {
	held := cgo.Handle(handle)
	object := held.Value()
	held.Delete()
	if owner, ok := object.(Owner); ok {
		owner.Release()
	}
}

//export hurrayGoReadAt
func hurrayGoReadAt(handle C.uintptr_t, offset C.uint64_t, out C.uintptr_t, length C.uint64_t) C.int64_t {
	source := cgo.Handle(handle).Value().(Source)
	room := unsafe.Slice((*byte)(Address(uintptr(out))), int(length))
	return C.int64_t(source.ReadAtOffset(uint64(offset), room))
}

//export hurrayGoWrite
func hurrayGoWrite(handle C.uintptr_t, bytes C.uintptr_t, length C.uint64_t) C.int32_t {
	sink := cgo.Handle(handle).Value().(Sink)
	return C.int32_t(sink.WriteBytes(unsafe.Slice((*byte)(Address(uintptr(bytes))), int(length))))
}
