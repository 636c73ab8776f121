package embedded

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// How long the processes of an earlier kalends may take to stop before the next, harsher signal.
const (
	staleQuit = 10 * time.Second
	staleKill = 15 * time.Second
	staleGone = 20 * time.Second
)

// ours marks the command line of a Postgres that Kalends started.
const ours = "cluster_name=kalends"

// clearStale removes what an earlier kalends left behind when it was killed: a postmaster that is still shutting
// down, its workers if it was killed as well, a postmaster.pid or a socket lock file whose number belongs to
// another program by now, and a temporary socket directory. The caller holds the lock, so no other kalends is
// starting a Postgres.
//
// It does not touch a Postgres that someone has started by hand on the directory, and returns ErrInUse.
func clearStale(ctx context.Context, c Config) error {
	pgdata := c.pgdata()
	pid, socket, err := readPidFile(pgdata)
	if err != nil {
		return err
	}
	if err := stopStale(ctx, c.Logger, pgdata, pid); err != nil {
		return err
	}
	removeSocket(c.path("run"))
	removeSocketDir(socket)
	if pid != 0 && alive(pid) {
		err := os.Remove(filepath.Join(pgdata, "postmaster.pid"))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// stopStale stops the processes of an earlier kalends and waits until they have ended.
func stopStale(ctx context.Context, log *slog.Logger, pgdata string, pid int) error {
	started := time.Now()
	var sent syscall.Signal
	for {
		found, err := running(pgdata, pid)
		if err != nil || len(found) == 0 {
			return err
		}
		leader := slices.Contains(found, pid)
		if leader && !startedByUs(pid) {
			return fmt.Errorf("%w by a Postgres that was started by hand (process %d); stop it with pg_ctl stop -D %s",
				ErrInUse, pid, pgdata)
		}
		next := syscall.SIGINT
		switch waited := time.Since(started); {
		case waited > staleGone:
			return fmt.Errorf("%w by processes of an earlier kalends that do not end: %v", ErrInUse, found)
		case waited > staleKill:
			next = syscall.SIGKILL
		case waited > staleQuit || !leader:
			next = syscall.SIGQUIT
		}
		if next != sent {
			log.Warn("stopping a Postgres left behind by an earlier kalends", "processes", found, "signal", next)
			sent = next
			for _, p := range found {
				if next != syscall.SIGINT || p == pid {
					_ = kill(p, next) // it may have ended by now; the next round looks again
				}
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// readPidFile returns the process and the socket directory an earlier postmaster noted, 0 and "" without a note.
func readPidFile(pgdata string) (pid int, socket string, err error) {
	text, err := os.ReadFile(filepath.Join(pgdata, "postmaster.pid"))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, "", nil
	}
	if err != nil {
		return 0, "", err
	}
	lines := strings.Split(string(text), "\n")
	pid, _ = strconv.Atoi(strings.TrimSpace(lines[0])) // an unfinished note is as good as none
	if len(lines) > 4 {
		socket = lines[4]
	}
	return max(pid, 0), socket, nil
}
