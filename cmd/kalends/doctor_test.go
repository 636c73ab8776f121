package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/kalends/kalends/storage/storagetest"
)

// diagnosis runs the doctor and returns what each check found.
func (s *terminal) diagnosis() (states map[string]string, text string, err error) {
	s.t.Helper()
	out, err := s.run("doctor", "--json")
	var found []finding
	if broken := json.Unmarshal([]byte(out), &found); broken != nil {
		s.t.Fatalf("%v: %s", broken, out)
	}
	states = map[string]string{}
	for _, f := range found {
		states[f.Check] = f.State
	}
	return states, out, err
}

// TestDoctor looks at a sound installation, then at one with every fault that can
// be made here.
func TestDoctor(t *testing.T) {
	t.Parallel()
	s := newTerminal(t, storagetest.Database(t))
	dir, redis := s.env["KALENDS_DATA_DIR"], storagetest.RedisProcess(t)
	s.env["REDIS_URL"] = redis.URL()
	s.env["KALENDS_PROVIDER_TOKEN"] = strings.Repeat("x", 64)
	states, text, err := s.diagnosis()
	for _, check := range []string{"database", "schema", "extension", "role", "row security", "clock", "provider token", "address", "platform domain"} {
		if states[check] != "ok" {
			t.Errorf("%s: %s\n%s", check, states[check], text)
		}
	}
	if err != nil {
		t.Errorf("%v\n%s", err, text)
	}
	if states["redis"] != "warn" || !strings.Contains(text, "maxmemory") { // it has no bound in tests
		t.Errorf("redis: %s\n%s", states["redis"], text)
	}
	redis.Kill()
	s.env["KALENDS_PROVIDER_TOKEN"] = "short-and-secret"
	s.env["KALENDS_ADDR"] = "0.0.0.0:8080"
	s.env["KALENDS_SMTP_URL"], s.env["KALENDS_MAIL_FROM"] = "smtp://user:mail-secret@127.0.0.1:1", "a@example.org"
	s.env["KALENDS_PLATFORM_DOMAIN"] = "nowhere.invalid"
	states, text, err = s.diagnosis()
	for check, want := range map[string]string{"provider token": "fail", "proxies": "warn", "mail": "fail", "redis": "warn", "platform domain": "warn"} {
		if states[check] != want {
			t.Errorf("%s: %s, want %s\n%s", check, states[check], want, text)
		}
	}
	if err == nil || strings.Contains(text, "secret") {
		t.Errorf("%v\n%s", err, text)
	}
	s.env["DATABASE_URL"] = storagetest.EmptyDatabase(t)
	if states, text, err = s.diagnosis(); states["schema"] != "fail" || states["extension"] != "fail" || err == nil {
		t.Errorf("an empty database: %v, %v\n%s", states, err, text)
	}
	s.env["DATABASE_URL"] = "postgres://kalends:db-secret@127.0.0.1:1/kalends"
	if states, text, err = s.diagnosis(); states["database"] != "fail" || err == nil || strings.Contains(text, "db-secret") {
		t.Errorf("no database: %v, %v\n%s", states, err, text)
	}
	s.env["KALENDS_DATA_DIR"] = "/proc/nothing"
	if states, text, err = s.diagnosis(); states["folder"] != "fail" || err == nil {
		t.Errorf("a folder that can't be made: %v, %v\n%s", states, err, text)
	}
	s.env["KALENDS_DATA_DIR"] = dir
	out, err := s.run("doctor")
	if err == nil || !strings.Contains(out, "fail  database ") {
		t.Errorf("in lines: %v\n%s", err, out)
	}
	if left, err := os.ReadDir(s.env["KALENDS_DATA_DIR"]); err != nil && !os.IsNotExist(err) || len(left) > 1 {
		t.Errorf("the doctor left %v, %v", left, err)
	}
}
