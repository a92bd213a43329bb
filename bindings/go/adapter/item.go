package main

import (
	"errors"
	"fmt"
	"slices"

	hurray "github.com/hurray-format/hurray-go"
)

type (
	itemIn struct {
		Tensor    *descriptorIn
		Data      []digits
		Composite *descriptorIn
		Members   []itemIn
	}
	descriptorIn struct {
		DType         any
		Shape         []wide
		ByteOffset    wide `json:"byte_offset"`
		Layout        layoutIn
		Quantization  *schemeIn
		Shard         *shardIn
		Statistics    *statisticsIn
		ExtensionType *extensionIn `json:"extension_type"`
		MemberRole    any          `json:"member_role"`
	}
	layoutIn struct {
		Tag                 any
		Strides             []signed
		Levels              []levelIn
		Bits                []uint64
		NNZ                 wide
		IsSorted            bool     `json:"is_sorted"`
		ModeOrder           []uint64 `json:"mode_order"`
		PageSize            uint32   `json:"page_size"`
		NumPages            wide     `json:"num_pages"`
		PagedAxis           uint32   `json:"paged_axis"`
		NumSeqs             uint32   `json:"num_seqs"`
		KVRole              any      `json:"kv_role"`
		LayerIndex          *uint32  `json:"layer_index"`
		BlockTableIndexType string   `json:"block_table_index_type"`
		Rule                any
		CombineOp           any    `json:"combine_op"`
		MemberCount         uint32 `json:"member_count"`
		Order               uint32
		Rank                uint32
		LayoutID            wide `json:"layout_id"`
		Data                digits
	}
	levelIn struct {
		TileShape    []wide `json:"tile_shape"`
		Outer, Inner any
		OuterStrides []signed `json:"outer_strides"`
		InnerStrides []signed `json:"inner_strides"`
	}
	schemeIn struct {
		Scheme          any
		Scale           double
		ZeroPoint       int32 `json:"zero_point"`
		Axis            uint32
		BlockSize       uint32  `json:"block_size"`
		ScaleBuffer     *uint32 `json:"scale_buffer"`
		ZeroPointBuffer *uint32 `json:"zero_point_buffer"`
		ScaleType       any     `json:"scale_type"`
	}
	shardIn struct {
		ParentShape []wide `json:"parent_shape"`
		Offset      []wide
	}
	statisticsIn struct {
		NNZ           *wide
		SparsityRatio *double `json:"sparsity_ratio"`
		Min, Max      *double
		AbsMax        *double `json:"abs_max"`
		Mean, StdDev  *double
		N             *uint8 `json:"nm_n"`
		M             *uint8 `json:"nm_m"`
		HasNaN        *bool  `json:"has_nan"`
		HasInf        *bool  `json:"has_inf"`
	}
	extensionIn struct {
		BitWidth      uint32 `json:"bit_width"`
		PackingFactor uint8  `json:"packing_factor"`
		IsFloat       bool   `json:"is_float"`
		IsSigned      bool   `json:"is_signed"`
		SignBits      uint8  `json:"sign_bits"`
		ExponentBits  uint8  `json:"exponent_bits"`
		MantissaBits  uint8  `json:"mantissa_bits"`
		ExponentBias  uint32 `json:"exponent_bias"`
		HasNaN        bool   `json:"has_nan"`
		HasInf        bool   `json:"has_inf"`
	}
)

// make makes the item by the routes that the package gives its users.
func (i *itemIn) make() (*hurray.Item, error) {
	if i.Composite != nil {
		return i.composite()
	}
	d, err := i.Tensor.make(i.Data)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	tensor, err := boundTo(d, i.Data)
	if err != nil {
		return nil, err
	}
	defer tensor.Close()
	return hurray.NewItem(tensor)
}

// boundTo makes a tensor of a descriptor and copies of buffers.
func boundTo(d *hurray.Descriptor, parts []digits) (*hurray.Tensor, error) {
	var buffers []*hurray.Buffer
	for _, data := range parts {
		buffer, err := hurray.BufferCopyOf(data)
		if err != nil {
			return nil, err
		}
		defer buffer.Close()
		buffers = append(buffers, buffer)
	}
	return hurray.NewTensor(d, buffers...)
}

func (i *itemIn) composite() (*hurray.Item, error) {
	head, err := i.Composite.make(nil)
	if err != nil {
		return nil, err
	}
	defer head.Close()
	var members []*hurray.Item
	for _, member := range i.Members {
		made, err := member.make()
		if err != nil {
			return nil, err
		}
		defer made.Close()
		members = append(members, made)
	}
	return hurray.NewComposite(head, members...)
}

// make makes the descriptor of buffers of these lengths.
func (d *descriptorIn) make(data []digits) (*hurray.Descriptor, error) {
	b, err := d.builder()
	if err != nil {
		return nil, err
	}
	for _, bytes := range data {
		b.Buffer(hurray.BufferEntry{ByteSize: uint64(len(bytes))})
	}
	return b.Finish()
}

// target makes the descriptor of a conversion's result, with the buffers that it implies.
func (d *descriptorIn) target() (*hurray.Descriptor, error) {
	b, err := d.builder()
	if err != nil {
		return nil, err
	}
	return b.DefaultBuffers().Finish()
}

func (d *descriptorIn) builder() (*hurray.Builder, error) {
	kind, err := tagOf[hurray.ElementType](d.DType)
	if err != nil {
		return nil, err
	}
	layout, err := d.Layout.make()
	if err != nil {
		return nil, err
	}
	b := hurray.NewBuilder(kind, unsigneds(d.Shape), layout)
	if d.ByteOffset != 0 {
		b.ByteOffset(uint64(d.ByteOffset))
	}
	if d.Quantization != nil {
		scheme, err := d.Quantization.make()
		if err != nil {
			return nil, err
		}
		b.Quantization(scheme)
	}
	if d.Shard != nil {
		b.Shard(hurray.Shard{ParentShape: unsigneds(d.Shard.ParentShape), Offset: unsigneds(d.Shard.Offset)})
	}
	if d.Statistics != nil {
		b.Statistics(d.Statistics.make())
	}
	if d.ExtensionType != nil {
		b.ExtensionType(hurray.ExtensionType(*d.ExtensionType))
	}
	if d.MemberRole != nil {
		role, err := tagOf[hurray.MemberRole](d.MemberRole)
		if err != nil {
			return nil, err
		}
		b.MemberRole(role)
	}
	return b, nil
}

func (l *layoutIn) make() (hurray.Layout, error) {
	found, err := tagOf[hurray.LayoutTag](l.Tag)
	if err != nil {
		return nil, err
	}
	switch found {
	case hurray.TagRowMajor:
		return hurray.RowMajorLayout{}, nil
	case hurray.TagColumnMajor:
		return hurray.ColumnMajorLayout{}, nil
	case hurray.TagStrided:
		return hurray.StridedLayout{Strides: integers(l.Strides)}, nil
	case hurray.TagTiled:
		return l.tiled()
	case hurray.TagMorton:
		return hurray.MortonLayout{Bits: l.Bits}, nil
	case hurray.TagCOO:
		return hurray.COOLayout{NNZ: uint64(l.NNZ), IsSorted: l.IsSorted}, nil
	case hurray.TagCSR:
		return hurray.CSRLayout{NNZ: uint64(l.NNZ)}, nil
	case hurray.TagCSC:
		return hurray.CSCLayout{NNZ: uint64(l.NNZ)}, nil
	case hurray.TagCSF:
		return hurray.CSFLayout{NNZ: uint64(l.NNZ), ModeOrder: l.ModeOrder}, nil
	case hurray.TagBlockPaged:
		role, err := tagOf[hurray.KVRole](l.KVRole)
		index := slices.Index(indexTypes[:], l.BlockTableIndexType)
		return hurray.BlockPagedLayout{
			PageSize: l.PageSize, NumPages: uint64(l.NumPages), PagedAxis: l.PagedAxis, NumSeqs: l.NumSeqs,
			KVRole: role, LayerIndex: l.LayerIndex, BlockTableIndexType: uint8(max(index, 0)),
		}, err
	case hurray.TagComposite:
		rule, err := tagOf[hurray.CompositionRule](l.Rule)
		if err != nil {
			return nil, err
		}
		op, err := tagOf[hurray.CombineOp](l.CombineOp)
		return hurray.CompositeLayout{Rule: rule, CombineOp: op, MemberCount: l.MemberCount}, err
	case hurray.TagHilbert:
		return hurray.HilbertLayout{Order: l.Order, Rank: l.Rank}, nil
	default:
		return hurray.PrivateLayout{LayoutTag: found, LayoutID: uint64(l.LayoutID), Data: l.Data}, nil
	}
}

func (l *layoutIn) tiled() (hurray.Layout, error) {
	var tiled hurray.TiledLayout
	for _, level := range l.Levels {
		outer, err := tagOf[hurray.LayoutTag](level.Outer)
		if err != nil {
			return nil, err
		}
		inner, err := tagOf[hurray.LayoutTag](level.Inner)
		if err != nil {
			return nil, err
		}
		made := hurray.TileLevel{TileShape: unsigneds(level.TileShape), Outer: outer, Inner: inner}
		if level.OuterStrides != nil {
			made.OuterStrides = integers(level.OuterStrides)
		}
		if level.InnerStrides != nil {
			made.InnerStrides = integers(level.InnerStrides)
		}
		tiled.Levels = append(tiled.Levels, made)
	}
	return tiled, nil
}

func (s *schemeIn) make() (hurray.Quantization, error) {
	found, err := tagOf[hurray.SchemeTag](s.Scheme)
	if err != nil {
		return nil, err
	}
	var kind hurray.ElementType
	if s.ScaleType != nil {
		if kind, err = tagOf[hurray.ElementType](s.ScaleType); err != nil {
			return nil, err
		}
	}
	switch found {
	case hurray.TagPerTensorAffine:
		return hurray.PerTensorAffine{Scale: float32(s.Scale), ZeroPoint: s.ZeroPoint}, nil
	case hurray.TagPerChannelAffine:
		return hurray.PerChannelAffine{Axis: s.Axis, ScaleBuffer: s.ScaleBuffer, ZeroPointBuffer: s.ZeroPointBuffer,
			ScaleType: kind}, nil
	case hurray.TagPerBlockAffine:
		return hurray.PerBlockAffine{Axis: s.Axis, BlockSize: s.BlockSize, ScaleBuffer: s.ScaleBuffer,
			ZeroPointBuffer: s.ZeroPointBuffer, ScaleType: kind}, nil
	case hurray.TagNF4:
		return hurray.NF4{Axis: s.Axis, BlockSize: s.BlockSize, ScaleBuffer: s.ScaleBuffer}, nil
	case hurray.TagMXFP:
		return hurray.MXFP{Axis: s.Axis, BlockSize: s.BlockSize, ScaleBuffer: s.ScaleBuffer}, nil
	default:
		return nil, fault(fmt.Sprintf("no scheme %v", s.Scheme))
	}
}

func (s *statisticsIn) make() hurray.Statistics {
	made := hurray.Statistics{
		NNZ:           maybe(s.NNZ, func(v wide) uint64 { return uint64(v) }),
		SparsityRatio: floatOf(s.SparsityRatio),
	}
	if s.Min != nil && s.Max != nil && s.AbsMax != nil {
		made.Range = &hurray.Range{Min: float64(*s.Min), Max: float64(*s.Max), AbsMax: float64(*s.AbsMax)}
	}
	if s.Mean != nil && s.StdDev != nil {
		made.Moments = &hurray.Moments{Mean: float64(*s.Mean), StdDev: float64(*s.StdDev)}
	}
	if s.N != nil && s.M != nil {
		made.Pattern = &hurray.Pattern{N: *s.N, M: *s.M}
	}
	if s.HasNaN != nil && s.HasInf != nil {
		made.Special = &hurray.Special{HasNaN: *s.HasNaN, HasInf: *s.HasInf}
	}
	return made
}

// itemOut reads an item back, with the bytes of all buffers.
func itemOut(item *hurray.Item) (answer, error) {
	if item.Kind() == hurray.ItemComposite {
		head, err := item.Head()
		if err != nil {
			return nil, err
		}
		members := []answer{}
		for k := range item.Len() {
			member, err := item.Member(k)
			if err != nil {
				return nil, err
			}
			out, err := itemOut(member)
			member.Close()
			if err != nil {
				return nil, err
			}
			members = append(members, out)
		}
		return answer{"composite": descriptorOut(head), "members": members}, nil
	}
	if item.Kind() == hurray.ItemDescriptor {
		return aloneOut(item)
	}
	tensor, err := item.Tensor()
	if err != nil {
		return nil, err
	}
	defer tensor.Close()
	return tensorOut(tensor)
}

// aloneOut reads a descriptor back that came alone, and the bytes that came with it.
func aloneOut(item *hurray.Item) (answer, error) {
	head, err := item.Head()
	if err != nil {
		return nil, err
	}
	out := answer{"descriptor": descriptorOut(head)}
	data, err := item.Data()
	if errors.Is(err, hurray.ErrFieldNotApplicable) {
		return out, nil
	}
	if err != nil {
		return nil, err
	}
	defer data.Close()
	out["data"], err = bytesOut(data, 0)
	return out, err
}

func bytesOut(tensor *hurray.Tensor, index int) (string, error) {
	buffer, err := tensor.Buffer(index)
	if err != nil {
		return "", err
	}
	defer buffer.Close()
	bytes, err := buffer.CopyBytes()
	return hex(bytes), err
}

func tensorOut(tensor *hurray.Tensor) (answer, error) {
	d, err := tensor.Descriptor()
	if err != nil {
		return nil, err
	}
	count, err := tensor.BufferCount()
	if err != nil {
		return nil, err
	}
	data := []string{}
	for k := range count {
		bytes, err := bytesOut(tensor, k)
		if err != nil {
			return nil, err
		}
		data = append(data, bytes)
	}
	return answer{"tensor": descriptorOut(d), "data": data}, nil
}
