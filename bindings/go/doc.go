// Package hurray hands tensors between Go and other languages without copying them.
//
// A [Tensor] is made of a Go slice in place ([FromSlice]) and read as one ([View]); it crosses to another language as
// one handle ([Tensor.Export], [Import]), through a file ([OpenFile], [CreateFile]) or through a stream
// ([NewStreamReader], [NewStreamWriter]). The library behind it, libhurray, knows the format; this package knows only
// the functions of its header, hurray.h.
//
// # Life
//
// Everything that holds a handle has a Close method. Close ends it at once, is safe to call twice and from any
// goroutine, and waits for nobody: a call that runs meanwhile finishes first. What is not closed ends some time after
// it has become unreachable. Using something closed is an error that is [ErrInvalidHandle] and [io/fs.ErrClosed].
//
// A slice that [View] gives lies in the tensor's memory, which Go's collector may not know: it may be used until the
// tensor is closed, and as long as the tensor is reachable. With
//
//	defer tensor.Close()
//
// both hold until the function returns.
//
// # Errors
//
// What the library refuses is an [*Error] with the status and the text that the library gave. The statuses are errors
// themselves, for errors.Is:
//
//	if errors.Is(err, hurray.ErrTruncated) { … }
//
// An error of the operating system, and what a reader or writer of the caller returned, is in the chain too.
//
// # Goroutines
//
// Any number of goroutines may use one tensor, descriptor, buffer, item or file reader at once. Writers, stream readers
// and builders are for one at a time; writers and stream readers lock themselves.
package hurray
