package embedded_test

import (
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// asOrdinaryUser returns how to run the test program as a user other than root, who becomes the owner of dir.
func asOrdinaryUser(t *testing.T, dir string) (program string, attr *syscall.SysProcAttr) {
	t.Helper()
	self, err := os.Executable()
	must(t, err)
	if os.Geteuid() != 0 {
		return self, nil
	}
	nobody, err := user.Lookup("nobody")
	must(t, err)
	uid, err := strconv.Atoi(nobody.Uid)
	must(t, err)
	gid, err := strconv.Atoi(nobody.Gid)
	must(t, err)
	program = filepath.Join(dir, "program") // the place of the original may be closed to others
	must(t, exec.Command("cp", self, program).Run())
	must(t, os.Chmod(program, 0o755))
	must(t, os.Chown(dir, uid, gid))
	return program, &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
}

// namespaces reports whether a program can see itself as another user here; containers often forbid it.
func namespaces() bool { return exec.Command("unshare", "--user", "true").Run() == nil }

// postmasterOf returns the process that runs on a data directory.
func postmasterOf(t *testing.T, dir string) int {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "pgdata", "postmaster.pid"))
	must(t, err)
	pid, err := strconv.Atoi(strings.SplitN(string(text), "\n", 2)[0])
	must(t, err)
	return pid
}

// binOf returns the program a process runs.
func binOf(t *testing.T, pid int) string {
	t.Helper()
	out, err := exec.Command("ps", "-ww", "-o", "args=", "-p", strconv.Itoa(pid)).Output()
	must(t, err)
	return strings.Fields(string(out))[0]
}

// runs reports whether a process is there and has not just died.
func runs(t *testing.T, pid int) bool {
	t.Helper()
	state, err := exec.Command("ps", "-o", "stat=", "-p", strconv.Itoa(pid)).Output()
	return err == nil && !strings.HasPrefix(string(state), "Z")
}

func waitGone(t *testing.T, path string) { t.Helper(); waitFor(t, path, false) }

func waitThere(t *testing.T, path string) { t.Helper(); waitFor(t, path, true) }

// waitFor waits until a file exists or has gone; the time limit is that of the test run.
func waitFor(t *testing.T, path string, exists bool) {
	t.Helper()
	for t.Context().Err() == nil {
		if _, err := os.Lstat(path); (err == nil) == exists {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}
