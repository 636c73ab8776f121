package embedded

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// A process that starts has a copy of every open file for a moment. Such a copy does not keep the lock.
func TestReleasedLockHasNoCopies(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "lock")
	first, err := lock(path)
	if err != nil {
		t.Fatal(err)
	}
	held, err := syscall.Dup(int(first.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(held)
	(&Server{lock: first}).release()
	second, err := lock(path)
	if err != nil {
		t.Fatal(err)
	}
	_ = second.Close()
}

func TestBuffers(t *testing.T) {
	t.Parallel()
	for memory, want := range map[int64]int64{0: 128 << 20, 512 << 20: 128 << 20, 1 << 30: 256 << 20, 4 << 30: 1 << 30, 1 << 40: 2 << 30} {
		if got := buffers(memory); got != want {
			t.Errorf("of %d bytes of memory %d, want %d", memory, got, want)
		}
	}
	if _, err := os.Stat("/proc/meminfo"); err == nil && Memory() < 64<<20 {
		t.Errorf("this machine has %d bytes", Memory())
	}
}

func TestExplain(t *testing.T) {
	t.Parallel()
	said := func(line string) error {
		return &StartError{Program: "postgres", Err: errors.New("exit status 1"), Output: []string{"LOG:  hello", line}}
	}
	cases := []struct {
		err, want error
	}{
		{&fs.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC}, ErrDiskFull},
		{&fs.PathError{Op: "write", Path: "x", Err: syscall.EDQUOT}, ErrDiskFull},
		{said(`FATAL:  could not write to file "pg_wal/xlogtemp.99": No space left on device`), ErrDiskFull},
		{said(`HINT:  Check free disk space.`), ErrDiskFull},
		{&fs.PathError{Op: "open", Path: "x", Err: syscall.EACCES}, ErrPermission},
		{&fs.PathError{Op: "open", Path: "x", Err: syscall.EROFS}, ErrPermission},
		{said(`FATAL:  could not open file "global/pg_control": Permission denied`), ErrPermission},
	}
	for _, c := range cases {
		got := explain("/data", c.err)
		if !errors.Is(got, c.want) || !errors.Is(got, c.err) || !strings.Contains(got.Error(), "/data") {
			t.Errorf("explain(%v) = %v", c.err, got)
		}
		if again := explain("/data", got); again.Error() != got.Error() {
			t.Errorf("explained twice: %v", again)
		}
	}
	if other := said("FATAL:  something else"); !errors.Is(explain("/data", other), other) {
		t.Error("an error without advice was changed")
	}
	if explain("/data", nil) != nil {
		t.Error("no error became one")
	}
}

// fakeBinaries makes a directory whose postgres does nothing but say its version.
func fakeBinaries(t *testing.T, version string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"postgres", "initdb"} {
		script := fmt.Sprintf("#!/bin/sh\necho '%s (PostgreSQL) %s (Debian)'\n", name, version)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestFind(t *testing.T) {
	t.Parallel()
	old, young, beta := fakeBinaries(t, "14.3"), fakeBinaries(t, "17.10"), fakeBinaries(t, "19beta1")
	cases := []struct {
		bin, want, version string
	}{
		{young, "", "17.10"},
		{young, "17", "17.10"},
		{beta, "", "19beta1"},
		{old, "14", "14.3"}, // data that exists is never refused for its age here; the migrations say so
		{old, "", ""},
		{young, "16", ""},
	}
	for _, c := range cases {
		b, err := find(t.Context(), func(name string) string {
			return map[string]string{"KALENDS_PG_BIN": c.bin}[name]
		}, c.want)
		if b.version != c.version || (err == nil) != (c.version != "") {
			t.Errorf("find(%s, %q) = %+v, %v", c.bin, c.want, b, err)
		}
		_, wrongVersion := errors.AsType[*VersionError](err)
		if err != nil && wrongVersion != (c.want != "") {
			t.Errorf("find(%s, %q): %v", c.bin, c.want, err)
		}
	}
}

func TestCandidatesLookInPathLast(t *testing.T) {
	t.Parallel()
	dirs := candidates(func(name string) string { return map[string]string{"PATH": "relative:/a:/b"}[name] })
	a, b := slices.Index(dirs, "/a"), slices.Index(dirs, "/b")
	if a < 0 || b != a+1 || slices.Contains(dirs, "relative") {
		t.Errorf("candidates are %q", dirs)
	}
}

func TestLinkStaysInside(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	bin := filepath.Join(root, "native", "bin")
	lib := filepath.Join(root, "native", "lib")
	for _, dir := range []string{bin, lib} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(lib, "libpq.so.5.17"), []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	list := filepath.Join(root, "native", "pg-symlinks.json")
	write := func(text string) {
		if err := os.WriteFile(list, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(`[{"source":"native/lib/libpq.so.5.17","target":"native/lib/libpq.so.5"}]`)
	for range 2 {
		if err := link(bin); err != nil {
			t.Fatal(err)
		}
	}
	if text, err := os.ReadFile(filepath.Join(lib, "libpq.so.5")); err != nil || string(text) != "x" {
		t.Errorf("the link gives %q, %v", text, err)
	}
	write(`[{"source":"native/lib/libpq.so.5.17","target":"../outside.so"}]`)
	if err := link(bin); err == nil {
		t.Error("made a link outside the package")
	}
}

func TestTail(t *testing.T) {
	t.Parallel()
	out := &tail{log: slog.New(slog.DiscardHandler)}
	for i := range 30 {
		fmt.Fprintf(out, "line %d\n\n", i)
	}
	fmt.Fprint(out, "unfin")
	fmt.Fprint(out, "ished")
	got := out.last()
	if len(got) != tailLines+1 || got[0] != "line 10" || got[tailLines] != "unfinished" {
		t.Errorf("the tail is %q", got)
	}
}

// What Postgres says of a plain stop is no error; what goes wrong is.
func TestTailLevels(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"2026-01-02 UTC [7] FATAL:  the database system is starting up":                                "DEBUG",
		"2026-01-02 UTC [7] FATAL:  the database system is shutting down":                              "DEBUG",
		"2026-01-02 UTC [7] FATAL:  terminating connection due to administrator command":               "DEBUG",
		"2026-01-02 UTC [7] FATAL:  terminating autovacuum process due to administrator command":       "DEBUG",
		"2026-01-02 UTC [7] LOG:  database system is shut down":                                        "DEBUG",
		"2026-01-02 UTC [7] FATAL:  terminating connection because of crash of another server process": "ERROR",
		"2026-01-02 UTC [7] FATAL:  could not open file \"global/pg_control\": Permission denied":      "ERROR",
		"2026-01-02 UTC [7] PANIC:  could not locate a valid checkpoint record":                        "ERROR",
		"2026-01-02 UTC [7] ERROR:  canceling statement due to statement timeout":                      "WARN",
		"2026-01-02 UTC [7] FATAL:  password authentication failed for user \"kalends\"":               "ERROR",
	} {
		var log bytes.Buffer
		out := &tail{log: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))}
		fmt.Fprintln(out, line)
		if !strings.Contains(log.String(), "level="+want+" ") {
			t.Errorf("%s is logged as %s", line, log.String())
		}
	}
}
