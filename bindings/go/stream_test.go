package hurray_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"os"
	"testing"
	"testing/iotest"
	"time"

	hurray "github.com/hurray-format/hurray-go"
)

var background = context.Background()

// samples are tensors small and large.
func samples() (tensors []*hurray.Tensor) {
	tensors = append(tensors, must(hurray.FromSlice([]float32{1, 2, 3, 4, 5, 6}, []uint64{2, 3})))
	large := make([]int64, 20000)
	for k := range large {
		large[k] = int64(k)
	}
	tensors = append(tensors, must(hurray.FromSlice(large, []uint64{20000})))
	return append(tensors, must(hurray.FromSlice([]uint8{}, []uint64{0})))
}

func closeAll(tensors []*hurray.Tensor) {
	for _, tensor := range tensors {
		tensor.Close()
	}
}

func written(writer func(io.Writer) (*hurray.StreamWriter, error), tensors []*hurray.Tensor) []byte {
	var memory bytes.Buffer
	w := must(writer(&memory))
	defer w.Close()
	for _, tensor := range tensors {
		if err := w.Write(background, tensor); err != nil {
			panic(err)
		}
	}
	return memory.Bytes()
}

func bare(target io.Writer) (*hurray.StreamWriter, error) { return hurray.NewStreamWriter(target) }
func framed(target io.Writer) (*hurray.StreamWriter, error) {
	return hurray.NewFramedWriter(target, 9, 0)
}

// readAll reads items until the stream ends, and compares them with the samples.
func readAll(t *testing.T, source io.Reader, tensors []*hurray.Tensor, options ...hurray.Option) *hurray.StreamReader {
	t.Helper()
	r := must(hurray.NewStreamReader(source, options...))
	count := 0
	for item, err := range r.All(background) {
		if err != nil {
			t.Fatal(err)
		}
		tensor := must(item.Tensor())
		item.Close()
		equal(t, "bytes", bytes.Equal(must(hurray.ToBytes(tensor)), must(hurray.ToBytes(tensors[count]))), true)
		tensor.Close()
		count++
	}
	equal(t, "items", count, len(tensors))
	return r
}

// B74: whole, byte by byte, and in halves: the same tensors.
func TestStreams(t *testing.T) {
	noLeak(t)
	tensors := samples()
	defer closeAll(tensors)
	for name, writer := range map[string]func(io.Writer) (*hurray.StreamWriter, error){"bare": bare, "framed": framed} {
		stream := written(writer, tensors)
		for _, source := range []io.Reader{
			bytes.NewReader(stream), iotest.OneByteReader(bytes.NewReader(stream[:len(stream):len(stream)])),
			iotest.HalfReader(bytes.NewReader(stream)), iotest.DataErrReader(bytes.NewReader(stream)),
		} {
			r := readAll(t, source, tensors)
			id := must(r.StreamID())
			equal(t, "stream id of "+name, id, map[string]uint32{"bare": 0, "framed": 9}[name])
			equal(t, "unread", len(must(r.Unread())), 0)
			equal(t, "reply", len(must(r.Reply())), 0)
			r.Close()
			_, err := r.Next(background)
			fails(t, err, hurray.ErrInvalidHandle)
		}
		readAll(t, bytes.NewReader(stream), tensors, hurray.OptionReadAhead.Set(65536)).Close()
	}
}

// The bare form is a descriptor and its buffers' bytes: written by hand.
func TestStreamBytes(t *testing.T) {
	noLeak(t)
	one := wire{kind: 0x11, layout: 1, shape: []uint64{3}, buffers: []uint64{3}}
	stream := join(one.bytes(), []byte{7, 8, 9})
	item := must(must(hurray.NewStreamReader(bytes.NewReader(stream))).Next(background))
	tensor := must(item.Tensor())
	equal(t, "elements", must(hurray.View[uint8](tensor)), []uint8{7, 8, 9})
	equal(t, "written again", written(bare, []*hurray.Tensor{tensor}), stream)
	tensor.Close()
	item.Close()
}

// B71: only a cut at the end of an item is a clean end.
func TestStreamCuts(t *testing.T) {
	noLeak(t)
	tensors := []*hurray.Tensor{
		must(hurray.FromSlice([]uint8{7, 8, 9}, []uint64{3})), must(hurray.FromSlice([]uint8{1}, []uint64{1})),
	}
	defer closeAll(tensors)
	stream := written(bare, tensors)
	first := len(written(bare, tensors[:1]))
	for cut := range len(stream) {
		r := must(hurray.NewStreamReader(bytes.NewReader(stream[:cut])))
		count := 0
		var err error
		for {
			var item *hurray.Item
			if item, err = r.Next(background); err != nil {
				break
			}
			item.Close()
			count++
		}
		clean := cut == 0 || cut == first
		if clean != (err == io.EOF) || !clean && !errors.Is(err, hurray.ErrTruncated) {
			t.Errorf("cut at %d: %v", cut, err)
		}
		equal(t, "items", count, map[bool]int{true: 1}[cut >= first])
		r.Close()
	}
}

// B73: what is claimed is not allocated before it comes.
func TestStreamClaims(t *testing.T) {
	noLeak(t)
	for _, size := range []uint64{1 << 30, 1 << 40, 1 << 62} {
		claim := wire{kind: 0x11, layout: 1, shape: []uint64{size}, buffers: []uint64{size}}.bytes()
		r := must(hurray.NewStreamReader(bytes.NewReader(claim)))
		_, err := r.Next(background)
		fails(t, err, hurray.ErrTruncated)
		r.Close()
		r = must(hurray.NewStreamReader(bytes.NewReader(claim), hurray.OptionMaxBufferBytes.Set(1<<20)))
		_, err = r.Next(background)
		fails(t, err, hurray.ErrLimitExceeded)
		r.Close()
	}
}

func TestStreamSourceError(t *testing.T) {
	noLeak(t)
	tensors := samples()
	defer closeAll(tensors)
	stream := written(bare, tensors)
	// The source fails once in the middle, and then goes on: nothing is lost.
	source := io.MultiReader(bytes.NewReader(stream[:1000]), iotest.ErrReader(errOwn))
	r := must(hurray.NewStreamReader(source))
	defer r.Close()
	var err error
	for err == nil {
		var item *hurray.Item
		if item, err = r.Next(background); err == nil {
			item.Close()
		}
	}
	equal(t, "the cause", errors.Is(err, errOwn), true)
	_, err = r.Next(background)
	equal(t, "the cause again", errors.Is(err, errOwn), true)

	stuck := must(hurray.NewStreamReader(iotest.TimeoutReader(iotest.OneByteReader(bytes.NewReader(stream)))))
	defer stuck.Close()
	_, err = stuck.Next(background)
	equal(t, "timeout", errors.Is(err, iotest.ErrTimeout), true)
	item := must(stuck.Next(background))
	equal(t, "elements after the timeout", elementsOf(item), []float32{1, 2, 3, 4, 5, 6})
	item.Close()
}

// A context interrupts a read that waits; the stream goes on afterwards.
func TestStreamContext(t *testing.T) {
	noLeak(t)
	tensors := samples()
	defer closeAll(tensors)
	stream := written(bare, tensors[:1])
	ours, theirs := net.Pipe()
	defer ours.Close()
	defer theirs.Close()
	r := must(hurray.NewStreamReader(ours))
	defer r.Close()
	go theirs.Write(stream[:40])
	ctx, cancel := context.WithTimeout(background, 50*time.Millisecond)
	defer cancel()
	_, err := r.Next(ctx)
	equal(t, "is the context's error", errors.Is(err, context.DeadlineExceeded), true)
	go theirs.Write(stream[40:])
	item := must(r.Next(background))
	equal(t, "elements", elementsOf(item), []float32{1, 2, 3, 4, 5, 6})
	item.Close()

	done, stop := context.WithCancel(background)
	stop()
	_, err = r.Next(done)
	equal(t, "is the context's error", errors.Is(err, context.Canceled), true)
	w := must(hurray.NewStreamWriter(ours))
	defer w.Close()
	err = w.Write(done, tensors[0])
	equal(t, "is the context's error", errors.Is(err, context.Canceled), true)
	received := make(chan []byte)
	go func() {
		bytes := make([]byte, len(stream))
		io.ReadFull(theirs, bytes)
		received <- bytes
	}()
	if err := w.Flush(background); err != nil {
		t.Error(err)
	}
	equal(t, "what was left", bytes.Equal(<-received, stream), true)
}

// Through a socket, with a peer that reads at the same time.
func TestStreamThroughASocket(t *testing.T) {
	noLeak(t)
	listener := must(net.Listen("unix", t.TempDir()+"/socket"))
	defer listener.Close()
	tensors := samples()
	defer closeAll(tensors)
	failed := make(chan error, 1)
	go func() {
		connection, err := net.Dial("unix", listener.Addr().String())
		if err != nil {
			failed <- err
			return
		}
		defer connection.Close()
		w := must(hurray.NewStreamWriter(connection))
		defer w.Close()
		for range 5 {
			for _, tensor := range tensors {
				err = errors.Join(err, w.Write(background, tensor))
			}
		}
		failed <- err
	}()
	connection := must(listener.Accept())
	defer connection.Close()
	var all []*hurray.Tensor
	for range 5 {
		all = append(all, tensors...)
	}
	readAll(t, connection, all).Close()
	if err := <-failed; err != nil {
		t.Error(err)
	}
}

// writeHalves writes a partition of two halves, the second one first.
func writeHalves(t *testing.T, target io.Writer) {
	t.Helper()
	second, first := memberOf([]float32{3, 4}, 2), memberOf([]float32{1, 2}, 0)
	defer second.Close()
	defer first.Close()
	whole := must(partition(second, first))
	defer whole.Close()
	w := must(hurray.NewStreamWriter(target))
	defer w.Close()
	if err := w.WriteItem(background, whole); err != nil {
		t.Fatal(err)
	}
}

func TestStreamOfComposites(t *testing.T) {
	noLeak(t)
	ends := [2]*os.File{}
	ends[0], ends[1], _ = os.Pipe()
	writeHalves(t, ends[1])
	ends[1].Close()
	r := must(hurray.NewStreamReader(ends[0]))
	defer r.Close()
	item := must(r.Next(background))
	equal(t, "members", item.Len(), 2)
	member := must(item.Member(1))
	equal(t, "elements", elementsOf(member), []float32{1, 2})
	member.Close()
	item.Close()
	_, err := r.Next(background)
	equal(t, "end", err, io.EOF)
}

func TestStreamOfDescriptorsAlone(t *testing.T) {
	noLeak(t)
	one := must(hurray.FromSlice([]float32{1, 2, 3, 4, 5, 6}, []uint64{2, 3}))
	defer one.Close()
	permissive := hurray.OptionPermissive.Set(1)
	// Byte 15 of a descriptor is its layout. A framed stream says how many bytes come with it.
	data := written(framed, []*hurray.Tensor{one})
	data[12+15] = 0x30
	r := must(hurray.NewStreamReader(bytes.NewReader(data), permissive))
	item := must(r.Next(background))
	equal(t, "kind", item.Kind(), hurray.ItemDescriptor)
	equal(t, "rank", len(must(item.Head()).Shape()), 2)
	found := must(item.Data())
	equal(t, "bytes", must(hurray.ToBytes(found)), data[len(data)-12-24:len(data)-12])
	found.Close()
	_, err := item.Tensor()
	fails(t, err, hurray.ErrInvalidArgument)
	item.Close()
	r.Close()
	// A bare one does not, and ends there.
	data = written(bare, []*hurray.Tensor{one})
	data[15] = 0x30
	r = must(hurray.NewStreamReader(bytes.NewReader(data), permissive))
	defer r.Close()
	item = must(r.Next(background))
	_, err = item.Data()
	fails(t, err, hurray.ErrFieldNotApplicable)
	item.Close()
	_, err = r.Next(background)
	fails(t, err, hurray.ErrUnsupported)
}

func TestStreamPartByPart(t *testing.T) {
	noLeak(t)
	var memory bytes.Buffer
	writeHalves(t, &memory)
	r := must(hurray.NewStreamReader(&memory, hurray.OptionFlat.Set(1)))
	defer r.Close()
	head := must(r.Next(background))
	equal(t, "kind", head.Kind().String(), "descriptor")
	equal(t, "shape", must(head.Head()).Shape(), []uint64{4})
	head.Close()
	for _, want := range [][]float32{{3, 4}, {1, 2}} {
		member := must(r.Next(background))
		equal(t, "elements", elementsOf(member), want)
		member.Close()
	}
	_, err := r.Next(background)
	equal(t, "end", err, io.EOF)
}

func TestStreamWriterErrors(t *testing.T) {
	noLeak(t)
	tensors := samples()
	defer closeAll(tensors)
	w := must(hurray.NewStreamWriter(faulty{err: errOwn}))
	defer w.Close()
	equal(t, "the cause", errors.Is(w.Write(background, tensors[1]), errOwn), true)
	_, err := hurray.NewFramedWriter(io.Discard, 0, 0)
	fails(t, err, hurray.ErrInvalidArgument)
	_, err = hurray.NewStreamReader(nil, hurray.OptionMaxMessageBytes.Set(1))
	fails(t, err, hurray.ErrInvalidArgument)
	closed := must(hurray.NewStreamWriter(io.Discard))
	closed.Close()
	fails(t, closed.Write(background, tensors[0]), hurray.ErrInvalidHandle)
}
