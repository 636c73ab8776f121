package migrations_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A new release migrates while nodes of the previous one still run, so that a migration may only add. Removals belong
// in the release after the one that stops using something, and are allowed here by name, with the reason.

// stopsWrites is the fault of an index on a table of a site's events that is made without CONCURRENTLY. With a million events it takes
// seconds, and writes wait. Migrations up to releasedStopping were released before anybody looked.
const (
	stopsWrites      = "stops writes while it makes an index"
	releasedStopping = "00131_sources.sql"
)

// breaking matches statements that may break the previous release.
var breaking = []struct {
	what string
	is   *regexp.Regexp
}{
	{"drops a table", regexp.MustCompile(`(?i)\bDROP\s+TABLE\b`)},
	{"drops a column", regexp.MustCompile(`(?i)\bDROP\s+COLUMN\b`)},
	{"renames", regexp.MustCompile(`(?i)\bRENAME\b`)},
	{"changes a type", regexp.MustCompile(`(?i)\bALTER\s+(COLUMN\s+)?\w+\s+(SET\s+DATA\s+)?TYPE\b`)},
	{"takes away a default", regexp.MustCompile(`(?i)\bDROP\s+DEFAULT\b`)},
	{"makes a column obligatory", regexp.MustCompile(`(?i)\bSET\s+NOT\s+NULL\b`)},
	{"takes away a right", regexp.MustCompile(`(?i)\bREVOKE\b`)},
	{"empties a table", regexp.MustCompile(`(?i)\bTRUNCATE\b`)},
	{stopsWrites, regexp.MustCompile(`(?i)\bCREATE\s+(UNIQUE\s+)?INDEX\s+\w+\s+ON\s+(events|occurrences|changes|event_(terms|venues|organizers))\b`)},
}

// added matches a column that a migration adds to an existing table.
var added = regexp.MustCompile(`(?is)\bADD\s+COLUMN\s+(IF\s+NOT\s+EXISTS\s+)?(\w+)\s+([^,;]*)`)

// allowed are breaking statements that are safe: file, statement, reason.
var allowed = map[string]map[string]string{
	"00001_calendar.sql":     {"takes away a right": "no release came before the first"},
	"00013_search.sql":       {"takes away a right": "that of a role whose function now works as its caller"},
	"00009_retention.sql":    {"takes away a right": "that of the public to a function it makes itself"},
	"00136_gathering.sql":    {"takes away a right": "that of the public to a function it makes itself"},
	"00158_erase_person.sql": {"takes away a right": "that of the public to a function it makes itself"},
}

// faults returns what may break the previous release in a migration.
func faults(sql string) (all []string) {
	up, _, _ := strings.Cut(sql, "-- +goose Down")
	var text strings.Builder
	for line := range strings.Lines(up) {
		code, _, _ := strings.Cut(line, "--")
		text.WriteString(code + "\n")
	}
	for _, b := range breaking {
		if b.is.MatchString(text.String()) {
			all = append(all, b.what)
		}
	}
	for _, m := range added.FindAllStringSubmatch(text.String(), -1) {
		rest := strings.ToUpper(m[3])
		if strings.Contains(rest, "NOT NULL") && !strings.Contains(rest, "DEFAULT") && !strings.Contains(rest, "GENERATED") {
			all = append(all, "adds "+m[2]+" obligatory and without a default")
		}
	}
	return all
}

func TestMigrationsOnlyAdd(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("0*.sql")
	if err != nil || len(files) == 0 {
		t.Fatalf("%v, %v", files, err)
	}
	for _, file := range files {
		sql, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, fault := range faults(string(sql)) {
			if allowed[file][fault] == "" && (fault != stopsWrites || file > releasedStopping) {
				t.Errorf("%s %s: the release before still runs while this is done (docs/operations.md, upgrade)", file, fault)
			}
		}
	}
}

func TestFaultsAreFound(t *testing.T) {
	t.Parallel()
	for sql, want := range map[string]string{
		"ALTER TABLE a DROP COLUMN b;":              "drops a column",
		"alter table a\n  rename column b to c;":    "renames",
		"ALTER TABLE a ALTER COLUMN b TYPE bigint;": "changes a type",
		"ALTER TABLE a ALTER b SET NOT NULL;":       "makes a column obligatory",
		"ALTER TABLE a ADD COLUMN b int NOT NULL;":  "adds b obligatory and without a default",
		"DROP TABLE a;":                                                                  "drops a table",
		"CREATE INDEX a ON events (b);":                                                  stopsWrites,
		"CREATE INDEX CONCURRENTLY a ON events (b);":                                     "",
		"CREATE INDEX a ON events_of_last_year (b);":                                     "",
		"REVOKE SELECT ON a FROM b;":                                                     "takes away a right",
		"ALTER TABLE a ADD COLUMN b int NOT NULL DEFAULT 0;":                             "",
		"ALTER TABLE a ADD COLUMN b int;":                                                "",
		"CREATE TABLE a (b int NOT NULL); -- RENAME is a word":                           "",
		"-- +goose Up\nSELECT 1;\n-- +goose Down\nDROP TABLE a;":                         "",
		"ALTER TABLE a ADD COLUMN b int NOT NULL DEFAULT 0, ADD COLUMN c text NOT NULL;": "adds c obligatory and without a default",
	} {
		if got := strings.Join(faults(sql), "; "); got != want {
			t.Errorf("%s: %q, want %q", sql, got, want)
		}
	}
}
