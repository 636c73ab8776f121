package storagetest

import (
	"os"
	"strings"
	"testing"
)

// Columns fails the test unless a table has exactly these columns, given as names and types, and the others, given
// as names.
func Columns(t *testing.T, table string, columns map[string]string, others ...string) {
	t.Helper()
	schema, err := os.ReadFile("../../migrations/schema.sql")
	if err != nil {
		t.Fatal(err)
	}
	_, text, found := strings.Cut(string(schema), "CREATE TABLE "+table+" (\n")
	text, _, _ = strings.Cut(text, "\n);")
	if !found {
		t.Fatalf("no table %s", table)
	}
	there := map[string]string{}
	short := strings.NewReplacer(" with time zone", "tz", " without time zone", "", " NOT NULL", "")
	for line := range strings.Lines(text) {
		name, kind, _ := strings.Cut(strings.TrimSuffix(strings.TrimSpace(line), ","), " ")
		kind, _, _ = strings.Cut(short.Replace(kind), " DEFAULT")
		if name != "CONSTRAINT" {
			there[name] = kind
		}
	}
	for _, name := range others {
		delete(there, name)
	}
	for name, kind := range there {
		if columns[name] != kind {
			t.Errorf("the column %s of %s is %s in the table of columns, %s in the database", name, table, columns[name], kind)
		}
		delete(columns, name)
	}
	for name := range columns {
		t.Errorf("%s has no column %s", table, name)
	}
}
