package embedded

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// oldest is the oldest major version whose SQL Kalends can use.
const oldest = 15

var versionLine = regexp.MustCompile(`\(PostgreSQL\) ((\d+)\S*)`)

// programVersion returns the version of the postgres in bin, such as 15.18, and its major version, such as 15.
func programVersion(ctx context.Context, bin string) (version, major string, err error) {
	out, err := exec.CommandContext(ctx, filepath.Join(bin, "postgres"), "--version").Output()
	if err != nil {
		return "", "", fmt.Errorf("%s: %w", bin, err)
	}
	m := versionLine.FindSubmatch(out)
	if m == nil {
		return "", "", fmt.Errorf("%s: not a Postgres: %q", bin, out)
	}
	return string(m[1]), string(m[2]), nil
}

// dataVersion returns the major version that wrote pgdata, or "" when there is no data yet.
func dataVersion(pgdata string) (string, error) {
	text, err := os.ReadFile(filepath.Join(pgdata, "PG_VERSION"))
	if err == nil {
		if v := strings.TrimSpace(string(text)); v != "" {
			return v, nil
		}
		return "", fmt.Errorf("%w: %s/PG_VERSION is empty; restore the directory from a backup", ErrDamaged, pgdata)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	entries, err := os.ReadDir(pgdata)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0 {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return "", fmt.Errorf("%w: %s has files but no PG_VERSION; restore it from a backup or move it away",
		ErrDamaged, pgdata)
}
