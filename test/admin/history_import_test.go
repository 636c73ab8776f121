package admin

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/test/kit"
)

// talks is a table with some talks; those with a number below changed have another price.
func talks(n, changed int) kit.Sent {
	var table strings.Builder
	table.WriteString("Event Name,Event Start Date,Event Start Time,Event UID,Event Venue Name,Event Cost\n")
	for i := range n {
		cost := "5 €"
		if i < changed {
			cost = "7 €"
		}
		fmt.Fprintf(&table, "Talk %d,2030-03-%02d,19:00,talk-%d@club.example,Hall %d,%s\n", i, 1+i%28, i, i%3, cost)
	}
	return kit.Sent{Name: "talks.csv", File: table.String()}
}

// What an import made or changed is one entry of the history, whatever number of writes it took. It leads to the report, where the import
// is undone, and has no Undo of its own.
func TestHistoryOfImports(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Clock = time.Date(2030, 1, 1, 12, 0, 0, 0, time.UTC) // both imports take place within one second
	const many = 520
	first := k.Import(talks(many, 0))
	before := k.Version("demo")
	second := k.Import(talks(many, 510))
	if writes := k.Version("demo") - before; writes < 2 {
		t.Fatalf("the import took %d writes, so there is nothing to group", writes)
	}
	admin := k.Person("administrator")
	p := admin.Get("/admin/audit?kind=event")
	if n := strings.Count(p.Body, `<li id="e-`); n != 2 {
		t.Errorf("two imports are %d entries: %.4000s", n, p.Body)
	}
	deed := deedOf(t, p)
	for _, text := range []string{"Changed", "510 events", "Price", "Talk ", ">editor<", fmt.Sprintf(`"/admin/import/%d"`, second.ID())} {
		if !deed.Shows(text) {
			t.Errorf("the second import lacks %q: %s", text, deed.Body)
		}
	}
	if deed.Shows("Undo") {
		t.Error("an import is undone in its report, which says what stays")
	}
	_, rest, _ := strings.Cut(p.Body, deed.Body)
	for _, text := range []string{"Created", "520 events", fmt.Sprintf(`"/admin/import/%d"`, first.ID())} {
		if !strings.Contains(rest, text) {
			t.Errorf("the first import lacks %q: %s", text, rest)
		}
	}
	if own := k.Person("editor").Get("/admin/audit?kind=event"); strings.Count(own.Body, `<li id="e-`) != 2 {
		t.Errorf("the editor does not read two imports of their own: %.4000s", own.Body)
	}
}

// A series that somebody divided is one entry. Undo beside it makes one series of both again.
func TestHistoryOfDividedSeries(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	editor := k.Person("editor")
	series := kit.Weekly(k, nil)
	was := fmt.Sprint(k.Get(kit.Item("events", series), "editor").Body["recurrence"])
	dates := kit.EachOf(kit.Happens(k, series, "editor"), "start_date")
	date := dateOf(k, series, 2)
	moved := url.Values{"title": {"Choir abroad"}, "applies_to": {"following"}}
	if p := editor.Post(date, editor.Fill(date, kit.EveryEditor, moved)); p.Status != 303 {
		t.Fatalf("%d %.3000s", p.Status, p.Body)
	}
	if now := kit.Happens(k, series, "editor"); len(now) >= len(dates) {
		t.Fatalf("the series was not divided: %d dates", len(now))
	}
	for _, who := range []*kit.Browser{editor, k.Person("administrator")} {
		deed := deedOf(t, who.Get("/admin/audit?kind=event"))
		for _, text := range []string{"Choir abroad", "Choir", "Undo"} {
			if !deed.Shows(text) {
				t.Errorf("the deed lacks %q: %s", text, deed.Body)
			}
		}
	}
	if p := editor.Post("/admin/events/undo", kit.FormAt(deedOf(t, editor.Get("/admin/audit?kind=event")), `<form`)); p.Status != 303 {
		t.Fatalf("undo: %d %.3000s", p.Status, p.Body)
	}
	if now := kit.EachOf(kit.Happens(k, series, "editor"), "start_date"); strings.Join(now, " ") != strings.Join(dates, " ") {
		t.Errorf("the dates were %v and are %v", dates, now)
	}
	if now := fmt.Sprint(k.Get(kit.Item("events", series), "editor").Body["recurrence"]); now != was {
		t.Errorf("the rule was %s and is %s", was, now)
	}
	if n := k.Peek("demo", "SELECT count(*)::text FROM events WHERE title = 'Choir abroad' AND status <> 'trash'"); n != "0" {
		t.Errorf("%s events of the other half are left", n)
	}
	if p := editor.Get("/admin/audit?kind=event"); strings.Count(p.Body, `name="writes"`) > 1 || !deedOf(t, p).Shows("Choir") {
		t.Errorf("what was undone can be undone again: %.3000s", p.Body)
	}
}
