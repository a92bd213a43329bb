// Package cthread runs the end of a handle on a thread that C made and Go has never seen. Tests use it: files of tests
// cannot call C.
package cthread

/*
#cgo pkg-config: hurray
#cgo LDFLAGS: -pthread
#include <hurray.h>
#include <pthread.h>

static void *destroy(void *tensor) {
    HurrayTensor *handle = tensor;
    return (void *)(intptr_t)hurray_tensor_destroy(&handle);
}

static int destroy_on_new_thread(uintptr_t tensor) {
    pthread_t thread;
    void *status = NULL;
    if (pthread_create(&thread, NULL, destroy, (void *)tensor) != 0) return -1;
    if (pthread_join(thread, &status) != 0) return -1;
    return (int)(intptr_t)status;
}
*/
import "C"

import "unsafe"

// Destroy ends a tensor that was exported, on a new thread, and waits for that. 0 is success.
func Destroy(tensor unsafe.Pointer) int {
	return int(C.destroy_on_new_thread(C.uintptr_t(uintptr(tensor))))
}
