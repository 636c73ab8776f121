package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kalends/kalends/storage/storagetest"
)

func TestDataDirRefused(t *testing.T) {
	t.Parallel()
	s := newTerminal(t, "")
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{file, filepath.Join(file, "below")} {
		s.env["KALENDS_DATA_DIR"] = dir
		s.fails(file, "serve")
	}
	s.env["DATABASE_URL"] = storagetest.Database(t)
	s.fails(file, "serve")
}

// TestDataDir: root has a folder that whom Postgres runs as can enter, unless there is data in root's home already.
func TestDataDir(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	own := filepath.Join(home, ".local", "share", "kalends")
	want := own
	if os.Geteuid() == 0 {
		want = systemDir
	}
	if got, err := new(Config).dataDir(); err != nil || got != want {
		t.Errorf("%s, %v, want %s", got, err, want)
	}
	if err := os.MkdirAll(filepath.Join(own, "pgdata"), 0o700); err != nil {
		t.Fatal(err)
	}
	if got, err := new(Config).dataDir(); err != nil || got != own {
		t.Errorf("with data: %s, %v, want %s", got, err, own)
	}
}

func TestSafeConfig(t *testing.T) {
	t.Parallel()
	c := &Config{DatabaseURL: "postgres://u:secret1@h/d", RedisURL: "redis://:secret2@h", ProviderToken: "secret3", AdminPassword: "secret4"}
	if text := c.Safe().String(); strings.Contains(text, "secret") {
		t.Errorf("shows secrets: %s", text)
	}
}
