package hurray

import "github.com/hurray-format/hurray-go/internal/capi"

// Quantization is how codes stand for values: one of the struct types of this file.
//
// Indices of buffers are positions in the descriptor's buffer table. Where one is nil when a descriptor is built,
// [Builder.DefaultBuffers] chooses it; of a descriptor that is read, a nil ZeroPointBuffer means symmetric.
type Quantization interface {
	// Tag says which scheme it is.
	Tag() SchemeTag
	write(out *fieldWriter)
}

type (
	// PerTensorAffine is value = Scale * (code - ZeroPoint).
	PerTensorAffine struct {
		Scale     float32
		ZeroPoint int32
	}

	// PerChannelAffine has a scale, and a zero point unless symmetric, for each index of an axis.
	PerChannelAffine struct {
		Axis            uint32
		ScaleBuffer     *uint32
		ZeroPointBuffer *uint32
		ScaleType       ElementType // 0 is written as float32.
	}

	// PerBlockAffine has a scale, and a zero point unless symmetric, for each block along an axis.
	PerBlockAffine struct {
		Axis            uint32
		BlockSize       uint32
		ScaleBuffer     *uint32
		ZeroPointBuffer *uint32
		ScaleType       ElementType // 0 is written as float32.
	}

	// NF4 has 16 fixed levels, and a scale for each block.
	NF4 struct {
		Axis        uint32
		BlockSize   uint32
		ScaleBuffer *uint32
	}

	// MXFP has narrow floats, and a power-of-two scale for each block.
	MXFP struct {
		Axis        uint32
		BlockSize   uint32
		ScaleBuffer *uint32
	}

	// UnknownScheme was not understood: no element may be read.
	UnknownScheme struct {
		SchemeTag SchemeTag
		Version   uint8
		Flags     uint16
		Data      []byte
	}
)

func (PerTensorAffine) Tag() SchemeTag  { return TagPerTensorAffine }
func (PerChannelAffine) Tag() SchemeTag { return TagPerChannelAffine }
func (PerBlockAffine) Tag() SchemeTag   { return TagPerBlockAffine }
func (NF4) Tag() SchemeTag              { return TagNF4 }
func (MXFP) Tag() SchemeTag             { return TagMXFP }
func (q UnknownScheme) Tag() SchemeTag  { return q.SchemeTag }

// BufferIndex is the index of a buffer where one is optional.
func BufferIndex(index uint32) *uint32 { return &index }

func scaleType(kind ElementType) uint64 {
	if kind == 0 {
		kind = TypeFloat32
	}
	return uint64(kind)
}

func (q PerTensorAffine) write(out *fieldWriter) {
	out.f(capi.QuantFieldPerTensorScale, float64(q.Scale))
	out.i(capi.QuantFieldPerTensorZeroPoint, int64(q.ZeroPoint))
}

func (q PerChannelAffine) write(out *fieldWriter) {
	out.u(capi.QuantFieldPerChannelAxis, uint64(q.Axis))
	out.optional(capi.QuantFieldPerChannelScaleBuffer, q.ScaleBuffer)
	out.optional(capi.QuantFieldPerChannelZeroPointBuffer, q.ZeroPointBuffer)
	out.u(capi.QuantFieldPerChannelScaleType, scaleType(q.ScaleType))
}

func (q PerBlockAffine) write(out *fieldWriter) {
	out.u(capi.QuantFieldPerBlockAxis, uint64(q.Axis))
	out.u(capi.QuantFieldPerBlockBlockSize, uint64(q.BlockSize))
	out.optional(capi.QuantFieldPerBlockScaleBuffer, q.ScaleBuffer)
	out.optional(capi.QuantFieldPerBlockZeroPointBuffer, q.ZeroPointBuffer)
	out.u(capi.QuantFieldPerBlockScaleType, scaleType(q.ScaleType))
}

func (q NF4) write(out *fieldWriter) {
	out.u(capi.QuantFieldNF4Axis, uint64(q.Axis))
	out.u(capi.QuantFieldNF4BlockSize, uint64(q.BlockSize))
	out.optional(capi.QuantFieldNF4ScaleBuffer, q.ScaleBuffer)
}

func (q MXFP) write(out *fieldWriter) {
	out.u(capi.QuantFieldMXFPAxis, uint64(q.Axis))
	out.u(capi.QuantFieldMXFPBlockSize, uint64(q.BlockSize))
	out.optional(capi.QuantFieldMXFPScaleBuffer, q.ScaleBuffer)
}

func (q UnknownScheme) write(out *fieldWriter) {
	out.u(capi.QuantFieldSchemeVersion, uint64(q.Version))
	out.u(capi.QuantFieldFlags, uint64(q.Flags))
	out.bytes(capi.QuantFieldUnknownData, q.Data)
}

// quantization is nil if the descriptor carries none.
func (s fieldSet) quantization() Quantization {
	if !s.has(capi.QuantFieldScheme) {
		return nil
	}
	tag := SchemeTag(s.u(capi.QuantFieldScheme))
	if !s.has(capi.QuantFieldUnknownData) {
		switch tag {
		case TagPerTensorAffine:
			return PerTensorAffine{
				Scale:     float32(s.f(capi.QuantFieldPerTensorScale)),
				ZeroPoint: int32(s.i(capi.QuantFieldPerTensorZeroPoint)),
			}
		case TagPerChannelAffine:
			return PerChannelAffine{
				Axis:            uint32(s.u(capi.QuantFieldPerChannelAxis)),
				ScaleBuffer:     s.optional(capi.QuantFieldPerChannelScaleBuffer),
				ZeroPointBuffer: s.optional(capi.QuantFieldPerChannelZeroPointBuffer),
				ScaleType:       ElementType(s.u(capi.QuantFieldPerChannelScaleType)),
			}
		case TagPerBlockAffine:
			return PerBlockAffine{
				Axis:            uint32(s.u(capi.QuantFieldPerBlockAxis)),
				BlockSize:       uint32(s.u(capi.QuantFieldPerBlockBlockSize)),
				ScaleBuffer:     s.optional(capi.QuantFieldPerBlockScaleBuffer),
				ZeroPointBuffer: s.optional(capi.QuantFieldPerBlockZeroPointBuffer),
				ScaleType:       ElementType(s.u(capi.QuantFieldPerBlockScaleType)),
			}
		case TagNF4:
			return NF4{
				Axis:        uint32(s.u(capi.QuantFieldNF4Axis)),
				BlockSize:   uint32(s.u(capi.QuantFieldNF4BlockSize)),
				ScaleBuffer: s.optional(capi.QuantFieldNF4ScaleBuffer),
			}
		case TagMXFP:
			return MXFP{
				Axis:        uint32(s.u(capi.QuantFieldMXFPAxis)),
				BlockSize:   uint32(s.u(capi.QuantFieldMXFPBlockSize)),
				ScaleBuffer: s.optional(capi.QuantFieldMXFPScaleBuffer),
			}
		}
	}
	return UnknownScheme{
		SchemeTag: tag,
		Version:   uint8(s.u(capi.QuantFieldSchemeVersion)),
		Flags:     uint16(s.u(capi.QuantFieldFlags)),
		Data:      s.bytes(capi.QuantFieldUnknownData),
	}
}
