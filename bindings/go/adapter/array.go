package main

import (
	"unsafe"

	hurray "github.com/hurray-format/hurray-go"
)

// array makes a tensor of a slice, and views it as one.
func array(asked *request) (answer, error) {
	kind, err := tagOf[hurray.ElementType](asked.DType)
	if err != nil {
		return nil, err
	}
	through, ok := map[hurray.ElementType]func(*request) (answer, error){
		hurray.TypeFloat16: slice[hurray.Float16], hurray.TypeBFloat16: slice[hurray.BFloat16],
		hurray.TypeFloat32: slice[float32], hurray.TypeFloat64: slice[float64],
		hurray.TypeInt8: slice[int8], hurray.TypeUint8: slice[uint8], hurray.TypeInt16: slice[int16],
		hurray.TypeUint16: slice[uint16], hurray.TypeInt32: slice[int32], hurray.TypeUint32: slice[uint32],
		hurray.TypeInt64: slice[int64], hurray.TypeUint64: slice[uint64],
		hurray.TypeFloat8E4M3: slice[hurray.Float8E4M3], hurray.TypeFloat8E5M2: slice[hurray.Float8E5M2],
		hurray.TypeFloat8E8M0: slice[hurray.Float8E8M0], hurray.TypeFloat128: slice[hurray.Float128],
		hurray.TypeComplex64: slice[complex64], hurray.TypeComplex128: slice[complex128],
	}[kind]
	if ok {
		return through(asked)
	}
	return packed(asked, kind)
}

// slice goes through a slice of T with the elements of the request.
func slice[T hurray.Element](asked *request) (answer, error) {
	var zero T
	data := make([]T, len(asked.Data)/int(unsafe.Sizeof(zero)))
	copy(bytesOf(data), asked.Data)
	tensor, err := hurray.FromSlice(data, unsigneds(asked.Shape), hurray.CopyNever)
	if err != nil {
		return nil, err
	}
	defer tensor.Close()
	view, err := hurray.View[T](tensor)
	if err != nil {
		return nil, err
	}
	return viewed(tensor, bytesOf(view), len(data) == 0 || &view[0] == &data[0])
}

// packed goes through the bytes of elements that are narrower than a byte.
func packed(asked *request, kind hurray.ElementType) (answer, error) {
	tensor, err := hurray.FromBytes(asked.Data, kind, unsigneds(asked.Shape), hurray.CopyNever)
	if err != nil {
		return nil, err
	}
	defer tensor.Close()
	buffer, err := tensor.Buffer(0)
	if err != nil {
		return nil, err
	}
	defer buffer.Close()
	view, err := buffer.Bytes()
	if err != nil {
		return nil, err
	}
	return viewed(tensor, view, len(view) == 0 || &view[0] == &asked.Data[0])
}

func viewed(tensor *hurray.Tensor, values []byte, shared bool) (answer, error) {
	item, err := tensorOut(tensor)
	return answer{"item": item, "values": hex(values), "shared": shared}, err
}

// bytesOf is the memory of a slice.
func bytesOf[T any](values []T) []byte {
	var zero T
	if len(values) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&values[0])), len(values)*int(unsafe.Sizeof(zero)))
}
