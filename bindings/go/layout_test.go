package hurray_test

import (
	"fmt"
	"testing"

	hurray "github.com/hurray-format/hurray-go"
)

// Every layout is read from bytes written by hand, and written back to the same bytes from its struct.
func TestLayouts(t *testing.T) {
	noLeak(t)
	tiles := hurray.TiledLayout{Levels: []hurray.TileLevel{
		{TileShape: []uint64{4, 4}, Outer: hurray.TagRowMajor, Inner: hurray.TagTiled},
		{TileShape: []uint64{2, 2}, Outer: hurray.TagColumnMajor, Inner: hurray.TagRowMajor},
	}}
	strided := hurray.TiledLayout{Levels: []hurray.TileLevel{{
		TileShape: []uint64{2, 2}, Outer: hurray.TagStrided, Inner: hurray.TagStrided,
		OuterStrides: []int64{1, 2}, InnerStrides: []int64{2, 1},
	}}}
	paged := func(layer []byte, index uint8) []byte {
		return join(u32(3), u64(5), u32(0), u32(2), []byte{1}, layer, []byte{index}, make([]byte, 6))
	}
	eight := make([]byte, 8)
	cases := []struct {
		name     string
		wire     wire
		layout   hurray.Layout
		defaults bool // the buffers are the smallest that the layout implies
	}{
		{"row-major", wire{kind: 3, layout: 1, shape: []uint64{2, 3}, buffers: []uint64{24}},
			hurray.RowMajorLayout{}, true},
		{"column-major", wire{kind: 0x12, layout: 2, shape: []uint64{2, 4, 3}, buffers: []uint64{48}},
			hurray.ColumnMajorLayout{}, true},
		{"strided", wire{kind: 0x14, layout: 3, shape: []uint64{3, 4}, buffers: []uint64{56},
			payload: join(i64(5), i64(1))},
			hurray.StridedLayout{Strides: []int64{5, 1}}, true},
		{"tiled twice", wire{kind: 0x11, layout: 4, shape: []uint64{8, 4}, buffers: []uint64{32},
			payload: join(u64(4), u64(4), []byte{1, 4, 0, 0}, u64(2), u64(2), []byte{2, 1, 0, 0})}, tiles, true},
		{"tiled with strides", wire{kind: 0x11, layout: 4, shape: []uint64{4, 4}, buffers: []uint64{16},
			payload: join(u64(2), u64(2), []byte{3, 3, 0, 0}, i64(1), i64(2), i64(2), i64(1))}, strided, true},
		{"morton", wire{kind: 0x11, layout: 5, shape: []uint64{5, 3, 6}, payload: join(u32(3), u32(3), u32(3)),
			buffers: []uint64{512}}, hurray.MortonLayout{Bits: []uint64{3, 3, 3}}, true},
		{"coo", wire{kind: 0x48, layout: 6, shape: []uint64{3, 2, 4}, payload: join(u64(3), []byte{1}, eight[:7]),
			buffers: []uint64{2, 72}}, hurray.COOLayout{NNZ: 3, IsSorted: true}, true},
		{"csr", wire{kind: 3, layout: 7, shape: []uint64{4, 6}, buffers: []uint64{32, 64, 40},
			payload: join(u64(8), eight)},
			hurray.CSRLayout{NNZ: 8}, true},
		{"csc", wire{kind: 3, layout: 8, shape: []uint64{4, 6}, buffers: []uint64{32, 64, 56},
			payload: join(u64(8), eight)},
			hurray.CSCLayout{NNZ: 8}, true},
		{"csf", wire{kind: 3, layout: 9, shape: []uint64{3, 4, 5}, payload: join(u64(9), u32(2), u32(0), u32(1), eight),
			buffers: []uint64{36, 16, 40, 48, 56, 64, 72}},
			hurray.CSFLayout{NNZ: 9, ModeOrder: []uint64{2, 0, 1}}, false},
		{"block-paged", wire{kind: 1, layout: 10, shape: []uint64{11, 2, 2}, payload: paged(u32(7), 0),
			buffers: []uint64{120, 20, 12}}, hurray.BlockPagedLayout{PageSize: 3, NumPages: 5, NumSeqs: 2,
			KVRole: hurray.KVRoleValue, LayerIndex: hurray.BufferIndex(7)}, false},
		{"block-paged without layer", wire{kind: 1, layout: 10, shape: []uint64{11, 2, 2},
			payload: paged(u32(0xFFFFFFFF), 1), buffers: []uint64{120, 40, 24}},
			hurray.BlockPagedLayout{PageSize: 3, NumPages: 5, NumSeqs: 2, KVRole: hurray.KVRoleValue,
				BlockTableIndexType: 1}, false},
		{"composite", wire{kind: 3, layout: 11, shape: []uint64{4, 4}, payload: join([]byte{2, 1, 0, 0}, u32(3))},
			hurray.CompositeLayout{Rule: hurray.RuleOverlay, CombineOp: hurray.OpReplace, MemberCount: 3}, true},
		{"hilbert", wire{kind: 0x11, layout: 0x40, shape: []uint64{4, 4}, payload: join(u32(2), u32(2)),
			buffers: []uint64{16}}, hurray.HilbertLayout{Order: 2, Rank: 2}, true},
	}
	for _, one := range cases {
		bytes := one.wire.bytes()
		d := must(hurray.DecodeDescriptor(bytes))
		equal(t, one.name, d.Layout(), one.layout)
		equal(t, one.name+" tag", d.Layout().Tag(), hurray.LayoutTag(one.wire.layout))
		builder := hurray.NewBuilder(hurray.ElementType(one.wire.kind), one.wire.shape, one.layout)
		for _, size := range one.wire.buffers {
			builder.Buffer(hurray.BufferEntry{ByteSize: size})
		}
		built := must(builder.Finish())
		equal(t, one.name+" built", must(built.Encode()), bytes)
		again := must(hurray.DescriptorFromFields(d.Fields()))
		equal(t, one.name+" of fields", must(again.Encode()), bytes)
		if one.defaults {
			builder := hurray.NewBuilder(hurray.ElementType(one.wire.kind), one.wire.shape, one.layout)
			smallest := must(builder.DefaultBuffers().Finish())
			equal(t, one.name+" with default buffers", must(smallest.Encode()), bytes)
			smallest.Close()
		}
		d.Close()
		built.Close()
		again.Close()
	}
}

func TestUnknownLayout(t *testing.T) {
	noLeak(t)
	one := wire{kind: 3, layout: 0x21, shape: []uint64{2}, payload: []byte{0xAA, 0xBB}, buffers: []uint64{8}}
	bytes := one.bytes()
	_, err := hurray.DecodeDescriptor(bytes)
	fails(t, err, hurray.ErrInvalidLayout)
	d := must(hurray.DecodeDescriptor(bytes, hurray.OptionPermissive.Set(1)))
	defer d.Close()
	equal(t, "layout", d.Layout(), hurray.Layout(hurray.UnknownLayout{LayoutTag: 0x21, Data: bytes[36:]}))
	equal(t, "buffers", len(d.Buffers()), 0)
	equal(t, "bytes", must(d.Encode()), bytes)
}

func TestNames(t *testing.T) {
	found := fmt.Sprint(hurray.TagBlockPaged, hurray.TagNF4, hurray.DeviceLevelZero, hurray.MemoryHostPinned,
		hurray.SyncProducerSynced, hurray.RulePartition, hurray.OpReplace, hurray.MemberBase, hurray.KVRoleFused,
		hurray.RoleZeroPoints, hurray.LayoutTag(0xF3))
	equal(t, "names", found, "block_paged nf4 level_zero host_pinned producer_synced partition replace base fused "+
		"zero_points layout 0xf3")
}
