package hurray_test

import (
	"os"
	"syscall"
	"testing"
	"unsafe"
)

// mapFile maps a file until the test ends.
func mapFile(t *testing.T, file *os.File, size int) unsafe.Pointer {
	t.Helper()
	memory, err := syscall.Mmap(int(file.Fd()), 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Munmap(memory) })
	return unsafe.Pointer(&memory[0])
}
