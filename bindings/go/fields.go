package hurray

import (
	"math"
	"sync"

	"github.com/hurray-format/hurray-go/internal/capi"
)

// FieldKind is what a field's values are.
type FieldKind uint8

// The kinds, as hurray.h numbers them.
const (
	FieldUint64  FieldKind = 1
	FieldInt64   FieldKind = 2
	FieldFloat64 FieldKind = 3
	FieldUint64s FieldKind = 4
	FieldInt64s  FieldKind = 5
	FieldBytes   FieldKind = 6
)

// Field is one field of a descriptor: its HURRAY_..._FIELD_... identifier, its level (of tiles, or the index of a
// buffer), and its values: the one of its kind is set.
type Field struct {
	ID    uint32
	Level uint32
	Kind  FieldKind
	words []uint64
	count uint64
}

// Uint64 is the value of kind FieldUint64.
func (f Field) Uint64() uint64 { return f.word() }

// Int64 is the value of kind FieldInt64.
func (f Field) Int64() int64 { return int64(f.word()) }

// Float64 is the value of kind FieldFloat64.
func (f Field) Float64() float64 { return math.Float64frombits(f.word()) }

// Uint64s are the values of kind FieldUint64s.
func (f Field) Uint64s() []uint64 { return append([]uint64{}, f.words...) }

// Int64s are the values of kind FieldInt64s.
func (f Field) Int64s() []int64 {
	values := make([]int64, len(f.words))
	for k, word := range f.words {
		values[k] = int64(word)
	}
	return values
}

// Bytes are the value of kind FieldBytes.
func (f Field) Bytes() []byte {
	bytes := make([]byte, f.count)
	for k := range bytes {
		bytes[k] = byte(f.words[k/8] >> (k % 8 * 8))
	}
	return bytes
}

// Value is the value as uint64, int64, float64, []uint64, []int64 or []byte, by its kind.
func (f Field) Value() any {
	switch f.Kind {
	case FieldUint64:
		return f.Uint64()
	case FieldInt64:
		return f.Int64()
	case FieldFloat64:
		return f.Float64()
	case FieldUint64s:
		return f.Uint64s()
	case FieldInt64s:
		return f.Int64s()
	default:
		return f.Bytes()
	}
}

func (f Field) word() uint64 {
	if len(f.words) == 0 {
		return 0
	}
	return f.words[0]
}

// fieldsOf takes the words of the bulk form apart. A field that is cut off at the end is left out.
func fieldsOf(words []uint64) []Field {
	fields := make([]Field, 0, 24)
	for len(words) >= 2 {
		field := Field{
			ID:    uint32(words[0]),
			Level: uint32(words[0] >> 32 & 0xFFFF),
			Kind:  FieldKind(words[0] >> 48),
			count: words[1],
		}
		length := field.count
		if field.Kind == FieldBytes {
			length = field.count/8 + (field.count%8+7)/8
		}
		words = words[2:]
		if length > uint64(len(words)) {
			break
		}
		field.words, words = words[:length:length], words[length:]
		fields = append(fields, field)
	}
	return fields
}

// Nearly every descriptor fits into so many words.
type roomForWords [512]uint64

var wordRooms = sync.Pool{New: func() any { return new(roomForWords) }}

// readFields reads everything that a descriptor carries: one crossing, or two for a very long one.
func readFields(read func(words []uint64) (uint64, *capi.Failure)) ([]Field, error) {
	room := wordRooms.Get().(*roomForWords)
	defer wordRooms.Put(room)
	count, failure := read(room[:])
	if failure != nil {
		return nil, failed(failure)
	}
	if count <= uint64(len(room)) {
		return fieldsOf(append([]uint64(nil), room[:count]...)), nil
	}
	words := make([]uint64, count)
	if _, failure := read(words); failure != nil {
		return nil, failed(failure)
	}
	return fieldsOf(words), nil
}

// fieldSet finds fields by identifier.
type fieldSet []Field

func (s fieldSet) find(id, level uint32) (Field, bool) {
	for _, field := range s {
		if field.ID == id && field.Level == level {
			return field, true
		}
	}
	return Field{}, false
}

func (s fieldSet) has(id uint32) bool {
	_, ok := s.find(id, 0)
	return ok
}

func (s fieldSet) u(id uint32) uint64 { return s.uAt(id, 0) }

func (s fieldSet) uAt(id, level uint32) uint64 {
	field, _ := s.find(id, level)
	return field.Uint64()
}

func (s fieldSet) optional(id uint32) *uint32 {
	if field, ok := s.find(id, 0); ok {
		value := uint32(field.Uint64())
		return &value
	}
	return nil
}

func (s fieldSet) i(id uint32) int64 {
	field, _ := s.find(id, 0)
	return field.Int64()
}

func (s fieldSet) f(id uint32) float64 {
	field, _ := s.find(id, 0)
	return field.Float64()
}

func (s fieldSet) us(id, level uint32) []uint64 {
	field, ok := s.find(id, level)
	if !ok {
		return nil
	}
	return field.Uint64s()
}

func (s fieldSet) is(id, level uint32) []int64 {
	field, ok := s.find(id, level)
	if !ok {
		return nil
	}
	return field.Int64s()
}

func (s fieldSet) bytes(id uint32) []byte {
	field, ok := s.find(id, 0)
	if !ok {
		return nil
	}
	return field.Bytes()
}

// fieldWriter appends fields in the bulk form.
type fieldWriter struct{ words []uint64 }

func (w *fieldWriter) put(id, level uint32, kind FieldKind, count int, words ...uint64) {
	w.words = append(w.words, uint64(id)|uint64(level)<<32|uint64(kind)<<48, uint64(count))
	w.words = append(w.words, words...)
}

func (w *fieldWriter) u(id uint32, value uint64)          { w.put(id, 0, FieldUint64, 1, value) }
func (w *fieldWriter) uAt(id, level uint32, value uint64) { w.put(id, level, FieldUint64, 1, value) }
func (w *fieldWriter) i(id uint32, value int64)           { w.put(id, 0, FieldInt64, 1, uint64(value)) }
func (w *fieldWriter) f(id uint32, value float64) {
	w.put(id, 0, FieldFloat64, 1, math.Float64bits(value))
}
func (w *fieldWriter) us(id, level uint32, values []uint64) {
	w.put(id, level, FieldUint64s, len(values), values...)
}

func (w *fieldWriter) optional(id uint32, value *uint32) {
	if value != nil {
		w.u(id, uint64(*value))
	}
}

func (w *fieldWriter) truth(id uint32, value bool) {
	if value {
		w.u(id, 1)
	} else {
		w.u(id, 0)
	}
}

func (w *fieldWriter) is(id, level uint32, values []int64) {
	w.put(id, level, FieldInt64s, len(values))
	for _, value := range values {
		w.words = append(w.words, uint64(value))
	}
}

func (w *fieldWriter) bytes(id uint32, bytes []byte) {
	words := make([]uint64, (len(bytes)+7)/8)
	for k, value := range bytes {
		words[k/8] |= uint64(value) << (k % 8 * 8)
	}
	w.put(id, 0, FieldBytes, len(bytes), words...)
}
