package hurray_test

import (
	"testing"

	hurray "github.com/hurray-format/hurray-go"
)

func round(t *testing.T, builder *hurray.Builder) *hurray.Descriptor {
	t.Helper()
	built := must(builder.Finish())
	defer built.Close()
	return must(hurray.DecodeDescriptor(must(built.Encode())))
}

func TestQuantizations(t *testing.T) {
	noLeak(t)
	at := hurray.BufferIndex
	cases := []struct {
		kind    hurray.ElementType
		written hurray.Quantization
		read    hurray.Quantization
	}{
		{hurray.TypeInt8, hurray.PerTensorAffine{Scale: 0.25, ZeroPoint: -3},
			hurray.PerTensorAffine{Scale: 0.25, ZeroPoint: -3}},
		{hurray.TypeInt8, hurray.PerChannelAffine{Axis: 1},
			hurray.PerChannelAffine{Axis: 1, ScaleBuffer: at(1), ScaleType: hurray.TypeFloat32}},
		{hurray.TypeInt8, hurray.PerChannelAffine{Axis: 0, ScaleBuffer: at(1), ZeroPointBuffer: at(2),
			ScaleType: hurray.TypeFloat32}, hurray.PerChannelAffine{Axis: 0, ScaleBuffer: at(1), ZeroPointBuffer: at(2),
			ScaleType: hurray.TypeFloat32}},
		{hurray.TypeInt8, hurray.PerBlockAffine{Axis: 1, BlockSize: 32, ScaleType: hurray.TypeFloat16},
			hurray.PerBlockAffine{Axis: 1, BlockSize: 32, ScaleBuffer: at(1), ScaleType: hurray.TypeFloat16}},
		{hurray.TypeUint4, hurray.NF4{Axis: 1, BlockSize: 64}, hurray.NF4{Axis: 1, BlockSize: 64, ScaleBuffer: at(1)}},
		{hurray.TypeFloat4E2M1, hurray.MXFP{Axis: 1, BlockSize: 32},
			hurray.MXFP{Axis: 1, BlockSize: 32, ScaleBuffer: at(1)}},
	}
	for _, one := range cases {
		builder := hurray.NewBuilder(one.kind, []uint64{4, 64}, nil).Quantization(one.written).DefaultBuffers()
		d := round(t, builder)
		equal(t, one.written.Tag().String(), d.Quantization(), one.read)
		d.Close()
	}
}

// The section of quantization.md, by hand: scheme 1, version 1, no flags, scale 0.25, zero point -3.
func TestQuantizationBytes(t *testing.T) {
	noLeak(t)
	one := wire{kind: 0x10, layout: 1, shape: []uint64{2}, buffers: []uint64{2}}
	one.quantization = []byte{1, 1, 0, 0, 0, 0, 0x80, 0x3E, 0xFD, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0}
	d := must(hurray.DecodeDescriptor(one.bytes()))
	defer d.Close()
	equal(t, "scheme", d.Quantization(), hurray.Quantization(hurray.PerTensorAffine{Scale: 0.25, ZeroPoint: -3}))
	one.quantization = []byte{0xEE, 2, 5, 0, 1, 2, 3}
	_, err := hurray.DecodeDescriptor(one.bytes())
	if err == nil {
		t.Fatal("an unknown scheme was accepted")
	}
	unknown := must(hurray.DecodeDescriptor(one.bytes(), hurray.OptionPermissive.Set(1)))
	defer unknown.Close()
	equal(t, "unknown scheme", unknown.Quantization(), hurray.Quantization(
		hurray.UnknownScheme{SchemeTag: 0xEE, Version: 2, Flags: 5, Data: []byte{1, 2, 3}}))
}

func TestSections(t *testing.T) {
	noLeak(t)
	nnz, ratio := uint64(5), 0.25
	shard := hurray.Shard{ParentShape: []uint64{8, 8}, Offset: []uint64{4, 0}}
	statistics := hurray.Statistics{
		NNZ: &nnz, SparsityRatio: &ratio, Range: &hurray.Range{Min: -1, Max: 2, AbsMax: 2},
		Moments: &hurray.Moments{Mean: 0.5, StdDev: 1.5}, Pattern: &hurray.Pattern{N: 2, M: 4},
		Special: &hurray.Special{HasNaN: true},
	}
	builder := hurray.NewBuilder(hurray.TypeFloat32, []uint64{4, 8}, nil).Shard(shard).Statistics(statistics)
	d := round(t, builder.MemberRole(hurray.MemberBase).DefaultBuffers())
	defer d.Close()
	equal(t, "shard", *d.Shard(), shard)
	equal(t, "statistics", *d.Statistics(), statistics)
	equal(t, "role", *d.MemberRole(), hurray.MemberBase)

	kind := hurray.ExtensionType{BitWidth: 8, PackingFactor: 1, IsFloat: true, SignBits: 1,
		ExponentBits: 3, MantissaBits: 4, ExponentBias: 3, HasNaN: true}
	private := must(hurray.NewBuilder(0xF1, []uint64{3}, nil).ExtensionType(kind).
		Buffer(hurray.BufferEntry{ByteSize: 3}).Finish())
	defer private.Close()
	equal(t, "extension type", *private.ExtensionType(), kind)
}

func TestBuilderRefuses(t *testing.T) {
	noLeak(t)
	_, err := hurray.NewBuilder(hurray.TypeFloat32, []uint64{2, 2}, hurray.StridedLayout{Strides: []int64{1}}).
		DefaultBuffers().Finish()
	if err == nil {
		t.Error("one stride for two dimensions was accepted")
	}
	_, err = hurray.NewBuilder(hurray.TypeFloat32, make([]uint64, 65), nil).Finish()
	fails(t, err, hurray.ErrLimitExceeded)
	_, err = hurray.NewBuilder(hurray.TypeFloat32, []uint64{2}, nil).Set(0x00010300, 0, []int64{1}).Finish()
	fails(t, err, hurray.ErrFieldNotApplicable)
	_, err = hurray.NewBuilder(hurray.TypeFloat32, []uint64{2}, nil).Set(0x00080007, 0, "text").Finish()
	fails(t, err, hurray.ErrInvalidArgument)
	_, err = hurray.NewBuilder(hurray.TypeFloat32, []uint64{2}, nil).Buffer(hurray.BufferEntry{ByteSize: 4}).Finish()
	fails(t, err, hurray.ErrBufferMismatch)
}

func TestBuilderSetsFields(t *testing.T) {
	noLeak(t)
	d := must(hurray.NewBuilder(hurray.TypeFloat32, []uint64{2}, nil).
		Set(0x00040003, 0, -1.5).Set(0x00040004, 0, 2.5).Set(0x00040005, 0, 2.5).
		Set(0x00080007, 0, uint64(64)).DefaultBuffers().Finish())
	defer d.Close()
	equal(t, "range", *d.Statistics().Range, hurray.Range{Min: -1.5, Max: 2.5, AbsMax: 2.5})
	equal(t, "byte offset", d.ByteOffset(), 64)
	field, ok := d.Field(0x00040003, 0)
	equal(t, "field", ok && field.Value() == -1.5, true)
}
