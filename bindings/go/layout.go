package hurray

import "github.com/hurray-format/hurray-go/internal/capi"

// Layout is how a tensor's elements lie in memory: one of the struct types of this file.
type Layout interface {
	// Tag says which layout it is.
	Tag() LayoutTag
	write(out *fieldWriter)
}

type (
	// RowMajorLayout has the last dimension fastest.
	RowMajorLayout struct{}

	// ColumnMajorLayout has the first dimension fastest.
	ColumnMajorLayout struct{}

	// StridedLayout has one stride a dimension, in elements.
	StridedLayout struct{ Strides []int64 }

	// TiledLayout is made of tiles, possibly of tiles: Levels[0] cuts the tensor, each further level the tile of the
	// one before.
	TiledLayout struct{ Levels []TileLevel }

	// TileLevel is one level of tiles.
	TileLevel struct {
		TileShape    []uint64
		Outer        LayoutTag // Order of the tiles: row-major, column-major or strided.
		Inner        LayoutTag // Order inside a tile; tiled if a further level follows.
		OuterStrides []int64   // In tiles; nil unless Outer is strided.
		InnerStrides []int64   // In elements; nil unless Inner is strided.
	}

	// MortonLayout interleaves index bits: how many of each dimension.
	MortonLayout struct{ Bits []uint64 }

	// COOLayout is sparse, one coordinate tuple an entry.
	COOLayout struct {
		NNZ      uint64
		IsSorted bool
	}

	// CSRLayout is sparse, compressed rows.
	CSRLayout struct{ NNZ uint64 }

	// CSCLayout is sparse, compressed columns.
	CSCLayout struct{ NNZ uint64 }

	// CSFLayout is sparse, a tree of coordinates: level L holds dimension ModeOrder[L].
	CSFLayout struct {
		NNZ       uint64
		ModeOrder []uint64
	}

	// BlockPagedLayout has pages that are reached through a table.
	BlockPagedLayout struct {
		PageSize            uint32
		NumPages            uint64
		PagedAxis           uint32
		NumSeqs             uint32
		KVRole              KVRole
		LayerIndex          *uint32 // nil: none.
		BlockTableIndexType uint8   // 0: 32-bit table entries, 1: 64-bit.
	}

	// CompositeLayout is the head of a composite.
	CompositeLayout struct {
		Rule        CompositionRule
		CombineOp   CombineOp
		MemberCount uint32
	}

	// HilbertLayout goes along a Hilbert curve through a cube of side 2^Order.
	HilbertLayout struct{ Order, Rank uint32 }

	// PrivateLayout is agreed outside the format.
	PrivateLayout struct {
		LayoutTag LayoutTag
		LayoutID  uint64
		Data      []byte
	}

	// UnknownLayout was not understood: everything behind the byte offset, buffers and sections included.
	UnknownLayout struct {
		LayoutTag LayoutTag
		Data      []byte
	}
)

func (RowMajorLayout) Tag() LayoutTag    { return TagRowMajor }
func (ColumnMajorLayout) Tag() LayoutTag { return TagColumnMajor }
func (StridedLayout) Tag() LayoutTag     { return TagStrided }
func (TiledLayout) Tag() LayoutTag       { return TagTiled }
func (MortonLayout) Tag() LayoutTag      { return TagMorton }
func (COOLayout) Tag() LayoutTag         { return TagCOO }
func (CSRLayout) Tag() LayoutTag         { return TagCSR }
func (CSCLayout) Tag() LayoutTag         { return TagCSC }
func (CSFLayout) Tag() LayoutTag         { return TagCSF }
func (BlockPagedLayout) Tag() LayoutTag  { return TagBlockPaged }
func (CompositeLayout) Tag() LayoutTag   { return TagComposite }
func (HilbertLayout) Tag() LayoutTag     { return TagHilbert }
func (l PrivateLayout) Tag() LayoutTag   { return l.LayoutTag }
func (l UnknownLayout) Tag() LayoutTag   { return l.LayoutTag }

func (RowMajorLayout) write(*fieldWriter)    {}
func (ColumnMajorLayout) write(*fieldWriter) {}

func (l StridedLayout) write(out *fieldWriter) { out.is(capi.LayoutFieldStridedStrides, 0, l.Strides) }

func (l TiledLayout) write(out *fieldWriter) {
	for k, level := range l.Levels {
		at := uint32(k)
		out.us(capi.LayoutFieldTiledTileShape, at, level.TileShape)
		out.uAt(capi.LayoutFieldTiledOuterLayout, at, uint64(level.Outer))
		out.uAt(capi.LayoutFieldTiledInnerLayout, at, uint64(level.Inner))
		if level.OuterStrides != nil {
			out.is(capi.LayoutFieldTiledOuterStrides, at, level.OuterStrides)
		}
		if level.InnerStrides != nil {
			out.is(capi.LayoutFieldTiledInnerStrides, at, level.InnerStrides)
		}
	}
}

func (l MortonLayout) write(out *fieldWriter) { out.us(capi.LayoutFieldMortonBits, 0, l.Bits) }

func (l COOLayout) write(out *fieldWriter) {
	out.u(capi.LayoutFieldCOONNZ, l.NNZ)
	out.truth(capi.LayoutFieldCOOIsSorted, l.IsSorted)
}

func (l CSRLayout) write(out *fieldWriter) { out.u(capi.LayoutFieldCSRNNZ, l.NNZ) }
func (l CSCLayout) write(out *fieldWriter) { out.u(capi.LayoutFieldCSCNNZ, l.NNZ) }

func (l CSFLayout) write(out *fieldWriter) {
	out.u(capi.LayoutFieldCSFNNZ, l.NNZ)
	out.us(capi.LayoutFieldCSFModeOrder, 0, l.ModeOrder)
}

func (l BlockPagedLayout) write(out *fieldWriter) {
	out.u(capi.LayoutFieldBlockPagedPageSize, uint64(l.PageSize))
	out.u(capi.LayoutFieldBlockPagedNumPages, l.NumPages)
	out.u(capi.LayoutFieldBlockPagedPagedAxis, uint64(l.PagedAxis))
	out.u(capi.LayoutFieldBlockPagedNumSeqs, uint64(l.NumSeqs))
	out.u(capi.LayoutFieldBlockPagedKVRole, uint64(l.KVRole))
	out.optional(capi.LayoutFieldBlockPagedLayerIndex, l.LayerIndex)
	out.u(capi.LayoutFieldBlockPagedBlockTableIndexType, uint64(l.BlockTableIndexType))
}

func (l CompositeLayout) write(out *fieldWriter) {
	out.u(capi.LayoutFieldCompositeRule, uint64(l.Rule))
	out.u(capi.LayoutFieldCompositeCombineOp, uint64(l.CombineOp))
	out.u(capi.LayoutFieldCompositeMemberCount, uint64(l.MemberCount))
}

func (l HilbertLayout) write(out *fieldWriter) {
	out.u(capi.LayoutFieldHilbertOrder, uint64(l.Order))
	out.u(capi.LayoutFieldHilbertRank, uint64(l.Rank))
}

func (l PrivateLayout) write(out *fieldWriter) {
	out.u(capi.LayoutFieldPrivateLayoutID, l.LayoutID)
	out.bytes(capi.LayoutFieldPrivateData, l.Data)
}

func (l UnknownLayout) write(out *fieldWriter) { out.bytes(capi.LayoutFieldUnknownData, l.Data) }

func (s fieldSet) tiled() TiledLayout {
	levels := make([]TileLevel, s.u(capi.LayoutFieldTiledDepth))
	for k := range levels {
		at := uint32(k)
		levels[k] = TileLevel{
			TileShape:    s.us(capi.LayoutFieldTiledTileShape, at),
			Outer:        LayoutTag(s.uAt(capi.LayoutFieldTiledOuterLayout, at)),
			Inner:        LayoutTag(s.uAt(capi.LayoutFieldTiledInnerLayout, at)),
			OuterStrides: s.is(capi.LayoutFieldTiledOuterStrides, at),
			InnerStrides: s.is(capi.LayoutFieldTiledInnerStrides, at),
		}
	}
	return TiledLayout{Levels: levels}
}

func (s fieldSet) blockPaged() BlockPagedLayout {
	return BlockPagedLayout{
		PageSize:            uint32(s.u(capi.LayoutFieldBlockPagedPageSize)),
		NumPages:            s.u(capi.LayoutFieldBlockPagedNumPages),
		PagedAxis:           uint32(s.u(capi.LayoutFieldBlockPagedPagedAxis)),
		NumSeqs:             uint32(s.u(capi.LayoutFieldBlockPagedNumSeqs)),
		KVRole:              KVRole(s.u(capi.LayoutFieldBlockPagedKVRole)),
		LayerIndex:          s.optional(capi.LayoutFieldBlockPagedLayerIndex),
		BlockTableIndexType: uint8(s.u(capi.LayoutFieldBlockPagedBlockTableIndexType)),
	}
}

func (s fieldSet) layout() Layout {
	tag := LayoutTag(s.u(capi.HeaderFieldLayout))
	if s.has(capi.LayoutFieldUnknownData) {
		return UnknownLayout{LayoutTag: tag, Data: s.bytes(capi.LayoutFieldUnknownData)}
	}
	switch tag {
	case TagRowMajor:
		return RowMajorLayout{}
	case TagColumnMajor:
		return ColumnMajorLayout{}
	case TagStrided:
		return StridedLayout{Strides: s.is(capi.LayoutFieldStridedStrides, 0)}
	case TagTiled:
		return s.tiled()
	case TagMorton:
		return MortonLayout{Bits: s.us(capi.LayoutFieldMortonBits, 0)}
	case TagCOO:
		return COOLayout{NNZ: s.u(capi.LayoutFieldCOONNZ), IsSorted: s.u(capi.LayoutFieldCOOIsSorted) != 0}
	case TagCSR:
		return CSRLayout{NNZ: s.u(capi.LayoutFieldCSRNNZ)}
	case TagCSC:
		return CSCLayout{NNZ: s.u(capi.LayoutFieldCSCNNZ)}
	case TagCSF:
		return CSFLayout{NNZ: s.u(capi.LayoutFieldCSFNNZ), ModeOrder: s.us(capi.LayoutFieldCSFModeOrder, 0)}
	case TagBlockPaged:
		return s.blockPaged()
	case TagComposite:
		return CompositeLayout{
			Rule:        CompositionRule(s.u(capi.LayoutFieldCompositeRule)),
			CombineOp:   CombineOp(s.u(capi.LayoutFieldCompositeCombineOp)),
			MemberCount: uint32(s.u(capi.LayoutFieldCompositeMemberCount)),
		}
	case TagHilbert:
		return HilbertLayout{
			Order: uint32(s.u(capi.LayoutFieldHilbertOrder)), Rank: uint32(s.u(capi.LayoutFieldHilbertRank)),
		}
	default:
		return PrivateLayout{
			LayoutTag: tag,
			LayoutID:  s.u(capi.LayoutFieldPrivateLayoutID),
			Data:      s.bytes(capi.LayoutFieldPrivateData),
		}
	}
}
