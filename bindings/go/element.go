package hurray

import (
	"unsafe"

	"github.com/hurray-format/hurray-go/internal/capi"
)

// ElementType is what one element is. 0xF0 to 0xFE are private types.
type ElementType uint8

// The element types.
const (
	TypeFloat16    ElementType = capi.TypeFloat16
	TypeBFloat16   ElementType = capi.TypeBfloat16
	TypeFloat32    ElementType = capi.TypeFloat32
	TypeFloat64    ElementType = capi.TypeFloat64
	TypeInt8       ElementType = capi.TypeInt8
	TypeUint8      ElementType = capi.TypeUint8
	TypeInt16      ElementType = capi.TypeInt16
	TypeUint16     ElementType = capi.TypeUint16
	TypeInt32      ElementType = capi.TypeInt32
	TypeUint32     ElementType = capi.TypeUint32
	TypeInt64      ElementType = capi.TypeInt64
	TypeUint64     ElementType = capi.TypeUint64
	TypeBool       ElementType = capi.TypeBool
	TypeFloat8E4M3 ElementType = capi.TypeFloat8E4m3
	TypeFloat8E5M2 ElementType = capi.TypeFloat8E5m2
	TypeFloat8E8M0 ElementType = capi.TypeFloat8E8m0
	TypeFloat4E2M1 ElementType = capi.TypeFloat4E2m1
	TypeFloat6E2M3 ElementType = capi.TypeFloat6E2m3
	TypeFloat6E3M2 ElementType = capi.TypeFloat6E3m2
	TypeFloat128   ElementType = capi.TypeFloat128
	TypeInt4       ElementType = capi.TypeInt4
	TypeUint4      ElementType = capi.TypeUint4
	TypeInt2       ElementType = capi.TypeInt2
	TypeUint2      ElementType = capi.TypeUint2
	TypeComplex64  ElementType = capi.TypeComplex64
	TypeComplex128 ElementType = capi.TypeComplex128
)

// Kind is a set of what an element type is.
type Kind uint32

const (
	KindFloat   Kind = capi.KindFloat
	KindInteger Kind = capi.KindInteger
	KindSigned  Kind = capi.KindSigned
	KindComplex Kind = capi.KindComplex
	KindBool    Kind = capi.KindBool
	KindSubByte Kind = capi.KindSubByte // Less than a byte wide: elements are packed.
	KindTier1   Kind = capi.KindTier1   // Every reader must know it.
)

// String is the name of the type: "float32".
func (t ElementType) String() string {
	return tagName(capi.SpaceElementType, uint32(t), "element type")
}

// Bits is the width of one element. ErrInvalidType for a type that is not assigned; a private type's width is in its
// descriptor.
func (t ElementType) Bits() (int, error) {
	bits, _, _, err := t.info()
	return int(bits), err
}

// Alignment is the alignment of one element, in bytes. Errors as Bits.
func (t ElementType) Alignment() (int, error) {
	_, alignment, _, err := t.info()
	return int(alignment), err
}

// Kind is what the type is. Errors as Bits.
func (t ElementType) Kind() (Kind, error) {
	_, _, kind, err := t.info()
	return Kind(kind), err
}

func (t ElementType) info() (bits, alignment, kind uint32, err error) {
	if err := library(); err != nil {
		return 0, 0, 0, err
	}
	bits, alignment, kind, ok := capi.ElementTypeInfo(uint8(t))
	if !ok {
		err = refuse(ErrInvalidType, "element type 0x%02x is not assigned", uint8(t))
	}
	return bits, alignment, kind, err
}

// Bytes is the size of so many contiguous elements, packed as the format packs them. ErrOverflow beyond 64 bits.
func (t ElementType) Bytes(count uint64) (uint64, error) {
	if err := library(); err != nil {
		return 0, err
	}
	bytes, status := capi.ElementTypeBytes(uint8(t), count)
	if status < 0 {
		return 0, refuse(Status(status), "%d elements of type %v", count, t)
	}
	return bytes, nil
}

// Element is a Go type that stands for an element type. Go's bool does not: the format packs eight to a byte.
type Element interface {
	float32 | float64 | int8 | uint8 | int16 | uint16 | int32 | uint32 | int64 | uint64 | complex64 | complex128 |
		Float16 | BFloat16 | Float8E4M3 | Float8E5M2 | Float8E8M0 | Float128
}

// ElementTypeOf is the element type that T stands for.
func ElementTypeOf[T Element]() ElementType {
	var zero T
	switch any(zero).(type) {
	case float32:
		return TypeFloat32
	case float64:
		return TypeFloat64
	case int8:
		return TypeInt8
	case uint8:
		return TypeUint8
	case int16:
		return TypeInt16
	case uint16:
		return TypeUint16
	case int32:
		return TypeInt32
	case uint32:
		return TypeUint32
	case int64:
		return TypeInt64
	case uint64:
		return TypeUint64
	case complex64:
		return TypeComplex64
	case complex128:
		return TypeComplex128
	case Float16:
		return TypeFloat16
	case BFloat16:
		return TypeBFloat16
	case Float8E4M3:
		return TypeFloat8E4M3
	case Float8E5M2:
		return TypeFloat8E5M2
	case Float8E8M0:
		return TypeFloat8E8M0
	default:
		return TypeFloat128
	}
}

func sizeOf[T Element]() uintptr {
	var zero T
	return unsafe.Sizeof(zero)
}
