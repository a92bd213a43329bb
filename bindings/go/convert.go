package hurray

import "github.com/hurray-format/hurray-go/internal/capi"

// Conversion says how a conversion is made, and afterwards what it wrote. nil stands for a new buffer and no options.
type Conversion struct {
	// Into takes the elements of the result: host memory, writable, long enough, apart from the source. The result
	// shares it. nil: a new buffer.
	Into *Buffer
	// Options may have OptionCopy and OptionThreads.
	Options []Option
	// Written becomes the number of bytes that were written: 0 where the result shares the source's memory.
	Written uint64
}

// convert runs a conversion of a tensor.
func (t *Tensor) convert(c *Conversion, call func(tensor, into uintptr, options []capi.Option) (uintptr, uint64,
	*capi.Failure)) (*Tensor, error) {
	if c == nil {
		c = &Conversion{}
	}
	raw, err := t.handle.enter()
	if err != nil {
		return nil, err
	}
	defer t.handle.leave()
	var into uintptr
	if c.Into != nil {
		if into, err = c.Into.handle.enter(); err != nil {
			return nil, err
		}
		defer c.Into.handle.leave()
	}
	result, written, failure := call(raw, into, optionsOf(c.Options))
	c.Written = written
	return tensorOf(result, failure)
}

// ToRowMajor gives the same elements in row-major order, from any dense layout.
func (t *Tensor) ToRowMajor(c *Conversion) (*Tensor, error) {
	return t.convert(c, func(tensor, into uintptr, options []capi.Option) (uintptr, uint64, *capi.Failure) {
		return capi.TensorToLayout(tensor, 0, into, options)
	})
}

// ToLayout gives the same elements in the layout of a target, whose element type and shape are the tensor's. A tensor
// that is in that layout already is shared, unless [CopyAlways] is asked for.
func (t *Tensor) ToLayout(target *Descriptor, c *Conversion) (*Tensor, error) {
	if _, err := target.handle.enter(); err != nil {
		return nil, err
	}
	defer target.handle.leave()
	return t.convert(c, func(tensor, into uintptr, options []capi.Option) (uintptr, uint64, *capi.Failure) {
		return capi.TensorToLayout(tensor, target.raw, into, options)
	})
}

// Dequantize gives numbers of a type, one of float16, bfloat16, float32 and float64: what quantized codes stand for, or
// the values themselves, converted, of a tensor without a scheme. Of a dense tensor the result is row-major.
func (t *Tensor) Dequantize(kind ElementType, c *Conversion) (*Tensor, error) {
	return t.convert(c, func(tensor, into uintptr, options []capi.Option) (uintptr, uint64, *capi.Failure) {
		return capi.TensorDequantize(tensor, uint8(kind), into, options)
	})
}

// Unpack gives the codes of a packed type, one a byte, row-major: int8 for signed integers, otherwise uint8; of bool
// 0 and 1. ErrInvalidType for a type that is not packed.
func (t *Tensor) Unpack(c *Conversion) (*Tensor, error) {
	return t.convert(c, capi.TensorUnpack)
}

// Pack gives a tensor of int8 or uint8, one code a byte, as a packed type, row-major.
func (t *Tensor) Pack(kind ElementType, c *Conversion) (*Tensor, error) {
	return t.convert(c, func(tensor, into uintptr, options []capi.Option) (uintptr, uint64, *capi.Failure) {
		return capi.TensorPack(tensor, uint8(kind), into, options)
	})
}

// Quantize gives codes of the scheme, storage type and layout of a target, for a dense tensor of real numbers of its
// shape. parameters are the target's parameter buffers, in order, and are copied; with nil they are computed.
func (t *Tensor) Quantize(target *Descriptor, parameters []*Buffer, c *Conversion) (*Tensor, error) {
	if _, err := target.handle.enter(); err != nil {
		return nil, err
	}
	defer target.handle.leave()
	var raws []uintptr
	if parameters != nil {
		raws = []uintptr{}
	}
	for _, parameter := range parameters {
		raw, err := parameter.handle.enter()
		if err != nil {
			return nil, err
		}
		defer parameter.handle.leave()
		raws = append(raws, raw)
	}
	return t.convert(c, func(tensor, into uintptr, options []capi.Option) (uintptr, uint64, *capi.Failure) {
		return capi.TensorQuantize(tensor, target.raw, raws, into, options)
	})
}

// ElementOffset is where an element lies, in elements from the one at index zero.
func (t *Tensor) ElementOffset(index ...uint64) (int64, error) {
	raw, err := t.handle.enter()
	if err != nil {
		return 0, err
	}
	defer t.handle.leave()
	offset, failure := capi.TensorElementOffset(raw, index)
	return int64(offset), failed(failure)
}

// ElementOffset is where an element of a dense layout lies, in elements from the one at index zero, by arithmetic.
func (d *Descriptor) ElementOffset(index ...uint64) (int64, error) {
	if _, err := d.handle.enter(); err != nil {
		return 0, err
	}
	defer d.handle.leave()
	offset, failure := capi.DescriptorElementOffset(d.raw, index)
	return int64(offset), failed(failure)
}
