package hurray_test

import (
	"testing"

	hurray "github.com/hurray-format/hurray-go"
)

func TestBuffers(t *testing.T) {
	noLeak(t)
	buffer := must(hurray.NewBuffer(100, 4096))
	equal(t, "size", buffer.ByteSize(), 100)
	equal(t, "alignment", buffer.Alignment(), 4096)
	equal(t, "address", uintptr(buffer.Pointer())%4096, 0)
	device, id := buffer.Device()
	equal(t, "device", device, hurray.DeviceCPU)
	equal(t, "device id", id, 0)
	equal(t, "sync mode", buffer.SyncMode(), hurray.SyncProducerSynced)
	equal(t, "memory class", buffer.MemoryClass(), hurray.MemoryStandard)
	equal(t, "bytes", must(buffer.Bytes()), make([]byte, 100))
	equal(t, "line", buffer.String(), "100 bytes aligned to 4096 on cpu")
	buffer.Close()
	_, err := buffer.Bytes()
	fails(t, err, hurray.ErrInvalidHandle)
	_, err = hurray.NewBuffer(8, 3)
	fails(t, err, hurray.ErrInvalidArgument)
	empty := must(hurray.BufferOf([]float32{}))
	equal(t, "empty", must(empty.Bytes()), []byte{})
	empty.Close()
}

func TestBufferOf(t *testing.T) {
	noLeak(t)
	data := aligned[float32](4, 0)
	data[3] = 5
	buffer := must(hurray.BufferOf(data))
	equal(t, "same memory", uintptr(buffer.Pointer()) == addressOf(data), true)
	buffer.Close()
	_, err := hurray.BufferOf(aligned[float32](4, 4))
	contains(t, fails(t, err, hurray.ErrBufferMismatch), "BufferCopyOf")
	copied := must(hurray.BufferCopyOf(data))
	equal(t, "copied", must(copied.CopyBytes())[12:], []byte{0, 0, 0xA0, 0x40})
	copied.Close()
}

// A CSR matrix of its parts, and each part read back.
func TestTensorOfBuffers(t *testing.T) {
	noLeak(t)
	d := must(hurray.NewBuilder(hurray.TypeFloat64, []uint64{2, 3}, hurray.CSRLayout{NNZ: 3}).DefaultBuffers().Finish())
	values := must(hurray.BufferCopyOf([]float64{1.5, -2, 3}))
	indices := must(hurray.BufferCopyOf([]uint64{0, 2, 1}))
	pointers := must(hurray.BufferCopyOf([]uint64{0, 2, 3}))
	_, err := hurray.NewTensor(d, values, indices)
	fails(t, err, hurray.ErrBufferMismatch)
	tensor := must(hurray.NewTensor(d, values, indices, pointers))
	for _, one := range []interface{ Close() error }{d, values, indices, pointers} {
		one.Close()
	}
	equal(t, "layout", must(tensor.Descriptor()).Layout(), hurray.Layout(hurray.CSRLayout{NNZ: 3}))
	part := must(tensor.Part(hurray.RoleValues, 0))
	rows := must(tensor.Part(hurray.RolePointers, 0))
	columns := must(tensor.Part(hurray.RoleIndices, 0))
	_, err = tensor.Part(hurray.RoleScales, 0)
	fails(t, err, hurray.ErrFieldNotApplicable)
	_, err = hurray.View[float64](tensor)
	fails(t, err, hurray.ErrUnsupported)
	tensor.Close()
	// A part keeps all of the tensor alive.
	equal(t, "values", must(hurray.View[float64](part)), []float64{1.5, -2, 3})
	equal(t, "rows", must(hurray.View[uint64](rows)), []uint64{0, 2, 3})
	equal(t, "columns", must(hurray.View[uint64](columns)), []uint64{0, 2, 1})
	part.Close()
	rows.Close()
	columns.Close()
	_, err = hurray.NewTensor(d, values)
	fails(t, err, hurray.ErrInvalidHandle)
}

func TestQuantizedTensor(t *testing.T) {
	noLeak(t)
	d := must(hurray.NewBuilder(hurray.TypeInt8, []uint64{2, 3}, nil).
		Quantization(hurray.PerChannelAffine{Axis: 0}).DefaultBuffers().Finish())
	defer d.Close()
	codes := must(hurray.BufferCopyOf([]int8{1, 2, 3, 4, 5, 6}))
	defer codes.Close()
	scales := must(hurray.BufferCopyOf([]float32{0.5, 2}))
	defer scales.Close()
	tensor := must(hurray.NewTensor(d, codes, scales))
	defer tensor.Close()
	part := must(tensor.Part(hurray.RoleScales, 0))
	defer part.Close()
	equal(t, "scales", must(hurray.View[float32](part)), []float32{0.5, 2})
	equal(t, "codes", must(hurray.View[int8](tensor)), []int8{1, 2, 3, 4, 5, 6})
}
