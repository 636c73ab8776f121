package embedded

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// running returns the Postgres processes that work in pgdata: those that have it as their working directory, and
// the postmaster, recognized by its command line if the working directory cannot be read.
func running(pgdata string, postmaster int) ([]int, error) {
	folder, err := filepath.EvalSymlinks(pgdata)
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil, err
	}
	var found []int
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || procFile(pid, "comm") != "postgres\n" {
			continue
		}
		cwd, err := os.Readlink(filepath.Join("/proc", e.Name(), "cwd"))
		if cwd == folder || err != nil && pid == postmaster && strings.Contains(commandLine(pid), pgdata) {
			found = append(found, pid)
		}
	}
	return found, nil
}

// startedByUs reports whether the command line of a postmaster is one that Kalends wrote.
func startedByUs(pid int) bool {
	line := commandLine(pid)
	return line == "" || strings.Contains(line, ours) // empty: it has just ended
}

func commandLine(pid int) string { return procFile(pid, "cmdline") }

func procFile(pid int, name string) string {
	// A process that has ended counts as one with an empty command line.
	text, _ := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), name))
	return string(text)
}
