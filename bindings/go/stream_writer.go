package hurray

import (
	"context"
	"fmt"
	"io"
	"net"
	"sync"
	"time"
	"unsafe"

	"github.com/hurray-format/hurray-go/internal/capi"
)

// StreamForm is one of the two byte forms of a stream.
type StreamForm uint32

const (
	StreamBare   StreamForm = capi.StreamBare   // A descriptor, its buffers' bytes, the next descriptor.
	StreamFramed StreamForm = capi.StreamFramed // Messages with a stream id and a length.
)

// StreamWriter writes items to a stream. Large buffers go out straight from their memory. One goroutine at a time;
// others wait. Nothing is written at the end of a stream.
type StreamWriter struct {
	handle  *handle
	target  io.Writer
	mutex   sync.Mutex
	room    capi.Pieces
	pieces  []capi.Piece // what waits to be written
	buffers net.Buffers
}

// NewStreamWriter writes a bare stream to a writer. Options: OptionCompact, OptionCrossMachine.
func NewStreamWriter(target io.Writer, options ...Option) (*StreamWriter, error) {
	return newStreamWriter(target, StreamBare, 0, 0, options)
}

// NewFramedWriter writes a framed stream on one stream id, not 0. maxMessageSize is the longest payload that the peer
// takes, in bytes; 0 is 16 MiB + 16.
func NewFramedWriter(target io.Writer, streamID uint32, maxMessageSize uint64, options ...Option) (*StreamWriter,
	error) {
	return newStreamWriter(target, StreamFramed, streamID, maxMessageSize, options)
}

func newStreamWriter(target io.Writer, form StreamForm, id uint32, size uint64, options []Option) (*StreamWriter,
	error) {
	if err := library(); err != nil {
		return nil, err
	}
	plain, err := streamOptions(options)
	if err != nil {
		return nil, err
	}
	raw, failure := capi.SenderNew(uint32(form), id, size, plain)
	if failure != nil {
		return nil, failed(failure)
	}
	w := &StreamWriter{handle: newHandle(raw, "stream writer", capi.SenderDestroy), target: target}
	closeWith(w, w.handle)
	return w, nil
}

// Close ends the writer; the target stays open. What was put and not written is lost.
func (w *StreamWriter) Close() error {
	w.handle.close()
	return nil
}

// Write appends a tensor and writes all that waits. What the library refuses ends the writer, with nothing of the
// tensor written; an error of the target does not: what is left is written by the next call, or by Flush.
//
// When the context ends, a target with SetWriteDeadline is interrupted by a deadline in the past, which is taken back
// afterwards; any other target is not written to again. Write then returns the context's error.
func (w *StreamWriter) Write(ctx context.Context, t *Tensor) error {
	tensor, err := t.handle.enter()
	if err != nil {
		return err
	}
	defer t.handle.leave()
	return w.put(ctx, tensor, true)
}

// WriteItem appends an item and writes all that waits, as Write.
func (w *StreamWriter) WriteItem(ctx context.Context, item *Item) error {
	raw, err := item.handle.enter()
	if err != nil {
		return err
	}
	defer item.handle.leave()
	return w.put(ctx, raw, false)
}

// Flush writes what an interrupted Write left.
func (w *StreamWriter) Flush(ctx context.Context) error {
	return w.do(func(raw uintptr) error { return w.drain(ctx, raw) })
}

func (w *StreamWriter) do(call func(raw uintptr) error) error {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	raw, err := w.handle.enter()
	if err != nil {
		return err
	}
	defer w.handle.leave()
	return call(raw)
}

func (w *StreamWriter) put(ctx context.Context, item uintptr, isTensor bool) error {
	return w.do(func(raw uintptr) error {
		pieces, failure := capi.SenderPut(raw, item, isTensor, &w.room, w.pieces)
		w.pieces = pieces
		if failure != nil {
			return failed(failure)
		}
		return w.drain(ctx, raw)
	})
}

// drain writes pieces until there are none.
func (w *StreamWriter) drain(ctx context.Context, raw uintptr) error {
	for len(w.pieces) > 0 {
		count, err := w.send(ctx)
		pieces, failure := capi.SenderSent(raw, uint64(count), &w.room, w.pieces)
		w.pieces = pieces
		if failure != nil {
			return failed(failure)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// send writes the pieces that there are, in one call of the system where the target can.
func (w *StreamWriter) send(ctx context.Context) (count int64, err error) {
	if ctx.Err() != nil {
		return 0, context.Cause(ctx)
	}
	if target, ok := w.target.(interface{ SetWriteDeadline(time.Time) error }); ok {
		stop := interruptBy(ctx, target.SetWriteDeadline)
		defer func() { err = stop(err) }()
	}
	w.buffers = w.buffers[:0]
	for _, piece := range w.pieces {
		bytes := unsafe.Slice((*byte)(capi.Address(piece.Data)), int(piece.Length))
		w.buffers = append(w.buffers, bytes)
	}
	total := int64(0)
	for _, bytes := range w.buffers {
		total += int64(len(bytes))
	}
	left := w.buffers // WriteTo takes its receiver apart
	count, err = left.WriteTo(w.target)
	clear(w.buffers)
	if err == nil && count != total {
		err = io.ErrShortWrite
	}
	if err != nil {
		return count, fmt.Errorf("hurray: writing a stream: %w", err)
	}
	return count, nil
}
