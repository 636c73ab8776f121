package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kalends/kalends/storage/storagetest"
)

func TestMain(m *testing.M) { os.Exit(storagetest.Main(m)) }

// terminal runs commands in one environment.
type terminal struct {
	t   testing.TB
	env map[string]string
}

// newTerminal returns a terminal over a database, "" for the embedded one.
func newTerminal(t testing.TB, database string) *terminal {
	t.Helper()
	return &terminal{t, map[string]string{"DATABASE_URL": database, "KALENDS_DATA_DIR": dataDir(t), "KALENDS_LOG_LEVEL": "error"}}
}

func (s *terminal) getenv(name string) string { return s.env[name] }

// run runs a command to its end.
func (s *terminal) run(arguments ...string) (string, error) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), 5*time.Minute)
	defer cancel()
	var out, errs bytes.Buffer
	err := runIn(ctx, arguments, variables{s.getenv, func() []string { return slices.Collect(maps.Keys(s.env)) }}, &out, &errs)
	return out.String(), err
}

// must runs a command that works, and reads what it prints.
func (s *terminal) must(into any, arguments ...string) {
	s.t.Helper()
	out, err := s.run(arguments...)
	if err != nil {
		s.t.Fatalf("%v: %s", arguments, readable(err, nil))
	}
	if err := json.Unmarshal([]byte(out), into); err != nil {
		s.t.Fatalf("%v: %v in %s", arguments, err, out)
	}
}

// fails runs a command that doesn't, and wants these words in its message.
func (s *terminal) fails(words string, arguments ...string) {
	s.t.Helper()
	out, err := s.run(arguments...)
	if err == nil || !strings.Contains(readable(err, nil), words) {
		s.t.Errorf("%v: %v, want %q", arguments, err, words)
	}
	if out != "" {
		s.t.Errorf("%v printed %s", arguments, out)
	}
}

// TestExitCodes: 0 when it is done, 2 when the command line or a setting makes no sense, 1 for
// everything else that goes wrong, such as what depends on the contents of the database, and nothing
// on standard output then. TestMisuse has what makes no sense.
func TestExitCodes(t *testing.T) {
	t.Parallel()
	dir, database := dataDir(t), storagetest.Database(t)
	for _, c := range []struct {
		line string
		want int
	}{
		{"--help", 0},
		{"site create club --name=Club", 0},
		{"site list", 0},
		{"site show nobody", 1},
		{"site create club --name=Again", 1},
		{"site show No_Slug", 1},
		{"site update nobody --name=Nobody", 1},
		{"site update club --plan=none", 1},
		{"site domain check club nonsense", 1},
		{"site import /dev/null", 1},
		{"site export nobody", 1},
		{"plan show none", 1},
		{"plan delete unlimited", 1},
		{"user create anna --site=nobody --email=a@example.org --role=editor", 1},
		{"user create anna --site=club --email=a@example.org --role=editor", 0},
		{"user create anna --site=club --email=b@example.org --role=editor", 1},
		{"key revoke 99 --site=club", 1},
		{"token revoke 99", 1},
		{"import file --site=club /dev/null", 1},
		{"version", 0},
		{"dance", 2},
		{"site", 2},
		{"site create", 2},
		{"site list --colour=red", 2},
		{"site update club", 2},
		{"site delete club", 2},
		{"restore folder --slug=x", 2},
		{"KALENDS_LOG_LEVEL=loud site list", 2},
		{"KALENDS_DRAIN=soon serve", 2},
		{"KALENDS_ADDR=8080 serve", 2},
		{"KALENDS_SMTP_URL=nonsense serve", 2},
		{"ZONEINFO=/none site list", 2},
		{"DATABASE_URL=nonsense site list", 2},
		{"DATABASE_URL=nonsense migrate", 2},
		{"KALENDS_MEDIA_URL=nonsense site list", 2},
		{"KALENDS_DATABASE_CONNECTIONS=0 site list", 2},
		{"KALENDS_PLATFORM_DOMAIN=https://example.org site list", 2},
		{"KALENDS_ADDR=8080 ready", 2},
		{"KALENDS_ADDR=127.0.0.1:1 ready", 1},
		{"DATABASE_URL=postgres://nobody@127.0.0.1:1/none site list", 1},
	} {
		words, set := strings.Fields(c.line), []string(nil)
		if strings.Contains(words[0], "=") {
			set, words = words[:1], words[1:]
		}
		cmd := exec.Command(storagetest.Program(t), words...)
		cmd.Env = append(os.Environ(), "DATABASE_URL="+database, "KALENDS_DATA_DIR="+dir, "KALENDS_LOG_LEVEL=error")
		cmd.Env = append(cmd.Env, set...)
		var out, errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errs
		_ = cmd.Run()
		if got := cmd.ProcessState.ExitCode(); got != c.want || (out.Len() > 0) != (got == 0) || (errs.Len() > 0) == (got == 0) {
			t.Errorf("kalends %s: %d, want %d\n%s\n%s", c.line, got, c.want, out.String(), errs.String())
		}
	}
}

func TestUserAndTokenCommands(t *testing.T) {
	t.Parallel()
	s := newTerminal(t, storagetest.Database(t))
	var site, user, token map[string]any
	s.must(&site, "site", "create", "club", "--name=The Club")
	s.must(&user, "user", "create", "anna", "--site=club", "--email=anna@example.org", "--role=editor")
	secret, _ := user["application_password"].(string)
	if user["role"] != "editor" || len(secret) < 20 {
		t.Errorf("user %v", user)
	}
	s.fails("<login>: ", "user", "create", "anna", "--site=club", "--email=other@example.org", "--role=editor")
	s.fails("--email: ", "user", "create", "bert", "--site=club", "--email=anna@example.org", "--role=editor")
	s.fails("--email: ", "user", "create", "bert", "--site=club", "--email=nobody", "--role=editor")
	s.fails("role", "user", "create", "bert", "--site=club", "--email=b@example.org", "--role=king")
	s.fails("--password: ", "user", "create", "bert", "--site=club", "--email=b@example.org", "--role=editor", "--password=short")
	s.fails("nobody", "user", "create", "bert", "--site=nobody", "--email=b@example.org", "--role=editor")
	s.must(&token, "token", "create", "billing")
	if text, _ := token["token"].(string); token["name"] != "billing" || len(text) < 20 {
		t.Errorf("token %v", token)
	}
	s.fails("<name>: ", "token", "create", "")

	var list []map[string]any
	s.must(&list, "token", "list")
	if len(list) != 1 || list[0]["name"] != "billing" || list[0]["id"] != token["id"] || list[0]["token"] != nil || list[0]["last_used"] != nil {
		t.Errorf("tokens %v", list)
	}
	id := fmt.Sprint(token["id"])
	s.must(&token, "token", "revoke", id)
	s.fails("no such key", "token", "revoke", id)
	s.fails("id", "token", "revoke", "billing")
	s.must(&list, "token", "list")
	if len(list) != 0 {
		t.Errorf("tokens after the last was revoked: %v", list)
	}
}

// TestKeyCommands: the provider finds and revokes any key of a site, and no key of
// another; the secret is never shown.
func TestKeyCommands(t *testing.T) {
	t.Parallel()
	s := newTerminal(t, storagetest.Database(t))
	var user map[string]any
	for _, slug := range []string{"club", "other"} {
		s.must(&user, "site", "create", slug, "--name="+slug)
		for _, login := range []string{"anna", "bert"} {
			s.must(&user, "user", "create", login, "--site="+slug, "--email="+login+"@example.org", "--role=editor")
		}
	}
	var list []map[string]any
	s.must(&list, "key", "list", "--site=club")
	if len(list) != 2 || list[0]["user"] != "bert" || list[1]["user"] != "anna" || list[0]["kind"] != "application_password" ||
		list[0]["last_used"] != nil || list[0]["created"] == nil || list[0]["hash"] != nil {
		t.Errorf("keys %v", list)
	}
	s.must(&list, "key", "list", "--site=club", "--search=ANNA")
	if len(list) != 1 || list[0]["user"] != "anna" {
		t.Errorf("anna's keys %v", list)
	}
	id := fmt.Sprint(list[0]["id"])
	s.fails("no such site", "key", "list", "--site=nobody")
	s.fails("no such key", "key", "revoke", "99999", "--site=club")
	s.fails("site", "key", "revoke", id)
	s.fails("id", "key", "revoke", "anna", "--site=club")
	var gone map[string]any
	s.must(&gone, "key", "revoke", id, "--site=club")
	if gone["user"] != "anna" || fmt.Sprint(gone["id"]) != id {
		t.Errorf("revoked %v", gone)
	}
	s.fails("no such key", "key", "revoke", id, "--site=club")
	s.must(&list, "key", "list", "--site=club")
	if len(list) != 1 || list[0]["user"] != "bert" {
		t.Errorf("left %v", list)
	}
	s.must(&list, "key", "list", "--site=other")
	if len(list) != 2 {
		t.Errorf("on the other site %v", list)
	}
}

func TestCommandLine(t *testing.T) {
	t.Parallel()
	s := newTerminal(t, "postgres://nobody@127.0.0.1:1/none")
	if out, err := s.run("--help"); err != nil || !strings.Contains(out, "serve") {
		t.Errorf("help: %v\n%s", err, out)
	}
	s.fails("unexpected argument", "dance")
	s.fails("expected", "site")
	s.fails("--log-level", "serve", "--log-level=loud")
	if _, err := s.run("site", "list"); err == nil {
		t.Error("a database that isn't there was no error")
	}
	s.env["DATABASE_URL"] = "postgres://%zz"
	if _, err := s.run("serve"); err == nil || strings.Contains(err.Error(), "panic") {
		t.Errorf("broken DATABASE_URL: %v", err)
	}
}

func TestMigrate(t *testing.T) {
	t.Parallel()
	s := newTerminal(t, storagetest.EmptyDatabase(t))
	s.env["KALENDS_ADDR"] = "127.0.0.1:0"
	s.fails("kalends migrate", "serve", "--no-migrate")
	for range 2 {
		if out, err := s.run("migrate"); err != nil || !strings.HasPrefix(out, "schema version ") {
			t.Fatalf("%s, %v", out, err)
		}
	}
	s.fails("CREATE EXTENSION citus", "migrate", "--citus")
	s.env["KALENDS_ADMIN_PASSWORD"] = "too-short"
	s.fails("KALENDS_ADMIN_PASSWORD: ", "serve", "--no-migrate")
	s.env["KALENDS_ADMIN_PASSWORD"] = "better-and-longer"
	out := s.serve("--no-migrate") // a refused password leaves nothing half-made
	if !strings.Contains(out, "First run") {
		t.Errorf("printed %s", out)
	}
	if out := s.serve("--no-migrate"); strings.Contains(out, "First run") {
		t.Errorf("printed again %s", out)
	}
}

// serve runs the service until it answers, and returns what it printed.
func (s *terminal) serve(arguments ...string) string {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), 5*time.Minute)
	defer cancel()
	out := &lines{found: make(chan struct{}), want: "Kalends answers at "}
	go func() {
		select {
		case <-out.found:
			cancel()
		case <-ctx.Done():
		}
	}()
	if err := run(ctx, append([]string{"serve", "--drain=0s"}, arguments...), s.getenv, out, out); err != nil {
		s.t.Fatalf("serve: %v", err)
	}
	if !errors.Is(ctx.Err(), context.Canceled) {
		s.t.Fatalf("serve ended by itself: %s", out)
	}
	return out.String()
}

func TestPortInUse(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	s := newTerminal(t, storagetest.Database(t))
	s.env["KALENDS_ADDR"] = listener.Addr().String()
	s.fails("KALENDS_ADDR", "serve")
	s.env["KALENDS_ADDR"] = "nowhere.invalid:80"
	s.fails("KALENDS_ADDR", "serve")
}

// lines collects what is printed and tells when a text was.
type lines struct {
	mu    sync.Mutex
	text  strings.Builder
	want  string
	found chan struct{}
	told  bool
}

// Write implements io.Writer.
func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text.Write(p)
	if l.found != nil && !l.told && strings.Contains(l.text.String(), l.want) {
		l.told = true
		close(l.found)
	}
	return len(p), nil
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}
