package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"hash/crc32"
	"net"
	"path/filepath"
	"reflect"
	"testing"

	hurray "github.com/hurray-format/hurray-go"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func little(values any) []byte { return must(binary.Append(nil, binary.LittleEndian, values)) }

// samples are a dense tensor, a quantized one and a CSR matrix, with the bytes that their checksums are of.
func samples() (tensors []*hurray.Tensor, logical [][]byte) {
	whole := []float32{1, 2, 3, 4, 5, 6}
	columns := must(hurray.FromStrided(whole, []uint64{2, 3}, []int{1, 2}, 0))

	codes, scales := []int8{1, -2, 3, 4}, []float32{0.5, 0.25}
	d := must(hurray.NewBuilder(hurray.TypeInt8, []uint64{2, 2}, nil).
		Quantization(hurray.PerChannelAffine{Axis: 0}).DefaultBuffers().Finish())
	quantized := must(hurray.NewTensor(d, must(hurray.BufferCopyOf(codes)), must(hurray.BufferCopyOf(scales))))

	values, indices, pointers := []float32{1.5, -2, 3}, []uint64{0, 2, 1}, []uint64{0, 2, 3}
	d = must(hurray.NewBuilder(hurray.TypeFloat32, []uint64{2, 3}, hurray.CSRLayout{NNZ: 3}).DefaultBuffers().Finish())
	matrix := must(hurray.NewTensor(d, must(hurray.BufferCopyOf(values)), must(hurray.BufferCopyOf(indices)),
		must(hurray.BufferCopyOf(pointers))))

	return []*hurray.Tensor{columns, quantized, matrix}, [][]byte{
		little([]float32{1, 3, 5, 2, 4, 6}), append(little(codes), little(scales)...),
		append(append(little(values), little(indices)...), little(pointers)...),
	}
}

func TestTour(t *testing.T) {
	folder := t.TempDir()
	tensors, logical := samples()
	names := []string{"columns", "quantized", "matrix"}
	file := must(hurray.CreateFile(filepath.Join(folder, "demo.hrry")))
	for k, name := range names {
		if err := file.Put(name, tensors[k]); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(file.Finish(), file.Close()); err != nil {
		t.Fatal(err)
	}
	listener := must(net.Listen("unix", filepath.Join(folder, "socket")))
	defer listener.Close()
	go func() {
		connection := must(listener.Accept())
		defer connection.Close()
		writer := must(hurray.NewStreamWriter(connection))
		defer writer.Close()
		for _, tensor := range tensors {
			if err := writer.Write(context.Background(), tensor); err != nil {
				panic(err)
			}
		}
	}()
	var out bytes.Buffer
	back := filepath.Join(folder, "back.hrry")
	err := run(filepath.Join(folder, "demo.hrry"), filepath.Join(folder, "socket"), back, json.NewEncoder(&out))
	if err != nil {
		t.Fatal(err)
	}

	decoder := json.NewDecoder(&out)
	for k := range 6 {
		var told line
		if err := decoder.Decode(&told); err != nil {
			t.Fatal(err)
		}
		if told.CRC32 != crc32.ChecksumIEEE(logical[k%3]) || told.Bytes != len(logical[k%3]) {
			t.Errorf("%s: %d bytes with checksum %d", told.Name, told.Bytes, told.CRC32)
		}
		if k%3 == 1 && (told.Scheme != "per_channel_affine" || *told.Axis != 0 || *told.Scale != 0.25) {
			t.Errorf("the quantized tensor is told as %+v", told)
		}
		if k%3 == 2 && (*told.Stored != 3 || *told.Row != 0 || *told.Column != 2 || *told.Element != -2) {
			t.Errorf("the matrix is told as %+v", told)
		}
	}
	written := must(hurray.OpenFile(back))
	defer written.Close()
	elements := must(hurray.ToSlice[float64](must(written.Tensor("from_go"))))
	if !reflect.DeepEqual(elements, []float64{0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23}) {
		t.Error(elements)
	}
}
