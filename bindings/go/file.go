package hurray

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"syscall"

	"github.com/hurray-format/hurray-go/internal/capi"
)

// FileReader is a file that is open for reading. Tensors, items and mappings taken from it outlive it.
type FileReader struct {
	handle *handle
	source *host
	run    run
}

// host is what the library calls back into while a call runs: what it failed with, for the error of that call.
type host struct {
	reader  io.ReaderAt
	writer  io.Writer
	failure atomic.Pointer[hostFailure]
}

type hostFailure struct {
	cause    error
	panicked any
}

// guarded runs a function of the caller inside a callback: nothing may unwind into C. It gives 0 or an error number.
func (h *host) guarded(call func() error) (number syscall.Errno) {
	defer func() {
		if value := recover(); value != nil {
			h.failure.Store(&hostFailure{panicked: value})
			number = syscall.EIO
		}
	}()
	err := call()
	if err == nil {
		return 0
	}
	h.failure.Store(&hostFailure{cause: err})
	if errors.As(err, &number) && number != 0 {
		return number
	}
	return syscall.EIO
}

// ReadAtOffset serves the library's ranged reads.
func (h *host) ReadAtOffset(offset uint64, out []byte) int64 {
	var count int
	number := h.guarded(func() (err error) {
		count, err = h.reader.ReadAt(out, int64(offset))
		if err == io.EOF || count == len(out) {
			return nil
		}
		return err
	})
	if number != 0 {
		return -int64(number)
	}
	return int64(count)
}

// WriteBytes takes the bytes of a file.
func (h *host) WriteBytes(bytes []byte) int32 {
	return int32(h.guarded(func() error {
		count, err := h.writer.Write(bytes)
		if err == nil && count < len(bytes) {
			return io.ErrShortWrite
		}
		return err
	}))
}

// failed makes an error of a failure, with what the caller's function returned; a panic there goes on here.
func (h *host) failed(r run, failure *capi.Failure) error {
	if failure == nil {
		return nil
	}
	made := r.explain(errorOf(failure))
	if h == nil || made.Status != ErrIO {
		return made
	}
	if noted := h.failure.Swap(nil); noted != nil {
		if noted.panicked != nil {
			panic(noted.panicked)
		}
		made.Cause = noted.cause
	}
	return made
}

// openReader opens a file with options; `source` is what the library calls back into, or nil.
func openReader(options []Option, source *host, open func(capi.Options) (uintptr, *capi.Failure)) (*FileReader, error) {
	if err := library(); err != nil {
		return nil, err
	}
	run, err := begin(options)
	if err != nil {
		return nil, err
	}
	r := &FileReader{source: source, run: run}
	raw, failure := open(run.options)
	if failure != nil {
		run.end()
		return nil, r.failed(failure)
	}
	r.handle = newHandle(raw, "file", run.ending(capi.FileDestroy))
	closeWith(r, r.handle)
	return r, nil
}

func (r *FileReader) failed(failure *capi.Failure) error { return r.source.failed(r.run, failure) }

// Slices of mapped memory can be written to; without this a write would end the program.
func mapped(options []Option) []Option { return append([]Option{MapCopyOnWrite}, options...) }

// OpenFile opens a file by its path and maps it, copy-on-write: slices of its tensors are views of the file, and writes
// to them stay in this process. [MapReadOnly] and [MapNothing] open it otherwise.
//
// A mapped file that another process cuts short kills a program that then touches the lost pages: use [MapNothing] for
// files that others may change. What this costs grows with the index, not with the data.
func OpenFile(path string, options ...Option) (*FileReader, error) {
	return openReader(mapped(options), nil, func(options capi.Options) (uintptr, *capi.Failure) {
		return capi.FileOpen(path, options)
	})
}

// OpenFrom opens a file that the system has open, as OpenFile. Its position is neither used nor moved, and it stays the
// caller's to close.
func OpenFrom(file *os.File, options ...Option) (reader *FileReader, err error) {
	connection, err := file.SyscallConn()
	if err != nil {
		return nil, err
	}
	if refused := connection.Control(func(fd uintptr) {
		reader, err = openReader(mapped(options), nil, func(options capi.Options) (uintptr, *capi.Failure) {
			return capi.FileOpenFD(int64(fd), options)
		})
	}); refused != nil {
		return nil, refused
	}
	return reader, err
}

// OpenBuffer opens a file whose bytes are in a buffer, which must not change. With [MapReadOnly] its tensors are views
// of the buffer where that is aligned, otherwise copies.
func OpenBuffer(buffer *Buffer, options ...Option) (*FileReader, error) {
	raw, err := buffer.handle.enter()
	if err != nil {
		return nil, err
	}
	defer buffer.handle.leave()
	return openReader(mapped(options), nil, func(options capi.Options) (uintptr, *capi.Failure) {
		return capi.FileOpenBuffer(raw, options)
	})
}

// OpenReaderAt opens a file of so many bytes over ranged reads, as an object store offers them. Header, index and
// metadata are read at once, a tensor when it is asked for. The reader is called on the goroutine that asks, and by
// several at once if the caller does so. What it returns is in the chain of the error; a panic in it goes on.
func OpenReaderAt(reader io.ReaderAt, size int64, options ...Option) (*FileReader, error) {
	source := &host{reader: reader}
	return openReader(options, source, func(options capi.Options) (uintptr, *capi.Failure) {
		held := capi.Hold(source)
		raw, failure := capi.FileOpenSource(held, uint64(size), options)
		if failure != nil {
			capi.Forget(held)
		}
		return raw, failure
	})
}

// Close ends the reader.
func (r *FileReader) Close() error {
	r.handle.close()
	return nil
}

// Names are the names of all entries, in the order of the index.
func (r *FileReader) Names() ([]string, error) {
	raw, err := r.handle.enter()
	if err != nil {
		return nil, err
	}
	defer r.handle.leave()
	names, failure := capi.FileNames(raw)
	return texts(names), r.failed(failure)
}

// Find is the entry of a name, byte for byte. ErrNotFound if there is none.
func (r *FileReader) Find(name string) (int, error) {
	raw, err := r.handle.enter()
	if err != nil {
		return 0, err
	}
	defer r.handle.leave()
	index, found, failure := capi.FileFind(raw, name)
	if failure != nil {
		return 0, r.failed(failure)
	}
	if !found {
		return 0, refuse(ErrNotFound, "the file has no entry %q", name)
	}
	return int(index), nil
}

// Descriptor is the descriptor of an entry; it lives as long as the reader.
func (r *FileReader) Descriptor(entry int) (*Descriptor, error) {
	raw, err := r.handle.enter()
	if err != nil {
		return nil, err
	}
	defer r.handle.leave()
	borrowed, failure := capi.FileDescriptor(raw, uint64(entry))
	if failure != nil {
		return nil, r.failed(failure)
	}
	return borrowDescriptor(borrowed, r.handle, r)
}

// Tensor is the tensor of a name, in place where the mapping is aligned as declared. ErrNotFound if there is none.
func (r *FileReader) Tensor(name string) (*Tensor, error) {
	entry, err := r.Find(name)
	if err != nil {
		return nil, err
	}
	return r.TensorAt(entry)
}

// TensorAt is the tensor of an entry, a member of a composite included. ErrInvalidArgument for a composite's head.
func (r *FileReader) TensorAt(entry int) (*Tensor, error) {
	raw, err := r.handle.enter()
	if err != nil {
		return nil, err
	}
	defer r.handle.leave()
	tensor, failure := capi.FileTensor(raw, uint64(entry))
	if failure != nil {
		return nil, r.failed(failure)
	}
	return newTensor(tensor), nil
}

// Range is where the data of an entry is in the file, in bytes, gaps between its buffers included.
func (r *FileReader) Range(entry int) (offset, length uint64, err error) {
	raw, err := r.handle.enter()
	if err != nil {
		return 0, 0, err
	}
	defer r.handle.leave()
	offset, length, failure := capi.FileRange(raw, uint64(entry))
	return offset, length, r.failed(failure)
}

// ReadBuffer reads len(out) bytes from offset of one buffer of an entry, and nothing else of it.
func (r *FileReader) ReadBuffer(out []byte, entry, buffer int, offset uint64) error {
	raw, err := r.handle.enter()
	if err != nil {
		return err
	}
	defer r.handle.leave()
	return r.failed(capi.FileRead(raw, uint64(entry), uint64(buffer), offset, out))
}

// Items are the entries of the top-level items: tensors and composites that are no member of another, in the order in
// which they lie in the file.
func (r *FileReader) Items() ([]int, error) {
	raw, err := r.handle.enter()
	if err != nil {
		return nil, err
	}
	defer r.handle.leave()
	count, failure := capi.FileItems(raw, nil)
	entries := make([]uint64, count)
	if failure == nil && count != 0 {
		_, failure = capi.FileItems(raw, entries)
	}
	if failure != nil {
		return nil, r.failed(failure)
	}
	items := make([]int, count)
	for k, entry := range entries {
		items[k] = int(entry)
	}
	return items, nil
}

// Item is the item of an entry: its tensor, or the composite that it heads with all its members.
func (r *FileReader) Item(entry int) (*Item, error) {
	raw, err := r.handle.enter()
	if err != nil {
		return nil, err
	}
	defer r.handle.leave()
	item, failure := capi.FileItem(raw, uint64(entry))
	if failure != nil {
		return nil, r.failed(failure)
	}
	return itemOf(item, nil)
}

// Advice says how data is going to be read.
type Advice uint32

const (
	AdviceNormal     Advice = capi.AdviceNormal
	AdviceSequential Advice = capi.AdviceSequential
	AdviceRandom     Advice = capi.AdviceRandom
	AdviceWillNeed   Advice = capi.AdviceWillNeed // Soon: start to bring it into memory.
	AdvicePopulate   Advice = capi.AdvicePopulate // Now: bring it into memory first.
)

// WholeFile stands for all entries in Advise.
const WholeFile = -1

// Advise says how an entry, or [WholeFile], is going to be read. A hint: without a mapping it does nothing.
func (r *FileReader) Advise(entry int, advice Advice) error {
	raw, err := r.handle.enter()
	if err != nil {
		return err
	}
	defer r.handle.leave()
	return r.failed(capi.FileAdvise(raw, uint64(entry), uint32(advice)))
}

// Keys are the keys of the metadata, in the order of the file.
func (r *FileReader) Keys() ([]string, error) {
	raw, err := r.handle.enter()
	if err != nil {
		return nil, err
	}
	defer r.handle.leave()
	count, failure := capi.KVCount(raw)
	if failure != nil {
		return nil, failed(failure)
	}
	keys := make([]string, count)
	for k := range keys {
		key, err := readBytes(raw, func(raw uintptr, out []byte) (uint64, *capi.Failure) {
			return capi.KVKey(raw, uint64(k), out)
		}, 64)
		if err != nil {
			return nil, err
		}
		keys[k] = string(key)
	}
	return keys, nil
}

// Value is the value of a key. ErrNotFound if there is none.
func (r *FileReader) Value(key string) (KVValue, error) {
	raw, err := r.handle.enter()
	if err != nil {
		return nil, err
	}
	defer r.handle.leave()
	index, found, failure := capi.KVFind(raw, key)
	if failure != nil {
		return nil, failed(failure)
	}
	if !found {
		return nil, refuse(ErrNotFound, "the file has no key %q", key)
	}
	return kvValue(raw, index)
}

// String says how many entries the file has.
func (r *FileReader) String() string {
	names, err := r.Names()
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("file of %d entries", len(names))
}
