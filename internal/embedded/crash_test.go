package embedded_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/kalends/kalends/internal/embedded"
)

// kill -9 of kalends: Postgres goes with it, the next start waits for that, and nothing committed is lost.
func TestKilledParent(t *testing.T) {
	t.Parallel()
	dir := shortDir(t)
	program, err := os.Executable()
	must(t, err)
	cmd, url := startHelper(t, dir, program, nil)
	run(t, url, `create table kept as select 7 as n`)
	postmaster := postmasterOf(t, dir)

	must(t, cmd.Process.Kill())
	_ = cmd.Wait() // says that it was killed
	server := start(t, embedded.Config{Dir: dir})

	if n := ask[int](t, server.URL(), `select n from kept`); n != 7 {
		t.Errorf("found %d, want 7", n)
	}
	if postmaster != server.Pid() && runs(t, postmaster) {
		t.Errorf("the postmaster %d is still there", postmaster)
	}
}

// kill -9 of the postmaster alone: its workers are still there at the next start.
func TestKilledPostmaster(t *testing.T) {
	t.Parallel()
	c := embedded.Config{Dir: shortDir(t)}
	first := start(t, c)
	run(t, first.URL(), `create table kept as select 8 as n`)

	must(t, syscall.Kill(first.Pid(), syscall.SIGKILL))
	if err := first.Err(); err == nil || !strings.Contains(err.Error(), "killed") {
		t.Errorf("Err returns %v", err)
	}
	if err := first.Stop(t.Context()); err == nil {
		t.Error("Stop hides that Postgres had ended by itself")
	}
	if n := ask[int](t, start(t, c).URL(), `select n from kept`); n != 8 {
		t.Errorf("found %d, want 8", n)
	}
}

// Lock files, of the data and of the socket, that name a living process of the same user which is no Postgres.
func TestRecycledProcessID(t *testing.T) {
	t.Parallel()
	c := embedded.Config{Dir: shortDir(t)}
	stop(t, start(t, c))
	info, err := os.Stat(filepath.Join(c.Dir, "pgdata"))
	must(t, err)
	stat := info.Sys().(*syscall.Stat_t)
	sleeper := exec.Command("sleep", "600")
	if os.Geteuid() == 0 {
		sleeper.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: stat.Uid, Gid: stat.Gid}}
	}
	must(t, sleeper.Start())
	t.Cleanup(func() {
		_ = sleeper.Process.Kill()
		_ = sleeper.Wait()
	})
	for _, note := range []string{"pgdata/postmaster.pid", "run/.s.PGSQL.5432.lock"} {
		note = filepath.Join(c.Dir, note)
		must(t, os.WriteFile(note, []byte(strconv.Itoa(sleeper.Process.Pid)+"\n"), 0o600))
		must(t, os.Chown(note, int(stat.Uid), int(stat.Gid)))
	}

	start(t, c)

	must(t, sleeper.Process.Signal(syscall.Signal(0)))
}

// A Postgres that an administrator started by hand is not ours to stop.
func TestPostgresStartedByHand(t *testing.T) {
	t.Parallel()
	dir := shortDir(t)
	program, attr := asOrdinaryUser(t, dir)
	c := filepath.Join(dir, "data")
	helper, _ := startHelper(t, c, program, attr)
	bin := binOf(t, postmasterOf(t, c))
	must(t, helper.Process.Kill())
	_ = helper.Wait()

	byHand := exec.Command(bin, "-D", filepath.Join(c, "pgdata"), "-c", "listen_addresses=", "-k", filepath.Join(c, "run"))
	byHand.SysProcAttr = attr
	byHand.Dir = "/"
	waitGone(t, filepath.Join(c, "pgdata", "postmaster.pid"))
	must(t, byHand.Start())
	t.Cleanup(func() {
		_ = byHand.Process.Signal(syscall.SIGQUIT)
		_ = byHand.Wait()
	})
	waitThere(t, filepath.Join(c, "run", ".s.PGSQL.5432"))

	_, line := startHelper(t, c, program, attr)
	if !strings.Contains(line, "started by hand") || !strings.Contains(line, embedded.ErrInUse.Error()) {
		t.Errorf("the message is %q", line)
	}
	must(t, byHand.Process.Signal(syscall.Signal(0)))
}

// An ordinary user needs nothing but a directory.
func TestOrdinaryUser(t *testing.T) {
	t.Parallel()
	dir := shortDir(t)
	program, attr := asOrdinaryUser(t, dir)
	_, line := startHelper(t, filepath.Join(dir, "data"), program, attr)
	if !strings.HasPrefix(line, "postgres://") {
		t.Error(line)
	}
}
