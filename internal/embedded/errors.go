package embedded

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
)

var (
	// ErrInUse says that another kalends, or a Postgres that someone has started by hand, uses the data directory.
	ErrInUse = errors.New("the data directory is in use")

	// ErrNoBinaries says that no usable Postgres was found, and lists the three solutions.
	ErrNoBinaries = errors.New("no Postgres 15 or newer was found on this machine; do one of three things: " +
		"install it (for example: apt install postgresql, or npm ci in internal/embedded), " +
		"or set DATABASE_URL to a Postgres that is already running, " +
		"or start Kalends together with its Postgres: docker compose up")

	// ErrDiskFull says that the file system of the data directory has no space left.
	ErrDiskFull = errors.New("the disk is full; free some space and start again, nothing has been lost")

	// ErrPermission says that the data directory cannot be read or written by this user.
	ErrPermission = errors.New("the data directory is not accessible")

	// ErrDamaged says that the data directory lacks files that Kalends put there.
	ErrDamaged = errors.New("the data directory is not complete")

	// ErrUnsupported says that an embedded Postgres is not available on this operating system.
	ErrUnsupported = errors.New("an embedded Postgres is not available on this system; set DATABASE_URL")
)

// VersionError says that the data was written by a major version of Postgres that was not found. The data directory
// has not been touched.
type VersionError struct {
	Dir  string   // the directory with the data
	Want string   // the major version that wrote it, as in PG_VERSION
	Have []string // the versions found, each with its directory
}

// Error returns the message for the operator, with the possible solutions.
func (e *VersionError) Error() string {
	return fmt.Sprintf("the data in %s was written by Postgres %s, but only %s found; nothing has been changed. "+
		"Install Postgres %s or point KALENDS_PG_BIN to its bin directory; "+
		"to move to a newer version, dump the database with Postgres %s and restore it into a new directory",
		e.Dir, e.Want, strings.Join(e.Have, ", "), e.Want, e.Want)
}

// StartError says that a Postgres program failed, with the end of its output.
type StartError struct {
	Program string   // postgres or initdb
	Err     error    // how it ended
	Output  []string // its last lines
}

// Error returns the program, how it ended and its last lines.
func (e *StartError) Error() string {
	return fmt.Sprintf("%s failed: %v\n%s", e.Program, e.Err, strings.Join(e.Output, "\n"))
}

// Unwrap returns how the program ended.
func (e *StartError) Unwrap() error { return e.Err }

// explain adds to an error of the file system or of a Postgres program the sentinel that says what to do.
func explain(dir string, err error) error {
	if err == nil || errors.Is(err, ErrDiskFull) || errors.Is(err, ErrPermission) {
		return err
	}
	output := ""
	if failed, ok := errors.AsType[*StartError](err); ok {
		output = strings.Join(failed.Output, "\n")
	}
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT),
		strings.Contains(output, "No space left on device"), strings.Contains(output, "Disk quota exceeded"),
		strings.Contains(output, "Check free disk space"):
		return fmt.Errorf("%s: %w (%w)", dir, ErrDiskFull, err)
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS),
		strings.Contains(output, "Permission denied"), strings.Contains(output, "Read-only file system"):
		return fmt.Errorf("%s: %w; make it readable and writable for the user who runs kalends, "+
			"or choose another directory (%w)", dir, ErrPermission, err)
	}
	return err
}
