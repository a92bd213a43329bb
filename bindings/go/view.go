package hurray

import (
	"iter"
	"math"
	"unsafe"

	"github.com/hurray-format/hurray-go/internal/capi"
)

// View is a row-major tensor's elements as a slice on the tensor's own memory. Of a quantized tensor it has the codes.
//
// The slice may be used until the tensor is closed, and while the tensor is reachable: keep a deferred Close, or
// runtime.KeepAlive, behind its last use. Refused, with an error that names the call that copies:
//
//   - ErrInvalidType: the elements are of another type than T.
//   - ErrUnsupported: the layout is not row-major ([ViewArray] reads strided ones in place), or memory of a device.
//   - ErrCopyRequired: the memory is read-only, and a Go slice is not; or it is not aligned for T.
func View[T Element](t *Tensor) ([]T, error) {
	raw, err := t.handle.enter()
	if err != nil {
		return nil, err
	}
	dense, failure := capi.TensorDense(raw)
	t.handle.leave()
	if failure != nil {
		return nil, failed(failure)
	}
	if err := checkView[T](dense.Data, dense.Count, dense.Flags, ElementType(dense.ElementType)); err != nil {
		return nil, err
	}
	if dense.Count == 0 {
		return []T{}, nil
	}
	if dense.Flags&capi.ViewRowMajor == 0 {
		return nil, refuse(ErrUnsupported,
			"the elements are not in row-major order: read them with ViewArray, or copy them with ToSlice")
	}
	return unsafe.Slice((*T)(capi.Address(dense.Data)), int(dense.Count)), nil
}

// checkView refuses what a slice of T over the memory would get wrong.
func checkView[T Element](data uintptr, count uint64, flags uint32, held ElementType) error {
	if held != ElementTypeOf[T]() {
		return refuse(ErrInvalidType, "the elements are %v, not %v", held, ElementTypeOf[T]())
	}
	if flags&capi.ViewReadOnly != 0 {
		return refuse(ErrCopyRequired, "the memory is read-only, and a Go slice is not: copy it with ToSlice")
	}
	var zero T
	if count != 0 && data%unsafe.Alignof(zero) != 0 {
		return refuse(ErrCopyRequired, "the memory is not aligned for %v: copy it with ToSlice", held)
	}
	if count > math.MaxInt/uint64(unsafe.Sizeof(zero)) {
		return refuse(ErrOverflow, "%d elements are more than a slice can have here", count)
	}
	return nil
}

// ToSlice copies a dense tensor's elements, in row-major order: from any strides, alignment and read-only memory.
func ToSlice[T Element](t *Tensor) ([]T, error) {
	view, done, err := t.view()
	if err != nil {
		return nil, err
	}
	defer done()
	if held := ElementType(view.ElementType); held != ElementTypeOf[T]() {
		return nil, refuse(ErrInvalidType, "the elements are %v, not %v", held, ElementTypeOf[T]())
	}
	count, ok := product(view.Shape)
	if !ok || count > math.MaxInt/uint64(sizeOf[T]()) {
		return nil, refuse(ErrOverflow, "the elements of shape %v are more than a slice can have here", view.Shape)
	}
	values := make([]T, count)
	if count != 0 {
		size := int(sizeOf[T]())
		copyElements(unsafe.Slice((*byte)(unsafe.Pointer(&values[0])), len(values)*size), view, size)
	}
	return values, nil
}

// ToBytes copies a dense tensor's elements as bytes, in row-major order. Types narrower than a byte stay packed.
func ToBytes(t *Tensor) ([]byte, error) {
	view, done, err := t.view()
	if err != nil {
		return nil, err
	}
	defer done()
	kind := ElementType(view.ElementType)
	count, ok := product(view.Shape)
	if !ok {
		return nil, refuse(ErrOverflow, "shape %v has more elements than 64 bits count", view.Shape)
	}
	length, err := kind.Bytes(count)
	if err != nil {
		return nil, err
	}
	if length > math.MaxInt {
		return nil, refuse(ErrOverflow, "%d bytes are more than a slice can have here", length)
	}
	bytes := make([]byte, length)
	if length != 0 {
		width, err := kind.Bits()
		if err != nil {
			return nil, err
		}
		copyElements(bytes, view, width/8)
	}
	return bytes, nil
}

// view is the tensor as an array, in use until done is called.
func (t *Tensor) view() (view capi.View, done func(), err error) {
	raw, err := t.handle.enter()
	if err != nil {
		return capi.View{}, nil, err
	}
	view, failure := capi.TensorView(raw)
	if failure != nil {
		t.handle.leave()
		return capi.View{}, nil, failed(failure)
	}
	return view, t.handle.leave, nil
}

// copyElements copies elements of `size` bytes in row-major order.
func copyElements(out []byte, view capi.View, size int) {
	if view.Flags&(capi.ViewRowMajor|capi.ViewPacked) != 0 {
		copy(out, unsafe.Slice((*byte)(capi.Address(view.Data)), len(out)))
		return
	}
	for at := range offsets(view.Shape, view.ByteStrides) {
		copy(out[:size], unsafe.Slice((*byte)(capi.Address(view.Data+uintptr(at))), size))
		out = out[size:]
	}
}

// offsets goes through an array in row-major order; the offsets are in the unit of the strides.
func offsets(shape []uint64, strides []int64) iter.Seq[int64] {
	return func(yield func(int64) bool) {
		for _, extent := range shape {
			if extent == 0 {
				return
			}
		}
		index := make([]uint64, len(shape))
		at := int64(0)
		for {
			if !yield(at) {
				return
			}
			axis := len(shape) - 1
			for ; axis >= 0; axis-- {
				index[axis]++
				if index[axis] < shape[axis] {
					at += strides[axis]
					break
				}
				at -= strides[axis] * int64(shape[axis]-1)
				index[axis] = 0
			}
			if axis < 0 {
				return
			}
		}
	}
}

// Array is a dense tensor's elements by index, on the tensor's own memory, with any strides. It keeps the tensor
// reachable, and may be used until that is closed.
type Array[T Element] struct {
	tensor *Tensor
	data   uintptr
	shape  []uint64
	stride []int64 // in bytes
}

// ViewArray is a dense tensor of any strides as an array in place. Errors: as [View], but for the order.
func ViewArray[T Element](t *Tensor) (*Array[T], error) {
	view, done, err := t.view()
	if err != nil {
		return nil, err
	}
	defer done()
	count, ok := product(view.Shape)
	if !ok {
		return nil, refuse(ErrOverflow, "shape %v has more elements than 64 bits count", view.Shape)
	}
	if err := checkView[T](view.Data, count, view.Flags, ElementType(view.ElementType)); err != nil {
		return nil, err
	}
	return &Array[T]{tensor: t, data: view.Data, shape: view.Shape, stride: view.ByteStrides}, nil
}

// Shape has the extent of each dimension.
func (a *Array[T]) Shape() []uint64 { return append([]uint64{}, a.shape...) }

// Strides has one stride a dimension, in elements.
func (a *Array[T]) Strides() []int {
	strides := make([]int, len(a.stride))
	for k, stride := range a.stride {
		strides[k] = int(stride) / int(sizeOf[T]())
	}
	return strides
}

// At is the element at an index; it panics, as a slice does, for an index outside.
func (a *Array[T]) At(index ...int) T { return *a.element(index) }

// Set writes the element at an index; it panics for an index outside.
func (a *Array[T]) Set(value T, index ...int) { *a.element(index) = value }

func (a *Array[T]) element(index []int) *T {
	if len(index) != len(a.shape) {
		panic(refuse(ErrIndexOutOfBounds, "an index of %d numbers into %d dimensions", len(index), len(a.shape)))
	}
	at := int64(0)
	for k, i := range index {
		if i < 0 || uint64(i) >= a.shape[k] {
			panic(refuse(ErrIndexOutOfBounds, "index %v into shape %v", index, a.shape))
		}
		at += int64(i) * a.stride[k]
	}
	return (*T)(capi.Address(a.data + uintptr(at)))
}

// All goes through the elements in row-major order.
func (a *Array[T]) All() iter.Seq[T] {
	return func(yield func(T) bool) {
		for at := range offsets(a.shape, a.stride) {
			if !yield(*(*T)(capi.Address(a.data + uintptr(at)))) {
				return
			}
		}
	}
}
