package hurray_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	hurray "github.com/hurray-format/hurray-go"
)

func TestMain(m *testing.M) {
	switch os.Getenv("HURRAY_GO_CHILD") {
	case "refused":
		refused()
	case "release panics":
		releasePanics()
	default:
		os.Exit(m.Run())
	}
}

// child runs this test binary as another program.
func child(t *testing.T, what string, environment ...string) (string, error) {
	t.Helper()
	command := exec.Command(must(os.Executable()))
	command.Env = append(append(os.Environ(), environment...), "HURRAY_GO_CHILD="+what)
	output, err := command.CombinedOutput()
	return string(output), err
}

func TestLibrary(t *testing.T) {
	if err := hurray.Check(); err != nil {
		t.Error(err)
	}
	equal(t, "version", hurray.LoadedABIVersion(), hurray.ABIVersion)
	contains(t, hurray.LibraryPath(), "libhurray.so")
	version := regexp.MustCompile(`^\d+\.\d+\.\d+$`)
	equal(t, "version for people", version.MatchString(must(hurray.LibraryVersion())), true)
}

// refused calls everything that could make something, with a library of another version.
func refused() {
	calls := map[string]func() error{
		"Check":            hurray.Check,
		"LiveHandles":      func() error { _, err := hurray.LiveHandles(); return err },
		"LibraryVersion":   func() error { _, err := hurray.LibraryVersion(); return err },
		"DecodeDescriptor": func() error { _, err := hurray.DecodeDescriptor(nil); return err },
		"Fields":           func() error { _, err := hurray.DescriptorFromFields(nil); return err },
		"Builder": func() error {
			_, err := hurray.NewBuilder(hurray.TypeFloat32, nil, nil).Finish()
			return err
		},
		"FromSlice":   func() error { _, err := hurray.FromSlice([]float32{1}, []uint64{1}); return err },
		"FromBytes":   func() error { _, err := hurray.FromBytes([]byte{1}, hurray.TypeInt4, []uint64{1}); return err },
		"FromMemory":  func() error { _, err := hurray.FromMemory(hurray.Memory{}); return err },
		"Import":      func() error { _, err := hurray.Import(nil); return err },
		"NewBuffer":   func() error { _, err := hurray.NewBuffer(1, 64); return err },
		"BufferOf":    func() error { _, err := hurray.BufferOf([]int8{1}); return err },
		"OpenFile":    func() error { _, err := hurray.OpenFile("x"); return err },
		"ReaderAt":    func() error { _, err := hurray.OpenReaderAt(bytes.NewReader(nil), 0); return err },
		"CreateFile":  func() error { _, err := hurray.CreateFile("x"); return err },
		"NewWriter":   func() error { _, err := hurray.NewFileWriter(nil); return err },
		"StreamRead":  func() error { _, err := hurray.NewStreamReader(nil); return err },
		"StreamWrite": func() error { _, err := hurray.NewStreamWriter(nil); return err },
		"Bits":        func() error { _, err := hurray.TypeFloat32.Bits(); return err },
		"Bytes":       func() error { _, err := hurray.TypeFloat32.Bytes(1); return err },
	}
	first := hurray.Check()
	for name, call := range calls {
		if err := call(); !errors.Is(err, hurray.ErrVersionMismatch) || err.Error() != first.Error() {
			fmt.Printf("%s: %v\n", name, err)
			os.Exit(3)
		}
	}
	fmt.Println(hurray.TypeFloat32, first)
}

// A library of another version: one function answers, every other one ends the program.
func TestAnotherVersionIsRefused(t *testing.T) {
	folder := t.TempDir()
	header := must(os.ReadFile("../../hurray-ffi/include/hurray.h"))
	source := "#include <stdlib.h>\nunsigned hurray_c_abi_version(void) { return 11; }\n"
	for name := range declared(header) {
		if name != "hurray_c_abi_version" {
			source += "void " + name + "(void) { abort(); }\n"
		}
	}
	stub := filepath.Join(folder, "libhurray.so.10")
	compiler := exec.Command("gcc", "-shared", "-fPIC", "-Wl,-soname,libhurray.so.10", "-x", "c", "-", "-o", stub)
	compiler.Stdin = strings.NewReader(source)
	if output, err := compiler.CombinedOutput(); err != nil {
		t.Fatal(string(output), err)
	}
	output, err := child(t, "refused", "LD_PRELOAD="+stub, "LD_LIBRARY_PATH="+folder)
	if err != nil {
		t.Fatal(output, err)
	}
	contains(t, output, "version 10", "version 11", stub)
}
