package hurray

import (
	"fmt"
	"sync"

	"github.com/hurray-format/hurray-go/internal/capi"
)

// ABIVersion is the version of the C ABI that this package needs.
const ABIVersion = capi.ABIVersion

// library compares versions before the first call that is more than a question for them. Whatever would make an
// object asks here first, so that nothing else can reach a library that does not fit.
var library = sync.OnceValue(func() error {
	loaded := capi.LoadedABIVersion()
	if loaded == capi.ABIVersion {
		return nil
	}
	text := fmt.Sprintf("this package needs libhurray with C ABI version %d, but version %d is loaded",
		capi.ABIVersion, loaded)
	if path := capi.LibraryPath(); path != "" {
		text += " from " + path
	}
	return &Error{Status: ErrVersionMismatch, Text: text}
})

// Check says whether the library that is loaded is of the version that this package needs. Every call that makes
// something asks the same, and gives the same error.
func Check() error { return library() }

// LoadedABIVersion is the version of the C ABI of the library that is loaded. It may be asked at any time.
func LoadedABIVersion() uint32 { return capi.LoadedABIVersion() }

// LibraryPath is the file that the library was loaded from, or empty where the system does not tell.
func LibraryPath() string { return capi.LibraryPath() }

// LibraryVersion is the library's own version, for people: "0.1.0".
func LibraryVersion() (string, error) {
	if err := library(); err != nil {
		return "", err
	}
	return capi.Version(), nil
}

// LiveHandles is how many handles this process has made and not ended: what a leak check compares. It counts all users
// of this copy of the library, other languages included.
func LiveHandles() (uint64, error) {
	if err := library(); err != nil {
		return 0, err
	}
	return capi.LiveHandles(), nil
}
