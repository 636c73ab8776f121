package embedded

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// binaries is a directory with postgres and initdb.
type binaries struct {
	dir     string
	version string
	major   string
}

func (b binaries) program(name string) string { return filepath.Join(b.dir, name) }

// installed is where packages put their bin directories, one per major version.
var installed = []string{
	"/usr/lib/postgresql/*/bin",
	"/usr/pgsql-*/bin",
	"/opt/homebrew/opt/postgresql@*/bin",
	"/usr/local/opt/postgresql@*/bin",
	"/home/linuxbrew/.linuxbrew/opt/postgresql@*/bin",
}

// find returns the first binaries that fit the major version want, or any of 15 and newer when want is empty.
// KALENDS_PG_BIN, when set, is the only place looked at. Errors: ErrNoBinaries, *VersionError (without Dir).
func find(ctx context.Context, getenv func(string) string, want string) (binaries, error) {
	var have []string
	for _, dir := range candidates(getenv) {
		if !isProgram(filepath.Join(dir, "postgres")) || !isProgram(filepath.Join(dir, "initdb")) {
			continue
		}
		if err := link(dir); err != nil {
			have = append(have, fmt.Sprintf("%s: %v", dir, err))
			continue
		}
		version, major, err := programVersion(ctx, dir)
		if ctx.Err() != nil {
			return binaries{}, ctx.Err()
		}
		if err != nil {
			have = append(have, err.Error())
			continue
		}
		if fits(major, want) {
			return binaries{dir: dir, version: version, major: major}, nil
		}
		have = append(have, fmt.Sprintf("Postgres %s (%s)", version, dir))
	}
	if bin := getenv("KALENDS_PG_BIN"); bin != "" && len(have) == 0 {
		return binaries{}, fmt.Errorf("KALENDS_PG_BIN is %s, which has no postgres and initdb: %w", bin, ErrNoBinaries)
	}
	if len(have) == 0 {
		return binaries{}, ErrNoBinaries
	}
	if want != "" {
		return binaries{}, &VersionError{Want: want, Have: have}
	}
	return binaries{}, fmt.Errorf("%w; found but not usable: %s", ErrNoBinaries, strings.Join(have, ", "))
}

func fits(major, want string) bool {
	if want != "" {
		return major == want
	}
	n, err := strconv.Atoi(major)
	return err == nil && n >= oldest
}

// candidates returns the directories to look at, the preferred first.
func candidates(getenv func(string) string) []string {
	if bin := getenv("KALENDS_PG_BIN"); bin != "" {
		return []string{bin}
	}
	var dirs []string
	for _, pattern := range installed {
		found, _ := filepath.Glob(pattern) // the only error is a malformed pattern
		slices.SortFunc(found, func(a, b string) int { return cmp.Compare(number(b), number(a)) })
		dirs = append(dirs, found...)
	}
	for _, dir := range filepath.SplitList(getenv("PATH")) {
		if filepath.IsAbs(dir) {
			dirs = append(dirs, dir)
		}
	}
	return append(dirs, npmDirs()...)
}

var digits = regexp.MustCompile(`\d+`)

// number returns the version number in a path such as /usr/lib/postgresql/15/bin.
func number(path string) int {
	n, _ := strconv.Atoi(digits.FindString(path)) // 0 sorts last
	return n
}

func isProgram(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}
