package hurray_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	hurray "github.com/hurray-format/hurray-go"
)

func ExampleFromSlice() {
	weights := []float64{0, 1, 2, 3, 4, 5}
	tensor, err := hurray.FromSlice(weights, []uint64{2, 3})
	if err != nil {
		panic(err)
	}
	defer tensor.Close()
	view, err := hurray.View[float64](tensor)
	if err != nil {
		panic(err)
	}
	view[0] = 9 // the same memory
	fmt.Println(weights)
	// Output: [9 1 2 3 4 5]
}

func ExampleViewArray() {
	// Column-major: the first dimension is the fastest.
	tensor, err := hurray.FromStrided([]int32{1, 4, 2, 5, 3, 6}, []uint64{2, 3}, []int{1, 2}, 0)
	if err != nil {
		panic(err)
	}
	defer tensor.Close()
	array, err := hurray.ViewArray[int32](tensor)
	if err != nil {
		panic(err)
	}
	fmt.Println(array.At(1, 0), array.At(0, 2))
	_, err = hurray.View[int32](tensor)
	fmt.Println(errors.Is(err, hurray.ErrUnsupported))
	// Output:
	// 4 3
	// true
}

func ExampleNewTensor() {
	// A matrix of two rows and three columns with three stored entries.
	d, err := hurray.NewBuilder(hurray.TypeFloat32, []uint64{2, 3}, hurray.CSRLayout{NNZ: 3}).DefaultBuffers().Finish()
	if err != nil {
		panic(err)
	}
	defer d.Close()
	values := must(hurray.BufferCopyOf([]float32{1.5, -2, 3}))
	defer values.Close()
	columns := must(hurray.BufferCopyOf([]uint64{0, 2, 1}))
	defer columns.Close()
	rows := must(hurray.BufferCopyOf([]uint64{0, 2, 3}))
	defer rows.Close()
	matrix, err := hurray.NewTensor(d, values, columns, rows)
	if err != nil {
		panic(err)
	}
	defer matrix.Close()
	fmt.Println(matrix)
	// Output: float32 [2, 3] csr nnz 3 cpu 60 bytes
}

func ExampleOpenFile() {
	folder, err := os.MkdirTemp("", "hurray")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "model.hrry")

	writer, err := hurray.CreateFile(path)
	if err != nil {
		panic(err)
	}
	defer writer.Close()
	tensor := must(hurray.FromSlice([]float32{1, 2, 3}, []uint64{3}))
	defer tensor.Close()
	if err := errors.Join(writer.Set("epoch", 7), writer.Put("bias", tensor), writer.Finish()); err != nil {
		panic(err)
	}

	file, err := hurray.OpenFile(path)
	if err != nil {
		panic(err)
	}
	defer file.Close()
	bias, err := file.Tensor("bias")
	if err != nil {
		panic(err)
	}
	defer bias.Close()
	fmt.Println(must(hurray.View[float32](bias)), must(file.Value("epoch")))
	// Output: [1 2 3] 7
}

func ExampleStreamReader_All() {
	var wire bytes.Buffer
	ctx := context.Background()
	writer, err := hurray.NewStreamWriter(&wire)
	if err != nil {
		panic(err)
	}
	defer writer.Close()
	for k := range 2 {
		tensor := must(hurray.FromSlice([]int64{int64(k), int64(k * k)}, []uint64{2}))
		if err := writer.Write(ctx, tensor); err != nil {
			panic(err)
		}
		tensor.Close()
	}

	reader, err := hurray.NewStreamReader(&wire)
	if err != nil {
		panic(err)
	}
	defer reader.Close()
	for item, err := range reader.All(ctx) {
		if err != nil {
			panic(err)
		}
		tensor := must(item.Tensor())
		fmt.Println(must(hurray.View[int64](tensor)))
		tensor.Close()
		item.Close()
	}
	// Output:
	// [0 0]
	// [1 1]
}
