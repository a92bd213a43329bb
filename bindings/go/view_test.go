package hurray_test

import (
	"slices"
	"testing"
	"unsafe"

	hurray "github.com/hurray-format/hurray-go"
)

func TestMisaligned(t *testing.T) {
	noLeak(t)
	room := aligned[byte](64, 2)
	for k := range room {
		room[k] = byte(k)
	}
	tensor := must(hurray.FromBytes(room, hurray.TypeFloat32, []uint64{4}))
	defer tensor.Close()
	_, err := hurray.View[float32](tensor)
	contains(t, fails(t, err, hurray.ErrCopyRequired), "not aligned", "ToSlice")
	_, err = hurray.ViewArray[float32](tensor)
	contains(t, fails(t, err, hurray.ErrCopyRequired), "not aligned", "ToSlice")
	copied := must(hurray.ToSlice[float32](tensor))
	found := unsafe.Slice((*byte)(unsafe.Pointer(&copied[0])), 16)
	equal(t, "bytes", found, room[:16])
}

func TestReadOnly(t *testing.T) {
	noLeak(t)
	data := aligned[float32](2, 8)
	data[0], data[1] = 1, 2
	tensor := must(hurray.FromReadOnlySlice(data, []uint64{2}))
	defer tensor.Close()
	share := must(tensor.Share())
	defer share.Close()
	for _, one := range []*hurray.Tensor{tensor, share} {
		_, err := hurray.View[float32](one)
		contains(t, fails(t, err, hurray.ErrCopyRequired), "read-only", "ToSlice")
		equal(t, "copy", must(hurray.ToSlice[float32](one)), data)
		buffer := must(one.Buffer(0))
		_, err = buffer.Bytes()
		contains(t, fails(t, err, hurray.ErrCopyRequired), "read-only", "CopyBytes")
		equal(t, "bytes", must(buffer.CopyBytes()), []byte{0, 0, 0x80, 0x3F, 0, 0, 0, 0x40})
		buffer.Close()
	}
}

func TestStrided(t *testing.T) {
	noLeak(t)
	data := []int32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}
	// Rows backwards, every second column: 8 10 / 4 6 / 0 2.
	tensor := must(hurray.FromStrided(data, []uint64{3, 2}, []int{-4, 2}, 8))
	defer tensor.Close()
	equal(t, "copy", must(hurray.ToSlice[int32](tensor)), []int32{8, 10, 4, 6, 0, 2})
	_, err := hurray.View[int32](tensor)
	contains(t, fails(t, err, hurray.ErrUnsupported), "row-major", "ViewArray", "ToSlice")
	array := must(hurray.ViewArray[int32](tensor))
	equal(t, "shape", array.Shape(), []uint64{3, 2})
	equal(t, "strides", array.Strides(), []int{-4, 2})
	equal(t, "element", array.At(1, 1), 6)
	equal(t, "all", slices.Collect(array.All()), []int32{8, 10, 4, 6, 0, 2})
	array.Set(66, 1, 1)
	equal(t, "written", data[6], 66)
	for _, index := range [][]int{{3, 0}, {0, -1}, {0}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("index %v was accepted", index)
				}
			}()
			array.At(index...)
		}()
	}
	memory := aligned[float64](6, 0)
	copy(memory, []float64{1, 4, 2, 5, 3, 6})
	columns := must(hurray.FromStrided(memory, []uint64{2, 3}, []int{1, 2}, 0))
	defer columns.Close()
	equal(t, "line", columns.String(), "float64 [2, 3] column_major cpu 48 bytes")
	equal(t, "elements", must(hurray.ToSlice[float64](columns)), []float64{1, 2, 3, 4, 5, 6})
}

func TestStridedOutside(t *testing.T) {
	noLeak(t)
	data := make([]int32, 12)
	for _, one := range []struct {
		shape   []uint64
		strides []int
		first   int
	}{
		{[]uint64{3, 4}, []int{4, 1}, 1}, {[]uint64{3}, []int{-4}, 7}, {[]uint64{2}, []int{1}, -1},
		{[]uint64{1}, []int{0}, 12}, {[]uint64{1 << 62, 8}, []int{0, 0}, 0}, {[]uint64{2}, []int{-1 << 63}, 3},
	} {
		_, err := hurray.FromStrided(data, one.shape, one.strides, one.first)
		fails(t, err, hurray.ErrBufferMismatch)
	}
	_, err := hurray.FromStrided(data, []uint64{3}, nil, 0)
	fails(t, err, hurray.ErrInvalidArgument)
	broadcast := must(hurray.FromStrided(data[:1], []uint64{5}, []int{0}, 0))
	equal(t, "broadcast", must(hurray.ToSlice[int32](broadcast)), make([]int32, 5))
	broadcast.Close()
}

// A slice of memory that is not Go's can be wrapped again; its owner is kept by what the caller says.
func TestViewOfAView(t *testing.T) {
	noLeak(t)
	buffer := must(hurray.NewBuffer(64, 64))
	bytes := must(buffer.Bytes())
	tensor := must(hurray.FromSlice(bytes, []uint64{64}))
	view := must(hurray.View[uint8](tensor))
	view[3] = 9
	equal(t, "same memory", bytes[3], 9)
	tensor.Close()
	buffer.Close()
}
