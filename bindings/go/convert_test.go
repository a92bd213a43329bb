package hurray_test

import (
	"math"
	"testing"

	hurray "github.com/hurray-format/hurray-go"
)

func TestToLayout(t *testing.T) {
	noLeak(t)
	columns := must(hurray.FromStrided([]float64{1, 4, 2, 5, 3, 6}, []uint64{2, 3}, []int{1, 2}, 0))
	defer columns.Close()
	var c hurray.Conversion
	rows := must(columns.ToRowMajor(&c))
	defer rows.Close()
	equal(t, "elements", must(hurray.View[float64](rows)), []float64{1, 2, 3, 4, 5, 6})
	equal(t, "written", c.Written, 48)
	share := must(rows.ToRowMajor(&c))
	equal(t, "written by a share", c.Written, 0)
	share.Close()
	_, err := columns.ToRowMajor(&hurray.Conversion{Options: []hurray.Option{hurray.CopyNever}})
	fails(t, err, hurray.ErrCopyRequired)

	builder := hurray.NewBuilder(hurray.TypeFloat64, []uint64{2, 3}, hurray.ColumnMajorLayout{})
	target := must(builder.DefaultBuffers().Finish())
	defer target.Close()
	into := must(hurray.NewBuffer(48, 64))
	defer into.Close()
	back := must(rows.ToLayout(target, &hurray.Conversion{Into: into}))
	defer back.Close()
	equal(t, "elements", must(hurray.ToSlice[float64](back)), []float64{1, 2, 3, 4, 5, 6})
	equal(t, "memory", must(into.Bytes())[8:16], little64(4))
	equal(t, "offset", must(back.ElementOffset(1, 2)), 5)
	equal(t, "offset by arithmetic", must(target.ElementOffset(0, 2)), 4)
	_, err = back.ElementOffset(2, 0)
	fails(t, err, hurray.ErrIndexOutOfBounds)
}

func little64(value float64) []byte { return u64(math.Float64bits(value)) }

func TestPackedCodes(t *testing.T) {
	noLeak(t)
	tensor := must(hurray.FromBytes([]byte{0x21, 0x43, 0x05}, hurray.TypeUint4, []uint64{5}))
	defer tensor.Close()
	codes := must(tensor.Unpack(nil))
	defer codes.Close()
	equal(t, "codes", must(hurray.View[uint8](codes)), []uint8{1, 2, 3, 4, 5})
	packed := must(codes.Pack(hurray.TypeUint4, nil))
	defer packed.Close()
	equal(t, "packed", must(hurray.ToBytes(packed)), []byte{0x21, 0x43, 0x05})
	signed := must(hurray.FromBytes([]byte{0x9F}, hurray.TypeInt4, []uint64{2}))
	defer signed.Close()
	negative := must(signed.Unpack(nil))
	defer negative.Close()
	equal(t, "signed codes", must(hurray.View[int8](negative)), []int8{-1, -7})
	truths := must(hurray.FromBytes([]byte{0b10110}, hurray.TypeBool, []uint64{5}))
	defer truths.Close()
	bytes := must(truths.Unpack(nil))
	defer bytes.Close()
	equal(t, "truth values", must(hurray.View[uint8](bytes)), []uint8{0, 1, 1, 0, 1})
	_, err := codes.Unpack(nil)
	fails(t, err, hurray.ErrInvalidType)
}

func TestQuantizeAndBack(t *testing.T) {
	noLeak(t)
	numbers := must(hurray.FromSlice([]float32{1, -2, 0.5, 4}, []uint64{2, 2}))
	defer numbers.Close()
	target := must(hurray.NewBuilder(hurray.TypeInt8, []uint64{2, 2}, nil).
		Quantization(hurray.PerChannelAffine{Axis: 0}).DefaultBuffers().Finish())
	defer target.Close()
	scales := must(hurray.BufferCopyOf([]float32{0.5, 0.25}))
	defer scales.Close()
	codes := must(numbers.Quantize(target, []*hurray.Buffer{scales}, nil))
	defer codes.Close()
	equal(t, "codes", must(hurray.View[int8](codes)), []int8{2, -4, 2, 16})
	back := must(codes.Dequantize(hurray.TypeFloat64, nil))
	defer back.Close()
	equal(t, "numbers", must(hurray.View[float64](back)), []float64{1, -2, 0.5, 4})
	computed := must(numbers.Quantize(target, nil, nil))
	defer computed.Close()
	// The largest magnitude of each row becomes the greatest code.
	found := must(hurray.View[int8](computed))
	equal(t, "greatest codes", []int8{found[1], found[3]}, []int8{-127, 127})
	_, err := numbers.Quantize(target, []*hurray.Buffer{}, nil)
	fails(t, err, hurray.ErrInvalidArgument)
}

func TestSlice(t *testing.T) {
	noLeak(t)
	data := aligned[float32](6, 0)
	copy(data, []float32{1, 2, 3, 4, 5, 6})
	tensor := must(hurray.FromSlice(data, []uint64{2, 3}))
	defer tensor.Close()
	all, back := hurray.Span{Start: 0, Stop: 2, Step: 1}, hurray.Span{Start: 2, Stop: 0, Step: -1}
	var c hurray.Conversion
	part := must(tensor.Slice([]hurray.Span{all, back}, &c))
	defer part.Close()
	equal(t, "elements", must(hurray.ToSlice[float32](part)), []float32{3, 2, 6, 5})
	equal(t, "written", c.Written, 0)
	data[5] = -6
	equal(t, "elements in place", must(hurray.ToSlice[float32](part)), []float32{3, 2, -6, 5})
	reversed := must(tensor.Slice([]hurray.Span{{Start: 1, Stop: -1, Step: -1}, {Start: 1, Stop: 2, Step: 1}}, nil))
	defer reversed.Close()
	equal(t, "upwards", must(hurray.ToSlice[float32](reversed)), []float32{5, 2})
	_, err := tensor.Slice([]hurray.Span{all}, nil)
	fails(t, err, hurray.ErrInvalidArgument)
	_, err = tensor.Slice([]hurray.Span{all, {Start: 0, Stop: 4, Step: 1}}, nil)
	fails(t, err, hurray.ErrIndexOutOfBounds)
	into := must(hurray.NewBuffer(24, 64))
	defer into.Close()
	_, err = tensor.Slice([]hurray.Span{all, all}, &hurray.Conversion{Into: into})
	fails(t, err, hurray.ErrInvalidArgument)
}

func TestComputeStatistics(t *testing.T) {
	noLeak(t)
	tensor := must(hurray.FromSlice([]float64{0, 3, -4, 1}, []uint64{4}))
	defer tensor.Close()
	d := must(tensor.ComputeStatistics())
	defer d.Close()
	found := d.Statistics()
	// The mean is 0; the squares add up to 26.
	equal(t, "not zero", *found.NNZ, 3)
	equal(t, "share of zeros", *found.SparsityRatio, 0.25)
	equal(t, "range", *found.Range, hurray.Range{Min: -4, Max: 3, AbsMax: 4})
	equal(t, "mean", found.Moments.Mean, 0)
	if math.Abs(found.Moments.StdDev-math.Sqrt(6.5)) > 1e-12 {
		t.Errorf("the deviation is %v", found.Moments.StdDev)
	}
	equal(t, "special", *found.Special, hurray.Special{})
	equal(t, "shape", d.Shape(), []uint64{4})
}

func TestCheckData(t *testing.T) {
	noLeak(t)
	sparse := func(columns ...uint64) *hurray.Tensor {
		builder := hurray.NewBuilder(hurray.TypeFloat32, []uint64{2, 3}, hurray.CSRLayout{NNZ: 2})
		d := must(builder.DefaultBuffers().Finish())
		defer d.Close()
		values, indices := must(hurray.BufferCopyOf([]float32{1, 2})), must(hurray.BufferCopyOf(columns))
		pointers := must(hurray.BufferCopyOf([]uint64{0, 2, 2}))
		defer values.Close()
		defer indices.Close()
		defer pointers.Close()
		return must(hurray.NewTensor(d, values, indices, pointers))
	}
	right, beyond, unordered := sparse(0, 2), sparse(0, 3), sparse(2, 0)
	defer right.Close()
	defer beyond.Close()
	defer unordered.Close()
	must(0, right.CheckData())
	contains(t, fails(t, beyond.CheckData(), hurray.ErrInvalidLayout), "L-032")
	contains(t, fails(t, unordered.CheckData(), hurray.ErrInvalidLayout), "L-033")
}

// Two sequences of three and two tokens, two tokens a page: the first is in pages 1 and 0, the second in page 2.
func TestGatherAndScatter(t *testing.T) {
	noLeak(t)
	pool := aligned[float32](6, 0)
	copy(pool, []float32{0, 1, 10, 11, 20, 21})
	layout := hurray.BlockPagedLayout{PageSize: 2, NumPages: 3, NumSeqs: 2, KVRole: hurray.KVRoleKey}
	d := must(hurray.NewBuilder(hurray.TypeFloat32, []uint64{5, 1, 1}, layout).
		Buffer(hurray.BufferEntry{ByteSize: 24}).Buffer(hurray.BufferEntry{ByteSize: 12}).
		Buffer(hurray.BufferEntry{ByteSize: 12}).Finish())
	defer d.Close()
	pages, table := must(hurray.BufferOf(pool)), must(hurray.BufferCopyOf([]uint32{1, 0, 2}))
	ends := must(hurray.BufferCopyOf([]uint32{0, 2, 3}))
	paged := must(hurray.NewTensor(d, pages, table, ends))
	defer paged.Close()
	pages.Close()
	table.Close()
	ends.Close()

	var c hurray.Conversion
	tokens := must(paged.Gather([]uint64{3, 2}, &c))
	defer tokens.Close()
	equal(t, "tokens", must(hurray.View[float32](tokens)), []float32{10, 11, 0, 20, 21})
	equal(t, "written", c.Written, 20)
	_, err := paged.Gather([]uint64{5, 1}, nil)
	fails(t, err, hurray.ErrInvalidArgument)
	_, err = paged.Gather([]uint64{1, 4}, nil)
	fails(t, err, hurray.ErrIndexOutOfBounds)
	_, err = tokens.Gather(nil, nil)
	fails(t, err, hurray.ErrInvalidArgument)

	other := must(hurray.FromSlice([]float32{-1, -2, -3, -4, -5}, []uint64{5, 1, 1}))
	defer other.Close()
	must(0, other.Scatter(paged, []uint64{3, 2}, &c))
	// The second slot of page 0 holds no token, and stays.
	equal(t, "pages", pool, []float32{-3, 1, -1, -2, -4, -5})
	equal(t, "written", c.Written, 20)
	fails(t, other.Scatter(tokens, nil, nil), hurray.ErrInvalidArgument)
	fails(t, other.Scatter(paged, []uint64{3, 2}, &hurray.Conversion{Into: must(paged.Buffer(0))}),
		hurray.ErrInvalidArgument)
}

// The named types have the values that the library gives them, all of them.
func TestNarrowFloatsAsTheLibraryHasThem(t *testing.T) {
	noLeak(t)
	same(t, 1<<16, func(v hurray.Float16) float32 { return v.Float32() })
	same(t, 1<<16, func(v hurray.BFloat16) float32 { return v.Float32() })
	same(t, 1<<8, func(v hurray.Float8E4M3) float32 { return v.Float32() })
	same(t, 1<<8, func(v hurray.Float8E5M2) float32 { return v.Float32() })
	same(t, 1<<8, func(v hurray.Float8E8M0) float32 { return v.Float32() })
}

func same[T interface {
	hurray.Element
	~uint8 | ~uint16
}](t *testing.T, count int, convert func(T) float32) {
	t.Helper()
	codes := make([]T, count)
	for k := range codes {
		codes[k] = T(k)
	}
	tensor := must(hurray.FromSlice(codes, []uint64{uint64(count)}))
	defer tensor.Close()
	numbers := must(tensor.Dequantize(hurray.TypeFloat32, nil))
	defer numbers.Close()
	for k, wanted := range must(hurray.View[float32](numbers)) {
		found := convert(codes[k])
		if math.Float32bits(found) != math.Float32bits(wanted) && (found == found || wanted == wanted) {
			t.Fatalf("%v %#x is %v, not %v", hurray.ElementTypeOf[T](), codes[k], found, wanted)
		}
	}
}
