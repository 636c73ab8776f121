package main

import (
	"archive/zip"
	"bytes"
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kalends/kalends/storage/storagetest"
)

// TestArchiveCommands moves a site to another installation.
func TestArchiveCommands(t *testing.T) {
	t.Parallel()
	s := newTerminal(t, storagetest.Database(t))
	var made, shown, wrote map[string]any
	s.must(&made, "site", "create", "club", "--name=The Club", "--domain=club.example.org")
	s.must(&made, "user", "create", "anna", "--site=club", "--email=anna@example.org", "--role=editor")
	file := filepath.Join(t.TempDir(), "club.zip")
	s.must(&wrote, "site", "export", "club", file)
	if rows, _ := wrote["rows"].(map[string]any); rows["users"] != 1.0 || wrote["version"] == 0.0 {
		t.Errorf("wrote %v", wrote)
	}
	out, err := s.run("site", "export", "club", "-")
	if err != nil || !strings.HasPrefix(out, "PK") {
		t.Errorf("to standard output: %v, %.20q", err, out)
	}
	for _, command := range [][]string{{"export", "club", file}, {"import", file, "--slug=told"}} {
		said := s.said(append([]string{"site", command[0], "--progress"}, command[1:]...)...)
		if !strings.HasSuffix(said, " bytes)\n") || !strings.Contains(said, "\n100% (") || strings.Count(said, "%") < 5 {
			t.Errorf("%s said %s", command[0], said)
		}
	}
	s.failsAsTried("--slug: ", "site", "import", file)
	s.failsAsTried("--domain: ", "site", "import", file, "--slug=copy", "--domain=club.example.org")
	s.fails("--slug: ", "site", "import", file, "--slug=No Slug")
	s.fails("--name: ", "site", "import", file, "--slug=copy", "--name="+strings.Repeat("x", 1001))
	s.fails("nobody", "site", "export", "nobody", filepath.Join(t.TempDir(), "x"))
	s.fails("no such file", "site", "export", "club", filepath.Join(t.TempDir(), "no", "folder", "x"))
	s.must(&shown, "site", "import", file, "--slug=copy", "--name=Copy", "--domain=copy.example.org")
	if shown["slug"] != "copy" || shown["name"] != "Copy" {
		t.Errorf("imported %v", shown)
	}
	there := newTerminal(t, storagetest.Database(t))
	there.must(&shown, "site", "import", "--dry-run", file)
	if shown["slug"] != "club" || shown["dry_run"] != true {
		t.Errorf("dry run %v", shown)
	}
	there.fails("no such site", "site", "show", "club")
	there.must(&shown, "site", "import", file)
	domains, _ := json.Marshal(shown["domains"])
	if shown["slug"] != "club" || string(domains) != `["club.example.org"]` {
		t.Errorf("moved %v", shown)
	}
	there.failsAsTried("damaged", "site", "import", harm(t, file), "--slug=broken")
	there.fails("archive", "site", "import", "archive_test.go", "--slug=broken")
	if left, err := filepath.Glob(filepath.Join(filepath.Dir(file), ".kalends-*")); err != nil || len(left) != 0 {
		t.Errorf("left %v, %v", left, err)
	}
}

// failsAsTried runs a command that fails, after a dry run of it that fails likewise.
func (s *terminal) failsAsTried(what string, arguments ...string) {
	s.t.Helper()
	s.fails(what, append(slices.Clone(arguments), "--dry-run")...)
	s.fails(what, arguments...)
}

// said runs a command that works, and returns what it says beside its result.
func (s *terminal) said(arguments ...string) string {
	s.t.Helper()
	var out, errs bytes.Buffer
	if err := run(s.t.Context(), arguments, s.getenv, &out, &errs); err != nil {
		s.t.Errorf("%v: %v", arguments, err)
	}
	return errs.String()
}

// harm returns a copy of an archive in which a byte of the content is another:
// one in the middle of the largest member's packed bytes. Headers hold bytes that
// say nothing of the content, and an archive that lost one of those is as good
// as before.
func harm(t *testing.T, file string) string {
	t.Helper()
	packed, err := zip.OpenReader(file)
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	largest := slices.MaxFunc(packed.File, func(a, b *zip.File) int {
		return cmp.Compare(a.CompressedSize64, b.CompressedSize64)
	})
	at, err := largest.DataOffset()
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	data[at+int64(largest.CompressedSize64/2)] ^= 0xff
	broken := filepath.Join(t.TempDir(), "broken.zip")
	if err := os.WriteFile(broken, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return broken
}

// TestBackupCommands brings an installation back, and one site out of its backup.
func TestBackupCommands(t *testing.T) {
	t.Parallel()
	s := newTerminal(t, storagetest.Database(t))
	var result map[string]any
	for _, slug := range []string{"club", "town"} {
		s.must(&result, "site", "create", slug, "--name="+slug)
	}
	s.must(&result, "token", "create", "billing")
	dir := filepath.Join(t.TempDir(), "backup")
	s.must(&result, "backup", dir)
	if result["sites"] != 2.0 || result["unchanged"] != 0.0 {
		t.Errorf("first %v", result)
	}
	s.must(&result, "backup", dir)
	if result["unchanged"] != 2.0 {
		t.Errorf("second %v", result)
	}
	info, err := os.Stat(filepath.Join(dir, "backup.json"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	there := newTerminal(t, storagetest.Database(t))
	there.must(&result, "restore", dir, "--dry-run")
	if result["sites"] != 2.0 || result["there_already"] != 0.0 || result["dry_run"] != true {
		t.Errorf("dry run %v", result)
	}
	there.must(&result, "restore", dir, "--site=town", "--dry-run")
	if result["slug"] != "town" {
		t.Errorf("dry run of one site %v", result)
	}
	there.fails("no such site", "site", "show", "town")
	there.must(&result, "restore", dir, "--site=town", "--slug=village")
	if result["slug"] != "village" {
		t.Errorf("one site %v", result)
	}
	there.must(&result, "restore", dir)
	if result["sites"] != 2.0 || result["there_already"] != 0.0 {
		t.Errorf("restored %v", result)
	}
	there.must(&result, "restore", dir)
	if result["there_already"] != 2.0 {
		t.Errorf("restored again %v", result)
	}
	there.fails("--site", "restore", dir, "--slug=x")
	there.fails("no such site", "restore", dir, "--site=nobody")
	there.fails("no such file", "restore", filepath.Join(dir, "elsewhere"))
	there.failsAsTried("another site has that slug", "restore", later(t, s))
}

// later returns the folder of a backup in which a site went on.
func later(t *testing.T, s *terminal) string {
	t.Helper()
	var result map[string]any
	s.must(&result, "user", "create", "anna", "--site=club", "--email=anna@example.org", "--role=editor")
	dir := t.TempDir()
	s.must(&result, "backup", dir)
	return dir
}

// TestProgressIsApart: progress goes to standard error, and standard output has the result and nothing else.
func TestProgressIsApart(t *testing.T) {
	t.Parallel()
	s := newTerminal(t, storagetest.Database(t))
	var made map[string]any
	s.must(&made, "site", "create", "club", "--name=Club")
	dir := t.TempDir()
	file := filepath.Join(dir, "club.zip")
	for _, c := range []struct {
		words string
		line  []string
	}{
		{"100% (", []string{"site", "export", "club", file, "--progress"}},
		{"100% (", []string{"site", "import", file, "--slug=copy", "--progress"}},
		{"club: version ", []string{"backup", filepath.Join(dir, "backup")}},
	} {
		var out, errs bytes.Buffer
		err := run(t.Context(), c.line, s.getenv, &out, &errs)
		if err != nil || !json.Valid(out.Bytes()) || !strings.Contains(errs.String(), c.words) {
			t.Errorf("%v: %v\n%s\n%s", c.line, err, out.String(), errs.String())
		}
	}
}
