package embedded

import (
	"os"
	"path/filepath"
	"strings"
)

const (
	// port names the socket file; nothing listens on a port of the network.
	port       = "5432"
	socketFile = ".s.PGSQL." + port

	// longestSocket is what every system allows for the path of a socket (Linux 107 bytes, others 103).
	longestSocket = 103

	socketPrefix = "kalends-socket-"
)

// socketDir creates the directory of the Unix socket, which only the user of Postgres may enter: run in the data
// directory. If that path is too long or contains a comma, which separates hosts in a connection URL, it creates a
// temporary directory instead. It also returns whether the directory must be removed at the end.
func socketDir(c Config, id identity) (dir string, temporary bool, err error) {
	dir = c.path("run")
	if usableSocket(dir) {
		if err := os.Mkdir(dir, 0o700); err != nil && !os.IsExist(err) {
			return "", false, err
		}
		return dir, false, id.give(dir)
	}
	parent := os.TempDir()
	if !usableSocket(filepath.Join(parent, socketPrefix+"0123456789")) {
		parent = "/tmp"
	}
	dir, err = os.MkdirTemp(parent, socketPrefix) // created with mode 0700
	if err != nil {
		return "", false, err
	}
	return dir, true, id.give(dir)
}

func usableSocket(dir string) bool {
	return len(filepath.Join(dir, socketFile)) <= longestSocket && !strings.Contains(dir, ",")
}

// removeSocketDir removes a temporary socket directory, and nothing else.
func removeSocketDir(dir string) {
	if !strings.HasPrefix(filepath.Base(dir), socketPrefix) {
		return
	}
	removeSocket(dir)
	_ = os.Remove(dir) // fails if it contains anything else, as it should
}

// removeSocket removes the socket and its lock file from a directory. It ignores which process the lock names,
// because the number may belong to another program by now. Usually Postgres has already removed them.
func removeSocket(dir string) {
	for _, name := range []string{socketFile, socketFile + ".lock"} {
		_ = os.Remove(filepath.Join(dir, name))
	}
}
