package embedded_test

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/internal/embedded"
)

func canConnect(t *testing.T, url string) bool {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err == nil {
		_ = conn.Close(t.Context())
	}
	return err == nil
}

func TestSecondStartIsRefused(t *testing.T) {
	t.Parallel()
	c := embedded.Config{Dir: shortDir(t), Unsafe: true}
	first := start(t, c)
	_, err := embedded.Start(t.Context(), c)
	wantError(t, err, embedded.ErrInUse, "another kalends (process")
	run(t, first.URL(), `create table undisturbed ()`)
}

func TestOtherVersionIsRefused(t *testing.T) {
	t.Parallel()
	c := embedded.Config{Dir: shortDir(t), Unsafe: true}
	stop(t, start(t, c))
	must(t, os.WriteFile(filepath.Join(c.Dir, "pgdata", "PG_VERSION"), []byte("14\n"), 0o600))
	before := snapshot(t, filepath.Join(c.Dir, "pgdata"))

	_, err := embedded.Start(t.Context(), c)

	wrong, ok := errors.AsType[*embedded.VersionError](err)
	if !ok || wrong.Want != "14" || len(wrong.Have) == 0 || wrong.Dir != c.Dir {
		t.Fatalf("got %#v: %v", wrong, err)
	}
	if !strings.Contains(err.Error(), "KALENDS_PG_BIN") {
		t.Errorf("the message does not say what to do: %v", err)
	}
	if after := snapshot(t, filepath.Join(c.Dir, "pgdata")); !maps.Equal(before, after) {
		t.Error("the data has been touched")
	}
}

type stamp struct {
	size     int64
	modified time.Time
}

// snapshot returns every file below dir with its size and its time.
func snapshot(t *testing.T, dir string) map[string]stamp {
	t.Helper()
	files := map[string]stamp{}
	must(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		files[path] = stamp{info.Size(), info.ModTime()}
		return err
	}))
	return files
}

func TestNoBinaries(t *testing.T) {
	t.Parallel()
	_, err := embedded.Start(t.Context(), embedded.Config{
		Dir:    shortDir(t),
		Getenv: func(name string) string { return map[string]string{"KALENDS_PG_BIN": "/nowhere"}[name] },
	})
	wantError(t, err, embedded.ErrNoBinaries, "/nowhere", "apt install postgresql", "DATABASE_URL", "docker compose up")
}

func TestDamagedDirectories(t *testing.T) {
	t.Parallel()
	cases := map[string]func(t *testing.T, dir string){
		"no PG_VERSION": func(t *testing.T, dir string) {
			must(t, os.Remove(filepath.Join(dir, "pgdata", "PG_VERSION")))
		},
		"empty PG_VERSION": func(t *testing.T, dir string) {
			must(t, os.Truncate(filepath.Join(dir, "pgdata", "PG_VERSION"), 0))
		},
		"no passwords": func(t *testing.T, dir string) {
			must(t, os.Remove(filepath.Join(dir, "passwords.json")))
		},
		"half passwords": func(t *testing.T, dir string) {
			must(t, os.Truncate(filepath.Join(dir, "passwords.json"), 9))
		},
	}
	base := embedded.Config{Dir: shortDir(t), Unsafe: true}
	stop(t, start(t, base))
	for name, damage := range cases {
		dir := shortDir(t)
		must(t, exec.Command("cp", "-a", base.Dir+"/.", dir).Run())
		damage(t, dir)
		_, err := embedded.Start(t.Context(), embedded.Config{Dir: dir, Unsafe: true})
		if !errors.Is(err, embedded.ErrDamaged) || !strings.Contains(err.Error(), "backup") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A directory that only another user may write, or whose place is taken by a file.
func TestUnusableDirectory(t *testing.T) {
	t.Parallel()
	dir := shortDir(t)
	program, attr := asOrdinaryUser(t, dir)
	closed := filepath.Join(dir, "closed")
	must(t, os.Mkdir(closed, 0o555))
	for _, target := range []string{closed, filepath.Join(closed, "below")} {
		_, line := startHelper(t, target, program, attr)
		if !strings.Contains(line, embedded.ErrPermission.Error()) || !strings.Contains(line, target) {
			t.Errorf("the message is %q", line)
		}
	}
	file := filepath.Join(dir, "file")
	must(t, os.WriteFile(file, nil, 0o600))
	if _, err := embedded.Start(t.Context(), embedded.Config{Dir: file}); err == nil {
		t.Error("started in a file")
	}
}

func TestCancelledStartLeavesNothing(t *testing.T) {
	t.Parallel()
	c := embedded.Config{Dir: shortDir(t), Unsafe: true}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := embedded.Start(ctx, c)
	wantError(t, err, context.Canceled)
	start(t, c)
}
