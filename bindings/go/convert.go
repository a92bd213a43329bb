package hurray

import "github.com/hurray-format/hurray-go/internal/capi"

// Conversion says how a conversion is made, and afterwards what it wrote. nil stands for a new buffer and no options.
type Conversion struct {
	// Into takes the elements of the result: host memory, writable, long enough, apart from the source. The result
	// shares it. nil: a new buffer.
	Into *Buffer
	// Options may have OptionCopy, OptionThreads, WithContext and WithProgress.
	Options []Option
	// Written becomes the number of bytes that were written: 0 where the result shares the source's memory.
	Written uint64
}

// conversion is a call of the library that makes a tensor of something, into memory or not.
type conversion func(from, into uintptr, options capi.Options) (uintptr, uint64, *capi.Failure)

// convert runs a conversion of a tensor or an item.
func (h *handle) convert(c *Conversion, call conversion) (*Tensor, error) {
	if c == nil {
		c = &Conversion{}
	}
	raw, err := h.enter()
	if err != nil {
		return nil, err
	}
	defer h.leave()
	var into uintptr
	if c.Into != nil {
		if into, err = c.Into.handle.enter(); err != nil {
			return nil, err
		}
		defer c.Into.handle.leave()
	}
	run, err := begin(c.Options)
	if err != nil {
		return nil, err
	}
	defer run.end()
	result, written, failure := call(raw, into, run.options)
	c.Written = written
	if failure != nil {
		return nil, run.failed(failure)
	}
	return newTensor(result), nil
}

// ToRowMajor gives the same elements in row-major order, from any dense layout.
func (t *Tensor) ToRowMajor(c *Conversion) (*Tensor, error) {
	return t.handle.convert(c, func(tensor, into uintptr, options capi.Options) (uintptr, uint64, *capi.Failure) {
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
	return t.handle.convert(c, func(tensor, into uintptr, options capi.Options) (uintptr, uint64, *capi.Failure) {
		return capi.TensorToLayout(tensor, target.raw, into, options)
	})
}

// Dequantize gives numbers of a type, one of float16, bfloat16, float32 and float64: what quantized codes stand for, or
// the values themselves, converted, of a tensor without a scheme. Of a dense tensor the result is row-major.
func (t *Tensor) Dequantize(kind ElementType, c *Conversion) (*Tensor, error) {
	return t.handle.convert(c, func(tensor, into uintptr, options capi.Options) (uintptr, uint64, *capi.Failure) {
		return capi.TensorDequantize(tensor, uint8(kind), into, options)
	})
}

// Unpack gives the codes of a packed type, one a byte, row-major: int8 for signed integers, otherwise uint8; of bool
// 0 and 1. ErrInvalidType for a type that is not packed.
func (t *Tensor) Unpack(c *Conversion) (*Tensor, error) {
	return t.handle.convert(c, capi.TensorUnpack)
}

// Pack gives a tensor of int8 or uint8, one code a byte, as a packed type, row-major.
func (t *Tensor) Pack(kind ElementType, c *Conversion) (*Tensor, error) {
	return t.handle.convert(c, func(tensor, into uintptr, options capi.Options) (uintptr, uint64, *capi.Failure) {
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
	return t.handle.convert(c, func(tensor, into uintptr, options capi.Options) (uintptr, uint64, *capi.Failure) {
		return capi.TensorQuantize(tensor, target.raw, raws, into, options)
	})
}

// Span is the part of an axis that [Tensor.Slice] takes: the components from Start on, before Stop, in steps of Step.
// With a negative Step they go down, and Stop is -1 where the first component is the last one taken.
type Span struct{ Start, Stop, Step int64 }

// Slice gives part of a dense tensor, one span for each axis. Of row-major, column-major and strided tensors it shares
// the memory; else it copies, to row-major. Of the conversion only the options count. ErrIndexOutOfBounds for a span
// that reaches outside.
func (t *Tensor) Slice(spans []Span, c *Conversion) (*Tensor, error) {
	if c != nil && c.Into != nil {
		return nil, refuse(ErrInvalidArgument, "a slice is not written into a buffer")
	}
	var start, stop, step []int64
	for _, span := range spans {
		start, stop, step = append(start, span.Start), append(stop, span.Stop), append(step, span.Step)
	}
	return t.handle.convert(c, func(tensor, _ uintptr, options capi.Options) (uintptr, uint64, *capi.Failure) {
		return capi.TensorSlice(tensor, start, stop, step, options)
	})
}

// Gather brings all tokens of a block-paged tensor together, sequence after sequence, as a row-major tensor of its
// shape. sequenceLengths says how many tokens each sequence has; nil will do where there is one sequence, or where every
// page is full.
func (t *Tensor) Gather(sequenceLengths []uint64, c *Conversion) (*Tensor, error) {
	return t.handle.convert(c, func(tensor, into uintptr, options capi.Options) (uintptr, uint64, *capi.Failure) {
		return capi.TensorGather(tensor, sequenceLengths, into, options)
	})
}

// Scatter writes the tokens of a dense tensor into the pages of a block-paged one of the same shape and element type,
// in place: nobody else may use those meanwhile. It is the inverse of Gather. Of the conversion Options and Written
// count.
func (t *Tensor) Scatter(paged *Tensor, sequenceLengths []uint64, c *Conversion) error {
	if c == nil {
		c = &Conversion{}
	}
	if c.Into != nil {
		return refuse(ErrInvalidArgument, "tokens are written into pages, not into another buffer")
	}
	pages, err := paged.handle.enter()
	if err != nil {
		return err
	}
	defer paged.handle.leave()
	return t.handle.with(c.Options, func(raw uintptr, options capi.Options) (failure *capi.Failure) {
		c.Written, failure = capi.TensorScatter(raw, pages, sequenceLengths, options)
		return failure
	})
}

// with runs a call that has options.
func (h *handle) with(options []Option, call func(raw uintptr, options capi.Options) *capi.Failure) error {
	raw, err := h.enter()
	if err != nil {
		return err
	}
	defer h.leave()
	run, err := begin(options)
	if err != nil {
		return err
	}
	defer run.end()
	return run.failed(call(raw, run.options))
}

// ComputeStatistics gives the tensor's descriptor with statistics in it, in one pass over the elements; numbers are
// those that quantized codes stand for. Options: OptionThreads, WithContext, WithProgress.
func (t *Tensor) ComputeStatistics(options ...Option) (*Descriptor, error) {
	var descriptor uintptr
	err := t.handle.with(options, func(raw uintptr, options capi.Options) (failure *capi.Failure) {
		descriptor, failure = capi.TensorStatistics(raw, options)
		return failure
	})
	if err != nil {
		return nil, err
	}
	return readDescriptor(descriptor)
}

// CheckData holds what the buffers hold to the format: coordinates inside the shape and in order, pointers that rise,
// pages that exist, scales that their scheme allows, unused bits that are 0. The error names the rule, the part and the
// position. Conversions need no such check: they look at each index as they use it.
func (t *Tensor) CheckData(options ...Option) error {
	return t.handle.with(options, capi.TensorCheckData)
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
