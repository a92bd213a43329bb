package main

/*
#cgo LDFLAGS: -ldl
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

static void *open_library(const char *path) { return dlopen(path, RTLD_NOW | RTLD_LOCAL); }

static uintptr_t new_handle(void *library, uint32_t version) {
    void *(*make)(uint32_t) = (void *(*)(uint32_t))dlsym(library, "conformance_handle");
    return make == NULL ? 0 : (uintptr_t)make(version);
}

static int64_t calls_of(void *library, uintptr_t handle, uint32_t destroy) {
    uint32_t (*calls)(void *, uint32_t) = (uint32_t (*)(void *, uint32_t))dlsym(library, "conformance_calls");
    return calls == NULL ? -1 : (int64_t)calls((void *)handle, destroy);
}
*/
import "C"

import (
	"unsafe"

	hurray "github.com/hurray-format/hurray-go"
)

// foreign hands a tensor handle of another version to Import.
func foreign(asked *request) (answer, error) {
	path := C.CString(asked.Library)
	defer C.free(unsafe.Pointer(path))
	library := C.open_library(path)
	if library == nil {
		return nil, fault(C.GoString(C.dlerror()))
	}
	handle := C.new_handle(library, C.uint32_t(asked.Version))
	if handle == 0 {
		return nil, fault("the library gives no handle")
	}
	tensor, refused := hurray.Import(*(*unsafe.Pointer)(unsafe.Pointer(&handle)))
	calls := int64(C.calls_of(library, handle, 0))
	if refused == nil {
		tensor.Close()
	} else {
		C.calls_of(library, handle, 1)
	}
	return answer{"calls": calls}, refused
}
