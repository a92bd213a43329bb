package hurray

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"sync"
	"time"
	"unsafe"

	"github.com/hurray-format/hurray-go/internal/capi"
)

// StreamReader reads items from a stream, bare or framed. The bytes of large buffers are read straight into their final
// place. One goroutine at a time; others wait.
type StreamReader struct {
	handle  *handle
	source  io.Reader
	mutex   sync.Mutex
	arrived int   // bytes of the window that the library has not been told of
	ended   bool  // the source has ended, and the library has not been told
	broken  error // what the source failed with after its last bytes
}

// NewStreamReader reads a stream from a reader. Nothing past the current item is asked for, so that the reader can be
// used for something else afterwards, unless [OptionReadAhead] allows more; then many small items come with one Read.
func NewStreamReader(source io.Reader, options ...Option) (*StreamReader, error) {
	if err := library(); err != nil {
		return nil, err
	}
	plain, err := streamOptions(options)
	if err != nil {
		return nil, err
	}
	raw, failure := capi.ReaderNew(plain)
	if failure != nil {
		return nil, failed(failure)
	}
	r := &StreamReader{handle: newHandle(raw, "stream reader", capi.ReaderDestroy), source: source}
	closeWith(r, r.handle)
	return r, nil
}

// Close ends the reader; the source stays open. Items that were taken live on.
func (r *StreamReader) Close() error {
	r.handle.close()
	return nil
}

// Next is the next item, or io.EOF at a clean end of the stream. A stream that ends inside something is ErrTruncated,
// or ErrTorn between the members of a composite. An error of the library ends the reader; one of the source does not,
// and nothing is lost: call again.
//
// When the context ends, a source with SetReadDeadline (a connection, a pipe) is interrupted by a deadline in the past,
// which is taken back afterwards; any other source is not read again. Next then returns the context's error, and can be
// called again.
func (r *StreamReader) Next(ctx context.Context) (*Item, error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	raw, err := r.handle.enter()
	if err != nil {
		return nil, err
	}
	defer r.handle.leave()
	for {
		step, failure := capi.ReaderStep(raw, r.arrived, r.ended)
		r.arrived, r.ended = 0, false
		switch {
		case failure != nil:
			return nil, failed(failure)
		case step.Item != 0:
			return itemOf(step.Item, nil)
		case step.End:
			return nil, io.EOF
		}
		window := unsafe.Slice((*byte)(capi.Address(step.Window)), int(step.Size))
		if err := r.fill(ctx, window); err != nil {
			return nil, err
		}
	}
}

// fill reads into a window, at least one byte or the end of the source.
func (r *StreamReader) fill(ctx context.Context, window []byte) (err error) {
	if r.broken != nil {
		err, r.broken = r.broken, nil
		return err
	}
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	if source, ok := r.source.(interface{ SetReadDeadline(time.Time) error }); ok {
		stop := interruptBy(ctx, source.SetReadDeadline)
		defer func() { err = stop(err) }()
	}
	for range 100 {
		count, err := r.source.Read(window)
		if count < 0 || count > len(window) {
			return fmt.Errorf("hurray: a reader says that it read %d bytes into %d", count, len(window))
		}
		r.arrived = count
		if err == io.EOF {
			r.ended = true
			return nil
		}
		if err != nil {
			err = fmt.Errorf("hurray: reading a stream: %w", err)
			if count == 0 {
				return err
			}
			r.broken = err
			return nil
		}
		if count > 0 {
			return nil
		}
	}
	return io.ErrNoProgress
}

// interruptBy sets a deadline in the past when the context ends. What it gives back stops that, and makes the context's
// error of the one that came of it.
func interruptBy(ctx context.Context, setDeadline func(time.Time) error) func(error) error {
	if ctx.Done() == nil {
		return func(err error) error { return err }
	}
	done := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(done)
		setDeadline(time.Unix(1, 0))
	})
	return func(err error) error {
		if stop() {
			return err
		}
		<-done
		setDeadline(time.Time{})
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return context.Cause(ctx)
		}
		return err
	}
}

// All goes through the items that are left; each is the caller's to close. It ends at the end of the stream, or after
// an error.
func (r *StreamReader) All(ctx context.Context) iter.Seq2[*Item, error] {
	return func(yield func(*Item, error) bool) {
		for {
			item, err := r.Next(ctx)
			if err == io.EOF {
				return
			}
			if !yield(item, err) || err != nil {
				return
			}
		}
	}
}

func (r *StreamReader) do(call func(raw uintptr) error) error {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	raw, err := r.handle.enter()
	if err != nil {
		return err
	}
	defer r.handle.leave()
	return call(raw)
}

// StreamID is the stream id that the last item came on; 0 in a bare stream.
func (r *StreamReader) StreamID() (id uint32, err error) {
	err = r.do(func(raw uintptr) error {
		number, failure := capi.ReaderStreamID(raw)
		id = uint32(number)
		return failed(failure)
	})
	return id, err
}

// Unread are bytes that were read ahead and belong to no item that is complete: what whoever reads the source next
// needs first. None without [OptionReadAhead].
func (r *StreamReader) Unread() (bytes []byte, err error) {
	err = r.do(func(raw uintptr) error {
		address, size, failure := capi.ReaderUnread(raw)
		if failure == nil && size != 0 {
			bytes = append(bytes, unsafe.Slice((*byte)(capi.Address(address)), int(size))...)
		}
		return failed(failure)
	})
	return bytes, err
}

// Reply are the messages that a framed stream owes its peer, given once: whether to send them is the caller's choice.
func (r *StreamReader) Reply() (bytes []byte, err error) {
	err = r.do(func(raw uintptr) error {
		bytes, err = readBytes(raw, capi.ReaderReply, 256)
		return err
	})
	return bytes, err
}
