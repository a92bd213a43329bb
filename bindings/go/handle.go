package hurray

import (
	"runtime"
	"sync/atomic"
)

// handle is a handle of the library that ends once: when it is closed and no call uses it any more.
//
// Every call stands between enter and leave. So a Close on another goroutine, or the collector's cleanup of a wrapper
// that is unreachable during its last call, never ends what C works on.
type handle struct {
	raw     atomic.Uintptr
	uses    atomic.Int64 // calls that run, plus closedMark once it is closed
	noun    string
	destroy func(uintptr)
	cleanup runtime.Cleanup
}

const closedMark = 1 << 40

func newHandle(raw uintptr, noun string, destroy func(uintptr)) *handle {
	h := &handle{noun: noun, destroy: destroy}
	h.raw.Store(raw)
	return h
}

// enter begins a call.
func (h *handle) enter() (uintptr, error) {
	if h == nil {
		return 0, refuse(ErrInvalidHandle, "an object that was not made by this package")
	}
	if h.uses.Add(1) >= closedMark {
		h.leave()
		return 0, closedError(h.noun)
	}
	return h.raw.Load(), nil
}

// leave ends a call.
func (h *handle) leave() {
	if h.uses.Add(-1) == closedMark {
		h.end()
	}
}

// close ends the handle at once, or leaves that to the last call that runs. It does nothing the second time.
func (h *handle) close() {
	if h != nil && h.mark() {
		// An unreachable object with a cleanup costs a collection far more than one without.
		h.cleanup.Stop()
	}
}

// mark says that the handle is closed, and whether it was open before.
func (h *handle) mark() bool {
	for {
		uses := h.uses.Load()
		if uses >= closedMark {
			return false
		}
		if h.uses.CompareAndSwap(uses, uses+closedMark) {
			if uses == 0 {
				h.end()
			}
			return true
		}
	}
}

// end may be reached more than once; the swap lets one through.
func (h *handle) end() {
	if raw := h.raw.Swap(0); raw != 0 {
		h.destroy(raw)
	}
}

// closeWith closes the handle when the object that wraps it is unreachable.
func closeWith[T any](wrapper *T, h *handle) {
	h.cleanup = runtime.AddCleanup(wrapper, func(h *handle) { h.mark() }, h)
}
