package rest_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kalends/kalends/test/kit"
)

// Dates of a table belong to the series that they name, also if the table has no UIDs.
func TestImportedSeriesOfTables(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Site("tables")
	data, err := os.ReadFile("../../calendar/reading/testdata/csv/series.csv")
	k.Must(err)
	if r := k.Import(kit.Sent{Name: "series.csv", File: string(data), Site: "tables"}); r.Body["state"] != "done" {
		t.Fatalf("%s", r.Raw)
	}
	a := k.Send(kit.Request{Method: "GET", Site: "tables", Path: "/events?start_date=2027-01-01&per_page=50"})
	var got []string
	for _, e := range kit.ListOf(a.Body["events"]) {
		event, _ := e.(map[string]any)
		status, _ := event["event_status"].(string)
		_, dated := event["series"]
		got = append(got, fmt.Sprint(event["title"], " ", event["start_date"], " ", dated, status))
	}
	slices.Sort(got)
	want := []string{"Band 2027-03-03 20:00:00 true", "Band 2027-03-10 21:00:00 true", "Band 2027-03-17 20:00:00 true",
		"Choir 2027-03-02 19:30:00 true", "Choir 2027-03-09 19:30:00 true", "Choir 2027-03-16 20:00:00 true",
		"Choir 2027-03-23 19:30:00 truecancelled", "Choir 2027-03-30 19:30:00 true"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Somebody says what columns mean, beside a file too: by the documented name, or by the argument that the column fills.
func TestImportedColumns(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	const table = "Foo;Bar;Baz\nChoir;1.5.2030 19:30;Town Hall\n"
	if problem, _ := k.Import(kit.Sent{Name: "t.csv", File: table}).Body["problem"].(map[string]any); problem["code"] != "import-columns-missing" {
		t.Errorf("without a word: %v", problem)
	}
	for name, columns := range map[string]string{
		"documented": `{"Foo": "Event Name", "Bar": "event start date", "Baz": "Event Venue Name"}`,
		"arguments":  `{"Foo": "title", "Bar": "start_date", "Baz": "venue"}`,
		"left out":   `{"Foo": "title", "Bar": "start_date", "Baz": ""}`,
	} {
		r := k.Import(kit.Sent{Name: "t.csv", File: table, Fields: map[string]string{"columns": columns, "dry_run": "true"}})
		if len(r.Entries) != 1 || r.Entries[0]["title"] != "Choir" || r.Entries[0]["start_date"] != "2030-05-01 19:30:00" {
			t.Errorf("%s: %s %v", name, r.Raw, r.Entries)
		}
	}
	for _, wrong := range []string{`{"Foo": "title", "Bar": "nonsense"}`, `{"Foo": 1}`, `["title"]`, `{`, `title`, ``} {
		k.StartImport(kit.Sent{Name: "t.csv", File: table, Fields: map[string]string{"columns": wrong}}).Want(t, 400, "rest_invalid_param")
	}
}

// A column may have any name: an import that names its columns is still JSON.
func TestImportedColumnsOfAnyName(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	const name = `","id":"x` + "\x01\\"
	table := "Title;Date;\"" + strings.ReplaceAll(name, `"`, `""`) + "\"\nConcert;2030-03-01;x\n"
	r := k.Import(kit.Sent{Name: "t.csv", File: table, Fields: map[string]string{"dry_run": "true"}})
	var got struct {
		ID      int64             `json:"id"`
		Columns map[string]string `json:"columns"`
	}
	if err := json.Unmarshal(r.Raw, &got); err != nil {
		t.Fatalf("%v: %s", err, r.Raw)
	}
	if meaning, there := got.Columns[name]; !there || meaning != "" || len(got.Columns) != 3 {
		t.Errorf("%q", got.Columns)
	}
}
