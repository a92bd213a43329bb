// Package capi is the one place where this module calls C: the functions of hurray.h, in the bundles of glue.h.
//
// Every call makes one crossing and gives back a status with its text. Handles are integers: nothing here knows when
// they may be used or must end; the package above does.
package capi

/*
#cgo pkg-config: hurray
#cgo CFLAGS: -O2
#include "glue.h"
*/
import "C"

import (
	"sync"
	"unsafe"
)

// ABIVersion is the version of the header that this package was compiled with.
const ABIVersion = C.HURRAY_C_ABI_VERSION

// Failure is a negative status with what belongs to it.
type Failure struct {
	Status  int32
	OSError int32
	Offset  uint64 // NoOffset: none
	Text    string
}

// NoOffset says that a failure has no offset in the input.
const NoOffset = 1<<64 - 1

// Records are reused: they are larger than what a crossing costs to clear.
var calls = sync.Pool{New: func() any { return new(C.HgCall) }}

func begin() *C.HgCall { return calls.Get().(*C.HgCall) }

// end gives the record back; nothing of it may be read afterwards.
func end(status C.int32_t, call *C.HgCall) *Failure {
	var failure *Failure
	if status < 0 {
		failure = &Failure{
			Status:  int32(status),
			OSError: int32(call.os_error),
			Offset:  uint64(call.offset),
			Text:    C.GoStringN(&call.text[0], C.int(call.text_length)),
		}
	}
	calls.Put(call)
	return failure
}

// handled ends a call that gives a handle.
func handled(status C.int32_t, call *C.HgCall) (uintptr, *Failure) {
	handle := uintptr(call.handle)
	if failure := end(status, call); failure != nil {
		return 0, failure
	}
	return handle, nil
}

// numbered ends a call that gives a number. The number is read also when the room was too small.
func numbered(status C.int32_t, call *C.HgCall) (uint64, *Failure) {
	number := uint64(call.number[0])
	return number, end(status, call)
}

// Address makes a pointer of an address that C gave. The memory is C's, or Go's and pinned, so that no collector moves
// or frees what the integer stands for.
func Address(address uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&address)) }

// LoadedABIVersion asks the library that is loaded.
func LoadedABIVersion() uint32 { return uint32(C.hurray_c_abi_version()) }

// Version is the library's own version.
func Version() string { return C.GoString(C.hurray_version_string()) }

// LibraryPath is the file of the library that is loaded, or empty where the system does not tell.
func LibraryPath() string {
	path := C.hg_library_path()
	if path == 0 {
		return ""
	}
	return C.GoString((*C.char)(Address(uintptr(path))))
}

// StatusName is the name of a status in the header.
func StatusName(status int32) string { return C.GoString(C.hurray_status_name(C.HurrayStatus(status))) }

// LiveHandles is the number of owned handles.
func LiveHandles() uint64 {
	var count C.uint64_t
	C.hurray_live_handles(&count)
	return uint64(count)
}

// TagName is the name of a tag, and whether it has one.
func TagName(space, tag uint32) (string, bool) {
	var name *C.char
	if C.hurray_tag_name(C.uint32_t(space), C.uint32_t(tag), &name) != C.HURRAY_OK {
		return "", false
	}
	return C.GoString(name), true
}

// ElementTypeInfo gives bits, alignment in bytes and kind of an element type, and whether it is assigned.
func ElementTypeInfo(tag uint8) (bits, alignment, kind uint32, ok bool) {
	var b, a, k C.uint32_t
	status := C.hurray_element_type_info(C.uint8_t(tag), &b, &a, &k)
	return uint32(b), uint32(a), uint32(k), status == C.HURRAY_OK
}

// ElementTypeBytes gives the bytes of so many contiguous elements.
func ElementTypeBytes(tag uint8, count uint64) (uint64, int32) {
	var bytes C.uint64_t
	status := C.hurray_element_type_bytes(C.uint8_t(tag), C.uint64_t(count), &bytes)
	return uint64(bytes), int32(status)
}

func pointerTo[C, G any](values []G) *C { return (*C)(unsafe.Pointer(unsafe.SliceData(values))) }

func textOf(text string) (*C.char, C.size_t) {
	return (*C.char)(unsafe.Pointer(unsafe.StringData(text))), C.size_t(len(text))
}
