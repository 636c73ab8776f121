package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/kalends/kalends/storage/storagetest"
)

// The program as people run it: built, started, killed, started again.

// service is one run of `kalends serve`.
type service struct {
	t    testing.TB
	cmd  *exec.Cmd
	out  *lines
	errs *lines
	addr string
	done chan struct{}
	end  error
}

// dataDir returns a folder with a short path: sockets have short names.
func dataDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "k")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o711); err != nil { // for whom Postgres runs as when root tests
		t.Fatal(err)
	}
	return filepath.Join(dir, "data")
}

// launch starts the program on a folder without waiting for it.
func launch(t testing.TB, dir string, arguments ...string) *service {
	t.Helper()
	return launchWith(t, dir, nil, arguments...)
}

// launchWith is launch with more in its environment.
func launchWith(t testing.TB, dir string, env []string, arguments ...string) *service {
	t.Helper()
	return launchProgram(t, storagetest.Program(t), dir, env, arguments...)
}

// launchProgram is launchWith of a program of its own.
func launchProgram(t testing.TB, program, dir string, env []string, arguments ...string) *service {
	t.Helper()
	s := &service{t: t, addr: storagetest.Address(t), done: make(chan struct{}), errs: &lines{},
		out: &lines{want: "Kalends answers at", found: make(chan struct{})}}
	s.cmd = exec.Command(program, append([]string{"serve"}, arguments...)...)
	s.cmd.Env = append(os.Environ(), "DATABASE_URL=", "KALENDS_DATA_DIR="+dir, "KALENDS_ADDR="+s.addr, "KALENDS_LOG_LEVEL=warn", "KALENDS_DRAIN=0s")
	s.cmd.Env = append(s.cmd.Env, env...)
	s.cmd.Stdout, s.cmd.Stderr = s.out, s.errs
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		s.end = s.cmd.Wait()
		close(s.done)
	}()
	t.Cleanup(func() {
		_ = s.cmd.Process.Signal(syscall.SIGTERM)
		select {
		case <-s.done:
		case <-time.After(2 * time.Minute):
			_ = s.cmd.Process.Kill()
		}
	})
	return s
}

// start starts the program and waits until it answers.
func start(t testing.TB, dir string, arguments ...string) *service {
	t.Helper()
	return launch(t, dir, arguments...).started()
}

// started waits until the program answers.
func (s *service) started() *service {
	t := s.t
	t.Helper()
	select {
	case <-s.out.found:
	case <-s.done:
		t.Fatalf("ended: %v\n%s\n%s", s.end, s.out, s.errs)
	case <-time.After(10 * time.Minute):
		t.Fatalf("doesn't answer\n%s\n%s", s.out, s.errs)
	}
	return s
}

// wait waits for the end of the process.
func (s *service) wait() error {
	s.t.Helper()
	select {
	case <-s.done:
		return s.end
	case <-time.After(5 * time.Minute):
		s.t.Fatalf("goes on and on\n%s\n%s", s.out, s.errs)
		return nil
	}
}

func (s *service) signal(signal os.Signal) {
	s.t.Helper()
	if err := s.cmd.Process.Signal(signal); err != nil {
		s.t.Fatal(err)
	}
}

// secret is the application password of a first run.
var secret = regexp.MustCompile(`application password +(.+)`)

func (s *service) password() string {
	s.t.Helper()
	found := secret.FindStringSubmatch(s.out.String())
	if found == nil {
		s.t.Fatalf("no application password in\n%s", s.out)
	}
	return found[1]
}

// call makes a request as the first run's admin, "" for the public.
func (s *service) call(ctx context.Context, method, path, password string, body any) (int, map[string]any, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return 0, nil, err
	}
	req, err := http.NewRequestWithContext(ctx, method, "http://"+s.addr+"/calendar/events/v1"+path, bytes.NewReader(text))
	if err != nil {
		return 0, nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	if password != "" {
		req.SetBasicAuth("admin", password)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer func() { _ = res.Body.Close() }()
	var answer map[string]any
	err = json.NewDecoder(res.Body).Decode(&answer)
	return res.StatusCode, answer, err
}

func (s *service) must(status int, method, path, password string, body any) map[string]any {
	s.t.Helper()
	got, answer, err := s.call(s.t.Context(), method, path, password, body)
	if err != nil || got != status {
		s.t.Fatalf("%s %s: %d %v, %v\n%s", method, path, got, answer, err, s.errs)
	}
	return answer
}

func event(title string) map[string]any {
	return map[string]any{"title": title, "start_date": "2030-05-01 10:00", "end_date": "2030-05-01 11:00"}
}

// TestRestart starts twice on one folder: the first run prints how to get in,
// the second prints no secret and finds everything as it was.
func TestRestart(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	first := start(t, dir)
	password := first.password()
	made := first.must(201, "POST", "/events", password, event("Kept"))
	before := first.must(200, "GET", "/events?per_page=50", "", nil)
	first.signal(syscall.SIGTERM)
	if err := first.wait(); err != nil {
		t.Errorf("ended with %v\n%s", err, first.errs)
	}
	second := start(t, dir)
	if out := second.out.String(); strings.Contains(out, "password") || strings.Contains(out, "First run") {
		t.Errorf("printed again:\n%s", out)
	}
	after := second.must(200, "GET", "/events?per_page=50", "", nil)
	if before["total"] != after["total"] {
		t.Errorf("%v events, before %v", after["total"], before["total"])
	}
	got := second.must(200, "GET", fmt.Sprintf("/events/%v", made["id"]), password, nil)
	if got["title"] != "Kept" || got["modified"] != made["modified"] {
		t.Errorf("the event is now %v", got)
	}
	third := launch(t, dir)
	if err := third.wait(); err == nil || !strings.Contains(third.errs.String(), "stop that one first") {
		t.Errorf("a second service on the folder: %v\n%s", err, third.errs)
	}
	second.must(200, "GET", "/events", "", nil)
}

// TestKillDuringWrites kills the program while it writes. What was acknowledged
// is there after the restart, once.
func TestKillDuringWrites(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s := start(t, dir)
	password := s.password()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var mu sync.Mutex
	acknowledged := map[string]string{} // path → title
	enough := make(chan struct{})
	var writers sync.WaitGroup
	for w := range 4 {
		writers.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				title := fmt.Sprintf("Event %d of writer %d", n, w)
				status, answer, err := s.call(ctx, "POST", "/events", password, event(title))
				if err != nil || status != http.StatusCreated {
					return // killed
				}
				mu.Lock()
				acknowledged[fmt.Sprintf("/events/%v", answer["id"])] = title
				if len(acknowledged) == 100 {
					close(enough)
				}
				mu.Unlock()
			}
		})
	}
	select {
	case <-enough:
	case <-time.After(5 * time.Minute):
		t.Fatal("too slow")
	}
	s.signal(syscall.SIGKILL)
	writers.Wait()
	_ = s.wait()
	again := start(t, dir)
	for path, title := range acknowledged {
		if got := again.must(200, "GET", path, "", nil); got["title"] != title {
			t.Errorf("%s is %v, want %s", path, got["title"], title)
		}
	}
	t.Logf("%d acknowledged events were there", len(acknowledged))
	again.must(201, "POST", "/events", password, event("After"))
}

// TestDrainsUnasked stops a node that nobody set a time for: who asks whether it is ready
// can find out that it isn't.
func TestDrainsUnasked(t *testing.T) {
	t.Parallel()
	s := launchWith(t, dataDir(t), []string{"KALENDS_DRAIN="}).started()
	s.signal(syscall.SIGTERM)
	for status := 0; status != http.StatusServiceUnavailable; {
		r, err := http.Get("http://" + s.addr + "/readyz")
		if err != nil {
			t.Fatalf("it takes no connections and never said that it stops: %v", err)
		}
		status = r.StatusCode
		_ = r.Body.Close()
	}
}

// TestDrain stops the program while a request is on its way: it is answered.
func TestDrain(t *testing.T) {
	t.Parallel()
	s := start(t, dataDir(t))
	password := s.password()
	body, err := json.Marshal(event("On its way"))
	if err != nil {
		t.Fatal(err)
	}
	conn, err := net.Dial("tcp", s.addr)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	req, err := http.NewRequest(http.MethodPost, "http://localhost/calendar/events/v1/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.SetBasicAuth("admin", password)
	fmt.Fprintf(conn, "POST /calendar/events/v1/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: %s\r\n"+
		"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", req.Header.Get("Authorization"), len(body), body[:10])
	s.must(200, "GET", "/events", "", nil) // the server has had its turn
	s.signal(syscall.SIGTERM)
	for deadline := time.Now().Add(5 * time.Minute); ; { // until it takes no new connections
		probe, err := net.Dial("tcp", s.addr)
		if err != nil {
			break
		}
		_ = probe.Close()
		if time.Now().After(deadline) {
			t.Fatal("still takes connections")
		}
	}
	if _, err := conn.Write(body[10:]); err != nil {
		t.Fatal(err)
	}
	_ = conn.SetReadDeadline(time.Now().Add(5 * time.Minute))
	answer, _ := io.ReadAll(conn)
	if !bytes.HasPrefix(answer, []byte("HTTP/1.1 201")) {
		t.Errorf("answered %.300q", answer)
	}
	if err := s.wait(); err != nil {
		t.Errorf("ended with %v\n%s", err, s.errs)
	}
}

// TestDatabaseEnds kills the embedded Postgres: the program says so and ends, and
// starts again on the same folder.
func TestDatabaseEnds(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s := start(t, dir)
	password := s.password()
	made := s.must(201, "POST", "/events", password, event("Kept"))
	pids, err := filepath.Glob(filepath.Join(dir, "*", "postmaster.pid"))
	if err != nil || len(pids) != 1 {
		t.Fatalf("postmaster.pid: %v, %v", pids, err)
	}
	text, err := os.ReadFile(pids[0])
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.Fields(string(text))[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if err := s.wait(); err == nil || !strings.Contains(s.errs.String(), "the embedded database stopped") {
		t.Errorf("ended with %v\n%s", err, s.errs)
	}
	again := start(t, dir)
	again.must(200, "GET", fmt.Sprintf("/events/%v", made["id"]), "", nil)
}

// TestFirstRunKeepsThePassword: whoever chose the password of the first run isn't
// shown one, for what a container prints is kept.
func TestFirstRunKeepsThePassword(t *testing.T) {
	t.Parallel()
	const chosen = "a-password-of-the-test"
	s := launchWith(t, dataDir(t), []string{"DATABASE_URL=" + storagetest.Database(t), "KALENDS_ADMIN_PASSWORD=" + chosen}).started()
	s.signal(syscall.SIGTERM)
	if err := s.wait(); err != nil {
		t.Error(err)
	}
	out := s.out.String()
	if !strings.Contains(out, "First run") || !strings.Contains(out, "KALENDS_ADMIN_PASSWORD") {
		t.Errorf("it says\n%s", out)
	}
	if strings.Contains(out, chosen) || secret.MatchString(out) || strings.Contains(out, "curl -u") {
		t.Errorf("a secret is in\n%s", out)
	}
}
