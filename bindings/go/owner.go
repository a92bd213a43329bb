package hurray

import (
	"fmt"
	"runtime"
	"unsafe"

	"github.com/hurray-format/hurray-go/internal/capi"
)

// owner keeps Go memory in its place, and whatever else memory needs to stay valid, until the library releases it.
type owner struct {
	pinner  runtime.Pinner
	release func()
}

// hold keeps a piece of memory for the library. Memory that is not Go's own is left alone by the pinner.
func hold(memory unsafe.Pointer, release func()) uintptr {
	kept := &owner{release: release}
	if memory != nil {
		kept.pinner.Pin(memory)
	}
	return capi.Hold(kept)
}

// Release runs on whatever thread drops the last share. A panic of the caller's function must not unwind into C; it is
// raised on a goroutine of its own, where nothing recovers it, as a panic on any goroutine.
func (o *owner) Release() {
	o.pinner.Unpin()
	if o.release == nil {
		return
	}
	defer func() {
		if value := recover(); value != nil {
			go panic(fmt.Sprintf("hurray: a release function panicked: %v", value))
		}
	}()
	o.release()
}

// Forget gives the memory back to Go's collector; the caller's function is the caller's to call.
func (o *owner) Forget() { o.pinner.Unpin() }
