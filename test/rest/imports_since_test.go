package rest_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// What people change on the site after a table was exported stays when the table comes back, whatever its cells say; what somebody
// wrote into the table is a change. A table of another site, or without the column, can't know.
func TestTableKnowsWhatChangedSince(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	own := k.Event(kit.Object{"title": "Own", "start_date": "2030-04-01 19:00", "end_date": "2030-04-01 20:00", "cost": "$12", "website": "https://example.org/own"})
	series := k.Event(kit.Object{"title": "Choir", "start_date": "2030-05-07 19:00", "end_date": "2030-05-07 20:00", "recurrence": kit.Object{"rrule": "FREQ=WEEKLY;COUNT=5"}})
	table := func() string {
		return string(k.With("GET", "/events.csv?start_date=2030-01-01&end_date=2031-01-01", "editor", nil).Want(t, 200, "").Raw)
	}
	exported := table()
	if !strings.Contains(exported, "Exported Version") || strings.Contains(exported, ",0@") {
		t.Fatalf("the table does not say what it is of: %s", exported)
	}
	k.Patch(fmt.Sprintf("/events/%d", own), "administrator", kit.Object{"title": "Changed here"}).Want(t, 200, "")
	k.Patch(fmt.Sprintf("/events/%d", series), "administrator", kit.Object{"website": "https://example.org/choir"}).Want(t, 200, "")
	written := strings.NewReplacer("$12", "$15", "\nChoir,", "\nOur choir,").Replace(exported)
	first := k.Import(kit.Sent{Name: "events.csv", File: written})
	if got := results(first); got != "changed changed" {
		t.Errorf("%s %v %s\n%s", got, said(first), first.Raw, written)
	}
	check := func(when, title, cost, choir, website string) {
		t.Helper()
		e, s := k.Get(fmt.Sprintf("/events/%d", own), "administrator"), k.Get(fmt.Sprintf("/events/%d", series), "administrator")
		if got := []any{e.Body["title"], e.Body["cost"], s.Body["title"], s.Body["website"]}; got[0] != title || got[1] != cost || got[2] != choir || got[3] != website {
			t.Errorf("%s: %v", when, got)
		}
	}
	check("the table comes back", "Changed here", "$15", "Our choir", "https://example.org/choir")
	if text := fmt.Sprint(first.Entries); !strings.Contains(text, "kept") {
		t.Errorf("nothing is said of what was kept: %s", text)
	}
	version := k.Version("demo")
	k.Import(kit.Sent{Name: "events.csv", File: written})
	if now := k.Version("demo"); now != version {
		t.Errorf("the same table again writes: version %d became %d", version, now)
	}
	// A new export knows of all that.
	again := k.Import(kit.Sent{Name: "events.csv", File: strings.Replace(table(), "Changed here", "In the table", 1)})
	if got := results(again); got != "changed same" {
		t.Errorf("from a new export: %s %v", got, again.Entries)
	}
	check("from a new export", "In the table", "$15", "Our choir", "https://example.org/choir")
	// Of another site, or edited by somebody, the column says nothing, and the cells of what no file had before count.
	for n, foreign := range []string{"@elsewhere.example", "@", ""} {
		one := k.Event(kit.Object{"title": "One", "start_date": fmt.Sprintf("2030-06-0%d 19:00", n+1), "end_date": fmt.Sprintf("2030-06-0%d 20:00", n+1)})
		before := table()
		k.Patch(fmt.Sprintf("/events/%d", one), "administrator", kit.Object{"title": "Two"}).Want(t, 200, "")
		cell := exportedCell.FindString(before)
		at, _, _ := strings.Cut(cell, "@")
		if cell == "" {
			t.Fatalf("no version in %s", before)
		}
		k.Import(kit.Sent{Name: "events.csv", File: strings.ReplaceAll(before, cell, at+foreign+"\n")})
		if got := k.Get(fmt.Sprintf("/events/%d", one), "administrator").Body["title"]; got != "One" {
			t.Errorf("with %q the cells do not count: %s", foreign, got)
		}
	}
}

var exportedCell = regexp.MustCompile(`\d+@[-0-9a-f]+\n`)
