package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/kalends/kalends/storage/storagetest"
)

var requests = regexp.MustCompile("(?s)\n## Eleven requests\n.*?```sh\n(.*?)```")

// TestReadme makes the requests of the README as they stand there, on a first run.
func TestReadme(t *testing.T) {
	t.Parallel()
	curl, err := exec.LookPath("curl")
	if err != nil {
		t.Skip("skipped: there is no curl here")
	}
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	block := requests.FindSubmatch(text)
	if block == nil {
		t.Fatal("the README has no requests")
	}
	dir := t.TempDir()
	// Each answer is kept, and its status is told.
	wrapper := "#!/bin/sh\nexec '" + curl + "' --silent --show-error --output \"$(mktemp answers/XXXXXX)\" --write-out '%{filename_effective} %{http_code}\\n' \"$@\"\n"
	if err := os.WriteFile(filepath.Join(dir, "curl"), []byte(wrapper), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "answers"), 0o700); err != nil {
		t.Fatal(err)
	}
	s := launchWith(t, dataDir(t), []string{"DATABASE_URL=" + storagetest.EmptyDatabase(t)}).started()
	script := strings.NewReplacer("localhost:8080", s.addr, "the application password of the first run", s.password()).Replace(string(block[1]))
	cmd := exec.Command("sh", "-e")
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(script)
	cmd.Env = append(os.Environ(), "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	told, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, told)
	}
	var statuses []string
	var answers []map[string]any
	for line := range strings.Lines(string(told)) {
		file, status, _ := strings.Cut(strings.TrimSpace(line), " ")
		raw, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			t.Fatalf("%v\n%s", err, told)
		}
		answer := map[string]any{}
		_ = json.Unmarshal(raw, &answer) // a 304 has none
		statuses, answers = append(statuses, status), append(answers, answer)
	}
	want := strings.Fields("200 200 201 201 201 200 200 304 404 200 200")
	if !slices.Equal(statuses, want) {
		t.Fatalf("the requests are answered %v, want %v\n%v", statuses, want, answers)
	}
	for i := range 2 {
		if n, _ := answers[i]["total"].(float64); n < 1 {
			t.Errorf("request %d finds nothing: %v", i+1, answers[i])
		}
	}
	if answers[6]["cost"] != "12€" || answers[8]["code"] != "rest-event-not-found" {
		t.Errorf("%v\n%v", answers[6], answers[8])
	}
}
