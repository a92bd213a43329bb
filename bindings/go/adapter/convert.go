package main

import (
	"strconv"

	hurray "github.com/hurray-format/hurray-go"
)

// convert makes an item's tensor another one and reads that back, or tells something of it.
func convert(asked *request) (answer, error) {
	item, err := asked.Item.make()
	if err != nil {
		return nil, err
	}
	defer item.Close()
	if asked.How == "assemble" {
		whole, err := item.Assemble(nil)
		return shown(whole, err)
	}
	tensor, err := item.Tensor()
	if err != nil {
		return nil, err
	}
	defer tensor.Close()
	switch asked.How {
	case "offset":
		offset, err := tensor.ElementOffset(as(asked.Index, func(w wide) uint64 { return uint64(w) })...)
		return answer{"offset": strconv.FormatInt(offset, 10)}, err
	case "check":
		return answer{}, tensor.CheckData()
	case "statistics":
		found, err := tensor.ComputeStatistics()
		if err != nil {
			return nil, err
		}
		defer found.Close()
		return answer{"statistics": statisticsOut(found.Statistics())}, nil
	case "scatter":
		return scatter(asked, tensor)
	}
	return shown(converted(asked, tensor))
}

// shown reads a tensor and closes it.
func shown(tensor *hurray.Tensor, err error) (answer, error) {
	if err != nil {
		return nil, err
	}
	defer tensor.Close()
	out, err := tensorOut(tensor)
	return answer{"item": out}, err
}

func scatter(asked *request, tensor *hurray.Tensor) (answer, error) {
	item, err := asked.Paged.make()
	if err != nil {
		return nil, err
	}
	defer item.Close()
	paged, err := item.Tensor()
	if err == nil {
		err = tensor.Scatter(paged, asked.lengths(), nil)
	}
	return shown(paged, err)
}

// lengths are the token counts; nil if there are none.
func (r *request) lengths() []uint64 {
	if r.SeqLengths == nil {
		return nil
	}
	return as(r.SeqLengths, func(w wide) uint64 { return uint64(w) })
}

func (r *request) spans() []hurray.Span {
	spans := make([]hurray.Span, len(r.Starts))
	for k := range spans {
		spans[k] = hurray.Span{Start: int64(r.Starts[k]), Stop: int64(r.Stops[k]), Step: 1}
		if r.Steps != nil {
			spans[k].Step = int64(r.Steps[k])
		}
	}
	return spans
}

func converted(asked *request, tensor *hurray.Tensor) (*hurray.Tensor, error) {
	switch asked.How {
	case "row_major":
		return tensor.ToRowMajor(nil)
	case "layout", "quantize":
		target, err := asked.Target.target()
		if err != nil {
			return nil, err
		}
		defer target.Close()
		if asked.How == "layout" {
			return tensor.ToLayout(target, nil)
		}
		return quantized(asked, tensor, target)
	case "dequantize", "pack":
		kind, err := tagOf[hurray.ElementType](asked.DType)
		if err != nil {
			return nil, err
		}
		if asked.How == "pack" {
			return tensor.Pack(kind, nil)
		}
		return tensor.Dequantize(kind, nil)
	case "unpack":
		return tensor.Unpack(nil)
	case "gather":
		return tensor.Gather(asked.lengths(), nil)
	case "slice":
		part, err := tensor.Slice(asked.spans(), nil)
		if err != nil {
			return nil, err
		}
		defer part.Close()
		return part.ToRowMajor(&hurray.Conversion{Options: []hurray.Option{hurray.CopyAlways}})
	default:
		return nil, fault("no conversion " + asked.How)
	}
}

func quantized(asked *request, tensor *hurray.Tensor, target *hurray.Descriptor) (*hurray.Tensor, error) {
	if asked.Parameters == nil {
		return tensor.Quantize(target, nil, nil)
	}
	parameters := []*hurray.Buffer{}
	for _, data := range asked.Parameters {
		buffer, err := hurray.BufferCopyOf(data)
		if err != nil {
			return nil, err
		}
		defer buffer.Close()
		parameters = append(parameters, buffer)
	}
	return tensor.Quantize(target, parameters, nil)
}
