package capi

// #include "glue.h"
import "C"

// Option is a numbered option and its value.
type Option struct {
	ID    uint32
	Value uint64
}

// Options are those of a call. A Handle, if it is not 0, has its values already and stays the caller's; then there are
// no Pairs.
type Options struct {
	Pairs  []Option
	Handle uintptr
}

// beginWith begins a call that takes options.
func beginWith(options Options) (*C.HgCall, *C.HgOption, C.size_t) {
	call := begin()
	call.options = C.uintptr_t(options.Handle)
	list, count := pairs(options.Pairs)
	return call, list, count
}

func pairs(options []Option) (*C.HgOption, C.size_t) {
	if len(options) == 0 {
		return nil, 0
	}
	made := make([]C.HgOption, len(options))
	for k, option := range options {
		made[k] = C.HgOption{id: C.uint32_t(option.ID), value: C.uint64_t(option.Value)}
	}
	return &made[0], C.size_t(len(made))
}

// OptionsNew makes a handle, for calls that others watch.
func OptionsNew(options []Option) (uintptr, *Failure) {
	call := begin()
	list, count := pairs(options)
	return handled(C.hg_options_new(list, count, call), call)
}

// OptionsCancel ends the calls that run with these options, and those that will.
func OptionsCancel(options uintptr) { C.hg_options_cancel(C.uintptr_t(options)) }

// OptionsProgress is how many bytes the call that runs with these options has done, and of how many.
func OptionsProgress(options uintptr) (done, total uint64) {
	var d, t C.uint64_t
	C.hg_options_progress(C.uintptr_t(options), &d, &t)
	return uint64(d), uint64(t)
}

// OptionsDestroy ends a handle.
func OptionsDestroy(options uintptr) { C.hg_options_destroy(C.uintptr_t(options)) }
