package hurray

import (
	"math"
	"math/big"
)

// The floating-point types that Go lacks, as their bits. Each converts to float32 or float64 exactly.
type (
	// Float16 is a 16-bit IEEE float: 5 exponent and 10 fraction bits.
	Float16 uint16
	// BFloat16 is a 16-bit float with 8 exponent and 7 fraction bits: the upper half of a float32.
	BFloat16 uint16
	// Float8E4M3 has 4 exponent and 3 fraction bits; no infinity, NaN is 0x7F and 0xFF.
	Float8E4M3 uint8
	// Float8E5M2 has 5 exponent and 2 fraction bits: the upper half of a Float16.
	Float8E5M2 uint8
	// Float8E8M0 is 2^(bits - 127): no sign, no zero. The codes 0x00 and 0xFF are not valid and give a NaN.
	Float8E8M0 uint8
	// Float128 is a 128-bit IEEE float: 15 exponent and 112 fraction bits.
	Float128 struct{ Lo, Hi uint64 }
)

// Float32 is the same value; a NaN keeps its sign and payload.
func (f Float16) Float32() float32 {
	sign := uint32(f&0x8000) << 16
	exponent := uint32(f >> 10 & 31)
	fraction := uint32(f & 0x3FF)
	switch exponent {
	case 31:
		return math.Float32frombits(sign | 0x7F800000 | fraction<<13)
	case 0:
		return math.Float32frombits(sign | math.Float32bits(float32(fraction)*0x1p-24))
	default:
		return math.Float32frombits(sign | (exponent+112)<<23 | fraction<<13)
	}
}

// Float32 is the same value.
func (f BFloat16) Float32() float32 { return math.Float32frombits(uint32(f) << 16) }

// Float32 is the same value.
func (f Float8E4M3) Float32() float32 {
	sign := uint32(f&0x80) << 24
	exponent := uint32(f >> 3 & 15)
	fraction := uint32(f & 7)
	switch {
	case f&0x7F == 0x7F:
		return math.Float32frombits(sign | 0x7FC00000)
	case exponent == 0:
		return math.Float32frombits(sign | math.Float32bits(float32(fraction)*0x1p-9))
	default:
		return math.Float32frombits(sign | (exponent+120)<<23 | fraction<<20)
	}
}

// Float32 is the same value.
func (f Float8E5M2) Float32() float32 { return Float16(uint16(f) << 8).Float32() }

// Float32 is the same value.
func (f Float8E8M0) Float32() float32 {
	if f == 0 || f == 0xFF {
		return math.Float32frombits(0x7FC00000)
	}
	return math.Float32frombits(uint32(f) << 23)
}

// Float64 is the nearest float64, ties to even. A NaN keeps its sign.
func (f Float128) Float64() float64 {
	negative := f.Hi>>63 != 0
	exponent := int(f.Hi >> 48 & 0x7FFF)
	high := f.Hi & (1<<48 - 1)
	value := math.Inf(1)
	switch {
	case exponent == 0x7FFF && (high != 0 || f.Lo != 0):
		value = math.NaN()
	case exponent != 0x7FFF:
		if exponent != 0 {
			high |= 1 << 48
		} else {
			exponent = 1
		}
		whole := new(big.Int).Or(new(big.Int).Lsh(new(big.Int).SetUint64(high), 64), new(big.Int).SetUint64(f.Lo))
		exact := new(big.Float).SetPrec(113).SetInt(whole)
		value, _ = exact.SetMantExp(exact, exponent-16383-112).Float64()
	}
	if negative {
		return math.Copysign(value, -1)
	}
	return math.Copysign(value, 1)
}
