package main

import (
	"encoding/json"
	"errors"
	"hash/crc32"

	hurray "github.com/hurray-format/hurray-go"
)

// line is what is told of one tensor.
type line struct {
	From    string   `json:"from"`
	Name    string   `json:"name"`
	DType   string   `json:"dtype"`
	Shape   []uint64 `json:"shape"`
	Layout  string   `json:"layout"`
	Scheme  string   `json:"quantization,omitempty"`
	Bytes   int      `json:"bytes"`  // that went into the checksum
	Copied  uint64   `json:"copied"` // by the library, to give the tensor
	CRC32   uint32   `json:"crc32"`
	Stored  *uint64  `json:"nnz,omitempty"`
	Axis    *uint32  `json:"axis,omitempty"`
	Scale   *float32 `json:"last_scale,omitempty"`
	Row     *uint64  `json:"middle_row,omitempty"`
	Column  *uint64  `json:"middle_column,omitempty"`
	Element *float32 `json:"middle_value,omitempty"`
}

// parts are the arrays whose bytes are summed, in this order, where a tensor has them.
var parts = []hurray.Role{
	hurray.RoleIndices, hurray.RolePointers, hurray.RoleScales, hurray.RoleZeroPoints,
}

const copied = hurray.BufferCopiedAlignment | hurray.BufferCopiedWidth | hurray.BufferCopiedPacking |
	hurray.BufferCopiedOnRequest

// report reads a tensor, writes its line and closes it.
func report(lines *json.Encoder, from, name string, tensor *hurray.Tensor) error {
	defer tensor.Close()
	d, err := tensor.Descriptor()
	if err != nil {
		return err
	}
	told := line{
		From: from, Name: name, DType: d.ElementType().String(), Shape: d.Shape(), Layout: d.Layout().Tag().String(),
	}
	sum := crc32.NewIEEE()
	add := func(part *hurray.Tensor) error {
		bytes, err := hurray.ToBytes(part)
		sum.Write(bytes)
		told.Bytes += len(bytes)
		return err
	}
	if err := each(tensor, d, add); err != nil {
		return err
	}
	told.CRC32 = sum.Sum32()
	for k := range d.Buffers() {
		buffer, err := tensor.Buffer(k)
		if err != nil {
			return err
		}
		if buffer.Flags()&copied != 0 {
			told.Copied += buffer.ByteSize()
		}
		buffer.Close()
	}
	if err := errors.Join(told.scheme(tensor, d), told.sparse(tensor, d)); err != nil {
		return err
	}
	return lines.Encode(told)
}

// each visits the elements of a dense tensor, or the values of a sparse one, and then the other parts.
func each(tensor *hurray.Tensor, d *hurray.Descriptor, visit func(*hurray.Tensor) error) error {
	values, err := tensor.Part(hurray.RoleValues, 0)
	if errors.Is(err, hurray.ErrFieldNotApplicable) {
		err = visit(tensor)
	} else if err == nil {
		err = visit(values)
		values.Close()
	}
	for _, role := range parts {
		if err != nil {
			return err
		}
		part, missing := tensor.Part(role, 0)
		if missing == nil {
			err = visit(part)
			part.Close()
		} else if !errors.Is(missing, hurray.ErrFieldNotApplicable) {
			err = missing
		}
	}
	return err
}

// scheme tells the typed fields of a per-channel scheme, and its last scale.
func (l *line) scheme(tensor *hurray.Tensor, d *hurray.Descriptor) error {
	scheme := d.Quantization()
	if scheme == nil {
		return nil
	}
	l.Scheme = scheme.Tag().String()
	channel, ok := scheme.(hurray.PerChannelAffine)
	if !ok {
		return nil
	}
	l.Axis = &channel.Axis
	part, err := tensor.Part(hurray.RoleScales, 0)
	if err != nil {
		return err
	}
	defer part.Close()
	scales, err := hurray.View[float32](part)
	if err == nil && len(scales) > 0 {
		last := scales[len(scales)-1]
		l.Scale = &last
	}
	return err
}

// sparse tells the typed fields of a CSR matrix, and the entry in its middle.
func (l *line) sparse(tensor *hurray.Tensor, d *hurray.Descriptor) error {
	layout, ok := d.Layout().(hurray.CSRLayout)
	if !ok || layout.NNZ == 0 || d.ElementType() != hurray.TypeFloat32 {
		return nil
	}
	l.Stored = &layout.NNZ
	read := func(role hurray.Role) ([]uint64, error) {
		part, err := tensor.Part(role, 0)
		if err != nil {
			return nil, err
		}
		defer part.Close()
		return hurray.ToSlice[uint64](part)
	}
	columns, err := read(hurray.RoleIndices)
	if err != nil {
		return err
	}
	pointers, err := read(hurray.RolePointers)
	if err != nil {
		return err
	}
	values, err := tensor.Part(hurray.RoleValues, 0)
	if err != nil {
		return err
	}
	defer values.Close()
	elements, err := hurray.View[float32](values)
	if err != nil {
		return err
	}
	middle := layout.NNZ / 2
	row := uint64(0)
	for pointers[row+1] <= middle {
		row++
	}
	element := elements[middle]
	l.Row, l.Column, l.Element = &row, &columns[middle], &element
	return nil
}
