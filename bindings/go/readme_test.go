package hurray_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
)

// The program of README.md compiles and prints what stands below it.
func TestReadme(t *testing.T) {
	page := string(must(os.ReadFile("README.md")))
	blocks := regexp.MustCompile("(?s)```go\n(.*?)```\n\n```text\n(.*?)```").FindAllStringSubmatch(page, -1)
	equal(t, "programs", len(blocks), 1)
	for _, block := range blocks {
		path := filepath.Join(t.TempDir(), "main.go")
		if err := os.WriteFile(path, []byte(block[1]), 0o600); err != nil {
			t.Fatal(err)
		}
		output, err := exec.Command("go", "run", path).CombinedOutput()
		if err != nil {
			t.Fatal(string(output), err)
		}
		equal(t, "output", string(output), block[2])
	}
}
