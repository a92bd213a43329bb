package hurray

import (
	"math/bits"
	"unsafe"

	"github.com/hurray-format/hurray-go/internal/capi"
)

// FromSlice makes a row-major tensor over a slice, in place. The slice stays pinned until the last share of the tensor
// goes; writes through it are seen through the tensor and the other way round. ErrBufferMismatch if its length is not
// the product of the shape. Options: OptionCopy.
func FromSlice[T Element](data []T, shape []uint64, options ...Option) (*Tensor, error) {
	return fromSlice(data, shape, 0, options)
}

// FromReadOnlySlice is FromSlice for memory that must not be written to. The tensor is read-only, everywhere and for
// ever.
func FromReadOnlySlice[T Element](data []T, shape []uint64, options ...Option) (*Tensor, error) {
	return fromSlice(data, shape, capi.BufferReadOnly, options)
}

// FromStrided makes a tensor over a slice with one stride a dimension, in elements; first is the position of the
// element at index zero. ErrBufferMismatch if an index reaches outside the slice.
func FromStrided[T Element](data []T, shape []uint64, strides []int, first int, options ...Option) (*Tensor, error) {
	if len(strides) != len(shape) {
		return nil, refuse(ErrInvalidArgument, "%d strides for %d dimensions", len(strides), len(shape))
	}
	if !isInside(shape, strides, first, len(data)) {
		return nil, refuse(ErrBufferMismatch, "shape %v with strides %v from %d reaches outside %d elements", shape,
			strides, first, len(data))
	}
	byteStrides := make([]int64, len(strides))
	for k, stride := range strides {
		// The stride of a dimension of one element means nothing and could be any number.
		if shape[k] > 1 {
			byteStrides[k] = int64(stride) * int64(sizeOf[T]())
		}
	}
	if len(data) > 0 {
		data = data[first:]
	}
	return fromArray(ElementTypeOf[T](), shape, byteStrides, unsafe.Pointer(unsafe.SliceData(data)), 0, nil, options)
}

// FromBytes makes a row-major tensor of any element type over its bytes, in place: what types that Go lacks are made
// of, packed as the format packs them. ErrBufferMismatch if there are fewer bytes than the elements take.
func FromBytes(data []byte, kind ElementType, shape []uint64, options ...Option) (*Tensor, error) {
	count, ok := product(shape)
	if !ok {
		return nil, refuse(ErrOverflow, "shape %v has more elements than 64 bits count", shape)
	}
	size, err := kind.Bytes(count)
	if err != nil {
		return nil, err
	}
	if size > uint64(len(data)) {
		return nil, refuse(ErrBufferMismatch, "%d bytes; %v elements of shape %v take %d", len(data), kind, shape, size)
	}
	return fromArray(kind, shape, nil, unsafe.Pointer(unsafe.SliceData(data)), 0, nil, options)
}

// Memory is an array that is not a Go slice: C's, or mapped. Data is the element at index zero; nil ByteStrides are
// row-major. Release, if not nil, is called once, on any thread, when the memory is not needed any more; it is not
// called if making the tensor fails. A panic in it ends the program.
type Memory struct {
	Data        unsafe.Pointer
	ElementType ElementType
	Shape       []uint64
	ByteStrides []int64
	IsReadOnly  bool
	Release     func()
}

// FromMemory makes a tensor over memory that the caller vouches for.
func FromMemory(memory Memory, options ...Option) (*Tensor, error) {
	if memory.ByteStrides != nil && len(memory.ByteStrides) != len(memory.Shape) {
		return nil, refuse(ErrInvalidArgument, "%d strides for %d dimensions", len(memory.ByteStrides),
			len(memory.Shape))
	}
	var flags uint32
	if memory.IsReadOnly {
		flags = capi.BufferReadOnly
	}
	return fromArray(memory.ElementType, memory.Shape, memory.ByteStrides, memory.Data, flags, memory.Release, options)
}

func fromSlice[T Element](data []T, shape []uint64, flags uint32, options []Option) (*Tensor, error) {
	if count, ok := product(shape); !ok || count != uint64(len(data)) {
		return nil, refuse(ErrBufferMismatch, "a slice of %d elements does not have the shape %v", len(data), shape)
	}
	memory := unsafe.Pointer(unsafe.SliceData(data))
	return fromArray(ElementTypeOf[T](), shape, nil, memory, flags, nil, options)
}

func fromArray(kind ElementType, shape []uint64, byteStrides []int64, memory unsafe.Pointer, flags uint32,
	release func(), options []Option) (*Tensor, error) {
	if err := library(); err != nil {
		return nil, err
	}
	run, err := begin(options)
	if err != nil {
		return nil, err
	}
	defer run.end()
	held := hold(memory, release)
	raw, failure := capi.TensorFromArray(uint8(kind), shape, byteStrides, uintptr(memory), flags, run.options, held)
	if failure != nil {
		capi.Forget(held)
		return nil, run.failed(failure)
	}
	return newTensor(raw), nil
}

// product is the number of indices of a shape, and whether 64 bits hold it.
func product(shape []uint64) (uint64, bool) {
	count, ok := uint64(1), true
	for _, extent := range shape {
		if extent == 0 {
			return 0, true
		}
		high, low := bits.Mul64(count, extent)
		count, ok = low, ok && high == 0
	}
	return count, ok
}

// isInside says whether every index of a strided array lies among the elements of a slice.
func isInside(shape []uint64, strides []int, first, size int) bool {
	count, ok := product(shape)
	if first < 0 || !ok || count == 0 {
		return ok && first >= 0 && first <= size
	}
	if first >= size {
		return false
	}
	below, above := uint64(first), uint64(size-1-first)
	for k, stride := range strides {
		room, step := &above, uint64(stride)
		if stride < 0 {
			room, step = &below, -uint64(stride)
		}
		high, reach := bits.Mul64(step, shape[k]-1)
		if high != 0 || reach > *room {
			return false
		}
		*room -= reach
	}
	return true
}
