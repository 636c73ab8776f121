package rest_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// keptOf returns source.kept of an event, as an editor reads it.
func keptOf(k *kit.Kit, path string) string {
	k.T.Helper()
	return fmt.Sprint(k.Get(path, "editor").Want(k.T, 200, "").At("source.kept"))
}

// What people change in events of a source stays as they want it, which answers say to those who may edit, until they give it back.
func TestSourceKept(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	text := many(3, nil)
	feed := k.Outlet(text)
	source := k.Source(kit.Object{"url": feed.URL})
	k.ReadSources()
	path := kit.Item("events", number(k, `SELECT id::text FROM events WHERE title = 'Event 1'`))
	if got := keptOf(k, path); got != "[]" {
		t.Errorf("untouched: %s", got)
	}
	k.Get(path, "").Has(t, "source.kept", "-", "source.id", source)
	k.Get(path, "subscriber").Has(t, "source.kept", "-")
	a := k.Patch(path, "editor", kit.Object{"title": "Ours", "venue": kit.Object{"venue": "Elsewhere"}, "featured": true}).Want(t, 200, "")
	if got := fmt.Sprint(a.At("source.kept")); got != "[title venue]" {
		t.Errorf("changed: %s", got)
	}
	list := k.Get("/events?start_date=2030-01-01&end_date=2031-01-01", "editor").Want(t, 200, "")
	if !strings.Contains(string(list.Raw), `"kept":["title","venue"]`) || strings.Count(string(list.Raw), `"kept":[]`) != 2 {
		t.Errorf("list: %s", list.Raw)
	}
	change := func(to string) {
		feed.Say(strings.NewReplacer("SUMMARY:Event 1", "SUMMARY:"+to, "LOCATION:Hall 1", "LOCATION:"+to+" Hall").Replace(text))
		if of := k.ReadSource(source); of.Body["problem"] != nil {
			t.Fatalf("%s", of.Raw)
		}
	}
	change("Theirs")
	k.Get(path, "editor").Has(t, "title", "Ours", "venue.venue", "Elsewhere", "source.kept.0", "title")
	// the same object again means nothing
	version := k.Peek("demo", `SELECT version::text FROM sites`)
	k.Patch(path, "editor", k.Get(path, "editor").Body).Want(t, 200, "").Has(t, "title", "Ours")
	k.Patch(path, "editor", kit.Object{"source": kit.Object{"kept": []string{"title", "venue"}}}).Want(t, 200, "").Has(t, "title", "Ours")
	if got := k.Peek("demo", `SELECT version::text FROM sites`); got != version {
		t.Errorf("version %s, was %s", got, version)
	}
	// one field only, and another change of the same write stays ours
	k.Patch(path, "editor", kit.Object{"source": kit.Object{"kept": []string{"venue"}}, "cost": "5 €", "description": "Mine"}).Want(t, 200, "").
		Has(t, "title", "Theirs", "venue.venue", "Elsewhere", "description", "<p>Mine</p>")
	change("Later")
	k.Get(path, "editor").Has(t, "title", "Later", "venue.venue", "Elsewhere", "description", "<p>Mine</p>", "featured", true)
	// all of them
	k.Patch(path, "editor", kit.Object{"source": kit.Object{"kept": []string{}}}).Want(t, 200, "").
		Has(t, "venue.venue", "Later Hall", "featured", true, "source.kept.#", 0)
	change("Last")
	k.Get(path, "editor").Has(t, "title", "Last", "venue.venue", "Last Hall", "source.kept.#", 0)
	if n := k.Peek("demo", `SELECT count(*)::text FROM changes WHERE kind = 'event' AND before ? 'title' AND via <> 'import'`); n != "2" {
		t.Errorf("%s changes of the title in the history", n)
	}
}

// When an event takes place is taken back as a whole; who gives a form says it, too; what cannot be meant is refused.
func TestSourceKeptTimes(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	feed := k.Outlet(many(3, nil))
	source := k.Source(kit.Object{"url": feed.URL})
	k.ReadSources()
	path := kit.Item("events", number(k, `SELECT id::text FROM events WHERE title = 'Event 1'`))
	was := k.Get(path, "editor")
	k.Patch(path, "editor", kit.Object{"start_date": "2030-05-05 10:00", "end_date": "2030-05-05 11:00", "title": "Ours"}).Want(t, 200, "")
	if got := keptOf(k, path); got != "[end_date start_date title]" {
		t.Errorf("%s", got)
	}
	for _, wrong := range []any{"x", 7, kit.Object{"kept": 7}, kit.Object{"kept": []any{"nonsense"}}, kit.Object{"kept": []any{kit.Object{}}}} {
		k.Patch(path, "editor", kit.Object{"source": wrong}).Want(t, 400, "rest_invalid_param")
	}
	k.Patch(path, "contributor", kit.Object{"source": kit.Object{"kept": []string{}}}).Want(t, 403, "rest_forbidden")
	k.Send(kit.Request{Method: "PATCH", Path: path, As: "editor", Body: "source[kept]=title",
		Headers: map[string]string{"Content-Type": "application/x-www-form-urlencoded"}}).Want(t, 200, "").
		Has(t, "title", "Ours", "start_date", was.Body["start_date"], "end_date", was.Body["end_date"])
	if got := keptOf(k, path); got != "[title]" {
		t.Errorf("%s", got)
	}
	k.Patch(at("sources", source), "administrator", kit.Object{"policy": "replace"}).Want(t, 200, "")
	if got := keptOf(k, path); got != "[]" {
		t.Errorf("where the source always wins: %s", got)
	}
	plain := k.Event(nil)
	k.Patch(kit.Item("events", plain), "editor", kit.Object{"source": kit.Object{"kept": []string{}}}).Want(t, 200, "").Has(t, "source", "-")
}

// A field that was put back by hand and taken back afterwards is the source's.
func TestSourceKeptByHand(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	text := many(1, nil)
	feed := k.Outlet(text)
	source := k.Source(kit.Object{"url": feed.URL})
	k.ReadSources()
	path := kit.Item("events", number(k, `SELECT id::text FROM events`))
	k.Patch(path, "editor", kit.Object{"title": "Ours"}).Want(t, 200, "")
	k.Patch(path, "editor", kit.Object{"title": "Event 0"}).Want(t, 200, "")
	k.Patch(path, "editor", kit.Object{"source": kit.Object{"kept": []string{}}}).Want(t, 200, "").Has(t, "source.kept.#", 0)
	feed.Say(strings.Replace(text, "SUMMARY:Event 0", "SUMMARY:Theirs", 1))
	k.ReadSource(source)
	k.Get(path, "editor").Has(t, "title", "Theirs")
}

// What the same write changes stays ours, although it gives another field back: also where the source says something else of it later.
func TestSourceKeptInTheSameWrite(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	text := many(1, nil)
	feed := k.Outlet(text)
	source := k.Source(kit.Object{"url": feed.URL})
	k.ReadSources()
	path := kit.Item("events", number(k, `SELECT id::text FROM events`))
	k.Patch(path, "editor", kit.Object{"title": "Ours"}).Want(t, 200, "")
	k.Patch(path, "editor", kit.Object{"source": kit.Object{"kept": []string{}}, "venue": kit.Object{"venue": "Elsewhere"}}).Want(t, 200, "").
		Has(t, "title", "Event 0", "venue.venue", "Elsewhere")
	if got := keptOf(k, path); got != "[venue]" {
		t.Errorf("kept: %s", got)
	}
	feed.Say(strings.NewReplacer("SUMMARY:Event 0", "SUMMARY:Theirs", "LOCATION:Hall 0", "LOCATION:Their hall").Replace(text))
	k.ReadSource(source)
	k.Get(path, "editor").Has(t, "title", "Theirs", "venue.venue", "Elsewhere")
}

// number returns a number that the database of site demo has.
func number(k *kit.Kit, sql string) int64 {
	k.T.Helper()
	n, err := strconv.ParseInt(k.Peek("demo", sql), 10, 64)
	k.Must(err)
	return n
}

// A filter that names what the giving site does not have is the reader's to mend, not a fault of the server.
func TestSourceFilterOfNothing(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Site("two")
	k.Provider("PATCH", "/sites/two", kit.Object{"settings": kit.Object{"share": "demo"}}).Want(t, 200, "")
	id := k.Source(kit.Object{"name": "Two", "kind": "site", "url": "two", "filter": kit.Object{"venue": 77777}})
	k.ReadSources()
	read := k.Get(fmt.Sprintf("/sources/%d", id), "administrator").Want(t, 200, "")
	problem, _ := read.Body["problem"].(map[string]any)
	if problem["code"] != "source-filter" {
		t.Errorf("%s", read.Raw)
	}
}
