package hurray_test

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	hurray "github.com/hurray-format/hurray-go"
	"github.com/hurray-format/hurray-go/internal/cthread"
)

// B112: the last share goes on another thread of the system than the one that made the tensor;
// what keeps its memory crosses C as an integer.
func TestReleaseOnAnotherThread(t *testing.T) {
	noLeak(t)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var released atomic.Int32
	data := []float32{1, 2}
	for range 100 {
		tensor := must(hurray.FromMemory(hurray.Memory{
			Data: unsafe.Pointer(&data[0]), ElementType: hurray.TypeFloat32, Shape: []uint64{2},
			Release: func() { released.Add(1) },
		}))
		share := must(tensor.Share())
		tensor.Close()
		done := make(chan struct{})
		go func() {
			runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
			share.Close()
			close(done)
		}()
		<-done
	}
	equal(t, "released", released.Load(), 100)
	runtime.KeepAlive(data)
}

// Another language ends the last share on a thread that Go has never seen.
func TestReleaseOnAThreadOfC(t *testing.T) {
	noLeak(t)
	var released atomic.Int32
	data := []float32{1, 2}
	for range 100 {
		tensor := must(hurray.FromMemory(hurray.Memory{
			Data: unsafe.Pointer(&data[0]), ElementType: hurray.TypeFloat32, Shape: []uint64{2},
			Release: func() { released.Add(1); runtime.Gosched() },
		}))
		handle := must(tensor.Export())
		tensor.Close()
		equal(t, "status", cthread.Destroy(handle), 0)
	}
	equal(t, "released", released.Load(), 100)
	runtime.KeepAlive(data)
}

// A release function may use the package itself.
func TestReleaseThatCallsBack(t *testing.T) {
	noLeak(t)
	data := []float32{1, 2}
	inner := must(hurray.FromSlice(data, []uint64{2}))
	var text string
	outer := must(hurray.FromMemory(hurray.Memory{
		Data: unsafe.Pointer(&data[0]), ElementType: hurray.TypeFloat32, Shape: []uint64{2},
		Release: func() {
			text = must(inner.Descriptor()).ElementType().String()
			inner.Close()
		},
	}))
	outer.Close()
	equal(t, "text", text, "float32")
}

// releasePanics is the child of the next test.
func releasePanics() {
	data := []float32{1}
	must(hurray.FromMemory(hurray.Memory{
		Data: unsafe.Pointer(&data[0]), ElementType: hurray.TypeFloat32, Shape: []uint64{1},
		Release: func() { panic("the caller's own panic") },
	})).Close()
	time.Sleep(time.Minute)
}

// A panic in a release function does not unwind into C: it ends the program as a panic on a goroutine does.
func TestReleaseThatPanics(t *testing.T) {
	output, err := child(t, "release panics")
	if err == nil {
		t.Error("the program went on")
	}
	contains(t, output, "panic: hurray: a release function panicked: the caller's own panic")
}

// B114: exported and released by who took it, many times, from many goroutines: no handle and no owner is left.
func TestExportRounds(t *testing.T) {
	noLeak(t)
	var released atomic.Int64
	var group sync.WaitGroup
	for range 4 {
		group.Add(1)
		go func() {
			defer group.Done()
			data := []float32{1, 2, 3}
			for range 2500 {
				tensor := must(hurray.FromMemory(hurray.Memory{
					Data: unsafe.Pointer(&data[0]), ElementType: hurray.TypeFloat32, Shape: []uint64{3},
					Release: func() { released.Add(1) },
				}))
				handle := must(tensor.Export())
				tensor.Close()
				received := must(hurray.Import(handle))
				received.Close()
			}
			runtime.KeepAlive(data)
		}()
	}
	group.Wait()
	equal(t, "released", released.Load(), 10000)
}
