package hurray_test

import (
	"testing"

	hurray "github.com/hurray-format/hurray-go"
)

// Out and in again: the memory is the slice's, and the struct's share goes with the tensor made of it.
func TestDLPackRound(t *testing.T) {
	noLeak(t)
	data := []float32{1, 2, 3, 4, 5, 6}
	tensor := must(hurray.FromSlice(data, []uint64{2, 3}))
	kind, id, err := tensor.DLPackDevice()
	if kind != 1 || id != 0 || err != nil { // kDLCPU
		t.Error(kind, id, err)
	}
	managed := must(tensor.ToDLPack())
	plain := must(tensor.ToDLPackUnversioned())
	tensor.Close()
	received := must(hurray.FromDLPack(managed))
	view := must(hurray.View[float32](received))
	equal(t, "same memory", &view[0] == &data[0], true)
	received.Close()
	old := must(hurray.FromDLPackUnversioned(plain))
	equal(t, "elements", must(hurray.ToSlice[float32](old)), data)
	_, err = hurray.View[float32](old)
	fails(t, err, hurray.ErrCopyRequired)
	_, err = old.ToDLPackUnversioned()
	fails(t, err, hurray.ErrUnsupported)
	copied := must(old.ToDLPack(hurray.CopyAlways))
	old.Close()
	must(hurray.FromDLPack(copied)).Close()
}

func TestDLPackRefuses(t *testing.T) {
	noLeak(t)
	truths := must(hurray.FromBytes([]byte{5}, hurray.TypeBool, []uint64{3}))
	defer truths.Close()
	_, err := truths.ToDLPack()
	fails(t, err, hurray.ErrCopyRequired)
	_, err = hurray.FromDLPack(nil)
	fails(t, err, hurray.ErrNullPointer)
	d := must(hurray.NewBuilder(hurray.TypeFloat32, []uint64{2, 2}, hurray.MortonLayout{Bits: []uint64{1, 1}}).
		DefaultBuffers().Finish())
	defer d.Close()
	buffer := must(hurray.NewBuffer(16, 64))
	defer buffer.Close()
	morton := must(hurray.NewTensor(d, buffer))
	defer morton.Close()
	_, err = morton.ToDLPack()
	fails(t, err, hurray.ErrUnsupported)
}
