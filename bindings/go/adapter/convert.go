package main

import hurray "github.com/hurray-format/hurray-go"

// convert makes an item's tensor another one, and reads that back.
func convert(asked *request) (answer, error) {
	item, err := asked.Item.make()
	if err != nil {
		return nil, err
	}
	defer item.Close()
	tensor, err := item.Tensor()
	if err != nil {
		return nil, err
	}
	defer tensor.Close()
	result, err := converted(asked, tensor)
	if err != nil {
		return nil, err
	}
	defer result.Close()
	out, err := tensorOut(result)
	return answer{"item": out}, err
}

func converted(asked *request, tensor *hurray.Tensor) (*hurray.Tensor, error) {
	switch asked.How {
	case "row_major":
		return tensor.ToRowMajor(nil)
	case "layout":
		target, err := asked.Target.target()
		if err != nil {
			return nil, err
		}
		defer target.Close()
		return tensor.ToLayout(target, nil)
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
	default:
		return nil, fault("no conversion " + asked.How)
	}
}
