package hurray_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// declared are the functions of the header.
func declared(header []byte) map[string]bool {
	names := map[string]bool{}
	for _, match := range regexp.MustCompile(`(?m)^\w.*[ *](hurray_\w+)\(`).FindAllSubmatch(header, -1) {
		names[string(match[1])] = true
	}
	return names
}

// Every function of hurray.h is called by the one package that calls C, or listed in not-wrapped.txt with a reason.
func TestCoverageOfTheHeader(t *testing.T) {
	functions := declared(must(os.ReadFile("../../hurray-ffi/include/hurray.h")))
	if len(functions) < 120 {
		t.Fatalf("only %d functions found", len(functions))
	}
	used := map[string]bool{}
	for _, path := range must(filepath.Glob("internal/capi/*.*")) {
		for _, name := range regexp.MustCompile(`\bhurray_\w+`).FindAllString(string(must(os.ReadFile(path))), -1) {
			used[name] = true
		}
	}
	// A star stands for the rest of a name.
	listed := map[string]string{}
	for line := range strings.Lines(string(must(os.ReadFile("not-wrapped.txt")))) {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, reason, _ := strings.Cut(line, " ")
		if strings.TrimSpace(reason) == "" {
			t.Errorf("%s has no reason", name)
		}
		hits := 0
		for function := range functions {
			if ok := must(filepath.Match(name, function)); ok {
				listed[function] = name
				hits++
			}
		}
		if hits == 0 {
			t.Errorf("%s is listed in not-wrapped.txt, but not in the header", name)
		}
	}
	for function := range functions {
		switch {
		case used[function] && listed[function] != "":
			t.Errorf("%s is called, but listed in not-wrapped.txt", function)
		case !used[function] && listed[function] == "":
			t.Errorf("%s is neither called nor listed in not-wrapped.txt with a reason", function)
		}
	}
}
