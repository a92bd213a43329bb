package main

import (
	"encoding/json"
	"fmt"

	hurray "github.com/hurray-format/hurray-go"
)

// array makes a tensor of a slice, and views it as one.
func array(asked *request) (answer, error) {
	kind, err := tagOf[hurray.ElementType](asked.DType)
	if err != nil {
		return nil, err
	}
	switch kind {
	case hurray.TypeFloat32:
		return through(asked, func(v double) float32 { return float32(v) }, func(v float32) double { return double(v) })
	case hurray.TypeFloat64:
		return through(asked, func(v double) float64 { return float64(v) }, func(v float64) double { return double(v) })
	case hurray.TypeInt8:
		return through(asked, unchanged[int8], unchanged[int8])
	case hurray.TypeUint8:
		return through(asked, unchanged[uint8], unchanged[uint8])
	case hurray.TypeInt16:
		return through(asked, unchanged[int16], unchanged[int16])
	case hurray.TypeUint16:
		return through(asked, unchanged[uint16], unchanged[uint16])
	case hurray.TypeInt32:
		return through(asked, unchanged[int32], unchanged[int32])
	case hurray.TypeUint32:
		return through(asked, unchanged[uint32], unchanged[uint32])
	case hurray.TypeInt64:
		return through(asked, func(v signed) int64 { return int64(v) }, func(v int64) signed { return signed(v) })
	case hurray.TypeUint64:
		return through(asked, func(v wide) uint64 { return uint64(v) }, func(v uint64) wide { return wide(v) })
	case hurray.TypeComplex64:
		return through(asked, func(v [2]double) complex64 { return complex64(complexOf(v)) },
			func(v complex64) [2]double { return partsOf(complex128(v)) })
	case hurray.TypeComplex128:
		return through(asked, complexOf, partsOf)
	default:
		return nil, fault(fmt.Sprintf("no slices of %v", kind))
	}
}

func unchanged[T any](value T) T { return value }

func complexOf(parts [2]double) complex128 { return complex(float64(parts[0]), float64(parts[1])) }

func partsOf(value complex128) [2]double {
	return [2]double{double(real(value)), double(imag(value))}
}

func through[T hurray.Element, J any](asked *request, in func(J) T, out func(T) J) (answer, error) {
	var found []J
	if err := json.Unmarshal(asked.Data, &found); err != nil {
		return nil, err
	}
	data := as(found, in)
	tensor, err := hurray.FromSlice(data, unsigneds(asked.Shape), hurray.CopyNever)
	if err != nil {
		return nil, err
	}
	defer tensor.Close()
	item, err := tensorOut(tensor)
	if err != nil {
		return nil, err
	}
	view, err := hurray.View[T](tensor)
	if err != nil {
		return nil, err
	}
	shared := len(data) == 0 || &view[0] == &data[0]
	return answer{"item": item, "values": as(view, out), "shared": shared}, nil
}
