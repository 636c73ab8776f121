//go:build !linux

package embedded

import (
	"os/exec"
	"strconv"
	"strings"
)

// running returns the postmaster of pgdata when it is still there.
func running(pgdata string, postmaster int) ([]int, error) {
	if postmaster != 0 && alive(postmaster) && strings.Contains(commandLine(postmaster), pgdata) {
		return []int{postmaster}, nil
	}
	return nil, nil
}

// startedByUs reports whether the command line of a postmaster is one that Kalends wrote.
func startedByUs(pid int) bool {
	line := commandLine(pid)
	return line == "" || strings.Contains(line, ours) // empty: it has just ended
}

func commandLine(pid int) string {
	// A process that has ended counts as one with empty output.
	out, _ := exec.Command("ps", "-ww", "-o", "command=", "-p", strconv.Itoa(pid)).Output()
	return string(out)
}
