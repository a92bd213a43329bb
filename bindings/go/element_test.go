package hurray_test

import (
	"math"
	"testing"

	hurray "github.com/hurray-format/hurray-go"
)

func TestElementTypes(t *testing.T) {
	equal(t, "name", hurray.TypeBFloat16.String(), "bfloat16")
	equal(t, "bits", must(hurray.TypeFloat6E2M3.Bits()), 6)
	equal(t, "alignment", must(hurray.TypeComplex128.Alignment()), 8)
	equal(t, "kind", must(hurray.TypeInt4.Kind()), hurray.KindInteger|hurray.KindSigned|hurray.KindSubByte)
	equal(t, "bytes of 5 int4", must(hurray.TypeInt4.Bytes(5)), 3)
	equal(t, "bytes of 5 float6", must(hurray.TypeFloat6E3M2.Bytes(5)), 6)
	_, err := hurray.ElementType(0x0F).Bits()
	fails(t, err, hurray.ErrInvalidType)
	_, err = hurray.TypeFloat64.Bytes(1 << 62)
	fails(t, err, hurray.ErrOverflow)
	equal(t, "name of a private type", hurray.ElementType(0xF0).String(), "element type 0xf0")
}

func TestElementTypeOf(t *testing.T) {
	found := []hurray.ElementType{
		hurray.ElementTypeOf[float32](), hurray.ElementTypeOf[float64](), hurray.ElementTypeOf[int8](),
		hurray.ElementTypeOf[uint8](), hurray.ElementTypeOf[int16](), hurray.ElementTypeOf[uint16](),
		hurray.ElementTypeOf[int32](), hurray.ElementTypeOf[uint32](), hurray.ElementTypeOf[int64](),
		hurray.ElementTypeOf[uint64](), hurray.ElementTypeOf[complex64](), hurray.ElementTypeOf[complex128](),
		hurray.ElementTypeOf[hurray.Float16](), hurray.ElementTypeOf[hurray.BFloat16](),
		hurray.ElementTypeOf[hurray.Float8E4M3](), hurray.ElementTypeOf[hurray.Float8E5M2](),
		hurray.ElementTypeOf[hurray.Float8E8M0](), hurray.ElementTypeOf[hurray.Float128](),
	}
	names := []string{
		"float32", "float64", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "complex64",
		"complex128", "float16", "bfloat16", "float8_e4m3", "float8_e5m2", "float8_e8m0", "float128",
	}
	for k, kind := range found {
		equal(t, "name", kind.String(), names[k])
	}
}

// The values are those of IEEE 754 and of the 8-bit float formats' tables.
func TestNarrowFloats(t *testing.T) {
	cases := []struct {
		name          string
		found, wanted float32
	}{
		{"float16 1", hurray.Float16(0x3C00).Float32(), 1},
		{"float16 -2", hurray.Float16(0xC000).Float32(), -2},
		{"float16 largest", hurray.Float16(0x7BFF).Float32(), 65504},
		{"float16 smallest", hurray.Float16(0x0001).Float32(), 0x1p-24},
		{"float16 -smallest", hurray.Float16(0x8001).Float32(), -0x1p-24},
		{"float16 infinity", hurray.Float16(0x7C00).Float32(), float32(math.Inf(1))},
		{"bfloat16 pi", hurray.BFloat16(0x4049).Float32(), 3.140625},
		{"bfloat16 -1", hurray.BFloat16(0xBF80).Float32(), -1},
		{"e4m3 largest", hurray.Float8E4M3(0x7E).Float32(), 448},
		{"e4m3 smallest", hurray.Float8E4M3(0x01).Float32(), 0x1p-9},
		{"e4m3 -1.5", hurray.Float8E4M3(0xBC).Float32(), -1.5},
		{"e5m2 largest", hurray.Float8E5M2(0x7B).Float32(), 57344},
		{"e5m2 smallest", hurray.Float8E5M2(0x01).Float32(), 0x1p-16},
		{"e5m2 -infinity", hurray.Float8E5M2(0xFC).Float32(), float32(math.Inf(-1))},
		{"e8m0 1", hurray.Float8E8M0(127).Float32(), 1},
		{"e8m0 largest", hurray.Float8E8M0(254).Float32(), 0x1p127},
	}
	for _, one := range cases {
		equal(t, one.name, one.found, one.wanted)
	}
	for name, value := range map[string]float32{
		"float16": hurray.Float16(0x7E00).Float32(), "e4m3": hurray.Float8E4M3(0xFF).Float32(),
		"e5m2": hurray.Float8E5M2(0x7D).Float32(), "e8m0": hurray.Float8E8M0(0xFF).Float32(),
	} {
		if value == value {
			t.Errorf("the NaN of %s is %v", name, value)
		}
	}
	equal(t, "sign of -0", math.Signbit(float64(hurray.Float16(0x8000).Float32())), true)
}

func TestFloat128(t *testing.T) {
	equal(t, "1", hurray.Float128{Hi: 0x3FFF << 48}.Float64(), 1)
	equal(t, "-2.5", hurray.Float128{Hi: 0xC000<<48 | 0x4000<<32}.Float64(), -2.5)
	equal(t, "1 + 2^-52", hurray.Float128{Hi: 0x3FFF << 48, Lo: 1 << 60}.Float64(), 1+0x1p-52)
	equal(t, "a tie to even", hurray.Float128{Hi: 0x3FFF << 48, Lo: 1 << 59}.Float64(), 1)
	equal(t, "above a tie", hurray.Float128{Hi: 0x3FFF << 48, Lo: 1<<59 + 1}.Float64(), 1+0x1p-52)
	equal(t, "too large", hurray.Float128{Hi: 0x7FFE << 48}.Float64(), math.Inf(1))
	equal(t, "smallest", hurray.Float128{Lo: 1}.Float64(), 0)
	equal(t, "-infinity", hurray.Float128{Hi: 0xFFFF << 48}.Float64(), math.Inf(-1))
	equal(t, "NaN", math.IsNaN(hurray.Float128{Hi: 0x7FFF << 48, Lo: 1}.Float64()), true)
}
