// Program bench prints what this package costs over the same calls of hurray.h, written by hand with cgo.
//
// Each row has tab-separated columns: what, bar, best time, best time of the yardstick, medians, unit. Rounds of both
// alternate in one run.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	hurray "github.com/hurray-format/hurray-go"
)

const rounds = 31

// row measures two functions in turn; each gives the time of one call, in nanoseconds.
func row(name string, bar float64, unit string, scale float64, ours, theirs func() float64) {
	var mine, other []float64
	for range rounds {
		mine = append(mine, ours()/scale)
		other = append(other, theirs()/scale)
	}
	slices.Sort(mine)
	slices.Sort(other)
	fmt.Printf("%s\t%g\t%.4g\t%.4g\t%.4g\t%.4g\t%s\n", name, bar, mine[0], other[0], mine[rounds/2], other[rounds/2],
		unit)
}

// timed gives the time of one of so many calls.
func timed(calls int, call func()) func() float64 {
	return func() float64 {
		start := time.Now()
		for range calls {
			call()
		}
		return float64(time.Since(start).Nanoseconds()) / float64(calls)
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return value
}

func sum(values []float32) (total float32) {
	for _, value := range values {
		total += value
	}
	return total
}

var sink float32

func main() {
	data := make([]float32, 960)
	shape := []uint64{64, 3, 5}
	row("Go: wrap + export + destroy (cgo by hand)", 2, "ns", 1, timed(2000, func() {
		tensor := must(hurray.FromSlice(data, shape))
		handle := must(tensor.Export())
		tensor.Close()
		received := must(hurray.Import(handle))
		received.Close()
	}), timed(2000, func() { exchangeByHand(data, shape) }))

	tensor := must(hurray.FromSlice(data, shape))
	handle := must(tensor.Export())
	row("Go: view back (cgo by hand)", 1.5, "ns", 1, timed(5000, func() {
		sink += must(hurray.View[float32](tensor))[1]
	}), timed(5000, func() { sink += viewByHand(handle)[1] }))
	must(hurray.Import(handle)).Close()
	tensor.Close()

	folder := must(os.MkdirTemp("", "hurray-bench"))
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "large.hrry")
	large := make([]float32, 16<<20)
	for k := range large {
		large[k] = 1
	}
	write(path, large)
	row("Go: file map + sum, 64 MB (sum of a slice)", 1.2, "ms", 1e6, timed(1, func() {
		file := must(hurray.OpenFile(path))
		mapped := must(file.Tensor("large"))
		sink += sum(must(hurray.View[float32](mapped)))
		mapped.Close()
		file.Close()
	}), timed(1, func() { sink += sum(large) }))
}

func write(path string, data []float32) {
	writer := must(hurray.CreateFile(path, hurray.OptionDurable.Set(0)))
	defer writer.Close()
	tensor := must(hurray.FromSlice(data, []uint64{uint64(len(data))}))
	defer tensor.Close()
	must(0, writer.Put("large", tensor))
	must(0, writer.Finish())
}
