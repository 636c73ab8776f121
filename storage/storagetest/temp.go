package storagetest

import (
	"os"
	"syscall"
)

const (
	memory   = "/dev/shm"
	room     = 2 << 30 // for the databases of several packages; two packages use a quarter of it
	writable = 3       // of access(2)
	noExec   = 8       // of statfs(2)
	tempName = "TMPDIR"
)

// inMemory keeps temporary files in memory if there is room, unless TMPDIR names a directory. A database consists
// of 500 files. On some file systems, creating and deleting them takes longer than the rest of a test.
func inMemory() error {
	if os.Getenv(tempName) != "" || !hasRoom(memory) {
		return nil
	}
	return os.Setenv(tempName, memory)
}

// hasRoom reports whether a directory has room for databases and allows programs to run, because tests build some.
func hasRoom(path string) bool {
	var fs syscall.Statfs_t
	return syscall.Access(path, writable) == nil && syscall.Statfs(path, &fs) == nil && fs.Flags&noExec == 0 &&
		uint64(fs.Bavail)*uint64(fs.Bsize) >= room //nolint:unconvert // its type is another on other systems
}
