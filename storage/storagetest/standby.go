package storagetest

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/storage/embedded/child"
)

// StandbyProcess is a Postgres that follows that of a test, for tests that hold it up, kill and promote it. Its methods
// fail the test when they cannot do their work and are for the goroutine of the test.
type StandbyProcess struct {
	t       testing.TB
	primary *ClusterProcess
	dir     string
	secret  string // of the superuser
	user    *syscall.Credential
	process *child.Process
}

// Standby starts a streaming standby of the cluster and removes it at the end of the test. Where pg_basebackup isn't
// installed, or its files would have an owner of another kind, the test is skipped.
func (c *ClusterProcess) Standby() *StandbyProcess {
	c.t.Helper()
	if !c.CanStandby() {
		c.t.Skipf("storagetest: this test needs pg_basebackup beside postgres in %s", c.server.Binary())
	}
	s := &StandbyProcess{t: c.t, primary: c, dir: filepath.Join(c.dir, "standby-"+strconv.Itoa(c.standbys))}
	c.standbys++
	var passwords struct {
		Superuser string `json:"superuser"`
	}
	text, err := os.ReadFile(filepath.Join(c.dir, "data", "passwords.json"))
	if err == nil {
		err = json.Unmarshal(text, &passwords)
	}
	s.check(err)
	s.secret = passwords.Superuser
	s.become(filepath.Join(c.dir, "data", "pgdata"))
	s.copy()
	c.t.Cleanup(s.Kill) // before the cluster, which removes the folder of both
	s.start()
	return s
}

// CanStandby reports whether what makes a standby is installed.
func (c *ClusterProcess) CanStandby() bool {
	_, err := os.Stat(filepath.Join(c.server.Binary(), "pg_basebackup"))
	return err == nil
}

// become makes the owner of the primary's data that of the standby's.
func (s *StandbyProcess) become(data string) {
	s.t.Helper()
	info, err := os.Stat(data)
	s.check(err)
	owner, ok := info.Sys().(*syscall.Stat_t)
	if !ok || owner.Uid == 0 {
		s.t.Skip("storagetest: no standby where Postgres runs under an assumed name")
	}
	for _, dir := range []string{s.dir, filepath.Join(s.dir, "run")} {
		s.check(os.Mkdir(dir, 0o700))
		s.check(os.Chown(dir, int(owner.Uid), int(owner.Gid)))
	}
	if int(owner.Uid) != os.Geteuid() {
		s.user = &syscall.Credential{Uid: owner.Uid, Gid: owner.Gid}
	}
}

// copy copies the running primary, which keeps what it writes until the standby has it.
func (s *StandbyProcess) copy() {
	s.t.Helper()
	cmd := s.command("pg_basebackup", "--pgdata="+filepath.Join(s.dir, "pgdata"), "--host="+hostOf(s.t, s.primary.URL()), "--port=5432",
		"--username=postgres", "--wal-method=stream", "--checkpoint=fast", "--write-recovery-conf", "--no-password",
		"--create-slot", "--slot="+strings.ReplaceAll(filepath.Base(s.dir), "-", "_"))
	if out, err := cmd.CombinedOutput(); err != nil {
		s.t.Fatalf("storagetest: pg_basebackup: %v: %s", err, out)
	}
}

func (s *StandbyProcess) command(program string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(s.primary.server.Binary(), program), args...)
	cmd.Dir = "/"
	cmd.Env = []string{"LC_ALL=C.UTF-8", "TZ=UTC", "PGPASSWORD=" + s.secret}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: s.user}
	return cmd
}

func (s *StandbyProcess) start() {
	s.t.Helper()
	cmd := s.command("postgres", "-D", filepath.Join(s.dir, "pgdata"), "-c", "listen_addresses=", "-c", "port=5432",
		"-c", "unix_socket_directories="+filepath.Join(s.dir, "run"), "-c", "logging_collector=off", "-c", "hot_standby=on",
		"-c", "wal_receiver_status_interval=1", "-c", "wal_retrieve_retry_interval=100ms")
	out := &lines{log: slog.New(slog.NewTextHandler(s.t.Output(), nil))}
	cmd.Stdout, cmd.Stderr = out, out
	var err error
	s.process, err = child.Start(cmd, syscall.SIGINT)
	s.check(err)
	ctx, cancel := cleanup(s.t)
	defer cancel()
	for {
		conn, err := pgx.Connect(ctx, s.superURL())
		if err == nil {
			_ = conn.Close(ctx)
			return
		}
		select {
		case <-s.process.Done():
			s.t.Fatalf("storagetest: the standby ended: %v", s.process.Err())
		case <-ctx.Done():
			s.t.Fatalf("storagetest: the standby doesn't start: %v", err)
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// lines logs what a program prints.
type lines struct{ log *slog.Logger }

// Write implements io.Writer.
func (l *lines) Write(b []byte) (int, error) {
	l.log.Info("standby", "line", string(bytes.TrimSpace(b)))
	return len(b), nil
}

// URL returns the connection URL of the same database as that of the primary, for the same role.
func (s *StandbyProcess) URL() string {
	return strings.Replace(s.primary.URL(), url.QueryEscape(hostOf(s.t, s.primary.URL())), url.QueryEscape(filepath.Join(s.dir, "run")), 1)
}

func (s *StandbyProcess) superURL() string {
	u := url.URL{Scheme: "postgres", User: url.UserPassword("postgres", s.secret), Path: "/kalends",
		RawQuery: url.Values{"host": {filepath.Join(s.dir, "run")}, "port": {"5432"}}.Encode()}
	return u.String()
}

// Exec runs a statement in the standby as the superuser.
func (s *StandbyProcess) Exec(statement string) {
	s.t.Helper()
	ctx, cancel := cleanup(s.t)
	defer cancel()
	conn, err := pgx.Connect(ctx, s.superURL())
	s.check(err)
	defer func() { _ = conn.Close(ctx) }()
	_, err = conn.Exec(ctx, statement)
	s.check(err)
}

// Follow returns when the standby shows everything the primary has written.
func (s *StandbyProcess) Follow() {
	s.t.Helper()
	ctx, cancel := cleanup(s.t)
	defer cancel()
	position := func(address, function string) string {
		conn, err := pgx.Connect(ctx, address)
		s.check(err)
		defer func() { _ = conn.Close(ctx) }()
		var at string
		s.check(conn.QueryRow(ctx, "SELECT ("+function+" - '0/0')::bigint::text").Scan(&at))
		return at
	}
	number := func(text string) int64 {
		n, err := strconv.ParseInt(text, 10, 64)
		s.check(err)
		return n
	}
	written := number(position(s.primary.URL(), "pg_current_wal_lsn()"))
	for number(position(s.superURL(), "pg_last_wal_replay_lsn()")) < written {
		s.check(ctx.Err())
		time.Sleep(5 * time.Millisecond)
	}
}

func (s *StandbyProcess) check(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatalf("storagetest: standby: %v", err)
	}
}

// hostOf returns the folder of the socket in a URL.
func hostOf(t testing.TB, address string) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u.Query().Get("host")
}
