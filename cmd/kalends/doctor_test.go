package main

import (
	"encoding/json"
	"errors"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/storage/storagetest"
)

// forgetful are settings with which the Postgres of the tests is fast and loses everything in a crash. The doctor says so each time.
var forgetful = regexp.MustCompile(`^(fsync|full_page_writes|synchronous_commit) is "off"`)

// findings runs the doctor and returns what it found, apart from what is meant to be so in tests.
func (s *terminal) findings() (found findings, err error) {
	s.t.Helper()
	out, err := s.run("doctor", "--json")
	if broken := json.Unmarshal([]byte(out), &found); broken != nil {
		s.t.Fatalf("%v: %s, %v", broken, out, err)
	}
	found = slices.DeleteFunc(found, func(f finding) bool { return forgetful.MatchString(f.Detail) })
	if errors.Is(err, errSick) && !slices.ContainsFunc(found, func(f finding) bool { return f.State == "fail" }) {
		err = nil
	}
	return found, err
}

// diagnosis runs the doctor and returns the worst that each check found.
func (s *terminal) diagnosis() (states map[string]string, text string, err error) {
	s.t.Helper()
	found, err := s.findings()
	states = map[string]string{}
	for _, f := range found {
		if was := states[f.Check]; was == "" || was == "ok" || f.State == "fail" {
			states[f.Check] = f.State
		}
		text += f.State + "  " + f.Check + "  " + f.Detail + "\n"
	}
	return states, text, err
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

// TestDoctorOfWalls opens the wall between sites, walls all of them in, takes a right
// away and asks a database that takes no writes.
func TestDoctorOfWalls(t *testing.T) {
	t.Parallel()
	storagetest.Unspread(t, "policies of distributed tables are written otherwise: TestDoctorOfCluster")
	database := storagetest.Database(t)
	s := newTerminal(t, database)
	conn, err := pgx.Connect(t.Context(), database)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(t.Context()) }()
	for _, c := range []struct{ harm, mend, check, words string }{
		{"CREATE POLICY wide ON events USING (true)", "DROP POLICY wide ON events", "row security", "policies of events"},
		{"ALTER POLICY site ON venues USING (site_id IS NOT NULL)", "", "row security", "policies of venues"},
		{"DROP POLICY site ON venues", "CREATE POLICY site ON venues USING (site_id = (SELECT NULLIF(current_setting('kalends.site', true), '')::bigint))",
			"row security", "policies of venues"},
		{"ALTER TABLE terms NO FORCE ROW LEVEL SECURITY", "ALTER TABLE terms FORCE ROW LEVEL SECURITY", "row security", "not forced on terms"},
		{"REVOKE SELECT ON redirects, plans FROM " + pg.ServiceRole, "GRANT SELECT ON redirects, plans TO " + pg.ServiceRole,
			"rights", "may not read plans, redirects"},
	} {
		if _, err := conn.Exec(t.Context(), c.harm); err != nil {
			t.Fatal(err)
		}
		if states, text, err := s.diagnosis(); states[c.check] != "fail" || err == nil || !strings.Contains(text, c.words) {
			t.Errorf("%s: %v\n%s", c.harm, err, text)
		}
		if _, err := conn.Exec(t.Context(), c.mend); err != nil {
			t.Fatal(err)
		}
	}
	if states, text, err := s.diagnosis(); states["row security"] != "ok" || states["database"] != "ok" || err != nil {
		t.Errorf("mended: %v\n%s", err, text)
	}
	s.env["DATABASE_URL"] = readOnly(database)
	if states, text, err := s.diagnosis(); states["database"] != "fail" || err == nil {
		t.Errorf("read only: %v\n%s", err, text)
	}
}

// TestDoctorOfCluster looks at the workers, at one that a shard is being moved to, and at walls that are open there.
func TestDoctorOfCluster(t *testing.T) {
	t.Parallel()
	if !storagetest.OnCluster() {
		t.Skip("only a cluster has workers")
	}
	database := storagetest.Database(t)
	s := newTerminal(t, database)
	if states, text, err := s.diagnosis(); states["cluster"] != "ok" || states["row security"] != "ok" || err != nil {
		t.Errorf("%v\n%s", err, text)
	}
	conn, err := pgx.Connect(t.Context(), database)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(t.Context()) }()
	const role = "citus_shard_move_subscription_role_1_2"
	if _, err := conn.Exec(t.Context(), "CREATE ROLE "+role); err != nil {
		t.Fatal(err)
	}
	states, text, err := s.diagnosis()
	if _, err := conn.Exec(t.Context(), "DROP ROLE "+role); err != nil {
		t.Fatal(err)
	}
	if err != nil || !strings.Contains(text, "ALTER ROLE "+role+" BYPASSRLS") {
		t.Errorf("%s: %v\n%s", states["cluster"], err, text)
	}
	for harm, wrong := range map[string][]string{
		`ALTER TABLE venues NO FORCE ROW LEVEL SECURITY`:                                  {"not forced on venues:", "not forced on venues, venues_1"},
		`ALTER POLICY words ON events USING (site_id > 0 AND search ~~ searched_word(1))`: {"policies of events ", "policies of events, events_1"},
	} {
		if _, err := conn.Exec(t.Context(), harm); err != nil {
			t.Fatal(err)
		}
		states, text, err := s.diagnosis()
		if states["row security"] != "fail" || err == nil || !strings.Contains(text, wrong[0]) || !strings.Contains(text, wrong[1]) {
			t.Errorf("%s: %v\n%s", harm, err, text)
		}
	}
}
