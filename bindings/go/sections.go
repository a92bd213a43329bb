package hurray

import "github.com/hurray-format/hurray-go/internal/capi"

// Dynamic is a dimension whose extent is not known.
const Dynamic = 1<<64 - 1

type (
	// BufferEntry is an entry of a descriptor's buffer table. Role and level follow from the layout and are not
	// written.
	BufferEntry struct {
		ByteSize    uint64
		Alignment   uint32 // In bytes.
		Device      Device
		SyncMode    SyncMode
		MemoryClass MemoryClass
		Role        Role
		RoleLevel   uint32
	}

	// Shard says where a tensor lies in a larger one: one offset a dimension.
	Shard struct {
		ParentShape []uint64
		Offset      []uint64
	}

	// Statistics are what is known of the dequantized values. Advisory: never to be trusted for correctness.
	Statistics struct {
		NNZ           *uint64
		SparsityRatio *float64
		Range         *Range
		Moments       *Moments
		Pattern       *Pattern
		Special       *Special
	}

	// Range is where the values lie.
	Range struct{ Min, Max, AbsMax float64 }

	// Moments are mean and standard deviation.
	Moments struct{ Mean, StdDev float64 }

	// Pattern says that at most N of every M neighbours are not zero.
	Pattern struct{ N, M uint8 }

	// Special says which values that are no numbers occur.
	Special struct{ HasNaN, HasInf bool }

	// ExtensionType is a private element type: enough to size its buffers, and its fields if it is a float.
	ExtensionType struct {
		BitWidth      uint32
		PackingFactor uint8
		IsFloat       bool
		IsSigned      bool
		SignBits      uint8
		ExponentBits  uint8
		MantissaBits  uint8
		ExponentBias  uint32
		HasNaN        bool
		HasInf        bool
	}
)

func (s fieldSet) buffers() []BufferEntry {
	entries := make([]BufferEntry, s.u(capi.HeaderFieldBufferCount))
	for k := range entries {
		at := uint32(k)
		entries[k] = BufferEntry{
			ByteSize:    s.uAt(capi.BufferFieldByteSize, at),
			Alignment:   uint32(s.uAt(capi.BufferFieldAlignment, at)),
			Device:      Device(s.uAt(capi.BufferFieldDeviceTag, at)),
			SyncMode:    SyncMode(s.uAt(capi.BufferFieldSyncMode, at)),
			MemoryClass: MemoryClass(s.uAt(capi.BufferFieldMemoryClass, at)),
			Role:        Role(s.uAt(capi.BufferFieldRole, at)),
			RoleLevel:   uint32(s.uAt(capi.BufferFieldRoleLevel, at)),
		}
	}
	return entries
}

func (s fieldSet) shard() *Shard {
	if !s.has(capi.ShardFieldOffset) {
		return nil
	}
	return &Shard{ParentShape: s.us(capi.ShardFieldParentShape, 0), Offset: s.us(capi.ShardFieldOffset, 0)}
}

func (s fieldSet) statistics() *Statistics {
	if !s.has(capi.StatsFieldComputedMask) {
		return nil
	}
	statistics := &Statistics{}
	if field, ok := s.find(capi.StatsFieldNNZ, 0); ok {
		nnz := field.Uint64()
		statistics.NNZ = &nnz
	}
	if field, ok := s.find(capi.StatsFieldSparsityRatio, 0); ok {
		ratio := field.Float64()
		statistics.SparsityRatio = &ratio
	}
	if s.has(capi.StatsFieldMin) {
		statistics.Range = &Range{
			Min: s.f(capi.StatsFieldMin), Max: s.f(capi.StatsFieldMax), AbsMax: s.f(capi.StatsFieldAbsMax),
		}
	}
	if s.has(capi.StatsFieldMean) {
		statistics.Moments = &Moments{Mean: s.f(capi.StatsFieldMean), StdDev: s.f(capi.StatsFieldStddev)}
	}
	if s.has(capi.StatsFieldNMN) {
		statistics.Pattern = &Pattern{N: uint8(s.u(capi.StatsFieldNMN)), M: uint8(s.u(capi.StatsFieldNMM))}
	}
	if s.has(capi.StatsFieldHasNan) {
		statistics.Special = &Special{
			HasNaN: s.u(capi.StatsFieldHasNan) != 0, HasInf: s.u(capi.StatsFieldHasInf) != 0,
		}
	}
	return statistics
}

func (s fieldSet) extensionType() *ExtensionType {
	if !s.has(capi.ExtTypeFieldBitWidth) {
		return nil
	}
	return &ExtensionType{
		BitWidth:      uint32(s.u(capi.ExtTypeFieldBitWidth)),
		PackingFactor: uint8(s.u(capi.ExtTypeFieldPackingFactor)),
		IsFloat:       s.u(capi.ExtTypeFieldIsFloat) != 0,
		IsSigned:      s.u(capi.ExtTypeFieldIsSigned) != 0,
		SignBits:      uint8(s.u(capi.ExtTypeFieldSignBits)),
		ExponentBits:  uint8(s.u(capi.ExtTypeFieldExponentBits)),
		MantissaBits:  uint8(s.u(capi.ExtTypeFieldMantissaBits)),
		ExponentBias:  uint32(s.u(capi.ExtTypeFieldExponentBias)),
		HasNaN:        s.u(capi.ExtTypeFieldHasNan) != 0,
		HasInf:        s.u(capi.ExtTypeFieldHasInf) != 0,
	}
}

func (s fieldSet) memberRole() *MemberRole {
	if !s.has(capi.MemberFieldRole) {
		return nil
	}
	role := MemberRole(s.u(capi.MemberFieldRole))
	return &role
}

func (s Shard) write(out *fieldWriter) {
	out.us(capi.ShardFieldParentShape, 0, s.ParentShape)
	out.us(capi.ShardFieldOffset, 0, s.Offset)
}

func (s Statistics) write(out *fieldWriter) {
	if s.NNZ != nil {
		out.u(capi.StatsFieldNNZ, *s.NNZ)
	}
	if s.SparsityRatio != nil {
		out.f(capi.StatsFieldSparsityRatio, *s.SparsityRatio)
	}
	if s.Range != nil {
		out.f(capi.StatsFieldMin, s.Range.Min)
		out.f(capi.StatsFieldMax, s.Range.Max)
		out.f(capi.StatsFieldAbsMax, s.Range.AbsMax)
	}
	if s.Moments != nil {
		out.f(capi.StatsFieldMean, s.Moments.Mean)
		out.f(capi.StatsFieldStddev, s.Moments.StdDev)
	}
	if s.Pattern != nil {
		out.u(capi.StatsFieldNMN, uint64(s.Pattern.N))
		out.u(capi.StatsFieldNMM, uint64(s.Pattern.M))
	}
	if s.Special != nil {
		out.truth(capi.StatsFieldHasNan, s.Special.HasNaN)
		out.truth(capi.StatsFieldHasInf, s.Special.HasInf)
	}
}

func (t ExtensionType) write(out *fieldWriter) {
	out.u(capi.ExtTypeFieldBitWidth, uint64(t.BitWidth))
	out.u(capi.ExtTypeFieldPackingFactor, uint64(t.PackingFactor))
	out.truth(capi.ExtTypeFieldIsFloat, t.IsFloat)
	out.truth(capi.ExtTypeFieldIsSigned, t.IsSigned)
	out.u(capi.ExtTypeFieldSignBits, uint64(t.SignBits))
	out.u(capi.ExtTypeFieldExponentBits, uint64(t.ExponentBits))
	out.u(capi.ExtTypeFieldMantissaBits, uint64(t.MantissaBits))
	out.u(capi.ExtTypeFieldExponentBias, uint64(t.ExponentBias))
	out.truth(capi.ExtTypeFieldHasNan, t.HasNaN)
	out.truth(capi.ExtTypeFieldHasInf, t.HasInf)
}
