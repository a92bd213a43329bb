package hurray_test

import (
	"encoding/binary"
	"errors"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"
	"unsafe"

	hurray "github.com/hurray-format/hurray-go"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func equal[T any](t *testing.T, what string, found, wanted T) {
	t.Helper()
	if !reflect.DeepEqual(found, wanted) {
		t.Errorf("%s is %v, not %v", what, found, wanted)
	}
}

// fails wants an error of a status, and gives its text.
func fails(t *testing.T, err error, status hurray.Status) string {
	t.Helper()
	var made *hurray.Error
	if !errors.As(err, &made) || !errors.Is(err, status) {
		t.Fatalf("the error is %v, not one of %v", err, status)
	}
	return made.Error()
}

func contains(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q does not say %q", text, part)
		}
	}
}

// noLeak wants as many live handles at the end of a test as at its begin. What was not closed has until the collector
// has found it.
func noLeak(t *testing.T) {
	t.Helper()
	before := must(hurray.LiveHandles())
	t.Cleanup(func() {
		t.Helper()
		if after := settle(before); after != before {
			t.Errorf("%d handles live on", int64(after)-int64(before))
		}
	})
}

// settle collects until there are as many live handles as wanted; at last it gives up.
func settle(wanted uint64) uint64 {
	for range 200 {
		if live := must(hurray.LiveHandles()); live <= wanted {
			return live
		}
		runtime.GC()
		time.Sleep(5 * time.Millisecond)
	}
	return must(hurray.LiveHandles())
}

// aligned is a slice whose first element is `shift` bytes past a multiple of 64.
func aligned[T any](count int, shift uintptr) []T {
	var zero T
	size := unsafe.Sizeof(zero)
	room := make([]byte, uintptr(count)*size+256)
	start := (64-uintptr(unsafe.Pointer(&room[0]))%64)%64 + shift
	return unsafe.Slice((*T)(unsafe.Pointer(&room[start])), count)
}

func addressOf[T any](data []T) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(data))) }

// wire is a descriptor of CPU buffers of these sizes, aligned to 64, as the format's description lays bytes out.
type wire struct {
	kind, layout                                       uint8
	shape                                              []uint64
	payload                                            []byte
	buffers                                            []uint64
	quantization, shard, statistics, extension, member []byte
}

func u32(value uint32) []byte { return binary.LittleEndian.AppendUint32(nil, value) }
func u64(value uint64) []byte { return binary.LittleEndian.AppendUint64(nil, value) }
func i64(value int64) []byte  { return u64(uint64(value)) }

func join(parts ...[]byte) []byte {
	var all []byte
	for _, part := range parts {
		all = append(all, part...)
	}
	return all
}

func (w wire) bytes() []byte {
	var flags uint32
	for bit, section := range [][]byte{w.quantization, w.shard, w.extension, w.statistics, w.member} {
		if section != nil {
			flags |= 1 << bit
		}
	}
	body := join(u32(flags), []byte{w.kind, w.layout}, u32(uint32(len(w.shape))))
	for _, extent := range w.shape {
		body = join(body, u64(extent))
	}
	body = join(body, u64(0), w.payload, []byte{uint8(len(w.buffers))})
	for _, size := range w.buffers {
		body = join(body, u64(size), u32(64), make([]byte, 4))
	}
	if w.quantization != nil {
		body = join(body, u32(uint32(len(w.quantization))), w.quantization)
	}
	body = join(body, w.shard, w.statistics, w.extension, w.member)
	return join([]byte{'H', 'R', 'R', 'Y', 1, 0}, u32(uint32(len(body)+10)), body)
}
