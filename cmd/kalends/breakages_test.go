package main

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/storage/storagetest"
)

// breakage is one way in which an installation is broken, and what the doctor has to say: the cause, and what to do.
type breakage struct {
	name   string
	sql    string                          // run in the database, as the role that owns it
	harm   func(t *testing.T, s *terminal) // or done to the rest
	check  string
	state  string // fail, unless it is warn
	cause  string
	remedy string
}

// set returns a harm that sets a variable.
func set(name, value string) func(*testing.T, *terminal) {
	return func(_ *testing.T, s *terminal) { s.env[name] = value }
}

// breakages are listed in docs/operations.md, by their names.
var breakages = []breakage{
	// The schema.
	{name: "a primary key was dropped", sql: `ALTER TABLE sessions DROP CONSTRAINT sessions_pkey`,
		check: "catalog", cause: "constraint sessions_pkey of sessions is missing", remedy: "ALTER TABLE sessions ADD CONSTRAINT sessions_pkey PRIMARY KEY"},
	{name: "a foreign key was dropped", sql: `ALTER TABLE event_venues DROP CONSTRAINT event_venues_venue_fkey`,
		check: "catalog", cause: "event_venues_venue_fkey of event_venues is missing", remedy: "FOREIGN KEY (site_id, venue_id) REFERENCES venues"},
	{name: "a unique key was dropped", sql: `ALTER TABLE users DROP CONSTRAINT users_email_key`,
		check: "catalog", cause: "users_email_key of users is missing", remedy: "UNIQUE (site_id, email_key)"},
	{name: "a check was dropped", sql: `ALTER TABLE users DROP CONSTRAINT users_role_check`,
		check: "catalog", cause: "users_role_check of users is missing", remedy: "ADD CONSTRAINT users_role_check CHECK"},
	{name: "a foreign key was added without checking the rows", sql: `ALTER TABLE drafts DROP CONSTRAINT drafts_user_fkey,
		ADD CONSTRAINT drafts_user_fkey FOREIGN KEY (site_id, user_id) REFERENCES users (site_id, id) ON DELETE CASCADE NOT VALID`,
		check: "catalog", cause: "drafts_user_fkey of drafts is different", remedy: "NOT VALID instead of"},
	{name: "a unique index was dropped", sql: `DROP INDEX events_slug_key`,
		check: "catalog", cause: "index events_slug_key of events is missing", remedy: "CREATE UNIQUE INDEX events_slug_key"},
	{name: "an index was dropped", sql: `DROP INDEX occurrences_start_idx`, state: "warn",
		check: "catalog", cause: "index occurrences_start_idx of occurrences is missing", remedy: "CREATE INDEX occurrences_start_idx"},
	{name: "an index has other columns", sql: `DROP INDEX venues_list_idx; CREATE INDEX venues_list_idx ON venues (id)`, state: "warn",
		check: "catalog", cause: "index venues_list_idx of venues is different", remedy: "published_at DESC"},
	{name: "a unique index of somebody else", sql: `CREATE UNIQUE INDEX one_title ON events (site_id, title)`,
		check: "catalog", cause: "index one_title of events is not Kalends' own", remedy: "DROP INDEX one_title"},
	{name: "a trigger was dropped", sql: `DROP TRIGGER occurrences_added ON occurrences`,
		check: "catalog", cause: "trigger occurrences_added of occurrences is missing", remedy: "CREATE TRIGGER occurrences_added"},
	{name: "a trigger was switched off", sql: `ALTER TABLE occurrences DISABLE TRIGGER occurrences_changed`,
		check: "catalog", cause: "trigger occurrences_changed of occurrences is switched off", remedy: "ENABLE TRIGGER occurrences_changed"},
	{name: "a trigger of somebody else", sql: `CREATE FUNCTION nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
		CREATE TRIGGER spy BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION nothing()`,
		check: "catalog", cause: "trigger spy of events is not Kalends' own", remedy: "DROP TRIGGER spy ON events"},
	{name: "a function was changed", sql: `CREATE OR REPLACE FUNCTION site_of(wanted text) RETURNS bigint LANGUAGE sql STABLE PARALLEL SAFE AS 'SELECT 1::bigint'`,
		check: "catalog", cause: "function site_of is different", remedy: "change it back"},
	{name: "a function was dropped", sql: `DROP FUNCTION purge_changes(timestamptz, integer)`,
		check: "catalog", cause: "function purge_changes is missing", remedy: "create it as in migrations/schema.sql"},
	{name: "a column was dropped", sql: `ALTER TABLE venues DROP COLUMN website`,
		check: "catalog", cause: "column website of venues is missing", remedy: "ALTER TABLE venues ADD COLUMN website"},
	{name: "a column has another type", sql: `ALTER TABLE venues ALTER COLUMN website TYPE varchar(10)`,
		check: "catalog", cause: "column website of venues is different", remedy: "character varying(10)"},
	{name: "a column lost its default", sql: `ALTER TABLE users ALTER COLUMN language DROP DEFAULT`,
		check: "catalog", cause: "column language of users is different", remedy: "DEFAULT ''"},
	{name: "a column of somebody else has to be filled", sql: `ALTER TABLE drafts ADD COLUMN mine text NOT NULL`,
		check: "catalog", cause: "column mine of drafts is not Kalends' own", remedy: "DROP COLUMN mine"},
	{name: "a table was dropped", sql: `DROP TABLE previews`,
		check: "catalog", cause: "table previews is missing", remedy: "restore it from a backup"},
	{name: "a sequence is behind its rows", sql: `INSERT INTO sites (id, slug, name, timezone, language) OVERRIDING SYSTEM VALUE VALUES (99, 'ninety', 'x', 'UTC', 'en')`,
		check: "catalog", cause: "sites_id_seq is behind", remedy: "setval('sites_id_seq', 99)"},
	{name: "an extension was dropped", sql: `DROP EXTENSION btree_gin CASCADE`,
		check: "extension", cause: "btree_gin is missing", remedy: "CREATE EXTENSION btree_gin"},
	{name: "the database is empty", harm: func(t *testing.T, s *terminal) { s.env["DATABASE_URL"] = storagetest.EmptyDatabase(t) },
		check: "schema", cause: "the database is empty", remedy: "kalends migrate"},
	{name: "the schema is old", sql: `DELETE FROM goose_db_version WHERE version_id = (SELECT max(version_id) FROM goose_db_version)`,
		check: "schema", cause: "this program needs", remedy: "kalends migrate"},
	// The walls between sites, and rights.
	{name: "row-level security is off", sql: `ALTER TABLE events DISABLE ROW LEVEL SECURITY`,
		check: "row security", cause: "not forced on events", remedy: "ENABLE and FORCE ROW LEVEL SECURITY"},
	{name: "row-level security is not forced", sql: `ALTER TABLE terms NO FORCE ROW LEVEL SECURITY`,
		check: "row security", cause: "not forced on terms", remedy: "ENABLE and FORCE ROW LEVEL SECURITY"},
	{name: "a policy shows all sites", sql: `CREATE POLICY wide ON users USING (true)`,
		check: "row security", cause: "the policies of users", remedy: "restore them"},
	{name: "a right was taken away", sql: `REVOKE INSERT, SELECT ON changes FROM kalends_service`,
		check: "catalog", cause: "the right to INSERT, SELECT in changes is missing", remedy: "GRANT INSERT, SELECT ON changes TO kalends_service"},
	{name: "the right to number sites was taken away", sql: `REVOKE USAGE ON SEQUENCE sites_id_seq FROM kalends_service`,
		check: "catalog", cause: "the right to number sites is missing", remedy: "GRANT USAGE ON SEQUENCE sites_id_seq TO kalends_service"},
	{name: "a function may not be called", sql: `REVOKE EXECUTE ON FUNCTION site_of(text) FROM PUBLIC, kalends_service`,
		check: "catalog", cause: "the right to call site_of(text) is missing", remedy: "GRANT EXECUTE ON FUNCTION site_of(text)"},
	// The address of the database and its settings.
	{name: "nothing listens where the database should be", harm: set("DATABASE_URL", "postgres://kalends:hush@127.0.0.1:1/kalends"),
		check: "database", cause: "nothing answers there", remedy: "check that Postgres runs"},
	{name: "the host of the database is not known", harm: set("DATABASE_URL", "postgres://kalends:hush@db.invalid/kalends"),
		check: "database", cause: "the host db.invalid is not known", remedy: "check the name in DATABASE_URL"},
	{name: "the database does not exist", harm: func(_ *testing.T, s *terminal) { s.env["DATABASE_URL"] = inDatabase(s, "nowhere") },
		check: "database", cause: `database "nowhere" does not exist`, remedy: "CREATE DATABASE"},
	{name: "what answers is not Postgres", harm: func(t *testing.T, s *terminal) {
		s.env["DATABASE_URL"] = "postgres://kalends:hush@" + speaks(t, "", nil) + "/kalends?sslmode=disable&connect_timeout=1"
	}, check: "database", cause: "", remedy: "DATABASE_URL"},
	{name: "the database is read-only", harm: func(_ *testing.T, s *terminal) { s.env["DATABASE_URL"] = readOnly(s.env["DATABASE_URL"]) },
		check: "database", cause: "the database is read-only", remedy: "DATABASE_URL has to be the primary"},
	{name: "the tables are not found by the search path", sql: `ALTER DATABASE %s SET search_path = pg_catalog`,
		check: "postgres", cause: `search_path is`, remedy: "RESET search_path"},
	{name: "row_security is off for the role", sql: `ALTER DATABASE %s SET row_security = off`,
		check: "postgres", cause: `row_security is "off"`, remedy: "RESET row_security"},
	{name: "the database allows few connections", sql: `ALTER DATABASE %s CONNECTION LIMIT 5`,
		check: "connections", cause: "the database allows 5", remedy: "ALTER DATABASE"},
	{name: "the nodes want more connections than there are", harm: set("KALENDS_DATABASE_CONNECTIONS", "5000"),
		check: "connections", cause: "a node takes up to 5002", remedy: "lower KALENDS_DATABASE_CONNECTIONS"},
	{name: "the encoding lacks most alphabets", harm: encoded("LATIN1", "C"),
		check: "encoding", cause: "the database has the encoding LATIN1", remedy: "ENCODING 'UTF8'"},
	{name: "only English letters are letters", harm: encoded("UTF8", "C"),
		check: "encoding", cause: "the database has LC_CTYPE C", remedy: "LOCALE 'C.UTF-8'"},
	// Mail.
	{name: "a mail server that is none", harm: mailTo(func(t *testing.T) string { return "smtp://" + speaks(t, "HTTP/1.1 400 Bad Request", nil) }),
		check: "mail", cause: "does not speak SMTP", remedy: "check the port"},
	{name: "a mail server that refuses the password", harm: mailTo(func(t *testing.T) string {
		return "smtp://user:hush@" + speaks(t, "220 hi", map[string]string{"EHLO": "250-hi\r\n250 AUTH CRAM-MD5", "AUTH": "535 no"})
	}), check: "mail", cause: "refuses user and password (535)", remedy: "check both in KALENDS_SMTP_URL"},
	{name: "a mail server that refuses the sender", harm: mailTo(func(t *testing.T) string {
		return "smtp://" + speaks(t, "220 hi", map[string]string{"EHLO": "250 hi", "MAIL": "550 who?"})
	}), check: "mail", cause: "does not take e-mail from a@example.org (code 550)", remedy: "check KALENDS_MAIL_FROM"},
	{name: "a mail server that expects TLS otherwise", harm: mailTo(func(t *testing.T) string { return "smtps://" + speaks(t, "220 hi", nil) }),
		check: "mail", cause: "does not begin with TLS", remedy: "use smtp://"},
	{name: "a mail server that is not there", harm: mailTo(func(*testing.T) string { return "smtp://127.0.0.1:1" }),
		check: "mail", cause: "cannot be reached", remedy: "check host and port"},
	// Settings and folders.
	{name: "a setting is misspelt", harm: set("KALENDS_PLATFROM_DOMAIN", "example.org"), state: "warn",
		check: "settings", cause: "KALENDS_PLATFROM_DOMAIN is no setting and is ignored", remedy: "did you mean KALENDS_PLATFORM_DOMAIN?"},
	{name: "a setting of an earlier release", harm: func(_ *testing.T, s *terminal) { s.env["KALENDS_REPLICA_URL"] = s.env["DATABASE_URL"] }, state: "warn",
		check: "settings", cause: "KALENDS_REPLICA_URL is not a setting any more", remedy: "remove it"},
	{name: "a number has a unit", harm: set("KALENDS_CACHE_BYTES", "64MB"),
		check: "settings", cause: `KALENDS_CACHE_BYTES is "64MB"`, remedy: "a whole number, without a unit"},
	{name: "a level that is none", harm: set("KALENDS_LOG_LEVEL", "verbose"),
		check: "settings", cause: `KALENDS_LOG_LEVEL is "verbose"`, remedy: "one of debug, info, warn, error"},
	{name: "a duration without a unit", harm: set("KALENDS_DRAIN", "10"),
		check: "settings", cause: `KALENDS_DRAIN is "10"`, remedy: "such as 5s"},
	{name: "the default site is an address", harm: set("KALENDS_DEFAULT_SITE", "https://club.example.org"),
		check: "settings", cause: "KALENDS_DEFAULT_SITE is", remedy: "the slug of a site"},
	{name: "a host with a scheme", harm: set("KALENDS_FETCH_HOSTS", "https://images.example.org"),
		check: "settings", cause: "KALENDS_FETCH_HOSTS has", remedy: "without scheme"},
	{name: "a mail server without a sender", harm: set("KALENDS_SMTP_URL", "smtp://127.0.0.1:1"),
		check: "settings", cause: "KALENDS_MAIL_FROM is missing", remedy: "set the sender address"},
	{name: "the default site does not exist", sql: `INSERT INTO sites (slug, name, timezone, language) VALUES ('club', 'x', 'UTC', 'en')`,
		harm: set("KALENDS_DEFAULT_SITE", "culb"), state: "warn",
		check: "default site", cause: `there is no site "culb"`, remedy: "set KALENDS_DEFAULT_SITE"},
	{name: "a secret in a file that is not there", harm: set("KALENDS_PROVIDER_TOKEN_FILE", "/run/secrets/none"),
		check: "settings", cause: "KALENDS_PROVIDER_TOKEN_FILE", remedy: "no such file"},
	{name: "the provider token is short", harm: set("KALENDS_PROVIDER_TOKEN", "short"),
		check: "provider token", cause: "has 5 characters and opens every site", remedy: "openssl rand -hex 32"},
	{name: "a provider of the console without a name for it", harm: set("KALENDS_CONSOLE_ISSUER", "https://id.example.org"),
		check: "settings", cause: "KALENDS_CONSOLE_CLIENT_ID is missing", remedy: "set the name"},
	{name: "a provider of the console without https", harm: set("KALENDS_CONSOLE_ISSUER", "http://id.example.org"),
		check: "settings", cause: "KALENDS_CONSOLE_ISSUER is", remedy: "beginning with https://"},
	{name: "a provider of the console by which nobody may sign in", harm: func(_ *testing.T, s *terminal) {
		s.env["KALENDS_CONSOLE_ISSUER"], s.env["KALENDS_CONSOLE_CLIENT_ID"] = "https://id.example.org", "kalends"
	}, check: "settings", cause: "KALENDS_CONSOLE_EMAILS and KALENDS_CONSOLE_GROUPS are empty", remedy: "nobody could sign in"},
	{name: "people may sign in to the console, but by no provider", harm: set("KALENDS_CONSOLE_EMAILS", "ann@example.org"),
		check: "settings", cause: "KALENDS_CONSOLE_ISSUER is missing", remedy: "set the address"},
	{name: "a provider of the console that is not there", harm: func(_ *testing.T, s *terminal) {
		s.env["KALENDS_CONSOLE_ISSUER"], s.env["KALENDS_CONSOLE_CLIENT_ID"] = "https://127.0.0.1:1", "kalends"
		s.env["KALENDS_CONSOLE_EMAILS"], s.env["KALENDS_CONSOLE_CLIENT_SECRET"] = "ann@example.org", "hush"
		s.env["KALENDS_FETCH_HOSTS"] = "127.0.0.1:1"
	}, state: "warn", check: "console", cause: "does not answer as an OpenID Connect provider", remedy: "KALENDS_FETCH_HOSTS"},
	{name: "the data folder cannot be created", harm: set("KALENDS_DATA_DIR", "/proc/nothing"),
		check: "folder", cause: "cannot be created", remedy: "check KALENDS_DATA_DIR"},
	{name: "two nodes with two picture folders", sql: `INSERT INTO installation (secret, pictures) VALUES ('x', 'another')`,
		harm: func(t *testing.T, s *terminal) {
			if err := os.MkdirAll(filepath.Join(s.env["KALENDS_DATA_DIR"], "media"), 0o755); err != nil {
				t.Fatal(err)
			}
		}, check: "pictures", cause: "other nodes keep the pictures in another folder", remedy: "mount the folder"},
	{name: "Redis is not Redis", harm: func(t *testing.T, s *terminal) { s.env["REDIS_URL"] = "redis://" + speaks(t, "220 hi", nil) }, state: "warn",
		check: "redis", cause: "it does not answer", remedy: "check REDIS_URL"},
}

// TestBreakages breaks an installation in every way of the list, and wants the doctor to name the cause and the remedy, and no secret.
func TestBreakages(t *testing.T) {
	t.Parallel()
	storagetest.Unspread(t, "the schema of a cluster is different: TestDoctorOfCluster")
	for _, b := range breakages {
		t.Run(b.name, func(t *testing.T) {
			t.Parallel()
			s := newTerminal(t, storagetest.Database(t))
			if b.sql != "" {
				breakDatabase(t, s.env["DATABASE_URL"], b.sql)
			}
			if b.harm != nil {
				b.harm(t, s)
			}
			found, err := s.findings()
			if b.state == "" {
				b.state = "fail"
				if err == nil {
					t.Error("the doctor ends well")
				}
			}
			text := ""
			for _, f := range found {
				if f.Check == b.check && f.State == b.state && strings.Contains(f.Detail, b.cause) && strings.Contains(f.Detail, b.remedy) {
					text = f.Detail
				}
				if strings.Contains(f.Detail, "hush") {
					t.Errorf("a secret is told: %s", f.Detail)
				}
			}
			if text == "" {
				t.Errorf("want %s of %s: …%s…%s…", b.state, b.check, b.cause, b.remedy)
				for _, f := range found {
					if f.State != "ok" {
						t.Log(f)
					}
				}
			}
		})
	}
}

// TestBreakagesAreListed: docs/operations.md has every breakage, so that people find theirs.
func TestBreakagesAreListed(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range breakages {
		if !strings.Contains(strings.Join(strings.Fields(string(text)), " "), b.name) {
			t.Errorf("docs/operations.md lacks %q", b.name)
		}
	}
}

// breakDatabase runs statements as the role that owns a database; %s is its name.
func breakDatabase(t *testing.T, url, sql string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(t.Context())) }()
	if strings.Contains(sql, "%s") {
		sql = fmt.Sprintf(sql, conn.Config().Database)
	}
	if _, err := conn.Exec(t.Context(), sql); err != nil {
		t.Fatal(err)
	}
}

// inDatabase returns the address of another database on the same server.
func inDatabase(s *terminal, name string) string {
	config, err := pgx.ParseConfig(s.env["DATABASE_URL"])
	if err != nil {
		s.t.Fatal(err)
	}
	return strings.Replace(s.env["DATABASE_URL"], "/"+config.Database, "/"+name, 1)
}

// encoded returns a harm that makes a database with another encoding, migrated or not: what it can hold is said in any case.
func encoded(encoding, locale string) func(*testing.T, *terminal) {
	return func(t *testing.T, s *terminal) {
		name := strings.ToLower("encoded_" + encoding + "_" + fmt.Sprint(time.Now().UnixNano()))
		own := s.env["DATABASE_URL"]
		breakDatabase(t, own, "CREATE DATABASE "+name+" TEMPLATE template0 ENCODING '"+encoding+"' LOCALE '"+locale+"'")
		t.Cleanup(func() {
			conn, err := pgx.Connect(context.Background(), own)
			if err == nil {
				_, _ = conn.Exec(context.Background(), "DROP DATABASE "+name+" WITH (FORCE)")
				_ = conn.Close(context.Background())
			}
		})
		s.env["DATABASE_URL"] = inDatabase(s, name)
	}
}

// mailTo returns a harm that names a mail server.
func mailTo(address func(*testing.T) string) func(*testing.T, *terminal) {
	return func(t *testing.T, s *terminal) {
		s.env["KALENDS_SMTP_URL"], s.env["KALENDS_MAIL_FROM"] = address(t), "Calendar <a@example.org>"
	}
}

// speaks starts a server that greets and answers each command by its first word, and returns its address. Without a greeting it says nothing.
func speaks(t *testing.T, greeting string, answers map[string]string) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	talk := func(conn net.Conn) {
		defer func() { _ = conn.Close() }()
		if greeting == "" {
			return
		}
		_, _ = fmt.Fprint(conn, greeting+"\r\n")
		for lines := bufio.NewScanner(conn); lines.Scan(); {
			verb, _, _ := strings.Cut(lines.Text(), " ")
			answer, known := answers[strings.ToUpper(verb)]
			if !known {
				answer = "250 ok"
			}
			_, _ = fmt.Fprint(conn, answer+"\r\n")
		}
	}
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go talk(conn)
		}
	}()
	return listener.Addr().String()
}
