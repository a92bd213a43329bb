package hurray

import (
	"unsafe"

	"github.com/hurray-format/hurray-go/internal/capi"
)

// ToDLPack gives the tensor as a DLManagedTensorVersioned of DLPack 1.3, for any consumer of DLPack 1.x: whoever takes
// the pointer calls its deleter once. The struct keeps a share of the tensor. [CopyAlways] copies for the consumer
// alone. ErrUnsupported where DLPack cannot carry the tensor; ErrCopyRequired for bool, whose elements are bits here.
func (t *Tensor) ToDLPack(options ...Option) (unsafe.Pointer, error) {
	return t.toDLPack(true, options)
}

// ToDLPackUnversioned gives a DLManagedTensor, for consumers older than DLPack 1.0. ErrUnsupported also for read-only
// memory, which that struct cannot tell.
func (t *Tensor) ToDLPackUnversioned(options ...Option) (unsafe.Pointer, error) {
	return t.toDLPack(false, options)
}

func (t *Tensor) toDLPack(versioned bool, options []Option) (unsafe.Pointer, error) {
	var managed uintptr
	err := t.handle.with(options, func(raw uintptr, options capi.Options) (failure *capi.Failure) {
		managed, failure = capi.TensorToDLPack(raw, versioned, options)
		return failure
	})
	if err != nil {
		return nil, err
	}
	return capi.Address(managed), nil
}

// DLPackDevice is the DLPack device that an export would carry: type and id.
func (t *Tensor) DLPackDevice() (deviceType, deviceID int32, err error) {
	raw, err := t.handle.enter()
	if err != nil {
		return 0, 0, err
	}
	defer t.handle.leave()
	deviceType, deviceID, failure := capi.TensorDLPackDevice(raw)
	return deviceType, deviceID, failed(failure)
}

// FromDLPack makes a tensor of a DLManagedTensorVersioned in C's memory, in place where the format can describe it.
// The struct is then the tensor's, and its deleter runs once, with the last share. On failure it stays the caller's,
// but for one of another major version (ErrVersionMismatch), which is released at once, as DLPack demands.
func FromDLPack(managed unsafe.Pointer, options ...Option) (*Tensor, error) {
	return fromDLPack(managed, true, options)
}

// FromDLPackUnversioned makes a tensor of a DLManagedTensor. That struct cannot tell whether its memory may be written
// to: the tensor is read-only.
func FromDLPackUnversioned(managed unsafe.Pointer, options ...Option) (*Tensor, error) {
	return fromDLPack(managed, false, options)
}

func fromDLPack(managed unsafe.Pointer, versioned bool, options []Option) (*Tensor, error) {
	if err := library(); err != nil {
		return nil, err
	}
	run, err := begin(options)
	if err != nil {
		return nil, err
	}
	defer run.end()
	raw, failure := capi.TensorFromDLPack(uintptr(managed), versioned, run.options)
	if failure != nil {
		return nil, run.failed(failure)
	}
	return newTensor(raw), nil
}
