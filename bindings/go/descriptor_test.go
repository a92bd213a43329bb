package hurray_test

import (
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"strings"
	"testing"

	hurray "github.com/hurray-format/hurray-go"
)

func TestDescriptorReads(t *testing.T) {
	noLeak(t)
	bytes := wire{kind: 3, layout: 1, shape: []uint64{2, 3}, buffers: []uint64{24}}.bytes()
	d := must(hurray.DecodeDescriptor(append(bytes, 0xFF)))
	defer d.Close()
	equal(t, "element type", d.ElementType(), hurray.TypeFloat32)
	equal(t, "shape", d.Shape(), []uint64{2, 3})
	equal(t, "rank", d.Rank(), 2)
	equal(t, "layout", d.Layout(), hurray.Layout(hurray.RowMajorLayout{}))
	equal(t, "byte offset", d.ByteOffset(), 0)
	equal(t, "flags", d.Flags(), 0)
	count, known := d.ElementCount()
	equal(t, "element count", fmt.Sprint(count, known), "6 true")
	equal(t, "encoded length", d.EncodedLength(), uint64(len(bytes)))
	equal(t, "buffers", d.Buffers(), []hurray.BufferEntry{{ByteSize: 24, Alignment: 64, Role: hurray.RoleValues}})
	equal(t, "quantization", d.Quantization(), nil)
	equal(t, "shard", d.Shard(), nil)
	equal(t, "statistics", d.Statistics(), nil)
	equal(t, "extension type", d.ExtensionType(), nil)
	equal(t, "member role", d.MemberRole(), nil)
	equal(t, "bytes", must(d.Encode()), bytes)
	equal(t, "line", d.String(), "float32 [2, 3] row_major cpu 24 bytes")
	contains(t, must(d.Annotate()), "48 52 52 59", "shape[1] = 3")
}

func TestDescriptorScalar(t *testing.T) {
	noLeak(t)
	d := must(hurray.DecodeDescriptor(wire{kind: 4, layout: 1, buffers: []uint64{8}}.bytes()))
	defer d.Close()
	equal(t, "shape", d.Shape(), []uint64{})
	equal(t, "rank", d.Rank(), 0)
}

// A descriptor is read whole in two crossings at most, also one with a long shape and everything optional.
func TestDescriptorCrossings(t *testing.T) {
	noLeak(t)
	shape := make([]uint64, 64)
	for k := range shape {
		shape[k] = 1
	}
	long := wire{kind: 3, layout: 3, shape: shape, payload: make([]byte, 512), buffers: []uint64{4}}
	long.shard = make([]byte, 1024)
	for k := range 64 {
		long.shard[k*8] = 1
	}
	for name, bytes := range map[string][]byte{
		"short": wire{kind: 3, layout: 1, shape: []uint64{2, 3}, buffers: []uint64{24}}.bytes(),
		"long":  long.bytes(),
	} {
		before := runtime.NumCgoCall()
		d := must(hurray.DecodeDescriptor(bytes))
		d.ElementType()
		d.Shape()
		d.Layout()
		d.Buffers()
		d.Quantization()
		d.Shard()
		d.Statistics()
		d.ExtensionType()
		d.MemberRole()
		d.Fields()
		if crossings := runtime.NumCgoCall() - before; crossings > 2 {
			t.Errorf("%s: %d crossings", name, crossings)
		}
		d.Close()
	}
	tensor := must(hurray.FromSlice([]float32{1, 2}, []uint64{2}))
	defer tensor.Close()
	before := runtime.NumCgoCall()
	must(tensor.Descriptor())
	if crossings := runtime.NumCgoCall() - before; crossings > 2 {
		t.Errorf("of a tensor: %d crossings", crossings)
	}
}

// A failure costs no second crossing for its text.
func TestErrorInOneCrossing(t *testing.T) {
	bytes := wire{kind: 3, layout: 1, shape: []uint64{2, 3}, buffers: []uint64{24}}.bytes()
	hurray.DecodeDescriptor(bytes[:30])
	before := runtime.NumCgoCall()
	_, err := hurray.DecodeDescriptor(bytes[:30])
	equal(t, "crossings", runtime.NumCgoCall()-before, 1)
	text := fails(t, err, hurray.ErrTruncated)
	contains(t, text, "HURRAY_ERR_TRUNCATED", "V-")
	var made *hurray.Error
	errors.As(err, &made)
	if made.Offset == hurray.NoOffset {
		t.Error("the error has no offset")
	}
	if errors.Is(err, hurray.ErrCorrupt) {
		t.Error("the error is of two statuses")
	}
}

// The 512 words that are read at first do not do for a private layout with much data.
func TestDescriptorBeyondTheRoom(t *testing.T) {
	noLeak(t)
	data := []byte(strings.Repeat("abcdefghi", 1000))
	payload := join(u64(7), u32(uint32(len(data))), data)
	bytes := wire{kind: 3, layout: 0xF3, shape: []uint64{2}, payload: payload, buffers: []uint64{8}}.bytes()
	_, err := hurray.DecodeDescriptor(bytes)
	fails(t, err, hurray.ErrUnsupported)
	d := must(hurray.DecodeDescriptor(bytes, hurray.OptionPermissive.Set(1)))
	defer d.Close()
	equal(t, "layout", d.Layout(),
		hurray.Layout(hurray.PrivateLayout{LayoutTag: 0xF3, LayoutID: 7, Data: data}))
	equal(t, "bytes", must(d.Encode()), bytes)
}

func TestDescriptorClosed(t *testing.T) {
	noLeak(t)
	d := must(hurray.DecodeDescriptor(wire{kind: 3, layout: 1, shape: []uint64{2}, buffers: []uint64{8}}.bytes()))
	d.Close()
	d.Close()
	_, err := d.Encode()
	contains(t, fails(t, err, hurray.ErrInvalidHandle), "the descriptor is closed")
	equal(t, "is fs.ErrClosed", errors.Is(err, fs.ErrClosed), true)
	equal(t, "shape", d.Shape(), []uint64{2})
	contains(t, d.String(), "closed")
}

func TestDescriptorOfClosedTensor(t *testing.T) {
	noLeak(t)
	tensor := must(hurray.FromSlice(aligned[float32](2, 0), []uint64{2}))
	d := must(tensor.Descriptor())
	equal(t, "line", d.String(), "float32 [2] row_major cpu 8 bytes")
	d.Close()
	equal(t, "line after closing what is borrowed", d.String(), "float32 [2] row_major cpu 8 bytes")
	tensor.Close()
	_, err := d.Encode()
	fails(t, err, hurray.ErrInvalidHandle)
}
