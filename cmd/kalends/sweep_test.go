package main

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/storage/storagetest"
	"github.com/kalends/kalends/tenancy/jobs"
)

// swept is an installation whose files can be made old.
type swept struct {
	t   *testing.T
	in  *installation
	dir string
}

func newSwept(t *testing.T, database string) *swept {
	t.Helper()
	dir := t.TempDir()
	p := &program{ctx: t.Context(), getenv: os.Getenv, out: &bytes.Buffer{}, errs: &bytes.Buffer{},
		config: &Config{DatabaseURL: database, DataDir: dir, Connections: 4, PlatformDomain: "localhost"}}
	in, err := p.open(t.Context(), true)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(in.close)
	return &swept{t, in, filepath.Join(dir, "media")}
}

// put lays a file down.
func (s *swept) put(name string) {
	s.t.Helper()
	name = filepath.Join(s.dir, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte("x"), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

// age makes all files two days old.
func (s *swept) age() {
	s.t.Helper()
	past := time.Now().Add(-48 * time.Hour)
	err := filepath.WalkDir(s.dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		return os.Chtimes(name, past, past)
	})
	if err != nil {
		s.t.Fatal(err)
	}
}

// folders returns how many files there are below each {site}/{id}.
func (s *swept) folders() map[string]int {
	s.t.Helper()
	found := map[string]int{}
	files, err := filepath.Glob(filepath.Join(s.dir, "*", "*", "*"))
	if err != nil {
		s.t.Fatal(err)
	}
	for _, file := range files {
		name, _ := filepath.Rel(s.dir, filepath.Dir(file))
		found[name]++
	}
	return found
}

func pngOf(t *testing.T) *bytes.Buffer {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 400, 300))); err != nil {
		t.Fatal(err)
	}
	return &b
}

// holds fails the test unless some folders are there and others not.
func (s *swept) holds(kept, gone []string) {
	s.t.Helper()
	found := s.folders()
	for _, name := range kept {
		if found[name] == 0 {
			s.t.Errorf("%s is gone", name)
		}
	}
	for _, name := range gone {
		if found[name] != 0 {
			s.t.Errorf("%s is there still", name)
		}
	}
}

// TestSweepOfAnInstallation leaves files behind in every way there is and has them
// swept: what a row names stays, on every site, and so does what is under way.
func TestSweepOfAnInstallation(t *testing.T) {
	t.Parallel()
	database := storagetest.Database(t)
	terminal := newTerminal(t, database)
	var made map[string]any
	for _, slug := range []string{"club", "town", "gone"} {
		terminal.must(&made, "site", "create", slug, "--name="+slug)
	}
	s := newSwept(t, database)
	var kept, left []string
	ctx := map[string]context.Context{}
	for _, slug := range []string{"club", "town", "gone"} {
		var err error
		if ctx[slug], err = s.in.enter(t.Context(), slug); err != nil {
			t.Fatal(err)
		}
		site, err := s.in.platform.Sites.Get(provider(t.Context()), slug)
		if err != nil {
			t.Fatal(err)
		}
		stored, err := s.in.calendar.Images().Upload(ctx[slug], "stored.png", pngOf(t))
		if err != nil {
			t.Fatal(err)
		}
		failed, err := s.in.pictures.Make(ctx[slug], "failed.png", pngOf(t)) // and its row was never stored
		if err != nil {
			t.Fatal(err)
		}
		folder := func(key string) string { return fmt.Sprintf("%d/%s", site.ID, key) }
		left = append(left, folder(failed.Key))
		if slug != "gone" {
			kept = append(kept, folder(stored.Key))
			continue
		}
		terminal.must(&made, "site", "delete", slug, "--yes", "--grace=0")
		s.put(folder(stored.Key) + "/stored.png") // as if it could not be removed
		left = append(left, folder(stored.Key))
	}
	job, err := s.in.jobs.Export(provider(t.Context()), "club", jobs.KeepExport)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{fmt.Sprintf("job-%d-1/0", job.ID), "notes/of"} {
		s.put(name + "/others")
		kept = append(kept, name)
	}
	s.put("notes/that/lie/deeper")
	for _, name := range []string{fmt.Sprintf("job-%d-1/0", job.ID+1000), "doctor/0"} {
		s.put(name + "/x")
		left = append(left, name)
	}
	s.in.sweep(t.Context(), time.Now()) // notes whose the files are
	s.age()
	fresh, err := s.in.pictures.Make(ctx["club"], "under-way.png", pngOf(t))
	if err != nil {
		t.Fatal(err)
	}
	s.in.sweep(t.Context(), time.Now())

	s.holds(append(kept, "sweep/0"), left)
	if r, _, err := s.in.pictures.Open(ctx["club"], fresh.Key, fresh.File); err != nil {
		t.Errorf("of an upload under way: %v", err)
	} else if err := r.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(s.dir, "notes/that/lie/deeper")); err != nil {
		t.Error(err)
	}
}

// TestSweepOfACopy has the files swept by a second database, which knows nothing of
// what came after it was copied: it removes nothing, and the doctor says so.
func TestSweepOfACopy(t *testing.T) {
	t.Parallel()
	first := newSwept(t, storagetest.Database(t))
	first.put("1/abc/x.png")
	first.in.sweep(t.Context(), time.Now())
	database := storagetest.Database(t)
	second := newSwept(t, database)
	if err := os.CopyFS(second.dir, os.DirFS(first.dir)); err != nil {
		t.Fatal(err)
	}
	second.age()
	second.in.sweep(t.Context(), time.Now())
	if second.folders()["1/abc"] != 1 {
		t.Error("a copy swept what isn't its own")
	}
	terminal := newTerminal(t, database)
	terminal.env["KALENDS_DATA_DIR"] = filepath.Dir(second.dir)
	states, text, err := terminal.diagnosis()
	if states["owner of files"] != "warn" || !strings.Contains(text, "sweep/0/owner") || err != nil {
		t.Errorf("%v, %v\n%s", states, err, text)
	}
	if err := os.Remove(filepath.Join(second.dir, "sweep/0/owner")); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		second.in.sweep(t.Context(), time.Now())
		second.age()
	}
	if second.folders()["1/abc"] != 0 {
		t.Error("what was given to it isn't swept")
	}
	if states, text, _ := terminal.diagnosis(); states["owner of files"] != "ok" {
		t.Errorf("%v\n%s", states, text)
	}
}
