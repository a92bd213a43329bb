package hurray_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	hurray "github.com/hurray-format/hurray-go"
)

// cancelled wants an error of a cancelled call that carries the context's reason.
func cancelled(t *testing.T, err, reason error) {
	t.Helper()
	fails(t, err, hurray.ErrCancelled)
	if !errors.Is(err, reason) {
		t.Errorf("%v does not carry %v", err, reason)
	}
}

// during runs a call again and again, and has its context end while it runs, until that was seen in the middle of it.
func during(t *testing.T, call func(...hurray.Option) error) {
	t.Helper()
	reason := errors.New("enough")
	for range 1000 {
		ctx, cancel := context.WithCancelCause(context.Background())
		var progress hurray.Progress
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			for done, total := uint64(0), uint64(0); (done == 0 || total == 0) && ctx.Err() == nil; {
				done, total = progress.Bytes()
			}
			cancel(reason)
		}()
		err := call(hurray.WithContext(ctx), hurray.WithProgress(&progress))
		done, total := progress.Bytes()
		cancel(nil)
		<-ended
		if err != nil {
			cancelled(t, err, reason)
			if done > total {
				t.Errorf("%d bytes of %d", done, total)
			}
			if done < total {
				return
			}
		} else {
			equal(t, "bytes done at the end", done, total)
		}
	}
	t.Error("the call never ended in the middle")
}

func TestConversionsEndWithTheirContext(t *testing.T) {
	noLeak(t)
	codes := must(hurray.FromSlice(make([]int8, 16<<20), []uint64{4096, 4096}))
	defer codes.Close()
	during(t, func(options ...hurray.Option) error {
		numbers, err := codes.Dequantize(hurray.TypeFloat32, &hurray.Conversion{Options: options})
		if err == nil {
			numbers.Close()
		}
		return err
	})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	// A context that has ended lets no call begin, not even one that would only share.
	_, err := codes.ToRowMajor(&hurray.Conversion{Options: []hurray.Option{hurray.WithContext(ctx)}})
	cancelled(t, err, context.Canceled)
	_, err = codes.ComputeStatistics(hurray.WithContext(ctx))
	cancelled(t, err, context.Canceled)
	cancelled(t, codes.CheckData(hurray.WithContext(ctx)), context.Canceled)
	_, err = hurray.FromSlice(make([]int8, 4), []uint64{4}, hurray.WithContext(ctx), hurray.CopyAlways)
	cancelled(t, err, context.Canceled)
	_, err = codes.ToDLPack(hurray.WithContext(ctx))
	cancelled(t, err, context.Canceled)
	// What the context was given for stays.
	equal(t, "elements", must(hurray.View[int8](codes))[:2], []int8{0, 0})
}

func TestProgress(t *testing.T) {
	noLeak(t)
	codes := must(hurray.FromSlice(make([]int8, 1000), []uint64{1000}))
	defer codes.Close()
	var progress hurray.Progress
	done, total := progress.Bytes()
	equal(t, "before", [2]uint64{done, total}, [2]uint64{})
	c := hurray.Conversion{Options: []hurray.Option{hurray.WithProgress(&progress)}}
	must(codes.Dequantize(hurray.TypeFloat64, &c)).Close()
	done, total = progress.Bytes()
	equal(t, "after", [2]uint64{done, total}, [2]uint64{8000, 8000})
}

func TestAFileEndsWithItsContext(t *testing.T) {
	noLeak(t)
	path := filepath.Join(t.TempDir(), "x.hrry")
	must(0, os.WriteFile(path, []byte("old"), 0o600))
	tensor := must(hurray.FromSlice(make([]float32, 1000), []uint64{1000}))
	defer tensor.Close()
	reason := errors.New("enough")
	ctx, cancel := context.WithCancelCause(context.Background())
	var progress hurray.Progress
	writer := must(hurray.CreateFile(path, hurray.WithContext(ctx), hurray.WithProgress(&progress)))
	must(0, writer.Put("a", tensor))
	if done, _ := progress.Bytes(); done < 4000 {
		t.Errorf("%d bytes are written", done)
	}
	cancel(reason)
	// The context has its effect on a goroutine of its own, soon.
	name, err := "b", error(nil)
	for err == nil {
		err = writer.Put(name, tensor)
		name += "b"
	}
	cancelled(t, err, reason)
	cancelled(t, writer.Finish(), reason)
	writer.Close()
	equal(t, "the old file", string(must(os.ReadFile(path))), "old")
	equal(t, "files", len(must(os.ReadDir(filepath.Dir(path)))), 1)
	_, err = hurray.CreateFile(path, hurray.WithContext(ctx))
	cancelled(t, err, reason)
}

// cancelling ends a context when it is read from.
type cancelling struct {
	source *bytes.Reader
	cancel func()
}

func (c *cancelling) ReadAt(out []byte, offset int64) (int, error) {
	c.cancel()
	return c.source.ReadAt(out, offset)
}

func TestReadingEndsWithItsContext(t *testing.T) {
	noLeak(t)
	var file bytes.Buffer
	writer := must(hurray.NewFileWriter(&file))
	tensor := must(hurray.FromSlice(make([]float32, 1000), []uint64{1000}))
	defer tensor.Close()
	must(0, writer.Put("x", tensor))
	must(0, writer.Finish())
	writer.Close()
	ctx, cancel := context.WithCancel(context.Background())
	source := &cancelling{source: bytes.NewReader(file.Bytes()), cancel: func() {}}
	reader := must(hurray.OpenReaderAt(source, int64(file.Len()), hurray.WithContext(ctx)))
	defer reader.Close()
	must(reader.Tensor("x")).Close()
	source.cancel = cancel
	for err := error(nil); err == nil; {
		var read *hurray.Tensor
		if read, err = reader.Tensor("x"); err == nil {
			read.Close()
			continue
		}
		cancelled(t, err, context.Canceled)
	}
}

// What nobody closes gives up its context with the collector.
func TestAContextOfWhatIsDropped(t *testing.T) {
	noLeak(t)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var file bytes.Buffer
	must(hurray.NewFileWriter(&file, hurray.WithContext(ctx)))
}

func TestStreamsRefuseAContextOfTheirOwn(t *testing.T) {
	noLeak(t)
	_, err := hurray.NewStreamReader(&bytes.Buffer{}, hurray.WithContext(context.Background()))
	fails(t, err, hurray.ErrInvalidArgument)
	_, err = hurray.NewStreamWriter(&bytes.Buffer{}, hurray.WithProgress(new(hurray.Progress)))
	fails(t, err, hurray.ErrInvalidArgument)
}
