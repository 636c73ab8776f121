package web

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The scripts that are served are those that make generate makes of the sources.
func TestScriptsAreFresh(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("static/files.go")
	if err != nil {
		t.Fatal(err)
	}
	_, line, _ := strings.Cut(string(source), "//go:generate ")
	line, _, _ = strings.Cut(line, "\n")
	made := t.TempDir()
	words := strings.Fields(strings.Replace(line, "--outdir=built", "--outdir="+made, 1))
	run := exec.CommandContext(t.Context(), words[0], words[1:]...)
	run.Dir = "static"
	if out, err := run.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", line, err, out)
	}
	for _, dir := range []string{made, "static/built"} {
		files, err := filepath.Glob(dir + "/*.js")
		if err != nil || len(files) == 0 {
			t.Fatalf("%s has no scripts: %v", dir, err)
		}
		for _, file := range files {
			name := filepath.Base(file)
			fresh, _ := os.ReadFile(filepath.Join(made, name))
			kept, _ := os.ReadFile(filepath.Join("static/built", name))
			if !bytes.Equal(fresh, kept) {
				t.Errorf("static/built/%s is stale: run make generate", name)
			}
		}
	}
}
