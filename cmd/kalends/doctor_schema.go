package main

import (
	"context"
	"errors"
	"net"
	"strings"
	"time"

	"github.com/kalends/kalends/migrations"
	"github.com/kalends/kalends/storage/pg"
)

// unreachable returns why a database cannot be used, and what to do.
func unreachable(err error, url, setting string) string {
	text := withoutAddress(err, url)
	if code, said := pg.Refusal(err); code != "" {
		switch code {
		case "28P01", "28000":
			if strings.Contains(said, "pg_hba.conf") {
				return said + ": add a line for this machine to pg_hba.conf, or use TLS (sslmode=require) if only that is allowed"
			}
			return "the user or the password is refused (" + said + "): check both in " + setting
		case "3D000":
			return said + ": CREATE DATABASE … ENCODING 'UTF8', or check its name in " + setting
		case "42501":
			return said + ": GRANT CONNECT ON DATABASE … TO the role in " + setting
		case "53300":
			return "there are no connections left (" + said + "): raise max_connections or the limit of the role, or lower " +
				"KALENDS_DATABASE_CONNECTIONS of the nodes"
		case "57P03":
			return "it is starting or stopping (" + said + "): wait, and read its log if that does not end"
		}
		return said + ": look it up in the log of Postgres"
	}
	var lookup *net.DNSError
	var network *net.OpError
	switch {
	case errors.As(err, &lookup):
		return "the host " + lookup.Name + " is not known: check the name in " + setting
	case strings.Contains(text, "refused TLS"), strings.Contains(text, "tls:"), strings.Contains(text, "x509:"):
		return text + ": check sslmode and sslrootcert in " + setting
	case errors.As(err, &network) && network.Op == "dial":
		return "nothing answers there (" + text + "): check that Postgres runs, that it listens on that address (listen_addresses), " +
			"and the firewall"
	case errors.Is(err, context.DeadlineExceeded):
		return "it accepts the connection and does not answer: check that host and port in " + setting + " are those of Postgres"
	}
	return text + ": check " + setting + ", that Postgres runs, and that its pg_hba.conf allows this machine"
}

// checkEncoding checks in which form the database keeps texts.
func checkEncoding(f *findings, e *pg.Examination) {
	switch {
	case e.Encoding != "UTF8":
		f.fail("encoding", "the database has the encoding %s, which lacks letters of most languages: CREATE DATABASE … ENCODING 'UTF8' "+
			"TEMPLATE template0, and restore a backup into it", e.Encoding)
	case e.Ctype == "C" || e.Ctype == "POSIX":
		f.fail("encoding", "the database has LC_CTYPE %s, in which only English letters are letters, so searches in other alphabets read "+
			"every event: CREATE DATABASE … LOCALE 'C.UTF-8' TEMPLATE template0, and restore a backup into it", e.Ctype)
	case e.Recorded != e.Actual && e.Recorded != "" && e.Actual != "":
		f.fail(
			"encoding",
			"the machine of Postgres sorts texts by other rules (%s) than when the indexes were made (%s), so they may miss "+
				"rows: REINDEX DATABASE, then ALTER DATABASE … REFRESH COLLATION VERSION",
			e.Actual,
			e.Recorded,
		)
	default:
		f.ok("encoding", "%s, %s", e.Encoding, e.Ctype)
	}
}

// advice explains what wrong settings of Postgres break.
var advice = map[string]string{
	"fsync":                       "a crash can destroy the database: set it to on",
	"full_page_writes":            "a crash can destroy the database: set it to on",
	"synchronous_commit":          "what was confirmed can be lost in a crash: set it to on for the service's role",
	"row_security":                "every query of the service is refused: ALTER ROLE or ALTER DATABASE … RESET row_security",
	"session_replication_role":    "triggers and foreign keys do nothing: ALTER ROLE or ALTER DATABASE … RESET session_replication_role",
	"track_counts":                "tables are never cleaned up or analyzed: set it to on",
	"autovacuum":                  "tables are never cleaned up or analyzed, so everything becomes slower: set it to on",
	"standard_conforming_strings": "queries are read in another way: ALTER ROLE or ALTER DATABASE … RESET standard_conforming_strings",
	"search_path":                 "the tables in the schema public are not found: ALTER ROLE or ALTER DATABASE … RESET search_path",
}

// soon is how long before the password expires that this is reported.
const soon = 14 * 24 * time.Hour

// checkPostgres checks settings of Postgres, of the role and of the database.
func checkPostgres(f *findings, e *pg.Examination) {
	sound := true
	for name, value := range e.Set {
		sound = false
		f.fail("postgres", "%s is %q: %s", name, value, advice[name])
	}
	if e.Expires != nil && e.Expires.Sub(e.Clock) < soon {
		sound = false
		f.warn(
			"postgres",
			"the password of the role %s ends on %s: ALTER ROLE %s VALID UNTIL 'infinity'",
			e.Role,
			e.Expires.Format(time.DateOnly),
			e.Role,
		)
	}
	if sound {
		f.ok("postgres", "its settings are sound")
	}
}

// checkConnections compares the connections of a node with the limit of Postgres.
func checkConnections(f *findings, e *pg.Examination, wanted int) {
	wanted += listeners
	raise := map[string]string{
		"max_connections": "raise max_connections",
		"role":            "ALTER ROLE " + e.Role + " CONNECTION LIMIT -1",
		"database":        "ALTER DATABASE … CONNECTION LIMIT -1",
	}[e.Limit]
	limit := map[string]string{"max_connections": "Postgres", "role": "the role " + e.Role, "database": "the database"}[e.Limit]
	switch {
	case wanted > e.Most:
		f.fail(
			"connections",
			"%s allows %d and a node takes up to %d: %s, or lower KALENDS_DATABASE_CONNECTIONS",
			limit,
			e.Most,
			wanted,
			raise,
		)
	case wanted > e.Most-e.Used:
		f.warn("connections", "%d of the %d that %s allows are in use and a node takes up to %d: %s, or lower KALENDS_DATABASE_CONNECTIONS",
			e.Used, e.Most, limit, wanted, raise)
	default:
		f.ok("connections", "%d of the %d that %s allows are in use; a node takes up to %d", e.Used, e.Most, limit, wanted)
	}
}

// listeners is the number of connections of a node in addition to those that KALENDS_DATABASE_CONNECTIONS limits.
const listeners = 2

// slow and stuck are times of a commit that deserve attention.
const (
	commits = 5
	slow    = 25 * time.Millisecond
)

// checkCommit measures the minimum duration of a write.
func checkCommit(ctx context.Context, f *findings, url string) {
	took, err := pg.Commit(ctx, url, commits)
	judgeCommit(f, took, err)
}

func judgeCommit(f *findings, took time.Duration, err error) {
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		f.fail("commit", "a commit does not end: a standby of synchronous_standby_names is missing, or the disk does not answer; "+
			"bring it back, or take it out of synchronous_standby_names")
	case err != nil: // read-only, which is reported elsewhere
	case took > slow:
		f.warn(
			"commit",
			"takes %s, so one site stores at most %d things a second: use a faster disk for Postgres, and one that is not far away",
			took.Round(time.Millisecond),
			max(1, int(time.Second/took)),
		)
	default:
		f.ok("commit", "takes %s", took.Round(10*time.Microsecond))
	}
}

// checkCatalog compares the database with the schema that the migrations make.
func checkCatalog(ctx context.Context, f *findings, url string, e *pg.Examination) {
	role := e.Role
	if e.Member {
		role = pg.ServiceRole
	}
	found, err := migrations.Compare(ctx, url, role)
	if err != nil {
		f.fail("catalog", "it cannot be compared (%s): let the role read pg_catalog", withoutAddress(err, url))
		return
	}
	for _, d := range found {
		say := f.warn
		if d.Harm {
			say = f.fail
		}
		say("catalog", "%s is %s: %s", d.What, d.Is, d.Remedy)
	}
	if len(found) == 0 {
		f.ok("catalog", "tables, keys, indexes, triggers, functions and rights are as the migrations make them")
	}
}
