package storagetest

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// Hold has the standby receive what the primary writes and show none of it.
func (s *StandbyProcess) Hold() {
	s.t.Helper()
	s.Exec("SELECT pg_wal_replay_pause()")
}

// Release lets a held standby go on.
func (s *StandbyProcess) Release() {
	s.t.Helper()
	s.Exec("SELECT pg_wal_replay_resume()")
}

// Promote makes the standby a primary of its own.
func (s *StandbyProcess) Promote() {
	s.t.Helper()
	s.Exec("SELECT pg_promote()")
}

// Freeze stops all processes of the standby in the middle of what they do: connections are accepted, nothing is answered.
func (s *StandbyProcess) Freeze() {
	s.t.Helper()
	s.check(s.process.Signal(syscall.SIGSTOP)) // first, so that it starts no more
	s.each(syscall.SIGSTOP)
}

// Thaw lets a frozen standby go on.
func (s *StandbyProcess) Thaw() {
	s.t.Helper()
	s.each(syscall.SIGCONT)
	s.check(s.process.Signal(syscall.SIGCONT))
}

// each sends a signal to the children of the standby.
func (s *StandbyProcess) each(signal syscall.Signal) {
	s.t.Helper()
	for _, pid := range ChildrenOf(s.t, s.process.Pid()) {
		_ = syscall.Kill(pid, signal) // it may have ended meanwhile
	}
}

// Pid returns the process id of the standby's postmaster.
func (s *StandbyProcess) Pid() int { return s.process.Pid() }

// Kill kills the standby, frozen or not, and returns when it has gone.
func (s *StandbyProcess) Kill() {
	if s.process == nil {
		return
	}
	children := ChildrenOf(s.t, s.process.Pid())
	_ = s.process.Signal(syscall.SIGKILL)
	for _, pid := range children { // frozen ones wouldn't notice
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
	<-s.process.Done()
	s.process = nil
}

// Restart starts a killed standby on the data it had.
func (s *StandbyProcess) Restart() {
	s.t.Helper()
	s.Kill()
	_ = os.Remove(filepath.Join(s.dir, "pgdata", "postmaster.pid"))
	s.start()
}

// ChildrenOf returns the process ids of a process' children, as Linux tells them; elsewhere the test is skipped.
func ChildrenOf(t testing.TB, pid int) (list []int) {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%[1]d/children", pid))
	if os.IsNotExist(err) {
		if _, there := os.Stat("/proc/self/task"); there != nil {
			t.Skip("storagetest: processes can't be told apart without /proc")
		}
		return nil // it has ended
	}
	for field := range strings.FieldsSeq(string(text)) {
		if n, err := strconv.Atoi(field); err == nil {
			list = append(list, n)
		}
	}
	return list
}
