package hurray

import (
	"fmt"
	"io/fs"
	"syscall"

	"github.com/hurray-format/hurray-go/internal/capi"
)

// Status is the outcome of a call, by the numbers of hurray.h. A negative one is an error that errors.Is finds in every
// [Error] of that status.
type Status int32

// The statuses of failures.
const (
	ErrInvalidMagic       Status = capi.ErrInvalidMagic       // The bytes do not start or end with the format's magic.
	ErrVersionMismatch    Status = capi.ErrVersionMismatch    // A version that is not read, or another C ABI version.
	ErrInvalidLayout      Status = capi.ErrInvalidLayout      // A layout tag or field that breaks a rule of its layout.
	ErrInvalidType        Status = capi.ErrInvalidType        // A type, device or memory class that does not fit.
	ErrBufferTooSmall     Status = capi.ErrBufferTooSmall     // An array is too short.
	ErrNullPointer        Status = capi.ErrNullPointer        // A required pointer is nil.
	ErrInternalPanic      Status = capi.ErrInternalPanic      // A bug in the library, stopped at its boundary.
	ErrInvalidSyncMode    Status = capi.ErrInvalidSyncMode    // A sync mode that may not be used here.
	ErrSyncModeMismatch   Status = capi.ErrSyncModeMismatch   // A buffer's sync mode differs from what was declared.
	ErrInternal           Status = capi.ErrInternal           // A state that should not occur.
	ErrIndexOutOfBounds   Status = capi.ErrIndexOutOfBounds   // An index, or a level, beyond what there is.
	ErrFieldNotPresent    Status = capi.ErrFieldNotPresent    // The descriptor does not carry this field.
	ErrFieldNotApplicable Status = capi.ErrFieldNotApplicable // The field or part belongs to another layout or scheme.
	ErrInvalidDescriptor  Status = capi.ErrInvalidDescriptor  // A descriptor that breaks a rule of the rest.
	ErrTruncated          Status = capi.ErrTruncated          // The bytes end inside something.
	ErrOverflow           Status = capi.ErrOverflow           // Arithmetic would leave its range.
	ErrBufferMismatch     Status = capi.ErrBufferMismatch     // A buffer is not as the descriptor demands.
	ErrIO                 Status = capi.ErrIO                 // The operating system, or a callback, failed.
	ErrNotFound           Status = capi.ErrNotFound           // No such name or key.
	ErrUnsupported        Status = capi.ErrUnsupported        // Well-formed, but it cannot be done.
	ErrInvalidArgument    Status = capi.ErrInvalidArgument    // An argument that no call could accept.
	ErrLimitExceeded      Status = capi.ErrLimitExceeded      // Beyond a fixed or configured limit.
	ErrCorrupt            Status = capi.ErrCorrupt            // The structure of a file or message is broken.
	ErrTorn               Status = capi.ErrTorn               // The input ends between the members of a composite.
	ErrOutOfMemory        Status = capi.ErrOutOfMemory        // An allocation failed.
	ErrInvalidHandle      Status = capi.ErrInvalidHandle      // A handle that is not usable: closed, for one.
	ErrDuplicate          Status = capi.ErrDuplicate          // A name or key occurs twice.
	ErrCancelled          Status = capi.ErrCancelled          // The call was cancelled.
	ErrCopyRequired       Status = capi.ErrCopyRequired       // A copy would be needed.
)

// String is the name of the status in hurray.h, "HURRAY_ERR_TRUNCATED".
func (s Status) String() string {
	if library() != nil {
		return fmt.Sprintf("status %d", int32(s))
	}
	return capi.StatusName(int32(s))
}

// Error is the name of the status.
func (s Status) Error() string { return "hurray: " + s.String() }

// NoOffset is the offset of an error that has none.
const NoOffset = capi.NoOffset

// Error is what the library refused, or what this package refused on the library's terms.
type Error struct {
	Status  Status
	Text    string        // the rule, then field, value and offset
	OSError syscall.Errno // of the operating system; 0: none
	Offset  uint64        // in the input, in bytes; NoOffset: none
	Cause   error         // what a reader or writer of the caller returned, if that was the reason
}

// Error is the text, with the name of the status.
func (e *Error) Error() string {
	text := "hurray: "
	if e.Text != "" {
		text += e.Text + " "
	}
	text += "(" + e.Status.String() + ")"
	if e.Cause != nil {
		text += ": " + e.Cause.Error()
	}
	return text
}

// Unwrap gives the status, the system's error and the cause.
func (e *Error) Unwrap() []error {
	chain := []error{e.Status}
	if e.OSError != 0 {
		chain = append(chain, e.OSError)
	}
	if e.Cause != nil {
		chain = append(chain, e.Cause)
	}
	return chain
}

// failed makes an error of a failure, or nil of none.
func failed(failure *capi.Failure) error {
	if failure == nil {
		return nil
	}
	return errorOf(failure)
}

func errorOf(failure *capi.Failure) *Error {
	return &Error{
		Status:  Status(failure.Status),
		Text:    failure.Text,
		OSError: syscall.Errno(failure.OSError),
		Offset:  failure.Offset,
	}
}

// refuse makes an error of this package's own, with the status that the library uses for the like.
func refuse(status Status, format string, values ...any) error {
	return &Error{Status: status, Text: fmt.Sprintf(format, values...), Offset: NoOffset}
}

func closedError(noun string) error {
	return &Error{Status: ErrInvalidHandle, Text: "the " + noun + " is closed", Offset: NoOffset, Cause: fs.ErrClosed}
}
