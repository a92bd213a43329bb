package hurray

import (
	"unsafe"

	"github.com/hurray-format/hurray-go/internal/capi"
)

// Tensor is a descriptor, the buffers it describes, and what keeps their memory alive. Shares of one tensor are handles
// on one core; what it holds is released once, when the last one goes, on whatever thread that happens.
type Tensor struct{ handle *handle }

func newTensor(raw uintptr) *Tensor {
	t := &Tensor{handle: newHandle(raw, "tensor", capi.TensorDestroy)}
	closeWith(t, t.handle)
	return t
}

func tensorOf(raw uintptr, failure *capi.Failure) (*Tensor, error) {
	if failure != nil {
		return nil, failed(failure)
	}
	return newTensor(raw), nil
}

// NewTensor joins a descriptor and buffers, in the order of its buffer table: each at least as long as it says there,
// aligned, on the device and of the class and sync mode that it says. The tensor keeps shares; descriptor and buffers
// stay the caller's to close.
func NewTensor(d *Descriptor, buffers ...*Buffer) (*Tensor, error) {
	raws := make([]uintptr, len(buffers))
	for k, buffer := range buffers {
		raw, err := buffer.handle.enter()
		if err != nil {
			return nil, err
		}
		defer buffer.handle.leave()
		raws[k] = raw
	}
	if _, err := d.handle.enter(); err != nil {
		return nil, err
	}
	defer d.handle.leave()
	return tensorOf(capi.TensorFromBuffers(d.raw, raws))
}

// Import takes over a handle that came from elsewhere: a HurrayTensor pointer. Its version is read first, and any other
// than this package's is refused with ErrVersionMismatch; what is refused stays with whoever owns it.
func Import(handle unsafe.Pointer) (*Tensor, error) {
	if err := library(); err != nil {
		return nil, err
	}
	version, failure := capi.TensorABIVersion(uintptr(handle))
	if failure != nil {
		return nil, failed(failure)
	}
	if version != capi.ABIVersion {
		return nil, refuse(ErrVersionMismatch, "the tensor comes from C ABI version %d, this package has version %d",
			version, capi.ABIVersion)
	}
	return newTensor(uintptr(handle)), nil
}

// Export gives a HurrayTensor pointer, a share, to whoever takes it: C code, another language's package, [Import]. It
// is theirs, and they end it; the tensor stays as it is.
func (t *Tensor) Export() (unsafe.Pointer, error) {
	raw, err := t.handle.enter()
	if err != nil {
		return nil, err
	}
	share, failure := capi.TensorShare(raw)
	t.handle.leave()
	if failure != nil {
		return nil, failed(failure)
	}
	return capi.Address(share), nil
}

// Share is another handle on the same tensor, with a life of its own.
func (t *Tensor) Share() (*Tensor, error) {
	raw, err := t.handle.enter()
	if err != nil {
		return nil, err
	}
	defer t.handle.leave()
	return tensorOf(capi.TensorShare(raw))
}

// Close ends this handle. Slices that were taken from it may not be used afterwards.
func (t *Tensor) Close() error {
	t.handle.close()
	return nil
}

// ABIVersion is the version of the C ABI of the tensor's producer.
func (t *Tensor) ABIVersion() (uint32, error) {
	raw, err := t.handle.enter()
	if err != nil {
		return 0, err
	}
	defer t.handle.leave()
	version, failure := capi.TensorABIVersion(raw)
	return uint32(version), failed(failure)
}

// Descriptor says what the tensor is. It lives as long as this handle.
func (t *Tensor) Descriptor() (*Descriptor, error) {
	raw, err := t.handle.enter()
	if err != nil {
		return nil, err
	}
	defer t.handle.leave()
	borrowed, failure := capi.TensorDescriptor(raw)
	if failure != nil {
		return nil, failed(failure)
	}
	return borrowDescriptor(borrowed, t.handle, t)
}

// BufferCount is the number of buffers.
func (t *Tensor) BufferCount() (int, error) {
	raw, err := t.handle.enter()
	if err != nil {
		return 0, err
	}
	defer t.handle.leave()
	count, failure := capi.TensorBufferCount(raw)
	return int(count), failed(failure)
}

// Buffer is a share of one buffer, by its position in the buffer table. It keeps the tensor's memory alive.
func (t *Tensor) Buffer(index int) (*Buffer, error) {
	raw, err := t.handle.enter()
	if err != nil {
		return nil, err
	}
	defer t.handle.leave()
	share, failure := capi.TensorBuffer(raw, uint64(index))
	if failure != nil {
		return nil, failed(failure)
	}
	return newBuffer(share)
}

// Part is one array inside the tensor as a dense tensor of its own, which keeps all of this one alive: the values,
// indices or pointers of a sparse tensor, the scales or zero points of a quantized one, the tables of a paged one.
// level is 0 but for the roles of CSF. ErrFieldNotApplicable if there is no such part.
func (t *Tensor) Part(role Role, level uint32) (*Tensor, error) {
	raw, err := t.handle.enter()
	if err != nil {
		return nil, err
	}
	defer t.handle.leave()
	return tensorOf(capi.TensorPart(raw, uint32(role), level))
}

// String is one line that says element type, shape, layout, quantization, device and bytes.
func (t *Tensor) String() string {
	raw, err := t.handle.enter()
	if err != nil {
		return err.Error()
	}
	defer t.handle.leave()
	return line(readBytes(raw, capi.TensorDescribe, 256))
}
