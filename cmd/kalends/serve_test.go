package main

import (
	"bytes"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/kalends/kalends/storage/storagetest"
)

// TestRoundEnds: a second's work that gets no answer ends, so that the next can begin.
func TestRoundEnds(t *testing.T) {
	t.Parallel()
	database := storagetest.Database(t)
	in := astray(t, database, 0)
	var log bytes.Buffer
	in.logger = slog.New(slog.NewTextHandler(&log, nil))
	conn, err := pgx.Connect(t.Context(), database)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(t.Context()) }()
	if _, err := conn.Exec(t.Context(), "BEGIN; LOCK TABLE schedule"); err != nil {
		t.Fatal(err)
	}
	in.once(t.Context(), time.Now(), 300*time.Millisecond)
	if !strings.Contains(log.String(), "publish scheduled items") || !strings.Contains(log.String(), "deadline") {
		t.Errorf("the round didn't end by itself: %s", log.String())
	}
}

// TestReadOnlyDatabase: /readyz says of a database that takes no writes that it doesn't,
// as when the standby was taken for the primary.
func TestReadOnlyDatabase(t *testing.T) {
	t.Parallel()
	database := storagetest.Database(t)
	if why := astray(t, database, 0).writable(t.Context()); why != "" {
		t.Errorf("one that takes them: %s", why)
	}
	if why := astray(t, readOnly(database), 0).writable(t.Context()); why == "" {
		t.Error("one that takes none is well")
	}
}

// readOnly returns the address of a database with sessions that write nothing.
func readOnly(database string) string {
	if strings.Contains(database, "?") {
		return database + "&default_transaction_read_only=on"
	}
	return database + "?default_transaction_read_only=on"
}

// TestServeRefusesOpenWalls: a service doesn't start where nothing but the program would keep sites apart.
func TestServeRefusesOpenWalls(t *testing.T) {
	t.Parallel()
	storagetest.Unspread(t, "policies are others there")
	for _, harm := range []string{"ALTER TABLE events DISABLE ROW LEVEL SECURITY", "CREATE POLICY wide ON users USING (true)"} {
		s := newTerminal(t, storagetest.Database(t))
		s.env["KALENDS_ADDR"], s.env["KALENDS_PLATFORM_DOMAIN"] = "127.0.0.1:0", "calendars.example.org"
		breakDatabase(t, s.env["DATABASE_URL"], harm)
		if _, err := s.run("serve"); err == nil || !strings.Contains(err.Error(), "row-level security does not separate the sites in") {
			t.Errorf("%s: %v", harm, err)
		}
	}
}

// TestServeAwaitsPostgres: a Postgres that is starting is waited for. What time does not mend is said at once.
func TestServeAwaitsPostgres(t *testing.T) {
	t.Parallel()
	url := storagetest.Database(t)
	config, err := pgx.ParseConfig(url)
	if err != nil {
		t.Fatal(err)
	}
	address := storagetest.Address(t)
	in := &installation{logger: slog.New(slog.DiscardHandler)}
	later := "postgres://" + config.User + ":" + config.Password + "@" + address + "/" + config.Database + "?sslmode=disable"
	if err := in.awaitDatabase(t.Context(), later, time.Millisecond); err == nil || !strings.Contains(err.Error(), "nothing answers there") {
		t.Errorf("nothing starts: %v", err)
	}
	go func() {
		time.Sleep(time.Second)
		started, err := net.Listen("tcp", address)
		if err != nil {
			return
		}
		defer func() { _ = started.Close() }()
		near, err := started.Accept()
		if err != nil {
			return
		}
		network, there := pgconn.NetworkAddress(config.Host, config.Port)
		far, err := net.Dial(network, there)
		if err != nil {
			return
		}
		go func() { _, _ = io.Copy(far, near) }()
		_, _ = io.Copy(near, far)
	}()
	if err := in.awaitDatabase(t.Context(), later, time.Minute); err != nil {
		t.Errorf("it started: %v", err)
	}
	begun := time.Now()
	nowhere := strings.Replace(url, "/"+config.Database, "/nowhere", 1)
	if err := in.awaitDatabase(t.Context(), nowhere, time.Hour); err == nil || time.Since(begun) > time.Minute {
		t.Errorf("a database that does not exist: %v after %s", err, time.Since(begun))
	}
}

// TestNoDemoUnasked: an installation with a domain of its own gets no public site unless it is asked for.
func TestNoDemoUnasked(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		config Config
		want   bool
	}{{Config{PlatformDomain: "localhost", Demo: "auto"}, true}, {Config{PlatformDomain: "localhost", Demo: "no"}, false},
		{Config{PlatformDomain: "calendars.example.org", Demo: "auto"}, false}, {Config{PlatformDomain: "calendars.example.org", Demo: "yes"}, true}} {
		if got := c.config.wantsDemo(); got != c.want {
			t.Errorf("%s %s: %t", c.config.PlatformDomain, c.config.Demo, got)
		}
	}
}

// TestSecretsFromFiles: a secret may be in a file, whose name its variable with _FILE has.
func TestSecretsFromFiles(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "url")
	if err := os.WriteFile(file, []byte(storagetest.Database(t)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := newTerminal(t, "")
	delete(s.env, "DATABASE_URL")
	s.env["DATABASE_URL_FILE"] = file
	var list any
	s.must(&list, "site", "list")
	s.env["DATABASE_URL"] = "postgres://nobody@127.0.0.1:1/none"
	s.fails("DATABASE_URL and DATABASE_URL_FILE are both set", "site", "list")
}

// TestSettingsAreJudgedTogether: a value that cannot be read stops what needs it, with the name of the variable, and never the doctor.
func TestSettingsAreJudgedTogether(t *testing.T) {
	t.Parallel()
	s := newTerminal(t, storagetest.Database(t))
	s.env["KALENDS_CACHE_BYTES"], s.env["KALENDS_LOG_LEVEL"], s.env["ZONEINFO"] = "64MB", "loud", "/nowhere"
	for _, command := range []string{"serve", "site list"} {
		_, err := s.run(strings.Fields(command)...)
		for _, name := range []string{"KALENDS_CACHE_BYTES", "KALENDS_LOG_LEVEL", "ZONEINFO"} {
			if err == nil || !strings.Contains(err.Error(), name) || exitCode(err) != exitUsage {
				t.Errorf("%s: %s is not named: %v", command, name, err)
			}
		}
	}
	if states, text, _ := s.diagnosis(); states["settings"] != "fail" || states["database"] != "ok" {
		t.Errorf("the doctor stopped: %s", text)
	}
	if _, err := s.run("version"); err != nil {
		t.Errorf("version needs no settings: %v", err)
	}
}
