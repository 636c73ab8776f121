package embedded_test

import (
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/kalends/kalends/internal/embedded"
)

func TestRestartKeepsData(t *testing.T) {
	t.Parallel()
	c := embedded.Config{Dir: shortDir(t)}

	first := start(t, c)
	run(t, first.URL(), `create table kept as select 42 as n`)
	stop(t, first)
	settings := filepath.Join(c.Dir, "pgdata", "postgresql.conf")
	text, err := os.ReadFile(settings)
	if set := regexp.MustCompile(`(?m)^shared_buffers = \d+MB$`); err != nil || !set.Match(text) {
		t.Errorf("nothing says how much is kept in memory: %v", err)
	}
	if err := os.WriteFile(settings, append(text, "shared_buffers = 99MB\n"...), 0o600); err != nil {
		t.Fatal(err)
	}
	second := start(t, c)

	if n := ask[int](t, second.URL(), `select n from kept`); n != 42 {
		t.Errorf("found %d, want 42", n)
	}
	if first.URL() != second.URL() {
		t.Errorf("the URL changed from %s to %s", first.URL(), second.URL())
	}
	if v := ask[string](t, second.URL(), `show server_version`); !strings.HasPrefix(v, second.Version()) {
		t.Errorf("Version returns %s, the server says %s", second.Version(), v)
	}
	if fsync := ask[string](t, second.URL(), `show fsync`); fsync != "on" {
		t.Errorf("fsync is %s", fsync)
	}
	if own := ask[string](t, second.URL(), `show shared_buffers`); own != "99MB" {
		t.Errorf("what the operator set is %s", own)
	}
	if _, err := os.Stat(filepath.Join(second.Binary(), "postgres")); err != nil {
		t.Error(err)
	}
}

func TestServiceRole(t *testing.T) {
	t.Parallel()
	server := start(t, embedded.Config{Dir: shortDir(t)})

	powers := ask[string](t, server.URL(), `select concat_ws(' ', rolname, rolsuper, rolbypassrls, rolcreaterole,
		rolcreatedb, rolcanlogin, rolreplication) from pg_roles where rolname = current_user`)
	if want := "kalends f f t t t f"; powers != want {
		t.Errorf("the role is %q, want %q", powers, want)
	}
	if owner := ask[string](t, server.URL(), `select pg_get_userbyid(datdba)::text from pg_database
		where datname = current_database()`); owner != "kalends" {
		t.Errorf("the database belongs to %s", owner)
	}
	run(t, server.URL(), `create extension pg_trgm`)
	run(t, server.URL(), `create extension unaccent`)
	run(t, server.URL(), `create database another`)
	if name := ask[string](t, server.URLFor("another"), `select current_database()::text`); name != "another" {
		t.Errorf("connected to %s", name)
	}
	if tcp := ask[string](t, server.URL(), `show listen_addresses`); tcp != "" {
		t.Errorf("listens on %s", tcp)
	}
	if wrong := strings.Replace(server.URL(), "kalends:", "kalends:x", 1); canConnect(t, wrong) {
		t.Error("a wrong password was accepted")
	}
}

func TestFilesAreClosedToOthers(t *testing.T) {
	t.Parallel()
	dir := shortDir(t)
	server := start(t, embedded.Config{Dir: dir, Unsafe: true})
	for _, name := range []string{"passwords.json", "lock", "pgdata", "run"} {
		info, err := os.Stat(filepath.Join(dir, name))
		must(t, err)
		if info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v", name, info.Mode())
		}
	}
	stop(t, server)
	stop(t, server) // a second stop is harmless
	select {
	case <-server.Done():
	default:
		t.Error("Done is still open after Stop")
	}
	must(t, server.Err())
}

func TestLongPath(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(shortDir(t), strings.Repeat("long, ", 20))
	server := start(t, embedded.Config{Dir: dir, Unsafe: true})
	address, err := url.Parse(server.URL())
	must(t, err)
	socket := address.Query().Get("host")
	run(t, server.URL(), `create table t ()`)
	info, err := os.Stat(socket)
	must(t, err)
	if info.Mode().Perm() != 0o700 || strings.HasPrefix(socket, dir) {
		t.Errorf("the socket is in %s with mode %v", socket, info.Mode())
	}
	stop(t, server)
	if _, err := os.Stat(socket); !os.IsNotExist(err) {
		t.Errorf("%s is left after the stop: %v", socket, err)
	}
}

// A directory below one that is closed to all other users, as root finds it in its home: a namespace helps, and where
// there are none root is told what does.
func TestClosedParent(t *testing.T) {
	t.Parallel()
	parent := shortDir(t)
	must(t, os.Chmod(parent, 0o700))
	c := embedded.Config{Dir: filepath.Join(parent, "data"), Unsafe: true}
	if os.Geteuid() == 0 && !namespaces() {
		_, err := embedded.Start(t.Context(), c)
		wantError(t, err, embedded.ErrPermission, "KALENDS_DATA_DIR", "/var/lib/kalends", parent)
		must(t, os.Chmod(parent, 0o711))
	}
	stop(t, start(t, c))
	run(t, start(t, c).URL(), `create table t ()`)
}
