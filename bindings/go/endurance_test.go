package hurray_test

import (
	"bytes"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"

	hurray "github.com/hurray-format/hurray-go"
)

// residentPages is the memory that the process has, in pages; -1 where the system does not tell.
func residentPages() int {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return -1
	}
	pages, err := strconv.Atoi(strings.Fields(string(text))[1])
	if err != nil {
		return -1
	}
	return pages
}

// 100 000 rounds of everything that makes handles leave the memory of the process as it is.
func TestEnduranceIsFlat(t *testing.T) {
	noLeak(t)
	rounds, limit := 100000, 16<<20
	if raceEnabled || os.Getenv("GOGC") == "1" {
		rounds = 5000 // every access is recorded, or each allocation may collect
	}
	if raceEnabled {
		limit = 1 << 30 // the detector's own records
	}
	data := []float32{1, 2, 3, 4}
	stream := written(bare, []*hurray.Tensor{must(hurray.FromSlice(data, []uint64{4}))})
	bad := append([]byte(nil), stream[:40]...)
	round := func(k int) {
		tensor := must(hurray.FromSlice(data, []uint64{2, 2}))
		received := must(hurray.Import(must(tensor.Export())))
		tensor.Close()
		if view := must(hurray.View[float32](received)); view[3] != 4 {
			t.Fatal(view)
		}
		if k%4 == 0 {
			must(received.Descriptor())
			if _, err := hurray.DecodeDescriptor(bad); err == nil {
				t.Fatal("half a descriptor was accepted")
			}
			r := must(hurray.NewStreamReader(bytes.NewReader(stream)))
			must(r.Next(background)).Close()
			r.Close()
		}
		if k%2 == 0 {
			received.Close() // the others are the collector's
		}
	}
	for k := range rounds / 10 {
		round(k)
	}
	runtime.GC()
	before := residentPages()
	for k := range rounds {
		round(k)
	}
	runtime.GC()
	if grown := (residentPages() - before) * os.Getpagesize(); before >= 0 && grown > limit {
		t.Errorf("%d bytes more after %d rounds", grown, rounds)
	}
}
