package hurray_test

import (
	"errors"
	"io/fs"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	hurray "github.com/hurray-format/hurray-go"
)

func TestFromSliceAndView(t *testing.T) {
	noLeak(t)
	data := aligned[float32](6, 0)
	copy(data, []float32{0, 1, 2, 3, 4, 5})
	tensor := must(hurray.FromSlice(data, []uint64{2, 3}))
	defer tensor.Close()
	equal(t, "line", tensor.String(), "float32 [2, 3] row_major cpu 24 bytes")
	view := must(hurray.View[float32](tensor))
	equal(t, "same memory", &view[0] == &data[0], true)
	view[5] = 7
	equal(t, "written through the view", data[5], 7)
	equal(t, "copy", must(hurray.ToSlice[float32](tensor)), []float32{0, 1, 2, 3, 4, 7})
	buffer := must(tensor.Buffer(0))
	defer buffer.Close()
	equal(t, "flags", buffer.Flags(), 0)
	equal(t, "buffers", must(tensor.BufferCount()), 1)
	equal(t, "version", must(tensor.ABIVersion()), hurray.ABIVersion)
	_, err := tensor.Buffer(1)
	fails(t, err, hurray.ErrIndexOutOfBounds)
}

func TestEveryElementType(t *testing.T) {
	noLeak(t)
	through(t, []int8{-1, 2})
	through(t, []uint8{1, 255})
	through(t, []int16{-1, 2})
	through(t, []uint16{1, 65535})
	through(t, []int32{-1, 2})
	through(t, []uint32{1, 2})
	through(t, []int64{-1 << 63, 1<<53 + 1})
	through(t, []uint64{1<<64 - 1, 0})
	through(t, []float64{1.5, -2})
	through(t, []complex64{1 + 2i, 3})
	through(t, []complex128{1 + 2i, 3})
	through(t, []hurray.Float16{0x3C00, 0})
	through(t, []hurray.BFloat16{0x3F80, 0})
	through(t, []hurray.Float8E4M3{0x38, 0})
	through(t, []hurray.Float8E5M2{0x3C, 0})
	through(t, []hurray.Float8E8M0{127, 128})
	through(t, []hurray.Float128{{Hi: 1, Lo: 2}, {Hi: 3, Lo: 4}})
}

func through[T hurray.Element](t *testing.T, data []T) {
	t.Helper()
	tensor := must(hurray.FromSlice(data, []uint64{uint64(len(data))}))
	defer tensor.Close()
	equal(t, "type", must(tensor.Descriptor()).ElementType(), hurray.ElementTypeOf[T]())
	view := must(hurray.View[T](tensor))
	equal(t, "same memory", &view[0] == &data[0], true)
	equal(t, "elements", view, data)
	equal(t, "copied", must(hurray.ToSlice[T](tensor)), data)
}

func TestEmptyAndScalar(t *testing.T) {
	noLeak(t)
	for _, data := range [][]float32{nil, {}} {
		tensor := must(hurray.FromSlice(data, []uint64{0, 3}))
		equal(t, "view", must(hurray.View[float32](tensor)), []float32{})
		equal(t, "copy", must(hurray.ToSlice[float32](tensor)), []float32{})
		tensor.Close()
	}
	scalar := must(hurray.FromSlice([]float64{2.5}, nil))
	defer scalar.Close()
	equal(t, "scalar", must(hurray.View[float64](scalar)), []float64{2.5})
	equal(t, "shape", must(scalar.Descriptor()).Shape(), []uint64{})
}

func TestWrongLength(t *testing.T) {
	noLeak(t)
	_, err := hurray.FromSlice([]float32{1, 2}, []uint64{3})
	fails(t, err, hurray.ErrBufferMismatch)
	_, err = hurray.FromSlice([]float32{1, 2}, []uint64{1 << 63, 4})
	fails(t, err, hurray.ErrBufferMismatch)
	_, err = hurray.FromBytes([]byte{1}, hurray.TypeInt4, []uint64{3})
	fails(t, err, hurray.ErrBufferMismatch)
	_, err = hurray.FromSlice(make([]float32, 1), make([]uint64, 65))
	if err == nil {
		t.Error("rank 65 was accepted")
	}
}

// Types that Go lacks are bytes: packed, and told apart by the descriptor.
func TestPackedBytes(t *testing.T) {
	noLeak(t)
	data := aligned[byte](3, 0)
	copy(data, []byte{0x21, 0x43, 0x05})
	tensor := must(hurray.FromBytes(data, hurray.TypeUint4, []uint64{5}))
	defer tensor.Close()
	equal(t, "line", tensor.String(), "uint4 [5] row_major cpu 3 bytes")
	equal(t, "bytes", must(hurray.ToBytes(tensor)), data)
	_, err := hurray.View[uint8](tensor)
	contains(t, fails(t, err, hurray.ErrInvalidType), "uint4", "uint8")
	truths := must(hurray.FromBytes([]byte{0b101}, hurray.TypeBool, []uint64{3}))
	defer truths.Close()
	equal(t, "bits", must(hurray.ToBytes(truths)), []byte{0b101})
}

// B113: the release function has run when the last Close returns, once.
func TestMemoryReleasedOnce(t *testing.T) {
	noLeak(t)
	var released atomic.Int32
	data := []float32{1, 2, 3}
	memory := hurray.Memory{
		Data: unsafe.Pointer(&data[0]), ElementType: hurray.TypeFloat32, Shape: []uint64{3},
		Release: func() { released.Add(1) },
	}
	tensor := must(hurray.FromMemory(memory))
	share := must(tensor.Share())
	tensor.Close()
	equal(t, "released while shared", released.Load(), 0)
	equal(t, "elements", must(hurray.View[float32](share)), data)
	share.Close()
	share.Close()
	equal(t, "released", released.Load(), 1)

	// A call that fails releases nothing; one that copies releases before it returns.
	memory.Shape = make([]uint64, 65)
	_, err := hurray.FromMemory(memory)
	fails(t, err, hurray.ErrLimitExceeded)
	equal(t, "released after a failure", released.Load(), 1)
	memory.Shape = []uint64{3}
	copied := must(hurray.FromMemory(memory, hurray.CopyAlways))
	equal(t, "released by a copy", released.Load(), 2)
	buffer := must(copied.Buffer(0))
	equal(t, "why copied", buffer.Flags(), hurray.BufferCopiedOnRequest)
	buffer.Close()
	copied.Close()
	runtime.KeepAlive(data)
}

func TestExportImport(t *testing.T) {
	noLeak(t)
	data := []int32{1, 2, 3}
	tensor := must(hurray.FromSlice(data, []uint64{3}))
	handle := must(tensor.Export())
	tensor.Close()
	received := must(hurray.Import(handle))
	defer received.Close()
	view := must(hurray.View[int32](received))
	equal(t, "same memory", &view[0] == &data[0], true)
	_, err := hurray.Import(nil)
	fails(t, err, hurray.ErrNullPointer)
	_, err = tensor.Export()
	fails(t, err, hurray.ErrInvalidHandle)
}

// A handle of another version is told by its first 16 bytes, and is not touched otherwise.
func TestImportOfAnotherVersion(t *testing.T) {
	tensor := must(hurray.FromSlice([]int32{1}, []uint64{1}))
	defer tensor.Close()
	handle := must(tensor.Export())
	mine := must(hurray.Import(handle))
	defer mine.Close()
	// docs/abi.md: a mark of eight bytes, then the versions of who made the handle and of what it reports.
	prefix := *(*[2]uint64)(handle)
	prefix[1] = 11 | 11<<32
	_, err := hurray.Import(unsafe.Pointer(&prefix))
	contains(t, fails(t, err, hurray.ErrVersionMismatch), "11", "10")
}

func TestClosedTensor(t *testing.T) {
	noLeak(t)
	tensor := must(hurray.FromSlice([]float32{1}, []uint64{1}))
	tensor.Close()
	tensor.Close()
	_, err := hurray.View[float32](tensor)
	contains(t, fails(t, err, hurray.ErrInvalidHandle), "the tensor is closed")
	equal(t, "is fs.ErrClosed", errors.Is(err, fs.ErrClosed), true)
	for _, call := range []func() error{
		func() error { _, err := tensor.Share(); return err },
		func() error { _, err := tensor.Descriptor(); return err },
		func() error { _, err := tensor.Buffer(0); return err },
		func() error { _, err := tensor.Part(hurray.RoleValues, 0); return err },
		func() error { _, err := hurray.ToSlice[float32](tensor); return err },
		func() error { _, err := hurray.ViewArray[float32](tensor); return err },
		func() error { _, err := hurray.NewItem(tensor); return err },
		func() error { _, err := new(hurray.Tensor).Share(); return err },
	} {
		fails(t, call(), hurray.ErrInvalidHandle)
	}
	if !strings.Contains(tensor.String(), "closed") {
		t.Error(tensor.String())
	}
}

// B109: the wrapper is unreachable during its last call, and collections go on all the time.
func TestCollectionDuringTheLastCall(t *testing.T) {
	noLeak(t)
	stop := make(chan struct{})
	var collector sync.WaitGroup
	collector.Add(1)
	go func() {
		defer collector.Done()
		for {
			select {
			case <-stop:
				return
			default:
				runtime.GC()
			}
		}
	}()
	for range 300 {
		text := must(hurray.FromSlice(aligned[float32](2, 0), []uint64{2})).String()
		if text != "float32 [2] row_major cpu 8 bytes" {
			t.Fatal(text)
		}
		elements := must(hurray.ToSlice[float32](must(hurray.FromSlice([]float32{1, 2}, []uint64{2}))))
		equal(t, "elements", elements, []float32{1, 2})
	}
	close(stop)
	collector.Wait()
}

// B113: what nobody closes is released by the collector.
func TestUnreachableTensor(t *testing.T) {
	noLeak(t)
	var released atomic.Bool
	func() {
		data := []float32{1, 2}
		must(hurray.FromMemory(hurray.Memory{
			Data: unsafe.Pointer(&data[0]), ElementType: hurray.TypeFloat32, Shape: []uint64{2},
			Release: func() { released.Store(true); runtime.KeepAlive(data) },
		}))
	}()
	for range 1000 {
		if released.Load() {
			return
		}
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	t.Error("not released")
}

// B110: a slice from inside a struct with pointers. cgocheck is on in `make test-go`.
func TestSliceInsideAStruct(t *testing.T) {
	noLeak(t)
	type record struct {
		name    *string
		numbers [4]float32
		next    *record
	}
	name := "name"
	one := &record{name: &name, numbers: [4]float32{1, 2, 3, 4}, next: new(record)}
	tensor := must(hurray.FromSlice(one.numbers[1:3], []uint64{2}))
	defer tensor.Close()
	runtime.GC()
	equal(t, "elements", must(hurray.View[float32](tensor)), []float32{2, 3})
	buffer := must(hurray.BufferCopyOf(one.numbers[:]))
	defer buffer.Close()
	equal(t, "size", buffer.ByteSize(), 16)
}

// The slice is reachable through the tensor alone: it stays where it is, whatever is collected.
func TestPinnedWhileOnlyTheTensorLives(t *testing.T) {
	noLeak(t)
	tensors := make([]*hurray.Tensor, 50)
	for k := range tensors {
		data := make([]int64, 512)
		for i := range data {
			data[i] = int64(k)
		}
		tensors[k] = must(hurray.FromSlice(data, []uint64{512}))
	}
	for range 3 {
		runtime.GC()
		for range 100 {
			_ = make([]int64, 512)
		}
	}
	for k, tensor := range tensors {
		for _, value := range must(hurray.View[int64](tensor)) {
			if value != int64(k) {
				t.Fatalf("tensor %d has %d", k, value)
			}
		}
		tensor.Close()
	}
}

// Close on one goroutine while others read: each read either works or says that the tensor is closed.
func TestCloseWhileReading(t *testing.T) {
	noLeak(t)
	for range 50 {
		tensor := must(hurray.FromSlice([]float32{1, 2, 3}, []uint64{3}))
		var readers sync.WaitGroup
		for range 4 {
			readers.Add(1)
			go func() {
				defer readers.Done()
				for {
					elements, err := hurray.ToSlice[float32](tensor)
					if err != nil {
						if !errors.Is(err, hurray.ErrInvalidHandle) {
							t.Error(err)
						}
						return
					}
					if elements[2] != 3 {
						t.Error(elements)
					}
				}
			}()
		}
		runtime.Gosched()
		tensor.Close()
		readers.Wait()
	}
}
