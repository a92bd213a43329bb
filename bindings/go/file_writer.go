package hurray

import (
	"io"
	"sync"

	"github.com/hurray-format/hurray-go/internal/capi"
)

// FileWriter is a file being written. Closed before Finish it leaves nothing behind: an old file stays as it is. One
// goroutine at a time; others wait.
type FileWriter struct {
	handle *handle
	sink   *host
	run    run
	mutex  sync.Mutex
}

// startWriter starts a file with options; `sink` is what the library calls back into, or nil.
func startWriter(options []Option, sink *host, start func(capi.Options) (uintptr, *capi.Failure)) (*FileWriter, error) {
	if err := library(); err != nil {
		return nil, err
	}
	run, err := begin(options)
	if err != nil {
		return nil, err
	}
	w := &FileWriter{sink: sink, run: run}
	raw, failure := start(run.options)
	if failure != nil {
		run.end()
		return nil, sink.failed(run, failure)
	}
	w.handle = newHandle(raw, "file writer", run.ending(capi.WriterDestroy))
	closeWith(w, w.handle)
	return w, nil
}

// CreateFile starts a file that takes its name in Finish, at once and whole.
func CreateFile(path string, options ...Option) (*FileWriter, error) {
	return startWriter(options, nil, func(options capi.Options) (uintptr, *capi.Failure) {
		return capi.WriterCreate(path, options)
	})
}

// NewFileWriter starts a file whose bytes go to a writer, front to back, while Put and Finish run. What the writer
// returns is in the chain of the error; a panic in it goes on.
func NewFileWriter(writer io.Writer, options ...Option) (*FileWriter, error) {
	sink := &host{writer: writer}
	return startWriter(options, sink, func(options capi.Options) (uintptr, *capi.Failure) {
		held := capi.Hold(sink)
		raw, failure := capi.WriterToSink(held, options)
		if failure != nil {
			capi.Forget(held)
		}
		return raw, failure
	})
}

// Close ends the writer.
func (w *FileWriter) Close() error {
	w.handle.close()
	return nil
}

func (w *FileWriter) do(call func(raw uintptr) *capi.Failure) error {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	raw, err := w.handle.enter()
	if err != nil {
		return err
	}
	defer w.handle.leave()
	return w.sink.failed(w.run, call(raw))
}

// Set sets a key of the metadata, before the first tensor. An int is written as an int64. ErrDuplicate for a key that
// is set.
func (w *FileWriter) Set(key string, value KVValue) error {
	return w.do(func(raw uintptr) *capi.Failure { return setKV(raw, key, value) })
}

// Put writes a tensor under a name. Its bytes go out straight from its memory; when this returns, all are handed over.
// ErrDuplicate for a name that is taken. A writer that failed fails alike ever after.
func (w *FileWriter) Put(name string, t *Tensor) error {
	tensor, err := t.handle.enter()
	if err != nil {
		return err
	}
	defer t.handle.leave()
	return w.do(func(raw uintptr) *capi.Failure { return capi.WriterPutTensor(raw, name, tensor) })
}

// PutItem writes an item under a name; the members of a composite x are named x.0, x.1, …
func (w *FileWriter) PutItem(name string, item *Item) error {
	put, err := item.handle.enter()
	if err != nil {
		return err
	}
	defer item.handle.leave()
	return w.do(func(raw uintptr) *capi.Failure { return capi.WriterPut(raw, name, put) })
}

// Finish writes what comes after the last tensor; a file with a path then takes its name. Close is still to be called.
func (w *FileWriter) Finish() error { return w.do(capi.WriterFinish) }
