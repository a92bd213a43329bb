package hurray_test

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	hurray "github.com/hurray-format/hurray-go"
)

var metadata = map[string]hurray.KVValue{
	"truth": true, "signed": int64(-1 << 63), "unsigned": uint64(1<<64 - 1), "real": math.Copysign(0, -1),
	"text": "wörd", "bytes": []byte{0, 1, 255}, "truths": []bool{true, false, true}, "signeds": []int64{-1, 1<<53 + 1},
	"unsigneds": []uint64{}, "reals": []float64{0.5, math.Inf(1)}, "texts": []string{"", "a", "bc"},
	"blobs": [][]byte{{}, {7}},
}

// fill writes two tensors, a composite and all kinds of metadata.
func fill(w *hurray.FileWriter) {
	for _, key := range []string{
		"truth", "signed", "unsigned", "real", "text", "bytes", "truths", "signeds", "unsigneds", "reals", "texts",
		"blobs",
	} {
		if err := w.Set(key, metadata[key]); err != nil {
			panic(err)
		}
	}
	weights := must(hurray.FromSlice([]float32{1, 2, 3, 4, 5, 6}, []uint64{2, 3}))
	defer weights.Close()
	codes := must(hurray.FromSlice([]int8{-1, 0, 1}, []uint64{3}))
	defer codes.Close()
	second, first := memberOf([]float32{3, 4}, 2), memberOf([]float32{1, 2}, 0)
	defer second.Close()
	defer first.Close()
	whole := must(partition(second, first))
	defer whole.Close()
	for _, err := range []error{
		w.Put("weights", weights), w.Put("codes", codes), w.PutItem("whole", whole), w.Finish(), w.Close(),
	} {
		if err != nil {
			panic(err)
		}
	}
}

func sample(t *testing.T) string {
	path := filepath.Join(t.TempDir(), "sample.hrry")
	fill(must(hurray.CreateFile(path)))
	return path
}

func checkSample(t *testing.T, file *hurray.FileReader) {
	t.Helper()
	equal(t, "names", must(file.Names()), []string{"weights", "codes", "whole", "whole.0", "whole.1"})
	tensor := must(file.Tensor("weights"))
	equal(t, "elements", must(hurray.ToSlice[float32](tensor)), []float32{1, 2, 3, 4, 5, 6})
	tensor.Close()
	equal(t, "items", must(file.Items()), []int{0, 1, 2})
	whole := must(file.Item(2))
	member := must(whole.Member(0))
	whole.Close()
	equal(t, "elements of a member", elementsOf(member), []float32{3, 4})
	member.Close()
	keys := must(file.Keys())
	equal(t, "number of keys", len(keys), len(metadata))
	for _, key := range keys {
		equal(t, key, must(file.Value(key)), metadata[key])
	}
	equal(t, "sign of -0", math.Signbit(must(file.Value("real")).(float64)), true)
	_, err := file.Value("none")
	fails(t, err, hurray.ErrNotFound)
	_, err = file.Tensor("none")
	contains(t, fails(t, err, hurray.ErrNotFound), `"none"`)
	_, err = file.TensorAt(2)
	fails(t, err, hurray.ErrInvalidArgument)
	_, err = file.TensorAt(99)
	fails(t, err, hurray.ErrIndexOutOfBounds)
	out := make([]byte, 4)
	if err := file.ReadBuffer(out, 0, 0, 8); err != nil {
		t.Error(err)
	}
	equal(t, "a piece", out, []byte{0, 0, 0x40, 0x40})
	equal(t, "a descriptor", must(file.Descriptor(1)).Shape(), []uint64{3})
	offset, length, err := file.Range(0)
	if err != nil || offset%4096 != 0 || length != 24 {
		t.Error(offset, length, err)
	}
	equal(t, "line", file.String(), "file of 5 entries")
}

func TestFileRound(t *testing.T) {
	noLeak(t)
	path := sample(t)
	for _, options := range [][]hurray.Option{
		nil, {hurray.MapReadOnly}, {hurray.MapNothing}, {hurray.OptionVerify.Set(1)},
	} {
		file := must(hurray.OpenFile(path, options...))
		checkSample(t, file)
		file.Close()
		file.Close()
		_, err := file.Names()
		fails(t, err, hurray.ErrInvalidHandle)
	}
	opened := must(os.Open(path))
	defer opened.Close()
	file := must(hurray.OpenFrom(opened))
	defer file.Close()
	checkSample(t, file)
	if err := file.Advise(hurray.WholeFile, hurray.AdviceSequential); err != nil {
		t.Error(err)
	}
}

// The default is copy-on-write: slices of the mapping can be written to, and the file stays as it is.
func TestFileCopyOnWrite(t *testing.T) {
	noLeak(t)
	path := sample(t)
	before := must(os.ReadFile(path))
	file := must(hurray.OpenFile(path))
	tensor := must(file.Tensor("weights"))
	file.Close()
	buffer := must(tensor.Buffer(0))
	equal(t, "not copied", buffer.Flags(), 0)
	buffer.Close()
	view := must(hurray.View[float32](tensor))
	view[0] = 99
	equal(t, "written", must(hurray.ToSlice[float32](tensor))[0], 99)
	tensor.Close()
	equal(t, "the file", bytes.Equal(must(os.ReadFile(path)), before), true)

	read := must(hurray.OpenFile(path, hurray.MapReadOnly))
	defer read.Close()
	tensor = must(read.Tensor("weights"))
	defer tensor.Close()
	_, err := hurray.View[float32](tensor)
	contains(t, fails(t, err, hurray.ErrCopyRequired), "read-only", "ToSlice")
	equal(t, "copy", must(hurray.ToSlice[float32](tensor))[0], 1)
}

func TestFileErrors(t *testing.T) {
	noLeak(t)
	_, err := hurray.OpenFile(filepath.Join(t.TempDir(), "none.hrry"))
	fails(t, err, hurray.ErrIO)
	equal(t, "is fs.ErrNotExist", errors.Is(err, fs.ErrNotExist), true)
	path := filepath.Join(t.TempDir(), "short.hrry")
	os.WriteFile(path, must(os.ReadFile(sample(t)))[:5000], 0o600)
	_, err = hurray.OpenFile(path)
	if err == nil {
		t.Error("a file that was cut short was opened")
	}
	var memory bytes.Buffer
	w := must(hurray.NewFileWriter(&memory))
	defer w.Close()
	fails(t, w.Set("key", 3+4i), hurray.ErrInvalidType)
	if err := w.Set("key", 3); err != nil {
		t.Error(err)
	}
	fails(t, w.Set("key", 3), hurray.ErrDuplicate)
}

func TestFileNotFinished(t *testing.T) {
	noLeak(t)
	folder := t.TempDir()
	path := filepath.Join(folder, "old.hrry")
	os.WriteFile(path, []byte("old"), 0o600)
	w := must(hurray.CreateFile(path))
	tensor := must(hurray.FromSlice([]float32{1}, []uint64{1}))
	defer tensor.Close()
	if err := w.Put("one", tensor); err != nil {
		t.Fatal(err)
	}
	w.Close()
	equal(t, "the old file", string(must(os.ReadFile(path))), "old")
	equal(t, "files in the folder", len(must(os.ReadDir(folder))), 1)
	fails(t, w.Finish(), hurray.ErrInvalidHandle)
}

// B75: what goes to a writer is what a path gets, byte for byte.
func TestFileToWriter(t *testing.T) {
	noLeak(t)
	var memory bytes.Buffer
	fill(must(hurray.NewFileWriter(&memory)))
	equal(t, "bytes", bytes.Equal(memory.Bytes(), must(os.ReadFile(sample(t)))), true)

	file := must(hurray.OpenReaderAt(bytes.NewReader(memory.Bytes()), int64(memory.Len())))
	checkSample(t, file)
	file.Close()

	buffer := must(hurray.NewBuffer(uint64(memory.Len()), 4096))
	copy(must(buffer.Bytes()), memory.Bytes())
	held := must(hurray.OpenBuffer(buffer))
	buffer.Close()
	checkSample(t, held)
	held.Close()
}

type faulty struct {
	err   error
	panic any
}

func (f faulty) ReadAt([]byte, int64) (int, error) { return 0, f.fail() }
func (f faulty) Write([]byte) (int, error)         { return 0, f.fail() }
func (f faulty) fail() error {
	if f.panic != nil {
		panic(f.panic)
	}
	return f.err
}

var errOwn = errors.New("the caller's own error")

// What the caller's function returns is in the chain; a panic there goes on, on the Go side.
func TestFileCallbackErrors(t *testing.T) {
	noLeak(t)
	_, err := hurray.OpenReaderAt(faulty{err: errOwn}, 100000)
	fails(t, err, hurray.ErrIO)
	equal(t, "the cause", errors.Is(err, errOwn), true)
	_, err = hurray.OpenReaderAt(faulty{err: os.ErrDeadlineExceeded}, 100000)
	equal(t, "the cause", errors.Is(err, os.ErrDeadlineExceeded), true)

	w := must(hurray.NewFileWriter(faulty{err: io.ErrClosedPipe}))
	defer w.Close()
	tensor := must(hurray.FromSlice([]float32{1}, []uint64{1}))
	defer tensor.Close()
	err = w.Put("one", tensor)
	if err == nil {
		err = w.Finish()
	}
	fails(t, err, hurray.ErrIO)
	equal(t, "the cause", errors.Is(err, io.ErrClosedPipe), true)

	defer func() {
		equal(t, "the panic", recover(), any("the caller's own panic"))
	}()
	hurray.OpenReaderAt(faulty{panic: "the caller's own panic"}, 100000)
	t.Error("the panic was lost")
}

// B115: a file that is cut short under a reader that copies gives an error.
func TestFileCutShort(t *testing.T) {
	noLeak(t)
	path := filepath.Join(t.TempDir(), "large.hrry")
	w := must(hurray.CreateFile(path))
	tensor := must(hurray.FromSlice(make([]float64, 100000), []uint64{100000}))
	defer tensor.Close()
	if err := errors.Join(w.Put("large", tensor), w.Finish(), w.Close()); err != nil {
		t.Fatal(err)
	}
	file := must(hurray.OpenFile(path, hurray.MapNothing))
	defer file.Close()
	if err := os.Truncate(path, 8192); err != nil {
		t.Fatal(err)
	}
	_, err := file.Tensor("large")
	fails(t, err, hurray.ErrTruncated)
}

// B116: lengths beyond 32 bits. The file is sparse: its data is never written.
func TestFileBeyond32Bits(t *testing.T) {
	noLeak(t)
	const count = 1<<31 + 16
	path := filepath.Join(t.TempDir(), "sparse.hrry")
	room := must(os.Create(path))
	defer room.Close()
	if err := room.Truncate(count); err != nil {
		t.Fatal(err)
	}
	must(room.WriteAt([]byte{77}, count-1))
	mapped := mapFile(t, room, count)
	memory := hurray.Memory{Data: mapped, ElementType: hurray.TypeUint8, Shape: []uint64{count}}
	tensor := must(hurray.FromMemory(memory))
	defer tensor.Close()
	view := must(hurray.View[uint8](tensor))
	equal(t, "length", len(view), count)
	equal(t, "last byte", view[count-1], 77)
	buffer := must(tensor.Buffer(0))
	defer buffer.Close()
	equal(t, "size", buffer.ByteSize(), count)
}

// One reader, many goroutines.
func TestFileFromManyGoroutines(t *testing.T) {
	noLeak(t)
	file := must(hurray.OpenFile(sample(t)))
	defer file.Close()
	var group sync.WaitGroup
	for range 8 {
		group.Add(1)
		go func() {
			defer group.Done()
			for range 50 {
				tensor, err := file.Tensor("weights")
				if err != nil {
					t.Error(err)
					return
				}
				if view := must(hurray.View[float32](tensor)); view[5] != 6 {
					t.Error(view)
				}
				tensor.Close()
			}
		}()
	}
	group.Wait()
}

func TestFileNames(t *testing.T) {
	noLeak(t)
	path := filepath.Join(t.TempDir(), strings.Repeat("ü", 20)+".hrry")
	w := must(hurray.CreateFile(path, hurray.OptionDurable.Set(0), hurray.OptionSortedIndex.Set(1)))
	tensor := must(hurray.FromSlice([]float32{1}, []uint64{1}))
	defer tensor.Close()
	if err := errors.Join(w.Put("zwei", tensor), w.Put("ä", tensor), w.Put("b", tensor)); err != nil {
		t.Fatal(err)
	}
	fails(t, w.Put("zwei", tensor), hurray.ErrDuplicate)
	w.Close()
}

// B39: a slice that is not row-major is, after a file, what it was at every index.
func TestEveryOrderThroughAFile(t *testing.T) {
	noLeak(t)
	const rows, columns = 1000, 32
	data := make([]int32, rows*columns)
	for k := range data {
		data[k] = int32(k)
	}
	for _, c := range []struct {
		shape   []uint64
		strides []int
		first   int
	}{
		{[]uint64{rows, columns}, []int{1, rows}, 0},                 // column-major
		{[]uint64{500, 11}, []int{2 * columns, 3}, 0},                // [::2, ::3]
		{[]uint64{rows, columns}, []int{-columns, 1}, 999 * columns}, // upside down
		{[]uint64{columns, 1, rows}, []int{1, 77, columns}, 0},       // transposed, with an axis of one
	} {
		var file bytes.Buffer
		writer := must(hurray.NewFileWriter(&file))
		tensor := must(hurray.FromStrided(data, c.shape, c.strides, c.first))
		must(0, writer.Put("x", tensor))
		tensor.Close()
		must(0, writer.Finish())
		writer.Close()
		reader := must(hurray.OpenReaderAt(bytes.NewReader(file.Bytes()), int64(file.Len())))
		read := must(reader.Tensor("x"))
		found := must(hurray.ToSlice[int32](read))
		wanted := make([]int32, 0, len(found))
		last := len(c.shape) - 1
		for i := range int(c.shape[0]) {
			for j := range int(c.shape[last]) {
				wanted = append(wanted, data[c.first+i*c.strides[0]+j*c.strides[last]])
			}
		}
		equal(t, "elements", found, wanted)
		read.Close()
		reader.Close()
	}
}
