package hurray

import (
	"context"
	"sync"

	"github.com/hurray-format/hurray-go/internal/capi"
)

// WithContext ends a call with [ErrCancelled], and what the context says in the chain of the error, soon after the
// context ends. Given to something that opens, it does so for every call of it until that is closed. Nothing of a
// cancelled conversion is left; a [FileWriter] that was cancelled is at its end, and the old file stays.
//
// Streams take the context of each of their calls instead.
func WithContext(ctx context.Context) Option { return Option{context: ctx} }

// WithProgress has a call, or all calls of something that opens, count the bytes that are done.
func WithProgress(p *Progress) Option { return Option{progress: p} }

// Progress tells how far a call is that was given it by [WithProgress]; any goroutine may ask, also meanwhile. The zero
// value is ready for use. Given to several calls, it tells of the one that began last.
type Progress struct {
	mutex       sync.Mutex
	options     uintptr // of the call that runs, or 0
	done, total uint64
}

// Bytes is how many bytes are done, and how many there are to do, as far as is known. After the call it is how far
// that came.
func (p *Progress) Bytes() (done, total uint64) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.options != 0 {
		p.done, p.total = capi.OptionsProgress(p.options)
	}
	return p.done, p.total
}

func (p *Progress) follow(options uintptr) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.options = options
}

// leave must be called before options that were followed end.
func (p *Progress) leave(options uintptr) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.options == options {
		p.done, p.total = capi.OptionsProgress(options)
		p.options = 0
	}
}

// run is what a call, or what it opens, was given as options. It ends with the call, or with what was opened.
type run struct {
	options  capi.Options
	context  context.Context
	progress *Progress
	stop     func() bool   // gives up waiting for the context
	stopped  chan struct{} // closed when the context had its effect
}

// begin reads options. Where somebody else may look at the call, they become a handle that outlives it.
func begin(options []Option) (r run, err error) {
	for _, option := range options {
		switch {
		case option.context != nil:
			r.context = option.context
		case option.progress != nil:
			r.progress = option.progress
		default:
			r.options.Pairs = append(r.options.Pairs, capi.Option{ID: uint32(option.ID), Value: option.Value})
		}
	}
	if r.context == nil && r.progress == nil {
		return r, nil
	}
	if r.context != nil && r.context.Err() != nil {
		return r, &Error{Status: ErrCancelled, Text: "the context has ended", Offset: NoOffset,
			Cause: context.Cause(r.context)}
	}
	handle, failure := capi.OptionsNew(r.options.Pairs)
	if failure != nil {
		return r, failed(failure)
	}
	r.options = capi.Options{Handle: handle}
	if r.progress != nil {
		r.progress.follow(handle)
	}
	if r.context != nil {
		stopped := make(chan struct{})
		r.stopped = stopped
		r.stop = context.AfterFunc(r.context, func() {
			defer close(stopped)
			capi.OptionsCancel(handle)
		})
	}
	return r, nil
}

// end must be called once if begin succeeded.
func (r run) end() {
	if r.options.Handle == 0 {
		return
	}
	if r.stop != nil && !r.stop() {
		<-r.stopped
	}
	if r.progress != nil {
		r.progress.leave(r.options.Handle)
	}
	capi.OptionsDestroy(r.options.Handle)
}

// failed makes an error of a failure; of a cancelled call, with what the context says.
func (r run) failed(failure *capi.Failure) error {
	if failure == nil {
		return nil
	}
	return r.explain(errorOf(failure))
}

func (r run) explain(made *Error) *Error {
	if made.Status == ErrCancelled && r.context != nil {
		made.Cause = context.Cause(r.context)
	}
	return made
}

// ending is how what a run opened ends: by its own function, and the run with it.
func (r run) ending(destroy func(uintptr)) func(uintptr) {
	if r.options.Handle == 0 {
		return destroy
	}
	return func(raw uintptr) {
		destroy(raw)
		r.end()
	}
}

// streamOptions are those of a stream, whose calls have contexts of their own.
func streamOptions(options []Option) (capi.Options, error) {
	for _, option := range options {
		if option.context != nil || option.progress != nil {
			return capi.Options{}, refuse(ErrInvalidArgument, "a stream's calls have a context each, and no progress")
		}
	}
	r, err := begin(options)
	return r.options, err
}
